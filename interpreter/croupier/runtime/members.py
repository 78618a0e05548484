"""The reference evaluator: attributes and methods of collections and zones."""

from __future__ import annotations

from typing import Any

from croupier.runtime.aggregates import Collections
from croupier.runtime.evaluate import GRAIN, Run, flat, size
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value
from croupier.semantics import types as t
from croupier.semantics.tree import X

IN_ORDER = ("first", "last", "take", "drop", "position", "reversed")


class Members(Collections):
    """Attributes and methods of collections and zones, as functions of machine and locals."""

    # ------------------------------------------------------------ members of collections
    def sequence(self, x: X) -> Run:
        """The walked value, whatever kind it is."""
        kind = x.type
        if isinstance(kind, t.Zone):
            return self.x_zone_list(X("zone_list", kind, x.span, (x,)))
        if isinstance(kind, t.Family):
            return self.x_family_list(X("family_list", kind, x.span, (x,)))
        return self.expr(x)

    def expr(self, x: X) -> Run:
        head, dot, member = x.op.partition(".")
        if dot and head in ("list", "set", "bag", "zone", "family") and hasattr(self, f"m_{member}"):
            special = getattr(self, f"x_{head}_{member}", None)
            if special is None and head in ("list", "set", "bag") and member not in ("size", "empty", "first", "last"):
                return getattr(self, f"m_{member}")(self.charged(self.expr(x.args[0]), x), x)  # type: ignore[no-any-return]
            if special is None:
                walked = self.sequence_in_order if head in ("zone", "family") and member in IN_ORDER else self.sequence
                return getattr(self, f"m_{member}")(walked(x.args[0]), x)  # type: ignore[no-any-return]
        return super().expr(x)

    def sequence_in_order(self, x: X) -> Run:
        """The contents of a zone or of a family, where their order matters: a fault if it is not known."""
        kind, game, span = x.type, self.game, x.span
        if isinstance(kind, t.Family):
            first, count = game.family[x.data]
            zones: Run = self.fixed(tuple(range(first, first + count)))
        else:
            zone = self.expr(x)
            zones = lambda m, L: (zone(m, L),)  # noqa: E731

        def run(m: Any, L: list[Any]) -> Value:
            out: list[int] = []
            for z in zones(m, L):
                items = m.zones[z]
                if any(type(i) is tuple for i in items):
                    raise Fault("R008", span, zone=game.places[z].zone)
                out.extend(items)
            if len(out) >= GRAIN:
                m.spend(len(out) // GRAIN, span)
            return tuple(out)

        return run

    def m_size(self, items: Run, x: X) -> Run:
        return lambda m, L: len(items(m, L))

    def m_empty(self, items: Run, x: X) -> Run:
        return lambda m, L: not items(m, L)

    def m_first(self, items: Run, x: X) -> Run:
        def run(m: Any, L: list[Any]) -> Value:
            v = items(m, L)
            return v[0] if v else None

        return run

    def m_last(self, items: Run, x: X) -> Run:
        def run(m: Any, L: list[Any]) -> Value:
            v = items(m, L)
            return v[-1] if v else None

        return run

    def m_reversed(self, items: Run, x: X) -> Run:
        return lambda m, L: items(m, L)[::-1]

    def m_list(self, items: Run, x: X) -> Run:
        return items

    def m_all_equal(self, items: Run, x: X) -> Run:
        return lambda m, L: len(set(items(m, L))) <= 1

    def m_all_different(self, items: Run, x: X) -> Run:
        def run(m: Any, L: list[Any]) -> Value:
            v = items(m, L)
            return len(set(v)) == len(v)

        return run

    def m_distinct(self, items: Run, x: X) -> Run:
        return lambda m, L: tuple(dict.fromkeys(items(m, L)))

    def m_take(self, items: Run, x: X) -> Run:
        n = self.expr(x.args[1])
        return lambda m, L: items(m, L)[: max(0, n(m, L))]

    def m_drop(self, items: Run, x: X) -> Run:
        n = self.expr(x.args[1])
        return lambda m, L: items(m, L)[max(0, n(m, L)) :]

    def m_times(self, items: Run, x: X) -> Run:
        v = self.expr(x.args[1])
        return lambda m, L: items(m, L).count(v(m, L))

    def m_position(self, items: Run, x: X) -> Run:
        v = self.expr(x.args[1])

        def run(m: Any, L: list[Any]) -> Value:
            xs, wanted = items(m, L), v(m, L)
            return xs.index(wanted) + 1 if wanted in xs else None

        return run

    # ------------------------------------------------------------ zones
    def x_zone_size(self, x: X) -> Run:
        zone, span = self.expr(x.args[0]), x.span

        def run(m: Any, L: list[Any]) -> Value:
            items = m.zones[zone(m, L)]
            if len(items) >= GRAIN:
                m.spend(len(items) // GRAIN, span)
            return size(items)

        return run

    def x_zone_empty(self, x: X) -> Run:
        zone = self.expr(x.args[0])
        return lambda m, L: not m.zones[zone(m, L)]

    def end_of_zone(self, x: X, at: int) -> Run:
        zone, span, places = self.expr(x.args[0]), x.span, self.game.places

        def run(m: Any, L: list[Any]) -> Value:
            z = zone(m, L)
            items = m.zones[z]
            if not items:
                return None
            if type(items[at]) is tuple:
                raise Fault("R008", span, zone=places[z].zone)
            return items[at]

        return run

    def x_zone_top(self, x: X) -> Run:
        return self.end_of_zone(x, -1)

    def x_zone_bottom(self, x: X) -> Run:
        return self.end_of_zone(x, 0)

    x_zone_last = x_zone_top
    x_zone_first = x_zone_bottom

    def x_zone_above(self, x: X) -> Run:
        (zone, n), span, places = self.exprs(x.args), x.span, self.game.places

        def run(m: Any, L: list[Any]) -> Value:
            z, least = zone(m, L), max(0, n(m, L))
            items = m.zones[z]
            m.spend(len(items) // GRAIN, span)
            at = 0
            for i in items:
                at += len(i) if type(i) is tuple else 1
                if type(i) is tuple and at > least:
                    raise Fault("R008", span, zone=places[z].zone)
            return flat(items)[least:]

        return run

    def x_zone_room(self, x: X) -> Run:
        zone, places, everything = self.expr(x.args[0]), self.game.places, len(self.game.pieces)

        def run(m: Any, L: list[Any]) -> Value:
            z = zone(m, L)
            capacity = places[z].capacity
            return max(0, (everything if capacity is None else capacity) - size(m.zones[z]))

        return run

    def x_family_key(self, x: X) -> Run:
        name = x.args[0].data
        (first, count), c, places = self.game.family[name], self.expr(x.args[1]), self.game.places

        def run(m: Any, L: list[Any]) -> Value:
            z = m.where[c(m, L)]
            return places[z].key if first <= z < first + count else None

        return run

    def x_component_owner(self, x: X) -> Run:
        c, places = self.expr(x.args[0]), self.game.places

        def run(m: Any, L: list[Any]) -> Value:
            z = m.where[c(m, L)]
            return places[z].owner if z >= 0 else None

        return run
