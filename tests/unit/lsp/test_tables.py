"""Tables in CSV and YAML files beside a ruleset, as an editor sees them: what a cell means, where it is
declared, where else it stands.
"""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from croupier.lsp.edits import definition, references, rename
from croupier.lsp.hover import hover
from croupier.lsp.workspace import Workspace, uri_of

DATA = Path(__file__).parents[2] / "data" / "stalls"
FILES = ("ruleset.yaml", "crates.csv", "charms.yaml", "variants/odd.yaml")
SILK = "charms.yaml:2 charms.yaml:4 crates.csv:2 ruleset.yaml:26 ruleset.yaml:6"
OLD = "crates.csv:2 odd.yaml:6 ruleset.yaml:25"
# where the cursor stands, what is explained, where it is declared, where it stands (renaming adds scenarios)
CASES = [
    ("ruleset.yaml", "old_crate)", "old_crate: Crate", "crates.csv:2", OLD),
    ("crates.csv", "old_crate", "old_crate: Crate", "crates.csv:2", OLD),
    ("variants/odd.yaml", "old_crate", "old_crate: Crate", "crates.csv:2", OLD),
    ("crates.csv", "silk", "silk: Ware", "ruleset.yaml:6", SILK),
    ("charms.yaml", "silk", "silk: Ware", "ruleset.yaml:6", SILK),
    (
        "crates.csv",
        "fox",
        "fox: Charm",
        "charms.yaml:1",
        "charms.yaml:1 crates.csv:2 ruleset.yaml:26 ruleset.yaml:26",
    ),
    (
        "crates.csv",
        "worth",
        "Crate.worth: 1..9",
        "ruleset.yaml:9",
        "crates.csv:1 odd.yaml:6 ruleset.yaml:22 ruleset.yaml:9",
    ),
    (
        "charms.yaml",
        "ware:",
        "Charm.ware: Ware",
        "ruleset.yaml:12",
        "charms.yaml:2 charms.yaml:6 ruleset.yaml:12 ruleset.yaml:26",
    ),
    (
        "charms.yaml",
        "sell(",
        "def sell(p: Player, c: Crate)",
        "ruleset.yaml:21",
        "charms.yaml:4 ruleset.yaml:21 ruleset.yaml:25 ruleset.yaml:26",
    ),
    (
        "charms.yaml",
        "coins",
        "state coins: 0..99 per Player",
        "ruleset.yaml:19",
        "charms.yaml:4 ruleset.yaml:19 ruleset.yaml:22 ruleset.yaml:27",
    ),
]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Path]:
    root = shutil.copytree(DATA, tmp_path_factory.mktemp("lsp") / "stalls")
    workspace = Workspace()
    for name in FILES:
        workspace.put(uri_of(str(root / name)), (root / name).read_text(encoding="utf-8"))
    return workspace, root


def _places(spans: list) -> str:
    return " ".join(sorted(f"{Path(span.source.name).name}:{span.line}" for span in spans))


@pytest.mark.parametrize(
    ("file", "text", "page", "declared", "found"), CASES, ids=[f"{c[0]}:{c[1]}" for c in CASES]
)
def test_a_cell(
    opened: tuple[Workspace, Path], file: str, text: str, page: str, declared: str, found: str
) -> None:
    workspace, root = opened
    path = str(root / file)
    at = (root / file).read_text(encoding="utf-8").index(text) + 1
    analysis = workspace.analysis(path)
    assert analysis is not None
    shown = hover(analysis, path, at)
    assert shown is not None and page in shown[0]
    assert _places(definition(workspace, path, at)) == declared
    assert _places(references(workspace, path, at)) == found
    edits = Counter(Path(edit.span.source.name).name for edit in rename(workspace, path, at, "brand_new"))
    scenarios = edits.pop("a.yaml", 0)
    assert edits == Counter(place.split(":")[0] for place in found.split())
    assert scenarios == {"old_crate": 2, "fox": 1, "coins": 1}.get(text.rstrip(")"), 0)


def test_what_is_wrong_in_a_cell_stands_there(opened: tuple[Workspace, Path]) -> None:
    workspace, root = opened
    path = str(root / "crates.csv")
    workspace.put(
        uri_of(path), (root / "crates.csv").read_text(encoding="utf-8").replace("silk,3", "slik,30")
    )
    found = workspace.diagnose(path, thorough=False)[path]
    assert [(d.span.line, d.span.column, d.code) for d in found if d.span is not None] == [
        (2, 11, "N001"),
        (2, 16, "T017"),
    ]
    workspace.put(uri_of(path), (root / "crates.csv").read_text(encoding="utf-8"))


def test_mistakes_of_the_ruleset_stand_at_the_beginning_of_its_scenarios(tmp_path: Path) -> None:
    root = shutil.copytree(DATA, tmp_path / "stalls")
    text = (root / "ruleset.yaml").read_text(encoding="utf-8")
    (root / "ruleset.yaml").write_text(text.replace("c.worth", "c.wroth"), encoding="utf-8")
    workspace, path = Workspace(), str(root / "scenarios" / "a.yaml")
    workspace.put(uri_of(path), Path(path).read_text(encoding="utf-8"))
    found = workspace.diagnose(path, thorough=True)[path]
    assert [(d.code, d.span) for d in found] == [("N002", None)]
    assert "ruleset.yaml, line 22" in found[0].notes[0]
