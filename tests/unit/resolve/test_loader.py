"""Rulesets from names and paths, variants laid over them, and what is said when that does not work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import croupier
from croupier import resources
from croupier.diagnostics import CODES, Diagnostic
from croupier.limits import MAX_COMBINED_VARIANTS
from croupier.resolve import ResolvedRuleset, open_ruleset
from croupier.resolve.loader import open_switches
from croupier.scenarios.api import check_scenarios
from croupier.source import YamlScalar
from needs import posix
from small_ruleset import TEXT

HEAD = "croupier: 1\nruleset: small\ntitle: Small\nplayers: 2\nphases:\n  play: pass\n"
VARIANT = "croupier: 1\nextends: ruleset.yaml\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A ruleset's folder with the small ruleset."""
    (tmp_path / "small" / "variants").mkdir(parents=True)
    (tmp_path / "small" / "ruleset.yaml").write_text(TEXT, encoding="utf-8")
    return tmp_path / "small"


@pytest.fixture
def shipped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package whose shipped rulesets are that folder's."""
    data = folder.parent / "data"
    (data / "grammar").mkdir(parents=True)
    (data / "rulesets" / "classics").mkdir(parents=True)
    folder.rename(data / "rulesets" / "classics" / "small")
    monkeypatch.setattr(resources, "data_folder", lambda: data)
    resources.shipped.cache_clear()
    yield data / "rulesets" / "classics" / "small"
    resources.shipped.cache_clear()


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def opened(path: Path | str) -> ResolvedRuleset:
    ruleset, problems = open_ruleset(path)
    assert ruleset is not None and [str(problem) for problem in problems] == []
    return ruleset


def only(path: Path | str) -> Diagnostic:
    _, problems = open_ruleset(path)
    assert len(problems) == 1, [str(problem) for problem in problems]
    return problems[0]


def default(ruleset: ResolvedRuleset, name: str) -> object:
    node = {name.text: parameter for name, parameter in ruleset.parameters}[name].default
    return node.value if isinstance(node, YamlScalar) else None


def test_a_ruleset_by_file_and_by_folder(folder: Path) -> None:
    ruleset = opened(folder / "ruleset.yaml")
    assert (ruleset.name, ruleset.title, ruleset.variant_of, ruleset.root) == ("small", "Small", None, folder)
    assert ruleset.players.counts == (2, 4, 5) and len(ruleset.sources) == 1
    assert ruleset.definitions[0].title is not None and not ruleset.definitions[0].from_variant
    assert ruleset.definitions[0].rule.text.startswith("def best()")
    assert opened(folder).path == folder / "ruleset.yaml"
    assert opened(str(folder)).name == "small"


def test_shipped_names(shipped: Path) -> None:
    write(shipped, "variants/short.yaml", "croupier: 1\nextends: ../ruleset.yaml\nset: {hand_size: 3}\n")
    resources.shipped.cache_clear()
    assert list(resources.shipped()) == ["small", "small/short"]
    assert opened("small").root == shipped
    variant = opened("small/short")
    assert (variant.name, variant.variant_of, default(variant, "hand_size")) == ("short", "small", 3)
    missing = only("smal")
    assert missing.code == "V001" and missing.help == "did you mean `small`?"
    assert only("small/shrt").help == "did you mean `small/short`?"
    assert "its variants are `small/short`" in (only("small/xyzzy").help or "")
    assert only("").code == "V001" and only("a\0b").code == "V001"


def test_a_house_rule_beside_nothing(shipped: Path, tmp_path: Path) -> None:
    house = write(tmp_path, "house.yaml", "croupier: 1\nextends: small\nset: {hand_size: 3}\n")
    assert default(opened(house), "hand_size") == 3
    assert only(write(tmp_path, "other.yaml", "croupier: 1\nextends: smal\n")).help == "did you mean `small`?"


