"""Construction of the core: constructors that fold constants, and a writer that collects the statements of a
function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from croupier.core import operations as op
from croupier.core.operations import Const, Expression, Statement
from croupier.core.types import Memory
from croupier.core.walk import expressions

TRUE, FALSE, NONE = Const(1), Const(0), Const(op.NONE)
TESTS = (op.Eq, op.Lt, op.Le, op.And, op.Or, op.Not, op.Loose, op.Holds, op.Offered)


def const(value: int) -> Const:
    """A constant."""
    return Const(int(value))


def add(a: Expression, b: Expression) -> Expression:
    """The sum."""
    match a, b:
        case Const(x), Const(y):
            return Const(x + y)
        case Const(0), _:
            return b
        case _, Const(0):
            return a
        case op.Add(c, Const(x)), Const(y):
            return add(c, Const(x + y))
        case op.Sub(c, Const(x)), Const(y):
            return add(c, Const(y - x)) if y >= x else op.Sub(c, Const(x - y))
        case Const(_), _:
            return add(b, a)
        case _, Const(x) if x < 0:
            return op.Sub(a, Const(-x))
    return op.Add(a, b)


def sub(a: Expression, b: Expression) -> Expression:
    """The difference."""
    match a, b:
        case Const(x), Const(y):
            return Const(x - y)
        case _, Const(x):
            return add(a, Const(-x))
    return op.Sub(a, b)


def mul(a: Expression, b: Expression) -> Expression:
    """The product."""
    match a, b:
        case Const(x), Const(y):
            return Const(x * y)
        case (Const(0), _) | (_, Const(0)):
            return FALSE
        case Const(1), _:
            return b
        case _, Const(1):
            return a
    return op.Mul(a, b)


def times(a: Expression, b: Expression) -> Expression:
    """The product of small words, unchecked."""
    found = mul(a, b)
    return op.Times(a, b) if isinstance(found, op.Mul) else found


def mod(a: Expression, b: Expression) -> Expression:
    """The remainder, as `Mod`."""
    match a, b:
        case Const(x), Const(y) if y:
            return Const(x % y)
    return op.Mod(a, b)


def div(a: Expression, b: Expression) -> Expression:
    """The quotient, as `Div`."""
    match a, b:
        case Const(x), Const(y) if y:
            return Const(x // y)
    return op.Div(a, b)


def eq(a: Expression, b: Expression) -> Expression:
    """1 if both words are equal."""
    match a, b:
        case Const(x), Const(y):
            return Const(int(x == y))
        case Const(_), _:
            return eq(b, a)
    return TRUE if a == b else op.Eq(a, b)


def lt(a: Expression, b: Expression) -> Expression:
    """1 if the first is less."""
    match a, b:
        case Const(x), Const(y):
            return Const(int(x < y))
    return op.Lt(a, b)


def le(a: Expression, b: Expression) -> Expression:
    """1 if the first is less or equal."""
    match a, b:
        case Const(x), Const(y):
            return Const(int(x <= y))
    return op.Le(a, b)


def not_(a: Expression) -> Expression:
    """Logical not."""
    match a:
        case Const(x):
            return Const(int(not x))
        case op.Not(b):
            return b
        case op.Lt(x, y):
            return op.Le(y, x)
        case op.Le(x, y):
            return op.Lt(y, x)
    return op.Not(a)


def and_(a: Expression, b: Expression) -> Expression:
    """Logical and; short-circuit."""
    match a, b:
        case Const(x), _:
            return b if x else FALSE
        case _, Const(x) if x or not may_fail(a):
            return a if x else FALSE
    return op.And(a, b)


def or_(a: Expression, b: Expression) -> Expression:
    """Logical or; short-circuit."""
    match a, b:
        case Const(x), _:
            return TRUE if x else b
        case _, Const(x) if not x or not may_fail(a):
            return TRUE if x else a
    return op.Or(a, b)


def may_fail(e: Expression) -> bool:
    """Return whether evaluating an expression may fail the action, or is defined only under a condition."""
    return any(isinstance(part, (op.Mul, op.Find)) for part in (e, *expressions(e)))


def all_of(tests: list[Expression]) -> Expression:
    """The conjunction of tests."""
    found: Expression = TRUE
    for t in tests:
        found = and_(found, t)
    return found


def select(test: Expression, a: Expression, b: Expression) -> Expression:
    """One of two words by a test."""
    match test:
        case Const(x):
            return a if x else b
    if a == b:
        return a
    return test if (a, b) == (TRUE, FALSE) and isinstance(test, TESTS) else op.Select(test, a, b)


def is_none(a: Expression) -> Expression:
    """Return an expression that is 1 if a word is `NONE`."""
    return eq(a, NONE)


class Writer:
    """Collects the statements and arrays of one function, and makes names for its locals.

    What is emitted in `with w.count(low, high) as i` is the body of a loop of the core; so are the blocks of
    the other context managers.
    """

    def __init__(self) -> None:
        self.out: list[Statement] = []
        self.memories: dict[str, Memory] = {}
        self.names = 0

    @property
    def is_left(self) -> bool:
        """Whether control never reaches what is written next."""
        return bool(self.out) and isinstance(
            self.out[-1], (op.Break, op.Continue, op.Return, op.Finish, op.Fail)
        )

    def emit(self, s: Statement) -> None:
        self.out.append(s)

    def fresh(self, base: str = "t") -> str:
        self.names += 1
        return f"{base}_{self.names}"

    def variable(self, start: Expression) -> str:
        """A new local, and its initial value."""
        name = self.fresh()
        self.set(name, start)
        return name

    def array(self, size: int, base: str = "a") -> str:
        """Declare a new array of the function."""
        name = self.fresh(base)
        self.memories[name] = Memory(name, max(1, size))
        return name

    @contextmanager
    def inside(self) -> Iterator[list[Statement]]:
        """A context in which emitted statements go to the list that it yields."""
        held, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = held

    @contextmanager
    def dropped(self, is_dropped: bool) -> Iterator[list[Statement]]:
        """`inside`, after which names and arrays of what is dropped are free again."""
        names, memories = self.names, dict(self.memories)
        with self.inside() as body:
            yield body
        if is_dropped:
            self.names, self.memories = names, memories

    def block(self, write: Callable[[], None]) -> op.Body:
        with self.inside() as body:
            write()
        return tuple(body)

    # ------------------------------------------------------------ shorthands
    def set(self, name: str, value: Expression) -> None:
        if value != op.Local(name):
            self.emit(op.Set(name, value))

    def temp(self, value: Expression, base: str = "t") -> Expression:
        """A local, or constant, with the present value of an expression."""
        if isinstance(value, Const):
            return value
        name = self.fresh(base)
        self.emit(op.Set(name, value))
        return op.Local(name)

    def store(self, memory: str, index: Expression, value: Expression) -> None:
        self.emit(op.Store(memory, index, value))

    def guard(self, test: Expression) -> None:
        if test != TRUE:
            self.emit(op.Guard(test))

    def when(
        self, test: Expression, then: Callable[[], None], otherwise: Callable[[], None] | None = None
    ) -> None:
        """Emit `if`; with a constant test only the branch that is taken."""
        if isinstance(test, Const):
            if test.value:
                then()
            elif otherwise is not None:
                otherwise()
            return
        body, other = self.block(then), () if otherwise is None else self.block(otherwise)
        if body:
            self.emit(op.If(test, body, other))
        elif other:
            self.emit(op.If(not_(test), other))

    def cases(self, branches: Sequence[tuple[Expression, Callable[[], None]]]) -> None:
        """Emit the first branch whose test holds: `if`, `else if`. That of the last one is known to hold."""
        (test, body), *rest = branches
        if rest:
            self.when(test, body, lambda: self.cases(rest))
        else:
            body()

    @contextmanager
    def where(self, test: Expression) -> Iterator[None]:
        """`when` for a block, which is dropped if the test is known not to hold."""
        with self.dropped(test == FALSE) as body:
            yield
        self.when(test, lambda: self.out.extend(body))

    @contextmanager
    def count(self, low: Expression, high: Expression) -> Iterator[Expression]:
        """Emit `for`, with a new local as counter; the block is dropped if there is nothing to count."""
        is_empty = isinstance(low, Const) and isinstance(high, Const) and high.value <= low.value
        with self.dropped(is_empty) as body:
            name = self.fresh("i")
            yield op.Local(name)
        if not is_empty:
            self.emit(op.For(name, low, high, tuple(body)))

    @contextmanager
    def each(self, zone: Expression) -> Iterator[Expression]:
        """Emit `each`: a loop over the components of a zone."""
        name = self.fresh("c")
        with self.inside() as body:
            yield op.Local(name)
        self.emit(op.Each(name, zone, tuple(body)))

    @contextmanager
    def forever(self) -> Iterator[None]:
        """Emit `loop`, which is left by `leave_if`."""
        with self.inside() as body:
            yield
        self.emit(op.Loop(tuple(body)))

    def leave_if(self, test: Expression, last: Callable[[], None] | None = None) -> None:
        """Leave the loop if a test holds; `last` is what is done before."""

        def leave() -> None:
            if last is not None:
                last()
            self.emit(op.Break())

        self.when(test, leave)
