"""The record of a game: who played it, its steps, its outcome.

A record is what `run --format json` prints and what `run --save` writes: with the ruleset it is enough to
play the game again without any random number, because chance outcomes are among its steps.  Seats count from
0 here, as in every JSON; -1 stands for chance and -2 for several seats that decide at once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256

from croupier.diagnostics import JsonObject
from croupier.play.digest import digest
from croupier.records import dataclass

FORMAT = 1
CHANCE_SEAT = -1
SEVERAL_SEATS = -2
OVER = -4  # the player to act when a game is over, as a state says it


@dataclass(frozen=True)
class RecordedChoice:
    """The choice of one seat (or chance, seat -1): the action's integer and its structured form, a JSON
    value.
    """

    seat: int
    action: int
    choice: object

    def to_json(self) -> JsonObject:
        return {"seat": self.seat, "action": self.action, "choice": self.choice}


@dataclass(frozen=True)
class RecordedStep:
    """One applied action, or the actions of several seats at once, and the hash of the position that
    follows.
    """

    choices: tuple[RecordedChoice, ...]
    several: bool
    hash: str

    @property
    def seat(self) -> int:
        """The seat that acted, -1 for chance, -2 for several seats at once."""
        return SEVERAL_SEATS if self.several else self.choices[0].seat

    @property
    def is_chance(self) -> bool:
        return self.seat == CHANCE_SEAT

    def to_json(self) -> JsonObject:
        if self.several:
            return {
                "seat": SEVERAL_SEATS,
                "actions": [choice.to_json() for choice in self.choices],
                "hash": self.hash,
            }
        return self.choices[0].to_json() | {"hash": self.hash}


@dataclass(frozen=True)
class GameRecord:
    """A game that was played, to its end or up to an interruption.

    `game` counts from 1; `outcome` is a JSON value.
    """

    ruleset: str
    ruleset_hash: str
    players: int
    parameters: JsonObject
    seed: int
    game: int
    bots: tuple[str, ...]
    outcome: JsonObject
    decisions: int
    chance_events: int
    start_hash: str
    final_hash: str
    steps: tuple[RecordedStep, ...]
    verified_hash: str | None = None
    meaning_hash: str | None = None  # of the ruleset; none in files of earlier versions

    @property
    def status(self) -> str:
        return str(self.outcome["status"])

    @property
    def returns(self) -> Sequence[int | str]:
        """One number a seat, fractions as text; empty for a game without a result."""
        return self.outcome["returns"] or ()

    @cached_property
    def digest(self) -> str:
        """The digest of a run of this game alone."""
        return digest([self])

    @property
    def former_digest(self) -> str:
        """The digest of this game as files of earlier versions have it: of number, final hash, status and
        returns.
        """
        returns = ",".join(map(str, self.returns)) or "-"
        return sha256(f"{self.game} {self.final_hash} {self.status} {returns}\n".encode("ascii")).hexdigest()

    def to_json(self) -> JsonObject:
        """The record as one JSON object, its keys in the order in which the saved file shows them."""
        document = {
            "croupier": FORMAT,
            "ruleset": self.ruleset,
            "ruleset_hash": self.ruleset_hash,
            **({} if self.meaning_hash is None else {"meaning_hash": self.meaning_hash}),
            "players": self.players,
            "parameters": self.parameters,
            "seed": self.seed,
            "game": self.game,
            "bots": list(self.bots),
            "outcome": self.outcome,
            "decisions": self.decisions,
            "chance_events": self.chance_events,
            "digest": self.digest,
            "start_hash": self.start_hash,
            "final_hash": self.final_hash,
            "actions": [step.to_json() for step in self.steps],
        }
        return {**document, "checksum": checksum(document)}


def checksum(document: dict[str, object]) -> str:
    """Return the checksum by which an edit of a saved game is noticed, where no rule would notice: the
    SHA-256 of everything in it but the checksum, as 64 digits.
    """
    everything = {name: value for name, value in document.items() if name != "checksum"}
    return sha256(
        json.dumps(everything, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    ).hexdigest()


def count_decisions(steps: Sequence[RecordedStep]) -> int:
    """Decisions of seats; a decision that several make at once counts once a seat, forced ones count too."""
    return sum(len(step.choices) for step in steps if not step.is_chance)


def as_text(document: JsonObject) -> str:
    """A record's JSON as text in ASCII: one line a key, and one line an action."""
    lines = []
    for key, value in document.items():
        if key in ("actions", "events") and value:
            items = ",\n".join(f"    {json.dumps(item, ensure_ascii=True)}" for item in value)
            lines.append(f"  {json.dumps(key)}: [\n{items}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=True)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
