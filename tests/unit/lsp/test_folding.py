"""What can be folded."""

from __future__ import annotations

import pytest

pytest.importorskip("pygls")

from croupier.diagnostics import Source
from croupier.lsp.folding import folds

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
        (0, 1, True), (3, 5, False), (3, 16, False), (4, 5, False), (6, 16, False), (7, 13, False),
        (8, 12, False), (9, 10, False),
    ]  # fmt: skip
    assert folds(Source("t", "a: [\n")) == []
