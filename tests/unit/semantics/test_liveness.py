"""Liveness: what is live at each point of small programs, and that nothing else matters in any game.

The careful test plays random games of every ruleset there is, three times with the same choices: once as they
are, once with every local that is not live emptied at each decision, once saved and read again at each
decision. They must never differ.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.runtime.position import live_slots
from croupier.semantics.procedures import Proc
from programs import names, rulesets, small
from random_steps import step


def live(proc: Proc) -> list[str]:
    """The live slots of every point, as words."""
    return [" ".join(sorted(proc.slots[i] for i in slots)) for slots in proc.live.values()]


def cases() -> Iterator[Any]:
    for part in (Path(__file__).parent / "liveness.txt").read_text(encoding="utf-8").split("\n== ")[1:]:
        title, *lines = part.rstrip().split("\n")
        wanted = [line[3:].replace("-", "") for line in lines if line.startswith("-> ")]
        definitions = [line[2:] for line in lines if line.startswith("| ")]
        body = [line for line in lines if not line.startswith(("-> ", "| "))]
        yield pytest.param("\n".join(body), "\n".join(definitions), wanted, id=title)


@pytest.mark.parametrize(("body", "definitions", "wanted"), list(cases()))
def test_points(tmp_path: Path, body: str, definitions: str, wanted: list[str]) -> None:
    assert live(small(tmp_path, body, definitions).program.phases["play"]) == wanted


def test_calls_write_back(tmp_path: Path) -> None:
    """While a call runs, a `var` argument is not live: it is written on return.

    One that is read on has to be.
    """
    r = small(
        tmp_path,
        "var n = 1\nvar k = 2\nlet lost = 3\nlet a = ask(n, lost)\nchoose x from 1..n by "
        "players.first\ntotal = x + a + k\nfinish draw",
        "def ask(var n: int, m: int) -> int:\n    choose x from 1..2 by players.first where x <= m\n    n "
        "= x\n    return x",
    )
    assert live(r.program.phases["play"]) == ["k", "a k n"]
    assert live(r.program.defs["ask"]) == ["m"], "n is written before it goes back"


def test_var_parameters_are_live_at_the_end(tmp_path: Path) -> None:
    r = small(
        tmp_path,
        "var n = 1\nask(n)\ntotal = n\nfinish draw",
        "def ask(var n: int):\n    choose x from 1..2 by players.first\n    total = x",
    )
    assert live(r.program.defs["ask"]) == ["n"]


def test_paths_that_differ_in_dead_locals_only_are_equal(tmp_path: Path) -> None:
    """What was chosen first and is never read again: the positions after it are one."""
    r = small(
        tmp_path,
        "choose x from 1..3 by players.first\nlet y = x * 2\nchoose z from 1..2 by players.first\ntotal = "
        "z\nfinish draw",
    )
    states = [after(r, a) for a in (1, 2, 3)]
    assert len({s.hash() for s in states}) == 1 and states[0] == states[1]
    read = small(
        tmp_path,
        "choose x from 1..3 by players.first\nlet y = x * 2\nchoose z from 1..2 by players.first\ntotal = "
        "y\nfinish draw",
    )
    assert len({after(read, a).hash() for a in (1, 2, 3)}) == 3


def after(r: croupier.Ruleset, action: int) -> croupier.State:
    state = r.new_initial_state()
    state.apply_action(state.legal_actions()[action - 1])
    return state


def test_windows_keep_everything() -> None:
    r = rulesets("tests/data/programs/windows.yaml")["tests/data/programs/windows.yaml"]
    proc = r.program.windows["struck"]
    assert proc.live == {0: tuple(range(len(proc.slots)))}


def test_liveness_is_no_part_of_the_hash_of_a_ruleset(tmp_path: Path) -> None:
    from croupier.semantics.canonical import canonical_form

    program = small(tmp_path, "choose x from 1..3 by players.first\nfinish draw").program
    before = canonical_form(program)
    for proc in program.procs:
        proc.live = {}
    assert canonical_form(program) == before


# ------------------------------------------------------------ the careful test
STEPS = 90  # choices and chance events of one game


def emptied(state: croupier.State) -> croupier.State:
    """A copy in which every local that is not live holds nothing."""
    copy = state.clone()
    for frame in copy._m.frames:
        kept = set(live_slots(frame))
        frame.L = [v if i in kept else None for i, v in enumerate(frame.L)]
    return copy


def facts(state: croupier.State) -> Any:
    """What those who act may do, some of it in words, and the position."""
    if state.is_terminal():
        return state.outcome()
    if state.is_chance_node():
        return [(a, p, state.action_to_string(-1, a)) for a, p in state.chance_outcomes()], state.hash()
    options = [(s, a) for s in state.pending_seats() for a in state.legal_actions(s)]
    return options, [state.action_to_string(s, a) for s, a in options[:8]], state.hash()


def careful(r: croupier.Ruleset, players: int, seed: int) -> None:
    """One game three times: as it is; with every dead local emptied at each decision; saved and read again at
    each decision.
    """
    plain, empty, saved = (r.new_initial_state(players) for _ in range(3))
    rngs = [random.Random(seed) for _ in range(3)]
    for _ in range(STEPS):
        empty, saved = (
            emptied(empty),
            saved if saved.is_terminal() else r.deserialize(saved.serialize(), replay=False),
        )
        first, *others = map(facts, (plain, empty, saved))
        assert all(o == first for o in others)
        if plain.is_terminal():
            return
        for state, rng in zip((plain, empty, saved), rngs, strict=True):
            step(state, rng)


def every_other() -> Iterator[Any]:
    """Every third file; variants, which differ little from their rulesets, are a soak."""
    for name in names()[::4]:
        yield pytest.param(name, marks=[pytest.mark.soak] if "/variants/" in name else [])


@pytest.mark.parametrize("name", every_other())
def test_dead_locals_do_not_matter(name: str) -> None:
    for number, r in enumerate(rulesets(name).values(), len(name)):
        careful(r, r.players[-(number % 2)], number)  # the fewest or the most players
