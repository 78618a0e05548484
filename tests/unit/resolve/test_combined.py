"""Variants combine in any order: two of them give one ruleset, or are refused with both places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.diagnostics import Diagnostic, RulesetError
from croupier.resolve import open_ruleset
from croupier.resources import shipped

HERE = Path(__file__).parent
BASE = HERE / "combined.base.yaml"
VARIANTS = YAML(typ="safe", pure=True).load((HERE / "combined.variants.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the base and a file for each variant of the data."""
    folder: Path = tmp_path_factory.mktemp("combined")
    (folder / "ruleset.yaml").write_text(BASE.read_text(encoding="utf-8"), encoding="utf-8")
    for name, changes in VARIANTS.items():
        (folder / f"{name.replace(' ', '_')}.yaml").write_text(
            f"croupier: 1\nextends: ruleset.yaml\n{changes}", encoding="utf-8"
        )
    return folder


REFUSED = {  # pairs whose order would decide, with what they both change
    ("tax", "toll"): ("V116", "after `harvest`"),
    ("feast", "fair"): ("V116", "before `market`"),
    ("last word", "last deed"): ("V116", "behind all others"),
    ("free", "cheap"): ("V109", "`price`"),
    ("dear", "free"): ("V109", "`price`"),
    ("own def", "other def"): ("V109", "`tithe`"),
    ("long", "short"): ("V109", "`rounds`"),
    ("three", "four"): ("V109", "`players`"),
    ("rich", "rich again"): ("V109", "`rich`"),
    ("poor harvest", "rich harvest"): ("V109", "`harvest`"),
    ("told", "counted"): ("V109", "`buy(p)`"),
    ("half price", "no purse"): ("V109", ""),
    ("half price", "no buying"): ("V109", ""),
    ("no purse", "no buying"): ("V109", ""),
}

# the later one finds nothing left to change
GONE = {("half price", "no purse"), ("half price", "no buying"), ("no purse", "no buying")}


def combined(folder: Path, names: Sequence[str], how: str = "[{}]") -> tuple[str | None, list[Diagnostic]]:
    """The hash of a combination, or the errors."""
    listed = how.format(", ".join(f"{name.replace(' ', '_')}.yaml" for name in names))
    file = folder / "both.yaml"
    file.write_text(f"croupier: 1\nextends: {listed}\nruleset: both\n", encoding="utf-8")
    try:
        return croupier.load(file).ruleset_hash, []
    except RulesetError as error:
        return None, list(error.diagnostics)


def wrong(errors: Iterable[Diagnostic]) -> set[tuple[str, str]]:
    return {(d.code, d.message) for d in errors}


def test_two_orders_give_the_same(folder: Path) -> None:
    different, refused = [], {}
    for one, other in combinations(VARIANTS, 2):
        (first, errors), (second, others) = combined(folder, (one, other)), combined(folder, (other, one))
        if first != second or wrong(errors) != wrong(others):
            different.append((one, other, wrong(errors), wrong(others)))
        if first is None:
            refused[one, other] = errors
    assert different == []
    for pair, (code, what) in REFUSED.items():
        [error] = refused[pair]
        assert error.code == code and what in error.message, pair
        assert len(error.labels) == 2, "both places are shown"
        assert "in_order" in (error.help or ""), "and what to write"
    unexpected = {
        pair
        for pair, errors in refused.items()
        if pair not in REFUSED and {d.code for d in errors} & {"V109", "V116"}
    }
    changed = ("no harvest", "no market", "more coins", "free", "cheap", "dear", "long", "short")
    assert all(one in changed for one, _ in unexpected), unexpected


def test_in_order_the_later_one_wins(folder: Path) -> None:
    for one, other in REFUSED:
        if (one, other) in GONE or (one, other) in (("own def", "other def"), ("dear", "free")):
            # two definitions of one name are refused whatever the order; `instead of` is asked before any
            # definition
            continue
        (first, none), (second, neither) = (
            combined(folder, pair, "{{in_order: [{}]}}") for pair in ((one, other), (other, one))
        )
        assert none == neither == [] and first != second, (one, other)


def test_a_phase_is_put_beside_one_that_another_variant_removes(folder: Path) -> None:
    for pair in (("tax", "no harvest"), ("no harvest", "tax")):
        ruleset, errors = combined(folder, pair)
        assert ruleset is not None and errors == []
    phases = [name.text for name, _ in croupier.load(folder / "both.yaml").program.resolved.phases]
    assert phases == ["tax", "market"]


def test_phases_behind_one_phase_come_in_the_order_of_the_list(folder: Path) -> None:
    combined(folder, ("tax", "toll"), "{{in_order: [{}]}}")
    assert [name.text for name, _ in croupier.load(folder / "both.yaml").program.resolved.phases] == [
        "harvest",
        "tax",
        "toll",
        "market",
    ]
    combined(folder, ("toll", "tax"), "{{in_order: [{}]}}")
    assert [name.text for name, _ in croupier.load(folder / "both.yaml").program.resolved.phases] == [
        "harvest",
        "toll",
        "tax",
        "market",
    ]


def test_what_combines_in_order_goes_with_others(folder: Path) -> None:
    """A combination in its order is no conflict where it is combined again."""
    (folder / "ordered.yaml").write_text(
        "croupier: 1\nextends: {in_order: [free.yaml, cheap.yaml]}\n", encoding="utf-8"
    )
    assert combined(folder, ("ordered", "tax")) == combined(folder, ("tax", "ordered"))
    assert combined(folder, ("ordered", "tax"))[1] == []


@pytest.mark.parametrize("base", sorted({name.split("/")[0] for name in shipped() if "/" in name}))
def test_shipped_variants_combine_in_any_order(base: str) -> None:
    """The layers of a pair, which all else follows from, do not depend on the order; nor do its conflicts."""
    names = [name.split("/")[1] for name in shipped() if name.startswith(f"{base}/")]
    for one, other in combinations(names, 2):
        (doc, found), (again, others) = (
            open_ruleset(f"{base}/{first}+{second}") for first, second in ((one, other), (other, one))
        )
        assert wrong(found) == wrong(others), (one, other)
        assert doc is None or [layer.key for layer in doc.layers] == [layer.key for layer in again.layers], (
            one,
            other,
        )
