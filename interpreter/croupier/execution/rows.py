"""Whole games as native code leaves them behind: a row of words each, read one by one or column by column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from croupier.execution.llvm_compiler import NativeMemory, address_of
from croupier.printers.llvm_games import ROW, row_size
from croupier.printers.llvm_layout import LIMITED, OVER

STATUS, DECISIONS, CHANCE_EVENTS, WINNERS, SCORED, GRADE = range(ROW)
COUNTED = ((-8, 72), (-128, 1024))  # values that are counted by native code, from the lowest on, and how many they are: few, then many


class Played(NamedTuple):
    """A game that was played to its end: winners as seats, returns and scores by seat. `past`: of what there were as many as there may be, if it was
    ended for that."""

    winners: tuple[int, ...]
    returns: tuple[int, ...]
    scores: tuple[int, ...] | None
    grade: str | None
    decisions: int
    chance_events: int
    past: str | None = None


class Playouts(NamedTuple):
    """Games added up: `unusual` ones did not come to their end; `returns` of each seat are those of finished games."""

    finished: int
    unusual: int
    decisions: int
    chance_events: int
    returns: tuple[int, ...]


@dataclass(frozen=True)
class Rows:
    """Games `first` to `first + count - 1`; `texts` are grades by number, `limits` those of the ruleset."""

    words: memoryview[int]
    first: int
    count: int
    players: int
    texts: Sequence[str]
    counting: Callable[[int, int, int, int, int, int], int]  # `rows.count` of native code
    limits: Mapping[str, int]

    def column(self, k: int) -> list[int]:
        """One word of every row."""
        return self.words[k :: row_size(self.players)].tolist()

    def counts(self, k: int) -> dict[int, int]:
        """How often each value is there in a column."""
        for least, size in COUNTED:
            out = NativeMemory(size)
            if not self._count(k, least, out):
                return {value: n for value, n in enumerate(out.view, least) if n}
        return Counter(self.column(k))

    def _count(self, k: int, least: int, out: NativeMemory) -> int:
        """Counts in `out` how often the values from the least on are there in a column; gives how many others are."""
        return self.counting(address_of(self.words) + 8 * k, row_size(self.players), self.count, least, len(out.view), out.address)

    def missing(self) -> int:
        """How many games held something unusual: the evaluator has to play them."""
        statuses = self.counts(STATUS)
        return self.count - statuses.get(OVER, 0) - statuses.get(LIMITED, 0)

    def finished(self) -> bool:
        """Did every game finish?"""
        return self._count(STATUS, OVER, NativeMemory(1)) == 0

    def winners(self) -> Counter[tuple[int, ...]]:
        """How often who won."""
        return Counter({self._seats(bits): n for bits, n in self.counts(WINNERS).items()})

    def scores(self) -> list[dict[int, int]]:
        """Of each seat how often it had which score."""
        scored = self.counts(SCORED)
        columns = [ROW + self.players + seat for seat in range(self.players)]
        if len(scored) == 1:
            return [self.counts(k) if scored.get(1) else {} for k in columns]
        there = self.column(SCORED)
        return [Counter([v for v, is_there in zip(self.column(k), there, strict=True) if is_there]) for k in columns]

    def _seats(self, bits: int) -> tuple[int, ...]:
        return tuple([seat for seat in range(self.players) if bits >> seat & 1])

    def played(self) -> Iterator[tuple[int, Played | None]]:
        """Game by game; none for a game that the evaluator has to play."""
        players, size = self.players, row_size(self.players)
        words = self.words.tolist()
        for k in range(self.count):
            at = k * size
            status, decisions, chances, winners, scored, grade = words[at : at + ROW]
            if status != OVER:
                past = "chance" if chances >= self.limits["chance"] else "decisions"
                ended = Played((), (), None, None, decisions, chances, past) if status == LIMITED else None
                yield self.first + k, ended
                continue
            at += ROW
            yield self.first + k, Played(
                self._seats(winners),
                tuple(words[at : at + players]),
                tuple(words[at + players : at + 2 * players]) if scored else None,
                None if grade < 0 else self.texts[grade],
                decisions,
                chances,
            )
