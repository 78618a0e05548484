"""Blocks as loops and conditions again: Python has no jumps.

A block that control comes to on one way stands where that way leads. One that it comes to on several stands behind what it is the end of: behind
the condition or the loop that dominates it, where falling off the end leads to it. (Ramsey, *Beyond Relooper*, ICFP 2022, with `for … else` and
`break` in place of numbered labels.) A jump that does not lead to what comes next leaves the loops in between, one after another, by a note of where
it wants to go; small blocks without a way on are rather written twice.

Printing may find that a block needs a frame of its own to be left early. It then begins again with that known.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import dataclass, field

from croupier.backends.ends import Ahead, Elsewhere, Judge, Node, Picked
from croupier.backends.python.acting import Acting
from croupier.backends.python.code import BREAK, CONTINUE, Assign, For, Forever, If, Line, Lines, leaves, opposite
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Branch, Finish, Foresee, Give, Jump, Return, Settle, Stuck, Terminator, Walk

NOWHERE = -1
CALL = re.compile(r"\w\(")


class NeedsFrame(Exception):
    """A block is jumped over from inside: it needs a loop around it."""

    def __init__(self, label: int) -> None:
        super().__init__(label)
        self.label = label


@dataclass
class Around:
    """A loop of Python around what is printed: where `continue` and `break` lead."""

    head: int
    after: int
    leaps: list[int] = field(default_factory=list)  # where those go who leave it for somewhere further out


class Shapes(Acting):
    """Prints the whole graph from its root."""

    def body(self) -> Lines:
        framed: set[int] = set()
        while True:
            self.framed = framed
            self.loops: list[Around] = []
            self.out, self.waiting, self.carried, self.fresh = [], {}, {}, 0
            try:
                return self.tree(self.graph.root, NOWHERE)
            except NeedsFrame as need:
                assert need.label not in framed
                framed = framed | {need.label}

    # ------------------------------------------------------------ blocks
    def merges(self, number: int) -> bool:
        """Does control come to a block on several ways, loops that come round not counted?"""
        g = self.graph
        return len([b for b in g.before[number] if g.rank[b] < g.rank[number]]) > 1

    def tree(self, number: int, next: int) -> Lines:
        """A block and all that it dominates; falling off the end leads to `next`."""
        g = self.graph
        joined = sorted((c for c in g.children[number] if self.merges(c)), key=lambda c: g.rank[c])
        if number in g.loops:
            inside = [c for c in joined if c in g.loops[number]]
            outside = [c for c in joined if c not in g.loops[number]]
            return self.followed(number, outside, next, lambda after: self.loop(number, inside, after))
        return self.followed(number, joined, next, lambda after: self.plain(number, after))

    def followed(self, number: int, joined: list[int], next: int, first: object) -> Lines:
        """`first`, and behind it the blocks where ways from it come together, the nearest first."""
        assert callable(first)
        if not joined:
            return first(next)  # type: ignore[no-any-return]
        *near, last = joined
        if last in self.framed:
            around = Around(NOWHERE, last)
            self.loops.append(around)
            body = self.followed(number, near, last, first)
            self.loops.pop()
            lines = self.left(Forever(body, once=True), around, last)
        else:
            lines = self.followed(number, near, last, first)
        return [*lines, *self.tree(last, next)]

    def plain(self, number: int, next: int) -> Lines:
        """A block that is no head of a `for`, and what it alone leads to."""
        node = self.graph.nodes[number]
        lines = self.collected(lambda: self.instructions(node))
        return [*lines, *self.end(node, next)]

    def collected(self, make: object) -> Lines:
        """The lines that printing something writes down."""
        assert callable(make)
        held, self.out = self.out, []
        make()
        lines, self.out = self.out, held
        return lines

    # ------------------------------------------------------------ loops
    def loop(self, number: int, inside: list[int], next: int) -> Lines:
        node, around = self.graph.nodes[number], Around(number, next)
        if number in self.fors and isinstance(node.end, Walk):
            end = node.end
            assert end.done is not None
            items, target = self.text(end.items, True), self.name(end.item)
            self.loops.append(around)
            body = [*self.paid(number), *self.followed(number, inside, number, lambda then: self.go(end.body, then, number))]
            self.loops.pop()
            if self.fors[number]:
                target, items = f"{self.name(end.at)}, {target}", f"enumerate({items}, 1)"
            return self.left(For(target, items, body, self.go(end.done, next, number)), around, next)
        self.loops.append(around)
        body = self.followed(number, inside, number, lambda then: self.plain(number, then))
        self.loops.pop()
        return self.left(Forever([*self.paid(number), *body]), around, next)

    def paid(self, head: int) -> Lines:
        """What a round of a loop costs, if rounds are counted."""
        return []

    def left(self, loop: For | Forever, around: Around, next: int) -> Lines:
        """A loop, and behind it where those go on who left it for somewhere further out."""
        if not around.leaps:
            return [loop]
        checks = [If(f"y == {target}", self.go_on(target, next), []) for target in around.leaps]
        return [Assign("y", "-1"), loop, *(c for c in checks if c.then)]

    def go_on(self, target: int, next: int) -> Lines:
        return [] if target == next else self.jump(target)

    # ------------------------------------------------------------ ways on
    def go(self, target: int, next: int, source: int) -> Lines:
        """From a block to another."""
        g = self.graph
        if target == next:
            return []
        if g.rank[target] > g.rank[source] and not self.merges(target) and g.dominator[target] == source:
            return self.tree(target, next)
        return self.jump(target)

    def jump(self, target: int) -> Lines:
        for depth, around in enumerate(reversed(self.loops)):
            if target in (around.head, around.after):
                return [Line(CONTINUE if target == around.head else BREAK, True)] if depth == 0 else self.leap(target, depth)
        copy = self.copied(target)
        if copy is not None:
            return copy
        if target in self.framed:
            raise AssertionError(target)
        raise NeedsFrame(target)

    def leap(self, target: int, depth: int) -> Lines:
        """Leave several loops: each is left with a note of where to go, which is read behind it."""
        copy = self.copied(target)
        if copy is not None:
            return copy
        for around in self.loops[len(self.loops) - depth :]:
            if target not in around.leaps:
                around.leaps.append(target)
        return [Assign("y", str(target)), Line(BREAK, True)]

    def copied(self, target: int) -> Lines | None:
        """A small block without a way on, written once more."""
        node = self.graph.nodes[target]
        if len(node.code) <= 4 and isinstance(node.end, (Return, Stuck, Finish)) and target not in self.graph.loops:
            return self.plain(target, NOWHERE)
        return None

    # ------------------------------------------------------------ ends of blocks
    def end(self, node: Node, next: int) -> Lines:
        end = node.end
        match end:
            case Jump():
                return self.go(end.target, next, node.number)
            case Branch():
                return self.branch(node, end, next)
            case Walk():
                return self.walk(node, end, next)
            case Stuck():
                return self.stuck()
            case Suspend():
                return self.suspend(node, end, next)
            case Picked():
                return self.picked(node, end, next)
            case Foresee() | Ahead() | Settle():
                return self.look(node, end, next)
            case Return() | Finish() | Give() | Elsewhere() | Judge():
                return self.collected(lambda: self.finish(node))
        raise AssertionError(end)

    def branch(self, node: Node, end: Branch, next: int) -> Lines:
        head = self.collected(lambda: self.tests.append(self.text(end.test)))
        test = self.tests.pop()
        return [*head, *self.forked(test, self.go(end.then, next, node.number), self.go(end.other, next, node.number))]

    def forked(self, test: str, then: Lines, other: Lines) -> Lines:
        """Two ways on, as short as it can be said."""
        if test in ("True", "False"):
            return then if test == "True" else other
        if leaves(other) and not leaves(then) and other:
            return [If(opposite(test), other, []), *then]
        if leaves(then) and then:
            return [If(test, then, []), *other]
        if not then and not other:
            return [Line(test)] if CALL.search(test) else []  # what is called may deviate
        if not then:
            return [If(opposite(test), other, [])]
        return [If(test, then, other)]

    tests: list[str] = []

    def walk(self, node: Node, end: Walk, next: int) -> Lines:
        """One step of a walk that is not a `for`: it may have begun in an earlier run."""
        known = self.value_of(end.items)
        items, at, item = self.text(end.items, True), self.name(end.at), self.name(end.item)
        self.named |= {end.at} if known else {end.items, end.at}
        length = f"len({items})" if known is None else str(len(known[0]))
        element = at if known is not None and known[0] == tuple(range(len(known[0]))) else f"{items}[{at}]"
        step: Lines = [Assign(item, element), Assign(at, f"{at} + 1")]
        if end.done is None:
            empty: Lines = [If(f"not {items}", [Line("raise D", True)], [])] if not known or not known[0] else []
            return [If(f"{at} >= {length}", [*empty, Assign(at, "0")], []), *step, *self.go(end.body, next, node.number)]
        done = self.go(end.done, next, node.number)
        body = [*step, *self.go(end.body, next, node.number)]
        if leaves(done):
            return [If(f"{at} >= {length}", done, []), *body]
        return [If(f"{at} < {length}", body, done)]

    # ------------------------------------------------------------ what a function adds
    @abstractmethod
    def suspend(self, node: Node, end: Suspend, next: int) -> Lines:
        """A block that waits."""

    @abstractmethod
    def picked(self, node: Node, end: Picked, next: int) -> Lines:
        """A block that takes one of several at random."""

    @abstractmethod
    def look(self, node: Node, end: Terminator, next: int) -> Lines:
        """A block that looks ahead."""

    def stuck(self) -> Lines:
        """Nothing can be chosen."""
        return [Line("raise D", True)]

    @abstractmethod
    def finish(self, node: Node) -> None:
        """The end of a routine, of the game or of a question."""
