"""The label of an expression at one point: the join of what it reads.

Reading a local reads its label, a zone or a state variable its own policy with whoever was told of it, the
attributes of a component also where it lies. A call reads what the summary of its definition says, with the
arguments in the place of the parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from functools import wraps
from typing import Protocol, TypeVar, cast

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.tree import (
    AttributeExpr,
    CallExpr,
    CompExpr,
    ConstExpr,
    LocalExpr,
    MutableExpr,
    OriginalExpr,
    ParamExpr,
    StateExpr,
    TypedExpr,
    ZoneExpr,
    of_form,
)
from croupier.records import dataclass
from croupier.semantics.infoflow.effects import ANYWHERE, FACES, ProcedureEffects, kinds_of
from croupier.semantics.infoflow.store import (
    EVERYBODY,
    NOBODY,
    PUBLIC,
    WHOLE,
    AbstractStore,
    AbstractValue,
    Label,
    Observer,
    Policy,
    Thing,
    all_places,
    always,
    declassify,
    depth,
    entry_readers,
    in_sight,
    known_places,
    out_of_sight,
    through,
    union,
)
from croupier.semantics.procedures import Proc
from croupier.semantics.program import KEY, READER, Program, ZoneDef, key_type
from croupier.semantics.ranges import WRAPPERS, plain
from croupier.semantics.walk import locals_in, sights

F = TypeVar("F", bound=TypedExpr)
R = TypeVar("R")

COUNTS = ("zone.size", "zone.empty", "zone.room", "zone.shuffled", "family.size", "family.empty")
# operations that give the value that they are given, and a zone as the list of what lies there
LISTED = (*WRAPPERS, "zone_list", "zone_all", "zone.list", "family_list", "family.list")
# operations that give a part of a zone
PARTS = ("list.first", "list.last", "item", "index", "zone.first", "zone.top", "zone.last", *LISTED)
FIXED = frozenset(  # pure functions of numbers
    "next previous players clockwise others list list.first list.last item index field record attr "
    "otherwise enum const component class cell"
    " cell.step board.at player.seat zone.first zone.top zone.last + - *".split()
)
DEEPEST_NUMBER = 5


class ProgramFacts(Protocol):
    """The facts about a whole program that the labels of its expressions need."""

    program: Program
    effects: ProcedureEffects
    unseen: dict[tuple[str, str], Label]
    asking: set[str]
    public: frozenset[tuple[str, str]]

    def result(self, read: ExpressionLabels, x: CallExpr) -> AbstractValue: ...

    def holds_components(self, kind: t.Type) -> bool: ...


def once(rule: Callable[[ExpressionLabels, F], R]) -> Callable[[ExpressionLabels, F], R]:
    """Let a rule be applied to each expression once."""

    @wraps(rule)
    def known(labels: ExpressionLabels, x: F) -> R:
        key = (rule.__name__, id(x))
        if key not in labels.known:
            labels.known[key] = rule(labels, x)
        return cast("R", labels.known[key])

    return known


@dataclass
class ExpressionLabels:
    """The labels of expressions of a procedure at one point; `chooser` is the player for whom they are worked
    out, if one decides here.
    """

    analysis: ProgramFacts
    proc: Proc
    store: AbstractStore
    site: int
    in_lookahead: bool = False  # in a look-ahead, where nothing that happens is seen
    chooser: Observer | None = None
    chooser_is: frozenset[Observer] = frozenset()  # numbers that this player has besides
    # what was worked out, by the rule and the expression
    known: dict[tuple[str, int], object] = field(default_factory=dict)

    # ------------------------------------------------------------ numbers: which value is it?
    def number(self, x: TypedExpr) -> Observer | None:
        """The number of a value: equal numbers are certainly equal values at any moment.

        `None` where that is not known.

        What lies in a zone is a value that is another one after each change, like that of a state variable.
        """
        while x.op in LISTED and x.args:
            x = x.args[0]
        match x:
            case LocalExpr():
                value = self.store.values.get(x.slot)
                return None if value is None else value.number
            case ParamExpr():
                return ("option", x.name)
            case ZoneExpr(key=TypedExpr()):
                whose, now = self.number(x.args[0]), self.version(x.name)
                return None if whose is None or now is None else ("expr", x.op, x.name, (now, whose))
            case StateExpr() | ZoneExpr():
                return self.version(x.name)
            case TypedExpr(op="players"):
                return ("players",)
        if x.op not in FIXED:
            return None
        parts = tuple(self.number(a) for a in x.args)
        if None in parts:
            return None
        details = x.details
        made = (
            "expr",
            x.op,
            details if details is None or isinstance(details, (str, int)) else repr(details),
            parts,
        )
        return made if depth(made) <= 2 * DEEPEST_NUMBER else None

    def player(self, x: TypedExpr) -> Observer | None:
        """The number of a player; `None` for anything else."""
        return self.number(x) if isinstance(x.type, t.Player) else None

    def owner(self, x: ZoneExpr) -> Observer | None:
        """The number of the player whose zone it is, if it is a player's."""
        return self.player(x.args[0]) if x.args else None

    def version(self, name: str) -> Observer | None:
        """The number of what a state variable or a zone holds now."""
        return None if name in self.analysis.effects.watched else self.store.states.get(name, ("state", name))

    def point(self, what: str | int) -> Observer:
        """The number of a value that is made here, by what it is or the local that gets it."""
        return ("at", self.proc.index, self.site, what)

    def number_or_new(self, x: TypedExpr, slot: int) -> Observer:
        """The number of a value that a local is given."""
        return self.number(x) or self.point(slot)

    def one_of(self, source: TypedExpr, slot: int) -> Observer:
        """The number of one element of a collection: of players who certainly leave somebody out, somebody
        else.
        """
        without = left_out(source)
        number = None if without is None else self.number(without)
        if number is not None:
            return ("other", number, self.proc.index, self.site, slot)
        if source.op == "list" and len(source.args) == 1:
            return self.number_or_new(source.args[0], slot)
        return self.point(slot)

    def value(self, x: TypedExpr, slot: int) -> AbstractValue:
        """The value that a local is given."""
        value = AbstractValue(self.number_or_new(x, slot), self.label(x))
        if self.analysis.holds_components(x.type):
            return value._replace(selects=self.selection(x), zones=self.zones(x))
        return value

    # ------------------------------------------------------------ labels
    @once
    def label(self, x: TypedExpr) -> Label:
        """Return the label of what an expression reads."""
        if (
            self.chooser_is
            and x.op in ("==", "!=")
            and all(self.number(a) in {self.chooser, *self.chooser_is} for a in x.args)
        ):
            return PUBLIC  # whether whoever is asked is the one who is asked
        rule = LABELS.get(x.op)
        found = rule(self, x) if rule is not None else union(self.label(a) for a in x.args)
        return declassify(found, self._disclosed(x)) if found and x.op in PARTS else found

    def _disclosed(self, x: TypedExpr) -> frozenset[Observer]:
        """Return the observers who know a part of a zone since it was disclosed as that part: `show
        hand[q].first! to p`.
        """
        if not any(kind == "value" for kind, _, _ in self.store.facts):
            return NOBODY
        return self.store.facts.get(("value", "", self.number(x)), NOBODY)

    def labels(self, xs: Iterable[TypedExpr | None]) -> Label:
        """Return the label of what several expressions read."""
        return union(self.label(x) for x in xs if x is not None)

    def _local(self, x: LocalExpr) -> Label:
        value = self.store.values.get(x.slot)
        if value is None or (self.chooser is not None and value.number == self.chooser):
            return PUBLIC
        return self._through(x, value, value.label)

    def _through(self, x: LocalExpr, value: AbstractValue, label: Label) -> Label:
        """A label that is read from a local: if the local is disclosed later on, so is what was worked out
        from it.
        """
        if not label or x.slot not in self.analysis.effects.disclosed(self.proc):
            return label
        return through(label, value.number)

    def _zone(self, x: ZoneExpr, kind: str = "zone") -> Label:
        zone = self.analysis.program.zones[x.name]
        key = WHOLE if zone.key is not None and x.key is None else self.owner(x)
        return self.thing(kind, x.name, key, x.span) | union(self.label(a) for a in x.args)

    def _count(self, x: TypedExpr) -> Label:
        of = x.args[0]
        return self._zone(of, "count") if isinstance(of, ZoneExpr) else self.label(of)

    def _state(self, x: StateExpr) -> Label:
        return self.thing("state", x.name, None, x.span)

    def _index(self, x: TypedExpr) -> Label:
        of, at = x.args
        key = self.player(at)
        if not isinstance(of, StateExpr):
            return self._of_entry(of, key) | self.label(at)
        return self.thing("state", of.name, key, x.span) | self.label(at)

    def _of_entry(self, of: TypedExpr, key: Observer | None) -> Label:
        """The label of the entry of a player: of what several chose at once each knows what they chose
        themselves.
        """
        label, number = self.label(of), self.number(of)
        if number is None or key is None:
            return label
        return entry_readers(label, number, key)

    def thing(self, kind: str, name: str, key: Observer | None, span: Span) -> Label:
        """Reading a zone, its count, or a state variable as it is now."""
        readers = NOBODY
        for k in ("zone", "count") if kind == "count" else (kind,):
            for whose in (key, WHOLE, _others_with(key)):
                readers |= self.store.facts.get((k, name, whose), NOBODY)
        self.analysis.asking.add(name)
        unseen = (kind, name) in self.analysis.unseen
        if not unseen and not self.in_lookahead:  # what is tried is not seen
            readers |= self.declared_observers(kind, name)
        known = not unseen and ((kind, name) in self.analysis.public or EVERYBODY in readers)
        label = PUBLIC if known else frozenset({Policy(kind, name, key, span, readers, unseen)})
        return label | self.store.contents.get(name, PUBLIC) if self.in_lookahead else label

    def declared_observers(self, kind: str, name: str) -> frozenset[Observer]:
        """The players whom the declared audience of a thing names (`seen by leader`): readers of what it
        holds now.
        """
        program = self.analysis.program
        thing = program.vars[name] if kind == "state" else program.zones[name]
        sights = [thing.sight, thing.count_sight if isinstance(thing, ZoneDef) and kind == "count" else None]
        found = set[Observer]()
        conditions = (sight.condition for sight in sights if sight is not None and not sight.each)
        for x in (x for condition in conditions for x in alternatives(condition)):
            if x.op != "==" or not isinstance(x.args[1].type, t.Player):
                continue
            reader, named = x.args
            if isinstance(reader, LocalExpr) and reader.slot == READER and not locals_in(named.walk()):
                number = self.number(named)
                found |= set() if number is None else {number}
        return frozenset(found)

    def admitted(self, test: TypedExpr, holds: bool) -> Iterator[tuple[Thing, frozenset[Observer]]]:
        """The things whose declared audience tests just this, with the players who therefore see them where
        the test holds, or does not.
        """
        while test.op in ("not", *WRAPPERS):
            test, holds = test.args[0], holds != (test.op == "not")
        if test.op == ("and" if holds else "or"):
            for part in test.args:
                yield from self.admitted(part, holds)
            return
        for kind, thing, sight in sights(self.analysis.program):
            name = thing.name
            if sight.each or (kind, name) in self.analysis.unseen:
                continue
            key = key_type(thing)
            for x in alternatives(sight.condition):
                bound = dict[int, Observer]()
                if x.op == "and" and isinstance(x.args[1], ConstExpr) and x.args[1].value:
                    x = x.args[0]  # `everybody if …`
                if x.op == "if" and self.is_same(x.args[0], test, bound) and not bound:
                    if "everybody" in always(x.args[1 if holds else 2]):
                        yield (kind, name, None if key is None else WHOLE), frozenset({EVERYBODY})
                    continue
                if not holds:
                    if x.op != "not":
                        continue
                    x = x.args[0]
                if not self.is_same(x, test, bound) or (bound and READER not in bound):
                    continue
                if KEY not in bound or isinstance(key, t.Player):
                    whose = None if key is None else bound.get(KEY, WHOLE)
                    yield (kind, name, whose), frozenset({bound.get(READER, EVERYBODY)})

    def is_same(self, declared: TypedExpr, here: TypedExpr, bound: dict[int, Observer]) -> bool:
        """Tell whether an expression is the condition of an audience, with whoever looks and the key as they
        are `bound`.
        """
        here, declared = plain(here), plain(declared)
        if isinstance(declared, LocalExpr):
            number = self.player(here) if declared.slot in (READER, KEY) else None
            return number is not None and bound.setdefault(declared.slot, number) == number
        if (
            type(declared) is not type(here)
            or declared.op != here.op
            or declared.details != here.details
            or len(declared.args) != len(here.args)
        ):
            return False
        orders = (here.args, here.args[::-1]) if here.op == "==" else (here.args,)
        for args in orders:
            tried = dict(bound)
            if all(self.is_same(a, b, tried) for a, b in zip(declared.args, args, strict=True)):
                bound.update(tried)
                return True
        return False

    def _top(self, x: TypedExpr) -> Label:
        """The top of a pile, which more players may see than the rest of it."""
        of = x.args[0]
        return self.label(of) if not isinstance(of, ZoneExpr) else self._seen_top(of)

    def _seen_top(self, of: ZoneExpr) -> Label:
        zone, label = self.analysis.program.zones[of.name], self._zone(of)
        if zone.sight is None or not zone.sight.each or self.in_lookahead:
            return label
        words = always(zone.sight.condition, of.name)
        if "everybody" in words and ("zone", of.name) not in self.analysis.unseen:
            return self._zone(of, "count")
        key = self.owner(of)
        readers = frozenset(
            r
            for w, r in (("owner", key), ("others", ("others", key)))
            if w in words and key is not None and r is not None
        )
        return declassify(label, readers)

    def _face(self, x: TypedExpr) -> Label:
        component = x.args[-1] if x.op == "family.key" else x.args[0]
        kinds = kinds_of(component.type)
        found = self.label(component)
        # everybody sees where in these zones something lies
        if x.op == "family.key" and not self.label(x.args[0]):
            return found
        zones = known_places(self.zones(component), kinds, x.span)
        number = self.number(component)
        readers = NOBODY
        if number is not None and isinstance(x, MutableExpr):
            readers = readers.union(*(self.store.facts.get(("face", k, number), NOBODY) for k in kinds))
        if self.in_lookahead:
            found |= union(self.store.contents.get(FACES + k, PUBLIC) for k in kinds)
        return found | declassify(out_of_sight(zones), readers)

    def _attribute(self, x: AttributeExpr) -> Label:
        """Return the label of an attribute that never changes.

        What the back of a component shows is known to whoever may count what lies where it lies.
        """
        return (
            self.back(x.args[0])
            if self.analysis.program.is_on_back(x.args[0].type, x.name)
            else self.label(x.args[0])
        )

    def _there(self, x: TypedExpr) -> Label:
        return self.back(x.args[0])

    def back(self, component: TypedExpr) -> Label:
        """The label of components without their faces: of how the expression came to them, and of how many
        lie where they lie.
        """
        label = self.label(component)
        zones = self.zones(component) if label else None
        if zones is None:
            return label
        walked = {(p.kind, p.name, p.key) for p in zones}
        found = self.selection(component)
        for p in label:
            if p.kind == "param" and p.name == "" and ("param", "zones", p.key) in walked:
                found |= {p._replace(name="back")}
            else:
                found |= self._back(p) if (p.kind, p.name, p.key) in walked else {p}
        return found

    def _back(self, p: Policy) -> Label:
        """The label of the backs of what lies in a zone, by that of the faces."""
        if p.kind != "zone" or self.in_lookahead:
            return frozenset({p})
        self.analysis.asking.add(p.name)
        if ("zone", p.name) in self.analysis.unseen or ("count", p.name) in self.analysis.unseen:
            return frozenset({p})
        return PUBLIC if ("count", p.name) in self.analysis.public else frozenset({p._replace(kind="count")})

    def _comprehension(self, x: TypedExpr) -> Label:
        inner, found = self.inside(x)
        return found | union(inner.label(a) for a in x.args[len(x.binds()) :])

    @once
    def inside(self, x: TypedExpr) -> tuple[ExpressionLabels, Label]:
        """Return the labels inside of a comprehension, and the label of what its sources read."""
        inner = self.with_values()
        found = PUBLIC
        for slot, source in zip(x.binds(), x.args, strict=False):
            # that something is there; what each of it is like counts where it is read
            found |= inner.back(source)
            inner.bind(slot, source)
        if isinstance(x, CompExpr):
            for slot in x.slots:
                inner.leave_out(slot, x.condition)
        return inner, found

    def leave_out(self, slot: int, condition: TypedExpr | None) -> None:
        """A local that walks over players under a condition which leaves one of them out:
        `for q in players if q != p`.
        """
        without = excluded(condition, slot)
        number = None if without is None else self.number(without)
        if number is not None:
            self.store.values[slot] = self.store.values[slot]._replace(
                number=("other", number, self.proc.index, self.site, slot)
            )

    def with_values(self) -> ExpressionLabels:
        """The reading at the same point, where more locals can be bound."""
        s = self.store
        inner = AbstractStore(dict(s.values), s.states, s.facts, s.contents, s.pc, s.skips)
        return ExpressionLabels(
            self.analysis, self.proc, inner, self.site, self.in_lookahead, self.chooser, self.chooser_is
        )

    def bind(self, slot: int, source: TypedExpr) -> None:
        """A local that walks over a collection."""
        self.store.values[slot] = AbstractValue(
            self.one_of(source, slot), self.label(source), self.selection(source), self.zones(source)
        )

    def _call(self, x: CallExpr) -> Label:
        return self.result(x).label

    @once
    def result(self, x: CallExpr) -> AbstractValue:
        """Return the result of a call."""
        return self.analysis.result(self, x)

    # ------------------------------------------------------------ components: which ones, and where they lie
    def selection(self, x: TypedExpr) -> Label:
        """Return the label of what decides which elements a collection has: conditions and bounds, not the
        components that it walks, since to be offered one is to be shown it.
        """
        if isinstance(x, ZoneExpr):
            return self.labels(x.args)
        if not self.analysis.holds_components(x.type):
            return self.label(x)
        match x:
            case StateExpr():
                return self.store.contents.get(x.name, PUBLIC) if self.in_lookahead else PUBLIC
            case LocalExpr():
                value = self.store.values.get(x.slot)
                return PUBLIC if value is None else self._through(x, value, value.selects)
            case CompExpr():
                inner, _ = self.inside(x)
                found = union(inner.selection(source) for source in x.args[: len(x.binds())])
                rest = x.args[len(x.binds()) :]
                return found | inner.labels(rest[:-1] if x.name == "list" else rest)
            case TypedExpr(op="if"):
                return self.label(x.args[0]) | self.selection(x.args[1]) | self.selection(x.args[2])
            case CallExpr():
                return self.result(x).selects
        return union(self.selection(a) for a in x.args)

    @once
    def zones(self, x: TypedExpr) -> Label | None:
        """Return the places where the components that an expression holds lie; `None` means anywhere."""
        if not kinds_of(x.type):
            return PUBLIC
        if x.op in ANYWHERE:
            return None
        match x:
            case LocalExpr():
                value = self.store.values.get(x.slot)
                return None if value is None else self._unwatched(value.zones)
            case ZoneExpr():
                return self._place(x, self._zone(x))
            case TypedExpr(op="zone.top" | "zone.last") if isinstance(x.args[0], ZoneExpr):
                return self._place(x.args[0], self._seen_top(x.args[0]))
            case CallExpr():
                return self.result(x).zones
            case CompExpr():
                inner, _ = self.inside(x)
                element = x.args[-1] if x.name == "list" else x.args[0]
                return inner.zones(element) if isinstance(element, LocalExpr) else inner.zones(x.args[0])
        found = [self.zones(a) for a in x.args if kinds_of(a.type)]
        return all_places(found) if found or x.op in ("list", "const") else None

    def _unwatched(self, zones: Label | None) -> Label | None:
        """Places of components; `None` where a watcher may have moved what lay there, after any statement."""
        watched = self.analysis.effects.watched
        return None if zones is None or any(p.name in watched for p in zones) else zones

    @staticmethod
    def _place(zone: ZoneExpr, label: Label) -> Label:
        """The zone as a place, whose label says nothing of it where everybody sees what lies there."""
        return label if any(p.name == zone.name for p in label) else label | {in_sight(zone.name, zone.span)}


