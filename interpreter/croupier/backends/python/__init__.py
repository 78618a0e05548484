"""The Python back end: the lowered form printed as Python, checked, compiled. See the head of `backends/`."""

from __future__ import annotations

import ast
from contextlib import suppress
from typing import Any

from croupier.backends.depth import tallest_chain
from croupier.backends.facts import Facts
from croupier.backends.python.around import AROUND
from croupier.backends.python.checker import GENERATED, check
from croupier.backends.python.claims import Claiming
from croupier.backends.python.module import Printer
from croupier.backends.python.picking import Whole
from croupier.backends.python.position import Deviation, Exchange, Position
from croupier.backends.python.search import Search
from croupier.backends.python.several import Several, SeveralByChance
from croupier.backends.python.stands import Asked, Run, Stand
from croupier.backends.python.support import counted, helpers
from croupier.backends.python.tabling import Tabling
from croupier.backends.python.windows import Asking, Windows
from croupier.backends.spoken import variables_of_claims
from croupier.backends.unsupported import Refused
from croupier.ir.module import Module
from croupier.limits import MAX_CALL_DEPTH
from croupier.runtime.faults import Fault, GameOver
from croupier.runtime.game import Game
from croupier.runtime.streams import seat_purpose
from croupier.semantics import types as t

Rules = tuple[list[Stand], int, Search, bool, int, int]
FEW_GAMES = 16  # whole games that are played before anything is compiled for more of them


