"""The effect of loops on the abstract store: fixed points.

A loop is run until its store does not change any more. What may be another value in each round is marked with
the loop: where a decision reads it, what decided that the rules came to the decision *in this round* counts,
too.

Loops within one another cost little more than side by side. What is known where a loop begins is kept with
what came of it, and a loop is not run again where no more is known than that. Those far in begin at once with
all that their rounds may write (`_havoc`), and all paths to them count together. What a body binds has no
value outside of it.
"""

from __future__ import annotations

from croupier.kernel import types as t
from croupier.kernel.tree import ForEachStmt, LocalExpr, PlaceStmt, TypedStmt
from croupier.semantics.infoflow.expressions import excluded
from croupier.semantics.infoflow.interfaces import Exits, LoopRun, ProcedureFlow
from croupier.semantics.infoflow.store import (
    EVERYBODY,
    KEYED,
    NOBODY,
    PUBLIC,
    WHOLE,
    AbstractStore,
    AbstractValue,
    Label,
    Observer,
    Policy,
    Renaming,
    join,
    of_entry,
    rename_via,
    union,
    with_part,
)
from croupier.semantics.walk import statement_call, statements

ROUNDS = 12  # of a loop, after which all that its rounds write counts together
MOST_MARKS = 3  # of loops within one another; those further in have the mark of the last one
MOST_ENTRIES = 3  # stores from which a loop within others is run one by one


def loop(flow: ProcedureFlow, s: TypedStmt, store: AbstractStore) -> AbstractStore | None:
    """The store after a loop.

    One within others is not run again from a store that it was run from before.
    """
    if not flow.loops:
        return _run(flow, s, store)
    known = flow.done.setdefault((id(s), flow.in_lookahead), [])
    for past in known:
        if past.entry == store:
            return _as_before(flow, past)
    # widening: from now on all entries count together
    if len(known) >= (MOST_ENTRIES if len(flow.loops) < MOST_MARKS else 1):
        last = known[-1]
        wide = join([last.entry, store], PUBLIC, flow.point(s, "wide"))
        assert wide is not None
        if wide == last.entry:
            return _as_before(flow, last)
        store = wide
    begin, entry = len(flow.returned), store.copy()
    out = _run(flow, s, store)
    known.append(LoopRun(entry, flow.returned[begin:], flow.termination, out))
    return None if out is None else out.copy()


def _as_before(flow: ProcedureFlow, past: LoopRun) -> AbstractStore | None:
    flow.returned += past.returned
    flow.termination |= past.termination
    return None if past.end is None else past.end.copy()


def _run(flow: ProcedureFlow, s: TypedStmt, store: AbstractStore) -> AbstractStore | None:
    before, walk = store.pc, s if isinstance(s, ForEachStmt) else None
    shared = len(flow.loops) >= MOST_MARKS
    mark: Observer = list(flow.loops)[-1] if shared else ("loop", flow.proc.index, flow.site(s))
    begin, end = flow.sites[id(s)]
    fresh = flow.point(s, "round")
    of_round = _other_round(flow.proc.index, begin, end)
    decided_by = PUBLIC if walk is None else flow.at(s, store).label(walk.source)
    readers = NOBODY
    if walk is not None and not shared and isinstance(flow.proc.slot_types[walk.slot], t.Player):
        readers = frozenset({flow.at(s, store).one_of(walk.source, walk.slot)})
    marker = Policy("loop", "", mark, flow.proc.span, readers)
    outer = flow.loops
    if not shared:
        flow.loops = {**outer, mark: before if flow.audience is not None else store.skips}
    head, raised, ended = _havoc(flow, s, store, marker) if shared else store, PUBLIC, None
    exits = Exits()
    returned = len(flow.returned)
    rounds = 0
    while True:
        rounds += 1
        exits = Exits()
        flow.exits.append(exits)
        del flow.returned[returned:]
        inner = head.copy()
        inner.pc, inner.skips = before | raised, store.skips
        gate = decided_by
        if walk is not None:
            gate |= _walk(flow, walk, store, inner, marker)
        inner.pc |= gate - before
        inner.skips |= gate - decided_by
        ended = flow.block(s.blocks[0], inner)
        flow.exits.pop()
        on = [e for e in (ended, *exits.again) if e is not None]
        gate |= union(e.pc for e in (*on, *exits.left)) - before
        ended = join(on, gate, flow.point(s, "again"))
        if ended is not None and walk is None and s.args:
            gate |= flow.at(s, ended).label(s.args[0])
        if ended is None:
            break
        new = join(
            [store, _without_bound(ended, store).renamed(of_round, fresh)], PUBLIC, flow.point(s, "head")
        )
        assert new is not None
        _mark(new, store, frozenset({marker}))
        new.pc, new.skips = before, store.skips
        more = rename_via(gate, of_round) if exits.left or len(flow.returned) > returned else PUBLIC
        if rounds > ROUNDS:
            new = _join_writes(flow, s, head, new, store)
        if new == head and more <= raised:
            break
        head, raised = new, raised | more
    flow.loops = outer
    outs = list(exits.left)
    if walk is not None and not walk.endless:
        outs.append(head)
    elif walk is None and s.args and ended is not None:
        outs.append(ended)
    out = join(outs, PUBLIC, flow.point(s, "out"))
    if out is None:
        return None
    out = out.copy()
    gate = rename_via(gate, of_round) | raised
    if not shared:
        gate = frozenset(p for p in gate if p.key != mark)
        out.replace_loop(mark, gate)
    _mark(out, store, gate)
    out.pc, out.skips = before | gate if len(flow.returned) > returned else before, store.skips
    if walk is not None and ended is not None and not exits.left and not exits.again:
        _disclose_of_all(flow, walk, store, ended, out)
    return _without_bound(out, store)


