"""The random streams of `runtime/streams.py` as LLVM assembly: SHA-256, decimal numbers, `uniform`.

A stream takes `STREAM` words: how many numbers were taken, and those of the present block. All streams of a game are in one array, that of
chance first; the text that a block is the hash of begins with `prefix`, the same for all games of a run.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.printers.assembly import Fn

STREAM = 5
QUICK = -1  # instead of the length of a prefix: numbers of no published stream, from a generator whose state is the first word of all
_START = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)


def _constants() -> list[int]:
    """The first 32 bits of the fractional parts of the cube roots of the first 64 primes."""
    found: list[int] = []
    n = 2
    while len(found) < 64:
        if all(n % d for d in range(2, int(n**0.5) + 1)):
            low, high = 0, n << 32
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if middle**3 <= n << 96 else (low, middle)
            found.append(low & 0xFFFFFFFF)
        n += 1
    return found


def declarations() -> list[str]:
    """What the functions here need of LLVM, and the constants of SHA-256."""
    return [
        "declare i32 @llvm.fshr.i32(i32, i32, i32)", "declare i32 @llvm.bswap.i32(i32)", "declare i64 @llvm.bswap.i64(i64)",
        f"@sha.start = internal constant [8 x i32] [{', '.join(f'i32 {v}' for v in _START)}]",
    ]  # fmt: skip


def compression() -> str:
    """`sha.block(state, data)`: one round of SHA-256 over 64 bytes."""
    f = Fn("sha.block", [("state", "ptr"), ("data", "ptr")], "void", apart=True)

    def op(name: str, a: str, b: str) -> str:
        return f.binary(name, a, b, "i32")

    def turned(x: str, n: int) -> str:
        return f.value(f"call i32 @llvm.fshr.i32(i32 {x}, i32 {x}, i32 {n})")

    def mixed(x: str, a: int, b: int, c: int, shift: bool = False) -> str:
        last = op("lshr", x, str(c)) if shift else turned(x, c)
        return op("xor", op("xor", turned(x, a), turned(x, b)), last)

    w = [f.value(f"call i32 @llvm.bswap.i32(i32 {f.load(f.at('%data', i, 'i32'), 'i32')})") for i in range(16)]
    for i in range(16, 64):
        s0, s1 = mixed(w[i - 15], 7, 18, 3, True), mixed(w[i - 2], 17, 19, 10, True)
        w.append(op("add", op("add", w[i - 16], s0), op("add", w[i - 7], s1)))
    begun = [f.load(f.at("%state", i, "i32"), "i32") for i in range(8)]
    a, b, c, d, e, g, h, k = begun
    for word, constant in zip(w, _constants(), strict=True):
        chosen = op("xor", h, op("and", e, op("xor", g, h)))
        most = op("or", op("and", a, b), op("and", c, op("or", a, b)))
        t1 = op("add", op("add", op("add", k, mixed(e, 6, 11, 25)), chosen), op("add", word, str(constant)))
        t2 = op("add", mixed(a, 2, 13, 22), most)
        a, b, c, d, e, g, h, k = op("add", t1, t2), a, b, c, op("add", d, t1), e, g, h
    for i, (before, now) in enumerate(zip(begun, (a, b, c, d, e, g, h, k), strict=True)):
        f.store(op("add", before, now), f.at("%state", i, "i32"), "i32")
    f.end("ret void")
    return f.text()


def quick_compression() -> list[str]:
    """The same by the instructions that some processors have for it: four words at a time, two rounds each."""
    four = "<4 x i32>"
    f = Fn("sha.block", [("state", "ptr"), ("data", "ptr")], "void", apart=True)

    def shuffled(a: str, b: str, *places: int) -> str:
        return f.value(f"shufflevector {four} {a}, {four} {b}, {four} <{', '.join(f'i32 {k}' for k in places)}>")

    def made(name: str, *operands: str) -> str:
        return f.value(f"call {four} @llvm.x86.sha256{name}({', '.join(f'{four} {o}' for o in operands)})")

    def loaded(base: str, k: int) -> str:
        return f.value(f"load {four}, ptr {f.at(base, 4 * k, 'i32')}, align 4")

    w = [f.value(f"call {four} @llvm.bswap.v4i32({four} {loaded('%data', k)})") for k in range(4)]
    for k in range(4, 16):
        part = f.binary("add", made("msg1", w[k - 4], w[k - 3]), shuffled(w[k - 2], w[k - 1], 1, 2, 3, 4), four)
        w.append(made("msg2", part, w[k - 1]))
    abcd, efgh = loaded("%state", 0), loaded("%state", 1)
    x, y = shuffled(efgh, abcd, 1, 0, 5, 4), shuffled(efgh, abcd, 3, 2, 7, 6)  # f e b a, h g d c
    begun, constants = (x, y), _constants()
    for k in range(16):
        row = f"<{', '.join(f'i32 {c}' for c in constants[4 * k : 4 * k + 4])}>"
        message = f.binary("add", w[k], row, four)
        y = made("rnds2", y, x, message)
        x = made("rnds2", x, y, shuffled(message, message, 2, 3, 0, 0))
    x, y = (f.binary("add", a, b, four) for a, b in zip((x, y), begun, strict=True))
    f.line(f"store {four} {shuffled(x, y, 3, 2, 7, 6)}, ptr %state, align 4")
    f.line(f"store {four} {shuffled(x, y, 1, 0, 5, 4)}, ptr {f.at('%state', 4, 'i32')}, align 4")
    f.end("ret void")
    three = f"{four}, {four}"
    return [
        f"declare {four} @llvm.x86.sha256rnds2({three}, {four})", f"declare {four} @llvm.x86.sha256msg1({three})",
        f"declare {four} @llvm.x86.sha256msg2({three})", f"declare {four} @llvm.bswap.v4i32({four})", f.text(),
    ]  # fmt: skip


def hashing() -> str:
    """`sha.all(text, bytes, out)`: SHA-256 of a text with 128 bytes of room behind it; `out` gets eight words of 32 bits in host order."""
    f = Fn("sha.all", [("text", "ptr"), ("n", "i64"), ("out", "ptr")], apart=True)
    f.line("call void @llvm.memmove.p0.p0.i64(ptr %out, ptr @sha.start, i64 32, i1 false)")
    blocks = f.add(f.binary("lshr", f.add("%n", "8"), "6"), "1")
    size = f.mul(blocks, "64")
    tail = f.at("%text", "%n", "i8")
    f.line(f"call void @llvm.memset.p0.i64(ptr {tail}, i8 0, i64 {f.sub(size, '%n')}, i1 false)")
    f.store("-128", tail, "i8")
    bits = f.value(f"call i64 @llvm.bswap.i64(i64 {f.mul('%n', '8')})")
    f.line(f"store i64 {bits}, ptr {f.at('%text', f.sub(size, '8'), 'i8')}, align 1")
    with f.counting("0", blocks) as i:
        f.line(f"call void @sha.block(ptr %out, ptr {f.at('%text', f.mul(i, '64'), 'i8')})")
    f.give("0")
    return f.text()


def decimal() -> str:
    """`put.decimal(at, n)`: writes a number with 64 bits in decimal (a sign before a negative one) and gives the address behind it."""
    f = Fn("put.decimal", [("at", "ptr"), ("n", "i64")], apart=True)
    digits, count, left, to = f.slot(3), f.slot(), f.slot(), f.slot()
    f.store("0", count)
    f.store("%at", to, "ptr")
    f.store("%n", left)
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


def uniform(purposes: Sequence[str]) -> list[str]:
    """`uniform(streams, prefix, length, game, which, n)`: the next number of a stream, and the constants it needs."""
    out = quick()
    for k, purpose in enumerate(purposes):
        text = f" {purpose} ".encode("ascii")
        out.append(f'@purpose.{k} = internal constant [{len(text)} x i8] c"{purpose_text(text)}"')
    rows = ", ".join(f"ptr @purpose.{k}" for k in range(len(purposes)))
    sizes = ", ".join(f"i64 {len(p) + 2}" for p in purposes)
    out.append(f"@purposes = internal constant [{len(purposes)} x ptr] [{rows}]")
    out.append(f"@purpose.sizes = internal constant [{len(purposes)} x i64] [{sizes}]")
    word = Fn("stream.word", [("streams", "ptr"), ("prefix", "ptr"), ("length", "i64"), ("game", "i64"), ("which", "i64")])
    f = word
    with f.when(f.test("eq", "%length", str(QUICK))):
        f.give(f.call("quick.word", ["ptr %streams"]))
    stream = f.at("%streams", f.mul("%which", str(STREAM)))
    taken = f.load(stream)
    place = f.binary("and", taken, "3")
    with f.when(f.test("eq", place, "0")):
        buffer, state = f.slot(16), f.slot(4)
        f.line(f"call void @llvm.memmove.p0.p0.i64(ptr {buffer}, ptr %prefix, i64 %length, i1 false)")
        at = f.pointer(f.call("put.decimal", [f"ptr {f.at(buffer, '%length', 'i8')}", "i64 %game"]))
        size = f.load(f.at("@purpose.sizes", "%which"))
        f.line(f"call void @llvm.memmove.p0.p0.i64(ptr {at}, ptr {f.load(f.at('@purposes', '%which', 'ptr'), 'ptr')}, i64 {size}, i1 false)")
        end = f.call("put.decimal", [f"ptr {f.at(at, size, 'i8')}", f"i64 {f.binary('lshr', taken, '2')}"])
        f.call("sha.all", [f"ptr {buffer}", f"i64 {f.sub(end, f.address(buffer))}", f"ptr {state}"])
        for i in range(4):
            high, low = (f.value(f"zext i32 {f.load(f.at(state, 2 * i + j, 'i32'), 'i32')} to i64") for j in (0, 1))
            f.store(f.binary("or", f.binary("shl", high, "32"), low), f.at(stream, i + 1))
    f.store(f.add(taken, "1"), stream)
    f.give(f.load(f.at(stream, f.add(place, "1"))))
    out.append(word.text())
    f = Fn("uniform", [("streams", "ptr"), ("prefix", "ptr"), ("length", "i64"), ("game", "i64"), ("which", "i64"), ("n", "i64")])
    with f.when(f.test("eq", "%n", "1")):
        f.give("0")
    over = f.binary("urem", f.add(f.binary("urem", "-1", "%n"), "1"), "%n")  # 2^64 mod n
    again, taken_ = f.label(), f.label()
    f.place(again)
    v = f.call("stream.word", ["ptr %streams", "ptr %prefix", "i64 %length", "i64 %game", "i64 %which"])
    good = f.value(f"icmp ule i64 {v}, {f.sub('-1', over)}")
    f.branch(good, taken_, again)
    f.place(taken_)
    f.give(f.binary("urem", v, "%n"))
    out.append(f.text())
    return out


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


def purpose_text(text: bytes) -> str:
    """Bytes as LLVM writes them."""
    return "".join(f"\\{b:02X}" for b in text)
