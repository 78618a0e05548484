"""Calls with hooks around them: `before`, what stands instead of the call, `adjust`, `after`.

Which hooks of a stage run is settled when the stage begins: a list of rows — hook, component, owner, key of
its zone — in the order of the language. They are run one after another, each with the arguments as those
before it left them. Where only the rules hook, the list is short; what no set-up has is left out.

The reactions of a window are hooks, too: they are numbered one after another, and somebody chooses which of
them runs.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, TRUE, Writer, add, all_of, const, eq, le, lt, mul, not_, sub
from croupier.core.operations import Expression, Local
from croupier.lowering.compare import equal
from croupier.lowering.context import Body, Context, HookRow, Operand, Ref
from croupier.lowering.costs import pay, pay_for
from croupier.lowering.operands import value, word
from croupier.lowering.positions import KnownValue, Several, Stored, Tail, Where
from croupier.lowering.procedures import (
    Called,
    ResumePoint,
    Signature,
    begin,
    call_function,
    call_procedure,
    declared,
    end,
    function_of,
    leave,
    may_wait,
    places,
    signature,
    write_function,
)
from croupier.lowering.shapes import WORD, Fields, Items, Shape, Word, width
from croupier.records import dataclass
from croupier.semantics.procedures import Hook

DISPATCH = -2  # what the evaluator calls the procedure whose frame runs hooks
TARGET, ARGS, STAGE, REST, VALUE = range(5)
BEFORE, CALL, ADJUST, AFTER = range(4)
ROW = Fields((WORD, WORD, WORD, WORD))  # hook, component, owner, key of its zone
KEYS = 5  # words that rows are sorted by
NOBODY = 10**6


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whose power a hook is: a component, its owner, and the key of its zone; `NONE` where there is none."""

    component: Expression
    owner: Expression
    here: Expression


# ---------------------------------------------------------------- which hooks are live
def chain_shape(c: Context, target: int, kind: str) -> Items:
    """The shape of a list with room for all rows of a stage."""
    return Items("list", sum(row.count for row in c.hook_rows.of(target, kind)), ROW)


def each_row(
    c: Context,
    row: HookRow,
    args: list[Operand],
    asked: Expression | None,
    body: Callable[[Bearer, Expression], None],
) -> None:
    """Loops over the live components of a hook that fit a call: `body` gets them, and the number of each
    among its like.

    `asked`: who may react, if that is the question. The guard of an `adjust` is not asked here.
    """
    h, w = row.hook, c.w

    def fits(bearer: Bearer, number: Expression) -> None:
        outer, proc = c.body.env, c.body.proc
        with c.within(_env(h, args, bearer), h.proc), ExitStack() as tests:
            asked_twice = [x for x in (*(a.fixed for a in h.args), h.guard) for _ in range(2)]
            pay_for(c, [x for x in asked_twice if x is not None], 2)
            for a in h.args:
                if a.fixed is not None:
                    tests.enter_context(w.where(equal(c, value(c, a.fixed), args[a.param])))
            if h.guard is not None and h.kind != "adjust":
                tests.enter_context(w.where(word(c, h.guard)))
            with c.within(outer, proc):
                body(bearer, number)

    if not row.components:
        fits(Bearer(NONE, NONE if asked is None else asked, NONE), const(row.first))
        return

    def one(i: Expression) -> None:
        component = w.temp(c.words(row.components, i))
        z = w.temp(op.Load("where", component))
        there = w.temp(le(FALSE, z))
        tests: list[Expression] = []
        if not row.anywhere:
            is_live = w.temp(op.Select(there, c.words([int(p.live) for p in c.game.zones], z), NONE))
            tests.append(eq(is_live, TRUE))
        bearer = _bearer(c, component, z, there)
        if h.needs_owner:
            tests.append(not_(eq(bearer.owner, NONE)))
        if h.needs_here:
            tests.append(not_(eq(bearer.here, NONE)))
        if asked is not None:
            tests.append(eq(bearer.owner, asked))
        w.when(all_of(tests), lambda: fits(bearer, add(i, const(row.first))))

    if len(row.components) == 1:
        one(FALSE)
    else:
        with w.count(FALSE, const(len(row.components))) as i:
            one(i)


def _bearer(c: Context, component: Expression, z: Expression, there: Expression) -> Bearer:
    """A component with its owner and the key of its zone, if it is in one."""
    owners = c.words([zone.owner for zone in c.game.zones], z)
    keys = c.words([None if zone.key is None else int(zone.key) for zone in c.game.zones], z)
    return Bearer(component, c.w.temp(op.Select(there, owners, NONE)), c.w.temp(op.Select(there, keys, NONE)))


