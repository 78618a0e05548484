"""Words of the language that nothing can be called, because the name could never be used as it is meant.

Most words of the grammar may be names: where a name is needed, they are read as one. These are the exceptions; a test compares them with the
grammar.
"""

from __future__ import annotations

VALUES = frozenset({"false", "none", "not", "true"})
"""What stands for a value, or before one: in an expression they are never read as a name."""
TYPES = VALUES | {"Audience", "Direction", "Player", "bag", "bool", "int", "list", "set", "text", "zone"}
"""What begins a type: nothing else is read where a type stands."""
STATEMENTS = frozenset(
    "add announce break case choose claim continue draw finish for if let match may move only open option pass remove repeat return reveal roll"
    " secretly show shuffle so swap tell var".split()
)
"""What begins a statement: a line that begins so is never read as an assignment or a call of that name."""
EVERYWHERE = VALUES | {"players", "bool", "int", "Player", "text"}


def is_reserved(name: str, kind: str) -> bool:
    """May nothing of this kind be called so? Kinds: those of declarations; `value` an id, a cell, a value of an enumeration; `changing` a local or a
    definition whose name begins a line."""
    match kind:
        case "value":
            return name in VALUES
        case "changing" | "state":
            return name in STATEMENTS or name in EVERYWHERE
        case "type" | "component":
            return name in TYPES or name in EVERYWHERE
    return name in EVERYWHERE
