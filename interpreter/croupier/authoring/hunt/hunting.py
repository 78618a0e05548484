"""A hunt: rounds of games, here or in several processes, and what is kept of an interrupted one."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from croupier.authoring.hunt.knowledge import Knowledge, knowledge_from
from croupier.authoring.hunt.plans import Setup
from croupier.authoring.hunt.player import ENDLESS, NO_FAULT, GamePlayer, Played, Task, Trouble
from croupier.authoring.hunt.shorten import Finding, finding_of, first_finding, shortened
from croupier.authoring.matrix import tried_values
from croupier.diagnostics import JsonObject
from croupier.pipeline import load
from croupier.play.match import never
from croupier.play.processes import in_processes, is_told_to_stop, kept_in_worker, shared_pool
from croupier.ruleset import Ruleset

ROUND = 24  # games that are planned at once
GAMES = 500  # of a hunt, where nobody says how many
MOST_ACTIONS = 2_000  # of a game, where nobody says how many
# seconds of the processor that are left: each process loads the ruleset and sets its games up first
WORTH_PROCESSES = 20.0
FORMAT = 1  # of what is kept of a hunt
_ENDLESS = Trouble(ENDLESS, "", "the game did not end")


class BadHunt(ValueError):
    """A stored hunt cannot be read, or belongs to another hunt; the message is for the user."""


@dataclass(frozen=True)
class HuntConfig:
    """The set-ups to hunt in: `players` is `None` for all numbers in turn; `vary`: each tried value of each
    other parameter, one at a time, too.
    """

    players: int | None = None
    parameters: tuple[tuple[str, Any], ...] = ()
    seed: int = 0
    vary: bool = True
    most_actions: int = MOST_ACTIONS

    def to_json(self) -> JsonObject:
        """The configuration as a JSON value."""
        return {**asdict(self), "parameters": dict(self.parameters)}


@dataclass
class Hunt:
    """The findings of a hunt.

    `endless` is the first game that had the most actions, of `statuses["endless"]` many.
    """

    ruleset: str
    ruleset_hash: str
    config: HuntConfig
    knowledge: Knowledge = field(default_factory=Knowledge)
    findings: dict[tuple[str, str, str, int], Finding] = field(default_factory=dict)
    endless: Finding | None = None

    @property
    def games(self) -> int:
        """Return the number of games that were played."""
        return self.knowledge.games - self.knowledge.statuses["refused"]

    def to_json(self) -> JsonObject:
        """Return what is stored of the hunt, to go on from."""
        return {
            "croupier": FORMAT,
            "ruleset": self.ruleset,
            "ruleset_hash": self.ruleset_hash,
            "config": self.config.to_json(),
            "knowledge": self.knowledge.to_json(),
            "findings": [finding.to_json() for finding in self.findings.values()],
            "endless": None if self.endless is None else self.endless.to_json(),
        }


class Hunter:
    """Hunts in the ruleset of a name or path. Raises RulesetError if it cannot be loaded or set up."""

    def __init__(self, source: str | Path, config: HuntConfig) -> None:
        self.source, self.config = source, config
        self.ruleset = load(source)
        self.player = GamePlayer(self.ruleset, config.seed, config.most_actions)
        self.hunt = Hunt(self.ruleset.name, self.ruleset.ruleset_hash, config)
        usual, self._others = setups_of(self.ruleset, config)
        self._usual = [setup for setup in usual if self.player.refusal(setup) is None]
        if not self._usual:
            self.player.initial(usual[0])

    def resume(self, text: str) -> None:
        """Go on from what was kept. Raises BadHunt."""
        try:
            data = json.loads(text)
            kept = Hunt(data["ruleset"], data["ruleset_hash"], self.config, knowledge_from(data["knowledge"]))
            findings = [finding_of(finding) for finding in data["findings"]]
            kept.endless = None if data["endless"] is None else finding_of(data["endless"])
            config, version = data["config"], data["croupier"]
        except (KeyError, TypeError, ValueError, AttributeError):
            raise BadHunt("it does not hold a hunt") from None
        if version != FORMAT:
            raise BadHunt("it was written by another version")
        if kept.ruleset_hash != self.ruleset.ruleset_hash:
            raise BadHunt("it is of another ruleset, or the ruleset has changed")
        different = [
            name
            for name, value in self.config.to_json().items()
            if json.loads(json.dumps(value)) != config.get(name)
        ]
        if different:
            raise BadHunt(f"it is of another hunt: {', '.join(different)} differ")
        kept.findings = {finding.trouble.key: finding for finding in findings}
        self.hunt = kept

    def run(
        self,
        games: int | None,
        seconds: float | None = None,
        *,
        jobs: int | None = 1,
        should_stop: Callable[[], bool] = never,
        progress: Callable[[int, int], None] = lambda done, of: None,
    ) -> Hunt:
        """Play until there were so many games, those that were resumed counted, or for so long; then shorten
        what was found.

        Of a round that is interrupted the games count that were over. Without `jobs` there are as many
        processes as pay off. `progress` is told how many games of how many there were.
        """
        end = None if seconds is None else time.monotonic() + seconds

        def is_over() -> bool:
            return should_stop() or (end is not None and time.monotonic() >= end)

        def seconds_left(each: float) -> float:
            return (
                (games - self.hunt.knowledge.games) * each
                if games is not None
                else (end or 0.0) - time.monotonic()
            )

        try:
            with shared_pool():
                self._rounds(games, jobs, is_over, seconds_left, progress)
        except KeyboardInterrupt:  # a step that does not end
            if not should_stop():
                raise
        self._shorten(should_stop)
        return self.hunt

    def _rounds(
        self,
        games: int | None,
        jobs: int | None,
        is_over: Callable[[], bool],
        seconds_left: Callable[[float], float],
        progress: Callable[[int, int], None],
    ) -> None:
        """Play round after round.

        `seconds_left` says how long it goes on where a game takes so many seconds.
        """
        known, started, first = self.hunt.knowledge, time.process_time(), self.hunt.knowledge.games
        while not is_over() and (games is None or known.games < games):
            count = ROUND if games is None else min(ROUND, games - known.games)
            tasks = known.tasks(count, self.config.seed, self._usual, self._others)
            played: list[Played] = []
            try:
                for one in self._play([task for _, task in tasks], jobs or 1, is_over):
                    played.append(one)
                    progress(known.games + len(played), games or 0)
            finally:
                self._learn(tasks[: len(played)], played)
            if len(played) < len(tasks):
                return
            if jobs is None:
                each = (time.process_time() - started) / (known.games - first)
                jobs = (os.cpu_count() or 1) if seconds_left(each) >= WORTH_PROCESSES else 1

    def _play(self, tasks: list[Task], jobs: int, should_stop: Callable[[], bool]) -> Iterator[Played]:
        """The games, in order; fewer if it is told to stop."""
        if jobs == 1:
            for task in tasks:
                played = None if should_stop() else self.player.play(task, should_stop)
                if played is None:
                    return
                yield played
            return
        size = max(1, len(tasks) // (4 * jobs))
        pieces = ((self.source, self.config, tasks[at : at + size]) for at in range(0, len(tasks), size))
        is_cut = False  # were some games not played? Those behind them do not count
        for some in in_processes(_play_some, pieces, jobs, should_stop):
            for played in some:
                is_cut = is_cut or played is None
                if played is not None and not is_cut:
                    yield played

    def _learn(self, tasks: list[tuple[str, Task]], played: list[Played]) -> None:
        for (name, _), one in zip(tasks, played, strict=True):
            self.hunt.knowledge.learn(name, one)
            if one.status == ENDLESS and self.hunt.endless is None:
                self.hunt.endless = first_finding(replace(one, trouble=_ENDLESS))
            found = None if one.status in NO_FAULT else first_finding(one)
            if found is not None:
                before = self.hunt.findings.get(found.trouble.key)
                self.hunt.findings[found.trouble.key] = (
                    found if before is None else replace(before, games=before.games + 1)
                )

    def _shorten(self, should_stop: Callable[[], bool]) -> None:
        try:
            for key, finding in self.hunt.findings.items():
                self.hunt.findings[key] = shortened(finding, self.player, should_stop)
        except KeyboardInterrupt:
            if not should_stop():
                raise


def setups_of(ruleset: Ruleset, config: HuntConfig) -> tuple[list[Setup], list[Setup]]:
    """The set-ups that most games are played with, one for each number of players, and those with another
    value of one parameter.

    Raises RulesetError if the ruleset cannot be set up.
    """
    counts = ruleset.players if config.players is None else (config.players,)
    usual = [Setup(players, config.parameters) for players in counts]
    given = {name for name, _ in config.parameters}
    others: list[Setup] = []
    for players in counts if config.vary else ():
        for name, (_, *values) in tried_values(ruleset, players).items():
            if name not in given:
                others += [Setup(players, (*config.parameters, (name, value))) for value in values]
    return usual, others


def _player(source: str | Path, config: HuntConfig) -> GamePlayer:
    return GamePlayer(load(source), config.seed, config.most_actions)


def _play_some(source: str | Path, config: HuntConfig, tasks: list[Task]) -> list[Played | None]:
    """In another process: games, `None` for each that there is no time for."""
    player = kept_in_worker(_player, source, config)
    return [None if is_told_to_stop() else player.play(task, is_told_to_stop) for task in tasks]