ANOTHER_KIND = {
    "scenarios/a.yaml": (
        "croupier: 1\nruleset: small\nscenarios:\n  - id: A\n",
        "a scenario file",
        "`croupier test {folder}/scenarios/a.yaml`",
    ),
    "cards.csv": ("id,number\na,1\n", "a table", "`table: cards.csv`; the ruleset beside it is `{folder}`"),
    "rules.csv": (
        "id,tag,text\n",
        "a rule list",
        "`rule_list: rules.csv`; the ruleset beside it is `{folder}`",
    ),
    "rows.yaml": ("- id: a\n- id: b\n", "a table", "`table: rows.yaml`"),
    "lists.yaml": ("[[a, 1], [b, 2]]\n", "a table", "`table: lists.yaml`"),
    "game.json": (
        '{"croupier": 1, "ruleset": "small", "ruleset_hash": "", "actions": []}',
        "a saved game",
        "`croupier replay {folder}/game.json`",
    ),
    "script.yaml": (
        "croupier: 1\nactions: [1, 2]\n",
        "a list of actions",
        "`croupier run {folder} --actions {folder}/script.yaml`",
    ),
}


@pytest.mark.parametrize("name", ANOTHER_KIND)
def test_a_file_of_another_kind(name: str, folder: Path) -> None:
    """It is one mistake, not as many as there are keys; and what such a file is for is said."""
    text, what, help = ANOTHER_KIND[name]
    found = only(write(folder, name, text))
    assert (found.code, found.message) == ("V003", f"this is {what}, not a ruleset")
    assert help.format(folder=folder.as_posix()) in (found.help or "")
    moved = only(write(folder.parent, Path(name).name, text))
    assert moved.code == "V003" and "beside it" not in (moved.help or "")


def test_a_number_that_is_none_is_one_mistake(folder: Path) -> None:
    """What was meant is proposed where it can be known."""
    _, problems = open_ruleset(
        write(folder, "numbers.yaml", HEAD + "limits: {decisions: 4.0, chance: 4.5}\n")
    )
    assert [(problem.code, problem.fix and problem.fix.replacement) for problem in problems] == [
        ("Y304", "4"),
        ("Y304", None),
    ]


def test_what_may_be_meant_as_a_ruleset_is_read_as_one(folder: Path) -> None:
    for text in ("- a\n- b\n", "[]\n", "croupier: 1\ntitle: A\nscenarios: []\n", "croupier: 1\n"):
        _, problems = open_ruleset(write(folder, "other.yaml", text))
        assert problems and "V003" not in {problem.code for problem in problems}


def test_what_a_variant_replaces(folder: Path) -> None:
    path = write(folder, "v.yaml", VARIANT + """\
title: Smaller
players: 2
limits: {fuel: 5}
set: {hand_size: 7, side: right}
zones:
  deck: {holds: Card, order: bag}
phases:
  set up: pass
definitions:
  More: |
    replace def best() -> Player: return leader
scoring: |
  rank leader
invariants:
  nothing is wrong: 1 == 1
  another: true
""")  # fmt: skip
    ruleset = opened(path)
    assert (ruleset.name, ruleset.title, ruleset.variant_of, ruleset.players.counts) == (
        "v",
        "Smaller",
        "small",
        (2,),
    )
    assert default(ruleset, "hand_size") == 7 and [name.text for name, _ in ruleset.settings] == [
        "hand_size",
        "side",
    ]
    assert ruleset.limits is not None and ruleset.limits.fuel is not None and ruleset.limits.fuel.value == 5
    assert ruleset.limits.decisions is not None and ruleset.limits.decisions.value == 200
    assert [name.text for name, _ in ruleset.zones] == ["deck", "hand"] and ruleset.zones[0][
        1
    ].span.source.name.endswith("v.yaml")
    assert [(d.from_variant, d.title.text if d.title else None) for d in ruleset.definitions] == [
        (False, "Who wins"),
        (True, "More"),
    ]
    assert [name.text for name, _ in ruleset.phases] == ["set up", "play", "more"]
    assert ruleset.phases[0][1].text is not None and ruleset.phases[0][1].text.text == "pass"
    assert ruleset.scoring is not None and ruleset.scoring.text == "rank leader\n"
    assert [name.text for name, _ in ruleset.invariants] == ["nothing is wrong", "another"]
    assert [source.name.rsplit("/", 1)[-1] for source in ruleset.sources] == ["v.yaml", "ruleset.yaml"]


