"""The numbers of a game that a plan can drive up or down: state with whole numbers or lists, and how much
lies in zones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.kernel import types as t

if TYPE_CHECKING:
    from croupier.runtime.game import Game, Value
    from croupier.runtime.machine import Machine
    from croupier.runtime.state import State


@dataclass(frozen=True)
class Measure:
    """All numbers of a quantity together, the smallest and the largest."""

    total: int
    least: int
    most: int


@dataclass(frozen=True)
class Quantity:
    """Numbers of a position that go by one name: those of a state variable, or the sizes of zones."""

    name: str
    variable: tuple[int, t.Type] | None  # its number in a machine, and its type
    zones: tuple[int, ...] = ()  # their numbers in a machine

    def measure(self, state: State) -> Measure:
        """Return the quantity in a position: the sum, the minimum and the maximum of its numbers."""
        found = list(self._numbers(state._m))
        return Measure(sum(found), min(found, default=0), max(found, default=0))

    def _numbers(self, m: Machine) -> Iterator[int]:
        if self.variable is None:
            return (len(m.zones[number]) for number in self.zones)
        number, kind = self.variable
        return _numbers(m.vars[number], kind)


def quantities_of(game: Game) -> dict[str, Quantity]:
    """Everything that a plan can drive, by name: state variables in the order of their declaration, then
    zones.
    """
    found = {v.name: Quantity(v.name, (v.index, v.type)) for v in game.variables if _is_numeric(v.type)}
    families: dict[str, list[int]] = {}
    for zone in game.zones:
        families.setdefault(zone.family, []).append(zone.number)
    return found | {family: Quantity(family, None, tuple(numbers)) for family, numbers in families.items()}


def _is_numeric(kind: t.Type) -> bool:
    match kind:
        case t.Int() | t.Collection():
            return True
        case t.Map():
            return _is_numeric(kind.value)
        case t.Optional():
            return _is_numeric(kind.base)
    return False


def _numbers(value: Value, kind: t.Type) -> Iterator[int]:
    """The numbers in a value of a type: itself, or how much a list holds, of each entry of a map."""
    if value is None:
        return
    match kind:
        case t.Int():
            yield value
        case t.Collection():
            yield len(value)
        case t.Optional():
            yield from _numbers(value, kind.base)
        case t.Map():
            entries: Iterable[Value] = value.values() if isinstance(value, dict) else value
            for entry in entries:
                yield from _numbers(entry, kind.value)
