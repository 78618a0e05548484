"""Lowering what happens on the table: moving, swapping, lists of the state, what is shown and told, and how a game ends."""

from __future__ import annotations

from croupier.ir.lower.writes import Writes
from croupier.ir.terminators import Finish
from croupier.semantics import types as t
from croupier.semantics.tree import S, X


class TableStatements(Writes):
    """Lowers statements that act on the table, and how a game ends."""

    # ------------------------------------------------------------ the table
    def s_move(self, s: S) -> None:
        what, to = s.args
        if what.op == "zone_all":
            source = self.value(what.args[0])
            self.emit("move_all", (), (source, self.value(to)), s.data)
            return
        zone = self.value(to)
        self.emit("move", (), (self.value(what), zone), s.data)

    def s_shuffle(self, s: S) -> None:
        self.emit("shuffle", (), self.values(s.args))

    def s_swap(self, s: S) -> None:
        self.emit("swap_zones" if s.data == "zones" else "swap", (), self.values(s.args))

    def s_add(self, s: S) -> None:
        whole = self.value(s.args[1])
        kind = s.args[1].type
        assert isinstance(kind, t.Collection)
        self.write(s.args[1], self.make("add_item", kind, (self.fit(whole, kind), self.fit(self.value(s.args[0]), kind.base))))

    def s_remove(self, s: S) -> None:
        kind = s.args[1].type
        assert isinstance(kind, t.Collection)
        whole, value = self.value(s.args[1]), self.fit(self.value(s.args[0]), kind.base)
        there, done = self.fork(self.make("in", t.BOOL, (value, whole)))
        self.begin(there)
        self.write(s.args[1], self.make("remove_item", s.args[1].type, (whole, value)))
        self.begin(done)

    # ------------------------------------------------------------ telling: texts are made only where somebody listens
    def parts(self, x: X) -> None:
        """What has to be worked out for a text, before it is a text: a fault in it stops the game, whether somebody listens or not."""
        if x.op == "text":
            for a in x.args:
                self.parts(a)
        else:
            self.value(x.args[0] if x.op == "zone_all" else x)

    def told(self, s: S) -> None:
        for x in s.args:
            self.parts(x)
        yes, no = self.fork(self.make("recording", t.BOOL))
        self.begin(yes)
        self.emit(s.op, (), self.values(s.args))
        self.begin(no)

    s_show = s_tell = s_announce = told

    # ------------------------------------------------------------ the end
    def s_finish(self, s: S) -> None:
        kind, has_value, has_grade = s.data
        slots = self.values(s.args)
        self.end(Finish(self.span, kind, slots[0] if has_value else None, slots[-1] if has_grade else None))
