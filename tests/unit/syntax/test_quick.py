"""The quick parser against Lark's: the same trees in the same places, and no tree where Lark finds a mistake."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import pytest
from lark import Token, Tree
from lark.exceptions import LarkError

from croupier.resources import rulesets_folder
from croupier.source import Mapping, Node, Scalar, Sequence
from croupier.source.files import read_file
from croupier.source.reading import read
from croupier.syntax.parser import STARTS, lark_parser, quick_parser

ONE, ALL = "vudu/ruleset.yaml", "**/*.yaml"
SLIPS = ("", " ", "\n", "(", ")", "]", "x", "1", "-", "=", "==", "..", "mod", "iffy", "top", "not", "\t", "    ", '"', "@A-1", "#", "é", "\x01", "%")
KNOWN = (
    "a mod 2", "amod 2", "a iffy 2", "a or\nb", "f(a,\n  b)", "x if y else z", "not a is none", "all(p.hand.size > 0 for p in players)",
    "let x: int = -3\nx += 1\nif x == 2:\n\tpass\nelse: # no\n    pass # yes\n", "(a)", "((a) + (b)).c[1]", "[*a, ]", "{}", "{a: 1, b: 2}", "",
)  # fmt: skip


@lru_cache
def texts(files: str) -> list[str]:
    """Every text of some shipped rulesets: rule text and everything else that may stand there."""
    found: dict[str, None] = dict.fromkeys(KNOWN)
    for path in sorted(rulesets_folder().glob(files)):
        source, _ = read_file(path)
        tree, _ = read(source) if source is not None else (None, [])
        found |= dict.fromkeys(_scalars(tree))
    return list(found)


def _scalars(node: Node | None) -> list[str]:
    if isinstance(node, Scalar):
        return [node.text]
    inner = node.items if isinstance(node, Sequence) else [value for _, value in node.entries] if isinstance(node, Mapping) else ()
    return [text for one in inner for text in _scalars(one)]


def shape(node: Any) -> Any:
    """A tree with the places of its parts."""
    if isinstance(node, Token):
        return (node.type, str(node), node.start_pos, node.end_pos)
    if not isinstance(node, Tree):
        return node
    place = () if node.meta.empty else (node.meta.start_pos, node.meta.end_pos)
    return (str(node.data), place, [shape(child) for child in node.children])


def agree(text: str, start: str) -> bool:
    """Compare the two; whether there was a tree of the quick one. Where it gives none, Lark may have one: it is asked then."""
    quick = quick_parser().parse(text, start)
    try:
        lark = lark_parser().parse(text, start=start)
    except (LarkError, AssertionError):
        lark = None
    assert quick is None or (lark is not None and shape(quick) == shape(lark)), text
    return quick is not None or lark is None


def missed(start: str, some: list[str]) -> list[str]:
    """Which texts only Lark reads: those with a word that only begins with a keyword."""
    end = "\n" if start in ("module", "block") else ""
    return [text for text in some if not agree(text.rstrip() + end if end else text, start) and "iffy" not in text and "amod" not in text]


def slipped(chance: random.Random, text: str) -> str:
    """A text with a sign too many, or another instead of one or two."""
    at = chance.randrange(len(text))
    return text[:at] + chance.choice(SLIPS) + text[at + chance.randrange(3) :]


@pytest.mark.parametrize("start", STARTS)
def test_the_same_trees(start: str) -> None:
    assert not missed(start, [*KNOWN, *random.Random(7).sample(texts(ONE), 60)])


def test_the_same_after_slips() -> None:
    chance = random.Random(5)
    for text in chance.sample([text for text in texts(ONE) if 3 < len(text) < 400], 40):
        changed = slipped(chance, text)
        agree(changed + "\n", "block")
        agree(changed, "expression")


@pytest.mark.soak
@pytest.mark.parametrize("start", STARTS)
def test_the_same_for_all_texts_and_many_slips(start: str) -> None:
    chance = random.Random(start)
    assert not missed(start, texts(ALL))
    for text in texts(ALL):
        agree(slipped(chance, text) + "\n", start)
