"""The effects of procedures, themselves and through what they call: the names of zones and state variables
that they may change, worked out before the analysis.

A component that is moved is taken from somewhere, too: from the zones that it was found in as far as the text
says that, else from any zone of its kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.kernel import types as t
from croupier.kernel.facts import Hides, Tells, Writes
from croupier.kernel.folds import Gives
from croupier.kernel.tree import (
    CompExpr,
    LocalExpr,
    MutableExpr,
    PlaceStmt,
    StateExpr,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
)
from croupier.semantics.call_effects import callees
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.walk import closure, parts, run_by, statement_call, statements

FACES = "$faces "  # before a class: the changeable attributes of its components
NONE: frozenset[str] = frozenset()
# operations that give components which may lie anywhere
ANYWHERE = frozenset("component class labelled attr state field map_list column index family.key".split())


class ProcedureEffects:
    """The names that procedures may write (their mod sets); `watched` are those that watchers write, which
    may change after any statement.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._own: dict[int, frozenset[str]] = {}
        self._after: dict[int, frozenset[str]] = {}
        self._disclosed: dict[int, frozenset[int]] = {}
        self._origins: dict[int, dict[int, list[TypedExpr]]] = {}
        self.zones_of = {
            k: frozenset(z.name for z in program.zones.values() if k in z.kinds) for k in program.classes
        }
        # procedures that may run where not everybody perceives what happens
        self.unperceived = self._unperceived()
        self.watched = frozenset(name for w in program.watchers for name in self.after(w.proc.index))

    def _unperceived(self) -> frozenset[int]:
        blocks = [
            s.blocks[0]
            for p in self.program.procs
            for s in statements(p.body)
            if s.facts.hides in (Hides.EVENTS, Hides.TRIAL)
        ]
        starts = run_by(s for b in blocks for s in statements(b))
        return frozenset(closure(starts, lambda i: callees(self.program, self.program.procs[i])))

    def after(self, start: int) -> frozenset[str]:
        """Return what a procedure may change, with all that it calls and all that listens to it."""
        if start not in self._after:
            procs = (self.program.procs[i] for i in closure([start], self._acting_callees))
            self._after[start] = NONE.union(*(self.own(proc) for proc in procs if not proc.supposes))
        return self._after[start]

    def _acting_callees(self, index: int) -> set[int]:
        """Return what a procedure calls; of one that supposes nothing counts."""
        proc = self.program.procs[index]
        return set() if proc.supposes else callees(self.program, proc)

    def own(self, proc: Proc) -> frozenset[str]:
        """Return what the statements of a procedure themselves change."""
        if proc.index not in self._own:
            self._own[proc.index] = frozenset(
                name for s in statements(proc.body) for name in self.changed(s, proc)
            )
        return self._own[proc.index]

    def changed(self, s: TypedStmt, proc: Proc) -> frozenset[str]:
        match s.FACTS.writes:
            case Writes.ZONES:
                return NONE.union(*(self.zones(s.args[i], proc) for i in s.FACTS.zones if i < len(s.args)))
            case Writes.ATTRIBUTES:
                return self.faces(s.args[0].type)
            case Writes.PLACE:
                assert isinstance(s, PlaceStmt)
                root = s.root
                if isinstance(root, StateExpr):
                    return frozenset({root.name})
                return self.faces(root.args[0].type) if isinstance(root, MutableExpr) else NONE
        return NONE

    def faces(self, kind: t.Type) -> frozenset[str]:
        """Return what changes with the attributes of components: the attributes, and what the zones of these
        components show.
        """
        return frozenset(FACES + k for k in kinds_of(kind)) | self.zones_for(kind)

    # ------------------------------------------------------------ what is disclosed
    def disclosed(self, proc: Proc) -> frozenset[int]:
        """The locals of a procedure that may be disclosed somewhere in it: those that are shown, told, moved
        or given to a call, and what holds components, which may be disclosed where they lie.
        """
        if proc.index not in self._disclosed:
            bound = {slot for s in statements(proc.body) for slot, _ in s.bound()} | {
                q.slot for q in proc.params
            }
            held = {slot for slot in bound if kinds_of(proc.slot_types[slot])}
            named = {
                x.slot for s in statements(proc.body) for x in _disclosed_by(s) if isinstance(x, LocalExpr)
            }
            self._disclosed[proc.index] = frozenset(held | named)
        return self._disclosed[proc.index]

    # ------------------------------------------------------------ where components come from
    def zones(self, x: TypedExpr, proc: Proc) -> frozenset[str]:
        """The zones that what an expression holds may lie in."""
        found = self._sources(x, proc, set())
        return self.zones_for(x.type) if found is None else found

    def zones_for(self, kind: t.Type) -> frozenset[str]:
        """The zones that the components of a value of this type may lie in, wherever they come from."""
        return NONE.union(*(self.zones_of.get(k, NONE) for k in kinds_of(kind)))

    def _sources(self, x: TypedExpr, proc: Proc, seen: set[int]) -> frozenset[str] | None:
        if isinstance(x, ZoneExpr):
            return frozenset({x.name})
        if isinstance(x, LocalExpr):
            if x.slot in seen:
                return NONE
            origins = self.origins(proc).get(x.slot)
            if not origins:
                return None
            parts = [self._sources(o, proc, {*seen, x.slot}) for o in origins]
        elif isinstance(x, CompExpr) and x.fold.gives is not Gives.NONE:
            parts = [self._sources(a, proc, seen) for a in x.args[: len(x.binds())] if kinds_of(a.type)]
        elif x.op in ANYWHERE or x.op in ("call", "original", "item", "comp", "map_comp"):
            return None
        else:
            parts = [self._sources(a, proc, seen) for a in x.args if kinds_of(a.type)]
        return None if not parts or None in parts else NONE.union(*(p for p in parts if p is not None))

    def origins(self, proc: Proc) -> dict[int, list[TypedExpr]]:
        """The expressions that locals of a procedure get their components from."""
        if proc.index not in self._origins:
            found = self._origins[proc.index] = {}
            whole = list(statements(proc.body))
            of_statements = (pair for s in whole for pair in s.bound())
            of_expressions = (pair for x in parts(whole) for pair in zip(x.binds(), x.args, strict=False))
            for slot, x in (*of_statements, *of_expressions):
                found.setdefault(slot, []).append(x)
        return self._origins[proc.index]


def _disclosed_by(s: TypedStmt) -> Iterator[TypedExpr]:
    """Yield the expressions, with their parts, that a statement may disclose."""
    if s.facts.tells in (Tells.WORDS, Tells.COMPONENTS):
        for x in s.args:
            yield from x.walk()
    call = statement_call(s)
    if call is not None:
        yield from call.args


def kinds_of(kind: t.Type) -> frozenset[str]:
    """The classes of the components that a value of this type may hold."""
    while isinstance(kind, (t.Optional, t.Collection)):
        kind = kind.base
    return kind.kinds if isinstance(kind, (t.Component, t.Zone, t.Family)) else NONE
