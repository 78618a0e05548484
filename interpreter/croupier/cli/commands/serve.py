"""`croupier serve`: games in the browser."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.console import answer, finish, say, usage
from croupier.cli.guard import REFUSED
from croupier.cli.options import TableBots, bot_names, ruleset_argument

NEEDED = ("starlette", "uvicorn")
LOOPBACK = ("127.0.0.1", "localhost", "::1")

Name = Annotated[
    str | None,
    ruleset_argument(
        "The ruleset: a shipped one, or the path of one; without a name, visitors choose from all shipped "
        "rulesets."
    ),
]
Host = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Listen on this address.")]
Called = Annotated[
    list[str] | None,
    typer.Option(
        "--called",
        metavar="NAME",
        help="Let browsers reach the server under this host name; repeat the option for several.",
        show_default=False,
    ),
]
Store = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="Keep the tables in this file, an SQLite database.",
        show_default="in memory only",
    ),
]

Proxy = Annotated[
    list[str] | None,
    typer.Option(
        "--proxy",
        metavar="ADDRESS",
        help="Believe X-Forwarded-For and X-Forwarded-Proto of the proxy at this address, or of those in a "
        "network such as 10.0.0.0/8; repeat the option for several.",
        show_default="nobody's",
    ),
]
KeepFinished = Annotated[
    float,
    typer.Option(
        "--keep-finished",
        metavar="DAYS",
        min=0,
        help="Remove a table whose game is over when nobody has used it for so many days; 0 keeps it for "
        "ever.",
    ),
]
KeepUnfinished = Annotated[
    float,
    typer.Option(
        "--keep-unfinished",
        metavar="DAYS",
        min=0,
        help="Remove a table whose game is not over when nobody has used it for so many days; 0 keeps it for "
        "ever.",
    ),
]


def serve(
    name: Name = None,
    host: Host = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="Listen on this port.")
    ] = 8765,
    called: Called = None,
    store: Store = None,
    processes: Annotated[
        int,
        typer.Option(
            "--processes",
            metavar="N",
            min=1,
            max=64,
            help="Run N processes that share the tables, on N ports in a row.",
        ),
    ] = 1,
    bots: TableBots = None,
    no_undo: Annotated[
        bool, typer.Option("--no-undo", help="Let nobody take a decision back.", show_default=False)
    ] = False,
    proxy: Proxy = None,
    keep_finished: KeepFinished = 30,
    keep_unfinished: KeepUnfinished = 90,
) -> None:
    """Start a web server to play in the browser: make a table, share a link for each seat, and let bots play
    the other seats.

    Only this machine can reach the server, unless --host names another address. Then anybody who finds the
    address can make tables and see the pages, but needs a seat's link to play that seat. The server does not
    encrypt: put a server that speaks HTTPS in front, and name its address with --proxy.

    A new table has the rules as their files are when it is made. Tables that were made before go on with
    theirs, also after a restart with the same --store. While a file is wrong, the errors are shown here, and
    new tables have the last rules without errors.

    Whoever makes a table chooses its bots: with --bots from these, and the policies of the ruleset;
    the first one plays unless they do.

    A player can try a choice, look whether the game waits for somebody, and take the choice back. With
    --no-undo no choice is taken back.

    Nobody can fill the server for ever: requests have deadlines, an address has a bounded share of all there
    is, and unused tables are removed after --keep-finished and --keep-unfinished days, or by `croupier
    tables`.

    Exit code: 0 stopped by Ctrl-C, 2 refused, or a package that it needs is missing.

    \b
    Examples:
      croupier serve
      croupier serve my_game --port 8000 --store tables.db
      croupier serve --host 0.0.0.0 --called games.example.org
      croupier serve --store tables.db --processes 2
      croupier serve my_game --bots ismcts:200,random
      croupier serve --called games.example.org --proxy 127.0.0.1
    """
    missing = [package for package in NEEDED if find_spec(package) is None]
    if missing:
        say(
            f"croupier: games in the browser need {' and '.join(f'`{m}`' for m in missing)}; install with "
            f"`pip install 'croupier[serve]'`"
        )
        finish(REFUSED)
    import sqlite3
    import tempfile

    import croupier
    from croupier.play.agents import UnknownAgent, new_agent
    from croupier.resources import shipped
    from croupier.server.addresses import network
    from croupier.server.app import ServerProcess
    from croupier.server.rules import load_checked
    from croupier.server.store import TableStore as Kept
    from croupier.server.tables import BOTS
    from croupier.server.uses import Keeping

    offered_bots = BOTS if bots is None else bot_names(bots)
    try:
        for bot in offered_bots:
            new_agent(bot)
    except UnknownAgent as error:
        usage(str(error), "--bots")

    for address in proxy or ():
        try:
            network(address)
        except ValueError:
            usage(f"`{address}` is neither an address nor a network such as 10.0.0.0/8", "--proxy")
    # people play here, against each other: what gives their secrets away is looked for, too
    load = croupier.load if name is None else load_checked
    offered = [name] if name is not None else [game for game in shipped() if "/" not in game]
    with tempfile.TemporaryDirectory() as folder:
        if store is not None:
            file = str(store)
        else:
            file = ":memory:" if processes == 1 else f"{folder}/tables.db"
        process = ServerProcess(
            file,
            tuple(offered),
            load,
            host,
            port,
            tuple(called or ()),
            tuple(proxy or ()),
            Keeping(keep_finished, keep_unfinished),
            processes,
            may_undo=not no_undo,
            bots=offered_bots,
        )
        try:
            kept = Kept(file, is_shared=processes > 1)
            kept.drop_unused_rules(offered)
        except sqlite3.Error as error:
            usage(f"{store}: {error}", "--store")
        tables = process.tables(kept, _say_lines)
        if name is not None:
            tables.ruleset(name)  # what is wrong with it is told now, not to the first visitor
        if host not in LOOPBACK:
            say(
                f"other machines can reach this at {host}: whoever can, can make tables; a seat needs its "
                f"link; nothing is encrypted"
            )
        if called and not proxy:
            say("if a web server stands in front, name it with --proxy: else all its visitors count as one")
        answer(f"open http://{'localhost' if host in LOOPBACK else host}:{port}/ · Ctrl-C stops")
        try:
            process.start_others()
            process.listen(tables)
        except OSError as error:
            usage(f"{host}:{port}: {error.strerror}", "--port")
        finally:
            kept.close()
    finish(0)


def _say_lines(text: str) -> None:
    for line in text.split("\n"):
        say(line)
