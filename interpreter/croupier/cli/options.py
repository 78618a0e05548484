"""What several commands share: options, and the rules of a saved game."""

from __future__ import annotations

import os
import secrets
import shlex
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.console import Silence, usage

# ---------------------------------------------------------------- options
# The options that several commands share, and how their texts become values.
MOST_GAMES = 1_000_000_000  # that can be asked for
MISSING = ("V001", "X001")  # the codes for what a user names and is not there
_LARGEST_SEED = 2**64 - 1
_NEW_SEEDS = 2**32


def complete_names(incomplete: str) -> list[str]:
    """The shipped rulesets whose name begins like this, for shell completion."""
    from croupier.resources import shipped

    return [name for name in shipped() if name.startswith(incomplete)]


def complete_bots(incomplete: str) -> list[str]:
    """The bots whose name begins like this, for shell completion."""
    from croupier.play.agents import AGENTS

    return [name for name in AGENTS if name.startswith(incomplete)]


class Format(StrEnum):
    """For people or for programs."""

    HUMAN = "human"
    JSON = "json"


class LogDetail(StrEnum):
    """What a log tells beside what happened."""

    FULL = "full"
    CITED = "cited"
    BRIEF = "brief"
    RULES = "rules"


class Backends(StrEnum):
    """What plays the games."""

    AUTO = "auto"
    REFERENCE = "reference"
    PYTHON = "python"
    NATIVE = "native"


def not_here(names: Any) -> object:
    """Say so where a name, or one of several, means a shipped ruleset although one of that name lies in the working folder."""
    from croupier.cli.console import say
    from croupier.resources import MAIN_FILE, shipped

    for name in [names] if isinstance(names, str) else names or ():
        base = name.partition("/")[0]
        place, here = shipped().get(base), os.path.join(base, MAIN_FILE)
        if name in shipped() and place is not None and os.path.isfile(here) and not os.path.samefile(here, place.path):
            say(f"`{name}` is the one that comes with croupier; the folder here is `./{base}`")
    return names


_NAME_HELP = "A shipped ruleset (NAME, NAME/VARIANT or NAME/ONE+OTHER, see `croupier list`), or the path of a ruleset or of its folder."

Name = Annotated[str, typer.Argument(metavar="NAME", help=_NAME_HELP, autocompletion=complete_names, show_default=False, callback=not_here)]
Names = Annotated[
    list[str] | None, typer.Argument(metavar="NAME", help=_NAME_HELP, autocompletion=complete_names, show_default=False, callback=not_here)
]
Variants = Annotated[
    list[str] | None,
    typer.Option("--variant", metavar="V", help="Use this variant of the ruleset; may be repeated to combine several.", show_default=False),
]
Players = Annotated[
    int | None, typer.Option("--players", "-p", metavar="N", min=1, help="The number of players.", show_default="the ruleset's default")
]
Seed = Annotated[int | None, typer.Option("--seed", "-s", metavar="S", help="The seed of all random numbers.", show_default="a new one")]
Settings = Annotated[list[str] | None, typer.Option("--set", metavar="K=V", help="Set a parameter; may be repeated.", show_default=False)]
Bots = Annotated[
    str,
    typer.Option(
        "--bots",
        metavar="BOT,…",
        help="The bots that decide, one for all seats or one for each: random, first, greedy, greedy:EXPRESSION, flat:N, mcts:N, ismcts:N,"
        " avoid:WORDS:BOT, policy:NAME of the ruleset, FILE.py:CLASS.",
        autocompletion=complete_bots,
    ),
]
BACKENDS = (
    "What plays: `reference` evaluates the rules and plays everything; `python` compiles them; `native` compiles them to machine code (if llvmlite is"
    " installed; X601 for what it does not compile); `auto` is `native` for many games where that is worth compiling,"
    " otherwise `python` where that compiles the ruleset, otherwise `reference`."
)
Backend = Annotated[Backends, typer.Option("--backend", help=BACKENDS)]
Invariants = Annotated[bool, typer.Option("--invariants", help="Check the ruleset's invariants after every decision and chance event.")]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that is already there.")]


def _silence(is_wanted: bool) -> bool:
    Silence.is_wanted = is_wanted
    return is_wanted


Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.", callback=_silence)]
Human = Annotated[Format, typer.Option("--format", "-f", help="For people or for programs.")]
Seat = Annotated[int | None, typer.Option("--seat", metavar="P", min=1, help="Show only what seat P, counted from 1, sees.", show_default=False)]
Log = Annotated[
    LogDetail,
    typer.Option(
        "--log",
        help="A line for each event (`full`), or equal events together: with ids of rules (`cited`), without (`brief`), with their words (`rules`).",
    ),
]
PlayerNames = Annotated[
    str | None, typer.Option("--names", metavar="NAME,…", help="What the players are called, in the order of the seats.", show_default="player 1, …")
]
SavedFile = Annotated[Path, typer.Argument(metavar="FILE", help="A game that `run --save` or `play` wrote.", show_default=False)]
Rules = Annotated[
    str | None,
    typer.Option(
        "--ruleset",
        metavar="NAME",
        help="The ruleset, if it is neither shipped nor in this folder.",
        autocompletion=complete_names,
        show_default=False,
    ),
]
Out = Annotated[Path | None, typer.Option("--out", "--output", "-o", metavar="FILE", help="Write to a file.", show_default="stdout")]
NewFile = Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Save the game, to be replayed.", show_default=False)]


