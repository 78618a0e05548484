"""The output of the command line: data and dialogue to stdout, all else to stderr. No other module writes.

Text of authors is sanitised here or by the renderers before it reaches a terminal.  Colours appear on a
terminal, or anywhere if `FORCE_COLOR` is set, but never if `NO_COLOR` is.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, NoReturn, TextIO

import typer

from croupier.cli.forecast import Cost, Pace, duration, forecast

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.measure import Measurement
    from rich.progress import Progress, TaskID
    from rich.table import Table
    from rich.text import Text

    from croupier.diagnostics import Diagnostic, JsonObject

_PLAIN_WIDTH = 120


class Silence:
    """The option `--quiet`: whether progress is hidden."""

    is_wanted = False


class Held:
    """The output of a command for stderr, kept until its end because errors are wanted as JSON
    (`failures.py`).
    """

    is_wanted = False
    has_output = False  # on stdout
    lines: list[str] = []
    diagnostics: list[Diagnostic] = []
    usage: dict[str, str | None] | None = None  # the mistake of the command line
    kind: str | None = None  # of an error that the exit code does not tell

    @classmethod
    def begin(cls, *, is_wanted: bool) -> None:
        """Keep what is said from now on, or keep nothing."""
        cls.is_wanted = is_wanted
        cls.has_output = False
        cls.lines = []
        cls.diagnostics = []
        cls.usage = None
        cls.kind = None


_FIRST_WORDS = 5.0  # seconds until the first line about a long operation


def data(text: str) -> None:
    """Write text that is the result, as it is: JSON, or text that was sanitised.  A line feed is added if it
    has none.
    """
    Held.has_output = True
    with _above_bar():
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")


def document(schema: str, values: JsonObject) -> None:
    """Write the JSON document of a schema of `croupier.outputs`, with its header, in ASCII."""
    data(document_text(schema, values))


def document_text(schema: str, values: JsonObject) -> str:
    """The JSON document of a schema as text, for what is not written to stdout."""
    from croupier import __version__
    from croupier.outputs.documents import text_of

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
    """During an operation that may take long, write a line to stderr after some seconds, then at growing
    intervals.
    """
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
    """Tell whether to write colours to a stream: to a terminal, or always with `FORCE_COLOR`; never with
    `NO_COLOR`.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty() and os.environ.get("TERM") != "dumb"


def draw(renderable: RenderableType, narrow: RenderableType | None = None) -> None:
    """Draw a table or styled text on stdout, or `narrow` where that is too wide; authored text has to be a
    sanitised `rich.text.Text`.
    """
    from rich.text import Text

    console = _console()
    if narrow is not None and _measured(renderable, console).maximum > console.width:
        renderable = narrow
    wanted = None if sys.stdout.isatty() else wanted_width()
    if wanted is not None and isinstance(renderable, Text):
        renderable = _wrapped(renderable, wanted)
    console.print(renderable, soft_wrap=not hasattr(renderable, "columns"))


def fits(table: Table) -> bool:
    """Tell whether `draw` has room for a table, if the columns that may be wrapped are."""
    console = _console()
    return _measured(table, console).minimum <= console.width


def _console() -> Console:
    """The console for stdout: as wide as the terminal, or as `COLUMNS` says."""
    from rich.console import Console

    plain_width = None if sys.stdout.isatty() else wanted_width() or _PLAIN_WIDTH
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False, width=plain_width)


def _measured(renderable: RenderableType, console: Console) -> Measurement:
    """How wide something is, wherever there is room."""
    return console.measure(renderable, options=console.options.update(width=1_000))


