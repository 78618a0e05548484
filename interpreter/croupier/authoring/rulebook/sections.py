"""What a rulebook consists of, in order; a section about nothing is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from croupier.authoring.rulebook import contents, options
from croupier.authoring.rulebook.course import Course
from croupier.authoring.rulebook.document import Block, Document, Heading, Paragraph, Run, Table, line, with_rules
from croupier.authoring.rulebook.examples import examples_of, placed
from croupier.authoring.rulebook.rules import RuleSentences, ids_of
from croupier.authoring.rulebook.wording import listed, number_words, sentence
from croupier.resolve.resolved import ResolvedRuleset
from croupier.ruleset import Ruleset


def rulebook(ruleset: Ruleset) -> Document:
    """The rulebook of a checked ruleset. Numbers of components are those with the fewest players and the usual parameters."""
    doc: ResolvedRuleset = ruleset.program.resolved
    rules = RuleSentences(ruleset.rule_ids)
    course = Course(doc, rules)
    has_definitions = any(section.items for section in course.sections)
    # The order in which sections are made is that in which they are read: a rule's sentence stands where it is first cited.
    sections: tuple[tuple[str, bool, Callable[[], Iterable[Block]]], ...] = (
        ("What this variant changes", doc.base is not None, lambda: options.changes(doc.base, doc) if doc.base is not None else ()),
        ("The end of the game", True, course.aim),
        ("In the box", bool(doc.components), lambda: contents.components(doc, ruleset, rules)),
        ("On the table", bool(doc.zones or doc.boards), lambda: contents.places(doc, rules)),
        ("Set-up", len(doc.phases) > 1, course.set_up),
        ("Play", True, course.play),
        ("The rules one by one", has_definitions, course.definitions),
        ("Powers", any(c.all_powers for _, c in doc.components), course.powers),
        ("What players may say", bool(doc.claims), course.claims),
        ("What you may agree on", bool(doc.parameters), lambda: options.parameters(doc, ruleset, rules)),
        ("Variants", options.has_variants(doc), lambda: options.variants(doc)),
        ("What is kept track of", bool(doc.state), lambda: contents.state(doc, rules)),
        ("Words of the game", bool(doc.types), lambda: contents.types(doc, rules)),
        ("What always holds", bool(doc.invariants), course.invariants),
        ("Further rules", True, rules.others),
        ("Index of rules", bool(ruleset.rule_ids), lambda: _index(rules)),
    )
    blocks: list[Block] = list(_front(doc, ruleset, rules))
    for title, wanted, make in sections:
        made = list(make()) if wanted else []
        if made:
            blocks += [Heading(2, title), *made]
    return placed(tuple(blocks), examples_of(ruleset))


def _front(doc: ResolvedRuleset, ruleset: Ruleset, rules: RuleSentences) -> Iterator[Block]:
    yield Heading(1, doc.title)
    if doc.doc is not None:
        yield Paragraph(line(sentence(doc.doc.text)))
    if doc.variant_of is not None:
        yield Paragraph(line(Run(f"A variant of {doc.variant_of}.", "em")))
    counts = ruleset.players
    others = [str(count) for count in ruleset.program.players if count not in counts]
    more = f"; with what is agreed on also for {listed(others, 'or')}" if others else ""
    usual = f"; {ruleset.default_players} unless agreed" if len(counts) > 1 and doc.players.default is not None else ""
    yield Paragraph(with_rules(line(f"For {number_words(counts)} player{'s' if counts != (1,) else ''}{usual}{more}."), ids_of(doc.cites)))
    yield from rules.sentences(ids_of(doc.cites))


def _index(rules: RuleSentences) -> Iterator[Block]:
    """Every rule with where its sentence comes from, by its tag."""
    yield Table(("id", "tag"), tuple((line(Run(name, "rule")), line(tag)) for name, (tag, _) in rules.known.items()))



