"""Short copies inside a game: blocks of words, the number of which hardly ever surprises the processor.

What lies in a row of words behind those that count is of no matter: a block may overwrite it, if there is room for the block, and read what follows.
"""

from __future__ import annotations

from croupier.backends.native.emit import Fn
from croupier.backends.native.plan import BLOCK

FOUR = "<4 x i64>"  # words that are compared at once
GREATEST = 2**63 - 1


def move_block(f: Fn, to: str, start: str, words: int = BLOCK) -> None:
    """Move a few words at once; both places may overlap."""
    kind = f"<{words} x i64>"
    f.line(f"store {kind} {f.value(f'load {kind}, ptr {start}, align 8')}, ptr {to}, align 8")


def copy_out(f: Fn, to: str, start: str, n: str, room: int | None) -> None:
    """Copy n words of a row of at most `room` (none: nobody knows) to where there is room for a block more."""
    if room is not None and room <= BLOCK // 2:
        for word in range(room):
            f.store(f.load(f.at(start, word)), f.at(to, word))
        return
    at = f.slot()
    f.store("0", at)
    head, after = f.label(), f.label()
    f.place(head)
    k = f.load(at)
    move_block(f, f.at(to, k), f.at(start, k))
    more = f.add(k, str(BLOCK))
    f.store(more, at)
    f.branch(f.test("lt", more, n), head, after)
    f.place(after)


def shift_down(f: Fn, array: str, at: str, n: str, room: str) -> None:
    """The words of an array after a place, of `n` in all, move one place down; there is room for so many, and another word behind."""
    place = f.slot()
    f.store(at, place)
    head, body, few, more, after = (f.label() for _ in range(5))
    f.place(head)
    k = f.load(place)
    f.branch(f.test("le", f.add(k, str(BLOCK)), room), body, few)
    f.place(body)
    move_block(f, f.at(array, k), f.at(f.at(array, k), 1))
    f.store(f.add(k, str(BLOCK)), place)
    f.branch(f.test("lt", f.add(k, str(BLOCK + 1)), n), head, after)
    f.place(few)
    k = f.load(place)
    f.branch(f.test("lt", f.add(k, "1"), n), more, after)
    f.place(more)
    f.store(f.load(f.at(f.at(array, k), 1)), f.at(array, k))
    f.store(f.add(k, "1"), place)
    f.jump(few)
    f.place(after)


def shift_up(f: Fn, array: str, at: str, n: str) -> None:
    """The words of an array from a place on, of `n` in all, move one place up."""
    left, done, many, few = f.sub(n, at), f.label(), f.label(), f.label()
    f.branch(f.test("lt", left, str(BLOCK)), few, many)
    f.place(few)
    with f.counting("0", left) as k:
        above = f.sub(n, k)
        f.store(f.load(f.at(array, f.sub(above, "1"))), f.at(array, above))
    f.jump(done)
    f.place(many)
    f.copy(f.at(array, f.add(at, "1")), f.at(array, at), left)
    f.place(done)


def insert(f: Fn, array: str, value: str, n: str, room: str) -> None:
    """Put a word where it belongs among n words in ascending order, none of them below 0; there is room for so many.

    Each new word is the greater one of the word before it and the lesser one of the old word and the new value: nobody has to know the place.
    """
    last = f.binary("and", n, "-4")
    narrow, wide, first, done = (f.label() for _ in range(4))
    f.branch(f.test("gt", f.add(last, "4"), room), narrow, wide)
    f.place(narrow)
    place = f.slot()
    f.store(n, place)
    head, body, shift, found = (f.label() for _ in range(4))
    f.place(head)
    k = f.load(place)
    f.branch(f.test("gt", k, "0"), body, found)
    f.place(body)
    before = f.load(f.at(array, f.sub(k, "1")))
    f.branch(f.test("gt", before, value), shift, found)
    f.place(shift)
    f.store(before, f.at(array, k))
    f.store(f.sub(k, "1"), place)
    f.jump(head)
    f.place(found)
    f.store(value, f.at(array, f.load(place)))
    f.jump(done)

    f.place(wide)
    new = splat(f, value)
    there = f.value(f"icmp ult {FOUR} <i64 0, i64 1, i64 2, i64 3>, {splat(f, f.sub(n, last))}")
    behind = constant(GREATEST)
    block = f.slot()
    f.store(last, block)
    with f.when(f.test("gt", last, "0")):
        at = f.at(array, last)
        old = f.value(f"select <4 x i1> {there}, {FOUR} {four(f, at)}, {FOUR} {behind}")
        between(f, at, four(f, f.at(at, -1)), old, new)
        f.store(f.sub(last, "4"), block)
        head, body = f.label(), f.label()
        f.place(head)
        k = f.load(block)
        f.branch(f.test("gt", k, "0"), body, first)
        f.place(body)
        at = f.at(array, k)
        between(f, at, four(f, f.at(at, -1)), four(f, at), new)
        f.store(f.sub(k, "4"), block)
        f.jump(head)
        f.place(first)
        old = four(f, array)
        between(f, array, behind_first(f, old), old, new)
        f.jump(done)
    old = f.value(f"select <4 x i1> {there}, {FOUR} {four(f, array)}, {FOUR} {behind}")
    between(f, array, behind_first(f, old), old, new)
    f.place(done)


def four(f: Fn, at: str) -> str:
    """Four words that lie at an address, as one value."""
    return f.value(f"load {FOUR}, ptr {at}, align 8")


def constant(value: int) -> str:
    """Four times the same known word."""
    return f"<{', '.join([f'i64 {value}'] * 4)}>"


def splat(f: Fn, value: str) -> str:
    """Four times the same word."""
    one = f.value(f"insertelement {FOUR} undef, i64 {value}, i64 0")
    return f.value(f"shufflevector {FOUR} {one}, {FOUR} undef, <4 x i32> zeroinitializer")


def behind_first(f: Fn, words: str) -> str:
    """The words before each of the first four words: before the first one there is less than any."""
    return f.value(f"shufflevector {FOUR} {words}, {FOUR} {constant(-1)}, <4 x i32> <i32 4, i32 0, i32 1, i32 2>")


def between(f: Fn, at: str, before: str, old: str, new: str) -> None:
    """Four words of a list in order once `new` has its place in it: each of `old` stays, takes the word before it, or becomes the new one."""
    lesser = f.value(f"select <4 x i1> {f.value(f'icmp slt {FOUR} {old}, {new}')}, {FOUR} {old}, {FOUR} {new}")
    greater = f.value(f"select <4 x i1> {f.value(f'icmp sgt {FOUR} {before}, {lesser}')}, {FOUR} {before}, {FOUR} {lesser}")
    f.line(f"store {FOUR} {greater}, ptr {at}, align 8")
