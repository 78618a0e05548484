"""A second process for the files of a folder: it checks the last of them while this process checks the first, until they meet.

Files go together that are about the same ruleset, so that each process loads a ruleset once. What comes back are the findings of each file, and what
was read for them; the second process keeps its verdicts as this one does. If it breaks, the rest is checked here.
"""

from __future__ import annotations

import gc
import multiprocessing
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple

from croupier.diagnostics import Diagnostic
from croupier.play.interrupt import WorkerContext, interrupts_blocked, leave_interrupts_to_parent
from croupier.reads import Reads, recorded

if TYPE_CHECKING:
    from croupier.authoring.folder import FolderCheck

COLLECT_EVERY = 100_000  # new objects before a garbage collection, as on the command line
_NAMED_RULESET = re.compile(r"^ruleset:[ \t]*['\"]?([^'\"#\s]+)", re.MULTILINE)


class FileCheck(NamedTuple):
    """One file to check: as a `ruleset` or as `scenarios`."""

    kind: str
    path: Path


class Checked(NamedTuple):
    """What was found in a file, and what that depends on."""

    found: tuple[Diagnostic, ...]
    reads: Reads


Group = tuple[FileCheck, ...]
Answers = dict[FileCheck, Checked]


def grouped(files: Sequence[FileCheck]) -> list[Group]:
    """The files by the ruleset that they are about: a variant and its scenarios; alone what is about the ruleset of the folder."""
    groups: dict[str, list[FileCheck]] = {}
    for file in files:
        name = file.path.stem if file.kind == "ruleset" else _about(file.path)
        groups.setdefault(name or str(file.path), []).append(file)
    return [tuple(group) for group in groups.values()]


def _about(path: Path) -> str | None:
    """The name of the ruleset that a scenario file names; only the speed depends on it."""
    try:
        named = _NAMED_RULESET.search(path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None
    return None if named is None else Path(named.group(1)).stem


class SecondProcess:
    """Starts a process that checks groups of files, the last group first. A context: it ends with it."""

    def __init__(self, groups: Sequence[Group], make: Callable[[], FolderCheck]) -> None:
        self._before = set(multiprocessing.active_children())
        self._pool = ProcessPoolExecutor(1, mp_context=WorkerContext(), initializer=_start, initargs=(make,))
        self._futures: dict[FileCheck, Future[Answers]] = {}
        with interrupts_blocked():
            for group in reversed(groups):
                self._futures.update(dict.fromkeys(group, self._pool.submit(_check_group, group)))

    def answer(self, file: FileCheck) -> Checked | None:
        """What the second process has found in a file, if it has begun with its group; None if that is to be checked here."""
        future = self._futures.get(file)
        if future is None or self.withdraw(future):
            return None
        try:
            answers: Mapping[FileCheck, Checked] = future.result()
        except BrokenProcessPool:
            return None
        return answers[file]

    def withdraw(self, future: Future[Answers]) -> bool:
        """Take a group back, unless the second process has begun with it; also where it was taken back before."""
        return future.cancel()

    def __enter__(self) -> SecondProcess:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is not None:
            for process in set(multiprocessing.active_children()) - self._before:
                process.kill()
        self._pool.shutdown(wait=error is None, cancel_futures=True)


class _Worker:
    """What the second process works with."""

    folder: FolderCheck


def _start(make: Callable[[], FolderCheck]) -> None:
    leave_interrupts_to_parent()
    gc.set_threshold(COLLECT_EVERY, *gc.get_threshold()[1:])
    _Worker.folder = make()


def _check_group(group: Group) -> Answers:
    answers: Answers = {}
    for file in group:
        with recorded() as reads:
            found = _Worker.folder.file(file)
        answers[file] = Checked(tuple(found), reads)
    return answers
