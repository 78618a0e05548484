"""Built-in words that are said with others, so that everything behind the checker knows them already.

The next value of an enumeration, the opposite direction, the cell so many rows and columns away are
expressions of other words. `reached(…)` and `groups(…)` are calls of procedures without a name of their own,
which are given the locals that the step reads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.tree import (
    AddStmt,
    AssignStmt,
    BoardExpr,
    CallExpr,
    CompExpr,
    ConstExpr,
    EnumExpr,
    ForEachStmt,
    LeaveStmt,
    LetStmt,
    LocalExpr,
    OperationExpr,
    RepeatStmt,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
)
from croupier.kernel.types import BOOL, DIRECTION, INT, Type
from croupier.semantics.builtins import CLOSURES
from croupier.semantics.context import CheckContext, Scope
from croupier.semantics.expressions import ExpressionChecker
from croupier.semantics.names import NameResolver
from croupier.semantics.procedures import Param, Proc
from croupier.semantics.program import Program
from croupier.syntax import nodes as n

# ---------------------------------------------------------------- expressions
OPPOSITE = {
    "up": "down", "up_right": "down_left", "right": "left", "down_right": "up_left", "down": "up",
    "down_left": "up_right", "left": "right",
    "up_left": "down_right", "clockwise": "anticlockwise", "anticlockwise": "clockwise", "inward": "outward",
    "outward": "inward",
}  # fmt: skip


class Derivation:
    """One use of such a word: the value before the dot, the arguments, the type of the whole."""

    def __init__(
        self, program: Program, proc: Proc, span: Span, kind: Type, on: TypedExpr, args: tuple[TypedExpr, ...]
    ) -> None:
        self.program = program
        self.proc = proc
        self.span = span
        self.kind = kind
        self.on = on
        self.args = args

    def operation(self, op: str, kind: Type, *args: TypedExpr) -> TypedExpr:
        return OperationExpr(op, kind, self.span, args)

    def number(self, n: int) -> TypedExpr:
        return ConstExpr(t.Int(n, n), self.span, value=n)

    def value_at(self, values: list[str], place: TypedExpr) -> TypedExpr:
        """One of some values of the enumeration, by its place counted from 1."""
        assert isinstance(self.kind, t.Enum)
        rows = tuple(EnumExpr(self.kind, self.span, enum=self.kind.name, name=v) for v in values)
        return self.operation(
            "item", self.kind, OperationExpr("list", t.list_of(self.kind, True), self.span, rows), place
        )

    def around(self, step: int) -> TypedExpr:
        """The value so many places further in its enumeration, around its end."""
        assert isinstance(self.kind, t.Enum)
        values = list(self.program.enums[self.kind.name].values)
        return self.value_at([values[(i + step) % len(values)] for i in range(len(values))], self.rank())

    def rank(self) -> TypedExpr:
        return self.operation("enum.rank", t.Int(1, 1000), self.on)

    def opposite(self) -> TypedExpr:
        return self.value_at([OPPOSITE[d] for d in t.DIRECTIONS], self.rank())

    def turned(self) -> TypedExpr:
        """The direction so many places further among those of a board."""
        all_of = self.operation("board.directions", t.list_of(DIRECTION, True), self.on)
        direction, places = self.args
        place = self.operation(
            "certain", t.Int(1), self.operation("list.position", t.Optional(t.Int(1)), all_of, direction)
        )
        before = self.operation("-", INT, self.operation("+", INT, place, places), self.number(1))
        around = self.operation("mod", t.Int(0), before, self.operation("list.size", t.Int(1), all_of))
        return self.operation(
            "item", DIRECTION, all_of, self.operation("+", t.Int(1), around, self.number(1))
        )

    def part(self) -> TypedExpr:
        """The edges, corners or links of a board."""
        assert isinstance(self.kind, t.Board)
        return BoardExpr(self.kind, self.span, name=self.kind.name)

    def across(self, of: str) -> TypedExpr:
        """The cell of an edge or link that another one is not; `none` where that one is none of its cells."""
        assert isinstance(self.kind, t.Optional) and isinstance(self.on.type, t.Cell)
        (cell,), cells = self.args, t.list_of(self.kind.base)
        both = self.operation(f"{of}.cells", cells, self.on)
        alone = self.operation("list", t.list_of(self.kind.base, True), cell)
        other = self.operation("list.first", self.kind, self.operation("without", cells, both, alone))
        return self.operation(
            "if",
            self.kind,
            self.operation("in", t.BOOL, cell, both),
            other,
            ConstExpr(t.NOTHING, self.span, value=None),
        )

    def offset(self) -> TypedExpr:
        """The cell so many rows down and columns to the right."""
        assert isinstance(self.on.type, t.Cell)
        rows, columns = (
            self.operation("+", INT, self.operation(f"cell.{word}", INT, self.on), far)
            for word, far in zip(("row", "column"), self.args, strict=True)
        )
        board = BoardExpr(t.Board(self.on.type.board), self.span, name=self.on.type.board)
        return self.operation("board.at", self.kind, board, rows, columns)

    # ------------------------------------------------------------ what lies on a board
    def origin(self) -> TypedExpr:
        """The first cell of a board that grows."""
        cell = self.kind.base if isinstance(self.kind, t.Collection) else self.kind
        return self.operation(
            "certain",
            cell,
            self.operation("board.at", t.Optional(cell), self.on, self.number(0), self.number(0)),
        )

    def is_empty(self, cell: TypedExpr) -> TypedExpr:
        assert isinstance(self.on.type, t.Board)
        zone = self.program.zones[self.on.type.name]
        return self.operation(
            "zone.empty", BOOL, ZoneExpr(t.Zone(zone.kinds, zone.order), self.span, (cell,), name=zone.name)
        )

    def cell(self) -> LocalExpr:
        """A local that walks cells."""
        assert isinstance(self.kind, t.Collection)
        return LocalExpr(self.kind.base, self.span, slot=self.proc.slot("$cell", self.kind.base))

    def those(self, cell: LocalExpr, condition: TypedExpr) -> TypedExpr:
        """The cells of which something holds, in reading order."""
        args = (self.operation("board.cells", self.kind, self.on), condition, cell)
        return CompExpr(
            self.kind, self.span, args, name="list", slots=(cell.slot,), has_condition=True, has_key=False
        )

    def occupied(self) -> TypedExpr:
        cell = self.cell()
        return self.those(cell, self.operation("not", BOOL, self.is_empty(cell)))

    def frontier(self) -> TypedExpr:
        """The empty cells beside others that are not."""
        assert isinstance(self.on.type, t.Board)
        cell, near = self.cell(), self.cell()
        args = (
            self.operation("cell.adjacent", self.kind, cell),
            self.operation("not", BOOL, self.is_empty(near)),
        )
        beside = CompExpr(
            BOOL, self.span, args, name="any", slots=(near.slot,), has_condition=False, has_key=False
        )
        found = self.those(cell, self.operation("and", BOOL, self.is_empty(cell), beside))
        if not self.program.boards[self.on.type.name].is_growing:
            return found
        zone = self.program.zones[self.on.type.name]
        stacks = ZoneExpr(t.Family(zone.name, cell.type, zone.kinds), self.span, name=zone.name)
        return self.operation(
            "if",
            self.kind,
            self.operation("family.empty", BOOL, stacks),
            self.operation("list", self.kind, self.origin()),
            found,
        )


DERIVED: dict[str, Callable[[Derivation], TypedExpr]] = {
    "enum.next": lambda d: d.around(1),
    "enum.previous": lambda d: d.around(-1),
    "direction.opposite": Derivation.opposite,
    "board.turned": Derivation.turned,
    "cell.offset": Derivation.offset,
    "board.origin": Derivation.origin,
    "board.occupied": Derivation.occupied,
    "board.frontier": Derivation.frontier,
    "edge.across": lambda d: d.across("edge"),
    "link.across": lambda d: d.across("link"),
    **dict.fromkeys(("board.edges", "board.corners", "board.links"), Derivation.part),
}
"""The words, by the kind of value that they stand behind."""


# ---------------------------------------------------------------- procedures
class Routine:
    """A procedure that an expression calls, while it is made: it is given a list and the locals that the step
    reads.
    """

    def __init__(
        self,
        ctx: CheckContext,
        name: str,
        span: Span,
        step: TypedExpr,
        outer: Proc,
        item: int,
        lists: tuple[tuple[str, Type], ...],
    ) -> None:
        self.span = span
        self.proc = Proc(len(ctx.program.procs), f"${name}", "def", span)
        ctx.program.procs.append(self.proc)
        self.given = [self.parameter(word, kind) for word, kind in lists]
        bound = {i for y in step.walk() for i in y.binds()}
        free = sorted({y.slot for y in step.walk() if isinstance(y, LocalExpr)} - bound - {item})
        self.passed = tuple(LocalExpr(outer.slot_types[i], span, slot=i) for i in free)
        slots = {i: self.parameter(outer.slots[i], outer.slot_types[i]) for i in free}
        slots |= {i: self.proc.slot(outer.slots[i], outer.slot_types[i]) for i in sorted(bound | {item})}
        self.item, self.step = slots[item], step.in_slots(slots)
        self.proc.calls = {y.proc for y in step.walk() if isinstance(y, CallExpr)}

    def parameter(self, name: str, kind: Type) -> int:
        slot = self.proc.slot(name, kind)
        self.proc.params.append(Param(name, kind, slot, False))
        return slot

    def local(self, slot: int) -> TypedExpr:
        return LocalExpr(self.proc.slot_types[slot], self.span, slot=slot)

    def new(self, name: str, value: TypedExpr, kind: Type) -> tuple[int, TypedStmt]:
        slot = self.proc.slot(name, kind)
        return slot, LetStmt(self.span, (value,), slot=slot)

    def each(
        self, slot: int, source: TypedExpr, condition: TypedExpr | None, body: list[TypedStmt]
    ) -> TypedStmt:
        items, cursor = self.proc.slot("$items", source.type), self.proc.slot("$at", INT)
        return ForEachStmt(
            self.span,
            (source,) if condition is None else (source, condition),
            (body,),
            slot=slot,
            items=items,
            cursor=cursor,
        )

    def operation(self, op: str, kind: Type, *args: TypedExpr) -> TypedExpr:
        return OperationExpr(op, kind, self.span, args)

    def call(self, *given: TypedExpr) -> TypedExpr:
        return CallExpr(self.proc.returns, self.span, (*given, *self.passed), proc=self.proc.index)


class ClosureChecker:
    """Checks `reached` and `groups`."""

    def __init__(self, ctx: CheckContext, names: NameResolver, expressions: ExpressionChecker) -> None:
        self.ctx, self.names, self.expressions = ctx, names, expressions
        expressions.rules |= {n.Closure: self.closure}

    def closure(self, node: n.Closure, scope: Scope, wanted: Type | None) -> TypedExpr:
        name = node.target.name if isinstance(node.target, n.Name) else ""
        if name not in CLOSURES:
            return self.ctx.report(
                "N006", node.target.span, name=name or "this", **self.ctx.suggest(name, list(CLOSURES))
            )
        start = self.listed(self.expressions.check(node.source, scope))
        if not isinstance(start.type, t.Collection):
            return start
        base = t.widened(start.type.base)
        inner = scope.child()
        self.names.check_new_name(node.name, node.name_span, scope)
        item = inner.declare(node.name, base, node.name_span).slot
        steps = t.list_of(base)
        is_list = isinstance(node.step, (n.ListLit, n.ListComp))
        step = self.listed(self.expressions.check(node.step, inner, steps if is_list else None))
        step = self.expressions.fit(step, steps, node.step.span)
        if isinstance(step.type, t.Unknown) or isinstance(base, t.Unknown):
            return OperationExpr("unknown", t.UNKNOWN, node.span)
        if self.ctx.is_finished or self.ctx.defined_later or scope.proc.kind == "static":
            return self.ctx.report("T071", node.span, name=f"{name}(… for … from …)")
        start = OperationExpr("list.distinct", t.list_of(base, start.type.nonempty), start.span, (start,))
        found = self.reached(name, node.span, step, scope.proc, item, base)
        x = found.call(replace(start, type=steps) if name == "groups" else start)
        scope.proc.calls.add(found.proc.index)
        return (
            replace(x, type=t.list_of(base, True))
            if name == "reached" and isinstance(start.type, t.Collection) and start.type.nonempty
            else x
        )

    def listed(self, x: TypedExpr) -> TypedExpr:
        """One value or several, as a list."""
        if isinstance(x.type, (t.Collection, t.Zone, t.Family, t.Optional, t.Board, t.Unknown)):
            return self.expressions.as_list(x)
        return OperationExpr("list", t.list_of(x.type, True), x.span, (x,))

    def reached(self, name: str, span: Span, step: TypedExpr, outer: Proc, item: int, base: Type) -> Routine:
        """Return the routine that follows a step from a list on to all that is not found yet; for groups, a
        list for each element of the first that is in none before.
        """
        kind = t.list_of(base)
        r = Routine(self.ctx, name, span, step, outer, item, (("start", kind),))
        start = r.local(r.given[0])
        marks = Marks(r, base, start, for_groups=name == "groups")
        at = r.proc.slot("at", INT)
        found = r.proc.slot("found", kind)
        new = r.proc.slot("next", base)
        walk = r.each(
            new,
            r.step,
            marks.is_free(new),
            [*marks.take(new), AddStmt(span, (r.local(new), r.local(found)))],
        )
        item_here = LetStmt(span, (r.operation("item", base, r.local(found), r.local(at)),), slot=r.item)
        further = AssignStmt(
            span,
            (r.local(at), r.operation("+", INT, r.local(at), ConstExpr(t.Int(1, 1), span, value=1))),
        )
        ended = r.operation(">", BOOL, r.local(at), r.operation("list.size", t.Int(0, None), r.local(found)))
        first_place = LetStmt(span, (ConstExpr(t.Int(1, 1), span, value=1),), slot=at)
        loop = [first_place, RepeatStmt(span, (ended,), ([item_here, walk, further],))]
        if name == "reached":
            whole = LetStmt(span, (start,), slot=found)
            r.proc.body = [*marks.begin, whole, *loop, LeaveStmt(span, (r.local(found),), op="return")]
            r.proc.returns = kind
            return r
        all_found, begin = r.new("groups", r.operation("list", t.list_of(t.NEVER)), t.list_of(kind))
        first = r.proc.slot("first", base)
        one = LetStmt(span, (r.operation("list", kind, r.local(first)),), slot=found)
        group = [
            *marks.take(first),
            one,
            *loop,
            AddStmt(span, (r.local(found), r.local(all_found))),
        ]
        each = r.each(first, start, marks.is_free(first), group)
        r.proc.body = [*marks.begin, begin, each, LeaveStmt(span, (r.local(all_found),), op="return")]
        r.proc.returns = t.list_of(kind)
        return r


class Marks:
    """The marks of the elements that may still be found: a truth value by element or, for elements that are
    no keys, lists.

    At first that is what is not among the first; for groups, what is.
    """

    def __init__(self, r: Routine, base: Type, start: TypedExpr, for_groups: bool) -> None:
        self.r, self.start, self.for_groups = r, start, for_groups
        self.by_key = isinstance(base, (t.Cell, t.Player, t.Enum, t.Component))
        if self.by_key:
            kind: Type = t.Map(base, BOOL)
            self.slot = r.proc.slot("free", kind)
            self.begin: list[TypedStmt] = []
            other = ConstExpr(BOOL, r.span, value=not for_groups)
            self.begin.append(LetStmt(r.span, (r.operation("map", kind, other),), slot=self.slot))
            at = r.proc.slot("first", base)
            mark = AssignStmt(r.span, (self.entry(at), ConstExpr(BOOL, r.span, value=for_groups)))
            self.begin.append(r.each(at, start, None, [mark]))
        else:
            first = r.operation("list", t.list_of(t.NEVER)) if for_groups else start
            self.slot, taken = r.new("taken", first, t.list_of(base))
            self.begin = [taken]

    def entry(self, slot: int) -> TypedExpr:
        return self.r.operation("index", BOOL, self.r.local(self.slot), self.r.local(slot))

    def is_free(self, slot: int) -> TypedExpr:
        """Return the condition that an element may still be found."""
        if self.by_key:
            return self.entry(slot)
        r = self.r
        free = r.operation("not", BOOL, r.operation("in", BOOL, r.local(slot), r.local(self.slot)))
        return (
            r.operation("and", BOOL, r.operation("in", BOOL, r.local(slot), self.start), free)
            if self.for_groups
            else free
        )

    def take(self, slot: int) -> list[TypedStmt]:
        """An element is found."""
        r = self.r
        if self.by_key:
            return [AssignStmt(r.span, (self.entry(slot), ConstExpr(BOOL, r.span, value=False)))]
        return [AddStmt(r.span, (r.local(slot), r.local(self.slot)))]
