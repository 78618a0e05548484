"""Claims: `claim by p` as a menu of the declared utterances.

In: a checked program whose suspension points are numbered. Out: a menu in place of each claim, so that
nothing behind knows claims but as options that say so (`MenuOption.claim`): whoever takes one is heard by all
who perceive it.

    choose by p:
        option "I hold {colour}" for colour in Colour if any(c.colour == colour for c in hand[p]): pass
        …                                   # one for each utterance, for all values of its fields
    else:
        pass                                # nothing may be said

What is written of a claim with `claimant` is read of whoever is asked. Hashes are of the procedure as it was
before (`Proc.origin`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from croupier.kernel.facts import Facts, Waits
from croupier.kernel.tree import MenuData, MenuOption, MenuStmt, TypedExpr, TypedStmt
from croupier.records import dataclass
from croupier.semantics.builder import values_of
from croupier.semantics.procedures import Proc
from croupier.semantics.program import ClaimDef, Program
from croupier.semantics.walk import FrameChange, called, given, rewritten, statements


@dataclass(slots=True)
class ClaimStmt(TypedStmt):
    """A player, the operand, says one of the sentences that the ruleset declares, true or not."""

    OP = "claim"
    FACTS = Facts(waits=Waits.SEAT, noun="a claim", ahead="a claim")

    @property
    def decider(self) -> TypedExpr:
        return self.args[0]


def expand_claims(program: Program) -> None:
    """Put a menu in place of each claim."""
    for proc in program.procs:
        if any(isinstance(s, ClaimStmt) for s in statements(proc.body)):
            proc.origin = replace(
                proc, slots=[*proc.slots], slot_types=[*proc.slot_types], calls={*proc.calls}
            )
            proc.body = rewritten(proc.body, partial(_expand, program, proc))


def _expand(program: Program, proc: Proc, s: TypedStmt, out: list[TypedStmt]) -> None:
    out.append(_menu(program, proc, s) if isinstance(s, ClaimStmt) else s)


def _menu(program: Program, proc: Proc, s: ClaimStmt) -> MenuStmt:
    options = tuple(_option(proc, claim, s) for claim in program.claims)
    return MenuStmt(
        s.span,
        s.args,
        tuple([] for _ in (*options, "else")),
        s.cites,
        s.suspension_point,
        s.suspends,
        menu=MenuData(options, None, (), has_else=True),
        origin=s,
    )


def _option(proc: Proc, claim: ClaimDef, s: ClaimStmt) -> MenuOption:
    """The option to make a claim, with values of its fields."""
    assert claim.frame is not None
    here = FrameChange(claim.frame, proc, {claim.slots[0]: s.decider})
    slots = tuple(here.slot(slot) for slot in claim.slots[1:])
    sources = tuple(values_of(kind, claim.span) for _, kind in claim.fields)
    says = here.expression(claim.says)
    condition = None if claim.condition is None else here.expression(claim.condition)
    proc.calls |= {*called(given(says, condition))}
    return MenuOption(
        says, slots, sources, condition, (), claim.span, claim.cites, item=claim.span, claim=claim.name
    )
