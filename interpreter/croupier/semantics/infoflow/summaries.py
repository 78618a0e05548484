"""The analysis of a whole program: summaries from the called to the callers, then labels of arguments from
the callers to the called.

Each procedure is analysed once for all its calls, with symbols for its parameters (a summary is polymorphic
in their labels); those whose callees' summaries changed are analysed again, until nothing changes. Then each
parameter gets the join of what its callers give it, and the symbols in what decisions depend on are replaced
by that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

from croupier.kernel import types as t
from croupier.kernel.facts import Hides
from croupier.kernel.tree import CallExpr, SoThatStmt, TypedStmt, text_parts
from croupier.records import dataclass
from croupier.semantics.call_effects import callees
from croupier.semantics.infoflow.decisions import reaction
from croupier.semantics.infoflow.effects import ProcedureEffects, kinds_of
from croupier.semantics.infoflow.expressions import ExpressionLabels
from croupier.semantics.infoflow.instances import ASKED, CallArguments, Entry, Instance
from croupier.semantics.infoflow.interfaces import (
    NOTHING,
    OUTSIDE,
    RESULT,
    DecisionFlow,
    ProcedureFindings,
    ProcedureSummary,
    Unseen,
)
from croupier.semantics.infoflow.statements import Flow
from croupier.semantics.infoflow.store import (
    ASPECTS,
    EVERYBODY,
    PUBLIC,
    WHOLE,
    AbstractStore,
    AbstractValue,
    Label,
    Observer,
    Policy,
    Renaming,
    audience_of,
    coarsened,
    declassify,
    join,
    joined,
    knows,
    param,
    rename,
    rename_observer,
    union,
)
from croupier.semantics.procedures import Hook, Proc
from croupier.semantics.program import Program, VarDef, ZoneDef, is_nobody
from croupier.semantics.walk import closure, statements

CHANGING = ("instead", "adjust")
ROUNDS = 20  # for each procedure, after which its fixed points are widened


def widened(before: ProcedureSummary, after: ProcedureSummary) -> ProcedureSummary:
    """The widening of two summaries: the join of their labels without owners and readers.

    There are finitely many labels, but those with observers inside observers are many. Where a fixed point
    takes many rounds, widening ends it. It errs on the safe side: no leak is lost, since nobody is taken to
    know more.
    """
    outs = {
        slot: _widened_value([s.outs[slot] for s in (before, after) if slot in s.outs])
        for slot in {**before.outs, **after.outs}
    }
    written = {
        name: coarsened(before.written.get(name, PUBLIC) | after.written.get(name, PUBLIC))
        for name in {**before.written, **after.written}
    }
    moved: dict[int, Label | None] = dict.fromkeys({**before.moved, **after.moved})
    termination = coarsened(before.termination | after.termination)
    return ProcedureSummary(
        _widened_value([before.value, after.value]), outs, {}, moved, written, {}, termination
    )


def _widened_value(values: list[AbstractValue]) -> AbstractValue:
    whole = joined(values, ("widened",))
    return AbstractValue(whole.number, coarsened(whole.label), coarsened(whole.selects), None)


@dataclass
class SolverState:
    """The state of the fixed point of summaries: `order` has callees before callers, `rounds` how often each
    procedure was analysed.
    """

    order: list[int]
    callers: dict[int, set[int]]
    rounds: dict[int, int]
    begun: set[int] = field(default_factory=set)

    def begin(self, stage: list[int]) -> dict[int, None]:
        """Procedures that are analysed from now on."""
        self.begun.update(stage)
        return dict.fromkeys(stage)

    def chosen(self, which: Callable[[int], bool]) -> dict[int, None]:
        """Some of those that have begun, in their order."""
        return dict.fromkeys(i for i in self.order if i in self.begun and which(i))


class ArgumentLabels:
    """The labels that one call adds to the parameters of its callee: its own once, those of the caller's
    parameters when they change.
    """

    def __init__(self, given: CallArguments) -> None:
        self.target = given.target.index
        parts = list(given.labels())
        self.names = given.names()
        own = [(at, frozenset(p for p in label if p.kind not in ("param", "loop"))) for at, label in parts]
        self.own = [(at, rename(label, self.names)) for at, label in own if label]
        self.symbols = [
            (at, p.key, p.name, p.readers)
            for at, label in parts
            for p in label
            if p.kind == "param" and p.key is not None
        ]
        self._renamed: dict[tuple[Label, frozenset[Observer]], Label] = {}

    def labels(self, entries: dict[Entry, Label]) -> Iterator[tuple[Entry, Label]]:
        """Yield the labels that this call gives each aspect of each parameter, where the caller's parameters
        are given `entries`.

        Its own labels come once.
        """
        yield from self.own
        self.own = []
        for at, key, aspect, readers in self.symbols:
            given = entries.get((key, aspect))
            if given:
                if (given, readers) not in self._renamed:
                    self._renamed[given, readers] = rename(declassify(given, readers), self.names)
                yield at, self._renamed[given, readers]


class FlowAnalysis:
    """The information flow of a checked program: its decisions, with what they depend on."""

    def __init__(self, program: Program) -> None:
        self.program, self.effects = program, ProcedureEffects(program)
        self.begin_anew()
        self.untold = frozenset(
            v.name for v in program.vars.values() if v.words is not None and text_parts(v.words.text) == ()
        )
        things: dict[str, ZoneDef | VarDef] = {**program.zones, **program.vars}
        unseen = (n for n, d in things.items() if d.sight is None and is_nobody(d.seen_by))
        self.unseeable = frozenset(n for n in unseen if not self._counted(n))
        self.hooks: dict[int, list[Hook]] = {}
        self.hook_of: dict[int, Hook] = {h.proc.index: h for h in program.hooks}
        self.reactions: dict[int, list[Hook]] = {}
        for h in program.hooks:
            (self.reactions if h.kind == "reaction" else self.hooks).setdefault(h.target, []).append(h)
        declared = (("state", program.vars), ("zone", program.zones), ("count", program.zones))
        read = (Policy(kind, name, None, program.procs[0].span) for kind, of in declared for name in of)
        # what everybody sees
        self.public = frozenset((p.kind, p.name) for p in read if self.may_know(p, EVERYBODY))
        self.looks_ahead = any(isinstance(s, SoThatStmt) for p in program.procs for s in statements(p.body))
        self._sites: dict[int, dict[int, tuple[int, int]]] = {}
        self._holding: dict[t.Type, bool] = {}
        self._solve()
        self._declared()
        self._propagate_arguments()

    def begin_anew(self) -> None:
        """Forget what was found."""
        self.summaries = [ProcedureSummary() for _ in self.program.procs]
        self.found = [ProcedureFindings() for _ in self.program.procs]
        # what things were given where not all who see them perceive it, and the names of these
        self.unseen: Unseen = {}
        self.outdated: set[str] = set()
        # of the procedure that is being analysed
        self.current = ProcedureFindings()
        self.asking = self.current.asked

    # ------------------------------------------------------------ up: summaries
    def _callers(self) -> dict[int, set[int]]:
        """Return for each procedure those whose summaries are made with its own."""
        program = self.program
        callers: dict[int, set[int]] = {}
        for proc in program.procs:
            for index in callees(program, proc) | {
                h.proc.index for i in callees(program, proc) for h in self.hooks.get(i, ())
            }:
                callers.setdefault(index, set()).add(proc.index)
        return callers

    def _solve(self) -> None:
        order, first = self._callees_first(), self._unseen_first()
        solving = SolverState(order, self._callers(), dict.fromkeys(order, 0))
        for stage in ([i for i in order if i in first], [i for i in order if i not in first]):
            todo = solving.begin(stage)
            # what is unseen anywhere is so everywhere: those whom that concerns again, until nothing is added
            # to it
            while todo:
                known = dict(self.unseen)
                self._solve_summaries(todo, solving)
                grown = {
                    name for (kind, name), label in self.unseen.items() if known.get((kind, name)) != label
                }
                todo = solving.chosen(lambda i: not grown.isdisjoint(self.found[i].asked))  # noqa: B023 - it is called at once

    def _solve_summaries(self, todo: dict[int, None], solving: SolverState) -> None:
        """The fixed point of the summaries: analyse procedures until no summary changes."""
        while todo:
            index = next(iter(todo))
            del todo[index]
            solving.rounds[index] += 1
            before, after = self.summaries[index], self._summary(self.program.procs[index])
            if solving.rounds[index] > ROUNDS:
                after = widened(before, after)
            if after != before:
                self.summaries[index] = after
                callers = solving.callers.get(index, set())
                todo.update(solving.chosen(callers.__contains__))

    def _unseen_first(self) -> set[int]:
        """The procedures that may give something a value which not all perceive, and all that they call: what
        they do there matters to the others.
        """
        program = self.program
        starts = (
            p.index
            for p in program.procs
            if any(s.facts.hides is Hides.EVENTS for s in statements(p.body))
            or self.effects.own(p) & self.untold
        )
        return closure(starts, lambda i: callees(program, program.procs[i]))

    def _callees_first(self) -> list[int]:
        """The procedures in reverse topological order of calls: callees first, but for recursion."""
        found: dict[int, None] = {}
        for start in self.program.procs:
            trail: list[tuple[int, Iterator[int]]] = [
                (start.index, iter(sorted(callees(self.program, start))))
            ]
            seen = {start.index}
            while trail:
                index, rest = trail[-1]
                step = next((i for i in rest if i not in seen and i not in found), None)
                if step is None:
                    found.setdefault(index)
                    trail.pop()
                else:
                    seen.add(step)
                    trail.append((step, iter(sorted(callees(self.program, self.program.procs[step])))))
        return list(found)

    def _summary(self, proc: Proc) -> ProcedureSummary:
        self.current = self.found[proc.index] = ProcedureFindings()
        self.asking = self.current.asked
        flow = Flow(self, proc, self.begin(proc))
        end = join(flow.returned, union(e.pc for e in flow.returned), ("at", proc.index, OUTSIDE, "end"))
        summary = ProcedureSummary(written=flow.written, termination=flow.termination)
        if end is None:
            return summary
        summary.value, summary.facts = end.values[RESULT], end.facts
        for i, q in enumerate(proc.params):
            number = ("param", proc.index, q.slot)
            value = end.values[q.slot]
            if q.var:
                summary.outs[q.slot] = value
            elif value.number == number:
                symbols = [p.readers for p in value.label if p.kind == "param" and p.key == number]
                if symbols and all(symbols):
                    summary.known[i] = frozenset.intersection(*symbols)
                if value.zones != frozenset({param(number, "zones", proc.span)}) and kinds_of(q.type):
                    summary.moved[i] = value.zones
        hook = self.hook_of.get(proc.index)
        for a in () if hook is None else hook.args:
            if a.slot is not None and end.values[a.slot].number != ("param", proc.index, a.slot):
                summary.outs[a.slot] = end.values[a.slot]
        return summary

    def begin(self, proc: Proc) -> AbstractStore:
        """Return the abstract store at the beginning of a procedure, whose parameters have labels and nothing
        more.
        """
        store = AbstractStore()
        slots = [q.slot for q in proc.params]
        hook = self.hook_of.get(proc.index)
        if hook is not None:
            slots += [a.slot for a in hook.args if a.slot is not None]
            slots += [] if hook.result_slot is None else [hook.result_slot]
            for slot in (hook.self_slot, hook.owner_slot, hook.here_slot):
                if slot is not None:
                    store.values[slot] = AbstractValue(("param", proc.index, slot), PUBLIC)
        for slot in slots:
            number = ("param", proc.index, slot)
            label, selects, zones, _ = (frozenset({param(number, aspect, proc.span)}) for aspect in ASPECTS)
            store.values[slot] = AbstractValue(number, label, selects, zones)
        return store

    def outline(self, label: Label) -> Label:
        """A label without places, owners and readers: what summaries keep of what is written, for whoever
        does not perceive that.
        """
        anywhere = self.program.procs[0].span
        return frozenset(
            p if p.kind == "param" else Policy(p.kind, p.name, None, anywhere)
            for p in label
            if p.kind != "loop"
        )

    def sites(self, proc: Proc) -> dict[int, tuple[int, int]]:
        """The number of each statement of a procedure, and of the first one behind it that does not stand in
        it.
        """
        if proc.index not in self._sites:
            found: dict[int, tuple[int, int]] = {}

            def count(body: list[TypedStmt], at: int) -> int:
                for s in body:
                    end = at + 1
                    for b in s.blocks:
                        end = count(b, end)
                    found[id(s)] = (at, end)
                    at = end
                return at

            count(proc.body, 1)
            self._sites[proc.index] = found
        return self._sites[proc.index]

    def _counted(self, name: str) -> bool:
        zone = self.program.zones.get(name)
        return zone is not None and (zone.count_sight is not None or not is_nobody(zone.counted_by))

    def holds_components(self, kind: t.Type) -> bool:
        """Tell whether a value of this type may hold a component."""
        if kind not in self._holding:
            self._holding[kind] = self._holds(kind)
        return self._holding[kind]

    def _holds(self, kind: t.Type) -> bool:
        match kind:
            case t.Component():
                return True
            case t.Optional() | t.Collection():
                return self.holds_components(kind.base)
            case t.Map():
                return self.holds_components(kind.key) or self.holds_components(kind.value)
            case t.Record():
                return any(self.holds_components(f) for f in self.program.records[kind.name].fields.values())
        return False

    # ------------------------------------------------------------ calls
    def result(self, read: ExpressionLabels, x: CallExpr) -> AbstractValue:
        """Return the result of a call, as changed by the `instead of` and `adjust` hooks on it."""
        target = self.program.procs[x.proc]
        value = Instance.of(read, x, target).value(self.summaries[x.proc].value)
        for h in self.hooks.get(x.proc, ()):
            if h.kind in CHANGING:
                hooked = Instance.of_hook(read, x, target, h, value)
                more = hooked.value(self.summaries[h.proc.index].value)
                decided_by = self._in_force(h)
                if h.guard is not None:
                    store = self.begin(h.proc)
                    decided_by |= hooked.label(ExpressionLabels(self, h.proc, store, 0).label(h.guard))
                value = joined((value, more), read.point("hooked"), decided_by)
        return value

    def _in_force(self, h: Hook) -> Label:
        """A power of a component asks where the component lies: in a zone that is live."""
        if h.component is None:
            return PUBLIC
        zones = [z for z in self.program.zones.values() if z.live and h.component[0] in z.kinds]
        return frozenset(Policy("zone", z.name, None if z.key is None else WHOLE, h.proc.span) for z in zones)

    def write_unseen(self, kind: str, name: str, label: Label) -> None:
        """Join a label to a thing that is written where not all who see the thing perceive the write."""
        here, found = self.current.unseen, frozenset(p for p in label if p.kind != "param")
        here[kind, name] = here.get((kind, name), PUBLIC) | label
        if found and name not in self.unseeable:
            self.outdated.add(name)
            self.unseen[kind, name] = self.unseen.get((kind, name), PUBLIC) | found

    def written_in(self, window: int, name: str, given: Label) -> Label:
        """Return the label that reactions in a window give a thing, where the window is opened with what has
        the label `given`.
        """
        return union(
            self._outside(self.summaries[h.proc.index].written.get(name, PUBLIC), given)
            for h in self.reactions.get(window, ())
        )

    def window_vars(self, window: int, slot: int, given: Label) -> Iterator[AbstractValue]:
        """The values that reactions give a `var` parameter of a window."""
        for _, end in self._ends(self.reactions.get(window, ()), window, slot):
            label, selects = self._outside(end.label, given), self._outside(end.selects, given)
            yield AbstractValue(end.number, label, selects, None)

    def hook_vars(self, read: ExpressionLabels, x: CallExpr, slot: int) -> Iterator[AbstractValue]:
        """The values that hooks give a `var` parameter of a definition."""
        target = self.program.procs[x.proc]
        for h, end in self._ends(self.hooks.get(x.proc, ()), x.proc, slot):
            yield Instance.of_hook(read, x, target, h, NOTHING).value(end)._replace(zones=None)

    def _ends(self, hooks: Iterable[Hook], target: int, slot: int) -> Iterator[tuple[Hook, AbstractValue]]:
        for h in hooks:
            own = h.bound(self.program.procs[target]).get(slot)
            out = None if own is None else self.summaries[h.proc.index].outs.get(own)
            if out is not None:
                yield h, out

    def _outside(self, label: Label, given: Label) -> Label:
        """A label of a reaction for whoever opened the window, with all that the window was given in the
        place of any of it.
        """
        nowhere = Renaming(lambda o: None, lambda o: None)
        found = rename(frozenset(p for p in label if p.kind not in ("param", "loop")), nowhere)
        return found | given if any(p.kind == "param" for p in label) else found

    # ------------------------------------------------------------ decisions outside of statements
    def _declared(self) -> None:
        for h in self.program.hooks:
            if h.kind == "reaction":
                read = ExpressionLabels(self, h.proc, self.begin(h.proc), 0)
                read.chooser_is = self._asked_as(h)
                found = reaction(read, h)
                if found is not None:
                    self.found[h.proc.index].decisions[OUTSIDE] = [found]

    def _asked_as(self, h: Hook) -> frozenset[Observer]:
        """Return those arguments of a window that certainly are whoever is asked, in the names of a reaction:
        `o.victim` in `open w(o) to o.victim`.
        """
        slots = h.bound(self.program.procs[h.target])
        found: frozenset[Observer] | None = None
        for g in (g for found in self.found for g in found.calls if g.target.index == h.target):
            numbers = {
                v.number: ("param", h.proc.index, slots[slot])
                for slot, v in g.values.items()
                if slot in slots
            }
            as_given = (
                None if g.asked is None else rename_observer(g.asked, Renaming(numbers.get, lambda o: None))
            )
            one = frozenset() if as_given is None else frozenset({as_given})
            found = one if found is None else found & one
        return found or frozenset()

    # ------------------------------------------------------------ down: what parameters are given
    def _propagate_arguments(self) -> None:
        self.entries: dict[Entry, Label] = {}
        todo = dict.fromkeys(p.index for p in self.program.procs)
        rounds = dict.fromkeys(todo, 0)
        passed: dict[int, list[ArgumentLabels]] = {}
        while todo:
            index = next(iter(todo))
            del todo[index]
            rounds[index] += 1
            wide = rounds[index] > ROUNDS
            if index not in passed:
                passed[index] = [ArgumentLabels(g) for g in self.found[index].calls]
            for g in passed[index]:
                grown = [self._add(at, label, wide) for at, label in g.labels(self.entries)]
                if any(grown):
                    todo.setdefault(g.target)
            for h in (*self.hooks.get(index, ()), *self.reactions.get(index, ())):
                if self._bind_hook(h, self.program.procs[index], wide):
                    todo.setdefault(h.proc.index)

    def _bind_hook(self, h: Hook, target: Proc, wide: bool) -> bool:
        """Give the names that a hook binds the labels of the parameters of what it listens to."""
        numbers: dict[Observer, Observer] = {
            ("param", target.index, slot): ("param", h.proc.index, own)
            for slot, own in h.bound(target).items()
        }
        given = dict(numbers)
        if h.kind == "reaction" and h.owner_slot is not None:
            numbers["param", target.index, ASKED] = ("param", h.proc.index, h.owner_slot)
        names = Renaming(numbers.get, lambda o: o[2:])
        grown = False
        for old, new in given.items():
            for aspect in ASPECTS:
                grown |= self._add(
                    (new, aspect), rename(self.entries.get((old, aspect), PUBLIC), names), wide
                )
        return grown

    def _add(self, at: Entry, label: Label, wide: bool) -> bool:
        old = self.entries.get(at, PUBLIC)
        if wide:
            label = coarsened(label)
        if label <= old:
            return False
        self.entries[at] = old | label
        return True

    def resolved(self, label: Label) -> Label:
        """A label in which the symbols of parameters are replaced by the labels of their arguments."""
        found = frozenset(p for p in label if p.kind not in ("param", "loop"))
        for p in label:
            if p.kind == "param" and p.key is not None:
                found |= declassify(self.entries.get((p.key, p.name), PUBLIC), p.readers)
        return found

    # ------------------------------------------------------------ what was found
    def decisions(self) -> Iterator[DecisionFlow]:
        """The decisions, by procedure and site."""
        for of in self.found:
            for _, decisions in sorted(of.decisions.items()):
                yield from decisions

    # ------------------------------------------------------------ who may know
    def may_know(self, p: Policy, who: Observer) -> bool:
        """Tell whether a player is certainly a reader of a policy, by its declaration or since it was
        declassified.
        """
        if knows(p.readers, who):
            return True
        program = self.program
        if p.kind == "state":
            return knows(audience_of(program.vars[p.name].seen_by, p.key), who)
        if p.kind == "secret":
            return False
        if p.kind == "place":
            return all(
                knows(audience_of(z.seen_by, None), who) for z in program.zones.values() if p.name in z.kinds
            )
        zone = program.zones[p.name]
        if knows(audience_of(zone.seen_by, p.key), who):
            return True
        return p.kind == "count" and knows(audience_of(zone.counted_by, p.key), who)
