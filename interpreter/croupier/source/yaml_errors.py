"""The errors of a YAML parser, in words for an author.

The parser's error has a context (what it was scanning) and a problem (what it met). A table of patterns over
these two texts chooses a function that describes the mistake. The function looks at the text around the
error, because the parser notices a mistake later than a person: it notices a bracket that is never closed at
the next colon.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import Event, MappingEndEvent, ScalarEvent, SequenceEndEvent

from croupier.diagnostics import Diagnostic, Fix, Label, Source, Span, diagnose
from croupier.records import dataclass
from croupier.source.files import describe_character
from croupier.source.indentation import out_of_line
from croupier.source.yaml_trials import indent_for_tabs


@dataclass(frozen=True)
class ParserError:
    """An error of the parser: where its construct began, where it was noticed, what was met there, what came
    before.
    """

    source: Source
    began: int
    at: int
    met: str
    last: Event | None

    def span(self, start: int, end: int | None = None) -> Span:
        """The span of one character, or up to `end`; it does not reach beyond the text."""
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


# ---------------------------------------------------------------- signs: brackets, quotes, escapes, tabs,
# tags
_CLOSING = {"[": "]", "{": "}"}
_OPENING = {")": "(", "]": "[", "}": "{"}
LONGEST_TEXT = 60  # characters of a line that help repeats
_DIRECTIVE = re.compile(r"(?<![^\r\n])%\S*")
_TAG = re.compile(r"![^\s,\[\]{}]*")
_TABS = re.compile(r"\t+")
_TEXT_BEFORE = re.compile(r"""[\w.]+\Z|(?:"[^"\n]*"|'[^'\n]*')[ ]+\Z""")
_VALUE_AND_KEY = re.compile(
    r"""[{,]\s*\w+:[ ]+[^,{}\[\]:]*?[^\s,;{}\[\]:](?P<between>[ ]*;[ ]*|[ ]+)(?P<key>\w+)[ ]*\Z"""
)
_OPERATOR = re.compile(r"(?:in|is|and|or|not|otherwise)\b|[=!<>]=|[<>+]")
_ESCAPE = re.compile(r"\\[xuU]?[0-9A-Fa-f]{0,8}")


def _tabs(span: Span, *, indents: bool) -> Diagnostic:
    """Tabs: as indentation, where the lines beside it tell how many spaces they stand for, or between
    words.
    """
    if not indents:
        return diagnose("Y002", span, fix=Fix(span, " ", "replace it with a space"))
    spaces, reads = indent_for_tabs(span.source, span)
    return diagnose(
        "Y002",
        span,
        fix=Fix(span, spaces, f"write {'a space' if spaces == ' ' else f'{len(spaces)} spaces'}", safe=reads),
    )


def _first_sign(error: ParserError) -> Diagnostic:
    """A sign that cannot begin a value."""
    first = error.source.text[error.at : error.at + 1]
    if first == "\t":
        found = _TABS.match(error.source.text, error.at)
        return _tabs(error.span(error.at, found.end() if found else None), indents=False)
    return diagnose("Y010", error.span(error.at), character=describe_character(first))


def _anchor_or_alias(error: ParserError) -> Diagnostic:
    """`*`, `&` or `!` where no name of an alias, anchor or tag follows."""
    first = error.source.text[error.began : error.began + 1]
    if first == "!":
        return _tag(error)
    if error.at > error.began + 1:
        return diagnose(
            "Y101", error.span(error.began, error.at), name=error.source.text[error.began : error.at]
        )
    return diagnose("Y010", error.span(error.began), character=describe_character(first))


def _tag(error: ParserError) -> Diagnostic:
    """A tag, well formed or not."""
    found = _TAG.match(error.source.text, error.began)
    span = error.span(error.began, found.end() if found else None)
    return diagnose("Y102", span, name=span.text)


