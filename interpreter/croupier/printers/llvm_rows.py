"""Functions over rows of results of playouts: the text of a digest, and histograms.

`game.lines(rows, first, count, text)` writes the lines of `play/digest.py` for finished games, and returns
their length in bytes. `rows.histogram(words, stride, count, low, size, out)` counts the values from `low` to
`low + size - 1` of a column in `out`, and returns how many are outside.
"""

from __future__ import annotations

from croupier.printers.llvm_builder import FunctionBuilder

FINISHED = " finished "


def max_line_bytes(players: int) -> int:
    """A bound on the bytes of a line."""
    return len(FINISHED) + 21 * (players + 3)


def print_decimal() -> str:
    """`put.decimal(at, n)`: write a signed 64-bit number in decimal, and return the address behind it."""
    f = FunctionBuilder("put.decimal", "*at n", noinline=True)
    digits, count, left, to = f.alloca(3), f.alloca(), f.alloca(), f.alloca()
    f.store(0, count)
    f.store("%at", to, "ptr")
    f.store("%n", left)
    with f.when(f.emit_value("icmp ult i64 %n, 10")):
        f.store(f.emit_value(f"trunc i64 {f.add('%n', 48)} to i8"), "%at", "i8")
        f.ret(f.ptrtoint(f.gep("%at", 1, "i8")))
    with f.when(f.icmp("lt", "%n", 0)):
        f.store(45, "%at", "i8")
        f.store(f.gep("%at", 1, "i8"), to, "ptr")
        f.store(f.sub(0, "%n"), left)
    head, after = f.new_labels(2)
    f.start_block(head)
    n = f.load(left)
    rest = f.binary("udiv", n, 10)
    digit = f.emit_value(f"trunc i64 {f.add(f.sub(n, f.mul(rest, 10)), 48)} to i8")
    c = f.load(count)
    f.store_at(digit, digits, c, "i8")
    f.store(f.add(c, 1), count)
    f.store(rest, left)
    f.branch(f.icmp("eq", rest, 0), after, head)
    f.start_block(after)
    total = f.load(count)
    start = f.load(to, "ptr")
    with f.for_range(0, total) as i:
        f.store_at(f.load_at(digits, f.sub(f.sub(total, 1), i), "i8"), start, i, "i8")
    f.ret(f.ptrtoint(f.gep(start, total, "i8")))
    return f.text()


def row_functions(size: int, counts: int, returns: int, players: int) -> list[str]:
    """All functions of this module.

    `size`: words of a row; `counts`, `returns`: indices in it of the number of decisions and of the first
    return.
    """
    f = FunctionBuilder.entry("game.lines")
    to = f.variable("%text", "ptr")

    def put_text(text: str) -> None:
        at = f.load(to, "ptr")
        for k, byte in enumerate(text.encode("ascii")):
            f.store_at(byte, at, k, "i8")
        f.store(f.gep(at, len(text), "i8"), to, "ptr")

    def put_number(value: str) -> None:
        f.store(f.inttoptr(f.call("put.decimal", f.load(to, "ptr"), value)), to, "ptr")

    with f.for_range(0, "%count") as k:
        row = f.gep("%rows", f.mul(k, size))
        put_number(f.add("%first", k))
        put_text(FINISHED)
        for seat in range(players):
            if seat:
                put_text(",")
            put_number(f.load_at(row, returns + seat))
        for n in range(2):
            put_text(" ")
            put_number(f.load_at(row, counts + n))
        put_text("\n")
    f.ret(f.sub(f.ptrtoint(f.load(to, "ptr")), f.ptrtoint("%text")))
    return [print_decimal(), f.text(), print_histogram()]


def print_histogram() -> str:
    """`rows.histogram`: see above."""
    f = FunctionBuilder.entry("rows.histogram")
    others = f.variable(0)
    with f.for_range(0, "%count") as k:
        place = f.sub(f.load_at("%words", f.mul(k, "%stride")), "%low")
        in_range = f.emit_value(f"icmp ult i64 {place}, %size")
        f.store(f.add(f.load(others), f.zext(f.not_bool(in_range))), others)
        with f.when(in_range):
            at = f.gep("%out", place)
            f.store(f.add(f.load(at), 1), at)
    f.ret(f.load(others))
    return f.text()
