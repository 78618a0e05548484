"""The commands that documents show exist, with their options; so do the scripts of `tools/`.

The changelog tells of others, too.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import croupier
from croupier.cli.app import COMMANDS, function_of
from croupier.diagnostics import Source
from croupier.kernel import types as t
from croupier.semantics import check_expression
from croupier.semantics.policies import ME
from croupier.source.ruletext import whole
from documents import read_document

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import _commands  # noqa: E402

PLACES = ("README.md", "grammar/LANGUAGE.md", "grammar/guide/*.md", "grammar/reference/**/*.md")
PAGES = [page.relative_to(ROOT).as_posix() for place in PLACES for page in sorted(ROOT.glob(place))]
CODE = re.compile(r"`(croupier [^`\n]+|(?:\./|python )?tools/[^`\n]+)`")


def shown(text: str, name: str = "page") -> list[str]:
    """The command lines of a page: in blocks of the shell, and in code within a sentence."""
    document = read_document(name, text)
    lines = [
        line for block in document.blocks if block.words[:1] == ("sh",) for line in block.text.splitlines()
    ]
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return [re.split(r"\s#|[|;&>]", line)[0].strip() for line in [*lines, *CODE.findall(prose)]]


def problem(line: str) -> str | None:
    """What is wrong with a command line, or none."""
    program, *words = line.removeprefix("python ").split()
    if program.removeprefix("./").startswith("tools/"):
        return (
            None
            if (ROOT / program).is_file() or program.endswith("/NAME")
            else f"{line}: there is no such script"
        )
    if program != "croupier" or not words or not re.fullmatch("[a-z][a-z-]*", words[0]):
        return None
    if words[0] not in COMMANDS:
        return f"{line}: there is no command `{words[0]}`"
    function = function_of(words[0])
    options = {
        "--help",
        *re.findall(
            r"(?<![\w-])--?[\w-]+", " ".join(row[1] for row in _commands.parameters(function) if not row[0])
        ),
    }
    unknown = [word for word in words[1:] if re.match("--?[a-z]", word) and word not in options]
    return f"{line}: there is no option {', '.join(unknown)}" if unknown else None


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_exist(page: str) -> None:
    lines = shown((ROOT / page).read_text(encoding="utf-8"), page)
    assert [found for line in lines if (found := problem(line))] == []


def test_what_does_not_exist_is_found() -> None:
    page = (
        "Use `croupier simulat x`.\n\n```sh\ncroupier run x --sed 1 --seed 2   # --none\ncroupier fmt x "
        "--check\n./tools/nothing\n```\n"
    )
    assert [found for line in shown(page) if (found := problem(line))] == [
        "croupier run x --sed 1 --seed 2: there is no option --sed",
        "./tools/nothing: there is no such script",
        "croupier simulat x: there is no command `simulat`",
    ]


EXPRESSION = re.compile(r'(?:greedy:|--(?:measure|every|by) )(?:"([^"]+)"|([^\s`"|,]+))')
PLACEHOLDERS = {"EXPR", "EXPRESSION", "M"}
RULESETS = (ROOT / "tests" / "data" / "my_game", "plain_trumps", "vudu", "witches_of_blackmore")


def test_the_expressions_that_bots_and_measures_are_given_are_right() -> None:
    found = (
        {a or b for page in PAGES for a, b in EXPRESSION.findall((ROOT / page).read_text(encoding="utf-8"))}
        - PLACEHOLDERS
        - {"decisions"}
    )
    assert {"taken[me].size", "deck.size", "points(me)"} <= found
    for name in RULESETS:
        program = croupier.load(name).program
        found -= {
            text
            for text in found
            if check_expression(program, whole(Source("measure", text)), {ME: t.Player()})[0] is not None
        }
    assert found == set(), "no ruleset knows these"
