"""Errors for programs: with `--format json` or `jsonl`, what would be words on stderr becomes one JSON object
there.

What a command says is kept until it ends. If it ends well, or printed what it found, that is written as
words. Otherwise it stands in the object, by the schema `error`: which command, the exit code, the mistake of
the command line, the diagnostics, and whatever else was said.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from croupier.cli.console import Held, say, write_error

FORMATS = ("json", "jsonl")
PROBLEMS = "problems"  # the kind of an error where something was found that is no mistake of the call
_WORDS: Mapping[str, str] = {
    "problems": "problems were found",
    "refused": "the command was refused",
    "bug": "this is a mistake of croupier itself",
    "interrupted": "interrupted",
}


@runtime_checkable
class WrongCommandLine(Protocol):
    """The error that typer raises for a wrong command line."""

    message: str
    exit_code: int

    def format_message(self) -> str: ...


def wants_json(arguments: Sequence[str]) -> bool:
    """Tell whether these arguments ask for JSON."""
    options = list(arguments[: list(arguments).index("--")] if "--" in arguments else arguments)
    values = [
        after for option, after in zip(options, options[1:], strict=False) if option in ("--format", "-f")
    ]
    values += [option.partition("=")[2] for option in options if option.startswith("--format=")]
    values += [option.removeprefix("-f") for option in options if option.startswith("-f")]
    return any(value in FORMATS for value in values)


def begin(arguments: Sequence[str] | None) -> None:
    """Keep what the command says if its arguments (those of the process by default) ask for JSON."""
    Held.begin(is_wanted=wants_json(sys.argv[1:] if arguments is None else arguments))


def note_usage(error: WrongCommandLine) -> int:
    """Note a mistake of the command line; return the exit code."""
    Held.usage = {"message": error.message or error.format_message(), "option": _option_of(error)}
    return error.exit_code


def _option_of(error: WrongCommandLine) -> str | None:
    """The option or argument that is wrong, an option by its longest name; `None` if it is none of them."""
    hint = getattr(error, "param_hint", None) or getattr(error, "option_name", None)
    parameter = getattr(error, "param", None)
    if hint is None and parameter is not None:
        options = [name for name in parameter.opts if name.startswith("-")]
        hint = max(options, key=len) if options else parameter.metavar or parameter.name
    return None if hint is None else str(hint)


def report(code: int, kind: str | None, command: str | None) -> None:
    """Write what was kept: as one JSON object if the command failed, otherwise as words.

    `kind` is what the exit code stands for; `None`: no error.
    """
    if not Held.is_wanted:
        return
    Held.is_wanted = False
    if kind is not None and (kind != PROBLEMS or not Held.has_output or Held.diagnostics):
        write_error(_as_text(code, Held.kind or kind, command))
        return
    for line in Held.lines:
        say(line)


def last_words(code: int, kind: str, command: str | None) -> str:
    """Return what to write at once where a command ends in the middle: the object, or a word; nothing is
    written later.
    """
    if not Held.is_wanted:
        return f"{_WORDS[kind]}\n"
    Held.is_wanted = False
    return _as_text(code, Held.kind or kind, command)


def _as_text(code: int, kind: str, command: str | None) -> str:
    """The object as text."""
    from croupier import __version__
    from croupier.diagnostics.render import as_json
    from croupier.outputs.documents import text_of

    findings = [as_json(diagnostic) for diagnostic in Held.diagnostics]
    if Held.usage is not None:
        kind, message = "usage", str(Held.usage["message"])
    elif findings:
        message = str(findings[0]["message"])
    elif Held.lines:
        message = Held.lines[-1]
    else:
        message = _WORDS.get(kind, kind)
        if Held.has_output and kind != "interrupted":
            message += ": the output on stdout says more"
    return text_of(
        "error",
        __version__,
        {
            "command": command,
            "exit_code": code,
            "kind": kind,
            "message": message,
            "usage": Held.usage,
            "findings": findings,
            "notes": Held.lines,
        },
    )
