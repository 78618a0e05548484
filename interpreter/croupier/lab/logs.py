"""Games with the rows of their decisions and events: how they are played, kept in a folder of shards, and
written into one file.

    1001-1500.jsonl            a shard (`lab/shards.py`)
    1001-1500.decisions.jsonl  the decisions of its games: a row a line, as a list of cells, and at the end a
                               line with its SHA-256
    1001-1500.events.jsonl     their events

The logs of a shard are written before the shard, so that a shard that is there has its logs. What a game is
does not depend on its being logged: its row, and with it the digest of the run, is the same. Native code
takes the steps where it can. Events are recorded by the evaluator, which plays each game again for them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from math import gcd
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.execution.backends import load_native, new_state
from croupier.play.agents import seat_agents
from croupier.play.decisions import EVENT_COLUMNS, Column, DecisionLog, DecisionTable, event_rows
from croupier.play.decisions import Row as Cells
from croupier.play.match import MatchConfig
from croupier.play.outcome import outcome_of
from croupier.play.plain import plain
from croupier.play.results import GameResult, result_of
from croupier.records import dataclass
from croupier.runtime.streams import CHANCE, Stream

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset
    from croupier.runtime.game import Game
    from croupier.runtime.state import State

LOGS = ("decisions", "events")


@dataclass(frozen=True, slots=True)
class GameLog:
    """The rows of one game: its decisions, and its events if they were asked for."""

    decisions: tuple[Cells, ...] = ()
    events: tuple[Cells, ...] = ()

    def rows(self, what: str) -> tuple[Cells, ...]:
        """Those of one of `LOGS`."""
        return self.decisions if what == "decisions" else self.events


def columns_of(game: Game, what: str) -> tuple[Column, ...]:
    """The columns of one of `LOGS`."""
    return table_of(game).columns if what == "decisions" else EVENT_COLUMNS


class _Tables:
    """The table of the set-up that was asked for last: games of one run share it, with all that it knows of
    actions.
    """

    last: DecisionTable | None = None


def table_of(game: Game) -> DecisionTable:
    """The table of decisions of a set-up."""
    if _Tables.last is None or _Tables.last.game is not game:
        _Tables.last = DecisionTable(game)
    return _Tables.last


def stepping_state(ruleset: Ruleset, setup: MatchConfig, *, compile: bool) -> State:
    """Return the position before the first event, on the back end that takes steps quickest.

    Native code is used only if `compile` or if it was compiled before. Raises RulesetError for an impossible
    set-up.
    """
    if setup.backend == "auto":
        engine = ruleset.engine(setup.players, setup.parameters)
        if load_native(ruleset, engine, compile=compile) is not None:
            return new_state(ruleset, engine, "native")
    return setup.initial_state(ruleset)


def play_logged(
    setup: MatchConfig, initial: State, number: int, *, events: bool, should_stop: Callable[[], bool]
) -> tuple[GameResult, GameLog] | None:
    """One game, as `GameMatch` plays it, with its log; None if it was told to stop before its end."""
    state, log = initial.clone(), DecisionLog(table_of(initial.game), number)
    agents = seat_agents(setup.bots, state.game, setup.seed, number)
    chance = Stream(setup.seed, number, CHANCE)
    decisions = chances = 0
    while not state.is_terminal():
        if should_stop():
            return None
        if state.is_chance_node():
            outcomes = state._weights()
            if not outcomes:  # working them out faulted: the game is over
                continue
            action = outcomes[drawn(chance, [weight for _, weight in outcomes])][0]
            log.note(state, -1, action, len(outcomes))
            state.apply_action(action)
            chances += 1
            continue
        several = state.is_simultaneous_node()
        options = {
            seat: state.legal_actions(seat)
            for seat in (state.pending_seats() if several else (state.current_player(),))
        }
        if not all(options.values()):
            break
        chosen = {seat: agents[seat].choose(state, seat, legal) for seat, legal in options.items()}
        for seat, action in chosen.items():
            log.note(state, seat, action, len(options[seat]))
        decisions += len(chosen)
        if several:
            state.apply_actions(list(chosen.values()))
        else:
            state.apply_action(next(iter(chosen.values())))
    for seat, agent in enumerate(agents):
        agent.end(state, seat)
    outcome = outcome_of(state)
    result = result_of(number, outcome, decisions, chances)
    return result, log_of(log, outcome, state, number, events=events)


def drawn(chance: Stream, weights: list[int]) -> int:
    """The position of one of the weights, as `Stream.weighted` draws it from their shares."""
    if weights.count(weights[0]) == len(weights):
        return chance.uniform(len(weights))
    divisor = gcd(*weights)
    return chance.weighted([weight // divisor for weight in weights])


def log_of(
    log: DecisionLog, outcome: dict[str, object], state: State, number: int, *, events: bool
) -> GameLog:
    """Return the log of a game that is over."""
    return GameLog(
        tuple(log.rows(plain(outcome), len(state._history))),
        tuple(event_rows(state, number)) if events else (),
    )


# ---------------------------------------------------------------- in a folder
def log_path(folder: Path, shard: range, what: str) -> Path:
    """Return the path of one of the `LOGS` of a shard in a folder."""
    return folder / f"{shard.start}-{shard.stop - 1}.{what}.jsonl"


def text_of_rows(rows: Iterable[Cells]) -> str:
    """Return the text of a log file in a folder: a row a line, and the line with the SHA-256 of all
    before.
    """
    return sealed("".join(json.dumps(row, ensure_ascii=True, separators=(",", ":")) + "\n" for row in rows))


def sealed(text: str) -> str:
    """A text in ASCII with a line behind it that holds its SHA-256."""
    return f"{text}{json.dumps({'sha256': sha256(text.encode('ascii')).hexdigest()})}\n"


def read_sealed(path: Path) -> list[str]:
    """The lines of a text that `sealed` made, in a file.

    Raises OSError if the file cannot be read, ValueError, KeyError or TypeError if it is damaged.
    """
    body, _, check = path.read_text(encoding="ascii").rstrip("\n").rpartition("\n")
    text = f"{body}\n" if body else ""
    if json.loads(check)["sha256"] != sha256(text.encode("ascii")).hexdigest():
        raise ValueError(f"{path} is damaged")
    return body.splitlines()


def rows_of_file(path: Path) -> Iterator[Cells]:
    """The rows that `text_of_rows` wrote.

    Raises OSError if the file cannot be read, ValueError if it is damaged.
    """
    yield from (tuple(json.loads(line)) for line in read_sealed(path))


def rows_of_files(paths: Sequence[Path]) -> Iterator[Cells]:
    """The rows of several such files, whose games ascend; those of a game that two have, once.

    Raises what `rows_of_file` does.
    """
    last = 0
    for path in paths:
        before = last
        for row in rows_of_file(path):
            game = row[0]
            assert isinstance(game, int)  # the first column is the number of the game
            if game > before:
                yield row
                last = game
