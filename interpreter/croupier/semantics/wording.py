"""How the story calls zones and phases, and tells changes of state: the texts after `as`, or under `label`; titles with parts in braces.

A text may use everything that a position holds, and some names of its own: `key` for a zone or variable with a key, `value` for what a variable is
now, `self` for the component whose attribute it is. Texts are checked after all declarations, because they may name any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.semantics import types as t
from croupier.semantics.literals import plain_text
from croupier.semantics.program import VarDef, Words, ZoneDef
from croupier.semantics.scope import Local, Scope
from croupier.semantics.tree import Heading, Proc
from croupier.semantics.types import Type
from croupier.semantics.written import Written
from croupier.syntax import nodes as n
from croupier.syntax import parse_template


class Wording(Written):
    """Gathers the labels of zones and variables while they are declared; checks them when everything is."""

    def __init__(self, program: Any) -> None:
        super().__init__(program)
        self.to_word: list[tuple[ZoneDef | VarDef, n.Template]] = []

    def written_label(self, leaf: Any) -> n.Template | None:
        """The text of a `label:` of YAML."""
        return None if leaf is None else self.read(parse_template, plain_text(leaf.node), n.Template(leaf.span, (), ""))

    def worded(self, thing: ZoneDef | VarDef, label: n.Template | None) -> None:
        if label is not None:
            self.to_word.append((thing, label))

    def wordings(self) -> None:
        """Check the texts gathered."""
        for thing, label in self.to_word:
            proc = Proc(-1, f"label of {thing.name}", "label", label.span)
            scope = Scope(proc)
            for name, kind in self.own_names(thing):
                scope.declare(name, kind, label.span)
            thing.words = Words(self.check(label, scope), proc)

    def heading(self, title: Any, outer: Sequence[Local]) -> Heading | None:
        """The title of a phase with parts in braces; none if it is just words."""
        if "{" not in title.text:
            return None
        proc = Proc(-1, f"title of {title.text}", "label", title.span)
        scope = Scope(proc)
        for o in outer:
            scope.declare(o.name, o.type, o.span)
        template = self.read(parse_template, plain_text(title.node), n.Template(title.span, (), ""))
        text = self.check(template, scope)
        return Heading(text, len(proc.slots))

    def own_names(self, thing: ZoneDef | VarDef) -> list[tuple[str, Type]]:
        if isinstance(thing, ZoneDef):
            return [] if thing.key is None else [("key", thing.key)]
        if isinstance(thing.type, t.Map):
            return [("self" if thing.of_class is not None else "key", thing.type.key), ("value", thing.type.value)]
        return [("value", thing.type)]
