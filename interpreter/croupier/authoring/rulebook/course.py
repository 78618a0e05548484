"""The course of the game: phases, definitions, powers and scoring, each with its rules and then step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from croupier.authoring.diff import in_force
from croupier.authoring.rulebook.blocks import Block, Heading, Item, Items, Line, Paragraph, Run, line, with_rules
from croupier.authoring.rulebook.phrases import condition, phrase
from croupier.authoring.rulebook.rules import Rules, ids_of
from croupier.authoring.rulebook.sentences import Sentences, loop
from croupier.authoring.rulebook.things import in_words, told
from croupier.authoring.rulebook.vocabulary import capital, gaps, name
from croupier.resolve.resolved import ResolvedRuleset
from croupier.schema import Phase, Text
from croupier.syntax import nodes as n
from croupier.syntax import parse_binding, parse_block, parse_expression, parse_module

DEEPEST_HEADING = 6
CALLED = "A name in quotes stands for the rule of that name, which is told here; what stands in brackets behind it is what the rule is given."


class Course:
    """Writes the sections about what happens; decisions of all of them are collected in `sentences`."""

    def __init__(self, doc: ResolvedRuleset, rules: Rules) -> None:
        self.doc, self.rules = doc, rules
        self.sentences = Sentences()

    # ------------------------------------------------------------ phases
    def phases(self) -> Iterator[Block]:
        """The phases in order."""
        yield from self._phases(self.doc.phases, 3)

    def _phases(self, phases: Sequence[tuple[Text, Phase]], level: int) -> Iterator[Block]:
        for title, phase in phases:
            yield Heading(min(level, DEEPEST_HEADING), capital(gaps(title.text)))
            yield from told(phase, self.rules)
            if phase.text is not None:
                yield from self._steps(phase.text)
                continue
            repeated = self._repeated(phase)
            if repeated:
                yield Paragraph(line(Run(repeated, "em")))
            yield from self._phases(phase.phases, level + 1)

    def _repeated(self, phase: Phase) -> str:
        if phase.for_each is not None:
            binding, _ = parse_binding(phase.for_each.rule)
            if binding is not None:
                return loop(binding.name, binding.source, binding.condition)
        if phase.repeat_until is not None:
            until, _ = parse_expression(phase.repeat_until.rule)
            return f"Again and again until {condition(until)}:" if until is not None else "Again and again:"
        return "Again and again until the game is over:" if phase.repeat is not None and phase.repeat.value else ""

    def _steps(self, text: Text) -> Iterator[Block]:
        """The rules that a text cites, then its statements."""
        body, _ = parse_block(text.rule)
        yield from self._collected(lambda: Items(self.sentences.block(body)))

    def _collected(self, make: Callable[[], Items]) -> Iterator[Block]:
        """The texts of the rules that are cited while a list is made, then the list."""
        self.sentences.cited = {}
        items = make()
        texts = self.rules.texts(self.sentences.cited)
        yield from texts
        if items.items:
            if texts:
                yield Paragraph(line(Run("Step by step:", "em")))
            yield Items(items.items, "steps") if texts else items

    def scoring(self) -> Iterator[Block]:
        """Who wins."""
        if self.doc.scoring is None:
            yield Paragraph(line("The game ends as its phases say."))
        else:
            yield from self._steps(self.doc.scoring)

    # ------------------------------------------------------------ definitions and powers
    def definitions(self) -> Iterator[Block]:
        """The rules with names, by section."""
        yield Paragraph(line(Run(CALLED, "em")))
        for section, items in zip(self.doc.definitions, in_force(self.doc.definitions), strict=True):
            if section.title is not None and items:
                yield Heading(3, section.title.text)
            yield from self._rules(items)

    def _rules(self, items: Sequence[n.Item]) -> Iterator[Block]:
        yield from self._collected(lambda: Items(tuple(self.item(i) for i in items)))

    def powers(self) -> Iterator[Block]:
        """What single components do, class by class."""
        for title, component in self.doc.components:
            powers = [(key, text) for key, text in component.all_powers]
            if not powers:
                continue
            yield Heading(3, name(title.text))
            rows = {row.id.text: row for row in (component.table.rows if component.table is not None else ()) if row.id is not None}
            for key, text in powers:
                if key is not None:
                    yield Heading(4, self._card(key.text, rows.get(key.text)))
                    row = rows.get(key.text)
                    if row is not None:
                        yield from told(row, self.rules)
                yield from self._rules([item for item in parse_module(text.rule)[0] if isinstance(item, n.Item)])

    @staticmethod
    def _card(key: str, row: Any) -> str:
        """A card by its name, if a column holds it, else by its id."""
        titles = [node.text for column, node in (row.cells if row is not None else ()) if column.text in ("name", "title") and hasattr(node, "text")]
        return f"{titles[0]} ({key})" if titles else capital(name(key))

    def item(self, item: n.Item) -> Item:
        """A definition, hook or watcher: what it is, and below it what it does."""
        rules = self.sentences.ids(item.cites)
        match item:
            case n.Def():
                given = f" (given {'; '.join(_param(p) for p in item.params)})" if item.params else ""
                head = line(Run(capital(name(item.name)), "strong"), f"{given}:")
                return Item(with_rules(head, rules), self.sentences.block(item.body) or (Item(line("Nothing happens.")),))
            case n.Window():
                return Item(with_rules(line(Run(capital(name(item.name)), "strong"), ": a moment at which players may react."), rules))
            case n.Hook():
                return Item(with_rules(self._hook(item), rules), self.sentences.block(item.body))
            case n.Watch():
                new = f" (now {name(item.name)})" if item.name is not None and item.name != "_" else ""
                return Item(with_rules(line(f"As soon as {phrase(item.value)} changes{new}:"), rules), self.sentences.block(item.body))
            case n.EndWhen():
                return Item(with_rules(line(f"As soon as {condition(item.condition)}, the game ends:"), rules), self.sentences.block(item.body))
        return Item(with_rules(line(Run(item.span.text.split("\n")[0], "code")), rules))

    @staticmethod
    def _hook(item: n.Hook) -> Line:
        called = Run(f"“{name(item.pattern.name)}”", "strong")
        named = [a for a in item.pattern.args if not (isinstance(a.value, n.Name) and a.value.name == "_")]
        args = ", ".join(phrase(a.value) if a.name is None else f"{name(a.name)}: {phrase(a.value)}" for a in named)
        given = f" ({args})" if args else ""
        guard = f", if {condition(item.guard)}" if item.guard is not None else ""
        if item.kind == "reaction":
            label = f", as “{''.join(p if isinstance(p, str) else phrase(p) for p in item.label.parts)}”" if item.label is not None else ""
            return line("When ", called, f"{given}{guard}, one may react{label}:")
        if item.kind == "adjust":
            return line("What ", called, f"{given} answers, called {name(item.result or 'n')}, is changed{guard}:")
        words = {"instead": "Instead of ", "before": "Before ", "after": "After "}[item.kind]
        return line(words, called, f"{given}{guard}:")

    # ------------------------------------------------------------ decisions, sayings, what holds
    def decisions(self) -> Iterator[Block]:
        """Every decision of a player, in the order of the rules."""
        found = {d.text: d for d in self.sentences.decisions}
        if not found:
            yield Paragraph(line("Nobody decides anything."))
            return
        yield Items(tuple(
            Item(with_rules(line(f"{d.text}."), d.rules), tuple(Item(line("only if ", Run(c, "em"))) for c in d.conditions)) for d in found.values()
        ))  # fmt: skip

    def claims(self) -> Iterator[Block]:
        """What may be said."""
        yield from self.rules.texts(i for _, claim in self.doc.claims for i in ids_of(claim.cites))
        yield Paragraph(line(Run("One may say:", "em")))
        items = []
        for _, claim in self.doc.claims:
            only_if = parse_expression(claim.only_if.rule)[0] if claim.only_if is not None else None
            where = (Item(line(f"only if {condition(only_if)}")),) if only_if is not None else ()
            items.append(Item(with_rules(line(f"“{gaps(claim.says.text)}”"), ids_of(claim.cites)), where))
        yield Items(tuple(items))

    def invariants(self) -> Iterator[Block]:
        """What always holds."""
        yield Items(tuple(Item(line(f"{capital(title.text)}.")) for title, _ in self.doc.invariants))


def _param(param: n.Param) -> str:
    """What a rule is given, of which type, and what that is where nothing is said."""
    unless = f", {phrase(param.default)} unless said otherwise" if param.default is not None else ""
    return f"{name(param.name)}: {in_words(param.type.span.text)}{unless}"
