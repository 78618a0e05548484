"""The leaves of a ruleset: texts with a span, and the kinds of text.

A kind is a `Leaf`: its name in messages, what it accepts, its JSON Schema.  It annotates a field
(`rows: Annotated[Text, EXPRESSION]`) and serves custom shapes by its method `read`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from croupier.diagnostics import Fix, Span, did_you_mean
from croupier.limits import MAX_LABEL, MAX_NAME
from croupier.records import dataclass
from croupier.schema.findings import Findings, findings_of, first_line, refuse, type_of
from croupier.source import RuleText, YamlMapping, YamlNode, YamlScalar, YamlSequence

IDENTIFIER_PATTERN = re.compile(r"[^\W\d]\w*\Z")
SIMPLE_DECLARATION = re.compile(r"[\w.? +*=-]*\Z")
# `\\w` is ASCII in the dialect of JSON Schema
PATTERN_FOR_EDITORS = "^[A-Za-z_\u00c0-\u024f][0-9A-Za-z_\u00c0-\u024f]*$"


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar of the author's file, with its span."""

    node: YamlScalar

    @property
    def text(self) -> str:
        """The characters, without quotes; the lines of a block without their common indentation."""
        return self.node.text

    @property
    def span(self) -> Span:
        """The span in the author's file."""
        return self.node.span

    @property
    def value(self) -> None | bool | int | str:
        """The value that YAML 1.2's core schema gives the text."""
        return self.node.value

    @property
    def style(self) -> str:
        """ "plain", "literal", "folded", "single" or "double"."""
        return self.node.style

    @property
    def in_flow(self) -> bool:
        """True if it stands between brackets or braces."""
        return self.node.in_flow

    @property
    def rule(self) -> RuleText:
        """The text for the parser of the rule language, with its offsets mapped to the author's file."""
        return self.node.rule_text()

    @property
    def template(self) -> RuleText:
        """A template (`label`, `says`) with its offsets mapped to the author's file, quotes left out."""
        return self.node.template_text()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False)
class Leaf:
    """A kind of text.

    `wanted` names it in messages; `check` reports and refuses; `schema` is its JSON Schema.
    """

    wanted: str
    check: Callable[[YamlScalar, Findings], None]
    schema: tuple[tuple[str, object], ...]

    def help(self, node: YamlNode) -> str | None:
        """Help for a node that is no text; `None` if there is none."""
        words = (
            [item.text for item in node.items if isinstance(item, YamlScalar)]
            if isinstance(node, YamlSequence)
            else []
        )
        if self.wanted != TYPE.wanted or not words:
            return None
        values = ", ".join([*words[:3], *(["…"] if len(words) > 3 else [])])
        return (
            f"a type of one's own is declared once, under `types:` as `Name: [{values}]`; write its name here"
        )

    def read(self, node: YamlNode, findings: Findings) -> Text:
        """The node as a text of this kind, or a refusal."""
        if not isinstance(node, YamlScalar):
            findings.wrong_kind(node, self.wanted, self.help(node))
        findings.leaves[node.span.start] = self
        self.check(node, findings)
        return Text(node)

    def _validate(self, node: YamlNode, info: ValidationInfo) -> Text:
        return self.read(node, findings_of(info))

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self._validate)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return dict(self.schema)


# ---------------------------------------------------------------- names and words
def _without_spaces(text: str) -> str | None:
    """The help for a name that would be right but for its spaces; `None` for any other."""
    joined = "_".join(text.split())
    if joined == text or not IDENTIFIER_PATTERN.match(joined):
        return None
    return (
        f"rule text uses this name, and a space would end it there: write `{joined}`; only titles, as of "
        f"phases, may hold spaces"
    )


def _identifier(node: YamlScalar, findings: Findings) -> None:
    if not isinstance(node.value, str):
        help = (
            "no name can be `true` or `false`; for a switch there is the type `bool`"
            if isinstance(node.value, bool)
            else None
        )
        findings.wrong_kind(node, "a name", help)
    text = node.text
    if not IDENTIFIER_PATTERN.match(text):
        findings.refuse("D101", first_line(node), help=_without_spaces(text), name=text)
    if len(text) > MAX_NAME:
        findings.refuse("D103", first_line(node), name=text, length=len(text), limit=MAX_NAME)
    if not text.isascii():
        plain = unicodedata.normalize("NFKC", text)
        if plain != text or any(
            not c.isascii() and not unicodedata.name(c, "").startswith("LATIN ") for c in text
        ):
            findings.refuse("D102", first_line(node), name=text)


