"""Watchers, which run after each write until nothing changes, and invariants, which must hold before each
action.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, and_, const, eq, not_
from croupier.core.operations import Local
from croupier.core.types import Function, Memory
from croupier.core.walk import statements
from croupier.lowering.compare import equal
from croupier.lowering.context import Context, Ref
from croupier.lowering.costs import pay_for
from croupier.lowering.operands import value, word
from croupier.lowering.shapes import encoded, width
from croupier.lowering.statements import block
from croupier.semantics.call_effects import reads_of
from croupier.semantics.procedures import Watcher

INVARIANTS = "invariants"


def find(c: Context) -> None:
    """Collect the watchers that read each variable and each zone."""
    program = c.game.program
    for i, watcher in enumerate(program.watchers):
        names, zones, everything = reads_of(program, watcher.value)
        for v in program.vars.values():
            if everything or v.name in names:
                c.watch_vars[v.index] = (*c.watch_vars.get(v.index, ()), i)
        for p in c.game.zones:
            if everything or p.family in zones:
                c.watch_zones[p.number] = (*c.watch_zones.get(p.number, ()), i)
    if program.watchers:
        c.core.memories["dirty"] = Memory("dirty", len(program.watchers), (0,) * len(program.watchers))
        c.core.memories["watching"] = Memory("watching", 1, (0,))
        if c.supposes:
            c.core.memories["supposing"] = Memory("supposing", 1, (0,))
        c.core.functions["notice"] = Function("notice", (), 0, (), ())
        for i, watcher in enumerate(program.watchers):
            if watcher.kind != "end":
                shape = c.shape(watcher.value.type)
                c.core.memories[f"seen{i}"] = Memory(f"seen{i}", width(shape), encoded(None, shape))


def write(c: Context) -> None:
    """Write the function that runs watchers, and the one that initializes them."""
    program = c.game.program
    if not program.watchers:
        return
    for i, watcher in enumerate(program.watchers):
        _write_one(c, i, watcher)
    n = len(program.watchers)
    with c.define("notice"):
        w = c.w
        if _set_nobody_off(c):
            for i in range(n):
                with w.where(eq(op.Load("dirty", const(i)), TRUE)):
                    w.store("dirty", const(i), FALSE)
                    w.emit(op.Call(f"look{i}", ()))
        else:
            _until_quiet(c)
    _write_start(c)


def _until_quiet(c: Context) -> None:
    """Run watchers until nothing changes; those that see no end fail."""
    w, watchers = c.w, c.game.program.watchers
    n, more = const(len(watchers)), w.fresh()
    w.when(eq(op.Load("watching", FALSE), TRUE), lambda: w.emit(op.Return()))
    w.store("watching", FALSE, TRUE)
    todo = w.array(len(watchers))
    w.set(more, TRUE)
    with w.count(FALSE, add(n, const(2))):
        w.set(more, FALSE)
        with w.count(FALSE, n) as k:
            w.store(todo, k, op.Load("dirty", k))
            w.when(eq(op.Load("dirty", k), TRUE), lambda: w.set(more, TRUE))
            w.store("dirty", k, FALSE)
        w.leave_if(eq(Local(more), FALSE))
        for i, watcher in enumerate(watchers):
            asked = eq(op.Load(todo, const(i)), TRUE)
            if watcher.kind == "end" and c.supposes:
                asked = and_(asked, eq(op.Load("supposing", FALSE), FALSE))
            with w.where(asked):
                w.emit(op.Call(f"look{i}", ()))
    with w.count(FALSE, n) as k:
        w.guard(eq(op.Load("dirty", k), FALSE))
    w.store("watching", FALSE, FALSE)


def _set_nobody_off(c: Context) -> bool:
    """Return whether no watcher can trigger another one; then each runs once."""
    bodies = [c.core.functions[f"look{i}"].body for i in range(len(c.game.program.watchers))]
    return not c.supposes and not any(
        isinstance(s, op.Call) or isinstance(s, op.Store) and s.memory == "dirty"
        for body in bodies
        for s in statements(body)
    )


def _write_one(c: Context, i: int, watcher: Watcher) -> None:
    proc = watcher.proc
    with c.define(f"look{i}", proc=proc) as body:
        w = body.w
        body.leave = lambda v: w.emit(op.Return())
        pay_for(c, [watcher.value], 2)
        if watcher.kind == "end":
            w.when(word(c, watcher.value), lambda: block(c, proc.body))
        else:
            found = c.once(value(c, watcher.value))
            shape = c.shape(watcher.value.type)
            seen = Ref(f"seen{i}", FALSE, shape)
            with w.where(not_(equal(c, found, c.load(seen)))):
                if watcher.before is not None:
                    c.bind(watcher.before, c.load(seen), shape)
                c.put(found, seen)
                if watcher.slot is not None:
                    c.bind(watcher.slot, found, shape)
                block(c, proc.body)


def _write_start(c: Context) -> None:
    with c.define("first_look") as body:
        if c.supposes:
            body.w.store("watching", FALSE, TRUE)
        for i, watcher in enumerate(c.game.program.watchers):
            if watcher.kind != "end":
                body.proc = watcher.proc
                body.env = {}
                c.put(value(c, watcher.value), Ref(f"seen{i}", FALSE, c.shape(watcher.value.type)))
        if c.supposes:
            body.w.store("watching", FALSE, FALSE)
    c.core.start = "first_look"


# ---------------------------------------------------------------- invariants
def write_invariants(c: Context) -> None:
    """Write the function `invariants`, called before each action and at the end of the game.

    It fails if one does not hold.
    """
    with c.define(INVARIANTS, exported=True) as body:
        for _, test, proc, _ in c.game.program.invariants:
            body.proc, body.env = proc, {}
            pay_for(c, [test], 2)
            body.w.guard(word(c, test))
        body.w.emit(op.Return())
