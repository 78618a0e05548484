"""The generated parts of the specification are fresh, and every table of the interpreter stands in it."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from croupier.cli import guard
from croupier.cli.app import COMMANDS
from croupier.diagnostics.catalogue import CODES
from croupier.outputs.documents import SCHEMAS
from croupier.schema.declaration import KEYS
from croupier.semantics.builtins import AGGREGATES, FUNCTIONS, MEMBERS

LIMIT = re.compile(
    r"^((?:MAX|MOST|LONGEST|LARGEST|DEEPEST|TABLE|LIMIT|PATH_LENGTH)[A-Z_]*) *(?::[^=]*)?= *[0-9(]",
    re.MULTILINE,
)
NOT_PUBLISHED = {
    "semantics.infoflow.incremental.MAX_POOLED", "runtime.setup.MOST_ANSWERS",  # how much is remembered
    "runtime.streams.LARGEST_SEED",  # it stands with the streams
    "runtime.streams.LARGEST_GAME",  # and so does the counter that it has to fit into
    # what is tried, or named
    "source.lookalikes.MAX_REPORTED", "source.yaml_trials.MAX_LINES", "source.yaml_trials.MAX_TRIED",
    "syntax.needed.MOST", "runtime.option_matching.MAX_TYPED", "runtime.legality.MOST_NAMED",
    "semantics.decisions.MOST_NAMED", "runtime.legality.MOST_DECISIONS", "runtime.reasons.MOST_SHOWN",
    "runtime.reasons.MAX_TRIED", "runtime.reasons.MAX_DEPTH", "runtime.rule_words.MAX_CODE",
    # and what of it is shown
    "source.yaml_trials.MAX_ABOVE", "syntax.mistakes.MOST_ABOVE", "semantics.context.MOST_LABELS",
    "resolve.modules.MOST_LISTED",
    # lengths of messages
    "semantics.members.MAX_LISTED", "syntax.mistakes.MAX_EXPECTED", "source.files.MAX_REPORTED",
    "runtime.false_parts.LONGEST",
    "semantics.declarations.MOST_WORDS", "semantics.declaration_parts.MOST_VALUES",
    "semantics.assignable.MOST_SOURCES",
    "semantics.suggestions.MOST_NAMES", "semantics.lints.reasons.LONGEST_TEXT",
    "semantics.lints.leaks.LONGEST_WORDS",
    "source.csv.LONGEST_TEXT", "source.yaml_errors.LONGEST_TEXT", "semantics.names.LONGEST_TEXT",
    "semantics.members.LONGEST_TEXT",
    "scenarios.positions.LONGEST_TEXT", "semantics.statements.MOST_CASES", "pipeline.MOST_LABELS",
    "syntax.mistakes.LONGEST_TEXT", "schema.declaration.MOST_EXPLAINED",
    "source.indentation.MOST_LINES",  # and where it looks for what it names
    "semantics.call_effects.MAX_NAMED",  # and how much of a circle
    "syntax.phrases.MAX_LENGTH",  # how long a sentence of a rulebook is
    "resolve.attribution.MAX_LABELS", "resolve.attribution.MAX_PLACES",  # and how many places
    "resolve.documents.TABLE_ENDINGS",  # kinds of files, no number
    "syntax.parser.MAX_REREAD",  # how long a broken text is read on
    "source.files.MAX_NAMES",  # how much of a folder is looked through for a name that is almost so
    "runtime.setup.MAX_LABELS",  # how many labels of a kind are tried, to recognise one
    # and how closely the analysis of information flow
    "semantics.infoflow.expressions.DEEPEST_NUMBER", "semantics.infoflow.store.DEEPEST",
    # looks: beyond it it errs on the safe side
    "semantics.infoflow.loops.MOST_ENTRIES", "semantics.infoflow.loops.MOST_MARKS",
    # and how closely it follows where values come from
    "semantics.infoflow.store.MOST_STEPS", "semantics.infoflow.store.MOST_WAYS",
    "inference.resampling.MAX_ENUMERATED",  # beyond it histories are sampled instead of enumerated
}  # fmt: skip
ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "grammar" / "LANGUAGE.md", *sorted((ROOT / "grammar" / "reference").rglob("*.md"))]
TEXT = "".join(page.read_text(encoding="utf-8") for page in PAGES)


def test_the_specification_is_fresh() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "language"), "--check"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_command_output_and_exit_code_stands_in_the_reference() -> None:
    reference = ROOT / "grammar" / "reference"
    page = (reference / "cli.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"(cli/{name}.md)" not in page] == []
    assert sorted(file.stem for file in (reference / "cli").glob("*.md")) == sorted(COMMANDS)
    assert sorted(file.stem for file in (reference / "outputs").glob("*.md")) == sorted(SCHEMAS)
    codes = {value for name, value in vars(guard).items() if name.isupper() and type(value) is int}
    assert {0, *codes} == {int(code) for code in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}


def test_the_reference_has_every_spelling_of_an_option() -> None:
    """A long and a short name, the value of each, what holds without it; arguments that may be left out or
    repeated.
    """
    folder = ROOT / "grammar" / "reference" / "cli"
    page = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.md"))
    for row in (
        "| `-n`, `--games N` | `100` |",
        "| `--set K=V` |",
        "| `-f`, `--format human\\|json` | `human` |",
        "| `[NAME…]` |",
        "| `--check` |",
    ):
        assert row in page


def test_every_key_stands_in_it() -> None:
    missing = [f"{model}.{key}" for model, keys in KEYS.items() for key in keys if f"`{key}" not in TEXT]
    assert not missing


def test_every_built_in_word_stands_in_it() -> None:
    signatures = [m.signature for kind in MEMBERS.values() for m in kind.values()]
    signatures += [f.signature for f in FUNCTIONS.values()] + [s for s, _ in AGGREGATES.values()]
    missing = [s for s in signatures if s not in TEXT]
    assert not missing


def test_every_code_stands_in_it() -> None:
    missing = [code for code in CODES if f"| [`{code}`](" not in TEXT]
    assert not missing


def test_every_limit_stands_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Constants that bound what an author can write or do; those of reports and of other tools are no part of
    the language.
    """
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    spec = spec_from_file_location("language_tool", ROOT / "tools" / "_language.py")
    assert spec is not None and spec.loader is not None
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)
    known = {where for _, where, _ in tool.LIMITS}
    found = set()
    for package in ("limits.py", "source", "schema", "resolve", "syntax", "semantics", "runtime"):
        place = ROOT / "interpreter" / "croupier" / package
        for file in [place] if place.is_file() else sorted(place.rglob("*.py")):
            module = ".".join(file.relative_to(ROOT / "interpreter" / "croupier").with_suffix("").parts)
            found |= {f"{module}.{name}" for name in LIMIT.findall(file.read_text(encoding="utf-8"))}
    assert sorted(found - known - NOT_PUBLISHED) == [], "add them to LIMITS in tools/_language.py"
