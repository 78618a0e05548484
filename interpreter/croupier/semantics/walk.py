"""Walks over the typed tree: the statements, expressions and operands of a program, and which procedures can
run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from croupier.kernel import types as t
from croupier.kernel.facts import Leaves
from croupier.kernel.tree import (
    CallExpr,
    LocalExpr,
    MenuStmt,
    MutableExpr,
    OpenStmt,
    OriginalExpr,
    PlaceStmt,
    ShuffleStmt,
    StateExpr,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
)
from croupier.semantics.procedures import Hook, Proc
from croupier.semantics.program import Program, Sight, VarDef, ZoneDef

K = TypeVar("K", int, str)


def bodies(program: Program) -> Iterator[tuple[Proc, TypedStmt]]:
    """Every statement of every procedure."""
    for proc in program.procs:
        for s in statements(proc.body):
            yield proc, s


def shuffled_zones(program: Program) -> frozenset[str]:
    """The zones and families that a statement shuffles; all of them where one shuffles what only play
    tells.
    """
    named = [s.args[0] for _, s in bodies(program) if isinstance(s, ShuffleStmt)]
    if all(isinstance(x, ZoneExpr) for x in named):
        return frozenset(x.name for x in named if isinstance(x, ZoneExpr))
    return frozenset(program.zones)


def expressions(program: Program) -> Iterator[TypedExpr]:
    """Every expression of a program, as a whole: of statements, hooks, watchers, declarations and
    invariants.
    """
    for _, s in bodies(program):
        yield from s.reads()
    for h in program.hooks:
        yield from of_hook(h)
    yield from standing(program)


def of_hook(h: Hook) -> list[TypedExpr]:
    """The expressions of a hook outside its body: what it listens to, its condition and its words."""
    return given(h.guard, h.label, h.told, *(a.fixed for a in h.args))


def standing(program: Program) -> Iterator[TypedExpr]:
    """The expressions that hold throughout: of watchers, declarations, invariants, policies and measures."""
    for w in program.watchers:
        yield w.value
    for zone in program.zones.values():
        yield from (
            x for x in (zone.capacity, zone.seen_by, zone.counted_by, zone.start) if isinstance(x, TypedExpr)
        )
    yield from (sight.condition for _, _, sight in sights(program))
    for words in (*(z.words for z in program.zones.values()), *(v.words for v in program.vars.values())):
        if words is not None:
            yield words.text
    for record in program.records.values():
        yield from (words.text for words in (record.shown_as, record.sign) if words is not None)
    for claim in program.claims:
        yield from given(claim.says, claim.condition)
    for board in program.boards.values():
        yield from board.cell_values.values()
    for k in program.classes.values():
        yield from given(k.label, k.back, k.copies)
    for _, x, _, _ in program.invariants:
        yield x
    for policy in program.policies.values():
        yield from (weight.value for weight in policy.weights)
    for measure in program.measures.values():
        yield measure.value


def sights(program: Program) -> Iterator[tuple[str, ZoneDef | VarDef, Sight]]:
    """Every audience by the position: of what it is (`zone`, `count` or `state`), of which declared thing."""
    for zone in program.zones.values():
        if zone.sight is not None:
            yield "zone", zone, zone.sight
        if zone.count_sight is not None:
            yield "count", zone, zone.count_sight
    for variable in program.vars.values():
        if variable.sight is not None:
            yield "state", variable, variable.sight


# ---------------------------------------------------------------- parts
def given(*xs: TypedExpr | None) -> list[TypedExpr]:
    """Those of some expressions that are there."""
    return [x for x in xs if x is not None]


def locals_in(xs: Iterable[TypedExpr]) -> set[int]:
    """The slots of the locals among some expressions."""
    return {x.slot for x in xs if isinstance(x, LocalExpr)}


def state_in(xs: Iterable[TypedExpr]) -> set[str]:
    """The variables of the state among some expressions."""
    return {x.name for x in xs if isinstance(x, StateExpr)}


def bound_in(x: TypedExpr) -> set[int]:
    """The locals that comprehensions in an expression fill in themselves."""
    return {slot for y in x.walk() for slot in y.binds()}


def names_any(x: TypedExpr, slots: Collection[int]) -> bool:
    """Tell whether an expression names one of some locals."""
    return not locals_in(x.walk()).isdisjoint(slots)


# ---------------------------------------------------------------- types
def inside(kind: t.Type) -> Iterator[t.Type]:
    """A type and those that its values hold."""
    while True:
        yield kind
        if isinstance(kind, t.Map):
            yield kind.key
            kind = kind.value
        elif isinstance(kind, (t.Optional, t.Collection)):
            kind = kind.base
        else:
            return


def types_in(kind: t.Type, program: Program) -> Iterator[t.Type]:
    """A type and those that its values hold, the fields of records included."""
    for part in inside(kind):
        yield part
        if isinstance(part, t.Record):
            for of in program.records[part.name].fields.values():
                yield from types_in(of, program)


def with_locals(x: TypedExpr, values: dict[int, TypedExpr]) -> TypedExpr:
    """The expression with other expressions for some locals."""
    if isinstance(x, LocalExpr) and x.slot in values:
        return values[x.slot]
    return replace(x, args=tuple(with_locals(a, values) for a in x.args)) if x.args and values else x


class FrameChange:
    """Expressions of one frame in another one: locals get slots there as they are met, but for those that are
    `given` as expressions.
    """

    def __init__(self, of: Proc, to: Proc, given: dict[int, TypedExpr]) -> None:
        self.of, self.to = of, to
        self.slots = {i: -2 - i for i in given}  # for now: numbers that no frame has
        self.given = {self.slots[i]: x for i, x in given.items()}

    def slot(self, i: int) -> int:
        """The slot in the other frame."""
        if i not in self.slots:
            self.slots[i] = self.to.slot(self.of.slots[i], self.of.slot_types[i])
        return self.slots[i]

    def expression(self, x: TypedExpr) -> TypedExpr:
        """The expression in the other frame."""
        for i in sorted(locals_in(x.walk()) | bound_in(x)):
            self.slot(i)
        return with_locals(x.in_slots(self.slots), self.given)


def rewritten(
    block: list[TypedStmt],
    rule: Callable[[TypedStmt, list[TypedStmt]], None],
    enters: Callable[[TypedStmt], bool] = lambda s: True,
) -> list[TypedStmt]:
    """A block with other statements in place of some. The rule is given each statement, the blocks of which
    are rewritten already where it `enters` them, and what stands before it now; there it adds what takes its
    place.
    """
    out: list[TypedStmt] = []
    for s in block:
        inside = (rewritten(b, rule, enters) for b in s.blocks)
        rule(replace(s, blocks=tuple(inside)) if s.blocks and enters(s) else s, out)
    return out


def all_of(x: TypedExpr) -> Iterator[TypedExpr]:
    """The parts of a condition that must all hold."""
    if x.op == "and":
        yield from (y for a in x.args for y in all_of(a))
    else:
        yield x


def bounds(x: TypedExpr | None) -> t.Int:
    """The bounds of a number; of anything else none."""
    return x.type if x is not None and isinstance(x.type, t.Int) else t.INT


def fixed_number(x: TypedExpr | None) -> int | None:
    """The number that an expression is in every position; `None` if it may be several, or is none."""
    low, high = bounds(x).low, bounds(x).high
    return low if low == high else None


def statements(block: list[TypedStmt]) -> Iterator[TypedStmt]:
    """Every statement of a block, those inside of others too."""
    for s in block:
        yield from s.walk()


def parts(body: Iterable[TypedStmt]) -> Iterator[TypedExpr]:
    """Every expression that statements evaluate themselves, with its parts."""
    return (x for s in body for whole in s.reads() for x in whole.walk())


def exits(block: list[TypedStmt], *, is_in_loop: bool = False) -> Iterator[TypedStmt]:
    """The statements with which control leaves a block before its end, and the game goes on."""
    for s in block:
        leaves = s.facts.leaves
        if leaves is Leaves.PROCEDURE or (leaves in (Leaves.LOOP, Leaves.ROUND) and not is_in_loop):
            yield s
        for inner in s.blocks:
            yield from exits(inner, is_in_loop=is_in_loop or s.FACTS.loops)


def statement_call(s: TypedStmt) -> CallExpr | None:
    """The call of one of the ruleset's definitions that this statement makes as a whole, if it does."""
    if not s.FACTS.calls or not s.args:
        return None
    x = s.args[-1]
    if x.op == "bound" and len(x.args) == 1:
        x = x.args[0]
    return x if isinstance(x, CallExpr) else None


