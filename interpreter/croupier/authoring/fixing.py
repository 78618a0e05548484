"""The safe fixes of what `check` finds, applied to every file that belongs to what is checked, until there is
nothing more to apply.

In comes what `croupier check` is asked to check, out come the files as they were and as they would be.
Nothing is written here.

After each round all files are checked with their new texts, because a mistake that is mended may have hidden
others, in the same file or in one that depends on it. A file is mended if it belongs to what was named: with
the folder of a ruleset its variants, modules, tables and scenarios; with a ruleset's file that file, its
tables, and the scenarios that are checked with it; with a file of scenarios that alone. Of any other file
with a safe fix, the outcome says why it is left alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from enum import Enum, auto
from pathlib import Path

from croupier.authoring.folder_check import check_whole
from croupier.authoring.verdicts import Verdicts
from croupier.diagnostics import Diagnostic, RulesetError, Source, apply_fixes, chosen_fixes, diagnose
from croupier.diagnostics.source import BYTE_ORDER_MARK
from croupier.records import dataclass
from croupier.resolve.documents import display_path, read_source
from croupier.resources import MAIN_FILE, SUFFIXES, RulesetPlace, find, shipped
from croupier.scenarios.files import confined_to, is_scenario_file
from croupier.source.files import buffers, read_file

MOST_ROUNDS = 100
"""The most times that the files are checked again.

Each round mends what it can, at least 50 mistakes of a kind in each file.
"""
_RULESET_KEY = re.compile(r"^(?:ruleset|extends|module)[ \t]*:", re.MULTILINE)


@dataclass(frozen=True)
class FixedFile:
    """A file before and after.

    `applied` are the diagnostics that were mended, in the order in which that happened, each with its fix.
    """

    path: Path  # the file itself, links followed
    before: Source  # named as it is shown
    after: str
    applied: tuple[Diagnostic, ...]
    mark: str  # the byte order mark that the file begins with, which belongs to neither text

    @property
    def changed(self) -> bool:
        """Tell whether anything would be written."""
        return self.after != self.before.text

    def is_current(self) -> bool:
        """Tell whether the file still holds the text that was fixed."""
        try:
            return self.path.read_bytes() == (self.mark + self.before.text).encode()
        except OSError:
            return False


@dataclass(frozen=True)
class Fixed:
    """The files with fixes that were applied, and the names of the others that have safe fixes, each with the
    reason why it is left alone.
    """

    files: tuple[FixedFile, ...]
    left: tuple[tuple[str, str], ...]

    @property
    def applied(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that were mended, file by file."""
        return tuple(diagnostic for file in self.files for diagnostic in file.applied)


def fix_whole(name: str, verdicts: Verdicts) -> Fixed:
    """Return the files that `croupier check` checks for a name, path or folder, with every safe fix applied.

    `verdicts`: where the findings of the files as they are may be known already. Raises `RulesetError` if
    what is named cannot be read.
    """
    scope = _scope(name)
    files = _Files(scope)
    found: Sequence[Diagnostic] = verdicts.get(lambda: check_whole(name, verdicts), "whole", name)
    for _ in range(MOST_ROUNDS):
        if not files.apply(found):
            break
        with buffers(files.texts()):
            found = check_whole(name, Verdicts(None))
    left = {source.name: files.reason(source) for source in _sources(found)}
    return Fixed(files.fixed(), tuple((name, reason) for name, reason in left.items() if reason is not None))


def raise_if_changed(files: Iterable[FixedFile]) -> None:
    """Raise `RulesetError` if a file does not hold any more what was mended: then none is to be written."""
    changed = [diagnose("X532", None, name=file.before.name) for file in files if not file.is_current()]
    if changed:
        raise RulesetError(changed)


def _sources(found: Iterable[Diagnostic]) -> list[Source]:
    """The texts that have safe fixes."""
    return list(dict.fromkeys(d.fix.span.source for d in found if d.fix is not None and d.fix.safe))


# ---------------------------------------------------------------- what may be mended
class Extent(Enum):
    """The files that may be fixed besides those that were named."""

    NOTHING = auto()  # not even these: they come with croupier
    FILE = auto()  # nothing else
    RULESET = auto()  # their tables and scenarios
    FOLDER = auto()  # everything in the folder of a ruleset


