"""The typed tree: what the checker leaves behind, what the reference evaluator reads and what is lowered.

A `TypedExpr` is an expression, a `TypedStmt` a statement, with one class for each form (`ConstExpr`,
`LocalExpr`, …; `LetStmt`, `ForEachStmt`, …). Expressions that only have operands, such as `+` or `zone.size`,
are `OperationExpr`s. Each form has an operation, `op`, by which tables are kept; the forms of statements are
listed in `FORMS`. Names are gone: locals are slots, state variables, zones and definitions are numbered or
keyed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, fields, replace
from typing import TYPE_CHECKING, ClassVar, Concatenate, ParamSpec, TypeVar, cast

from croupier.diagnostics import Span
from croupier.kernel.facts import Facts, Hides, Leaves, Tells, Waits, Writes
from croupier.kernel.folds import FOLDS, Fold
from croupier.kernel.types import TEXT, UNKNOWN, Collection, Endless, Type
from croupier.records import dataclass

_COMMON = {"op", "type", "span", "args", "blocks", "cites", "suspension_point", "suspends", "words", "origin"}


class _Details(dict[type, tuple[str, ...]]):
    """A map from a form to the names of the fields that it alone has."""

    def __missing__(self, form: type[TypedExpr] | type[TypedStmt]) -> tuple[str, ...]:
        self[form] = tuple(f.name for f in fields(form) if f.name not in _COMMON)
        return self[form]


DETAILS = _Details()


F = TypeVar("F", bound="TypedExpr")
G = TypeVar("G", bound="TypedStmt")
P = ParamSpec("P")
C = TypeVar("C")
R = TypeVar("R")


# ---------------------------------------------------------------- expressions
@dataclass(frozen=True, slots=True)
class TypedExpr:
    """A typed expression; pure. What a form has besides its operands stands in fields of its own.

    A form whose operation is a field has one of its `WORDS`.
    """

    OP: ClassVar[str] = ""
    WORDS: ClassVar[tuple[str, ...]] = ()

    type: Type
    span: Span
    args: tuple[TypedExpr, ...] = ()

    if TYPE_CHECKING:

        @property
        def op(self) -> str:
            """The operation: of a form its `OP`."""

    def __init_subclass__(cls) -> None:
        if "op" not in cls.__dict__:
            cls.op = cls.OP  # type: ignore[method-assign, assignment]

    @property
    def details(self) -> object:
        """The data of the form besides its operands, to be compared, hashed and shown: `None`, one value, or
        a tuple of several.
        """
        values = tuple([getattr(self, name) for name in DETAILS[self.__class__]])
        if not values:
            return None
        return values if len(values) > 1 else values[0]

    def walk(self) -> Iterator[TypedExpr]:
        left: list[TypedExpr] = [self]
        while left:
            found = left.pop()
            yield found
            left += found.args[::-1]

    def binds(self) -> tuple[int, ...]:
        """The slots that a comprehension fills in itself."""
        return ()

    def in_slots(self, slots: dict[int, int]) -> TypedExpr:
        """The expression with other numbers for some slots."""
        return replace(self, args=tuple(a.in_slots(slots) for a in self.args))


@dataclass(frozen=True, slots=True)
class OperationExpr(TypedExpr):
    """A built-in operation, which has only operands: `+`, `not`, `zone.size`, `list`."""

    op: str = field(kw_only=True)

    def __init__(self, op: str, type: Type, span: Span, args: tuple[TypedExpr, ...] = ()) -> None:
        object.__setattr__(self, "op", op)
        object.__setattr__(self, "type", type)
        object.__setattr__(self, "span", span)
        object.__setattr__(self, "args", args)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstExpr(TypedExpr):
    """A number, a truth value, a text, or `none`."""

    OP = "const"
    value: int | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalExpr(TypedExpr):
    """The value of a local."""

    OP = "local"
    slot: int

    def in_slots(self, slots: dict[int, int]) -> TypedExpr:
        return replace(self, slot=slots.get(self.slot, self.slot))


@dataclass(frozen=True, slots=True, kw_only=True)
class ParamExpr(TypedExpr):
    """The value of a parameter of the game."""

    OP = "param"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StateExpr(TypedExpr):
    """The value of a variable of the state."""

    OP = "state"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StateEntryExpr(StateExpr):
    """A map of the state of which only one entry is read; the evaluator makes it, where it asks who may see
    what is read.
    """

    OP = "state_entry"


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumExpr(TypedExpr):
    """A value of an enum."""

    OP = "enum"
    enum: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentExpr(TypedExpr):
    """A component by its class and id."""

    OP = "component"
    kind: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CellExpr(TypedExpr):
    """A cell by its board and name."""

    OP = "cell"
    board: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledExpr(TypedExpr):
    """The component with a label."""

    OP = "labelled"
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardExpr(TypedExpr):
    """A board."""

    OP = "board"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainExpr(TypedExpr):
    """All values of an enum, all components of a class, or all cells of a board, in order."""

    WORDS = ("enum_values", "class", "board_cells")
    op: str = field()
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneExpr(TypedExpr):
    """A zone, a family of zones as a whole, or the zone of a family at a key, its operand."""

    WORDS = ("zone", "zone_at")
    name: str

    @property
    def op(self) -> str:
        return "zone_at" if self.args else "zone"

    @property
    def key(self) -> TypedExpr | None:
        """Where in its family the zone is; `None` of any other zone, and of a family."""
        return self.args[0] if self.args else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextExpr(TypedExpr):
    """A text in parts; `None` stands for the next operand."""

    OP = "text"
    parts: tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordExpr(TypedExpr):
    """A record; the operands are its fields in order."""

    OP = "record"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MapRowsExpr(TypedExpr):
    """A map that is written as the list of its values; for a board, row by row, of these lengths."""

    OP = "map_list"
    rows: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldExpr(TypedExpr):
    """A field of a record."""

    OP = "field"
    record: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnExpr(TypedExpr):
    """The entry of a value of an enum in a column."""

    OP = "column"
    enum: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeExpr(TypedExpr):
    """An attribute of a component, which never changes."""

    OP = "attr"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MutableExpr(TypedExpr):
    """An attribute of a component that can change: `name` is `Class.attribute`, a variable of the state."""

    OP = "mutable"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IsKindExpr(TypedExpr):
    """The question whether a component is of a class, or whether it is not."""

    WORDS = ("is_kind", "is_other")
    op: str = field()
    kind: str

    @property
    def wanted(self) -> bool:
        """The answer for a component of the class."""
        return self.op == "is_kind"


@dataclass(frozen=True, slots=True, kw_only=True)
class CompExpr(TypedExpr):
    """An aggregate of a comprehension (`list`, `sum`, `best`, …).

    The operands: a source for each slot, the condition, the element, the key.
    """

    OP = "comp"
    name: str
    slots: tuple[int, ...]
    has_condition: bool
    has_key: bool

    @property
    def fold(self) -> Fold:
        """What it says of its elements."""
        return FOLDS[self.name]

    @property
    def sources(self) -> tuple[TypedExpr, ...]:
        """The collections that the slots run through."""
        return self.args[: len(self.slots)]

    @property
    def condition(self) -> TypedExpr | None:
        return self.args[len(self.slots)] if self.has_condition else None

    @property
    def element(self) -> TypedExpr:
        return self.args[-2 if self.has_key else -1]

    def binds(self) -> tuple[int, ...]:
        return self.slots

    def in_slots(self, slots: dict[int, int]) -> TypedExpr:
        return replace(
            self,
            args=tuple(a.in_slots(slots) for a in self.args),
            slots=tuple(slots.get(i, i) for i in self.slots),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MapCompExpr(TypedExpr):
    """A map by comprehension. The operands: a source for each slot, the condition, the key, the value."""

    OP = "map_comp"
    slots: tuple[int, ...]
    has_condition: bool

    def binds(self) -> tuple[int, ...]:
        return self.slots

    def in_slots(self, slots: dict[int, int]) -> TypedExpr:
        return replace(
            self,
            args=tuple(a.in_slots(slots) for a in self.args),
            slots=tuple(slots.get(i, i) for i in self.slots),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CallExpr(TypedExpr):
    """A call of a definition, with the hooks that listen to it."""

    OP = "call"
    proc: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginalExpr(CallExpr):
    """`original(…)` in a hook: what would have run in its place."""

    OP = "original"


def of_form(form: type[F], row: Callable[[C, F], R]) -> Callable[[C, TypedExpr], R]:
    """The row of a table by operation for one form of expressions: the table calls it for that form only."""
    return cast("Callable[[C, TypedExpr], R]", row)


def of_statement(
    form: type[G], row: Callable[Concatenate[C, G, P], R]
) -> Callable[Concatenate[C, TypedStmt, P], R]:
    """The row of a table by operation for one form of statements."""
    return cast("Callable[Concatenate[C, TypedStmt, P], R]", row)


def zone_name(x: TypedExpr) -> str:
    """The name of a zone, or of the family that it is or belongs to."""
    assert isinstance(x, ZoneExpr)
    return x.name


def root_of(x: TypedExpr) -> TypedExpr:
    """The variable that a place is, or is a part of."""
    while x.op in ("index", "item", "certain", "bound", "narrow"):
        x = x.args[0]
    return x


def text_parts(x: TypedExpr) -> tuple[str | None, ...]:
    """The parts of a text; a text that is worked out as a whole is one operand."""
    return x.parts if isinstance(x, TextExpr) else (None,)


def text_template(x: TypedExpr, gap: str = "{}") -> str:
    """A text with gaps for its operands."""
    return "".join(gap if part is None else part for part in text_parts(x))


MOVED = -1  # the slot of what has moved, in the words of a statement


# ---------------------------------------------------------------- statements
@dataclass(slots=True)
class TypedStmt:
    """A typed statement.

    `suspension_point` numbers the suspension points of its procedure in text order (`None`: it never
    suspends). `words` is what the story says of a statement that changes something, instead of each change.
    `origin` is the sugar that it was expanded from, as messages, sites of decisions and dumps call it.

    A form whose statements differ by a word has facts for each of its `WORDS`.
    """

    OP: ClassVar[str] = ""
    FACTS: ClassVar[Facts] = Facts()
    WORDS: ClassVar[dict[str, Facts]] = {}

    span: Span
    args: tuple[TypedExpr, ...] = ()
    blocks: tuple[list[TypedStmt], ...] = ()
    cites: tuple[str, ...] = ()
    suspension_point: int | None = None
    suspends: bool = False
    words: TypedExpr | None = field(default=None, metadata={"derived": True})
    origin: TypedStmt | None = field(default=None, kw_only=True, metadata={"derived": True})

    if TYPE_CHECKING:

        @property
        def op(self) -> str:
            """What the hash and dumps call it: the `OP` of its form, or its word."""

    def __init_subclass__(cls) -> None:
        if "op" not in cls.__dict__:
            cls.op = cls.OP  # type: ignore[method-assign, assignment]

    @property
    def as_written(self) -> TypedStmt:
        """The statement that the author wrote."""
        return self if self.origin is None else self.origin

    @property
    def details(self) -> object:
        """The data of the form besides its operands and blocks: `None`, one value, or a tuple of several."""
        values = tuple([getattr(self, name) for name in DETAILS[self.__class__]])
        if not values:
            return None
        return values if len(values) > 1 else values[0]

    # ------------------------------------------------------------ facts that depend on operands
    def reads(self) -> Iterator[TypedExpr]:
        """Every expression that it evaluates itself, its blocks not included, and its words."""
        yield from self.args
        if self.words is not None:
            yield self.words
        yield from self.held()

    def held(self) -> Iterable[TypedExpr]:
        """The expressions that stand in its own fields."""
        return ()

    def conditions(self) -> Iterable[TypedExpr]:
        """The expressions that decide whether one of its blocks runs, or what it offers."""
        return ()

    def bound(self) -> Iterable[tuple[int, TypedExpr]]:
        """The locals that it gives values to, each with what the value comes from."""
        return ()

    @property
    def target(self) -> TypedExpr | None:
        """The place that it writes."""
        return None

    @property
    def opens(self) -> int | None:
        """The window that it opens."""
        return None

    @property
    def decider(self) -> TypedExpr | None:
        """The one player whom it asks."""
        return None

    @property
    def facts(self) -> Facts:
        """The facts of this one."""
        return self.WORDS.get(self.op, self.FACTS)

    def walk(self) -> Iterator[TypedStmt]:
        left: list[TypedStmt] = [self]
        while left:
            found = left.pop()
            yield found
            for b in found.blocks[::-1]:
                left += b[::-1]


@dataclass(slots=True)
class PassStmt(TypedStmt):
    """Nothing happens."""

    OP = "pass"


# ---------------------------------------------------------------- values and places
@dataclass(slots=True, kw_only=True)
class LetStmt(TypedStmt):
    """A local gets its first value."""

    OP = "let"
    FACTS = Facts(calls=True)
    slot: int

    def bound(self) -> Iterable[tuple[int, TypedExpr]]:
        return ((self.slot, self.args[0]),)


@dataclass(slots=True)
class PlaceStmt(TypedStmt):
    """A place gets another value: a local, a variable of the state, an attribute, or an entry of these."""

    @property
    def target(self) -> TypedExpr:
        return self.args[1]

    @property
    def value(self) -> TypedExpr:
        """What the place is given, or what goes into it or out of it."""
        return self.args[0]

    @property
    def root(self) -> TypedExpr:
        """The variable that the place is, or is a part of."""
        return root_of(self.target)


@dataclass(slots=True)
class AssignStmt(PlaceStmt):
    """A place gets a value. The operands: the place, the value."""

    OP = "assign"
    FACTS = Facts(writes=Writes.PLACE, calls=True)

    @property
    def target(self) -> TypedExpr:
        return self.args[0]

    @property
    def value(self) -> TypedExpr:
        return self.args[1]

    def bound(self) -> Iterable[tuple[int, TypedExpr]]:
        root = self.root
        return ((root.slot, self.value),) if isinstance(root, LocalExpr) else ()


@dataclass(slots=True)
class AddStmt(PlaceStmt):
    """An element goes into a collection. The operands: the element, the place of the collection."""

    OP = "add"
    FACTS = Facts(writes=Writes.PLACE)

    def bound(self) -> Iterable[tuple[int, TypedExpr]]:
        root = self.root
        return ((root.slot, self.value),) if isinstance(root, LocalExpr) else ()


@dataclass(slots=True)
class RemoveStmt(PlaceStmt):
    """An element goes out of a collection that has it, once. The operands: the element, the place of the
    collection.
    """

    OP = "remove"
    FACTS = Facts(writes=Writes.PLACE)


# ---------------------------------------------------------------- control
@dataclass(slots=True)
class DoStmt(TypedStmt):
    """A definition is called for what it does."""

    OP = "do"
    FACTS = Facts(calls=True)


@dataclass(slots=True)
class LeaveStmt(TypedStmt):
    """The procedure ends, perhaps with a value, its operand; or the loop around it; or this round of that."""

    OP = "leave"
    FACTS = Facts(leaves=Leaves.PROCEDURE, calls=True)
    WORDS = {"return": FACTS, "break": Facts(leaves=Leaves.LOOP), "continue": Facts(leaves=Leaves.ROUND)}
    op: str = field(kw_only=True)


@dataclass(slots=True)
class IfStmt(TypedStmt):
    """One of two blocks runs: the first if the operand holds."""

    OP = "if"

    def conditions(self) -> Iterable[TypedExpr]:
        return self.args


@dataclass(slots=True)
class RepeatStmt(TypedStmt):
    """A block runs again and again; with an operand until that holds, which is tested before each round."""

    OP = "repeat"
    FACTS = Facts(loops=True)

    def conditions(self) -> Iterable[TypedExpr]:
        return self.args


@dataclass(slots=True, kw_only=True)
class ForEachStmt(TypedStmt):
    """A walk over a collection, as it is now; round the table again and again if its type is `Endless`. The
    local, the hidden local of what is walked and of how far it is.

    The operands: the source, and perhaps a condition that is tested when each element's turn comes.
    """

    OP = "for"
    FACTS = Facts(loops=True)
    slot: int
    items: int
    cursor: int

    @property
    def source(self) -> TypedExpr:
        """The collection that it walks over."""
        return self.args[0]

    @property
    def endless(self) -> bool:
        """Tell whether only a statement ends it."""
        return isinstance(self.args[0].type, Endless)

    def conditions(self) -> Iterable[TypedExpr]:
        return self.args[1:]

    def bound(self) -> Iterable[tuple[int, TypedExpr]]:
        return ((self.slot, self.args[0]),)


@dataclass(slots=True, kw_only=True)
class MatchStmt(TypedStmt):
    """The first case with an equal value; a block for each row of values, and perhaps one for all others."""

    OP = "match"
    rows: tuple[tuple[TypedExpr, ...], ...]
    has_other: bool

    def held(self) -> Iterable[TypedExpr]:
        return (x for row in self.rows for x in row)


@dataclass(slots=True, kw_only=True)
class SoThatStmt(TypedStmt):
    """A look-ahead, `slot` a hidden local: `within` is how many decisions it looks ahead."""

    OP = "so_that"
    FACTS = Facts(hides=Hides.TRIAL, noun="a look-ahead")
    has_other: bool
    within: int | None
    slot: int


@dataclass(slots=True, kw_only=True)
class SupposeStmt(TypedStmt):
    """The block runs on a copy of the game, and a local takes the value that the operand has then."""

    OP = "suppose"
    FACTS = Facts(hides=Hides.TRIAL)
    slot: int

    def bound(self) -> Iterable[tuple[int, TypedExpr]]:
        return ((self.slot, self.args[0]),)


@dataclass(slots=True, kw_only=True)
class SecretlyStmt(TypedStmt):
    """A block whose events only some players see; the hidden local holds who sees them outside.

    `is_at_once`: players choose at once in it, and everybody knows who does.
    """

    OP = "secretly"
    FACTS = Facts(hides=Hides.EVENTS, once=True)
    slot: int
    is_at_once: bool = False


@dataclass(slots=True, kw_only=True)
class ForSecondsStmt(TypedStmt):
    """A block that takes as many seconds at a table as the operand says, whoever acts in it.

    `otherwise` says what is chosen for whoever has not decided by then: `first`, `random`; empty if nobody
    decides anything in the block.
    """

    OP = "for_seconds"
    FACTS = Facts(pauses=True, once=True, noun="a choice within `for … seconds`")
    otherwise: str


# ---------------------------------------------------------------- the table
@dataclass(slots=True)
class ShuffleStmt(TypedStmt):
    """The components of a zone lie in random order."""

    OP = "shuffle"
    FACTS = Facts(writes=Writes.ZONES, zones=(0,))


@dataclass(slots=True, kw_only=True)
class MoveStmt(TypedStmt):
    """Components go to a zone, to its top or bottom."""

    OP = "move"
    FACTS = Facts(writes=Writes.ZONES, zones=(0, 1), into=(1,), tells=Tells.COMPONENTS)
    place: str


@dataclass(slots=True, kw_only=True)
class DrawStmt(TypedStmt):
    """So many components are drawn; hidden locals count what is left and hold what was drawn (-1: nobody
    asks).

    The operands: how many, from where, to where, and `true` if it is from the bottom.
    """

    OP = "draw"
    FACTS = Facts(
        writes=Writes.ZONES, zones=(1, 2), into=(2,), waits=Waits.CHANCE, noun="a draw", ahead="a draw"
    )
    left: int
    drawn: int

    @property
    def from_bottom(self) -> bool:
        return len(self.args) > 3

    def bound(self) -> Iterable[tuple[int, TypedExpr]]:
        return ((self.drawn, self.args[2]),) if self.drawn >= 0 else ()


@dataclass(slots=True, kw_only=True)
class RollStmt(TypedStmt):
    """Components get a random value of `attribute`, written `Class.attribute`; a hidden local holds what is
    left to roll.
    """

    OP = "roll"
    FACTS = Facts(writes=Writes.ATTRIBUTES, waits=Waits.CHANCE, noun="a roll", ahead="a roll")
    attribute: str
    left: int


@dataclass(slots=True, kw_only=True)
class SwapStmt(TypedStmt):
    """Two components, or the contents of two zones, change places."""

    OP = "swap"
    FACTS = Facts(writes=Writes.ZONES, zones=(0, 1), into=(0, 1))
    what: str


# ---------------------------------------------------------------- telling
@dataclass(slots=True)
class EmitStmt(TypedStmt):
    """Somebody hears a text, or sees components where they lie; or all are told what each of several players
    chose in secret. The operands: the text, the components or the map of what was chosen, and the players,
    if a text is not for everybody.
    """

    OP = "emit"
    FACTS = Facts(tells=Tells.WORDS)
    WORDS = {"tell": FACTS, "show": Facts(tells=Tells.COMPONENTS), "disclose": Facts(tells=Tells.CHOICES)}
    op: str = field(kw_only=True)

    @property
    def readers(self) -> TypedExpr | None:
        """The players whom it names; `None` for everybody."""
        return self.args[1] if len(self.args) > 1 else None


# ---------------------------------------------------------------- decisions and the end
@dataclass(slots=True, kw_only=True)
class OpenStmt(TypedStmt):
    """A window opens: players may react."""

    OP = "open"
    FACTS = Facts(
        waits=Waits.SEATS, hides=Hides.ANSWERS, noun="a window", ahead="a window for several players"
    )
    window: int

    @property
    def opens(self) -> int:
        return self.window

    @property
    def facts(self) -> Facts:
        """Whether the one whom it asks is who looks ahead shows when the rule runs, as with any choice."""
        asks_one = self.args[0].op == "list" and len(self.args[0].args) == 1
        return replace(self.FACTS, ahead=None) if asks_one else self.FACTS


@dataclass(slots=True, kw_only=True)
class FinishStmt(TypedStmt):
    """The game ends with a result, perhaps with values and a grade."""

    OP = "finish"
    FACTS = Facts(leaves=Leaves.GAME, noun="the end of the game")
    result: str
    values: int  # how many operands are values: 0 or 1
    has_grade: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSource:
    """What a decision offers from one place: the candidates of a choice, saying no to it, or an option of a
    menu, once for all values of its `bindings`, which walk one within the other.

    What it reads is decided by `tests`, and told by `words`. A binding gives several locals the same value,
    which is called by the last of them; `hidden` are more locals that have values here alone.
    """

    bindings: tuple[tuple[tuple[int, ...], TypedExpr], ...] = ()
    tests: tuple[TypedExpr, ...] = ()
    words: tuple[TypedExpr, ...] = ()
    block: list[TypedStmt]
    hidden: tuple[int, ...] = ()
    item: Span | None = None  # where it is declared, if not in the decision
    claim: str = ""

    @property
    def slots(self) -> tuple[int, ...]:
        """The locals that have values in it."""
        return tuple(slot for slots, _ in self.bindings for slot in slots)

    @property
    def kinds(self) -> tuple[Type, ...]:
        """The types of what is chosen with it."""
        return tuple(x.type.base if isinstance(x.type, Collection) else UNKNOWN for _, x in self.bindings)

    def reads(self) -> Iterator[TypedExpr]:
        """The expressions that it evaluates."""
        yield from (source for _, source in self.bindings)
        yield from self.tests
        yield from self.words


@dataclass(slots=True)
class AskStmt(TypedStmt):
    """A decision: sources of options, and what is done where there is no option."""

    @property
    def asked(self) -> TypedExpr | None:
        """The player or players whom it asks; `None` for chance."""
        return None

    @property
    def otherwise(self) -> list[TypedStmt] | None:
        """What is done where there is no option; `None`: that is a fault."""
        return None

    @property
    def may_offer_nothing(self) -> bool:
        """Tell whether the rules say what is done where there is no option, or that nothing may be chosen."""
        return self.otherwise is not None

    @property
    def decider(self) -> TypedExpr | None:
        return self.asked if self.facts.waits is Waits.SEAT else None

    def bound(self) -> Iterable[tuple[int, TypedExpr]]:
        return ((i, walked) for o in self.sources() for slots, walked in o.bindings for i in slots)

    def sources(self) -> tuple[AskSource, ...]:
        """What it offers, in order."""
        return ()


@dataclass(slots=True, kw_only=True)
class ChooseStmt(AskStmt):
    """Somebody, or chance, chooses."""

    OP = "choose"
    FACTS = Facts(waits=Waits.SEAT, noun="a choice")
    EVERY = Facts(
        waits=Waits.SEATS, hides=Hides.ANSWERS, noun="a choice", ahead="a choice by several players"
    )
    BY = {"one": FACTS, "every": EVERY, "chance": Facts(waits=Waits.CHANCE, noun="a choice", ahead="chance")}
    choice: Choice
    has_other: bool

    def held(self) -> Iterable[TypedExpr]:
        c = self.choice
        offered = (c.source, c.where, c.by, c.low, c.high, c.such_that, c.label, c.told, c.told_decline)
        yield from (x for x in offered if x is not None)
        yield from (q.value for q in c.conditions)

    def conditions(self) -> Iterable[TypedExpr]:
        c = self.choice
        return (x for x in (c.where, c.such_that, *(q.value for q in c.conditions)) if x is not None)

    @property
    def asked(self) -> TypedExpr | None:
        return None if self.choice.chooser == "chance" else self.choice.by

    @property
    def otherwise(self) -> list[TypedStmt] | None:
        return self.blocks[1] if self.has_other and not self.choice.optional else None

    @property
    def may_offer_nothing(self) -> bool:
        return self.has_other or self.choice.optional

    def sources(self) -> tuple[AskSource, ...]:
        c = self.choice
        weight = c.by if c.chooser == "chance" else None
        tests = (c.where, c.such_that, c.low, c.high, weight, *(q.value for q in c.conditions))
        of_each = () if c.every is None else (c.every,)
        candidates = AskSource(
            bindings=(((c.item, c.slot), c.source),),
            tests=tuple(x for x in tests if x is not None),
            words=tuple(x for x in (c.label, c.told) if x is not None),
            block=self.blocks[0],
            hidden=(*of_each, c.cursor),
        )
        told = () if c.told_decline is None else (c.told_decline,)
        if not c.optional:
            return (candidates,)
        return candidates, AskSource(words=told, block=self.blocks[1], hidden=of_each)

    @property
    def facts(self) -> Facts:
        return self.BY[self.choice.chooser]


@dataclass(slots=True, kw_only=True)
class MenuStmt(AskStmt):
    """Somebody chooses what to do."""

    OP = "menu"
    FACTS = Facts(waits=Waits.SEAT, noun="a choice")
    menu: MenuData

    def held(self) -> Iterable[TypedExpr]:
        yield from self.menu.window_args
        for o in self.menu.options:
            yield o.label
            yield from (x for x in (o.told, o.condition) if x is not None)
            yield from o.sources
            yield from (q.value for q in o.conditions)

    def conditions(self) -> Iterable[TypedExpr]:
        for o in self.menu.options:
            yield from (x for x in (o.condition, *(q.value for q in o.conditions)) if x is not None)

    @property
    def opens(self) -> int | None:
        return self.menu.window

    @property
    def asked(self) -> TypedExpr:
        return self.args[0]

    @property
    def otherwise(self) -> list[TypedStmt] | None:
        return self.blocks[-1] if self.menu.has_else else None

    def sources(self) -> tuple[AskSource, ...]:
        return tuple(
            AskSource(
                bindings=tuple(((slot,), source) for slot, source in zip(o.slots, o.sources, strict=True)),
                tests=tuple(x for x in (o.condition, *(q.value for q in o.conditions)) if x is not None),
                words=tuple(x for x in (o.label, o.told) if x is not None),
                block=block,
                item=o.item,
                claim=o.claim,
            )
            for o, block in zip(self.menu.options, self.blocks, strict=False)
        )


FORMS: tuple[type[TypedStmt], ...] = tuple(
    kind for kind in globals().values() if isinstance(kind, type) and issubclass(kind, TypedStmt) and kind.OP
)
"""The forms of statements: a table by operation has a row for each."""
STATEMENTS = frozenset(form.OP for form in FORMS)
FACTS = {word: facts for form in FORMS for word, facts in (form.WORDS or {form.OP: form.FACTS}).items()}
"""The facts of what the hash and the syntax call a statement of a form."""


@dataclass(frozen=True, slots=True)
class Named:
    """A named condition of a choice: `only if "…": value`."""

    text: str
    value: TypedExpr
    span: Span
    cites: tuple[str, ...]
    yields: bool = False  # false where something else goes first: `only if possible`, `only this if possible`


@dataclass(slots=True)
class Choice:
    """Everything about one `choose`."""

    slot: int  # the value chosen: one item, a list, or a map by player
    item: int  # a candidate while conditions are tested
    source: TypedExpr
    where: TypedExpr | None
    conditions: tuple[Named, ...]
    chooser: str  # one, every, chance
    by: TypedExpr | None  # player, players, or weight
    every: int | None
    many: bool
    low: TypedExpr | None
    high: TypedExpr | None
    such_that: TypedExpr | None
    merging: tuple[str, ...]
    label: TypedExpr | None
    optional: bool
    base: Type
    name: str
    picked: int = -1  # hidden slot: what a set choice holds so far
    cursor: int = -1  # hidden slot: where it may go on
    decline: str | None = None  # the words for saying no
    told: TypedExpr | None = None  # the sentence for the log
    told_decline: TypedExpr | None = None  # that of saying no

    @property
    def words(self) -> TypedExpr:
        """The words of a candidate: the label; behind one without values, and without one, the value."""
        if self.label is not None and self.label.args:
            return self.label
        fixed = "" if self.label is None else text_template(self.label)
        span = self.source.span if self.label is None else self.label.span
        value = LocalExpr(self.base, self.source.span, slot=self.item)
        return TextExpr(TEXT, span, (value,), parts=(f"{fixed}: ", None) if fixed else (None,))


@dataclass(slots=True)
class MenuOption:
    """An option of a menu, once for each combination of values that its `for`s walk."""

    label: TypedExpr
    slots: tuple[int, ...]
    sources: tuple[TypedExpr, ...]
    condition: TypedExpr | None
    conditions: tuple[Named, ...]
    span: Span
    cites: tuple[str, ...]
    # where it is declared, if not in the menu: it stands open at any time, or is a claim
    item: Span | None = field(default=None, metadata={"derived": True})
    told: TypedExpr | None = None  # the sentence for the log
    claim: str = field(default="", metadata={"derived": True})  # the declared claim that taking it makes


@dataclass(slots=True)
class MenuData:
    """The data of a `menu` besides its expressions: its options and the window whose reactions it offers."""

    options: tuple[MenuOption, ...]
    window: int | None
    window_args: tuple[TypedExpr, ...]
    has_else: bool
    used: int = -1  # hidden slot: reactions used in this opening
