"""What in a ruleset speaks against drawing hidden states by exchanges of components: the reasons, with
positions.

Exchanges reach every possible state only where components that lie in zones are all that is hidden: nobody
is asked in secret, to react or otherwise, who sees what does not depend on the position, and no component
that somebody cannot see has a copy or changing attributes. What only a history can tell, as a choice of a
number in secret, stands in `history_table.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier.diagnostics import Span
from croupier.kernel.tree import (
    AddStmt,
    AssignStmt,
    ChooseStmt,
    DoStmt,
    LetStmt,
    MenuStmt,
    OpenStmt,
    SecretlyStmt,
)
from croupier.runtime.game import Game
from croupier.runtime.visibility import EVERYBODY, hides_nothing_ever
from croupier.semantics.walk import bodies, statements


@dataclass(frozen=True, slots=True)
class Reason:
    """Why histories of a ruleset are no tables: in words, and where that stands; `span` is None where it is
    nothing that the ruleset says at one place.
    """

    words: str
    span: Span | None


def hidden_classes(game: Game) -> frozenset[str]:
    """The classes of components that may lie where somebody does not see them."""
    found: set[str] = set()
    for zone in game.zones:
        if zone.seen_by != EVERYBODY:
            found |= game.program.zones[zone.family].kinds
    return frozenset(found)


PLAIN = (ChooseStmt, LetStmt, AssignStmt, AddStmt, DoStmt)  # forms that run whatever a player holds


def asks_each(s: SecretlyStmt) -> bool:
    """Tell whether each player of a block is asked the same, whatever they hold."""
    return all(isinstance(inner, PLAIN) for inner in statements(s.blocks[0]))


def reasons_against(game: Game) -> list[Reason]:
    """Why hidden states of this set-up are not drawn by exchanges; none if they are."""
    program = game.program
    found = [
        Reason("a seat is asked, or something happens, in secret", s.span)
        for _, s in bodies(program)
        if isinstance(s, SecretlyStmt) and not (s.is_at_once and asks_each(s))
    ]
    found += [
        Reason("whoever could react is asked in secret", s.span)
        for _, s in bodies(program)
        if isinstance(s, OpenStmt) or (isinstance(s, MenuStmt) and s.menu.window is not None)
    ]
    found += [
        Reason(f"who sees `{family}` depends on the position", program.zones[family].span)
        for family in dict.fromkeys(zone.family for zone in game.zones if zone.sight or zone.count_sight)
    ]
    found += [
        Reason(f"who sees `{v.name}` depends on the position", v.span)
        for v in game.variables
        if v.sight is not None
    ]
    hidden = hidden_classes(game)
    found += [
        Reason(f"`{v.name}` changes on a component that may be hidden", v.span)
        for v in game.variables
        if v.of_class in hidden
    ]
    copied = {game.components[first].kind for first in game.alike.members}
    found += [
        Reason(f"a `{name}` that may be hidden has a copy", program.classes[name].span)
        for name in sorted(copied & hidden)
    ]
    return found


def reasons_later(game: Game) -> list[Reason]:
    """What ends drawing by exchanges for the rest of a game, once another seat does it."""
    return [
        Reason("a claim is made", s.span)
        for _, s in bodies(game.program)
        if isinstance(s, MenuStmt) and any(o.claim for o in s.menu.options)
    ]


def explained(game: Game) -> list[str]:
    """Say how hidden states of a set-up are drawn, and why: a line for each reason."""
    if hides_nothing_ever(game):
        return ["nothing is ever hidden: a search looks at the real state"]
    against = reasons_against(game)
    if against:
        head = "hidden states are drawn by following histories, which is slow, because"
        return [head, *map(_line, against)]
    head = "hidden states are drawn by exchanges of components that a player does not see, which is fast"
    later = reasons_later(game)
    if not later:
        return [head]
    return [f"{head}; by following histories from where", *map(_line, later)]


def _line(reason: Reason) -> str:
    place = "" if reason.span is None else f" ({reason.span})"
    return f"  {reason.words}{place}"


__all__ = ["Reason", "explained", "hidden_classes", "reasons_against"]
