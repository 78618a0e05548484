"""What lies beside a ruleset: its variants and its scenario files, checked with it.

A folder that somebody works on has its variants checked whole, and its scenarios played for what is written wrong in them: seats, zones, names,
values. Whether they pass is for `croupier test`. With the name of a shipped ruleset nothing but the ruleset is checked, so that asking for one name
stays quick: its variants are rulesets with names of their own, and its scenarios are the business of `croupier test`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from croupier.diagnostics import Diagnostic
from croupier.pipeline import check
from croupier.resolve.documents import load_source, read_source
from croupier.resolve.loader import variant_files
from croupier.resources import MAIN_FILE, SUFFIXES, Place, find


def check_beside(name: str, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What is wrong with what belongs to the ruleset of that name or folder; nothing for other names. `found`: what is wrong with the ruleset."""
    place, _ = find(name)
    if place is None or place.path.name != MAIN_FILE or name.endswith(SUFFIXES) or place.shown == name or not os.path.isfile(place.path):
        return []
    from croupier.scenarios import check_scenarios
    from croupier.scenarios.files import files_in, open_file

    known = {_identity(d) for d in found}
    whole = not any(d.is_error for d in found)
    beside: list[Diagnostic] = []
    variants, problems = variant_files(place.root)
    for path in variants:
        _tell(check(path).diagnostics if whole else _form(path, place), known, beside)
    scenarios, more = files_in(place.root)
    for path in scenarios:
        _tell(check_scenarios(path) if whole and os.path.isfile(path) else open_file(path).found, known, beside)
    return [*beside, *problems, *more]


def _tell(found: Iterable[Diagnostic], known: set[tuple[str, str, int]], beside: list[Diagnostic]) -> None:
    """Add what is not known yet."""
    for d in found:
        if _identity(d) not in known:
            known.add(_identity(d))
            beside.append(d)


def _form(path: Path, base: Place) -> list[Diagnostic]:
    """What is wrong with a variant's file by itself."""
    place = Place(path, base.root, path.as_posix())
    source, problems = read_source(place)
    return problems if source is None else load_source(source, place).diagnostics


def _identity(d: Diagnostic) -> tuple[str, str, int]:
    """The same finding in the same text, by whichever path that was reached."""
    return (d.code, d.span.source.text, d.span.start) if d.span is not None else (d.code, d.message, 0)
