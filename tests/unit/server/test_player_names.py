"""Names that imitate are refused: the cases are in `names.cases.yaml`."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from croupier.server.player_names import _prototypes, fair_names, skeleton
from croupier.server.refusals import RefusedRequest
from croupier.server.tables import asked_for, names_of
from croupier.text import Seat

CASES: list[dict[str, Any]] = YAML(typ="safe").load(
    Path(__file__).with_name("names.cases.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case["names"]))
def test_a_name(case: dict[str, Any]) -> None:
    if "refused" not in case:
        assert fair_names(case["names"]) == case.get("shown", case["names"])
        return
    with pytest.raises(ValueError) as refused:
        fair_names(case["names"])
    assert case["refused"] in str(refused.value)


def test_nobody_is_called_as_a_seat_without_a_name() -> None:
    for seat in range(20):
        with pytest.raises(ValueError, match="reads like what the log calls somebody else"):
            fair_names([str(Seat(seat))])


def test_the_table_is_that_of_skeletons() -> None:
    """What something looks like looks like itself, and nothing is in it that no name can have."""
    assert len(_prototypes()) > 500
    for source, target in _prototypes().items():
        assert skeleton(source) == skeleton(target), (source, target)
        assert unicodedata.category(source)[0] in "LMN"


@pytest.mark.parametrize("names", ["Ben", [1], ["x"] * 101, None, {"a": 1}])
def test_names_are_a_list_of_texts(names: object) -> None:
    with pytest.raises(RefusedRequest, match="names are a list of texts") as refused:
        names_of(names)
    assert refused.value.status == 400


def test_a_request_says_why_a_name_is_refused() -> None:
    wanted = {"ruleset": "tic_tac_toe", "players": 2, "names": ["Ben", "BEN"]}
    with pytest.raises(RefusedRequest, match="`BEN` looks like `Ben`"):
        asked_for(wanted)
    assert asked_for({**wanted, "names": [" Ben ", "Carla"]})["names"] == ["Ben", "Carla"]
