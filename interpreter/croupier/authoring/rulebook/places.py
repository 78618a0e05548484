"""Where a rulebook tells each clause of the rules: the headings above the passage, and what kind of passage
it is.

A clause is told by the sentence of a rule that it cites, by an author's explanation (`doc`, or the words on a
card), or by a step; `clauses.py` says which rules tell it, and passages name the places of what they tell.
What only holds other clauses together is told where these are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from croupier.authoring.rulebook.clauses import Clause, acting_definitions, clauses_of
from croupier.authoring.rulebook.document import (
    Block,
    Document,
    HeadingBlock,
    ListBlock,
    Paragraph,
    TableBlock,
    Telling,
)
from croupier.authoring.rulebook.listed import reached
from croupier.authoring.rulebook.sections import bare_book
from croupier.diagnostics import Span
from croupier.resolve.resolved import ResolvedRuleset
from croupier.ruleset import Ruleset

By = Literal["rule", "doc", "step"]


@dataclass(frozen=True, slots=True)
class ToldPlace:
    """A place in a rulebook: the headings that lead to it, and what tells a clause there: the sentence of a
    rule, whose id it is, a `doc` or a step.
    """

    headings: tuple[str, ...]
    by: By
    rule: str = ""

    def __str__(self) -> str:
        where = " › ".join(self.headings) or "in front of the first section"
        return f"{where} ({self.rule})" if self.rule else where


@dataclass(frozen=True)
class Places:
    """The clauses of a ruleset and the places that tell them."""

    clauses: tuple[Clause, ...]
    found: Mapping[Span, ToldPlace]
    by_file: Mapping[str, Sequence[tuple[Span, ToldPlace]]]

    def of(self, clause: Clause) -> ToldPlace | None:
        """The place that tells a clause; `None` if nothing does."""
        return self.found.get(clause.span)

    def at(self, span: Span) -> ToldPlace | None:
        """The place that tells the innermost clause that something stands in; `None` if that is none."""
        around = [
            (clause.end - clause.start, place)
            for clause, place in self.by_file.get(span.source.name, ())
            if clause.start <= span.start < clause.end
        ]
        return min(around, key=lambda one: one[0])[1] if around else None


def places_of(ruleset: Ruleset) -> Places:
    """The clauses of a checked ruleset, each with the place in its rulebook that tells it."""
    return places_in(bare_book(ruleset), ruleset)


def places_in(document: Document, ruleset: Ruleset) -> Places:
    """The clauses of a ruleset, each with its place in a rulebook of it."""
    doc: ResolvedRuleset = ruleset.program.resolved
    clauses = clauses_of(doc, reached(doc), ruleset.rule_ids, acting_definitions(ruleset.program))
    passages = _Passages()
    passages.read(document)
    found: dict[Span, ToldPlace] = {}
    by_file: dict[str, list[tuple[Span, ToldPlace]]] = {}
    for clause in clauses:
        passages.find(clause, found)
    for span, place in found.items():
        by_file.setdefault(span.source.name, []).append((span, place))
    return Places(clauses, found, by_file)


def tellings(document: Document) -> Iterator[tuple[Span, ToldPlace]]:
    """Yield the clauses that passages of a rulebook tell, each with the place of the passage."""
    for headings, block in _under_headings(document):
        if isinstance(block, Paragraph | ListBlock):
            for telling in _tells(block):
                yield telling.span, ToldPlace(headings, telling.by)


def _under_headings(document: Document) -> Iterator[tuple[tuple[str, ...], Block]]:
    """Yield every block but headings, with the headings that it stands under, that of the book left out."""
    above: list[HeadingBlock] = []
    for block in document:
        if isinstance(block, HeadingBlock):
            above = [heading for heading in above if heading.level < block.level]
            above += [block] if block.level > 1 else []
        else:
            yield tuple(heading.text for heading in above), block


def _tells(block: Paragraph | ListBlock) -> Iterator[Telling]:
    """Yield what a block tells, and what the items within it tell."""
    if isinstance(block, Paragraph):
        yield from block.tells
    else:
        yield from (telling for whole in block.items for item in whole.walk() for telling in item.tells)


@dataclass
class _Passages:
    """The passages of a rulebook that tell clauses: by their places, by rules, by the rows of tables."""

    told: dict[Span, ToldPlace] = field(default_factory=dict)
    sentences: dict[str, ToldPlace] = field(default_factory=dict)
    rows: dict[str, ToldPlace] = field(default_factory=dict)

    def read(self, document: Document) -> None:
        """Note the passages of a rulebook."""
        for span, place in tellings(document):
            self.told.setdefault(span, place)
        for headings, block in _under_headings(document):
            if isinstance(block, ListBlock) and block.kind == "rules":
                for item in block.items:
                    rule = item.line[0].text
                    self.sentences.setdefault(rule, ToldPlace(headings, "rule", rule))
            elif isinstance(block, TableBlock):
                for row in block.rows:
                    if row and row[0]:
                        self.rows.setdefault(row[0][0].text, ToldPlace(headings, "doc"))

    def find(self, clause: Clause, found: dict[Span, ToldPlace]) -> None:
        """Find the places of a clause and of those within it.

        What cites no rule, and of which all that stands in it is told, is told there.
        """
        place = self._own(clause)
        if place is not None and clause.row and place.by == "doc":
            found |= {part.span: self._own(part) or place for part in clause.walk()}
            return
        for part in clause.parts:
            self.find(part, found)
        parts = list(clause.separate()) or list(clause.within())
        if place is None and parts and all(part.span in found for part in parts):
            place = found[parts[0].span]
        if place is not None:
            for told in (clause, *clause.within()):
                found.setdefault(told.span, place)

    def _own(self, clause: Clause) -> ToldPlace | None:
        """The place of the passage that tells a clause itself: a sentence of a rule, the row of a component,
        or an explanation or step.
        """
        sentence = next((self.sentences[rule] for rule in clause.ids if rule in self.sentences), None)
        return sentence or self.rows.get(clause.row) or self.told.get(clause.span)
