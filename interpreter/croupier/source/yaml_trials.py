"""Changes of a YAML text that cannot be read, tried before they are proposed: common characters for
look-alikes, a closing quote, spaces for tabs.

The parser notices such a mistake late, and at another place: where the next line does not line up, where the
next quote comes. A change counts if the parser then reads on behind that place. Only texts with a mistake
come here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import Event, ScalarEvent

from croupier.diagnostics import Diagnostic, Fix, Label, Source, Span, diagnose
from croupier.source.indentation import beside_the_lines_below
from croupier.source.lookalikes import (
    DASHES,
    MAX_REPORTED,
    OPENING,
    Lookalike,
    of_characters,
    of_edges,
    of_rule_text,
    replacement,
    space,
    title_of_fix,
)

_KEY_LINE = re.compile(r"""[ \t]*(?:- )*(?:[\w.-]+(?: [\w.-]+)*|"[^"\n]*"|'[^'\n]*'):(?:\s|$)""")
_OPENS = re.compile(r"[:|>]\s*(?:[#@].*)?$")
_INDENT = re.compile(r"[ \t]*")
_CLOSES = re.compile(r"[ \t]*[\]}]*[ \t]*,?[ \t]*$")
SIGNS_OF_YAML = (":", ",", "{", "}", "[", "]")
MAX_ABOVE = 8  # lines above a mistake of indentation that may be its cause
MAX_LINES = 50  # lines before a mistake in which its cause is looked for
MAX_TRIED = 200_000  # characters of a text that is parsed again


def first_mistake(text: str) -> int:
    """Return where the YAML parser notices the first mistake; the length of the text if it notices none."""
    if len(text) > MAX_TRIED:
        return 0
    try:
        for _ in YAML(typ="safe", pure=True).parse(text):
            pass
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return mark.index if mark is not None else 0
    except (OverflowError, ValueError):
        return 0
    return len(text)


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _changed(text: str, signs: Sequence[Lookalike]) -> str:
    pieces: list[str] = []
    at = 0
    for sign in signs:
        pieces += (text[at : sign.start], sign.instead)
        at = sign.end
    return "".join((*pieces, text[at:]))


# ---------------------------------------------------------------- look-alike characters
def misread(source: Source, begun: int, noticed: int) -> list[Diagnostic]:
    """The look-alike characters because of which a text cannot be read; empty if they are not the cause.

    `begun` and `noticed` are the offsets where the mistake may begin and where the parser stopped.
    """
    text = source.text
    if text.isascii():
        return []
    line = source.position(min(noticed, len(text)))[0]
    leading = [sign for number in range(1, line + 1) for sign in _leading(source, number)]
    first = source.position(min(begun, noticed, len(text)))[0]
    beside = [
        sign
        for number in range(max(1, min(line - 1, first), line - MAX_LINES), line + 1)
        for sign in _of_line(source, number)
    ]
    within = [sign for sign in beside if not any(other.start <= sign.start < other.end for other in leading)]
    both = sorted((*within, *leading), key=lambda sign: sign.start)
    for signs in (leading, beside, both):
        grown = sum(len(sign.instead) - (sign.end - sign.start) for sign in signs)
        if signs and first_mistake(_changed(text, signs)) > _line_end(text, noticed) + grown:
            return [lookalike(source, sign) for sign in signs[:MAX_REPORTED]]
    return []


def _leading(source: Source, number: int) -> Iterator[Lookalike]:
    """The spaces that are no common ones among those that a line begins with."""
    line, start = source.line(number), source.line_start(number)
    end = 0
    while end < len(line) and (line[end] in " \t" or space(line[end])):
        end += 1
    strange = [at for at in range(end) if space(line[at])]
    if strange:
        first, last = strange[0], strange[-1] + 1
        sign = of_characters(line[first] * len(strange), start + first, " " * (last - first))
        yield Lookalike(start + first, start + last, sign.what, sign.needed, " " * (last - first))


