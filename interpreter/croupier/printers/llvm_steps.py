"""What Python calls to take steps: functions over one position in memory.

    start()     begins a game; gives how it stands
    of(seat)    says whose choice the next `take` is, where several choose at the same time
    take(a)     takes the action `a`; gives how the game stands, or `REFUSED` (nothing has changed), or `DEVIATES`
    offered()   gives the actions on offer to the one who acts; nothing where that cannot be found out, or another thread asks
    settle()    brings what is on offer in order, as words; gives 0 if that can be found out
    keep()      gives the position and what is on offer, as bytes: how many words are on offer, those, the position
    put(b)      makes of such bytes what is in memory
    before()    gives the position that the last action was taken in, as such bytes with nothing on offer
    own()       makes the memory the thread's that calls; what `take` gives another one is `ELSEWHERE`, `offered` gives it nothing

How they come to be functions of Python is told in `python_calls.py`.
"""

from __future__ import annotations

from croupier.core.operations import CHANCE as BY_CHANCE
from croupier.core.operations import SEVERAL
from croupier.printers import llvm_layout as l
from croupier.printers.assembly import Fn
from croupier.printers.llvm_layout import Layout
from croupier.printers.python_calls import Method, declarations

ENDED, ONE, CHANCE, EVERY, REFUSED, DEVIATES, ELSEWHERE = range(7)
"""How a game stands: nobody acts, one does, chance, several at the same time."""
SEATS = ("", "one", "chance", "every")  # the same in words
METHODS = {"start": 0, "of": 1, "take": 1, "offered": 0, "settle": 0, "keep": 0, "put": 1, "before": 0, "own": 0}  # how many arguments they take
ACTIONS, WEIGHTS = -2 * l.MOST_OFFERS, -l.MOST_OFFERS


def methods(layout: Layout) -> list[str]:
    """All of them."""
    spare = layout.end  # where the position lies that the last action was taken in, behind its size
    return [*declarations(), standing(), settling(), found(), start(), of(), take(spare), offered(), settle(), keep(), put(), before(spare), own()]


def standing() -> str:
    """`step.stands(S, status)`: how a game stands, after something that gave a status."""
    f = Fn("step.stands", [("S", "ptr"), ("status", "i64")])
    fine = f.either(f.test("eq", "%status", str(l.WAITS)), f.test("eq", "%status", str(l.OVER)))
    with f.when(f.binary("xor", fine, "true", "i1")):
        f.give(str(DEVIATES))
    with f.when(f.test("eq", f.load(f.at("%S", l.TOP)), "0")):
        f.give(str(ENDED))
    seat = f.load(f.at("%S", l.SEAT))
    alone = f.choose(f.test("eq", seat, str(BY_CHANCE)), str(CHANCE), str(ONE))
    f.give(f.choose(f.test("eq", seat, str(SEVERAL)), str(EVERY), alone))
    return f.text()


def settling() -> str:
    """`step.settle(S)`: what is on offer one by one and in order, without what leads nowhere; gives OK if that can be found out."""
    f = Fn("step.settle", [("S", "ptr")], apart=True)
    with f.when(f.test("ne", f.load(f.at("%S", l.SETTLED)), "0")):
        f.give(str(l.OK))
    with f.when(f.test("ne", f.load(f.at("%S", l.MESSY)), "0")):
        f.line("call void @offers.order(ptr %S)")
    f.line("call void @offers.spread(ptr %S)")
    waits = f.test("ne", f.load(f.at("%S", l.TOP)), "0")
    with f.when(f.both(waits, f.test("ne", f.load(f.at("%S", l.SEAT)), str(BY_CHANCE)))):
        status = f.call("offers.allowed", ["ptr %S"])
        with f.when(f.test("ne", status, str(l.OK))):
            f.give(status)
    f.store("1", f.at("%S", l.SETTLED))
    f.give(str(l.OK))
    return f.text()


def found() -> str:
    """`step.found(S, action)`: an i64, is an action on offer? Where several choose it is asked for who was named last."""
    f = Fn("step.found", [("S", "ptr"), ("action", "i64")])
    actions, weights = f.at("%S", ACTIONS), f.at("%S", WEIGHTS)
    several, who = f.test("eq", f.load(f.at("%S", l.SEAT)), str(SEVERAL)), f.load(f.at("%S", l.CHOSEN_SEAT))
    with f.when(f.test("eq", f.load(f.at("%S", l.TOP)), "0")):
        f.give("0")
    with f.counting("0", f.load(f.at("%S", l.COUNT))) as i, f.when(f.test("eq", f.load(f.at(actions, i)), "%action")):
        alone = f.binary("xor", several, "true", "i1")
        with f.when(alone):
            f.give("1")
        with f.when(f.test("eq", f.load(f.at(weights, i)), who)):
            f.give("1")
    f.give("0")
    return f.text()


# ------------------------------------------------------------ steps
def start() -> str:
    """The method that begins a game."""
    f = Method("start")
    status = f.slot()
    owner = f.load(f.at("%S", l.OWNER))
    with f.letting_go_on(f.others()):
        f.store(f.call("game.start", ["ptr %S"]), status)
        f.store(owner, f.at("%S", l.OWNER))
    f.give_number(f.call("step.stands", ["ptr %S", f"i64 {f.load(status)}"]))
    return f.text()


def of() -> str:
    """The method that says who chooses."""
    f = Method("of")
    f.store(f.integer(), f.at("%S", l.CHOSEN_SEAT))
    f.give_number("0")
    return f.text()


