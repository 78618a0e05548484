"""How long a bot searches: rounds that are counted, and rounds by a false clock."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import croupier
from croupier.core.search_tree import MOST_ROUNDS
from croupier.play.agents import UnknownAgent, clock_note, is_timed, new_agent
from croupier.play.agents.budget import Budget
from croupier.play.agents.search_agents import FlatAgent, TreeAgent
from croupier.runtime.state import State
from croupier.runtime.streams import Stream, seat_purpose


class FalseClock:
    """A clock that goes on by these seconds whenever somebody looks, and by the last of them from then on."""

    def __init__(self, steps: Sequence[float]) -> None:
        self.steps, self.time, self.looks = list(steps), 100.0, 0

    def __call__(self) -> float:
        now = self.time
        self.time += self.steps[min(self.looks, len(self.steps) - 1)]
        self.looks += 1
        return now


@pytest.mark.parametrize(
    ("text", "steps", "batches"),
    [
        ("7", [1.0], [7]),
        ("64ms", [0.015625], [1, 2, 3, 2, 1]),
        ("1s", [0.125], [1, 2, 4, 8, 15, 18, 16, 9]),
        ("500ms", [0.0, 0.0, 0.0, 1.0], [1, 2, 4, 8]),
        ("1ms", [60.0], [1]),
    ],
)
def test_batches_grow_and_fit_in_the_time(text: str, steps: list[float], batches: list[int]) -> None:
    clock = FalseClock(steps)
    found = list(Budget.of(text).batches(clock, clock()))
    assert found == batches


def test_no_more_rounds_are_played_than_a_tree_has_room_for() -> None:
    clock = FalseClock([0.0])
    assert sum(Budget.of("1s").batches(clock, clock())) == MOST_ROUNDS


@pytest.mark.parametrize("text", ["0", "-1", "ms", "0ms", "5h", "1e3", "3601s", "0.5ms", "1.s", "١"])
def test_what_is_no_budget_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="or a time from 1ms to 3600s, as in `:100` or `:200ms`"):
        Budget.of(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [("9", "9"), ("2s:reuse:puct", "2s:puct:reuse"), ("9:urgency=0.5:puct", "9:puct:urgency=0.5")],
)
def test_settings_of_a_tree_are_written_in_one_order(text: str, written: str) -> None:
    assert new_agent(f"mcts:{text}").name() == f"mcts:{written}"
    assert is_timed(f"mcts:{text}") == text.startswith("2s")


@pytest.mark.parametrize(
    "text", ["uct", "puct:puct", "urgency=11", "urgency=-1", "urgency", "reuse:reuse", ""]
)
def test_what_is_no_setting_is_told(text: str) -> None:
    with pytest.raises(UnknownAgent, match="the bot `mcts` takes `puct`, `urgency=WORTH` "):
        new_agent(f"mcts:9:{text}")


def begun(name: str, agent: FlatAgent | TreeAgent) -> tuple[State, int]:
    """The first decision of a game, with the seat that decides."""
    state = croupier.load(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    seat = state.pending_seats()[0]
    agent.begin(seat, state.players, Stream(1, 1, seat_purpose(seat)))
    return state, seat


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker"])
@pytest.mark.parametrize("kind", ["mcts!", "ismcts"])
def test_rounds_by_the_clock_are_the_rounds_that_are_counted(name: str, kind: str) -> None:
    timed, counted = TreeAgent(kind, "1s", FalseClock([0.125])), TreeAgent(kind, "73")
    found = []
    for agent in (timed, counted):
        state, seat = begun(name, agent)
        found.append(agent.search(state, seat, state.legal_actions(seat)))
    assert sum(one.visits for one in found[0]) == 73 and found[0] == found[1]


def test_flat_by_the_clock_tries_every_option_equally_often() -> None:
    agent = FlatAgent("1s", FalseClock([0.125]))
    state, seat = begun("kuhn_poker", agent)
    found = agent.search(state, seat, state.legal_actions(seat))
    assert {one.visits for one in found} == {73} and agent.name() == "flat:1s"


def test_who_thinks_by_the_clock_is_told() -> None:
    assert [is_timed(bot) for bot in ("flat:20", "flat:20ms", "avoid:*x*:mcts:1.5s", "random", "flat")] == [
        False,
        True,
        True,
        False,
        False,
    ]
    assert clock_note(("random", "ismcts:1s")) == {"reproducible": False} and not clock_note(("flat:3",))
    assert new_agent("mcts:0.5s").name() == "mcts:0.5s"
