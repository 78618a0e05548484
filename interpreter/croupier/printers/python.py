"""The core as Python. A state is a function of the position `S` and the frame `F`, which gives the state to go on in, or none to wait.

Memory is lists that hang on the position, zones are lists of components with a number whose bits say what is unordered, a frame is a list: the
state it goes on in, then its words and arrays. What a state reads first it takes out of the frame, what is needed later it puts back.
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier.core import operations as op
from croupier.core.operations import Body, Const, Expression, Local
from croupier.core.types import Function, Program, State
from croupier.core.walk import expressions, locals_of, operands, statements
from croupier.passes.liveness import NOTHING, Names, live, live_at_start

SIGNS = {op.Add: "+", op.Sub: "-", op.Div: "//", op.Mod: "%", op.Eq: "==", op.Lt: "<", op.Le: "<="}
BITS = {"and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>"}
STEP = "    "
MOST_LOOPS = 16  # in each other: CPython takes 20
HEAD = """\
class Failed(Exception): pass
class Finished(Exception): pass
class DeadEnd(Exception): pass
class Reached(Exception): pass
def product(a, b):
    p = a * b
    if not -LIMIT <= p < LIMIT: raise Failed
    return p
def insert(S, z, i, c):
    S.Z[z].insert(i, c)
    u = S.U[z]
    if u: S.U[z] = u & ((1 << i) - 1) | u >> i << i + 1
def remove(S, z, i):
    del S.Z[z][i]
    u = S.U[z]
    if u: S.U[z] = u & ((1 << i - 1) - 1 if i else 0) | ((u >> i & u >> i - 1 & 1) << i - 1 if i else 0) | u >> i + 1 << i
def truncate(S, z, n):
    del S.Z[z][n:]
    S.U[z] &= (1 << n - 1) - 1 if n else 0
def loosen(S, z, i, v):
    S.U[z] = S.U[z] & ~(1 << i) | v << i
def sort(a, at, n, stride, keys):
    if stride == 1: a[at:at + n] = sorted(a[at:at + n])
    elif n > 1:
        rows = sorted([a[i:i + stride] for i in range(at, at + n * stride, stride)], key=lambda row: row[:keys])
        a[at:at + n * stride] = [w for row in rows for w in row]
