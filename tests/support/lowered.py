"""Asking lowered queries: runs blocks that change nothing, so that what the lowering made of an expression can be held against the evaluator.

Control is run here; each instruction is worked out by the evaluator itself, as the one operation of the typed tree it came from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from croupier.ir.instructions import Instruction
from croupier.ir.lower.expressions import RENAMED
from croupier.ir.routines import Routine
from croupier.ir.terminators import Branch, Give, Jump, Query, Walk
from croupier.runtime.aggregates import canonical
from croupier.semantics import types as t
from croupier.semantics.tree import X

BACK = {new: old for old, new in RENAMED.items()} | {"not_in": "not in"}
MEMBERS = {"size", "empty", "first", "last", "reversed", "all_equal", "all_different", "take", "drop", "times", "position", "distinct"}
WITH_LIST = {"clockwise_of": "clockwise", "next_of": "next", "previous_of": "previous", "turns_from": "turns"}


@dataclass
class Answer:
    value: Any = None
    offers: list[tuple[Any, ...]] = field(default_factory=list)


class Asker:
    """Asks queries of routines in one position of a game; `m` is the machine."""

    def __init__(self, routine: Routine, m: Any) -> None:
        self.routine, self.m, self.game = routine, m, m.game

    def ask(self, query: Query, slots: list[Any], *taken: Any) -> Answer:
        """Run a query on a copy of the first slots, with the slots that it takes filled in."""
        L = list(slots) + [None] * (len(self.routine.slots) - len(slots))
        for slot, value in zip(query.takes, taken, strict=True):
            L[slot] = value
        answer = Answer()
        block = self.routine.blocks[query.entry]
        while True:
            for i in block.code:
                if i.op == "offer":
                    answer.offers.append(tuple(L[a] for a in i.args))
                else:
                    for slot, value in zip(i.into, self.results(i, [L[a] for a in i.args]), strict=True):
                        L[slot] = value
            match block.end:
                case Jump(target=target):
                    at = target
                case Branch(test=test, then=then, other=other):
                    assert L[test] is True or L[test] is False
                    at = then if L[test] else other
                case Walk(items=items, at=place, item=item, body=body, done=done):
                    if L[place] < len(L[items]):
                        L[item], L[place], at = L[items][L[place]], L[place] + 1, body
                    else:
                        assert done is not None
                        at = done
                case Give(value=value):
                    answer.value = None if value is None else L[value]
                    return answer
                case end:
                    raise AssertionError(end)
            block = self.routine.blocks[at]

    # ------------------------------------------------------------ instructions
    def results(self, i: Instruction, args: list[Any]) -> tuple[Any, ...]:
        match i.op:
            case "copy" | "number" | "narrow":
                return (args[0],)
            case "append":
                return ((*args[0], args[1]),)
            case "canonical":
                kind = self.routine.slots[i.into[0]].type
                assert isinstance(kind, t.Collection)
                return (canonical(kind.kind, args[0]),)
            case "add_wide":
                return (args[0] + args[1],)
            case "above":
                return (args[0] > args[1],)
            case "max" | "min":
                return ((max if i.op == "max" else min)(args),)
            case "sort":
                return (tuple(v for _, v in sorted(zip(args[1], args[0], strict=True), key=lambda p: p[0])),)
            case "begin_walk":
                return (0,)
            case "alike":
                return (tuple(args),)
            case "put":
                kind = self.routine.slots[i.args[0]].type
                assert isinstance(kind, t.Map)
                at = args[1] - self.game.domain(kind.key)[0]
                return ((*args[0][:at], args[2], *args[0][at + 1 :]),)
            case "call" | "original":
                assert len(i.into) == 1
        return (self.evaluated(i, args),)

    def evaluated(self, i: Instruction, args: list[Any]) -> Any:
        """One operation of the tree, its operands the first locals of a frame."""
        kind, p = self.routine.slots[i.into[0]].type, self.game.program
        operands = tuple(X("local", self.routine.slots[a].type, i.span, (), n) for n, a in enumerate(i.args))
        op, data = BACK.get(i.op, WITH_LIST.get(i.op, i.op)), i.data
        if i.op in MEMBERS:
            op = f"list.{i.op}"
        elif i.op == "entry":
            op, data, operands = "index", None, (X("state", p.vars[data].type, i.span, (), data), *operands)
        elif i.op in ("family_list", "key_of"):
            family = X("zone", t.Family(data, p.zones[data].key or t.INT, p.zones[data].kinds), i.span, (), data)
            op, data, operands = {"family_list": "family_list", "key_of": "family.key"}[i.op], None, (family, *operands)
        elif i.op.startswith("board_") and i.op != "board_cells":
            op, operands, data = "board." + i.op.removeprefix("board_"), (X("board", t.Board(data), i.span, (), data), *operands), None
        return self.game.code.expr(X(op, kind, i.span, operands, data))(self.m, args)
