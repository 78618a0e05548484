"""A rulebook as Markdown, as most readers of it agree on; rule text is folded by `<details>`, which readers
without HTML show open.
"""

from __future__ import annotations

import re
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
    RuleTextBlock,
    TableBlock,
    TextRun,
)
from croupier.diagnostics import sanitise

_SIGNS = re.compile(r"([\\`*_{}\[\]<>|#&~!])")
_LIST = re.compile(r"\A(\s*)([-+]|[0-9]+[.)]|=+)(?=\s|\Z)")  # what would begin a list or underline a heading
_BARE = r"\1\\\2"


def render_markdown(document: Document) -> str:
    """The document as Markdown, with the sections listed after its title."""
    parts: list[str] = []
    for block in document:
        parts.append("\n".join(_block(block)))
        if isinstance(block, HeadingBlock) and block.level == 1:
            parts.append("\n".join(_contents(document)))
    return "\n\n".join(part for part in parts if part) + "\n"


def escape(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _SIGNS.sub(r"\\\1", sanitise(text))


def _contents(document: Document) -> Iterator[str]:
    for block in document:
        if isinstance(block, HeadingBlock) and block.level == 2:
            anchor = re.sub(r"[^a-z0-9 -]", "", block.text.lower()).replace(" ", "-")
            yield f"- [{escape(block.text)}](#{anchor})"


def _block(block: Block) -> Iterator[str]:
    match block:
        case HeadingBlock():
            is_marked = block.is_new and block.level > 2  # links lead to those above
            yield f"{'#' * block.level} {_sign(is_marked)}{escape(block.text)}"
        case Paragraph():
            yield f"{_sign(block.is_new)}{_LIST.sub(_BARE, _line(block.line))}"
        case ListBlock():
            yield from _items(block.items, "")
        case TableBlock():
            yield f"| {' | '.join(escape(h) for h in block.head)} |"
            yield f"|{'---|' * len(block.head)}"
            for number, row in enumerate(block.rows):
                yield f"| {_sign(number in block.new_rows)}{' | '.join(_line(cell) for cell in row)} |"
        case RuleTextBlock():
            yield from _rule_text(block)
        case Example():
            yield from _example(block)
        case PictureBlock():
            if block.words:
                yield from (f"{_sign(block.is_new)}{escape(block.caption)}:", "")
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


def _example(example: Example) -> Iterator[str]:
    rules = f" \\[{', '.join(escape(rule) for rule in example.rules)}\\]" if example.rules else ""
    yield f"> {_sign(example.is_new)}**Example:** {escape(example.title)}{rules}"
    for title, lines, sign in (
        ("At first", example.given, "-"),
        ("What happens", example.course, "1."),
        ("Then", example.result, "-"),
    ):
        if lines:
            yield from (">", f"> *{title}:*", ">")
            yield from (f"> {sign} {_LIST.sub(_BARE, _line(some))}" for some in lines)


def _items(items: tuple[ListItem, ...], indent: str) -> Iterator[str]:
    for item in items:
        yield f"{indent}- {_sign(item.is_new)}{_LIST.sub(_BARE, _line(item.line))}"
        yield from _items(item.items, indent + "  ")


def _line(line: Line) -> str:
    return "".join(_run(run) for run in line)


def _run(run: TextRun) -> str:
    text = escape(run.text)
    inner = text.strip()
    if run.mark in ("plain", "rule", "sign") or not inner:
        return text
    if run.mark == "code":
        return f"<code>{text}</code>"
    marks = {"strong": "**", "em": "*", "del": "~~"}[run.mark]
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{marks}{inner}{marks}{after}"
