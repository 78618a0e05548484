"""Rule text that stands below a key without the sign `|`.

YAML then takes its lines for keys, for one long text, or for nothing at all, and complains about something else, or about nothing.
So the lines are looked at before the tree is: a key with nothing behind it, and below it, indented, what begins like a statement or a
definition. Only where YAML cannot have meant it: several lines, or one that would be a key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, Fix, Source, Span, diagnose

PROSE = ("doc", "title", "says", "label", "help", "summary")
_HEAD = re.compile(r"(?P<indent> *)(?P<key>[^\s#:'\"\[\]{}|>-][^#:|>{}\[\]]*):[ \t]*(?:#.*)?\Z")
_BLOCK = re.compile(r"(?P<indent> *)(?:- )*[^#]*?[:\-][ \t]+[|>][0-9+-]*[ \t]*(?:#.*)?\Z")
_SIMPLE = re.compile(  # statements without a colon: they cannot be keys
    r"""(?:let|var)\s+\w+\s*(?::[^:]*)?=[^:]*\Z | choose\s[^:]+\sfrom\s[^:]+\Z | move\s[^:]+\sto\s[^:]+\Z | draw\s[^:]+\sfrom\s[^:]+\Z
    | (?:shuffle|roll|reveal)\s+\w[^:]*\Z | finish\s+(?:win\s[^:]*|rank\s*\{.*|pay\s*\{.*|lose|draw)\Z | announce\s+"[^"]*"\Z
    | tell\s[^:]+\sthat\s+"[^"]*"\Z | show\s[^:]+\sto\s[^:]+\Z | open\s+\w+\s*\([^:]*\Z | swap\s[^:]+\swith\s[^:]+\Z
    | \w[\w.\[\]]*\s*(?:\+=|-=|=)\s[^:]+\Z""",
    re.VERBOSE,
)
_COLON = re.compile(  # statements with a block below them, or on their line where no title looks like that
    r"""(?:for\s+\w+\s+in\s[^:]+|(?:replace\s+)?(?:def|window)\s+\w+\s*\(.*|(?:before|after|instead\s+of|adjust)\s+\w+\s*\(.*):(?:\s.*)?\Z
    | (?:if|match|repeat\suntil|choose\s+by|so\s+that|secretly|watch|end\s+when)\s[^:]+:\Z | may\s+choose\s[^:]+\sfrom\s[^:]+:\Z | repeat:\Z""",
    re.VERBOSE,
)
_GROUP = re.compile(r"(?:for|repeat|repeat until|phases|doc|cites|rules|after|before|text):(?:\s|\Z)")


def _begins_rules(below: list[str]) -> bool:
    """Do these lines begin like rule text that YAML cannot have meant?"""
    first = re.sub(r"\s+(?:#.*|@[A-Z]{1,8}-\S+)\Z", "", below[0])
    if _BLOCK.match(first):
        return False
    if _SIMPLE.match(first):
        return len(below) > 1 or ": " in first
    return bool(_COLON.match(first)) and not (len(below) > 1 and (_GROUP.match(below[1]) or _BLOCK.match(below[1])))


def forgotten_blocks(source: Source) -> list[Diagnostic]:
    """A diagnostic for each key whose rule text lacks the sign."""
    return [diagnose("Y021", span, fix=Fix(Span(source, span.end, span.end), " |", "write `|`"), key=span.text[:-1]) for span in _heads(source)]


def _heads(source: Source) -> Iterator[Span]:
    """The keys with their colons."""
    lines = [source.line(number) for number in range(1, source.line_count + 1)]
    number = 0
    while number < len(lines):
        line, number = lines[number], number + 1
        block = _BLOCK.match(line)
        if block:
            number = _end(lines, number, len(block.group("indent")))
            continue
        head = _HEAD.match(line)
        if not head or head.group("key").strip() in PROSE or _COLON.match(line.strip()):
            continue
        end = _end(lines, number, len(head.group("indent")))
        below = [text.strip() for text in lines[number:end] if text.strip() and not text.strip().startswith("#")]
        if below and _begins_rules(below):
            start = source.line_start(number) + len(head.group("indent"))
            yield Span(source, start, start + len(head.group("key")) + 1)
            number = end


def _end(lines: list[str], number: int, indent: int) -> int:
    """The number of the first line after `number` that is not indented more."""
    while number < len(lines) and (not lines[number].strip() or len(lines[number]) - len(lines[number].lstrip(" ")) > indent):
        number += 1
    return number
