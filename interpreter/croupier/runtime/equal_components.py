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

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from croupier.kernel import types as t
from croupier.records import dataclass
from croupier.semantics.program import Program

Row = tuple[tuple[Any, ...], tuple[int, ...]]  # values, and the index of each in what it is chosen from


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

    def numbered(self, components: Iterable[int]) -> Iterator[int]:
        """The numbers by which different components go, in this order: alike ones by the first numbers of
        those they are like.
        """
        taken: dict[int, int] = {}
        for component in components:
            first = self.first[component]
            at = taken.get(first, 0)
            taken[first] = at + 1
            yield self.members[first][at] if first in self.members else component

    def rows(self, where: Sequence[int], lows: Sequence[int | None], rows: Iterable[Row]) -> list[Row]:
        """Combinations of values with their indices, without those that differ only in which of several alike
        components they name.

        `lows` are, of each value that is a component, the first number of its type; the indices of those then
        say nothing of which one it is.
        """
        first, loose, width = self.first, self.loose, len(self.loose)

        def place(component: int) -> int:
            """Return a number for where a component lies, and for which one it is where that matters."""
            if loose[where[component]]:
                return first[component] * width + where[component] + 1
            return -1 - component

        different: set[tuple[object, ...]] = set()
        # of each such component, by where it lies: its number
        named: list[dict[int, int]] = [{} for _ in lows]
        # by the first of those that are alike: how many have a number
        taken: list[dict[int, int]] = [{} for _ in lows]
        found: list[Row] = []
        for values, indices in rows:
            key = tuple([v if low is None else place(v) for v, low in zip(values, lows, strict=True)])
            if key in different:
                continue
            different.add(key)
            at = list(indices)
            for d, low in enumerate(lows):
                if low is not None:
                    number = named[d].get(key[d])
                    if number is None:
                        lowest = first[values[d]]
                        n = taken[d][lowest] = taken[d].get(lowest, -1) + 1
                        number = named[d][key[d]] = (
                            self.members[lowest][n] if lowest in self.members else lowest
                        )
                    at[d] = number - low
            found.append((values, tuple(at)))
        return found


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
