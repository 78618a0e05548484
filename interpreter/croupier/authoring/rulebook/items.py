"""Definitions, windows, hooks and watchers in words: what each is, and below it what it does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from croupier.authoring.rulebook.blocks import Item, Line, Run, line, with_rules
from croupier.authoring.rulebook.endings import Ending, endings
from croupier.authoring.rulebook.phrases import Phrases
from croupier.authoring.rulebook.powers import Changers
from croupier.authoring.rulebook.sentences import Sentences
from croupier.authoring.rulebook.things import in_words
from croupier.authoring.rulebook.vocabulary import capital, name
from croupier.syntax import nodes as n

ASKED = "whoever is asked"  # what `owner` means in a reaction that is no power
WORDS = {"instead": "Instead of", "before": "Before", "after": "After", "adjust": "What", "reaction": "When"}


class Items:
    """Puts what stands among definitions into words; the endings of the game are collected on the way."""

    def __init__(self, sentences: Sentences, changers: Changers) -> None:
        self.sentences, self.changers = sentences, changers
        self.say = sentences.say
        self.endings: list[Ending] = []

    def item(self, item: n.Item, power: str | None = None) -> Item:
        """A definition, hook or watcher; `power`: what it is a power of."""
        say = self.say if power is not None else replace(self.say, owner=ASKED)
        self.sentences.say, self.sentences.place = say, power if power is not None else place_of(item)
        rules = self.sentences.ids(item.cites)
        told = Item(with_rules(self._head(say, item, power is not None), rules), tuple(self._below(item)))
        self.endings += self._endings(say, item, self.sentences.place)
        self.sentences.say, self.sentences.place = self.say, ""
        return told

    def _below(self, item: n.Item) -> Iterator[Item]:
        if isinstance(item, (n.Def, n.Hook, n.Watch, n.EndWhen)):
            below = self.sentences.block(item.body)
            yield from below or ((Item(line("Nothing happens.")),) if isinstance(item, n.Def) else ())
        if isinstance(item, n.Def):
            yield from self.changers.of(item.name)

    def _endings(self, say: Phrases, item: n.Item, place: str) -> Iterator[Ending]:
        if isinstance(item, n.EndWhen):
            yield from endings(say, "", item.body, (f"as soon as {say.condition(item.condition)}",))
        elif isinstance(item, (n.Def, n.Hook, n.Watch)):
            yield from endings(say, place, item.body)

    def _head(self, say: Phrases, item: n.Item, power: bool) -> Line:
        match item:
            case n.Def():
                return line(Run(capital(name(item.name)), "strong"), f"{_given(say, item.params)}:")
            case n.Window():
                return line(Run(capital(name(item.name)), "strong"), f"{_given(say, item.params)}: a moment at which players may react.")
            case n.Hook():
                return _hook(say, item, power)
            case n.Watch():
                new = f" (now {name(item.name)})" if item.name is not None and item.name != "_" else ""
                return line(f"As soon as {say.phrase(item.value)} changes{new}:")
            case n.EndWhen():
                return line(f"As soon as {say.condition(item.condition)}, the game ends:")
        return line(Run(item.span.text.split("\n")[0], "code"))


def place_of(item: n.Item) -> str:
    """What a rule is called where it is referred to."""
    match item:
        case n.Def():
            return capital(name(item.name))
        case n.Hook():
            return f"{WORDS[item.kind]} “{name(item.pattern.name)}”"
        case n.Watch():
            return "As soon as something changes"
    return ""


def _hook(say: Phrases, item: n.Hook, power: bool) -> Line:
    called = Run(f"“{name(item.pattern.name)}”", "strong")
    named = any(not (isinstance(a.value, n.Name) and a.value.name == "_") for a in item.pattern.args)
    args = ", ".join(say.phrase(a.value) if a.name is None else f"{name(a.name)}: {say.phrase(a.value)}" for a in item.pattern.args)
    given = f" ({args})" if named else ""
    guard = f", if {say.condition(item.guard)}" if item.guard is not None else ""
    head = f"{WORDS[item.kind]} "
    if item.kind == "reaction":
        label = f", as “{''.join(p if isinstance(p, str) else say.phrase(p) for p in item.label.parts)}”" if item.label is not None else ""
        return line(head, called, f"{given}{guard}, {say.owner if power else ASKED} may react{label}:")
    if item.kind == "adjust":
        return line(head, called, f"{given} answers, called {name(item.result or 'n')}, is changed{guard}:")
    return line(head, called, f"{given}{guard}:")


def _given(say: Phrases, params: tuple[n.Param, ...]) -> str:
    """What a rule is given."""
    return f" (given {'; '.join(_param(say, p) for p in params)})" if params else ""


def _param(say: Phrases, param: n.Param) -> str:
    """What a rule is given, of which type, and what that is where nothing is said."""
    unless = f", {say.phrase(param.default)} unless said otherwise" if param.default is not None else ""
    return f"{name(param.name)}: {in_words(param.type.span.text)}{unless}"
