"""Suspensions as lines: what is kept, what may be chosen, and where control goes when there is nothing to wait for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from croupier.backends.ends import Node, accumulates, waits_at
from croupier.backends.python.blocks import D
from croupier.backends.python.code import Assign, If, Line, Lines
from croupier.backends.python.shapes import Shapes
from croupier.backends.python.words import listed
from croupier.backends.sites import Site
from croupier.backends.unsupported import Refused, refused_wait
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Give, Query
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.python.module import Printer

INLINE = {"chooser", "source"}
KEPT_FIRST = {"choose_set", "chance_set", "chance", "claim", "choose_every"}
WAITS = Line("return None", True)


class Waits(Shapes):
    """Prints blocks that wait: what is kept, where the frame stands, and how an action goes on from there."""

    printer: Printer
    routine: Routine
    uses_frame: bool
    resumed_at: int  # the site that the frame stood at when the function began, or -1

    @property
    def places(self) -> int:
        """Slots that a frame of this routine holds."""
        return self.printer.places(self.routine)

    # ------------------------------------------------------------ what is read
    def inlined(self, end: Suspend) -> Iterator[Query]:
        """Questions that are answered on the spot: one value, worked out in one block."""
        for q in end.asks:
            if q.name in INLINE and isinstance(self.routine.blocks[q.entry].end, Give) and end.kind not in ("choose_set", "chance_set"):
                yield q

    def read_at_end(self, node: Node) -> Sequence[int]:
        end = waits_at(node.end)
        if end is None:
            return super().read_at_end(node)
        kept = self.printer.sites.of(self.routine, end).live if isinstance(node.end, Suspend) or end.kind in KEPT_FIRST else ()
        asked = [s for q in end.asks for s in self.printer.needs(self.routine, q) if s not in q.takes]
        return [*end.args, *kept, *asked]

    def count_reads(self) -> None:
        super().count_reads()
        for node in self.graph.nodes.values():
            end = waits_at(node.end)
            if end is not None:
                for q in self.inlined(end):
                    block = self.routine.blocks[q.entry]
                    for i in block.code:
                        for a in i.args:
                            if not accumulates(i, a):
                                self.readers.setdefault(a, []).append(node.number)
                        for s in i.into:
                            self.writers.setdefault(s, []).append(i)
                    for s in block.end.reads():
                        self.readers.setdefault(s, []).append(node.number)

    # ------------------------------------------------------------ parts
    def suspend(self, node: Node, end: Suspend, next: int) -> Lines:
        rule: Any = getattr(self, f"w_{end.kind}", None)
        if rule is None:
            raise refused_wait(end.kind, end.span)
        site = self.printer.sites.of(self.routine, end)
        named = {*site.live, *(s for q in end.asks for s in self.printer.needs(self.routine, q))}
        head = self.collected(lambda: self.write_down(named))
        return [*head, *rule(site, end, node, next)]

    def write_down(self, slots: Collection[int]) -> None:
        """Waiting values of slots that are read by name."""
        for slot in [s for s in self.waiting if s in slots]:
            found = self.waiting.pop(slot)
            self.assign(slot, f"tuple({found.text})" if found.lazy else found.text)

    def keep(self, site: Site) -> Lines:
        """Write down in the frame what is live, and where it stands."""
        self.uses_frame = True
        stored: Lines = []
        for s in site.live:
            if self.writers.get(s):
                stored.append(Line(f"F[{s}] = {self.slot_text(s)}"))
        if site.number == self.resumed_at and not self.moves_on(site):
            return stored
        return [*stored, Line(f"F[{self.places}] = {site.number}")]

    def moves_on(self, site: Site) -> bool:
        """May the frame have stood somewhere else in this run: at what is kept before it is known whether anybody waits?"""
        ends = [end for n in self.graph.nodes.values() if (end := waits_at(n.end)) is not None and end.point != site.point]
        return any(end.kind in KEPT_FIRST or (end.kind == "menu" and end.data is not None) for end in ends)

    def slot_text(self, slot: int) -> str:
        if slot in self.graph.known:
            return self.constants.text(self.graph.known[slot])
        self.named.add(slot)
        return self.name(slot)

    def asked(self, end: Suspend, name: str, node: Node) -> str:
        """The answer to a question of one value."""
        q = next(q for q in end.asks if q.name == name)
        if q in list(self.inlined(end)):
            block = self.routine.blocks[q.entry]
            assert isinstance(block.end, Give) and block.end.value is not None
            for i in block.code:
                self.instruction(i, node)
            return self.text(block.end.value)
        return self.call_query(q)

    def call_query(self, q: Query) -> str:
        name, needs = self.printer.query(self.routine, q)
        return f"{name}(S{''.join(', ' + self.slot_text(s) for s in needs)})"

    def call_offers(self, site: Site, name: str = "options") -> str:
        function, needs = self.printer.offers_of(site, name)
        inline = self.printer.inline.get((site.number, name))
        if inline is not None and name == "options":
            self.aliases |= inline[1]
            self.named |= set(needs)
            return inline[0]
        return f"{function}(S{''.join(', ' + self.slot_text(s) for s in needs)})"

    def fresh_name(self) -> str:
        self.fresh += 1
        return f"x{self.fresh}"

    def blocked(self, end: Suspend, next: int, node: Node) -> Lines:
        return [D] if end.blocked is None else self.go(end.blocked, next, node.number)

    def direct(self, site: Site, name: str, text: str, next: int, node: Node) -> Lines:
        """Go on at once, as if this had been chosen or drawn."""
        way = site.way(name)
        return [*(Assign(self.name(s), text) for s in way.assigns), *self.go(way.target, next, node.number)]

    # ------------------------------------------------------------ decisions
    def w_choose(self, site: Site, end: Suspend, node: Node, next: int) -> Lines:
        x = self.fresh_name()
        seat = self.collected(lambda: self.out.append(Line(f"S.seat = {self.asked(end, 'chooser', node)}")))
        wait = [*self.keep(site), *seat, Line(f"S.offer = {x}"), WAITS]
        offers = self.call_offers(site)
        return [Assign(x, offers), If(x, wait, []), *self.blocked(end, next, node)]

    def w_menu(self, site: Site, end: Suspend, node: Node, next: int) -> Lines:
        x = self.fresh_name()
        seat = self.collected(lambda: self.out.append(Line(f"S.seat = {self.asked(end, 'chooser', node)}")))
        count = sum(1 for q in end.asks if q.name.startswith("options "))
        parts = "".join(f"{self.call_offers(site, f'options {k}')}, " for k in range(count))
        wait = [*self.keep(site), Line(f"S.offer = {x}"), WAITS]
        rows = f"menu_rows({self.printer.stand(site)}, ({parts}))"
        if end.data is None:
            return [*seat, Assign(x, rows), If(x, wait, []), *self.blocked(end, next, node)]
        rows = f"with_reactions({self.printer.stand(site)}, S, F, {rows})"
        return [*seat, *self.keep(site), Assign(x, rows), If(x, wait[-2:], []), *self.blocked(end, next, node)]

    def w_choose_set(self, site: Site, end: Suspend, node: Node, next: int) -> Lines:
        x = self.fresh_name()
        chosen = self.direct(site, "chosen", x, next, node)
        begin: Lines = [*self.keep(site), Assign(x, f"begin({self.printer.stand(site)}, S, F)")]
        return [*begin, If(f"{x} is True", [WAITS], []), If(f"{x} is None", self.blocked(end, next, node), chosen)]

    w_chance_set = w_choose_set

    def w_claim(self, site: Site, end: Suspend, node: Node, next: int) -> Lines:
        waits = f"begin({self.printer.stand(site)}, S, F) is True"
        return [*self.keep(site), If(waits, [WAITS], []), *self.blocked(end, next, node)]

    def w_choose_every(self, site: Site, end: Suspend, node: Node, next: int) -> Lines:
        picked = end.keeps[0]
        self.uses_frame = True
        self.writers.setdefault(picked, []).append(None)
        kept = [line for line in self.keep(site) if not (isinstance(line, Line) and line.text.startswith(f"F[{picked}] ="))]
        begin: Lines = [*kept, Line(f"F[{picked}] = ()")]
        way = site.way("revealed")
        nobody = [Assign(self.name(s), f"(None,) * {self.facts.game.players}") for s in way.assigns]
        return [*begin, If(f"everybody(S, F, {self.printer.stand(site)})", [WAITS], []), *nobody, *self.go(way.target, next, node.number)]

    # ------------------------------------------------------------ chance
    def drawn_from(self, end: Suspend, node: Node, x: str) -> tuple[set[str], set[str], Lines]:
        """The zones that may be drawn from, their orders, and what they hold, as `x`. Raises `Refused`."""
        names = self.printer.zones_drawn_from(self.routine, end)
        orders = {self.facts.program.zones[n].order for n in names}
        if "bag" in orders and len(orders) > 1:
            raise Refused("drawing from a bag or a pile, whichever it is", end.span)
        head = self.collected(lambda: self.out.append(Assign(x, f"{self.alias('Z')}[{self.asked(end, 'source', node)}]")))
        return names, orders, head

    def w_draw(self, site: Site, end: Suspend, node: Node, next: int) -> Lines:
        x = self.fresh_name()
        names, orders, head = self.drawn_from(end, node, x)
        known = self.direct(site, "drawn", f"{x}[0]" if orders == {"bag"} else f"{x}[-1]", next, node)
        if self.printer.stand_of(site).form == "pair":
            y = self.fresh_name()
            several: Lines = [*self.keep(site), Line(f"S.offer = {y}"), WAITS]
            taken = [Assign(y, f"in_bag(S, {x})"), If(f"len({y}) > 1", several, []), *self.direct(site, "drawn", f"{y}[0][1]", next, node)]
            return [*head, If(f"not {x}", self.blocked(end, next, node), taken)]
        if "bag" in orders:
            wait: Lines = [*self.keep(site), Line(f"S.offer = {x}"), WAITS]
            unknown = f"len({x}) > 1"
        elif names & self.facts.unordered:
            wait = [*self.keep(site), Line(f"S.offer = {x}[-1]"), WAITS]
            unknown = f"type({x}[-1]) is tuple"
        else:
            return [*head, If(f"not {x}", self.blocked(end, next, node), known)]
        return [*head, If(f"not {x}", self.blocked(end, next, node), [If(unknown, wait, []), *known])]

    def w_roll(self, site: Site, end: Suspend, node: Node, next: int) -> Lines:
        values = roll_values(self.facts.game, end.data)
        if len(values) == 1:
            return self.direct(site, "rolled", self.constants.text(values[0]), next, node)
        return [*self.keep(site), Line(f"S.offer = {self.constants.text(values)}"), WAITS]

    def w_chance(self, site: Site, end: Suspend, node: Node, next: int) -> Lines:
        x = self.fresh_name()
        chosen = self.direct(site, "chosen", f"{x}[0][1]", next, node)
        drawn = f"outcomes({self.printer.stand(site)}, S, F, {self.call_offers(site)})"
        blocked = self.blocked(end, next, node)
        return [*self.keep(site), Assign(x, drawn), If(f"len({x}) > 1", [Line(f"S.offer = {x}"), WAITS], []), If(x, chosen, blocked)]

    # ------------------------------------------------------------ calls
    def w_call(self, site: Site, end: Suspend, node: Node, next: int) -> Lines:
        op, target = end.data
        callee = self.facts.module.routines[target]
        args = [self.text(a) for a in end.args]
        viewer = f"F[{self.places + 1}]"
        keep = self.keep(site)
        if op == "original":
            chain, *rest = args
            return [*keep, Line(f"return enter_original(S, {target}, {chain}, {listed(rest)}, {viewer})", True)]
        if self.is_hooked(target):
            return [*keep, Line(f"return call_around(S, {target}, {listed(args)}, {viewer})", True)]
        slots = ["None"] * self.printer.places(callee)
        for slot, text in zip((q.slot for q in self.facts.program.procs[target].params), args, strict=True):
            slots[slot] = text
        deep: Lines = [Line(f"deep(S, {target}, {callee.nested})")] if callee.nested is not None else []
        frame = ", ".join([*slots, f"({-2 - target})", viewer])
        return [*keep, *deep, Line(f"S.frames.append([{frame}])"), Line(f"return {self.printer.entry(callee)}", True)]

    def w_open(self, site: Site, end: Suspend, node: Node, next: int) -> Lines:
        to, *args = [self.text(a) for a in end.args]
        return [*self.keep(site), Line(f"return open_window(S, {end.data}, {to}, {listed(args)}, F[{self.places + 1}])", True)]


def next_query(end: Suspend, name: str) -> Query:
    """The question of a suspension that has this name."""
    return next(q for q in end.asks if q.name == name)


def roll_values(game: Any, name: str) -> tuple[Any, ...]:
    """The faces of what is rolled."""
    kind = game.program.vars[name].type
    assert isinstance(kind, t.Map)
    return tuple(game.values(kind.value.base if isinstance(kind.value, t.Optional) else kind.value))
