"""Comments and citations may stand anywhere: they say nothing about blocks, and a citation belongs to the
statement before it.
"""

from __future__ import annotations

import pytest

from croupier.diagnostics import Source
from croupier.source.ruletext import whole
from croupier.syntax import nodes as n
from croupier.syntax import parse_block, parse_expression

BLOCKS = [
    ("if a:  # why\n    pass\n# left\n        # right\n    pass", []),
    ("if a:\n    pass\n    @AB-1\n    pass", ["AB-1"]),
    ("if a:\n    pass\n  @AB-1 @AB-2\n    pass", ["AB-1", "AB-2"]),
    ("if a:\n    pass\n  @AB-1 # a comment\n    pass", ["AB-1"]),
    ("if a:\n    pass\n        @AB-1,3   \t# a comment @AB-9\n\n# another\n    pass  @AB-4..6",
    ["AB-1", "AB-3", "AB-4..AB-6"]),
    ("if a:\n    @AB-1 pass\n    pass", ["AB-1"]),
    ("if f(a,  # the first\n     b):  @AB-1\n    pass", ["AB-1"]),
    ("announce \"@AB-1 # {a}\"\nif a:\n    pass\n\n@AB-2\n    pass", ["AB-2"]),
]  # fmt: skip


def cited(found: object) -> list[str]:
    """The citations in nodes, in order."""
    if isinstance(found, n.Cite):
        return [found.first if found.last is None else f"{found.first}..{found.last}"]
    parts = (
        found
        if isinstance(found, tuple)
        else [getattr(found, name) for name in getattr(found, "__match_args__", ())]
    )
    return [cite for part in parts for cite in cited(part)]


@pytest.mark.parametrize(("text", "cites"), BLOCKS, ids=range(len(BLOCKS)))
def test_block(text: str, cites: list[str]) -> None:
    block, found = parse_block(whole(Source("block", text)))
    assert list(found) == [] and sorted(cited(block)) == cites
    if "if a" in text:
        assert [len(s.then) for s in block if isinstance(s, n.If)] == [2], (
            "what is indented alike is one block"
        )


@pytest.mark.parametrize("text", ["a  # b", "a\n  # c", "a\n  @AB-1", "a @AB-1\n# b", "f(a, # b\n@AB-1\n b)"])
def test_expression(text: str) -> None:
    node, found = parse_expression(whole(Source("expression", text)))
    assert isinstance(node, (n.Name, n.Call)) and not found