def _env(
    h: Hook, args: list[Operand], bearer: Bearer, so_far: Operand | None = None, rest: Ref | None = None
) -> dict[int, Operand]:
    """The locals of a hook at its start: `so_far` is the value that it adjusts, `rest` what it runs for
    `original`.
    """
    given: list[tuple[int | None, Operand | None]] = [
        *((a.slot, args[a.param]) for a in h.args),
        (h.self_slot, bearer.component),
        (h.here_slot, bearer.here),
        (h.owner_slot, bearer.owner),
        (h.result_slot, so_far),
        (h.original_slot, rest),
    ]
    return {slot: v for slot, v in given if slot is not None and v is not None}


def collect(c: Context, target: int, kind: str, args: list[Operand], into: Ref) -> None:
    """The rows of a stage, in the order of the language."""
    w = c.w
    assert isinstance(into.shape, Items)
    stride = KEYS + width(ROW)
    rows, n = w.array(max(1, into.shape.most) * stride, "rows"), w.variable(FALSE)
    kinds = list(c.game.kinds)
    found = c.hook_rows.of(target, kind)
    for row in found:

        def note(bearer: Bearer, _: Expression, row: HookRow = row) -> None:
            start = w.temp(mul(Local(n), const(stride)))
            keys: list[Expression] = [FALSE, FALSE, FALSE, FALSE]
            if row.components:
                kind_of = kinds.index(c.game.components[row.components[0]].kind)
                keys = [
                    const(1 + kind_of),
                    op.Select(eq(bearer.owner, NONE), const(NOBODY), bearer.owner),
                    op.Load("where", bearer.component),
                    bearer.component,
                ]
            hook = const(row.hook.index)
            for i, e in enumerate([*keys, hook, hook, bearer.component, bearer.owner, bearer.here]):
                w.store(rows, add(start, const(i)), e)
            w.set(n, add(Local(n), TRUE))

        each_row(c, row, args, None, note)
    if len(found) > 1 or any(len(r.components) > 1 for r in found):
        w.emit(op.Sort(rows, FALSE, Local(n), stride, KEYS))
    w.store(into.memory, FALSE, Local(n))
    size = const(width(ROW))
    with w.count(FALSE, Local(n)) as i:
        row_at = add(mul(i, const(stride)), const(KEYS))
        w.emit(op.Copy(into.memory, add(TRUE, mul(i, size)), rows, row_at, size))


# ---------------------------------------------------------------- hooks as functions
def hook_signature(c: Context, h: Hook) -> Signature:
    """The parameters of a hook: the arguments it names, its component with owner and key of its zone, the
    value so far, the rest of the chain.
    """
    target = c.game.program.procs[h.target]
    s, bound = signature(c, target), h.bound(target)
    given: list[tuple[int | None, Shape | None]] = [
        *((bound.get(slot), shape) for slot, shape in s.takes),
        *((slot, WORD) for slot in (h.self_slot, h.here_slot, h.owner_slot)),
        (h.result_slot, s.value),
        (h.original_slot, chain_shape(c, h.target, "instead")),
    ]
    takes = tuple((slot, shape) for slot, shape in given if slot is not None and shape is not None)
    back = tuple((bound[slot], shape) for slot, shape in s.back if slot in bound)
    return Signature(takes, s.value if h.kind in ("instead", "adjust") else None, back)


def hook_function(c: Context, h: Hook) -> tuple[str, Signature]:
    """The function of a hook, written on first use."""
    name, s = f"k{h.index}", hook_signature(c, h)
    waits = h.proc.effect == "suspends"
    return declared(c, name, s, waits, lambda: write_function(c, h.proc, name, s)), s


def run(
    c: Context,
    h: Hook,
    args: list[Operand],
    bearer: Bearer,
    resume: ResumePoint | None,
    so_far: Operand | None = None,
    rest: Ref | None = None,
) -> tuple[Operand | None, dict[int, Operand]]:
    """Run a hook: its value, and the final values of the arguments that it names, by index.

    `resume` is needed if it may wait.
    """
    name, s = hook_function(c, h)
    pay_for(c, [] if h.guard is None else [h.guard], 4)
    env = _env(h, args, bearer, so_far, rest)
    called = call_function(c, name, s, [env[slot] for slot, _ in s.takes], resume)
    params = {a.slot: a.param for a in h.args if a.slot is not None}
    return called.value, {params[slot]: v for (slot, _), v in zip(s.back, called.back, strict=True)}


