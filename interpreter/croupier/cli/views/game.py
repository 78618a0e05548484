"""A game for people: what was played, the log with the rule behind each line, and the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.cli.views.words import bots, plural, seats, value
from croupier.diagnostics import sanitise

if TYPE_CHECKING:
    from rich.text import Text

    from croupier.load import Ruleset
    from croupier.play.record import Record
    from croupier.runtime.story import Event

_QUIET, _STRONG = "dim", "bold"
_CITATION_COLUMN = 72


def heading(ruleset: Ruleset, record: Record, seat: int | None) -> Text:
    """What was played, with which parameters, and whose log follows."""
    from rich.text import Text

    game = f" · game {record.game}" if record.game != 1 else ""
    text = Text(sanitise(ruleset.title), style=_STRONG)
    who = f"{plural(record.players, 'player')}, bots {bots(record.bots)}"
    dealt = f" · seed {record.seed}{game}" if seat is None else ""  # with those a seat could play the game again and see all of it
    text.append(f"\n{who}{dealt} · rules {record.ruleset_hash[:12]}", "")
    defaults = {name: value(default) for name, default in ruleset.defaults(record.players).items()}
    seats = {parameter.name for parameter in ruleset.parameters if parameter.type_text in ("Player", "Player?")}
    given = {name: f"player {x + 1}" if name in seats and isinstance(x, int) else value(x) for name, x in record.parameters.items()}
    changed = [f"{sanitise(name)} = {given[name]}" for name, x in record.parameters.items() if value(x) != defaults.get(name)]
    if changed:
        text.append(f"\nparameters: {', '.join(changed)}", "")
    whose = "the log of the referee, who sees everything" if seat is None else f"the log of player {seat + 1}: what that seat sees"
    text.append(f"\n{whose}\n", _QUIET)
    return text


def log(events: Sequence[Event]) -> Text:
    """One line an event, the rules it follows from at its end; the phases in which something happened are headings."""
    from rich.text import Text

    text, number = Text(), 0
    heading: Event | None = None
    for event in events:
        if event.kind == "phase":
            heading = event
        elif not event.quiet:
            if heading is not None:
                text.append("      ")
                _line(text, heading, _STRONG)
                heading = None
            number += 1
            text.append(f"{number:>4}  ", _QUIET)
            _line(text, event)
    return text


def _line(text: Text, event: Event, style: str | None = None) -> None:
    words = sanitise(event.text)
    text.append(words, style)
    if event.rules:
        text.append(" " * max(2, _CITATION_COLUMN - len(words)) + f"[{', '.join(map(sanitise, event.rules))}]", _QUIET)
    text.append("\n")


def result(record: Record, viewer: int | None = None) -> Text:
    """How the game ended, with a line a seat; the digest is for the referee."""
    from rich.text import Text

    outcome = record.outcome
    text = Text()
    if record.status == "finished":
        winners = outcome["winners"] or []
        grade = f" ({value(outcome['grade'])})" if outcome.get("grade") else ""
        text.append(f"{seats(winners)} {'win' if len(winners) > 1 else 'wins'}{grade}", _STRONG)
    else:
        text.append(record.status, f"{_STRONG} red")
    if outcome.get("reason"):
        text.append(f": {value(outcome['reason'])}")
    fault = outcome.get("fault")
    if fault and fault.get("message") != outcome.get("reason"):
        text.append(f": {value(fault.get('message'))} [{value(fault.get('code'))}]")
    scores = outcome.get("scores") or []
    for seat, number in enumerate(record.returns):
        score = f"   score {value(scores[seat])}" if seat < len(scores) else ""
        text.append(f"\n  player {seat + 1}{score}   result {value(number)}")
    digest = f" · digest {record.digest[:12]}" if viewer is None else ""
    text.append(f"\n{plural(record.decisions, 'decision')}, {plural(record.chance_events, 'chance event')}{digest}", _QUIET)
    return text