def test_what_a_variant_gets_wrong(folder: Path) -> None:
    def said(text: str) -> Diagnostic:
        return only(write(folder, "v.yaml", VARIANT + text))

    unknown = said("set: {hand_sise: 7}\n")
    assert (
        (unknown.code, unknown.help) == ("V103", "did you mean `hand_size`?")
        and unknown.span is not None
        and unknown.span.text == "hand_sise"
    )
    assert said("set: {xyzzy: 7}\n").help == "the parameters are `hand_size`, `side`"
    assert (said("zones: {dek: {holds: Card}}\n").code, said("zones: {dek: {holds: Card}}\n").help) == (
        "V104",
        "did you mean `deck`?",
    )
    assert "to add something, write it under `add: {phases: …}`" in (
        said("phases: {xyzzy: pass}\n").help or ""
    )
    assert said("zone: {deck: {holds: Card}}\n").code == "D001"


def test_chains_of_variants(folder: Path) -> None:
    write(folder, "one.yaml", VARIANT + "set: {hand_size: 3, side: right}\n")
    write(folder, "two.yaml", "croupier: 1\nextends: one.yaml\ntitle: Two\nset: {hand_size: 4}\n")
    two = opened(folder / "two.yaml")
    assert (default(two, "hand_size"), default(two, "side"), two.title, two.variant_of) == (
        4,
        "right",
        "Two",
        "one",
    )
    assert [source.name.rsplit("/", 1)[-1] for source in two.sources] == [
        "two.yaml",
        "one.yaml",
        "ruleset.yaml",
    ]
    assert two.base is not None and two.base.base is not None and two.base.base.base is None


def test_as_many_variants_at_once_as_there_may_be(folder: Path) -> None:
    for i in range(MAX_COMBINED_VARIANTS + 1):
        write(folder, f"c{i}.yaml", f"{VARIANT}add: {{state: {{s{i}: 0..9 = 0 seen by everybody}}}}\n")
    names = [f"c{i}.yaml" for i in range(MAX_COMBINED_VARIANTS)]
    opened(write(folder, "all.yaml", f"croupier: 1\nextends: [{', '.join(names)}]\n"))
    more = f"croupier: 1\nextends: [{', '.join(names)}, c{MAX_COMBINED_VARIANTS}.yaml]\n"
    found = only(write(folder, "more.yaml", more))
    assert found.code == "V107" and found.span is not None
    assert found.span.text == f"c{MAX_COMBINED_VARIANTS}.yaml", "the one that is too many"


def test_variants_that_replace_different_watchers_go_together(folder: Path) -> None:
    watchers = "definitions:\n  Watching: |\n    watch leader as now: pass\n    watch score as now: pass\n"
    write(folder, "ruleset.yaml", TEXT.replace("definitions:\n", watchers, 1))
    for name, what in (("one", "leader"), ("two", "score"), ("three", "score")):
        write(
            folder,
            f"{name}.yaml",
            f"{VARIANT}definitions: |\n  replace watch {what} as now: leader = players.last\n",
        )
    opened(write(folder, "both.yaml", "croupier: 1\nextends: [one.yaml, two.yaml]\n"))
    assert only(write(folder, "same.yaml", "croupier: 1\nextends: [two.yaml, three.yaml]\n")).code == "V109"


def test_where_a_chain_leads(folder: Path) -> None:
    assert only(write(folder, "three.yaml", "croupier: 1\nextends: three.yaml\n")).code == "V101"
    write(folder, "four.yaml", "croupier: 1\nextends: five.yaml\n")
    circle = only(write(folder, "five.yaml", "croupier: 1\nextends: four.yaml\n"))
    assert circle.code == "V102" and "`five.yaml` → `four.yaml` → `five.yaml`" in circle.message
    assert only(write(folder, "six.yaml", "croupier: 1\nextends: nothing.yaml\n")).code == "X001"
    write(folder, "one.yaml", VARIANT)
    assert (
        only(write(folder, "seven.yaml", "croupier: 1\nextends: one\n")).help
        == "did you mean the file `one.yaml`?"
    )
    assert only(write(folder, "eight.yaml", "croupier: 1\nextends: ../../ruleset.yaml\n")).code == "X007"
    for i in range(9):
        write(folder, f"v{i}.yaml", f"croupier: 1\nextends: v{i + 1}.yaml\n")
    write(folder, "v9.yaml", VARIANT)
    assert only(folder / "v0.yaml").code == "V107"
    assert opened(folder / "v2.yaml").variant_of == "v3"


