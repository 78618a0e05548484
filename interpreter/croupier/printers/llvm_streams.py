"""The random streams of `runtime/streams.py` as LLVM assembly: Philox, `uniform`.

A stream takes `STREAM` words: how many of its words were taken, its key (the first half low), and the blocks in use, which are worked out together.
All streams of a game are in one array, that of chance first; who starts a run writes the keys.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.printers.assembly import Fn
from croupier.runtime.streams import KEY_STEPS, MULTIPLIERS, ROUNDS

TAKEN, KEY, BLOCK = range(3)
TOGETHER = 4  # blocks
WORDS = 4 * TOGETHER  # of 32 bits in them
STREAM = BLOCK + 2 * TOGETHER
LOW = 2**32 - 1


def streams() -> list[str]:
    """The published streams, and what is quicker."""
    return [fill("stream.first", 1), fill("stream.fill", TOGETHER), word(), *uniform(), *quick()]


def fill(name: str, lanes: int) -> str:
    """`NAME(stream, game, i)`: works out so many blocks from `i` on; they are the last of those in use."""
    f = Fn(name, [("stream", "ptr"), ("game", "i64"), ("i", "i64")], "void", apart=True)
    kind = "i64" if lanes == 1 else f"<{lanes} x i64>"

    def constant(words: Sequence[int]) -> str:
        return str(words[0]) if lanes == 1 else f"<{', '.join(f'i64 {w}' for w in words)}>"

    def same(word: int) -> str:
        return constant([word] * lanes)

    def spread(word: str) -> str:
        if lanes == 1:
            return word
        one = f.value(f"insertelement {kind} undef, i64 {word}, i32 0")
        return f.value(f"shufflevector {kind} {one}, {kind} undef, <{lanes} x i32> zeroinitializer")

    def halves(word: str) -> tuple[str, str]:
        return f.binary("and", word, same(LOW), kind), f.binary("lshr", word, same(32), kind)

    at = f.binary("add", spread("%i"), constant(range(lanes)), kind)
    (first, second), (a, b), (c, d) = halves(spread(f.load(f.at("%stream", KEY)))), halves(at), halves(spread("%game"))
    for k in range(ROUNDS):
        x, y = f.binary("mul", a, same(MULTIPLIERS[0]), kind), f.binary("mul", c, same(MULTIPLIERS[1]), kind)
        steps = zip((first, second), KEY_STEPS, strict=True)
        keys = [f.binary("and", f.binary("add", key, same(k * step), kind), same(LOW), kind) for key, step in steps]
        (low_x, high_x), (low_y, high_y) = halves(x), halves(y)
        a, b = f.binary("xor", f.binary("xor", high_y, b, kind), keys[0], kind), low_y
        c, d = f.binary("xor", f.binary("xor", high_x, d, kind), keys[1], kind), low_x
    words = [f.binary("or", low, f.binary("shl", high, same(32), kind), kind) for low, high in ((a, b), (c, d))]
    to = f.at("%stream", STREAM - 2 * lanes)
    if lanes == 1:
        for n, word in enumerate(words):
            f.store(word, f.at(to, n))
    else:
        order = ", ".join(f"i32 {n + half * lanes}" for n in range(lanes) for half in range(2))
        both = f.value(f"shufflevector {kind} {words[0]}, {kind} {words[1]}, <{2 * lanes} x i32> <{order}>")
        f.line(f"store <{2 * lanes} x i64> {both}, ptr {to}, align 8")
    f.end("ret void")
    return f.text()


def word() -> str:
    """`stream.word(stream, game)`: the next word. The first block is worked out alone, since there are games that need no more."""
    f = Fn("stream.word", [("stream", "ptr"), ("game", "i64")])
    f.inside()
    taken = f.load("%stream")
    place = f.binary("and", f.add(taken, str(WORDS - 4)), str(WORDS - 1))
    with f.when(f.test("eq", place, "0")):
        f.line(f"call void @stream.fill(ptr %stream, i64 %game, i64 {f.binary('lshr', taken, '2')})")
    with f.when(f.test("eq", taken, "0")):
        f.line("call void @stream.first(ptr %stream, i64 %game, i64 0)")
    f.store(f.add(taken, "1"), "%stream")
    at = f.at(f.at("%stream", BLOCK), place, "i32")
    f.give(f.value(f"zext i32 {f.load(at, 'i32')} to i64"))
    return f.text()


def uniform() -> list[str]:
    """`uniform(streams, game, which, n)`: the next number of a stream.

    `uniform.again` goes on where a word may not count, which is rare, and `uniform.long` takes two words, where one is not enough.
    """
    own = [("stream", "ptr"), ("game", "i64"), ("n", "i64")]
    f = Fn("uniform", [("streams", "ptr"), ("game", "i64"), ("which", "i64"), ("n", "i64")])
    with f.when(f.test("eq", "%n", "1")):
        f.give("0")
    stream = f.at("%streams", f.mul("%which", str(STREAM)))
    given = [f"ptr {stream}", "i64 %game"]
    with f.when(f.test("gt", "%n", str(2**32))):
        f.give(f.call("uniform.long", [*given, "i64 %n"]))
    product = f.mul(f.call("stream.word", given), "%n")
    with f.when(f.test("lt", f.binary("and", product, str(LOW)), "%n")):
        f.give(f.call("uniform.again", [*given, "i64 %n", f"i64 {product}"]))
    f.give(f.binary("lshr", product, "32"))
    again = Fn("uniform.again", [*own, ("product", "i64")], apart=True)
    now, least = again.slot(), again.binary("urem", str(2**32), "%n")
    again.store("%product", now)
    head, more, done = again.label(), again.label(), again.label()
    again.place(head)
    product = again.load(now)
    again.branch(again.test("lt", again.binary("and", product, str(LOW)), least), more, done)
    again.place(more)
    again.store(again.mul(again.call("stream.word", ["ptr %stream", "i64 %game"]), "%n"), now)
    again.jump(head)
    again.place(done)
    again.give(again.binary("lshr", product, "32"))
    return [f.text(), again.text(), long_uniform(own)]


def long_uniform(own: list[tuple[str, str]]) -> str:
    """The same of numbers up to 2^63."""
    f = Fn("uniform.long", own, apart=True)
    least = f.binary("urem", f.sub("0", "%n"), "%n")  # 2^64 mod n
    head, done = f.label(), f.label()
    f.place(head)
    high, low = (f.call("stream.word", ["ptr %stream", "i64 %game"]) for _ in range(2))
    v = f.binary("or", f.binary("shl", high, "32"), low)
    product = f.binary("mul", f.value(f"zext i64 {v} to i128"), f.value("zext i64 %n to i128"), "i128")
    f.branch(f.value(f"icmp uge i64 {f.value(f'trunc i128 {product} to i64')}, {least}"), done, head)
    f.place(done)
    f.give(f.value(f"trunc i128 {f.binary('lshr', product, '64', 'i128')} to i64"))
    return f.text()


def quick() -> list[str]:
    """`quick.word(state)` and `quick.uniform(state, n)`: splitmix64 (Steele, Lea and Flood 2014), and its high part times n, even to 2^-64 n.

    The second word of the state is the number that comes next, so that nobody waits for it; `quick.begin(state)` works out the first.
    """

    def next_number(f: Fn) -> None:
        z = f.add(f.load("%state"), str(0x9E3779B97F4A7C15 - 2**64))
        f.store(z, "%state")
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            z = f.mul(f.binary("xor", z, f.binary("lshr", z, str(shift))), str(factor - 2**64))
        f.store(f.binary("xor", z, f.binary("lshr", z, "31")), f.at("%state", 1))

    begin, f, g = Fn("quick.begin", [("state", "ptr")]), Fn("quick.word", [("state", "ptr")]), Fn("quick.uniform", [("state", "ptr"), ("n", "i64")])
    next_number(begin)
    begin.give("0")
    f.inside()
    word = f.load(f.at("%state", 1))
    next_number(f)
    f.give(word)
    g.inside()
    word, n = (g.value(f"zext i64 {v} to i128") for v in (g.call("quick.word", ["ptr %state"]), "%n"))
    g.give(g.value(f"trunc i128 {g.binary('lshr', g.binary('mul', word, n, 'i128'), '64', 'i128')} to i64"))
    return [begin.text(), f.text(), g.text()]
