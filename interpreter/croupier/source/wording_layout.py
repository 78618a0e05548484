"""Wordings for layout: keys, items, values and blocks that do not stand where they should."""

from __future__ import annotations

import re

from ruamel.yaml.events import ScalarEvent

from croupier.diagnostics import Diagnostic, Fix, Label, Span, diagnose
from croupier.source.trouble import Trouble
from croupier.source.wording_signs import DIRECTIVE, sign

_TIGHT_COLON = re.compile(r"[\w -]+:(?=[^\s:])")


def colon(trouble: Trouble) -> Diagnostic:
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
    return second_colon(trouble)


def second_colon(trouble: Trouble) -> Diagnostic:
    """A second colon; where it stands in quotes that a text holds, only a block or a key of its own helps."""
    before = trouble.line_words(trouble.at).text
    within = before.count('"') % 2 == 1
    help = "quotes within a text do not help: put the whole in a block after `|`, or write its parts as keys" if within else None
    return diagnose("Y003", trouble.span(trouble.at), help=help)


def no_colon(trouble: Trouble) -> Diagnostic:
    """A line among keys that is no key."""
    line = trouble.words(trouble.began)
    tight = _TIGHT_COLON.match(line.text)
    if tight:
        return no_space(trouble.span(line.start + tight.end() - 1))
    return diagnose("Y008", trouble.words(trouble.began))


def no_space(colon: Span) -> Diagnostic:
    """A diagnostic for a colon without the space that would make it end a key."""
    after = Span(colon.source, colon.end, colon.end)
    return diagnose("Y019", colon, fix=Fix(after, " ", "add the space", safe=False))


def block_end(trouble: Trouble) -> Diagnostic:
    """Among the keys of a mapping or the items of a list, something that is neither."""
    last = trouble.last
    if trouble.met in ("]", "}", ",", ":"):
        return sign(trouble)
    if isinstance(last, ScalarEvent) and last.style in ("|", ">"):
        between = trouble.source.text[last.start_mark.index : trouble.at].splitlines()[1:]
        if not last.value and len(between) > 1 and not any(line.strip() for line in between):
            return blank_lines(trouble)
    if isinstance(last, ScalarEvent) and last.style in ("'", '"') and trouble.line(last.end_mark.index) == trouble.line(trouble.at):
        opened = Label(trouble.span(last.start_mark.index), "the quote that was closed began here")
        return diagnose("Y015", trouble.words(trouble.at), labels=[opened])
    if trouble.met == "-":
        return diagnose("Y011", trouble.span(trouble.at))
    if trouble.met == "?":
        return diagnose("Y014", trouble.words(trouble.at))
    return diagnose("Y006", trouble.words(trouble.at))


def item(trouble: Trouble) -> Diagnostic:
    """A dash on the line of a key."""
    return diagnose("Y011", trouble.span(trouble.at))


def blank_lines(trouble: Trouble) -> Diagnostic:
    """Blank lines before the text of a block, of which the widest is to blame."""
    number = trouble.line(trouble.at)
    widest, blamed = -1, number
    while number > 1 and not trouble.source.line(number - 1).strip():
        number -= 1
        if len(trouble.source.line(number)) >= widest:
            widest, blamed = len(trouble.source.line(number)), number
    start = trouble.source.line_start(blamed)
    return diagnose("Y013", trouble.span(start, start + max(0, widest)))


def after_end(trouble: Trouble) -> Diagnostic:
    """Something after the only value of a document."""
    last = trouble.last
    directive = DIRECTIVE.search(trouble.source.text, last.end_mark.index if last is not None else 0)
    if directive:
        return diagnose("Y105", trouble.span(*directive.span()), name=directive.group())
    if trouble.met in ("]", "}", ",", ":"):
        return sign(trouble)
    if isinstance(last, ScalarEvent) and last.style in ("'", '"') and trouble.line(last.end_mark.index) == trouble.line(trouble.at):
        return block_end(trouble)
    return diagnose("Y006", trouble.words(trouble.at))


def second_document(trouble: Trouble) -> Diagnostic:
    """Something on the line of `...`."""
    return diagnose("Y104", trouble.words(trouble.at))
