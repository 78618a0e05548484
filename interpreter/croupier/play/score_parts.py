"""The score of a finished game in its parts: what the rules add up, and what they compare where scores are
equal.

In: a state that is over. Out: columns, each a number for every seat. They are read from the `finish` that
ended the game: the addends of the first key of a ranking (or of a payment), and its further keys where they
decided. A column is called by the definition, the variable or the zone that it is worked out from.

They are worked out again in the last position. What depends on anything that only the rules knew when they
ended the game has no parts, and neither has a score that is no longer what the parts make.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.diagnostics import RulesetError
from croupier.kernel import types as t
from croupier.kernel.tree import (
    CallExpr,
    FinishStmt,
    LeaveStmt,
    LocalExpr,
    MapCompExpr,
    MutableExpr,
    StateExpr,
    TypedExpr,
    ZoneExpr,
)
from croupier.play.measure import value_of
from croupier.records import dataclass
from croupier.runtime.visibility import EVERYBODY
from croupier.semantics.call_effects import reads_of
from croupier.semantics.procedures import Proc
from croupier.semantics.walk import bodies

if TYPE_CHECKING:
    from croupier.runtime.state import State

MAX_PARTS = 8  # columns beside the score


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A number for every seat: `kind` is `part` of the score, `score`, or `tie`: what decided between players
    of equal score.
    """

    name: str
    kind: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Term:
    """An expression that is worked out for a player, who stands in a slot of the frame of a procedure; it is
    added or taken away.
    """

    x: TypedExpr
    proc: Proc
    slot: int
    sign: int = 1


def score_columns(state: State, seat: int | None = None) -> tuple[ScoreColumn, ...]:
    """Return the columns of a finished game, the score behind its parts; none where the rules keep no score.

    A `seat` is shown parts only if they follow from what everybody sees; `None` is the referee.
    """
    outcome = state.outcome()
    if outcome["status"] != "finished" or outcome["scores"] is None:
        return ()
    scores = tuple(outcome["scores"])
    score = ScoreColumn("score", "score", scores)
    found = _ending(state, seat)
    if found is None:
        return (score,)
    first, *others = found
    addends = list(_addends(state, first))
    parts = _columns(state, seat, addends, "part") if 1 < len(addends) <= MAX_PARTS else ()
    if not _add_up(parts, score):
        parts = ()
    score = ScoreColumn("in all", "score", scores) if parts else score
    best = [scores[p] for p in outcome["winners"]][:1]
    is_tie_broken = any([scores[p]] == best for p in range(len(scores)) if p not in outcome["winners"])
    ties = _columns(state, seat, others, "tie") if is_tie_broken else ()
    return (*parts, score, *ties)


def _ending(state: State, seat: int | None) -> list[_Term] | None:
    """Return the keys of the ranking or payment that ended the game, each for one player; `None` if it is
    made in another way.
    """
    last = next((event for event in reversed(state.events(seat)) if event.kind == "end"), None)
    if last is None or last.span is None:
        return None
    for proc, s in bodies(state.game.program):
        if s.span != last.span or not isinstance(s, FinishStmt) or not s.args:
            continue
        x = s.args[0]
        if not isinstance(x, MapCompExpr) or len(x.slots) != 1 or x.has_condition:
            return None
        is_of_players = isinstance(x.args[-2], LocalExpr) and x.args[-2].slot == x.slots[0]
        if not is_of_players or x.args[-2].type != t.PLAYER:
            return None
        value = x.args[-1]
        keys = value.args if value.op == "list" and value.args else (value,)
        return [_Term(key, proc, x.slots[0]) for key in keys]
    return None


def _addends(state: State, term: _Term) -> Iterator[_Term]:
    """Yield what a term adds up; a definition that only adds something up is opened."""
    x = term.x
    if x.op in ("+", "-") and len(x.args) == 2:
        yield from _addends(state, _Term(x.args[0], term.proc, term.slot, term.sign))
        sign = term.sign if x.op == "+" else -term.sign
        yield from _addends(state, _Term(x.args[1], term.proc, term.slot, sign))
        return
    inside = _opened(state, term)
    parts = [] if inside is None else list(_addends(state, inside))
    yield from parts if len(parts) > 1 else [term]


