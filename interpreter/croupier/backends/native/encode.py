"""The canonical bytes of a position whose game is over, as `runtime/position.py` gives them, written by native code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.called_alike import CalledAlike
from croupier.backends.native.emit import Fn
from croupier.backends.native.typed import optional
from croupier.backends.native.words import NONE
from croupier.backends.native.zonekinds import FIRST, MORE
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

SHORT = 8  # bytes that are written one by one
LONGEST = 160  # bytes that a word may take: 20 digits, a semicolon, and brackets as deep as types may be nested


class Encoder:
    """Writes `position(S, text)`, which gives how many bytes it wrote."""

    def __init__(self, printer: Printer) -> None:
        self.printer, self.words, self.plan, self.game = printer, printer.words, printer.plan, printer.game
        self.fn = Fn("position", [("S", "ptr"), ("text", "ptr")], apart=True)
        self.to = self.fn.slot()
        self.alike = CalledAlike(printer)
        self.taken = self.fn.slot(max(1, len(self.game.pieces)))  # how many of those that are called alike are written

    def raw(self, text: str) -> None:
        """Some known bytes."""
        f = self.fn
        if len(text) > SHORT:
            self.copied(self.printer.constants.bytes(text), str(len(text)))
            return
        at = f.load(self.to, "ptr")
        for k, byte in enumerate(text.encode("ascii")):
            f.store(str(byte), f.at(at, k, "i8"), "i8")
        f.store(f.at(at, len(text), "i8"), self.to, "ptr")

    def copied(self, start: str, count: str) -> None:
        """So many bytes from an address."""
        f = self.fn
        at = f.load(self.to, "ptr")
        f.line(f"call void @llvm.memmove.p0.p0.i64(ptr {at}, ptr {start}, i64 {count}, i1 false)")
        f.store(f.at(at, count, "i8"), self.to, "ptr")

    def number(self, value: str) -> None:
        f = self.fn
        at = f.load(self.to, "ptr")
        small, large, done = f.label(), f.label(), f.label()
        f.branch(f.value(f"icmp ult i64 {value}, 10"), small, large)
        f.place(small)
        f.store(f.value(f"trunc i64 {f.add(value, '48')} to i8"), at, "i8")
        f.store(f.at(at, 1, "i8"), self.to, "ptr")
        f.jump(done)
        f.place(large)
        f.store(f.pointer(f.call("put.decimal", [f"ptr {at}", f"i64 {value}"])), self.to, "ptr")
        f.place(done)
        self.raw(";")

    def truth(self, value: str) -> None:
        f = self.fn
        at = f.load(self.to, "ptr")
        f.store(f.value(f"select i1 {f.test('ne', value, '0')}, i8 {ord('t')}, i8 {ord('f')}"), at, "i8")
        f.store(f.at(at, 1, "i8"), self.to, "ptr")

    def value(self, at: str, kind: t.Type) -> None:
        """The value that lies spread out at an address."""
        f = self.fn
        match kind:
            case t.Map():
                size = self.words.room(kind.value)
                self.raw("(")
                with f.counting("0", str(self.words.entries(kind))) as k:
                    self.maybe(f.at(at, f.mul(k, str(size))), kind.value)
                self.raw(")")
            case t.Optional():
                self.maybe(at, kind.base)
            case t.Record():
                self.raw("(")
                for part in self.words.fields(kind):
                    self.value(at, part)
                    at = f.at(at, self.words.room(part))
                self.raw(")")
            case t.Collection() | t.Endless() if not self.words.is_scalar(self.words.base(kind)):
                source = f.slot()
                f.store(f.address(at), source)
                self.row(source, kind)
            case t.Collection() | t.Endless():
                base = self.words.base(kind)
                size = self.words.room(base)
                self.raw("(")
                with f.counting("0", f.load(at)) as k:
                    self.value(f.at(f.at(at, f.mul(k, str(size))), 1), base)
                self.raw(")")
            case t.Bool():
                self.truth(f.load(at))
            case _:
                self.number(f.load(at))

    def row(self, source: str, kind: t.Type) -> None:
        """A value in a list of values that hold lists (`shapes.py`); `source` holds where it begins, and then where it ends."""
        f, words = self.fn, self.words
        if words.is_scalar(kind):
            self.value(f.pointer(f.load(source)), kind)
            f.store(f.add(f.load(source), str(8 * words.width(kind))), source)
            return
        match kind:
            case t.Optional():
                none, some, done = f.label(), f.label(), f.label()
                f.branch(f.test("eq", f.load(f.pointer(f.load(source))), str(NONE)), none, some)
                f.place(none)
                self.raw("n")
                f.store(f.add(f.load(source), "8"), source)
                f.jump(done)
                f.place(some)
                self.row(source, kind.base)
                f.place(done)
                return
            case t.Record():
                self.raw("(")
                for part in words.fields(kind):
                    self.row(source, part)
            case t.Map():
                self.raw("(")
                with f.counting("0", str(words.entries(kind))):
                    self.row(source, optional(kind.value))
            case _:
                self.raw("(")
                n = f.load(f.pointer(f.load(source)))
                f.store(f.add(f.load(source), "8"), source)
                with f.counting("0", n):
                    self.row(source, words.base(kind))
        self.raw(")")

    def maybe(self, at: str, kind: t.Type) -> None:
        """A value that may be missing."""
        f = self.fn
        if isinstance(kind, t.Map):
            self.value(at, kind)
            return
        none, some, done = f.label(), f.label(), f.label()
        f.branch(f.test("eq", f.load(at), str(NONE)), none, some)
        f.place(none)
        self.raw("n")
        f.jump(done)
        f.place(some)
        self.value(at, kind.base if isinstance(kind, t.Optional) else kind)
        f.place(done)

    def zone(self, z: str) -> None:
        """The contents of a zone, with brackets around each unordered part."""
        f = self.fn
        base, pieces, tags = self.printer.zones.parts(f, z)
        n = f.load(base)
        self.raw("(")
        with f.counting("0", n) as k:
            tag = f.load(f.at(tags, k))
            with f.when(f.test("eq", tag, str(FIRST))):
                self.raw("(")
            self.number(self.name(f.load(f.at(pieces, k))))
            after = f.add(k, "1")
            inside = f.test("lt", after, n)
            following = f.choose(inside, f.load(f.at(tags, f.choose(inside, after, "0"))), "0")
            with f.when(f.both(f.test("ne", tag, "0"), f.test("ne", following, str(MORE)))):
                self.raw(")")
        self.raw(")")

    def name(self, piece: str) -> str:
        """The number of a component: of those that are called alike the first that is written has the first number."""
        f, alike = self.fn, self.game.alike
        if not alike.members:
            return piece
        constants = self.printer.constants
        begins = constants.lookup(f, self.alike.start, piece)
        taken = f.at(self.taken, begins)
        there = f.load(taken)
        f.store(f.add(there, "1"), taken)
        return constants.lookup(f, self.alike.members, f.add(begins, there))

    def numbers(self, first: int) -> None:
        self.raw("(")
        for k in range(self.game.players):
            self.number(self.fn.load(self.fn.at("%S", first + k)))
        self.raw(")")

    def result(self) -> None:
        f = self.fn
        self.raw("(")
        self.number(f.sub(f.load(f.at("%S", p.RESULT)), "1"))
        self.raw("(")
        winners = f.load(f.at("%S", p.WINNERS))
        for k in range(self.game.players):
            with f.when(f.test("ne", f.binary("and", winners, str(1 << k)), "0")):
                self.raw(f"{k};")
        self.raw(")")
        self.numbers(p.RETURNS)
        none, some, done = f.label(), f.label(), f.label()
        f.branch(f.test("eq", f.load(f.at("%S", p.SCORED)), "0"), none, some)
        f.place(none)
        self.raw("n")
        f.jump(done)
        f.place(some)
        self.numbers(self.plan.scores)
        f.place(done)
        grade = f.load(f.at("%S", p.GRADE))
        with f.when(f.test("lt", grade, "0")):
            self.raw("n")
        if self.printer.constants.texts:
            with f.when(f.test("ge", grade, "0")):
                self.grade(grade)
        self.raw(")")

    def grade(self, grade: str) -> None:
        """A text by its number: all of them lie in a row."""
        f, constants = self.fn, self.printer.constants
        texts = ["(" + "".join(f"{b};" for b in text.encode()) + ")" for text in constants.texts]
        first = [sum(map(len, texts[:k])) for k in range(len(texts))]
        start = f.at(constants.bytes("".join(texts)), constants.lookup(f, [str(n) for n in first], grade), "i8")
        self.copied(start, constants.lookup(f, [str(len(x)) for x in texts], grade))

    def text(self) -> str:
        """The function."""
        f = self.fn
        f.store("%text", self.to, "ptr")
        if self.game.alike.members:
            with f.counting("0", str(len(self.game.pieces))) as n:
                f.store("0", f.at(self.taken, n))
        self.raw("((")
        for v in self.game.variables:
            self.value(f.at("%S", self.plan.vars[v.index]), v.type)
        self.raw(")(")
        if self.game.places:
            with f.counting("0", str(len(self.game.places))) as z:
                self.zone(z)
        self.raw(")(")
        for k, w in enumerate(self.printer.module.watchers):
            if w.kind == "watch":
                self.maybe(f.at("%S", self.plan.seen[k]), self.game.program.watchers[w.index].value.type)
            else:
                self.raw("n")
        self.raw(")()")
        self.result()
        self.raw("n)")
        f.give(f.sub(f.address(f.load(self.to, "ptr")), f.address("%text")))
        return f.text()


def longest(printer: Printer) -> int:
    """How many bytes a position may take."""
    texts = sum(4 * len(x.encode()) for x in printer.constants.texts)
    parts = len(printer.plan.vars) + len(printer.plan.zones) + len(printer.plan.seen)
    return LONGEST * (printer.plan.stack + parts) + texts + 256
