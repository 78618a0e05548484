"""The operations of the core: one frozen class each, expressions (in a module of their own) and statements.

A word is an integer; `NONE` is one word of its own. Expressions are pure and yield one word; statements change locals, memory, zones, offers or
control. Bodies are tuples of statements. Nothing here knows what a rule is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from croupier.core.expressions import (
    EXPRESSIONS,
    NONE,
    Add,
    And,
    Bits,
    Chosen,
    ChosenSeat,
    Const,
    CountBits,
    Div,
    Element,
    Eq,
    Expression,
    Find,
    Holds,
    Le,
    Length,
    Load,
    Local,
    Loose,
    LowBit,
    Lt,
    Mod,
    Mul,
    Not,
    Offered,
    Operation,
    Or,
    PartBegin,
    Rank,
    Searching,
    Select,
    Sub,
    Times,
)  # fmt: skip

CHANCE, SEVERAL = -1, -2  # who a `Wait` waits for, beside seats from 0


@dataclass(frozen=True, slots=True)
class Set(Operation):
    """A local takes a word."""

    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Store(Operation):
    """A word of an array changes."""

    memory: str
    index: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Copy(Operation):
    """Words go from one array to another (or within one: as if all were read first)."""

    target: str
    at: Expression
    source: str
    begin: Expression
    count: Expression


@dataclass(frozen=True, slots=True)
class Append(Operation):
    """A list that lies at the beginning of an array gets another element of these words. Its first word counts them; past `most` the action fails."""

    memory: str
    values: tuple[Expression, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Sort(Operation):
    """Rows of `stride` words that begin at a place of an array are sorted, stably, by their first `keys` words."""

    memory: str
    at: Expression
    count: Expression
    stride: int
    keys: int


@dataclass(frozen=True, slots=True)
class Push(Operation):
    """A component goes on top of a zone."""

    zone: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Insert(Operation):
    """A component goes into a zone at a place; what is there and above moves up."""

    zone: Expression
    index: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Remove(Operation):
    """What lies at a place of a zone goes; those above move down. An unordered part that it lay in goes on without it."""

    zone: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Truncate(Operation):
    """Only the lowest of a zone stay."""

    zone: Expression
    length: Expression


@dataclass(frozen=True, slots=True)
class Loosen(Operation):
    """Says whether a place of a zone and the one above it belong to the same unordered part."""

    zone: Expression
    index: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class If(Operation):
    """One of two bodies."""

    test: Expression
    then: Body
    otherwise: Body = ()


@dataclass(frozen=True, slots=True)
class Loop(Operation):
    """Again and again, until `Break`."""

    body: Body


@dataclass(frozen=True, slots=True)
class For(Operation):
    """A local counts from `low` to below `high`; both are asked once."""

    name: str
    low: Expression
    high: Expression
    body: Body


@dataclass(frozen=True, slots=True)
class Each(Operation):
    """A local is each component of a zone, bottom to top; the body does not change the zone."""

    name: str
    zone: Expression
    body: Body


@dataclass(frozen=True, slots=True)
class Break(Operation):
    """Out of the innermost loop."""


@dataclass(frozen=True, slots=True)
class Continue(Operation):
    """To the next round of the innermost loop."""


@dataclass(frozen=True, slots=True)
class Case(Operation):
    """What a `Switch` does for some words."""

    values: tuple[int, ...]
    body: Body


@dataclass(frozen=True, slots=True)
class Switch(Operation):
    """The body of the case that has the word, or `otherwise`."""

    value: Expression
    cases: tuple[Case, ...]
    otherwise: Body = ()


@dataclass(frozen=True, slots=True)
class Array(Operation):
    """An argument: an array from a place on. A function only reads what it takes, but for what it gives back there (`Parameter.gives`)."""

    memory: str
    at: Expression


@dataclass(frozen=True, slots=True)
class Call(Operation):
    """A function that does not wait runs; locals take its results."""

    function: str
    arguments: tuple[Expression | Array, ...]
    results: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Return(Operation):
    """The function ends with these words."""

    values: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Guard(Operation):
    """The action fails unless this is 1."""

    test: Expression


@dataclass(frozen=True, slots=True)
class Pay(Operation):
    """Steps of fuel; the action fails when there are none left."""

    steps: Expression


@dataclass(frozen=True, slots=True)
class NoOffers(Operation):
    """Nothing is on offer any more."""


@dataclass(frozen=True, slots=True)
class Offer(Operation):
    """An action may be taken. `weight`: at chance how much it weighs, where several choose whose it is."""

    action: Expression
    weight: Expression = Const(1)


@dataclass(frozen=True, slots=True)
class OfferBits(Operation):
    """The place of each bit of a word that is set, and a known number more, is an action that may be taken. Only after the pass `bitsets`."""

    word: Expression
    more: Expression


@dataclass(frozen=True, slots=True)
class OfferTop(Operation):
    """Each component of the unordered part on top of a zone may be taken; there are some. Only after the pass `tops`."""

    zone: Expression


@dataclass(frozen=True, slots=True)
class Wait(Operation):
    """The action ends: a seat, chance or several are asked. `map` says which evaluator's position this is, `keeps` which locals that needs."""

    seat: Expression
    map: int
    keeps: tuple[str, ...] = ()
    next: int = -1  # the state to go on in; from the pass `states` on


