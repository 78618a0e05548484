"""`croupier diff`: what differs between two rulesets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.completion import complete_names
from croupier.cli.console import data, document, finish, progress, say, show
from croupier.cli.guard import FINDINGS, REFUSED
from croupier.cli.options import Format, Human, warn_shadowed
from croupier.diagnostics import sanitise

if TYPE_CHECKING:
    from croupier.authoring.difference_details import DifferenceDetails
    from croupier.authoring.variant_scenarios import UnderVariant
    from croupier.resolve import ResolvedRuleset

MOST_NAMES = 8
"""The most scenarios, rules or passages that are named in one line."""
_HELP = "One of the two rulesets: a shipped one (NAME or NAME/VARIANT), or the path of a ruleset or variant."
Side = Annotated[
    str, typer.Argument(help=_HELP, autocompletion=complete_names, show_default=False, callback=warn_shadowed)
]


def diff(
    a: Side,
    b: Side,
    under: Annotated[
        bool,
        typer.Option(
            "--under", help="Also play the scenarios of A by the rules of B, and tell how many hold."
        ),
    ] = False,
    format: Human = Format.HUMAN,
) -> None:
    """Show in words what differs between two rulesets: parameters, types, components row by row, rules, with
    their places.

    Of a rule that came it tells the text and what it says; of each difference which definitions, phases and
    powers use what it changes, which rules it cites, and which scenarios cite those; with --under which of
    the scenarios in which it acts do not hold. Layout, comments and explanations make no difference.

    Exit code: 0 nothing differs, 1 something does, 2 refused: a ruleset cannot be read.

    \b
    Examples:
      croupier diff my_game my_game/short_game
      croupier diff my_game my_game/short_game --under
      croupier diff my_game/short_game my_game/open_hands --format json
    """
    from croupier.authoring.diff import diff_rulesets
    from croupier.authoring.difference_details import differences_in_detail
    from croupier.cli.views.variant_scenarios import counts_json, summary

    one, other = _opened(a), _opened(b)
    found = diff_rulesets(one, other)
    names = list(dict.fromkeys((a, b)))
    with progress("rulesets checked", len(names)) as bar:
        for name in names:
            _warn(name)
            bar.advance()
    played = _played(a, b) if under else None
    detailed = differences_in_detail(one, other, found, played)
    if format is Format.JSON:
        figures = None if played is None else counts_json(played)
        document(
            "diff",
            {
                "a": _side(a),
                "b": _side(b),
                "under": figures,
                "differences": [difference.to_json() for difference in detailed],
            },
        )
    else:
        for difference in detailed:
            _show(difference)
        if played is not None:
            data(sanitise(summary(played, a, b)))
        say(f"{len(found) or 'no'} difference{'' if len(found) == 1 else 's'}")
    finish(FINDINGS if found else 0)


def _played(a: str, b: str) -> UnderVariant:
    """The scenarios of the first ruleset by the rules of the second."""
    from croupier.authoring.variant_scenarios import scenarios_under

    with progress("scenarios") as bar:
        return scenarios_under(a, b, bar.set)


def _opened(name: str) -> ResolvedRuleset:
    from croupier.resolve import open_ruleset

    ruleset, problems = open_ruleset(name)
    errors = [problem for problem in problems if problem.is_error]
    if ruleset is None or errors:
        show(errors)
        finish(REFUSED)
    return ruleset


def _side(name: str) -> dict[str, str | None]:
    """One of the two rulesets: its name, and its hash where it checks."""
    import croupier
    from croupier.diagnostics import RulesetError

    try:
        return {"name": name, "hash": croupier.load(name).ruleset_hash}
    except RulesetError:
        return {"name": name, "hash": None}


def _warn(name: str) -> None:
    """Warn if a ruleset can be read but not played: the difference may not be what its author means."""
    from croupier.authoring.folder_check import FolderCheck
    from croupier.authoring.verdicts import user_verdicts

    if any(d.is_error for d in FolderCheck(user_verdicts()).ruleset(name)):
        say(f"{name} has errors: `croupier check {name}` shows them")


def _show(detail: DifferenceDetails) -> None:
    """Print a difference, with what it says and reaches."""
    difference = detail.difference
    data(sanitise(difference.words))
    places = [str(span) for span in (difference.before_span, difference.after_span) if span is not None]
    if places:
        data(sanitise("    " + " → ".join(places)))
    for line in detail.lines:
        data("    " + sanitise(line))
    for sentence in detail.says:
        data(sanitise(f"    says: {sentence}"))
    if detail.reaches:
        data(sanitise(f"    reaches: {_some(detail.reaches)}"))
    if detail.rules:
        scenarios = f" (scenarios: {_some(detail.cited_by)})" if detail.cited_by else ""
        data(sanitise(f"    cites: {_some(detail.rules)}{scenarios}"))
    if detail.acts_in:
        data(sanitise(f"    does not hold: {_some(detail.acts_in)}"))


def _some(words: Sequence[str]) -> str:
    """The first of some words, and how many more there are."""
    more = len(words) - MOST_NAMES
    return ", ".join(words[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
