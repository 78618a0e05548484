"""Codes D: a section of a ruleset has the wrong shape.

D0xx  keys and kinds of value        D1xx  what stands in a value        D2xx  tables and lists
"""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

_HEAD = "croupier: 1\nruleset: small\ntitle: Small\nplayers: 2\nphases:\n  play: |\n    finish draw\n"

ENTRIES: tuple[Entry, ...] = (
    # ------------------------------------------------------------ keys and kinds of value
    Entry(
        "D001", "unknown key", "nothing reads the key `{key}`",
        "Every key of a ruleset is read by something. A key that nobody reads is refused, because a misspelt key that is passed over in silence"
        " changes a game without a word.",
        bad=_HEAD + "zone:\n  deck: {holds: Card}\n", good=_HEAD + "zones:\n  deck: {holds: Card}\n",
    ),
    Entry(
        "D002", "missing key", "{place} lacks the key `{key}`",
        "Some keys are needed for the rest to mean anything: a zone says what it holds, a ruleset says its name and its number of players.",
        bad=_HEAD + "zones:\n  deck: {order: pile}\n", good=_HEAD + "zones:\n  deck: {order: pile, holds: Card}\n",
        help="add `{key}: …`",
    ),
    Entry(
        "D003", "wrong kind of value", "{place} takes {wanted}, not {found}",
        "A key takes a text, a number, a list or a group of keys, and the specification says which.",
        bad=_HEAD + "limits:\n  decisions: many\n", good=_HEAD + "limits:\n  decisions: 200\n",
    ),
    Entry(
        "D004", "no value", "{place} has no entries",
        "A key whose value is empty declares nothing. Either something is missing, or the key can go.",
        bad=_HEAD + "types:\n  Colour: []\n", good=_HEAD + "types:\n  Colour: [red, blue]\n",
        help="add an entry, or remove the key",
    ),
    Entry(
        "D005", "keys that exclude each other", "`{key}` cannot stand beside `{other}`",
        "The two keys say the same thing in different ways, so only one of them may be there.",
        bad=_HEAD + "components:\n  Piece: {ids: [a, b], table: pieces.csv}\n", good=_HEAD + "components:\n  Piece: {ids: [a, b]}\n",
        help="keep one of them",
    ),
    Entry(
        "D006", "one of several keys needed", "{place} needs {keys}",
        "The declaration can be written in several ways, and one of them has to be chosen.",
        bad=_HEAD + "parameters:\n  rounds: {doc: how many}\n", good=_HEAD + "parameters:\n  rounds: {type: 1..9, default: 3, doc: how many}\n",
    ),
    Entry(
        "D007", "key without its partner", "`{key}` means nothing without `{other}`",
        "The key only says how another key is to be read, and that other key is not there.",
        bad=_HEAD + "components:\n  Piece: {columns: [id, colour]}\n",
        good=_HEAD + "components:\n  Piece:\n    columns: [id, colour]\n    table: [[a, red], [b, blue]]\n",
        help="add `{other}`, or remove `{key}`",
    ),
    Entry(
        "D008", "not a ruleset", "a ruleset is a group of keys, not {found}",
        "The file holds one YAML mapping: keys such as `ruleset`, `title`, `players`, each with a colon and a value.",
        bad="- croupier\n- ruleset\n", good=_HEAD,
        help="begin with `croupier: 1`, `ruleset: …`, `title: …`",
    ),
    Entry(
        "D009", "another version of the language", "this file is written for version `{version}` of the language; this program reads version {known}",
        "The first key of every file says which version of the language it is written in. A file of another version is not read any"
        " further, because everything in it could mean something else.",
        bad="croupier: 2\n", good=_HEAD,
        help="use a program for version `{version}`, or rewrite the file and say `croupier: {known}`",
    ),
    # ------------------------------------------------------------ what stands in a value
    Entry(
        "D101", "not a name", "`{name}` is not a name",
        "A name is a letter followed by letters, digits and `_`, so that rule text can use it. What players read may be any text and stands in"
        " `title`, `label` and the like.",
        bad=_HEAD + "zones:\n  my-deck: {holds: Card}\n", good=_HEAD + "zones:\n  my_deck: {holds: Card}\n",
        help="use letters, digits and `_`, beginning with a letter",
    ),
    Entry(
        "D102", "name that looks like another", "`{name}` has letters that look like others",
        "Names may have letters of the Latin alphabet, each written as one character. Letters of other alphabets, and letters composed of"
        " several characters, look the same as others on a screen and are different to a program.",
        bad=_HEAD + "zones:\n  d\u0435ck: {holds: Card}\n", good=_HEAD + "zones:\n  deck: {holds: Card}\n",
        help="type the name again with plain letters",
    ),
    Entry(
        "D103", "too long", "this text has {length} characters; {limit} are allowed here",
        "Names have at most 64 characters, lines that are shown to players at most 2000.",
        bad=_HEAD + f"zones:\n  {'deck' * 20}: {{holds: Card}}\n", good=_HEAD + "zones:\n  deck: {holds: Card}\n",
    ),
    Entry(
        "D104", "word that is no choice", "`{word}` is none of the choices for {place}",
        "The key takes one of a few words.",
        bad=_HEAD + "zones:\n  deck: {holds: Card, order: pyle}\n", good=_HEAD + "zones:\n  deck: {holds: Card, order: pile}\n",
    ),
    Entry(
        "D105", "number out of range", "{place} is between {least} and {most}, not `{number}`",
        "The number is outside what the key allows.",
        bad=_HEAD + "limits:\n  decisions: 0\n", good=_HEAD + "limits:\n  decisions: 500\n",
    ),
    Entry(
        "D106", "empty text", "{place} is empty",
        "A text without a character says nothing.",
        bad=_HEAD + "doc: ''\n", good=_HEAD + "doc: a game for two\n",
        help="write the text, or remove the key",
    ),
    Entry(
        "D107", "several lines where one belongs", "{what} stands on one line",
        "Types, short expressions, names and templates stand on one line; statements go into `phases`, `definitions` or `scoring`.",
        bad=_HEAD + "zones:\n  deck:\n    holds: |\n      Card\n      Die\n", good=_HEAD + "zones:\n  deck:\n    holds: Card\n",
    ),
    Entry(
        "D108", "numbers of players not understood", "`{text}` does not say for how many players the game is",
        "The numbers of players are one number, a range or a list of those.",
        bad=_HEAD.replace("players: 2", "players: two to six"), good=_HEAD.replace("players: 2", "players: 2..6"),
        help="write `2`, `2..6` or `[2, 4]`",
    ),
    Entry(
        "D109", "citation not understood", "`{text}` is not a citation",
        "A citation is the id of a rule, or a range of ids: capital letters, a hyphen, a number.",
        bad=_HEAD + "limits:\n  decisions: 10\n  cites: rule 4\n", good=_HEAD + "limits:\n  decisions: 10\n  cites: [AB-4, AB-7..9]\n",
        help="write ids like `AB-4` or ranges like `AB-7..9`, separated by commas",
    ),
    Entry(
        "D110", "escapes in a template", "a template is written as it is read, without escapes",
        "The places of the fields of a template are shown in diagnostics, so its quotes may not hold backslashes or doubled quotes.",
        bad=_HEAD + 'claims:\n  hello: {says: "hello\\x21"}\n', good=_HEAD + 'claims:\n  hello: {says: "hello!"}\n',
        help="write the character itself, or use the other kind of quotes",
    ),
    Entry(
        "D111", "default that is no number of players", "the game is not for {number} players, so that is no default",
        "`default` says how many play where nobody names a number of players, and has to be one of those that the game is for.",
        bad="croupier: 1\nruleset: small\ntitle: Small\nplayers: {range: 2..4, default: 5}\nphases:\n  play: |\n    finish draw\n",
        good="croupier: 1\nruleset: small\ntitle: Small\nplayers: {range: 2..4, default: 4}\nphases:\n  play: |\n    finish draw\n",
        help="it is for {counts}",
    ),
    # ------------------------------------------------------------ tables and lists
    Entry(
        "D201", "twice in one list", "`{name}` stands twice",
        "The entries of this list are names for different things, so none can be there twice.",
        bad=_HEAD + "types:\n  Colour: [red, blue, red]\n", good=_HEAD + "types:\n  Colour: [red, blue]\n",
        help="remove one, or rename it",
    ),
    Entry(
        "D202", "row of the wrong length", "this row has {cells} for {columns}",
        "A row that is written as a list has one cell for each column, in their order.",
        bad=_HEAD + "components:\n  Piece:\n    columns: [id, colour]\n    table:\n      - [a]\n",
        good=_HEAD + "components:\n  Piece:\n    columns: [id, colour]\n    table:\n      - [a, red]\n",
        help="give the row a cell for each column",
    ),
    Entry(
        "D203", "row without columns", "this row is a list, and no `columns` say what its cells are",
        "Rows are groups of keys (`{{id: a, colour: red}}`), or lists whose cells are named once by `columns`.",
        bad=_HEAD + "components:\n  Piece:\n    table:\n      - [a, red]\n",
        good=_HEAD + "components:\n  Piece:\n    columns: [id, colour]\n    table:\n      - [a, red]\n",
        help="add `columns: [id, …]` beside `table`",
    ),
    Entry(
        "D204", "link of more than two cells", "a link joins two cells",
        "Each entry of `links` is a pair of cells that are neighbours.",
        bad=_HEAD + "boards:\n  map:\n    shape: graph\n    cells: [a, b, c]\n    links: [[a, b, c]]\n",
        good=_HEAD + "boards:\n  map:\n    shape: graph\n    cells: [a, b, c]\n    links: [[a, b], [b, c]]\n",
        help="write each pair as a list of its own",
    ),
)  # fmt: skip
