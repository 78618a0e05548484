"""Diagnostics as they are shown: in the order of the files, without follow-ups, and not thousands of one kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from croupier.diagnostics import Diagnostic
from croupier.limits import MAX_ALIKE_FINDINGS


def normalise(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """By file, in the order in which files are first mentioned, and by place within a file.

    A text with a forbidden character in it gets no other diagnostic, and a number that is none does not also have the wrong kind.
    Of more than 50 with one code in one file the rest is counted.
    """
    problems = list(dict.fromkeys(problems))  # a file that several variants extend is read once, and told once
    refused = [problem.span for problem in problems if problem.code in ("Y007", "X108") and problem.span is not None]
    no_numbers = {problem.span for problem in problems if problem.code in ("Y304", "Y305")}
    files: dict[str, int] = {}
    kept: list[tuple[tuple[int, int], Diagnostic]] = []
    for problem in problems:
        span = problem.span
        if span is None:
            kept.append(((-1, 0), problem))
            continue
        files.setdefault(span.source.name, len(files))
        around = any(bad.source is span.source and span.start <= bad.start and bad.end <= span.end and span != bad for bad in refused)
        again = problem.code.startswith("D") and span in no_numbers
        if not around and not again:
            kept.append(((files[span.source.name], span.start), problem))
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
            problem = replace(problem, notes=(*problem.notes, f"{alike[kind] - MAX_ALIKE_FINDINGS} more of this kind in this file are not shown"))
        if seen[kind] <= MAX_ALIKE_FINDINGS:
            shown.append(problem)
    return shown


def _file_and_code(problem: Diagnostic) -> tuple[str, str]:
    return problem.code, "" if problem.span is None else problem.span.source.name
