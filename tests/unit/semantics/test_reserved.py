"""The words that nothing can be called are those that the grammar does not read as names where they would be
needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from croupier.diagnostics import Source, Span
from croupier.resources import grammar_file
from croupier.semantics.declaration_parts import PLAIN
from croupier.semantics.names import RESERVED_STATEMENTS, RESERVED_TYPES, RESERVED_VALUES, is_reserved
from croupier.source import ruletext
from croupier.syntax import nodes as n
from croupier.syntax import parse_block, parse_declaration, parse_expression
from croupier.syntax.lines import SOFT_KEYWORDS

WORDS = sorted(set(re.findall(r'"([a-z_]+)"', grammar_file("rules.lark").read_text(encoding="utf-8"))))


def read(parse: Callable[[Any], tuple[Any, list[Any]]], text: str) -> Any:
    """The node of a text, or none if it cannot be read."""
    node, bad = parse(ruletext.whole(Source("words", text)))
    return None if bad else node


def is_value(word: str) -> bool:
    return (
        isinstance(read(parse_expression, word), n.Name)
        and read(parse_expression, f"f({word}) + {word}[1]") is not None
    )


def begins_a_line(word: str) -> bool:
    return read(parse_block, f"{word} = 1\n{word} += 1\n{word}[1] = 2\n") is not None


def is_type(word: str) -> bool:
    declared = read(parse_declaration, word)
    return declared is not None and isinstance(declared.type, n.TypeName)


def test_words_of_values() -> None:
    assert {w for w in WORDS if not is_value(w)} == RESERVED_VALUES - set(SOFT_KEYWORDS)


def test_words_of_types() -> None:
    assert {w for w in WORDS if not is_type(w)} | set(PLAIN) == RESERVED_TYPES - {"not", "suppose"}


def test_words_of_statements() -> None:
    assert {w for w in WORDS if is_value(w) and not begins_a_line(w)} == RESERVED_STATEMENTS - set(
        SOFT_KEYWORDS
    )


def test_other_words_are_names() -> None:
    for version in (1, 2):
        at = Span(Source("game.yaml", f"croupier: {version}\n"), 0, 0)
        assert (
            not is_reserved("draw", "zone", at)
            and not is_reserved("pass", "value", at)
            and not is_reserved("top", "state", at)
        )
        assert is_reserved("suppose", "value", at) is (version > 1) and is_reserved("gives", "state", at) is (
            version > 1
        )
