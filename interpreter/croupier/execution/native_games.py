"""A game in native code, as Python sees it: whole games, many at once, and what takes steps. While games are played other threads of Python may run.

Two programs are made of a game, each when it is first asked for: one that plays whole games and is not cut, one that waits and takes steps. Of a game
that looks ahead the second is both.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from croupier.execution.codec import Codec
from croupier.execution.llvm_compiler import NativeMemory, address_of, features
from croupier.execution.native_code import KnownRules, NativeCode, Tiered, code_of, compiled
from croupier.execution.native_desk import Desk, NativeReading, Room
from croupier.execution.rows import Played, Playouts, Rows
from croupier.lowering import Lowered, lower
from croupier.passes.expand import kept
from croupier.passes.native import one_by_one, ready_for_native, uncut_for_native
from croupier.printers import llvm_layout as l
from croupier.printers.llvm import SPARE_COPIES, LlvmSource, WholeGames, llvm_source, whole_source
from croupier.printers.llvm_games import SUMS, row_size
from croupier.printers.llvm_layout import Layout
from croupier.printers.llvm_lines import longest_line
from croupier.printers.llvm_lookahead import blocks
from croupier.printers.llvm_memos import layout_of
from croupier.printers.llvm_whole import plays_whole
from croupier.runtime.game import Game
from croupier.runtime.position import hash_of_data

STEPS, WHOLE, CHECKED, BATCHED = "steps", "whole", "checked", "batch"  # what the codes of a game are kept as


class Native:
    """A game compiled for one set-up, when somebody asks for it; `checked`: whole games test the invariants."""

    def __init__(self, game: Game, ruleset: KnownRules, *, checked: bool = False) -> None:
        self.game, self.ruleset, self.checked = game, ruleset, checked
        self._threads = threading.local()
        self.last: Desk | None = None  # the desk that was made last, of whatever thread

    # ------------------------------------------------------------ compiling
    @cached_property
    def lowered(self) -> Lowered:
        """The core. Raises `NotLowered`."""
        return lower(self.game, invariants=self.checked)

    @property
    def _games(self) -> WholeGames:
        return WholeGames(self.game.program.limits, features())

    @cached_property
    def steps_source(self) -> LlvmSource:
        """The assembly of what takes steps."""
        return llvm_source(ready_for_native(self.lowered.program, self.game), self.game.program.limits["fuel"], self._games)

    @cached_property
    def _whole_source(self) -> LlvmSource:
        return whole_source(uncut_for_native(self.lowered.program, self.game), self.game.program.limits["fuel"], self._games)

    @cached_property
    def _batch_source(self) -> LlvmSource:
        program = ready_for_native(one_by_one(kept(self.lowered.program)), self.game)
        return llvm_source(program, self.game.program.limits["fuel"], self._games, batched=True)

    def _code(self, source: LlvmSource, careful: bool) -> NativeCode:
        copies = SPARE_COPIES if blocks(source.layout.program) else 0
        return compiled(source, tuple(self.lowered.texts.words), copies * (source.layout.before + source.layout.end), careful)

    def _tiered(self, what: str, make: Callable[[bool], NativeCode]) -> Tiered:
        return Tiered(self.game, self.ruleset, what, make)

    @cached_property
    def steps(self) -> Tiered:
        """What takes actions one by one, and plays games on from any position."""
        return self._tiered(STEPS, lambda careful: self._code(self.steps_source, careful))

    @cached_property
    def batched(self) -> Tiered:
        """What plays games side by side, for learners."""
        return self._tiered(BATCHED, lambda careful: self._code(self._batch_source, careful))

    @cached_property
    def whole(self) -> Tiered:
        """What plays whole games from the start: faster, where nobody looks ahead."""
        return self._tiered(CHECKED if self.checked else WHOLE, self._made_whole)

    def _made_whole(self, careful: bool) -> NativeCode:
        if plays_whole(self.lowered.program):
            return self._code(self._whole_source, careful)
        if self.checked:
            return self._code(self.steps_source, careful)
        if careful:
            self.steps.improve()
        return self.steps.code

    @cached_property
    def layout(self) -> Layout:
        """Where everything lies in a position that takes steps."""
        return self.steps_source.layout if "steps_source" in self.__dict__ else layout_of(ready_for_native(self.lowered.program, self.game))

    @cached_property
    def codec(self) -> Codec:
        """What reads positions."""
        return Codec(self.lowered, self.layout.program)

    @cached_property
    def _of_whole(self) -> tuple[Layout, Codec]:
        """The same of the program that plays whole games."""
        if not plays_whole(self.lowered.program):
            return self.layout, self.codec
        program = uncut_for_native(self.lowered.program, self.game)
        return layout_of(program), Codec(self.lowered, program)

    # ------------------------------------------------------------ memory
    @property
    def desk(self) -> Desk:
        """The desk of this thread."""
        try:
            found: Desk = self._threads.desk
        except AttributeError:
            found = self._threads.desk = self.last = Desk(self.steps, Room(self.steps.code, self.game.players))
        return found


    def room(self) -> Room:
        """Memory for one more thread that plays whole games."""
        return Room(self.whole.code, self.game.players)

    @property
    def _room(self) -> Room:
        try:
            found: Room = self._threads.room
        except AttributeError:
            found = self._threads.room = self.room()
        return found

    # ------------------------------------------------------------ whole games
    def rows(self, seed: int, first: int, count: int, room: Room | None = None) -> Rows:
        """Games `first` to `first + count - 1` of a seed, seats by chance; in a room of its own any thread may play them."""
        room, out = room or self._room, NativeMemory(row_size(self.game.players) * count)
        room.seed(seed)
        self.whole.run("game.batch", "aanna", room.position, room.streams.address, first, count, out.address)
        return self._rows(self.whole, out, first, count)

    def _rows(self, tiered: Tiered, out: NativeMemory, first: int, count: int) -> Rows:
        counting = tiered.engine.function("rows.count", "annnna")
        return Rows(out.view, first, count, self.game.players, tiered.code.texts, counting, self.game.program.limits)

    def play_one(self, seed: int, number: int) -> tuple[Played, LastPosition] | None:
        """One of these games that finished, and its last position; none for one that the evaluator has to play."""
        _, played = next(self.play(seed, number, 1))
        words = self._room.words[: self.whole.code.end]
        return None if played is None or played.past else (played, LastPosition(self.game, lambda: self._of_whole, words.tobytes()))

    def play(self, seed: int, first: int, count: int) -> Iterator[tuple[int, Played | None]]:
        """The same, game by game; none for a game that the evaluator has to play."""
        return self.rows(seed, first, count).played()

    def roll_out(self, position: int, seed: int, number: int) -> tuple[Played, LastPosition] | None:
        """`play_one` from a position on, of which this is the address."""
        _, played = next(self.roll_outs(position, seed, number, 1).played())
        words = self._threads.rolling.words[: self.steps.code.end]
        return None if played is None or played.past else (played, LastPosition(self.game, lambda: (self.layout, self.codec), words.tobytes()))

    def roll_outs(self, position: int, seed: int, first: int, count: int) -> Rows:
        """The same from a position on, of which this is the address."""
        try:
            room: Room = self._threads.rolling
        except AttributeError:
            room = self._threads.rolling = Room(self.steps.code, self.game.players)
        out = NativeMemory(row_size(self.game.players) * count)
        room.seed(seed)
        self.steps.run("game.roll", "aaanna", position, room.position, room.streams.address, first, count, out.address)
        return self._rows(self.steps, out, first, count)

    def playouts(self, count: int, seed: int = 1) -> Playouts:
        """Games by random numbers of no published stream, added up: to measure, and for estimates."""
        room, out = self._room, NativeMemory(SUMS + self.game.players)
        room.unseed(seed)
        self.whole.run("game.playouts", "aana", room.position, room.streams.address, count, out.address)
        finished, unusual, decisions, chances, *returns = out.view.tolist()
        return Playouts(finished, unusual, decisions, chances, tuple(returns))

    def lines(self, rows: Rows) -> bytes:
        """What a digest is made of, of games that are all over."""
        text = NativeMemory(longest_line(rows.players) * rows.count // 8 + 1)
        size = self.whole.engine.function("game.lines", "anna")(address_of(rows.words), rows.first, rows.count, text.address)
        return text.view.cast("B")[:size].tobytes()


@dataclass(frozen=True)
class LastPosition:
    """The words of a position whose game is over; how they are read is asked for when they are."""

    game: Game
    reading: Callable[[], tuple[Layout, Codec]]
    words: bytes

    def hash(self) -> str:
        """The hash of the position, as `State.hash` gives it."""
        layout, codec = self.reading()
        words = memoryview(bytearray(self.words)).cast("q")
        words[l.TOP] = 0
        return hash_of_data(self.game, codec.as_data(NativeReading(layout, words)))


def compile_game(game: Game, ruleset: KnownRules, *, only_kept: bool = False, checked: bool = False) -> Native | None:
    """A set-up of a ruleset, by whose hash its code is kept; none if it is not kept and only that was asked for.

    Whole games of `checked` code in which an invariant does not hold are unusual. Raises `NotLowered` for a construct that is not compiled.
    """
    made = Native(game, ruleset, checked=checked)
    if not made.whole.is_kept():
        if only_kept:
            return None
        if code_of(game, ruleset, STEPS, None) is None:
            made.lowered  # noqa: B018 - what cannot be compiled is refused now
    return made
