"""How many pieces of a class there are: counted in the games that can be set up, never guessed from the text.

Numbers that depend on the players are told for every number of them; those that depend on what is agreed on are said to do so, with the
words of the expression that gives them.
"""

from __future__ import annotations

import re
from collections import Counter

from croupier.authoring.rulebook.phrases import PLAIN
from croupier.authoring.rulebook.vocabulary import listed, name
from croupier.diagnostics import RulesetError
from croupier.load import Ruleset
from croupier.runtime.game import Game
from croupier.schema import Component
from croupier.syntax import parse_expression

MOST_SHOWN = 40  # different pieces that are counted one by one
MOST_NUMBERS = 10  # of players that are told one by one


def pieces(kind: str, component: Component, ruleset: Ruleset) -> str:
    """How many there are and how often which, with the fewest players; with others, if that differs; and by what is agreed on."""
    game = ruleset.game(ruleset.players[0], None)
    words = _counted(component, _often(kind, game))
    agreed = _agreed(component, ruleset)
    numbers = {players: count for players in ruleset.players if (count := _number(kind, ruleset, players)) is not None}
    if len(set(numbers.values())) > 1:
        shown = list(numbers.items())
        shown = shown if len(shown) <= MOST_NUMBERS else [shown[0], shown[-1]]
        more = [f"with {players} players {count}" for players, count in shown if players != game.players]
        words = f"With {game.players} player{'s' * (game.players != 1)} {words}; {'; '.join(more)}"
    return words + agreed


def _number(kind: str, ruleset: Ruleset, players: int) -> int | None:
    """How many there are with so many players and the usual parameters; none if these do not go together."""
    try:
        return ruleset.game(players, None).kinds.get(kind, (0, 0))[1]
    except RulesetError:
        return None


def _counted(component: Component, often: Counter[str]) -> str:
    """A number of pieces, and how often each is among them."""
    count = sum(often.values())
    words = f"{count} piece{'s' * (count != 1)}"
    numbers = set(often.values())
    each = listed([_walked(component, e.text) for e in component.each or ()])
    if len(often) > 1 and len(numbers) > 1:
        shown = len(often) <= MOST_SHOWN
        begin = ", as they begin" if component.label is not None and any(f"{{{m.text}" in component.label.text for m, _ in component.mutable) else ""
        kinds = listed([f"{number} × {label}" for label, number in often.items()])
        return f"{words}{begin}: {kinds}" if shown else f"{words}, some of them several times"
    if component.each and numbers == {1}:
        return f"{words}, one for every {each}"
    if len(often) > 1 and numbers != {1}:
        return f"{words}, {next(iter(numbers))} of each{f' {each}' if each else ''}"
    return words


def _walked(component: Component, attribute: str) -> str:
    """What there is one of each of: the name of the attribute, or what it holds if that is a player."""
    kinds = {a.text: kind.text.strip() for a, kind in component.attributes}
    return "player" if kinds.get(attribute) == "Player" else name(attribute)


def _agreed(component: Component, ruleset: Ruleset) -> str:
    """How the number comes about, if what is agreed on before the game may change it."""
    written = component.copies or component.count
    kinds = {a.text: kind.text for a, kind in component.attributes}
    texts = [*([written.text] if written is not None else []), *(kinds.get(e.text, "") for e in component.each or ())]
    wanted = {p.name for p in ruleset.parameters}
    by_rule = bool(wanted) and written is not None and "(" in written.text
    if not by_rule and not any(wanted.intersection(re.findall(r"\w+", text)) for text in texts):
        return ""
    node = parse_expression(written.rule)[0] if written is not None and not written.text.isdecimal() else None
    if node is None:
        return ", unless something else is agreed on"
    what = "their number" if component.copies is None else "of each"
    return f", unless something else is agreed on ({what}: {PLAIN.phrase(node)})"


def _often(kind: str, game: Game) -> Counter[str]:
    """How often there is which piece of a class."""
    first, count = game.kinds.get(kind, (0, 0))
    return Counter(piece.label for piece in game.pieces[first : first + count])
