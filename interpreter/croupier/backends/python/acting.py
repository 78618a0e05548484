"""What changes the game, as lines: writes, moves, calls; watchers look after each write that they read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from croupier.backends.python.blocks import Blocks
from croupier.backends.python.code import Append, Assign, Line, Lines
from croupier.backends.unsupported import Refused, refused_operation
from croupier.ir.instructions import Instruction
from croupier.semantics import types as t
from croupier.semantics.program import VarDef


@dataclass(frozen=True)
class Alone:
    """A routine that is one expression: the names of its parameters, and of the parts of the position that it reads."""

    parameters: tuple[str, ...]
    text: str
    aliases: frozenset[str]

    def text_count(self, name: str) -> int:
        return len(re.findall(rf"\b{name}\b", self.text))


class Acting(Blocks):
    """Prints instructions that change the position."""

    def acting(self, i: Instruction) -> Lines:
        match i.op:
            case "set_state":
                return self.set_state(i)
            case "set_entry" | "set_mutable":
                return self.set_entry(i)
            case "move":
                return self.move(i)
            case "move_all":
                a, b = (self.text(x) for x in i.args)
                return [Line(f"move_all(S, {a}, {b}, {i.data == 'top'})")]
            case "shuffle":
                return [Line(f"shuffle(S, {self.text(i.args[0])})")]
            case "swap" | "swap_zones":
                a, b = (self.text(x) for x in i.args)
                return [Line(f"{'exchange' if i.op == 'swap' else 'exchange_zones'}(S, {a}, {b})")]
            case "call" | "original":
                return self.call(i)
            case "offer":
                return [Append("x0", self.offered(i))]
            case "hush" | "unhush":
                return self.hush(i)
        raise refused_operation(i.op, i.span)

    # ------------------------------------------------------------ writes
    def watched(self, v: VarDef) -> Lines:
        watchers = self.facts.game.code.watch_vars[v.index]
        return [Line(f"notice(S, {self.constants.text(watchers)})")] if watchers else []

    def set_state(self, i: Instruction) -> Lines:
        v = self.facts.program.vars[i.data]
        text = self.text(i.args[0])
        target = f"{self.alias(f'm{v.index}')}[:]" if isinstance(v.type, t.Map) else f"{self.alias('V')}[{v.index}]"
        return [Line(f"{target} = {text}"), *self.watched(v)]

    def set_entry(self, i: Instruction) -> Lines:
        v = self.facts.program.vars[i.data]
        assert isinstance(v.type, t.Map)
        value = self.text(i.args[1])
        if i.op == "set_mutable":
            first = self.facts.game.kinds[i.data.split(".")[0]][0]
            at = f"{self.text(i.args[0])}{f' - {first}' if first else ''}"
        else:
            at = self.place(i.args[0], v.type.key)
        return [Line(f"{self.alias(f'm{v.index}')}[{at}] = {value}"), *self.watched(v)]

    # ------------------------------------------------------------ components
    def move(self, i: Instruction) -> Lines:
        top = i.data == "top"
        family = self.whole_family(i)
        if family is not None:
            first, count = family
            return [Line(f"move_family(S, {first}, {first + count}, {self.text(i.args[1])}, {top})")]
        single = self.single(i.args[0])
        if single is not None:
            return [Line(f"move(S, {single}, {self.text(i.args[1])}, {top})")]
        return [Line(f"move_several(S, {self.text(i.args[0])}, {self.text(i.args[1])}, {top})")]

    def whole_family(self, i: Instruction) -> tuple[int, int] | None:
        """The family of zones, as its first and how many they are, whose contents are moved to where nothing is asked of them, and nobody looks."""
        slot, game, watch = i.args[0], self.facts.game, self.facts.game.code.watch_zones
        made = self.writers.get(slot, [])
        family = made[0].data if len(made) == 1 and made[0] is not None and made[0].op.startswith("family") else None
        to = self.zone_names(i.args[1])
        if family is None or slot not in self.waiting or family in self.facts.unordered | to:
            return None
        first, count = game.family[family]
        targets = [p for p in game.places if p.zone in to]
        if any(watch[z] for z in (*range(first, first + count), *(p.number for p in targets))):
            return None
        if any(p.capacity is not None or not set(game.code.holds[first]) <= set(game.code.holds[p.number]) for p in targets):
            return None
        del self.waiting[slot]
        return first, count

    def single(self, slot: int) -> str | None:
        """The one component of a list that was just written down as such."""
        found = self.waiting.get(slot)
        text = found.text if found is not None else ""
        if text.startswith("(") and text.endswith(",)") and "," not in text[1:-2]:
            del self.waiting[slot]
            return text[1:-2]
        return None

    # ------------------------------------------------------------ calls
    def alone(self, target: int) -> Alone | None:
        """The one expression that a routine is, if it is one."""
        return None

    def in_place(self, i: Instruction, found: Alone) -> str:
        """A call as the expression that the routine is."""
        args = {}
        for parameter, a in zip(found.parameters, i.args, strict=True):
            text = self.text(a)
            args[parameter] = text if found.text_count(parameter) <= 1 else self.held(text)
        for name in found.aliases:
            self.alias(name)
        return re.sub(r"\b[lt]\d+\b", lambda m: args[m[0]], found.text)

    def o_call(self, i: Instruction) -> str:
        found = self.alone(i.data) if i.op == "call" and len(i.into) == 1 and not self.is_hooked(i.data) else None
        if found is not None:
            return self.in_place(i, found)
        args = "".join(f", {self.text(a)}" for a in i.args)
        if i.op == "original":
            return f"g{i.data}(S{args})"
        return f"{'d' if self.is_hooked(i.data) else 'p'}{i.data}(S{args})"

    def call(self, i: Instruction) -> Lines:
        text = self.o_call(i)
        for slot in i.into:
            self.settle(written=self.name(slot))
        if not i.into:
            return [Line(text)]
        return [Assign(", ".join(self.name(s) for s in i.into), text)]

    # ------------------------------------------------------------ others
    def offered(self, i: Instruction) -> str:
        raise Refused("an offer outside of a question", i.span)

    def hush(self, i: Instruction) -> Lines:
        return []
