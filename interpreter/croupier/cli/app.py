"""The table of commands, and the app that imports a command's module when it is used."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from importlib import import_module
from inspect import cleandoc
from io import StringIO
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from croupier import __version__
from croupier.cli.completion import is_asked_by_bash, joined_words, without_name
from croupier.cli.console import Held, Silence

COMMANDS: dict[str, str] = {
    "new": "Make a ruleset to begin with.",
    "list": "Show the rulesets that come with croupier.",
    "check": "Check rulesets and show what is wrong with them.",
    "run": "Play one game and show its log.",
    "play": "Play by hand against bots.",
    "replay": "Play a saved game again and verify it.",
    "serve": "Start a web server to play in the browser.",
    "tables": "List, export or remove the tables of a server.",
    "simulate": "Play many games and show who wins how often.",
    "compare": "Compare two rulesets, variants, parameters or bots.",
    "skill": "Show how much skill the game rewards.",
    "sweep": "Play with each value of a parameter and compare.",
    "ablate": "Show what options and variants are worth.",
    "collect": "Play games and write a table, a row for each.",
    "merge": "Read games that several machines collected.",
    "report": "Write one HTML page about a ruleset.",
    "test": "Run the scenarios of rulesets.",
    "coverage": "Show which rules never happen in games and scenarios.",
    "hunt": "Look for faults with players who play as nobody does.",
    "mutate": "Change one clause at a time; show what no scenario notices.",
    "diff": "Show what differs between two rulesets.",
    "rulebook": "Write a rulebook for players from a ruleset.",
    "explain": "Explain the code of a diagnostic.",
    "fmt": "Format rulesets and scenarios.",
    "explain-move": "Show why a move is not legal, or what it does.",
    "lsp": "Start the language server for an editor.",
    "dump": "Print a ruleset at a stage of the pipeline.",
    "schema": "Print the JSON Schema of what a command writes.",
    "cache": "Show or remove what croupier keeps between runs.",
}

HELP = """Check, play, test and simulate tabletop games whose rules are data.

Exit code of every command: 0 done; 1 problems found: errors, a game that did not finish, a scenario that failed, a difference; 2 refused:
wrong usage, no such ruleset or file, refused parameters, a file that cannot be written; 70 a bug in croupier; 130 interrupted;
141 broken pipe; 143 ended by SIGTERM.

\b
Examples:
  croupier list
  croupier new my_game
  croupier check my_game
  croupier run my_game --seed 1
  croupier simulate my_game --games 1000
"""  # noqa: E501 the text as it is read


OTHER_WORDS = {
    "why": "explain-move", "validate": "check", "lint": "check", "format": "fmt", "start": "run",
    "host": "serve", "init": "new",
    "show": "dump", "bench": "simulate", "tournament": "skill", "rules": "rulebook", "scenarios": "test",
    "version": "--version",
}  # fmt: skip
"""Names of commands in other programs, with the command of this one."""
HOMES = {"explain-move": "explain_move", "list": "list:list_rulesets"}
"""The modules of commands that have no module of their name; behind a colon the function, if its name
differs.
"""
_IN_OUR_WORDS = {
    "Value error, ": "",
    "Input should be a valid integer, unable to parse string as an integer": "it is not a whole number",
    "Input should be a valid number, unable to parse string as a number": "it is not a number",
    "Input should be": "it should be",
}


class Interruption(BaseException):
    """Ctrl-C or SIGTERM in a command that does not expect it: typer would make the exit code of a
    `KeyboardInterrupt`, and nobody would say it.
    """


class LazyGroup(TyperGroup):
    """A group that knows the names and summaries of its commands, and imports only the one that is used."""

    _summaries_only = False

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        names: dict[str, Any] = dict.fromkeys(COMMANDS)
        self.commands = names  # for suggestions; `get_command` has the commands

    def list_commands(self, ctx: object) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: object, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        return _summary(cmd_name) if self._summaries_only else command(cmd_name)

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> tuple[str | None, object, list[str]]:  # type: ignore[override]
        """The command of a name, or of a name that another program has for it."""
        if args and args[0] in OTHER_WORDS:
            ctx.fail(f"No such command '{args[0]}'. It is called '{OTHER_WORDS[args[0]]}'.")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> object:
        """Run the command; errors in option values get messages of this program."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            for theirs, ours in _IN_OUR_WORDS.items():
                error.message = error.message.replace(theirs, ours)
            raise
        except KeyboardInterrupt:
            raise Interruption from None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help lists every command, for which its summary is enough."""
        self._summaries_only = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self._summaries_only = False


def function_of(name: str) -> Callable[..., None]:
    """The function behind the command of a name in the table, from its module: its docstring is the help, its
    parameters are the options.
    """
    home, _, function = HOMES.get(name, name).partition(":")
    found: Callable[..., None] = getattr(
        import_module(f"croupier.cli.commands.{home}"), function or name.replace("-", "_")
    )
    return found


def command(name: str) -> object:
    """The command of a name in the table."""
    function = function_of(name)
    return _built(name, function, help=reflowed(function.__doc__ or ""))


def reflowed(text: str) -> str:
    """A help text whose paragraphs are one line each, for a terminal of any width; one that begins with `\\b`
    keeps its lines.
    """
    paragraphs = cleandoc(text).split("\n\n")
    return "\n\n".join(part if part.startswith("\b") else part.replace("\n", " ") for part in paragraphs)


def _summary(name: str) -> object:
    """A command for the list of commands, with its summary, without importing its module."""
    return _built(name, _nothing, help=COMMANDS[name])


def _built(name: str, function: Callable[..., None], **more: Any) -> object:
    app = typer.Typer(add_completion=False)
    app.command(name=name, **more)(function)
    return typer.main.get_command(app)


def _nothing() -> None:
    """The function of a command of which only the summary is shown."""


_SETTINGS = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    cls=LazyGroup,
    help=reflowed(HELP),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=_SETTINGS,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"croupier {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """The options before the command."""


def invoke(arguments: Sequence[str] | None = None) -> int:
    """Run the app with arguments (those of the process by default) and return the exit code.

    Raises what a command does not catch.

    Where errors are wanted as JSON, a mistake of the command line is noted, not written.
    """
    if not is_asked_by_bash():
        return _invoke(arguments)
    os.environ.update(joined_words(os.environ))
    answer = StringIO()
    with redirect_stdout(answer):
        code = _invoke(arguments)
    print("\n".join(without_name(answer.getvalue())))
    return code


def _invoke(arguments: Sequence[str] | None) -> int:
    from croupier.cli.failures import WrongCommandLine, note_usage

    given = None if arguments is None else list(arguments)
    try:
        code = typer.main.get_command(app).main(
            args=given, prog_name="croupier", standalone_mode=not Held.is_wanted
        )
    except SystemExit as finished:
        if isinstance(finished.__context__, BrokenPipeError):
            raise finished.__context__ from None
        match finished.code:
            case None:
                return 0
            case int(code):
                return code
            case _:
                return 1
    except Interruption:
        raise KeyboardInterrupt from None
    except Exception as error:
        if not Held.is_wanted or not isinstance(error, WrongCommandLine):
            raise
        return note_usage(error)
    finally:
        Silence.is_wanted = False
    return code if isinstance(code, int) else 0
