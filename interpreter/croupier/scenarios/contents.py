"""What lies in zones, as an author writes it: components by label, bottom to top.

trumps: [blue-7, red-2]                   exactly these, the last on top
deck: {unordered: [red-1, red-2]}           shuffled: nobody knows the order; also as a part of a list
hand: {Anna: [blue-1, {any: 5}], else: []}  a zone per player; `any`: whichever are left, in the order of declaration
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from croupier.diagnostics import Span
from croupier.runtime.game import Place, Value
from croupier.scenarios.table import Table, fail, suggestion
from croupier.scenarios.values import read_value
from croupier.schema import Text
from croupier.semantics.program import ZoneDef
from croupier.source import Mapping, Node, Scalar, Sequence


@dataclass
class Part:
    """Some components of a zone: numbers, what each is called here, and how many more, whichever they are."""

    pieces: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    more: int = 0
    unordered: bool = False


def labels_of(part: Part, table: Table, m: Any) -> list[str]:
    """What is written for each component: a label that it can have, or its name, which stands for the label that it has now."""
    return [w if w in table.looks else table.game.label(p, m) for p, w in zip(part.pieces, part.labels, strict=True)]


@dataclass
class Filled:
    """A zone as declared."""

    place: Place
    span: Span
    parts: list[Part]


def zone_named(name: Text, table: Table) -> ZoneDef:
    """The declaration of a zone. Raises `RulesetError`."""
    zones = table.game.program.zones
    if name.text not in zones:
        fail("K012", name.span, name=name.text, **suggestion(name.text, list(zones)))
    return zones[name.text]


def places(zone: ZoneDef, node: Node, table: Table) -> list[tuple[Place, Node]]:
    """The zones that a node describes, each with its own part of the node: one, or those of a family by key."""
    game = table.game
    first, count = game.family[zone.name]
    if zone.key is None:
        return [(game.places[first], node)]
    if not isinstance(node, Mapping):
        fail("K024", node.span, what=f"`{zone.name}` is a zone per {zone.key}: write what lies in each")
    keys = game.values(zone.key)
    out: dict[int, Node] = {}
    for key, value in node.entries:
        if key.text != "else":
            out[keys.index(read_value(key, zone.key, table))] = value
    other = next((value for key, value in node.entries if key.text == "else"), None)
    if other is not None:
        out = {i: out.get(i, other) for i in range(count)}
    return [(game.places[first + i], value) for i, value in sorted(out.items())]


class Reader:
    """Reads contents and remembers what was placed: of several components with the same label each is used once.

    A label that names changeable attributes says what they are: `worn` keeps their values, by variable and number in the class.
    """

    def __init__(self, table: Table, *, once: bool = True) -> None:
        self.table, self.once = table, once
        self.taken: set[int] = set()
        self.worn: dict[tuple[int, int], Value] = {}

    def fill(self, zone: ZoneDef, place: Place, node: Node) -> Filled:
        """The parts of one zone's contents. Raises `RulesetError`."""
        parts: list[Part] = []
        items = node.items if isinstance(node, Sequence) else (node,)
        for item in items:
            self._item(item, zone, parts)
        filled = Filled(place, node.span, parts)
        count = sum(len(p.pieces) + p.more for p in parts)
        if place.capacity is not None and count > place.capacity:
            fail("K015", node.span, zone=zone.name, reason=f"it holds at most {place.capacity}, not {count}")
        return filled

    def _item(self, item: Node, zone: ZoneDef, parts: list[Part]) -> None:
        if isinstance(item, Scalar):
            part = self._open(parts)
            part.pieces.append(self.piece(item, zone))
            part.labels.append(self.table.label(item.text))
            return
        if isinstance(item, Mapping) and len(item.entries) == 1:
            key, value = item.entries[0]
            if key.text == "any" and isinstance(value, Scalar) and value.text.isdecimal():
                parts.append(Part(more=int(value.text)))
                parts.append(Part())
                return
            if key.text == "unordered":
                inner: list[Part] = []
                for one in value.items if isinstance(value, Sequence) else (value,):
                    self._item(one, zone, inner)
                shuffled = Part([p for x in inner for p in x.pieces], [w for x in inner for w in x.labels], sum(x.more for x in inner), True)
                parts.append(shuffled)
                parts.append(Part())
                return
        fail("K024", item.span, what="contents are labels of components, `{unordered: […]}` or `{any: NUMBER}`")

    def _open(self, parts: list[Part]) -> Part:
        if not parts or parts[-1].unordered or parts[-1].more:
            parts.append(Part())
        return parts[-1]

    def piece(self, node: Scalar, zone: ZoneDef) -> int:
        """The next component with this label, or that can have it, that may lie in the zone."""
        game = self.table.game
        text = self.table.label(node.text)
        looks = self.table.looks.get(text, {})
        found = list(looks) or self.table.pieces(text)
        if not found:
            fail("K013", node.span, name=node.text, **suggestion(node.text, self.table.labels()))
        fitting = [p for p in found if game.pieces[p].kind in zone.kinds]
        if not fitting:
            fail("K015", node.span, zone=zone.name, reason=f"`{node.text}` is of another kind")
        free = [p for p in fitting if p not in self.taken]
        if not free:
            if not self.once:
                return fitting[0]
            fail("K014", node.span, name=node.text, all=f": there are only {len(found)}" if len(found) > 1 else "")
        self.taken.add(free[0])
        for variable, value in looks.get(free[0], ()):
            self.worn[variable, game.pieces[free[0]].index] = value
        return free[0]
