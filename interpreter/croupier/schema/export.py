"""The JSON Schema of rulesets and variants (draft 7, which editors read), made from the models.

It accepts more than `parse`, because JSON Schema cannot express quotes, blocks and positions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema

from croupier.diagnostics import JsonObject
from croupier.schema.declaration import Declaration, describe_key
from croupier.schema.document import ModuleDoc, RulesetDoc, VariantDoc

DRAFT = "http://json-schema.org/draft-07/schema#"
REFERENCE = "#/definitions/{model}"
# the name under which an editor inserts all required keys at once
TITLES = {"RulesetDoc": "a whole ruleset", "VariantDoc": "a whole variant", "ModuleDoc": "a whole module"}


def json_schema() -> JsonObject:
    """The whole schema: a file with the key `extends` is a variant, one with `module` a module, any other a
    ruleset.
    """
    made = definitions_of((RulesetDoc, VariantDoc, ModuleDoc), describe_key)
    otherwise = {
        "if": {"required": ["module"]},
        "then": {"$ref": REFERENCE.format(model="ModuleDoc")},
        "else": {"$ref": REFERENCE.format(model="RulesetDoc")},
    }
    return {
        "$schema": DRAFT,
        "title": "croupier ruleset",
        "description": "a ruleset for croupier, a variant of one, or a module",
        "type": "object",
        "if": {"required": ["extends"]},
        "then": {"$ref": REFERENCE.format(model="VariantDoc")},
        "else": otherwise,
        "definitions": {
            name: {**schema, "title": TITLES[name]} if name in TITLES else schema
            for name, schema in made.items()
        },
    }


def definitions_of(
    models: Sequence[type[Declaration]], describe: Callable[[str, str], str]
) -> dict[str, Any]:
    """The schemas of some models and of everything in them, by name; `describe` gives the line for a key of a
    model.
    """
    mode: JsonSchemaMode = "validation"
    wanted: list[tuple[type[Declaration], JsonSchemaMode]] = [(model, mode) for model in models]
    _, made = models_json_schema(wanted, ref_template=REFERENCE, schema_generator=GenerateJsonSchema)
    by_name = {model.__name__: model for model in _models(Declaration)}
    return {
        name: _definition(by_name[name], _plain(schema), describe)
        for name, schema in sorted(made["$defs"].items())
    }


def schema_text() -> str:
    """The schema as it stands in `grammar/ruleset.schema.json`."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def _models(model: type[Declaration]) -> list[type[Declaration]]:
    return [sub for child in model.__subclasses__() for sub in (child, *_models(child))]


def _plain(schema: object) -> Any:
    """The schema without pydantic's titles and defaults; a field that need not be there cannot be null
    either.
    """
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "properties" in schema:
        properties = {key: _plain(value) for key, value in schema["properties"].items()}
        return {
            **_plain({key: value for key, value in schema.items() if key not in ("properties", "required")}),
            "properties": properties,
        }
    kept = {key: _plain(value) for key, value in schema.items() if key not in ("title", "default")}
    choices = kept.get("anyOf")
    if choices is not None:
        choices = [choice for choice in choices if choice != {"type": "null"}]
        if len(choices) == 1:
            return {**{key: value for key, value in kept.items() if key != "anyOf"}, **choices[0]}
        kept["anyOf"] = choices
    return dict(sorted(kept.items()))


def _definition(
    model: type[Declaration], schema: JsonObject, describe: Callable[[str, str], str]
) -> JsonObject:
    """The schema of a model with a line for each key, with what `parse` requires, and with the short form as
    an alternative.
    """
    properties: JsonObject = schema["properties"]
    short = properties.get(model.SHORT) if model.SHORT is not None else None
    if model.SHORT is not None and model.HIDDEN:
        del properties[model.SHORT]
    schema["properties"] = {
        key: _described(properties[key], describe(model.__name__, key)) for key in model.keys()
    }
    schema["description"] = " ".join((model.__doc__ or "").split("\n\n")[0].split())
    required = sorted(model.required(), key=model.keys().index)
    if required:
        schema["required"] = required
    return schema if short is None else {"anyOf": [short, schema]}


def _described(schema: dict[str, object], line: str) -> dict[str, object]:
    """With a description; a reference is wrapped, because draft 7 ignores what stands beside one."""
    return {"description": line, "allOf": [schema]} if "$ref" in schema else {"description": line, **schema}
