"""The published JSON Schema is fresh, is draft 7, and says something about every key."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from ruamel.yaml import YAML

from croupier.resources import shipped
from croupier.scenarios.document import json_schema as scenarios_schema
from croupier.scenarios.files import files_in
from croupier.schema.declaration import COMMON, KEYS, Declaration, describe_key
from croupier.schema.document import RulesetDoc, VariantDoc
from croupier.schema.export import json_schema, schema_text

ROOT = Path(__file__).resolve().parents[3]
FILE = ROOT / "grammar" / "ruleset.schema.json"
RULESETS, SCENARIOS = (jsonschema.Draft7Validator(schema()) for schema in (json_schema, scenarios_schema))
LATER_THAN_DRAFT_7 = {
    "$defs",
    "prefixItems",
    "unevaluatedProperties",
    "dependentRequired",
    "dependentSchemas",
    "minContains",
    "$dynamicRef",
}


def models(model: type[Declaration] = Declaration) -> Iterator[type[Declaration]]:
    for child in model.__subclasses__():
        yield child
        yield from models(child)


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
    for value in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from parts(value)


def test_the_file_is_fresh() -> None:
    assert FILE.read_text(encoding="utf-8") == schema_text(), "run tools/schema"


def test_the_tool_checks() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "schema"), "--check"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (
        0,
        "grammar/ruleset.schema.json is fresh\ngrammar/scenarios.schema.json is fresh\n",
    )


def test_it_is_draft_7() -> None:
    schema = json_schema()
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    for part in parts(schema):
        assert not LATER_THAN_DRAFT_7 & set(part)
        if isinstance(part.get("$ref"), str):
            assert len(part) == 1 and part["$ref"].removeprefix("#/definitions/") in schema["definitions"]
    assert json.loads(schema_text()) == schema


def test_unknown_keys_are_refused_and_the_required_ones_named() -> None:
    definitions = json_schema()["definitions"]
    assert definitions["RulesetDoc"]["required"] == ["croupier", "ruleset", "title", "players", "phases"]
    assert definitions["VariantDoc"]["required"] == ["croupier", "extends"]
    for name, definition in definitions.items():
        assert definition.get("anyOf", [definition])[-1]["additionalProperties"] is False, name
    assert "text" not in definitions["Phase"]["anyOf"][1]["properties"]


def test_every_key_has_a_line_and_every_line_a_key() -> None:
    for model in models():
        if model.__name__ == "Document" or not model.__module__.startswith("croupier.schema."):
            continue
        for key in model.keys():
            assert describe_key(model.__name__, key)
        assert set(KEYS[model.__name__]) == set(model.keys()) - set(COMMON)
    assert {RulesetDoc.__name__, VariantDoc.__name__} <= set(KEYS)


@pytest.mark.parametrize("schema", [json_schema(), scenarios_schema()], ids=["rulesets", "scenarios"])
def test_every_key_in_the_files_is_explained(schema: dict[str, Any]) -> None:
    for part in parts(schema):
        for key, value in (
            part.get("properties", {}).items() if isinstance(part.get("properties"), dict) else ()
        ):
            assert value.get("description"), key


@pytest.mark.parametrize("name", shipped())
def test_shipped_files_fit_the_schemas(name: str) -> None:
    place = shipped()[name]
    files = [(place.path, RULESETS)] + [
        (path, SCENARIOS) for path in (files_in(place.root)[0] if "/" not in name else ())
    ]
    for path, validator in files:
        data = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
        wrong = [
            f"{path.name}: {list(e.absolute_path)}: {e.message[:200]}" for e in validator.iter_errors(data)
        ]
        assert not wrong
