"""The table: functions of a machine that move components between zones.

Each primitive is one write, after which watchers look; each checks what a zone can hold.

A zone's contents are a tuple, bottom to top. In a pile an item may be a tuple itself: components whose order
is not known (`shuffle`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.diagnostics import Span
from croupier.runtime.faults import Fault
from croupier.runtime.zone_contents import GRAIN, Items, flat, size

if TYPE_CHECKING:
    from croupier.runtime.game import Zone
    from croupier.runtime.machine import Machine


def take(m: Machine, component: int) -> int:
    """Take a component out of its zone; return the zone it was in, -1 if it was in none."""
    z = m.where[component]
    if z < 0:
        return z
    items = m.zones[z]
    if component in items:
        i = items.index(component)
        m.zones[z] = items[:i] + items[i + 1 :]
    else:
        for i, group in enumerate(items):
            if type(group) is tuple and component in group:
                rest = tuple(c for c in group if c != component)
                m.zones[z] = (*items[:i], rest[0] if len(rest) == 1 else rest, *items[i + 1 :])
                break
    return z


def put(m: Machine, component: int, z: int, end: str, span: Span) -> None:
    """Put a component that lies nowhere into a zone. Raises `Fault` (R006) where there is no room."""
    zone, items = m.game.zones[z], m.zones[z]
    if zone.capacity is not None:
        check_room(zone, size(items) + 1, span)
    if zone.order in ("set", "bag"):
        m.zones[z] = tuple(sorted((*items, component)))
    elif end == "bottom":
        m.zones[z] = (component, *items)
    else:
        m.zones[z] = (*items, component)
    m.where[component] = z


def move(m: Machine, component: int, z: int, end: str, span: Span) -> None:
    """Move one component to a zone, as one write.

    Raises `Fault` (R015) for a component of another class.
    """
    if m.game.components[component].kind not in m.rules.holds[z]:
        raise Fault("R015", span, wanted=m.game.zones[z].family)
    if m.recorder is not None:
        m.recorder.before(m, component)
    source = m.where[component]
    length = len(m.zones[z]) + (len(m.zones[source]) if source >= 0 else 0)
    if length >= GRAIN:
        m.spend(length // GRAIN, span)
    take(m, component)
    put(m, component, z, end, span)
    if m.recorder is not None:
        m.recorder.moved(m, component, source, z, end)
    wrote_zone(m, source)
    if z != source:
        wrote_zone(m, z)


def check_kinds(m: Machine, items: Items, z: int, span: Span) -> None:
    """Raise `Fault` R015 if a zone may not hold the class of one of these components."""
    holds = m.rules.holds[z]
    if any(m.game.components[component].kind not in holds for component in flat(items)):
        raise Fault("R015", span, wanted=m.game.zones[z].family)


def check_room(zone: Zone, count: int, span: Span) -> None:
    """Raise `Fault` R006 if a zone may not hold so many components."""
    if zone.capacity is not None and count > zone.capacity:
        raise Fault("R006", span, zone=zone.family, capacity=zone.capacity)


def move_all(m: Machine, source: int, z: int, end: str, span: Span) -> None:
    """Move the whole contents of a zone; what is unordered stays unordered.

    Raises `Fault`: R015 for a component of a class that `z` may not hold, R006 where there is no room.
    """
    items = m.zones[source]
    if source == z or not any(type(i) is tuple for i in items):
        for component in items if end == "top" else items[::-1]:
            if source != z:
                move(m, component, z, end, span)
        return
    zone = m.game.zones[z]
    if zone.order in ("set", "bag"):
        for component in flat(items):
            move(m, component, z, end, span)
        return
    check_kinds(m, items, z, span)
    check_room(zone, size(m.zones[z]) + size(items), span)
    m.spend(size(items), span)
    m.zones[source] = ()
    m.zones[z] = (*m.zones[z], *items) if end == "top" else (*items, *m.zones[z])
    for component in flat(items):
        m.where[component] = z
    if m.recorder is not None:
        m.recorder.moved_all(m, source, z, items, end)
    wrote_zone(m, source)
    wrote_zone(m, z)


def wrote_zone(m: Machine, z: int) -> None:
    """Let the watchers of a zone look, after a write."""
    watchers = m.rules.watch_zones[z] if z >= 0 else ()
    if watchers:
        m.notice(watchers)


def shuffle(m: Machine, z: int, span: Span) -> None:
    """The order of a pile is forgotten: it is drawn by chance when a component is drawn."""
    m.spend(size(m.zones[z]), span)
    everything = tuple(sorted(flat(m.zones[z])))
    m.zones[z] = (everything,) if len(everything) > 1 else everything
    if m.recorder is not None:
        m.recorder.shuffled(m, z)
    wrote_zone(m, z)


def exchange(m: Machine, a: int, b: int, span: Span) -> None:
    """Two components change places: one write."""
    if a == b:
        return
    za, zb = m.where[a], m.where[b]
    if za < 0 or zb < 0:
        raise Fault("R024", span, label=m.game.components[a if za < 0 else b].label)
    m.spend((len(m.zones[za]) + len(m.zones[zb])) // GRAIN, span)
    if m.recorder is not None:
        m.recorder.before(m, a, b)
    check_kinds(m, (a,), zb, span)
    check_kinds(m, (b,), za, span)
    mark = -1
    m.zones[za] = replaced(m.zones[za], a, mark, span, m.game.zones[za].family)
    m.zones[zb] = replaced(m.zones[zb], b, a, span, m.game.zones[zb].family)
    m.zones[za] = replaced(m.zones[za], mark, b, span, m.game.zones[za].family)
    for z in (za, zb):
        if m.game.zones[z].order in ("set", "bag"):
            m.zones[z] = tuple(sorted(m.zones[z]))
    m.where[a], m.where[b] = zb, za
    if m.recorder is not None:
        m.recorder.moved(m, a, za, zb)
        m.recorder.moved(m, b, zb, za)
    wrote_zone(m, za)
    if za != zb:
        wrote_zone(m, zb)


def exchange_zones(m: Machine, a: int, b: int, span: Span) -> None:
    """The contents of two zones change places: one write."""
    if a != b:
        pass_on(m, (a, b), span)


def pass_on(m: Machine, order: Sequence[int], span: Span) -> None:
    """The contents of each of some zones go to the next one, those of the last to the first: one
    write.
    """
    before = [m.zones[z] for z in order]
    for z in order[1:]:
        _trade(m, order[0], z, span)
    if m.recorder is not None:
        for i, items in enumerate(before):
            m.recorder.moved_all(m, order[i], order[(i + 1) % len(order)], items, exchanged=True)
    for z in order:
        wrote_zone(m, z)


def _trade(m: Machine, a: int, b: int, span: Span) -> None:
    """Exchange the contents of two zones without events; raises `Fault` R015 and R006 as `move_all`."""
    check_kinds(m, m.zones[a], b, span)
    check_kinds(m, m.zones[b], a, span)
    check_room(m.game.zones[b], size(m.zones[a]), span)
    check_room(m.game.zones[a], size(m.zones[b]), span)
    items_a, items_b = m.zones[a], m.zones[b]
    m.spend(size(items_a) + size(items_b), span)
    m.zones[a], m.zones[b] = items_b, items_a
    for z in (a, b):
        if m.game.zones[z].order in ("set", "bag"):
            m.zones[z] = tuple(sorted(flat(m.zones[z])))
        for component in flat(m.zones[z]):
            m.where[component] = z


def replaced(items: Items, old: int, new: int, span: Span, zone: str) -> Items:
    """A list with one element in place of another. Raises `Fault` R008 if that is not there."""
    if old not in items:
        raise Fault("R008", span, zone=zone)
    i = items.index(old)
    return (*items[:i], new, *items[i + 1 :])
