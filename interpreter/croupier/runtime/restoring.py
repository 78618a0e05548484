"""Saved states: read again, and tested.

Nothing of the text is trusted: it may have been cut, edited, nested without end, or belong to something else.

What is kept: every variable and every local holds a value of its type, every component is in one zone that
may hold it, frames stand at suspensions that exist. That the history leads to the position is seen by playing
it again, which takes as long as the game took: where somebody asks for it, and always for a state that ended
in a fault, since a fault is words and places that a position does not hold.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from croupier.diagnostics import JsonObject, RulesetError
from croupier.kernel import types as t
from croupier.runtime import position
from croupier.runtime.arguments import shown
from croupier.runtime.event_cache import Entry
from croupier.runtime.faults import IllegalAction
from croupier.runtime.game import Game
from croupier.runtime.machine import Machine
from croupier.runtime.parameters import as_recorded
from croupier.runtime.position import MISFIT, RULES_FAIL, DamagedPosition
from croupier.runtime.state import VERSION, State, apply_history, first_state
from croupier.runtime.zone_contents import flat

if TYPE_CHECKING:
    from croupier.runtime.compiled_rules import CompiledRules
    from croupier.runtime.engine import Engine
    from croupier.runtime.state import Rules

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
        engine = ruleset.engine(players, as_recorded(ruleset.program, parameters))
    except RulesetError as refused:
        raise ValueError(f"{NOT_ONE} of this ruleset: {refused.diagnostics[0].message}") from None
    history = [_step(h, players) for h in data["history"]]
    start = None if data["start"] is None else _machine(engine.rules, data["start"])
    if _faulted(data["position"]):
        return _played(ruleset, engine, start, history, data["position"])
    state = State(ruleset, engine, _machine(engine.rules, data["position"]), history)
    state._start = start
    return state


def first(saved: State) -> State:
    """The state that the history of a saved one begins with.

    Raises ValueError if the rules cannot go on from there.
    """
    return first_state(saved.ruleset, saved.engine, saved._start)


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
def _machine(rules: CompiledRules, data: object) -> Machine:
    try:
        if not _made_of_values(data, texts=_has_texts(rules.game)):
            raise DamagedPosition(MISFIT)
        m = position.restore(rules, data)
        _test(rules.game, m)
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
        if not game.fits(m.vars[v.index], v.type):
            raise DamagedPosition(f"{MISFIT}: `{v.name}` cannot hold this value")
    for f in m.frames:
        proc = f.code.proc
        for name, kind, value in zip(proc.slots, proc.slot_types, f.L, strict=False):
            if value is not None and not name.startswith("$") and not game.fits(value, kind):
                raise DamagedPosition(f"{MISFIT}: the local `{name}` cannot hold this value")
    seen: set[int] = set()
    for z, items in enumerate(m.zones):
        held = list(flat(items))
        if seen & set(held) or len(held) != len(set(held)):
            raise DamagedPosition(f"{MISFIT}: a component lies in two zones")
        seen.update(held)
        if any(game.components[i].kind not in m.rules.holds[z] for i in held):
            raise DamagedPosition(f"{MISFIT}: a component lies in a zone that cannot hold it")


# ---------------------------------------------------------------- faults
def _faulted(data: object) -> bool:
    return isinstance(data, list) and len(data) == 6 and data[5] is not None


def _played(
    ruleset: Rules, engine: Engine, start: Machine | None, history: list[Entry], wanted: object
) -> State:
    """The state at the end of a history, which must be the one that was saved."""
    state = first_state(ruleset, engine, start)
    _play(state, history)
    if position.to_json(position.as_data(state._m)) != wanted:
        raise DamagedPosition("the saved history leads to another position")
    return state


def _play(state: State, history: list[Entry]) -> None:
    """Apply a history. Raises `DamagedPosition` if it is not one of this game."""
    try:
        apply_history(state, history)
    except IllegalAction:
        raise DamagedPosition("the saved history is not one of this game") from None
    except RULES_FAIL:
        if state._start is None:
            raise
        raise DamagedPosition(MISFIT) from None
