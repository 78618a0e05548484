"""A copy of a ruleset under another name: its files, tables, variants and scenarios, which then belong together and to nobody else.

A ruleset without scenarios gets one in the copy: the first steps of a game.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from croupier.authoring.new.starting import Unfit, check_name
from croupier.authoring.new.values import set_values
from croupier.diagnostics import RulesetError, Source
from croupier.load import Ruleset, load
from croupier.play.match import Match
from croupier.play.setup import Setup
from croupier.play.skeleton import skeleton
from croupier.resources import MAIN_FILE, SUFFIXES, VARIANTS, Place, find, unreadable
from croupier.source import Mapping, Scalar, read, read_file

KEPT = (*SUFFIXES, ".csv")
DEEPEST = 4
SCENARIOS = "scenarios/"
STEPS = 8  # of a game, in the scenario of a ruleset that has none


def copied(name: str, like: str) -> tuple[dict[str, str], str]:
    """The files of the copy, and the title of what it is a copy of.

    Raises `Unfit` for a name that cannot be and for a variant, `RulesetError` for what cannot be read.
    """
    check_name(name)
    place, problems = find(like)
    if place is None:
        raise RulesetError(problems)
    if place.path.name != MAIN_FILE:
        raise Unfit(f"`{like}` is not the folder of a ruleset: name the ruleset itself, its variants are copied too")
    files = {path.relative_to(place.path.parent).as_posix(): _text(path) for path in _files(place.path.parent)}
    if MAIN_FILE not in files:  # a link
        files[MAIN_FILE] = _text(place.path, place.root)
    known = _names(place, files[MAIN_FILE])
    files[MAIN_FILE] = set_values(files[MAIN_FILE], {"ruleset": name})
    own = {file: _own(file, text, known) if file != MAIN_FILE else text for file, text in files.items()}
    if not any(file.startswith(SCENARIOS) for file in own):
        own[f"{SCENARIOS}first_steps.yaml"] = _first_steps(load(place.path))
    return own, _title(files[MAIN_FILE])


def _first_steps(ruleset: Ruleset) -> str:
    """A scenario file with the beginning of a game, to go on from."""
    match = Match(ruleset, Setup(None, {}, 1, ("random",)))
    while len(match.steps) < STEPS and match.step():
        pass
    text = skeleton(match.record(), ruleset, len(match.steps))
    return "\n".join(line for line in text.splitlines() if not line.startswith("ruleset:")).replace("id: new", "id: first-steps") + "\n"


def _files(folder: Path, depth: int = 0) -> Iterator[Path]:
    """The ruleset's texts; links, and folders with rulesets of their own, are left out."""
    if not os.path.exists(folder / MAIN_FILE) and depth == 0:
        raise RulesetError(read_file(folder / MAIN_FILE)[1])
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda e: e.name)
    except OSError as error:
        raise RulesetError([unreadable(folder, error)]) from None
    for entry in entries:
        path = Path(entry.path)
        if entry.is_symlink() or entry.name.startswith("."):
            continue
        if entry.is_file() and path.suffix in KEPT:
            yield path
        elif entry.is_dir() and depth < DEEPEST and not os.path.exists(path / MAIN_FILE):
            yield from _files(path, depth + 1)


def _text(path: Path, root: Path | None = None) -> str:
    source, problems = read_file(path, root)
    if source is None:
        raise RulesetError(problems)
    return source.text


def _names(place: Place, main: str) -> set[str]:
    """What the ruleset is called: the name of its folder and its own."""
    return {place.path.parent.name, _value(main, "ruleset") or place.path.parent.name}


def _title(main: str) -> str:
    return _value(main, "title") or ""


def _value(text: str, key: str) -> str | None:
    root, _ = read(Source("text", text))
    node = root.get(key) if isinstance(root, Mapping) else None
    return node.text if isinstance(node, Scalar) else None


def _own(file: str, text: str, known: set[str]) -> str:
    """A file in which the ruleset's name stands for its files: by their paths from now on."""
    if not file.endswith(SUFFIXES):
        return text
    up = "../" * file.count("/")
    for key in ("extends", "ruleset"):
        value = _value(text, key)
        base, _, variant = (value or "").partition("/")
        if value is not None and base in known and (key == "extends" or "scenarios" in file):
            text = set_values(text, {key: f"{up}{VARIANTS}/{variant}.yaml" if variant else f"{up}{MAIN_FILE}"})
    return text
