"""Functions of higher layers that a method of a lower one calls, by their names.

A state belongs to `runtime`, which knows nothing of bots; `State.search` asks one all the same. The face of
the package, which belongs to no layer, registers such functions here; they are imported when they are called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_FINDERS: dict[str, Callable[[], Callable[..., Any]]] = {}


def register(name: str, find: Callable[[], Callable[..., Any]]) -> None:
    """Say how a function is found, by a function that imports it."""
    _FINDERS[name] = find


def function(name: str) -> Callable[..., Any]:
    """The function that is registered under a name. Raises KeyError if there is none."""
    return _FINDERS[name]()
