"""The course of the game: phases, definitions, powers and how it ends, each with its rules and then step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from croupier.authoring.diff import in_force
from croupier.authoring.rulebook import blocks
from croupier.authoring.rulebook.blocks import Block, Heading, Item, Paragraph, Run, line, with_rules
from croupier.authoring.rulebook.endings import endings
from croupier.authoring.rulebook.items import Items
from croupier.authoring.rulebook.loops import loop
from croupier.authoring.rulebook.phrases import Phrases
from croupier.authoring.rulebook.powers import Changers, items_of, titled
from croupier.authoring.rulebook.rules import Rules, ids_of
from croupier.authoring.rulebook.sentences import Decision, Sentences
from croupier.authoring.rulebook.things import told
from croupier.authoring.rulebook.types import Types
from croupier.authoring.rulebook.vocabulary import capital, gaps, listed, name
from croupier.resolve.resolved import ResolvedRuleset
from croupier.schema import Phase, Text
from croupier.semantics.citations import spread
from croupier.syntax import nodes as n
from croupier.syntax import parse_binding, parse_block, parse_expression
from croupier.syntax.cites import find_cites

DEEPEST_HEADING = 6
CALLED = "A name in quotes stands for the rule of that name, which is told here; what stands in brackets behind it is what the rule is given."
ORDER = "“For each player” and “the players take turns” mean the order of play, from seat 1, where no other order is told."
ENDS = "The game ends in one of these ways; what else must be so for it is told at the rule of that name:"
ENDS_TOO = "The game may also end before; what else must be so for it is told at the rule of that name:"


class Course:
    """Writes the sections about what happens; decisions and endings of all of them are collected on the way.

    `alone`: rules are told one by one, without what else changes them.
    """

    def __init__(self, doc: ResolvedRuleset, rules: Rules, alone: bool = False) -> None:
        self.doc, self.rules = doc, rules
        self.say = Phrases(Types(doc))
        self.sentences = Sentences(self.say)
        self.repeated: list[tuple[str, str]] = []  # the groups of phases that are repeated until something is so, each with the words for that
        self.items = Items(self.sentences, Changers(None if alone else doc))

    # ------------------------------------------------------------ phases
    def phases(self) -> Iterator[Block]:
        """The phases in order."""
        if max(self.doc.players.counts) > 1:
            yield Paragraph(line(Run(ORDER, "em")))
        yield from self._phases(self.doc.phases, 3)

    def _phases(self, phases: Sequence[tuple[Text, Phase]], level: int) -> Iterator[Block]:
        for title, phase in phases:
            heading = capital(gaps(title.text))
            yield Heading(min(level, DEEPEST_HEADING), heading)
            yield from told(phase, self.rules)
            if phase.text is not None:
                yield from self._steps(phase.text, heading)
                self.items.endings += endings(self.say, heading, parse_block(phase.text.rule)[0])
                continue
            repeated = self._repeated(phase)
            if repeated:
                yield Paragraph(line(Run(repeated, "em")))
            if phase.repeat_until is not None:
                self.repeated.append((heading, repeated.removesuffix(":")))
            yield from self._phases(phase.phases, level + 1)

    def _repeated(self, phase: Phase) -> str:
        if phase.for_each is not None:
            binding, _ = parse_binding(phase.for_each.rule)
            if binding is not None:
                return loop(self.say, binding.name, binding.source, binding.condition)
        if phase.repeat_until is not None:
            until, _ = parse_expression(phase.repeat_until.rule)
            return f"Again and again until {self.say.condition(until)}:" if until is not None else "Again and again:"
        return "Again and again until the game is over:" if phase.repeat is not None and phase.repeat.value else ""

    def _steps(self, text: Text, place: str) -> Iterator[Block]:
        """The rules that a text cites, then its statements."""
        body, _ = parse_block(text.rule)
        self.sentences.place = place
        yield from self._collected(lambda: blocks.Items(self.sentences.block(body)))

    def _collected(self, make: Callable[[], blocks.Items]) -> Iterator[Block]:
        """The texts of the rules that are cited while a list is made, then the list."""
        self.sentences.cited = {}
        items = make()
        texts = self.rules.texts(self.sentences.cited)
        yield from texts
        if items.items:
            if texts:
                yield Paragraph(line(Run("Step by step:", "em")))
            yield blocks.Items(items.items, "steps") if texts else items

    def ending(self) -> Iterator[Block]:
        """How the game ends and who wins: after the last phase, and wherever else a rule ends it."""
        found = list(dict.fromkeys(self.items.endings))
        if self.repeated:
            yield Paragraph(line(Run("How long phases are repeated:", "em")))
            yield blocks.Items(tuple(Item(line(Run(title, "strong"), f": {words}.")) for title, words in self.repeated))
        if self.doc.scoring is not None:
            yield Paragraph(line(Run("After the last phase:", "em")))
            yield from self._steps(self.doc.scoring, "The end of the game")
        elif not found:
            yield Paragraph(line("Nothing in the rules ends the game."))
        if found:
            yield Paragraph(line(Run(ENDS if self.doc.scoring is None else ENDS_TOO, "em")))
            yield blocks.Items(tuple(ending.item() for ending in found))

    # ------------------------------------------------------------ definitions and powers
    def definitions(self) -> Iterator[Block]:
        """The rules with names, by section."""
        yield Paragraph(line(Run(CALLED, "em")))
        for section, items in zip(self.doc.definitions, in_force(self.doc.definitions), strict=True):
            if section.title is not None and items:
                yield Heading(3, section.title.text)
            yield from self._rules(items)

    def _rules(self, items: Sequence[n.Item], power: str | None = None) -> Iterator[Block]:
        yield from self._collected(lambda: blocks.Items(tuple(self.items.item(i, power) for i in items)))

    def powers(self) -> Iterator[Block]:
        """What single components do, class by class."""
        for title, component in self.doc.components:
            if component.all_powers:
                yield Heading(3, name(title.text))
            rows = {row.id.text: row for row in (component.table.rows if component.table is not None else ()) if row.id is not None}
            for key, text in component.all_powers:
                card = titled(component, key) if key is not None else f"Every {name(title.text)}"
                if key is not None:
                    yield Heading(4, card)
                    if key.text in rows:
                        yield from told(rows[key.text], self.rules)
                yield from self._rules(items_of(text), card)

    # ------------------------------------------------------------ decisions, sayings, what holds
    def decisions(self) -> Iterator[Block]:
        """Every decision of a player, in the order of the rules, with the names of the rules by which it is made."""
        found: dict[str, list[Decision]] = {}
        for decision in self.sentences.decisions:
            found.setdefault(decision.text, []).append(decision)
        if not found:
            yield Paragraph(line("Nobody decides anything."))
            return
        items = []
        for text, same in found.items():
            places = listed(list(dict.fromkeys(d.place for d in same if d.place)))
            head = line(Run(places, "strong"), f": {text}." if places else f"{text}.")
            items.append(Item(with_rules(head, same[-1].rules), tuple(Item(line("only if ", Run(c, "em"))) for c in same[-1].conditions)))
        yield blocks.Items(tuple(items))

    def claims(self) -> Iterator[Block]:
        """What may be said."""
        yield from self.rules.texts(i for _, claim in self.doc.claims for i in ids_of(claim.cites))
        yield Paragraph(line(Run("One may say:", "em")))
        items = []
        for _, claim in self.doc.claims:
            only_if = parse_expression(claim.only_if.rule)[0] if claim.only_if is not None else None
            where = (Item(line(f"only if {self.say.condition(only_if)}")),) if only_if is not None else ()
            items.append(Item(with_rules(line(f"“{gaps(claim.says.text)}”"), ids_of(claim.cites)), where))
        yield blocks.Items(tuple(items))

    def invariants(self) -> Iterator[Block]:
        """What always holds, with the ids of the rules that say so."""
        items = []
        for title, text in self.doc.invariants:
            ids = dict.fromkeys(i for _, cite in find_cites(text.rule) for i in spread(cite))
            items.append(Item(with_rules(line(f"{capital(title.text)}."), ids)))
        yield blocks.Items(tuple(items))