LABELS: dict[str, Callable[[ExpressionLabels, TypedExpr], Label]] = {
    "local": of_form(LocalExpr, ExpressionLabels._local),
    "zone": of_form(ZoneExpr, ExpressionLabels._zone),
    "zone_at": of_form(ZoneExpr, ExpressionLabels._zone),
    **dict.fromkeys(COUNTS, ExpressionLabels._count),
    "zone.top": ExpressionLabels._top,
    "zone.last": ExpressionLabels._top,
    "state": of_form(StateExpr, ExpressionLabels._state),
    "index": ExpressionLabels._index,
    "component.owner": ExpressionLabels._face,
    "mutable": ExpressionLabels._face,
    "family.key": ExpressionLabels._face,
    "attr": of_form(AttributeExpr, ExpressionLabels._attribute),
    "is_none": ExpressionLabels._there,
    "is_some": ExpressionLabels._there,
    "comp": ExpressionLabels._comprehension,
    "map_comp": ExpressionLabels._comprehension,
    "call": of_form(CallExpr, ExpressionLabels._call),
    "original": of_form(OriginalExpr, ExpressionLabels._call),
}


def _others_with(key: Observer | None) -> Observer | None:
    """Return the player of whom this key is certainly one of the others, as a key: their things were
    disclosed one by one.
    """
    match key:
        case ("other", but, *_):
            return ("others", but)
        case ("expr", "next" | "previous", _, (but,)):
            return ("others", but)
    return key


