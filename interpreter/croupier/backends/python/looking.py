"""Look-aheads as lines: what is asked before a block, and what happens where it ends."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.backends.ends import Ahead, Node
from croupier.backends.python.code import If, Line, Lines
from croupier.backends.python.picking import Picking
from croupier.backends.python.words import listed
from croupier.ir.terminators import Foresee, Settle, Terminator


class Looking(Picking):
    """Prints look-aheads and what is asked in them."""

    # ------------------------------------------------------------ what is read
    def read_at_end(self, node: Node) -> Sequence[int]:
        end = node.end
        if isinstance(end, Foresee):
            return self.printer.attempted(self.routine, end)
        if isinstance(end, Settle):
            return self.printer.needs(self.routine, end.condition)
        return super().read_at_end(node)

    def kept(self, node: Node) -> Lines:
        """What is read at the end, under its name."""
        return self.collected(lambda: self.write_down(self.read_at_end(node)))

    # ------------------------------------------------------------ lines
    def look(self, node: Node, end: Terminator, next: int) -> Lines:
        """The end of a block where a look-ahead begins or ends."""
        match end:
            case Foresee():
                return self.attempt(node, end, next)
            case Ahead():
                return self.foresee(node, end, next)
        assert isinstance(end, Settle)
        self.uses_frame = True
        judged = Line(f"judged(S, {end.slot}, {self.call_query(end.condition)})")
        return [*self.kept(node), If(f"settles(S, {end.slot})", [judged], []), *self.go(end.target, next, node.number)]

    def attempt(self, node: Node, end: Foresee, next: int) -> Lines:
        """A block that never waits: tried on a copy, then run in place."""
        head = self.kept(node)
        args = listed([self.slot_text(s) for s in self.read_at_end(node)])
        test = f"tried(S, {self.printer.attempt(self.routine, end)}, {args})"
        return [*head, *self.forked(test, self.go(end.body, next, node.number), self.go(end.other, next, node.number))]

    def foresee(self, node: Node, end: Ahead, next: int) -> Lines:
        """A block that waits: a run of its own, from the frame."""
        self.uses_frame = True
        head = self.kept(node)
        stored = [Line(f"F[{s}] = {self.slot_text(s)}") for s in end.live if self.writers.get(s)]
        run = self.printer.cut(self.routine, end.body)
        test = f"foresees(S, {run}, {end.slot}, {end.within})"
        return [*head, *stored, If(test, [Line(f"return {run}", True)], []), *self.go(end.other, next, node.number)]

    def stuck(self) -> Lines:
        return [Line("return stuck(S)", True)] if self.printer.looks_ahead else super().stuck()
