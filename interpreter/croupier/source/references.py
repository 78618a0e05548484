"""Paths that a ruleset names: `extends: base.yaml`, `table: cards.csv`.

A path has to mean the same file on every system and must not lead out of the ruleset's folder, so only names separated by
`/` are taken.  What is judged here is the text of the path; links are judged by `read_file`, with the same `root`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from croupier.diagnostics import Diagnostic, Span, diagnose
from croupier.source.limits import LONGEST_REFERENCE

_REASONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:"), "it is an address, and nothing is fetched from a network"),
    (re.compile(r".*[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", re.DOTALL), "it holds a control character"),
    (re.compile(r".*\\"), "folders are separated by `/`"),
    (re.compile(r'.*[:*?"<>|]'), "no name may hold one of the signs : * ? \" < > |"),
    (re.compile(r"(?:.*/)?(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.[^/]*)?(?:/|\Z)", re.IGNORECASE), "some systems reserve this name for a device"),
    (re.compile(r"(?:.*/)?(?!\.\.?(?:/|\Z))[^/]*[. ](?:/|\Z)"), "some systems drop a dot or space at the end of a name"),
    (re.compile(r".*(?://|/\Z)"), "a name is missing beside a `/`"),
)


def locate(reference: str, span: Span | None, folder: Path, root: Path) -> tuple[Path | None, list[Diagnostic]]:
    """The path of the file that a ruleset in `folder` names, or why it cannot be one.

    `root`: the folder that the path may not leave; `folder` lies in it or is it.  Nothing is opened or looked up.
    """
    if not reference:
        return None, [diagnose("X009", span, name=reference, reason="it is empty")]
    if len(reference) > LONGEST_REFERENCE:
        return None, [diagnose("X010", span, limit=LONGEST_REFERENCE)]
    if reference.startswith(("/", "~", "\\")) or re.match(r"[A-Za-z]:", reference):
        return None, [diagnose("X008", span, name=reference)]
    for pattern, reason in _REASONS:
        if pattern.match(reference):
            return None, [diagnose("X009", span, name=reference, reason=reason)]
    path = Path(os.path.normpath(folder / reference))
    if not Path(os.path.abspath(path)).is_relative_to(os.path.abspath(root)):
        return None, [diagnose("X007", span, name=reference)]
    return path, []
