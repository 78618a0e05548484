"""What a YAML parser's error means to an author.

The parser tells what it was scanning and what it met; a table of patterns over these two sentences picks who describes it. Each
description looks at the text around the place, because the parser notices a mistake later than a person would see it: a
bracket that is never closed is noticed at the next colon.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import Event, MappingEndEvent, ScalarEvent, SequenceEndEvent

from croupier.diagnostics import Diagnostic, Fix, Label, Source, Span, diagnose
from croupier.source.files import describe_character


@dataclass(frozen=True)
class ParserError:
    """An error of the parser: where its construct began, where it was noticed, what was met there, what came before."""

    source: Source
    began: int
    at: int
    met: str
    last: Event | None

    def span(self, start: int, end: int | None = None) -> Span:
        """A place of one character, or up to `end`, that does not reach beyond the text."""
        length = len(self.source.text)
        return self.source.span(min(start, length), min(start + 1 if end is None else end, length))

    def line(self, offset: int) -> int:
        """The number of the line of an offset."""
        return self.source.position(offset)[0]

    def words(self, offset: int) -> Span:
        """From an offset to the end of its line, without spaces at the end."""
        line, column = self.source.position(offset)
        return self.span(offset, offset + max(1, len(self.source.line(line)[column - 1 :].rstrip())))

    def line_words(self, offset: int) -> Span:
        """The first character of an offset's line that is not a space, up to the offset."""
        line, column = self.source.position(offset)
        text = self.source.line(line)[: column - 1]
        return self.span(offset - len(text.lstrip(" ")), max(offset, offset - len(text.lstrip(" ")) + 1))


# ---------------------------------------------------------------- signs: brackets, quotes, escapes, tabs, tags
_CLOSING = {"[": "]", "{": "}"}
_DIRECTIVE = re.compile(r"(?<![^\r\n])%\S*")
_TAG = re.compile(r"![^\s,\[\]{}]*")
_TABS = re.compile(r"\t+")
_TEXT_BEFORE = re.compile(r"""[\w.]+\Z|(?:"[^"\n]*"|'[^'\n]*')[ ]+\Z""")
_OPERATOR = re.compile(r"(?:in|is|and|or|not|otherwise)\b|[=!<>]=|[<>+]")
_ESCAPE = re.compile(r"\\[xuU]?[0-9A-Fa-f]{0,8}")


def _tabs(span: Span, *, indents: bool) -> Diagnostic:
    """Tabs: as indentation (where it is unclear how many spaces they stood for) or between words."""
    fix = Fix(span, "  " * len(span.text) if indents else " ", "replace it with spaces", safe=not indents)
    return diagnose("Y002", span, fix=fix)


def _first_sign(trouble: ParserError) -> Diagnostic:
    """A sign that cannot begin a value."""
    first = trouble.source.text[trouble.at : trouble.at + 1]
    if first == "\t":
        found = _TABS.match(trouble.source.text, trouble.at)
        return _tabs(trouble.span(trouble.at, found.end() if found else None), indents=False)
    return diagnose("Y010", trouble.span(trouble.at), character=describe_character(first))


def _anchor_or_alias(trouble: ParserError) -> Diagnostic:
    """`*`, `&` or `!` where no name of an alias, anchor or tag follows."""
    first = trouble.source.text[trouble.began : trouble.began + 1]
    if first == "!":
        return _tag(trouble)
    if trouble.at > trouble.began + 1:
        return diagnose("Y101", trouble.span(trouble.began, trouble.at), name=trouble.source.text[trouble.began : trouble.at])
    return diagnose("Y010", trouble.span(trouble.began), character=describe_character(first))


def _tag(trouble: ParserError) -> Diagnostic:
    """A tag, well formed or not."""
    found = _TAG.match(trouble.source.text, trouble.began)
    span = trouble.span(trouble.began, found.end() if found else None)
    return diagnose("Y102", span, name=span.text)


