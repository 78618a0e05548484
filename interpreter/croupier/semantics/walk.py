"""Walks over the typed tree: the statements, expressions and operands of a program, which procedures can run,
what a condition shows by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from croupier.kernel import types as t
from croupier.kernel.facts import Leaves
from croupier.kernel.tree import (
    CallExpr,
    CompExpr,
    ConstExpr,
    DomainExpr,
    EnumExpr,
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


def of_hook(h: Hook) -> Iterator[TypedExpr]:
    """The expressions of a hook outside its body: what it listens to, its condition and its words."""
    yield from (x for x in (h.guard, h.label, h.told, *(a.fixed for a in h.args)) if x is not None)


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
        yield claim.says
        if claim.condition is not None:
            yield claim.condition
    for board in program.boards.values():
        yield from board.cell_values.values()
    for k in program.classes.values():
        yield from (x for x in (k.label, k.back, k.copies) if x is not None)
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


def bound_in(x: TypedExpr) -> set[int]:
    """The locals that comprehensions in an expression fill in themselves."""
    return {slot for y in x.walk() for slot in y.binds()}


def names_any(x: TypedExpr, slots: Collection[int]) -> bool:
    """Tell whether an expression names one of some locals."""
    return not locals_in(x.walk()).isdisjoint(slots)


# ---------------------------------------------------------------- what is known without playing
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
"""By a comparison the one with its sides changed."""
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
"""By a comparison the one that holds where it does not."""
RELATIONS = {
    "<": frozenset((-1,)), "<=": frozenset((-1, 0)), "==": frozenset((0,)), "!=": frozenset((-1, 1)),
    ">=": frozenset((0, 1)), ">": frozenset((1,)),
}  # fmt: skip
"""By a comparison how the left number may stand to the right one: -1 less, 0 equal, 1 greater."""


def truth(x: TypedExpr) -> bool | None:
    """The value of a condition, if it is the same in every position: constants, and numbers whose bounds lie
    apart.
    """
    match x:
        case ConstExpr():
            return bool(x.value) if isinstance(x.value, bool) else None
        case TypedExpr(op="not"):
            inner = truth(x.args[0])
            return None if inner is None else not inner
        case TypedExpr(op="and" | "or"):
            left, right = truth(x.args[0]), truth(x.args[1])
            deciding: bool = x.op == "or"
            if left is deciding or right is deciding:
                return deciding
            return left if left is not None and right is not None else None
        case TypedExpr(op="==" | "!=" | "<" | "<=" | ">" | ">="):
            return _compare(x.op, *x.args)
    return None


def _compare(op: str, left: TypedExpr, right: TypedExpr) -> bool | None:
    if isinstance(left, EnumExpr) and isinstance(right, EnumExpr) and op in ("==", "!="):
        same_value = left.details == right.details
        return same_value == (op == "==")
    a, b = left.type, right.type
    if not isinstance(a, t.Int) or not isinstance(b, t.Int):
        return None
    possible = set[int]()
    if a.low is None or b.high is None or a.low < b.high:
        possible.add(-1)
    if a.high is None or b.low is None or a.high > b.low:
        possible.add(1)
    is_apart = (a.high is not None and b.low is not None and a.high < b.low) or (
        a.low is not None and b.high is not None and a.low > b.high
    )
    if not is_apart:
        possible.add(0)
    if possible <= RELATIONS[op]:
        return True
    return False if possible.isdisjoint(RELATIONS[op]) else None


def with_value(x: TypedExpr, slot: int, value: TypedExpr) -> TypedExpr:
    """The expression with a constant for a local; a number has its own bounds."""
    if isinstance(value, ConstExpr) and isinstance(value.value, int) and not isinstance(value.value, bool):
        value = replace(value, type=t.Int(value.value, value.value))
    return with_locals(x, {slot: value})


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


def no_number(base: t.Type, slot: int, conditions: Sequence[TypedExpr]) -> bool:
    """Tell whether the comparisons of an item with other numbers leave none of its range."""
    if not isinstance(base, t.Int):
        return False
    low, high = base.low, base.high
    for x in conditions:
        for y in all_of(x):
            op, other = _compared(y, slot)
            if not isinstance(other, t.Int):
                continue
            if op in ("<", "<=", "==") and other.high is not None:
                limit = other.high - (op == "<")
                high = limit if high is None else min(high, limit)
            if op in (">", ">=", "==") and other.low is not None:
                limit = other.low + (op == ">")
                low = limit if low is None else max(low, limit)
    return (
        low is not None
        and high is not None
        and low > high
        and any(_compared(y, slot)[0] for x in conditions for y in all_of(x))
    )


def all_of(x: TypedExpr) -> Iterator[TypedExpr]:
    """The parts of a condition that must all hold."""
    if x.op == "and":
        yield from (y for a in x.args for y in all_of(a))
    else:
        yield x


def _compared(x: TypedExpr, slot: int) -> tuple[str, t.Type | None]:
    """Return the sign by which an item is compared, and the type of what it is compared with."""
    if x.op == "!=" or x.op not in MIRRORED:
        return "", None
    left, right = x.args
    if isinstance(left, LocalExpr) and left.slot == slot:
        return x.op, right.type
    if isinstance(right, LocalExpr) and right.slot == slot:
        return MIRRORED[x.op], left.type
    return "", None


def bounds(x: TypedExpr | None) -> t.Int:
    """The bounds of a number; of anything else none."""
    return x.type if x is not None and isinstance(x.type, t.Int) else t.INT


def fixed_number(x: TypedExpr | None) -> int | None:
    """The number that an expression is in every position; `None` if it may be several, or is none."""
    low, high = bounds(x).low, bounds(x).high
    return low if low == high else None


def most(x: TypedExpr, program: Program) -> int | None:
    """The largest number of elements that a collection can have, if that is known."""
    match x:
        case TypedExpr(op="list"):
            return len(x.args)
        case TypedExpr(op="range"):
            first, last = bounds(x.args[0]).low, bounds(x.args[1]).high
            if first is not None and last is not None:
                return max(0, last - first + 1)
        case TypedExpr(op="players"):
            return max(program.players)
        case TypedExpr(op="zone_list" | "zone_all" | "zone.list") if isinstance(x.args[0], ZoneExpr):
            return bounds(program.zones[x.args[0].name].capacity).high
        case DomainExpr(op="enum_values"):
            return len(program.enums[x.name].values)
        case CompExpr() if x.name == "list":
            sizes = [most(source, program) for source in x.args[: len(x.slots)]]
            if x.has_condition and truth(x.args[len(x.slots)]) is False:
                return 0
            total = 1
            for size in sizes:
                if size is None:
                    return 0 if 0 in sizes else None
                total *= size
            return total
    return None


def statements(block: list[TypedStmt]) -> Iterator[TypedStmt]:
    """Every statement of a block, those inside of others too."""
    for s in block:
        yield from s.walk()


def parts(body: Iterable[TypedStmt]) -> Iterator[TypedExpr]:
    """Every expression that statements evaluate themselves, with its parts."""
    return (x for s in body for whole in s.reads() for x in whole.walk())


def statement_call(s: TypedStmt) -> CallExpr | None:
    """The call of one of the ruleset's definitions that this statement makes as a whole, if it does."""
    if not s.FACTS.calls or not s.args:
        return None
    x = s.args[-1]
    if x.op == "bound" and len(x.args) == 1:
        x = x.args[0]
    return x if isinstance(x, CallExpr) else None


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


def closure(starts: Iterable[int], steps: Callable[[int], Iterable[int]]) -> set[int]:
    """Return these numbers and all to which steps lead from them."""
    todo = list(starts)
    found: set[int] = set()
    while todo:
        index = todo.pop()
        if index not in found:
            found.add(index)
            todo += steps(index)
    return found


def run_by(block: Iterable[TypedStmt]) -> list[int]:
    """The procedures that statements call, and the windows that they open."""
    inside = list(block)
    return called(x for s in inside for x in s.reads()) + [s.opens for s in inside if s.opens is not None]


def called(xs: Iterable[TypedExpr]) -> list[int]:
    """The procedures that expressions call."""
    return [y.proc for x in xs for y in x.walk() if isinstance(y, CallExpr)]


def finishes(program: Program, procs: Iterable[Proc]) -> bool:
    """Tell whether a `finish` stands in one of these procedures."""
    return any(s.facts.leaves is Leaves.GAME for proc in procs for s in statements(proc.body))
