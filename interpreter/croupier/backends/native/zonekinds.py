"""What zones are like, in native code.

A zone is its length, its components from the bottom up, and a tag for each: `KNOWN`, or `FIRST` or `MORE` of an unordered part, whose components
stand in ascending order. Where it is known that a zone is one of a few, what these have in common is not looked up.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.backends.native import plan as p
from croupier.backends.native.constants import Constants
from croupier.backends.native.emit import Fn
from croupier.backends.native.plan import Plan
from croupier.ir.routines import Routine
from croupier.runtime.game import Game

KNOWN, FIRST, MORE = range(3)
Among = Sequence[int] | None  # the numbers of the zones that a zone may be, in ascending order; none: all of them
FEW_TARGETS = 5  # with so few, taking a component is put into each of the functions that move one


class ZoneKinds:
    """The zones of a game."""

    def __init__(self, game: Game, plan: Plan, constants: Constants) -> None:
        self.game, self.plan, self.constants = game, plan, constants
        self.sorted = [str(int(x.order in ("set", "bag"))) for x in game.places]
        self.targets: set[str] = set()  # zones that components are put into one by one
        fresh = self.never_put_into()
        self.many_targets = len(self.targets) > FEW_TARGETS
        self.one_part = [str(int(x.zone in fresh)) for x in game.places]
        code = game.code
        self.fits = [str(int(piece.kind in code.holds[place.number])) for place in game.places for piece in game.pieces]

    def never_put_into(self) -> set[str]:
        """Zones that nothing is ever put into: what is left in one, once it was shuffled, is one unordered part from the bottom to the top."""
        facts, found = self.plan.words.facts, {x.zone for x in self.game.places if x.order != "bag"}
        for routine in facts.module.every_routine():
            for b in routine.blocks:
                for i in b.code:
                    if i.op in ("move", "move_all"):
                        names = facts.zones_of(routine, i.args[1])
                        found -= names
                        self.targets |= names if len(names) == 1 else set()
                    elif i.op in ("swap", "swap_zones"):
                        found.clear()
        started = {x.zone for x in self.game.places if any(isinstance(item, tuple) for item in self.game.start_zones[x.number])}
        return found - started

    def among(self, routine: Routine, slot: int) -> Among:
        """The zones that a slot may name, if they have one name."""
        names = self.plan.words.facts.zones_of(routine, slot)
        return [x.number for x in self.game.places if x.zone in names] if len(names) == 1 else None

    def common(self, f: Fn, rows: list[str], z: str, among: Among = None) -> str:
        """The row of a table by zone; without a look into it where all zones that it may be have the same."""
        found = {rows[k] for k in among} if among else set(rows)
        return found.pop() if len(found) == 1 else self.constants.lookup(f, rows, z)

    def marked(self, f: Fn, rows: list[str], z: str, among: Among = None) -> str:
        """Is the row of a table by zone not 0? An i1."""
        found = self.common(f, rows, z, among)
        return f.test("ne", found, "0") if found.startswith("%") else "false" if found == "0" else "true"

    def parts(self, f: Fn, z: str, among: Among = None) -> tuple[str, str, str]:
        """Addresses of the length, the components and the tags of a zone."""
        start = self.plan.zones
        step = start[among[1]] - start[among[0]] if among and len(among) > 1 else 0
        if step and among and all(start[k] == start[among[0]] + (k - among[0]) * step for k in among):
            base = f.at(f.at("%S", start[among[0]] - among[0] * step), f.mul(z, str(step)))
        else:
            base = f.at("%S", self.common(f, [str(a) for a in start], z, among))
        pieces = f.at(base, 1)
        return base, pieces, f.at(pieces, self.capacity(f, z, among))

    def capacity(self, f: Fn, z: str, among: Among = None) -> str:
        return self.common(f, [str(c) for c in self.plan.capacity], z, among)

    def where(self, f: Fn, piece: str) -> str:
        return f.at("%S", f.add(piece, str(self.plan.where)))

    def parted(self, f: Fn, z: str, among: Among = None) -> str:
        """May a zone have unordered parts? An i1. Tags of all others are `KNOWN` from the beginning."""
        return self.marked(f, [str(int(place.zone in self.plan.unordered)) for place in self.game.places], z, among)

    def noticed(self, f: Fn, z: str, among: Among = None) -> None:
        """Watchers look at a zone that was written."""
        rows = [str(sum(1 << w for w in found)) for found in self.game.code.watch_zones]
        if any(rows[k] != "0" for k in among or range(len(rows))):
            watching = self.common(f, rows, z, among)
            with f.when(f.test("ne", watching, "0")):
                status = f.call("notice", ["ptr %S", f"i64 {watching}"])
                with f.when(f.test("ne", status, str(p.OK))):
                    f.give(status)

    def unless(self, f: Fn, failing: str) -> None:
        with f.when(failing):
            f.give(str(p.DEVIATES))
