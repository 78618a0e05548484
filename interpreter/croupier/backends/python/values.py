"""Instructions as expressions of Python: a row of the table, or a method where a row does not say enough. Here: values and numbers.

Texts are whole: whatever binds less tightly than a call stands in parentheses. Names in them are numbered; what an author wrote lies in a table
of constants. A test that fails raises the one exception `D`; it stands in a line of its own before what it guards.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from croupier.backends.facts import REACH, SHORT_LIST, Facts
from croupier.backends.graph import NUMBERS
from croupier.backends.python.constants import Constants
from croupier.backends.python.words import changes, is_written_out, listed
from croupier.backends.unsupported import refused_operation
from croupier.ir.instructions import Instruction
from croupier.ir.routines import Routine
from croupier.runtime.operators import test
from croupier.semantics import types as t

ROWS: dict[str, str] = dict(
    (part.strip() for part in line.split("|", 1))  # type: ignore[misc]
    for line in """
copy          | {0}
narrow        | {0}
not           | (not {0})
lt            | ({0} < {1})
le            | ({0} <= {1})
gt            | ({0} > {1})
ge            | ({0} >= {1})
above         | ({0} > {1})
neg           | (-{0})
abs           | abs({0})
max           | max({0}, {1})
min           | min({0}, {1})
seat          | ({0} + 1)
rank          | ({0} + 1)
add_wide      | ({0} + {1})
rest          | {0}[1:]
reversed      | {0}[::-1]
all_equal     | (len(set({0})) <= 1)
all_different | different({0})
distinct      | tuple(unique({0}))
take          | {0}[:max(0, {1})]
drop          | {0}[max(0, {1}):]
times         | {0}.count({1})
position      | position({0}, {1})
without       | without({0}, {1})
remove_item   | removed({0}, {1})
sort          | sort_by({0}, {1})
zone_above    | above_of(S, {0}, {1})
zone_room     | room_of(S, {0})
zone_item     | item_of(S, {0}, {1})
clockwise_of  | among({0}, {1})
next_of       | next_of({0}, {1}, 1)
previous_of   | next_of({0}, {1}, -1)
turns_of      | {0}
""".strip().splitlines()
)
ITERABLE = {"size", "empty", "in", "not_in", "all_equal", "all_different", "distinct", "without", "sort", "canonical", "clockwise_of"}


class Values(ABC):
    """Prints instructions. A subclass says what an operand is called and where lines go."""

    facts: Facts
    constants: Constants
    routine: Routine

    @abstractmethod
    def text(self, slot: int, iterable: bool = False) -> str:
        """An operand."""

    @abstractmethod
    def value_of(self, slot: int) -> tuple[Any, ...] | None:
        """The value of a slot, if it is known."""

    @abstractmethod
    def test(self, failing: str) -> None:
        """A line that deviates if a condition holds."""

    @abstractmethod
    def held(self, text: str) -> str:
        """A name for a value that is used more than once."""

    @abstractmethod
    def alias(self, name: str) -> str:
        """A name for a part of the position, made at the beginning of the function."""

    # ------------------------------------------------------------ one instruction
    def expression(self, i: Instruction) -> str:
        rule: Callable[[Instruction], str] | None = getattr(self, "o_" + i.op, None)
        if rule is not None:
            return rule(i)
        if i.op in NUMBERS and i.args and all(self.value_of(a) is not None for a in i.args):
            return self.found_before(i)
        row = ROWS.get(i.op)
        if row is None:
            return self.found_before(i)
        return row.format(*(self.text(a, i.op in ITERABLE) for a in i.args))

    def found_before(self, i: Instruction) -> str:
        """The value of an operation that is known before the game is played, by what it is given."""
        known = [self.value_of(a) for a in i.args]
        value = self.facts.fold(i, [v[0] for v in known if v is not None], self.routine) if None not in known else None
        if value is None:
            raise refused_operation(i.op, i.span)
        return self.constants.text(value[0])

    def kind(self, slot: int) -> t.Type:
        return self.routine.slots[slot].type

    def interval(self, slot: int) -> tuple[int | None, int | None]:
        known = self.value_of(slot)
        if known is not None and isinstance(known[0], int):
            return known[0], known[0]
        return self.facts.bounds(self.kind(slot))

    def inside(self, slot: int, low: int, high: int) -> bool:
        """Does a number surely lie between two?"""
        a, b = self.interval(slot)
        return a is not None and b is not None and low <= a and b <= high

    # ------------------------------------------------------------ values
    def o_const(self, i: Instruction) -> str:
        return self.constants.text(i.data)

    def o_param(self, i: Instruction) -> str:
        return self.constants.text(self.facts.game.parameters[i.data])

    def o_labelled(self, i: Instruction) -> str:
        game, kind = self.facts.game, self.kind(i.into[0])
        found = [n for n in game.by_label.get(i.data, []) if isinstance(kind, t.Component) and game.pieces[n].kind in kind.kinds]
        if not found:
            self.test("True")
            return "0"
        return str(found[0])

    def o_text(self, i: Instruction) -> str:
        if not i.args:
            return self.constants.text("".join(p for p in i.data if p is not None))
        kinds = tuple(self.kind(a) for a in i.args)
        if any(changes(k, self.facts) for k in kinds):
            self.test("True")  # words that depend on the position: the evaluator finds them
            return "None"
        return f"words({self.constants.text((i.data, kinds), opaque=True)}, {listed([self.text(a) for a in i.args])})"

    def o_record(self, i: Instruction) -> str:
        fields = list(self.facts.program.records[i.data].fields.values())
        return listed([self.fitting(a, kind) for a, kind in zip(i.args, fields, strict=True)])

    def fitting(self, slot: int, kind: t.Type) -> str:
        return self.text(slot) if t.within(self.kind(slot), kind) else self.checked(slot, kind)

    def o_list(self, i: Instruction) -> str:
        return listed([self.text(a) for a in i.args])

    def o_canonical(self, i: Instruction) -> str:
        kind = self.kind(i.into[0])
        assert isinstance(kind, t.Collection)
        text = self.text(i.args[0], True)
        if isinstance(kind.base, (t.Collection, t.Record, t.Map, t.Optional)):
            return f"canonical({self.constants.text(kind.kind)}, {text})"
        return f"tuple(sorted(set({text})))" if kind.kind == "set" else f"tuple(sorted({text}))"

    def o_range(self, i: Instruction) -> str:
        low, high = (self.interval(a) for a in i.args)
        a, b = (self.text(x) for x in i.args)
        if low[0] is None or high[1] is None or high[1] - low[0] >= SHORT_LIST:
            a, b = self.held(a), self.held(b)
            self.test(f"{b} - {a} >= {SHORT_LIST}")
        return f"range({a}, {b} + 1)"

    def o_eq(self, i: Instruction, sign: str = "==") -> str:
        a, b = (self.text(x) for x in i.args)
        return f"({a} {sign} {b})"

    def o_ne(self, i: Instruction) -> str:
        return self.o_eq(i, "!=")

    def o_in(self, i: Instruction, word: str = "in") -> str:
        return f"({self.text(i.args[0])} {word} {self.text(i.args[1], True)})"

    def o_not_in(self, i: Instruction) -> str:
        return self.o_in(i, "not in")

    def o_check(self, i: Instruction) -> str:
        return self.checked(i.args[0], self.kind(i.into[0]))

    def checked(self, slot: int, kind: t.Type) -> str:
        """A value that is tested to lie in a type."""
        text = self.text(slot)
        if isinstance(kind, t.Int):
            low, high = self.facts.bounds(kind)
            low, high = -REACH if low is None else low, REACH if high is None else high
            if self.inside(slot, low, high):
                return text
            text = self.held(text)
            a, b = self.interval(slot)
            if a is not None and a >= low:
                self.test(f"{text} > {high}")
            elif b is not None and b <= high:
                self.test(f"{text} < {low}")
            else:
                self.test(f"not {low} <= {text} <= {high}")
            return text
        if t.within(self.kind(slot), kind):
            return text
        return f"lies_in({self.constants.text(test(self.facts.game.code, kind), opaque=True)}, {text})"

    def o_is_none(self, i: Instruction, word: str = "is") -> str:
        text = self.text(i.args[0])
        return str(word != "is") if is_written_out(text) else f"({text} {word} None)"

    def o_is_some(self, i: Instruction) -> str:
        return self.o_is_none(i, "is not")

    def o_certain(self, i: Instruction) -> str:
        text = self.held(self.text(i.args[0]))
        if not is_written_out(text):
            self.test(f"{text} is None")
        return text

    # ------------------------------------------------------------ numbers
    def arithmetic(self, i: Instruction, sign: str) -> str:
        a, b = (self.text(x) for x in i.args)
        text = f"({a} {sign} {b})"
        kind = self.kind(i.into[0])
        if isinstance(kind, t.Int) and kind.low is not None and kind.high is not None:
            return text
        (la, ha), (lb, hb) = (self.interval(x) for x in i.args)
        if None not in (la, ha, lb, hb) and max(abs(v) for v in (la, ha, lb, hb) if v is not None) < 2**26:
            return text
        return self.small(text)

    def small(self, text: str) -> str:
        text = self.held(text)
        self.test(f"not {-REACH} <= {text} <= {REACH}")
        return text

    def o_add(self, i: Instruction) -> str:
        return self.arithmetic(i, "+")

    def counts_down(self, i: Instruction) -> bool:
        """Is this one less of what is still to be drawn? That never comes near the least number."""
        return i.op == "sub" and self.routine.slots[i.into[0]].role == "left"

    def o_sub(self, i: Instruction) -> str:
        if self.counts_down(i):
            a, b = (self.text(x) for x in i.args)
            return f"({a} - {b})"
        return self.arithmetic(i, "-")

    def o_mul(self, i: Instruction) -> str:
        return self.arithmetic(i, "*")

    def o_number(self, i: Instruction) -> str:
        return self.small(self.text(i.args[0]))

    def divided(self, i: Instruction, sign: str) -> str:
        a, b = (self.text(x) for x in i.args)
        low, high = self.interval(i.args[1])
        if not ((low is not None and low > 0) or (high is not None and high < 0)):
            b = self.held(b)
            self.test(f"{b} == 0")
        return f"({a} {sign} {b})"

    def o_div(self, i: Instruction) -> str:
        return self.divided(i, "//")

    def o_mod(self, i: Instruction) -> str:
        return self.divided(i, "%")

    # ------------------------------------------------------------ others
    def o_begin_walk(self, i: Instruction) -> str:
        return "0"

    def o_alike(self, i: Instruction) -> str:
        return listed([self.text(a) for a in i.args])
