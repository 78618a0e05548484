"""The course of a game by a measure of several players, sampled along the way: leaders, and when it was
decided.

    lead changes  how often somebody else leads alone than the last who did
    kingmaking    the part of these brought about by a decision of somebody who led neither before nor
                  after; left out with two players
    comeback      1 if the winner did not lead, alone or with others, when half of the samples were over,
                  otherwise 0
    stall         the longest run of samples in which nobody's value changed, as a part of all
    decided       the part of the samples that had passed when the winner took the lead for good (1: only the
                  end shows who wins)
    drama         the mean, over samples in which the winner did not lead, of the square root of how far
                  behind they were, as a part of the largest lead of the game; 0 where they always led. After
                  C. Browne, "Automatic generation and evaluation of recombination games", 2008.

Native code counts while it plays (`printers/llvm_probes.py`); other games are counted here. The figures are
made of the same counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import sqrt

from croupier.play.watching import CourseCounts

COURSE = ("lead changes", "kingmaking", "comeback", "stall", "decided", "drama")


def course_figures(found: CourseCounts, players: int, one_won: bool) -> dict[str, float]:
    """Return the figures of a game's counts.

    `one_won`: there is one winner. Otherwise there is nothing to say about the winner.
    """
    figures: dict[str, float] = {"lead changes": found.changes}
    if found.changes and players > 2:
        figures["kingmaking"] = found.kings / found.changes
    figures["stall"] = (found.longest - 1) / found.samples
    if one_won:
        figures["comeback"] = float(found.comeback)
        figures["decided"] = found.behind / found.samples if found.behind else 0.0
        count, roots = found.gaps
        figures["drama"] = roots / count if count else 0.0
    return figures


def counts(samples: Sequence[Sequence[int]], winners: Sequence[int], deciders: Sequence[int]) -> CourseCounts:
    """Return the counts of a game's samples, of which there is one at least."""
    leaders = [[seat for seat, value in enumerate(values) if value == max(values)] for values in samples]
    alone = [(seats[0], decider) for seats, decider in zip(leaders, deciders, strict=True) if len(seats) == 1]
    changes = [(a, b, decider) for (a, _), (b, decider) in zip(alone, alone[1:], strict=False) if a != b]
    kings = sum(decider not in (a, b) for a, b, decider in changes)
    longest = max(len(list(same)) for _, same in groupby(samples))
    if len(winners) != 1:
        return CourseCounts(len(samples), len(changes), kings, longest, False, 0, (0, 0.0))
    winner = winners[0]
    behind = [at for at, seats in enumerate(leaders) if seats != [winner]]
    gaps = [max(values) - values[winner] for values in samples if values[winner] < max(values)]
    widest = max(max(values) - min(values) for values in samples)
    roots = 0.0
    # one after the other, as native code does: `sum` rounds in another way since Python 3.12
    for gap in gaps:
        roots += sqrt(gap / widest)
    comeback = winner not in leaders[(len(leaders) - 1) // 2]
    return CourseCounts(
        len(samples),
        len(changes),
        kings,
        longest,
        comeback,
        behind[-1] + 1 if behind else 0,
        (len(gaps), roots),
    )
