"""Positions that are declared rather than played to.

A declared position says the contents of zones, values of state, and the place in the rules where it stands.
It stands before a phase, or before the call of one definition; the rules run on from there. What watchers
keep up to date follows from what is declared, as if it had just been written; what is declared itself stays
as declared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from croupier.kernel.tree import ForEachStmt, LetStmt, TypedStmt
from croupier.runtime.faults import GameOver
from croupier.runtime.game import Value
from croupier.runtime.machine import Frame, Machine, Op, locations
from croupier.semantics.procedures import Proc
from croupier.semantics.walk import statement_call

if TYPE_CHECKING:
    from croupier.runtime.compiled_rules import CompiledRules


class NotEnterable(Exception):
    """A position cannot stand there: `loop` is the variable of a loop around the phase, `problem` is
    `missing`, `absent` or `empty`.
    """

    def __init__(self, loop: str, problem: str) -> None:
        super().__init__(loop, problem)
        self.loop, self.problem = loop, problem


def declare(
    rules: CompiledRules, zones: Mapping[int, tuple[object, ...]], variables: Mapping[int, Value]
) -> Machine:
    """A machine with these contents of zones (by number) and values of state (by index), everything else as
    at the start; it stands nowhere yet.

    Raises `Fault` if a watcher faults; a watcher may end the game.
    """
    m = Machine(rules)
    m.refuel()
    m.seen_values = m.watched()
    for z, items in zones.items():
        m.zones[z] = items
    m.where = locations(m.game, m.zones)
    for i, value in variables.items():
        m.vars[i] = value
    try:
        m.notice(tuple(range(len(rules.watchers))))
    except GameOver:
        return m
    for i, value in variables.items():
        m.vars[i] = value
    m.seen_values = m.watched()
    return m


def loops_around(main: Proc, phase: int) -> list[TypedStmt] | None:
    """Return the loops around the call of a phase, outermost first; `None` if it is not called."""

    def search(block: list[TypedStmt]) -> list[TypedStmt] | None:
        for s in block:
            call = statement_call(s)
            if call is not None and call.proc == phase:
                return []
            for inner in s.blocks:
                found = search(inner)
                if found is not None:
                    return [s, *found]
        return None

    return search(main.body)


def loop_names(main: Proc, phase: int) -> Iterator[tuple[str, int]]:
    """The variables of the loops around a phase, with their slots."""
    for s in loops_around(main, phase) or ():
        if isinstance(s, ForEachStmt):
            yield main.slots[s.slot], s.slot


def enter_before_phase(m: Machine, phase: int, bound: Mapping[str, Value]) -> None:
    """Put the machine before a phase, in its loops: `bound` gives the value of each loop variable. Raises
    `NotEnterable`.
    """
    code = m.rules.main
    frame = Frame(code, code.entries[phase], [None] * code.slots, None)
    for s in loops_around(code.proc, phase) or ():
        if not isinstance(s, ForEachStmt):
            continue
        slot, items, at = s.slot, s.items, s.cursor
        name = code.proc.slots[slot]
        values = m.rules.expr(s.args[0])(m, frame.L)
        if not values:
            raise NotEnterable(name, "empty")
        if name not in bound:
            raise NotEnterable(name, "missing")
        if bound[name] not in values:
            raise NotEnterable(name, "absent")
        frame.L[slot], frame.L[items], frame.L[at] = bound[name], values, values.index(bound[name]) + 1
    m.frames = [frame]


class CallEnd(Op):
    """The operation after the one call that a position stands before: it keeps the value and stops."""

    def __init__(self, slot: int | None) -> None:
        self.slot = slot
        self.done = False
        self.value: Value = None

    def run(self, m: Machine, fr: Frame) -> object:
        self.done, self.value = True, None if self.slot is None else fr.L[self.slot]
        raise GameOver


def enter_at_call(m: Machine, statement: TypedStmt, proc: Proc, values: list[Value]) -> CallEnd:
    """Put the machine before one call (from `semantics.check.check_call`), with the values of the names it
    may use.
    """
    end = CallEnd(statement.slot if isinstance(statement, LetStmt) else None)
    code = m.rules.compile_call(proc, statement, end)
    m.frames = [Frame(code, code.entry, values + [None] * (code.slots - len(values)), None)]
    return end
