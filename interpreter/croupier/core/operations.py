"""The operations of the core, one frozen class each: first expressions, then statements.

A word is an integer; `NONE` is one word of its own. Expressions are pure and yield one word; statements
change locals, memory, zones, offers or control. Bodies are tuples of statements. Nothing here knows what a
rule is.
"""

from __future__ import annotations

from typing import get_args

from croupier.records import dataclass

# the word for no value; smaller than every number of the language, so that none sorts first
NONE = -(1 << 60)
CHANCE, SEVERAL = -1, -2  # who a `Wait` waits for, beside seats from 0


# ---------------------------------------------------------------- expressions
class Operation:
    """Base of all operations.

    It has slots for the results that `walk.py` caches; operations are immutable.
    """

    __slots__ = ("_arrays", "_inside", "_kinds", "_mentions", "_parts", "_reads", "_summary")


@dataclass(frozen=True, slots=True)
class Const(Operation):
    """A constant."""

    value: int


@dataclass(frozen=True, slots=True)
class Local(Operation):
    """A local of the current function."""

    name: str


@dataclass(frozen=True, slots=True)
class Load(Operation):
    """A word of an array: of the state, a table, or the current function."""

    memory: str
    index: Expression


@dataclass(frozen=True, slots=True)
class Length(Operation):
    """The number of components in a zone."""

    zone: Expression


@dataclass(frozen=True, slots=True)
class Element(Operation):
    """The component at an index of a zone; 0 is the bottom."""

    zone: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Loose(Operation):
    """1 if an index of a zone and the next above it belong to the same unordered part."""

    zone: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Find(Operation):
    """The index of a component in its zone."""

    zone: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Rank(Operation):
    """The number of components of a sorted zone that are less than a given one."""

    zone: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class PartBegin(Operation):
    """The lowest index of the unordered part of a zone that an index belongs to."""

    zone: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Chosen(Operation):
    """The action that ended the last wait."""


@dataclass(frozen=True, slots=True)
class ChosenSeat(Operation):
    """The seat that took it, after a wait for several seats."""


@dataclass(frozen=True, slots=True)
class Binary(Operation):
    """Base of the operations on two words."""

    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Add(Binary):
    """The sum, unchecked."""


@dataclass(frozen=True, slots=True)
class Sub(Binary):
    """The difference, unchecked."""


@dataclass(frozen=True, slots=True)
class Mul(Binary):
    """The product; the action fails if it overflows 64 bits."""


@dataclass(frozen=True, slots=True)
class Times(Binary):
    """The product, unchecked: its operands are known to be small."""


@dataclass(frozen=True, slots=True)
class Div(Binary):
    """Floor division; the divisor is never 0."""


@dataclass(frozen=True, slots=True)
class Mod(Binary):
    """The remainder of `Div`."""


@dataclass(frozen=True, slots=True)
class Eq(Binary):
    """1 if both words are equal."""


@dataclass(frozen=True, slots=True)
class Lt(Binary):
    """1 if the first is less."""


@dataclass(frozen=True, slots=True)
class Le(Binary):
    """1 if the first is less or equal."""


@dataclass(frozen=True, slots=True)
class And(Binary):
    """Logical and; short-circuit."""


@dataclass(frozen=True, slots=True)
class Or(Binary):
    """Logical or; short-circuit."""


@dataclass(frozen=True, slots=True)
class Not(Operation):
    """Logical not."""

    a: Expression


@dataclass(frozen=True, slots=True)
class Select(Operation):
    """One of two words by a test; only that one is evaluated."""

    test: Expression
    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class Bits(Operation):
    """A bitwise operation: `and`, `or`, `xor`, `shl`, `shr`."""

    kind: str
    a: Expression
    b: Expression


@dataclass(frozen=True, slots=True)
class CountBits(Operation):
    """The number of bits that are set."""

    a: Expression


@dataclass(frozen=True, slots=True)
class LowBit(Operation):
    """The index of the lowest bit that is set; at least one is."""

    a: Expression


@dataclass(frozen=True, slots=True)
class Holds(Operation):
    """1 if a word is among `count` words of an array, from an index on."""

    memory: str
    begin: Expression
    count: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Offered(Operation):
    """1 if anything is on offer."""


