"""Sites: the suspensions of a module by number. A frame of a compiled position names the site it stands at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from croupier.ir.module import Module
from croupier.ir.routines import Block, Routine
from croupier.ir.suspensions import Suspend
from croupier.semantics.tree import Choice, S

SEATS = {
    "choose": "one", "choose_set": "one", "menu": "one", "claim": "one", "ask": "one", "choose_every": "every",
    "chance": "chance", "chance_set": "chance", "draw": "chance", "roll": "chance",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Site:
    """A suspension. `live` are the slots that a frame keeps there; `seats` who acts: one, every, chance, or nobody (a call)."""

    number: int
    routine: Routine
    block: Block
    end: Suspend
    live: tuple[int, ...]
    seats: str

    @property
    def point(self) -> int:
        return self.end.point

    @property
    def ways(self) -> tuple[str, ...]:
        """The names of all ways on, those by a reaction included: a player of a window says no, or reacts, and has reacted."""
        if self.end.kind == "ask":
            return ("returned", "no", "react")
        names = tuple(r.name for r in self.end.resumes)
        return (*names, "react") if self.end.kind == "menu" and self.end.data is not None else names

    def way(self, name: str) -> Any:
        """A way on by its name, or none."""
        return next((r for r in self.end.resumes if r.name == name), None)

    def query(self, name: str) -> Any:
        """A question by its name, or none."""
        return next((q for q in self.end.asks if q.name == name), None)


class Sites:
    """All sites of a module, numbered in the order of its routines."""

    def __init__(self, module: Module) -> None:
        self.all: list[Site] = []
        self.by_place: dict[tuple[int, int], Site] = {}
        self._statements: dict[tuple[int, int], S] = {
            (proc.index, s.suspension_point): s
            for proc in module.program.procs for b in proc.body for s in b.walk() if s.suspension_point is not None
        }
        for routine in module.routines:
            for block, end in routine.suspensions():
                site = Site(len(self.all), routine, block, end, routine.live.get(end.point, ()), SEATS.get(end.kind, ""))
                self.all.append(site)
                self.by_place[routine.index, end.point] = site

    def of(self, routine: Routine, end: Suspend) -> Site:
        return self.by_place[routine.index, end.point]

    def statement(self, site: Site) -> S:
        """The statement of the rules that waits there."""
        return self._statements[site.routine.index, site.point]

    def choice(self, site: Site) -> Choice:
        """The choice that it is, of one thing or of several."""
        found = self.statement(site).data[0]
        assert isinstance(found, Choice)
        return found

    def waiting(self) -> Mapping[int, Site]:
        return {s.number: s for s in self.all if s.seats}
