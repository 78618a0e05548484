"""Read and write sets cover the instructions, through calls, hooks and windows; watchers look at all that their values read."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.ir.dataflow import reached
from croupier.ir.instructions import Instruction
from croupier.ir.lower.effects import kinds_of, zones_of
from croupier.ir.module import Module
from croupier.ir.problems import Problem
from croupier.ir.routines import Effects, Resources, Routine
from croupier.ir.suspensions import Suspend

MOVING = {"move", "move_all", "shuffle", "swap", "swap_zones"}


class Found:
    """Effects as the instructions have them: a least fixed point over calls, hooks and windows."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.known = {r.index: Effects() for r in module.routines}
        changed = True
        while changed:
            changed = False
            for r in module.routines:
                found = self.known[r.index] | self.of_blocks(r, range(len(r.blocks))) | (self.around(r.index) if r.kind == "window" else Effects())
                if found != self.known[r.index]:
                    self.known[r.index], changed = found, True

    def of_blocks(self, routine: Routine, numbers: range | set[int]) -> Effects:
        found = Effects()
        for n in numbers:
            b = routine.blocks[n]
            for i in b.code:
                found |= self.of_instruction(routine, i)
            if isinstance(b.end, Suspend):
                found |= self.of_suspension(b.end)
        return found

    def of_instruction(self, routine: Routine, i: Instruction) -> Effects:
        match i.op:
            case "state" | "entry" | "mutable":
                return Effects(frozenset([("state", i.data)]))
            case "set_state" | "set_entry" | "set_mutable":
                return Effects(frozenset(), frozenset([("state", i.data)]))
            case "zone" | "zone_at" | "family_list" | "family_known" | "key_of":
                return Effects(frozenset([("zone", i.data)]))
            case "owner":
                return Effects(self.zones(routine, i))
            case "call" | "original":
                return self.around(i.data)
        return Effects(self.zones(routine, i), self.zones(routine, i)) if i.op in MOVING else Effects()

    def zones(self, routine: Routine, i: Instruction) -> Resources:
        kinds = frozenset[str]().union(*(kinds_of(routine.slots[s].type) for s in i.args))
        return zones_of(self.module.program, kinds)

    def of_suspension(self, end: Suspend) -> Effects:
        match end.kind:
            case "call":
                return self.around(end.data[1])
            case "open":
                return self.around(end.data)
            case "menu" if end.data is not None:
                return self.around(end.data)
            case "claim":
                found = Effects()
                for c in self.module.claims:
                    found |= self.of_blocks(c, range(len(c.blocks)))
                return found
        return Effects()

    def around(self, target: int) -> Effects:
        """A call of a routine with the hooks on it, and finding out which of them are live."""
        found = self.known[target]
        for row in self.module.table(target).rows():
            found |= self.known[row.routine]
            if row.component is not None:
                found |= Effects(zones_of(self.module.program, frozenset([row.component[0]])))
        return found


def check_effects(module: Module) -> Iterator[Problem]:
    """What a routine says that it reads and writes covers what it does."""
    found = Found(module)
    for r in module.every_routine():
        real = found.known[r.index] if r.index >= 0 else found.of_blocks(r, range(len(r.blocks)))
        yield from _missing(r.name, r.effects, real)
    for w in module.watchers:
        r = module.routines[w.routine]
        yield from _missing(r.name, w.effects, found.known[w.routine])
        value = next((q for q in r.queries if q.name == "value"), None)
        if value is None:
            yield Problem("effects", r.name, None, "the watcher has nothing to look at")
            continue
        lost = found.of_blocks(r, reached(r, [value.entry])).reads - w.reads
        for kind, name in sorted(lost):
            yield Problem("effects", r.name, None, f"the watcher does not look when {kind} `{name}` is written")


def _missing(name: str, declared: Effects, real: Effects) -> Iterator[Problem]:
    for word, said, done in (("reads", declared.reads, real.reads), ("writes", declared.writes, real.writes)):
        for kind, what in sorted(done - said):
            yield Problem("effects", name, None, f"it {word} {kind} `{what}` and does not say so")