@dataclass(frozen=True, slots=True)
class Searching(Operation):
    """1 while a look-ahead is searching."""


Expression = (
    Const | Local | Load | Length | Element | Loose | Find | Rank | PartBegin | Chosen | ChosenSeat
    | Searching | Holds | Offered | Add | Sub | Mul | Times | Div | Mod | Eq | Lt | Le | And | Or
    | Not | Select | Bits | CountBits | LowBit
)  # fmt: skip
EXPRESSIONS: tuple[type, ...] = get_args(Expression)


# ---------------------------------------------------------------- statements
@dataclass(frozen=True, slots=True)
class Set(Operation):
    """Assign a local."""

    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Store(Operation):
    """Store a word in an array."""

    memory: str
    index: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Copy(Operation):
    """Copy words between arrays, or within one as if all were read first."""

    target: str
    at: Expression
    source: str
    begin: Expression
    count: Expression


@dataclass(frozen=True, slots=True)
class Append(Operation):
    """Append an element of these words to the list in an array, whose first word is its length.

    The action fails past `most` elements.
    """

    memory: str
    values: tuple[Expression, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Sort(Operation):
    """Sort rows of `stride` words of an array, from an index on, stably by their first `keys` words."""

    memory: str
    at: Expression
    count: Expression
    stride: int
    keys: int


@dataclass(frozen=True, slots=True)
class Push(Operation):
    """Put a component on top of a zone."""

    zone: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Insert(Operation):
    """Insert a component into a zone at an index."""

    zone: Expression
    index: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Remove(Operation):
    """Remove the component at an index of a zone. The rest of its unordered part stays one part."""

    zone: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Truncate(Operation):
    """Keep only the lowest components of a zone."""

    zone: Expression
    length: Expression


@dataclass(frozen=True, slots=True)
class Loosen(Operation):
    """Set whether an index of a zone and the next above it belong to the same unordered part."""

    zone: Expression
    index: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class If(Operation):
    """Run one of two bodies."""

    test: Expression
    then: Body
    otherwise: Body = ()


@dataclass(frozen=True, slots=True)
class Loop(Operation):
    """Repeat until `Break`."""

    body: Body


@dataclass(frozen=True, slots=True)
class For(Operation):
    """Count a local from `low` to below `high`; both are evaluated once."""

    name: str
    low: Expression
    high: Expression
    body: Body


@dataclass(frozen=True, slots=True)
class Each(Operation):
    """Iterate over the components of a zone, bottom to top; the body does not change the zone."""

    name: str
    zone: Expression
    body: Body


@dataclass(frozen=True, slots=True)
class Break(Operation):
    """Leave the innermost loop."""


@dataclass(frozen=True, slots=True)
class Continue(Operation):
    """Go to the next iteration of the innermost loop."""


@dataclass(frozen=True, slots=True)
class Case(Operation):
    """A case of a `Switch`: its words and its body."""

    values: tuple[int, ...]
    body: Body


@dataclass(frozen=True, slots=True)
class Switch(Operation):
    """Run the case that has the word, or `otherwise`."""

    value: Expression
    cases: tuple[Case, ...]
    otherwise: Body = ()


@dataclass(frozen=True, slots=True)
class Array(Operation):
    """An argument: an array from an index on. A function only reads it, unless the parameter `gives`."""

    memory: str
    at: Expression


@dataclass(frozen=True, slots=True)
class Call(Operation):
    """Call a function that does not wait, and assign its results to locals."""

    function: str
    arguments: tuple[Expression | Array, ...]
    results: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Return(Operation):
    """Return these words."""

    values: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Guard(Operation):
    """Fail the action unless a test is 1."""

    test: Expression


@dataclass(frozen=True, slots=True)
class Pay(Operation):
    """Pay steps of fuel; the action fails if too few are left."""

    steps: Expression


@dataclass(frozen=True, slots=True)
class NoOffers(Operation):
    """Withdraw all offers."""


@dataclass(frozen=True, slots=True)
class Offer(Operation):
    """Offer an action. `weight`: at chance its weight; at a simultaneous choice its seat."""

    action: Expression
    weight: Expression = Const(1)


@dataclass(frozen=True, slots=True)
class OfferBits(Operation):
    """Offer an action for each bit of a word that is set: its index plus a constant.

    Only after the pass `bitsets`.
    """

    word: Expression
    more: Expression


@dataclass(frozen=True, slots=True)
class OfferTop(Operation):
    """Offer each component of the unordered part on top of a zone, which is not empty.

    Only after `offer_unordered_tops`.
    """

    zone: Expression


@dataclass(frozen=True, slots=True)
class Wait(Operation):
    """End the action and ask a seat, chance or several seats.

    `map`: the frame map, from which the evaluator's position is made; `keeps`: the locals that it needs.
    """

    seat: Expression
    map: int
    keeps: tuple[str, ...] = ()
    next: int = -1  # the state to go on in; from the pass `states` on


@dataclass(frozen=True, slots=True)
class Enter(Operation):
    """Enter a function that may wait, on a frame of its own; when it returns, its results go to locals and
    arrays.
    """

    function: str
    arguments: tuple[Expression | Array, ...]
    results: tuple[str, ...] = ()
    arrays: tuple[str, ...] = ()  # arrays of this frame that take the arrays given back, in order
    map: int = -1
    keeps: tuple[str, ...] = ()
    next: int = -1


@dataclass(frozen=True, slots=True)
class Leave(Operation):
    """Pop the frame and go on in the one below; results are in `returned`. Only after the pass `states`."""


@dataclass(frozen=True, slots=True)
class Goto(Operation):
    """Jump to a state. Only after the pass `states`."""

    state: int


@dataclass(frozen=True, slots=True)
class Finish(Operation):
    """End the game; its result is in the array `result`."""


@dataclass(frozen=True, slots=True)
class Recall(Operation):
    """Give an array the words that `source` had when offers were made from it: `body` computes them again,
    unless a target has kept them.
    """

    target: str
    source: str
    body: Body


@dataclass(frozen=True, slots=True)
class Memo(Operation):
    """A body whose offers depend on these locals and arrays alone: a target may memoize them."""

    words: tuple[str, ...]
    arrays: tuple[str, ...]
    body: Body


@dataclass(frozen=True, slots=True)
class Fail(Operation):
    """Fail the action; the reference evaluator repeats it and reports the fault."""


@dataclass(frozen=True, slots=True)
class Try(Operation):
    """Run a body on a copy of the position, which is then discarded; a local takes the value of `word` at its
    end, or 0 if the game ends before.

    Arrays of the function in `keeps` stay as the body left them. `counted`: it is one of the positions that
    an action may examine.
    """

    name: str
    body: Body
    word: Expression
    keeps: tuple[str, ...] = ()
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Ahead(Operation):
    """Run a body, which may wait, only if some path through it reaches its end and meets its condition; a
    local says whether one does.

    `active` is 1 while control is inside; `number` tells the blocks of a function apart; `within`: decisions
    to look ahead, 0 for no limit.
    """

    name: str
    active: str
    number: int
    within: int
    body: Body


@dataclass(frozen=True, slots=True)
class Explore(Operation):
    """Set a local to whether some path from a state reaches the end of an `Ahead`, whose fields the others
    are.

    Only after the pass `states`.
    """

    name: str
    active: str
    number: int
    within: int
    state: int


@dataclass(frozen=True, slots=True)
class DeadEnd(Operation):
    """End a path of a look-ahead that fails its condition."""


@dataclass(frozen=True, slots=True)
class Reached(Operation):
    """End the block of a look-ahead; the path succeeds if the search is for this block."""

    number: int


Statement = (
    Set | Store | Copy | Append | Sort | Push | Insert | Remove | Truncate | Loosen | If | Loop
    | For | Each | Break | Continue | Switch | Call | Return | Guard | Pay | NoOffers | Offer
    | OfferBits | OfferTop | Wait | Enter | Leave | Goto | Finish | Recall | Memo | Fail | Try
    | Ahead | Explore | DeadEnd | Reached
)  # fmt: skip
Body = tuple[Statement, ...]

STATEMENTS: tuple[type, ...] = get_args(Statement)
