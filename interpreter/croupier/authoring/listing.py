"""The facts of a shipped ruleset that nobody plays yet: title, numbers of players, parameters.

In comes the name of a shipped ruleset, out come its `Facts`. They stand in `rulesets/index.json`, which
`tools/index` writes with the whole pipeline, for all rulesets; a list of them costs the reading of that file.
The index also holds what each entry was read from: the folders, each with a hash of the files in it. Where a
folder holds something else today, its rulesets are loaded instead, so what is shown is always what `load`
would say.

This module loads nothing of the pipeline unless a ruleset has to be loaded.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.diagnostics import JsonObject
from croupier.resources import SUFFIXES, RulesetPlace, rulesets_folder

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset

INDEX_FILE = "index.json"
_READ = (*SUFFIXES, ".csv")  # of the files that a ruleset may name
_SCENARIOS = "scenarios"  # no ruleset reads what is in it


@dataclass(frozen=True)
class Facts:
    """The title of a ruleset and what a game of it is set up with.

    `players` are the numbers of players that the defaults admit, rising; `parameters` are JSON as
    `croupier list` prints it, in order of declaration; `choices` are the values of each of them, if they are
    few; `policies` are the names of the bots that the ruleset describes.
    """

    title: str
    players: tuple[int, ...]
    default_players: int
    parameters: tuple[JsonObject, ...]
    choices: tuple[tuple[str, ...], ...]
    policies: tuple[str, ...]


def facts_of(ruleset: Ruleset) -> Facts:
    """The facts of a ruleset that is loaded."""
    from croupier.play.plain import plain

    parameters = []
    for parameter in ruleset.parameters:
        about = {
            "name": parameter.name,
            "type": parameter.type_text,
            "default": plain(parameter.default),
            "doc": parameter.doc,
        }
        if parameter.variants:
            about["variants"] = {value: list(names) for value, names in parameter.variants.items()}
        parameters.append(about)
    choices = tuple(tuple(parameter.values or ()) for parameter in ruleset.parameters)
    policies = tuple(ruleset.program.policies)
    return Facts(
        ruleset.title, tuple(ruleset.players), ruleset.default_players, tuple(parameters), choices, policies
    )


def facts(name: str, load: Callable[[str], Ruleset]) -> Facts:
    """The facts of a ruleset: from the index if it is shipped and as it was, otherwise as `load` reads it,
    which may raise `RulesetError`.
    """
    return _indexed().get(name) or facts_of(load(name))


# ---------------------------------------------------------------- the index
@cache
def _indexed() -> Mapping[str, Facts]:
    """Return the facts in the index that still hold; no facts if there is no index, or it cannot be read."""
    folder = rulesets_folder()
    try:
        index = json.loads((folder / INDEX_FILE).read_text(encoding="utf-8"))
        changed = {path for path, was in index["folders"].items() if fingerprint(folder / path) != was}
        return {
            name: _read_entry(entry)
            for name, entry in index["rulesets"].items()
            if changed.isdisjoint(entry["folders"])
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def _read_entry(entry: JsonObject) -> Facts:
    return Facts(
        entry["title"],
        tuple(entry["players"]),
        entry["default_players"],
        tuple(entry["parameters"]),
        tuple(map(tuple, entry["choices"])),
        tuple(entry["policies"]),
    )


def fingerprint(folder: Path) -> str:
    """A hash of the names and texts in a ruleset's folder that checking it may read: YAML and CSV files, but
    for scenarios.
    """
    whole = hashlib.sha256()
    for path in _files(folder):
        text = path.read_bytes().replace(b"\r\n", b"\n")
        whole.update(
            f"{path.relative_to(folder).as_posix()}\n{len(text)}\n".encode("utf-8", "surrogateescape")
        )
        whole.update(text)
    return whole.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    """The files below a folder that count, in the same order on every system."""
    for path, inner, names in os.walk(folder):
        inner[:] = sorted(name for name in inner if name != _SCENARIOS)
        for name in sorted(names):
            if name.endswith(_READ):
                yield Path(path, name)


def write_index(places: Mapping[str, RulesetPlace], load: Callable[[str], Ruleset]) -> str:
    """The text of the index: the facts of all rulesets that load, and what they were read from."""
    from croupier.diagnostics import RulesetError
    from croupier.reads import recorded

    folder = rulesets_folder()
    entries: dict[str, JsonObject] = {}
    for name in places:
        with recorded() as reads:
            try:
                found = facts_of(load(name))
            except RulesetError:
                continue  # it is loaded again by whoever lists it
        roots = sorted({Path(path).relative_to(folder).as_posix() for path in reads.folders})
        entries[name] = {"folders": roots, **asdict(found)}
    known = sorted({path for entry in entries.values() for path in entry["folders"]})
    folders = {path: fingerprint(folder / path) for path in known}
    return f'{{"folders": {_lines(folders)},\n"rulesets": {_lines(entries)}}}\n'


def _lines(values: Mapping[str, object]) -> str:
    """An object of JSON with a line for each name."""
    rows = (f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items())
    return "{\n" + ",\n".join(rows) + "\n}"
