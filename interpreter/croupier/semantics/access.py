"""Checking what follows a value: attributes and methods, indices, operators."""

from __future__ import annotations

from typing import Any

from croupier.diagnostics import Fix, Span, did_you_mean
from croupier.semantics import types as t
from croupier.semantics.arithmetic import interval
from croupier.semantics.builtins import MEMBERS, Member
from croupier.semantics.collections import Collections
from croupier.semantics.expressions import COMPARISONS
from croupier.semantics.habits import comparison_help, member_help, membership_help
from croupier.semantics.program import Program
from croupier.semantics.scope import Scope, known_if
from croupier.semantics.tree import X
from croupier.semantics.types import BOOL, INT, Type
from croupier.syntax import nodes as n

KINDS: tuple[tuple[type[Type], str], ...] = (
    (t.Zone, "zone"), (t.Family, "family"), (t.Optional, "optional"), (t.Player, "player"), (t.Component, "component"), (t.Enum, "enum"),
    (t.Board, "board"), (t.Cell, "cell"),
)  # fmt: skip

HABITS = {
    "length": "size", "len": "size", "count": "size", "isempty": "empty", "is_empty": "empty", "cards": "list", "items": "list", "head": "first",
    "index": "position", "number": "seat", "neighbours": "adjacent", "neighbors": "adjacent", "reverse": "reversed",
}  # fmt: skip
MOST_LISTED = 12


def kind_of(kind: Type) -> str:
    """The row of the table of members for values of this type."""
    if isinstance(kind, t.Collection):
        return kind.kind
    return next((word for cls, word in KINDS if isinstance(kind, cls)), "")


def attributes_of(p: Program, kind: Type) -> list[str]:
    """What may stand behind the dot after a value of a type: the built-in words first, then what the ruleset declares."""
    names = list(MEMBERS.get(kind_of(kind), {}))
    if isinstance(kind, t.Board) and kind.name in p.zones:
        names += MEMBERS["family"]
    if isinstance(kind, t.Component):
        own = [[*p.classes[k].attributes, *p.classes[k].mutable] for k in sorted(kind.kinds)]
        names += [a for a in own[0] if all(a in others for others in own)] if own else []
    if isinstance(kind, t.Record):
        names += p.records[kind.name].fields
    if isinstance(kind, t.Enum) and kind.name in p.enums:
        names += p.enums[kind.name].columns
    return names


