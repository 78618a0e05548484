"""What can go wrong while rules run: a fault carries a diagnostic at the author's line and ends the game as faulted."""

from __future__ import annotations

from typing import Any, NoReturn

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


class Unseen(Exception):
    """A part of a text would tell its reader what he may not see."""


class DeadEnd(Exception):
    """Inside a look-ahead: this way does not lead to the condition."""


class Reached(Exception):
    """Inside a look-ahead: the condition holds at the end of the block."""


class IllegalAction(ValueError):
    """An action that is not legal in this position; the message says which ones are, the first of them in numbers and words."""


def nothing_to_choose(m: Any, span: Span) -> NoReturn:
    """There is no option: a dead end for who looks ahead, otherwise the game is stuck. Raises `DeadEnd` or `Fault`."""
    if m.search is not None:
        raise DeadEnd
    raise Fault("R007", span)
