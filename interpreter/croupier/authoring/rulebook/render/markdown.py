"""Markdown, as most readers of it agree on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from croupier.authoring.rulebook.blocks import Block, Document, Heading, Item, Items, Line, Paragraph, Run, Table
from croupier.diagnostics import sanitise

_SIGNS = re.compile(r"([\\`*_{}\[\]<>|#&~!])")
_LIST = re.compile(r"\A(\s*)([-+]|[0-9]+[.)]|=+)(?=\s|\Z)")  # what would begin a list or underline a heading
_BARE = r"\1\\\2"


def render_markdown(document: Document) -> str:
    """The document as Markdown, with the sections listed after its title."""
    parts: list[str] = []
    for block in document:
        parts.append("\n".join(_block(block)))
        if isinstance(block, Heading) and block.level == 1:
            parts.append("\n".join(_contents(document)))
    return "\n\n".join(part for part in parts if part) + "\n"


def escape(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _SIGNS.sub(r"\\\1", sanitise(text))


def _contents(document: Document) -> Iterator[str]:
    for block in document:
        if isinstance(block, Heading) and block.level == 2:
            yield f"- [{escape(block.text)}](#{re.sub(r'[^a-z0-9 -]', '', block.text.lower()).replace(' ', '-')})"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * block.level} {escape(block.text)}"
        case Paragraph():
            yield _LIST.sub(_BARE, _line(block.line))
        case Items():
            yield from _items(block.items, "")
        case Table():
            yield f"| {' | '.join(escape(h) for h in block.head)} |"
            yield f"|{'---|' * len(block.head)}"
            for row in block.rows:
                yield f"| {' | '.join(_line(cell) for cell in row)} |"


def _items(items: tuple[Item, ...], indent: str) -> Iterator[str]:
    for item in items:
        yield f"{indent}- {_LIST.sub(_BARE, _line(item.line))}"
        yield from _items(item.items, indent + "  ")


def _line(line: Line) -> str:
    return "".join(_run(run) for run in line)


def _run(run: Run) -> str:
    text = escape(run.text)
    inner = text.strip()
    if run.mark == "plain" or not inner:
        return text
    marks = {"strong": ("**", "**"), "em": ("*", "*"), "rule": ("", ""), "code": ("", "")}[run.mark]
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}{marks[0]}{inner}{marks[1]}{after}"