def _opened(state: State, term: _Term) -> _Term | None:
    """Return what a definition of one player gives, if that is all that it does."""
    x = term.x
    if not isinstance(x, CallExpr) or len(x.args) != 1:
        return None
    proc = state.game.program.procs[x.proc]
    only = proc.body[0] if len(proc.body) == 1 else None
    is_player = isinstance(x.args[0], LocalExpr) and x.args[0].slot == term.slot
    is_hooked = any(hook.target == x.proc for hook in state.game.program.hooks)
    if not is_player or is_hooked or not isinstance(only, LeaveStmt) or not only.args:
        return None
    return _Term(only.args[0], proc, 0, term.sign)


def _columns(state: State, seat: int | None, terms: list[_Term], kind: str) -> tuple[ScoreColumn, ...]:
    """Return a column for each term; none if one of them cannot be worked out, or is not for this seat."""
    if any(_needs_more(term) or (seat is not None and not _is_open(state, term)) for term in terms):
        return ()
    names = _names(state, terms)
    columns: list[ScoreColumn] = []
    for name, term in zip(names, terms, strict=True):
        run, slots = state.engine.rules.expr(term.x), len(term.proc.slots)
        try:
            values = tuple(
                value_of(state, run, slots, *_frame(term.slot, player)) for player in range(state.players)
            )
        except RulesetError:
            return ()
        columns.append(ScoreColumn(name, kind, tuple(term.sign * value for value in values)))
    return tuple(columns)


def _frame(slot: int, player: int) -> tuple[int, tuple[int, ...]]:
    """The beginning of a frame in which a player stands in a slot."""
    return player, (player,) * slot


def _needs_more(term: _Term) -> bool:
    """Tell whether a term reads a local other than its player."""
    bound = {slot for node in term.x.walk() for slot in node.binds()}
    return any(
        isinstance(node, LocalExpr) and node.slot not in bound and node.slot != term.slot
        for node in term.x.walk()
    )


def _is_open(state: State, term: _Term) -> bool:
    """Tell whether everybody sees what a term is worked out from."""
    names, zones, everything = reads_of(state.game.program, term.x)
    if everything:
        return False
    seen = state.game.seen_by
    are_seen = all(
        # what changes in a component is seen with its face, wherever that lies
        v.of_class is None and v.sight is None and seen[v.index] == EVERYBODY
        for v in state.game.variables
        if v.name in names
    )
    return are_seen and all(
        zone.seen_by == EVERYBODY and zone.sight == 0 for zone in state.game.zones if zone.family in zones
    )


def _add_up(parts: tuple[ScoreColumn, ...], score: ScoreColumn) -> bool:
    """Tell whether the parts make the score."""
    return bool(parts) and all(
        sum(part.values[seat] for part in parts) == told for seat, told in enumerate(score.values)
    )


# ---------------------------------------------------------------- names
def _names(state: State, terms: list[_Term]) -> list[str]:
    """The names of some terms: short ones, or where these are the same what stands in the rules."""
    short = [_called(state, term) for term in terms]
    return [
        term.x.span.text if short.count(name) > 1 else name for name, term in zip(short, terms, strict=True)
    ]


def _called(state: State, term: _Term) -> str:
    """What a term is called by: the first definition, variable or zone in it."""
    procs = state.game.program.procs
    for node in term.x.walk():
        name = ""
        if isinstance(node, CallExpr) and not procs[node.proc].name.startswith("$"):
            told = [arg.span.text for arg in node.args if not isinstance(arg, LocalExpr)]
            name = " ".join([procs[node.proc].name, *told])
        elif isinstance(node, StateExpr | ZoneExpr | MutableExpr):
            name = node.name.rpartition(".")[2]
        if name:
            return name.replace("_", " ")
    return term.x.span.text


__all__ = ["ScoreColumn", "score_columns"]
