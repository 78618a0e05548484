"""How values are kept in native code: as words, 64-bit integers.

A number, truth value, player, cell, component or zone is one word; `NONE` stands for no value. A record is its fields one after another; one that
is missing is all `NONE`. A list, set or bag is one word, the address of its length, behind which its elements lie, and before which stands how many
there is room for; a map likewise is the address of its first value. In the state and in frames lists and maps lie spread out instead: a list is
its length and room for all that its type allows. Where lists hold lists, elements lie one after another, each as long as it is (`shapes.py`), in
`NESTED` words at most.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from croupier.backends.facts import Facts
from croupier.backends.unsupported import Refused
from croupier.semantics import types as t

NONE = -(2**63)
WORD = 64  # bits
NESTED = 8192
SHORT, LONG = 32, 256  # elements of lists in frames


class Words:
    """Of the types of one game."""

    def __init__(self, facts: Facts) -> None:
        self.facts, self.game = facts, facts.game

    def fields(self, kind: t.Record) -> list[t.Type]:
        return list(self.facts.program.records[kind.name].fields.values())

    def width(self, kind: t.Type) -> int:
        """Words of a value that is worked with."""
        match kind:
            case t.Record():
                if not self.fields(kind):
                    raise Refused(f"`{kind.name}`, which has no fields", None)
                return sum(map(self.width, self.fields(kind)))
            case t.Optional():
                self.first_is_sure(kind.base, False)
                return self.width(kind.base)
        return 1

    def longest(self, kind: t.Type, bound: int | None) -> int:
        """The greatest length of a list; `bound` is known besides."""
        most = self.facts.length(kind)
        return most if bound is None else min(most, bound)

    def likely(self, kind: t.Type, bound: int | None) -> int | None:
        """How long a list may get that a frame keeps; a longer one deviates, where nothing bounds it otherwise."""
        if bound is not None or not isinstance(kind, t.Collection):
            return bound
        return max(SHORT, 2 * self.game.domain(kind.base)[1]) if self.game.is_finite(kind.base) else LONG

    def room(self, kind: t.Type, bound: int | None = None) -> int:
        """Words of a value that is kept in the state or a frame; `bound` is how long a list may get."""
        match kind:
            case t.Record() if self.width(kind):
                return sum(map(self.room, self.fields(kind)))
            case t.Optional():
                self.first_is_sure(kind.base, True)
                return self.room(kind.base)
            case t.Map():
                return self.entries(kind) * self.room(kind.value)
            case t.Collection() | t.Endless():
                most = self.longest(kind, bound) * self.room(self.base(kind))
                return 1 + (most if self.is_scalar(self.base(kind)) else min(most, NESTED))
        return 1

    def base(self, kind: t.Type) -> t.Type:
        """The type of the elements of a list."""
        if isinstance(kind, t.Endless):
            return t.PLAYER
        assert isinstance(kind, t.Collection)
        return kind.base

    def entries(self, kind: t.Map) -> int:
        return 0 if isinstance(kind.key, t.Never) else self.game.domain(kind.key)[1]

    def first_is_sure(self, kind: t.Type, kept: bool) -> None:
        """A value that may be missing must begin with a word that is never missing by itself; a map that is kept begins with its first entry."""
        while isinstance(kind, t.Record):
            fields = self.fields(kind)
            if not fields or isinstance(fields[0], t.Optional):
                raise Refused(f"a `{kind.name}` that may be missing, with a first field that may be missing", None)
            kind = fields[0]
        if isinstance(kind, t.Optional) or (kept and isinstance(kind, t.Map)):
            raise Refused(f"`{kind}` that may be missing", None)

    def is_scalar(self, kind: t.Type) -> bool:
        """Is a value one word that is no address?"""
        match kind:
            case t.Optional():
                return self.is_scalar(kind.base)
            case t.Record():
                return all(map(self.is_scalar, self.fields(kind)))
        return not isinstance(kind, (t.Collection, t.Endless, t.Map))

    def holds_text(self, kind: t.Type) -> bool:
        """Is there a text in the values of a type?"""
        match kind:
            case t.Text():
                return True
            case t.Optional() | t.Collection():
                return self.holds_text(kind.base)
            case t.Map():
                return self.holds_text(kind.value)
            case t.Record():
                return any(map(self.holds_text, self.fields(kind)))
        return False

    def bits(self, kind: t.Type, values: Iterable[int]) -> int | None:
        """Cells of a board that has no more than a word has bits, as bits; none for anything else."""
        if not isinstance(kind, t.Cell) or self.game.boards[kind.board].size > WORD:
            return None
        return sum(1 << cell for cell in set(values))

    # ------------------------------------------------------------ values of the evaluator
    def spread(self, value: Any, kind: t.Type) -> list[int]:
        """The words that a value takes in the state. Raises `Refused` if it has no room."""
        match kind:
            case _ if value is None:
                return [NONE] * self.room(kind)
            case t.Optional():
                return self.spread(value, kind.base)
            case t.Record():
                return [w for v, k in zip(value, self.fields(kind), strict=True) for w in self.spread(v, k)]
            case t.Map():
                if len(value) != self.entries(kind):
                    raise Refused("a map that begins empty", None)
                return [w for v in value for w in self.spread(v, kind.value)]
            case t.Collection() | t.Endless():
                out = self.row(value, kind)
                if len(out) > self.room(kind):
                    raise Refused("a list longer than its type allows", None)
                return out + [0] * (self.room(kind) - len(out))
        return [int(value)]

    def row(self, value: Any, kind: t.Type) -> list[int]:
        """The words of a value in a list of values that hold lists: no longer than it is."""
        if self.is_scalar(kind):
            return self.spread(value, kind)
        match kind:
            case _ if value is None:
                return [NONE]
            case t.Optional():
                return self.row(value, kind.base)
            case t.Record():
                return [w for v, k in zip(value, self.fields(kind), strict=True) for w in self.row(v, k)]
            case t.Map():
                return [w for v in value for w in self.row(v, kind.value)]
        return [len(value), *(w for v in value for w in self.row(v, self.base(kind)))]

    def unrolled(self, words: Any, at: int, kind: t.Type) -> tuple[Any, int]:
        """The value that begins at a place of such a list, and where it ends."""
        if self.is_scalar(kind):
            return self.gathered(words, at, kind), at + self.width(kind)
        parts: list[t.Type]
        match kind:
            case t.Optional() | t.Record() | t.Collection() if words[at] == NONE:
                return None, at + 1
            case t.Optional():
                return self.unrolled(words, at, kind.base)
            case t.Record():
                parts = self.fields(kind)
            case t.Map():
                parts = [kind.value] * self.entries(kind)
            case _:
                parts = [self.base(kind)] * words[at]
                at += 1
        out = []
        for part in parts:
            value, at = self.unrolled(words, at, part)
            out.append(value)
        return tuple(out), at

    def gathered(self, words: Any, at: int, kind: t.Type) -> Any:
        """The value that lies in the state from a place on."""
        match kind:
            case t.Map():
                size = self.room(kind.value)
                return tuple(self.gathered(words, at + i * size, kind.value) for i in range(self.entries(kind)))
            case _ if words[at] == NONE:
                return None
            case t.Optional():
                return self.gathered(words, at, kind.base)
            case t.Record():
                out = []
                for k in self.fields(kind):
                    out.append(self.gathered(words, at, k))
                    at += self.room(k)
                return tuple(out)
            case t.Collection() | t.Endless() if not self.is_scalar(self.base(kind)):
                return self.unrolled(words, at, kind)[0]
            case t.Collection() | t.Endless():
                size = self.room(self.base(kind))
                return tuple(self.gathered(words, at + 1 + i * size, self.base(kind)) for i in range(words[at]))
            case t.Bool():
                return bool(words[at])
        return words[at]


def signed(bits: int) -> str:
    """A word of bits as a number with a sign."""
    return str(bits - (1 << WORD) if bits >> (WORD - 1) else bits)