def test_mistakes_of_the_base_are_shown_where_they_are(folder: Path) -> None:
    write(folder, "bad.yaml", HEAD + "zones: {deck: {order: pile}}\n")
    ruleset, problems = open_ruleset(
        write(folder, "v.yaml", "croupier: 1\nextends: bad.yaml\nzones: {deck: {holds: Card}}\n")
    )
    assert ruleset is not None and [problem.code for problem in problems] == ["D002"]
    assert problems[0].span is not None and problems[0].span.source.name.endswith("bad.yaml")
    assert [(drop.section, drop.name) for drop in ruleset.dropped] == [("zones", "deck")]


AT_SET_UP = ("V115",)  # what is found when a game is set up: its example is tested by itself


def is_found_here(code: str) -> bool:
    """Is this code, with an example, one of those that opening a ruleset finds?"""
    return code[0] == "V" and not code.startswith("V2") and code not in AT_SET_UP and bool(CODES[code].bad)


@pytest.mark.parametrize("code", [code for code in CODES if is_found_here(code)])
def test_every_example_of_the_catalogue(code: str, folder: Path) -> None:
    twice = (
        "  again: {repeat: true, phases: {twice: pass}}\n  once more: {repeat: true, phases: {twice: "
        "pass}}\nscoring"
    )
    write(
        folder,
        "ruleset.yaml",
        TEXT.replace("hand_size:", "rounds:").replace("hand_size", "rounds").replace("scoring", twice),
    )
    write(folder, "variants/another_variant.yaml", "croupier: 1\nextends: variant.yaml\n")
    write(folder, "variants/short_game.yaml", "croupier: 1\nextends: ../ruleset.yaml\nset: {rounds: 1}\n")
    write(folder, "variants/long_game.yaml", "croupier: 1\nextends: ../ruleset.yaml\nset: {rounds: 9}\n")
    write(folder, "variants/open_hands.yaml", "croupier: 1\nextends: ../ruleset.yaml\nset: {side: right}\n")
    for name in ("tax", "market_day"):
        write(
            folder,
            f"variants/{name}.yaml",
            f"croupier: 1\nextends: ../ruleset.yaml\nadd: {{phases: {{{name}: pass}}}}\n",
        )
    write(folder, "other_game.yaml", HEAD)
    write(folder, "modules/a_ruleset.yaml", HEAD)
    write(folder, "variants/other_game.yaml", "croupier: 1\nextends: ../other_game.yaml\n")
    entry = CODES[code]
    ruleset, problems = open_ruleset(write(folder, "variants/variant.yaml", entry.bad))
    problems += open_switches(ruleset)[1] if ruleset is not None else []
    assert [d.code for d in problems] == [code]
    assert open_switches(opened(write(folder, "variants/variant.yaml", entry.good)))[1] == []


def test_the_example_of_variants_that_exclude_one_another(tmp_path: Path) -> None:
    pace = "pace: {one_of: [usual, slow, fast], variants: {slow: slow_game, fast: fast_game}}"
    numbers = "rounds: {type: 1..9, default: 3}\n  cards: {type: 1..9, default: 3}"
    play = "choose n from 1..rounds + cards by players.first\n    finish draw"
    whole = (
        f"croupier: 1\nruleset: paced\ntitle: Paced\nplayers: 2\nparameters:\n  {pace}\n  "
        f"{numbers}\nphases:\n  play: |\n    {play}\n"
    )
    write(tmp_path, "ruleset.yaml", whole)
    write(tmp_path, "variants/slow_game.yaml", "croupier: 1\nextends: ../ruleset.yaml\nset: {rounds: 9}\n")
    write(tmp_path, "variants/fast_game.yaml", "croupier: 1\nextends: ../ruleset.yaml\nset: {cards: 1}\n")
    found = [
        [
            d.code
            for d in croupier.check(write(tmp_path, "variants/variant.yaml", text)).diagnostics
            if d.is_error
        ]
        for text in (CODES["V115"].bad, CODES["V115"].good)
    ]
    assert found == [["V115"], []]


