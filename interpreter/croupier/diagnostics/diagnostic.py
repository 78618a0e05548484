"""Diagnostics are values; the catalogue words them.

`diagnose` is the only place where a template meets the names that go into it.  A name that an author made
very long is shortened here, so that a hostile ruleset cannot make a message of a megabyte.

`did_you_mean` gives the known name that a misspelt one was probably meant to be. In order: the same letters
in another case, singular for plural or the reverse, then the smallest edit distance (insertion, deletion,
substitution, swap of neighbours) up to a third of the longer name's length. Ties go to the first candidate in
alphabetical order, so that the answer does not depend on the order of a set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any, Literal, TypeAlias

from croupier.diagnostics.catalogue import CODES
from croupier.diagnostics.source import Source, Span, sanitise
from croupier.limits import MAX_ALIKE_FINDINGS
from croupier.records import dataclass

Severity = Literal["error", "warning"]
JsonObject: TypeAlias = dict[str, Any]
"""An object of JSON, read or to be written: what a value is depends on its key, which types cannot say."""
LONGEST_NAME = 160


@dataclass(frozen=True)
class Label:
    """A second place that explains the first: "colour was promised here"."""

    span: Span
    text: str


@dataclass(frozen=True)
class Fix:
    """A replacement for the text of a span.

    `safe` means that applying it cannot change what a correct ruleset says.
    """

    span: Span
    replacement: str
    title: str
    safe: bool = True


@dataclass(frozen=True)
class Diagnostic:
    """One finding.

    `span` is `None` only where there is no text to point into (a missing file, a command line).
    """

    code: str
    severity: Severity
    message: str
    span: Span | None
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    fix: Fix | None = None

    @property
    def is_error(self) -> bool:
        """True if it stops the ruleset from running."""
        return self.severity == "error"

    @property
    def name(self) -> str:
        """The name of the code: `wrong-type` for T001."""
        return CODES.names[self.code]

    def __str__(self) -> str:
        where = f"{self.span}: " if self.span is not None else ""
        return sanitise(f"{where}{self.severity}[{self.code} {self.name}]: {self.message}")


class RulesetError(Exception):
    """A ruleset, or what was asked of it, is wrong.

    Carries every diagnostic that was found, at least one of them an error.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__("\n".join(str(diagnostic) for diagnostic in self.diagnostics))

    def __reduce__(self) -> tuple[type[RulesetError], tuple[tuple[Diagnostic, ...]]]:
        """Copies, and what comes from another process, are made of the diagnostics, not of their words."""
        return type(self), (self.diagnostics,)


def diagnose(
    code: str,
    span: Span | None,
    /,
    *,
    labels: Iterable[Label] = (),
    notes: Iterable[str] = (),
    help: str | None = None,
    fix: Fix | None = None,
    **args: object,
) -> Diagnostic:
    """A diagnostic worded by the catalogue: `args` fill the placeholders of the entry's message and default
    help.

    A `help` given here replaces the default one.  Raises KeyError for a code or a placeholder that does not
    exist: a bug.
    """
    entry = CODES[code]
    words = {name: shorten(str(value)) for name, value in args.items()}
    if help is None and entry.help is not None:
        help = entry.help.format_map(words)
    return Diagnostic(
        code, entry.severity, entry.message.format_map(words), span, tuple(labels), tuple(notes), help, fix
    )


def shorten(text: str, limit: int = LONGEST_NAME) -> str:
    """The text, with its middle left out if it is longer than `limit` characters."""
    if len(text) <= limit:
        return text
    keep = (limit - 1) // 2
    return f"{text[:keep]}…{text[-keep:]}"


# ---------------------------------------------------------------- fixes
# Applying proposed replacements to a text.
def chosen_fixes(
    source: Source, diagnostics: Iterable[Diagnostic], *, unsafe: bool = False
) -> list[Diagnostic]:
    """The diagnostics whose fixes can be applied together, by place.

    Only fixes for this very source and, unless `unsafe`, only safe ones.  Of two fixes that overlap, or
    insert at the same place, the first in the text is chosen; another run may choose the other.
    """
    wanted = {
        d.fix: d
        for d in diagnostics
        if d.fix is not None and d.fix.span.source == source and (unsafe or d.fix.safe)
    }
    chosen: list[Diagnostic] = []
    reached, last_start = 0, -1
    for fix in sorted(wanted, key=_place):
        if fix.span.start >= reached and fix.span.start != last_start:
            chosen.append(wanted[fix])
            reached, last_start = fix.span.end, fix.span.start
    return chosen


