"""The reference evaluator: lists, maps, comprehensions and aggregates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.folds import FoldKind
from croupier.kernel.tree import CompExpr, MapCompExpr, MapRowsExpr, TypedExpr, of_form
from croupier.limits import MAX_LIST
from croupier.runtime.compiler import AggregateRow, Compiler, ExpressionRow
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value
from croupier.runtime.machine import Locals, Machine, Run, Walk
from croupier.runtime.operators import number
from croupier.runtime.values import fixed
from croupier.runtime.zone_contents import GRAIN

# ------------------------------------------------------------ literals and operators


def _expr_list(ctx: Compiler, x: TypedExpr) -> Run:
    runs = ctx.exprs(x.args)
    kind = x.type.kind if isinstance(x.type, t.Collection) else "list"
    if kind != "list":
        return lambda m, L: canonical(kind, [f(m, L) for f in runs])
    return lambda m, L: tuple(f(m, L) for f in runs)


def _expr_join(ctx: Compiler, x: TypedExpr) -> Run:
    a, b = ctx.exprs(x.args)
    kind, span = x.type.kind if isinstance(x.type, t.Collection) else "list", x.span

    def run(m: Machine, L: Locals) -> Value:
        out = a(m, L) + b(m, L)
        if len(out) > MAX_LIST:
            raise Fault("R012", span, capacity=MAX_LIST)
        m.spend(len(out) // GRAIN if kind == "list" else len(out), span)
        return out if kind == "list" else canonical(kind, out)

    return run


def _expr_without(ctx: Compiler, x: TypedExpr) -> Run:
    (a, b), span = ctx.exprs(x.args), x.span

    def run(m: Machine, L: Locals) -> Value:
        items, away = a(m, L), set(b(m, L))
        m.spend(len(items) + len(away), span)
        return tuple(v for v in items if v not in away)

    return run


def _expr_item(ctx: Compiler, x: TypedExpr) -> Run:
    target, index, span = *ctx.exprs(x.args), x.span

    def run(m: Machine, L: Locals) -> Value:
        items, i = target(m, L), index(m, L)
        if not 1 <= i <= len(items):
            raise Fault("R005", span, index=i, size=len(items))
        return items[i - 1]

    return run


# ------------------------------------------------------------ maps


def _expr_index(ctx: Compiler, x: TypedExpr) -> Run:
    target, key = ctx.exprs(x.args)
    kind = x.args[0].type
    assert isinstance(kind, t.Map)
    low, count = ctx.game.domain(kind.key)
    span = x.span
    wanted = not isinstance(kind.value, (t.Optional, t.Nothing))
    key_type = kind.key
    game = ctx.game

    def run(m: Machine, L: Locals) -> Value:
        k = key(m, L) - low
        if not 0 <= k < count:
            raise Fault("R002", span, value=k + low, type=key_type)
        v = target(m, L)[k]
        if v is None and wanted:
            raise Fault("R014", span, key=game.show(k + low, key_type))
        return v

    return run


def _expr_map(ctx: Compiler, x: TypedExpr) -> Run:
    kind = x.type
    assert isinstance(kind, t.Map)
    if isinstance(kind.key, t.Never):
        return fixed(())
    low, count = ctx.game.domain(kind.key)
    runs, span = ctx.exprs(x.args), x.span
    other = runs.pop() if len(runs) % 2 else None

    def run(m: Machine, L: Locals) -> Value:
        m.spend(count // GRAIN, span)
        out = [None if other is None else other(m, L)] * count
        for i in range(0, len(runs), 2):
            out[place(runs[i](m, L))] = runs[i + 1](m, L)
        return tuple(out)

    place = placing(kind, low, count, span)

    return run


def expr_map_list(ctx: Compiler, x: MapRowsExpr) -> Run:
    """A map written as a list of all its values, `x.rows` the lengths of the rows of a board; only at
    set-up.
    """
    kind = x.type
    assert isinstance(kind, t.Map)
    count = ctx.game.domain(kind.key)[1]
    rows = ctx.game.boards[kind.key.board].rows if isinstance(kind.key, t.Cell) else []
    runs, given, span = ctx.exprs(x.args), x.rows, x.span

    def run(m: Machine, L: Locals) -> Value:
        if given is not None and given != tuple(len(row) for row in rows):
            shape = f"{len(rows)} rows of {len(rows[0])}" if rows else "no rows"
            raise Fault(
                "G026",
                span,
                wanted=shape,
                given=f"{len(given)} rows of {' and '.join(str(n) for n in sorted(set(given)))}",
            )
        if len(runs) != count:
            raise Fault("G026", span, wanted=f"{count} values", given=f"{len(runs)}")
        return tuple(r(m, L) for r in runs)

    return run


def _expr_map_comp(ctx: Compiler, x: MapCompExpr) -> Run:
    kind = x.type
    assert isinstance(kind, t.Map)
    slots, has_condition = x.slots, x.has_condition
    low, count = ctx.game.domain(kind.key)
    *rest, key, value = ctx.exprs(x.args)
    walk, span = walker(slots, rest, has_condition, x.span), x.span
    place = placing(kind, low, count, span)

    def run(m: Machine, L: Locals) -> Value:
        m.spend(count // GRAIN, span)
        out = [None] * count
        for _ in walk(m, L):
            out[place(key(m, L))] = value(m, L)
        return tuple(out)

    return run


def placing(kind: t.Map, low: int, count: int, span: Span) -> Callable[[Value], int]:
    """Return a function from a key to the index of its entry in a map.

    Raises `Fault` (R002) at run time for what is no key.
    """

    def place(k: Value) -> int:
        if not 0 <= k - low < count:
            raise Fault("R002", span, value=k, type=kind.key)
        return int(k) - low

    return place


# ------------------------------------------------------------ comprehensions and aggregates


def walker(slots: tuple[int, ...], rest: list[Run], has_condition: bool, span: Span) -> Walk:
    """A generator that sets the slots to each combination that passes; it lives only within one evaluation.

    Walking a collection costs as many steps as it has elements, charged when the walk begins.
    """
    sources = rest[: len(slots)]
    condition = rest[len(slots)] if has_condition else None
    if len(slots) == 1:
        slot, source = slots[0], sources[0]

        def one(m: Machine, L: Locals) -> Iterator[None]:
            items = source(m, L)
            m.fuel -= len(items)
            if m.fuel < 0:
                m.spend(0, span)
            for v in items:
                L[slot] = v
                if condition is None or condition(m, L):
                    yield

        return one

    last = len(slots) - 1

    def many(m: Machine, L: Locals, depth: int = 0) -> Iterator[None]:
        slot, items = slots[depth], sources[depth](m, L)
        m.spend(len(items), span)
        for v in items:
            L[slot] = v
            if depth < last:
                yield from many(m, L, depth + 1)
            elif condition is None or condition(m, L):
                yield

    return many


def _expr_comp(ctx: Compiler, x: CompExpr) -> Run:
    runs = ctx.exprs(x.args)
    key = runs.pop() if x.has_key else None
    element = runs.pop()
    walk = walker(x.slots, runs, x.has_condition, x.span)
    return FOLDED[x.fold.kind](walk, element, key, x)


def _collect(walk: Walk, element: Run, key: Run | None, x: CompExpr) -> Run:
    kind = x.name
    if kind == "list":
        return lambda m, L: tuple([element(m, L) for _ in walk(m, L)])
    return lambda m, L: canonical(kind, [element(m, L) for _ in walk(m, L)])


def _count(walk: Walk, element: Run, key: Run | None, x: CompExpr) -> Run:
    if isinstance(x.element.type, t.Bool):
        return lambda m, L: sum(1 for _ in walk(m, L) if element(m, L))
    return lambda m, L: sum(1 for _ in walk(m, L))


def _sum(walk: Walk, element: Run, key: Run | None, x: CompExpr) -> Run:
    return number(lambda m, L: sum([element(m, L) for _ in walk(m, L)]), x.span)


def _search(walk: Walk, element: Run, key: Run | None, x: CompExpr) -> Run:
    wanted = x.fold.up

    def run(m: Machine, L: Locals) -> Value:
        for _ in walk(m, L):
            if element(m, L) == wanted:
                return wanted
        return not wanted

    return run


def _extreme(walk: Walk, element: Run, key: Run | None, x: CompExpr) -> Run:
    pick = max if x.fold.up else min
    return lambda m, L: pick([element(m, L) for _ in walk(m, L)], default=None)


def _end(walk: Walk, element: Run, key: Run | None, x: CompExpr) -> Run:
    is_first = x.fold.up

    def run(m: Machine, L: Locals) -> Value:
        v = None
        for _ in walk(m, L):
            v = element(m, L)
            if is_first:
                return v
        return v

    return run


def _only(walk: Walk, element: Run, key: Run | None, x: CompExpr) -> Run:
    def run(m: Machine, L: Locals) -> Value:
        found = [element(m, L) for _ in walk(m, L)]
        return found[0] if len(found) == 1 else None

    return run


def _keyed(walk: Walk, element: Run, key: Run | None, m: Machine, L: Locals) -> list[tuple[Value, Value]]:
    assert key is not None
    return [(key(m, L), element(m, L)) for _ in walk(m, L)]


def _key_of(pair: tuple[Value, Value]) -> Value:
    return pair[0]


def _best(walk: Walk, element: Run, key: Run | None, x: CompExpr) -> Run:
    pick = max if x.fold.up else min  # each gives the first of several

    def run(m: Machine, L: Locals) -> Value:
        found = _keyed(walk, element, key, m, L)
        return pick(found, key=_key_of)[1] if found else None

    return run


def _ties(walk: Walk, element: Run, key: Run | None, x: CompExpr) -> Run:
    def run(m: Machine, L: Locals) -> Value:
        found = _keyed(walk, element, key, m, L)
        top = max((k for k, _ in found), default=None)
        return tuple(v for k, v in found if k == top)

    return run


def _sort(walk: Walk, element: Run, key: Run | None, x: CompExpr) -> Run:
    by, span = element if key is None else key, x.span

    def run(m: Machine, L: Locals) -> Value:
        found = _keyed(walk, element, by, m, L)
        m.spend(2 * len(found), span)
        return tuple(v for _, v in sorted(found, key=_key_of))

    return run


def canonical(kind: str, values: Iterable[Value]) -> tuple[Value, ...]:
    """The one way to write down a set or a bag."""
    order = sorted(set(values) if kind == "set" else values, key=_order)
    return tuple(order)


def _order(v: Value) -> Value:
    if v is None:
        return (0,)
    return (1, tuple(_order(i) for i in v) if isinstance(v, tuple) else v)


EXPRESSIONS: dict[str, ExpressionRow] = {
    "list": _expr_list,
    "join": _expr_join,
    "without": _expr_without,
    "item": _expr_item,
    "index": _expr_index,
    "map": _expr_map,
    "map_list": of_form(MapRowsExpr, expr_map_list),
    "map_comp": of_form(MapCompExpr, _expr_map_comp),
    "comp": of_form(CompExpr, _expr_comp),
}


FOLDED: dict[FoldKind, AggregateRow] = {
    FoldKind.COLLECT: _collect,
    FoldKind.COUNT: _count,
    FoldKind.SUM: _sum,
    FoldKind.SEARCH: _search,
    FoldKind.EXTREME: _extreme,
    FoldKind.END: _end,
    FoldKind.ONLY: _only,
    FoldKind.BEST: _best,
    FoldKind.TIES: _ties,
    FoldKind.SORT: _sort,
}
