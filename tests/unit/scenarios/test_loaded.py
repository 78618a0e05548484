"""How often a ruleset is loaded for its scenarios: once in one run of a command, and what it depends on is
noted each time.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from croupier.diagnostics import RulesetError
from croupier.pipeline import load
from croupier.reads import recorded
from croupier.ruleset import Ruleset
from croupier.scenarios import LoadedRulesets, check_scenarios, run_scenarios

GAME = Path(__file__).parent / "game"
ONE = "croupier: 1\nscenarios:\n  - {id: one, then: [bank == 5]}\n"
RICH = "croupier: 1\nextends: ../ruleset.yaml\nstate: {bank: {type: int, start: 7}}\n"
OF_RICH = "croupier: 1\nruleset: rich\nscenarios:\n  - {id: two, then: [bank == 7]}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game with a variant, and two scenario files for each."""
    game = tmp_path / "market"
    shutil.copytree(GAME, game, ignore=shutil.ignore_patterns("scenarios"))
    (game / "variants").mkdir()
    (game / "variants" / "rich.yaml").write_text(RICH, encoding="utf-8")
    (game / "scenarios").mkdir()
    texts = {
        "a.yaml": ONE,
        "b.yaml": ONE.replace("one", "again"),
        "c.yaml": OF_RICH,
        "d.yaml": OF_RICH.replace("two", "more"),
    }
    for name, text in texts.items():
        (game / "scenarios" / name).write_text(text, encoding="utf-8")
    return game


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that rulesets were loaded from."""
    names: list[str] = []

    def counted(path: Path, *reader: object) -> object:
        names.append(path.name)
        return load(path, *reader)  # type: ignore[arg-type]

    monkeypatch.setattr("croupier.scenarios.loaded.load", counted)
    return names


def test_a_folder_loads_each_ruleset_once(folder: Path, loads: list[str]) -> None:
    assert [r.passed for r in run_scenarios(folder)] == [True] * 4
    assert sorted(loads) == ["rich.yaml", "ruleset.yaml"]


def test_files_that_are_checked_one_by_one_share_their_ruleset(folder: Path, loads: list[str]) -> None:
    rulesets = LoadedRulesets()
    files = sorted((folder / "scenarios").iterdir())
    assert [check_scenarios(file, rulesets) for file in files] == [[]] * 4
    assert sorted(loads) == ["rich.yaml", "ruleset.yaml"]


def test_what_a_ruleset_was_read_from_is_noted_each_time(folder: Path) -> None:
    rulesets = LoadedRulesets()
    path = folder / "variants" / "rich.yaml"
    read = []
    for _ in range(2):
        with recorded() as reads:
            rulesets.load(path)
        read.append(reads)
    assert read[0] == read[1]
    assert {Path(name).name for name in read[0].files} >= {"rich.yaml", "ruleset.yaml"}


def test_a_ruleset_with_a_mistake_is_refused_each_time(folder: Path, loads: list[str]) -> None:
    path = folder / "variants" / "rich.yaml"
    path.write_text(RICH.replace("7", "seven"), encoding="utf-8")
    rulesets = LoadedRulesets()
    found = []
    for _ in range(2):
        with pytest.raises(RulesetError) as refused:
            rulesets.load(path)
        found.append(refused.value.diagnostics)
    assert found[0] and found[0] == found[1] and loads == ["rich.yaml"]


def test_variants_of_a_folder_share_the_texts_that_they_are_made_of(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    rulesets = LoadedRulesets()
    reader = rulesets._shared.reader
    parsed = reader.__class__.__call__

    def counted(self: object, parse: object, text: object) -> object:
        asked.append(reader.key(parse, text))  # type: ignore[arg-type]
        return parsed(reader, parse, text)  # type: ignore[arg-type]

    monkeypatch.setattr(reader.__class__, "__call__", counted)
    rulesets.load(folder / "ruleset.yaml")
    rulesets.load(folder / "variants" / "rich.yaml")
    assert len(reader._read) == len(set(asked)) < len(asked)


def test_each_set_up_is_made_once_and_traced_only_where_that_is_asked_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    traced: list[bool] = []
    set_up = Ruleset.set_up

    def counted(
        self: Ruleset,
        players: int | None,
        parameters: dict[str, object],
        trace: object = None,
        **options: bool,
    ) -> object:
        traced.extend([trace is not None] if options.get("compiled", True) else [])
        return set_up(self, players, parameters, trace, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Ruleset, "set_up", counted)
    rulesets = LoadedRulesets(traced=False)
    for file in sorted((folder / "scenarios").iterdir()):
        check_scenarios(file, rulesets)
    assert traced == [False] * 2  # of the game and of its variant
    traced.clear()
    assert all(result.executed for result in run_scenarios(folder))
    assert traced == [True] * 2
