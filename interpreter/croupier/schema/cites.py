"""Citations of a declaration: `cites: [WB-1, WB-4..6]` or `cites: WB-1, WB-4..6`, and `WB-34,35` for `WB-34, WB-35`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Annotated, TypeAlias

from pydantic.json_schema import JsonSchemaValue

from croupier.diagnostics import Span
from croupier.schema.findings import Findings
from croupier.schema.leaves import Text
from croupier.schema.shapes import Shape
from croupier.source import Node, Scalar, Sequence

NUMBER = r"[A-Z]*[0-9]+[a-z]?"
ONE = rf"[A-Z]{{1,8}}-{NUMBER}(?:\.\.(?:[A-Z]{{1,8}}-)?{NUMBER})?"
MANY = rf"{ONE}(?:\s*,\s*(?:{ONE}|{NUMBER}(?:\.\.{NUMBER})?))*"
_PART = re.compile(r"[^,]+")


def read_cites(node: Node, findings: Findings) -> tuple[Text, ...]:
    """Each cited id or range of ids as a text at its own place; a number without a prefix takes the prefix before it."""
    items = node.items if isinstance(node, Sequence) else (node,)
    cites: list[Text] = []
    for item in items:
        if not isinstance(item, Scalar):
            findings.wrong_kind(item, "a list of rule ids")
        cites += _split(item, findings)
    return tuple(cites)


def _split(node: Scalar, findings: Findings) -> list[Text]:
    raw = node.span.text
    inner = raw[1:-1] if node.style in ("single", "double") else raw
    if node.style in ("literal", "folded") or inner != node.text or not re.fullmatch(MANY, inner):
        findings.add("D109", node.span, text=node.text)
        return []
    base = node.span.start + (1 if inner != raw else 0)
    prefix, cites = "", []
    for match in _PART.finditer(inner):
        text = match.group().strip()
        start = base + match.start() + len(match.group()) - len(match.group().lstrip())
        if "-" in text:
            prefix = text[: text.index("-") + 1]
        else:
            text = prefix + text
        span = Span(node.span.source, start, base + match.end() - len(match.group()) + len(match.group().rstrip()))
        cites.append(Text(replace(node, span=span, text=text, style="plain", value=text)))
    return cites


def _schema() -> JsonSchemaValue:
    one = {"type": "string", "pattern": f"^{MANY}$"}
    return {"anyOf": [one, {"type": "array", "items": one}]}


Cites: TypeAlias = Annotated[tuple[Text, ...], Shape(read_cites, _schema)]
