"""Every ruleset the repository has lowers to a module that keeps all invariants; a module that does not is refused, each for its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from croupier.ir import Module, lower, verify
from croupier.ir.instructions import Instruction
from croupier.ir.operations import OPERATIONS
from croupier.ir.routines import Block, Effects, Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Branch, Give, Jump, Return, Walk
from croupier.semantics import types as t
from programs import names, rulesets

PROGRAMS = [name for name in names() if name.startswith("tests/data/programs/")]


@pytest.mark.parametrize("name", names())
def test_all_invariants_hold(name: str) -> None:
    for place, r in rulesets(name).items():
        assert [str(p) for p in verify(lower(r.program))] == [], place


def test_every_operation_of_the_table_is_lowered_to() -> None:
    used = {i.op for m in modules() for r in m.every_routine() for b in r.blocks for i in b.code}
    assert used == set(OPERATIONS), "add what is missing to tests/data/programs/values.yaml"


# ------------------------------------------------------------ spoiling modules
Spoilt = Iterator[Module]
Change = Callable[[Module], Spoilt]
CHANGES: dict[str, tuple[str, Change]] = {}


@cache
def modules() -> list[Module]:
    later = ("dead_ends", "texts_of_values", "deep_lists", "noticed", "out_of_fuel", "every_in_a_loop")  # written for the core
    return [lower(r.program) for name in PROGRAMS if not any(part in name for part in later) for r in rulesets(name).values()]


def spoils(check: str) -> Callable[[Change], Change]:
    """A way to spoil a module, and the check that must find it."""

    def add(change: Change) -> Change:
        CHANGES[change.__name__] = (check, change)
        return change

    return add


def with_routine(m: Module, r: Routine) -> Module:
    return replace(m, routines=tuple(r if x.index == r.index else x for x in m.routines))


def with_block(m: Module, r: Routine, b: Block) -> Module:
    return with_routine(m, replace(r, blocks=tuple(b if x.number == b.number else x for x in r.blocks)))


def blocks(m: Module) -> Iterator[tuple[Routine, Block]]:
    for r in m.routines:
        for b in r.blocks:
            yield r, b


def ends(m: Module, kind: type[Any]) -> Iterator[tuple[Routine, Block, Any]]:
    for r, b in blocks(m):
        if isinstance(b.end, kind):
            yield r, b, b.end


def instructions(m: Module, *ops: str) -> Iterator[tuple[Routine, Block, int, Instruction]]:
    for r, b in blocks(m):
        for n, i in enumerate(b.code):
            if not ops or i.op in ops:
                yield r, b, n, i


def with_code(m: Module, r: Routine, b: Block, n: int, *code: Instruction) -> Module:
    """Other instructions in the place of one."""
    return with_block(m, r, replace(b, code=(*b.code[:n], *code, *b.code[n + 1 :])))


# ------------------------------------------------------------ shape
@spoils("shape")
def a_jump_to_nowhere(m: Module) -> Spoilt:
    for r, b, end in ends(m, Jump):
        yield with_block(m, r, replace(b, end=replace(end, target=len(r.blocks))))


@spoils("shape")
def a_branch_to_nowhere(m: Module) -> Spoilt:
    for r, b, end in ends(m, Branch):
        yield with_block(m, r, replace(b, end=replace(end, other=-1)))


@spoils("shape")
def a_block_without_an_end(m: Module) -> Spoilt:
    for r, b in blocks(m):
        yield with_block(m, r, replace(b, end=None))  # type: ignore[arg-type]


@spoils("shape")
def a_terminator_among_instructions(m: Module) -> Spoilt:
    for r, b, end in ends(m, Jump):
        yield with_block(m, r, replace(b, code=(*b.code, end)))


@spoils("shape")
def an_unknown_operation(m: Module) -> Spoilt:
    for r, b, n, i in instructions(m):
        yield with_code(m, r, b, n, replace(i, op="guess"))


@spoils("shape")
def a_slot_that_does_not_exist(m: Module) -> Spoilt:
    for r, b, n, i in instructions(m):
        if i.args:
            yield with_code(m, r, b, n, replace(i, args=(len(r.slots), *i.args[1:])))


@spoils("shape")
def data_where_none_belongs(m: Module) -> Spoilt:
    for r, b, n, i in instructions(m, "add", "is_none", "copy"):
        yield with_code(m, r, b, n, replace(i, data="more"))


@spoils("shape")
def a_suspension_without_its_resume(m: Module) -> Spoilt:
    for r, b, end in ends(m, Suspend):
        for k in range(len(end.resumes)):
            if end.resumes[k].name not in ("declined", "reacted"):
                yield with_block(m, r, replace(b, end=replace(end, resumes=end.resumes[:k] + end.resumes[k + 1 :])))


@spoils("shape")
def a_suspension_without_a_query(m: Module) -> Spoilt:
    for r, b, end in ends(m, Suspend):
        for k, q in enumerate(end.asks):
            if q.name in ("chooser", "choosers", "options", "source", "low"):
                yield with_block(m, r, replace(b, end=replace(end, asks=end.asks[:k] + end.asks[k + 1 :])))


@spoils("shape")
def a_suspension_that_cannot_be_passed(m: Module) -> Spoilt:
    for r, b, end in ends(m, Suspend):
        if end.blocked is not None:
            yield with_block(m, r, replace(b, end=replace(end, blocked=None)))


@spoils("shape")
def two_suspensions_of_one_point(m: Module) -> Spoilt:
    for r, b, end in ends(m, Suspend):
        if end.point > 0:
            yield with_block(m, r, replace(b, end=replace(end, point=0)))


@spoils("shape")
def a_kind_of_suspension_that_is_none(m: Module) -> Spoilt:
    for r, b, end in ends(m, Suspend):
        yield with_block(m, r, replace(b, end=replace(end, kind="dream")))


# ------------------------------------------------------------ assignment
@spoils("assignment")
def an_instruction_left_out(m: Module) -> Spoilt:
    for r, b, n, i in instructions(m, "const", "state", "board_cells", "begin_walk", "list"):
        made = i.into[0]
        is_read = any(made in c.end.reads() or any(made in x.args for x in c.code) for c in r.blocks)
        if is_read and r.slots[made].role == "temp" and sum(made in x.into for c in r.blocks for x in c.code) == 1:
            yield with_code(m, r, b, n)


@spoils("assignment")
def a_resume_that_fills_nothing_in(m: Module) -> Spoilt:
    for r, b, end in ends(m, Suspend):
        for k, way in enumerate(end.resumes):
            if way.assigns and end.kind in ("draw", "roll"):
                yield with_block(m, r, replace(b, end=replace(end, resumes=(*end.resumes[:k], replace(way, assigns=()), *end.resumes[k + 1 :]))))


@spoils("assignment")
def a_temporary_read_after_waiting(m: Module) -> Spoilt:
    for r, b, end in ends(m, Suspend):
        for i in b.code:
            if i.into and r.slots[i.into[0]].role == "temp":
                after = r.blocks[end.resumes[0].target]
                reader = Instruction("announce", (), (i.into[0],), None, i.span)
                yield with_block(m, r, replace(after, code=(reader, *after.code)))


@spoils("assignment")
def a_parameter_that_nobody_fills_in(m: Module) -> Spoilt:
    for r in m.routines:
        if r.takes and r.kind == "def":
            yield with_routine(m, replace(r, takes=()))


# ------------------------------------------------------------ types
@spoils("types")
def a_branch_on_a_number(m: Module) -> Spoilt:
    for r, _, end in ends(m, Branch):
        yield with_routine(m, replace(r, slots=tuple(replace(s, type=t.INT) if s.number == end.test else s for s in r.slots)))


@spoils("types")
def one_operand_too_many(m: Module) -> Spoilt:
    for r, b, n, i in instructions(m, "add", "sub", "is_none", "eq", "move", "put", "index", "entry"):
        yield with_code(m, r, b, n, replace(i, args=(*i.args, i.args[-1])))


@spoils("types")
def an_operand_of_another_type(m: Module) -> Spoilt:
    for r, b, n, i in instructions(m, "add", "attr", "zone_list", "size", "seat", "clockwise", "set_mutable"):
        other = next((s.number for s in r.slots if isinstance(s.type, t.Bool)), None)
        if other is not None:
            yield with_code(m, r, b, n, replace(i, args=(other, *i.args[1:])))


@spoils("types")
def an_optional_taken_for_certain(m: Module) -> Spoilt:
    for r, b, n, i in instructions(m, "certain"):
        if isinstance(r.slots[i.args[0]].type, t.Optional) and not isinstance(r.slots[i.into[0]].type, t.Optional):
            yield with_code(m, r, b, n, replace(i, op="copy"))


@spoils("types")
def an_end_without_the_value_promised(m: Module) -> Spoilt:
    for r, b, end in ends(m, Return):
        if end.value is not None:
            yield with_block(m, r, replace(b, end=replace(end, value=None)))


@spoils("types")
def an_end_that_keeps_a_var_parameter(m: Module) -> Spoilt:
    for r, b, end in ends(m, Return):
        if end.gives:
            yield with_block(m, r, replace(b, end=replace(end, gives=())))


@spoils("types")
def a_call_without_an_argument(m: Module) -> Spoilt:
    for r, b, n, i in instructions(m, "call"):
        if i.args:
            yield with_code(m, r, b, n, replace(i, args=i.args[1:]))


@spoils("types")
def a_walk_of_no_list(m: Module) -> Spoilt:
    for r, b, end in ends(m, Walk):
        yield with_block(m, r, replace(b, end=replace(end, items=end.at)))


@spoils("types")
def a_question_with_the_wrong_answer(m: Module) -> Spoilt:
    for r, b, end in ends(m, Give):
        if end.value is not None and any(q.name == "chooser" and q.entry == b.number for q, _ in r.every_query()):
            yield with_block(m, r, replace(b, end=replace(end, value=None)))


# ------------------------------------------------------------ live slots, fuel
@spoils("live")
def a_live_slot_forgotten(m: Module) -> Spoilt:
    for r in m.routines:
        for point, live in r.live.items():
            if live:
                yield with_routine(m, replace(r, live={**r.live, point: live[1:]}))


@spoils("live")
def a_dead_slot_kept(m: Module) -> Spoilt:
    for r, b, end in ends(m, Suspend):
        dead = next((s.number for s in r.slots if s.role == "local" and s.number not in r.live[end.point]), None)
        if dead is not None:
            yield with_block(m, r, replace(b, end=replace(end, keeps=(*end.keeps, dead))))


@spoils("live")
def a_new_reader_after_waiting(m: Module) -> Spoilt:
    for r, _, end in ends(m, Suspend):
        for way in end.resumes:
            after = r.blocks[way.target]
            slot = next((s for s in r.takes if s not in r.live[end.point]), None)
            if slot is not None:
                reader = Instruction("is_none", (len(r.slots) - 1,), (slot,), None, end.span)
                yield with_block(m, r, replace(after, code=(reader, *after.code)))


@spoils("fuel")
def a_loop_free_of_charge(m: Module) -> Spoilt:
    for r in m.routines:
        if any(isinstance(b.end, Walk) and b.end.done is None for b in r.blocks):
            yield with_routine(m, replace(r, blocks=tuple(replace(b, code=tuple(i for i in b.code if i.op != "burn")) for b in r.blocks)))


@spoils("fuel")
def a_block_that_jumps_to_itself(m: Module) -> Spoilt:
    for r, b, end in ends(m, Jump):
        if not any(i.op == "burn" for i in b.code):
            yield with_block(m, r, replace(b, end=replace(end, target=b.number)))


@spoils("fuel")
def a_walk_that_is_not_paid_for(m: Module) -> Spoilt:
    for r, b, n, i in instructions(m, "begin_walk"):
        if not any(c.op == "burn" for x in r.blocks for c in x.code):
            continue
        yield with_code(m, r, b, n, Instruction("const", i.into, (), 0, i.span))


@spoils("fuel")
def a_walk_of_a_growing_list(m: Module) -> Spoilt:
    for r, _, end in ends(m, Walk):
        if end.done is not None and r.slots[end.at].role == "temp" and isinstance(r.slots[end.items].type, t.Collection):
            body = r.blocks[end.body]
            if not any(i.op == "burn" for i in body.code):
                grow = Instruction("append", (end.items,), (end.items, end.item), None, end.span)
                yield with_block(m, r, replace(body, code=(*body.code, grow)))


# ------------------------------------------------------------ queries, effects, tables
@spoils("queries")
def a_query_that_acts(m: Module) -> Spoilt:
    for r in m.routines:
        for q, _ in r.every_query():
            b = r.blocks[q.entry]
            yield with_block(m, r, replace(b, code=(Instruction("burn", (), (), (), r.span), *b.code)))


@spoils("queries")
def a_body_that_runs_into_a_query(m: Module) -> Spoilt:
    for r, b, end in ends(m, Suspend):
        if end.asks and end.blocked is not None:
            yield with_block(m, r, replace(b, end=replace(end, blocked=end.asks[0].entry)))


@spoils("effects")
def a_write_that_is_not_declared(m: Module) -> Spoilt:
    for r in m.routines:
        if r.effects.writes:
            yield with_routine(m, replace(r, effects=Effects(r.effects.reads)))


@spoils("effects")
def a_read_that_is_not_declared(m: Module) -> Spoilt:
    for r in m.every_routine():
        if r.effects.reads and r.index >= 0:
            yield with_routine(m, replace(r, effects=Effects(frozenset(), r.effects.writes)))


@spoils("effects")
def a_watcher_that_does_not_look(m: Module) -> Spoilt:
    for k, w in enumerate(m.watchers):
        yield replace(m, watchers=(*m.watchers[:k], replace(w, reads=frozenset()), *m.watchers[k + 1 :]))


@spoils("tables")
def a_hook_left_out(m: Module) -> Spoilt:
    for k in range(len(m.tables)):
        yield replace(m, tables=m.tables[:k] + m.tables[k + 1 :])


@spoils("tables")
def hooks_in_another_order(m: Module) -> Spoilt:
    for k, table in enumerate(m.tables):
        if len(table.reaction) > 1:
            yield replace(m, tables=(*m.tables[:k], replace(table, reaction=table.reaction[::-1]), *m.tables[k + 1 :]))


@spoils("tables")
def a_hook_of_no_routine(m: Module) -> Spoilt:
    for k, table in enumerate(m.tables):
        if table.after:
            lost = replace(table.after[0], routine=len(m.routines))
            yield replace(m, tables=(*m.tables[:k], replace(table, after=(lost, *table.after[1:])), *m.tables[k + 1 :]))


@spoils("tables")
def a_guard_that_is_not_there(m: Module) -> Spoilt:
    for table in m.tables:
        for row in table.rows():
            if row.guarded:
                r = m.routines[row.routine]
                yield with_routine(m, replace(r, queries=tuple(q for q in r.queries if q.name != "guard")))


@pytest.mark.parametrize("name", CHANGES)
def test_a_spoilt_module_is_refused(name: str) -> None:
    """Each way of spoiling applies somewhere, and wherever it applies the check that it aims at finds it."""
    check, change = CHANGES[name]
    tried = 0
    for m in modules():
        for number, spoilt in enumerate(change(m)):
            if number >= 2:
                break
            tried += 1
            assert check in {p.check for p in verify(spoilt)}, f"{m.program.name}, {number}"
    assert tried, "this applies nowhere"


def test_every_check_is_aimed_at() -> None:
    assert {check for check, _ in CHANGES.values()} == {"shape", "assignment", "types", "live", "fuel", "queries", "effects", "tables"}