def with_variants(name: str, variants: Sequence[str] | None) -> str:
    """The name of a ruleset with some variants of it: NAME/ONE+OTHER; what is a variant already is combined with them."""
    if not variants:
        return name
    from croupier.resources import MAIN_FILE, SUFFIXES, find

    place, _ = find(name)
    is_variant = place is not None and not name.endswith(SUFFIXES) and place.path.name != MAIN_FILE
    return f"{name.rstrip('/')}{'+' if is_variant else '/'}{'+'.join(variants)}"


def new_seed(seed: int | None) -> int:
    """The seed that was given, or a new one that is short enough to be typed."""
    if seed is not None and not 0 <= seed <= _LARGEST_SEED:
        usage(f"{seed} is not a whole number from 0 to 2^64 - 1", "--seed")
    return secrets.randbelow(_NEW_SEEDS) if seed is None else seed


def settings(texts: Sequence[str] | None) -> dict[str, object]:
    """The parameters of `--set k=v`, values as typed: the ruleset knows their types."""
    result: dict[str, object] = {}
    for text in texts or ():
        name, sign, value = text.partition("=")
        name = name.strip()
        if not sign or not name:
            usage(f"`{text}` is not of the form name=value", "--set")
        if not value.strip():
            usage(f"`{text}` gives no value: write name=value", "--set")
        if name in result:
            usage(f"the parameter `{name}` is set twice", "--set")
        result[name] = value.strip()
    return result


def bot_names(text: str) -> tuple[str, ...]:
    """The names in `--bots a,b`, with commas in brackets left alone; whether they exist is seen when the seats are known."""
    names, depth = [""], 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth <= 0:
            names.append("")
        else:
            names[-1] += sign
    return tuple(name.strip() for name in names)


def player_names(text: str | None, players: int) -> tuple[str, ...]:
    """The names in `--names Anna,Ben`: at most one a seat, and different ones. A name that is left out (`,Ben`) is `player 1`."""
    from croupier.diagnostics import sanitise

    names = tuple(sanitise(name.strip()) for name in text.split(",")) if text else ()
    given = [name.casefold() for name in names if name]
    if len(names) > players:
        usage(f"{len(names)} names for {players} players", "--names")
    if len(set(given)) < len(given):
        usage("two players have the same name", "--names")
    return names


def seat_from_one(seat: int | None, players: int) -> int | None:
    """A seat counted from 0, of one counted from 1."""
    if seat is not None and seat > players:
        usage(f"there is no seat {seat} in a game of {players}", "--seat")
    return None if seat is None else seat - 1


# ---------------------------------------------------------------- saved
# The rules of a saved game, and the command that goes on with it.
if TYPE_CHECKING:
    from croupier.play.saved import SavedGame
    from croupier.ruleset import Ruleset


def rules_of(saved: SavedGame, name: str | None, option: str = "--ruleset FILE") -> Ruleset:
    """The ruleset that the user names, or the one that the file names: a shipped one, or one of that name in the working folder.

    A file never names a path: its name is one word. `option` is how a user names another. Raises `RulesetError`.
    """
    import croupier
    from croupier.diagnostics import RulesetError, diagnose
    from croupier.resources import MAIN_FILE, is_shipped
    from croupier.schema.leaves import IDENTIFIER_PATTERN

    if name is not None:
        return croupier.load(name)
    recorded = saved.record.ruleset
    if not is_shipped(recorded):  # nothing else: `load` would take other texts for paths
        beside = (Path(recorded, MAIN_FILE), Path(f"{recorded}.yaml")) if IDENTIFIER_PATTERN.match(recorded) else ()
        for path in beside:
            if os.path.isfile(path) and not os.path.islink(path):
                return croupier.load(path)
        raise RulesetError([diagnose("X540", saved.places["ruleset"], name=recorded, help=f"name its folder or file: `{option}`")])
    return croupier.load(recorded)


def going_on(ruleset: Ruleset, file: Path) -> str:
    """The command that goes on with a game of a ruleset that was saved in a file, as it can be typed in any folder."""
    from croupier.resources import name_of

    words = ["croupier", "play", *([] if name_of(ruleset.path) else [str(ruleset.path.resolve())]), "--from", str(file.resolve())]
    return shlex.join(words)
