"""Stands: what is known of each site before anything is printed, and the names of its functions."""

from __future__ import annotations

from typing import Any

from croupier.backends.python.code import Assign, Lines
from croupier.backends.python.offering import Offers
from croupier.backends.python.picking import Whole, is_picked
from croupier.backends.python.stands import Binder, Stand
from croupier.backends.python.waits import roll_values
from croupier.backends.sites import Site
from croupier.ir.module import Module
from croupier.runtime.game import Game
from croupier.semantics import types as t
from croupier.semantics.tree import Choice, MenuData

GOES_ON = {"returned": "after", "closed": "after", "reacted": "after", "declined": "declined"}


class Stands(Offers):
    """Prints the places at which a game waits, with what can be asked there."""

    def __init__(self, game: Game, module: Module, whole: Whole | None = None) -> None:
        super().__init__(game, module, whole)
        self.links: list[tuple[Stand, str, Any]] = []  # stand, attribute, names of functions
        self.several: list[tuple[Stand, str, Choice, dict[str, tuple[str, tuple[int, ...]]], dict[str, int], Any, bool]] = []

    def make_stands(self) -> None:
        """Stands with what is known before anything is printed."""
        for site in self.sites.all:
            stand = Stand(site.number, site.routine.index, site.point, self.places(site.routine), site.live, site.seats)
            self.stands.append(stand)
            match site.end.kind:
                case "choose" | "chance" | "choose_every":
                    c = self.sites.choice(site)
                    finite = self.game.is_finite(c.base)
                    stand.low = self.game.domain(c.base)[0] if finite else 0
                    stand.shift, stand.truth = int(c.optional), isinstance(c.base, t.Bool)
                    alike = self.game.alike.among(c.base)
                    if site.end.kind == "chance" or c.merging or alike:
                        stand.form = "pair"
                    elif not finite:
                        stand.form = "place" if self.places_are_all(site) else "pair"
                    if site.end.kind == "chance":
                        stand.extra = True if c.merging or alike else None
                    if site.end.kind == "choose_every":
                        stand.every, stand.picked, stand.extra = c.every or 0, c.picked, (None,) * self.game.players
                        if stand.form == "place":
                            stand.form = "pair"
                case "choose_set" | "chance_set" | "claim" | "ask":
                    stand.form = "agent"
                case "menu":
                    self.menu_stand(site, stand)
                case "draw":
                    stand.form = "pair" if self.draws_alike(site) else "piece"
                case "roll":
                    stand.form, stand.faces = "face", roll_values(self.game, site.end.data)

    def draws_alike(self, site: Site) -> bool:
        """Does a site draw from a bag that may hold components which are called alike?"""
        zones = [self.game.program.zones[name] for name in self.zones_drawn_from(site.routine, site.end)]
        return any(z.order == "bag" and not self.game.alike.kinds.isdisjoint(z.kinds) for z in zones)

    def menu_stand(self, site: Site, stand: Stand) -> None:
        data = self.sites.statement(site).data
        assert isinstance(data, MenuData)
        stand.form, at, firsts, sizes = "row", 0, list[int](), list[Any]()
        for o in data.options:
            kinds = [x.type.base if isinstance(x.type, t.Collection) else t.UNKNOWN for x in o.sources]
            binders = tuple((*self.game.domain(k), True) if self.game.is_finite(k) else (0, 1000, False) for k in kinds)
            named = [Binder(low, max(1, n), numbered, self.game.alike.among(k)) for k, (low, n, numbered) in zip(kinds, binders, strict=True)]
            stand.binders = (*stand.binders, tuple(named))
            if any(b.is_alike for b in named):
                stand.alike = (*stand.alike, len(firsts))
            firsts.append(at)
            sizes.append(binders)
            count = 1
            for _, n, _ in binders:
                count *= max(1, n)
            at += count
        stand.firsts, stand.sizes = tuple(firsts), tuple(sizes)
        stand.reactions_from, stand.window = at, -1 if data.window is None else data.window

    def is_waited_at(self, site: Site) -> bool:
        """May a position wait there, in whole random games if these are printed?"""
        return self.whole is None or site.number in self.whole.stack or not (is_picked(site.end) or self.is_direct_call(site.end))

    def link_stand(self, site: Site) -> None:
        """Print the runs that go on from a site, and its questions."""
        stand, routine, end = self.stand_of(site), site.routine, site.end
        taken = []
        for resume in end.resumes if self.is_waited_at(site) else ():
            name = self.after.setdefault(site.number, f"r{self.number()}") if resume.name == "returned" else f"r{self.number()}"
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
            self.several.append((stand, end.kind, self.sites.choice(site), questions, costs, end.span, still))
        for q in end.asks:
            attribute = {"chooser": "chooser", "choosers": "chooser", "weight": "weight", "source": "source"}.get(q.name)
            if q.name == "source" and end.kind != "draw":
                continue
            if attribute is not None:
                self.links.append((stand, attribute, self.query(routine, q)))
                if q.name == "weight":
                    stand.item = q.takes[0]
