"""The reference evaluator, claims: what players may say, in public and without effect."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

from croupier.runtime.callables import Run
from croupier.runtime.game import Value
from croupier.runtime.machine import WAIT, Frame, Machine
from croupier.runtime.operations import Op


class ClaimOp(Op):
    """`claim by p`: one of the declared utterances; public, without effect."""

    seats = "one"
    speaks = True

    def __init__(self, game: Any, by: Run, claims: list[Any]) -> None:
        self.game, self.by, self.claims = game, by, claims
        self.domains = [[game.values(k) for _, k in c.fields] for c in claims]

    def question(self, m: Machine) -> str:
        return "claim"

    def chooser(self, m: Machine, fr: Frame) -> int:
        return self.by(m, fr.L)  # type: ignore[no-any-return]

    def rows(self, m: Machine, fr: Frame) -> list[tuple[int, Any, list[Value]]]:
        found, at, seat = [], 0, self.chooser(m, fr)
        for c, domains in zip(self.claims, self.domains, strict=True):
            for values in product(*domains):
                L = self.locals_of(c, seat, values)
                if c.condition is None or c.condition(m, L):
                    found.append((at, c, L))
                at += 1
        return found

    def locals_of(self, c: Any, seat: int, values: tuple[Value, ...]) -> list[Value]:
        L: list[Value] = [None] * c.slot_count
        for slot, v in zip(c.slots, (seat, *values), strict=True):
            L[slot] = v
        return L

    def row(self, m: Machine, fr: Frame, action: int) -> tuple[Any, list[Value]]:
        """The claim and its locals that an action stands for, without working out which others may be made."""
        at = 0
        for c, domains in zip(self.claims, self.domains, strict=True):
            count = prod(len(d) for d in domains)
            if action < at + count:
                index, values = action - at, []
                for d in reversed(domains):
                    index, i = divmod(index, len(d))
                    values.append(d[i])
                return c, self.locals_of(c, self.chooser(m, fr), tuple(reversed(values)))
            at += count
        raise LookupError(action)

    def actions(self, m: Machine, fr: Frame, seat: int) -> list[int]:
        return [a for a, _, _ in self.rows(m, fr)]

    def run(self, m: Machine, fr: Frame) -> Any:
        m.burn(self.span)
        if self.rows(m, fr):
            return WAIT
        fr.pc = self.next
        return None

    def resume(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        if m.recorder is not None:
            c, L = self.row(m, fr, action)
            m.recorder.claimed(m, seat, lambda: c.says(m, L))
        fr.pc = self.next

    def describe(self, m: Machine, fr: Frame, seat: int, action: int) -> str:
        c, L = self.row(m, fr, action)
        return c.says(m, L)  # type: ignore[no-any-return]

    def struct(self, m: Machine, fr: Frame, seat: int, action: int) -> object:
        c, L = self.row(m, fr, action)
        return {"claim": c.name, "with": [self.game.to_json(L[s], k, m) for s, (_, k) in zip(c.slots[1:], c.fields, strict=True)]}