def phase_of(program: Program, s: TypedStmt) -> Proc | None:
    """The phase that a statement between phases runs; `None` if it is a group of phases."""
    call = statement_call(s)
    proc = None if call is None else program.procs[call.proc]
    return proc if proc is not None and proc.kind == "phase" else None


def writes_state(s: TypedStmt) -> bool:
    """Tell whether a statement writes a variable of the state, or an attribute of a component."""
    return isinstance(s, PlaceStmt) and isinstance(s.root, (StateExpr, MutableExpr))


def given_back(program: Program, s: TypedStmt) -> Iterator[TypedExpr]:
    """The arguments that calls in a statement are given for `var` parameters."""
    for x in parts((s,)):
        if isinstance(x, CallExpr):
            yield from (a for a, q in zip(x.args, program.procs[x.proc].params, strict=False) if q.var)


def may_be_written(program: Program, s: TypedStmt) -> Iterator[TypedExpr]:
    """The places that a statement, or what it calls or opens, may give another value."""
    if s.target is not None:
        yield s.target
    if isinstance(s, OpenStmt):
        yield from s.args
    if isinstance(s, MenuStmt):
        yield from s.menu.window_args
    yield from given_back(program, s)


# ---------------------------------------------------------------- which procedures a game can ever run
def reached(program: Program) -> set[int]:
    """The indices of the procedures that can run."""
    return reached_from(program, _starts(program))


