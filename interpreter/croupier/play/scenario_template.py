"""A scenario to start from: the set-up and everything that led to a position, with the checks left to be
written.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.play.action_refs import action_text
from croupier.play.plain import plain
from croupier.play.record import FORMAT, GameRecord, RecordedChoice, RecordedStep
from croupier.resources import VARIANTS, name_of
from croupier.runtime.parameters import as_recorded

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State


_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*( [A-Za-z0-9_.-]+)*\Z", re.ASCII)
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "any"})
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def scenario_template(record: GameRecord, ruleset: Ruleset, at: int) -> str:
    """The text of a scenario file with one scenario, which plays the first `at` actions of a verified record
    and passes.
    """
    return scenario_text(
        record,
        ruleset,
        at,
        id="new",
        title=f"after {at} actions of game {record.game} with seed {record.seed}",
    )


def scenario_text(
    record: GameRecord,
    ruleset: Ruleset,
    at: int,
    *,
    id: str,
    title: str,
    then: Sequence[str] = (),
    of: str = "",
) -> str:
    """The same, with a name and a title, and the lines of its checks; without them the game stands as it does
    behind these actions.

    `of` is how the file names the ruleset, where it has to.
    """
    state = ruleset.new_initial_state(record.players, as_recorded(ruleset.program, record.parameters))
    lines = [
        f"croupier: {FORMAT}",
        *([f"ruleset: {flow(of)}"] if of else _ruleset(ruleset)),
        "",
        "scenarios:",
        f"  - id: {id}",
        f"    title: {flow(title)}",
        "    cites: []",
        "    given:",
        f"      players: {record.players}",
    ]
    changed = _parameters(state, ruleset)
    if changed:
        lines.append(f"      parameters: {flow(changed)}")
    if at:
        lines.append("      play:")
    for step in record.steps[:at]:
        lines.append(f"        - {_step(state, step)}")
        actions = [choice.action for choice in step.choices]
        state.apply_actions(actions) if step.several else state.apply_action(actions[0])
    if not then:
        status = "running" if not state.is_terminal() else state.outcome()["status"]
        then = [f"      outcome: {{status: {status}}}"]
    lines += ["    do: []", "    then:", *then]
    return "\n".join(lines) + "\n"


def _ruleset(ruleset: Ruleset) -> list[str]:
    """Return the line that names the rules; empty for a ruleset that is not shipped, because the file belongs
    into its folder `scenarios`.
    """
    name = name_of(ruleset.path)
    if name is not None:
        return [f"ruleset: {flow(name)}"]
    return (
        [f"ruleset: {flow(ruleset.path.stem)}"]
        if ruleset.path.parent.name == VARIANTS or "+" in ruleset.path.name
        else []
    )


def _parameters(state: State, ruleset: Ruleset) -> dict[str, object]:
    """The parameters that are not at their defaults, as people write them."""
    values, game = state.parameters, state.game
    defaults = ruleset.defaults(game.players, values)
    changed = [p for p in game.program.params.values() if values[p.name] != defaults[p.name]]
    return {p.name: plain(game.to_json(game.parameters[p.name], p.type, spoken=True)) for p in changed}


def _step(state: State, step: RecordedStep) -> str:
    parts = [f"P{choice.seat + 1}: {_choice(state, choice)}" for choice in step.choices]
    if step.is_chance:
        return f"chance: {_choice(state, step.choices[0])}"
    return "all: {" + ", ".join(parts) + "}" if step.several else parts[0]


def _choice(state: State, choice: RecordedChoice) -> str:
    """The words of a choice, or its structure or its number where the words stand for another one."""
    return flow(action_text(state, choice.seat, choice.action, choice.choice))


def flow(value: object) -> str:
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
