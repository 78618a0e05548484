"""Decision sites: the places in the rules where somebody, or chance, is asked; and a name for each that no
other has.

In comes a program, out come its sites by procedure and suspension point, which is what a frame that waits
knows of itself.

A choice is called by the variable that it sets, a window by its name, everything else by its word: `menu`,
`claim`, `draw`, `roll`. Where several sites of a program would have the same name, the definition or phase
stands before it, `deal.c`; and where one has several, a number behind it, in the order of the text: `deal.c`,
`deal.c#2`. Names follow from the rules alone, so that they are the same in every game and on every back end.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from croupier.diagnostics import Span
from croupier.kernel.tree import ChooseStmt, OpenStmt, TypedStmt
from croupier.records import dataclass
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.walk import bodies

WINDOW = "window"

Point = tuple[int, int]
"""A procedure by its number, and the number of a suspension point in it."""


@dataclass(frozen=True, slots=True)
class DecisionSite:
    """A place in the rules where somebody is asked: its name, the operation of its statement or `WINDOW`, the
    procedure it stands in, and where.
    """

    name: str
    kind: str
    proc: Proc
    span: Span
    statement: TypedStmt | None  # None for a window


def place_of(program: Program, span: Span) -> str:
    """Return the place of a rule as `FILE:LINE`, the file as seen from the folder of the ruleset, wherever
    that lies.
    """
    return f"{_file(os.path.dirname(program.resolved.path), span.source.name)}:{span.line}"


@lru_cache(maxsize=1_000)
def _file(folder: str, name: str) -> str:
    try:
        return Path(os.path.relpath(name, folder or ".")).as_posix()
    except ValueError:  # on another drive
        return Path(name).as_posix()


def decision_sites(program: Program) -> dict[Point, DecisionSite]:
    """All sites of a program, in the order of its procedures and of their text."""
    found = list(_sites(program))
    plain = Counter(site.name for _, site in found)
    called = [site.name if plain[site.name] == 1 else f"{site.proc.name}.{site.name}" for _, site in found]
    before = Counter[str]()
    named: dict[Point, DecisionSite] = {}
    for (point, site), name in zip(found, called, strict=True):
        before[name] += 1
        unique = name if before[name] == 1 else f"{name}#{before[name]}"
        named[point] = DecisionSite(unique, site.kind, site.proc, site.span, site.statement)
    return named


def _sites(program: Program) -> Iterator[tuple[Point, DecisionSite]]:
    """Every site by its plain name."""
    for proc, s in bodies(program):
        if (
            s.FACTS.suspends and s.suspension_point is not None and not isinstance(s, OpenStmt)
        ):  # its window asks
            kind = s.as_written.op
            name = s.choice.name if isinstance(s, ChooseStmt) else kind
            yield (proc.index, s.suspension_point), DecisionSite(name, kind, proc, s.span, s)
    for name, proc in program.windows.items():
        yield (proc.index, 0), DecisionSite(name, WINDOW, proc, proc.span, None)


__all__ = ["WINDOW", "DecisionSite", "Point", "decision_sites", "place_of"]
