"""The JSON Schema of scenario files is fresh, has a line for each key, and accepts the scenarios that there
are.
"""

from __future__ import annotations

import json
from pathlib import Path

from croupier.resources import rulesets_folder
from croupier.scenarios.document import (
    KEYS,
    Expectation,
    Given,
    Outcome,
    Scenario,
    ScenarioFile,
    json_schema,
    schema_text,
)
from croupier.schema.declaration import COMMON, describe_key

FILE = Path(__file__).resolve().parents[3] / "grammar" / "scenarios.schema.json"
MODELS = (ScenarioFile, Scenario, Given, Expectation, Outcome)


def test_the_file_is_fresh() -> None:
    assert FILE.read_text(encoding="utf-8") == schema_text(), "run tools/schema"


def test_every_key_has_a_line_and_every_line_a_key() -> None:
    assert set(KEYS) == {model.__name__ for model in MODELS}
    for model in MODELS:
        assert all(describe_key(model.__name__, key, KEYS) for key in model.keys())
        assert set(KEYS[model.__name__]) == set(model.keys()) - set(COMMON)


def test_what_it_refers_to_is_there() -> None:
    schema = json_schema()
    text = json.dumps(schema)
    assert set(schema["definitions"]) == {model.__name__ for model in MODELS}
    assert all(f'"#/definitions/{name}"' in text for name in schema["definitions"])
    assert schema["definitions"]["Scenario"]["required"] == ["id"]


def test_there_are_scenarios() -> None:
    assert sorted(rulesets_folder().rglob("scenarios/*.yaml"))
