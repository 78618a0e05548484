"""The located tree: what a YAML file says, and where.

Nodes are plain values.  Positions are exact for scalars; a list or mapping lasts from its first sign to the end of its last
part.  `Scalar.value` follows the core schema of YAML 1.2 with whole numbers only: `true` and `false` are truth values,
`null`, `~` and nothing at all are None, and `yes`, `no`, `on` and `off` are words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from croupier.diagnostics import Diagnostic, Fix, RulesetError, Span, diagnose
from croupier.source import ruletext
from croupier.source.ruletext import RuleText

Style = Literal["plain", "literal", "folded", "single", "double"]
_NOT_SIMPLE = re.compile(r"[^\w .?+*-]")


@dataclass(frozen=True)
class Node:
    """A part of a YAML document."""

    span: Span


@dataclass(frozen=True)
class Scalar(Node):
    """A piece of text.  `value` is what YAML takes it for; `in_flow` tells whether it stands between brackets or braces."""

    text: str
    style: Style
    value: None | bool | int | str
    in_flow: bool

    def rule_problem(self) -> Diagnostic | None:
        """Why this cannot be rule text, or None: quotes, folding and several plain lines would make positions wrong."""
        if self.style in ("single", "double"):
            fix = None
            inner = self.span.text[1:-1]
            if inner == self.text and re.fullmatch(r"[A-Za-z][\w ().,+*=<>/-]*", inner) and not (self.in_flow and _NOT_SIMPLE.search(inner)):
                fix = Fix(self.span, inner, "remove the quotes")
            return diagnose("Y310", self.span, fix=fix)
        if self.style == "folded":
            sign = Span(self.span.source, self.span.start, self.span.start + 1)
            return diagnose("Y311", sign, fix=Fix(sign, "|", "make it a literal block", safe=False))
        if self.style == "plain" and self.span.text != self.text:
            return diagnose("Y312", self.span)
        if self.in_flow:
            wrong = _NOT_SIMPLE.search(self.text)
            if wrong:
                at = self.span.start + wrong.start()
                return diagnose("Y313", Span(self.span.source, at, at + 1), character=wrong.group())
        return None

    def rule_text(self) -> RuleText:
        """The text as rule text.  Raises RulesetError with `rule_problem()` where it cannot be."""
        problem = self.rule_problem()
        if problem is not None:
            raise RulesetError([problem])
        if self.style == "literal":
            return ruletext.literal(self.span.source, self.span.start, self.text)
        return ruletext.plain(self.span.source, self.span.start, self.text)


@dataclass(frozen=True)
class Sequence(Node):
    """A list; `flow` tells whether it is written between brackets."""

    items: tuple[Node, ...]
    flow: bool


@dataclass(frozen=True)
class Mapping(Node):
    """A mapping in the order of the file; `flow` tells whether it is written between braces.  No two keys have the same text."""

    entries: tuple[tuple[Scalar, Node], ...]
    flow: bool

    def get(self, name: str) -> Node | None:
        """The value of the key with this text, or None."""
        return next((value for key, value in self.entries if key.text == name), None)

    def key(self, name: str) -> Scalar | None:
        """The key with this text, or None."""
        return next((key for key, _ in self.entries if key.text == name), None)
