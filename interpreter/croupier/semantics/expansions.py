"""Statements that are written as others before they are checked, so that nothing else knows them.

    move c to z with size: 3       a name for what is moved, what its attributes are from now on, a move
    choose c from z by p unseen    a choice of a place in the zone, and a name for what lies there
    deal 5 each from z to hand     for p in players: draw 5 from z to hand[p] as "{p} is dealt {moved}"

What they are written as is checked as if the author had written it: types, what is known of values, and
messages about their operands follow from that. Only mistakes that the author could not understand by it are
reported here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from croupier.diagnostics import Fix
from croupier.kernel import types as t
from croupier.kernel.tree import ConstExpr, ParamExpr, TypedExpr, zone_name
from croupier.kernel.types import PLAYER
from croupier.semantics.context import Scope
from croupier.semantics.expressions import CheckerPart, ExpressionChecker
from croupier.semantics.narrowing import leaves
from croupier.syntax import nodes as n


class Expansions(CheckerPart):
    """What a statement is written as: a row for each class of nodes, or verb, with such statements."""

    def __init__(self, expressions: ExpressionChecker) -> None:
        super().__init__(expressions)
        self.rules: dict[type[n.Stmt] | str, Callable[[Any, Scope], tuple[n.Stmt, ...]]] = {
            n.Move: self.marked,
            n.Choose: self.unseen,
            "deal": self.dealt,
        }

    def of(self, node: n.Stmt, scope: Scope) -> tuple[n.Stmt, ...]:
        """The statements that are checked in place of one; itself if it is no such statement."""
        rule = self.rules.get(node.verb if isinstance(node, n.Verb) else type(node))
        return (node,) if rule is None else rule(node, scope)

    def looked_at(self, node: n.Expr, scope: Scope) -> TypedExpr:
        """An expression that is checked again where it stands: what is wrong with it is said there."""
        before = len(self.ctx.found)
        x = self.expressions.check(node, scope)
        del self.ctx.found[before:]
        return x

    # ------------------------------------------------------------ move with
    def marked(self, node: n.Move, scope: Scope) -> tuple[n.Stmt, ...]:
        if not node.marks:
            return (node,)
        span, called = node.what.span, f"what is moved at {node.span.start}"
        what = self.looked_at(node.what, scope)
        for at, (word, where, _) in enumerate(node.marks):
            if word in (other for other, _, _ in node.marks[:at]):
                self.ctx.report("T083", where, name=word)
        moved = n.Name(span, called)
        if isinstance(what.type, (t.Component, t.Unknown, t.Optional)):
            named = n.Let(node.span, node.cites, called, span, False, None, node.what)
            return (named, *self.marks(node, moved), replace(node, what=moved, marks=()))
        each = n.Name(span, f"each {called}")
        named = n.Let(node.span, node.cites, called, span, False, None, n.Attr(span, node.what, "list", span))
        body = self.marks(node, each)
        return (
            named,
            n.ForStmt(node.span, node.cites, each.name, span, moved, None, body, False),
            replace(node, what=moved, marks=()),
        )

    @staticmethod
    def marks(node: n.Move, what: n.Name) -> n.Block:
        """The attributes of one component; the words of the move tell them, if it has some."""
        told = None if node.words is None else n.Template(node.words.span, (), "")
        return tuple(
            n.Assign(node.span, node.cites, n.Attr(where, what, word, where), "=", value, told)
            for word, where, value in node.marks
        )

    # ------------------------------------------------------------ choose unseen
    def unseen(self, node: n.Choose, scope: Scope) -> tuple[n.Stmt, ...]:
        pick = node.pick
        if pick.unseen is None:
            return (node,)
        one = replace(node, pick=replace(pick, unseen=None))
        judged = pick.where is not None or pick.conditions or pick.such_that is not None or pick.merging
        if judged or pick.how_many is not None or pick.chooser != "one":
            self.ctx.report(
                "T082",
                pick.unseen,
                problem="what is unseen is chosen by its place: one, by one player, without conditions",
            )
            return (one,)
        source = self.looked_at(pick.source, scope)
        if isinstance(source.type, t.Unknown):
            return (one,)
        if not isinstance(source.type, t.Zone) or source.type.order not in ("sequence", "pile"):
            problem = (
                "what is unseen is chosen by its place, in a zone with `order: sequence` or `pile`; "
                "without order, chance takes it: `by chance`"
            )
            self.ctx.report("T082", pick.unseen, problem=problem)
            return (one,)
        span, place = pick.source.span, f"place of {pick.name}"
        last = n.Attr(span, pick.source, "size", span)
        places = n.Binary(span, "..", n.Int(span, 1), last)
        value: n.Expr = n.Index(span, pick.source, n.Name(pick.name_span, place))
        if not node.optional and node.other is not None and not leaves(node.other):
            value = n.IfElse(
                span, n.IsNone(span, n.Name(pick.name_span, place), True), value, n.NoneLit(span)
            )
        named = n.Let(node.span, node.cites, pick.name, pick.name_span, False, None, value)
        choice = replace(
            one,
            pick=replace(one.pick, name=place, source=places),
            body=(named, *node.body) if node.optional else (),
        )
        return (choice,) if node.optional else (choice, named)

    # ------------------------------------------------------------ deal
    def dealt(self, node: n.Verb, scope: Scope) -> tuple[n.Stmt, ...]:
        """A draw for each player, in their order; words of the author are said once, behind all of them."""
        span, cites = node.span, node.cites
        count, source, to, *given = node.operands
        players = given[0] if given else n.Name(span, "players")
        if not self.is_dealt_to(to, players, scope):
            for operand in (count, source):
                self.expressions.check(operand, scope)
            return ()
        number, player = n.Name(count.span, f"number dealt at {span.start}"), f"dealt to at {span.start}"
        is_fixed = isinstance(self.looked_at(count, scope), (ConstExpr, ParamExpr))
        named = n.Let(span, cites, number.name, count.span, False, None, count)
        draw = n.Draw(
            span,
            cites,
            count if is_fixed else number,
            source,
            n.Index(to.span, to, n.Name(to.span, player)),
            None,
            None,
            self.share(node, n.Name(span, player), self.looked_at(source, scope)),
        )
        loop = n.ForStmt(span, cites, player, span, players, None, (draw,))
        made: tuple[n.Stmt, ...] = (loop,) if is_fixed else (named, loop)
        if node.words is None or not node.words.raw:
            return made
        return (*made, n.Tell(span, cites, None, node.words))

    def share(self, node: n.Verb, player: n.Name, source: TypedExpr) -> n.Template:
        """What is said of the share of one player: nothing where the author has words for the whole."""
        if node.words is not None:
            return n.Template(node.words.span, (), "")
        zone = self.program.zones[zone_name(source)] if source.op == "zone" else None
        pile = "" if zone is None or zone.words is not None else f" from the {zone.name.replace('_', ' ')}"
        parts = (player, " is dealt ", n.Name(node.span, "moved"), pile)
        return n.Template(node.span, tuple(part for part in parts if part), "")

    def is_dealt_to(self, to: n.Expr, players: n.Expr, scope: Scope) -> bool:
        """Tell whether these are zones of players, and players; report what is not."""
        before = len(self.ctx.found)
        zones = self.expressions.check(to, scope).type
        receivers = self.expressions.zones_as_list(self.expressions.check(players, scope))
        self.expressions.fit(receivers, t.list_of(PLAYER), players.span)
        if not isinstance(zones, t.Unknown) and not per_player(zones):
            self.report_one_zone(to, zones, scope)
        return len(self.ctx.found) == before and not isinstance(zones, t.Unknown)

    def report_one_zone(self, to: n.Expr, kind: t.Type, scope: Scope) -> None:
        """Report what is dealt to and is no zone per player."""
        problem, help, fix = "what is dealt goes to a zone per player", None, None
        if isinstance(to, n.Index) and per_player(self.looked_at(to.target, scope).type):
            whole = to.target.span.text
            problem = "what is dealt goes to the zones of all players; this is one of them"
            help, fix = f"write `to {whole}`", Fix(to.span, whole, f"write `{whole}`", safe=False)
        elif isinstance(kind, t.Zone):
            problem += f"; `{to.span.text}` is one zone"
            help = f"declare it `per: Player`, or write `draw … to {to.span.text}`"
        elif t.is_assignable(kind, t.list_of(PLAYER)) or isinstance(kind, t.Player):
            help = f"say the zone first, then the players: `to hand in {to.span.text}`"
        else:
            problem += f"; this is {kind}"
        self.ctx.report("T086", to.span, problem=problem, help=help, fix=fix)


def per_player(kind: t.Type) -> bool:
    """Tell whether these are zones with one for each player."""
    return isinstance(kind, t.Family) and isinstance(kind.key, t.Player)
