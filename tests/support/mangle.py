"""Files with another layout that say the same: spaces, indentation, line ends."""

from __future__ import annotations

import re
from collections.abc import Callable

from croupier.authoring.fmt.atoms import Atoms
from croupier.authoring.fmt.kinds import kinds_of
from croupier.authoring.fmt.meaning import is_rule_text, rule_text
from croupier.authoring.fmt.rules import Spacing
from croupier.diagnostics import Source
from croupier.source import YamlScalar, read
from croupier.syntax.parser import code_tokens

Draw = Callable[[int, int], int]
"""A number between two bounds, both included."""


def mangle(text: str, draw: Draw) -> str:
    """The text with other spaces between tokens, other indentation, and spaces at the ends of lines."""
    root, found = read(Source("text", text))
    assert root is not None and not found
    kinds = kinds_of(root)
    step, inner = draw(1, 4), draw(1, 6)
    out: list[str] = []
    at, block = 0, False
    for atom in Atoms(root):
        gap = text[at : atom.start]
        if "\n" in gap:
            gap = re.sub(r"\n +(?=\S|\Z)", "\n", gap + "x")[:-1] if atom.flow else _wider(gap, step)
            gap = gap.replace("\n", " " * draw(0, 2) + "\n", 1) if at and not block else gap
            gap += " " * (draw(8, 20) if atom.flow else 0)
        elif gap:
            gap = " " * draw(1, 3)
        out.append(gap)
        node = atom.node
        starts = kinds.starts(node) if node is not None else ()
        out.append(
            _scalar(node, text[atom.start : atom.end], starts, step, inner, draw)
            if node is not None
            else text[atom.start : atom.end]
        )
        at, block = atom.end, node is not None and node.style in ("literal", "folded")
    return "".join(out) + text[at:]


def _wider(gap: str, step: int) -> str:
    return re.sub(r"(?m)^ +", lambda m: " " * (len(m.group()) // 2 * step), gap)


def _scalar(node: YamlScalar, raw: str, starts: tuple[str, ...], step: int, inner: int, draw: Draw) -> str:
    if node.style == "literal":
        start = next((s for s in starts if is_rule_text(rule_text(node), s)), None)
        body = node.text.rstrip("\n") if start is None else _rules(node.text, start, inner, draw)
        outer = " " * (step * 14)
        return (
            "|\n" + "\n".join(outer + line if line else "" for line in body.split("\n"))
            if start is not None or "\n" in raw
            else raw
        )
    return raw


def _rules(text: str, start: str, inner: int, draw: Draw) -> str:
    """The rule text with other spaces; lines inside of brackets begin anywhere."""
    tokens = code_tokens(text, start)
    assert tokens is not None
    spacing = Spacing()
    out: list[str] = []
    at = depth = 0
    for token in tokens:
        gap = text[at : token.start]
        spaced = spacing.step(token)
        if "\n" in gap or at == 0:
            lines = gap.split("\n")
            ends = [line.strip() for line in lines[:-1]]
            width = " " * (draw(0, 30) if depth else inner * token.depth)
            held = [ends[0]] + [(width + line if line else "") for line in ends[1:]] if ends else []
            out += [
                (" " * draw(1, 9) if ends and ends[0] else "") + "\n".join(held),
                "\n" if ends else "",
                width,
            ]
        elif "@" in gap:
            out.append(gap)
        else:
            out.append(" " * (draw(1, 3) if spaced else draw(0, 1)))
        out.append(token.text)
        depth += (token.text in "([{") - (token.text in ")]}")
        at = token.end
    rest = text[at:].rstrip()
    return "".join(out) + rest
