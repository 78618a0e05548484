"""A rulebook as Markdown, as most readers of it agree on; rule text is folded by `<details>`, which readers
without HTML show open.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from croupier.authoring.rulebook.document import (
    SIGN,
    Block,
    Document,
    Example,
    HeadingBlock,
    Line,
    ListBlock,
    ListItem,
    Paragraph,
    PictureBlock,
    Place,
    RuleTextBlock,
    TableBlock,
    TextRun,
    anchors_of,
    parts_of,
)
from croupier.diagnostics import sanitise

_SIGNS = re.compile(r"([\\`*_{}\[\]<>|#&~!])")
_LIST = re.compile(r"\A(\s*)([-+]|[0-9]+[.)]|=+)(?=\s|\Z)")  # what would begin a list or underline a heading
_BARE = r"\1\\\2"


Anchors = dict[Place, str]


def render_markdown(document: Document) -> str:
    """The document as Markdown, with its sections listed before the first of them."""
    anchors = _anchors(document)
    parts: list[str] = []
    is_listed = False
    for block in document:
        if isinstance(block, HeadingBlock) and block.level == 2 and not is_listed:
            is_listed = True
            parts.append("\n".join(_contents(document, anchors)))
        parts.append("\n".join(_block(block, anchors)))
    return "\n\n".join(part for part in parts if part) + "\n"


def _anchors(document: Document) -> Anchors:
    """The anchors that readers of Markdown give to headings: the words with hyphens, and a number behind
    those that they gave before.
    """
    given = Counter[str]()

    def anchor(_: int, heading: HeadingBlock) -> str:
        title = f"{_sign(_is_marked(heading))}{heading.text}"
        words = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        given[words] += 1
        return words if given[words] == 1 else f"{words}-{given[words] - 1}"

    return anchors_of(document, anchor)


def _is_marked(heading: HeadingBlock) -> bool:
    """Tell whether a heading bears the mark of what is new; those of sections do not."""
    return heading.is_new and heading.level > 2


def escape(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _SIGNS.sub(r"\\\1", sanitise(text))


def _contents(document: Document, anchors: Anchors) -> Iterator[str]:
    for block in document:
        if isinstance(block, HeadingBlock) and block.level == 2:
            yield f"- [{escape(block.text)}](#{anchors[block.text, '']})"


def _block(block: Block, anchors: Anchors) -> Iterator[str]:
    match block:
        case HeadingBlock():
            yield f"{'#' * block.level} {_sign(_is_marked(block))}{escape(block.text)}"
        case Paragraph():
            yield f"{_sign(block.is_new)}{_LIST.sub(_BARE, _line(block.line, anchors))}"
        case ListBlock():
            yield from _items(block.items, "", "1." if block.kind == "numbered" else "-", anchors)
        case TableBlock():
            yield f"| {' | '.join(escape(h) for h in block.head)} |"
            yield f"|{'---|' * len(block.head)}"
            for number, row in enumerate(block.rows):
                cells = " | ".join(_line(cell, anchors) for cell in row)
                yield f"| {_sign(number in block.new_rows)}{cells} |"
        case RuleTextBlock():
            yield from _rule_text(block)
        case Example():
            yield from _example(block, anchors)
        case PictureBlock():
            if block.words or block.rows:
                yield from (f"{_sign(block.is_new)}{escape(block.caption)}:", "")
                yield from _picture(block.rows) if block.rows else ()
                yield from ("",) if block.rows and block.words else ()
                yield from (f"- {_LIST.sub(_BARE, escape(words))}" for words in block.words)


def _sign(is_new: bool) -> str:
    """The mark of something new, and nothing for anything else."""
    return f"{SIGN} " if is_new else ""


def _rule_text(block: RuleTextBlock) -> Iterator[str]:
    """The text in a fence that is longer than any in it, folded unless it is open."""
    text = "\n".join(sanitise(row) for row in block.text.rstrip().split("\n"))
    fence = "`" * max(3, 1 + max((len(found) for found in re.findall(r"`+", text)), default=0))
    if not block.is_open:
        yield from (f"<details><summary>{_sign(block.is_new)}the rule text</summary>", "")
    elif block.is_new:
        yield from (SIGN, "")
    yield from (f"{fence}croupier", text, fence)
    if not block.is_open:
        yield from ("", "</details>")


def _example(example: Example, anchors: Anchors) -> Iterator[str]:
    rules = f" \\[{', '.join(escape(rule) for rule in example.rules)}\\]" if example.rules else ""
    yield f"> {_sign(example.is_new)}**Example:** {escape(example.title)}{rules}"
    for title, lines, picture, is_steps in parts_of(example):
        sign = "1." if is_steps else "-"
        yield from (">", f"> *{title}:*", ">")
        yield from (f"> {sign} {_LIST.sub(_BARE, _line(some, anchors))}" for some in lines)
        if picture:
            yield from (">",) if lines else ()
            yield from (f"> {row}".rstrip() for row in _picture(picture))


def _picture(rows: tuple[str, ...]) -> Iterator[str]:
    """The rows of a text picture in a fence that is longer than any in it."""
    text = [sanitise(row) for row in rows]
    fence = "`" * max(3, 1 + max((len(found) for found in re.findall(r"`+", "\n".join(text))), default=0))
    yield from (f"{fence}text", *text, fence)


def _items(items: tuple[ListItem, ...], indent: str, sign: str, anchors: Anchors) -> Iterator[str]:
    for item in items:
        yield f"{indent}{sign} {_sign(item.is_new)}{_LIST.sub(_BARE, _line(item.line, anchors))}"
        yield from _items(item.items, f"{indent}{' ' * (len(sign) + 1)}", sign, anchors)


def _line(line: Line, anchors: Anchors) -> str:
    return "".join(_run(run, anchors) for run in line)


def _run(run: TextRun, anchors: Anchors) -> str:
    text = escape(run.text)
    inner = text.strip()
    if run.mark in ("plain", "rule", "sign") or not inner:
        shown = text
    elif run.mark == "code":
        shown = f"<code>{text}</code>"
    else:
        marks = {"strong": "**", "em": "*", "del": "~~"}[run.mark]
        before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        shown = f"{before}{marks}{inner}{marks}{after}"
    anchor = anchors.get(run.to) if run.to is not None else None
    return shown if anchor is None else f"[{shown}](#{anchor})"
