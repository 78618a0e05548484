"""The reference evaluator: parts of texts as somebody reads them who may not see everything.

A text about somebody's decision is made for each reader. While it is made, `m.seen` holds the eyes of the reader, and each read of a component's
attributes or place, of a zone or of state is tested; a part of a text that reads what the reader may not see is masked. What is called is run by
code of its own that tests its reads, too: what it reads decides, not what it might have read. A local variable is shown as it is: what a rule has
copied into one is its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from croupier.runtime.evaluate import Run
from croupier.runtime.faults import Unseen
from croupier.runtime.functions import Functions
from croupier.runtime.game import Game, Value
from croupier.runtime.reads import is_state
from croupier.semantics import types as t
from croupier.semantics.tree import X

OF_COMPONENTS = ("mutable", "component.owner")
FIXED = ("attr", "is_kind", "is_other")  # what never changes in a component
COUNTS = ("zone.size", "zone.empty", "zone.room")
OF_FAMILY_COUNTS = ("family.size", "family.empty")


class Masks(Functions):
    """Texts and expressions as somebody reads them who may not see everything."""

    masking = False
    watched = False  # everything is masked, what is called too: a call reads nothing by itself

    def masked(self, x: X) -> Run:
        """An expression that raises `Unseen` when it reads what `m.seen` may not see."""
        before, self.masking = self.masking, True
        try:
            return self.expr(x)
        finally:
            self.masking = before

    def expr(self, x: X) -> Run:
        if not self.masking:
            return super().expr(x)
        if x.op == "index" and x.args[0].op == "state":
            run = super().expr(replace(x, args=(replace(x.args[0], op="state_entry"), x.args[1])))
        else:
            run = super().expr(x)
        if x.op in ("call", "original") and not self.watched:
            run = self.redacted(run)
        test = self.sight_test(x)
        if test is None:
            return run

        def tested(m: Any, L: list[Any]) -> Value:
            if m.seen is not None and not test(m, L):
                raise Unseen
            return run(m, L)

        return tested

    def redacted(self, call: Run) -> Run:
        """A call that raises `Unseen` when what it runs reads what `m.seen` may not see."""

        def run(m: Any, L: list[Any]) -> Value:
            if m.seen is None:
                return call(m, L)
            game, cites, value = m.game, m.cites, m.retval
            m.game = self.redacting_game(game)
            try:
                return call(m, L)
            except Unseen:
                m.cites, m.retval = cites, value
                raise
            finally:
                m.game = game

        return run

    def redacting_game(self, game: Game) -> Game:
        """The game with code that asks `m.seen` about everything that it reads; made when it is first needed."""
        if game.redacting is None:
            other = game.redacting = replace(game, trace=None, compiled=None, native=None, checked=None)
            other.redacting = other
            other.code = type(self)(other)
            other.code.masking = other.code.watched = other.code.hooks.redacting = True
            other.code.compile_definitions()
        return game.redacting  # type: ignore[no-any-return]

    def sight_test(self, x: X) -> Any:
        """May the eyes of `m` see what an operation reads? None for one that reads nothing of a position."""
        game, op = self.game, x.op
        if op in OF_COMPONENTS:
            piece = super().expr(x.args[0])
            return lambda m, L: m.seen(piece(m, L))
        if op in FIXED:
            if is_state(x.args[0]):
                return None  # whoever may read the state knows which component it is
            piece = super().expr(x.args[0])
            return lambda m, L: m.seen.named(piece(m, L))
        if op == "family.key":
            piece = super().expr(x.args[1])
            return lambda m, L: m.seen(piece(m, L))
        if op == "index" and x.args[0].op == "state":
            i, kind = game.program.vars[x.args[0].data].index, x.args[0].type
            assert isinstance(kind, t.Map)
            key, low = super().expr(x.args[1]), game.domain(kind.key)[0]
            return lambda m, L: m.seen.variable(i, key(m, L) - low)
        if op == "state":
            i = game.program.vars[x.data].index
            return lambda m, L: m.seen.variable(i, None)
        if op in ("zone_list", "zone_all", "zone_item") or op.startswith("zone."):
            zone = super().expr(x.args[0])
            return (lambda m, L: m.seen.count(zone(m, L))) if op in COUNTS else (lambda m, L: m.seen.zone(zone(m, L)))
        if op == "family_list" or op.startswith("family."):
            first, count = game.family[x.args[0].data]
            if op in OF_FAMILY_COUNTS:
                return lambda m, L: all(m.seen.count(z) for z in range(first, first + count))
            return lambda m, L: all(m.seen.zone(z) for z in range(first, first + count))
        if op in ("call", "original"):
            if self.watched:
                return None
            pieces = [super(Masks, self).expr(a) for a in x.args if isinstance(a.type, t.Component)]
            return (lambda m, L: all(m.seen(f(m, L)) for f in pieces)) if pieces else None
        return None

    def x_state_entry(self, x: X) -> Run:
        """A map of state where only one entry of it is read: that entry is what is tested."""
        return self.x_state(x)
