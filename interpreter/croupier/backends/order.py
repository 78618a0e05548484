"""Blocks in the order of control, and which of them every way to a block goes through."""

from __future__ import annotations

from collections.abc import Callable


def postorder(root: int, following: Callable[[int], list[int]]) -> list[int]:
    """The blocks that are come to from one, each behind all that follow it for the first time."""
    seen, out = {root}, []
    stack = [(root, iter(following(root)))]
    while stack:
        number, rest = stack[-1]
        for n in rest:
            if n not in seen:
                seen.add(n)
                stack.append((n, iter(following(n))))
                break
        else:
            out.append(number)
            stack.pop()
    return out


def dominators(root: int, order: list[int], rank: dict[int, int], before: dict[int, list[int]]) -> dict[int, int]:
    """The nearest dominator of each block (Cooper, Harvey and Kennedy)."""
    found = {root: root}
    changed = True
    while changed:
        changed = False
        for n in order[1:]:
            ready = [p for p in before[n] if p in found]
            at = ready[0]
            for p in ready[1:]:
                while at != p:
                    if rank[at] > rank[p]:
                        at = found[at]
                    else:
                        p = found[p]
            if found.get(n) != at:
                found[n], changed = at, True
    return found
