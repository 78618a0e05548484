"""Findings that only follow from others about the same declaration: they are left out, as one mistake is told
once.

That nobody may see something is told where it is declared for an owner that it has not (`L037`), or of the
first decision that gives it away (`L030`); that a policy reads it, too (`L034`), follows. What is left out of
a ruleset that is refused leaves an error behind.

Where a decision or an option of it never comes to anything (`L020`, `L024`), the conditions that say so are
told with it: that each has one value (`L021`) follows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from croupier.diagnostics import Diagnostic, Span

FOLLOWING = {"L037": ("L030", "L034", "L035", "L036"), "L030": ("L034",)}
"""What follows from a finding about a declaration, by its code."""
DECLARED = "declared here"
EXPLAINED = ("L020", "L024")
"""Findings with labels at the conditions that they come from."""


def without_followers(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings without those that follow from another.

    One that stands for an error is an error itself.
    """
    found = list(found)
    told = {code: {at for d in found if d.code == code for at in _declarations(d)} for code in FOLLOWING}
    refused = {at for d in found if d.is_error and d.code in FOLLOWING["L037"] for at in _declarations(d)}
    settled = {label.span for d in found if d.code in EXPLAINED for label in d.labels}
    kept = []
    for d in found:
        if d.code == "L021" and d.span in settled:
            continue
        if any(
            d.code in FOLLOWING[code] and not told[code].isdisjoint(_declarations(d)) for code in FOLLOWING
        ):
            continue
        follows = d.code == "L037" and not refused.isdisjoint(_declarations(d))
        kept.append(replace(d, severity="error") if follows else d)
    return kept


def _declarations(d: Diagnostic) -> frozenset[Span]:
    """Return the places where that which a finding is about is declared."""
    return frozenset(label.span for label in d.labels if label.text.startswith(DECLARED))
