"""`croupier explain-move`: why a move is not legal, or what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import document, draw, finish, usage
from croupier.cli.options import Format, Human, Rules, SavedFile, seat_from_one
from croupier.cli.views.game import plural
from croupier.diagnostics import did_you_mean, sanitise
from croupier.text import Seat

if TYPE_CHECKING:
    from rich.text import Text

    from croupier.authoring.explain import Explanation
    from croupier.diagnostics import Span
    from croupier.runtime.clauses import Clause


def explain_move(
    file: SavedFile,
    at: Annotated[
        int | None,
        typer.Option(
            "--at",
            metavar="N",
            min=0,
            help="Take the position after N actions.",
            show_default="that before the last action",
        ),
    ] = None,
    action: Annotated[
        str | None,
        typer.Option(
            "--action",
            "-a",
            metavar="A",
            help="Explain this move: its words, or the integer of its option.",
            show_default="the move of the saved game",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            "--seat",
            metavar="P",
            min=1,
            help="Explain a move of the player in seat P; seats count from 1.",
            show_default="the player who acts",
        ),
    ] = None,
    ruleset: Rules = None,
    format: Human = Format.HUMAN,
) -> None:
    """Show why a move is not legal in a position of a saved game, or what a legal one does.

    Of a move that is not legal it shows the clauses that forbid it, with their places, words and rules. Of a
    legal move it shows the clause that offers it, the conditions that it meets, and all events up to the next
    decision, each with the clause and the rules that it follows from. It shows everything, as a referee sees
    it.

    Chance events count as actions. Choices that several players make at the same time count as one action; of
    those, the choices of the other players stay as they are in the saved game.

    Exit code: 0 explained, 2 refused: the file cannot be replayed, or the game has no such place.

    \b
    Examples:
      croupier run my_game --seed 1 --save game.json
      croupier explain-move game.json --at 6
      croupier explain-move game.json --at 6 --seat 1 --action "something else"
      croupier explain-move game.json --at 6 --seat 2 --format json
    """
    from croupier.authoring.explain import explain_move as explain
    from croupier.cli.options import rules_of
    from croupier.play.record import SEVERAL_SEATS
    from croupier.play.replay import replay
    from croupier.play.saved import read_saved

    if action is not None and not action.strip():
        usage("is empty: write the words of the move", "--action")
    saved = read_saved(file)
    steps = saved.record.steps
    at = max(0, len(steps) - 1) if at is None else at
    if at > len(steps):
        usage(f"the game has {len(steps)} actions", "--at")
    who = seat_from_one(seat, saved.record.players)
    rules = rules_of(saved, ruleset)
    state = replay(saved, rules, at).state
    made = steps[at].choices if at < len(steps) else ()
    several = at < len(steps) and steps[at].seat == SEVERAL_SEATS
    if several and who is None:
        who = made[0].seat
    move: str | int
    if action is not None:
        move = action
    elif at == len(steps) and steps and state.is_terminal():
        usage(
            f"the game is over after its {len(steps)} actions: give a number from 0 to {len(steps) - 1}",
            "--at",
        )
    elif at == len(steps):
        usage("the game has no action there: say which move you mean", "--action")
    else:
        own = next((c for c in made if who is None or c.seat == who), made[0])
        move, who = own.action, own.seat if several or who is None else who
    found = explain(state, move, who, {c.seat: c.action for c in made if several and c.seat != who})
    if format is Format.JSON:
        header = {
            "ruleset": saved.record.ruleset,
            "hash": rules.ruleset_hash,
            "parameters": saved.record.parameters,
        }
        document("explain-move", {**header, "players": saved.record.players, "at": at, **found.to_json()})
    else:
        draw(explanation(found, at))
    finish(0)


_MOST_OFFERED = 12


def explanation(found: Explanation, at: int | None = None) -> Text:
    """The move, the number of actions before it, and why it is not legal or what it does.

    Each clause is shown with its line, its span and the rules it cites.
    """
    from rich.text import Text

    who, can = ("chance", "possible") if found.seat < 0 else (str(Seat(found.seat)), "legal")
    text = Text(f"{who}: {sanitise(found.label)}", style="bold")
    if found.legal:
        text.append(f" is {can}", "bold green")
    else:
        text.append(f" is not {can}", "bold red")
    text.append("\n\n" if at is None else f"  (after {plural(at, 'action')})\n\n", "dim")
    if not found.legal:
        nothing = (
            not found.known
            and found.seat >= 0
            and not any(c.kind == "turn" or c.kind == "reaction" and c.span for c in found.forbidden)
        )
        for clause in found.forbidden:
            # a reaction that does not exist needs no reason why it is not offered
            if not (nothing and clause.kind == "reaction"):
                _clause(text, sanitise(clause.told), clause)
        if nothing:
            text.append("  nothing that could be done here is called so\n")
            near = did_you_mean(found.label, found.offered)
            if near is not None:
                text.append(f"  did you mean `{sanitise(near)}`?\n")
        if found.offered:
            shown = ", ".join(f"`{sanitise(w)}`" for w in found.offered[:_MOST_OFFERED])
            text.append(f"\n{can} here: {shown}{' …' if len(found.offered) > _MOST_OFFERED else ''}\n", "dim")
        return text
    if found.decision is not None:
        _clause(text, "chance falls" if found.seat < 0 else "the decision", found.decision)
    for clause in found.passed:
        words = f"“{sanitise(clause.words)}”"
        _clause(
            text,
            f"the {clause.kind} {words}" if clause.kind in ("reaction", "option") else f"{words} holds",
            clause,
        )
    told = [event for event in found.events if not event.quiet]
    if told:
        text.append("\nwhat happens\n", "bold")
    for event in told:
        _line(text, sanitise(event.text), event.rules, event.span)
    return text


def _clause(text: Text, words: str, clause: Clause) -> None:
    _line(text, words, clause.rules, clause.span)


def _line(text: Text, words: str, rules: tuple[str, ...], span: Span | None) -> None:
    cites = f"  [{', '.join(map(sanitise, rules))}]" if rules else ""
    text.append(f"  {words}").append(f"{cites}\n", "cyan")
    if span is not None:
        line = " ".join(span.source.line(span.line).split())
        text.append(
            f"      {sanitise(span.source.name)}:{span.line}:{span.column}  {sanitise(line)}\n", "dim"
        )
