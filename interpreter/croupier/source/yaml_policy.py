"""The YAML that a ruleset may use: checks between text that is not trusted and the code that walks trees.

What comes in is text; what goes out is at most 10 000 events of one document, nested at most 64 deep, without
anchors, aliases, tags and directives.  The checks run on the event stream and stop it as soon as a limit is
passed, because everything that is known to hang or crash YAML programs needs more than that: merge chains,
aliases of aliases, deep nesting.  The limits on lines come first: the scanner's work grows with the square of
the length of some tokens.

Rule text below a key without the sign `|` is refused here, too: YAML reads its lines as keys, as one long
text or not at all, and reports another error or none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
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

from croupier.diagnostics import Diagnostic, Fix, Label, Source, Span, diagnose
from croupier.limits import MAX_YAML_BYTES, MAX_YAML_DEPTH, MAX_YAML_LINE, MAX_YAML_LINES, MAX_YAML_NODES
from croupier.records import dataclass
from croupier.source.files import forbidden_characters, forbidden_escapes
from croupier.source.statement_words import WRITTEN
from croupier.source.yaml_errors import describe_error, describe_overflow
from croupier.source.yaml_trials import first_of_block, misread, quote_over_lines

_DIRECTIVE = re.compile(r"\ufeff?(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|\r))*(%[^\s]*)")
_TAG = re.compile(r"!(?:<[^>\s]*>?|[^\s,\[\]{}]*)")
_ANCHOR = re.compile(r"&[^\s,\[\]{}]*")
_BETWEEN = re.compile(r"(?:\s+|#[^\r\n]*)*")
_SCENARIOS = re.compile(r"^scenarios[ \t]*:", re.MULTILINE)  # the key of scenario files
_MAX_LABELS = 8
_SECTION = re.compile(r"^[A-Za-z_]\w*:(?=[ \n])", re.MULTILINE | re.ASCII)
_NO_SECTIONS = re.compile(r"^(?:---|\.\.\.|%)|\r|\ufeff", re.MULTILINE)
_HEAD_OF_ENTRIES = re.compile(
    r"\w+:[ ]*(?:#[^\n]*)?\n(?:[ ]*(?:#[^\n]*)?\n)*([ ]+)(?=[A-Za-z_\"'])", re.ASCII
)
CACHED_SECTIONS = 256  # sections whose events are kept
CACHED_ENTRIES = 4_096  # and entries of sections


@dataclass
class ParsedEvents:
    """The events of nodes, in order, and what was refused.

    `complete` is False where reading had to stop before the end.
    """

    events: list[Event] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    complete: bool = False


def parse_events(source: Source) -> ParsedEvents:
    """Parse a text into YAML events, refusing what rulesets do without and stopping at the limits."""
    result = ParsedEvents(diagnostics=check_text(source))
    if not result.diagnostics:
        shared: list[Span] = []
        try:
            sections = _parse_by_sections(source.text)
            result.events += sections or ()
            stopped = None if sections else _collect(source, result, shared)
        except MarkedYAMLError as error:
            stopped, others = _explain(source, error, result.events[-1] if result.events else None)
            result.diagnostics += others
        except (OverflowError, ValueError):  # an escape for a number that is no character
            stopped = describe_overflow(source, result.events[-1] if result.events else None)
        if shared:
            labels = [Label(span, "another one") for span in shared[1 : _MAX_LABELS + 1]]
            result.diagnostics.append(diagnose("Y101", shared[0], name=shared[0].text, labels=labels))
        # what stands behind an alias does not line up with it
        if stopped is not None and not (shared and stopped.code == "Y006"):
            result.diagnostics.append(stopped)
        result.complete = stopped is None
    return result


def _explain(
    source: Source, error: MarkedYAMLError, last: Event | None
) -> tuple[Diagnostic, list[Diagnostic]]:
    """Return a diagnostic for what stopped the parser (look-alike characters, a quote that another text
    closed, or what its error says), and others.
    """
    mark = error.problem_mark or error.context_mark
    noticed = mark.index if mark is not None else 0
    described = describe_error(source, error, last)
    begun = min(
        noticed if described.span is None else described.span.start,
        last.start_mark.index if last is not None else noticed,
    )
    alike = misread(source, begun, noticed)
    if alike:
        return alike[0], alike[1:]
    block = first_of_block(source, noticed) if described.code == "Y006" else None
    return quote_over_lines(source, last, noticed) or block or described, []


def _instead(source: Source) -> str:
    """Help for a file that is too large: where a part of it can be moved."""
    if _SCENARIOS.search(source.text):
        return "spread the scenarios over several files: all `*.yaml` in the folder `scenarios` are read"
    return "move long tables into a CSV file (`table: cards.csv`)"


def check_text(source: Source) -> list[Diagnostic]:
    """The checks that need no parser: size, lines, characters, directives."""
    size = len(source.text) if source.text.isascii() else len(source.text.encode("utf-8", "surrogatepass"))
    if size > MAX_YAML_BYTES:
        return [
            diagnose(
                "Y203",
                source.span(0, 0),
                size=f"{size:,}",
                limit=f"{MAX_YAML_BYTES:,}",
                instead=_instead(source),
            )
        ]
    if source.line_count > MAX_YAML_LINES + 1:
        start = source.line_start(MAX_YAML_LINES + 1)
        return [
            diagnose("Y204", source.span(start, start), limit=f"{MAX_YAML_LINES:,}", instead=_instead(source))
        ]
    for number in range(1, source.line_count + 1):
        if len(source.line(number)) > MAX_YAML_LINE:
            start = source.line_start(number) + MAX_YAML_LINE
            return [diagnose("Y205", source.span(start, start + 1), limit=MAX_YAML_LINE)]
    refused = forbidden_characters(source, "Y007")
    directive = _DIRECTIVE.match(source.text)
    if directive and not refused:
        return [diagnose("Y105", source.span(*directive.span(1)), name=directive.group(1))]
    return refused


@dataclass(frozen=True, slots=True)
class _PolicyMark:
    """The place where an event begins or ends."""

    index: int


def _parse_by_sections(text: str) -> list[Event] | None:
    """The events of a mapping, each of its sections parsed by itself and cached, since an edit changes one
    section. `None` if there is a mistake.
    """
    starts = [found.start() for found in _SECTION.finditer(text)]
    if len(starts) < 2 or _NO_SECTIONS.search(text):
        return None
    events: list[Event] = []
    for begin, end in zip([0, *starts[1:]], [*starts[1:], len(text)], strict=True):
        section = _section_from(text[begin:end], begin)
        if section is None:
            return None
        events += section if not events else section[1:]
        last = events.pop()
    return (
        [*events, last] if sum(isinstance(event, NodeEvent) for event in events) <= MAX_YAML_NODES else None
    )


@lru_cache(maxsize=CACHED_SECTIONS)
def _section_from(text: str, begin: int) -> tuple[Event, ...] | None:
    """The events of one section that begins at an offset; `None` if a diagnostic is needed."""
    section = _parse_section(text)
    return section if section is None or begin == 0 else tuple([_move(event, begin) for event in section])


@lru_cache(maxsize=CACHED_SECTIONS)
def _parse_section(text: str) -> tuple[Event, ...] | None:
    """The events of one section as a mapping of its own; `None` if a diagnostic is needed."""
    return _parse_by_entries(text) or _parse_mapping(text, 0)


def _parse_by_entries(text: str) -> tuple[Event, ...] | None:
    """The events of a section that is a mapping of several lines, each of its entries parsed by itself.

    `None` where that cannot be done.
    """
    head = _HEAD_OF_ENTRIES.match(text)
    starts = (
        [found.start() for found in re.finditer(rf"^{head[1]}(?=[^ #\n])", text, re.MULTILINE)]
        if head is not None
        else []
    )
    if head is None or len(starts) < 2:
        return None
    section = _parse_mapping(text[: starts[0]], 0)
    if section is None or len(section) != len(("mapping", "key", "nothing", "end")):
        return None
    events, last = list(section[:2]), section[-1]
    for begin, end in zip(starts, [*starts[1:], len(text)], strict=True):
        entry = _parse_mapping(text[begin:end], len(head[1]))
        if entry is None:
            return None
        events += [_move(event, begin) for event in (entry if begin == starts[0] else entry[1:])]
        inner = events.pop()
    return (*events, inner, last)


@lru_cache(maxsize=CACHED_ENTRIES)
def _parse_mapping(text: str, column: int) -> tuple[Event, ...] | None:
    """The events of a text that is a mapping at a column; `None` if a diagnostic is needed."""
    result, shared = ParsedEvents(), list[Span]()
    try:
        stopped = _collect(Source("", text), result, shared, depth=1 if column else 0)
    except (MarkedYAMLError, OverflowError, ValueError):
        return None
    first = result.events[0] if result.events else None
    plain = (
        isinstance(first, MappingStartEvent) and not first.flow_style and first.start_mark.column == column
    )
    return (
        tuple(result.events) if plain and stopped is None and not shared and not result.diagnostics else None
    )


def _move(event: Event, by: int) -> Event:
    """The event, which has no anchor and no tag, with its marks moved by so many characters."""
    start, end = _PolicyMark(event.start_mark.index + by), _PolicyMark(event.end_mark.index + by)
    if isinstance(event, ScalarEvent):
        return ScalarEvent(None, None, event.implicit, event.value, start, end, style=event.style)
    if isinstance(event, MappingStartEvent | SequenceStartEvent):
        return type(event)(None, None, event.implicit, start, end, flow_style=event.flow_style)
    return type(event)(start, end)


def _collect(source: Source, result: ParsedEvents, shared: list[Span], depth: int = 0) -> Diagnostic | None:
    """Move the events of the first document into the result; a diagnostic where a limit or a second document
    ends it.

    `depth`: in how many lists and mappings the text stands.
    """
    documents = nodes = 0
    for event in YAML(typ="safe", pure=True).parse(source.text):
        start = event.start_mark.index
        if isinstance(event, DocumentStartEvent):
            documents += 1
            if documents > 1:
                return diagnose(
                    "Y104", source.span(start, max(min(start + 1, len(source.text)), event.end_mark.index))
                )
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
                result.diagnostics += forbidden_escapes(source, start, event.end_mark.index)
        elif isinstance(event, SequenceEndEvent | MappingEndEvent):
            depth -= 1
        else:
            continue
        if depth > MAX_YAML_DEPTH:
            return diagnose("Y201", source.span(start, start + 1), limit=MAX_YAML_DEPTH)
        if nodes > MAX_YAML_NODES:
            return diagnose(
                "Y202", source.span(start, start + 1), limit=f"{MAX_YAML_NODES:,}", instead=_instead(source)
            )
        if not isinstance(event, AliasEvent | DocumentStartEvent):
            result.events.append(event)
    return None


def _properties(source: Source, event: NodeEvent, result: ParsedEvents, shared: list[Span]) -> None:
    """Note the anchor and the tag of a node.

    They stand before it in any order; its mark is that of the first or of the anchor.
    """
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
    """Return the offset of the tag that stands before an anchor."""
    start = text.rfind("!", 0, at)
    while start > 0 and text[start - 1] not in " \t\r\n,[]{}":
        start -= 1
    return max(start, 0)


# ---------------------------------------------------------------- rule text that ends too early, or lacks the
# sign `|`
PROSE = ("doc", "title", "says", "label", "help", "summary")
_HEAD = re.compile(r"(?P<indent> *)(?P<key>[^\s#:'\"\[\]{}|>-][^#:|>{}\[\]]*):[ \t]*(?:#.*)?\Z")
_BLOCK = re.compile(r"(?P<indent> *)(?:- )*[^#]*?[:\-][ \t]+[|>][0-9+-]*[ \t]*(?:#.*)?\Z")
_BARE_BLOCK = re.compile(r"(?P<indent> *)(?P<key>[A-Za-z_]\w*)[ ]*[|][+-]?[ \t]*\Z")
_SIMPLE = re.compile(  # statements without a colon: they cannot be keys
    "|".join(rf"{row.line}\Z" for row in WRITTEN if row.line and not row.has_block)
)
_ITEMS = r"(?:replace\s+)?(?:def|window)\s+\w+\s*\(.*|(?:before|after|instead\s+of|adjust)\s+\w+\s*\(.*"
_BLOCKS = "|".join(row.line for row in WRITTEN if row.line and row.has_block and not row.may_share_line)
_LINES = "|".join(row.line for row in WRITTEN if row.line and row.may_share_line)
_COLON = re.compile(  # statements with a block below them, or on their line where no title looks like that
    rf"(?:{_LINES}|{_ITEMS}):(?:\s.*)?\Z|(?:{_BLOCKS}|(?:watch|end\s+when)\s[^:]+):\Z"
)
_GROUP = re.compile(r"(?:for|repeat|repeat until|phases|doc|cites|rules|after|before|text):(?:\s|\Z)")


def _begins_like_rules(below: list[str]) -> bool:
    """Tell whether these lines begin like rule text and not like YAML."""
    first = re.sub(r"\s+(?:#.*|@[A-Z]{1,8}-\S+)\Z", "", below[0])
    if _BLOCK.match(first):
        return False
    if _SIMPLE.match(first):
        return len(below) > 1 or ": " in first
    return bool(_COLON.match(first)) and not (
        len(below) > 1 and (_GROUP.match(below[1]) or _BLOCK.match(below[1]))
    )


def left_blocks(source: Source) -> list[Diagnostic]:
    """A diagnostic for each line of rule text that stands too far left, so that the text ends before it."""
    lines = [source.line(number) for number in range(1, source.line_count + 1)]
    found: list[Diagnostic] = []
    end = 0
    while end < len(lines):
        begun = end
        block = _BLOCK.match(lines[end]) if lines[end].rstrip().endswith(("|", "|-", "|+")) else None
        if not block:
            end += 1
            continue
        end = _block_end(lines, begun + 1, len(block["indent"]))
        content = next(
            (len(text) - len(text.lstrip(" ")) for text in lines[begun + 1 : end] if text.strip()), 0
        )
        below = next((text for text in lines[end + 1 :] if text.strip()), "")
        if end >= len(lines) or not content or len(below) - len(below.lstrip(" ")) < content:
            continue
        left = lines[end].strip()
        if _GROUP.match(left) or _BLOCK.match(left) or not (_SIMPLE.match(left) or _COLON.match(left)):
            continue
        start = source.line_start(end + 1)
        indent = len(lines[end]) - len(lines[end].lstrip(" "))
        fix = Fix(source.span(start, start + indent), " " * content, f"indent it by {content}", safe=False)
        found.append(diagnose("Y028", source.span(start + indent, start + len(lines[end].rstrip())), fix=fix))
    return found


def missing_block_signs(source: Source) -> list[Diagnostic]:
    """A diagnostic for each key whose rule text lacks the sign."""
    keys = list(_keys_without_sign(source))
    bare = [key for key in keys if not key.text.endswith(":")]
    if bare:
        return [
            diagnose(
                "Y008",
                key,
                help=f"write `{key.text}: |`",
                fix=Fix(Span(source, key.end, key.end), ":", "add `:`"),
            )
            for key in bare
        ]
    return [
        diagnose("Y021", key, fix=Fix(Span(source, key.end, key.end), " |", "write `|`"), key=key.text[:-1])
        for key in keys
    ]


def _keys_without_sign(source: Source) -> Iterator[Span]:
    """The keys with their colons."""
    lines = [source.line(number) for number in range(1, source.line_count + 1)]
    number = 0
    while number < len(lines):
        line, number = lines[number], number + 1
        block = _BLOCK.match(line)
        if block:
            number = _block_end(lines, number, len(block.group("indent")))
            continue
        bare = _BARE_BLOCK.match(line)
        if bare:
            start = source.line_start(number) + len(bare["indent"])
            yield Span(source, start, start + len(bare["key"]))
            number = _block_end(lines, number, len(bare["indent"]))
            continue
        head = _HEAD.match(line)
        if not head or head.group("key").strip() in PROSE or _COLON.match(line.strip()):
            continue
        end = _block_end(lines, number, len(head.group("indent")))
        below = [
            text.strip() for text in lines[number:end] if text.strip() and not text.strip().startswith("#")
        ]
        if below and _begins_like_rules(below):
            start = source.line_start(number) + len(head.group("indent"))
            yield Span(source, start, start + len(head.group("key")) + 1)
            number = end


def _block_end(lines: list[str], number: int, indent: int) -> int:
    """The number of the first line after `number` that is not indented more."""
    while number < len(lines) and (
        not lines[number].strip() or len(lines[number]) - len(lines[number].lstrip(" ")) > indent
    ):
        number += 1
    return number
