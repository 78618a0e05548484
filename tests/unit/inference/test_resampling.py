"""States that a seat cannot tell from the real one: which are possible, how likely each is, and that nothing
else of the real one is in them.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import croupier
import needs
from croupier import resources
from croupier.inference.resampling import NoResample, Resampler
from croupier.runtime.streams import Stream

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
from _resamples import draw_many, elsewhere, hidden_from, reason_of  # noqa: E402

SMALL = [("kuhn_poker", {}, 2), ("kuhn_poker", {}, 3), ("tiny_hanabi", {}, 2), ("goofspiel", {}, 2)]


def after(name: str, players: int | None, parameters: dict[str, Any], steps: int, seed: int) -> Any:
    """A state after some random steps; earlier where the game is over."""
    state, chance = croupier.load(name).new_initial_state(players, parameters), random.Random(seed)
    while len(state.history) < steps and not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(chance.choice(state.chance_outcomes())[0])
        else:
            seat = state.pending_seats()[0]
            state.apply_action(chance.choice(state.legal_actions(seat)), seat)
    return state


def reached(state: Any) -> dict[tuple[int, str], Counter[str]]:
    """By seat and what it knows: the hashes of the positions of a whole tree in which it decides, with how
    likely they are.
    """
    found: dict[tuple[int, str], Counter[str]] = {}

    def walk(here: Any, weight: Fraction) -> None:
        for seat in here.pending_seats()[:1]:
            counted: Any = found.setdefault((seat, here.information_state(seat)), Counter())
            counted[here.hash()] += weight
        if here.is_terminal():
            return
        seat = None if here.is_chance_node() else here.pending_seats()[0]
        outcomes = (
            here.chance_outcomes()
            if seat is None
            else [(a, Fraction(1, len(here.legal_actions(seat)))) for a in here.legal_actions(seat)]
        )
        for action, share in outcomes:
            next = here.clone()
            next.apply_action(action, seat)
            walk(next, weight * share)

    walk(state, Fraction(1))
    return found


@pytest.mark.parametrize(("name", "parameters", "players"), SMALL)
def test_the_possible_states_are_those_of_the_whole_tree(
    name: str, parameters: dict[str, Any], players: int
) -> None:
    whole = reached(croupier.load(name).new_initial_state(players, parameters))
    tested = 0
    for seed in range(30):
        state = after(name, players, parameters, 3 + seed % 5, seed)
        for seat in state.pending_seats()[:1]:
            known = state.information_state(seat)
            wanted = whole[seat, known]
            found: Any = Counter()
            for one, share in Resampler(state, seat, 50_000).possible():
                found[one.hash()] += share
            assert found == {position: weight / wanted.total() for position, weight in wanted.items()}
            tested += len(found) > 1
    assert tested > 3


FEW_ROLES = {"extra_tiles": 2, "role_set": "explicit", "roles": {"werewolf": 2, "seer": 1, "villager": 2}}
LEDUC, NIGHT = ("leduc_poker", 2, 4, 3), ("una_notte_da_lupi", 3, 6, 1)
ALL_SMALL = [LEDUC, NIGHT, ("kuhn_poker", 2, 3, 1), ("tiny_hanabi", 2, 3, 1), ("goofspiel", 2, 4, 2)]


@pytest.mark.parametrize(
    ("name", "players", "steps", "seed"), [LEDUC, ("kuhn_poker", 3, 5, 1), ("goofspiel", 2, 4, 2)]
)
def test_the_chain_draws_each_as_often_as_it_should(name: str, players: int, steps: int, seed: int) -> None:
    state = after(name, players, FEW_ROLES if name.startswith("una") else {}, steps, seed)
    seat = (state.pending_seats() or [0])[0]
    shares = {str(one.history): float(share) for one, share in Resampler(state, seat, 50_000).possible()}
    assert len(shares) > 1
    chain, stream, drawn = Resampler(state, seat, -1), Stream(1, 1, "seat 1"), Counter[str]()
    for _ in range(200):
        drawn[str(chain.draw(stream).history)] += 1
    assert not chain.is_exact and drawn.keys() <= shares.keys()
    statistic = sum((drawn[history] - 200 * share) ** 2 / (200 * share) for history, share in shares.items())
    free = len(shares) - 1
    assert statistic < free + 8 * (2 * free) ** 0.5, (
        "chi-square, with room because draws of a chain depend on one another"
    )


TWO_DEALS = str(Path(__file__).parents[2] / "data" / "two_deals.yaml")


@pytest.mark.parametrize("steps", [10, 11])
def test_a_deal_that_is_over_is_seldom_asked_for_and_the_chain_stays_right(steps: int) -> None:
    state = after(TWO_DEALS, None, {}, steps, 4)
    seat = state.pending_seats()[0]
    wanted, drawn = Counter[str](), Counter[str]()
    for one, share in Resampler(state, seat, 50_000).possible():
        wanted[one.hash()] += share
    chain, stream = Resampler(state, seat, -1), Stream(1, 1, "seat 1")
    for _ in range(200):
        drawn[chain.draw(stream).hash()] += 1
    assert chain._settled > 5, "when all cards are in the deck again, everybody knows where they are"
    assert drawn.keys() == wanted.keys() and all(
        abs(drawn[position] - 200 * share) < 40 for position, share in wanted.items()
    )


def test_what_another_resampler_followed_is_used_again() -> None:
    state = after("lantern", None, {}, 45, 4)
    before = state.clone()
    while len(state.history) < 55:
        state.apply_action(
            state.legal_actions()[0] if state.pending_seats() else state.chance_outcomes()[0][0]
        )
    seat = state.pending_seats()[0]
    again, anew = Resampler(state, seat, previous=Resampler(before, seat)), Resampler(state, seat)
    assert again.applied < anew.applied / 2
    assert again.draw(Stream(1, 1, "seat 1")).serialize() == anew.draw(Stream(1, 1, "seat 1")).serialize()


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players", "steps", "seed"), ALL_SMALL)
def test_chi_square(name: str, players: int, steps: int, seed: int) -> None:
    from scipy.stats import chisquare

    test_the_chain_draws_each_as_often_as_it_should(name, players, steps, seed)
    state = after(name, players, FEW_ROLES if name.startswith("una") else {}, steps, seed)
    seat = (state.pending_seats() or [0])[0]
    resampler, stream, drawn = Resampler(state, seat, 50_000), Stream(1, 1, "seat 1"), Counter[str]()
    shares = {str(one.history): float(share) for one, share in resampler.possible()}
    count = 20 * len(shares)
    for _ in range(count):
        drawn[str(resampler.draw(stream).history)] += 1
    assert resampler.is_exact
    assert (
        chisquare([drawn[history] for history in shares], [count * share for share in shares.values()]).pvalue
        > 0.001
    )


RULESETS = [name for name in sorted(resources.shipped()) if "/" not in name]


@pytest.mark.parametrize("name", RULESETS)
def test_the_seat_cannot_tell_on_any_ruleset(name: str) -> None:
    state = after(name, None, {}, 24, 7)
    seat = (state.pending_seats() or [0])[0]
    chain, stream, known = Resampler(state, seat, 50), Stream(3, 1, "seat 1"), state.information_state(seat)
    for _ in range(2):
        drawn = chain.draw(stream)
        assert drawn.information_state(seat) == known and drawn.pending_seats() == state.pending_seats()
        assert drawn.legal_actions(seat) == state.legal_actions(seat)


@pytest.mark.parametrize(
    ("name", "steps"), [("witches_of_blackmore", 45), ("go_fish", 25), ("kuhn_poker", 3)]
)
def test_what_is_hidden_is_not_copied(name: str, steps: int) -> None:
    state = after(name, None, {}, steps, 2)
    seat = state.pending_seats()[0]
    chain, stream = state.resampler(seat), Stream(4, 1, "seat 1")
    states = [chain.draw(stream) for _ in range(12)]
    other = 1 - seat
    hidden = [[str(one.observation(other)) for one in states], str(state.observation(other))]
    assert sum(one != hidden[1] for one in hidden[0]) >= 3, (
        "what the other seat sees is not what it really sees"
    )


@pytest.mark.parametrize(("name", "steps"), [("kuhn_poker", 3), ("leduc_poker", 4), ("lantern", 12)])
def test_every_hidden_component_that_could_lie_elsewhere_does(name: str, steps: int) -> None:
    found = draw_many(name, 30, steps)
    assert found.hidden and found.moved and not found.wrong and not found.unknown


SOME_CANNOT = [("relics", [11])] + [
    pytest.param(name, cannot, marks=pytest.mark.soak)
    for name, cannot in [
        ("vudu", [23]),
        ("una_notte_da_lupi", [7]),
        ("fish_market", []),
        ("wednesday_hyde", []),
    ]
]


@pytest.mark.parametrize(
    ("name", "players", "parameters", "steps"),
    [
        ("goofspiel", 2, {}, 7), ("kiln", None, {}, 24),
        pytest.param("una_notte_da_lupi", 3, FEW_ROLES, 6, marks=pytest.mark.soak),
        pytest.param("vudu", 3, {}, 4, marks=pytest.mark.soak),
    ],
)  # fmt: skip
def test_what_is_said_to_lie_nowhere_else_does_not(
    name: str, players: int | None, parameters: dict[str, Any], steps: int
) -> None:
    """By all possible states: a component for which a reason is given lies where it does in each of them."""
    state = after(name, players, parameters, steps, 1)
    seat = (state.pending_seats() or [0])[0]
    resampler, hidden = Resampler(state, seat, 200_000), hidden_from(state, seat)
    fixed = set(hidden) - elsewhere(resampler, hidden, Stream(1, 1, "seat 1"))
    explained = {component for component in hidden if reason_of(resampler, component) is not None}
    print(
        f"{name}, {steps} steps: {len(fixed)} of {len(hidden)} hidden components lie nowhere else, "
        f"{len(explained)} of them with a reason"
    )
    assert explained and explained <= fixed


@pytest.mark.parametrize(("name", "cannot"), SOME_CANNOT)
def test_of_every_hidden_component_that_never_moved_is_known_why(name: str, cannot: list[int]) -> None:
    found = draw_many(name, 1)
    assert [len(names) for names in found.cannot.values()] == cannot and not found.unknown, found.line()


def test_a_choice_by_everybody_is_walked_over_whatever_its_order() -> None:
    """Bids are chosen by the seats in order; the chain knows that of the last seat first."""
    found = draw_many("sealed_auction", 40)
    assert not found.is_exact and not found.wrong


@pytest.mark.soak
@pytest.mark.parametrize("name", RULESETS)
def test_a_thousand_draws_are_legal(name: str) -> None:
    found = draw_many(name, 1_000)
    print(found.line())
    assert not found.wrong


def test_where_nothing_is_hidden_the_real_state_is_drawn() -> None:
    state = after("connect_four", 2, {}, 9, 1)
    drawn = state.resample(0, Stream(1, 1, "seat 1"))
    assert drawn == state and drawn is not state and state.resampler(0).possible() == [(state, 1)]


def test_back_ends_and_refusals() -> None:
    ruleset = croupier.load("kuhn_poker")
    for backend in ("reference", "python", *(("native",) if needs.is_installed() else ())):
        state = ruleset.new_initial_state(2, backend=backend)
        for action in (0, 1):
            state.apply_action(action)
        drawn = {tuple(map(str, state.resample(0, Stream(seed, 1, "seat 1")).history)) for seed in range(20)}
        assert drawn == {("[0]".replace("[", "(").replace("]", ",)"), f"({other},)") for other in (1, 2)}
        assert state.resample(0, Stream(1, 1, "seat 1")).backend == backend
    with pytest.raises(ValueError, match="seat must be 0 or 1"):
        state.resample(2, Stream(1, 1, "seat 1"))
    with pytest.raises(NoResample, match="too many"):
        Resampler(after("witches_of_blackmore", 2, {}, 30, 1), 0).possible()
