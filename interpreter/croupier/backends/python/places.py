"""Instructions as expressions of Python: state, components, zones."""

from __future__ import annotations

from croupier.backends.python.lists import Lists
from croupier.ir.instructions import Instruction
from croupier.semantics import types as t


class Places(Lists):
    """Prints instructions on state, zones and components."""

    # ------------------------------------------------------------ state and components
    def o_state(self, i: Instruction) -> str:
        v = self.facts.program.vars[i.data]
        return f"tuple({self.alias(f'm{v.index}')})" if isinstance(v.type, t.Map) else f"{self.alias('V')}[{v.index}]"

    def o_entry(self, i: Instruction) -> str:
        v = self.facts.program.vars[i.data]
        assert isinstance(v.type, t.Map)
        text = f"{self.alias(f'm{v.index}')}[{self.place(i.args[0], v.type.key)}]"
        return self.sure(text, v.type.value) if v.name in self.facts.gaps else text

    def o_mutable(self, i: Instruction) -> str:
        v, first = self.facts.program.vars[i.data], self.facts.game.kinds[i.data.split(".")[0]][0]
        return f"{self.alias(f'm{v.index}')}[{self.text(i.args[0])}{f' - {first}' if first else ''}]"

    def o_attr(self, i: Instruction) -> str:
        table = tuple(p.attributes.get(i.data) for p in self.facts.game.pieces)
        return f"{self.constants.text(table)}[{self.text(i.args[0])}]"

    def o_is_kind(self, i: Instruction) -> str:
        return f"{self.constants.text(tuple(p.kind == i.data for p in self.facts.game.pieces))}[{self.text(i.args[0])}]"

    def o_field(self, i: Instruction) -> str:
        at = list(self.facts.program.records[i.data[0]].fields).index(i.data[1])
        return f"{self.text(i.args[0])}[{at}]"

    def o_column(self, i: Instruction) -> str:
        return f"{self.constants.text(self.facts.game.columns[i.data])}[{self.text(i.args[0])}]"

    def o_owner(self, i: Instruction) -> str:
        table = (*(p.owner for p in self.facts.game.places), None)
        return f"{self.constants.text(table)}[{self.alias('W')}[{self.text(i.args[0])}]]"

    def o_key_of(self, i: Instruction) -> str:
        first, count = self.facts.game.family[i.data]
        table = (*(p.key if first <= p.number < first + count else None for p in self.facts.game.places), None)
        return f"{self.constants.text(table)}[{self.alias('W')}[{self.text(i.args[0])}]]"

    # ------------------------------------------------------------ zones
    def ordered(self, slot: int) -> bool:
        """Is the order of a zone always known?"""
        return not self.zone_names(slot) & self.facts.unordered

    def zone_names(self, slot: int) -> set[str]:
        known = self.value_of(slot)
        if known is not None:
            return {self.facts.game.places[known[0]].zone}
        return self.facts.zones_of(self.routine, slot)

    def o_zone_at(self, i: Instruction) -> str:
        game, key = self.facts.game, self.facts.program.zones[i.data].key
        assert key is not None
        (first, count), low = game.family[i.data], game.domain(key)[0]
        text = self.text(i.args[0])
        if isinstance(key, t.Int) and not self.inside(i.args[0], low, low + count - 1):
            text = self.held(text)
            self.test(f"not {low} <= {text} <= {low + count - 1}")
        return text if first == low else f"({text} + {first - low})" if first > low else f"({text} - {low - first})"

    def items_of(self, slot: int) -> str:
        return f"{self.alias('Z')}[{self.text(slot)}]"

    def o_zone_list(self, i: Instruction) -> str:
        return self.items_of(i.args[0]) if self.ordered(i.args[0]) else f"flat({self.items_of(i.args[0])})"

    def o_zone_size(self, i: Instruction) -> str:
        return f"{'len' if self.ordered(i.args[0]) else 'size'}({self.items_of(i.args[0])})"

    def o_zone_empty(self, i: Instruction) -> str:
        return f"(not {self.items_of(i.args[0])})"

    def end_of_zone(self, i: Instruction, at: int) -> str:
        items = self.held(self.items_of(i.args[0]))
        if not self.ordered(i.args[0]):
            self.test(f"{items} and type({items}[{at}]) is tuple")
        return f"({items}[{at}] if {items} else None)"

    def o_zone_top(self, i: Instruction) -> str:
        return self.end_of_zone(i, -1)

    def o_zone_bottom(self, i: Instruction) -> str:
        return self.end_of_zone(i, 0)

    def o_family_known(self, i: Instruction) -> str:
        if i.data in self.facts.unordered:
            first, count = self.facts.game.family[i.data]
            self.test(f"family_unknown({self.alias('Z')}, {first}, {count})")
        return self.o_family_list(i)

    def o_family_list(self, i: Instruction) -> str:
        first, count = self.facts.game.family[i.data]
        if i.data in self.facts.unordered or count > 12:
            return f"family({self.alias('Z')}, {first}, {count})"
        return "(" + "".join(f"*{self.alias('Z')}[{z}], " for z in range(first, first + count)) + ")"
