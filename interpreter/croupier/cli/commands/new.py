"""`croupier new`: a ruleset or a variant to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.completion import complete_names
from croupier.cli.console import data, say, usage

_NEW_NAME = "The name of the new ruleset and of its folder; with --variant the folder of a ruleset."
NewName = Annotated[str, typer.Argument(metavar="NAME", help=_NEW_NAME, show_default=False)]
Counts = Annotated[
    str | None,
    typer.Option(
        "--players", "-p", metavar="N-M", help="Make a game for N to M players.", show_default="2-4"
    ),
]
Like = Annotated[
    str | None,
    typer.Option(
        "--like",
        metavar="GAME",
        help="Copy this ruleset with its tables, variants and scenarios.",
        autocompletion=complete_names,
    ),
]
NewVariant = Annotated[
    str | None,
    typer.Option(
        "--variant",
        metavar="V",
        help="Make a variant of this name in the folder of a ruleset.",
        show_default=False,
    ),
]
Folder = Annotated[Path, typer.Option("--in", metavar="FOLDER", help="Make the new folder in this folder.")]


def new(
    name: NewName,
    players: Counts = None,
    like: Like = None,
    variant: NewVariant = None,
    folder: Folder = Path("."),
) -> None:
    """Make a folder with a ruleset that checks, runs and has a scenario.

    It overwrites nothing. With --like the new ruleset is a copy of another, for the same numbers of players.
    With --variant the folder NAME of a ruleset gets a variant: a file with comments that say what it may
    change, and a scenario for it that passes.

    Exit code: 0 made, 2 refused.

    \b
    Examples:
      croupier new my_game
      croupier new another_game --players 3-5
      croupier new house_rules --like my_game
      croupier new my_game --variant thirteen
    """
    if variant is not None:
        _new_variant(name, variant, players, like, folder)
        return
    import croupier
    from croupier.authoring.listing import facts
    from croupier.authoring.new import Unfit, copied, player_counts, started, write_folder
    from croupier.diagnostics import RulesetError, sanitise
    from croupier.resolve.documents import display_path

    try:
        if like is not None:
            files, _ = copied(name, like)
            if players is not None:
                low, high = player_counts(players)
                counts = facts(like, lambda given: croupier.load(given)).players
                if counts != tuple(range(low, high + 1)):
                    usage(
                        f"`{like}` is for {', '.join(map(str, counts))} players: leave --players out, change "
                        f"`players:` later",
                        "--players",
                    )
        else:
            files = started(name, *player_counts("2-4" if players is None else players))
    except Unfit as reason:
        usage(str(reason))

    def approve(draft: Path) -> None:
        found = croupier.check(draft).diagnostics
        if any(d.is_error for d in found):
            raise RulesetError(found)

    made = write_folder(folder / name, files, approve)
    data("\n".join(sanitise(display_path(path.absolute()).as_posix()) for path in made))
    path = display_path((folder / name).absolute()).as_posix()
    say(
        f"next: `croupier check {path}`, `croupier test {path}`, `croupier run {path}`, `croupier play "
        f"{path}`"
    )


def _new_variant(game: str, name: str, players: str | None, like: str | None, folder: Path) -> None:
    """Make a variant of a ruleset that is there."""
    from croupier.authoring.new import Unfit
    from croupier.authoring.new_variant import write_variant
    from croupier.diagnostics import sanitise
    from croupier.resolve.documents import display_path

    for option, is_given in (
        ("--players", players is not None),
        ("--like", like is not None),
        ("--in", folder != Path(".")),
    ):
        if is_given:
            usage("does not go with --variant", option)
    try:
        made = write_variant(game, name)
    except Unfit as reason:
        usage(str(reason))
    data("\n".join(sanitise(display_path(path.absolute()).as_posix()) for path in made))
    path = game.rstrip("/")
    say(
        f"next: `croupier check {path}`, `croupier test {path}/{name}`, `croupier diff {path} "
        f"{path}/{name}`, `croupier test {path} --under {name}`"
    )