def _starts(program: Program) -> list[int]:
    """The indices of the procedures that run without being called, or are called by what holds throughout."""
    run = [p.index for p in program.procs if p.kind not in ("def", "window", "hook")]
    return run + called(standing(program))


def never_run(program: Program) -> set[int]:
    """The indices of the procedures that never run because a hook always takes the place of something: of
    them, or of what would call them.
    """
    replaced, starts = _always_replaced(program), _starts(program)
    return replaced | (reached_from(program, starts) - reached_from(program, starts, replaced))


def _always_replaced(program: Program) -> set[int]:
    """The procedures whose place an `instead of` takes whatever is asked for, and which it does not run as
    its `original`.
    """
    found: set[int] = set()
    for hook in program.hooks:
        is_for_every_call = (
            hook.guard is None and hook.component is None and all(a.fixed is None for a in hook.args)
        )
        if hook.kind != "instead" or not is_for_every_call:
            continue
        if not any(isinstance(x, OriginalExpr) for x in parts(statements(hook.proc.body))):
            earlier = [
                h
                for h in program.hooks[: hook.index]
                if h.kind == "instead" and h.target == hook.target and h.component is None
            ]
            found |= {hook.target, *(h.proc.index for h in earlier)}
    return found


def reached_from(program: Program, indices: Iterable[int], idle: Collection[int] = ()) -> set[int]:
    """The indices of these procedures and of all that can run because they do; the bodies of those in `idle`
    do not run.
    """

    def runs(index: int) -> Iterator[int]:
        if index not in idle:
            yield from run_by(statements(program.procs[index].body))
        for h in program.hooks:
            if h.target == index:
                yield h.proc.index
                yield from called(of_hook(h))

    return closure(indices, runs)


def meanwhile(program: Program, loop: TypedStmt) -> list[TypedStmt]:
    """The statements that may run while a loop does: its own, those of what it calls or opens, and those of
    all that watches.
    """
    inside = list(loop.walk())
    others = reached_from(program, [*run_by(inside), *(w.proc.index for w in program.watchers)])
    return inside + [s for i in others for s in statements(program.procs[i].body)]


def closure(starts: Iterable[K], steps: Callable[[K], Iterable[K]]) -> set[K]:
    """Return these numbers or names, and all to which steps lead from them."""
    todo = list(starts)
    found: set[K] = set()
    while todo:
        at = todo.pop()
        if at not in found:
            found.add(at)
            todo += steps(at)
    return found


def run_by(block: Iterable[TypedStmt]) -> list[int]:
    """The procedures that statements call, and the windows that they open."""
    inside = list(block)
    return called(x for s in inside for x in s.reads()) + [s.opens for s in inside if s.opens is not None]


def called(xs: Iterable[TypedExpr]) -> list[int]:
    """The procedures that expressions call."""
    return [y.proc for x in xs for y in x.walk() if isinstance(y, CallExpr)]


def finishes(whole: Iterable[TypedStmt]) -> bool:
    """Tell whether a `finish` is among some statements."""
    return any(s.facts.leaves is Leaves.GAME for s in whole)