def _wrapped(text: Text, width: int) -> Text:
    """The text in lines of a width, broken between words, as a terminal would wrap it; a longer word, such as
    a digest, stays whole.
    """
    from rich.cells import cell_len
    from rich.text import Text

    breaks, start = list[int](), 0
    for line in text.plain.splitlines(keepends=True):
        used = 0
        for word in re.finditer(r"\S+\s*|\s+", line):
            if used and used + cell_len(word[0].rstrip()) > width:
                breaks.append(start + word.start())
                used = 0
            used += cell_len(word[0])
        start += len(line)
    parts = text.divide(breaks)
    for part in parts[:-1]:
        part.rstrip()
    return Text("\n").join(parts)


def width() -> int | None:
    """The width of the terminal in characters, or what `COLUMNS` says; `None` where the output is no terminal
    and nothing is said.
    """
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else wanted_width()


def wanted_width() -> int | None:
    """The width that `COLUMNS` asks for, in characters; `None` where it asks for none."""
    text = os.environ.get("COLUMNS", "")
    return int(text) if text.isdecimal() and int(text) > 0 else None


def usage(message: str, option: str | None = None) -> NoReturn:
    """Refuse the command line: exit code 2."""
    from croupier.diagnostics import sanitise

    raise typer.BadParameter(sanitise(message), param_hint=option)


def finish(code: int) -> NoReturn:
    """Leave the command with an exit code."""
    raise typer.Exit(code)


# ---------------------------------------------------------------- progress on stderr: a bar where that is a
# terminal, lines where it is none
BAR_AFTER = 0.5  # seconds until a bar is drawn: what is over by then needs none
LINE_AFTER = 5.0  # seconds until the first line, and between lines at first; 0: a line at each step
COST_AFTER = 1.5  # seconds until it is estimated how long a command takes that is known to cost much
OTHER_AFTER = 5.0  # the same of others: what plays their games is chosen, and compiled, in the first seconds
LOOKS = 0.25  # seconds between two looks at how far it is, until there is an estimate
_RATE_FROM = 0.5  # seconds from which the rate is measured: what was there before is counted by then
_LATER = 1 / 20  # of the time so far: the pause between two lines of what takes long
_LONGEST_PAUSE = 60.0  # seconds


class Lines:
    """Lines of progress on stderr, for a pipe or a file: how many are done of how many, how many a second,
    and how long it takes still. And, on a terminal too, one line that says before how long all will take, if
    that is long (`forecast.py`).

    `cost` says what makes each of them slow; the estimate comes sooner then, and names it. `None`: no
    estimate. `work` is how much work so many of them are.
    """

    def __init__(self, cost: Cost | None, *, are_shown: bool, work: Callable[[int], float] = float) -> None:
        self._cost, self._are_shown, self._work = cost, are_shown, work
        self._what, self._done, self._total = "", 0, 0
        self._started = time.monotonic()
        # when, and how many were done, at the beginning of what the rate is measured by
        self._first: tuple[float, int] | None = None
        self._over = threading.Event()

    def begin(self) -> None:
        """Write lines from now on."""
        if LINE_AFTER > 0:
            if self._cost is not None:
                threading.Thread(target=self._estimate, args=(self._cost,), daemon=True).start()
            if self._are_shown:
                threading.Thread(target=self._tell_again_and_again, daemon=True).start()

    def end(self) -> None:
        """Write no more lines."""
        self._over.set()

    def set(self, what: str, done: int, total: int | None) -> None:
        """Set what is counted, how many are done, and of how many (`None`: not known)."""
        if what != self._what:
            self._started, self._first = time.monotonic(), None
        self._what, self._done, self._total = what, done, total or 0
        if self._are_shown and not LINE_AFTER:
            self._write(self.line())

    def line(self) -> str:
        """Return the progress in words: `12 of 90 games · 8.2 a second · 10 s left`."""
        rate, left = self._rate(), self.pace().left
        parts = [
            f"{self._done:,} of {self._total:,} {self._what}"
            if self._total
            else f"{self._done:,} {self._what}"
        ]
        if rate:
            parts.append(f"{rate:,.0f} a second" if rate >= 10 else f"{rate:.2g} a second")
        if left is not None:
            parts.append(f"{duration(left)} left")
        return " · ".join(parts)

    def pace(self) -> Pace:
        """Return how far it is, and what the rate is measured by."""
        since, before = self._first or (self._started, 0)
        if self._done <= before:
            since, before = self._started, 0
        now = time.monotonic()
        return Pace(
            self._what, self._done, self._total, now - self._started, (now - since, before), self._work
        )

    def _rate(self) -> float:
        """Return the number of steps done in a second; 0 if nothing is known of that."""
        seconds, before = self.pace().since
        return (self._done - before) / seconds if seconds > 0 else 0.0

    def _tell_again_and_again(self) -> None:
        begun = time.monotonic()
        while not self._over.wait(min(max(LINE_AFTER, (time.monotonic() - begun) * _LATER), _LONGEST_PAUSE)):
            self._write(self.line())

    def _estimate(self, cost: Cost) -> None:
        """Say once how long all will take, as soon as that is known; before, that nothing is over yet."""
        if self._over.wait(_RATE_FROM):
            return
        self._first = time.monotonic(), self._done
        wait, has_warned = COST_AFTER if cost.reasons else OTHER_AFTER, False
        while not self._over.wait(LOOKS):
            pace = self.pace()
            if pace.elapsed < wait:
                continue
            told = forecast(pace, cost)
            is_known = told is not None and (pace.done > 0 or not told)
            if told and (is_known or not has_warned):
                self._write(told)
                has_warned = True
            if is_known:
                return

    def _write(self, line: str) -> None:
        """Write a line; the output of the command itself, which may wait for a reader, is left alone."""
        from croupier.diagnostics import sanitise

        with suppress(OSError, ValueError), _above_bar():
            for part in line.split("\n"):
                sys.stderr.write(f"{sanitise(part)}\n")


