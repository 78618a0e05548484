"""Python back end, entry point: a core program as Python text, as a state machine.

In: a program after the passes of `prepare_python_steps`, cut into states. Out: text, the layout of frames,
the attributes of positions. A state is a function of the position `S` and the frame `F`; it returns the
function of the state to resume in, or None to wait. Arrays are lists that are attributes of the position; a
frame is a list: the number of its state, then locals and arrays. A state loads the locals it reads first from
the frame, and stores back those that it changed and that are live later.

Attributes of a position by one letter: `Z` zones, lists of components; `U` for each zone an int, whose bit i
is set if components i and i + 1 are in one unordered part; `O` the legal actions; `K` their weights or seats,
or None.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.operations import SEVERAL, Const
from croupier.core.types import CodeState, CoreProgram, Function, Memory
from croupier.core.walk import arrays, reads, sets, statements
from croupier.passes.liveness import Names, kept_in_frames, live_at_start
from croupier.passes.offers import ANY, offer_orders
from croupier.printers.python_code import (
    INDENT,
    Lines,
    PythonBodyPrinter,
    TooDeeplyNested,
)
from croupier.printers.python_iteration import ConstantRows, literal
from croupier.records import dataclass

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
def remove_component(S, z, c):
    held, u = S.Z[z], S.U[z]
    if u == UNORDERED[len(held)]:
        held.remove(c)
        S.U[z] = u >> 1
    else: remove(S, z, held.index(c))
def truncate(S, z, n):
    del S.Z[z][n:]
    S.U[z] &= (1 << n - 1) - 1 if n else 0
def set_unordered(S, z, i, v):
    S.U[z] = S.U[z] & ~(1 << i) | v << i
def sort_weighted(O, K):
    pairs = sorted(zip(O, K))
    return [a for a, _ in pairs], [k for _, k in pairs]
def sort(a, at, n, stride, keys):
    if stride == 1: a[at:at + n] = sorted(a[at:at + n])
    elif n > 1:
        rows = sorted([a[i:i + stride] for i in range(at, at + n * stride, stride)], key=lambda row: row[:keys])
        a[at:at + n * stride] = [w for row in rows for w in row]
"""  # noqa: E501 the text as it is read
MAX_MASKS = 1000  # components in all, above which masks are not tabulated
SLOTS = (
    "Z", "U", "O", "K", "frames", "seat", "chosen", "chosen_seat", "fuel", "failed", "search", "examined",
    "streams", "chance", "left", "rolls",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PythonFrameLayout:
    """Indices of locals and arrays in the frames of a function, and the sizes of the arrays."""

    words: dict[str, int]
    arrays: dict[str, int]
    sizes: dict[str, int]


@dataclass(frozen=True, slots=True)
class PythonSource:
    """A printed program: text, layouts of frames by function, attributes of positions."""

    text: str
    frames: dict[str, PythonFrameLayout]
    slots: tuple[str, ...]


def python_source(program: CoreProgram) -> PythonSource:
    """Print a program, after the passes."""
    return _ProgramPrinter(program).source()


def print_function(program: CoreProgram, f: Function, constants: ConstantRows) -> Lines:
    """Print a function that does not wait."""

    def control(s: op.Statement, depth: int) -> Lines:
        assert isinstance(s, op.Return), s
        return code.return_statement(tuple(map(code.value, s.values)), depth)

    before = tuple(p.name for p in f.parameters)
    code = PythonBodyPrinter(program, f, f.body, control, constants, before, f.memories)
    head = f"def f_{f.name}({', '.join(['S', *(p.name for p in f.parameters)])}):"
    return [head, *code.new_arrays(f.memories, f.body), *code.bind_memory(f.body), *code.block(f.body, 1)]


def functions_source(program: CoreProgram) -> str:
    """Print the functions of a program, which do not wait, and its tables.

    They work on positions of another text.
    """
    constants = ConstantRows("R")
    functions = [line for f in program.functions.values() for line in print_function(program, f, constants)]
    return "\n".join([*print_tables(program), *functions, *constants.lines()]) + "\n"


class _ProgramPrinter:
    """Prints one program."""

    def __init__(self, program: CoreProgram) -> None:
        self.program = program
        self.live = live_at_start(program)
        self.constants = ConstantRows("R")
        self.layouts = {f.name: self.layout(f) for f in program.functions.values() if f.waits}

    # ------------------------------------------------------------ frames
    def layout(self, f: Function) -> PythonFrameLayout:
        words, sizes = kept_in_frames(self.program, f, self.live)
        return PythonFrameLayout(
            {name: i for i, name in enumerate(words, 1)},
            {name: i for i, name in enumerate(sizes, 1 + len(words))},
            sizes,
        )

    # ------------------------------------------------------------ the whole text
    def source(self) -> PythonSource:
        """The whole text: helpers, tables, the class of positions, functions, states, the driver."""
        p = self.program
        changing = [m for m in p.memories.values() if not m.constant]
        slots = (*SLOTS, *(m.name for m in changing))
        out = ["LIMIT = 1 << 63", _print_masks(p), HEAD.rstrip(), *print_tables(p)]
        out += [*self.position_class(slots, changing), *self.initial_position(changing)]
        for name, layout in self.layouts.items():
            cells = [
                str(p.entries[name]),
                *["NONE"] * len(layout.words),
                *(f"[0] * {layout.sizes[a]}" for a in layout.arrays),
            ]
            out += [f"def frame_{name}(): return [{', '.join(cells)}]"]
        for f in p.functions.values():
            if not f.waits:
                out += print_function(p, f, self.constants)
        for state in p.states.values():
            out += _StatePrinter(p, self.layouts[state.function], self.live, self.constants, state).lines()
        out.append("STATES = {" + ", ".join(f"{n}: state_{n}" for n in p.states) + "}")
        out += [*self.driver(), *self.constants.lines()]
        return PythonSource("\n".join(out) + "\n", self.layouts, slots)

    def position_class(self, slots: tuple[str, ...], changing: list[Memory]) -> Lines:
        """The class of positions, with `copy`."""
        return [
            "class Position:",
            f"{INDENT}__slots__ = {list(slots)!r}",
            f"{INDENT}def copy(S):",
            f"{INDENT * 2}C = Position.__new__(Position)",
            *(f"{INDENT * 2}C.{m.name} = S.{m.name}[:]" for m in changing),
            f"{INDENT * 2}C.Z = [z[:] for z in S.Z]; C.U = S.U[:]; C.O = S.O; C.K = S.K",
            f"{INDENT * 2}C.frames = [[w[:] if w.__class__ is list else w for w in f] for f in S.frames]",
            f"{INDENT * 2}C.seat = S.seat; C.chosen = S.chosen; C.chosen_seat = S.chosen_seat; C.fuel = "
            f"S.fuel; C.failed = S.failed",
            f"{INDENT * 2}C.search = S.search; C.examined = S.examined",
            f"{INDENT * 2}return C",
        ]

    def initial_position(self, changing: list[Memory]) -> Lines:
        """`initial()`: the position before anything has run."""
        p = self.program
        return [
            "def initial():",
            f"{INDENT}S = Position.__new__(Position)",
            *(f"{INDENT}S.{m.name} = {literal(list(m.initial))}" for m in changing),
            f"{INDENT}S.Z = {[list(z) for z in p.zones.contents]!r}; S.U = {list(p.zones.loose)!r}; S.O = "
            f"[]; S.K = None",
            f"{INDENT}S.frames = [frame_{p.main}()]; S.seat = S.chosen = S.chosen_seat = 0; S.failed = "
            f"False; S.fuel = FUEL",
            f"{INDENT}S.search = None; S.examined = [0, FUEL]",
            f"{INDENT}return S",
        ]

    def driver(self) -> Lines:
        """`go(S)`, `begin()` and `apply(S, action, seat)`: run states until one waits, or the game ends."""
        p = self.program
        first = f"f_{p.start}(S)" if p.start is not None else "pass"
        parts: list[Function | CodeState] = [*p.functions.values(), *p.states.values()]
        searches = any(isinstance(s, (op.Try, op.Explore)) for part in parts for s in statements(part.body))
        ends = (
            f"{INDENT}except Finished: S.frames = []",
            f"{INDENT}except (Failed, RecursionError): S.frames, S.failed = [], True",
        )
        return [
            "def go(S):",
            f"{INDENT}f = STATES[S.frames[-1][0]]",
            f"{INDENT}while f is not None: f = f(S, S.frames[-1])",
            "def begin():",
            f"{INDENT}S = initial()",
            f"{INDENT}try:",
            f"{INDENT * 2}{first}",
            f"{INDENT * 2}go(S)",
            *ends,
            f"{INDENT}return S",
            "def apply(S, action, seat=0):",
            f"{INDENT}S.chosen = action; S.chosen_seat = seat; S.fuel = "
            f"FUEL{'; S.examined = [0, FUEL]' if searches else ''}",
            f"{INDENT}try:",
            f"{INDENT * 2}f = STATES[S.frames[-1][0]]",
            f"{INDENT * 2}while f is not None: f = f(S, S.frames[-1])",
            *ends,
        ]


def _print_masks(program: CoreProgram) -> str:
    """The table of masks of zones that are one unordered part, by length; masks that match no zone if the
    table would be too large.
    """
    where = program.memories.get("where")
    most = max(sum(map(len, program.zones.contents)), where.size if where is not None else 0)
    if most <= MAX_MASKS:
        return f"UNORDERED = [0] + [(1 << k) - 1 for k in range({most})]"
    return f"UNORDERED = [-1] * {most + 1}"


def print_tables(program: CoreProgram) -> Lines:
    """Print the constant tables of a program."""
    return [f"{m.name} = {literal(m.initial)}" for m in program.memories.values() if m.constant]


class _StatePrinter:
    """Prints a state, with the statements by which control leaves it: waits, jumps, entering and leaving
    functions.
    """

    def __init__(
        self,
        program: CoreProgram,
        layout: PythonFrameLayout,
        live: dict[int, Names],
        constants: ConstantRows,
        state: CodeState,
    ) -> None:
        self.program, self.layout, self.live, self.state = program, layout, live, state
        self.written = frozenset(n for s in statements(state.body) for n in sets(s))
        self.orders = offer_orders(state.body)
        f, before = program.functions[state.function], tuple(live[state.number])
        self.own = [m for m in f.memories if m.name not in layout.arrays]
        self.code = PythonBodyPrinter(program, f, state.body, self.statement, constants, before, self.own)

    def lines(self) -> Lines:
        body, layout, used = self.state.body, self.layout, arrays(self.state.body)
        loaded = self.live[self.state.number] & self.written.union(*map(reads, statements(body)))
        return [
            f"def state_{self.state.number}(S, F):",
            *(f"{INDENT}{n} = F[{layout.words[n]}]" for n in sorted(loaded)),
            *(f"{INDENT}{n} = F[{at}]" for n, at in layout.arrays.items() if n in used),
            *self.code.new_arrays(self.own, body),
            *self.code.bind_memory(body),
            *self.code.block(body, 1),
        ]

    def store_live(self, state: int, keeps: tuple[str, ...], i: str) -> Lines:
        """Store to the frame the locals that are live in a state, or that frame maps name, and that this
        state may have changed.
        """
        return [
            f"{i}F[{self.layout.words[n]}] = {n}"
            for n in sorted((self.live[state] | set(keeps)) & self.written)
        ]

    def statement(self, s: op.Statement, depth: int) -> Lines:
        i = INDENT * depth
        match s:
            case op.Wait(seat, next=state, keeps=keeps):
                out = (
                    self.code.sort_offers(s, self.orders.get(id(s), ANY), i) if seat != Const(SEVERAL) else []
                )
                return [
                    *out,
                    f"{i}S.seat = {self.code.value(seat)}",
                    *self.store_live(state, keeps, i),
                    f"{i}F[0] = {state}",
                    f"{i}return",
                ]
            case op.Enter(function, next=state, keeps=keeps):
                entry = self.program.entries[function]
                return [
                    *self.store_live(state, keeps, i),
                    f"{i}F[0] = {state}",
                    f"{i}S.frames.append(frame_{function}())",
                    f"{i}return state_{entry}",
                ]
            case op.Leave():
                return [f"{i}S.frames.pop()", f"{i}return STATES[S.frames[-1][0]]"]
            case op.Goto(state):
                return [*self.store_live(state, (), i), f"{i}return state_{state}"]
            case op.Explore(name, _, number, within, state):
                return [
                    *self.store_live(state, (), i),
                    f"{i}{name} = EXPLORE(S, {number}, {within}, {state})",
                ]
            case op.DeadEnd():
                return [f"{i}raise DeadEnd"]
            case op.Reached(number):
                return [f"{i}if S.search == (len(S.frames), {number}): raise Reached"]
        raise AssertionError(s)


__all__ = [
    "PythonFrameLayout",
    "PythonSource",
    "TooDeeplyNested",
    "functions_source",
    "print_function",
    "python_source",
    "print_tables",
]
