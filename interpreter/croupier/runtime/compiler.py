"""The context of compiling: what the functions that compile a game's code receive."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from croupier.kernel.tree import CallExpr, CompExpr, StateEntryExpr, StateExpr, TypedExpr, TypedStmt
from croupier.records import dataclass
from croupier.runtime.faults import Redacted
from croupier.runtime.game import Game, PositionObserver, Value
from croupier.runtime.machine import Do, Locals, Machine, Op, ProcCode, Run, Walk
from croupier.runtime.operations import Exits, LoopFrame

if TYPE_CHECKING:
    from croupier.runtime.trace import Trace

# ---------------------------------------------------------------- compiler
# What the functions that compile a game's code receive: the game, where they stand in it, and the tables of
# all rows.
#
# Each operation of the typed tree has one row: a function that takes the compiler and the node, and gives
# back a function of a machine and the locals of a frame. Nothing is inherited; `compiled_rules.py` puts the
# tables together.
SightTest: TypeAlias = Callable[[PositionObserver, Machine, Locals], bool]
ExpressionRow: TypeAlias = "Callable[[Compiler, TypedExpr], Run]"
Operation: TypeAlias = "Callable[..., Run]"
"""The function that an operation is, from those of its operands."""
AggregateRow: TypeAlias = "Callable[[Walk, Run, Run | None, CompExpr], Run]"
StatementRow: TypeAlias = "Callable[[Compiler, TypedStmt], Do]"
OperationRow: TypeAlias = "Callable[[Compiler, TypedStmt, Op | None, Exits, LoopFrame | None], Op]"


@dataclass(frozen=True)
class CompilerTables:
    """The rows of expressions by operation, and the test whether an observer may see what one reads."""

    expressions: Mapping[str, ExpressionRow]
    sight_test: Callable[[Compiler, TypedExpr], SightTest | None]


def of_operands(operation: Operation) -> ExpressionRow:
    """The row of an operation that depends on nothing but the values of its operands."""
    return lambda ctx, x: operation(*ctx.exprs(x.args))


class Compiler:
    """Compiles expressions and statements against one game."""

    code: ProcCode  # the procedure that is being compiled

    def __init__(
        self, game: Game, rows: CompilerTables, trace: Trace | None = None, *, observe: bool = False
    ) -> None:
        self.game, self.rows, self.trace = game, rows, trace
        self.context: tuple[str, ...] = ()  # what the statement or procedure around a statement cites
        self.observes = observe  # does everything ask, what is called too? A call reads nothing by itself
        self.redacting = observe  # do expressions ask `m.observer` before they read?

    # ------------------------------------------------------------ expressions
    def expr(self, x: TypedExpr) -> Run:
        """An expression; while redacting, one that raises `Redacted` when it reads what `m.observer` may not
        see.
        """
        if not self.redacting:
            return self.unredacted(x)
        # of a map of state only the entry that is read is tested
        if x.op == "index" and isinstance(x.args[0], StateExpr):
            whole = x.args[0]
            run = self.unredacted(
                replace(x, args=(StateEntryExpr(whole.type, whole.span, name=whole.name), x.args[1]))
            )
        else:
            run = self.unredacted(x)
        if isinstance(x, CallExpr) and not self.observes:
            run = self.redacted_call(run)
        test = self.rows.sight_test(self, x)
        if test is None:
            return run

        def tested(m: Machine, L: Locals) -> Value:
            if m.observer is not None and not test(m.observer, m, L):
                raise Redacted
            return run(m, L)

        return tested

    def unredacted(self, x: TypedExpr) -> Run:
        """An expression that is not tested itself; while redacting, its parts are."""
        return self.rows.expressions[x.op](self, x)

    def exprs(self, xs: tuple[TypedExpr, ...]) -> list[Run]:
        """Compile several expressions."""
        return [self.expr(x) for x in xs]

    def redacted_expr(self, x: TypedExpr) -> Run:
        """Compile an expression that raises `Redacted` when it reads what `m.observer` may not see."""
        before, self.redacting = self.redacting, True
        try:
            return self.expr(x)
        finally:
            self.redacting = before

    def redacted_in(self, code: ProcCode, x: TypedExpr) -> Run:
        """The same of an expression of a procedure."""
        before, self.code = self.code, code
        try:
            return self.redacted_expr(x)
        finally:
            self.code = before

    def redacted_call(self, call: Run) -> Run:
        """Compile a call that raises `Redacted` when its definition reads what `m.observer` may not see."""

        def run(m: Machine, L: Locals) -> Value:
            if m.observer is None:
                return call(m, L)
            rules, cites, value = m.rules, m.cites, m.retval
            m.rules = rules.observing
            try:
                return call(m, L)
            except Redacted:
                m.cites, m.retval = cites, value
                raise
            finally:
                m.rules = rules

        return run

    def original_slot(self) -> int:
        """The local that says which hooks are left, in a procedure that stands around another."""
        return self.code.proc.slots.index("$original")
