"""Ten independent mistakes in one file are ten findings, each at its line and column, what cannot be
parsed before the others of its stage: in YAML, names, types, layout, syntax and citations."""

import pytest

from findings import ROOT, findings

MISTAKES = [
    ("D001", 6, 1, "zoness"),
    ("P006", 28, 21, ""),
    ("P001", 35, 24, ""),
    ("N003", 18, 11, "Payer"),
    ("N002", 22, 16, "rnak"),
    ("T003", 24, 14, "c.suit == 3"),
    ("N001", 27, 13, "stokc"),
    ("T001", 33, 37, "worth(c)"),
    ("T047", 34, 19, "hand"),
    ("N008", 36, 48, "9"),
]

OTHERS = [
    ("D104", 12, 30, "stack"),
    ("P006", 26, 21, ""),
    ("T017", 8, 36, "9"),
    ("N002", 10, 63, "nubmer"),
    ("G005", 16, 3, "leader"),
    ("F005", 20, 15, "c.suit"),
    ("N018", 23, 11, "wort"),
    ("N001", 31, 19, "rwo"),
    ("T003", 32, 12, "p == 1"),
    ("T001", 34, 12, "hand[p]"),
]


def test_ten_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = findings(ROOT / "tests" / "language" / "mistakes" / "ten_mistakes.yaml")
    assert [
        (d.code, d.span.line, d.span.column, d.span.text) for d in found if d.span is not None
    ] == MISTAKES
    assert len(found) == 10


def test_ten_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of set-up, types of columns, orders of zones, start values, cases, hooks, layout, names, comparisons,
    conditions.
    """
    monkeypatch.chdir(ROOT)
    found = findings(ROOT / "tests" / "language" / "mistakes" / "ten_more.yaml")
    assert [(d.code, d.span.line, d.span.column, d.span.text) for d in found if d.span is not None] == OTHERS
    assert len(found) == 10
