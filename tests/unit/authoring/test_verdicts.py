"""A verdict is kept as long as everything that it depends on is as it was, and not a moment longer."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.authoring.folder_check import check_whole
from croupier.authoring.verdicts import Verdicts, user_verdicts
from croupier.diagnostics import Diagnostic
from croupier.execution import object_cache
from croupier.pipeline import CheckResult
from croupier.scenarios import LoadedRulesets
from needs import posix

ROOT = Path(__file__).parents[3]
HEAP = ROOT / "tests" / "data" / "heap"


@pytest.fixture
def heap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a folder with variants, a module and scenario files, some of them wrong; and a cache with
    nothing in it.
    """
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "cache"))
    shutil.copytree(HEAP, tmp_path / "heap")
    return tmp_path / "heap"


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files and folders that are checked while a test runs, and not taken from a former verdict."""
    names: list[str] = []
    check = LoadedRulesets.check

    def noted(self: LoadedRulesets, name: str | Path) -> CheckResult:
        names.append(Path(name).name)
        return check(self, name)

    monkeypatch.setattr(LoadedRulesets, "check", noted)
    return names


def whole(folder: Path) -> list[Diagnostic]:
    """What `croupier check FOLDER` finds."""
    verdicts = user_verdicts()
    return list(verdicts.get(lambda: check_whole(str(folder), verdicts), "whole", str(folder)))


def append(path: Path, text: str = "\n# changed\n") -> None:
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def test_a_kept_verdict_says_the_same(heap: Path, checked: list[str]) -> None:
    first = whole(heap)
    assert first and checked
    checked.clear()
    assert whole(heap) == first and not checked


def test_what_changed_is_checked_again_and_nothing_else(heap: Path, checked: list[str]) -> None:
    whole(heap)
    variants = sorted(path.name for path in (heap / "variants").iterdir())
    checked.clear()
    append(heap / "variants" / variants[0])
    whole(heap)
    assert checked == [variants[0]]
    checked.clear()
    append(heap / "ruleset.yaml")
    whole(heap)
    assert set(variants) < set(checked)


def _written(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("croupier: 1\nscenarios: []\n")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file is new": lambda folder: (folder / "variants" / "fresh.yaml").write_text(
        "croupier: 1\nextends: ruleset.yaml\n"
    ),
    "a file is gone": lambda folder: next((folder / "variants").iterdir()).unlink(),
    "a file in a new folder": lambda folder: _written(folder / "scenarios" / "more" / "one.yaml"),
    "a ruleset lies above": lambda folder: (folder.parent / "ruleset.yaml").write_text("croupier: 1\n"),
    "a file has another name": lambda folder: (folder / "ruleset.yaml").rename(folder / "rules.yaml"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_beside_it(heap: Path, checked: list[str], change: str) -> None:
    whole(heap)
    checked.clear()
    CHANGES[change](heap)
    verdicts = user_verdicts()
    assert verdicts.find("whole", str(heap)) is None


@posix
def test_a_link_that_leads_elsewhere(heap: Path) -> None:
    path = next((heap / "variants").iterdir())
    path.rename(heap / "one.txt")
    shutil.copy(heap / "one.txt", heap / "two.txt")
    path.symlink_to(heap / "one.txt")
    whole(heap)
    path.unlink()
    path.symlink_to(heap / "two.txt")
    assert user_verdicts().find("whole", str(heap)) is None


def test_files_of_an_editor_change_nothing(heap: Path, checked: list[str]) -> None:
    whole(heap)
    checked.clear()
    for name in (".ruleset.yaml.swp", "ruleset.yaml~", "4913"):
        (heap / name).write_text("of an editor")
    whole(heap)
    assert not checked


def test_an_entry_of_somebody_else_is_no_verdict(heap: Path, tmp_path: Path) -> None:
    found = whole(heap)
    for entry in (tmp_path / "cache" / "verdicts").iterdir():
        if entry.name != "key":
            entry.write_bytes(entry.read_bytes().replace(b'"diagnostics"', b'"diagnosticz"'))
    assert user_verdicts().find("whole", str(heap)) is None
    assert whole(heap) == found


def test_nothing_is_kept_where_nothing_was_read(heap: Path) -> None:
    verdicts = user_verdicts()
    verdicts.get(lambda: (), "whole", "no_such_ruleset")
    assert verdicts.find("whole", "no_such_ruleset") is None


def test_without_a_cache(heap: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", "off")
    assert whole(heap) == whole(heap)
    assert Verdicts(None).find("whole", str(heap)) is None


def test_it_can_be_removed(heap: Path) -> None:
    whole(heap)
    entries, size = object_cache.remove_all()
    assert entries > 1 and size > 100
    assert object_cache.entries_of(object_cache.VERDICTS) == (0, 0)
    assert user_verdicts().find("whole", str(heap)) is None
