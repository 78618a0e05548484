"""The variants in a ruleset's folder: the files in `variants/`, and those beside the ruleset that say at their margin what they extend."""

from __future__ import annotations

import re
from pathlib import Path

from croupier.resources import MAIN_FILE, SUFFIXES, variants_in
from croupier.source import read_file

_EXTENDS = re.compile(r"^(['\"]?)extends\1\s*:", re.MULTILINE)


def variant_files(root: Path) -> list[Path]:
    """The files of the variants in a ruleset's folder: those of `variants/` first, each group in alphabetical order.

    What a file beside the ruleset is, is told by its text and not by its tree: one that cannot be read as YAML is a variant all the same.
    """
    beside = sorted(path for path in root.iterdir() if path.suffix in SUFFIXES and path.name != MAIN_FILE and path.is_file())
    return [*variants_in(root), *(path for path in beside if _extends(path, root))]


def _extends(path: Path, root: Path) -> bool:
    source, _ = read_file(path, root)
    return source is not None and _EXTENDS.search(source.text) is not None
