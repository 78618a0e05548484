"""What a variant changes: values that it sets, and of rules the words of those that hold in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from croupier.authoring.diff import Difference, diff_rulesets, in_force
from croupier.authoring.rulebook.blocks import Block, Item, Items, Paragraph, Run, line
from croupier.authoring.rulebook.course import Course
from croupier.authoring.rulebook.rules import Rules
from croupier.authoring.rulebook.things import prose, value
from croupier.authoring.rulebook.vocabulary import gaps, name
from croupier.diagnostics import RulesetError, Span
from croupier.resolve import ResolvedRuleset, open_ruleset
from croupier.resources import MAIN_FILE, variants_in
from croupier.schema import Phase, Text
from croupier.syntax import nodes as n
from croupier.syntax import parse_block

MOST_VARIANTS = 100
ITEMS = ("definition", "window", "hook", "watcher")
NEW = {"added": "This is new:", "changed": "This is changed to:"}


def variants(doc: ResolvedRuleset, rules: Rules) -> Iterator[Block]:
    """The variants beside the ruleset: what each sets and replaces. Raises `RulesetError` if their folder cannot be read."""
    found, problems = variants_in(doc.root) if doc.path.name == MAIN_FILE else ([], [])
    if problems:
        raise RulesetError(problems)
    items = [item for path in found[:MOST_VARIANTS] if (item := _variant(doc, path, rules)) is not None]
    yield Items(tuple(items)) if items else Paragraph(line("This ruleset comes with no variants."))


def changes(doc: ResolvedRuleset, rules: Rules) -> Iterator[Block]:
    """Of a variant: what is not as in the ruleset that it is a variant of."""
    assert doc.base is not None
    items = tuple(_changes(doc.base, doc, rules))
    yield Items(items) if items else Paragraph(line("Nothing but its name."))


def _variant(base: ResolvedRuleset, path: Path, rules: Rules) -> Item | None:
    doc, _ = open_ruleset(path)
    if doc is None:
        return None
    own = doc.doc is not None and (base.doc is None or doc.doc.span != base.doc.span)
    text = f": {prose(doc.doc.text)}" if doc.doc is not None and own else ""
    return Item(line(Run(name(path.stem), "strong"), f" ({doc.title}){text}"), tuple(_changes(base, doc, rules)))


def _changes(base: ResolvedRuleset, doc: ResolvedRuleset, rules: Rules) -> Iterator[Item]:
    """One item a change. Rules are told in their words, everything else as the difference of two values."""
    yield from (Item(line(f"{name(key.text)} is {value(node)}")) for key, node in doc.settings)
    set_here = {key.text for key, _ in doc.settings}
    course = Course(doc, rules, alone=True)
    items = {_place(item.span): item for section in in_force(doc.definitions) for item in section}
    told = [
        (d, _words(d, doc, course, items))
        for d in diff_rulesets(base, doc)
        if not (_is_silent(d) or (d.section == "parameter" and d.part == "default" and d.name in set_here))
    ]
    yield from (Item(line(_value(found))) for found, below in told if not below)
    for kind, words in NEW.items():
        rules_of = tuple(item for found, below in told if found.kind == kind for item in below)
        if rules_of:
            yield Item(line(words), rules_of)


def _is_silent(found: Difference) -> bool:
    """Whether a difference is none for players: the title, which is told already, and what only tests look at."""
    return found.section == "title" or (found.section == "parameter" and found.part == "tried")


def _value(found: Difference) -> str:
    """A difference of something that is no rule."""
    if found.section == "parameter" and (found.part or "").startswith("valid `") and found.kind != "removed":
        return f"parameter “{name(found.name)}” must be such that {(found.part or '')[7:-1]}"
    return prose(found.words)


def _words(found: Difference, doc: ResolvedRuleset, course: Course, items: dict[tuple[str, int], n.Item]) -> tuple[Item, ...]:
    """The rule that a difference is about, as it holds in the variant; nothing if the difference is about no rule, or it is gone."""
    if found.after_span is None or found.part is not None:
        return ()
    if found.section in ITEMS:
        item = items.get(_place(found.after_span))
        return (course.items.item(item),) if item is not None else ()
    text = doc.scoring if found.section == "scoring" else _text(doc.phases, found.name.split(" / ")) if found.section == "phase" else None
    if text is None:
        return ()
    body = course.sentences.block(parse_block(text.rule)[0])
    title = "The end of the game" if found.section == "scoring" else gaps(found.name)
    where = f" ({prose(found.after)})" if found.section == "phase" and found.kind == "added" and found.after is not None else ""
    return (Item(line(Run(title, "strong"), f"{where}:"), body),)


def _text(phases: Sequence[tuple[Text, Phase]], path: Sequence[str]) -> Text | None:
    """The rule text of a phase, by the titles that lead to it."""
    for title, phase in phases:
        if title.text == path[0]:
            return phase.text if len(path) == 1 else _text(phase.phases, path[1:])
    return None


def _place(span: Span) -> tuple[str, int]:
    return span.source.name, span.start
