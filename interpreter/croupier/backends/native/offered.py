"""Functions over what is on offer, in native code: rows in the order of their actions, rows that are alike as one, one of them by its weight."""

from __future__ import annotations

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn


def functions() -> list[str]:
    """All of them."""
    return [sorting(), merging(), sifting(), drawing()]


def row(f: Fn, k: str) -> str:
    """The address of a row."""
    return f.at("%S", f.add(f.mul(k, str(p.STRIDE)), str(p.OFFERS)))


def sorting() -> str:
    """`offers.sort(S)`: offers in ascending order of actions, of equal ones the first."""
    f = Fn("offers.sort", [("S", "ptr")], apart=True)
    n, kept, place, spare = f.load(f.at("%S", p.COUNT)), f.slot(), f.slot(), f.slot(p.STRIDE)

    def at(k: str) -> str:
        return row(f, k)

    f.store("0", kept)
    size = str(p.STRIDE)
    with f.counting("0", n) as k:
        action, m = f.load(at(k)), f.load(kept)
        f.store(m, place)
        head, body, found, shift, more, put, stays, skip = (f.label() for _ in range(8))
        f.place(head)
        j = f.load(place)
        f.branch(f.test("gt", j, "0"), body, found)
        f.place(body)
        before = f.load(at(f.sub(j, "1")))
        with f.when(f.test("gt", before, action)):
            f.store(f.sub(j, "1"), place)
            f.jump(head)
        f.branch(f.test("eq", before, action), skip, found)
        f.place(found)
        first = f.load(place)
        f.branch(f.test("eq", first, k), stays, shift)  # nothing before it was left out, and nothing comes behind it
        f.place(shift)
        f.copy(spare, at(k), size)
        f.store(m, place)
        above = f.label()
        f.place(above)
        j = f.load(place)
        f.branch(f.test("gt", j, first), more, put)
        f.place(more)
        f.copy(at(j), at(f.sub(j, "1")), size)
        f.store(f.sub(j, "1"), place)
        f.jump(above)
        f.place(put)
        f.copy(at(first), spare, size)
        f.place(stays)
        f.store(f.add(m, "1"), kept)
        f.place(skip)
    f.store(f.load(kept), f.at("%S", p.COUNT))
    f.give(str(p.OK))
    return f.text()


def merging() -> str:
    """`offers.merge(S, least, first, words)`: of rows with the same words, from `first` on, one stays, with the weight of all.

    Rows before `least` stay as they are.
    """
    f = Fn("offers.merge", [("S", "ptr"), ("least", "i64"), ("first", "i64"), ("words", "i64")], apart=True)
    kept = f.slot()
    f.store("%least", kept)
    with f.counting("%least", f.load(f.at("%S", p.COUNT))) as k:
        here, new = row(f, k), f.label()
        with f.counting("%least", f.load(kept)) as j:
            there, other = row(f, j), f.label()
            with f.counting("%first", f.add("%first", "%words")) as n:
                with f.when(f.test("ne", f.load(f.at(here, n)), f.load(f.at(there, n)))):
                    f.jump(other)
            at = f.at(there, p.WEIGHT)
            f.store(f.add(f.load(at), f.load(f.at(here, p.WEIGHT))), at)
            f.jump(new)
            f.place(other)
        m = f.load(kept)
        f.copy(row(f, m), here, str(p.STRIDE))
        f.store(f.add(m, "1"), kept)
        f.place(new)
    f.store(f.load(kept), f.at("%S", p.COUNT))
    f.give(str(p.OK))
    return f.text()


def sifting() -> str:
    """`offers.sift(S)`: without the rows that weigh nothing."""
    f = Fn("offers.sift", [("S", "ptr")], apart=True)
    kept = f.slot()
    f.store("0", kept)
    with f.counting("0", f.load(f.at("%S", p.COUNT))) as k, f.when(f.test("gt", f.load(f.at(row(f, k), p.WEIGHT)), "0")):
        m = f.load(kept)
        f.copy(row(f, m), row(f, k), str(p.STRIDE))
        f.store(f.add(m, "1"), kept)
    f.store(f.load(kept), f.at("%S", p.COUNT))
    f.give(str(p.OK))
    return f.text()


def drawing() -> str:
    """`offers.draw(S, streams, prefix, length, number, which)`: a place, each as likely as it weighs. Weights are shares in lowest terms."""
    params = [("S", "ptr"), ("streams", "ptr"), ("prefix", "ptr"), ("length", "i64"), ("number", "i64"), ("which", "i64")]
    f = Fn("offers.draw", params, apart=True)
    n, common, total, other = f.load(f.at("%S", p.COUNT)), f.slot(), f.slot(), f.slot()
    for place in (common, total):
        f.store("0", place)
    with f.counting("0", n) as k:
        weight = f.load(f.at(row(f, k), p.WEIGHT))
        f.store(f.add(f.load(total), weight), total)
        f.store(weight, other)
        head, more, done = f.label(), f.label(), f.label()
        f.place(head)
        rest = f.load(other)
        f.branch(f.test("ne", rest, "0"), more, done)
        f.place(more)
        before = f.load(common)
        f.store(rest, common)
        f.store(f.binary("urem", before, rest), other)
        f.jump(head)
        f.place(done)
    shares = f.binary("udiv", f.load(total), f.load(common))
    drawn = f.call("uniform", [*(f"{kind} %{name}" for name, kind in params[1:]), f"i64 {shares}"])
    f.store(f.mul(drawn, f.load(common)), total)
    with f.counting("0", n) as k:
        f.store(f.sub(f.load(total), f.load(f.at(row(f, k), p.WEIGHT))), total)
        with f.when(f.test("lt", f.load(total), "0")):
            f.give(k)
    f.give("0")
    return f.text()
