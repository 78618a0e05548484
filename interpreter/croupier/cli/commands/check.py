"""`croupier check`: validation."""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import Bar, data, document, finish, progress, say, show, usage
from croupier.cli.guard import FINDINGS, REFUSED
from croupier.cli.options import MISSING, Names, Variants, change_file
from croupier.cli.variants import with_variants

if TYPE_CHECKING:
    from croupier.diagnostics import Diagnostic
    from croupier.ruleset import Ruleset


class CheckFormat(StrEnum):
    """The format of the findings: text for people, JSON for programs, or annotations of a build."""

    HUMAN = "human"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


def check(
    names: Names = None,
    variant: Variants = None,
    all: Annotated[
        bool, typer.Option("--all", help="Check every shipped ruleset, variant and module.")
    ] = False,
    format: Annotated[
        CheckFormat,
        typer.Option(
            "--format",
            "-f",
            help="Print for people, JSON for programs, or annotations for a build server (`github`, "
            "`sarif`).",
        ),
    ] = CheckFormat.HUMAN,
    strict: Annotated[bool, typer.Option("--strict", help="Count warnings as errors.")] = False,
    fix: Annotated[
        bool,
        typer.Option("--fix", help="Apply the fixes that are certain to be right to every file, then check."),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change, and write nothing.")
    ] = False,
    matrix: Annotated[
        bool,
        typer.Option(
            "--matrix",
            help="Also set up a game for every number of players with every value of every parameter.",
        ),
    ] = False,
    rulebook: Annotated[
        bool,
        typer.Option(
            "--rulebook",
            help="Also warn of the rule text that readers of the rulebook would see as code.",
        ),
    ] = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Also say how bots draw what a player does not see, fast or slowly, and why.",
        ),
    ] = False,
) -> None:
    """Check rulesets, variants and scenario files, and show each mistake with its place and what helps.

    It also checks the variants, modules and scenario files in a ruleset's folder, and with a ruleset's file
    of another name than `ruleset.yaml` the scenarios for it. It plays the scenarios to check the names,
    values and steps in them; `croupier test` says whether they pass. Of a shipped ruleset's variants and
    scenarios it checks only the form.

    It also plays a few games with random players, at every number of players and with every variant that a
    parameter switches on, and tests the invariants in them.

    --fix mends every file that is checked with the folder of a ruleset: the ruleset, its tables, variants,
    modules and scenario files. With one file it mends that file, with its tables and scenario files. Of any
    other file with a fix it says why it is not mended.

    Exit code: 0 clean or warnings only, 1 errors (with --strict any finding; a file that cannot be read is
    one), 2 refused: no such ruleset or file, wrong usage.

    \b
    Examples:
      croupier check my_game
      croupier check my_game my_game/short_game --strict
      croupier check --all
      croupier check my_game --format github
      croupier check my_game --fix --diff
      croupier check my_game --fix
      croupier check my_game --matrix
      croupier check my_game --rulebook --strict
      croupier check my_game --explain
    """
    names = [with_variants(name, variant) for name in names or ()]
    from croupier.diagnostics.diagnostic import shorten
    from croupier.resources import shipped, shipped_modules
    from croupier.resources import with_modules as expanded

    wanted = [*expanded(names, beside=False), *((*shipped(), *shipped_modules()) if all else ())]
    if not wanted:
        usage("name at least one ruleset, or say `--all`", "NAME")
    if diff and not fix:
        usage("needs --fix: it shows what --fix would change", "--diff")
    if fix and all:
        usage("does not go with --all: name the rulesets", "--fix")
    findings: list[Diagnostic] = []
    missing = False
    wanted = list(dict.fromkeys(wanted))
    one = len(wanted) == 1
    counted, total = ("files", None) if one else ("rulesets", len(wanted))
    with progress(counted, total) as bar:
        for name in wanted:
            if fix:
                _fix(name, diff)
            shown = bar if one else None
            found = _check(name, shown)
            if matrix:
                found = [*found, *_set_up_all(name, shown, found)]
            if rulebook:
                found = [*found, *_unworded(name)]
            missing |= any(d.code in MISSING for d in found) and _is_missing(name)
            fresh = [diagnostic for diagnostic in found if diagnostic not in findings]
            findings += fresh
            if format is CheckFormat.HUMAN:
                show(fresh, as_data=not diff)
                say(f"{shorten(name)}: {_count(found) or 'clean'}")
            if explain:
                _explain(name)
            if not one:
                bar.advance()
    if format is CheckFormat.JSON:
        _document(wanted, findings)
    elif format is not CheckFormat.HUMAN:
        data(_render(findings, format))
    if missing:
        finish(REFUSED)
    errors = any(diagnostic.is_error for diagnostic in findings)
    finish(FINDINGS if errors or (strict and findings) else 0)


