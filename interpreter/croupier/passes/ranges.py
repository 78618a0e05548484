"""Value range analysis: intervals of expressions, from counted loops, constant tables and arithmetic."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.core import operations as op
from croupier.core.operations import Body, Const, Expression, Local
from croupier.core.types import Memory, constant_words
from croupier.core.walk import statements, times_set

Range = tuple[int, int]  # the least and the greatest word
TEST: Range = (0, 1)
LIMIT = 1 << 63


class Ranges:
    """Intervals of expressions. `known` are those of locals, `tables` the constant arrays."""

    def __init__(self, tables: Mapping[str, Memory]) -> None:
        self.tables = tables
        self.known: dict[str, Range] = {}
        self._of_table: dict[str, Range] = {}

    def of(self, e: Expression) -> Range | None:
        """Return the interval of an expression; `None` if nothing is known."""
        match e:
            case Const(value):
                return value, value
            case Local(name):
                return self.known.get(name)
            case op.Load(memory, _):
                return self.of_table(memory)
            case (
                op.Eq()
                | op.Lt()
                | op.Le()
                | op.Not()
                | op.Loose()
                | op.Searching()
                | op.Holds()
                | op.Offered()
            ):
                return TEST
            case op.Length() | op.Find() | op.Rank() | op.PartBegin() | op.CountBits():
                return 0, 1 << 20
            case op.And(a, b) | op.Or(a, b) if self.of(a) == TEST and self.of(b) == TEST:
                return TEST
            case op.Select(_, a, b):
                one, two = self.of(a), self.of(b)
                return None if one is None or two is None else (min(one[0], two[0]), max(one[1], two[1]))
            case op.Mod(_, Const(n)) if n > 0:
                return 0, n - 1
            case op.Add(a, b) | op.Sub(a, b) | op.Mul(a, b) | op.Times(a, b):
                return self._arithmetic(e, self.of(a), self.of(b))
            case op.Div(a, Const(n)) if n > 0:
                one = self.of(a)
                return None if one is None else (one[0] // n, one[1] // n)
        return None

    @staticmethod
    def _arithmetic(e: Expression, a: Range | None, b: Range | None) -> Range | None:
        if a is None or b is None:
            return None
        match e:
            case op.Add():
                return a[0] + b[0], a[1] + b[1]
            case op.Sub():
                return a[0] - b[1], a[1] - b[0]
        products = [x * y for x in a for y in b]
        return min(products), max(products)

    def of_table(self, name: str) -> Range | None:
        """Return the interval of the words of a constant table; `None` if it is not constant."""
        words = constant_words(self.tables, name)
        if not words:
            return None
        if name not in self._of_table:
            self._of_table[name] = min(words), max(words)
        return self._of_table[name]

    def is_small(self, e: Expression) -> bool:
        """Return whether an expression certainly fits in 64 bits."""
        found = self.of(e)
        return found is not None and -LIMIT <= found[0] and found[1] < LIMIT

    def fold_comparison(self, e: Expression) -> Expression:
        """Fold a comparison that the intervals decide."""
        match e:
            case op.Lt(a, b) | op.Le(a, b) | op.Eq(a, b):
                one, two = self.of(a), self.of(b)
                if one is None or two is None:
                    return e
                match e:
                    case op.Lt():
                        holds, fails = one[1] < two[0], one[0] >= two[1]
                    case op.Le():
                        holds, fails = one[1] <= two[0], one[0] > two[1]
                    case _:
                        holds, fails = False, one[1] < two[0] or two[1] < one[0]
                return Const(int(holds)) if holds or fails else e
        return e


def ranges_of_locals(body: Body, tables: Mapping[str, Memory], given: tuple[str, ...] = ()) -> Ranges:
    """Intervals of the locals that a body sets once. `given`: locals that are set before it."""
    found, inside = Ranges(tables), statements(body)
    times = times_set(body, given)
    for s in inside:
        match s:
            case op.Set(name, value) if times[name] == 1:
                bounds = found.of(value)
            case op.For(name, low, high) if times[name] == 1:
                least, most = found.of(low), found.of(high)
                bounds = (
                    None if least is None or most is None or most[1] <= least[0] else (least[0], most[1] - 1)
                )
            case _:
                continue
        if bounds is not None:
            found.known[name] = bounds
    return found
