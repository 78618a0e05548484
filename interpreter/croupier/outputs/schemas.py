"""The JSON Schema of an output (draft 2020-12), and its keys with their meanings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from croupier.diagnostics import JsonObject
from croupier.outputs.writing import SCHEMAS, model_of

DRAFT = "https://json-schema.org/draft/2020-12/schema"
MAX_DEPTH = 12  # of objects in objects whose keys are listed


def schema_of(name: str) -> JsonObject:
    """The JSON Schema of an output. Raises KeyError for an unknown name."""
    made = _plain(model_of(name).model_json_schema(by_alias=True, mode="serialization"))
    version = SCHEMAS[name].version
    made["$defs"]["SchemaName"]["properties"]["name"]["const"] = name
    made["$defs"]["SchemaName"]["properties"]["version"]["const"] = version
    return {"$schema": DRAFT, "title": f"croupier {name}, version {version}", **made}


def schema_text(name: str) -> str:
    """The JSON Schema of an output as text. Raises KeyError for an unknown name."""
    return json.dumps(schema_of(name), indent=2, ensure_ascii=True) + "\n"


def keys_of(name: str) -> list[tuple[str, str, str]]:
    """Every key of an output with its type and its meaning, in order: `seats[].wins` is a key of each item of the list `seats`."""
    schema = schema_of(name)
    return list(_keys(schema, schema["$defs"], "", 0))


def _plain(schema: Any) -> Any:  # noqa: ANN401 - any part of a schema
    """A schema without the titles that pydantic makes of names."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _plain(part) for key, part in schema.items() if not (key == "title" and isinstance(part, str))}


def _keys(schema: Mapping[str, Any], defined: Mapping[str, Any], before: str, depth: int) -> Iterator[tuple[str, str, str]]:
    if depth > MAX_DEPTH:
        return
    for key, part in schema.get("properties", {}).items():
        yield f"{before}{key}", _type(part), part.get("description", "")
        for suffix, inner in _inner(part, defined):
            yield from _keys(inner, defined, f"{before}{key}{suffix}.", depth + 1)


def _inner(part: Mapping[str, Any], defined: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects that a value may hold, each with how it is reached: `[]` of a list, `.NAME` of an object by names."""
    if "$ref" in part:
        yield "", defined[part["$ref"].rpartition("/")[2]]
    for choice in (*part.get("anyOf", ()), *part.get("oneOf", ())):
        yield from _inner(choice, defined)
    if "items" in part:
        yield from ((f"[]{suffix}", inner) for suffix, inner in _inner(part["items"], defined))
    if isinstance(part.get("additionalProperties"), dict):
        yield from ((f".*{suffix}", inner) for suffix, inner in _inner(part["additionalProperties"], defined))


def _type(part: Mapping[str, Any]) -> str:
    """The type of a value in words: `integer`, `list of string`, `object or null`."""
    if "$ref" in part:
        return "object"
    choices = (*part.get("anyOf", ()), *part.get("oneOf", ()))
    if choices:
        words = list(dict.fromkeys(_type(choice) for choice in choices))
        words = [word for word in words if not (word == "integer" and "number" in words)]
        return " or ".join(words)
    if "items" in part:
        return f"list of {_type(part['items'])}"
    return str(part.get("type", "any"))
