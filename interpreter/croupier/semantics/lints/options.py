"""Decisions that never have an option, conditions that are always the same, watchers on what never changes.

Proves: the source of the choice is empty, or too small, in every position; the condition has one value for every value of its parts, by constants
and by the bounds of numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, diagnose
from croupier.semantics import types as t
from croupier.semantics.lints.walk import bodies, most, truth
from croupier.semantics.program import Program
from croupier.semantics.tree import Choice, MenuData, S, X

CHANGES = ("state", "mutable", "zone", "zone_at", "call", "unknown", "component.owner")


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """Choices and menus without options; conditions without a question."""
    found: list[Diagnostic] = []
    for _, s in bodies(program):
        empty = _empty(program, s)
        found += [empty] if empty is not None else list(_settled(s))
    for w in program.watchers:
        if w.value.op != "const" and not any(x.op in CHANGES for x in w.value.walk()):
            found.append(diagnose("L022", w.value.span))
    return found


def _empty(program: Program, s: S) -> Diagnostic | None:
    if s.op == "choose":
        c: Choice = s.data[0]
        size = 0 if c.where is not None and truth(c.where) is False else most(c.source, program)
        needed = c.low.type.low if c.low is not None and isinstance(c.low.type, t.Int) else 1
        if size is not None and size < (needed or 0):
            why = "nothing to choose from" if size == 0 else f"only {size} to choose from, and at least {needed} are needed"
            return diagnose("L020", c.source.span, why=why)
    elif s.op == "menu":
        d: MenuData = s.data
        if d.window is None and all(_never(program, o.condition, o.sources) for o in d.options):
            return diagnose("L020", s.span, why="no option that is ever allowed")
    return None


def _never(program: Program, condition: X | None, sources: tuple[X, ...]) -> bool:
    return (condition is not None and truth(condition) is False) or any(most(x, program) == 0 for x in sources)


def _settled(s: S) -> Iterator[Diagnostic]:
    """Conditions with one possible value; one that is written `true` or `false` is meant so."""
    for x in _conditions(s):
        value = truth(x)
        if value is not None and x.op != "const":
            yield diagnose("L021", x.span, value=str(value).lower())


def _conditions(s: S) -> Iterator[X]:
    if s.op in ("if", "repeat"):
        yield from s.args
    elif s.op in ("for", "turns"):
        yield from s.args[1:]
    elif s.op == "choose":
        c: Choice = s.data[0]
        yield from (x for x in (c.where, c.such_that, *(q.value for q in c.conditions)) if x is not None)
    elif s.op == "menu":
        for o in s.data.options:
            yield from (x for x in (o.condition, *(q.value for q in o.conditions)) if x is not None)
