"""`croupier run`: one game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import StrEnum
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import data, draw, finish, say, show, usage, waiting
from croupier.cli.guard import FINDINGS
from croupier.cli.lab import stop
from croupier.cli.options import (
    Backend,
    Backends,
    Bots,
    Force,
    Invariants,
    Log,
    LogDetail,
    Name,
    NewFile,
    PlayerNames,
    Players,
    Seat,
    Seed,
    Settings,
    Variants,
    bot_names,
    check_output,
    new_seed,
    player_names,
    seat_from_one,
    settings,
)
from croupier.cli.variants import with_variants
from croupier.diagnostics import JsonObject

if TYPE_CHECKING:
    from croupier.play.decisions import DecisionLog
    from croupier.play.match import GameMatch
    from croupier.play.record import GameRecord
    from croupier.play.script import Script


class RunFormat(StrEnum):
    """The format of the log: text for people, one JSON document, or a line of JSON for each decision and
    event.
    """

    HUMAN = "human"
    JSON = "json"
    JSONL = "jsonl"


def run(
    name: Name,
    variant: Variants = None,
    players: Players = None,
    seed: Seed = None,
    set: Settings = None,
    bots: Bots = "random",
    actions: Annotated[
        Path | None,
        typer.Option(
            "--actions", metavar="FILE", help="Play the decisions in this file first.", show_default=False
        ),
    ] = None,
    game: Annotated[
        int,
        typer.Option(
            "--game", metavar="N", min=1, help="Play game N of `croupier simulate` with the same seed."
        ),
    ] = 1,
    seat: Seat = None,
    invariants: Invariants = False,
    backend: Backend = Backends.REFERENCE,
    save: NewFile = None,
    force: Force = False,
    log: Log = LogDetail.CITED,
    names: PlayerNames = None,
    format: Annotated[
        RunFormat,
        typer.Option(
            "--format",
            "-f",
            help="Print for people, or for programs: one JSON object, or a line of JSON a decision and "
            "event.",
        ),
    ] = RunFormat.HUMAN,
) -> None:
    """Play one game and show its log, each line with the rules it follows from.

    A line joins equal events, and a decision with what follows from it. --format jsonl prints every decision
    and event in the order of play.

    The log shows everything, as a referee sees it; with --seat it shows what one player sees. The file of
    --actions lists decisions and chance outcomes: "- 1: a choice" for player 1, "- chance: an outcome". The
    bots go on where the list ends.

    Exit code: 0 finished, 1 stuck, unfinished or faulted, 2 refused, 130 interrupted.

    \b
    Examples:
      croupier run my_game
      croupier run my_game --seed 7 --bots random,first
      croupier run my_game --variant short_game --variant open_hands
      croupier run my_game --players 4 --set hand_size=5 --save game.json
      croupier run my_game --seed 7 --seat 2
      croupier run my_game --seed 7 --log brief --names Anna,Ben
      croupier run my_game --seed 7 --format json
    """
    name = with_variants(name, variant)
    import croupier
    from croupier.narration import Names
    from croupier.play.agents import UnknownAgent
    from croupier.play.interrupt import Interrupt
    from croupier.play.match import GameMatch, MatchConfig

    setup = MatchConfig(players, settings(set), new_seed(seed), bot_names(bots), invariants, backend.value)
    if save is not None:
        check_output(save, name, actions, force=force)
    ruleset = croupier.load(name)
    script = _script(actions)
    try:
        match = GameMatch(ruleset, setup, game, script=script)
    except UnknownAgent as error:
        usage(str(error), "--bots")
    viewer = seat_from_one(seat, match.players)
    called = player_names(names, match.players)
    if script is not None:
        script.rename = Names(called)
    if format is RunFormat.JSONL and viewer is None:
        from croupier.play.decisions import DecisionLog, DecisionTable

        match.log = DecisionLog(DecisionTable(match.state.game), game)
    with (
        Interrupt() as interrupt,
        waiting(lambda: f"still playing: {len(match.steps)} actions so far; Ctrl-C ends it"),
    ):
        record = match.play(interrupt.is_requested)
    if save is not None:
        from croupier.play.saved import save as save_game

        save_game(record, save, force=force)
        say(f"saved as {save}")
    _show_game(match, record, viewer, format, log, called)
    show([finding for finding in (match.state.fault, *match.findings) if finding is not None])
    if interrupt.requested:
        stop(f"interrupted after {len(record.steps)} actions")
    if script is not None:
        script.check_used()
    finish(0 if record.status == "finished" else FINDINGS)


def _script(path: Path | None) -> Script | None:
    from croupier.diagnostics import RulesetError
    from croupier.play.script import read_script
    from croupier.source import read_file

    if path is None:
        return None
    source, diagnostics = read_file(path)
    if source is None:
        raise RulesetError(diagnostics)
    return read_script(source)


def _show_game(
    match: GameMatch,
    record: GameRecord,
    seat: int | None,
    format: RunFormat,
    detail: LogDetail,
    names: tuple[str, ...],
) -> None:
    if format is RunFormat.HUMAN:
        from croupier.cli.console import width
        from croupier.cli.views.game import end_of_story, story
        from croupier.narration import Names

        called = Names(names)
        for text in story(match.ruleset, record, match.state, seat, detail.value, called, width()):
            draw(text)
        draw(end_of_story(record, match.state, seat, detail.value, called))
    elif format is RunFormat.JSON:
        from croupier import __version__
        from croupier.outputs.documents import document_of
        from croupier.play.record import as_text

        data(as_text(document_of("run", __version__, _game_document(match, record, seat))))
    else:
        data(_first_line(match, record, seat))
        for line in _lines(match, record, seat):
            data(json.dumps(line, ensure_ascii=True))


def _game_document(match: GameMatch, record: GameRecord, seat: int | None) -> JsonObject:
    """The record, which can be replayed; for one seat its events instead of everybody's actions."""
    from croupier.cli.headers import game_of

    saved = record.to_json()
    told = {name: saved[name] if seat is None else None for name in (*_OF_THE_REFEREE, "actions", "checksum")}
    return {
        **told,
        **game_of(record, seat),
        "meaning_hash": saved.get("meaning_hash"),
        "seat": seat,
        "outcome": saved["outcome"],
        "events": None if seat is None else _events(match, seat),
    }


