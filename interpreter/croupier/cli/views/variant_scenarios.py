"""The scenarios of a game under a variant, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cli.console import data
from croupier.diagnostics import Span, sanitise
from croupier.diagnostics.render import short_place
from croupier.resolve.documents import display_path

if TYPE_CHECKING:
    from croupier.authoring.variant_scenarios import UnderResult, UnderVariant
    from croupier.diagnostics import JsonObject

LONGEST_LINE = 100
"""The most letters of a clause that are shown."""


def summary(found: UnderVariant, game: str, variant: str) -> str:
    """Return the number of scenarios that hold, in one line."""
    total = len(found.results)
    if total == 0:
        return f"{game} has no scenarios of its own"
    parts = [
        f"{found.count('holds')} of {total} scenario{'' if total == 1 else 's'} of {game} hold under "
        f"{variant}"
    ]
    words = {
        "differs": "{} differ",
        "not set up": "{} cannot be set up",
        "fails anyway": "{} fail in the game itself, too",
    }
    parts += [
        text.format(count)
        for outcome, text in words.items()
        if (count := sum(result.outcome == outcome for result in found.results))
    ]
    return ", ".join(parts)


def show_under(found: UnderVariant, game: str, variant: str, *, verbose: bool) -> None:
    """Print the summary, then the scenarios that do not hold, by the change that most likely makes the
    difference.
    """
    data(sanitise(summary(found, game, variant)))
    for change, results in found.grouped():
        data("")
        if change is None:
            data("no change of the variant is known to act:")
        else:
            place = change.after_span or change.before_span
            data(sanitise(f"{change.words}{'' if place is None else f'   {place}'}"))
        common = _common_clauses(results)
        for line in common:
            data(f"    {line}")
        for result in results:
            _show(result, common, verbose=verbose)
    others = [
        result
        for result in found.results
        if result.outcome == "fails anyway" or (verbose and result.outcome == "holds")
    ]
    for outcome, title in (("fails anyway", "fails in the game itself, too:"), ("holds", "holds:")):
        some = [result for result in others if result.outcome == outcome]
        if some:
            data("")
            data(title)
        for result in some:
            data("    " + _head(result))


def _head(result: UnderResult) -> str:
    return sanitise(
        f"{display_path(result.file).as_posix()}:{result.line}  {result.id}  {result.title or ''}".rstrip()
    )


def _show(result: UnderResult, told: list[str], *, verbose: bool) -> None:
    """Print a scenario that does not hold; the clauses in `told` have been named before."""
    from croupier.diagnostics.render import render_human

    data("    " + _head(result))
    if verbose:
        for line in render_human(list(result.diagnostics)).rstrip("\n").splitlines():
            data(f"        {line}".rstrip())
    else:
        data(sanitise(f"        {'cannot be set up: ' * (result.outcome == 'not set up')}{result.reason}"))
    for clause in _clauses(result):
        if clause not in told:
            data(f"        {clause}")


def _clauses(result: UnderResult) -> list[str]:
    """The clauses that act, and those that do not act any more, a line each."""
    acting = [f"acts: {_clause(span)}" for span in result.ran]
    return [sanitise(line) for line in (*acting, *(f"acts no more: {_clause(span)}" for span in result.gone))]


def _common_clauses(results: list[UnderResult]) -> list[str]:
    """The lines about clauses that several scenarios have, if all of them have them."""
    if len(results) < 2:
        return []
    return [line for line in _clauses(results[0]) if all(line in _clauses(result) for result in results[1:])]


def _clause(span: Span) -> str:
    """The place of a clause and how it begins."""
    return f"{span.source.name}:{span.line} `{_text(span)}`"


def _text(span: Span) -> str:
    line = span.source.line(span.line)[span.column - 1 :].strip()
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"


def counts_json(found: UnderVariant) -> JsonObject:
    """Return the number of scenarios, and of those with each outcome."""
    return {
        "total": len(found.results),
        "hold": found.count("holds"),
        "differ": found.count("differs"),
        "not_set_up": found.count("not set up"),
        "fail_anyway": found.count("fails anyway"),
    }


def under_json(found: UnderVariant, game: str, variant: str) -> JsonObject:
    """The keys of the schema `test-under`."""
    likeliest = [
        result.acting[0]
        for result in found.results
        if result.outcome in ("differs", "not set up") and result.acting
    ]
    changes = [
        {
            **change.to_json(),
            "acted": sum(number in result.acting for result in found.results),
            "likeliest": likeliest.count(number),
        }
        for number, change in enumerate(found.changes)
    ]
    return {
        "game": game,
        "under": variant,
        **counts_json(found),
        "changes": changes,
        "scenarios": [_result_json(result) for result in found.results],
    }


def _result_json(result: UnderResult) -> JsonObject:
    return {
        "file": display_path(result.file).as_posix(),
        "line": result.line,
        "id": result.id,
        "title": result.title,
        "outcome": result.outcome,
        "reason": result.reason,
        "findings": [d.code for d in result.diagnostics],
        "changes": list(result.acting),
        "acts": [_clause_json(span) for span in result.ran],
        "does_not_act": [_clause_json(span) for span in result.gone],
    }


def _clause_json(span: Span) -> JsonObject:
    return {"place": short_place(span), "text": _text(span)}
