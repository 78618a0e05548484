"""What is kept between two edits changes nothing: after any edits, an editor is shown what a fresh look at
the same texts finds.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from croupier.diagnostics import Diagnostic
from croupier.lsp.analysis import analyse
from croupier.lsp.workspace import Workspace, uri_of
from croupier.pipeline import check
from croupier.resources import find
from croupier.source.files import buffers
from croupier.source.yaml_tree import _read
from croupier.syntax.parser import _tree

# and how many edits: each is checked three times
GAMES = {"tic_tac_toe": 15, "kuhn_poker": 15, "wednesday_hyde": 4}


def edited(text: str, draw: random.Random) -> str:
    """A text with a small edit: a sign, a word or a line is put in, left out or doubled."""
    at = draw.randrange(len(text))
    end = text.find("\n", at) + 1
    start = text.rfind("\n", 0, at) + 1
    return draw.choice(
        [
            text[:at] + draw.choice('x1 :()[]{}\n"#@.,=') + text[at:],
            text[:at] + text[at + draw.randrange(1, 4) :],
            text[:start] + text[end:] if end else text,
            text[:end] + text[start:end] + text[end:],
            text.replace(draw.choice(["players", "let ", "if ", "seen", "from"]), "word ", 1),
        ]
    )


def rewritten(text: str, draw: random.Random) -> str:
    """A text with another meaning: a declaration, a head or a condition is another one, a definition is gone
    or stands elsewhere.
    """
    heads = [found.start() for found in re.finditer(r"^    def ", text, re.MULTILINE)]
    kind = draw.choice(
        ["sign", "audience", "name", *(["head", "gone", "moved", "number", "word"] if heads else [])]
    )
    if kind in ("gone", "moved"):
        at = draw.choice(heads)
        end = (
            next((found.start() for found in re.finditer(r"^ {0,4}[^ \n]", text[at + 4 :], re.MULTILINE)), 0)
            + at
            + 4
        )
        rest = text[:at] + text[end:]
        return rest if kind == "gone" else rest[: heads[0]] + text[at:end] + rest[heads[0] :]
    pattern, new = {
        "head": (r"(?<=def )(\w+)\(", r"\1(more: int, "),
        "name": (r"(?<=^  )([a-z_]+)(?=:)", r"\1_other"),
        "sign": (
            r" (==|!=|<=|>=|and|or|in|\+|-) ",
            draw.choice([r" == ", r" != ", r" and ", r" or ", r" - "]),
        ),
        "number": (r"\b[0-9]\b", str(draw.randrange(4))),
        "audience": (
            r"(seen by|seen_by:|counted_by:) \w+",
            r"\1 " + draw.choice(["nobody", "owner", "everybody"]),
        ),
        "word": (r"(?<= )(return|if) (?!not)", r"\1 not "),
    }[kind]
    places = list(re.finditer(pattern, text, re.MULTILINE))
    if not places:
        return text
    place = draw.choice(places)
    return text[: place.start()] + place.expand(new) + text[place.end() :]


def shown(found: list[Diagnostic]) -> list[str]:
    """Diagnostics as they can be compared: everything that is said, in order."""
    return [
        f"{d.code} {d.span} {d.message} {d.notes} {d.help} "
        f"{[(str(label.span), label.text) for label in d.labels]} {d.fix}"
        for d in found
    ]


def afresh(texts: dict[str, str], path: str) -> dict[str, list[str]]:
    """What an editor shows of texts that nobody has looked at before."""
    _read.cache_clear()
    _tree.cache_clear()
    fresh = Workspace()
    for name, text in texts.items():
        fresh.put(uri_of(name), text)
    return {file: shown(some) for file, some in fresh.diagnose(path, thorough=False).items()}


@pytest.mark.parametrize(("name", "edits"), GAMES.items())
def test_edits_show_what_a_fresh_look_finds(name: str, edits: int) -> None:
    place, _ = find(name)
    assert place is not None
    path, draw = str(Path(place.path).absolute()), random.Random(name)
    workspace, text = Workspace(), Path(path).read_text(encoding="utf-8")
    good = text
    for number in range(edits):
        text = good if number % 5 == 4 else edited(text, draw)
        workspace.put(uri_of(path), text)
        kept = workspace.diagnose(path, thorough=False)
        assert {file: shown(some) for file, some in kept.items()} == afresh({path: text}, path)
        with buffers({Path(path): text}):
            checked = check(path).diagnostics
        assert sorted(shown([d for some in kept.values() for d in some])) == sorted(set(shown(list(checked))))


MEANINGS = {"leduc_poker": 12, "wednesday_hyde": 4, "vudu": 2}


@pytest.mark.parametrize(("name", "edits"), MEANINGS.items())
def test_other_meanings_show_what_a_fresh_look_finds(name: str, edits: int) -> None:
    """Two edits each, then back again: the second is made to what the first has left."""
    place, _ = find(name)
    assert place is not None
    path, draw = str(Path(place.path).absolute()), random.Random(name)
    workspace, good = Workspace(), Path(path).read_text(encoding="utf-8")
    text = good
    workspace.put(uri_of(path), good)
    workspace.diagnose(path, thorough=False)
    for number in range(edits):
        text = rewritten(good if number % 2 == 0 else text, draw)
        workspace.put(uri_of(path), text)
        kept = workspace.diagnose(path, thorough=False)
        assert {file: shown(some) for file, some in kept.items()} == afresh({path: text}, path), text
    for text in (good, good + "\n"):
        workspace.put(uri_of(path), text)
        assert {
            file: shown(some) for file, some in workspace.diagnose(path, thorough=False).items()
        } == afresh({path: text}, path)
    last = workspace.caches[path].flow.last
    assert last is not None and last.carried, "nothing was kept"


SWITCHED = """\
croupier: 1
ruleset: switched
title: Switched
players: 2
parameters:
  pace: {one_of: [slow, fast], default: fast, variants: {fast: quick}}
state:
  spare: 0..9 = 0 seen by everybody
definitions: |
  def step() -> 0..9: return 1
phases:
  play: |
    choose k from 1..2 by players.first
    finish win players.first if k == step() else players.last
"""
VARIANT = (
    "croupier: 1\nruleset: quick\ntitle: Quick\nextends: ../ruleset.yaml\ndefinitions: |\n  "
    "{replace}def step() -> 0..9: return spare\n"
)


@pytest.mark.parametrize(("replace", "codes"), [("replace ", []), ("", ["N017"])])
def test_a_default_that_switches_a_variant_on(replace: str, codes: list[str], tmp_path: Path) -> None:
    """Rules that only the variant uses are not unused, and what is wrong with the variant is shown."""
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "quick.yaml").write_text(VARIANT.format(replace=replace))
    file = tmp_path / "ruleset.yaml"
    file.write_text(SWITCHED)
    assert [d.code for d in analyse(str(file), {str(file): SWITCHED}).diagnostics] == codes
    assert [d.code for d in check(file).diagnostics if d.is_error] == codes
