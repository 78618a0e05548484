"""The functions of a module, printed as they are asked for, each once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from croupier.backends.python.acting import Alone
from croupier.backends.python.code import Lines
from croupier.backends.python.constants import Constants
from croupier.backends.python.functions import Function
from croupier.backends.python.graphs import Graphs
from croupier.backends.python.picking import Whole
from croupier.ir.module import Module
from croupier.ir.routines import Routine
from croupier.ir.terminators import Foresee, Query
from croupier.runtime.game import Game

if TYPE_CHECKING:
    from croupier.backends.python.module import Printer


LONGEST = 160  # characters of a routine that stands where it is called


class Functions(Graphs):
    """A name is a letter and a number; the head of `module.py` says which letter is what."""

    def __init__(self, game: Game, module: Module, whole: Whole | None = None) -> None:
        super().__init__(game, module, whole)
        self.constants = Constants()
        self.texts: list[str] = []
        self.offers = "value"  # what the question that is being printed offers: values, or pairs or rows with their places
        self.inline: dict[tuple[int, str], tuple[str, frozenset[str]]] = {}  # offers that are one expression, with the aliases in it
        self.runs_pay = True
        self.after: dict[int, str] = {}  # by the site of a call, the run that goes on there
        self._alone: dict[int, Alone | None] = {}
        self._cut_runs: dict[tuple[int, int], str] = {}
        self._attempts: dict[tuple[int, int], str] = {}
        self._queries: dict[tuple[int, int], str] = {}
        self._entries: dict[int, str] = {}
        self._numbers = 0

    def cut(self, routine: Routine, block: int) -> str:
        """The run that begins at the head of a loop that is gone on with at several places."""
        key = (routine.index, block)
        if key not in self._cut_runs:
            name = self._cut_runs[key] = f"h{self.number()}"
            self.function(name, routine, block, "run", (), ["a"], [])
        return self._cut_runs[key]

    def attempt(self, routine: Routine, end: Foresee) -> str:
        """The function that tries the block of a look-ahead which never waits."""
        key = (routine.index, end.slot)
        if key not in self._attempts:
            name, entry = f"p{len(self.module.routines) + len(self._attempts)}", self.attempted(routine, end)
            self._attempts[key] = name
            self.function(name, routine, end.body, "attempt", entry, [self.slot(routine, s) for s in entry], [], tried=end.slot)
        return self._attempts[key]

    def goes_back_to(self, routine: Routine) -> str | None:
        """The run that goes on where a routine was called, if it is called at one place only and nothing stands around the call."""
        if routine.kind not in ("def", "phase") or self.looks_ahead or self.module.table(routine.index).rows():
            return None
        calls = [s for s in self.sites.all if s.end.kind == "call" and s.end.data[1] == routine.index]
        if len(calls) != 1 or calls[0].end.data[0] != "call":
            return None
        return self.after.setdefault(calls[0].number, f"r{self.number()}")

    def number(self) -> int:
        self._numbers += 1
        return self._numbers - 1

    # ------------------------------------------------------------ functions
    def function(
        self, name: str, routine: Routine, root: int, kind: str, entry: tuple[int, ...], arguments: list[str], first: Lines, resumed_at: int = -1,
        tried: int = -1,
    ) -> None:
        f = Function(cast("Printer", self), routine, root, kind, entry, resumed_at, tried)
        self.texts.append(f.text_of(name, arguments, first))

    def entry(self, routine: Routine) -> str:
        """The run that a routine begins with."""
        if routine.index not in self._entries:
            name = self._entries[routine.index] = f"e{routine.index}"
            assert routine.entry is not None
            self.function(name, routine, routine.entry, "run", (), ["a"], [])
        return self._entries[routine.index]

    def plain(self, routine: Routine) -> None:
        assert routine.entry is not None
        self.function(f"p{routine.index}", routine, routine.entry, "plain", routine.takes, [f"l{s}" for s in routine.takes], [])

    def direct(self, routine: Routine) -> None:
        """The function of a routine in which nobody waits in whole random games."""
        assert routine.entry is not None
        self.function(f"p{routine.index}", routine, routine.entry, "direct", routine.takes, [f"l{s}" for s in routine.takes], [])

    def alone(self, target: int) -> Alone | None:
        """A routine as one short expression, if it is one and does not pay for itself."""
        if target not in self._alone:
            self._alone[target] = None  # in a circle it is none
            self._alone[target] = self.find_alone(self.module.routines[target])
        return self._alone[target]

    def find_alone(self, routine: Routine) -> Alone | None:
        if routine.colour != "pure" or routine.kind != "def" or routine.nested is not None or routine.gives or routine.entry is None:
            return None
        if self.module.table(routine.index).rows() or self.fuel.pays(routine.index):
            return None
        f = Function(cast("Printer", self), routine, routine.entry, "plain", routine.takes)
        f.lines([], [])
        text = f.expression_alone
        if text is None or len(text) > LONGEST or " for " in text:
            return None
        names = {f"l{s}" for s in routine.takes}
        if not set(re.findall(r"\b[ltx]\d+\b", text)) <= names:
            return None
        return Alone(tuple(f"l{s}" for s in routine.takes), text, frozenset(f.aliases))

    def query(self, routine: Routine, q: Query) -> tuple[str, tuple[int, ...]]:
        """The function of a question of one value."""
        key, needs = (routine.index if routine.index >= 0 else -1 - id(routine), q.entry), self.needs(routine, q)
        if key not in self._queries:
            name = self._queries[key] = f"q{self.number()}"
            self.function(name, routine, q.entry, "query", needs, [self.slot(routine, s) for s in needs], [])
        return self._queries[key], needs

    def slot(self, routine: Routine, s: int) -> str:
        return f"{'t' if routine.slots[s].role == 'temp' else 'l'}{s}"
