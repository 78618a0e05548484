"""The parts of the language server that need no server: positions, completion, places, names in scenarios."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import (
    Position,
    Range,
    TextDocumentContentChangePartial,
    TextDocumentContentChangeWholeDocument,
)

from croupier.diagnostics import Source
from croupier.lsp.analysis import analyse, real_path
from croupier.lsp.completion import complete
from croupier.lsp.hover import hover
from croupier.lsp.protocol import Positions
from croupier.lsp.workspace import Workspace, path_of, uri_of
from croupier.pipeline import check
from croupier.resources import shipped
from croupier.source import YamlMapping, YamlScalar, YamlSequence, read

DATA = Path(__file__).parent / "completions.yaml"


def plain(node: object) -> object:
    if isinstance(node, YamlMapping):
        return {key.text: plain(value) for key, value in node.entries}
    if isinstance(node, YamlSequence):
        return [plain(item) for item in node.items]
    assert isinstance(node, YamlScalar)
    return node.text


def cases() -> tuple[str, list[dict]]:
    root, found = read(Source(DATA.name, DATA.read_text(encoding="utf-8")))
    assert root is not None, found
    data = plain(root)
    return data["game"], data["cases"]


@pytest.mark.parametrize("case", cases()[1], ids=lambda c: c["in"])
def test_what_is_offered(case: dict, tmp_path: Path) -> None:
    game, name = cases()[0], "ruleset.yaml"
    if case.get("of") == "variant":
        (tmp_path / name).write_text(game.replace("    LINE\n", ""), encoding="utf-8")
        good, name = "croupier: 1\nextends: ../ruleset.yaml\n", "variants/own.yaml"
        game = f"{good}{case['in']}\n"
    elif "where" in case:
        line = next(x for x in game.split("\n") if x.startswith(case["where"]))
        good, game = (
            game.replace("    LINE\n", ""),
            game.replace("    LINE\n", "").replace(line, case["in"], 1),
        )
    else:
        good, game = game.replace("    LINE\n", ""), game.replace("LINE", case["in"])
    workspace = Workspace()
    for other in case.get("beside", []):
        (tmp_path / other).parent.mkdir(exist_ok=True)
        (tmp_path / other).write_text("croupier: 1\nextends: ../ruleset.yaml\n", encoding="utf-8")
    uri = uri_of(str(tmp_path / name))
    path = workspace.put(uri, good)
    assert workspace.analysis(path) is not None
    offset = game.index("¦")
    workspace.put(uri, game.replace("¦", ""))
    labels = [e.label for e in complete(workspace, path, offset)]
    assert set(case.get("has", [])) <= set(labels), labels[:40]
    assert sorted(set(case.get("lacks", [])) & set(labels)) == []
    assert labels[: len(case.get("first", []))] == case.get("first", [])


@given(
    st.text(alphabet="aä€😀\n\r\t", max_size=30), st.sampled_from(["utf-8", "utf-16", "utf-32"]), st.data()
)
def test_positions_come_back(text: str, encoding: str, data: st.DataObject) -> None:
    source, positions = Source("t", text), Positions(encoding)
    offset = data.draw(st.integers(0, len(text)))
    there = positions.position(source, offset)
    back = positions.offset(source, there)
    assert back == offset or text[back:offset] in ("\r", "\n", "\r\n")


SIGNS = st.text(alphabet="aä€😀\n\r\u2028\x0c", max_size=12)


@given(SIGNS, st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20), SIGNS), max_size=4))
def test_changes_of_ranges_give_the_text_that_the_editor_has(
    text: str, edits: list[tuple[int, int, str]]
) -> None:
    """Lines end with a line feed, a carriage return or both; columns are in units of UTF-16: nothing else
    counts.
    """
    first, changes = text, []
    for begin, end, new in edits:
        begin, end = sorted((min(begin, len(text)), min(end, len(text))))
        # there is no position between these two
        if "\r\n" in (text[begin - 1 : begin + 1], text[end - 1 : end + 1]):
            continue
        places = []
        for offset in (begin, end):
            lines = re.split("\r\n|\n|\r", text[:offset])
            places.append(Position(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2))
        changes.append(TextDocumentContentChangePartial(Range(*places), new))
        text = text[:begin] + new + text[end:]
    assert Positions().changed(first, changes) == text
    assert Positions().changed(first, [*changes, TextDocumentContentChangeWholeDocument("b")]) == "b"


def test_columns_count_units_of_utf_16() -> None:
    source = Source("t", "a\n😀b: c")
    assert Positions().position(source, 4) == Position(1, 3)
    assert Positions().offset(source, Position(1, 3)) == 4
    assert Positions("utf-8").position(source, 4) == Position(1, 5)
    assert Positions().offset(source, Position(99, 0)) == len(source.text)
    assert Positions().offset(source, Position(1, 99)) == len(source.text)


@pytest.mark.parametrize("name", [name for name in shipped() if "/" not in name])
def test_the_analysis_finds_what_the_checker_finds_and_every_name_can_be_asked_about(name: str) -> None:
    place = shipped()[name]
    analysis = analyse(real_path(place.path), {})
    assert {(d.code, str(d.span)) for d in analysis.diagnostics} == {
        (d.code, str(d.span)) for d in check(place.path).diagnostics
    }
    assert all(use.span.text for use in analysis.index.uses)
    for use in analysis.index.uses[::7]:
        found = hover(analysis, real_path(use.span.source.name), use.span.start)
        assert found is not None and found[0].strip(), use


def test_addresses_become_paths_and_back(tmp_path: Path) -> None:
    path = str(tmp_path / "a b" / "ä#.yaml")
    assert path_of(uri_of(path)) == path
    assert path_of("untitled:Untitled-1").endswith("Untitled-1.yaml")


def test_a_huge_text_is_refused_quickly(tmp_path: Path) -> None:
    workspace = Workspace()
    path = workspace.put(uri_of(str(tmp_path / "big.yaml")), "a: b\n" * 400_000)
    start = time.process_time()
    found = workspace.diagnose(path, thorough=True)
    assert [d.code for d in found[path]] == ["X005"] and time.process_time() - start < 2
    complete(workspace, path, 17)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0",
        "a: [",
        "- - -",
        "\ud800",
        "croupier: 1\nphases: {x: |\n",
        "&a *a",
        "{" * 200,
        "croupier: 3\nphases: 1\n",
    ],
)
def test_broken_texts_get_answers(text: str, tmp_path: Path) -> None:
    workspace = Workspace()
    path = workspace.put(uri_of(str(tmp_path / "broken.yaml")), text)
    workspace.diagnose(path, thorough=True)
    for offset in {0, len(text) // 2, len(text)}:
        complete(workspace, path, offset)
        analysis = workspace.analysis(path)
        assert analysis is None or hover(analysis, path, offset) is None
