"""The worth of options: a player to whom one is forbidden, among players who may take it.

Games of the bots say which options are offered how often. For each of the most frequent ones, a player who
never takes it (`avoid:WORDS:BOT`) sits among players who may, in every seat in turn. What the option is worth
is what that player wins too little. Intervals are those of `lab/compare.py`, of whole turns (a game with that
player in each seat, on one seed), with the error divided by how many options are asked about.

How often an option is taken, and what those win who do, are shares of players. Players of one game are not
independent, so their intervals are clustered by game (`lab/clusters.py`).

That a choice wins less where it is taken does not say that it is bad: it may be taken by who is behind
already. Restricted play says it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from glob import escape

from croupier.diagnostics import JsonObject
from croupier.lab.clusters import Clusters
from croupier.lab.compare import compare_bots
from croupier.lab.rows import Row, Watch
from croupier.lab.statistics import Estimate
from croupier.lab.workers import RunConfig, last_of, rows
from croupier.play.match import never
from croupier.play.processes import with_shared_pool
from croupier.play.statistics import CONFIDENCE

SHOWN = 12  # options that are asked about


@dataclass(frozen=True)
class OptionUse:
    """An option over many games: to how many players it was offered, and how many of them took it; the wins
    of those who took it, and of those who did not. A player counts once a game.
    """

    words: str
    uses: Clusters  # those who took it, of those to whom it was offered
    wins_of_takers: Clusters
    wins_of_leavers: Clusters

    @property
    def offered(self) -> int:
        """The number of players to whom it was offered."""
        return round(self.uses.counted)

    @property
    def taken(self) -> int:
        """The number of them who took it."""
        return round(self.uses.hits)

    @property
    def taken_share(self) -> Estimate:
        """The share of them who took it."""
        return self.uses.share()

    @property
    def wins_taken(self) -> Estimate:
        """The share of the wins of those who took it."""
        return self.wins_of_takers.share()

    @property
    def wins_left(self) -> Estimate:
        """The share of the wins of those who did not."""
        return self.wins_of_leavers.share()

    def to_json(self) -> JsonObject:
        return {
            "option": self.words,
            "games": self.uses.games,
            "offered": self.offered,
            "taken": self.taken,
            "taken_share": self.taken_share.to_json(),
            "wins_when_taken": self.wins_taken.to_json(),
            "wins_when_left": self.wins_left.to_json(),
        }


@dataclass(frozen=True)
class OptionWorth:
    """The worth of an option: the share of the wins that a player who never takes it lacks."""

    words: str
    estimate: Estimate
    pairs: int

    def to_json(self) -> JsonObject:
        return {"option": self.words, "worth": self.estimate.to_json(), "turns": self.pairs}


def option_uses(played: list[Row]) -> list[OptionUse]:
    """The options of some games, the most frequently offered ones first. A player counts once a game."""
    found: dict[str, OptionUse] = {}
    for row in played:
        for words, (offered, taken, won, lost) in row.options.items():
            one = found.setdefault(words, OptionUse(words, Clusters(), Clusters(), Clusters()))
            one.uses.add(offered, taken)
            one.wins_of_takers.add(taken, won)
            one.wins_of_leavers.add(offered - taken, lost)
    return sorted(found.values(), key=lambda one: -one.offered)


def observe_options(
    run: RunConfig, games: int, *, jobs: int | None = None, should_stop: Callable[[], bool] = never
) -> list[OptionUse]:
    """The options that bots meet. Raises what `rows` does."""
    watched = replace(run, watch=Watch(options=True))
    return option_uses(
        [
            row
            for row in rows(watched, range(1, games + 1), jobs=jobs, should_stop=should_stop)
            if row.status == "finished"
        ]
    )


@with_shared_pool
def option_worths(
    run: RunConfig,
    options: list[str],
    games: int,
    *,
    jobs: int | None = None,
    should_stop: Callable[[], bool] = never,
) -> Iterator[OptionWorth]:
    """Yield the worth of each option, one after another; a bot of `run` plays all seats.

    Raises what `rows` does.
    """
    bot = run.setup.bots[0]
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(options))
    for words in options:
        against = f"avoid:{escape(words).replace(':', '?')}:{bot}"
        last = last_of(
            compare_bots(run, bot, against, games, jobs=jobs, should_stop=should_stop, confidence=confidence)
        )
        if last is None or (should_stop() and not last.pairs):
            return
        found = last.lines[-1].difference  # of the wins; payments stand before them
        yield OptionWorth(
            words, replace(found, value=-found.value, low=-found.high, high=-found.low), last.pairs
        )
        if should_stop():
            return
