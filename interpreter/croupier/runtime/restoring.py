"""States that are not played to: saved and read again, or declared.

Nothing of the text is trusted: it may have been cut, edited, nested without end, or belong to something else.

What is kept: every variable and every local holds a value of its type, every component is in one zone that
may hold it, frames stand at suspensions that exist. That the history leads to the position is seen by playing
it again, which takes as long as the game took: where somebody asks for it, and always for a state that ended
in a fault, since a fault is words and places that a position does not hold.

A declared position says the contents of zones, values of state, and the place in the rules where it stands.
It stands before a phase, or before the call of one definition; the rules run on from there. What watchers
keep up to date follows from what is declared, as if it had just been written; what is declared itself stays
as declared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from croupier.diagnostics import JsonObject, RulesetError
from croupier.runtime import position
from croupier.runtime.arguments import shown
from croupier.runtime.compiler import ProcCode
from croupier.runtime.event_cache import Entry
from croupier.runtime.faults import GameOver, IllegalAction
from croupier.runtime.game import Game, Value, flat
from croupier.runtime.machine import Frame, Machine, locations
from croupier.runtime.operations import Op
from croupier.runtime.parameters import as_recorded
from croupier.runtime.position import MISFIT, RULES_FAIL, DamagedPosition
from croupier.runtime.state import VERSION, State, declared_state
from croupier.semantics import types as t
from croupier.semantics.procedures import Proc
from croupier.semantics.tree import ForEachStmt, LetStmt, TypedStmt
from croupier.semantics.walk import statement_call

if TYPE_CHECKING:
    from croupier.runtime.state import Rules


# ------------------------------------------------------------ positions that are declared
class NotEnterable(Exception):
    """A position cannot stand there: `loop` is the variable of a loop around the phase, `problem` is
    `missing`, `absent` or `empty`.
    """

    def __init__(self, loop: str, problem: str) -> None:
        super().__init__(loop, problem)
        self.loop, self.problem = loop, problem


def declare(game: Game, zones: Mapping[int, tuple[object, ...]], variables: Mapping[int, Value]) -> Machine:
    """A machine with these contents of zones (by number) and values of state (by index), everything else as
    at the start; it stands nowhere yet.

    Raises `Fault` if a watcher faults; a watcher may end the game.
    """
    m = Machine(game)
    m.refuel()
    m.seen_values = _look(m)
    for z, items in zones.items():
        m.zones[z] = items
    m.where = locations(game, m.zones)
    for i, value in variables.items():
        m.vars[i] = value
    try:
        m.notice(tuple(range(len(game.code.watchers))))
    except GameOver:
        return m
    for i, value in variables.items():
        m.vars[i] = value
    m.seen_values = _look(m)
    return m


def _look(m: Machine) -> list[Value]:
    return [w.value(m, [None] * w.slots) if w.kind == "watch" else None for w in m.game.code.watchers]


def loops_around(main: Proc, phase: int) -> list[TypedStmt] | None:
    """Return the loops around the call of a phase, outermost first; `None` if it is not called."""

    def search(block: list[TypedStmt]) -> list[TypedStmt] | None:
        for s in block:
            call = statement_call(s)
            if call is not None and call.proc == phase:
                return []
            for inner in s.blocks:
                found = search(inner)
                if found is not None:
                    return [s, *found]
        return None

    return search(main.body)


def loop_names(main: Proc, phase: int) -> Iterator[tuple[str, int]]:
    """The variables of the loops around a phase, with their slots."""
    for s in loops_around(main, phase) or ():
        if isinstance(s, ForEachStmt):
            yield main.slots[s.slot], s.slot


def enter_before_phase(m: Machine, phase: int, bound: Mapping[str, Value]) -> None:
    """Put the machine before a phase, in its loops: `bound` gives the value of each loop variable. Raises
    `NotEnterable`.
    """
    code = m.game.code.main
    frame = Frame(code, code.entries[phase], [None] * code.slots, None)
    for s in loops_around(code.proc, phase) or ():
        if not isinstance(s, ForEachStmt):
            continue
        slot, items, at = s.slot, s.items, s.cursor
        name = code.proc.slots[slot]
        values = m.game.code.expr(s.args[0])(m, frame.L)
        if not values:
            raise NotEnterable(name, "empty")
        if name not in bound:
            raise NotEnterable(name, "missing")
        if bound[name] not in values:
            raise NotEnterable(name, "absent")
        frame.L[slot], frame.L[items], frame.L[at] = bound[name], values, values.index(bound[name]) + 1
    m.frames = [frame]


class CallEnd(Op):
    """After the one call that a position stands before: keeps its value and stops."""

    def __init__(self, slot: int | None) -> None:
        self.slot = slot
        self.done = False
        self.value: Value = None

    def run(self, m: Machine, fr: Frame) -> object:
        self.done, self.value = True, None if self.slot is None else fr.L[self.slot]
        raise GameOver


def enter_at_call(m: Machine, statement: TypedStmt, proc: Proc, values: list[Value]) -> CallEnd:
    """Put the machine before one call (from `semantics.check.check_call`), with the values of the names it
    may use.
    """
    code = ProcCode(proc)
    rules = m.game.code
    rules.code = code
    end = CallEnd(statement.slot if isinstance(statement, LetStmt) else None)
    code.entry = rules.resumable([statement], end, (), None)
    m.frames = [Frame(code, code.entry, values + [None] * (code.slots - len(values)), None)]
    return end


def begin(ruleset: Rules, game: Game, m: Machine) -> State:
    """The state of a declared position, run on to its first decision, chance event or end.

    Its history begins there.
    """
    state = State(ruleset, game, m)
    state.run_from_here()
    return state


# ------------------------------------------------------------ saved states
KEYS = ("croupier", "ruleset", "ruleset_hash", "players", "parameters", "position", "start", "history")
OPTIONAL_KEYS = ("meaning_hash",)  # states of earlier versions have none
NOT_ONE = "this is not a saved state"


def restore_state(ruleset: Rules, text: str) -> State:
    """The state that `State.serialize` wrote. Raises ValueError in words for any other text."""
    data = _read(text)
    if type(data["croupier"]) is not int or data["croupier"] != VERSION:
        raise ValueError("this state was saved by another version of croupier")
    if data["ruleset"] != ruleset.name or not ruleset.goes_on(data["ruleset_hash"], data.get("meaning_hash")):
        raise ValueError(
            f"this state belongs to another ruleset or another version of it: {shown(data['ruleset'])}"
        )
    players, parameters = data["players"], data["parameters"]
    if type(players) is not int or not isinstance(parameters, dict):
        raise ValueError(NOT_ONE)
    try:
        game = ruleset.game(players, as_recorded(ruleset.program, parameters))
    except RulesetError as refused:
        raise ValueError(f"{NOT_ONE} of this ruleset: {refused.diagnostics[0].message}") from None
    history = [_step(h, players) for h in data["history"]]
    start = None if data["start"] is None else _machine(game, data["start"])
    if _faulted(data["position"]):
        return _played(ruleset, game, start, history, data["position"])
    state = State(ruleset, game, _machine(game, data["position"]), history)
    state._start = start
    return state


def first(saved: State) -> State:
    """The state that the history of a saved one begins with.

    Raises ValueError if the rules cannot go on from there.
    """
    return _first(saved.ruleset, saved.game, saved._start)


def replayed(state: State, saved: State) -> State:
    """The state, after the history of a saved one. Raises ValueError if it is not the saved one then."""
    _play(state, saved._history)
    if state._history != saved._history or state.position() != saved.position():
        raise DamagedPosition("the saved history leads to another position")
    return state


def _read(text: str) -> JsonObject:
    try:
        data = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise ValueError(NOT_ONE) from None
    if (
        not isinstance(data, dict)
        or any(key not in data for key in KEYS)
        or not isinstance(data["history"], list)
    ):
        raise ValueError(NOT_ONE)
    more = next((key for key in data if key not in (*KEYS, *OPTIONAL_KEYS)), None)
    if more is not None:
        raise ValueError(f"{NOT_ONE}: there is no key {shown(more)}")
    return data


def _step(step: object, players: int) -> Entry:
    """One entry of a history: an action, a chance outcome (a tuple of one), or the action of one of several
    seats (a list of two).
    """
    match step:
        case bool():
            pass
        case int():
            return step
        case [int(outcome)] if type(outcome) is int:
            return (outcome,)
        case {"seat": int(seat), "action": int(action), **rest} if (
            type(seat) is type(action) is int and 0 <= seat < players and not rest
        ):
            return [seat, action]
    raise ValueError(NOT_ONE)


# ---------------------------------------------------------------- positions
def _machine(game: Game, data: object) -> Machine:
    try:
        if not _made_of_values(data, texts=_has_texts(game)):
            raise DamagedPosition(MISFIT)
        m = position.restore(game, data)
        _test(game, m)
    except RecursionError:
        raise DamagedPosition(NOT_ONE) from None
    return m


def _made_of_values(data: object, *, texts: bool) -> bool:
    """Return whether data holds nothing but what positions hold: whole numbers, truth values, `None`, texts
    if `texts`, and lists of those.
    """
    if isinstance(data, list):
        return all(_made_of_values(part, texts=texts) for part in data)
    return data is None or isinstance(data, int) or (texts and isinstance(data, str))


def _has_texts(game: Game) -> bool:
    """Return whether a variable or a local of the rules holds texts."""
    records = game.program.records

    def holds(kind: t.Type | None, inside: frozenset[str] = frozenset()) -> bool:
        match kind:
            case t.Text():
                return True
            case t.Optional() | t.Collection():
                return holds(kind.base, inside)
            case t.Map():
                return holds(kind.value, inside)
            case t.Record():
                return kind.name not in inside and any(
                    holds(field, inside | {kind.name}) for field in records[kind.name].fields.values()
                )
        return False

    return any(holds(v.type) for v in game.variables) or any(
        holds(kind) for proc in game.program.procs for kind in proc.slot_types
    )


def _test(game: Game, m: Machine) -> None:
    """Raises `DamagedPosition` for values outside their types, and components that are in two zones or in one
    that may not hold them.
    """
    for v in game.variables:
        if not fits(game, m.vars[v.index], v.type):
            raise DamagedPosition(f"{MISFIT}: `{v.name}` cannot hold this value")
    for f in m.frames:
        proc = f.code.proc
        for name, kind, value in zip(proc.slots, proc.slot_types, f.L, strict=False):
            if value is not None and not name.startswith("$") and not fits(game, value, kind):
                raise DamagedPosition(f"{MISFIT}: the local `{name}` cannot hold this value")
    seen: set[int] = set()
    for z, items in enumerate(m.zones):
        held = list(flat(items))
        if seen & set(held) or len(held) != len(set(held)):
            raise DamagedPosition(f"{MISFIT}: a component lies in two zones")
        seen.update(held)
        if any(game.components[i].kind not in game.code.holds[z] for i in held):
            raise DamagedPosition(f"{MISFIT}: a component lies in a zone that cannot hold it")


def fits(game: Game, value: Value, kind: t.Type) -> bool:
    """Return whether a value is one of a type, as a position holds it."""
    match kind:
        case t.Optional():
            return value is None or fits(game, value, kind.base)
        case t.Bool():
            return isinstance(value, bool) or value in (0, 1)
        case t.Int():
            low, high = game.int_bounds(kind)
            return type(value) is int and (low is None or low <= value) and (high is None or value <= high)
        case t.Enum() | t.Player() | t.Cell():
            first, count = game.domain(kind)
            return type(value) is int and first <= value < first + count
        case t.Component():
            return (
                type(value) is int
                and 0 <= value < len(game.components)
                and game.components[value].kind in kind.kinds
            )
        case t.Text():
            return isinstance(value, str)
        case t.Zone():
            return type(value) is int and 0 <= value < len(game.zones)
        case t.Record():
            fields = tuple(game.program.records[kind.name].fields.values())
            return (
                isinstance(value, tuple)
                and len(value) == len(fields)
                and all(fits(game, v, f) for v, f in zip(value, fields, strict=True))
            )
        case t.Collection():
            most = None if kind.capacity is None else game.constant(kind.capacity)
            return (
                isinstance(value, tuple)
                and (most is None or len(value) <= most)
                and all(fits(game, v, kind.base) for v in value)
            )
        case t.Map():
            return (
                isinstance(value, tuple)
                and len(value) == game.domain(kind.key)[1]
                and all(v is None or fits(game, v, kind.value) for v in value)
            )
    return True


# ---------------------------------------------------------------- faults
def _faulted(data: object) -> bool:
    return isinstance(data, list) and len(data) == 6 and data[5] is not None


def _played(ruleset: Rules, game: Game, start: Machine | None, history: list[Entry], wanted: object) -> State:
    """The state at the end of a history, which must be the one that was saved."""
    state = _first(ruleset, game, start)
    _play(state, history)
    if position.to_json(position.as_data(state._m)) != wanted:
        raise DamagedPosition("the saved history leads to another position")
    return state


def _first(ruleset: Rules, game: Game, start: Machine | None) -> State:
    return State(ruleset, game) if start is None else declared_state(ruleset, game, start)


def _play(state: State, history: list[Entry]) -> None:
    """Apply a history. Raises `DamagedPosition` if it is not one of this game."""
    try:
        for step in history:
            if isinstance(step, list):
                state.apply_action(step[1], step[0])
            else:
                state.apply_action(step[0] if isinstance(step, tuple) else step)
    except IllegalAction:
        raise DamagedPosition("the saved history is not one of this game") from None
    except RULES_FAIL:
        if state._start is None:
            raise
        raise DamagedPosition(MISFIT) from None
