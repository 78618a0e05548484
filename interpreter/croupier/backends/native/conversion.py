"""Lists and maps of `none` as lists and maps of records that may be missing: a `none` is one word, a record as many as its fields."""

from __future__ import annotations

from croupier.backends.native.finish import Finishing
from croupier.backends.native.places import NONE_TEXT, Leaves
from croupier.ir.instructions import Instruction
from croupier.ir.lower.expressions import holds_none
from croupier.semantics import types as t
from croupier.semantics.types import Type


class Conversion(Finishing):
    """Copies a value into a slot of another type."""

    def o_copy(self, i: Instruction) -> Leaves:
        return self.converted(self.leaves(i.args[0]), self.kind(i.args[0]), self.kind(i.into[0]))

    o_narrow = o_turns_of = o_copy

    def converted(self, leaves: Leaves, given: Type, wanted: Type) -> Leaves:
        """The words of a value of one type as one of a type that it lies in."""
        f, words = self.fn, self.words
        if given == wanted or not holds_none(given):
            width = words.width(wanted)
            return leaves if len(leaves) == width or not isinstance(given, t.Nothing) else [NONE_TEXT] * width
        inner = wanted.base if isinstance(wanted, t.Optional) else wanted
        if isinstance(given, t.Optional):
            place = self.fresh([NONE_TEXT])[0]
            with f.when(f.test("ne", leaves[0], NONE_TEXT)):
                f.store(self.converted(leaves, given.base, inner)[0], place)
            return [f.load(place)]
        if isinstance(given, t.Map) and isinstance(inner, t.Map):
            narrow, wide, count = words.width(given.value), words.width(inner.value), words.entries(given)
            source, to = f.pointer(leaves[0]), self.allocate(str(count * wide))
            with f.counting("0", str(count)) as k:
                at = f.at(source, f.mul(k, str(narrow)))
                found = self.missing_or([f.load(f.at(at, n)) for n in range(narrow)], given.value, inner.value)
                for n, v in enumerate(found):
                    f.store(v, f.at(f.at(to, f.mul(k, str(wide))), n))
            return [f.address(to)]
        assert isinstance(given, t.Collection) and isinstance(inner, t.Collection)
        items = f.pointer(leaves[0])
        size = f.load(items)
        made = self.new_list(size, words.width(inner.base))
        f.store(size, made)
        with f.counting("0", size) as k:
            self.write_element(made, k, self.missing_or(self.read_element(items, k, words.width(given.base)), given.base, inner.base))
        return [f.address(made)]

    def missing_or(self, leaves: Leaves, given: Type, wanted: Type) -> Leaves:
        """The words of an entry of a map, which may be missing whatever its type."""
        width = self.words.width(wanted)
        places = self.fresh([NONE_TEXT] * width)
        with self.fn.when(self.fn.test("ne", leaves[0], NONE_TEXT)):
            for v, place in zip(self.widest(self.converted(leaves, given, wanted), width), places, strict=True):
                self.fn.store(v, place)
        return [self.fn.load(place) for place in places]

    def widest(self, leaves: Leaves, width: int) -> Leaves:
        return leaves if len(leaves) == width else [NONE_TEXT] * width
