"""What a variant changes within a definition or a phase: the text that comes of it, and where its parts
stand.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from croupier.lsp.analysis import AnalysisCache, analyse
from croupier.pipeline import check
from croupier.resolve import ResolvedRuleset, open_ruleset

HERE = Path(__file__).parent
CASES = YAML(typ="safe", pure=True).load((HERE / "revisions.cases.yaml").read_text(encoding="utf-8"))
HEAD = """\
croupier: 1
ruleset: base
title: Base
players: 2
state:
  left: 0..40 = 20 seen by everybody
phases:
  play: |
    for p in turns(): act(p)
definitions: |
"""
PLAIN = "def act(p: Player):\n    left -= 1  @AB-1\n    left -= 2\nend when left < 9: finish draw\n"


def indented(text: str, by: str) -> str:
    return "".join(f"{by}{line}" if line.strip() else line for line in text.splitlines(keepends=True))


def written(folder: Path, base: str, variant: str, name: str = "variant.yaml") -> Path:
    """The file of a variant beside its base."""
    (folder / "base.yaml").write_text(HEAD + indented(base, "  "), encoding="utf-8")
    file = folder / name
    file.write_text(f"croupier: 1\nextends: base.yaml\n{variant}", encoding="utf-8")
    return file


def opened(file: Path) -> ResolvedRuleset:
    ruleset, problems = open_ruleset(file)
    assert ruleset is not None and [str(problem) for problem in problems] == []
    return ruleset


@pytest.mark.parametrize("name", CASES)
def test_the_text_that_comes_of_it(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    place = f'"{case["in"]}"' if "in" in case else "def act"
    file = written(
        tmp_path, case["base"], f"definitions: |\n  in {place}:\n" + indented(case["changes"], "      ")
    )
    ruleset, problems = open_ruleset(file)
    assert [problem.code for problem in problems] == ([case["code"]] if "code" in case else [])
    expected = case.get("text", case["base"])
    assert ruleset is not None
    lines = [line.rstrip() for line in ruleset.definitions[0].text.text.rstrip().splitlines()]
    assert lines == expected.rstrip().splitlines()


def test_a_mistake_is_shown_in_the_variant(tmp_path: Path) -> None:
    text = 'definitions: |\n  after @AB-1:\n      announce "{lefft}"\n'
    file = written(tmp_path, PLAIN, text)
    [found] = [d for d in check(file).diagnostics if d.is_error]
    assert found.span is not None
    assert (found.code, found.span.source.name, found.span.line, found.span.text) == (
        "N001",
        str(file),
        5,
        "lefft",
    )


def test_a_mistake_that_moves_is_shown_where_it_stands(tmp_path: Path) -> None:
    """A language server keeps what it has read of the base while the variant is edited."""
    text = '\ndefinitions: |\n  after @AB-1:\n      announce "{lefft}"\n'
    file = written(tmp_path, PLAIN, text)
    cache = AnalysisCache()
    for lines in (1, 3):
        whole = file.read_text(encoding="utf-8").replace("\n\n", "\n" * lines, 1)
        [found] = [
            d for d in analyse(str(file), {str(file): whole}, cache=cache).diagnostics if d.code == "N001"
        ]
        assert found.span is not None and found.span.line == 5 + lines - 1


def test_a_variant_of_a_variant_changes_what_that_has_put_in(tmp_path: Path) -> None:
    written(tmp_path, PLAIN, 'definitions: |\n  in def act:\n      after @AB-1: announce "one"\n', "one.yaml")
    file = tmp_path / "two.yaml"
    file.write_text(
        'croupier: 1\nextends: one.yaml\ndefinitions: |\n  instead of "announce": announce "two"\n',
        encoding="utf-8",
    )
    assert 'announce "two"' in opened(file).definitions[0].text.text
    assert [d for d in check(file).diagnostics if d.is_error] == []


def test_a_definition_that_was_replaced_is_changed_where_it_stands_now(tmp_path: Path) -> None:
    written(tmp_path, PLAIN, "definitions: |\n  replace def act(p: Player): left -= 3\n", "one.yaml")
    file = tmp_path / "two.yaml"
    file.write_text(
        'croupier: 1\nextends: one.yaml\ndefinitions: |\n  in def act:\n      instead of "left": left -= 4\n',
        encoding="utf-8",
    )
    base, own, _ = (section.text.text for section in opened(file).definitions)
    assert "left -= 4" in own and "left -= 4" not in base


def test_a_definition_is_removed_with_what_replaced_it(tmp_path: Path) -> None:
    written(
        tmp_path, PLAIN, "definitions: |\n  replace end when left < 9: finish win players.first\n", "one.yaml"
    )
    file = tmp_path / "two.yaml"
    file.write_text(
        "croupier: 1\nextends: one.yaml\nremove:\n  definitions: [end when left < 9]\n", encoding="utf-8"
    )
    assert not any("end when" in section.text.text for section in opened(file).definitions)


def test_the_name_behind_in_def_is_a_name_of_the_definition(tmp_path: Path) -> None:
    file = written(tmp_path, PLAIN, 'definitions: |\n  in def act:\n      without "left -= 2"\n')
    index = analyse(str(file), {}).index
    assert index is not None
    assert [
        use.span.text for use in index.uses if use.span.source.name == str(file) and use.symbol.name == "act"
    ] == ["act"]


def test_looks_are_laid_over_those_of_the_base(tmp_path: Path) -> None:
    """One line for the colour of a new value; the others stay."""
    types = (
        "types:\n  Coat: [brown, white]\ntable:\n  values: {Coat: {brown: red, white: blue}}\n  "
        "together: {all: [a, b]}\n"
    )
    (tmp_path / "base.yaml").write_text(
        HEAD.replace("state:", f"{types}state:") + indented(PLAIN, "  "), encoding="utf-8"
    )
    file = tmp_path / "variant.yaml"
    changes = "add:\n  values: {Coat: [black]}\ntable:\n  values: {Coat: {black: green, white: yellow}}\n"
    file.write_text(f"croupier: 1\nextends: base.yaml\n{changes}", encoding="utf-8")
    table = opened(file).table
    assert table is not None
    [(_, looks)] = table.values
    assert {value.text: str(look.colour) for value, look in looks} == {
        "brown": "red",
        "black": "green",
        "white": "yellow",
    }
    assert [title.text for title, _ in table.together] == ["all"]


def test_one_of_several_conditions_is_replaced_or_removed(tmp_path: Path) -> None:
    invariants = "invariants:\n  kept:\n    few: left <= 20\n    some: left >= 0\n    many: left < 40\n"
    (tmp_path / "base.yaml").write_text(HEAD + indented(PLAIN, "  ") + invariants, encoding="utf-8")
    file = tmp_path / "variant.yaml"
    for changes, kept in (
        (
            "invariants:\n  kept:\n    few: left <= 9\n",
            {"kept: few": "left <= 9", "kept: some": "left >= 0", "kept: many": "left < 40"},
        ),
        ('remove:\n  invariants: ["kept: some"]\n', {"kept: few": "left <= 20", "kept: many": "left < 40"}),
        ("remove:\n  invariants: [kept]\n", {}),
    ):
        file.write_text(f"croupier: 1\nextends: base.yaml\n{changes}", encoding="utf-8")
        assert {name.text: text.text for name, text in opened(file).invariants} == kept
