"""The record of a game: its start and its end in words, its outcome, the value that is also the saved file,
and one digest of many games.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol

from croupier.diagnostics import Diagnostic, JsonObject, sanitise
from croupier.diagnostics.render import as_json
from croupier.records import dataclass
from croupier.runtime.arguments import viewer_of
from croupier.runtime.visibility import admits
from croupier.semantics import types as t
from croupier.semantics.procedures import Proc
from croupier.semantics.program import VarDef
from croupier.semantics.tree import ChooseStmt, LetStmt, LocalExpr, TypedExpr, text_parts, text_template
from croupier.semantics.walk import bodies, statements
from croupier.syntax.phrases import phrase_of, why


# ---------------------------------------------------------------- plain
# Values of the interpreter as values of JSON.
#
# Exact fractions stay exact: a whole number becomes a number, any other fraction the text "1/3".
def plain(value: object) -> Any:  # noqa: ANN401 - a value of JSON
    """The value made of None, bool, int, str, list and dict.

    Raises TypeError for a float or a type that JSON cannot say.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted((plain(item) for item in value), key=one_line)
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} is not a value of JSON")


def one_line(value: object) -> str:
    """The value as one line of JSON in ASCII; equal values give equal lines, whatever the order of their
    keys.
    """
    return json.dumps(plain(value), ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def exact(value: object) -> Fraction:
    """The number that `plain` wrote: an integer or the text of a fraction.

    Raises ValueError for anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int | str | Fraction):
        raise ValueError(f"{value!r} is not an exact number")
    return Fraction(value)


# ---------------------------------------------------------------- outcome
# How a game ended.
#
# The state says `finished`, `unfinished` (a declared limit), `stuck` or `faulted`.  The driver adds what only
# it can know: the user interrupted the game, an invariant that it was asked to check does not hold, or a seat
# must act and cannot.
if TYPE_CHECKING:
    from croupier.runtime.state import State

INTERRUPTED = "interrupted"
STATUSES = ("finished", "unfinished", "stuck", "faulted")


def outcome_of(state: State, findings: Sequence[Diagnostic] = ()) -> JsonObject:
    """The outcome as a JSON value.

    `findings` are invariants that do not hold; a game that goes on counts as interrupted.
    """
    outcome: JsonObject = plain(state.outcome())
    if findings:
        first = findings[0]
        reason = sanitise(first.message)
        return outcome | {
            "status": "faulted",
            "winners": [],
            "returns": [],
            "scores": None,
            "reason": reason,
            "fault": as_json(first),
        }
    if outcome["status"] != "running":
        return outcome
    seat = stuck_seat(state)
    if seat is not None:
        return outcome | {
            "status": "stuck",
            "winners": [],
            "returns": [],
            "reason": f"player {seat + 1} must act and has no legal action",
        }
    return outcome | {"status": "unfinished", "winners": [], "returns": [], "reason": INTERRUPTED}


def reason_of(outcome: JsonObject) -> str | None:
    """Return the reason why a game did not finish; of a fault the code and the author's line too."""
    reason: str | None = outcome.get("reason")
    fault = outcome.get("fault")
    if not isinstance(fault, Mapping) or "line" not in fault:
        return reason
    return f"{reason}; {fault['code']} at {fault['file']}:{fault['line']}"


def stuck_seat(state: State) -> int | None:
    """The first seat, from 0, that must act and has no legal action, or None."""
    return next((seat for seat in state.pending_seats() if not state.legal_actions(seat)), None)


# ---------------------------------------------------------------- start and end
SIMPLE = (t.Int, t.Bool, t.Enum, t.Player)
MAX_REASONS = 4  # rules that an end cites


def start_values(state: State, seat: int | None) -> str:
    """Return the values at the beginning of the history that a seat may see, in words: numbers, names, truths
    that are not nothing; not by cell.
    """
    seat = viewer_of(seat, state.players)
    game, start, found = state.game, state._start, list[str]()
    for v in game.variables:
        kind = v.type
        value = (game.start_vars if start is None else start.vars)[v.index]
        audience = game.seen_by[v.index]
        is_detail = (
            v.words is not None and text_parts(v.words.text) == ()
        ) or v.name in game.program.looks.details
        of_players = isinstance(kind, t.Map) and isinstance(kind.key, t.Player)
        if (
            v.of_class is not None
            or v.sight is not None
            or is_detail
            or not (of_players or isinstance(kind, SIMPLE))
        ):
            continue
        name, inner = v.name.replace("_", " "), kind.value if isinstance(kind, t.Map) else kind
        entries = dict(enumerate(value)) if of_players else {None: value}
        known = {
            p: one
            for p, one in entries.items()
            if one and (seat is None or admits(audience, p, seat, game.players))
        }
        seen = {p: game.show(one, inner, labelled=True) for p, one in known.items()}
        if isinstance(inner, SIMPLE) and seen:
            alike = len(set(seen.values())) == 1 and len(seen) == len(entries) > 1
            each = (
                _in_words(v, name, one) if p is None else f"{name} of player {p + 1}: {one}"
                for p, one in seen.items()
            )
            found += [f"{name} {seen[0]} each"] if alike else each
    return ", ".join(found)


def _in_words(v: VarDef, name: str, one: str) -> str:
    """A value in the words of its changes, if these are plain and name nothing else."""
    text = None if v.words is None else v.words.text
    parts = () if text is None else text_parts(text)
    is_plain = (
        text is not None
        and parts.count(None) == 1
        and "|" not in text_template(text)
        and all(isinstance(x, LocalExpr) for x in text.args)
    )
    if not is_plain:
        return f"{name} {one}"
    return "".join(one if part is None else part for part in parts)


def why_over(state: State, seat: int | None = None) -> str:
    """Return the reason why a finished game is over: the rules that its end cites, or else the condition
    under which the rules end it; or nothing.

    Every seat is told the same; where a game is followed, one of its followers knows it at once.
    """
    last = next((event for event in reversed(state.events(seat)) if event.kind == "end"), None)
    rules = state.game.program.rule_ids
    cited = [
        f"{rule}: {rules[rule][1]}"
        for rule in (() if last is None else last.rules)
        if rule in rules and rules[rule][1]
    ]
    if last is None or cited:
        return " ".join(cited[:MAX_REASONS])
    ending = [proc for proc, s in bodies(state.game.program) if s.span == last.span]
    if not ending:
        return ""
    proc = ending[0]
    asked = [w.value for w in state.game.program.watchers if w.kind == "end" and w.proc is proc]
    asked += [
        s.args[0]
        for s in statements(proc.body)
        if s.op == "if" and any(end.span == last.span for end in s.blocks[0])
    ][-1:]
    if asked:
        return (
            f"The game is over: "
            f"{', and '.join(why(x.span.text) for x in asked)}{_names_explained(proc, asked)}."
        )
    return "All phases are over." if any(proc.name == "scoring" for proc in ending) else ""


def _names_explained(proc: Proc, asked: Sequence[TypedExpr]) -> str:
    """Return the meaning of the locals that some conditions name, in brackets: whoever reads them does not
    know the rules around them.
    """
    values = {s.slot: s.args[0] for s in statements(proc.body) if isinstance(s, LetStmt)}
    chosen = {s.choice.slot for s in statements(proc.body) if isinstance(s, ChooseStmt)}
    found: dict[int, str] = {}
    todo = list(asked)
    while todo:
        x = todo.pop(0)
        bound = {slot for y in x.walk() for slot in y.binds()}
        for y in x.walk():
            if (
                not isinstance(y, LocalExpr)
                or y.slot in bound
                or y.slot in found
                or proc.slots[y.slot].startswith("$")
            ):
                continue
            name = proc.slots[y.slot].replace("_", " ")
            if y.slot in values:
                text = values[y.slot].span.text
                found[y.slot] = f"{name} is {phrase_of(text) or text}"
                todo.append(values[y.slot])
            else:
                kind = "player " if proc.slot_types[y.slot] == t.PLAYER else ""
                found[y.slot] = f"{name} is what was chosen" if y.slot in chosen else f"for one {kind}{name}"
    return f" ({'; '.join(found.values())})" if found else ""


# ---------------------------------------------------------------- digest
# One short text that stands for everything that happened in a run.
#
#     digest = SHA-256 of the ASCII lines, one a game, in game order, each ended by a line feed:
#
#         NUMBER STATUS RETURNS DECISIONS EVENTS
#
# NUMBER is the game's number, from 1; STATUS its outcome's status; RETURNS the returns of all seats, joined
# by commas, fractions as `1/3`, or `-` when the game has none; DECISIONS and EVENTS how many decisions and
# chance events there were. Where positions are verified, too, the hash of the last one ends the line, behind
# a space.
class DigestedGame(Protocol):
    """A game as a digest reads it; `verified_hash` is `None` if positions are not verified."""

    @property
    def game(self) -> int: ...
    @property
    def status(self) -> str: ...
    @property
    def returns(self) -> Sequence[int | str]: ...
    @property
    def decisions(self) -> int: ...
    @property
    def chance_events(self) -> int: ...
    @property
    def verified_hash(self) -> str | None: ...


def digest_line(played: DigestedGame) -> str:
    """Return the line of a game in a digest."""
    returns = ",".join(map(str, played.returns)) or "-"
    verified = "" if played.verified_hash is None else f" {played.verified_hash}"
    return f"{played.game} {played.status} {returns} {played.decisions} {played.chance_events}{verified}\n"


class Digest:
    """Takes lines in any order; what comes in game order from game 1 on is not kept."""

    def __init__(self) -> None:
        self._hashed, self._next = sha256(), 1
        # by the number of the first game: how many, their lines
        self._early: dict[int, tuple[int, bytes]] = {}

    def add(self, played: DigestedGame) -> None:
        self.add_lines(played.game, 1, digest_line(played).encode("ascii"))

    def add_lines(self, first: int, count: int, lines: bytes) -> None:
        """The lines of some games in a row."""
        self._early[first] = count, lines
        while self._next in self._early:
            count, lines = self._early.pop(self._next)
            self._hashed.update(lines)
            self._next += count

    def hexdigest(self) -> str:
        """The digest of what was added, as 64 hexadecimal digits."""
        whole = self._hashed.copy()
        for first in sorted(self._early):
            whole.update(self._early[first][1])
        return whole.hexdigest()


def digest(games: Iterable[DigestedGame]) -> str:
    """The digest of games in any order, as 64 hexadecimal digits."""
    made = Digest()
    for played in games:
        made.add(played)
    return made.hexdigest()


# ---------------------------------------------------------------- record
# What is kept of a game.
#
# A record is what `run --format json` prints and what `run --save` writes: with the ruleset it is enough to
# play the game again without any random number, because chance outcomes are among its steps.  Seats count
# from 0 here, as in every JSON;
# -1 stands for chance and -2 for several seats that decide at once.
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
