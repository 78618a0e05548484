"""LLVM assembly as text: functions with blocks and values; all values are 64-bit integers unless said.

An operand is a text: the name of a value (`%v7`) or a number. Whatever is emitted after the end of a block and before the next label can
never run, and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

LABEL = re.compile(r"label %([\w.]+)")
COMPARISONS = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}


class Fn:
    """A function that is being written. `params` are types by name; the body begins in block `entry`; `apart` keeps it out of its callers."""

    def __init__(self, name: str, params: Sequence[tuple[str, str]], returns: str = "i64", *, public: bool = False, apart: bool = False) -> None:
        linkage = "" if public else "internal "
        inner = ", ".join(f"{kind} %{label}" for label, kind in params)
        self.head = f"define {linkage}{returns} @{name}({inner})"
        self.how = "noinline" if apart else ""
        self.allocas: list[str] = []
        self.lines: list[str] = []
        self.ended = self._before = False
        self._count = self._words = 0
        self.used: set[str] = set()  # labels that something jumps to

    def inside(self) -> None:
        """Put it into its callers."""
        self.how = "alwaysinline"

    # ------------------------------------------------------------ text
    def fresh(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    def line(self, text: str) -> None:
        if not self.ended:
            self.lines.append("  " + text)

    def value(self, text: str) -> str:
        name = self.fresh()
        self.line(f"{name} = {text}")
        return name

    def text(self) -> str:
        text = "\n".join([f"{self.head} {self.how} nounwind {{", "entry:", *self.allocas, "  br label %begin", "begin:", *self.lines, "}"])
        return text.replace(self.most_bytes(), str(8 * (self._count + self._words) + 128))

    def most_bytes(self) -> str:
        """How many bytes of the stack a call takes at most, if each value has a place of its own; `text` writes the number."""
        return "%bytes"

    # ------------------------------------------------------------ blocks
    def label(self) -> str:
        self._count += 1
        return f"b{self._count}"

    def place(self, label: str) -> None:
        """The block of this label begins here; who comes from above goes on in it."""
        self.jump(label)
        self.lines.append(f"{label}:")
        self.ended = False

    def place_if_used(self, label: str) -> None:
        """The same, unless nobody comes there."""
        if label in self.used or not self.ended:
            self.place(label)

    def end(self, text: str) -> None:
        if not self.ended:
            self.used.update(LABEL.findall(text))
        self.line(text)
        self.ended = True

    def jump(self, label: str) -> None:
        self.end(f"br label %{label}")

    def branch(self, test: str, then: str, other: str) -> None:
        self.end(f"br i1 {test}, label %{then}, label %{other}")

    def give(self, value: str) -> None:
        self.end(f"ret i64 {value}")

    @contextmanager
    def when(self, test: str) -> Iterator[None]:
        """What is emitted inside runs if an i1 holds; nothing is written of it if that is known not to."""
        if test in ("true", "false"):
            written, ended = len(self.lines), self.ended
            yield
            if test == "false":
                self.ended = ended
                del self.lines[written:]
            return
        then, after = self.label(), self.label()
        self.branch(test, then, after)
        self.place(then)
        yield
        self.place(after)

    @contextmanager
    def counting(self, first: str, limit: str) -> Iterator[str]:
        """A loop with a counter from `first` up to, without, `limit`; the limit is worked out before."""
        at = self.slot()
        self.store(first, at)
        head, body, after = self.label(), self.label(), self.label()
        self.place(head)
        i = self.load(at)
        self.branch(self.test("lt", i, limit), body, after)
        self.place(body)
        yield i
        self.store(self.add(i, "1"), at)
        self.jump(head)
        self.place(after)

    # ------------------------------------------------------------ memory
    def slot(self, words: int = 1, kind: str = "i64") -> str:
        """Room in the frame of the function."""
        self._count += 1
        return self.named_slot(f"room{self._count}", words, kind)

    def named_slot(self, name: str, words: int = 1, kind: str = "i64") -> str:
        """The same, by a name that no parameter has."""
        self._words += words
        self.allocas.append(f"  %{name} = alloca [{words} x {kind}], align 8" if words > 1 else f"  %{name} = alloca {kind}")
        return f"%{name}"

    def load(self, at: str, kind: str = "i64") -> str:
        return self.value(f"load {kind}, ptr {at}")

    def store(self, value: str, at: str, kind: str = "i64") -> None:
        self.line(f"store {kind} {value}, ptr {at}")

    def before(self, words: int) -> str:
        """The address of what lies before the position `%S` (`llvm_layout.py`), so many words from there."""
        if not self._before:
            self._before = True
            self.allocas.append("  %B = call ptr @position.before(ptr %S)")
        return self.at("%B", words)

    def at(self, base: str, index: str | int, kind: str = "i64") -> str:
        """The address of an element of an array."""
        return base if index in (0, "0") else self.value(f"getelementptr {kind}, ptr {base}, i64 {index}")

    def copy(self, to: str, start: str, words: str) -> None:
        self.line(f"call void @llvm.memmove.p0.p0.i64(ptr {to}, ptr {start}, i64 {self.mul(words, '8')}, i1 false)")

    def pointer(self, value: str) -> str:
        return self.value(f"inttoptr i64 {value} to ptr")

    def address(self, pointer: str) -> str:
        return self.value(f"ptrtoint ptr {pointer} to i64")

    # ------------------------------------------------------------ numbers
    def binary(self, op: str, a: str, b: str, kind: str = "i64") -> str:
        return self.value(f"{op} {kind} {a}, {b}")

    def add(self, a: str, b: str) -> str:
        return self.binary("add", a, b)

    def sub(self, a: str, b: str) -> str:
        return self.binary("sub", a, b)

    def mul(self, a: str, b: str) -> str:
        return self.binary("mul", a, b)

    def test(self, how: str, a: str, b: str) -> str:
        """A comparison, as i1."""
        return self.value(f"icmp {COMPARISONS[how]} i64 {a}, {b}")

    def both(self, a: str, b: str) -> str:
        return self.binary("and", a, b, "i1")

    def either(self, a: str, b: str) -> str:
        return self.binary("or", a, b, "i1")

    def wide(self, test: str) -> str:
        """An i1 as a number."""
        return self.value(f"zext i1 {test} to i64")

    def choose(self, test: str, a: str, b: str) -> str:
        return self.value(f"select i1 {test}, i64 {a}, i64 {b}")

    def call(self, name: str, args: Sequence[str], *, inside: bool = False) -> str:
        """A call that gives a number; arguments with their types. `inside`: the function is put here."""
        return self.value(f"call i64 @{name}({', '.join(args)}){' alwaysinline' if inside else ''}")
