"""The common parts of several commands: options, and the rules of a saved game."""

from __future__ import annotations

import os
import secrets
import shlex
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.completion import complete_bots, complete_names, complete_settings, complete_variants
from croupier.cli.console import Silence, data, say, usage

if TYPE_CHECKING:
    from typer.models import ArgumentInfo, OptionInfo

    from croupier.diagnostics import Source
    from croupier.play.saved import SavedGame
    from croupier.ruleset import Ruleset

# ---------------------------------------------------------------- options
# The options that several commands share, and the parsers of their values.
MAX_GAMES = 1_000_000_000  # that a command can play
MISSING = ("V001", "X001")  # the codes for what a user names and is not there
_LARGEST_SEED = 2**64 - 1
_NEW_SEEDS = 2**32


class Format(StrEnum):
    """The format of what a command prints: text for people, or JSON for programs."""

    HUMAN = "human"
    JSON = "json"


class LogDetail(StrEnum):
    """The detail of a log: every event, or joined events with or without the rules that they follow from."""

    FULL = "full"
    CITED = "cited"
    BRIEF = "brief"
    RULES = "rules"


class Backends(StrEnum):
    """The back end that plays the games."""

    AUTO = "auto"
    REFERENCE = "reference"
    PYTHON = "python"
    NATIVE = "native"


def warn_shadowed(names: str | list[str] | None) -> object:
    """Warn if a name means a shipped ruleset and hides one of that name in the working folder; return the
    names.
    """
    from croupier.resources import MAIN_FILE, shipped

    for name in [names] if isinstance(names, str) else names or ():
        base = name.partition("/")[0]
        place, here = shipped().get(base), os.path.join(base, MAIN_FILE)
        if (
            name in shipped()
            and place is not None
            and os.path.isfile(here)
            and not os.path.samefile(here, place.path)
        ):
            say(f"`{name}` is the one that comes with croupier; the folder here is `./{base}`")
    return names


_NAME_HELP = (
    "The ruleset: the name of a shipped one (NAME, NAME/VARIANT or NAME/ONE+OTHER; see `croupier "
    "list`), or the path of its file or folder."
)


def ruleset_argument(help: str = _NAME_HELP) -> ArgumentInfo:
    """The argument that names a ruleset."""
    argument: ArgumentInfo = typer.Argument(
        metavar="NAME",
        help=help,
        autocompletion=complete_names,
        show_default=False,
        callback=warn_shadowed,
    )
    return argument


Name = Annotated[str, ruleset_argument()]
Names = Annotated[list[str] | None, ruleset_argument()]
Variants = Annotated[
    list[str] | None,
    typer.Option(
        "--variant",
        metavar="V",
        help="Use this variant of the ruleset, by its name or the path of its file; repeat the option to "
        "combine several.",
        autocompletion=complete_variants,
        show_default=False,
    ),
]


def _players(default: str) -> OptionInfo:
    """The option of a number of players; `default` says in words how many play without it."""
    option: OptionInfo = typer.Option(
        "--players", "-p", metavar="N", min=1, help="Play with N players.", show_default=default
    )
    return option


Players = Annotated[int | None, _players("the ruleset's default")]
SomePlayers = Annotated[int | None, _players("each possible number in turn")]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        "-s",
        metavar="S",
        help="Draw all random numbers from seed S: the same seed gives the same games.",
        show_default="a new one",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="K=V",
        help="Set parameter K of the ruleset to V; repeat the option to set several.",
        autocompletion=complete_settings,
        show_default=False,
    ),
]
Bots = Annotated[
    str,
    typer.Option(
        "--bots",
        metavar="BOT,…",
        help="Let these bots decide, one for all seats or one for each. Without thinking: random, first, "
        "policy:NAME of the ruleset. By one step ahead: greedy:EXPRESSION, greedy. By games played out: "
        "flat:N (N for each option), mcts:N (N in all, where nothing is hidden), ismcts:N (N in all, each "
        "from a position that its seat cannot tell from the true one). All of these know what their seat "
        "knows; mcts!:N looks at what is hidden. N is a number of games for each decision, or a time, as in "
        "mcts:200ms. Also: avoid:WORDS:BOT, FILE.py:CLASS.",
        autocompletion=complete_bots,
    ),
]
TableBots = Annotated[
    str | None,
    typer.Option(
        "--bots",
        metavar="BOT,…",
        help="Let these bots play the seats that nobody takes: `random`, `ismcts:200` and the others that "
        "`croupier run --help` describes.",
        autocompletion=complete_bots,
        show_default="one that searches for a moment, and knows what its seat knows",
    ),
]
BACKENDS = (
    "Choose what plays the games: `reference` evaluates the rules and plays every ruleset; `python` "
    "compiles the rules to Python; `native` compiles"
    " them to machine code (it needs llvmlite; error X601 names a rule that it cannot compile); `auto` "
    "takes `native` for many games where compiling"
    " pays off, otherwise `python`, otherwise `reference`."
)
Backend = Annotated[Backends, typer.Option("--backend", help=BACKENDS)]
Invariants = Annotated[
    bool,
    typer.Option(
        "--invariants", help="Check the ruleset's invariants after every decision and chance event."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that is already there.")]


def _silence(is_wanted: bool) -> bool:
    Silence.is_wanted = is_wanted
    return is_wanted


Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.", callback=_silence)]
Human = Annotated[Format, typer.Option("--format", "-f", help="Print for people, or JSON for programs.")]
Seat = Annotated[
    int | None,
    typer.Option(
        "--seat",
        metavar="P",
        min=1,
        help="Show only what the player in seat P sees; seats count from 1.",
        show_default=False,
    ),
]
Log = Annotated[
    LogDetail,
    typer.Option(
        "--log",
        help="Choose how the log reads: `full` gives each event a line; the others join equal events, with "
        "the ids of the rules that they follow from (`cited`) or with the text of those rules (`rules`). "
        "`brief` tells decisions and what the ruleset has words for, without rules.",
    ),
]
PlayerNames = Annotated[
    str | None,
    typer.Option(
        "--names",
        metavar="NAME,…",
        help="Call the players by these names, in the order of the seats.",
        show_default="player 1, …",
    ),
]
SavedFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A saved game: `croupier run --save` and `croupier play` write one.",
        show_default=False,
    ),
]
Rules = Annotated[
    str | None,
    typer.Option(
        "--ruleset",
        metavar="NAME",
        help="Take the rules from this ruleset, if that of the saved game is neither shipped nor in this "
        "folder.",
        autocompletion=complete_names,
        show_default=False,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", "--output", "-o", metavar="FILE", help="Write to this file.", show_default="stdout"
    ),
]
NewFile = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="FILE",
        help="Save the game in this file, for `croupier replay`.",
        show_default=False,
    ),
]


