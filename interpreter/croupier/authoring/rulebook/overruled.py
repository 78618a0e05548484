"""The sentences of the base's rules that a variant makes false, and what is to be said beside others.

What comes in is the resolved ruleset of a variant or a combination; what goes out is, by the id of a rule,
why its sentence does not hold in the variant, and for other rules what is said beside their sentence. A
sentence is overruled

- if everything that cited it in the base is removed, replaced by something that does not cite it, or not
  called any more; if rule text cites it, what declares something does not count,
- if it says for how many players the game is, and the variant is for others,
- if it says the usual value of a parameter, and the variant has set another one.

A sentence that the variant writes itself, under the same id, holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from croupier.authoring.diff import in_force
from croupier.authoring.rulebook.listed import ListedDefinition, names_called, sections_of
from croupier.authoring.rulebook.rule_sentences import Reservations, ids_in, ids_of
from croupier.authoring.rulebook.wording import capital, name, value
from croupier.resolve.resolved import ResolvedRuleset
from croupier.schema import Parameter
from croupier.schema.sections import each_phase
from croupier.syntax import nodes as n

_PLAYERS = re.compile(r"\b(\w+)(?: to |–|-)(\w+) players?\b")
_NUMBERS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def reservations(doc: ResolvedRuleset) -> Reservations:
    """Return what a variant does to the sentences of its base; nothing for a ruleset that is no variant."""
    base = doc.origin
    if base is doc:
        return Reservations({}, {})
    kept = {
        id
        for id, entry in base.rule_list.items()
        if id in doc.rule_list and doc.rule_list[id].text.text == entry.text.text
    }
    values = dict(_of_parameters(base, doc))
    usual = {id: words for id, (is_said, words) in values.items() if is_said}
    beside = {id: words for id, (is_said, words) in values.items() if not is_said}
    overruled = {**usual, **dict(_of_players(base, doc)), **_not_cited(base, doc)}
    return Reservations(
        {id: words for id, words in overruled.items() if id in kept},
        {id: words for id, words in beside.items() if id in kept and id not in overruled},
    )


# ---------------------------------------------------------------- what does not act any more
@dataclass(frozen=True)
class CitingPlace:
    """A part of a ruleset that cites rules: what it is called in a sentence, the ids, and whether it is rule
    text or declares something.
    """

    words: str
    ids: tuple[str, ...]
    is_text: bool = False


def _not_cited(base: ResolvedRuleset, doc: ResolvedRuleset) -> dict[str, str]:
    """The rules that something in the base cites and nothing in the variant, each with what was changed."""
    before, after = list(_places(base)), list(_places(doc))
    in_text = {id for place in before if place.is_text for id in place.ids}
    acting = {id for place in after for id in place.ids if place.is_text or id not in in_text}
    names = {place.words for place in after}
    found: dict[str, list[str]] = {}
    for place in before:
        for id in place.ids:
            if id not in acting and (place.is_text or id not in in_text):
                found.setdefault(id, []).append(
                    f"{'changes' if place.words in names else 'does without'} {place.words}"
                )
    return {id: f"this variant {' and '.join(dict.fromkeys(words))}" for id, words in found.items()}


def _places(doc: ResolvedRuleset) -> Iterator[CitingPlace]:
    """Yield the places of a ruleset that cite rules, as far as they act."""
    yield CitingPlace("the game as a whole", ids_of(doc.cites))
    idle = _idle(doc)
    for section in sections_of(doc):
        for item in section.items:
            if item.name not in idle:
                yield CitingPlace(_called(item), item.ids, is_text=True)
    for title, phase in each_phase(doc.phases):
        leaves = (leaf for leaf in (phase.text, phase.repeat_until) if leaf is not None)
        cited = (id for leaf in leaves for id in ids_in(leaf.rule))
        yield CitingPlace(f"the phase “{title.text}”", (*ids_of(phase.cites), *cited), is_text=True)
    if doc.scoring is not None:
        yield CitingPlace("the scoring", tuple(ids_in(doc.scoring.rule)), is_text=True)
    for title, text in doc.invariants:
        yield CitingPlace(f"what always holds, “{title.text}”", tuple(ids_in(text.rule)), is_text=True)
    for title, component in doc.components:
        yield CitingPlace(f"the {name(title.text)}", ids_of(component.cites))
        for row in component.rows:
            yield CitingPlace(
                f"the {name(title.text)} “{name(row.id.text) if row.id is not None else ''}”",
                ids_of(row.cites),
            )
        for key, text in component.all_powers:
            yield CitingPlace(
                f"the powers of {name((key or title).text)}", tuple(ids_in(text.rule)), is_text=True
            )
    places = (*doc.zones, *doc.boards)
    declared = (
        ("parameter", doc.parameters),
        ("type", doc.types),
        ("place", places),
        ("value", doc.state),
        ("claim", doc.claims),
    )
    for word, entries in declared:
        for title, thing in entries:
            yield CitingPlace(f"the {word} “{name(title.text)}”", ids_of(getattr(thing, "cites", ())))
            for inner in getattr(thing, "values", None) or ():
                yield CitingPlace(f"the {word} “{name(title.text)}”", ids_of(getattr(inner, "cites", ())))


def _called(item: ListedDefinition) -> str:
    """A definition, hook or watcher in a sentence."""
    if item.name:
        return f"the rule “{name(item.name)}”"
    return f"“{' '.join(item.text.partition(':')[0].split())}”"


def _idle(doc: ResolvedRuleset) -> set[str]:
    """The definitions that do nothing in a variant: what acts in its base called them, and what acts here
    does not; or something stands instead.
    """
    instead = set(_replaced_by_hooks(doc))
    return (_reached(doc.origin, set()) - _reached(doc, instead)) | instead


def _reached(doc: ResolvedRuleset, without: set[str]) -> set[str]:
    """The definitions that phases, scoring, hooks, watchers and powers call, and those that these call;
    `without` some.
    """
    items = [item for section in sections_of(doc) for item in section.items]
    by_name = {item.name: (item.text,) for item in items if item.name and item.name not in without}
    waiting = [item.text for item in items if not item.name]
    for _, phase in each_phase(doc.phases):
        waiting += [
            leaf.text for leaf in (phase.text, phase.repeat_until, phase.for_each) if leaf is not None
        ]
    waiting += [doc.scoring.text] if doc.scoring is not None else []
    waiting += [text.text for _, component in doc.components for _, text in component.all_powers]
    return set(names_called(waiting, by_name))


def _replaced_by_hooks(doc: ResolvedRuleset) -> Iterator[str]:
    """The definitions that `instead of` takes the place of, whatever they are called with."""
    items = [item for section in in_force(doc.definitions) for item in section]
    parameters = {
        item.name: {parameter.name for parameter in item.params} for item in items if isinstance(item, n.Def)
    }
    for item in items:
        if (
            isinstance(item, n.Hook)
            and item.kind == "instead"
            and item.guard is None
            and item.pattern.name in parameters
        ):
            free = {"_", *parameters[item.pattern.name]}
            if all(argument.span.text in free for argument in item.pattern.args):
                yield item.pattern.name


# ---------------------------------------------------------------- numbers of players, usual values
def _of_players(base: ResolvedRuleset, doc: ResolvedRuleset) -> Iterator[tuple[str, str]]:
    """The rules of the game as a whole that name its smallest and its largest number of players, where the
    variant has others.
    """
    old, new = base.players.counts, doc.players.counts
    if (min(old), max(old)) == (min(new), max(new)):
        return
    words = (
        f"this variant is for {min(new)} to {max(new)} players"
        if len(new) > 1
        else f"this variant is for {new[0]} player{'s' * (new[0] != 1)}"
    )
    for id in ids_of(base.cites):
        entry = base.rule_list.get(id)
        for low, high in _PLAYERS.findall(entry.text.text) if entry is not None else ():
            if (_number(low), _number(high)) == (min(old), max(old)):
                yield id, words


def _number(word: str) -> int | None:
    """A number in digits or as a word."""
    if word.isdecimal():
        return int(word)
    return _NUMBERS.index(word.lower()) if word.lower() in _NUMBERS else None


def _of_parameters(base: ResolvedRuleset, doc: ResolvedRuleset) -> Iterator[tuple[str, tuple[bool, str]]]:
    """The rules that a parameter cites whose usual value is another one: whether the sentence says the old
    one, and what the new one is.
    """
    before = {title.text: parameter for title, parameter in base.parameters}
    for title, parameter in doc.parameters:
        if title.text not in before:
            continue
        old, new = _usual(before[title.text]), _usual(parameter)
        for id in ids_of(before[title.text].cites) if old != new else ():
            entry = base.rule_list.get(id)
            words = set(re.findall(r"\w+", entry.text.text.lower())) if entry is not None else set()
            is_said = bool(words & _ways_to_say(old)) and not words & _ways_to_say(new)
            yield id, (is_said, f"in this variant “{capital(name(title.text))}” is {new}")


def _usual(parameter: Parameter) -> str:
    """The usual value of a parameter in words."""
    if parameter.default is not None:
        return value(parameter.default)
    return name(parameter.one_of[0].text) if parameter.one_of else ""


def _ways_to_say(words: str) -> set[str]:
    """A value as it may stand in a sentence: a number in digits or as a word.

    Nothing for values that are no numbers.
    """
    if not words.isdecimal():
        return set()
    return {words, *_NUMBERS[int(words) : int(words) + 1]}
