"""Types of operands: instructions against the signatures of the table, terminators and queries against what they stand for."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.ir.dataflow import reached
from croupier.ir.instructions import Instruction
from croupier.ir.module import Module
from croupier.ir.operations import OPERATIONS
from croupier.ir.problems import Problem
from croupier.ir.routines import Routine
from croupier.ir.signatures import fits_signature, matches, related
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Branch, Finish, Give, Return, Terminator, Walk
from croupier.semantics import types as t
from croupier.semantics.types import Type

ANSWERS = {
    "chooser": "player", "choosers": "[player]", "label": "text", "weight": "int", "low": "int", "high": "int", "such_that": "bool", "guard": "bool",
    "condition": "bool", "merged": "int", "says": "text",
}  # fmt: skip
RESULTS = {"win": "[player]", "rank": "{K:V}", "pay": "{K:V}"}


class Types:
    """Holds the instructions of one routine against the signatures of the table."""

    def __init__(self, module: Module, routine: Routine) -> None:
        self.module, self.routine = module, routine
        self.of: list[Type] = [s.type for s in routine.slots]

    def check(self) -> Iterator[Problem]:
        for b in self.routine.blocks:
            for i in b.code:
                text = self.instruction(i)
                if text is not None:
                    yield Problem("types", self.routine.name, b.number, f"`{i.op}`: {text}")
            for text in self.terminator(b.end):
                yield Problem("types", self.routine.name, b.number, text)
        yield from self.answers()

    # ------------------------------------------------------------ instructions
    def instruction(self, i: Instruction) -> str | None:
        args, into = [self.of[s] for s in i.args], [self.of[s] for s in i.into]
        text = fits_signature(OPERATIONS[i.op].signature, args, into)
        if text is not None:
            return text
        match i.op:
            case "copy" if not t.is_assignable(args[0], into[0]):
                return f"`{args[0]}` does not fit `{into[0]}`"
            case "set_state":
                return self.promised(args[0], self.module.program.vars[i.data].type)
            case "state":
                return self.promised(self.module.program.vars[i.data].type, into[0])
            case "entry" | "mutable":
                kind = self.module.program.vars[i.data].type
                return (self.promised(args[0], kind.key) or self.promised(kind.value, into[0])) if isinstance(kind, t.Map) else "this is no map"
            case "set_entry" | "set_mutable":
                kind = self.module.program.vars[i.data].type
                return (self.promised(args[0], kind.key) or self.promised(args[1], kind.value)) if isinstance(kind, t.Map) else "this is no map"
            case "call" | "original":
                return self.call(i.op, args, into, i.data)
        return None

    def promised(self, given: Type, wanted: Type) -> str | None:
        return None if t.is_assignable(given, wanted) else f"`{given}` does not fit `{wanted}`"

    def call(self, op: str, args: list[Type], into: list[Type], target: int) -> str | None:
        callee = self.module.routines[target]
        wanted = [callee.slots[i].type for i in self.params(target)]
        given = args[1:] if op == "original" else args
        if len(given) != len(wanted):
            return f"{len(given)} arguments where {len(wanted)} belong"
        results = ([] if isinstance(callee.returns, t.Nothing) else [callee.returns]) + [callee.slots[i].type for i in callee.gives]
        if len(into) != len(results):
            return f"{len(into)} results where {len(results)} belong"
        pairs = [*zip(given, wanted, strict=True), *zip(results, into, strict=True)]
        return next((text for a, b in pairs if (text := self.promised(a, b)) is not None), None)

    def params(self, target: int) -> list[int]:
        return [q.slot for q in self.module.program.procs[target].params]

    # ------------------------------------------------------------ terminators
    def terminator(self, end: Terminator) -> Iterator[str]:
        match end:
            case Branch() if not isinstance(self.of[end.test], t.Bool):
                yield f"it branches on `{self.of[end.test]}`"
            case Walk():
                yield from self.walk(end)
            case Return():
                yield from self.returned(end)
            case Finish():
                wanted = RESULTS.get(end.kind)
                if end.value is not None and wanted is not None and not matches(wanted, self.of[end.value], {}):
                    yield f"`finish {end.kind}` has a value of type `{self.of[end.value]}`"
            case Suspend(kind="call"):
                yield from self.waiting_call(end)
            case Suspend(kind="open"):
                wanted_types = [self.module.routines[end.data].slots[i].type for i in self.params(end.data)]
                for a, b in zip((self.of[s] for s in end.args), [t.list_of(t.PLAYER), *wanted_types], strict=True):
                    text = self.promised(a, b)
                    if text is not None:
                        yield text

    def walk(self, end: Walk) -> Iterator[str]:
        items, item = self.of[end.items], self.of[end.item]
        base = t.PLAYER if isinstance(items, t.Endless) else items.base if isinstance(items, t.Collection) else None
        if base is None or not related(base, item):
            yield f"it walks `{items}` and fills in `{item}`"
        if not isinstance(self.of[end.at], t.Int):
            yield f"its place is of type `{self.of[end.at]}`"

    def returned(self, end: Return) -> Iterator[str]:
        wanted = self.routine.returns
        if end.gives != self.routine.gives:
            yield "it gives back other slots than the routine promises"
        if end.value is None and not isinstance(wanted, t.Nothing):
            yield f"it ends without a value of type `{wanted}`"
        if end.value is not None and not t.is_assignable(self.of[end.value], wanted):
            yield f"it gives `{self.of[end.value]}`, not `{wanted}`"

    def waiting_call(self, end: Suspend) -> Iterator[str]:
        op, target = end.data
        filled = [self.of[s] for s in end.resumes[0].assigns]
        if op == "original":  # each `var` parameter has, before it, whether it is handed back
            value = 0 if isinstance(self.module.routines[target].returns, t.Nothing) else 1
            flags = filled[value::2]
            if not all(isinstance(f, t.Bool) for f in flags):
                yield "it does not say which `var` parameters are handed back"
            filled = filled[:value] + filled[value + 1 :: 2]
        text = self.call(op, [self.of[s] for s in end.args], filled, target)
        if text is not None:
            yield text

    # ------------------------------------------------------------ queries
    def answers(self) -> Iterator[Problem]:
        for query, end in self.routine.every_query():
            wanted = ANSWERS.get(query.name.split(" ")[0])
            if query.name == "source" and isinstance(end, Suspend):
                wanted = "zone" if end.kind == "draw" else "[A]"
            for number in sorted(reached(self.routine, [query.entry])):
                give = self.routine.blocks[number].end
                if isinstance(give, Give) and wanted is not None:
                    kind = None if give.value is None else self.of[give.value]
                    if kind is None or not matches(wanted, kind, {}):
                        yield Problem("types", self.routine.name, number, f"the query `{query.name}` gives `{kind}`, not `{wanted}`")


def check_types(module: Module, routine: Routine) -> Iterator[Problem]:
    """Operands and results have the types that the table of operations gives them."""
    yield from Types(module, routine).check()
