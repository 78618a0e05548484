"""Whole games one after another in native code, seats and chance by numbers at random.

`game.batch` takes them from the published streams and writes a row for each game: what a simulation is made of. `game.roll` does so from
one position on. `game.playouts` takes them from a generator that costs next to nothing, and only adds up: how fast the rules are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.core.operations import CHANCE, NONE, SEVERAL
from croupier.lowering.results import GRADE, SCORED, WINNERS
from croupier.printers import llvm_layout as l
from croupier.printers.assembly import Fn
from croupier.printers.llvm_layout import Layout
from croupier.printers.llvm_streams import STREAM, TAKEN

ROW_HEAD = 6  # words of a row before returns and scores: status, decisions, chance events, winners, whether there are scores, grade
COUNTS = 1
FINISHED, UNUSUAL, DECISIONS, CHANCE_EVENTS, SUMS = range(5)  # what playouts add up; then the returns of each seat
STREAMS, PUBLISHED, NUMBER, DECIDED, ROLLED, RUN = range(6)
"""Words of a run, which `%R` points to: where random numbers come from (streams; are these the published ones, or is it the quick generator; the
number of the game), and how many decisions and chance events there were."""
PLAYED = [("S", "ptr"), ("R", "ptr")]


def row_size(players: int) -> int:
    """Words of a row."""
    return ROW_HEAD + 2 * players


def drawing(layout: Layout, limits: Mapping[str, int], features: frozenset[str], checked: str) -> list[str]:
    """An action by numbers at random. `checked`: the type of what `f.invariants` gives, nothing where these are not tested."""
    return [common_divisor(), pick(layout), *nth_bit("bmi2" in features), weighed(), holds(checked), draw(layout, limits)]


def games(layout: Layout, players: int) -> list[str]:
    """Whole games: `play.game(S, R)` stands elsewhere."""
    return [row(layout, players), batch(players), playouts(layout, players)]


def stepwise(players: int, looks_ahead: bool) -> list[str]:
    """Whole games of programs that are cut: from the start, and from a position on."""
    f = Fn("play.game", PLAYED)
    f.give(f.call("play.on", ["ptr %S", "ptr %R", f"i64 {f.call('game.start', ['ptr %S'], inside=True)}"]))
    return [play_on(looks_ahead), f.text(), roll(players)]


def number(f: Fn, seat: str, n: str, R: str = "%R") -> str:
    """The next number below `n` of the stream of a seat, or of chance (-1), in a run."""
    slot, quick, published, on = f.slot(), f.label(), f.label(), f.label()
    streams = f.load(f.at(R, STREAMS), "ptr")
    f.branch(f.test("eq", f.load(f.at(R, PUBLISHED)), "0"), quick, published)
    f.place(quick)
    f.store(f.call("quick.uniform", [f"ptr {streams}", f"i64 {n}"]), slot)
    f.jump(on)
    f.place(published)
    given = [f"ptr {streams}", f"i64 {f.load(f.at(R, NUMBER))}", f"i64 {f.add(seat, '1')}", f"i64 {n}"]
    f.store(f.call("uniform", given), slot)
    f.place(on)
    return f.load(slot)


def common_divisor() -> str:
    """`divisor(a, b)`: the greatest common divisor."""
    f = Fn("divisor", [("a", "i64"), ("b", "i64")])
    a, b = f.slot(), f.slot()
    f.store("%a", a)
    f.store("%b", b)
    head, go, done = f.label(), f.label(), f.label()
    f.place(head)
    low = f.load(b)
    f.branch(f.test("eq", low, "0"), done, go)
    f.place(go)
    f.store(f.binary("urem", f.load(a), low), b)
    f.store(low, a)
    f.jump(head)
    f.place(done)
    f.give(f.load(a))
    return f.text()


def weighed() -> str:
    """`weights.total(S, out)`: the sum of what the things on offer weigh, divided by what all their weights share; `out` gets that."""
    f = Fn("weights.total", [("S", "ptr"), ("out", "ptr")], apart=True)
    weights, total, share = f.before(-l.MOST_OFFERS), f.slot(), f.slot()
    f.store("0", total)
    f.store("0", share)
    with f.counting("0", f.load(f.at("%S", l.COUNT))) as i:
        w = f.load(f.at(weights, i))
        f.store(f.add(f.load(total), w), total)
        f.store(f.call("divisor", [f"i64 {f.load(share)}", f"i64 {w}"]), share)
    f.store(f.load(share), "%out")
    with f.when(f.test("eq", f.load(share), "0")):
        f.give("0")
    f.give(f.binary("udiv", f.load(total), f.load(share)))
    return f.text()


def pick(layout: Layout) -> str:
    """`run.pick(S, R)`: the action that is taken of those on offer, one at least; who takes it is put down where several choose."""
    f = Fn("run.pick", PLAYED)
    f.inside()
    seat, n = f.load(f.at("%S", l.SEAT)), f.load(f.at("%S", l.COUNT))
    actions, weights = f.before(-2 * l.MOST_OFFERS), f.before(-l.MOST_OFFERS)
    by_chance, several, plain = f.label(), f.label(), f.label()
    f.end(f"switch i64 {seat}, label %{plain} [i64 {CHANCE}, label %{by_chance} i64 {SEVERAL}, label %{several}]")
    f.place(by_chance)
    with f.when(f.test("ne", f.load(f.at("%S", l.WEIGHED)), "0")):
        share, left = f.slot(), f.slot()
        total = f.call("weights.total", ["ptr %S", f"ptr {share}"])
        with f.when(f.test("eq", total, "0")):
            f.give(str(NONE))
        f.store(number(f, str(CHANCE), total), left)
        with f.counting("0", n) as i:
            w = f.binary("udiv", f.load(f.at(weights, i)), f.load(share))
            rest = f.sub(f.load(left), w)
            f.store(rest, left)
            with f.when(f.test("lt", rest, "0")):
                f.give(f.load(f.at(actions, i)))
    f.jump(plain)
    f.place(several)
    who, count = f.slot(), f.slot()
    f.store(f.load(weights), who)
    f.store("0", count)
    with f.counting("0", n) as i:
        w = f.load(f.at(weights, i))
        with f.when(f.test("lt", w, f.load(who))):
            f.store(w, who)
            f.store("0", count)
        f.store(f.add(f.load(count), f.wide(f.test("eq", w, f.load(who)))), count)
    mine = f.load(who)
    f.store(mine, f.at("%S", l.CHOSEN_SEAT))
    f.store(number(f, mine, f.load(count)), count)
    with f.counting("0", n) as i, f.when(f.test("eq", f.load(f.at(weights, i)), mine)):
        left_ = f.load(count)
        with f.when(f.test("eq", left_, "0")):
            f.give(f.load(f.at(actions, i)))
        f.store(f.sub(left_, "1"), count)
    f.give(str(NONE))
    f.place(plain)
    k = number(f, seat, n)
    bits, part, kept, listed = f.label(), f.label(), f.label(), f.label()
    ways = " ".join(f"i64 {form}, label %{label}" for form, label in ((l.BITS, bits), (l.PART, part), (l.KEPT, kept)))
    f.end(f"switch i64 {f.load(f.at('%S', l.FORM))}, label %{listed} [{ways}]")
    f.place(bits)
    f.give(f.add(f.call("bits.place", [f"i64 {f.load(actions)}", f"i64 {k}"]), f.load(f.at(actions, 1))))
    f.place(part)
    place = f.add(f.load(actions), k)
    f.store(place, f.at("%S", l.DRAWN))
    f.give(f.value(f"zext i16 {f.load(f.at(f.at('%S', layout.contents), place, 'i16'), 'i16')} to i64"))
    f.place(kept)
    f.give(f.load(f.at(f.before(0), f.add(f.load(actions), k))))
    f.place(listed)
    f.give(f.load(f.at(actions, k)))
    return f.text()


def nth_bit(quick: bool) -> list[str]:
    """`bits.place(word, k)`: the place of a bit that is set, counted from 0; `quick`: the processor has an instruction for that."""
    f = Fn("bits.place", [("word", "i64"), ("k", "i64")])
    if quick:
        one = f.value(f"call i64 @llvm.x86.bmi.pdep.64(i64 {f.binary('shl', '1', '%k')}, i64 %word)")
        f.give(f.value(f"call i64 @llvm.cttz.i64(i64 {one}, i1 true)"))
        return ["declare i64 @llvm.x86.bmi.pdep.64(i64, i64)", f.text()]
    left = f.slot()
    f.store("%word", left)
    with f.counting("0", "%k"):
        bits = f.load(left)
        f.store(f.binary("and", bits, f.sub(bits, "1")), left)
    f.give(f.value(f"call i64 @llvm.cttz.i64(i64 {f.load(left)}, i1 true)"))
    return [f.text()]


def holds(checked: str) -> str:
    """`game.holds(S)`: an i1, does everything hold that must always hold?"""
    f = Fn("game.holds", [("S", "ptr")], "i1", apart=True)
    if checked == "i64":
        f.store(f.load("@fuel"), f.at("%S", l.FUEL))
        f.end(f"ret i1 {f.test('eq', f.call('f.invariants', ['ptr %S']), str(l.OK))}")
    else:
        f.end("ret i1 true")
    if not checked:
        f.inside()
    return f.text()


def draw(layout: Layout, limits: Mapping[str, int]) -> str:
    """`run.draw(S, R)`: an action is drawn of what is on offer; gives a status.

    A game ends where it has as many decisions or chance events as it may; what is left to the evaluator is the middle of a choice by several.
    """
    f = Fn("run.draw", PLAYED)
    seat = f.load(f.at("%S", l.SEAT))
    with f.when(at_the_limit(f, limits)):
        f.give(f.choose(f.test("eq", seat, str(SEVERAL)), str(l.FAILED), str(l.LIMITED)))
    with f.when(f.binary("xor", f.value("call i1 @game.holds(ptr %S)"), "true", "i1")):
        f.give(str(l.FAILED))
    with f.when(f.test("ne", f.load(f.at("%S", l.MESSY)), "0")):
        f.line("call void @offers.order(ptr %S)")
    with f.when(f.test("eq", f.load(f.at("%S", l.COUNT)), "0")):
        f.give(str(l.FAILED))
    chance = f.wide(f.test("eq", seat, str(CHANCE)))
    for word, more in ((DECIDED, f.sub("1", chance)), (ROLLED, chance)):
        f.store(f.add(f.load(f.at("%R", word)), more), f.at("%R", word))
    f.store(f.call("run.pick", ["ptr %S", "ptr %R"]), f.at("%S", l.CHOSEN))
    l.begin_action(f, layout, f.load("@fuel"))
    f.give(str(l.OK))
    return f.text()


def at_the_limit(f: Fn, limits: Mapping[str, int]) -> str:
    """An i1: does the run `%R` have as many decisions or chance events as it may?"""
    decided, rolled = (f.test("ge", f.load(f.at("%R", word)), str(limits[limit])) for word, limit in ((DECIDED, "decisions"), (ROLLED, "chance")))
    return f.either(decided, rolled)


def play_on(looks_ahead: bool) -> str:
    """`play.on(S, R, first)`: plays on from a position that was left with a status; gives the last one."""
    f = Fn("play.on", [*PLAYED, ("first", "i64")])
    status = f.slot()
    f.store("%first", status)
    head, step, over, wrong, on, undrawn = f.label(), f.label(), f.label(), f.label(), f.label(), f.label()
    f.place(head)
    f.branch(f.test("eq", f.load(status), str(l.WAITS)), step, over)
    f.place(step)
    if looks_ahead:
        with f.when(f.test("ne", f.load(f.at("%S", l.SEAT)), str(CHANCE))):
            with f.when(f.test("ne", f.load(f.at("%S", l.MESSY)), "0")):
                f.line("call void @offers.order(ptr %S)")
            f.line("call void @offers.spread(ptr %S)")
            allowed, fine = f.call("offers.allowed", ["ptr %S"]), f.label()
            f.branch(f.test("eq", allowed, str(l.OK)), fine, wrong)
            f.place(fine)
    drawn = f.call("run.draw", ["ptr %S", "ptr %R"])
    f.branch(f.test("eq", drawn, str(l.OK)), on, undrawn)
    f.place(undrawn)
    f.give(drawn)
    f.place(on)
    f.store("0", f.at("%S", l.NESTED))
    f.store(f.call("go", ["ptr %S"], inside=True), status)
    f.jump(head)
    f.place(wrong)
    f.give(str(l.FAILED))
    f.place(over)
    f.give(f.load(status))
    return f.text()


def row(layout: Layout, players: int) -> str:
    """`game.row(S, R, status, row)`: what a game leaves behind."""
    f = Fn("game.row", [*PLAYED, ("status", "i64"), ("row", "ptr")], "void", apart=True)
    result = layout.at["result"]
    status = f.choose(f.value("call i1 @game.holds(ptr %S)"), "%status", str(l.FAILED))
    if "grade" in layout.at:  # a text of its own, for which a row has no room
        long = f.test("ne", f.load(f.at("%S", result + GRADE)), str(NONE))
        status = f.choose(long, str(l.FAILED), status)
    winners = "0"
    for k in range(players):
        winners = f.binary("or", winners, f.binary("shl", f.load(f.at("%S", result + WINNERS + k)), str(k)))
    heads = [status, *(f.load(f.at("%R", k)) for k in (DECIDED, ROLLED)), winners, *(f.load(f.at("%S", result + w)) for w in (SCORED, GRADE))]
    heads[-1] = f.choose(f.test("eq", heads[-1], str(NONE)), "-1", heads[-1])
    for n, v in enumerate(heads):
        f.store(v, f.at("%row", n))
    f.copy(f.at("%row", ROW_HEAD), f.at("%S", result + WINNERS + players), str(2 * players))
    f.end("ret void")
    return f.text()


def run(f: Fn, given: Mapping[int, str]) -> str:
    """A new run, with what is known of it."""
    room = f.slot(RUN)
    for word in range(RUN):
        value = given.get(word, "0")
        f.store(value, f.at(room, word), "ptr" if word == STREAMS else "i64")
    return room


def one(f: Fn, players: int, R: str, k: str, play: Callable[[], str]) -> None:
    """Plays the game of a number, and writes its row."""
    f.store(f.add("%first", k), f.at(R, NUMBER))
    for word in (DECIDED, ROLLED):
        f.store("0", f.at(R, word))
    for which in range(players + 1):
        f.store("0", f.at("%streams", which * STREAM + TAKEN))
    status = play()
    f.line(f"call void @game.row(ptr %S, ptr {R}, i64 {status}, ptr {f.at('%out', f.mul(k, str(row_size(players))))})")


def batch(players: int) -> str:
    """`game.batch(S, streams, first, count, out)`: plays games in a row; `execution/rows.py` reads the rows of `out`."""
    names = ["S", "streams", "first", "count", "out"]
    f = Fn("game.batch", [(n, "i64" if n in ("first", "count") else "ptr") for n in names], public=True)
    R = run(f, {STREAMS: "%streams", PUBLISHED: "1"})
    with f.counting("0", "%count") as k:
        one(f, players, R, k, lambda: f.call("play.game", ["ptr %S", f"ptr {R}"]))
    f.give(str(l.OK))
    return f.text()


def roll(players: int) -> str:
    """`game.roll(source, S, streams, first, count, out)`: the same from a position on, of which `S` is a copy each time."""
    names = ["source", "S", "streams", "first", "count", "out"]
    f = Fn("game.roll", [(n, "i64" if n in ("first", "count") else "ptr") for n in names], public=True)
    weighed = f.test("ne", f.load(f.at("%source", l.WEIGHED)), "0")
    status = f.choose(f.test("eq", f.load(f.at("%source", l.TOP)), "0"), str(l.OVER), str(l.WAITS))
    R = run(f, {STREAMS: "%streams", PUBLISHED: "1"})
    with f.counting("0", "%count") as k:
        context, n = f.load(f.at("%S", l.CONTEXT)), f.load(f.at("%source", l.COUNT))
        f.copy("%S", "%source", f.load(f.at("%source", l.END)))
        f.store(context, f.at("%S", l.CONTEXT))
        f.copy(f.at("%S", -2 * l.MOST_OFFERS), f.at("%source", -2 * l.MOST_OFFERS), n)
        with f.when(weighed):
            f.copy(f.at("%S", -l.MOST_OFFERS), f.at("%source", -l.MOST_OFFERS), n)
        one(f, players, R, k, lambda: f.call("play.on", ["ptr %S", f"ptr {R}", f"i64 {status}"]))
    f.give(str(l.OK))
    return f.text()


def playouts(layout: Layout, players: int) -> str:
    """`game.playouts(S, streams, count, out)`: plays games and adds to `out`; the state of the generator is in `streams`."""
    f = Fn("game.playouts", [("S", "ptr"), ("streams", "ptr"), ("count", "i64"), ("out", "ptr")], public=True)

    def more(place: int, by: str) -> None:
        at = f.at("%out", place)
        f.store(f.add(f.load(at), by), at)

    f.call("quick.begin", ["ptr %streams"])
    R = run(f, {STREAMS: "%streams"})
    with f.counting("0", "%count"):
        for word in (DECIDED, ROLLED):
            f.store("0", f.at(R, word))
        status = f.call("play.game", ["ptr %S", f"ptr {R}"], inside=True)
        over = f.wide(f.test("eq", status, str(l.OVER)))
        more(FINISHED, over)
        more(UNUSUAL, f.sub("1", over))
        for word, place in ((DECIDED, DECISIONS), (ROLLED, CHANCE_EVENTS)):
            more(place, f.load(f.at(R, word)))
        for seat in range(players):
            more(SUMS + seat, f.mul(over, f.load(f.at("%S", layout.at["result"] + WINNERS + players + seat))))
    f.give(str(l.OK))
    return f.text()
