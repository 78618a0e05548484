"""References to one of several actions that read alike, and whose structures are alike too: `{alike: WORDS,
number: 2}` is the second of those that read so.

They are counted from 1, in the order in which they are offered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from croupier.runtime.faults import IllegalAction

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
