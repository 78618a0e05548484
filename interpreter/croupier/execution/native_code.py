"""Compiled code of a set-up as it is kept, the object and the few numbers without which its functions cannot be called; and in memory, as it runs.

Its name is a hash of all that it depends on: the canonical typed form of the ruleset, players and parameters (these make the core), the compiler and
the processor, and this engine itself, whose files are told apart by their sizes and times, as Python does with compiled modules. Making the canonical
form takes three times as long as all the rest: its hash is kept, too, under the texts that a ruleset was read from.

Code is compiled quickly when it is first asked for. Once it has run for about as long as it takes to compile it with care, that is done beside it,
and whoever runs it next runs that. Both give the same games.
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
from threading import Lock, Thread
from time import perf_counter
from typing import Protocol

from croupier.diagnostics import JsonObject
from croupier.execution import object_cache as kept
from croupier.execution.llvm_compiler import Engine, object_code, target
from croupier.printers.llvm import LlvmSource
from croupier.resources import grammar_file
from croupier.runtime.game import Game
from croupier.syntax.parser import CACHE_FILE, GRAMMAR

READING = ("resolve", "schema", "source", "syntax")  # what decides about the checked ruleset that is made of texts
COMPILING = ("core", "execution", "lowering", "passes", "printers", "runtime", "semantics")  # and about the code that is made of that
CAREFULLY = 4e-6  # seconds that compiling with care takes, for a byte of code that was compiled quickly


class KnownRules(Protocol):
    """What tells rulesets apart: `Ruleset`."""

    @property
    def ruleset_hash(self) -> str:
        """Of the canonical typed form."""

    @property
    def texts_hash(self) -> str | None:
        """Of the texts, if there is no more to the ruleset."""


@dataclass(frozen=True)
class NativeCode:
    """`before` and `end`: words of a position and of what lies before it; `result`: where that of a game is;
    `spare`: words for copies of a position, where code looks ahead; `texts`: grades by number; `careful`: was it compiled so?"""

    object: bytes
    texts: tuple[str, ...]
    before: int
    end: int
    result: int
    spare: int
    careful: bool

    def packed(self) -> bytes:
        """A line of JSON, then the object."""
        facts = asdict(self)
        del facts["object"]
        return json.dumps(facts).encode("ascii") + b"\n" + self.object

    @classmethod
    def unpacked(cls, packed: bytes) -> NativeCode:
        """What `packed` made."""
        line, _, made = packed.partition(b"\n")
        facts: JsonObject = json.loads(line)
        return cls(object=made, **facts | {"texts": tuple(facts["texts"])})


def compiled(source: LlvmSource, texts: tuple[str, ...], spare: int, careful: bool) -> NativeCode:
    """The code of a program that was printed."""
    at = source.layout
    return NativeCode(object_code(source.text, careful=careful), texts, at.before, at.end, at.at["result"], spare, careful)


def name_of(game: Game, ruleset_hash: str, what: str) -> str:
    """What an entry for a set-up is called; `what` tells its codes apart."""
    setup = json.dumps([game.players, game.parameters, what], sort_keys=True, default=repr)
    whole = "\n".join([ruleset_hash, setup, target(), *_engine()])
    return hashlib.sha256(whole.encode()).hexdigest()


def hash_of(ruleset: KnownRules, folder: kept.Cache) -> str:
    """The hash of a ruleset, as it was kept for its texts, or made and kept for the next time. Raises OSError where this engine is not in files."""
    if ruleset.texts_hash is None:
        return ruleset.ruleset_hash
    name = hashlib.sha256("\n".join(["texts", ruleset.texts_hash, *_engine()]).encode()).hexdigest()
    found = folder.get(name)
    if found is None:
        found = ruleset.ruleset_hash.encode("ascii")
        folder.put(name, found)
    return found.decode("ascii")


@cache
def _engine() -> tuple[str, ...]:
    """The files of this engine that decide about compiled code, with their sizes and times. Raises OSError where they are no files."""
    root = Path(__file__).parents[1]
    grammar = (_line(f"grammar/{name}", grammar_file(name).stat()) for name in (GRAMMAR, CACHE_FILE))
    return (*grammar, *(line for package in (*READING, *COMPILING) for line in _files(root / package, package)))


def _line(name: str, about: os.stat_result) -> str:
    return f"{name} {about.st_size} {about.st_mtime_ns}"


def _files(folder: Path, name: str) -> Iterator[str]:
    with os.scandir(folder) as found:
        for entry in sorted(found, key=lambda e: e.name):
            if entry.is_dir():
                yield from _files(Path(entry.path), f"{name}/{entry.name}")
            elif entry.name.endswith(".py"):
                yield _line(f"{name}/{entry.name}", entry.stat())


def code_of(game: Game, ruleset: KnownRules, what: str, make: Callable[[], NativeCode] | None) -> NativeCode | None:
    """A code of a set-up, as it was kept, or made and kept for the next time; none if it is neither kept nor to be made."""
    folder = kept.opened()
    if folder is None:
        return None if make is None else make()
    try:
        name = name_of(game, hash_of(ruleset, folder), what)
        found = folder.get(name)
        if found is not None:
            return NativeCode.unpacked(found)
        made = None if make is None else make()
        if made is not None:
            folder.put(name, made.packed())
        return made
    except OSError:
        return None if make is None else make()
    finally:
        folder.close()


class Tiered:
    """A code of a set-up in memory; `make` compiles it, with care or not."""

    def __init__(self, game: Game, ruleset: KnownRules, what: str, make: Callable[[bool], NativeCode]) -> None:
        self._game, self._ruleset, self._what, self._make = game, ruleset, what, make
        self._engines: list[Engine] = []  # the first may still run when there is a second
        self._seconds, self._improves, self._lock = 0.0, False, Lock()

    def is_kept(self) -> bool:
        """Was it compiled before?"""
        found = code_of(self._game, self._ruleset, self._what, None)
        if found is not None:
            self.code = found
        return found is not None

    @cached_property
    def code(self) -> NativeCode:
        """The newest. Raises `NotLowered`."""
        made = code_of(self._game, self._ruleset, self._what, lambda: self._make(False))
        assert made is not None
        return made

    @property
    def engine(self) -> Engine:
        """The newest, ready to run. Raises `NotLowered`."""
        if not self._engines:
            self._engines.append(Engine(self.code.object))
        return self._engines[-1]

    def run(self, name: str, arguments: str, *given: int) -> int:
        """What a function of it gives; see `Engine.function`."""
        function, started = self.engine.function(name, arguments), perf_counter()
        found = function(*given)
        self.ran(perf_counter() - started)
        return found

    def ran(self, seconds: float) -> None:
        """So long it ran again. When that is long enough, it is compiled with care."""
        self._seconds += seconds
        if self._seconds > CAREFULLY * len(self.code.object) and not self._improves and not self.code.careful:
            with self._lock:
                begins, self._improves = not self._improves, True
            if begins:
                Thread(target=self.improve, name="croupier compiles", daemon=False).start()  # not left behind in the compiler when the process ends

    def improve(self) -> None:
        """Compile it with care now."""
        if not self.code.careful:
            made = self._make(True)
            self._engines.append(Engine(made.object))
            self.code = made
            keep(self._game, self._ruleset, self._what, made)


def keep(game: Game, ruleset: KnownRules, what: str, code: NativeCode) -> None:
    """Keep a code of a set-up for the next time."""
    folder = kept.opened()
    if folder is not None:
        with suppress(OSError):
            folder.put(name_of(game, hash_of(ruleset, folder), what), code.packed())
        folder.close()
