"""How deep a parsed text is nested: counted before any recursive walk, so that no text can exhaust the stack."""

from __future__ import annotations

from lark import Token, Tree

FLAT = {"suite", "else_", "elif_", "args", "items", "entries", "entry", "conditions", "comp_for", "comp_if", "clause", "params", "pats"}


def too_deep(tree: Tree[Token], limit: int) -> tuple[int, int] | None:
    """The place (offsets) of the first construct nested more than `limit` deep, or None. Each `elif` counts as a level."""
    stack: list[tuple[Tree[Token], int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        if node.data not in FLAT:
            depth += 1
        if depth > limit + 1:
            return node.meta.start_pos, node.meta.start_pos + 1
        further = 0
        children: list[tuple[Tree[Token], int]] = []
        for child in node.children:
            if isinstance(child, Tree) and not child.meta.empty:
                further += child.data == "elif_"
                children.append((child, depth + further))
        stack.extend(reversed(children))
    return None
