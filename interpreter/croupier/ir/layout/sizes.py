"""What a layout needs to know of a set-up. A game that has been set up fits these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from croupier.semantics.tree import X
from croupier.semantics.types import Type


class Spot(Protocol):
    """A zone, a family spread out by key."""

    @property
    def zone(self) -> str: ...
    @property
    def order(self) -> str: ...
    @property
    def capacity(self) -> int | None: ...


class Sizes(Protocol):
    """Sizes of a set-up."""

    @property
    def players(self) -> int: ...
    @property
    def kinds(self) -> Mapping[str, tuple[int, int]]: ...  # class -> number of its first component, how many
    @property
    def places(self) -> Sequence[Spot]: ...
    def domain(self, kind: Type) -> tuple[int, int]: ...  # first value and number of values of a finite type
    def is_finite(self, kind: Type) -> bool: ...
    def constant(self, x: X) -> Any: ...
