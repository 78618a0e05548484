"""Suspensions of whole random games as lines: players and chance pick at once, and the function goes on.

Only rollouts run these functions (`rollouts.py`). The streams of the seats are `U`, that of chance is `S.chance`; what is picked takes a word of a
stream as `uniform` does, none if there is only one thing. A game that comes to a limit of the ruleset deviates.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from croupier.backends.ends import Node, Picked, waits_at
from croupier.backends.python.code import Assign, For, If, Line, Lines, closes
from croupier.backends.python.waits import Waits, roll_values
from croupier.backends.sites import Site
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Terminator

PICKED = frozenset({"choose", "choose_every", "menu", "claim", "chance", "draw", "roll"})
DECISIONS = frozenset({"choose", "menu", "claim"})
WORD = "(w.words or w.more()).pop()"


@dataclass(frozen=True)
class Whole:
    """What whole games need of the functions that wait: whether runs pay, an action's fuel, whether any function pays, where games begin to wait."""

    runs_pay: bool
    budget: int
    spends: bool
    stack: frozenset[int]  # the sites of the frames there


def is_picked(end: Terminator) -> bool:
    """Is a suspension such that a random game need not wait there?"""
    return isinstance(end, Suspend) and end.kind in PICKED and (end.kind != "menu" or end.data is None)


def needs_no_frame(end: Suspend) -> bool:
    """Is a suspension picked at by what is at hand in a function, whatever its frame holds?"""
    return is_picked(end) and end.kind != "claim" and not (end.kind == "chance" and any(q.name in ("weight", "merged") for q in end.asks))


