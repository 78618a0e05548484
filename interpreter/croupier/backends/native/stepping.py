"""What Python calls to take steps: functions over one position in memory.

    start()     begins a game; gives how it stands
    take(a)     takes the action `a`; gives how the game stands, or `REFUSED` (nothing has changed), or `DEVIATES`
    ask(seat)   puts on offer what one of those may choose from who choose at the same time; gives how the game stands
    offered()   gives the actions on offer (`reading.py`)
    keep()      gives the position and what is on offer, as bytes: how many words are on offer, those, the position
    put(b)      makes of such bytes what is in memory
    before()    gives the position that the last action was taken in, as such bytes with nothing on offer
    own()       makes the memory the thread's that calls; what `take` gives another one is `ELSEWHERE`, `offered` gives it nothing

How they come to be functions of Python is told in `methods.py`.
"""

from __future__ import annotations

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.methods import Method, declarations
from croupier.backends.native.printer import Printer
from croupier.backends.native.reading import beside, found, how_offered, offered

ENDED, ONE, CHANCE, EVERY, REFUSED, DEVIATES, ELSEWHERE = range(7)
"""How a game stands: nobody acts, one does, chance, several at the same time."""
SEATS = ("", "one", "chance", "every")  # the same in words
METHODS = {"start": 0, "take": 1, "ask": 1, "offered": 0, "keep": 0, "put": 1, "before": 0, "own": 0}  # how many arguments they take


def functions(printer: Printer) -> list[str]:
    """All of them."""
    return [*declarations(), standing(), ending(printer), beside(), found(), start(), take(), ask(), offered(), keep(), put(), before(), own()]


def standing() -> str:
    """`step.stands(S, status)`: how a game stands, after something that gave a status."""
    f = Fn("step.stands", [("S", "ptr"), ("status", "i64")])
    with f.when(f.test("eq", "%status", str(p.DEVIATES))):
        f.give(str(DEVIATES))
    with f.when(f.test("eq", f.load(f.at("%S", p.FRAME)), "0")):
        f.give(str(ENDED))
    alone = f.choose(f.test("eq", f.load(f.at("%S", p.SEAT)), str(p.CHANCE)), str(CHANCE), str(ONE))
    f.give(f.choose(f.test("ne", f.load(f.at("%S", p.EVERY)), "0"), str(EVERY), alone))
    return f.text()


def ending(printer: Printer) -> str:
    """`step.end(S)`: where the position ends that is in memory, in words."""
    f = Fn("step.end", [("S", "ptr")], apart=True)
    frame, nowhere = f.load(f.at("%S", p.FRAME)), f.label()
    with f.when(f.test("eq", frame, "0")):
        f.give(str(printer.plan.stack))
    sizes: dict[int, list[int]] = {}
    for s in printer.sites_come_to():
        sizes.setdefault(printer.plan.frames[s.routine.index].size, []).append(printer.where(s))
    labels = {size: f.label() for size in sizes}
    ways = " ".join(f"i64 {where}, label %{labels[size]}" for size, places in sizes.items() for where in places)
    f.end(f"switch i64 {f.load(f.at('%S', f.add(frame, '1')))}, label %{nowhere} [{ways}]")
    for size, label in labels.items():
        f.place(label)
        f.give(f.add(frame, str(size)))
    f.place(nowhere)
    f.give(f.load("@frames.end"))
    return f.text()


def spare(f: Fn) -> str:
    """Where the position lies that the last action was taken in, behind its size: after all that a position may need."""
    return f.at("%S", f.load("@frames.end"))


# ------------------------------------------------------------ steps
def start() -> str:
    """The method that begins a game."""
    f = Method("start")
    status = f.slot()
    with f.letting_go_on(f.others()):
        f.store(f.call("game.start", ["ptr %S"]), status)
    f.give_number(f.call("step.stands", ["ptr %S", f"i64 {f.load(status)}"]))
    return f.text()


def take() -> str:
    """The method that takes an action, by its number."""
    f = Method("take")
    others, status = f.others(), f.slot()
    with f.when(others), f.when(f.is_elsewhere()):
        f.give_number(str(ELSEWHERE))
    which = f.call("offers.found", ["ptr %S", f"i64 {f.integer()}"])
    with f.when(f.test("lt", which, "0")):
        f.give_number(str(REFUSED))
    with f.letting_go_on(others):
        size, to = f.call("step.end", ["ptr %S"]), spare(f)
        f.store(size, to)
        f.copy(f.at(to, 1), "%S", size)
        f.store(f.call("game.apply", ["ptr %S", f"i64 {which}"]), status)
    f.give_number(f.call("step.stands", ["ptr %S", f"i64 {f.load(status)}"]))
    return f.text()


def ask() -> str:
    """The method that asks a seat what it may choose."""
    f = Method("ask")
    seat, status = f.integer(), f.slot()
    with f.letting_go_on(f.others()):
        f.store(f.call("game.ask", ["ptr %S", f"i64 {seat}"]), status)
    f.give_number(f.call("step.stands", ["ptr %S", f"i64 {f.load(status)}"]))
    return f.text()


# ------------------------------------------------------------ positions
def bytes_of(f: Method, words: str) -> tuple[str, str]:
    """New bytes with room for so many words, and where that is."""
    made = f.or_error(f.python("PyBytes_FromStringAndSize", "null", f.mul(words, "8")))
    return made, f.python("PyBytes_AsString", made)


def keep() -> str:
    """What may be said lies where others forget it (`sayings.py`): it is put back as the rest is."""
    f = Method("keep")
    size, count = f.call("step.end", ["ptr %S"]), f.call("offers.beside", ["ptr %S"])
    made, to = bytes_of(f, f.add(f.add(size, count), "1"))
    said = f.test("eq", how_offered(f)[0], str(p.SAYINGS))
    first = f.choose(said, f.load(f.at("%S", p.SOURCE)), str(p.OFFERS))
    f.store(count, to)
    f.copy(f.at(to, 1), f.at("%S", first), count)
    position = f.at(f.at(to, 1), count)
    f.copy(position, "%S", size)
    with f.when(said):
        f.store(str(p.OFFERS), f.at(position, p.SOURCE))
    f.give_object(made)
    return f.text()


def put() -> str:
    """The method that puts back a position, with what is on offer in it, from the bytes that `keep` gave."""
    f = Method("put")
    kept = f.or_error(f.python("PyBytes_AsString", "%argument"))
    size, count = f.binary("lshr", f.python("PyBytes_Size", "%argument"), "3"), f.load(kept)
    f.copy(f.at("%S", p.OFFERS), f.at(kept, 1), count)
    f.copy("%S", f.at(f.at(kept, 1), count), f.sub(f.sub(size, "1"), count))
    f.give_number("0")
    return f.text()


def before() -> str:
    """The method that gives the position before the last step."""
    f = Method("before")
    size = f.load(spare(f))
    made, to = bytes_of(f, f.add(size, "1"))
    f.store("0", to)
    f.copy(f.at(to, 1), f.at(spare(f), 1), size)
    f.give_object(made)
    return f.text()


def own() -> str:
    """The method that makes the memory the thread's that calls."""
    f = Method("own")
    f.store(f.thread(), f.at("%S", p.OWNER))
    f.give_number("0")
    return f.text()
