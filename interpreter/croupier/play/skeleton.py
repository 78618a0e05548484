"""A scenario to start from: the set-up and everything that led to a position, with the checks left to be written."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from croupier.play.record import CHANCE_SEAT, FORMAT, Record, Step
from croupier.play.replay import Replayed

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*\Z", re.ASCII)
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off"})
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def skeleton(record: Record, replayed: Replayed) -> str:
    """The text of a scenario file with one scenario that leads to the position; seats count from 1 in it."""
    done = record.steps[: replayed.applied]
    lines = [
        f"croupier: {FORMAT}",
        f"ruleset: {flow(record.ruleset)}",
        "scenarios:",
        "  - id: NEW-1",
        f"    title: after {len(done)} actions of game {record.game} with seed {record.seed}",
        "    cites: []",
        "    given:",
        f"      players: {record.players}",
        f"      parameters: {flow(record.parameters)}",
        "      actions:" if done else "      actions: []",
        *(f"        - {_step(step)}" for step in done),
        "    do: []",
        "    then: []",
    ]
    return "\n".join(lines) + "\n"


def _step(step: Step) -> str:
    parts = [f"{'chance' if choice.seat == CHANCE_SEAT else choice.seat + 1}: {flow(choice.choice)}" for choice in step.choices]
    return "{" + ", ".join(parts) + "}" if step.several else parts[0]


def flow(value: Any) -> str:
    """A JSON value as YAML on one line, every sign of it visible."""
    if isinstance(value, str):
        return value if _PLAIN.match(value) and value.lower() not in _WORDS else _quoted(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow(str(key))}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return json.dumps(value)


def _quoted(text: str) -> str:
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(sign: str) -> str:
    if sign in '"\\':
        return f"\\{sign}"
    if unicodedata.category(sign) in _INVISIBLE:
        return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08x}"
    return sign
