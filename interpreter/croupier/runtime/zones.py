"""The table: moving components between zones.

Each primitive is one write, after which watchers look; each checks what a zone can hold.

A zone's contents are a tuple, bottom to top. In a pile an item may be a tuple itself: components whose order
is not known (`shuffle`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from croupier.diagnostics import Span
from croupier.runtime.faults import Fault
from croupier.runtime.game import Game
from croupier.runtime.zone_contents import GRAIN, Items, flat, size

if TYPE_CHECKING:
    from croupier.runtime.compiled_rules import CompiledRules


class ComponentTable:
    """The part of the machine that holds components."""

    __slots__ = ()
    game: Game
    rules: CompiledRules
    zones: list[Items]
    where: list[int]  # the zone of each component: follows from `zones`
    recorder: Any  # a `Recorder` (`recorder.py`), which reads machines

    def spend(self, steps: int, span: Span) -> None:
        """Charge steps of fuel."""

    def notice(self, watchers: tuple[int, ...]) -> None:
        """Run the watchers of what changed."""

    def take(self, component: int) -> int:
        """Take a component out of its zone; return the zone it was in, -1 if it was in none."""
        z = self.where[component]
        if z < 0:
            return z
        items = self.zones[z]
        if component in items:
            i = items.index(component)
            self.zones[z] = items[:i] + items[i + 1 :]
        else:
            for i, group in enumerate(items):
                if type(group) is tuple and component in group:
                    rest = tuple(c for c in group if c != component)
                    self.zones[z] = (*items[:i], rest[0] if len(rest) == 1 else rest, *items[i + 1 :])
                    break
        return z

    def put(self, component: int, z: int, end: str, span: Span) -> None:
        zone = self.game.zones[z]
        items = self.zones[z]
        if zone.capacity is not None and size(items) >= zone.capacity:
            raise Fault("R006", span, zone=zone.family, capacity=zone.capacity)
        if zone.order in ("set", "bag"):
            self.zones[z] = tuple(sorted((*items, component)))
        elif end == "bottom":
            self.zones[z] = (component, *items)
        else:
            self.zones[z] = (*items, component)
        self.where[component] = z

    def move(self, component: int, z: int, end: str, span: Span) -> None:
        """Move one component to a zone, as one write.

        Raises `Fault` (R015) for a component of another class.
        """
        if self.game.components[component].kind not in self.rules.holds[z]:
            raise Fault("R015", span, wanted=self.game.zones[z].family)
        seen_before = self.recorder.before(self, component) if self.recorder is not None else None
        source = self.where[component]
        length = len(self.zones[z]) + (len(self.zones[source]) if source >= 0 else 0)
        if length >= GRAIN:
            self.spend(length // GRAIN, span)
        self.take(component)
        self.put(component, z, end, span)
        if self.recorder is not None:
            self.recorder.moved(self, component, source, z, seen_before, end)
        self.wrote_zone(source)
        if z != source:
            self.wrote_zone(z)

    def check_kinds(self, items: Items, z: int, span: Span) -> None:
        """Raise `Fault` R015 if a zone may not hold the class of one of these components."""
        holds = self.rules.holds[z]
        if any(self.game.components[component].kind not in holds for component in flat(items)):
            raise Fault("R015", span, wanted=self.game.zones[z].family)

    def move_all(self, source: int, z: int, end: str, span: Span) -> None:
        """Move the whole contents of a zone; what is unordered stays unordered.

        Raises `Fault`: R015 for a component of a class that `z` may not hold, R006 where there is no room.
        """
        items = self.zones[source]
        if source == z or not any(type(i) is tuple for i in items):
            for component in items if end == "top" else items[::-1]:
                if source != z:
                    self.move(component, z, end, span)
            return
        zone = self.game.zones[z]
        if zone.order in ("set", "bag"):
            for component in flat(items):
                self.move(component, z, end, span)
            return
        self.check_kinds(items, z, span)
        if zone.capacity is not None and size(self.zones[z]) + size(items) > zone.capacity:
            raise Fault("R006", span, zone=zone.family, capacity=zone.capacity)
        self.spend(size(items), span)
        self.zones[source] = ()
        self.zones[z] = (*self.zones[z], *items) if end == "top" else (*items, *self.zones[z])
        for component in flat(items):
            self.where[component] = z
        if self.recorder is not None:
            self.recorder.moved_all(self, source, z, items, end)
        self.wrote_zone(source)
        self.wrote_zone(z)

    def wrote_zone(self, z: int) -> None:
        watchers = self.rules.watch_zones[z] if z >= 0 else ()
        if watchers:
            self.notice(watchers)

    def shuffle(self, z: int, span: Span) -> None:
        """The order of a pile is forgotten: it is drawn by chance when a component is drawn."""
        self.spend(size(self.zones[z]), span)
        everything = tuple(sorted(flat(self.zones[z])))
        self.zones[z] = (everything,) if len(everything) > 1 else everything
        if self.recorder is not None:
            self.recorder.shuffled(self, z)
        self.wrote_zone(z)

    def exchange(self, a: int, b: int, span: Span) -> None:
        """Two components change places: one write."""
        if a == b:
            return
        za, zb = self.where[a], self.where[b]
        if za < 0 or zb < 0:
            raise Fault("R024", span, label=self.game.components[a if za < 0 else b].label)
        self.spend((len(self.zones[za]) + len(self.zones[zb])) // GRAIN, span)
        if self.recorder is not None:
            before = (self.recorder.before(self, a), self.recorder.before(self, b))
        else:
            before = None
        for component, z in ((a, zb), (b, za)):
            if self.game.components[component].kind not in self.rules.holds[z]:
                raise Fault("R015", span, wanted=self.game.zones[z].family)
        mark = -1
        self.zones[za] = replaced(self.zones[za], a, mark, span, self.game.zones[za].family)
        self.zones[zb] = replaced(self.zones[zb], b, a, span, self.game.zones[zb].family)
        self.zones[za] = replaced(self.zones[za], mark, b, span, self.game.zones[za].family)
        for z in (za, zb):
            if self.game.zones[z].order in ("set", "bag"):
                self.zones[z] = tuple(sorted(self.zones[z]))
        self.where[a], self.where[b] = zb, za
        if self.recorder is not None and before is not None:
            self.recorder.moved(self, a, za, zb, before[0])
            self.recorder.moved(self, b, zb, za, before[1])
        self.wrote_zone(za)
        if za != zb:
            self.wrote_zone(zb)

    def exchange_zones(self, a: int, b: int, span: Span) -> None:
        """The contents of two zones change places: one write."""
        if a == b:
            return
        items_a, items_b = self.zones[a], self.zones[b]
        self._trade(a, b, span)
        if self.recorder is not None:
            self.recorder.moved_all(self, a, b, items_a, exchanged=True)
            self.recorder.moved_all(self, b, a, items_b, exchanged=True)
        self.wrote_zone(a)
        self.wrote_zone(b)

    def pass_on(self, order: Sequence[int], span: Span) -> None:
        """The contents of each of some zones go to the next one, those of the last to the first: one
        write.
        """
        before = [self.zones[z] for z in order]
        for z in order[1:]:
            self._trade(order[0], z, span)
        if self.recorder is not None:
            for i, items in enumerate(before):
                self.recorder.moved_all(self, order[i], order[(i + 1) % len(order)], items, exchanged=True)
        for z in order:
            self.wrote_zone(z)

    def _trade(self, a: int, b: int, span: Span) -> None:
        """Exchange the contents of two zones without events; raises `Fault` R015 and R006 as `move_all`."""
        self.check_kinds(self.zones[a], b, span)
        self.check_kinds(self.zones[b], a, span)
        for x, y in ((a, b), (b, a)):
            zone = self.game.zones[y]
            if zone.capacity is not None and size(self.zones[x]) > zone.capacity:
                raise Fault("R006", span, zone=zone.family, capacity=zone.capacity)
        items_a, items_b = self.zones[a], self.zones[b]
        self.spend(size(items_a) + size(items_b), span)
        self.zones[a], self.zones[b] = items_b, items_a
        for z in (a, b):
            if self.game.zones[z].order in ("set", "bag"):
                self.zones[z] = tuple(sorted(flat(self.zones[z])))
            for component in flat(self.zones[z]):
                self.where[component] = z


def replaced(items: Items, old: int, new: int, span: Span, zone: str) -> Items:
    """A list with one element in place of another. Raises `Fault` R008 if that is not there."""
    if old not in items:
        raise Fault("R008", span, zone=zone)
    i = items.index(old)
    return (*items[:i], new, *items[i + 1 :])
