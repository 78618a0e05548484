"""The reference evaluator, expressions: each typed node becomes a function of the machine and the locals of a frame.

This is the meaning of the language's expressions, one row an operation. Everything is checked: what the type checker could not prove is
tested here and faults at the author's line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.runtime.faults import Fault, Unseen
from croupier.runtime.game import Game, Value
from croupier.runtime.reads import is_state
from croupier.semantics import types as t
from croupier.semantics.tree import X

Run = Callable[[Any, list[Any]], Value]
GRAIN = 32  # elements that are copied or compared for one step of fuel; walking them costs a step each

OPERATORS = {
    "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "+": "add", "-": "sub", "*": "mul", "//": "div", "not in": "not_in",
}  # fmt: skip


def flat(items: tuple[Any, ...]) -> tuple[int, ...]:
    """The components of a zone, bottom to top; an unordered part in canonical order, so that nothing is given away."""
    for i in items:
        if type(i) is tuple:
            break
    else:
        return items
    out: list[int] = []
    for i in items:
        if type(i) is tuple:
            out.extend(i)
        else:
            out.append(i)
    return tuple(out)


def size(items: tuple[Any, ...]) -> int:
    """How many elements there are in a collection, one level of stacks counted through."""
    n = len(items)
    for i in items:
        if type(i) is tuple:
            n += len(i) - 1
    return n


class Expressions:
    """Compiles expressions against one game."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def expr(self, x: X) -> Run:
        name = OPERATORS.get(x.op) or x.op.replace(".", "_")
        return getattr(self, "x_" + name)(x)  # type: ignore[no-any-return]

    def exprs(self, xs: tuple[X, ...]) -> list[Run]:
        return [self.expr(x) for x in xs]

    def x_narrow(self, x: X) -> Run:
        return self.expr(x.args[0])

    def of_kind(self, x: X, wanted: bool) -> Run:
        target = self.expr(x.args[0])
        table = [(p.kind == x.data) == wanted for p in self.game.pieces]
        return lambda m, L: table[target(m, L)]

    def x_is_kind(self, x: X) -> Run:
        return self.of_kind(x, True)

    def x_is_other(self, x: X) -> Run:
        return self.of_kind(x, False)

    # ------------------------------------------------------------ values
    def fixed(self, value: Value) -> Run:
        return lambda m, L: value

    def x_const(self, x: X) -> Run:
        return self.fixed(x.data)

    def x_enum(self, x: X) -> Run:
        return self.fixed(self.game.enum_values[x.data[0]][x.data[1]])

    def x_component(self, x: X) -> Run:
        return self.fixed(self.game.by_id[x.data])

    def x_labelled(self, x: X) -> Run:
        found = [i for i in self.game.by_label.get(x.data, []) if isinstance(x.type, t.Component) and self.game.pieces[i].kind in x.type.kinds]
        if not found:
            raise Fault("R022", x.span, label=x.data)
        return self.fixed(found[0])

    def x_copies(self, x: X) -> Run:
        one, game = self.expr(x.args[0]), self.game
        return lambda m, L: game.alike.copies[one(m, L)]

    def x_cell(self, x: X) -> Run:
        board = self.game.boards[x.data[0]]
        return self.fixed(board.names.index(x.data[1]))

    def x_param(self, x: X) -> Run:
        return self.fixed(self.game.parameters[x.data])

    def x_players(self, x: X) -> Run:
        return self.fixed(tuple(range(self.game.players)))

    def x_enum_values(self, x: X) -> Run:
        return self.fixed(tuple(range(len(self.game.program.enums[x.data].values))))

    def x_class(self, x: X) -> Run:
        first, count = self.game.kinds[x.data]
        return self.fixed(tuple(range(first, first + count)))

    def x_board_cells(self, x: X) -> Run:
        return self.fixed(tuple(range(self.game.boards[x.data].size)))

    def x_board(self, x: X) -> Run:
        return self.fixed(x.data)

    def x_local(self, x: X) -> Run:
        slot = x.data
        return lambda m, L: L[slot]

    def x_state(self, x: X) -> Run:
        i = self.game.program.vars[x.data].index
        return lambda m, L: m.vars[i]

    def x_text(self, x: X) -> Run:
        parts, game = x.data, self.game
        runs = [(self.expr(a), self.masked(a), a.type, is_state(a)) for a in x.args]

        def part(m: Any, L: list[Any], plain: Run, masked: Run, kind: t.Type, told: bool) -> str:
            eyes = m.seen
            try:
                value = (plain if eyes is None else masked)(m, L)
                m.seen = None if told else eyes  # whoever may read the state knows which component it names
                return str(value) if isinstance(kind, t.Text) else game.show(value, kind, m)
            except Unseen:
                return "…"
            finally:
                m.seen = eyes

        def run(m: Any, L: list[Any]) -> Value:
            fresh = iter(runs)
            return "".join([part(m, L, *next(fresh)) if p is None else p for p in parts])

        return run

    def masked(self, x: X) -> Run:
        """The expression as a reader of a text may see it (`masks.py`)."""
        return self.expr(x)

    # ------------------------------------------------------------ zones
    def x_zone(self, x: X) -> Run:
        first, _ = self.game.family[x.data]
        return self.fixed(x.data if isinstance(x.type, t.Family) else first)

    def x_zone_at(self, x: X) -> Run:
        first, _ = self.game.family[x.data]
        kind = self.game.program.zones[x.data].key
        assert kind is not None
        low, _ = self.game.domain(kind)
        key, span = self.expr(x.args[0]), x.span
        shift, count = first - low, self.game.family[x.data][1]

        def run(m: Any, L: list[Any]) -> Value:
            k = key(m, L)
            if not 0 <= k - low < count:
                raise Fault("R002", span, value=k, type=kind)
            return shift + k

        return run

    def x_zone_list(self, x: X) -> Run:
        zone, span = self.expr(x.args[0]), x.span

        def run(m: Any, L: list[Any]) -> Value:
            items = flat(m.zones[zone(m, L)])
            if len(items) >= GRAIN:
                m.spend(len(items) // GRAIN, span)
            return items

        return run

    x_zone_all = x_zone_list

    def x_family_list(self, x: X) -> Run:
        if x.args[0].op != "zone":
            raise AssertionError(x)
        (first, count), span = self.game.family[x.args[0].data], x.span

        def run(m: Any, L: list[Any]) -> Value:
            out: list[int] = []
            for z in m.zones[first : first + count]:
                out.extend(flat(z))
            if count + len(out) >= GRAIN:
                m.spend((count + len(out)) // GRAIN, span)
            return tuple(out)

        return run

    def x_zone_item(self, x: X) -> Run:
        zone, index, span, game = self.expr(x.args[0]), self.expr(x.args[1]), x.span, self.game

        def run(m: Any, L: list[Any]) -> Value:
            items, i = m.zones[zone(m, L)], index(m, L)
            if not 1 <= i <= size(items):
                raise Fault("R005", span, index=i, size=size(items))
            return known_at(items, i - 1, span, game.places[zone(m, L)].zone)

        return run

    # ------------------------------------------------------------ attributes
    def x_attr(self, x: X) -> Run:
        target, name, pieces = self.expr(x.args[0]), x.data, self.game.pieces
        table = [p.attributes.get(name) for p in pieces]
        return lambda m, L: table[target(m, L)]

    def x_mutable(self, x: X) -> Run:
        target, (first, _) = self.expr(x.args[0]), self.game.kinds[x.data.split(".")[0]]
        i = self.game.program.vars[x.data].index
        return lambda m, L: m.vars[i][target(m, L) - first]

    def x_field(self, x: X) -> Run:
        target = self.expr(x.args[0])
        i = list(self.game.program.records[x.data[0]].fields).index(x.data[1])
        return lambda m, L: target(m, L)[i]

    def x_column(self, x: X) -> Run:
        target, table = self.expr(x.args[0]), self.game.columns[x.data]
        return lambda m, L: table[target(m, L)]


def known_at(items: tuple[Any, ...], index: int, span: Any, zone: str) -> int:
    """The component at a place of a zone; a fault if it lies in an unordered part."""
    at = 0
    for i in items:
        if type(i) is tuple:
            if at <= index < at + len(i):
                raise Fault("R008", span, zone=zone)
            at += len(i)
        else:
            if at == index:
                return i  # type: ignore[no-any-return]
            at += 1
    raise AssertionError(index)
