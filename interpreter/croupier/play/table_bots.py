"""Bots at a table: which one plays the seats that nobody takes, and what one would do in a player's place.

Both are fair: they know what their seat knows. Where nothing can ever be hidden that is `mcts`, elsewhere
`ismcts`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from croupier.play.agents import UnknownAgent
from croupier.play.thinking import search
from croupier.records import dataclass
from croupier.runtime.state import SearchedOption
from croupier.runtime.visibility import hides_nothing_ever

if TYPE_CHECKING:
    from croupier.runtime.game import Game
    from croupier.runtime.state import State

AT_A_TABLE = "200ms"
"""How much a bot thinks that plays at a table unless somebody names another: what stands behind `mcts:` and
`ismcts:`.
"""
# of an advisor: rounds at first and at most, and how many times as many the next time
FIRST_ROUNDS, LAST_ROUNDS, MORE = 16, 1 << 16, 4
ENOUGH = 1.0  # seconds that an advisor may think, about


def fair_family(game: Game) -> str:
    """`mcts` where nothing can be hidden, `ismcts` elsewhere."""
    return "mcts" if hides_nothing_ever(game) else "ismcts"


def table_bot(game: Game) -> str:
    """The bot that plays a seat at a table which nobody takes."""
    return f"{fair_family(game)}:{AT_A_TABLE}"


def any_table_bot() -> str:
    """As `table_bot`, for a game that is not known yet: `ismcts` is fair in all of them, and where nothing is
    hidden draws the true position.
    """
    return f"ismcts:{AT_A_TABLE}"


@dataclass(frozen=True, slots=True)
class Advice:
    """What a bot that thinks for a player found: its name, how long it thought, each option with its figures,
    in the order of `legal_actions`.
    """

    bot: str
    seconds: float
    options: list[SearchedOption]

    @property
    def ranked(self) -> list[SearchedOption]:
        """The options, the one that the bot would choose first."""
        return sorted(self.options, key=lambda one: (-one.visits, -(one.worth or 0.0)))


def advise(state: State, seat: int, bot: str | None = None, enough: float = ENOUGH) -> Advice:
    """Return what a fair bot finds of the options of a seat that decides; the same state gets the same
    figures where it thinks equally long.

    Without a `bot` it searches with more and more rounds, while that takes about `enough` seconds. Raises
    ValueError for a bot that does not search, and for one that would see what is hidden from the seat.
    """
    if bot is not None:
        if _looks_at_hidden(bot, state.game):
            raise UnknownAgent(f"`{bot}` would look at what is hidden from you: ask `ismcts`")
        return _timed(state, seat, bot)
    family, rounds = fair_family(state.game), FIRST_ROUNDS
    search(state, f"{family}:1", seat)  # what is compiled for the first search takes no time of the others
    found = _timed(state, seat, f"{family}:{rounds}")
    while found.seconds * MORE < enough and rounds < LAST_ROUNDS:
        rounds *= MORE
        found = _timed(state, seat, f"{family}:{rounds}")
    return found


def _looks_at_hidden(bot: str, game: Game) -> bool:
    return bot.partition(":")[0].rstrip("!") == "mcts" and not hides_nothing_ever(game)


def _timed(state: State, seat: int, bot: str) -> Advice:
    started = time.monotonic()
    options = search(state, bot, seat)
    return Advice(bot, time.monotonic() - started, options)
