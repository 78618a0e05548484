"""What is made of the rows of a batch of games that are over.

`game.lines(rows, first, count, text)` writes the lines of `play/record.py`, and gives how many bytes that were.
`rows.count(words, stride, count, low, size, out)` counts how often each value from `low` on is in a column, and gives how many are others.
"""

from __future__ import annotations

from croupier.printers.assembly import Fn

FINISHED = " finished "


def longest_line(players: int) -> int:
    """How many bytes a line may take."""
    return len(FINISHED) + 21 * (players + 3)


def decimal() -> str:
    """`put.decimal(at, n)`: writes a number with 64 bits in decimal (a sign before a negative one) and gives the address behind it."""
    f = Fn("put.decimal", [("at", "ptr"), ("n", "i64")], apart=True)
    digits, count, left, to = f.slot(3), f.slot(), f.slot(), f.slot()
    f.store("0", count)
    f.store("%at", to, "ptr")
    f.store("%n", left)
    with f.when(f.value("icmp ult i64 %n, 10")):
        f.store(f.value(f"trunc i64 {f.add('%n', '48')} to i8"), "%at", "i8")
        f.give(f.address(f.at("%at", 1, "i8")))
    with f.when(f.test("lt", "%n", "0")):
        f.store("45", "%at", "i8")
        f.store(f.at("%at", 1, "i8"), to, "ptr")
        f.store(f.sub("0", "%n"), left)
    head, after = f.label(), f.label()
    f.place(head)
    n = f.load(left)
    rest = f.binary("udiv", n, "10")
    digit = f.value(f"trunc i64 {f.add(f.sub(n, f.mul(rest, '10')), '48')} to i8")
    c = f.load(count)
    f.store(digit, f.at(digits, c, "i8"), "i8")
    f.store(f.add(c, "1"), count)
    f.store(rest, left)
    f.branch(f.test("eq", rest, "0"), after, head)
    f.place(after)
    total = f.load(count)
    start = f.load(to, "ptr")
    with f.counting("0", total) as i:
        f.store(f.load(f.at(digits, f.sub(f.sub(total, "1"), i), "i8"), "i8"), f.at(start, i, "i8"), "i8")
    f.give(f.address(f.at(start, total, "i8")))
    return f.text()


def lines(size: int, counts: int, returns: int, players: int) -> list[str]:
    """`size` is that of a row in words, `counts` (of decisions, then of chance events) and `returns` are places in it."""
    f = Fn("game.lines", [("rows", "ptr"), ("first", "i64"), ("count", "i64"), ("text", "ptr")], public=True)
    to = f.slot()
    f.store("%text", to, "ptr")

    def raw(text: str) -> None:
        at = f.load(to, "ptr")
        for k, byte in enumerate(text.encode("ascii")):
            f.store(str(byte), f.at(at, k, "i8"), "i8")
        f.store(f.at(at, len(text), "i8"), to, "ptr")

    def number(value: str) -> None:
        f.store(f.pointer(f.call("put.decimal", [f"ptr {f.load(to, 'ptr')}", f"i64 {value}"])), to, "ptr")

    with f.counting("0", "%count") as k:
        row = f.at("%rows", f.mul(k, str(size)))
        number(f.add("%first", k))
        raw(FINISHED)
        for seat in range(players):
            if seat:
                raw(",")
            number(f.load(f.at(row, returns + seat)))
        for n in range(2):
            raw(" ")
            number(f.load(f.at(row, counts + n)))
        raw("\n")
    f.give(f.sub(f.address(f.load(to, "ptr")), f.address("%text")))
    return [decimal(), f.text(), tallied()]


def tallied() -> str:
    """`rows.count`."""
    numbers = ("stride", "count", "low", "size")
    f = Fn("rows.count", [("words", "ptr"), *((n, "i64") for n in numbers), ("out", "ptr")], public=True)
    others = f.slot()
    f.store("0", others)
    with f.counting("0", "%count") as k:
        place = f.sub(f.load(f.at("%words", f.mul(k, "%stride"))), "%low")
        there = f.value(f"icmp ult i64 {place}, %size")
        f.store(f.add(f.load(others), f.wide(f.binary("xor", there, "true", "i1"))), others)
        with f.when(there):
            at = f.at("%out", place)
            f.store(f.add(f.load(at), "1"), at)
    f.give(f.load(others))
    return f.text()
