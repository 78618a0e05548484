"""The core as Python. A state is a function of the position `S` and the frame `F`, which gives the state to go on in, or none to wait.

Memory is lists that hang on the position, zones are lists of components with a number whose bits say what is unordered, a frame is a list: the
state it goes on in, then its words and arrays. What a state reads first it takes out of the frame, what is needed later it puts back.
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier.core import operations as op
from croupier.core.operations import SEVERAL, Const
from croupier.core.types import CodeState, CoreProgram, Function, Memory
from croupier.core.walk import arrays, sets, statements
from croupier.passes.lists import growing_lists
from croupier.passes.liveness import Names, live_at_start
from croupier.passes.offers import ANY, offer_orders
from croupier.printers.python_code import STEP, Lines, PythonCode, TooDeep, kept, read
from croupier.printers.python_iteration import Constants, shown

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
    if not u & u + 1: S.U[z] = u >> 1 if i <= u.bit_length() else u
    else: S.U[z] = u & ((1 << i - 1) - 1 if i else 0) | ((u >> i & u >> i - 1 & 1) << i - 1 if i else 0) | u >> i + 1 << i
def taken(S, z, c):
    held, u = S.Z[z], S.U[z]
    if u == LOOSE[len(held)]:
        held.remove(c)
        S.U[z] = u >> 1
    else: remove(S, z, held.index(c))
def truncate(S, z, n):
    del S.Z[z][n:]
    S.U[z] &= (1 << n - 1) - 1 if n else 0
def loosen(S, z, i, v):
    S.U[z] = S.U[z] & ~(1 << i) | v << i
def in_order(O, K):
    pairs = sorted(zip(O, K))
    return [a for a, _ in pairs], [k for _, k in pairs]
def sort(a, at, n, stride, keys):
    if stride == 1: a[at:at + n] = sorted(a[at:at + n])
    elif n > 1:
        rows = sorted([a[i:i + stride] for i in range(at, at + n * stride, stride)], key=lambda row: row[:keys])
        a[at:at + n * stride] = [w for row in rows for w in row]
"""
MOST_LOOSE = 1000  # components whose bits are kept by their number
SLOTS = (
    "Z", "U", "O", "K", "frames", "seat", "chosen", "chosen_seat", "fuel", "failed", "search", "examined", "streams", "chance", "left", "rolls",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PythonFrame:
    """Where words and arrays lie in the frames of a function, and how many entries a frame has."""

    words: dict[str, int]
    arrays: dict[str, int]
    sizes: dict[str, int]


@dataclass(frozen=True, slots=True)
class PythonSource:
    """A program as Python: its text, the layout of its frames by function, the attributes of its positions."""

    text: str
    frames: dict[str, PythonFrame]
    slots: tuple[str, ...]


def python_source(program: CoreProgram) -> PythonSource:
    """The program as Python; it went through the passes."""
    return _Printer(program).source()


def plain_function(program: CoreProgram, f: Function, constants: Constants) -> Lines:
    """A function in which nobody waits."""

    def control(s: op.Statement, depth: int) -> Lines:
        assert isinstance(s, op.Return), s
        return code.returned(tuple(map(code.x, s.values)), depth)

    taken = tuple(Memory(p.name, p.size) for p in f.parameters if p.size is not None)
    before, lists = tuple(p.name for p in f.parameters), growing_lists(program, f.body, f.memories)
    code = PythonCode(program, f.body, control, constants, set_before=before, memories=(*f.memories, *taken), lists=lists)
    head = f"def f_{f.name}({', '.join(['S', *(p.name for p in f.parameters)])}):"
    return [head, *(code.made(m) for m in f.memories), *code.memories(f.body), *code.block(f.body, 1)]


class _Printer:
    """Prints one program."""

    def __init__(self, program: CoreProgram) -> None:
        self.program = program
        self.live = live_at_start(program)
        self.constants = Constants("R")
        self.layouts = {f.name: self.layout(f) for f in program.functions.values() if f.waits}

    # ------------------------------------------------------------ frames
    def layout(self, f: Function) -> PythonFrame:
        states = [s for s in self.program.states.values() if s.function == f.name]
        words = sorted({name for s in states for name in self.live[s.number]} | {n for s in states for n in kept(s.body)})
        sizes = {m.name: m.size for m in f.memories} | {p.name: p.size for p in f.parameters if p.size is not None}
        used = [arrays(s.body) for s in states]
        held = [name for name in sizes if sum(name in u for u in used) > 1 or not name.partition("_")[2]]
        return PythonFrame(
            {name: 1 + i for i, name in enumerate(words)}, {name: 1 + len(words) + i for i, name in enumerate(held)}, {a: sizes[a] for a in held}
        )

    def one_state(self, state: CodeState) -> Lines:
        control = _Control(self.program, self.layouts[state.function], self.live, state)
        layout = self.layouts[state.function]
        f = self.program.functions[state.function]
        taken = tuple(Memory(p.name, p.size) for p in f.parameters if p.size is not None)
        before = tuple(self.live[state.number])
        mine = [m for m in f.memories if m.name not in layout.arrays]
        lists = growing_lists(self.program, state.body, mine)
        code = PythonCode(self.program, state.body, control.statement, self.constants, set_before=before, memories=(*f.memories, *taken), lists=lists)
        control.code = code
        mentioned = arrays(state.body)
        out = [f"def state_{state.number}(S, F):"]
        out += [f"{STEP}{n} = F[{layout.words[n]}]" for n in sorted(self.live[state.number] & (control.written | read(state.body)))]
        out += [f"{STEP}{n} = F[{at}]" for n, at in layout.arrays.items() if n in mentioned]
        out += [code.made(m) for m in f.memories if m.name in mentioned and m.name not in layout.arrays]
        return [*out, *code.memories(state.body), *code.block(state.body, 1)]

    def source(self) -> PythonSource:
        p = self.program
        out = ["LIMIT = 1 << 63", _all_loose(p), HEAD.rstrip(), *tables(p)]
        changing = [m for m in p.memories.values() if not m.constant]
        slots = [*SLOTS, *(m.name for m in changing)]
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
            *(f"{STEP}S.{m.name} = {shown(list(m.initial))}" for m in changing),
            f"{STEP}S.Z = {[list(z) for z in p.zones.contents]!r}; S.U = {list(p.zones.loose)!r}; S.O = []; S.K = None",
            f"{STEP}S.frames = [frame_{p.main}()]; S.seat = S.chosen = S.chosen_seat = 0; S.failed = False; S.fuel = FUEL",
            f"{STEP}S.search = None; S.examined = [0, FUEL]",
            f"{STEP}return S",
        ]
        for name, layout in self.layouts.items():
            cells = [str(p.entries[name]), *["NONE"] * len(layout.words), *(f"[0] * {layout.sizes[a]}" for a in layout.arrays)]
            out += [f"def frame_{name}(): return [{', '.join(cells)}]"]
        for f in p.functions.values():
            if not f.waits:
                out += plain_function(p, f, self.constants)
        for state in p.states.values():
            out += self.one_state(state)
        out.append("STATES = {" + ", ".join(f"{n}: state_{n}" for n in p.states) + "}")
        first = f"f_{p.start}(S)" if p.start is not None else "pass"
        everything: list[Function | CodeState] = [*p.functions.values(), *p.states.values()]
        looks = any(isinstance(s, (op.Try, op.Explore)) for part in everything for s in statements(part.body))
        ends = (f"{STEP}except Finished: S.frames = []", f"{STEP}except (Failed, RecursionError): S.frames, S.failed = [], True")
        out += [
            "def go(S):",
            f"{STEP}f = STATES[S.frames[-1][0]]",
            f"{STEP}while f is not None: f = f(S, S.frames[-1])",
            "def begin():",
            f"{STEP}S = initial()",
            f"{STEP}try:",
            f"{STEP * 2}{first}",
            f"{STEP * 2}go(S)",
            *ends,
            f"{STEP}return S",
            "def apply(S, action, seat=0):",
            f"{STEP}S.chosen = action; S.chosen_seat = seat; S.fuel = FUEL{'; S.examined = [0, FUEL]' if looks else ''}",
            f"{STEP}try:",
            f"{STEP * 2}f = STATES[S.frames[-1][0]]",
            f"{STEP * 2}while f is not None: f = f(S, S.frames[-1])",
            *ends,
        ]
        out += self.constants.lines()
        return PythonSource("\n".join(out) + "\n", self.layouts, tuple(slots))