USES_MODULE = {  # how a variant uses a module, and what is said of it
    "mine: {}": [],
    "mine: {total: sum}": ["V304"],
    "mine: {part: sum}": ["V303"],
    "mine: {total: [coins]}": ["V306"],
    "none: {}": ["V301"],
    "broken: {}": ["D001"],
}


@pytest.mark.parametrize("use", USES_MODULE)
def test_a_switched_variant_whose_module_does_not_fit_is_incomplete(use: str, tmp_path: Path) -> None:
    module = (
        "croupier: 1\nmodule: mine\ntitle: Mine\nneeds: {state: {total: 0..9}}\n"
        "definitions: |\n  def one() -> int: return total\n"
        "example: {players: 2, state: {total: 0..9 = 0 seen by everybody}, phases: {play: finish draw}}\n"
    )
    write(tmp_path, "modules/mine.yaml", module)
    write(tmp_path, "modules/broken.yaml", f"{module.replace('mine', 'broken')}examples: {{}}\n")
    switch = "parameters: {pace: {one_of: [usual, slow], variants: {slow: slow_game}}}\n"
    total = "state: {total: 0..9 = 0 seen by everybody}\n"
    ruleset = opened(write(tmp_path, "ruleset.yaml", f"{HEAD}{switch}{total}"))
    write(tmp_path, "variants/slow_game.yaml", f"croupier: 1\nextends: ../ruleset.yaml\nuses: {{{use}}}\n")
    switched, problems = open_switches(ruleset)
    assert [d.code for d in problems] == USES_MODULE[use]
    assert switched["slow_game"].incomplete == bool(problems)


@pytest.mark.parametrize(
    ("extends", "code"),
    [
        ("ruleset.yaml", "X001"),
        ("small", "V001"),
        ("../small.yaml", "X001"),
        ("small/ruleset.yaml", "X001"),
        ("/x/ruleset.yaml", "X008"),
    ],
)
def test_a_variant_is_told_how_to_name_the_ruleset_of_its_folder(
    folder: Path, extends: str, code: str
) -> None:
    found = only(write(folder, "variants/v.yaml", f"croupier: 1\nextends: {extends}\n"))
    assert found.code == code and "the ruleset of this folder is `../ruleset.yaml`" in (found.help or "")
    assert found.fix is not None and found.fix.replacement == "../ruleset.yaml"


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    assert only(tmp_path / "nothing.yaml").code == "X001"
    assert only(str(tmp_path)).code == "X001"
    assert only("no/such/folder.yaml").code == "X001"
    assert only("x" * 5000 + ".yaml").code in ("X004", "X010")


@posix
def test_links_do_not_lead_out(folder: Path) -> None:
    secret = write(folder.parent, "secret.yaml", HEAD)
    (folder / "link.yaml").symlink_to(secret)
    assert only(write(folder, "v.yaml", "croupier: 1\nextends: link.yaml\n")).code == "X007"
    (folder / "loop.yaml").symlink_to(folder / "loop.yaml")
    assert only(write(folder, "w.yaml", "croupier: 1\nextends: loop.yaml\n")).code == "X004"
    (folder / "inside.yaml").symlink_to(folder / "ruleset.yaml")
    assert opened(write(folder, "x.yaml", "croupier: 1\nextends: inside.yaml\n")).variant_of == "small"


RULES = "id,tag,text\nSM-1,rule,{}\n"


