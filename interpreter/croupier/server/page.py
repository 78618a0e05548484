"""What one seat is sent: its view, its log, the words of the rules that the log cites. A function of what the seat may know, and of the ruleset."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from croupier.diagnostics import JsonObject
from croupier.narration import Line, narrate, prompt
from croupier.runtime.state import SPECTATOR
from croupier.table import view

if TYPE_CHECKING:
    from croupier.runtime.state import State

MAX_LINES = 400  # of the log, the last ones
_VERSION = '{"version": "'  # what each page begins with
_LENGTH = 32


def page(state: State, seat: int | None, names: tuple[str, ...], *, has_chosen: bool = False, can_undo: bool = False) -> bytes:
    """What a seat is sent (none: who looks on), as JSON; `has_chosen` while others still choose at the same time.

    `can_undo` follows from what the seat perceived, too (`Sitting.can_undo`).
    """
    reader = SPECTATOR if seat is None else seat
    seen = view(state, reader).to_json()
    if has_chosen:
        seen["decision"] = None
    events = state.events(reader)
    lines = narrate(events, open_end=not state.is_terminal())
    told = [told_as(line) for line in lines[-MAX_LINES:]]
    cited = {rule for line in lines[-MAX_LINES:] for rule in line.rules}
    rules = {rule: words for rule, (_, words) in state.ruleset.program.rule_ids.items() if rule in cited}
    body: JsonObject = {"seat": seat, "names": list(names), "view": seen, "log": told, "rules": rules}
    body |= {"has_chosen": has_chosen, "can_undo": can_undo}
    asked = None if seat is None else seen["decision"]
    body["prompt"] = None if asked is None or seat is None else asdict(prompt(events, seat, asked["asks"]))
    text = json.dumps(body, ensure_ascii=True, sort_keys=True)
    return f'{_VERSION}{hashlib.sha256(text.encode()).hexdigest()[:_LENGTH]}", {text[1:]}'.encode()


def told_as(line: Line) -> dict[str, object]:
    """A line of the log, as pages read it."""
    return {"part": line.part, "heading": line.title, "text": line.text, "rules": list(line.rules), "actor": line.actor}


def version(page: bytes) -> str:
    """The version of a page."""
    return page[len(_VERSION) : len(_VERSION) + _LENGTH].decode()