def _bracket(trouble: ParserError) -> Diagnostic:
    """Something other than a comma or the closing bracket within brackets."""
    opened = trouble.source.text[trouble.began : trouble.began + 1]
    label = Label(trouble.span(trouble.began), "opened here")
    if trouble.met in ("]", "}"):
        return diagnose("Y016", trouble.span(trouble.at), sign=trouble.met, labels=[label])
    same_line = trouble.line(trouble.began) == trouble.line(trouble.at)
    if trouble.met.startswith("<") and trouble.met.endswith(("end>", "start>")) or (trouble.met == ":" and not same_line):
        return diagnose("Y004", label.span, opened=opened, closing=_CLOSING.get(opened, "]"))
    if trouble.met == ":":
        return diagnose("Y003", trouble.span(trouble.at))
    text = _TEXT_BEFORE.search(trouble.source.text, trouble.began + 1, trouble.at)
    if text is not None and (trouble.met in _CLOSING or _OPERATOR.match(trouble.source.text, trouble.at)):
        return _text_with_brackets(trouble, opened, trouble.span(text.start(), trouble.at), label)
    begun = trouble.source.text[trouble.began + 1 : trouble.at].rpartition(",")[2]
    if trouble.met == "{" and begun.count('"') % 2 == 1 and not begun.lstrip().startswith('"'):  # a text behind something else: no quotes of YAML's
        return diagnose("Y313", trouble.span(trouble.at), character=trouble.met)
    return diagnose("Y017", trouble.span(trouble.at), labels=[label])


def _text_with_brackets(trouble: ParserError, opened: str, begun: Span, label: Label) -> Diagnostic:
    """An expression that YAML takes for a value and a list: `[score[Anna] == 30]`, `["sun" in hand]`."""
    what = "a line for each: `- …`" if opened == "[" else "each key on a line of its own"
    return diagnose("Y022", begun, opened=opened, closing=_CLOSING.get(opened, "]"), what=what, labels=[label])


def _flow_node(trouble: ParserError) -> Diagnostic:
    """Within brackets, something that cannot begin a value."""
    if trouble.met.startswith("<"):
        opened = _open_bracket(trouble.source.text, trouble.at)
        if opened is not None:
            bracket_sign = trouble.source.text[opened]
            return diagnose("Y004", trouble.span(opened), opened=bracket_sign, closing=_CLOSING[bracket_sign])
    return _sign(trouble)


def _open_bracket(text: str, end: int) -> int | None:
    """The last bracket before an offset that is not closed; brackets in quotes and comments may mislead it."""
    depth = 0
    for at in range(end - 1, -1, -1):
        if text[at] in "]}":
            depth += 1
        elif text[at] in "[{":
            if depth == 0:
                return at
            depth -= 1
    return None


def _sign(trouble: ParserError) -> Diagnostic:
    """A sign of YAML where a value or a key could begin."""
    span = trouble.words(trouble.at) if trouble.met.startswith("<document") else trouble.span(trouble.at)
    return diagnose("Y016", span, sign=span.text or trouble.met)


def _quote(trouble: ParserError) -> Diagnostic:
    """A quote that is never closed."""
    return diagnose("Y005", trouble.span(trouble.began))


def _escape(trouble: ParserError) -> Diagnostic:
    """A backslash that begins no escape, or a part of one."""
    start = trouble.source.text.rfind("\\", trouble.began, trouble.at + 1)
    found = _ESCAPE.match(trouble.source.text, start) if start >= 0 else None
    span = trouble.span(start, max(trouble.at + 1, found.end())) if found else trouble.span(trouble.at)
    if span.text.endswith(('"', "\n", "\r")):
        span = trouble.span(span.start, span.end - 1)
    return diagnose("Y009", span, escape=span.text)


def _block_header(trouble: ParserError) -> Diagnostic:
    """Something else than indentation and chomping on the line of `|` or `>`."""
    return diagnose("Y012", trouble.span(trouble.at), style=trouble.source.text[trouble.began : trouble.began + 1])


def _directive(trouble: ParserError) -> Diagnostic:
    """A line that begins with `%`."""
    span = trouble.words(trouble.began)
    return diagnose("Y105", span, name=span.text)


# ---------------------------------------------------------------- layout: keys, items, values and blocks
_TIGHT_COLON = re.compile(r"[\w -]+:(?=[^\s:])")


def _colon(trouble: ParserError) -> Diagnostic:
    """A colon that would make a key where none can be."""
    last = trouble.last
    first = trouble.line(last.start_mark.index) if isinstance(last, ScalarEvent) else trouble.line(trouble.at)
    if isinstance(last, ScalarEvent) and first < trouble.line(trouble.at):
        start = last.start_mark.index
        if last.style in ("'", '"'):
            return diagnose("Y001", trouble.span(start), problem="a key has to begin and end on one line")
        above = trouble.words(start)
        if not trouble.line_words(start).text.strip() or trouble.line_words(start).start == start:
            return diagnose("Y008", above)
        key = trouble.line_words(trouble.at)
        return diagnose("Y018", key, labels=[Label(above, "the value")])
    if isinstance(last, ScalarEvent) and last.end_mark.index == trouble.at and trouble.line_words(trouble.at).start == last.start_mark.index:
        return diagnose("Y001", trouble.span(last.start_mark.index), problem="a key cannot be longer than 1024 characters")
    if trouble.line_words(trouble.at).text.startswith("---"):
        return diagnose("Y001", trouble.span(trouble.at), problem="a mapping cannot begin on the line of `---`")
    return _second_colon(trouble)


