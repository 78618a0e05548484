"""What a seat sees of a position: the checks `sees` and `hidden`.

    sees:
      Anna: [yellow-2, blue-9]                       she sees their faces, wherever they lie
      Brian: {hand: {Anna: 5, Brian: [red-1]}, deck: 41, leader: Anna, secret: nothing}
    hidden: {Brian: [yellow-2, secret]}              faces that he does not see, zones without a face to him, state he is not told

A zone is a list of faces, the mere number of components (he counts them and sees no face), or `nothing`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.diagnostics import Diagnostic, diagnose
from croupier.runtime.game import Place
from croupier.runtime.state import State
from croupier.scenarios.contents import Reader, labels_of, places
from croupier.scenarios.table import Table, fail, suggestion
from croupier.scenarios.values import read_value
from croupier.schema import Text
from croupier.semantics.program import VarDef, ZoneDef
from croupier.source import Mapping, Node, Scalar, Sequence


class View:
    """An observation of one seat."""

    def __init__(self, state: State, seat: int, table: Table) -> None:
        self.table, self.seen = table, state.observation(seat)
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
    if seen is None:
        yield diagnose("K116", node.span, who=who.text, reason=f"`{thing.name}` is not told")
        return
    value = state._m.vars[thing.index]
    wanted = read_value(node, thing.type, table, value)
    if isinstance(node, Mapping) and isinstance(seen, dict):
        for entry, _ in node.entries:
            if entry.text != "else" and not _told(seen, entry, thing, table):
                yield diagnose("K116", entry.span, who=who.text, reason=f"`{thing.name}` of {entry.text} is not told")
    if wanted != value:
        yield diagnose("K113", node.span, name=thing.name, found=table.show(value, thing.type), wanted=table.show(wanted, thing.type))


def _told(seen: dict[str, Any], key: Scalar, thing: VarDef, table: Table) -> bool:
    kind = getattr(thing.type, "key", None)
    if kind is None:
        return True
    shown = str(table.game.to_json(read_value(key, kind, table), kind))
    return shown in seen


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
        program = table.game.program
        if item.text in program.zones:
            zones = [view.zone(p) for p in table.game.places if p.zone == item.text]
            seen = any(isinstance(z, list) and z for z in zones)
        elif item.text in program.vars:
            seen = view.seen["state"].get(item.text) is not None
        else:
            seen = _label(item, table) in view.faces()
        if seen:
            yield diagnose("K117", item.span, who=name.text, name=item.text)


def _label(node: Scalar, table: Table) -> str:
    if node.text not in table.game.by_label and node.text not in table.looks:
        fail("K013", node.span, name=node.text, **suggestion(node.text, list({**table.game.by_label, **table.looks})))
    return node.text


def _thing(key: Text, table: Table) -> ZoneDef | VarDef:
    program = table.game.program
    thing = program.zones.get(key.text) or program.vars.get(key.text)
    if thing is None:
        fail("K018", key.span, kind="zone or state", name=key.text, **suggestion(key.text, [*program.zones, *program.vars]))
    return thing
