" Rule text in the literal blocks of Croupier rulesets: YAML files with a line that begins with `croupier:`.
if search('^croupier:', 'nw') == 0
  finish
endif
syntax keyword croupierKeyword contained add adjust after announce any as at bag before bottom break by case chance choose claim continue deal def doc
syntax keyword croupierKeyword contained draw each elif else end every finish first for from gives group if instead leaks let list lose match may
syntax keyword croupierKeyword contained merging move nested of once only open option order pass pay per phase possible random rank remove repeat
syntax keyword croupierKeyword contained replace return reveal roll seconds secretly seen set show shuffle so some such suppose swap tell that this
syntax keyword croupierKeyword contained time to told top unseen until up var watch weighing when where win window with within without zone
syntax keyword croupierOperator contained and in is mod not or otherwise
syntax keyword croupierConstant contained false none true
syntax match croupierNumber contained /\<\d\+\>/
syntax match croupierFunction contained /\<\h\w*\ze(/
syntax match croupierFunction contained /\<\%(def\|window\)\s\+\zs\h\w*/
syntax match croupierCitation contained /@\u\{1,8}-\u*\d\+\l\?\%(\%(,\|\.\.\)\u*\d\+\l\?\)*/
syntax match croupierComment contained /#.*/
syntax region croupierTemplate contained matchgroup=Special start=/{/ end=/}/ contains=croupierKeyword,croupierOperator,croupierConstant,croupierNumber
syntax region croupierText contained oneline start=/"/ end=/"\|$/ contains=croupierTemplate
syntax cluster croupier contains=croupierKeyword,croupierOperator,croupierConstant,croupierNumber,croupierFunction,croupierCitation,croupierComment,croupierText
syntax region croupierRules matchgroup=Special start=/\%(^\z(\s*\)\%(doc\|title\)\@!\S[^#"{[]*:\s*\)\@<=|[-+0-9]*$/ end=/^\%(\z1\s\)\@!\%(\s*\S\)\@=/ contains=@croupier
syntax sync fromstart
highlight default link croupierKeyword Statement
highlight default link croupierOperator Operator
highlight default link croupierConstant Constant
highlight default link croupierNumber Number
highlight default link croupierFunction Function
highlight default link croupierCitation PreProc
highlight default link croupierComment Comment
highlight default link croupierText String