def _all_loose(program: CoreProgram) -> str:
    """The bits of a zone in which all that lies is one unordered part, by how much that is; none are alike where those would be too many."""
    where = program.memories.get("where")
    most = max(sum(map(len, program.zones.contents)), where.size if where is not None else 0)
    return f"LOOSE = [0] + [(1 << k) - 1 for k in range({most})]" if most <= MOST_LOOSE else f"LOOSE = [-1] * {most + 1}"


def tables(program: CoreProgram) -> Lines:
    """The tables of a program."""
    return [f"{m.name} = {shown(m.initial)}" for m in program.memories.values() if m.constant]


class _Control:
    """How control leaves a state: to another one, into a function that is entered, out of one, or to whoever chooses."""

    def __init__(self, program: CoreProgram, layout: PythonFrame, live: dict[int, Names], state: CodeState) -> None:
        self.program, self.layout, self.live = program, layout, live
        self.written = frozenset(n for s in statements(state.body) for n in sets(s))
        self.orders = offer_orders(state.body)
        self.code: PythonCode | None = None

    def keep(self, state: int, keeps: tuple[str, ...], i: str) -> Lines:
        """What is needed later goes back to the frame, if it may have changed."""
        return [f"{i}F[{self.layout.words[n]}] = {n}" for n in sorted((self.live[state] | set(keeps)) & self.written)]

    def statement(self, s: op.Statement, depth: int) -> Lines:
        i = STEP * depth
        assert self.code is not None
        match s:
            case op.Wait(seat, next=state, keeps=keeps):
                out = self.code.in_order(s, self.orders.get(id(s), ANY), i) if seat != Const(SEVERAL) else []
                return [*out, f"{i}S.seat = {self.code.x(seat)}", *self.keep(state, keeps, i), f"{i}F[0] = {state}", f"{i}return"]
            case op.Enter(function, next=state, keeps=keeps):
                entry = self.program.entries[function]
                return [*self.keep(state, keeps, i), f"{i}F[0] = {state}", f"{i}S.frames.append(frame_{function}())", f"{i}return state_{entry}"]
            case op.Leave():
                return [f"{i}S.frames.pop()", f"{i}return STATES[S.frames[-1][0]]"]
            case op.Goto(state):
                return [*self.keep(state, (), i), f"{i}return state_{state}"]
            case op.Explore(name, _, number, within, state):
                return [*self.keep(state, (), i), f"{i}{name} = EXPLORE(S, {number}, {within}, {state})"]
            case op.DeadEnd():
                return [f"{i}raise DeadEnd"]
            case op.Reached(number):
                return [f"{i}if S.search == (len(S.frames), {number}): raise Reached"]
        raise AssertionError(s)


__all__ = ["PythonFrame", "PythonSource", "TooDeep", "plain_function", "python_source", "tables"]
