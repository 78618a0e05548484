"""Choosing from values that hold lists, in native code: they are too long to be on offer, and are worked out again when one is chosen."""

from __future__ import annotations

from croupier.backends.native import plan as p
from croupier.backends.native.whole import Whole
from croupier.backends.sites import Site
from croupier.ir.instructions import Instruction
from croupier.semantics.tree import MenuData


class Again(Whole):
    """Goes on with what was chosen."""

    def has_lists(self, site: Site, name: str) -> bool:
        """Does a way on begin with a value that is too long to be on offer?"""
        offered = (name == "chosen" and site.end.kind in ("choose", "chance")) or name.startswith("taken ")
        return offered and not all(self.words.is_scalar(self.kind(s)) for s in site.way(name).assigns)

    def goes_on(self, site: Site, name: str, labels: dict[int, str]) -> None:
        """Go on at one of the ways on from a site, with what was chosen."""
        way = site.way(name)
        if self.has_lists(site, name):
            self.found_again(site, name)
        else:
            self.resumed(name, way.assigns, site)
        self.fn.jump(labels[way.target])

    def goes_on_with_lists(self, site: Site, name: str, labels: dict[int, str]) -> None:
        """The same, after a wait."""
        self.pay(str(self.printer.waiting(site) + self.printer.cost(self.routine, site.way(name).target)))
        self.goes_on(site, name, labels)

    def found_again(self, site: Site, name: str) -> None:
        """Fill in slots from what was chosen: of what is on offer, that with the same action."""
        f, way = self.fn, site.way(name)
        data = self.printer.statement(site).data
        wanted = f.load(self.offer_at(self.get(p.CHOSEN)))
        places = [f.slot(self.width(s)) for s in way.assigns]
        if isinstance(data, MenuData):
            k = int(name.removeprefix("taken "))
            first, binders = list(self.options_of(data))[k]

        def offering(i: Instruction) -> None:
            action = self.row_action(first, binders, i) if isinstance(data, MenuData) else self.action_of(self.printer.choice(site), i)
            with f.when(f.test("eq", action, wanted)):
                for a, place in zip(i.args, places, strict=False):
                    for n, v in enumerate(self.leaves(a)):
                        f.store(v, f.at(place, n))

        self.offers(site.query(f"options {k}" if isinstance(data, MenuData) else "options"), offering)
        for s, place in zip(way.assigns, places, strict=True):
            self.assign(s, [f.load(f.at(place, n)) for n in range(self.width(s))])
