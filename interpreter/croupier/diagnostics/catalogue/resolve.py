"""Codes V: what a ruleset takes from other files - the base it extends, its tables, its rule list.

V0xx  names and files (paths that lead elsewhere have codes X)       V1xx  what a variant says        V2xx  tables and rule lists
"""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

_VARIANT = "croupier: 1\nextends: ../ruleset.yaml\n"
_REPLACE = "The sections of a variant replace what the ruleset that it extends declares, by the same name. What is new stands under `add`."

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "V001", "unknown ruleset", "there is no ruleset `{name}`",
        "A shipped ruleset is named by the folder it lies in, its variant by RULESET/VARIANT; anything else by a path, which starts from the folder"
        " of the file that names it. So a variant in `my_game/variants/` extends `../ruleset.yaml`; on the command line the folder `my_game` is"
        " a path too, and `my_game/short_game` is its variant.",
        bad="croupier: 1\nextends: no_such_game\n", good=_VARIANT,
    ),
    Entry(
        "V002", "wrong kind of file", "`{name}` is not {wanted}",
        "`extends` names a YAML file or a shipped ruleset; `table` names a CSV or YAML file, `rule_list` a CSV file.",
        bad="croupier: 1\nextends: cards.csv\n", good=_VARIANT,
        help="name a file that ends in `{suffix}`",
    ),
    Entry(
        "V003", "file of another kind", "this is {what}, not a ruleset",
        "Beside a ruleset lie files that belong to it: scenarios, tables, a rule list; games are saved, and lists of actions written. They hold no"
        " rules, so nothing can be played from them alone: name the ruleset, or the command that takes such a file.",
        bad="croupier: 1\nscenarios:\n  - id: A\n", good="croupier: 1\nruleset: a\ntitle: A\nplayers: 2\nphases:\n  play: finish draw\n",
        help="name the ruleset",
    ),
    # ------------------------------------------------------------ variants
    Entry(
        "V101", "extends itself", "this file extends itself",
        "A variant is built on another file.",
        bad="croupier: 1\nextends: variant.yaml\n", good=_VARIANT,
        help="name the ruleset that it is a variant of",
    ),
    Entry(
        "V102", "variants in a circle", "this leads back to a file that extends it: {chain}",
        "A variant may extend another variant; the chain has to end with a ruleset that stands on its own.",
        bad="croupier: 1\nextends: another_variant.yaml\n", good=_VARIANT,
        help="let one of them extend the ruleset itself",
    ),
    Entry(
        "V103", "unknown parameter", "`{name}` is not a parameter of the ruleset",
        "`set` gives parameters of the ruleset another default.",
        bad=_VARIANT + "set: {no_such_parameter: 1}\n", good=_VARIANT + "set: {rounds: 1}\n",
    ),
    Entry(
        "V104", "nothing of that name to replace", "{section} of the ruleset has no `{name}`",
        _REPLACE,
        bad=_VARIANT + "zones:\n  no_such_zone: {holds: Card}\n", good=_VARIANT + "zones:\n  deck: {holds: Card, order: pile}\n",
    ),
    Entry(
        "V105", "there already", "{section} of the ruleset has `{name}` already",
        "Under `add` stands what the ruleset does not have yet. To change something that it has, write it in the section of the file itself.",
        bad=_VARIANT + "add:\n  zones:\n    deck: {holds: Card}\n", good=_VARIANT + "zones:\n  deck: {holds: Card}\n",
    ),
    Entry(
        "V106", "type not kept", "`{name}` is {wanted} in the ruleset, not {given}",
        "What replaces something keeps its type, because all rules that use it were written for that type. Bounds and capacities may differ:"
        " `0..99` may replace `0..9`. Something of another type is something new: add it under another name, and replace the rules that use it.",
        bad=_VARIANT + "state:\n  leader: 1..4 = 1\n", good=_VARIANT + "state:\n  leader: Player = players.last\n",
        help="keep the type, or add something of another name",
    ),
    Entry(
        "V107", "long chain of variants", "more than {limit} variants extend each other",
        "Each variant in a chain is read on top of the one before, and so has a reader to. The number of them is limited, and so is the number of"
        " those that are combined.",
        help="extend a ruleset that stands nearer to the base",
    ),
    Entry(
        "V108", "variants of different rulesets", "`{first}` and `{second}` are not variants of one ruleset",
        "Variants that are combined are laid over one ruleset, one after another. Each has to lead to that ruleset, itself or by what it extends.",
        bad="croupier: 1\nextends: [short_game.yaml, other_game.yaml]\n", good="croupier: 1\nextends: [short_game.yaml, open_hands.yaml]\n",
        help="combine variants of one ruleset only",
    ),
    Entry(
        "V109", "variants in conflict", "`{first}` and `{second}` both change {what}",
        "Variants can be combined if they change different things. Where two of them change the same thing, the second would undo the first without"
        " a word. Of two variants of which one extends the other that is meant, and no conflict.",
        bad="croupier: 1\nextends: [short_game.yaml, long_game.yaml]\n", good="croupier: 1\nextends: [short_game.yaml, open_hands.yaml]\n",
        help="let one of them extend the other, or take one of them alone",
    ),
    Entry(
        "V110", "no such parts", "`{name}` has no {what}, so it has no {part}",
        "`rows` are those of a component with a `table`; `values` are those of an enumeration. What is made otherwise is replaced as a whole:"
        " under `components` or `types`.",
        bad=_VARIANT + "rows:\n  Card:\n    - {id: a, colour: red}\n", good=_VARIANT + "rows:\n  Piece:\n    - {id: a, colour: blue}\n",
        help="declare `{name}` anew, as a whole, under `{section}:` of the variant",
    ),
    Entry(
        "V111", "row without an id", "this row names no `id`, so it cannot be told which one it replaces",
        "A row is found by its `id`. The cells that it names are replaced, the others stay as they are.",
        bad=_VARIANT + "rows:\n  Piece:\n    - {colour: blue}\n", good=_VARIANT + "rows:\n  Piece:\n    - {id: a, colour: blue}\n",
        help="add `id: …`",
    ),
    Entry(
        "V112", "unknown variant", "there is no variant `{name}` of this ruleset",
        "A parameter switches variants on by their names: the file `variants/short_game.yaml` of the ruleset's folder, or `short_game.yaml` beside"
        " the ruleset, is called `short_game`. Such a file extends the ruleset that declares the parameter.",
        bad=_VARIANT + "add:\n  parameters:\n    short: {type: bool, default: false, variants: {true: no_such_variant}}\n",
        good=_VARIANT + "add:\n  parameters:\n    short: {type: bool, default: false, variants: {true: short_game}}\n",
    ),
    Entry(
        "V113", "switch changed by what it switches", "`{variant}` changes which variants the parameters switch on",
        "The values of parameters say which variants hold; a variant that holds because of them cannot change that again. It may set the parameter"
        " that switches it on to the value that does so.",
        help="leave the parameters with `variants` as they are",
    ),
    Entry(
        "V114", "setting that a variant excludes", "{setting} cannot be set in `{variant}`",
        "A value of a parameter switches another variant on, and this variant changes the same thing or does not go with it. The game is refused when"
        " somebody sets that value. Whoever takes the parameter out, or refuses the value by a condition (`valid`), says so to players too.",
        severity="warning", help="take the parameter out (`remove: {{parameters: [{names}]}}`), or let the two change different things",
    ),
    # ------------------------------------------------------------ tables and rule lists
    Entry(
        "V201", "column that is no name", "`{name}` cannot name a column",
        "Each column of a component's table is named like an attribute: a letter, followed by letters, digits and `_`.",
        bad="my colour,number\nred,1\n", good="colour,number\nred,1\n",
        help="use letters, digits and `_`, beginning with a letter",
    ),
    Entry(
        "V202", "columns of a rule list", "a rule list has the columns `id`, `tag`, `text`, not {found}",
        "A rule list names the rules that a ruleset implements: the id that is cited, a tag, and one line that says the rule.",
        bad="id,text\nAB-1,first rule\n", good="id,tag,text\nAB-1,rule,first rule\n",
        help="begin the file with the line `id,tag,text`",
    ),
    Entry(
        "V203", "rule listed twice", "the rule `{name}` is listed twice",
        "Each id stands for one rule.",
        bad="id,tag,text\nAB-1,rule,one\nAB-1,rule,two\n", good="id,tag,text\nAB-1,rule,one\nAB-2,rule,two\n",
        help="remove one, or give it another id",
    ),
    Entry(
        "V204", "id of a rule not understood", "`{name}` is not the id of a rule",
        "The id of a rule is capital letters, a hyphen and a number, so that rule text can cite it.",
        bad="id,tag,text\nfirst,rule,one\n", good="id,tag,text\nAB-1,rule,one\n",
        help="write an id like `AB-4`",
    ),
    Entry(
        "V205", "table without rows", "the table `{name}` has no rows",
        "A table that is named for a component has a line for each kind of piece.",
        bad="id,colour\n", good="id,colour\na,red\n",
        help="add rows below the line with the names of the columns",
    ),
)  # fmt: skip