def _title(node: YamlScalar, findings: Findings) -> None:
    _prose(node, findings)
    if "\n" in node.text.strip("\n") or "\r" in node.text:
        findings.refuse("D107", first_line(node), what="a name")
    if len(node.text) > MAX_LABEL:
        findings.refuse("D103", first_line(node), name=node.text, length=len(node.text), limit=MAX_LABEL)


def _name(node: YamlScalar, findings: Findings) -> None:
    _title(node, findings)
    if len(node.text) > MAX_NAME:
        findings.refuse("D103", first_line(node), name=node.text, length=len(node.text), limit=MAX_NAME)


def _prose(node: YamlScalar, findings: Findings) -> None:
    if node.value is None:
        findings.wrong_kind(node, "a text")
    if not node.text.strip():
        findings.refuse("D106", node.span, place=findings.place(node))


def word(*options: str) -> Leaf:
    """One of some words."""

    def check(node: YamlScalar, findings: Findings) -> None:
        if node.text in options and node.value is not None:
            return
        nearest = did_you_mean(node.text, options)
        listed = ", ".join(f"`{option}`" for option in options)
        findings.refuse(
            "D104",
            first_line(node),
            help=f"did you mean `{nearest}`? The choices are {listed}"
            if nearest
            else f"the choices are {listed}",
            fix=Fix(node.span, nearest, f"write `{nearest}`", safe=False) if nearest else None,
            place=findings.place(node),
            word=node.text,
        )

    return Leaf(
        "one of the words " + ", ".join(f"`{option}`" for option in options),
        check,
        (("enum", list(options)),),
    )


# ---------------------------------------------------------------- numbers and switches
def whole_number(least: int, most: int) -> Leaf:
    """A whole number between two bounds, both included."""

    def check(node: YamlScalar, findings: Findings) -> None:
        if not isinstance(node.value, int) or isinstance(node.value, bool):
            findings.wrong_kind(node, "a whole number")
        if not least <= node.value <= most:
            findings.refuse(
                "D105", node.span, place=findings.place(node), number=node.text, least=least, most=most
            )

    return Leaf("a whole number", check, (("type", "integer"), ("minimum", least), ("maximum", most)))


def _switch(node: YamlScalar, findings: Findings) -> None:
    if not isinstance(node.value, bool):
        hint = {"on": "true", "yes": "true", "off": "false", "no": "false"}.get(node.text.lower())
        findings.wrong_kind(node, "`true` or `false`", f"write `{hint}`" if hint else None)


# ---------------------------------------------------------------- rule text
def rule_text(wanted: str, *, lines: bool, short: bool = True) -> Leaf:
    """Text of the rule language.

    Without `lines` it is one line (a block of one line too); `short`: it can be a number or a switch.
    """

    def check(node: YamlScalar, findings: Findings) -> None:
        if node.value is None:
            findings.wrong_kind(node, wanted)
        problem = node.rule_problem()
        if problem is not None:
            findings.report(problem)
            refuse()
        if not node.text.strip():
            findings.refuse("D106", first_line(node), place=findings.place(node))
        if not lines and "\n" in node.text.strip("\n"):
            findings.refuse("D107", first_line(node), what=wanted)

    return Leaf(wanted, check, (("type", ["string", "integer", "boolean"] if short else "string"),))


class _Declared(Leaf):
    """A type with a start value: between braces it may hold the sign `=` too (`{face: 1..6 = 1}`)."""

    def read(self, node: YamlNode, findings: Findings) -> Text:
        if isinstance(node, YamlScalar) and node.in_flow and SIMPLE_DECLARATION.match(node.text):
            key = findings.key(node)
            node = replace(node, in_flow=False)
            if key is not None:
                findings.enter(key, node)
        return Leaf.read(self, node, findings)

    def help(self, node: YamlNode) -> str | None:
        """Say what to write in place of a list or of keys."""
        return f"write its type and its start value in one text: `{_declaration_of(node)}`"


class _DeclaredAttribute(_Declared):
    """The same for an attribute: a number or a switch alone is no type."""

    def read(self, node: YamlNode, findings: Findings) -> Text:
        if isinstance(node, YamlScalar) and isinstance(node.value, int):  # a switch, too
            findings.wrong_kind(node, self.wanted, self.help(node))
        return _Declared.read(self, node, findings)


