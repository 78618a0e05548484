"""The mistakes of `tests/data/mistakes`: their figures hold, and the tool that makes them judges rightly."""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from ruamel.yaml import YAML

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

import _mistake_operators  # noqa: E402
import _mistakes  # noqa: E402
from _mistakes import Bench, Figures, Mistake, Outcome  # noqa: E402
from croupier.diagnostics import diagnose  # noqa: E402
from fix_trials import try_fixes  # noqa: E402

MISTAKES = _mistakes.read_all()
SAMPLE_PARTS, EVERY = 2, 4  # how many parts a sample of the mistakes has, and how many mistakes it leaves out
PIG = Mistake(
    "made",
    1,
    "a state misspelt",
    "library/two_dice_pig",
    "ruleset.yaml",
    "        pot = 0\n",
    "        pto = 0\n",
    "`pot`",
)


def test_figures_hold() -> None:
    """As many are found, told on their line and named as before; no more messages follow, no more safe fixes
    are wrong.
    """
    assert _mistakes.worse(_mistakes.figures(_mistakes.run(MISTAKES))) == [], (
        "tools/mistakes --list shows what is not told well"
    )


def test_every_area_has_its_figures() -> None:
    assert {area: kept["mistakes"] for area, kept in _mistakes.recorded().items()} == Counter(
        mistake.area for mistake in MISTAKES
    )


@pytest.mark.parametrize("part", range(SAMPLE_PARTS))
def test_fixes_mend(part: int, tmp_path: Path) -> None:
    """In a sample of the mistakes each fix, also one to be applied by hand, takes its message away; a safe
    one brings no other.
    """
    bench = Bench(tmp_path)
    wrong = []
    for mistake in MISTAKES[part :: SAMPLE_PARTS * EVERY]:
        with bench.made(mistake) as check:
            trials = try_fixes(check(), check)
        wrong += [f"{mistake.id}: {trial}" for trial in trials if trial.stays or str(trial) and trial.is_safe]
    assert wrong == []


def test_rows_can_be_made() -> None:
    """Each stands once in its file, changes it, and says in words that can be searched for what should be
    said.
    """
    seen = set()
    for mistake in MISTAKES:
        assert mistake.what and mistake.says, mistake.id
        assert mistake.old != mistake.new or mistake.encoding != "utf-8", mistake.id
        re.compile(mistake.says)
        assert _mistakes.true_lines(mistake), mistake.id
        change = (mistake.ruleset, mistake.file, mistake.old, mistake.new, mistake.encoding)
        assert change not in seen, f"{mistake.id} is there twice"
        seen.add(change)


def test_what_is_changed_is_clean_without_the_change(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    for ruleset, file in sorted(
        {
            (mistake.ruleset, mistake.file)
            for mistake in MISTAKES
            if "/" in mistake.file or mistake.folder.is_relative_to(_mistakes.OWN)
        }
    ):
        assert [str(d) for d in bench.clean(ruleset, file)] == [], f"{ruleset}/{file}"


def made(mistake: Mistake, tmp_path: Path) -> Outcome:
    return Bench(tmp_path).outcome(mistake)


def test_a_mistake_that_is_told_well(tmp_path: Path) -> None:
    outcome = made(PIG, tmp_path)
    assert outcome.good and outcome.true_lines == ("ruleset.yaml:29",)
    assert outcome.said == ("ruleset.yaml:29: error[N001 unknown-name]: there is nothing called `pto`",)


def test_the_line_the_cause_and_what_follows_are_judged(tmp_path: Path) -> None:
    assert not made(replace(PIG, at="        repeat:\n"), tmp_path).line
    assert not made(replace(PIG, says="`goal`"), tmp_path).cause
    twice = made(replace(PIG, new="        pto = 0\n        gaol = 1\n"), tmp_path)
    assert twice.further == 1 and not twice.good and twice.line and twice.cause


def test_a_long_list_of_what_could_stand_there_names_nothing() -> None:
    said = diagnose(
        "P001",
        None,
        problem="`left` cannot stand here",
        notes=("here could stand: `:`, `if`, `in`, `not`, `otherwise`",),
    )
    assert "`not`" in _mistakes.words(said) and "`not`" not in _mistakes.words(said, listed=3)
    assert "`from`" in _mistakes.words(replace(said, notes=("here could stand: `from`",)), listed=3)


def test_what_is_no_mistake_is_not_found(tmp_path: Path) -> None:
    outcome = made(replace(PIG, new="        pot = 0 + 0\n"), tmp_path)
    assert not outcome.found and not outcome.line and not outcome.cause and outcome.further == 0


def test_safe_fixes_are_applied_and_compared(tmp_path: Path) -> None:
    doubled = replace(PIG, old="pot < 20 and score", new="pot < 20 && score", says="`and`")
    outcome = made(doubled, tmp_path)
    assert outcome.fixed and outcome.fix_wrong is None
    wrong = made(replace(doubled, fix=("pot < 20 or score",)), tmp_path)
    assert wrong.fix_wrong is not None and "pot < 20 and score" in wrong.fix_wrong
    assert made(replace(doubled, fix=()), tmp_path).fix_wrong is not None  # there must be none


def test_the_files_are_as_they_were(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.outcome(PIG)
    assert bench.clean(PIG.ruleset) == []


def test_a_text_that_stands_not_once_is_refused() -> None:
    with pytest.raises(ValueError, match=r"made-1: 'pot' stands \d+ times"):
        _mistakes.changed(replace(PIG, old="pot"))


def test_a_key_that_is_none_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "yaml.yaml").write_text("- {what: it, in: here, old: a, new: b, sais: c}\n", encoding="utf-8")
    monkeypatch.setattr(_mistakes, "DATA", tmp_path)
    with pytest.raises(ValueError, match=r"yaml.yaml, row 1: .*sais"):
        _mistakes.read("yaml")


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [("a\nb\n", "a\nc\n", 2), ("a\nb\n", "a\na\nb\n", 2), ("a\nb\n", "a\n", 1), ("a\n", "x\na\n", 1)],
)
def test_the_first_line_that_differs(before: str, after: str, line: int) -> None:
    assert _mistakes.first_difference(before, after) == line


