"""What may be chosen, as functions that give it in the form of its stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from croupier.backends.facts import reads
from croupier.backends.python.code import Assign, Line, Lines
from croupier.backends.python.functions import SORTED, Function
from croupier.backends.python.picking import Whole
from croupier.backends.python.printing import Functions
from croupier.backends.python.stands import Stand
from croupier.backends.sites import Site
from croupier.ir.dataflow import reached
from croupier.ir.module import Module
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Give, Query, Walk
from croupier.runtime.game import Game
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.python.module import Printer

ASCENDING = ("board_cells", "players", "enum_values", "class", "range")


class Offers(Functions):
    """Prints what is on offer where somebody chooses."""

    def __init__(self, game: Game, module: Module, whole: Whole | None = None) -> None:
        super().__init__(game, module, whole)
        self.stands: list[Stand] = []
        self._offers: dict[tuple[int, str], tuple[str, tuple[int, ...]]] = {}

    # ------------------------------------------------------------ sites
    def stand(self, site: Site) -> str:
        self.stand_of(site)
        return f"T{site.number}"

    def stand_of(self, site: Site) -> Stand:
        return self.stands[site.number]

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
            if self.draws_on_alike(site):
                finish = f"offered_alike(x0, {stand.shift - stand.low})"
        else:
            self.offers = "value"
            if stand.form == "value":
                finish = self.arranged(routine, q)
        if stand.form == "row":
            option = int(name.removeprefix("options "))
            tail: Lines = [Line(f"return rows_alike(S, {self.stand(site)}, {option}, x0)" if option in stand.alike else f"return {finish}", True)]
        elif merging:
            asked, wanted = self.query(routine, merging)
            item = merging.takes[0]
            keys = f"[{asked}(S{''.join(', v' if s == item else ', ' + self.slot(routine, s) for s in wanted)}) for _, v in x0]"
            merges = f"merged(x0, {keys}, {site.seats == 'chance'})"
            if self.draws_on_alike(site):
                merges = f"numbered_alike({merges}, {stand.shift - stand.low})"
            tail = [Assign("x0", finish), Line(f"return {merges}", True)]
        elif self.draws_on_alike(site):
            merges = f"merged(x0, places_alike(S, x0), {site.seats == 'chance'})"
            tail = [Assign("x0", finish), Line(f"return numbered_alike({merges}, {stand.shift - stand.low})", True)]
        else:
            tail = [Line(f"return {finish}", True)]
        f = OfferFunction(cast("Printer", self), routine, q.entry, needs, tail)
        self.texts.append(f.text_of(function, arguments, [Assign("x0", "[]")]))
        if f.expression_alone is not None:
            self.inline[site.number, name] = (f.expression_alone, frozenset(f.aliases))
        return function, needs

    def draws_on_alike(self, site: Site) -> bool:
        """Does a site offer components of which some are called alike?"""
        return site.end.kind != "menu" and self.game.alike.among(self.sites.choice(site).base)

    def zones_drawn_from(self, routine: Routine, end: Suspend) -> set[str]:
        """The zones that a suspension may draw from."""
        q = next(q for q in end.asks if q.name == "source")
        ends = [routine.blocks[k].end for k in reached(routine, [q.entry], queries=False)]
        return {name for e in ends if isinstance(e, Give) and e.value is not None for name in self.facts.zones_of(routine, e.value)}

    def is_finite(self, site: Site) -> bool:
        return self.game.is_finite(self.sites.choice(site).base)

    def arranged(self, routine: Routine, q: Query) -> str:
        """What a question offers, `x0`, in ascending order, each value once."""
        graph = self.graph(routine, q.entry)
        heads = [n for n in graph.loops if isinstance(graph.nodes[n].end, Walk)]
        walk = min(heads, key=lambda n: graph.rank[n], default=None)
        if walk is None:
            return "x0"
        end = graph.nodes[walk].end
        assert isinstance(end, Walk)
        if end.items in graph.known:
            value = graph.known[end.items]
            return "x0" if all(a < b for a, b in zip(value, value[1:], strict=False)) else SORTED[1]
        made = [i for n in graph.nodes.values() for i in n.code if end.items in i.into]
        if len(made) != 1:
            return SORTED[1]
        i = made[0]
        if i.op == "zone_list" and all(self.game.program.zones[z].order == "set" for z in self.facts.zones_of(routine, i.args[0])):
            return "x0"
        if i.op in ("zone_list", "family_list", "family_known"):  # where each component lies once
            return SORTED[0]
        if i.op == "canonical":
            kind = routine.slots[i.into[0]].type
            return "x0" if isinstance(kind, t.Collection) and kind.kind == "set" else SORTED[1]
        return "x0" if i.op in ASCENDING else SORTED[1]

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


class OfferFunction(Function):
    """A question that offers: what it ends with is said by `tail`."""

    def __init__(self, printer: Printer, routine: Routine, root: int, needs: tuple[int, ...], tail: Lines) -> None:
        super().__init__(printer, routine, root, "query", needs)
        self.tail = tail

    def finish(self, node: Any) -> None:
        self.out += self.tail
