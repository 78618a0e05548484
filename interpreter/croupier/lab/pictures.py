"""Drawings as SVG: marks of our own, which take their colours from the page, and a table behind each.

A picture is a `figure` with a caption, the drawing, and a table of the same numbers, folded away. Whatever a
ruleset's author wrote is escaped here. Colours are classes of the page's style, so that they follow light,
dark and paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from math import ceil

from croupier.lab.statistics import Estimate

WIDTH, ROW, LEFT, RIGHT = 640, 26, 320, 60
HEIGHT = 220
LONGEST, SIGN, SMALL = 42, 7.2, 6.2  # signs of a name, and how wide one is, and a small one
NAMED = 10  # dots with names
_MOST_DIGITS = 9  # behind the point, of an end of an interval
BELOW = 48  # room for the signs and the name of an axis


def text(value: object) -> str:
    """Something as text of a page."""
    return escape(str(value), quote=True)


def table(
    headings: Sequence[str], lines: Sequence[Sequence[object]], caption: str = "", *, has_words: bool = False
) -> str:
    """A table; its first column names the rows, and its last one may hold words."""
    marks = ["" for _ in headings[1:]]
    if has_words:
        marks[-1] = ' class="words"'
    head = "".join(
        f'<th scope="col"{mark}>{text(heading)}</th>'
        for heading, mark in zip(headings, ["", *marks], strict=True)
    )
    cells = [
        "".join(f"<td{mark}>{text(cell)}</td>" for cell, mark in zip(line[1:], marks, strict=True))
        for line in lines
    ]
    body = "".join(
        f'<tr><th scope="row">{text(line[0])}</th>{rest}</tr>'
        for line, rest in zip(lines, cells, strict=True)
    )
    title = f"<caption>{text(caption)}</caption>" if caption else ""
    return (
        f'<div class="wide"><table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def figure(caption: str, drawing: str, numbers: str) -> str:
    """A drawing with its caption and its numbers."""
    return (
        f"<figure><figcaption>{text(caption)}</figcaption><div "
        f'class="wide">{drawing}</div>{folded(numbers)}</figure>'
    )


def folded(numbers: str) -> str:
    """Numbers that are shown when somebody asks for them."""
    return f"<details><summary>The numbers</summary>{numbers}</details>"


def number(value: float) -> str:
    """A number, short."""
    if abs(value) == float("inf"):
        return "?"
    return f"{value + 0.0:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"


def percent(value: float) -> str:
    """A share; never one of “-0.0%”."""
    return f"{value if abs(value) >= 0.0005 else 0.0:.1%}"


def span(low: float, high: float, show: Callable[[float], str], unit: float = 1.0, sign: str = "") -> str:
    """Two ends as `show` writes them, or with as many digits as tell them apart: `10.41 to 10.42`.

    Then they are written in `unit`s, followed by `sign`: 0.01 and `%` for shares.
    """
    first, last, digits = show(low), show(high), 0
    while first == last and low != high and digits < _MOST_DIGITS:
        digits += 1
        first, last = (f"{end / unit:,.{digits}f}{sign}" for end in (low, high))
    return f"{first} to {last}"


def interval_words(
    found: Estimate, show: Callable[[float], str], equal: str, unknown: str, *, share: bool = False
) -> str:
    """An interval, its ends as `show` writes them; where there is none, the words `equal` if games do not
    differ, or `unknown` if nothing is known yet.
    """
    if found.is_of_equals:
        return equal
    if not found.is_known:
        return unknown
    if share:
        return span(found.low, found.high, show, 0.01, "%")
    return span(found.low, found.high, show)


def _level(value: float) -> str:
    """A share at an axis: whole where it is."""
    return f"{value + 0.0:.0%}" if abs(100 * value - round(100 * value)) < 1e-6 else percent(value)


def forest(
    rows: Sequence[tuple[str, Estimate]],
    low: float,
    high: float,
    label: str,
    *,
    mark: float | None = None,
    across: str = "",
    others: Sequence[Estimate] = (),
) -> str:
    """Shares below one another, each with its interval as a line; `mark` is where a vertical line stands,
    `others` are rings beside the dots.

    `across` is what the axis is called.
    """
    height = ROW * len(rows) + BELOW + 8
    names = [_lines(name) for name, _ in rows]
    left = min(LEFT, max(90, max((SIGN * len(line) for lines in names for line in lines), default=0) + 16))

    def x(value: float) -> float:
        inside = min(max(value, low), high)
        return left + (WIDTH - left - RIGHT) * (inside - low) / (high - low if high > low else 1)

    parts = [_open(height, label)]
    for part in (0, 0.5, 1):
        at_axis = left + part * (WIDTH - left - RIGHT)
        parts.append(
            f'<line class="grid" x1="{at_axis:.1f}" x2="{at_axis:.1f}" y1="4" y2="{height - BELOW}"/>'
        )
        parts.append(_below(_level(low + part * (high - low)), at_axis, height - BELOW + 18))
    if mark is not None:
        parts.append(
            f'<line class="mark" x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="4" y2="{height - BELOW}"/>'
        )
    for at, (name, found) in enumerate(rows):
        y = ROW * at + ROW / 2 + 4
        parts.append(_row_name(name, names[at], left - 10, y + 4))
        parts.append(
            f'<line class="line" x1="{x(found.low):.1f}" x2="{x(found.high):.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )
        parts.append(f'<circle class="dot" cx="{x(found.value):.1f}" cy="{y:.1f}" r="4.5"/>')
        if at < len(others) and others[at].n:
            parts.append(f'<circle class="ring" cx="{x(others[at].value):.1f}" cy="{y:.1f}" r="4.5"/>')
        parts.append(
            f'<text class="small" x="{WIDTH - RIGHT + 8}" y="{y + 4:.1f}">{text(percent(found.value))}</text>'
        )
    parts.append(_name(across, (left + WIDTH - RIGHT) / 2, height - BELOW + 36, "middle"))
    return "".join(parts) + "</svg>"


def histogram(
    series: Sequence[tuple[str, Iterable[float] | Mapping[float, int]]], label: str, across: str = ""
) -> str:
    """One or two distributions laid over each other, as shares of games: numbers, or how often each occurred;
    `across` is what is counted.
    """
    counts = [Counter[float](found) for _, found in series]
    if not any(counts):
        return ""
    bars, *shares = shares_by_bar(*counts)
    highest = max(max(bins) for bins in shares)
    left, top, bottom, step = 60, 26 + 20 * (len(series) > 1), HEIGHT - BELOW, (WIDTH - 80) / len(bars)
    parts = [_open(HEIGHT, label), _name("share of the games", 4, 12)]
    for part in (0, 0.5, 1):
        y = bottom - part * (bottom - top)
        parts.append(_across(left, WIDTH - 20, y, _level(part * highest), gap=6))
    for number_of, bins in enumerate(shares):
        for at, part in enumerate(bins):
            tall, wide = (bottom - top) * part / highest, max(1.0, step - 1)
            place = (
                f'x="{left + at * step:.1f}" y="{bottom - tall:.1f}" width="{wide:.1f}" height="{tall:.1f}"'
            )
            parts.append(f'<rect class="bar{number_of + 1}" {place}/>')
    for number_of, (name, _) in enumerate(series):
        if len(series) > 1:
            corner = left + number_of * (WIDTH - left) // 2
            parts.append(f'<rect class="bar{number_of + 1}" x="{corner}" y="20" width="12" height="12"/>')
            parts.append(f'<text x="{corner + 18}" y="31">{text(_short(name))}</text>')
    each = ceil((SMALL * max(map(len, bars)) + 10) / step)  # one bar of so many is named
    for at in range(0, len(bars), each):
        here = max(left + SMALL * len(bars[at]) / 2, left + (at + 0.5) * step)
        parts.append(_below(bars[at], here, bottom + 18))
    parts.append(_name(across, (left + WIDTH - 20) / 2, bottom + 36, "middle"))
    return "".join(parts) + "</svg>"


def shares_by_bar(
    *series: Mapping[float, int] | Mapping[int, int],
) -> tuple[list[str], *tuple[list[float], ...]]:
    """The names of the bars of a histogram, and for each distribution, of how often each number occurred,
    what share of it a bar has.
    """
    values = [value for counted in series for value in counted]
    low, high = min(values), max(values)
    whole = all(value == int(value) for value in values)
    most = min(30, ceil(2 * sum(sum(counted.values()) for counted in series) ** (1 / 3)))  # bars: Rice's rule
    width = max(1.0, -(-(high - low + 1) // most)) if whole else (high - low) / most or 1.0
    count = int((high - low) / width) + 1
    shares = [[0.0] * count for _ in series]
    for bins, counted in zip(shares, series, strict=True):
        for value, times in counted.items():
            bins[min(count - 1, int((value - low) / width))] += times / sum(counted.values())
    ends = [(low + at * width, low + (at + 1) * width - (1 if whole else 0)) for at in range(count)]
    return [
        number(first) if first == last else f"{number(first)} to {number(last)}" for first, last in ends
    ], *shares


def rising(values: Sequence[float], label: str, upwards: str, *, band: float = 0.0) -> str:
    """A line from the beginning of a game, on the left, to its end; from 0 to 1; `band` is how far the truth
    may lie from it.
    """
    left, top, bottom = 50, 26, HEIGHT - BELOW
    parts = [_open(HEIGHT, label), _name(upwards, 4, 12)]
    for tall in (0, 0.5, 1):
        parts.append(_across(left, WIDTH - 20, bottom - tall * (bottom - top), f"{tall:.0%}"))
    if len(values) > 1:

        def curve(offset: float) -> list[str]:
            """Return the points of the values moved up by `offset`."""
            step = (WIDTH - left - 20) / (len(values) - 1)
            return [
                f"{left + step * i:.1f},{bottom - min(1, max(0, value + offset)) * (bottom - top):.1f}"
                for i, value in enumerate(values)
            ]

        points = curve(0)
        if band:
            upper, lower = curve(band), curve(-band)
            parts.append(f'<polygon class="ribbon" points="{" ".join([*upper, *reversed(lower)])}"/>')
        parts.append(f'<polyline class="curve" points="{" ".join(points)}"/>')
    for part, name, anchor in ((0, "beginning", "start"), (0.5, "half-way", "middle"), (1, "end", "end")):
        parts.append(_below(name, left + part * (WIDTH - left - 20), bottom + 18, anchor))
    parts.append(_name("how much of the game is over", (left + WIDTH - 20) / 2, bottom + 36, "middle"))
    return "".join(parts) + "</svg>"


def ribbon(
    points: Sequence[tuple[str, Estimate]],
    label: str,
    across: str,
    upwards: str,
    *,
    mark: float | None = None,
    share: bool = True,
) -> str:
    """Estimates from left to right, joined by a line, their intervals as a ribbon; at their numbers where all
    are numbers; `mark` is the target.

    `across` and `upwards` are what the axes are called.
    """
    shown = percent if share else number
    spans = [(found.low, found.high) if found.is_known else (found.value, found.value) for _, found in points]
    ends = [end for span in spans for end in span] + ([] if mark is None else [mark])
    low, high = (0.0, 1.0) if share else (min(ends, default=0.0), max(ends, default=1.0))
    high = high if high > low else low + 1
    left, right, bottom, top = 70, WIDTH - 20, HEIGHT - BELOW, 26
    try:
        at = [float(name) for name, _ in points]
    except ValueError:
        at = [float(k) for k in range(len(points))]
    first, width = min(at), max(at) - min(at) or 1.0
    places = [left + 14 + (right - left - 28) * (value - first) / width for value in at]

    def y(value: float) -> float:
        return bottom - (bottom - top) * (min(max(value, low), high) - low) / (high - low)

    parts = [
        _open(HEIGHT, label),
        _name(upwards, 4, 12),
        _name(across, (left + right) / 2, bottom + 36, "middle"),
    ]
    for part in (0, 0.5, 1):
        level = low + part * (high - low)
        parts.append(_across(left, right, y(level), shown(level)))
    upper = [f"{x:.1f},{y(most):.1f}" for x, (_, most) in zip(places, spans, strict=True)]
    lower = [f"{x:.1f},{y(least):.1f}" for x, (least, _) in zip(places, spans, strict=True)]
    parts.append(f'<polygon class="ribbon" points="{" ".join([*upper, *reversed(lower)])}"/>')
    if mark is not None:
        parts.append(f'<line class="mark" x1="{left}" x2="{right}" y1="{y(mark):.1f}" y2="{y(mark):.1f}"/>')
        parts.append(
            f'<text class="target" x="{right}" y="{y(mark) - 5:.1f}" text-anchor="end">target: '
            f"{text(shown(mark))}</text>"
        )
    line = " ".join(f"{x:.1f},{y(found.value):.1f}" for x, (_, found) in zip(places, points, strict=True))
    parts.append(f'<polyline class="curve" points="{line}"/>')
    each = -(-len(points) // 12)
    for k, (x, (name, found)) in enumerate(zip(places, points, strict=True)):
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y(found.value):.1f}" r="3.5"/>')
        if k % each == 0:
            parts.append(_below(_short(name), x, bottom + 18))
    return "".join(parts) + "</svg>"


def scatter(points: Sequence[tuple[str, float, float, int]], label: str, axes: tuple[str, str]) -> str:
    """Return a picture of dots, which are larger the more they count.

    Each of `points` is a name, which may be empty, a share from left to right, a difference of shares
    upwards, and a count. `axes` are the names of the axes, from left to right and upwards.
    """
    left, right, bottom, top = 60, WIDTH - 20, 1.4 * HEIGHT - BELOW, 26
    widest = max(abs(up) for _, _, up, _ in points) or 1.0
    most = max(count for *_, count in points)

    def y(up: float) -> float:
        return bottom - (bottom - top) * (up / widest + 1) / 2

    parts = [
        _open(bottom + BELOW, label),
        _name(axes[1], 4, 12),
        _name(axes[0], (left + right) / 2, bottom + 38, "middle"),
    ]
    for level in (-widest, 0.0, widest):
        words, kind = (f"{level:+.0%}", "grid") if level else (f"{level:.0%}", "mark")
        parts.append(_across(left, right, y(level), words, kind))
    for share in (0, 0.5, 1):
        parts.append(_below(f"{share:.0%}", left + share * (right - left), bottom + 20))
    placed: list[tuple[float, float]] = []
    for name, across, up, count in sorted(points, key=lambda point: -abs(point[2])):
        x, size = left + across * (right - left), 2.5 + 3 * (count / most) ** 0.5
        parts.append(
            f'<circle class="{"dot" if name else "faint"}" cx="{x:.1f}" cy="{y(up):.1f}" r="{size:.1f}"/>'
        )
        if name and len(placed) < NAMED and all(abs(y(up) - b) > 14 or abs(x - a) > 260 for a, b in placed):
            placed.append((x, y(up)))
            side = 'text-anchor="end" x' if across > 0.5 else "x"
            parts.append(
                f'<text class="small" {side}="{x + (-8 if across > 0.5 else 8):.1f}" '
                f'y="{y(up) + 4:.1f}">{text(_short(name))}</text>'
            )
    return "".join(parts) + "</svg>"


def _open(height: float, label: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{text(label)}" '
        f'xmlns="http://www.w3.org/2000/svg">'
    )


def _across(left: int, right: int, y: float, words: str, kind: str = "grid", *, gap: int = 8) -> str:
    """A line from left to right at some level, with its name in front."""
    return (
        f'<line class="{kind}" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text class="small" x="{left - gap}" y="{y + 4:.1f}" text-anchor="end">{text(words)}</text>'
    )


def _below(words: str, x: float, y: float, anchor: str = "middle") -> str:
    """A name below an axis."""
    return f'<text class="small" x="{x:.1f}" y="{y:.0f}" text-anchor="{anchor}">{text(words)}</text>'


def _name(words: str, x: float, y: float, anchor: str = "start") -> str:
    """Return the name of an axis as SVG."""
    if words:
        return f'<text class="small" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text(words)}</text>'
    return ""


def _lines(name: str) -> list[str]:
    """The name of a row, in one line or two."""
    if len(name) <= LONGEST:
        return [name]
    middle = min(
        (at for at, sign in enumerate(name) if sign == " "),
        key=lambda at: abs(at - len(name) // 2),
        default=len(name) // 2,
    )
    return [_short(half.strip(), LONGEST) for half in (name[:middle], name[middle:])]


def _row_name(name: str, lines: Sequence[str], x: float, y: float) -> str:
    """The name of a row, which ends at a place; a long one shows as a whole when it is pointed at."""
    if len(lines) == 1:
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="end">{text(name)}</text>'
    spans = "".join(
        f'<tspan x="{x:.1f}" y="{y - 6 + 11 * at:.1f}">{text(line)}</tspan>' for at, line in enumerate(lines)
    )
    return f'<text class="tight" text-anchor="end"><title>{text(name)}</title>{spans}</text>'


def _short(name: str, longest: int = 29) -> str:
    """A name that fits, with its beginning and its end: those of options often differ there."""
    return name if len(name) <= longest else f"{name[: longest // 2]}…{name[-(longest // 2) :]}"
