"""Checking what follows a value: attributes, methods, indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from croupier.diagnostics import Fix, Span
from croupier.kernel import types as t
from croupier.kernel.tree import (
    AttributeExpr,
    ColumnExpr,
    ConstExpr,
    DomainExpr,
    EnumExpr,
    FieldExpr,
    MutableExpr,
    OperationExpr,
    StateExpr,
    TypedExpr,
    ZoneExpr,
    zone_name,
)
from croupier.kernel.types import INT, Type
from croupier.semantics.builder import TreeBuilder
from croupier.semantics.builtins import MEMBERS, Member
from croupier.semantics.context import Scope
from croupier.semantics.desugaring import DERIVED, Derivation
from croupier.semantics.expressions import CheckerPart, ExpressionChecker
from croupier.semantics.names import member_help
from croupier.semantics.program import PartDef, Program, part_of
from croupier.syntax import nodes as n

KINDS: tuple[tuple[type[Type], str], ...] = (
    (t.Zone, "zone"), (t.Family, "family"), (t.Optional, "optional"), (t.Player, "player"),
    (t.Component, "component"), (t.Enum, "enum"),
    (t.Board, "board"), (t.Cell, "cell"), (t.Map, "map"),
)  # fmt: skip
MEANT_MEMBERS = {
    "length": "size", "len": "size", "count": "size", "isempty": "empty", "is_empty": "empty",
    "cards": "list", "items": "list", "head": "first",
    "index": "position", "number": "seat", "neighbours": "adjacent", "neighbors": "adjacent",
    "reverse": "reversed",
}  # fmt: skip
MAX_LISTED = 12
LONGEST_TEXT = 40  # characters of what an author has written that help repeats
PART_KEYS = {
    "edges": "edges of squares and hexagons are places if the board names their type: `edge: Border`",
    "corners": "corners of squares and hexagons are places if the board names their type: `corner: Site`",
    "links": "links of a graph are places if the board names their type: `link: Road`",
    "origin": "boards that grow have a first cell: `grows: 6`",
    **dict.fromkeys(("occupied", "frontier"), "something lies on the cells of a board with a `stack`"),
    "linked": "links of a graph have kinds if they are written by their kind: `links: {road: [[a, b]], "
    "river: [[b, c]]}`",
}


def kind_of(kind: Type) -> str:
    """The row of the table of members for values of this type."""
    if isinstance(kind, t.Collection):
        return kind.kind
    if isinstance(kind, t.Cell) and " " in kind.board:
        return kind.board.split()[1].removesuffix("s")  # an edge, a corner, a link
    return next((word for cls, word in KINDS if isinstance(kind, cls)), "")


def lacks_part(p: Program, kind: Type, name: str) -> bool:
    """Tell whether a word stands for what a board has not: edges, corners or links that are places, kinds of
    links, a stack, a first cell.
    """
    if not isinstance(kind, (t.Board, t.Cell)):
        return False
    word, at = kind_of(kind), (kind.board if isinstance(kind, t.Cell) else kind.name).partition(" ")
    if word == "board" and name in ("origin", "occupied", "frontier"):
        return not p.boards[at[0]].is_growing if name == "origin" else kind.name not in p.zones
    if name in ("kind", "linked"):
        links = p.boards.get(part_of(at[0], "links"))
        return not (isinstance(links, PartDef) and links.enum is not None)
    if name not in ("edges", "corners", "links") or word == "board" and at[1]:
        return word == "board" and bool(at[1]) and name in ("edges", "corners", "links")
    return part_of(at[0], name) not in p.boards


def attributes_of(p: Program, kind: Type) -> list[str]:
    """Return the names that may stand behind the dot after a value of a type: the built-in words first, then
    what the ruleset declares.
    """
    names = [name for name in MEMBERS.get(kind_of(kind), {}) if not lacks_part(p, kind, name)]
    if kind == t.DIRECTION:
        names += MEMBERS["direction"]
    if isinstance(kind, t.Board) and kind.name in p.zones:
        names += MEMBERS["family"]
    if isinstance(kind, t.Component):
        own = [[*p.classes[k].attributes, *p.classes[k].mutable] for k in sorted(kind.kinds)]
        names += [a for a in own[0] if all(a in others for others in own)] if own else []
    if isinstance(kind, t.Record):
        names += p.records[kind.name].fields
    if isinstance(kind, t.Cell):
        names += p.boards[kind.board].cell_attributes
    if isinstance(kind, t.Enum) and kind.name in p.enums:
        names += p.enums[kind.name].columns
    return names


def merging_names(p: Program, kind: Type) -> list[str]:
    """Return the attributes by which options of a type can be merged: a value has them in every position."""
    match kind:
        case t.Component():
            return [name for name in attributes_of(p, kind) if name not in MEMBERS["component"]]
        case t.Enum() if kind.name in p.enums:
            return ["rank", *p.enums[kind.name].columns]
        case t.Record():
            return list(p.records[kind.name].fields)
        case t.Player():
            return ["seat"]
    return []


def numbers_of(p: Program, kind: Type) -> list[str]:
    """The attributes of components of a type that are numbers."""
    if not isinstance(kind, t.Component) or not kind.kinds or not all(k in p.classes for k in kind.kinds):
        return []
    own = [
        {name for name, of in p.classes[k].attributes.items() if isinstance(of, t.Int)}
        for k in sorted(kind.kinds)
    ]
    return [name for name in p.classes[min(kind.kinds)].attributes if all(name in names for names in own)]


def of_each(p: Program, kind: Type, name: str, written: str) -> str | None:
    """Say how to read an attribute that several things have each, not together (`hand[p].value`)."""
    base: Type | None = None
    if isinstance(kind, t.Collection):
        base = kind.base
    elif isinstance(kind, (t.Zone, t.Family)):
        base = t.Component(kind.kinds)
    if not isinstance(base, (t.Component, t.Record)) or name not in attributes_of(p, base):
        return None
    added = f"; their sum is `sum(c.{name} for c in {written})`" if name in numbers_of(p, base) else ""
    return f"each of them has its own: `[c.{name} for c in {written}]`{added}"


def arguments(count: int, word: str = "value") -> str:
    """A number of arguments in words, as values between brackets unless another word is given."""
    return f"no {word}s" if count == 0 else f"{count} {word}{'s' * (count != 1)}"


def leaving_out(more: Sequence[n.Arg]) -> str:
    """Say what to leave out where more is given than is taken."""
    words = ", ".join(a.span.text for a in more)
    if len(words) <= LONGEST_TEXT and "\n" not in words:
        return f"remove `{words}`"
    return "remove the last one" if len(more) == 1 else f"remove the last {len(more)}"


def name_of(a: n.Arg) -> Span:
    """The place of the name of a named argument."""
    return Span(a.span.source, a.span.start, a.span.start + len(a.name or "x"))


class MemberChecker(CheckerPart):
    """Checks attributes, methods and indices."""

    def __init__(self, expressions: ExpressionChecker) -> None:
        super().__init__(expressions)
        expressions.rules |= {n.Attr: self.attribute, n.Index: self.index}

    # ------------------------------------------------------------ attributes
    def attribute(self, node: n.Attr, scope: Scope, wanted: Type | None) -> TypedExpr:
        """An attribute, whatever the text has shown about its value."""
        p, span = self.program, node.span
        if (
            isinstance(node.target, n.Name)
            and scope.find(node.target.name) is None
            and node.target.name in p.enums
        ):
            enum = p.enums[node.target.name]
            if node.name in enum.values:
                self.ctx.used.add(("type", enum.name))
                return EnumExpr(t.Enum(enum.name), span, enum=enum.name, name=node.name)
        target = self.expressions.check(node.target, scope)
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
                return FieldExpr(fields[node.name], span, (target,), record=kind.name, name=node.name)
        if isinstance(kind, t.Enum) and kind.name in p.enums and node.name in p.enums[kind.name].columns:
            return ColumnExpr(
                p.enums[kind.name].columns[node.name], span, (target,), enum=kind.name, name=node.name
            )
        if isinstance(kind, t.Cell) and node.name in p.boards[kind.board].cell_attributes:
            board = p.boards[kind.board]
            return ColumnExpr(
                board.cell_attributes[node.name], span, (target,), enum=board.cell, name=node.name
            )
        target, word, member = self.member(target, node.name)
        kind = target.type
        if word == "map" and node.name == "list" and self.expressions.amounts.is_amount(kind):
            return self.expressions.amounts.listed(target, TreeBuilder(scope.proc, span))
        if (
            isinstance(kind, t.Collection)
            and node.name == "counts"
            and isinstance(kind.base, (t.Enum, t.Player))
        ):
            return self.expressions.amounts.counts(target, TreeBuilder(scope.proc, span))
        if word == "map" or node.name == "counts":  # of other values
            member = None
        if isinstance(kind, t.Zone) and node.name in ("top", "bottom") and self.is_heap(target):
            return self.ctx.report("T051", node.name_span, order=kind.order)
        if member is not None and member.args is None:
            known = self.size_of(target) if node.name == "size" else self.member_type(member, kind)
            return self.operation(f"{word}.{node.name}", known, span, scope, target)
        if member is not None:
            return self.ctx.report("T019", node.name_span, name=node.name, notes=(member.signature,))
        if isinstance(kind, t.Optional):
            return self.ctx.report("T002", node.target.span, given=kind, wanted=kind.base)
        return self.no_attribute(node, kind)

    def member(self, of: TypedExpr, name: str) -> tuple[TypedExpr, str, Member | None]:
        """Return the built-in member of a value that has this name, with the value, of a board perhaps its
        stacks, and the row of the table that it stands in.
        """
        kind = of.type
        word = "direction" if kind == t.DIRECTION and name in MEMBERS["direction"] else kind_of(kind)
        member = MEMBERS.get(word, {}).get(name) if not lacks_part(self.program, kind, name) else None
        stacks = self.names.stacks(of) if member is None else None
        return (of, word, member) if stacks is None else (stacks, "family", MEMBERS["family"].get(name))

    def no_attribute(self, node: n.Attr, kind: Type, call: n.Call | None = None) -> TypedExpr:
        """Report an attribute that does not exist, or is called (`call`), with the one that was meant, or all
        that there are.
        """
        called_with = call is not None and bool(call.args)
        known = attributes_of(self.program, kind)
        each = of_each(self.program, kind, node.name, node.target.span.text)
        if each is not None:
            return self.ctx.report("N002", node.name_span, name=node.name, type=kind, help=each)
        meant = MEANT_MEMBERS.get(node.name.casefold())
        here = member_help(node.name, kind)
        if here is not None and called_with and call is not None:
            for sample, verb, word in (
                ("move x to z", "move", "to"),
                ("add x to xs", "add", "to"),
                ("remove x from xs", "remove", "from"),
            ):
                here = here.replace(
                    sample, f"{verb} {call.args[0].value.span.text} {word} {node.target.span.text}"
                )
        if meant in known and not (called_with and here is not None):
            help = self.meant_member(node, meant, call)
        else:
            help = {"help": here} if here is not None else self.ctx.suggest(node.name, known)
        if not help and isinstance(kind, (t.Map, t.Family)):
            help = {"help": "what belongs to a key stands in brackets: `m[key]`, like `m[p]` of a player"}
        of_board = isinstance(kind, (t.Board, t.Cell)) or (
            isinstance(kind, t.Family) and kind.zone in self.program.boards
        )
        if of_board and node.name in PART_KEYS and node.name not in known:
            help = {"help": PART_KEYS[node.name]}
        if not help and known:
            more = " and others" if len(known) > MAX_LISTED else ""
            help = {"help": "it has " + ", ".join(f"`{k}`" for k in known[:MAX_LISTED]) + more}
        return self.ctx.report("N002", node.name_span, name=node.name, type=kind, **help)

    def meant_member(self, node: n.Attr, meant: str, call: n.Call | None) -> dict[str, Any]:
        """Help where another member was meant; where it is called and what was meant takes no brackets, these
        go, too.
        """
        if call is None or call.args or self.takes_brackets(meant):
            return {"help": f"did you mean `{meant}`?", "near": meant}
        written = f"{node.target.span.text}.{meant}"
        what = "how many there are is " if meant == "size" else ""
        span = Span(node.span.source, node.name_span.start, call.span.end)
        return {
            "help": f"{what}`{written}`, without brackets",
            "fix": Fix(span, meant, f"write `{meant}`", safe=False),
        }

    def takes_brackets(self, member: str) -> bool:
        """Tell whether a member of this name is called with brackets, in any kind of value that has it."""
        return any(member in members and members[member].args is not None for members in MEMBERS.values())

    def size_of(self, target: TypedExpr) -> t.Int:
        """Return the range of a size, as closely as the declarations say it."""
        if target.op == "players":
            return t.Int(min(self.program.players), max(self.program.players))
        if isinstance(target, DomainExpr) and target.op == "enum_values":
            count = len(self.program.enums[target.name].values)
            return t.Int(count, count)
        sure = isinstance(target.type, t.Board) or (
            isinstance(target.type, t.Collection) and target.type.nonempty
        )
        return t.Int(1 if sure else 0, None)

    def is_heap(self, zone: TypedExpr) -> bool:
        """Tell whether a zone holds several things without order.

        Of one thing, top and bottom are the thing.
        """
        declared = self.program.zones.get(zone.name) if isinstance(zone, ZoneExpr) else None
        if declared is None or declared.order not in ("set", "bag"):
            return False
        return (
            declared.capacity is None
            or not isinstance(declared.capacity, ConstExpr)
            or declared.capacity.value != 1
        )

    def component_attribute(self, target: TypedExpr, kind: t.Component, node: n.Attr) -> TypedExpr | None:
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
                return self.ctx.report("T014", node.name_span, first=joined, second=here)
            joined = both
        if joined is None:
            return None
        self.ctx.used.update(("attribute", f"{k}.{node.name}") for k in kind.kinds)
        if mutable and len(kind.kinds) > 1:
            one = f"{node.target.name}.{node.name}" if isinstance(node.target, n.Name) else f"x.{node.name}"
            how = (
                f"ask for the kind first: in `{one} if {one.split('.')[0]} is {min(kind.kinds)} else "
                f"{one}` each side reads that of one kind"
            )
            return self.ctx.report("T020", node.name_span, name=node.name, help=how)
        if mutable:
            return MutableExpr(joined, node.span, (target,), name=f"{next(iter(kind.kinds))}.{node.name}")
        return AttributeExpr(joined, node.span, (target,), name=node.name)

    def member_type(self, member: Member, kind: Type) -> Type:
        if (
            isinstance(kind, t.Cell)
            and member.args is None
            and self.program.boards[kind.board].is_growing
            and isinstance(member.result(kind), t.Int)
        ):
            return INT  # rows and columns beside the origin
        return self.named_cells(member.result(kind))

    def named_cells(self, kind: Type) -> Type:
        match kind:
            case t.Cell():
                self.ctx.used.add(("board", kind.board))
                return t.Cell(kind.board, self.program.boards[kind.board].cell)
            case t.Enum() if kind.name in self.program.boards:
                links = self.program.boards[kind.name]
                assert isinstance(links, PartDef) and links.enum is not None
                self.ctx.used.update((("type", links.enum), ("board", links.name)))
                return t.Enum(links.enum)
            case t.Board():
                self.ctx.used.add(("board", kind.name))
            case t.Collection():
                return t.Collection(kind.kind, self.named_cells(kind.base), kind.nonempty)
            case t.Optional():
                return t.Optional(self.named_cells(kind.base))
        return kind

    # ------------------------------------------------------------ indices
    def index(self, node: n.Index, scope: Scope, wanted: Type | None) -> TypedExpr:
        """The value behind an index, whatever the text has shown about it."""
        before = len(self.ctx.found)
        target = self.expressions.check(node.target, scope)
        if isinstance(node.target, n.Name) and isinstance(target.type, t.Unknown):
            self.suggest_indexed(node.target, scope, before)
        target = self.names.stacks(target) or target
        match target.type:
            case t.Unknown():
                self.expressions.check(node.key, scope, t.UNKNOWN)
                return target
            case t.Map():
                key = self.expressions.check(node.key, scope, target.type.key)
                if (
                    isinstance(target, OperationExpr)
                    and target.op == "index"
                    and isinstance(node.target, n.Index)
                ):
                    self.explain_order(node, node.target, target, scope, before)
                return OperationExpr("index", target.type.value, node.span, (target, key))
            case t.Family():
                key = self.expressions.check(node.key, scope, target.type.key)
                zone = self.program.zones[target.type.zone]
                return ZoneExpr(t.Zone(zone.kinds, zone.order), node.span, (key,), name=zone.name)
            case t.Collection() | t.Zone():
                known = len(self.ctx.found)
                key = self.expressions.check(node.key, scope, t.Int(1))
                self.explain_place(node, known)
                refused = [(d.code, d.span) for d in self.ctx.found[known:]]
                if target.op == "zone" and refused == [("T001", node.key.span)]:
                    del self.ctx.found[known:]  # a key of a zone that has none, not a place in it
                    name = zone_name(target)
                    help = (
                        f"`{name}` is one zone, for all: write `{name}`, or declare it `per` what stands in "
                        f"the brackets"
                    )
                    return self.ctx.report("T008", node.target.span, given=target.type, help=help)
                source = self.expressions.as_list(target)
                base = source.type.base if isinstance(source.type, t.Collection) else t.UNKNOWN
                return OperationExpr(
                    "zone_item" if isinstance(target.type, t.Zone) else "item", base, node.span, (target, key)
                )
            case t.Optional():
                return self.ctx.report("T002", node.target.span, given=target.type, wanted=target.type.base)
        self.expressions.check(node.key, scope)
        name = node.target.span.text
        help = f"`{name}` is one value: write `{name}`, or declare it `per` what stands in the brackets"
        return self.ctx.report(
            "T008",
            node.target.span,
            given=target.type,
            **({"help": help} if isinstance(target, StateExpr) else {}),
        )

    def explain_place(self, node: n.Index, known: int) -> None:
        """Add the number of the first place where that of a place in a list is refused; `known` is how many
        findings there were before it.
        """
        for i, d in enumerate(self.ctx.found[known:], known):
            if d.code == "T017" and d.span == node.key.span:
                first = f"`{node.target.span.text}[1]`"
                of_players = node.target.span.text == "players"
                help = (
                    f"seats are counted from 1: the first player is {first}"
                    if of_players
                    else f"counting begins with 1: the first is {first}"
                )
                self.ctx.found[i] = replace(d, help=help)

    def suggest_indexed(self, node: n.Name, scope: Scope, before: int) -> None:
        """Suggest names that take a key in place of an unknown one that takes a key."""
        names = [
            x
            for x in scope.visible()
            if (local := scope.find(x)) is not None and isinstance(local.type, (t.Map, t.Collection))
        ]
        names += [
            x for x, v in self.program.vars.items() if isinstance(v.type, (t.Map, t.Collection))
        ] + list(self.program.zones)
        near = self.ctx.suggest(node.name, names)
        last = self.ctx.found[-1] if len(self.ctx.found) > before else None
        if (
            near
            and last is not None
            and last.code == "N001"
            and last.span == node.span
            and last.fix is not None
        ):
            del self.ctx.found[-1]
            self.ctx.report("N001", node.span, name=node.name, kind="value", **near)

    def explain_order(
        self, node: n.Index, inner: n.Index, target: OperationExpr, scope: Scope, before: int
    ) -> None:
        """Report the two keys of a map of maps that stand in each other's place as one finding instead of
        two.
        """
        found = self.ctx.found[before:]
        outer = target.args[0].type
        if (
            [d.code for d in found] != ["T001", "T001"]
            or not isinstance(outer, t.Map)
            or not isinstance(outer.value, t.Map)
        ):
            return
        self.expressions.check(inner.key, scope, outer.value.key)
        self.expressions.check(node.key, scope, outer.key)
        if len(self.ctx.found) == before + 2:
            name, first, second = inner.target.span.text, node.key.span.text, inner.key.span.text
            help = (
                f"`per {outer.value.key} per {outer.key}` is read from its end: `{name}[{first}][{second}]`"
            )
            self.ctx.found[before:] = [replace(found[0], help=help)]
        else:
            del self.ctx.found[before + 2 :]

    # ------------------------------------------------------------ methods
    def method(self, node: n.Call, target: n.Attr, scope: Scope) -> TypedExpr:
        on = self.expressions.check(target.target, scope)
        if isinstance(on.type, t.Unknown):
            for a in node.args:
                self.expressions.check(a.value, scope, t.UNKNOWN)
            return on
        on, kind, member = self.member(on, target.name)
        if member is None and isinstance(on.type, t.Optional):
            return self.ctx.report("T002", target.target.span, given=on.type, wanted=on.type.base)
        if member is None:
            return self.no_attribute(target, on.type, node)
        if member.args is None:
            fix = (
                None
                if node.args
                else self.ctx.leaving_out(Span(node.span.source, target.span.end, node.span.end))
            )
            return self.ctx.report("T024", target.name_span, name=target.name, fix=fix)
        if len(node.args) != len(member.args) or any(a.name for a in node.args):
            return self.number_of_arguments(
                node, target.name, len(member.args), len(member.args), member.signature
            )
        args = tuple(
            self.expressions.check(a.value, scope, self.named_cells(want(on.type)))
            for a, want in zip(node.args, member.args, strict=True)
        )
        return self.operation(
            f"{kind}.{target.name}", self.member_type(member, on.type), node.span, scope, on, *args
        )

    def operation(
        self, op: str, kind: Type, span: Span, scope: Scope, on: TypedExpr, *args: TypedExpr
    ) -> TypedExpr:
        """A built-in word, said with others where that can be."""
        derive = DERIVED.get(op)
        return (
            OperationExpr(op, kind, span, (on, *args))
            if derive is None
            else derive(Derivation(self.program, scope.proc, span, kind, on, args))
        )

    def number_of_arguments(
        self, node: n.Call, name: str, least: int, most: int, signature: str
    ) -> TypedExpr:
        """A built-in word called with too many, too few or named arguments."""
        named = next((a for a in node.args if a.name is not None), None)
        if named is not None:
            return self.ctx.report(
                "N009",
                name_of(named),
                name=named.name,
                of=name,
                notes=(signature,),
                help="leave out the name",
            )
        if len(node.args) > most:
            words = arguments(most) if least == most else f"{least} to {arguments(most)}"
            help = leaving_out(node.args[most:])
            return self.ctx.report(
                "T005",
                node.args[most].span,
                name=name,
                wanted=words,
                given=len(node.args),
                notes=(signature,),
                help=help,
            )
        return self.ctx.report(
            "T007", node.span, name=name, missing=arguments(least, "argument"), notes=(signature,)
        )
