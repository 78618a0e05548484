"""A compiled set-up as it is kept: the object, and the few numbers without which its functions cannot be called.

Its name is a hash of all that it depends on: the canonical typed form of the ruleset, players and parameters (these make the lowered form), the
compiler and the processor, and this engine itself, whose files are told apart by their sizes and times, as Python does with compiled modules.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from croupier.backends.native import cache as kept
from croupier.backends.native import plan as p
from croupier.backends.native.encode import longest
from croupier.backends.native.engine import features, object_code, target
from croupier.backends.native.printer import Printer
from croupier.backends.native.program import assembly
from croupier.runtime.game import Game

PACKAGES = ("backends", "ir", "runtime", "semantics")  # what decides about the code that is made of a checked ruleset


@dataclass(frozen=True)
class Code:
    """`end` is a place of the plan, `text` is room in words for a position as text."""

    object: bytes
    texts: tuple[str, ...]
    end: int
    text: int

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


def compiled(printer: Printer, *, checked: bool = False) -> Code:
    """The code of what a printer writes, `checked` with tests of the invariants. Raises `Refused`."""
    text = assembly(printer, features(), checked=checked)
    return Code(
        object=object_code(text),
        texts=tuple(printer.constants.texts),
        end=printer.plan.end,
        text=longest(printer) // 8 + 32,
    )


def name_of(game: Game, ruleset_hash: str, *, checked: bool = False) -> str:
    """What an entry for a set-up is called."""
    setup = json.dumps([game.players, game.parameters, checked], sort_keys=True, default=repr)
    whole = "\n".join([ruleset_hash, setup, target(), str(p.ARENA), *_engine()])
    return hashlib.sha256(whole.encode()).hexdigest()


@cache
def _engine() -> tuple[str, ...]:
    """The files of this engine that decide about compiled code, with their sizes and times. Raises OSError where they are no files."""
    root = Path(__file__).parents[2]
    return tuple(line for package in PACKAGES for line in _files(root / package, package))


def _files(folder: Path, name: str) -> Iterator[str]:
    with os.scandir(folder) as found:
        for entry in sorted(found, key=lambda e: e.name):
            if entry.is_dir():
                yield from _files(Path(entry.path), f"{name}/{entry.name}")
            elif entry.name.endswith(".py"):
                about = entry.stat()
                yield f"{name}/{entry.name} {about.st_size} {about.st_mtime_ns}"


def code_of(game: Game, ruleset_hash: str, printer: Callable[[], Printer] | None, *, checked: bool = False) -> Code | None:
    """The code of a set-up, as it was kept, or made by what `printer` gives and kept for the next time; none if it is neither kept nor to be made.

    Raises `Refused`.
    """
    try:
        folder, name = kept.opened(), name_of(game, ruleset_hash, checked=checked)
    except OSError:
        return None if printer is None else compiled(printer(), checked=checked)
    if folder is None:
        return None if printer is None else compiled(printer(), checked=checked)
    try:
        found = folder.get(name)
        if found is not None or printer is None:
            return None if found is None else Code.unpacked(found)
        made = compiled(printer(), checked=checked)
        folder.put(name, made.packed())
        return made
    finally:
        folder.close()
