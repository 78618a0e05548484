"""Codes Y: the text is not YAML, or uses a part of YAML that rulesets do without.

Y0xx  the text cannot be read as YAML        Y1xx  parts of YAML that are refused
Y2xx  limits of size                         Y3xx  keys, values and rule text
"""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

_ONE_ERROR = "Reading stops at the first such mistake, because everything after it could be misread."

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "Y001", "not YAML", "{problem}",
        f"The text does not follow the grammar of YAML at this place. {_ONE_ERROR}",
        bad="--- players: 2\n", good="---\nplayers: 2\n",
    ),
    Entry(
        "Y002", "tab instead of spaces", "a tab stands where YAML needs spaces",
        f"YAML is indented with spaces only: a tab has no agreed width. {_ONE_ERROR}",
        bad="zones:\n\tdeck: {holds: Card}\n", good="zones:\n  deck: {holds: Card}\n",
        help="replace the tab with spaces",
    ),
    Entry(
        "Y003", "second colon on a line", "a second `: ` on one line",
        "In YAML a colon and a space separate a key from its value, so plain text cannot hold them. Text in quotes and blocks can.",
        bad="title: Traders: the game\n", good='title: "Traders: the game"\n',
        help='put the text in quotes, or rule text in a block after `|`',
    ),
    Entry(
        "Y004", "bracket never closed", "`{opened}` is never closed",
        f"A list in `[ ]` or a mapping in braces lasts until its closing bracket, over any number of lines. {_ONE_ERROR}",
        bad="players: [2, 4\n", good="players: [2, 4]\n",
        help="add `{closing}`",
    ),
    Entry(
        "Y005", "quote never closed", "the text that begins with this quote never ends",
        f"Text in quotes lasts until the same quote comes again. {_ONE_ERROR}",
        bad='title: "Traders\n', good='title: "Traders"\n',
        help="add the closing quote",
    ),
    Entry(
        "Y006", "indentation does not fit", "this does not line up with what stands above it",
        f"Keys of one mapping begin in one column, and so do the dashes of one list. {_ONE_ERROR}",
        bad="zones:\n    deck: {holds: Card}\n  hand: {holds: Card}\n", good="zones:\n  deck: {holds: Card}\n  hand: {holds: Card}\n",
        help="indent it like the lines it belongs to",
    ),
    Entry(
        "Y007", "character not allowed", "the character {character} is not allowed here",
        "Control characters, separators that only some programs take for line ends, and characters that change the direction of the"
        " text around them are refused anywhere in a ruleset: what a reader sees must be what the program reads.",
        bad='title: "ab\u202ecd"\n', good='title: "abcd"\n',
        help="remove it",
    ),
    Entry(
        "Y008", "key without a colon", "this line has no `:` after its key",
        f"Among the keys of a mapping every entry is a key, a colon, a space and a value. {_ONE_ERROR}",
        bad="players: 2\ntitle\nruleset: chess\n", good="players: 2\ntitle: Chess\nruleset: chess\n",
        help="write `key: value`",
    ),
    Entry(
        "Y009", "unknown escape", "`{escape}` is not an escape that YAML knows",
        "In text between double quotes a backslash begins an escape. Text between single quotes has no escapes.",
        bad='title: "a\\qb"\n', good="title: 'a\\qb'\n",
        help="double the backslash, or use single quotes",
    ),
    Entry(
        "Y010", "plain text cannot begin so", "plain text cannot begin with {character}",
        "The signs `@`, `` ` ``, `%`, `,`, `&`, `*`, `!`, `|`, `>`, brackets and quotes mean something else at the beginning of a value.",
        bad="title: @home\n", good='title: "@home"\n',
        help="put the text in quotes",
    ),
    Entry(
        "Y011", "list item out of place", "a list item cannot stand here",
        "A dash and a space begin an item of a list, in a line of its own. A list cannot begin behind a key in the same line.",
        bad="players: - 2\n", good="players:\n  - 2\n",
        help="put the dash on a line of its own below the key",
    ),
    Entry(
        "Y012", "block header is wrong", "after `{style}` only `+`, `-`, a digit from 1 to 9 and a comment may stand on the line",
        "Text in a block begins on the line after the sign.",
        bad="scoring: | rank players\n", good="scoring: |\n  rank players\n",
        help="begin the text on the next line",
    ),
    Entry(
        "Y013", "spaces in blank lines of a block", "a blank line before the text of this block has spaces that do not fit the text's indentation",
        "The first line of a block that holds text sets the indentation. Blank lines before it may have no more spaces than that, and"
        " no more than the first of them.",
        bad="scoring: |\n      \n  rank players\n", good="scoring: |\n\n  rank players\n",
        help="remove the spaces of the blank lines",
    ),
    Entry(
        "Y014", "key among list items", "a key cannot stand among the items of a list",
        f"Below a dash only dashes in the same column and lines indented more go on with the list. {_ONE_ERROR}",
        bad="parts:\n  - a\n  title: b\n", good="parts:\n  - a\ntitle: b\n",
        help="indent it more to belong to the item above, or less to end the list",
    ),
    Entry(
        "Y015", "text after a closing quote", "text goes on after its closing quote",
        "A value that begins with a quote ends with the same quote. A quote inside is written twice between single quotes, and after a"
        " backslash between double quotes.",
        bad="title: 'the trader's house'\n", good='title: "the trader\'s house"\n',
        help="put the whole value in quotes of the other kind",
    ),
    Entry(
        "Y016", "sign out of place", "`{sign}` cannot stand here",
        "Brackets, braces, commas, colons and question marks are signs of YAML where a value or a key could begin.",
        bad="players: ]\n", good="players: []\n",
        help="remove it, or put the text in quotes if it is part of it",
    ),
    Entry(
        "Y017", "comma missing", "a comma is missing before this",
        "The parts of a list in `[ ]`, and of a mapping in braces, are separated by commas.",
        bad='names: ["a" "b"]\n', good='names: ["a", "b"]\n',
        help="add a comma",
    ),
    Entry(
        "Y018", "key below a value", "this key is indented below a value, and only a key without a value has keys of its own",
        "A key has either a value on its line or keys of its own below it.",
        bad="deck: Card\n  order: pile\n", good="deck:\n  holds: Card\n  order: pile\n",
        help="indent it like the key above, or give the value above a key of its own",
    ),
    Entry(
        "Y019", "colon without a space", "a space is missing after this `:`",
        "A colon ends a key only before a space or the end of a line; `players:2` is one word.",
        bad="ruleset: chess\nplayers:2\n", good="ruleset: chess\nplayers: 2\n",
        help="write a space after the colon",
    ),
    Entry(
        "Y020", "empty file", "there is nothing in this file",
        "A file with nothing but blank lines and comments is not a ruleset, a scenario or a table.",
        bad="# soon\n", good="croupier: 1\n",
    ),
    Entry(
        "Y021", "sign of a block forgotten", "rule text stands below `{key}`, but there is no `|` behind it",
        "Rule text of several lines, or with a colon in it, stands in a block: the key, a colon, `|`, and the lines below it, indented. Without the"
        " sign YAML takes the lines for keys of its own.",
        bad="play:\n  for p in turns():\n    pass\n", good="play: |\n  for p in turns():\n    pass\n",
        help="write `{key}: |`",
    ),
    Entry(
        "Y022", "expression within brackets", "an expression with brackets or quotes cannot stand between `{opened}` and `{closing}`",
        "Between brackets YAML takes a bracket, and what follows a text in quotes, for the next part of the list. So an expression with brackets"
        " stands on a line of its own: in a list of facts one line for each.",
        bad="facts: [score[Anna] == 30, turn == 2]\n", good="facts:\n  - score[Anna] == 30\n  - turn == 2\n",
        help="write {what}",
    ),
    Entry(
        "Y101", "anchors and aliases", "anchors and aliases (`{name}`) are not used in rulesets",
        "An alias stands for a copy of something written elsewhere; a few lines of them can stand for more than fits into any memory.",
        bad="a: &x [1]\nb: *x\n", good="a: [1]\nb: [1]\n",
        help="write the value out, or put the text in quotes",
    ),
    Entry(
        "Y102", "tag", "tags (`{name}`) are not used in rulesets",
        "A YAML tag asks the program to build an object of its choice. Rulesets hold only text, whole numbers, truth values, lists and mappings.",
        bad="players: !!int 2\n", good="players: 2\n",
        help="remove the tag, or put the text in quotes",
    ),
    Entry(
        "Y103", "merge key", "merge keys (`<<`) are not used in rulesets",
        "A merge key copies the entries of other mappings. A variant file with `extends` is the way to build on something else.",
        bad="zones:\n  <<: {deck: {}}\n", good="zones:\n  deck: {}\n",
        help="write the entries out",
    ),
    Entry(
        "Y104", "several documents", "a second document begins here",
        "A file holds one document. `---` may stand once, before it.",
        bad="croupier: 1\n---\ncroupier: 1\n", good="croupier: 1\n",
        help="put it into a file of its own",
    ),
    Entry(
        "Y105", "directive", "directives (`{name}`) are not used in rulesets",
        "A line that begins with `%` asks for another version of YAML or gives tags other names. Rulesets are YAML 1.2 without tags.",
        bad="%YAML 1.1\n---\ncroupier: 1\n", good="croupier: 1\n",
        help="remove the line",
    ),
    Entry(
        "Y201", "nested too deeply", "lists and mappings are nested more than {limit} deep",
        "The limit keeps every part of the program within known bounds of time and memory.",
        bad="a: " + "[" * 64 + "]" * 64 + "\n", good="a: [[]]\n",
    ),
    Entry(
        "Y202", "too many parts", "the file has more than {limit} keys, values, lists and mappings",
        "The limit keeps every part of the program within known bounds of time and memory. Long tables belong into a CSV file. "
        "Scenarios may be spread over as many files as one likes.",
        help="{instead}",
    ),
    Entry(
        "Y203", "file too large", "the text is {size} bytes long, more than the {limit} that are read",
        "The limit keeps every part of the program within known bounds of time and memory. Long tables belong into a CSV file. "
        "Scenarios may be spread over as many files as one likes.",
        help="{instead}",
    ),
    Entry(
        "Y204", "too many lines", "the file has more than {limit} lines",
        "The limit keeps every part of the program within known bounds of time and memory.",
        help="{instead}",
    ),
    Entry(
        "Y205", "line too long", "this line is longer than {limit} characters",
        "The limit keeps every part of the program within known bounds of time and memory.",
        help="write it on several lines",
    ),
    Entry(
        "Y301", "key given twice", "the key `{name}` is given twice",
        "YAML programs keep one of two equal keys and silently drop the other.",
        bad="players: 2\nplayers: 3\n", good="players: 2\n",
        help="remove one of them, or rename it",
    ),
    Entry(
        "Y302", "key is not a name", "a key has to be a word or a number, not {kind}",
        "Keys of a mapping are plain names. Lists, mappings and blocks of text cannot be keys.",
        bad="[1, 2]: x\n", good="a: x\n",
    ),
    Entry(
        "Y303", "key without a name", "there is no key before this `:`",
        "Every value of a mapping has a key.",
        bad=": 2\n", good="players: 2\n",
        help="write a key before the colon",
    ),
    Entry(
        "Y304", "not a whole number", "`{text}` is not a whole number, and rulesets have no other numbers",
        "Fractions are rounded differently by different machines, so nothing in a ruleset is one. What looks like one (a version, a"
        " chapter) can be written in quotes.",
        bad="limits: {decisions: 1e3}\n", good="limits: {decisions: 1000}\n",
        help="write a whole number, or put it in quotes if it is text",
    ),
    Entry(
        "Y305", "number too large", "the number is outside of -2⁶³..2⁶³-1",
        "Whole numbers have 64 bits.",
        bad="limits: {decisions: 99999999999999999999}\n", good="limits: {decisions: 1000}\n",
    ),
    Entry(
        "Y310", "rule text in quotes", "rule text cannot stand in quotes",
        "Escapes and folded lines in quoted text would make positions in error messages wrong, so rule text stands plain on one line,"
        " or in a block after `|`.",
        bad='scoring: "finish win p"\n', good="scoring: finish win p\n",
        help="remove the quotes, or put the text in a block after `|`",
    ),
    Entry(
        "Y311", "rule text in a folded block", "rule text cannot stand in a folded block (`>`)",
        "A folded block joins its lines, and in rule text lines and their indentation have a meaning.",
        bad="scoring: >\n  finish win p\n", good="scoring: |\n  finish win p\n",
        help="write `|` in place of `>`",
    ),
    Entry(
        "Y312", "plain rule text over several lines", "rule text that is not in a block has to stay on one line",
        "YAML joins the lines of plain text, and in rule text lines and their indentation have a meaning.",
        bad="scoring: finish\n  win p\n", good="scoring: |\n  finish win p\n",
        help="put it on one line, or in a block after `|`",
    ),
    Entry(
        "Y313", "rule text within brackets", "rule text between brackets or braces may hold only names, numbers and `_ . ? + - *`, not `{character}`",
        "Between `[ ]` or `{{ }}` YAML gives commas, colons and brackets a meaning of their own, and cuts rule text in pieces.",
        bad="hand: {holds: Card, capacity: max(2, 3)}\n", good="hand:\n  holds: Card\n  capacity: max(2, 3)\n",
        help="write the entries on lines of their own, without brackets",
    ),
)