"""


class TooDeep(Exception):
    """Loops in each other that Python does not take."""


@dataclass(frozen=True, slots=True)
class FrameLayout:
    """Where words and arrays lie in the frames of a function, and how many entries a frame has."""

    words: dict[str, int]
    arrays: dict[str, int]
    sizes: dict[str, int]


@dataclass(frozen=True, slots=True)
class Source:
    """A program as Python: its text, and the layout of its frames by function."""

    text: str
    frames: dict[str, FrameLayout]


def python_source(program: Program) -> Source:
    """The program as Python; it went through the passes."""
    return _Printer(program).source()


class _Printer:
    """Prints one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.live = live_at_start(program)
        self.layouts = {f.name: self.layout(f) for f in program.functions.values() if f.waits}
        self.state: State | None = None
        self.f: Function | None = None
        self.weighed = False
        self.loops = 0
        self.deep = False  # inside of a function that is part of another
        self.set_in_all: list[str] = []
        self.written: Names = frozenset()

    # ------------------------------------------------------------ frames
    def layout(self, f: Function) -> FrameLayout:
        states = [s for s in self.program.states.values() if s.function == f.name]
        words = sorted({name for s in states for name in self.live[s.number]} | {n for s in states for n in _kept(s.body)})
        sizes = {m.name: m.size for m in f.memories} | {p.name: p.size for p in f.parameters if p.size is not None}
        used = [_arrays(s.body) for s in states]
        arrays = [name for name in sizes if sum(name in u for u in used) > 1 or not name.partition("_")[2]]
        return FrameLayout(
            {name: 1 + i for i, name in enumerate(words)}, {name: 1 + len(words) + i for i, name in enumerate(arrays)}, {a: sizes[a] for a in arrays}
        )

    # ------------------------------------------------------------ expressions
    def x(self, e: Expression) -> str:
        match e:
            case Const(value):
                return "NONE" if value == op.NONE else str(value) if value >= 0 else f"({value})"
            case Local(name):
                return name
            case op.Load(memory, index):
                return f"{memory}[{self.x(index)}]"
            case op.Length(zone):
                return f"len(Z[{self.x(zone)}])"
            case op.Element(zone, index):
                return f"Z[{self.x(zone)}][{self.x(index)}]"
            case op.Loose(zone, index):
                return f"(S.U[{self.x(zone)}] >> {self.x(index)} & 1)"
            case op.Find(zone, value):
                return f"Z[{self.x(zone)}].index({self.x(value)})"
            case op.Chosen():
                return "S.chosen"
            case op.ChosenSeat():
                return "S.chosen_seat"
            case op.Searching():
                return "(S.search is not None)"
            case op.Mul(a, b):
                return f"{self.x(a)} * {self.x(b)}" if isinstance(b, Const) and abs(b.value) < 1 << 9 else f"product({self.x(a)}, {self.x(b)})"
            case op.And(a, b):
                return f"({self.x(a)} and {self.x(b)})"
            case op.Or(a, b):
                return f"({self.x(a)} or {self.x(b)})"
            case op.Not(op.Eq(a, b)):
                return f"({self.x(a)} != {self.x(b)})"
            case op.Not(a):
                return f"(not {self.x(a)})"
            case op.Select(test, a, b):
                return f"({self.x(a)} if {self.x(test)} else {self.x(b)})"
            case op.Bits(kind, a, b):
                return f"({self.x(a)} {BITS[kind]} {self.x(b)})"
            case op.CountBits(a):
                return f"({self.x(a)}).bit_count()"
            case op.LowBit(a):
                return f"(({self.x(a)} & -{self.x(a)}).bit_length() - 1)"
            case op.Add(a, b) | op.Sub(a, b) | op.Div(a, b) | op.Mod(a, b) | op.Eq(a, b) | op.Lt(a, b) | op.Le(a, b):
                return f"({self.x(a)} {SIGNS[type(e)]} {self.x(b)})"
        raise AssertionError(e)

    def test(self, e: Expression) -> str:
        match e:  # a test compared with 1 is the test
            case op.Eq(a, Const(1)) if isinstance(a, (op.Eq, op.Lt, op.Le, op.And, op.Or, op.Not)):
                return self.x(a)
        return self.x(e)

    # ------------------------------------------------------------ statements
    def body(self, body: Body, depth: int) -> list[str]:
        out: list[str] = []
        for s in body:
            out += self.statement(s, depth)
        return out

    def block(self, body: Body, depth: int) -> list[str]:
        return self.body(body, depth) or [STEP * depth + "pass"]

    def statement(self, s: op.Statement, depth: int) -> list[str]:
        i, x = STEP * depth, self.x
        match s:
            case op.Set(name, value):
                return [f"{i}{name} = {x(value)}"]
            case op.Store(memory, index, value):
                return [f"{i}{memory}[{x(index)}] = {x(value)}"]
            case op.Copy(target, at, source, begin, Const(count)) if count <= 1:
                return [f"{i}{target}[{x(at)}] = {source}[{x(begin)}]"] if count else []
            case op.Copy(target, at, source, begin, count):
                a, b, n = x(at), x(begin), x(count)
                return [f"{i}{target}[{a}:{a} + {n}] = {source}[{b}:{b} + {n}]"]
            case op.Sort(memory, at, count, stride, keys):
                return [f"{i}sort({memory}, {x(at)}, {x(count)}, {stride}, {keys})"]
            case op.Push(zone, value):
                return [f"{i}Z[{x(zone)}].append({x(value)})"]
            case op.Insert(zone, index, value):
                return [f"{i}insert(S, {x(zone)}, {x(index)}, {x(value)})"]
            case op.Remove(zone, index):
                return [f"{i}remove(S, {x(zone)}, {x(index)})"]
            case op.Truncate(zone, length):
                return [f"{i}truncate(S, {x(zone)}, {x(length)})"]
            case op.Loosen(zone, index, value):
                return [f"{i}loosen(S, {x(zone)}, {x(index)}, {x(value)})"]
            case op.Loop(body) | op.For(body=body) | op.Each(body=body) if self.loops >= MOST_LOOPS:
                return self.apart(s, body, depth)
            case op.If(test, then, otherwise):
                return self.branch("if", test, then, otherwise, depth)
            case op.Loop(body):
                return [f"{i}while True:", *self.looped(body, depth + 1)]
            case op.For(name, Const(0), high, body):
                return [f"{i}for {name} in range({x(high)}):", *self.looped(body, depth + 1)]
            case op.For(name, low, high, body):
                return [f"{i}for {name} in range({x(low)}, {x(high)}):", *self.looped(body, depth + 1)]
            case op.Each(name, zone, body):
                return [f"{i}for {name} in Z[{x(zone)}]:", *self.looped(body, depth + 1)]
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
                to = "".join(f"{r}, " for r in results)[:-2]
                takes = self.program.functions[function].parameters
                given = ", ".join(["S", *(self.argument(a, p.size) for a, p in zip(arguments, takes, strict=True))])
                return [f"{i}{to + ' = ' if to else ''}f_{function}({given})"]
            case op.Return(values):
                given = ", ".join(map(x, values))
                return [f"{i}return (({given or 'None'}),)"] if self.deep else [f"{i}return {given}".rstrip()]
            case op.Guard(test):
                return [f"{i}if not {self.test(test)}: raise Failed"]
            case op.Pay(steps):
                return [f"{i}S.fuel -= {x(steps)}", f"{i}if S.fuel < 0: raise Failed"]
            case op.NoOffers():
                return [f"{i}O = S.O = []", *([f"{i}K = S.K = []"] if self.weighed else [f"{i}S.K = None"])]
            case op.Offer(action, weight):
                return [f"{i}O.append({x(action)})", *([f"{i}K.append({x(weight)})"] if self.weighed else [])]
            case op.Wait(seat, next=state, keeps=keeps):
                return [f"{i}S.seat = {x(seat)}", *self.keep(state, keeps, i), f"{i}F[0] = {state}", f"{i}return"]
            case op.Enter(function, next=state, keeps=keeps):
                entry = self.program.entries[function]
                return [*self.keep(state, keeps, i), f"{i}F[0] = {state}", f"{i}S.frames.append(frame_{function}())", f"{i}return state_{entry}"]
            case op.Leave():
                return [f"{i}S.frames.pop()", f"{i}return STATES[S.frames[-1][0]]"]
            case op.Goto(state):
                return [*self.keep(state, (), i), f"{i}return state_{state}"]
            case op.Finish():
                return [f"{i}raise Finished"]
            case op.Fail():
                return [f"{i}raise Failed"]
            case op.Explore(name, _, number, within, state):
                return [*self.keep(state, (), i), f"{i}{name} = EXPLORE(S, {number}, {within}, {state})"]
            case op.DeadEnd():
                return [f"{i}raise DeadEnd"]
            case op.Reached(number):
                return [f"{i}if S.search == (len(S.frames), {number}): raise Reached"]
            case op.Try(name, body, test):
                return self.trial(name, body, test, depth)
        raise AssertionError(s)

    def looped(self, body: Body, depth: int) -> list[str]:
        self.loops += 1
        out = self.block(body, depth)
        self.loops -= 1
        return out

    def apart(self, s: op.Statement, body: Body, depth: int) -> list[str]:
        """A loop inside of as many as Python takes: a function of its own, which sets the locals of the one around it."""
        if any(isinstance(inner, (op.Goto, op.Wait, op.Enter, op.Leave)) for inner in statements(body)):
            raise TooDeep
        held, self.loops, deep, self.deep = self.loops, 0, self.deep, True
        inside = [n for inner in statements((s,)) for n in _sets(inner)]
        shared = sorted({n for n in inside if self.set_in_all.count(n) > inside.count(n)})
        i = STEP * depth
        out = [f"{i}def deep():", *([f"{i}{STEP}nonlocal {', '.join(shared)}"] if shared else []), *self.statement(s, depth + 1)]
        self.loops, self.deep = held, deep
        out += [f"{i}ended = deep()", f"{i}if ended is not None: return {'ended' if deep else 'ended[0]'}"]
        return out

    def branch(self, word: str, test: Expression, then: Body, otherwise: Body, depth: int) -> list[str]:
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
        if a.at == Const(0):
            return a.memory
        at = self.x(a.at)
        return f"{a.memory}[{at}:{at} + {size}]"

    def trial(self, name: str, body: Body, test: Expression, depth: int) -> list[str]:
        """What is tried is a function of its own, so that its locals are, too."""
        i = STEP * depth
        needed = live(body, frozenset(locals_of(test)), {}, NOTHING, NOTHING)
        words = sorted(needed & frozenset(n for s in statements(body) for n in _sets(s)))
        arrays = sorted(_arrays(body) - set(self.program.memories))
        given = ", ".join(["S", *(f"{w}={w}" for w in words), *(f"{a}={a}[:]" for a in arrays)])
        inner = STEP * (depth + 1)
        out = [f"{i}def trial({given}):", *(STEP * depth + line for line in self.memories(body))]
        out += [*self.body(body, depth + 1), f"{inner}return 1 if {self.test(test)} else 0"]
        return [*out, f"{i}try: {name} = trial(S.copy())", f"{i}except Finished: {name} = 0"]

    def keep(self, state: int, keeps: tuple[str, ...], i: str) -> list[str]:
        """What is needed later goes back to the frame, if it may have changed."""
        assert self.state is not None
        layout = self.layouts[self.state.function]
        return [f"{i}F[{layout.words[n]}] = {n}" for n in sorted((self.live[state] | set(keeps)) & self.written)]

    # ------------------------------------------------------------ functions and states
    def memories(self, body: Body) -> list[str]:
        """The arrays of the position that a body mentions, as locals."""
        found = [m for m in sorted(_arrays(body)) if m in self.program.memories and not self.program.memories[m].constant]
        out = [f"{STEP}{m} = S.{m}" for m in found]
        if any(isinstance(e, (op.Length, op.Element, op.Find)) for s in statements(body) for e in expressions(s)) or any(
            isinstance(s, (op.Each, op.Push)) for s in statements(body)
        ):
            out.append(f"{STEP}Z = S.Z")
        return out

    def function(self, f: Function) -> list[str]:
        self.f, self.state = f, None
        self.weighed = _weighs(f.body)
        self.set_in_all = [n for s in statements(f.body) for n in _sets(s)] + [p.name for p in f.parameters]
        head = f"def f_{f.name}({', '.join(['S', *(p.name for p in f.parameters)])}):"
        arrays = [f"{STEP}{m.name} = [0] * {m.size}" for m in f.memories]
        return [head, *arrays, *self.memories(f.body), *self.block(f.body, 1)]

    def one_state(self, state: State) -> list[str]:
        self.state = state
        self.weighed = _weighs(state.body)
        self.set_in_all = [n for s in statements(state.body) for n in _sets(s)] + list(self.live[state.number])
        layout = self.layouts[state.function]
        f = self.program.functions[state.function]
        here = self.live[state.number]
        mentioned = _arrays(state.body)
        self.written = frozenset(n for s in statements(state.body) for n in _sets(s))
        out = [f"def state_{state.number}(S, F):"]
        out += [f"{STEP}{n} = F[{layout.words[n]}]" for n in sorted(here & (self.written | _read(state.body)))]
        out += [f"{STEP}{n} = F[{at}]" for n, at in layout.arrays.items() if n in mentioned]
        out += [f"{STEP}{m.name} = [0] * {m.size}" for m in f.memories if m.name in mentioned and m.name not in layout.arrays]
        if any(isinstance(s, op.Offer) for s in statements(state.body)):
            out.append(f"{STEP}O, K = S.O, S.K")
        return [*out, *self.memories(state.body), *self.block(state.body, 1)]

    def source(self) -> Source:
        p = self.program
        out = [f"NONE, LIMIT = {op.NONE}, 1 << 63", HEAD.rstrip()]
        out += [f"{m.name} = {m.initial!r}" for m in p.memories.values() if m.constant]
        changing = [m for m in p.memories.values() if not m.constant]
        slots = ["Z", "U", "O", "K", "frames", "seat", "chosen", "chosen_seat", "fuel", "failed", "search", "examined", *(m.name for m in changing)]
        out += ["class Position:", f"{STEP}__slots__ = {slots!r}", f"{STEP}def copy(S):", f"{STEP * 2}C = Position.__new__(Position)"]
        out += [f"{STEP * 2}C.{m.name} = S.{m.name}[:]" for m in changing]
        out += [
            f"{STEP * 2}C.Z = [z[:] for z in S.Z]; C.U = S.U[:]; C.O = S.O; C.K = S.K",
            f"{STEP * 2}C.frames = [[w[:] if w.__class__ is list else w for w in f] for f in S.frames]",
            f"{STEP * 2}C.seat = S.seat; C.chosen = S.chosen; C.chosen_seat = S.chosen_seat; C.fuel = S.fuel; C.failed = S.failed",
            f"{STEP * 2}C.search = S.search; C.examined = S.examined",
            f"{STEP * 2}return C",
            "def initial():",
            f"{STEP}S = Position.__new__(Position)",
            *(f"{STEP}S.{m.name} = {list(m.initial)!r}" for m in changing),
            f"{STEP}S.Z = {[list(z) for z in p.zones.contents]!r}; S.U = {list(p.zones.loose)!r}; S.O = []; S.K = None",
            f"{STEP}S.frames = [frame_{p.main}()]; S.seat = S.chosen = S.chosen_seat = 0; S.failed = False; S.fuel = FUEL",
            f"{STEP}S.search = None; S.examined = [0]",
            f"{STEP}return S",
        ]
        for name, layout in self.layouts.items():
            cells = [str(p.entries[name]), *["NONE"] * len(layout.words), *(f"[0] * {layout.sizes[a]}" for a in layout.arrays)]
            out += [f"def frame_{name}(): return [{', '.join(cells)}]"]
        for f in p.functions.values():
            if not f.waits:
                out += self.function(f)
        for state in p.states.values():
            out += self.one_state(state)
        out.append("STATES = {" + ", ".join(f"{n}: state_{n}" for n in p.states) + "}")
        first = f"f_{p.start}(S)" if p.start is not None else "pass"
        out += [
            "def go(S):",
            f"{STEP}f = STATES[S.frames[-1][0]]",
            f"{STEP}while f is not None: f = f(S, S.frames[-1])",
            "def run(S):",
            f"{STEP}try: go(S)",
            f"{STEP}except Finished: S.frames = []",
            f"{STEP}except (Failed, RecursionError): S.frames, S.failed = [], True",
            "def begin():",
            f"{STEP}S = initial()",
            f"{STEP}try: {first}",
            f"{STEP}except Finished: S.frames = []; return S",
            f"{STEP}except (Failed, RecursionError): S.frames, S.failed = [], True; return S",
            f"{STEP}run(S)",
            f"{STEP}return S",
            "def apply(S, action, seat=0):",
            f"{STEP}S.chosen = action; S.chosen_seat = seat; S.fuel = FUEL; S.examined = [0]",
            f"{STEP}run(S)",
        ]
        return Source("\n".join(out) + "\n", self.layouts)

def _arrays(body: Body) -> set[str]:
    """The arrays that a body mentions."""
    found: set[str] = set()
    for s in statements(body):
        match s:
            case op.Store(memory) | op.Sort(memory):
                found.add(memory)
            case op.Copy(target, _, source):
                found |= {target, source}
            case op.Call(arguments=arguments) | op.Enter(arguments=arguments):
                found |= {a.memory for a in arguments if isinstance(a, op.Array)}
        found |= {e.memory for e in expressions(s) if isinstance(e, op.Load)}
    return found


def _sets(s: op.Statement) -> tuple[str, ...]:
    match s:
        case op.Set(name) | op.For(name) | op.Each(name) | op.Try(name) | op.Explore(name):
            return (name,)
        case op.Call(results=results):
            return results
    return ()


def _read(body: Body) -> set[str]:
    return {e.name for s in statements(body) for part in operands(s) for e in (part, *expressions(part)) if isinstance(e, Local)}


def _kept(body: Body) -> set[str]:
    return {n for s in statements(body) if isinstance(s, (op.Wait, op.Enter)) for n in s.keeps}


def _weighs(body: Body) -> bool:
    return any(isinstance(s, op.Offer) and s.weight != Const(1) for s in statements(body))
