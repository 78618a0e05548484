"""A text that is read section by section says what it says as a whole, whatever was read before: random edits
of real rulesets.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from croupier.diagnostics import Source
from croupier.source import yaml_policy
from croupier.source.yaml_policy import _parse_section, _section_from, parse_events
from croupier.source.yaml_tree import _read

FILES = [
    *sorted((Path(__file__).parents[3] / "rulesets").glob("*/ruleset.yaml")),
    Path(__file__).parents[2] / "data" / "stalls" / "ruleset.yaml",
]
SIGNS = [
    "x", ":", " ", "\n", "\n\n", "[", "]", "{", "}", '"', "'", "#", "- ", "|", ">", "&a ", "*a ",
    "!t ", "---\n", "...\n", "%", "a: b\n", "\t", "<<: ", ", ",
]  # fmt: skip


ENTRIES = """\
croupier: 1
state: # of one line each
  # a comment
  a: 1 # another
  "b c": {d: 1,
    e: [2]}

  f:
    g: |
      if h:
         i

  j: "k
    l"
  m: n
    o
phases:
    p: >
      q
    r:
    s: |+

"""


def edited(text: str, draw: random.Random) -> str:
    """A text with some signs put in or left out."""
    for _ in range(draw.randrange(3)):
        at = draw.choice([draw.randrange(len(text)), text.rfind("\n", 0, draw.randrange(len(text))) + 1])
        text = (
            text[:at]
            + (draw.choice(SIGNS) if draw.random() < 0.7 else "")
            + text[at + draw.choice([0, 0, 1, 5]) :]
        )
    return text


def same(text: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a text is read by entries, which must say what the whole says."""
    monkeypatch.undo()
    _section_from.cache_clear()
    _parse_section.cache_clear()
    source = Source("ruleset.yaml", text)
    entries: list[object] = []
    by_entries = yaml_policy._parse_by_entries
    monkeypatch.setattr(
        yaml_policy, "_parse_by_entries", lambda text: entries.append(by_entries(text)) or entries[-1]
    )
    found = _read.__wrapped__(source)
    monkeypatch.setattr(yaml_policy, "_parse_by_sections", lambda text: None)
    assert found == _read.__wrapped__(source)
    return any(entries)


def test_entries_are_read_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(1)
    assert same(ENTRIES, monkeypatch)
    assert sum(same(edited(ENTRIES, draw), monkeypatch) for _ in range(400)) > 100
    for at in range(len(ENTRIES)):
        for sign in ("\n", " ", "#"):
            same(ENTRIES[:at] + sign + ENTRIES[at:], monkeypatch)
        same(ENTRIES[:at] + ENTRIES[at + 1 :], monkeypatch)


def test_an_edit_reads_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    collect = yaml_policy._collect
    monkeypatch.setattr(
        yaml_policy,
        "_collect",
        lambda source, *rest, **more: read.append(source.text) or collect(source, *rest, **more),
    )
    _read(Source("ruleset.yaml", ENTRIES))
    read.clear()
    _read(Source("ruleset.yaml", ENTRIES.replace("if h", "if hh")))
    assert [text.split()[0] for text in read] == ["f:"]


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
