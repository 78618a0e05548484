"""The JSON Schema of an output (draft 2020-12), and its keys with their meanings."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from croupier.diagnostics import JsonObject
from croupier.outputs.documents import SCHEMAS, model_of

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


def summary_of(name: str) -> str:
    """Return the description of an output. Raises KeyError for an unknown name."""
    return " ".join((model_of(name).__doc__ or "").split())


def keys_of(name: str, closed: Collection[str] = ()) -> list[tuple[str, str, str]]:
    """Every key of an output with its type and its meaning, in order: `seats[].wins` is a key of each item of
    the list `seats`.

    The keys of parts in `closed` (names of their models) are left out: the name is the type. Raises KeyError
    for an unknown name.
    """
    schema = schema_of(name)
    return list(_Keys(schema["$defs"], closed).of(schema))


def part_keys(name: str, part: str, closed: Collection[str] = ()) -> list[tuple[str, str, str]]:
    """Every key of a part of an output, by the name of its model, as `keys_of` gives those of an output.

    Raises KeyError for unknown names.
    """
    defined = schema_of(name)["$defs"]
    return list(_Keys(defined, closed).of(defined[part]))


def _plain(schema: Any) -> Any:  # noqa: ANN401 - any part of a schema
    """A schema without the titles that pydantic makes of names."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _plain(part) for key, part in schema.items() if not (key == "title" and isinstance(part, str))
    }


class _Keys:
    """Lists the keys of schemas, which refer to those that are `defined`."""

    def __init__(self, defined: Mapping[str, Any], closed: Collection[str]) -> None:
        self._defined, self._closed = defined, closed

    def of(
        self, schema: Mapping[str, Any], before: str = "", depth: int = 0
    ) -> Iterator[tuple[str, str, str]]:
        """The keys of an object and of all objects in it."""
        if depth > MAX_DEPTH:
            return
        for key, part in schema.get("properties", {}).items():
            yield f"{before}{key}", self._type(part), part.get("description", "")
            for suffix, inner in self._inner(part):
                yield from self.of(inner, f"{before}{key}{suffix}.", depth + 1)

    def _inner(self, part: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The objects that a value may hold, each with how it is reached: `[]` of a list, `.*` of an object
        by names.
        """
        if "$ref" in part and _name(part) not in self._closed:
            yield "", self._defined[_name(part)]
        for choice in (*part.get("anyOf", ()), *part.get("oneOf", ())):
            yield from self._inner(choice)
        if "items" in part:
            yield from ((f"[]{suffix}", inner) for suffix, inner in self._inner(part["items"]))
        if isinstance(part.get("additionalProperties"), dict):
            yield from ((f".*{suffix}", inner) for suffix, inner in self._inner(part["additionalProperties"]))

    def _type(self, part: Mapping[str, Any]) -> str:
        """The type of a value in words: `integer`, `list of string`, `object or null`, the name of a closed
        part.
        """
        if "$ref" in part:
            return self._type_of_reference(_name(part))
        choices = (*part.get("anyOf", ()), *part.get("oneOf", ()))
        if choices:
            words = list(dict.fromkeys(self._type(choice) for choice in choices))
            return " or ".join(word for word in words if word != "integer" or "number" not in words)
        if "items" in part:
            item = self._type(part["items"])
            return f"list of ({item})" if " or " in item else f"list of {item}"
        return str(part.get("type", "any"))

    def _type_of_reference(self, name: str) -> str:
        if name in self._closed:
            return name
        return "object" if "properties" in self._defined[name] else "any"


def _name(reference: Mapping[str, str]) -> str:
    """The name of the model that a schema refers to."""
    return reference["$ref"].rpartition("/")[2]
