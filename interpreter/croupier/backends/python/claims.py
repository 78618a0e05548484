"""What may be said where a rule asks for it."""

from __future__ import annotations

from itertools import product
from typing import Any

from croupier.backends.python.position import Position
from croupier.backends.python.stands import Asked, Run, Stand, ask
from croupier.runtime.game import Game
from croupier.semantics.program import ClaimDef

MOST_KEPT = 512  # positions of the variables that conditions read


class Utterances:
    """All that one declared claim can say: every combination of its fields, and which of them its condition tells apart."""

    def __init__(self, game: Game, claim: ClaimDef, condition: Asked | None) -> None:
        self.condition, self.seat = condition, claim.slots[0]
        combinations = list(product(*(game.values(kind) for _, kind in claim.fields)))
        self.count = len(combinations)
        fields = {slot: i for i, slot in enumerate(claim.slots[1:])}
        needs = () if condition is None else condition[1]
        keys = [tuple([0 if s == self.seat else values[fields[s]] for s in needs]) for values in combinations]
        self.distinct = list(dict.fromkeys(keys))
        place = {key: i for i, key in enumerate(self.distinct)}
        self.places = [place[key] for key in keys]
        self.at = [i for i, s in enumerate(needs) if s == self.seat]

    def allowed(self, p: Position, seat: int, first: int) -> list[int]:
        """The actions of what may be said, the first one of this claim being `first`."""
        if self.condition is None:
            return list(range(first, first + self.count))
        function, held = self.condition[0], []
        for key in self.distinct:
            args = list(key)
            for i in self.at:
                args[i] = seat
            held.append(function(p, *args))
        return [first + k for k, place in enumerate(self.places) if held[place]]


class Claiming:
    """A site where somebody may say something: fields of all claims in every combination that their conditions let through.

    `variables` are all that conditions read, by number: what may be said is kept by their values, with the fuel that it took. None keeps nothing.
    """

    def __init__(self, game: Game, stand: Stand, conditions: list[Asked | None], variables: list[int] | None) -> None:
        self.stand, self.variables = stand, variables
        self.kept: dict[tuple[Any, ...], tuple[list[int], int]] = {}
        self.rows = [Utterances(game, c, condition) for c, condition in zip(game.program.claims, conditions, strict=True)]

    def begin(self, p: Position, f: list[Any]) -> Any:
        self.show(p, f)
        return True if p.offer else None

    def show(self, p: Position, f: list[Any]) -> None:
        assert self.stand.chooser is not None
        p.seat = ask(self.stand.chooser, p, f)
        if self.variables is None:
            p.offer = self.allowed(p)
            return
        held = p.vars
        values: list[Any] = [p.seat]
        for i in self.variables:
            v = held[i]
            values.append(tuple(v) if type(v) is list else v)
        key = tuple(values)
        found = self.kept.get(key)
        if found is None:
            if len(self.kept) >= MOST_KEPT:
                self.kept.clear()
            fuel = p.fuel
            found = self.kept[key] = self.allowed(p), fuel - p.fuel
            p.fuel = fuel
        p.offer, steps = found
        p.spend(steps, None)

    def allowed(self, p: Position) -> list[int]:
        """The actions of all that may be said."""
        found: list[int] = []
        first = 0
        for row in self.rows:
            p.spend(row.count, None)
            found += row.allowed(p, p.seat, first)
            first += row.count
        return found

    def go_on_with(self, p: Position, action: int) -> tuple[Run, Any] | None:
        assert self.stand.chosen is not None
        return self.stand.chosen, None
