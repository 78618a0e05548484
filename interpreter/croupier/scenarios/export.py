"""The JSON Schema of scenario files (draft 7, which editors read), made from the models."""

from __future__ import annotations

import json
from typing import Any

from croupier.scenarios.keydocs import describe_key
from croupier.scenarios.shape import ScenarioFile
from croupier.schema.export import DRAFT, REFERENCE, definitions_of


def json_schema() -> dict[str, Any]:
    """The whole schema of a scenario file."""
    return {
        "$schema": DRAFT,
        "title": "croupier scenarios",
        "description": "scenarios of a ruleset for croupier",
        "allOf": [{"$ref": REFERENCE.format(model="ScenarioFile")}],
        "definitions": definitions_of((ScenarioFile,), describe_key),
    }


def schema_text() -> str:
    """The schema as it stands in `grammar/scenarios.schema.json`."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
