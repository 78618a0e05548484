"""The index of shipped rulesets says what loading them says, and is left where a folder has changed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import croupier
from croupier.authoring import listing
from croupier.resources import rulesets_folder, shipped
from croupier.ruleset import Ruleset

SOME = ("tic_tac_toe", "kuhn_poker", "lantern", "three_in_a_row", "una_notte_da_lupi")


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """The index is read again in every test."""
    listing._indexed.cache_clear()
    yield
    listing._indexed.cache_clear()


class Loads:
    """A `load` that counts how often it is asked."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def __call__(self, name: str) -> Ruleset:
        self.names.append(name)
        return croupier.load(name)


def refuse(name: str) -> Ruleset:
    raise AssertionError(f"`{name}` was loaded")


def test_the_index_covers_every_shipped_ruleset() -> None:
    missing = [name for name in shipped() if name not in listing._indexed()]
    assert not missing, "rulesets/index.json is stale: run tools/index"
    assert all(listing.facts(name, refuse).title for name in shipped())


@pytest.mark.parametrize("name", SOME)
def test_the_index_says_what_loading_says(name: str) -> None:
    found = listing.facts_of(croupier.load(name))
    assert listing.facts(name, refuse) == found, "rulesets/index.json is stale: run tools/index"
    assert json.loads(json.dumps(found.parameters)) == list(found.parameters)


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the index with one ruleset, the folder that `listing` looks in."""
    for name in (listing.INDEX_FILE, "classics/tic_tac_toe"):
        whole = rulesets_folder() / name
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copytree(whole, tmp_path / name) if whole.is_dir() else shutil.copy(whole, tmp_path / name)
    monkeypatch.setattr(listing, "rulesets_folder", lambda: tmp_path)
    return tmp_path


def _loads() -> list[str]:
    loads = Loads()
    listing.facts("tic_tac_toe", loads)
    return loads.names


def test_what_changes_nothing_loads_nothing(copied: Path) -> None:
    folder = copied / "classics/tic_tac_toe"
    (folder / "scenarios").mkdir(exist_ok=True)
    (folder / "scenarios/new.yaml").write_text("croupier: 1\n", encoding="utf-8")
    (folder / "notes.txt").write_text("of somebody\n", encoding="utf-8")
    main = folder / "ruleset.yaml"
    main.write_bytes(main.read_bytes().replace(b"\n", b"\r\n"))
    assert _loads() == []


@pytest.mark.parametrize("changed", ["ruleset.yaml", "modules/board.yaml", "variants/other.yaml"])
def test_a_changed_folder_is_loaded(copied: Path, changed: str) -> None:
    path = copied / "classics/tic_tac_toe" / changed
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert _loads() == ["tic_tac_toe"]


@pytest.mark.parametrize(
    "text",
    [None, "", "[]", '{"folders": {}}', '{"folders": {}, "rulesets": {"tic_tac_toe": {"folders": []}}}'],
)
def test_without_an_index_rulesets_are_loaded(copied: Path, text: str | None) -> None:
    index = copied / listing.INDEX_FILE
    index.unlink() if text is None else index.write_text(text, encoding="utf-8")
    assert _loads() == ["tic_tac_toe"]


def test_what_was_read_is_written_and_what_does_not_load_is_left_out() -> None:
    def load(name: str) -> Ruleset:
        if name == "chess":
            raise croupier.RulesetError(())
        return croupier.load(name)

    written = json.loads(
        listing.write_index({name: shipped()[name] for name in ("three_in_a_row", "chess")}, load)
    )
    assert list(written["rulesets"]) == ["three_in_a_row"]
    assert (
        written["rulesets"]["three_in_a_row"]["folders"]
        == list(written["folders"])
        == ["classics/three_in_a_row"]
    )
