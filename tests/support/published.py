"""Holds every JSON document that the command line writes in a test against its published schema."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from croupier.outputs import documents, schemas


@cache
def validator(name: str) -> Draft202012Validator:
    """What holds a document against the schema of this name."""
    schema = schemas.schema_of(name)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def validated(text: str) -> dict[str, Any]:
    """The document of a text, which fits the schema that its own header names."""
    document = json.loads(text)
    name = document["schema"]["name"]
    problem = next(validator(name).iter_errors(document), None)
    assert problem is None, f"{name}: {problem.message} at {problem.json_path}"
    return dict(document)


def validate_all(patch: pytest.MonkeyPatch) -> None:
    """From now on, each document that is written in this process fits its schema, or the test fails."""
    write = documents.text_of

    def checked(name: str, version: str, values: dict[str, Any]) -> str:
        text = write(name, version, values)
        validated(text)
        return text

    patch.setattr(documents, "text_of", checked)
