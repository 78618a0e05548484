"""Terminators: how a block ends, for everything that does not wait. Suspensions, which do, have a file of their own.

Every terminator says which slots it reads when it is reached, where control may go and which slots have been written on the way there, and
which queries it may ask.
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Edge:
    """A way on: the block it leads to, the slots that are filled in on the way, and whether it is taken only after a wait."""

    target: int
    assigns: tuple[int, ...] = ()
    waited: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A question answered by blocks of their own that change nothing: they run on a copy of the frame and end in `Give`.

    `takes` are the slots that whoever asks fills in first.
    """

    name: str
    entry: int
    takes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Terminator:
    """The end of a block."""

    span: Span

    def reads(self) -> tuple[int, ...]:
        return ()

    def edges(self) -> tuple[Edge, ...]:
        return ()

    def queries(self) -> tuple[Query, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Jump(Terminator):
    """Go on at `target`."""

    target: int

    def edges(self) -> tuple[Edge, ...]:
        return (Edge(self.target),)


@dataclass(frozen=True, slots=True)
class Branch(Terminator):
    """Go on at `then` if the slot `test` is true, otherwise at `other`."""

    test: int
    then: int
    other: int

    def reads(self) -> tuple[int, ...]:
        return (self.test,)

    def edges(self) -> tuple[Edge, ...]:
        return (Edge(self.then), Edge(self.other))


@dataclass(frozen=True, slots=True)
class Walk(Terminator):
    """The next element of a list that does not change: counts `at` on and fills `item` in; `done` where there is none left.

    Without `done` the list is walked again and again (`turns`); an empty one is then a fault.
    """

    items: int
    at: int
    item: int
    body: int
    done: int | None

    def reads(self) -> tuple[int, ...]:
        return (self.items, self.at)

    def edges(self) -> tuple[Edge, ...]:
        more = Edge(self.body, (self.item, self.at))
        return (more,) if self.done is None else (more, Edge(self.done))


@dataclass(frozen=True, slots=True)
class Return(Terminator):
    """The end of a routine: `value` goes to the caller, and with it the slots that the routine gives back."""

    value: int | None
    gives: tuple[int, ...]

    def reads(self) -> tuple[int, ...]:
        return self.gives if self.value is None else (self.value, *self.gives)


@dataclass(frozen=True, slots=True)
class Finish(Terminator):
    """The end of the game: `kind` is win, rank, pay, lose or draw."""

    kind: str
    value: int | None
    grade: int | None

    def reads(self) -> tuple[int, ...]:
        return tuple(s for s in (self.value, self.grade) if s is not None)


@dataclass(frozen=True, slots=True)
class Stuck(Terminator):
    """Nothing can be chosen: a dead end while looking ahead, otherwise a fault."""


@dataclass(frozen=True, slots=True)
class Give(Terminator):
    """The end of a query."""

    value: int | None

    def reads(self) -> tuple[int, ...]:
        return () if self.value is None else (self.value,)


@dataclass(frozen=True, slots=True)
class Foresee(Terminator):
    """`so that`: to `body`, with `slot` set, if some way through it ends with the condition true; otherwise to `other`.

    Looks at most `within` decisions ahead, of one player.
    """

    slot: int
    within: int | None
    body: int
    other: int

    def edges(self) -> tuple[Edge, ...]:
        return (Edge(self.body, (self.slot,)), Edge(self.other))


@dataclass(frozen=True, slots=True)
class Settle(Terminator):
    """A look-ahead block is left: whoever is looking ahead asks the condition; a false one is a dead end, a true one what was looked for."""

    slot: int
    condition: Query
    target: int

    def reads(self) -> tuple[int, ...]:
        return (self.slot,)

    def edges(self) -> tuple[Edge, ...]:
        return (Edge(self.target),)

    def queries(self) -> tuple[Query, ...]:
        return (self.condition,)
