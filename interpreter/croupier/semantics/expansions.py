"""Statements that are written as others before they are checked, so that nothing else knows them.

    move c to z with size: 3       a name for what is moved, what its attributes are from now on, a move
    choose c from z by p unseen    a choice of a place in the zone, and a name for what lies there

What they are written as is checked as if the author had written it: types, what is known of values, and
messages about their operands follow from that. Only mistakes that the author could not understand by it are
reported here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from croupier.kernel import types as t
from croupier.kernel.tree import TypedExpr
from croupier.semantics.context import CheckContext, Scope
from croupier.semantics.expressions import ExpressionChecker
from croupier.semantics.narrowing import leaves
from croupier.syntax import nodes as n


class Expansions:
    """What a statement is written as: a row for each class of nodes with such statements."""

    def __init__(self, ctx: CheckContext, expressions: ExpressionChecker) -> None:
        self.ctx = ctx
        self.expressions = expressions
        self.rules: dict[type[n.Stmt], Callable[[Any, Scope], tuple[n.Stmt, ...]]] = {
            n.Move: self.marked,
            n.Choose: self.unseen,
        }

    def of(self, node: n.Stmt, scope: Scope) -> tuple[n.Stmt, ...]:
        """The statements that are checked in place of one; itself if it is no such statement."""
        rule = self.rules.get(type(node))
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
