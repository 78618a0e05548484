"""Windows: each seat that is asked may use its reactions; a menu may offer them beside its options."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, Writer, add, const, eq, le, lt, not_, sub
from croupier.core.operations import Expression, Local
from croupier.core.types import Function, Memory
from croupier.kernel.tree import MenuData, OpenStmt, TypedStmt
from croupier.lowering import hooks
from croupier.lowering.calls import hand_back
from croupier.lowering.context import Body, Context, HookRow, Operand, Ref
from croupier.lowering.lists import among
from croupier.lowering.operands import value, word
from croupier.lowering.positions import FrameMap, InArray, InWord, Where
from croupier.lowering.procedures import (
    ResumePoint,
    Signature,
    call_function,
    ends,
    leave,
    one_deeper,
    parameters,
    signature,
)
from croupier.lowering.shapes import WORD, Items, Word, width
from croupier.lowering.sources import gathered
from croupier.lowering.statements import form
from croupier.semantics.procedures import Hook


def window_signature(c: Context, window: int) -> Signature:
    """The signature of a window: its parameters, and the list of seats that are asked."""
    proc = c.game.program.procs[window]
    s = signature(c, proc)
    asked = Items("list", max(c.game.players, 16), WORD)
    return Signature((*s.takes, (proc.slots.index("$asked"), asked)), None, s.back)


@form(OpenStmt)
def _open(c: Context, s: OpenStmt) -> None:
    window = s.window
    sig = window_signature(c, window)
    name = f"p{window}"
    if name not in c.core.functions:
        results = sum(isinstance(shape, Word) for _, shape in sig.back)
        c.core.functions[name] = Function(name, parameters(sig, c.secret, True), results, (), (), True)
        c.wanted.append(lambda: _write_window(c, window, name, sig))
    args = [c.held(value(c, a)) for a in s.args[1:]]
    asked = gathered(c, s.args[0])
    proc = c.game.program.procs[window]
    with one_deeper(c, proc) if proc.nested is not None else nullcontext():
        called = call_function(c, name, sig, [*args, asked], c.frame_map(s.suspension_point))
    hand_back(c, window, s.args[1:], called.back)


def _write_window(c: Context, window: int, name: str, sig: Signature) -> None:
    proc = c.game.program.procs[window]
    body = Body(Writer(), proc, waits=True)
    asked_slot, cursor_slot, used_slot = (proc.slots.index(n) for n in ("$asked", "$cursor", "$used"))
    with c.function(body):
        w = body.w
        where: list[tuple[int, Where]] = []
        for slot, shape in sig.takes:
            if isinstance(shape, Word):
                body.env[slot] = Local(f"s{slot}")
                where.append((slot, InWord(f"s{slot}", shape)))
                continue
            memory = f"s{slot}"
            if slot in dict(sig.back):
                memory = f"w{slot}"
                w.memories[memory] = Memory(memory, width(shape))
                w.emit(op.Copy(memory, FALSE, f"s{slot}", FALSE, const(width(shape))))
            body.env[slot] = Ref(memory, FALSE, shape)
            where.append((slot, InArray(memory, shape)))
        rows = c.hook_rows.of(window, "reaction")
        used_shape = Items("list", max(1, sum(max(1, len(r.components)) for r in rows)), WORD)
        w.memories["used"] = Memory("used", width(used_shape))
        used = Ref("used", FALSE, used_shape)
        where += [(cursor_slot, InWord("cursor", WORD)), (used_slot, InArray("used", used_shape))]
        resume = c.map(
            FrameMap(window, 0, tuple(sorted(where, key=lambda p: p[0])), "viewer" if c.secret else None)
        )
        asked = body.env[asked_slot]
        assert isinstance(asked, Ref)
        args = [body.env[q.slot] for q in proc.params]
        cursor = Local("cursor")
        w.set("cursor", FALSE)
        c.clear(used)

        def on() -> None:
            w.set("cursor", add(cursor, TRUE))
            c.clear(used)

        def round_() -> None:
            w.emit(op.Pay(TRUE))
            w.leave_if(le(c.length(asked), cursor))
            seat = c.element(asked, cursor)
            assert not isinstance(seat, Ref)
            seat = w.temp(seat)
            some = w.fresh()
            w.emit(op.NoOffers())
            if not proc.all_react:
                w.emit(op.Offer(FALSE, TRUE))
            w.set(some, FALSE)

            def offer(number: Expression) -> None:
                def put() -> None:
                    w.emit(op.Offer(add(number, TRUE), TRUE))
                    w.set(some, TRUE)

                w.when(not_(among(c, number, used)), put)

            _each_reaction(c, rows, args, seat, offer)

            def none() -> None:
                on()
                w.emit(op.Continue())

            w.when(eq(Local(some), FALSE), none)
            w.emit(op.Wait(seat, *resume))
            number = w.temp(sub(op.Chosen(), TRUE))

            def react() -> None:
                c.push(number, used)
                again = w.temp(op.Load(asked.memory, add(cursor, TRUE)))
                _use(c, rows, args, again, number, resume, lambda h, changed: _changed(c, args, changed))

            w.when(lt(number, FALSE), on, react)

        w.forever(round_)
        if not ends(w.out):
            leave(c, sig, None)
        known = c.core.functions[name]
        c.core.functions[name] = Function(
            name, known.parameters, known.results, tuple(w.memories.values()), tuple(w.out), True
        )


def _changed(c: Context, args: list[Operand], changed: dict[int, Operand]) -> None:
    for i, v in changed.items():
        c.assign(v, args[i])


def _each_reaction(
    c: Context,
    rows: list[HookRow],
    args: list[Operand],
    seat: Expression,
    offer: Callable[[Expression], None],
) -> None:
    for row in rows:
        hooks.each_row(c, row, args, seat, lambda component, owner, here, number: offer(number))


def _use(
    c: Context,
    rows: list[HookRow],
    args: list[Operand],
    seat: Expression,
    number: Expression,
    resume: ResumePoint,
    done: Callable[[Hook, dict[int, Operand]], None],
) -> None:
    """Run the reaction with an index."""
    w = c.w

    def at(i: int) -> None:
        row = rows[i]
        h = row.hook

        def run() -> None:
            component: Expression = const(op.NONE)
            owner, here = seat, component
            if row.components:
                found = c.rows(list(row.components), WORD, sub(number, const(row.first)))
                assert not isinstance(found, Ref)
                component = w.temp(found)
                z = w.temp(op.Load("where", component))
                there = le(FALSE, z)
                owners = c.rows([p.owner for p in c.game.zones], WORD, z)
                keys = c.rows([None if p.key is None else int(p.key) for p in c.game.zones], WORD, z)
                assert not isinstance(owners, Ref) and not isinstance(keys, Ref)
                owner = w.temp(op.Select(there, owners, const(op.NONE)))
                here = w.temp(op.Select(there, keys, const(op.NONE)))
            resumes = resume if h.proc.effect == "suspends" else None
            _, changed = hooks.run(c, h, args, component, owner, here, None, None, resumes)
            done(h, changed)

        if i == len(rows) - 1:
            run()
        else:
            w.when(lt(number, const(row.first + max(1, len(row.components)))), run, lambda: at(i + 1))

    at(0)


def in_menu(
    c: Context, d: MenuData, seat: Expression, first: int, offer: Callable[[Expression], None]
) -> Callable[[Expression, TypedStmt], None] | None:
    """Offer the reactions of a window after the options of a menu.

    Return a function that writes the code of the chosen one; `None` if there are no reactions.
    """
    assert d.window is not None
    window = d.window
    rows = c.hook_rows.of(window, "reaction")
    if not rows:
        return None
    seat = c.w.temp(seat)
    _each_reaction(
        c,
        rows,
        [c.held(value(c, a)) for a in d.window_args],
        seat,
        lambda number: offer(add(number, const(first))),
    )

    def use(action: Expression, s: TypedStmt) -> None:
        args = [c.held(value(c, a)) for a in d.window_args]
        again = c.w.temp(word(c, s.args[0]))
        params = c.game.program.procs[window].params

        def done(h: Hook, changed: dict[int, Operand]) -> None:
            hand_back(c, window, d.window_args, tuple(changed.get(i) for i, q in enumerate(params) if q.var))

        _use(c, rows, args, again, sub(action, const(first)), c.frame_map(s.suspension_point), done)

    return use
