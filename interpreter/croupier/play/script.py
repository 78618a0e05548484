"""Decisions and chance outcomes that somebody wrote down, for `run --actions FILE`.

    croupier: 1
    actions:                              # or the list alone
      - 1: the choice of player 1         # as the log or `action_to_struct` writes it,
                                          # or `{alike: WORDS, number: 2}`
      - chance: an outcome                # left out: drawn from the stream
      - a choice                          # of whoever must act
      - all: {1: a choice, 2: a choice}   # of several seats that decide at once

A script is followed for as long as it lasts; then the bots go on.  A decision with a single legal action may
be left out.  An entry that is not possible, or that is never reached, is an error at its place in the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.diagnostics import Diagnostic, RulesetError, Source, Span, diagnose
from croupier.play.action_refs import is_numbered, numbered
from croupier.play.record import CHANCE_SEAT, FORMAT
from croupier.records import dataclass
from croupier.runtime.faults import IllegalAction
from croupier.runtime.option_matching import exact, seat_number
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence, as_json, read
from croupier.text import Rename, Seat, Text

if TYPE_CHECKING:
    from croupier.runtime.state import State


_MOST_SHOWN = 12


@dataclass(frozen=True)
class ScriptEntry:
    """One decision: whose (a seat from 0, -1 for chance, `None` for whoever must act) and what, with its
    place in the file.
    """

    seat: int | None
    choice: YamlNode
    span: Span


class Script:
    """The entries of a script, and how many of them were used.

    `rename` gives words with the names of the players: options may be written with these, too. All methods
    raise RulesetError with a diagnostic in the file.
    """

    def __init__(self, entries: Sequence[ScriptEntry], rename: Rename = str) -> None:
        self._entries = list(entries)
        self.rename = rename

    def chance(self, state: State) -> int | None:
        """The outcome of the chance event that comes now, or `None` if the script leaves it to chance."""
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
            found, wanted = self.rename(who(entry.seat)), self.rename(who(seat))
            raise RulesetError([diagnose("X521", entry.span, found=found, wanted=wanted)])
        if len(legal) == 1 and self._action(state, seat, legal, entry.choice) is None:
            return None
        return self._take(index, state, seat, legal)

    def check_used(self) -> None:
        """Refuse a script of which something was not reached when the game ended."""
        if self._entries:
            raise RulesetError([diagnose("X522", self._entries[0].span)])

    def _take(self, index: int, state: State, seat: int, legal: Sequence[int]) -> int:
        entry = self._entries.pop(index)
        action = self._action(state, seat, legal, entry.choice)
        if action is None:
            text = entry.choice.text if isinstance(entry.choice, YamlScalar) else entry.choice.span.text
            labels = [state.action_to_string(seat, each) for each in legal[:_MOST_SHOWN]]
            shown = [f"`{self.rename(label)}`" for label in labels]
            more = f" and {len(legal) - _MOST_SHOWN} more" if len(legal) > _MOST_SHOWN else ""
            notes = [f"possible here: {', '.join(shown)}{more}"] if shown else []
            raise RulesetError(
                [
                    diagnose(
                        "X520",
                        entry.span,
                        notes=notes,
                        who=self.rename(who(seat)),
                        reason=f"`{text}` is not possible here",
                    )
                ]
            )
        return action

    def _action(self, state: State, seat: int, legal: Sequence[int], choice: YamlNode) -> int | None:
        """The legal action that a node names in its structured or its readable form, or `None`."""
        form = as_json(choice)
        if is_numbered(form):
            return numbered(form, legal, lambda action, text: state.action_to_string(seat, action) == text)
        try:
            action = state.struct_to_action(seat, form)
            if action in legal:
                return action
        except IllegalAction:
            pass
        if not isinstance(choice, YamlScalar):
            return None
        try:
            action = state.string_to_action(seat, choice.text)
            return action if action in legal else None
        except IllegalAction:
            labels = [state.action_to_string(seat, each) for each in legal]
            found = exact(choice.text, labels, self.rename)
            structs = [state.action_to_struct(seat, legal[i]) for i in found]
            return legal[found[0]] if found and all(struct == structs[0] for struct in structs) else None


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


def who(seat: int | None) -> Text:
    """A seat, from 0, as people read it."""
    if seat is None:
        return Text.of("whoever must act")
    return Text.of("chance" if seat == CHANCE_SEAT else Seat(seat))


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
    number = seat_number(key.text)
    if number is None:
        diagnostics.append(
            diagnose(
                "X523", key.span, problem=f"`{key.text}` is not the number of a player, from 1, or `chance`"
            )
        )
        return None
    return number - 1
