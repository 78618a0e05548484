"""The words that a shell offers to complete the one that is being typed: names of rulesets, variants,
parameters with their values, bots.

A function takes the context of the command, as far as it is typed, and the beginning of the word; it gives
the words that begin so, with a help where the shell shows one.  A ruleset that cannot be read offers nothing.

`bash` breaks words at `=`: it asks about `hand_size`, `=` and `3`, and wants to hear `3` alone.
`joined_words` and `without_name` translate.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from croupier.ruleset import Parameter, Ruleset

ASKED_BY = "_CROUPIER_COMPLETE"  # set by the script of a shell, to `complete_bash` by that of bash
Offer = tuple[str, str]  # a word, and what it means


def complete_names(incomplete: str) -> list[str]:
    """The shipped rulesets whose name begins like this."""
    from croupier.resources import shipped

    return [name for name in shipped() if name.startswith(incomplete)]


def complete_bots(incomplete: str) -> list[str]:
    """The bots whose name begins like this; behind a comma, that of the next seat."""
    from croupier.play.agents import AGENTS

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in AGENTS if name.startswith(last)]


def complete_variants(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """The variants of the ruleset that is named before, with their titles."""
    from croupier.resources import find, variants_in

    name = _ruleset_name(ctx)
    place = find(name)[0] if name else None
    if place is None:
        return []
    return [
        (path.stem, _title(path)) for path in variants_in(place.root)[0] if path.stem.startswith(incomplete)
    ]


def complete_settings(ctx: typer.Context, incomplete: str) -> list[Offer]:
    """The parameters of the ruleset that is named before, as `NAME=`, with their types; of a single one its
    values, as `NAME=VALUE`.
    """
    ruleset = _ruleset(ctx)
    typed, equals, _ = incomplete.partition("=")
    parameters = () if ruleset is None else ruleset.parameters
    fitting = (
        [one for one in parameters if one.name == typed]
        if equals
        else [one for one in parameters if one.name.startswith(typed)]
    )
    if len(fitting) != 1:
        return [(f"{one.name}=", _meaning(one)) for one in fitting]
    [only] = fitting
    words = [f"{only.name}={value}" for value in _values(only)] or [f"{only.name}="]
    return [(word, _meaning(only)) for word in words if word.startswith(incomplete)]


def _values(parameter: Parameter) -> tuple[str, ...]:
    """The values of a parameter if they are few; of a range its ends and the default; of a list or a map
    none.
    """
    if parameter.values is not None:
        return parameter.values
    if parameter.type_text == "bool":
        return "true", "false"
    if isinstance(parameter.default, list | dict):
        return ()
    low, dots, high = parameter.type_text.removesuffix("?").partition("..")
    ends = (low, high) if dots and low.lstrip("-").isdecimal() and high.lstrip("-").isdecimal() else ()
    return tuple(dict.fromkeys((*ends, _as_typed(parameter.default))))


def _as_typed(value: object) -> str:
    """A default as it is typed on the command line."""
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


def _meaning(parameter: Parameter) -> str:
    """The type, the default and what a parameter is for."""
    doc = f": {parameter.doc}" if parameter.doc else ""
    return f"{parameter.type_text}, {_as_typed(parameter.default)} by default{doc}"


def _ruleset_name(ctx: typer.Context) -> str | None:
    """The ruleset that is named in the command, as far as that is typed."""
    # the last where an option waits for its value
    given = ctx.params.get("name") or ctx.params.get("names") or ctx.args
    if isinstance(given, str):
        return given
    return given[0] if given else None


def _ruleset(ctx: typer.Context) -> Ruleset | None:
    """The ruleset that is named in the command with its variants; `None` if it cannot be read."""
    import croupier
    from croupier.cli.variants import with_variants

    name = _ruleset_name(ctx)
    if name is None:
        return None
    try:
        return croupier.load(with_variants(name, ctx.params.get("variant")))
    except croupier.RulesetError:
        return None


def _title(path: os.PathLike[str]) -> str:
    """The title in the file of a variant; nothing where it has none."""
    import re
    from pathlib import Path

    try:
        found = re.search(r"^title:\s*(.+?)\s*$", Path(path).read_text(encoding="utf-8"), re.MULTILINE)
    except (OSError, UnicodeDecodeError):
        return ""
    return found[1].strip("\"'") if found else ""


# ---------------------------------------------------------------- bash
def is_asked_by_bash() -> bool:
    """Tell whether bash asks for completions."""
    return os.environ.get(ASKED_BY) == "complete_bash"


def joined_words(environment: Mapping[str, str]) -> dict[str, str]:
    """The words that bash has, and the place of the one that is typed, with `NAME`, `=` and `VALUE` as one
    word.
    """
    words, at = _words_of(environment.get("COMP_WORDS", "")), int(environment.get("COMP_CWORD", "0"))
    joined: list[str] = []
    place = 0
    for number, word in enumerate(words):
        continues = (
            bool(joined) and (word == "=" or joined[-1].endswith("=")) and not joined[-1].startswith("--")
        )
        if continues:
            joined[-1] += word
        else:
            joined.append(word)
        if number == at:
            place = len(joined) - 1
    return {"COMP_WORDS": "\n".join(joined), "COMP_CWORD": str(place)}


def _words_of(text: str) -> list[str]:
    """The words of `COMP_WORDS`, which the script of bash divides by line feeds, since a word may hold
    spaces.
    """
    return text.split("\n" if "\n" in text else " ")


def without_name(lines: str) -> Iterator[str]:
    """The lines of an answer as bash wants them: behind a `=` that is typed already, the value alone."""
    words = _words_of(os.environ["COMP_WORDS"])
    typed = words[min(int(os.environ["COMP_CWORD"]), len(words) - 1)]
    prefix = typed[: typed.index("=") + 1] if "=" in typed else ""
    for line in lines.splitlines():
        yield line.removeprefix(prefix)
