"""Passes, as text: what goes in and what comes out. A case names its passes in its first line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core_interpreter import Interpreter
from croupier.core import text
from croupier.core.types import CoreProgram
from croupier.core.verify import verify
from croupier.passes.arrays import with_fewer_arrays
from croupier.passes.constant import with_constant_arrays
from croupier.passes.free import freed
from croupier.passes.inline import with_short_calls
from croupier.passes.locals import leaving_early, with_fewer_locals
from croupier.passes.memo import with_kept_offers
from croupier.passes.offers import without_marks
from croupier.passes.pipeline import ready
from croupier.passes.rows import found_at_once, with_rows
from croupier.passes.values import with_known_values
from croupier.passes.zones import without_parts

FOLDER = Path(__file__).parents[2] / "data" / "passes"
PASSES: dict[str, Callable[[CoreProgram], CoreProgram]] = {
    "values": with_known_values, "locals": with_fewer_locals, "marks": without_marks, "arrays": with_fewer_arrays,
    "inline": with_short_calls, "constant": with_constant_arrays, "memo": with_kept_offers, "free": lambda program: freed(program, 10_000)[0],
    "leaving": leaving_early, "rows": with_rows, "found": found_at_once, "parts": without_parts,
}  # fmt: skip
MEMORY = """\
program small 2 main -
table T0[9] 3 0 1 2 3 1 4 7 9
state v0[9] 0 1 -1 0 1 -1 0 1 -1
state out[4] 0 0 0 0
zone 4 0 2 3
"""


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: str(path.stem))
def test_a_pass(path: Path) -> None:
    names, _, rest = path.read_text("utf-8").partition("\n")
    before, _, after = rest.partition("=>\n")
    program = text.read(MEMORY + before)
    verify(program)
    made = program
    for name in names.removeprefix("# ").split():
        made = PASSES[name](made)
    verify(made)
    written = text.write(made)
    assert written[written.index("function") :].rstrip() == after.rstrip()
    assert ran(made) == ran(program), "another meaning"


def ran(program: CoreProgram) -> object:
    """What there is after the program ran to its first wait, or to its end."""
    p = Interpreter(ready(program))
    return p.failed, p.memories["v0"], p.memories["out"], p.zones, p.offers, len(p.frames)
