"""The reference evaluator, statements that act at once: the table, what is told, the end."""

from __future__ import annotations

from typing import Any

from croupier.runtime.aggregates import canonical
from croupier.runtime.evaluate import GRAIN, Run
from croupier.runtime.faults import Fault, GameOver
from croupier.runtime.results import Result
from croupier.runtime.writing import Do, Writing
from croupier.semantics import types as t
from croupier.semantics.tree import S, X


class Acts(Writing):
    """Statements that act at once, as functions of machine and locals."""

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
    def parts(self, x: X) -> list[Run]:
        """What has to be worked out for a text, before it is a text: a fault in it stops the game, whether somebody listens or not."""
        if x.op == "text":
            return [run for a in x.args for run in self.parts(a)]
        return [self.expr(x.args[0] if x.op == "zone_all" else x)]

    def saying(self, s: S, tell: Do) -> Do:
        """A statement that tells somebody something: what it says is worked out, and told to whoever listens."""
        parts = [run for x in s.args for run in self.parts(x)]

        def run(m: Any, L: list[Any]) -> Any:
            for part in parts:
                part(m, L)
            if m.recorder is not None:
                tell(m, L)

        return run

    def s_show(self, s: S) -> Do:
        pieces, to = self.expr(s.args[0]), self.expr(s.args[1])
        zone = self.expr(s.args[0].args[0]) if s.args[0].op == "zone_all" else None

        def show(m: Any, L: list[Any]) -> Any:
            m.recorder.shown(m, lambda: pieces(m, L), lambda: to(m, L), None if zone is None else lambda: zone(m, L))

        return self.saying(s, show)

    def s_tell(self, s: S) -> Do:
        text, to = self.expr(s.args[0]), self.expr(s.args[1])
        return self.saying(s, lambda m, L: m.recorder.told(m, lambda: text(m, L), lambda: to(m, L)))

    def s_announce(self, s: S) -> Do:
        text = self.expr(s.args[0])
        return self.saying(s, lambda m, L: m.recorder.announced(m, lambda: text(m, L)))

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