@dataclass(frozen=True)
class _Scope:
    """The files that were named, links followed, and what else may be mended with them."""

    named: frozenset[Path]
    root: Path  # the folder that they belong to, outside of which nothing is mended
    extent: Extent

    def reason(self, source: Source, path: Path) -> str | None:
        """Return why a file is left alone; `None` if it may be fixed."""
        if self.extent is Extent.NOTHING:
            return "it comes with croupier; name it by its path"
        if path in self.named:
            return None
        if not path.is_relative_to(self.root):
            return "it lies outside of the folder of what is checked; name it by its path"
        if (
            self.extent is Extent.FOLDER
            or self.extent is Extent.RULESET
            and _belongs_to_a_ruleset(path, source)
        ):
            return None
        return "only the file that was named is; name this one, too, or the folder"


def _belongs_to_a_ruleset(path: Path, source: Source) -> bool:
    """Tell whether a file that is checked with a ruleset is its table or has scenarios for it, and is no
    ruleset, variant or module itself.
    """
    return is_scenario_file(path) or not _RULESET_KEY.search(source.text)


def _scope(name: str) -> _Scope:
    """Return the files that belong to a name, path or folder.

    Raises `RulesetError` if there is nothing, or it cannot be read.
    """
    path = Path(name)
    if is_scenario_file(path):
        _readable(*read_file(display_path(path), confined_to(path)))
        return _Scope(frozenset({path.resolve()}), confined_to(path).resolve(), Extent.FILE)
    place, problems = find(name)
    if place is None:
        raise RulesetError(problems)
    named = place.parts or (place,)
    for part in named:
        _readable(*read_source(part))
    return _Scope(
        frozenset(part.path.resolve() for part in named), place.root.resolve(), _extent(name, place, named)
    )


def _extent(name: str, place: RulesetPlace, named: Iterable[RulesetPlace]) -> Extent:
    if any(_is_shipped_by_name(part, name) for part in named):
        return Extent.NOTHING
    is_folder = place.path.name == MAIN_FILE and not name.endswith(SUFFIXES)
    return Extent.FOLDER if is_folder else Extent.RULESET


def _is_shipped_by_name(place: RulesetPlace, name: str) -> bool:
    known = shipped().get(name.partition("/")[0])
    return not os.path.lexists(name) and (
        name.startswith("modules/") or known is not None and place.root == known.root
    )


def _readable(source: Source | None, problems: list[Diagnostic]) -> None:
    if source is None:
        raise RulesetError(problems)


# ---------------------------------------------------------------- the files on the way
class _Files:
    """The files that fixes are applied to, by their paths, links followed: each may be known by several
    names.
    """

    def __init__(self, scope: _Scope) -> None:
        self._scope = scope
        self._files: dict[Path, FixedFile] = {}
        self._names: dict[Path, Path] = {}  # a path as it is shown, and the file that it leads to

    def apply(self, found: Iterable[Diagnostic]) -> bool:
        """Apply the safe fixes that can be applied together; whether there were any."""
        found = list(found)
        mended: set[Path] = set()
        for source in _sources(found):
            path = Path(source.name).resolve()
            if path in mended or self.reason(source) is not None:
                continue
            file = self._files.get(path) or _opened(path, source)
            chosen = chosen_fixes(source, found)
            text, _ = apply_fixes(source, chosen)
            if text == source.text:
                continue
            mended.add(path)
            self._names[Path(source.name)] = path
            self._files[path] = FixedFile(path, file.before, text, (*file.applied, *chosen), file.mark)
        return bool(mended)

    def reason(self, source: Source) -> str | None:
        """Return why a text is left alone; `None` if it may be fixed."""
        path = Path(source.name).resolve()
        reason = self._scope.reason(source, path)
        if reason is not None:
            return reason
        file = self._files.get(path) or _opened(path, source)
        return None if file.after == source.text else "it was changed in the meantime"

    def texts(self) -> dict[Path, str]:
        """The new texts, by each name of their files."""
        return {name: self._files[path].after for name, path in self._names.items()}

    def fixed(self) -> tuple[FixedFile, ...]:
        """The files with what was applied to them."""
        return tuple(self._files.values())


def _opened(path: Path, source: Source) -> FixedFile:
    """A file to which nothing is applied yet. If it cannot be read any more, its text is empty."""
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError:
        text = ""
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    text = text.removeprefix(BYTE_ORDER_MARK)
    return FixedFile(path, Source(source.name, text), text, (), mark)
