"""Who learns of decisions and of chance.

A machine tells all that happens to a `Listener`; what happens `secretly`, with an audience
(`Machine.event_audience`). Who perceives a move, a change of state or a text follows from who sees what
(`visibility.py`). Who learns of an answer follows from what the operation that asks discloses by it:

    all          a decision, an outcome of chance
    those who know what is on offer
                 that no more is taken of several things: it says something about what could be taken
    those who do not
                 what was not asked, because nothing else was possible: they read the same as if it had been
    nobody else  that somebody does not react, and what one of several chooses who choose at once: that is
                 told when all have chosen
"""

from __future__ import annotations

from functools import partial

from croupier.runtime.disclosure import AnswerWords, DisclosedTo
from croupier.runtime.machine import Frame, Machine, Op


def reaches(audience: DisclosedTo, op: Op, m: Machine, fr: Frame, who: int) -> bool:
    """Return whether a seat, or somebody at none, learns of the answer of another one."""
    match audience:
        case DisclosedTo.KNOWING:
            return op.is_open_to(m, fr, who)
        case DisclosedTo.UNKNOWING:
            return not op.is_open_to(m, fr, who)
    return audience is DisclosedTo.ALL


def tell_answer(m: Machine, op: Op, fr: Frame, seat: int, action: int) -> None:
    """Tell what a seat, or chance (-1), has chosen."""
    if seat < 0:
        tell_outcome(m, op, fr, action)
        return
    if m.recorder is None:
        return
    m.cites = op.cited_by(action)
    told, words = op.disclosure(m, fr, seat, action), partial(op.describe, m, fr, seat, action)
    if told is None:
        return
    if told.claim is not None:
        m.recorder.claimed(m, seat, words, told.claim)
        return
    said = AnswerWords(told.words or words, partial(op.sentence, m, fr, seat, action))
    m.recorder.decided(m, seat, told, said, partial(reaches, told.audience, op, m, fr))
    if told.picks:
        m.recorder.revealed(m, told.picks)


def tell_outcome(m: Machine, op: Op, fr: Frame, action: int, *, is_forced: bool = False) -> None:
    """Tell what chance has chosen, if the operation does not tell it by what it does.

    What was forced is an outcome for those alone who cannot work out that nothing else was possible; and for
    the referee, if there is such a seat. That no more is taken, because no more can be, is not told.
    """
    if m.recorder is None:
        return
    m.cites = op.cites
    told = op.disclosure(m, fr, -1, action)
    if told is None or (is_forced and told.audience is DisclosedTo.KNOWING):
        return
    audience = DisclosedTo.UNKNOWING if is_forced else told.audience

    def is_told(who: int | None) -> bool:
        if who is None and audience is DisclosedTo.UNKNOWING:
            return any(reaches(audience, op, m, fr, seat) for seat in range(m.game.players))
        return who is None or reaches(audience, op, m, fr, who)

    said = AnswerWords(partial(op.describe, m, fr, -1, action), partial(op.sentence, m, fr, -1, action))
    m.recorder.chance_drawn(m, said, is_told)


def tell_no_choice(m: Machine, op: Op, fr: Frame, seat: int, said: AnswerWords) -> None:
    """Tell that nothing is on offer in a choice that may be refused.

    A seat that cannot work that out reads the same as for a refusal: nobody is told whether there was a
    choice.
    """
    if m.recorder is not None:
        m.cites = op.cites
        unknowing = partial(reaches, DisclosedTo.UNKNOWING, op, m, fr)
        m.recorder.decided_nothing(m, seat, said, unknowing)
