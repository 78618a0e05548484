"""The operation of `claim`: a player says one of the declared utterances; and which of them are allowed."""

from __future__ import annotations

from itertools import product
from math import prod

from croupier.diagnostics import JsonObject
from croupier.runtime.compiler import ClaimCode
from croupier.runtime.disclosure import Disclosure
from croupier.runtime.events import MadeClaim
from croupier.runtime.game import Game, Value
from croupier.runtime.machine import WAIT, Called, Frame, Locals, Machine, Op, Run
from croupier.semantics.call_effects import reads_of
from croupier.semantics.program import ClaimDef

KEPT_CONDITIONS = 4_000  # conditions of which is kept what they allow
Key = tuple[Value, ...]  # a claim, who speaks, and the values of all that its condition reads


class ClaimOp(Op):
    """`claim by p`: one of the declared utterances; public, without effect."""

    seats = "one"

    def __init__(self, game: Game, by: Run, claims: list[ClaimCode]) -> None:
        self.game, self.by, self.claims = game, by, claims
        self.domains = [[game.values(k) for _, k in c.fields] for c in claims]
        self.counts = [prod(len(d) for d in domains) for domains in self.domains]
        self.reads = [_reads(game, c) for c in game.program.claims]
        self.known: dict[Key, tuple[list[int], int]] = {}

    def question(self, m: Machine) -> str:
        return "claim"

    def chooser(self, m: Machine, fr: Frame) -> int:
        return self.by(m, fr.L)  # type: ignore[no-any-return]

    def actions(self, m: Machine, fr: Frame, seat: int) -> list[int]:
        found, first, by = list[int](), 0, self.chooser(m, fr)
        for number, count in enumerate(self.counts):
            found += self.allowed(m, number, by, first)
            first += count
        return found

    def allowed(self, m: Machine, number: int, seat: int, first: int) -> list[int]:
        """The actions of one claim, from `first` on.

        Its condition gives the same, for as much fuel, whenever what it reads holds the same.
        """
        read = self.reads[number] if m.observer is None and not m.rules.is_traced else None
        if read is None:
            key = None
        else:
            key = (number, seat, *(m.vars[v] for v in read[0]), *(m.zones[z] for z in read[1]))
        if key is not None and (kept := self.known.get(key)) is not None and kept[1] <= m.fuel:
            m.fuel -= kept[1]
            return kept[0]
        c, fuel = self.claims[number], m.fuel
        found = []
        for at, values in enumerate(product(*self.domains[number]), first):
            if c.condition is None or c.condition(m, self.locals_of(c, seat, values)):
                found.append(at)
        if key is not None:
            if len(self.known) >= KEPT_CONDITIONS:
                self.known.clear()
            self.known[key] = (found, fuel - m.fuel)
        return found

    def locals_of(self, c: ClaimCode, seat: int, values: tuple[Value, ...]) -> Locals:
        L: Locals = [None] * c.slot_count
        for slot, v in zip(c.slots, (seat, *values), strict=True):
            L[slot] = v
        return L

    def row(self, m: Machine, fr: Frame, action: int) -> tuple[ClaimCode, Locals]:
        """The claim and its locals that an action stands for, without working out which others may be
        made.
        """
        at = 0
        for c, domains, count in zip(self.claims, self.domains, self.counts, strict=True):
            if action < at + count:
                index, values = action - at, []
                for d in reversed(domains):
                    index, i = divmod(index, len(d))
                    values.append(d[i])
                return c, self.locals_of(c, self.chooser(m, fr), tuple(reversed(values)))
            at += count
        raise LookupError(action)

    def named(self, m: Machine, fr: Frame, seat: int, action: int) -> Called:
        """Return the name of a claim in the rules, the types of its fields, and what is said in them."""
        c, L = self.row(m, fr, action)
        return (c.name,), tuple(kind for _, kind in c.fields), tuple(L[slot] for slot in c.slots[1:])

    def run(self, m: Machine, fr: Frame) -> object:
        m.burn(self.span)
        if self.actions(m, fr, -1):
            return WAIT
        fr.pc = self.next
        return None

    def resume(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        fr.pc = self.next

    def disclosure(self, m: Machine, fr: Frame, seat: int, action: int) -> Disclosure:
        c, L = self.row(m, fr, action)
        return Disclosure(claim=MadeClaim(c.name, tuple(L[slot] for slot in c.slots[1:])))

    def describe(self, m: Machine, fr: Frame, seat: int, action: int) -> str:
        c, L = self.row(m, fr, action)
        return c.says(m, L)  # type: ignore[no-any-return]

    def struct(self, m: Machine, fr: Frame, seat: int, action: int) -> JsonObject:
        c, L = self.row(m, fr, action)
        return {
            "claim": c.name,
            "with": [self.game.to_json(L[s], k, m) for s, (_, k) in zip(c.slots[1:], c.fields, strict=True)],
        }


def _reads(game: Game, claim: ClaimDef) -> tuple[list[int], list[int]] | None:
    """Return the numbers of the variables and zones that a condition may read; `None` if it may read
    anything.
    """
    if claim.condition is None:
        return [], []
    names, zones, everything = reads_of(game.program, claim.condition)
    if everything:
        return None
    return [v.index for v in game.variables if v.name in names], [
        p.number for p in game.zones if p.family in zones
    ]
