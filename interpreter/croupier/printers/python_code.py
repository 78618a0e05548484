"""Expressions and statements of the core as Python. How somebody waits, and how a frame ends, is said by whoever prints the functions around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.builder import add, sub
from croupier.core.operations import SEVERAL, Body, Const, Expression, Local
from croupier.core.types import CoreProgram, Memory
from croupier.core.walk import arrays, expressions, locals_of, operands, sets, statements
from croupier.limits import MAX_POSITIONS
from croupier.passes.lists import index_before
from croupier.passes.liveness import NOTHING, live
from croupier.passes.offers import ASCENDING, DISTINCT
from croupier.passes.ranges import ranges_of_locals
from croupier.passes.zones import loose_zones, may_be_loose
from croupier.printers.python_idioms import appended_by, listed_by, offered_by, stored_by
from croupier.printers.python_iteration import Constants, counted, walked

SIGNS = {op.Add: "+", op.Sub: "-", op.Times: "*", op.Div: "//", op.Mod: "%", op.Eq: "==", op.Lt: "<", op.Le: "<="}
BITS = {"and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>"}
STEP = "    "
MOST_KEPT = 2000  # offers that are kept of one place
MOST_LOOPS = 16  # in each other: CPython takes 20
TESTS = (op.Eq, op.Lt, op.Le, op.And, op.Or, op.Not)

Lines = list[str]
Control = Callable[[op.Statement, int], Lines]


class TooDeep(Exception):
    """Loops in each other that Python does not take."""


class PythonCode:
    """Prints the body of one function. `control` prints what waits, enters and leaves; `chosen` is what the last wait gave.

    `alone`: nobody else sees what is on offer. `lists`: arrays that are lists of Python, with how many words their elements have.
    """

    def __init__(
        self,
        program: CoreProgram,
        body: Body,
        control: Control,
        constants: Constants,
        chosen: str = "S.chosen",
        set_before: tuple[str, ...] = (),
        memories: tuple[Memory, ...] = (),
        alone: bool = False,
        lists: dict[str, int] | None = None,
    ) -> None:
        self.program, self.control, self.chosen, self.constants = program, control, chosen, constants
        self.weighed = weighed(body)
        self.elsewhere = frozenset[int]() if alone else waits_for_others(body)
        self.set_in_all = [n for s in statements(body) for n in sets(s)] + list(set_before)
        self.memory = {**program.memories, **{m.name: m for m in memories}}
        self.lists = lists or {}
        if constants.loose is None:
            constants.loose = loose_zones(program)
        self.loose, self.ranges = constants.loose, ranges_of_locals(body, program.memories, set_before)
        self.local = frozenset(m.name for m in memories)
        self.read_in_all = Counter(e.name for s in statements(body) for e in expressions(s) if isinstance(e, Local))
        self.counts = never_negative(body, set_before)
        self.columns: dict[Expression, str] = {}  # words that loops around have in locals
        self.alone = alone
        self.loops = 0
        self.deep = False  # inside of a function that is part of another

    # ------------------------------------------------------------ expressions
    def x(self, e: Expression) -> str:
        match e:
            case Const(value):
                return "NONE" if value == op.NONE else str(value) if value >= 0 else f"({value})"
            case Local(name):
                return name
            case op.Load(memory, index):
                if e in self.columns:
                    return self.columns[e]
                if memory in self.lists:
                    return self.of_list(memory, index)
                return f"{memory}[{self.x(index)}]"
            case op.Length(zone):
                return f"len(Z[{self.x(zone)}])"
            case op.Element(zone, index):
                return f"Z[{self.x(zone)}][{self.x(index)}]"
            case op.Loose(zone, index):
                return f"(S.U[{self.x(zone)}] >> {self.x(index)} & 1)"
            case op.Find(zone, value):
                return f"Z[{self.x(zone)}].index({self.x(value)})"
            case op.Rank(zone, value):
                return f"bisect(Z[{self.x(zone)}], {self.x(value)})"
            case op.PartBegin(zone, index):
                return f"(~S.U[{self.x(zone)}] & (1 << {self.x(index)}) - 1).bit_length()"
            case op.Chosen():
                return self.chosen
            case op.ChosenSeat():
                return "S.chosen_seat"
            case op.Holds(memory, begin, count, value):
                if memory in self.lists:
                    at = index_before(begin)
                    assert at is not None
                    whole = at == Const(0) and count == op.Load(memory, Const(0)) and self.lists[memory] == 1
                    return f"({self.x(value)} in {memory if whole else f'{memory}[{self.part(at, count)}]'})"
                whole = begin == Const(0) and count == Const(self.memory[memory].size if memory in self.memory else -1)
                return f"({self.x(value)} in {memory if whole else f'{memory}[{self.part(begin, count)}]'})"
            case op.Offered():
                return "(not not O)"
            case op.Searching():
                return "(S.search is not None)"
            case op.Mul(a, b):
                small = isinstance(b, Const) and abs(b.value) < 1 << 9
                return f"({self.x(a)} * {self.x(b)})" if small else f"product({self.x(a)}, {self.x(b)})"
            case op.And(a, b):
                return f"({self.x(a)} and {self.x(b)})"
            case op.Or(a, b):
                return f"({self.x(a)} or {self.x(b)})"
            case op.Eq(a, Const(op.NONE)):
                return f"({self.x(a)} is NONE)"
            case op.Not(op.Eq(a, Const(op.NONE))):
                return f"({self.x(a)} is not NONE)"
            case op.Not(op.Eq(a, b)):
                return f"({self.x(a)} != {self.x(b)})"
            case op.Not(a):
                return f"(not {self.x(a)})"
            case op.Select(test, a, b):
                return f"({self.x(a)} if {self.test(test)} else {self.x(b)})"
            case op.Bits(kind, a, b):
                return f"({self.x(a)} {BITS[kind]} {self.x(b)})"
            case op.CountBits(a):
                return f"({self.x(a)}).bit_count()"
            case op.LowBit(a):
                return f"(({self.x(a)} & -{self.x(a)}).bit_length() - 1)"
            case op.Add(a, b) | op.Sub(a, b) | op.Times(a, b) | op.Div(a, b) | op.Mod(a, b) | op.Eq(a, b) | op.Lt(a, b) | op.Le(a, b):
                return f"({self.x(a)} {SIGNS[type(e)]} {self.x(b)})"
        raise AssertionError(e)

    def of_list(self, memory: str, index: Expression) -> str:
        """A word of a list of Python, or how many elements it has."""
        if index == Const(0):
            return f"len({memory})" if self.lists[memory] == 1 else f"(len({memory}) // {self.lists[memory]})"
        at = index_before(index)
        assert at is not None
        return f"{memory}[{self.x(at)}]"

    def flat(self, memory: str) -> str:
        """A list of Python as an array has it."""
        return f"[{self.of_list(memory, Const(0))}, *{memory}]"

    def test(self, e: Expression) -> str:
        """An expression of which only counts whether it is 0."""
        match e:
            case op.Offered():
                return "O"
            case op.Eq(a, Const(1)) if isinstance(a, TESTS):  # a test compared with 1 is the test
                return self.test(a)
            case op.Not(op.Eq(a, Const(1))) if isinstance(a, TESTS):
                return self.test(op.Not(a))
        return self.x(e)

    # ------------------------------------------------------------ statements
    def body(self, body: Body, depth: int) -> Lines:
        out: Lines = []
        skip = 0
        for k, s in enumerate(body):
            if skip:
                skip -= 1
                continue
            words = self.listed_words(s, body[k + 1 :])
            if words:
                out.append(f"{STEP * depth}{s.memory}[:] = [{', '.join(map(self.x, words))}]")  # type: ignore[union-attr]
                skip = len(words)
                continue
            if isinstance(s, op.Store) and s.memory in self.lists and s.value == Const(0) and s.index == Const(0) and k + 1 < len(body):
                listed = listed_by(self, body[k + 1], s.memory)
                if listed is not None:
                    most = next(t.most for t in statements((body[k + 1],)) if isinstance(t, op.Append))
                    out += [f"{STEP * depth}{s.memory}[:] = {listed}", f"{STEP * depth}if len({s.memory}) > {most}: raise Failed"]
                    skip = 1
                    continue
            if isinstance(s, op.NoOffers) and id(s) not in self.weighed and k + 1 < len(body):
                listed = listed_by(self, body[k + 1])
                if listed is not None:
                    out.append(f"{STEP * depth}O = {listed}" if self.alone else f"{STEP * depth}O = S.O = {listed}; S.K = None")
                    skip = 1
                    continue
            out += self.statement(s, depth)
        return out

    def listed_words(self, s: op.Statement, rest: Body) -> list[Expression]:
        """The words of a list that is made anew of known ones."""
        found: list[Expression] = []
        if isinstance(s, op.Store) and s.index == Const(0) and self.lists.get(s.memory) == 1:
            for t in rest:
                if not isinstance(t, op.Append) or t.memory != s.memory or len(found) == t.most or s.memory in arrays_of_values(t.values):
                    break
                found += t.values
        return found

    def block(self, body: Body, depth: int) -> Lines:
        return self.body(body, depth) or [STEP * depth + "pass"]

    def statement(self, s: op.Statement, depth: int) -> Lines:
        i, x = STEP * depth, self.x
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
                return self.copied(s, i)
            case op.Copy(target, at, source, begin, Const(count)) if count <= 1:
                return [f"{i}{target}[{x(at)}] = {source}[{x(begin)}]"] if count else []
            case op.Copy(target, at, source, begin, count):
                return [f"{i}{target}[{self.part(at, count)}] = {source}[{self.part(begin, count)}]"]
            case op.Sort(memory, at, count, stride, keys) if memory in self.lists:
                return [f"{i}sort({memory}, 0, {x(count)}, {stride}, {keys})"]
            case op.Sort(memory, at, count, stride, keys):
                return [f"{i}sort({memory}, {x(at)}, {x(count)}, {stride}, {keys})"]
            case op.Push() | op.Insert() | op.Remove() | op.Truncate() | op.Loosen():
                return self.of_zone(s, i)
            case op.NoOffers() | op.Offer() | op.Memo():
                return self.of_offers(s, depth)
            case op.Loop(body) | op.For(body=body) | op.Each(body=body) if self.loops >= MOST_LOOPS:
                return self.apart(s, body, depth)
            case op.If(test, then, otherwise):
                return self.branch("if", test, then, otherwise, depth)
            case op.Loop(body):
                return [f"{i}while True:", *self.looped(body, depth + 1)]
            case op.For():
                return offered_by(self, s, i) or appended_by(self, s, i) or stored_by(self, s, i) or self.counted(s, depth)
            case op.Each(name, zone, body):
                return offered_by(self, s, i) or appended_by(self, s, i) or [f"{i}for {name} in Z[{x(zone)}]:", *self.looped(body, depth + 1)]
            case op.Break():
                return [f"{i}break"]
            case op.Continue():
                return [f"{i}continue"]
            case op.Switch(value, cases, otherwise):
                out = [f"{i}match {x(value)}:"]
                for case in cases:
                    out += [f"{i}{STEP}case {' | '.join(map(str, case.values))}:", *self.block(case.body, depth + 2)]
                return [*out, f"{i}{STEP}case _:", *self.block(otherwise, depth + 2)]
            case op.Call(function, arguments, results):
                to = ", ".join(results)
                takes = self.program.functions[function].parameters
                given = ", ".join(["S", *(self.argument(a, p.size) for a, p in zip(arguments, takes, strict=True))])
                return [f"{i}{to + ' = ' if to else ''}f_{function}({given})"]
            case op.Guard(test):
                return [f"{i}if not {self.test(test)}: raise Failed"]
            case op.Pay(steps):
                return [f"{i}n = S.fuel = S.fuel - {x(steps)}", f"{i}if n < 0: raise Failed"]
            case op.Finish():
                return [f"{i}raise Finished"]
            case op.Fail():
                return [f"{i}raise Failed"]
            case op.Try():
                return self.trial(s, depth)
        return self.control(s, depth)

    def of_zone(self, s: op.Push | op.Insert | op.Remove | op.Truncate | op.Loosen, i: str) -> Lines:
        """A change of what a zone holds. A list of Python is enough where the order of every zone is known."""
        x = self.x
        match s:
            case op.Push(zone, value):
                return [f"{i}Z[{x(zone)}].append({x(value)})"]
            case op.Insert() | op.Remove() | op.Truncate():
                return self.zone_changed(s, i)
            case op.Loosen(zone, index, value):
                return [f"{i}loosen(S, {x(zone)}, {x(index)}, {x(value)})"]

    def of_offers(self, s: op.NoOffers | op.Offer | op.Memo, depth: int) -> Lines:
        """A change of the options that are offered."""
        i, x = STEP * depth, self.x
        match s:
            case op.NoOffers():
                if self.alone:
                    return [f"{i}O = []", *([f"{i}K = []"] if id(s) in self.weighed else [])]
                return [f"{i}O = S.O = []", *([f"{i}K = S.K = []"] if id(s) in self.weighed else [f"{i}S.K = None"])]
            case op.Offer(action, weight):
                return [f"{i}O.append({x(action)})", *([f"{i}K.append({x(weight)})"] if id(s) in self.weighed else [])]
            case op.Memo(words, arrays_, inner):
                name = self.constants.memo()
                key = ", ".join((*words, *(f"*{a}" for a in arrays_)))
                out = [f"{i}key = {f'({key},)' if key else '()'}", f"{i}O = {name}.get(key)", f"{i}if O is None:", *self.body(inner, depth + 1)]
                keep = [f"{i}{STEP}O = sorted(set(O))", f"{i}{STEP}if len({name}) > {MOST_KEPT}: {name}.clear()", f"{i}{STEP}{name}[key] = O"]
                return [*out, *keep, *([] if self.alone else [f"{i}S.O = O; S.K = None"])]

    def zone_changed(self, s: op.Insert | op.Remove | op.Truncate, i: str) -> Lines:
        """A component goes into a zone or out of it, or all that lie above a place go; with the bits of an unordered part where there may be one."""
        x, z = self.x, self.x(s.zone)
        may = may_be_loose(s.zone, self.loose, self.ranges)
        if isinstance(s, op.Truncate) and s.length == Const(0):
            return [f"{i}Z[{z}].clear()", *([f"{i}S.U[{z}] = 0"] if may else [])]
        if isinstance(s, op.Truncate):
            return [f"{i}truncate(S, {z}, {x(s.length)})" if may else f"{i}del Z[{z}][{x(s.length)}:]"]
        match s:
            case op.Insert(zone, op.Rank(where, value), other) if (zone, value) == (where, other):
                plain, careful = f"insort(Z[{z}], {x(value)})", f"insert(S, {z}, bisect(Z[{z}], {x(value)}), {x(value)})"
            case op.Insert(zone, index, value):
                plain, careful = f"Z[{z}].insert({x(index)}, {x(value)})", f"insert(S, {z}, {x(index)}, {x(value)})"
            case op.Remove(zone, op.Find(where, value)) if zone == where:
                plain, careful = f"Z[{z}].remove({x(value)})", f"taken(S, {z}, {x(value)})"
            case op.Remove(zone, index):
                plain, careful = f"del Z[{z}][{x(index)}]", f"remove(S, {z}, {x(index)})"
        if not may:
            return [f"{i}{plain}"]
        return [f"{i}if S.U[{z}]: {careful}", f"{i}else: {plain}"]

    def made(self, m: Memory) -> str:
        """An array of the function begins."""
        return f"{STEP}{m.name} = []" if m.name in self.lists else f"{STEP}{m.name} = [0] * {m.size}"

    def append(self, memory: str, values: tuple[Expression, ...], most: int, i: str) -> Lines:
        """Another element of a list."""
        words = [self.x(v) for v in values]
        if memory in self.lists:
            grown = f"{i}{memory}.append({words[0]})" if len(words) == 1 else f"{i}{memory} += ({', '.join(words)})"
            return [grown, f"{i}if len({memory}) > {most * len(words)}: raise Failed"]
        out = [f"{i}n = {memory}[0]", f"{i}if n >= {most}: raise Failed", f"{i}{memory}[0] = n + 1"]
        if len(words) == 1:
            return [*out[:2], f"{i}{memory}[n + 1] = {words[0]}", out[2]]
        return [*out[:2], f"{i}{memory}[n * {len(words)} + 1:(n + 1) * {len(words)} + 1] = ({', '.join(words)})", out[2]]

    def copied(self, s: op.Copy, i: str) -> Lines:
        """Words from or to a list of Python."""
        if s.target in self.lists:
            whole = s.source if s.source in self.lists else f"{s.source}[{self.part(add(s.begin, Const(1)), sub(s.count, Const(1)))}]"
            return [f"{i}{s.target}[:] = {whole}"]
        if s.begin == Const(0):
            return [f"{i}{s.target}[{self.x(s.at)}:{self.x(add(s.at, Const(1)))} + len({s.source})] = {self.flat(s.source)}"]
        at = index_before(s.begin)
        assert at is not None
        return [f"{i}{s.target}[{self.part(s.at, s.count)}] = {s.source}[{self.part(at, s.count)}]"]

    def in_order(self, s: op.Wait, order: str, i: str) -> Lines:
        """What is on offer where somebody waits, ascending and no number twice."""
        if id(s) in self.elsewhere:
            return [f"{i}O = S.O", f"{i}if S.K is not None: O, K = S.O, S.K = in_order(O, S.K)", f"{i}else: O = S.O = sorted(set(O))"]
        if id(s) in self.weighed:
            return [f"{i}O, K = in_order(O, K)"] if self.alone else [f"{i}O, K = S.O, S.K = in_order(O, S.K)"]
        if order == ASCENDING:
            return []
        return [f"{i}O.sort()"] if order == DISTINCT else [f"{i}O = sorted(set(O))" if self.alone else f"{i}O = S.O = sorted(set(O))"]

    def range(self, low: Expression, high: Expression) -> str:
        return f"range({self.x(high)})" if low == Const(0) else f"range({self.x(low)}, {self.x(high)})"

    def part(self, at: Expression, count: Expression) -> str:
        """A part of an array, as a slice."""
        if isinstance(at, Const) and isinstance(count, Const):
            return f"{at.value}:{at.value + count.value}"
        return f":{self.x(count)}" if at == Const(0) else f"{self.x(at)}:{self.x(at)} + {self.x(count)}"

    def counted(self, s: op.For, depth: int) -> Lines:
        names, source, columns = self.head(s)
        held, self.columns = self.columns, {**self.columns, **columns}
        out = [f"{STEP * depth}for {names} in {source}:", *self.looped(s.body, depth + 1)]
        self.columns = held
        return out

    def head(self, s: op.For) -> tuple[str, str, dict[Expression, str]]:
        """What stands behind `for` and `in`, and names for what the loop reads by its number."""
        here = sum(isinstance(e, Local) and e.name == s.name for t in statements(s.body) for e in expressions(t))
        walk = walked(s, self.memory, self.x, self.constants, self.read_in_all[s.name] > here, self.local, self.lists, self.counts)
        return (s.name, self.range(s.low, s.high), {}) if walk is None else (walk.names, walk.source, walk.columns)

    def looped(self, body: Body, depth: int) -> Lines:
        self.loops += 1
        out = self.block(body, depth)
        self.loops -= 1
        return out

    def returned(self, values: tuple[str, ...], depth: int) -> Lines:
        """A function returns words."""
        given = ", ".join(values)
        return [f"{STEP * depth}return (({given or 'None'}),)" if self.deep else f"{STEP * depth}return {given}".rstrip()]

    def apart(self, s: op.Statement, body: Body, depth: int) -> Lines:
        """A loop inside of as many as Python takes: a function of its own, which sets the locals of the one around it."""
        if any(isinstance(inner, (op.Goto, op.Wait, op.Enter, op.Leave)) for inner in statements(body)):
            raise TooDeep
        held, self.loops, deep, self.deep = self.loops, 0, self.deep, True
        inside = [n for inner in statements((s,)) for n in sets(inner)]
        shared = sorted({n for n in inside if self.set_in_all.count(n) > inside.count(n)})
        i = STEP * depth
        out = [f"{i}def deep():", *([f"{i}{STEP}nonlocal {', '.join(shared)}"] if shared else []), *self.statement(s, depth + 1)]
        self.loops, self.deep = held, deep
        return [*out, f"{i}ended = deep()", f"{i}if ended is not None: return {'ended' if deep else 'ended[0]'}"]

    def branch(self, word: str, test: Expression, then: Body, otherwise: Body, depth: int) -> Lines:
        i = STEP * depth
        out = [f"{i}{word} {self.test(test)}:", *self.block(then, depth + 1)]
        match otherwise:
            case ():
                return out
            case (op.If(more, second, rest),):
                return out + self.branch("elif", more, second, rest, depth)
        return [*out, f"{i}else:", *self.block(otherwise, depth + 1)]

    def argument(self, a: Expression | op.Array, size: int | None) -> str:
        if not isinstance(a, op.Array):
            return self.x(a)
        if a.memory in self.lists:
            return self.flat(a.memory)
        return a.memory if a.at == Const(0) else f"{a.memory}[{self.part(a.at, Const(size or 0))}]"

    def trial(self, tried: op.Try, depth: int) -> Lines:
        """What is tried is a function of its own, so that its locals are, too."""
        i, name, body, word = STEP * depth, tried.name, tried.body, self.x(tried.word)
        needed = live(body, frozenset(locals_of(tried.word)), {}, NOTHING, NOTHING)
        words = sorted(needed & frozenset(n for s in statements(body) for n in sets(s)))
        mine = sorted(arrays(body) - set(self.program.memories))
        given = ", ".join(["S", *(f"{w}={w}" for w in words), *(f"{a}={a}[:]" for a in mine)])
        back = ", ".join([name, *tried.keeps])
        inner = STEP * (depth + 1)
        out = [f"{i}def trial({given}):", *(STEP * depth + line for line in self.memories(body))]
        out += [*self.body(body, depth + 1), f"{inner}return {', '.join([word, *tried.keeps])}"]
        if tried.counted:
            out += [f"{i}S.examined[0] += 1", f"{i}if S.examined[0] > {MAX_POSITIONS}: raise Failed"]
        out.append(f"{i}trying = S.copy()")
        return [*out, f"{i}try: {back} = trial(trying)", f"{i}except Finished: {name} = 0", f"{i}finally: S.fuel = trying.fuel"]

    def memories(self, body: Body) -> Lines:
        """What a body mentions of the position, as locals."""
        found = [m for m in sorted(arrays(body)) if m in self.program.memories and not self.program.memories[m].constant]
        out = [f"{STEP}{m} = S.{m}" for m in found]
        if any(isinstance(e, (op.Length, op.Element, op.Find, op.Rank)) for s in statements(body) for e in expressions(s)) or any(
            isinstance(s, (op.Each, op.Push, op.Insert, op.Remove, op.Truncate)) for s in statements(body)
        ):
            out.append(f"{STEP}Z = S.Z")
        if not self.alone and not _begins_offers(body) and any(isinstance(s, op.Offer) for s in statements(body)):
            out.append(f"{STEP}O, K = S.O, S.K")
        return out


def _begins_offers(body: Body) -> bool:
    """Does a body put down offers of its own before all others?"""
    first = next((s for s in body if any(isinstance(t, (op.Offer, op.NoOffers)) for t in statements((s,)))), None)
    return isinstance(first, op.NoOffers)


def read(body: Body) -> set[str]:
    """The locals that a body reads."""
    return {e.name for s in statements(body) for part in operands(s) for e in (part, *expressions(part)) if isinstance(e, Local)}


def arrays_of_values(values: tuple[Expression, ...]) -> set[str]:
    """The arrays that words are read from."""
    return {e.memory for v in values for e in (v, *expressions(v)) if isinstance(e, (op.Load, op.Holds))}


def kept(body: Body) -> set[str]:
    """The locals that frame maps name where somebody waits."""
    return {n for s in statements(body) if isinstance(s, (op.Wait, op.Enter)) for n in s.keeps}


def never_negative(body: Body, given: tuple[str, ...]) -> frozenset[str]:
    """Locals that only ever hold numbers from 0 on."""
    values: dict[str, list[Expression | None]] = {name: [None] for name in given}
    for s in statements(body):
        match s:
            case op.Set(name, value):
                values.setdefault(name, []).append(value)
            case op.For(name, low):
                values.setdefault(name, []).append(low)
            case _:
                for name in sets(s):
                    values.setdefault(name, []).append(None)
    found = frozenset(values)
    while True:
        now = frozenset(n for n in found if all(v is not None and counted(v, found) for v in values[n]))
        if now == found:
            return found
        found = now


def waits_for_others(body: Body) -> frozenset[int]:
    """Those who wait, by their identity, for what was put on offer elsewhere."""
    found: set[int] = set()
    for s in statements(body):
        if isinstance(s, (op.NoOffers, op.Memo)):
            break
        if isinstance(s, op.Wait):
            found.add(id(s))
    return frozenset(found)


def weighed(body: Body) -> frozenset[int]:
    """Statements that belong to offers with weights, by their identity: what makes them, and whoever waits for them.

    Offers begin where nothing is on offer any more. A statement that stands in several places has weights in all of them.
    """
    parts: list[list[op.Statement]] = [[]]
    for s in statements(body):
        if isinstance(s, op.NoOffers):
            parts.append([])
        if isinstance(s, (op.NoOffers, op.Offer, op.Wait)):
            parts[-1].append(s)
    found: set[int] = set()
    several = Const(SEVERAL)
    heavy = [any(isinstance(s, op.Offer) and s.weight != Const(1) or isinstance(s, op.Wait) and s.seat == several for s in part) for part in parts]
    while True:
        found = {id(s) for part, is_heavy in zip(parts, heavy, strict=True) if is_heavy for s in part}
        now = [any(id(s) in found for s in part) for part in parts]
        if now == heavy:
            return frozenset(found)
        heavy = now
