"""Codes V: what a ruleset takes from other files - the base it extends, its tables, its rule list.

V0xx  names and files (paths that lead elsewhere have codes X)       V1xx  what a variant says        V2xx  tables and rule lists
"""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

_VARIANT = "croupier: 1\nextends: ruleset.yaml\n"
_ONLY_REPLACE = "A variant sets parameters and replaces what the ruleset that it extends declares, by the same name."

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "V001", "unknown ruleset", "there is no ruleset `{name}`",
        "A ruleset is named by the folder it lies in, a variant by RULESET/VARIANT; or a path is given.",
        bad="croupier: 1\nextends: no_such_game\n", good=_VARIANT,
    ),
    Entry(
        "V002", "wrong kind of file", "`{name}` is not {wanted}",
        "`extends` names a YAML file or a shipped ruleset; `table` and `rule_list` name CSV files.",
        bad="croupier: 1\nextends: cards.csv\n", good=_VARIANT,
        help="name a file that ends in `{suffix}`",
    ),
    # ------------------------------------------------------------ variants
    Entry(
        "V101", "extends itself", "this file extends itself",
        "A variant is built on another file.",
        bad="croupier: 1\nextends: variant.yaml\n", good=_VARIANT,
        help="name the ruleset that it is a variant of",
    ),
    Entry(
        "V102", "variant of a variant", "`{name}` is a variant itself",
        "A variant extends a ruleset that stands on its own: one level, so that a reader has two files to look at and no more.",
        bad="croupier: 1\nextends: another_variant.yaml\n", good=_VARIANT,
        help="extend the ruleset that `{name}` extends, and repeat what is needed",
    ),
    Entry(
        "V103", "unknown parameter", "`{name}` is not a parameter of the ruleset",
        "`set` gives parameters of the ruleset another default.",
        bad=_VARIANT + "set: {no_such_parameter: 1}\n", good=_VARIANT + "set: {rounds: 1}\n",
    ),
    Entry(
        "V104", "nothing of that name to replace", "{section} of the ruleset has no `{name}`",
        _ONLY_REPLACE,
        bad=_VARIANT + "zones:\n  no_such_zone: {holds: Card}\n", good=_VARIANT + "zones:\n  deck: {holds: Card, order: pile}\n",
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
