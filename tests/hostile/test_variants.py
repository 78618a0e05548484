"""Variants that a stranger wrote: paths that lead elsewhere, chains, names of every kind, and variants with
tokens deleted, doubled, replaced.

Whatever it is, checking, fixing and comparing answer with diagnostics.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.authoring.diff import diff_rulesets
from croupier.authoring.fixing import fix_whole
from croupier.authoring.verdicts import Verdicts
from croupier.diagnostics import Source
from croupier.diagnostics.render import render_human
from croupier.resolve import open_ruleset, resolve_source
from croupier.resources import RulesetPlace
from findings import ROOT, findings
from mutations import change, mutate

DATA = ROOT / "tests" / "data" / "variants"
KENNEL = (DATA / "kennel.yaml").read_text(encoding="utf-8")
VARIANTS = {name: (DATA / f"{name}.yaml").read_text(encoding="utf-8") for name in ("winter", "frost")}
HEAD = "croupier: 1\nextends: kennel.yaml\n"

WRONG = [  # what a variant says, and the codes
    ("extends: /etc/passwd\n", ["X008"]),
    ("extends: ../../../../etc/passwd.yaml\n", ["X007"]),
    ("extends: https://example.org/game.yaml\n", ["X009"]),
    ("extends: ~/game.yaml\n", ["X009"]),
    ("extends: CON.yaml\n", ["X009"]),
    ("extends: .\n", ["V002"]),
    ("extends: {a: b}\n", ["D003"]),
    ("extends: []\n", ["D004"]),
    (f"extends: [{', '.join(['kennel.yaml'] * 500)}]\n", ["D201"] * 50),
    ("extends: null\n", ["D003"]),
    ("extends: variant.yaml\n", ["V101"]),
    ('extends: "kennel.yaml\\0"\n', ["Y007"]),
    ("extends: kennel.yaml\nadd: kennel\n", ["D003"]),
    ("extends: kennel.yaml\nremove: [house]\n", ["D003"]),
    ("extends: kennel.yaml\nremove: {zones: {house: 1}}\n", ["D003"]),
    ("extends: kennel.yaml\nadd: {rows: {Dog: ../../dogs.csv}}\n", ["X007"]),
    ("extends: kennel.yaml\nrows: {Dog: /dev/zero.csv}\n", ["X008"]),
    ("extends: kennel.yaml\nrows: {Dog: []}\n", ["D004"]),
    ("extends: kennel.yaml\nadd: {phases: {x: {after: x, rules: pass}}}\n", ["V104"]),
    ("extends: kennel.yaml\nadd: {phases: {x: {after: walks, phases: {}}}}\n", ["D004"]),
    ("extends: kennel.yaml\nset: {no: 1}\n", ["V103"]),
    ("extends: kennel.yaml\nremove: {phases: [walks]}\n", ["D004"]),
    (
        "extends: kennel.yaml\nadd: {phases: {x: {rules: finish draw}}}\nremove: {phases: [walks, walks]}\n",
        ["D201"],
    ),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kennel.yaml").write_text(KENNEL, encoding="utf-8")
    (tmp_path / "winter.yaml").write_text(VARIANTS["winter"], encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "codes"), WRONG, ids=lambda value: value[:40] if isinstance(value, str) else None
)
def test_each_is_told_at_its_place(text: str, codes: list[str], folder: Path) -> None:
    path = folder / "variant.yaml"
    path.write_text("croupier: 1\n" + text, encoding="utf-8")
    found = [d for d in findings(path) if d.is_error]
    assert [d.code for d in found[: len(codes)]] == codes
    assert all(d.span is not None and d.span.source.name.endswith("variant.yaml") for d in found)


def test_many_changes_at_once(folder: Path) -> None:
    names = "\n".join(f"    z{i}: {{holds: Dog}}" for i in range(1000))
    path = folder / "variant.yaml"
    path.write_text(
        f"{HEAD}add:\n  zones:\n{names}\nremove: {{zones: [{', '.join(f'y{i}' for i in range(1000))}]}}\n",
        encoding="utf-8",
    )
    found = findings(path)
    assert (
        sum(d.code == "V104" for d in found) == 50
        and "more of this kind" in found[[d.code for d in found].index("V104") + 49].notes[-1]
    )


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(name=st.sampled_from(sorted(VARIANTS)), changes=st.lists(change, min_size=1, max_size=5))
def test_nothing_raises(name: str, changes: list[tuple[str, int, int]], folder: Path) -> None:
    path, text = folder / "variant.yaml", mutate(VARIANTS[name], changes)
    path.write_text(text, encoding="utf-8", newline="")
    render_human(findings(path))
    place = RulesetPlace(path, folder, "variant")
    fix_whole(str(path), Verdicts(None))
    changed, base = resolve_source(Source(str(path), text), place)[0], open_ruleset(folder / "kennel.yaml")[0]
    if changed is not None and base is not None:
        for difference in (*diff_rulesets(base, changed), *diff_rulesets(changed, base)):
            assert difference.words and difference.to_json() and isinstance(difference.lines, tuple)
