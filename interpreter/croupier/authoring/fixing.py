"""Applying the safe fixes of what `check` finds in a file, until there is nothing more to apply.

Only the file that was named is changed: not the ruleset that a variant extends, nor a table. After each round the new text is checked,
because a mistake that is mended may have hidden others. Nothing is written here.
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier.diagnostics import Diagnostic, Source, apply_fixes, chosen_fixes
from croupier.resolve import resolve_source
from croupier.resources import Place
from croupier.semantics import check

MOST_ROUNDS = 20


@dataclass(frozen=True)
class Fixed:
    """A file before and after: `applied` are the diagnostics that were mended, in the order in which that happened, each with its fix."""

    before: Source
    after: str
    applied: tuple[Diagnostic, ...]

    @property
    def changed(self) -> bool:
        """Whether anything would be written."""
        return self.after != self.before.text


def fix_ruleset(source: Source, place: Place) -> Fixed:
    """The text of a ruleset or variant with every safe fix applied."""
    text, applied = source.text, list[Diagnostic]()
    for _ in range(MOST_ROUNDS):
        current = Source(source.name, text)
        found = chosen_fixes(current, _findings(current, place))
        new, count = apply_fixes(current, found)
        if not count or new == text:
            break
        applied += found
        text = new
    return Fixed(source, text, tuple(applied))


def _findings(source: Source, place: Place) -> list[Diagnostic]:
    ruleset, found = resolve_source(source, place)
    return found if ruleset is None else [*found, *check(ruleset)[1]]