def _bracket(error: ParserError) -> Diagnostic:
    """Inside brackets, something other than a comma or the closing bracket."""
    opened = error.source.text[error.began : error.began + 1]
    label = Label(error.span(error.began), f"the `{opened}` is here")
    if error.met in ("]", "}"):
        return diagnose("Y016", error.span(error.at), sign=error.met, labels=[label])
    same_line = error.line(error.began) == error.line(error.at)
    if (
        error.met.startswith("<")
        and error.met.endswith(("end>", "start>"))
        or (error.met == ":" and not same_line)
    ):
        return _unclosed(error, label.span, opened)
    if not same_line and not error.source.line(error.line(error.began)).rstrip().endswith((",", opened)):
        return _unclosed(error, label.span, opened)
    if error.met == ":":
        return _missing_comma(error, label) or diagnose("Y003", error.span(error.at))
    text = _TEXT_BEFORE.search(error.source.text, error.began + 1, error.at)
    if text is not None and (error.met in _CLOSING or _OPERATOR.match(error.source.text, error.at)):
        return _text_with_brackets(error, opened, error.span(text.start(), error.at), label)
    begun = error.source.text[error.began + 1 : error.at].rpartition(",")[2]
    # a text behind something else: no quotes of YAML's
    if error.met == "{" and begun.count('"') % 2 == 1 and not begun.lstrip().startswith('"'):
        return diagnose("Y313", error.span(error.at), character=error.met)
    return diagnose("Y017", error.span(error.at), labels=[label])


def _unclosed(error: ParserError, bracket: Span, opened: str) -> Diagnostic:
    """A bracket that is never closed, or that another bracket at the end of its line was meant to close."""
    closing = _CLOSING.get(opened, "]")
    line_end = error.source.text.find("\n", bracket.start)
    line = error.source.text[bracket.end : line_end if line_end >= 0 else len(error.source.text)]
    written = line.partition(" #")[0].rstrip(" \t\r,")
    other = written[-1:]
    if (
        other in (")", "]", "}")
        and other != closing
        and written.count(other) > written.count(_OPENING[other])
    ):
        at = bracket.end + len(written) - 1
        wrong = Label(error.source.span(at, at + 1), f"this is no `{closing}`")
        return diagnose(
            "Y004",
            bracket,
            opened=opened,
            closing=closing,
            labels=[wrong],
            help=f"write `{closing}` instead of `{other}`",
        )
    return diagnose("Y004", bracket, opened=opened, closing=closing)


def _missing_comma(error: ParserError, *labels: Label) -> Diagnostic | None:
    """Within braces, a key behind a value without a comma between them, or with a semicolon."""
    found = _VALUE_AND_KEY.search(error.source.text, error.source.line_start(error.line(error.at)), error.at)
    if found is None or _open_bracket(error.source.text, error.at) is None:
        return None
    between = error.span(found.start("between"), found.end("between"))
    help = "a comma stands between the keys, not a semicolon" if ";" in between.text else "add a comma"
    change = Fix(between, ", ", "write `,`", safe=False)
    return diagnose(
        "Y017", error.span(found.start("key"), found.end("key")), labels=list(labels), help=help, fix=change
    )


def _text_with_brackets(error: ParserError, opened: str, begun: Span, label: Label) -> Diagnostic:
    """An expression that YAML takes for a value and a list: `[score[Anna] == 30]`, `["sun" in hand]`."""
    what = "a line for each: `- …`" if opened == "[" else "each key on a line of its own"
    return diagnose(
        "Y022", begun, opened=opened, closing=_CLOSING.get(opened, "]"), what=what, labels=[label]
    )


def _flow_node(error: ParserError) -> Diagnostic:
    """Within brackets, something that cannot begin a value."""
    if error.met.startswith("<"):
        opened = _open_bracket(error.source.text, error.at)
        if opened is not None:
            return _unclosed(error, error.span(opened), error.source.text[opened])
    return _sign(error)


def _open_bracket(text: str, end: int) -> int | None:
    """The last bracket before an offset that is not closed; brackets in quotes and comments may mislead
    it.
    """
    depth = 0
    for at in range(end - 1, -1, -1):
        if text[at] in "]}":
            depth += 1
        elif text[at] in "[{":
            if depth == 0:
                return at
            depth -= 1
    return None


def _sign(error: ParserError) -> Diagnostic:
    """A sign of YAML where a value or a key could begin."""
    span = error.words(error.at) if error.met.startswith("<document") else error.span(error.at)
    help = (
        f"this `{span.text}` closes nothing: leave it out, or put the text in quotes if it is part of it"
        if span.text in ("]", "}")
        else None
    )
    return diagnose("Y016", span, sign=span.text or error.met, help=help)


def _quote(error: ParserError) -> Diagnostic:
    """A quote that is never closed."""
    return diagnose("Y005", error.span(error.began))


