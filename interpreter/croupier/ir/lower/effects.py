"""What the typed tree reads and writes: variables of the state and zones, through calls and hooks too.

A zone counts as read where it is named, and where its contents decide the answer without its being named: whose a component is, which hooks of
components are live. What is moved may come from any zone that can hold it. What watchers do in answer to a write is not counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.ir.routines import Effects, Resource
from croupier.semantics import types as t
from croupier.semantics.program import Program
from croupier.semantics.tree import Hook, Proc, S, X
from croupier.semantics.types import Type
from croupier.semantics.walk import operands, statement_call, statements


def kinds_of(kind: Type) -> frozenset[str]:
    """The classes of components that a type holds."""
    match kind:
        case t.Component() | t.Zone() | t.Family():
            return kind.kinds
        case t.Collection() | t.Optional():
            return kinds_of(kind.base)
    return frozenset()


def zones_of(program: Program, kinds: frozenset[str]) -> frozenset[Resource]:
    """The zones that may hold components of some classes."""
    return frozenset(("zone", z.name) for z in program.zones.values() if z.kinds & kinds)


class TreeEffects:
    """Effects of procedures and expressions; those of procedures are a least fixed point over calls and hooks."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.known: dict[int, Effects] = {p.index: Effects() for p in program.procs}
        changed = True
        while changed:
            changed = False
            for p in program.procs:
                found = self.known[p.index] | self.body(p)
                if found != self.known[p.index]:
                    self.known[p.index], changed = found, True

    def of_procedure(self, proc: Proc) -> Effects:
        return self.known[proc.index]

    def body(self, proc: Proc) -> Effects:
        found = Effects()
        hook = next((h for h in self.program.hooks if h.proc is proc), None)
        watcher = next((w for w in self.program.watchers if w.proc is proc), None)
        for x in (*self.listened(hook), *(() if watcher is None else (watcher.value,))):
            found |= self.of_value(x)
        if proc.kind == "window":
            found |= self.around(proc.index)
        for s in statements(proc.body):
            found |= self.of_statement(s)
        return found

    def listened(self, hook: Hook | None) -> Iterator[X]:
        if hook is not None:
            yield from (x for x in (hook.guard, hook.label, *(a.fixed for a in hook.args)) if x is not None)

    def around(self, target: int) -> Effects:
        """What a call of a procedure may do: itself, the hooks on it, and finding out which of those are live."""
        found = self.known[target]
        for h in self.program.hooks:
            if h.target == target:
                found |= self.known[h.proc.index]
                if h.component is not None:
                    found |= Effects(zones_of(self.program, frozenset([h.component[0]])))
        return found

    # ------------------------------------------------------------ expressions
    def of_value(self, x: X) -> Effects:
        found = Effects()
        for y in x.walk():
            match y.op:
                case "state" | "mutable":
                    found |= Effects(frozenset([("state", y.data)]))
                case "zone" | "zone_at":
                    found |= Effects(frozenset([("zone", y.data)]))
                case "component.owner":
                    found |= Effects(zones_of(self.program, kinds_of(y.args[0].type)))
                case "call" | "original":
                    found |= self.around(y.data)
        return found

    # ------------------------------------------------------------ statements
    def of_statement(self, s: S) -> Effects:
        found = Effects()
        for x in operands(s):
            found |= self.of_value(x)
        match s.op:
            case "assign":
                found |= self.written(s.args[0])
            case "add" | "remove":
                found |= self.written(s.args[1])
            case "roll":
                found |= Effects(frozenset(), frozenset([("state", s.data[0])]))
            case "move" | "draw" | "shuffle" | "swap":
                zones = frozenset().union(*(zones_of(self.program, kinds_of(x.type)) for x in s.args))
                found |= Effects(zones, zones)
            case "open":
                found |= self.around(s.data) | self.handed(s.data, s.args[1:])
            case "menu":
                if s.data.window is not None:
                    found |= self.around(s.data.window) | self.handed(s.data.window, s.data.window_args)
            case "claim":
                for c in self.program.claims:
                    for y in (c.says, c.condition):
                        found |= Effects() if y is None else self.of_value(y)
            case "choose":
                found |= self.merged(s)
        call = statement_call(s)
        return found if call is None else found | self.handed(call.data, call.args)

    def merged(self, s: S) -> Effects:
        c = s.data[0]
        kinds = kinds_of(c.base)
        names = {f"{k}.{m}" for k in kinds for m in c.merging if m in self.program.classes[k].mutable}
        return Effects(frozenset(("state", n) for n in names))

    def handed(self, target: int, args: tuple[X, ...]) -> Effects:
        found = Effects()
        for q, a in zip(self.program.procs[target].params, args, strict=True):
            if q.var:
                found |= self.written(a)
        return found

    def written(self, target: X) -> Effects:
        while target.op in ("index", "item", "certain", "bound"):
            target = target.args[0]
        return Effects(frozenset(), frozenset([("state", target.data)])) if target.op in ("state", "mutable") else Effects()
