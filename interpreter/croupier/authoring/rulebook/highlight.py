"""Rule text in pieces to colour: keywords, names that are called, numbers, texts, comments and citations."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.syntax.lines import trivia
from croupier.syntax.parser import tokens_until_mistake

KINDS = ("keyword", "call", "number", "text", "comment", "citation")


def highlighted(text: str, start: str) -> Iterator[tuple[str, str]]:
    """The text in order: pieces with one of `KINDS`, or an empty kind for what stays plain; together they are the text."""
    tokens, _ = tokens_until_mistake(text, start)
    pieces = [(a, b, "comment" if text[a] == "#" else "citation") for a, b in trivia(text)]
    for k, token in enumerate(tokens):
        called = k + 1 < len(tokens) and tokens[k + 1].text == "(" and tokens[k + 1].start == token.end
        kind = {"STRING": "text", "INT": "number", "NAME": "call" if called else ""}.get(token.kind, "keyword" if token.text[:1].isalpha() else "")
        if kind:
            pieces.append((token.start, token.end, kind))
    at = 0
    for first, last, kind in sorted(pieces):
        if first < at:
            continue
        if first > at:
            yield text[at:first], ""
        yield text[first:last], kind
        at = last
    if at < len(text):
        yield text[at:], ""