def _second_colon(trouble: ParserError) -> Diagnostic:
    """A second colon; where it stands in quotes that a text holds, only a block or a key of its own helps."""
    before = trouble.line_words(trouble.at).text
    within = before.count('"') % 2 == 1
    help = "quotes within a text do not help: put the whole in a block after `|`, or write its parts as keys" if within else None
    return diagnose("Y003", trouble.span(trouble.at), help=help)


def _no_colon(trouble: ParserError) -> Diagnostic:
    """A line among keys that is no key."""
    line = trouble.words(trouble.began)
    tight = _TIGHT_COLON.match(line.text)
    if tight:
        return missing_space(trouble.span(line.start + tight.end() - 1))
    return diagnose("Y008", trouble.words(trouble.began))


def missing_space(_colon: Span) -> Diagnostic:
    """A diagnostic for a colon without the space that would make it end a key."""
    after = Span(_colon.source, _colon.end, _colon.end)
    return diagnose("Y019", _colon, fix=Fix(after, " ", "add the space", safe=False))


def _block_end(trouble: ParserError) -> Diagnostic:
    """Among the keys of a mapping or the items of a list, something that is neither."""
    last = trouble.last
    if trouble.met in ("]", "}", ",", ":"):
        return _sign(trouble)
    if isinstance(last, ScalarEvent) and last.style in ("|", ">"):
        between = trouble.source.text[last.start_mark.index : trouble.at].splitlines()[1:]
        if not last.value and len(between) > 1 and not any(line.strip() for line in between):
            return _blank_lines(trouble)
    if isinstance(last, ScalarEvent) and last.style in ("'", '"') and trouble.line(last.end_mark.index) == trouble.line(trouble.at):
        opened = Label(trouble.span(last.start_mark.index), "the quote that was closed began here")
        return diagnose("Y015", trouble.words(trouble.at), labels=[opened], sign="quote")
    if isinstance(last, (MappingEndEvent, SequenceEndEvent)) and (found := _after_bracket(trouble, last)):
        return found
    if trouble.met == "-":
        return diagnose("Y011", trouble.span(trouble.at))
    if trouble.met == "?":
        return diagnose("Y014", trouble.words(trouble.at))
    return diagnose("Y006", trouble.words(trouble.at))


def _after_bracket(trouble: ParserError, last: Event) -> Diagnostic | None:
    """Text behind a bracket that closed a value on the same line: `says: {p} wins`."""
    closed = last.end_mark.index
    line = trouble.source.line_start(trouble.line(trouble.at))
    sign = trouble.source.text[closed - 1 : closed]
    begun = trouble.source.text.rfind({"}": "{", "]": "["}.get(sign, sign), line, closed)
    if sign not in ("}", "]") or begun < 0 or line > closed:
        return None
    whole = trouble.words(begun)
    opened = Label(trouble.span(begun), "the bracket that was closed began here")
    fix = None if set(whole.text) & set("\"\\#") else Fix(whole, f'"{whole.text}"', "put the whole value in quotes", safe=False)
    help = "a value that begins with a bracket is a list or a group of keys; a text that does stands in quotes"
    return diagnose("Y015", trouble.words(trouble.at), labels=[opened], help=help, fix=fix, sign="bracket")


def _item(trouble: ParserError) -> Diagnostic:
    """A dash on the line of a key."""
    return diagnose("Y011", trouble.span(trouble.at))


def _blank_lines(trouble: ParserError) -> Diagnostic:
    """Blank lines before the text of a block, of which the widest is to blame."""
    number = trouble.line(trouble.at)
    widest, blamed = -1, number
    while number > 1 and not trouble.source.line(number - 1).strip():
        number -= 1
        if len(trouble.source.line(number)) >= widest:
            widest, blamed = len(trouble.source.line(number)), number
    start = trouble.source.line_start(blamed)
    return diagnose("Y013", trouble.span(start, start + max(0, widest)))