def alternatives(condition: TypedExpr) -> Iterator[TypedExpr]:
    """The parts of a condition of which one must hold."""
    if condition.op == "or":
        yield from (x for part in condition.args for x in alternatives(part))
    else:
        yield condition


def left_out(x: TypedExpr) -> TypedExpr | None:
    """The player whom a list of players certainly leaves out."""
    while x.op in ("comp", "bound", "otherwise_list") and x.args:
        if isinstance(x, CompExpr):
            last = x.args[-1]
            if (
                x.name != "list"
                or len(x.slots) != 1
                or not isinstance(last, LocalExpr)
                or last.slot != x.slots[0]
            ):
                return None
            without = excluded(x.condition, last.slot)
            if without is not None:
                return without
        x = x.args[0]
    return x.args[0] if x.op == "others" and x.args else None


def excluded(condition: TypedExpr | None, slot: int) -> TypedExpr | None:
    """The player that a local certainly is not where a condition holds: `q != p`, alone or with others behind
    `and`.
    """
    if condition is None:
        return None
    if condition.op == "and":
        found = (excluded(part, slot) for part in condition.args)
        return next((x for x in found if x is not None), None)
    if condition.op == "!=" and isinstance(condition.args[0].type, t.Player):
        for one, other in (condition.args, condition.args[::-1]):
            if isinstance(one, LocalExpr) and one.slot == slot:
                return other
    return None
