"""Whole games one after another, seats and chance by numbers at random.

`game.batch` takes them from the published streams and writes a row and a hash for each game: what a simulation is made of. `game.playouts` takes them
from a generator that costs next to nothing, and only adds up: how fast the rules are.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.invariants import HOLDS
from croupier.backends.native.streams import QUICK, STREAM
from croupier.semantics.program import Program

ROW = 6  # words of a row before returns and scores: status, decisions, chance events, winners, whether there are scores, grade; then the hash
HASH = 4
FINISHED, UNUSUAL, DECISIONS, CHANCE_EVENTS, SUMS = range(5)  # what playouts add up; then the returns of each seat


def game(f: Fn, program: Program, chosen: Callable[[str], str], checked: bool = False) -> tuple[str, list[str]]:
    """Plays a game; `chosen` gives the place of what is taken of what is on offer, for a seat (or -1). Gives the places of its status and counts."""
    counts, status = [f.slot(), f.slot()], f.slot()
    for c in counts:
        f.store("0", c)
    f.store(f.call("game.start", ["ptr %S"]), status)
    head, step, over = f.label(), f.label(), f.label()
    f.place(head)
    f.branch(f.test("eq", f.load(status), str(p.WAITS)), step, over)
    f.place(step)
    seat = f.load(f.at("%S", p.SEAT))
    for by, (c, limit) in enumerate(zip(counts, ("decisions", "chance"), strict=True)):
        done = f.load(c)
        with f.when(f.test("ge", done, str(program.limits[limit]))):
            f.store(str(p.DEVIATES), status)
            f.jump(over)
        mine = f.wide(f.test("lt" if by else "ge", seat, "0"))
        f.store(f.add(done, mine), c)
    f.store(f.call("game.apply", ["ptr %S", f"i64 {chosen(seat)}"], inside=True), status)
    if checked:
        with f.when(f.test("ne", f.call(HOLDS, ["ptr %S"]), str(p.OK))):
            f.store(str(p.DEVIATES), status)
    f.jump(head)
    f.place(over)
    return status, counts


def drawn(f: Fn, seat: str, args: list[str], uniform: Callable[[str], str]) -> str:
    """The place of what is taken: by weight at a chance event whose outcomes differ in weight."""
    place, done = f.slot(), f.label()
    with f.when(f.both(f.test("lt", seat, "0"), f.test("ne", f.load(f.at("%S", p.WEIGHED)), "0"))):
        f.store(f.call("offers.draw", ["ptr %S", *args]), place)
        f.jump(done)
    f.store(uniform(f.load(f.at("%S", p.COUNT))), place)
    f.place(done)
    return f.load(place)


def batch(program: Program, players: int, checked: bool) -> str:
    """`game.batch(S, streams, prefix, length, text, first, count, out)`: plays games in a row; a row of `out` is what `rows.py` reads.

    Those of `checked` code test the invariants after every action.
    """
    f = Fn(
        "game.batch",
        [("S", "ptr"), ("streams", "ptr"), ("prefix", "ptr"), ("length", "i64"), ("text", "ptr"), ("first", "i64"), ("count", "i64"), ("out", "ptr")],
        public=True,
    )  # fmt: skip
    size = ROW + 2 * players + HASH
    with f.counting("0", "%count") as k:
        number, row = f.add("%first", k), f.at("%out", f.mul(k, str(size)))
        for which in range(players + 1):
            f.store("0", f.at("%streams", which * STREAM))

        def chosen(seat: str) -> str:
            args = ["ptr %streams", "ptr %prefix", "i64 %length", f"i64 {number}", f"i64 {f.add(seat, '1')}"]
            return drawn(f, seat, args, lambda n: f.call("uniform", [*args, f"i64 {n}"]))

        status, counts = game(f, program, chosen, checked)
        heads = [f.load(status), *map(f.load, counts), *(f.load(f.at("%S", w)) for w in (p.WINNERS, p.SCORED, p.GRADE))]
        for n, v in enumerate(heads):
            f.store(v, f.at(row, n))
        f.copy(f.at(row, ROW), f.at("%S", p.RETURNS), str(2 * players))
        with f.when(f.test("eq", f.load(status), str(p.OVER))):
            size_of = f.call("position", ["ptr %S", "ptr %text"])
            to = f.at(row, ROW + 2 * players)
            f.call("sha.all", ["ptr %text", f"i64 {size_of}", f"ptr {to}"])
            for n in range(2 * HASH):
                at = f.at(to, n, "i32")
                f.store(f.value(f"call i32 @llvm.bswap.i32(i32 {f.load(at, 'i32')})"), at, "i32")
    f.give(str(p.OK))
    return f.text()


def playouts(program: Program, players: int) -> str:
    """`game.playouts(S, streams, count, out)`: plays games and adds to `out`; the state of the generator is in `streams`."""
    f = Fn("game.playouts", [("S", "ptr"), ("streams", "ptr"), ("count", "i64"), ("out", "ptr")], public=True)

    def chosen(seat: str) -> str:
        args = ["ptr %streams", "ptr null", f"i64 {QUICK}", "i64 0", "i64 0"]
        return drawn(f, seat, args, lambda n: f.call("quick.uniform", ["ptr %streams", f"i64 {n}"]))

    def more(place: int, by: str) -> None:
        at = f.at("%out", place)
        f.store(f.add(f.load(at), by), at)

    f.call("quick.begin", ["ptr %streams"])
    with f.counting("0", "%count"):
        status, counts = game(f, program, chosen)
        over = f.wide(f.test("eq", f.load(status), str(p.OVER)))
        more(FINISHED, over)
        more(UNUSUAL, f.sub("1", over))
        more(DECISIONS, f.load(counts[0]))
        more(CHANCE_EVENTS, f.load(counts[1]))
        for seat in range(players):
            more(SUMS + seat, f.mul(over, f.load(f.at("%S", p.RETURNS + seat))))
    f.give(str(p.OK))
    return f.text()
