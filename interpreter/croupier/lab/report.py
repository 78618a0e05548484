"""HTML pages about a ruleset, alone or beside another one.

In come rows of games; out comes a page in the frame of `page_frame.py`. Each picture has its numbers behind
it, each number its interval, and each section begins with what it says in words. Pages with the answer to a
single question stand in `answers.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import inf

from croupier.lab.clusters import Clusters
from croupier.lab.compare import SAME, WINS, Comparison, Line, compare_rules
from croupier.lab.course import COURSE
from croupier.lab.names import of_player
from croupier.lab.option_worth import OptionUse, option_uses
from croupier.lab.page_frame import CALLED, FORCED, estimates, frame, half, interval_text, section
from croupier.lab.pictures import (
    figure,
    folded,
    forest,
    histogram,
    number,
    percent,
    rising,
    scatter,
    table,
    text,
)
from croupier.lab.rows import EVERY_DECISION, PHASE, Row
from croupier.lab.statistics import Estimate, distribution_band, mean, share
from croupier.lab.workers import RunConfig, load_ruleset, players_of, rows
from croupier.play.match import never
from croupier.play.processes import shared_pool
from croupier.play.statistics import CONFIDENCE
from croupier.text import Seat, Text, listed

AT_ONCE = (
    "That somebody wins more than an equal part is only said where it holds for all seats and places "
    "at once (Bonferroni)."
)
METHODS = (
    "Games were played by bots, so all of this is about how they play. The same seed gives the same "
    "page. A share has Wilson's 95 % interval, a mean"
    f" the normal one, corrected for skewness; each holds for itself. {AT_ONCE} Players, decisions and "
    "changes of the lead of one game are not independent of one another: intervals of their shares are "
    "clustered by game. A whole curve lies"
    " in its band (Dvoretzky, Kiefer, Wolfowitz). Differences have confidence sequences, which hold "
    "together and however often they are looked at."
)
INTERVAL = (
    "A dot is what these games gave; the line through it is its 95 % interval: where it may lie over "
    "very many games."
)
HUNDREDS = "A difference of shares is in games of a hundred: 50 % and 53 % differ by 3 %."
SHOWN, MOST = 15, 60  # options in the picture, and in a table
ENOUGH = 10  # players who took an option, and who did not, for a dot


@dataclass(frozen=True)
class Asked:
    """The subject of a page: a run, how many games, and its title; and the other ruleset with which it is
    compared.
    """

    run: RunConfig
    games: int
    title: str
    against: RunConfig | None = None
    against_title: str = ""
    version: str = ""  # of the program


def page(asked: Asked, *, jobs: int | None = None, should_stop: Callable[[], bool] = never) -> str:
    """Return the whole page about the games that were over when it was told to stop; empty if no game was
    over.

    Raises what `rows` does, ValueError if the two rulesets have different numbers of players.
    """
    with shared_pool():
        against = None if asked.against is None else with_measures(asked.against)
        return _page(replace(asked, run=with_measures(asked.run), against=against), jobs, should_stop)


def _page(asked: Asked, jobs: int | None, should_stop: Callable[[], bool]) -> str:
    run = replace(
        asked.run,
        watch=replace(
            asked.run.watch, steps=True, options=True, every=asked.run.watch.every or EVERY_DECISION
        ),
    )
    players = players_of(run)
    if asked.against is not None and players_of(asked.against) != players:
        raise ValueError(
            f"{asked.title} has {players} players, {asked.against_title} {players_of(asked.against)}: say "
            f"--players"
        )
    played = list(rows(run, range(1, asked.games + 1), jobs=jobs, should_stop=should_stop))
    finished = [row for row in played if row.status == "finished"]
    if not played:
        return ""
    length = lengths(finished, asked.title, run.watch.pace)
    sections = [
        winners(finished, players),
        length,
        course_of_games(finished, run, players),
        options(finished),
    ]
    stopped, parts = [], [half(len(played), asked.games)]
    if asked.against is not None:
        other = list(rows(asked.against, range(1, asked.games + 1), jobs=jobs, should_stop=should_stop))
        looks = list(compare_rules(asked.run, asked.against, asked.games, jobs=jobs, should_stop=should_stop))
        if other and looks and looks[-1].pairs:
            sections.insert(
                0, difference(looks[-1], asked, finished, [row for row in other if row.status == "finished"])
            )
            compared = looks[-1].pairs + looks[-1].skipped
            parts.append(half(compared, asked.games, f"pairs of games with {asked.against_title}"))
        else:
            parts.append(half(len(other), asked.games, f"games of {asked.against_title}"))
            stopped.append(f"Nothing here is about {asked.against_title}: too few of its games were over.")
    part = ", ".join(filter(None, parts))
    head = [f"<p><strong>{text(words)}</strong></p>" for words in stopped]
    return _whole(asked, players, played, [*head, *filter(None, sections)], part)


def with_measures(run: RunConfig) -> RunConfig:
    """Return the run; if it names no measures, with those that its ruleset declares."""
    if run.watch.measures:
        return run
    return replace(run, watch=replace(run.watch, measures=tuple(load_ruleset(run.source).program.measures)))


def _whole(asked: Asked, players: int, played: Sequence[Row], sections: Sequence[str], part: str) -> str:
    ruleset, setup = load_ruleset(asked.run.source), asked.run.setup
    lost = len(played) - sum(row.status == "finished" for row in played)
    facts = [
        f"{len(played):,} games",
        f"{players} players",
        f"bots {', '.join(dict.fromkeys(setup.bots))}",
        f"seed {setup.seed}",
    ]
    facts += [f"{key} = {value}" for key, value in setup.parameters.items()]
    bad = f"<p>{lost:,} games did not finish and are left out.</p>" if lost else ""
    title = asked.title + (f" and {asked.against_title}" if asked.against is not None else "")
    return frame(
        title,
        facts,
        [bad, *sections],
        METHODS,
        f"croupier {asked.version} · rules {ruleset.ruleset_hash[:16]}",
        part,
    )


def winners(played: Sequence[Row], players: int) -> str:
    """Return a section on who wins the games that somebody wins, by seat and by turn order."""
    won = [row for row in played if row.winners]
    ordered = [row for row in won if row.order is not None]
    seats = [sum(row.share(seat) for row in won) for seat in range(players)]
    places = [
        sum(row.share(row.order[place]) for row in ordered if row.order is not None)
        for place in range(players)
    ]
    return shares_of_wins(seats, places, len(won), len(played))


def shares_of_wins(seats: Sequence[float], places: Sequence[float], won: int, games: int) -> str:
    """Return a section on the games that each seat won, and each place in turn order, shared wins divided.

    `won` are the games that somebody won, of all `games`.
    """
    equal, nobody = 1 / len(seats), share(games - won, games)
    lines = [(f"player {seat + 1}", share(wins, won)) for seat, wins in enumerate(seats)]
    lines += [(f"place {place + 1} in turn order", share(wins, won)) for place, wins in enumerate(places)]
    if not won:
        return section(
            "Who wins",
            f"Nobody won any of the {games:,} games.",
            estimates([("nobody, of all games", nobody)]),
        )
    confidence = 1 - (1 - CONFIDENCE) / len(lines)  # what is said holds for all of these at once
    wide = [(name, share(found.value * found.n, found.n, confidence)) for name, found in lines]
    if won < games:
        words = [f"{games - won:,} of {games:,} games ({percent(nobody.value)}) had no winner."]
    else:
        words = []
    more = [name for name, found in wide if found.low > equal]
    fewer = [name for name, found in wide if found.high < equal]
    words += [f"More than an equal part of the wins goes to {listed(more)}."] if more else []
    words += [f"Less than an equal part goes to {listed(fewer)}."] if fewer else []
    if not more and not fewer:
        missed = max(max(abs(found.low - equal), abs(found.high - equal)) for _, found in wide)
        who = "No player and no place in turn order" if places else "No player"
        words.append(
            f"{who} was found to win more or less than an equal part, {percent(equal)}; {unseen(missed)}."
        )
    across = f"share of the {won:,} games that somebody won" if won < games else "share of the wins"
    drawing = forest(lines, 0.0, 1.0, "shares of the wins, with intervals", mark=equal, across=across)
    numbers = estimates([*lines, ("nobody, of all games", nobody)])
    return section(
        "Who wins",
        " ".join(words),
        figure(f"{INTERVAL} Dashed: an equal part, {percent(equal)}.", drawing, numbers),
    )


def unseen(most: float) -> str:
    """Return words for how large an advantage the games may still hide."""
    return (
        f"an advantage of up to {number(max(1, round(100 * most)))} games in 100 may have been missed: "
        f"more games tell"
    )


def lengths(played: Sequence[Row], title: str, pace: int) -> str:
    """Return a section on how long games are, and how much there is to decide."""
    if not played:
        return ""
    decisions = [float(row.decisions) for row in played]
    found = mean(decisions)
    middle = sorted(decisions)
    low, high = number(_quantile(middle, 0.05)), number(_quantile(middle, 0.95))
    words = f"A game takes {number(found.value)} decisions on average; 90 % take {low} to {high}."
    if middle[0] == middle[-1]:
        words = f"Every game takes {number(found.value)} decisions."
    lines = [("decisions", found), ("chance events", mean(row.chance_events for row in played))]
    watched = [row for row in played if "forced" in row.figures and row.decisions]
    if watched:
        offered = Clusters.of((row.decisions, row.figures["options"] * row.decisions) for row in watched)
        forced = Clusters.of((row.decisions, row.figures["forced"]) for row in watched)
        branching = offered.ratio()
        lines += [("options a decision", branching), (FORCED, forced.share())]
        words += (
            f" A decision has {number(branching.value)} options; {percent(forced.value)} of the "
            f"{forced.counted:,.0f} decisions are forced."
        )
        minutes = mean(row.figures["minutes"] for row in played)
        words += (
            f" At {pace} seconds for each decision that is not forced, that is {number(minutes.value)} "
            f"minutes."
        )
        lines += [
            ("turns", mean(row.figures["turns"] for row in played)),
            (f"minutes, at {pace} seconds a decision", minutes),
        ]
        phases = dict.fromkeys(key for row in played for key in row.figures if key.startswith(PHASE))
        if len(phases) > 1:
            lines += [(key, mean(row.figures.get(key, 0.0) for row in played)) for key in phases]
    counted = [(number(value), len(list(group))) for value, group in groupby(middle)]
    numbers = estimates(lines, shares=False)
    if middle[0] == middle[-1]:
        return section("How long it takes", words, numbers)
    numbers += table(("decisions", "games"), counted)
    drawing = histogram([(title, decisions)], "distribution of the length of games", "decisions of a game")
    return section(
        "How long it takes", words, figure("How many of the games took how many decisions", drawing, numbers)
    )


def course_of_games(played: Sequence[Row], run: RunConfig, players: int) -> str:
    """Leads and when games are decided, of the measures that say `me`."""
    parts = []
    for measure in run.watch.measures:
        lines = [
            (CALLED[name], found)
            for name in COURSE
            if (found := course_estimate(played, name, measure)) is not None
        ]
        keys = [
            (Text.of(of_player(measure, seat), " at the end"), of_player(measure, seat))
            for seat in range(players)
        ]
        ends = [
            (who, mean(row.figures[key] for row in played))
            for who, key in keys
            if all(key in row.figures for row in played)
        ]
        if lines:
            decided = [
                row.figures[f"decided: {measure}"] for row in played if f"decided: {measure}" in row.figures
            ]
            words = (
                f"By {measure}, the lead changes {number(lines[0][1].value)} times a game "
                f"({in_brackets(lines[0][1], False)})."
            )
            words += f" {' '.join(course_words(played, measure))}"
            numbers, drawing, band = estimates([*lines, *ends], shares=False), "", 0.0
            if len(decided) > 1:
                found = mean(decided)
                words += (
                    f" The winner leads for good after {percent(found.value)} of it, on average "
                    f"({in_brackets(found)})."
                )
                over = [sum(value <= at / 20 for value in decided) / len(decided) for at in range(21)]
                band = distribution_band(len(decided))
                drawing = rising(
                    over,
                    "share of the games that were decided, over time",
                    "games in which the winner leads for good",
                    band=band,
                )
                bands = [f"{percent(max(0, part - band))} to {percent(min(1, part + band))}" for part in over]
                cells = [(f"{at / 20:.0%}", percent(part), bands[at]) for at, part in enumerate(over)]
                numbers += table(("part of the game", "games decided", "95 % band"), cells)
            caption = (
                f"When games are decided, of {len(decided):,} with one winner; over very many games "
                f"the whole curve lies in the band (95 %)"
            )
            parts.append(
                section(
                    f"How it goes: {measure}",
                    words,
                    figure(caption, drawing, numbers) if drawing else numbers,
                )
            )
        elif ends:
            parts.append(section(f"At the end: {measure}", "", estimates(ends, shares=False)))
    return "".join(parts)


def course_estimate(played: Sequence[Row], name: str, measure: str) -> Estimate | None:
    """Return a figure of the course of games by a measure, one of `COURSE`; `None` if it is of no game.

    Comebacks are a share of games with one winner, kingmaking of all lead changes, clustered by game.
    """
    if name == "kingmaking":
        found = lead_changes(played, measure)
        return found.share() if found.games else None
    key = f"{name}: {measure}"
    values = [row.figures[key] for row in played if key in row.figures]
    if not values:
        return None
    if name == "comeback":
        return share(sum(values), len(values))
    return within(mean(values), 0, inf if name == "lead changes" else 1)


def lead_changes(played: Sequence[Row], measure: str) -> Clusters:
    """The lead changes of games of several players, and those of them that a third player brought about."""
    made, kings = f"lead changes: {measure}", f"kingmaking: {measure}"
    figures = [row.figures for row in played if kings in row.figures]
    return Clusters.of((found[made], found[made] * found[kings]) for found in figures)


def course_words(played: Sequence[Row], measure: str) -> list[str]:
    """Return sentences that say how many lead changes and comebacks there were, and of how many."""
    words, made = [], lead_changes(played, measure)
    if made.games:
        words.append(
            f"A third player brought about {made.hits:,.0f} of {made.counted:,.0f} lead changes in "
            f"{made.games:,} games: {percent(made.value)} ({in_brackets(made.share())})."
        )
    back = course_estimate(played, "comeback", measure)
    if back is not None:
        words.append(
            f"In {back.value * back.n:,.0f} of {back.n:,} games with one winner they did not lead at "
            f"half-time: {percent(back.value)} ({in_brackets(back)})."
        )
    return words


def in_brackets(found: Estimate, shares: bool = True) -> str:
    """The interval of a figure in a sentence."""
    return interval_text(found, shares) if found.is_known or found.is_of_equals else "no interval known yet"


def within(found: Estimate, low: float, high: float) -> Estimate:
    """Return an estimate whose interval does not leave what is possible."""
    if not found.is_known:
        return found
    return replace(found, low=max(low, found.low), high=min(high, found.high))


def options(played: Sequence[Row]) -> str:
    """Options: how often they are taken, and how often those who take them win."""
    found = option_uses(list(played))
    if not found:
        return ""
    shown = sorted(found, key=lambda one: -min(one.taken, one.offered - one.taken))[:SHOWN]
    caption = "Of players to whom it was offered in a game"
    if not any(one.wins_taken.value or one.wins_left.value for one in found):
        plain = table(USE[:4], [use_cells(one)[:4] for one in found[:MOST]], caption)
        return section(
            "What is chosen", "Nobody won, so nothing can be said of what an option is worth.", folded(plain)
        )
    numbers = table(USE, [use_cells(one) for one in found[:MOST]], caption)
    rings = [one.wins_left for one in shown]
    across = "share of their games that they win"
    drawing = forest(
        [(one.words, one.wins_taken) for one in shown],
        0.0,
        1.0,
        "wins of those who took an option",
        others=rings,
        across=across,
    )
    words = (
        f"The {len(shown)} options that most often were taken by some and left by others, of {len(found):,}. "
        "That who takes one wins more does not say that it is good: "
        "it may be there for whoever is ahead. What it is worth is measured by the command “ablate”."
    )
    caption = (
        "Dot and line: players who took it, with 95 % interval. Ring: players to whom it was offered "
        "and who never took it."
    )
    picture = figure(caption, drawing, numbers)
    return section("What is chosen", words, picture + taken_against_worth(found))


def taken_against_worth(found: Sequence[OptionUse]) -> str:
    """Return a picture of how often options are taken when they are offered, against what those who take them
    win more.

    Options have names if the intervals of both do not meet.
    """
    points, tried = [], [one for one in found if min(one.taken, one.offered - one.taken) >= ENOUGH]
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(tried))
    for one in tried:
        mine, others = (wins.share(confidence) for wins in (one.wins_of_takers, one.wins_of_leavers))
        is_apart = mine.low > others.high or others.low > mine.high
        points.append(
            (one.words if is_apart else "", one.taken / one.offered, mine.value - others.value, one.offered)
        )
    if len(points) < 3:
        return ""
    which = "Grey dots" if any(name for name, *_ in points) else "All of these"
    caption = (
        f"Each dot is an option that {ENOUGH} players took and {ENOUGH} left. {which} may lie where "
        f"they do by chance (95 %, for all together)."
    )
    axes = (
        "how often it is taken by a player to whom it is offered",
        "wins of those who take it, less wins of those who do not",
    )
    drawing = scatter(
        points, "how often options are taken, against how much more those win who take them", axes
    )
    return figure(caption, drawing, table(USE, [use_cells(one) for one in tried[:MOST]]))


USE = "option", "offered", "taken", "95 %", "wins if taken", "95 %", "wins if not", "95 %"


def use_cells(one: OptionUse) -> tuple[str, ...]:
    """The cells of an option, below `USE`."""
    shares = [
        cell
        for found in (one.taken_share, one.wins_taken, one.wins_left)
        for cell in (percent(found.value) if found.n else "–", interval_text(found))
    ]
    return one.words, f"{one.offered:,}", *shares


def difference(found: Comparison, asked: Asked, mine: Sequence[Row], theirs: Sequence[Row]) -> str:
    """The two rulesets beside each other."""
    numbers = sides(found, asked.title, asked.against_title)
    series = [
        (asked.title, [float(row.decisions) for row in mine]),
        (asked.against_title, [float(row.decisions) for row in theirs]),
    ]
    averages = [(name, number(sum(values) / len(values))) for name, values in series if values]
    differ = len({value for _, values in series for value in values}) > 1
    drawing = (
        histogram(series, "distributions of the length of games", "decisions of a game") if differ else ""
    )
    behind = table(("side", "decisions, on average"), averages)
    picture = figure("How many of the games took how many decisions", drawing, behind) if drawing else ""
    below = f'<p class="soft">All that follows is about {text(asked.title)} alone.</p>'
    return section(
        "What differs", summarise(found, asked.title, asked.against_title), numbers + picture + below
    )


def summarise(found: Comparison, a: str, b: str) -> str:
    """Return the result of a comparison of two rulesets in words.

    They say whom B favours, whether its games are longer, and what else is different.
    """
    if all(line.verdict() == SAME for line in found.lines):
        return (
            f"{b} changes nothing that was measured: all {found.pairs:,} games came out the same under both."
        )
    names: dict[str, str] = {of_player(WINS, seat): str(Seat(seat)) for seat in range(found.players)}
    shares = [line for line in found.lines if line.name in names]
    words = [
        f"{b} favours {names[line.name]}, who wins {percent(line.b.mean)} of its games, and "
        f"{percent(line.a.mean)} of those of {a}."
        for line in shares
        if line.is_found and line.difference.value > 0
    ]
    if shares and not any(line.is_found for line in shares):
        missed = max(max(abs(line.difference.low), abs(line.difference.high)) for line in shares)
        words.append(f"No player was found to win more or less; {unseen(missed)}.")
    for line in found.lines:
        if line.name == "decisions" and line.verdict() == SAME:
            words.append("Each game took as many decisions under both.")
        elif line.name == "decisions":
            words.append(_longer(line))
        elif line.is_found and line.name == "margin":
            words.append(f"The winner is ahead by {number(line.b.mean)} instead of {number(line.a.mean)}.")
        elif line.is_found and line not in shares:
            shown = percent if line.is_share else number
            words.append(f"{line.name}: {shown(line.b.mean)} instead of {shown(line.a.mean)}.")
    return " ".join(words)


def _longer(line: Line) -> str:
    """Return whether games are longer, by the measure of decisions: on average, or else more often."""
    if line.is_found:
        longer = "longer" if line.difference.value > 0 else "shorter"
        return f"Games are {longer}: {number(line.b.mean)} decisions instead of {number(line.a.mean)}."
    often = line.more_often
    if often is not None and often.excludes_zero:
        longer = "longer" if often.value > 0 else "shorter"
        return f"More games are {longer} than not; by how much on average cannot be said yet."
    return "Games were not found to be longer or shorter."


def beside_equals(found: Comparison, a: str, b: str) -> str:
    """Return the result of a comparison of two bots in words."""
    *paid, wins = found.lines
    words = (
        f"{b}, alone among {a} and in every seat in turn, wins {percent(wins.b.mean)} of the games; an "
        f"equal would win {percent(wins.a.mean)}."
    )
    if not wins.is_found:
        words += f" {unseen(max(abs(wins.difference.low), abs(wins.difference.high))).capitalize()}."
    return words + "".join(
        f" It is paid {number(line.b.mean)} a game, all on average {number(line.a.mean)}: "
        f"{line.verdict('it')}."
        for line in paid
    )


def _quantile(ordered: Sequence[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


# ------------------------------------------------------------ answers to single questions


def sides(found: Comparison, a: str, b: str) -> str:
    """The measures of both sides, A and B, and how they differ."""
    lines = []
    for line in found.lines:
        shown = percent if line.is_share else number
        averages = [shown(value) for value in (line.a.mean, line.b.mean, line.difference.value)]
        lines.append((line.name, *averages, interval_text(line.difference, line.is_share), line.verdict()))
    return table(
        ("measure", "A", "B", "B less A", "95 % interval", "in words"),
        lines,
        f"A is {a}, B is {b}. {HUNDREDS}",
        has_words=True,
    )
