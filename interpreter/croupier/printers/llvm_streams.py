"""Random streams in native code: Philox4x32-10 and bounded integers by Lemire's method, as in
`runtime/streams.py`; and splitmix64 for playouts.

A stream takes `STREAM` words: how many of its words were taken, its key (the first half low), and a buffer of
blocks, which are computed together by vector instructions. The streams of a game form an array, that of
chance first; the caller writes the keys when a run starts.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.printers.llvm_builder import FunctionBuilder
from croupier.runtime.streams import KEY_STEPS, MULTIPLIERS, ROUNDS

TAKEN, KEY, BLOCK = range(3)
BLOCKS = 4  # blocks of the buffer
BUFFER_WORDS = 4 * BLOCKS  # of 32 bits in the buffer
STREAM = BLOCK + 2 * BLOCKS
WORD_MASK = 2**32 - 1
STREAMS, PUBLISHED, NUMBER, DECISION_COUNT, CHANCE_COUNT, HORIZON, RUN_WORDS = range(7)
"""Words of the run record: address of the random streams, whether they are the published ones (0: the fast
generator), number of the game; how many decisions and chance events there were; how many decisions there may
be until play stops to be judged (0: it does not).
"""


def stream_functions() -> list[str]:
    """All functions of this module."""
    return [
        print_fill("stream.first", 1),
        print_fill("stream.fill", BLOCKS),
        print_word(),
        *print_uniform(),
        *print_fast_generator(),
    ]


def print_fill(name: str, lanes: int) -> str:
    """`NAME(stream, game, i)`: compute `lanes` blocks from block `i` on; they become the last of the
    buffer.
    """
    f = FunctionBuilder(name, "*stream game i", "void", noinline=True)
    kind = "i64" if lanes == 1 else f"<{lanes} x i64>"

    def vector_constant(words: Sequence[int]) -> str:
        return str(words[0]) if lanes == 1 else f"<{', '.join(f'i64 {w}' for w in words)}>"

    def splat_constant(word: int) -> str:
        return vector_constant([word] * lanes)

    def splat(word: str) -> str:
        if lanes == 1:
            return word
        one = f.emit_value(f"insertelement {kind} undef, i64 {word}, i32 0")
        return f.emit_value(f"shufflevector {kind} {one}, {kind} undef, <{lanes} x i32> zeroinitializer")

    def halves(word: str) -> tuple[str, str]:
        return f.binary("and", word, splat_constant(WORD_MASK), kind), f.binary(
            "lshr", word, splat_constant(32), kind
        )

    at = f.binary("add", splat("%i"), vector_constant(range(lanes)), kind)
    first, second = halves(splat(f.load_at("%stream", KEY)))
    a, b = halves(at)
    c, d = halves(splat("%game"))
    for k in range(ROUNDS):
        x = f.binary("mul", a, splat_constant(MULTIPLIERS[0]), kind)
        y = f.binary("mul", c, splat_constant(MULTIPLIERS[1]), kind)
        steps = zip((first, second), KEY_STEPS, strict=True)
        grown = (f.binary("add", key, splat_constant(k * step), kind) for key, step in steps)
        keys = [f.binary("and", key, splat_constant(WORD_MASK), kind) for key in grown]
        (low_x, high_x), (low_y, high_y) = halves(x), halves(y)
        a, b = f.binary("xor", f.binary("xor", high_y, b, kind), keys[0], kind), low_y
        c, d = f.binary("xor", f.binary("xor", high_x, d, kind), keys[1], kind), low_x
    words = [
        f.binary("or", low, f.binary("shl", high, splat_constant(32), kind), kind)
        for low, high in ((a, b), (c, d))
    ]
    to = f.gep("%stream", STREAM - 2 * lanes)
    if lanes == 1:
        for n, word in enumerate(words):
            f.store_at(word, to, n)
    else:
        order = ", ".join(f"i32 {n + half * lanes}" for n in range(lanes) for half in range(2))
        both = f.emit_value(
            f"shufflevector {kind} {words[0]}, {kind} {words[1]}, <{2 * lanes} x i32> <{order}>"
        )
        f.emit(f"store <{2 * lanes} x i64> {both}, ptr {to}, align 8")
    f.terminate("ret void")
    return f.text()


def rewind_streams(f: FunctionBuilder, streams: str, count: int) -> None:
    """Emit that so many streams begin anew."""
    for which in range(count):
        f.store_at(0, streams, which * STREAM + TAKEN)


def print_word() -> str:
    """`stream.word(stream, game)`: the next word.

    The first block is computed alone, since some games need no more.
    """
    f = FunctionBuilder("stream.word", "*stream game")
    f.always_inline()
    taken = f.load("%stream")
    place = f.binary("and", f.add(taken, str(BUFFER_WORDS - 4)), BUFFER_WORDS - 1)
    with f.when(f.icmp("eq", place, 0)):
        f.run("stream.fill", "%stream", "%game", f.binary("lshr", taken, 2))
    with f.when(f.icmp("eq", taken, 0)):
        f.run("stream.first", "%stream", "%game", 0)
    f.store(f.add(taken, 1), "%stream")
    at = f.gep(f.gep("%stream", BLOCK), place, "i32")
    f.ret(f.emit_value(f"zext i32 {f.load(at, 'i32')} to i64"))
    return f.text()


def print_uniform() -> list[str]:
    """`uniform(streams, game, which, n)`: draw a number below n from stream `which`.

    `uniform.retry` is the rejection loop, which is rare; `uniform.wide` takes two words, for n above 2^32.
    """
    own = "*stream game n"
    f = FunctionBuilder("uniform", "*streams game which n")
    f.ret_if(f.icmp("eq", "%n", 1), 0)
    stream = f.gep("%streams", f.mul("%which", STREAM))
    with f.when(f.icmp("gt", "%n", 2**32)):
        f.ret(f.call("uniform.wide", stream, "%game", "%n"))
    product = f.mul(f.call("stream.word", stream, "%game"), "%n")
    with f.when(f.icmp("lt", f.binary("and", product, WORD_MASK), "%n")):
        f.ret(f.call("uniform.retry", stream, "%game", "%n", product))
    f.ret(f.binary("lshr", product, 32))
    again = FunctionBuilder("uniform.retry", f"{own} product", noinline=True)
    now, least = again.alloca(), again.binary("urem", 2**32, "%n")
    again.store("%product", now)
    head, more, done = again.new_labels(3)
    again.start_block(head)
    product = again.load(now)
    again.branch(again.icmp("lt", again.binary("and", product, WORD_MASK), least), more, done)
    again.start_block(more)
    again.store(again.mul(again.call("stream.word", "%stream", "%game"), "%n"), now)
    again.jump(head)
    again.start_block(done)
    again.ret(again.binary("lshr", product, 32))
    return [f.text(), again.text(), print_wide_uniform(own)]


def print_wide_uniform(own: str) -> str:
    """`uniform.wide`: the same for n up to 2^63."""
    f = FunctionBuilder("uniform.wide", own, noinline=True)
    least = f.binary("urem", f.sub(0, "%n"), "%n")  # 2^64 mod n
    head, done = f.new_labels(2)
    f.start_block(head)
    high, low = (f.call("stream.word", "%stream", "%game") for _ in range(2))
    v = f.binary("or", f.binary("shl", high, 32), low)
    product = f.binary(
        "mul", f.emit_value(f"zext i64 {v} to i128"), f.emit_value("zext i64 %n to i128"), "i128"
    )
    f.branch(
        f.emit_value(f"icmp uge i64 {f.emit_value(f'trunc i128 {product} to i64')}, {least}"), done, head
    )
    f.start_block(done)
    f.ret(f.emit_value(f"trunc i128 {f.binary('lshr', product, 64, 'i128')} to i64"))
    return f.text()


def print_fast_generator() -> list[str]:
    """`fast.word(state)` and `fast.uniform(state, n)`: splitmix64 (Steele, Lea and Flood 2014), and the high
    half of its product with n.

    The second word of the state holds the next number, computed ahead to hide its latency;
    `fast.begin(state)` computes the first.
    """

    def next_number(f: FunctionBuilder) -> None:
        z = f.add(f.load("%state"), str(0x9E3779B97F4A7C15 - 2**64))
        f.store(z, "%state")
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            z = f.mul(f.binary("xor", z, f.binary("lshr", z, shift)), str(factor - 2**64))
        f.store_at(f.binary("xor", z, f.binary("lshr", z, 31)), "%state", 1)

    begin = FunctionBuilder("fast.begin", "*state")
    f = FunctionBuilder("fast.word", "*state")
    g = FunctionBuilder("fast.uniform", "*state n")
    next_number(begin)
    begin.ret(0)
    f.always_inline()
    word = f.load_at("%state", 1)
    next_number(f)
    f.ret(word)
    g.always_inline()
    word, n = (g.emit_value(f"zext i64 {v} to i128") for v in (g.call("fast.word", "%state"), "%n"))
    g.ret(g.emit_value(f"trunc i128 {g.binary('lshr', g.binary('mul', word, n, 'i128'), 64, 'i128')} to i64"))
    return [begin.text(), f.text(), g.text()]
