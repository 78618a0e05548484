"""Lints: choices that nobody can make, or not as they are meant."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from croupier.diagnostics import Diagnostic, Label, Span, diagnose
from croupier.kernel.facts import Tells
from croupier.kernel.tree import (
    Choice,
    ChooseStmt,
    CompExpr,
    ConstExpr,
    EmitStmt,
    EnumExpr,
    IfStmt,
    LocalExpr,
    MenuOption,
    MenuStmt,
    ParamExpr,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
    text_parts,
)
from croupier.semantics.lints.loops import read_by
from croupier.semantics.lints.reasons import reason
from croupier.semantics.lints.steps import is_zone_of
from croupier.semantics.program import Program
from croupier.semantics.ranges import Ranges
from croupier.semantics.walk import bodies, bounds, fixed_number, given, parts, phase_of


def find_empty_options(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Decisions that never have an option, conditions that are always the same, watchers on what never
    changes.

    Proves: the source of the choice is empty, or too small, in every position; the condition has one value
    for every value of its parts, by constants and by the bounds of numbers; the conditions on an item leave
    no number of its range, or not this element of a list that is written out; the bounds of a range cross for
    a value that the type of a parameter allows, where no parameter has a condition and nothing around the
    choice asks for it; two options of a menu have the same fixed words, and nothing that keeps one of them
    away.

    Choices and menus without options; conditions without a question.
    """
    ranges = Ranges(program)
    for _, s in bodies(program):
        empty = _empty(ranges, s)
        if empty is not None:
            yield empty
            continue
        yield from _idle_conditions(ranges, s)
        yield from _same_words(s)
    yield from by_parameter(program)
    for w in program.watchers:
        if not isinstance(w.value, ConstExpr) and not read_by(program, w.value):
            yield diagnose("L022", w.value.span)


def _empty(ranges: Ranges, s: TypedStmt) -> Diagnostic | None:
    if isinstance(s, ChooseStmt):
        c: Choice = s.choice
        conditions = given(c.where, *(q.value for q in c.conditions))
        never = [x for x in conditions if ranges.assume(x, True) is None]
        if not never and ranges.assume_all(conditions, True, {}) is None:
            never = conditions
        size = 0 if never else ranges.most(c.source)
        needed = 1 if c.low is None else bounds(c.low).low
        if size is not None and size < (needed or 0):
            none = "nothing to choose from"
            if never:
                none = f"nothing that meets the {'conditions' if len(never) > 1 else 'condition'}"
            why = (
                none if size == 0 else f"no more than {size} to choose from, and at least {needed} are needed"
            )
            labels = [Label(x.span, "nothing here meets this") for x in never]
            return diagnose("L020", c.source.span, why=why, labels=labels)
    elif isinstance(s, MenuStmt) and s.menu.window is None:
        reasons = [_never(ranges, o) for o in s.menu.options]
        if reasons and all(reasons):
            labels = [label for why in reasons for label in why]
            return diagnose("L020", s.span, why="no option that is ever allowed", labels=labels)
    return None


def _same_words(s: TypedStmt) -> Iterator[Diagnostic]:
    """Options that are always offered beside another with the same words; what is walked, asked for or worked
    out in words may tell them apart.
    """
    first: dict[str, Span] = {}
    for o in s.menu.options if isinstance(s, MenuStmt) else ():
        text = "".join(part or "" for part in text_parts(o.label))
        if o.sources or o.condition is not None or o.conditions or None in text_parts(o.label):
            continue
        if text in first:
            yield diagnose("L027", o.label.span, text=text, labels=(Label(first[text], "the other one"),))
        first.setdefault(text, o.label.span)


def _never(ranges: Ranges, option: MenuOption) -> list[Label]:
    """Return labels at what keeps an option from ever being chosen."""
    conditions = given(option.condition, *(q.value for q in option.conditions))
    never = [x for x in conditions if ranges.truth(x) is False]
    empty = [x for x in option.sources if ranges.most(x) == 0]
    return [
        *(label for x in never for label in _never_so(ranges, x)),
        *(Label(x.span, "there is nothing in this") for x in empty),
    ]


def _never_so(ranges: Ranges, x: TypedExpr) -> list[Label]:
    """Labels that say why a condition is always false."""
    why = [label for label in reason(ranges, x, False, {}).labels if label.span != x.span]
    return [Label(x.span, "this is always false"), *why]


def _idle_conditions(ranges: Ranges, s: TypedStmt) -> Iterator[Diagnostic]:
    """Options that can never be chosen: of a menu, and elements of a list that is written out."""
    if isinstance(s, MenuStmt):
        reasons = ((o, _never(ranges, o)) for o in s.menu.options)
        yield from (diagnose("L024", o.label.span, labels=labels) for o, labels in reasons if labels)
    elif isinstance(s, ChooseStmt) and s.choice.source.op == "list" and not s.choice.many:
        c: Choice = s.choice
        conditions = given(c.where, *(q.value for q in c.conditions))
        item = LocalExpr(c.base, c.source.span, slot=c.item)
        for element in c.source.args:
            if isinstance(element, (ConstExpr, EnumExpr)):
                known = ranges.equal(item, element)
                never = [x for x in conditions if ranges.truth(x, known) is False]
                labels = [Label(x.span, "this is false of it") for x in never]
                yield from (diagnose("L024", element.span, labels=labels) for _ in never[:1])


