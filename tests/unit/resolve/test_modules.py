"""Modules: names that stand for others keep their places, and every shipped module is a game that passes its scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.authoring.fmt.format import format_source
from croupier.diagnostics import Source
from croupier.resources import rulesets_folder
from croupier.scenarios import run_scenarios
from croupier.source import RuleText, read_file, whole
from croupier.source.renaming import renamed_text

MODULES = sorted((rulesets_folder() / "modules").glob("*.yaml"))
RULES = 'move c to hand[p] as "{c.rank} of {hand}"  # hand\nlet hands = c.hand.rank + 1..hand  @AB-1\n'


def renamed(text: str, **names: str) -> RuleText:
    return renamed_text(whole(Source("rules", text)), names)


def test_names_stand_for_others_where_they_are_code() -> None:
    text = renamed(RULES, hand="cards", **{".rank": "value"})
    assert text.text == RULES.replace("hand[p]", "cards[p]").replace("{hand}", "{cards}").replace("1..hand", "1..cards").replace(".rank", ".value")
    assert renamed("hand == 1", rank="value").text == "hand == 1"


@pytest.mark.parametrize("new", ["h", "a_longer_name"])
def test_every_place_is_that_of_the_authors_file(new: str) -> None:
    text = renamed("hand + xs[hand] - y", hand=new)
    for word, at in (("xs", 7), ("y", 18)):
        start = text.text.index(word)
        assert text.span(start, start + len(word)).start == at and text.span(start, start + len(word)).text == word
    assert [text.span(text.text.index(new, k), text.text.index(new, k) + len(new)).text for k in (0, 4)] == ["hand", "hand"]
    assert text.span(0, len(text.text)).text == "hand + xs[hand] - y" and text.offset(len(text.text)) == 19


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_shipped_module_by_itself(path: Path) -> None:
    assert croupier.check(path).diagnostics == ()
    results = [result for result in run_scenarios(path) if Path(result.file).stem == path.stem]
    assert results and all(result.passed for result in results)
    source, _ = read_file(path)
    assert source is not None and format_source(source).text == source.text
