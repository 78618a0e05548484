"""The native back end plays like the evaluator, or refuses: skipped, in words, where `llvmlite` is not
installed.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import croupier
from croupier import resources
from croupier.diagnostics import RulesetError
from croupier.execution import llvm_compiler as engine
from croupier.execution.native_state import NativeState
from croupier.play.digest import digest
from croupier.play.match import MatchConfig
from croupier.play.results import GameResult
from croupier.play.simulate import simulate
from croupier.runtime.streams import Stream
from lockstep import lock_step, play
from needs import compiler

SHIPPED = [name for name in resources.shipped() if "/" not in name]
LARGE = ("vudu", "baron_voodoo", "wednesday_hyde", "una_notte_da_lupi", "witches_of_blackmore", "chess")
SMALL = {
    "tic_tac_toe",
    "connect_four",
    "breakthrough",
    "kuhn_poker",
    "liars_dice",
    "plain_tricks",
    "hex",
    "witches_of_blackmore",
}
"""Games that are played in no time."""
IN_LOCK_STEP = """
    chance decisions deep_blocks maps_of_none never_offered offered_twice out_of_fuel searches several_of_each steps
    telling_faults texts turned_tiles values watch_settles ways_out windows
""".split()  # noqa: E501 the text as it is read
PROGRAMS = Path(__file__).parents[1] / "data" / "programs"


def games_of(
    ruleset: croupier.Ruleset, players: int, backend: str, games: int, verify: bool = True
) -> tuple[str, list[GameResult]]:
    """The digest of some games, and everything known of each."""
    setup = MatchConfig(players=players, seed=1, backend=backend, verify=verify)
    played = sorted(simulate(ruleset, ruleset.path, setup, games, load=croupier.load), key=lambda g: g.game)
    return digest(played), list(played)


@compiler
@pytest.mark.parametrize(
    "name", [name for k, name in enumerate(SHIPPED) if name in LARGE or name in SMALL or k % 2]
)
def test_the_same_games(name: str) -> None:
    """Native code plays games alone, with the same digest and the same counts, and the evaluator replays
    them.

    The larger shipped games, and every other of the rest.
    """
    ruleset = croupier.load(name)
    players, games = (ruleset.players[-1], 20) if name in SMALL else (ruleset.players[0], 1)
    state = ruleset.new_initial_state(players, backend="native")
    played = games_of(ruleset, players, "native", games)
    together = games_of(ruleset, players, "native", games, verify=False)
    assert together == games_of(ruleset, players, "python", games, verify=False)
    assert together[1] == [replace(game, verified_hash=None) for game in played[1]] and together[0] == digest(
        together[1]
    )
    assert isinstance(state, NativeState)
    assert all(played is not None for _, played in state.native.play_rows(1, 1, games).games()), (
        "an action was unusual, and the evaluator stood in"
    )


@compiler
@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "connect_four", "kuhn_poker", "liars_dice", "witches_of_blackmore"]
)
def test_in_lock_step(name: str) -> None:
    for _ in lock_step(croupier.load(name), "native", 2, [2]):
        pass


@compiler
@pytest.mark.parametrize("program", IN_LOCK_STEP)
def test_programs_in_lock_step(program: str) -> None:
    """Small programs that between them hold every construct of the language."""
    for _ in lock_step(croupier.load(PROGRAMS / f"{program}.yaml"), "native", 1, [2]):
        pass


@compiler
def test_without_special_instructions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same games on a processor that has none for picking bits."""
    from croupier.execution import native_game

    played = []
    for features in (engine.cpu_features(), frozenset[str]()):
        monkeypatch.setattr(native_game, "cpu_features", lambda found=features: found)
        monkeypatch.setenv("CROUPIER_CACHE", "off")
        state = croupier.load("tic_tac_toe").new_initial_state(backend="native")
        assert isinstance(state, NativeState)
        played.append((list(state.native.play_rows(3, 1, 40).games()), state.native.playouts(40)))
    assert played[0] == played[1]


@compiler
def test_fuel_that_runs_out(tmp_path: Path) -> None:
    """Hooks, windows and reactions take no less fuel than the evaluator takes for them: it runs out in the
    same actions.
    """
    path = tmp_path / "windows.yaml"
    text = (PROGRAMS / "windows.yaml").read_text(encoding="utf-8")
    path.write_text(text.replace("\nplayers:", "\nlimits: {fuel: 40}\nplayers:", 1), encoding="utf-8")
    ruleset = croupier.load(path)
    faulted = 0
    for game in range(3):
        rng = random.Random(game)
        a, b = ruleset.new_initial_state(2), ruleset.new_initial_state(2, backend="native")
        play(a, b, rng)
        faulted += a.outcome()["status"] == "faulted"
    assert faulted


