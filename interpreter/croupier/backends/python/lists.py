"""Instructions as expressions of Python: lists and maps."""

from __future__ import annotations

from croupier.backends.facts import SHORT_LIST
from croupier.backends.python.values import Values
from croupier.backends.python.words import listed
from croupier.ir.instructions import Instruction
from croupier.semantics import types as t


class Lists(Values):
    """Prints instructions on lists, sets, bags and maps."""

    # ------------------------------------------------------------ lists and maps
    def o_size(self, i: Instruction) -> str:
        return f"len({self.text(i.args[0], True)})"

    def o_empty(self, i: Instruction) -> str:
        return f"(not {self.text(i.args[0], True)})"

    def end_of(self, i: Instruction, at: int) -> str:
        kind = self.kind(i.args[0])
        text = self.text(i.args[0])
        if isinstance(kind, t.Collection) and kind.nonempty and not isinstance(self.kind(i.into[0]), t.Optional):
            return f"{text}[{at}]"
        text = self.held(text)
        return f"({text}[{at}] if {text} else None)"

    def o_first(self, i: Instruction) -> str:
        return self.end_of(i, 0)

    def o_last(self, i: Instruction) -> str:
        return self.end_of(i, -1)

    def o_item(self, i: Instruction) -> str:
        items, at = (self.text(x) for x in i.args)
        items = self.held(items)
        known = self.value_of(i.args[0])
        if known is None or not self.inside(i.args[1], 1, len(known[0])):
            at = self.held(at)
            self.test(f"not 1 <= {at} <= len({items})")
        return f"{items}[{at} - 1]"

    def o_append(self, i: Instruction) -> str:
        return self.short(f"({self.text(i.args[0])} + ({self.text(i.args[1])},))", self.kind(i.into[0]))

    def o_join(self, i: Instruction) -> str:
        kind = self.kind(i.into[0])
        a, b = (self.text(x) for x in i.args)
        text = self.short(f"({a} + {b})", t.list_of(t.NEVER))
        if isinstance(kind, t.Collection) and kind.kind != "list":
            return f"canonical({self.constants.text(kind.kind)}, {text})"
        return text

    def short(self, text: str, kind: t.Type) -> str:
        """A list made in play: it has a greatest length."""
        text = self.held(text)
        self.test(f"len({text}) > {self.facts.length(kind)}")
        return text

    def o_add_item(self, i: Instruction) -> str:
        kind = self.kind(i.into[0])
        assert isinstance(kind, t.Collection)
        text = f"({self.text(i.args[0])} + ({self.text(i.args[1])},))"
        if kind.kind != "list":
            text = f"canonical({self.constants.text(kind.kind)}, {text})"
        return self.short(text, kind)

    def place(self, key: int, kind: t.Type) -> str:
        """The place of a key in a map."""
        low, count = self.facts.game.domain(kind)
        text = self.text(key)
        if isinstance(kind, t.Int) and not self.inside(key, low, low + count - 1):
            text = self.held(text)
            self.test(f"not {low} <= {text} <= {low + count - 1}")
        known = self.value_of(key)
        if known is not None and isinstance(known[0], int):
            return str(int(known[0]) - low)
        return text if low == 0 else f"{text} - {low}"

    def sure(self, text: str, kind: t.Type) -> str:
        """An entry of a map that may lack it, where a value is promised."""
        if isinstance(kind, (t.Optional, t.Nothing)):
            return text
        text = self.held(text)
        self.test(f"{text} is None")
        return text

    def o_index(self, i: Instruction) -> str:
        kind = self.kind(i.args[0])
        assert isinstance(kind, t.Map)
        return self.sure(f"{self.text(i.args[0])}[{self.place(i.args[1], kind.key)}]", kind.value)

    def o_put(self, i: Instruction) -> str:
        kind = self.kind(i.args[0])
        assert isinstance(kind, t.Map)
        return f"changed({self.text(i.args[0])}, {self.place(i.args[1], kind.key)}, {self.text(i.args[2])})"

    def o_put_item(self, i: Instruction) -> str:
        return f"changed({self.text(i.args[0])}, {self.text(i.args[1])} - 1, {self.text(i.args[2])})"

    def o_map(self, i: Instruction) -> str:
        kind = self.kind(i.into[0])
        assert isinstance(kind, t.Map)
        if isinstance(kind.key, t.Never):
            return "()"
        low, count = self.facts.game.domain(kind.key)
        args = list(i.args)
        other = self.text(args.pop()) if len(args) % 2 else "None"
        if not args:
            return f"({other},) * {count}" if count < SHORT_LIST else self.deviates()
        pairs = [f"({self.place(args[k], kind.key)}, {self.text(args[k + 1])})" for k in range(0, len(args), 2)]
        return f"filled({count}, {other}, {listed(pairs)})"

    def deviates(self) -> str:
        self.test("True")
        return "None"
