"""`so that … else`: exactly those options are offered after which the condition can still be met, and looking
leaves no trace.

The same program with the look-ahead taken out of its text is the judge: there every option may be tried to
its end.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import croupier
from cases import LANGUAGE, position, words

PROGRAM = LANGUAGE / "baron_voodoo_board.yaml"
LOOKING = """        so that not jumps(p).empty:                                     @BV-99,100
            power_step(p)                                               # phase A
        else:                                                           @BV-98,101,107
"""
BLIND = """        power_step(p)
        if jumps(p).empty:
"""
LOAS = ("mama_wata", "gran_bwa", "papa_legba", "erzulie_freda")
PLACES = [f"({r},{c})" for r in range(1, 8) for c in range(1, 8)]
DICE = [f"{colour}-{icon}" for colour in ("gold", "blue", "red", "purple", "white") for icon in ("OFF", "VP")]


@pytest.fixture(scope="module")
def looking() -> Any:
    return croupier.load(PROGRAM)


@pytest.fixture(scope="module")
def blind(tmp_path_factory: pytest.TempPathFactory) -> Any:
    text = PROGRAM.read_text(encoding="utf-8")
    assert LOOKING in text
    path: Path = tmp_path_factory.mktemp("blind") / "blind.yaml"
    path.write_text(text.replace(LOOKING, BLIND), encoding="utf-8")
    return croupier.load(path)


def some_position(rng: random.Random) -> dict[str, Any]:
    """Few dice, so that most positions are blocked, nearly blocked, or open to one power only."""
    loas = rng.sample(LOAS, 2)
    field: dict[str, list[str]] = {}
    for place in rng.sample(PLACES, rng.randint(1, 4)):
        field[place] = [rng.choice(DICE) for _ in range(rng.choice((1, 1, 2, 3)))]
    return {
        "players": 2, "before": "a turn", "bound": {"p": 1}, "rest": "box",
        "zones": {"loa": {1: [loas[0]], 2: [loas[1]]}, "field": field},
        "state": {"tokens": {"1": rng.choice((0, 1)), "else": 0}, "reserve": 20},
        "parameters": {"mama_wata_mode": rng.choice(("pack", "rigid_shift"))},
    }  # fmt: skip


def captures(state: Any) -> bool:
    """Does this position of the program without look-ahead stand at the capture?"""
    return (
        not state.is_terminal()
        and state.current_player() == 0
        and all(w.startswith("jump ") for w in words(state))
    )


def blocked(state: Any) -> bool:
    """Did the first player's turn end without a capture?"""
    return state.is_terminal() or state.current_player() == 1


def can_capture(state: Any) -> bool:
    """Is there a way to a capture? Every option is tried."""
    if captures(state):
        return True
    if blocked(state):
        return False
    return any(can_capture(after(state, action)) for action in state.legal_actions())


def after(state: Any, action: int) -> Any:
    copy = state.clone()
    copy.apply_action(action)
    return copy


def compare(looking: Any, blind: Any) -> int:
    """Walk both programs through every option offered up to the capture; gives the number of options left
    out.
    """
    if captures(blind):
        assert words(looking) == words(blind)
        return 0
    before, history = looking.position(), list(looking.history)
    offered = words(looking)
    assert looking.position() == before and looking.history == history and looking.fault is None
    actions = {blind.action_to_string(0, a): a for a in blind.legal_actions()}
    wanted = [text for text, a in actions.items() if can_capture(after(blind, a))]
    assert offered == wanted
    left_out = len(actions) - len(wanted)
    for text in wanted:
        left_out += compare(after(looking, looking.string_to_action(0, text)), after(blind, actions[text]))
    return left_out


@pytest.mark.parametrize("seed", range(30))
def test_exactly_the_options_that_leave_a_capture(looking: Any, blind: Any, seed: int) -> None:
    case = some_position(random.Random(seed))
    seen, judge = position(looking, case), position(blind, case)
    if can_capture(judge):
        compare(seen, judge)
    else:
        assert seen.is_terminal() or seen.current_player() == 1, words(seen)


def test_the_positions_are_of_every_kind(looking: Any, blind: Any) -> None:
    """Blocked, open only with a power, and open without."""
    kinds = set()
    for seed in range(30):
        case = some_position(random.Random(seed))
        judge = position(blind, case)
        kinds.add(
            "blocked"
            if not can_capture(judge)
            else "free"
            if "no" in words(position(looking, case))
            else "by power only"
        )
    assert kinds == {"blocked", "free", "by power only"}


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("open boosted(2) to players.first", "open boosted(2) to players", "a window for several players"),
        ("      n += by\n", "      draw 1 from bag to heap\n      n += by\n", "a draw"),
    ],
)
def test_what_a_look_ahead_cannot_see_is_refused(tmp_path: Path, old: str, new: str, what: str) -> None:
    """Through windows too: what a reaction does is done inside the look-ahead."""
    text = (LANGUAGE / "look_ahead.yaml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "ruleset.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    found = [(d.code, d.message) for d in croupier.check(path).diagnostics if d.severity == "error"]
    assert found and set(found) == {("F014", f"this look-ahead reaches {what}")}
