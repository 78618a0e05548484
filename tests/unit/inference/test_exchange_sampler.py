"""States drawn by exchanges of components that a seat did not see: each as often as it should be, none that
the seat could tell from the real one, the same on every back end.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier import resources
from croupier.inference import ExchangeSampler, NoTable, reasons_against, sampler
from croupier.inference.resampling import Resampler
from croupier.runtime.streams import Stream
from croupier.runtime.visibility import hides_nothing_ever
from needs import compiler

DATA = Path(__file__).parents[2] / "data"
GAMES = {
    **{name: str(DATA / "exchanges" / f"{name}.yaml") for name in ("follow", "told", "passed", "veiled")},
    "two_deals": str(DATA / "two_deals.yaml"),
}
SHIPPED = [name for name in resources.shipped() if "/" not in name]


@cache
def loaded(name: str) -> croupier.Ruleset:
    """A ruleset, loaded once."""
    return croupier.load(GAMES.get(name, name))


def after(name: str, steps: int, seed: int, players: int | None = None, backend: str = "reference") -> Any:
    """A state after so many random steps, or earlier where the game is over, at a decision of one seat."""
    state, chance = loaded(name).new_initial_state(players, backend=backend), random.Random(seed)
    while not state.is_terminal() and (len(state.history) < steps or state.is_chance_node()):
        if state.is_chance_node():
            state.apply_action(chance.choice(state.chance_outcomes())[0])
        else:
            seat = state.pending_seats()[0]
            state.apply_action(chance.choice(state.legal_actions(seat)), seat)
    return state


def seat_at(state: Any) -> int:
    """The seat that is asked."""
    return int((state.pending_seats() or [0])[0])


def shares_of(state: Any, seat: int) -> Counter[str]:
    """How likely each position is, by following all histories."""
    found: Counter[str] = Counter()
    for one, share in Resampler(state, seat, 400_000).possible():
        found[one.hash()] += float(share)  # type: ignore[assignment]
    return found


# name, steps, seed, players: with rules about what may be played, told sums, cards passed in secret, two
# deals
SMALL = [
    ("leduc_poker", 4, 3, 2),
    ("leduc_poker", 7, 5, 2),
    ("kuhn_poker", 5, 1, 3),
    ("follow", 8, 1, 3),
    ("follow", 9, 2, 3),
    ("follow", 10, 4, 3),
    ("told", 4, 1, 2),
    ("told", 5, 2, 2),
    ("told", 6, 8, 2),
    ("passed", 9, 1, 3),
    ("passed", 11, 2, 3),
    ("two_deals", 10, 4, 2),
    ("two_deals", 11, 4, 2),
]
DRAWS = 1_500


def surprise(counted: list[int], expected: list[float]) -> float:
    """The chi-square statistic as a standard normal deviate (E. Wilson, M. Hilferty, PNAS 17, 1931)."""
    free = len(counted) - 1
    statistic = sum((n - wanted) ** 2 / wanted for n, wanted in zip(counted, expected, strict=True))
    part = 2 / (9 * free)
    return float(((statistic / free) ** (1 / 3) - (1 - part)) / part**0.5)


@pytest.mark.parametrize(("name", "steps", "seed", "players"), SMALL)
def test_each_position_is_drawn_as_often_as_following_all_histories_says(
    name: str, steps: int, seed: int, players: int
) -> None:
    state = after(name, steps, seed, players, "auto")
    seat = seat_at(state)
    shares, drawn = shares_of(state, seat), Counter[str]()
    assert len(shares) > 1
    draws, stream = ExchangeSampler(state, seat), Stream(1, 1, "seat 1")
    for _ in range(DRAWS):
        drawn[draws.draw(stream).hash()] += 1
    assert drawn.keys() <= shares.keys(), "nothing is drawn that is not possible"
    likely = [position for position, share in shares.items() if share * DRAWS >= 5]
    rest = 1 - sum(shares[position] for position in likely)
    counted: list[int] = [drawn[position] for position in likely]
    expected = [DRAWS * shares[position] for position in likely]
    if rest > 1e-9:
        counted.append(DRAWS - sum(counted))
        expected.append(DRAWS * rest)
    assert surprise(counted, expected) < 3.9, (counted, expected)


def exchanging(name: str) -> bool:
    """Tell whether hidden states of a ruleset are drawn by exchanges."""
    game = loaded(name).new_initial_state(backend="reference").game
    return not hides_nothing_ever(game) and not reasons_against(game)


@pytest.mark.parametrize("name", [name for name in SHIPPED if exchanging(name)])
def test_the_seat_cannot_tell_the_states_from_the_real_one(name: str) -> None:
    for steps, seed in ((18, 1), (45, 2)):
        state = after(name, steps, seed)
        seat, stream = seat_at(state), Stream(3, 1, "seat 1")
        known = state.information_state(seat)
        try:
            draws = ExchangeSampler(state, seat)
        except NoTable:
            continue
        for _ in range(3):
            drawn = draws.draw(stream)
            assert drawn.information_state(seat) == known
            assert drawn.legal_actions(seat) == state.legal_actions(seat)


@compiler
@pytest.mark.parametrize("name", [*GAMES, *(name for name in SHIPPED if exchanging(name))])
def test_native_code_draws_what_the_evaluator_draws(name: str) -> None:
    for steps, seed in ((9, 3), (30, 4)):
        found = []
        for backend in ("reference", "native"):
            state, stream = after(name, steps, seed, backend=backend), Stream(3, 1, "seat 1")
            try:
                draws = ExchangeSampler(state, seat_at(state))
            except NoTable:
                break
            found.append([str(draws.draw(stream).history) for _ in range(4)])
        assert not found or found[0] == found[1]


@pytest.mark.parametrize(("name", "steps"), [("leduc_poker", 4), ("follow", 9), ("plain_tricks", 25)])
def test_the_real_state_is_one_of_the_draws(name: str, steps: int) -> None:
    """Of a number that the seat does not see, the real one takes each rank among those of draws equally often
    (S. Talts, M. Betancourt, D. Simpson, A. Vehtari, A. Gelman, "Validating Bayesian inference algorithms
    with simulation-based calibration", 2018).
    """
    others, ranks, toss = 4, Counter[int](), random.Random(7)
    for seed in range(200):
        state = after(name, steps, seed, backend="auto")
        if state.is_terminal():
            continue
        seat = seat_at(state)
        draws, stream = ExchangeSampler(state, seat), Stream(seed, 1, "seat 1")
        real = (hidden_number(state, seat), toss.random())
        drawn = [(hidden_number(draws.draw(stream), seat), toss.random()) for _ in range(others)]
        ranks[sum(one < real for one in drawn)] += 1
    counted = [ranks[rank] for rank in range(others + 1)]
    assert surprise(counted, [sum(counted) / len(counted)] * len(counted)) < 3.3, ranks


def hidden_number(state: Any, seat: int) -> int:
    """A number of what the next seat holds."""
    game, other = state.game, (seat + 1) % state.players
    zone = next(z for z in game.zones if z.owner == other and z.family == "hand")
    return sum(17 * component % 101 for component in state._m.zones[zone.number])


@pytest.mark.parametrize("seed", range(12))
def test_where_asking_is_hidden_histories_are_followed(seed: int) -> None:
    """Whether the other seat was asked, or had nothing to choose, reads the same: exchanges would keep it."""
    state = after("veiled", 5, seed)
    if not state.is_terminal():
        with pytest.raises(NoTable, match="asked"):
            ExchangeSampler(state, 1)
        assert isinstance(sampler(state, 1), Resampler)


def test_a_sampler_goes_on_with_the_one_before() -> None:
    state = after("plain_tricks", 20, 1)
    first = sampler(state, 0)
    assert isinstance(first, ExchangeSampler)
    table = first._table
    first.draw(Stream(1, 1, "seat 1"))
    for _ in range(3):
        seat = seat_at(state)
        state.apply_action(state.legal_actions(seat)[0], seat)
    second = sampler(state, 0, first)
    assert isinstance(second, ExchangeSampler) and second._table is table
    assert table.length == len(state.history)
    known = state.information_state(0)
    assert second.draw(Stream(2, 1, "seat 1")).information_state(0) == known
