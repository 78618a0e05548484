"""Codes P: what other languages write, and this one says otherwise."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry, play

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "P020", "while", "there is no `while`",
        "A loop walks a finite collection (`for x in xs:`), or repeats a part of the game and is counted against the limit of decisions"
        " (`repeat until condition:`). So every game comes to an end.",
        bad=play("while players.size > 2:\n    pass"), good=play("repeat until players.size <= 2:\n    pass"),
        help="write `repeat until` with the opposite of the condition, or `for … in …:`",
    ),
    Entry(
        "P021", "lambda", "there is no `lambda`",
        "Functions have names and declared types: write a `def` under `definitions`. Where only a key or a condition is needed, aggregates take it"
        " directly: `best(c for c in hand by c.number)`.",
        bad=play("let f = lambda x: x + 1"), good="definitions: |\n  def f(x: int) -> int: return x + 1\n" + play('announce "{f(1)}"'),
        help="write a `def`",
    ),
    Entry(
        "P022", "&&", "`&&` is not a word of the language", "Conditions are joined with the words `and`, `or` and `not`, as in a rulebook."
        " They bind as one reads them: `not` first, then `and`, then `or`.",
        bad=play("if players.size > 1 && players.size < 4:\n    pass"), good=play("if players.size > 1 and players.size < 4:\n    pass"),
        help="write `and`",
    ),
    Entry(
        "P023", "||", "`||` is not a word of the language", "Conditions are joined with the words `and`, `or` and `not`, as in a rulebook."
        " They bind as one reads them: `not` first, then `and`, then `or`.",
        bad=play("if players.size == 2 || players.size == 4:\n    pass"), good=play("if players.size == 2 or players.size == 4:\n    pass"),
        help="write `or`",
    ),
    Entry(
        "P024", "++", "there is no `++` or `--`", "A number is changed by a statement of its own, `n += 1` or `n -= 1`, never inside an expression."
        " So it is clear when the number changes, and to what.",
        bad=play("var n = 0\nn++"), good=play("var n = 0\nn += 1\nannounce \"{n}\""),
        help="write `+= 1` or `-= 1`",
    ),
    Entry(
        "P025", "single quotes", "texts stand in double quotes",
        "Rule text knows only double quotes, so that an apostrophe can stand in a text."
        " Single quotes have no meaning outside of a text.",
        bad=play("announce 'the end'"), good=play('announce "the game\'s end"'),
        help='write `"…"`',
    ),
    Entry(
        "P026", "= in a condition", "`=` gives a new value; a condition compares with `==`",
        "One sign assigns, the other compares. A condition changes nothing, so only the second makes sense here.",
        bad=play("if players.size = 2:\n    pass"), good=play("if players.size == 2:\n    pass"),
        help="write `==`",
    ),
    Entry(
        "P027", "f-string", "texts need no letter before the quotation mark",
        "Every text in double quotes may show values in braces. There are no other kinds of text.",
        bad=play('announce f"{players.size} players"'), good=play('announce "{players.size} players"'),
        help="leave out the letter",
    ),
    Entry(
        "P028", "print", "there is no `{word}`",
        'What everybody is to know is said with `announce "…"`, what only some are to know with `tell p that "…"`. Moves, choices and chance are'
        " logged without being asked.",
        bad=play('print "the end"'), good=play('announce "the end"'),
        help='write `announce "…"`',
    ),
    Entry(
        "P029", "percent sign", "the remainder is written `mod`",
        "`7 mod 3` is 1. The result is never negative when the divisor is positive, so `(seat - 1) mod n` goes round a table.",
        bad=play('announce "{7 % 3}"'), good=play('announce "{7 mod 3}"'),
        help="write `mod`",
    ),
    Entry(
        "P030", "slash", "numbers are whole: division is written `//`",
        "`7 // 2` is 3: the result is rounded down. There are no fractions, because they would differ between computers.",
        bad=play('announce "{7 / 2}"'), good=play('announce "{7 // 2}"'),
        help="write `//`",
    ),
    Entry(
        "P031", "is", "`is` only asks for `none`",
        "Values are compared with `==` and `!=`. `is none` and `is not none` ask whether there is a value at all.",
        bad=play("if players.size is 2:\n    pass"), good=play("if players.size == 2:\n    pass"),
        help="write `==` or `!=`",
    ),
    Entry(
        "P032", "power", "there are no powers",
        "A power could be larger than any limit on numbers. Write the product; for a table of values use a type with columns or a map.",
        bad=play('announce "{3 ** 2}"'), good=play('announce "{3 * 3}"'),
        help="write the product",
    ),
    Entry(
        "P033", "then", "there is no `then`",
        "A condition is followed by a colon, and what happens stands below it or on the same line. As a value a condition is written"
        " `a if condition else b`.",
        bad=play("if players.size == 2 then\n    pass"), good=play("if players.size == 2:\n    pass"),
        help="write `:`",
    ),
    Entry(
        "P034", "else if", "`{word}` is written `elif`",
        "A chain of conditions is `if …:`, any number of `elif …:`, and perhaps `else:`, all in the same column."
        " The first condition that holds decides which block is taken; `else` is taken if none does.",
        bad=play("if players.size == 2:\n    pass\nelse if players.size == 3:\n    pass"),
        good=play("if players.size == 2:\n    pass\nelif players.size == 3:\n    pass"),
        help="write `elif`",
    ),
    Entry(
        "P035", "??", "the value in place of none is given with `otherwise`",
        "`x otherwise y` is the value of `x`, or `y` where `x` is none. Of a list it is the list, or `y` where the list is empty.",
        bad=play('announce "{max(n for n in 1..3) ?? 0}"'), good=play('announce "{max(n for n in 1..players.size if n > 2) otherwise 0}"'),
        help="write `otherwise`",
    ),
    Entry(
        "P036", "probability", "chances are weights",
        "`choose x from xs by chance` gives each value the same chance; `weighing w` gives each its weight, a whole number. There are no fractions"
        " and no percentages: 1 in 6 is the weight 1 beside a weight 5.",
        bad=play('choose n from 1..2 by chance with probability n\nannounce "{n}"'),
        good=play('choose n from 1..2 by chance weighing n\nannounce "{n}"'),
        help="write `by chance weighing …`",
    ),
    Entry(
        "P037", "comparison sign", "there is no comparison sign `{word}`",
        "The signs are `==`, `!=`, `<`, `<=`, `>` and `>=`."
        " Two values are equal (`==`) or not (`!=`); numbers, and the values of an enumeration, also have an order.",
        bad=play("if players.size <> 2:\n    pass"), good=play("if players.size != 2:\n    pass"),
    ),
    Entry(
        "P038", "fraction", "numbers are whole",
        "There are no fractions, because sums of them differ between computers. Count in smaller units: half points become points, and everything"
        " else is doubled.",
        bad=play('announce "{1.5}"'), good=play('announce "{15}"'),
        help="count in smaller units",
    ),
    Entry(
        "P039", "semicolon", "a line ends a statement: there is no `;`",
        "Each statement stands on a line of its own."
        " Where a block has only one short statement, it may stand behind the colon: `if n == 0: return`.",
        bad=play("pass; pass"), good=play("pass\npass"),
        help="use a line for each statement",
    ),
    Entry(
        "P045", "choice as a value", "a choice is a statement, not a value",
        "A choice stands on a line of its own, and its name is known in the lines that follow: `choose n from 1..3 by p`, not"
        " `let n = choose …`. So a reader sees each place where the game waits for somebody.",
        bad=play("let n = choose 1..3"),
        good=play('choose n from 1..3 by players.first\nannounce "{n}"'),
        help="write `choose x from … by …` on a line of its own",
    ),
    Entry(
        "P046", "move from", "`move` takes no `from`",
        "A component is always in exactly one zone, so where it comes from need not be said: `move c to z`. To take the top of a pile, use"
        " `draw 1 from deck to hand[p]`.",
        bad="components:\n  Card: {count: 3}\nzones:\n  deck: {holds: Card, order: pile, start: all}\n  hand: {holds: Card}\n"
        + play("for c in deck.list:\n    move c from deck to hand"),
        good="components:\n  Card: {count: 3}\nzones:\n  deck: {holds: Card, order: pile, start: all}\n  hand: {holds: Card}\n"
        + play("for c in deck.list:\n    move c to hand"),
        help="leave out `from …`; the top cards of a pile are drawn: `draw n from …`",
    ),
    Entry(
        "P047", "exclamation mark", "`!` does not negate a condition",
        "`not x` turns a condition round. An exclamation mark stands after a value: `x!` insists that an optional value is there.",
        bad=play("if !players.empty:\n    pass"), good=play("if not players.empty:\n    pass"),
        help="write `not`",
    ),
    Entry(
        "P051", "format in a text", "a text shows values as they are: there are no formats",
        "Between the braces of a text stands an expression and nothing else. Widths, conversions and the like are the business of whatever shows"
        " the text.",
        bad=play('announce "{players.size:>10}"'), good=play('announce "{players.size}"'),
        help="leave out what follows the expression",
    ),
    Entry(
        "P053", "== in a statement", "`==` compares; a new value is given with `=`",
        "One sign assigns, the other compares. A comparison on a line of its own would change nothing.",
        bad="state:\n  round: 0..9 = 0 seen by everybody\n" + play("round == 1"),
        good="state:\n  round: 0..9 = 0 seen by everybody\n" + play("round = 1"),
        help="write `=`",
    ),
    Entry(
        "P059", "choice with if", "a choice has no `if`: what may be chosen is said with `where`",
        "`where c` leaves the elements for which `c` is true. `only if` on a line below does the same, with words for whoever asks why"
        " something is not offered.",
        bad=play('choose n from 1..9 by players.first if n > 2\nannounce "{n}"'),
        good=play('choose n from 1..9 by players.first where n > 2\nannounce "{n}"'),
        help="write `where`",
    ),
    Entry(
        "P061", "texts joined", "texts cannot be joined with `+`",
        "A text shows values where braces stand in it: `\"{p} has {score[p]}\"`.",
        bad=play('announce "players: " + players.size'), good=play('announce "players: {players.size}"'),
        help='write one text with the value in braces: `"… {{value}} …"`',
    ),
)
