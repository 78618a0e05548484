"""Semantic tokens, by the documents in tokens.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls")

from croupier.diagnostics import Source
from croupier.lsp.analysis import real_path
from croupier.lsp.tokens import MODIFIERS, TYPES, encode, semantic_tokens
from croupier.lsp.workspace import Workspace, uri_of
from croupier.source import YamlMapping, YamlScalar, YamlSequence, read

DATA = Path(__file__).parent / "tokens.yaml"


def documents() -> list[tuple[str, str, str]]:
    """What each is, its text, its tokens."""
    root, found = read(Source(DATA.name, DATA.read_text(encoding="utf-8")))
    assert isinstance(root, YamlMapping), found
    game, cases = root.get("game"), root.get("cases")
    assert isinstance(game, YamlScalar) and isinstance(cases, YamlSequence)
    rows = []
    for case in cases.items:
        assert isinstance(case, YamlMapping)
        of, text, tokens = (case.get(key) for key in ("of", "text", "tokens"))
        assert isinstance(of, YamlScalar)
        rows.append(
            (
                of.text,
                text.text if isinstance(text, YamlScalar) else game.text,
                tokens.text if isinstance(tokens, YamlScalar) else "",
            )
        )
    return rows


def listed(tmp_path: Path, text: str) -> str:
    workspace = Workspace()
    path = workspace.put(uri_of(real_path(tmp_path / "ruleset.yaml")), text)
    source = workspace.source(path)
    assert source is not None
    tokens = semantic_tokens(source, workspace.last_good(path))
    lines: dict[int, list[str]] = {}
    for token in tokens:
        word = text[token.start : token.end]
        assert "\n" not in word
        lines.setdefault(source.position(token.start)[0], []).append(
            f"{word}={'.'.join((token.type, *token.modifiers))}"
        )
    for at in range(0, len(text), 37):  # a part has the tokens of the whole that lie in it
        part = [token for token in tokens if token.start < at + 80 and token.end > at]
        assert semantic_tokens(source, workspace.last_good(path), at, at + 80) == part
    return "".join(f"{number}: {'  '.join(words)}\n" for number, words in lines.items())


@pytest.mark.parametrize(("of", "text", "tokens"), documents(), ids=lambda x: x if "\n" not in x else "")
def test_each_word_has_its_kind(of: str, text: str, tokens: str, tmp_path: Path) -> None:
    assert listed(tmp_path, text) == tokens


def test_they_are_sent_as_differences() -> None:
    places = [
        (0, 4, 3, "keyword", ()),
        (0, 9, 1, "variable", ("declaration", "state")),
        (2, 1, 2, "number", ()),
    ]
    bits = 2 ** MODIFIERS.index("declaration") + 2 ** MODIFIERS.index("state")
    assert encode(places) == [
        0,
        4,
        3,
        0,
        0,
        0,
        5,
        1,
        TYPES.index("variable"),
        bits,
        2,
        1,
        2,
        TYPES.index("number"),
        0,
    ]