def _without_bound(after: AbstractStore, before: AbstractStore) -> AbstractStore:
    """A store without the locals that were bound since another one."""
    if after.values.keys() == before.values.keys():
        return after
    out = after.copy()
    out.values = {slot: v for slot, v in after.values.items() if slot in before.values}
    return out


def _walk(
    flow: ProcedureFlow,
    s: ForEachStmt,
    entry: AbstractStore,
    inner: AbstractStore,
    marker: Policy,
) -> Label:
    """Bind what a loop walks with; what its condition reads.

    Whom the source leaves out is whoever it is where the loop begins.
    """
    read, source = flow.at(s, inner), s.source
    inner.values[s.slot] = AbstractValue(
        flow.at(s, entry).one_of(source, s.slot),
        read.label(source) | {marker},
        read.selection(source) | {marker},
        read.zones(source),
    )
    if len(s.args) > 1:
        flow.at(s, inner).leave_out(s.slot, s.args[1])
    return flow.at(s, inner).labels(s.conditions())


def _mark(store: AbstractStore, entry: AbstractStore, gate: Label) -> None:
    """Add a label to what has another value than where the loop began."""
    for slot, v in store.values.items():
        old = entry.values.get(slot)
        if old is not None and old.number != v.number:
            store.values[slot] = v._replace(label=v.label | gate, selects=v.selects | gate)


# ---------------------------------------------------------------- widening
def _havoc(flow: ProcedureFlow, s: TypedStmt, store: AbstractStore, marker: Policy) -> AbstractStore:
    """The store of any round but the first, from the text of the body alone: what the body writes has unknown
    values (havoc).
    """
    head, site = store.copy(), flow.point(s, "head")
    names: frozenset[str] = frozenset()
    for inner in statements(s.blocks[0]):
        names |= _changes(flow, inner)
        if isinstance(inner, PlaceStmt):
            root = inner.root
            old = store.values.get(root.slot) if isinstance(root, LocalExpr) else None
            if old is not None and isinstance(root, LocalExpr):
                head.values[root.slot] = AbstractValue(
                    (*site, root.slot), old.label | {marker}, old.selects | {marker}, old.zones
                )
    for name in names & (flow.program.vars.keys() | flow.program.zones.keys()):
        head.states[name] = (*site, name)
    head.forget(names)
    return head


def _join_writes(
    flow: ProcedureFlow, s: TypedStmt, head: AbstractStore, new: AbstractStore, entry: AbstractStore
) -> AbstractStore:
    """Give all that a loop writes the join of its labels.

    So a value that passes from local to local, one in each round, needs no round for each.
    """
    out = join([head, new], PUBLIC, flow.point(s, "head"))
    assert out is not None
    written = {slot: v for slot, v in out.values.items() if entry.values[slot] != v}
    label = union(v.label | v.selects for v in written.values())
    for slot, v in written.items():
        zones = v.zones if v.zones == entry.values[slot].zones else None
        out.values[slot] = v._replace(label=label, selects=label, zones=zones)
    return out


