"""A progress bar on stderr, where that is a terminal; nothing anywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Bar:
    """How much of something is done. Without a terminal it shows nothing and everything can be called all the same."""

    def __init__(self, drawn: Progress | None, task: TaskID | None) -> None:
        self._drawn, self._task = drawn, task

    def advance(self, more: int = 1) -> None:
        """So many more are done."""
        if self._drawn is not None and self._task is not None:
            self._drawn.advance(self._task, more)

    def set(self, done: int, of: int) -> None:
        """So many are done, of so many."""
        if self._drawn is not None and self._task is not None:
            self._drawn.update(self._task, completed=done, total=of)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Take the bar away while something else is written."""
        if self._drawn is not None:
            self._drawn.stop()
        yield
        if self._drawn is not None:
            self._drawn.start()


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Bar]:
    """A bar for `total` things (none: not known yet), called `what`; it is gone when the block ends."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield Bar(None, None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Drawn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    console = Console(stderr=True)
    with Drawn(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as drawn:
        yield Bar(drawn, drawn.add_task(what, total=total))
