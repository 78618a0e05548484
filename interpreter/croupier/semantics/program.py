"""The checked ruleset: every declaration with its types, every procedure as a typed tree."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from croupier.diagnostics import Span
from croupier.kernel.tree import EnumExpr, LocalExpr, TypedExpr
from croupier.kernel.types import Component, Map, Type
from croupier.records import dataclass
from croupier.semantics.procedures import Hook, Proc, Watcher


@dataclass(slots=True)
class EnumDef:
    """An enumeration, with its columns."""

    name: str
    values: tuple[str, ...]
    span: Span | None
    columns: dict[str, Type] = field(default_factory=dict)
    rows: dict[str, dict[str, TypedExpr]] = field(default_factory=dict)
    # what players read instead of a name
    labels: dict[str, str] = field(default_factory=dict, metadata={"derived": True})


@dataclass(slots=True)
class RecordDef:
    """A record: its fields by name, and what its values are called: texts over the names of the fields."""

    name: str
    fields: dict[str, Type]
    span: Span
    shown_as: EventWords | None = None  # instead of the fields
    sign: EventWords | None = None  # on the table


@dataclass(slots=True)
class ClassDef:
    """A component class: attributes, and how its components come about."""

    name: str
    span: Span
    attributes: dict[str, Type] = field(default_factory=dict)
    mutable: dict[str, int] = field(default_factory=dict)  # attribute -> state variable
    each: tuple[str, ...] = ()
    rows: tuple[tuple[str | None, dict[str, TypedExpr], Span], ...] = ()  # (id, values, where)
    copies: TypedExpr | None = None
    label: TypedExpr | None = None
    rolls: str | None = None
    live_anywhere: bool = False
    frame: Proc | None = None  # for labels and copies
    back: TypedExpr | None = None  # what is seen of a component whose face is not
    # see `runtime/plain_rows.py`, once they are read
    plain_rows: tuple[Any, ...] | None = field(default=None, metadata={"derived": True})

    @property
    def on_back(self) -> frozenset[str]:
        """The attributes that the back shows."""
        if self.back is None or self.frame is None:
            return frozenset()
        return frozenset(self.frame.slots[x.slot] for x in self.back.walk() if isinstance(x, LocalExpr))


@dataclass(slots=True)
class BoardDef:
    """A board, with its cells as they are declared: how many there are is known when a game is set up."""

    name: str
    span: Span
    cell: str
    shape: str
    rows: TypedExpr | None = None
    columns: TypedExpr | None = None
    size: TypedExpr | None = None
    grows: TypedExpr | None = None
    is_growing: bool = False
    adjacency: str = "orthogonal"
    cells: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    stack: int | None = None  # zone
    cell_attributes: dict[str, Type] = field(default_factory=dict)
    cell_values: dict[str, TypedExpr] = field(default_factory=dict)  # by attribute a map of all cells
    cell_labels: str = ""  # what players read of cells in rows: `algebraic`


@dataclass(slots=True)
class PartDef(BoardDef):
    """The edges, corners or links of a board, as a board of its own: `shape` says which. Links have their
    kinds, places in an enumeration.
    """

    of: str = ""
    enum: str | None = None
    kinds: tuple[int, ...] = ()


def part_of(board: str, shape: str) -> str:
    """Return the name of the edges, corners or links of a board among the boards: one that no author can
    give.
    """
    return f"{board} {shape}"


@dataclass(slots=True)
class ParamDef:
    """A parameter."""

    index: int
    name: str
    type: Type
    span: Span
    default: TypedExpr | None
    valid: tuple[tuple[str | None, TypedExpr], ...]  # the conditions, with their words
    doc: str
    choices: tuple[str, ...] | None
    tried: tuple[TypedExpr, ...] = ()
    node: Any = None
    cites: tuple[str, ...] = ()
    labels_only: bool = False
    # by its value, as a word, the variants that hold then
    switches: dict[str, tuple[str, ...]] = field(default_factory=dict)
    # what its conditions came to (`runtime/setup.py`)
    answers: dict[Any, Any] = field(default_factory=dict, metadata={"derived": True})


@dataclass(slots=True)
class EventWords:
    """The words of the story for a zone, for a change of state or for a record: a text over the names `key`,
    `value` or `self`, or over those of the fields (slots of `frame`).
    """

    text: TypedExpr
    frame: Proc


READER, KEY, ITSELF = range(3)
"""In the frame of a `Sight`: who looks, whose the thing is, and which component it is about."""


@dataclass(slots=True)
class Sight:
    """The audience of a thing, by the position: a condition on whoever looks.

    `each`: it asks of every component (the first slots of `frame`).
    """

    condition: TypedExpr
    frame: Proc
    each: bool


@dataclass(slots=True)
class ZoneDef:
    """A zone, or a family of zones with a `key` each."""

    index: int
    name: str
    span: Span
    kinds: frozenset[str]
    key: Type | None
    order: str
    capacity: TypedExpr | None
    seen_by: TypedExpr
    counted_by: TypedExpr
    start: TypedExpr | str | None
    live: bool
    cites: tuple[str, ...] = ()
    words: EventWords | None = None
    sight: Sight | None = None  # with one, `seen_by` are those who certainly see it
    count_sight: Sight | None = None  # with one, `counted_by` are those who certainly know how many there are


@dataclass(slots=True)
class VarDef:
    """A variable of the state, or a changeable attribute of a class of components (`of_class`)."""

    index: int
    name: str
    span: Span
    type: Type
    start: TypedExpr | None
    seen_by: TypedExpr
    of_class: str | None = None  # a mutable attribute is a variable per component
    cites: tuple[str, ...] = ()
    words: EventWords | None = None
    sight: Sight | None = None


def is_nobody(audience: TypedExpr) -> bool:
    """Tell whether a declared audience is nobody."""
    return isinstance(audience, EnumExpr) and audience.name == "nobody"


def key_type(thing: ZoneDef | VarDef) -> Type | None:
    """The type of the keys of a family of zones or of a map; `None` if there is one only."""
    if isinstance(thing, ZoneDef):
        return thing.key
    return thing.type.key if isinstance(thing.type, Map) else None


@dataclass(slots=True)
class ClaimDef:
    """A claim: its words, its fields, and when it may be made."""

    name: str
    span: Span
    says: TypedExpr
    slots: tuple[int, ...]
    fields: tuple[tuple[str, Type], ...]
    condition: TypedExpr | None
    cites: tuple[str, ...] = ()
    frame: Proc | None = None


@dataclass(slots=True)
class WeightDef:
    """The weight of the options of one kind.

    `key` is what the policy calls them: the name of what is chosen, `no` and that name, or its words.

    `given` are the types of what is chosen, whose values stand in slots 1, 2, …; in slot 0 stands whoever
    decides. Behind them stand the claims that may be read by their names: `heard`, with `None` for each that
    the weight does not read.
    """

    key: str
    given: tuple[Type, ...]
    value: TypedExpr
    frame: Proc
    heard: tuple[ClaimDef | None, ...] = ()


@dataclass(slots=True)
class PolicyDef:
    """A policy: how a bot weighs options."""

    name: str
    span: Span
    weights: list[WeightDef] = field(default_factory=list)


@dataclass(slots=True)
class MeasureDef:
    """A measure: a number, or true and false, in every position; in slot 0 stands the player that it calls
    `me`.
    """

    name: str
    span: Span
    value: TypedExpr
    frame: Proc


@dataclass(slots=True)
class Looks:
    """The looks of a game on a table, which no rule reads."""

    # by enumeration and value: colour (`#rrggbb`), symbol
    values: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    # by component, the attributes written large
    large: dict[str, tuple[str, ...]] = field(default_factory=dict)
    together: dict[str, str] = field(default_factory=dict)  # by zone, the title of its group
    details: frozenset[str] = frozenset()  # state, and attributes of components


@dataclass(slots=True)
class Program:
    """A checked ruleset."""

    name: str
    title: str
    doc: str
    players: tuple[int, ...]  # all that any parameters admit
    limits: dict[str, int]
    players_by: tuple[str, dict[str, tuple[int, ...]]] | None = None  # those at each value of a parameter
    players_default: int | None = None  # how many play where nobody says a number
    enums: dict[str, EnumDef] = field(default_factory=dict)
    records: dict[str, RecordDef] = field(default_factory=dict)
    classes: dict[str, ClassDef] = field(default_factory=dict)
    boards: dict[str, BoardDef] = field(default_factory=dict)
    params: dict[str, ParamDef] = field(default_factory=dict)
    zones: dict[str, ZoneDef] = field(default_factory=dict)
    vars: dict[str, VarDef] = field(default_factory=dict)
    procs: list[Proc] = field(default_factory=list)
    defs: dict[str, Proc] = field(default_factory=dict)
    windows: dict[str, Proc] = field(default_factory=dict)
    hooks: list[Hook] = field(default_factory=list)
    watchers: list[Watcher] = field(default_factory=list)
    # has every decision options of `at any time`?
    is_open_any_time: bool = field(default=False, metadata={"derived": True})
    # each `at any time` that nothing brings into force, its class
    silent: dict[Span, str] = field(default_factory=dict, metadata={"derived": True})
    claims: list[ClaimDef] = field(default_factory=list)
    invariants: list[tuple[str, TypedExpr, Proc, tuple[str, ...]]] = field(default_factory=list)
    # no part of the hash: they change no game
    policies: dict[str, PolicyDef] = field(default_factory=dict, metadata={"derived": True})
    measures: dict[str, MeasureDef] = field(default_factory=dict, metadata={"derived": True})
    looks: Looks = field(default_factory=Looks, metadata={"derived": True})
    main: Proc | None = None
    phases: dict[str, Proc] = field(default_factory=dict)
    static: Proc | None = None  # frame of set-up expressions
    rule_ids: dict[str, tuple[str, str]] = field(default_factory=dict)
    cited: dict[str, list[Span]] = field(default_factory=dict)
    # of the ruleset as a whole, and of the types, components and boards that every game is made of
    cites: tuple[str, ...] = ()
    # of the rows of tables that have powers, by class and id
    row_cites: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    # choices that may depend on what is hidden, and where that is said
    leaks: dict[Span, Span] = field(default_factory=dict)
    resolved: Any = None
    # definitions that may act, as far as their texts show
    acting: frozenset[str] = field(default=frozenset(), metadata={"derived": True})
    flow: Any = field(default=None, metadata={"derived": True})  # the information flow, once it is worked out
    # see `settled.py`, once that is worked out
    settled: tuple[int, ...] | None = field(default=None, metadata={"derived": True})

    def is_on_back(self, kind: Type, attribute: str) -> bool:
        """Tell whether the back of each component of this type shows this attribute."""
        kinds = kind.kinds if isinstance(kind, Component) else ()
        return bool(kinds) and all(attribute in self.classes[k].on_back for k in kinds)
