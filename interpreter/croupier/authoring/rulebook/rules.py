"""The rule list in a rulebook: the text of a rule stands where it is first cited, from then on its id is enough."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.authoring.rulebook.blocks import Block, Item, Items, Paragraph, Run, Table, line
from croupier.schema import Text
from croupier.semantics.citations import between


class Rules:
    """The texts of the rules, and which have been told."""

    def __init__(self, known: Mapping[str, tuple[str, str]]) -> None:
        self.known = known
        self.order = {name: place for place, name in enumerate(known)}
        self.told: set[str] = set()

    def texts(self, ids: Iterable[str]) -> tuple[Block, ...]:
        """The texts of those rules that have not been told yet."""
        new = sorted({name for name in ids if name in self.known and name not in self.told}, key=self.order.__getitem__)
        self.told.update(new)
        return (Items(tuple(Item(line(Run(name, "rule"), f" {self.known[name][1]}")) for name in new), "rules"),) if new else ()

    def index(self) -> tuple[Block, ...]:
        """Every rule with its tag."""
        if not self.known:
            return (Paragraph(line("The ruleset has no list of rules.")),)
        rows = tuple((line(Run(name, "rule")), line(tag), line(text)) for name, (tag, text) in self.known.items())
        return (Table(("id", "tag", "rule"), rows),)


def ids_of(cites: Iterable[Text]) -> tuple[str, ...]:
    """The ids that a declaration cites, ranges written out."""
    ids: list[str] = []
    for cite in cites:
        first, _, last = cite.text.partition("..")
        last = last if not last or "-" in last else first[: first.rindex("-") + 1] + last
        ids += between(first, last or None)
    return tuple(dict.fromkeys(ids))
