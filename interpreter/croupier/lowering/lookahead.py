"""Looking ahead: blocks that are run when they end as they must, and values of the position after some statements. Both are tried."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, const, eq, not_
from croupier.core.operations import Local
from croupier.core.walk import bodies
from croupier.limits import MAX_TRIED
from croupier.lowering.context import Context, Ref
from croupier.lowering.operands import value, word
from croupier.lowering.positions import InWord
from croupier.lowering.shapes import TRUTH, NotLowered, Word
from croupier.lowering.statements import block, form
from croupier.semantics.tree import SoThatStmt, SupposeStmt


def waiting_so_that(c: Context, s: SoThatStmt) -> None:
    """A block whose ways are looked through before it begins, and at each decision inside of it."""
    w, within, slot = c.w, s.within, s.slot
    active, name = Local(f"s{slot}"), f"b{slot}"
    c.body.where[slot] = InWord(active.name, TRUTH)

    def judge() -> None:
        w.when(not_(word(c, s.args[0])), lambda: w.emit(op.DeadEnd()))
        w.emit(op.Reached(slot))

    def end() -> None:
        def inside() -> None:
            w.set(active.name, const(op.NONE))
            w.when(op.Searching(), judge)

        w.when(eq(active, TRUE), inside)

    def body() -> None:
        c.body.exits.append(end)
        block(c, s.blocks[0])
        c.body.exits.pop()
        if not (w.out and isinstance(w.out[-1], (op.Break, op.Continue, op.Return, op.Finish, op.Fail))):
            end()

    w.emit(op.Ahead(name, active.name, slot, within or 0, w.block(body)))
    w.when(eq(Local(name), FALSE), lambda: block(c, s.blocks[1]))


def stuck(c: Context) -> None:
    """There is nothing to choose: a dead end for who looks ahead; otherwise the game is stuck."""
    if c.looks_ahead:
        c.w.when(op.Searching(), lambda: c.w.emit(op.DeadEnd()))
    c.w.emit(op.Fail())


def own(body: op.Body) -> Iterator[op.Statement]:
    """The statements of a body that stand in no loop inside of it."""
    for s in body:
        yield s
        if not isinstance(s, (op.Loop, op.For, op.Each)):
            for inner in bodies(s):
                yield from own(inner)


@form(SoThatStmt)
def _so_that(c: Context, s: SoThatStmt) -> None:
    if s.suspends:
        waiting_so_that(c, s)
        return
    if c.body.tried == MAX_TRIED:
        raise NotLowered("`so that` so deep in each other", s.span)
    c.body.tried += 1
    w, name = c.w, c.w.fresh()
    held = dict(c.body.env)
    outer, c.body.trial = c.body.trial, len(c.body.loops)
    body = w.block(lambda: block(c, s.blocks[0]))
    c.body.trial = outer
    if any(isinstance(x, op.Break) for x in own(body)):
        body = (op.Loop(body if isinstance(body[-1], op.Break) else (*body, op.Break())),)
    test = w.fresh()
    more = w.block(lambda: w.set(test, word(c, s.args[0])))
    w.emit(op.Try(name, (*body, *more), Local(test)))
    c.body.env = held

    def do() -> None:
        block(c, s.blocks[0])
        c.body.tried -= 1

    w.when(eq(Local(name), TRUE), do, lambda: block(c, s.blocks[1]))


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
