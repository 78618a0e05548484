"""Whole games in native code, many at once: what Python sees of them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from croupier.backends.native import plan as p
from croupier.backends.native.encode import longest
from croupier.backends.native.engine import Engine
from croupier.backends.native.printer import Printer
from croupier.backends.native.program import HASH, ROW, assembly
from croupier.backends.native.streams import STREAM
from croupier.backends.native.zones import FIRST, MORE
from croupier.ir.module import Module
from croupier.runtime.game import Game
from croupier.runtime.results import Result

Word = ctypes.c_int64
Kept = tuple[bytes, bytes]  # a position, and what is on offer there


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played to its end: `final_hash` as hexadecimal text, winners as seats, returns and scores by seat."""

    game: int
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
        self.assembly = assembly(printer)
        self.texts, self.plan, self.words, self.known = printer.constants.texts, printer.plan, printer.words, printer.known
        self.watchers = module.watchers
        self.site_at = {printer.where(s): s for index in printer.runs for s in printer.sites_of(module.routines[index])}
        self.engine = Engine(self.assembly)
        address = ctypes.c_void_p
        self._start = self.engine.function("game.start", address)
        self._apply = self.engine.function("game.apply", address, Word)
        self._batch = self.engine.function("game.batch", address, address, ctypes.c_char_p, Word, address, Word, Word, address)
        self._memory = (Word * (self.plan.end - p.ARENA))()
        self._position = ctypes.addressof(self._memory) - 8 * p.ARENA
        self._view = memoryview(self._memory).cast("B").cast("q")
        self._there: Kept | None = None
        self._streams = (Word * (STREAM * (game.players + 1)))()
        self._text = (ctypes.c_char * (longest(printer) + 256))()

    # ------------------------------------------------------------ one game
    def start(self) -> int:
        """Begin a game in memory; a status."""
        self._there = None
        return int(self._start(self._position))

    def kept(self) -> tuple[Kept, tuple[int, ...], tuple[int, ...]]:
        """What is in memory: to put it back, the words of the position, the actions on offer."""
        zero, view = -p.ARENA, self._view
        words = view[zero : zero + self.plan.end]
        count = words[p.COUNT] if words[p.FRAME] else 0
        offers = view[zero + p.OFFERS : zero + p.OFFERS + count * p.STRIDE]
        self._there = words.tobytes(), offers.tobytes()
        return self._there, tuple(words), tuple(offers[:: p.STRIDE])

    def apply(self, kept: Kept, index: int) -> int:
        """Take one of the things on offer in a position that was kept; a status."""
        if self._there is not kept:
            ctypes.memmove(self._position, kept[0], len(kept[0]))
            ctypes.memmove(self._position + 8 * p.OFFERS, kept[1], len(kept[1]))
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
    def play(self, seed: int, first: int, count: int) -> Iterator[tuple[int, Played | None]]:
        """Games `first` to `first + count - 1` of a seed, seats by chance; none for a game that the evaluator has to play."""
        self._there = None
        players = self.game.players
        size = ROW + 2 * players + HASH
        out = (Word * (size * count))()
        prefix = f"croupier-stream-1 {seed} ".encode("ascii")
        self._batch(self._position, self._streams, prefix, len(prefix), self._text, first, count, out)
        for k in range(count):
            status, decisions, chances, winners, scored, grade, *rest = out[k * size : (k + 1) * size]
            if status != p.OVER:
                yield first + k, None
                continue
            words = memoryview(out).cast("B").cast("I")[2 * (k * size + ROW + 2 * players) :][: 2 * HASH]
            yield first + k, Played(
                game=first + k,
                final_hash="".join(f"{w:08x}" for w in words),
                winners=tuple(seat for seat in range(players) if winners >> seat & 1),
                returns=tuple(rest[:players]),
                scores=tuple(rest[players : 2 * players]) if scored else None,
                grade=None if grade < 0 else self.texts[grade],
                decisions=decisions,
                chance_events=chances,
            )


def compile_game(game: Game, module: Module) -> Native:
    """Raises `Refused` for a construct that is not compiled."""
    return Native(game, module)


__all__ = ["Native", "Played", "compile_game"]
