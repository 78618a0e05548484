"""The catalogue of everything that can be said about a ruleset: one Markdown file a diagnostic, `CODE-name.md`.

A code is the letter of its stage (`STAGES`) and three digits; a name is one to five words in lower case joined by hyphens.
Neither is ever used again for something else.  The names come from the names of the files, and a file is read when its entry
is first asked for, so that a check reads the files of what it finds and no other.

    entry.py    an entry, and the form of its file
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from croupier.diagnostics.catalogue.entry import CatalogueEntry, parse_entry

FOLDER = Path(__file__).parent
STAGES: Mapping[str, str] = MappingProxyType(
    {
        "Y": "the text is not the YAML that rulesets are written in",
        "D": "a section has the wrong shape",
        "V": "a variant, or what it extends, sets, replaces and adds; a module and what it is given",
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
_FILE = re.compile(f"([{''.join(STAGES)}][0-9]{{3}})-([a-z0-9]+(?:-[a-z0-9]+){{0,4}})\\.md")


class Catalogue(Mapping[str, CatalogueEntry]):
    """The entries of a folder by code, in the order of the stages and their numbers.

    Raises ValueError for a file whose name is of another form, for a code or name that is used twice, and for a file that says another code or
    name than its own.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, CatalogueEntry] = {}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The name of every code."""
        names: dict[str, str] = {}
        for file in os.listdir(self._folder):
            found = _FILE.fullmatch(file)
            if found is not None:
                if found[1] in names:
                    raise ValueError(f"{file}: its code is used twice")
                names[found[1]] = found[2]
            elif file.endswith(".md"):
                raise ValueError(f"{file}: not the letter of a stage, three digits and a name: `T001-wrong-type.md`")
        twice = sorted(name for name, times in Counter(names.values()).items() if times > 1)
        if twice:
            raise ValueError(f"names used twice: {', '.join(twice)}")
        order = list(STAGES)
        return MappingProxyType(dict(sorted(names.items(), key=lambda item: (order.index(item[0][0]), item[0]))))

    @cached_property
    def _codes(self) -> Mapping[str, str]:
        return {name: code for code, name in self.names.items()}

    def find(self, word: str) -> CatalogueEntry | None:
        """The entry of a code or name in upper or lower case, or of both as they are shown (`T001 wrong-type`); None for anything else."""
        code, _, name = word.strip().partition(" ")
        code = self._codes.get(code.lower(), code.upper())
        if code not in self.names or name.lower() not in ("", self.names[code]):
            return None
        return self[code]

    def __getitem__(self, code: str) -> CatalogueEntry:
        entry = self._read.get(code)
        if entry is None:
            name = self.names[code]
            entry = parse_entry((self._folder / f"{code}-{name}.md").read_text(encoding="utf-8"))
            if (entry.code, entry.name) != (code, name):
                raise ValueError(f"{code}-{name}.md: the heading says `{entry.code} {entry.name}`")
            self._read[code] = entry
        return entry

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


CODES = Catalogue(FOLDER)

__all__ = ["CODES", "STAGES", "Catalogue", "CatalogueEntry", "parse_entry"]
