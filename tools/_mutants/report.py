"""The report on mutants: a line a package, then those that survived."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

EQUIVALENT = Path(__file__).parent / "equivalent.csv"
VERDICTS = ("noticed", "equivalent", "survived", "not reached", "not run")
Row = dict[str, Any]


def equivalents() -> dict[tuple[str, str, str, str], str]:
    """Mutants that no test can notice, by file, function, text before and after, with the reason."""
    with EQUIVALENT.open(encoding="utf-8", newline="") as lines:
        return {
            (row["path"], row["function"], row["before"], row["after"]): row["reason"]
            for row in csv.DictReader(lines)
        }


def read(folder: Path) -> list[Row]:
    """The sample with its verdicts; a site without one is `not run`."""
    rows: list[Row] = [
        {**site, "verdict": "not run"}
        for site in json.loads((folder / "sample.json").read_text(encoding="utf-8"))
    ]
    for path in sorted(folder.glob("judged-*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            rows[entry["k"]].update(entry)
    known = equivalents()
    for row in rows:
        if (
            row["verdict"] in ("survived", "not reached")
            and (row["path"], row["function"], row["before"], row["after"]) in known
        ):
            row["verdict"] = "equivalent"
    return rows


def forget_survivors(folder: Path) -> None:
    """Take the verdicts of what survived out of a folder, so that it is judged again."""
    for path in folder.glob("judged-*.jsonl"):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text(
            "".join(line for line in lines if json.loads(line)["verdict"] not in ("survived", "not reached")),
            encoding="utf-8",
        )


def package(row: Row) -> str:
    """The package of the interpreter that a row is in."""
    return str(row["path"]).split("/")[2]


def score(rows: list[Row]) -> tuple[int, int]:
    """Return how many were noticed or are equivalent, and how many were judged: what compiles to the same
    code is no mutant.
    """
    judged = [row for row in rows if row["verdict"] not in ("the same code", "not run")]
    return sum(row["verdict"] in ("noticed", "equivalent") for row in judged), len(judged)


def lines_of(rows: list[Row]) -> list[str]:
    """The report."""
    out = []
    for name in [*sorted({package(row) for row in rows}), "all"]:
        some = [row for row in rows if name in ("all", package(row))]
        good, judged = score(some)
        counts = {verdict: sum(row["verdict"] == verdict for row in some) for verdict in VERDICTS}
        share = f"{100 * good / judged:.1f} %" if judged else "–"
        out.append(
            f"{name:12} {share:>8}  "
            + ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
        )
    for row in rows:
        if row["verdict"] in ("survived", "not reached"):
            place = f"{row['path']}:{row['line']}"
            out.append(
                f"{row['verdict']}: {place} ({row['function']}) {row['operator']}: {row['before']} → "
                f"{row['after']}"
            )
    return out


def show(folder: Path) -> int:
    """Print the report. Exit code 1 if less than 85 % were noticed or are equivalent."""
    rows = read(folder)
    print("\n".join(lines_of(rows)))
    good, judged = score(rows)
    return 0 if judged and good >= 0.85 * judged else 1
