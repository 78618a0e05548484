"""Look-ahead: `so that` blocks, which run only if their condition can be met, and `suppose`, values of a
hypothetical position.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, const, eq, not_
from croupier.core.operations import Local
from croupier.core.rewriting import replace_statements
from croupier.core.types import Function, FunctionParameter
from croupier.core.walk import arrays, expressions, locals_of, sets, statements, writes
from croupier.kernel.tree import SoThatStmt, SupposeStmt, TypedStmt
from croupier.lowering.context import Context, Ref, Trial
from croupier.lowering.operands import value, word
from croupier.lowering.positions import Stored
from croupier.lowering.shapes import TRUTH, Word, width
from croupier.lowering.statements import block, form, guarded_block


def waiting_so_that(c: Context, s: SoThatStmt) -> None:
    """A `so that` block that may wait: its paths are searched before it begins, and at each decision inside
    it.
    """
    w, within, slot = c.w, s.within, s.slot
    active, name = Local(f"s{slot}"), f"b{slot}"
    c.body.where[slot] = Stored(active.name, TRUTH)

    def judge() -> None:
        w.when(not_(word(c, s.args[0])), lambda: w.emit(op.DeadEnd()))
        w.emit(op.Reached(slot))

    def end() -> None:
        def inside() -> None:
            w.set(active.name, const(op.NONE))
            w.when(op.Searching(), judge)

        w.when(eq(active, TRUE), inside)

    def body() -> None:
        guarded_block(c, s.blocks[0], end)

    w.emit(op.Ahead(name, active.name, slot, within or 0, w.block(body)))
    w.when(eq(Local(name), FALSE), lambda: block(c, s.blocks[1]))


def nothing_to_choose(c: Context, other: list[TypedStmt] | None) -> None:
    """Write the code for an ask without candidates: a block instead. Without one it is a dead end of a
    look-ahead, and otherwise the game is stuck.
    """
    if other is not None:
        block(c, other)
        return
    if c.looks_ahead:
        c.w.when(op.Searching(), lambda: c.w.emit(op.DeadEnd()))
    c.w.emit(op.Fail())


@form(SoThatStmt)
def _so_that(c: Context, s: SoThatStmt) -> None:
    if s.suspends:
        waiting_so_that(c, s)
        return
    w, name = c.w, c.w.fresh()
    held = dict(c.body.env)
    trial, call = as_function(c, s)
    test = w.fresh()
    more = w.block(lambda: w.set(test, word(c, s.args[0])))
    c.body.env = held
    w.emit(op.Try(name, (call, *more), Local(test)))

    def do() -> None:
        w.emit(call)
        for k, (way, _) in enumerate(trial.ways):
            w.when(eq(Local(trial.left), const(k + 1)), way)

    w.when(eq(Local(name), TRUE), do, lambda: block(c, s.blocks[1]))


def as_function(c: Context, s: SoThatStmt) -> tuple[Trial, op.Call]:
    """The block of a `so that` as a function, whose parameters and results are the locals that it reads and
    writes; and its call.
    """
    w, outer = c.w, c.body.trial
    around = {f"s{slot}" for slot in (*c.body.env, *c.body.where)}
    names, rooms = w.names, dict(w.memories)
    trial = c.body.trial = Trial(len(c.body.loops), len(c.body.exits), w.fresh("left"))
    body = w.block(lambda: block(c, s.blocks[0]))
    c.body.trial = outer
    values = [found for _, found in trial.ways if found is not None]
    used = {n for v in values for n in locals_of(v.at if isinstance(v, Ref) else v)} - {trial.left}

    def is_outside(name: str) -> bool:
        _, _, number = name.partition("_")
        return int(number) <= names if number.isdecimal() else name in around or not name[1:].isdecimal()

    changed = {n for t in statements(body) for n in sets(t)} - {trial.left}
    read = {n for t in statements(body) for e in expressions(t) for n in locals_of(e)}
    results = sorted(n for n in changed if n in used or is_outside(n))
    given = sorted(n for n in changed | read if is_outside(n))
    sizes = {r.memory: width(r.shape) for r in c.body.env.values() if isinstance(r, Ref)} | {
        m.name: m.size for m in w.memories.values()
    }
    mine = arrays(body) - c.core.memories.keys()
    inside = {n for n in mine if n in w.memories and n not in rooms} - {
        v.memory for v in values if isinstance(v, Ref)
    }
    taken, written = sorted(mine - inside), {n for t in statements(body) for n in writes(t, c.core)}
    back = (Local(trial.left), *map(Local, results))
    made = tuple(w.memories.pop(n) for n in sorted(inside))
    f = Function(
        f"try{len(c.core.functions)}",
        (
            *map(FunctionParameter, given),
            *(FunctionParameter(n, sizes[n], gives=n in written) for n in taken),
        ),
        len(back),
        made,
        (
            *(op.Set(n, const(0)) for n in (trial.left, *sorted(used - set(given)))),
            *replace_statements(body, lambda s: (op.Return(back),) if isinstance(s, op.Return) else (s,)),
            op.Return(back),
        ),
    )
    c.core.functions[f.name] = f
    passed: tuple[op.Expression | op.Array, ...] = (
        *map(Local, given),
        *(op.Array(n, const(0)) for n in taken),
    )
    return trial, op.Call(f.name, passed, (trial.left, *results))


@form(SupposeStmt)
def _suppose(c: Context, s: SupposeStmt) -> None:
    w, name, shape = c.w, c.w.fresh(), c.shape(c.body.proc.slot_types[s.slot])  # type: ignore[union-attr]
    into = name if isinstance(shape, Word) else c.room(shape)

    def body() -> None:
        if c.game.program.watchers:
            w.store("supposing", FALSE, TRUE)
        block(c, s.blocks[0])
        c.put(value(c, s.args[0]), into) if isinstance(into, Ref) else w.set(into, word(c, s.args[0]))

    inner = w.block(body)
    keeps, last = ((into.memory,), TRUE) if isinstance(into, Ref) else ((), Local(into))
    w.emit(op.Try(w.fresh() if keeps else name, inner, last, keeps, counted=False))
    c.body.env[s.slot] = into if isinstance(into, Ref) else Local(name)