def _check(name: str, bar: Bar | None) -> Sequence[Diagnostic]:
    """Return the diagnostics of a ruleset, a variant or a scenario file, and of what belongs to it.

    If nothing has changed, no checker is loaded.

    The bar shows how many files are checked.
    """
    from croupier.authoring.verdicts import user_verdicts

    verdicts = user_verdicts()

    def checked() -> Sequence[Diagnostic]:
        from croupier.authoring.folder_check import check_whole

        return check_whole(name, verdicts, bar.set) if bar is not None else check_whole(name, verdicts)

    return verdicts.get(checked, "whole", name)


def _loaded(name: str) -> Ruleset | None:
    """The ruleset of a name; `None` for what has errors or is no ruleset."""
    import croupier
    from croupier.diagnostics import RulesetError
    from croupier.scenarios import is_scenario_file

    try:
        return None if is_scenario_file(Path(name)) else croupier.load(name)
    except RulesetError:
        return None


def _set_up_all(name: str, bar: Bar | None, told: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """Return the diagnostics of setting up games of a ruleset for each number of players and each value of a
    parameter, without those that are `told` already.
    """
    from croupier.authoring.matrix import check_matrix

    ruleset = _loaded(name)
    if ruleset is None:
        return []
    if bar is not None:
        bar.describe("set-ups")
    tried = check_matrix(ruleset, bar.set if bar is not None else None, told)
    say(f"{name}: {tried.tried} set-ups tried, {tried.refused} of them refused by conditions of the ruleset")
    for parameter, value in tried.never:
        say(
            f"{name}: `{parameter}` = {value} is refused at every number of players, as long as the others "
            f"have their defaults"
        )
    return tried.diagnostics


def _unworded(name: str) -> Sequence[Diagnostic]:
    """Return the warnings about the rulebook of a ruleset; none for what has errors or is no ruleset."""
    from croupier.authoring.rulebook import find_unworded
    from croupier.diagnostics import RulesetError

    ruleset = _loaded(name)
    try:
        return [] if ruleset is None else find_unworded(ruleset)
    except RulesetError:
        return []


def _explain(name: str) -> None:
    """Say how states that a player cannot tell apart are drawn; nothing of what has errors or is no
    ruleset.
    """
    from croupier.diagnostics import RulesetError
    from croupier.diagnostics.diagnostic import shorten
    from croupier.inference.exchangeable import explained

    ruleset = _loaded(name)
    if ruleset is None:
        return
    try:
        game = ruleset.new_initial_state(backend="reference").game
    except (RulesetError, ValueError):
        return
    for line in explained(game):
        say(f"{shorten(name)}: {line}")


def _is_missing(name: str) -> bool:
    """Tell whether no ruleset or file has this name (a missing file that a ruleset names is an error of the
    ruleset).
    """
    from croupier.resources import find

    place, _ = find(name)
    return place is None or not os.path.lexists(place.path)


def _fix(name: str, diff: bool) -> None:
    """Apply the safe fixes to the files that belong to a name, or show what they would do.

    Raises `RulesetError` if what is named cannot be read, or a file cannot be written.
    """
    from croupier.authoring.fixing import fix_whole, raise_if_changed
    from croupier.authoring.verdicts import user_verdicts
    from croupier.diagnostics.diagnostic import shorten

    fixed = fix_whole(name, user_verdicts())
    changed = [file for file in fixed.files if file.changed]
    if not diff:
        raise_if_changed(changed)
    verb = "would be mended" if diff else "mended"
    for file in changed:
        change_file(file.path, file.before, file.after, shows=diff, writes=not diff, mark=file.mark)
        for d in file.applied:
            assert d.fix is not None
            say(f"{d.span}: {verb}: {d.message} [{d.code}]: {d.fix.title}")
    for left, reason in fixed.left:
        say(f"{shorten(left)}: not mended: {reason}")
    count = sum(len(file.applied) for file in changed)
    say(f"{shorten(name)}: {count or 'nothing'} {verb}")


def _render(findings: Sequence[Diagnostic], format: CheckFormat) -> str:
    from croupier import __version__
    from croupier.diagnostics.render import render_github, render_sarif

    return render_github(findings) if format is CheckFormat.GITHUB else render_sarif(findings, __version__)


def _document(checked: Sequence[str], findings: Sequence[Diagnostic]) -> None:
    """Write the findings for programs."""
    from croupier.diagnostics.render import as_json

    errors = sum(diagnostic.is_error for diagnostic in findings)
    counts = {"errors": errors, "warnings": len(findings) - errors}
    document(
        "check",
        {
            "checked": list(map(str, checked)),
            **counts,
            "findings": [as_json(diagnostic) for diagnostic in findings],
        },
    )


def _count(findings: Sequence[Diagnostic]) -> str:
    errors = sum(diagnostic.is_error for diagnostic in findings)
    counts = [(errors, "error"), (len(findings) - errors, "warning")]
    return ", ".join(f"{count} {word}{'s' if count > 1 else ''}" for count, word in counts if count)