def apply_fixes(
    source: Source, diagnostics: Iterable[Diagnostic], *, unsafe: bool = False
) -> tuple[str, int]:
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


# ---------------------------------------------------------------- normalise
UNREAD = ("Y0", "P")  # codes of what cannot be read: YAML and rule text


# Diagnostics as they are shown: in the order of the files, without follow-ups, and not thousands of one kind.
def normalise(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return problems in order, without those that follow from others.

    What cannot be read comes first; then by file, in the order in which files are first mentioned, and by
    place within a file.

    What is said of the meaning of a ruleset may follow from what could not be read, on whatever line that
    stands. A text with a forbidden character in it gets no other diagnostic, and a number that is none does
    not also have the wrong kind. Of more than 50 with one code in one file the rest is counted.
    """
    # a file that several variants extend is read once, and told once
    problems = list(dict.fromkeys(problems))
    refused = [
        problem.span for problem in problems if problem.code in ("Y007", "X108") and problem.span is not None
    ]
    no_numbers = {problem.span for problem in problems if problem.code in ("Y304", "Y305")}
    files: dict[str, int] = {}
    kept: list[tuple[tuple[int, int, int], Diagnostic]] = []
    for problem in problems:
        span = problem.span
        if span is None:
            kept.append(((-1, 0, 0), problem))
            continue
        files.setdefault(span.source.name, len(files))
        around = any(
            bad.source is span.source and span.start <= bad.start and bad.end <= span.end and span != bad
            for bad in refused
        )
        again = problem.code.startswith("D") and span in no_numbers
        if not around and not again:
            unread = problem.severity == "error" and problem.code.startswith(UNREAD)
            kept.append(((0 if unread else 1, files[span.source.name], span.start), problem))
    kept.sort(key=lambda entry: entry[0])
    return _limited([problem for _, problem in kept])


def _limited(problems: list[Diagnostic]) -> list[Diagnostic]:
    alike = Counter(_file_and_code(problem) for problem in problems)
    seen: Counter[tuple[str, str]] = Counter()
    shown: list[Diagnostic] = []
    for problem in problems:
        kind = _file_and_code(problem)
        seen[kind] += 1
        if seen[kind] == MAX_ALIKE_FINDINGS and alike[kind] > MAX_ALIKE_FINDINGS:
            problem = replace(
                problem,
                notes=(
                    *problem.notes,
                    f"{alike[kind] - MAX_ALIKE_FINDINGS} more of this kind in this file are not shown",
                ),
            )
        if seen[kind] <= MAX_ALIKE_FINDINGS:
            shown.append(problem)
    return shown


def _file_and_code(problem: Diagnostic) -> tuple[str, str]:
    return problem.code, "" if problem.span is None else problem.span.source.name


# ------------------------------------------------------------ the nearest name
LONGEST = 64
MOST_CANDIDATES = 1000


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """The nearest candidate, or `None` if none is near.

    At most the first 1000 candidates of at most 64 letters are tried.
    """
    if not name or len(name) > LONGEST:
        return None
    folded = _fold(name)
    best: tuple[int, str] | None = None
    for candidate in islice(candidates, MOST_CANDIDATES):
        if not candidate or candidate == name or len(candidate) > LONGEST:
            continue
        limit = (
            max(len(name), len(candidate)) // 3
            if best is None
            else min(best[0], max(len(name), len(candidate)) // 3)
        )
        rank = _rank(folded, _fold(candidate), limit)
        if rank is not None and (best is None or (rank, candidate) < best):
            best = (rank, candidate)
    return best[1] if best is not None else None


def _fold(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


def _rank(name: str, candidate: str, limit: int) -> int | None:
    if name == candidate:
        return -2
    if name in _plurals(candidate) or candidate in _plurals(name):
        return -1
    return edit_distance(name, candidate, limit)


def _plurals(name: str) -> tuple[str, ...]:
    return (f"{name}s", f"{name}es", f"{name[:-1]}ies" if name.endswith("y") else f"{name}s")


def edit_distance(first: str, second: str, limit: int) -> int | None:
    """Insertions, deletions, substitutions and swaps of neighbours between two names, or `None` if more than
    `limit`.
    """
    if abs(len(first) - len(second)) > limit:
        return None
    before: list[int] = []
    previous = list(range(len(second) + 1))
    for i, left in enumerate(first, 1):
        current = [i]
        for j, right in enumerate(second, 1):
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (left != right))
            if i > 1 and j > 1 and left == second[j - 2] and first[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        if min(current) > limit:
            return None
        before, previous = previous, current
    return previous[-1] if previous[-1] <= limit else None
