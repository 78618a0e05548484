"""The first clause that a value fails: of a condition the part that does not hold, of a collection why the
value is not in it.

In: an expression of the rules, the locals that it stands among, and the seat that asks. Out: a `Clause`, or
`None` where nothing fails. A condition is followed through `and` and into definitions that return a value; a
collection into comprehensions, sums, differences, definitions and zones.

Everything is worked out as the seat sees it (`visibility.py`): what reads something hidden is said to depend
on it, and nothing else. A value is shown only if it was worked out of what lies open, of the value that is
asked about, and of the seat itself; another local may hold what the seat does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

from croupier.kernel import types as t
from croupier.kernel.folds import FOLDS, FoldKind
from croupier.kernel.tree import (
    CallExpr,
    CompExpr,
    IfStmt,
    LeaveStmt,
    LetStmt,
    LocalExpr,
    MatchStmt,
    PassStmt,
    RecordExpr,
    TypedExpr,
    TypedStmt,
    zone_name,
)
from croupier.records import dataclass
from croupier.runtime.clauses import Clause, Condition, NotIn
from croupier.runtime.false_parts import SILENT
from croupier.runtime.faults import Fault, Redacted
from croupier.runtime.game import Value
from croupier.runtime.machine import Locals, Machine, Run
from croupier.runtime.rule_words import RuleWords, of_doc
from croupier.runtime.visibility import components_in, observed_by, sees_component
from croupier.semantics.call_effects import is_state
from croupier.semantics.expressions import COMPARISONS
from croupier.semantics.procedures import Proc
from croupier.semantics.walk import all_of
from croupier.text import Part, Text, listed

MAX_TRIED = 5_000  # combinations of values that are tried to find the one that comes farthest
MAX_DEPTH = 12  # definitions that are followed into one another
THINGS = (t.Component, t.Player, t.Cell, t.Enum)  # types whose values stand in words in place of names
MOST_SHOWN = 6  # values of a collection that a clause shows


@dataclass(frozen=True)
class RecordParts:
    """A record of which some fields are known, by their places."""

    fields: Mapping[int, Value]

    def is_in(self, record: Value) -> bool:
        return all(record[at] == value for at, value in self.fields.items())


@dataclass(frozen=True)
class Scope:
    """Where an expression stands: its procedure, the locals, those whose values may be shown, what `let` says
    of them, the rules cited there, and how many definitions and comprehensions it is inside of.
    """

    proc: Proc
    L: Locals
    open: set[int] = field(default_factory=set)
    cites: tuple[str, ...] = ()
    depth: int = 0
    lets: dict[int, TypedExpr] = field(default_factory=dict)

    def walking(self, x: CompExpr) -> Scope:
        """Where the element of a comprehension stands."""
        return Scope(self.proc, self.L[:], self.open | set(x.slots), self.cites, self.depth + 1)


def zone_words(m: Machine, z: int) -> Text:
    """What a zone is called, in quotes: the words of the rules for it, else its name and whose it is."""
    zone = m.game.zones[z]
    definition = m.game.program.zones[zone.family]
    if definition.words is not None and not any(is_state(x) for x in definition.words.text.walk()):
        say = m.rules.words(definition, (zone.key,))
        if say is not None and (words := say(m)):
            return Text.of("“", words, "”")
    return Text.of("“", m.game.zone_title(zone), "”")


class Reasons:
    """What a seat may be told about the expressions of a position."""

    def __init__(self, m: Machine, seat: int) -> None:
        self.m, self.seat, self.game = m, seat, m.game
        self._runs: dict[int, tuple[TypedExpr, Run]] = {}  # by identity of what was compiled
        self._tried = 0

    def scope(self, proc: Proc, L: Locals, items: Sequence[int] = (), cites: tuple[str, ...] = ()) -> Scope:
        """The locals of a decision: what is asked about may be shown, and the seat itself."""
        own = {
            slot
            for slot, kind in enumerate(proc.slot_types)
            if isinstance(kind, t.Player) and slot < len(L) and L[slot] == self.seat
        }
        return Scope(proc, L[:], own | set(items), cites)

    # ------------------------------------------------------------ values
    def value(self, x: TypedExpr, scope: Scope) -> Value:
        """The value of an expression as the seat can work it out.

        Raises `Redacted` if it reads what the seat does not see, `Fault`.
        """
        found = self._runs.get(id(x))
        if found is None:
            code = self.m.rules.procs[scope.proc.index]
            found = self._runs[id(x)] = x, self.m.rules.redacted_in(code, x)
        with observed_by(self.m, self.seat):
            return found[1](self.m, [*scope.L, None])

    def sees(self, value: Value, kind: t.Type) -> bool:
        """Return whether the seat sees every component that a value names, also in the fields of records."""
        if isinstance(kind, t.Record):
            fields = self.game.program.records[kind.name].fields.values()
            return all(self.sees(part, of) for part, of in zip(value, fields, strict=True))
        if isinstance(kind, t.Optional):
            return value is None or self.sees(value, kind.base)
        if isinstance(kind, t.Collection) and isinstance(kind.base, t.Record):
            return all(self.sees(part, kind.base) for part in value)
        return all(sees_component(self.m, c, self.seat) for c in components_in(value, kind))

    def _is_open(self, x: TypedExpr, scope: Scope) -> bool:
        """Return whether the value of an expression is made of nothing that a local may hide, and of no local
        that holds nothing yet.
        """
        bound = {slot for y in x.walk() for slot in y.binds()}
        return all(
            y.slot in bound
            or (y.slot in scope.open and (scope.L[y.slot] is not None or isinstance(y.type, t.Optional)))
            for y in x.walk()
            if isinstance(y, LocalExpr)
        )

    def shown(self, x: TypedExpr, scope: Scope) -> Text | None:
        """The value of an expression in words; `None` if it may not be shown, or says nothing."""
        if x.op in SILENT or not self._is_open(x, scope) or isinstance(x.type, (t.Zone, t.Family, t.Board)):
            return None
        try:
            found = self.value(x, scope)
            with observed_by(self.m, self.seat):
                return self.game.show(found, x.type, self.m)
        except (Redacted, Fault):
            return None

    # ------------------------------------------------------------ words
    @cached_property
    def _words(self) -> RuleWords:
        return RuleWords(self.game.program)

    def _named(self, x: TypedExpr, scope: Scope) -> dict[str, Text]:
        """The things that the locals in an expression hold by their names, where they may be shown."""
        found: dict[str, Text] = {}
        bound = {slot for y in x.walk() for slot in y.binds()}
        for y in x.walk():
            if isinstance(y, LocalExpr) and y.slot not in bound and isinstance(y.type, THINGS):
                name, value = scope.proc.slots[y.slot], self.shown(y, scope)
                if value is not None:
                    found.setdefault(name, value)
        return found

    def said(self, x: TypedExpr, scope: Scope) -> Text:
        """An expression in words, with the values of its locals."""
        return self._words.value(x.span, self._named(x, scope))

    def _denied(self, x: TypedExpr, scope: Scope) -> Text:
        """What is so where a condition does not hold."""
        return self._words.denial(x.span, {} if _compares_names(x) else self._named(x, scope))

    def _doc(self, x: TypedExpr, scope: Scope) -> Text | None:
        """What the definition of a call says that it is, with the arguments in it, in quotes; `None` if it
        says nothing, and of other expressions.
        """
        proc = self.game.program.procs[x.proc] if isinstance(x, CallExpr) else None
        if proc is None or not proc.doc:
            return None
        given = {
            param.name: self.shown(argument, scope) or self.said(argument, scope)
            for param, argument in zip(proc.params, x.args, strict=False)
        }
        return Text.of("“", of_doc(proc.doc.removeprefix("whether "), given), "”")

    # ------------------------------------------------------------ conditions
    def _failing(self, x: TypedExpr, scope: Scope) -> tuple[int, TypedExpr, bool] | None:
        """The first part of a condition that does not hold: its place, the part, and whether the seat cannot
        know that it is this one. `None` if all hold.

        Parts that read what is hidden are told of only if all others hold: then it must be them.
        """
        hidden: tuple[int, TypedExpr, bool] | None = None
        for i, part in enumerate(all_of(x)):
            try:
                if self.value(part, scope):
                    continue
            except Redacted:
                hidden = hidden or (i, part, True)
                continue
            except Fault:
                return hidden or (i, part, False)
            return i, part, False
        return hidden

    def failed(self, condition: Condition, scope: Scope) -> Clause | None:
        """The clause of a condition that does not hold."""
        found = self._failing(condition.tree, scope)
        return None if found is None else self._clause(condition.clause, found[1], found[2], scope)

    def _clause(self, clause: Clause, part: TypedExpr, is_hidden: bool, scope: Scope) -> Clause:
        """The clause of a condition of which a part does not hold; without words of the author's it stands
        there, and says why.
        """
        if clause.words:
            return clause
        deeper: tuple[str, ...] = ()
        if is_hidden:
            words = Text.of("“", self.said(part, scope), "” decides that, by what you do not see")
        else:
            words, deeper = self._sentence(part, scope)
        rules = tuple(dict.fromkeys((*clause.rules, *deeper)))
        return Clause(clause.kind, words, rules, part.span, is_at_if=clause.kind == "option")

    def _sentence(self, part: TypedExpr, scope: Scope) -> tuple[Text, tuple[str, ...]]:
        """What is said of a part that does not hold, and the rules that its definitions cite."""
        is_denied = part.op == "not"
        sign = part.args[0] if is_denied else part
        if isinstance(sign, CallExpr):
            proc = self.game.program.procs[sign.proc]
            told = self._doc(sign, scope) if proc.doc.startswith("whether ") else None
            holds = " holds, which it must not" if is_denied else " does not hold"
            if told is not None:
                return Text.of(told, holds), proc.cites
        inner = self._inner(part, scope)
        found = None if inner is None else self._failing(*inner)
        if inner is None or found is None or found[2] or found[1].op == "const":
            return Text.of(self._denied(part, scope), self._values(part, scope)), ()
        why, deeper = self._sentence(found[1], inner[1])
        return Text.of(self._denied(part, scope), ", because ", why), (*inner[1].cites, *deeper)

    def _inner(self, part: TypedExpr, scope: Scope) -> tuple[TypedExpr, Scope] | None:
        """What a part comes to, and where it stands: of a call what its definition returns, of an `if` the
        side taken.
        """
        if isinstance(part, CallExpr):
            return self._returned(part, scope)
        return (self._side(part, scope), scope) if part.op == "if" else None

    def _side(self, x: TypedExpr, scope: Scope) -> TypedExpr:
        """The side of `a if c else b` that is taken; itself if that cannot be known."""
        try:
            return x.args[1 if self.value(x.args[0], scope) else 2]
        except (Redacted, Fault):
            return x

    def _values(self, part: TypedExpr, scope: Scope) -> Text:
        """The values that a part compares."""
        found: dict[str, Part] = {}
        for x in part.args if part.op in COMPARISONS else ():
            value = self.shown(x, scope)
            side = self._words.value(x.span, {}) if _compares_names(part) else self.said(x, scope)
            if value is not None and side != value:
                found.setdefault(side, Text.of(side, " is ", value, self._summands(x, scope)))
        return Text.of(": ", listed(found.values())) if found else Text.of("")

    def _summands(self, x: TypedExpr, scope: Scope) -> Text:
        """What a sum is made of, if that is not too much: `(wool 1 and grain 2)`."""
        x = scope.lets.get(x.slot, x) if isinstance(x, LocalExpr) else x
        if not isinstance(x, CompExpr) or FOLDS[x.name].kind is not FoldKind.SUM or len(x.slots) != 1:
            return Text.of("")
        kind = x.sources[0].type
        within = scope.walking(x)
        found: list[Part] = []
        for value in self.value(x.sources[0], scope):
            within.L[x.slots[0]] = value
            if x.condition is None or self.value(x.condition, within):
                number = self.value(x.element, within)
                if number and isinstance(kind, t.Collection):
                    with observed_by(self.m, self.seat):
                        shown = self.game.show(value, kind.base, self.m)
                    found.append(Text.of(shown, f" {number}"))
        return Text.of(" (", listed(found), ")") if 0 < len(found) <= MOST_SHOWN else Text.of("")

    # ------------------------------------------------------------ definitions
    def _returned(self, call: CallExpr, scope: Scope) -> tuple[TypedExpr, Scope] | None:
        """The expression that a definition returns here, and where it stands; `None` if that is not simply
        one, or lies too deep.
        """
        proc = self.game.program.procs[call.proc]
        is_plain = call.proc not in self.m.rules.hooked and len(call.args) == len(proc.params)
        if not is_plain or scope.depth == MAX_DEPTH:
            return None
        within = Scope(proc, [None] * len(proc.slots), depth=scope.depth + 1)
        try:
            for param, argument in zip(proc.params, call.args, strict=True):
                self._bind(within, param.slot, argument, scope)
            found = self._return_of(proc.body, within)
        except (Redacted, Fault):
            return None
        if found is None:
            return None
        cites = tuple(dict.fromkeys((*proc.cites, *found.cites)))
        return found.args[0], replace(within, cites=cites or scope.cites)

    def _bind(self, within: Scope, slot: int, x: TypedExpr, scope: Scope) -> None:
        """Give a local its value; it may be shown if what it is made of may be."""
        within.L[slot] = self.value(x, scope)
        if within is scope:
            scope.lets[slot] = x
        if self._is_open(x, scope):
            within.open.add(slot)

    def _return_of(self, body: Sequence[TypedStmt], scope: Scope) -> TypedStmt | None:
        """The `return` at which statements end that only name values and branch."""
        for s in body:
            match s:
                case LetStmt():
                    self._bind(scope, s.slot, s.args[0], scope)
                case LeaveStmt():
                    return s if s.args else None
                case IfStmt():
                    taken = s.blocks[0 if self.value(s.args[0], scope) else 1]
                    if taken:
                        return self._return_of(taken, scope)
                case MatchStmt():
                    return self._return_of(self._case(s, scope), scope)
                case PassStmt():
                    pass
                case _:
                    return None
        return None

    def _case(self, s: MatchStmt, scope: Scope) -> Sequence[TypedStmt]:
        value = self.value(s.args[0], scope)
        for row, block in zip(s.rows, s.blocks, strict=False):
            if any(self.value(x, scope) == value for x in row):
                return block
        return s.blocks[-1] if s.has_other else ()

    # ------------------------------------------------------------ collections
    def missing(self, x: TypedExpr, wanted: Value, scope: Scope) -> Clause | None:
        """The clause because of which a value is not in a collection; `None` if it is in it."""
        try:
            there = self.value(x, scope)
        except Redacted:
            return _source(x, scope, "this chooses from ", self.said(x, scope), ", by what you do not see")
        except Fault as fault:
            return Clause("fault", fault.diagnostic.message, (), fault.span)
        if any(_is(value, wanted) for value in there):
            return None
        return self._why_missing(x, wanted, scope) or self._not_in(x, scope)

    def _not_in(self, x: TypedExpr, scope: Scope) -> Clause:
        """The clause that a value is not in a collection, of which no more is said; a definition is called
        by its `doc`.
        """
        doc = self._doc(x, scope)
        if doc is not None:
            return _source(x, scope, "it is not among ", doc)
        words = Text.of("it is not among what there is to choose from")
        if x.span.text.strip():
            there = self.shown(x, scope) if self._is_short(x, scope) else None
            which = "" if there is None else Text.of(", which is ", there)
            words = Text.of("it is not in ", self.said(x, scope), which)
        return NotIn("source", words, scope.cites, x.span)

    def _is_short(self, x: TypedExpr, scope: Scope) -> bool:
        is_plain = isinstance(x.type, t.Collection) and not isinstance(x.type.base, t.Record)
        return is_plain and len(self.value(x, scope)) <= MOST_SHOWN

    def _why_missing(self, x: TypedExpr, wanted: Value, scope: Scope) -> Clause | None:
        """The same by the form of the expression; `None` if its form tells nothing."""
        if isinstance(x, CompExpr):
            is_plain = FOLDS[x.name].kind is FoldKind.COLLECT and scope.depth < MAX_DEPTH
            return self._of_comprehension(x, wanted, scope) if is_plain else None
        if isinstance(x, CallExpr):
            body = self._returned(x, scope)
            found = None if body is None else self.missing(body[0], wanted, body[1])
            has_doc = bool(self.game.program.procs[x.proc].doc)
            return None if has_doc and isinstance(found, NotIn) else found
        match x.op:
            case "narrow" | "list.distinct" | "set.list" | "list.list" | "bag.list":
                return self.missing(x.args[0], wanted, scope)
            case "if":
                side = self._side(x, scope)
                return None if side is x else self.missing(side, wanted, scope)
            case "join":
                first, other = (self.missing(y, wanted, scope) for y in x.args)
                return other if other is not None and self._says_more(other, first) else first
            case "without":
                left_out = _source(x, scope, "it is left out: this chooses from ", self.said(x, scope))
                return self.missing(x.args[0], wanted, scope) or left_out
            case "others" if not isinstance(wanted, RecordParts):
                who = self.game.show(wanted, t.Player())
                return _source(x, scope, "it is for the others, not for ", who)
            case "range" if all(self._is_open(y, scope) for y in x.args):
                low, high = (self.value(y, scope) for y in x.args)
                return _source(x, scope, f"it must be from {low} to {high}")
            case "zone_list" | "zone_all" | "zone.list" | "family_list" if isinstance(wanted, int):
                return self._of_zone(x, wanted, scope)
        return None

    @staticmethod
    def _says_more(clause: Clause, other: Clause | None) -> bool:
        return other is None or (other.kind == "source" and clause.kind != "source")

    def _of_zone(self, x: TypedExpr, component: int, scope: Scope) -> Clause:
        if x.op == "family_list":
            source = Text.of("“", zone_name(x.args[0]).replace("_", " "), "”")
        else:
            source = zone_words(self.m, self.value(x.args[0], scope))
        at = self.m.where[component]
        if at >= 0 and sees_component(self.m, component, self.seat):
            place: Part = Text.of("it lies in ", zone_words(self.m, at))
        else:
            place = "you do not see where it is"
        return _source(x, scope, place, "; this chooses from ", source)

    def _of_comprehension(self, x: CompExpr, wanted: Value, scope: Scope) -> Clause | None:
        given, element, within = _given(x.element, wanted), x.element, scope.walking(x)
        tests = [] if x.condition is None else [Condition(x.condition, Clause("where", "", scope.cites))]

        def is_it() -> bool:
            try:
                return _is(self.value(element, within), wanted)
            except (Redacted, Fault):
                return False

        return self.farthest(within, x.slots, x.sources, tests, given, is_it)

    def farthest(
        self,
        scope: Scope,
        slots: Sequence[int],
        sources: Sequence[TypedExpr],
        tests: Sequence[Condition],
        given: Mapping[int, Value],
        is_it: Callable[[], bool] = lambda: True,
    ) -> Clause | None:
        """The clause that stops the combination of values that comes farthest; `None` if one passes, or if
        nothing says more than that there is none.

        `given` are values that are asked about, by slots; the other slots take all of their values.
        """
        best: tuple[tuple[int, ...], Clause | None] = (-1,), None
        self._tried = 0

        def note(rank: tuple[int, ...], clause: Callable[[], Clause | None]) -> None:
            nonlocal best
            if rank > best[0]:
                best = rank, clause()

        def passes() -> bool:
            for i, test in enumerate(tests):
                found = self._failing(test.tree, scope)
                if found is not None:
                    at, part, is_hidden = found
                    note((len(slots), i, at), lambda: self._clause(test.clause, part, is_hidden, scope))  # noqa: B023
                    return False
            return is_it()

        def walk(at: int) -> bool:
            self._tried += 1
            if at == len(slots):
                return passes()
            slot, source = slots[at], sources[at]
            values = self._values_of(source, scope)
            if slot in given:
                values = [v for v in values or () if _is(v, given[slot])]
                if not values:
                    note((at, 0, 0), lambda: self.missing(source, given[slot], scope))
            elif not values:
                note((at, 0, 0), lambda: self._nothing(source, scope))
            for value in values or ():
                scope.L[slot] = value
                if self._tried > MAX_TRIED or walk(at + 1):
                    return True
            return False

        return None if walk(0) else best[1]

    def _values_of(self, source: TypedExpr, scope: Scope) -> Sequence[Value] | None:
        try:
            return list(self.value(source, scope))
        except (Redacted, Fault):
            return None

    def _nothing(self, source: TypedExpr, scope: Scope) -> Clause:
        """Nothing is in a collection, of which something would be needed."""
        if isinstance(source, CallExpr):
            proc, doc = self.game.program.procs[source.proc], self._doc(source, scope)
            if doc is not None:
                words = Text.of("there is nothing among ", doc)
                return Clause("source", words, proc.cites or scope.cites, source.span)
            body = self._returned(source, scope)
            if body is not None and isinstance(body[0], CallExpr):
                return self._nothing(*body)
        if isinstance(source, CompExpr):
            return self._nothing_of(source, scope)
        place: Part = self.said(source, scope) if source.span.text.strip() else "what there is to choose from"
        if source.op in ("zone_list", "zone_all", "zone.list"):
            place = zone_words(self.m, self.value(source.args[0], scope))
        return _source(source, scope, "there is nothing in ", place)

    def _nothing_of(self, x: CompExpr, scope: Scope) -> Clause:
        """A comprehension has no elements: the first of its sources that is empty, or its condition."""
        if not self._values_of(x.sources[0], scope):
            return self._nothing(x.sources[0], scope)
        if x.condition is None:
            return _source(x, scope, "there is nothing to choose from")
        unbound = replace(scope, open=scope.open - set(x.slots))
        source, condition = self.said(x.sources[0], scope), self.said(x.condition, unbound)
        words = Text.of("nothing in ", source, " is such that “", condition, "”")
        return Clause("where", words, scope.cites, x.condition.span)


def _source(x: TypedExpr, scope: Scope, *words: Part) -> Clause:
    """A clause about the collection that something is chosen from."""
    return Clause("source", Text.of(*words), scope.cites, x.span)


def _compares_names(x: TypedExpr) -> bool:
    """Return whether a condition compares names with each other, or with what is written out: its words keep
    them.
    """
    return x.op in COMPARISONS and all(isinstance(y, LocalExpr) or y.op in SILENT for y in x.args)


def _is(value: Value, wanted: Value) -> bool:
    return wanted.is_in(value) if isinstance(wanted, RecordParts) else bool(value == wanted)


def _given(element: TypedExpr, wanted: Value) -> dict[int, Value]:
    """The values of the variables of a comprehension with which its element is what is wanted."""
    if isinstance(element, LocalExpr):
        return {element.slot: wanted}
    if not isinstance(element, RecordExpr):
        return {}
    parts = wanted.fields if isinstance(wanted, RecordParts) else dict(enumerate(wanted))
    return {x.slot: parts[i] for i, x in enumerate(element.args) if isinstance(x, LocalExpr) and i in parts}
