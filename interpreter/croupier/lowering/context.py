"""The state of one lowering: the game, the core program, and the function being written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field

from croupier.core import operations as op
from croupier.core.builder import Writer, add, const, eq, is_none, mul
from croupier.core.operations import Const, Expression, Local
from croupier.core.types import CoreProgram, Function, FunctionParameter, Memory
from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.tree import TypedExpr, TypedStmt
from croupier.lowering.grades import GradeTemplate
from croupier.lowering.positions import FrameMap, Stored, Where
from croupier.lowering.shapes import (
    Fields,
    Items,
    Maybe,
    NotLowered,
    Shape,
    TableShape,
    Texts,
    Word,
    encoded,
    fitted,
    optional,
    shape_of,
    width,
)
from croupier.records import dataclass
from croupier.runtime.game import Game, Value
from croupier.semantics.procedures import Hook, Proc

MARK = "mark"  # the local that holds the number of the statement that runs, in a program with marks
MOST_WORDS = 8  # of an element that is put at the end of a list word by word


@dataclass(frozen=True, slots=True)
class Ref:
    """A value of several words: array, index and shape."""

    memory: str
    at: Expression
    shape: Shape


Operand = Expression | Ref


def as_word(v: Operand) -> Expression:
    """An operand that is one word."""
    assert not isinstance(v, Ref), v
    return v


@dataclass(frozen=True, slots=True)
class MarkedStatement:
    """A statement that has a number in a program with marks: the definition or phase that it is in, and its
    place.
    """

    rule: str
    span: Span


@dataclass(slots=True)
class Trial:
    """A `so that` block, lowered as a function: the loops and exits around it, and how it is left early."""

    loops: int
    exits: int
    left: str  # the local that says which way it was left, from 1; 0: at its end
    # how whoever does it goes on, and the value that needs
    ways: list[tuple[Callable[[], None], Operand | None]] = field(default_factory=list)


@dataclass(slots=True)
class Body:
    """The function being written."""

    w: Writer
    proc: Proc | None  # `None`: a function of the prelude
    env: dict[int, Operand] = field(default_factory=dict)
    waits: bool = False
    leave: Callable[[Operand | None], None] | None = None  # how it returns
    # what is done when blocks are left early, outermost first
    exits: list[Callable[[], None]] = field(default_factory=list)
    loops: list[int] = field(default_factory=list)  # how many exits stand around each loop
    trial: Trial | None = None  # the innermost block around that is tried before it is done
    where: dict[int, Where] = field(default_factory=dict)  # where hidden slots lie


@dataclass(frozen=True, slots=True)
class HookRow:
    """A hook of this set-up: the components whose power it is (empty: a hook of the rules), and the index of
    the first among its like.
    """

    hook: Hook
    components: tuple[int, ...]
    first: int
    anywhere: bool

    @property
    def count(self) -> int:
        """How many may be live at once."""
        return max(1, len(self.components))


class HookRows:
    """The hooks of a game by the procedure they are attached to, in text order."""

    def __init__(self, game: Game) -> None:
        self.found: dict[tuple[int, str], list[HookRow]] = {}
        for h in game.program.hooks:
            components: tuple[int, ...] = ()
            anywhere = True
            if h.component is not None:
                kind, name = h.component
                components = game.components_of(kind, name)
                anywhere = game.program.classes[kind].live_anywhere
                if not components:
                    continue
            rows = self.found.setdefault((h.target, h.kind), [])
            rows.append(HookRow(h, components, sum(row.count for row in rows), anywhere))

    def of(self, target: int, kind: str) -> list[HookRow]:
        return self.found.get((target, kind), [])

    def is_hooked(self, target: int) -> bool:
        return any(self.of(target, kind) for kind in ("before", "instead", "adjust", "after"))


class Context:
    """One lowering: `game` comes in, `core` goes out.

    What modules do that stand above this one, `program` says before it begins: how statements are lowered,
    the expression that a definition is where that is put in its callers, the steps that an expression takes
    at most, the payment for a source that may be left early.
    """

    block: Callable[[Context, list[TypedStmt]], None]
    short: Callable[[Context, TypedExpr], TypedExpr | None]
    cost: Callable[[Context, TypedExpr], int]
    pay_ahead: Callable[[Context, TypedExpr], None]

    def __init__(
        self, game: Game, long_texts: bool = False, marks: list[MarkedStatement] | None = None
    ) -> None:
        self.game = game
        self.marks = marks  # the statements by number, if each sets its mark when it begins
        self.core = CoreProgram(game.program.name, game.players)
        self.tables: dict[tuple[int, ...], str] = {}
        self.maps: list[FrameMap] = []
        self.body = Body(Writer(), None)
        self.wanted: list[Callable[[], None]] = []  # functions that are called and not written yet
        self.watch_vars: dict[int, tuple[int, ...]] = {}
        self.watch_zones: dict[int, tuple[int, ...]] = {}
        self.hooked: frozenset[int] = frozenset()  # procedures with hooks around their calls
        self.hook_rows = HookRows(game)
        self.returned: dict[int, int | None] = {}  # how many elements the lists have that definitions return
        # by the identity of a source, which is kept
        self.most_elements: dict[int, tuple[TypedExpr, int | None]] = {}
        self.measured = 0  # how many definitions are being measured for that
        # nodes of what a definition is where it is inlined, with all that is inlined in it; 0: it is not
        self.inlined_sizes: dict[int, int] = {}
        self.shuffles = False  # may a zone have an unordered part?
        self.looks_ahead = False  # does somebody look ahead in it?
        self.supposes = False  # is something supposed in it?
        self.secret = False  # does somebody wait inside of a `secretly`?
        # does the state say which phase the game is in, and which simultaneous decision is the last?
        self.is_watched = False
        self.is_telling = False  # does somebody listen to what is told?
        self.told = 0  # statements that tell something
        self.lacking: set[int] = set()  # variables of the state that are maps and may lack a value
        self.texts = Texts(long_texts)
        self.grades: list[GradeTemplate] = []  # words of ends that are made afterwards

    @property
    def w(self) -> Writer:
        return self.body.w

    @contextmanager
    def function(self, body: Body) -> Iterator[Body]:
        """A context in which another function is written."""
        held, self.body = self.body, body
        try:
            yield body
        finally:
            self.body = held

    @contextmanager
    def within(self, env: dict[int, Operand], proc: Proc | None) -> Iterator[None]:
        """A context in which expressions over other locals are lowered, those of a procedure."""
        body = self.body
        held = body.env, body.proc
        body.env, body.proc = env, proc
        try:
            yield
        finally:
            body.env, body.proc = held

    # ------------------------------------------------------------ memory
    def table(self, words: tuple[int, ...]) -> str:
        """The name of a table with these words; equal tables are shared."""
        if words not in self.tables:
            name = self.tables[words] = f"T{len(self.tables)}"
            self.core.memories[name] = Memory(name, len(words), words, constant=True)
        return self.tables[words]

    def constant(self, value: Value, kind: t.Type) -> Operand:
        """A constant value."""
        return self.known(value, shape_of(self.game, kind, self.texts))

    def known(self, value: Value, shape: Shape) -> Operand:
        if isinstance(shape, Word):
            return Const(encoded(value, shape)[0])
        shape = fitted(shape, value)
        return Ref(self.table(encoded(value, shape)), const(0), shape)

    def rows(self, values: list[Value], shape: Shape, index: Expression) -> Operand:
        """One of several constant values, by index."""
        if isinstance(shape, Word):
            words = tuple(encoded(v, shape)[0] for v in values) or (op.NONE,)
            if isinstance(index, Const):
                # outside: behind a test that is known not to hold
                return Const(words[index.value] if 0 <= index.value < len(words) else op.NONE)
            if len(set(words)) == 1:
                return Const(words[0])
            if words == tuple(range(words[0], words[0] + len(words))):
                return add(index, Const(words[0]))
            return op.Load(self.table(words), index)
        whole = fitted(Items("list", 0, shape), values)
        assert isinstance(whole, Items)
        words = tuple(w for v in values for w in encoded(v, whole.element))
        return Ref(self.table(words), mul(index, const(width(whole.element))), whole.element)

    def words(self, values: Sequence[int | bool | None], index: Expression) -> Expression:
        """One of several constant words, by index."""
        return as_word(self.rows(list(values), Word(), index))

    def scalar(self, name: str, start: int = 0) -> str:
        """The array for one word of the state, declared on first use."""
        if name not in self.core.memories:
            self.core.memories[name] = Memory(name, 1, (start,))
        return name

    def shape(self, kind: t.Type) -> Shape:
        return shape_of(self.game, kind, self.texts)

    def variable(self, name: str) -> Ref:
        """The location of a variable of the state."""
        v = self.game.program.vars[name]
        return Ref(f"v{v.index}", const(0), self.shape(v.type))

    # ------------------------------------------------------------ values
    def load(self, ref: Ref) -> Operand:
        """The value at a location: loaded if it is one word, else by reference."""
        return op.Load(ref.memory, ref.at) if isinstance(ref.shape, Word) else ref

    def fixed(self, ref: Ref) -> Ref:
        """A reference whose index no longer depends on locals."""
        if isinstance(ref.at, (Const, Local)):
            return ref
        return Ref(ref.memory, self.w.temp(ref.at, "p"), ref.shape)

    @contextmanager
    def define(
        self,
        name: str,
        *parameters: FunctionParameter,
        results: int = 0,
        proc: Proc | None = None,
        exported: bool = False,
    ) -> Iterator[Body]:
        """A context in which a new function is written, which does not wait."""
        with self.function(Body(Writer(), proc)) as body:
            yield body
        memories, written = tuple(body.w.memories.values()), tuple(body.w.out)
        self.core.functions[name] = Function(name, parameters, results, memories, written)
        if exported:
            self.core.exports |= {name}

    def room(self, shape: Shape, base: str = "a") -> Ref:
        """A new array of the current function, for one value."""
        return Ref(self.w.array(width(shape), base), const(0), shape)

    def empty_list(self, shape: Items, base: str = "l") -> Ref:
        """A new list without elements."""
        found = self.room(shape, base)
        self.clear(found)
        return found

    def array(self, name: str, shape: Shape) -> Ref:
        """The array of this name of the current function, for one value."""
        self.w.memories[name] = Memory(name, width(shape))
        return Ref(name, const(0), shape)

    def place(self, shape: Shape, base: str = "f") -> Local | Ref:
        """A new local or array, for one value."""
        return Local(self.w.fresh(base)) if isinstance(shape, Word) else self.room(shape)

    def unfilled(self, shape: Shape) -> Operand:
        """A place for an optional of a shape, which is none."""
        found = self.place(optional(shape), "t")
        self.assign(const(op.NONE), found)
        return found

    def assign(self, value: Operand, into: Operand) -> None:
        """Write a value to a local or to a location of the same shape."""
        if isinstance(into, Ref):
            self.put(value, into)
        else:
            assert isinstance(into, Local) and not isinstance(value, Ref), (into, value)
            self.w.set(into.name, value)

    def put(self, value: Operand, into: Ref) -> None:
        """Write a value to a location. A list fails that is longer than the location has room for."""
        w, shape = self.w, into.shape
        if isinstance(shape, Word):
            assert not isinstance(value, Ref), value
            w.store(into.memory, into.at, value)
            return
        if not isinstance(value, Ref):
            if isinstance(shape, Maybe):  # a word is no value of several: it is none
                w.store(into.memory, into.at, const(0))
                return
            raise NotLowered(f"a word as {shape}")
        self._put(value, into)

    def _put(self, value: Ref, into: Ref) -> None:
        w, shape = self.w, into.shape
        if value.shape == shape and not isinstance(shape, Items):
            w.emit(op.Copy(into.memory, into.at, value.memory, value.at, const(width(shape))))
            return
        value, into = self.fixed(value), self.fixed(into)
        match shape, value.shape:
            case Maybe(), Maybe():
                w.store(into.memory, into.at, op.Load(value.memory, value.at))
                there = eq(op.Load(value.memory, value.at), const(1))
                w.when(there, lambda: self.put(self.certain(value), self.content(into)))
            case Maybe(), _:
                w.store(into.memory, into.at, const(1))
                self.put(value, self.content(into))
            case _, Maybe():  # what certainly is there
                self.put(self.certain(value), into)
            case Items(_, most, element), Items(_, room, other):
                n = w.temp(op.Load(value.memory, value.at), "n")
                if room > most:
                    w.guard(op.Le(n, const(most)))
                if room and element == other and not isinstance(element, Items):
                    words = add(const(1), mul(n, const(width(element))))
                    w.emit(op.Copy(into.memory, into.at, value.memory, value.at, words))
                    return
                w.store(into.memory, into.at, n)
                if not room:
                    return
                with w.count(const(0), n) as i:
                    self.put(self.element(value, i), self.location(into, i))
            case Fields(), _:
                for a, b in zip(self.parts(value), self.parts(into), strict=True):
                    self.put(self.load(a), b)
            case _:
                with w.count(const(0), const(self.entries(shape))) as i:
                    self.put(self.load(self.entry(value, i)), self.entry(into, i))

    @staticmethod
    def entries(shape: Shape) -> int:
        if not isinstance(shape, TableShape):
            raise NotLowered(f"{shape} entry by entry")
        return shape.count

    def parts(self, ref: Ref) -> list[Ref]:
        """References to the fields of a record."""
        if not isinstance(ref.shape, Fields):
            raise NotLowered(f"the fields of {ref.shape}")
        found, at = [], 0
        for part in ref.shape.parts:
            found.append(Ref(ref.memory, add(ref.at, const(at)), part))
            at += width(part)
        return found

    def entry(self, ref: Ref, index: Expression) -> Ref:
        """A reference to the value of a map, by index."""
        assert isinstance(ref.shape, TableShape), ref
        return Ref(ref.memory, add(ref.at, mul(index, const(width(ref.shape.value)))), ref.shape.value)

    def location(self, ref: Ref, index: Expression) -> Ref:
        """A reference to an element of a list, by index from 0."""
        assert isinstance(ref.shape, Items), ref
        return Ref(
            ref.memory,
            add(ref.at, add(const(1), mul(index, const(width(ref.shape.element))))),
            ref.shape.element,
        )

    def element(self, ref: Ref, index: Expression) -> Operand:
        return self.load(self.location(ref, index))

    def push(self, value: Operand, into: Ref) -> None:
        """Append an element to a list."""
        assert isinstance(into.shape, Items)
        words = self._words(value, into.shape.element) if into.at == const(0) else None
        if words is not None:
            self.w.emit(op.Append(into.memory, words, into.shape.most))
            return
        n = self.w.temp(op.Load(into.memory, into.at), "n")
        self.w.guard(op.Lt(n, const(into.shape.most)))
        self.put(value, self.location(into, n))
        self.w.store(into.memory, into.at, add(n, const(1)))

    def _words(self, value: Operand, element: Shape) -> tuple[Expression, ...] | None:
        """Return the words of an element of few words; `None` if its size varies or it has many."""
        if not isinstance(value, Ref):
            return (value,) if isinstance(element, Word) else None
        if value.shape != element or not isinstance(element, Fields) or width(element) > MOST_WORDS:
            return None
        value = self.fixed(value)
        return tuple(op.Load(value.memory, add(value.at, const(i))) for i in range(width(element)))

    def clear(self, ref: Ref) -> None:
        self.w.store(ref.memory, ref.at, const(0))

    def length(self, ref: Ref) -> Expression:
        return op.Load(ref.memory, ref.at)

    # ------------------------------------------------------------ none
    def missing(self, value: Operand) -> Expression:
        """Return an expression that is 1 if a value is none."""
        if isinstance(value, Ref):
            return (
                eq(op.Load(value.memory, value.at), const(0)) if isinstance(value.shape, Maybe) else const(0)
            )
        return is_none(value)

    def certain(self, value: Operand) -> Operand:
        """Return the content of an optional that is known to have a value."""
        if isinstance(value, Ref) and isinstance(value.shape, Maybe):
            return self.load(self.content(value))
        return value

    def content(self, ref: Ref) -> Ref:
        """A reference to the content of an optional."""
        assert isinstance(ref.shape, Maybe), ref
        return Ref(ref.memory, add(ref.at, const(1)), ref.shape.inner)

    def once(self, value: Operand) -> Operand:
        """A value that is used more than once: one word is evaluated here."""
        return value if isinstance(value, Ref) else self.w.temp(value)

    def held(self, value: Operand) -> Operand:
        """A copy of a value, independent of its source: one word in a local, several in an array of their
        own.
        """
        if not isinstance(value, Ref):
            return self.w.temp(value)
        if self.core.memories.get(value.memory, Memory("", 0)).constant:
            return self.fixed(value)
        into = self.room(value.shape)
        self.put(value, into)
        return into

    # ------------------------------------------------------------ slots
    def slot(self, slot: int, shape: Shape | None = None) -> Operand:
        """The location of a local of the rules, declared on first use."""
        body = self.body
        found = body.env.get(slot)
        if found is None:
            assert body.proc is not None
            shape = self.shape(body.proc.slot_types[slot]) if shape is None else shape
            name = f"s{slot}"
            found = body.env[slot] = Local(name) if isinstance(shape, Word) else self.array(name, shape)
        return found

    def bind(self, slot: int, value: Operand, shape: Shape | None = None) -> None:
        """Assign a local of the rules."""
        self.assign(value, self.slot(slot, shape))

    @contextmanager
    def alias(self, slot: int, value: Operand) -> Iterator[None]:
        """A context in which a local of the rules is this value, without a copy."""
        env = self.body.env
        held = env.get(slot)
        env[slot] = value
        try:
            yield
        finally:
            if held is None:
                env.pop(slot, None)
            else:
                env[slot] = held

    def hidden(self, slot: int, start: Expression) -> Local:
        """A hidden local of one word, and its initial value."""
        name = f"s{slot}"
        self.body.where[slot] = Stored(name, Word())
        self.w.set(name, start)
        return Local(name)

    def hidden_list(self, slot: int, most: int) -> Ref:
        """A hidden local with a list of words, which has no elements yet."""
        self.body.env[slot] = found = self.array(f"s{slot}", Items("list", most, Word()))
        self.body.where[slot] = Stored(found.memory, found.shape)
        self.clear(found)
        return found

    def frame_map(self, point: int | None) -> tuple[int, tuple[str, ...]]:
        """The frame map of a suspension point of the current procedure: its index, and the locals that it
        needs.
        """
        body = self.body
        assert body.proc is not None and point is not None
        slots: list[tuple[int, Where]] = []
        for slot in body.proc.live.get(point, ()):
            where = body.where.get(slot)
            if where is None:
                found = body.env.get(slot)
                if found is None:
                    continue
                if isinstance(found, Ref):
                    where = Stored(found.memory, found.shape)
                else:
                    where = Stored(f"s{slot}", self.shape(body.proc.slot_types[slot]))
            slots.append((slot, where))
        return self.map(body.proc.index, point, slots)

    def map(self, proc: int, point: int, slots: Sequence[tuple[int, Where]]) -> tuple[int, tuple[str, ...]]:
        """A new frame map: its index, and the locals that it needs."""
        found = FrameMap(proc, point, tuple(slots), "viewer" if self.secret else None)
        self.maps.append(found)
        return len(self.maps) - 1, found.names()
