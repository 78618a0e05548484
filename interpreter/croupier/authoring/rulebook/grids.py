"""Values that are written as rows of the same length: told as a table, row by row, as they lie on a board."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.authoring.rulebook.blocks import Block, Paragraph, Run, Table, line
from croupier.authoring.rulebook.things import value
from croupier.source import Sequence

NOTHING = "·"


def is_grid(node: object) -> bool:
    """Whether a value in YAML is a list of lists of the same length."""
    rows = node.items if isinstance(node, Sequence) else ()
    lengths = {len(row.items) if isinstance(row, Sequence) else 0 for row in rows}
    return len(rows) > 1 and len(lengths) == 1 and 0 not in lengths


def grid(node: object, title: str) -> Iterator[Block]:
    """The rows under a title, columns and rows numbered; nothing if the value is no list of rows."""
    if not isinstance(node, Sequence) or not is_grid(node):
        return
    rows = [row.items for row in node.items if isinstance(row, Sequence)]
    cells = [[NOTHING if (words := value(cell)) == "none" else words for cell in row] for row in rows]
    yield Paragraph(line(Run(title, "em")))
    yield Table(("", *map(str, range(1, len(rows[0]) + 1))), tuple((line(str(k)), *map(line, row)) for k, row in enumerate(cells, 1)))
