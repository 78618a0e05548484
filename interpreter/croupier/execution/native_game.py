"""A set-up compiled to native code: its programs, compiled on demand, and playouts by them.

Functions that play release the GIL.

Up to three programs are made of a set-up. *Steps* is a state machine: it stops at every wait, for states that
take actions one by one. *Playouts* is direct-style code that draws at every wait, for whole games between
random players; rules that look ahead have no such program, and use *steps* for both. *Batch* plays many games
side by side for learners.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from croupier.core.walk import lookahead_blocks, looks_ahead
from croupier.execution.codec import Codec
from croupier.execution.llvm_compiler import NativeMemory, address_of, cpu_features
from croupier.execution.native_code import (
    HashedRuleset,
    NativeCode,
    TieredCode,
    compile_source,
    load_or_compile,
)
from croupier.execution.native_workspace import ThreadMemory, ThreadWorkspace, read_position, write_keys
from croupier.execution.rows import PlayedGame, PlayoutTotals, ResultRows, RowGrades
from croupier.execution.search_start import SearchStart
from croupier.lowering import Lowered, NotLowered, lower
from croupier.lowering.grades import grade_text
from croupier.lowering.probes import Probing
from croupier.passes.legalization import share_recalls
from croupier.passes.native import ask_one_by_one, prepare_native_games, prepare_native_steps
from croupier.printers.llvm import SPARE_COPIES, LlvmSource, PlayoutOptions, direct_source, llvm_source
from croupier.printers.llvm_layout import Header, Layout, Status
from croupier.printers.llvm_memos import layout_with_memos
from croupier.printers.llvm_playouts import SUMS, row_words
from croupier.printers.llvm_rows import max_line_bytes
from croupier.printers.llvm_search import EACH, room_words
from croupier.printers.llvm_streams import STREAM
from croupier.runtime.game import Game
from croupier.runtime.position import hash_of_data
from croupier.runtime.visibility import hides_nothing_ever

# names of the programs in the object cache
STEPS, PLAYOUTS, CHECKED, BATCH = "steps", "whole", "checked", "batch"


class NativeGame:
    """A set-up of a ruleset in native code.

    `checked`: playouts test the invariants of the ruleset; `probing`: what is watched of them.
    """

    def __init__(
        self, game: Game, ruleset: HashedRuleset, *, checked: bool = False, probing: Probing | None = None
    ) -> None:
        self.game, self.ruleset, self.checked, self.probing = game, ruleset, checked, probing
        self._threads = threading.local()
        self.last_workspace: ThreadWorkspace | None = None  # the workspace made last, of any thread

    # ------------------------------------------------------------ compiling
    @cached_property
    def lowered(self) -> Lowered:
        """The core program. Raises `NotLowered`."""
        is_played = not self.checked and self.probing is None
        return lower(
            self.game,
            invariants=self.checked,
            probing=self.probing,
            standing=True,
            telling=is_played and not hides_nothing_ever(self.game),
        )

    @cached_property
    def checked_twin(self) -> NativeGame | None:
        """The same set-up with playouts that test the invariants; None if these are not compiled."""
        made = NativeGame(self.game, self.ruleset, checked=True)
        try:
            made.playout_code.code  # noqa: B018 - raises `NotLowered` now rather than in a playout
        except NotLowered:
            return None
        return made

    @property
    def _options(self) -> PlayoutOptions:
        return PlayoutOptions(self.game.program.limits, cpu_features())

    @cached_property
    def steps_source(self) -> LlvmSource:
        """The assembly of the program for steps."""
        return llvm_source(
            prepare_native_steps(self.lowered.program, self.game),
            self.game.program.limits["fuel"],
            self._options,
        )

    @cached_property
    def _playout_source(self) -> LlvmSource:
        return direct_source(
            prepare_native_games(self.lowered.program, self.game),
            self.game.program.limits["fuel"],
            self._options,
        )

    @cached_property
    def _batch_source(self) -> LlvmSource:
        program = prepare_native_steps(ask_one_by_one(share_recalls(self.lowered.program)), self.game)
        return llvm_source(program, self.game.program.limits["fuel"], self._options, batched=True)

    def _code(self, source: LlvmSource, optimized: bool) -> NativeCode:
        copies = SPARE_COPIES if lookahead_blocks(source.layout.program) else 0
        return compile_source(
            source,
            tuple(self.lowered.texts.words),
            copies * (source.layout.scratch_words + source.layout.end),
            optimized,
        )

    def _tiered(self, what: str, make: Callable[[bool], NativeCode]) -> TieredCode:
        return TieredCode(self.game, self.ruleset, what, make)

    @cached_property
    def step_code(self) -> TieredCode:
        """The program that takes actions one by one, and plays on from any position."""
        return self._tiered(STEPS, lambda optimized: self._code(self.steps_source, optimized))

    @cached_property
    def batch_code(self) -> TieredCode:
        """The program that plays games side by side."""
        return self._tiered(BATCH, lambda optimized: self._code(self._batch_source, optimized))

    @cached_property
    def playout_code(self) -> TieredCode:
        """The program that plays whole games from the start; that for steps where the rules look ahead."""
        what = CHECKED if self.checked else PLAYOUTS
        return self._tiered(
            what if self.probing is None else f"{what} {self.probing.key}", self._compile_playouts
        )

    def _compile_playouts(self, optimized: bool) -> NativeCode:
        if not looks_ahead(self.lowered.program):
            return self._code(self._playout_source, optimized)
        if self.checked or self.probing is not None:
            return self._code(self.steps_source, optimized)
        if optimized:
            self.step_code.optimize()
        return self.step_code.code

    @cached_property
    def layout(self) -> Layout:
        """The memory layout of positions of the program for steps."""
        if "steps_source" in self.__dict__:
            return self.steps_source.layout
        return layout_with_memos(prepare_native_steps(self.lowered.program, self.game))

    @cached_property
    def codec(self) -> Codec:
        """The codec of these positions."""
        return Codec(self.lowered, self.layout.program)

    @cached_property
    def _playout_reading(self) -> tuple[Layout, Codec]:
        """Layout and codec of positions of the program for playouts."""
        if looks_ahead(self.lowered.program):
            return self.layout, self.codec
        program = prepare_native_games(self.lowered.program, self.game)
        return layout_with_memos(program), Codec(self.lowered, program)

    # ------------------------------------------------------------ memory
    @property
    def workspace(self) -> ThreadWorkspace:
        """The workspace of this thread."""
        try:
            found: ThreadWorkspace = self._threads.workspace
        except AttributeError:
            memory = ThreadMemory(self.step_code.code, self.game.players)
            found = self._threads.workspace = self.last_workspace = ThreadWorkspace(self.step_code, memory)
        return found

    def new_memory(self) -> ThreadMemory:
        """New memory for a thread that runs playouts."""
        return ThreadMemory(self.playout_code.code, self.game.players)

    @property
    def _memory(self) -> ThreadMemory:
        try:
            found: ThreadMemory = self._threads.memory
        except AttributeError:
            found = self._threads.memory = self.new_memory()
        return found

    # ------------------------------------------------------------ playouts
    @property
    def row_words(self) -> int:
        """Words of the result of one game of `play_rows` from the start."""
        return self._row_words(self.playout_code.code)

    def _row_words(self, code: NativeCode) -> int:
        return row_words(self.game.players, code.grade_words, code.tail_words)

    def play_rows(
        self,
        seed: int,
        first: int,
        count: int,
        memory: ThreadMemory | None = None,
        position: int | None = None,
    ) -> ResultRows:
        """Play games `first` to `first + count - 1` of a run between random players, from the start or from a
        position on, given by its address.

        Any thread may call it with a `memory` that no other thread uses; without one it uses that of the
        calling thread.
        """
        tiered, begin, name = self.playout_code, list[int](), "game.batch"
        if position is not None:
            tiered, begin, name = self.step_code, [position], "game.rollouts"
        memory = memory or self._memory_for(position)
        code, histogram = tiered.code, tiered.function("rows.histogram")
        out = NativeMemory(self._row_words(code) * count)
        memory.use_streams(seed)
        tiered.run(name, *begin, memory.position, memory.streams.address, first, count, out.address)
        grades = RowGrades(
            code.grades,
            code.grade_words,
            lambda grade, words: grade_text(self.game, code.grades, self.lowered.grades, grade, words),
        )
        return ResultRows(
            out.view,
            first,
            count,
            self.game.players,
            grades,
            histogram,
            self.game.program.limits,
            code.tail_words,
        )

    def play_one(
        self, seed: int, number: int, position: int | None = None
    ) -> tuple[PlayedGame, FinalPosition] | None:
        """Play one game of a run, as `play_rows` does: its result and last position; None if it bailed out or
        did not finish.
        """
        _, played = next(self.play_rows(seed, number, 1, position=position).games())
        if played is None or played.limit:
            return None
        code = (self.playout_code if position is None else self.step_code).code
        words = self._memory_for(position).words[: code.position_words].tobytes()

        def reading() -> tuple[Layout, Codec]:
            return self._playout_reading if position is None else (self.layout, self.codec)

        return (played, FinalPosition(self.game, reading, words))

    def search(
        self,
        position: int,
        tree: memoryview[int],
        start: SearchStart,
        rounds: int,
        before: tuple[int, int],
    ) -> bool:
        """Play rounds of a search from a position on, given by its address; `before`: how many decisions and
        events of chance there were. `False` if one bailed out.

        The tree is written in place.
        """
        streams, room = self.search_memory(start, rounds)
        status = self.step_code.run(
            "game.search",
            position,
            self.continuation,
            streams.address,
            address_of(tree),
            room.address,
            start.seat,
            start.first,
            rounds,
            *before,
            start.horizon,
            len(start.each),
        )
        return status == Status.OK

    def search_memory(self, start: SearchStart, rounds: int) -> tuple[NativeMemory, NativeMemory]:
        """The random streams of a search, and its room."""
        players = self.game.players
        streams, room = NativeMemory(2 * STREAM * (players + 1)), self._search_room(rounds)
        for at, action in enumerate(start.each, EACH):
            room.view[at] = action
        for at, seed in enumerate(start.seeds):
            write_keys(streams.view[at * STREAM * (players + 1) :], players, seed)
        return streams, room

    @property
    def continuation(self) -> int:
        """The address of a position of this thread in which games are played on."""
        return self._continuation.position

    def keep_branches(self, tree: memoryview[int], to: memoryview[int], below: int) -> int:
        """Copy the branches of a search below one (0: all) to another tree; return how many they are."""
        given = (self._continuation.position, address_of(tree), address_of(to), below)
        return int(self.step_code.run("game.keep", *given))

    def _memory_for(self, position: int | None) -> ThreadMemory:
        """Where games of this thread are played, from the start or from a position on."""
        return self._memory if position is None else self._continuation

    @property
    def _continuation(self) -> ThreadMemory:
        """Where games of this thread are played on from a position."""
        try:
            found: ThreadMemory = self._threads.continuation
        except AttributeError:
            found = self._threads.continuation = ThreadMemory(self.step_code.code, self.game.players)
        return found

    def _search_room(self, rounds: int) -> NativeMemory:
        """Room for a search of this thread, kept for the next one."""
        words = room_words(self.game.players, rounds)
        held: NativeMemory | None = getattr(self._threads, "search_room", None)
        if held is None or len(held.view) < words:
            held = self._threads.search_room = NativeMemory(words)
        return held

    def playouts(self, count: int, seed: int = 1) -> PlayoutTotals:
        """Play games with a fast generator instead of the published streams, and add them up: for benchmarks
        and estimates.
        """
        memory, out = self._memory, NativeMemory(SUMS + self.game.players)
        memory.use_fast_generator(seed)
        self.playout_code.run("game.playouts", memory.position, memory.streams.address, count, out.address)
        finished, bailouts, decisions, chances, *returns = out.view.tolist()
        return PlayoutTotals(finished, bailouts, decisions, chances, tuple(returns))

    def digest_lines(self, rows: ResultRows) -> bytes:
        """The lines of the digest of a simulation, for games that all finished."""
        text = NativeMemory(max_line_bytes(rows.players) * rows.count // 8 + 1)
        size = self.playout_code.function("game.lines")(
            address_of(rows.words), rows.first, rows.count, text.address
        )
        return text.view.cast("B")[:size].tobytes()


@dataclass(frozen=True)
class FinalPosition:
    """The words of a final position.

    `reading` gives layout and codec, which are made only if somebody asks for the hash.
    """

    game: Game
    reading: Callable[[], tuple[Layout, Codec]]
    words: bytes

    def hash(self) -> str:
        """The hash of the position, as of `State.hash`."""
        layout, codec = self.reading()
        words = memoryview(bytearray(self.words)).cast("q")
        words[Header.TOP_FRAME] = 0
        return hash_of_data(self.game, codec.decode(read_position(layout, words)))


def compile_game(
    game: Game,
    ruleset: HashedRuleset,
    *,
    only_cached: bool = False,
    checked: bool = False,
    probing: Probing | None = None,
) -> NativeGame | None:
    """A set-up in native code; with `only_cached` None unless the object cache has its program for playouts.

    With `checked`, a playout in which an invariant does not hold bails out. Raises `NotLowered` for a
    construct that is not compiled.
    """
    made = NativeGame(game, ruleset, checked=checked, probing=probing)
    if not made.playout_code.load_cached():
        if only_cached:
            return None
        if probing is not None or load_or_compile(game, ruleset, STEPS, None) is None:
            made.lowered  # noqa: B018 - raises `NotLowered` now rather than at the first step
    return made
