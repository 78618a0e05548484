"""The sections of a rulebook, in order, and the options that it tells of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from croupier.authoring.diff import Difference, diff_rulesets
from croupier.authoring.rulebook import contents, pictures
from croupier.authoring.rulebook.clauses import acting_definitions
from croupier.authoring.rulebook.course import ONE_BY_ONE, PLAY, Course
from croupier.authoring.rulebook.document import (
    Block,
    Document,
    Example,
    HeadingBlock,
    Line,
    ListBlock,
    ListItem,
    Paragraph,
    RuleTextBlock,
    TableBlock,
    Telling,
    TextRun,
    headings_of,
    line,
    untold,
    with_rules,
)
from croupier.authoring.rulebook.examples import examples_of, placed
from croupier.authoring.rulebook.listed import sections_of
from croupier.authoring.rulebook.margin import with_margin
from croupier.authoring.rulebook.overruled import reservations
from croupier.authoring.rulebook.played import Played, play
from croupier.authoring.rulebook.rule_sentences import RuleSentences, ids_in, ids_of
from croupier.authoring.rulebook.steps import END, Known, steps
from croupier.authoring.rulebook.vocabulary import speaking, vocabulary_of
from croupier.authoring.rulebook.wording import (
    capital,
    gaps,
    grid,
    is_grid,
    joined,
    listed,
    name,
    number_words,
    prose,
    sentence,
    type_words,
    value,
    worded,
)
from croupier.diagnostics import RulesetError, Source
from croupier.pipeline import with_switches
from croupier.resolve import open_ruleset
from croupier.resolve.resolved import Layer, ResolvedRuleset
from croupier.resources import MAIN_FILE, variants_in
from croupier.ruleset import Ruleset
from croupier.schema import Component, Parameter, Phase, Text
from croupier.semantics import check as check_program
from croupier.source import YamlNode, whole
from croupier.syntax import parse_block

# ---------------------------------------------------------------- options
# What players may agree on before the game: parameters and variants.
MOST_VALUES = 12  # of a list or map that are shown
MOST_VARIANTS = 100
FIRST_PAGE = "the first page"  # where a rule stands that is told in front of the first section
RULES = ("definition", "window", "hook", "watcher")


def parameters(doc: ResolvedRuleset, ruleset: Ruleset, rules: RuleSentences) -> Iterator[Block]:
    """Yield the section on what can be agreed on: each choice with its values, the usual one, and what it
    means.
    """
    known = {p.name: p for p in ruleset.parameters}
    yield from rules.sentences(i for _, p in doc.parameters for i in ids_of(p.cites))
    items = []
    for title, parameter in doc.parameters:
        of = known[title.text]
        if is_grid(parameter.default):
            usual = "as in the table below"
        else:
            usual = _seat(of.default) if of.type_text == "Player" else _default(of.default)
        if of.values:
            choices = listed([name(v) for v in of.values], "or")
        else:
            listing = parameter.type is not None and parameter.type.text.startswith("list")
            choices = (
                type_words(parameter.type) if listing and parameter.type is not None else _words(of.type_text)
            )
        head = line(TextRun(capital(name(title.text)), "strong"), f": {choices}; {usual} unless agreed.")
        words = joined([head, _meaning(of.doc, parameter)], " ")
        told = with_rules(words, ids_of(parameter.cites))
        items.append(ListItem(told, tells=(Telling(title.span, "doc" if of.doc else "step"),)))
    yield ListBlock(tuple(items))
    for title, parameter in doc.parameters:
        yield from grid(parameter.default, f"{capital(name(title.text))}, row by row:")


def _meaning(doc: str, parameter: Parameter) -> Line:
    """Return the meaning of a parameter, and the conditions on it."""
    parts: list[object] = [sentence(doc)] if doc else []
    wanted = [
        worded(leaf.text, leaf.span) if title is None else prose(title.text)
        for title, leaf in parameter.valid
    ]
    if wanted:
        parts.append(line("This must be so: ", *joined(wanted), "."))
    for key, names in parameter.variants:
        word = {"true": "yes", "false": "no"}.get(key.text) or name(key.text)
        parts.append(f"With {word} the variant {listed([name(v.text) for v in names])} holds.")
    return joined(parts, " ")


def _words(type_text: str) -> str:
    return type_text.replace("..", " to ").replace("bool", "yes or no").replace("?", ", or none")


def _seat(number: object) -> str:
    return f"player {number + 1}" if isinstance(number, int) else "none"


def _default(found: object) -> str:
    if isinstance(found, bool):
        return "yes" if found else "no"
    if isinstance(found, dict) and len(found) > 1 and len({str(v) for v in found.values()}) == 1:
        return f"{_default(next(iter(found.values())))} for each"
    if isinstance(found, dict):
        return ", ".join(f"{name(str(k))}: {_default(v)}" for k, v in list(found.items())[:MOST_VALUES]) + (
            " …" if len(found) > MOST_VALUES else ""
        )
    if isinstance(found, list):
        return listed([_default(v) for v in found[:MOST_VALUES]]) + (" …" if len(found) > MOST_VALUES else "")
    return "none" if found is None else name(str(found))


# ---------------------------------------------------------------- variants
def variants(doc: ResolvedRuleset, rules: RuleSentences) -> Iterator[Block]:
    """The variants beside the ruleset: what each sets and replaces.

    Raises `RulesetError` if their folder cannot be read.
    """
    for path, variant in _variants(doc):
        yield HeadingBlock(4, capital(name(path.stem)))
        own = variant.doc is not None and (doc.doc is None or variant.doc.span != doc.doc.span)
        yield Paragraph(
            line(
                TextRun(f"{variant.title}.", "em"),
                f" {sentence(variant.doc.text)}" if variant.doc is not None and own else "",
            )
        )
        yield from changes(doc, variant, rules)


def _variants(doc: ResolvedRuleset) -> Iterator[tuple[Path, ResolvedRuleset]]:
    found, problems = (
        variants_in(doc.root) if doc.path.name == MAIN_FILE and doc.variant_of is None else ([], [])
    )
    if problems:
        raise RulesetError(problems)
    for path in found[:MOST_VARIANTS]:
        variant, _ = open_ruleset(path)
        if variant is not None:
            yield path, variant


def changes_of_layers(doc: ResolvedRuleset, rules: RuleSentences) -> Iterator[Block]:
    """Yield the changes of a variant to the ruleset at the end of its chain: the variants that it is made of,
    and then all differences.
    """
    said = [
        layer for layer in doc.layers if layer.document.doc is not None or layer.document.title is not None
    ]
    if len(doc.layers) > 1:
        yield ListBlock(tuple(ListItem(line(*_layer(layer))) for layer in said))
    yield from changes(doc.origin, doc, rules)


def _layer(layer: Layer) -> Iterator[str | TextRun]:
    """A variant that is a part of another one: its title, and what it says that it does."""
    title, doc = layer.document.title, layer.document.doc
    yield TextRun(layer.name if title is None else title.text, "strong")
    yield f": {sentence(doc.text)}" if doc is not None else ""


def _settings(doc: ResolvedRuleset) -> dict[str, YamlNode]:
    """Return the parameters that a variant and those below it set."""
    return {key.text: node for layer in doc.layers for key, node in layer.document.set}


def changes(base: ResolvedRuleset, doc: ResolvedRuleset, rules: RuleSentences) -> Iterator[Block]:
    """Yield the changes of a variant: values as differences, rules as the text that holds in it, behind a
    fold if the variant says what it does.
    """
    settings = _settings(doc)
    items = [ListItem(line(f"{capital(name(key))} is {value(node)}.")) for key, node in settings.items()]
    differences = diff_rulesets(base, doc)
    agreed = {d.name for d in differences if d.section == "parameter"}
    texts: list[tuple[str, str, str]] = []
    definitions = {item.span.start: item.text for section in sections_of(doc) for item in section.items}
    for d in differences:
        if d.section == "title" or (
            d.section == "parameter" and (d.part == "tried" or (d.part == "default" and d.name in settings))
        ):
            continue  # the title is told already, and what only tests look at is no difference for players
        if (d.kind == "added" and d.part is None and d.section == "state") or (
            d.section == "parameter" and (d.part or "").startswith("valid `")
        ):
            continue  # the rules that use it tell of it
        changed = _rule_text(d, doc, definitions)
        if changed is None:
            items.append(ListItem(line(_difference(d, doc))))
        else:
            texts.append(changed)
    if not items and not texts:
        yield Paragraph(line("Nothing but its name is different."))
    if items:
        yield ListBlock(tuple(items))
    cited = [i for _, text, _ in texts for i in ids_in(whole(Source("variant", text)))]
    yield from rules.sentences(
        [
            *ids_of(doc.cites),
            *(i for key, p in doc.parameters if key.text in agreed for i in ids_of(p.cites)),
            *cited,
        ]
    )
    is_said = doc.doc is not None and (base.doc is None or doc.doc.span != base.doc.span)
    if is_said:
        modules = "\n\n".join(
            f"# {title}\n{text.rstrip()}" for title, text, start in texts if start == "module"
        )
        yield from [RuleTextBlock(modules, "module")] if modules else ()
        texts = [(title, text, start) for title, text, start in texts if start != "module"]
    for title, text, start in texts:
        yield Paragraph(line(title))
        rule = whole(Source(title, text))
        told = is_said or any(ids_in(rule))
        if not told and start == "block":
            is_end = doc.scoring is not None and text == doc.scoring.text
            acts = tuple(map(untold, steps(parse_block(rule)[0], Known(is_end=is_end))))
            yield from (ListBlock(acts),) if acts else ()
            told = bool(acts)
        yield RuleTextBlock(text, start, not told)


def _difference(found: Difference, doc: ResolvedRuleset) -> str:
    """A difference of something that is no rule."""
    part = found.part or ""
    if found.section == "players" and found.kind == "changed":
        return f"For {found.words.rpartition('→')[2].strip()} players."
    if found.section == "parameter" and (part == "default" or (found.kind == "added" and not part)):
        parameter = next(p for title, p in doc.parameters if title.text == found.name)
        words = [name(word.text) for word in parameter.one_of or ()]
        usual = f": {listed(words, 'or')}; {words[0]}" if words else ": as agreed,"
        usual = usual if parameter.default is None else f" is {value(parameter.default)}"
        meaning = f" {sentence(parameter.doc.text)}" if parameter.doc is not None and not part else ""
        return f"{capital(name(found.name))}{usual} unless agreed.{meaning}"
    return prose(found.words)


def _rule_text(
    found: Difference, doc: ResolvedRuleset, definitions: dict[int, str]
) -> tuple[str, str, str] | None:
    """A title, the rule text that a difference is about as it holds in the variant, and how it is read;
    `None` if the difference is about none.
    """
    if found.after_span is None or found.part is not None:
        return None
    new = "New" if found.kind == "added" else "Changed"
    if found.section in RULES:
        title = f"{new}: {found.section} “{' '.join(name(found.name).split())}”"
        return title, definitions.get(found.after_span.start, found.after_span.text), "module"
    if found.section == "scoring" and doc.scoring is not None:
        return f"{new}: how the game ends", doc.scoring.text, "block"
    text = _phase(doc.phases, found.name.split(" / ")) if found.section == "phase" else None
    if text is None:
        return None
    place = f", {prose(found.after)}" if found.kind == "added" and found.after is not None else ""
    return f"{new}: phase “{gaps(found.name.split(' / ')[-1])}”{place}", text.text, "block"


def _phase(phases: Sequence[tuple[Text, Phase]], path: Sequence[str]) -> Text | None:
    """The rule text of a phase, by the titles that lead to it."""
    for title, phase in phases:
        if title.text == path[0]:
            return phase.text if len(path) == 1 else _phase(phase.phases, path[1:])
    return None


# ---------------------------------------------------------------- sections
CHANGES, LOST, INDEX = "What this variant changes", "What does not hold in this variant", "Index of rules"
GLANCE, OPTIONS = "The course of the game", "What you may agree on"
UNMARKED = (CHANGES, LOST, INDEX)
MOST_WAYS = 2  # sentences at the beginning that say how one wins
_WINS = re.compile(r"\bwins?\b")


# What a rulebook consists of, in order; a section about nothing is left out.
def rulebook(ruleset: Ruleset, progress: Callable[[int, int], None] = lambda done, of: None) -> Document:
    """The rulebook of a checked ruleset.

    Numbers of components are those with the fewest players and the usual parameters.

    `progress` is told how many of how many sections are written; the examples count as the last.
    """
    doc: ResolvedRuleset = ruleset.program.resolved
    game = play(ruleset)
    if doc.base is None:
        return placed(_book(ruleset, progress, game), examples_of(ruleset), OPTIONS)
    book, base = _book(ruleset, progress, game), _book_of_base(doc.origin)
    if base is not None:
        book = with_margin(book, base, doc.origin.title, UNMARKED.__contains__)
    return placed(book, examples_of(ruleset), OPTIONS)


def _book_of_base(base: ResolvedRuleset) -> Document | None:
    """The rulebook of what a variant is a variant of; `None` if that has errors, which the variant mends."""
    program, found = check_program(base, lints=False)
    if any(d.is_error for d in found):
        return None
    try:
        return _book(with_switches(program, base)[0], with_variants=False)
    except RulesetError:
        return None


def bare_book(ruleset: Ruleset) -> Document:
    """The rulebook of a checked ruleset without examples, variants and marks of what is new: every rule is
    told in it.
    """
    return _book(ruleset, with_variants=False)


def _book(
    ruleset: Ruleset,
    progress: Callable[[int, int], None] = lambda done, of: None,
    game: Played | None = None,
    *,
    with_variants: bool = True,
) -> Document:
    """A rulebook without the examples of scenarios, and without marks of what is new; with those of a game
    that was played, and perhaps without the variants that lie beside the ruleset.
    """
    doc: ResolvedRuleset = ruleset.program.resolved
    rules = RuleSentences(ruleset.rule_ids, reservations(doc), contents.names_of_cards(doc))

    def texts_of(title: Text, component: Component) -> Iterable[Block]:
        is_here = contents.has_texts(component)
        return contents.cards(title, component, ruleset, rules) if is_here else ()

    course = Course(doc, rules, acting_definitions(ruleset.program))
    has_definitions = any(section.items for section in course.sections)
    # The order in which sections are made is that in which they are read: a rule's sentence stands where it
    # is first cited.
    sections: tuple[tuple[str, bool, Callable[[], Iterable[Block]]], ...] = (
        (CHANGES, doc.base is not None, lambda: changes_of_layers(doc, rules)),
        (
            "In the box",
            bool(doc.components),
            lambda: (
                *pictures.in_the_box(ruleset),
                *contents.components(doc, ruleset, rules),
                *contents.signs(doc, ruleset),
            ),
        ),
        ("On the table", bool(doc.zones or doc.boards), lambda: contents.places(doc, ruleset, rules)),
        ("Set-up", bool(doc.phases), lambda: (*course.set_up(), *pictures.table_set_up(ruleset))),
        (GLANCE, True, lambda: (*course.overview(), *_one(None if game is None else game.a_turn()))),
        (PLAY, True, course.play),
        (ONE_BY_ONE, has_definitions, course.definitions),
        ("What players may say", bool(doc.claims), course.claims),
        (contents.CARDS, True, lambda: course.powers(texts_of)),
        (END, True, lambda: (*course.aim(), *_one(None if game is None else game.its_end()))),
        (OPTIONS, bool(doc.parameters), lambda: parameters(doc, ruleset, rules)),
        ("Variants", with_variants, lambda: variants(doc, rules)),
        ("What is kept track of", bool(doc.state), lambda: contents.state(doc, rules)),
        ("Words of the game", bool(doc.types), lambda: contents.types(doc, rules)),
        ("What always holds", bool(doc.invariants), course.invariants),
        ("Further rules", True, rules.others),
        (LOST, True, rules.lost),
        (INDEX, bool(ruleset.rule_ids), lambda: _index(rules, blocks)),
    )
    blocks: list[Block] = list(_front(doc, ruleset, rules, course.rules_of_ends()))
    held = {"In the box": course.acting(), "On the table": course.called()}
    vocabulary = vocabulary_of(ruleset.program)
    waiting = frozenset(course.rules_of_the_end())
    for number, (title, wanted, make) in enumerate(sections):
        progress(number, len(sections) + 1)
        waiting = frozenset() if title == END else waiting
        rules.at_end = waiting
        rules.held = frozenset() if title == CHANGES else held.get(title, frozenset()) | waiting
        with speaking(vocabulary):
            made = list(make()) if wanted else []
        if made:
            blocks += [HeadingBlock(2, title), *made]
    progress(len(sections), len(sections) + 1)
    return tuple(blocks)


def _one(example: Example | None) -> Iterator[Example]:
    """The example, if there is one."""
    if example is not None:
        yield example


def _front(
    doc: ResolvedRuleset, ruleset: Ruleset, rules: RuleSentences, ends: Iterable[str]
) -> Iterator[Block]:
    """Yield what the game is: its title and explanation, for how many players it is, and how one wins."""
    yield HeadingBlock(1, doc.title)
    if doc.doc is not None:
        yield Paragraph(line(sentence(doc.doc.text)))
    counts = ruleset.players
    others = [str(count) for count in ruleset.program.players if count not in counts]
    more = f"; with what is agreed on also for {listed(others, 'or')}" if others else ""
    usual = (
        f"; {ruleset.default_players} unless agreed"
        if len(counts) > 1 and doc.players.default is not None
        else ""
    )
    yield Paragraph(line(f"For {number_words(counts)} player{'s' if counts != (1,) else ''}{usual}{more}."))
    ways = sorted(
        {
            i
            for i in ends
            if i in rules.known and i not in rules.overruled and _WINS.search(rules.known[i][1])
        },
        key=rules.order.__getitem__,
    )
    words = [f" {rules.known[i][1]}" for i in ways[:MOST_WAYS]]
    told = " See " if words else " see "
    yield Paragraph(line(TextRun("How one wins:", "strong"), *words, told, TextRun(END, to=(END, "")), "."))
    yield from rules.sentences(ids_of(doc.cites))


def _index(rules: RuleSentences, before: Sequence[Block]) -> Iterator[Block]:
    """Every rule with the part of the book that tells it, and where it comes from, by its tag."""
    told: dict[str, Line] = {}
    place = ("", "")
    places = {id(heading): at for heading, at in headings_of(before)}
    for block in before:
        if isinstance(block, HeadingBlock):
            place = places.get(id(block), place)
        elif isinstance(block, ListBlock) and block.kind == "rules":
            where = ", ".join(part for part in place if part)
            there = TextRun(where, to=place) if where else TextRun(FIRST_PAGE)
            told |= {item.line[0].text: line(there) for item in block.items}
    rows = tuple(
        (line(TextRun(name, "rule")), told.get(name, ()), line(tag)) for name, (tag, _) in rules.known.items()
    )
    yield Paragraph(line("The last column is what the game's list of rules notes on where each comes from."))
    yield TableBlock(("rule", "where it stands", "from"), rows)
