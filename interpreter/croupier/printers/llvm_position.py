"""The canonical bytes of a position whose game is over, as `runtime/position.py` gives them, written by native code."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.core.operations import NONE
from croupier.lowering.program import Lowered
from croupier.lowering.results import GRADE, KIND, SCORED, WINNERS
from croupier.lowering.shapes import Fields, Items, Maybe, Shape, Table, Word, width
from croupier.printers.assembly import Fn
from croupier.printers.llvm_layout import Layout
from croupier.printers.llvm_streams import purpose_text

LONGEST = 24  # bytes that a word may take: 20 digits, a semicolon, brackets around it


class Encoder:
    """Writes `position(S, text)`, which gives how many bytes it wrote. `members`, `start`: of components that are alike (`runtime/likeness.py`)."""

    def __init__(self, lowered: Lowered, layout: Layout, alike: tuple[Sequence[int], dict[int, tuple[int, ...]]]) -> None:
        self.lowered, self.layout = lowered, layout
        self.players = lowered.program.players
        self.first, self.members = alike
        self.fn = Fn("position", [("S", "ptr"), ("text", "ptr")], apart=True)
        self.to = self.fn.slot()
        self.constants: list[str] = []
        self.taken = self.fn.slot(max(2, len(self.first)))

    def longest(self) -> int:
        """How many bytes it may write."""
        widths = [*map(width, self.lowered.variables), *(width(s) for s in self.lowered.seen if s is not None)]
        texts = max((len(t.encode()) for t in self.lowered.texts.words), default=0)
        words = sum(widths) + sum(self.lowered.program.zones.capacities) + 8 * self.players
        return (LONGEST + texts) * (words + len(widths) + len(self.lowered.program.zones.capacities) + 16)

    def raw(self, text: str) -> None:
        """Some known bytes."""
        f = self.fn
        at = f.load(self.to, "ptr")
        for k, byte in enumerate(text.encode("ascii")):
            f.store(str(byte), f.at(at, k, "i8"), "i8")
        f.store(f.at(at, len(text), "i8"), self.to, "ptr")

    def constant(self, name: str, words: Sequence[int]) -> str:
        self.constants.append(f"@{name} = internal constant [{len(words)} x i64] [{', '.join(f'i64 {w}' for w in words)}]")
        return f"@{name}"

    def number(self, value: str) -> None:
        f = self.fn
        f.store(f.pointer(f.call("put.number", [f"ptr {f.load(self.to, 'ptr')}", f"i64 {value}"])), self.to, "ptr")

    def either(self, test: str, then: str, otherwise: str) -> None:
        """One of two bytes."""
        f = self.fn
        at = f.load(self.to, "ptr")
        f.store(f.value(f"select i1 {test}, i8 {ord(then)}, i8 {ord(otherwise)}"), at, "i8")
        f.store(f.at(at, 1, "i8"), self.to, "ptr")

    def value(self, at: str, shape: Shape) -> None:
        """The value that lies at an address."""
        f = self.fn
        match shape:
            case Word(truth, texts):
                word = f.load(at)
                none, some, done = f.label(), f.label(), f.label()
                f.branch(f.test("eq", word, str(NONE)), none, some)
                f.place(none)
                self.raw("n")
                f.jump(done)
                f.place(some)
                if truth:
                    self.either(f.test("ne", word, "0"), "t", "f")
                elif texts is not None:
                    self.text(word)
                else:
                    self.number(word)
                f.place(done)
            case Maybe(inner):
                none, some, done = f.label(), f.label(), f.label()
                f.branch(f.test("eq", f.load(at), "1"), some, none)
                f.place(none)
                self.raw("n")
                f.jump(done)
                f.place(some)
                self.value(f.at(at, 1), inner)
                f.place(done)
            case Fields(parts):
                self.raw("(")
                for part in parts:
                    self.value(at, part)
                    at = f.at(at, width(part))
                self.raw(")")
            case Table(_, count, inner):
                self.each(at, str(count), inner)
            case Items("text"):
                f.store(f.pointer(f.call("put.text", [f"ptr {f.load(self.to, 'ptr')}", f"ptr {at}"])), self.to, "ptr")
            case Items(_, _, element):
                self.each(f.at(at, 1), f.load(at), element)

    def each(self, at: str, count: str, shape: Shape) -> None:
        f = self.fn
        self.raw("(")
        if count != "0":
            with f.counting("0", count) as i:
                self.value(f.at(at, f.mul(i, str(width(shape)))), shape)
        self.raw(")")

    def text(self, word: str) -> None:
        """A text by its number: behind its length in bytes."""
        f = self.fn
        at = f.load(self.to, "ptr")
        begin, end = f.load(f.at("@text.at", word)), f.load(f.at("@text.at", f.add(word, "1")))
        size = f.sub(end, begin)
        f.line(f"call void @llvm.memmove.p0.p0.i64(ptr {at}, ptr {f.at('@text.bytes', begin, 'i8')}, i64 {size}, i1 false)")
        f.store(f.at(at, size, "i8"), self.to, "ptr")

    def text_constants(self) -> list[str]:
        parts = [b'"%d;' % len(t.encode()) + t.encode() for t in self.lowered.texts.words]
        whole = b"".join(parts) or b" "
        ends = [sum(map(len, parts[:i])) for i in range(len(parts) + 1)]
        self.constant("text.at", ends)
        return [f'@text.bytes = internal constant [{len(whole)} x i8] c"{purpose_text(whole)}"']

    def zone(self, z: int) -> None:
        """The contents of a zone, with brackets around each unordered part."""
        f, layout = self.fn, self.layout
        n = f.load(f.at("%S", layout.lengths + z))
        items = f.at(f.at("%S", layout.contents), layout.zone_at[z], "i16")
        bits = f.at(f.at("%S", layout.bits), layout.zone_at[z], "i8")
        self.raw("(")
        inside = f.slot()
        f.store("0", inside)
        with f.counting("0", n) as i:
            piece = f.value(f"zext i16 {f.load(f.at(items, i, 'i16'), 'i16')} to i64")
            goes_on = f.value(f"zext i8 {f.load(f.at(bits, i, 'i8'), 'i8')} to i64") if layout.loosened else "0"
            was = f.load(inside)
            with f.when(f.both(f.test("eq", was, "0"), f.test("ne", goes_on, "0"))):
                self.raw("(")
            self.number(self.name(piece))
            with f.when(f.both(f.test("ne", was, "0"), f.test("eq", goes_on, "0"))):
                self.raw(")")
            f.store(goes_on, inside)
        self.raw(")")

    def name(self, piece: str) -> str:
        """The number of a component: of those that are alike the first that is written has the first number."""
        f = self.fn
        if not self.members:
            return piece
        lowest = f.load(f.at("@alike.first", piece))
        taken = f.at(self.taken, lowest)
        there = f.load(taken)
        f.store(f.add(there, "1"), taken)
        return f.load(f.at("@alike.members", f.add(f.load(f.at("@alike.start", lowest)), there)))

    def alike_constants(self) -> None:
        rows = [self.members.get(i, (i,)) for i in range(len(self.first))]
        self.constant("alike.first", self.first)
        self.constant("alike.start", [sum(map(len, rows[:i])) for i in range(len(rows))])
        self.constant("alike.members", [n for row in rows for n in row])

    def numbers(self, first: int) -> None:
        self.raw("(")
        for k in range(self.players):
            self.number(self.fn.load(self.fn.at("%S", first + k)))
        self.raw(")")

    def result(self) -> None:
        """How the game ended."""
        f, at, n = self.fn, self.layout.at["result"], self.players
        self.raw("(")
        self.number(f.load(f.at("%S", at + KIND)))
        self.raw("(")
        for k in range(n):
            with f.when(f.test("ne", f.load(f.at("%S", at + WINNERS + k)), "0")):
                self.raw(f"{k};")
        self.raw(")")
        self.numbers(at + WINNERS + n)
        none, some, done = f.label(), f.label(), f.label()
        f.branch(f.test("eq", f.load(f.at("%S", at + SCORED)), "0"), none, some)
        f.place(none)
        self.raw("n")
        f.jump(done)
        f.place(some)
        self.numbers(at + WINNERS + 2 * n)
        f.place(done)
        grade = f.load(f.at("%S", at + GRADE))
        labels, none, done = {i: f.label() for i in range(len(self.lowered.texts.words))}, f.label(), f.label()
        f.end(f"switch i64 {grade}, label %{none} [{' '.join(f'i64 {i}, label %{label}' for i, label in labels.items())}]")
        for i, label in labels.items():
            f.place(label)
            self.raw("(")
            for byte in self.lowered.texts.words[i].encode():
                self.raw(f"{byte};")
            self.raw(")")
            f.jump(done)
        f.place(none)
        self.raw("n")
        f.place(done)
        self.raw(")")

    def texts(self) -> list[str]:
        """The function, with its constants."""
        f, lowered = self.fn, self.lowered
        f.store("%text", self.to, "ptr")
        if self.members:
            f.line(f"call void @llvm.memset.p0.i64(ptr {self.taken}, i8 0, i64 {8 * len(self.first)}, i1 false)")
            self.alike_constants()
        self.raw("((")
        for i, shape in enumerate(lowered.variables):
            self.value(f.at("%S", self.layout.at[f"v{i}"]), shape)
        self.raw(")(")
        for z in range(len(lowered.program.zones.capacities)):
            self.zone(z)
        self.raw(")(")
        for i, seen in enumerate(lowered.seen):
            if seen is None:
                self.raw("n")
            else:
                self.value(f.at("%S", self.layout.at[f"seen{i}"]), seen)
        self.raw(")()")
        self.result()
        self.raw("n)")
        f.give(f.sub(f.address(f.load(self.to, "ptr")), f.address("%text")))
        texts = self.text_constants()
        return [*texts, *self.constants, put_number(), put_text(), f.text()]


def put_text() -> str:
    """`put.text(at, from)`: a text that is a list of characters, in UTF-8 behind its length in bytes; gives the address behind it."""
    f = Fn("put.text", [("at", "ptr"), ("from", "ptr")], apart=True)
    size, to, n, first = f.slot(), f.slot(), f.load("%from"), f.at("%from", 1)
    f.store(n, size)
    with f.counting("0", n) as i:
        c = f.load(f.at(first, i))
        for least in (0x80, 0x800, 0x10000):
            f.store(f.add(f.load(size), f.wide(f.test("ge", c, str(least)))), size)
    f.store(str(ord('"')), "%at", "i8")
    f.store(f.call("put.number", [f"ptr {f.at('%at', 1, 'i8')}", f"i64 {f.load(size)}"]), to)

    def byte(value: str) -> None:
        f.store(f.value(f"trunc i64 {value} to i8"), f.pointer(f.load(to)), "i8")
        f.store(f.add(f.load(to), "1"), to)

    def later(c: str, shift: int) -> None:
        byte(f.binary("or", f.binary("and", f.binary("lshr", c, str(shift)), "63"), "128"))

    with f.counting("0", n) as i:
        c, done = f.load(f.at(first, i)), f.label()
        for least, mark, shifts in ((0x10000, 0xF0, (12, 6, 0)), (0x800, 0xE0, (6, 0)), (0x80, 0xC0, (0,))):
            with f.when(f.test("ge", c, str(least))):
                byte(f.binary("or", f.binary("lshr", c, str(shifts[0] + 6)), str(mark)))
                for shift in shifts:
                    later(c, shift)
                f.jump(done)
        byte(c)
        f.place(done)
    f.give(f.load(to))
    return f.text()


def put_number() -> str:
    """`put.number(at, n)`: a number and a semicolon; gives the address behind them."""
    f = Fn("put.number", [("at", "ptr"), ("n", "i64")], apart=True)
    end = f.slot()
    small, large, done = f.label(), f.label(), f.label()
    f.branch(f.value("icmp ult i64 %n, 10"), small, large)
    f.place(small)
    f.store(f.value(f"trunc i64 {f.add('%n', '48')} to i8"), "%at", "i8")
    f.store(f.address(f.at("%at", 1, "i8")), end)
    f.jump(done)
    f.place(large)
    f.store(f.call("put.decimal", ["ptr %at", "i64 %n"]), end)
    f.place(done)
    behind = f.pointer(f.load(end))
    f.store("59", behind, "i8")
    f.give(f.add(f.load(end), "1"))
    return f.text()
