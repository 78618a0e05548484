"""What is on offer, as Python sees it: actions, in whichever way they lie there (`whole.py`)."""

from __future__ import annotations

from collections.abc import Callable

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.methods import Method
from croupier.backends.native.words import WORD


def how_offered(f: Fn) -> tuple[str, str]:
    """In which way things are on offer, and the detail of it."""
    lean = f.load(f.at("%S", p.LEAN))
    return f.binary("and", lean, str((1 << p.LEAN_BITS) - 1)), f.binary("ashr", lean, str(p.LEAN_BITS))


def row_at(f: Fn, k: str) -> str:
    """The word of the position at which a row begins."""
    return f.add(f.mul(k, str(p.STRIDE)), str(p.OFFERS))


def word(f: Fn, index: str) -> str:
    """A word of the position."""
    return f.load(f.at("%S", index))


def bits_set(f: Fn, value: str) -> str:
    """How many bits of a word are set."""
    return f.value(f"call i64 @llvm.ctpop.i64(i64 {value})")


def beside() -> str:
    """`offers.beside(S)`: how many words of what is on offer lie outside of the position."""
    f = Fn("offers.beside", [("S", "ptr")])
    with f.when(f.test("eq", f.load(f.at("%S", p.FRAME)), "0")):
        f.give("0")
    how, detail = how_offered(f)
    count = f.load(f.at("%S", p.COUNT))
    for which, words in ((0, f.mul(count, str(p.STRIDE))), (p.LIST, f.mul(count, detail)), (p.SAYINGS, detail)):
        with f.when(f.test("eq", how, str(which))):
            f.give(words)
    f.give("0")
    return f.text()


def found() -> str:
    """`offers.found(S, action)`: which of the things on offer it is, from 0; -1 if it is none of them."""
    f = Fn("offers.found", [("S", "ptr"), ("action", "i64")], apart=True)
    how, detail = how_offered(f)
    count, source = f.load(f.at("%S", p.COUNT)), f.load(f.at("%S", p.SOURCE))

    def looked_for(wanted: str, at: Callable[[str], str]) -> None:
        with f.counting("0", count) as k:
            with f.when(f.test("eq", word(f, at(k)), wanted)):
                f.give(k)
        f.give("-1")

    with f.when(f.test("eq", how, "0")):
        looked_for("%action", lambda k: row_at(f, k))
    with f.when(f.test("eq", how, str(p.ZONE))):
        looked_for(f.add("%action", detail), lambda k: f.add(source, k))
    one, listed = f.test("eq", how, str(p.BITS)), f.test("eq", how, str(p.LIST))
    words, first = f.choose(one, "1", detail), f.choose(one, str(p.SOURCE), source)
    limit = f.choose(listed, count, f.mul(words, str(WORD)))
    with f.when(f.value(f"icmp uge i64 %action, {limit}")):
        f.give("-1")
    with f.when(listed):
        f.give("%action")
    total, which = f.slot(), f.binary("lshr", "%action", "6")
    mine, bit = word(f, f.add(first, which)), f.binary("shl", "1", f.binary("and", "%action", str(WORD - 1)))
    with f.when(f.test("eq", f.binary("and", mine, bit), "0")):
        f.give("-1")
    f.store(bits_set(f, f.binary("and", mine, f.sub(bit, "1"))), total)
    with f.counting("0", which) as k:
        f.store(f.add(f.load(total), bits_set(f, word(f, f.add(first, k)))), total)
    f.give(f.load(total))
    return f.text()


def offered() -> str:
    """`offered()`: the actions on offer, in ascending order."""
    f = Method("offered")
    with f.when(f.is_elsewhere()):
        f.give_object(f.python("PyList_New", "0"))
    how, detail = how_offered(f)
    count, source, done = f.load(f.at("%S", p.COUNT)), f.load(f.at("%S", p.SOURCE)), f.label()
    made = f.or_error(f.python("PyList_New", count))

    def put(k: str, action: str) -> None:
        item = f.python("PyLong_FromLongLong", action)
        with f.when(f.is_null(item)):
            f.python("Py_DecRef", made)
            f.give_object("null")
        f.python("PyList_SetItem", made, k, item)

    def each(action: Callable[[str], str]) -> None:
        with f.counting("0", count) as k:
            put(k, action(k))
        f.jump(done)

    with f.when(f.test("eq", how, "0")):
        each(lambda k: word(f, row_at(f, k)))
    with f.when(f.test("eq", how, str(p.ZONE))):
        each(lambda k: f.sub(word(f, f.add(source, k)), detail))
    with f.when(f.test("eq", how, str(p.LIST))):
        each(lambda k: k)
    one, n, rest = f.test("eq", how, str(p.BITS)), f.slot(), f.slot()
    words, first = f.choose(one, "1", detail), f.choose(one, str(p.SOURCE), source)
    f.store("0", n)
    with f.counting("0", words) as k:
        f.store(word(f, f.add(first, k)), rest)
        head, more, after = f.label(), f.label(), f.label()
        f.place(head)
        left = f.load(rest)
        f.branch(f.test("ne", left, "0"), more, after)
        f.place(more)
        put(f.load(n), f.add(f.mul(k, str(WORD)), f.value(f"call i64 @llvm.cttz.i64(i64 {left}, i1 true)")))
        f.store(f.binary("and", left, f.sub(left, "1")), rest)
        f.store(f.add(f.load(n), "1"), n)
        f.jump(head)
        f.place(after)
    f.place(done)
    f.give_object(made)
    return f.text()