# ---------------------------------------------------------------- all players
def _disclose_of_all(
    flow: ProcedureFlow,
    s: ForEachStmt,
    entry: AbstractStore,
    ended: AbstractStore,
    out: AbstractStore,
) -> None:
    """After a loop over all players, or over all but one: what each round disclosed to its player is
    disclosed to all of them.

    Of what belongs to the player (`show hand[p] to p`) each knows their own; what was disclosed of each
    (`show hand[q] to p`) is known of all of them. What is the same in every round (`show coming to p`) they
    all know, if nothing in the loop changes it.
    """
    walked = _all_that_are_walked(flow, s, entry, ended)
    if walked is None:
        return
    all_of_them, whose = walked
    number = ended.values[s.slot].number
    changed = frozenset(name for inner in statements(s.blocks[0]) for name in _changes(flow, inner))
    outside = frozenset(v.number for v in out.values.values())
    for (kind, name, key), readers in ended.facts.items():
        if kind == "value" and all_of_them == EVERYBODY:
            _disclose_entries(key, readers, number, ended, out)
        if key == number and name not in changed:
            kept = frozenset(r for r in readers if r[0] in ("everybody", "param") or r in outside)
            if kept:
                out.add_fact((kind, name, whose), kept)
        elif number in readers and name not in changed and _is_outside(key, out):
            out.add_fact((kind, name, key), frozenset({all_of_them}))
    for slot, v in list(out.values.items()):
        in_round = ended.values.get(slot)
        if in_round is None or in_round.number != v.number or v.number == number:
            continue
        hidden = [p for p in in_round.label | in_round.selects if p.kind != "loop"]
        if any(number in p.readers for p in hidden) and all(
            number in p.readers or EVERYBODY in p.readers for p in hidden
        ):
            out.learn(v.number, frozenset({all_of_them}))


# whose entry it is, and their neighbours
NAMED_BY_KEY = (KEYED, *(("expr", step, None, (KEYED,)) for step in ("next", "previous")))


def _disclose_entries(
    key: Observer | None,
    readers: frozenset[Observer],
    walked: Observer,
    ended: AbstractStore,
    out: AbstractStore,
) -> None:
    """After a loop over all players that has disclosed the entry of each in a map: the map is, to whoever
    knows each of its entries.

    `reveal played[p]` reveals `played`; by `move gifts[p] to hand[next(p)]` each player knows the entry of
    the one before them.
    """
    if key is None or key[:2] != ("expr", "index") or not isinstance(key[3], tuple) or key[3][1] != walked:
        return
    number: Observer = key[3][0]
    outside = {v.number for v in out.values.values()}
    if number not in outside or all(v.number != number for v in ended.values.values()):
        return
    known = frozenset(r for r in readers if r[0] in ("everybody", "param") or r in outside)
    by_key = frozenset(with_part(r, walked, KEYED) for r in readers)
    keyed = frozenset(of_entry(number, r) for r in by_key if r in NAMED_BY_KEY)
    if known or keyed:
        out.learn(number, known | keyed)


def _all_that_are_walked(
    flow: ProcedureFlow, s: ForEachStmt, entry: AbstractStore, ended: AbstractStore
) -> tuple[Observer, Observer] | None:
    """All players, or all but one, if that is whom a loop walks over: as observers, and as a key."""
    source = s.source
    if source.op == "players" and len(s.args) == 1:
        return EVERYBODY, WHOLE
    if source.op == "others" and len(s.args) == 1:
        but = flow.at(s, entry).number(source.args[0])
    elif source.op == "players" and s.args[1].op == "!=":
        without = excluded(s.args[1], s.slot)
        but = None if without is None else flow.at(s, entry).number(without)
        if without is None or flow.at(s, ended).number(without) != but:
            return None
    else:
        return None
    return None if but is None else (("others", but), ("others", but))


def _is_outside(key: Observer | None, out: AbstractStore) -> bool:
    """Tell whether a key means the same in every round and behind the loop."""
    return (
        key in (None, WHOLE)
        or key[0] in ("const", "param", "players")
        or key in {v.number for v in out.values.values()}
    )


def _changes(flow: ProcedureFlow, s: TypedStmt) -> frozenset[str]:
    effects = flow.analysis.effects
    call = statement_call(s)
    more = [i for i in (None if call is None else call.proc, s.opens) if i is not None]
    return effects.changed(s, flow.proc).union(*(effects.after(i) for i in more))


# ---------------------------------------------------------------- rounds
def _other_round(proc: int, begin: int, end: int) -> Renaming:
    """The renaming that drops what one round of a loop bound, for the next round."""

    def inner(o: Observer) -> bool:
        return (
            o[0] in ("at", "other")
            and o[-3 if o[0] == "other" else 1] == proc
            and begin <= int(str(o[-2 if o[0] == "other" else 2])) < end
        )

    compound = ("expr", "other", "others")

    def of_observer(o: Observer) -> Observer | None:
        return None if o[0] in compound or inner(o) else o

    def of_names(o: Observer) -> Observer | None:
        return None if inner(o) else o[2:]

    return Renaming(of_observer, of_names)
