"""Loops over tables that are known, and over a whole map: the same outcome with less to do.

What may be done here rests on two things: conditions change nothing, so that what cannot matter need not be asked; and the tables are known. The
variables of a loop that is replaced are read by nothing behind it (they belong to one expression of the author's).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from croupier.backends.python.code import BREAK, Assign, For, Forever, If, Line, Lines, Statement, breaks, closes, leaves, opposite
from croupier.backends.python.tidy import goes_on
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.python.functions import Function

LONGEST = 8  # elements of a row that is written out
NUMBER = re.compile(r"[lt](\d+)")


def special(lines: Lines, f: Function) -> Lines:
    """Statements with loops that have a shorter way to be said."""
    out: Lines = []
    for s in lines:
        match s:
            case If():
                out.append(If(s.test, special(s.then, f), special(s.other, f)))
            case Forever():
                out.append(Forever(special(s.body, f), s.once))
            case For():
                loop = For(s.target, s.items, special(s.body, f), special(s.other, f))
                out += whole_map(loop, f) or lasting(loop) or [rows_written_out(rows_with(loop, f), f)]
            case _:
                out.append(s)
        if len(out) > 2:
            out[-3:] = without_note(*out[-3:])
    return out


def without_note(a: Statement, b: Statement, c: Statement) -> Lines:
    """Where to go is noted and read at once, for the loop is gone that had to be left."""
    if isinstance(a, Assign) and a.name == "y" and isinstance(b, If) and isinstance(c, If) and not b.other and not c.other and len(b.then) == 1:
        noted = b.then[0]
        if isinstance(noted, Assign) and noted.name == "y" and c.test == f"y == {noted.text}" and not mentioned("y", c.then):
            return [If(b.test, c.then, [])]
    return [a, b, c]


def table(name: str, f: Function) -> Any:
    """The value of a constant; none for any other name."""
    return f.constants.values.get(name) if name.startswith("K") else None


def mentioned(name: str, lines: Lines) -> bool:
    """Does a name stand in these statements?"""
    word = re.compile(rf"\b{name}\b")

    def there(s: Statement) -> bool:
        match s:
            case If():
                return bool(word.search(s.test)) or mentioned(name, s.then) or mentioned(name, s.other)
            case For():
                return bool(word.search(s.items)) or mentioned(name, s.body) or mentioned(name, s.other)
            case Forever():
                return mentioned(name, s.body)
            case Line():
                return bool(word.search(s.text))
        return bool(word.search(s.text)) or bool(word.search(s.name))

    return any(there(s) for s in lines)


# ------------------------------------------------------------ is there a key without a value?
def whole_map(loop: For, f: Function) -> Lines | None:
    """A walk over all keys of a map that stops at the first one without a value, or the first one with some value."""
    if len(loop.body) != 1 or not isinstance(loop.body[0], If) or loop.body[0].other:
        return None
    test, then = loop.body[0].test, loop.body[0].then
    found = re.fullmatch(rf"\((m\d+)\[{loop.target}\] (is|==) (.+)\)", test)
    keys = table(loop.items, f)
    if found is None or keys is None or keys != tuple(range(len(keys))) or not leaves(then) or mentioned(loop.target, then):
        return None
    v = f.facts.game.variables[int(found.group(1)[1:])]
    assert isinstance(v.type, t.Map)
    wanted = found.group(3)
    if f.facts.game.domain(v.type.key)[1] != len(keys) or re.search(rf"\b{loop.target}\b| and | or | if ", wanted):
        return None
    test = f"({wanted} in {found.group(1)})"
    if then == [Line(BREAK, True)]:
        return [If(opposite(test), loop.other, [])] if loop.other else []
    if not breaks(then) and not goes_on(then):
        return [If(test, then, []), *loop.other]
    ended = None if goes_on(then) else without_break(then)
    return None if ended is None else [If(test, ended, loop.other)]


def without_break(lines: Lines) -> Lines | None:
    """Lines that leave a loop at their end, or go elsewhere: the same where there is no loop; none where that takes writing lines twice."""
    for k, s in enumerate(lines):
        if s == Line(BREAK, True):
            return lines[:k]
        if isinstance(s, For) and breaks(s.other):
            return None
        if isinstance(s, If) and (breaks(s.then) or breaks(s.other)):
            rest = lines[k + 1 :]
            if rest and not leaves(s.then) and not leaves(s.other):
                return None
            then = without_break(s.then if leaves(s.then) else [*s.then, *rest])
            other = without_break(s.other if leaves(s.other) else [*s.other, *rest])
            return None if then is None or other is None else [*lines[:k], If(s.test, then, other)]
    return lines


# ------------------------------------------------------------ the last one that passes
def lasting(loop: For) -> Lines | None:
    """A walk that keeps the last element that passes, from behind."""
    if len(loop.body) != 1 or loop.other or not isinstance(loop.body[0], If) or loop.items.startswith(("enumerate", "range", "list")):
        return None
    choice = loop.body[0]
    if choice.other or len(choice.then) != 1 or not isinstance(choice.then[0], Assign):
        return None
    kept = choice.then[0]
    if not kept.name.startswith("t") or re.search(rf"\b{kept.name}\b", choice.test + " " + kept.text + " " + loop.items):
        return None
    return [For(loop.target, f"{loop.items}[::-1]", [If(choice.test, [kept, Line(BREAK, True)], [])])]


# ------------------------------------------------------------ rows that hold a value
def rows_with(loop: For, f: Function) -> For:
    """A walk over rows that goes on only with those that hold a cell: over these alone."""
    if len(loop.body) != 1 or not isinstance(loop.body[0], If) or loop.body[0].other:
        return loop
    test = loop.body[0].test
    first, _, rest = test[1:-1].partition(" and ") if closes(test) else ("", "", "")
    if not first.startswith("("):
        first, rest = test, ""
    found = re.fullmatch(rf"\(([lt]\d+) in {loop.target}\)", first)
    rows = table(loop.items, f)
    if found is None or not isinstance(rows, tuple) or not all(isinstance(r, tuple) for r in rows) or (rest and not closes(rest) and " " in rest):
        return loop
    slot = int(found.group(1)[1:])
    kind = f.routine.slots[slot].type
    if not isinstance(kind, t.Cell):
        return loop
    size = f.facts.game.boards[kind.board].size
    name = f.constants.made(("with", loop.items), lambda: tuple(tuple(r for r in rows if c in r) for c in range(size)))
    body: Lines = [If(rest, loop.body[0].then, [])] if rest else loop.body[0].then
    return For(loop.target, f"{name}[{found.group(1)}]", body, loop.other)


# ------------------------------------------------------------ short rows, written out
def rows_written_out(loop: For, f: Function) -> For:
    """A walk over rows of one length, and inside over the elements of each until one fails: as one condition on all elements."""
    inner = loop.body[0] if len(loop.body) == 1 else None
    if not isinstance(inner, For) or inner.items != loop.target or len(inner.body) != 1 or not inner.other:
        return loop
    test = inner.body[0]
    width = row_width(loop.items, f)
    if not isinstance(test, If) or test.other or test.then != [Line(BREAK, True)] or width is None:
        return loop
    if mentioned(loop.target, inner.other) or mentioned(inner.target, inner.other) or re.search(rf"\b{loop.target}\b", test.test):
        return loop
    names = [f.fresh_name() for _ in range(width)]
    passes = opposite(test.test)
    each = [re.sub(rf"\b{inner.target}\b", n, passes) for n in names]
    groups = by_first(loop.items, f)
    if groups is not None and width > 2 and not loop.other and leaves(inner.other) and not breaks(inner.other) and not goes_on(inner.other):
        rest = f.fresh_name()
        rows = For(", ".join(names[1:]), rest, [If(f"({' and '.join(each[1:])})", inner.other, [])])
        return For(f"{names[0]}, {rest}", groups, [If(each[0], [rows], [])])
    return For(", ".join(names), loop.items, [If(f"({' and '.join(each)})", inner.other, [])], loop.other)


def by_first(items: str, f: Function) -> str | None:
    """The rows of a known table by their first elements, if many begin alike: that is tested once."""
    rows = table(items, f)
    if not isinstance(rows, tuple) or 4 * len({r[0] for r in rows}) > 3 * len(rows):
        return None
    firsts = tuple(dict.fromkeys(r[0] for r in rows))
    return f.constants.made(("by first", items), lambda: tuple((x, tuple(r[1:] for r in rows if r[0] == x)) for x in firsts))


def row_width(items: str, f: Function) -> int | None:
    """The length of every row of a known table, if it is one."""
    name, _, index = items.partition("[")
    rows = table(name, f)
    if isinstance(rows, tuple) and index:
        rows = tuple(r for group in rows for r in group)
    if not isinstance(rows, tuple) or not rows or not all(isinstance(r, tuple) for r in rows):
        return None
    widths = {len(r) for r in rows}
    return widths.pop() if len(widths) == 1 and 2 <= max(widths) <= LONGEST else None
