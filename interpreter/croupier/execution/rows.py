"""Results of playouts in native code: an array of words with a row for each game, read by rows or by columns.

Native code writes the array (`printers/llvm_playouts.py`) and counts in its columns, so that a simulation
makes no Python object for each game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from croupier.execution.llvm_compiler import NativeMemory, address_of
from croupier.printers.llvm_layout import Status
from croupier.printers.llvm_playouts import ROW_HEAD, row_words
from croupier.runtime.state import RolledOuts

STATUS, DECISIONS, CHANCE_EVENTS, WINNERS, SCORED, GRADE = range(ROW_HEAD)
NO_GRADE = -1  # word `GRADE` of a game that ends without words
# ranges of histograms that native code counts, tried in order: the lowest value, how many values
HISTOGRAM_RANGES = ((-8, 72), (-128, 1024))


class PlayedGame(NamedTuple):
    """A game that ended: winners as seats, returns and scores by seat, grade as text.

    `limit`: what that ended it, `"chance"` or `"decisions"`; such a game has no result. None if it finished.
    """

    winners: tuple[int, ...]
    returns: tuple[int, ...]
    scores: tuple[int, ...] | None
    grade: str | None
    decisions: int
    chance_events: int
    limit: str | None = None


class PlayoutTotals(NamedTuple):
    """Sums over playouts: `bailouts` counts those that bailed out, `returns` has the sum over finished games
    for each seat.
    """

    finished: int
    bailouts: int
    decisions: int
    chance_events: int
    returns: tuple[int, ...]


@dataclass(frozen=True)
class RowGrades:
    """A decoder of the words that end a game, from rows.

    `texts`: those that have a number; `words`: number of words of a row from which the others are made;
    `make`: makes one of these.
    """

    texts: Sequence[str]
    words: int
    make: Callable[[int, Sequence[int]], str]

    def text(self, grade: int, words: Sequence[int]) -> str | None:
        """Return the words that end a game, `None` if it has no such words.

        `grade`: word `GRADE` of the row; `words`: the last `self.words` of it.
        """
        if grade == NO_GRADE:
            return None
        return self.texts[grade] if grade >= 0 else self.make(grade, words)


@dataclass(frozen=True)
class ResultRows:
    """Results of games `first` to `first + count - 1` of a run.

    `limits`: those of the ruleset; `tail_words`: words of what is watched of a game.
    """

    words: memoryview[int]
    first: int
    count: int
    players: int
    grades: RowGrades
    histogram_function: Callable[[int, int, int, int, int, int], int]  # `rows.histogram` of native code
    limits: Mapping[str, int]
    tail_words: int = 0

    @property
    def row_words(self) -> int:
        """Words of a row."""
        return row_words(self.players, self.grades.words, self.tail_words)

    @property
    def tail_at(self) -> int:
        """Word of a row with which the tail begins."""
        return row_words(self.players, self.grades.words)

    def tail(self, number: int) -> memoryview[int]:
        """Return the probe results of a game, by its number."""
        end = (number - self.first + 1) * self.row_words
        return self.words[end - self.tail_words : end]

    def column(self, k: int) -> list[int]:
        """Word `k` of every row."""
        return self.words[k :: self.row_words].tolist()

    def histogram(self, k: int) -> dict[int, int]:
        """The histogram of word `k` of the rows."""
        for least, size in HISTOGRAM_RANGES:
            out = NativeMemory(size)
            if not self._count_values(k, least, out):
                return {value: n for value, n in enumerate(out.view, least) if n}
        return Counter(self.column(k))

    def _count_values(self, k: int, least: int, out: NativeMemory) -> int:
        """Count the values of word `k` from `least` on in `out`; return how many values fall outside."""
        return self.histogram_function(
            address_of(self.words) + 8 * k, self.row_words, self.count, least, len(out.view), out.address
        )

    def bailout_count(self) -> int:
        """Return the number of games that bailed out: the evaluator has to play them."""
        statuses = self.histogram(STATUS)
        return self.count - statuses.get(Status.OVER, 0) - statuses.get(Status.LIMIT, 0)

    def all_finished(self) -> bool:
        """Return whether every game finished."""
        return self._count_values(STATUS, Status.OVER, NativeMemory(1)) == 0

    def winners(self) -> Counter[tuple[int, ...]]:
        """Return how often each set of winners won."""
        return Counter({self._seats(bits): n for bits, n in self.histogram(WINNERS).items()})

    def grade_counts(self) -> Counter[str | None]:
        """Return how often each text ended a game; `None` counts games without a text."""
        found = self.histogram(GRADE)
        if min(found, default=NO_GRADE) >= NO_GRADE:
            return Counter({self.grades.text(grade, ()): n for grade, n in found.items()})
        size, first = self.row_words, ROW_HEAD + 2 * self.players
        rows = range(0, self.count * size, size)
        values = Counter(
            (self.words[at + GRADE], self.words[at + first : at + self.tail_at].tobytes()) for at in rows
        )
        counted = Counter[str | None]()
        for (grade, packed), n in values.items():
            counted[self.grades.text(grade, memoryview(packed).cast("q"))] += n
        return counted

    def scores(self) -> list[dict[int, int]]:
        """Return the histogram of scores for each seat; empty if a game has no scores."""
        scored = self.histogram(SCORED)
        columns = [ROW_HEAD + self.players + seat for seat in range(self.players)]
        if len(scored) == 1:
            return [self.histogram(k) if scored.get(1) else {} for k in columns]
        there = self.column(SCORED)
        return [
            Counter([v for v, is_there in zip(self.column(k), there, strict=True) if is_there])
            for k in columns
        ]

    def fill(self, found: RolledOuts, decisions: int, chance_events: int) -> list[int]:
        """Write the rows of games that finished with fewer decisions and chance events than these into
        arrays; the rows of the others.
        """
        import numpy

        rows = numpy.frombuffer(self.words, numpy.int64).reshape(self.count, self.row_words)
        found.decisions[:], found.chance_events[:] = rows[:, DECISIONS], rows[:, CHANCE_EVENTS]
        found.winners[:] = rows[:, WINNERS, None] >> numpy.arange(self.players) & 1
        found.returns[:] = rows[:, ROW_HEAD : ROW_HEAD + self.players]
        finished = (
            (rows[:, STATUS] == Status.OVER)
            & (found.decisions < decisions)
            & (found.chance_events < chance_events)
        )
        unfinished = numpy.flatnonzero(~finished)
        found.winners[unfinished], found.returns[unfinished] = False, 0
        return unfinished.tolist()

    def _seats(self, bits: int) -> tuple[int, ...]:
        return tuple([seat for seat in range(self.players) if bits >> seat & 1])

    def games(self) -> Iterator[tuple[int, PlayedGame | None]]:
        """The games by number; None for one that bailed out, which the evaluator has to play."""
        players, size = self.players, self.row_words
        words = self.words.tolist()
        for k in range(self.count):
            at = k * size
            status, decisions, chances, winners, scored, grade = words[at : at + ROW_HEAD]
            if status != Status.OVER:
                limit = "chance" if chances >= self.limits["chance"] else "decisions"
                if status == Status.LIMIT:
                    ended = PlayedGame((), (), None, None, decisions, chances, limit)
                else:
                    ended = None
                yield self.first + k, ended
                continue
            at += ROW_HEAD
            yield (
                self.first + k,
                PlayedGame(
                    self._seats(winners),
                    tuple(words[at : at + players]),
                    tuple(words[at + players : at + 2 * players]) if scored else None,
                    self.grades.text(grade, words[at + 2 * players : at + 2 * players + self.grades.words]),
                    decisions,
                    chances,
                ),
            )
