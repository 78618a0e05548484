"""`game.lines(rows, first, count, text)`: the lines of `play/digest.py` for games that are over, from the rows of a batch.

It gives how many bytes it wrote.
"""

from __future__ import annotations

from croupier.printers.assembly import Fn

HASH_BYTES = 32
FINISHED = " finished "


def longest_line(players: int) -> int:
    """How many bytes a line may take."""
    return 20 + 1 + 2 * HASH_BYTES + len(FINISHED) + 21 * players + 1


def lines(size: int, returns: int, hashed: int, players: int) -> list[str]:
    """`size` is that of a row in words, `returns` and `hashed` are places in it."""
    digits = '@hex.digits = internal constant [16 x i8] c"0123456789abcdef"'
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
        raw(" ")
        start, bytes_ = f.load(to, "ptr"), f.at(row, hashed)
        with f.counting("0", str(HASH_BYTES)) as i:
            byte = f.value(f"zext i8 {f.load(f.at(bytes_, i, 'i8'), 'i8')} to i64")
            place = f.at(start, f.mul(i, "2"), "i8")
            for n, half in enumerate((f.binary("lshr", byte, "4"), f.binary("and", byte, "15"))):
                f.store(f.load(f.at("@hex.digits", half, "i8"), "i8"), f.at(place, n, "i8"), "i8")
        f.store(f.at(start, 2 * HASH_BYTES, "i8"), to, "ptr")
        raw(FINISHED)
        for seat in range(players):
            if seat:
                raw(",")
            number(f.load(f.at(row, returns + seat)))
        raw("\n")
    f.give(f.sub(f.address(f.load(to, "ptr")), f.address("%text")))
    return [digits, f.text()]
