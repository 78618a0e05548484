"""Hand-written Python: what somebody would write for one game alone. The unit of `tools/bench`.

Idiomatic and not naive: lists and tuples, no look-ups that a loop can do without, no checks of what a caller
does. Each class is held against the ruleset of its game, decision by decision (`same.py`): a few games in
`tests/conformance/yardsticks`, as many as you like by `tools/yardsticks`. Actions are those of the rulesets;
at chance `current_player` is -1.
"""

from __future__ import annotations

from _yardsticks.base import Yardstick, play_out
from _yardsticks.breakthrough import Breakthrough
from _yardsticks.connect_four import ConnectFour
from _yardsticks.tic_tac_toe import TicTacToe
from _yardsticks.una_notte_da_lupi import UnaNotte
from _yardsticks.witches_of_blackmore import Blackmore

YARDSTICKS: dict[str, type[Yardstick]] = {
    "tic_tac_toe": TicTacToe,
    "connect_four": ConnectFour,
    "breakthrough": Breakthrough,
    "witches_of_blackmore": Blackmore,
    "una_notte_da_lupi": UnaNotte,
}

__all__ = ["YARDSTICKS", "Yardstick", "play_out"]
