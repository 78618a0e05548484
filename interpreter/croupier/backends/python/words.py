"""Small parts of expressions in Python, and what may be said of operations whatever they stand in."""

from __future__ import annotations

import re

from croupier.backends.facts import Facts
from croupier.semantics import types as t


def is_written_out(text: str) -> bool:
    """Is this a value in digits or a tuple of them: surely not none?"""
    return re.fullmatch(r"\(?-?\d+\)?|\((\d+, ?)+\d*\)|True|False", text) is not None


def listed(texts: list[str]) -> str:
    """A tuple of these."""
    return "(" + ", ".join(texts) + ("," if len(texts) == 1 else "") + ")"


def changes(kind: t.Type, facts: Facts) -> bool:
    """May the words for a value of this type change in play?"""
    match kind:
        case t.Component():
            return bool(kind.kinds & set(facts.game.labels))
        case t.Optional() | t.Collection():
            return changes(kind.base, facts)
        case t.Map():
            return changes(kind.key, facts) or changes(kind.value, facts)
        case t.Record():
            return any(changes(k, facts) for k in facts.program.records[kind.name].fields.values())
    return False