def _declaration_of(node: YamlNode) -> str:
    """The type and start value that a list, a group of keys, a number or a switch may mean; an example where
    it may mean anything.
    """
    if isinstance(node, YamlMapping):
        kind = node.get("type")
        start = node.get("start") or node.get("default")
        written = [x.text for x in (kind, start) if isinstance(x, YamlScalar)]
        return " = ".join(written) if isinstance(kind, YamlScalar) else "1..6 = 1"
    if isinstance(node, YamlSequence):
        items = [item for item in node.items if isinstance(item, YamlScalar)]
        numbers = [item.value for item in items if type(item.value) is int]
        if len(numbers) > 1 and len(numbers) == len(node.items):
            return f"{min(numbers)}..{max(numbers)} = {numbers[0]}"
        return items[0].text if len(items) == len(node.items) == 1 else "1..6 = 1"
    kind_of_value = type_of(node)
    return "1..6 = 1" if kind_of_value is None else f"{kind_of_value} = {node.span.text}"


class _Classes(Leaf):
    """A class of components, or several with `or` between them; the help for a list says so."""

    def read(self, node: YamlNode, findings: Findings) -> Text:
        if (
            isinstance(node, YamlSequence)
            and node.items
            and all(isinstance(item, YamlScalar) for item in node.items)
        ):
            findings.wrong_kind(
                node, self.wanted, f"write `{' or '.join(item.span.text for item in node.items)}`"
            )
        return Leaf.read(self, node, findings)


def _label(node: YamlScalar, findings: Findings) -> None:
    """A template, or the empty text in quotes, for a change that logs leave out."""
    if node.text or node.style == "plain":
        _template(node, findings)


def _template(node: YamlScalar, findings: Findings) -> None:
    _prose(node, findings)
    if node.style in ("literal", "folded") or "\n" in node.span.text or "\r" in node.span.text:
        findings.refuse("D107", first_line(node), what="a template")
    if node.style in ("single", "double") and not node.is_verbatim:
        findings.refuse("D110", first_line(node))
    if len(node.text) > MAX_LABEL:
        findings.refuse("D103", first_line(node), name=node.text, length=len(node.text), limit=MAX_LABEL)


def _file(node: YamlScalar, findings: Findings) -> None:
    if not isinstance(node.value, str) or "\n" in node.text:
        findings.wrong_kind(node, "the name of a file")
    if not node.text.strip():
        findings.refuse("D106", node.span, place=findings.place(node))


_STRING = (("type", "string"),)
IDENTIFIER = Leaf(
    "a name", _identifier, (("type", "string"), ("pattern", PATTERN_FOR_EDITORS), ("maxLength", MAX_NAME))
)
NAME = Leaf("a name", _name, (("type", ["string", "integer"]), ("maxLength", MAX_NAME)))
TITLE = Leaf("one line of text", _title, (("type", ["string", "integer"]),))
PROSE = Leaf("a text", _prose, (("type", ["string", "integer"]),))
SWITCH = Leaf("`true` or `false`", _switch, (("type", "boolean"),))
TYPE = rule_text("a type", lines=False)
CLASSES = _Classes(TYPE.wanted, TYPE.check, TYPE.schema)
_declaration = rule_text("a type and a start value", lines=False)
DECLARATION = _Declared(_declaration.wanted, _declaration.check, _declaration.schema)
ATTRIBUTE = _DeclaredAttribute(_declaration.wanted, _declaration.check, _declaration.schema)
EXPRESSION = rule_text("an expression", lines=False)
AUDIENCE = rule_text("an audience", lines=False)
LONG_EXPRESSION = rule_text("an expression", lines=True)
RULES = rule_text("rule text", lines=True, short=False)
TEMPLATE = Leaf("a template", _template, (("type", ["string", "integer"]),))
LABEL = Leaf("a template", _label, (("type", ["string", "integer"]),))
FILE = Leaf("the name of a file", _file, _STRING)

Identifier = Annotated[Text, IDENTIFIER]
Title = Annotated[Text, TITLE]
Prose = Annotated[Text, PROSE]
Switch = Annotated[Text, SWITCH]
TypeText = Annotated[Text, TYPE]
ClassesText = Annotated[Text, CLASSES]
DeclarationText = Annotated[Text, DECLARATION]
AttributeText = Annotated[Text, ATTRIBUTE]
Expression = Annotated[Text, EXPRESSION]
LongExpression = Annotated[Text, LONG_EXPRESSION]
Rules = Annotated[Text, RULES]
Template = Annotated[Text, TEMPLATE]
LabelText = Annotated[Text, LABEL]
FileName = Annotated[Text, FILE]
