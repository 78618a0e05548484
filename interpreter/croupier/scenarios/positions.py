"""Declared positions: what lies in zones as an author writes it, values of state, and the place in the
rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any

from croupier.diagnostics import RulesetError, Span
from croupier.kernel import types as t
from croupier.kernel.tree import ForEachStmt, LocalExpr, TypedStmt
from croupier.records import dataclass
from croupier.ruleset import Ruleset
from croupier.runtime import declared_positions
from croupier.runtime.declared_positions import CallEnd, NotEnterable
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value, Zone
from croupier.runtime.machine import Machine
from croupier.runtime.state import State, begun_at
from croupier.scenarios.context import ScenarioContext, fail, suggestion
from croupier.scenarios.document import question
from croupier.scenarios.settings import Setting
from croupier.scenarios.values import read_value
from croupier.schema import Text
from croupier.schema.sections import Phase, each_phase
from croupier.semantics.check import check_call
from croupier.semantics.procedures import Proc
from croupier.semantics.program import VarDef, ZoneDef
from croupier.semantics.walk import shuffled_zones
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence

LONGEST_TEXT = 40  # characters of what an author has written that help repeats


@dataclass
class ZonePart:
    """Some components of a zone: numbers, what each is called here, and how many more, whichever they are."""

    components: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    more: int = 0
    unordered: bool = False


def labels_of(part: ZonePart, context: ScenarioContext, machine: Machine) -> list[str]:
    """Return the text for each component: a label that it can have, or its name, which stands for the label
    that it has now.
    """
    return [
        w if w in context.possible_labels else context.game.label(p, machine)
        for p, w in zip(part.components, part.labels, strict=True)
    ]


@dataclass
class Filled:
    """A zone as declared."""

    zone: Zone
    span: Span
    parts: list[ZonePart]


def zone_named(name: Text, context: ScenarioContext) -> ZoneDef:
    """The declaration of a zone. Raises `RulesetError`."""
    zones = context.game.program.zones
    if name.text not in zones:
        fail("K012", name.span, name=name.text, **suggestion(name.text, list(zones)))
    return zones[name.text]


def several_zones(definition: ZoneDef) -> str:
    """Return the message for a name of several zones where one of them is needed."""
    if isinstance(definition.key, t.Player):
        return f"every player has a `{definition.name}` of their own"
    return f"there is a `{definition.name}` for each `{definition.key}`"


def one_key(definition: ZoneDef, context: ScenarioContext) -> str:
    """The key of one of several zones, as an example: of a player the name that the scenario gives them."""
    assert definition.key is not None
    return context.show(context.game.values(definition.key)[0], definition.key)


def _shown(node: YamlNode) -> str:
    """Return the text of a value, if it is short."""
    text = node.span.text
    return text if len(text) <= LONGEST_TEXT and "\n" not in text else "[…]"


def zones_of(definition: ZoneDef, node: YamlNode, context: ScenarioContext) -> list[tuple[Zone, YamlNode]]:
    """The zones that a node describes, each with its own part of the node: one, or those of a family by
    key.
    """
    game = context.game
    first, count = game.zone_ranges[definition.name]
    if definition.key is None:
        return [(game.zones[first], node)]
    if not isinstance(node, YamlMapping):
        entry = f"{{{one_key(definition, context)}: {_shown(node)}}}"
        fail(
            "K024",
            node.span,
            what=several_zones(definition),
            help=f"say which one: `{definition.name}: {entry}`",
        )
    keys = game.values(definition.key)
    out: dict[int, YamlNode] = {}
    for key, value in node.entries:
        if key.text != "else":
            out[keys.index(read_value(key, definition.key, context))] = value
    other = next((value for key, value in node.entries if key.text == "else"), None)
    if other is not None:
        out = {i: out.get(i, other) for i in range(count)}
    return [(game.zones[first + i], value) for i, value in sorted(out.items())]


class ContentsReader:
    """Reads contents and remembers what was placed: of several components with the same label each is used
    once.

    A label that names changeable attributes says what they are: `attributes` keeps their values, by variable
    and number in the class.
    """

    def __init__(self, context: ScenarioContext, *, once: bool = True) -> None:
        self.context, self.once = context, once
        self.taken: set[int] = set()
        self.attributes: dict[tuple[int, int], Value] = {}

    def fill(self, definition: ZoneDef, zone: Zone, node: YamlNode) -> Filled:
        """The parts of one zone's contents. Raises `RulesetError`."""
        parts: list[ZonePart] = []
        items = node.items if isinstance(node, YamlSequence) else (node,)
        for item in items:
            self._item(item, definition, parts)
        filled = Filled(zone, node.span, parts)
        count = sum(len(p.components) + p.more for p in parts)
        if zone.capacity is not None and count > zone.capacity:
            fail(
                "K015",
                node.span,
                zone=definition.name,
                reason=f"it holds at most {zone.capacity}, not {count}",
            )
        return filled

    def _item(self, item: YamlNode, definition: ZoneDef, parts: list[ZonePart]) -> None:
        if isinstance(item, YamlScalar):
            part = self._open(parts)
            part.components.append(self.component(item, definition))
            part.labels.append(self.context.label(item.text))
            return
        if isinstance(item, YamlMapping) and len(item.entries) == 1:
            key, value = item.entries[0]
            if key.text == "any" and isinstance(value, YamlScalar) and value.text.isdecimal():
                parts.append(ZonePart(more=int(value.text)))
                parts.append(ZonePart())
                return
            if key.text == "unordered":
                inner: list[ZonePart] = []
                for one in value.items if isinstance(value, YamlSequence) else (value,):
                    self._item(one, definition, inner)
                shuffled = ZonePart(
                    [p for x in inner for p in x.components],
                    [w for x in inner for w in x.labels],
                    sum(x.more for x in inner),
                    True,
                )
                parts.append(shuffled)
                parts.append(ZonePart())
                return
        fail(
            "K024", item.span, what="contents are labels of components, `{unordered: […]}` or `{any: NUMBER}`"
        )

    def _open(self, parts: list[ZonePart]) -> ZonePart:
        if not parts or parts[-1].unordered or parts[-1].more:
            parts.append(ZonePart())
        return parts[-1]

    def component(self, node: YamlScalar, definition: ZoneDef) -> int:
        """The next component with this label, or that can have it, that may lie in the zone."""
        game = self.context.game
        text = self.context.label(node.text)
        labelled = self.context.possible_labels.get(text, {})
        found = list(labelled) or self.context.components(text)
        if not found:
            fail("K013", node.span, name=node.text, **suggestion(node.text, self.context.labels()))
        fitting = [p for p in found if game.components[p].kind in definition.kinds]
        if not fitting:
            fail("K015", node.span, zone=definition.name, reason=f"`{node.text}` is of another kind")
        free = [p for p in fitting if p not in self.taken]
        if not free:
            if not self.once:
                return fitting[0]
            fail(
                "K014",
                node.span,
                name=node.text,
                all=f": there are only {len(found)}" if len(found) > 1 else "",
            )
        self.taken.add(free[0])
        for variable, value in labelled.get(free[0], ()):
            self.attributes[variable, game.components[free[0]].index] = value
        return free[0]