class Bar:
    """Progress: a bar, drawn once a command has taken `BAR_AFTER`; without a terminal, lines; with `--quiet`
    nothing.

    What this module writes while a bar is drawn stands above it.
    """

    current: Bar | None = None  # the one that may be drawn now

    def __init__(self, what: str, total: int | None, *, is_shown: bool, lines: Lines) -> None:
        self._what, self._done, self._total = what, 0, total
        self._lines = lines
        self._lines.set(what, 0, total)
        self._lines.begin()
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
        self._lines.end()
        with self._lock:
            self._is_over = True
            if self._drawn is not None:
                self._drawn.stop()
                self._drawn = None

    def _update(self) -> None:
        self._lines.set(self._what, self._done, self._total)
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
    """Return a bar that is not started."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Drawn
    from rich.text import Text

    class Rate(ProgressColumn):
        """A column with the number of steps in a second."""

        def render(self, task: Task) -> Text:
            if not task.speed:
                return Text("")
            figure = f"{task.speed:,.0f}" if task.speed >= 10 else f"{task.speed:.2g}"
            return Text(f"{figure} a second")

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        Rate(),
        TimeRemainingColumn(),
    )
    return Drawn(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    )


@contextmanager
def progress(
    what: str, total: int | None = None, cost: Cost | None = None, work: Callable[[int], float] = float
) -> Iterator[Bar]:
    """A bar or lines for `total` things (`None`: not known yet), called `what`, until the block ends.

    With a `cost`, which says what makes them slow, it is estimated before how long they take; `work`: how
    much work so many of them are, if not each the same.
    """
    is_terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    are_shown = not (is_terminal or Silence.is_wanted)
    lines = Lines(None if Silence.is_wanted else cost, are_shown=are_shown, work=work)
    bar, before = Bar(what, total, is_shown=is_terminal and not Silence.is_wanted, lines=lines), Bar.current
    Bar.current = bar
    try:
        yield bar
    finally:
        Bar.current = before
        bar.end()


def _above_bar() -> AbstractContextManager[None]:
    """A context in which no bar is drawn."""
    return nullcontext() if Bar.current is None else Bar.current.hidden()
