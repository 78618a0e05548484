"""Lowering a whole program: every procedure a routine, hooks as dispatch tables, watchers with what they read, claims and invariants."""

from __future__ import annotations

from croupier.ir.lower.decisions import Decisions
from croupier.ir.lower.effects import TreeEffects
from croupier.ir.lower.slots import slots_of, taken
from croupier.ir.module import Module, Row, Table, Watch
from croupier.ir.routines import Effects, Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Query, Return
from croupier.semantics.liveness import given_back
from croupier.semantics.program import ClaimDef, Program
from croupier.semantics.tree import Hook, Proc, Watcher, X


class Lowering(Decisions):
    """One routine."""

    def __init__(self, program: Program, proc: Proc, hook: Hook | None = None) -> None:
        super().__init__(program, proc, slots_of(proc, hook))
        self.hook = hook
        self.gives = given_back(program, proc)
        self.leaving, self.loops, self.threaded = [], [], False
        self.asked: list[Query] = []

    def takes(self) -> tuple[int, ...]:
        chain = () if self.hook is None or self.hook.original_slot is None else (self.hook.original_slot,)
        window = tuple(i for i, s in enumerate(self.slots) if s.role in ("asked", "cursor", "used")) if self.proc.kind == "window" else ()
        return (*sorted({*(q.slot for q in self.proc.params), *taken(self.hook)}), *chain, *window)

    def asks(self, name: str, x: X | None) -> None:
        if x is not None:
            self.asked.append(self.query(name, (), lambda: self.value(x)))

    def body(self) -> int:
        entry = self.label()
        self.begin(entry)
        if self.proc.kind == "window":
            done = self.label()
            keeps = tuple(range(len(self.proc.slots)))
            self.end(Suspend(self.span, "ask", 0, (), keeps, (), (), done, self.proc.index))
            self.begin(done)
        self.block(self.proc.body)
        if self.at is not None:
            self.end(Return(self.span, None, self.gives))
        return entry

    def routine(self, effects: Effects, takes: tuple[int, ...], entry: int | None) -> Routine:
        p = self.proc
        blocks, entry, queries = self.finished(entry, tuple(self.asked))
        return Routine(
            p.index, p.name, p.kind, p.span, tuple(self.slots), takes, self.gives, p.returns, blocks, entry, queries,
            p.live, effects, p.nested, p.effect,
        )  # fmt: skip


def lower(program: Program) -> Module:
    """The module of a program without errors."""
    effects = TreeEffects(program)
    hooks = {h.proc.index: h for h in program.hooks}
    watchers = {w.proc.index: w for w in program.watchers}
    routines = tuple(_procedure(program, p, hooks.get(p.index), watchers.get(p.index), effects) for p in program.procs)
    tables = [_table(i, program) for i in sorted({h.target for h in program.hooks})]
    watches = tuple(
        Watch(w.index, w.kind, w.proc.index, w.slot, effects.of_value(w.value).reads, effects.of_procedure(w.proc)) for w in program.watchers
    )
    claims = tuple(_claim(program, c, effects) for c in program.claims)
    invariants = tuple(_alone(program, proc, effects, {"condition": x}) for _, x, proc, _ in program.invariants)
    assert program.main is not None
    return Module(program, routines, tuple(tables), watches, claims, invariants, program.main.index)


def _procedure(program: Program, proc: Proc, hook: Hook | None, watcher: Watcher | None, effects: TreeEffects) -> Routine:
    b = Lowering(program, proc, hook)
    takes = b.takes()
    if hook is not None:
        for a in hook.args:
            if a.fixed is not None:
                b.asks(f"fixed {a.param}", a.fixed)
        b.asks("guard", hook.guard)
        b.asks("label", hook.label)
    if watcher is not None:
        b.asks("value", watcher.value)
        takes = (*takes, *(() if watcher.slot is None else (watcher.slot,)))
    return b.routine(effects.of_procedure(proc), takes, b.body())


def _table(target: int, program: Program) -> Table:
    rows: dict[str, list[Row]] = {}
    for h in program.hooks:
        if h.target == target:
            binds = tuple((a.param, a.slot) for a in h.args if a.slot is not None)
            fixed = tuple(a.param for a in h.args if a.fixed is not None)
            rows.setdefault(h.kind, []).append(
                Row(
                    h.index, h.proc.index, h.component, binds, fixed, h.guard is not None, h.self_slot, h.owner_slot, h.here_slot,
                    h.result_slot, h.original_slot, h.needs_owner, h.needs_here,
                )
            )  # fmt: skip
    return Table(target, **{kind: tuple(found) for kind, found in rows.items()})


def _claim(program: Program, c: ClaimDef, effects: TreeEffects) -> Routine:
    assert c.frame is not None
    return _alone(program, c.frame, effects, {"says": c.says, "condition": c.condition}, c.slots)


def _alone(program: Program, proc: Proc, effects: TreeEffects, queries: dict[str, X | None], takes: tuple[int, ...] = ()) -> Routine:
    """A routine without a body: expressions with a frame of their own."""
    b = Lowering(program, proc)
    found = Effects()
    for name, x in queries.items():
        if x is not None:
            b.asks(name, x)
            found |= effects.of_value(x)
    return b.routine(found, takes, None)
