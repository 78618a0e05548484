"""`croupier new`: a ruleset to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.console import data, say, usage
from croupier.cli.options import complete_names

app = typer.Typer(add_completion=False)

NewName = Annotated[str, typer.Argument(metavar="NAME", help="The name of the new ruleset and of its folder.", show_default=False)]
Counts = Annotated[str | None, typer.Option("--players", "-p", metavar="N-M", help="The numbers of players.", show_default="2-4")]
Like = Annotated[
    str | None, typer.Option("--like", metavar="GAME", help="Copy a ruleset with its tables, variants and scenarios.", autocompletion=complete_names)
]
Folder = Annotated[Path, typer.Option("--in", metavar="FOLDER", help="Where the new folder is made.")]


@app.command()
def new(name: NewName, players: Counts = None, like: Like = None, folder: Folder = Path(".")) -> None:
    """Make a folder with a ruleset that checks, runs and has a scenario.

    Nothing is overwritten.  With --like the new ruleset is a copy of another, with the same numbers of players.

    Exit code: 0 made, 2 refused.

    \b
    Examples:
      croupier new my_new_game
      croupier new another_game --players 3-5
      croupier new house_rules --like my_game
    """
    import croupier
    from croupier.authoring.new import Unfit, copied, player_counts, started, write_folder
    from croupier.diagnostics import RulesetError, sanitise
    from croupier.resolve.documents import display_path

    try:
        if like is not None:
            files, _ = copied(name, like)
            if players is not None:
                low, high = player_counts(players)
                counts = croupier.load(like).players
                if counts != tuple(range(low, high + 1)):
                    usage(f"`{like}` is for {', '.join(map(str, counts))} players: leave --players out, change `players:` later", "--players")
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
    say(f"next: `croupier check {path}`, `croupier test {path}`, `croupier run {path}`, `croupier play {path}`")
