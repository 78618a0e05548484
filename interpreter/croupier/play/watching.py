"""The watched values of whole games that native code plays: the expressions that go in, and what comes out in
the tail of a row of results.

In: measures, what paces samples along the way, what games are grouped by, as texts. `probing_of` checks them
and gives what is lowered with the game. Out: a `WatchedTail` of each game, read by a `TailReader`.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from croupier.lowering.probes import ProbeExpression, Probing
from croupier.lowering.progress import phases_of
from croupier.lowering.shapes import decoded, shape_of, width
from croupier.play.measure import Grouping, Measure
from croupier.printers.llvm_probes import (
    COURSE_WORDS,
    FORCED,
    MOMENTS,
    OFFERED,
    ORDERED,
    SAMPLE_COUNT,
    TALLY_HEAD,
    TURNS,
)
from croupier.semantics.canonical import expression_form

if TYPE_CHECKING:
    from croupier.execution.native_game import NativeGame
    from croupier.runtime.engine import Engine


def probing_of(
    engine: Engine,
    measures: Sequence[str] = (),
    *,
    samples: bool = False,
    pace: str | None = None,
    by: str = "",
) -> Probing:
    """Return the checked expressions to watch; `key` is a hash of what these expressions mean.

    `samples`: measures are taken before each decision, too, or, with `pace`, whenever that changes its value.

    Raises RulesetError for expressions that the ruleset does not know.
    """
    found = tuple(_expression(Measure(engine, text)) for text in measures)
    checked = None if pace is None else _expression(Measure(engine, pace))
    paced = checked if samples else None
    grouping = _expression(Grouping(engine, by)) if by else None
    forms = [None if x is None else expression_form(x.tree) for x in (paced, grouping, *found)]
    # not the names: no hash of a ruleset says what a measure means
    key = hashlib.sha256(json.dumps([samples, *forms]).encode()).hexdigest()
    return Probing(key, found, samples, paced, grouping)


def _expression(x: Measure | Grouping) -> ProbeExpression:
    return ProbeExpression(x.tree, x.frame, x.of_players)


@dataclass(frozen=True)
class CourseCounts:
    """The counts of the samples of a measure: see `lab/course.py`.

    `gaps`: how many, and the sum of their roots as parts of the largest.
    """

    samples: int
    changes: int
    kings: int
    longest: int
    comeback: bool
    behind: int
    gaps: tuple[int, float]


class TailReader:
    """Reads the tails of the rows of one program. `orders`: is the order of first decisions asked for?"""

    def __init__(self, native: NativeGame, *, orders: bool = True) -> None:
        assert native.probing is not None
        self.orders = orders
        self._native, self.probing, self.players = native, native.probing, native.game.players
        self.phases = [str(proc.name) for proc in phases_of(native.game.program.procs)]
        self._seats = [self.players if x.of_players else 1 for x in self.probing.measures]
        self._values_at = TALLY_HEAD + self.players + 2 * len(self.phases)
        self._group_at = self._values_at + sum(self._seats)

    @cached_property
    def _group(self) -> tuple[ProbeExpression, int]:
        """Return the expression that games are grouped by, and the number of words of its value."""
        assert self.probing.grouping is not None
        return self.probing.grouping, width(
            shape_of(self._native.game, self.probing.grouping.tree.type, self._native.lowered.texts)
        )

    def read(self, words: memoryview[int]) -> WatchedTail:
        """The tail of a game."""
        return WatchedTail(self, words.tolist())

    def values(self, words: Sequence[int]) -> list[list[int]]:
        """The values of each measure at the end, one for each seat that it has."""
        found, at = [], self._values_at
        for seats in self._seats:
            found.append(list(words[at : at + seats]))
            at += seats
        return found

    def columns(self) -> list[list[int]]:
        """For each measure the words of a tail in which its values at the end lie."""
        found, at = [], self._values_at
        for seats in self._seats:
            found.append(list(range(at, at + seats)))
            at += seats
        return found

    def group(self, words: Sequence[int]) -> str | tuple[str, ...] | None:
        """The value that a game is grouped by in words, or one for each seat; `None` if there is none."""
        if self.probing.grouping is None:
            return None
        x, size = self._group
        game, kind = self._native.game, x.tree.type
        shape = shape_of(game, kind, self._native.lowered.texts)
        seats = self.players if x.of_players else 1
        shown = tuple(
            game.show(decoded(words, self._group_at + seat * size, shape), kind, labelled=True)
            for seat in range(seats)
        )
        return shown if x.of_players else shown[0]

    def courses(self, words: Sequence[int]) -> list[CourseCounts | None]:
        """Return the counts of the samples of each measure; `None` for one without seats, and where nothing
        was sampled.
        """
        samples = words[SAMPLE_COUNT]
        at = self._group_at
        if self.probing.grouping is not None:
            at += self._group[1] * (self.players if self.probing.grouping.of_players else 1)
        found: list[CourseCounts | None] = []
        for seats in self._seats:
            if seats == 1 or not self.probing.samples or not samples:
                found.append(None)
                at += COURSE_WORDS if seats > 1 and self.probing.samples else 0
                continue
            changes, kings, longest, comeback, behind, gaps, bits = words[at : at + COURSE_WORDS]
            total: float = struct.unpack("<d", struct.pack("<q", bits))[0]
            found.append(
                CourseCounts(samples, changes, kings, longest, bool(comeback), behind, (gaps, total))
            )
            at += COURSE_WORDS
        return found


@dataclass(frozen=True)
class WatchedTail:
    """The watched values of one game: decisions with one option, options of all decisions, turns, moments
    that took time.
    """

    reader: TailReader
    words: list[int]

    @property
    def forced(self) -> int:
        return self.words[FORCED]

    @property
    def offered(self) -> int:
        return self.words[OFFERED]

    @property
    def turns(self) -> int:
        return self.words[TURNS]

    @property
    def moments(self) -> int:
        return self.words[MOMENTS]

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the order of their first decisions; those that decided nothing in the order of
        seats.
        """
        decided = self.words[TALLY_HEAD : TALLY_HEAD + self.words[ORDERED]]
        return tuple(dict.fromkeys((*decided, *range(self.reader.players))))

    @property
    def phases(self) -> list[tuple[str, int]]:
        """The phases in which somebody decided, in the order of their first decisions, with how many there
        were.
        """
        at = TALLY_HEAD + self.reader.players
        end = at + 2 * len(self.reader.phases)
        counted = zip(self.words[at + 1 : end : 2], self.reader.phases, self.words[at:end:2], strict=True)
        return [(name, count) for _, name, count in sorted([phase for phase in counted if phase[2]])]

    @property
    def values(self) -> list[list[int]]:
        """The values of each measure at the end, one for each seat that it has."""
        return self.reader.values(self.words)

    @property
    def courses(self) -> list[CourseCounts | None]:
        """Return the counts of the samples of each measure; `None` for one without seats, and where nothing
        was sampled.
        """
        return self.reader.courses(self.words)

    @property
    def group(self) -> str | tuple[str, ...] | None:
        """The value that the game is grouped by in words, or one for each seat; `None` if there is none."""
        return self.reader.group(self.words)
