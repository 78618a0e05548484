"""What a seat sees of a position: the checks `sees` and `hidden`.

    sees:
      Anna: [yellow-2, blue-9]                       she sees their faces, wherever they lie
      Brian: {hand: {Anna: 5, Brian: [red-1]}, deck: 41, leader: Anna, secret: nothing, money: {Anna: nothing}}
    hidden: {Brian: [yellow-2, secret, "money[Anna]"]}    faces that he does not see, zones without a face to him, state he is not told

A zone is a list of faces, the mere number of components (he counts them and sees no face), or `nothing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from croupier.diagnostics import Diagnostic, diagnose
from croupier.runtime.game import Place, Value
from croupier.runtime.sight import observation
from croupier.runtime.state import State
from croupier.scenarios.contents import Reader, labels_of, places
from croupier.scenarios.table import Table, fail, suggestion
from croupier.scenarios.values import read_value
from croupier.schema import Text
from croupier.semantics import types as t
from croupier.semantics.program import VarDef, ZoneDef
from croupier.source import Mapping, Node, Scalar, Sequence

ENTRY = re.compile(r"(\w+)\[(.+)\]")  # one entry of what there is per player, or per anything: `money[Anna]`


class View:
    """An observation of one seat."""

    def __init__(self, state: State, seat: int, table: Table) -> None:
        self.table, self.seen = table, observation(state._m, seat)
        self.program = table.game.program

    def zone(self, place: Place) -> Any:
        """What is seen of a zone: faces, `{"count": n}` or nothing."""
        zone = self.program.zones[place.zone]
        seen = self.seen["zones"].get(zone.name)
        return seen if zone.key is None else (seen or {}).get(self.table.game.show(place.key, zone.key))

    def faces(self) -> set[str]:
        """The labels of all components whose faces are seen."""
        out: set[str] = set()
        for place in self.table.game.places:
            seen = self.zone(place)
            if isinstance(seen, list):
                out.update(seen)
        return out


def sees(name: Text, node: Node, state: State, table: Table) -> Iterator[Diagnostic]:
    """What is wrong with `sees` for one seat."""
    view = View(state, table.seats.seat(name.text, name.span), table)
    for item in node.items if isinstance(node, Sequence) else (node,):
        if isinstance(item, Mapping):
            for key, value in item.entries:
                yield from _entry(name, Text(key), value, view, state)
        elif isinstance(item, Scalar):
            label = _label(item, table)
            if label not in view.faces():
                yield diagnose("K116", item.span, who=name.text, reason=f"the face of `{label}` is hidden")


def _entry(who: Text, key: Text, node: Node, view: View, state: State) -> Iterator[Diagnostic]:
    table, thing = view.table, _thing(key, view.table)
    if isinstance(thing, ZoneDef):
        for place, part in places(thing, node, table):
            yield from _zone(who, thing, place, part, view, state)
        return
    seen = view.seen["state"].get(thing.name)
    if isinstance(node, Scalar) and node.text == "nothing":
        if seen is not None:
            yield diagnose("K117", node.span, who=who.text, name=thing.name)
        return
    if isinstance(node, Mapping) and isinstance(thing.type, t.Map):
        untold, node = _untold(node, thing.type, table)
        for entry, at in untold:
            if _told(seen, at, thing.type, table):
                yield diagnose("K117", entry.span, who=who.text, name=f"{thing.name}[{table.show(at, thing.type.key)}]")
        if not node.entries:
            return
    if seen is None:
        yield diagnose("K116", node.span, who=who.text, reason=f"`{thing.name}` is not told")
        return
    value = state._m.vars[thing.index]
    wanted = read_value(node, thing.type, table, value)
    if isinstance(node, Mapping) and isinstance(thing.type, t.Map):
        for entry, _ in node.entries:
            if entry.text != "else" and not _told(seen, read_value(entry, thing.type.key, table), thing.type, table):
                yield diagnose("K116", entry.span, who=who.text, reason=f"`{thing.name}` of {entry.text} is not told")
    if wanted != value:
        yield diagnose("K113", node.span, name=thing.name, found=table.show(value, thing.type), wanted=table.show(wanted, thing.type))


def _told(seen: Any, at: Value, kind: t.Map, table: Table) -> bool:
    """Is this entry of a map among those that are seen?"""
    return isinstance(seen, dict) and str(table.game.to_json(at, kind.key)) in seen


def _untold(node: Mapping, kind: t.Map, table: Table) -> tuple[list[tuple[Scalar, Value]], Mapping]:
    """The keys of entries of which nothing may be told (`Anna: nothing`, `else: nothing`), and the other entries."""
    hidden = [key for key, value in node.entries if isinstance(value, Scalar) and value.text == "nothing"]
    named = {read_value(key, kind.key, table): key for key, _ in node.entries if key.text != "else"}
    rest = next((key for key in hidden if key.text == "else"), None)
    keys = [(named.get(at, rest), at) for at in table.game.values(kind.key)]
    out = [(key, at) for key, at in keys if key is not None and key in hidden]
    return out, replace(node, entries=tuple(entry for entry in node.entries if entry[0] not in hidden))


def _zone(who: Text, zone: ZoneDef, place: Place, node: Node, view: View, state: State) -> Iterator[Diagnostic]:
    seen, table = view.zone(place), view.table
    shown = zone.name if zone.key is None else f"{zone.name} of {table.show(place.key, zone.key)}"
    found = "nothing" if seen is None else f"{seen['count']} components, no face" if isinstance(seen, dict) else ", ".join(seen) or "that it is empty"
    if isinstance(node, Scalar) and node.text == "nothing":
        fine, wanted = seen is None, "nothing"
    elif isinstance(node, Scalar) and isinstance(node.value, int) and not isinstance(node.value, bool):
        fine, wanted = seen == {"count": node.value}, f"{node.value} components, no face"
    else:
        filled = Reader(table, once=False).fill(zone, place, node)
        labels = [w for part in filled.parts for w in labels_of(part, table, state._m)]
        ordered = zone.order in ("pile", "sequence")
        fine = isinstance(seen, list) and (seen == labels if ordered else sorted(seen) == sorted(labels))
        wanted = ", ".join(labels) or "that it is empty"
    if not fine:
        code = "K117" if seen is not None and wanted == "nothing" else "K116"
        notes = [f"expected to be seen of `{shown}`: {wanted}", f"seen: {found}"]
        yield diagnose(code, node.span, who=who.text, name=shown, reason=f"`{shown}` looks otherwise", notes=notes)


def hidden(name: Text, node: Node, state: State, table: Table) -> Iterator[Diagnostic]:
    """What is wrong with `hidden` for one seat."""
    view = View(state, table.seats.seat(name.text, name.span), table)
    for item in node.items if isinstance(node, Sequence) else (node,):
        if not isinstance(item, Scalar):
            fail("K024", item.span, what="what is hidden is a list of components, zones and state")
        if _is_seen(item, view):
            yield diagnose("K117", item.span, who=name.text, name=item.text)


def _is_seen(item: Scalar, view: View) -> bool:
    """Is a face of this seen, or its value, or the value of one of its entries?"""
    table, program = view.table, view.table.game.program
    name, key = item.text, None
    if (entry := ENTRY.fullmatch(item.text)) and (entry[1] in program.zones or entry[1] in program.vars):
        name, key = entry[1], replace(item, text=entry[2], value=int(entry[2]) if entry[2].isdecimal() else entry[2])
    if name in program.zones:
        zone = program.zones[name]
        if key is not None and zone.key is None:
            fail("K024", item.span, what=f"`{name}` is one zone, it has no entries")
        wanted = read_value(key, zone.key, table) if key is not None and zone.key is not None else None
        zones = [view.zone(place) for place in table.game.places if place.zone == name and (key is None or place.key == wanted)]
        return any(isinstance(faces, list) and faces for faces in zones)
    if name in program.vars:
        seen, kind = view.seen["state"].get(name), program.vars[name].type
        if key is None:
            return seen is not None
        if not isinstance(kind, t.Map):
            fail("K024", item.span, what=f"`{name}` is one value, it has no entries")
        return _told(seen, read_value(key, kind.key, table), kind, table)
    return _label(item, table) in view.faces()


def _label(node: Scalar, table: Table) -> str:
    if node.text not in table.called:
        fail("K013", node.span, name=node.text, **suggestion(node.text, table.labels()))
    return table.label(node.text)


def _thing(key: Text, table: Table) -> ZoneDef | VarDef:
    program = table.game.program
    thing = program.zones.get(key.text) or program.vars.get(key.text)
    if thing is None:
        fail("K018", key.span, kind="zone or state", name=key.text, **suggestion(key.text, [*program.zones, *program.vars]))
    return thing
