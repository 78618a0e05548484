"""Windows in native code: those asked may use a reaction, or say no; and reactions among the options of a menu.

While a window waits, its frame holds whom it asks, how far it has come, and which reactions this player has used, by number.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.backends.native import plan as p
from croupier.backends.native.calling import Calling
from croupier.backends.native.places import Leaves
from croupier.backends.sites import Site
from croupier.ir.module import Row
from croupier.ir.suspensions import Suspend


class Windows(Calling):
    """Windows: those who may react are asked in order."""

    def w_open(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        window = self.printer.module.routines[end.data]
        asked, cursor, used = self.game.code.procs[end.data].window_slots
        to, *slots = end.args
        nothing = self.new_list("0", 1)
        self.fn.store("0", nothing)
        own = self.own(end.data, self.arguments(slots, end.data))
        self.push(window, own | {asked: self.leaves(to), cursor: ["0"], used: [self.fn.address(nothing)]})

    # ------------------------------------------------------------ reactions
    def found(self, window: int, seat: str, args: list[Leaves]) -> str:
        """The numbers of the reactions that a player may use now, as a list. The evaluator works them out twice where it looks ahead."""
        f, out, before = self.fn, self.fn.slot(), self.get(p.FUEL)
        words = [f"i64 {v}" for leaves in args for v in leaves]
        self.called(self.printer.hooks.found(window, "reaction"), [f"i64 {seat}", *words, f"ptr {out}"])
        self.pay(f.sub(before, self.get(p.FUEL)))
        return f.pointer(f.load(out))

    def react(self, window: int, number: str, seat: str, args: list[Leaves]) -> None:
        """Begin a reaction by its number. As the evaluator does, work out once more what may be used: that takes fuel."""
        f, lookup = self.fn, self.printer.constants.lookup
        self.pay("4")
        self.found(window, seat, args)

        def one(row: Row, place: str) -> None:
            whose: dict[int, Leaves] = {} if row.owner_slot is None else {row.owner_slot: [seat]}
            pieces = self.printer.hooks.keys.candidates(row)
            if pieces:
                piece = lookup(f, [str(x) for x in pieces], place)
                at = f.add(f.load(self.printer.zones.where(f, piece)), "1")
                whose = self.whose(row, piece, seat, lookup(f, self.printer.hooks.keys.here_rows(), at))
            self.begin_hook(row, whose | self.bound(row, args))

        self.by_number(window, number, one)

    def by_number(self, window: int, number: str, each: Callable[[Row, str], None]) -> None:
        """What `each` emits for the reaction with a number, given its place among the components that it stands on."""
        for row in self.printer.hooks.rows(window, "reaction"):
            code = self.game.code.hooks.all[row.hook]
            count = max(1, len(code.pieces))
            place = self.fn.sub(number, str(code.first))
            with self.fn.when(self.fn.value(f"icmp ult i64 {place}, {count}")):
                each(row, place if count > 1 else "0")
        self.deviates()

    # ------------------------------------------------------------ a window
    def args(self) -> list[Leaves]:
        return [self.leaves(q.slot) for q in self.facts.program.procs[self.routine.index].params]

    def w_ask(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        """Ask whoever comes next and could react."""
        f = self.fn
        asked, cursor, used = self.game.code.procs[self.routine.index].window_slots
        head, some, nobody, done = (f.label() for _ in range(4))
        f.place(head)
        items, n, _ = self.list_of(asked)
        at = self.one(cursor)
        f.branch(f.test("lt", at, n), some, done)
        f.place(some)
        self.pay("2")
        seat = self.read_element(items, at, 1)[0]
        self.no_offers()
        self.put_offer("0", site.ways.index("no"), [])
        found = self.found(self.routine.index, seat, self.args())
        gone, gone_count, _ = self.list_of(used)
        with f.counting("0", f.load(found)) as k:
            number, skip = self.read_element(found, k, 1)[0], f.label()
            with f.counting("0", gone_count) as j, f.when(f.test("eq", self.read_element(gone, j, 1)[0], number)):
                f.jump(skip)
            self.put_offer(f.add(number, "1"), site.ways.index("react"), [number])
            f.place(skip)
        f.branch(f.test("gt", f.load(self.count), "1"), (waiting := f.label()), nobody)
        f.place(waiting)
        self.ordered()
        self.waits(seat)
        f.place(nobody)
        self.next_player(cursor, used)
        f.jump(head)
        f.place(done)
        self.blocked(end, labels)

    def next_player(self, cursor: int, used: int) -> None:
        nothing = self.new_list("0", 1)
        self.fn.store("0", nothing)
        self.assign(cursor, [self.fn.add(self.one(cursor), "1")])
        self.assign(used, [self.fn.address(nothing)])
        self.keep_slot(cursor)
        self.keep_slot(used)

    def r_ask(self, site: Site, name: str, labels: dict[int, str]) -> None:
        """Somebody said no, or reacts, or has reacted."""
        f, window = self.fn, self.routine.index
        asked, cursor, used = self.game.code.procs[window].window_slots
        if name == "no":
            self.next_player(cursor, used)
        elif name == "react":
            number = self.chosen()
            gone, n, _ = self.list_of(used)
            longer = self.new_list(f.add(n, "1"), 1)
            f.copy(longer, gone, f.add(n, "1"))
            self.write_element(longer, n, [number])
            f.store(f.add(n, "1"), longer)
            self.assign(used, [f.address(longer)])
            self.keep_slot(used)
            self.react(window, number, self.read_element(self.list_of(asked)[0], self.one(cursor), 1)[0], self.args())
        else:
            above = f.load(self.frame(p.ABOVE))
            slots = [q.slot for q in self.facts.program.procs[window].params]
            for row in self.printer.hooks.rows(window, "reaction"):
                with f.when(f.test("eq", above, str(row.hook + 1))):
                    _, back = self.handed(self.printer.module.routines[row.routine], self.word(p.RET))
                    for k, leaves in self.changes(row, window, back).items():
                        self.assign(slots[k], leaves)
                        self.keep_slot(slots[k])
        f.jump(self.asks[site.number])

    def chosen(self) -> str:
        """The first word of what was chosen."""
        return self.fn.load(self.fn.at(self.offer_at(self.get(p.CHOSEN)), p.HEAD))

    # ------------------------------------------------------------ reactions in a menu
    def menu_args(self, site: Site) -> list[Leaves]:
        kinds = self.printer.hooks.kinds(site.end.data)
        return [self.answered(site.query(f"window {k}"), kind) for k, kind in enumerate(kinds)]

    def reactions_offered(self, site: Site, seat: str, first: int) -> None:
        f = self.fn
        found = self.found(site.end.data, seat, self.menu_args(site))
        with f.counting("0", f.load(found)) as k:
            number = self.read_element(found, k, 1)[0]
            self.put_offer(f.add(number, str(first)), site.ways.index("react"), [number])

    def r_react(self, site: Site) -> None:
        """Somebody chose a reaction in a menu: after it, control goes on at `reacted`."""
        where = self.printer.where(site) + site.ways.index("reacted")
        self.fn.store(str(where), self.frame(1))
        self.react(site.end.data, self.chosen(), self.get(p.SEAT), self.menu_args(site))


