"""A text that is read section by section says what it says as a whole, whatever was read before: random edits of real rulesets."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from croupier.diagnostics import Source
from croupier.source import yaml_policy
from croupier.source.yaml_policy import parse_events
from croupier.source.yaml_tree import _read

FILES = [*sorted((Path(__file__).parents[3] / "rulesets").glob("*/ruleset.yaml")), Path(__file__).parents[2] / "data" / "stalls" / "ruleset.yaml"]
SIGNS = [
    "x", ":", " ", "\n", "\n\n", "[", "]", "{", "}", '"', "'", "#", "- ", "|", ">", "&a ", "*a ",
    "!t ", "---\n", "...\n", "%", "a: b\n", "\t", "<<: ", ", ",
]  # fmt: skip


def edited(text: str, draw: random.Random) -> str:
    """A text with some signs put in or left out."""
    for _ in range(draw.randrange(3)):
        at = draw.choice([draw.randrange(len(text)), text.rfind("\n", 0, draw.randrange(len(text))) + 1])
        text = text[:at] + (draw.choice(SIGNS) if draw.random() < 0.7 else "") + text[at + draw.choice([0, 0, 1, 5]) :]
    return text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_sections_are_read_as_a_whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw, good = random.Random(path.parent.name), path.read_text(encoding="utf-8")
    good = good if len(good) < 12_000 else good[: good.rindex("\n", 0, 12_000)] + "\n"
    by_sections = 0
    for _ in range(12):
        source = Source("ruleset.yaml", edited(good, draw))
        monkeypatch.undo()
        sections = yaml_policy._parse_by_sections(source.text)
        by_sections += sections is not None
        found = _read.__wrapped__(source)
        monkeypatch.setattr(yaml_policy, "_parse_by_sections", lambda text: None)
        whole = parse_events(source)
        assert found == _read.__wrapped__(source)
        if sections is not None:
            assert whole.complete and not whole.diagnostics
            assert [type(e) for e in sections] == [type(e) for e in whole.events]
    assert by_sections > 1
