"""A recorder that notes which components a seat sees or hears named, and what is told to it, without wording
what happens.

It follows the rules of `runtime/recorder.py`: a move shows a component to those who see where it comes from
or where it goes; what is exchanged is shown to those who see either zone; `show` shows; a change of state
names what it names to those who may see it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from croupier.kernel import types as t
from croupier.runtime.disclosure import AnswerWords, Disclosure, Level, Pick, WordedStatement, Words
from croupier.runtime.events import MadeClaim
from croupier.runtime.game import Value
from croupier.runtime.machine import Listener, Machine, Reaches
from croupier.runtime.visibility import (
    components_in,
    knows_component,
    perceives,
    sees_component,
    sees_zone,
    variable_audience,
)
from croupier.runtime.zone_contents import Items, flat
from croupier.semantics.program import VarDef


class Sightings(Listener):
    """What one seat perceived since `clear`: `named` components; `told_texts`, which authors wanted to be
    known; whether the decision or event of chance was `heard`.
    """

    def __init__(self, players: int, seat: int) -> None:
        self.players, self.who = players, seat
        # what whoever runs a machine sets and reads of a recorder; nothing is worded here
        self.statement: WordedStatement | None = None
        self.waiting: dict[Level, WordedStatement] = {}
        self.on_offer: str | None = None
        self.rolling = -1
        self.clear()

    @property
    def each(self) -> tuple[Sightings, ...]:
        """The recorders that read a machine: this one."""
        return (self,)

    def clear(self, is_told: bool = False) -> None:
        """A step begins; has what was chosen or drawn in it been told already?"""
        self._is_told = is_told
        self.named: set[int] = set()
        self.told_texts: list[str] = []
        self.heard = self.was_revealed = False
        # was there something that the seat reads in the same form whether somebody was asked or not?
        self.is_veiled = False

    def _hears(self, m: Machine) -> bool:
        return perceives(m.event_audience, self.who)

    # ------------------------------------------------------------ decisions and chance
    def decided(self, m: Machine, seat: int, told: Disclosure, said: AnswerWords, reaches: Reaches) -> None:
        self._is_told = True
        self.heard = seat == self.who or (reaches(self.who) and self._hears(m))

    def revealed(self, m: Machine, picks: Sequence[Pick]) -> None:
        self.was_revealed = self._hears(m)

    def decided_nothing(self, m: Machine, seat: int, said: AnswerWords, reaches: Reaches) -> None:
        self.is_veiled |= seat != self.who and reaches(self.who)

    def chance_drawn(self, m: Machine, said: AnswerWords, reaches: Callable[[int | None], bool]) -> None:
        hears = self._hears(m) and reaches(self.who)
        if self._is_told:  # it was forced, and the seat hears of it because it cannot work that out
            self.is_veiled |= hears
        else:
            self._is_told, self.heard = True, hears

    # ------------------------------------------------------------ components
    def before(self, m: Machine, *components: int) -> None:
        self._known = frozenset(c for c in components if knows_component(m, c, self.who))

    def moved(self, m: Machine, component: int, source: int, z: int, place: str = "top") -> None:
        if self._hears(m) and (component in self._known or sees_component(m, component, self.who)):
            self.named.add(component)

    def moved_all(
        self, m: Machine, source: int, z: int, items: Items, place: str = "top", *, exchanged: bool = False
    ) -> None:
        if exchanged and self._hears(m) and (sees_zone(m, z, self.who) or sees_zone(m, source, self.who)):
            self.named |= set(flat(items))

    def shown(
        self,
        m: Machine,
        components: Callable[[], tuple[int, ...]],
        to: tuple[int, ...],
        zone: Callable[[], int] | None = None,
    ) -> None:
        if self._hears(m) and self.who in to:
            found = components()
            self.named |= set(found)
            self.told_texts.append(f"shown {found}")

    # ------------------------------------------------------------ words and values
    def told(self, m: Machine, text: Words, to: tuple[int, ...]) -> None:
        if self._hears(m) and self.who in to:
            self.told_texts.append(str(text()))

    def announced(self, m: Machine, text: Words) -> None:
        if self._hears(m):
            self.told_texts.append(str(text()))

    def claimed(self, m: Machine, seat: int, text: Words, claim: MadeClaim) -> None:
        self.announced(m, text)

    def worded(self, m: Machine, statement: WordedStatement, text: Words) -> None:
        """The words of a statement say of components what the seat sees of them."""

    def value_at(self, m: Machine, v: VarDef, i: int | None, value: Value, old: Value = None) -> None:
        kind = v.type.value if i is not None and isinstance(v.type, t.Map) else v.type
        if self._hears(m) and variable_audience(m, v.index, i)(self.who):
            self.named |= set(components_in(value, kind))


__all__ = ["Sightings"]