def _of_line(source: Source, number: int) -> Iterator[Lookalike]:
    """The look-alike characters of a line outside of straight quotes and comments."""
    start = source.line_start(number)
    for sign in of_rule_text(source.line(number)):
        yield Lookalike(start + sign.start, start + sign.end, sign.what, sign.needed, sign.instead, sign.safe)


def lookalike(source: Source, sign: Lookalike) -> Diagnostic:
    """The diagnostic for a look-alike character, with what stands for it."""
    span = source.span(sign.start, sign.end)
    fix = Fix(span, sign.instead, title_of_fix(sign), sign.safe)
    return diagnose("Y023", span, what=sign.what, needed=sign.needed, fix=fix)


def typography(source: Source, start: int, text: str) -> list[Diagnostic]:
    """Diagnostics for the quotes around a plain text, or the spaces, that are no common ones, and so belong
    to it.
    """
    if text.isascii():
        return []
    if (
        text[0] in DASHES
        and text[1:2] == " "
        and not source.text[source.line_start(source.position(start)[0]) : start].strip()
    ):
        return [lookalike(source, of_characters(text[0], start, "-"))]
    if source.text[start : start + len(text)] != text:
        return []
    if len(text) > 1 and text[0] in OPENING and text[-1] in OPENING and not set(text[1:-1]) & {*OPENING, '"'}:
        what = f"a text in typographic quotes ({text[0]} {text[-1]})"
        return [
            lookalike(
                source, Lookalike(start, start + len(text), what, "one in straight quotes", f'"{text[1:-1]}"')
            )
        ]
    signs = (
        of_characters(text[begin:end], start + begin, " " * (end - begin)) for begin, end in of_edges(text)
    )
    return [lookalike(source, sign) for sign in signs]


def signs_in_key(source: Source, start: int, text: str) -> list[Diagnostic]:
    """Diagnostics for the characters in a key that look like signs of YAML or like spaces."""
    if text.isascii():
        return []
    found = []
    edges = [at for begin, end in of_edges(text) for at in range(begin, end)]  # told of every plain text
    for at, character in enumerate(text):
        instead = replacement(character) if at not in edges else None
        if instead is not None and (instead in SIGNS_OF_YAML or not instead.strip()):
            after = text[at + 1 : at + 2]
            spaced = instead + " " if instead in (":", ",") and after.strip() else instead
            sign = of_characters(character, start + at, instead)
            found.append(lookalike(source, Lookalike(sign.start, sign.end, sign.what, sign.needed, spaced)))
    return found


# ---------------------------------------------------------------- quotes
def quote_over_lines(source: Source, last: Event | None, noticed: int) -> Diagnostic | None:
    """A quote that is not closed on its line, so that the text goes on over keys to the quote of another
    text.
    """
    if not isinstance(last, ScalarEvent) or last.style not in ("'", '"'):
        return None
    begun, ended = last.start_mark.index, last.end_mark.index - 1
    line = source.position(begun)[0]
    over = source.text[begun:ended].split("\n")[1:]
    if not any(_KEY_LINE.match(text) for text in over) or source.position(noticed)[0] < line + len(over):
        return None
    return unclosed_quote(
        source, begun, Label(source.span(ended, ended + 1), "the text goes on to this quote")
    )


def unclosed_quote(source: Source, begun: int, label: Label | None = None) -> Diagnostic:
    """The diagnostic for a quote that is not closed on its line; the fix closes it where the text can then be
    read.
    """
    sign = source.text[begun]
    end = _line_end(source.text, begun)
    line = source.text[:end].rstrip()
    closes = _CLOSES.search(line, begun)
    places = [len(line), *(range(closes.start(), len(line)) if closes is not None else ())]
    before = first_mistake(source.text)
    for place in places:
        changed = source.text[:place] + sign + source.text[place:]
        if place > begun + 1 and first_mistake(changed) > max(before + 1, end + 1):
            help = f"add the closing quote after `{source.text[begun + 1 : place][-20:].strip()}`"
            fix = Fix(source.span(place, place), sign, f"write `{sign}`", safe=False)
            return diagnose(
                "Y024", source.span(begun, begun + 1), labels=[label] if label else [], help=help, fix=fix
            )
    return diagnose("Y024", source.span(begun, begun + 1), labels=[label] if label else [])


