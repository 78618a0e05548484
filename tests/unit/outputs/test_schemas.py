"""The keys of schemas with their types and meanings, and what a document refuses."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from croupier.outputs.documents import document_of, line_of, text_of
from croupier.outputs.schemas import keys_of, part_keys, schema_of, summary_of

CACHE: dict[str, Any] = {"folder": None, "kept": {"native": {"entries": 1, "bytes": 2}}}


@pytest.mark.parametrize(
    ("name", "key", "kind"),
    [
        ("simulate", "seats[].wins", "integer"),
        ("simulate", "seats[].scores.mean", "number"),
        ("simulate", "bots", "list of string"),
        ("simulate", "decisions", "object or null"),
        ("cache", "kept.*.bytes", "integer"),
        ("sweep", "points[].values", "object"),
        ("run", "actions[].seat", "integer"),
        ("error", "usage.option", "string or null"),
        ("list", "rulesets[].parameters[].default", "any"),
    ],
)
def test_a_key_has_a_type(name: str, key: str, kind: str) -> None:
    assert (key, kind) in [(found, type) for found, type, _ in keys_of(name)]


def test_the_keys_of_a_closed_part_are_left_out() -> None:
    keys = {key: kind for key, kind, _ in keys_of("compare", ["Estimate", "Side"])}
    assert (
        keys["lines[].difference"] == "Estimate"
        and keys["a"] == "Side"
        and not any(key.startswith("a.") for key in keys)
    )
    assert [key for key, *_ in part_keys("compare", "Estimate")] == [
        "value",
        "interval",
        "n",
        "method",
        "confidence",
    ]


def test_a_schema_knows_its_name_and_version() -> None:
    found = schema_of("cache")["$defs"]["SchemaName"]["properties"]
    assert (found["name"]["const"], found["version"]["const"]) == ("cache", 2) and summary_of(
        "cache"
    ).endswith("`croupier cache`.")


def test_a_document_has_its_header_first_and_is_ascii() -> None:
    made = document_of("cache", "1.2", {**CACHE, "folder": "/é"})
    assert list(made) == ["croupier", "schema", "folder", "kept"] and made["schema"] == {
        "name": "cache",
        "version": 2,
    }
    assert (
        text_of("cache", "1.2", {**CACHE, "folder": "/é"}).isascii()
        and line_of("cache", "1.2", CACHE).count("\n") == 1
    )


@pytest.mark.parametrize(
    "change", [{"other": 1}, {"kept": {"native": {"entries": -1, "bytes": 2}}}, {"folder": 3}]
)
def test_a_document_that_does_not_fit_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        document_of("cache", "1.2", {**CACHE, **change})
