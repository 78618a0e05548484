"""Dispatch tables: rows name routines, slots and queries that exist, and stand in the order of the text."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.ir.module import Module, Row, Table
from croupier.ir.problems import Problem

KINDS = ("before", "instead", "adjust", "after", "reaction")


def check_tables(module: Module) -> Iterator[Problem]:
    """The tables of a module hold each hook once, and its routines exist."""
    known = {h.index for h in module.program.hooks}
    listed = [row.hook for table in module.tables for row in table.rows()]
    if sorted(listed) != sorted(known):
        yield Problem("tables", "the module", None, "its tables do not hold each hook once")
    if not 0 <= module.main < len(module.routines):
        yield Problem("tables", "the module", None, f"its main routine {module.main} does not exist")
    if [r.index for r in module.routines] != list(range(len(module.routines))):
        yield Problem("tables", "the module", None, "its routines are not numbered in order")
    for table in module.tables:
        name = f"table of {module.routines[table.target].name}" if 0 <= table.target < len(module.routines) else "a table"
        for kind in KINDS:
            rows: tuple[Row, ...] = getattr(table, kind)
            if [row.hook for row in rows] != sorted(row.hook for row in rows):
                yield Problem("tables", name, None, f"`{kind}` is not in the order of the text")
            for row in rows:
                yield from (Problem("tables", name, None, text) for text in _row(module, table, row))


def _row(module: Module, table: Table, row: Row) -> Iterator[str]:
    if not (0 <= row.routine < len(module.routines) and 0 <= table.target < len(module.routines)):
        yield f"hook {row.hook} names a routine that does not exist"
        return
    routine, target = module.routines[row.routine], module.routines[table.target]
    params = len(module.program.procs[target.index].params)
    own = (row.self_slot, row.owner_slot, row.here_slot, row.result_slot, row.chain_slot, *(slot for _, slot in row.binds))
    for slot in own:
        if slot is not None and slot not in routine.takes:
            yield f"slot {slot} of hook {row.hook} is not filled in before it runs"
    for param in (*(param for param, _ in row.binds), *row.fixed):
        if not 0 <= param < params:
            yield f"hook {row.hook} listens to parameter {param} of {params}"
    names = {q.name for q in routine.queries}
    wanted = {*(f"fixed {n}" for n in row.fixed), *(("guard",) if row.guarded else ())}
    for name in sorted(wanted - names):
        yield f"hook {row.hook} has no query `{name}`"
