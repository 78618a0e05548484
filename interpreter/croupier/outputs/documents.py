"""A document of a command: made from a dict, checked by its model, as text; and the table of all schemas."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from croupier.diagnostics import JsonObject

if TYPE_CHECKING:
    from croupier.outputs.header import Header


class Published(NamedTuple):
    """A schema: where its model is, its version, and which call writes it."""

    module: str
    model: str
    version: int
    written_by: str


SCHEMAS: dict[str, Published] = {
    "ablate": Published("lab", "Ablation", 2, "croupier ablate --format json"),
    "cache": Published("findings", "Cache", 2, "croupier cache --format json"),
    "check": Published("findings", "Check", 2, "croupier check --format json"),
    "collect": Published("tables", "Collected", 1, "croupier collect --format json"),
    "compare": Published("lab", "Comparison", 2, "croupier compare --format json"),
    "coverage": Published("rules", "Coverage", 2, "croupier coverage --format json"),
    "decisions": Published(
        "tables", "Decisions", 1, "croupier collect --decisions FILE, beside the table or in it"
    ),
    "diff": Published("findings", "Diff", 2, "croupier diff --format json"),
    "error": Published(
        "findings", "Errors", 1, "every command with --format json or jsonl that gives no result, on stderr"
    ),
    "events": Published("tables", "Events", 1, "croupier collect --events FILE, beside the table or in it"),
    "explain": Published("findings", "Catalogue", 2, "croupier explain --format json"),
    "explain-move": Published("rules", "MoveExplanation", 2, "croupier explain-move --format json"),
    "hunt": Published("rules", "Hunt", 2, "croupier hunt --format json"),
    "list": Published("findings", "Listing", 2, "croupier list --format json"),
    "merge": Published("tables", "Merged", 1, "croupier merge --format json"),
    "mutate": Published("rules", "Mutation", 2, "croupier mutate --format json"),
    "replay": Published("games", "Replay", 2, "croupier replay --format json"),
    "run": Published("games", "Run", 2, "croupier run --format json"),
    "run-lines": Published("games", "RunLines", 2, "croupier run --format jsonl, as the first line"),
    "simulate": Published("simulations", "Simulation", 2, "croupier simulate --format json"),
    "skill": Published("lab", "Ladder", 2, "croupier skill --format json"),
    "sweep": Published("lab", "Sweep", 3, "croupier sweep --format json"),
    "tables": Published("findings", "StoredTables", 1, "croupier tables --format json"),
    "table": Published("tables", "Table", 1, "croupier collect --out FILE, beside the table or in it"),
    "test": Published("findings", "Scenarios", 2, "croupier test --format json"),
    "test-under": Published("findings", "Under", 1, "croupier test --under VARIANT --format json"),
}
"""The schemas by name. Version 1 is what there was without a header, with seats in names from 1."""


def model_of(name: str) -> type[Header]:
    """The model of a schema. Raises KeyError for an unknown name."""
    published = SCHEMAS[name]
    found: type[Header] = getattr(import_module(f"croupier.outputs.{published.module}"), published.model)
    return found


def head_of(name: str, version: str) -> JsonObject:
    """The head of a document: the version of the program, and the schema by its name."""
    return {"croupier": version, "schema": {"name": name, "version": SCHEMAS[name].version}}


def document_of(name: str, version: str, values: JsonObject) -> JsonObject:
    """A document by its schema, its keys in the order of the model.

    `version` is that of the program. Raises pydantic's ValidationError for values that the model does not
    allow: a mistake of croupier.
    """
    made = model_of(name).model_validate({**head_of(name, version), **values})
    document: JsonObject = made.model_dump(mode="json", by_alias=True)
    return document


def line_of(name: str, version: str, values: JsonObject) -> str:
    """A document as one line of text, in ASCII."""
    return json.dumps(document_of(name, version, values), ensure_ascii=True) + "\n"


def text_of(name: str, version: str, values: JsonObject) -> str:
    """A document as text, in ASCII."""
    return json.dumps(document_of(name, version, values), indent=2, ensure_ascii=True) + "\n"
