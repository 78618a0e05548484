"""Whole games in native code, many at once: what Python sees of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from croupier.backends.native import plan as p
from croupier.backends.native.encode import longest
from croupier.backends.native.engine import Engine, Memory, hashes_quickly
from croupier.backends.native.moving import FIRST, MORE
from croupier.backends.native.printer import Printer
from croupier.backends.native.program import HASH, ROW, assembly
from croupier.backends.native.streams import STREAM
from croupier.ir.module import Module
from croupier.runtime.game import Game
from croupier.runtime.results import Result

Kept = tuple[bytes, bytes]  # a position, and what is on offer there


class Played(NamedTuple):
    """A game that was played to its end: `final_hash` as hexadecimal text, winners as seats, returns and scores by seat."""

    final_hash: str
    winners: tuple[int, ...]
    returns: tuple[int, ...]
    scores: tuple[int, ...] | None
    grade: str | None
    decisions: int
    chance_events: int


class Native:
    """A game compiled for one set-up. Not to be used by two threads at once."""

    def __init__(self, game: Game, module: Module) -> None:
        self.game = game
        printer = Printer(game, module)
        self.assembly = assembly(printer, hashes_quickly())
        self.texts, self.plan, self.words, self.known = printer.constants.texts, printer.plan, printer.words, printer.known
        self.watchers = module.watchers
        self.site_at = {printer.where(s): s for index in printer.runs for s in printer.sites_of(module.routines[index])}
        self.engine = Engine(self.assembly)
        self._start = self.engine.function("game.start", "a")
        self._apply = self.engine.function("game.apply", "an")
        self._batch = self.engine.function("game.batch", "aabnanna")
        self.size = ROW + 2 * game.players + HASH  # words of a row of a batch
        self._memory = Memory(self.plan.end - p.ARENA)
        self._position = self._memory.address - 8 * p.ARENA
        self._view = self._memory.view
        self._there: Kept | None = None
        self._streams = Memory(STREAM * (game.players + 1))
        self._text = Memory(longest(printer) // 8 + 32)

    # ------------------------------------------------------------ one game
    def start(self) -> int:
        """Begin a game in memory; a status."""
        self._there = None
        return int(self._start(self._position))

    def kept(self) -> tuple[Kept, Sequence[int], list[int]]:
        """What is in memory: to put it back, the words of the position, the actions on offer."""
        zero, view = -p.ARENA, self._view
        frame = view[zero + p.FRAME]
        end = frame + self.plan.frames[self.site_at[view[zero + frame + 1]].routine.index].size if frame else self.plan.stack
        count = view[zero + p.COUNT] if frame else 0
        offers = view[zero + p.OFFERS : zero + p.OFFERS + count * p.STRIDE]
        self._there = view[zero : zero + end].tobytes(), offers.tobytes()
        return self._there, memoryview(self._there[0]).cast("q"), offers[:: p.STRIDE].tolist()

    def apply(self, kept: Kept, index: int) -> int:
        """Take one of the things on offer in a position that was kept; a status."""
        if self._there is not kept:
            for at, words in zip((0, p.OFFERS), kept, strict=True):
                self._view[at - p.ARENA : at - p.ARENA + len(words) // 8] = memoryview(words).cast("q")
        self._there = None
        return int(self._apply(self._position, index))

    def zone(self, words: Sequence[int], z: int) -> tuple[Any, ...]:
        """The contents of a zone, unordered parts as tuples."""
        at, out = self.plan.zones[z], list[Any]()
        for k in range(1, 1 + words[at]):
            piece, tag = words[at + k], words[at + self.plan.capacity[z] + k]
            if tag == MORE:
                out[-1] = (*out[-1], piece)
            else:
                out.append((piece,) if tag == FIRST else piece)
        return tuple(out)

    def result(self, words: Sequence[int]) -> Result | None:
        """How the game ended, if it has."""
        if words[p.RESULT] == 0:
            return None
        players = self.game.players
        grade, scores = words[p.GRADE], words[self.plan.scores : self.plan.scores + players]
        return Result(
            p.RESULTS[words[p.RESULT]],
            tuple(seat for seat in range(players) if words[p.WINNERS] >> seat & 1),
            tuple(words[p.RETURNS : p.RETURNS + players]),
            tuple(scores) if words[p.SCORED] else None,
            None if grade < 0 else self.texts[grade],
        )

    # ------------------------------------------------------------ whole games
    def rows(self, seed: int, first: int, count: int) -> memoryview[int]:
        """Games `first` to `first + count - 1` of a seed, seats by chance: `self.size` words each, as `game.batch` writes them."""
        self._there = None
        out = Memory(self.size * count)
        prefix = f"croupier-stream-1 {seed} ".encode("ascii")
        self._batch(self._position, self._streams.address, prefix, len(prefix), self._text.address, first, count, out.address)
        return out.view

    def play(self, seed: int, first: int, count: int) -> Iterator[tuple[int, Played | None]]:
        """The same, game by game; none for a game that the evaluator has to play."""
        players, row = self.game.players, 8 * self.size
        rows = self.rows(seed, first, count)
        raw, words = rows.cast("B"), rows.tolist()
        seats, hashed = range(players), 8 * (ROW + 2 * players)
        for k in range(count):
            at = k * self.size
            status, decisions, chances, winners, scored, grade = words[at : at + ROW]
            if status != p.OVER:
                yield first + k, None
                continue
            at += ROW
            yield first + k, Played(
                raw[k * row + hashed : k * row + hashed + 32].hex(),
                tuple([seat for seat in seats if winners >> seat & 1]),
                tuple(words[at : at + players]),
                tuple(words[at + players : at + 2 * players]) if scored else None,
                None if grade < 0 else self.texts[grade],
                decisions,
                chances,
            )


def compile_game(game: Game, module: Module) -> Native:
    """Raises `Refused` for a construct that is not compiled."""
    return Native(game, module)


__all__ = ["Native", "Played", "compile_game"]
