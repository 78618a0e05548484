"""Expressions that are worked out while a game is set up: nothing in them may depend on a position, and their
steps are limited.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import product
from typing import TypeAlias

from croupier.diagnostics import RulesetError, Span, diagnose
from croupier.kernel import types as t
from croupier.kernel.tree import (
    ColumnExpr,
    ComponentExpr,
    ConstExpr,
    EnumExpr,
    LocalExpr,
    ParamExpr,
    TypedExpr,
)
from croupier.limits import MAX_CELLS, MAX_CLAIMS, MAX_COMPONENTS, MAX_ENTRIES, MAX_FIELDS, MAX_ZONES
from croupier.runtime import boards
from croupier.runtime.compiled_rules import ROWS, CompiledRules
from croupier.runtime.compiler import Compiler
from croupier.runtime.engine import Engine
from croupier.runtime.faults import Fault
from croupier.runtime.game import Component, Game, ObservedPosition, Value, Zone
from croupier.runtime.machine import Machine, RunnableRules
from croupier.runtime.parameters import admitted, bind, of_things, usual_players, validate
from croupier.runtime.plain_rows import plain_rows
from croupier.runtime.trace import Trace
from croupier.semantics.program import BoardDef, ClassDef, ParamDef, PartDef, Program
from croupier.text import join

SETUP_FUEL = 2_000_000  # steps of all set-up expressions together
MOST_ANSWERS = 256  # of the conditions of one parameter that are kept


class SetupMachine(Machine):
    """The machine of set-up expressions: it has no position, and fuel for all of them together."""

    has_position = False

    def __init__(self) -> None:
        self.vars, self.zones, self.fuel = [], [], SETUP_FUEL
        self.recorder = self.observer = None

    def spend(self, steps: int, span: Span) -> None:
        self.fuel -= steps
        if self.fuel < 0:
            raise Fault("R010", span, limit=SETUP_FUEL)

    def call(self, target: int, args: list[Value], span: Span) -> Value:
        raise Fault("G020", span)


class SetupValues:
    """A game that is being set up, and the values of its expressions."""

    def __init__(self, program: Program, players: int, trace: Trace | None) -> None:
        self.program, self.trace = program, trace
        self.game = Game(program, players, {}, self.value)
        for e in program.enums.values():
            self.game.enum_values[e.name] = {v: i for i, v in enumerate(e.values)}
        self.rules: CompiledRules | None = None  # once everything that they name is there
        self.nowhere = SetupMachine()

    def value(self, x: TypedExpr, *known: Value) -> Value:
        """A set-up expression now; nothing of it may depend on a position.

        `known` are the values of its first locals.
        """
        if self.trace is not None:
            self.trace.setup(x)
        match x:  # most cells of tables are one of these
            case ConstExpr():
                return x.value
            case EnumExpr():
                return self.game.enum_values[x.enum][x.name]
        if self.rules is None:
            self.early_columns(x)
        frame: list[Value] = [
            *known,
            *[None] * (1 + max((i for y in x.walk() for i in y.binds()), default=0)),
        ]
        compiler = Compiler(self.game, ROWS) if self.rules is None else self.rules
        return compiler.expr(x)(self.nowhere, frame)

    def holds(self, p: ParamDef, condition: TypedExpr) -> bool:
        """Return whether a condition of a parameter holds that needs no components or boards.

        It is worked out once for what it reads, and costs its steps each time.
        """
        if any(isinstance(x, ColumnExpr) for x in condition.walk()):  # may read other parameters
            return bool(self.value(condition))
        read = {x.name for x in condition.walk() if isinstance(x, ParamExpr)}
        key = (
            id(condition),
            self.game.players,
            tuple((name, self.game.parameters[name]) for name in sorted(read)),
        )
        if key in p.answers:
            if self.trace is not None:
                self.trace.setup(condition)
            answer, steps = p.answers[key]
            self.nowhere.spend(steps, condition.span)
            return bool(answer)
        before = self.nowhere.fuel
        answer = bool(self.value(condition))
        if len(p.answers) >= MOST_ANSWERS:
            p.answers.clear()
        p.answers[key] = answer, before - self.nowhere.fuel
        return answer

    def column(self, enum: str, name: str) -> None:
        """A column of an enumeration, value by value."""
        e = self.program.enums[enum]
        self.game.columns[enum, name] = tuple(self.value(e.rows[v][name]) for v in e.values)

    def early_columns(self, whole: TypedExpr) -> None:
        """The columns that an expression reads before their turn.

        Raises `RulesetError` for one that holds what is not there yet.
        """
        for x in (
            y for y in whole.walk() if isinstance(y, ColumnExpr) and (y.enum, y.name) not in self.game.columns
        ):
            enum, name = x.enum, x.name
            if enum not in self.program.enums:  # of cells, which are not there yet
                raise RulesetError((diagnose("G024", x.span, name=name),))
            needed = {
                y.name
                for cells in self.program.enums[enum].rows.values()
                for y in cells[name].walk()
                if isinstance(y, ParamExpr)
            }
            if of_things(x.type) or needed - self.game.parameters.keys():
                help = "boards, components and parameters that its values name are made later"
                raise RulesetError((diagnose("G024", x.span, name=name, help=help),))
            self.column(enum, name)

    def limit(self, code: str, span: Span, name: str, count: int, limit: int) -> None:
        if count > limit:
            raise RulesetError((diagnose(code, span, name=name, count=count, limit=limit),))

    def least(self, x: TypedExpr, name: str, least: int, *known: Value) -> int:
        """A number that must not be less than `least`."""
        return self.at_least(self.value(x, *known), x.span, name, least)

    def at_least(self, n: int, span: Span, name: str, least: int) -> int:
        """A number. Raises `RulesetError` (G022) if it is less than `least`."""
        if n < least:
            raise RulesetError((diagnose("G022", span, name=name, count=n, least=least),))
        return int(n)

    def default(self, kind: t.Type) -> Value:
        """Return the value of a type if the rules say none."""
        match kind:
            case t.Map():
                return (self.default(kind.value),) * self.game.domain(kind.key)[1]
            case t.Collection():
                return ()
            case t.Bool():
                return False
            case t.Int():
                return 0
        return None


# ---------------------------------------------------------------- labels
# values of changeable attributes, by the index of their variable
AttributeValues = tuple[tuple[int, Value], ...]

# combinations of the values that the label of one class names; of more there are no labels to write
MAX_LABELS = 1_000


def possible_labels(rules: RunnableRules) -> dict[str, dict[int, AttributeValues]]:
    """Return by label the components that can have it, with the values of their changeable attributes then.

    Only classes whose labels change are listed.
    """
    found: dict[str, dict[int, AttributeValues]] = {}
    game, m = rules.game, Machine(rules)
    for kind, label in game.labels.items():
        k = game.program.classes[kind]
        assert k.label is not None and k.frame is not None
        named = {k.frame.slots[x.slot] for x in k.label.walk() if isinstance(x, LocalExpr)}
        variables = [game.program.vars[f"{kind}.{a}"] for a in k.mutable if a in named]
        kinds = [v.type.value for v in variables if isinstance(v.type, t.Map)]
        if not all(game.is_finite(x.base if isinstance(x, t.Optional) else x) for x in kinds):
            continue
        if math.prod(game.domain(x)[1] + isinstance(x, t.Optional) for x in kinds) > MAX_LABELS:
            continue
        start = list(m.vars)
        for values in product(
            *((None, *game.values(x.base)) if isinstance(x, t.Optional) else game.values(x) for x in kinds)
        ):
            for v, value in zip(variables, values, strict=True):
                m.vars[v.index] = (value,) * len(start[v.index])
            held = tuple((v.index, value) for v, value in zip(variables, values, strict=True))
            for p in game.components:
                if p.kind == kind:
                    found.setdefault(label(m, p), {})[p.number] = held
        m.vars[:] = start
    return found


# ---------------------------------------------------------------- components
RowValue: TypeAlias = "Callable[[Machine, dict[str, Value], str | None], Value]"


class SetupComponents(SetupValues):
    """Makes the components, class by class."""

    def __init__(self, program: Program, players: int, trace: Trace | None) -> None:
        super().__init__(program, players, trace)
        self.later: list[tuple[dict[str, Value], str, TypedExpr]] = []
        # the backs there are, with what they show; the last one is that of the last component
        self.backs: dict[str, tuple[Value, ...]] = {}

    def components(self, k: ClassDef) -> None:
        game = self.game
        first = len(game.components)
        self.check_early_attributes(k)
        plain = plain_rows(self.program, k)
        rows = [
            (i, self.attributes(cells) if known is None else known)
            for (i, cells, _), known in zip(k.rows, plain, strict=True)
        ]
        if k.each:
            n = math.prod(game.domain(k.attributes[e])[1] for e in k.each)
            self.limit("G014", k.span, k.name, n, MAX_COMPONENTS - first)
            rows = [
                (None, dict(zip(k.each, values, strict=True)))
                for values in product(*(game.values(k.attributes[e]) for e in k.each))
            ]
        elif not rows:
            rows = [(None, {})]
        components: list[tuple[str | None, dict[str, Value]]] = []
        count = k.copies or ConstExpr(t.INT, k.span, value=1)
        copies = self.row_value(k, count)
        for i, values in rows:
            n = self.at_least(copies(self.nowhere, values, i), count.span, k.name, 0)
            self.limit("G014", k.span, k.name, len(components) + n, MAX_COMPONENTS - first)
            components.extend([(i, values)] * n)
        if not k.each and not k.rows and k.copies is None:
            components = []
        alike: dict[str, tuple[str | None, dict[str, Value]]] = {}
        template = self.label_of(k) if components else None
        back = None if k.back is None else self.row_value(k, k.back)
        for index, (i, values) in enumerate(components):
            if template is None:
                label = self.default_label(k, values, i, index, len(components))
            else:
                label = template(values, i)
            number = first + index
            if alike.setdefault(label, (i, values)) != (i, values) and k.name not in game.labels:
                where = next((span for other, _, span in k.rows if other == i), k.span)
                raise RulesetError((diagnose("G018", where, label=label),))
            shown = None if back is None else self.back(k, back(self.nowhere, values, None), values, label)
            game.components.append(Component(number, k.name, index, values, label, i, shown))
            if i is not None:
                game.by_id.setdefault((k.name, i), number)
            game.by_label.setdefault(label, []).append(number)
        game.kinds[k.name] = (first, len(components))

    def attributes(self, cells: Mapping[str, TypedExpr]) -> dict[str, Value]:
        """The attributes of a row.

        Those that name components of classes further down are filled in when all components are there.
        """
        values: dict[str, Value] = {}
        for a, x in cells.items():
            if self.comes_later(x):
                values[a] = None
                self.later.append((values, a, x))
            else:
                values[a] = self.value(x)
        return values

    def comes_later(self, x: TypedExpr) -> bool:
        """Return whether a cell of a table names a component that has not been made yet."""
        if isinstance(x, ConstExpr | EnumExpr):
            return False
        parts = list(x.walk())
        if any(isinstance(y, ComponentExpr) and (y.kind, y.name) not in self.game.by_id for y in parts):
            return True
        return any(isinstance(y, ColumnExpr) and (y.enum, y.name) not in self.game.columns for y in parts)

    def check_early_attributes(self, k: ClassDef) -> None:
        """Check that counts, labels and backs do not depend on attributes that name components which are made
        later.
        """
        for whole in (k.copies, k.label, k.back):
            if whole is not None:
                self.early_columns(whole)
        open_rows = [
            cells
            for (_, cells, _), known in zip(k.rows, plain_rows(self.program, k), strict=True)
            if known is None
        ]
        late = {a for cells in open_rows for a, x in cells.items() if self.comes_later(x)}
        if not late or k.frame is None:
            return
        slots = k.frame.slots
        for x in (y for whole in (k.copies, k.label, k.back) if whole is not None for y in whole.walk()):
            if isinstance(x, LocalExpr) and x.slot < len(slots) and slots[x.slot] in late:
                name = slots[x.slot]
                raise RulesetError(
                    (diagnose("G017", x.span, reason=f"`{name}` names components, which are not there yet"),)
                )

    def named(self) -> None:
        """Attributes that name components."""
        for values, a, x in self.later:
            values[a] = self.value(x)

    def row_value(self, k: ClassDef, x: TypedExpr) -> RowValue:
        """Return a function that works an expression of a class out for attributes and an id."""
        run, names = Compiler(self.game, ROWS).expr(x), k.frame.slots if k.frame is not None else []

        def worked_out(m: Machine, values: dict[str, Value], id: str | None) -> Value:
            known = [values.get(name, id if name == "id" else None) for name in names]
            return run(m, known + [None] * 8)

        return worked_out

    def label_of(self, k: ClassDef) -> Callable[[dict[str, Value], str | None], str] | None:
        """Return a function from attributes and id to the label that the author wrote; `None` if there is
        none.
        """
        if k.label is None:
            return None
        template = self.row_value(k, k.label)
        starts = {a: self.start_of(k, a) for a in k.mutable}
        if any(
            isinstance(x, LocalExpr) and k.frame is not None and k.frame.slots[x.slot] in starts
            for x in k.label.walk()
        ):
            self.game.labels.setdefault(k.name, self.changing_label(k, template))
        return lambda values, id: template(self.nowhere, values | starts, id)

    def default_label(
        self, k: ClassDef, values: dict[str, Value], id: str | None, index: int, count: int
    ) -> str:
        """Return the label of a component without an author's label: its id, its attributes or its number."""
        if id is not None:
            return id
        words = [
            self.game.show(v, k.attributes[a])
            for a, v in values.items()
            if not isinstance(k.attributes[a], t.Text)
        ]
        if words and k.each:
            return join("-", words)
        return f"{k.name}-{index + 1}" if count > 1 else k.name

    def back(self, k: ClassDef, back: str, values: dict[str, Value], label: str) -> str:
        """Return the back of a component: what is seen of it if its face is not.

        Those with the same back are neighbours: no order of declaration says more than it. Raises
        `RulesetError` (G027) otherwise.
        """
        assert k.back is not None
        shown = (k.name, *(values[a] for a in sorted(k.on_back)))
        if back in self.backs and list(self.backs.items())[-1] != (back, shown):
            raise RulesetError((diagnose("G027", k.back.span, back=back, label=label),))
        self.backs[back] = shown
        return back

    def start_of(self, k: ClassDef, attribute: str) -> Value:
        v = self.program.vars[f"{k.name}.{attribute}"]
        assert isinstance(v.type, t.Map)
        return self.default(v.type.value) if v.start is None else self.value(v.start)

    def changing_label(self, k: ClassDef, template: RowValue) -> Callable[[ObservedPosition, Component], str]:
        """A label that names attributes which change in play: worked out anew wherever it is shown."""
        variables = {a: self.program.vars[f"{k.name}.{a}"].index for a in k.mutable}

        def label(m: ObservedPosition, p: Component) -> str:
            assert isinstance(m, Machine)
            values = {a: m.vars[i][p.index] for a, i in variables.items()}
            return template(m, p.attributes | values, p.id)  # type: ignore[no-any-return]

        return label


