"""Texts that stand for files: read instead of them, under the same rules, and only while they do."""

from __future__ import annotations

from pathlib import Path

import croupier
from croupier.source import read_file
from croupier.source.files import buffered, buffers


def test_a_text_stands_for_a_file_for_a_while(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("saved", encoding="utf-8")
    with buffers({path: "\ufeffnot saved"}):
        source, found = read_file(tmp_path / "x" / ".." / "a.yaml", tmp_path)
        assert source is not None and source.text == "not saved" and not found
        with buffers({}):
            assert buffered(path) is None
    source, _ = read_file(path)
    assert source is not None and source.text == "saved"


def test_a_file_need_not_exist(tmp_path: Path) -> None:
    with buffers(
        {
            tmp_path
            / "new.yaml": "croupier: 1\nruleset: new\ntitle: New\nplayers: 2\nphases: {play: finish draw}\n"
        }
    ):
        assert croupier.check(tmp_path / "new.yaml").ruleset is not None
    assert [d.code for d in croupier.check(tmp_path / "new.yaml").diagnostics] == ["X001"]


def test_limits_and_folders_hold(tmp_path: Path) -> None:
    with buffers({tmp_path / "big.yaml": "é" * 600, tmp_path / "out.yaml": "a"}):
        assert [d.code for d in read_file(tmp_path / "big.yaml", limit=1000)[1]] == ["X005"]
        assert [d.code for d in read_file(tmp_path / "out.yaml", tmp_path / "inside")[1]] == ["X007"]
