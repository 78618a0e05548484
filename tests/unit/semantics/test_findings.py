"""What checking finds in small rulesets: the table `findings.yaml`."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.diagnostics import Diagnostic
from findings import ROOT, findings, findings_of

TABLE: list[dict[str, Any]] = YAML(typ="safe", pure=True).load(
    Path(__file__).with_name("findings.yaml").read_text(encoding="utf-8")
)
BASE = (ROOT / "tests" / "conformance" / "base.yaml").read_text(encoding="utf-8")


def found_in(row: dict[str, Any], folder: Path) -> list[Diagnostic]:
    """The mistakes in what a row writes."""
    if "rules" in row:
        return findings_of(row["rules"], folder)
    if "module" in row:
        path = folder / "example.yaml"
        path.write_text(row["module"], encoding="utf-8")
        return list(croupier.check(path).diagnostics)
    text = BASE
    if "play" in row:
        text = text.replace("  play: pass\n", "  play: |\n" + indent(row["play"], "    "))
    if "definitions" in row:
        text = text.replace("phases:\n", indent(row["definitions"], "  ") + "phases:\n")
    path = folder / "example.yaml"
    path.write_text(text, encoding="utf-8")
    return findings(path)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["name"])
def test_findings(row: dict[str, Any], tmp_path: Path) -> None:
    found = [d for d in found_in(row, tmp_path) if d.is_error]
    wanted = [str(words).partition(" … ") for words in row["finds"]]
    assert [f"{d.code} {d.span.text if d.span else ''}".strip() for d in found] == [w[0] for w in wanted]
    for d, (_, _, words) in zip(found, wanted, strict=True):
        fix = d.fix.title if d.fix is not None else ""
        assert words in " ".join([d.message, d.help or "", fix, *(label.text for label in d.labels)])


def test_an_end_without_result_is_told_at_the_beginning_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "endless.yaml"
    path.write_text("croupier: 1\nruleset: a\ntitle: A\nplayers: 2\nphases: {play: pass}\n", encoding="utf-8")
    fault = croupier.load(path).new_initial_state().fault
    assert fault is not None and fault.span is not None
    assert (fault.code, fault.span.start, fault.span.end) == ("R009", 0, 0)
