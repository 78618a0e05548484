"""The details of a difference: its text in words, who uses what it changes, which scenarios are about it.

What comes in are the differences of two rulesets (`diff.py`); what goes out has for each of them, as far as
there is any,

- the rule text that came or went, and what it says: the sentences of the rules that it cites, the explanation
  that stands with it or, where there is neither, the steps in words, as a rulebook has them,
- the passages that use what it is about: that call a definition, read a state, name a row,
- the rules that it cites, and the scenarios that cite those,
- the scenarios of the first ruleset in which it acts and that do not hold by the rules of the second one, if
  they were played (`variant_scenarios.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from croupier.authoring.diff import KINDS, Difference, first_lines, in_force, item_name
from croupier.authoring.rulebook.document import ListItem, words_of
from croupier.authoring.rulebook.listed import sections_of
from croupier.authoring.rulebook.rule_sentences import ids_in, ids_of
from croupier.authoring.rulebook.steps import steps
from croupier.authoring.variant_scenarios import UnderVariant
from croupier.diagnostics import JsonObject, RulesetError, Span
from croupier.resolve import ResolvedRuleset
from croupier.scenarios.api import scenarios_of
from croupier.schema import Phase, Text
from croupier.semantics.symbol_index import SymbolIndex, check_with_index
from croupier.syntax import nodes as n
from croupier.syntax import parse_block, parse_module

_SYMBOLS = {
    "definition": "definition", "window": "window", "state": "state", "parameter": "parameter",
    "zone": "zone", "board": "board",
    "component": "component", "type": "type",
}  # fmt: skip
"""The kind of symbol that a difference of a section is about."""
_PARTS = {"row": "id", "value": "value"}
_MOST_STEPS = 12


@dataclass(frozen=True)
class Passage:
    """A piece of rule text with a name: a definition, a listener, a phase, powers, the scoring, a claim, an
    invariant.

    `section` and `name` are those of a difference that is about it; `listens_to` are the definitions and
    windows that listeners in it name.
    """

    section: str
    name: str
    span: Span
    text: str
    rules: tuple[str, ...] = ()
    doc: str = ""
    listens_to: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Return the name with its section."""
        return f"{self.section} `{self.name}`" if self.name else self.section


@dataclass(frozen=True)
class DifferenceDetails:
    """A difference with what it says and reaches.

    `lines` are what goes (`-`) and comes (`+`), `says` sentences, `reaches` the passages that use what it is
    about, `rules` the ids that it cites, `cited_by` the scenarios that cite one of these. `acts_in`: the
    scenarios that do not hold under the second ruleset in which it acts, `None` if none was played.
    """

    difference: Difference
    lines: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    reaches: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    cited_by: tuple[str, ...] = ()
    acts_in: tuple[str, ...] | None = None

    def to_json(self) -> JsonObject:
        """The difference for programs, with what it says and reaches."""
        return {
            **self.difference.to_json(),
            "says": list(self.says),
            "reaches": list(self.reaches),
            "rules": list(self.rules),
            "cited_by": list(self.cited_by),
            "acts_in": None if self.acts_in is None else list(self.acts_in),
        }


def differences_in_detail(
    old: ResolvedRuleset,
    new: ResolvedRuleset,
    differences: Sequence[Difference],
    under: UnderVariant | None = None,
) -> list[DifferenceDetails]:
    """Return the details of each difference of two rulesets.

    `under`: the scenarios of the first by the rules of the second, if they were played.
    """
    sides = _Side(old), _Side(new)
    citing = _citing(old)
    made = []
    for number, difference in enumerate(differences):
        side = sides[0] if difference.kind == "removed" else sides[1]
        passage = side.passage_of(difference)
        before = sides[0].passage_of(difference)
        rules = tuple(
            dict.fromkeys(rule for found in (before, passage) if found is not None for rule in found.rules)
        )
        made.append(
            DifferenceDetails(
                difference,
                difference.lines or _lines_of(difference, passage),
                _sayings(passage, side.ruleset) if difference.kind == "added" and passage is not None else (),
                side.users(difference, passage),
                rules,
                tuple(dict.fromkeys(id for rule in rules for id in citing.get(rule, ()))),
                None if under is None else _spoilt_by(number, under),
            )
        )
    return made


def _spoilt_by(number: int, under: UnderVariant) -> tuple[str, ...]:
    """Return the scenarios that do not hold under a variant and in which the change of this number acts."""
    failed = [result for result in under.results if result.outcome in ("differs", "not set up")]
    return tuple(result.id for result in failed if number in result.acting)


def _lines_of(difference: Difference, passage: Passage | None) -> tuple[str, ...]:
    """The text that came or went as a whole."""
    if (
        passage is None
        or difference.part is not None
        or difference.kind == "changed"
        or passage.text.strip() in difference.words
    ):
        return ()
    sign = "+" if difference.kind == "added" else "-"
    lines = [f"{sign} {line}".rstrip() for line in passage.text.strip("\n").splitlines() if line.strip()]
    return first_lines(lines)


def _sayings(passage: Passage, ruleset: ResolvedRuleset) -> tuple[str, ...]:
    """The sentences of the rules that a passage cites and its explanation; where there is neither, its steps
    in words.
    """
    known = ruleset.rule_list
    sentences = [f"{rule}: {known[rule].text.text}" for rule in passage.rules if rule in known]
    explained = [" ".join(passage.doc.split())] if passage.doc else []
    return (*explained, *sentences) or passage.steps


def _citing(ruleset: ResolvedRuleset) -> dict[str, list[str]]:
    """The ids of the ruleset's scenarios by the rules that they cite."""
    found: dict[str, list[str]] = {}
    try:
        opened = scenarios_of(ruleset.path)
    except RulesetError:
        return found
    for scenario in (scenario for file in opened for scenario in file.scenarios):
        for rule in dict.fromkeys(ids_of(scenario.cites)):
            found.setdefault(rule, []).append(scenario.id.text)
    return found