# ---------------------------------------------------------------- position
Items = tuple[object, ...]
MOST_VALUES = 12  # of a loop, that are shown


@dataclass(frozen=True)
class Start:
    """A state to begin with; after a `call`, where its result will be, and of which type."""

    state: State
    end: CallEnd | None = None
    result: t.Type = t.NOTHING


def begin(ruleset: Ruleset, context: ScenarioContext, setting: Setting) -> Start:
    """The declared position of a setting, run on to its first decision. Raises `RulesetError`."""
    reader = ContentsReader(context)
    zones = _zones(context, setting, reader)
    values = _attribute_values(context, reader)
    for name, node in setting.state:
        v = variable(name, context)
        values[v.index] = read_value(
            node, v.type, context, values.get(v.index, context.game.start_vars[v.index])
        )
    try:
        m = declared_positions.declare(context.engine.rules, zones, values)
    except Fault as f:
        raise RulesetError((f.diagnostic,)) from None
    if setting.at is None:
        return _call(ruleset, context, setting.call[0], m)
    for text in setting.call:
        _build(context, text, m)
    phases = context.game.program.phases
    if setting.at.text not in phases:
        inner = _inside(setting.at.text, context.game.program.resolved.phases)
        if inner:
            fail(
                "K010",
                setting.at.span,
                name=setting.at.text,
                help=f"that is a group: name a phase in it, like `{inner[0]}`",
            )
        fail("K010", setting.at.span, name=setting.at.text, **suggestion(setting.at.text, list(phases)))
    phase = phases[setting.at.text].index
    try:
        declared_positions.enter_before_phase(m, phase, _bound(context, setting, phase))
    except NotEnterable as no:
        words = {
            "missing": "and nothing says for which",
            "absent": "but not for this value",
            "empty": "but there is nothing to repeat it for",
        }
        at = next((name.span for name, _ in setting.bound if name.text == no.loop), setting.at.span)
        help: dict[str, str | None] = {}
        if no.problem != "missing":
            help["help"] = _repeated(context, m, phase, no.loop) if no.problem == "absent" else None
        fail("K011", at, phase=setting.at.text, name=no.loop, problem=words[no.problem], **help)
    except Fault as f:
        raise RulesetError((f.diagnostic,)) from None
    return Start(begun_at(ruleset, context.engine, m))


