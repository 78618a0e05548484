"""The abstract store: what is known, at one point of a procedure, of each local and of what was disclosed. Stores are joined where ways meet.

The join is where implicit flows come in (Denning 1976): a local that was given different values on the ways that meet depends on what decided
between them, the *gate*. A value has a number: ways on which a local has the same number gave it the same value, and nothing is added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from croupier.semantics.infoflow.labels import (
    PUBLIC,
    Label,
    Observer,
    Renaming,
    declassify,
    knows,
    rename,
    rename_observer,
    rename_readers,
    union,
)

Thing = tuple[str, str, Observer | None]  # kind, name, whose


class AbstractValue(NamedTuple):
    """The value of a local: its number (an observer, if it is a player), its label, what decided which components it holds, and where these lie
    (none: anywhere)."""

    number: Observer
    label: Label
    selects: Label = PUBLIC
    places: Label | None = PUBLIC


@dataclass
class AbstractStore:
    """What is known at one point. `pc` is the label of the program counter: of all that decided to come here since the procedure began. `skips`
    is the part of it that decides whether a round of a loop comes here, or skips this while the loop goes on: not what would have left the loop."""

    values: dict[int, AbstractValue] = field(default_factory=dict)
    states: dict[str, Observer] = field(default_factory=dict)  # numbers of the state variables that were given other values here
    facts: dict[Thing, frozenset[Observer]] = field(default_factory=dict)  # who certainly knows a thing as it is now
    contents: dict[str, Label] = field(default_factory=dict)  # what nobody sees happen: labels of what was written in a look-ahead
    pc: Label = PUBLIC
    skips: Label = PUBLIC

    def copy(self) -> AbstractStore:
        return AbstractStore(dict(self.values), dict(self.states), dict(self.facts), dict(self.contents), self.pc, self.skips)

    # ------------------------------------------------------------ disclosing and forgetting
    def learn(self, number: Observer, readers: frozenset[Observer]) -> None:
        """These observers know a value, under whichever name."""
        for slot, v in self.values.items():
            if v.number == number:
                self.values[slot] = v._replace(label=declassify(v.label, readers), selects=declassify(v.selects, readers))

    def add_fact(self, thing: Thing, readers: frozenset[Observer]) -> None:
        """These observers know a thing as it is now."""
        self.facts[thing] = self.facts.get(thing, frozenset()) | readers

    def forget(self, names: frozenset[str], kinds: tuple[str, ...] = ("zone", "count", "state")) -> None:
        """What was disclosed of these things is out of date."""
        if self.facts:
            self.facts = {t: r for t, r in self.facts.items() if t[1] not in names or t[0] not in kinds}

    def outdate(self, kind: str, name: str, unseen: Label) -> None:
        """A thing changes: values that were read from it count by what it had been given unseen."""

        def outdated(label: Label) -> Label:
            if not any(p.current and p.name == name and p.kind == kind for p in label):
                return label
            return frozenset(p._replace(current=False) if p.name == name and p.kind == kind else p for p in label) | unseen

        self._relabel(outdated)
        self.pc, self.skips = outdated(self.pc), outdated(self.skips)

    def replace_loop(self, marker: Observer, gate: Label) -> None:
        """A loop is left: which round it was in is what decided to leave it."""

        def left(label: Label) -> Label:
            gone = frozenset(p for p in label if p.kind == "loop" and p.key == marker)
            return label if not gone else label - gone | gate

        self._relabel(left)
        self.contents = {name: left(label) for name, label in self.contents.items()}
        self.pc, self.skips = left(self.pc), left(self.skips)

    def _relabel(self, change: Callable[[Label], Label]) -> None:
        for slot, v in self.values.items():
            label, selects = change(v.label), change(v.selects)
            if label is not v.label or selects is not v.selects:
                self.values[slot] = AbstractValue(v.number, label, selects, v.places)

    def renamed(self, to: Renaming, fresh: tuple[object, ...]) -> AbstractStore:
        """The store as the next round of a loop finds it, where what the last one bound has no name any more."""
        out = AbstractStore(
            pc=rename(self.pc, to), skips=rename(self.skips, to), contents={n: rename(label, to) for n, label in self.contents.items()}
        )
        for slot, v in self.values.items():
            number = rename_observer(v.number, to) or (*fresh, slot)
            places = None if v.places is None else rename(v.places, to)
            out.values[slot] = AbstractValue(number, rename(v.label, to), rename(v.selects, to), places)
        out.states = {n: rename_observer(o, to) or (*fresh, n) for n, o in self.states.items()}
        for (kind, name, key), readers in self.facts.items():
            whose = None if key is None else rename_observer(key, to)
            kept = rename_readers(readers, to)
            if kept and (key is None or whose is not None):
                out.add_fact((kind, name, whose), kept)
        return out


def join(stores: Sequence[AbstractStore], gate: Label, site: tuple[object, ...]) -> AbstractStore | None:
    """The store where ways meet; none if no way leads here."""
    if not stores:
        return None
    if len(stores) == 1:
        return stores[0]
    first, *rest = stores
    out = first.copy()
    for slot in {slot for s in stores for slot in s.values}:
        found = [s.values[slot] for s in stores if slot in s.values]
        if any(v is not found[0] for v in found):
            out.values[slot] = _met(found, gate, (*site, slot))
        else:
            out.values[slot] = found[0]
    for name in {name for s in stores for name in s.states}:
        if any(s.states.get(name, ("state", name)) != first.states.get(name, ("state", name)) for s in rest):
            out.states[name] = (*site, name)
        else:
            out.states[name] = first.states.get(name, ("state", name))
    out.facts = {}
    for thing, readers in first.facts.items():
        common = readers
        for s in rest:
            others = s.facts.get(thing, frozenset())
            common = frozenset(r for r in common if knows(others, r) or r in others)
        if common:
            out.facts[thing] = common
    for name in {name for s in stores for name in s.contents}:
        out.contents[name] = union(s.contents.get(name, PUBLIC) for s in stores) | gate
    out.pc, out.skips = union(s.pc for s in stores), union(s.skips for s in stores)
    return out


def _met(found: list[AbstractValue], gate: Label, number: tuple[object, ...]) -> AbstractValue:
    label, selects = union(v.label for v in found), union(v.selects for v in found)
    places = None if any(v.places is None for v in found) else union(v.places for v in found if v.places is not None)
    if all(v.number == found[0].number for v in found):
        return AbstractValue(found[0].number, label, selects, places)
    return AbstractValue(number, label | gate, selects | gate, places)
