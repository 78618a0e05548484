"""The nodes of a YAML file with their spans, and how they are read.

Nodes are plain values. Positions are exact for scalars; a list or mapping lasts from its first sign to the
end of its last part. `Scalar.value` follows the core schema of YAML 1.2 with whole numbers of 64 bits only:
`true` and `false` are truth values, `null`, `~` and nothing at all are `None`, and `yes`, `no`, `on` and
`off` are words.

The policy (`yaml_policy.py`) comes first, so nesting is at most 64 and recursion is safe.  Mistakes that
leave the rest readable are collected: keys that come twice, keys that are no names, fractions, numbers beyond
64 bits, merge keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from ruamel.yaml.events import (
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from croupier.diagnostics import Diagnostic, Fix, Label, RulesetError, Source, Span, diagnose
from croupier.records import dataclass
from croupier.source import ruletext
from croupier.source.lookalikes import DASHES
from croupier.source.ruletext import RuleText
from croupier.source.yaml_errors import missing_space
from croupier.source.yaml_policy import left_blocks, missing_block_signs, parse_events
from croupier.source.yaml_trials import signs_in_key, typography

# ---------------------------------------------------------------- nodes
Style = Literal["plain", "literal", "folded", "single", "double"]
_NOT_SIMPLE = re.compile(r"[^\w .?+*-]")


@dataclass(frozen=True)
class YamlNode:
    """A part of a YAML document."""

    span: Span


@dataclass(frozen=True)
class YamlScalar(YamlNode):
    """A text.

    `value` is what YAML takes it for; `in_flow` tells whether it stands between brackets or braces.
    """

    text: str
    style: Style
    value: None | bool | int | str
    in_flow: bool

    @property
    def is_open_prose(self) -> bool:
        """True for several words between braces without quotes, so that a comma behind them may be meant as a
        part of them.
        """
        return self.in_flow and self.style == "plain" and " " in self.text.strip()

    def comma_advice(self) -> str:
        """Of a key: what to do about a comma in its text between braces."""
        return f"between braces a comma ends a text, so put the whole text of `{self.text}` in quotes"

    def rule_problem(self) -> Diagnostic | None:
        """The reason why this cannot be rule text, or `None`: quotes, folding and several plain lines would
        make positions wrong.
        """
        if self.style in ("single", "double"):
            fix = None
            inner = self.span.text[1:-1]
            if (
                inner == self.text
                and re.fullmatch(r"[A-Za-z][\w ().,+*=<>/-]*", inner)
                and not (self.in_flow and _NOT_SIMPLE.search(inner))
            ):
                fix = Fix(self.span, inner, "remove the quotes")
            return diagnose("Y310", self.span, fix=fix)
        if self.style == "folded":
            sign = Span(self.span.source, self.span.start, self.span.start + 1)
            return diagnose("Y311", sign, fix=Fix(sign, "|", "write `|`", safe=False))
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

    def template_text(self) -> RuleText:
        """The text as a template, quotes left out."""
        return ruletext.plain(
            self.span.source, self.span.start + (self.style in ("single", "double")), self.text
        )

    @property
    def is_verbatim(self) -> bool:
        """True if a quoted text equals the characters between its quotes, without escapes."""
        return self.span.text[1:-1] == self.text


@dataclass(frozen=True)
class YamlSequence(YamlNode):
    """A list; `flow` tells whether it is written between brackets."""

    items: tuple[YamlNode, ...]
    flow: bool


@dataclass(frozen=True)
class YamlMapping(YamlNode):
    """A mapping in the order of the file; `flow` tells whether it is written between braces.

    No two keys have the same text.
    """

    entries: tuple[tuple[YamlScalar, YamlNode], ...]
    flow: bool

    def get(self, name: str) -> YamlNode | None:
        """The value of the key with this text, or `None`."""
        return next((value for key, value in self.entries if key.text == name), None)

    def key(self, name: str) -> YamlScalar | None:
        """The key with this text, or `None`."""
        return next((key for key, _ in self.entries if key.text == name), None)


# ---------------------------------------------------------------- plain scalars
_WORDS: dict[str, None | bool] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_DECIMAL = re.compile(r"[-+]?[0-9]+\Z", re.ASCII)
_OCTAL = re.compile(r"0o[0-7]+\Z", re.ASCII)
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+\Z", re.ASCII)
_KEY_AND_BRACKET = re.compile(r"(?P<name>\w+)[ ]+(?P<bracket>[{\[])[^}\]]*\Z")
_WORD_AND_VALUE = re.compile(r"(?P<name>[A-Za-z_]\w*)[ ]+(?P<value>[^\s:].*)\Z")
_TIGHT_DASH = re.compile(r"-[\w\[{\"'](?<!-[0-9])")
_FRACTION = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z|[-+]?\.(inf|Inf|INF)\Z|\.(nan|NaN|NAN)\Z",
    re.ASCII,
)
_WHOLE = re.compile(r"([-+]?[0-9]+)\.0*\Z", re.ASCII)
_MAX_DIGITS = 30  # more than any number of 64 bits has, in each of the three bases


def as_json(node: YamlNode) -> object:
    """Return a node as a JSON value: a scalar by its value, one in quotes by its text."""
    match node:
        case YamlScalar():
            return node.value if node.style == "plain" else node.text
        case YamlMapping():
            return {key.text: as_json(value) for key, value in node.entries}
        case YamlSequence():
            return [as_json(item) for item in node.items]
    return None


def parse_plain_scalar(text: str, span: Span) -> tuple[None | bool | int | str, Diagnostic | None]:
    """The value of a plain scalar, and a diagnostic where it is a fraction or a number of more than 64 bits
    (then the text).
    """
    if text in _WORDS:
        return _WORDS[text], None
    for pattern, base, skip in ((_DECIMAL, 10, 0), (_OCTAL, 8, 2), (_HEXADECIMAL, 16, 2)):
        if pattern.match(text):
            digits = text[skip:].lstrip("+-").lstrip("0") or "0"
            if len(digits) > _MAX_DIGITS:
                return text, diagnose("Y305", span)
            number = -int(digits, base) if text[0] == "-" else int(digits, base)
            return (number, None) if -(2**63) <= number < 2**63 else (text, diagnose("Y305", span))
    if _FRACTION.match(text):
        # no other fix: whether the author meant a number or a text is not known here
        whole = _WHOLE.match(text)
        return text, diagnose(
            "Y304",
            span,
            text=text,
            fix=Fix(span, whole[1], f"write `{whole[1]}`", safe=False) if whole is not None else None,
        )
    return text, None


# ---------------------------------------------------------------- from events to the tree
_STYLES: dict[str | None, Style] = {
    None: "plain",
    "": "plain",
    "|": "literal",
    ">": "folded",
    "'": "single",
    '"': "double",
}
_COLON = re.compile(r"\s*:")
_KINDS = {YamlSequence: "a list", YamlMapping: "a mapping"}


class YamlTreeBuilder:
    """Builds one tree; `diagnostics` holds what was wrong with it."""

    def __init__(self, source: Source, events: Iterator[Event]) -> None:
        self.source = source
        self.events = events
        self.diagnostics: list[Diagnostic] = []

    def build(self) -> YamlNode:
        """The tree of the events. There must be at least one."""
        return self._node(next(self.events), False)

    def _node(self, event: Event, in_flow: bool) -> YamlNode:
        if isinstance(event, MappingStartEvent):
            return self._mapping(event)
        if isinstance(event, SequenceStartEvent):
            return self._sequence(event)
        if isinstance(event, ScalarEvent):
            return self._scalar(event, in_flow)
        # an alias, refused already
        return YamlScalar(
            Span(self.source, event.start_mark.index, event.end_mark.index), "", "plain", None, in_flow
        )

    def _scalar(self, event: ScalarEvent, in_flow: bool) -> YamlScalar:
        style = _STYLES[event.style]
        start, end = event.start_mark.index, event.end_mark.index
        if style in ("literal", "folded"):
            end = start + len(self.source.text[start:end].rstrip())
        span = Span(self.source, start, end)
        text: str = event.value
        if style != "plain":
            return YamlScalar(span, text, style, text, in_flow)
        dash = _TIGHT_DASH.match(text)
        if (
            dash
            and not self.source.text[self.source.line_start(self.source.position(start)[0]) : start].strip()
        ):
            # it goes on with the lines below that begin in the same way
            written = self.source.text[start:end]
            fix = Fix(span, re.sub(r"(?m)^(\s*-)(?=\S)", r"\1 ", written), "add the space", safe=False)
            self.diagnostics.append(diagnose("Y025", Span(self.source, start, start + 1), fix=fix))
        if span.text == text or text[:1] in DASHES:
            self.diagnostics += typography(self.source, start, text)
        value, problem = parse_plain_scalar(text, span)
        if problem is not None:
            self.diagnostics.append(problem)
        return YamlScalar(span, text, style, value, in_flow)

    def _sequence(self, start: SequenceStartEvent) -> YamlSequence:
        flow = bool(start.flow_style)
        items: list[YamlNode] = []
        while not isinstance(event := next(self.events), SequenceEndEvent):
            items.append(self._node(event, flow))
        return YamlSequence(self._span(start, event, items), tuple(items), flow)

    def _divided(
        self, key: YamlScalar, colon: int, seen: dict[str, YamlScalar]
    ) -> list[tuple[YamlScalar, YamlNode]]:
        """The entry that was meant by a key without a space behind its colon; nothing if a half of it is
        empty or its key stands there already.
        """
        name, behind = Span(self.source, key.span.start, colon), Span(self.source, colon + 1, key.span.end)
        if not name.text or not behind.text or name.text in seen:
            return []
        value, _ = parse_plain_scalar(behind.text, behind)
        meant = YamlScalar(name, name.text, "plain", name.text, key.in_flow)
        seen[name.text] = meant
        return [(meant, YamlScalar(behind, behind.text, "plain", value, key.in_flow))]

    def _mapping(self, start: MappingStartEvent) -> YamlMapping:
        flow = bool(start.flow_style)
        entries: list[tuple[YamlScalar, YamlNode]] = []
        parts: list[YamlNode] = []
        seen: dict[str, YamlScalar] = {}
        while not isinstance(event := next(self.events), MappingEndEvent):
            key = self._node(event, flow)
            value = self._behind(key, self._node(next(self.events), flow))
            parts += (key, value)
            if not isinstance(key, YamlScalar) or key.style in ("literal", "folded"):
                self.diagnostics.append(
                    diagnose("Y302", key.span, kind=_KINDS.get(type(key), "a block of text"))
                )
            elif (
                key.style == "plain"
                and flow
                and ":" in key.text
                and value.span.start == value.span.end == key.span.end
            ):
                colon = key.span.start + key.text.index(":")
                self.diagnostics.append(missing_space(Span(self.source, colon, colon + 1)))
                entries += self._divided(key, colon, seen)
            elif key.style == "plain" and not flow and (bracket := _KEY_AND_BRACKET.match(key.text)):
                name = Span(self.source, key.span.start, key.span.start + bracket.end("name"))
                fix = Fix(Span(self.source, name.end, name.end), ":", "add `:`", safe=False)
                self.diagnostics.append(
                    diagnose("Y008", name, help=f"write `{bracket['name']}: {bracket['bracket']}…`", fix=fix)
                )
            elif key.style == "plain" and (
                problems := self._of_key(key, value, flow, entries[-1] if entries else None)
            ):
                self.diagnostics += problems
            elif not key.text:
                if key.span.text[:1] not in ("*", "&", "!"):  # refused already
                    self.diagnostics.append(diagnose("Y303", key.span))
            elif key.text == "<<" and key.style == "plain":
                self.diagnostics.append(diagnose("Y103", key.span))
            elif key.text in seen:
                first = Label(seen[key.text].span, "first given here")
                self.diagnostics.append(diagnose("Y301", key.span, name=key.text, labels=[first]))
            else:
                seen[key.text] = key
                entries.append((key, value))
        return YamlMapping(self._span(start, event, parts), tuple(entries), flow)

    def _of_key(
        self, key: YamlScalar, value: YamlNode, flow: bool, before: tuple[YamlScalar, YamlNode] | None
    ) -> list[Diagnostic]:
        """Return diagnostics for the signs in a key without quotes; `before` is the entry before it."""
        if key.text.endswith(":"):
            end = key.span.end
            double = Span(self.source, end - 1, end + 1)
            return [diagnose("Y027", double, fix=Fix(double, ":", "write `:`"))]
        words = _WORD_AND_VALUE.match(key.text)
        is_empty = value.span.start == value.span.end == key.span.end
        around = (
            self.source.text[: key.span.start].rstrip()[-1:] + self.source.text[key.span.end :].lstrip()[:1]
        )
        # alone in braces it may be meant as the item of a list
        if flow and words and is_empty and around != "{}":
            name = Span(self.source, key.span.start, key.span.start + words.end("name"))
            help = f"write `{words['name']}: {words['value']}`"
            if before is not None and isinstance(before[1], YamlScalar) and before[1].is_open_prose:
                return [
                    diagnose(
                        "Y008",
                        name,
                        help=f"{help}; or, if this belongs to the text before it: {before[0].comma_advice()}",
                    )
                ]
            fix = Fix(Span(self.source, name.end, name.end), ":", "add `:`", safe=False)
            return [diagnose("Y008", name, help=help, fix=fix)]
        return signs_in_key(self.source, key.span.start, key.text) if key.span.text == key.text else []

    def _behind(self, key: YamlNode, value: YamlNode) -> YamlNode:
        """A value of nothing, which the parser places before what comes next, placed behind its key's
        colon.
        """
        if not isinstance(value, YamlScalar) or value.style != "plain" or value.span.start != value.span.end:
            return value
        colon = _COLON.match(self.source.text, key.span.end)
        return replace(value, span=Span(self.source, colon.end(), colon.end())) if colon else value

    def _span(self, start: Event, end: Event, parts: list[YamlNode]) -> Span:
        """From the first sign to the closing bracket, or else to the end of the last part."""
        begin: int = start.start_mark.index
        if self.source.text[begin : begin + 1] in ("[", "{") and getattr(start, "flow_style", False):
            return Span(self.source, begin, max(begin, end.end_mark.index))
        return Span(self.source, begin, max([begin, *(part.span.end for part in parts[-2:])]))


# ---------------------------------------------------------------- from text to the tree
_MISREAD = frozenset(
    {
        "Y001",
        "Y003",
        "Y004",
        "Y006",
        "Y008",
        "Y010",
        "Y011",
        "Y015",
        "Y016",
        "Y017",
        "Y018",
        "Y019",
        "Y022",
        "Y101",
        "Y102",
    }
)
CACHED_TREES = 16  # texts whose trees are kept
# parts are missing or not what they look like
_MISLEADING = frozenset({"Y008", "Y019", "Y023", "Y025", "Y027", "Y101", "Y102", "Y103"})


def read(source: Source) -> tuple[YamlNode | None, list[Diagnostic]]:
    """The tree and the mistakes of a YAML text (see `_read`); cached for the last texts, since an editor asks
    for the same text often.
    """
    root, diagnostics = _read(source)
    return root, list(diagnostics)


@lru_cache(maxsize=CACHED_TREES)
def _read(source: Source) -> tuple[YamlNode | None, list[Diagnostic]]:
    """The tree of a YAML text, and everything that is wrong with the text, in its order.

    There is a tree, without the parts in question, when every mistake leaves the rest as it was meant (a key
    given twice, a fraction); there is none for text that is not YAML, passes a limit, or uses anchors,
    aliases, tags or merge keys.
    """
    guarded = parse_events(source)
    diagnostics = guarded.diagnostics
    if guarded.complete or any(d.code in _MISREAD for d in diagnostics):
        unsigned = left_blocks(source) or missing_block_signs(source)
        if unsigned:  # other findings, or their absence, follow from that
            return None, unsigned
    if not guarded.complete:
        return None, sorted(diagnostics, key=_sort_key)
    if not guarded.events:
        return None, [diagnose("Y020", source.span(0, 0))]
    builder = YamlTreeBuilder(source, iter(guarded.events))
    root = builder.build()
    merges_of_aliases = any(diagnostic.code == "Y101" for diagnostic in diagnostics)
    diagnostics += [
        diagnostic
        for diagnostic in builder.diagnostics
        if not (merges_of_aliases and diagnostic.code == "Y103")
    ]
    diagnostics.sort(key=_sort_key)
    return (None if any(d.code in _MISLEADING for d in diagnostics) else root), diagnostics


def _sort_key(diagnostic: Diagnostic) -> tuple[int, int, str]:
    span = diagnostic.span
    return (span.start, span.end, diagnostic.code) if span is not None else (0, 0, diagnostic.code)