def run_row(
    c: Context,
    target: int,
    kind: str,
    chain: Ref,
    at: Expression,
    body: Callable[[Hook, Bearer], None],
) -> None:
    """Dispatch on the hook of a row of a list."""
    w = c.w
    row = c.location(chain, at)
    hook, *bearer = (w.temp(op.Load(row.memory, add(row.at, const(i)))) for i in range(4))
    hooks = [row.hook for row in c.hook_rows.of(target, kind)]
    w.cases([(eq(hook, const(h.index)), partial(body, h, Bearer(*bearer))) for h in hooks])


# ---------------------------------------------------------------- around a call
def entry_of(c: Context, index: int) -> str:
    """The function that a call of a procedure enters: its own, or the one that runs the hooks around it."""
    if index not in c.hooked:
        return function_of(c, index)
    name, proc = f"h{index}", c.game.program.procs[index]
    return declared(c, name, signature(c, proc), may_wait(c, proc), lambda: _write_dispatch(c, index, name))


class Dispatch:
    """The function that runs the hooks around the calls of one procedure."""

    def __init__(self, c: Context, index: int) -> None:
        self.c, self.index = c, index
        self.proc = c.game.program.procs[index]
        self.signature = signature(c, self.proc)
        self.waits = may_wait(c, self.proc)
        self.env: dict[int, Operand] = {}
        self.value: Operand | None = None

    def begin(self) -> None:
        """Copy the arguments to locals, as hooks may change `var` arguments."""
        pay(self.c, 2)
        begin(self.c, self.signature, self.env, copies=True)
        s = self.signature.value
        if s is not None:
            self.value = Local("value") if isinstance(s, Word) else self.c.array("value", s)

    @property
    def args(self) -> list[Operand]:
        """The arguments, as the hooks so far have left them."""
        return list(self.env.values())

    def resume_point(self, stage: int, rest: Where | None) -> ResumePoint | None:
        """The frame map of a step."""
        if not self.waits:
            return None
        slots: list[tuple[int, Where]] = [
            (TARGET, KnownValue(self.index)),
            (ARGS, Several(tuple(place for _, place in places(self.signature, self.env)))),
            (STAGE, KnownValue(stage)),
        ]
        if rest is not None:
            slots.append((REST, rest))
        if stage >= ADJUST and self.signature.value is not None:
            slots.append((VALUE, Stored("value", self.signature.value)))
        return self.c.map(DISPATCH, 0, slots)

    def take(self, value: Operand | None, changed: dict[int, Operand]) -> None:
        """Take the value of the call or a hook, if it has one, and what either made of the arguments."""
        for i, v in changed.items():
            self.c.assign(v, self.args[i])
        if self.value is not None and value is not None:
            self.c.assign(value, self.value)

    def chain(self, name: str, kind: str) -> Ref:
        """The rows of a stage, in an array of this name."""
        found = self.c.array(name, chain_shape(self.c, self.index, kind))
        collect(self.c, self.index, kind, self.args, found)
        return found

    def stage(self, kind: str, stage: int) -> None:
        """The hooks of a stage, one after another."""
        c, w = self.c, self.c.w
        if not c.hook_rows.of(self.index, kind):
            return
        chain, at = self.chain(f"{kind}_rows", kind), f"{kind}_at"
        w.set(at, FALSE)
        rest = Tail(chain.memory, chain.shape, at)
        with w.forever():
            w.leave_if(le(c.length(chain), Local(at)))
            pay(c, 1)
            here_at = w.temp(Local(at))
            w.set(at, add(Local(at), TRUE))
            run_row(c, self.index, kind, chain, here_at, lambda h, bearer: self.one(h, bearer, stage, rest))

    def one(self, h: Hook, bearer: Bearer, stage: int, rest: Where) -> None:
        c, w = self.c, self.c.w

        def go() -> None:
            resume = self.resume_point(stage, rest) if h.proc.effect == "suspends" else None
            self.take(*run(c, h, self.args, bearer, resume, self.value))

        if h.kind != "adjust" or h.guard is None:
            go()
            return
        with c.within(_env(h, self.args, bearer, self.value), h.proc):
            test = w.temp(word(c, h.guard))
        w.when(test, go)

    def main(self) -> None:
        """Run the call, or the `instead of` hooks."""
        resume = self.resume_point(CALL, None)
        chain = self.chain("chain", "instead") if self.c.hook_rows.of(self.index, "instead") else None
        run_instead(self.c, self.index, self.args, chain, resume, self.take)


