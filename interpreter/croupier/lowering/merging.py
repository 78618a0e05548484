"""`merging`: candidates that look alike are one option, the first of them; at chance their weights add up."""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, and_, const, eq, lt, sub
from croupier.core.operations import Expression, Local
from croupier.lowering.candidates import Candidates
from croupier.lowering.compare import equal
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.refusal import NotLowered
from croupier.lowering.shapes import optional
from croupier.lowering.sources import gathered, most_elements
from croupier.semantics import types as t
from croupier.semantics.tree import Choice


def attribute(c: Context, base: t.Type, name: str, v: Operand) -> Operand:
    """What `merging` looks at: a field, a column, an attribute of a component."""
    if isinstance(base, t.Record):
        assert isinstance(v, Ref)
        return c.load(c.parts(v)[list(c.game.program.records[base.name].fields).index(name)])
    assert not isinstance(v, Ref)
    if isinstance(base, t.Enum):
        return c.rows(list(c.game.columns[base.name, name]), c.shape(c.game.program.enums[base.name].columns[name]), v)
    if isinstance(base, t.Component):
        if all(c.game.program.vars.get(f"{k}.{name}") is None for k in base.kinds):
            kinds = [c.game.program.classes[k].attributes[name] for k in base.kinds]
            shape = c.shape(kinds[0])
            values = [p.attributes.get(name) for p in c.game.pieces]
            return c.rows(values, optional(shape) if None in values else shape, v)
        if len(base.kinds) == 1:
            kind = next(iter(base.kinds))
            variable = c.game.program.vars[f"{kind}.{name}"]
            whole = Ref(f"v{variable.index}", FALSE, c.shape(variable.type))
            return c.load(c.entry(whole, c.w.temp(sub(v, const(c.game.kinds[kind][0])))))
    raise NotLowered("`merging` by an attribute of several kinds of components")


def alike(c: Context, choice: Choice, a: Operand, b: Operand) -> Expression:
    """1 if two candidates are one option."""
    test: Expression = TRUE
    for name in choice.merging:
        test = and_(test, equal(c, attribute(c, choice.base, name, a), attribute(c, choice.base, name, b)))
    return test


def groups(
    c: Context,
    choice: Choice,
    found: Candidates,
    offer: Callable[[Expression, Expression], None],
    weigh: Callable[[Operand], Expression] | None = None,
) -> None:
    """Offers the first of each kind; at chance the weights of all of them add up."""
    w = c.w
    domain = c.game.domain(choice.base)[1] if found.finite else 0
    most = domain or most_elements(c, choice.source) or 256
    actions, weights, n = w.array(2 * most), w.array(most), w.fresh()
    w.set(n, FALSE)
    seen = None
    if found.finite:
        seen = w.array(domain, "m")
        w.count(FALSE, const(domain), lambda i: w.store(seen or "", i, FALSE))

    def note(action: Expression, v: Operand) -> None:
        def keep() -> None:
            w.guard(lt(Local(n), const(most)))
            w.store(actions, op.Mul(Local(n), const(2)), action)
            w.store(actions, add(op.Mul(Local(n), const(2)), TRUE), TRUE if weigh is None else weigh(v))
            w.set(n, add(Local(n), TRUE))

        if seen is None:
            keep()
        else:
            at = w.temp(sub(action, const(found.shift)))

            def once() -> None:
                w.store(seen, at, TRUE)
                keep()

            w.when(eq(op.Load(seen, at), FALSE), once)

    found.each(note)
    w.emit(op.Sort(actions, FALSE, Local(n), 2, 1))
    w.count(FALSE, Local(n), lambda i: w.store(weights, i, TRUE))  # 1: the first of its kind
    list_ = None if found.finite else gathered(c, choice.source)

    def value_at(i: Expression) -> Operand:
        action = op.Load(actions, op.Mul(i, const(2)))
        if list_ is None:
            return w.temp(add(action, const(found.low - found.shift)))
        return c.element(list_, w.temp(sub(action, const(found.shift))))

    def compare(i: Expression) -> None:
        a, total = value_at(i), w.fresh()
        w.set(total, op.Load(actions, add(op.Mul(i, const(2)), TRUE)))

        def others(j: Expression) -> None:
            def same() -> None:
                w.store(weights, j, FALSE)
                w.set(total, add(Local(total), op.Load(actions, add(op.Mul(j, const(2)), TRUE))))

            w.when(eq(op.Load(weights, j), TRUE), lambda: w.when(alike(c, choice, a, value_at(j)), same))

        def lead() -> None:
            w.count(add(i, TRUE), Local(n), others)
            offer(op.Load(actions, op.Mul(i, const(2))), Local(total))

        w.when(eq(op.Load(weights, i), TRUE), lead)

    w.count(FALSE, Local(n), compare)
