"""The marks in the rulebook of a variant: whatever the rulebook of its base does not have is marked as new.

Blocks, items of lists and rows of tables are compared one by one, wherever they stand in the two books; so
what only moved is not marked. Sections that tell of the variant itself, and the index, are left as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace

from croupier.authoring.rulebook.document import (
    SIGN,
    Block,
    Document,
    Example,
    HeadingBlock,
    ListBlock,
    ListItem,
    Paragraph,
    PictureBlock,
    RuleTextBlock,
    TableBlock,
    TextRun,
    line,
)


def _contents(block: Block) -> Iterator[Hashable]:
    """What a block has, without regard to where it stands: an item of a list or a row of a table each."""
    match block:
        case HeadingBlock() | RuleTextBlock():
            yield type(block), block.text
        case Paragraph():
            yield block.line
        case ListBlock():
            yield from (item.line for whole in block.items for item in whole.walk())
        case TableBlock():
            yield from ((TableBlock, row) for row in block.rows)
        case PictureBlock():
            yield block.caption, block.words, block.rows


def _marked(block: Block, known: frozenset[Hashable]) -> Block:
    """A block, with what is not `known` marked as new; an example says itself whether it is the variant's."""
    match block:
        case Example():
            return block
        case ListBlock():
            return replace(block, items=tuple(_marked_item(item, known) for item in block.items))
        case TableBlock():
            rows = enumerate(_contents(block))
            return replace(block, new_rows=frozenset(number for number, row in rows if row not in known))
    return replace(block, is_new=known.isdisjoint(_contents(block)))


def _marked_item(item: ListItem, known: frozenset[Hashable]) -> ListItem:
    items = tuple(_marked_item(one, known) for one in item.items)
    return replace(item, items=items, is_new=item.line not in known)


def with_margin(document: Document, base: Document, title: str, unmarked: Callable[[str], bool]) -> Document:
    """The rulebook of a variant, with what its base's does not have marked, and what the mark means; `title`
    is what the base is called.

    `unmarked` tells of the title of a section whether it stays as it is.
    """
    known = frozenset(part for block in base for part in _contents(block))
    found: list[Block] = []
    section = ""
    for block in document:
        if isinstance(block, HeadingBlock) and block.level <= 2:
            section = block.text
        is_title = isinstance(block, HeadingBlock) and block.level == 1
        found.append(block if is_title or unmarked(section) else _marked(block, known))
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