def _escape(error: ParserError) -> Diagnostic:
    """A backslash that begins no escape, or a part of one."""
    start = error.source.text.rfind("\\", error.began, error.at + 1)
    found = _ESCAPE.match(error.source.text, start) if start >= 0 else None
    span = error.span(start, max(error.at + 1, found.end())) if found else error.span(error.at)
    if span.text.endswith(('"', "\n", "\r")):
        span = error.span(span.start, span.end - 1)
    return diagnose("Y009", span, escape=span.text)


def _block_header(error: ParserError) -> Diagnostic:
    """Something else than indentation and chomping on the line of `|` or `>`."""
    return diagnose("Y012", error.span(error.at), style=error.source.text[error.began : error.began + 1])


def _directive(error: ParserError) -> Diagnostic:
    """A line that begins with `%`."""
    span = error.words(error.began)
    return diagnose("Y105", span, name=span.text)


# ---------------------------------------------------------------- layout: keys, items, values and blocks
_ENTRY_WITHOUT_COLON = re.compile(r"(?P<key>\w+)[ ]+(?P<bracket>[{\[])[^}\]]*\Z")
_TIGHT_COLON = re.compile(r"[\w -]+:(?=[^\s:])")


def _colon(error: ParserError) -> Diagnostic:
    """A colon that would make a key where none can be."""
    last = error.last
    first = error.line(last.start_mark.index) if isinstance(last, ScalarEvent) else error.line(error.at)
    if isinstance(last, ScalarEvent) and first < error.line(error.at):
        start = last.start_mark.index
        if last.style in ("'", '"'):
            return diagnose("Y001", error.span(start), problem="a key has to begin and end on one line")
        above = error.words(start)
        if not error.line_words(start).text.strip() or error.line_words(start).start == start:
            return diagnose("Y008", above)
        key = error.line_words(error.at)
        return _below_value(error, key, above)
    if (
        isinstance(last, ScalarEvent)
        and last.end_mark.index == error.at
        and error.line_words(error.at).start == last.start_mark.index
    ):
        return diagnose(
            "Y001", error.span(last.start_mark.index), problem="a key cannot be longer than 1024 characters"
        )
    if error.line_words(error.at).text.startswith("---"):
        return diagnose("Y001", error.span(error.at), problem="a mapping cannot begin on the line of `---`")
    return _second_colon(error)


def _below_value(error: ParserError, key: Span, above: Span) -> Diagnostic:
    """A key that is indented below a value, and how much further than the line of that value."""
    line = error.source.line(error.line(above.start))
    further = error.source.position(key.start)[1] - 1 - (len(line) - len(line.lstrip(" ")))
    if further <= 0:
        return diagnose("Y018", key, labels=[Label(above, "the value")], how="below a line")
    spaces = "1 space" if further == 1 else f"{further} spaces"
    how = f"{spaces} further than the line above"
    return diagnose(
        "Y018",
        key,
        labels=[Label(above, "the value")],
        how=how,
        help=f"take away {spaces}, so that it begins like the line above",
    )


_SECTION = re.compile(r"(?P<name>\w+):")
_ENTRY = re.compile(r"(?P<key>[ ]*(?:- )?[^\s:\"'{\[][^:\"'{\[]*): +(?P<value>\S.*)")
_RULES = frozenset({"definitions", "phases", "scoring", "invariants", "policies", "measures", "powers"})


def _section(error: ParserError) -> str:
    """The section of the file in which an error stands: the last key before it that is not indented."""
    for number in range(error.line(error.at), 0, -1):
        found = _SECTION.match(error.source.line(number))
        if found is not None:
            return found["name"]
    return ""


def _second_colon_help(error: ParserError) -> str | None:
    """Say what to write in place of a line with a second colon, in its own words; `None` if they cannot be
    repeated.
    """
    number = error.line(error.at)
    entry = _ENTRY.fullmatch(error.source.line(number).rstrip())
    if entry is None or len(entry.group().strip()) > LONGEST_TEXT:
        return None
    key, value, section = entry["key"].strip(), entry["value"], _section(error)
    start = error.source.line_start(number) + entry.start("value")
    kind = error.source.text[start : error.at].strip()
    begins = error.source.text[error.at + 1 : start + len(value)].strip()
    if section == "state" and entry["key"].startswith(" ") and begins:
        return f"the value at the start stands behind `=`: `{key}: {kind} = {begins}`"
    if section in _RULES and section != key:
        return (
            f"rule text with a colon stands below its key: write `{key}: |`, and `{value}` on the next "
            f"line, indented further"
        )
    return (
        f'put the text in quotes: `{key}: "{value}"`'
        if section not in _RULES and not set('"\\#') & set(value)
        else None
    )


