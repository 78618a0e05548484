"""`croupier play`: a person at the table."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.console import finish, say, usage
from croupier.cli.guard import REFUSED
from croupier.cli.options import (
    Force,
    Log,
    LogDetail,
    PlayerNames,
    Players,
    Seed,
    Settings,
    TableBots,
    Variants,
    bot_names,
    check_output,
    new_seed,
    player_names,
    ruleset_argument,
    settings,
)
from croupier.cli.variants import with_variants

NEEDED_FOR_SCREEN = "textual"

Name = Annotated[
    str | None,
    ruleset_argument(
        "The ruleset: a shipped one, or the path of one; with --from it is needed only if that of the "
        "saved game is not shipped."
    ),
]
Seats = Annotated[
    list[str] | None,
    typer.Option(
        "--seat", metavar="P,…", help="Play these seats yourself; seats count from 1.", show_default="1"
    ),
]
From = Annotated[
    Path | None, typer.Option("--from", metavar="FILE", help="Go on with a saved game.", show_default=False)
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="FILE",
        help="Save the game in this file at its end, or when you leave.",
        show_default="a free name",
    ),
]


def play(
    name: Name = None,
    variant: Variants = None,
    players: Players = None,
    seat: Seats = None,
    seed: Seed = None,
    set: Settings = None,
    bots: TableBots = None,
    from_file: From = None,
    save: Save = None,
    log: Log = LogDetail.CITED,
    names: PlayerNames = None,
    plain: Annotated[bool, typer.Option("--plain", help="Play line by line, even at a terminal.")] = False,
    screen: Annotated[bool, typer.Option("--screen", help="Play in a full screen, or refuse.")] = False,
    spoken: Annotated[
        bool,
        typer.Option("--spoken", help="Print for a screen reader: one thing a line, boards cell by cell."),
    ] = False,
    pace: Annotated[
        float,
        typer.Option(
            "--pace",
            metavar="S",
            min=0,
            max=10,
            help="Wait S seconds between the actions of others, in a full screen.",
        ),
    ] = 0.7,
    every: Annotated[
        bool, typer.Option("--every-decision", help="Ask even where there is only one option.")
    ] = False,
    force: Force = False,
) -> None:
    """Play by hand: you decide for your seats, and bots for the others.

    You see what your seats see, and nothing else.

    At a terminal the game fills the screen; use the keyboard and the mouse. With --plain, with --spoken and
    without a terminal you play line by line: type the number of an option, its words, or the beginnings of
    some of them. `why WORDS` says why an option is not offered. `bot` shows what a bot would do that knows
    what you know. `undo` takes back your last decision and what the bots did since, unless one of your seats
    may have learnt something hidden from it. `help` lists all commands.

    The end of the input and Ctrl-C save the game; --from goes on with it. There is no --backend: `why` and
    `undo` need the reference evaluator. `croupier replay --backend` plays the saved game again on another
    back end.

    Exit code: 0 finished or left, 1 stuck, unfinished or faulted, 2 refused, 130 interrupted.

    \b
    Examples:
      croupier play my_game
      croupier play my_game --players 3 --seat 1,2 --seed 7
      croupier play my_game --plain --seed 7
      croupier play my_game --from my_game-1.json
    """
    if screen and (plain or spoken):
        usage("does not go with --plain or --spoken", "--screen")
    if screen and not _at_a_terminal():
        say("croupier: `--screen` needs a terminal; without it the game is played line by line")
        finish(REFUSED)
    if screen and find_spec(NEEDED_FOR_SCREEN) is None:
        say(
            f"croupier: a full screen needs the package `{NEEDED_FOR_SCREEN}`; install it with `pip install "
            f"'croupier[table]'`"
        )
        finish(REFUSED)
    has_screen = not plain and not spoken and _at_a_terminal() and find_spec(NEEDED_FOR_SCREEN) is not None
    import croupier
    from croupier.cli.interactive import InteractiveSession
    from croupier.cli.options import rules_of
    from croupier.play.agents import UnknownAgent, is_file, renamed_bots
    from croupier.play.match import MatchConfig
    from croupier.play.replay import replay
    from croupier.play.saved import read_saved
    from croupier.play.session import PERSON, Session
    from croupier.play.table_bots import table_bot
    from croupier.runtime.parameters import as_recorded

    saved = read_saved(from_file) if from_file is not None else None
    if saved is None and name is None:
        usage("name a ruleset, or go on with a saved game: --from FILE", "NAME")
    given = {"--players": players is not None, "--seed": seed is not None, "--set": bool(set)}
    if saved is not None and any(given.values()):
        usage(
            "does not go with --from: the saved game says it",
            next(option for option, is_given in given.items() if is_given),
        )
    name = None if name is None else with_variants(name, variant)
    ruleset = (
        rules_of(saved, name, f"croupier play FILE --from {from_file}")
        if saved is not None
        else croupier.load(name or "")
    )
    kept = (ruleset.path, from_file)
    if save is not None:
        check_output(save, *kept, force=force)
    if saved is None:
        wanted = settings(set)
        persons = _seats(seat)
        game = ruleset.game(players, wanted)
        count = game.players
        setup = MatchConfig(players, wanted, new_seed(seed), bot_names(bots or table_bot(game)))
    else:
        replay(saved, ruleset, len(saved.record.steps))
        record = saved.record
        count = record.players
        persons = (
            _seats(seat)
            if seat
            else frozenset(i for i, bot in enumerate(record.bots) if bot == PERSON) or frozenset([0])
        )
        parameters = as_recorded(ruleset.program, record.parameters)
        usual = table_bot(ruleset.game(count, parameters))
        others = tuple(usual if bot == PERSON else bot for bot in record.bots)
        if bots is None and any(is_file(bot) for bot in others):
            usage(
                "the saved game was played by bots of a file, which croupier does not run unasked: name "
                "them, or other bots",
                "--bots",
            )
        others = renamed_bots(others, ruleset.game(count, parameters))
        setup = MatchConfig(
            record.players, parameters, record.seed, others if bots is None else bot_names(bots)
        )
    if max(persons) >= count:
        usage(f"there is no seat {max(persons) + 1} in a game of {count}", "--seat")
    try:
        session = Session(ruleset, setup, persons, saved.record.game if saved is not None else 1)
    except UnknownAgent as error:
        usage(str(error), "--bots")
    if saved is not None:
        session.catch_up(saved.record)
    table = InteractiveSession(
        session, save, force, every, player_names(names, count), log.value, spoken, kept=kept
    )
    finish(table.play_on_screen(pace) if has_screen else table.play())


def _at_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _seats(texts: list[str] | None) -> frozenset[int]:
    """The seats of `--seat 1,2`, or of `--seat 1 --seat 2`, counted from 0."""
    text = ",".join(texts or ["1"])
    parts = text.split(",")
    if not all(
        part.strip().isascii() and part.strip().isdecimal() and 0 < int(part) <= 1_000 for part in parts
    ):
        usage(f"`{text}` is not a list of seats, counted from 1: `1,2`", "--seat")
    return frozenset(int(part) - 1 for part in parts)
