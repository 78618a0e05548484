"""`croupier check`: validation."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import data, finish, say, show, usage
from croupier.cli.guard import FINDINGS
from croupier.cli.options import Names

if TYPE_CHECKING:
    from croupier.diagnostics import Diagnostic

app = typer.Typer(add_completion=False)


class CheckFormat(StrEnum):
    """For people, for programs, for annotations of a build."""

    HUMAN = "human"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


@app.command()
def check(
    names: Names = None,
    all: Annotated[bool, typer.Option("--all", help="Check every shipped ruleset and variant.")] = False,
    format: Annotated[CheckFormat, typer.Option("--format", "-f", help="For people, programs or build servers.")] = CheckFormat.HUMAN,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")] = False,
) -> None:
    """Validate rulesets and show everything that is wrong with them, with the place and what helps.

    Exit code: 0 clean, 1 errors (with --strict any finding), 2 wrong usage.

    \b
    Examples:
      croupier check my_game.yaml
      croupier check my_game other_game --strict
      croupier check --all
      croupier check my_game.yaml --format github
    """
    import croupier
    from croupier.resources import shipped

    wanted = [*(names or ()), *(shipped() if all else ())]
    if not wanted:
        usage("name at least one ruleset, or say `--all`", "NAME")
    findings: list[Diagnostic] = []
    for name in dict.fromkeys(wanted):
        found = croupier.check(name).diagnostics
        fresh = [diagnostic for diagnostic in found if diagnostic not in findings]
        findings += fresh
        if format is CheckFormat.HUMAN:
            show(fresh, as_data=True)
            say(f"{name}: {_count(found) or 'clean'}")
    if format is not CheckFormat.HUMAN:
        data(_render(findings, format))
    errors = any(diagnostic.is_error for diagnostic in findings)
    finish(FINDINGS if errors or (strict and findings) else 0)


def _render(findings: Sequence[Diagnostic], format: CheckFormat) -> str:
    from croupier import __version__
    from croupier.diagnostics.render import render_github, render_json, render_sarif

    if format is CheckFormat.SARIF:
        return render_sarif(findings, __version__)
    return render_github(findings) if format is CheckFormat.GITHUB else render_json(findings)


def _count(findings: Sequence[Diagnostic]) -> str:
    errors = sum(diagnostic.is_error for diagnostic in findings)
    counts = [(errors, "error"), (len(findings) - errors, "warning")]
    return ", ".join(f"{count} {word}{'s' if count > 1 else ''}" for count, word in counts if count)
