"""Words that an option of a decision could have had, whether or not it is offered: a record with other cells, a number that is too large.

What `refused:` names has to read like an option, so that a misspelt one is no proof. The fixed words of a label must be there, and each of its
parts must name something of the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from croupier.runtime.choices import ChooseOp
from croupier.runtime.reasons import folded
from croupier.scenarios.table import Table
from croupier.semantics import types as t

NUMBER = re.compile(r"-?[0-9]+")


def is_named(text: str, table: Table) -> bool:
    """Is this a number, a seat, a component, a cell or a value of a type? `text` is folded."""
    game = table.game
    cells = (name for board in game.boards.values() for name in board.names)
    values = (value for enum in game.program.enums.values() for value in enum.values)
    words = (*game.by_label, *table.looks, *cells, *values, *table.seats.names)
    return NUMBER.fullmatch(text) is not None or any(folded(name) == text for name in words)


def could_read(op: Any, text: str, table: Table) -> bool:
    """Could an option of this decision, the one that is waited for, read like this? `text` is folded."""
    if not isinstance(op, ChooseOp):
        return False
    if _is_value(op.base, text, table):
        return True
    if op.label_fixed is not None:
        prefix = f"{folded(op.label_fixed)}:"
        return text.startswith(prefix) and _is_value(op.base, text.removeprefix(prefix).strip(), table)
    label = op.tree.data[0].label
    return label is not None and _fits(label.data, text, table)


def _is_value(base: t.Type, text: str, table: Table) -> bool:
    match base:
        case t.Int():
            return NUMBER.fullmatch(text) is not None
        case t.Component():
            return any(folded(label) == text for label in (*table.game.by_label, *table.looks))
    return False


def _fits(parts: Iterable[str | None], text: str, table: Table) -> bool:
    """Is this a label, of which every part that is worked out (none) names something?"""
    pattern = r"\s*".join("(.+?)" if part is None else re.escape(folded(part)) for part in parts if part != "")
    found = re.fullmatch(pattern, text)
    return found is not None and any(parts) and all(is_named(word, table) for word in found.groups())
