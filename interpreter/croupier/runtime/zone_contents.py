"""The contents of zones as values: components bottom to top, unordered parts as tuples among them."""

from __future__ import annotations

from typing import Any

from croupier.diagnostics import Span
from croupier.runtime.faults import Fault

Items = tuple[Any, ...]  # of components, and of tuples of them for an unordered part
GRAIN = 32  # elements that are copied or compared for one step of fuel; walking them costs a step each


def flat(items: Items) -> tuple[int, ...]:
    """The components of a zone, bottom to top; an unordered part in canonical order, so that nothing is given
    away.
    """
    for i in items:
        if type(i) is tuple:
            break
    else:
        return items
    out: list[int] = []
    for i in items:
        if type(i) is tuple:
            out.extend(i)
        else:
            out.append(i)
    return tuple(out)


def size(items: Items) -> int:
    """Return the number of elements of a collection, one level of stacks counted through."""
    n = len(items)
    for i in items:
        if type(i) is tuple:
            n += len(i) - 1
    return n


def known_at(items: Items, index: int, span: Span, zone: str) -> int:
    """The component at a place of a zone; a fault if it lies in an unordered part."""
    component = flat(items)[index]
    if component not in items:
        raise Fault("R008", span, zone=zone)
    return component
