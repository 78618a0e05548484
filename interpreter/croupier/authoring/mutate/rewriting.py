"""A tree of nodes with one node replaced or left out; everything beside the way to it is shared."""

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
        for field in dataclasses.fields(root):
            before = getattr(root, field.name)
            after = rewritten(before, node, new)
            if after is not before:
                return dataclasses.replace(root, **{field.name: after})
    return root
