"""The files of a ruleset to begin with, from the template in `grammar/new_ruleset`."""

from __future__ import annotations

import re

from croupier.authoring.new.values import set_values
from croupier.limits import MAX_NAME, MAX_PLAYERS
from croupier.resolve.paths import DEVICE
from croupier.resources import grammar_file, shipped
from croupier.schema.leaves import IDENTIFIER_PATTERN

TEMPLATE = "new_ruleset"
FILES = ("ruleset.yaml", "rules.csv", "scenarios/rounds.yaml")
PREFIX = "XX"
_COUNTS = re.compile(r"\s*([0-9]{1,4})\s*(?:(?:-|–|\.\.)\s*([0-9]{1,4})\s*)?\Z", re.ASCII)


class Unfit(ValueError):
    """A name or a number of players that cannot be, with the reason in words."""


def check_name(name: str) -> None:
    """Raises `Unfit` for what cannot be the name of a new ruleset and of its folder."""
    if not IDENTIFIER_PATTERN.match(name) or not name.isascii():
        raise Unfit(f"`{name}` is not a name: letters, digits and `_`, beginning with a letter")
    if len(name) > MAX_NAME:
        raise Unfit(f"the name is longer than {MAX_NAME} letters")
    if DEVICE.match(name):
        raise Unfit(f"`{name}` is a device on some systems")
    if name in shipped():
        raise Unfit(f"`{name}` is the name of a ruleset that comes with croupier: choose another")


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
