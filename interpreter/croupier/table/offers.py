"""The options of a seat, and what each concerns.

The names in the structure of an action are those of components, cells, zones or players.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.diagnostics import JsonObject
from croupier.runtime.legality import several
from croupier.runtime.state import State
from croupier.table.view import Decision, Option
from croupier.text import Text

NAMED_BY = ("value", "item", "with")  # the parts of a structure that name what was chosen


class Offers:
    """The options of a seat by the words that they name, and by the seats that are their words."""

    def __init__(self, state: State, seat: int | None, asked: JsonObject | None) -> None:
        self.state, self.seat, self.asked = state, seat, asked
        self.by_name: dict[str | int, list[int]] = {}
        self._used: set[int] = set()
        if asked is not None and seat is not None:
            for action, words in asked["options"].items():
                self._note(int(action), Text.of(words), state.action_to_struct(seat, int(action)))

    def _note(self, action: int, words: Text, struct: object) -> None:
        parts = struct if isinstance(struct, dict) else {}
        names: set[str | int] = {*_names(parts[key] for key in NAMED_BY if key in parts)}
        if words.seat is not None:
            names.add(words.seat)
        for name in names:
            self.by_name.setdefault(name, []).append(action)

    def concerning(self, name: str | int) -> tuple[int, ...]:
        """The options that name something, or whose words are the player of a seat."""
        found = tuple(self.by_name.get(name, ()))
        self._used.update(found)
        return found

    def decision(self) -> Decision | None:
        """The question that the seat must answer; to be called when everything that may bear options was
        made.
        """
        if self.asked is None or self.seat is None:
            return None
        options = tuple(
            Option(int(action), Text.of(words), int(action) in self._used)
            for action, words in self.asked["options"].items()
        )
        amount = several(self.state, self.seat)
        if amount is None:
            return Decision(self.asked["asks"], options)
        return Decision(
            self.asked["asks"], options, amount.least, amount.most, tuple(map(Text.of, amount.taken))
        )


def _names(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            yield from _names(value)
        elif isinstance(value, dict):
            yield from _names(value.values())
