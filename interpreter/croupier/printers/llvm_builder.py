"""Builder of LLVM assembly as text: one function with its basic blocks and values.

Text rather than `llvmlite.ir`, which takes 27 times as long for the same assembly. An operand is the name of
a value (`%v7`) or a number; values are i64 unless an argument `kind` says otherwise. Variables are allocas,
which LLVM promotes to registers. Instructions that are emitted between the end of a block and the next label
are unreachable, and are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

Operand = str | int
LABEL = re.compile(r"label %([\w.]+)")
COMPARISONS = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
SHOWN = "width *players *masks *returns *failed"  # where the states of games are written out
ENTRY_POINTS: Mapping[str, str] = {
    "game.start": "*S",
    "game.apply": "*S action seat",
    "game.settle": "*S",
    "game.batch": "*S *streams first count *out",
    "game.rollouts": "*source *S *streams first count *out",
    "game.playouts": "*S *streams count *out",
    "game.lines": "*rows first count *text",
    "rows.histogram": "*words stride count low size *out",
    "game.search": "*source *S *streams *tree *room seat first count decided rolled horizon each",
    "game.keep": "*S *tree *to below",
    "game.replay": "*S *where *steps *plan *visible *checks length seat is_first *weight",
    "game.walk": "*S *where *steps *seen *free *plan *visible *checks *numbers *spare *counts",
    "game.think": "*request",
    "batch.begin": f"*games stride count *rows *numbers *played *S {SHOWN}",
    "batch.step": f"*games stride count *rows *actions again *S {SHOWN}",
    "batch.sample": "*games stride count *masks width *players *actions",
}
"""The functions that Python calls by `ctypes`, each with its signature. All return an i64."""


def parameters(signature: str) -> dict[str, str]:
    """The names of the parameters of a signature, with their types: `*S` is a pointer, `i1:test` of the type
    that is named, every other one an i64.
    """
    found = {}
    for word in signature.split():
        kind, _, name = word.replace("*", "ptr:").rpartition(":")
        found[name] = kind or "i64"
    return found


class FunctionBuilder:
    """Writes one function.

    `signature`: see `parameters`; `public`: external linkage; `noinline`: never inlined.
    """

    def __init__(
        self,
        name: str,
        signature: str,
        returns: str = "i64",
        *,
        public: bool = False,
        noinline: bool = False,
    ) -> None:
        linkage = "" if public else "internal "
        params = parameters(signature)
        inner = ", ".join(f"{kind} %{label}" for label, kind in params.items())
        self.head = f"define {linkage}{returns} @{name}({inner})"
        self.attribute = "noinline" if noinline else ""
        self.allocas: list[str] = []
        self.lines: list[str] = []
        self.terminated = self._has_scratch = False
        self._count = self._words = 0
        self.used: set[str] = set()  # labels that are targets of jumps
        self.pointers = {f"%{label}" for label, kind in params.items() if kind == "ptr"} | {"null"}

    @staticmethod
    def entry(name: str) -> FunctionBuilder:
        """A builder of one of the `ENTRY_POINTS`."""
        return FunctionBuilder(name, ENTRY_POINTS[name], public=True)

    def always_inline(self) -> None:
        """Always inline the function into its callers."""
        self.attribute = "alwaysinline"

    # ------------------------------------------------------------ text
    def fresh_name(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    def emit(self, text: str) -> None:
        if not self.terminated:
            self.lines.append("  " + text)

    def emit_value(self, text: str) -> str:
        name = self.fresh_name()
        self.emit(f"{name} = {text}")
        return name

    def text(self) -> str:
        text = "\n".join(
            [
                f"{self.head} {self.attribute} nounwind {{",
                "entry:",
                *self.allocas,
                "  br label %begin",
                "begin:",
                *self.lines,
                "}",
            ]
        )
        return text.replace(self.stack_bytes(), str(8 * (self._count + self._words) + 128))

    def stack_bytes(self) -> str:
        """A bound on the bytes of machine stack that a call takes, as a placeholder that `text` replaces by
        the number.
        """
        return "%bytes"

    # ------------------------------------------------------------ blocks
    def new_label(self) -> str:
        self._count += 1
        return f"b{self._count}"

    def new_labels(self, count: int) -> list[str]:
        return [self.new_label() for _ in range(count)]

    def start_block(self, label: str) -> None:
        """Begin the block of a label; the block before falls through."""
        self.jump(label)
        self.lines.append(f"{label}:")
        self.terminated = False

    def start_block_if_used(self, label: str) -> None:
        """`start_block`, unless the block is unreachable."""
        if label in self.used or not self.terminated:
            self.start_block(label)

    def terminate(self, text: str) -> None:
        if not self.terminated:
            self.used.update(LABEL.findall(text))
        self.emit(text)
        self.terminated = True

    def jump(self, label: str) -> None:
        self.terminate(f"br label %{label}")

    def branch(self, test: str, then: str, other: str) -> None:
        self.terminate(f"br i1 {test}, label %{then}, label %{other}")

    def ret(self, value: Operand) -> None:
        self.terminate(f"ret i64 {value}")

    def ret_if(self, test: str, value: Operand) -> None:
        """Return a value if an i1 is true."""
        with self.when(test):
            self.ret(value)

    @contextmanager
    def when(self, test: str) -> Iterator[None]:
        """Emit the code of the `with` block for the case that an i1 is true; drop it if the i1 is the
        constant `false`.
        """
        if test in ("true", "false"):
            written, ended = len(self.lines), self.terminated
            yield
            if test == "false":
                self.terminated = ended
                del self.lines[written:]
            return
        then, after = self.new_labels(2)
        self.branch(test, then, after)
        self.start_block(then)
        yield
        self.start_block(after)

    @contextmanager
    def for_range(self, first: Operand, limit: Operand) -> Iterator[str]:
        """A loop over i from `first` to `limit - 1`; yields the operand of i."""
        at = self.variable(first)
        head, body, after = self.new_labels(3)
        self.start_block(head)
        i = self.load(at)
        self.branch(self.icmp("lt", i, limit), body, after)
        self.start_block(body)
        yield i
        self.store(self.add(i, "1"), at)
        self.jump(head)
        self.start_block(after)

    # ------------------------------------------------------------ memory
    def alloca(self, words: int = 1, kind: str = "i64") -> str:
        """Allocate a variable of so many elements in the stack frame; return its address."""
        self._count += 1
        return self.named_alloca(f"var{self._count}", words, kind)

    def variable(self, start: Operand, kind: str = "i64") -> str:
        """Allocate a variable with an initial value; return its address."""
        at = self.alloca()
        self.store(start, at, kind)
        return at

    def named_alloca(self, name: str, words: int = 1, kind: str = "i64") -> str:
        """`alloca` with a name that no parameter has."""
        self._words += words
        self.allocas.append(
            f"  %{name} = alloca [{words} x {kind}], align 8" if words > 1 else f"  %{name} = alloca {kind}"
        )
        self.pointers.add(f"%{name}")
        return f"%{name}"

    def load(self, at: str, kind: str = "i64") -> str:
        return self._noted(self.emit_value(f"load {kind}, ptr {at}"), kind)

    def store(self, value: Operand, at: str, kind: str = "i64") -> None:
        self.emit(f"store {kind} {value}, ptr {at}")

    def load_at(self, base: str, index: Operand, kind: str = "i64") -> str:
        """Load an element of an array."""
        return self.load(self.gep(base, index, kind), kind)

    def store_at(self, value: Operand, base: str, index: Operand, kind: str = "i64") -> None:
        """Store to an element of an array."""
        self.store(value, self.gep(base, index, kind), kind)

    def scratch(self, words: int) -> str:
        """The address of a word of scratch memory of the position `%S`, by its offset (`llvm_layout.py`)."""
        if not self._has_scratch:
            self._has_scratch = True
            self.allocas.append("  %B = call ptr @position.scratch(ptr %S)")
        return self.gep("%B", words)

    def gep(self, base: str, index: Operand, kind: str = "i64") -> str:
        """The address of an element of an array (getelementptr)."""
        if index in (0, "0"):
            return base
        return self._noted(self.emit_value(f"getelementptr {kind}, ptr {base}, i64 {index}"), "ptr")

    def memmove(self, to: str, start: str, words: Operand) -> None:
        self.emit(
            f"call void @llvm.memmove.p0.p0.i64(ptr {to}, ptr {start}, i64 {self.mul(words, '8')}, i1 false)"
        )

    def clear(self, at: str, size: Operand, *, aligned: bool = False) -> None:
        """Fill so many bytes with 0; `aligned`: to words."""
        to = f"align 8 {at}" if aligned else at
        self.emit(f"call void @llvm.memset.p0.i64(ptr {to}, i8 0, i64 {size}, i1 false)")

    def inttoptr(self, value: Operand) -> str:
        return self._noted(self.emit_value(f"inttoptr i64 {value} to ptr"), "ptr")

    def ptrtoint(self, pointer: str) -> str:
        return self.emit_value(f"ptrtoint ptr {pointer} to i64")

    # ------------------------------------------------------------ numbers
    def binary(self, op: str, a: Operand, b: Operand, kind: str = "i64") -> str:
        return self.emit_value(f"{op} {kind} {a}, {b}")

    def add(self, a: Operand, b: Operand) -> str:
        return self.binary("add", a, b)

    def sub(self, a: Operand, b: Operand) -> str:
        return self.binary("sub", a, b)

    def mul(self, a: Operand, b: Operand) -> str:
        return self.binary("mul", a, b)

    def icmp(self, operator: str, a: Operand, b: Operand) -> str:
        """Compare two i64 by an operator of `COMPARISONS`, as i1."""
        return self.emit_value(f"icmp {COMPARISONS[operator]} i64 {a}, {b}")

    def and_bool(self, a: Operand, b: Operand) -> str:
        return self.binary("and", a, b, "i1")

    def or_bool(self, a: Operand, b: Operand) -> str:
        return self.binary("or", a, b, "i1")

    def not_bool(self, a: Operand) -> str:
        return self.binary("xor", a, "true", "i1")

    def zext(self, test: str) -> str:
        """Extend an i1 to i64."""
        return self.emit_value(f"zext i1 {test} to i64")

    def select(self, test: str, a: Operand, b: Operand) -> str:
        return self.emit_value(f"select i1 {test}, i64 {a}, i64 {b}")

    # ------------------------------------------------------------ calls
    def call(self, name: str, *args: Operand, inline: bool = False) -> str:
        """Call a function that takes i64 and pointers and returns an i64. `inline`: inline this call."""
        return self.emit_value(f"call i64 @{name}({self._typed(args)}){' alwaysinline' if inline else ''}")

    def run(self, name: str, *args: Operand) -> None:
        """Call a function that returns nothing."""
        self.emit(f"call void @{name}({self._typed(args)})")

    def _typed(self, args: Sequence[Operand]) -> str:
        """Arguments with their types."""
        return ", ".join(f"{'ptr' if a in self.pointers else 'i64'} {a}" for a in args)

    def _noted(self, value: str, kind: str) -> str:
        """A value that is known to be a pointer, if it is one."""
        if kind == "ptr":
            self.pointers.add(value)
        return value
