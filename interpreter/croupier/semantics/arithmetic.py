"""Intervals of integer expressions. Bounds beyond 2^53 are given up (the value is trapped when the rule runs)."""

from __future__ import annotations

from itertools import product

from croupier.limits import MAX_NUMBER
from croupier.semantics.types import INT, Int, Type


def interval(op: str, *operands: Type) -> Int:
    """The interval of `op` applied to integers of the operands' intervals."""
    ints = [o if isinstance(o, Int) else INT for o in operands]
    if op == "neg":
        a = ints[0]
        return _capped(None if a.high is None else -a.high, None if a.low is None else -a.low)
    a, b = ints
    if op == "+":
        return _capped(None if a.low is None or b.low is None else a.low + b.low, None if a.high is None or b.high is None else a.high + b.high)
    if op == "-":
        return _capped(None if a.low is None or b.high is None else a.low - b.high, None if a.high is None or b.low is None else a.high - b.low)
    if op == "*":
        if None not in (a.low, a.high, b.low, b.high):
            ends = [x * y for x, y in product((a.low, a.high), (b.low, b.high))]  # type: ignore[operator]
            return _capped(min(ends), max(ends))
        if a.low is not None and b.low is not None and a.low >= 0 and b.low >= 0:
            return _capped(a.low * b.low, None)
        return INT
    if op == "mod":
        if b.low is not None and b.low > 0:
            return _capped(0, None if b.high is None else b.high - 1)
        return INT
    if op == "//":
        if a.low is not None and a.low >= 0 and b.low is not None and b.low >= 0:
            return _capped(0, a.high)
        return INT
    raise AssertionError(op)


def _capped(low: int | None, high: int | None) -> Int:
    return Int(None if low is not None and abs(low) > MAX_NUMBER else low, None if high is not None and abs(high) > MAX_NUMBER else high)
