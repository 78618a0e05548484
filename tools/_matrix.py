"""The set-ups of a ruleset that are tried, and how random games of them end.

Tried values of a parameter are those of `croupier.authoring.matrix`. One parameter is changed at a time, then
random combinations. A combination that the ruleset refuses is counted as refused.

How many games: `base` of the ruleset as it is, for each number of players; `each` of every tried value, and
of a variant, shared among the numbers of players; `combined` of every random combination. What is `always`
set holds in all of them: a limit of turns, say, that a ruleset has for automated play alone.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import croupier
from croupier.authoring.matrix import single_setups, tried_values
from croupier.diagnostics import RulesetError
from croupier.play.match import MatchConfig
from croupier.play.simulate import simulate

WORTH_COMPILING = 40  # games of one set-up


@dataclass(frozen=True)
class Plan:
    """The number of games, and what is always set."""

    base: int = 5
    each: int = 5
    combinations: int = 20
    combined: int = 1
    always: dict[str, Any] = field(default_factory=dict)
    backend: str = "auto"
    seed: int = 1

    def games(self, rules: Any, row: Row) -> int:
        if row.combined:
            return self.combined
        return (
            self.base if not row.settings and not is_variant(rules) else -(-self.each // len(rules.players))
        )


def is_variant(rules: Any) -> bool:
    return rules.program.resolved.variant_of is not None


@dataclass
class Row:
    """One set-up, and what became of its games."""

    players: int
    settings: dict[str, Any]
    combined: bool = False
    games: int = 0
    refused: bool = False
    seconds: float = 0.0
    bad: list[str] = field(default_factory=list)


def tried(rules: Any, players: int | None = None) -> dict[str, list[Any]]:
    """Values to try beside the default, by parameter."""
    return {name: values[1:] for name, values in tried_values(rules, players).items()}


def setups(rules: Any, combinations: int) -> Iterator[Row]:
    """For every number of players the defaults and each value alone, then random combinations; of a variant
    the defaults alone.
    """
    if is_variant(rules):
        yield from (Row(players, {}) for players in rules.players)
        return
    values = {players: tried(rules, players) for players in rules.players}
    rng = random.Random(rules.name)
    yield from (Row(setup.players, setup.settings) for setup in single_setups(rules))
    for _ in range(combinations):
        players = rng.choice(rules.players)
        yield Row(
            players,
            {
                name: rng.choice(options)
                for name, options in values[players].items()
                if options and rng.random() < 0.5
            },
            True,
        )


def play(rules: Any, row: Row, games: int, plan: Plan = Plan()) -> Row:
    """Random games of one set-up, invariants checked after every action."""
    begun = time.perf_counter()
    settings = plan.always | row.settings
    try:
        rules.game(row.players, settings)
    except RulesetError as refused:
        row.refused = True
        if {d.code for d in refused.diagnostics} - {"G013"}:
            row.bad.append(refused.diagnostics[0].message)
        return row
    setup = MatchConfig(row.players, settings, plan.seed, ("random",), invariants=True, backend=plan.backend)
    try:
        for game in simulate(rules, rules.path, setup, games, load=croupier.load):
            row.games += 1
            if game.status != "finished":
                row.bad.append(f"seed {plan.seed}, game {game.game}: {game.status}: {game.reason}")
    except RulesetError as refused:
        row.bad.append(refused.diagnostics[0].message)
    row.seconds = time.perf_counter() - begun
    return row


def load(name: str) -> Any:
    return croupier.load(name)


_rules: dict[str, Any] = {}


def share(task: tuple[str, Row, Plan]) -> Row:
    """One set-up in a process of its own, which loads each ruleset once."""
    name, row, plan = task
    if name not in _rules:
        _rules[name] = load(name)
    games = plan.games(_rules[name], row)
    if plan.backend == "auto" and games < WORTH_COMPILING:
        plan = replace(plan, backend="reference")
    return play(_rules[name], row, games, plan)


def played(name: str, plan: Plan, jobs: int) -> list[Row]:
    """Every set-up of a ruleset, in order, whatever the number of processes."""
    tasks = [(name, row, plan) for row in setups(load(name), plan.combinations)]
    if jobs == 1:
        return [share(task) for task in tasks]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(share, tasks, chunksize=4))
