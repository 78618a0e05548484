"""Every ruleset the repository has, for tests that hold of all of them: shipped ones and variants, test
programs, examples of documents.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import croupier
from croupier.diagnostics import RulesetError
from documents import Block, Row, Runner, read_document, shared_blocks

ROOT = Path(croupier.__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data" / "programs"
DOCUMENTS = [
    ROOT / "grammar" / "LANGUAGE.md",
    ROOT / "README.md",
    *sorted((ROOT / "grammar" / "guide").glob("*.md")),
    *sorted((ROOT / "grammar" / "reference").glob("*.md")),
    *sorted((ROOT / "tests" / "language").glob("*.md")),
]

HEAD = """\
croupier: 1
ruleset: locals
title: Locals
players: 2
components:
  Card: {attributes: {n: 1..4}, each: [n]}
zones:
  deck: {holds: Card, order: pile, start: all}
  hand: {holds: Card, per: Player, seen_by: everybody}
state:
  total: 0..999 = 0 seen by everybody
"""


def files() -> list[Path]:
    """Rulesets that stand in files of their own."""
    shipped = [*(ROOT / "rulesets").rglob("ruleset.yaml"), *(ROOT / "rulesets").glob("**/variants/*.yaml")]
    language = ROOT / "tests" / "language"
    language_programs = [
        p
        for p in (*language.glob("*.yaml"), *language.glob("*/ruleset.yaml"))
        if not p.stem.endswith(".cases")
    ]
    return sorted([*shipped, *language_programs, *DATA.glob("*.yaml")])


class Collector(Runner):
    """Gathers the rulesets of a document without playing them; those with errors are left out."""

    def __init__(self, document: Any, folder: Path, shared: Iterable[Block] = ()) -> None:
        super().__init__(document, folder, shared)
        self.found: dict[str, croupier.Ruleset] = {}

    def run(self, block: Block) -> None:
        if block.words and block.words[0] in ("yaml", "rules", "csv"):
            super().run(block)

    def _game(self, block: Block, rows: list[Row]) -> None:
        result = croupier.check(self._write(rows))
        if result.ruleset is not None:
            self.found[block.place] = result.ruleset


@cache
def examples(document: Path) -> dict[str, croupier.Ruleset]:
    """The rulesets of a document, by place."""
    with tempfile.TemporaryDirectory() as folder:
        name = document.relative_to(ROOT).as_posix()
        text = document.read_text(encoding="utf-8")
        collector = Collector(read_document(name, text), Path(folder), shared_blocks().get(name, ()))
        for block in collector.document.blocks:
            collector.run(block)
    return collector.found


@cache
def one(path: Path) -> dict[str, croupier.Ruleset]:
    """The ruleset of a file; none of a file that shows mistakes."""
    try:
        return {path.relative_to(ROOT).as_posix(): croupier.load(path)}
    except RulesetError:
        return {}


def names() -> list[str]:
    """What `rulesets` takes: a file with one ruleset, or a document with many."""
    return [p.relative_to(ROOT).as_posix() for p in [*files(), *(d for d in DOCUMENTS if d.is_file())]]


def rulesets(name: str) -> dict[str, croupier.Ruleset]:
    """The rulesets of a file or document, by name."""
    path = ROOT / name
    return examples(path) if path.suffix == ".md" else one(path)


def small(folder: Path, body: str, definitions: str = "", more: str = "") -> croupier.Ruleset:
    """A ruleset whose one phase has this body, with a deck, hands, a variable `total`, and more sections."""
    text = HEAD + more
    for key, part in (("definitions", definitions), ("phases:\n  play", body)):
        if part:
            text += f"{key}: |\n" + "".join(f"    {line}\n" for line in part.strip("\n").splitlines())
    path = folder / "locals.yaml"
    path.write_text(text, encoding="utf-8")
    return croupier.load(path)
