"""Where things are found: the checkout's data, shipped names, paths and their roots."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from croupier import resources

ROOT = Path(__file__).resolve().parents[2]


def test_the_checkout_is_found() -> None:
    assert resources.data_folder() == ROOT
    assert resources.grammar_file("rules.lark").is_file()


def test_no_two_shipped_rulesets_share_a_name() -> None:
    folders = [file.parent.name for file in resources.rulesets_folder().rglob(resources.MAIN_FILE)]
    assert [name for name, times in Counter(folders).items() if times > 1] == []
    assert {name for name in resources.shipped() if "/" not in name} == set(folders)


def test_every_shipped_file_has_its_own_folder_as_root() -> None:
    for name, place in resources.shipped().items():
        assert place.path.is_file() and place.path.is_relative_to(place.root) and place.shown == name
        assert resources.root_of(place.path) == place.root


@pytest.mark.parametrize("text", ["a.yaml", "./a", "../a", "/a", "a\\b", "~/a", "C:\\a.yml"])
def test_a_path_by_its_form(text: str) -> None:
    assert resources.is_path(text)


def test_a_name_is_no_path() -> None:
    assert (
        not resources.is_path("no_such_game")
        and not resources.is_path("no_such_game/variant")
        and not resources.is_path("\0")
    )


def test_links_are_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rulesets").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "ruleset.yaml").write_text("croupier: 1\n", encoding="utf-8")
    try:
        (tmp_path / "rulesets" / "linked").symlink_to(tmp_path / "elsewhere")
    except OSError:
        pytest.skip("the system has no links")
    monkeypatch.setattr(resources, "data_folder", lambda: tmp_path)
    resources.shipped.cache_clear()
    try:
        assert dict(resources.shipped()) == {}
    finally:
        resources.shipped.cache_clear()


def test_a_package_without_its_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(resources, "__file__", str(tmp_path / "croupier" / "resources.py"))
    with pytest.raises(FileNotFoundError, match="no `grammar` folder"):
        resources.data_folder.__wrapped__()
    (tmp_path / "croupier" / "_data" / "grammar").mkdir(parents=True)
    assert resources.data_folder.__wrapped__() == tmp_path / "croupier" / "_data"
