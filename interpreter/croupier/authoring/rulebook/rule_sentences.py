"""The sentences of the rule list, each told once, where the ruleset first cites it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from croupier.authoring.rulebook.document import Block, ListBlock, ListItem, TextRun, line
from croupier.authoring.rulebook.wording import capital
from croupier.schema import Text
from croupier.semantics.context import between, spread
from croupier.syntax.builder import find_cites
from croupier.syntax.lines import Positioned


@dataclass(frozen=True, slots=True)
class Reservations:
    """Of a variant, by the ids of the rules: why sentences do not hold, and remarks beside others."""

    overruled: Mapping[str, str]
    remarks: Mapping[str, str]


class RuleSentences:
    """The sentences of the rules (id to tag and sentence), and which of them stand in the document already;
    of a variant, what is said of them. `names` are what players call cards that sentences name by a number.
    """

    def __init__(
        self,
        known: dict[str, tuple[str, str]],
        said: Reservations,
        names: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.overruled, self.remarks, self.names = said.overruled, said.remarks, names
        self.known = {id: (tag, self.with_names(text)) for id, (tag, text) in known.items()}
        self.order = {name: place for place, name in enumerate(known)}
        self.used: set[str] = set()
        self.held: frozenset[str] = frozenset()  # those that a later part of the book tells, where they act
        self.at_end: frozenset[str] = frozenset()  # of these, those that the section on the end tells
        self.groups: list[tuple[str, ...]] = []  # the rules of each list that was made, in order

    def sentences(self, ids: Iterable[str]) -> tuple[Block, ...]:
        """The sentences of those rules that do not stand anywhere yet, in the order of the rule list."""
        new = sorted(
            {name for name in ids if name in self.known and name not in self.used and name not in self.held},
            key=self.order.__getitem__,
        )
        self.used.update(new)
        if not new:
            return ()
        self.groups.append(tuple(new))
        return (ListBlock(tuple(map(self._item, new)), "rules"),)

    def with_names(self, text: str) -> str:
        """A text with the names of cards for their numbers."""
        return re.sub(r"\w+", lambda found: self.names.get(found[0], found[0]), text)

    def reference(self, ids: Iterable[str]) -> str:
        """The words that refer to sentences that stand elsewhere in the book."""
        return "As told above" if self.used.issuperset(ids) else "As told below"

    def _item(self, name: str) -> ListItem:
        """The sentence of a rule: struck where it is overruled, with a remark where there is one."""
        head, text = TextRun(name, "rule"), self.known[name][1]
        if name in self.overruled:
            return ListItem(
                line(
                    head, " ", TextRun(text, "del"), " ", TextRun(f"Overruled: {self.overruled[name]}.", "em")
                )
            )
        if name in self.remarks:
            return ListItem(line(head, f" {text} ", TextRun(f"{capital(self.remarks[name])}.", "em")))
        return ListItem(line(head, f" {text}"))

    def others(self) -> tuple[Block, ...]:
        """The sentences that nothing cites so far, without those that are overruled."""
        return self.sentences(name for name in self.known if name not in self.overruled)

    def lost(self) -> tuple[Block, ...]:
        """The sentences that are overruled and stand nowhere so far."""
        return self.sentences(self.overruled)


def ids_of(cites: Iterable[Text]) -> tuple[str, ...]:
    """The ids that a declaration cites, ranges written out."""
    ids: list[str] = []
    for cite in cites:
        first, _, last = cite.text.partition("..")
        last = last if not last or "-" in last else f"{first.rpartition('-')[0]}-{last}"
        ids += between(first, last or None)
    return tuple(dict.fromkeys(ids))


def ids_in(text: Positioned) -> Iterator[str]:
    """The ids that a rule text cites, in its order, ranges written out."""
    for _, cite in find_cites(text):
        yield from spread(cite)