def _after_end(trouble: ParserError) -> Diagnostic:
    """Something after the only value of a document."""
    last = trouble.last
    directive = _DIRECTIVE.search(trouble.source.text, last.end_mark.index if last is not None else 0)
    if directive:
        return diagnose("Y105", trouble.span(*directive.span()), name=directive.group())
    if trouble.met in ("]", "}", ",", ":"):
        return _sign(trouble)
    if isinstance(last, ScalarEvent) and last.style in ("'", '"') and trouble.line(last.end_mark.index) == trouble.line(trouble.at):
        return _block_end(trouble)
    return diagnose("Y006", trouble.words(trouble.at))


def _second_document(trouble: ParserError) -> Diagnostic:
    """Something on the line of `...`."""
    return diagnose("Y104", trouble.words(trouble.at))


# ---------------------------------------------------------------- which description
_TAB_INDENT = re.compile(r" *(\t+)")
_TOKEN = re.compile(r"(?:found|got) \(?['\"](.+?)['\"],?\)?\Z")
_FAR_ESCAPE = re.compile(r"\\U[0-9A-Fa-f]{8}")


def describe_error(source: Source, error: MarkedYAMLError, last: Event | None) -> Diagnostic:
    """A diagnostic for an error of the YAML parser; `last` is the last event before it."""
    problem, context = error.problem or "", error.context or ""
    noticed, begun = error.problem_mark or error.context_mark, error.context_mark or error.problem_mark
    at, began = (mark.index if mark is not None else 0 for mark in (noticed, begun))
    token = _TOKEN.search(problem)
    trouble = ParserError(source, began, at, token.group(1) if token else "", last)
    line, _ = source.position(at)
    tab = _TAB_INDENT.match(source.line(line))
    if tab and at <= source.line_start(line) + tab.end(1):
        return _tabs(trouble.span(source.line_start(line) + tab.start(1), source.line_start(line) + tab.end(1)), indents=True)
    for in_context, in_problem, wording in _DESCRIPTIONS:
        if in_context in context and in_problem in problem:
            return wording(trouble)
    return diagnose("Y001", trouble.span(at), problem="this cannot be read as YAML")


def describe_overflow(source: Source, last: Event | None) -> Diagnostic:
    r"""A diagnostic for what the parser does not locate: `\U` with a number that is no character, a directive with a huge number."""
    after = last.end_mark.index if last is not None else 0
    directive = _DIRECTIVE.search(source.text, after)
    if directive:
        return diagnose("Y105", source.span(*directive.span()), name=directive.group())
    for match in _FAR_ESCAPE.finditer(source.text, after):
        if int(match.group()[2:], 16) > 0x10FFFF:
            return diagnose("Y009", source.span(*match.span()), escape=match.group())
    return diagnose("Y001", source.span(after, after), problem="this cannot be read as YAML")


Describe = Callable[[ParserError], Diagnostic]

# What stands in the parser's context and problem, and who words it; the first that fits.
_DESCRIPTIONS: tuple[tuple[str, str, Describe], ...] = (
    ("scanning for the next token", "cannot start any token", _first_sign),
    ("scanning an alias", "", _anchor_or_alias),
    ("scanning an anchor", "", _anchor_or_alias),
    ("directive", "", _directive),
    ("tag", "", _tag),
    ("parsing a node", "undefined tag handle", _tag),
    ("", "YAML directive", _directive),
    ("", "incompatible YAML document", _directive),
    ("", "duplicate tag handle", _directive),
    ("", "mapping values are not allowed", _colon),
    ("", "found unexpected ':'", _colon),
    ("", "could not find expected ':'", _no_colon),
    ("parsing a flow", "expected ',' or", _bracket),
    ("parsing a flow", "expected the node content", _flow_node),
    ("parsing a block", "expected the node content", _sign),
    ("parsing a block", "expected <block end>", _block_end),
    ("", "sequence entries are not allowed", _item),
    ("", "mapping keys are not allowed", _sign),
    ("quoted scalar", "unexpected end of stream", _quote),
    ("quoted scalar", "unexpected document separator", _quote),
    ("quoted scalar", "escape", _escape),
    ("more indented follow up line", "", _blank_lines),
    ("", "more indented follow up line", _blank_lines),
    ("scanning a block scalar", "", _block_header),
    ("", "after document end marker", _second_document),
    ("", "expected '<document start>'", _after_end),
)