def _second_colon(error: ParserError) -> Diagnostic:
    """A second colon; where it stands in quotes that a text holds, only a block or a key of its own helps."""
    before = error.line_words(error.at).text
    entry = _ENTRY_WITHOUT_COLON.match(before)
    if entry is not None:
        start = error.line_words(error.at).start
        after = error.span(start + entry.end("key"), start + entry.end("key"))
        write = f"write `{entry['key']}: {entry['bracket']}…`"
        return diagnose(
            "Y008",
            error.span(start, start + entry.end("key")),
            help=write,
            fix=Fix(after, ":", "add `:`", safe=False),
        )
    comma = _missing_comma(error)
    if comma is not None:
        return comma
    within = before.count('"') % 2 == 1
    help = (
        "quotes within a text do not help: put the whole in a block after `|`, or write its parts as keys"
        if within
        else _second_colon_help(error)
    )
    return diagnose("Y003", error.span(error.at), help=help)


def _no_colon(error: ParserError) -> Diagnostic:
    """A line among keys that is no key."""
    line = error.words(error.began)
    if line.text.startswith(("//", "/*", "--")):
        found = diagnose("Y008", line, help="write `#` in its place")
        return replace(found, message=f"a comment begins with `#`, not with `{line.text[:2]}`")
    if line.text.startswith("-") and not line.text.startswith("- "):
        after = error.span(line.start + 1, line.start + 1)
        return diagnose(
            "Y025", error.span(line.start, line.start + 1), fix=Fix(after, " ", "add the space", safe=False)
        )
    above = error.source.line(error.line(error.began) - 1) if error.line(error.began) > 1 else ""
    column = error.source.position(error.began)[1] - 1
    if above[:column].strip() == "" and above[column : column + 2] == "- ":
        before = error.span(error.began, error.began)
        return diagnose("Y026", line, fix=Fix(before, "- ", "add `- `", safe=False))
    tight = _TIGHT_COLON.match(line.text)
    if tight:
        return missing_space(error.span(line.start + tight.end() - 1))
    return diagnose("Y008", error.words(error.began))


def missing_space(_colon: Span) -> Diagnostic:
    """A diagnostic for a colon without the space that would make it end a key."""
    after = Span(_colon.source, _colon.end, _colon.end)
    return diagnose("Y019", _colon, fix=Fix(after, " ", "add the space", safe=False))


def _block_end(error: ParserError) -> Diagnostic:
    """Among the keys of a mapping or the items of a list, something that is neither."""
    last = error.last
    if error.met in ("]", "}", ",", ":"):
        return _sign(error)
    if isinstance(last, ScalarEvent) and last.style in ("|", ">"):
        between = error.source.text[last.start_mark.index : error.at].splitlines()[1:]
        if not last.value and len(between) > 1 and not any(line.strip() for line in between):
            return _blank_lines(error)
    if (
        isinstance(last, ScalarEvent)
        and last.style in ("'", '"')
        and error.line(last.end_mark.index) == error.line(error.at)
    ):
        opened = Label(error.span(last.start_mark.index), "the quote that was closed began here")
        return diagnose("Y015", error.words(error.at), labels=[opened], sign="quote")
    if isinstance(last, (MappingEndEvent, SequenceEndEvent)) and (found := _after_bracket(error, last)):
        return found
    if error.met == "-":
        return diagnose("Y011", error.span(error.at))
    if error.met == "?":
        return _key_among_lines(error)
    return _out_of_line(error)


def _key_among_lines(error: ParserError) -> Diagnostic:
    """A key in the column of the lines that begin with `-`, with the key that those lines belong to."""
    words = error.words(error.at)
    key = words.text.partition(":")[0].strip()
    column = error.source.position(error.at)[1] - 1
    for number in range(error.line(error.at) - 1, 0, -1):
        line = error.source.line(number)
        indent = len(line) - len(line.lstrip(" "))
        owner = line.strip()
        if indent < column and owner.endswith(":") and not owner.startswith(("-", "#")):
            start = error.source.line_start(number) + indent
            label = Label(error.span(start, start + len(owner)), "the lines with `-` belong to this")
            less = column - indent
            spaces = "1 space" if less == 1 else f"{less} spaces"
            help = f"begin it in the column of `{owner}`: {spaces} less"
            return diagnose("Y014", words, key=key, help=help, labels=[label])
    return diagnose("Y014", words, key=key)


