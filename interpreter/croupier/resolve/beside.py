"""The variants in a ruleset's folder: the files in `variants/`, and those beside the ruleset that say at their margin what they extend."""

from __future__ import annotations

import re
from pathlib import Path

from croupier.diagnostics import Diagnostic
from croupier.resources import MAIN_FILE, files_in, variants_in
from croupier.source import read_file

_EXTENDS = re.compile(r"^(['\"]?)extends\1\s*:", re.MULTILINE)


def variant_files(root: Path) -> tuple[list[Path], list[Diagnostic]]:
    """The files of the variants in a ruleset's folder: those of `variants/` first, each group in alphabetical order; and what cannot be read there.

    What a file beside the ruleset is, is told by its text and not by its tree: one that cannot be read as YAML is a variant all the same.
    """
    inner, problems = variants_in(root)
    beside, more = files_in(root)
    more = [d for d in more if d.code != "X002"]  # here a folder may be called as it likes
    return [*inner, *(path for path in beside if path.name != MAIN_FILE and _extends(path, root))], [*problems, *more]


def _extends(path: Path, root: Path) -> bool:
    source, _ = read_file(path, root)
    return source is not None and _EXTENDS.search(source.text) is not None
