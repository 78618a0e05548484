"""Verdicts: what checking found, kept between runs by what it depends on.

In come what is checked and from where, out comes what was found the last time, if every file that was read
then still holds the same, and the same version of croupier looks. So what has not changed is not checked
again. This module loads nothing of the checker: a verdict that is there costs the reading of the files.

An entry holds the fingerprints of `reads` and the diagnostics, as JSON, in the cache of the user:
authenticated, bounded, without pickles.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from croupier.diagnostics import Diagnostic, Fix, JsonObject, Label, Source, Span
from croupier.execution import object_cache
from croupier.reads import Now, Reads, note, recorded
from croupier.resources import data_folder

_LIBRARIES = ("lark", "pydantic", "ruamel.yaml")
_SUFFIXES = (".py", ".md", ".lark", ".json")  # of the files that decide what is found, and in which words
MAX_FINDINGS = 500  # of a verdict that is kept


class Verdicts:
    """The verdicts of one user, as they are at one moment: a file that is saved later is not looked at
    again.
    """

    def __init__(self, folder: object_cache.Cache | None) -> None:
        self._folder, self._now = folder, Now()

    def find(self, *key: str) -> tuple[Diagnostic, ...] | None:
        """Return the diagnostics that were found for a key the last time; `None` if there is no verdict, or
        not any more.
        """
        if self._folder is None:
            return None
        entry = self._folder.get(_entry_name(key))
        if entry is None:
            return None
        content: JsonObject = json.loads(entry)
        reads = Reads(content["files"], content["folders"])
        if not self._now.is_current(reads):
            return None
        note(reads)  # whoever asks depends on that, too
        return tuple(_read_findings(content["found"]))

    def get(self, check: Callable[[], Iterable[Diagnostic]], *key: str) -> tuple[Diagnostic, ...]:
        """Return the diagnostics that `check` finds for a key: from the last time if there is a verdict, or
        else by asking it now.
        """
        kept = self.find(*key)
        if kept is not None:
            return kept
        with recorded() as reads:
            found = tuple(check())
        self.keep(reads, found, *key)
        return found

    def keep(self, reads: Reads, found: Sequence[Diagnostic], *key: str) -> None:
        """Keep what was found for a key, and what it depends on.

        Where nothing was read, it depends on something else, and nothing is kept.
        """
        if self._folder is None or not reads.files or len(found) > MAX_FINDINGS:
            return
        content = {"files": reads.files, "folders": reads.folders, "found": _written_findings(found)}
        self._folder.put(_entry_name(key), json.dumps(content).encode())


def user_verdicts() -> Verdicts:
    """Return the verdicts of this user, as of now; nothing is kept if the cache is off."""
    return Verdicts(object_cache.open_cache(object_cache.VERDICTS))


def _entry_name(key: Sequence[str]) -> str:
    whole = json.dumps([*key, os.getcwd(), _version()])
    return hashlib.sha256(whole.encode()).hexdigest()


@cache
def _version() -> str:
    """Return a hash of what decides how a text is read besides the text: this program, its libraries, and
    Python.
    """
    libraries = []
    for library in _LIBRARIES:
        try:
            libraries.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            libraries.append(library)
    package = Path(__file__).parents[1]
    stamps = [*_stamps(package), *_stamps(data_folder() / "grammar")]
    return hashlib.sha256("\n".join([sys.version, *libraries, *stamps]).encode()).hexdigest()


def _stamps(folder: Path) -> Iterator[str]:
    """The files below a folder that matter, each with size and time, as Python does for compiled modules."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _stamps(Path(entry.path))
        elif entry.name.endswith(_SUFFIXES):
            about = entry.stat()
            yield f"{entry.path} {about.st_size} {about.st_mtime_ns}"


# ---------------------------------------------------------------- diagnostics as JSON
def _written_findings(found: Iterable[Diagnostic]) -> JsonObject:
    sources: dict[Source, int] = {}

    def place(span: Span | None) -> list[int] | None:
        return None if span is None else [sources.setdefault(span.source, len(sources)), span.start, span.end]

    diagnostics = [
        {
            "code": d.code,
            "severity": d.severity,
            "message": d.message,
            "span": place(d.span),
            "labels": [[place(label.span), label.text] for label in d.labels],
            "notes": d.notes,
            "help": d.help,
            "fix": None if d.fix is None else [place(d.fix.span), d.fix.replacement, d.fix.title, d.fix.safe],
        }
        for d in found
    ]
    return {"diagnostics": diagnostics, "sources": [[source.name, source.text] for source in sources]}


def _read_findings(written: JsonObject) -> Iterator[Diagnostic]:
    sources = [Source(name, text) for name, text in written["sources"]]

    def place(at: list[int]) -> Span:
        return Span(sources[at[0]], at[1], at[2])

    for d in written["diagnostics"]:
        yield Diagnostic(
            d["code"],
            d["severity"],
            d["message"],
            None if d["span"] is None else place(d["span"]),
            tuple(Label(place(at), text) for at, text in d["labels"]),
            tuple(d["notes"]),
            d["help"],
            None if d["fix"] is None else Fix(place(d["fix"][0]), *d["fix"][1:]),
        )
