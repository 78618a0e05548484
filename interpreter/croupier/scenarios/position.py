"""From a declared position to a state: contents of zones, values of state, and the place in the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from croupier.diagnostics import RulesetError
from croupier.load import Ruleset
from croupier.runtime import entry
from croupier.runtime.entry import CallEnd, NoEntry
from croupier.runtime.faults import Fault
from croupier.runtime.game import Place, Value
from croupier.runtime.machine import Machine
from croupier.runtime.state import State
from croupier.scenarios.contents import Filled, Part, Reader, places, zone_named
from croupier.scenarios.setting import Setting
from croupier.scenarios.shape import question
from croupier.scenarios.table import Table, fail, suggestion
from croupier.scenarios.values import read_value
from croupier.schema import Text
from croupier.semantics import types as t
from croupier.semantics.check import check_call
from croupier.source import Mapping as MappingNode
from croupier.source import Node, Scalar

Items = tuple[Any, ...]
MOST_VALUES = 12  # of a loop, that are shown


@dataclass(frozen=True)
class Begun:
    """A state to begin with; after a `call`, where its result will be, and of which type."""

    state: State
    end: CallEnd | None = None
    result: t.Type = t.NOTHING


def begin(ruleset: Ruleset, table: Table, setting: Setting) -> Begun:
    """The declared position of a setting, run on to its first decision. Raises `RulesetError`."""
    reader = Reader(table)
    zones = _zones(table, setting, reader)
    values = _worn(table, reader)
    for name, node in setting.state:
        v = variable(name, table)
        values[v.index] = read_value(node, v.type, table, values.get(v.index, table.game.start_vars[v.index]))
    try:
        m = entry.declare(table.game, zones, values)
    except Fault as f:
        raise RulesetError((f.diagnostic,)) from None
    if setting.call is not None:
        return _call(ruleset, table, setting.call, m)
    assert setting.at is not None
    phases = table.game.program.phases
    if setting.at.text not in phases:
        inner = _inside(setting.at.text, table.game.program.resolved.phases)
        if inner:
            fail("K010", setting.at.span, name=setting.at.text, help=f"that is a group: name a phase in it, like `{inner[0]}`")
        fail("K010", setting.at.span, name=setting.at.text, **suggestion(setting.at.text, list(phases)))
    phase = phases[setting.at.text].index
    try:
        entry.stand_before(m, phase, _bound(table, setting, phase))
    except NoEntry as no:
        words = {"missing": "and nothing says for which", "absent": "but not for this value", "empty": "but there is nothing to repeat it for"}
        at = next((name.span for name, _ in setting.bound if name.text == no.loop), setting.at.span)
        help = {} if no.problem == "missing" else {"help": _repeated(table, m, phase, no.loop) if no.problem == "absent" else None}
        fail("K011", at, phase=setting.at.text, name=no.loop, problem=words[no.problem], **help)
    except Fault as f:
        raise RulesetError((f.diagnostic,)) from None
    return Begun(entry.begin(ruleset, table.game, m))


def _inside(name: str, phases: Any) -> list[str]:
    """The phases with rule text in a group of this name; none if there is no such group."""
    for key, phase in phases:
        leaves = _leaves(phase.phases) if key.text == name else _inside(name, phase.phases)
        if leaves:
            return leaves
    return []


def _leaves(phases: Any) -> list[str]:
    return [name for key, phase in phases for name in ([key.text] if phase.text is not None else _leaves(phase.phases))]


def _call(ruleset: Ruleset, table: Table, text: Text, m: Machine) -> Begun:
    names: dict[str, t.Type] = dict.fromkeys(table.seats.names, t.PLAYER)
    statement, proc, found = check_call(table.game.program, question(text), names)
    if statement is None:
        raise RulesetError(found)
    end = entry.stand_at_call(m, statement, proc, list(range(len(names))))
    return Begun(entry.begin(ruleset, table.game, m), end, proc.returns)


def _bound(table: Table, setting: Setting, phase: int) -> Mapping[str, Value]:
    main = table.game.code.main.proc
    slots = dict(entry.loop_names(main, phase))
    out: dict[str, Value] = {}
    for name, node in setting.bound:
        if name.text not in slots:
            if name.text in setting.lent and name.text in _loop_names(table):
                continue
            fail("K018", name.span, kind="loop variable", name=name.text, **suggestion(name.text, list(slots)))
        out[name.text] = read_value(node, main.slot_types[slots[name.text]], table)
    return out


def _loop_names(table: Table) -> set[str]:
    """The variables of the loops around all phases."""
    main = table.game.code.main.proc
    return {name for phase in table.game.program.phases.values() for name, _ in entry.loop_names(main, phase.index)}


def _repeated(table: Table, m: Machine, phase: int, name: str) -> str | None:
    """For which values the loop around a phase repeats it; none if that depends on the loops around it."""
    code = table.game.code.main
    kind = code.proc.slot_types[dict(entry.loop_names(code.proc, phase))[name]]
    loop = next(s for s in entry.loops_around(code.proc, phase) or () if s.op in ("for", "turns") and code.proc.slots[s.data[0]] == name)
    if any(x.op == "local" for x in loop.args[0].walk()):
        return None
    values = [table.seats.named(table.game.show(v, kind, m)) for v in table.game.code.expr(loop.args[0])(m, [None] * code.slots)]
    shown = ", ".join(f"`{v}`" for v in values[:MOST_VALUES])
    return f"`{name}` is one of {shown}{', …' if len(values) > MOST_VALUES else ''}"


def variable(name: Text, table: Table) -> Any:
    """The declaration of a state variable. Raises `RulesetError`."""
    known = table.game.program.vars
    if name.text not in known:
        fail("K018", name.span, kind="state", name=name.text, **suggestion(name.text, list(known)))
    return known[name.text]


# ---------------------------------------------------------------- zones
def _worn(table: Table, reader: Reader) -> dict[int, Value]:
    """The changeable attributes that labels among the contents name, by the index of their variable."""
    values: dict[int, Value] = {}
    for (variable, index), value in reader.worn.items():
        before: Any = values.get(variable, table.game.start_vars[variable])
        values[variable] = (*before[:index], value, *before[index + 1 :])
    return values


def _zones(table: Table, setting: Setting, reader: Reader) -> dict[int, Items]:
    """The contents of every zone: those listed, and what is left where the game starts it or where `rest` says."""
    game = table.game
    filled: dict[int, Filled] = {}
    for name, node in setting.zones:
        zone = zone_named(name, table)
        for place, part in places(zone, node, table):
            filled[place.number] = reader.fill(zone, place, part)
    left = [p.number for p in game.pieces if p.number not in reader.taken]
    for f in filled.values():
        _take_any(f, left, table)
    rest = None if setting.rest is None else _rest(setting.rest, table)
    start = {piece: z for z, items in enumerate(game.start_zones) for piece in items}
    below: dict[int, list[int]] = {}
    for piece in left:
        holds = rest is not None and game.pieces[piece].kind in game.program.zones[rest.zone].kinds
        z = rest.number if holds and rest is not None else start.get(piece, -1)
        if z >= 0:
            below.setdefault(z, []).append(piece)
    for z, pieces in below.items():
        if z in filled and (rest is None or rest.number != z):
            count = "one component that is" if len(pieces) == 1 else f"{len(pieces)} components that are"
            fail("K016", filled[z].span, zone=game.places[z].zone, count=count)
    touched = {*filled, *below, *start.values()}
    return {z: _items(game.places[z], below.get(z, []), filled.get(z)) for z in sorted(touched)}


def _take_any(filled: Filled, left: list[int], table: Table) -> None:
    kinds = table.game.program.zones[filled.place.zone].kinds
    for part in filled.parts:
        fitting = [p for p in left if table.game.pieces[p].kind in kinds][: part.more]
        if len(fitting) < part.more:
            fail("K015", filled.span, zone=filled.place.zone, reason=f"only {len(fitting)} components are left, not {part.more}")
        part.pieces += fitting
        for p in fitting:
            left.remove(p)


def _rest(node: Node, table: Table) -> Place:
    """`rest: deck`, or `rest: {won: Anna}` for one zone of a family."""
    if isinstance(node, Scalar):
        zone = zone_named(Text(node), table)
        if zone.key is None:
            return table.game.places[table.game.family[zone.name][0]]
        fail("K024", node.span, what=f"`{zone.name}` is a zone per {zone.key}", help=f"write `rest: {{{zone.name}: …}}`")
    if isinstance(node, MappingNode) and len(node.entries) == 1:
        key, value = node.entries[0]
        zone = zone_named(Text(key), table)
        if zone.key is not None and isinstance(value, Scalar):
            first, _ = table.game.family[zone.name]
            return table.game.places[first + table.game.values(zone.key).index(read_value(value, zone.key, table))]
    fail("K024", node.span, what="`rest` names one zone: `deck`, or `{hand: Anna}` for one of several")


def _items(place: Place, below: list[int], filled: Filled | None) -> Items:
    """The contents of a zone in its own order; what lies there unlisted is an unordered part at the bottom of a pile."""
    parts = [Part(below, unordered=place.order == "pile"), *(filled.parts if filled is not None else ())]
    if place.order in ("set", "bag"):
        return tuple(sorted(p for part in parts for p in part.pieces))
    out: list[Any] = []
    for part in parts:
        if part.unordered and len(part.pieces) > 1:
            out.append(tuple(sorted(part.pieces)))
        else:
            out += part.pieces
    return tuple(out)


__all__ = ["Begun", "begin", "variable"]
