"""The man page: every command with its arguments and options, from the declarations that `--help` is made of,
as `man` reads it (groff_man(7)).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from _commands import EXIT_CODES, parameters
from croupier import __version__
from croupier.cli.app import COMMANDS, function_of

FILE = Path("interpreter") / "man" / "croupier.1"
ENVIRONMENT = {
    "COLUMNS": "how wide what is printed is, in characters",
    "CROUPIER_CACHE": "the folder of what is kept between runs; off: nothing is kept",
    "CROUPIER_DEBUG": "1: a mistake of croupier shows its traceback",
    "FORCE_COLOR, NO_COLOR": "colours where the output is no terminal, and no colours",
}


def page() -> str:
    """The text of the page."""
    lines = [
        '.\\" Written by tools/language from the declarations of the commands.',
        f'.TH CROUPIER 1 "" "croupier {__version__}" "User Commands"',
        ".SH NAME",
        "croupier \\- check, play, test and simulate tabletop games whose rules are data",
        ".SH SYNOPSIS",
        ".B croupier",
        ".I COMMAND",
        "[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]",
        ".SH DESCRIPTION",
        text(
            "A ruleset is a YAML file with rules in a small language. Croupier checks it, plays it, runs its "
            "scenarios and gathers statistics."
        ),
        text("Data goes to stdout, everything else to stderr."),
        ".SH COMMANDS",
    ]
    for name in COMMANDS:
        lines += command(name)
    lines.append(".SH EXIT STATUS")
    for code, meaning in EXIT_CODES.items():
        lines += [".TP", f".B {code}", text(meaning)]
    lines.append(".SH ENVIRONMENT")
    for name, meaning in ENVIRONMENT.items():
        lines += [".TP", f".B {text(name)}", text(meaning)]
    return "\n".join(lines) + "\n"


def command(name: str) -> Iterator[str]:
    """The lines of one command: how it is called, its help, its arguments and options, its examples."""
    function = function_of(name)
    rows = list(parameters(function))
    arguments = " ".join(plain(written) for is_argument, written, *_ in rows if is_argument)
    words = [
        "croupier",
        name,
        *(["[OPTIONS]"] if any(not is_argument for is_argument, *_ in rows) else []),
        *([arguments] if arguments else []),
    ]
    yield f'.SS "{text(" ".join(words))}"'
    prose, _, examples = (inspect.getdoc(function) or "").partition("\b\nExamples:\n")
    for number, paragraph in enumerate(prose.strip().split("\n\n")):
        if number:
            yield ".PP"
        yield text(" ".join(paragraph.split()))
    for _, written, default, meaning in rows:
        yield ".TP"
        yield f".B {text(plain(written))}"
        yield text(meaning + (f" Without it: {plain(default)}." if default and default != "needed" else ""))
    yield from (".PP", "Examples:", ".PP", ".nf", ".RS 4")
    yield from (text(line.strip()) for line in examples.strip().splitlines())
    yield from (".RE", ".fi")


def plain(words: str) -> str:
    """Words without the back-ticks of Markdown."""
    return words.replace("`", "")


def text(words: str) -> str:
    """A line of text: signs of the formatter stand for themselves, a hyphen is the one that is typed, other
    alphabets are named by number.
    """
    safe = plain(words).replace("\\", "\\e").replace("-", "\\-")
    safe = "".join(sign if sign.isascii() else f"\\[u{ord(sign):04X}]" for sign in safe)
    safe = safe.replace('"', "\\(dq")
    return re.sub(r"^([.'])", r"\\&\1", safe)


__all__ = ["FILE", "page"]
