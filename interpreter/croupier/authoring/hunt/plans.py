"""Plans: what seats do in a game of a hunt, and the options that a plan takes.

A plan is followed by all seats, or by one while the others choose at random. Where it leaves several options,
one of them is drawn. Options go by *kinds*: the words that the rules have for them and where these stand,
with the value of what has names, so that one kind stands for "this option" in all positions and games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.authoring.hunt.quantities import Quantity
from croupier.diagnostics import JsonObject
from croupier.kernel import types as t
from croupier.text import Seat

if TYPE_CHECKING:
    from croupier.runtime.state import State
    from croupier.runtime.streams import Stream

MAX_LOOKED_AT = 8  # options of a decision that a plan tries on a copy
# of these, where an end is looked for: most decisions end no game, and every option would be tried
MAX_TRIED_TO_END = 2
MAX_KIND = 120  # characters of a kind


@dataclass(frozen=True)
class Setup:
    """A number of players and the parameters that were set, as JSON values or as they were typed."""

    players: int
    parameters: tuple[tuple[str, Any], ...] = ()

    @property
    def words(self) -> str:
        """`3 players, rounds = 60`."""
        players = "1 player" if self.players == 1 else f"{self.players} players"
        return ", ".join([players, *(f"{name} = {_plain_words(value)}" for name, value in self.parameters)])


def _plain_words(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Plan:
    """The behaviour of seats in one game.

    `policy` is a name of `CHOOSE`. `option` is a kind of option, or the name of a quantity; `index` is the
    place of an option, below 0 from the end; `effects` say by how much a kind of option has changed the
    quantity, how often it has ended the game, or how often it was taken.
    """

    policy: str = "random"
    option: str = ""
    index: int = 0
    up: bool = True
    looks: bool = False  # does it try some options on a copy of the position first?
    slack: int = 0  # of 100 decisions so many are drawn at random
    seat: int | None = None  # the seat that follows it, from 0; None: all do
    effects: Mapping[str, float] = field(default_factory=dict, hash=False)
    # moves of an earlier game that are played first: seats, -1 for chance, and actions
    beginning: tuple[tuple[int, int], ...] = ()

    @property
    def words(self) -> str:
        """The plan in words: what everybody or somebody does."""
        what = _WORDS[self.policy].format(
            option=self.option, place=_place(self.index), way="up" if self.up else "down"
        )
        who = "everybody" if self.seat is None else f"{Seat(self.seat)}, with others who choose at random,"
        begun = f"after {len(self.beginning)} actions of an earlier game " if self.beginning else ""
        mostly = f" in {100 - self.slack} of 100 decisions" if self.slack else ""
        return f"{begun}{who} {what}{mostly}"

    @property
    def tries(self) -> bool:
        """Tell whether it tries options on copies of the position."""
        return self.looks or self.policy in ("longest", "shortest")

    def to_json(self) -> JsonObject:
        """The plan without what it learned from."""
        return {name: value for name, value in asdict(self).items() if name not in ("effects", "beginning")}


def plan_from(data: Mapping[str, Any]) -> Plan:
    """The plan of `to_json`. Raises TypeError or ValueError for anything else."""
    known = {f.name for f in fields(Plan)}
    if not set(data) <= known or data.get("policy") not in CHOOSE:
        raise ValueError("this is no plan")
    return Plan(**data)


def _place(index: int) -> str:
    """`the first`, `the third`, `the last but one`."""
    places = ("first", "second", "third", "fourth", "fifth")
    if index >= 0:
        return f"the {places[index]}" if index < len(places) else f"number {index + 1}"
    return ("the last", "the last but one")[-index - 1] if index >= -2 else f"number {-index} from the end"


_WORDS = {
    "random": "chooses at random",
    "index": "always takes {place} option",
    "decline": "declines whatever can be declined",
    "accept": "never declines",
    "always": "takes “{option}” whenever possible",
    "never": "never takes “{option}”",
    "drive": "drives {option} {way}",
    "longest": "plays for as long as possible",
    "shortest": "ends the game as soon as possible",
    "new": "prefers what was taken least",
}


# ------------------------------------------------------------ options
def kind_of(state: State, seat: int, action: int) -> str:
    """The kind of a legal action: its words in the rules, the value of what has names, and the line."""
    waiting: Any = state._m.waiting
    place = "" if waiting is None else f" ({Path(waiting.span.source.name).name}:{waiting.span.line})"
    called = state.called(seat, action)
    if called is None:
        return f"{state.action_to_string(seat, action)[:MAX_KIND]}{place}"
    names, types, values = called
    shown = [
        state.game.show(value, kind)
        for value, kind in zip(values, types, strict=True)
        if isinstance(kind, t.Enum | t.Bool | t.Player)
    ]
    return f"{' '.join([names[0], *shown])[:MAX_KIND]}{place}"


def declines(state: State, seat: int, action: int) -> bool:
    """Tell whether a legal action chooses nothing, or no more."""
    if state.declines(action) or state.ends(action):
        return True
    words = state.action_to_string(seat, action).casefold()
    return words in _DECLINING


_DECLINING = frozenset({"done", "pass", "no", "none", "stop", "nothing", "skip", "end", "finish"})
"""Words of options by which players usually do nothing."""


class Chooser:
    """Takes options by a plan, for one seat; draws from a stream."""

    def __init__(self, plan: Plan, quantities: Mapping[str, Quantity], stream: Stream) -> None:
        self.plan, self.stream = plan, stream
        self.quantity = quantities.get(plan.option) if plan.policy == "drive" else None

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """One of the options, of which there is at least one."""
        if len(options) == 1:
            return options[0]
        plan = self.plan
        is_followed = plan.seat in (None, seat) and (not plan.slack or self.stream.uniform(100) >= plan.slack)
        left = CHOOSE[plan.policy](self, state, seat, options) if is_followed else options
        return left[self.stream.uniform(len(left))]

    # ------------------------------------------------------------ those that a plan leaves
    def _all(self, state: State, seat: int, options: Sequence[int]) -> Sequence[int]:
        return options

    def _at_index(self, state: State, seat: int, options: Sequence[int]) -> Sequence[int]:
        index = self.plan.index
        return [options[min(index, len(options) - 1)] if index >= 0 else options[max(index, -len(options))]]

    def _declining(self, state: State, seat: int, options: Sequence[int]) -> Sequence[int]:
        return [option for option in options if declines(state, seat, option)] or options

    def _accepting(self, state: State, seat: int, options: Sequence[int]) -> Sequence[int]:
        return [option for option in options if not declines(state, seat, option)] or options

    def _of_kind(self, state: State, seat: int, options: Sequence[int]) -> Sequence[int]:
        return [option for option in options if kind_of(state, seat, option) == self.plan.option] or options

    def _not_of_kind(self, state: State, seat: int, options: Sequence[int]) -> Sequence[int]:
        return [option for option in options if kind_of(state, seat, option) != self.plan.option] or options

    def _of_effect(
        self, best: Callable[[list[float]], float], state: State, seat: int, options: Sequence[int]
    ) -> Sequence[int]:
        """Those whose kind has the least effect, or the most."""
        effects = [self.plan.effects.get(kind_of(state, seat, option), 0.0) for option in options]
        wanted = best(effects)
        return [option for option, effect in zip(options, effects, strict=True) if effect == wanted]

    def _new(self, state: State, seat: int, options: Sequence[int]) -> Sequence[int]:
        return self._of_effect(min, state, seat, options)

    def _driving(self, state: State, seat: int, options: Sequence[int]) -> Sequence[int]:
        """Those that have driven the quantity furthest, or of some of them those that do so on a copy."""
        if not self.plan.looks or self.quantity is None:
            return self._of_effect(max if self.plan.up else min, state, seat, options)
        best: list[int] = []
        score: tuple[int, int] | None = None
        for option in self._some(options):
            after = _after(state, seat, option)
            if after.fault is not None:
                return [option]
            found = self.quantity.measure(after)
            reached = (found.total, found.most) if self.plan.up else (-found.total, -found.least)
            if score is None or reached > score:
                best, score = [], reached
            if reached == score:
                best.append(option)
        return best

    def _going_on(self, state: State, seat: int, options: Sequence[int]) -> Sequence[int]:
        """One behind which the game goes on, or faults, if there is one among some of them; else those that
        ended it least often.
        """
        for option in self._some(options):
            after = _after(state, seat, option)
            if after.fault is not None or not after.is_terminal():
                return [option]
        return self._of_effect(min, state, seat, options)

    def _ending(self, state: State, seat: int, options: Sequence[int]) -> Sequence[int]:
        """One that ends the game, if there is one among some of them; else those that ended it most often."""
        ending = next(
            (
                option
                for option in self._some(options)[:MAX_TRIED_TO_END]
                if _after(state, seat, option).is_terminal()
            ),
            None,
        )
        return self._of_effect(max, state, seat, options) if ending is None else [ending]

    def _some(self, options: Sequence[int]) -> list[int]:
        """Some options in an order that is drawn."""
        left, found = list(options), list[int]()
        while left and len(found) < MAX_LOOKED_AT:
            found.append(left.pop(self.stream.uniform(len(left))))
        return found


def _after(state: State, seat: int, option: int) -> State:
    """The position behind an option."""
    after = state.clone()
    after.apply_action(option, seat)
    return after


CHOOSE = {
    "random": Chooser._all,
    "index": Chooser._at_index,
    "decline": Chooser._declining,
    "accept": Chooser._accepting,
    "always": Chooser._of_kind,
    "never": Chooser._not_of_kind,
    "drive": Chooser._driving,
    "longest": Chooser._going_on,
    "shortest": Chooser._ending,
    "new": Chooser._new,
}
"""The functions that leave some of the options, by the name of a policy."""
