"""HTML pages with the answer to a single question.

The questions are a comparison, a sweep, a ladder, what options and variants are worth. In comes what was
measured; out comes a page in the frame of `page_frame.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from croupier.lab.compare import Comparison
from croupier.lab.ladder import Ladder
from croupier.lab.names import of_player
from croupier.lab.option_worth import OptionUse, OptionWorth
from croupier.lab.page_frame import estimates, frame, interval_text, section
from croupier.lab.pictures import figure, forest, histogram, number, percent, ribbon, shares_by_bar, table
from croupier.lab.report import (
    AT_ONCE,
    HUNDREDS,
    INTERVAL,
    MOST,
    SHOWN,
    USE,
    beside_equals,
    shares_of_wins,
    sides,
    summarise,
    unseen,
    use_cells,
)
from croupier.lab.statistics import Estimate, mean, share
from croupier.lab.sweep import Sweep, target_words
from croupier.play.summary import SimulationSummary

BOTS = "Games were played by bots, so this is about how they play."
SEQUENCES = (
    "The intervals of differences are confidence sequences: all of a table hold together, with 95 %, "
    "at all times at once, so one may watch and stop."
)
TESTS = (
    "The number of games was planned. The intervals of differences hold together, with 95 %; what is said in "
    "words goes by tests for paired games, corrected for the number of measures (Holm)."
)
SINGLE = (
    "Each 95 % interval holds for itself: Wilson's for a share, the normal one, corrected for skewness, for "
    "a mean."
)


def simulate_page(
    found: SimulationSummary,
    by: str,
    measured: Mapping[str, Sequence[float]],
    title: str,
    facts: Sequence[str],
    made: str,
    part: str = "",
) -> str:
    """Many games: who wins, by seat, by turn order and `by` an expression, how games end, how long they are,
    and the values of measures.
    """
    tally, finished = found.tally, found.tally.finished
    lost = [(f"game {game.game}", game.status, game.reason or "") for game in found.problems[:MOST]]
    words = (
        f"Of {found.games:,} games {len(found.problems):,} count only in how long it takes; see `croupier "
        f"run --seed {found.seed} --game N`. "
        f"Who wins and how games end is told of the {finished:,} finished games."
    )
    if lost:
        sections = [
            section("What did not finish", words, table(("", "status", "reason"), lost, has_words=True))
        ]
    else:
        sections = []
    if finished:
        places = [float(tally.wins_at(place)[2]) for place in range(found.players)] if found.places else []
        won = finished - found.nobody
        sections.append(
            shares_of_wins(
                [float(tally.wins(seat)[2]) for seat in range(found.players)], places, won, finished
            )
        )
    groups = [
        (
            one.value if one.seat is None else f"{one.value}: player {one.seat + 1}",
            Estimate(
                one.win_rate,
                *one.interval,
                one.count,
                "Wilson, clustered by game" if one.seat is None else "Wilson",
            ),
        )
        for one in found.groups[:MOST]
    ]
    if groups:
        if found.groups[0].seat is None:
            of = "players with this value who win"
        else:
            of = "games with this value that the player wins"
        if len(found.groups) > MOST:
            more = f" {len(found.groups) - MOST:,} more values: --format json has all."
        else:
            more = ""
        drawing = forest(groups, 0.0, 1.0, f"wins by {by}, with intervals", across=f"share of the {of}")
        sections.append(
            section(
                f"Wins by {by}", "", figure(f"{INTERVAL}{more}", drawing, estimates(groups, heading="value"))
            )
        )
    if found.grades:
        grades = [
            ("(without)" if one.grade is None else one.grade, share(one.games, finished))
            for one in found.grades[:MOST]
        ]
        across = "share of the finished games" if lost else "share of the games"
        drawing = forest(grades[:SHOWN], 0.0, 1.0, "how games end, with intervals", across=across)
        sections.append(
            section(
                "How games end", "", figure(INTERVAL, drawing, estimates(grades, heading="words at the end"))
            )
        )
    scores = [(of_player("score", seat), counted) for seat, counted in enumerate(tally.scores)]
    sections.append(values_of("What they score", scores))
    sections.append(
        values_of(
            "How long it takes", [("decisions", tally.decisions), ("chance events", tally.chance_events)]
        )
    )
    sections.append(
        values_of("At the end of a game", [(name, Counter(values)) for name, values in measured.items()])
    )
    return frame(title, facts, sections, f"{BOTS} {SINGLE} {AT_ONCE}", made, part)


def values_of(title: str, values: Sequence[tuple[str, Counter[float] | Counter[int]]]) -> str:
    """Return a section about numbers that each game has, and how often: means, and a picture where games
    differ.

    It is empty if there are no numbers.
    """
    lines, pictures = [], []
    for name, counted in values:
        if not counted:
            continue
        found, ends = mean(counted.elements()), (number(min(counted)), number(max(counted)))
        differ = len(counted) > 1
        lines.append(
            (
                name,
                ends[0],
                number(found.value),
                interval_text(found, False) if differ else "the same in every game",
                ends[1],
            )
        )
        if differ:
            numbers = table(
                (name, "share of the games"),
                [(bar, percent(part)) for bar, part in zip(*shares_by_bar(counted), strict=True)],
            )
            pictures.append(
                figure(
                    f"The games by {name}",
                    histogram([(name, counted)], f"distribution of {name}", name),
                    numbers,
                )
            )
    if lines:
        return section(
            title, "", "".join([table(("", "lowest", "mean", "95 % interval", "highest"), lines), *pictures])
        )
    return ""


def compare_page(found: Comparison, a: str, b: str, facts: Sequence[str], made: str, part: str = "") -> str:
    """Two rulesets or bots beside each other."""
    shares = [line for line in found.lines if line.is_share]
    rest = sides(found, a, b)
    widest = max((max(abs(line.difference.low), abs(line.difference.high)) for line in shares), default=0.0)
    lines, across = [(line.name, line.difference) for line in shares], "B less A, in games of a hundred"
    drawing = forest(
        lines, -widest, widest, "differences of shares of games, with intervals", mark=0.0, across=across
    )
    caption = f"{INTERVAL} Dashed: no difference."
    numbers = table(
        ("share", "difference", "95 % interval"),
        [(x.name, percent(x.difference.value), interval_text(x.difference)) for x in shares],
    )
    picture = figure(caption, drawing, numbers) if widest else ""
    words = summarise(found, a, b) if found.kind == "rules" else beside_equals(found, a, b)
    return frame(
        f"{a} and {b}",
        [f"{found.pairs:,} {'turns' if found.kind == 'bots' else 'pairs'} of games", *facts],
        [section("What differs", words, rest + picture)],
        f"{BOTS} {TESTS if found.is_planned else SEQUENCES}",
        made,
        part,
    )


def sweep_page(found: Sweep, title: str, facts: Sequence[str], made: str, part: str = "") -> str:
    """A parameter over its values, as a curve with a ribbon; several, as a table."""
    points = [(", ".join(point.values), point.estimate) for point in found.points]
    aim = found.target
    shown = percent if found.is_share else number
    words = ""
    if aim is not None:
        told = target_words(found, shown, is_whole=not part)
        words = " ".join(f"{line[:1].upper()}{line[1:]}." for line in told)
    names, kind = ", ".join(found.names), "share of the games" if found.is_share else "mean of a game"
    label, level = f"{found.measure} by {names}", None if aim is None else aim.value
    drawn = [(name, estimate) for name, estimate in points if estimate.n]
    if drawn:
        drawing = ribbon(drawn, label, names, f"{found.measure}, {kind}", mark=level, share=found.is_share)
    else:
        drawing = ""
    numbers = estimates(points, shares=found.is_share, heading=names)
    caption = (
        "A dot is what the games with a value gave; the band is its 95 % interval, where one is known: where "
        "it may lie over very many games."
    )
    body = figure(caption, drawing, numbers) if len(found.names) == 1 and drawing else numbers
    return frame(
        title,
        facts,
        [section(f"{label[:1].upper()}{label[1:]}", words, body)],
        f"{BOTS} {SINGLE}",
        made,
        part,
    )


def skill_page(found: Ladder, title: str, facts: Sequence[str], made: str, part: str = "") -> str:
    """Return the page on how much thinking helps."""
    rungs = [(f"{rung.upper} against {rung.lower}", rung.wins) for rung in found.rungs]
    equal = found.rungs[0].equal if found.rungs else 0.5
    if found.top:
        words = f"More thought helps up to {found.top}; this holds for all rungs at once, with 95 %."
    else:
        words = "Not even the first bot that thinks was found to be better than a random one."
    drawing = forest(
        [(name, wins) for name, wins in rungs if wins.n],
        0,
        1,
        "wins, with intervals",
        mark=equal,
        across="share of the games that the bot wins that thinks more",
    )
    body = figure(f"{INTERVAL} Dashed: what an equal would win, {percent(equal)}.", drawing, estimates(rungs))
    if found.top and not found.rungs[-1].helps:
        words += " Above that no help was found, which more games may show."
    words += " The number of a bot is how many games it plays in thought before each decision."
    paid = [(f"{rung.upper} against {rung.lower}", rung.paid) for rung in found.rungs if rung.paid]
    note = "Each game, more than all on average. Whether it helps is said by this."
    more = section("What it is paid", note, estimates(paid, shares=False)) if paid else ""
    ratings = [
        (bot, f"{mu:.1f}", f"{mu - 2 * sigma:.1f} to {mu + 2 * sigma:.1f}")
        for bot, (mu, sigma) in found.ratings.items()
    ]
    note = "Whoever has the higher rating wins more. The interval is two deviations to each side (OpenSkill)."
    rated = section("Ratings", note, table(("bot", "rating", "interval"), ratings)) if ratings else ""
    return frame(
        title, facts, [section("Who wins", words, body), more, rated], f"{BOTS} {SINGLE}", made, part
    )


def options_page(
    options: Sequence[OptionUse],
    worths: Sequence[OptionWorth],
    title: str,
    facts: Sequence[str],
    made: str,
    part: str = "",
) -> str:
    """Return the page on what options are worth: forbidden to one player, and, which proves nothing, who wins
    with them.
    """
    rows = [(one.words, one.estimate) for one in worths]
    widest = max((max(abs(found.low), abs(found.high)) for _, found in rows), default=0.1)
    words = " ".join(
        f"A player who never takes “{one.words}” wins {percent(abs(one.estimate.value))} of the games "
        f"{'less' if one.estimate.low > 0 else 'more'}."
        for one in worths
        if one.estimate.excludes_zero
    )
    if not rows:
        words = "Nothing is known of it: no game without an option is over."
    elif not words:
        words = f"No option was found to matter; {unseen(widest)}."
    drawing = forest(
        rows,
        -widest,
        widest,
        "what options are worth, with intervals",
        mark=0.0,
        across="wins that a player lacks who never takes it",
    )
    worth = figure(f"{INTERVAL} Dashed: worth nothing. {HUNDREDS}", drawing, estimates(rows))
    offered = table(USE, [use_cells(one) for one in options])
    note = "This proves nothing of what an option is worth: it may be there for whoever is ahead."
    sections = [section("What an option is worth", words, worth), section("Who takes it", note, offered)]
    return frame(title, facts, sections, f"{BOTS} {SINGLE} {SEQUENCES}", made, part)


def variants_page(
    found: Sequence[tuple[str, Comparison]], title: str, facts: Sequence[str], made: str, part: str = ""
) -> str:
    """Return the page on what each variant changes."""
    sections = [section(name, summarise(one, title, name), sides(one, title, name)) for name, one in found]
    return frame(title, facts, sections, f"{BOTS} {SEQUENCES}", made, part)
