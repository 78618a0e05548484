"""A module as one source of Python, and what it needs to run: constants, and a stand for each site.

Everything is printed that the rules may come to: from the body that calls the phases, over calls, hooks and watchers. A name is a letter
and a number: `p` a routine that never waits, `e` the run a routine begins with, `r` a run that goes on, `q` a question, `o` an offer, `K` a constant,
`T` a stand.
"""

from __future__ import annotations

from typing import Any

from croupier.backends.facts import Facts
from croupier.backends.foresight import Foresight, begun_with, looks_ahead
from croupier.backends.fuel import Fuel
from croupier.backends.graph import Graph, Tangled
from croupier.backends.python.code import Assign, Line, Lines
from croupier.backends.python.constants import Constants
from croupier.backends.python.functions import Function
from croupier.backends.python.stands import Stand
from croupier.backends.python.waits import roll_values
from croupier.backends.python.words import reads
from croupier.backends.runs import Runs
from croupier.backends.sites import Site, Sites
from croupier.backends.unsupported import Refused
from croupier.ir.dataflow import live_at_start, members
from croupier.ir.module import Module
from croupier.ir.routines import Routine
from croupier.ir.terminators import Foresee, Jump, Query, Return, Walk
from croupier.runtime.game import Game
from croupier.semantics import types as t
from croupier.semantics.tree import Choice, MenuData, S

ASCENDING = {"board_cells", "players", "enum_values", "class", "range", "canonical"}


