"""The saved file of a game: what `run --save` writes, described by models and checked against them when it is
read.

Nothing in the file is trusted: it names a ruleset but never a file, every value has a fixed type, and the
places of all values are kept, so that whatever the replay finds can be shown where it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, TypeAdapter, ValidationError

from croupier.diagnostics import Diagnostic, JsonObject, RulesetError, Source, Span, diagnose, did_you_mean
from croupier.play.atomic_write import write_whole
from croupier.play.located_json import LocatedValue, read_object
from croupier.play.outcome import STATUSES
from croupier.play.record import (
    CHANCE_SEAT,
    FORMAT,
    SEVERAL_SEATS,
    GameRecord,
    RecordedChoice,
    RecordedStep,
    as_text,
)
from croupier.records import dataclass
from croupier.runtime.streams import LARGEST_SEED
from croupier.source import read_file

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
    returns: list[object] | None


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


_OF_A_RUN = ("schema", "reproducible", "games", "interrupted", "seat", "events")
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
