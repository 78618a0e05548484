"""The types that a replacement has to keep.

Two types are compatible if they differ in bounds and capacities only: most rules for `0..9` are right for
`0..99`, and the checker finds the others. Texts that cannot be parsed are compatible: their mistakes are
reported elsewhere.
"""

from __future__ import annotations

from croupier.diagnostics import Diagnostic, Label, Span, diagnose
from croupier.schema import (
    Alias,
    Board,
    Component,
    Enumeration,
    Parameter,
    RecordType,
    StateVariable,
    Text,
    Zone,
)
from croupier.syntax import nodes as n
from croupier.syntax import parse_declaration

NUMBER = "number"


def check_compatible(name: Text, new: object, old: object) -> Diagnostic | None:
    """The diagnostic for a replacement of another type, at its type, with a label at the base's type."""
    mine, theirs = _kind(new), _kind(old)
    if mine is None or theirs is None or mine[0] == theirs[0]:
        return None
    labels = (Label(theirs[2], "the type to keep"),)
    return diagnose("V106", mine[2], labels=labels, name=name.text, wanted=theirs[1], given=mine[1])


def declared_names(thing: object) -> set[str]:
    """The names that a declaration gives to rules besides its own: values, fields, words, attributes, ids,
    cells.
    """
    match thing:
        case Enumeration():
            return {value.name.text for value in thing.values} | {name.text for name, _ in thing.attributes}
        case RecordType():
            return {name.text for name, _ in thing.record}
        case Parameter():
            return {word.text for word in thing.one_of or ()}
        case Component():
            rows = () if thing.table is None else thing.table.rows
            ids = {row.id.text for row in rows if row.id is not None} | {id.text for id in thing.ids or ()}
            return ids | {name.text for name, _ in (*thing.attributes, *thing.mutable)}
        case Board():
            return {cell.text for cell in thing.cell_names}
    return set()


def _kind(thing: object) -> tuple[object, str, Span] | None:
    """A type to compare, in words, and where it stands."""
    match thing:
        case Zone():
            per = "" if thing.per is None else f" per {thing.per.text}"
            return (
                (frozenset(thing.holds.text.split(" or ")), per),
                f"a zone of {thing.holds.text}{per}",
                thing.holds.span,
            )
        case StateVariable():
            text = thing.declaration or thing.type
            return None if text is None else written_type(text)
        case Parameter():
            if thing.one_of is not None:
                return "one_of", "one of some words", thing.one_of[0].span
            return None if thing.type is None else written_type(thing.type)
        case Enumeration():
            return "values", "a choice of names", thing.span
        case RecordType():
            return "record", "a record", thing.span
        case Alias():
            return written_type(thing.type)
    return None


def written_type(text: Text) -> tuple[object, str, Span] | None:
    """Return the shape, the words and the span of a written type; `None` for one that cannot be parsed."""
    declared, _ = parse_declaration(text.rule)
    if declared is None:
        return None
    return shape(declared.type), f"`{declared.type.span.text}`", declared.type.span


def shape(kind: n.TypeExpr) -> object:
    """Return what two types must have in common."""
    match kind:
        case n.TypeName(name=name):
            return NUMBER if name == "int" else name
        case n.RangeType():
            return NUMBER
        case n.KindsType(kinds=kinds):
            return frozenset(k.name for k in kinds)
        case n.OptionalType(base=base):
            return "optional", shape(base)
        case n.CollectionType(kind=word, base=base):
            return word, shape(base)
        case n.PerType(value=value, key=key):
            return "per", shape(value), shape(key)
    return kind
