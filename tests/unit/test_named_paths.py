"""Every file that a docstring or a comment of the interpreter names is there."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "interpreter" / "croupier"
EXAMPLES = {"FILE.py", "my_bots.py"}  # stand for files of whoever reads
NAMED = re.compile(r"(?<![\w/.<])(?:[\w-]+/)*[\w-]+\.py\b")


def _missing(path: Path) -> list[str]:
    """The files that texts and comments of a module name and that are not there, each with its line.

    A path begins in the module's folder, in the one above, in the package or at the root.
    """
    found = []
    with path.open("rb") as file:
        tokens = list(tokenize.tokenize(io.BytesIO(file.read()).readline))
    for token in tokens:
        if token.type not in (tokenize.STRING, tokenize.COMMENT):
            continue
        for named in NAMED.finditer(token.string):
            places = (path.parent, path.parent.parent, PACKAGE, PACKAGE.parent, ROOT)
            if named.group() not in EXAMPLES and not any(
                (place / named.group()).exists() for place in places
            ):
                line = token.start[0] + token.string.count("\n", 0, named.start())
                found.append(f"{path.relative_to(ROOT).as_posix()}:{line}: {named.group()}")
    return found


def test_files_that_are_named_are_there() -> None:
    missing = [one for path in sorted(PACKAGE.rglob("*.py")) for one in _missing(path)]
    assert not missing, "\n".join(missing)
