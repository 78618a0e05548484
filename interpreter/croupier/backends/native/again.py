"""Choosing from values that hold lists or are wide, in native code: too long to be on offer, they are worked out again when one is chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.backends.native import plan as p
from croupier.backends.native.places import Leaves
from croupier.backends.native.whole import Whole
from croupier.backends.sites import Site
from croupier.ir.instructions import Instruction
from croupier.semantics.tree import MenuData


class Again(Whole):
    """Goes on with what was chosen."""

    def is_long(self, site: Site, name: str) -> bool:
        """Does a way on begin with a value that is too long to be on offer?"""
        if name == "chosen" and site.end.kind in ("choose", "chance"):
            return not self.is_short([self.printer.sites.choice(site).base], site.query("merged"))
        return name.startswith("taken ") and not self.is_short([self.kind(s) for s in site.way(name).assigns])

    def goes_on(self, site: Site, name: str, labels: dict[int, str]) -> None:
        """Go on at one of the ways on from a site, with what was chosen."""
        way = site.way(name)
        if self.is_long(site, name):
            self.found_again(site, name)
        else:
            self.resumed(name, way.assigns, site)
        self.fn.jump(labels[way.target])

    def goes_on_again(self, site: Site, name: str, labels: dict[int, str]) -> None:
        """The same, after a wait."""
        self.pay(str(self.printer.waiting(site) + self.printer.cost(self.routine, site.way(name).target)))
        self.goes_on(site, name, labels)

    def found_again(self, site: Site, name: str) -> None:
        """Fill in slots from what was chosen: of what is on offer, that with the same action."""
        slots = site.way(name).assigns
        found = self.worked_out(site, name, [self.width(s) for s in slots])
        for s, leaves in zip(slots, found, strict=True):
            self.assign(s, leaves)

    def worked_out(self, site: Site, name: str, widths: Sequence[int], takes: Mapping[int, Leaves] | None = None) -> list[Leaves]:
        """The values, of so many words each, with the action that was chosen."""
        f, data = self.fn, self.printer.sites.statement(site).data
        wanted = f.load(self.offer_at(self.get(p.CHOSEN)))
        places = [f.slot(max(1, width)) for width in widths]
        if isinstance(data, MenuData):
            k = int(name.removeprefix("taken "))
            first, binders = list(self.options_of(data))[k]

        def offering(i: Instruction) -> None:
            action = self.row_action(first, binders, i) if isinstance(data, MenuData) else self.action_of(self.printer.sites.choice(site), i)
            with f.when(f.test("eq", action, wanted)):
                for a, place in zip(i.args, places, strict=False):
                    for n, v in enumerate(self.leaves(a)):
                        f.store(v, f.at(place, n))

        self.offers(site.query(f"options {k}" if isinstance(data, MenuData) else "options"), offering, takes)
        return [[f.load(f.at(place, n)) for n in range(width)] for place, width in zip(places, widths, strict=True)]
