"""Errors of rules at run time.

A `Fault` carries a diagnostic at the author's line and ends the game as faulted. What callers give is tested
elsewhere (`arguments.py`).
"""

from __future__ import annotations

from typing import Any

from croupier.diagnostics import Diagnostic, Span, diagnose


class Fault(Exception):
    """A rule could not go on."""

    def __init__(self, code: str, span: Span, **args: Any) -> None:
        super().__init__(code)
        self.code, self.span, self.args_ = code, span, args

    @property
    def diagnostic(self) -> Diagnostic:
        """The fault in words, at the author's line."""
        return diagnose(self.code, self.span, **self.args_)


class GameOver(Exception):
    """`finish`: the result is already in the machine; every frame is dropped."""


class Redacted(Exception):
    """A part of a text that its readers may not see."""


class LookaheadFailed(Exception):
    """Inside a look-ahead: this way does not lead to the condition."""


class LookaheadHolds(Exception):
    """Inside a look-ahead: the condition holds at the end of the block."""


class IllegalAction(ValueError):
    """An action that is not legal in this position; the message says which ones are, the first of them in
    numbers and words.
    """
