"""HTML pages of the answers to single questions: a comparison, a sweep, a ladder, what options and variants are worth.

Each says in words what was found, shows it, and has the numbers behind the picture; the frame is that of `report.py`: no network, no script.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.lab.ablate import Taken, Worth
from croupier.lab.compare import Comparison, Line
from croupier.lab.ladder import Ladder
from croupier.lab.pictures import figure, forest, number, percent, ribbon, table
from croupier.lab.report import ends_of, estimates, frame, said, section
from croupier.lab.statistics import Estimate
from croupier.lab.sweep import Sweep

SEQUENCES = (
    "Games were played by bots, so this is about how they play. The intervals of differences are confidence sequences: all of a table hold together,"
    " with 95 %, at all times at once, so one may watch and stop."
)
SINGLE = (
    "Games were played by bots, so this is about how they play. Each 95 % interval holds for itself: Wilson's for a share, the normal one for a mean."
)


def compared(found: Comparison, a: str, b: str, facts: Sequence[str], made: str) -> str:
    """Two rulesets or bots beside each other."""
    shares = [line for line in found.lines if line.is_share]
    rest = table(("measure", a, b, "difference", "interval", "verdict"), [_cells(line, b) for line in found.lines])
    widest = max((max(abs(line.difference.low), abs(line.difference.high)) for line in shares), default=0.0)
    drawing = forest([(line.name, line.difference) for line in shares], -widest, widest, "differences of shares of games, with intervals", mark=0.0)
    caption = f"{b} less {a}, shares of games; the dashed line is no difference"
    numbers = table(("share", "difference", "interval"), [(x.name, *_share(x.difference)) for x in shares])
    picture = figure(caption, drawing, numbers) if widest else ""
    words = said(found, a, b) if found.kind == "rules" else " ".join(f"{line.name}: {line.verdict(b)}." for line in found.lines)
    return frame(f"{a} and {b}", [f"{found.pairs:,} pairs", *facts], [section("What differs", words, rest + picture)], SEQUENCES, made)


def _cells(line: Line, b: str) -> tuple[str, ...]:
    shown = percent if line.is_share else number
    found = line.difference
    return line.name, shown(line.a.mean), shown(line.b.mean), shown(found.value), ends_of(found, line.is_share), line.verdict(b)


def _share(found: Estimate) -> tuple[str, str]:
    return percent(found.value), ends_of(found)


def swept(found: Sweep, title: str, facts: Sequence[str], made: str) -> str:
    """A parameter over its values, as a curve with a ribbon; several, as a table."""
    points = [(", ".join(point.values), point.estimate) for point in found.points]
    aim = found.target
    shown = percent if found.is_share else number
    words = ""
    if aim is not None:
        near = ", ".join(f"{place:.2f}" for place in found.crossings)
        crossing = f"{found.measure} meets {shown(aim.value)} near {found.names[0]} = {near}. " if near else ""
        fitting = "; ".join(", ".join(point.values) for point in found.fitting)
        words = f"{crossing}The values whose intervals hold {shown(aim.value)}: {fitting or 'none'}."
    label = f"{found.measure} by {', '.join(found.names)}"
    drawing = ribbon(points, label, mark=None if aim is None else aim.value, share=found.is_share) if points else ""
    numbers = estimates(points, shares=found.is_share)
    body = figure(label, drawing, numbers) if len(found.names) == 1 and drawing else numbers
    return frame(title, facts, [section(label, words, body)], SINGLE, made)


def climbed(found: Ladder, title: str, facts: Sequence[str], made: str) -> str:
    """How much thinking helps."""
    rungs = [(f"{rung.upper} against {rung.lower}", rung.wins) for rung in found.rungs]
    equal = found.rungs[0].equal if found.rungs else 0.5
    words = f"More thought helps up to {found.top}." if found.top else "Not even the first bot that thinks was found to be better than a random one."
    drawing = forest(rungs, 0, 1, "wins, with intervals", mark=equal)
    body = figure("Wins of the bot that thinks more; the dashed line is an equal", drawing, estimates(rungs))
    paid = [(f"{rung.upper} against {rung.lower}", rung.paid) for rung in found.rungs if rung.paid]
    note = "Each game, more than all on average. Whether it helps is said by this."
    more = section("What it is paid", note, estimates(paid, shares=False)) if paid else ""
    ratings = [(bot, f"{mu:.1f}", f"{mu - 2 * sigma:.1f} to {mu + 2 * sigma:.1f}") for bot, (mu, sigma) in found.ratings.items()]
    rated = section("Ratings", "OpenSkill's; two deviations to each side.", table(("bot", "rating", "interval"), ratings)) if ratings else ""
    return frame(title, facts, [section("Who wins", words, body), more, rated], SINGLE, made)


def weighed(options: Sequence[Taken], worths: Sequence[Worth], title: str, facts: Sequence[str], made: str) -> str:
    """What options are worth: forbidden to one player, and, which proves nothing, who wins with them."""
    rows = [(one.words, one.estimate) for one in worths]
    widest = max((max(abs(found.low), abs(found.high)) for _, found in rows), default=0.1)
    matter = [f"“{one.words}” ({percent(one.estimate.value)})" for one in worths if one.estimate.excludes_zero]
    words = f"Whoever never takes it wins less or more: {', '.join(matter)}." if matter else "No option was found to be worth anything."
    drawing = forest(rows, -widest, widest, "what options are worth, with intervals", mark=0.0)
    worth = figure("Worth: the share of the wins that a player lacks who never takes it", drawing, estimates(rows))
    lines = [(x.words, percent(x.taken / x.offered), percent(x.wins_taken.value), ends_of(x.wins_taken), percent(x.wins_left.value)) for x in options]
    offered = table(("option", "taken", "wins if taken", "95 % interval", "wins if not"), lines)
    note = "This proves nothing of what an option is worth: it may be there for whoever is ahead."
    sections = [section("What an option is worth", words, worth), section("Who takes it", note, offered)]
    return frame(title, facts, sections, f"{SINGLE} {SEQUENCES}", made)


def varied(found: Sequence[tuple[str, Comparison]], title: str, facts: Sequence[str], made: str) -> str:
    """What each variant changes."""
    sections = []
    for name, one in found:
        lines = [_cells(line, "the variant") for line in one.lines]
        sections.append(section(name, said(one, title, name), table(("measure", "without", "with", "difference", "interval", "verdict"), lines)))
    return frame(title, facts, sections, SEQUENCES, made)


__all__ = ["climbed", "compared", "swept", "varied", "weighed"]