_OF_THE_REFEREE = ("seed", "game", "digest", "start_hash", "final_hash", "decisions", "chance_events")
"""Fields that reveal more than one seat sees: with them the game can be replayed, or hidden decisions
counted.
"""


def _first_line(match: GameMatch, record: GameRecord, seat: int | None) -> str:
    """The line that says what the others are of, and which keys they have."""
    from croupier import __version__
    from croupier.cli.headers import game_of
    from croupier.outputs.documents import line_of
    from croupier.play.decisions import EVENT_COLUMNS

    saved = record.to_json()
    told = {name: saved[name] if seat is None else None for name in ("game", "start_hash")}
    decisions, events = ((), ()) if match.log is None else (match.log.columns, EVENT_COLUMNS)
    columns = {
        name: [{"name": column.name, "type": column.type, "meaning": column.meaning} for column in some]
        for name, some in (("decision_columns", decisions), ("event_columns", events))
    }
    about = {"type": "header", "meaning_hash": saved.get("meaning_hash"), "seat": seat}
    return line_of("run-lines", __version__, {**game_of(record, seat), **told, **about, **columns})


def _lines(match: GameMatch, record: GameRecord, seat: int | None) -> Iterator[JsonObject]:
    """A line for each decision and outcome of chance (the referee's view only), each followed by its events;
    and for the result.
    """
    document = {
        name: thing for name, thing in record.to_json().items() if seat is None or name not in _OF_THE_REFEREE
    }
    results = ("outcome", "decisions", "chance_events", "digest", "final_hash")
    if match.log is None:
        yield from ({"type": "event", **event} for event in _events(match, seat))
    else:
        yield from _decisions_and_events(match, match.log, record)
    yield {"type": "outcome", **{name: document[name] for name in results if name in document}}


def _decisions_and_events(match: GameMatch, log: DecisionLog, record: GameRecord) -> Iterator[JsonObject]:
    """The lines of decisions in the order of play, each with its structure and followed by its events, whose
    texts have their parts.
    """
    from croupier.play.decisions import EVENT_COLUMNS, as_object, event_rows

    structs = [choice.choice for step in record.steps for choice in step.choices]
    hashes = [
        step.hash if choice is step.choices[-1] else None for step in record.steps for choice in step.choices
    ]
    decisions = [as_object(log.columns, row) for row in log.rows(record.outcome, len(match.state.history))]
    events = groupby(
        (
            {**as_object(EVENT_COLUMNS, row), "parts": event.text.to_json(keys=True)}
            for row, event in zip(event_rows(match.state, record.game), match.state.events(), strict=True)
        ),
        key=itemgetter("decision"),
    )
    following = {int(index): list(some) for index, some in events}
    yield from ({"type": "event", **event} for event in following.get(-1, ()))
    for decision, struct, reached in zip(decisions, structs, hashes, strict=False):
        yield {"type": "decision", **decision, "choice": struct, "hash": reached}
        yield from ({"type": "event", **event} for event in following.get(decision["index"], ()))


def _events(match: GameMatch, seat: int | None) -> list[dict[str, object]]:
    from croupier.play.plain import plain

    return [
        {
            "text": event.text,
            "parts": event.text.to_json(),  # a seat reads them: no more than the text says
            "kind": event.kind,
            "rules": list(event.rules),
            "data": plain(event.data),
            "quiet": event.quiet,
        }
        for event in match.state.events(seat)
    ]
