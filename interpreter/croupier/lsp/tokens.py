"""Semantic tokens: the class of each word of a document, for highlighting in editors.

Keywords, numbers, texts and operators follow from the tokens of the parser; comments and citations from the
text; the symbols of names from the index of the ruleset.  After a mistake in a rule text, its rest is
classified word by word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from croupier.authoring.fmt.kinds import Kinds, kinds_of
from croupier.diagnostics import Source
from croupier.lsp.analysis import RulesetAnalysis, real_path
from croupier.lsp.cursor import keywords
from croupier.schema.leaves import LABEL, TEMPLATE
from croupier.semantics.builtins import AGGREGATES, FUNCTIONS, PLAIN_VALUES
from croupier.semantics.declaration_parts import PLAIN
from croupier.semantics.symbol_index import Symbol
from croupier.source import RuleText, YamlMapping, YamlNode, YamlScalar, YamlSequence, read
from croupier.source.ruletext import plain
from croupier.syntax.lines import trivia, without_trivia
from croupier.syntax.parser import CodeToken, tokens_until_mistake

TYPES = (
    "keyword", "variable", "parameter", "property", "function", "event", "class", "type", "enumMember",
    "namespace", "string", "number",
    "comment", "operator", "decorator",
)  # fmt: skip
MODIFIERS = ("declaration", "readonly", "defaultLibrary", "state", "zone", "board", "option")
# of symbols: a type and modifiers; `option` is a parameter of the ruleset
KINDS: dict[str, tuple[str, ...]] = {
    "local": ("variable",), "state": ("variable", "state"), "zone": ("variable", "zone"),
    "board": ("variable", "board"),
    "parameter": ("variable", "readonly", "option"), "component": ("class",), "type": ("type",),
    "cells": ("type",), "value": ("enumMember",),
    "id": ("enumMember",), "attribute": ("property",), "column": ("property",), "field": ("property",),
    "definition": ("function",),
    "window": ("event",), "phase": ("namespace",), "claim": ("event",), "rule": ("decorator",),
}  # fmt: skip
_BY_NAME = (
    "definition",
    "window",
    "parameter",
    "state",
    "zone",
    "board",
    "component",
    "type",
    "cells",
    "value",
    "id",
)
_BUILTIN = {"aggregate": "function", "function": "function", "value": "variable", "type": "type"}
_WORD = re.compile(
    r'(?P<STRING>"[^"\n]*"?)|(?P<INT>[0-9]+)|(?P<NAME>[^\W\d]\w*)|(?P<SIGN>->|\.\.|[-+=!<>*/?]+|[.,:(\[{)\]}])'
)
_OPERATOR = re.compile(r"[^\w\s.,:()\[\]{}\"]+|\.\.")


class SemanticToken(NamedTuple):
    """A range of one line, by offsets in the document, its type (of `TYPES`) and modifiers (of
    `MODIFIERS`).
    """

    start: int
    end: int
    type: str
    modifiers: tuple[str, ...] = ()


def semantic_tokens(
    source: Source, analysis: RulesetAnalysis | None, start: int = 0, end: int | None = None
) -> list[SemanticToken]:
    """Return the tokens of a document between two offsets, in order, not nested; empty for a text that is not
    YAML.
    """
    known = analysis.source(source.name) if analysis is not None else None
    source = known if known is not None and known.text == source.text else source  # which was read before
    root, _ = read(source) if not source.name.endswith(".csv") else (None, [])
    names = _Names(analysis, source)
    last = len(source.text) if end is None else end
    found: list[SemanticToken] = []
    for text, starts in _rule_texts(root, kinds_of(root)) if root is not None else ():
        if text.offset(0) < last and text.offset(len(text.text)) >= start:
            found += _in_rule_text(text, starts, names)
    covered = _sorted(found)
    found = _sorted([*covered, *names.outside(covered)])
    return [token for token in found if token.start < last and token.end > start]


def _sorted(tokens: Iterable[SemanticToken]) -> list[SemanticToken]:
    """In order; of two that overlap, the first."""
    kept: list[SemanticToken] = []
    for token in sorted(tokens):
        if token.end > token.start and (not kept or token.start >= kept[-1].end):
            kept.append(token)
    return kept


# ---------------------------------------------------------------- what names stand for
class _Names:
    """The symbols of the names of one document: by their spans where the checker noted them, else by their
    names alone.
    """

    def __init__(self, analysis: RulesetAnalysis | None, source: Source) -> None:
        self.at: dict[tuple[int, int], tuple[Symbol, bool]] = {}
        self.known: dict[str, Symbol] = {}
        self.source = source
        if analysis is None:
            return
        path = real_path(source.name)
        files = {
            name for name in {use.span.source.name for use in analysis.index.uses} if real_path(name) == path
        }
        for use in analysis.index.uses:
            if use.span.source.name in files and use.span.source.text == source.text:
                key = (use.span.start, use.span.end)
                before = self.at.get(key)
                if before is None or use.defines:
                    self.at[key] = (use.symbol, use.defines)
        rank = {kind: k for k, kind in enumerate(_BY_NAME)}
        for symbol in sorted(
            (s for s in analysis.index.about if s.kind in rank), key=lambda s: -rank[s.kind]
        ):
            self.known[symbol.name] = symbol

    def described(self, symbol: Symbol, defines: bool = False) -> tuple[str, tuple[str, ...]]:
        """The type and the modifiers of a symbol."""
        if symbol.kind == "builtin":
            kind = _BUILTIN.get(symbol.owner, "property")
            return kind, ("readonly", "defaultLibrary") if kind == "variable" else ("defaultLibrary",)
        kind, *modifiers = KINDS.get(symbol.kind, ("variable",))
        return kind, (*(("declaration",) if defines else ()), *modifiers)

    def find(self, name: str, start: int, end: int) -> tuple[Symbol, bool] | None:
        """The symbol of a name at a span, and whether it is declared there."""
        here = self.at.get((start, end))
        if here is None and name in self.known:
            return self.known[name], False
        return here

    def outside(self, covered: Sequence[SemanticToken]) -> Iterator[SemanticToken]:
        """The names in the YAML itself: those that lie in no token."""
        ends = {(token.start, token.end) for token in covered}
        inside = iter(covered)
        token = next(inside, None)
        for (start, end), (symbol, defines) in sorted(self.at.items()):
            while token is not None and token.end <= start:
                token = next(inside, None)
            text = self.source.text[start:end]
            if (start, end) in ends or "\n" in text or (token is not None and token.start < end):
                continue
            yield SemanticToken(start, end, *self.described(symbol, defines))


# ---------------------------------------------------------------- rule texts of a document
def _rule_texts(root: YamlNode, kinds: Kinds) -> Iterator[tuple[RuleText, tuple[str, ...]]]:
    """The rule texts of a document with the kinds that each may be; a template has none."""
    for node in _scalars(root):
        starts = kinds.starts(node)
        leaf = kinds.leaves.get(node.span.start)
        if leaf is TEMPLATE or leaf is LABEL:
            quoted = node.style in ("single", "double")
            if node.span.text[quoted : len(node.span.text) - quoted] == node.text:
                yield plain(node.span.source, node.span.start + quoted, node.text), ()
        elif starts and node.style in ("plain", "literal"):
            if node.style == "literal":
                yield node.rule_text(), starts
            elif node.span.text == node.text:
                yield plain(node.span.source, node.span.start, node.text), starts


def _scalars(node: YamlNode) -> Iterator[YamlScalar]:
    if isinstance(node, YamlScalar):
        yield node
    elif isinstance(node, YamlSequence):
        for item in node.items:
            yield from _scalars(item)
    elif isinstance(node, YamlMapping):
        for _, value in node.entries:
            yield from _scalars(value)


@dataclass(frozen=True, slots=True)
class _Segment:
    """A part of a rule text: `kind` is a type of token, or `name`; `before` is the sign before a name,
    `called` whether a bracket follows.
    """

    start: int
    end: int
    kind: str
    before: str = ""
    called: bool = False
    parameter: bool = False  # declared as a parameter of a definition or window
    named: bool = False  # names an argument


def _in_rule_text(text: RuleText, starts: tuple[str, ...], names: _Names) -> Iterator[SemanticToken]:
    segments = _segments(text.text, starts) if starts else tuple(_template(text.text, 0))
    spans = [text.span(p.start, p.end) for p in segments]
    params = {
        names.at[key][0]
        for p, s in zip(segments, spans, strict=True)
        if p.parameter and (key := (s.start, s.end)) in names.at
    }
    for segment, span in zip(segments, spans, strict=True):
        if segment.kind != "name":
            yield SemanticToken(span.start, span.end, segment.kind)
            continue
        name = text.text[segment.start : segment.end]
        # no name of the ruleset can stand here
        here = segment.before == "." or segment.named or segment.parameter
        found = names.at.get((span.start, span.end)) if here else names.find(name, span.start, span.end)
        if found is None:
            yield SemanticToken(span.start, span.end, *_unknown(name, segment))
            continue
        kind, modifiers = names.described(*found)
        yield SemanticToken(span.start, span.end, "parameter" if found[0] in params else kind, modifiers)


def _unknown(name: str, segment: _Segment) -> tuple[str, tuple[str, ...]]:
    """The class of an unknown name, by the signs around it."""
    if segment.before == ".":
        return "property", ()
    if segment.named or segment.parameter:
        return "parameter", ("declaration",) if segment.parameter else ()
    if segment.called and (name in FUNCTIONS or name in AGGREGATES):
        return "function", ("defaultLibrary",)
    if name in PLAIN:
        return "type", ("defaultLibrary",)
    if name in PLAIN_VALUES or name == "players":
        return "variable", ("readonly", "defaultLibrary")
    return ("function" if segment.called else "variable"), ()


@lru_cache(maxsize=512)
def _segments(text: str, starts: tuple[str, ...]) -> tuple[_Segment, ...]:
    """The parts of a rule text, by the kind that it has the fewest mistakes as."""
    tokens: list[CodeToken] = []
    for start in starts:
        some, whole = tokens_until_mistake(text, start)
        if whole:
            tokens = some
            break
        if len(some) > len(tokens):
            tokens = some
    else:
        tokens = [*tokens, *_words(text, tokens[-1].end if tokens else 0)]
    hidden = [_Segment(a, b, "comment" if text[a] == "#" else "decorator") for a, b in trivia(text)]
    return tuple(sorted([*_classified(tokens), *hidden], key=lambda p: p.start))


def _words(text: str, start: int) -> Iterator[CodeToken]:
    """The rest of a text with a mistake, word by word."""
    for found in _WORD.finditer(without_trivia(text), start):
        word = found.group()
        kind = found.lastgroup or "SIGN"
        yield CodeToken("KEYWORD" if kind == "NAME" and word in keywords() else kind, word, found.start(), 0)


def _classified(tokens: Sequence[CodeToken]) -> Iterator[_Segment]:
    head = False  # between the brackets of a definition or window
    for k, token in enumerate(tokens):
        before = tokens[k - 1].text if k else ""
        after = tokens[k + 1].text if k + 1 < len(tokens) else ""
        if token.text in ("def", "window") and token.kind != "NAME":
            head = True
        elif token.text == ")":
            head = False
        if token.kind == "STRING":
            yield from _string(token)
        elif token.kind == "INT":
            yield _Segment(token.start, token.end, "number")
        elif token.kind == "NAME":
            yield _Segment(
                token.start,
                token.end,
                "name",
                before,
                after == "(",
                head and after == ":",
                after == "=" and before in ("(", ","),
            )
        elif token.text[:1].isalpha():
            yield _Segment(token.start, token.end, "keyword")
        elif _OPERATOR.fullmatch(token.text):
            yield _Segment(token.start, token.end, "operator")


def _string(token: CodeToken) -> Iterator[_Segment]:
    closed = len(token.text) > 1 and token.text.endswith('"')
    return _template(token.text, token.start, 1, len(token.text) - closed)


def _template(text: str, offset: int, start: int = 0, end: int | None = None) -> Iterator[_Segment]:
    """The words of a template as strings, up to its braces and with them; what stands between braces as an
    expression.
    """
    words, at, last = 0, start, len(text) if end is None else end
    while (brace := text.find("{", at, last)) >= 0:
        depth, at = 1, brace + 1
        while at < last and depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        close = at if depth else at - 1
        yield _Segment(offset + words, offset + brace + 1, "string")
        for p in _segments(text[brace + 1 : close], ("expression",)):
            yield replace(p, start=offset + brace + 1 + p.start, end=offset + brace + 1 + p.end)
        words = close
    yield _Segment(offset + words, offset + len(text), "string")


# ---------------------------------------------------------------- encoding
def encode(tokens: Iterable[tuple[int, int, int, str, tuple[str, ...]]]) -> list[int]:
    """The numbers of the protocol for tokens (line, column, length, type, modifiers); positions are relative
    to the token before.
    """
    data: list[int] = []
    line = column = 0
    for at_line, at_column, length, kind, modifiers in tokens:
        bits = sum(1 << MODIFIERS.index(m) for m in modifiers)
        data += [
            at_line - line,
            at_column - (column if at_line == line else 0),
            length,
            TYPES.index(kind),
            bits,
        ]
        line, column = at_line, at_column
    return data
