"""Signatures of operations: reading them, and holding the types of slots against them."""

from __future__ import annotations

from functools import cache

from croupier.semantics import types as t
from croupier.semantics.types import Type

CLASSES: dict[str, tuple[type[Type], ...]] = {
    "int": (t.Int,),
    "bool": (t.Bool,),
    "player": (t.Player,),
    "text": (t.Text,),
    "enum": (t.Enum,),
    "comp": (t.Component,),
    "cell": (t.Cell,),
    "record": (t.Record,),
    "zone": (t.Zone,),
    "turns": (t.Endless,),
    "chain": (t.Collection,),
    "ordered": (t.Int, t.Enum),
    "key": (t.Int, t.Enum, t.Bool, t.Collection),
}
Names = dict[str, Type]


@cache
def parts(signature: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The patterns of operands and of results."""
    operands, _, results = signature.partition("->")
    return tuple(operands.split()), tuple(results.split())


def fits_signature(signature: str, args: list[Type], into: list[Type]) -> str | None:
    """What is wrong with operands and results of these types, in words, or none."""
    names: Names = {}
    operands, results = parts(signature)
    return _all(operands, args, names, "operand") or _all(results, into, names, "result")


def _all(patterns: tuple[str, ...], types: list[Type], names: Names, what: str) -> str | None:
    repeated = bool(patterns) and patterns[-1].endswith("*")
    fixed = patterns[:-1] if repeated else patterns
    if len(types) < len(fixed) or (len(types) > len(fixed) and not repeated):
        return f"{len(types)} {what}s where {len(fixed)} belong"
    for i, (pattern, kind) in enumerate(zip(fixed, types, strict=False)):
        if not matches(pattern, kind, names):
            return f"{what} {i + 1} is `{kind}`, not `{pattern}`"
    return None


def matches(pattern: str, kind: Type, names: Names) -> bool:
    """Does a type fit a pattern? Binds the capital letters of the pattern."""
    if isinstance(kind, (t.Never, t.Unknown)):
        return not isinstance(kind, t.Unknown)
    if pattern in CLASSES:
        return isinstance(kind, CLASSES[pattern])
    if pattern.startswith("?"):
        if isinstance(kind, t.Nothing):
            return True
        return matches(pattern[1:], kind.base if isinstance(kind, t.Optional) else kind, names)
    if pattern.startswith("["):
        return isinstance(kind, t.Collection) and matches(pattern[1:-1], kind.base, names)
    if pattern.startswith("{"):
        key, value = pattern[1:-1].split(":")
        return isinstance(kind, t.Map) and matches(key, kind.key, names) and matches(value, kind.value, names)
    known = names.setdefault(pattern, kind)
    names[pattern] = t.join(known, kind) or known
    return related(known, kind)


def related(a: Type, b: Type) -> bool:
    """May values of the two meet: is one promised where the other stands? (Intervals and classes of components need not overlap.)"""
    if isinstance(a, t.Collection) and isinstance(b, t.Collection):
        return related(a.base, b.base)
    if isinstance(a, t.Map) and isinstance(b, t.Map):
        return related(a.key, b.key) and related(a.value, b.value)
    if isinstance(a, t.Optional) and isinstance(b, t.Optional):
        return related(a.base, b.base)
    if type(a) is type(b) and isinstance(a, (t.Int, t.Component)):
        return True
    return t.is_assignable(a, b) or t.is_assignable(b, a)
