"""Copies: components that are called alike.

Where that is for ever they are *alike*: nothing tells them apart but the zone they lie in.

So that neither the integer of an option nor the hash of a position says which copy it is,

- a decision offers alike components that lie in one set or bag once, and so does a chance event;
- the integer of an option is the number of the first component that is alike, of the second where one that is
  alike stands in the source before;
- the canonical bytes of a position number alike components in the order in which they lie on the table.

Components whose attributes change in play are never alike, nor are those of a class that state, a watcher, a
parameter or an attribute may name, or that has reactions: they can come to differ.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import groupby

from croupier.kernel import types as t
from croupier.records import dataclass
from croupier.semantics.program import Program


@dataclass(frozen=True, slots=True)
class Copies:
    """The components of a game that are called alike, and those of them that are alike for ever.

    Components are numbers over all classes.
    """

    copies: tuple[tuple[int, ...], ...]  # by component all that are called as it is
    # by component the lowest number of those it is alike; its own number if there is no other
    first: tuple[int, ...]
    members: dict[int, tuple[int, ...]]  # by such a lowest number all of them, where there are several
    kinds: frozenset[str]  # the classes that have some
    # by zone whether it is a set or a bag; at the end: nowhere, which is -1, is like one
    loose: tuple[bool, ...]

    def among(self, kind: t.Type) -> bool:
        """Return whether some values of a type are components that are alike."""
        return isinstance(kind, t.Component) and not self.kinds.isdisjoint(kind.kinds)

    def location_key(self, where: Sequence[int], component: int) -> int:
        """A number that two components share if they are alike and lie in one set or bag, or both nowhere."""
        z = where[component]
        return self.first[component] * len(self.loose) + z + 1 if self.loose[z] else -1 - component

    def numbering(self) -> Numbering:
        """A fresh numbering of the components that different options name."""
        return Numbering(self)


class Numbering:
    """The numbers by which different components go, in the order in which they come up: alike ones by the
    numbers of those they are like, from the first.
    """

    def __init__(self, copies: Copies) -> None:
        self._copies = copies
        self._named: dict[Hashable, int] = {}  # by what tells a component apart: its number
        self._taken: dict[int, int] = {}  # by the first of those that are alike: how many have a number

    def number(self, key: Hashable, component: int) -> int:
        """The number of a component; `key` tells it apart from others that are alike."""
        number = self._named.get(key)
        if number is None:
            lowest = self._copies.first[component]
            at = self._taken.get(lowest, 0)
            self._taken[lowest] = at + 1
            number = self._copies.members[lowest][at] if lowest in self._copies.members else component
            self._named[key] = number
        return number


def copies_of(program: Program, names: Sequence[tuple[str, str, bool]], unordered: Iterable[bool]) -> Copies:
    """Return the components of a game that are called alike, and those that are alike.

    `names` has the class of each component, its id or label, and whether it is a label; `unordered` says of
    each zone whether it is a set or a bag. Copies are of one class and have one id or, without ids, one label
    at the start. They are alike if they are declared one after another, and nothing can ever tell them apart:
    no attribute of theirs changes, they have no reactions, and nothing that lasts names one of their class.
    """
    called: dict[tuple[str, str, bool], list[int]] = {}
    for number, name in enumerate(names):
        called.setdefault(name, []).append(number)
    distinct = _named_kinds(program) | {name for name, k in program.classes.items() if k.mutable}
    first, members = list(range(len(names))), dict[int, tuple[int, ...]]()
    for (kind, _, _), numbers in groupby(range(len(names)), key=names.__getitem__):
        found = tuple(numbers)
        if len(found) > 1 and kind not in distinct:
            members[found[0]] = found
            first[found[0] : found[-1] + 1] = [found[0]] * len(found)
    kinds = frozenset(names[lowest][0] for lowest in members)
    return Copies(
        tuple(tuple(called[name]) for name in names), tuple(first), members, kinds, (*unordered, True)
    )


def _named_kinds(program: Program) -> frozenset[str]:
    """The classes of which something that lasts may name one component: a window keeps the reactions that
    were used in it.
    """
    lasting: list[t.Type] = [v.type for v in program.vars.values()]
    lasting += [w.value.type for w in program.watchers if w.value is not None]
    lasting += [p.type for p in program.params.values()]
    lasting += [kind for k in program.classes.values() for kind in k.attributes.values()]
    lasting += [kind for e in program.enums.values() for kind in e.columns.values()]
    found = {h.component[0] for h in program.hooks if h.kind == "reaction" and h.component is not None}
    todo, known = lasting, set[str]()
    while todo:
        kind = todo.pop()
        match kind:
            case t.Component():
                found |= kind.kinds
            case t.Optional():
                todo.append(kind.base)
            case t.Collection():
                todo.append(kind.base)
            case t.Map():
                todo += [kind.key, kind.value]
            case t.Record() if kind.name not in known:
                known.add(kind.name)
                todo += program.records[kind.name].fields.values()
    return frozenset(found)


__all__ = ["Copies", "copies_of"]
