"""What a seat can take for true where it does not know: small programs, and the chance of each value."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.inference import resampling
from croupier.inference.resampling import Resampler
from croupier.runtime.streams import Stream

CASES = YAML(typ="safe", pure=True).load(
    Path(__file__).with_name("resampled.cases.yaml").read_text(encoding="utf-8")
)
HEAD = "croupier: 1\nruleset: hidden\ntitle: Hidden\nplayers: 3\n"
DRAWS = 150


def reached(case: Any, folder: Path) -> Any:
    """The state of a case."""
    file = folder / "hidden.yaml"
    file.write_text(HEAD + case["rules"], encoding="utf-8")
    state = croupier.load(file).new_initial_state()
    for action in case["actions"]:
        seat, chosen = action if isinstance(action, list) else (None, action)
        state.apply_action(chosen, seat)
    return state


def read(state: Any, case: Any) -> str:
    """The value of the expression of a case, or who has still to choose."""
    return str(state.evaluate(case["of"]) if "of" in case else state.pending_seats())


def shares(case: Any) -> dict[str, Fraction]:
    return {str(value): Fraction(share) for value, share in case["shares"].items()}


@pytest.mark.parametrize("name", CASES)
def test_all_that_is_possible(name: str, tmp_path: Path) -> None:
    case, found = CASES[name], Counter[str]()
    resampler = Resampler(reached(case, tmp_path), 0)
    for one, share in resampler.possible():
        found[read(one, case)] += share
    assert found == shares(case)
    assert resampler.applied <= case.get("applied", resampler.applied)


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].get("chain")])
def test_new_ends_alone_come_to_each_as_often(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resampling, "NEW_ENDS", 1)
    case = CASES[name]
    state = reached(case, tmp_path)
    chain, stream, drawn = Resampler(state, 0, -1), Stream(1, 1, "seat"), Counter[str]()
    for _ in range(DRAWS):
        drawn[chain.draw(stream).hash()] += 1
    one_of = {one.hash(): read(one, case) for one, _ in Resampler(state, 0).possible()}
    found = {value: sum(drawn[key] for key in drawn if one_of[key] == value) for value in one_of.values()}
    assert {value: many / DRAWS for value, many in found.items()} == pytest.approx(shares(case), abs=0.1)


def test_what_a_later_state_followed_serves_an_earlier_one(tmp_path: Path) -> None:
    case = CASES["events of chance do not count as decisions"]
    earlier = reached(case | {"actions": case["actions"][:-1]}, tmp_path)
    later = earlier.clone()
    later.apply_action(case["actions"][-1])
    found, again = Resampler(earlier, 0), Resampler(earlier, 0, previous=Resampler(later, 0))
    assert again.applied == 0 < found.applied
    assert [share for _, share in again.possible()] == [share for _, share in found.possible()]
