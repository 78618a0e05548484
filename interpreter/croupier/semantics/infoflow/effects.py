"""The effects of procedures, themselves and through what they call: the names of zones and state variables
that they may change, worked out before the analysis.

A component that is moved is taken from somewhere, too: from the zones that it was found in as far as the text
says that, else from any zone of its kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.semantics import types as t
from croupier.semantics.call_effects import callees
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.tree import (
    CallExpr,
    Choice,
    ChooseStmt,
    CompExpr,
    DrawStmt,
    ForEachStmt,
    LetStmt,
    LocalExpr,
    MenuStmt,
    MutableExpr,
    StateExpr,
    TypedExpr,
    TypedStmt,
    ZoneAtExpr,
    ZoneExpr,
)
from croupier.semantics.walk import opened_window, operands, statement_call, statements

FACES = "$faces "  # before a class: the changeable attributes of its components
NONE: frozenset[str] = frozenset()


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
            if s.op in ("secretly", "so_that", "suppose")
        ]
        todo = [
            x.proc
            for b in blocks
            for s in statements(b)
            for o in operands(s)
            for x in o.walk()
            if isinstance(x, CallExpr)
        ]
        opened = (opened_window(s) for b in blocks for s in statements(b))
        todo += [window for window in opened if window is not None]
        seen: set[int] = set()
        while todo:
            index = todo.pop()
            if index is not None and index not in seen:
                seen.add(index)
                todo += callees(self.program, self.program.procs[index])
        return frozenset(seen)

    def after(self, start: int) -> frozenset[str]:
        """Return what a procedure may change, with all that it calls and all that listens to it."""
        if start not in self._after:
            seen: set[int] = set()
            found: set[str] = set()
            todo = [start]
            while todo:
                index = todo.pop()
                if index not in seen and not self.program.procs[index].supposes:
                    seen.add(index)
                    found |= self.own(self.program.procs[index])
                    todo += callees(self.program, self.program.procs[index])
            self._after[start] = frozenset(found)
        return self._after[start]

    def own(self, proc: Proc) -> frozenset[str]:
        """Return what the statements of a procedure themselves change."""
        if proc.index not in self._own:
            self._own[proc.index] = frozenset(
                name for s in statements(proc.body) for name in self.changed(s, proc)
            )
        return self._own[proc.index]

    def changed(self, s: TypedStmt, proc: Proc) -> frozenset[str]:
        match s.op:
            case "move":
                return self.zones(s.args[0], proc) | self.zones(s.args[1], proc)
            case "draw" | "shuffle" | "swap":
                return NONE.union(*(self.zones(x, proc) for x in s.args))
            case "roll":
                return self.faces(s.args[0].type)
            case "assign" | "add" | "remove":
                root = base(s.args[0] if s.op == "assign" else s.args[1])
                if isinstance(root, StateExpr):
                    return frozenset({root.name})
                return self.faces(root.args[0].type) if isinstance(root, MutableExpr) else NONE
        return NONE

    def faces(self, kind: t.Type) -> frozenset[str]:
        """Return what changes with the attributes of components: the attributes, and what the zones of these
        components show.
        """
        kinds = kinds_of(kind)
        return frozenset(FACES + k for k in kinds).union(*(self.zones_of.get(k, NONE) for k in kinds))

    # ------------------------------------------------------------ what is disclosed
    def disclosed(self, proc: Proc) -> frozenset[int]:
        """The locals of a procedure that may be disclosed somewhere in it: those that are shown, told, moved
        or given to a call, and what holds components, which may be disclosed where they lie.
        """
        if proc.index not in self._disclosed:
            bound = {slot for s in statements(proc.body) for slot, _ in _bound(s)} | {
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
        if isinstance(x, (ZoneExpr, ZoneAtExpr)):
            return frozenset({x.name})
        kinds = kinds_of(x.type)
        everywhere = NONE.union(*(self.zones_of.get(k, NONE) for k in kinds))
        found = self._sources(x, proc, set())
        return everywhere if found is None else found

    def _sources(self, x: TypedExpr, proc: Proc, seen: set[int]) -> frozenset[str] | None:
        if isinstance(x, (ZoneExpr, ZoneAtExpr)):
            return frozenset({x.name})
        if isinstance(x, LocalExpr):
            if x.slot in seen:
                return NONE
            origins = self.origins(proc).get(x.slot)
            if not origins:
                return None
            parts = [self._sources(o, proc, {*seen, x.slot}) for o in origins]
        elif isinstance(x, CompExpr) and x.name in (
            "list",
            "first",
            "last",
            "best",
            "worst",
            "only",
            "ties",
            "sorted",
            "set",
            "bag",
        ):
            parts = [self._sources(a, proc, seen) for a in x.args[: len(x.binds())] if kinds_of(a.type)]
        elif x.op in (
            "state",
            "call",
            "original",
            "component",
            "class",
            "labelled",
            "attr",
            "index",
            "item",
            "field",
            "comp",
            "map_comp",
        ):
            return None
        else:
            parts = [self._sources(a, proc, seen) for a in x.args if kinds_of(a.type)]
        return None if not parts or None in parts else NONE.union(*(p for p in parts if p is not None))

    def origins(self, proc: Proc) -> dict[int, list[TypedExpr]]:
        """The expressions that locals of a procedure get their components from."""
        if proc.index not in self._origins:
            found = self._origins[proc.index] = {}
            for s in statements(proc.body):
                for slot, x in _bound(s):
                    found.setdefault(slot, []).append(x)
                for o in operands(s):
                    for y in o.walk():
                        for slot, x in zip(y.binds(), y.args, strict=False):
                            found.setdefault(slot, []).append(x)
        return self._origins[proc.index]


def _disclosed_by(s: TypedStmt) -> Iterator[TypedExpr]:
    """Yield the expressions, with their parts, that a statement may disclose."""
    if s.op in ("show", "tell", "announce", "move"):
        for x in s.args:
            yield from x.walk()
    call = statement_call(s)
    if call is not None:
        yield from call.args


def _bound(s: TypedStmt) -> list[tuple[int, TypedExpr]]:
    """The locals that a statement gives values to, with these values."""
    match s:
        case LetStmt():
            return [(s.slot, s.args[0])]
        case TypedStmt(op="assign"):
            root = base(s.args[0])
            return [(root.slot, s.args[1])] if isinstance(root, LocalExpr) else []
        case TypedStmt(op="add"):
            root = base(s.args[1])
            return [(root.slot, s.args[0])] if isinstance(root, LocalExpr) else []
        case ForEachStmt():
            return [(s.slot, s.args[0])]
        case ChooseStmt():
            choice: Choice = s.choice
            return [(slot, choice.source) for slot in {choice.slot, choice.item}]
        case MenuStmt():
            return [pair for o in s.menu.options for pair in zip(o.slots, o.sources, strict=True)]
        case DrawStmt() if s.drawn >= 0:
            return [(s.drawn, s.args[2])]
    return []


def base(x: TypedExpr) -> TypedExpr:
    """The variable that a target of an assignment is, or is a part of."""
    while x.op in ("index", "item", "certain", "bound", "narrow"):
        x = x.args[0]
    return x


def kinds_of(kind: t.Type) -> frozenset[str]:
    """The classes of the components that a value of this type may hold."""
    while isinstance(kind, (t.Optional, t.Collection)):
        kind = kind.base
    return kind.kinds if isinstance(kind, (t.Component, t.Zone, t.Family)) else NONE
