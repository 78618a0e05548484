"""Which tests are slow: those that `tools/test` leaves to `tools/test --all`.

`tests/slow.txt` names them, a test function a line as `PATH::NAME`, with all values of its parameters
together. `tools/test --all --record-slow` writes it anew: it measures every test and leaves the cheapest in
the quick run, as many as its budget holds. What data says, the examples of the specification, the diagnostics
and the scenarios of the rules, is always in the quick run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "tests" / "slow.txt"
BUDGET = 205.0  # seconds of all tests of the quick run together, where nothing else runs
ALWAYS = ("tests/language/", "tests/diagnostics/")
HEAD = """\
# Tests that `tools/test` leaves to `tools/test --all`, with the seconds that they took when this was written by `tools/test --all --record-slow`.
"""  # noqa: E501 the text as it is read


def function_of(node: str) -> str:
    """The test function of a node: `PATH::NAME`, without the values of its parameters."""
    return node.partition("[")[0].split("@")[0]


def read() -> frozenset[str]:
    """The slow tests."""
    if not LIST.exists():
        return frozenset()
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return frozenset(line.split()[0] for line in lines if line and not line.startswith("#"))


def chosen(seconds: Mapping[str, float]) -> dict[str, float]:
    """The functions that the quick run leaves out, of all with their seconds: the most expensive ones, until
    the others fit into the budget.
    """
    left_out: dict[str, float] = {}
    total = sum(seconds.values())
    for name, cost in sorted(seconds.items(), key=lambda item: -item[1]):
        if total <= BUDGET:
            break
        if not name.startswith(ALWAYS):
            left_out[name] = cost
            total -= cost
    return left_out


def totals(durations: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The seconds of each test function, of the durations of nodes."""
    found: dict[str, float] = defaultdict(float)
    for node, seconds in durations:
        found[function_of(node)] += seconds
    return dict(found)


def write(seconds: Mapping[str, float]) -> None:
    """Write the list anew."""
    lines = [f"{name}  {cost:.1f}\n" for name, cost in sorted(chosen(seconds).items())]
    LIST.write_text(HEAD + "".join(lines), encoding="utf-8")