class Picking(Waits):
    """Prints choices that are made on the spot, at random."""

    def picked(self, node: Node, end: Picked, next: int) -> Lines:
        wait = end.wait
        site = self.printer.sites.of(self.routine, wait)
        named = {s for q in wait.asks for s in self.printer.needs(self.routine, q)}
        if wait.kind in ("claim", "chance"):
            named |= set(site.live)
        named -= {s for q in wait.asks for s in q.takes}
        head = self.collected(lambda: self.write_down(named))
        match wait.kind:
            case "choose":
                return [*head, *self.picks_one(site, wait, node, next)]
            case "choose_every":
                return [*head, *self.all_pick(site, wait, node, next)]
            case "call":
                return [*head, *self.calls(wait, node, next)]
            case "menu":
                return [*head, *self.picks_option(site, wait, node, next)]
            case "claim":
                return [*head, *self.picks_words(site, wait, node, next)]
            case "chance":
                return [*head, *self.happens(site, wait, node, next)]
            case "draw":
                return [*head, *self.draws(site, wait, node, next)]
        return [*head, *self.rolls(wait, node, next)]

    # ------------------------------------------------------------ parts
    def one_more(self, decision: bool) -> Lines:
        """One more decision or chance event, and fuel for what comes after it."""
        name = "left" if decision else "rolls"
        counted: Lines = [Line(f"S.{name} = S.{name} - 1"), If(f"S.{name} <= 0", [Line("raise D", True)], [])]
        whole = self.printer.whole
        assert whole is not None
        if whole.runs_pay:
            cost = self.printer.fuel.cost(self.graph)
            return [*counted, Line(f"S.fuel = {whole.budget - cost.total - sum(cost.rounds.values())}")]
        return [*counted, Line(f"S.fuel = {whole.budget}")] if whole.spends else counted

    def seat(self, wait: Suspend, node: Node) -> Lines:
        """The stream of whoever chooses, as `w`."""
        return self.collected(lambda: self.out.append(Assign("w", f"{self.alias('U')}[{self.asked(wait, 'chooser', node)}]")))

    def goes_on(self, wait: Suspend, name: str, text: str, next: int, node: Node) -> Lines:
        """Go on with what was picked."""
        way = next_way(wait, name)
        return [*(Assign(self.name(s), text) for s in way.assigns), *self.go(way.target, next, node.number)]

    def always_picks(self, head: int) -> bool:
        """Does somebody decide in every round of a loop?"""
        body = self.graph.loops[head]
        seen, todo = set(), [head]
        while todo:
            n = todo.pop()
            wait = waits_at(self.graph.nodes[n].end)
            if wait is not None and wait.kind in DECISIONS and isinstance(self.graph.nodes[n].end, Picked):
                ways = [] if wait.blocked is None else [wait.blocked]
            else:
                ways = self.graph.nodes[n].next()
            for target in ways:
                if target == head:
                    return False
                if target in body and target not in seen:
                    seen.add(target)
                    todo.append(target)
        return True

    def calls(self, wait: Suspend, node: Node, next: int) -> Lines:
        """A routine in which nobody waits, called at once; it leaves the fuel of whoever decided last in it."""
        target, way = wait.data[1], next_way(wait, "returned")
        given = dict(zip((q.slot for q in self.facts.program.procs[target].params), map(self.text, wait.args), strict=True))
        text = f"p{target}(S{''.join(f', {given[s]}' for s in self.facts.module.routines[target].takes)})"
        cost, whole = self.printer.fuel.cost(self.graph), self.printer.whole
        assert whole is not None
        paid = self.pay(cost.total + sum(cost.rounds.values())) if whole.runs_pay else []
        called: Lines = [Assign(", ".join(self.name(s) for s in way.assigns), text)] if way.assigns else [Line(text)]
        return [*called, *paid, *self.go(way.target, next, node.number)]

    @abstractmethod
    def pay(self, steps: int) -> Lines:
        """Lines that pay so much fuel."""

    # ------------------------------------------------------------ decisions
    def picks_one(self, site: Site, wait: Suspend, node: Node, next: int) -> Lines:
        x = self.fresh_name()
        stand, seat, offers = self.printer.stand_of(site), self.seat(wait, node), self.call_offers(site)
        value = "[1]" if stand.form == "pair" else ""
        if stand.shift:
            declined = self.goes_on(wait, "declined", "None", next, node)
            chosen = self.goes_on(wait, "chosen", f"{x}[v - 1]{value}", next, node)
            pick: Lines = [*self.one_more(True), *seat, Assign("v", f"{WORD} % (len({x}) + 1)"), *self.forked("v", chosen, declined)]
        else:
            element = f"{x}[{WORD} % v if v > 1 else 0]{value}"
            pick = [*self.one_more(True), *seat, Assign("v", f"len({x})"), *self.goes_on(wait, "chosen", element, next, node)]
        return [Assign(x, uncopied(offers)), *self.forked(x, pick, self.blocked(wait, next, node))]

    def all_pick(self, site: Site, wait: Suspend, node: Node, next: int) -> Lines:
        seats, values, offer = self.fresh_name(), self.fresh_name(), self.fresh_name()
        stand, way, players = self.printer.stand_of(site), next_way(wait, "revealed"), self.facts.game.players
        seat = self.name(stand.every)
        element = f"{offer}[{WORD} % v if v > 1 else 0]{'[1]' if stand.form == 'pair' else ''}"
        counted, refuelled = self.one_more(True)[:2], self.one_more(True)[2:]
        each: Lines = [Assign(offer, self.call_offers(site)), If(f"not {offer}", [Line("raise D", True)], []), *counted]
        each += [Assign("w", f"{self.alias('U')}[{seat}]"), Assign("v", f"len({offer})"), Line(f"{values}[{seat}] = {element}")]
        choosers = self.asked(wait, "choosers", node)
        lines: Lines = [Assign(seats, f"sorted(set({choosers}))"), Assign(values, f"[None] * {players}"), For(seat, seats, each), *refuelled]
        return [*lines, *(Assign(self.name(s), f"tuple({values})") for s in way.assigns), *self.go(way.target, next, node.number)]

    def picks_option(self, site: Site, wait: Suspend, node: Node, next: int) -> Lines:
        x = self.fresh_name()
        seat = self.seat(wait, node)
        count = sum(1 for q in wait.asks if q.name.startswith("options "))
        parts = "".join(f"{self.call_offers(site, f'options {k}')}, " for k in range(count))
        row = self.fresh_name()
        ways: Lines = []
        for k in reversed(range(count)):
            way = next_way(wait, f"taken {k}")
            taken: Lines = [Assign("".join(self.name(s) + ", " for s in way.assigns), f"{row}[2]")] if way.assigns else []
            taken += self.go(way.target, next, node.number)
            ways = self.forked(f"({row}[1] == {k})", taken, ways) if k < count - 1 else taken
        pick = [*self.one_more(True), *seat, Assign("v", f"len({x})"), Assign(row, f"{x}[{WORD} % v if v > 1 else 0]"), *ways]
        rows = f"menu_rows({self.printer.stand(site)}, ({parts}))"
        return [Assign(x, rows), *self.forked(x, pick, self.blocked(wait, next, node))]

    def picks_words(self, site: Site, wait: Suspend, node: Node, next: int) -> Lines:
        word = If("v > 1", [Line(WORD)], [])
        said = [*self.one_more(True), Assign("w", f"{self.alias('U')}[S.seat]"), Assign("v", "len(S.offer)"), word]
        said += self.goes_on(wait, "said", "None", next, node)
        waits = f"(begin({self.printer.stand(site)}, S, F) is True)"
        return [*self.keep(site), *self.forked(waits, said, self.blocked(wait, next, node))]

    # ------------------------------------------------------------ chance
    def happens(self, site: Site, wait: Suspend, node: Node, next: int) -> Lines:
        x, way = self.fresh_name(), next_way(wait, "chosen")
        begin: Lines
        first: Lines = []
        slot = self.name(way.assigns[0]) if way.assigns else "_"
        if self.printer.draws_on_alike(site) and not any(q.name in ("weight", "merged") for q in wait.asks):
            begin = [Assign(x, f"outcomes({self.printer.stand(site)}, S, (), {self.call_offers(site)})")]
            place = "weighted(S.chance, S.weights)"
        elif any(q.name in ("weight", "merged") for q in wait.asks):
            begin = [*self.keep(site), Assign(x, f"outcomes({self.printer.stand(site)}, S, F, {self.call_offers(site)})")]
            place = "weighted(S.chance, S.weights)"
        else:
            begin, place, first = [Assign(x, self.call_offers(site))], f"{WORD} % len({x})", [Assign("w", "S.chance")]
        drawn: Lines = [*self.one_more(False), *first, Assign(slot, f"{x}[{place}][1]")]
        chosen: Lines = [If(f"len({x}) > 1", drawn, [Assign(slot, f"{x}[0][1]")]), *self.go(way.target, next, node.number)]
        return [*begin, *self.forked(x, chosen, self.blocked(wait, next, node))]

    def draws(self, site: Site, wait: Suspend, node: Node, next: int) -> Lines:
        x, way = self.fresh_name(), next_way(wait, "drawn")
        names, orders, head = self.drawn_from(wait, node, x)
        slot = self.name(way.assigns[0]) if way.assigns else "_"
        known: Lines = [Assign(slot, f"{x}[0]" if orders == {"bag"} else f"{x}[-1]")]
        if self.printer.stand_of(site).form == "pair":
            alone: Lines = [Assign(slot, "v[0][1]")]
            drawn: Lines = [*self.one_more(False), Assign(slot, "v[weighted(S.chance, S.weights)][1]")]
            known = [Assign("v", f"in_bag(S, {x})"), If("len(v) > 1", drawn, alone)]
        elif "bag" in orders or names & self.facts.unordered:
            group, unknown = (x, f"len({x}) > 1") if "bag" in orders else (f"{x}[-1]", f"type({x}[-1]) is tuple")
            pick: Lines = [*self.one_more(False), Assign("w", "S.chance"), Assign("v", group), Assign(slot, f"v[{WORD} % len(v)]")]
            known = [If(unknown, pick, known)]
        return [*head, *self.forked(x, [*known, *self.go(way.target, next, node.number)], self.blocked(wait, next, node))]

    def rolls(self, wait: Suspend, node: Node, next: int) -> Lines:
        values = roll_values(self.facts.game, wait.data)
        text = self.constants.text(values)
        if len(values) == 1:
            return self.goes_on(wait, "rolled", self.constants.text(values[0]), next, node)
        rolled = self.goes_on(wait, "rolled", f"{text}[{WORD} % {len(values)}]", next, node)
        return [*self.one_more(False), Assign("w", "S.chance"), *rolled]


def uncopied(text: str) -> str:
    """A list of what has places already: that itself."""
    found = re.fullmatch(r"list\(((?:Z\[|K\d+|[pdq]\d+\(|\().*)\)", text)  # a table, contents of zones, what a routine gives
    return found[1] if found is not None and closes(text[4:]) and " for " not in found[1] else text


def next_way(wait: Suspend, name: str) -> Any:
    """A way on by its name."""
    return next(r for r in wait.resumes if r.name == name)


__all__ = ["Picking", "Whole", "is_picked", "needs_no_frame", "uncopied"]
