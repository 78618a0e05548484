"""The saved file of a game: what `run --save` writes, checked key by key when it is read.

Nothing in the file is trusted: it names a ruleset but never a file, every value has a fixed type, and the places of all
values are kept, so that whatever the replay finds can be shown where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from croupier.diagnostics import Diagnostic, RulesetError, Source, Span, diagnose, did_you_mean
from croupier.play.files import write_whole
from croupier.play.located_json import Value, read_object
from croupier.play.outcome import STATUSES
from croupier.play.record import CHANCE_SEAT, FORMAT, SEVERAL_SEATS, Choice, Record, Step, as_text
from croupier.runtime.streams import LARGEST_SEED
from croupier.source import read_file

LARGEST_FILE = 64_000_000
_MOST = 2**31
_HASH = re.compile(r"[0-9a-f]{64}\Z")


@dataclass(frozen=True)
class SavedGame:
    """A record that was read from a file, the digest and the checksum that stand there, and the place of each key's value and of each action."""

    record: Record
    digest: str
    checksum: str
    places: Mapping[str, Span]
    actions: tuple[Span, ...]


HOLDS = "everything: what chance did, and what nobody or only some may see; whoever plays on should not read it"


def save(record: Record, path: Path, *, force: bool = False, warned: bool = False) -> None:
    """Write a record, with a warning at its head for who plays that game, if wanted.  Raises RulesetError as `write_whole` does."""
    write_whole(path, as_text({"holds": HOLDS} | record.to_json() if warned else record.to_json()), force=force)


def read_saved(path: Path) -> SavedGame:
    """The saved game in a file.  Raises RulesetError with everything that is wrong with the file."""
    source, diagnostics = read_file(path, limit=LARGEST_FILE)
    if source is None:
        raise RulesetError(diagnostics)
    return parse_saved(source)


def parse_saved(source: Source) -> SavedGame:
    """The saved game in a text.  Raises RulesetError with everything that is wrong with the text."""
    values = read_object(source)
    _check_format(source, values)
    diagnostics = [*_unknown(values), *_missing(source, values), *_wrong(values)]
    if diagnostics:
        raise RulesetError(diagnostics)
    steps = _steps(values["actions"])
    plain = {name: located.value for name, located in values.items()}
    record = Record(
        **{name: plain[name] for name in _COPIED},
        bots=tuple(plain["bots"]),
        steps=tuple(steps),
    )
    return SavedGame(record, plain["digest"], plain["checksum"], {name: located.span for name, located in values.items()}, values["actions"].items)


def _check_format(source: Source, values: Mapping[str, Value]) -> None:
    found = values.get("croupier")
    if found is None:
        raise RulesetError([diagnose("X502", source.span(0, 1), name="croupier")])
    if found.value != FORMAT or isinstance(found.value, bool):
        raise RulesetError([diagnose("X503", found.span, found=found.span.text, known=FORMAT)])


def _unknown(values: Mapping[str, Value]) -> list[Diagnostic]:
    wrong = [(name, located) for name, located in values.items() if name not in _KEYS]
    return [diagnose("X505", located.key, name=name, help=_suggest(did_you_mean(name, _KEYS))) for name, located in wrong]


def _missing(source: Source, values: Mapping[str, Value]) -> list[Diagnostic]:
    return [diagnose("X502", source.span(0, 1), name=name) for name in _KEYS if name not in values and name != "holds"]


def _wrong(values: Mapping[str, Value]) -> list[Diagnostic]:
    wrong = [(name, located) for name, located in values.items() if name in _KEYS and not _KEYS[name][1](located.value)]
    return [diagnose("X504", located.span, name=name, wanted=_KEYS[name][0], found=_shown(located)) for name, located in wrong]


def _shown(located: Value) -> str:
    if isinstance(located.value, dict):
        return "an object"
    return "a list" if isinstance(located.value, list) else f"`{located.span.text}`"


def _suggest(near: str | None) -> str | None:
    return f"did you mean `{near}`?" if near else None


def _is_integer(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and _HASH.match(value) is not None


def _is_outcome(value: Any) -> bool:
    return isinstance(value, dict) and value.get("status") in STATUSES and _is_returns(value.get("returns"))


def _is_returns(value: Any) -> bool:
    return value is None or isinstance(value, list)


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(name, str) for name in value)


_INTEGER, _HASH_WANTED = "a whole number from 0", "a hash of 64 hexadecimal digits"
_KEYS: Mapping[str, tuple[str, Callable[[Any], bool]]] = MappingProxyType(
    {
        "holds": ("a text", lambda value: isinstance(value, str)),
        "croupier": ("the number of the format", lambda value: True),
        "ruleset": ("the name of a ruleset", lambda value: isinstance(value, str) and 0 < len(value) <= 200),
        "ruleset_hash": (_HASH_WANTED, _is_hash),
        "players": ("the number of players", _is_integer(1, 1000)),
        "parameters": ("an object", lambda value: isinstance(value, dict)),
        "seed": ("a whole number from 0 to 2^64 - 1", _is_integer(0, LARGEST_SEED)),
        "game": ("a whole number from 1", _is_integer(1, _MOST)),
        "bots": ("a list of names", _is_names),
        "outcome": ("an outcome with a `status` and `returns`", _is_outcome),
        "decisions": (_INTEGER, _is_integer(0, _MOST)),
        "chance_events": (_INTEGER, _is_integer(0, _MOST)),
        "digest": (_HASH_WANTED, _is_hash),
        "start_hash": (_HASH_WANTED, _is_hash),
        "final_hash": (_HASH_WANTED, _is_hash),
        "actions": ("a list of actions", lambda value: isinstance(value, list)),
        "checksum": (_HASH_WANTED, _is_hash),
    }
)
_COPIED = tuple(name for name in _KEYS if name not in ("holds", "croupier", "bots", "digest", "actions", "checksum"))


def _steps(actions: Value) -> list[Step]:
    steps: list[Step] = []
    for number, (item, place) in enumerate(zip(actions.value, actions.items, strict=True), 1):
        try:
            steps.append(_step(item))
        except ValueError as error:
            raise RulesetError([diagnose("X517", place, number=number, problem=error)]) from None
    return steps


def _step(item: Any) -> Step:
    """One recorded action.  Raises ValueError with what is wrong about its form."""
    keys = {"seat", "actions", "hash"} if isinstance(item, dict) and item.get("seat") == SEVERAL_SEATS else {"seat", "action", "choice", "hash"}
    _check_keys(item, keys)
    if not _is_hash(item["hash"]):
        raise ValueError("its `hash` is not a hash")
    if item["seat"] != SEVERAL_SEATS:
        return Step((_choice(item),), False, item["hash"])
    if not isinstance(item["actions"], list) or not item["actions"]:
        raise ValueError("its `actions` are not a list")
    for part in item["actions"]:
        _check_keys(part, {"seat", "action", "choice"})
    return Step(tuple(_choice(part) for part in item["actions"]), True, item["hash"])


def _check_keys(item: Any, keys: set[str]) -> None:
    if not isinstance(item, dict):
        raise ValueError("it is not an object")
    different = sorted(keys ^ item.keys())
    if different:
        raise ValueError(f"`{different[0]}` is {'missing' if different[0] in keys else 'unknown'}")


def _choice(item: dict[str, Any]) -> Choice:
    if not _is_integer(CHANCE_SEAT, 1000)(item["seat"]) or not _is_integer(0, LARGEST_SEED)(item["action"]):
        raise ValueError("its `seat` and `action` are whole numbers")
    return Choice(item["seat"], item["action"], item["choice"])
