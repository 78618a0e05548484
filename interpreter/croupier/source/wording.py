"""What a YAML parser's error means to an author.

The parser tells what it was scanning and what it met; a table of patterns over these two sentences picks who words it.  Each
wording looks at the text around the place, because the parser notices a mistake later than a person would see it: a
bracket that is never closed is noticed at the next colon.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import Event

from croupier.diagnostics import Diagnostic, Source, diagnose
from croupier.source import wording_layout as layout
from croupier.source import wording_signs as signs
from croupier.source.trouble import Trouble

_TAB_INDENT = re.compile(r" *(\t+)")
_TOKEN = re.compile(r"(?:found|got) \(?['\"](.+?)['\"],?\)?\Z")
_FAR_ESCAPE = re.compile(r"\\U[0-9A-Fa-f]{8}")


def word(source: Source, error: MarkedYAMLError, last: Event | None) -> Diagnostic:
    """A diagnostic for an error of the YAML parser; `last` is the last event before it."""
    problem, context = error.problem or "", error.context or ""
    noticed, begun = error.problem_mark or error.context_mark, error.context_mark or error.problem_mark
    at, began = (mark.index if mark is not None else 0 for mark in (noticed, begun))
    token = _TOKEN.search(problem)
    trouble = Trouble(source, began, at, token.group(1) if token else "", last)
    line, _ = source.position(at)
    tab = _TAB_INDENT.match(source.line(line))
    if tab and at <= source.line_start(line) + tab.end(1):
        return signs.tabs(trouble.span(source.line_start(line) + tab.start(1), source.line_start(line) + tab.end(1)), indents=True)
    for in_context, in_problem, wording in _TABLE:
        if in_context in context and in_problem in problem:
            return wording(trouble)
    return diagnose("Y001", trouble.span(at), problem="this cannot be read as YAML")


def word_overflow(source: Source, last: Event | None) -> Diagnostic:
    r"""A diagnostic for what the parser does not locate: `\U` with a number that is no character, a directive with a huge number."""
    after = last.end_mark.index if last is not None else 0
    directive = signs.DIRECTIVE.search(source.text, after)
    if directive:
        return diagnose("Y105", source.span(*directive.span()), name=directive.group())
    for match in _FAR_ESCAPE.finditer(source.text, after):
        if int(match.group()[2:], 16) > 0x10FFFF:
            return diagnose("Y009", source.span(*match.span()), escape=match.group())
    return diagnose("Y001", source.span(after, after), problem="this cannot be read as YAML")


Wording = Callable[[Trouble], Diagnostic]

# What stands in the parser's context and problem, and who words it; the first that fits.
_TABLE: tuple[tuple[str, str, Wording], ...] = (
    ("scanning for the next token", "cannot start any token", signs.first_sign),
    ("scanning an alias", "", signs.anchor_or_alias),
    ("scanning an anchor", "", signs.anchor_or_alias),
    ("directive", "", signs.directive),
    ("tag", "", signs.tag),
    ("parsing a node", "undefined tag handle", signs.tag),
    ("", "YAML directive", signs.directive),
    ("", "incompatible YAML document", signs.directive),
    ("", "duplicate tag handle", signs.directive),
    ("", "mapping values are not allowed", layout.colon),
    ("", "found unexpected ':'", layout.colon),
    ("", "could not find expected ':'", layout.no_colon),
    ("parsing a flow", "expected ',' or", signs.bracket),
    ("parsing a flow", "expected the node content", signs.flow_node),
    ("parsing a block", "expected the node content", signs.sign),
    ("parsing a block", "expected <block end>", layout.block_end),
    ("", "sequence entries are not allowed", layout.item),
    ("", "mapping keys are not allowed", signs.sign),
    ("quoted scalar", "unexpected end of stream", signs.quote),
    ("quoted scalar", "unexpected document separator", signs.quote),
    ("quoted scalar", "escape", signs.escape),
    ("more indented follow up line", "", layout.blank_lines),
    ("", "more indented follow up line", layout.blank_lines),
    ("scanning a block scalar", "", signs.block_header),
    ("", "after document end marker", layout.second_document),
    ("", "expected '<document start>'", layout.after_end),
)
