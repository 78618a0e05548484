"""Files of version 1 as files of version 2: names that are words now get other names, in all files alike;
comments stay.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import croupier
from croupier.authoring.fmt import upgraded
from croupier.cli.app import app
from croupier.diagnostics import Source

DATA = Path(__file__).parents[2] / "data" / "upgrade"


def sources(*names: str) -> dict[Path, Source]:
    return {DATA / name: Source(name, (DATA / name).read_text(encoding="utf-8")) for name in names}


def test_names_that_are_words_now_get_others() -> None:
    found = upgraded(sources("before.yaml"), [])[DATA / "before.yaml"]
    assert found.text == (DATA / "after.yaml").read_text(encoding="utf-8")
    assert found.words == "version 2, `gives` is `giving` now (6×), `suppose` is `supposed` now (7×)"


def test_both_play_the_same_games() -> None:
    old, new = (croupier.load(DATA / f"{name}.yaml") for name in ("before", "after"))
    states = [game.new_initial_state() for game in (old, new)]
    while not states[0].is_terminal():
        assert states[0].legal_actions() == states[1].legal_actions()
        for state in states:
            state.apply_action(state.legal_actions()[-1])
    assert states[1].is_terminal() and states[0].returns() == states[1].returns()


def test_files_that_belong_together_are_rewritten_together() -> None:
    found = upgraded(sources("before.yaml", "before_scenarios.yaml"), [])[DATA / "before_scenarios.yaml"]
    assert found.text is not None and "# suppose is a mood" in found.text
    assert "giving[players.last] == 3" in found.text and "suppose left = 2 gives left == 2" in found.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("croupier: 2\nruleset: new\n", "is written in version 2 already"),
        ("croupier: 9\nruleset: newer\n", "left as it is: it cannot be read as a file of this language"),
        ("croupier: [\n", "left as it is: it cannot be read as a file of this language"),
        ("- [a, 1]\n", "has nothing to change"),
    ],
)
def test_what_is_left_as_it_is(text: str, words: str) -> None:
    found = upgraded({Path("a.yaml"): Source("a.yaml", text)}, [])[Path("a.yaml")]
    assert (found.text, found.words) == (None, words)


def test_a_name_in_a_table_is_not_rewritten(tmp_path: Path) -> None:
    table = tmp_path / "moods.csv"
    table.write_text("id\nsuppose\n", encoding="utf-8")
    found = upgraded(sources("before.yaml"), [table])[DATA / "before.yaml"]
    assert found.text is None and found.words.startswith(
        "left as it is: `suppose` is a word of version 2 and stands in moods.csv"
    )


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "old.yaml"
    path.write_text((DATA / "before.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    result = CliRunner().invoke(app, ["fmt", "--upgrade", str(path)])
    assert result.exit_code == 0 and "`gives` is `giving` now" in result.output
    assert path.read_text(encoding="utf-8") == (DATA / "after.yaml").read_text(encoding="utf-8")
