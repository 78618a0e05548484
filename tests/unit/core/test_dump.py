"""Each stage as text: recorded for one ruleset, the same for any hash seed, without a gap for every other.

To record again: `PYTHONPATH=interpreter python tests/unit/core/test_dump.py`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import croupier
from croupier.pipeline import dump, stage_of

STAGES = ("ast", "typed", "core")
RECORDED = Path(__file__).parent / "recorded"
RULESET = "tic_tac_toe"


@pytest.mark.parametrize("stage", STAGES)
def test_recorded(stage: str) -> None:
    wanted = (RECORDED / f"{RULESET}.{stage}.txt").read_text(encoding="utf-8")
    assert dump(RULESET, stage) == wanted, f"to record again: python {Path(__file__).name}"


def test_every_ruleset_has_every_stage() -> None:
    from programs import names, rulesets

    # `hosts` makes things with fields, whose places are no nodes
    for name in sorted({*names()[::16], "rulesets/library/hosts/ruleset.yaml"}):
        for place, r in rulesets(name).items():
            for stage in STAGES:
                text = stage_of(r, stage)
                assert text.strip() and "object at 0x" not in text and "could not be read" not in text, (
                    place,
                    stage,
                )


def test_the_same_for_every_hash_seed() -> None:
    program = Path(__file__).resolve().parents[2] / "data" / "programs" / "windows.yaml"
    code = (
        f"from croupier.pipeline import dump; print(*(dump({str(program)!r}, stage) for stage in {STAGES!r}))"
    )
    outputs = set()
    for seed in ("1", "2"):
        env = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": str(Path(croupier.__file__).parents[1]),
            "PYTHONIOENCODING": "utf-8",
        }
        outputs.add(
            subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True).stdout
        )
    assert len(outputs) == 1


def test_lines_carry_the_author_s_line_numbers() -> None:
    text = dump(RULESET, "typed")
    source = (
        (Path(croupier.__file__).parents[2] / "rulesets" / "classics" / RULESET / "ruleset.yaml")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    at = next(line for line in text.splitlines() if "finish win" in line)
    assert "finish win" in source[int(at.split()[0]) - 1]


def test_watchers_are_in_the_dump() -> None:
    text = dump(Path(__file__).resolve().parents[2] / "data" / "programs" / "maps_of_none.yaml", "typed")
    assert [line.split(":")[0] for line in text.splitlines() if line.startswith("watcher ")] == ["watcher 0"]


if __name__ == "__main__":
    for each in STAGES:
        (RECORDED / f"{RULESET}.{each}.txt").write_text(dump(RULESET, each), encoding="utf-8")
