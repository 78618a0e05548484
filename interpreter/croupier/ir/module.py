"""A module: everything of a program in lowered form."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.ir.routines import Effects, Routine
from croupier.semantics.program import Program


@dataclass(frozen=True, slots=True)
class Row:
    """A hook in a dispatch table: whose it is, which arguments it binds to slots of its routine, which it asks to be equal to a query's answer.

    `component` is a class and an id (none: every component of the class), or none for a hook of the rules themselves.
    """

    hook: int
    routine: int
    component: tuple[str, str | None] | None
    binds: tuple[tuple[int, int], ...]  # (parameter, slot)
    fixed: tuple[int, ...]  # parameters that the queries `fixed n` answer
    guarded: bool
    self_slot: int | None
    owner_slot: int | None
    here_slot: int | None
    result_slot: int | None
    chain_slot: int | None
    needs_owner: bool
    needs_here: bool


@dataclass(frozen=True, slots=True)
class Table:
    """What runs around a call of `target`, or answers a window: rows by kind, each kind in the order of the text."""

    target: int
    before: tuple[Row, ...] = ()
    instead: tuple[Row, ...] = ()
    adjust: tuple[Row, ...] = ()
    after: tuple[Row, ...] = ()
    reaction: tuple[Row, ...] = ()

    def rows(self) -> tuple[Row, ...]:
        return (*self.before, *self.instead, *self.adjust, *self.after, *self.reaction)


@dataclass(frozen=True, slots=True)
class Watch:
    """A watcher: after a write to something that its value reads, the query `value` of its routine is asked, and the body may run."""

    index: int
    kind: str  # watch, end
    routine: int
    slot: int | None
    reads: frozenset[tuple[str, str]]
    effects: Effects  # of its body


@dataclass(frozen=True, slots=True)
class Module:
    """`routines` by the numbers of the program's procedures; claims and invariants are routines without bodies."""

    program: Program
    routines: tuple[Routine, ...]
    tables: tuple[Table, ...]
    watchers: tuple[Watch, ...]
    claims: tuple[Routine, ...]
    invariants: tuple[Routine, ...]
    main: int

    def every_routine(self) -> tuple[Routine, ...]:
        return (*self.routines, *self.claims, *self.invariants)

    def table(self, target: int) -> Table:
        return next((t for t in self.tables if t.target == target), Table(target))
