"""Declassification: who comes to know what `show`, `tell`, `announce`, a move to where somebody sees it, and calls that do so disclose."""

from __future__ import annotations

from croupier.semantics import types as t
from croupier.semantics.infoflow.effects import kinds_of
from croupier.semantics.infoflow.expressions import COUNTS, Reading
from croupier.semantics.infoflow.interfaces import ProcedureFlow
from croupier.semantics.infoflow.labels import EVERYBODY, NOBODY, WHOLE, Observer, among
from croupier.semantics.infoflow.store import Store
from croupier.semantics.tree import S, X

AS_A_LIST = frozenset("zone_list zone_all zone.list family_list family.list certain bound narrow list join optional_list text".split())


def named(flow: ProcedureFlow, s: S, store: Store, to: X) -> frozenset[Observer]:
    """Those whom a list of players certainly holds."""
    read = flow.at(s, store)
    if to.op == "players":
        return frozenset({EVERYBODY})
    if to.op == "list":
        return frozenset(n for n in (read.number(a) for a in to.args) if n is not None)
    number = read.number(to.args[0]) if to.op == "others" else None
    return NOBODY if number is None else frozenset({("others", number)})


def learn(flow: ProcedureFlow, s: S, store: Store, x: X, readers: frozenset[Observer], facts: bool = True) -> None:
    """These players come to know the value of an expression, as far as they perceive what happens here: declassification."""
    readers = NOBODY if flow.trial else among(readers, flow.audience)
    if not readers:
        return
    read = flow.at(s, store)
    if x.op in AS_A_LIST:
        for a in x.args:
            learn(flow, s, store, a, readers, facts)
    elif x.op == "local":
        number = read.number(x)
        if number is not None:
            store.learn(number, readers)
            for k in kinds_of(x.type) if facts else ():
                store.add_fact(("face", k, number), readers)
    elif not facts:
        return
    elif x.op in ("zone", "zone_at"):
        _add_fact(flow, "zone", x, x.args[0] if x.args else None, read, store, readers)
    elif x.op in COUNTS and x.args[0].op in ("zone", "zone_at"):
        of = x.args[0]
        _add_fact(flow, "count", of, of.args[0] if of.args else None, read, store, readers)
    elif x.op == "state":
        _add_fact(flow, "state", x, None, read, store, readers)
    elif x.op == "index" and x.args[0].op == "state":
        _add_fact(flow, "state", x.args[0], x.args[1], read, store, readers)


def _add_fact(flow: ProcedureFlow, kind: str, x: X, at: X | None, read: Reading, store: Store, readers: frozenset[Observer]) -> None:
    if x.data in flow.analysis.effects.watched:
        return
    if at is None:
        store.add_fact((kind, x.data, None), readers)
        store.add_fact((kind, x.data, WHOLE), readers)
        return
    key = read.number(at) if isinstance(at.type, t.Player) else None
    if key is not None:
        store.add_fact((kind, x.data, key), readers)
