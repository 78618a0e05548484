"""The knowledge that the games of a hunt have given so far, and the plans that come next.

The next plans depend on nothing else, so a hunt goes on from what was kept of it. Every plan has a name;
those that were played least come first, and among them the one that stands first in the list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from croupier.authoring.hunt.plans import Plan, Setup
from croupier.authoring.hunt.player import ENDLESS, REFUSED, Moves, Played, Task
from croupier.diagnostics import JsonObject
from croupier.runtime.streams import Stream

MAX_KINDS = 400  # kinds of options that have plans of their own
MAX_BEGINNINGS = 200  # games that others begin like
VARIED = "hunt"  # the purpose of the stream by which plans are varied
# of 100 decisions so many are drawn at random, from one time to the next that a plan is played
SLACK = (0, 10, 30)
SIMPLE = (
    Plan(),
    Plan("index", index=0),
    Plan("index", index=-1),
    Plan("decline"),
    Plan("accept"),
    Plan("longest"),
    Plan("index", index=1),
    Plan("index", index=-2),
    Plan("shortest"),
    Plan("new"),
    Plan("index", index=2),
)
"""Plans for which nothing has to be known."""


@dataclass(frozen=True)
class Entry:
    """A plan of the list, with its name; without a plan one of the simple ones, and without a set-up either
    one that begins like an earlier game.
    """

    name: str
    plan: Plan | None
    setup: Setup | None = None
    at: int = 0  # of the simple plans the one that the set-up begins with


@dataclass
class Knowledge:
    """The knowledge of a hunt.

    Effects are those of a quantity and a kind: by how much together, in how many decisions.
    """

    games: int = 0  # that were played or refused
    statuses: Counter[str] = field(default_factory=Counter)
    plays: Counter[str] = field(default_factory=Counter)  # of plans by their names
    # the plans whose set-up the ruleset refuses, by their names
    refused: set[str] = field(default_factory=set)
    # how often options were taken, in the order in which they were met
    kinds: dict[str, int] = field(default_factory=dict)
    ends: Counter[str] = field(default_factory=Counter)  # how often they ended a game
    # those that decisions change, in the order in which they were met
    quantities: dict[str, None] = field(default_factory=dict)
    effects: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    executed: set[tuple[str, str, int, int, str]] = field(default_factory=set)
    # games in which something ran for the first time
    beginnings: list[tuple[Setup, Moves]] = field(default_factory=list)

    def learn(self, name: str, played: Played) -> None:
        """Add the results of a game; `name` is that of its plan. Games come in the order of their numbers."""
        self.games += 1
        self.statuses[played.status] += 1
        self.plays[name] += 1
        if played.status == REFUSED:
            self.refused.add(name)
            return
        for kind, count in played.kinds.items():
            self.kinds[kind] = self.kinds.get(kind, 0) + count
        if played.last_kind and played.status != ENDLESS:
            self.ends[played.last_kind] += 1
        for (quantity, kind), (total, count) in played.effects.items():
            self.quantities[quantity] = None
            before = self.effects.get((quantity, kind), (0, 0))
            self.effects[quantity, kind] = (before[0] + total, before[1] + count)
        if not played.executed <= self.executed:
            self.executed |= played.executed
            self.beginnings = [*self.beginnings, (played.task.setup, played.moves)][-MAX_BEGINNINGS:]

    def tasks(
        self, count: int, seed: int, usual: Sequence[Setup], others: Sequence[Setup]
    ) -> list[tuple[str, Task]]:
        """The next games with the names of their plans: `usual` are the set-ups of most plans, `others` get a
        simple plan each.
        """
        entries = [entry for entry in self._entries(usual, others) if entry.name not in self.refused]
        order = sorted(range(len(entries)), key=lambda at: (self.plays[entries[at].name], at))
        return [
            (entries[at].name, self._task(self.games + n + 1, seed, entries[at], usual))
            for n, at in enumerate(order[:count])
        ]

    def _entries(self, usual: Sequence[Setup], others: Sequence[Setup]) -> Iterator[Entry]:
        """All plans; those of several kinds take turns."""
        for turned in range(len(usual)):
            for at, plan in enumerate(SIMPLE):
                setup = usual[(at + turned) % len(usual)]
                yield Entry(f"simple {at} {setup.words}", plan, setup)
        learned = list(self._learned())
        rest = iter([Entry(f"set-up {setup.words}", None, setup, at) for at, setup in enumerate(others, 1)])
        apart = -(-len(others) // max(1, len(learned)))
        for at, entry in enumerate(learned):
            yield entry
            if at % 4 == 3 and self.beginnings:
                yield Entry(f"beginning {at // 4}", None)
            yield from islice(rest, apart)
        yield from rest

    def _learned(self) -> Iterator[Entry]:
        """The plans that are known by now: to drive a quantity, and to take or avoid a kind of option."""
        driven = iter([(name, up) for name in self.quantities for up in (True, False)])
        for kind in list(self.kinds)[:MAX_KINDS]:
            yield Entry(f"always {kind}", Plan("always", kind))
            yield Entry(f"never {kind}", Plan("never", kind))
            following = next(driven, None)
            if following is not None:
                name, up = following
                yield Entry(f"drive {name} {up}", Plan("drive", name, up=up))
        for name, up in driven:
            yield Entry(f"drive {name} {up}", Plan("drive", name, up=up))

    def _task(self, number: int, seed: int, entry: Entry, usual: Sequence[Setup]) -> Task:
        """The game of a plan, varied by how often it was played before."""
        stream, repetition = Stream(seed, number, VARIED), self.plays[entry.name]
        setup = entry.setup or usual[(number + repetition) % len(usual)]
        if entry.plan is not None:
            plan = entry.plan
        elif entry.setup is not None:  # each of the simple plans in turn
            plan, repetition = SIMPLE[(entry.at + repetition) % len(SIMPLE)], repetition // len(SIMPLE)
        else:
            setup, moves = self.beginnings[stream.uniform(len(self.beginnings))]
            plan = replace(
                SIMPLE[stream.uniform(len(SIMPLE))], beginning=moves[: stream.uniform(len(moves) + 1)]
            )
        if repetition:
            plan = replace(plan, slack=SLACK[repetition % len(SLACK)])
        if repetition % 3 == 2:
            plan = replace(plan, seat=stream.uniform(setup.players))
        if plan.policy == "drive":
            plan = replace(plan, looks=repetition % 2 == 1)
        return Task(number, setup, replace(plan, effects=self._effects_for(plan)), measures=not plan.looks)

    def _effects_for(self, plan: Plan) -> Mapping[str, float]:
        """Return the effects of each kind of option that a plan has to know."""
        match plan.policy:
            case "drive":
                return {
                    kind: total / count
                    for (quantity, kind), (total, count) in self.effects.items()
                    if quantity == plan.option
                }
            case "longest" | "shortest":
                return {
                    kind: self.ends[kind] / count for kind, count in self.kinds.items() if self.ends[kind]
                }
            case "new":
                return {kind: float(count) for kind, count in self.kinds.items()}
        return {}

    def to_json(self) -> JsonObject:
        """Everything, as a JSON value."""
        return {
            "games": self.games,
            "statuses": dict(self.statuses),
            "plays": dict(self.plays),
            "refused": sorted(self.refused),
            "kinds": self.kinds,
            "ends": dict(self.ends),
            "quantities": list(self.quantities),
            "effects": [[*key, *value] for key, value in self.effects.items()],
            "executed": sorted(map(list, self.executed)),
            "beginnings": [
                [setup_to_json(setup), list(map(list, moves))] for setup, moves in self.beginnings
            ],
        }


def knowledge_from(data: Mapping[str, Any]) -> Knowledge:
    """Return the knowledge that `to_json` wrote. Raises KeyError, TypeError or ValueError otherwise."""
    return Knowledge(
        games=int(data["games"]),
        statuses=Counter(data["statuses"]),
        plays=Counter(data["plays"]),
        refused=set(map(str, data["refused"])),
        kinds={str(kind): int(count) for kind, count in data["kinds"].items()},
        ends=Counter(data["ends"]),
        quantities=dict.fromkeys(map(str, data["quantities"])),
        effects={
            (str(quantity), str(kind)): (int(total), int(count))
            for quantity, kind, total, count in data["effects"]
        },
        executed={
            (str(kind), str(file), int(start), int(end), str(words))
            for kind, file, start, end, words in data["executed"]
        },
        beginnings=[(setup_from(setup), moves_from(moves)) for setup, moves in data["beginnings"]],
    )


def setup_to_json(setup: Setup) -> JsonObject:
    """A set-up as a JSON value."""
    return {"players": setup.players, "parameters": dict(setup.parameters)}


def setup_from(data: Mapping[str, Any]) -> Setup:
    """The set-up of a JSON value. Raises KeyError, TypeError or ValueError for anything else."""
    return Setup(int(data["players"]), tuple(dict(data["parameters"]).items()))


def moves_from(data: Sequence[Sequence[Any]]) -> Moves:
    """The moves of a JSON value. Raises TypeError or ValueError for anything else."""
    return tuple((int(seat), int(action)) for seat, action in data)
