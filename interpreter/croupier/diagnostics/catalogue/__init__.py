"""The catalogue of everything that can be said about a ruleset: one entry a code, one module a stage or a part of one.

A code is the letter of its stage (`STAGES`) and three digits.  A code is never used again for something else.  Every module of
this package with `ENTRIES` is part of the catalogue; a stage with many codes may have several modules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from croupier.diagnostics.catalogue.entry import Entry

STAGES: Mapping[str, str] = MappingProxyType(
    {
        "Y": "the text is not the YAML that rulesets are written in",
        "D": "a section has the wrong shape",
        "V": "a variant, or what it extends, sets, replaces and adds",
        "P": "rule text does not parse",
        "N": "names that are unknown, taken, unused or not allowed",
        "T": "the wrong type of value",
        "F": "something is never reached, never set or never ends",
        "L": "legal, and probably not what was meant",
        "G": "a game that cannot be set up with these players and parameters",
        "R": "faults while a game runs",
        "K": "scenarios that are wrong, fail or check nothing",
        "X": "files, tables, replays, parameters and other input from a command line",
    }
)


def collect(modules: Mapping[str, Iterable[Entry]]) -> dict[str, Entry]:
    """All entries by code, in the order of the stages and their numbers.

    Raises ValueError for a code that is used twice or malformed, and for a module whose codes are of several stages.
    """
    codes: dict[str, Entry] = {}
    for module, entries in modules.items():
        letters: set[str] = set()
        for entry in entries:
            if not re.fullmatch(f"[{''.join(STAGES)}][0-9]{{3}}", entry.code):
                raise ValueError(f"{module}: code `{entry.code}` is not the letter of a stage and three digits")
            if entry.code in codes:
                raise ValueError(f"{module}: code `{entry.code}` is used twice")
            codes[entry.code] = entry
            letters.add(entry.code[0])
        if len(letters) > 1:
            raise ValueError(f"{module}: codes of several stages ({', '.join(sorted(letters))})")
    order = list(STAGES)
    return {code: codes[code] for code in sorted(codes, key=lambda code: (order.index(code[0]), code))}


def _modules() -> dict[str, tuple[Entry, ...]]:
    names = sorted(info.name for info in iter_modules(__path__) if info.name != "entry")
    return {name: import_module(f"{__name__}.{name}").ENTRIES for name in names}


class _Catalogue(Mapping[str, Entry]):
    """All entries by code, read when the first is asked for: who checks a ruleset without mistakes asks for none."""

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        return collect(_modules())

    def __getitem__(self, code: str) -> Entry:
        return self._entries[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


CODES: Mapping[str, Entry] = _Catalogue()

__all__ = ["CODES", "STAGES", "Entry", "collect"]
