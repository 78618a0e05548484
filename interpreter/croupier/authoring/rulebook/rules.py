"""The rule list in a rulebook: the sentence of a rule stands once, where it is first cited; from then on its id is enough."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from croupier.authoring.rulebook.document import Block, Item, Items, Run, line
from croupier.schema import Text
from croupier.semantics.citations import between, spread
from croupier.syntax.builder import find_cites
from croupier.syntax.lines import Positioned


class RuleSentences:
    """The sentences of the rules (id to tag and sentence), and which of them stand in the document already."""

    def __init__(self, known: Mapping[str, tuple[str, str]]) -> None:
        self.known = known
        self.order = {name: place for place, name in enumerate(known)}
        self.used: set[str] = set()
        self.groups: list[tuple[str, ...]] = []  # the rules of each list that was made, in order

    def sentences(self, ids: Iterable[str]) -> tuple[Block, ...]:
        """The sentences of those rules that do not stand anywhere yet, in the order of the rule list."""
        new = sorted({name for name in ids if name in self.known and name not in self.used}, key=self.order.__getitem__)
        self.used.update(new)
        if not new:
            return ()
        self.groups.append(tuple(new))
        return (Items(tuple(Item(line(Run(name, "rule"), f" {self.known[name][1]}")) for name in new), "rules"),)

    def others(self) -> tuple[Block, ...]:
        """The sentences that nothing cites so far."""
        return self.sentences(self.known)


def ids_of(cites: Iterable[Text]) -> tuple[str, ...]:
    """The ids that a declaration cites, ranges written out."""
    ids: list[str] = []
    for cite in cites:
        first, _, last = cite.text.partition("..")
        last = last if not last or "-" in last else first[: first.rindex("-") + 1] + last
        ids += between(first, last or None)
    return tuple(dict.fromkeys(ids))


def ids_in(text: Positioned) -> Iterator[str]:
    """The ids that a rule text cites, in its order, ranges written out."""
    for _, cite in find_cites(text):
        yield from spread(cite)
