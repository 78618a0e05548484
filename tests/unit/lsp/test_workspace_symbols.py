"""What is found by its name in a workspace, and what is read for that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from croupier.diagnostics import Source
from croupier.lsp.outline import OutlineItem, outline
from croupier.lsp.workspace_symbols import SKIPPED, DeclaredName, WorkspaceSymbols, names_in
from croupier.resources import SUFFIXES

HEAD = "croupier: 1\nruleset: a\ntitle: A\nplayers: 2\n"
RULESETS = Path(__file__).parents[3] / "rulesets"


def searched(
    symbols: WorkspaceSymbols, texts: dict[str, str], folder: Path, query: str
) -> list[DeclaredName]:
    return [name for some in symbols.search(texts, [str(folder)], query) for name in some]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "a/ruleset.yaml": f"{HEAD}state:\n  score: 0..9 = 0\n"
        "definitions: |\n  def score_of(p: Player) -> int:\n      return 1\nphases: {END: pass}\n",
        "a/variants/b.yaml": "croupier: 1\nextends: ../ruleset.yaml\nadd: {}\nzones:\n  scores: {holds: "
        "Card}\n",
        "a/notes.yaml": "zones:\n  scored: {}\n",
        ".hidden/ruleset.yaml": f"{HEAD}state:\n  score: 0..9 = 0\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_name_is_found_in_files_that_are_not_open(folder: Path) -> None:
    symbols = WorkspaceSymbols()
    assert [(name.name, name.kind, name.container) for name in searched(symbols, {}, folder, "Sco")] == [
        ("score", "state", "state"), ("score_of", "definition", "definitions"), ("scores", "zone", "zones"),
    ]  # fmt: skip
    opened = {str(folder / "a/ruleset.yaml"): HEAD + "state:\n  socks: 0..9 = 0\n"}
    assert [name.name for name in searched(symbols, opened, folder, "sc")] == ["socks", "scores"]


def test_a_file_is_read_once_until_it_changes(folder: Path) -> None:
    symbols = WorkspaceSymbols()
    for query in ("s", "sc", "sco"):
        searched(symbols, {}, folder, query)
    assert symbols.count == 2
    (folder / "a/ruleset.yaml").write_text(HEAD + "state:\n  other_score: 0..9 = 0\n")
    assert [name.name for name in searched(symbols, {}, folder, "score")] == ["other_score", "scores"]
    assert symbols.count == 3


def test_whoever_asks_can_stop_between_two_files(folder: Path) -> None:
    symbols = WorkspaceSymbols()
    next(symbols.search({}, [str(folder)], ""))
    assert symbols.count == 1


def of_outline(items: Iterable[OutlineItem], container: str = "") -> Iterator[DeclaredName]:
    for item in items:
        if item.kind not in SKIPPED:
            yield DeclaredName(item.name, item.kind, item.name_span, container)
        yield from of_outline(item.children, item.name)


def test_lines_tell_what_the_outline_tells() -> None:
    """Of every shipped file that is small enough to be read as YAML in a moment."""
    files = [
        path
        for path in sorted(RULESETS.rglob("*"))
        if path.name.endswith(SUFFIXES) and path.stat().st_size < 6_000
    ]
    assert len(files) > 50
    for path in files:
        source = Source(str(path), path.read_text(encoding="utf-8"))
        if source.text.startswith("croupier:") or "\ncroupier:" in source.text:
            assert names_in(source) == list(of_outline(outline(source))), path


WRITTEN = """\
types:
  # a comment
  Suit: [a, b]   # another
  "Rank": {values: [x,
    y]}
'zones': {}
zones: {deck: {holds: Card},
  "hand": {holds: Card}}
definitions:
  First steps: |
    # def no(): pass
    def one() -> int: return 1
      def inner() -> int: return 1
    replace def two(): pass
  'Second steps': |
    window three(): pass
phases:
  round:
    repeat: true
    phases:
      play: |
        if a: pass
      rest:
        phases: {sleep: pass}
  END: pass
scenarios:
  - title: first
    id: A-1   # the first
    do:
      - id: no
  - id: "B"
"""


def test_how_names_may_be_written() -> None:
    found = [
        (name.name, name.kind, name.container, name.span.text) for name in names_in(Source("t", WRITTEN))
    ]
    assert found == [
        ("Suit", "type", "types", "Suit"), ("Rank", "type", "types", '"Rank"'),
        ("deck", "zone", "zones", "deck"), ("hand", "zone", "zones", '"hand"'),
        ("one", "definition", "First steps", "one"), ("two", "definition", "First steps", "two"),
        ("three", "window", "Second steps", "three"),
        ("round", "phase", "phases", "round"), ("play", "phase", "round", "play"),
        ("rest", "phase", "round", "rest"),
        ("sleep", "phase", "rest", "sleep"), ("END", "phase", "phases", "END"),
        ("A-1", "scenario", "scenarios", "A-1"), ("B", "scenario", "scenarios", '"B"'),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("state:\n  n: 0..9 = 0\nzones: {deck: [\n", ["n"]),  # one section cannot be read
        ("definitions: |\n  def f(\nstate:\n  n: 0..9\n", ["f", "n"]),
        ("zones:\n  deck: {}\n oops\n", []),
        ("phases:\n" + "".join(f"{' ' * n}p{n}:\n{' ' * n} phases:\n" for n in range(1, 2000, 2)), []),
        ("phases:\n  a" + " " * 200_000 + "\n", []),
        ("", []),
    ],
    ids=["one section", "rule text", "indentation", "too deep", "long line", "nothing"],
)
def test_texts_with_mistakes(text: str, names: list[str]) -> None:
    assert [name.name for name in names_in(Source("t", text))] == names
