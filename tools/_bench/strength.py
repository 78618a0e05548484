"""How much stronger one bot is than another at equal time: matches, each bot with the same time of processor
for a decision.

One seat plays with the first bot, all others with the second; it sits at every seat in turn, with the same
random numbers of chance. What counts is the share of the wins (a shared win is divided), or in games that pay
what it is paid. The intervals are Student's, over deals: the games of one deal at all seats are one
observation.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from statistics import fmean, stdev

import croupier
from _bench.tables import Table
from croupier.play.agents import new_agent
from croupier.play.agents.agent import Agent
from croupier.play.agents.search_agents import FlatAgent, TreeAgent
from croupier.runtime.state import State
from croupier.runtime.streams import CHANCE, Stream, seat_purpose

LEAST = 0.002  # seconds for a decision
T_975 = 1.97  # of Student's distribution, 0.975 of it, with a hundred degrees of freedom or more


@dataclass(frozen=True)
class Match:
    """A game, its players, two bots: kinds without a budget. `pays`: what is paid counts, not who wins."""

    name: str
    players: int
    first: str
    second: str
    seconds: float = 0.02
    pays: bool = False


MATCHES = (
    Match("leduc_poker", 2, "ismcts", "flat", pays=True),
    Match("leduc_poker", 2, "ismcts", "greedy", pays=True),
    Match("plain_tricks", 4, "ismcts", "flat"),
    Match("plain_tricks", 4, "ismcts", "greedy"),
    Match("hearts", 4, "ismcts", "flat"),
    Match("hearts", 4, "ismcts", "greedy"),
    Match("witches_of_blackmore", 4, "ismcts", "flat"),
    Match("witches_of_blackmore", 4, "ismcts", "greedy"),
    Match("connect_four", 2, "mcts", "flat"),
    Match("breakthrough", 2, "mcts", "flat"),
)


def bot(kind: str, seconds: float) -> Agent:
    """A bot that thinks for so many seconds of processor."""
    text = f"{seconds * 1_000:.0f}ms"
    if kind == "flat":
        return FlatAgent(text, time.process_time)
    if kind in ("mcts", "ismcts"):
        return TreeAgent(kind, text, time.process_time)
    return new_agent(kind)


def result(state: State, pays: bool) -> Sequence[float]:
    """What a finished game is worth to each seat."""
    outcome = state.outcome()
    if pays:
        return [float(value) for value in outcome["returns"]]
    winners = outcome["winners"] or range(state.players)
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(state.players)]


@cache
def loaded(name: str) -> croupier.Ruleset:
    """A ruleset, loaded once."""
    return croupier.load(name)


def play(match: Match, at: int, deal: int, seconds: float) -> tuple[float, float, float]:
    """One game, the first bot at a seat: its worth to that seat, and the seconds for a decision of both."""
    state = loaded(match.name).new_initial_state(match.players, backend="native")
    agents = [bot(match.first if seat == at else match.second, seconds) for seat in range(match.players)]
    for seat, agent in enumerate(agents):
        agent.begin(seat, match.players, Stream(11, deal, seat_purpose(seat)))
    chance, spent, counted = Stream(11, deal, CHANCE), [0.0, 0.0], [0, 0]
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            least = min(share for _, share in outcomes)
            shares = [int(share / least) for _, share in outcomes]
            state.apply_action(outcomes[chance.weighted(shares)][0])
            continue
        seat = state.pending_seats()[0]
        options = state.legal_actions(seat)
        begun = time.process_time()
        action = agents[seat].choose(state, seat, options)
        if len(options) > 1:
            side = int(seat != at)
            spent[side] += time.process_time() - begun
            counted[side] += 1
        state.apply_action(action, seat)
    each = [total / max(1, number) for total, number in zip(spent, counted, strict=True)]
    return result(state, match.pays)[at], each[0], each[1]


def matched(match: Match, games: int) -> tuple[str, ...]:
    """The line of a match."""
    seconds = match.seconds
    if match.second == "greedy":
        seconds = max(LEAST, play(match, 0, 1, LEAST)[2])
    deals, times = list[float](), list[tuple[float, float]]()
    for deal in range(1, max(2, games // match.players) + 1):
        played = [play(match, seat, deal, seconds) for seat in range(match.players)]
        deals.append(fmean(value for value, _, _ in played))
        times += [(first, second) for _, first, second in played]
    mean, half = fmean(deals), T_975 * stdev(deals) / sqrt(len(deals))
    even = 0.0 if match.pays else 1 / match.players
    if match.pays:
        shown = (f"{mean:+.2f}", f"{mean - half:+.2f} to {mean + half:+.2f}", "0")
    else:
        shown = (f"{mean:.0%}", f"{max(0.0, mean - half):.0%} to {min(1.0, mean + half):.0%}", f"{even:.0%}")
    verdict = "yes" if mean - half > even else "no" if mean + half < even else "not shown"
    first, second = (1_000 * fmean(side) for side in zip(*times, strict=True))
    return (
        f"{match.name} for {match.players}, `{match.first}` against `{match.second}`",
        *shown,
        f"{first:.1f} and {second:.1f}",
        verdict,
    )


def strength(games: int, names: Sequence[str] = ()) -> Table:
    """A line for each match, of the games named or of all."""
    head = ("at equal time", "share or pay", "95 %", "even", "ms a decision", "stronger?")
    lines = tuple(matched(match, games) for match in MATCHES if not names or match.name in names)
    return Table(head, lines)
