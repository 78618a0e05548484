"""The course of the game: what it is about, the set-up, the phases, the rules that they call, and what single
components do.

Every part is told in the sentences of the rules that its text cites, and in steps what no sentence tells; the
text itself stands behind a fold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from croupier.authoring.diff import in_force
from croupier.authoring.rulebook.clauses import Clause, clauses_of, row_tells
from croupier.authoring.rulebook.contents import explained, titled
from croupier.authoring.rulebook.document import (
    Block,
    HeadingBlock,
    Line,
    ListBlock,
    ListItem,
    Paragraph,
    RuleTextBlock,
    Telling,
    TextRun,
    line,
    with_rules,
)
from croupier.authoring.rulebook.ends import NOTHING, ends_of_block, ends_of_item, together
from croupier.authoring.rulebook.listed import Section, names_called, reached
from croupier.authoring.rulebook.listeners import told_item
from croupier.authoring.rulebook.rule_sentences import RuleSentences, ids_in, ids_of
from croupier.authoring.rulebook.steps import END, Known, steps, uncovered_only
from croupier.authoring.rulebook.wording import (
    capital,
    code,
    gaps,
    listed,
    name,
    prose,
    worded,
)
from croupier.diagnostics import Source
from croupier.resolve.resolved import ResolvedRuleset
from croupier.schema import Component, Phase, Text
from croupier.schema.sections import each_phase
from croupier.semantics.context import spread
from croupier.source import whole
from croupier.syntax import nodes as n
from croupier.syntax import parse_block, parse_expression, parse_module
from croupier.syntax.builder import find_cites
from croupier.syntax.lines import Positioned
from croupier.syntax.phrases import phrase

PLAY, ONE_BY_ONE = "Play", "The rules one by one"  # the sections that tell phases and definitions
DEEPEST_HEADING = 6
MANY_RULES = 8  # whose numbers nobody looks up one by one
_FINISH = re.compile(r"\bfinish\b")
_EACH = re.compile(r"(\w+) in ((?:[^()]|\((?:[^()]|\([^()]*\))*\))+?)(?: if (.+))?")
_OF_PLAYERS = re.compile(r"(turns|seats|clockwise)\(.*|players\b.*")
_NUMBER = re.compile(r"[\w.]+ [-+] \d+|\d+ [-+] [\w.]+|[\w.]+\.size")
_ACTED = re.compile(r"\bchoose\b|\bopen\b|\bturns\(")


def is_repeated(phase: Phase) -> bool:
    """Tell whether a phase, or one inside of it, is played again and again."""
    return any((phase.for_each, phase.repeat, phase.repeat_until)) or any(
        is_repeated(inner) for _, inner in phase.phases
    )


def _letters(text: str) -> str:
    return re.sub(r"\W", "", text).casefold()


class Course:
    """Writes the sections about what happens, each rule's sentence once."""

    def __init__(self, doc: ResolvedRuleset, rules: RuleSentences, acting: frozenset[str]) -> None:
        """`acting` are the definitions that change or decide something."""
        self.doc, self.rules = doc, rules
        self.sections = reached(doc)
        self.clauses: tuple[Clause, ...] = clauses_of(doc, self.sections, rules.known, acting)
        self.by_name = {item.name: item for section in self.sections for item in section.items if item.name}
        self._texts = {name: (item.text,) for name, item in self.by_name.items()}
        covered = {clause.span for each in self.clauses for clause in each.walk() if clause.ids}
        self.known = Known(
            {title.text: zone.holds.text for title, zone in doc.zones}, acting, frozenset(covered)
        )
        self.told: list[Section] = []  # those that stand in the book already
        self.of_modules = {source.name for used in doc.modules for source in used.loaded.sources}

    def acting(self) -> frozenset[str]:
        """The rules that the phases tell: these stand there, and not with the places and components that they
        are about.
        """
        return frozenset(i for leaf in self._leaves(self.doc.phases) for i in self._ids_of(leaf))

    def called(self) -> frozenset[str]:
        """The rules that the phases tell and those of the definitions that they call."""
        items = (
            self.by_name[each] for each in self._called([leaf.text for leaf in self._leaves(self.doc.phases)])
        )
        return self.acting() | frozenset(i for item in items for i in item.ids)

    def _ids_of(self, leaf: Text, within: Sequence[Section] = ()) -> tuple[str, ...]:
        """The rules that the text of a phase cites, and those of the definitions that it calls, of modules
        and of some sections.
        """
        called = [self.by_name[each] for each in self._called([leaf.text])]
        told = [
            item
            for item in called
            if item.span.source.name in self.of_modules or any(item in section.items for section in within)
        ]
        return tuple(dict.fromkeys((*ids_in(leaf.rule), *(i for item in told for i in item.ids))))

    # ------------------------------------------------------------ the aim
    def rules_of_the_end(self) -> list[str]:
        """Return the rules that end the game or say who wins, and those that they call."""
        texts = [
            leaf.text for leaf in (self.doc.scoring, *self._conditions(self.doc.phases)) if leaf is not None
        ]
        ids = self.rules_of_ends()
        for called in self._called(texts):
            ids += self.by_name[called].ids
        return ids

    def rules_of_ends(self) -> list[str]:
        """Return the rules that are cited where the game ends: in the scoring first, and then elsewhere."""
        ids = list(ids_in(self.doc.scoring.rule)) if self.doc.scoring is not None else []
        for _, phase in each_phase(self.doc.phases):
            ids += ids_of(phase.cites) if phase.repeat_until is not None else ()  # what it goes on until
        for leaf in self._leaves(self.doc.phases):
            ids += self._ids_of_finishes(leaf.rule)
        for section in self.sections:
            for item in section.items:
                ids += (
                    (self._ids_of_finishes(whole(Source("definition", item.text))) or item.ids)
                    if _FINISH.search(item.text)
                    else ()
                )
        return ids

    def aim(self) -> Iterator[Block]:
        """Yield the section on when the game ends and who wins: the rules that end it and those that they
        call.
        """
        ids = self.rules_of_the_end()
        yield from self.rules.sentences(ids)
        for title, phase in each_phase(self.doc.phases):
            if phase.repeat_until is not None and not ids:
                yield Paragraph(
                    line(
                        TextRun(capital(gaps(title.text)), "strong"),
                        " is repeated until ",
                        worded(phase.repeat_until.text, phase.repeat_until.span),
                        ".",
                    )
                )
        yield from self._ends()
        if self.doc.scoring is not None:
            at_end = replace(self.known, is_end=True)
            if items := tuple(steps(parse_block(self.doc.scoring.rule)[0], at_end)):
                yield ListBlock(items)
            yield RuleTextBlock(self.doc.scoring.text, "block")

    def _ends(self) -> Iterator[Block]:
        """Under which conditions the game ends, and who wins then, as far as no sentence tells it; of a
        variant also what it has otherwise.
        """
        found = [*self._all_ends(self.doc, self.known)]
        if self.doc.base is not None:
            nothing = replace(self.known, covered=frozenset())
            before = {*found, *self._all_ends(self.doc.origin, nothing)}
            found += (
                replace(end, tells=()) for end in self._all_ends(self.doc, nothing) if end not in before
            )
        if found:
            yield ListBlock(together(found))

    def _all_ends(self, doc: ResolvedRuleset, known: Known) -> Iterator[ListItem]:
        """Yield the ends of the game in the phases, definitions, hooks, watchers and powers of a ruleset."""
        for leaf in self._leaves(doc.phases):
            yield from ends_of_block(parse_block(leaf.rule)[0], NOTHING, known)
        if doc is self.doc:
            items = [listed.item for section in self.sections for listed in section.items]
        else:
            items = [item for section in in_force(doc.definitions) for item in section]
        for _, component in doc.components:
            for key, text in component.all_powers:
                if not row_tells(component, key):
                    items += (item for item in parse_module(text.rule)[0] if isinstance(item, n.Item))
        for item in items:
            yield from ends_of_item(item, known)

    def _ids_of_finishes(self, rule: Positioned) -> list[str]:
        """Return the rules that are cited on the lines of a text that end the game."""
        text, found = rule.text, []
        for at, cite in find_cites(rule):
            first = text.rfind("\n", 0, at) + 1
            if _FINISH.search(text[first:at]):
                found += spread(cite)
        return found

    def _called(self, texts: Iterable[str]) -> list[str]:
        """The definitions that some texts call, and those that these call."""
        return names_called(texts, self._texts)

    def _conditions(self, phases: Sequence[tuple[Text, Phase]]) -> Iterator[Text | None]:
        return (phase.repeat_until for _, phase in each_phase(phases))

    def _leaves(self, phases: Sequence[tuple[Text, Phase]]) -> Iterator[Text]:
        return (phase.text for _, phase in each_phase(phases) if phase.text is not None)

    # ------------------------------------------------------------ set-up and play
    def _first(self) -> int:
        """Return the number of phases at the beginning that happen once, before anything is repeated; if
        nothing is, before anybody has a turn or chooses.
        """
        phases = self.doc.phases
        repeated = next((k for k, (_, phase) in enumerate(phases) if is_repeated(phase)), None)
        if repeated is not None:
            return repeated
        texts = [phase.text.text if phase.text is not None else "" for _, phase in phases]
        acted = (
            k
            for k, text in enumerate(texts)
            if any(_ACTED.search(t) for t in (text, *(self.by_name[d].text for d in self._called([text]))))
        )
        return min(next(acted, 0), len(phases) - 1)

    def set_up(self) -> Iterator[Block]:
        """The phases before the first that is repeated."""
        yield from self._phases(self.doc.phases[: self._first()], 3, "Set-up")

    def play(self) -> Iterator[Block]:
        """The other phases, in order."""
        yield from self._in_order(self.doc.phases[self._first() :])
        yield from self._phases(self.doc.phases[self._first() :], 3, PLAY)

    def overview(self) -> Iterator[Block]:
        """Yield the phases of play as a numbered list, each with what it is about and a link to where it is
        told; nothing where there is but one.
        """
        phases = self.doc.phases[self._first() :]
        if sum(1 for _ in each_phase(phases)) > 1:
            yield ListBlock(tuple(self._overview_of(phases, set())), "numbered")

    def _overview_of(self, phases: Sequence[tuple[Text, Phase]], known: set[str]) -> Iterator[ListItem]:
        """Yield the phases, and below each those within it; `known` are the rules that were named already."""
        for title, phase in phases:
            heading = capital(self._title(title, phase))
            parts = [TextRun(heading, "strong", (PLAY, heading)), *self._in_short(title, phase, known)]
            yield ListItem(line(*parts), tuple(self._overview_of(phase.phases, known)))

    def _in_short(self, title: Text, phase: Phase, known: set[str]) -> Iterator[str | TextRun]:
        """Yield what a phase is about, in a sentence: for whom or how often, its explanation, or its first
        rule.
        """
        own = self._cited(title, phase)
        new = {i for i in own if i in self.rules.order and i not in known}
        ids = sorted(new, key=self.rules.order.__getitem__)
        known.update(ids)
        if phase.for_each is not None:
            first, *rest = self._for_each(phase.for_each)
            words = first.text if isinstance(first, TextRun) else first
            yield from (": ", words[:1].lower() + words[1:], *rest)
        elif phase.doc is not None:
            yield f": {prose(phase.doc.text).partition('. ')[0].rstrip('.')}"
        elif ids:
            yield f": {self.rules.known[ids[0]][1]}"
        elif phase.repeat_until is not None:
            yield from (", again and again until ", worded(phase.repeat_until.text))

    def _cited(self, title: Text, phase: Phase) -> tuple[str, ...]:
        """The rules that a phase cites; of one that cites none, those of the section with its title."""
        if phase.text is None:
            return ids_of(phase.cites)
        named = self._named(title)
        within = () if named is None else (named,)
        return tuple(ids_in(phase.text.rule)) or self._ids_of(phase.text, within)

    def _phases(
        self, phases: Sequence[tuple[Text, Phase]], level: int, above: str, within: tuple[Section, ...] = ()
    ) -> Iterator[Block]:
        """The phases, each below a heading, but where one alone is called as what stands `above` it.

        The definitions of a section that is called as a phase are told `within` it.
        """
        for title, phase in phases:
            heading = capital(self._title(title, phase))
            if len(phases) > 1 or _letters(heading) != _letters(above):
                yield HeadingBlock(min(level, DEEPEST_HEADING), heading)
            before = len(self.rules.groups)
            yield from explained(phase, self.rules)
            named = self._named(title)
            within = (*within, named) if named is not None else within
            if phase.text is not None:
                ids = self._ids_of(phase.text, within)
                yield from self.rules.sentences(ids)
                told = len(self.rules.groups) > before or phase.doc is not None
                if not told and ids:
                    yield Paragraph(self._reference(ids))
                new = tuple(self._new_steps(title.text, phase.text)) if told or ids else ()
                yield from new or self._steps_of(phase.text)
                yield RuleTextBlock(phase.text.text, "block")
            else:
                yield from self._repeated(
                    phase, told=len(self.rules.groups) > before or phase.doc is not None
                )
                yield from self._in_order(phase.phases)
                yield from self._phases(phase.phases, level + 1, heading, within)
            if named is not None:
                within = within[:-1]
                yield from self._section(named, in_phase=True)

    def _reference(self, ids: Iterable[str]) -> Line:
        """The words that refer to sentences elsewhere in the book, and their numbers where these are few."""
        ids = tuple(dict.fromkeys(ids))
        rest = set(ids) - self.rules.used
        words = f"As told under “{END}”" if rest and rest <= self.rules.at_end else self.rules.reference(ids)
        return with_rules(line(words), ids) if len(ids) <= MANY_RULES else line(f"{words}.")

    def _steps_of(self, text: Text) -> Iterator[Block]:
        """Yield the steps of a phase that no sentence tells; where it only calls a definition, the section
        that tells this.
        """
        block = parse_block(text.rule)[0]
        section = self._section_of(block)
        if section and block[0].span not in self.known.covered:
            tells = tuple(Telling(s.span, "step") for s in block)
            there = TextRun(section, to=(ONE_BY_ONE, section))
            yield Paragraph(line(f"As told in “{ONE_BY_ONE}”, under “", there, "”."), tells=tells)
        elif items := tuple(steps(block, self.known)):
            yield ListBlock(items)

    def _new_steps(self, title: str, text: Text) -> Iterator[Block]:
        """Yield the steps of a phase in a variant that its base does not have; nothing for a phase that is
        new, or that says the same.
        """
        before = (
            {}
            if self.doc.base is None
            else {each.text: phase.text for each, phase in each_phase(self.doc.origin.phases)}
        )
        old = before.get(title)
        if old is None or old.text == text.text:
            return
        everything = replace(self.known, covered=frozenset())
        uncovered = set(steps(parse_block(text.rule)[0], self.known))
        known = set(steps(parse_block(old.rule)[0], everything)) - uncovered
        found = tuple(
            uncovered_only(item, self.known)
            for item in steps(parse_block(text.rule)[0], everything)
            if item not in known
        )
        if found:
            yield ListBlock(found)

    def _named(self, title: Text) -> Section | None:
        """The section of definitions that is called as a phase."""
        return next(
            (
                one
                for one in self.sections
                if one.title is not None and _letters(one.title) == _letters(title.text)
            ),
            None,
        )

    def _title(self, title: Text, phase: Phase) -> str:
        """Return the title of a phase, for any player and any round."""
        walk = _EACH.fullmatch(" ".join(phase.for_each.text.split())) if phase.for_each is not None else None
        one = walk[1] if walk is not None and self._is_of_players(walk[2]) else None

        def part(found: re.Match[str]) -> str:
            inner = found[1].strip()
            if inner == one:
                return "‹player›"
            return "‹n›" if _NUMBER.fullmatch(inner) else gaps(found[0])

        return name(gaps(re.sub(r"\{([^{}]*)\}", part, title.text)))

    def _is_of_players(self, source: str) -> bool:
        """Tell whether a phase goes round the players."""
        called = self.by_name.get(source.partition("(")[0])
        return bool(_OF_PLAYERS.fullmatch(source)) or (
            called is not None and "-> list of Player" in called.text.partition("\n")[0]
        )

    def _section_of(self, block: Sequence[n.Stmt]) -> str:
        """The title of the section that tells what a block does, if it only calls a definition of one; empty
        otherwise.
        """
        called = [
            s.call.target.name
            for s in block
            if isinstance(s, n.CallStmt) and isinstance(s.call, n.Call) and isinstance(s.call.target, n.Name)
        ]
        titles = [
            one.title
            for one in self.sections
            if one.title is not None and one.ids and called and any(i.name == called[0] for i in one.items)
        ]
        return titles[0] if titles and len(block) == 1 else ""

    def _in_order(self, phases: Sequence[tuple[Text, Phase]]) -> Iterator[Block]:
        """Yield the order of phases, if there are several."""
        if len(phases) > 1:
            names = [TextRun(self._title(title, phase), "strong") for title, phase in phases]
            joints = [", "] * (len(names) - 2) + [" and then "]
            yield Paragraph(
                line(
                    "In this order: ",
                    *(part for pair in zip(names, joints, strict=False) for part in pair),
                    names[-1],
                    ".",
                )
            )

    def _repeated(self, phase: Phase, *, told: bool) -> Iterator[Block]:
        """Yield the words for how often a phase is played; where that is `told` already, only for whom."""
        if phase.for_each is not None:
            words = line(*self._for_each(phase.for_each), ":")
            if not told or "‹player›" in words[0].text:
                yield Paragraph(words)
        elif phase.repeat_until is not None and not told:
            text = phase.repeat_until.text
            ids = dict.fromkeys(i for called in self._called([text]) for i in self.by_name[called].ids)
            called = self.by_name.get(text.strip().removesuffix("()"))
            span = phase.repeat_until.span
            until = TextRun(prose(called.doc)) if called is not None and called.doc else worded(text, span)
            yield Paragraph((*with_rules(line("Repeat until ", until), ids), TextRun(":")))
        elif phase.repeat is not None and phase.repeat.value:
            yield Paragraph(line("Repeat until the game is over:"))

    def _for_each(self, source_text: Text) -> Iterator[str | TextRun]:
        """For what a phase is repeated: `p in turns()`, `r in Role if is_left(r)`."""
        span = source_text.span
        found = _EACH.fullmatch(" ".join(source_text.text.split()))
        if found is None:
            yield from ("For each ", code(source_text.text, span))
            return
        one, source, condition = found.groups()
        words = worded(source, span)
        if self._is_of_players(source):
            yield "In turn, each player (‹player›)"
        elif words.mark == "plain" and words.text.startswith("each "):
            yield f"For {words.text}"
        else:
            yield from (f"For each {name(one)} of ", words)
        if condition is not None:
            yield from (", if ", worded(condition, span))

    # ------------------------------------------------------------ definitions and powers
    def definitions(self) -> Iterator[Block]:
        """The rules with names, by section."""
        for section in self.sections:
            if section.items and section not in self.told:
                if section.title is not None:
                    yield HeadingBlock(3, section.title)
                yield from self._section(section)

    def _section(self, section: Section, *, in_phase: bool = False) -> Iterator[Block]:
        """The definitions of a section, without its title."""
        self.told.append(section)
        sentences = self.rules.sentences(section.ids)
        yield from sentences
        items = [item for listed in section.items for item in told_item(listed.item, self.known)]
        if items:
            yield ListBlock(tuple(items))
        elif section.ids and section.title is not None and not sentences and not in_phase:
            yield Paragraph(self._reference(section.ids))
        ends = [listed.item for listed in section.items if isinstance(listed.item, n.EndWhen)]
        if any(True for end in ends for _ in ends_of_item(end, self.known)):
            yield Paragraph(line(f"When the game is over is told under “{END}”."))
        yield RuleTextBlock(section.text, "module")

    def powers(self, cards: Callable[[Text, Component], Iterable[Block]]) -> Iterator[Block]:
        """Yield the section on the cards and the powers of single components, class by class: first what
        `cards` tells of them. A power that no further rule tells of is told there.
        """
        for title, component in self.doc.components:
            texts = list(cards(title, component))
            if component.all_powers or texts:
                yield HeadingBlock(3, name(title.text))
            yield from texts
            as_told: list[tuple[str, str]] = []
            for key, text in component.all_powers:
                ids = tuple(dict.fromkeys(ids_in(text.rule)))
                sentences = self.rules.sentences(ids)
                is_told = row_tells(component, key)
                if key is not None and not sentences and is_told:
                    as_told.append((titled(component, key), text.text))
                    continue
                yield HeadingBlock(
                    4, titled(component, key) if key is not None else f"Every {name(title.text)}"
                )
                yield from sentences
                if ids and not sentences:
                    yield Paragraph(self._reference(ids))
                powers = [item for item in parse_module(text.rule)[0] if isinstance(item, n.Item)]
                told = () if is_told else tuple(i for power in powers for i in told_item(power, self.known))
                if told:
                    yield ListBlock(told)
                yield RuleTextBlock(text.text, "module", not ids and not told)
            if as_told:
                names = listed([called for called, _ in as_told])
                says = "as their texts above say" if as_told[1:] else "as its text above says"
                yield Paragraph(line(f"{names}: {says}."))
                yield RuleTextBlock(
                    "\n\n".join(f"# {called}\n{text.rstrip()}" for called, text in as_told), "module"
                )

    # ------------------------------------------------------------ claims, what always holds
    def claims(self) -> Iterator[Block]:
        """Yield the section on what players may claim."""
        yield from self.rules.sentences(i for _, claim in self.doc.claims for i in ids_of(claim.cites))
        items = []
        for title, claim in self.doc.claims:
            only_if = parse_expression(claim.only_if.rule)[0] if claim.only_if is not None else None
            conditions = [phrase(x) for x in _all_of(only_if)]
            words = [
                each for each in conditions if each is not None and "(" not in each and "claimant" not in each
            ]
            where = (ListItem(line(f"only if {listed(words)}")),) if words else ()
            told = with_rules(line(f"“{gaps(claim.says.text)}”"), ids_of(claim.cites))
            tells = () if title.span in self.known.covered else (Telling(title.span, "step"),)
            items.append(ListItem(told, where, tells=tells))
        yield ListBlock(tuple(items))

    def invariants(self) -> Iterator[Block]:
        """Yield the section on what always holds, with the ids of the rules that say so."""
        yield from self.rules.sentences(i for _, text in self.doc.invariants for i in ids_in(text.rule))
        items = [
            ListItem(with_rules(line(f"{capital(prose(t.text))}."), dict.fromkeys(ids_in(text.rule))))
            for t, text in self.doc.invariants
        ]
        yield ListBlock(tuple(items))


def _all_of(x: n.Expr | None) -> Iterator[n.Expr]:
    """The conditions that must all hold."""
    if isinstance(x, n.Binary) and x.op == "and":
        yield from (*_all_of(x.left), *_all_of(x.right))
    elif x is not None:
        yield x