def take(spare: int) -> str:
    """The method that takes an action, by its number."""
    f = Method("take")
    others, status = f.others(), f.slot()
    with f.when(others), f.when(f.is_elsewhere()):
        f.give_number(str(ELSEWHERE))
    action = f.integer()
    size, to = f.load(f.at("%S", l.END)), f.at("%S", spare)
    f.store(size, to)
    f.copy(f.at(to, 1), "%S", size)
    with f.when(f.test("ne", f.call("step.settle", ["ptr %S"]), str(l.OK))):
        f.give_number(str(DEVIATES))
    with f.when(f.test("eq", f.call("step.found", ["ptr %S", f"i64 {action}"]), "0")):
        f.give_number(str(REFUSED))
    with f.letting_go_on(others):
        f.store("0", f.at("%S", l.SETTLED))
        f.store(f.call("game.apply", ["ptr %S", f"i64 {action}", f"i64 {f.load(f.at('%S', l.CHOSEN_SEAT))}"]), status)
    f.give_number(f.call("step.stands", ["ptr %S", f"i64 {f.load(status)}"]))
    return f.text()


def offered() -> str:
    """The method that gives what is on offer, as a list."""
    f = Method("offered")
    with f.when(f.is_elsewhere()):
        f.give_object(f.python("PyList_New", "0"))
    with f.when(f.test("ne", f.call("step.settle", ["ptr %S"]), str(l.OK))):
        f.give_object(f.python("PyList_New", "0"))
    several, who = f.test("eq", f.load(f.at("%S", l.SEAT)), str(SEVERAL)), f.load(f.at("%S", l.CHOSEN_SEAT))
    actions, weights, n, mine = f.at("%S", ACTIONS), f.at("%S", WEIGHTS), f.load(f.at("%S", l.COUNT)), f.slot()
    f.store("0", mine)
    over = f.test("eq", f.load(f.at("%S", l.TOP)), "0")
    with f.when(over):
        f.give_object(f.python("PyList_New", "0"))

    def chosen(i: str) -> str:
        return f.either(f.binary("xor", several, "true", "i1"), f.test("eq", f.load(f.at(weights, i)), who))

    with f.counting("0", n) as i:
        f.store(f.add(f.load(mine), f.wide(chosen(i))), mine)
    made = f.or_error(f.python("PyList_New", f.load(mine)))
    f.store("0", mine)
    with f.counting("0", n) as i, f.when(chosen(i)):
        at = f.load(mine)
        f.python("PyList_SetItem", made, at, f.python("PyLong_FromLongLong", f.load(f.at(actions, i))))
        f.store(f.add(at, "1"), mine)
    f.give_object(made)
    return f.text()


def settle() -> str:
    """The method that brings what is on offer in order."""
    f = Method("settle")
    f.give_number(f.call("step.settle", ["ptr %S"]))
    return f.text()


# ------------------------------------------------------------ positions
def bytes_of(f: Method, words: str) -> tuple[str, str]:
    """New bytes with room for so many words, and where that is."""
    made = f.or_error(f.python("PyBytes_FromStringAndSize", "null", f.mul(words, "8")))
    return made, f.python("PyBytes_AsString", made)


def keep() -> str:
    """The method that gives what is in memory, as bytes."""
    f = Method("keep")
    with f.when(f.test("ne", f.load(f.at("%S", l.MESSY)), "0")):
        f.line("call void @offers.order(ptr %S)")
    f.line("call void @offers.spread(ptr %S)")
    over = f.test("eq", f.load(f.at("%S", l.TOP)), "0")
    size, n, weighed = f.load(f.at("%S", l.END)), f.choose(over, "0", f.load(f.at("%S", l.COUNT))), f.load(f.at("%S", l.WEIGHED))
    both = f.add(n, f.mul(n, weighed))
    made, to = bytes_of(f, f.add(f.add(size, both), "1"))
    f.store(both, to)
    first = f.at(to, 1)
    f.copy(first, f.at("%S", ACTIONS), n)
    f.copy(f.at(first, n), f.at("%S", WEIGHTS), f.mul(n, weighed))
    f.copy(f.at(first, both), "%S", size)
    f.give_object(made)
    return f.text()


def put() -> str:
    """The method that puts back a position, with what is on offer in it, from the bytes that `keep` gave."""
    f = Method("put")
    kept = f.or_error(f.python("PyBytes_AsString", "%argument"))
    size, both = f.binary("lshr", f.python("PyBytes_Size", "%argument"), "3"), f.load(kept)
    first, mine = f.at(kept, 1), [(word, f.load(f.at("%S", word))) for word in (l.CONTEXT, l.OWNER)]
    f.copy("%S", f.at(first, both), f.sub(f.sub(size, "1"), both))
    for word, value in mine:
        f.store(value, f.at("%S", word))
    n = f.binary("lshr", both, f.load(f.at("%S", l.WEIGHED)))
    f.copy(f.at("%S", ACTIONS), first, n)
    f.copy(f.at("%S", WEIGHTS), f.at(first, n), f.sub(both, n))
    f.give_number("0")
    return f.text()


def before(spare: int) -> str:
    """The method that gives the position before the last step."""
    f = Method("before")
    held = f.at("%S", spare)
    size = f.load(held)
    made, to = bytes_of(f, f.add(size, "1"))
    f.store("0", to)
    f.copy(f.at(to, 1), f.at(held, 1), size)
    f.give_object(made)
    return f.text()


def own() -> str:
    """The method that makes the memory the thread's that calls."""
    f = Method("own")
    f.store(f.thread(), f.at("%S", l.OWNER))
    f.give_number("0")
    return f.text()
