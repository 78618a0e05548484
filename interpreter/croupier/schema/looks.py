"""The section `table`: what a screen, a page or a rulebook cannot guess about how a game looks. It changes no game."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Self

from croupier.diagnostics import did_you_mean
from croupier.limits import MAX_SYMBOL
from croupier.schema.declaration import Declaration
from croupier.schema.findings import Findings, narrow
from croupier.schema.leaves import NAME, Leaf, Text
from croupier.schema.shapes import Group, Names
from croupier.source import Scalar

COLOURS = {
    "black": "#2e3436", "grey": "#888a85", "white": "#f6f5f4", "red": "#cc2222", "orange": "#e8790c", "gold": "#d4a514", "yellow": "#f2d330",
    "green": "#3c9a2f", "blue": "#2f6fc4", "purple": "#7d4a96", "pink": "#e887b5", "brown": "#8f5a1c",
}  # fmt: skip
_HEX = re.compile(r"#[0-9A-Fa-f]{6}\Z")


def _colour(node: Scalar, findings: Findings) -> None:
    if _HEX.match(node.text) or node.text in COLOURS:
        return
    nearest = did_you_mean(node.text, tuple(COLOURS))
    known = f"`#rrggbb`, or one of {', '.join(COLOURS)}"
    findings.refuse("D112", narrow(node), word=node.text, help=f"did you mean `{nearest}`?" if nearest else f"write {known}")


def _symbol(node: Scalar, findings: Findings) -> None:
    text = node.text
    if not text.strip() or len(text) > MAX_SYMBOL or not text.isprintable():
        findings.refuse("D113", narrow(node), limit=MAX_SYMBOL)


COLOUR = Leaf("a colour", _colour, (("type", "string"),))
SYMBOL = Leaf("a symbol", _symbol, (("type", ["string", "integer"]),))


class ValueLook(Declaration):
    """How a value of an enumeration looks: a `colour`, or the keys `colour` and `symbol`."""

    SHORT: ClassVar[str | None] = "colour"
    HIDDEN: ClassVar[bool] = False
    WANTED: ClassVar[str] = "a colour, or a group of keys"

    colour: Annotated[Text, COLOUR] | None = None
    symbol: Annotated[Text, SYMBOL] | None = None

    def examine(self, findings: Findings) -> Self:
        if self.colour is None and self.symbol is None and not findings.diagnostics:
            findings.refuse("D006", findings.head(self.node), place=findings.place(self.node), keys="`colour` or `symbol`")
        return self


class TableLook(Declaration):
    """How a game looks on a table: values of enumerations, attributes that are large, zones that belong together, state that is a detail."""

    WANTED: ClassVar[str] = "a group of keys"
    KEY_HINTS: ClassVar[dict[str, str]] = {"colours": "values", "colors": "values", "symbols": "values", "groups": "together", "hidden": "details"}

    values: Annotated[tuple[tuple[Text, Annotated[tuple[tuple[Text, ValueLook], ...], Group(NAME, least=1)]], ...], Group()] = ()
    large: Annotated[tuple[tuple[Text, Names], ...], Group()] = ()
    together: Annotated[tuple[tuple[Text, Names], ...], Group(NAME)] = ()
    details: Names | None = None
