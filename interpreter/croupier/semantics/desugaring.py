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
    BoardExpr,
    CallExpr,
    EnumExpr,
    LeaveStmt,
    LocalExpr,
    OperationExpr,
    RepeatStmt,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
)
from croupier.kernel.types import BOOL, DIRECTION, INT, Type
from croupier.semantics.builder import TreeBuilder
from croupier.semantics.builtins import CLOSURES
from croupier.semantics.context import CheckContext, Scope
from croupier.semantics.expressions import CheckerPart, ExpressionChecker
from croupier.semantics.procedures import Param, Proc
from croupier.semantics.program import Program
from croupier.semantics.walk import bound_in, locals_in
from croupier.syntax import nodes as n

# ---------------------------------------------------------------- expressions
OPPOSITE = {
    "up": "down", "up_right": "down_left", "right": "left", "down_right": "up_left", "down": "up",
    "down_left": "up_right", "left": "right",
    "up_left": "down_right", "clockwise": "anticlockwise", "anticlockwise": "clockwise", "inward": "outward",
    "outward": "inward",
}  # fmt: skip


class Derivation(TreeBuilder):
    """One use of such a word: the value before the dot, the arguments, the type of the whole."""

    def __init__(
        self, program: Program, proc: Proc, span: Span, kind: Type, on: TypedExpr, args: tuple[TypedExpr, ...]
    ) -> None:
        super().__init__(proc, span)
        self.program = program
        self.kind = kind
        self.on = on
        self.args = args

    def value_at(self, values: list[str], place: TypedExpr) -> TypedExpr:
        """One of some values of the enumeration, by its place counted from 1."""
        assert isinstance(self.kind, t.Enum)
        rows = tuple(EnumExpr(self.kind, self.span, enum=self.kind.name, name=v) for v in values)
        listed = self.operation("list", t.list_of(self.kind, True), *rows)
        return self.operation("item", self.kind, listed, place)

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
        is_in = self.operation("in", t.BOOL, cell, both)
        return self.operation("if", self.kind, is_in, other, self.nothing())

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
        first = self.operation("board.at", t.Optional(cell), self.on, self.number(0), self.number(0))
        return self.operation("certain", cell, first)

    def is_empty(self, cell: TypedExpr) -> TypedExpr:
        assert isinstance(self.on.type, t.Board)
        zone = self.program.zones[self.on.type.name]
        return self.operation(
            "zone.empty", BOOL, ZoneExpr(t.Zone(zone.kinds, zone.order), self.span, (cell,), name=zone.name)
        )

    def cell(self) -> LocalExpr:
        """A local that walks cells."""
        assert isinstance(self.kind, t.Collection)
        return self.local(self.proc.slot("$cell", self.kind.base))

    def those(self, cell: LocalExpr, condition: TypedExpr) -> TypedExpr:
        """The cells of which something holds, in reading order."""
        cells = self.operation("board.cells", self.kind, self.on)
        return self.aggregate("list", self.kind, {cell.slot: cells}, cell, condition)

    def occupied(self) -> TypedExpr:
        cell = self.cell()
        return self.those(cell, self.operation("not", BOOL, self.is_empty(cell)))

    def frontier(self) -> TypedExpr:
        """The empty cells beside others that are not."""
        assert isinstance(self.on.type, t.Board)
        cell, near = self.cell(), self.cell()
        adjacent = self.operation("cell.adjacent", self.kind, cell)
        taken = self.operation("not", BOOL, self.is_empty(near))
        beside = self.aggregate("any", BOOL, {near.slot: adjacent}, taken)
        found = self.those(cell, self.operation("and", BOOL, self.is_empty(cell), beside))
        if not self.program.boards[self.on.type.name].is_growing:
            return found
        zone = self.program.zones[self.on.type.name]
        stacks = ZoneExpr(t.Family(zone.name, cell.type, zone.kinds), self.span, name=zone.name)
        is_bare = self.operation("family.empty", BOOL, stacks)
        first = self.operation("list", self.kind, self.origin())
        return self.operation("if", self.kind, is_bare, first, found)


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
class Routine(TreeBuilder):
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
        super().__init__(Proc(len(ctx.program.procs), f"${name}", "def", span), span)
        ctx.program.procs.append(self.proc)
        self.given = [self.parameter(word, kind) for word, kind in lists]
        bound = bound_in(step)
        free = sorted(locals_in(step.walk()) - bound - {item})
        self.passed = tuple(LocalExpr(outer.slot_types[i], span, slot=i) for i in free)
        slots = {i: self.parameter(outer.slots[i], outer.slot_types[i]) for i in free}
        slots |= {i: self.proc.slot(outer.slots[i], outer.slot_types[i]) for i in sorted(bound | {item})}
        self.item, self.step = slots[item], step.in_slots(slots)
        self.proc.calls = {y.proc for y in step.walk() if isinstance(y, CallExpr)}

    def parameter(self, name: str, kind: Type) -> int:
        slot = self.proc.slot(name, kind)
        self.proc.params.append(Param(name, kind, slot, False))
        return slot


class ClosureChecker(CheckerPart):
    """Checks `reached` and `groups`."""

    def __init__(self, expressions: ExpressionChecker) -> None:
        super().__init__(expressions)
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
        given = replace(start, type=steps) if name == "groups" else start
        x = found.call(found.proc, given, *found.passed)
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
        take = [*marks.take(new), AddStmt(span, (r.local(new), r.local(found)))]
        walk = r.each(new, r.step, take, marks.is_free(new))
        item_here = r.let(r.item, r.operation("item", base, r.local(found), r.local(at)))
        further = r.assign(r.local(at), r.operation("+", INT, r.local(at), r.number(1)))
        ended = r.operation(">", BOOL, r.local(at), r.operation("list.size", t.Int(0, None), r.local(found)))
        loop = [r.let(at, r.number(1)), RepeatStmt(span, (ended,), ([item_here, walk, further],))]
        if name == "reached":
            r.proc.body = [
                *marks.begin,
                r.let(found, start),
                *loop,
                LeaveStmt(span, (r.local(found),), op="return"),
            ]
            r.proc.returns = kind
            return r
        begin = r.new("groups", r.no_list(), t.list_of(kind))
        all_found, first = r.local(begin.slot), r.proc.slot("first", base)
        one = r.let(found, r.operation("list", kind, r.local(first)))
        group = [*marks.take(first), one, *loop, AddStmt(span, (r.local(found), all_found))]
        each = r.each(first, start, group, marks.is_free(first))
        r.proc.body = [*marks.begin, begin, each, LeaveStmt(span, (all_found,), op="return")]
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
            marked = r.new("free", r.operation("map", kind, r.truth(not for_groups)), kind)
            self.slot, at = marked.slot, r.proc.slot("first", base)
            mark = r.assign(self.entry(at), r.truth(for_groups))
            self.begin: list[TypedStmt] = [marked, r.each(at, start, [mark])]
        else:
            taken = r.new("taken", r.no_list() if for_groups else start, t.list_of(base))
            self.slot, self.begin = taken.slot, [taken]

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
            return [r.assign(self.entry(slot), r.truth(False))]
        return [AddStmt(r.span, (r.local(slot), r.local(self.slot)))]
