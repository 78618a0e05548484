"""What is not compiled: refused in words, at the author's line."""

from __future__ import annotations

from croupier.diagnostics import Span

WAITS = {
    "choose": "a choice", "choose_every": "a choice of several players at once (`by every`)", "choose_set": "a choice of several things",
    "chance": "a choice by chance", "chance_set": "a choice of several things by chance", "menu": "a menu", "draw": "`draw`", "roll": "`roll`",
    "open": "a window (`open`)", "ask": "reactions to a window", "claim": "what players say (`claim by`)", "call": "a call that waits",
}  # fmt: skip


class Refused(Exception):
    """A back end does not compile a construct. `what` is the construct in words."""

    def __init__(self, what: str, span: Span | None) -> None:
        super().__init__(what)
        self.what, self.span = what, span
        self.is_told = False  # has somebody been told who did not ask for this back end?


def refused_wait(kind: str, span: Span | None) -> Refused:
    """The refusal of a suspension of this kind, in words of the rule language."""
    return Refused(WAITS[kind], span)


def refused_operation(name: str, span: Span | None) -> Refused:
    """The refusal of an operation: what it does, as its table says."""
    from croupier.ir.operations import OPERATIONS

    return Refused(OPERATIONS[name].doc, span)
