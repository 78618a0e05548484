"""`croupier explain-move`: why a move is not legal, or what it does."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.console import document, draw, finish, usage
from croupier.cli.options import Format, Human, Rules, SavedFile, seat_from_one

app = typer.Typer(add_completion=False)


@app.command(name="explain-move")
def explain_move(
    file: SavedFile,
    at: Annotated[int | None, typer.Option("--at", metavar="N", min=0, help="After N actions.", show_default="before the last")] = None,
    action: Annotated[
        str | None,
        typer.Option("--action", "-a", metavar="A", help="The move in words, or the integer of its option.", show_default="what was done there"),
    ] = None,
    seat: Annotated[int | None, typer.Option("--seat", metavar="P", min=1, help="Whose move, counted from 1.", show_default="who acts")] = None,
    ruleset: Rules = None,
    format: Human = Format.HUMAN,
) -> None:
    """Show why a move is not legal in a position of a saved game, or what a legal one does.

    Of a move that is not legal: the clauses that keep it from being offered, with their places, words and rules. Of a legal one:
    the clause that asks, the conditions it meets or the reaction it is, and what happens up to the next decision, event by event,
    each with the clause and the rules it follows from. Everything is told as the referee sees it.

    Chance events are actions, too. Where several players choose at the same time, what they choose is one action, and what the
    others chose there is taken as given.

    Exit code: 0 explained, 2 refused: the file cannot be replayed, or the game has no such place.

    \b
    Examples:
      croupier explain-move game.json --at 0
      croupier explain-move game.json --at 0 --action "something else"
      croupier explain-move game.json --at 0 --seat 2 --format json
    """
    from croupier.authoring.explain import explain_move as explain
    from croupier.cli.saved import rules_of
    from croupier.play.record import SEVERAL_SEATS
    from croupier.play.replay import replay
    from croupier.play.saved import read_saved

    if action is not None and not action.strip():
        usage("is empty: say the words of the move", "--action")
    saved = read_saved(file)
    steps = saved.record.steps
    at = max(0, len(steps) - 1) if at is None else at
    if at > len(steps):
        usage(f"the game has {len(steps)} actions", "--at")
    who = seat_from_one(seat, saved.record.players)
    state = replay(saved, rules_of(saved, ruleset), at).state
    made = steps[at].choices if at < len(steps) else ()
    several = at < len(steps) and steps[at].seat == SEVERAL_SEATS
    if several and who is None:
        who = made[0].seat
    move: str | int
    if action is not None:
        move = action
    elif at == len(steps) and steps and state.is_terminal():
        usage(f"the game is over after its {len(steps)} actions: say before which of them, 0 to {len(steps) - 1}", "--at")
    elif at == len(steps):
        usage("the game has no action there: say which is meant", "--action")
    else:
        own = next((c for c in made if who is None or c.seat == who), made[0])
        move, who = own.action, own.seat if several or who is None else who
    found = explain(state, move, who, {c.seat: c.action for c in made if several and c.seat != who})
    if format is Format.JSON:
        document({"at": at, **found.to_json()})
    else:
        from croupier.cli.views.explanation import explanation

        draw(explanation(found, at))
    finish(0)
