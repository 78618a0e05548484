"""Elaboration: a checked program becomes one of forms of the kernel, and nothing behind it knows sugar.

What comes in: a program whose bodies are checked and whose effects are known (`call_effects.find_effects`).
What goes out: the same program, with sugar expanded in place, and its suspension points numbered. The order:

1. Conditions that act become statements before them (`rewrites.Questions`), so that a decision never hides in
   an expression.
2. What stands open at any time is put into the decisions of one player (`any_time.AnyTime`), those of step 1
   included, but not into blocks at once and `secretly`.
3. Blocks at once become two loops (`rewrites.AtOnce`); which statements of them choose and which act is read
   off their facts.
4. Whatever waits is marked and numbered, in the order of the text.
5. Claims become menus (`claims.py`), last: where they stand they are asked alone, and hashes are of
   procedures without what the menus need.

Sugar that needs no effects is no form at all: the checker writes `for p in turns()` as a `for` and `reveal`
as a `show`.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from croupier.diagnostics import Diagnostic
from croupier.records import dataclass
from croupier.semantics.any_time import AnyTime, OpenOptions
from croupier.semantics.call_effects import mark_suspensions
from croupier.semantics.claims import expand_claims
from croupier.semantics.program import Program
from croupier.semantics.rewrites import AtOnce, Questions


@dataclass(frozen=True)
class Elaborated:
    """What was found on the way: the calls of conditions that became statements, by their identity; and
    mistakes of blocks at once.
    """

    asked: AbstractSet[int]
    found: tuple[Diagnostic, ...]


def elaborate(program: Program, standing: list[OpenOptions]) -> Elaborated:
    """Expand the sugar of a program; `standing` is what stands open at any time."""
    asked = Questions(program).found
    AnyTime(program, standing)
    found = AtOnce(program).found
    mark_suspensions(program)
    expand_claims(program)
    return Elaborated(asked, tuple(found))