def phases_called(text: Text, context: ScenarioContext) -> frozenset[str]:
    """The phases with rule text that a name means: one, or those of a group.

    Raises `RulesetError` if there are none.
    """
    phases = context.game.program.phases
    found = [text.text] if text.text in phases else _inside(text.text, context.game.program.resolved.phases)
    if not found:
        fail("K010", text.span, name=text.text, **suggestion(text.text, list(phases)))
    return frozenset(found)


def _inside(name: str, phases: Iterable[tuple[Text, Phase]]) -> list[str]:
    """Return the phases with rule text in a group of this name; empty if there is no such group."""
    groups = (phase.phases for key, phase in each_phase(phases) if key.text == name)
    leaves = ([key.text for key, phase in each_phase(group) if phase.text is not None] for group in groups)
    return next(filter(None, leaves), [])


def _call(ruleset: Ruleset, context: ScenarioContext, text: Text, machine: Machine) -> Start:
    statement, proc = _checked(context, text)
    end = declared_positions.enter_at_call(machine, statement, proc, list(range(len(context.seats.names))))
    return Start(begun_at(ruleset, context.engine, machine), end, proc.returns)


def _build(context: ScenarioContext, text: Text, machine: Machine) -> None:
    """Change a position by a call, before the game begins there."""
    statement, proc = _checked(context, text)
    if statement.suspends:
        fail("K026", text.span, call=text.text)
    declared_positions.enter_at_call(machine, statement, proc, list(range(len(context.seats.names))))
    machine.refuel()
    machine.advance()
    if machine.fault is not None:
        raise RulesetError((machine.fault.diagnostic,))


def _checked(context: ScenarioContext, text: Text) -> tuple[TypedStmt, Proc]:
    """The call of a definition, in the words of a scenario."""
    names: dict[str, t.Type] = dict.fromkeys(context.seats.names, t.PLAYER)
    statement, proc, found = check_call(context.game.program, question(text), names)
    if statement is None:
        raise RulesetError(found)
    return statement, proc


def _bound(context: ScenarioContext, setting: Setting, phase: int) -> dict[str, Value]:
    main = context.engine.rules.main.proc
    slots = dict(declared_positions.loop_names(main, phase))
    out: dict[str, Value] = {}
    for name, node in setting.bound:
        if name.text not in slots:
            if name.text in setting.lent and name.text in _loop_names(context):
                continue
            fail(
                "K018", name.span, kind="loop variable", name=name.text, **suggestion(name.text, list(slots))
            )
        out[name.text] = read_value(node, main.slot_types[slots[name.text]], context)
    return out


def _loop_names(context: ScenarioContext) -> set[str]:
    """The variables of the loops around all phases."""
    main = context.engine.rules.main.proc
    return {
        name
        for phase in context.game.program.phases.values()
        for name, _ in declared_positions.loop_names(main, phase.index)
    }


def _repeated(context: ScenarioContext, machine: Machine, phase: int, name: str) -> str | None:
    """Return the values for which the loop around a phase repeats it, in words; `None` if that depends on the
    loops around it.
    """
    code = context.engine.rules.main
    kind = code.proc.slot_types[dict(declared_positions.loop_names(code.proc, phase))[name]]
    loop = next(
        s
        for s in declared_positions.loops_around(code.proc, phase) or ()
        if isinstance(s, ForEachStmt) and code.proc.slots[s.slot] == name
    )
    if any(isinstance(x, LocalExpr) for x in loop.args[0].walk()):
        return None
    values = [
        context.seats.named(context.game.show(v, kind, machine))
        for v in context.engine.rules.expr(loop.args[0])(machine, [None] * code.slots)
    ]
    shown = ", ".join(f"`{v}`" for v in values[:MOST_VALUES])
    return f"`{name}` is one of {shown}{', …' if len(values) > MOST_VALUES else ''}"


def variable(name: Text, context: ScenarioContext) -> VarDef:
    """The declaration of a state variable. Raises `RulesetError`."""
    known = context.game.program.vars
    if name.text not in known:
        fail("K018", name.span, kind="state", name=name.text, **suggestion(name.text, list(known)))
    return known[name.text]


