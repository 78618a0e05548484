"""`croupier replay`: a saved game again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import data, document, draw, finish, say, show, usage
from croupier.cli.guard import FINDINGS
from croupier.cli.options import (
    Backend,
    Backends,
    Force,
    Format,
    Human,
    Log,
    LogDetail,
    PlayerNames,
    Rules,
    SavedFile,
    Seat,
    check_output,
    player_names,
    seat_from_one,
)
from croupier.diagnostics import JsonObject

if TYPE_CHECKING:
    from croupier.play.replay import Replayed
    from croupier.play.saved import SavedGame
    from croupier.ruleset import Ruleset


def replay(
    file: SavedFile,
    at: Annotated[
        int | None,
        typer.Option("--at", metavar="N", min=0, help="Stop after N actions.", show_default="the last"),
    ] = None,
    seat: Seat = None,
    scenario: Annotated[
        bool, typer.Option("--scenario", help="Print this position as a scenario, to be completed.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="FILE",
            help="Write a page that shows the game step by step.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    ruleset: Rules = None,
    backend: Backend = Backends.REFERENCE,
    log: Log = LogDetail.CITED,
    names: PlayerNames = None,
    format: Human = Format.HUMAN,
) -> None:
    """Play a saved game again, verify every action and hash, and show the log and the position.

    The chance outcomes come from the file. A file that was edited, cut off or played with other rules is
    refused; the error shows the first difference.

    Exit code: 0 verified, 1 the game differs from the record, 2 refused: the file or the rules cannot be
    read.

    \b
    Examples:
      croupier run my_game --seed 1 --save game.json
      croupier replay game.json
      croupier replay game.json --at 3 --seat 2
      croupier replay game.json --at 3 --scenario
      croupier replay game.json --backend python
      croupier replay game.json --seat 2 --html game.html
    """
    from croupier.cli.options import rules_of
    from croupier.diagnostics import RulesetError
    from croupier.play.atomic_write import write_whole
    from croupier.play.replay import replay as play_again
    from croupier.play.saved import read_saved
    from croupier.server.replay_page import ReplayPage

    saved = read_saved(file)
    count = len(saved.record.steps)
    if at is not None and at > count:
        usage(f"the game has {count} actions", "--at")
    viewer = seat_from_one(seat, saved.record.players)
    called = player_names(names, saved.record.players)
    rules = rules_of(saved, ruleset)
    if html is not None:
        check_output(html, file, rules.path, force=force)
    watched = ReplayPage(viewer) if html is not None else None
    try:
        replayed = play_again(saved, rules, at, backend.value, None if watched is None else watched.add)
    except RulesetError as error:
        show(error.diagnostics)
        finish(FINDINGS)
    if html is not None and watched is not None:
        write_whole(html, watched.html(rules.title, called), force=force)
        say(f"saved as {html}")
    elif scenario:
        from croupier.play.scenario_template import scenario_template

        data(scenario_template(saved.record, rules, replayed.applied))
    elif format is Format.JSON:
        document("replay", _replay_document(saved, replayed, viewer))
    else:
        _show_replay(saved, rules, replayed, viewer, log, called)
    finish(0)


def _replay_document(saved: SavedGame, replayed: Replayed, seat: int | None) -> JsonObject:
    from croupier.cli.headers import game_of
    from croupier.play.plain import plain

    state, record = replayed.state, saved.record
    return {
        **game_of(record, seat),
        "game": record.game if seat is None else None,
        "seat": seat,
        "actions": len(record.steps) if seat is None else None,
        "applied": replayed.applied if seat is None else None,
        "verified": True,
        "final_hash": state.hash() if seat is None else None,
        "outcome": plain(state.outcome()),
        "pending": state.pending_seats() if state.is_open_to(seat) else None,
        "observation": plain(state.observation(seat)),
    }


def _show_replay(
    saved: SavedGame,
    rules: Ruleset,
    replayed: Replayed,
    seat: int | None,
    detail: LogDetail,
    names: tuple[str, ...],
) -> None:
    from croupier.cli.console import width
    from croupier.cli.views.game import end_of_story, plural, seats, story
    from croupier.cli.views.position import table
    from croupier.narration import Names
    from croupier.table import view

    state, called = replayed.state, Names(names)
    for text in story(rules, saved.record, state, seat, detail.value, called, width()):
        draw(text)
    data(
        f"position after {plural(replayed.applied, 'action')}, all verified · hash {state.hash()[:12]}"
        if seat is None
        else "position, verified"
    )
    acting = "chance" if state.is_chance_node() else seats(state.pending_seats(), called)
    if not state.is_terminal() and state.is_open_to(seat):
        data(f"next: {acting}")
    data("")
    draw(table(view(state, seat, state.events(seat)), called, width=width(), details=True))
    data("")
    if replayed.complete:
        draw(end_of_story(saved.record, state, seat, detail.value, called))
