"""Suspensions: terminators at which a routine waits, for a player, for chance, or for a call to return.

A position is the state and one suspension per frame, with the slots that are live there. While it waits, whoever offers the options asks the
suspension's queries; they are asked again as often as one likes and change nothing. When it goes on, the machine fills in the slots of a resume
edge and continues at its block. `blocked` is where control goes without waiting: when nothing can be chosen, drawn or said.

`KINDS` says what each kind of suspension must have; the verifier holds every suspension against it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from croupier.ir.terminators import Edge, Query, Terminator


@dataclass(frozen=True, slots=True)
class Resume:
    """A way on after waiting: what has happened, the block, and the slots that are filled in first."""

    name: str
    target: int
    assigns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """What a suspension of this kind asks and how it goes on: required and possible names of queries and resumes."""

    doc: str
    queries: frozenset[str]
    resumes: frozenset[str]
    may_ask: frozenset[str] = frozenset()
    may_resume: frozenset[str] = frozenset()
    blocks: bool = False  # must it have a `blocked` edge?


def _kinds(text: str) -> dict[str, Kind]:
    """Rows of: kind | queries, possible ones in brackets | resumes, likewise | `blocks` if it must | what it is."""
    out = {}
    for line in text.strip().splitlines():
        name, asks, resumes, blocks, doc = (part.strip() for part in line.split("|"))
        (queries, may_ask), (ways, may_resume) = (
            (frozenset(must.split()), frozenset(may.rstrip("]").split())) for must, _, may in (asks.partition("["), resumes.partition("["))
        )
        out[name] = Kind(doc, queries, ways, may_ask, may_resume, blocks == "blocks")
    return out


KINDS: dict[str, Kind] = _kinds("""
choose       | chooser options [label merged]               | chosen [declined] | blocks | one player chooses one thing
choose_every | choosers options [label merged]              | revealed          |        | several players choose, in any order, until all have
choose_set   | chooser source low [high such_that merged]   | chosen [declined] | blocks | one player chooses several things, in a canonical order
chance       | options [label weight merged]                | chosen [declined] | blocks | chance chooses one thing; a single one without waiting
chance_set   | source low [high such_that merged]           | chosen [declined] | blocks | chance chooses several things, one by one
menu         | chooser                                      | [reacted]         | blocks | one player takes an option, or a reaction of the window
draw         | source                                       | drawn             | blocks | chance draws from a zone; what is known, without waiting
roll         |                                              | rolled            |        | chance rolls a component; a single face without waiting
open         |                                              | closed            |        | a window is open: its routine runs
ask          |                                              |                   | blocks | the body of a window: those asked may react
claim        | chooser                                      | said              | blocks | one player may say one of the declared things
call         |                                              | returned          |        | a routine that may wait runs, with the hooks on it
""")


@dataclass(frozen=True, slots=True)
class Suspend(Terminator):
    """A suspension: its number in the routine, what it reads at once, what it uses while it waits (`keeps`), what it asks, how it goes on.

    `args` is read before it waits and never after. A menu has besides, for its option i, the queries `options i` and `label i` and the
    resume `taken i`; with a window, the query `window` for its arguments.
    """

    kind: str
    point: int
    args: tuple[int, ...]
    keeps: tuple[int, ...]
    asks: tuple[Query, ...]
    resumes: tuple[Resume, ...]
    blocked: int | None
    data: Any = None

    def reads(self) -> tuple[int, ...]:
        return (*self.args, *self.keeps)

    def edges(self) -> tuple[Edge, ...]:
        ways = tuple(Edge(r.target, r.assigns, True) for r in self.resumes)
        return ways if self.blocked is None else (*ways, Edge(self.blocked))

    def queries(self) -> tuple[Query, ...]:
        return self.asks
