"""The passages of a rulebook that players would have to read as code.

What comes in is a checked ruleset; what goes out are warnings (L044), each at its place in the file. The book
is made for that without its examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.authoring.rulebook.document import (
    Block,
    Example,
    Line,
    ListBlock,
    Paragraph,
    RuleTextBlock,
    TableBlock,
)
from croupier.authoring.rulebook.sections import bare_book
from croupier.diagnostics import Diagnostic, Span, diagnose
from croupier.ruleset import Ruleset


def find_unworded(ruleset: Ruleset) -> list[Diagnostic]:
    """Return a warning for each passage of the rulebook that is code outside of a fold, in the order of the
    book.
    """
    passages = dict.fromkeys(_code(bare_book(ruleset)))
    return [diagnose("L044", span, code=f"`{text}`") for text, span in passages]


def _code(blocks: Iterable[Block]) -> Iterator[tuple[str, Span | None]]:
    """Yield what is shown as code, and its place if that is known."""
    for block in blocks:
        if isinstance(block, RuleTextBlock) and block.is_open:
            yield block.text.strip().partition("\n")[0], block.span
        for line in _lines(block):
            yield from ((run.text, run.span) for run in line if run.mark == "code")


def _lines(block: Block) -> Iterator[Line]:
    """Yield the lines of a block."""
    match block:
        case Paragraph():
            yield block.line
        case ListBlock():
            yield from (item.line for whole in block.items for item in whole.walk())
        case TableBlock():
            yield from (cell for row in block.rows for cell in row)
        case Example():
            yield from (*block.given, *block.course, *block.result)
