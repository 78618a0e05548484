"""The saved file of a game, with the places of all its values; replaying it, and verifying that it is the
same game.

In a replay the actions are taken from the file, chance outcomes too, so no random number is drawn.  Before an
action is applied it must be the right seat's, legal, and mean the choice that is recorded beside it; after
it, the position's hash must be the recorded one.  At the end so must the result be, and the checksum that of
all that stands in the file: the seed, the bots and what was not played again are held by nothing else.  The
first difference ends the replay: what followed would be guesswork.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, TypeAdapter, ValidationError

from croupier.diagnostics import Diagnostic, JsonObject, RulesetError, Source, Span, diagnose, did_you_mean
from croupier.play.atomic_write import write_whole
from croupier.play.record import (
    CHANCE_SEAT,
    FORMAT,
    INTERRUPTED,
    OVER,
    SEVERAL_SEATS,
    STATUSES,
    GameRecord,
    RecordedChoice,
    RecordedStep,
    as_text,
    checksum,
    count_decisions,
    one_line,
    outcome_of,
    plain,
)
from croupier.play.script import who
from croupier.records import dataclass
from croupier.runtime.parameters import as_recorded
from croupier.runtime.streams import LARGEST_SEED
from croupier.source import read_file

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State


# ---------------------------------------------------------------- located json
# JSON with places, for files that people may have edited.
#
# Only as much is located as diagnostics need: the keys and values of the outermost object, and the items of a
# list that is one of its values.  Stricter than Python's reader: no key twice, no fractions, no NaN, no
# numbers of absurd length.
_SPACE = re.compile(r"[ \t\r\n]*")
_DEEPEST = 64
_MOST_DIGITS = 40
_NESTING = re.compile(r'"(?:[^"\\]|\\.?)*+(?:"|\Z)|[\[{]|[\]}]', re.DOTALL)


class _DuplicateKey(ValueError):
    """A key occurs twice in an object."""


@dataclass(frozen=True)
class LocatedValue:
    """A value of the outermost object: the places of its key and of itself, and, for a list, of each item."""

    value: Any
    key: Span
    span: Span
    items: tuple[Span, ...] = ()


def read_object(source: Source) -> dict[str, LocatedValue]:
    """The outermost object.

    Raises RulesetError with one diagnostic for a text that is not one JSON object.
    """
    return _ObjectReader(source).read()


class _ObjectReader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.text
        self._at = 0
        self._decoder = json.JSONDecoder(
            object_pairs_hook=_object,
            parse_float=_refuse_fraction,
            parse_constant=_refuse_fraction,
            parse_int=_integer,
        )

    def read(self) -> dict[str, LocatedValue]:
        self._check_depth()
        result: dict[str, LocatedValue] = {}
        self._expect("{", "it does not begin with `{`")
        for _ in self._until("}"):
            key_span, key = self._value()
            if not isinstance(key, str):
                self._refuse("a key in quotes is needed here", key_span.start)
            if key in result:
                raise RulesetError([diagnose("X507", key_span, name=key)])
            self._expect(":", "a `:` is missing after the key")
            result[key] = self._located(key_span)
        self._skip()
        if self._at < len(self._text):
            self._refuse("something follows the closing `}`", self._at)
        return result

    def _located(self, key: Span) -> LocatedValue:
        self._skip()
        if self._text[self._at : self._at + 1] != "[":
            span, value = self._value()
            return LocatedValue(value, key, span)
        start = self._at
        self._at += 1
        items = [self._value() for _ in self._until("]")]
        return LocatedValue(
            [value for _, value in items],
            key,
            self._source.span(start, self._at),
            tuple(span for span, _ in items),
        )

    def _value(self) -> tuple[Span, object]:
        self._skip()
        start = self._at
        try:
            value, self._at = self._decoder.raw_decode(self._text, start)
        except json.JSONDecodeError as error:
            at_end = not self._text[error.pos :].strip() or error.msg.startswith("Unterminated string")
            self._refuse(
                "the file ends in the middle"
                if at_end
                else error.msg.lower().rstrip(": ").removesuffix(" at"),
                error.pos,
            )
        except _DuplicateKey as error:
            raise RulesetError(
                [diagnose("X507", self._source.span(start, start + 1), name=str(error))]
            ) from None
        except ValueError as error:
            self._refuse(str(error), start)
        return self._source.span(start, self._at), value

    def _until(self, closing: str) -> Iterator[None]:
        """Once for each part of a list or object, separated by commas, up to its closing sign."""
        self._skip()
        if self._text[self._at : self._at + 1] == closing:
            self._at += 1
            return
        while True:
            yield
            self._skip()
            sign = self._text[self._at : self._at + 1]
            if sign not in (",", closing) or not sign:
                self._refuse(
                    "the file ends in the middle" if not sign else f"a `,` or `{closing}` is missing",
                    self._at,
                )
            self._at += 1
            if sign == closing:
                return

    def _expect(self, sign: str, reason: str) -> None:
        self._skip()
        if self._text[self._at : self._at + 1] != sign:
            self._refuse(reason, self._at)
        self._at += 1

    def _skip(self) -> None:
        match = _SPACE.match(self._text, self._at)
        assert match is not None
        self._at = match.end()

    def _check_depth(self) -> None:
        depth = 0
        for match in _NESTING.finditer(self._text):
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match.group(), 0)
            if depth > _DEEPEST:
                self._refuse(f"it is nested more than {_DEEPEST} deep", match.start())

    def _refuse(self, reason: str, at: int) -> NoReturn:
        raise RulesetError(
            [diagnose("X501", self._source.span(at, min(at + 1, len(self._text))), reason=reason)]
        )


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise _DuplicateKey(name)
            seen.add(name)
    return result


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError("a number is longer than any that is written there")
    return int(digits)


def _refuse_fraction(text: str) -> NoReturn:
    raise ValueError(f"`{text}` is not a whole number")


# ---------------------------------------------------------------- saved
# The saved file of a game: what `run --save` writes, described by models and checked against them when it is
# read.
#
# Nothing in the file is trusted: it names a ruleset but never a file, every value has a fixed type, and the
# places of all values are kept, so that whatever the replay finds can be shown where it stands.
LARGEST_FILE = 64_000_000
MOST_UNKNOWN = 50  # unknown keys that are reported

Hash = Annotated[str, Field(pattern=r"\A[0-9a-f]{64}\z", description="a hash of 64 hexadecimal digits")]
Count = Annotated[int, Field(ge=0, le=2**31, description="a whole number from 0")]
Seat = Annotated[int, Field(ge=CHANCE_SEAT, le=1000)]
Action = Annotated[int, Field(ge=0, le=LARGEST_SEED)]


class SavedChoice(BaseModel):
    """The choice of one seat, or of chance."""

    model_config = ConfigDict(strict=True, extra="forbid")
    seat: Seat
    action: Action
    choice: object

    def to_choice(self) -> RecordedChoice:
        return RecordedChoice(self.seat, self.action, self.choice)


class SavedStep(SavedChoice):
    """A step that one seat made, or chance, and the hash of the position that follows."""

    hash: Hash

    def to_step(self) -> RecordedStep:
        return RecordedStep((self.to_choice(),), False, self.hash)


class SavedChoices(BaseModel):
    """A step that several seats made at once."""

    model_config = ConfigDict(strict=True, extra="forbid")
    seat: Literal[-2]
    actions: Annotated[list[SavedChoice], Field(min_length=1)]
    hash: Hash

    def to_step(self) -> RecordedStep:
        return RecordedStep(tuple(part.to_choice() for part in self.actions), True, self.hash)


def _kind(item: object) -> str:
    return "several" if isinstance(item, dict) and item.get("seat") == SEVERAL_SEATS else "one"


STEPS = TypeAdapter(
    list[
        Annotated[
            Annotated[SavedStep, Tag("one")] | Annotated[SavedChoices, Tag("several")], Discriminator(_kind)
        ]
    ]
)


class SavedOutcome(BaseModel):
    """The end of a game; all else of an outcome is compared with that of the replay."""

    model_config = ConfigDict(strict=True, extra="allow")
    status: str = Field(pattern=rf"\A(?:{'|'.join(STATUSES)})\z")
    returns: list[object] | None = None


class Saved(BaseModel):
    """The keys of a saved game; the description says what a value should be."""

    model_config = ConfigDict(strict=True, extra="forbid")
    holds: Annotated[str, Field(description="a text")] = ""
    croupier: Annotated[int, Field(description="the number of the format")]
    ruleset: Annotated[str, Field(min_length=1, max_length=200, description="the name of a ruleset")]
    ruleset_hash: Hash
    meaning_hash: Hash | None = None
    players: Annotated[int, Field(ge=1, le=1000, description="the number of players")]
    parameters: Annotated[JsonObject, Field(description="an object")]
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED, description="a whole number from 0 to 2^64 - 1")]
    game: Annotated[int, Field(ge=1, le=2**31, description="a whole number from 1")]
    bots: Annotated[list[str], Field(min_length=1, description="a list of names")]
    outcome: Annotated[SavedOutcome, Field(description="an outcome with a `status` and `returns`")]
    decisions: Count
    chance_events: Count
    digest: Hash
    start_hash: Hash
    final_hash: Hash
    actions: Annotated[list[object], Field(description="a list of actions")]
    checksum: Hash


KEYS = tuple(Saved.model_fields)
_COPIED = tuple(
    name for name in KEYS if name not in ("holds", "croupier", "bots", "digest", "actions", "checksum")
)
_FORMS = {"hash": "its `hash` is not a hash", "actions": "its `actions` are not a list"}


@dataclass(frozen=True)
class SavedGame:
    """A record that was read from a file, the digest and the checksum that stand there, and the place of each
    key's value and of each action.
    """

    record: GameRecord
    digest: str
    checksum: str
    places: Mapping[str, Span]
    actions: tuple[Span, ...]


HOLDS = (
    "everything: what chance did, and what nobody or only some may see; whoever plays on should not read it"
)


def save(record: GameRecord, path: Path, *, force: bool = False, warned: bool = False) -> None:
    """Write a record, with a warning at its head for who plays that game, if wanted.

    Raises RulesetError as `write_whole` does.
    """
    write_whole(
        path, as_text({"holds": HOLDS} | record.to_json() if warned else record.to_json()), force=force
    )


def read_saved(path: Path) -> SavedGame:
    """The saved game in a file.  Raises RulesetError with everything that is wrong with the file."""
    source, diagnostics = read_file(path, limit=LARGEST_FILE)
    if source is None:
        raise RulesetError(diagnostics)
    return parse_saved(source)


def parse_saved(source: Source) -> SavedGame:
    """The saved game in a text.  Raises RulesetError with everything that is wrong with the text."""
    values = _of_a_run(read_object(source))
    plain = {name: located.value for name, located in values.items()}
    _check_format(source, values)
    try:
        Saved.model_validate(plain)
    except ValidationError as error:
        raise RulesetError(_wrong(source, values, error)) from None
    try:
        steps = STEPS.validate_python(plain["actions"])
    except ValidationError as error:
        raise RulesetError([_wrong_step(values["actions"].items, error)]) from None
    copied = {name: plain[name] for name in _COPIED if name in plain}
    record = GameRecord(**copied, bots=tuple(plain["bots"]), steps=tuple(step.to_step() for step in steps))
    return SavedGame(
        record,
        plain["digest"],
        plain["checksum"],
        {name: located.span for name, located in values.items()},
        values["actions"].items,
    )


def _of_a_run(values: dict[str, LocatedValue]) -> dict[str, LocatedValue]:
    """The values of a saved game, where a document that `run --format json` wrote holds them; any other as
    they are.

    Such a document has a header with a schema of its own, and calls the hash of the rules `hash`; the rest is
    that of a saved game.
    """
    schema = values.get("schema")
    if schema is None or not isinstance(schema.value, Mapping) or schema.value.get("name") != "run":
        return values
    renamed = {"hash": "ruleset_hash"}
    found = {renamed.get(name, name): located for name, located in values.items() if name not in _OF_A_RUN}
    if "meaning_hash" in found and found["meaning_hash"].value is None:
        del found["meaning_hash"]
    if "croupier" in found and schema.value.get("version") == RUN_VERSION:
        found["croupier"] = replace(found["croupier"], value=FORMAT)
    return found


_OF_A_RUN = ("schema", "games", "interrupted", "seat", "events")
"""Keys of what `run --format json` writes that a saved game has not."""
RUN_VERSION = 2  # of the schema of `run --format json` that can be replayed


def _check_format(source: Source, values: Mapping[str, LocatedValue]) -> None:
    found = values.get("croupier")
    if found is None:
        raise RulesetError([diagnose("X502", source.span(0, 1), name="croupier")])
    if found.value != FORMAT or isinstance(found.value, bool):
        raise RulesetError([diagnose("X503", found.span, found=found.span.text, known=FORMAT)])


def _wrong(source: Source, values: Mapping[str, LocatedValue], error: ValidationError) -> list[Diagnostic]:
    """Return the diagnostics of the keys of a saved game and of their values: unknown ones first, each value
    once.
    """
    unknown: dict[str, Diagnostic] = {}
    missing: dict[str, Diagnostic] = {}
    wrong: dict[str, Diagnostic] = {}
    for problem in error.errors(include_url=False, include_context=False, include_input=False):
        name = str(problem["loc"][0])
        if problem["type"] == "extra_forbidden" and len(unknown) < MOST_UNKNOWN:
            near = did_you_mean(name, KEYS)
            unknown[name] = diagnose(
                "X505", values[name].key, name=name, help=f"did you mean `{near}`?" if near else None
            )
        elif problem["type"] == "missing" and len(problem["loc"]) == 1:
            missing[name] = diagnose("X502", source.span(0, 1), name=name)
        elif name in Saved.model_fields:
            wanted = Saved.model_fields[name].description
            wrong[name] = diagnose(
                "X504", values[name].span, name=name, wanted=wanted, found=_shown(values[name])
            )
    return [*unknown.values(), *missing.values(), *wrong.values()]


def _shown(located: LocatedValue) -> str:
    if isinstance(located.value, dict):
        return "an object"
    return "a list" if isinstance(located.value, list) else f"`{located.span.text}`"


def _wrong_step(places: tuple[Span, ...], error: ValidationError) -> Diagnostic:
    """Return the diagnostic of the first action of wrong form."""
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    at = int(problems[0]["loc"][0])
    first = [p for p in problems if p["loc"][0] == at]
    keys = sorted(
        (str(p["loc"][-1]), p["type"]) for p in first if p["type"] in ("missing", "extra_forbidden")
    )
    if any(p["type"] in ("model_type", "model_attributes_type") for p in first):
        words = "it is not an object"
    elif keys:
        words = f"`{keys[0][0]}` is {'missing' if keys[0][1] == 'missing' else 'unknown'}"
    else:
        words = _FORMS.get(str(first[0]["loc"][-1]), "its `seat` and `action` are whole numbers")
    return diagnose("X517", places[at], number=at + 1, problem=words)


# ------------------------------------------------------------ playing it again
@dataclass(frozen=True)
class Replayed:
    """The position after `applied` actions, all of them verified; `complete` if these were all and the result
    was verified too.
    """

    state: State
    applied: int
    complete: bool


def replay(
    saved: SavedGame,
    ruleset: Ruleset,
    at: int | None = None,
    backend: str = "reference",
    each: Callable[[State], object] | None = None,
) -> Replayed:
    """Apply and verify the first `at` recorded actions, or all of them and the result, on a back end: one of
    `execution.backends.BACKENDS`.

    `each` is called with the state at the beginning and after each action; who keeps it takes a copy. Where
    only words of the ruleset have changed since, options and results are compared without their words.

    Raises RulesetError with the first difference, or with what the ruleset says about the players and
    parameters, and ValueError if `at` is not a number of recorded actions.
    """
    record = saved.record
    if at is not None and not 0 <= at <= len(record.steps):
        raise ValueError(f"{at} is not between 0 and {len(record.steps)}")
    if not ruleset.goes_on(record.ruleset_hash, record.meaning_hash):
        place = saved.places["ruleset_hash"]
        found = record.ruleset_hash[:12]
        wanted = ruleset.ruleset_hash[:12]
        raise RulesetError([diagnose("X506", place, name=ruleset.name, found=found, wanted=wanted)])
    state = ruleset.new_initial_state(
        record.players, as_recorded(ruleset.program, record.parameters), backend=backend
    )
    if state.hash() != record.start_hash and not _is_faulted(state):
        raise RulesetError([diagnose("X515", saved.places["start_hash"], number=0)])
    count = len(record.steps) if at is None else at
    same_words = record.ruleset_hash == ruleset.ruleset_hash
    if each is not None:
        each(state)
    for number in range(1, count + 1):
        place = saved.actions[number - 1]
        problem = _apply(state, record.steps[number - 1], number, place, same_words=same_words)
        if problem is None and state.is_terminal() and number < len(record.steps):
            problem = diagnose("X511", saved.actions[number], number=number, recorded=len(record.steps))
        if problem is not None:
            raise RulesetError([problem])
        if each is not None:
            each(state)
    if at is None:
        differences = _compare_end(saved, state, same_words=same_words)
        if differences:
            raise RulesetError(differences)
    if checksum(record.to_json() | {"digest": saved.digest}) != saved.checksum:
        raise RulesetError([diagnose("X518", saved.places["checksum"])])
    return Replayed(state, count, complete=at is None)


def _apply(
    state: State, step: RecordedStep, number: int, place: Span, *, same_words: bool
) -> Diagnostic | None:
    wanted = [CHANCE_SEAT] if state.is_chance_node() else state.pending_seats()
    if [choice.seat for choice in step.choices] != wanted or step.several != state.is_simultaneous_node():
        expected = "nobody" if not wanted else " and ".join(map(who, wanted))
        found = "several seats at once" if step.seat == SEVERAL_SEATS else who(step.seat)
        return diagnose("X513", place, number=number, found=found, wanted=expected)
    for choice in step.choices:
        problem = _check(state, choice, number, place, same_words=same_words)
        if problem is not None:
            return problem
    if step.several:
        state.apply_actions([choice.action for choice in step.choices])
    else:
        state.apply_action(step.choices[0].action)
    if state.hash() == step.hash or _is_faulted(state):
        return None
    return diagnose("X515", place, number=number)


def _is_faulted(state: State) -> bool:
    """Did the rules fail there? The hash of such a position names the place in the text, which moves with
    every line before it.
    """
    return state.current_player() == OVER and state.outcome()["fault"] is not None


def _check(
    state: State, choice: RecordedChoice, number: int, place: Span, *, same_words: bool
) -> Diagnostic | None:
    chance = choice.seat == CHANCE_SEAT
    legal = [action for action, _ in state.chance_outcomes()] if chance else state.legal_actions(choice.seat)
    if choice.action not in legal:
        return diagnose("X512", place, number=number, who=who(choice.seat), action=one_line(choice.choice))
    if same_words and plain(state.action_to_struct(choice.seat, choice.action)) != state.with_full_name(
        choice.choice
    ):
        text = state.action_to_string(choice.seat, choice.action)
        return diagnose("X514", place, number=number, action=f"{choice.action} (`{text}`)")
    return None


RESULTS = ("status", "winners", "returns", "scores", "grade")
"""What there is to an outcome besides words."""


def _result(outcome: JsonObject) -> JsonObject:
    """An outcome without its words and places: of a fault the code alone."""
    fault = outcome.get("fault")
    code = fault.get("code") if isinstance(fault, Mapping) else None
    return {name: outcome.get(name) for name in RESULTS} | {"fault": code}


def _compare_end(saved: SavedGame, state: State, *, same_words: bool) -> list[Diagnostic]:
    record = saved.record
    findings = state.check_invariants() if record.status == "faulted" and not state.outcome()["fault"] else []
    outcome = outcome_of(state, findings)
    if outcome["reason"] == INTERRUPTED and record.outcome.get("reason") != INTERRUPTED:
        place = saved.actions[-1] if saved.actions else saved.places["actions"]
        return [diagnose("X510", place, number=len(record.steps), status=f"`{record.status}`")]
    ended = replace(record, outcome=outcome, final_hash=state.hash())
    actual = {
        "outcome": outcome,
        "decisions": count_decisions(record.steps),
        "chance_events": sum(step.is_chance for step in record.steps),
        "final_hash": ended.final_hash,
        "digest": saved.digest if saved.digest == ended.former_digest else ended.digest,
    }
    recorded = record.to_json() | {"digest": saved.digest}
    if _is_faulted(state):
        actual["final_hash"] = record.final_hash
    if not same_words or _is_faulted(state):
        actual["outcome"], recorded["outcome"] = _result(outcome), _result(record.outcome)
    return [
        diagnose("X516", saved.places[name], name=name, wanted=one_line(value))
        for name, value in actual.items()
        if plain(recorded[name]) != value
    ]
