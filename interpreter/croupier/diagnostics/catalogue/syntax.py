"""Codes P: rule text does not parse."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry, play

_REST = "The rest of the text is checked all the same."

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "P001", "unexpected word", "{found} cannot stand here",
        "Up to this place the text is a beginning of something, but nothing that the rule language knows goes on like this. Where only a few"
        f" things could follow, a note lists them. {_REST}",
        bad=play("let n = 3 4"), good=play("let n = 3\nannounce \"{n}\""),
    ),
    Entry(
        "P002", "empty rule text", "the rule text is empty",
        "A phase, a condition or a size must say something, because an empty text is more often forgotten than meant. Where nothing is to happen,"
        " say so with `pass`.",
        bad='phases:\n  play: |\n    # nothing yet\n', good=play("pass"),
        help="write `pass` if nothing happens",
    ),
    Entry(
        "P003", "nested too deeply", "this is nested more than {limit} deep",
        "Brackets, blocks and chains of operators inside one another have a limit, so that every tool can read every ruleset. Nothing that a"
        " person reads comes near it. Give a part of the rule a name and use the name.",
        bad=play(f"let n = {'(' * 65}1{')' * 65}"), good=play('let n = (((1)))\nannounce "{n}"'),
        help="name a part of it with `let` or `def`",
    ),
    Entry(
        "P004", "indentation", "{problem}",
        "A block is indented deeper than the line that opens it, and all its lines begin in the same column. This line begins in a column where"
        " no block begins, so it cannot be said what it belongs to."
        " A statement that is too long for one line goes on in the next inside brackets only.",
        bad=play("if players.size == 2:\n    pass\n  pass"), good=play("if players.size == 2:\n    pass\npass"),
        help="align the line with the block that it belongs to",
    ),
    Entry(
        "P005", "empty braces", "the braces of this text are empty",
        "In a text, `{expression}` shows a value. There is nothing to show between these braces. A text cannot hold braces for their own sake.",
        bad=play('announce "a card {}"'), good=play('announce "a card"'),
        help="write an expression between the braces, or leave them out",
    ),
    Entry(
        "P006", "missing colon", "a `:` is missing at the end of this line",
        "A line that opens a block (`if`, `for`, `match`, `def` and the like) ends with a colon, and the block stands below it, indented deeper."
        f" {_REST}",
        bad=play("if players.size == 2\n    pass"), good=play("if players.size == 2:\n    pass"),
        help="add `:`",
    ),
    Entry(
        "P007", "open quotation mark", "this text has no closing quotation mark",
        "A text stands between two double quotes on one line. Without the second one, everything to the end of the line would belong to it.",
        bad=play('announce "the end'), good=play('announce "the end"'),
        help='close the text with `"`',
    ),
    Entry(
        "P008", "open bracket", "`{bracket}` is never closed",
        "Every bracket needs its partner. Inside brackets a line may go on in the next one, if that is indented deeper; so a bracket that is left"
        " open would swallow the lines below it.",
        bad=play("let n = (1 + 2\npass"), good=play("let n = (1 + 2)\nannounce \"{n}\""),
        help="close the bracket",
    ),
    Entry(
        "P009", "unexpected character", "the character `{character}` has no meaning in rule text",
        "Rule text consists of names, whole numbers, texts in double quotes, brackets, and the operators of arithmetic and comparison."
        " Other signs may stand in texts and in comments after `#`.",
        bad=play("let n = 3 € 4"), good=play('announce "3 €"'),
    ),
    Entry(
        "P010", "closing bracket", "`{bracket}` closes nothing",
        "No bracket of this kind is open here. Either one is missing before this place, or this one is too much.",
        bad=play("let n = 1 + 2)"), good=play("let n = 1 + 2\nannounce \"{n}\""),
        help="leave it out, or open a bracket before it",
    ),
    Entry(
        "P011", "unknown statement", "no statement begins with `{word}`",
        "Every statement begins with one of a few words (`let`, `move`, `draw`, `choose`, `if`, `for`, …), or it is a call, or it gives a new value"
        " to something. This line begins with a name and goes on with something else.",
        bad="components:\n  Card: {count: 3}\nzones:\n  deck: {holds: Card, order: pile, start: all}\n" + play("shufle deck"),
        good="components:\n  Card: {count: 3}\nzones:\n  deck: {holds: Card, order: pile, start: all}\n" + play("shuffle deck"),
    ),
    Entry(
        "P012", "statement among definitions", "`{word}` does not begin a definition",
        "Definitions and powers hold `def`, `window`, hooks (`instead of`, `before`, `after`, `adjust`, `in`), `watch` and `end when`. They say what"
        " can happen; what does happen, step by step, stands in `phases`.",
        bad="definitions: |\n  let n = 3\n", good="definitions: |\n  def n() -> int:\n      return 3\n" + play('announce "{n()}"'),
        help="put it into a phase, or into the block of a `def`",
    ),
    Entry(
        "P013", "definition inside rules", "`{word}` cannot stand inside a phase or a block",
        "Definitions, hooks and watchers hold for the whole game, so they stand by themselves under `definitions` (hooks of one component under its"
        " `powers`), in the first column of their text. A phase then calls what is defined there.",
        bad=play("def n() -> int:\n    return 3"), good="definitions: |\n  def n() -> int:\n      return 3\n" + play('announce "{n()}"'),
        help="put it under `definitions`",
    ),
    Entry(
        "P014", "block below a choice", "a `choose` opens no block",
        "Below a `choose` only its conditions (`only if`) are indented. What happens after the choice stands in the lines that follow, in the column"
        " of the `choose` itself. Only `may choose …:` has a block, for the case that something is chosen.",
        bad=play('choose n from 1..3 by players.first\n    announce "{n}"'), good=play('choose n from 1..3 by players.first\nannounce "{n}"'),
        help="indent this line like the `choose`",
    ),
    Entry(
        "P015", "condition without a text", "`only if` needs a text that says what must hold",
        "A named condition of a choice answers the question why something is not allowed, so it has words for the player: a text in double quotes, a"
        " colon, and the condition."
        " Without the words nobody could be told what is wrong with a choice that is refused.",
        bad=play("choose n from 1..3 by players.first\n    only if n > 1\nannounce \"{n}\""),
        good=play("choose n from 1..3 by players.first\n    only if \"more than one\": n > 1\nannounce \"{n}\""),
        help='write `only if "…": condition`',
    ),
    Entry(
        "P016", "word that belongs to nothing", "this `{word}` belongs to nothing",
        "`else` and `elif` stand directly below the block that they are the other side of, in the same column; `only if`, `case` and `option` stand"
        " indented below their `choose` or `match`. Nothing of that kind stands above this line.",
        bad=play("pass\nelse:\n    pass"), good=play("if players.size == 2:\n    pass\nelse:\n    pass"),
        help="{to}",
    ),
    Entry(
        "P017", "empty block", "nothing stands below this `:`",
        "A colon at the end of a line opens a block, and the next line must be indented deeper. If nothing is to happen there, the block is `pass`.",
        bad=play("if players.size == 2:\npass"), good=play("if players.size == 2:\n    pass"),
        help="indent the lines that belong to it, or write `pass`",
    ),
    Entry(
        "P018", "colon too much", "this line opens no block, so it ends without `:`",
        "Only lines with a block below them end with a colon: `if`, `for`, `repeat`, `match`, `may choose` and so on. Other statements are complete"
        " without one.",
        bad=play("choose n from 1..3 by players.first:\nannounce \"{n}\""), good=play("choose n from 1..3 by players.first\nannounce \"{n}\""),
        help="leave out the `:`",
    ),
    Entry(
        "P019", "name that looks like another", "`{name}` has letters that look like others",
        "Names may have letters of the Latin alphabet, each written as one character. Letters of other alphabets, and letters composed of several"
        " characters, look the same as others on a screen and are different to a program.",
        bad=play("let c\u0430rd = 3"), good=play('let card = 3\nannounce "{card}"'),
        help="type the name again with plain letters",
    ),
    Entry(
        "P040", "choose without from", "`choose` needs `from`",
        "A choice says what is chosen, from what, and by whom: `choose x from xs by p`. The name before `from` stands for the choice in the lines"
        " that follow.",
        bad=play("choose n by players.first"), good=play('choose n from 1..3 by players.first\nannounce "{n}"'),
        help="write `choose x from … by …`",
    ),
    Entry(
        "P041", "draw without from", "`draw` needs `from` and `to`",
        "Drawing takes components from the top of a pile, or at random out of a bag, and puts them into another zone: `draw 1 from deck to hand[p]`."
        " The number comes first; if the pile holds fewer, all of them are drawn.",
        bad="components:\n  Card: {count: 3}\nzones:\n  deck: {holds: Card, order: pile, start: all}\n  hand: {holds: Card}\n"
        + play("draw 1 to hand"),
        good="components:\n  Card: {count: 3}\nzones:\n  deck: {holds: Card, order: pile, start: all}\n  hand: {holds: Card}\n"
        + play("draw 1 from deck to hand"),
        help="write `draw n from … to …`",
    ),
    Entry(
        "P042", "let without value", "`{word}` needs a value",
        "`let x = …` names a value, `var x = …` a value that may change. Neither exists without one; a value that is not known yet is"
        " `var x: T? = none`.",
        bad=play("var n"), good=play('var n = 0\nn += 1\nannounce "{n}"'),
        help="add `= …`",
    ),
    Entry(
        "P043", "definition head", "the head of a definition has parameters in brackets",
        "A definition is `def name(parameter: Type, …) -> Type:`. Without parameters the brackets are empty, so that a call always looks like"
        " a call.",
        bad="definitions: |\n  def greet:\n      announce \"hello\"\n",
        good="definitions: |\n  def greet():\n      announce \"hello\"\n" + play("greet()"),
        help="write `{word}(…)`",
    ),
    Entry(
        "P044", "chained comparison", "comparisons cannot be chained",
        "A comparison gives true or false, and that cannot be compared with a number. Join two comparisons with `and`.",
        bad=play("if 1 < players.size < 4:\n    pass"), good=play("if 1 < players.size and players.size < 4:\n    pass"),
        help="write `a < b and b < c`",
    ),
    Entry(
        "P048", "citation", "this is no citation",
        "A citation names rules of the rule list: `@`, capital letters, a hyphen and a number, with further numbers after a comma and ranges with"
        " two dots, without blanks: `@WB-17,19..21`. It stands at the end of a line.",
        bad=play("pass  @wb-12"), good=play("pass  @WB-12"),
        help="write `@WB-12`, `@WB-12,14` or `@WB-12..14`",
    ),
    Entry(
        "P049", "for without in", "a loop is written `for x in xs`",
        "A loop walks a collection: a list, a zone, the players, or numbers as in `1..3`. The name stands for each element in turn.",
        bad=play("for n = 1..3:\n    pass"), good=play("for n in 1..3:\n    pass"),
        help="write `for … in …:`",
    ),
    Entry(
        "P050", "parameter without type", "the parameter `{word}` has no type",
        "Parameters of definitions and windows say what they are, so that a call with the wrong thing is found before the game is played:"
        " `def worth(c: Card) -> int:`."
        " A parameter that is to be changed by the call is `var n: int`.",
        bad="definitions: |\n  def twice(n) -> int: return n * 2\n" + play('announce "{twice(2)}"'),
        good="definitions: |\n  def twice(n: int) -> int: return n * 2\n" + play('announce "{twice(2)}"'),
        help="write `{word}: Type`",
    ),
    Entry(
        "P052", "rule text too long", "the rule text goes on after {limit} characters",
        "One rule text, and all rule texts of a ruleset together, have a limit, so that checking never takes long. Nothing that a person"
        " writes comes near it.",
    ),
    Entry(
        "P056", "places without a map", "`finish rank` and `finish pay` take a number for each player, not `by`",
        "The order of the players, or what each is paid, is a map: for each player a number, or a list of numbers of which the first decides and the"
        " next ones break ties.",
        bad=play("finish rank players by players.size"), good=play("finish rank {p: p.seat for p in players}"),
        help="write `{{p: … for p in players}}`",
    ),
    Entry(
        "P066", "second key after the first", "what breaks ties does not stand after `then`",
        "Where the first number of several players is the same, the next one decides: the key of a player is then a list of numbers, which are"
        " compared from left to right.",
        bad=play("finish rank {p: p.seat, then players.size for p in players}"),
        good=play("finish rank {p: [p.seat, players.size] for p in players}"),
        help="write a list for each player: `{{p: [first, second] for p in players}}`",
    ),
    Entry(
        "P057", "unknown end of a game", "`finish` does not end a game with `{word}`",
        "A game ends with winners, with places, with payments, with everybody losing, or in a draw: `finish win p`, `finish rank {p: … for p in"
        " players}`, `finish pay {p: … for p in players}`, `finish lose`, `finish draw`.",
        bad=play("finish tie"), good=play("finish draw"),
        help="write `finish win p`, `finish rank {{…}}`, `finish pay {{…}}`, `finish lose` or `finish draw`",
    ),
    Entry(
        "P055", "leak without a reason", "`leaks` needs a reason",
        "With `leaks` an author says that a decision depends on what its chooser may not see, and why that is meant. Whoever reads the rules"
        " has to find the reason there.",
        bad=play('choose n from 1..3 by players.first leaks ""'),
        good=play('choose n from 1..3 by players.first'),
        help='write `leaks "why this is meant"`',
    ),
    Entry(
        "P054", "clause twice", "this choice has `{word}` twice",
        "A choice is made by somebody once, and has one label. Two conditions are joined by `and`, or stand below as `only if`; several attributes"
        " stand behind one `merging`.",
        bad=play("choose n from 1..9 where n > 2 by players.first where n < 5\nannounce \"{n}\""),
        good=play("choose n from 1..9 where n > 2 and n < 5 by players.first\nannounce \"{n}\""),
    ),
    Entry(
        "P058", "number of cards moved", "`move` takes a component, not a number of them",
        "What is taken from the top of a pile is drawn, as many as are said: `draw 2 from deck to row`. `move` takes a component, or a list of"
        " them, wherever it lies: `move c to row`.",
        bad="components:\n  Card: {count: 3}\nzones:\n  deck: {holds: Card, order: pile, start: all}\n  hand: {holds: Card}\n"
        + play("move 2 from deck to hand"),
        good="components:\n  Card: {count: 3}\nzones:\n  deck: {holds: Card, order: pile, start: all}\n  hand: {holds: Card}\n"
        + play("draw 2 from deck to hand"),
        help="write `draw 2 from … to …`, or `move c to …`",
    ),
    Entry(
        "P060", "only if on the line of a choice", "`only if` stands on a line of its own",
        "A choice or an option may have several named conditions. Each stands on its own line below it, indented, with its words and its citation.",
        bad=play('choose n from 1..9 by players.first only if "large": n > 2\nannounce "{n}"'),
        good=play('choose n from 1..9 by players.first\n    only if "large": n > 2\nannounce "{n}"'),
        help='write it on the next line, indented: `only if "words": …`; or `where …` on this line',
    ),
    Entry(
        "P062", "condition of an end", "`{word}` cannot follow in a `finish`: the players stand in a list",
        "`finish win` takes players: one of them, or a list, which may be made from a condition.",
        bad=play("finish win p where p.seat == 1"), good=play("finish win [p for p in players if p.seat == 1]"),
        help="write a list: `[p for p in players if …]`",
    ),
    Entry(
        "P063", "saying no to what must be chosen", "nobody may say no here",
        "`as \"…\" or \"…\"` gives the words for an option and those for choosing nothing. Only after `may choose`"
        " and of `any` number is that an option.",
        bad=play('choose n from 1..9 by players.first as "take {n}" or "take none"\nannounce "{n}"'),
        good=play('may choose n from 1..9 by players.first as "take {n}" or "take none":\n    announce "{n}"'),
        help="write `may choose …:` or `choose any …`, or leave these words out",
    ),
    Entry(
        "P064", "words for saying no", "the words for saying no are a fixed text",
        "They stand for no element, so there is nothing to show in braces, and they may not be empty.",
        bad=play('may choose n from 1..9 by players.first as "take {n}" or "leave {n}":\n    announce "{n}"'),
        good=play('may choose n from 1..9 by players.first as "take {n}" or "take none":\n    announce "{n}"'),
        help="write words without braces",
    ),
    Entry(
        "P065", "option without its word", "an option of a menu begins with `option`",
        "Below `choose by p:` stand the options of a menu, each with the word `option`, its text, and what happens when it is chosen.",
        bad=play('choose by players.first:\n    "draw": announce "a card"\n    option "pass": pass'),
        good=play('choose by players.first:\n    option "draw": announce "a card"\n    option "pass": pass'),
        help="write `option` before the text",
    ),
)
