"""Going on after a mistake: the statement it stands in is replaced by a marker that the grammar knows, and the text is parsed again.

A marker keeps the indentation and, where there is one, the block below, so that nothing else is reported because of the mistake.
Offsets do not change: a marker is followed by as many blanks as characters it replaces.
"""

from __future__ import annotations

from croupier.syntax.lines import Line, Lines, goes_on

STATEMENT, CONDITION, OPTION, CASE = "\x01", "\x02", "\x03", "\x04"
MARKERS = {"only": CONDITION, "option": OPTION, "case": CASE}
ITEMS = {"def", "replace", "window", "instead", "before", "after", "adjust", "in", "watch", "end"}
BLOCKS = {"if", "elif", "else", "for", "repeat", "match", "case", "may", "choose", "option", "so", "secretly", *ITEMS}


def is_marker(character: str) -> bool:
    """Is this what a replaced statement was replaced by?"""
    return character in (STATEMENT, CONDITION, OPTION, CASE)


def repair(lines: Lines, at: int, start: str, misaligned: bool) -> tuple[str, str]:
    """The text without the statement at an offset, and the code that was lost with it; `start` is the kind of text."""
    texts = [x.text for x in lines.all]
    if misaligned:
        gone = _replace_misaligned(lines, lines.at(at), texts)
    else:
        first, last = lines.statement(lines.at(at))
        foreign = first.word in ITEMS and (start == "block" or first.indent > 0)
        gone = _replace(lines, first, last, texts, foreign)
    return "\n".join(texts), "\n".join(x.code for x in gone)


def _replace(lines: Lines, first: Line, last: Line, texts: list[str], foreign: bool) -> list[Line]:
    """`foreign`: what stands below makes no sense without its head."""
    body = [x for x in lines.all[last.number + 1 :][: len(lines.deeper(first)) + first.number - last.number] if not x.blank]
    before = first.code.lstrip()[:1]
    if before == STATEMENT:  # what replaced it cannot stand here either: nothing can
        for x in (first, *body):
            texts[x.number] = " " * len(x.text)
        return body
    mark = STATEMENT if is_marker(before) else OPTION if before == '"' else MARKERS.get(first.word, STATEMENT)
    while body and goes_on(last, body[0]):  # it belongs to the head, which is gone
        last = body.pop(0)
    keeps_body = bool(body) and not foreign and (last.code.endswith(":") or first.word in BLOCKS)
    gone = lines.all[first.number : last.number + 1]
    texts[first.number] = _padded(first.text[: first.indent] + mark + ":" * keeps_body, first)
    for x in gone[1:] if keeps_body else [*gone[1:], *body]:
        texts[x.number] = " " * len(x.text)
    if keeps_body and first.word == "match":  # its `else` stands among the cases
        for x in body:
            if x.indent == body[0].indent and x.word == "else":
                texts[x.number] = _padded(x.text[: x.indent] + CASE + ":", x)
    return gone if keeps_body else [*gone, *body]


def _replace_misaligned(lines: Lines, line: Line, texts: list[str]) -> list[Line]:
    """A line whose indentation fits no block: it and what stands below it that is deeper than the block around it."""
    outer = line.indent
    for x in reversed(lines.all[: line.number]):
        if not x.blank and x.indent < outer:
            outer = x.indent
            break
    gone = [line]
    for x in lines.all[line.number + 1 :]:
        if not x.blank and x.indent <= outer:
            break
        gone.append(x)
    for x in gone:
        texts[x.number] = " " * len(x.text)
    texts[line.number] = _padded(" " * outer + STATEMENT, line)
    return gone


def _padded(text: str, line: Line) -> str:
    return text + " " * (len(line.text) - len(text))
