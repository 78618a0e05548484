"""What is shown or told in a `secretly` to somebody who may be outside of it.

Proves of a ruleset without a report: where the players of a `secretly` are named one by one, or are all but one, whoever something is shown or told
to in its block is certainly one of them. Nothing is said where they are worked out in another way, nor of what the block calls.
"""

from __future__ import annotations

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.semantics.infoflow import analyse
from croupier.semantics.program import Program


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """One report for each `show` or `tell`."""
    found: list[Diagnostic] = []
    for _, addressed in sorted(analyse(program).addressed.items()):
        label = Label(addressed.block, "only they perceive what happens in this block")
        found.append(diagnose("L033", addressed.span, word=addressed.word, labels=(label,)))
    return found
