"""Where the rules end the game: every `finish` with the conditions around it, for the section that says how the game ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from croupier.authoring.rulebook.actions import action
from croupier.authoring.rulebook.blocks import Item, Run, line, with_rules
from croupier.authoring.rulebook.loops import loop
from croupier.authoring.rulebook.phrases import Phrases
from croupier.authoring.rulebook.vocabulary import capital, listed, name, quoted
from croupier.semantics.citations import spread
from croupier.syntax import nodes as n


@dataclass(frozen=True)
class Ending:
    """A way in which the game ends: by which rule, under which conditions of it, how, with the ids that are cited there."""

    place: str
    conditions: tuple[str, ...]
    text: str
    rules: tuple[str, ...]

    def item(self) -> Item:
        """The ending as a line."""
        words = ", ".join(self.conditions)
        said = capital(f"{words}: {self.text}" if words else self.text)
        return Item(with_rules(line(Run(self.place, "strong"), f": {said}" if self.place else said), self.rules))


def endings(say: Phrases, place: str, body: Sequence[n.Stmt], around: tuple[str, ...] = ()) -> Iterator[Ending]:
    """The endings in a block, in the order of the text."""
    for s in body:
        if isinstance(s, n.Finish):
            yield Ending(place, around, action(say, s), tuple(dict.fromkeys(i for c in s.cites for i in spread(c))))
        for condition, inner in _blocks(say, s):
            yield from endings(say, place, inner, (*around, condition) if condition else around)


def _blocks(say: Phrases, s: n.Stmt) -> Iterator[tuple[str, Sequence[n.Stmt]]]:
    """The blocks of a statement, each with what must be so for it to happen."""
    match s:
        case n.If():
            yield f"if {say.condition(s.condition)}", s.then
            yield f"if {say.negated(s.condition)}", s.other
        case n.ForStmt():
            yield _walk(say, s), s.body
        case n.Repeat() | n.Secretly():
            yield "", s.body
        case n.SoThat():
            yield "", s.body
            yield f"if nothing can still end so that {say.condition(s.condition)}", s.other or ()
        case n.Match():
            for case in s.cases:
                yield f"if {say.phrase(s.value)} is {listed([say.phrase(v) for v in case.values], 'or')}", case.body
            yield f"if {say.phrase(s.value)} is anything else", s.other or ()
        case n.Choose():
            yield f"if {quoted(s.pick.name)} is chosen", s.body
            yield f"if no {quoted(s.pick.name)} is chosen", s.other or ()
        case n.Menu():
            for option in s.options:
                yield f"if “{say.template(option.label)}” is chosen", option.body
            yield "if no choice is possible", s.other or ()


def _walk(say: Phrases, s: n.ForStmt) -> str:
    """The line above a loop, within a sentence; of turns, whose turn it is."""
    if isinstance(s.source, n.Call) and isinstance(s.source.target, n.Name) and s.source.target.name == "turns":
        return f"in the turn of {name(s.name)}"
    text = loop(say, s.name, s.source, s.condition)
    return text[:1].lower() + text[1:].rstrip(":")