@posix
def test_a_link_of_ones_own_leads_to_a_ruleset_with_what_lies_beside_that(folder: Path) -> None:
    """`my_link.yaml` in a folder that is no ruleset's: its tables lie beside the link or, if not, beside the
    file.
    """
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    write(folder, "ruleset.yaml", HEAD.replace("players: 2\n", "players: 2\nrule_list: rules.csv\n"))
    (folder / "rules.csv").write_text(RULES.format("beside the file"), encoding="utf-8")
    link = elsewhere / "my_link.yaml"
    link.symlink_to(folder / "ruleset.yaml")
    assert [rule.text.text for rule in opened(link).rule_list.values()] == ["beside the file"]
    (elsewhere / "rules.csv").write_text(RULES.format("beside the link"), encoding="utf-8")
    assert [rule.text.text for rule in opened(link).rule_list.values()] == ["beside the link"]
    write(folder, "variants/short.yaml", "croupier: 1\nextends: ../ruleset.yaml\n")
    assert opened(elsewhere / "my_link.yaml" / "short").variant_of == "small"


@posix
def test_a_link_inside_of_a_folder_leads_to_what_lies_beside_its_file(folder: Path) -> None:
    (folder / "rules").mkdir()
    write(folder / "rules", "base.yaml", HEAD.replace("players: 2\n", "players: 2\nrule_list: rules.csv\n"))
    (folder / "rules" / "rules.csv").write_text(RULES.format("beside the file"), encoding="utf-8")
    (folder / "other.yaml").symlink_to(folder / "rules" / "base.yaml")
    assert [rule.text.text for rule in opened(folder / "other.yaml").rule_list.values()] == [
        "beside the file"
    ]


@posix
def test_a_link_that_another_file_names_does_not_lead_out(folder: Path) -> None:
    """Not from a scenario file of a stranger either, though nothing but the link lies beside that."""
    write(folder.parent, "secret.yaml", HEAD)
    stranger = folder.parent / "stranger"
    (stranger / "scenarios").mkdir(parents=True)
    (stranger / "link.yaml").symlink_to(folder.parent / "secret.yaml")
    file = stranger / "scenarios" / "a.yaml"
    file.write_text(
        "croupier: 1\nruleset: ../link.yaml\nscenarios: [{id: a, then: [true]}]\n", encoding="utf-8"
    )
    assert [d.code for d in check_scenarios(file)] == ["X007"]


def test_a_variant_has_the_last_word_on_rules_and_on_what_a_row_cites(folder: Path) -> None:
    for name, text in (("rules.csv", "as it was"), ("variants/rules.csv", "as it is now")):
        (folder / name).write_text(
            f"id,tag,text\nSM-1,rule,{text}\nSM-2,rule,only {text}\n", encoding="utf-8"
        )
    head = HEAD.replace("players: 2\n", "players: 2\nrule_list: rules.csv\n")
    rows = (
        "components:\n  Card:\n    attributes: {worth: 1..9}\n    table: [{id: one, worth: 1, cites: "
        "SM-1}, {id: two, worth: 2, cites: SM-1}]\n"
    )
    (folder / "ruleset.yaml").write_text(head + rows, encoding="utf-8")
    variant = (
        "croupier: 1\nextends: ../ruleset.yaml\nrule_list: rules.csv\nrows:\n  Card: [{id: one, worth: "
        "3, cites: SM-2}, {id: two, worth: 4}]\n"
    )
    (folder / "variants" / "worth.yaml").write_text(variant, encoding="utf-8")
    ruleset, problems = open_ruleset(folder / "variants" / "worth.yaml")
    assert ruleset is not None and problems == []
    assert [rule.text.text for rule in ruleset.rule_list.values()] == ["as it is now", "only as it is now"]
    table = next(component for name, component in ruleset.components if name.text == "Card").table
    assert table is not None and [[id.text for id in row.cites] for row in table.rows] == [["SM-2"], ["SM-1"]]


def test_what_a_ruleset_lacks_stands_at_its_beginning(folder: Path) -> None:
    """So that all else can be checked: two players, and the name of the file."""
    ruleset, problems = open_ruleset(write(folder, "lacking.yaml", "croupier: 1\nphases: {play: pass}\n"))
    assert ruleset is not None and {problem.code for problem in problems} == {"D002"}
    assert (ruleset.name, ruleset.title, ruleset.players.counts) == ("lacking", "lacking", (2,))
    place = ruleset.players.span
    assert (place.line, place.column, place.text) == (1, 1, "")
