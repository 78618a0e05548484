"""Signature help, by the calls in calls.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls")

from croupier.diagnostics import Source
from croupier.lsp.signatures import signature_at
from croupier.lsp.workspace import Workspace, uri_of
from croupier.source import YamlMapping, YamlScalar, YamlSequence, read

FOLDER = Path(__file__).parent


def _read(name: str) -> object:
    root, found = read(Source(name, (FOLDER / name).read_text(encoding="utf-8")))
    assert root is not None, found
    return root


def cases() -> list[dict[str, str]]:
    root = _read("calls.yaml")
    assert isinstance(root, YamlSequence)
    return [
        {k.text: v.text for k, v in item.entries if isinstance(v, YamlScalar)}
        for item in root.items
        if isinstance(item, YamlMapping)
    ]


@pytest.mark.parametrize("case", cases(), ids=lambda c: c["in"])
def test_the_call_around_the_cursor(case: dict[str, str], tmp_path: Path) -> None:
    root = _read("completions.yaml")
    assert isinstance(root, YamlMapping)
    game = root.get("game")
    assert isinstance(game, YamlScalar)
    workspace, uri = Workspace(), uri_of(str(tmp_path / "ruleset.yaml"))
    path = workspace.put(uri, game.text.replace("LINE", "pass"))
    assert workspace.last_good(path) is not None
    text = game.text.replace("LINE", case["in"])
    workspace.put(uri, text.replace("¦", ""))
    found = signature_at(workspace, path, text.index("¦"))
    assert (found.line if found is not None else None) == case.get("line")
    if found is not None:
        at = found.parameters[found.active] if found.active is not None else None
        assert (found.line[slice(*at)] if at is not None else None) == case.get("at")