@compiler
@pytest.mark.parametrize(
    ("limits", "status", "left"),
    [
        ("decisions: 16", "unfinished", 0),
        ("decisions: 17", "finished", 0),
        ("decisions: 14", "unfinished", 3),
        ("chance: 7", "unfinished", 0),
    ],
)
def test_games_that_are_as_long_as_they_may_be(limits: str, status: str, left: int, tmp_path: Path) -> None:
    """They are unfinished with the same counts and words, and native code says so itself, but in the middle
    of a choice by several.
    """
    path = tmp_path / "at_the_limit.yaml"
    path.write_text(
        (PROGRAMS / "at_the_limit.yaml").read_text(encoding="utf-8").replace("decisions: 16", limits),
        encoding="utf-8",
    )
    ruleset = croupier.load(path)
    played = games_of(ruleset, 2, "native", 3, verify=False)
    assert (
        played
        == games_of(ruleset, 2, "reference", 3, verify=False)
        == games_of(ruleset, 2, "python", 3, verify=False)
    )
    assert {game.status for game in played[1]} == {status}
    state = ruleset.new_initial_state(2, backend="native")
    assert isinstance(state, NativeState) and state.native.play_rows(1, 1, 3).bailout_count() == left


@compiler
def test_words_of_an_end_are_no_reason_to_leave() -> None:
    """Whatever stands in `finish … as`, native code plays every game, and the words are those of the
    evaluator.
    """
    ruleset = croupier.load(PROGRAMS / "words_of_ends.yaml")
    digests, played = games_of(ruleset, 2, "native", 200, verify=False)
    assert (digests, played) == games_of(ruleset, 2, "reference", 200, verify=False)
    state = ruleset.new_initial_state(2, backend="native")
    assert isinstance(state, NativeState)
    rows = state.native.play_rows(1, 1, 200)
    assert rows.bailout_count() == 0
    assert rows.grade_counts() == Counter(game.grade for game in played)


@compiler
def test_what_is_not_compiled_is_refused() -> None:
    """No shipped ruleset is; lines of a large board whose length is chosen are."""
    ruleset = croupier.load(Path(__file__).parents[1] / "diagnostics" / "L050.yaml")
    with pytest.raises(RulesetError) as caught:
        ruleset.new_initial_state(backend="native")
    assert [d.code for d in caught.value.diagnostics] == ["X601"]
    assert "`native` does not compile" in caught.value.diagnostics[0].message
    assert caught.value.diagnostics[0].span is not None
    state = ruleset.new_initial_state(backend="auto")
    assert len(state.legal_actions()) == 9


@compiler
def test_random_numbers() -> None:
    """The published streams, in native code."""
    from croupier.printers import llvm_streams as streams
    from croupier.printers.llvm_builder import FunctionBuilder, parameters
    from croupier.runtime.streams import stream_key

    signature = "*streams game which n"
    go = FunctionBuilder("go", signature, public=True)
    go.ret(go.call("uniform", *(f"%{name}" for name in parameters(signature))))
    made = engine.ExecutionEngine(engine.compile_object("\n".join([*streams.stream_functions(), go.text()])))
    uniform = made.function("go", signature)
    rng = random.Random(1)
    sizes = [1, 2, 6, 7, 10**6, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 2**62 + 1]
    for seed, game in ((0, 1), (1, 12), (2**64 - 1, 10**12)):
        memory = engine.NativeMemory(2 * streams.STREAM)
        for which, purpose in enumerate(("chance", "seat 1")):
            first, second = stream_key(seed, purpose)
            memory.view.cast("B").cast("Q")[which * streams.STREAM + streams.KEY] = first | second << 32
            stream = Stream(seed, game, purpose)
            for n in (rng.choice(sizes) for _ in range(60)):
                assert stream.uniform(n) == uniform(memory.address, game, which, n)


def test_without_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is missed in words, and `auto` does not need it."""
    monkeypatch.setattr(engine, "is_installed", lambda: False)
    ruleset = croupier.load("tic_tac_toe")
    with pytest.raises(RulesetError) as caught:
        ruleset.new_initial_state(backend="native")
    assert [d.code for d in caught.value.diagnostics] == ["X602"]
    assert ruleset.new_initial_state(backend="auto").legal_actions() == list(range(9))


@compiler
@pytest.mark.parametrize("program", ["walks_with_lists", "paths_with_lists"])
def test_no_game_with_lists_in_recursive_definitions_is_left(program: str) -> None:
    """They are played by compiled code alone, and the evaluator plays them the same."""
    ruleset = croupier.load(PROGRAMS / f"{program}.yaml")
    played = [games_of(ruleset, 2, backend, 5, verify=False) for backend in ("reference", "python", "native")]
    assert played[0] == played[1] == played[2]
    assert not any(game.left_to_evaluator for _, games in played for game in games)
    state = ruleset.new_initial_state(2, backend="native")
    assert isinstance(state, NativeState) and state.native.play_rows(1, 1, 5).bailout_count() == 0
