"""Decisions that never have an option, conditions that are always the same, watchers on what never changes.

Proves: the source of the choice is empty, or too small, in every position; the condition has one value for every value of its parts, by constants
and by the bounds of numbers; the conditions on an item leave no number of its range, or not this element of a list that is written out; the bounds of
a range cross for a value that the type of a parameter allows, where no parameter has a condition and nothing around the choice asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.semantics import types as t
from croupier.semantics.lints.parametric import by_parameter
from croupier.semantics.lints.walk import bodies, most, no_number, truth, with_value
from croupier.semantics.program import Program
from croupier.semantics.tree import Choice, MenuData, MenuOption, S, X

CHANGES = ("state", "mutable", "zone", "zone_at", "call", "unknown", "component.owner")


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """Choices and menus without options; conditions without a question."""
    found: list[Diagnostic] = []
    for _, s in bodies(program):
        empty = _empty(program, s)
        found += [empty] if empty is not None else [*_settled(s), *_idle(program, s)]
    found += by_parameter(program)
    for w in program.watchers:
        if w.value.op != "const" and not any(x.op in CHANGES for x in w.value.walk()):
            found.append(diagnose("L022", w.value.span))
    return found


def _empty(program: Program, s: S) -> Diagnostic | None:
    if s.op == "choose":
        c: Choice = s.data[0]
        conditions = [x for x in (c.where, *(q.value for q in c.conditions)) if x is not None]
        never = [x for x in conditions if truth(x) is False or no_number(c.base, c.item, [x])]
        if not never and no_number(c.base, c.item, conditions):
            never = conditions
        size = 0 if never else most(c.source, program)
        needed = c.low.type.low if c.low is not None and isinstance(c.low.type, t.Int) else 1
        if size is not None and size < (needed or 0):
            none = f"nothing that meets the {'conditions' if len(never) > 1 else 'condition'}" if never else "nothing to choose from"
            why = none if size == 0 else f"no more than {size} to choose from, and at least {needed} are needed"
            return diagnose("L020", c.source.span, why=why, labels=[Label(x.span, "nothing here meets this") for x in never])
    elif s.op == "menu":
        d: MenuData = s.data
        if d.window is None and d.options and all(_never(program, o) for o in d.options):
            return diagnose("L020", s.span, why="no option that is ever allowed")
    return None


def _never(program: Program, option: MenuOption) -> list[Label]:
    """What keeps an option from ever being chosen."""
    conditions = [x for x in (option.condition, *(q.value for q in option.conditions)) if x is not None]
    never = [Label(x.span, "this is always false") for x in conditions if truth(x) is False]
    return never + [Label(x.span, "there is nothing in this") for x in option.sources if most(x, program) == 0]


def _idle(program: Program, s: S) -> Iterator[Diagnostic]:
    """Options that can never be chosen: of a menu, and elements of a list that is written out."""
    if s.op == "menu":
        reasons = ((o, _never(program, o)) for o in s.data.options)
        yield from (diagnose("L024", o.label.span, labels=labels) for o, labels in reasons if labels)
    elif s.op == "choose":
        c: Choice = s.data[0]
        conditions = [x for x in (c.where, *(q.value for q in c.conditions)) if x is not None]
        if c.source.op == "list" and not c.many:
            for element in c.source.args:
                if element.op in ("const", "enum"):
                    never = [Label(x.span, "this is false of it") for x in conditions if truth(with_value(x, c.item, element)) is False]
                    yield from (diagnose("L024", element.span, labels=never) for _ in never[:1])


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
        for o in s.data.options:  # one that is never true is told of the option
            yield from (x for x in (o.condition, *(q.value for q in o.conditions)) if x is not None and truth(x) is not False)
