"""Passes, as text: what goes in and what comes out. A case names its passes in its first line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core_interpreter import Interpreter
from croupier.core import text
from croupier.core.types import CoreProgram
from croupier.core.verify import verify
from croupier.passes.arrays import scalarize_arrays
from croupier.passes.constant_functions import tabulate_constant_functions
from croupier.passes.constants import propagate_constants
from croupier.passes.fuel_bounds import prepay_fuel
from croupier.passes.inlining import inline_calls
from croupier.passes.locals import eliminate_locals, exit_searches_early
from croupier.passes.loop_tables import fuse_search_and_use, tabulate_loops
from croupier.passes.memoization import memoize_offers
from croupier.passes.offers import remove_offer_flags
from croupier.passes.pipeline import prepare_steps
from croupier.passes.zones import fold_loose_tests

FOLDER = Path(__file__).parents[2] / "data" / "passes"
PASSES: dict[str, Callable[[CoreProgram], CoreProgram]] = {
    "values": propagate_constants, "locals": eliminate_locals, "marks": remove_offer_flags,
    "arrays": scalarize_arrays,
    "inline": inline_calls, "constant": tabulate_constant_functions, "memo": memoize_offers,
    "free": lambda program: prepay_fuel(program, 10_000)[0],
    "leaving": exit_searches_early, "rows": tabulate_loops, "found": fuse_search_and_use,
    "parts": fold_loose_tests,
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
    p = Interpreter(prepare_steps(program))
    return p.failed, p.memories["v0"], p.memories["out"], p.zones, p.offers, len(p.frames)
