"""What Python calls to take steps: functions over one position in memory.

    alone()     gives 1 if the memory is that of the only thread of Python, otherwise 0
    start()     begins a game; gives how it stands
    of(seat)    says whose choice the next `take` is, where several choose at the same time
    take(a)     takes the action `a`; gives how the game stands, or `REFUSED` (nothing has changed), or `DEVIATES`
    offered()   gives the actions on offer to the one who acts; nothing where that cannot be found out, or another thread asks
    settle()    brings what is on offer in order, as words; gives 0 if that can be found out
    keep()      gives the position and what is on offer, as bytes: how many things are on offer, whether they have weights, how many words the
                position has, then all these words, packed
    put(b)      makes of such bytes what is in memory
    before()    gives the position that the last action was taken in, as bytes: its words
    own()       makes the memory the thread's that calls; what `take` gives another one is `ELSEWHERE`, `offered` gives it nothing

How they come to be functions of Python is told in `python_calls.py`.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.operations import CHANCE as BY_CHANCE
from croupier.core.operations import SEVERAL
from croupier.printers import llvm_layout as l
from croupier.printers.assembly import Fn
from croupier.printers.llvm_layout import Layout
from croupier.printers.python_calls import Method, declarations

ENDED, ONE, CHANCE, EVERY, REFUSED, BAILOUT, ELSEWHERE = range(7)
"""How a game stands: nobody acts, one does, chance, several at the same time."""
SEATS = ("", "one", "chance", "every")  # the same in words
NO_ARGUMENT = ("is_only_thread", "start", "legal_actions", "prepare_offers", "save", "previous_position", "claim")
ONE_ARGUMENT = ("set_seat", "apply", "load")
METHODS = dict.fromkeys(NO_ARGUMENT, 0) | dict.fromkeys(ONE_ARGUMENT, 1)  # how many arguments they take
ACTIONS, WEIGHTS = -2 * l.MOST_OFFERS, -l.MOST_OFFERS
OWN = (l.CONTEXT, l.OWNER)  # words that are the memory's, not the position's
EIGHT, SIZES = "<8 x i64>", (0, 1, 2, 4, 8)  # words that are packed together, and the bytes that each of them may take


def methods(layout: Layout) -> list[str]:
    """All of them."""
    spare = layout.end  # where the position lies that the last action was taken in, behind its size
    whole = [standing(), settling(), found(), pack(), unpack()]
    return [*declarations(), *whole, alone(), start(), of(), take(spare), offered(), settle(), keep(2 * spare + 1), put(), before(spare), own()]


def memory_words(before: int, end: int) -> int:
    """Words of the memory that all of them need for positions that have so many, behind and from their header on."""
    return before + 2 * end + 1 + (end + 2 * l.MOST_OFFERS) * 9 // 8 + 32


def standing() -> str:
    """`step.stands(S, status)`: how a game stands, after something that gave a status."""
    f = Fn("step.stands", [("S", "ptr"), ("status", "i64")])
    fine = f.either(f.test("eq", "%status", str(l.WAITS)), f.test("eq", "%status", str(l.OVER)))
    with f.when(f.binary("xor", fine, "true", "i1")):
        f.give(str(BAILOUT))
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


def alone() -> str:
    """The method that says whether there are no other threads."""
    f = Method("is_only_thread")
    f.give_number(f.wide(f.binary("xor", f.either(f.others(), f.is_elsewhere()), "true", "i1")))
    return f.text()


def of() -> str:
    """The method that says who chooses."""
    f = Method("set_seat")
    f.store(f.integer(), f.at("%S", l.CHOSEN_SEAT))
    f.give_number("0")
    return f.text()


def take(spare: int) -> str:
    """The method that takes an action, by its number."""
    f = Method("apply")
    others, status = f.others(), f.slot()
    with f.when(others), f.when(f.is_elsewhere()):
        f.give_number(str(ELSEWHERE))
    action = f.integer()
    size, to = f.load(f.at("%S", l.END)), f.at("%S", spare)
    f.store(size, to)
    f.copy(f.at(to, 1), "%S", size)
    with f.when(f.test("ne", f.call("step.settle", ["ptr %S"]), str(l.OK))):
        f.give_number(str(BAILOUT))
    with f.when(f.test("eq", f.call("step.found", ["ptr %S", f"i64 {action}"]), "0")):
        f.give_number(str(REFUSED))
    with f.letting_go_on(others):
        f.store("0", f.at("%S", l.SETTLED))
        f.store(f.call("game.apply", ["ptr %S", f"i64 {action}", f"i64 {f.load(f.at('%S', l.CHOSEN_SEAT))}"]), status)
    f.give_number(f.call("step.stands", ["ptr %S", f"i64 {f.load(status)}"]))
    return f.text()


def offered() -> str:
    """The method that gives what is on offer, as a list."""
    f = Method("legal_actions")
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
    f = Method("prepare_offers")
    f.give_number(f.call("step.settle", ["ptr %S"]))
    return f.text()


# ------------------------------------------------------------ positions
def pack() -> str:
    """`words.pack(from, n, to)`: words in eights, each behind a byte that says of how many bytes they are; gives the address behind them.

    None is the least number of so many bytes. Up to seven words behind the last may be packed as well.
    """
    f = Fn("words.pack", [("from", "ptr"), ("n", "i64"), ("to", "ptr")], apart=True)
    to = f.slot()
    f.store("%to", to, "ptr")
    with f.counting("0", f.binary("lshr", f.add("%n", "7"), "3")) as k:
        these = f.value(f"load {EIGHT}, ptr {f.at('%from', f.mul(k, '8'))}, align 8")
        nones = f.value(f"icmp eq {EIGHT} {these}, {eight(op.NONE)}")
        here, next_ = f.load(to, "ptr"), f.label()
        for size in SIZES:
            limit = (1 << 8 * size - 1) - 1 if size else 0
            found, other = f.label(), f.label()
            if size < 8:
                some = f.value(f"select <8 x i1> {nones}, {EIGHT} {eight(0)}, {EIGHT} {these}") if size else these
                fit = f.value(f"icmp ule {EIGHT} {f.value(f'add {EIGHT} {some}, {eight(limit)}')}, {eight(2 * limit)}")
                f.branch(f.value(f"icmp eq i8 {f.value(f'bitcast <8 x i1> {fit} to i8')}, -1"), found, other)
            else:
                f.jump(found)
            f.place(found)
            f.store(str(size), here, "i8")
            if size:
                least = f.value(f"select <8 x i1> {nones}, {EIGHT} {eight(-limit - 1)}, {EIGHT} {these}") if size < 8 else these
                short = f.value(f"trunc {EIGHT} {least} to <8 x i{8 * size}>") if size < 8 else these
                f.line(f"store <8 x i{8 * size}> {short}, ptr {f.at(here, 1, 'i8')}, align 1")
            f.store(f.at(here, 8 * size + 1, "i8"), to, "ptr")
            f.jump(next_)
            if size < 8:
                f.place(other)
        f.place(next_)
    f.give(f.address(f.load(to, "ptr")))
    return f.text()


def unpack() -> str:
    """`words.unpack(from, n, to)`: the words that were packed; gives the address behind what was read."""
    f = Fn("words.unpack", [("from", "ptr"), ("n", "i64"), ("to", "ptr")], apart=True)
    at = f.slot()
    f.store("%from", at, "ptr")
    with f.counting("0", f.binary("lshr", f.add("%n", "7"), "3")) as k:
        here, there, next_ = f.load(at, "ptr"), f.at("%to", f.mul(k, "8")), f.label()
        labels = {size: f.label() for size in SIZES}
        ways = " ".join(f"i8 {size}, label %{label}" for size, label in labels.items() if size < 8)
        f.end(f"switch i8 {f.load(here, 'i8')}, label %{labels[8]} [{ways}]")
        for size, label in labels.items():
            f.place(label)
            these = eight(0)
            if size:
                short = f.value(f"load <8 x i{8 * size}>, ptr {f.at(here, 1, 'i8')}, align 1")
                these = f.value(f"sext <8 x i{8 * size}> {short} to {EIGHT}") if size < 8 else short
            if 0 < size < 8:
                nones = f.value(f"icmp eq {EIGHT} {these}, {eight(-(1 << 8 * size - 1))}")
                these = f.value(f"select <8 x i1> {nones}, {EIGHT} {eight(op.NONE)}, {EIGHT} {these}")
            f.line(f"store {EIGHT} {these}, ptr {there}, align 8")
            f.store(f.at(here, 8 * size + 1, "i8"), at, "ptr")
            f.jump(next_)
        f.place(next_)
    f.give(f.address(f.load(at, "ptr")))
    return f.text()


def eight(word: int) -> str:
    """The same word eight times."""
    return f"<{', '.join([f'i64 {word}'] * 8)}>"


def keep(room: int) -> str:
    """The method that gives what is in memory, as bytes; there is `room` to make them in."""
    f = Method("save")
    with f.when(f.test("ne", f.load(f.at("%S", l.MESSY)), "0")):
        f.line("call void @offers.order(ptr %S)")
    f.line("call void @offers.spread(ptr %S)")
    over, size, weighed = f.test("eq", f.load(f.at("%S", l.TOP)), "0"), f.load(f.at("%S", l.END)), f.load(f.at("%S", l.WEIGHED))
    n, made, mine = f.choose(over, "0", f.load(f.at("%S", l.COUNT))), f.at("%S", room), [f.load(f.at("%S", word)) for word in OWN]
    for word in OWN:
        f.store("0", f.at("%S", word))
    f.store(n, made)
    f.store(weighed, f.at(made, 1))
    f.store(size, f.at(made, 2))
    at = f.address(f.at(made, 3))
    for start, count in ((f.at("%S", ACTIONS), n), (f.at("%S", WEIGHTS), f.mul(n, weighed)), ("%S", size)):
        at = f.call("words.pack", [f"ptr {start}", f"i64 {count}", f"ptr {f.pointer(at)}"])
    for word, value in zip(OWN, mine, strict=True):
        f.store(value, f.at("%S", word))
    f.give_object(f.python("PyBytes_FromStringAndSize", made, f.sub(at, f.address(made))))
    return f.text()


def put() -> str:
    """The method that puts back a position, with what is on offer in it, from the bytes that `keep` gave."""
    f = Method("load")
    kept = f.or_error(f.python("PyBytes_AsString", "%argument"))
    n, weighed, size = (f.load(f.at(kept, k)) for k in range(3))
    at, mine = f.address(f.at(kept, 3)), [f.load(f.at("%S", word)) for word in OWN]
    for start, count in ((f.at("%S", ACTIONS), n), (f.at("%S", WEIGHTS), f.mul(n, weighed)), ("%S", size)):
        at = f.call("words.unpack", [f"ptr {f.pointer(at)}", f"i64 {count}", f"ptr {start}"])
    for word, value in zip(OWN, mine, strict=True):
        f.store(value, f.at("%S", word))
    f.give_number("0")
    return f.text()


def before(spare: int) -> str:
    """The method that gives the position before the last step."""
    f = Method("previous_position")
    held = f.at("%S", spare)
    f.give_object(f.python("PyBytes_FromStringAndSize", f.at(held, 1), f.mul(f.load(held), "8")))
    return f.text()


def own() -> str:
    """The method that makes the memory the thread's that calls."""
    f = Method("claim")
    f.store(f.thread(), f.at("%S", l.OWNER))
    f.give_number("0")
    return f.text()
