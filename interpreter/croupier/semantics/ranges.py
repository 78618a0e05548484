"""The facts about values that are known without playing: intervals of numbers, the names that a value may be,
and whether there is a value at all.

An abstract interpretation (Cousot and Cousot 1977) with intervals and small sets, over the typed tree. What a
condition shows of an expression is a *fact*, and holds for every expression of the same form. Within one
condition nothing changes, so facts are about anything there. From one statement to the next a fact holds only
if it is about what keeps its value (`keeps_its_value`): locals that are given one value, parameters, what
never changes of a component.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import TypeAlias

from croupier.kernel import types as t
from croupier.kernel.tree import (
    CallExpr,
    CompExpr,
    ConstExpr,
    DomainExpr,
    EnumExpr,
    LocalExpr,
    TypedExpr,
    ZoneExpr,
)
from croupier.records import dataclass
from croupier.semantics.program import Program
from croupier.semantics.walk import bounds, fixed_number

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
"""By a comparison the one with its sides changed."""
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
"""By a comparison the one that holds where it does not."""
RELATIONS = {
    "<": frozenset((-1,)), "<=": frozenset((-1, 0)), "==": frozenset((0,)), "!=": frozenset((-1, 1)),
    ">=": frozenset((0, 1)), ">": frozenset((1,)),
}  # fmt: skip
"""By a comparison how the left number may stand to the right one: -1 less, 0 equal, 1 greater."""

Form: TypeAlias = tuple[object, ...]
"""An expression without its place: equal for expressions that are written alike."""


@dataclass(frozen=True, slots=True)
class Known:
    """The facts about a value: the least and greatest number, the only names that it may be, those it is not,
    and whether there is a value.

    `None` means that nothing is known.
    """

    low: int | None = None
    high: int | None = None
    only: frozenset[object] | None = None
    never: frozenset[object] = frozenset()
    exists: bool | None = None

    def is_possible(self) -> bool:
        """Tell whether any value is left."""
        crossed = self.low is not None and self.high is not None and self.low > self.high
        crossed = crossed or (self.low is not None and self.low == self.high and self.low in self.never)
        return not crossed and (self.only is None or bool(self.only - self.never))

    def and_also(self, other: Known) -> Known | None:
        """Return the facts that both have together; `None` if they contradict one another."""
        if None not in (self.exists, other.exists) and self.exists != other.exists:
            return None
        only = other.only
        if self.only is not None:
            only = self.only if other.only is None else self.only & other.only
        exists = other.exists if self.exists is None else self.exists
        found = Known(
            _greater(self.low, other.low),
            _lesser(self.high, other.high),
            only,
            self.never | other.never,
            exists,
        )
        return found if found.is_possible() else None


NOTHING_KNOWN = Known()
Facts: TypeAlias = dict[Form, Known]
NO_FACTS: Facts = {}


def _greater(a: int | None, b: int | None) -> int | None:
    if a is None or b is None:
        return b if a is None else a
    return max(a, b)


def _lesser(a: int | None, b: int | None) -> int | None:
    if a is None or b is None:
        return b if a is None else a
    return min(a, b)


# ---------------------------------------------------------------- expressions that are the same
WRAPPERS = ("certain", "narrow", "bound")


def plain(x: TypedExpr) -> TypedExpr:
    """The expression without what only says that its value is there, or of which type."""
    while x.op in WRAPPERS and len(x.args) == 1:
        x = x.args[0]
    return x


def form(x: TypedExpr) -> Form:
    """Return the form of an expression: what it reads, wherever it stands."""
    x = plain(x)
    return (x.op, x.details, *map(form, x.args))


FIXED = (
    "const",
    "enum",
    "component",
    "cell",
    "param",
    "attr",
    "column",
    "field",
    "players",
    "enum_values",
    "+",
    "-",
    "*",
    "//",
    "mod",
    "neg",
)


def keeps_its_value(x: TypedExpr, fixed: frozenset[int]) -> bool:
    """Tell whether the value of an expression is the same until the procedure ends; `fixed` are the locals
    that are given one value.
    """
    return all(
        (isinstance(y, LocalExpr) and y.slot in fixed) or y.op in FIXED or y.op in WRAPPERS for y in x.walk()
    )


# ---------------------------------------------------------------- numbers
def largest_size(program: Program, zone: TypedExpr) -> int | None:
    """The most components that a zone can hold: its capacity, or all components of the classes that it holds;
    `None` if that is not known.
    """
    if not isinstance(zone, ZoneExpr):
        return None
    found = program.zones[zone.name]
    total = all_components(program, found.kinds)
    is_family = isinstance(zone.type, t.Family)
    return total if is_family else _lesser(total, bounds(found.capacity).high)


def all_components(program: Program, kinds: Iterable[str]) -> int | None:
    """Return the number of components of some classes; `None` if it is not the same in every game."""
    numbers = [components_of(program, kind) for kind in kinds]
    return None if None in numbers else sum(n for n in numbers if n is not None)


def components_of(program: Program, kind: str) -> int | None:
    """Return the number of components of a class; `None` if it is not the same in every game."""
    of = program.classes[kind]
    copies = 1 if of.copies is None else fixed_number(of.copies)
    if copies is None:
        return None
    if of.rows:
        return copies * len(of.rows)
    for name in of.each:
        values = _number_of_values(program, of.attributes.get(name))
        if values is None:
            return None
        copies *= values
    return copies


def _number_of_values(program: Program, kind: t.Type | None) -> int | None:
    match kind:
        case t.Bool():
            return 2
        case t.Enum():
            return len(program.enums[kind.name].values)
        case t.Int() if (
            kind.low is not None
            and kind.high is not None
            and kind.low_exact is None
            and kind.high_exact is None
        ):
            return kind.high - kind.low + 1
    return None


class Ranges:
    """Works out conditions and numbers of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        # of an expression, by its identity: itself, which keeps it, its form, and whether it acts
        self._seen: dict[int, tuple[TypedExpr, Form, bool]] = {}
        self._texts: dict[Form, str] = {}

    def _look_at(self, x: TypedExpr) -> tuple[TypedExpr, Form, bool]:
        """An expression, its form, and whether it calls what may act, and so may have another value the next
        time.
        """
        found = self._seen.get(id(x))
        if found is None:
            calls = (y for y in x.walk() if isinstance(y, CallExpr))
            acts = any(self.program.procs[y.proc].effect != "pure" for y in calls)
            found = self._seen[id(x)] = x, form(x), acts
        return found

    def form(self, x: TypedExpr) -> Form:
        """The form of an expression, as `form` gives it, kept."""
        return self._look_at(x)[1]

    def acts(self, x: TypedExpr) -> bool:
        """Tell whether an expression calls what may act, and so may have another value the next time."""
        return self._look_at(x)[2]

    def _text(self, of: Form) -> str:
        """The form as text, by which forms are in one order."""
        if of not in self._texts:
            self._texts[of] = repr(of)
        return self._texts[of]

    def interval(self, x: TypedExpr, facts: Facts) -> t.Int:
        """The bounds of a number."""
        x = plain(x)
        of = x.type.base if isinstance(x.type, t.Optional) else x.type
        declared = of if isinstance(of, t.Int) else t.INT
        low, high = declared.low, declared.high
        if (
            x.op in ("+", "-", "*", "mod", "//")
            and len(x.args) == 2
            and all(isinstance(a.type, t.Int) for a in x.args)
        ):
            worked_out = t.interval(x.op, *(self.interval(a, facts) for a in x.args))
            low, high = _greater(low, worked_out.low), _lesser(high, worked_out.high)
        elif x.op in ("zone.size", "family.size") and x.args:
            low, high = _greater(low, 0), _lesser(high, largest_size(self.program, x.args[0]))
        known = facts.get(self.form(x), NOTHING_KNOWN) if facts else NOTHING_KNOWN
        return t.Int(_greater(low, known.low), _lesser(high, known.high))

    def most(self, x: TypedExpr) -> int | None:
        """The largest number of elements that a collection can have, if that is known."""
        match x:
            case TypedExpr(op="list"):
                return len(x.args)
            case TypedExpr(op="range"):
                first, last = bounds(x.args[0]).low, bounds(x.args[1]).high
                if first is not None and last is not None:
                    return max(0, last - first + 1)
            case TypedExpr(op="players"):
                return max(self.program.players)
            case TypedExpr(op="zone_list" | "zone_all" | "zone.list"):
                return largest_size(self.program, x.args[0])
            case DomainExpr(op="enum_values"):
                return len(self.program.enums[x.name].values)
            case DomainExpr(op="class"):
                return components_of(self.program, x.name)
            case CompExpr() if x.name == "list":
                sizes = [self.most(source) for source in x.sources]
                if x.condition is not None and self.truth(x.condition) is False:
                    return 0
                known = [size for size in sizes if size is not None]
                return prod(known) if len(known) == len(sizes) or 0 in known else None
        return None

    # ------------------------------------------------------------ conditions
    def truth(self, x: TypedExpr, facts: Facts = NO_FACTS) -> bool | None:
        """The value of a condition where these facts hold; `None` if it may be either."""
        if isinstance(x, ConstExpr):
            return bool(x.value) if isinstance(x.value, bool) else None
        if x.op == "not":
            inner = self.truth(x.args[0], facts)
            return None if inner is None else not inner
        if x.op in ("and", "or"):
            return self._joined(x, facts, deciding=x.op == "or")
        true, false = self.assume(x, True, facts), self.assume(x, False, facts)
        if true is None or false is None:
            return None if true is None and false is None else false is None
        return None

    def _joined(self, x: TypedExpr, facts: Facts, *, deciding: bool) -> bool | None:
        """`or` (one true part decides) or `and` (one false part does)."""
        values = []
        for part in x.args:
            value = self.truth(part, facts)
            if value is deciding:
                return deciding
            values.append(value)
            known = self.assume(part, not deciding, facts)
            if known is None:
                return deciding
            facts = known
        return None if None in values else not deciding

    def assume(self, x: TypedExpr, value: bool, facts: Facts = NO_FACTS) -> Facts | None:
        """The facts where a condition has this value; `None` if it cannot have it."""
        if isinstance(x, ConstExpr):
            return facts if not isinstance(x.value, bool) or x.value is value else None
        if x.op == "not":
            return self.assume(x.args[0], not value, facts)
        if x.op in ("and", "or"):
            return self._assume_parts(x, value, facts)
        if x.op in ("is_none", "is_some"):
            exists = (x.op == "is_some") == value
            return self._learn(x.args[0], Known(exists=exists), facts)
        if x.op in NEGATED and len(x.args) == 2:
            return self._assume_comparison(x.op if value else NEGATED[x.op], x.args[0], x.args[1], facts)
        if isinstance(x.type, t.Bool):
            return self._learn(x, Known(only=frozenset((value,))), facts)
        return facts

    def assume_all(self, conditions: Iterable[TypedExpr], value: bool, facts: Facts) -> Facts | None:
        """The facts where all of some conditions have this value; `None` if they cannot."""
        found: Facts | None = facts
        for x in conditions:
            found = None if found is None else self.assume(x, value, found)
        return found

    def equal(self, x: TypedExpr, constant: TypedExpr) -> Facts:
        """The facts where something has a value of its type."""
        return self._assume_comparison("==", x, constant, NO_FACTS) or NO_FACTS

    def _assume_parts(self, x: TypedExpr, value: bool, facts: Facts) -> Facts | None:
        if (x.op == "and") == value:
            return self.assume_all(x.args, value, facts)
        ways = [way for part in x.args if (way := self.assume(part, value, facts)) is not None]
        if not ways:
            return None
        return ways[0] if len(ways) == 1 else facts

    def _assume_comparison(self, op: str, left: TypedExpr, right: TypedExpr, facts: Facts) -> Facts | None:
        if _is_number(left) and _is_number(right):
            found = self._assume_numbers(op, left, right, facts)
            return None if found is None else self._relate(op, left, right, found)
        if op not in ("==", "!="):
            return facts
        for one, other in ((left, right), (right, left)):
            name = _name(other)
            if name is NO_VALUE:
                return self._learn(one, Known(exists=op == "!="), facts)
            if name is not None:
                names = frozenset((name,))
                return self._learn(
                    one, Known(only=names, exists=True) if op == "==" else Known(never=names), facts
                )
        same = self.form(left) == self.form(right)
        if same and not any(y.op in ("call", "original") for y in left.walk()):
            return facts if op == "==" else None
        return facts

    def _relate(self, op: str, left: TypedExpr, right: TypedExpr, facts: Facts) -> Facts | None:
        """Return the facts with the relation of two numbers, whatever they are: less, equal or greater.

        `None` if the facts contradict it.
        """
        if self.acts(left) or self.acts(right):
            return facts
        a, b = self.form(left), self.form(right)
        relations = RELATIONS[op]
        if self._text(a) > self._text(b):  # each pair in one order
            a, b, relations = b, a, frozenset(-relation for relation in relations)
        key: Form = ("relation", a, b)
        before = facts.get(key, Known(only=frozenset((0,)) if a == b else frozenset((-1, 0, 1))))
        after = before.and_also(Known(only=frozenset[object](relations)))
        return None if after is None else {**facts, key: after}

    def _assume_numbers(self, op: str, left: TypedExpr, right: TypedExpr, facts: Facts) -> Facts | None:
        a, b = self.interval(left, facts), self.interval(right, facts)
        if op == "!=":
            is_same = a.low is not None and a.low == a.high == b.low == b.high
            if is_same:
                return None
            found = self._without(left, a, b, facts)
            return None if found is None else self._without(right, b, a, found)
        if op in (">", ">="):
            return self._assume_numbers(MIRRORED[op], right, left, facts)
        if op == "==":
            found = self._learn(left, Known(b.low, b.high), facts, a)
            return None if found is None else self._learn(right, Known(a.low, a.high), found, b)
        least = a.low if a.low is None else a.low + (op == "<")
        most = b.high if b.high is None else b.high - (op == "<")
        found = self._learn(left, Known(high=most), facts, a)
        return None if found is None else self._learn(right, Known(low=least), found, b)

    def _without(self, x: TypedExpr, bounds: t.Int, other: t.Int, facts: Facts) -> Facts | None:
        """A number is not another: its bounds are nearer, or there is a gap between them."""
        if other.low is None or other.low != other.high:
            return facts
        low = None if bounds.low is None else bounds.low + (bounds.low == other.low)
        high = None if bounds.high is None else bounds.high - (bounds.high == other.low)
        return self._learn(x, Known(low, high, never=frozenset((other.low,))), facts, bounds)

    def _learn(self, x: TypedExpr, known: Known, facts: Facts, bounds: t.Int | None = None) -> Facts | None:
        """Return the facts with more known of an expression; `None` if that contradicts what was known.

        A call that acts may give something else next.
        """
        x, of, acts = self._look_at(plain(x))
        if acts:
            return facts
        before = facts.get(of, NOTHING_KNOWN)
        if bounds is not None:
            before = before.and_also(Known(bounds.low, bounds.high)) or before
        if known.only is not None or known.never:
            names = self._names(x)
            before = before if names is None else before.and_also(Known(only=names)) or before
        after = before.and_also(known)
        if after is None:
            return None
        return facts if isinstance(x, ConstExpr) else {**facts, of: after}

    def _names(self, x: TypedExpr) -> frozenset[object] | None:
        """All names that a value may be."""
        if isinstance(x, EnumExpr):
            return frozenset((x.name,))
        if isinstance(x.type, t.Bool):
            return frozenset((True, False))
        if isinstance(x.type, t.Enum) and x.type.name in self.program.enums:
            return frozenset(self.program.enums[x.type.name].values)
        return None


NO_VALUE = object()


def _is_number(x: TypedExpr) -> bool:
    return isinstance(x.type, t.Int)


def _name(x: TypedExpr) -> object | None:
    """The value of an enumeration, the truth, or a written `none`; `None` if it is no such constant."""
    if isinstance(x, EnumExpr):
        return x.name
    if isinstance(x, ConstExpr):
        if x.value is None:
            return NO_VALUE
        return x.value if isinstance(x.value, bool) else None
    return None
