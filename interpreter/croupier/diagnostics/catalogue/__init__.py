"""The catalogue of everything that can be said about a ruleset: one Markdown file a diagnostic,
`CODE-name.md`.

A code is the letter of its stage (`STAGES`) and three digits; a name is one to five words in lower case
joined by hyphens. Neither is ever used again for something else.  The names come from the names of the files,
and a file is read when its entry is first asked for, so that a check reads the files of what it finds and no
other.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from croupier.records import dataclass

# ------------------------------------------------------------ an entry
Severity = Literal["error", "warning"]
Repair = Literal["automatic", "by-hand"]
_HEADING = re.compile(r"# ([A-Z][0-9]{3}) ([a-z0-9]+(?:-[a-z0-9]+)*)")
_EXAMPLE = re.compile(r"\n## (Wrong|Right)\n\n```(\w+)( escaped)?\n(.*?)```\n", re.DOTALL)
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})")
SEVERITIES: Mapping[str | None, Severity] = {"error": "error", "warning": "warning"}
REPAIRS: Mapping[str | None, Repair] = {"automatic": "automatic", "by-hand": "by-hand"}
_KEYS = ("severity", "fix", "message", "help")


@dataclass(frozen=True)
class CatalogueEntry:
    """Everything that is said about one code.

    `message` and `help` are templates: `{name}` stands for an argument of `diagnose`. Lower case, names in
    back-ticks, no full stop; the problem in the message, the change in the help. `explanation` is prose for
    whoever asks for more. `bad` and `good` are the smallest examples that show the mistake and its repair:
    rulesets or fragments of one. `fix` says what the bad example is offered: a fix that `check --fix`
    applies, one to apply by hand, or `None`.
    """

    code: str
    name: str
    message: str
    explanation: str
    bad: str = ""
    good: str = ""
    severity: Severity = "error"
    help: str | None = None
    fix: Repair | None = None

    @property
    def title(self) -> str:
        """The name as words."""
        return self.name.replace("-", " ")


def parse_entry(text: str) -> CatalogueEntry:
    """The entry that the text of a file describes.  Raises ValueError for a text of another form."""
    if not text.startswith("---\n") or "\n---\n" not in text:
        raise ValueError("the file does not begin with keys between two lines `---`")
    front, _, body = text[4:].partition("\n---\n")
    keys = dict(_parse_key(line) for line in front.split("\n"))
    severity, fix = SEVERITIES.get(keys.get("severity")), REPAIRS.get(keys.get("fix"))
    if severity is None or (fix is None) != ("fix" not in keys) or "message" not in keys:
        raise ValueError(
            "`severity` is `error` or `warning`, `fix` is `automatic` or `by-hand`, and there is a `message`"
        )
    examples: dict[str, str] = {}
    for title, _, escaped, example in _EXAMPLE.findall(body):
        examples[title] = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), example) if escaped else example
    heading, *paragraphs = _EXAMPLE.sub("", body).strip("\n").split("\n\n")
    named = _HEADING.fullmatch(heading)
    if named is None:
        raise ValueError("the heading is not `# CODE name-of-the-diagnostic`")
    if any(part.startswith(("#", "```")) for part in paragraphs):
        raise ValueError("what follows the explanation is `## Wrong` and `## Right`, each with one block")
    explanation = "\n\n".join(" ".join(part.split("\n")) for part in paragraphs)
    return CatalogueEntry(
        named[1],
        named[2],
        keys["message"],
        explanation,
        examples.get("Wrong", ""),
        examples.get("Right", ""),
        severity,
        keys.get("help"),
        fix,
    )


def _parse_key(line: str) -> tuple[str, str]:
    key, _, value = line.partition(": ")
    if key not in _KEYS:
        raise ValueError(f"`{key}` is none of the keys {', '.join(_KEYS)}")
    return key, str(json.loads(value)) if value.startswith('"') else value


# ------------------------------------------------------------ the whole
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

    Raises ValueError for a file whose name is of another form, for a code or name that is used twice, and for
    a file that says another code or name than its own.
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
                raise ValueError(
                    f"{file}: not the letter of a stage, three digits and a name: `T001-wrong-type.md`"
                )
        twice = sorted(name for name, times in Counter(names.values()).items() if times > 1)
        if twice:
            raise ValueError(f"names used twice: {', '.join(twice)}")
        order = list(STAGES)
        return MappingProxyType(
            dict(sorted(names.items(), key=lambda item: (order.index(item[0][0]), item[0])))
        )

    @cached_property
    def _codes(self) -> Mapping[str, str]:
        return {name: code for code, name in self.names.items()}

    def find(self, word: str) -> CatalogueEntry | None:
        """The entry of a code or name in upper or lower case, or of both as they are shown
        (`T001 wrong-type`); `None` for anything else.
        """
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


__all__ = ["CODES", "Catalogue", "CatalogueEntry", "STAGES", "parse_entry"]
