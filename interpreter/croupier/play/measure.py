"""A measure: an expression of the rule language that is a number in every position, for a seat that it calls
`me`.

A ruleset may declare measures; they are then called by their names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.diagnostics import RulesetError, Source, diagnose
from croupier.kernel import types as t
from croupier.kernel.tree import LocalExpr, TypedExpr
from croupier.runtime.faults import Fault
from croupier.runtime.results import Result
from croupier.semantics import check_expression
from croupier.semantics.policies import ME
from croupier.semantics.procedures import Proc
from croupier.semantics.ranking import ranking_of
from croupier.semantics.type_words import described
from croupier.source.ruletext import whole

if TYPE_CHECKING:
    from croupier.runtime.engine import Engine
    from croupier.runtime.game import Game, Value
    from croupier.runtime.machine import Run
    from croupier.runtime.state import State


class Measure:
    """A measure of the ruleset by its name, or a checked expression of a number, or of true and false, which
    count 1 and 0.

    Raises RulesetError for anything else.
    """

    def __init__(self, engine: Engine, text: str) -> None:
        self.text, game = text, engine.game
        declared = game.program.measures.get(text)
        self.tree, self.frame = (
            (declared.value, declared.frame) if declared is not None else _checked(game, text)
        )
        self.of_players = _names_player(self.tree)
        self._run, self._slots = engine.rules.expr(self.tree), len(self.frame.slots)

    def value(self, state: State, seat: int = 0) -> int:
        """The value of the measure in a position, for a seat from 0. Raises RulesetError where it faults."""
        found = state._compiled_number(self.text, self.tree, self.frame, seat)
        return value_of(state, self._run, self._slots, seat) if found is None else found


class Ranking:
    """The ranking of players if the game ended now: by the first key of a `finish rank` of the rules that
    needs no local, if there is one.
    """

    def __init__(self, engine: Engine) -> None:
        found = ranking_of(engine.game.program)
        self.is_there = found is not None
        if found is not None:
            tree, proc = found
            self._run, self._slots = engine.rules.expr(tree), len(proc.slots)

    def scores(self, state: State) -> tuple[int, ...] | None:
        """Return the score of every seat in a position; `None` if the rules cannot tell yet."""
        try:
            value = evaluated(state, self._run, self._slots, 0)
        except RulesetError:
            return None
        return Result.of("rank", value, state.players, None).scores


class Grouping:
    """An expression of any type that games, or where it says `me` players, are grouped by.

    Raises RulesetError for what is none.
    """

    def __init__(self, engine: Engine, text: str) -> None:
        self._game = engine.game
        self.tree, self.frame = _read(engine.game, Source("--by", text))
        self.of_players = _names_player(self.tree)
        self._run, self._slots = engine.rules.expr(self.tree), len(self.frame.slots)

    def values(self, state: State) -> str | tuple[str, ...]:
        """The value of the expression in a position in words, or one value for each seat.

        Raises RulesetError where it faults.
        """
        if not self.of_players:
            return self._words(state, 0)
        return tuple(self._words(state, seat) for seat in range(state.players))

    def _words(self, state: State, seat: int) -> str:
        return self._game.show(evaluated(state, self._run, self._slots, seat), self.tree.type, state._m)


def _names_player(x: TypedExpr) -> bool:
    """Tell whether an expression reads `me`, which stands in its first slot."""
    return any(isinstance(node, LocalExpr) and node.slot == 0 for node in x.walk())


def _read(game: Game, text: Source) -> tuple[TypedExpr, Proc]:
    x, proc, found = check_expression(game.program, whole(text), {ME: t.Player()})
    if x is None:
        raise RulesetError(tuple(found))
    return x, proc


def _checked(game: Game, text: str) -> tuple[TypedExpr, Proc]:
    x, proc = _read(game, Source("measure", text))
    if not isinstance(x.type, (t.Int, t.Bool)):
        raise RulesetError((diagnose("T001", x.span, wanted=described(t.INT), given=described(x.type)),))
    return x, proc


def evaluated(state: State, run: Run, slots: int, seat: int, values: Sequence[Value] = ()) -> Value:
    """The value of an expression in a position, whose frame of some slots begins with a seat and some values.

    Raises RulesetError where it faults.
    """
    machine = state._m
    machine.refuel()
    try:
        return run(machine, [seat, *values, *[None] * (slots - len(values))])
    except Fault as fault:
        raise RulesetError((fault.diagnostic,)) from None


def value_of(state: State, run: Run, slots: int, seat: int, values: Sequence[Value] = ()) -> int:
    """A value as a number; true and false count 1 and 0."""
    return int(evaluated(state, run, slots, seat, values))
