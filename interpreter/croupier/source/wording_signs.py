"""Wordings for signs: brackets, quotes, escapes, tabs, tags, and signs that cannot stand where they do."""

from __future__ import annotations

import re

from croupier.diagnostics import Diagnostic, Fix, Label, Span, diagnose
from croupier.source.characters import name
from croupier.source.trouble import Trouble

_CLOSING = {"[": "]", "{": "}"}
DIRECTIVE = re.compile(r"(?<![^\r\n])%\S*")
_TAG = re.compile(r"![^\s,\[\]{}]*")
_TABS = re.compile(r"\t+")
_TEXT_BEFORE = re.compile(r"""[\w.]+\Z|(?:"[^"\n]*"|'[^'\n]*')[ ]+\Z""")
_OPERATOR = re.compile(r"(?:in|is|and|or|not|otherwise)\b|[=!<>]=|[<>+]")
_ESCAPE = re.compile(r"\\[xuU]?[0-9A-Fa-f]{0,8}")


def tabs(span: Span, *, indents: bool) -> Diagnostic:
    """Tabs: as indentation (where it is unclear how many spaces they stood for) or between words."""
    fix = Fix(span, "  " * len(span.text) if indents else " ", "replace it with spaces", safe=not indents)
    return diagnose("Y002", span, fix=fix)


def first_sign(trouble: Trouble) -> Diagnostic:
    """A sign that cannot begin a value."""
    first = trouble.source.text[trouble.at : trouble.at + 1]
    if first == "\t":
        found = _TABS.match(trouble.source.text, trouble.at)
        return tabs(trouble.span(trouble.at, found.end() if found else None), indents=False)
    return diagnose("Y010", trouble.span(trouble.at), character=name(first))


def anchor_or_alias(trouble: Trouble) -> Diagnostic:
    """`*`, `&` or `!` where no name of an alias, anchor or tag follows."""
    first = trouble.source.text[trouble.began : trouble.began + 1]
    if first == "!":
        return tag(trouble)
    if trouble.at > trouble.began + 1:
        return diagnose("Y101", trouble.span(trouble.began, trouble.at), name=trouble.source.text[trouble.began : trouble.at])
    return diagnose("Y010", trouble.span(trouble.began), character=name(first))


def tag(trouble: Trouble) -> Diagnostic:
    """A tag, well formed or not."""
    found = _TAG.match(trouble.source.text, trouble.began)
    span = trouble.span(trouble.began, found.end() if found else None)
    return diagnose("Y102", span, name=span.text)


def bracket(trouble: Trouble) -> Diagnostic:
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
    return diagnose("Y017", trouble.span(trouble.at), labels=[label])


def _text_with_brackets(trouble: Trouble, opened: str, begun: Span, label: Label) -> Diagnostic:
    """An expression that YAML takes for a value and a list: `[score[Anna] == 30]`, `["sun" in hand]`."""
    what = "a line for each: `- …`" if opened == "[" else "each key on a line of its own"
    return diagnose("Y022", begun, opened=opened, closing=_CLOSING.get(opened, "]"), what=what, labels=[label])


def flow_node(trouble: Trouble) -> Diagnostic:
    """Within brackets, something that cannot begin a value."""
    if trouble.met.startswith("<"):
        opened = _open_bracket(trouble.source.text, trouble.at)
        if opened is not None:
            bracket_sign = trouble.source.text[opened]
            return diagnose("Y004", trouble.span(opened), opened=bracket_sign, closing=_CLOSING[bracket_sign])
    return sign(trouble)


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


def sign(trouble: Trouble) -> Diagnostic:
    """A sign of YAML where a value or a key could begin."""
    span = trouble.words(trouble.at) if trouble.met.startswith("<document") else trouble.span(trouble.at)
    return diagnose("Y016", span, sign=span.text or trouble.met)


def quote(trouble: Trouble) -> Diagnostic:
    """A quote that is never closed."""
    return diagnose("Y005", trouble.span(trouble.began))


def escape(trouble: Trouble) -> Diagnostic:
    """A backslash that begins no escape, or a part of one."""
    start = trouble.source.text.rfind("\\", trouble.began, trouble.at + 1)
    found = _ESCAPE.match(trouble.source.text, start) if start >= 0 else None
    span = trouble.span(start, max(trouble.at + 1, found.end())) if found else trouble.span(trouble.at)
    if span.text.endswith(('"', "\n", "\r")):
        span = trouble.span(span.start, span.end - 1)
    return diagnose("Y009", span, escape=span.text)


def block_header(trouble: Trouble) -> Diagnostic:
    """Something else than indentation and chomping on the line of `|` or `>`."""
    return diagnose("Y012", trouble.span(trouble.at), style=trouble.source.text[trouble.began : trouble.began + 1])


def directive(trouble: Trouble) -> Diagnostic:
    """A line that begins with `%`."""
    span = trouble.words(trouble.began)
    return diagnose("Y105", span, name=span.text)
