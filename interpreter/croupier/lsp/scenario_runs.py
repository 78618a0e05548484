"""The scenarios that fail, as diagnostics: run in a process of their own when a file is saved, so that the
editor never waits for them.

A run is ended when a later one starts, and when it takes longer than `MAX_SECONDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Thread

from croupier.diagnostics import Diagnostic, RulesetError
from croupier.lsp.analysis import real_path
from croupier.play.interrupt import WorkerContext
from croupier.scenarios import run_scenarios
from croupier.source.files import buffers

MAX_SECONDS = 120.0  # seconds
Findings = Mapping[str, tuple[Diagnostic, ...]]
"""By file; files without failures are included."""


def failures(path: str, texts: Mapping[str, str]) -> dict[str, tuple[Diagnostic, ...]]:
    """Run the scenarios of a ruleset, or of one scenario file, and give what fails, by file; `texts` are used
    instead of unsaved files.
    """
    found: dict[str, tuple[Diagnostic, ...]] = {}
    with buffers({Path(name): text for name, text in texts.items()}):
        try:
            results = run_scenarios(path)
        except RulesetError:
            return {}  # the ruleset's own diagnostics say what is wrong
    for result in results:
        file = real_path(result.file)
        found[file] = (*found.get(file, ()), *result.diagnostics)
    return found


def _work(path: str, texts: Mapping[str, str], answer: Connection) -> None:
    answer.send(failures(path, texts))


class ScenarioRuns:
    """At most one run at a time."""

    def __init__(self) -> None:
        self._process: SpawnProcess | None = None

    def start(self, path: str, texts: Mapping[str, str], done: Callable[[Findings], object]) -> None:
        """Run the scenarios of a ruleset or file; `done` gets what fails, in another thread.

        An earlier run is ended without a result.
        """
        self.stop()
        context = WorkerContext()
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(path, dict(texts), theirs), daemon=True)
        self._process = process
        process.start()
        theirs.close()
        Thread(target=self._wait, args=(process, ours, done), daemon=True).start()

    def stop(self) -> None:
        """End the run that goes on, if there is one."""
        if self._process is not None and self._process.is_alive():
            self._process.terminate()
        self._process = None

    def _wait(self, process: SpawnProcess, ours: Connection, done: Callable[[Findings], object]) -> None:
        try:
            found = ours.recv() if ours.poll(MAX_SECONDS) else None
        except (EOFError, OSError):
            found = None  # it was ended
        process.terminate()
        process.join()
        ours.close()
        if found is not None and self._process is process:
            done(found)
