"""`croupier simulate`: many games and their statistics."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import data, document, draw, finish, progress, say, usage
from croupier.cli.guard import FINDINGS
from croupier.cli.lab import (
    Formats,
    Games,
    Jobs,
    Measures,
    Shown,
    cost_of,
    figure,
    grid,
    interrupted_after,
    interval,
    page_facts,
    run_of,
    stop,
)
from croupier.cli.options import (
    Backend,
    Backends,
    Bots,
    Invariants,
    Name,
    Players,
    Quiet,
    Seed,
    Settings,
    Variants,
)
from croupier.cli.variants import with_variants
from croupier.cli.views.game import plural, value
from croupier.cli.views.simulation import (
    MOST_LISTED,
    closing,
    heading,
    lines,
    seat_cells,
    seat_headings,
    table,
)

if TYPE_CHECKING:
    from croupier.diagnostics import JsonObject
    from croupier.lab.statistics import Estimate
    from croupier.lab.workers import RunConfig
    from croupier.play.results import FinishedRows, GameResult
    from croupier.play.summary import GroupSummary, SimulationSummary


_MOST_GROUPS = 60  # values of `--by` that are shown
_TURN_ORDER = "Also show wins by the order in which players make their first decisions."
TurnOrder = Annotated[bool, typer.Option("--by-turn-order", help=_TURN_ORDER)]
_BY = (
    "Also show wins by the value of an expression at the end of the game; one with `me` has a value "
    "for each player."
)
_VERIFY = "Put the hash of each game's last position into the digest. It plays slower, one game at a time."
Verify = Annotated[bool, typer.Option("--verify", help=_VERIFY)]
By = Annotated[str | None, typer.Option("--by", metavar="EXPR", help=_BY, show_default=False)]


def simulate(
    name: Name,
    variant: Variants = None,
    games: Games = 100,
    players: Players = None,
    seed: Seed = None,
    jobs: Jobs = None,
    set: Settings = None,
    bots: Bots = "random",
    invariants: Invariants = False,
    backend: Backend = Backends.AUTO,
    quiet: Quiet = False,
    by_turn_order: TurnOrder = False,
    by: By = None,
    measure: Measures = None,
    verify: Verify = False,
    format: Shown = Formats.HUMAN,
) -> None:
    """Play many games and show who wins how often, with which grades, how long games are, and which did not
    finish.

    A seat's win rate is its share of the finished games. Seats that win a game together divide it (`ties`
    counts such games), so the rates of all seats and of games that nobody wins add up to 100 %.

    The same seed gives the same digest, whatever --jobs is. The digest is the SHA-256 of one line for each
    game, in order: `NUMBER STATUS RETURNS DECISIONS EVENTS`; --verify adds the hash of the last position to
    the line. Ctrl-C shows the games that were played so far.

    Random bots take every option with the same probability. Where a player chooses several things one after
    the other, as in `choose 2 team from players`, random bots choose the last ones more often, and some seats
    seem to have an advantage. choices.md, section 3, says how to avoid it.

    Exit code: 0 all finished, 1 some were stuck, unfinished or faulted, 2 refused, 130 interrupted.

    \b
    Examples:
      croupier simulate my_game --games 1000
      croupier simulate my_game --games 1000 --players 4 --seed 1 --jobs 2
      croupier simulate my_game --games 200 --bots first,random --format json
      croupier simulate my_game --games 200 --by-turn-order
      croupier simulate my_game --games 200 --by hand_size
      croupier simulate my_game --games 200 --measure deck.size
      croupier simulate my_game --games 200 --format html
    """
    name = with_variants(name, variant)
    import croupier
    from croupier.lab.page_frame import half
    from croupier.pipeline import load
    from croupier.play.agents import UnknownAgent, admitted_names, peeks
    from croupier.play.interrupt import Interrupt
    from croupier.play.match import ruleset_label
    from croupier.play.native_games import first_state
    from croupier.play.plain import plain
    from croupier.play.simulate import simulate_batches as play
    from croupier.play.summary import SimulationSummary
    from croupier.play.tally import Tally
    from croupier.runtime.visibility import hides_nothing_ever

    run = run_of(name, None, players, seed, set, bots, backend.value, measure)
    setup = replace(run.setup, invariants=invariants, turn_order=by_turn_order, by=by or "", verify=verify)
    run = replace(run, setup=setup)
    ruleset = croupier.load(name)
    initial = first_state(ruleset, setup)
    try:
        names = admitted_names(setup.bots, initial.game)
    except UnknownAgent as error:
        usage(str(error), "--bots")
    if measure and (by or verify):
        usage("does not go with --by or --verify", "--measure")
    started, taken = time.monotonic(), MeasuredGames()
    with Interrupt() as interrupt, progress("games", games, cost_of(run)) as bar:
        notes: list[str] = []
        played: Iterable[GameResult | FinishedRows]
        if measure:
            played = taken.of(run, games, jobs, interrupt.is_requested, notes)
        else:
            played = play(
                ruleset,
                name,
                setup,
                games,
                jobs=jobs,
                load=load,
                should_stop=interrupt.is_requested,
                notes=notes,
            )
        tally = Tally(initial.players, _watched(played, bar.advance, interrupt.is_requested))
    summary = SimulationSummary(
        ruleset=ruleset_label(ruleset),
        ruleset_hash=ruleset.ruleset_hash,
        players=initial.players,
        parameters=plain(initial.parameters),
        seed=setup.seed,
        bots=tuple(names),
        asked=games,
        tally=tally,
        seconds=time.monotonic() - started,
    )
    if any(map(peeks, names)) and not hides_nothing_ever(initial.game):
        notes.append("`mcts!` looks at what is hidden from its seat; `ismcts` plays by what the seat knows")
    for note in notes:
        say(note)
    part = half(summary.games, games)
    if format is Formats.JSON:
        measures = [
            {"measure": name, **found.to_json(), "min": low, "max": high}
            for name, found, low, high, _ in taken.means()
        ]
        document("simulate", {**_with_intervals(summary), "measures": measures})
    elif summary.interrupted and not summary.games:
        stop(interrupted_after(0, games))
    elif format is Formats.HTML:
        from croupier.lab.answers import simulate_page

        title, facts, made = page_facts(run, summary.games)
        data(
            simulate_page(
                summary, by or "", taken.figures, title, facts, f"{made} · digest {summary.digest}", part
            )
        )
    else:
        if part:
            draw(part)
        _show(ruleset.title, summary, taken)
    if summary.interrupted:
        stop(interrupted_after(tally.games, games))
    finish(FINDINGS if summary.problems else 0)


def _with_intervals(summary: SimulationSummary) -> JsonObject:
    """The summary as a JSON value, with the intervals of its means."""
    from croupier.lab.statistics import mean

    told = summary.to_json()
    tally = summary.tally
    for seat, scores in zip(told["seats"], tally.scores, strict=True):
        if seat["scores"] is not None:
            seat["scores"]["mean_interval"] = mean(scores).to_json()["interval"]
    for name, counted in (("decisions", tally.decisions), ("chance_events", tally.chance_events)):
        if told[name] is not None:
            told[name]["mean_interval"] = mean(counted).to_json()["interval"]
    return told


class MeasuredGames:
    """The values of measures at the end of each game."""

    def __init__(self) -> None:
        self.figures: dict[str, list[float]] = {}
        self.truths: set[str] = set()  # the names of measures that are true or false

    def of(
        self, run: RunConfig, games: int, jobs: int | None, should_stop: Callable[[], bool], notes: list[str]
    ) -> Iterator[GameResult | FinishedRows]:
        """The games of a run, while their measures are recorded.

        Raises RulesetError for one that the ruleset does not know.

        `notes` receives a line that says what plays instead of native code, and why.
        """
        from croupier.lab.rows import PHASE, TAKEN_OF_ALL
        from croupier.lab.truths import truths_of
        from croupier.lab.workers import batches, notes_told
        from croupier.play.results import FinishedRows

        self.truths = truths_of(run)
        with notes_told(notes.append):
            for some in batches(run, range(1, games + 1), jobs=jobs, should_stop=should_stop):
                if isinstance(some, FinishedRows):
                    self._take(some, run.watch.measures)
                    yield from some.games() if run.setup.turn_order else [some]
                    continue
                assert some.result is not None
                for name, taken in some.figures.items() if some.status == "finished" else ():
                    if name not in TAKEN_OF_ALL and not name.startswith(PHASE):
                        self.figures.setdefault(name, []).append(taken)
                yield some.result if run.setup.turn_order else replace(some.result, order=None)

    def _take(self, some: FinishedRows, measures: Sequence[str]) -> None:
        """Record the measures of games that stayed together."""
        from croupier.lab.rows import value_names

        assert some.tails is not None
        for text, words in zip(measures, some.tails.columns(), strict=True):
            for name, word in zip(value_names(text, len(words)), words, strict=True):
                self.figures.setdefault(name, []).extend(some.rows.column(some.rows.tail_at + word))

    def means(self) -> list[tuple[str, Estimate, float, float, bool]]:
        """Each measure with its mean, its lowest and its highest value, and whether it is a share of games,
        because the expression is true or false.
        """
        from croupier.lab.statistics import mean, share

        return [
            (
                name,
                share(sum(values), len(values)) if name in self.truths else mean(values),
                min(values),
                max(values),
                name in self.truths,
            )
            for name, values in self.figures.items()
        ]


def _show(title: str, summary: SimulationSummary, taken: MeasuredGames) -> None:
    from croupier.lab.statistics import share as share_of

    draw(heading(title, summary))
    scored = any(seat.scores for seat in summary.seats)
    draw(table(summary, scored), lines(summary, scored))
    if summary.places:
        draw("")
        grid(
            ("turn order", *seat_headings(False)[1:]),
            [seat_cells(place, False) for place in summary.places],
            left=0,
        )
    if summary.groups:
        draw("")
        _show_groups(summary.groups)
    if summary.grades:
        draw("")
        named = [
            ("(without)" if found.grade is None else value(found.grade), found.games)
            for found in summary.grades
        ]
        listed, rest = named[:MOST_LISTED], named[MOST_LISTED:]
        if rest:
            listed.append((f"and {plural(len(rest), 'other')}", sum(games for _, games in rest)))
        shares = [(name, games, share_of(games, summary.tally.finished)) for name, games in listed]
        rows = [(name, f"{games:,}", f"{one.value:.1%}", interval(one, True)) for name, games, one in shares]
        grid(("grade", "games", "share", "95 % interval"), rows)
    if taken.figures:
        draw("")
        measured = [
            [
                name,
                figure(low, share),
                figure(found.value, share),
                interval(found, share),
                figure(high, share),
            ]
            for name, found, low, high, share in taken.means()
        ]
        grid(("at the end of a game", "lowest", "mean", "95 % interval", "highest"), measured)
    draw(closing(summary))


def _show_groups(groups: Sequence[GroupSummary]) -> None:
    """Print the wins by the values of an expression."""
    rows = []
    for group in groups[:_MOST_GROUPS]:
        low, high = group.interval
        seat = () if group.seat is None else (str(group.seat + 1),)
        rows.append(
            (group.value, *seat, f"{group.count:,}", f"{group.win_rate:.1%}", f"{low:.1%} - {high:.1%}")
        )
    grid(
        (
            "value",
            *(("players", "won") if groups[0].seat is None else ("player", "games", "win rate")),
            "95 % interval",
        ),
        rows,
    )
    if len(groups) > _MOST_GROUPS:
        draw(f"and {len(groups) - _MOST_GROUPS:,} more: --format json shows all")


def _watched(
    played: Iterable[GameResult | FinishedRows],
    advance: Callable[[int], None],
    interrupted: Callable[[], bool],
) -> Iterator[GameResult | FinishedRows]:
    """The finished games, until an interruption; `advance` is called with the number of new ones."""
    from croupier.play.results import FinishedRows

    try:
        for some in played:
            advance(len(some) if isinstance(some, FinishedRows) else 1)
            yield some
    except KeyboardInterrupt:
        if not interrupted():
            raise
