"""The label of an expression at one point: the join of what it reads.

Reading a local reads its label, a zone or a state variable its own policy with whoever was told of it, the attributes of a component also where it
lies. A call reads what the summary of its definition says, with the arguments in the place of the parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from croupier.diagnostics import Span
from croupier.semantics import types as t
from croupier.semantics.infoflow.effects import FACES, ProcedureEffects, kinds_of
from croupier.semantics.infoflow.labels import (
    EVERYBODY,
    NOBODY,
    PUBLIC,
    WHOLE,
    Label,
    Observer,
    Policy,
    declassify,
    depth,
    union,
)
from croupier.semantics.infoflow.store import AbstractStore, AbstractValue
from croupier.semantics.program import Program
from croupier.semantics.tree import Proc, X

COUNTS = ("zone.size", "zone.empty", "zone.room", "family.size", "family.empty")
PASSED = ("certain", "bound", "narrow")  # operations that give the value that they are given
FIXED = frozenset(  # pure functions of numbers
    "next previous players clockwise others list list.first list.last item index field record attr otherwise enum const component class cell"
    " cell.step board.at player.seat + - *".split()
)
DEEPEST_NUMBER = 5


class ProgramFacts(Protocol):
    """What is known of a whole program, as far as its expressions ask for it."""

    program: Program
    effects: ProcedureEffects
    unseen: dict[tuple[str, str], Label]
    asking: set[str]
    public: frozenset[tuple[str, str]]

    def result(self, read: Reading, x: X) -> AbstractValue: ...

    def holds_components(self, kind: t.Type) -> bool: ...


@dataclass
class Reading:
    """Reads expressions of a procedure at one point. `known`: the locals that whoever looks knows; `chooser`: the player who looks."""

    analysis: ProgramFacts
    proc: Proc
    store: AbstractStore
    site: int
    trial: bool = False  # in a look-ahead, where nothing that happens is seen
    chooser: Observer | None = None
    chooser_is: frozenset[Observer] = frozenset()  # numbers that this player has besides
    _known: dict[tuple[str, int], Any] = field(default_factory=dict)  # what was worked out, by what it is and the expression: nothing is twice

    def _once(self, what: str, x: X, rule: Callable[[X], Any]) -> Any:
        key = (what, id(x))
        if key not in self._known:
            self._known[key] = rule(x)
        return self._known[key]

    # ------------------------------------------------------------ numbers: which value is it?
    def number(self, x: X) -> Observer | None:
        """The number of a value: equal numbers are certainly equal values at any moment. None where that is not known."""
        while x.op in PASSED and x.args:
            x = x.args[0]
        match x.op:
            case "local":
                value = self.store.values.get(x.data)
                return None if value is None else value.number
            case "param":
                return ("option", x.data)
            case "state":
                return None if x.data in self.analysis.effects.watched else self.store.states.get(x.data, ("state", x.data))
            case "players":
                return ("players",)
        if x.op not in FIXED:
            return None
        parts = tuple(self.number(a) for a in x.args)
        if None in parts:
            return None
        data = x.data if x.data is None or isinstance(x.data, (str, int, bool)) else repr(x.data)
        made = ("expr", x.op, data, parts)
        return made if depth(made) <= 2 * DEEPEST_NUMBER else None

    def number_or_new(self, x: X, slot: int) -> Observer:
        """The number of a value that a local is given."""
        return self.number(x) or ("at", self.proc.index, self.site, slot)

    def one_of(self, source: X, slot: int) -> Observer:
        """The number of one element of a collection: of players who certainly leave somebody out, somebody else."""
        without = left_out(source)
        number = None if without is None else self.number(without)
        if number is not None:
            return ("other", number, self.proc.index, self.site, slot)
        if source.op == "list" and len(source.args) == 1:
            return self.number_or_new(source.args[0], slot)
        return ("at", self.proc.index, self.site, slot)

    # ------------------------------------------------------------ labels
    def label(self, x: X) -> Label:
        """What an expression reads."""
        found: Label = self._once("label", x, self._label)
        return found

    def _label(self, x: X) -> Label:
        if self.chooser_is and x.op in ("==", "!=") and all(self.number(a) in {self.chooser, *self.chooser_is} for a in x.args):
            return PUBLIC  # whether whoever is asked is the one who is asked
        rule = LABELS.get(x.op)
        if rule is not None:
            return rule(self, x)
        return union(self.label(a) for a in x.args)

    def labels(self, xs: Iterable[X | None]) -> Label:
        """What several expressions read."""
        return union(self.label(x) for x in xs if x is not None)

    def _local(self, x: X) -> Label:
        value = self.store.values.get(x.data)
        return PUBLIC if value is None or (self.chooser is not None and value.number == self.chooser) else value.label

    def _zone(self, x: X, kind: str = "zone") -> Label:
        zone = self.analysis.program.zones[x.data]
        key = None if zone.key is None else WHOLE if x.op == "zone" else self.number(x.args[0]) if isinstance(x.args[0].type, t.Player) else None
        return self.thing(kind, x.data, key, x.span) | union(self.label(a) for a in x.args)

    def _count(self, x: X) -> Label:
        of = x.args[0]
        return self._zone(of, "count") if of.op in ("zone", "zone_at") else self.label(of)

    def _state(self, x: X) -> Label:
        return self.thing("state", x.data, None, x.span)

    def _index(self, x: X) -> Label:
        of, at = x.args
        if of.op != "state":
            return self.label(of) | self.label(at)
        key = self.number(at) if isinstance(at.type, t.Player) else None
        return self.thing("state", of.data, key, x.span) | self.label(at)

    def thing(self, kind: str, name: str, key: Observer | None, span: Span) -> Label:
        """Reading a zone, its count, or a state variable as it is now."""
        readers = NOBODY
        for k in ("zone", "count") if kind == "count" else (kind,):
            for whose in (key, WHOLE):
                readers |= self.store.facts.get((k, name, whose), NOBODY)
        self.analysis.asking.add(name)
        unseen = (kind, name) in self.analysis.unseen
        known = not unseen and ((kind, name) in self.analysis.public or EVERYBODY in readers)
        label = PUBLIC if known else frozenset({Policy(kind, name, key, span, readers, unseen)})
        return label | self.store.contents.get(name, PUBLIC) if self.trial else label

    def _face(self, x: X) -> Label:
        piece = x.args[-1] if x.op == "family.key" else x.args[0]
        kinds = kinds_of(piece.type)
        found = self.label(piece)
        if x.op == "family.key" and not self.label(x.args[0]):  # everybody sees where in these zones something lies
            return found
        places = self.places(piece)
        if places is None:
            places = frozenset(Policy("place", k, None, x.span) for k in kinds)
        number = self.number(piece)
        readers = NOBODY
        if number is not None and x.op == "mutable":
            readers = readers.union(*(self.store.facts.get(("face", k, number), NOBODY) for k in kinds))
        if self.trial:
            found |= union(self.store.contents.get(FACES + k, PUBLIC) for k in kinds)
        return found | declassify(places, readers)

    def _comprehension(self, x: X) -> Label:
        inner, found = self.inside(x)
        return found | union(inner.label(a) for a in x.args[len(x.binds()) :])

    def inside(self, x: X) -> tuple[Reading, Label]:
        """What holds inside of a comprehension, and what its sources read."""
        found: tuple[Reading, Label] = self._once("inside", x, self._inside)
        return found

    def _inside(self, x: X) -> tuple[Reading, Label]:
        inner = self.with_values()
        found = PUBLIC
        for slot, source in zip(x.binds(), x.args, strict=False):
            found |= inner.label(source)
            inner.bind(slot, source)
        return inner, found

    def with_values(self) -> Reading:
        """The same point, where more locals can be bound."""
        s = self.store
        inner = AbstractStore(dict(s.values), s.states, s.facts, s.contents, s.pc, s.skips)
        return Reading(self.analysis, self.proc, inner, self.site, self.trial, self.chooser, self.chooser_is)

    def bind(self, slot: int, source: X) -> None:
        """A local that walks over a collection."""
        self.store.values[slot] = AbstractValue(self.one_of(source, slot), self.label(source), PUBLIC, self.places(source))

    def _call(self, x: X) -> Label:
        return self.result(x).label

    def result(self, x: X) -> AbstractValue:
        """What a call gives."""
        found: AbstractValue = self._once("result", x, lambda call: self.analysis.result(self, call))
        return found

    # ------------------------------------------------------------ components: which ones, and where they lie
    def selection(self, x: X) -> Label:
        """What decides which elements a collection has: conditions and bounds, not the components that it walks, since to be offered one is to be
        shown it."""
        if x.op in ("zone", "zone_at"):
            return self.labels(x.args)
        if not self.holds_components(x.type):
            return self.label(x)
        match x.op:
            case "state":
                return self.store.contents.get(x.data, PUBLIC) if self.trial else PUBLIC
            case "local":
                value = self.store.values.get(x.data)
                return PUBLIC if value is None else value.selects
            case "comp":
                inner, _ = self.inside(x)
                found = union(inner.selection(source) for source in x.args[: len(x.binds())])
                rest = x.args[len(x.binds()) :]
                return found | inner.labels(rest[:-1] if x.data[0] == "list" else rest)
            case "if":
                return self.label(x.args[0]) | self.selection(x.args[1]) | self.selection(x.args[2])
            case "call" | "original":
                return self.result(x).selects
        return union(self.selection(a) for a in x.args)

    def holds_components(self, kind: t.Type) -> bool:
        """May a value of this type hold a component, whose face others may not see?"""
        return self.analysis.holds_components(kind)

    def places(self, x: X) -> Label | None:
        """Where the components that an expression holds lie; none: anywhere."""
        found: Label | None = self._once("places", x, self._places)
        return found

    def _places(self, x: X) -> Label | None:
        match x.op:
            case "local":
                value = self.store.values.get(x.data)
                return None if value is None else value.places
            case "zone" | "zone_at":
                return self._zone(x)
            case "call" | "original":
                return self.result(x).places
            case "component" | "class" | "labelled" | "attr" | "state" | "field" | "index" | "family.key" | "map_list" | "column":
                return None
            case "comp":
                inner, _ = self.inside(x)
                element = x.args[-1] if x.data[0] == "list" else x.args[0]
                return inner.places(element) if element.op == "local" else inner.places(x.args[0])
        found = [self.places(a) for a in x.args if kinds_of(a.type)]
        if not found:
            return PUBLIC if not kinds_of(x.type) or x.op in ("list", "const") else None
        return None if any(f is None for f in found) else union(f for f in found if f is not None)


LABELS: dict[str, Callable[[Reading, X], Label]] = {
    "local": Reading._local,
    "zone": Reading._zone,
    "zone_at": Reading._zone,
    **dict.fromkeys(COUNTS, Reading._count),
    "state": Reading._state,
    "index": Reading._index,
    "component.owner": Reading._face,
    "mutable": Reading._face,
    "family.key": Reading._face,
    "comp": Reading._comprehension,
    "map_comp": Reading._comprehension,
    "call": Reading._call,
    "original": Reading._call,
}


def left_out(x: X) -> X | None:
    """The player whom a list of players certainly leaves out."""
    while x.op in ("comp", "bound", "otherwise_list") and x.args:
        if x.op == "comp" and (x.data[0] != "list" or len(x.binds()) != 1 or x.args[-1].op != "local" or x.args[-1].data != x.binds()[0]):
            return None
        x = x.args[0]
    return x.args[0] if x.op == "others" and x.args else None
