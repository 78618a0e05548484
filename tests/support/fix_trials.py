"""Trying the fixes that are proposed: what is found before one of them is applied, and after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from croupier.diagnostics import Diagnostic, Source, apply_fixes, chosen_fixes
from croupier.source.files import buffers

Check = Callable[[], list[Diagnostic]]
"""Finds what is wrong with the files as they are, or as `buffers` has them."""
MOST_ROUNDS = 10


@dataclass(frozen=True)
class FixTrial:
    """A diagnostic whose fix was applied alone, and after it whatever safe fixes then come: what is found at
    the end.
    """

    mended: Diagnostic
    text: str  # the file with this fix alone
    stays: bool  # whether the same is still found at the same place, after this fix alone
    new: tuple[Diagnostic, ...]  # what is found at the end, and was not before

    @property
    def is_safe(self) -> bool:
        """Whether `check --fix` applies it."""
        return self.mended.fix is not None and self.mended.fix.safe

    def __str__(self) -> str:
        """What is wrong with the fix, in words; nothing for a good one."""
        assert self.mended.fix is not None
        fix = self.mended.fix
        line = self.text.splitlines()[fix.span.line - 1 :][:1]
        wrong = (["it is found again"] if self.stays else []) + [f"new: {d}" for d in self.new]
        kind = "fix" if fix.safe else "possible fix"
        return f"{self.mended}: {kind}: {fix.title}: {line}: {'; '.join(wrong)}" if wrong else ""


def try_fixes(found: Iterable[Diagnostic], check: Check) -> list[FixTrial]:
    """Each fix of what was found, applied to the text of its file, which `check` then reads instead of the
    file.
    """
    found = list(found)
    return [_try(d, found, check) for d in found if d.fix is not None]


def _try(mended: Diagnostic, found: list[Diagnostic], check: Check) -> FixTrial:
    assert mended.fix is not None
    source = mended.fix.span.source
    text, count = apply_fixes(source, [mended], unsafe=True)
    assert count == 1
    texts = {Path(source.name): text}
    with buffers(texts):
        after = check()
    stays = any(
        d.code == mended.code
        and d.span is not None
        and mended.span is not None
        and d.span.start == mended.span.start
        for d in after
    )
    known = set(map(_kind, found))
    was_wrong = any(d.is_error for d in found)  # then nobody has looked yet for what only deserves a warning
    new = [
        d
        for d in with_safe_fixes(after, texts, check)
        if _kind(d) not in known and (d.is_error or not was_wrong)
    ]
    return FixTrial(mended, text, stays, tuple(new))


def with_safe_fixes(found: list[Diagnostic], texts: dict[Path, str], check: Check) -> list[Diagnostic]:
    """What is found after all safe fixes, until there are no more; `texts` are the files that were changed so
    far, and are changed further.
    """
    for _ in range(MOST_ROUNDS):
        sources = [d.fix.span.source for d in found if d.fix is not None and d.fix.safe]
        if not sources:
            break
        for source in set(sources):
            texts[Path(source.name)] = _applied(source, found)
        with buffers(texts):
            found = check()
    return found


def _applied(source: Source, found: list[Diagnostic]) -> str:
    return apply_fixes(source, chosen_fixes(source, found))[0]


def _kind(d: Diagnostic) -> tuple[str, str]:
    return d.code, d.message