class Access(Collections):
    """Checks attributes, indices and operators."""

    # ------------------------------------------------------------ attributes
    def attribute(self, node: n.Attr, scope: Scope) -> X:
        p, span = self.program, node.span
        if isinstance(node.target, n.Name) and scope.find(node.target.name) is None and node.target.name in p.enums:
            enum = p.enums[node.target.name]
            if node.name in enum.values:
                self.used.add(("type", enum.name))
                return X("enum", t.Enum(enum.name), span, (), (enum.name, node.name))
        target = self.check(node.target, scope)
        kind = target.type
        if isinstance(kind, t.Unknown):
            return target
        if isinstance(kind, t.Component):
            found = self.component_attribute(target, kind, node)
            if found is not None:
                return found
        if isinstance(kind, t.Record):
            fields = p.records[kind.name].fields
            if node.name in fields:
                return X("field", fields[node.name], span, (target,), (kind.name, node.name))
        if isinstance(kind, t.Enum) and kind.name in p.enums and node.name in p.enums[kind.name].columns:
            return X("column", p.enums[kind.name].columns[node.name], span, (target,), (kind.name, node.name))
        member = MEMBERS.get(kind_of(kind), {}).get(node.name)
        stacks = self.stacks(target) if member is None else None
        if stacks is not None:
            target, kind = stacks, stacks.type
            member = MEMBERS["family"].get(node.name)
        if isinstance(kind, t.Zone) and node.name in ("top", "bottom") and self.is_heap(target):
            return self.wrong("T051", node.name_span, order=kind.order)
        if member is not None and member.args is None:
            return X(f"{kind_of(kind)}.{node.name}", self.member_type(member, kind) if node.name != "size" else self.size_of(target), span, (target,))
        if member is not None:
            return self.wrong("T019", node.name_span, name=node.name, notes=(member.signature,))
        if isinstance(kind, t.Optional):
            return self.wrong("T002", node.target.span, given=kind, wanted=kind.base)
        return self.no_attribute(node, kind)

    def no_attribute(self, node: n.Attr, kind: Type, called_with: bool = False) -> X:
        """Report an attribute that does not exist, or is called with something, with the one that was meant, or all that there are."""
        known = attributes_of(self.program, kind)
        meant = HABITS.get(node.name.casefold())
        here = member_help(node.name, kind)
        if meant in known and not (called_with and here is not None):
            help = {"help": f"did you mean `{meant}`?", "near": meant}
        else:
            help = {"help": here} if here is not None else self.suggest(node.name, known)
        if not help and isinstance(kind, (t.Map, t.Family)):
            help = {"help": "what belongs to a key stands in brackets: `m[key]`, like `m[p]` of a player"}
        if not help and 0 < len(known) <= MOST_LISTED:
            help = {"help": "it has " + ", ".join(f"`{k}`" for k in known)}
        return self.wrong("N002", node.name_span, name=node.name, type=kind, **help)

    def size_of(self, target: X) -> t.Int:
        """How many there are, as closely as the declarations say it."""
        if target.op == "players":
            return t.Int(min(self.program.players), max(self.program.players))
        if target.op == "enum_values":
            count = len(self.program.enums[target.data].values)
            return t.Int(count, count)
        sure = isinstance(target.type, t.Board) or (isinstance(target.type, t.Collection) and target.type.nonempty)
        return t.Int(1 if sure else 0, None)

    def is_heap(self, zone: X) -> bool:
        """Does this zone hold several things without order? (Of one thing, top and bottom are the thing.)"""
        declared = self.program.zones.get(zone.data) if zone.op in ("zone", "zone_at") else None
        if declared is None or declared.order not in ("set", "bag"):
            return False
        return declared.capacity is None or declared.capacity.op != "const" or declared.capacity.data != 1

    def component_attribute(self, target: X, kind: t.Component, node: n.Attr) -> X | None:
        p, joined, mutable = self.program, None, False
        for k in sorted(kind.kinds):
            c = p.classes[k]
            if node.name in c.attributes:
                here = c.attributes[node.name]
            elif node.name in c.mutable:
                variable = p.vars[f"{k}.{node.name}"].type
                here, mutable = (variable.value if isinstance(variable, t.Map) else t.UNKNOWN), True
            else:
                return None
            both = here if joined is None else t.join(joined, here)
            if both is None:
                return self.wrong("T014", node.name_span, first=joined, second=here)
            joined = both
        if joined is None:
            return None
        self.used.update(("attribute", f"{k}.{node.name}") for k in kind.kinds)
        if mutable and len(kind.kinds) > 1:
            return self.wrong("T020", node.name_span, name=node.name)
        if mutable:
            return X("mutable", joined, node.span, (target,), f"{next(iter(kind.kinds))}.{node.name}")
        return X("attr", joined, node.span, (target,), node.name)

    def member_type(self, member: Member, kind: Type) -> Type:
        result = member.result(kind)
        return self.named_cells(result)

    def named_cells(self, kind: Type) -> Type:
        match kind:
            case t.Cell():
                return t.Cell(kind.board, self.program.boards[kind.board].cell)
            case t.Collection():
                return t.Collection(kind.kind, self.named_cells(kind.base), kind.nonempty)
            case t.Optional():
                return t.Optional(self.named_cells(kind.base))
        return kind

    # ------------------------------------------------------------ indices
    def index(self, node: n.Index, scope: Scope) -> X:
        target = self.check(node.target, scope)
        target = self.stacks(target) or target
        match target.type:
            case t.Unknown():
                self.check(node.key, scope, t.UNKNOWN)
                return target
            case t.Map():
                key = self.check(node.key, scope, target.type.key)
                return X("index", target.type.value, node.span, (target, key))
            case t.Family():
                key = self.check(node.key, scope, target.type.key)
                zone = self.program.zones[target.type.zone]
                return X("zone_at", t.Zone(zone.kinds, zone.order), node.span, (key,), zone.name)
            case t.Collection() | t.Zone():
                key = self.check(node.key, scope, t.Int(1))
                source = self.as_list(target)
                base = source.type.base if isinstance(source.type, t.Collection) else t.UNKNOWN
                return X("zone_item" if isinstance(target.type, t.Zone) else "item", base, node.span, (target, key))
            case t.Optional():
                return self.wrong("T002", node.target.span, given=target.type, wanted=target.type.base)
        self.check(node.key, scope)
        return self.wrong("T008", node.target.span, given=target.type)

    # ------------------------------------------------------------ operators
    def binary(self, node: n.Binary, scope: Scope, aim: Type | None) -> X:
        op, span = node.op, node.span
        if op in ("and", "or"):
            left = self.condition(node.left, scope)
            right = self.condition(node.right, scope.child(known_if(node.left, op == "and")))
            return X(op, BOOL, span, (left, right))
        if op in COMPARISONS:
            return self.comparison(node, scope)
        if op in ("in", "not in"):
            return self.membership(node, scope)
        if op == "otherwise":
            return self.otherwise(node, scope, aim)
        if op == "..":
            return self.range(node, scope)
        return self.arithmetic(node, scope)

    def otherwise(self, node: n.Binary, scope: Scope, aim: Type | None) -> X:
        """`x otherwise y`: y where x is none, or an empty list."""
        span = node.span
        left = self.check(node.left, scope, None if aim is None or self.is_listish(node.left) else t.Optional(aim))
        if isinstance(left.type, (t.Collection, t.Zone, t.Family)):
            left = self.as_list(left)
            right = self.as_list(self.check(node.right, scope, self.aim_of_list(left.type, node.right)))
            kind = t.join(left.type, right.type)
            if kind is None:
                return self.wrong("T014", span, first=left.type, second=right.type)
            return X("otherwise_list", kind, span, (left, right))
        if not isinstance(left.type, (t.Optional, t.Unknown, t.Nothing)):
            return self.wrong("T011", node.left.span, given=left.type, fix=self.without(Span(span.source, node.left.span.end, span.end)))
        base = left.type.base if isinstance(left.type, t.Optional) else left.type
        right = self.check(node.right, scope, None if isinstance(base, (t.Unknown, t.Nothing, t.Int)) else t.Optional(base))
        kind = t.join(base, right.type)
        if kind is None:
            return self.wrong("T014", span, first=base, second=right.type)
        return X("otherwise", kind, span, (left, right))

    def range(self, node: n.Binary, scope: Scope) -> X:
        """`a..b` as a list of numbers."""
        a, b = self.check(node.left, scope, INT), self.check(node.right, scope, INT)
        if isinstance(a.type, t.Unknown) or isinstance(b.type, t.Unknown):
            return X("unknown", t.UNKNOWN, node.span)
        ia, ib = (x.type if isinstance(x.type, t.Int) else INT for x in (a, b))
        sure = ia.high is not None and ib.low is not None and ia.high <= ib.low
        return X("range", t.list_of(t.Int(ia.low, ib.high), sure), node.span, (a, b))

    def arithmetic(self, node: n.Binary, scope: Scope) -> X:
        """`+ - * // mod` of numbers; `+` and `-` of lists."""
        op, span = node.op, node.span
        left = self.listed(self.check(node.left, scope))
        if isinstance(left.type, t.Collection) and op in ("+", "-"):
            right = self.listed(self.check(node.right, scope, self.aim_of_list(left.type, node.right)))
            if isinstance(right.type, t.Unknown):
                return right
            kind = t.join(left.type, right.type)
            if kind is None or not isinstance(kind, t.Collection):
                return self.wrong("T014", span, first=left.type, second=right.type)
            if op == "-":
                return X("without", t.Collection(left.type.kind, left.type.base), span, (left, right))
            sure = left.type.nonempty or (isinstance(right.type, t.Collection) and right.type.nonempty)
            return X("join", t.Collection(kind.kind, kind.base, sure), span, (left, right))
        if isinstance(left.type, t.Unknown):
            self.check(node.right, scope, t.UNKNOWN)
            return left
        if isinstance(left.type, t.Text):
            self.check(node.right, scope)
            return self.wrong("T066", span)
        left = self.fit(left, INT, node.left.span)
        right = self.check(node.right, scope, INT)
        if op in ("//", "mod") and isinstance(right.type, t.Int) and right.type.low == right.type.high == 0:
            return self.wrong("T021", node.right.span)
        return X(op, interval(op, left.type, right.type), span, (left, right))

    def aim_of_list(self, beside: Type, node: n.Expr) -> Type | None:
        """What a list written beside another is of: that decides what bare names mean; numbers need no help and may be any."""
        return beside if isinstance(node, n.ListLit) and isinstance(beside, t.Collection) and not isinstance(beside.base, t.Int) else None

    def is_listish(self, node: n.Expr) -> bool:
        return isinstance(node, (n.ListLit, n.ListComp))

    def comparison(self, node: n.Binary, scope: Scope) -> X:
        left, right = self.pair(node.left, node.right, scope)
        if isinstance(left.type, t.Unknown) or isinstance(right.type, t.Unknown):
            return X("unknown", BOOL, node.span)
        left, right = self.listed(left), self.listed(right)
        if node.op in ("==", "!="):
            if isinstance(left.type, t.Text) or isinstance(right.type, t.Text):
                return self.wrong("T022", node.span, **self.in_quotes(node, left.type, right.type))
            if not t.comparable(left.type, right.type):
                return self.wrong("T003", node.span, left=left.type, right=right.type, help=comparison_help(left.type, right.type))
            return X(node.op, BOOL, node.span, (left, right))
        for x, where in ((left, node.left), (right, node.right)):
            if isinstance(x.type, t.Optional):
                return self.wrong("T002", where.span, given=x.type, wanted=x.type.base)
            if not isinstance(x.type, (t.Int, t.Enum)):
                return self.wrong("T006", where.span, op=node.op, given=x.type)
        if not t.comparable(left.type, right.type):
            return self.wrong("T003", node.span, left=left.type, right=right.type)
        return X(node.op, BOOL, node.span, (left, right))

    def in_quotes(self, node: n.Binary, left: Type, right: Type) -> dict[str, Any]:
        """Help where a value of an enumeration stands in quotes beside one that does not."""
        kind, text = (right, node.left) if isinstance(left, t.Text) else (left, node.right)
        kind = kind.base if isinstance(kind, t.Optional) else kind
        if not isinstance(text, n.Template) or not isinstance(kind, t.Enum):
            return {}
        values = list(self.program.enums[kind.name].values)
        if text.raw in values:
            return {"help": f"write `{text.raw}`, without quotes", "fix": Fix(text.span, text.raw, f"write `{text.raw}`")}
        near = did_you_mean(text.raw, values) or values[0]
        return {"help": f"values are written without quotes, like `{near}`"}

    def pair(self, a: n.Expr, b: n.Expr, scope: Scope) -> tuple[X, X]:
        """Two operands of one type; a bare literal is what the other side is."""
        if self.literal(a, scope) and not self.literal(b, scope):
            right = self.check(b, scope)
            return self.infer(a, scope, self.aim_of(right)), right
        left = self.check(a, scope)
        if isinstance(left.type, t.Unknown):
            before, self.quiet = self.quiet, self.literal(b, scope)
            right = self.check(b, scope)
            self.quiet = before
            return left, right
        return left, self.infer(b, scope, self.aim_of(left) if self.literal(b, scope) or isinstance(b, (n.ListLit, n.IfElse, n.MapLit)) else None)

    def aim_of(self, x: X) -> Type | None:
        return None if isinstance(x.type, (t.Unknown, t.Int, t.Nothing)) else x.type

    def membership(self, node: n.Binary, scope: Scope) -> X:
        if self.literal(node.left, scope):
            source = self.as_list(self.check(node.right, scope))
            base = source.type.base if isinstance(source.type, t.Collection) else None
            item = self.infer(node.left, scope, base)
        else:
            item = self.check(node.left, scope)
            wanted = None if isinstance(item.type, t.Unknown) else t.list_of(item.type.base if isinstance(item.type, t.Optional) else item.type)
            source = self.as_list(self.check(node.right, scope, None if wanted is None else self.aim_of_list(wanted, node.right)))
        if isinstance(item.type, t.Unknown) or not isinstance(source.type, t.Collection):
            return X("unknown", BOOL, node.span)
        if not t.comparable(item.type, source.type.base):
            return self.wrong("T003", node.span, left=item.type, right=source.type.base, help=membership_help(item.type, source.type.base))
        return X("in" if node.op == "in" else "not in", BOOL, node.span, (item, source))