# ---------------------------------------------------------------- one of the two rulesets
@dataclass
class _Side:
    """One of the two rulesets: its passages, and where its names are used."""

    ruleset: ResolvedRuleset
    passages: dict[tuple[str, str], list[Passage]] = field(init=False)
    _index: SymbolIndex | None = None

    def __post_init__(self) -> None:
        self.passages = {}
        for passage in _passages(self.ruleset):
            self.passages.setdefault((passage.section, passage.name), []).append(passage)

    @property
    def index(self) -> SymbolIndex:
        """Return the meaning of each name of the ruleset."""
        if self._index is None:
            self._index = check_with_index(self.ruleset)[2]
        return self._index

    def passage_of(self, difference: Difference) -> Passage | None:
        """The passage that a difference is about: of several with one name the one where the difference
        is.
        """
        named = self.passages.get((difference.section, difference.name), [])
        places = [span for span in (difference.before_span, difference.after_span) if span is not None]
        starts = {(place.source.name, place.start) for place in places}
        exact = [passage for passage in named if (passage.span.source.name, passage.span.start) in starts]
        return next(iter(exact or named), None)

    def users(self, difference: Difference, passage: Passage | None) -> tuple[str, ...]:
        """The passages that use what a difference is about, in the order of the text."""
        wanted = set(self._symbols(difference, passage))
        if not wanted:
            return ()
        found: dict[str, None] = {}
        for use in self.index.uses:
            if use.defines or (use.symbol.kind, use.symbol.name) not in wanted:
                continue
            user = self._passage_at(use.span)
            if user is None or user is passage:
                continue
            if (
                passage is None
                or use.symbol.name not in passage.listens_to
                or use.symbol.name not in user.listens_to
            ):
                found[user.words] = None  # of two that listen to one definition, neither reaches the other
        return tuple(found)

    def _symbols(self, difference: Difference, passage: Passage | None) -> Iterator[tuple[str, str]]:
        """The kinds and names of what a difference is about; of a listener, of what it listens to."""
        word, _, rest = (difference.part or "").partition(" `")
        if word in _PARTS and rest:
            yield _PARTS[word], rest.split("`")[0]
        elif difference.section in _SYMBOLS:
            yield _SYMBOLS[difference.section], difference.name
        elif passage is not None:
            yield from ((kind, name) for name in passage.listens_to for kind in ("definition", "window"))

    def _passage_at(self, span: Span) -> Passage | None:
        """The smallest passage in which something stands."""
        passages = [passage for named in self.passages.values() for passage in named]
        around = [passage for passage in passages if _holds(passage.span, span.source.name, span.start)]
        return min(around, key=lambda passage: passage.span.end - passage.span.start, default=None)


def _holds(span: Span, file: str, offset: int) -> bool:
    """Tell whether a span holds the place at an offset of a file."""
    return span.source.name == file and span.start <= offset < span.end


def _passages(doc: ResolvedRuleset) -> Iterator[Passage]:
    for section, items in zip(sections_of(doc), in_force(doc.definitions), strict=True):
        for listed, item in zip(section.items, items, strict=True):
            yield _of_item(item, listed.text, listed.ids, listed.doc)
    yield from _of_phases(doc.phases, ())
    for title, component in doc.components:
        for id, text in component.all_powers:
            heard = tuple(
                name
                for item in parse_module(text.rule)[0]
                if isinstance(item, n.Item)
                for name in _listens_to(item)
            )
            name = title.text if id is None else f"{title.text} {id.text}"
            yield Passage(
                "powers",
                name,
                text.span,
                text.text,
                tuple(dict.fromkeys(ids_in(text.rule))),
                listens_to=heard,
            )
    if doc.scoring is not None:
        yield _of_text("scoring", "", doc.scoring)
    for title, condition in doc.invariants:
        yield _of_text("invariant", title.text, condition)


def _of_item(item: n.Item, text: str, rules: tuple[str, ...], doc: str) -> Passage:
    told = _steps_in_words(steps(item.body)) if isinstance(item, (n.Def, n.Hook)) else ()
    return Passage(
        KINDS[type(item)],
        item_name(item),
        _whole_lines(item.span, text),
        text,
        tuple(dict.fromkeys(rules)),
        doc,
        _listens_to(item),
        told,
    )


def _whole_lines(head: Span, text: str) -> Span:
    """The span of a text of several lines that begins with a head; the span of an item is its head."""
    source = head.source
    last = min(head.line + text.rstrip().count("\n"), source.line_count)
    return Span(source, head.start, max(head.end, source.line_start(last) + len(source.line(last))))


def _listens_to(item: n.Item) -> tuple[str, ...]:
    return (item.pattern.name,) if isinstance(item, n.Hook) else ()


def _of_phases(phases: Sequence[tuple[Text, Phase]], outer: tuple[str, ...]) -> Iterator[Passage]:
    for title, phase in phases:
        path = (*outer, title.text)
        if phase.text is not None:
            yield _of_text("phase", " / ".join(path), phase.text)
        yield from _of_phases(phase.phases, path)


def _of_text(section: str, name: str, text: Text) -> Passage:
    told = _steps_in_words(steps(parse_block(text.rule)[0])) if section == "phase" else ()
    return Passage(section, name, text.span, text.text, tuple(dict.fromkeys(ids_in(text.rule))), steps=told)


def _steps_in_words(items: Iterator[ListItem]) -> tuple[str, ...]:
    """Steps one below the other, the inner ones behind theirs."""
    return tuple(words_of(item.line) for whole in items for item in whole.walk())[:_MOST_STEPS]
