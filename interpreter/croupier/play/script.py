"""Decisions and chance outcomes that somebody wrote down; one of several actions that read alike; a scenario
to start from.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from croupier.diagnostics import Diagnostic, RulesetError, Source, Span, diagnose
from croupier.play.record import CHANCE_SEAT, FORMAT, GameRecord, RecordedChoice, RecordedStep, plain
from croupier.records import dataclass
from croupier.resources import VARIANTS, name_of
from croupier.runtime.faults import IllegalAction
from croupier.runtime.parameters import as_recorded
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence, read

# ---------------------------------------------------------------- alike
# One of several actions that read alike, and whose structures are alike too: `{alike: WORDS, number: 2}` is
# the second of those that read so.
#
# They are counted from 1, in the order in which they are offered.
if TYPE_CHECKING:
    from croupier.runtime.state import State

WORDS, NUMBER = "alike", "number"


def action_text(state: State, seat: int, action: int, structure: object) -> object:
    """Return the form of a legal action by which it is found again: its words, its structure, or its words
    with its number among those alike.
    """
    words = state.action_to_string(seat, action)
    for form in (words, structure):
        try:
            if state.struct_to_action(seat, form) == action:
                return form
        except IllegalAction:
            pass
    alike = [a for a in _options(state, seat) if state.action_to_string(seat, a) == words]
    return {WORDS: words, NUMBER: alike.index(action) + 1}


def is_numbered(structure: object) -> bool:
    """Tell whether a JSON value means one of several actions that read alike."""
    return (
        isinstance(structure, dict) and set(structure) == {WORDS, NUMBER} and type(structure[NUMBER]) is int
    )


def numbered(structure: Any, options: Sequence[int], reads: Callable[[int, str], bool]) -> int | None:  # noqa: ANN401 - a value of JSON
    """Return the action that such a value means; `None` if there are fewer that read so.

    `reads` says whether an action reads like a text.
    """
    alike = [action for action in options if reads(action, str(structure[WORDS]))]
    number = structure[NUMBER]
    return alike[number - 1] if 1 <= number <= len(alike) else None


def _options(state: State, seat: int) -> Sequence[int]:
    return state.legal_actions(None if seat < 0 else seat)


# ---------------------------------------------------------------- script
# Decisions and chance outcomes that somebody wrote down, for `run --actions FILE`.
#
#     croupier: 1
#     actions:                        # or the list alone
# - 1: the choice of player 1   # as the log or `action_to_struct` writes it, or `{alike: WORDS, number: 2}`
#       - chance: an outcome          # left out: drawn from the stream
#       - a choice                    # of whoever must act
#       - all: {1: a choice, 2: a choice}   # of several seats that decide at once
#
# A script is followed for as long as it lasts; then the bots go on.  A decision with a single legal action
# may be left out.
# An entry that is not possible, or that is never reached, is an error at its place in the file.
if TYPE_CHECKING:
    from croupier.runtime.state import State

_MOST_SHOWN = 12
_SEAT = re.compile(r"(?:P|player )?([1-9][0-9]{0,3})\Z", re.ASCII)


@dataclass(frozen=True)
class ScriptEntry:
    """One decision: whose (a seat from 0, -1 for chance, None for whoever must act) and what, with its place
    in the file.
    """

    seat: int | None
    choice: YamlNode
    span: Span


class Script:
    """The entries of a script, and how many of them were used.

    All methods raise RulesetError with a diagnostic in the file.
    """

    def __init__(self, entries: Sequence[ScriptEntry]) -> None:
        self._entries = list(entries)

    def chance(self, state: State) -> int | None:
        """The outcome of the chance event that comes now, or None if the script leaves it to chance."""
        if self._entries and self._entries[0].seat == CHANCE_SEAT:
            return self._take(0, state, CHANCE_SEAT, [action for action, _ in state.chance_outcomes()])
        return None

    def decision(self, state: State, seat: int, legal: Sequence[int]) -> int | None:
        """Return the action of a seat that must act; `None` if the script is over or leaves out a decision
        with a single legal action.
        """
        if not self._entries:
            return None
        together = len(state.pending_seats())
        for index, entry in enumerate(self._entries[:together]):
            if entry.seat == seat or (entry.seat is None and index == 0):
                break
        else:
            if len(legal) == 1:
                return None
            entry = self._entries[0]
            raise RulesetError([diagnose("X521", entry.span, found=who(entry.seat), wanted=who(seat))])
        if len(legal) == 1 and _action(state, seat, legal, entry.choice) is None:
            return None
        return self._take(index, state, seat, legal)

    def check_used(self) -> None:
        """Refuse a script of which something was not reached when the game ended."""
        if self._entries:
            raise RulesetError([diagnose("X522", self._entries[0].span)])

    def _take(self, index: int, state: State, seat: int, legal: Sequence[int]) -> int:
        entry = self._entries.pop(index)
        action = _action(state, seat, legal, entry.choice)
        if action is None:
            text = entry.choice.text if isinstance(entry.choice, YamlScalar) else entry.choice.span.text
            shown = [f"`{state.action_to_string(seat, each)}`" for each in legal[:_MOST_SHOWN]]
            more = f" and {len(legal) - _MOST_SHOWN} more" if len(legal) > _MOST_SHOWN else ""
            notes = [f"possible here: {', '.join(shown)}{more}"] if shown else []
            raise RulesetError(
                [
                    diagnose(
                        "X520",
                        entry.span,
                        notes=notes,
                        who=who(seat),
                        reason=f"`{text}` is not possible here",
                    )
                ]
            )
        return action


def read_script(source: Source) -> Script:
    """The script of a text.  Raises RulesetError with every diagnostic for a text that is not one."""
    root, diagnostics = read(source)
    if root is None or any(diagnostic.is_error for diagnostic in diagnostics):
        raise RulesetError(diagnostics)
    entries: list[ScriptEntry] = []
    for item in _actions(root, diagnostics):
        if isinstance(item, YamlMapping):
            together = item.get("all")
            for key, value in together.entries if isinstance(together, YamlMapping) else item.entries:
                seat = _seat(key, diagnostics)
                entries.append(ScriptEntry(seat, value, key.span.to(value.span)))
        else:
            entries.append(ScriptEntry(None, item, item.span))
    if diagnostics:
        raise RulesetError(diagnostics)
    return Script(entries)


def who(seat: int | None) -> str:
    """A seat, from 0, as people read it."""
    if seat is None:
        return "whoever must act"
    return "chance" if seat == CHANCE_SEAT else f"player {seat + 1}"


def _actions(root: YamlNode, diagnostics: list[Diagnostic]) -> Sequence[YamlNode]:
    if isinstance(root, YamlSequence):
        return root.items
    if not isinstance(root, YamlMapping):
        diagnostics.append(diagnose("X523", root.span, problem="a script is a list of decisions"))
        return ()
    actions: Sequence[YamlNode] = ()
    for key, value in root.entries:
        if key.text == "croupier":
            if not isinstance(value, YamlScalar) or value.value != FORMAT:
                found = value.text if isinstance(value, YamlScalar) else "not a number"
                diagnostics.append(diagnose("X503", value.span, found=found, known=FORMAT))
        elif key.text == "actions" and isinstance(value, YamlSequence):
            actions = value.items
        elif key.text == "actions":
            diagnostics.append(diagnose("X523", value.span, problem="`actions` is a list of decisions"))
        else:
            diagnostics.append(diagnose("X523", key.span, problem=f"a script has no key `{key.text}`"))
    if root.get("actions") is None:
        diagnostics.append(
            diagnose("X523", root.span, problem="a script has a list of decisions under `actions`")
        )
    return actions


def _seat(key: YamlScalar, diagnostics: list[Diagnostic]) -> int | None:
    if key.text == "chance":
        return CHANCE_SEAT
    match = _SEAT.match(key.text)
    if match is None:
        diagnostics.append(
            diagnose(
                "X523", key.span, problem=f"`{key.text}` is not the number of a player, from 1, or `chance`"
            )
        )
        return None
    return int(match.group(1)) - 1


def _action(state: State, seat: int, legal: Sequence[int], choice: YamlNode) -> int | None:
    """The legal action that a node names in its structured or its readable form, or None."""
    form = structure(choice)
    if is_numbered(form):
        return numbered(form, legal, lambda action, text: state.action_to_string(seat, action) == text)
    try:
        action = state.struct_to_action(seat, form)
        if action in legal:
            return action
    except IllegalAction:
        pass
    if isinstance(choice, YamlScalar):
        try:
            action = state.string_to_action(seat, choice.text)
            return action if action in legal else None
        except IllegalAction:
            pass
    return None


def structure(node: YamlNode) -> object:
    """A node as a JSON value."""
    if isinstance(node, YamlScalar):
        return node.value if node.style == "plain" else node.text
    if isinstance(node, YamlMapping):
        return {key.text: structure(value) for key, value in node.entries}
    assert isinstance(node, YamlSequence)
    return [structure(item) for item in node.items]


# ---------------------------------------------------------------- scenario_template
# A scenario to start from: the set-up and everything that led to a position, with the checks left to be
# written.
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
