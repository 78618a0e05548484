"""No file of the package searches a finished text for the name of a player.

A player may be called like any word of the game, so names are put in where parts of texts are known
(`croupier/text.py`). What people type and what authors write is searched: those places are listed here, each
with its reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import croupier

ROOT = Path(croupier.__file__).parent

SEARCHES = {
    *("compile", "sub", "subn", "match", "search", "fullmatch", "findall", "finditer", "highlight_regex"),
    *("replace", "removeprefix", "removesuffix", "startswith", "endswith", "split", "rsplit"),
    *("partition", "rpartition", "find", "rfind", "index", "rindex", "count"),
}
"""Functions and methods that look for a pattern, or for a piece of a text."""
PLAYER = re.compile(r"players?(?![a-z_])", re.IGNORECASE)
IN_JAVASCRIPT = re.compile(
    r"/(?![/*])[^/\n]*players?\b[^/\n]*/[a-z]*[.,)]"  # a pattern
    r"|(?:RegExp|replace|replaceAll|match|test|exec|split|startsWith|endsWith|includes|indexOf)"
    r"\([^()\n]*[\"'`][^\"'`\n]*players?\b"
)

TYPED = "what somebody types"
RULES = "the text of rules, not of events"
MAY_SEARCH = {
    "authoring/rulebook/course.py": RULES,
    "authoring/rulebook/overruled.py": RULES,
    "authoring/rulebook/played.py": RULES,
    "authoring/rulebook/steps.py": RULES,
    "authoring/rulebook/wording.py": RULES,
    "lab/sweep.py": TYPED,
    "runtime/option_matching.py": TYPED,
    "runtime/parameters.py": TYPED,
    "semantics/suggestions.py": RULES,
}


def texts(node: ast.AST) -> Iterator[str]:
    """The constant texts in an expression."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def found_in(path: Path) -> list[str]:
    """The searches for a player in a file, as lines and what is searched for."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
        return [
            f"{number}: {line.strip()}"
            for number, line in enumerate(source.splitlines(), 1)
            if IN_JAVASCRIPT.search(line)
        ]
    searched = []
    for node in ast.walk(ast.parse(source)):
        patterns: list[ast.AST] = []
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            patterns = [*node.args] if name in SEARCHES else []
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            is_text = isinstance(node.left, ast.JoinedStr | ast.Constant) and any(
                "player " in text
                for text in texts(node.left)  # not the name of a section
            )
            patterns = [node.left] if is_text else []
        searched += [
            f"{getattr(node, 'lineno', 0)}: {text}"
            for pattern in patterns
            for text in texts(pattern)
            if PLAYER.search(text)
        ]
    return searched


FILES = sorted(path for kind in ("py", "js") for path in ROOT.rglob(f"*.{kind}"))


def test_only_what_people_write_is_searched_for_players() -> None:
    found = {path.relative_to(ROOT).as_posix(): lines for path in FILES if (lines := found_in(path))}
    unexpected = [
        f"{name}:{line}" for name, lines in found.items() if name not in MAY_SEARCH for line in lines
    ]
    assert unexpected == [], "give the text its parts, and look at these"


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("py", 'x = re.sub(rf"^(.+) of player {seat + 1}$", "", title)'),
        ("py", '_OF = re.compile(r"(.+) of player ([1-9]\\d*)")'),
        ("py", 'x = text.removeprefix("player ")'),
        ("py", 'x = text.replace(f"player {seat + 1}", name)'),
        ("py", 'x = f"player {seat}" in text'),
        ("js", "const seat = /^player (\\d+)$/.exec(value.text);"),
        ("js", 'text.replace(/\\bplayers? (\\d{1,3})\\b/g, "");'),
        ("js", 'new RegExp(`^(.+) of player ${owner + 1}$`, "u")'),
        ("js", 'if (text.startsWith("player ")) go();'),
    ],
)
def test_a_search_is_found(kind: str, line: str, tmp_path: Path) -> None:
    file = tmp_path / f"made.{kind}"
    file.write_text(line, encoding="utf-8")
    assert len(found_in(file)) == 1


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("py", 'x = f"player {seat + 1}"'),
        ("py", 'x = "players" in program.names'),
        ("js", "const name = names[seat] || `player ${seat + 1}`;"),
        ("js", "around.sort((a, b) => (a.seat + view.players) / view.players);"),
    ],
)
def test_words_for_a_player_are_no_search(kind: str, line: str, tmp_path: Path) -> None:
    file = tmp_path / f"made.{kind}"
    file.write_text(line, encoding="utf-8")
    assert found_in(file) == []
