"""The reference evaluator, statements that write values: locals, state, entries of maps and lists, attributes; and signals of control."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.runtime.evaluate import GRAIN, Run
from croupier.runtime.faults import Fault
from croupier.runtime.game import KEPT, Value
from croupier.runtime.masks import Masks
from croupier.semantics import types as t
from croupier.semantics.tree import Proc, S, X
from croupier.semantics.walk import statement_call

RETURN, BREAK, CONTINUE = "return", "break", "continue"
Do = Callable[[Any, list[Any]], Any]
Setter = Callable[[Any, list[Any], Value], None]


def write_back(back: list[Setter], m: Any, L: list[Any]) -> None:
    """After a call: its `var` parameters are what the caller named."""
    for write, v in zip(back, m.retval_vars, strict=True):
        if v is not KEPT:
            write(m, L, v)


class Writing(Masks):
    """Statements that write values, as functions of machine and locals."""

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
        outer = [] if call is None else [self.expr(a) for a in call.args]

        def run(m: Any, L: list[Any]) -> Any:
            value(m, L)

        def run_phase(m: Any, L: list[Any]) -> Any:
            if m.recorder is not None:
                m.recorder.entered(m, target, [f(m, L) for f in outer])
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
