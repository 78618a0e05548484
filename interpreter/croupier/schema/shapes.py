"""The containers of a ruleset: groups of named things, lists, alternatives by kind of value.

Each validates the parts of a node with pydantic one by one, leaves out those that are refused and keeps the
rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Annotated, Any, TypeAlias, TypeVar, get_args

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, ErrorDetails, core_schema

from croupier.records import dataclass
from croupier.schema.findings import Dropped, Findings, findings_of, refuse
from croupier.schema.leaves import IDENTIFIER, NAME, Leaf, Text
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence

T = TypeVar("T")
Handler = Callable[[Any], object]
# an entry without its colon
_PAIR = re.compile(r"(?P<name>[^\W\d]\w*)(?:\s*(?P<sign>=)\s*|\s+)(?P<value>\S+)\Z")


def refusals(error: ValidationError) -> list[ErrorDetails]:
    """The details of an error that has been reported already; raises other errors, which are bugs of the
    models.
    """
    details = error.errors(include_url=False, include_context=False, include_input=False)
    if any(detail["type"] not in ("refused", "missing") for detail in details):
        raise RuntimeError(f"a validation error that nobody worded: {details}")
    return details


def attempt(handler: Handler, value: object) -> tuple[bool, object]:
    """Return whether pydantic accepts a value, and what it makes of it."""
    try:
        return True, handler(value)
    except ValidationError as error:
        refusals(error)
        return False, None


def _colon(node: YamlNode) -> str | None:
    """Help for a text that lacks a colon to be an entry."""
    pair = _PAIR.match(node.text) if isinstance(node, YamlScalar) and node.style == "plain" else None
    if pair is None:
        return None
    return (
        f"write `{pair['name']}: {pair['value']}`"
        if pair["sign"] is None
        else f"write `{{{pair['name']}: {pair['value']}}}`"
    )


@dataclass(frozen=True, eq=False)
class Group:
    """A mapping from names to things, in the author's order: a tuple of (name, thing).

    `section` names what is lost when an entry cannot be used; `least` is the smallest number of entries.
    """

    key: Leaf = IDENTIFIER
    section: str = ""
    least: int = 0

    def _validate(
        self, node: YamlNode, handler: Handler, info: ValidationInfo
    ) -> tuple[tuple[Text, object], ...]:
        findings = findings_of(info)
        if not isinstance(node, YamlMapping):
            if isinstance(node, YamlScalar) and node.value is None and not node.text:
                findings.refuse("D004", findings.head(node), place=findings.place(node))
            findings.wrong_kind(node, "a group of named entries", _colon(node))
        if len(node.entries) < self.least:
            findings.refuse("D004", node.span, place=findings.place(node))
        kept: list[tuple[Text, object]] = []
        for key, value in self._entries(node, findings):
            findings.enter(key, value)
            name = findings.attempt(self.key.read, key)
            fine, thing = attempt(handler, value)
            if fine and name is not None:
                kept.append((name, thing))
            else:
                findings.dropped.append(Dropped(self.section, key.text, key.span))
        return tuple(kept)

    def _entries(self, node: YamlMapping, findings: Findings) -> Iterable[tuple[YamlScalar, YamlNode]]:
        return node.entries

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        item = get_args(get_args(source)[0])[1]
        return core_schema.with_info_wrap_validator_function(self._validate, handler.generate_schema(item))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        result: JsonSchemaValue = {"type": "object", "additionalProperties": handler(schema)}
        names = {name: value for name, value in self.key.schema if name != "type"}
        if names:
            result["propertyNames"] = names
        if self.least:
            result["minProperties"] = self.least
        return result


class ClauseGroup(Group):
    """A group of which an entry may hold several by names of their own: each is an entry,
    `name: name of its own`.
    """

    def _entries(self, node: YamlMapping, findings: Findings) -> Iterable[tuple[YamlScalar, YamlNode]]:
        for key, value in node.entries:
            if not isinstance(value, YamlMapping) or not value.entries:
                yield key, value
                continue
            findings.enter(key, value)
            if findings.attempt(self.key.read, key) is not None:
                yield from (
                    (replace(inner, text=clause_name(key.text, inner.text)), clause)
                    for inner, clause in value.entries
                )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        result = super().__get_pydantic_json_schema__(schema, handler)
        one = result["additionalProperties"]
        result["additionalProperties"] = {
            "anyOf": [one, {"type": "object", "additionalProperties": one, "minProperties": 1}]
        }
        return result


def clause_name(group: str, clause: str) -> str:
    """The name of one of several conditions that stand under one name."""
    return f"{group}: {clause}"


Named: TypeAlias = Annotated[tuple[tuple[Text, T], ...], Group()]
Titled: TypeAlias = Annotated[tuple[tuple[Text, T], ...], Group(NAME, least=1)]


@dataclass(frozen=True, eq=False)
class ShapeList:
    """A list, kept as a tuple.  With `distinct`, a text that occurs twice is refused."""

    wanted: str = "a list"
    least: int = 0
    distinct: bool = False

    def _validate(self, node: YamlNode, handler: Handler, info: ValidationInfo) -> tuple[object, ...]:
        findings = findings_of(info)
        if not isinstance(node, YamlSequence):
            findings.wrong_kind(node, self.wanted)
        if len(node.items) < self.least:
            findings.refuse("D004", node.span, place=findings.place(node))
        kept: list[object] = []
        seen: dict[str, YamlNode] = {}
        for item in node.items:
            fine, thing = attempt(handler, item)
            if not fine:
                continue
            if self.distinct and isinstance(item, YamlScalar):
                if item.text in seen:
                    findings.duplicate(item, seen[item.text])
                    continue
                seen[item.text] = item
            kept.append(thing)
        if len(kept) < self.least:
            refuse()
        return tuple(kept)

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_wrap_validator_function(
            self._validate, handler.generate_schema(get_args(source)[0])
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        result: JsonSchemaValue = {"type": "array", "items": handler(schema)}
        if self.least:
            result["minItems"] = self.least
        if self.distinct:
            result["uniqueItems"] = True
        return result


Names: TypeAlias = Annotated[
    tuple[Annotated[Text, IDENTIFIER], ...], ShapeList("a list of names", least=1, distinct=True)
]


@dataclass(frozen=True, eq=False)
class ShapeChoice:
    """A choice between several shapes by looking at the node: `pick` gives the index of the union's member,
    or `None`.

    `check` may refuse a node before its shape is looked at.
    """

    pick: Callable[[YamlNode], int | None]
    wanted: str
    check: Callable[[YamlNode, Findings], None]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        members: dict[object, CoreSchema] = {
            str(index): handler.generate_schema(member) for index, member in enumerate(get_args(source))
        }
        inner = core_schema.tagged_union_schema(members, lambda node: str(self.pick(node)))
        return core_schema.with_info_wrap_validator_function(self._validate, inner)

    def _validate(self, node: YamlNode, handler: Handler, info: ValidationInfo) -> Any:
        if self.pick(node) is None:
            findings_of(info).wrong_kind(node, self.wanted)
        self.check(node, findings_of(info))
        return handler(node)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"anyOf": handler(schema)["oneOf"]}


@dataclass(frozen=True, eq=False)
class Shape:
    """A shape with a reader of its own: `read(node, findings)` gives the value or refuses; `schema` is its
    JSON Schema.
    """

    read: Callable[[YamlNode, Any], Any]
    schema: Callable[[], JsonSchemaValue]

    def _validate(self, node: YamlNode, info: ValidationInfo) -> Any:
        return self.read(node, findings_of(info))

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._validate)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return self.schema()


def keyed_texts(key: Leaf, text: Leaf, least: int = 0) -> Shape:
    """One text, kept under `None`, or texts by key, of which there are `least` or more."""

    def read(node: YamlNode, findings: Findings) -> tuple[tuple[Text | None, Text], ...]:
        if not isinstance(node, YamlMapping):
            return ((None, text.read(node, findings)),)
        if len(node.entries) < least:
            findings.refuse("D004", node.span, place=findings.place(node))
        pairs = []
        for name, value in node.entries:
            findings.enter(name, value)
            known, written = findings.attempt(key.read, name), findings.attempt(text.read, value)
            if known is not None and written is not None:
                pairs.append((known, written))
        return tuple(pairs)

    def schema() -> JsonSchemaValue:
        group: JsonSchemaValue = {"type": "object", "additionalProperties": dict(text.schema)}
        return {"anyOf": [dict(text.schema), group if not least else {**group, "minProperties": least}]}

    return Shape(read, schema)


KeyedTexts: TypeAlias = tuple[tuple[Text | None, Text], ...]


Located: TypeAlias = Annotated[YamlNode, Shape(lambda node, _: node, dict)]
