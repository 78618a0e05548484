"""The output of the command line: data and dialogue to stdout, all else to stderr. No other module writes.

Text of authors is sanitised here or by the renderers before it reaches a terminal.  Colours appear on a terminal, or anywhere if
`FORCE_COLOR` is set, but never if `NO_COLOR` is.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, NoReturn, TextIO

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress, TaskID

    from croupier.diagnostics import Diagnostic, JsonObject

_PLAIN_WIDTH = 120


class Silence:
    """Whether progress is not shown on stderr (`--quiet`)."""

    is_wanted = False


class Held:
    """What a command says on stderr while it is kept until its end, because errors are wanted as JSON (`failures.py`)."""

    is_wanted = False
    has_output = False  # on stdout
    lines: list[str] = []
    diagnostics: list[Diagnostic] = []
    usage: dict[str, str | None] | None = None  # the mistake of the command line
    kind: str | None = None  # of an error that the exit code does not tell

    @classmethod
    def begin(cls, *, is_wanted: bool) -> None:
        """Keep what is said from now on, or keep nothing."""
        cls.is_wanted, cls.has_output, cls.lines, cls.diagnostics, cls.usage, cls.kind = is_wanted, False, [], [], None, None


_FIRST_WORDS = 5.0  # seconds until the first line about a long operation


def data(text: str) -> None:
    """Write text that is the result, as it is: JSON, or text that was sanitised.  A line feed is added if it has none."""
    Held.has_output = True
    with _above_bar():
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")


def document(schema: str, values: JsonObject) -> None:
    """Write the JSON document of a schema of `croupier.outputs`, with its header, in ASCII."""
    data(document_text(schema, values))


def document_text(schema: str, values: JsonObject) -> str:
    """The JSON document of a schema as text, for what is not written to stdout."""
    from croupier import __version__
    from croupier.outputs.writing import text_of

    return text_of(schema, __version__, values)


def answer(text: str) -> None:
    """Write a line of a dialogue to stdout."""
    from croupier.diagnostics import sanitise

    data(sanitise(text))


def say(text: str) -> None:
    """Write a line to stderr: a summary, a hint."""
    from croupier.diagnostics import sanitise

    if Held.is_wanted:
        Held.lines.append(sanitise(text))
        return
    _write_line(sanitise(text))


def write_error(text: str) -> None:
    """Write the JSON object of an error to stderr."""
    _write_line(text.rstrip("\n"))


def _write_line(text: str) -> None:
    with _above_bar():
        sys.stdout.flush()
        sys.stderr.write(f"{text}\n")


@contextmanager
def waiting(words: Callable[[], str]) -> Iterator[None]:
    """During an operation that may take long, write a line to stderr after some seconds, then at growing intervals."""
    from croupier.diagnostics import sanitise

    over = threading.Event()

    def tell() -> None:
        pause = _FIRST_WORDS
        while not over.wait(pause):
            _write_line(sanitise(words()))
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

    if Held.is_wanted and not as_data:
        Held.diagnostics.extend(diagnostics)
        return
    stream = sys.stdout if as_data else sys.stderr
    with _above_bar():
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
BAR_AFTER = 0.5  # seconds until a bar is drawn: what is over by then needs none


class Bar:
    """A progress bar, drawn once a command has taken `BAR_AFTER`. Without a terminal it shows nothing; its methods work all the same.

    What this module writes while a bar is drawn stands above it.
    """

    current: Bar | None = None  # the one that may be drawn now

    def __init__(self, what: str, total: int | None, *, is_shown: bool) -> None:
        self._what, self._done, self._total = what, 0, total
        self._lock = threading.RLock()  # a timer draws it
        self._drawn: Progress | None = None
        self._task: TaskID | None = None
        self._hidings = 0
        self._is_over = False
        self._timer = threading.Timer(BAR_AFTER, self._draw)
        self._timer.daemon = True
        if is_shown and BAR_AFTER > 0:
            self._timer.start()
        elif is_shown:
            self._draw()

    def advance(self, more: int = 1) -> None:
        """Count so many more as done."""
        with self._lock:
            self._done += more
            self._update()

    def set(self, done: int, of: int) -> None:
        """Set how many are done, and the total."""
        with self._lock:
            self._done, self._total = done, of
            self._update()

    def describe(self, what: str) -> None:
        """Say what is counted from now on, if that is something else, and begin to count anew."""
        with self._lock:
            if what != self._what:
                self._what, self._done, self._total = what, 0, None
                self._update()

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Hide the bar while something else is written."""
        with self._lock:
            self._hidings += 1
            if self._drawn is not None and self._hidings == 1:
                self._drawn.stop()
            try:
                yield
            finally:
                self._hidings -= 1
                if self._drawn is not None and not self._hidings:
                    self._drawn.start()

    def end(self) -> None:
        """Remove the bar for good."""
        self._timer.cancel()
        with self._lock:
            self._is_over = True
            if self._drawn is not None:
                self._drawn.stop()
                self._drawn = None

    def _update(self) -> None:
        if self._drawn is not None and self._task is not None:
            self._drawn.update(self._task, completed=self._done, total=self._total, description=self._what)

    def _draw(self) -> None:
        made = _progress_bar()
        with self._lock:
            if self._is_over:
                return
            self._drawn, self._task = made, made.add_task(self._what, total=self._total)
            self._update()
            made.start()


def _progress_bar() -> Progress:
    """What draws a bar, not started."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Drawn
    from rich.text import Text

    class Rate(ProgressColumn):
        """How many a second."""

        def render(self, task: Task) -> Text:
            return Text("" if not task.speed else f"{task.speed:,.0f} a second" if task.speed >= 10 else f"{task.speed:.2g} a second")

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), Rate(), TimeRemainingColumn())
    return Drawn(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False)


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Bar]:
    """A bar for `total` things (None: not known yet), called `what`; it is gone when the block ends."""
    is_shown = sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not Silence.is_wanted
    bar, before = Bar(what, total, is_shown=is_shown), Bar.current
    Bar.current = bar
    try:
        yield bar
    finally:
        Bar.current = before
        bar.end()


def _above_bar() -> AbstractContextManager[None]:
    """A context in which no bar is drawn."""
    return nullcontext() if Bar.current is None else Bar.current.hidden()
