"""The lowering means what the tree means: lowered queries give what the evaluator gives, in random positions of every ruleset."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import croupier
from croupier.ir import Module, lower
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.runtime.faults import Fault
from croupier.runtime.state import State
from lowered import Asker
from programs import names, rulesets
from random_steps import step

STEPS = 25


def waiting(module: Module, state: State) -> tuple[Routine, Suspend] | None:
    """The suspension that a state stands at, unless it runs hooks."""
    frame = state._m.frames[-1]
    if frame.code.proc.index < 0:
        return None
    routine = module.routines[frame.code.proc.index]
    return routine, next(end for _, end in routine.suspensions() if end.point == frame.pc.point)


def check_options(routine: Routine, end: Suspend, state: State) -> int:
    """Who chooses, what may be chosen and how it is called: by the queries and by the evaluator."""
    m = state._m
    op, frame = m.waiting, m.frames[-1]
    asker, asks = Asker(routine, m), {q.name: q for q in end.asks}
    compared = 0
    if "chooser" in asks:
        assert asker.ask(asks["chooser"], frame.L).value == op.chooser(m, frame)
        compared += 1
    if "choosers" in asks:
        assert asker.ask(asks["choosers"], frame.L).value == op.by(m, frame.L)
    if end.kind in ("choose", "choose_every", "chance"):
        for seat in op.pending(m, frame) if end.kind == "choose_every" else [-1]:
            taken = (seat,) if end.kind == "choose_every" else ()
            here = op.for_seat(frame, seat).L if taken else frame.L
            found = [v for v, _ in asker.ask(asks["options"], frame.L, *taken).offers]
            wanted = [v for _, v in op.candidates(m, here[:]) if op.passes(m, here[:], v)]
            assert list(dict.fromkeys(found)) == list(dict.fromkeys(wanted))
            compared += len(wanted)
            if "label" in asks and op.label is not None:
                for a, v in zip((a for a, _ in op.options(m, frame, seat)), (v for _, v in op.options(m, frame, seat)), strict=True):
                    assert asker.ask(asks["label"], frame.L, *taken, v).value == op.describe(m, frame, seat, a)
    if end.kind == "menu":
        rows = op.rows(m, frame)
        for k, entry in enumerate(op.entries):
            found = list(dict.fromkeys(o[: len(entry.slots)] for o in asker.ask(asks[f"options {k}"], frame.L).offers))
            wanted = [values for _, option, values in rows if option == k]
            assert found == wanted
            compared += 1
            for action, option, values in rows:
                if option == k:
                    assert asker.ask(asks[f"label {k}"], frame.L, *values).value == op.describe(m, frame, -1, action)
    if end.kind in ("choose_set", "chance_set"):
        source = op.source(m, frame.L)
        assert asker.ask(asks["source"], frame.L).value == source
        for name, run in (("low", op.low_run), ("high", op.high_run)):
            assert (run is None) == (name not in asks) and (run is None or asker.ask(asks[name], frame.L).value == run(m, frame.L))
        if "such_that" in asks:
            held = tuple(source[i] for i in frame.L[op.picked])
            scratch = frame.L[:]
            scratch[op.whole] = held
            assert tried(lambda: asker.ask(asks["such_that"], frame.L, held).value) == tried(lambda: op.such_that(m, scratch))
        compared += 1
    return compared


def tried(run: Callable[[], Any]) -> Any:
    """What a condition says, or the code of its fault: one of a set that is asked of part of it may reach past its end."""
    try:
        return run()
    except Fault as fault:
        return fault.code


def check_invariants(module: Module, state: State) -> int:
    m = state._m
    m.refuel()
    for routine, (_, test, _) in zip(module.invariants, state.game.code.invariants(), strict=True):
        try:
            wanted = test(m)
        except Fault:
            continue
        assert Asker(routine, m).ask(routine.queries[0], []).value == wanted
    return len(module.invariants)


def check_watchers(module: Module, state: State) -> None:
    m = state._m
    for w, code in zip(module.watchers, state.game.code.watchers, strict=True):
        routine = module.routines[w.routine]
        value = next(q for q in routine.queries if q.name == "value")
        assert Asker(routine, m).ask(value, []).value == code.value(m, [None] * code.slots)


def compare(r: croupier.Ruleset, players: int, seed: int) -> dict[str, int]:
    module, rng, state = lower(r.program), random.Random(seed), r.new_initial_state(players)
    counts: dict[str, int] = {"options": 0, "invariants": 0}
    for _ in range(STEPS):
        if state.is_terminal():
            break
        here: Any = waiting(module, state)
        if here is not None:
            state._m.refuel()
            counts["options"] += check_options(*here, state)
        counts["invariants"] += check_invariants(module, state)
        check_watchers(module, state)
        step(state, rng)
    return counts


MERGED = {"tests/data/programs/alike.yaml"}  # back ends put alike components together above the queries: lock step compares the outcome


@pytest.mark.parametrize("name", sorted({*names()} - MERGED)[::2])
def test_lowered_queries_answer_as_the_evaluator(name: str) -> None:
    compared = 0
    for number, r in enumerate(rulesets(name).values()):
        for players in sorted({r.players[0], r.players[-1]}):
            compared += compare(r, players, number)["options"]
    assert compared or not name.startswith("tests/data/"), "nothing was compared"


def test_the_test_programs_reach_every_kind() -> None:
    """What the comparison cannot see is not tested: every kind of suspension with queries occurs in the test programs."""
    kinds = {
        end.kind
        for name in names()
        if name.startswith("tests/data/programs/")
        for r in rulesets(name).values()
        for routine in lower(r.program).every_routine()
        for _, end in routine.suspensions()
    }
    from croupier.ir.suspensions import KINDS

    assert kinds == set(KINDS)
