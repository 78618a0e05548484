"""The hunt for faults: games by players who play as nobody does, because what random players never do is
where rules go wrong.

In comes a ruleset, out come faults, each with the shortest game that was found to lead to it, as a scenario.
A game is played by a *plan*: always the first option, never a certain option, one number driven as high as it
goes. Games are played in rounds: the games of a round do not depend on each other, and what they show (which
options there are, what they change, what ran for the first time) decides the plans of the next. So a seed
gives the same hunt in any number of processes, and a hunt goes on where it was interrupted.

    plans       what a plan is, and the options that it takes
    quantities  the numbers of a game that plans drive, and what they are now
    player      a game by a plan, up to its end, a fault, or the most actions
    knowledge   what the games so far have shown, and the plans that come next
    shorten     fewer actions that lead to the same fault, and the scenario that they make
    hunting     the rounds, here or in several processes; what is kept of an interrupted hunt
"""

from __future__ import annotations

from croupier.authoring.hunt.hunting import BadHunt, Hunt, HuntConfig, Hunter
from croupier.authoring.hunt.shorten import Finding, finding_of

__all__ = ["BadHunt", "Finding", "Hunt", "HuntConfig", "Hunter", "finding_of"]