def test_what_is_worse_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_mistakes, "FIGURES", tmp_path / "figures.yaml")
    _mistakes.record(
        {"yaml": Figures(mistakes=4, found=3, line=3, cause=2, further=5, fixes=2, wrong_fixes=1)}
    )
    assert (
        _mistakes.worse(
            {"yaml": Figures(mistakes=4, found=4, line=3, cause=3, further=0, fixes=2, wrong_fixes=0)}
        )
        == []
    )
    now = Figures(mistakes=4, found=2, line=3, cause=2, further=6, fixes=2, wrong_fixes=1)
    assert _mistakes.worse({"yaml": now}) == ["yaml: found 2, and 3 before", "yaml: further 6, and 5 before"]


def test_the_table_and_the_list(tmp_path: Path) -> None:
    bad = made(replace(PIG, says="`goal`"), tmp_path)
    by_area = _mistakes.figures([bad, made(PIG, tmp_path)])
    last = _mistakes.table(by_area).splitlines()[-1]
    assert [cell.strip() for cell in last.split("|")] == [
        "all",
        "2",
        "2 (100.0 %)",
        "2 (100.0 %)",
        "1 (50.0 %)",
        "0.00",
        "0",
        "0",
    ]
    assert "a state misspelt [cause]" in _mistakes.listing([bad])
    assert json.loads(_mistakes.as_json([bad]))["mistakes"][0]["said"] == list(bad.said)


RULES = """\
zones:
  deck: {holds: Card, start: all}
  hand: {holds: Card, per: Player}
doc: |
  if it is prose, nobody reads it
phases:
  play: |
    # a comment
    if deck.size == 3 and deck.size != 2:  # another
        draw 1 from deck to hand[p]
    announce "if it is a text"
"""


def test_operators_propose_the_same_rows_for_a_seed() -> None:
    assert _mistake_operators.propose(RULES, "cards", 1, each=3) == _mistake_operators.propose(
        RULES, "cards", 1, each=3
    )
    assert _mistake_operators.propose(RULES, "cards", 1, each=3) != _mistake_operators.propose(
        RULES, "cards", 2, each=3
    )


def test_operators_change_one_line_of_what_is_read() -> None:
    rows = _mistake_operators.propose(RULES, "cards", 1, each=50)
    assert {row["old"].splitlines()[0].split()[0] for row in rows} == {
        "zones:",
        "deck:",
        "hand:",
        "phases:",
        "play:",
        "if",
        "draw",
        "announce",
    }
    for row in rows:
        assert RULES.count(row["old"]) == 1 and row["old"] != row["new"]
        old, new = row["old"].splitlines(), row["new"].splitlines()
        assert len(set(old) - set(new)) <= 1, "one line is another one"


def test_each_operator_makes_its_mistake() -> None:
    lines = _mistake_operators.lines_of(RULES)
    rng = random.Random(1)
    made = {
        name: {c.text.strip() for line in lines for c in operator(line, rng)}
        for name, operator in _mistake_operators.OPERATORS.items()
    }
    assert "if deck.size = 3 and deck.size != 2:  # another" in made["= for =="]
    assert "draw 1 fromdeck to hand[p]" in made["glue"]
    assert {
        "if deck.size == 3 && deck.size != 2:  # another",
        "if deck.size == 3 AND deck.size != 2:  # another",
    } & made["a foreign word"]
    assert {"play |", "deck: {holds: Card start: all}"} <= made["leave a sign out"]
    assert "deck: {holds: Card, start: all}\n  deck: {holds: Card, start: all}" in made["double"]
    assert "draw 1 from deck to hand[p]" in made["a tab"]
    assert all(made.values())


def test_proposed_rows_are_rows() -> None:
    rows = YAML(typ="safe", pure=True).load(_mistakes.proposed(["classics/hearts"], 3))
    assert len(rows) == len(_mistake_operators.OPERATORS)
    for number, row in enumerate(rows, 1):
        _mistakes.true_lines(_mistakes.mistake_of("drawn", number, dict(row)))
