"""The whole module of assembly: the functions of the rules, and around them what Python calls.

`game.start(S)` begins, `game.apply(S, n)` takes the n-th thing on offer; both give back a status. `playouts.py` plays whole games with them,
`stepping.py` takes steps.
"""

from __future__ import annotations

from croupier.backends.native import offered, stepping, streams
from croupier.backends.native import plan as p
from croupier.backends.native.called_alike import CalledAlike
from croupier.backends.native.emit import Fn
from croupier.backends.native.encode import Encoder
from croupier.backends.native.finish import comparing
from croupier.backends.native.invariants import invariants
from croupier.backends.native.lines import lines
from croupier.backends.native.playouts import HASH, ROW, batch, playouts
from croupier.backends.native.printer import Printer
from croupier.backends.native.whole import finding
from croupier.runtime.streams import CHANCE, seat_purpose

FEW_RUNS = 8  # functions of routines that may wait: with so few, the driver is put into its callers


def driver(printer: Printer) -> str:
    """`go(S)`: runs until somebody acts or the game is over."""
    f = Fn("go", [("S", "ptr")])
    again, nowhere = f.label(), f.label()
    f.place(again)
    where = f.load(f.at("%S", p.WHERE))
    case = f.binary("and", where, str((1 << p.CASES) - 1))
    labels = [f.label() for _ in printer.runs]
    ways = " ".join(f"i64 {k}, label %{b}" for k, b in enumerate(labels))
    f.end(f"switch i64 {f.binary('lshr', where, str(p.CASES))}, label %{nowhere} [{ways}]")
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
    printer.cells.begin(out)
    return out


def acting(printer: Printer, f: Fn) -> None:
    """An action begins, with all its fuel and an empty arena: nothing has begun inside itself, nobody looks ahead."""
    f.store(str(printer.game.program.limits["fuel"]), f.at("%S", p.FUEL))
    f.store(str(printer.plan.arena), f.at("%S", p.TOP))
    for k in range(printer.depths):
        f.store("0", f.at("%S", p.DEPTHS + k))
    if printer.looks_ahead:
        limit = str(printer.game.program.limits["fuel"])
        for index, value in ((p.SEARCH, "0"), (p.EXAMINED, "0"), (p.TRIED, limit)):
            f.store(value, f.at("%S", index))


def going(printer: Printer, f: Fn) -> str:
    """Go on until somebody acts; where they look ahead, only what is allowed stays on offer."""
    status = f.call("go", ["ptr %S"], inside=len(printer.runs) <= FEW_RUNS)
    return f.call("search.allowed", ["ptr %S", f"i64 {status}"]) if printer.looks_ahead else status


def starting(printer: Printer) -> list[str]:
    """`game.start(S)`, `game.apply(S, n)`, and `game.ask(S, seat)` where several choose at the same time."""
    words = initial(printer)
    begun = f"@initial = internal constant [{len(words)} x i64] [{', '.join(f'i64 {w}' for w in words)}]"
    f = Fn("game.start", [("S", "ptr")])
    f.copy("%S", "@initial", str(len(words)))
    f.store("0", f.at("%S", printer.plan.stack))
    f.store("0", f.at("%S", printer.plan.stack + 1))
    f.store("-1", f.at("%S", printer.plan.stack + 2))
    f.store("0", f.at("%S", printer.plan.stack + p.ABOVE))
    f.store("0", f.at("%S", p.WHERE))
    acting(printer, f)
    if printer.module.watchers:
        with f.when(f.test("ne", f.call("watchers.begin", ["ptr %S"]), str(p.OK))):
            f.give(str(p.DEVIATES))
    f.give(going(printer, f))
    g = Fn("game.apply", [("S", "ptr"), ("n", "i64")])
    g.store("%n", g.at("%S", p.CHOSEN))
    acting(printer, g)
    way = g.load(g.at("%S", g.add(g.mul("%n", str(p.STRIDE)), str(p.OFFERS + 1))))
    way = g.choose(g.test("eq", g.load(g.at("%S", p.LEAN)), "0"), way, "0")  # of a whole, there is one way
    site = g.load(g.at("%S", g.add(g.load(g.at("%S", p.FRAME)), "1")))
    g.store(g.add(site, way), g.at("%S", p.WHERE))
    g.give(going(printer, g))
    a = Fn("game.ask", [("S", "ptr"), ("seat", "i64")])
    a.store("%seat", a.at("%S", p.ASKED))
    acting(printer, a)
    site = a.load(a.at("%S", a.add(a.load(a.at("%S", p.FRAME)), "1")))
    a.store(a.add(site, "1"), a.at("%S", p.WHERE))
    a.give(a.call("go", ["ptr %S"]))
    return [begun, f.text(), g.text(), a.text()]


def assembly(printer: Printer, features: frozenset[str] = frozenset(), *, checked: bool = False) -> str:
    """Everything, for a processor with some of the instructions that `engine.features` names. Whole games of `checked` code test the invariants.

    Raises `Refused`.
    """
    printer.functions()
    purposes = [CHANCE, *(seat_purpose(k) for k in range(printer.game.players))]
    players = printer.game.players
    size, hashed = ROW + 2 * players + HASH, ROW + 2 * players
    texts = [
        comparing(),
        driver(printer),
        *starting(printer),
        *offered.functions(),
        *CalledAlike(printer).functions(),
        *(invariants(printer) if checked else []),
        batch(printer.game.program, players, checked),
        playouts(printer.game.program, players),
        Encoder(printer).text(),
        *stepping.functions(printer),
        *lines(size, ROW, hashed, players),
    ]
    compression = streams.quick_compression() if "sha" in features else [streams.compression()]
    tools = [*streams.declarations(), *compression, streams.hashing(), streams.decimal(), *streams.uniform(purposes), *finding("bmi2" in features)]
    overflow = "declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)\ndeclare i64 @llvm.cttz.i64(i64, i1)\ndeclare i64 @llvm.ctlz.i64(i64, i1)"
    room = f"@frames.end = internal constant i64 {printer.plan.end}"
    return "\n".join([overflow, room, *tools, *printer.constants.lines, *printer.texts, *texts]) + "\n"