# ---------------------------------------------------------------- setup
class GameSetup(SetupComponents):
    """Makes everything else, in the order in which one thing needs another."""

    def columns(self, ready: Callable[[t.Type], bool]) -> None:
        """The columns of enumerations that are not there yet, if the things that their types name are
        there.
        """
        for e in self.program.enums.values():
            for c, kind in e.columns.items():
                if (e.name, c) not in self.game.columns and ready(kind):
                    self.column(e.name, c)

    def part(self, b: PartDef) -> None:
        """The edges, corners or links of a board."""
        whole = self.game.boards[b.of]
        if b.shape == "links":
            made = boards.links_of(
                whole, b.links, b.kinds, self.program.enums[b.enum].values if b.enum is not None else ()
            )
        else:
            both = boards.edges_and_corners(whole, self.program.boards[b.of].shape == "hex")
            made = both[0 if b.shape == "edges" else 1]
        if not made.size:
            raise RulesetError((diagnose("G023", b.span, name=b.name, count=1, given=0),))
        cells = made.size + sum(other.size for other in self.game.boards.values())
        self.limit("G015", b.span, b.name, cells, MAX_CELLS)
        self.game.boards[b.name] = made

    def board(self, b: BoardDef) -> None:
        if isinstance(b, PartDef):
            self.part(b)
            return
        names = list(b.cells)
        sizes = {
            f: self.least(x, f"{f} of {b.name}", 1)
            for f in ("rows", "columns", "size", "grows")
            if (x := getattr(b, f)) is not None
        }
        n, first = sizes.get("size", len(names)), 1
        if b.is_growing:  # as far in each direction from the first cell, (0,0)
            n, first = sizes["grows"] + 1, -sizes["grows"]
            sizes |= {"size": n} if b.shape == "hex" else dict.fromkeys(("rows", "columns"), 2 * n - 1)
        count = 3 * n * (n - 1) + 1 if b.shape == "hex" and "size" in sizes else n
        if b.shape in ("rectangle", "hex") and "size" not in sizes:
            count = sizes["rows"] * sizes["columns"]
        self.limit(
            "G015", b.span, b.name, count + sum(other.size for other in self.game.boards.values()), MAX_CELLS
        )
        if names and len(names) != count or not count:
            raise RulesetError((diagnose("G023", b.span, name=b.name, count=count, given=len(names)),))
        if b.shape == "hex" and "size" in sizes:
            made = boards.hexagon(b.name, n, first)
        elif b.shape in ("rectangle", "hex"):
            if b.shape == "rectangle":
                made = boards.rectangle(b.name, sizes["rows"], sizes["columns"], b.adjacency, first)
            else:
                made = boards.hexes(b.name, sizes["rows"], sizes["columns"])
        elif b.shape in ("ring", "hub"):
            names = names or [f"{b.name}_{i + 1}" for i in range(sizes["size"])]
            made = boards.ring(b.name, names, b.shape == "hub")
        else:
            made = boards.graph(b.name, names, b.links)
        made.names = names or made.names
        if b.cell_labels:
            made.labels = boards.algebraic(made)
        self.game.boards[b.name] = made

    def cells(self) -> None:
        """Set the values that cells of boards have for good."""
        for b in self.program.boards.values():
            for name, x in b.cell_values.items():
                self.game.columns[b.cell, name] = tuple(self.value(x))

    def zones(self) -> None:
        game = self.game
        for z in self.program.zones.values():
            count = 1 if z.key is None else game.domain(z.key)[1]
            self.limit("G016", z.span, z.name, count, MAX_ZONES - len(game.zones))
            keys: tuple[Value, ...] = (None,) if z.key is None else game.values(z.key)
            game.zone_ranges[z.name] = (len(game.zones), len(keys))
            for key in keys:
                owner = key if isinstance(z.key, t.Player) else None
                capacity = None
                if z.capacity is not None:
                    arguments = () if z.key is None else (key,)
                    capacity = self.least(z.capacity, f"the capacity of {z.name}", 0, *arguments)
                audiences = self.value(z.seen_by), self.value(z.counted_by)
                sight = 0
                if z.sight is not None:
                    sight = 2 if z.sight.each else 1
                sights = sight, z.count_sight is not None
                game.zones.append(
                    Zone(len(game.zones), z.name, key, z.order, capacity, *audiences, z.live, owner, *sights)
                )

    def starts(self) -> None:
        game = self.game
        game.start_zones.extend(() for _ in game.zones)
        taken: set[int] = set()
        for z in self.program.zones.values():
            if z.start is None:
                continue
            first, count = game.zone_ranges[z.name]
            for zone in game.zones[first : first + count]:
                if z.start == "all":
                    wanted = [p.number for p in game.components if p.kind in z.kinds]
                else:
                    wanted = list(self.value(z.start, *(() if z.key is None else (zone.key,))))  # type: ignore[arg-type]
                if zone.capacity is not None and len(wanted) > zone.capacity:
                    raise RulesetError((diagnose("R006", z.span, zone=z.name, capacity=zone.capacity),))
                again = next((p for p in wanted if p in taken), None)
                if again is not None:
                    raise RulesetError(
                        (diagnose("G019", z.span, label=game.components[again].label, zone=z.name),)
                    )
                taken.update(wanted)
                game.start_zones[zone.number] = (
                    tuple(wanted) if z.order in ("pile", "sequence") else tuple(sorted(wanted))
                )

    def claims(self) -> None:
        for c in self.program.claims:
            claims = math.prod(self.game.domain(kind)[1] for _, kind in c.fields)
            self.limit("G016", c.span, c.name, claims, MAX_CLAIMS)

    def types(self) -> None:
        """Records and maps within each other are limited: each level may double what a value holds."""
        fields: dict[str, int] = {}
        entries: dict[str, int] = {}
        for r in self.program.records.values():
            self.limit("G016", r.span, r.name, self.held(t.Record(r.name), fields, maps=False), MAX_FIELDS)
            self.limit("G016", r.span, r.name, self.held(t.Record(r.name), entries, maps=True), MAX_ENTRIES)
        for proc in self.program.procs:
            for name, kind in zip(proc.slots, proc.slot_types, strict=True):
                self.limit(
                    "G016",
                    proc.span,
                    name.removeprefix("$"),
                    self.held(kind, entries, maps=True),
                    MAX_ENTRIES,
                )

    def held(self, kind: t.Type, known: dict[str, int], maps: bool) -> int:
        """Return the number of values that one of a type holds.

        If `maps`, each entry of a map counts. `known` has the numbers of records.
        """
        match kind:
            case t.Record():
                if kind.name not in known:
                    known[kind.name] = sum(
                        self.held(f, known, maps) for f in self.program.records[kind.name].fields.values()
                    )
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
    parameters: Mapping[str, object] | None,
    trace: Trace | None = None,
    *,
    compiled: bool = True,
) -> Engine:
    """Set a game up. With a trace it says what it executes.

    One that is not `compiled` cannot be played: it shows whether a game can be set up.
    Raises `RulesetError` with positions when players or parameters do not fit.
    """
    counts, because = admitted(program, parameters or {})
    count = usual_players(program, counts) if players is None else players
    if count not in counts:
        wanted = ", ".join(str(p) for p in counts)
        notes = (f"that is so with {because}",) if because is not None and count in program.players else ()
        raise RulesetError(
            (diagnose("G012", None, title=program.title, wanted=wanted, given=count, notes=notes),)
        )
    setup = GameSetup(program, count, trace)
    game = setup.game
    try:
        bind(game, program, parameters or {}, setup.value, False)
        setup.columns(lambda kind: not of_things(kind))
        validate(game, program, setup.holds, False)
        for b in program.boards.values():
            setup.board(b)
        setup.cells()
        setup.columns(lambda kind: not of_things(kind, t.Component))
        for k in program.classes.values():
            setup.components(k)
        setup.columns(lambda kind: True)
        setup.named()
        bind(game, program, parameters or {}, setup.value, True)
        validate(game, program, lambda p, condition: setup.value(condition), True)
        setup.zones()
        engine = Engine(game, trace)
        setup.rules = engine.rules
        if trace is not None:
            trace.traced = engine.rules
        setup.starts()
        setup.types()
        setup.variables()
        setup.claims()
        if compiled:
            engine.rules.compile()
    except Fault as f:
        raise RulesetError((f.diagnostic,)) from None
    return engine
