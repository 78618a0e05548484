"""A game of the evaluator once more in compiled code, for bots that search in it.

At a table the evaluator plays, because it alone explains and takes back. What a bot plays in thought it plays
on a twin: the same history in native code, else in compiled Python. A search finds the same on every back
end, so a bot decides as it would without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.execution.backends import load_native, new_native_state, new_state, python_compiles
from croupier.play.agents import rolls_out
from croupier.runtime.state import State

if TYPE_CHECKING:
    from croupier.play.agents.agent import Agent
    from croupier.runtime.event_cache import Entry


class CompiledTwin:
    """The twin of the states of one game, one after another: it follows them, and begins anew where one was
    taken back.
    """

    def __init__(self) -> None:
        self._first: State | None = None  # the beginning, in compiled code
        self._here: State | None = None
        self._history: list[Entry] = []  # that led there

    def for_agent(self, agent: Agent, state: State) -> State:
        """The position in which an agent decides: the twin for one that plays games in thought."""
        return self.of(state) if rolls_out(agent.name()) else state

    def of(self, state: State) -> State:
        """The state in compiled code; nobody else applies actions to it.

        A state that is compiled already, one that began at a declared position, and one whose rules do not
        compile stay as they are.
        """
        if state.backend != State.backend or state._start is not None:
            return state
        if self._first is None:
            self._first = compiled_first_state(state)
        if self._first.backend == State.backend:
            return state
        history = state._history
        known = len(self._history)
        if self._here is None or history[:known] != self._history:
            self._here, known = self._first.clone(), 0
        for entry in history[known:]:
            _apply(self._here, entry)
        self._history = list(history)
        return self._here


def compiled_first_state(state: State) -> State:
    """The state before the first event of a game: in native code if that is there and compiles the rules,
    else in compiled Python, else on the evaluator.
    """
    if load_native(state.ruleset, state.engine) is not None:
        return new_native_state(state.ruleset, state.engine)
    backend = "python" if python_compiles(state.engine) else State.backend
    return new_state(state.ruleset, state.engine, backend)


def _apply(state: State, entry: Entry) -> None:
    """Apply an entry of a history: an outcome of chance, one of several decisions at once, or a decision."""
    match entry:
        case tuple():
            state.apply_action(entry[0])
        case list():
            state.apply_action(entry[1], entry[0])
        case _:
            state.apply_action(entry)
