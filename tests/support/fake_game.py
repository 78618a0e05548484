"""A small game behind the interfaces of `Ruleset` and `State`, for tests of whatever drives games.

Every round a three-sided die with weights 1/2, 1/3, 1/6 is rolled, then each seat in turn takes 1 to 3
counters, no more than there are; at the end both make a sealed bid of 0 to 2. Names choose a variation:
`fake`, `fake-stuck`, `fake-endless`, `fake-fault`, `fake-broken-invariant`, `fake-bug`, `fake-slow`.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from croupier.diagnostics import RulesetError, Source, diagnose
from croupier.runtime.events import Event
from croupier.runtime.faults import IllegalAction
from croupier.text import Text

CHANCE, SEALED, TERMINAL = -1, -2, -4
WEIGHTS = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))


@dataclass(frozen=True)
class Parameter:
    name: str
    type_text: str
    default: Any
    values: tuple[Any, ...] | None = None
    doc: str = ""
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class FakeRuleset:
    title = "A fake game"
    players = (2, 3)
    default_players = 2
    parameters = (
        Parameter("rounds", "1..9", 2, None, "rounds to play"),
        Parameter("shy", "bool", False, (False, True)),
    )
    rule_ids: Mapping[str, tuple[str, str]] = {"FA-1": ("RULE", "roll"), "FA-2": ("RULE", "take")}
    path = "fake.yaml"
    # as a module it is checked without trial games
    program = SimpleNamespace(policies={}, params={}, resolved=SimpleNamespace(is_module=True))

    def __init__(self, name: str = "fake") -> None:
        self.name = name
        self.ruleset_hash = sha256(name.encode()).hexdigest()
        self.meaning_hash = self.ruleset_hash

    def goes_on(self, ruleset_hash: str, meaning_hash: str | None) -> bool:
        return ruleset_hash == self.ruleset_hash or meaning_hash == self.meaning_hash

    def defaults(self, players: int, parameters: Mapping[str, object] | None = None) -> dict[str, Any]:
        return {parameter.name: parameter.default for parameter in self.parameters}

    def new_initial_state(
        self,
        players: int | None = None,
        parameters: Mapping[str, object] | None = None,
        *,
        backend: str = "reference",
    ) -> FakeState:
        count = 2 if players is None else players
        if count not in self.players:
            raise RulesetError([diagnose("X523", None, problem=f"players: {count}")])
        given = dict(parameters or {})
        rounds = int(str(given.pop("rounds", 2)))
        if (
            given.pop("shy", None) not in (None, True, False, "true", "false")
            or given
            or not 1 <= rounds <= 9
        ):
            raise RulesetError([diagnose("X523", None, problem="parameters")])
        return FakeState(self, count, rounds)

    def deserialize(self, text: str) -> FakeState:
        data = json.loads(text)
        state = FakeState(self, data["players"], data["rounds"])
        for action in data["history"]:
            state.apply_actions(action) if isinstance(action, list) else state.apply_action(action)
        return state


def mark(what: str) -> None:
    """Tell a test how far this process is: an empty file of that name in the folder FAKE_GAME_MARKS."""
    folder = os.environ.get("FAKE_GAME_MARKS")
    if folder:
        (Path(folder) / what).touch()


class FakeState:
    _start = None
    backend = "reference"

    def __init__(self, ruleset: FakeRuleset, players: int, rounds: int) -> None:
        self.ruleset = ruleset
        # what the heads and ends of logs ask for
        self.game = SimpleNamespace(
            variables=(), players=players, program=SimpleNamespace(rule_ids=ruleset.rule_ids)
        )
        self.engine = SimpleNamespace(game=self.game)
        self.players = players
        self.rounds = rounds
        self.history: list[int | list[int]] = []
        self.log: list[tuple[int | None, Event]] = []
        self.round, self.turn, self.counters = 0, CHANCE, 0
        self.taken = [0] * players
        self.bids: list[int] = []

    def current_player(self) -> int:
        if (
            self.bids
            or (self._fault and len(self.history) >= 3)
            or (self._endless and len(self.history) >= 40)
        ):
            return TERMINAL
        return SEALED if self.round == self.rounds else self.turn

    @property
    def parameters(self) -> dict[str, Any]:
        return {"rounds": self.rounds, "shy": False}

    @property
    def fault(self) -> Any:
        return diagnose("X523", None, problem="a fault") if self._fault else None

    @property
    def _fault(self) -> bool:
        return self.ruleset.name == "fake-fault"

    @property
    def _endless(self) -> bool:
        return self.ruleset.name == "fake-endless"

    def is_chance_node(self) -> bool:
        return self.current_player() == CHANCE

    def is_simultaneous_node(self) -> bool:
        return self.current_player() == SEALED

    def is_terminal(self) -> bool:
        return self.current_player() == TERMINAL

    def is_open_to(self, seat: int | None) -> bool:
        return True

    def pending_seats(self) -> list[int]:
        player = self.current_player()
        return list(range(self.players)) if player == SEALED else [player] if player >= 0 else []

    def legal_actions(self, seat: int | None = None) -> list[int]:
        player = self.current_player()
        if player == CHANCE:
            return [0, 1, 2]
        if player == SEALED:
            return [0, 1, 2]
        if player == TERMINAL or (self.ruleset.name == "fake-stuck" and len(self.history) == 4):
            return []
        return list(range(1, min(3, self.counters) + 1))

    def chance_outcomes(self) -> list[tuple[int, Fraction]]:
        return list(enumerate(WEIGHTS))

    def action_to_struct(self, seat: int, action: int) -> Any:
        player = self.current_player()
        if player == CHANCE:
            return {"roll": action + 2}
        return {"bid": action} if player == SEALED else {"take": action}

    def action_to_string(self, seat: int, action: int) -> str:
        ((verb, number),) = self.action_to_struct(seat, action).items()
        return f"{verb} {number}"

    def string_to_action(self, seat: int, text: str) -> int:
        for action in self.legal_actions(seat):
            if self.action_to_string(seat, action) == text:
                return action
        raise IllegalAction(f"`{text}` is not possible here")

    def struct_to_action(self, seat: int, struct: Any) -> int:
        for action in self.legal_actions(seat):
            if self.action_to_struct(seat, action) == struct:
                return action
        raise IllegalAction("this choice is not possible here")

    def with_full_name(self, struct: Any) -> Any:
        return struct

    def apply_action(self, action: int) -> None:
        if self.is_simultaneous_node() or action not in self.legal_actions():
            raise IllegalAction(f"action {action} is not possible here")
        if self.ruleset.name == "fake-bug" and len(self.history) == 3:
            raise KeyError("a bug")
        if self.ruleset.name == "fake-slow":
            mark("playing")
            time.sleep(0.05)
        if self.turn == CHANCE:
            self.counters = action + 2 if not self._endless else 9
            self._say(None, f"the die shows {self.counters}", "chance", ("FA-1",))
            self.turn = 0
        else:
            self.counters -= action
            self.taken[self.turn] += action
            self._say(None, f"seat {self.turn + 1} takes {action}", "decision", ("FA-2", "FA-1"))
            self._say(self.turn, "a secret for the taker", "tell", ())
            self.turn += 1
            if self.turn == self.players or self.counters == 0:
                self.turn = CHANCE
                self.round += 0 if self._endless else 1
        self.history.append(action)

    def apply_actions(self, actions: list[int]) -> None:
        if not self.is_simultaneous_node() or len(actions) != self.players:
            raise IllegalAction("no sealed decision here")
        self.bids = list(actions)
        self.history.append(list(actions))
        self._say(None, f"bids {actions}", "reveal", ())

    def _say(self, seat: int | None, text: str, kind: str, rules: tuple[str, ...]) -> None:
        self.log.append((seat, Event(Text.of(text), kind, rules, {})))

    def events(self, seat: int | None = None) -> list[Event]:
        return [event for owner, event in self.log if owner is None or seat is None or owner == seat]

    def returns(self) -> list[Fraction | int]:
        totals = [taken + bid for taken, bid in zip(self.taken, self.bids, strict=True)]
        return [Fraction(1, totals.count(max(totals))) if total == max(totals) else 0 for total in totals]

    def outcome(self) -> dict[str, Any]:
        base: dict[str, Any] = {
            "status": "running",
            "winners": [],
            "returns": [],
            "scores": None,
            "grade": None,
            "reason": None,
            "fault": None,
        }
        if not self.is_terminal():
            return base
        if self._fault:
            return base | {"status": "faulted", "fault": {"code": "R001", "message": "division by zero"}}
        if self._endless:
            return base | {"status": "unfinished", "reason": "40 actions"}
        returns = self.returns()
        scores = [taken + bid for taken, bid in zip(self.taken, self.bids, strict=True)]
        return base | {
            "status": "finished",
            "winners": [s for s, r in enumerate(returns) if r],
            "returns": returns,
            "scores": scores,
        }

    def observation(self, seat: int | None, *, spoken: bool = False) -> dict[str, Any]:
        return {"counters": self.counters, "taken": list(self.taken), "seat": seat}

    def information_state(self, seat: int) -> str:
        return "\n".join(event.text for event in self.events(seat))

    def position(self) -> bytes:
        return json.dumps([self.round, self.turn, self.counters, self.taken, self.bids]).encode()

    def hash(self) -> str:
        return sha256(self.position()).hexdigest()

    def _whole_game(self, seed: int, game: int, checked: bool = False) -> None:
        return None

    def clone(self) -> FakeState:
        return self.ruleset.deserialize(self.serialize())

    def serialize(self) -> str:
        return json.dumps({"players": self.players, "rounds": self.rounds, "history": self.history})

    def check_invariants(self) -> list[Any]:
        if self.ruleset.name == "fake-broken-invariant" and len(self.history) == 5:
            return [diagnose("X523", None, problem="the counters are conserved")]
        return []


def load(name: str) -> FakeRuleset:
    """A loader that a spawned process can import."""
    mark("loading")
    if not name.startswith("fake"):
        raise RulesetError([diagnose("X001", None, name=name)])
    return FakeRuleset(name)


@dataclass(frozen=True)
class CheckResult:
    ruleset: FakeRuleset | None
    diagnostics: tuple[Any, ...]


def check(name: str) -> CheckResult:
    """`fake` is clean, `warned` has a warning, `wrong` an error, any other name is unknown."""
    source = Source(f"{name}.yaml", "players: 2\nplayers: \x1b[31m3\n")
    if name == "fake":
        return CheckResult(FakeRuleset(name), ())
    if name == "warned":
        return CheckResult(
            FakeRuleset(name),
            (replace(diagnose("X523", source.span(0, 7), problem="a warning"), severity="warning"),),
        )
    if name == "wrong":
        return CheckResult(
            None,
            (
                diagnose("X523", source.span(11, 18), problem="first"),
                diagnose("X523", source.span(20, 26), problem="second"),
            ),
        )
    return CheckResult(None, (diagnose("X001", None, name=name),))


def dump(name: str, stage: str, players: int | None = None) -> str:
    return f"{name} {stage}"
