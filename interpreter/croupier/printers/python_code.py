"""Code generator for expressions and statements of one function as Python.

The caller prints waits and returns: state machine or direct style.

What makes printed code fast, besides straight text: loops over slices and constant rows
(`python_iteration.py`), loop idioms as comprehensions (`python_idioms.py`), arrays that only grow as lists of
Python (`passes/lists.py`), zones without unordered parts as plain lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from croupier.core import operations as op
from croupier.core.builder import add, sub
from croupier.core.operations import Body, Const, Expression, Local
from croupier.core.types import CoreProgram, Function, Memory
from croupier.core.walk import arrays, expressions, locals_of, operands, sets, statements, times_read
from croupier.limits import MAX_POSITIONS
from croupier.passes.lists import Branch, branches_of_arrays, growing_lists, index_before
from croupier.passes.liveness import NOTHING, live
from croupier.passes.offers import ASCENDING, DISTINCT, waits_on_other_offers, weighted_statements
from croupier.passes.ranges import ranges_of_locals
from croupier.passes.zones import loose_zones, may_be_loose
from croupier.printers.python_idioms import (
    as_list,
    as_list_extension,
    as_offer_extension,
    as_slice_assignment,
)
from croupier.printers.python_iteration import ConstantRows, as_iteration, nonnegative_locals

EXPRESSIONS = {
    op.Add: "({} + {})",
    op.Sub: "({} - {})",
    op.Times: "({} * {})",
    op.Div: "({} // {})",
    op.Mod: "({} % {})",
    op.Eq: "({} == {})",
    op.Lt: "({} < {})",
    op.Le: "({} <= {})",
    op.And: "({} and {})",
    op.Or: "({} or {})",
    op.Not: "(not {})",
    op.CountBits: "({}).bit_count()",
    op.LowBit: "(({0} & -{0}).bit_length() - 1)",
    op.Length: "len(Z[{}])",
    op.Element: "Z[{}][{}]",
    op.Loose: "(S.U[{}] >> {} & 1)",
    op.Find: "Z[{}].index({})",
    op.Rank: "bisect(Z[{}], {})",
    op.PartBegin: "(~S.U[{}] & (1 << {}) - 1).bit_length()",
    op.ChosenSeat: "S.chosen_seat",
    op.Offered: "(not not O)",
    op.Searching: "(S.search is not None)",
}
BITS = {"and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>"}
INDENT = "    "
MAX_MEMO_ENTRIES = 2000  # of one memo; above that it is cleared
MAX_NESTED_LOOPS = 16  # CPython allows 20 nested blocks
TESTS = (op.Eq, op.Lt, op.Le, op.And, op.Or, op.Not)

Lines = list[str]
Control = Callable[[op.Statement, int], Lines]


class TooDeeplyNested(Exception):
    """Loops are nested deeper than CPython allows."""


class PythonBodyPrinter:
    """Prints the body of one function.

    `control` prints statements that wait, enter, return or jump; `set_before`: locals with a value at the
    start; `own`: arrays that no frame keeps; `chosen` is the text of the action chosen last; `local_offers`:
    the legal actions are in locals only.
    """

    def __init__(
        self,
        program: CoreProgram,
        f: Function,
        body: Body,
        control: Control,
        constants: ConstantRows,
        set_before: tuple[str, ...],
        own: Iterable[Memory],
        chosen: str = "S.chosen",
        local_offers: bool = False,
    ) -> None:
        self.program, self.control, self.chosen, self.constants = program, control, chosen, constants
        self.weighted = weighted_statements(body)
        self.waits_on_other_offers = frozenset[int]() if local_offers else waits_on_other_offers(body)
        self.assignments = [n for s in statements(body) for n in sets(s)] + list(set_before)
        self.memory = program.memories | {name: Memory(name, size) for name, size in f.arrays.items()}
        # arrays that are growing lists of Python, with the words of an element
        self.lists = growing_lists(program, body, own) | constants.list_parameters(program).get(f.name, {})
        if constants.loose is None:
            constants.loose = loose_zones(program)
        self.loose, self.ranges = constants.loose, ranges_of_locals(body, program.memories, set_before)
        self.local = frozenset(f.arrays)
        self.read_counts = times_read(body)
        self.nonnegative = nonnegative_locals(body, set_before)
        self.columns: dict[Expression, str] = {}  # loads that are loop variables of an enclosing iteration
        self.local_offers = local_offers
        self.begun: dict[Branch | None, Lines] = {}  # what makes the arrays that only a branch uses
        self.loops = 0
        self.outlined = False  # inside an outlined loop

    # ------------------------------------------------------------ expressions
    def value(self, e: Expression) -> str:
        match e:
            case Const(value):
                if value == op.NONE:
                    return "NONE"
                return str(value) if value >= 0 else f"({value})"
            case Local(name):
                return name
            case op.Load(memory, index):
                if e in self.columns:
                    return self.columns[e]
                if memory in self.lists:
                    return self.list_element(memory, index)
                return f"{memory}[{self.value(index)}]"
            case op.Chosen():
                return self.chosen
            case op.Holds(memory, begin, count, value):
                size: Expression = Const(self.memory[memory].size if memory in self.memory else -1)
                if memory in self.lists:
                    size = op.Load(memory, Const(0)) if self.lists[memory] == 1 else Const(-1)
                at = index_before(begin) if memory in self.lists else begin
                assert at is not None
                is_whole = at == Const(0) and count == size
                part = memory if is_whole else f"{memory}[{self.slice_bounds(at, count)}]"
                return f"({self.value(value)} in {part})"
            case op.Mul(a, b):
                small = isinstance(b, Const) and abs(b.value) < 1 << 9
                if small:
                    return f"({self.value(a)} * {self.value(b)})"
                return f"product({self.value(a)}, {self.value(b)})"
            case op.And(op.Le(a, Local(name)), op.Le(Local(same), b)) if name == same:
                return f"({self.value(a)} <= {name} <= {self.value(b)})"
            case op.Eq(a, Const(op.NONE)):
                return f"({self.value(a)} is NONE)"
            case op.Not(op.Eq(a, Const(op.NONE))):
                return f"({self.value(a)} is not NONE)"
            case op.Not(op.Eq(a, b)):
                return f"({self.value(a)} != {self.value(b)})"
            case op.Select(op.Lt(Const(0), op.Load(memory, Const(0)) as a), b, Const(0)) if (
                a == b and memory in self.lists
            ):
                return self.value(a)  # a length
            case op.Select(test, a, b):
                return f"({self.value(a)} if {self.condition(test)} else {self.value(b)})"
            case op.Bits(kind, a, b):
                return f"({self.value(a)} {BITS[kind]} {self.value(b)})"
        return EXPRESSIONS[type(e)].format(*map(self.value, operands(e)))

    def list_element(self, memory: str, index: Expression) -> str:
        """A word of a growing list, or its length."""
        if index == Const(0):
            return f"len({memory})" if self.lists[memory] == 1 else f"(len({memory}) // {self.lists[memory]})"
        at = index_before(index)
        assert at is not None
        return f"{memory}[{self.value(at)}]"

    def list_as_array(self, memory: str) -> str:
        """A growing list in the form of an array: its length, then its words."""
        return f"[{self.list_element(memory, Const(0))}, *{memory}]"

    def condition(self, e: Expression) -> str:
        """An expression of which only the truth counts."""
        match e:
            case op.Offered():
                return "O"
            case op.Eq(a, Const(1)) if isinstance(a, TESTS):  # a test compared with 1 is the test
                return self.condition(a)
            case op.Not(op.Eq(a, Const(1))) if isinstance(a, TESTS):
                return self.condition(op.Not(a))
        return self.value(e)

    # ------------------------------------------------------------ statements
    def body(self, body: Body, depth: int) -> Lines:
        out: Lines = []
        skip = 0
        for k, s in enumerate(body):
            if skip:
                skip -= 1
                continue
            words = self.refilled_words(s, body[k + 1 :])
            if words:
                out.append(f"{INDENT * depth}{self.refill(s.memory)} = [{', '.join(map(self.value, words))}]")  # type: ignore[union-attr]
                skip = len(words)
                continue
            if (
                isinstance(s, op.Store)
                and s.memory in self.lists
                and s.value == Const(0)
                and s.index == Const(0)
                and k + 1 < len(body)
            ):
                listed = as_list(self, body[k + 1], s.memory)
                if listed is not None:
                    most = next(t.most for t in statements((body[k + 1],)) if isinstance(t, op.Append))
                    more = self.appended_words(s.memory, body[k + 2 :])
                    if more:
                        listed = f"[*{listed}, {', '.join(map(self.value, more))}]"
                    target = self.refill(s.memory) if more else f"{s.memory}[:]"
                    out += [
                        f"{INDENT * depth}{target} = {listed}",
                        f"{INDENT * depth}if len({s.memory}) > {most}: raise Failed",
                    ]
                    skip = 1 + len(more)
                    continue
            if isinstance(s, op.NoOffers) and id(s) not in self.weighted and k + 1 < len(body):
                listed = as_list(self, body[k + 1])
                if listed is not None:
                    if self.local_offers:
                        out.append(f"{INDENT * depth}O = {listed}")
                    else:
                        out.append(f"{INDENT * depth}O = S.O = {listed}; S.K = None")
                    skip = 1
                    continue
            out += self.statement(s, depth)
        return out

    def refill(self, memory: str) -> str:
        """Return the target for a new list that becomes the contents of a growing list.

        It is the list itself, or in an outlined loop its contents.
        """
        return f"{memory}[:]" if self.outlined else memory

    def refilled_words(self, s: op.Statement, rest: Body) -> list[Expression]:
        """The words of a list that is cleared here and refilled by the statements that follow."""
        if not isinstance(s, op.Store) or s.index != Const(0):
            return []
        return self.appended_words(s.memory, rest)

    def appended_words(self, memory: str, rest: Body) -> list[Expression]:
        """The words that the first of some statements append to a list with elements of one word."""
        found: list[Expression] = []
        if self.lists.get(memory) != 1:
            return found
        for t in rest:
            if (
                not isinstance(t, op.Append)
                or t.memory != memory
                or len(found) == t.most
                or memory in arrays_read_by(t.values)
            ):
                break
            found += t.values
        return found

    def block(self, body: Body, depth: int) -> Lines:
        return self.body(body, depth) or [INDENT * depth + "pass"]

    def statement(self, s: op.Statement, depth: int) -> Lines:
        i, x = INDENT * depth, self.value
        match s:
            case op.Set(name, value):
                return [f"{i}{name} = {x(value)}"]
            case op.Append(memory, values, most):
                return self.append(memory, values, most, i)
            case op.Store(memory, index, value) if memory in self.lists:
                at = index_before(index)
                return [f"{i}{memory}.clear()" if at is None else f"{i}{memory}[{x(at)}] = {x(value)}"]
            case op.Store(memory, index, value):
                return [f"{i}{memory}[{x(index)}] = {x(value)}"]
            case op.Copy(target, at, source, begin, count) if target in self.lists or source in self.lists:
                return self.copy_list(s, i)
            case op.Copy(target, at, source, begin, Const(count)) if count <= 1:
                return [f"{i}{target}[{x(at)}] = {source}[{x(begin)}]"] if count else []
            case op.Copy(target, at, source, begin, count):
                return [
                    f"{i}{target}[{self.slice_bounds(at, count)}] = "
                    f"{source}[{self.slice_bounds(begin, count)}]"
                ]
            case op.Sort(memory, at, count, stride, keys) if memory in self.lists:
                return [f"{i}sort({memory}, 0, {x(count)}, {stride}, {keys})"]
            case op.Sort(memory, at, count, stride, keys):
                return [f"{i}sort({memory}, {x(at)}, {x(count)}, {stride}, {keys})"]
            case op.Push() | op.Insert() | op.Remove() | op.Truncate() | op.Loosen():
                return self.change_zone(s, i)
            case op.NoOffers() | op.Offer() | op.Memo():
                return self.change_offers(s, depth)
            case op.Loop(body) | op.For(body=body) | op.Each(body=body) if self.loops >= MAX_NESTED_LOOPS:
                return self.outlined_loop(s, body, depth)
            case op.If():
                return self.if_statement("if", s, depth)
            case op.Loop(body):
                return [f"{i}while True:", *self.loop_body(body, depth + 1)]
            case op.For():
                idiom = (
                    as_offer_extension(self, s, i)
                    or as_list_extension(self, s, i)
                    or as_slice_assignment(self, s, i)
                )
                return idiom or self.counted_loop(s, depth)
            case op.Each(name, zone, body):
                idiom = as_offer_extension(self, s, i) or as_list_extension(self, s, i)
                return idiom or [f"{i}for {name} in Z[{x(zone)}]:", *self.loop_body(body, depth + 1)]
            case op.Break():
                return [f"{i}break"]
            case op.Continue():
                return [f"{i}continue"]
            case op.Switch(value, cases, otherwise):
                out = [f"{i}match {x(value)}:"]
                for case in cases:
                    out += [
                        f"{i}{INDENT}case {' | '.join(map(str, case.values))}:",
                        *self.block(case.body, depth + 2),
                    ]
                return [*out, f"{i}{INDENT}case _:", *self.block(otherwise, depth + 2)]
            case op.Call(function, arguments, results):
                to = ", ".join(results)
                takes = self.program.functions[function].parameters
                lists = self.constants.list_parameters(self.program).get(function, {})
                given = ", ".join(
                    [
                        "S",
                        *(
                            self.argument(a, p.size, lists.get(p.name))
                            for a, p in zip(arguments, takes, strict=True)
                        ),
                    ]
                )
                return [f"{i}{to + ' = ' if to else ''}f_{function}({given})"]
            case op.Guard(test):
                return [f"{i}if not {self.condition(test)}: raise Failed"]
            case op.Pay(steps):
                return [f"{i}n = S.fuel = S.fuel - {x(steps)}", f"{i}if n < 0: raise Failed"]
            case op.Finish():
                return [f"{i}raise Finished"]
            case op.Fail():
                return [f"{i}raise Failed"]
            case op.Try():
                return self.trial(s, depth)
        return self.control(s, depth)

    def change_zone(self, s: op.Push | op.Insert | op.Remove | op.Truncate | op.Loosen, i: str) -> Lines:
        """A change of the contents of a zone."""
        x = self.value
        match s:
            case op.Push(zone, value):
                return [f"{i}Z[{x(zone)}].append({x(value)})"]
            case op.Insert() | op.Remove() | op.Truncate():
                return self.change_order(s, i)
            case op.Loosen(zone, index, value):
                return [f"{i}set_unordered(S, {x(zone)}, {x(index)}, {x(value)})"]

    def change_offers(self, s: op.NoOffers | op.Offer | op.Memo, depth: int) -> Lines:
        """A change of the legal actions."""
        i, x = INDENT * depth, self.value
        match s:
            case op.NoOffers():
                if self.local_offers:
                    return [f"{i}O = []", *([f"{i}K = []"] if id(s) in self.weighted else [])]
                return [
                    f"{i}O = S.O = []",
                    *([f"{i}K = S.K = []"] if id(s) in self.weighted else [f"{i}S.K = None"]),
                ]
            case op.Offer(action, weight):
                return [
                    f"{i}O.append({x(action)})",
                    *([f"{i}K.append({x(weight)})"] if id(s) in self.weighted else []),
                ]
            case op.Memo(words, arrays_, inner):
                name = self.constants.new_memo()
                key = ", ".join((*words, *(f"*{a}" for a in arrays_)))
                out = [
                    f"{i}key = {f'({key},)' if key else '()'}",
                    f"{i}O = {name}.get(key)",
                    f"{i}if O is None:",
                    *self.body(inner, depth + 1),
                ]
                keep = [
                    f"{i}{INDENT}O = sorted(set(O))",
                    f"{i}{INDENT}if len({name}) > {MAX_MEMO_ENTRIES}: {name}.clear()",
                    f"{i}{INDENT}{name}[key] = O",
                ]
                return [*out, *keep, *([] if self.local_offers else [f"{i}S.O = O; S.K = None"])]

    def change_order(self, s: op.Insert | op.Remove | op.Truncate, i: str) -> Lines:
        """Insert, remove or truncate; with a test for an unordered part where the zone may have one."""
        x, z = self.value, self.value(s.zone)
        may = may_be_loose(s.zone, self.loose, self.ranges)
        if isinstance(s, op.Truncate) and s.length == Const(0):
            return [f"{i}Z[{z}].clear()", *([f"{i}S.U[{z}] = 0"] if may else [])]
        if isinstance(s, op.Truncate):
            return [f"{i}truncate(S, {z}, {x(s.length)})" if may else f"{i}del Z[{z}][{x(s.length)}:]"]
        match s:
            case op.Insert(zone, op.Rank(where, value), other) if (zone, value) == (where, other):
                plain = f"insort(Z[{z}], {x(value)})"
                careful = f"insert(S, {z}, bisect(Z[{z}], {x(value)}), {x(value)})"
            case op.Insert(zone, index, value):
                plain = f"Z[{z}].insert({x(index)}, {x(value)})"
                careful = f"insert(S, {z}, {x(index)}, {x(value)})"
            case op.Remove(zone, op.Find(where, value)) if zone == where:
                plain, careful = f"Z[{z}].remove({x(value)})", f"remove_component(S, {z}, {x(value)})"
            case op.Remove(zone, index):
                plain, careful = f"del Z[{z}][{x(index)}]", f"remove(S, {z}, {x(index)})"
        if not may:
            return [f"{i}{plain}"]
        return [f"{i}if S.U[{z}]: {careful}", f"{i}else: {plain}"]

    def new_arrays(self, memories: Iterable[Memory], body: Body) -> Lines:
        """Local arrays, new: those that a branch alone uses are made there, the others at the head of the
        body.
        """
        texts = {
            m.name: f"{m.name} = []" if m.name in self.lists else f"{m.name} = [0] * {m.size}"
            for m in memories
        }
        for branch, names in branches_of_arrays(body, texts.keys()).items():
            self.begun[branch] = [texts[name] for name in texts if name in names]
        return [INDENT + text for text in self.begun.pop(None, ())]

    def append(self, memory: str, values: tuple[Expression, ...], most: int, i: str) -> Lines:
        """Append an element to a list; it fails if the list is full."""
        words = [self.value(v) for v in values]
        if memory in self.lists:
            if len(words) == 1:
                grown = f"{i}{memory}.append({words[0]})"
            else:
                grown = f"{i}{memory} += ({', '.join(words)})"
            return [grown, f"{i}if len({memory}) > {most * len(words)}: raise Failed"]
        out = [f"{i}n = {memory}[0]", f"{i}if n >= {most}: raise Failed", f"{i}{memory}[0] = n + 1"]
        if len(words) == 1:
            return [*out[:2], f"{i}{memory}[n + 1] = {words[0]}", out[2]]
        return [
            *out[:2],
            f"{i}{memory}[n * {len(words)} + 1:(n + 1) * {len(words)} + 1] = ({', '.join(words)})",
            out[2],
        ]

    def copy_list(self, s: op.Copy, i: str) -> Lines:
        """A copy from or to a growing list."""
        if s.target in self.lists:
            if s.source in self.lists:
                whole = s.source
            else:
                whole = f"{s.source}[{self.slice_bounds(add(s.begin, Const(1)), sub(s.count, Const(1)))}]"
            return [f"{i}{s.target}[:] = {whole}"]
        if s.begin == Const(0):
            return [
                f"{i}{s.target}[{self.value(s.at)}:{self.value(add(s.at, Const(1)))} + len({s.source})] = "
                f"{self.list_as_array(s.source)}"
            ]
        at = index_before(s.begin)
        assert at is not None
        return [
            f"{i}{s.target}[{self.slice_bounds(s.at, s.count)}] = "
            f"{s.source}[{self.slice_bounds(at, s.count)}]"
        ]

    def sort_offers(self, s: op.Wait, order: str, i: str) -> Lines:
        """Sort the legal actions before a wait, without duplicates, as far as they are not known to be
        sorted.
        """
        if id(s) in self.waits_on_other_offers:
            return [
                f"{i}O = S.O",
                f"{i}if S.K is not None: O, K = S.O, S.K = sort_weighted(O, S.K)",
                f"{i}else: O = S.O = sorted(set(O))",
            ]
        if id(s) in self.weighted:
            if self.local_offers:
                return [f"{i}O, K = sort_weighted(O, K)"]
            return [f"{i}O, K = S.O, S.K = sort_weighted(O, S.K)"]
        if order == ASCENDING:
            return []
        if order == DISTINCT:
            return [f"{i}O.sort()"]
        return [f"{i}O = sorted(set(O))" if self.local_offers else f"{i}O = S.O = sorted(set(O))"]

    def range(self, low: Expression, high: Expression) -> str:
        if low == Const(0):
            return f"range({self.value(high)})"
        return f"range({self.value(low)}, {self.value(high)})"

    def slice_bounds(self, at: Expression, count: Expression) -> str:
        """The bounds of a slice."""
        if isinstance(at, Const) and isinstance(count, Const):
            return f"{at.value}:{at.value + count.value}"
        if at == Const(0):
            return f":{self.value(count)}"
        return f"{self.value(at)}:{self.value(at)} + {self.value(count)}"

    def counted_loop(self, s: op.For, depth: int) -> Lines:
        names, source, columns = self.loop_head(s)
        body = s.body
        match body:
            case (op.Set(name, e), *rest) if e in columns and rest and self.assignments.count(name) == 1:
                # the loop variable itself
                names = ", ".join(name if n == columns[e] else n for n in names.split(", "))
                columns, body = {**columns, e: name}, tuple(rest)
        held, self.columns = self.columns, {**self.columns, **columns}
        out = [f"{INDENT * depth}for {names} in {source}:", *self.loop_body(body, depth + 1)]
        self.columns = held
        return out

    def loop_head(self, s: op.For) -> tuple[str, str, dict[Expression, str]]:
        """The target and the iterable of a counted loop, and the loads that are loop variables."""
        walk = as_iteration(self, s, self.read_counts[s.name] > times_read(s.body)[s.name])
        if walk is None:
            return (s.name, self.range(s.low, s.high), {})
        return (walk.names, walk.source, walk.columns)

    def loop_body(self, body: Body, depth: int) -> Lines:
        self.loops += 1
        out = self.block(body, depth)
        self.loops -= 1
        return out

    def return_statement(self, values: tuple[str, ...], depth: int) -> Lines:
        """A return of words."""
        given = ", ".join(values)
        if self.outlined:
            return [f"{INDENT * depth}return (({given or 'None'}),)"]
        return [f"{INDENT * depth}return {given}".rstrip()]

    def outlined_loop(self, s: op.Statement, body: Body, depth: int) -> Lines:
        """Outline a loop that is nested too deep for Python: a nested function that sets the locals of this
        one.
        """
        if any(isinstance(inner, (op.Goto, op.Wait, op.Enter, op.Leave)) for inner in statements(body)):
            raise TooDeeplyNested
        held, self.loops, deep, self.outlined = self.loops, 0, self.outlined, True
        inside = [n for inner in statements((s,)) for n in sets(inner)]
        shared = sorted({n for n in inside if self.assignments.count(n) > inside.count(n)})
        i = INDENT * depth
        out = [
            f"{i}def deep():",
            *([f"{i}{INDENT}nonlocal {', '.join(shared)}"] if shared else []),
            *self.statement(s, depth + 1),
        ]
        self.loops, self.outlined = held, deep
        return [
            *out,
            f"{i}ended = deep()",
            f"{i}if ended is not None: return {'ended' if deep else 'ended[0]'}",
        ]

    def if_statement(self, word: str, s: op.If, depth: int) -> Lines:
        i = INDENT * depth
        begun = [INDENT + i + text for text in self.begun.get((id(s), True), ())]
        begun_otherwise = [INDENT + i + text for text in self.begun.get((id(s), False), ())]
        out = [f"{i}{word} {self.condition(s.test)}:", *begun, *self.block(s.then, depth + 1)]
        match s.otherwise:
            case ():
                return out
            case (op.If() as more,) if not begun_otherwise:
                return out + self.if_statement("elif", more, depth)
        return [*out, f"{i}else:", *begun_otherwise, *self.block(s.otherwise, depth + 1)]

    def argument(self, a: Expression | op.Array, size: int | None, words: int | None) -> str:
        """An argument of a call, for a parameter that is an array of this size, or a list with elements of so
        many words.
        """
        if not isinstance(a, op.Array):
            return self.value(a)
        if words is not None:
            length = (
                op.Load(a.memory, a.at) if words == 1 else op.Times(op.Load(a.memory, a.at), Const(words))
            )
            if a.memory in self.lists:
                return a.memory
            return f"{a.memory}[{self.slice_bounds(add(a.at, Const(1)), length)}]"
        if a.memory in self.lists:
            return self.list_as_array(a.memory)
        return a.memory if a.at == Const(0) else f"{a.memory}[{self.slice_bounds(a.at, Const(size or 0))}]"

    def trial(self, tried: op.Try, depth: int) -> Lines:
        """A trial: a nested function, so that its locals are discarded, run on a copy of the position."""
        i, name, body, word = INDENT * depth, tried.name, tried.body, self.value(tried.word)
        needed = live(body, frozenset(locals_of(tried.word)), {}, NOTHING, NOTHING)
        words = sorted(needed & frozenset(n for s in statements(body) for n in sets(s)))
        mine = sorted(arrays(body) - set(self.program.memories))
        given = ", ".join(["S", *(f"{w}={w}" for w in words), *(f"{a}={a}[:]" for a in mine)])
        back = ", ".join([name, *tried.keeps])
        inner = INDENT * (depth + 1)
        out = [f"{i}def trial({given}):", *(INDENT * depth + line for line in self.bind_memory(body))]
        out += [*self.body(body, depth + 1), f"{inner}return {', '.join([word, *tried.keeps])}"]
        if tried.counted:
            out += [f"{i}S.examined[0] += 1", f"{i}if S.examined[0] > {MAX_POSITIONS}: raise Failed"]
        out.append(f"{i}trying = S.copy()")
        return [
            *out,
            f"{i}try: {back} = trial(trying)",
            f"{i}except Finished: {name} = 0",
            f"{i}finally: S.fuel = trying.fuel",
        ]

    def bind_memory(self, body: Body) -> Lines:
        """Bind the arrays and lists of the position that a body uses to locals."""
        found = [
            m
            for m in sorted(arrays(body))
            if m in self.program.memories and not self.program.memories[m].constant
        ]
        out = [f"{INDENT}{m} = S.{m}" for m in found]
        if any(
            isinstance(e, (op.Length, op.Element, op.Find, op.Rank))
            for s in statements(body)
            for e in expressions(s)
        ) or any(
            isinstance(s, (op.Each, op.Push, op.Insert, op.Remove, op.Truncate)) for s in statements(body)
        ):
            out.append(f"{INDENT}Z = S.Z")
        if (
            not self.local_offers
            and not _begins_offers(body)
            and any(isinstance(s, op.Offer) for s in statements(body))
        ):
            out.append(f"{INDENT}O, K = S.O, S.K")
        return out


def _begins_offers(body: Body) -> bool:
    """Return whether a body clears the legal actions before it makes offers."""
    first = next(
        (s for s in body if any(isinstance(t, (op.Offer, op.NoOffers)) for t in statements((s,)))), None
    )
    return isinstance(first, op.NoOffers)


def arrays_read_by(values: tuple[Expression, ...]) -> set[str]:
    """The arrays that expressions read."""
    return {e.memory for v in values for e in (v, *expressions(v)) if isinstance(e, (op.Load, op.Holds))}
