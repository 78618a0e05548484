"""Whole games of the core in native code, many at once: what Python sees of them. While they are played other threads of Python may run."""

from __future__ import annotations

import threading
from functools import cached_property

from croupier.execution.llvm_compiler import Memory, features
from croupier.execution.native_engine import NativePosition, NativeProgram
from croupier.execution.rows import Played, Playouts, Rows, row_size
from croupier.lowering import lower
from croupier.passes.native import ready_for_native, uncut_for_native
from croupier.printers.llvm import WholeGames
from croupier.printers.llvm_games import SUMS
from croupier.printers.llvm_streams import STREAM
from croupier.printers.llvm_whole import plays_whole
from croupier.runtime.game import Game


class Room:
    """Memory that games are played in: of one thread at a time."""

    def __init__(self, program: NativeProgram, players: int) -> None:
        self.position, self.streams = NativePosition(program, begin=False), Memory(STREAM * (players + 1))
        self.text = Memory(program.longest // 8 + 32)


class NativeGames:
    """A game compiled for one set-up, when somebody asks for it. Raises `NotLowered`."""

    def __init__(self, game: Game) -> None:
        self.game, self.lowered = game, lower(game)
        self._rooms = threading.local()

    @cached_property
    def _whole(self) -> WholeGames:
        return WholeGames(self.lowered, self.game.program.limits, (self.game.alike.first, self.game.alike.members), features())

    @cached_property
    def program(self) -> NativeProgram:
        """What takes actions one by one, and plays games on from any position."""
        return NativeProgram(ready_for_native(self.lowered.program, self.game), self.game.program.limits["fuel"], self._whole)

    @cached_property
    def whole(self) -> NativeProgram:
        """What plays whole games from the start: faster, where nobody looks ahead."""
        if not plays_whole(self.lowered.program):
            return self.program
        return NativeProgram(uncut_for_native(self.lowered.program, self.game), self.game.program.limits["fuel"], self._whole, whole_only=True)

    def room(self, program: NativeProgram) -> Room:
        """That of this thread."""
        try:
            rooms: dict[int, Room] = self._rooms.rooms
        except AttributeError:
            rooms = self._rooms.rooms = {}
        if id(program) not in rooms:
            rooms[id(program)] = Room(program, self.game.players)
        return rooms[id(program)]

    def rows(self, seed: int, first: int, count: int, room: Room | None = None) -> Rows:
        """Games `first` to `first + count - 1` of a seed, seats by chance; in a room of its own any thread may play them."""
        return self._played(None, seed, first, count, room)

    def roll_outs(self, position: NativePosition, seed: int, first: int, count: int, room: Room | None = None) -> Rows:
        """The same from a position on."""
        position.settle()
        return self._played(position, seed, first, count, room)

    def roll_out(self, position: NativePosition, seed: int, game: int) -> Played | None:
        """One game from a position on; none if the evaluator has to play it."""
        return next(self.roll_outs(position, seed, game, 1).played())[1]

    def _played(self, position: NativePosition | None, seed: int, first: int, count: int, room: Room | None) -> Rows:
        program = self.whole if position is None else self.program
        room = room or self.room(program)
        out = Memory(row_size(self.game.players) * count)
        prefix = f"croupier-stream-1 {seed} ".encode("ascii")
        given = (room.position.address, room.streams.address, prefix, len(prefix), room.text.address, first, count, out.address)
        if position is None:
            program.batch(*given)
        else:
            program.roll(position.address, *given)
        return Rows(out.view, first, count, self.game.players, self.lowered.texts.words)

    def playouts(self, count: int, seed: int = 1) -> Playouts:
        """Games by random numbers of no published stream, added up: to measure, and for estimates."""
        room, out = self.room(self.whole), Memory(SUMS + self.game.players)
        room.streams.view[0] = seed
        self.whole.playouts(room.position.address, room.streams.address, count, out.address)
        finished, unusual, decisions, chances, *returns = out.view.tolist()
        return Playouts(finished, unusual, decisions, chances, tuple(returns))
