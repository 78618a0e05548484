"""Skill ladders: bots each of which thinks twice as long as the one below, and wins against it or does not.

On each rung one bot with the higher budget sits among bots with the lower one, in every seat in turn. Its win
rate, with what nobody wins shared by all, is compared with what an equal would win. Where the rules pay
(`finish pay`), what it is paid more than all on average is compared with 0 instead. Games on one seed, a
turn, are not independent: the intervals are of turns (`lab/clusters.py`, and means of turns). That thinking
helps is said where it holds for all rungs at once (Bonferroni). All games together give OpenSkill ratings
(Plackett-Luce; V. Joshy, "OpenSkill", JOSS 9, 2024), if that package is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from croupier.diagnostics import JsonObject
from croupier.lab.clusters import Clusters
from croupier.lab.rows import Row
from croupier.lab.statistics import Estimate, mean
from croupier.lab.workers import RunConfig, has_payments, load_ruleset, players_of, rows
from croupier.play.match import never
from croupier.play.processes import with_shared_pool
from croupier.play.statistics import CONFIDENCE
from croupier.play.table_bots import fair_family
from croupier.runtime.streams import Stream

# rounds; games, and decisions of a game, in which options are counted
LOWEST, LOOKED_AT, MAX_LOOKED_AT = 8, 3, 400
INSTALL = "ratings need OpenSkill: pip install 'croupier[lab]'"


@dataclass(frozen=True)
class Rung:
    """One bot against the one below: its part of the wins, and what an equal would have.

    `wins` and `paid` have intervals of their own; `verdict` is the one of them that decides, with the
    interval that holds for all rungs at once, and `par` what it has to exceed. Where all payments were equal,
    which has no interval, wins decide.
    """

    lower: str
    upper: str
    wins: Estimate
    equal: float
    verdict: Estimate
    paid: Estimate | None = None  # a game, more than all on average, where the rules pay

    @property
    def par(self) -> float:
        """What an equal would win, or be paid more than all."""
        return self.equal if self.paid is None or self.paid.is_of_equals else 0.0

    @property
    def helps(self) -> bool:
        """True if the higher budget wins more than an equal would, or is paid more."""
        return self.verdict.is_known and self.verdict.low > self.par

    def to_json(self) -> JsonObject:
        paid = None if self.paid is None else self.paid.to_json()
        return {
            "bot": self.upper,
            "against": self.lower,
            "wins": self.wins.to_json(),
            "equal": self.equal,
            "paid": paid,
            "helps": self.helps,
        }


@dataclass
class Ladder:
    """The rungs so far, from the lowest; ratings by bot, if they could be made: their means and
    deviations.
    """

    rungs: list[Rung] = field(default_factory=list)
    ratings: dict[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def top(self) -> str | None:
        """The highest bot up to which each rung helps; `None` if not even the first one does."""
        found = None
        for rung in self.rungs:
            if not rung.helps:
                break
            found = rung.upper
        return found

    def to_json(self) -> JsonObject:
        ratings = {
            bot: {"mean": round(mu, 3), "deviation": round(sigma, 3)}
            for bot, (mu, sigma) in self.ratings.items()
        }
        return {"rungs": [rung.to_json() for rung in self.rungs], "ratings": ratings, "helps_up_to": self.top}


def fitting_family(run: RunConfig) -> str:
    """`mcts` where nothing can be hidden, `ismcts` elsewhere. Raises RulesetError."""
    return fair_family(load_ruleset(run.source).game(run.setup.players, run.setup.parameters))


def fitting_budget(run: RunConfig) -> int:
    """Return the budget at which a ladder begins, in rounds: a power of two from 8 on.

    It is at least the number of options of 90 % of the decisions of random games. With fewer, most options of
    a wide decision are never tried, and twice as many say little. Raises RulesetError.
    """
    start, options = replace(run.setup, bots=("random",)).initial_state(load_ruleset(run.source)), list[int]()
    for game in range(1, LOOKED_AT + 1):
        state, stream = start.clone(), Stream(run.setup.seed, game, "budget")
        while not state.is_terminal() and len(options) < MAX_LOOKED_AT * game:
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[stream.weighted([weight for _, weight in outcomes])][0])
                continue
            seat = state.pending_seats()[0]
            legal = state.legal_actions(seat)
            if not legal:
                break
            options.append(len(legal))
            state.apply_action(legal[stream.uniform(len(legal))], seat)
    wide = sorted(options)[len(options) * 9 // 10] if options else 1
    return max(LOWEST, 1 << wide.bit_length() - 1)


def bots_of(family: str, lowest: int, rungs: int) -> list[str]:
    """Random, and then one budget and its doubles."""
    return ["random", *(f"{family}:{lowest * 2**rung}" for rung in range(rungs))]


def work(bots: list[str], games: int, players: int) -> Callable[[int], float]:
    """How much work the first games of a ladder are, in rounds a decision of each seat: one budget and its
    doubles make each rung twice as much as the one below. `games`: in each seat of each rung.
    """
    rounds = [1, *(int(bot.rpartition(":")[2]) for bot in bots[1:])]
    rung = games * players
    of_rungs = [
        rung * (upper + (players - 1) * lower) for lower, upper in zip(rounds, rounds[1:], strict=False)
    ]

    def so_far(played: int) -> float:
        whole, more = divmod(played, rung)
        begun = of_rungs[whole] * more / rung if more else 0.0
        return sum(of_rungs[:whole]) + begun

    return so_far


@with_shared_pool
def climb(
    run: RunConfig,
    bots: list[str],
    games: int,
    *,
    jobs: int | None = None,
    should_stop: Callable[[], bool] = never,
) -> Iterator[Ladder]:
    """A ladder, again and again while it grows; `games` in each seat of each rung.

    Raises what `rows` does.
    """
    players = players_of(run.with_bots((bots[0],)))
    ladder, model = Ladder(), _model()
    ratings = {} if model is None else {bot: model.rating(name=bot) for bot in bots}
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(bots) - 1)
    for lower, upper in zip(bots, bots[1:], strict=False):
        turns: dict[int, list[tuple[float, float]]] = {}  # by game: wins and payments, of each seat
        for place in range(players):
            seated = tuple(upper if seat == place else lower for seat in range(players))
            for row in rows(run.with_bots(seated), range(1, games + 1), jobs=jobs, should_stop=should_stop):
                if row.status != "finished":
                    continue
                paid = row.returns[place] - sum(row.returns) / players
                turns.setdefault(row.game, []).append((row.part(place, players), paid))
                if model is not None:
                    _rate(model, ratings, row, upper, lower, place)
        if should_stop():
            return
        ladder.rungs.append(
            _rung(lower, upper, list(turns.values()), players, confidence, has_payments(run.source))
        )
        ladder.ratings = {bot: (float(found.mu), float(found.sigma)) for bot, found in ratings.items()}
        yield ladder


def _rung(
    lower: str,
    upper: str,
    turns: Sequence[Sequence[tuple[float, float]]],
    players: int,
    confidence: float,
    pays: bool,
) -> Rung:
    """The rung of turns, each the wins and payments of its games; what decides has this confidence."""
    won = Clusters.of(((len(turn), sum(part for part, _ in turn)) for turn in turns), "turn")
    if not pays:
        return Rung(lower, upper, won.share(), 1 / players, won.share(confidence))
    paid = [sum(amount for _, amount in turn) / len(turn) for turn in turns if len(turn) == players]
    verdict = mean(paid, confidence)
    if verdict.is_of_equals:
        verdict = won.share(confidence)
    return Rung(lower, upper, won.share(), 1 / players, verdict, mean(paid))


def _model() -> Any:  # noqa: ANN401 - openskill's models have no types
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    return PlackettLuce()


def _rate(model: Any, ratings: dict[str, Any], row: Row, upper: str, lower: str, place: int) -> None:  # noqa: ANN401 - openskill's models have no types
    """Rate one game of the higher bot against the lower one: won, lost or, if both or neither won, drawn."""
    mine, theirs = place in row.winners, any(seat != place for seat in row.winners)
    ranks = [1, 1]
    if mine != theirs:
        ranks = [1, 2] if mine else [2, 1]
    [[ratings[upper]], [ratings[lower]]] = model.rate([[ratings[upper]], [ratings[lower]]], ranks=ranks)


def has_ratings() -> bool:
    """Return whether OpenSkill is installed."""
    return _model() is not None
