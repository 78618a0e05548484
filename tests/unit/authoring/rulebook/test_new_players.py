"""The questions of new players: the rulebook answers each, in the section that the table names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.authoring.rulebook import render_markdown, rulebook

TABLES = sorted((Path(__file__).parents[3] / "data" / "new_players").glob("*.yaml"))
QUESTIONS = 20  # a game


def plain(text: str) -> str:
    """Markdown without its signs."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return " ".join(re.sub(r"</?code>|[*\\`]", "", text).split())


def sections(text: str) -> Iterator[tuple[str, str]]:
    """The sections of a rulebook: the headings that lead to each, and its text without what is folded."""
    text = re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)
    headings: list[str] = []
    lines: list[str] = []
    for line in [*text.splitlines(), "# "]:
        found = re.match(r"(#+) (.*)", line)
        if found is None:
            lines.append(re.sub(r"^[\s>]*([-|]|\d+\.)?\s*", "", line))
            continue
        yield " › ".join(headings), plain("\n".join(lines))
        level, lines = len(found[1]), []
        headings = [*headings[: max(0, level - 2)], plain(found[2])] if level > 1 else []


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_the_rulebook_answers_new_players(path: Path) -> None:
    asked: list[dict[str, Any]] = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    assert len(asked) == len({row["question"] for row in asked}) == QUESTIONS
    found = list(sections(render_markdown(rulebook(croupier.load(path.stem)))))
    missing = [
        f"{row['section']}: {row['says']}"
        for row in asked
        if not any(
            title == row["section"] and row["says"].casefold() in text.casefold() for title, text in found
        )
    ]
    assert not missing, "\n".join(missing)


def test_seven_games_are_asked_about() -> None:
    assert len(TABLES) == 7
