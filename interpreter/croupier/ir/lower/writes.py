"""Lowering places that are written: locals, variables of the state, changeable attributes, entries of maps and lists."""

from __future__ import annotations

from dataclasses import replace

from croupier.ir.lower.collections import Comprehensions
from croupier.semantics import types as t
from croupier.semantics.tree import Param, X


class Writes(Comprehensions):
    """Lowers what puts a value somewhere."""

    def keep(self, local: int, slot: int) -> None:
        """A value into a local. The instruction that made it, if it came last, writes there at once."""
        same = self.slots[local].type == self.slots[slot].type or (self.is_int(local) and self.is_int(slot))
        if self.at is not None and self.code and same and self.slots[slot].role == "temp":
            last = self.code[-1]
            if last.into == (slot,) and (last.op != "check" or self.slots[local].type == self.slots[slot].type):
                self.code[-1] = replace(last, into=(local,))
                return
        self.emit("copy", (local,), (slot,))

    def is_int(self, slot: int) -> bool:
        return isinstance(self.slots[slot].type, t.Int)

    def write(self, target: X, slot: int) -> None:
        """The value of a slot to the place that an expression names; maps and lists are written as a whole, with one entry changed."""
        slot = self.fit(slot, target.type)
        match target.op:
            case "bound" | "certain":
                self.write(target.args[0], slot)
            case "local":
                self.keep(target.data, slot)
            case "state":
                self.emit("set_state", (), (slot,), target.data)
            case "mutable":
                self.emit("set_mutable", (), (self.value(target.args[0]), slot), target.data)
            case "index" if target.args[0].op == "state":
                self.emit("set_entry", (), (self.value(target.args[1]), slot), target.args[0].data)
            case "index" | "item":
                whole, key = self.value(target.args[0]), self.value(target.args[1])
                kind = target.args[0].type
                self.write(target.args[0], self.make("put" if target.op == "index" else "put_item", kind, (whole, key, slot)))
            case _:
                raise AssertionError(f"nothing writes to `{target.op}`")

    def back(self, param: Param, argument: X, slot: int) -> None:
        """What a `var` parameter holds at the end of a call, to the place that the call named."""
        place = argument.args[0] if argument.op == "bound" else argument
        if not t.within(param.type, place.type):
            slot = self.make("check", place.type, (slot,))
        self.write(place, slot)