def _out_of_line(error: ParserError) -> Diagnostic:
    """A line that begins in a column where no other one does, or words that go on behind a value that has
    ended.
    """
    number = error.line(error.at)
    before = error.source.text[error.source.line_start(number) : error.at].strip()
    if before not in ("", "-"):
        help = 'put the whole value in quotation marks: `"…"`'
        return diagnose(
            "Y006",
            error.words(error.at),
            problem="this goes on where the value before it has ended",
            help=help,
        )
    found = out_of_line(error.source, number)
    return diagnose(
        "Y006", error.words(error.at), problem=found.problem, labels=found.labels, help=found.help
    )


def _after_bracket(error: ParserError, last: Event) -> Diagnostic | None:
    """Text behind a bracket that closed a value on the same line: `says: {p} wins`."""
    closed = last.end_mark.index
    line = error.source.line_start(error.line(error.at))
    sign = error.source.text[closed - 1 : closed]
    begun = error.source.text.rfind({"}": "{", "]": "["}.get(sign, sign), line, closed)
    if sign not in ("}", "]") or begun < 0 or line > closed:
        return None
    whole = error.words(begun)
    opened = Label(error.span(begun), "the bracket that was closed began here")
    fix = (
        None
        if set(whole.text) & set('"\\#')
        else Fix(whole, f'"{whole.text}"', "put the whole value in quotes", safe=False)
    )
    help = (
        "a value that begins with a bracket is a list or a group of keys; a text that does stands in quotes"
    )
    return diagnose("Y015", error.words(error.at), labels=[opened], help=help, fix=fix, sign="bracket")


def _item(error: ParserError) -> Diagnostic:
    """A dash on the line of a key."""
    return diagnose("Y011", error.span(error.at))


def _blank_lines(error: ParserError) -> Diagnostic:
    """Blank lines before the text of a block; the diagnostic is for the widest."""
    number = error.line(error.at)
    widest, blamed = -1, number
    while number > 1 and not error.source.line(number - 1).strip():
        number -= 1
        if len(error.source.line(number)) >= widest:
            widest, blamed = len(error.source.line(number)), number
    start = error.source.line_start(blamed)
    return diagnose("Y013", error.span(start, start + max(0, widest)))


def _after_end(error: ParserError) -> Diagnostic:
    """Something after the only value of a document."""
    last = error.last
    directive = _DIRECTIVE.search(error.source.text, last.end_mark.index if last is not None else 0)
    if directive:
        return diagnose("Y105", error.span(*directive.span()), name=directive.group())
    if error.met in ("]", "}", ",", ":"):
        return _sign(error)
    if (
        isinstance(last, ScalarEvent)
        and last.style in ("'", '"')
        and error.line(last.end_mark.index) == error.line(error.at)
    ):
        return _block_end(error)
    return _out_of_line(error)


def _second_document(error: ParserError) -> Diagnostic:
    """Something on the line of `...`."""
    return diagnose("Y104", error.words(error.at))


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
    found = ParserError(source, began, at, token.group(1) if token else "", last)
    line, _ = source.position(at)
    tab = _TAB_INDENT.match(source.line(line))
    if tab and at <= source.line_start(line) + tab.end(1):
        return _tabs(
            found.span(source.line_start(line) + tab.start(1), source.line_start(line) + tab.end(1)),
            indents=True,
        )
    for in_context, in_problem, describe in _DESCRIPTIONS:
        if in_context in context and in_problem in problem:
            return describe(found)
    return diagnose("Y001", found.span(at), problem="this cannot be read as YAML")


def describe_overflow(source: Source, last: Event | None) -> Diagnostic:
    r"""A diagnostic for what the parser does not locate: `\U` with a number that is no character, a directive
    with a huge number.
    """
    after = last.end_mark.index if last is not None else 0
    directive = _DIRECTIVE.search(source.text, after)
    if directive:
        return diagnose("Y105", source.span(*directive.span()), name=directive.group())
    for match in _FAR_ESCAPE.finditer(source.text, after):
        if int(match.group()[2:], 16) > 0x10FFFF:
            return diagnose("Y009", source.span(*match.span()), escape=match.group())
    return diagnose("Y001", source.span(after, after), problem="this cannot be read as YAML")


Describe = Callable[[ParserError], Diagnostic]

# Texts of the parser's context and problem, and the function that describes them; the first row that fits is
# used.
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
