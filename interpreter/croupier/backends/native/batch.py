"""Whole games in native code, many at once: what Python sees of them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from croupier.backends.native import plan as p
from croupier.backends.native.code import Code, Known, code_of
from croupier.backends.native.desk import Desk, Room
from croupier.backends.native.engine import Engine, Memory, address_of
from croupier.backends.native.lines import longest_line
from croupier.backends.native.playouts import SUMS
from croupier.backends.native.printer import AROUND, Printer
from croupier.backends.native.rows import Played, Playouts, Rows, row_size
from croupier.backends.native.zonekinds import FIRST, MORE
from croupier.backends.sites import Site
from croupier.ir import lower
from croupier.runtime.faults import Result
from croupier.runtime.game import Game


class Native:
    """A game compiled for one set-up; each thread has a `desk` of its own."""

    def __init__(self, game: Game, code: Code, printer: Printer | None = None) -> None:
        self.game, self.code, self._printer = game, code, printer
        self.texts = code.texts
        self.engine = Engine(code.object)
        self._batch = self.engine.function("game.batch", "aabnanna")
        self._playouts = self.engine.function("game.playouts", "aana")
        self._lines = self.engine.function("game.lines", "anna")
        self._desks = threading.local()

    @property
    def desk(self) -> Desk:
        """That of this thread."""
        try:
            found: Desk = self._desks.desk
        except AttributeError:
            found = self._desks.desk = Desk(self.engine, self.room())
        return found

    @cached_property
    def layout(self) -> Printer:
        """What knows where everything lies, which positions are asked about with: what wrote the code, or the like."""
        printer = self._printer
        if printer is None:
            printer = Printer(self.game, lower(self.game.program))
            printer.functions()
        return printer

    @cached_property
    def site_at(self) -> dict[int, Site]:
        """The suspensions by the place where the first way on from them goes on."""
        printer = self.layout
        found = {printer.where(s): s for s in printer.sites_come_to()}
        return found | {at + s.ways.index("reacted"): s for at, s in found.items() if "reacted" in s.ways}

    @cached_property
    def around_at(self) -> dict[int, int]:
        """The routines of calls with hooks, by the place where such a call goes on after a step."""
        printer = self.layout
        return {printer.around_entry(AROUND - index) + 1: AROUND - index for index in printer.runs if index <= AROUND}

    # ------------------------------------------------------------ one game
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
    def room(self) -> Room:
        """Memory for one more thread."""
        return Room(self.code, self.game.players)

    def rows(self, seed: int, first: int, count: int, room: Room | None = None) -> Rows:
        """Games `first` to `first + count - 1` of a seed, seats by chance; in a room of its own any thread may play them."""
        if room is None:
            desk = self.desk
            desk.empty()
            room = desk.room
        players = self.game.players
        out = Memory(row_size(players) * count)
        prefix = f"croupier-stream-1 {seed} ".encode("ascii")
        self._batch(room.position, room.streams.address, prefix, len(prefix), room.text.address, first, count, out.address)
        return Rows(out.view, first, count, players, self.texts)

    def play(self, seed: int, first: int, count: int) -> Iterator[tuple[int, Played | None]]:
        """The same, game by game; none for a game that the evaluator has to play."""
        return self.rows(seed, first, count).played()

    def playouts(self, count: int, seed: int = 1) -> Playouts:
        """Games by random numbers of no published stream, added up: to measure, and for estimates."""
        desk, out = self.desk, Memory(SUMS + self.game.players)
        desk.empty()
        room = desk.room
        room.streams.view[0] = seed
        self._playouts(room.position, room.streams.address, count, out.address)
        finished, unusual, decisions, chances, *returns = out.view.tolist()
        return Playouts(finished, unusual, decisions, chances, tuple(returns))

    def lines(self, rows: Rows) -> bytes:
        """What a digest is made of, of games that are all over."""
        text = Memory(longest_line(rows.players) * rows.count // 8 + 1)
        size = self._lines(address_of(rows.words), rows.first, rows.count, text.address)
        return text.view.cast("B")[:size].tobytes()


def compile_game(game: Game, ruleset: Known, *, only_kept: bool = False, checked: bool = False) -> Native | None:
    """A set-up of a ruleset, by whose hash its code is kept; none if it is not kept and only that was asked for.

    Whole games of `checked` code in which an invariant does not hold are unusual. Raises `Refused` for a construct that is not compiled.
    """
    made: list[Printer] = []

    def printer() -> Printer:
        made.append(Printer(game, lower(game.program)))
        return made[0]

    code = code_of(game, ruleset, None if only_kept else printer, checked=checked)
    return None if code is None else Native(game, code, *made)


__all__ = ["Native", "Room", "compile_game"]
