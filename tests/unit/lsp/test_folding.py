"""What can be folded, and what is found by its name in a workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls")

from croupier.diagnostics import Source
from croupier.lsp.outline import folds, workspace_symbols
from croupier.lsp.workspace import Workspace, uri_of

TEXT = """# one
# two

types:
  A: [x,
      y]
phases:
  play: |
    if a:
        for b in c:
            pass

        pass
    pass

  # three
  END: pass
"""


def test_what_can_be_folded() -> None:
    found = [(f.first, f.last, f.comment) for f in folds(Source("t", TEXT))]
    assert found == [
        (0, 1, True), (3, 5, False), (3, 16, False), (4, 5, False), (6, 16, False), (7, 13, False), (8, 12, False), (9, 10, False),
    ]  # fmt: skip
    assert folds(Source("t", "a: [\n")) == []


def test_a_name_is_found_in_files_that_are_not_open(tmp_path: Path) -> None:
    head = "croupier: 1\nruleset: a\ntitle: A\nplayers: 2\n"
    for name, text in {
        "a/ruleset.yaml": f"{head}state:\n  score: 0..9 = 0\n"
        "definitions: |\n  def score_of(p: Player) -> int:\n      return 1\nphases: {END: pass}\n",
        "a/variants/b.yaml": "croupier: 1\nextends: ../ruleset.yaml\nadd: {}\nzones:\n  scores: {holds: Card}\n",
        "a/notes.yaml": "zones:\n  scored: {}\n",
        ".hidden/ruleset.yaml": f"{head}state:\n  score: 0..9 = 0\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    workspace = Workspace()
    found = workspace_symbols(workspace, [str(tmp_path)], "Sco")
    assert [(item.name, item.kind, section) for item, section in found] == [
        ("score", "state", "state"), ("score_of", "definition", "definitions"), ("scores", "zone", "zones"),
    ]  # fmt: skip
    workspace.put(uri_of(str(tmp_path / "a/ruleset.yaml")), head + "state:\n  socks: 0..9 = 0\n")
    assert [item.name for item, _ in workspace_symbols(workspace, [str(tmp_path)], "sc")] == ["socks", "scores"]
