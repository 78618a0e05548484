"""Compiled code of a set-up as it is kept: the object, and the few numbers without which its functions cannot be called.

Its name is a hash of all that it depends on: the canonical typed form of the ruleset, players and parameters (these make the core), the compiler and
the processor, and this engine itself, whose files are told apart by their sizes and times, as Python does with compiled modules. Making the canonical
form takes three times as long as all the rest: its hash is kept, too, under the texts that a ruleset was read from.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from croupier.execution import object_cache as kept
from croupier.execution.llvm_compiler import object_code, target
from croupier.printers.llvm import Source
from croupier.resources import grammar_file
from croupier.runtime.game import Game
from croupier.syntax.parser import CACHE_FILE, GRAMMAR

READING = ("resolve", "schema", "source", "syntax")  # what decides about the checked ruleset that is made of texts
COMPILING = ("core", "execution", "lowering", "passes", "printers", "runtime", "semantics")  # and about the code that is made of that


class Known(Protocol):
    """What tells rulesets apart: `Ruleset`."""

    @property
    def ruleset_hash(self) -> str:
        """Of the canonical typed form."""

    @property
    def texts_hash(self) -> str | None:
        """Of the texts, if there is no more to the ruleset."""


@dataclass(frozen=True)
class Code:
    """`before` and `end`: words of a position and of what lies before it; `result`: where that of a game is;
    `spare`: words for copies of a position, where code looks ahead; `texts`: grades by number."""

    object: bytes
    texts: tuple[str, ...]
    before: int
    end: int
    result: int
    spare: int

    def packed(self) -> bytes:
        """A line of JSON, then the object."""
        facts = asdict(self)
        del facts["object"]
        return json.dumps(facts).encode("ascii") + b"\n" + self.object

    @classmethod
    def unpacked(cls, packed: bytes) -> Code:
        """What `packed` made."""
        line, _, made = packed.partition(b"\n")
        facts: dict[str, Any] = json.loads(line)
        return cls(object=made, **facts | {"texts": tuple(facts["texts"])})


def compiled(source: Source, texts: tuple[str, ...], spare: int) -> Code:
    """The code of a program that was printed."""
    at = source.layout
    return Code(object_code(source.text), texts, at.before, at.end, at.at["result"], spare)


def name_of(game: Game, ruleset_hash: str, what: str) -> str:
    """What an entry for a set-up is called; `what` tells its codes apart."""
    setup = json.dumps([game.players, game.parameters, what], sort_keys=True, default=repr)
    whole = "\n".join([ruleset_hash, setup, target(), *_engine()])
    return hashlib.sha256(whole.encode()).hexdigest()


def hash_of(ruleset: Known, folder: kept.Cache) -> str:
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


def code_of(game: Game, ruleset: Known, what: str, make: Callable[[], Code] | None) -> Code | None:
    """A code of a set-up, as it was kept, or made and kept for the next time; none if it is neither kept nor to be made."""
    folder = kept.opened()
    if folder is None:
        return None if make is None else make()
    try:
        name = name_of(game, hash_of(ruleset, folder), what)
        found = folder.get(name)
        if found is not None:
            return Code.unpacked(found)
        made = None if make is None else make()
        if made is not None:
            folder.put(name, made.packed())
        return made
    except OSError:
        return None if make is None else make()
    finally:
        folder.close()
