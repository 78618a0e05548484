"""Ten independent mistakes in one file are ten findings, each at its line and column: in YAML, names, types, layout, syntax and citations."""

import pytest

from findings import ROOT, findings

MISTAKES = [
    ("D001", 6, 1, "zoness"),
    ("N003", 18, 11, "Payer"),
    ("N002", 22, 16, "rnak"),
    ("T003", 24, 14, "c.suit == 3"),
    ("N001", 27, 13, "stokc"),
    ("P006", 28, 21, ""),
    ("T001", 33, 37, "worth(c)"),
    ("T047", 34, 19, "hand"),
    ("P001", 35, 24, ""),
    ("N008", 36, 48, "9"),
]


def test_ten_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = findings(ROOT / "tests" / "language" / "mistakes" / "ten_mistakes.yaml")
    assert [(d.code, d.span.line, d.span.column, d.span.text) for d in found if d.span is not None] == MISTAKES
    assert len(found) == 10
