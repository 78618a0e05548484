"""What a rulebook consists of, in order; a section about nothing is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from croupier.authoring.rulebook import parameters, places, things, variants
from croupier.authoring.rulebook.blocks import Block, Document, Heading, Paragraph, Run, line, with_rules
from croupier.authoring.rulebook.course import Course
from croupier.authoring.rulebook.rules import Rules, ids_of
from croupier.authoring.rulebook.vocabulary import listed
from croupier.load import Ruleset
from croupier.resolve.resolved import ResolvedRuleset


def rulebook(ruleset: Ruleset) -> Document:
    """The rulebook of a checked ruleset.  Numbers of pieces are those with the fewest players and the usual parameters."""
    doc: ResolvedRuleset = ruleset.program.resolved
    rules = Rules(ruleset.rule_ids)
    course = Course(doc, rules)
    blocks: list[Block] = list(_front(doc, ruleset, rules))
    # The order in which sections are made is that in which they are read: a rule's text stands where it is first cited.
    sections: tuple[tuple[str, bool, Callable[[], Iterable[Block]]], ...] = (
        ("What this variant changes", doc.base is not None, lambda: variants.changes(doc, rules)),
        ("Components", bool(doc.components), lambda: things.components(doc, ruleset, rules)),
        ("On the table", bool(doc.zones or doc.boards or doc.state), lambda: places.on_the_table(doc, rules)),
        ("Words of the game", bool(doc.types), lambda: things.types(doc, rules)),
        ("The course of the game", True, course.phases),
        ("The rules in detail", bool(doc.definitions), course.definitions),
        ("Powers", any(c.all_powers for _, c in doc.components), course.powers),
        ("What may be said", bool(doc.claims), course.claims),
        ("The end of the game", True, course.ending),
        ("All decisions", True, course.decisions),
        ("Before the game: parameters", True, lambda: parameters.parameters(doc, ruleset, rules)),
        ("Variants", doc.variant_of is None, lambda: variants.variants(doc, rules)),
        ("What always holds", bool(doc.invariants), course.invariants),
        ("List of rules", bool(ruleset.rule_ids), rules.index),
    )
    for title, wanted, make in sections:
        if wanted:
            blocks += [Heading(2, title), *make()]
    return tuple(blocks)


def _front(doc: ResolvedRuleset, ruleset: Ruleset, rules: Rules) -> Iterator[Block]:
    yield Heading(1, doc.title)
    if doc.doc is not None:
        yield Paragraph(line(things.prose(doc.doc.text)))
    if doc.variant_of is not None:
        yield Paragraph(line(Run(f"A variant of {doc.variant_of}.", "em")))
    counts = ruleset.players
    together = len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1
    words = f"{counts[0]} to {counts[-1]}" if together else listed([str(c) for c in counts], "or")
    others = [str(count) for count in ruleset.program.players if count not in counts]
    more = f"; with what is agreed on also for {listed(others, 'or')}" if others else ""
    usual = f"; {ruleset.default_players} unless agreed" if len(counts) > 1 and doc.players.default is not None else ""
    yield Paragraph(with_rules(line(f"For {words} player{'s' if counts != (1,) else ''}{usual}{more}."), ids_of(doc.cites)))
    yield from rules.texts(ids_of(doc.cites))
