"""Every mistake that an author can make has a ruleset here that makes it, and the whole message that it gets.

`CODE.yaml` (or `CODE-what.yaml`) gives exactly one diagnostic, of that code; `CODE.txt` is what a person is
shown. After a change that is meant, `tools/record-diagnostics` writes the texts anew, and a reader looks at
the difference.
"""

from pathlib import Path

import pytest

from croupier.diagnostics import CODES
from findings import FIXTURES, ROOT, findings, rendered

RULESETS = sorted(FIXTURES.glob("[A-Z][0-9][0-9][0-9]*.yaml"))
STAGES_ELSEWHERE = {
    "Y": "one text each in tests/hostile/yaml",
    "D": "one text each in tests/hostile/schema and tests/unit/schema",
    "V": "tests/unit/resolve, where bases and variants lie beside each other",
    "R": "faults of a running game: tests/unit/runtime and the blocks of grammar/reference",
    "K": "scenarios: tests/unit/scenarios",
    "X": "files and command lines: tests/unit/source, tests/unit/cli, tests/unit/play",
}
CODES_ELSEWHERE = {
    "P052": "the text is too long to keep: tests/hostile/rules/recipes.json",
    **dict.fromkeys(
        ("G010", "G011", "G012"), "about what is asked for when a game is set up, not about the ruleset"
    ),
    **dict.fromkeys(
        ("G014", "G015", "G016", "G017", "G022", "G023", "G026"),
        "depends on parameters and players: found when a game is set up",
    ),
    "L044": "told by `check --rulebook`: tests/unit/authoring/rulebook/test_unworded.py",
    "G030": "tried by `check --matrix`: tests/unit/authoring/test_matrix_check.py",
    **dict.fromkeys(
        ("G018", "G019", "G027"), "components, zones and parameters get their values when a game is set up"
    ),
}


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_one_mistake_one_diagnostic(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = findings(path.relative_to(ROOT))
    code, _, several = path.stem.partition("-")
    assert {d.code for d in found} == {code}
    assert all(d.span is not None for d in found)
    # a fixture with a second name may show what is told of several mistakes, each on a line of its own
    if several:
        assert len({d.span.line for d in found if d.span is not None}) == len(found)
    else:
        assert len(found) == 1


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_what_a_person_is_shown(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    recorded = path.with_suffix(".txt")
    assert recorded.exists(), "run tools/record-diagnostics"
    assert rendered(path.relative_to(ROOT)) == recorded.read_text(encoding="utf-8"), (
        "if this is meant: tools/record-diagnostics"
    )


def test_every_code_has_a_fixture_or_a_reason() -> None:
    here = {path.stem.split("-")[0] for path in RULESETS}
    assert here <= set(CODES)
    assert not here & set(CODES_ELSEWHERE)
    assert set(CODES_ELSEWHERE) <= set(CODES)
    missing = [
        code
        for code in CODES
        if code not in here and code not in CODES_ELSEWHERE and code[0] not in STAGES_ELSEWHERE
    ]
    assert missing == []


def test_every_text_belongs_to_a_ruleset() -> None:
    assert {p.stem for p in FIXTURES.glob("*.txt")} == {p.stem for p in RULESETS}


def test_at_least_eighty_codes_are_shown_whole() -> None:
    """Codes with an explanation, a smallest ruleset that is refused for it, and everything that is then
    shown: counted and listed (`pytest -s`).
    """
    shown = {path.stem.split("-")[0]: path for path in RULESETS if path.with_suffix(".txt").exists()}
    whole = [code for code in CODES if code in shown and CODES[code].explanation]
    for code in whole:
        print(f"{code}  {CODES[code].name:30} {shown[code].relative_to(ROOT).as_posix()}")
    print(f"{len(whole)} of {len(CODES)} codes")
    assert len(whole) >= 80 and set(whole) == set(shown)
