"""Two rulesets, variants, parameters or bots, on matched seeds; and so what an option or a variant is worth.

Rules against rules: game k is played twice with the same seed, once by each side's rules, and each measure
gives a difference B - A. Bots against bots: under one set of rules, one bot of side B sits among bots of side
A, in every seat in turn with the same seed, and its share of the wins is compared with what an equal would
win, 1 / players; a game that nobody wins is shared by all. Where the rules pay (`finish pay`), so is what it
is paid, with what all are paid on average: where stakes vary, who wins most hands may lose most. What a game,
or its turn, gives is one observation.

Each measure has a confidence sequence, with the error divided by the number of measures (Bonferroni), so that
the whole table errs in at most 5 % of all comparisons, however often it is looked at.

What an option is worth: games of the bots say which options are offered how often. For each of the most
frequent ones, a player who never takes it (`avoid:WORDS:BOT`) sits among players who may, in every seat in
turn. What the option is worth is what that player wins too little. What a variant is worth: each that comes
with the ruleset is compared with it. Intervals are those above, with the error divided by how many things are
asked about.

That a choice wins less where it is taken does not say that it is bad: it may be taken by who is behind
already. Restricted play says it.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from glob import escape

from croupier.diagnostics import JsonObject
from croupier.lab.names import for_programs
from croupier.lab.rows import Row, Watch
from croupier.lab.statistics import (
    FIRST,
    BoundedSequence,
    ConfidenceSequence,
    Estimate,
    Moments,
    NormalSequence,
    share,
)
from croupier.lab.workers import RunConfig, has_payments, players_of, rows, with_shared_pool
from croupier.play.match import never
from croupier.play.statistics import CONFIDENCE

WINS, SAME = "wins of ", "the same in every pair of games"
# games of each side before the other side plays: at first, and at most; seconds that they may take
FEW, CHUNK, LONG = 4, 100, 5.0


@dataclass
class Line:
    """One measure of a comparison: what each side has on average, and the difference B - A with its
    sequence.
    """

    name: str
    sequence: ConfidenceSequence
    spread: NormalSequence
    a: Moments = field(default_factory=Moments)
    b: Moments = field(default_factory=Moments)

    def add(self, a: float, b: float) -> None:
        """Add the values of one more pair."""
        self.a.add(a)
        self.b.add(b)
        self.sequence.add(b - a)
        self.spread.add(b - a)

    @property
    def difference(self) -> Estimate:
        """B - A."""
        return self.sequence.estimate()

    @property
    def is_share(self) -> bool:
        """True if it is a share of games."""
        return isinstance(self.sequence, BoundedSequence)

    def verdict(self, b: str = "B") -> str:
        """The verdict in words; `b` is what side B is called."""
        found = self.difference
        if not found.n:
            return "too few yet: no pair of games is over"
        if found.excludes_zero:
            return f"{b} has {'more' if found.value > 0 else 'less'}"
        if self.spread.deviation == 0 and found.value == 0:
            return SAME
        if max(abs(found.low), abs(found.high)) == float("inf"):
            return f"too few yet: nothing can be said before {FIRST} pairs of games"
        if isinstance(self.sequence, BoundedSequence) and self.sequence.says_nothing:
            return f"too few yet: {found.n:,} pairs say nothing"
        largest = max(abs(found.low), abs(found.high))
        return (
            f"no difference larger than {f'{largest:.1%}' if self.is_share else f'{largest:.3g}'} was found"
        )

    def needed(self) -> int | None:
        """The number of further pairs that would show a difference as large as the one that is seen.

        `None` if it shows already, or cannot be told.
        """
        return None if self.difference.excludes_zero else self.spread.needed(self.difference.value)

    def to_json(self) -> JsonObject:
        return {
            "measure": for_programs(self.name),
            "a": round(self.a.mean, 6),
            "b": round(self.b.mean, 6),
            "difference": self.difference.to_json(),
            "verdict": self.verdict(),
            "pairs_needed": self.needed(),
        }


@dataclass
class Comparison:
    """A comparison of two sides, as far as it has been played."""

    kind: str
    players: int
    lines: list[Line]
    pairs: int = 0
    skipped: int = 0  # pairs in which a game did not finish

    def to_json(self) -> JsonObject:
        return {
            "kind": self.kind,
            "pairs": self.pairs,
            "skipped": self.skipped,
            "lines": [line.to_json() for line in self.lines],
        }


Figure = Callable[[Row], float | None]


def measures_of(players: int, measures: tuple[str, ...]) -> dict[str, tuple[Figure, bool]]:
    """The measures by name: a figure of a row, and whether it lies from 0 to 1."""
    found: dict[str, tuple[Figure, bool]] = {}
    for seat in range(players):
        found[f"{WINS}player {seat + 1}"] = (partial(_share_of, seat), True)
    found["ties and games without a winner"] = (lambda row: float(len(row.winners) != 1), True)
    found["decisions"] = (lambda row: float(row.decisions), False)
    found["margin"] = (lambda row: row.margin, False)
    for text in measures:
        found[text] = (partial(_figure_of, text), False)
    return found


def _share_of(seat: int, row: Row) -> float:
    return row.share(seat)


def _figure_of(text: str, row: Row) -> float | None:
    """A measure at the end; of one that says `me`, that of player 1."""
    return row.figures.get(text, row.figures.get(f"{text} of player 1"))


@with_shared_pool
def compare_rules(
    a: RunConfig,
    b: RunConfig,
    games: int,
    *,
    jobs: int | None = None,
    should_stop: Callable[[], bool] = never,
    confidence: float = CONFIDENCE,
    matched: bool = True,
) -> Iterator[Comparison]:
    """Two sets of rules; yields the comparison again and again while it grows.

    Without `matched` the games of B have other numbers than those of A.

    Raises RulesetError and UnknownAgent as `rows` does; ValueError if the sides have different numbers of
    players.
    """
    players, other = players_of(a), players_of(b)
    if players != other:
        raise ValueError(f"side A has {players} players, side B {other}: say --players")
    wanted = measures_of(players, tuple(dict.fromkeys((*a.watch.measures, *b.watch.measures))))
    error = (1 - confidence) / len(wanted)
    lines = {name: _line(name, -1.0, 1.0, 1 - error, bounded) for name, (_, bounded) in wanted.items()}
    found = Comparison("rules", players, list(lines.values()))
    shift = 0 if matched else games
    for numbers in chunks(games, CHUNK):
        mine = list(rows(a, numbers, jobs=jobs, should_stop=should_stop, of=games))
        theirs = list(
            rows(
                b,
                range(numbers.start + shift, numbers.stop + shift),
                jobs=jobs,
                should_stop=should_stop,
                of=games,
            )
        )
        for one, two in zip(mine, theirs, strict=False):
            if one.status != "finished" or two.status != "finished":
                found.skipped += 1
                continue
            found.pairs += 1
            for name, (figure, _) in wanted.items():
                x, y = figure(one), figure(two)
                if x is not None and y is not None:
                    lines[name].add(x, y)
                    if f"{name} of player 1" in one.figures:
                        lines[name].name = f"{name} of player 1"
        found.lines = [line for line in lines.values() if line.a.n]
        yield found
        if should_stop():
            return


@with_shared_pool
def compare_bots(
    run: RunConfig,
    a: str,
    b: str,
    games: int,
    *,
    jobs: int | None = None,
    should_stop: Callable[[], bool] = never,
    confidence: float = CONFIDENCE,
) -> Iterator[Comparison]:
    """A bot B among bots A, in every seat in turn; yields the comparison again and again while it grows.

    Raises what `rows` does.
    """
    players = players_of(run.with_bots((a,)))
    turns = [
        run.with_bots(tuple(b if seat == place else a for seat in range(players))) for place in range(players)
    ]
    pays = has_payments(run.source)
    confidence = 1 - (1 - confidence) / (2 if pays else 1)
    line = _line(
        "share of the wins of B, less that of an equal", -1 / players, 1 - 1 / players, confidence, True
    )
    paid = _line("paid to B, less what all are paid on average", 0, 0, confidence, False)
    found = Comparison("bots", players, [paid, line] if pays else [line])
    for numbers in chunks(games, max(1, CHUNK // players)):
        played = [
            list(rows(turn, numbers, jobs=jobs, should_stop=should_stop, of=games * players))
            for turn in turns
        ]
        for together in zip(*played, strict=False):
            if any(row.status != "finished" for row in together):
                found.skipped += 1
                continue
            found.pairs += 1
            line.add(1 / players, sum(row.part(seat, players) for seat, row in enumerate(together)) / players)
            paid.add(
                sum(sum(row.returns) for row in together) / players**2,
                sum(row.returns[seat] for seat, row in enumerate(together)) / players,
            )
        yield found
        if should_stop():
            return


def chunks(games: int, most: int) -> Iterator[range]:
    """All games in turn, some at a time, and more each time while they are quick: what was seen is told soon,
    and seldom where there is much.
    """
    first, size = 1, min(FEW, most)
    while first <= games:
        stop, started = min(games, first + size - 1) + 1, time.monotonic()
        yield range(first, stop)
        if time.monotonic() - started < LONG:
            size = max(min(most, 2 * size), (first - 1) // 4)
        first = stop


def _line(name: str, low: float, high: float, confidence: float, bounded: bool) -> Line:
    return Line(
        name,
        BoundedSequence(low, high, confidence) if bounded else NormalSequence(confidence),
        NormalSequence(confidence),
    )


# ------------------------------------------------------------ with and without an option
SHOWN = 12  # options that are asked about


@dataclass(frozen=True)
class OptionUse:
    """An option over many games: how often it was offered to a player and taken, and what those who took it
    won, and those who did not.
    """

    words: str
    offered: int
    taken: int
    wins_taken: Estimate
    wins_left: Estimate

    def to_json(self) -> JsonObject:
        return {
            "option": self.words,
            "offered": self.offered,
            "taken": self.taken,
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
    offered, taken, won, lost = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for row in played:
        for words, (o, t, w, v) in row.options.items():
            offered[words] += o
            taken[words] += t
            won[words] += w  # type: ignore[assignment]
            lost[words] += v  # type: ignore[assignment]
    return [
        OptionUse(
            words,
            count,
            taken[words],
            share(float(won[words]), taken[words]),
            share(float(lost[words]), count - taken[words]),
        )
        for words, count in offered.most_common()
    ]


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
        last = deque(
            compare_bots(run, bot, against, games, jobs=jobs, should_stop=should_stop, confidence=confidence),
            maxlen=1,
        )
        if not last or (should_stop() and not last[0].pairs):
            return
        found = last[0].lines[-1].difference  # of the wins; payments stand before them
        yield OptionWorth(
            words, replace(found, value=-found.value, low=-found.high, high=-found.low), last[0].pairs
        )
        if should_stop():
            return


@with_shared_pool
def compare_variants(
    run: RunConfig,
    names: list[str],
    games: int,
    *,
    jobs: int | None = None,
    should_stop: Callable[[], bool] = never,
) -> Iterator[tuple[str, Comparison]]:
    """Each variant against the ruleset itself. Raises what `rows` does."""
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(names))
    for name in names:
        other = replace(run, source=name)
        last = deque(
            compare_rules(run, other, games, jobs=jobs, should_stop=should_stop, confidence=confidence),
            maxlen=1,
        )
        if should_stop() or not last:
            return
        yield name, last[0]


__all__ = [
    "Comparison", "Line", "OptionUse", "OptionWorth", "compare_bots", "compare_rules", "compare_variants",
    "measures_of", "observe_options",
    "option_uses", "option_worths",
]  # fmt: skip
