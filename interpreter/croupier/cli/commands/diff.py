"""`croupier diff`: what differs between two rulesets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.completion import complete_names
from croupier.cli.console import data, document, finish, progress, say, show
from croupier.cli.guard import FINDINGS, REFUSED
from croupier.cli.options import Format, Human, warn_shadowed

if TYPE_CHECKING:
    from croupier.authoring.diff import Difference
    from croupier.resolve import ResolvedRuleset

_HELP = "One of the two rulesets: a shipped one (NAME or NAME/VARIANT), or the path of a ruleset or variant."
Side = Annotated[str, typer.Argument(help=_HELP, autocompletion=complete_names, show_default=False, callback=warn_shadowed)]


def diff(a: Side, b: Side, format: Human = Format.HUMAN) -> None:
    """Show in words what differs between two rulesets: parameters, types, components row by row, rules, with their places.

    Layout, comments and explanations make no difference.

    Exit code: 0 nothing differs, 1 something does, 2 refused: a ruleset cannot be read.

    \b
    Examples:
      croupier diff my_game my_game/short_game
      croupier diff my_game/short_game my_game/open_hands --format json
    """
    from croupier.authoring.diff import diff_rulesets

    found = diff_rulesets(_opened(a), _opened(b))
    names = list(dict.fromkeys((a, b)))
    with progress("rulesets checked", len(names)) as bar:
        for name in names:
            _warn(name)
            bar.advance()
    if format is Format.JSON:
        document("diff", {"a": _side(a), "b": _side(b), "differences": [difference.to_json() for difference in found]})
    else:
        for difference in found:
            _show(difference)
        say(f"{len(found) or 'no'} difference{'' if len(found) == 1 else 's'}")
    finish(FINDINGS if found else 0)


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
    from croupier.authoring.folder import FolderCheck
    from croupier.authoring.verdicts import user_verdicts

    if any(d.is_error for d in FolderCheck(user_verdicts()).ruleset(name)):
        say(f"{name} has errors: `croupier check {name}` shows them")


def _show(difference: Difference) -> None:
    from croupier.diagnostics import sanitise

    data(sanitise(difference.words))
    places = [str(span) for span in (difference.before_span, difference.after_span) if span is not None]
    if places:
        data(sanitise("    " + " → ".join(places)))
    for line in difference.lines:
        data("    " + sanitise(line))
