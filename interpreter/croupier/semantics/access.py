"""Checking what follows a value: attributes and methods, indices."""

from __future__ import annotations

from croupier.semantics import types as t
from croupier.semantics.builtins import MEMBERS, Member
from croupier.semantics.habits import member_help
from croupier.semantics.operators import Operators
from croupier.semantics.program import Program
from croupier.semantics.scope import Scope
from croupier.semantics.tree import X
from croupier.semantics.types import Type
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


class Access(Operators):
    """Checks attributes and indices."""

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
            one = f"{node.target.name}.{node.name}" if isinstance(node.target, n.Name) else f"x.{node.name}"
            how = f"ask for the kind first: in `{one} if {one.split('.')[0]} is {min(kind.kinds)} else {one}` each side reads that of one kind"
            return self.wrong("T020", node.name_span, name=node.name, help=how)
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
