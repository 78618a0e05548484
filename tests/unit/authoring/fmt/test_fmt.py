"""The formatter: its layout as pairs of files, and that it never changes what a file says."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import croupier
from croupier.authoring.fmt import format_source
from croupier.authoring.fmt.kinds import is_scenarios, kinds_of
from croupier.authoring.fmt.meaning import meaning_of
from croupier.diagnostics import Source
from croupier.resources import shipped
from croupier.source import read, read_file
from croupier.source.files import buffers
from mangle import mangle

ROOT = Path(__file__).resolve().parents[4]
CASES = sorted((Path(__file__).parent / "cases").glob("*.before.yaml"))
FILES = sorted(
    p for folder in ("tests/language", "tests/data", "tests/unit/scenarios", "tests/unit/authoring",
    "tests/hostile")
    for p in (ROOT / folder).rglob("*.yaml")
)  # fmt: skip
# they are small and alike; of shipped files see the canonical layout
FILES += sorted((ROOT / "tests/diagnostics").rglob("*.yaml"))[::4]
SMALL = [
    ROOT / f"rulesets/classics/{name}/ruleset.yaml" for name in ("plain_tricks", "liars_dice", "breakthrough")
]
SMALL += [
    ROOT / "tests/language/hooks.yaml",
    ROOT / "tests/language/windows.yaml",
    ROOT / "rulesets/witches_of_blackmore/ruleset.yaml",
]


def source_of(path: Path) -> Source:
    source, found = read_file(path)
    assert source is not None, found
    return source


def formatted(text: str) -> str:
    result = format_source(Source("text.yaml", text))
    assert result.text is not None, result.diagnostics
    return result.text


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.name)
def test_the_layout_is_the_one_shown(path: Path) -> None:
    """To record the layout anew: write what `croupier fmt` makes of NAME.before.yaml to NAME.after.yaml, and
    look at the difference.
    """
    after = path.with_name(path.name.replace("before", "after")).read_text(encoding="utf-8")
    assert formatted(path.read_text(encoding="utf-8")) == after
    assert formatted(after) == after


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_file_that_can_be_read_keeps_its_meaning_and_is_laid_out_once(path: Path) -> None:
    source, _ = read_file(path)
    if source is None:
        return
    result = format_source(source)
    if result.text is None:
        assert result.diagnostics and all(d.is_error for d in result.diagnostics)
        return
    assert formatted(result.text) == result.text


PLACES = (
    "README.md",
    "grammar/LANGUAGE.md",
    "grammar/guide/*.md",
    "grammar/reference/**/*.md",
    "tests/language/**/*.md",
)
DOCUMENTS = [page for place in PLACES for page in sorted(ROOT.glob(place))]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_rulesets_in_documents(path: Path) -> None:
    for block in re.findall(
        r"^```yaml ruleset\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    ):
        text = format_source(Source(path.name, block)).text
        assert "#! " in block if text is None else formatted(text) == text


@pytest.mark.parametrize("path", [p for p in SMALL if p.name == "ruleset.yaml"], ids=lambda p: p.parent.name)
def test_the_ruleset_is_the_same(path: Path) -> None:
    """Whatever its layout was: shipped files are in the canonical one, so that each is laid out otherwise
    first.
    """
    known = croupier.load(path).ruleset_hash
    with buffers(
        {
            p: formatted(mangle(source_of(p).text, random.Random(1).randint))
            for p in (path, *path.parent.glob("variants/*.yaml"))
        }
    ):
        assert croupier.load(path).ruleset_hash == known


@pytest.mark.parametrize("name", [name for name in shipped() if "/" not in name])
def test_shipped_files_are_in_the_canonical_layout(name: str) -> None:
    wrong = [
        p.name for p in files_of(shipped()[name].root) if formatted(source_of(p).text) != source_of(p).text
    ]
    assert not wrong, f"`croupier fmt {name}` lays out {wrong}"


def files_of(root: Path) -> list[Path]:
    return sorted(p for p in root.rglob("*.yaml"))


@pytest.mark.parametrize("path", SMALL, ids=lambda p: f"{p.parent.name}-{p.stem}")
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_another_layout_of_the_same_has_the_same_canonical_layout(path: Path, data: st.DataObject) -> None:
    canonical = formatted(source_of(path).text)
    draw = data.draw(st.randoms(use_true_random=False))
    other = mangle(canonical, draw.randint)
    root, found = read(Source("other", other))
    assert root is not None and not found
    original, _ = read(Source("canonical", canonical))
    assert original is not None
    assert meaning_of(root, kinds_of(root).starts) == meaning_of(original, kinds_of(original).starts)
    assert formatted(other) == canonical


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_become_line_feeds(end: str) -> None:
    text = formatted(source_of(SMALL[0]).text)
    assert formatted(text.replace("\n", end)) == text


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=" \n\n\tabc:-#'\"{}[],|>?@!&*%=.1", max_size=60))
def test_any_text_is_laid_out_or_refused(text: str) -> None:
    result = format_source(
        Source("text.yaml", "croupier: 1\nscoring: |\n  finish draw\nphases:\n  x: pass\n" + text)
    )
    if result.text is None:
        assert result.diagnostics and all(d.is_error for d in result.diagnostics)
    else:
        assert formatted(result.text) == result.text


def test_scenarios_are_known_by_their_key() -> None:
    root, _ = read(Source("s", "croupier: 1\nscenarios: [{id: A, then: [1==1]}]\n"))
    assert root is not None and is_scenarios(root)
    assert (
        formatted("croupier: 1\nscenarios: [{id: A, then: [1==1]}]\n")
        == "croupier: 1\nscenarios: [{id: A, then: [1 == 1]}]\n"
    )


@pytest.mark.parametrize("value", ["{1:2}[1]", "{1:2, 3:4}[n]"])
def test_a_value_that_yaml_would_read_otherwise_is_left_as_it_is(value: str) -> None:
    text = (
        f"croupier: 1\nruleset: x\ntitle: X\nplayers: 2\n\nstate:\n  n: 0..9 = {value}\n\nphases:\n  "
        f"play: finish draw\n"
    )
    assert formatted(text) == text
