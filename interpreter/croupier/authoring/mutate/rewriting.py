"""A tree of nodes with one node replaced or left out; everything beside the way to it is shared.

A node may stand in two fields: the number of `choose 2` is the least and the most.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from croupier.diagnostics import Span


def rewritten(root: Any, node: Any, new: Any) -> Any:
    """`root` with `new` in the place of `node` (the very same object); none leaves an element of a tuple or list out."""
    if root is node:
        return new
    if isinstance(root, (tuple, list)):
        for i, item in enumerate(root):
            if item is node and new is None:
                return type(root)((*root[:i], *root[i + 1 :]))
            changed = rewritten(item, node, new)
            if changed is not item:
                return type(root)((*root[:i], changed, *root[i + 1 :]))
    elif dataclasses.is_dataclass(root) and not isinstance(root, (type, Span)):
        values = {field.name: getattr(root, field.name) for field in dataclasses.fields(root)}
        changed = {name: after for name, before in values.items() if (after := rewritten(before, node, new)) is not before}
        return dataclasses.replace(root, **changed) if changed else root
    return root
