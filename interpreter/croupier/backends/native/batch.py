"""Whole games in native code, many at once: what Python sees of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from croupier.backends.native import plan as p
from croupier.backends.native.code import code_of
from croupier.backends.native.engine import Engine, Memory
from croupier.backends.native.moving import FIRST, MORE
from croupier.backends.native.printer import Printer
from croupier.backends.native.program import HASH, ROW
from croupier.backends.native.streams import STREAM
from croupier.backends.sites import Site
from croupier.ir import lower
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

    def __init__(self, game: Game, ruleset_hash: str) -> None:
        self.game = game
        code = code_of(game, ruleset_hash, lambda: self.printer)
        self.texts, self._stack, self._frames = code.texts, code.stack, code.frames
        self.engine = Engine(code.object)
        self._start = self.engine.function("game.start", "a")
        self._apply = self.engine.function("game.apply", "an")
        self._ask = self.engine.function("game.ask", "an")
        self._batch = self.engine.function("game.batch", "aabnanna")
        self.size = ROW + 2 * game.players + HASH  # words of a row of a batch
        self._memory = Memory(code.end - p.ARENA)
        self._position = self._memory.address - 8 * p.ARENA
        self._view = self._memory.view
        self._there: Kept | None = None
        self._streams = Memory(STREAM * (game.players + 1))
        self._text = Memory(code.text)

    @cached_property
    def printer(self) -> Printer:
        """What knows where everything lies; made when code is, or when a position is asked about."""
        return Printer(self.game, lower(self.game.program))

    @cached_property
    def layout(self) -> Printer:
        """The same, once all functions were written: the places where control goes on are known."""
        if not self.printer.texts:
            self.printer.functions()
        return self.printer

    @cached_property
    def site_at(self) -> dict[int, Site]:
        """The suspensions by the place where the first way on from them goes on."""
        printer = self.layout
        return {printer.where(s): s for index in printer.runs for s in printer.sites_of(printer.module.routines[index])}

    # ------------------------------------------------------------ one game
    def start(self) -> int:
        """Begin a game in memory; a status."""
        self._there = None
        return int(self._start(self._position))

    def kept(self) -> tuple[Kept, Sequence[int], list[int]]:
        """What is in memory: to put it back, the words of the position, the actions on offer."""
        zero, view = -p.ARENA, self._view
        frame = view[zero + p.FRAME]
        end = frame + self._frames[view[zero + frame + 1]] if frame else self._stack
        count = view[zero + p.COUNT] if frame else 0
        offers = view[zero + p.OFFERS : zero + p.OFFERS + count * p.STRIDE]
        self._there = view[zero : zero + end].tobytes(), offers.tobytes()
        return self._there, memoryview(self._there[0]).cast("q"), offers[:: p.STRIDE].tolist()

    def put_back(self, kept: Kept) -> None:
        """A position that was kept is in memory again; what is there will be no more."""
        if self._there is not kept:
            for at, words in zip((0, p.OFFERS), kept, strict=True):
                self._view[at - p.ARENA : at - p.ARENA + len(words) // 8] = memoryview(words).cast("q")
        self._there = None

    def ask(self, kept: Kept, seat: int) -> int:
        """Put on offer what one of those may choose from who choose at the same time; a status."""
        self.put_back(kept)
        return int(self._ask(self._position, seat))

    def apply(self, kept: Kept, index: int) -> int:
        """Take one of the things on offer in a position that was kept; a status."""
        self.put_back(kept)
        return int(self._apply(self._position, index))

    def zone(self, words: Sequence[int], z: int) -> tuple[Any, ...]:
        """The contents of a zone, unordered parts as tuples."""
        plan, out = self.layout.plan, list[Any]()
        at = plan.zones[z]
        for k in range(1, 1 + words[at]):
            piece, tag = words[at + k], words[at + plan.capacity[z] + k]
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
        grade, scores = words[p.GRADE], words[p.RETURNS + players : p.RETURNS + 2 * players]
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


def compile_game(game: Game, ruleset_hash: str) -> Native:
    """A set-up of a ruleset, whose hash is part of what its code is kept by. Raises `Refused` for a construct that is not compiled."""
    return Native(game, ruleset_hash)


__all__ = ["Native", "Played", "compile_game"]
