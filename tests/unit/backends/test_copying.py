"""Short copies in native code against lists: every length and place, rows that are full and rows with room."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from croupier.backends.native import copying
from croupier.backends.native.emit import Fn
from croupier.backends.native.engine import Engine, Memory, object_code
from needs import compiler

pytestmark = compiler

ROOMS = (1, 3, 4, 5, 8, 9, 17)
BEHIND = 77  # what lies behind a row, and has to stay


def functions() -> str:
    down = Fn("down", [("row", "ptr"), ("at", "i64"), ("n", "i64"), ("room", "i64")], public=True)
    copying.shift_down(down, "%row", "%at", "%n", "%room")
    up = Fn("up", [("row", "ptr"), ("at", "i64"), ("n", "i64")], public=True)
    copying.shift_up(up, "%row", "%at", "%n")
    insert = Fn("insert", [("row", "ptr"), ("value", "i64"), ("n", "i64"), ("room", "i64")], public=True)
    copying.insert(insert, "%row", "%value", "%n", "%room")
    out = Fn("out", [("to", "ptr"), ("row", "ptr"), ("n", "i64")], public=True)
    copying.copy_out(out, "%to", "%row", "%n", None)
    made = [down, up, insert, out]
    for f in made:
        f.give("0")
    return "\n".join(["declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)", *(f.text() for f in made)])


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(object_code(functions()))


def filled(room: int, words: list[int]) -> Memory:
    """A row with its length before it, as zones have it, and words that are no matter after the last that counts."""
    memory = Memory(1 + room + 16)
    memory.view[0] = len(words)
    for k in range(room):
        memory.view[1 + k] = words[k] if k < len(words) else 1000 - k
    for k in range(16):
        memory.view[1 + room + k] = BEHIND
    return memory


def row(memory: Memory, room: int, n: int) -> list[int]:
    """The first words of a row, when its length and what lies behind it are as before."""
    assert list(memory.view[1 + room :]) == [BEHIND] * 16
    return list(memory.view[1 : 1 + n])


EACH = [(room, n) for room in ROOMS for n in range(room + 1)]  # rows, and how many words of them count


def test_shift_down(engine: Engine) -> None:
    down = engine.function("down", "annn")
    for room, n in EACH:
        for at in range(n):
            words = list(range(10, 10 + n))
            memory = filled(room, words)
            down(memory.address + 8, at, n, room)
            assert row(memory, room, n - 1) == words[:at] + words[at + 1 :]


def placed(engine: Engine, name: str, arguments: str, change: Callable[[list[int], int], None], last: bool) -> None:
    """A function that puts one word more into a row does what `change` does with a list."""
    function = engine.function(name, arguments)
    for room, n in EACH:
        if n == room:
            continue
        for k in range(n + 1):
            words = [2 * w for w in range(5, 5 + n)]
            memory = filled(room, words)
            if not last:
                memory.view[1 + n] = 2 * 5 + 2 * k - 1
            function(memory.address + 8, *((2 * 5 + 2 * k - 1, n, room) if last else (k, n)))
            change(words, k)
            if not last:
                memory.view[1 + k] = words[k]
            assert row(memory, room, n + 1) == words
            assert memory.view[0] == n


def test_shift_up(engine: Engine) -> None:
    placed(engine, "up", "ann", lambda words, k: words.insert(k, -3), last=False)


def test_insert(engine: Engine) -> None:
    placed(engine, "insert", "annn", lambda words, k: words.insert(k, 2 * 5 + 2 * k - 1), last=True)


def test_copy_out(engine: Engine) -> None:
    out = engine.function("out", "aan")
    for room, n in EACH:
        memory, to = filled(room, list(range(n))), Memory(n + 16)
        out(to.address, memory.address + 8, n)
        assert to.view[:n].tolist() == row(memory, room, n)
