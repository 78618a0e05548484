"""Applying proposed replacements to a text."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.diagnostics.diagnostic import Diagnostic, Fix
from croupier.diagnostics.source import Source


def apply_fixes(source: Source, diagnostics: Iterable[Diagnostic], *, unsafe: bool = False) -> tuple[str, int]:
    """The text with the fixes of the diagnostics applied, and how many were.

    Only fixes for this very source and, unless `unsafe`, only safe ones.  Of two fixes that overlap, or insert at the same
    place, the first in the text is applied; another run may apply the other.
    """
    wanted = {d.fix for d in diagnostics if d.fix is not None and d.fix.span.source == source and (unsafe or d.fix.safe)}
    pieces: list[str] = []
    reached, applied, last_start = 0, 0, -1
    for fix in sorted(wanted, key=_place):
        if fix.span.start < reached or fix.span.start == last_start:
            continue
        pieces += (source.text[reached : fix.span.start], fix.replacement)
        reached, last_start, applied = fix.span.end, fix.span.start, applied + 1
    pieces.append(source.text[reached:])
    return "".join(pieces), applied


def _place(fix: Fix) -> tuple[int, int, str]:
    return fix.span.start, fix.span.end, fix.replacement
