"""What is on offer, in native code: rows of an action, the way it goes on and words, by action. Choices of one thing, and menus."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.frames import Framed
from croupier.backends.native.places import Leaves
from croupier.backends.sites import Site
from croupier.backends.unsupported import Refused
from croupier.ir.dataflow import reached
from croupier.ir.instructions import Instruction
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Query
from croupier.limits import MAX_MENU_ROWS
from croupier.semantics import types as t
from croupier.semantics.tree import Choice, MenuData

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

NEVER = str(-(2**62))
Binders = list[tuple[int, int, bool]]  # of each binder of an option its first value, how many, and whether its type numbers them


def sizes(binders: Binders) -> int:
    """How many combinations an option has."""
    return prod(max(1, n) for _, n, _ in binders)


class Offers(Framed):
    """Puts on offer what may be chosen."""

    def __init__(self, printer: Printer, routine: Routine, fn: Fn) -> None:
        super().__init__(printer, routine, fn)
        self.count, self.last, self.unsorted = fn.slot(), fn.slot(), fn.slot()  # what is on offer so far
        self.kinds: list[str] = []  # places of the words by which the last value asked about is like others
        self.merged_by = 0

    def offer_at(self, index: str) -> str:
        return self.word(self.fn.add(self.fn.mul(index, str(p.STRIDE)), str(p.OFFERS)))

    def resumed(self, name: str, assigns: Sequence[int], site: Site | None = None) -> None:
        """Fill in slots from what was chosen."""
        at = self.fn.at(self.offer_at(self.get(p.CHOSEN)), p.HEAD)
        for s in assigns:
            self.assign(s, [self.fn.load(self.fn.at(at, k)) for k in range(self.width(s))])
            at = self.fn.at(at, self.width(s))

    def no_offers(self) -> None:
        self.put(p.LEAN, "0")
        self.fn.store("0", self.count)
        self.fn.store(NEVER, self.last)
        self.fn.store("0", self.unsorted)

    def put_offer(self, action: str, way: int | str, leaves: Sequence[str], weight: str | None = None) -> None:
        f = self.fn
        n = f.load(self.count)
        self.test(f.test("ge", n, str(p.MOST_OFFERS)))
        at = self.offer_at(n)
        for k, v in (0, action), (1, str(way)), *enumerate(leaves, p.HEAD):
            f.store(v, f.at(at, k))
        if weight is not None:
            f.store(weight, f.at(at, p.WEIGHT))
        wrong = f.wide(f.test("le", action, f.load(self.last)))
        f.store(f.binary("or", f.load(self.unsorted), wrong), self.unsorted)
        f.store(action, self.last)
        f.store(f.add(n, "1"), self.count)

    def offers(self, q: Query, offering: Callable[[Instruction], None], takes: Mapping[int, Leaves] | None = None) -> None:
        before, self.offering = self.offering, offering
        self.ask(q, takes)
        self.offering = before

    def ordered(self) -> None:
        """All is on offer: in ascending order of actions, each action once."""
        self.put(p.COUNT, self.fn.load(self.count))
        with self.fn.when(self.fn.test("ne", self.fn.load(self.unsorted), "0")):
            self.fn.call("offers.sort", ["ptr %S"])

    def is_short(self, kinds: Sequence[t.Type], merged: Query | None = None) -> bool:
        """Is there room for values of these types where they are on offer? If not, they are worked out again when one is chosen (`again.py`)."""
        room = p.WIDEST - (0 if merged is None else self.key_width(merged))
        return all(map(self.words.is_scalar, kinds)) and sum(map(self.words.width, kinds)) <= room

    def one_by_one(self, site: Site, end: Suspend, takes: Mapping[int, Leaves] | None = None) -> int:
        """Put on offer what one value may be chosen from, with some slots filled in; gives the number of offers that are always there.

        What `merging` makes one option is one, by the first of them; at chance it weighs as much as all of them. What weighs nothing is not on offer.
        """
        c, merged, weight, chance = self.printer.sites.choice(site), site.query("merged"), site.query("weight"), end.kind == "chance"
        declines = c.optional and not chance
        way, short = 0, self.is_short([c.base], merged)  # "chosen", or "revealed", is the first

        alike = self.game.alike.among(c.base)
        if alike and not short:
            raise Refused("merging by so much of what is called alike", end.span)

        def offering_alike(i: Instruction) -> None:
            f, value = self.fn, self.leaves(i.args[0])
            weighs = "1" if weight is None else self.asked(weight, {c.item: value})
            if weight is not None:
                self.outside(weighs, 0, p.HEAVIEST)
            keys = [self.place_of_alike(value[0])] if merged is None else self.merging(merged, c.item, value)
            number = f.call("alike.number", ["ptr %S", f"i64 {int(declines)}", f"i64 {f.load(self.count)}", f"i64 {value[0]}"])
            with f.when(f.test("ge", number, "0")):
                self.put_offer(f.add(number, str(self.beyond(c))), way, [*value, *keys], weighs if chance else None)

        def offering(i: Instruction) -> None:
            action = self.action_of(c, i)
            value = self.leaves(i.args[0])
            weighs = "1" if weight is None else self.asked(weight, {c.item: value})
            if weight is not None:
                self.outside(weighs, 0, p.HEAVIEST)
            kept = value if short else []
            self.put_offer(action, way, [*kept, *self.merging(merged, c.item, value)], weighs if chance else None)

        self.no_offers()
        if declines:
            self.put_offer("0", self.way(end, "declined"), [])
        self.offers(site.query("options"), offering_alike if alike else offering, takes)
        self.ordered()
        if alike:
            words = 1 if merged is None else self.merged_by
            self.fn.call("offers.merge", ["ptr %S", f"i64 {int(declines)}", f"i64 {p.HEAD + 1}", f"i64 {words}"])
            self.fn.call("alike.rename", ["ptr %S", f"i64 {int(declines)}", f"i64 {self.beyond(c)}"])
        elif merged is not None:
            first = p.HEAD + (self.words.width(c.base) if short else 0)
            self.fn.call("offers.merge", ["ptr %S", f"i64 {int(declines)}", f"i64 {first}", f"i64 {self.merged_by}"])
        if weight is not None:
            self.fn.call("offers.sift", ["ptr %S"])
        return int(declines)

    def action_of(self, c: Choice, i: Instruction) -> str:
        """The action of a value that is offered: its place in its type, or in the source."""
        finite = self.game.is_finite(c.base)
        return self.fn.add(self.one(i.args[0] if finite else i.args[1]), str(self.beyond(c)))

    def beyond(self, c: Choice) -> int:
        """By how much an action is more than the number of its value, or its place from 1."""
        return int(c.optional) - (self.game.domain(c.base)[0] if self.game.is_finite(c.base) else 1)

    def place_of_alike(self, piece: str) -> str:
        """The number that components share which are called alike and lie in one set or bag, or both nowhere."""
        f, alike, constants = self.fn, self.game.alike, self.printer.constants
        z = f.load(self.printer.zones.where(f, piece))
        together = constants.lookup(f, ["1", *(str(int(x.order in ("set", "bag"))) for x in self.game.places)], f.add(z, "1"))
        first = constants.lookup(f, [str(first * (len(self.game.places) + 1)) for first in alike.first], piece)
        return f.choose(f.test("ne", together, "0"), f.add(f.add(first, z), "1"), f.sub("-1", piece))

    # ------------------------------------------------------------ values that are alike
    def merging(self, q: Query | None, item: int, value: Leaves) -> Leaves:
        """The words by which a value is like others; none where that is not asked."""
        if q is None:
            return []
        if self.key_width(q) > p.WIDEST:
            raise Refused("merging by values so wide", None)
        self.asked(q, {item: value})
        return [self.fn.load(place) for place in self.kinds]

    def key_width(self, q: Query) -> int:
        """How many words these are."""
        r = self.routine
        return sum(self.width(a) for n in reached(r, [q.entry]) for i in r.blocks[n].code if i.op == "alike" for a in i.args)

    def o_alike(self, i: Instruction) -> Leaves:
        if not all(self.words.is_scalar(self.kind(a)) for a in i.args):
            raise Refused("merging by a list", i.span)
        found = [v for a in i.args for v in self.leaves(a)]
        self.kinds, self.merged_by = self.fresh(found), len(found)
        return ["0"]

    # ------------------------------------------------------------ one player chooses one thing
    def w_choose(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        seat = self.asked(site.query("chooser"))
        always = self.one_by_one(site, end)
        with self.fn.when(self.fn.test("gt", self.get(p.COUNT), str(always))):
            self.waits(seat)
        self.blocked(end, labels)

    def w_menu(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        data = self.printer.sites.statement(site).data
        assert isinstance(data, MenuData)
        seat = self.asked(site.query("chooser"))
        self.no_offers()
        for k, (first, binders) in enumerate(self.options_of(data)):
            alike = [isinstance(x.type, t.Collection) and self.game.alike.among(x.type.base) for x in data.options[k].sources]
            begin = self.fresh([self.fn.load(self.count)])[0]
            self.offers(site.query(f"options {k}"), self.row(first, self.way(end, f"taken {k}"), binders, alike))
            if any(alike):
                self.rows_alike(self.fn.load(begin), binders, alike)
        if end.data is not None:
            self.reactions_offered(site, seat, sum(sizes(binders) for _, binders in self.options_of(data)))
        self.ordered()
        with self.fn.when(self.fn.test("gt", self.get(p.COUNT), "0")):
            self.waits(seat)
        self.blocked(end, labels)

    def reactions_offered(self, site: Site, seat: str, first: int) -> None:
        """Put on offer what a player may use in the window of a menu, from this action on."""
        raise AssertionError("a menu stands in a routine")

    def options_of(self, data: MenuData) -> Iterator[tuple[int, Binders]]:
        """Of each option of a menu the action of its first combination, and its binders."""
        first = 0
        for o in data.options:
            kinds = [x.type.base if isinstance(x.type, t.Collection) else t.UNKNOWN for x in o.sources]
            binders = [(*self.game.domain(b), True) if self.game.is_finite(b) else (0, MAX_MENU_ROWS, False) for b in kinds]
            yield first, binders
            first += sizes(binders)

    def row(self, first: int, way: int, binders: Binders, alike: Sequence[bool]) -> Callable[[Instruction], None]:
        """What takes the offers of one option of a menu. Of an `alike` binder the action says nothing yet; behind the values there is what tells rows
        apart, a word for each binder, and room for the numbers of those."""

        def offering(i: Instruction) -> None:
            slots = i.args[: len(binders)]
            if any(alike):
                values = [v for a in slots for v in self.leaves(a)]
                if len(values) != len(slots) or 3 * len(values) > p.WIDEST:
                    raise Refused("an option for so many components that are called alike", i.span)
                keys = [self.place_of_alike(v) if there else v for v, there in zip(values, alike, strict=True)]
                self.put_offer(self.row_action(first, binders, i, alike), way, [*values, *keys])
                return
            leaves = [v for a in slots for v in self.leaves(a)] if self.is_short([self.kind(a) for a in slots]) else []
            self.put_offer(self.row_action(first, binders, i), way, leaves)

        return offering

    def rows_alike(self, begin: str, binders: Binders, alike: Sequence[bool]) -> None:
        """Of the rows of an option, from `begin` on, one of those that differ only in which alike component they name; with their actions."""
        f, n = self.fn, len(binders)
        self.put(p.COUNT, f.load(self.count))
        f.call("offers.merge", ["ptr %S", f"i64 {begin}", f"i64 {p.HEAD + n}", f"i64 {n}"])
        f.store(self.get(p.COUNT), self.count)
        for k, there in enumerate(alike):
            if there:
                stride = prod(max(1, count) for _, count, _ in binders[k + 1 :])
                words = [begin, p.HEAD + k, p.HEAD + n + k, p.HEAD + 2 * n + k, binders[k][0], stride]
                f.call("alike.column", ["ptr %S", *(f"i64 {word}" for word in words)])
        f.store("1", self.unsorted)

    def row_action(self, first: int, binders: Binders, i: Instruction, alike: Sequence[bool] = ()) -> str:
        """The action of a combination of an option; of an `alike` binder as if it were the first."""
        f, at = self.fn, "0"
        for k, (low, count, finite) in enumerate(binders):
            if any(alike) and alike[k]:
                place = "0"
            elif finite:
                place = f.sub(self.one(i.args[k]), str(low))
            else:
                place = f.sub(self.one(i.args[len(binders) + k]), "1")
                self.test(f.test("ge", place, str(MAX_MENU_ROWS)))
            at = f.add(f.mul(at, str(max(1, count))), place)
        return f.add(at, str(first))
