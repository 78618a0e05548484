"""Checking the statements that act on zones: moving, drawing, shuffling, rolling, swapping, passing on,
adding, showing.
"""

from __future__ import annotations

from croupier.diagnostics import Label, Span
from croupier.kernel import types as t
from croupier.kernel.tree import (
    AddStmt,
    ConstExpr,
    DrawStmt,
    EmitStmt,
    MoveStmt,
    OperationExpr,
    PassStmt,
    RemoveStmt,
    RollStmt,
    ShuffleStmt,
    SwapStmt,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
)
from croupier.kernel.types import INT, PLAYER
from croupier.semantics.claims import ClaimStmt
from croupier.semantics.context import Scope
from croupier.semantics.expressions import CheckerPart
from croupier.semantics.statements import StatementChecker
from croupier.syntax import nodes as n

WAYS = ("next", "previous")


class ZoneStatements(CheckerPart):
    """Checks what acts on zones and components."""

    def __init__(self, statements: StatementChecker) -> None:
        super().__init__(statements.expressions)
        statements.rules |= {n.Move: self.move, n.Draw: self.draw, n.Verb: self.verb}

    def zone(self, node: n.Expr, scope: Scope) -> TypedExpr:
        x = self.expressions.check(node, scope)
        if isinstance(x.type, (t.Zone, t.Unknown)):
            return x
        if isinstance(x.type, t.Family):
            reached = [
                local
                for name in scope.visible()
                if (local := scope.find(name)) is not None
                and local.type == x.type.key
                and name.isidentifier()
            ]
            help = (
                f"say which: `{node.span.text}[{reached[0].name}]`"
                if len(reached) == 1 and node.span.text.isidentifier()
                else None
            )
            return self.ctx.report("T047", node.span, name=x.type.zone, key=x.type.key, help=help)
        return self.ctx.report("T048", node.span, given=x.type)

    def components(self, node: n.Expr, scope: Scope) -> TypedExpr:
        """One component, a list of them or a whole zone, as a list."""
        x = self.expressions.check(node, scope)
        if isinstance(x.type, t.Unknown):
            return x
        if isinstance(x.type, t.Component):
            return OperationExpr("list", t.list_of(x.type, True), node.span, (x,))
        if isinstance(x.type, t.Optional):
            return self.ctx.report("T002", node.span, given=x.type, wanted=x.type.base)
        if isinstance(x.type, t.Zone):
            return OperationExpr("zone_all", t.list_of(t.Component(x.type.kinds)), node.span, (x,))
        if (
            isinstance(x.type, t.Collection)
            and isinstance(x.type.base, t.Optional)
            and isinstance(x.type.base.base, t.Component)
        ):
            return self.ctx.report("T002", node.span, given=x.type.base, wanted=x.type.base.base)
        if not isinstance(x.type, (t.Collection, t.Family)):
            help = None
            if isinstance(x.type, t.Map) and isinstance(x.type.key, t.Player):
                help = f"each player has their own: `for q in players: move {node.span.text}[q] to …`"
            return self.ctx.report("T049", node.span, given=x.type, help=help)
        x = self.expressions.as_list(x)
        base = x.type.base if isinstance(x.type, t.Collection) else t.UNKNOWN
        if not isinstance(base, (t.Component, t.Never, t.Unknown)):
            return self.ctx.report("T049", node.span, given=x.type)
        return x

    def check_holds(self, what: TypedExpr, zone: TypedExpr) -> None:
        base = what.type.base if isinstance(what.type, t.Collection) else None
        if (
            isinstance(base, t.Component)
            and isinstance(zone.type, t.Zone)
            and not base.kinds & zone.type.kinds
        ):
            self.ctx.report("T050", what.span, given=base, wanted=zone.type)

    def move(self, node: n.Move, scope: Scope) -> TypedStmt:
        what, to = self.components(node.what, scope), self.zone(node.to, scope)
        self.check_holds(what, to)
        if node.place is not None and isinstance(to.type, t.Zone) and to.type.order in ("set", "bag"):
            at = node.span.source.text.index(node.place, node.to.span.end)
            word = Span(node.span.source, at, at + len(node.place))
            self.ctx.report("T051", word, order=to.type.order)
        return MoveStmt(node.span, (what, to), place=node.place or "top")

    def draw(self, node: n.Draw, scope: Scope) -> TypedStmt:
        count = self.expressions.check(node.count, scope, t.Int(0))
        source = self.zone(node.source, scope)
        to = self.zone(node.to, scope)
        if isinstance(source.type, t.Zone) and isinstance(to.type, t.Zone):
            if not source.type.kinds & to.type.kinds:
                self.ctx.report(
                    "T050", node.source.span, given=t.Component(source.type.kinds), wanted=to.type
                )
            elif source.type.order not in ("pile", "bag", "sequence"):
                self.ctx.report("T052", node.source.span, order=source.type.order)
        proc = scope.proc
        left = proc.slot("$left", INT)
        drawn = -1
        if node.name is not None and node.name_span is not None:
            kinds = source.type.kinds if isinstance(source.type, t.Zone) else frozenset()
            self.names.check_new_name(node.name, node.name_span, scope)
            drawn = scope.declare(node.name, t.list_of(t.Component(kinds)), node.name_span).slot
        bottom = () if node.bottom is None else (ConstExpr(t.BOOL, node.bottom, value=True),)
        if node.bottom is not None and isinstance(source.type, t.Zone) and source.type.order == "bag":
            self.ctx.report("T051", node.bottom, order=source.type.order)
        return DrawStmt(node.span, (count, source, to, *bottom), left=left, drawn=drawn)

    def verb(self, node: n.Verb, scope: Scope) -> TypedStmt:
        span, a = node.span, node.operands[0]
        match node.verb:
            case "shuffle":
                zone = self.zone(a, scope)
                if isinstance(zone.type, t.Zone) and zone.type.order != "pile":
                    self.not_shuffled(zone, zone.type)
                return ShuffleStmt(span, (zone,))
            case "roll":
                return self.roll(node, scope)
            case "swap":
                return self.swap(node, scope)
            case "pass_on":
                return self.pass_on(node, scope)
            case "add" | "remove":
                target = self.expressions.target(node.operands[1], scope)
                if not isinstance(target.type, (t.Collection, t.Unknown)):
                    self.ctx.report("T054", node.operands[1].span, given=target.type)
                    return PassStmt(span)
                base = target.type.base if isinstance(target.type, t.Collection) else None
                value = self.expressions.check(a, scope, base)
                form = AddStmt if node.verb == "add" else RemoveStmt
                return form(
                    span, (self.expressions.guard(value, base) if base is not None else value, target)
                )
            case "show":
                what, to = self.shown_components(a, scope), self.expressions.audience(node.operands[1], scope)
                return EmitStmt(span, (what, to), op="show")
            case "reveal":
                everybody = OperationExpr("players", t.list_of(PLAYER, True), span)
                return EmitStmt(span, (self.shown_components(a, scope), everybody), op="show")
            case "claim":
                if not self.program.claims:
                    self.ctx.report("F007", span)
                return ClaimStmt(span, (self.expressions.check(a, scope, PLAYER),))
        raise AssertionError(node.verb)

    def shown_components(self, node: n.Expr, scope: Scope) -> TypedExpr:
        x = self.expressions.check(node, scope)
        if isinstance(x.type, t.Optional) and isinstance(x.type.base, t.Component):
            return self.expressions.as_list(x)
        return self.components(node, scope) if not isinstance(x.type, t.Unknown) else x

    def not_shuffled(self, zone: TypedExpr, kind: t.Zone) -> None:
        """Report a zone that is shuffled and is no pile."""
        why = {
            "set": "what lies in it has no order",
            "bag": "what is drawn from a bag comes by chance anyhow",
            "sequence": "what lies in it keeps its order",
        }[kind.order]
        declared = self.program.zones[zone.name] if isinstance(zone, ZoneExpr) else None
        said = "here without `order:`" if kind.order == "set" else f"here with `order: {kind.order}`"
        labels = () if declared is None else (Label(declared.span, f"declared {said}"),)
        help = "what is shuffled is declared with `order: pile`"
        if any(self.program.classes[name].rolls is not None for name in kind.kinds):
            help = f"dice are rolled: `roll {zone.span.text}`; {help}"
        self.ctx.report("T053", zone.span, zone=f"`{zone.span.text}`", why=why, labels=labels, help=help)

    def roll(self, node: n.Verb, scope: Scope) -> TypedStmt:
        what = self.components(node.operands[0], scope)
        base = what.type.base if isinstance(what.type, t.Collection) else None
        if not isinstance(base, t.Component):
            return PassStmt(node.span)
        kinds = sorted(base.kinds)
        idle = frozenset(k for k in kinds if self.program.classes[k].rolls is None)
        c = self.program.classes[kinds[0]]
        if idle:
            choice = next(
                (k.mutable for kind in sorted(idle) if (k := self.program.classes[kind]).mutable), None
            )
            how = "say what it rolls: `mutable: {face: 1..6 = 1}`"
            if choice is not None:
                how = f"say which attribute it rolls: `rolls: {next(iter(choice))}`"
            self.ctx.report("T055", node.operands[0].span, kind=t.Component(idle), help=how)
            return PassStmt(node.span)
        if len(kinds) > 1:
            how = (
                f"roll each kind by itself: `for d in …:` with `if d is {kinds[0]}: roll d`, and so for "
                f"the others"
            )
            self.ctx.report("T020", node.operands[0].span, name=c.rolls, help=how)
            return PassStmt(node.span)
        left = scope.proc.slot("$left", t.list_of(base))
        return RollStmt(node.span, (what,), attribute=f"{c.name}.{c.rolls}", left=left)

    def swap(self, node: n.Verb, scope: Scope) -> TypedStmt:
        a = self.expressions.check(node.operands[0], scope)
        b = self.expressions.check(node.operands[1], scope)
        for x, o in ((a, node.operands[0]), (b, node.operands[1])):
            if isinstance(x.type, t.Optional):
                self.ctx.report("T002", o.span, given=x.type, wanted=x.type.base)
                return PassStmt(node.span)
        if isinstance(a.type, t.Component) and isinstance(b.type, t.Component):
            return SwapStmt(node.span, (a, b), what="components")
        if isinstance(a.type, t.Zone) and isinstance(b.type, t.Zone):
            return SwapStmt(node.span, (a, b), what="zones")
        if not isinstance(a.type, t.Unknown) and not isinstance(b.type, t.Unknown):
            self.ctx.report("T056", node.span, left=a.type, right=b.type)
        return PassStmt(node.span)

    def pass_on(self, node: n.Verb, scope: Scope) -> TypedStmt:
        """`pass hand to next`: what lies in the zone of each player goes to that of the player after them."""
        what, way = self.expressions.check(node.operands[0], scope), node.operands[1]
        if isinstance(what.type, t.Unknown):
            return PassStmt(node.span)
        if not isinstance(what.type, t.Family) or not isinstance(what.type.key, t.Player):
            self.ctx.report(
                "T080",
                node.operands[0].span,
                problem=f"what is passed on lies in a zone per player; this is {what.type}",
            )
        elif not isinstance(way, n.Name) or way.name not in WAYS:
            self.ctx.report("T080", way.span, problem="what is passed on goes `to next` or `to previous`")
        else:
            return SwapStmt(node.span, (what,), what=way.name)
        return PassStmt(node.span)
