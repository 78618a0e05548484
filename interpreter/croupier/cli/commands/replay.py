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
    player_names,
    seat_from_one,
)

if TYPE_CHECKING:
    from croupier.play.saved import Replayed, SavedGame
    from croupier.ruleset import Ruleset

app = typer.Typer(add_completion=False)


@app.command()
def replay(
    file: SavedFile,
    at: Annotated[int | None, typer.Option("--at", metavar="N", min=0, help="Stop after N actions.", show_default="all")] = None,
    seat: Seat = None,
    scenario: Annotated[bool, typer.Option("--scenario", help="Print a scenario of this position to start from.")] = False,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page that steps through it.", show_default=False)] = None,
    force: Force = False,
    ruleset: Rules = None,
    backend: Backend = Backends.REFERENCE,
    log: Log = LogDetail.CITED,
    names: PlayerNames = None,
    format: Human = Format.HUMAN,
) -> None:
    """Play a saved game again, verify every action and hash, and show the log and the position.

    Chance outcomes are taken from the file. A file that was edited, cut off or played with other rules is refused, at the
    place of the first difference.

    Exit code: 0 verified, 1 the game differs from the record, 2 refused: the file or the rules cannot be read.

    \b
    Examples:
      croupier replay game.json
      croupier replay game.json --at 12 --seat 2
      croupier replay game.json --at 12 --scenario
      croupier replay game.json --backend python
      croupier replay game.json --seat 2 --html game.html
    """
    from croupier.cli.options import rules_of
    from croupier.diagnostics import RulesetError
    from croupier.play.files import check_free, write_whole
    from croupier.play.saved import read_saved
    from croupier.play.saved import replay as play_again
    from croupier.server.page import Watched

    saved = read_saved(file)
    count = len(saved.record.steps)
    if at is not None and at > count:
        usage(f"the game has {count} actions", "--at")
    viewer = seat_from_one(seat, saved.record.players)
    called = player_names(names, saved.record.players)
    rules = rules_of(saved, ruleset)
    if html is not None:
        check_free(html, force=force)
    watched = Watched(viewer) if html is not None else None
    try:
        replayed = play_again(saved, rules, at, backend.value, None if watched is None else watched.add)
    except RulesetError as error:
        show(error.diagnostics)
        finish(FINDINGS)
    if html is not None and watched is not None:
        write_whole(html, watched.html(rules.title, called), force=force)
        say(f"saved as {html}")
    elif scenario:
        from croupier.play.script import skeleton

        data(skeleton(saved.record, rules, replayed.applied))
    elif format is Format.JSON:
        document(_document(saved, replayed, viewer))
    else:
        _show(saved, rules, replayed, viewer, log, called)
    finish(0)


def _document(saved: SavedGame, replayed: Replayed, seat: int | None) -> dict[str, object]:
    from croupier.play.record import plain

    state = replayed.state
    return {
        "ruleset": saved.record.ruleset,
        "ruleset_hash": saved.record.ruleset_hash,
        "seed": saved.record.seed if seat is None else None,
        "game": saved.record.game if seat is None else None,
        "actions": len(saved.record.steps),
        "applied": replayed.applied,
        "verified": True,
        "hash": state.hash() if seat is None else None,
        "outcome": plain(state.outcome()),
        "pending": state.pending_seats() if state.is_open_to(seat) else None,
        "seat": seat,
        "observation": plain(state.observation(seat)),
    }


def _show(saved: SavedGame, rules: Ruleset, replayed: Replayed, seat: int | None, detail: LogDetail, names: tuple[str, ...]) -> None:
    from croupier.cli.console import width
    from croupier.cli.views.game import heading, log, result, rule_texts
    from croupier.cli.views.position import position
    from croupier.cli.views.words import plural, seats
    from croupier.narration import Names
    from croupier.play.look import look, start_values, why_over

    state, called = replayed.state, Names(names)
    draw(heading(rules, saved.record, seat, start_values(state, seat)))
    draw(log(state.events(seat), called, detail.value, rule_texts(rules) if detail is LogDetail.RULES else None, width()))
    checked = "" if seat is not None else f" · hash {state.hash()[:12]}"
    data(f"position after {plural(replayed.applied, 'action')}, all verified{checked}")
    acting = "chance" if state.is_chance_node() else seats(state.pending_seats())
    if not state.is_terminal() and state.is_open_to(seat):
        data(f"next: {acting}")
    data(f"\n{position(look(state, seat))}\n")
    if replayed.complete:
        draw(result(saved.record, seat, called, why_over(state)))
