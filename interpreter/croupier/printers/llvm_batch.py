"""Many games side by side, for learners: chance is drawn on the way, so that each game stands at a decision or is over.

Each game has a block of `stride` words: its streams, its run (`llvm_games.py`), its position; `games` is where the position of the first lies. They
are played where they lie; `S` is memory for what belongs to one action only. Whoever looks ahead plays there, in a copy, since it needs more room.
`rows` says of each game by a byte whether it is meant: `MEANT`, or `UNSHOWN` if it is played but its mask has no room for what is on offer.

    batch.begin(games, stride, count, rows, numbers, played, …)   new games; `played` says how many there were, `numbers` gets theirs in their run
    batch.step(games, stride, count, rows, actions, again, …)     an action each, of all that wait, unless they go on `again`
    batch.sample(games, stride, count, masks, width, players, actions)   a random action each, from the stream of who acts

`…` are `S, width, players, masks, returns, failed`: how games stand is written there. Both give 0, or how wide masks have to be: then the first in
`rows` is unshown, and those behind it have not gone on. `step` gives -1 - k if the action in row k is not legal; then nothing has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.core.operations import CHANCE, SEVERAL
from croupier.lowering.results import WINNERS
from croupier.printers import llvm_layout as l
from croupier.printers.assembly import Fn
from croupier.printers.llvm_games import DECIDED, NUMBER, PLAYED, PUBLISHED, ROLLED, RUN, STREAMS, at_the_limit, number
from croupier.printers.llvm_layout import Layout
from croupier.printers.llvm_streams import STREAM, TAKEN
from croupier.runtime.node import TERMINAL

STATUS = PUBLISHED  # of a run: the published streams are used while it is not 0, and how a game stands is never 0
MEANT, UNSHOWN = 1, 2
GAMES = [("games", "ptr"), ("stride", "i64"), ("count", "i64")]
OUT = [("S", "ptr"), ("width", "i64"), ("players", "ptr"), ("masks", "ptr"), ("returns", "ptr"), ("failed", "ptr")]
EIGHT_BYTES = 0x0101010101010101


def head_size(players: int) -> int:
    """Words of a block before what lies before a position."""
    return STREAM * (players + 1) + RUN


def batch(layout: Layout, players: int, limits: Mapping[str, int], features: frozenset[str]) -> list[str]:
    """All of them."""
    shown = show(layout, players, "bmi2" in features)
    return [rest(layout, limits), shown, check(), begin(layout, players), step(layout, players), sample(players)]


def each(f: Fn, do: Callable[[str, str, str], None]) -> None:
    """For each game: its number here, where its position is kept, its run."""
    with f.counting("0", "%count") as k:
        kept = f.at("%games", f.mul(k, "%stride"))
        do(k, kept, f.at(kept, -RUN))


def each_meant(f: Fn, layout: Layout, do: Callable[[str, str, str, str], None]) -> None:
    """The same for those in `rows`, with where it is played; afterwards how it stands is written, if there is room for it."""

    def one(k: str, kept: str, R: str) -> None:
        row, S = f.at("%rows", k, "i8"), kept if layout.apart else "%S"
        found = f.load(row, "i8")
        with f.when(f.value(f"icmp ne i8 {found}, 0")):
            with f.when(f.value(f"icmp eq i8 {found}, {MEANT}")):
                do(k, kept, R, S)
                if not layout.apart:
                    f.copy(kept, S, f.load(f.at(S, l.END)))
            wide = f.call("batch.show", [f"ptr {S}", f"ptr {R}", f"i64 {k}", *(f"{kind} %{name}" for name, kind in OUT[1:])])
            with f.when(f.test("gt", wide, "%width")):
                f.store(str(UNSHOWN), row, "i8")
                f.give(wide)
            f.store("0", row, "i8")

    each(f, one)
    f.give("0")


def rest(layout: Layout, limits: Mapping[str, int]) -> str:
    """`batch.rest(S, R, status)`: chance falls until somebody decides or the game is over, which is put down in the run.

    A game that is as long as it may be counts as failed.
    """
    f = Fn("batch.rest", [*PLAYED, ("status", "i64")], "void")
    status, head, look, chance, fine, asked, done = f.slot(), f.label(), f.label(), f.label(), f.label(), f.label(), f.label()
    f.store("%status", status)
    f.place(head)
    f.branch(f.test("eq", f.load(status), str(l.WAITS)), look, done)
    f.place(look)
    f.branch(f.test("eq", f.load(f.at("%S", l.SEAT)), str(CHANCE)), chance, asked)
    f.place(chance)
    drawn = f.call("run.draw", ["ptr %S", "ptr %R"])
    f.store(str(l.FAILED), status)
    f.branch(f.test("eq", drawn, str(l.OK)), fine, done)
    f.place(fine)
    f.store("0", f.at("%S", l.NESTED))
    f.store(f.call("go", ["ptr %S"]), status)
    f.jump(head)
    f.place(asked)
    stuck = at_the_limit(f, limits)
    with f.when(f.test("ne", f.load(f.at("%S", l.MESSY)), "0")):
        f.line("call void @offers.order(ptr %S)")
    if not layout.apart:
        f.line("call void @offers.spread(ptr %S)")
        stuck = f.either(stuck, f.test("ne", f.call("offers.allowed", ["ptr %S"]), str(l.OK)))
    n, weights = f.load(f.at("%S", l.COUNT)), f.before(-l.MOST_OFFERS)
    f.store(f.choose(f.either(stuck, f.test("eq", n, "0")), str(l.FAILED), str(l.WAITS)), status)
    with f.when(f.test("eq", f.load(f.at("%S", l.SEAT)), str(SEVERAL))):
        who = f.slot()
        f.store(f.load(weights), who)
        with f.counting("1", n) as i:
            w = f.load(f.at(weights, i))
            f.store(f.choose(f.test("lt", w, f.load(who)), w, f.load(who)), who)
        f.store(f.load(who), f.at("%S", l.CHOSEN_SEAT))
    f.place(done)
    f.store(f.load(status), f.at("%R", STATUS))
    f.end("ret void")
    return f.text()


def begin(layout: Layout, players: int) -> str:
    """`batch.begin`."""
    f = Fn("batch.begin", [*GAMES, ("rows", "ptr"), ("numbers", "ptr"), ("played", "ptr"), *OUT], public=True)

    def one(k: str, kept: str, R: str, S: str) -> None:
        streams, played = f.at(kept, -head_size(players)), f.add(f.load("%played"), "1")
        for at in ("%played", f.at("%numbers", k), f.at(R, NUMBER)):
            f.store(played, at)
        f.store(streams, f.at(R, STREAMS), "ptr")
        for word, value in ((STATUS, "1"), (DECIDED, "0"), (ROLLED, "0")):
            f.store(value, f.at(R, word))
        for which in range(players + 1):
            f.store("0", f.at(streams, which * STREAM + TAKEN))
        if layout.apart:
            f.store("%S", f.at(S, l.CONTEXT), "ptr")
        f.line(f"call void @batch.rest(ptr {S}, ptr {R}, i64 {f.call('game.start', [f'ptr {S}'])})")

    each_meant(f, layout, one)
    return f.text()


def check() -> str:
    """`batch.check(games, stride, count, rows, actions, masks, width)`: means the games that wait; the first whose action is not legal, or -1."""
    f = Fn("batch.check", [*GAMES, ("rows", "ptr"), ("actions", "ptr"), ("masks", "ptr"), ("width", "i64")])
    wrong = f.slot()
    f.store("-1", wrong)

    def one(k: str, kept: str, R: str) -> None:
        waits = f.test("eq", f.load(f.at(R, STATUS)), str(l.WAITS))
        f.store(f.value(f"zext i1 {waits} to i8"), f.at("%rows", k, "i8"), "i8")
        with f.when(waits):
            action = f.load(f.at("%actions", k))
            inside = f.value(f"icmp ult i64 {action}, %width")
            at = f.at("%masks", f.add(f.mul(k, "%width"), f.choose(inside, action, "0")), "i8")
            legal = f.both(inside, f.value(f"icmp ne i8 {f.load(at, 'i8')}, 0"))
            before = f.test("lt", f.load(wrong), "0")
            f.store(f.choose(f.both(before, f.binary("xor", legal, "true", "i1")), k, f.load(wrong)), wrong)

    each(f, one)
    f.give(f.load(wrong))
    return f.text()


def step(layout: Layout, players: int) -> str:
    """`batch.step`."""
    f = Fn("batch.step", [*GAMES, ("rows", "ptr"), ("actions", "ptr"), ("again", "i64"), *OUT], public=True)
    with f.when(f.test("eq", "%again", "0")):
        given = [f"{kind} %{name}" for name, kind in (*GAMES, ("rows", "ptr"), ("actions", "ptr"), ("masks", "ptr"), ("width", "i64"))]
        wrong = f.call("batch.check", given)
        with f.when(f.test("ge", wrong, "0")):
            f.give(f.sub("-1", wrong))

    def one(k: str, kept: str, R: str, S: str) -> None:
        f.store(f.add(f.load(f.at(R, DECIDED)), "1"), f.at(R, DECIDED))
        if not layout.apart:
            f.copy(S, kept, f.load(f.at(kept, l.END)))
        given = [f"ptr {S}", f"i64 {f.load(f.at('%actions', k))}", f"i64 {f.load(f.at(S, l.CHOSEN_SEAT))}"]
        f.line(f"call void @batch.rest(ptr {S}, ptr {R}, i64 {f.call('game.apply', given)})")

    each_meant(f, layout, one)
    return f.text()


def show(layout: Layout, players: int, quick: bool) -> str:
    """`batch.show(S, R, k, width, players, masks, returns, failed)`: how a game stands; gives how wide its mask has to be.

    `quick`: the processor spreads bits over bytes, eight at a time.
    """
    f = Fn("batch.show", [*PLAYED, ("k", "i64"), *OUT[1:]])
    mask, status, widest = f.at("%masks", f.mul("%k", "%width"), "i8"), f.load(f.at("%R", STATUS)), f.slot()
    f.store("0", widest)
    f.line(f"call void @llvm.memset.p0.i64(ptr {mask}, i8 0, i64 %width, i1 false)")
    f.store(f.value(f"zext i1 {f.test('eq', status, str(l.FAILED))} to i8"), f.at("%failed", "%k", "i8"), "i8")
    finished, returns = f.test("eq", status, str(l.OVER)), f.at("%returns", f.mul("%k", str(players)))
    for p in range(players):
        f.store(f.choose(finished, f.load(f.at("%S", layout.at["result"] + WINNERS + players + p)), "0"), f.at(returns, p))
    with f.when(f.test("ne", status, str(l.WAITS))):
        f.store(str(TERMINAL), f.at("%players", "%k"))
        f.give("0")
    seat, actions, weights = f.load(f.at("%S", l.SEAT)), f.before(-2 * l.MOST_OFFERS), f.before(-l.MOST_OFFERS)
    several = f.test("eq", seat, str(SEVERAL))
    who, alone = f.choose(several, f.load(f.at("%S", l.CHOSEN_SEAT)), seat), f.binary("xor", several, "true", "i1")
    f.store(who, f.at("%players", "%k"))
    if quick:
        left, at, head, some, fits, on = f.slot(), f.slot(), f.label(), f.label(), f.label(), f.label()
        form, bits, more = f.load(f.at("%S", l.FORM)), f.load(actions), f.load(f.at(actions, 1))
        even = f.test("eq", f.binary("and", more, "7"), "0")
        with f.when(f.both(f.test("eq", form, str(l.BITS)), even)):
            f.store(bits, left)
            f.store(more, at)
            f.place(head)
            rest = f.load(left)
            place, none = f.load(at), f.label()
            f.branch(f.test("eq", rest, "0"), none, some)
            f.place(some)
            f.branch(f.value(f"icmp ult i64 {place}, %width"), fits, on)
            f.place(fits)
            f.store(f.value(f"call i64 @llvm.x86.bmi.pdep.64(i64 {rest}, i64 {EIGHT_BYTES})"), f.at(mask, place, "i8"))
            f.place(on)
            f.store(f.binary("lshr", rest, "8"), left)
            f.store(f.add(place, "8"), at)
            f.jump(head)
            f.place(none)
            f.give(f.add(more, f.sub("64", f.value(f"call i64 @llvm.ctlz.i64(i64 {bits}, i1 false)"))))
    n, is_kept = f.load(f.at("%S", l.COUNT)), f.test("eq", f.load(f.at("%S", l.FORM)), str(l.KEPT))
    with f.when(alone):  # in ascending order
        with f.when(f.binary("xor", is_kept, "true", "i1")):
            f.line("call void @offers.spread(ptr %S)")
        first = f.value(f"select i1 {is_kept}, ptr {f.at(f.before(0), f.choose(is_kept, f.load(actions), '0'))}, ptr {actions}")
        end = f.add(f.load(f.at(first, f.sub(n, "1"))), "1")
        with f.when(f.test("le", end, "%width")), f.counting("0", n) as i:
            f.store("1", f.at(mask, f.load(f.at(first, i)), "i8"), "i8")
        f.give(end)
    f.line("call void @offers.spread(ptr %S)")
    with f.counting("0", n) as i, f.when(f.test("eq", f.load(f.at(weights, i)), who)):
        action = f.load(f.at(actions, i))
        with f.when(f.value(f"icmp ult i64 {action}, %width")):
            f.store("1", f.at(mask, action, "i8"), "i8")
        f.store(f.choose(f.test("lt", action, f.load(widest)), f.load(widest), f.add(action, "1")), widest)
    f.give(f.load(widest))
    return f.text()


def sample(players: int) -> str:
    """`batch.sample`: the legal actions are where a byte of a mask is 1; eight are looked at together."""
    f = Fn("batch.sample", [*GAMES, ("masks", "ptr"), ("width", "i64"), ("players", "ptr"), ("actions", "ptr")], public=True)
    left = f.slot()

    def bits(word: str) -> str:
        return f.value(f"call i64 @llvm.ctpop.i64(i64 {word})")

    def one(k: str, kept: str, R: str) -> None:
        action = f.at("%actions", k)
        f.store("-1", action)
        with f.when(f.test("eq", f.load(f.at(R, STATUS)), str(l.WAITS))):
            mask = f.at("%masks", f.mul(k, "%width"), "i8")
            f.store(f.load(f.at(kept, l.COUNT)), left)
            with f.when(f.test("eq", f.load(f.at(kept, l.SEAT)), str(SEVERAL))):  # not all that is on offer is theirs
                f.store("0", left)
                with f.counting("0", f.binary("lshr", "%width", "3")) as i:
                    f.store(f.add(f.load(left), bits(f.load(f.at(mask, i)))), left)
            f.store(number(f, f.load(f.at("%players", k)), f.load(left), R), left)
            at, head, more, found = f.slot(), f.label(), f.label(), f.label()
            f.store("0", at)
            f.place(head)
            word, before = f.load(f.at(mask, f.load(at))), f.load(left)
            rest = f.sub(before, bits(word))
            f.branch(f.test("lt", rest, "0"), found, more)
            f.place(more)
            f.store(rest, left)
            f.store(f.add(f.load(at), "1"), at)
            f.jump(head)
            f.place(found)
            place = f.binary("lshr", f.call("bits.place", [f"i64 {word}", f"i64 {before}"]), "3")
            f.store(f.add(f.mul(f.load(at), "8"), place), action)

    each(f, one)
    f.give(str(l.OK))
    return f.text()


__all__ = ["batch", "head_size"]
