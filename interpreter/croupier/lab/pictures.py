"""Drawings as SVG: marks of our own, which take their colours from the page, and a table behind each.

A picture is a `figure` with a caption, the drawing, and a table of the same numbers, folded away. Whatever a ruleset's author wrote is escaped here.
Colours are classes of the page's style, so that they follow light, dark and paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil

from croupier.lab.statistics import Estimate

WIDTH, ROW, LEFT, RIGHT = 640, 26, 320, 60
HEIGHT = 220
LONGEST, SIGN = 42, 7.2  # signs of a name, and how wide one is
NAMED = 10  # dots with names


def text(value: object) -> str:
    """Something as text of a page."""
    return escape(str(value), quote=True)


def table(headings: Sequence[str], lines: Sequence[Sequence[object]], caption: str = "") -> str:
    """A table; its first column names the rows."""
    head = "".join(f'<th scope="col">{text(heading)}</th>' for heading in headings)
    body = "".join(f'<tr><th scope="row">{text(line[0])}</th>' + "".join(f"<td>{text(cell)}</td>" for cell in line[1:]) + "</tr>" for line in lines)
    title = f"<caption>{text(caption)}</caption>" if caption else ""
    return f'<div class="wide"><table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def figure(caption: str, drawing: str, numbers: str) -> str:
    """A drawing with its caption and its numbers."""
    return f'<figure><figcaption>{text(caption)}</figcaption><div class="wide">{drawing}</div>{folded(numbers)}</figure>'


def folded(numbers: str) -> str:
    """Numbers that are shown when somebody asks for them."""
    return f"<details><summary>The numbers</summary>{numbers}</details>"


def number(value: float) -> str:
    """A number, short."""
    if abs(value) == float("inf"):
        return "?"
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"


def percent(value: float) -> str:
    """A share."""
    return f"{value:.1%}"


def forest(
    rows: Sequence[tuple[str, Estimate]], low: float, high: float, label: str, *, mark: float | None = None, share: bool = True,
    others: Sequence[Estimate] = (),
) -> str:
    """Estimates below one another, each with its interval as a line; `mark` is where a vertical line stands, `others` are rings beside the dots."""
    shown = percent if share else number
    height = ROW * len(rows) + 40
    left = min(LEFT, max(90, SIGN * max((len(name) for name, _ in rows), default=0) + 16))

    def x(value: float) -> float:
        inside = min(max(value, low), high)
        return left + (WIDTH - left - RIGHT) * (inside - low) / (high - low if high > low else 1)

    parts = [_open(height, label)]
    if mark is not None:
        parts.append(f'<line class="mark" x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="4" y2="{height - 30}"/>')
    for at, (name, found) in enumerate(rows):
        y = ROW * at + ROW / 2 + 4
        parts.append(f'<text x="{left - 10}" y="{y + 4:.1f}" text-anchor="end">{text(_short(name, LONGEST))}</text>')
        parts.append(f'<line class="line" x1="{x(found.low):.1f}" x2="{x(found.high):.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<circle class="dot" cx="{x(found.value):.1f}" cy="{y:.1f}" r="4.5"/>')
        if at < len(others) and others[at].n:
            parts.append(f'<circle class="ring" cx="{x(others[at].value):.1f}" cy="{y:.1f}" r="4.5"/>')
        parts.append(f'<text class="small" x="{WIDTH - RIGHT + 8}" y="{y + 4:.1f}">{text(shown(found.value))}</text>')
    parts += _axis(left, low, high, height - 24, shown)
    return "".join(parts) + "</svg>"


def histogram(series: Sequence[tuple[str, Sequence[float]]], label: str) -> str:
    """One or two distributions laid over each other, as shares of games."""
    values = [value for _, found in series for value in found]
    if not values:
        return ""
    low, high = min(values), max(values)
    whole = all(value == int(value) for value in values)
    most = min(30, ceil(2 * len(values) ** (1 / 3)))  # bars: Rice's rule
    width = max(1.0, -(-(high - low + 1) // most)) if whole else (high - low) / most or 1.0
    count = int((high - low) / width) + 1
    shares = []
    for _, found in series:
        counted = [0] * count
        for value in found:
            counted[min(count - 1, int((value - low) / width))] += 1
        shares.append([n / len(found) for n in counted])
    top = max(max(bins) for bins in shares)
    left, bottom, step = 60, HEIGHT - 30, (WIDTH - 80) / count
    parts = [_open(HEIGHT, label)]
    for number_of, bins in enumerate(shares):
        for at, part in enumerate(bins):
            tall, wide = (bottom - 24) * part / top, max(1.0, step - 1)
            place = f'x="{left + at * step:.1f}" y="{bottom - tall:.1f}" width="{wide:.1f}" height="{tall:.1f}"'
            parts.append(f'<rect class="bar{number_of + 1}" {place}/>')
    for number_of, (name, _) in enumerate(series):
        if len(series) > 1:
            parts.append(f'<rect class="bar{number_of + 1}" x="{left + 200 * number_of}" y="2" width="12" height="12"/>')
            parts.append(f'<text x="{left + 18 + 200 * number_of}" y="13">{text(_short(name))}</text>')
    parts.append(f'<line class="axis" x1="{left}" x2="{WIDTH - 20}" y1="{bottom}" y2="{bottom}"/>')
    for at in sorted({0, count // 2, count - 1}):
        first, last = low + at * width, low + (at + 1) * width - (1 if whole else 0)
        shown = number(first) if first == last else f"{number(first)} to {number(last)}"
        parts.append(f'<text class="small" x="{left + (at + 0.5) * step:.1f}" y="{bottom + 18}" text-anchor="middle">{text(shown)}</text>')
    parts.append(f'<text class="small" x="{left - 6}" y="{24 + 8}" text-anchor="end">{text(percent(top))}</text>')
    return "".join(parts) + "</svg>"


def curves(series: Sequence[tuple[str, Sequence[float]]], label: str, *, band: float = 0.0) -> str:
    """Lines from the beginning of a game, on the left, to its end; from 0 to 1; `band` is how far the truth may lie from the first one."""
    left, bottom = 50, HEIGHT - 30
    parts = [_open(HEIGHT, label)]
    for tall in (0, 0.5, 1):
        y = bottom - tall * (bottom - 30)
        parts.append(f'<line class="grid" x1="{left}" x2="{WIDTH - 20}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="small" x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{tall:.0%}</text>')
    for at, (name, values) in enumerate(series):
        if len(values) > 1:
            upper, points, lower = (
                [
                    f"{left + (WIDTH - left - 20) * i / (len(values) - 1):.1f},{bottom - min(1, max(0, value + off)) * (bottom - 30):.1f}"
                    for i, value in enumerate(values)
                ]
                for off in (band, 0, -band)
            )
            if band and not at:
                parts.append(f'<polygon class="ribbon" points="{" ".join([*upper, *reversed(lower)])}"/>')
            parts.append(f'<polyline class="curve{at % 6 + 1}" points="{" ".join(points)}"/>')
        parts.append(f'<text class="name{at % 6 + 1}" x="{left + 95 * at}" y="14">{text(_short(name))}</text>')
    parts.append(f'<text class="small" x="{left}" y="{bottom + 18}">beginning</text>')
    parts.append(f'<text class="small" x="{WIDTH - 20}" y="{bottom + 18}" text-anchor="end">end</text>')
    return "".join(parts) + "</svg>"


def ribbon(points: Sequence[tuple[str, Estimate]], label: str, *, mark: float | None = None, share: bool = True) -> str:
    """Estimates from left to right, joined by a line, their intervals as a ribbon; at their numbers where all are numbers; `mark` is a level."""
    shown = percent if share else number
    ends = [end for _, found in points for end in (found.low, found.high) if abs(end) < float("inf")] + ([] if mark is None else [mark])
    low, high = (0.0, 1.0) if share else (min(ends, default=0.0), max(ends, default=1.0))
    high = high if high > low else low + 1
    left, right, bottom, top = 70, WIDTH - 20, HEIGHT - 30, 14
    try:
        at = [float(name) for name, _ in points]
    except ValueError:
        at = [float(k) for k in range(len(points))]
    first, width = min(at), max(at) - min(at) or 1.0
    across = [left + 14 + (right - left - 28) * (value - first) / width for value in at]

    def y(value: float) -> float:
        return bottom - (bottom - top) * (min(max(value, low), high) - low) / (high - low)

    parts = [_open(HEIGHT, label)]
    for part in (0, 0.5, 1):
        level = low + part * (high - low)
        parts.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y(level):.1f}" y2="{y(level):.1f}"/>')
        parts.append(f'<text class="small" x="{left - 8}" y="{y(level) + 4:.1f}" text-anchor="end">{text(shown(level))}</text>')
    upper = [f"{x:.1f},{y(found.high):.1f}" for x, (_, found) in zip(across, points, strict=True)]
    lower = [f"{x:.1f},{y(found.low):.1f}" for x, (_, found) in zip(across, points, strict=True)]
    parts.append(f'<polygon class="ribbon" points="{" ".join([*upper, *reversed(lower)])}"/>')
    if mark is not None:
        parts.append(f'<line class="mark" x1="{left}" x2="{right}" y1="{y(mark):.1f}" y2="{y(mark):.1f}"/>')
    line = " ".join(f"{x:.1f},{y(found.value):.1f}" for x, (_, found) in zip(across, points, strict=True))
    parts.append(f'<polyline class="curve1" points="{line}"/>')
    each = -(-len(points) // 12)
    for k, (x, (name, found)) in enumerate(zip(across, points, strict=True)):
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y(found.value):.1f}" r="3.5"/>')
        if k % each == 0:
            parts.append(f'<text class="small" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{text(_short(name))}</text>')
    return "".join(parts) + "</svg>"


def scatter(points: Sequence[tuple[str, float, float, int]], label: str) -> str:
    """Dots: a name or none, a share from left to right, a difference of shares upwards, and of how many; a larger dot is of more."""
    left, right, bottom, top = 60, WIDTH - 20, 1.4 * HEIGHT - 30, 14
    widest = max(abs(up) for _, _, up, _ in points) or 1.0
    most = max(count for *_, count in points)

    def y(up: float) -> float:
        return bottom - (bottom - top) * (up / widest + 1) / 2

    parts = [_open(bottom + 30, label)]
    for level in (-widest, 0.0, widest):
        parts.append(f'<line class="{"grid" if level else "mark"}" x1="{left}" x2="{right}" y1="{y(level):.1f}" y2="{y(level):.1f}"/>')
        parts.append(f'<text class="small" x="{left - 8}" y="{y(level) + 4:.1f}" text-anchor="end">{level:{"+" if level else ""}.0%}</text>')
    for share in (0, 0.5, 1):
        parts.append(f'<text class="small" x="{left + share * (right - left):.1f}" y="{bottom + 20:.0f}" text-anchor="middle">{share:.0%}</text>')
    placed: list[tuple[float, float]] = []
    for name, across, up, count in sorted(points, key=lambda point: -abs(point[2])):
        x, size = left + across * (right - left), 2.5 + 3 * (count / most) ** 0.5
        parts.append(f'<circle class="{"dot" if name else "faint"}" cx="{x:.1f}" cy="{y(up):.1f}" r="{size:.1f}"/>')
        if name and len(placed) < NAMED and all(abs(y(up) - b) > 14 or abs(x - a) > 260 for a, b in placed):
            placed.append((x, y(up)))
            side = 'text-anchor="end" x' if across > 0.5 else "x"
            parts.append(f'<text class="small" {side}="{x + (-8 if across > 0.5 else 8):.1f}" y="{y(up) + 4:.1f}">{text(_short(name))}</text>')
    return "".join(parts) + "</svg>"


def _open(height: float, label: str) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{text(label)}" xmlns="http://www.w3.org/2000/svg">'


def _axis(left: float, low: float, high: float, y: float, shown: object) -> list[str]:
    assert callable(shown)
    parts = [f'<line class="axis" x1="{left}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>']
    for part in (0, 0.5, 1):
        x = left + part * (WIDTH - left - RIGHT)
        parts.append(f'<text class="small" x="{x:.1f}" y="{y + 18}" text-anchor="middle">{text(shown(low + part * (high - low)))}</text>')
    return parts


def _short(name: str, longest: int = 29) -> str:
    """A name that fits, with its beginning and its end: those of options often differ there."""
    return name if len(name) <= longest else f"{name[: longest // 2]}…{name[-(longest // 2) :]}"


__all__ = ["curves", "figure", "folded", "forest", "histogram", "number", "percent", "ribbon", "scatter", "table", "text"]