@dataclass(frozen=True, slots=True)
class Enter(Operation):
    """A function that may wait begins, in a frame of its own; when it returns, locals and arrays take what it gives."""

    function: str
    arguments: tuple[Expression | Array, ...]
    results: tuple[str, ...] = ()
    arrays: tuple[str, ...] = ()  # arrays of this frame that take the arrays given back, in order
    map: int = -1
    keeps: tuple[str, ...] = ()
    next: int = -1


@dataclass(frozen=True, slots=True)
class Leave(Operation):
    """The frame on top is over; the one below goes on. What is given back lies in `returned`; only after the pass `states`."""


@dataclass(frozen=True, slots=True)
class Goto(Operation):
    """On to a state; only after the pass `states`."""

    state: int


@dataclass(frozen=True, slots=True)
class Finish(Operation):
    """The game is over; its result lies in the array `result`."""


@dataclass(frozen=True, slots=True)
class Recall(Operation):
    """An array is what another one was when offers were made of it: a body works it out again, unless somebody has kept that."""

    target: str
    source: str
    body: Body


@dataclass(frozen=True, slots=True)
class Memo(Operation):
    """A body offers what only depends on some locals and arrays: whoever has kept what it offered for the same words may offer that."""

    words: tuple[str, ...]
    arrays: tuple[str, ...]
    body: Body


@dataclass(frozen=True, slots=True)
class Fail(Operation):
    """The action fails: whoever defines the meaning says what is the matter."""


@dataclass(frozen=True, slots=True)
class Try(Operation):
    """A body runs on a copy of everything that is thrown away afterwards; a local takes the word it ends with, 0 if the game is over before.

    Arrays of the function in `keeps` stay as the body left them. What is `counted` is one of the positions that an action may examine.
    """

    name: str
    body: Body
    word: Expression
    keeps: tuple[str, ...] = ()
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Ahead(Operation):
    """A body in which somebody may wait runs only if some way through it comes to its end as it must; a local says whether it does.

    `active` is 1 while control is inside; `number` tells blocks of a function apart; `within` decisions are looked ahead, 0: as many as there may be.
    """

    name: str
    active: str
    number: int
    within: int
    body: Body


@dataclass(frozen=True, slots=True)
class Explore(Operation):
    """A local says whether some way from a state on reaches the end of an `Ahead`; only after the pass `states`."""

    name: str
    active: str
    number: int
    within: int
    state: int


@dataclass(frozen=True, slots=True)
class DeadEnd(Operation):
    """The end of a way of a look-ahead that does not end as it must."""


@dataclass(frozen=True, slots=True)
class Reached(Operation):
    """The end of a block that is looked ahead in; the way counts if it is this block's that is looked for."""

    number: int


Statement = (
    Set | Store | Copy | Append | Sort | Push | Insert | Remove | Truncate | Loosen
    | If | Loop | For | Each | Break | Continue | Switch | Call | Return | Guard | Pay
    | NoOffers | Offer | OfferBits | OfferTop | Wait | Enter | Leave | Goto | Finish | Recall | Memo | Fail | Try | Ahead | Explore | DeadEnd
    | Reached
)  # fmt: skip
Body = tuple[Statement, ...]

STATEMENTS: tuple[type, ...] = get_args(Statement)

__all__ = [
    "Add", "Ahead", "And", "Append", "Array", "Bits", "Body", "Break", "CHANCE", "Call", "Case", "Chosen", "ChosenSeat", "Const", "Continue",
    "Copy", "CountBits", "DeadEnd", "Div", "EXPRESSIONS", "Each", "Element", "Enter", "Eq", "Explore", "Expression", "Fail", "Find", "Finish",
    "For", "Goto", "Guard", "Holds", "If", "Insert", "Le", "Leave", "Length", "Load", "Local", "Loop", "Loose", "Loosen", "LowBit", "Lt", "Memo",
    "Mod", "Mul", "NONE", "NoOffers", "Not", "Offer", "OfferBits", "OfferTop", "Offered", "Or", "PartBegin", "Pay", "Push", "Rank", "Reached",
    "Recall", "Remove", "Return", "SEVERAL", "STATEMENTS", "Searching", "Select", "Set", "Sort", "Statement", "Store", "Sub", "Switch", "Times",
    "Truncate", "Try", "Wait",
]  # fmt: skip
