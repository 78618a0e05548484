"""New rulesets: a small game to begin with, or a copy of a ruleset under another name.

What comes in is a name; what goes out are files, path by text, that check, run and have a scenario. All files
are written, or none.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from croupier.diagnostics import RulesetError, Source, diagnose
from croupier.limits import MAX_NAME, MAX_PLAYERS
from croupier.pipeline import load
from croupier.play.atomic_write import cannot_write
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.scenario_template import scenario_template
from croupier.resolve.documents import DEVICE_NAME
from croupier.resources import (
    MAIN_FILE,
    SUFFIXES,
    VARIANTS,
    RulesetPlace,
    find,
    grammar_file,
    shipped,
    unreadable,
)
from croupier.ruleset import Ruleset
from croupier.schema.leaves import IDENTIFIER_PATTERN
from croupier.source import YamlMapping, YamlScalar, read, read_file

TEMPLATE = "new_ruleset"
FILES = (
    "ruleset.yaml",
    "rules.csv",
    "scenarios/rounds.yaml",
    "variants/open_hands.yaml",
    "variants/short_game.yaml",
)
PREFIX = "XX"
_COUNTS = re.compile(r"\s*([0-9]{1,4})\s*(?:(?:-|–|\.\.)\s*([0-9]{1,4})\s*)?\Z", re.ASCII)


class Unfit(ValueError):
    """A name or a number of players that cannot be, with the reason in words."""


def check_name(name: str) -> None:
    """Raises `Unfit` for what cannot be the name of a new ruleset and of its folder."""
    check_word(name)
    if name in shipped():
        raise Unfit(f"`{name}` is the name of a ruleset that comes with croupier: choose another")


def check_word(name: str) -> None:
    """Raises `Unfit` for what cannot be the name of any file of rules."""
    if not IDENTIFIER_PATTERN.match(name) or not name.isascii():
        raise Unfit(f"`{name}` is not a name: letters, digits and `_`, beginning with a letter")
    if len(name) > MAX_NAME:
        raise Unfit(f"the name is longer than {MAX_NAME} letters")
    if DEVICE_NAME.match(name):
        raise Unfit(f"`{name}` is a device on some systems")


def player_counts(text: str) -> tuple[int, int]:
    """The numbers in `2-4`, `2..4` or `3`.  Raises `Unfit`."""
    found = _COUNTS.match(text)
    if found is None:
        raise Unfit(f"`{text}` is not a number of players: write `3`, or `2-4`")
    low, high = int(found.group(1)), int(found.group(2) or found.group(1))
    if not 1 <= low <= high <= MAX_PLAYERS:
        raise Unfit(f"a game is for 1 to {MAX_PLAYERS} players, the smaller number first, not for `{text}`")
    return low, high


def started(name: str, low: int, high: int) -> dict[str, str]:
    """The files of a new ruleset for `low` to `high` players."""
    check_name(name)
    files = {file: grammar_file(f"{TEMPLATE}/{file}").read_text(encoding="utf-8") for file in FILES}
    files = {file: text.replace(f"{PREFIX}-", f"{prefix(name)}-") for file, text in files.items()}
    players = str(low) if low == high else f"{low}..{high}"
    main = FILES[0]
    files[main] = set_values(files[main], {"ruleset": name, "title": title(name), "players": players})
    return files


def prefix(name: str) -> str:
    """The letters before the numbers of rules: the first ones of the words of a name."""
    letters = "".join(word[0] for word in name.split("_") if word[:1].isalpha()).upper()
    return letters[:8] if len(letters) > 1 else (re.sub("[^A-Z]", "", name.upper())[:2] or "R")


def title(name: str) -> str:
    """A name as a title: `my_game` is My Game."""
    return " ".join(word[:1].upper() + word[1:] for word in name.split("_") if word) or name


# ---------------------------------------------------------------- values
_PLAIN = re.compile(r"[A-Za-z0-9_./][\w ./-]*\Z", re.ASCII)
_WORDS = {"true", "false", "null"}


def set_values(text: str, values: Mapping[str, str]) -> str:
    """The text with other values for some keys of the document; keys that it does not have are left out."""
    root, _ = read(Source("text", text))
    if not isinstance(root, YamlMapping):
        return text
    found = sorted(
        ((root.get(key), value) for key, value in values.items()),
        key=lambda pair: -pair[0].span.start if pair[0] is not None else 0,
    )
    for node, value in found:
        if node is not None:
            plain = _PLAIN.match(value) and value.lower() not in _WORDS and value == value.strip()
            text = (
                text[: node.span.start]
                + (value if plain else json.dumps(value, ensure_ascii=False))
                + text[node.span.end :]
            )
    return text


# ---------------------------------------------------------------- copying
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
        raise Unfit(
            f"`{like}` is not the folder of a ruleset: name the ruleset itself, its variants are copied too"
        )
    files = {
        path.relative_to(place.path.parent).as_posix(): _text(path) for path in _files(place.path.parent)
    }
    if MAIN_FILE not in files:  # a link
        files[MAIN_FILE] = _text(place.path, place.root)
    known = _names(place, files[MAIN_FILE])
    files[MAIN_FILE] = set_values(files[MAIN_FILE], {"ruleset": name})
    own = {file: _own(file, text, known) if file != MAIN_FILE else text for file, text in files.items()}
    if not any(file.startswith(SCENARIOS) for file in own):
        own[f"{SCENARIOS}first_steps.yaml"] = first_steps(load(place.path))
    return own, _title(files[MAIN_FILE])


def first_steps(ruleset: Ruleset) -> str:
    """A scenario file with the beginning of a game, to go on from."""
    match = GameMatch(ruleset, MatchConfig(None, {}, 1, ("random",)))
    while len(match.steps) < STEPS and match.step():
        pass
    text = scenario_template(match.record(), ruleset, len(match.steps))
    return (
        "\n".join(line for line in text.splitlines() if not line.startswith("ruleset:")).replace(
            "id: new", "id: first-steps"
        )
        + "\n"
    )


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


def _names(place: RulesetPlace, main: str) -> set[str]:
    """Return the names of the ruleset: that of its folder and its own."""
    return {place.path.parent.name, _value(main, "ruleset") or place.path.parent.name}


def _title(main: str) -> str:
    return _value(main, "title") or ""


def _value(text: str, key: str) -> str | None:
    root, _ = read(Source("text", text))
    node = root.get(key) if isinstance(root, YamlMapping) else None
    return node.text if isinstance(node, YamlScalar) else None


def _own(file: str, text: str, known: set[str]) -> str:
    """A file in which the ruleset's name stands for its files: by their paths from now on."""
    if not file.endswith(SUFFIXES):
        return text
    up = "../" * file.count("/")
    for key in ("extends", "ruleset"):
        value = _value(text, key)
        base, _, variant = (value or "").partition("/")
        if value is not None and base in known and (key == "extends" or "scenarios" in file):
            text = set_values(
                text, {key: f"{up}{VARIANTS}/{variant}.yaml" if variant else f"{up}{MAIN_FILE}"}
            )
    return text


# ---------------------------------------------------------------- folders
def write_folder(folder: Path, files: dict[str, str], approve: Callable[[Path], None]) -> list[Path]:
    """Write files, path by text, into a new folder, and give their paths.

    `approve` looks at the draft before it takes its place and raises what it does not like.  Raises
    `RulesetError` if the name is taken or nothing can be written there.
    """
    taken = diagnose("X530", None, name=folder, help="choose another name, or another folder with `--in`")
    if os.path.lexists(folder):
        raise RulesetError([taken])
    try:
        draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".croupier-", suffix=".tmp"))
    except (OSError, ValueError) as error:
        raise cannot_write(folder, error) from None
    try:
        inner = draft / folder.name
        for name, text in files.items():
            path = inner / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        approve(inner)
        os.rename(inner, folder)
    except FileExistsError:
        raise RulesetError([taken]) from None
    except OSError as error:
        raise cannot_write(folder, error) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return [folder / name for name in files]
