"""A value that is filled in while a source is walked, or stays none."""

from __future__ import annotations

from croupier.core.builder import FALSE, NONE, const
from croupier.core.operations import Local
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.shapes import Shape, Word, optional
from croupier.semantics import types as t


class Optional:
    """A value that is filled in while a source is walked: none until then."""

    def __init__(self, c: Context, shape: Shape) -> None:
        self.c, self.shape = c, shape
        if isinstance(shape, Word):
            self.name = c.w.fresh()
        else:
            self.into = c.room(optional(shape))
        self.clear()

    def clear(self) -> None:
        if isinstance(self.shape, Word):
            self.c.w.set(self.name, NONE)
        else:
            self.c.w.store(self.into.memory, const(0), FALSE)

    def take(self, v: Operand) -> None:
        if isinstance(self.shape, Word):
            assert not isinstance(v, Ref)
            self.c.w.set(self.name, v)
        else:
            self.c.put(v, self.into)

    @property
    def found(self) -> Operand:
        return Local(self.name) if isinstance(self.shape, Word) else self.into


def as_type(c: Context, v: Operand, kind: t.Type) -> Operand:
    """A value that may be none, as its type says: where it cannot be none, what is there."""
    return v if isinstance(kind, t.Optional) else c.certain(v)
