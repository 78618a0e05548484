"""What everybody knows of the components of a game, and the parts of views that are kept because of it.

A part is found by all that it says, and no part with options is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from croupier.kernel import types as t
from croupier.runtime.game import Game, Zone
from croupier.runtime.machine import RunnableRules
from croupier.runtime.setup import AttributeValues, possible_labels
from croupier.runtime.visibility import depends_on_contents_alone
from croupier.semantics.walk import statements
from croupier.table.view import Thing, Value, ViewTexts, ZoneView
from croupier.text import Text

OwnedZone = tuple[int | None, tuple[str, int] | None, ZoneView]  # with its owner, its board and cell
OwnedValue = tuple[int | None, tuple[str, str] | None, Value]


Faces = dict[str, dict[str, tuple[tuple[str, Text], ...]]]
MAX_KEPT = 8  # games
MAX_THINGS = 20_000  # of one game, small: what is written of one stands in the text of its zone
MAX_PARTS = 5_000  # of one game, some KB each with its text: hands are other ones in each game
Part = TypeVar("Part")
Fact = TypeVar("Fact")
PartKey = tuple[object, ...]
"""What kind of part of a view it is, and all that it says."""


@dataclass(frozen=True)
class Known:
    """The facts about the components of a game that views show.

    `faces` is what everybody knows of them by what they are called: by label and class the attributes that
    all of that label share; `powers` are the rules of what those can do. `things` are the components that
    were drawn before, and `parts` the other parts of views, both without options; `titles` are those of zones
    that are called the same in every position; `plain` are the zones of which what is seen depends on what
    lies in them alone.
    """

    game: Game
    faces: Faces
    powers: dict[str, dict[str, tuple[str, ...]]]
    titles: dict[int, Text] = field(default_factory=dict)
    things: dict[PartKey, Thing] = field(default_factory=dict)
    parts: dict[PartKey, object] = field(default_factory=dict)
    plain: dict[int, bool] = field(default_factory=dict)
    texts: ViewTexts = field(default_factory=ViewTexts)

    def kept(self, key: PartKey, make: Callable[[], Part]) -> Part:
        """A part of a view that says nothing but what the key says: made once, and its JSON too."""
        part = cast("Part | None", self.parts.get(key))
        if part is None:
            if len(self.parts) >= MAX_PARTS:
                self.parts.clear()
                self.texts.clear()
            part = self.parts[key] = make()
            self.texts.keep(part)
        return part

    def is_plain(self, zone: Zone) -> bool:
        """Return whether what is seen of a zone depends on its contents alone."""
        found = self.plain.get(zone.number)
        if found is None:
            found = self.plain[zone.number] = depends_on_contents_alone(self.game, zone)
        return found


_KEPT: list[Known] = []


def known_of(rules: RunnableRules) -> Known:
    """Return the known facts of the components of a game; they are kept for the games that were drawn
    last.
    """
    kept = next((known for known in _KEPT if known.game is rules.game), None)
    if kept is None:
        kept = Known(rules.game, _faces(rules), _powers(rules.game))
        _KEPT[:] = [kept, *_KEPT[: MAX_KEPT - 1]]
    return kept


def _faces(rules: RunnableRules) -> Faces:
    game, found = rules.game, Faces()
    fixed: list[tuple[str, Mapping[int, AttributeValues]]] = [
        (label, dict.fromkeys(components, ())) for label, components in game.by_label.items()
    ]
    behind: dict[str, dict[int, AttributeValues]] = {}
    for component in game.components:
        if component.back is not None:
            behind.setdefault(component.back, {})[component.number] = ()
    for label, components in [*behind.items(), *fixed, *possible_labels(rules).items()]:
        for kind, every in _by_class(game, components).items():
            found.setdefault(label, {})[kind] = _shared(
                [(*_attributes(game, i), *_shown_values(game, components[i])) for i in every]
            )
    return found


def _by_class(game: Game, components: Iterable[int]) -> dict[str, list[int]]:
    """Components by their classes."""
    found: dict[str, list[int]] = {}
    for i in components:
        found.setdefault(game.components[i].kind, []).append(i)
    return found


def _shared(every: Sequence[Collection[Fact]]) -> tuple[Fact, ...]:
    """What all have in common, in the order of the first."""
    return tuple(one for one in every[0] if all(one in other for other in every[1:]))


def _powers(game: Game) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return by label and class the sentences of the rules that the powers of all components of that label
    cite.
    """
    program, cited = game.program, dict[tuple[str, str | None], dict[str, None]]()
    for hook in program.hooks:
        if hook.component is not None:
            ids = cited.setdefault(hook.component, {})
            ids.update(
                dict.fromkeys(
                    (*hook.proc.cites, *(rule for s in statements(hook.proc.body) for rule in s.cites))
                )
            )
    shared = Counter(rule for ids in cited.values() for rule in ids)
    words = {rule: f"{rule}: {text}" for rule, (_, text) in program.rule_ids.items() if text}
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for label, components in game.by_label.items():
        for kind, every in _by_class(game, components).items():
            names = [game.components[i].id for i in every]
            powers = [{**cited.get((kind, id), {}), **cited.get((kind, None), {})} for id in names]
            common = sorted(_shared(powers), key=lambda rule: shared[rule] > 1)
            if sentences := tuple(words[rule] for rule in common if rule in words):
                found.setdefault(label, {})[kind] = sentences
    return found


def _shown_values(game: Game, shown: AttributeValues) -> Iterator[tuple[str, Text]]:
    """Yield the changeable attributes and values that a label shows, by the places of their variables."""
    for index, value in shown:
        v = game.variables[index]
        if value is not None and isinstance(v.type, t.Map):
            yield v.name.rpartition(".")[2].replace("_", " "), game.show(value, v.type.value)


def _attributes(game: Game, component: int) -> tuple[tuple[str, Text], ...]:
    p = game.components[component]
    types = game.program.classes[p.kind].attributes
    told = {
        name: value
        for name, value in p.attributes.items()
        if value is not None and name not in game.program.looks.details
    }
    return tuple((name.replace("_", " "), game.show(value, types[name])) for name, value in told.items())