# ---------------------------------------------------------------- zones
def _attribute_values(context: ScenarioContext, reader: ContentsReader) -> dict[int, Value]:
    """The changeable attributes that labels among the contents name, by the index of their variable."""
    values: dict[int, Value] = {}
    for (variable, index), value in reader.attributes.items():
        before: Any = values.get(variable, context.game.start_vars[variable])
        values[variable] = (*before[:index], value, *before[index + 1 :])
    return values


def _zones(context: ScenarioContext, setting: Setting, reader: ContentsReader) -> dict[int, Items]:
    """The contents of every zone: those listed, and what is left where the game starts it or where `rest`
    says.
    """
    game = context.game
    filled: dict[int, Filled] = {}
    for name, node in setting.zones:
        definition = zone_named(name, context)
        for zone, part in zones_of(definition, node, context):
            filled[zone.number] = reader.fill(definition, zone, part)
    left = [p.number for p in game.components if p.number not in reader.taken]
    for f in filled.values():
        _take_any(f, left, context)
    rest = None if setting.rest is None else _rest(setting.rest, context)
    start = {component: z for z, items in enumerate(game.start_zones) for component in items}
    below: dict[int, list[int]] = {}
    for component in left:
        holds = rest is not None and game.components[component].kind in game.program.zones[rest.family].kinds
        z = rest.number if holds and rest is not None else start.get(component, -1)
        if z >= 0:
            below.setdefault(z, []).append(component)
    for z, components in below.items():
        if z in filled and (rest is None or rest.number != z):
            count = (
                "one component that is" if len(components) == 1 else f"{len(components)} components that are"
            )
            fail("K016", filled[z].span, zone=game.zones[z].family, count=count)
    shuffled = shuffled_zones(game.program)
    for z, components in below.items():
        in_order = {component: at for at, component in enumerate(game.start_zones[z])}
        components.sort(key=lambda component: in_order.get(component, -1))
    kept = {
        z
        for z, components in below.items()
        if game.zones[z].family not in shuffled and all(start.get(p) == z for p in components)
    }
    touched = {*filled, *below, *start.values()}
    return {z: _items(game.zones[z], below.get(z, []), filled.get(z), z in kept) for z in sorted(touched)}


def _take_any(filled: Filled, left: list[int], context: ScenarioContext) -> None:
    kinds = context.game.program.zones[filled.zone.family].kinds
    for part in filled.parts:
        fitting = [p for p in left if context.game.components[p].kind in kinds][: part.more]
        if len(fitting) < part.more:
            fail(
                "K015",
                filled.span,
                zone=filled.zone.family,
                reason=f"only {len(fitting)} components are left, not {part.more}",
            )
        part.components += fitting
        for p in fitting:
            left.remove(p)


def _rest(node: YamlNode, context: ScenarioContext) -> Zone:
    """`rest: deck`, or `rest: {won: Anna}` for one zone of a family."""
    if isinstance(node, YamlScalar):
        definition = zone_named(Text(node), context)
        if definition.key is None:
            return context.game.zones[context.game.zone_ranges[definition.name][0]]
        fail(
            "K024",
            node.span,
            what=several_zones(definition),
            help=f"write `rest: {{{definition.name}: {one_key(definition, context)}}}`",
        )
    if isinstance(node, YamlMapping) and len(node.entries) == 1:
        key, value = node.entries[0]
        definition = zone_named(Text(key), context)
        if definition.key is not None and isinstance(value, YamlScalar):
            first, _ = context.game.zone_ranges[definition.name]
            return context.game.zones[
                first + context.game.values(definition.key).index(read_value(value, definition.key, context))
            ]
    fail("K024", node.span, what="`rest` names one zone: `deck`, or `{hand: Anna}` for one of several")


def _items(zone: Zone, below: list[int], filled: Filled | None, kept: bool) -> Items:
    """The contents of a zone in its own order; what lies there unlisted is an unordered part at the bottom of
    a pile, unless its order is kept.
    """
    parts = [
        ZonePart(below, unordered=zone.order == "pile" and not kept),
        *(filled.parts if filled is not None else ()),
    ]
    if zone.order in ("set", "bag"):
        return tuple(sorted(p for part in parts for p in part.components))
    out: list[object] = []
    for part in parts:
        if part.unordered and len(part.components) > 1:
            out.append(tuple(sorted(part.components)))
        else:
            out += part.components
    return tuple(out)


__all__ = ["Start", "begin", "variable"]
