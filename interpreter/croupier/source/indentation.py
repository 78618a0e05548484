"""The beginning of a line, compared with the lines around it: the mistakes of a line that is out of line.

What comes in: a file and the number of a line that fits none of the blocks around it. What goes out: a
sentence with numbers of spaces, labels at the lines to compare with, and what to write. Which line is out of
line is found elsewhere (`yaml_errors`, and `syntax/mistakes.py` for rule text).
"""

from __future__ import annotations

from croupier.diagnostics import Label, Source
from croupier.records import dataclass

MOST_LINES = 200  # lines above and below that are looked at


@dataclass(frozen=True)
class OutOfLine:
    """A line that begins in the wrong column: the problem (a clause), labels at what it is compared with, and
    what to write.
    """

    problem: str
    labels: tuple[Label, ...]
    help: str


def out_of_line(source: Source, number: int) -> OutOfLine:
    """Compare a line, counted from 1, with the blocks that are open above it, and with the line below it."""
    here = indent_of(source.line(number))
    above = _open_above(source, number)
    right = [at for at in above if indent_of(source.line(at)) > here]
    left = [at for at in above if indent_of(source.line(at)) < here]
    if not right and not left:
        return OutOfLine(
            "this line does not go with the lines above it",
            (),
            "write it like the lines that it goes with, and in their column",
        )
    if not right:
        return _beside(source, number, left[0], "the line above")
    if not left:
        return _beside(source, number, right[-1], "the lines that it goes with")
    nearest = (right[-1], left[0])
    below = _below(source, number)
    if below is not None and indent_of(source.line(below)) == indent_of(source.line(right[-1])):
        return _beside(source, number, right[-1], "the lines beside it")
    columns = sorted(indent_of(source.line(at)) for at in nearest)
    labels = tuple(_label(source, at, f"{_spaces(indent_of(source.line(at)))} here") for at in nearest)
    help = f"give it as many spaces as the line that it goes with: {columns[0]} or {columns[1]}"
    return OutOfLine(f"this line begins between two others: after {_spaces(here)}", labels, help)


def beside_the_lines_below(source: Source, number: int, below: int) -> OutOfLine:
    """Compare the first line of a block with the other lines of it, which begin in another column."""
    return _beside(source, number, below, "the lines below it")


def indent_of(line: str) -> int:
    """Return the number of blanks before the first other character."""
    return len(line) - len(line.lstrip())


def _beside(source: Source, number: int, other: int, called: str) -> OutOfLine:
    """A line that should begin where another one does."""
    here, there = indent_of(source.line(number)), indent_of(source.line(other))
    apart = abs(here - there)
    where, change = ("right", "take away") if here > there else ("left", "add")
    problem = f"this line begins {_spaces(apart)} further {where} than {called}"
    return OutOfLine(
        problem,
        (_label(source, other, f"this begins after {_spaces(there)}"),),
        f"{change} {_spaces(apart)} at its beginning",
    )


def _open_above(source: Source, number: int) -> list[int]:
    """The lines above to which a line may belong: the nearest, and further up whatever begins further to the
    left; the innermost first.
    """
    found: list[int] = []
    for at in range(number - 1, max(0, number - MOST_LINES), -1):
        line = source.line(at)
        if (
            line.strip()
            and not line.lstrip().startswith("#")
            and (not found or indent_of(line) < indent_of(source.line(found[-1])))
        ):
            found.append(at)
    return found


def _below(source: Source, number: int) -> int | None:
    """The next line that stands beside a line, or around it; `None` if there is none nearby, or if what
    belongs to the line comes first.
    """
    for at in range(number + 1, min(source.line_count, number + MOST_LINES) + 1):
        line = source.line(at)
        if line.strip() and not line.lstrip().startswith("#"):
            return None if source.line(number).rstrip().endswith((":", "|")) else at
    return None


def _label(source: Source, number: int, text: str) -> Label:
    start = source.line_start(number) + indent_of(source.line(number))
    return Label(source.span(start, source.line_start(number) + len(source.line(number).rstrip())), text)


def _spaces(count: int) -> str:
    return "1 space" if count == 1 else f"{count or 'no'} spaces"
