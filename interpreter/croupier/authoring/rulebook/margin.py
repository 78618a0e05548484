"""The marks in the rulebook of a variant: whatever the rulebook of its base does not have is marked as new.

Blocks, items of lists and rows of tables are compared one by one, wherever they stand in the two books; so
what only moved is not marked. Sections that tell of the variant itself, and the index, are left as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

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
    line,
)


@dataclass
class _Known:
    """The contents of a book, without regard to where they stand."""

    headings: set[str] = field(default_factory=set)
    lines: set[Line] = field(default_factory=set)
    rows: set[tuple[Line, ...]] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    pictures: set[tuple[str, tuple[str, ...], tuple[str, ...]]] = field(default_factory=set)

    def add(self, block: Block) -> None:
        """Note what a block has."""
        match block:
            case HeadingBlock():
                self.headings.add(block.text)
            case Paragraph():
                self.lines.add(block.line)
            case ListBlock():
                self.lines.update(item.line for item in _walk(block.items))
            case TableBlock():
                self.rows.update(block.rows)
            case RuleTextBlock():
                self.texts.add(block.text)
            case PictureBlock():
                self.pictures.add((block.caption, block.words, block.rows))
            case Example():
                pass  # it says itself whether it is the variant's own

    def marked(self, block: Block) -> Block:
        """A block, with what the book does not have marked as new."""
        match block:
            case HeadingBlock():
                return replace(block, is_new=block.text not in self.headings)
            case Paragraph():
                return replace(block, is_new=block.line not in self.lines)
            case ListBlock():
                return replace(block, items=tuple(map(self._item, block.items)))
            case TableBlock():
                return replace(
                    block,
                    new_rows=frozenset(
                        number for number, row in enumerate(block.rows) if row not in self.rows
                    ),
                )
            case RuleTextBlock():
                return replace(block, is_new=block.text not in self.texts)
            case PictureBlock():
                return replace(block, is_new=(block.caption, block.words, block.rows) not in self.pictures)
            case Example():
                return block

    def _item(self, item: ListItem) -> ListItem:
        return replace(item, items=tuple(map(self._item, item.items)), is_new=item.line not in self.lines)


def _walk(items: Iterable[ListItem]) -> Iterator[ListItem]:
    for item in items:
        yield item
        yield from _walk(item.items)


def with_margin(document: Document, base: Document, title: str, unmarked: Callable[[str], bool]) -> Document:
    """The rulebook of a variant, with what its base's does not have marked, and what the mark means; `title`
    is what the base is called.

    `unmarked` tells of the title of a section whether it stays as it is.
    """
    known = _Known()
    for block in base:
        known.add(block)
    found: list[Block] = []
    section = ""
    for block in document:
        if isinstance(block, HeadingBlock) and block.level <= 2:
            section = block.text
        is_title = isinstance(block, HeadingBlock) and block.level == 1
        found.append(block if is_title or unmarked(section) else known.marked(block))
    return tuple(_with_legend(found, title))


def _with_legend(blocks: Iterable[Block], title: str) -> Iterator[Block]:
    """The blocks with a line behind the title that says what this is a variant of and what the mark means."""
    for block in blocks:
        yield block
        if isinstance(block, HeadingBlock) and block.level == 1:
            yield Paragraph(
                line(
                    TextRun(f"A variant of {title}.", "em"),
                    " ",
                    TextRun(SIGN, "sign"),
                    " marks what differs from it.",
                )
            )
