"""Whole games as native code leaves them behind: a row of words each, read one by one or column by column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from croupier.printers.llvm_games import ROW, row_size
from croupier.printers.llvm_layout import OVER


class Played(NamedTuple):
    """A game that was played to its end: winners as seats, returns and scores by seat."""

    winners: tuple[int, ...]
    returns: tuple[int, ...]
    scores: tuple[int, ...] | None
    grade: str | None
    decisions: int
    chance_events: int


class Playouts(NamedTuple):
    """Games added up: `unusual` ones did not come to their end; `returns` of each seat are those of finished games."""

    finished: int
    unusual: int
    decisions: int
    chance_events: int
    returns: tuple[int, ...]


@dataclass(frozen=True)
class Rows:
    """Games `first` to `first + count - 1`; `texts` are grades by number."""

    words: memoryview[int]
    first: int
    count: int
    players: int
    texts: Sequence[str]

    def column(self, k: int) -> list[int]:
        """The same word of every row."""
        return self.words[k :: row_size(self.players)].tolist()

    def missing(self) -> int:
        """How many games held something unusual: the evaluator has to play them."""
        return self.count - self.column(0).count(OVER)

    def winners(self) -> Counter[tuple[int, ...]]:
        """How often who won."""
        return Counter({self._seats(bits): n for bits, n in Counter(self.column(3)).items()})

    def scores(self) -> list[Counter[int]]:
        """Of each seat how often it had which score."""
        scored, out = self.column(4), []
        for seat in range(self.players):
            column = self.column(ROW + self.players + seat)
            out.append(Counter(column if all(scored) else [v for v, there in zip(column, scored, strict=True) if there]))
        return out

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
                yield self.first + k, None
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
