"""The checks of what a seat sees and what is hidden from it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from croupier.diagnostics import Diagnostic, diagnose
from croupier.kernel import types as t
from croupier.runtime.game import Value, Zone
from croupier.runtime.state import State
from croupier.runtime.visibility import observation
from croupier.scenarios.context import ScenarioContext, fail, suggestion
from croupier.scenarios.positions import ContentsReader, labels_of, zones_of
from croupier.scenarios.values import read_value
from croupier.schema import Text
from croupier.semantics.program import VarDef, ZoneDef
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence

ENTRY = re.compile(r"(\w+)\[(.+)\]")  # one entry of what there is per player, or per anything: `money[Anna]`


class ObservationView:
    """An observation of one seat."""

    def __init__(self, state: State, seat: int, context: ScenarioContext) -> None:
        self.context, self.seen = context, observation(state._m, seat)
        self.program = context.game.program

    def zone(self, zone: Zone) -> Any:
        """Return the seen contents of a zone: faces, `{"count": n}` or `None`."""
        definition = self.program.zones[zone.family]
        seen = self.seen["zones"].get(definition.name)
        return (
            seen
            if definition.key is None
            else (seen or {}).get(self.context.game.show(zone.key, definition.key))
        )

    def faces(self) -> set[str]:
        """The labels of all components whose faces are seen."""
        out: set[str] = set()
        for zone in self.context.game.zones:
            seen = self.zone(zone)
            if isinstance(seen, list):
                out.update(label for label in seen if label is not None)
        return out


def sees(name: Text, node: YamlNode, state: State, context: ScenarioContext) -> Iterator[Diagnostic]:
    """Yield the diagnostics of `sees` for one seat."""
    view = ObservationView(state, context.seats.seat(name.text, name.span), context)
    for item in node.items if isinstance(node, YamlSequence) else (node,):
        if isinstance(item, YamlMapping):
            for key, value in item.entries:
                yield from _entry(name, Text(key), value, view, state)
        elif isinstance(item, YamlScalar):
            label = _label_of(item, context)
            if label not in view.faces():
                yield diagnose("K116", item.span, who=name.text, reason=f"the face of `{label}` is hidden")


def _entry(who: Text, key: Text, node: YamlNode, view: ObservationView, state: State) -> Iterator[Diagnostic]:
    context, thing = view.context, _thing(key, view.context)
    if isinstance(thing, ZoneDef):
        for zone, part in zones_of(thing, node, context):
            yield from _seen_zone(who, thing, zone, part, view, state)
        return
    seen = view.seen["state"].get(thing.name)
    if isinstance(node, YamlScalar) and node.text == "nothing":
        if seen is not None:
            yield diagnose("K117", node.span, who=who.text, name=thing.name)
        return
    if isinstance(node, YamlMapping) and isinstance(thing.type, t.Map):
        not_known, node = _not_known(node, thing.type, context)
        for entry, at in not_known:
            if _is_known_to(seen, at, thing.type, context):
                yield diagnose(
                    "K117", entry.span, who=who.text, name=f"{thing.name}[{context.show(at, thing.type.key)}]"
                )
        if not node.entries:
            return
    if seen is None:
        yield diagnose("K116", node.span, who=who.text, reason=f"`{thing.name}` is not told")
        return
    value = state._m.vars[thing.index]
    wanted = read_value(node, thing.type, context, value)
    if isinstance(node, YamlMapping) and isinstance(thing.type, t.Map):
        for entry, _ in node.entries:
            if entry.text != "else" and not _is_known_to(
                seen, read_value(entry, thing.type.key, context), thing.type, context
            ):
                yield diagnose(
                    "K116", entry.span, who=who.text, reason=f"`{thing.name}` of {entry.text} is not told"
                )
    if wanted != value:
        yield context.other_value(node.span, thing, value, wanted)


def _is_known_to(seen: object, at: Value, kind: t.Map, context: ScenarioContext) -> bool:
    """Tell whether this entry of a map is among those that are seen."""
    return isinstance(seen, dict) and str(context.game.to_json(at, kind.key)) in seen


def _not_known(
    node: YamlMapping, kind: t.Map, context: ScenarioContext
) -> tuple[list[tuple[YamlScalar, Value]], YamlMapping]:
    """The keys of entries of which nothing may be told (`Anna: nothing`, `else: nothing`), and the other
    entries.
    """
    hidden = [key for key, value in node.entries if isinstance(value, YamlScalar) and value.text == "nothing"]
    named = {read_value(key, kind.key, context): key for key, _ in node.entries if key.text != "else"}
    rest = next((key for key in hidden if key.text == "else"), None)
    keys = [(named.get(at, rest), at) for at in context.game.values(kind.key)]
    out = [(key, at) for key, at in keys if key is not None and key in hidden]
    return out, replace(node, entries=tuple(entry for entry in node.entries if entry[0] not in hidden))


def listed(labels: Iterable[str | None]) -> str:
    """Return the seen contents of a zone in words."""
    return ", ".join(label or "?" for label in labels) or "that it is empty"


def _seen_zone(
    who: Text, definition: ZoneDef, zone: Zone, node: YamlNode, view: ObservationView, state: State
) -> Iterator[Diagnostic]:
    seen, context = view.zone(zone), view.context
    shown = context.name_of_zone(zone, definition)
    if seen is None:
        found = "nothing"
    else:
        found = f"{seen['count']} components, no face" if isinstance(seen, dict) else listed(seen)
    if isinstance(node, YamlScalar) and node.text == "nothing":
        fine, wanted = seen is None, "nothing"
    elif isinstance(node, YamlScalar) and isinstance(node.value, int) and not isinstance(node.value, bool):
        fine, wanted = seen == {"count": node.value}, f"{node.value} components, no face"
    elif (
        isinstance(node, YamlSequence)
        and node.items
        and all(isinstance(i, YamlScalar) and i.text in context.backs for i in node.items)
    ):
        behind = view.seen.get("backs", {}).get(
            f"{definition.name} {view.context.game.zone_names[zone.number]}".rstrip(), []
        )
        texts = [context.backs[i.text] for i in node.items if isinstance(i, YamlScalar)]
        fine = (
            behind == texts
            if definition.order in ("pile", "sequence")
            else sorted(map(str, behind)) == sorted(texts)
        )
        wanted, found = listed(texts), listed(behind)
    else:
        filled = ContentsReader(context, once=False).fill(definition, zone, node)
        labels = [w for part in filled.parts for w in labels_of(part, context, state._m)]
        ordered = definition.order in ("pile", "sequence")
        fine = isinstance(seen, list) and (seen == labels if ordered else sorted(seen) == sorted(labels))
        wanted = listed(labels)
    if not fine:
        code = "K117" if seen is not None and wanted == "nothing" else "K116"
        notes = [f"expected to be seen of `{shown}`: {wanted}", f"seen: {found}"]
        yield diagnose(
            code, node.span, who=who.text, name=shown, reason=f"`{shown}` looks otherwise", notes=notes
        )


def hidden(name: Text, node: YamlNode, state: State, context: ScenarioContext) -> Iterator[Diagnostic]:
    """Yield the diagnostics of `hidden` for one seat."""
    view = ObservationView(state, context.seats.seat(name.text, name.span), context)
    for item in node.items if isinstance(node, YamlSequence) else (node,):
        if not isinstance(item, YamlScalar):
            fail("K024", item.span, what="what is hidden is a list of components, zones and state")
        if _is_seen(item, view):
            yield diagnose("K117", item.span, who=name.text, name=item.text)


def _is_seen(item: YamlScalar, view: ObservationView) -> bool:
    """Tell whether a face of this is seen, or its value, or the value of one of its entries."""
    context, program = view.context, view.context.game.program
    name, key = item.text, None
    if (entry := ENTRY.fullmatch(item.text)) and (entry[1] in program.zones or entry[1] in program.vars):
        name = entry[1]
        key = replace(item, text=entry[2], value=int(entry[2]) if entry[2].isdecimal() else entry[2])
    if name in program.zones:
        definition = program.zones[name]
        if key is not None and definition.key is None:
            fail("K024", item.span, what=f"`{name}` is one zone, it has no entries")
        wanted = (
            read_value(key, definition.key, context)
            if key is not None and definition.key is not None
            else None
        )
        zones = [
            view.zone(place)
            for place in context.game.zones
            if place.family == name and (key is None or place.key == wanted)
        ]
        return any(isinstance(faces, list) and faces for faces in zones)
    if name in program.vars:
        seen, kind = view.seen["state"].get(name), program.vars[name].type
        if key is None:
            return seen is not None
        if not isinstance(kind, t.Map):
            fail("K024", item.span, what=f"`{name}` is one value, it has no entries")
        return _is_known_to(seen, read_value(key, kind.key, context), kind, context)
    return _label_of(item, context) in view.faces()


def _label_of(node: YamlScalar, context: ScenarioContext) -> str:
    if node.text not in context.called:
        fail("K013", node.span, name=node.text, **suggestion(node.text, context.labels()))
    return context.label(node.text)


def _thing(key: Text, context: ScenarioContext) -> ZoneDef | VarDef:
    program = context.game.program
    thing = program.zones.get(key.text) or program.vars.get(key.text)
    if thing is None:
        fail(
            "K018",
            key.span,
            kind="zone or state",
            name=key.text,
            **suggestion(key.text, [*program.zones, *program.vars]),
        )
    return thing
