"""The reference evaluator, statements that do not suspend: each becomes a function of the machine and the locals.

The function gives none to go on, or a signal: RETURN (the value is in the machine), BREAK, CONTINUE.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.runtime.aggregates import canonical
from croupier.runtime.evaluate import GRAIN, Run
from croupier.runtime.faults import Fault, GameOver
from croupier.runtime.game import KEPT, Value
from croupier.runtime.masks import Masks
from croupier.runtime.results import Result
from croupier.runtime.trial import examine, examined
from croupier.semantics import types as t
from croupier.semantics.flow import statement_call
from croupier.semantics.tree import Proc, S, X

RETURN, BREAK, CONTINUE = "return", "break", "continue"
Do = Callable[[Any, list[Any]], Any]
Setter = Callable[[Any, list[Any], Value], None]


def write_back(back: list[Setter], m: Any, L: list[Any]) -> None:
    """After a call: its `var` parameters are what the caller named."""
    for write, v in zip(back, m.retval_vars, strict=True):
        if v is not KEPT:
            write(m, L, v)


class Plain(Masks):
    # ------------------------------------------------------------ blocks
    def block(self, block: list[S]) -> Do:
        todo = [self.do(s) for s in block if s.op != "pass"]
        if not todo:
            return lambda m, L: None
        if len(todo) == 1:
            return todo[0]

        def run(m: Any, L: list[Any]) -> Any:
            for f in todo:
                signal = f(m, L)
                if signal is not None:
                    return signal
            return None

        return run

    context: tuple[str, ...] = ()  # what the statement or procedure around a statement cites

    def do(self, s: S) -> Do:
        outer = self.context
        self.context = cites = s.cites or outer
        f: Do = getattr(self, "s_" + s.op)(s)
        self.context = outer
        span = s.span

        def run(m: Any, L: list[Any]) -> Any:
            m.fuel -= 1
            if m.fuel < 0:
                m.burn(span)
            if m.recorder is not None:
                m.cites = cites
            return f(m, L)

        trace = self.game.trace
        return run if trace is None else trace.test(run, trace.statement(s))  # type: ignore[no-any-return]

    def s_pass(self, s: S) -> Do:
        return lambda m, L: None

    def s_break(self, s: S) -> Do:
        return lambda m, L: BREAK

    def s_continue(self, s: S) -> Do:
        return lambda m, L: CONTINUE

    # ------------------------------------------------------------ values
    def s_let(self, s: S) -> Do:
        slot, value = s.data, self.value(s)

        def run(m: Any, L: list[Any]) -> Any:
            L[slot] = value(m, L)

        return run

    def value(self, s: S) -> Run:
        """The right side of a statement; a call with `var` parameters writes them back."""
        call = statement_call(s)
        if call is None:
            return self.expr(s.args[-1])
        inner = self.called(call)
        outer = s.args[-1]
        return self.bound_to(inner, outer.type, outer.span) if outer.op == "bound" else inner

    def called(self, call: X) -> Run:
        plain = self.expr(call)
        proc = self.game.program.procs[call.data]
        back = self.backs(proc, call.args)
        if not back:
            return plain

        def run(m: Any, L: list[Any]) -> Value:
            value = plain(m, L)
            write_back(back, m, L)
            return value

        return run

    def backs(self, proc: Proc, args: tuple[X, ...]) -> list[Setter]:
        """How to write what the `var` parameters of a procedure hold at its end to the places named in a call."""
        found = []
        for q, a in zip(proc.params, args, strict=True):
            if q.var:
                place = a.args[0] if a.op == "bound" else a
                write = self.setter(place)
                found.append(write if t.within(q.type, place.type) else self.tested_setter(write, place))
        return found

    def tested_setter(self, write: Setter, place: X) -> Setter:
        check, span = self.test(place.type), place.span

        def run(m: Any, L: list[Any], v: Value) -> None:
            check(v, span)
            write(m, L, v)

        return run

    def s_do(self, s: S) -> Do:
        value, call = self.value(s), statement_call(s)

        def run(m: Any, L: list[Any]) -> Any:
            value(m, L)

        def run_phase(m: Any, L: list[Any]) -> Any:
            if m.recorder is not None:
                m.recorder.entered(m, target)
            value(m, L)

        target = -1 if call is None else call.data
        return run_phase if target >= 0 and self.game.program.procs[target].kind == "phase" else run

    def s_return(self, s: S) -> Do:
        if not s.args:
            return lambda m, L: RETURN
        value = self.value(s)

        def run(m: Any, L: list[Any]) -> Any:
            m.retval = value(m, L)
            return RETURN

        return run

    def s_assign(self, s: S) -> Do:
        write, value = self.setter(s.args[0]), self.value(s)

        def run(m: Any, L: list[Any]) -> Any:
            write(m, L, value(m, L))

        return run

    def setter(self, target: X) -> Setter:
        """How to write a local, state, an entry of a map or list, or a changeable attribute."""
        match target.op:
            case "local":
                slot = target.data

                def write_local(m: Any, L: list[Any], v: Value) -> None:
                    L[slot] = v

                return write_local
            case "state":
                i = self.game.program.vars[target.data].index
                return lambda m, L, v: m.set_var(i, v)
            case "mutable":
                i, (first, _) = self.game.program.vars[target.data].index, self.game.kinds[target.data.split(".")[0]]
                piece = self.expr(target.args[0])

                def write_attribute(m: Any, L: list[Any], v: Value) -> None:
                    at, old = piece(m, L) - first, m.vars[i]
                    if len(old) >= GRAIN:
                        m.spend(len(old) // GRAIN, target.span)
                    m.set_var(i, (*old[:at], v, *old[at + 1 :]))

                return write_attribute
            case "index" | "item":
                return self.entry_setter(target)
            case "certain":
                return self.setter(target.args[0])
        raise AssertionError(target)

    def entry_setter(self, target: X) -> Setter:
        whole, key, span = self.expr(target.args[0]), self.expr(target.args[1]), target.span
        outer, kind = self.setter(target.args[0]), target.args[0].type
        low = self.game.domain(kind.key)[0] if isinstance(kind, t.Map) else 1

        def write(m: Any, L: list[Any], v: Value) -> None:
            old, at = whole(m, L), key(m, L) - low
            if not 0 <= at < len(old):
                raise Fault("R005", span, index=at + 1, size=len(old))
            if len(old) >= GRAIN:
                m.spend(len(old) // GRAIN, span)
            outer(m, L, (*old[:at], v, *old[at + 1 :]))

        return write

    # ------------------------------------------------------------ control
    def s_if(self, s: S) -> Do:
        c, then, other = self.expr(s.args[0]), self.block(s.blocks[0]), self.block(s.blocks[1])
        return lambda m, L: then(m, L) if c(m, L) else other(m, L)

    def s_match(self, s: S) -> Do:
        value = self.expr(s.args[0])
        blocks = [self.block(b) for b in s.blocks]
        cases = [(self.exprs(tuple(row)), b) for row, b in zip(s.data[0], blocks, strict=False)]
        other = blocks[-1] if s.data[1] else None

        def run(m: Any, L: list[Any]) -> Any:
            v = value(m, L)
            for row, body in cases:
                if any(f(m, L) == v for f in row):
                    return body(m, L)
            return None if other is None else other(m, L)

        return run

    def s_for(self, s: S) -> Do:
        source, slot, body, span = self.expr(s.args[0]), s.data[0], self.block(s.blocks[0]), s.span
        condition = self.expr(s.args[1]) if len(s.args) > 1 else None

        def run(m: Any, L: list[Any]) -> Any:
            for v in source(m, L):
                m.burn(span)
                L[slot] = v
                if condition is None or condition(m, L):
                    signal = body(m, L)
                    if signal is BREAK:
                        break
                    if signal is RETURN:
                        return RETURN
            return None

        return run

    def s_turns(self, s: S) -> Do:
        source, slot, body, span = self.expr(s.args[0]), s.data[0], self.block(s.blocks[0]), s.span
        condition = self.expr(s.args[1]) if len(s.args) > 1 else None

        def run(m: Any, L: list[Any]) -> Any:
            order = source(m, L)
            while order:
                for v in order:
                    m.burn(span)
                    L[slot] = v
                    if condition is None or condition(m, L):
                        signal = body(m, L)
                        if signal is BREAK:
                            return None
                        if signal is RETURN:
                            return RETURN
            return None

        return run

    def s_repeat(self, s: S) -> Do:
        until, body, span = self.expr(s.args[0]) if s.args else None, self.block(s.blocks[0]), s.span

        def run(m: Any, L: list[Any]) -> Any:
            while until is None or not until(m, L):
                m.burn(span)
                signal = body(m, L)
                if signal is BREAK:
                    break
                if signal is RETURN:
                    return RETURN
            return None

        return run

    def s_so_that(self, s: S) -> Do:
        body, other, condition, span = self.block(s.blocks[0]), self.block(s.blocks[1]), self.expr(s.args[0]), s.span

        def run(m: Any, L: list[Any]) -> Any:
            trial = examine(m, span)
            ok = True
            try:
                scratch = L[:]
                body(trial, scratch)
                ok = condition(trial, scratch)
            except GameOver:
                ok = False
            examined(m, trial)
            return body(m, L) if ok else other(m, L)

        return run

    def s_secretly(self, s: S) -> Do:
        player, body = self.expr(s.args[0]), self.block(s.blocks[0])

        def run(m: Any, L: list[Any]) -> Any:
            before, m.viewer = m.viewer, player(m, L) if m.viewer is None else m.viewer
            try:
                return body(m, L)
            finally:
                m.viewer = before

        return run

    # ------------------------------------------------------------ the table
    def s_move(self, s: S) -> Do:
        what, to, place, span = s.args[0], self.expr(s.args[1]), s.data, s.span
        if what.op == "zone_all":
            source = self.expr(what.args[0])
            return lambda m, L: m.move_all(source(m, L), to(m, L), place, span)
        pieces = self.expr(what)

        def run(m: Any, L: list[Any]) -> Any:
            z, items = to(m, L), pieces(m, L)
            for p in items if place == "top" else items[::-1]:  # several keep their order, wherever they are put
                m.move(p, z, place, span)

        return run

    def s_shuffle(self, s: S) -> Do:
        zone, span = self.expr(s.args[0]), s.span
        return lambda m, L: m.shuffle(zone(m, L), span)

    def s_swap(self, s: S) -> Do:
        a, b, span = self.expr(s.args[0]), self.expr(s.args[1]), s.span
        if s.data == "zones":
            return lambda m, L: m.exchange_zones(a(m, L), b(m, L), span)
        return lambda m, L: m.exchange(a(m, L), b(m, L), span)

    def s_add(self, s: S) -> Do:
        value, whole, write = self.expr(s.args[0]), self.expr(s.args[1]), self.setter(s.args[1])
        kind, span = s.args[1].type, s.span
        assert isinstance(kind, t.Collection)
        limit = None if kind.capacity is None else self.game.constant(kind.capacity)

        def run(m: Any, L: list[Any]) -> Any:
            out = (*whole(m, L), value(m, L))
            m.spend(len(out) // GRAIN if kind.kind == "list" else len(out), span)
            if kind.kind != "list":
                out = canonical(kind.kind, out)
            if limit is not None and len(out) > limit:
                raise Fault("R012", span, capacity=limit)
            write(m, L, out)

        return run

    def s_remove(self, s: S) -> Do:
        value, whole, write, span = self.expr(s.args[0]), self.expr(s.args[1]), self.setter(s.args[1]), s.span

        def run(m: Any, L: list[Any]) -> Any:
            old, v = whole(m, L), value(m, L)
            m.spend(len(old) // GRAIN, span)
            if v in old:
                i = old.index(v)
                write(m, L, old[:i] + old[i + 1 :])

        return run

    # ------------------------------------------------------------ telling
    def s_show(self, s: S) -> Do:
        pieces, to = self.expr(s.args[0]), self.expr(s.args[1])

        def run(m: Any, L: list[Any]) -> Any:
            if m.recorder is not None:
                m.recorder.shown(m, lambda: pieces(m, L), lambda: to(m, L))

        return run

    def s_tell(self, s: S) -> Do:
        text, to = self.expr(s.args[0]), self.expr(s.args[1])

        def run(m: Any, L: list[Any]) -> Any:
            if m.recorder is not None:
                m.recorder.told(m, lambda: text(m, L), lambda: to(m, L))

        return run

    def s_announce(self, s: S) -> Do:
        text = self.expr(s.args[0])

        def run(m: Any, L: list[Any]) -> Any:
            if m.recorder is not None:
                m.recorder.announced(m, lambda: text(m, L))

        return run

    # ------------------------------------------------------------ the end
    def s_finish(self, s: S) -> Do:
        kind, has_value, has_grade = s.data
        runs = self.exprs(s.args)
        value = runs[0] if has_value else None
        grade = runs[-1] if has_grade else None
        players = self.game.players

        def run(m: Any, L: list[Any]) -> Any:
            v = None if value is None else value(m, L)
            m.result = Result.of(kind, v, players, None if grade is None else grade(m, L))
            if m.recorder is not None:
                m.recorder.finished(m)
            raise GameOver

        return run
