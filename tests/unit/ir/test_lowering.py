"""Lowering: what small programs become. Whole texts of one ruleset are recorded in `recorded/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.ir import lower
from croupier.ir.routines import Routine
from croupier.ir.slots import HIDDEN
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Foresee, Settle
from croupier.semantics.tree import X
from programs import names, rulesets, small


def lowered(folder: Path, body: str, definitions: str = "", name: str = "play") -> Routine:
    return next(r for r in lower(small(folder, body, definitions).program).routines if r.name == name)


def operations(r: Routine) -> list[str]:
    return [i.op for b in r.blocks for i in b.code]


def test_slots_keep_their_numbers(tmp_path: Path) -> None:
    """The first slots are those of the tree; hidden ones say what they are for."""
    program = small(tmp_path, "for p in players:\n    choose 1..2 xs from 1..3 by p\nfinish draw").program
    r = next(r for r in lower(program).routines if r.name == "play")
    proc = program.phases["play"]
    assert [s.name for s in r.slots[: len(proc.slots)]] == proc.slots
    assert all(s.role == "temp" for s in r.slots[len(proc.slots) :])
    assert {s.name: s.role for s in r.slots if s.role in HIDDEN} == {"$items": "items", "$at": "at", "$picked": "places"}


def test_only_suspensions_cut(tmp_path: Path) -> None:
    """Statements without a wait between two waits run through without giving anything up."""
    r = lowered(tmp_path, "var n = 1\nif n > 0: n = 2\nchoose x from 1..n by players.first\ntotal = x\nfinish draw")
    assert [end.kind for _, end in r.suspensions()] == ["choose"]


def test_conditions_become_branches(tmp_path: Path) -> None:
    """`and` and `or` work out no more than needed: no instruction is left of them."""
    ops = operations(lowered(tmp_path, "if total > 1 and (total < 5 or total == 7): total = 0\nfinish draw"))
    assert "not" not in ops and ops.count("state") == 3


def test_an_entry_of_a_variable_is_no_copy(tmp_path: Path) -> None:
    r = next(r for r in lower(rulesets("tests/data/programs/windows.yaml")["tests/data/programs/windows.yaml"].program).routines if r.name == "lose")
    assert {"entry", "set_entry"} <= set(operations(r)) and "put" not in operations(r)


def test_fuel_is_charged_as_the_evaluator_does(tmp_path: Path) -> None:
    """A statement that cannot wait costs one; a loop that can costs one a round and nothing to begin."""
    plain = lowered(tmp_path, "total = 1\ntotal = 2\nfinish draw")
    assert operations(plain).count("burn") == 3
    loop = lowered(tmp_path, "for p in players:\n    choose x from 1..2 by p\nfinish draw")
    assert operations(loop).count("burn") == 3  # a round, the choice, the end


def test_look_ahead_blocks_are_settled_on_every_way_out(tmp_path: Path) -> None:
    r = lowered(
        tmp_path,
        "for p in players:\n    so that total > 0:\n        choose x from 0..1 by p\n        if x == 0: break\n        total = 1\nfinish draw",
    )
    begun = [b.end.slot for b in r.blocks if isinstance(b.end, Foresee)]
    assert len(begun) == 1 and [b.end.slot for b in r.blocks if isinstance(b.end, Settle)] == begun * 2


def test_a_call_that_waits_reads_its_arguments_before(tmp_path: Path) -> None:
    r = lowered(
        tmp_path,
        "let a = 1\nvar b = 2\nask(a, b)\ntotal = b\nfinish draw",
        "def ask(a: int, var b: int):\n    choose x from 1..2 by players.first\n    b = x + a",
    )
    _, end = next(r.suspensions())
    assert isinstance(end, Suspend) and end.kind == "call"
    assert {r.slots[i].name for i in end.args} == {"a", "b"} and r.live[end.point] == ()
    assert [w.name for w in end.resumes] == ["returned"] and len(end.resumes[0].assigns) == 1


def test_tables_stand_in_the_order_of_the_text() -> None:
    module = lower(rulesets("tests/data/programs/windows.yaml")["tests/data/programs/windows.yaml"].program)
    struck = module.table(module.program.windows["struck"].index)
    assert [row.component for row in struck.reaction] == [("Card", "shield"), ("Card", "mirror")]
    strike = module.table(module.program.defs["strike"].index)
    assert [len(rows) for rows in (strike.before, strike.instead, strike.adjust, strike.after)] == [1, 0, 0, 1]
    assert module.table(module.main).rows() == ()


def test_watchers_know_what_they_look_at() -> None:
    module = lower(rulesets("tests/data/programs/windows.yaml")["tests/data/programs/windows.yaml"].program)
    assert [(w.kind, w.reads) for w in module.watchers] == [("watch", {("state", "heat")}), ("end", {("state", "life")})]


def test_an_unknown_operation_is_a_mistake_of_ours(tmp_path: Path) -> None:
    program = small(tmp_path, "total = 1\nfinish draw").program
    s = program.phases["play"].body[0]
    s.args = (s.args[0], X("guess", s.args[1].type, s.span))
    with pytest.raises(AssertionError, match="nothing lowers `guess`"):
        lower(program)


def test_lowering_changes_nothing_of_the_program() -> None:
    from croupier.semantics.canonical import canonical_form

    for name in names():
        for r in rulesets(name).values():
            before = canonical_form(r.program)
            lower(r.program)
            assert canonical_form(r.program) == before
