"""Modules: names that stand for others keep their places, and every shipped module is a game that passes its
scenarios.
"""

from __future__ import annotations

import os
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML

import croupier
from croupier.authoring.fmt.format import format_source
from croupier.diagnostics import Source
from croupier.resolve import open_ruleset
from croupier.resources import rulesets_folder
from croupier.scenarios import run_scenarios
from croupier.schema.export import json_schema
from croupier.source import RuleText, read_file, whole
from croupier.source.renaming import renamed_text

MODULES = sorted((rulesets_folder() / "modules").glob("*.yaml"))
RULES = 'move c to hand[p] as "{c.rank} of {hand}"  # hand\nlet hands = c.hand.rank + 1..hand  @AB-1\n'


def renamed(text: str, **names: str) -> RuleText:
    return renamed_text(whole(Source("rules", text)), names)


def test_names_stand_for_others_where_they_are_code() -> None:
    text = renamed(RULES, hand="cards", **{".rank": "value"})
    assert text.text == RULES.replace("hand[p]", "cards[p]").replace("{hand}", "{cards}").replace(
        "1..hand", "1..cards"
    ).replace(".rank", ".value")
    assert renamed("hand == 1", rank="value").text == "hand == 1"


@pytest.mark.parametrize("new", ["h", "a_longer_name"])
def test_every_place_is_that_of_the_authors_file(new: str) -> None:
    text = renamed("hand + xs[hand] - y", hand=new)
    for word, at in (("xs", 7), ("y", 18)):
        start = text.text.index(word)
        assert (
            text.span(start, start + len(word)).start == at
            and text.span(start, start + len(word)).text == word
        )
    assert [text.span(text.text.index(new, k), text.text.index(new, k) + len(new)).text for k in (0, 4)] == [
        "hand",
        "hand",
    ]
    assert text.span(0, len(text.text)).text == "hand + xs[hand] - y" and text.offset(len(text.text)) == 19


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_shipped_module_by_itself(path: Path) -> None:
    assert croupier.check(path).diagnostics == ()
    results = [result for result in run_scenarios(path) if Path(result.file).stem == path.stem]
    assert results and all(result.passed for result in results)
    source, _ = read_file(path)
    assert source is not None and format_source(source).text == source.text
    assert not list(
        jsonschema.Draft7Validator(json_schema()).iter_errors(YAML(typ="safe", pure=True).load(source.text))
    )


HEAD = "croupier: 1\nruleset: small\ntitle: Small\nplayers: 2\nuses: {%s: {}}\nphases: {play: finish draw}\n"
MODULE = """\
croupier: 1
module: mine
title: Mine
definitions: |
  def one() -> int:
      return 1
example: {players: 2, phases: {play: finish draw}}
"""


def in_folder(folder: Path, module: str, text: str) -> list[str]:
    """The codes for a ruleset that uses a module of its folder, and calls it."""
    (folder / "modules").mkdir(exist_ok=True)
    (folder / "modules" / f"{module}.yaml").write_text(text, encoding="utf-8")
    rules = HEAD.replace("phases:", "state: {n: 0..9 = 0 seen by everybody}\nphases:").replace(
        "{play: finish draw}", "\n  play: |\n    n = one()\n    finish draw"
    )
    (folder / "ruleset.yaml").write_text(rules % module, encoding="utf-8")
    return [d.code for d in croupier.check(folder / "ruleset.yaml").diagnostics]


def test_what_a_broken_module_gives_is_not_unknown_besides(tmp_path: Path) -> None:
    assert in_folder(tmp_path, "mine", MODULE) == []
    assert in_folder(tmp_path, "mine", MODULE + "examples: {}\n") == ["D001"]
    assert in_folder(tmp_path, "mine", MODULE.replace("return 1", "return missing")) == ["N001"]
    assert in_folder(tmp_path, "mine", MODULE.replace("croupier: 1", "croupier: 9"))[:1] == ["D009"]


def test_a_ruleset_that_lacks_what_a_module_needs_is_not_said_to_be_unused(tmp_path: Path) -> None:
    """What the module would read is not known; only its own mistake is told."""
    needs = "needs: {state: {total: 0..9}}\ndefinitions:"
    module = MODULE.replace("definitions:", needs).replace("return 1", "return total")
    assert in_folder(tmp_path, "mine", module) == ["V304"]
    rules = (tmp_path / "ruleset.yaml").read_text(encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(
        rules.replace("state: {", "state: {unread: 0..9 = 0 seen by everybody, "), encoding="utf-8"
    )
    assert [d.code for d in croupier.check(tmp_path / "ruleset.yaml").diagnostics] == ["V304"]


SHAPES = [  # what a module needs as a type, what the ruleset declares, what is said
    ("{record: {weight: 1..9}}", "{record: {weight: 1..9}}", []),
    ("{record: {weight: 1..9}}", "{record: {length: 1..9}}", ["V307"]),
    ("{attributes: {weight: 1..9}, values: {x: [1]}}", "{record: {length: 1..9}}", ["N002"]),
]


@pytest.mark.parametrize(("needed", "there", "codes"), SHAPES)
def test_a_record_has_the_fields_that_a_module_reads(
    needed: str, there: str, codes: list[str], tmp_path: Path
) -> None:
    """Where it needs an enumeration, what lacks an attribute is told where the module reads that."""
    needs = f"needs: {{types: {{Thing: {needed}}}}}\ndefinitions:"
    module = MODULE.replace("definitions:", needs).replace("return 1", "return 1\n  def of(x: Thing) -> int:")
    in_folder(tmp_path, "mine", module.replace("Thing) -> int:", "Thing) -> int:\n      return x.weight"))
    rules = (tmp_path / "ruleset.yaml").read_text(encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(
        rules.replace("state:", f"types: {{Thing: {there}}}\nstate:"), encoding="utf-8"
    )
    assert [d.code for d in croupier.check(tmp_path / "ruleset.yaml").diagnostics] == codes


def test_a_change_of_a_module_is_a_change_of_the_ruleset(tmp_path: Path) -> None:
    found = []
    for text in (MODULE, "# other words\n" + MODULE, MODULE.replace("return 1", "return 2")):
        assert in_folder(tmp_path, "mine", text) == []
        ruleset = croupier.load(tmp_path / "ruleset.yaml")
        found.append((ruleset.ruleset_hash, ruleset.texts_hash))
    assert found[0][0] == found[1][0] != found[2][0]
    assert len({texts for _, texts in found}) == 3


@pytest.mark.skipif(os.name != "posix", reason="the system has no links that everybody may make")
def test_a_module_lies_in_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    (folder / "modules").mkdir(parents=True)
    (tmp_path / "mine.yaml").write_text(MODULE, encoding="utf-8")
    (folder / "modules" / "mine.yaml").symlink_to(tmp_path / "mine.yaml")
    for named, code in (
        ("mine: {}", "X007"),
        ("other: {module: ../mine}", "V301"),
        ("other: {module: /mine}", "V301"),
        ("a/b: {}", "D101"),
    ):
        (folder / "ruleset.yaml").write_text(HEAD.replace("%s: {}", named), encoding="utf-8")
        assert [d.code for d in open_ruleset(folder / "ruleset.yaml")[1]] == [code], named