class Printer:
    """Prints the functions of a module as they are asked for."""

    def __init__(self, game: Game, module: Module) -> None:
        self.game, self.module = game, module
        self.facts, self.constants, self.sites = Facts(game, module), Constants(), Sites(module)
        self.facts.given = self.given
        self.texts: list[str] = []
        self.stands: list[Stand] = []
        self.links: list[tuple[Stand, str, Any]] = []  # stand, attribute, names of functions
        self.several: list[tuple[Stand, str, Choice, dict[str, tuple[str, tuple[int, ...]]], dict[str, int], Any, bool]] = []
        self.guards: dict[int, tuple[str, tuple[int, ...]]] = {}
        self.fixed: dict[int, list[tuple[int, tuple[str, tuple[int, ...]]]]] = {}
        self.conditions: list[tuple[str, tuple[int, ...]] | None] = []
        self.offers = "value"
        self.budget = 0  # what is left of an action's fuel for what is counted
        self.runs_pay = True
        self._known: dict[int, dict[int, Any]] = {}
        self.cuts: dict[int, dict[int, tuple[int, ...]]] = {}  # heads of loops that are runs of their own, with what is live there, by routine
        self._cut_runs: dict[tuple[int, int], str] = {}
        self.inline: dict[tuple[int, str], tuple[str, frozenset[str]]] = {}  # offers that are one expression, with the aliases in it
        self._given: dict[int, tuple[Any, ...] | None] = {}
        self._graphs: dict[tuple[int, int, int], Graph] = {}
        self.looks_ahead = looks_ahead(module)
        self._foresights: dict[int, Foresight] = {}
        self._attempts: dict[tuple[int, int], str] = {}
        self.fuel = Fuel(self.facts, self.graph, watchers_pay=True)
        self._live: dict[int, list[int]] = {}
        self._queries: dict[tuple[int, int], str] = {}
        self._offers: dict[tuple[int, str], tuple[str, tuple[int, ...]]] = {}
        self._entries: dict[int, str] = {}
        self._numbers = 0
        self.statements = {(p.index, s.point): s for p in game.program.procs for b in p.body for s in b.walk() if s.point is not None}

    # ------------------------------------------------------------ facts about routines
    def places(self, routine: Routine) -> int:
        """How many slots a frame of a routine holds."""
        return sum(1 for s in routine.slots if s.role != "temp")

    def known(self, routine: Routine) -> dict[int, Any]:
        """Slots of a routine that are written once, with a value that is known."""
        if id(routine) not in self._known:
            self._known[id(routine)] = self.find_known(routine)
        return self._known[id(routine)]

    def find_known(self, routine: Routine) -> dict[int, Any]:
        written: dict[int, list[Any]] = {s: [None] for s in routine.takes}
        for block in routine.blocks:
            for i in block.code:
                for s in i.into:
                    written.setdefault(s, []).append(i)
            for edge in block.end.edges():
                for s in edge.assigns:
                    written.setdefault(s, []).append(None)
            for q in block.end.queries():
                for s in q.takes:
                    written.setdefault(s, []).append(None)
        for q in routine.queries:
            for s in q.takes:
                written.setdefault(s, []).append(None)
        known: dict[int, Any] = {}
        changed = True
        while changed:
            changed = False
            for slot, found in written.items():
                i = found[0]
                if slot in known or len(found) != 1 or i is None or len(i.into) != 1 or any(a not in known for a in i.args):
                    continue
                value = self.facts.fold(i, [known[a] for a in i.args], routine)
                if value is not None:
                    known[slot], changed = value[0], True
        return known

    def given(self, target: int) -> tuple[Any, ...] | None:
        """The value that a routine gives, whatever it is called with, if that is known and it does nothing else."""
        if target not in self._given:
            self._given[target] = None  # in a circle nothing is known
            self._given[target] = self.find_given(self.module.routines[target])
        return self._given[target]

    def find_given(self, routine: Routine) -> tuple[Any, ...] | None:
        table = self.module.table(routine.index)
        if routine.colour != "pure" or routine.entry is None or table.rows() or routine.gives or routine.nested is not None:
            return None
        graph = self.graph(routine, routine.entry)
        ends = [n.end for n in graph.nodes.values()]
        told = [i for n in graph.nodes.values() for i in n.code if not i.into or any(s not in graph.known for s in i.into)]
        if any(i.op != "burn" for i in told) or not all(isinstance(e, (Jump, Return)) for e in ends):
            return None
        values = [graph.known.get(e.value, graph) if e.value is not None else graph for e in ends if isinstance(e, Return)]
        return (values[0],) if len(values) == 1 and values[0] is not graph else None

    def live_in(self, routine: Routine, block: int) -> tuple[int, ...]:
        if id(routine) not in self._live:
            self._live[id(routine)] = live_at_start(routine)
        return members(self._live[id(routine)][block])

    def needs(self, routine: Routine, query: Query) -> tuple[int, ...]:
        """The slots that a question is asked with."""
        known = self.known(routine)
        return tuple(s for s in self.live_in(routine, query.entry) if s not in known)

    def foresight(self, routine: Routine) -> Foresight:
        if id(routine) not in self._foresights:
            self._foresights[id(routine)] = Foresight(routine, self.live_in, self.needs)
        return self._foresights[id(routine)]

    def graph(self, routine: Routine, root: int, tried: int = -1) -> Graph:
        """What runs from a block without a wait; in the attempt of a look-ahead with the slot `tried`."""
        key = (id(routine), root, tried)
        while key not in self._graphs:
            cuts = self.cuts.setdefault(routine.index, {})
            try:
                replaced = self.foresight(routine).replaced if tried < 0 else self.foresight(routine).attempt(tried)
                self._graphs[key] = Graph(routine, root, lambda i, a: self.facts.fold(i, a, routine), self.known(routine), cuts, replaced)
            except Tangled as tangled:
                live = self.live_in(routine, tangled.head)
                if tangled.head in cuts or routine.colour != "suspends" or any(routine.slots[s].role == "temp" for s in live):
                    raise Refused("a loop that is gone on with at several places", routine.blocks[tangled.head].end.span) from None
                cuts[tangled.head] = live
        return self._graphs[key]

    def cut(self, routine: Routine, block: int) -> str:
        """The run that begins at the head of a loop that is gone on with at several places."""
        key = (routine.index, block)
        if key not in self._cut_runs:
            name = self._cut_runs[key] = f"h{self.number()}"
            self.function(name, routine, block, "run", (), ["a"], [])
        return self._cut_runs[key]

    def attempted(self, routine: Routine, end: Foresee) -> tuple[int, ...]:
        """The slots that the block of a look-ahead is tried with."""
        known = self.known(routine)
        return tuple(s for s in begun_with(routine, self.live_in(routine, end.body)) if s not in known)

    def attempt(self, routine: Routine, end: Foresee) -> str:
        """The function that tries the block of a look-ahead which never waits."""
        key = (routine.index, end.slot)
        if key not in self._attempts:
            name, entry = f"p{len(self.module.routines) + len(self._attempts)}", self.attempted(routine, end)
            self._attempts[key] = name
            self.function(name, routine, end.body, "attempt", entry, [self.slot(routine, s) for s in entry], [], tried=end.slot)
        return self._attempts[key]

    def number(self) -> int:
        self._numbers += 1
        return self._numbers - 1

    # ------------------------------------------------------------ functions
    def function(
        self, name: str, routine: Routine, root: int, kind: str, entry: tuple[int, ...], arguments: list[str], first: Lines, resumed_at: int = -1,
        tried: int = -1,
    ) -> None:
        f = Function(self, routine, root, kind, entry, resumed_at, tried)
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

    def query(self, routine: Routine, q: Query) -> tuple[str, tuple[int, ...]]:
        """The function of a question of one value."""
        key, needs = (routine.index if routine.index >= 0 else -1 - id(routine), q.entry), self.needs(routine, q)
        if key not in self._queries:
            name = self._queries[key] = f"q{self.number()}"
            self.function(name, routine, q.entry, "query", needs, [self.slot(routine, s) for s in needs], [])
        return self._queries[key], needs

    def slot(self, routine: Routine, s: int) -> str:
        return f"{'t' if routine.slots[s].role == 'temp' else 'l'}{s}"

    # ------------------------------------------------------------ offers
    def offers_of(self, site: Site, name: str) -> tuple[str, tuple[int, ...]]:
        """The function that gives what is on offer at a site (of one option of a menu), in the form of its stand."""
        key = (site.number, name)
        if key not in self._offers:
            self._offers[key] = self.print_offers(site, name)
        return self._offers[key]

    def print_offers(self, site: Site, name: str) -> tuple[str, tuple[int, ...]]:
        routine, q = site.routine, site.query(name)
        stand = self.stand_of(site)
        needs = self.needs(routine, q)
        function = f"o{self.number()}"
        merging = site.query("merged")
        needs = tuple(sorted({*needs, *(s for s in (self.needs(routine, merging) if merging else ()) if s not in merging.takes)}))
        arguments = [self.slot(routine, s) for s in needs]
        finish = "x0"
        if stand.form == "row":
            self.offers = "row"
        elif stand.form == "pair":
            finite = self.is_finite(site)
            self.offers = "value" if finite else "pair"
            finish = f"offered(x0, {stand.shift - stand.low})" if finite else f"shifted(x0, {stand.shift})"
        else:
            self.offers = "value"
            if stand.form == "value" and not self.is_ascending(routine, q):
                finish = "sorted(set(x0))"
        if merging:
            asked, wanted = self.query(routine, merging)
            item = merging.takes[0]
            keys = f"[{asked}(S{''.join(', v' if s == item else ', ' + self.slot(routine, s) for s in wanted)}) for _, v in x0]"
            tail: Lines = [Assign("x0", finish), Line(f"return merged(x0, {keys}, {site.seats == 'chance'})", True)]
        else:
            tail = [Line(f"return {finish}", True)]
        f = OfferFunction(self, routine, q.entry, needs, tail)
        self.texts.append(f.text_of(function, arguments, [Assign("x0", "[]")]))
        if f.alone is not None:
            self.inline[site.number, name] = (f.alone, frozenset(f.aliases))
        return function, needs

    def is_finite(self, site: Site) -> bool:
        return self.game.is_finite(self.choice(site).base)

    def is_ascending(self, routine: Routine, q: Query) -> bool:
        """Does a question offer values in ascending order, each once?"""
        graph = self.graph(routine, q.entry)
        heads = [n for n in graph.loops if isinstance(graph.nodes[n].end, Walk)]
        walk = min(heads, key=lambda n: graph.rank[n], default=None)
        if walk is None:
            return True
        end = graph.nodes[walk].end
        assert isinstance(end, Walk)
        if end.items in graph.known:
            value = graph.known[end.items]
            return all(a < b for a, b in zip(value, value[1:], strict=False))
        made = [i for n in graph.nodes.values() for i in n.code if end.items in i.into]
        if len(made) != 1:
            return False
        i = made[0]
        if i.op == "zone_list":
            return all(self.game.program.zones[z].order in ("set",) for z in self.facts.zones_of(routine, i.args[0]))
        if i.op == "canonical":
            kind = routine.slots[i.into[0]].type
            return isinstance(kind, t.Collection) and kind.kind == "set"
        return i.op in ASCENDING

    def is_still(self, routine: Routine, q: Query) -> bool:
        """Does the answer to a question depend on nothing but what it is asked with?"""
        for node in self.graph(routine, q.entry).nodes.values():
            for i in node.code:
                if i.op == "call":
                    callee = self.module.routines[i.data]
                    if callee.entry is None or callee.nested is not None or self.module.table(i.data).rows():
                        return False
                    if callee.effects.reads or not self.is_still(callee, Query("", callee.entry)):
                        return False
                elif reads(i.op):
                    return False
        return True

    def places_are_all(self, site: Site) -> bool:
        """Is every value of the source on offer, so that its place is its place on offer?"""
        q = site.query("options")
        graph = self.graph(site.routine, q.entry)
        walks = [n.end for n in graph.nodes.values() if isinstance(n.end, Walk)]
        offer = [n.number for n in graph.nodes.values() if any(i.op == "offer" for i in n.code)]
        body = graph.nodes[walks[-1].body] if walks else None
        return len(walks) == 1 and body is not None and body.number in offer and [i.op for i in body.code] == ["offer"]

    # ------------------------------------------------------------ stands
    def statement(self, site: Site) -> S:
        return self.statements[site.routine.index, site.point]

    def choice(self, site: Site) -> Choice:
        found = self.statement(site).data[0]
        assert isinstance(found, Choice)
        return found

    def stand(self, site: Site) -> str:
        self.stand_of(site)
        return f"T{site.number}"

    def stand_of(self, site: Site) -> Stand:
        return self.stands[site.number]

    def make_stands(self) -> None:
        """Stands with what is known before anything is printed."""
        for site in self.sites.all:
            stand = Stand(site.number, site.routine.index, site.point, self.places(site.routine), site.live, site.seats)
            self.stands.append(stand)
            match site.end.kind:
                case "choose" | "chance" | "choose_every":
                    c = self.choice(site)
                    finite = self.game.is_finite(c.base)
                    stand.low = self.game.domain(c.base)[0] if finite else 0
                    stand.shift, stand.truth = int(c.optional), isinstance(c.base, t.Bool)
                    if site.end.kind == "chance" or c.merging:
                        stand.form = "pair"
                    elif not finite:
                        stand.form = "place" if self.places_are_all(site) else "pair"
                    if site.end.kind == "chance":
                        stand.extra = True if c.merging else None
                    if site.end.kind == "choose_every":
                        stand.every, stand.picked, stand.extra = c.every or 0, c.picked, (None,) * self.game.players
                        if stand.form == "place":
                            stand.form = "pair"
                case "choose_set" | "chance_set" | "claim" | "ask":
                    stand.form = "agent"
                case "menu":
                    self.menu_stand(site, stand)
                case "draw":
                    stand.form = "piece"
                case "roll":
                    stand.form, stand.faces = "face", roll_values(self.game, site.end.data)

    def menu_stand(self, site: Site, stand: Stand) -> None:
        data = self.statement(site).data
        assert isinstance(data, MenuData)
        stand.form, at, firsts, sizes = "row", 0, [], []
        for o in data.options:
            kinds = [x.type.base if isinstance(x.type, t.Collection) else t.UNKNOWN for x in o.sources]
            binders = tuple((*self.game.domain(k), True) if self.game.is_finite(k) else (0, 1000, False) for k in kinds)
            firsts.append(at)
            sizes.append(binders)
            count = 1
            for _, n, _ in binders:
                count *= max(1, n)
            at += count
        stand.firsts, stand.sizes = tuple(firsts), tuple(sizes)
        stand.reactions_from, stand.window = at, -1 if data.window is None else data.window

    def link_stand(self, site: Site) -> None:
        """Print the runs that go on from a site, and its questions."""
        stand, routine, end = self.stand_of(site), site.routine, site.end
        taken = []
        for resume in end.resumes:
            name = f"r{self.number()}"
            if resume.name == "declined":
                first: Lines = []
            elif resume.name in ("returned", "closed", "reacted"):
                first = [Assign(", ".join(self.slot(routine, s) for s in resume.assigns), "S.ret")] if resume.assigns else []
            elif resume.name.startswith("taken "):
                first = [Assign("".join(self.slot(routine, s) + ", " for s in resume.assigns), "a")] if resume.assigns else []
            else:
                first = [Assign(self.slot(routine, s), "a") for s in resume.assigns]
            self.function(name, routine, resume.target, "run", resume.assigns, ["a"], first, site.number)
            if resume.name.startswith("taken "):
                taken.append(name)
            else:
                self.links.append((stand, GOES_ON.get(resume.name, "chosen"), name))
        if taken:
            self.links.append((stand, "taken", tuple(taken)))
        offers = [self.offers_of(site, q.name) for q in end.asks if q.name.startswith("options")]
        if offers:
            self.links.append((stand, "options", tuple(offers)))
        window = [q for q in end.asks if q.name.startswith("window ")]
        if window:
            self.links.append((stand, "window_args", tuple(self.query(routine, q) for q in window)))
        if end.kind in ("choose_set", "chance_set"):
            names = ("source", "low", "high", "such_that")
            questions = {q.name: self.query(routine, q) for q in end.asks if q.name in names}
            judged = site.query("such_that")
            costs = {q.name: self.fuel.asked(routine, q) for q in end.asks if q.name in names}
            still = judged is None or self.is_still(routine, judged)
            self.several.append((stand, end.kind, self.choice(site), questions, costs, end.span, still))
        for q in end.asks:
            attribute = {"chooser": "chooser", "choosers": "chooser", "weight": "weight", "source": "source"}.get(q.name)
            if q.name == "source" and end.kind != "draw":
                continue
            if attribute is not None:
                self.links.append((stand, attribute, self.query(routine, q)))
                if q.name == "weight":
                    stand.item = q.takes[0]

    # ------------------------------------------------------------ the whole
    def print(self) -> str:
        """The source of the whole module. Raises `Refused`."""
        self.make_stands()
        must_pay, taken_once = Runs(self.module, self.sites, self.fuel, self.graph).paying(self.looks_ahead or any(self.cuts.values()))
        self.runs_pay = must_pay
        self.budget = self.game.program.limits["fuel"] - (0 if self.runs_pay else taken_once)
        for routine in self.module.routines:
            if routine.colour != "suspends" and routine.kind not in ("main", "window"):
                self.plain(routine)
        for w in self.module.watchers:
            routine = self.module.routines[w.routine]
            self.query(routine, next(q for q in routine.queries if q.name == "value"))
        self.entry(self.module.routines[self.module.main])
        for routine in self.module.routines:
            if routine.colour == "suspends" and routine.entry is not None and routine.kind != "window":
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


GOES_ON = {"returned": "after", "closed": "after", "reacted": "after", "declined": "declined"}


class OfferFunction(Function):
    """A question that offers: what it ends with is said by `tail`."""

    def __init__(self, printer: Printer, routine: Routine, root: int, needs: tuple[int, ...], tail: Lines) -> None:
        super().__init__(printer, routine, root, "query", needs)
        self.tail = tail

    def finish(self, node: Any) -> None:
        self.out += self.tail
