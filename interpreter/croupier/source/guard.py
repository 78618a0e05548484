"""The gate between a stranger's bytes and everything that walks trees.

What comes in is text; what goes out is at most 10 000 events of one document, nested at most 64 deep, without anchors,
aliases, tags and directives.  The checks run on the event stream and stop it as soon as a limit is passed, because everything
that is known to hang or crash YAML programs needs more than that: merge chains, aliases of aliases, deep nesting.  The
limits on lines come first: the scanner's work grows with the square of the length of some tokens.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, field
from functools import lru_cache

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from croupier.diagnostics import Diagnostic, Label, Source, Span, diagnose
from croupier.source.characters import refused_characters, refused_escapes
from croupier.source.limits import DEEPEST, LONGEST_LINE, MOST_BYTES, MOST_LINES, MOST_NODES
from croupier.source.wording import word, word_overflow

_DIRECTIVE = re.compile(r"\ufeff?(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|\r))*(%[^\s]*)")
_TAG = re.compile(r"!(?:<[^>\s]*>?|[^\s,\[\]{}]*)")
_ANCHOR = re.compile(r"&[^\s,\[\]{}]*")
_BETWEEN = re.compile(r"(?:\s+|#[^\r\n]*)*")
_SCENARIOS = re.compile(r"^scenarios[ \t]*:", re.MULTILINE)  # the key of scenario files
_MOST_LABELS = 8
_SECTION = re.compile(r"^[A-Za-z_]\w*:(?=[ \n])", re.MULTILINE | re.ASCII)
_NO_SECTIONS = re.compile(r"^(?:---|\.\.\.|%)|\r|\ufeff", re.MULTILINE)
KEPT = 256  # sections whose events are kept


@dataclass
class Guarded:
    """The events of nodes, in order, and what was refused.  `complete` is False where reading had to stop before the end."""

    events: list[Event] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    complete: bool = False


def guard(source: Source) -> Guarded:
    """Parse a text into YAML events, refusing what rulesets do without and stopping at the limits."""
    result = Guarded(diagnostics=check_text(source))
    if not result.diagnostics:
        shared: list[Span] = []
        try:
            sections = _by_sections(source.text)
            result.events += sections or ()
            stopped = None if sections else _collect(source, result, shared)
        except MarkedYAMLError as error:
            stopped = word(source, error, result.events[-1] if result.events else None)
        except (OverflowError, ValueError):  # an escape for a number that is no character
            stopped = word_overflow(source, result.events[-1] if result.events else None)
        if shared:
            labels = [Label(span, "another one") for span in shared[1 : _MOST_LABELS + 1]]
            result.diagnostics.append(diagnose("Y101", shared[0], name=shared[0].text, labels=labels))
        if stopped is not None:
            result.diagnostics.append(stopped)
        result.complete = stopped is None
    return result


def _instead(source: Source) -> str:
    """Where what is too much for this file can go."""
    if _SCENARIOS.search(source.text):
        return "spread the scenarios over several files: all `*.yaml` in the folder `scenarios` are read"
    return "move long tables into a CSV file (`table: cards.csv`)"


def check_text(source: Source) -> list[Diagnostic]:
    """The checks that need no parser: size, lines, characters, directives."""
    size = len(source.text) if source.text.isascii() else len(source.text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        return [diagnose("Y203", source.span(0, 0), size=f"{size:,}", limit=f"{MOST_BYTES:,}", instead=_instead(source))]
    if source.line_count > MOST_LINES + 1:
        start = source.line_start(MOST_LINES + 1)
        return [diagnose("Y204", source.span(start, start), limit=f"{MOST_LINES:,}", instead=_instead(source))]
    for number in range(1, source.line_count + 1):
        if len(source.line(number)) > LONGEST_LINE:
            start = source.line_start(number) + LONGEST_LINE
            return [diagnose("Y205", source.span(start, start + 1), limit=LONGEST_LINE)]
    refused = refused_characters(source, "Y007")
    directive = _DIRECTIVE.match(source.text)
    if directive and not refused:
        return [diagnose("Y105", source.span(*directive.span(1)), name=directive.group(1))]
    return refused


@dataclass(frozen=True)
class _Mark:
    """Where an event begins or ends."""

    index: int


def _by_sections(text: str) -> list[Event] | None:
    """The events of a mapping without a mistake, each of its sections parsed by itself: of a text that is edited, one changes. None for any other."""
    starts = [found.start() for found in _SECTION.finditer(text)]
    if len(starts) < 2 or _NO_SECTIONS.search(text):
        return None
    events: list[Event] = []
    for begin, end in zip([0, *starts[1:]], [*starts[1:], len(text)], strict=True):
        section = _section(text[begin:end])
        if section is None:
            return None
        events += (_moved(event, begin) for event in (section if not events else section[1:]))
        last = events.pop()
    return [*events, last] if sum(isinstance(event, NodeEvent) for event in events) <= MOST_NODES else None


@lru_cache(maxsize=KEPT)
def _section(text: str) -> tuple[Event, ...] | None:
    """The events of the mapping that a section is, by itself; None where anything is to be said about it."""
    result, shared = Guarded(), list[Span]()
    try:
        stopped = _collect(Source("", text), result, shared)
    except (MarkedYAMLError, OverflowError, ValueError):
        return None
    first = result.events[0] if result.events else None
    plain = isinstance(first, MappingStartEvent) and not first.flow_style and first.start_mark.column == 0
    return tuple(result.events) if plain and stopped is None and not shared and not result.diagnostics else None


def _moved(event: Event, by: int) -> Event:
    """The event, further down."""
    moved = copy.copy(event)
    moved.start_mark, moved.end_mark = _Mark(event.start_mark.index + by), _Mark(event.end_mark.index + by)
    return moved


def _collect(source: Source, result: Guarded, shared: list[Span]) -> Diagnostic | None:
    """Move the events of the first document into the result; a diagnostic where a limit or a second document ends it."""
    depth = documents = nodes = 0
    for event in YAML(typ="safe", pure=True).parse(source.text):
        start = event.start_mark.index
        if isinstance(event, DocumentStartEvent):
            documents += 1
            if documents > 1:
                return diagnose("Y104", source.span(start, max(min(start + 1, len(source.text)), event.end_mark.index)))
        elif isinstance(event, AliasEvent):
            shared.append(source.span(start, event.end_mark.index))
            nodes += 1
            result.events.append(event)
        elif isinstance(event, NodeEvent):
            nodes += 1
            _properties(source, event, result, shared)
            if isinstance(event, SequenceStartEvent | MappingStartEvent):
                depth += 1
            elif isinstance(event, ScalarEvent) and event.style == '"':
                result.diagnostics += refused_escapes(source, start, event.end_mark.index)
        elif isinstance(event, SequenceEndEvent | MappingEndEvent):
            depth -= 1
        else:
            continue
        if depth > DEEPEST:
            return diagnose("Y201", source.span(start, start + 1), limit=DEEPEST)
        if nodes > MOST_NODES:
            return diagnose("Y202", source.span(start, start + 1), limit=f"{MOST_NODES:,}", instead=_instead(source))
        if not isinstance(event, AliasEvent | DocumentStartEvent):
            result.events.append(event)
    return None


def _properties(source: Source, event: NodeEvent, result: Guarded, shared: list[Span]) -> None:
    """Note the anchor and the tag of a node.  They stand before it in any order; its mark is that of the first or of the anchor."""
    tagged = getattr(event, "tag", None) is not None
    at = event.start_mark.index
    if event.anchor is not None and tagged and not _TAG.match(source.text, at):
        anchor = _ANCHOR.match(source.text, at)
        after = _BETWEEN.match(source.text, anchor.end()) if anchor else None
        if after is None or not _TAG.match(source.text, after.end()):
            at = _tag_before(source.text, at)
    for _ in range(2):
        found = _TAG.match(source.text, at) or _ANCHOR.match(source.text, at)
        if found is None:
            return
        span = source.span(*found.span())
        if found.group().startswith("&") and event.anchor is not None:
            shared.append(span)
        elif found.group().startswith("!") and tagged:
            result.diagnostics.append(diagnose("Y102", span, name=span.text))
        between = _BETWEEN.match(source.text, found.end())
        at = between.end() if between else found.end()


def _tag_before(text: str, at: int) -> int:
    """Where the tag begins that stands before an anchor."""
    start = text.rfind("!", 0, at)
    while start > 0 and text[start - 1] not in " \t\r\n,[]{}":
        start -= 1
    return max(start, 0)
