"""Decisions a second of bots that search, and of OpenSpiel's `MCTSBot`, each with one
play-out a round, in turn in one run.

Positions are those of games of random players, at which the first seat that decides has several options;
OpenSpiel's bot thinks at the first position of its game. Native code is optimised before.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import croupier
from _bench.tables import Table, number, ratio
from croupier.play.agents import new_agent
from croupier.runtime.state import State
from croupier.runtime.streams import Stream, seat_purpose

POSITIONS = 8


@dataclass(frozen=True)
class Searched:
    """A game, its players, a bot; the name that OpenSpiel has for the game."""

    name: str
    players: int
    bot: str
    spiel: str = ""


SEARCHED = (
    Searched("connect_four", 2, "mcts:1000", "connect_four"),
    Searched("breakthrough", 2, "mcts:1000", "breakthrough"),
    Searched("chess", 2, "mcts:100", "chess"),
    Searched("baron_voodoo", 2, "mcts:100"),
    Searched("witches_of_blackmore", 4, "mcts!:64"),
    Searched("vudu", 4, "mcts!:64"),
    Searched("hearts", 4, "mcts!:100"),
    Searched("leduc_poker", 2, "ismcts:100"),
    Searched("plain_tricks", 4, "ismcts:100"),
    Searched("witches_of_blackmore", 4, "ismcts:64"),
    Searched("hearts", 4, "ismcts:100"),
)


def positions(searched: Searched) -> list[State]:
    """Some positions of random games, from their beginning to their end."""
    ruleset, found = croupier.load(searched.name), list[State]()
    rng = Stream(1, 1, "positions")
    while len(found) < POSITIONS:
        state = ruleset.new_initial_state(searched.players, backend="native")
        on_the_way: list[State] = []
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[rng.weighted([weight for _, weight in outcomes])][0])
                continue
            seat = state.pending_seats()[0]
            options = state.legal_actions(seat)
            if len(options) > 1:
                on_the_way.append(state.clone())
            state.apply_action(options[rng.uniform(len(options))], seat)
        found += on_the_way[:: max(1, len(on_the_way) // 4)][:4]
    return found[:POSITIONS]


def rate(decide: Callable[[int], None], seconds: float) -> float:
    """Decisions a second of processor."""
    decide(0)  # what is compiled is compiled before
    count, started = 0, time.process_time()
    while count == 0 or time.process_time() - started < seconds:
        decide(count)
        count += 1
    return count / (time.process_time() - started)


def ours(searched: Searched) -> Callable[[int], None]:
    """A decision of the bot."""
    states, agents = positions(searched), dict[int, Any]()
    for state in states:
        native = getattr(state, "native", None)
        if native is not None:
            native.step_code.optimize()

    def decide(k: int) -> None:
        state = states[k % len(states)]
        seat = state.pending_seats()[0]
        if seat not in agents:
            agents[seat] = new_agent(searched.bot)
        agents[seat].begin(seat, state.players, Stream(k + 1, 1, seat_purpose(seat)))
        agents[seat].choose(state, seat, state.legal_actions(seat))

    return decide


def theirs(searched: Searched) -> Callable[[int], None] | None:
    """A decision of OpenSpiel's bot, at its own first position; `None` if it does not have the game."""
    if not searched.spiel or find_spec("pyspiel") is None:
        return None
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game(searched.spiel)
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1),
        uct_c=1.0,
        max_simulations=int(searched.bot.partition(":")[2]),
        max_memory_mb=100,
        solve=False,
        seed=1,
        verbose=False,
    )
    state = game.new_initial_state()

    def decide(_: int) -> None:
        bot.mcts_search(state)

    return decide


def decisions(seconds: float) -> Table:
    """Decisions a second of each."""
    lines = []
    for searched in SEARCHED:
        own = rate(ours(searched), seconds)
        other = theirs(searched)
        beside = None if other is None else rate(other, seconds)
        lines.append(
            (
                f"{searched.name} for {searched.players}, `{searched.bot}`",
                number(own),
                number(beside),
                "–" if beside is None else ratio(own / beside),
            )
        )
    return Table(("decisions a second", "here", "OpenSpiel's `MCTSBot`", "times"), tuple(lines))


AT_ONCE = 20  # draws between two looks at the clock
DRAWN = (("leduc_poker", 2), ("plain_tricks", 4), ("witches_of_blackmore", 4), ("hearts", 4), ("go_fish", 3))


def draw_some(samplers: list[Any], method: str, stream: Stream, k: int) -> None:
    """Some draws of one of several samplers."""
    draw = getattr(samplers[k % len(samplers)], method)
    for _ in range(AT_ONCE):
        draw(stream)


def draws(seconds: float) -> Table:
    """States a second that a seat cannot tell from the real one: `resampler(seat).draw`, and the nearer ones
    that a search draws (`draw_next`), in the middle of games.
    """
    lines = []
    for name, players in DRAWN:
        states = positions(Searched(name, players, "ismcts:1"))
        rates = []
        for method in ("draw", "draw_next"):
            samplers = [state.resampler(state.pending_seats()[0]) for state in states]
            stream = Stream(1, 1, "draws")

            draw = partial(draw_some, samplers, method, stream)
            for k in range(len(samplers)):
                draw(k)
            rates.append(AT_ONCE * rate(draw, seconds))
        lines.append((f"{name} for {players}", *map(number, rates)))
    return Table(("states a second", "`draw`", "`draw_next`"), tuple(lines))
