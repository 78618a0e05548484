"""The whole module of assembly: the functions of the rules, and around them what Python calls.

`game.start(S)` begins, `game.apply(S, n)` takes the n-th thing on offer, and `game.batch` plays whole games by the published random streams, seats by
chance, and writes a row for each. All give back a status.
"""

from __future__ import annotations

from croupier.backends.native import offered, streams
from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.encode import Encoder
from croupier.backends.native.finish import comparing
from croupier.backends.native.lines import lines
from croupier.backends.native.printer import CASES, Printer
from croupier.backends.native.streams import STREAM
from croupier.runtime.streams import CHANCE, seat_purpose

ROW = 6  # words of a row before returns and scores: status, decisions, chance events, winners, whether there are scores, grade; then the hash
HASH = 4


def driver(printer: Printer) -> str:
    """`go(S)`: runs until somebody acts or the game is over."""
    f = Fn("go", [("S", "ptr")])
    again, nowhere = f.label(), f.label()
    f.place(again)
    where = f.load(f.at("%S", p.WHERE))
    case = f.binary("and", where, str((1 << CASES) - 1))
    labels = [f.label() for _ in printer.runs]
    ways = " ".join(f"i64 {k}, label %{b}" for k, b in enumerate(labels))
    f.end(f"switch i64 {f.binary('lshr', where, str(CASES))}, label %{nowhere} [{ways}]")
    for k, b in enumerate(labels):
        f.place(b)
        status = f.call(f"f{k}", ["ptr %S", f"i64 {case}"])
        with f.when(f.test("eq", status, str(p.GOES))):
            f.jump(again)
        f.give(status)
    f.place(nowhere)
    f.give(str(p.DEVIATES))
    return f.text()


def initial(printer: Printer) -> list[int]:
    """The words of a position before anything has happened."""
    game, plan = printer.game, printer.plan
    out = [0] * plan.stack
    for v in game.variables:
        at = plan.vars[v.index]
        out[at : at + printer.words.room(v.type)] = printer.words.spread(game.start_vars[v.index], v.type)
    out[plan.where : plan.where + len(game.pieces)] = [-1] * len(game.pieces)
    for z, items in enumerate(game.start_zones):
        at, n = plan.zones[z], 0
        for item in items:
            for k, piece in enumerate(item if isinstance(item, tuple) else (item,)):
                n += 1
                out[at + n] = piece
                out[at + plan.capacity[z] + n] = 0 if not isinstance(item, tuple) else 2 if k else 1
                out[plan.where + piece] = z
        out[at] = n
    out[p.FRAME], out[p.GRADE], out[p.ASKED] = plan.stack, -1, -1
    return out


def starting(printer: Printer) -> list[str]:
    """`game.start(S)`, `game.apply(S, n)`, and `game.ask(S, seat)` where several choose at the same time."""
    fuel = str(printer.game.program.limits["fuel"])
    words = initial(printer)
    begun = f"@initial = internal constant [{len(words)} x i64] [{', '.join(f'i64 {w}' for w in words)}]"
    f = Fn("game.start", [("S", "ptr")], public=True)
    f.copy("%S", "@initial", str(len(words)))
    f.store("0", f.at("%S", printer.plan.stack))
    f.store("0", f.at("%S", printer.plan.stack + 1))
    f.store("-1", f.at("%S", printer.plan.stack + 2))
    f.store("0", f.at("%S", p.WHERE))
    f.store(fuel, f.at("%S", p.FUEL))
    f.store(str(p.ARENA), f.at("%S", p.TOP))
    for k, w in enumerate(printer.module.watchers):
        if w.kind == "watch":
            status = f.call(f"look{k}", ["ptr %S", f"ptr {f.at('%S', printer.plan.seen[k])}"])
            with f.when(f.test("ne", status, str(p.OK))):
                f.give(str(p.DEVIATES))
    f.give(f.call("go", ["ptr %S"]))
    g = Fn("game.apply", [("S", "ptr"), ("n", "i64")], public=True)
    g.store("%n", g.at("%S", p.CHOSEN))
    g.store(fuel, g.at("%S", p.FUEL))
    g.store(str(p.ARENA), g.at("%S", p.TOP))
    way = g.load(g.at("%S", g.add(g.mul("%n", str(p.STRIDE)), str(p.OFFERS + 1))))
    site = g.load(g.at("%S", g.add(g.load(g.at("%S", p.FRAME)), "1")))
    g.store(g.add(site, way), g.at("%S", p.WHERE))
    g.give(g.call("go", ["ptr %S"]))
    a = Fn("game.ask", [("S", "ptr"), ("seat", "i64")], public=True)
    a.store("%seat", a.at("%S", p.ASKED))
    a.store(fuel, a.at("%S", p.FUEL))
    a.store(str(p.ARENA), a.at("%S", p.TOP))
    site = a.load(a.at("%S", a.add(a.load(a.at("%S", p.FRAME)), "1")))
    a.store(a.add(site, "1"), a.at("%S", p.WHERE))
    a.give(a.call("go", ["ptr %S"]))
    return [begun, f.text(), g.text(), a.text()]


