"""Security labels, and the abstract store: what is known, at one point of a procedure, of each local and of
what was disclosed.

Stores are joined where paths meet. The join is where implicit flows come in (Denning 1976): a local that was
given different values on the paths that meet depends on what decided between them, the *gate*. A value has a
number: paths on which a local has the same number gave it the same value, and nothing is added.

A **label** says what a value was worked out from, and who may know that. It is a set of policies, as in the
decentralised label model (Myers and Liskov 1997). A **policy** names one source — a zone, how much lies in
it, a state variable, where a component lies, a secret choice — and its readers: whoever the declaration lets
see it (its *audience*), and those to whom it was declassified. The least label is the empty set (everybody
may know); the join of two labels is their union; a player may know a value if they are a reader of each of
its policies.

Two kinds of policies are symbols. `param` stands for the label of what a procedure was given (`name` tells
which side of it, `key` which parameter); callers put theirs in its place. `loop` stands for what decides
which round of a loop it is: its key is the loop.

An **observer** is a player as a value, not as a name: equal observers are certainly the same player. A local
that is given another value has another observer; two names of one value have one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from functools import lru_cache
from typing import NamedTuple, TypeVar

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.tree import ConstExpr, EnumExpr, LocalExpr, TypedExpr, ZoneExpr
from croupier.records import dataclass
from croupier.semantics.program import ITSELF, KEY, READER

T = TypeVar("T")

# ------------------------------------------------------------ labels
Observer = tuple[object, ...]
EVERYBODY: Observer = ("everybody",)
WHOLE: Observer = ("all",)  # as a key: everybody's, a family of zones or a map as a whole
# heads of observers that mean the same in every procedure
LASTING = frozenset({"everybody", "all", "option", "const", "players"})
DEEPEST = 6  # observers in observers
MOST_STEPS = 3  # values that a policy is known to have come through
MOST_WAYS = 200  # policies of a label that is known to have come through values


class Policy(NamedTuple):
    """One source of a value; `key`: whose it is (`None`: nobody certain); `current`: its value counts as seen
    only until it changes.

    `via` has the numbers of the values that all of this came through: whoever knows one of them knows what
    came of it.
    """

    kind: str  # zone count state secret, place (a zone not known, `name` is a class), or a symbol: param loop
    name: str
    key: Observer | None
    span: Span
    readers: frozenset[Observer] = frozenset()
    current: bool = False
    via: frozenset[Observer] = frozenset()


Label = frozenset[Policy]


@dataclass(frozen=True)
class Renaming:
    """A map of observers to another scope: of those with a number, and of those known only by whom they
    differ from.
    """

    number: Callable[[Observer], Observer | None]
    # what tells one from the next, none if they have no name there
    other: Callable[[Observer], tuple[object, ...] | None]


PUBLIC: Label = frozenset()
NOBODY: frozenset[Observer] = frozenset()
ASPECTS = ("", "selects", "zones", "back")
"""Of a parameter: what it was worked out from, what decided which components it holds, where they lie, what
is known by whoever sees their backs.
"""


def param(number: Observer, aspect: str, span: Span) -> Policy:
    """The symbol of one aspect of what a procedure is given."""
    return Policy("param", aspect, number, span)


def declassify(label: Label, readers: frozenset[Observer]) -> Label:
    """A label with these observers added to the readers of each policy."""
    if not readers or not label:
        return label
    if EVERYBODY in readers:
        return frozenset(
            p._replace(readers=p.readers | readers) for p in label if p.kind == "param" or p.current
        )
    return frozenset(p if readers <= p.readers else p._replace(readers=p.readers | readers) for p in label)


def plain(label: Label) -> Label:
    """A label without the values that it came through: nothing that is disclosed of them counts any more."""
    if not any(p.via for p in label):
        return label
    return frozenset(p._replace(via=NOBODY) if p.via else p for p in label)


@lru_cache(4096)
def through(label: Label, number: Observer) -> Label:
    """A label that came through the value with a number.

    The ways that values come are many, so only the first steps of each are kept; where there are too many of
    these, none is, which errs on the safe side.
    """
    found = frozenset(
        p if number in p.via or len(p.via) >= MOST_STEPS else p._replace(via=p.via | {number}) for p in label
    )
    return found if len(found) <= MOST_WAYS else plain(found)


def in_sight(zone: str, span: Span) -> Policy:
    """A zone in which everybody sees what lies there: no label has it, but the places of components do."""
    return Policy("zone", zone, None, span, frozenset({EVERYBODY}))


def known_places(zones: Label | None, kinds: Iterable[str], span: Span) -> Label:
    """The label of the places of components; where these lie anywhere, a place for each class."""
    return frozenset(Policy("place", k, None, span) for k in kinds) if zones is None else zones


def out_of_sight(zones: Label) -> Label:
    """The label of the places of components: those that not everybody sees."""
    return frozenset(p for p in zones if p.kind == "param" or p.current or EVERYBODY not in p.readers)


def coarsened(label: Label) -> Label:
    """A label without owners and readers: only declarations say who may know it."""
    return frozenset(
        Policy(p.kind, p.name, p.key if p.kind in ("param", "loop") else None, p.span, NOBODY, p.current)
        for p in label
    )


# ---------------------------------------------------------------- observers
def different(a: Observer, b: Observer) -> bool:
    """Tell whether two observers are certainly two different players."""
    return _apart(a, b) or _apart(b, a)


def _apart(a: Observer, b: Observer) -> bool:
    return (a[0] == "other" and a[1] == b) or (
        a[0] == "expr" and a[1] in ("next", "previous") and a[3] == (b,)
    )


def knows(readers: frozenset[Observer], who: Observer) -> bool:
    """Tell whether a player is certainly among some readers."""
    if not readers:
        return False
    return (
        who in readers
        or EVERYBODY in readers
        or any(r[0] == "others" and isinstance(r[1], tuple) and different(r[1], who) for r in readers)
    )


def audience_of(audience: TypedExpr, key: Observer | None) -> frozenset[Observer]:
    """The observers whom a declared audience certainly holds."""
    if audience.op == "if":
        first, second = (audience_of(x, key) for x in audience.args[1:])
        if EVERYBODY in first:
            return second
        return first if EVERYBODY in second else first & second
    if not isinstance(audience, EnumExpr):
        return frozenset({EVERYBODY})
    match audience.name:
        case "nobody":
            return NOBODY
        case "owner":
            return NOBODY if key is None or key == WHOLE else frozenset({key})
        case "others":
            return NOBODY if key is None or key == WHOLE else frozenset({("others", key)})
    return frozenset({EVERYBODY})


# ---------------------------------------------------------------- audiences by the position
def always(condition: TypedExpr, top: str | None = None) -> frozenset[str]:
    """The audiences that a condition certainly admits, whatever the position is; of the top component of the
    zone `top`, if that is asked.
    """
    everybody = frozenset(("everybody", "owner", "others"))
    match condition:
        case ConstExpr():
            return everybody if condition.value else frozenset()
        case TypedExpr(op="or"):
            return always(condition.args[0], top) | always(condition.args[1], top)
        case TypedExpr(op="and"):
            return always(condition.args[0], top) & always(condition.args[1], top)
        case TypedExpr(op="if"):
            first, second = (always(x, top) for x in condition.args[1:])
            return first if top is not None and always(condition.args[0], top) else first & second
        case TypedExpr(op="not"):
            return frozenset(("others",)) if is_owner(condition.args[0]) else frozenset()
        case TypedExpr(op="==") if is_owner(condition):
            return frozenset(("owner",))
        case TypedExpr(op="=="):
            return everybody if top is not None and is_top(condition, top) else frozenset()
    return frozenset()


def is_owner(x: TypedExpr) -> bool:
    """`q == key`, of whoever looks."""
    slots = {a.slot for a in x.args if isinstance(a, LocalExpr)}
    return x.op == "==" and slots == {READER, KEY} and isinstance(x.args[0].type, t.Player)


def _is_at_key(x: ZoneExpr) -> bool:
    """Tell whether a zone is that which a condition on it is about."""
    return x.key is None or (isinstance(x.key, LocalExpr) and x.key.slot == KEY)


def is_top(x: TypedExpr, zone: str) -> bool:
    """`self == pile.top`, of the zone itself: of one with a key `pile[key].top`."""
    for one, other in (x.args, x.args[::-1]):
        while other.op in ("certain", "narrow") and other.args:
            other = other.args[0]
        if isinstance(one, LocalExpr) and one.slot == ITSELF and other.op == "zone.top":
            of = other.args[0]
            return isinstance(of, ZoneExpr) and of.name == zone and _is_at_key(of)
    return False


STEPS = ("next", "previous")  # from a player to a neighbour
KEYED: Observer = ("key",)  # in the readers of a map: the player whose entry it is


def of_entry(number: Observer, reader: Observer) -> Observer:
    """Return the observers who know of each entry of the map with a number what stands there: a player named
    by the key, `KEYED`.
    """
    return ("entry", number, reader)


def entry_readers(label: Label, number: Observer, key: Observer) -> Label:
    """The label of the entry at a key, by that of the map with a number: of each entry a player may know what
    stands there.
    """
    found = PUBLIC
    for p in label:
        known = frozenset(
            with_part(r[2], KEYED, key)
            for r in p.readers
            if r[0] == "entry" and r[1] == number and isinstance(r[2], tuple)
        )
        found |= declassify(frozenset({p}), known)
    return found


def with_part(o: Observer, old: Observer, new: Observer) -> Observer:
    """An observer with another part in it; who comes after the one before somebody is that player."""
    if o == old:
        return new
    if o[0] != "expr" or o[1] not in STEPS or not isinstance(o[3], tuple):
        return o
    inner = with_part(o[3][0], old, new)
    if inner[0] == "expr" and inner[1] in STEPS and inner[1] != o[1] and isinstance(inner[3], tuple):
        back: Observer = inner[3][0]
        return back
    return (*o[:3], (inner,))


def restrict(readers: frozenset[Observer], audience: frozenset[Observer] | None) -> frozenset[Observer]:
    """The readers who belong to an audience (`None`: everybody does)."""
    if audience is None or EVERYBODY in audience:
        return readers
    return frozenset(audience if EVERYBODY in readers else {r for r in readers if knows(audience, r)})


# ---------------------------------------------------------------- other names
def rename(label: Label, to: Renaming) -> Label:
    """A label in the names of another procedure, or of another round of a loop; a reader without a name there
    is left out.
    """
    return _each(label, lambda p: _renamed(p, to)) if label else label


def _renamed(p: Policy, to: Renaming) -> Policy:
    kind, name, key, span, readers, current, via = p
    if not readers and not via and (key is None or kind in ("param", "loop")):  # most policies name nobody
        return p
    whose = key if key is None or kind in ("param", "loop") else rename_observer(key, to)
    known = rename_readers(readers, to)
    through = rename_readers(via, to)
    if whose is key and known is readers and through is via:
        return p
    return Policy(kind, name, whose, span, known, current, through)


def rename_via(label: Label, to: Renaming) -> Label:
    """A label in which only the values that it came through have other names, or `None`."""
    return frozenset(p._replace(via=rename_readers(p.via, to)) if p.via else p for p in label)


def rename_readers(readers: frozenset[Observer], to: Renaming) -> frozenset[Observer]:
    """The readers that have a name elsewhere."""
    return _each(readers, lambda r: rename_observer(r, to)) if readers else readers


def _each(items: frozenset[T], change: Callable[[T], T | None]) -> frozenset[T]:
    """Return the changed items, without those that become `None`; the set itself where nothing changes."""
    made = frozenset([new for item in items if (new := change(item)) is not None])
    return items if made == items else made


def rename_observer(o: Observer, to: Renaming) -> Observer | None:
    """An observer as it is called elsewhere, `None` if it has no name there."""
    kind = o[0]
    if kind in LASTING:
        return o
    direct = to.number(o)
    if direct is not None:
        return direct
    made: Observer | None
    if kind in ("others", "other"):
        first = rename_observer(o[1], to) if isinstance(o[1], tuple) else None
        which = () if kind == "others" else to.other(o)
        made = None if first is None or which is None else (kind, first, *which)
    elif kind == "expr":
        parts = [rename_observer(c, to) for c in o[3]] if isinstance(o[3], tuple) else [None]
        made = None if None in parts else (*o[:3], tuple(parts))
    else:
        return None
    return None if made is None or depth(made) > DEEPEST else made


@lru_cache(4096)
def depth(part: object) -> int:
    """Return how deep observers are nested in an observer."""
    return 1 + max((depth(p) for p in part), default=0) if isinstance(part, tuple) else 0


def union(labels: Iterable[Label]) -> Label:
    """The join of labels."""
    found: Label = PUBLIC
    for label in labels:
        if not found:
            found = label
        elif label:
            found = found | label
    return found


# ------------------------------------------------------------ the store
Thing = tuple[str, str, Observer | None]  # kind, name, whose


class AbstractValue(NamedTuple):
    """The value of a local: its number (an observer, if it is a player), its label, what decided which
    components it holds, and where these lie (`None`: anywhere); `in_sight` in zones that everybody sees.
    """

    number: Observer
    label: Label
    selects: Label = PUBLIC
    zones: Label | None = PUBLIC


def joined(values: Iterable[AbstractValue], number: Observer, gate: Label = PUBLIC) -> AbstractValue:
    """A value that was made of several, or is one of them; the gate decided about that."""
    values = tuple(values)
    return AbstractValue(
        number,
        union((*(v.label for v in values), gate)),
        union((*(v.selects for v in values), gate)),
        all_places(v.zones for v in values),
    )


def all_places(places: Iterable[Label | None]) -> Label | None:
    """All of some places, each of them where something may lie; `None`: anywhere."""
    found = PUBLIC
    for zones in places:
        if zones is None:
            return None
        found |= zones
    return found


@dataclass
class AbstractStore:
    """The abstract state at one point of a procedure.

    `pc` is the label of the program counter: of all that decided to come here since the procedure began.
    `skips` is the part of it that decides whether a round of a loop comes here, or skips this while the loop
    goes on: not what would have left the loop.
    """

    values: dict[int, AbstractValue] = field(default_factory=dict)
    # numbers of the state variables that were given other values here
    states: dict[str, Observer] = field(default_factory=dict)
    # who certainly knows a thing as it is now
    facts: dict[Thing, frozenset[Observer]] = field(default_factory=dict)
    # what nobody sees happen: labels of what was written in a look-ahead
    contents: dict[str, Label] = field(default_factory=dict)
    pc: Label = PUBLIC
    skips: Label = PUBLIC

    def copy(self) -> AbstractStore:
        return AbstractStore(
            dict(self.values), dict(self.states), dict(self.facts), dict(self.contents), self.pc, self.skips
        )

    # ------------------------------------------------------------ disclosing and forgetting
    def learn(self, number: Observer, readers: frozenset[Observer]) -> None:
        """These observers know a value, under whichever name, and what was worked out from it."""

        def known(label: Label) -> Label:
            came = frozenset(p for p in label if number in p.via)
            return label if not came else label - came | declassify(came, readers)

        for slot, v in self.values.items():
            if v.number == number:
                self.values[slot] = v._replace(
                    label=declassify(v.label, readers), selects=declassify(v.selects, readers)
                )
        self._relabel(known)

    def add_fact(self, thing: Thing, readers: frozenset[Observer]) -> None:
        """These observers know a thing as it is now."""
        self.facts[thing] = self.facts.get(thing, frozenset()) | readers

    def forget(self, names: frozenset[str], kinds: tuple[str, ...] = ("zone", "count", "state")) -> None:
        """Drop what was disclosed of these things, which is out of date."""
        if self.facts:
            self.facts = {t: r for t, r in self.facts.items() if t[1] not in names or t[0] not in kinds}

    def outdate(self, kind: str, name: str, unseen: Label) -> None:
        """A thing changes: values read from it before take the label of what it was given unseen."""

        def outdated(label: Label) -> Label:
            if not any(p.current and p.name == name and p.kind == kind for p in label):
                return label
            return (
                frozenset(
                    p._replace(current=False) if p.name == name and p.kind == kind else p for p in label
                )
                | unseen
            )

        self._relabel(outdated)
        self.pc, self.skips = outdated(self.pc), outdated(self.skips)

    def replace_loop(self, marker: Observer, gate: Label) -> None:
        """Replace the marker of a loop, at its exit, by the label of what decided to leave it."""

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
                self.values[slot] = AbstractValue(v.number, label, selects, v.zones)

    def renamed(self, to: Renaming, fresh: tuple[object, ...]) -> AbstractStore:
        """The store as the next round of a loop finds it, where what the last one bound has no name any
        more.
        """
        out = AbstractStore(
            pc=rename(self.pc, to),
            skips=rename(self.skips, to),
            contents={n: rename(label, to) for n, label in self.contents.items()},
        )
        for slot, v in self.values.items():
            number = rename_observer(v.number, to) or (*fresh, slot)
            zones = None if v.zones is None else rename(v.zones, to)
            out.values[slot] = AbstractValue(number, rename(v.label, to), rename(v.selects, to), zones)
        out.states = {n: rename_observer(o, to) or (*fresh, n) for n, o in self.states.items()}
        for (kind, name, key), readers in self.facts.items():
            whose = None if key is None else rename_observer(key, to)
            kept = rename_readers(readers, to)
            if kept and (key is None or whose is not None):
                out.add_fact((kind, name, whose), kept)
        return out


def join(stores: Sequence[AbstractStore], gate: Label, site: tuple[object, ...]) -> AbstractStore | None:
    """The store where paths meet; `None` if no path leads here."""
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
    if all(v.number == found[0].number for v in found):
        return joined(found, found[0].number)
    return joined(found, number, gate)
