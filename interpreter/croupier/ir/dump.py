"""Each stage of a ruleset as text, for people: stable from one run to the next."""

from __future__ import annotations

from croupier.ir.layout import lay_out
from croupier.ir.layout.sizes import Sizes
from croupier.ir.layout.text import layout_text
from croupier.ir.lower import lower
from croupier.ir.text import module_text
from croupier.semantics.dump import dump_typed
from croupier.semantics.program import Program
from croupier.semantics.texts import dump_ast


def dump_stage(program: Program, stage: str, sizes: Sizes | None = None) -> str:
    """`ast` (nodes of all rule texts; the program may have errors), `typed` (the typed tree) or `ir` (the lowered form).

    With the sizes of a set-up the lowered form comes with its layout.
    """
    if stage == "ast":
        return dump_ast(program.resolved)
    if stage == "typed":
        return dump_typed(program)
    module = lower(program)
    return module_text(module) + ("" if sizes is None else "\n" + layout_text(module, lay_out(module, sizes)))
