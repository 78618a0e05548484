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
5. Claims become menus (`claims.py`), and `match` a chain of `if` (`matches.py`), last: hashes are of
   procedures without what these need (`Proc.origin`).

Sugar that needs no effects is no form at all: the checker writes `for p in turns()` as a `for` and `reveal`
as a `show`.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial

from croupier.diagnostics import Diagnostic
from croupier.kernel.tree import TypedStmt, of_statement
from croupier.records import dataclass
from croupier.semantics.any_time import AnyTime, OpenOptions
from croupier.semantics.call_effects import mark_suspensions
from croupier.semantics.claims import ClaimStmt, menu_of
from croupier.semantics.matches import MatchStmt, chain_of
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.rewrites import AtOnce, Questions
from croupier.semantics.walk import rewritten, statements


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
    expand_forms(program)
    return Elaborated(asked, tuple(found))


EXPANSIONS: dict[str, Callable[[Proc, TypedStmt, Program], list[TypedStmt]]] = {
    ClaimStmt.OP: of_statement(ClaimStmt, menu_of),
    MatchStmt.OP: of_statement(MatchStmt, chain_of),
}
"""Statements of the checker, and the forms that each becomes."""


def expand_forms(program: Program) -> None:
    """Put forms of the kernel in place of statements that are none."""
    for proc in program.procs:
        if any(s.OP in EXPANSIONS for s in statements(proc.body)):
            proc.origin = replace(
                proc, slots=[*proc.slots], slot_types=[*proc.slot_types], calls={*proc.calls}
            )
            proc.body = rewritten(proc.body, partial(_expand, proc, program))


def _expand(proc: Proc, program: Program, s: TypedStmt, out: list[TypedStmt]) -> None:
    expand = EXPANSIONS.get(s.OP)
    out += [s] if expand is None else expand(proc, s, program)
