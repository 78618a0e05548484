"""The reads behind a result: files by their contents, and what the folders of rulesets hold.

Whoever keeps a result between runs keeps with it what it depends on. `recorded` notes every file that
`source.read_file` opens inside it, and the folders that these files are confined to; `Now.is_current` says
whether all of that is still as it was. A fingerprint holds the real path, so that a link that leads elsewhere
counts as a change.

Of a folder only those names count that a check may look for: YAML and CSV files, the folders of variants,
modules and scenarios, and other rulesets. So the files that editors and systems put beside them change
nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from pathlib import Path

from croupier.records import dataclass
from croupier.resources import MAIN_FILE, MODULES, SUFFIXES, VARIANTS

_INNER = (VARIANTS, MODULES, "scenarios")
_NAMED = (*SUFFIXES, ".csv")


@dataclass
class Reads:
    """Files and folders by absolute path, each with a fingerprint of what it holds."""

    files: dict[str, str] = field(default_factory=dict)
    folders: dict[str, str] = field(default_factory=dict)

    def add(self, other: Reads) -> None:
        """Add what another result depends on."""
        self.files.update(other.files)
        self.folders.update(other.folders)


_LOG: ContextVar[Reads | None] = ContextVar("reads", default=None)


@contextmanager
def recorded() -> Iterator[Reads]:
    """Note what is read until the context ends, in this thread.

    Whoever notes around this one notes it, too.
    """
    outer, reads = _LOG.get(), Reads()
    token = _LOG.set(reads)
    try:
        yield reads
    finally:
        _LOG.reset(token)
        if outer is not None:
            outer.add(reads)


def note(reads: Reads) -> None:
    """Note what a result depends on that is used here again."""
    log = _LOG.get()
    if log is not None:
        log.add(reads)


def note_file(path: Path, data: bytes | None) -> None:
    """Note that a file was read and holds this; `None`: it cannot be read."""
    log = _LOG.get()
    if log is not None:
        log.files[os.path.abspath(path)] = _fingerprint(path, data)


def note_folder(root: Path) -> None:
    """Note that it matters which files a ruleset's folder holds, and whether it lies in another ruleset's."""
    log = _LOG.get()
    if log is not None and os.path.abspath(root) not in log.folders:
        log.folders[os.path.abspath(root)] = _folder_fingerprint(Path(os.path.abspath(root)))


class Now:
    """Fingerprints as they are now, each made once."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        self._folders: dict[str, str] = {}

    def is_current(self, reads: Reads) -> bool:
        """Tell whether everything is still as it was read."""
        return all(self._file(path) == was for path, was in reads.files.items()) and all(
            self._folder(path) == was for path, was in reads.folders.items()
        )

    def _file(self, path: str) -> str:
        if path not in self._files:
            try:
                data = Path(path).read_bytes() if os.path.isfile(path) else None
            except OSError:
                data = None
            self._files[path] = _fingerprint(Path(path), data)
        return self._files[path]

    def _folder(self, path: str) -> str:
        if path not in self._folders:
            self._folders[path] = _folder_fingerprint(Path(path))
        return self._folders[path]


def _fingerprint(path: Path, data: bytes | None) -> str:
    held = _kind(path) if data is None else hashlib.sha256(data).hexdigest()
    return f"{held} {os.path.realpath(path)}"


def _kind(path: Path) -> str:
    """Return what lies where no file can be read: `link`, `folder`, `there` or `missing`."""
    if os.path.islink(path):
        return "link"
    if os.path.isdir(path):
        return "folder"
    return "there" if os.path.lexists(path) else "missing"


def _folder_fingerprint(root: Path) -> str:
    """A hash of the names in a ruleset's folder that a check may look for, and of the folders above that hold
    a ruleset.
    """
    above = [os.path.isfile(folder / MAIN_FILE) for folder in (root, *root.parents)]
    names = list(_names_in(root))
    for inner in _INNER:
        names += _names_below(root / inner)
    whole = "\n".join([os.path.realpath(root), repr(above), *sorted(names)])
    return hashlib.sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()


def _names_in(folder: Path) -> Iterator[str]:
    """The names in a folder that matter, each with the path that a link leads to."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        yield f"{folder} {type(error).__name__}"
        return
    for entry in entries:
        if (
            entry.name.endswith(_NAMED)
            or entry.name in _INNER
            or os.path.isfile(os.path.join(entry.path, MAIN_FILE))
        ):
            leads = os.path.realpath(entry.path) if entry.is_symlink() else ""
            yield f"{entry.path} {os.path.isdir(entry.path)} {leads}"


def _names_below(folder: Path) -> Iterator[str]:
    """The same of a folder and of all folders in it, links not followed."""
    for path, folders, _ in os.walk(folder):
        folders.sort()
        yield from _names_in(Path(path))
