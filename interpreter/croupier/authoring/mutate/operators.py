"""The operators of mutation, and what a mutant is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from croupier.diagnostics import Span

OPERATORS: dict[str, str] = {
    "statement": "drop a statement (with all that stands in it) or an option of a menu",
    "condition": "drop a named condition of a choice",
    "hook": "drop a hook, a watcher or an end",
    "row": "drop a row of a table of components",
    "visibility": "drop who sees or counts something: the default holds",
    "negation": "negate a condition",
    "number": "a number in rule text, in a declaration or as a default becomes one more or one less",
    "value": "a value of an enumeration becomes its neighbour; true becomes false",
}
"""Bounds of types, cells of tables, labels, invariants and limits are not changed: they are no rules, or are tested where they are used."""

Place = tuple[str, int]  # the name of a file and an offset in it: where something that can be executed begins
Key = tuple[str, str, int, int]  # of a rule text: how it is read, its file, its first and last offset


@dataclass(frozen=True)
class Mutant:
    """One change of one clause.

    `id` does not depend on what else stands in the file; `span` is what is changed and `change` says into what; `clause` are the places of
    which a scenario must have executed one to be run (none: all scenarios are); `rules` are those that the clause cites.
    `text` is the rule text that changes: `node` in it becomes `new` (none: it is left out); with no text, a declaration changes.
    """

    id: str
    operator: str
    where: str
    span: Span
    change: str
    rules: tuple[str, ...]
    clause: frozenset[Place] | None
    text: Key | None = None
    node: Any = None
    new: Any = None

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "operator": self.operator,
            "where": self.where,
            "file": self.span.source.name,
            "line": self.span.line,
            "column": self.span.column,
            "change": self.change,
            "rules": list(self.rules),
        }
