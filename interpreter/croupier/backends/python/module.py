"""A module as one source of Python, and what it needs to run: constants, and a stand for each site.

Everything is printed that the rules may come to: from the body that calls the phases, over calls, hooks and watchers. A name is a letter
and a number: `p` a routine that never waits or an attempt, `e` the run a routine begins with, `r` a run that goes on, `h` one that begins in the
middle, `q` a question, `o` an offer, `K` a constant, `T` a stand.
"""

from __future__ import annotations

from croupier.backends.python.picking import Whole
from croupier.backends.python.standing import Stands
from croupier.backends.runs import Runs
from croupier.ir.module import Module
from croupier.runtime.game import Game


class Printer(Stands):
    """Prints a module. `budget` is what is left of an action's fuel for what is counted.

    With `whole`, functions are those of whole random games (`picking.py`).
    """

    def __init__(self, game: Game, module: Module, whole: Whole | None = None) -> None:
        super().__init__(game, module, whole)
        self.guards: dict[int, tuple[str, tuple[int, ...]]] = {}
        self.fixed: dict[int, list[tuple[int, tuple[str, tuple[int, ...]]]]] = {}
        self.conditions: list[tuple[str, tuple[int, ...]] | None] = []
        self.budget = 0

    def print(self) -> str:
        """The source of the whole module. Raises `Refused`."""
        self.make_stands()
        if self.whole is None:
            must_pay, taken_once = Runs(self.module, self.sites, self.fuel, self.graph).paying(self.looks_ahead or any(self.cuts.values()))
            self.runs_pay = must_pay
            self.budget = self.game.program.limits["fuel"] - (0 if self.runs_pay else taken_once)
        else:
            self.runs_pay, self.budget = self.whole.runs_pay, self.whole.budget
        for routine in self.module.routines:
            if routine.colour != "suspends" and routine.kind not in ("main", "window"):
                self.plain(routine)
        for w in self.module.watchers:
            routine = self.module.routines[w.routine]
            self.query(routine, next(q for q in routine.queries if q.name == "value"))
        self.entry(self.module.routines[self.module.main])
        for routine in self.module.routines:
            if self.is_direct(routine.index):
                self.direct(routine)
            elif routine.colour == "suspends" and routine.entry is not None and routine.kind != "window":
                self.entry(routine)
        for site in self.sites.all:
            self.link_stand(site)
        self.print_hooks()
        for claim in self.module.claims:
            condition = next((q for q in claim.queries if q.name == "condition"), None)
            self.conditions.append(None if condition is None else self.query(claim, condition))
        return "\n\n\n".join(self.texts) + "\n"

    def print_hooks(self) -> None:
        """The questions of hooks: guards, and values that arguments must have."""
        for table in self.module.tables:
            for row in table.rows():
                routine = self.module.routines[row.routine]
                for q in routine.queries:
                    if q.name == "guard":
                        self.guards[row.hook] = self.query(routine, q)
                    elif q.name.startswith("fixed "):
                        self.fixed.setdefault(row.hook, []).append((int(q.name.split()[1]), self.query(routine, q)))
