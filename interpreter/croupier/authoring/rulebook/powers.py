"""What cards and other rules change: the names of cards that have powers, and which of them change what a rule does."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.authoring.diff import in_force
from croupier.authoring.rulebook.blocks import Item, Run, line
from croupier.authoring.rulebook.vocabulary import capital, listed, name
from croupier.resolve.resolved import ResolvedRuleset
from croupier.schema import Component, Text
from croupier.source import Scalar
from croupier.syntax import nodes as n
from croupier.syntax import parse_module

MANNER = {"instead": "instead of it", "before": "before it", "after": "after it", "adjust": "what it answers"}
TITLES = ("name", "title")  # columns that hold what a card is called


def titled(component: Component, key: Text) -> str:
    """A card by its name, if a column holds it, else by its id."""
    rows = component.table.rows if component.table is not None else ()
    cells = (cell for row in rows if row.id is not None and row.id.text == key.text for cell in row.cells)
    found = [node.text for column, node in cells if column.text in TITLES and isinstance(node, Scalar)]
    return f"{found[0]} ({key.text})" if found else capital(name(key.text))


def items_of(text: Text) -> tuple[n.Item, ...]:
    """What a power consists of."""
    return tuple(item for item in parse_module(text.rule)[0] if isinstance(item, n.Item))


class Changers:
    """For every rule, the powers and the sections of other rules that change it; without a ruleset nothing does."""

    def __init__(self, doc: ResolvedRuleset | None = None) -> None:
        self._found: dict[str, dict[str, dict[str, None]]] = {}  # by rule, then by manner, the titles
        for title, item in _hooks(doc) if doc is not None else ():
            self._found.setdefault(item.pattern.name, {}).setdefault(item.kind, {})[title] = None

    def of(self, rule: str) -> tuple[Item, ...]:
        """A line that says what changes a rule; nothing if nothing does."""
        found = self._found.get(rule, {})
        parts = [f"{listed(list(found[kind]))} ({words})" for kind, words in MANNER.items() if kind in found]
        return (Item(line(Run("Changed by:", "em"), f" {'; '.join(parts)}.")),) if parts else ()


def _hooks(doc: ResolvedRuleset) -> Iterator[tuple[str, n.Hook]]:
    """The hooks of a ruleset, each with the name of what it belongs to."""
    for section, items in zip(doc.definitions, in_force(doc.definitions), strict=True):
        title = f"“{section.title.text}”" if section.title is not None else "another rule"
        yield from ((title, item) for item in items if isinstance(item, n.Hook))
    for kind, component in doc.components:
        for key, text in component.all_powers:
            title = titled(component, key) if key is not None else f"every {name(kind.text)}"
            yield from ((title, item) for item in items_of(text) if isinstance(item, n.Hook))
