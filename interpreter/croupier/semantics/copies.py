"""Ids of components that have copies: compared, they mean each of these; elsewhere they would mean the first alone, and are refused.

The value of a parameter, its default or what somebody sets, is the first copy: rules compare it with others.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, diagnose
from croupier.semantics.lints.walk import expressions
from croupier.semantics.program import Program

OF_EACH = {"copies", "attr", "is_kind", "is_other"}  # operations that give the same for each copy


def check_copies(program: Program) -> Iterator[Diagnostic]:
    """Diagnostics for ids that would name one copy of several."""
    wholes = [*expressions(program), *(v.start for v in program.vars.values() if v.start is not None)]
    seen: set[tuple[str, int]] = set()
    for whole in wholes:
        for x in (whole, *(a for y in whole.walk() if y.op not in OF_EACH for a in y.args)):
            place = (x.span.source.name, x.span.start)
            if x.op == "component" and program.classes[x.data[0]].copies is not None and place not in seen:
                seen.add(place)
                yield diagnose("T069", x.span, name=x.data[1], kind=x.data[0])
