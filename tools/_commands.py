"""The pages of the command line: an index, and a page for each command with its arguments and options.

Both are made from the declarations that `--help` is made of.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Iterator
from enum import Enum
from typing import Any

from typer.models import ArgumentInfo, OptionInfo

from croupier.cli import guard
from croupier.cli.app import COMMANDS, function_of
from croupier.outputs.documents import SCHEMAS

EXIT_CODES = {
    0: "done",
    guard.FINDINGS: "problems found: errors, a game that is stuck, unfinished or faulted, a scenario that "
    "failed, a difference",
    guard.REFUSED: "refused: wrong usage, no such ruleset or file, refused players or parameters, a file "
    "that cannot be written",
    guard.BUG: "a bug in croupier; `CROUPIER_DEBUG=1` shows its traceback",
    guard.INTERRUPTED: "interrupted by Ctrl-C",
    guard.CLOSED_PIPE: "broken pipe: the program that read the output has ended",
    guard.TERMINATED: "ended by SIGTERM, as `timeout` does; as after Ctrl-C, what was played is shown",
}

PURPOSES = {  # the groups of the index
    "Write rules": (
        "new", "list", "check", "explain", "fmt", "test", "coverage", "hunt", "mutate", "diff", "rulebook",
    ),
    "Play": ("run", "play", "serve", "tables", "replay", "explain-move"),
    "Measure": ("simulate", "compare", "skill", "sweep", "ablate", "collect", "merge", "report"),
    "For editors and programs": ("lsp", "schema", "dump", "cache"),
}  # fmt: skip


def exit_codes(_: str) -> str:
    """The exit codes, which are the same everywhere."""
    return "| code | means |\n| ---: | --- |\n" + "".join(
        f"| {code} | {meaning} |\n" for code, meaning in EXIT_CODES.items()
    )


def commands(_: str) -> str:
    """The index: every command with a line, by what one wants to do.

    Raises KeyError for a command that stands in no group, or in two, and for a name that is no command's.
    """
    if sorted(name for names in PURPOSES.values() for name in names) != sorted(COMMANDS):
        raise KeyError("PURPOSES in tools/_commands.py has to name every command once")
    return "\n".join(
        f"### {purpose}\n\n| command | does |\n| --- | --- |\n"
        + "".join(
            # the address that the command had while all of them stood on one page
            f'| <a id="croupier-{name}"></a>[`{name}`](cli/{name}.md) | {COMMANDS[name]} |\n'
            for name in names
        )
        for purpose, names in PURPOSES.items()
    )


def new_page(name: str) -> str:
    """The page of a command as `tools/language` begins it."""
    return f"# croupier {name}\n\n<!-- generated: command {name} -->\n<!-- end -->\n"


def command(name: str) -> str:
    """Return the page of a command: how it is called, its help, its arguments and options."""
    function = function_of(name)
    rows = list(parameters(function))
    arguments = " ".join(usage for is_argument, usage, *_ in rows if is_argument)
    table = "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row[1:]) + " |\n" for row in rows)
    head = "| argument or option | without it | meaning |\n| --- | --- | --- |\n" if rows else ""
    usage = f"croupier {name} {'[OPTIONS] ' if any(not row[0] for row in rows) else ''}{arguments}".replace(
        "`", ""
    ).rstrip()
    about = prose(inspect.getdoc(function) or "")
    see = "See also: [all commands](../cli.md), [exit codes](../cli.md#exit-codes)"
    if name in SCHEMAS:
        see += f", [what `--format json` prints](../outputs/{name}.md)"
    return f"```text\n{usage}\n```\n\n{about}\n\n{head}{table}".rstrip("\n") + f"\n\n{see}.\n"


def prose(text: str) -> str:
    """The text of a help, its examples as a block of commands."""
    text, _, examples = text.partition("\b\nExamples:\n")
    shown = "\n".join(line.strip() for line in examples.strip().splitlines())
    return re.sub(r" {2,}", " ", text.strip()) + (f"\n\n```sh\n{shown}\n```" if shown else "")


def parameters(function: Any) -> Iterator[tuple[bool, str, str, str]]:
    """Of each parameter: is it an argument, how it is written, what holds without it, what it means."""
    for name, parameter in inspect.signature(function, eval_str=True).parameters.items():
        kind, *more = typing.get_args(parameter.annotation)
        info = next(one for one in more if isinstance(one, ArgumentInfo | OptionInfo))
        if info.hidden:
            continue
        value = info.metavar or choices(kind)
        if isinstance(info, ArgumentInfo):
            value = (info.metavar or name.upper()) + (
                "…" if list in (typing.get_origin(one) for one in (kind, *typing.get_args(kind))) else ""
            )
            written = f"`{value}`" if parameter.default is inspect.Parameter.empty else f"`[{value}]`"
        else:
            *short, last = sorted(option_names(info, name), key=len)
            written = "".join(f"`{one}`, " for one in short) + (f"`{last} {value}`" if value else f"`{last}`")
        yield isinstance(info, ArgumentInfo), written, default(info, parameter.default), info.help or ""


def option_names(info: OptionInfo, name: str) -> list[str]:
    """`--games` and `-n`: those declared, or the one that Typer makes of the parameter's name."""
    # inside of `Annotated` the first one stands where a default value would
    declared = (info.default, *(info.param_decls or ()))
    return [one for one in declared if isinstance(one, str) and one.startswith("-")] or [
        "--" + name.replace("_", "-")
    ]


def choices(kind: Any) -> str:
    """`human|json` of an enumeration, `TEXT` and `N` of a text and a number; nothing of a switch."""
    kinds = [kind, *typing.get_args(kind)]
    found = next((one for one in kinds if isinstance(one, type) and issubclass(one, Enum)), None)
    if found is not None:
        return "|".join(str(one.value) for one in found)
    if bool in kinds:
        return ""
    return "N" if int in kinds else "TEXT"


def default(info: ArgumentInfo | OptionInfo, value: Any) -> str:
    """Return what holds if it is left out."""
    if value is inspect.Parameter.empty:
        return "needed"
    if isinstance(info.show_default, str):
        return info.show_default
    value = value.value if isinstance(value, Enum) else value
    return "" if not info.show_default or value is None or value is False or value == () else f"`{value}`"
