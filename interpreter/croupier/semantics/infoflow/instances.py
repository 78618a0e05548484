"""One call of a procedure: its summary in the names of the caller, with the arguments in the place of the
parameters; and what the called is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING

from croupier.kernel.tree import TypedExpr
from croupier.records import dataclass
from croupier.semantics.infoflow.effects import kinds_of
from croupier.semantics.infoflow.store import (
    ASPECTS,
    PUBLIC,
    AbstractValue,
    Label,
    Observer,
    Policy,
    Renaming,
    Thing,
    declassify,
    known_places,
    out_of_sight,
    rename,
    rename_observer,
    rename_readers,
)
from croupier.semantics.procedures import Hook, Proc

if TYPE_CHECKING:
    from croupier.semantics.infoflow.expressions import ExpressionLabels


@dataclass
class Instance:
    """A call-site instantiation of a summary: `given` has the argument, or the label, of each parameter by
    its number.
    """

    read: ExpressionLabels
    given: dict[Observer, TypedExpr | AbstractValue]
    _numbers: dict[Observer, Observer | None] = field(default_factory=dict)
    _labels: dict[tuple[Observer, str], Label] = field(default_factory=dict)
    _renamed: dict[Label, Label] = field(default_factory=dict)  # labels in the names of the caller
    _readers: dict[frozenset[Observer], frozenset[Observer]] = field(default_factory=dict)

    @staticmethod
    def of(read: ExpressionLabels, x: TypedExpr, target: Proc) -> Instance:
        """A call of a definition."""
        return Instance(
            read, {("param", target.index, q.slot): a for q, a in zip(target.params, x.args, strict=False)}
        )

    @staticmethod
    def of_hook(
        read: ExpressionLabels, x: TypedExpr, target: Proc, hook: Hook, result: AbstractValue
    ) -> Instance:
        """A hook on a definition as a call: the names it binds stand for arguments, and for the result so
        far.
        """
        own = hook.bound(target)
        given: dict[Observer, TypedExpr | AbstractValue] = {
            ("param", hook.proc.index, own[q.slot]): a
            for q, a in zip(target.params, x.args, strict=False)
            if q.slot in own
        }
        if hook.result_slot is not None:
            given[("param", hook.proc.index, hook.result_slot)] = result
        return Instance(read, given)

    # ------------------------------------------------------------ names
    @property
    def names(self) -> Renaming:
        return Renaming(self._number, self._other)

    def _number(self, o: Observer) -> Observer | None:
        if o[0] == "state":
            if o[1] in self.read.analysis.effects.watched:
                return None
            return self.read.store.states.get(str(o[1]), o)
        if o not in self._numbers:
            match self.given.get(o):
                case None:
                    self._numbers[o] = None
                case AbstractValue() as value:
                    self._numbers[o] = value.number
                case argument:
                    self._numbers[o] = self.read.number(argument)
        return self._numbers[o]

    def _other(self, o: Observer) -> tuple[object, ...]:
        return (self.read.proc.index, self.read.site, o[2:])

    def readers(self, readers: frozenset[Observer]) -> frozenset[Observer]:
        """The observers of these that have a name in the caller."""
        if not readers:
            return readers
        found = self._readers.get(readers)
        if found is None:
            found = self._readers[readers] = rename_readers(readers, self.names)
        return found

    def thing(self, thing: Thing) -> Thing | None:
        """A thing by the name that the caller has for its owner, `None` if there is none."""
        kind, name, key = thing
        whose = None if key is None else rename_observer(key, self.names)
        return None if key is not None and whose is None else (kind, name, whose)

    # ------------------------------------------------------------ labels
    def label(self, label: Label) -> Label:
        """A label with those of the arguments in it."""
        if not label:
            return label
        known = self._renamed.get(label)
        if known is None:
            known = self._renamed[label] = self._label(label)
        return known

    def _label(self, label: Label) -> Label:
        symbols = [p for p in label if p.kind == "param"]
        found = rename(label.difference(symbols) if symbols else label, self.names)
        for p in symbols:
            given = self._aspect(p)
            found |= declassify(out_of_sight(given) if p.name == "zones" else given, self.readers(p.readers))
        return found

    def _aspect(self, p: Policy) -> Label:
        if p.key is None:
            return PUBLIC
        at = (p.key, p.name)
        if at not in self._labels:
            a = self.given.get(p.key)
            self._labels[at] = PUBLIC if a is None else self._of(a, p.name)
        return self._labels[at]

    def _of(self, a: TypedExpr | AbstractValue, aspect: str) -> Label:
        if isinstance(a, AbstractValue):
            found = {"": a.label, "selects": a.selects, "zones": a.zones, "back": a.label}[aspect]
            return PUBLIC if found is None else found
        if aspect == "selects":
            return self.read.selection(a) if self.read.analysis.holds_components(a.type) else PUBLIC
        if aspect == "back":
            return self.read.back(a)
        if aspect == "zones":
            return known_places(self.read.zones(a), kinds_of(a.type), a.span)
        return self.read.label(a)

    def zones(self, zones: Label | None) -> Label | None:
        """Rename the places where something lies to the names of the caller."""
        if zones is None:
            return None
        return self.label(zones).union(*(self._aspect(p) for p in zones if p.kind == "param"))

    def value(self, value: AbstractValue) -> AbstractValue:
        """A value that the call gives."""
        number = rename_observer(value.number, self.names) or self.read.point("call")
        return AbstractValue(
            number, self.label(value.label), self.label(value.selects), self.zones(value.zones)
        )


# ---------------------------------------------------------------- what the called is given
ASKED = -2  # the slot of who may react in a window

Entry = tuple[Observer, str]  # an aspect of a parameter


@dataclass
class CallArguments:
    """One call: its arguments, in the names of the caller."""

    target: Proc
    values: dict[int, AbstractValue]
    states: dict[str, Observer]
    asked: Observer | None = None  # in a window, the player who may react, where that is one

    def labels(self) -> Iterator[tuple[Entry, Label]]:
        """Yield the label that each aspect of each parameter is given, in the names of the caller."""
        for slot, v in self.values.items():
            number = ("param", self.target.index, slot)
            kind = next(q.type for q in self.target.params if q.slot == slot)
            lost = out_of_sight(known_places(v.zones, kinds_of(kind), self.target.span))
            yield from (
                ((number, aspect), label)
                for aspect, label in zip(ASPECTS, (v.label, v.selects, lost, v.label), strict=True)
                if label
            )

    def names(self) -> Renaming:
        """The names of the called for the values of the caller."""
        numbers: dict[Observer, Observer] = {}
        if self.asked is not None:
            numbers[self.asked] = ("param", self.target.index, ASKED)
        for slot, v in self.values.items():
            numbers.setdefault(v.number, ("param", self.target.index, slot))
        for name, number in self.states.items():
            numbers.setdefault(number, ("state", name))
        return Renaming(
            lambda o: numbers.get(o) or (o if o[0] == "state" and o[1] not in self.states else None),
            lambda o: o[2:],
        )
