"""Applying proposed replacements to a text."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.diagnostics.diagnostic import Diagnostic, Fix
from croupier.diagnostics.source import Source


def chosen_fixes(source: Source, diagnostics: Iterable[Diagnostic], *, unsafe: bool = False) -> list[Diagnostic]:
    """The diagnostics whose fixes can be applied together, by place.

    Only fixes for this very source and, unless `unsafe`, only safe ones.  Of two fixes that overlap, or insert at the same
    place, the first in the text is chosen; another run may choose the other.
    """
    wanted = {d.fix: d for d in diagnostics if d.fix is not None and d.fix.span.source == source and (unsafe or d.fix.safe)}
    chosen: list[Diagnostic] = []
    reached, last_start = 0, -1
    for fix in sorted(wanted, key=_place):
        if fix.span.start >= reached and fix.span.start != last_start:
            chosen.append(wanted[fix])
            reached, last_start = fix.span.end, fix.span.start
    return chosen


def apply_fixes(source: Source, diagnostics: Iterable[Diagnostic], *, unsafe: bool = False) -> tuple[str, int]:
    """The text with the fixes of `chosen_fixes` applied, and how many were."""
    pieces: list[str] = []
    reached = 0
    fixes = [d.fix for d in chosen_fixes(source, diagnostics, unsafe=unsafe) if d.fix is not None]
    for fix in fixes:
        pieces += (source.text[reached : fix.span.start], fix.replacement)
        reached = fix.span.end
    pieces.append(source.text[reached:])
    return "".join(pieces), len(fixes)


def _place(fix: Fix) -> tuple[int, int, str]:
    return fix.span.start, fix.span.end, fix.replacement
