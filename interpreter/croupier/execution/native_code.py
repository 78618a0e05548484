"""Compiled objects of one set-up: how they are cached on disk, and tiered compilation in memory.

The name of a cache entry is a hash of everything that the object depends on: the canonical typed form of the
ruleset, players and parameters (these determine the core), the compiler and the processor, and the source
files of this package and those before it, by size and time, as Python does for compiled modules. The
canonical form takes three times as long to make as all the rest; so its hash is cached, too, by the ruleset's
texts.

Two tiers: code is first compiled quickly, without optimisation. Once it has run for about as long as
optimising takes, a thread of its own compiles it again; later calls run the optimised code. Both tiers play
the same games.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Protocol

from croupier.diagnostics import JsonObject
from croupier.execution import object_cache
from croupier.execution.compiler_threads import start_compiling
from croupier.execution.llvm_compiler import ExecutionEngine, compile_object, target_description
from croupier.printers import llvm_probes
from croupier.printers.llvm import LlvmSource
from croupier.printers.llvm_builder import ENTRY_POINTS
from croupier.printers.llvm_playouts import grade_words_of
from croupier.resources import grammar_file
from croupier.runtime.game import Game
from croupier.syntax.parser import CACHE_FILE, GRAMMAR

# packages that turn texts into a checked ruleset
READING_PACKAGES = ("resolve", "schema", "source", "syntax")
# packages that turn it into code
COMPILING_PACKAGES = ("core", "execution", "lowering", "passes", "printers", "runtime", "semantics")
OPTIMIZE_SECONDS_PER_BYTE = 4e-6  # that optimising takes, by the size of the unoptimised object


class HashedRuleset(Protocol):
    """A ruleset with hashes that identify it: `Ruleset`."""

    @property
    def ruleset_hash(self) -> str:
        """The hash of the canonical typed form."""

    @property
    def texts_hash(self) -> str | None:
        """The hash of the source texts; None if they do not determine the ruleset alone."""


@dataclass(frozen=True)
class NativeCode:
    """An object file, and the sizes that its callers need, in words of 64 bits.

    `scratch_words`: words of scratch memory below a position; `position_words`: words of the position;
    `result_index`: index of the game's result in it; `spare_words`: words for copies of a position, in a
    program that looks ahead; `grades`: texts by number; `grade_words`: words of the values of an end whose
    text is made afterwards; `tail_words`: words of what is watched of a game; `watch_words`: words of memory
    that this takes; `optimized`: by the second tier.
    """

    object: bytes
    grades: tuple[str, ...]
    scratch_words: int
    position_words: int
    result_index: int
    spare_words: int
    grade_words: int
    tail_words: int
    watch_words: int
    optimized: bool

    def to_bytes(self) -> bytes:
        """Return the code as bytes of a cache entry: a line of JSON, then the object."""
        sizes = asdict(self)
        del sizes["object"]
        return json.dumps(sizes).encode("ascii") + b"\n" + self.object

    @classmethod
    def from_bytes(cls, packed: bytes) -> NativeCode:
        """Return the code of a cache entry that `to_bytes` made."""
        line, _, made = packed.partition(b"\n")
        sizes: JsonObject = json.loads(line)
        return cls(object=made, **sizes | {"grades": tuple(sizes["grades"])})


def compile_source(
    source: LlvmSource, grades: tuple[str, ...], spare_words: int, optimized: bool
) -> NativeCode:
    """Compile a printed program. `spare_words`: see `NativeCode`. Raises `InvalidAssembly`."""
    layout = source.layout
    return NativeCode(
        compile_object(source.text, optimize=optimized),
        grades,
        layout.scratch_words,
        layout.end,
        layout.at["result"],
        spare_words,
        grade_words_of(layout.program),
        llvm_probes.tail_words(layout.program),
        llvm_probes.memory_words(layout.program),
        optimized,
    )


def entry_name(game: Game, ruleset_hash: str, what: str) -> str:
    """The name of a cache entry; `what` distinguishes the programs of one set-up."""
    setup = json.dumps([game.players, game.parameters, what], sort_keys=True, default=repr)
    whole = "\n".join([ruleset_hash, setup, target_description(), *_source_stamps()])
    return hashlib.sha256(whole.encode()).hexdigest()


def cached_ruleset_hash(ruleset: HashedRuleset, folder: object_cache.Cache) -> str:
    """The hash of a ruleset, cached by the hash of its texts.

    Raises OSError if the sources of this package are not files.
    """
    if ruleset.texts_hash is None:
        return ruleset.ruleset_hash
    name = hashlib.sha256("\n".join(["texts", ruleset.texts_hash, *_source_stamps()]).encode()).hexdigest()
    found = folder.get(name)
    if found is None:
        found = ruleset.ruleset_hash.encode("ascii")
        folder.put(name, found)
    return found.decode("ascii")


@cache
def _source_stamps() -> tuple[str, ...]:
    """The source files that determine compiled code, each with size and time.

    Raises OSError if they are not files.
    """
    root = Path(__file__).parents[1]
    grammar = (_stamp(f"grammar/{name}", grammar_file(name).stat()) for name in (GRAMMAR, CACHE_FILE))
    return (
        *grammar,
        *(
            line
            for package in (*READING_PACKAGES, *COMPILING_PACKAGES)
            for line in _stamps_below(root / package, package)
        ),
    )


def _stamp(name: str, about: os.stat_result) -> str:
    return f"{name} {about.st_size} {about.st_mtime_ns}"


def _stamps_below(folder: Path, name: str) -> Iterator[str]:
    with os.scandir(folder) as found:
        for entry in sorted(found, key=lambda e: e.name):
            if entry.is_dir():
                yield from _stamps_below(Path(entry.path), f"{name}/{entry.name}")
            elif entry.name.endswith(".py"):
                yield _stamp(f"{name}/{entry.name}", entry.stat())


def load_or_compile(
    game: Game, ruleset: HashedRuleset, what: str, make: Callable[[], NativeCode] | None
) -> NativeCode | None:
    """Load a program of a set-up from the cache, or compile it with `make` and cache it; None if it is not
    cached and there is no `make`.
    """
    folder = object_cache.open_cache()
    if folder is None:
        return None if make is None else make()
    try:
        name = entry_name(game, cached_ruleset_hash(ruleset, folder), what)
        found = folder.get(name)
        if found is not None:
            return NativeCode.from_bytes(found)
        made = None if make is None else make()
        if made is not None:
            folder.put(name, made.to_bytes())
        return made
    except OSError:
        return None if make is None else make()
    finally:
        folder.close()


class TieredCode:
    """One program of a set-up, compiled in two tiers. `make(optimized)` compiles it."""

    def __init__(
        self, game: Game, ruleset: HashedRuleset, what: str, make: Callable[[bool], NativeCode]
    ) -> None:
        self._game, self._ruleset, self._what, self._make = game, ruleset, what, make
        self._engines: list[
            ExecutionEngine
        ] = []  # unoptimised, then optimised: other threads may still run the first
        self._run_seconds, self._optimizing, self._lock = 0.0, False, Lock()

    def load_cached(self) -> bool:
        """Load the object from the cache; return whether it was there."""
        found = load_or_compile(self._game, self._ruleset, self._what, None)
        if found is not None:
            self.code = found
        return found is not None

    @cached_property
    def code(self) -> NativeCode:
        """The best object that has been compiled; if there is no object, it is compiled now. Raises
        `NotLowered`.
        """
        made = load_or_compile(self._game, self._ruleset, self._what, lambda: self._make(False))
        assert made is not None
        return made

    @property
    def engine(self) -> ExecutionEngine:
        """The best object there is, loaded. Raises `NotLowered`."""
        if not self._engines:
            self._engines.append(ExecutionEngine(self.code.object))
        return self._engines[-1]

    def function(self, name: str) -> Callable[..., int]:
        """One of the `ENTRY_POINTS` in the best object there is."""
        return self.engine.function(name, ENTRY_POINTS[name])

    def run(self, name: str, *given: int) -> int:
        """Call one of the `ENTRY_POINTS`, and count the time."""
        function, started = self.function(name), perf_counter()
        found = function(*given)
        self.add_run_time(perf_counter() - started)
        return found

    def add_run_time(self, seconds: float) -> None:
        """Count time for which it ran. Past the threshold a thread starts to optimise it."""
        self._run_seconds += seconds
        if (
            self._run_seconds > OPTIMIZE_SECONDS_PER_BYTE * len(self.code.object)
            and not self._optimizing
            and not self.code.optimized
        ):
            with self._lock:
                begins, self._optimizing = not self._optimizing, True
            if begins:
                start_compiling(self.optimize)

    def optimize(self) -> None:
        """Compile it with optimisation now, unless it is optimised."""
        if not self.code.optimized:
            made = self._make(True)
            self._engines.append(ExecutionEngine(made.object))
            self.code = made
            store(self._game, self._ruleset, self._what, made)


def store(game: Game, ruleset: HashedRuleset, what: str, code: NativeCode) -> None:
    """Write a program of a set-up to the cache."""
    folder = object_cache.open_cache()
    if folder is not None:
        with suppress(OSError):
            folder.put(entry_name(game, cached_ruleset_hash(ruleset, folder), what), code.to_bytes())
        folder.close()
