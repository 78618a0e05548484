"""The information flow through one procedure: what each statement does to the abstract store.

Conditions raise the label of the program counter in their blocks. A block that some way leaves early (`break`, `continue`, `return`) keeps it raised
until the construct is left which that way leaves; where all ways meet, what decided between them is the gate of the join. `finish` leaves
the game: nothing comes after it, so nothing can tell (termination-insensitive, as in Volpano, Smith and Irvine 1996).

A loop is run until its store does not change any more. What may be another value in each round is marked with the loop: where a decision reads it,
what decided that the rules came to the decision *in this round* counts, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.semantics import types as t
from croupier.semantics.flow import statement_call
from croupier.semantics.infoflow.decisions import decided, shown_outside
from croupier.semantics.infoflow.effects import base, kinds_of
from croupier.semantics.infoflow.expressions import COUNTS, Reading
from croupier.semantics.infoflow.instances import Instance
from croupier.semantics.infoflow.labels import (
    EVERYBODY,
    NOBODY,
    PUBLIC,
    WHOLE,
    Label,
    Observer,
    Policy,
    Renaming,
    among,
    audience_of,
    declassify,
    knows,
    union,
)
from croupier.semantics.infoflow.store import Store, Value, join
from croupier.semantics.tree import Choice, Proc, S, X

if TYPE_CHECKING:
    from croupier.semantics.infoflow.summaries import Analysis

AS_A_LIST = frozenset("zone_list zone_all zone.list family_list family.list certain bound narrow list join optional_list text".split())
ROUNDS = 12  # of a loop
MOST_MARKS = 3  # of loops within one another; those further in have the mark of the last one
MOST_ENTRIES = 3  # stores from which a loop within others is run one by one
NOTHING = Value(("const", "nothing"), PUBLIC)


@dataclass
class Exits:
    """The stores with which ways leave a procedure or a loop early."""

    left: list[Store] = field(default_factory=list)
    again: list[Store] = field(default_factory=list)


@dataclass(frozen=True)
class Returned:
    """A way out of a procedure, with the value that it returns."""

    store: Store
    value: Value


class Flow:
    """The flow through one procedure, from what is known where it begins to all that `summaries` and `decisions` ask of it."""

    def __init__(self, analysis: Analysis, proc: Proc, store: Store) -> None:
        self.analysis, self.proc, self.program = analysis, proc, analysis.program
        self.sites = analysis.sites(proc)
        self.audience: frozenset[Observer] | None = None  # of the `secretly` around; none: everybody perceives what happens
        self.secret: S | None = None
        self.secret_numbers: tuple[Observer | None, ...] = ()
        self.trial = False  # in the look-ahead of a `so that`: nobody perceives what happens
        self.exits: list[Exits] = []
        self.returned: list[Returned] = []
        self.loops: dict[Observer, Label] = {}  # those around, by their marks, with the label of the program counter before them
        self.written: dict[str, Label] = {}
        self.done: dict[tuple[int, bool], list[tuple[Store, list[Returned], Label, Store | None]]] = {}  # loops within others: from where, to where
        self.stuck: Label = PUBLIC  # what decides whether a decision has an option at all, or whether the game ends
        self.store = store
        end = self.block(proc.body, store)
        if end is not None:
            self.returned.append(Returned(end, NOTHING))

    # ------------------------------------------------------------ ways
    def block(self, body: list[S], store: Store) -> Store | None:
        """The store after some statements, none if no way leads there."""
        now: Store | None = store
        for s in body:
            if now is None:
                return None
            now = STATEMENTS[s.op](self, s, now)
        return now

    def at(self, s: S, store: Store, chooser: Observer | None = None) -> Reading:
        """Reading expressions at a statement."""
        return Reading(self.analysis, self.proc, store, self.site(s), self.trial, chooser)

    def site(self, s: S) -> int:
        return self.sites[id(s)][0]

    def place(self, s: S, what: str = "met") -> tuple[object, ...]:
        """What numbers of values that statements make begin with."""
        return ("at", self.proc.index, self.site(s), what)

    def branch(self, s: S, store: Store, bodies: list[tuple[Label, Callable[[Store], Store | None]]], decided_by: Label = PUBLIC) -> Store | None:
        """Several ways, of which one is taken; each with what decides about it."""
        before, skips, escaped, skipped = store.pc, store.skips, self._escapes(), self._skipped()
        ends: list[Store] = []
        gate = decided_by
        for label, body in bodies:
            inner = store.copy()
            inner.pc, inner.skips = before | label | decided_by, skips | label | decided_by
            gate |= label
            end = body(inner)
            if end is not None:
                ends.append(end)
        gate |= union(e.pc for e in ends) - before
        out = join(ends, gate, self.place(s))
        if out is not None:
            out = out.copy()
            out.pc = before | gate if self._escapes() != escaped else before
            out.skips = skips | gate if self._skipped() != skipped else skips
        return out

    def _escapes(self) -> int:
        return len(self.returned) + sum(len(e.left) + len(e.again) for e in self.exits)

    def _skipped(self) -> int:
        return sum(len(e.again) for e in self.exits)

    def expand(self, label: Label, store: Store) -> Label:
        """A label as a decision or a call finds it: which round of a loop it is, is what led here in this round."""
        if not any(p.kind == "loop" for p in label):
            return label
        found = {p for p in label if p.kind != "loop"}
        here = store.skips if self.audience is None else store.pc  # who perceives what happens can count the rounds
        for p in label:
            if p.kind == "loop" and p.key in self.loops:
                found |= declassify(frozenset(q for q in here - self.loops[p.key] if q.kind != "loop"), p.readers)
        return frozenset(found)

    # ------------------------------------------------------------ control
    def _if(self, s: S, store: Store) -> Store | None:
        label = self.at(s, store).label(s.args[0])
        return self.branch(s, store, [(label, lambda inner, b=b: self.block(b, inner)) for b in s.blocks])  # type: ignore[misc]

    def _match(self, s: S, store: Store) -> Store | None:
        read = self.at(s, store)
        label = union((read.label(s.args[0]), *(read.labels(row) for row in s.data[0])))
        return self.branch(s, store, [(label, lambda inner, b=b: self.block(b, inner)) for b in s.blocks])  # type: ignore[misc]

    def _for(self, s: S, store: Store) -> Store | None:
        return self._loop(s, store, s.args[0])

    def _repeat(self, s: S, store: Store) -> Store | None:
        return self._loop(s, store, None)

    def _loop(self, s: S, store: Store, source: X | None) -> Store | None:
        """A loop. One within others is not run again from a store that it was run from before: nesting would double the work with each level."""
        if not self.loops:
            return self._run_loop(s, store, source)
        known = self.done.setdefault((id(s), self.trial), [])
        for entry, returned, stuck, end in known:
            if entry == store:
                self.returned += returned
                self.stuck |= stuck
                return end
        if len(known) >= (MOST_ENTRIES if len(self.loops) < MOST_MARKS else 1):  # widening: from now on all entries count together
            wide = join([known[-1][0], store], PUBLIC, self.place(s, "wide"))
            assert wide is not None
            wide.pc, wide.skips = wide.pc | store.pc, wide.skips | store.skips
            if wide == known[-1][0]:
                self.returned += known[-1][1]
                self.stuck |= known[-1][2]
                return known[-1][3]
            store = wide
        begin, entry = len(self.returned), store.copy()
        out = self._run_loop(s, store, source)
        known.append((entry, self.returned[begin:], self.stuck, out))
        return out

    def _run_loop(self, s: S, store: Store, source: X | None) -> Store | None:
        before = store.pc
        shared = len(self.loops) >= MOST_MARKS
        mark: Observer = list(self.loops)[-1] if shared else ("loop", self.proc.index, self.site(s))
        begin, end = self.sites[id(s)]
        fresh = self.place(s, "round")
        of_round = _other_round(self.proc.index, begin, end)
        decided_by = PUBLIC if source is None else self.at(s, store).label(source)
        readers = NOBODY
        if source is not None and not shared and isinstance(self.proc.slot_types[s.data[0]], t.Player):
            readers = frozenset({self.at(s, store).one_of(source, s.data[0])})
        marker = Policy("loop", "", mark, s.span, readers)
        outer = self.loops
        if not shared:
            self.loops = {**outer, mark: before if self.audience is not None else store.skips}
        head, raised, ended = store, PUBLIC, None
        exits = Exits()
        returned = len(self.returned)
        for _ in range(ROUNDS):
            exits = Exits()
            self.exits.append(exits)
            del self.returned[returned:]
            inner = head.copy()
            inner.pc, inner.skips = before | raised, store.skips
            gate = decided_by
            if source is not None:
                gate |= self._walk(s, inner, source, marker)
            inner.pc |= gate - before
            inner.skips |= gate - decided_by
            ended = self.block(s.blocks[0], inner)
            self.exits.pop()
            rounds = [e for e in (ended, *exits.again) if e is not None]
            gate |= union(e.pc for e in (*rounds, *exits.left)) - before
            ended = join(rounds, gate, self.place(s, "again"))
            if ended is not None and source is None and s.args:
                gate |= self.at(s, ended).label(s.args[0])
            if ended is None:
                break
            new = join([store, ended.renamed(of_round, fresh)], PUBLIC, self.place(s, "head"))
            assert new is not None
            new = self._marked(new, store, marker)
            new.pc, new.skips = before, store.skips
            more = gate if exits.left or len(self.returned) > returned else PUBLIC
            if new == head and more <= raised:
                break
            head, raised = new, raised | more
        self.loops = outer
        outs = list(exits.left)
        if s.op in ("for",):
            outs.append(head)
        elif s.op == "repeat" and s.args and ended is not None:
            outs.append(ended)
        out = join(outs, PUBLIC, self.place(s, "out"))
        if out is None:
            return None
        out = out.copy()
        gate |= raised
        if not shared:
            gate = frozenset(p for p in gate if p.key != mark)
            out.replace_loop(mark, gate)
        for slot, v in out.values.items():
            old = store.values.get(slot)
            if old is not None and old.number != v.number:
                out.values[slot] = v._replace(label=v.label | gate, selects=v.selects | gate)
        out.pc, out.skips = before | gate if len(self.returned) > returned else before, store.skips
        if source is not None and ended is not None and not exits.left and not exits.again:
            self._of_all(s, source, ended, out)
        return out

    def _walk(self, s: S, inner: Store, source: X, marker: Policy) -> Label:
        """Bind what a loop walks with; what its condition reads."""
        read = self.at(s, inner)
        places = read.places(source) if kinds_of(source.type) else PUBLIC
        value = Value(read.one_of(source, s.data[0]), read.label(source) | {marker}, frozenset({marker}), places)
        inner.values[s.data[0]] = value
        return self.at(s, inner).labels(s.args[1:])

    @staticmethod
    def _marked(head: Store, entry: Store, marker: Policy) -> Store:
        for slot, v in head.values.items():
            old = entry.values.get(slot)
            if old is not None and old.number != v.number:
                head.values[slot] = v._replace(label=v.label | {marker}, selects=v.selects | {marker})
        return head

    def _of_all(self, s: S, source: X, ended: Store, out: Store) -> None:
        """What each round of a loop over all players disclosed of its own player is disclosed of all of them."""
        if source.op != "players" or len(s.args) > 1:
            return
        number = ended.values[s.data[0]].number
        changed = frozenset(name for inner in s.blocks[0] for x in inner.walk() for name in self._changes(x))
        for (kind, name, key), readers in ended.facts.items():
            if key == number and name not in changed:
                kept = frozenset(r for r in readers if r[0] in ("everybody", "param") or r in {v.number for v in out.values.values()})
                if kept:
                    out.add_fact((kind, name, WHOLE), kept)

    def _changes(self, s: S) -> frozenset[str]:
        own = self.analysis.effects._changed(s, self.proc)
        call = statement_call(s)
        opened = s.data if s.op == "open" else s.data.window if s.op == "menu" else None
        more = [i for i in (None if call is None else call.data, opened) if i is not None]
        return own.union(*(self.analysis.effects.after(i) for i in more))

    def _break(self, s: S, store: Store) -> None:
        self.exits[-1].left.append(store)

    def _continue(self, s: S, store: Store) -> None:
        self.exits[-1].again.append(store)

    def _return(self, s: S, store: Store) -> None:
        value = NOTHING if not s.args else self._value(s, store, s.args[0], -1)
        self.returned.append(Returned(store, value))

    def _finish(self, s: S, store: Store) -> None:
        if self.analysis.looks_ahead:
            self.stuck |= store.pc

    def _pass(self, s: S, store: Store) -> Store:
        return store

    # ------------------------------------------------------------ values
    def _value(self, s: S, store: Store, x: X, slot: int) -> Value:
        """The value of the right side of a statement, which may be a call that acts."""
        call = statement_call(s)
        if call is not None:
            value = self.call(s, store, call)
            return value._replace(number=value.number if value.number[0] != "at" else ("at", self.proc.index, self.site(s), slot))
        read = self.at(s, store)
        components = read.holds_components(x.type)
        return Value(
            read.number_or_new(x, slot),
            read.label(x),
            read.selection(x) if components else PUBLIC,
            read.places(x) if components and kinds_of(x.type) else PUBLIC,
        )

    def _let(self, s: S, store: Store) -> Store:
        value = self._value(s, store, s.args[0], s.data)
        store = store.copy()
        store.values[s.data] = value
        return store

    def _do(self, s: S, store: Store) -> Store:
        store = store.copy()
        call = statement_call(s)
        if call is not None:
            self.call(s, store, call)
        return store

    def _assign(self, s: S, store: Store) -> Store:
        store = store.copy()
        target, x = s.args
        value = self._value(s, store, x, -2)
        if target.op == "local":
            store.values[target.data] = value
        else:
            self._update(s, store, target, value)
        return store

    def _element(self, s: S, store: Store) -> Store:
        """`add`, `remove`: the collection afterwards depends on both."""
        store = store.copy()
        read = self.at(s, store)
        value = Value(self.place(s), read.label(s.args[0]), read.selection(s.args[0]), read.places(s.args[0]) if kinds_of(s.args[0].type) else PUBLIC)
        self._update(s, store, s.args[1], value)
        return store

    def _update(self, s: S, store: Store, target: X, value: Value) -> None:
        """A part of something is given a value."""
        root = base(target)
        read = self.at(s, store)
        at = union(read.label(y) for y in _keys(target, root))
        if root.op == "local":
            old = store.values.get(root.data, NOTHING)
            places = None if old.places is None or value.places is None else old.places | value.places
            number = ("at", self.proc.index, self.site(s), root.data)
            store.values[root.data] = Value(number, old.label | value.label | at, old.selects | value.selects | at, places)
        elif root.op == "state":
            self.write(s, store, frozenset({root.data}), value.label | at)
        elif root.op == "mutable":
            self.write_faces(s, store, root.args[0], value.label | read.label(root.args[0]))

    def write(
        self,
        s: S,
        store: Store,
        names: frozenset[str],
        label: Label,
        counted: Label | None = None,
        seen: dict[str, frozenset[Observer]] | None = None,
    ) -> None:
        """Zones and state variables change. `counted` decides how much lies there afterwards (none: `label` does). Where not all who see a thing
        perceive the change, it counts as unseen; `seen` says who sees it, if these are fewer than its declaration tells."""
        analysis = self.analysis
        quiet = self.proc.index in analysis.effects.unperceived
        hidden = analysis.outline(self.expand(label | store.pc, store)) if quiet or self.audience is not None else PUBLIC
        for name in sorted(names):
            if quiet:
                self.written[name] = self.written.get(name, PUBLIC) | hidden
            if self.trial:
                store.contents[name] = store.contents.get(name, PUBLIC) | label
                continue
            for kind in ("state", "zone", "count"):
                if (kind, name) in analysis.unseen:
                    store.outdate(kind, name, analysis.unseen[kind, name])
            if self.audience is not None:
                viewers = (seen or {}).get(name, frozenset({EVERYBODY}))
                if not all(knows(self.audience, r) for r in viewers):
                    analysis.write_unseen("state" if name in self.program.vars else "zone", name, hidden)
                if name in self.program.zones:
                    number = hidden if counted is None else analysis.outline(self.expand(counted | store.pc, store))
                    analysis.write_unseen("count", name, number)
            elif name in analysis.untold:  # bookkeeping: its value counts, that it was written does not
                analysis.write_unseen("state", name, analysis.outline(self.expand(label, store)))
        for name in names & self.program.vars.keys():
            store.states[name] = (*self.place(s), name)
        store.forget(names)

    def write_faces(self, s: S, store: Store, piece: X, label: Label) -> None:
        """Changeable attributes of components change: what was disclosed of them and of the zones that they lie in is out of date."""
        names, places = self.analysis.effects.faces(piece.type), self.at(s, store).places(piece)
        if places and all(p.kind == "zone" for p in places):
            names = names - self.program.zones.keys() | {p.name for p in places}
        self.write(s, store, names, label)
        store.forget(kinds_of(piece.type), ("face",))

    # ------------------------------------------------------------ calls
    def call(self, s: S, store: Store, x: X) -> Value:
        """A call that stands alone: what it gives, what it changes, what it discloses."""
        analysis, target = self.analysis, self.program.procs[x.data]
        read = self.at(s, store)
        value = read.result(x)
        called = Instance.of(read, x, target)
        summary = analysis.summaries[x.data]
        if not self.trial:
            arguments = {q.slot: self._given(read, a, q.slot) for q, a in zip(target.params, x.args, strict=False)}
            analysis.record_call(self.proc, s, target, arguments, dict(store.states))
        if summary.stuck:
            self.stuck |= called.label(summary.stuck) | store.pc
        written = {name: called.label(summary.written.get(name, PUBLIC)) for name in sorted(analysis.effects.after(x.data))}
        moved = {i: called.places(places) for i, places in summary.moved.items()}
        outs = {slot: called.value(out) for slot, out in summary.outs.items()}
        facts = [(called.thing(thing), called.readers(readers)) for thing, readers in summary.facts.items()]
        known = {i: called.readers(readers) for i, readers in summary.known.items()}
        for name, label in written.items():
            self.write(s, store, frozenset({name}), label)
        if written:
            self._scatter(store, frozenset(written))
            store.facts = {k: r for k, r in store.facts.items() if k[0] != "face"}
        for i, (q, a) in enumerate(zip(target.params, x.args, strict=False)):
            slot = _variable(a)
            if i in known:
                self.learn(s, store, a, known[i])
            if q.var and slot is not None:
                out, more = outs.get(q.slot, NOTHING), analysis.out_of_hooks(read, x, q.slot) or NOTHING
                number = ("at", self.proc.index, self.site(s), slot)
                store.values[slot] = Value(number, out.label | more.label, out.selects | more.selects, out.places if more is NOTHING else None)
            elif slot is not None and i in moved and slot in store.values:
                store.values[slot] = store.values[slot]._replace(places=moved[i])
        for thing, readers in facts:
            if readers and thing is not None and not self.trial and thing[1] not in analysis.effects.watched:
                store.add_fact(thing, among(readers, self.audience))
        return value

    def _given(self, read: Reading, a: X, slot: int) -> Value:
        """An argument as what is called finds it."""
        components = read.holds_components(a.type)
        places = read.places(a) if components and kinds_of(a.type) else PUBLIC
        selects = read.selection(a) if components else PUBLIC
        return Value(read.number_or_new(a, slot), self.expand(read.label(a), read.store), self.expand(selects, read.store), places)

    def _open(self, s: S, store: Store) -> Store:
        store = store.copy()
        self._reactions(s, store, s.data, s.args[1:])
        return store

    def _reactions(self, s: S, store: Store, window: int, args: tuple[X, ...]) -> None:
        """A window opens: what may happen in it, and what comes back through its `var`s."""
        changed, opened = self.analysis.effects.after(window), self.program.procs[window]
        for name in sorted(changed):
            self.write(s, store, frozenset({name}), self.analysis.written_in(window, name))
        self._scatter(store, changed)
        for q, a in zip(opened.params, args, strict=False):
            slot = _variable(a)
            if q.var and slot is not None and slot in store.values:
                out = self.analysis.out_of(window, q.slot)
                old = store.values[slot]
                number = ("at", self.proc.index, self.site(s), slot)
                store.values[slot] = Value(number, old.label | out.label, old.selects | out.selects, None)

    def _scatter(self, store: Store, changed: frozenset[str]) -> None:
        """Components that lay in these zones may lie anywhere now."""
        changed &= self.program.zones.keys()
        for slot, v in store.values.items():
            if changed and v.places and any(p.kind == "param" or p.name in changed for p in v.places):
                store.values[slot] = v._replace(places=None)

    # ------------------------------------------------------------ decisions
    def _choose(self, s: S, store: Store) -> Store | None:
        choice: Choice = s.data[0]
        decision = decided(self, s, store)
        store = store.copy()
        chance = choice.chooser == "chance"
        read = self.at(s, store)
        components = read.holds_components(choice.base)
        single = not choice.many and choice.chooser != "every"
        value = Value(
            read.one_of(choice.source, choice.slot) if single else ("at", self.proc.index, self.site(s), choice.slot),
            read.label(choice.source) if components else PUBLIC,
            PUBLIC if not choice.many or choice.low is choice.high else self._perceived(s, PUBLIC, choice.slot, None),
            read.places(choice.source) if components and kinds_of(choice.source.type) else PUBLIC,
        )
        chooser = None if chance or choice.by is None or choice.chooser == "every" else read.number(choice.by)
        value = value._replace(label=self._perceived(s, value.label, choice.slot, chooser))
        if choice.chooser == "one" and chooser is not None:
            value = value._replace(label=declassify(value.label, among(frozenset({chooser}), self.audience)))
        offered = union(d.label for d in decision)
        if self.analysis.looks_ahead and not s.data[1] and not choice.optional:
            self.stuck |= offered | store.pc
        taken = store.copy()
        taken.values[choice.slot] = value
        if choice.item != choice.slot:
            taken.values[choice.item] = value
        ways: list[tuple[Label, Callable[[Store], Store | None]]] = []
        secret = self._perceived(s, PUBLIC, choice.slot, chooser)
        if choice.optional:
            ways.append((secret, lambda inner: self.block(s.blocks[0], _with(inner, taken))))
            ways.append((secret, lambda inner: self.block(s.blocks[1], inner)))
        elif s.data[1]:
            ways.append((PUBLIC, lambda inner: _with(inner, taken)))
            ways.append((PUBLIC, lambda inner: self.block(s.blocks[1], inner)))
        else:
            return taken
        return self.branch(s, store, ways, offered)

    def _perceived(self, s: S, label: Label, slot: int, chooser: Observer | None) -> Label:
        """The label of what somebody, or chance, chose: all perceive it, but for what is chosen secretly."""
        if self.audience is None or self.trial:
            return label
        name = self.proc.slots[slot] if slot >= 0 else "the choice"
        key = next(iter(self.audience)) if len(self.audience) == 1 else None
        return label | {Policy("secret", name, key, s.span, self.audience)}

    def _menu(self, s: S, store: Store) -> Store | None:
        decision = decided(self, s, store)
        store = store.copy()
        read = self.at(s, store)
        chooser = read.number(s.args[0])
        offered = union(d.label for d in decision)
        if self.analysis.looks_ahead and not s.data.has_else:
            self.stuck |= offered | store.pc
        secret = self._perceived(s, PUBLIC, -1, chooser)
        if s.data.window is not None:
            self._reactions(s, store, s.data.window, s.data.window_args)
        ways: list[tuple[Label, Callable[[Store], Store | None]]] = []
        for option, body in zip(s.data.options, s.blocks, strict=False):
            inner = self.at(s, store).with_values()
            for slot, source in zip(option.slots, option.sources, strict=True):
                components = inner.holds_components(source.type)
                label = self._perceived(s, inner.label(source) if components else PUBLIC, slot, chooser)
                known = NOBODY if chooser is None else among(frozenset({chooser}), self.audience)
                places = inner.places(source) if components and kinds_of(source.type) else PUBLIC
                inner.store.values[slot] = Value(inner.one_of(source, slot), declassify(label, known), PUBLIC, places)
            ways.append((secret, lambda now, taken=inner.store, b=body: self.block(b, _with(now, taken))))  # type: ignore[misc]
        if s.data.has_else:
            ways.append((offered, lambda now: self.block(s.blocks[-1], now)))
        return self.branch(s, store, ways)

    def _so_that(self, s: S, store: Store) -> Store | None:
        if self.trial:
            return self._tried(s, store)
        found = decided(self, s, store)
        foreseen = union(d.label for d in found) if found else PUBLIC if not s.data[0] else self.foreseen(s, store)
        ways: list[tuple[Label, Callable[[Store], Store | None]]] = [(PUBLIC, lambda inner: self.block(s.blocks[0], inner))]
        if s.data[0]:
            ways.append((PUBLIC, lambda inner: self.block(s.blocks[1], inner)))
        return self.branch(s, store, ways, foreseen if s.data[0] else PUBLIC)

    def _tried(self, s: S, store: Store) -> Store | None:
        """A look-ahead in the trial of another one: it is tried on the way."""
        before = store.pc
        end = self.block(s.blocks[0], store.copy())
        if not s.data[0]:
            return end
        gate = PUBLIC if end is None else (end.pc - before) | self.at(s, end).label(s.args[0])
        other = store.copy()
        other.pc |= gate
        last = self.block(s.blocks[1], other)
        return join([e for e in (end, last) if e is not None], gate, self.place(s))

    def foreseen(self, s: S, store: Store) -> Label:
        """What the trial of a look-ahead depends on: the condition at its end, the ways to it, and whether the game can go on until then."""
        kept = self.trial, self.stuck, self.exits, self.returned, self.written, self.audience
        self.trial, self.stuck, self.exits, self.returned, self.written, self.audience = True, PUBLIC, [Exits()], [], {}, None
        before = store.pc
        end = self.block(s.blocks[0], store.copy())
        ends = [e for e in (end, *self.exits[-1].left, *self.exits[-1].again, *(r.store for r in self.returned)) if e is not None]
        found = self.stuck | union(e.pc | self.at(s, e).label(s.args[0]) for e in ends)
        self.trial, self.stuck, self.exits, self.returned, self.written, self.audience = kept
        return self.expand(found - before, store)

    # ------------------------------------------------------------ the table
    def _move(self, s: S, store: Store) -> Store:
        store = store.copy()
        what, to = s.args
        read = self.at(s, store)
        label, number = read.label(what), read.number(_one(what))
        arrived = read.places(to)
        places = read.places(what)
        kinds = kinds_of(what.type)
        sources = frozenset(p.name for p in places or () if p.kind != "param")
        if places is None or any(p.kind == "param" for p in places):
            sources = sources.union(*(self.analysis.effects.zones_of.get(k, frozenset()) for k in kinds))
        names = sources | self.analysis.effects.zones(to, self.proc)
        seen = self._viewers(to, read)
        counted = read.selection(what) if what.op not in ("zone_all", "zone_list", "family_list") else label
        into = {to.data: seen} if to.op in ("zone", "zone_at") and to.data not in sources else {}
        self.write(s, store, names, label, counted, into)
        for slot, v in store.values.items():
            if v.number == number:
                store.values[slot] = v._replace(places=arrived)
            elif v.places and arrived is not None and self._may_be_same(v.places, places):
                store.values[slot] = v._replace(places=v.places | arrived)
        self.learn(s, store, what, seen, facts=False)
        return store

    @staticmethod
    def _may_be_same(one: Label, other: Label | None) -> bool:
        return other is None or any(p.kind == "param" for p in one | other) or any(p.name == q.name for p in one for q in other)

    def _viewers(self, to: X, read: Reading) -> frozenset[Observer]:
        """Who sees what comes into a zone."""
        if to.op not in ("zone", "zone_at"):
            return NOBODY
        zone = self.program.zones[to.data]
        key = read.number(to.args[0]) if to.op == "zone_at" and isinstance(to.args[0].type, t.Player) else None
        return audience_of(zone.seen_by, key)

    def _draw(self, s: S, store: Store) -> Store:
        store = store.copy()
        read = self.at(s, store)
        names = self.analysis.effects.zones(s.args[1], self.proc) | self.analysis.effects.zones(s.args[2], self.proc)
        self.write(s, store, names, read.labels(s.args))
        if s.data[1] >= 0:
            read = self.at(s, store)
            number = ("at", self.proc.index, self.site(s), s.data[1])
            store.values[s.data[1]] = Value(number, read.label(s.args[2]), PUBLIC, read.places(s.args[2]))
        return store

    def _shuffle(self, s: S, store: Store) -> Store:
        store = store.copy()
        self.write(s, store, self.analysis.effects.zones(s.args[0], self.proc), self.at(s, store).label(s.args[0]))
        return store

    def _swap(self, s: S, store: Store) -> Store:
        store = store.copy()
        read = self.at(s, store)
        names = self.analysis.effects.zones(s.args[0], self.proc) | self.analysis.effects.zones(s.args[1], self.proc)
        self.write(s, store, names, read.labels(s.args))
        self._scatter(store, names)
        return store

    def _roll(self, s: S, store: Store) -> Store:
        store = store.copy()
        read = self.at(s, store)
        label = read.label(s.args[0])
        places = read.places(s.args[0])
        self.write_faces(s, store, s.args[0], label if places is None else label | places)
        return store

    def _show(self, s: S, store: Store) -> Store:
        store = store.copy()
        shown_outside(self, s, store)
        self.learn(s, store, s.args[0], self.named(s, store, s.args[1]))
        return store

    def _tell(self, s: S, store: Store) -> Store:
        store = store.copy()
        if s.op == "tell":
            shown_outside(self, s, store)
        readers = frozenset({EVERYBODY}) if s.op == "announce" else self.named(s, store, s.args[-1])
        for x in s.args if s.op == "announce" else s.args[:-1]:
            self.learn(s, store, x, readers)
        return store

    def named(self, s: S, store: Store, to: X) -> frozenset[Observer]:
        """Those whom a list of players certainly holds."""
        read = self.at(s, store)
        if to.op == "players":
            return frozenset({EVERYBODY})
        if to.op == "list":
            return frozenset(n for n in (read.number(a) for a in to.args) if n is not None)
        number = read.number(to.args[0]) if to.op == "others" else None
        return NOBODY if number is None else frozenset({("others", number)})

    def learn(self, s: S, store: Store, x: X, readers: frozenset[Observer], facts: bool = True) -> None:
        """These players come to know the value of an expression, as far as they perceive what happens here: declassification."""
        readers = NOBODY if self.trial else among(readers, self.audience)
        if not readers:
            return
        read = self.at(s, store)
        if x.op in AS_A_LIST:
            for a in x.args:
                self.learn(s, store, a, readers, facts)
        elif x.op == "local":
            number = read.number(x)
            if number is not None:
                store.learn(number, readers)
                for k in kinds_of(x.type) if facts else ():
                    store.add_fact(("face", k, number), readers)
        elif not facts:
            return
        elif x.op in ("zone", "zone_at"):
            self._add_fact("zone", x, x.args[0] if x.args else None, read, store, readers)
        elif x.op in COUNTS and x.args[0].op in ("zone", "zone_at"):
            of = x.args[0]
            self._add_fact("count", of, of.args[0] if of.args else None, read, store, readers)
        elif x.op == "state":
            self._add_fact("state", x, None, read, store, readers)
        elif x.op == "index" and x.args[0].op == "state":
            self._add_fact("state", x.args[0], x.args[1], read, store, readers)

    def _add_fact(self, kind: str, x: X, at: X | None, read: Reading, store: Store, readers: frozenset[Observer]) -> None:
        if x.data in self.analysis.effects.watched:
            return
        if at is None:
            store.add_fact((kind, x.data, None), readers)
            store.add_fact((kind, x.data, WHOLE), readers)
            return
        key = read.number(at) if isinstance(at.type, t.Player) else None
        if key is not None:
            store.add_fact((kind, x.data, key), readers)

    def _secretly(self, s: S, store: Store) -> Store | None:
        if self.audience is not None:  # a `secretly` within another adds nobody
            return self.block(s.blocks[0], store)
        read = self.at(s, store)
        self.audience, self.secret = self.named(s, store, s.args[0]), s
        self.secret_numbers = tuple(read.number(a) for a in s.args[0].args)
        end = self.block(s.blocks[0], store)
        self.audience = self.secret = None
        return end


STATEMENTS: dict[str, Callable[[Flow, S, Store], Store | None]] = {
    "add": Flow._element,
    "announce": Flow._tell,
    "assign": Flow._assign,
    "break": Flow._break,
    "choose": Flow._choose,
    "claim": Flow._pass,
    "continue": Flow._continue,
    "do": Flow._do,
    "draw": Flow._draw,
    "finish": Flow._finish,
    "for": Flow._for,
    "if": Flow._if,
    "let": Flow._let,
    "match": Flow._match,
    "menu": Flow._menu,
    "move": Flow._move,
    "open": Flow._open,
    "pass": Flow._pass,
    "remove": Flow._element,
    "repeat": Flow._repeat,
    "return": Flow._return,
    "roll": Flow._roll,
    "secretly": Flow._secretly,
    "show": Flow._show,
    "shuffle": Flow._shuffle,
    "so_that": Flow._so_that,
    "swap": Flow._swap,
    "tell": Flow._tell,
    "turns": Flow._for,
}


def _other_round(proc: int, begin: int, end: int) -> Renaming:
    """What a round of a loop bound has no name in the next one."""
    def inner(o: Observer) -> bool:
        return o[0] in ("at", "other") and o[-3 if o[0] == "other" else 1] == proc and begin <= int(str(o[-2 if o[0] == "other" else 2])) < end

    compound = ("expr", "other", "others")
    return Renaming(lambda o: None if o[0] in compound or inner(o) else o, lambda o: None if inner(o) else o[2:])


def _with(store: Store, taken: Store) -> Store:
    """A store with the values of another one."""
    out = store.copy()
    out.values = dict(taken.values)
    return out


def _keys(target: X, root: X) -> list[X]:
    """The indices and keys between a target and the variable that it is a part of."""
    found: list[X] = []
    while target is not root:
        found += target.args[1:]
        target = target.args[0]
    return found


def _variable(x: X) -> int | None:
    """The local that an argument is, as a whole."""
    while x.op in ("bound", "narrow", "certain") and x.args:
        x = x.args[0]
    return x.data if x.op == "local" else None


def _one(x: X) -> X:
    """The one thing that a list of one holds."""
    return x.args[0] if x.op == "list" and len(x.args) == 1 else x
