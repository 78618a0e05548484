"""Sets that chance chooses, of which there are too many to weigh.

Proves: the numbers and the size of the source are constants (of a zone: as many components as it can hold), and there are then more sets than
chance weighs before the game stops with a fault. A source of unknown size, `merging` and `such that` are left to the game.
"""

from __future__ import annotations

from math import comb, prod

from croupier.diagnostics import Diagnostic, diagnose
from croupier.semantics import types as t
from croupier.semantics.lints.walk import bodies, most
from croupier.semantics.program import ClassDef, Program
from croupier.semantics.tree import Choice, X

_WEIGHED = 200_000  # sets and beginnings of sets, as many as the evaluator goes through


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """Choices of several by chance that would stop the game."""
    found: list[Diagnostic] = []
    for _, s in bodies(program):
        if s.op == "choose" and s.data[0].many and s.data[0].chooser == "chance":
            choice: Choice = s.data[0]
            size, low, high = _numbers(program, choice)
            if _visited(size, low, high) > _WEIGHED:
                sets = sum(comb(size, k) for k in range(low, high + 1))
                chosen = f"{low if low == high else f'{low}..{high}'} of {size}"
                item = choice.name.removesuffix("s") or choice.name
                found.append(diagnose("L026", s.span, sets=f"{sets:,}", chosen=chosen, item=item, source=choice.source.span.text))
    return found


def _visited(size: int, low: int, high: int) -> int:
    """How many sets and beginnings of sets the evaluator goes through to weigh the first item."""
    whole = sum(comb(size - 1, k - 1) for k in range(max(1, low), high + 1))
    return whole + sum(comb(size - 1 - (low - k), k - 1) for k in range(1, min(low, high + 1)))


def _numbers(program: Program, choice: Choice) -> tuple[int, int, int]:
    """How many there may be to choose from, and the least and most that are chosen; zeros where that is not known."""
    low, high = _constant(choice.low), _constant(choice.high)
    size = most(choice.source, program)
    if size is None and isinstance(choice.base, t.Component) and choice.source.op in ("zone_list", "zone_all", "zone.list", "class"):
        size = _components(program, choice.base)
    if size is None or low is None or low > size or choice.merging or choice.such_that is not None:
        return 0, 0, 0
    return size, low, min(size, size if high is None else high)


def _constant(x: X | None) -> int | None:
    return x.type.low if x is not None and isinstance(x.type, t.Int) and x.type.low == x.type.high else None


def _components(program: Program, kind: t.Component) -> int | None:
    """How many components of these kinds a game has, if that is the same in every game."""
    numbers = [_of_class(program, program.classes[name]) for name in kind.kinds]
    return None if None in numbers else sum(n for n in numbers if n is not None)


def _of_class(program: Program, of: ClassDef) -> int | None:
    copies = 1 if of.copies is None else _constant(of.copies)
    if copies is None:
        return None
    if of.rows:
        return copies * len(of.rows)
    sizes = [_size(program, of.attributes.get(name)) for name in of.each]
    return None if None in sizes else copies * prod(n for n in sizes if n is not None)


def _size(program: Program, kind: t.Type | None) -> int | None:
    match kind:
        case t.Bool():
            return 2
        case t.Enum():
            return len(program.enums[kind.name].values)
        case t.Int() if kind.low is not None and kind.high is not None and kind.low_exact is None and kind.high_exact is None:
            return kind.high - kind.low + 1
    return None
