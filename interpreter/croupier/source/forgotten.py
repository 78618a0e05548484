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
_RULE = re.compile(
    r"""(?:let|var)\s+\w+\s*[:=] | (?:if|for|match|repeat\suntil|elif)\s.*:(?:\s|$) | repeat:\s*\w | (?:may\s+)?choose\s | move\s.+\sto\s
    | draw\s.+\sfrom\s | (?:shuffle|roll|reveal)\s+\w | finish\s+(?:win|rank|pay|lose|draw)\b | announce\s+" | tell\s.+\sthat\s
    | show\s.+\sto\s | open\s+\w+\s*\( | (?:replace\s+)?(?:def|window)\s+\w+\s*\( | (?:before|after|instead\s+of|adjust)\s+\w+\s*\(
    | watch\s+\w | end\s+when\s | so\s+that\s | secretly\s | swap\s.+\swith\s | \w[\w.\[\]]*\s*(?:\+=|-=|=)\s""",
    re.VERBOSE,
)


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
        if not head or head.group("key").strip() in PROSE or _RULE.match(line.strip()):
            continue
        end = _end(lines, number, len(head.group("indent")))
        below = [text.strip() for text in lines[number:end] if text.strip() and not text.strip().startswith("#")]
        if below and _RULE.match(below[0]) and (len(below) > 1 or ": " in below[0] or below[0].endswith(":")):
            start = source.line_start(number) + len(head.group("indent"))
            yield Span(source, start, start + len(head.group("key")) + 1)
            number = end


def _end(lines: list[str], number: int, indent: int) -> int:
    """The number of the first line after `number` that is not indented more."""
    while number < len(lines) and (not lines[number].strip() or len(lines[number]) - len(lines[number].lstrip(" ")) > indent):
        number += 1
    return number
