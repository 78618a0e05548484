"""Whatever stands in whatever place, the answer is diagnostics with places in the file."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from croupier.diagnostics import Source
from croupier.schema import parse
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence, read
from small_ruleset import TEXT

ODD = (
    "[]", "{}", "null", "3", "true", "-1", "''", '"two words"', "[[1], {a: b}]", "{by: {a: 1}}",
    "{id: {}, values: [[]], table: {}}", "{a: b}",
    "~x", "\u00e9", "|\n  a\n  b\n", ">\n  a\n", "[a, a, b]", "{record: 3}", "{phases: {}}", "a.csv", "2..1",
    "{powers: {a: [b]}, id: a}",
)  # fmt: skip


def tree(text: str) -> YamlNode:
    root, problems = read(Source("part.yaml", text))
    assert root is not None and not problems
    return root


SMALL = tree(TEXT)
PARTS = [tree(odd) for odd in ODD]


def replaced(node: YamlNode, place: YamlNode, part: YamlNode) -> YamlNode:
    """The tree with another part in a place."""
    if node is place:
        return part
    if isinstance(node, YamlMapping):
        entries = tuple(
            (renamed(key, place, part), replaced(value, place, part)) for key, value in node.entries
        )
        return replace(node, entries=entries)
    if isinstance(node, YamlSequence):
        return replace(node, items=tuple(replaced(item, place, part) for item in node.items))
    return node


def renamed(key: YamlScalar, place: YamlNode, part: YamlNode) -> YamlScalar:
    return part if key is place and isinstance(part, YamlScalar) else key


def nodes(node: YamlNode) -> Iterator[YamlNode]:
    yield node
    if isinstance(node, YamlMapping):
        for key, value in node.entries:
            yield key
            yield from nodes(value)
    if isinstance(node, YamlSequence):
        for item in node.items:
            yield from nodes(item)


def check(root: YamlNode) -> int:
    document, found = parse(root)
    assert document is not None or found
    for problem in found:
        assert problem.span is not None
        assert 0 <= problem.span.start <= problem.span.end <= len(problem.span.source.text)
        assert "pydantic" not in problem.message.lower() and "refused" not in problem.message
    return len(found)


@pytest.mark.parametrize("number", range(len(PARTS)), ids=ODD)
def test_one_odd_part(number: int) -> None:
    """In every third place: another third for the next part."""
    reported = [check(replaced(SMALL, place, PARTS[number])) for place in list(nodes(SMALL))[number % 3 :: 3]]
    assert sum(map(bool, reported)) > 6


def test_several_odd_parts() -> None:
    chance = random.Random(5)
    for _ in range(300):
        root = SMALL
        for _ in range(6):
            root = replaced(root, chance.choice(list(nodes(root))), chance.choice(PARTS))
        check(root)


def test_deep_and_wrong_everywhere_is_quick() -> None:
    depth = 29
    text = "croupier: 1\nruleset: deep\ntitle: Deep\nplayers: 2\nphases: "
    text += "{a: {for: [], bad: 1, phases: " * depth + "{a: pass}" + "}}" * depth + "\n"
    started = time.process_time()
    assert check(tree(text)) == 2 * depth
    assert time.process_time() - started < 2
