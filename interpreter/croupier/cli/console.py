"""The output of the command line: data and dialogue to stdout, all else to stderr. No other module writes.

Text of authors is sanitised here or by the renderers before it reaches a terminal.  Colours appear on a terminal, or anywhere if
`FORCE_COLOR` is set, but never if `NO_COLOR` is.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, TextIO

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress, TaskID

    from croupier.diagnostics import Diagnostic

_PLAIN_WIDTH = 120


class Silence:
    """Whether progress is not shown on stderr (`--quiet`)."""

    is_wanted = False


_FIRST_WORDS = 5.0  # seconds until the first line about a long operation


def data(text: str) -> None:
    """Write text that is the result, as it is: JSON, or text that was sanitised.  A line feed is added if it has none."""
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")


def document(value: object) -> None:
    """Write a JSON document, in ASCII."""
    import json

    data(json.dumps(value, indent=2, ensure_ascii=True))


def answer(text: str) -> None:
    """Write a line of a dialogue to stdout."""
    from croupier.diagnostics import sanitise

    data(sanitise(text))


def say(text: str) -> None:
    """Write a line to stderr: progress, a summary, a hint."""
    from croupier.diagnostics import sanitise

    sys.stdout.flush()
    sys.stderr.write(f"{sanitise(text)}\n")


@contextmanager
def waiting(words: Callable[[], str]) -> Iterator[None]:
    """During an operation that may take long, write a line to stderr after some seconds, then at growing intervals."""
    over = threading.Event()

    def tell() -> None:
        pause = _FIRST_WORDS
        while not over.wait(pause):
            say(words())
            pause *= 2

    if not Silence.is_wanted:
        threading.Thread(target=tell, daemon=True).start()
    try:
        yield
    finally:
        over.set()


def show(diagnostics: Sequence[Diagnostic], *, as_data: bool = False) -> None:
    """Show diagnostics to a person, on stderr unless they are the result."""
    from croupier.diagnostics.render import render_human

    stream = sys.stdout if as_data else sys.stderr
    sys.stdout.flush()
    stream.write(render_human(diagnostics, colour=has_colour(stream)))


def has_colour(stream: TextIO) -> bool:
    """Whether to write colours to a stream: to a terminal, or always with `FORCE_COLOR`; never with `NO_COLOR`."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty() and os.environ.get("TERM") != "dumb"


def draw(renderable: RenderableType, narrow: RenderableType | None = None) -> None:
    """Draw a table or styled text on stdout, or `narrow` where that is too wide; authored text has to be a sanitised `rich.text.Text`."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else _PLAIN_WIDTH
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False, width=width)
    if narrow is not None and console.measure(renderable, options=console.options.update(width=1_000)).maximum > console.width:
        renderable = narrow
    console.print(renderable, soft_wrap=not hasattr(renderable, "columns"))


def width() -> int | None:
    """The width of the terminal in characters; None where the output is no terminal."""
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def usage(message: str, option: str | None = None) -> NoReturn:
    """Refuse the command line: exit code 2."""
    from croupier.diagnostics import sanitise

    raise typer.BadParameter(sanitise(message), param_hint=option)


def finish(code: int) -> NoReturn:
    """Leave the command with an exit code."""
    raise typer.Exit(code)


# ---------------------------------------------------------------- progress bars, on stderr where that is a terminal
class Bar:
    """A progress bar. Without a terminal it shows nothing; its methods work all the same."""

    def __init__(self, drawn: Progress | None, task: TaskID | None) -> None:
        self._drawn, self._task = drawn, task

    def advance(self, more: int = 1) -> None:
        """Count so many more as done."""
        if self._drawn is not None and self._task is not None:
            self._drawn.advance(self._task, more)

    def set(self, done: int, of: int) -> None:
        """Set how many are done, and the total."""
        if self._drawn is not None and self._task is not None:
            self._drawn.update(self._task, completed=done, total=of)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Hide the bar while something else is written."""
        if self._drawn is not None:
            self._drawn.stop()
        yield
        if self._drawn is not None:
            self._drawn.start()


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Bar]:
    """A bar for `total` things (none: not known yet), called `what`; it is gone when the block ends."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb" or Silence.is_wanted:
        yield Bar(None, None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Drawn
    from rich.text import Text

    class Rate(ProgressColumn):
        """How many a second."""

        def render(self, task: Task) -> Text:
            return Text("" if not task.speed else f"{task.speed:,.0f} a second" if task.speed >= 10 else f"{task.speed:.2g} a second")

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), Rate(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Drawn(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as drawn:
        yield Bar(drawn, drawn.add_task(what, total=total))