class Compiled:
    """A game that runs as Python: its source, its sites, and how to begin and to go on."""

    def __init__(self, game: Game, module: Module, whole: Whole | None = None) -> None:
        self.game, self.module = game, module
        printer = Printer(game, module, whole)
        self.source = printer.print()
        self.constants = {n: v if isinstance(v, (int, str, tuple)) else type(v).__name__ for n, v in printer.constants.values.items()}
        self.stands: list[Stand] = printer.stands
        stand = Stand(len(self.stands), AROUND, 0, 5, (0, 1, 2, 3, 4), "")
        self.stands.append(stand)
        self.around = Windows(game, module, self.stands, stand)
        self.search = Search(game, self.stands)
        names: dict[str, Any] = {**helpers(game, self.around, self.search), **printer.constants.values}
        names |= {f"T{s.number}": s for s in self.stands}
        names |= {f"d{table.target}": self.around.called(table.target) for table in module.tables}
        names |= {f"g{table.target}": self.around.original(table.target) for table in module.tables}
        tree = ast.parse(self.source)
        defined = {s.name for s in tree.body if isinstance(s, ast.FunctionDef)}
        check(tree, {*names, *defined})
        space: dict[str, Any] = {"__builtins__": {}, **names, "D": Deviation, "Over": GameOver}
        self.chain = tallest_chain(game)
        if self.chain > MAX_CALL_DEPTH:
            raise Refused("definitions that stand so deep in each other", None)
        exec(compile(tree, "<compiled rules>", "exec"), space)  # noqa: S102  (checked: only listed nodes and names)
        for r in module.routines:
            if r.nested is not None and r.colour != "suspends":
                space[f"p{r.index}"] = counted(space[f"p{r.index}"], r.index, r.nested, self.chain)
        self.functions = {n: v for n, v in space.items() if GENERATED.fullmatch(n)}
        self.link(printer, names["in_bag"])
        table = names["move_all"].__self__
        assert isinstance(table, Tabling)
        self.watch(printer, table)
        self.main = (printer.places(module.routines[module.main]), self.functions[f"e{module.main}"])
        maps = frozenset(v.index for v in game.variables if isinstance(v.type, t.Map))
        ordered = frozenset(p.number for p in game.places if p.zone not in printer.facts.unordered)
        places = {(s.routine, s.point): s.number for s in self.stands}
        self.exchange = Exchange(game, self.stands, places, maps, ordered)
        self.maps = maps
        self.fuel: int = printer.budget
        self.purposes = tuple(seat_purpose(s) for s in range(game.players))
        self.runs_pay = printer.runs_pay
        self.spends = bool(module.tables or module.watchers or module.claims or printer.several) or "S.fuel" in self.source
        self._start: Position | None = None
        self._whole: Compiled | None = None
        self._rules: Rules | None = None
        self._games = 0

    def link(self, printer: Printer, bag: Any) -> None:
        f = self.functions
        for stand, attribute, found in printer.links:
            value: Any
            if attribute in ("options", "window_args"):
                value = tuple((f[name], needs) for name, needs in found)
            elif attribute == "taken":
                value = tuple(f[name] for name in found)
            elif isinstance(found, tuple):
                value = (f[found[0]], found[1])
            else:
                value = f[found]
            setattr(stand, attribute, value)
        self.around.learn(
            f, {h: [(param, (f[name], needs)) for param, (name, needs) in found] for h, found in printer.fixed.items()},
            {h: (f[name], needs) for h, (name, needs) in printer.guards.items()},
        )  # fmt: skip
        for stand, kind, choice, questions, costs, span, still in printer.several:
            cls = Several if kind == "choose_set" else SeveralByChance
            stand.agent = cls(self.game, stand, choice, {q: (f[name], needs) for q, (name, needs) in questions.items()}, costs, span, still)
        conditions: list[Asked | None] = [None if c is None else (f[c[0]], c[1]) for c in printer.conditions]
        read = variables_of_claims(printer.module, printer.known) if printer.module.claims else None
        spoken = None if read is None else sorted(self.game.program.vars[name].index for name in read)
        for site in printer.sites.all:
            stand, end = self.stands[site.number], site.end
            stand.around = self.around
            stand.plain = stand.form in ("value", "place", "piece", "face") and not stand.shift and stand.seats in ("one", "chance")
            if end.kind == "draw" and stand.form == "pair":
                stand.bag = bag
            if end.kind == "ask":
                stand.agent, stand.handed = Asking(self.around), self.around.reaction_over
            elif end.kind == "claim":
                stand.agent = Claiming(self.game, stand, conditions, spoken)
            elif end.kind == "menu" and end.data is not None:
                stand.handed = self.around.flagged(stand, False)
            elif end.kind == "call" and end.data[0] == "original":
                has_value = not isinstance(printer.module.routines[end.data[1]].returns, t.Nothing)
                stand.handed = self.around.flagged(stand, has_value)

    def watch(self, printer: Printer, table: Tabling) -> None:
        self.watchers = []
        for w in printer.module.watchers:
            routine = printer.module.routines[w.routine]
            name, _ = printer.query(routine, next(q for q in routine.queries if q.name == "value"))
            function = self.functions[f"p{w.routine}"]
            self.watchers.append((w.kind, self.functions[name], function, w.slot is not None, printer.fuel.watcher(w.routine)))
        table.watchers += self.watchers

    # ------------------------------------------------------------ whole games
    @property
    def whole(self) -> Compiled:
        """The game compiled for whole random games, in which hardly anything waits; this itself, if that cannot be. Raises `Deviation`."""
        if self._whole is None:
            self._whole = self
            start = self.start()
            if start.frames and not self.search.looks:
                stack = frozenset(f[-2] for f in start.frames)
                with suppress(Refused, SyntaxError):  # nested too deeply for Python
                    self._whole = Compiled(self.game, self.module, Whole(self.runs_pay, self.fuel, self.spends, stack))
        return self._whole

    def whole_game(self) -> Rules:
        """What a whole game goes by: stands, fuel, the search and whether there is any, the most decisions and chance events.

        Raises `Deviation`. The first few games do not wait for functions of their own.
        """
        if self._rules is None:
            self._games += 1
            if self._games <= FEW_GAMES:
                return self.rules()
            self._rules = self.whole.rules()
        return self._rules

    def rules(self) -> Rules:
        limits = self.game.program.limits
        return self.stands, self.fuel, self.search, self.search.looks, limits["decisions"], limits["chance"]

    # ------------------------------------------------------------ running
    def start(self) -> Position:
        """The position before the first decision or chance event. Raises `Deviation`."""
        if self._start is None:
            p = Position()
            self.search.begin(p)
            p.fuel = self.fuel
            p.vars = [list(v) if i in self.maps else v for i, v in enumerate(self.game.start_vars)]
            p.zones = list(self.game.start_zones)
            p.where = [-1] * len(self.game.pieces)
            for z, items in enumerate(p.zones):
                for i in items:
                    for piece in i if isinstance(i, tuple) else (i,):
                        p.where[piece] = z
            places, entry = self.main
            try:
                p.seen = [value_of(p) if kind == "watch" else None for kind, value_of, *_ in self.watchers]
            except Fault:
                raise Deviation from None
            p.frames = [[*[None] * places, -1, None]]
            self.run(p, entry, None)
            self._start = p
        return self._start.copy()

    def apply(self, p: Position, seat: int, action: int) -> None:
        """Apply a legal action of a seat, or an outcome of chance. Raises `Deviation`; the position is then of no use any more."""
        stand = self.stands[p.frames[-1][-2]]
        self.search.begin(p)
        p.fuel = self.fuel
        try:
            step = stand.commit(p, seat, stand.value_for(p, seat, action)) if stand.seats == "every" else stand.go_on(p, action)
        except GameOver:
            p.frames.clear()
            return
        except (Fault, RecursionError):
            raise Deviation from None
        if step is not None:
            self.run(p, *step)

    def run(self, p: Position, run: Run | None, value: Any) -> None:
        """Go on until somebody acts or the game is over. Raises `Deviation`; the position is then of no use any more."""
        p.fuel = self.fuel
        try:
            while run is not None:
                run = run(p, value)
        except GameOver:
            p.frames.clear()
        except (Fault, RecursionError):
            raise Deviation from None


def compile_game(game: Game, module: Module) -> Compiled:
    """Raises `Refused` for a construct that is not compiled."""
    return Compiled(game, module)


__all__ = ["Compiled", "Deviation", "Facts", "compile_game"]
