"""Setting a game up: parameters, components, boards, zones and start values, all within limits, all mistakes positioned.

What comes in: a checked program, a number of players, settings of parameters. What goes out: a `Game` with compiled code, shared by all its
states, or diagnostics. Sizes are computed before anything is made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from croupier.diagnostics import RulesetError, diagnose
from croupier.limits import MAX_CELLS, MAX_CLAIMS, MAX_ENTRIES, MAX_FIELDS, MAX_ZONES
from croupier.runtime import boards
from croupier.runtime.code import Code
from croupier.runtime.faults import Fault
from croupier.runtime.game import Game, Place, Value
from croupier.runtime.parameters import admitted, bind, of_things, usual_players, validate
from croupier.runtime.pieces import Pieces
from croupier.runtime.trace import Trace
from croupier.semantics import types as t
from croupier.semantics.program import BoardDef, Program


class Setup(Pieces):
    """Makes everything else, in the order in which one thing needs another."""

    def columns(self, ready: Callable[[t.Type], bool]) -> None:
        """The columns of enumerations that are not there yet, if the things that their types name are there."""
        for e in self.program.enums.values():
            for c, kind in e.columns.items():
                if (e.name, c) not in self.game.columns and ready(kind):
                    self.column(e.name, c)

    def board(self, b: BoardDef) -> None:
        names = list(b.cells)
        sizes = {f: self.least(x, f"{f} of {b.name}", 1) for f in ("rows", "columns", "size") if (x := getattr(b, f)) is not None}
        count = sizes["rows"] * sizes["columns"] if b.shape in ("rectangle", "hex") else sizes.get("size", len(names))
        self.limit("G015", b.span, b.name, count + sum(other.size for other in self.game.boards.values()), MAX_CELLS)
        if names and len(names) != count or not count:
            raise RulesetError((diagnose("G023", b.span, name=b.name, count=count, given=len(names)),))
        if b.shape in ("rectangle", "hex"):
            made = (
                boards.rectangle(b.name, sizes["rows"], sizes["columns"], b.adjacency)
                if b.shape == "rectangle"
                else boards.hexes(b.name, sizes["rows"], sizes["columns"])
            )
        elif b.shape in ("ring", "hub"):
            names = names or [f"{b.name}_{i + 1}" for i in range(sizes["size"])]
            made = boards.ring(b.name, names, b.shape == "hub")
        else:
            made = boards.graph(b.name, names, b.links)
        made.names = names or made.names
        self.game.boards[b.name] = made

    def zones(self) -> None:
        game = self.game
        for z in self.program.zones.values():
            keys: tuple[Value, ...] = (None,)
            if z.key is not None:
                self.limit("G016", z.span, z.name, game.domain(z.key)[1], MAX_ZONES - len(game.places))
                keys = game.values(z.key)
            self.limit("G016", z.span, z.name, len(keys), MAX_ZONES - len(game.places))
            capacity = None if z.capacity is None else self.least(z.capacity, f"the capacity of {z.name}", 0)
            game.family[z.name] = (len(game.places), len(keys))
            for key in keys:
                owner = key if isinstance(z.key, t.Player) else None
                game.places.append(
                    Place(len(game.places), z.name, key, z.order, capacity, self.value(z.seen_by), self.value(z.counted_by), z.live, owner)
                )

    def starts(self) -> None:
        game = self.game
        game.start_zones = [() for _ in game.places]
        taken: set[int] = set()
        for z in self.program.zones.values():
            if z.start is None:
                continue
            first, count = game.family[z.name]
            for place in game.places[first : first + count]:
                if z.start == "all":
                    wanted = [p.number for p in game.pieces if p.kind in z.kinds]
                else:
                    wanted = list(self.value(z.start, *(() if z.key is None else (place.key,))))  # type: ignore[arg-type]
                if place.capacity is not None and len(wanted) > place.capacity:
                    raise RulesetError((diagnose("R006", z.span, zone=z.name, capacity=place.capacity),))
                again = next((p for p in wanted if p in taken), None)
                if again is not None:
                    raise RulesetError((diagnose("G019", z.span, label=game.pieces[again].label, zone=z.name),))
                taken.update(wanted)
                game.start_zones[place.number] = tuple(wanted) if z.order in ("pile", "sequence") else tuple(sorted(wanted))

    def claims(self) -> None:
        for c in self.program.claims:
            self.limit("G016", c.span, c.name, math.prod(self.game.domain(kind)[1] for _, kind in c.fields), MAX_CLAIMS)

    def types(self) -> None:
        """Records and maps within each other are limited: each level may double what a value holds."""
        fields: dict[str, int] = {}
        entries: dict[str, int] = {}
        for r in self.program.records.values():
            self.limit("G016", r.span, r.name, self.held(t.Record(r.name), fields, maps=False), MAX_FIELDS)
            self.limit("G016", r.span, r.name, self.held(t.Record(r.name), entries, maps=True), MAX_ENTRIES)
        for proc in self.program.procs:
            for name, kind in zip(proc.slots, proc.slot_types, strict=True):
                self.limit("G016", proc.span, name.removeprefix("$"), self.held(kind, entries, maps=True), MAX_ENTRIES)

    def held(self, kind: t.Type, known: dict[str, int], maps: bool) -> int:
        """How many values one of a type holds, each entry of a map counted if `maps`; `known` are those of records."""
        match kind:
            case t.Record():
                if kind.name not in known:
                    known[kind.name] = sum(self.held(f, known, maps) for f in self.program.records[kind.name].fields.values())
                return known[kind.name]
            case t.Map():
                keys = self.game.domain(kind.key)[1] if maps and self.game.is_finite(kind.key) else 1
                return keys * self.held(kind.value, known, maps)
            case t.Optional() | t.Collection():
                return self.held(kind.base, known, maps)
        return 1

    def variables(self) -> None:
        game, total = self.game, 0
        for v in self.program.vars.values():
            entries = 1
            kind = v.type
            while isinstance(kind, t.Map):
                entries *= game.domain(kind.key)[1]
                kind = kind.value
            self.limit("G016", v.span, v.name, entries, MAX_ENTRIES - total)
            total += entries
            if isinstance(kind, t.Collection) and kind.capacity is not None:
                self.least(kind.capacity, f"the capacity of {v.name}", 0)
            game.seen_by.append(self.value(v.seen_by))
            if v.start is None:
                game.start_vars.append(self.default(v.type))
            elif v.of_class is not None:
                game.start_vars.append((self.value(v.start),) * game.kinds[v.of_class][1])
            else:
                game.start_vars.append(self.value(v.start))


def set_up(
    program: Program,
    players: int | None,
    parameters: Mapping[str, Any] | None,
    trace: Trace | None = None,
    *,
    compiled: bool = True,
) -> Game:
    """Set a game up. With a trace it says what it executes.

    One that is not `compiled` cannot be played: it shows whether a game can be set up.
    Raises `RulesetError` with positions when players or parameters do not fit.
    """
    counts, because = admitted(program, parameters or {})
    count = usual_players(program, counts) if players is None else players
    if count not in counts:
        wanted = ", ".join(str(p) for p in counts)
        notes = (f"that is so with {because}",) if because is not None and count in program.players else ()
        raise RulesetError((diagnose("G012", None, title=program.title, wanted=wanted, given=count, notes=notes),))
    setup = Setup(program, count)
    game = setup.game
    game.trace = trace
    if trace is not None:
        trace.game = game
    try:
        bind(game, program, parameters or {}, setup.value, False)
        setup.columns(lambda kind: not of_things(kind))
        validate(game, program, setup.value, False)
        for b in program.boards.values():
            setup.board(b)
        setup.columns(lambda kind: not of_things(kind, t.Component))
        for k in program.classes.values():
            setup.pieces(k)
        setup.columns(lambda kind: True)
        setup.named()
        bind(game, program, parameters or {}, setup.value, True)
        validate(game, program, setup.value, True)
        setup.zones()
        game.code = Code(game)
        setup.code = game.code
        setup.starts()
        setup.types()
        setup.variables()
        setup.claims()
        if compiled:
            game.code.compile()
    except Fault as f:
        raise RulesetError((f.diagnostic,)) from None
    return game
