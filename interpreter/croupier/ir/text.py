"""A module as text: routines with their slots and blocks, an instruction a line with the author's line in front; then tables and watchers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.ir.instructions import Instruction
from croupier.ir.module import Module, Row
from croupier.ir.operations import OPERATIONS
from croupier.ir.routines import Effects, Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Branch, Finish, Foresee, Give, Jump, Query, Return, Settle, Stuck, Terminator, Walk

MARGIN = " " * 7


class Lines:
    """Prints one routine."""

    def __init__(self, module: Module, routine: Routine) -> None:
        self.module, self.routine = module, routine

    def slots(self, numbers: tuple[int, ...]) -> str:
        return " ".join(str(self.routine.slots[i]) for i in numbers)

    def name(self, number: int) -> str:
        return str(self.routine.slots[number])

    # ------------------------------------------------------------ parts
    def lines(self) -> Iterator[str]:
        r = self.routine
        facts = [r.kind, r.colour, *([f"nested {r.nested}"] if r.nested is not None else []), f"returns {r.returns}"]
        yield f"routine {r.index} {r.name}: {', '.join(facts)}"
        for s in r.slots:
            if s.role != "temp":
                yield f"{MARGIN}  slot {s}: {s.type} ({s.role})"
        for word, numbers in (("takes", r.takes), ("gives", r.gives)):
            if numbers:
                yield f"{MARGIN}  {word} {self.slots(numbers)}"
        yield from (f"{MARGIN}  {line}" for line in effect_lines(r.effects))
        for point, live in r.live.items():
            yield f"{MARGIN}  live at #{point}: {self.slots(live) or '-'}"
        for q in r.queries:
            yield f"{MARGIN}  query {self.query(q)}"
        for b in r.blocks:
            yield f"{MARGIN}  block {b.number}" + (" (entry)" if b.number == r.entry else "")
            for i in b.code:
                yield f"{i.span.line:>5}      {self.instruction(i)}"
            yield from (f"{b.end.span.line:>5}      {line}" for line in self.end(b.end))

    def query(self, q: Query) -> str:
        return f"{q.name}: block {q.entry}" + (f" of {self.slots(q.takes)}" if q.takes else "")

    def instruction(self, i: Instruction) -> str:
        into = f"{self.slots(i.into)} := " if i.into else ""
        kinds = [str(self.routine.slots[s].type) for s in i.into if self.routine.slots[s].role == "temp"]
        kind = f" : {', '.join(kinds)}" if kinds else ""
        words = [i.op, self.data(i), self.slots(i.args)]
        return into + " ".join(w for w in words if w) + kind

    def data(self, i: Instruction) -> str:
        d: Any = i.data
        match i.op:
            case "const":
                return {None: "none", True: "true", False: "false"}[d] if d is None or isinstance(d, bool) else repr(d)
            case "call" | "original":
                return f"{d} {self.module.routines[d].name}"
            case "text":
                return repr("".join("{}" if part is None else part for part in d))
            case "burn":
                return "@" + ",".join(d) if d else ""
        return ".".join(d) if isinstance(d, tuple) else str(d) if OPERATIONS[i.op].data else ""

    def end(self, end: Terminator) -> Iterator[str]:
        name = self.name
        match end:
            case Jump():
                yield f"jump {end.target}"
            case Branch():
                yield f"branch {name(end.test)}: yes {end.then}, no {end.other}"
            case Walk():
                done = "again" if end.done is None else f"done {end.done}"
                yield f"walk {name(end.items)} at {name(end.at)}: {name(end.item)} to {end.body}, {done}"
            case Return():
                value = "" if end.value is None else " " + name(end.value)
                yield f"return{value}" + (f" and {self.slots(end.gives)}" if end.gives else "")
            case Finish():
                yield " ".join(w for w in (f"finish {end.kind}", *(name(s) for s in end.reads())) if w)
            case Give():
                yield "give" + ("" if end.value is None else " " + name(end.value))
            case Foresee():
                within = "" if end.within is None else f" within {end.within}"
                yield f"foresee {name(end.slot)}{within}: yes {end.body}, no {end.other}"
            case Settle():
                yield f"settle {name(end.slot)} by {self.query(end.condition)}, then {end.target}"
            case Stuck():
                yield "stuck"
            case Suspend():
                yield from self.suspension(end)

    def suspension(self, end: Suspend) -> Iterator[str]:
        data = end.data
        if end.kind == "call":
            data = f"{data[0]} {data[1]} {self.module.routines[data[1]].name}"
        elif end.kind in ("open", "ask", "menu") and data is not None:
            data = f"{data} {self.module.routines[data].name}"
        words = [f"wait #{end.point} {end.kind}", str(data or ""), self.slots(end.args), f"keeps {self.slots(end.keeps)}" if end.keeps else ""]
        yield " ".join(w for w in words if w)
        for q in end.asks:
            yield f"  ask {self.query(q)}"
        for r in end.resumes:
            yield f"  {r.name}: block {r.target}" + (f" with {self.slots(r.assigns)}" if r.assigns else "")
        if end.blocked is not None:
            yield f"  otherwise: block {end.blocked}"


def effect_lines(effects: Effects) -> Iterator[str]:
    """What a routine reads and writes, a line each."""
    for word, found in (("reads", effects.reads), ("writes", effects.writes)):
        if found:
            yield f"{word} " + ", ".join(f"{kind} {name}" for kind, name in sorted(found))


def row_line(kind: str, row: Row) -> str:
    """A row of a dispatch table."""
    whose = "the rules" if row.component is None else " ".join(w for w in row.component if w)
    binds = [f"{param}->{slot}" for param, slot in row.binds] + [f"{param} fixed" for param in row.fixed]
    return f"{MARGIN}  {kind}: hook {row.hook} of {whose}, routine {row.routine}" + (f" ({', '.join(binds)})" if binds else "")


def module_text(module: Module) -> str:
    """A module as text."""
    out: list[str] = []
    for r in module.every_routine():
        out += [*Lines(module, r).lines(), ""]
    for table in module.tables:
        out.append(f"table of {table.target} {module.routines[table.target].name}")
        for kind in ("before", "instead", "adjust", "after", "reaction"):
            out += [row_line(kind, row) for row in getattr(table, kind)]
        out.append("")
    for w in module.watchers:
        looks = ", ".join(f"{kind} {name}" for kind, name in sorted(w.reads))
        out += [f"watcher {w.index}: {w.kind}, routine {w.routine}", f"{MARGIN}  looks at {looks or 'nothing'}"]
        out += [*(f"{MARGIN}  {line}" for line in effect_lines(w.effects)), ""]
    return "\n".join(out)