# ---------------------------------------------------------------- bounds that cross
def by_parameter(program: Program) -> Iterator[Diagnostic]:
    """One report for each choice of a phase."""
    if program.main is None or any(p.valid for p in program.params.values()):
        return
    for s, asked in _asked(program.main.body, frozenset()):
        phase = phase_of(program, s)
        for inner, more in _asked(phase.body, asked) if phase is not None else ():
            if isinstance(inner, ChooseStmt):
                yield from _crossing(program, inner, more)


def _asked(block: list[TypedStmt], around: frozenset[str]) -> Iterator[tuple[TypedStmt, frozenset[str]]]:
    """Every statement with the parameters that what stands around and before it asks for."""
    for s in block:
        yield s, around
        here = around | frozenset(x.name for a in s.args for x in a.walk() if isinstance(x, ParamExpr))
        calls = any(x.op == "call" for a in s.args for x in a.walk())
        if not s.FACTS.suspends and not (calls and s.blocks):
            for inner in s.blocks:
                yield from _asked(inner, here)
        if isinstance(s, IfStmt):  # it may have left already
            around = here


def _crossing(program: Program, s: ChooseStmt, asked: frozenset[str]) -> Iterator[Diagnostic]:
    choice = s.choice
    if choice.optional or s.has_other or choice.many or choice.source.op != "range":
        return
    low, high = choice.source.args
    for mine, other in ((low, high), (high, low)):
        number = fixed_number(mine)
        if number is None or not isinstance(other, ParamExpr) or other.name in asked:
            continue
        bound = bounds(other).low if mine is low else bounds(other).high
        if bound is not None and (bound < number if mine is low else bound > number):
            label = Label(program.params[other.name].span, "declared here")
            yield diagnose("L023", other.span, setting=f"`{other.name}` = {bound}", labels=(label,))


# ---------------------------------------------------------------- sets by chance
_WEIGHED = 200_000  # sets and beginnings of sets, as many as the evaluator goes through


def find_large_sets(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Sets that chance chooses, of which there are too many to weigh.

    Proves: the numbers and the size of the source are constants (of a zone: as many components as it can
    hold), and there are then more sets than chance weighs before the game stops with a fault. A source of
    unknown size, `merging` and `such that` are left to the game.

    Choices of several by chance that would stop the game.
    """
    for _, s in bodies(program):
        if isinstance(s, ChooseStmt) and s.choice.many and s.choice.chooser == "chance":
            choice: Choice = s.choice
            size, low, high = _numbers(program, choice)
            if _visited(size, low, high) > _WEIGHED:
                sets = sum(comb(size, k) for k in range(low, high + 1))
                chosen = f"{low if low == high else f'{low}..{high}'} of {size}"
                item = choice.name.removesuffix("s") or choice.name
                yield diagnose(
                    "L026",
                    s.span,
                    sets=f"{sets:,}",
                    chosen=chosen,
                    item=item,
                    source=choice.source.span.text,
                )


def _visited(size: int, low: int, high: int) -> int:
    """Return the number of sets and beginnings of sets that the evaluator goes through to weigh the first
    item.
    """
    whole = sum(comb(size - 1, k - 1) for k in range(max(1, low), high + 1))
    return whole + sum(comb(size - 1 - (low - k), k - 1) for k in range(1, min(low, high + 1)))


def _numbers(program: Program, choice: Choice) -> tuple[int, int, int]:
    """Return the number of things to choose from, and the least and most that are chosen; zeros where that is
    not known, as it is of a part.
    """
    low, high = fixed_number(choice.low), fixed_number(choice.high)
    of_some = any(isinstance(x, CompExpr) and x.has_condition for x in choice.source.walk())
    size = None if of_some else Ranges(program).most(choice.source)
    if size is None or low is None or low > size or choice.merging or choice.such_that is not None:
        return 0, 0, 0
    return size, low, min(size, size if high is None else high)


# ---------------------------------------------------------------- choices among hidden things
UNSEEN = {"nobody": "nobody", "others": "only the others"}  # by audience: who can see it
WHOLE = ("zone_list", "zone_all", "zone.list")


def find_hidden(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Players who choose among things of their own that they do not see.

    Proves: a player chooses from a zone that is their own by its key, nobody or only the others see that
    zone, and no statement of the ruleset shows anything of it to anybody.

    One report for each such choice.
    """
    audiences = {
        z.name: z.seen_by.name
        for z in program.zones.values()
        if isinstance(z.seen_by, EnumExpr) and z.sight is None
    }
    emitting = (s for _, s in bodies(program) if isinstance(s, EmitStmt))
    showing = (s for s in emitting if s.facts.tells is Tells.COMPONENTS)
    shown = {x.name for x in parts(showing) if isinstance(x, ZoneExpr)}
    for _, s in bodies(program):
        if not isinstance(s, ChooseStmt) or s.choice.chooser == "chance":
            continue
        c: Choice = s.choice
        zone = _origin(c.source)
        who = None if zone is None or zone.name in shown else UNSEEN.get(audiences.get(zone.name, ""))
        if zone is None or who is None:
            continue
        if isinstance(c.by, LocalExpr) and is_zone_of(zone, c.by.slot):
            label = Label(program.zones[zone.name].span, "declared here")
            yield diagnose("L032", c.source.span, zone=zone.name, who=who, labels=(label,))


def _origin(x: TypedExpr) -> ZoneExpr | None:
    """The zone of somebody's whose components a collection holds."""
    while x.op in WHOLE:
        x = x.args[0]
    if isinstance(x, CompExpr) and x.name == "list" and len(x.slots) == 1:
        return _origin(x.args[0])
    return x if isinstance(x, ZoneExpr) and x.key is not None else None
