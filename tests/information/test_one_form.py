"""What others get of what they may not see has one form: that, how often and in how many steps something was
asked tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier

CASES = YAML(typ="safe").load(Path(__file__).with_suffix("").with_name("one_form.yaml"))


def before_decisions_of(state: Any, seat: int) -> Iterator[Any]:
    """Every state in which the seat decides for the first time."""
    if state.is_terminal():
        return
    if state.current_player() == seat:
        yield state
        return
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        yield from before_decisions_of(after, seat)


def channels(state: Any, seat: int) -> tuple[Any, ...]:
    """Everything that a seat gets."""
    events = [(event.kind, event.text, event.rules, event.quiet) for event in state.events(seat)]
    return (
        state.information_state(seat),
        str(state.observation(seat)),
        str(events),
        str(state.legal_actions(seat)),
    )


@pytest.mark.parametrize("backend", ["reference", "python"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_it_tells_nothing(case: dict[str, Any], backend: str, tmp_path: Path) -> None:
    path = tmp_path / "ruleset.yaml"
    path.write_text(case["ruleset"], encoding="utf-8")
    seat = case["seat"] - 1
    start = croupier.load(path).new_initial_state(backend=backend)
    found: dict[tuple[Any, ...], int] = {}
    for state in before_decisions_of(start, seat):
        found[channels(state, seat)] = found.get(channels(state, seat), 0) + 1
    assert len(found) == case["states"], "\n\n".join(told[0] for told in found)
    assert case["states"] >= len({told[0] for told in found})
