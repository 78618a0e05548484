"""The reference evaluator: parts of texts as somebody reads them who may not see everything.

A text about somebody's decision is made for each reader. While it is made, `m.seen` holds the eyes of the reader, and each read of a component's
attributes or place, of a zone or of state is tested; a part of a text that reads what the reader may not see is masked. What is called is run by
code of its own that tests its reads, too: what it reads decides, not what it might have read. A local variable is shown as it is: what a rule has
copied into one is its own.
"""

from __future__ import annotations

from typing import Any

from croupier.runtime.callables import Run
from croupier.runtime.compiler import Compiler, ExpressionRow
from croupier.runtime.reads import is_state
from croupier.runtime.values import expr_state
from croupier.semantics import types as t
from croupier.semantics.tree import X

OF_COMPONENTS = ("mutable", "component.owner")
FIXED = ("attr", "is_kind", "is_other")  # what never changes in a component
COUNTS = ("zone.size", "zone.empty", "zone.room")
OF_FAMILY_COUNTS = ("family.size", "family.empty")


def sight_test(ctx: Compiler, x: X) -> Any:
    """May the eyes of `m` see what an operation reads? None for one that reads nothing of a position."""
    game, op = ctx.game, x.op
    if op in OF_COMPONENTS:
        piece = ctx.plain(x.args[0])
        return lambda m, L: m.seen(piece(m, L))
    if op in FIXED:
        if is_state(x.args[0]):
            return None  # whoever may read the state knows which component it is
        piece = ctx.plain(x.args[0])
        return lambda m, L: m.seen.named(piece(m, L))
    if op == "family.key":
        piece = ctx.plain(x.args[1])
        return lambda m, L: m.seen(piece(m, L))
    if op == "index" and x.args[0].op == "state":
        i, kind = game.program.vars[x.args[0].data].index, x.args[0].type
        assert isinstance(kind, t.Map)
        key, low = ctx.plain(x.args[1]), game.domain(kind.key)[0]
        return lambda m, L: m.seen.variable(i, key(m, L) - low)
    if op == "state":
        i = game.program.vars[x.data].index
        return lambda m, L: m.seen.variable(i, None)
    if op in ("zone_list", "zone_all", "zone_item") or op.startswith("zone."):
        zone = ctx.plain(x.args[0])
        return (lambda m, L: m.seen.count(zone(m, L))) if op in COUNTS else (lambda m, L: m.seen.zone(zone(m, L)))
    if op == "family_list" or op.startswith("family."):
        first, count = game.family[x.args[0].data]
        if op in OF_FAMILY_COUNTS:
            return lambda m, L: all(m.seen.count(z) for z in range(first, first + count))
        return lambda m, L: all(m.seen.zone(z) for z in range(first, first + count))
    if op in ("call", "original"):
        if ctx.watched:
            return None
        pieces = [ctx.plain(a) for a in x.args if isinstance(a.type, t.Component)]
        return (lambda m, L: all(m.seen(f(m, L)) for f in pieces)) if pieces else None
    return None


def expr_state_entry(ctx: Compiler, x: X) -> Run:
    """A map of state where only one entry of it is read: that entry is what is tested."""
    return expr_state(ctx, x)


EXPRESSIONS: dict[str, ExpressionRow] = {"state_entry": expr_state}  # of a map of state only one entry is read: that entry is what is tested
