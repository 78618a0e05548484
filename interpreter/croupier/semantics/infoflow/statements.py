"""The information flow through one procedure: what each statement does to the abstract store.

Conditions raise the label of the program counter in their blocks. A block that some path leaves early
(`break`, `continue`, `return`) keeps it raised until the construct is left which that path leaves; where all
paths meet, what decided between them is the gate of the join. `finish` leaves the game: nothing comes after
it, so nothing can tell (termination-insensitive, as in Volpano, Smith and Irvine 1996). Loops stand in
`loops`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager
from typing import TypeAlias

from croupier.kernel.facts import Leaves, Tells
from croupier.kernel.tree import (
    AddStmt,
    AskSource,
    AskStmt,
    AssignStmt,
    CallExpr,
    ChooseStmt,
    DrawStmt,
    EmitStmt,
    FinishStmt,
    ForSecondsStmt,
    LeaveStmt,
    LetStmt,
    LocalExpr,
    MatchStmt,
    MenuStmt,
    MoveStmt,
    MutableExpr,
    OpenStmt,
    PlaceStmt,
    RemoveStmt,
    RollStmt,
    SecretlyStmt,
    SoThatStmt,
    StateExpr,
    SupposeStmt,
    SwapStmt,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
    of_statement,
    root_of,
)
from croupier.semantics import ranges
from croupier.semantics.infoflow.decisions import (
    decisions_of,
    learn,
    named,
    note_excluded_receivers,
    note_secret_turn,
)
from croupier.semantics.infoflow.effects import FACES, kinds_of
from croupier.semantics.infoflow.expressions import ExpressionLabels
from croupier.semantics.infoflow.instances import CallArguments, Instance
from croupier.semantics.infoflow.interfaces import NOTHING, RESULT, Exits, ProcedureFlow, ProgramFlow
from croupier.semantics.infoflow.loops import loop
from croupier.semantics.infoflow.store import (
    EVERYBODY,
    KEYED,
    NOBODY,
    PUBLIC,
    AbstractStore,
    AbstractValue,
    Label,
    Observer,
    Policy,
    all_places,
    audience_of,
    declassify,
    join,
    joined,
    knows,
    of_entry,
    out_of_sight,
    plain,
    restrict,
    union,
)
from croupier.semantics.procedures import Proc
from croupier.semantics.walk import statement_call

EVERYBODYS = frozenset({EVERYBODY})
# one of several ways on: the label of what decides about it, the store at its entry, and what is done
Path: TypeAlias = tuple[Label, AbstractStore, list[TypedStmt]]


class Flow(ProcedureFlow):
    """The data flow through one procedure: a transfer function for each statement, from the store at its
    entry, which it may change, to those at its exits.
    """

    def __init__(self, analysis: ProgramFlow, proc: Proc, store: AbstractStore) -> None:
        super().__init__(analysis, proc)
        end = self.block(proc.body, store)
        if end is not None:
            self._return(end, NOTHING)

    # ------------------------------------------------------------ paths
    def block(self, body: list[TypedStmt], store: AbstractStore) -> AbstractStore | None:
        now: AbstractStore | None = store
        for s in body:
            if now is None:
                return None
            now = STATEMENTS[s.OP](self, s, now)
        return now

    def branch(
        self, s: TypedStmt, store: AbstractStore, paths: Iterable[Path], decided_by: Label = PUBLIC
    ) -> AbstractStore | None:
        """Several paths, of which one is taken."""
        before, skips, escaped, skipped = store.pc, store.skips, self._escapes(), self._skipped()
        ends: list[AbstractStore] = []
        gate = decided_by
        for label, entry, body in paths:
            inner = entry.copy()
            inner.pc, inner.skips = before | label | decided_by, skips | label | decided_by
            gate |= label
            end = self.block(body, inner)
            if end is not None:
                ends.append(end)
        gate |= union(e.pc for e in ends) - before
        out = join(ends, gate, self.point(s))
        if out is not None:
            out.pc = before | gate if self._escapes() != escaped else before
            out.skips = skips | gate if self._skipped() != skipped else skips
        return out

    def _escapes(self) -> int:
        return len(self.returned) + sum(len(e.left) + len(e.again) for e in self.exits)

    def _skipped(self) -> int:
        return sum(len(e.again) for e in self.exits)

    # ------------------------------------------------------------ control
    def _if(self, s: TypedStmt, store: AbstractStore) -> AbstractStore | None:
        read = self.at(s, store)
        label = read.label(s.args[0])
        paths: list[Path] = []
        for block, holds in zip(s.blocks, (True, False), strict=True):
            inner = store.copy()
            for thing, readers in () if self.in_lookahead else read.admitted(s.args[0], holds):
                inner.add_fact(thing, readers)
            paths.append((label, inner, block))
        return self.branch(s, store, paths)

    def _match(self, s: MatchStmt, store: AbstractStore) -> AbstractStore | None:
        read = self.at(s, store)
        label = union((read.label(s.args[0]), *(read.labels(row) for row in s.rows)))
        return self.branch(s, store, [(label, store, b) for b in s.blocks])

    def _leave(self, s: LeaveStmt, store: AbstractStore) -> None:
        match s.facts.leaves:
            case Leaves.LOOP:
                self.exits[-1].left.append(store)
            case Leaves.ROUND:
                self.exits[-1].again.append(store)
            case _:
                self._return(store, NOTHING if not s.args else self._value(s, store, s.args[0], RESULT))

    def _return(self, store: AbstractStore, value: AbstractValue) -> None:
        store.values[RESULT] = value
        self.returned.append(store)

    def _finish(self, s: FinishStmt, store: AbstractStore) -> None:
        if self.analysis.looks_ahead:
            self.termination |= store.pc

    def _pass(self, s: TypedStmt, store: AbstractStore) -> AbstractStore:
        return store

    # ------------------------------------------------------------ values
    def _value(self, s: TypedStmt, store: AbstractStore, x: TypedExpr, slot: int) -> AbstractValue:
        """The value of the right side of a statement, which may be a call that acts."""
        call = statement_call(s)
        if call is not None:
            value = self.call(s, store, call)
            return value._replace(number=self.point(s, slot)) if value.number[0] == "at" else value
        return self.at(s, store).value(x, slot)

    def _let(self, s: LetStmt, store: AbstractStore) -> AbstractStore:
        store.values[s.slot] = self._value(s, store, s.args[0], s.slot)
        return store

    def _do(self, s: TypedStmt, store: AbstractStore) -> AbstractStore:
        self._value(s, store, s.args[0], RESULT)
        return store

    def _write_place(self, s: PlaceStmt, store: AbstractStore) -> AbstractStore:
        """A place is written; a collection afterwards depends on both, what it was and what was added."""
        value = self._value(s, store, s.value, -2)
        if isinstance(s, AssignStmt) and isinstance(s.target, LocalExpr):
            store.values[s.target.slot] = value
        else:
            self._update(s, store, s.target, value)
        return store

    def _update(self, s: TypedStmt, store: AbstractStore, target: TypedExpr, value: AbstractValue) -> None:
        """A part of something is given a value."""
        root = root_of(target)
        read = self.at(s, store)
        at = union(read.label(y) for y in _keys(target, root))
        if isinstance(root, LocalExpr):
            old = store.values.get(root.slot, NOTHING)
            store.values[root.slot] = joined((old, value), self.point(s, root.slot), at)
        elif isinstance(root, StateExpr):
            self.write(s, store, {root.name: value.label | at})
        elif isinstance(root, MutableExpr):
            self.write_faces(s, store, root.args[0], value.label | read.label(root.args[0]))

    def write(
        self,
        s: TypedStmt,
        store: AbstractStore,
        given: dict[str, Label],
        counted: Label | None = None,
        seen: dict[str, frozenset[Observer]] | None = None,
    ) -> None:
        """Zones and state variables change, and are given these labels.

        `counted` decides how much lies there afterwards (`None`: what they are given does). Where not all who
        see a thing perceive the change, it counts as unseen; `seen` says who sees it, if these are fewer than
        its declaration tells.
        """
        names = frozenset(given)
        if self._must_note(names):
            for name in sorted(names):
                label, viewers = given[name], (seen or {}).get(name, EVERYBODYS)
                self._note(store, name, label, label if counted is None else counted, viewers)
        point = self.point(s)
        for name in names & (self.program.vars.keys() | self.program.zones.keys()):
            store.states[name] = (*point, name)
        store.forget(names)

    def _must_note(self, names: frozenset[str]) -> bool:
        """Tell whether the labels that these things are given must be recorded, rather than only that they
        changed.
        """
        analysis = self.analysis
        analysis.asking |= names
        told = names.isdisjoint(analysis.untold) and names.isdisjoint(analysis.outdated)
        return not (told and self._is_perceived)

    @property
    def _is_perceived(self) -> bool:
        """Tell whether all perceive what happens here."""
        is_open = self.audience is None and not self.in_lookahead
        return is_open and self.proc.index not in self.analysis.effects.unperceived

    def _hidden(self, store: AbstractStore, label: Label) -> Label:
        """The label of a change for those who do not perceive it."""
        if self._is_perceived:
            return PUBLIC
        return self.analysis.outline(self.expand(label | store.pc, store))

    def _note(
        self,
        store: AbstractStore,
        name: str,
        label: Label,
        counted: Label,
        viewers: frozenset[Observer],
    ) -> None:
        """Record the label that one thing is given: for callers, for a look-ahead, or as unseen."""
        analysis = self.analysis
        hidden = self._hidden(store, label)
        number = hidden if counted is label else self._hidden(store, counted)
        if self.proc.index in analysis.effects.unperceived:
            self.written[name] = self.written.get(name, PUBLIC) | hidden
        if self.in_lookahead:
            store.contents[name] = store.contents.get(name, PUBLIC) | label
            return
        for kind in ("state", "zone", "count") if name in analysis.outdated else ():
            if (kind, name) in analysis.unseen:
                store.outdate(kind, name, analysis.unseen[kind, name])
        if self.audience is not None:
            if not all(knows(self.audience, r) for r in viewers):
                analysis.write_unseen("state" if name in self.program.vars else "zone", name, hidden)
            if name in self.program.zones:
                analysis.write_unseen("count", name, number)
        elif name in analysis.untold:  # bookkeeping: its value counts, that it was written does not
            analysis.write_unseen("state", name, analysis.outline(self.expand(label, store)))

    def write_faces(self, s: TypedStmt, store: AbstractStore, component: TypedExpr, label: Label) -> None:
        """Changeable attributes of components change: what was disclosed of them and of the zones that they
        lie in is out of date.
        """
        names, zones = self.analysis.effects.faces(component.type), self.at(s, store).zones(component)
        if zones and all(p.kind == "zone" for p in zones):
            names = names - self.program.zones.keys() | {p.name for p in zones}
        self.write(s, store, dict.fromkeys(names, label))
        store.forget(kinds_of(component.type), ("face",))

    # ------------------------------------------------------------ calls
    def call(self, s: TypedStmt, store: AbstractStore, x: CallExpr) -> AbstractValue:
        """A call as a statement: its value, what it changes, what it discloses."""
        analysis, target = self.analysis, self.program.procs[x.proc]
        read, summary = self.at(s, store.copy()), analysis.summaries[x.proc]  # as it is before the call
        value, called = read.result(x), Instance.of(read, x, target)
        self._arguments(read, target, x.args)
        if summary.termination:
            self.termination |= called.label(summary.termination) | store.pc
        changed = analysis.effects.after(x.proc)
        written = {name: called.label(summary.written.get(name, PUBLIC)) for name in changed}
        self._ran(s, store, written)
        if changed:
            store.facts = {k: r for k, r in store.facts.items() if k[0] != "face"}
        for i, (q, a) in enumerate(zip(target.params, x.args, strict=False)):
            slot = _variable(a)
            if i in summary.known:
                learn(self, s, store, a, called.readers(summary.known[i]))
            if q.var and slot is not None:
                end = called.value(summary.outs.get(q.slot, NOTHING))
                store.values[slot] = joined((end, *analysis.hook_vars(read, x, q.slot)), self.point(s, slot))
            elif slot is not None and i in summary.moved and slot in store.values:
                store.values[slot] = store.values[slot]._replace(zones=called.zones(summary.moved[i]))
        for declared, knowing in () if self.in_lookahead else summary.facts.items():
            thing, readers = called.thing(declared), called.readers(knowing)
            if readers and thing is not None and thing[1] not in analysis.effects.watched:
                store.add_fact(thing, restrict(readers, self.audience))
        return value

    def _arguments(
        self,
        read: ExpressionLabels,
        target: Proc,
        args: tuple[TypedExpr, ...],
        asked: Observer | None = None,
    ) -> dict[int, AbstractValue]:
        """The values of arguments, which are noted for the called; `asked`: the one player who may react."""
        values: dict[int, AbstractValue] = {}
        for q, a in zip(target.params, args, strict=False):
            v = read.value(a, q.slot)
            label, selects = self.expand(v.label, read.store), self.expand(v.selects, read.store)
            values[q.slot] = v._replace(label=label, selects=selects)
        if not self.in_lookahead:
            self.found.note_call(CallArguments(target, values, dict(read.store.states), asked))
        return values

    def _ran(self, s: TypedStmt, store: AbstractStore, written: dict[str, Label]) -> None:
        """Things were changed by what a call or a window has run, and were given these labels."""
        self.write(s, store, written)
        self._displace(store, self.program.zones.keys() & written.keys(), None)
        faces = frozenset(name.removeprefix(FACES) for name in written if name.startswith(FACES))
        store.forget(faces, ("face",))

    def _open(self, s: OpenStmt, store: AbstractStore) -> AbstractStore:
        self._reactions(s, store, s.window, s.args[1:], s.args[0])
        return store

    def _reactions(
        self, s: TypedStmt, store: AbstractStore, window: int, args: tuple[TypedExpr, ...], to: TypedExpr
    ) -> None:
        """A window opens: what those who are asked react to, what may happen in it, and what comes back
        through its `var`s.
        """
        changed, opened = self.analysis.effects.after(window), self.program.procs[window]
        read = self.at(s, store)
        arguments = self._arguments(read, opened, args, read.number(_one(to)))
        given = union(v.label | v.selects for v in arguments.values())
        self._ran(s, store, {name: self.analysis.written_in(window, name, given) for name in changed})
        for q, a in zip(opened.params, args, strict=False):
            slot = _variable(a)
            if q.var and slot is not None and slot in store.values:
                ends = store.values[slot], *self.analysis.window_vars(window, q.slot, given)
                store.values[slot] = joined(ends, self.point(s, slot))._replace(zones=None)

    # ------------------------------------------------------------ decisions
    def _ask(self, s: AskStmt, store: AbstractStore) -> AbstractStore | None:
        offered = union(d.label for d in decisions_of(self, s, store))
        chooser = None if s.decider is None else self.at(s, store).number(s.decider)
        sources, otherwise = s.sources(), s.otherwise
        if self.analysis.looks_ahead and not s.may_offer_nothing:
            self.termination |= offered | store.pc
        if isinstance(s, MenuStmt):
            if s.menu.window is not None:
                self._reactions(s, store, s.menu.window, s.menu.window_args, s.args[0])
            if not any(s.blocks):
                return store
        taken = [(source.block, self._taken(s, store, source, chooser)) for source in sources]
        secret = self._perceived(s, PUBLIC, _named_slot(s))
        which = secret if len(taken) > 1 or isinstance(s, MenuStmt) else PUBLIC  # who chooses says which
        paths: list[Path] = [(which, entry, block) for block, entry in taken]
        if s.opens is not None:  # a reaction is taken, and what follows goes on
            paths.append((which, store, []))
        if otherwise is not None:
            paths.append((PUBLIC, store, otherwise))
        # where not all perceive that somebody chose, or that nobody did, what was offered decides about that
        is_hidden = s.may_offer_nothing and not self._is_perceived
        return self.branch(s, store, paths, offered if is_hidden else PUBLIC)

    def _taken(
        self, s: AskStmt, store: AbstractStore, source: AskSource, chooser: Observer | None
    ) -> AbstractStore:
        """The store in which an option of a source is taken."""
        inner = self.at(s, store).with_values()
        for slots, walked in source.bindings:
            value = AbstractValue(inner.one_of(walked, slots[-1]), PUBLIC)
            if self.analysis.holds_components(walked.type):
                value = value._replace(label=inner.label(walked), zones=inner.zones(walked))
            if isinstance(s, ChooseStmt):
                value = self._several(s, value)
            known = NOBODY if chooser is None else restrict(frozenset({chooser}), self.audience)
            value = value._replace(label=declassify(self._perceived(s, value.label, slots[-1]), known))
            inner.store.values |= dict.fromkeys(slots, value)
        return inner.store

    def _several(self, s: ChooseStmt, value: AbstractValue) -> AbstractValue:
        """The value of a choice of several things, or by several players, of which one is `value`."""
        choice = s.choice
        if not choice.many and choice.chooser != "every":
            return value
        value = value._replace(number=self.point(s, choice.slot))
        if choice.many and choice.low is not choice.high:
            value = value._replace(selects=self._perceived(s, PUBLIC, choice.slot))
        if choice.chooser == "every" and self.audience is None:
            value = value._replace(label=declassify(value.label, frozenset({of_entry(value.number, KEYED)})))
        return value

    def _perceived(self, s: TypedStmt, label: Label, slot: int) -> Label:
        """The label of what somebody, or chance, chose: all perceive it, but for what is chosen secretly."""
        if self.audience is None or self.in_lookahead:
            return label
        name = self.proc.slots[slot] if slot >= 0 else "the choice"
        key = next(iter(self.audience)) if len(self.audience) == 1 else None
        return label | {Policy("secret", name, key, s.span, self.audience)}

    def _so_that(self, s: SoThatStmt, store: AbstractStore) -> AbstractStore | None:
        if self.in_lookahead:
            return self._nested_lookahead(s, store)
        found = decisions_of(self, s, store)
        if not s.has_other:
            return self.branch(s, store, [(PUBLIC, store, s.blocks[0])])
        ahead = union(d.label for d in found) if found else self.lookahead_label(s, store)
        return self.branch(s, store, [(PUBLIC, store, b) for b in s.blocks], ahead)

    def _nested_lookahead(self, s: SoThatStmt, store: AbstractStore) -> AbstractStore | None:
        """A look-ahead inside another one, which tries it too."""
        before = store.pc
        end = self.block(s.blocks[0], store.copy())
        if not s.has_other:
            return end
        gate = PUBLIC if end is None else (end.pc - before) | self.at(s, end).label(s.args[0])
        other = store.copy()
        other.pc |= gate
        last = self.block(s.blocks[1], other)
        return join([e for e in (end, last) if e is not None], gate, self.point(s))

    def _suppose(self, s: SupposeStmt, store: AbstractStore) -> AbstractStore:
        """A supposition: nobody perceives it, and its value depends on the paths through it."""
        with self._apart():
            end = self.block(s.blocks[0], store.copy())
            value = NOTHING if end is None else self._value(s, end, s.args[0], s.slot)
            paths = self.termination | (PUBLIC if end is None else end.pc - store.pc)
        label, selects = plain(value.label | paths), plain(value.selects | paths)
        zones = None if value.zones else value.zones
        store.values[s.slot] = AbstractValue(self.point(s, s.slot), label, selects, zones)
        return store

    @contextmanager
    def _apart(self) -> Iterator[None]:
        """Follow a block that nobody perceives: the paths out of it and what it writes stay apart from those
        of the procedure.
        """
        kept = self.in_lookahead, self.termination, self.exits, self.returned, self.written, self.audience
        self.in_lookahead = True
        self.termination = PUBLIC
        self.exits = [Exits()]
        self.returned = []
        self.written = {}
        self.audience = None
        try:
            yield
        finally:
            self.in_lookahead, self.termination, self.exits, self.returned, self.written, self.audience = kept

    def lookahead_label(self, s: TypedStmt, store: AbstractStore) -> Label:
        before = store.pc
        with self._apart():
            end = self.block(s.blocks[0], store.copy())
            exits = self.exits[-1]
            ends = [end, *exits.left, *exits.again, *self.returned]
            labels = [e.pc | self.at(s, e).label(s.args[0]) for e in ends if e is not None]
            found = self.termination | union(labels)
        return plain(self.expand(found - before, store))

    # ------------------------------------------------------------ the table
    def _move(self, s: MoveStmt, store: AbstractStore) -> AbstractStore:
        what, to = s.args
        read = self.at(s, store)
        label, number = read.label(what), read.number(_one(what))
        arrived = read.zones(to)
        left = read.zones(what)
        sources = frozenset(p.name for p in left or () if p.kind != "param")
        if _names(left) is None:
            sources |= self.analysis.effects.zones_for(what.type)
        names = sources | self.analysis.effects.zones(to, self.proc)
        seen = self._viewers(to, read)
        counted = read.selection(what) if what.op not in ("zone_all", "zone_list", "family_list") else label
        into = {to.name: seen} if isinstance(to, ZoneExpr) and to.name not in sources else {}
        self.write(s, store, dict.fromkeys(names, label), counted, into)
        for slot, v in store.values.items():
            if v.number == number:
                store.values[slot] = v._replace(zones=arrived)
        self._displace(store, _names(left), arrived, number)
        learn(self, s, store, what, seen, facts=False)
        perceiving = restrict(seen, self.audience)
        if number is not None and perceiving and not self.in_lookahead:
            store.learn(number, perceiving)
            store.add_fact(("value", "", number), perceiving)
        return store

    @staticmethod
    def _displace(
        store: AbstractStore, left: Set[str] | None, arrived: Label | None, number: Observer | None = None
    ) -> None:
        """What lay in zones that something has left (`None`: in any), and is not the value with a number, may
        lie where that has arrived (`None`: anywhere).
        """
        if left is not None and not left:
            return
        for slot, v in store.values.items():
            if v.zones is None or v.number == number:
                continue
            if left is None or any(p.kind == "param" or p.name in left for p in v.zones):
                store.values[slot] = v._replace(zones=all_places((v.zones, arrived)))

    def _viewers(self, to: TypedExpr, read: ExpressionLabels) -> frozenset[Observer]:
        """The observers who see what enters a zone."""
        if not isinstance(to, ZoneExpr):
            return NOBODY
        zone = self.program.zones[to.name]
        return audience_of(zone.seen_by, read.owner(to))

    def _draw(self, s: DrawStmt, store: AbstractStore) -> AbstractStore:
        read = self.at(s, store)
        left, arrived = _names(read.zones(s.args[1])), read.zones(s.args[2])
        self._rearrange(s, store)
        self._displace(store, left, arrived)
        if s.drawn >= 0:
            read = self.at(s, store)
            label, zones = read.label(s.args[2]), read.zones(s.args[2])
            store.values[s.drawn] = AbstractValue(self.point(s, s.drawn), label, PUBLIC, zones)
        return store

    def _rearrange(self, s: TypedStmt, store: AbstractStore) -> AbstractStore:
        """Something else lies in zones, as what the statement reads has decided."""
        names = self.analysis.effects.changed(s, self.proc)
        self.write(s, store, dict.fromkeys(names, self.at(s, store).labels(s.args)))
        return store

    def _swap(self, s: SwapStmt, store: AbstractStore) -> AbstractStore:
        self._rearrange(s, store)
        self._displace(store, self.analysis.effects.changed(s, self.proc), None)
        return store

    def _roll(self, s: RollStmt, store: AbstractStore) -> AbstractStore:
        read = self.at(s, store)
        label = read.label(s.args[0])
        zones = read.zones(s.args[0])
        self.write_faces(s, store, s.args[0], label if zones is None else label | out_of_sight(zones))
        return store

    def _emit(self, s: EmitStmt, store: AbstractStore) -> AbstractStore:
        if s.facts.tells is Tells.CHOICES:
            self._disclose(s, store)
            return store
        readers = EVERYBODYS
        if s.readers is not None:
            note_excluded_receivers(self, s, store)
            readers = named(self, s, store, s.readers)
        learn(self, s, store, s.args[0], readers)
        return store

    def _disclose(self, s: EmitStmt, store: AbstractStore) -> None:
        """Declassify what several players chose secretly to all who perceive what happens here."""
        for x in s.args[:1]:
            if isinstance(x, LocalExpr) and x.slot in store.values and self.audience is None:
                v = store.values[x.slot]
                label, selects = (
                    frozenset(p for p in of if p.kind != "secret" or p.span != s.span)
                    for of in (v.label, v.selects)
                )
                store.values[x.slot] = v._replace(label=label, selects=selects)

    def _secretly(self, s: SecretlyStmt, store: AbstractStore) -> AbstractStore | None:
        if self.audience is not None:  # a `secretly` within another adds nobody
            return self.block(s.blocks[0], store)
        read = self.at(s, store)
        self.audience, self.secret = named(self, s, store, s.args[0]), s
        self.secret_numbers = tuple(read.number(a) for a in s.args[0].args)
        note_secret_turn(self, s, store)
        end = self.block(s.blocks[0], store)
        self.audience = self.secret = None
        return end

    def _for_seconds(self, s: ForSecondsStmt, store: AbstractStore) -> AbstractStore | None:
        before, self.is_timed = self.is_timed, True
        end = self.block(s.blocks[0], store)
        self.is_timed = before
        return end


STATEMENTS: dict[str, Callable[[Flow, TypedStmt, AbstractStore], AbstractStore | None]] = {
    "add": of_statement(AddStmt, Flow._write_place),
    "assign": of_statement(AssignStmt, Flow._write_place),
    "choose": of_statement(ChooseStmt, Flow._ask),
    "do": Flow._do,
    "draw": of_statement(DrawStmt, Flow._draw),
    "emit": of_statement(EmitStmt, Flow._emit),
    "finish": of_statement(FinishStmt, Flow._finish),
    "for": loop,
    "for_seconds": of_statement(ForSecondsStmt, Flow._for_seconds),
    "if": Flow._if,
    "leave": of_statement(LeaveStmt, Flow._leave),
    "let": of_statement(LetStmt, Flow._let),
    "match": of_statement(MatchStmt, Flow._match),
    "menu": of_statement(MenuStmt, Flow._ask),
    "move": of_statement(MoveStmt, Flow._move),
    "open": of_statement(OpenStmt, Flow._open),
    "pass": Flow._pass,
    "remove": of_statement(RemoveStmt, Flow._write_place),
    "repeat": loop,
    "roll": of_statement(RollStmt, Flow._roll),
    "secretly": of_statement(SecretlyStmt, Flow._secretly),
    "shuffle": Flow._rearrange,
    "so_that": of_statement(SoThatStmt, Flow._so_that),
    "suppose": of_statement(SupposeStmt, Flow._suppose),
    "swap": of_statement(SwapStmt, Flow._swap),
}


def _keys(target: TypedExpr, root: TypedExpr) -> list[TypedExpr]:
    """The indices and keys between a target and the variable that it is a part of."""
    found: list[TypedExpr] = []
    while target is not root:
        found += target.args[1:]
        target = target.args[0]
    return found


def _names(zones: Label | None) -> frozenset[str] | None:
    """The names of zones; `None` where they may be any."""
    if zones is None or any(p.kind == "param" for p in zones):
        return None
    return frozenset(p.name for p in zones)


def _variable(x: TypedExpr) -> int | None:
    """The local that an argument is, as a whole."""
    x = ranges.plain(x)
    return x.slot if isinstance(x, LocalExpr) else None


def _named_slot(s: AskStmt) -> int:
    """The local by which messages call what is chosen."""
    return s.choice.slot if isinstance(s, ChooseStmt) else -1


def _one(x: TypedExpr) -> TypedExpr:
    """The one thing that a list of one holds."""
    return x.args[0] if x.op == "list" and len(x.args) == 1 else x
