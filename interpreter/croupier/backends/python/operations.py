"""Instructions as expressions of Python. A row of the table, or a method where a row does not say enough.

Texts are whole: whatever binds less tightly than a call stands in parentheses. Names in them are numbered; what an author wrote lies in a table
of constants. A test that fails raises the one exception `D`; it stands in a line of its own before what it guards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.backends.facts import REACH, SHORT_LIST, Facts
from croupier.backends.python.constants import Constants
from croupier.backends.unsupported import Refused
from croupier.ir.instructions import Instruction
from croupier.ir.routines import Routine
from croupier.semantics import types as t

ROWS: dict[str, str] = dict(
    (part.strip() for part in line.split("|", 1))  # type: ignore[misc]
    for line in """
copy          | {0}
narrow        | {0}
is_none       | ({0} is None)
is_some       | ({0} is not None)
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
READS = {"state", "entry", "mutable", "owner", "key_of", "call", "original", "family_list", "viewer"}
"""Operations that read what acting changes; zones are read by all whose name begins so."""


def reads(op: str) -> bool:
    return op in READS or (op.startswith("zone_") and op != "zone_at")


class Operations:
    """Prints instructions. A subclass says what an operand is called and where lines go."""

    facts: Facts
    constants: Constants
    routine: Routine

    def text(self, slot: int, iterable: bool = False) -> str:
        """An operand."""
        raise NotImplementedError

    def value_of(self, slot: int) -> tuple[Any, ...] | None:
        """The value of a slot, if it is known."""
        raise NotImplementedError

    def test(self, failing: str) -> None:
        """A line that deviates if a condition holds."""
        raise NotImplementedError

    def held(self, text: str) -> str:
        """A name for a value that is used more than once."""
        raise NotImplementedError

    def alias(self, name: str) -> str:
        """A name for a part of the position, made at the beginning of the function."""
        raise NotImplementedError

    # ------------------------------------------------------------ one instruction
    def expression(self, i: Instruction) -> str:
        rule: Callable[[Instruction], str] | None = getattr(self, "o_" + i.op, None)
        if rule is not None:
            return rule(i)
        row = ROWS.get(i.op)
        if row is None:
            raise Refused(f"the operation `{i.op}`", i.span)
        return row.format(*(self.text(a, i.op in ITERABLE) for a in i.args))

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
        return f"lies_in({self.constants.text(self.facts.game.code.test(kind), opaque=True)}, {text})"

    def o_certain(self, i: Instruction) -> str:
        text = self.held(self.text(i.args[0]))
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

    def o_sub(self, i: Instruction) -> str:
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

    # ------------------------------------------------------------ lists and maps
    def o_size(self, i: Instruction) -> str:
        return f"len({self.text(i.args[0], True)})"

    def o_empty(self, i: Instruction) -> str:
        return f"(not {self.text(i.args[0], True)})"

    def end_of(self, i: Instruction, at: int) -> str:
        kind = self.kind(i.args[0])
        text = self.text(i.args[0])
        if isinstance(kind, t.Collection) and kind.nonempty and not isinstance(self.kind(i.into[0]), t.Optional):
            return f"{text}[{at}]"
        text = self.held(text)
        return f"({text}[{at}] if {text} else None)"

    def o_first(self, i: Instruction) -> str:
        return self.end_of(i, 0)

    def o_last(self, i: Instruction) -> str:
        return self.end_of(i, -1)

    def o_item(self, i: Instruction) -> str:
        items, at = (self.text(x) for x in i.args)
        items = self.held(items)
        known = self.value_of(i.args[0])
        if known is None or not self.inside(i.args[1], 1, len(known[0])):
            at = self.held(at)
            self.test(f"not 1 <= {at} <= len({items})")
        return f"{items}[{at} - 1]"

    def o_append(self, i: Instruction) -> str:
        return self.short(f"({self.text(i.args[0])} + ({self.text(i.args[1])},))", self.kind(i.into[0]))

    def o_join(self, i: Instruction) -> str:
        kind = self.kind(i.into[0])
        a, b = (self.text(x) for x in i.args)
        text = self.short(f"({a} + {b})", t.list_of(t.NEVER))
        if isinstance(kind, t.Collection) and kind.kind != "list":
            return f"canonical({self.constants.text(kind.kind)}, {text})"
        return text

    def short(self, text: str, kind: t.Type) -> str:
        """A list made in play: it has a greatest length."""
        text = self.held(text)
        self.test(f"len({text}) > {self.facts.length(kind)}")
        return text

    def o_add_item(self, i: Instruction) -> str:
        kind = self.kind(i.into[0])
        assert isinstance(kind, t.Collection)
        text = f"({self.text(i.args[0])} + ({self.text(i.args[1])},))"
        if kind.kind != "list":
            text = f"canonical({self.constants.text(kind.kind)}, {text})"
        return self.short(text, kind)

    def place(self, key: int, kind: t.Type) -> str:
        """The place of a key in a map."""
        low, count = self.facts.game.domain(kind)
        text = self.text(key)
        if isinstance(kind, t.Int) and not self.inside(key, low, low + count - 1):
            text = self.held(text)
            self.test(f"not {low} <= {text} <= {low + count - 1}")
        known = self.value_of(key)
        if known is not None and isinstance(known[0], int):
            return str(int(known[0]) - low)
        return text if low == 0 else f"{text} - {low}"

    def sure(self, text: str, kind: t.Type) -> str:
        """An entry of a map that may lack it, where a value is promised."""
        if isinstance(kind, t.Optional):
            return text
        text = self.held(text)
        self.test(f"{text} is None")
        return text

    def o_index(self, i: Instruction) -> str:
        kind = self.kind(i.args[0])
        assert isinstance(kind, t.Map)
        return self.sure(f"{self.text(i.args[0])}[{self.place(i.args[1], kind.key)}]", kind.value)

    def o_put(self, i: Instruction) -> str:
        kind = self.kind(i.args[0])
        assert isinstance(kind, t.Map)
        return f"changed({self.text(i.args[0])}, {self.place(i.args[1], kind.key)}, {self.text(i.args[2])})"

    def o_put_item(self, i: Instruction) -> str:
        return f"changed({self.text(i.args[0])}, {self.text(i.args[1])} - 1, {self.text(i.args[2])})"

    def o_map(self, i: Instruction) -> str:
        kind = self.kind(i.into[0])
        assert isinstance(kind, t.Map)
        if isinstance(kind.key, t.Never):
            return "()"
        low, count = self.facts.game.domain(kind.key)
        args = list(i.args)
        other = self.text(args.pop()) if len(args) % 2 else "None"
        if not args:
            return f"({other},) * {count}" if count < SHORT_LIST else self.deviates()
        pairs = [f"({self.place(args[k], kind.key)}, {self.text(args[k + 1])})" for k in range(0, len(args), 2)]
        return f"filled({count}, {other}, {listed(pairs)})"

    def deviates(self) -> str:
        self.test("True")
        return "None"

    # ------------------------------------------------------------ state and components
    def o_state(self, i: Instruction) -> str:
        v = self.facts.program.vars[i.data]
        return f"tuple({self.alias(f'm{v.index}')})" if isinstance(v.type, t.Map) else f"{self.alias('V')}[{v.index}]"

    def o_entry(self, i: Instruction) -> str:
        v = self.facts.program.vars[i.data]
        assert isinstance(v.type, t.Map)
        text = f"{self.alias(f'm{v.index}')}[{self.place(i.args[0], v.type.key)}]"
        return self.sure(text, v.type.value) if v.name in self.facts.gaps else text

    def o_mutable(self, i: Instruction) -> str:
        v, first = self.facts.program.vars[i.data], self.facts.game.kinds[i.data.split(".")[0]][0]
        return f"{self.alias(f'm{v.index}')}[{self.text(i.args[0])}{f' - {first}' if first else ''}]"

    def o_attr(self, i: Instruction) -> str:
        table = tuple(p.attributes.get(i.data) for p in self.facts.game.pieces)
        return f"{self.constants.text(table)}[{self.text(i.args[0])}]"

    def o_is_kind(self, i: Instruction) -> str:
        return f"{self.constants.text(tuple(p.kind == i.data for p in self.facts.game.pieces))}[{self.text(i.args[0])}]"

    def o_field(self, i: Instruction) -> str:
        at = list(self.facts.program.records[i.data[0]].fields).index(i.data[1])
        return f"{self.text(i.args[0])}[{at}]"

    def o_column(self, i: Instruction) -> str:
        return f"{self.constants.text(self.facts.game.columns[i.data])}[{self.text(i.args[0])}]"

    def o_owner(self, i: Instruction) -> str:
        table = (*(p.owner for p in self.facts.game.places), None)
        return f"{self.constants.text(table)}[{self.alias('W')}[{self.text(i.args[0])}]]"

    def o_key_of(self, i: Instruction) -> str:
        first, count = self.facts.game.family[i.data]
        table = (*(p.key if first <= p.number < first + count else None for p in self.facts.game.places), None)
        return f"{self.constants.text(table)}[{self.alias('W')}[{self.text(i.args[0])}]]"

    # ------------------------------------------------------------ zones
    def ordered(self, slot: int) -> bool:
        """Is the order of a zone always known?"""
        return not self.zone_names(slot) & self.facts.unordered

    def zone_names(self, slot: int) -> set[str]:
        known = self.value_of(slot)
        if known is not None:
            return {self.facts.game.places[known[0]].zone}
        return self.facts.zones_of(self.routine, slot)

    def o_zone_at(self, i: Instruction) -> str:
        game, key = self.facts.game, self.facts.program.zones[i.data].key
        assert key is not None
        (first, count), low = game.family[i.data], game.domain(key)[0]
        text = self.text(i.args[0])
        if isinstance(key, t.Int) and not self.inside(i.args[0], low, low + count - 1):
            text = self.held(text)
            self.test(f"not {low} <= {text} <= {low + count - 1}")
        return text if first == low else f"({text} + {first - low})" if first > low else f"({text} - {low - first})"

    def items_of(self, slot: int) -> str:
        return f"{self.alias('Z')}[{self.text(slot)}]"

    def o_zone_list(self, i: Instruction) -> str:
        return self.items_of(i.args[0]) if self.ordered(i.args[0]) else f"flat({self.items_of(i.args[0])})"

    def o_zone_size(self, i: Instruction) -> str:
        return f"{'len' if self.ordered(i.args[0]) else 'size'}({self.items_of(i.args[0])})"

    def o_zone_empty(self, i: Instruction) -> str:
        return f"(not {self.items_of(i.args[0])})"

    def end_of_zone(self, i: Instruction, at: int) -> str:
        items = self.held(self.items_of(i.args[0]))
        if not self.ordered(i.args[0]):
            self.test(f"{items} and type({items}[{at}]) is tuple")
        return f"({items}[{at}] if {items} else None)"

    def o_zone_top(self, i: Instruction) -> str:
        return self.end_of_zone(i, -1)

    def o_zone_bottom(self, i: Instruction) -> str:
        return self.end_of_zone(i, 0)

    def o_family_list(self, i: Instruction) -> str:
        first, count = self.facts.game.family[i.data]
        if i.data in self.facts.unordered or count > 12:
            return f"family({self.alias('Z')}, {first}, {count})"
        return "(" + "".join(f"*{self.alias('Z')}[{z}], " for z in range(first, first + count)) + ")"

    # ------------------------------------------------------------ players and boards
    def table(self, rows: Any, slot: int) -> str:
        return f"{self.constants.text(tuple(rows))}[{self.text(slot)}]"

    def turned(self, i: Instruction, first: int) -> str:
        n = self.facts.game.players
        return self.table((tuple((p + k) % n for k in range(first, n)) for p in range(n)), i.args[0])

    def o_clockwise(self, i: Instruction) -> str:
        return self.turned(i, 0)

    def o_turns_from(self, i: Instruction) -> str:
        return self.turned(i, 0)

    def o_others(self, i: Instruction) -> str:
        return self.turned(i, 1)

    def o_next(self, i: Instruction) -> str:
        n = self.facts.game.players
        return self.table(((p + 1) % n for p in range(n)), i.args[0])

    def o_previous(self, i: Instruction) -> str:
        n = self.facts.game.players
        return self.table(((p - 1) % n for p in range(n)), i.args[0])

    def o_clockwise_of(self, i: Instruction) -> str:
        return f"among({self.turned(i, 0)}, {self.text(i.args[1], True)})"

    def o_next_of(self, i: Instruction, by: int = 1) -> str:
        return f"next_of({self.text(i.args[0])}, {self.text(i.args[1])}, {by}, {self.facts.game.players})"

    def o_previous_of(self, i: Instruction) -> str:
        return self.o_next_of(i, -1)

    def board(self, slot_or_name: Any) -> Any:
        kind = self.kind(slot_or_name) if isinstance(slot_or_name, int) else None
        return self.facts.game.boards[kind.board if isinstance(kind, t.Cell) else slot_or_name]

    def numbered(self, i: Instruction, rows: Any) -> str:
        text = self.text(i.args[0])
        if not self.inside(i.args[0], 1, len(rows)):
            text = self.held(text)
            self.test(f"not 1 <= {text} <= {len(rows)}")
        return f"{self.constants.text(((), *rows))}[{text}]"

    def o_board_row(self, i: Instruction) -> str:
        return self.numbered(i, self.board(i.data).rows)

    def o_board_column(self, i: Instruction) -> str:
        return self.numbered(i, self.board(i.data).columns)

    def o_board_lines(self, i: Instruction) -> str:
        return f"lines_of({self.constants.text(self.board(i.data), opaque=True)}, {self.text(i.args[0])})"

    def o_board_at(self, i: Instruction) -> str:
        return f"cell_at({self.constants.text(tuple(self.board(i.data).rows))}, {self.text(i.args[0])}, {self.text(i.args[1])})"

    def o_board_between(self, i: Instruction) -> str:
        board = self.board(i.data)
        if board.size > 100:
            return f"between({self.constants.text(board, opaque=True)}, {self.text(i.args[0])}, {self.text(i.args[1])})"
        cells = range(board.size)
        table = self.constants.made(("between", i.data), lambda: tuple(tuple(board.between(a, b) for b in cells) for a in cells))
        return f"{table}[{self.text(i.args[0])}][{self.text(i.args[1])}]"

    def o_cell_row(self, i: Instruction) -> str:
        return self.table(self.board(i.args[0]).row_of, i.args[0])

    def o_cell_column(self, i: Instruction) -> str:
        return self.table(self.board(i.args[0]).column_of, i.args[0])

    def o_cell_adjacent(self, i: Instruction) -> str:
        return self.table(self.board(i.args[0]).adjacent, i.args[0])

    def by_direction(self, i: Instruction, what: str, entry: Callable[[Any, int, int], Any]) -> str:
        board, known = self.board(i.args[0]), self.value_of(i.args[1])
        cells, n = range(board.size), len(t.DIRECTIONS)
        if known is not None:
            table = self.constants.made((what, board.name, known[0]), lambda: tuple(entry(board, c, known[0]) for c in cells))
            return f"{table}[{self.text(i.args[0])}]"
        table = self.constants.made((what, board.name), lambda: tuple(tuple(entry(board, c, d) for d in range(n)) for c in cells))
        return f"{table}[{self.text(i.args[0])}][{self.text(i.args[1])}]"

    def o_cell_step(self, i: Instruction) -> str:
        return self.by_direction(i, "step", lambda board, c, d: board.steps[c].get(d))

    def o_optional_list(self, i: Instruction) -> str:
        step = self.waiting_step(i.args[0])
        if step is None:
            return f"one_or_none({self.text(i.args[0])})"
        return self.by_direction(step, "steps", lambda board, c, d: () if board.steps[c].get(d) is None else (board.steps[c][d],))

    def waiting_step(self, slot: int) -> Instruction | None:
        """The step to a neighbour that a slot waits for, if nobody else reads it."""
        return None

    def o_cell_ray(self, i: Instruction) -> str:
        return self.by_direction(i, "ray", lambda board, c, d: board.ray(c, d))

    # ------------------------------------------------------------ others
    def o_begin_walk(self, i: Instruction) -> str:
        return "0"

    def o_alike(self, i: Instruction) -> str:
        return listed([self.text(a) for a in i.args])


def listed(texts: list[str]) -> str:
    """A tuple of these."""
    return "(" + ", ".join(texts) + ("," if len(texts) == 1 else "") + ")"


def changes(kind: t.Type, facts: Facts) -> bool:
    """May the words for a value of this type change in play?"""
    match kind:
        case t.Component():
            return bool(kind.kinds & set(facts.game.labels))
        case t.Optional() | t.Collection():
            return changes(kind.base, facts)
        case t.Map():
            return changes(kind.key, facts) or changes(kind.value, facts)
        case t.Record():
            return any(changes(k, facts) for k in facts.program.records[kind.name].fields.values())
    return False