def rollouts(printer: Printer) -> str:
    """`game.batch(S, streams, prefix, length, text, first, count, out)`: plays games in a row; a row of `out` is what `rows.py` reads."""
    game, plan = printer.game, printer.plan
    limits, purposes = game.program.limits, game.players + 1
    f = Fn(
        "game.batch",
        [("S", "ptr"), ("streams", "ptr"), ("prefix", "ptr"), ("length", "i64"), ("text", "ptr"), ("first", "i64"), ("count", "i64"), ("out", "ptr")],
        public=True,
    )  # fmt: skip
    size = ROW + 2 * game.players + HASH
    counts, status = [f.slot(), f.slot()], f.slot()
    with f.counting("0", "%count") as k:
        number, row = f.add("%first", k), f.at("%out", f.mul(k, str(size)))
        for which in range(purposes):
            f.store("0", f.at("%streams", which * STREAM))
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
            with f.when(f.test("ge", done, str(limits[limit]))):
                f.store(str(p.DEVIATES), status)
                f.jump(over)
            mine = f.wide(f.test("lt" if by else "ge", seat, "0"))
            f.store(f.add(done, mine), c)
        args = ["ptr %streams", "ptr %prefix", "i64 %length", f"i64 {number}", f"i64 {f.add(seat, '1')}"]
        done, chosen = f.label(), f.slot()
        weighed = f.both(f.test("lt", seat, "0"), f.test("ne", f.load(f.at("%S", p.WEIGHED)), "0"))
        with f.when(weighed):
            f.store(f.call("offers.draw", ["ptr %S", *args]), chosen)
            f.jump(done)
        f.store(f.call("uniform", [*args, f"i64 {f.load(f.at('%S', p.COUNT))}"]), chosen)
        f.place(done)
        f.store(f.call("game.apply", ["ptr %S", f"i64 {f.load(chosen)}"]), status)
        f.jump(head)
        f.place(over)
        heads = [f.load(status), *map(f.load, counts), *(f.load(f.at("%S", w)) for w in (p.WINNERS, p.SCORED, p.GRADE))]
        for n, v in enumerate(heads):
            f.store(v, f.at(row, n))
        f.copy(f.at(row, ROW), f.at("%S", p.RETURNS), str(2 * game.players))
        with f.when(f.test("eq", f.load(status), str(p.OVER))):
            size_of = f.call("position", ["ptr %S", "ptr %text"])
            to = f.at(row, ROW + 2 * game.players)
            f.call("sha.all", ["ptr %text", f"i64 {size_of}", f"ptr {to}"])
            for n in range(2 * HASH):
                at = f.at(to, n, "i32")
                f.store(f.value(f"call i32 @llvm.bswap.i32(i32 {f.load(at, 'i32')})"), at, "i32")
    f.give(str(p.OK))
    assert plan.scores == p.RETURNS + game.players
    return f.text()


def assembly(printer: Printer, quick: bool = False) -> str:
    """Everything; `quick`: for a processor with instructions for SHA-256. Raises `Refused`."""
    printer.functions()
    purposes = [CHANCE, *(seat_purpose(k) for k in range(printer.game.players))]
    players = printer.game.players
    size, hashed = ROW + 2 * players + HASH, ROW + 2 * players
    texts = [
        comparing(),
        driver(printer),
        *starting(printer),
        *offered.functions(),
        rollouts(printer),
        Encoder(printer).text(),
        *lines(size, ROW, hashed, players),
    ]
    compression = streams.quick_compression() if quick else [streams.compression()]
    tools = [*streams.declarations(), *compression, streams.hashing(), streams.decimal(), *streams.uniform(purposes)]
    overflow = "declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)\ndeclare i64 @llvm.cttz.i64(i64, i1)"
    return "\n".join([overflow, *tools, *printer.constants.lines, *printer.texts, *texts]) + "\n"