def check_output(path: Path, *inputs: str | Path | None, force: bool) -> None:
    """Refuse an output file that cannot be written, exists (without `force`), or is an input: one of `inputs`
    or a file of a ruleset among them.
    """
    from croupier.diagnostics import RulesetError, diagnose
    from croupier.play.atomic_write import check_free

    check_free(path, force=force)
    if os.path.isfile(path) and any(
        os.path.isfile(file) and os.path.samefile(file, path)
        for given in inputs
        if given
        for file in _files_of(given)
    ):
        raise RulesetError([diagnose("X533", None, name=path)])


def write_out(text: str, out: Path | None, *, force: bool) -> None:
    """Write a text to a file, or to stdout without one."""
    from croupier.play.atomic_write import write_whole

    if out is None:
        data(text)
    else:
        write_whole(out, text, force=force)
        say(f"written to {out}")


def change_file(path: Path, before: Source, after: str, *, shows: bool, writes: bool, mark: str = "") -> None:
    """Show what changes in a file, and write it, each if that is wanted; `mark` stands before its text."""
    from croupier.cli.views.game import difference
    from croupier.play.atomic_write import write_whole

    if shows:
        data(difference(before.name, before.text, after))
    if writes:
        write_whole(path, mark + after, force=True)


def _files_of(given: str | Path) -> list[str | Path]:
    """The files that are read for one input: itself; of a ruleset all its files and its scenarios."""
    from croupier.resolve.loader import open_ruleset
    from croupier.resources import SUFFIXES, find
    from croupier.scenarios.files import files_in

    if isinstance(given, Path) and given.suffix not in SUFFIXES:
        return [given]
    place, _ = find(given)
    opened, _ = open_ruleset(given)
    beside = (
        [] if place is None else [place.path, *(part.path for part in place.parts), *files_in(place.root)[0]]
    )
    return [given, *beside, *([] if opened is None else (source.name for source in opened.sources))]


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
        if name == "players":
            usage("how many play is no parameter: write --players", "--set")
        if name in result:
            usage(f"the parameter `{name}` is set twice", "--set")
        result[name] = value.strip()
    return result


def bot_names(text: str) -> tuple[str, ...]:
    """The names in `--bots a,b`, not split at commas in brackets; whether they exist is checked when the
    seats are known.
    """
    names, depth = [""], 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth <= 0:
            names.append("")
        else:
            names[-1] += sign
    return tuple(name.strip() for name in names)


def player_names(text: str | None, players: int) -> tuple[str, ...]:
    """The names in `--names Anna,Ben`: at most one a seat, and different ones.

    A name that is left out (`,Ben`) is `player 1`.
    """
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
# The rules of a saved game, and the command that continues it.


def rules_of(saved: SavedGame, name: str | None, option: str = "--ruleset FILE") -> Ruleset:
    """The ruleset that the user names, or the one that the file names: a shipped one, or one of that name in
    the working folder.

    A file never names a path: its name is one word. `option` is how a user names another. Raises
    `RulesetError`.
    """
    import croupier
    from croupier.diagnostics import RulesetError, diagnose
    from croupier.resources import MAIN_FILE, is_shipped
    from croupier.schema.leaves import IDENTIFIER_PATTERN

    if name is not None:
        return croupier.load(name)
    recorded = saved.record.ruleset
    if not is_shipped(recorded):  # only such a name: `load` would read other texts as paths
        beside = (
            (Path(recorded, MAIN_FILE), Path(f"{recorded}.yaml"))
            if IDENTIFIER_PATTERN.match(recorded)
            else ()
        )
        for path in beside:
            if os.path.isfile(path) and not os.path.islink(path):
                return croupier.load(path)
        raise RulesetError(
            [
                diagnose(
                    "X540",
                    saved.places["ruleset"],
                    name=recorded,
                    help=f"name its folder or file: `{option}`",
                )
            ]
        )
    return croupier.load(recorded)


def resume_command(ruleset: Ruleset, file: Path) -> str:
    """The command that continues a saved game, as it can be typed in any folder."""
    from croupier.resources import name_of

    words = [
        "croupier",
        "play",
        *([] if name_of(ruleset.path) else [str(ruleset.path.resolve())]),
        "--from",
        str(file.resolve()),
    ]
    return shlex.join(words)