def _write_dispatch(c: Context, index: int, name: str) -> None:
    d = Dispatch(c, index)
    body = Body(Writer(), None, waits=d.waits)
    with c.function(body):
        d.begin()
        d.stage("before", BEFORE)
        pay(c, 2)  # each stage pays for itself: somebody may have waited since the one before
        d.main()
        pay(c, 1)
        d.stage("adjust", ADJUST)
        pay(c, 1)
        d.stage("after", AFTER)
        pay(c, 2)
        body.env = d.env
        end(c, name, lambda: leave(c, d.signature, d.value))


def run_instead(
    c: Context,
    target: int,
    args: list[Operand],
    chain: Ref | None,
    resume: ResumePoint | None,
    done: Callable[[Operand | None, dict[int, Operand]], None],
) -> None:
    """Run the last hook of a chain, with the rest for `original`; with an empty chain or without one, the
    procedure.
    """

    def plain() -> None:
        called = call_procedure(c, function_of(c, target), target, args, resume)
        done(called.value, dict(zip(_var_numbers(c, target), called.back, strict=True)))

    if chain is None:
        plain()
        return
    w = c.w
    n = w.temp(c.length(chain), "n")

    def instead() -> None:
        rest = c.room(chain.shape, "rest")
        w.emit(op.Copy(rest.memory, FALSE, chain.memory, chain.at, const(width(chain.shape))))
        w.store(rest.memory, FALSE, sub(n, TRUE))

        def one(h: Hook, bearer: Bearer) -> None:
            done(*run(c, h, args, bearer, resume, rest=rest))

        run_row(c, target, "instead", chain, sub(n, TRUE), one)

    w.when(eq(n, FALSE), plain, instead)


def _var_numbers(c: Context, index: int) -> list[int]:
    """The numbers of the `var` parameters of a procedure."""
    return [i for i, q in enumerate(c.game.program.procs[index].params) if q.var]


def original(c: Context, target: int, args: list[Operand], point: int | None) -> Called:
    """`original(…)` in an `instead of`: the rest of the chain."""
    body = c.body
    assert body.proc is not None
    s = signature(c, c.game.program.procs[target])
    chain = body.env[body.proc.slots.index("$original")]
    assert isinstance(chain, Ref)
    resume = c.frame_map(point) if point is not None else None
    out = None if s.value is None else c.place(s.value)
    back: list[Operand] = []
    numbers = _var_numbers(c, target)
    for (_, shape), i in zip(s.back, numbers, strict=True):
        back.append(c.place(shape))
        c.assign(args[i], back[-1])

    def done(v: Operand | None, changed: dict[int, Operand]) -> None:
        if out is not None and v is not None:
            c.assign(v, out)
        for location, i in zip(back, numbers, strict=True):
            if i in changed:
                c.assign(changed[i], location)

    run_instead(c, target, args, chain, resume, done)
    return Called(out, tuple(back))


# ---------------------------------------------------------------- reactions
class Reactions:
    """The reactions of a window: each has a number, one for each component whose power it is."""

    def __init__(self, c: Context, window: int) -> None:
        self.c, self.rows = c, c.hook_rows.of(window, "reaction")
        self.count = sum(row.count for row in self.rows)

    def each(self, args: list[Operand], seat: Expression, body: Callable[[Expression], None]) -> None:
        """Loop over the numbers of the reactions that a seat has."""
        for row in self.rows:
            each_row(self.c, row, args, seat, lambda _, number: body(number))

    def use(
        self,
        number: Expression,
        args: list[Operand],
        seat: Expression,
        resume: ResumePoint,
        done: Callable[[dict[int, Operand]], None],
    ) -> None:
        """Run the reaction with a number; `done` gets the final values of the arguments that it names."""

        def react(row: HookRow) -> None:
            _, changed = run(self.c, row.hook, args, self.bearer(row, number, seat), resume)
            done(changed)

        self.c.w.cases([(lt(number, const(row.first + row.count)), partial(react, row)) for row in self.rows])

    def bearer(self, row: HookRow, number: Expression, seat: Expression) -> Bearer:
        """Whose power a reaction is."""
        c, w = self.c, self.c.w
        if not row.components:
            return Bearer(NONE, seat, NONE)
        component = w.temp(c.words(row.components, sub(number, const(row.first))))
        z = w.temp(op.Load("where", component))
        return _bearer(c, component, z, le(FALSE, z))