# ---------------------------------------------------------------- indentation
def first_of_block(source: Source, noticed: int) -> Diagnostic | None:
    """The line above, with those below it, that stands in another column than the line where the mistake was
    noticed; `None` if that is not the cause.

    Each of the lines above is tried; the one counts with which the parser reads furthest, and further than if
    only the line below was moved.
    """
    text, last = source.text, source.position(noticed)[0]
    end, there = source.line_start(last), _indent_of(source.line(last))
    best: tuple[int, int, str] | None = None
    for first in range(last - 1, max(0, last - MAX_ABOVE), -1):
        here = _indent_of(source.line(first))
        if not source.line(first).strip() or here == there:
            continue
        start = source.line_start(first)
        moved = re.sub(
            r"(?m)^ *(?=[^ \n])",
            lambda found, by=there - here: " " * max(0, len(found.group()) + by),  # type: ignore[misc]
            text[start:end],
        )
        reach = first_mistake(text[:start] + moved + text[end:]) - len(moved) + end - start
        if reach > max(_line_end(text, noticed), _reach_alone(text, end, here, there)) and (
            best is None or reach > best[0]
        ):
            best = reach, first, moved
    if best is None:
        return None
    _, first, moved = best
    start, line = source.line_start(first), source.line(first)
    fix = Fix(source.span(start, end), moved, f"indent it by {there}, like the lines below it", safe=False)
    found = beside_the_lines_below(source, first, last)
    span = source.span(start + _indent_of(line), start + len(line.rstrip()))
    return diagnose("Y006", span, problem=found.problem, labels=found.labels, help=found.help, fix=fix)


def _indent_of(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _reach_alone(text: str, start: int, column: int, indent: int) -> int:
    """Return where the parser stops if only the line at an offset, indented by `indent`, stood in another
    column; as an offset of the text as it is.
    """
    changed = text[:start] + " " * column + text[start + indent :]
    found = first_mistake(changed)
    return found - column + indent


# ---------------------------------------------------------------- tabs
def indent_for_tabs(source: Source, span: Span) -> tuple[str, bool]:
    """The spaces for the tabs of an indentation, and whether the lines around it leave no other depth, and
    the text can then be read beyond it.
    """
    number = source.position(span.start)[0]
    above = next((source.line(n) for n in range(number - 1, 0, -1) if source.line(n).strip()), "")
    indent = len(above) - len(above.lstrip(" "))
    below = next(
        (source.line(n) for n in range(number + 1, source.line_count + 1) if source.line(n).strip()), ""
    )
    deeper, opens = (_OPENS.search(line) is not None for line in (above, source.line(number)))
    indent_below = len(below) - len(below.lstrip(" ")) if below.strip() and below[0] != "\t" else None
    widths, is_certain = _widths(indent, deeper, indent_below, opens)
    start = source.line_start(number)
    rest = _INDENT.match(source.text, span.end)
    kept = span.start - start + (rest.end() - span.end if rest is not None else 0)
    for width in widths:
        spaces = " " * max(0, width - kept)
        changed = source.text[: span.start] + spaces + source.text[span.end :]
        if first_mistake(changed) > _line_end(changed, start):
            return spaces, is_certain
    return "  " * len(span.text), False


def _widths(above: int, deeper: bool, below: int | None, opens: bool) -> tuple[list[int], bool]:
    """Return how far a line may be indented, the likeliest first, and whether that is certain: by the
    indentations of the lines above and below.

    `deeper`: the line above opens a block; `opens`: the line itself does.
    """
    if not deeper:
        further_left = [below] if below is not None and below < above and not opens else []
        return [above, *further_left], below is not None and (below > above if opens else below == above)
    if opens or below is None or below <= above:
        return [above + 2], not opens or below is not None and below > above + 2
    return [below, above + 2], True
