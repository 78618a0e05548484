"""What is told to one seat, folded into a number: `tell` and `show` have no other effect on a
game.

Once `listen(seat)` is called, each such statement that reaches the seat folds its number and the values of
its text into `told`. So two games in which that is the same have told the seat the same. Nobody listens in
games that are only played.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, TRUE, add, and_, const, eq, mod, mul, not_, or_
from croupier.core.operations import Expression, Local
from croupier.core.types import FunctionParameter
from croupier.kernel import types as t
from croupier.kernel.tree import ConstExpr, TextExpr, TypedExpr, TypedStmt
from croupier.lowering.calls import inlined_expression, is_plain_call, short_call
from croupier.lowering.context import Context, Operand, Ref, as_word
from croupier.lowering.operands import value, word
from croupier.lowering.shapes import Items, width
from croupier.lowering.sources import walk

LISTENER, TOLD = "listener", "told"  # the names of the two arrays, of a word each
LISTEN = "listen"  # the name of the function
PRIME, FACTOR = 2_147_483_629, 48_271


def declare(c: Context) -> None:
    """Declare the arrays, and the function that says who listens."""
    for name, start in ((LISTENER, op.NONE), (TOLD, 0)):
        c.scalar(name, start)
    with c.define(LISTEN, FunctionParameter("seat"), exported=True):
        c.w.store(LISTENER, FALSE, Local("seat"))
        c.w.store(TOLD, FALSE, FALSE)
        c.w.emit(op.Return())


class Telling:
    """One statement that tells something: emits what is folded in where the seat that listens hears it."""

    def __init__(self, c: Context, s: TypedStmt) -> None:
        self.c = c
        c.told += 1
        w = c.w
        listener = w.temp(op.Load(LISTENER, FALSE))
        self.hears = w.variable(FALSE)

        def heard() -> None:
            w.set(self.hears, TRUE)

        with w.where(not_(eq(listener, NONE))):
            _, *readers = s.args
            for x in readers:
                walk(c, x, lambda p: w.when(eq(as_word(p), listener), heard))
            if not readers:
                heard()
            if c.secret:
                bits = op.Bits("and", op.Bits("shr", Local("viewer"), listener), TRUE)
                is_open = or_(eq(Local("viewer"), const(op.NONE)), eq(bits, TRUE))
                w.set(self.hears, and_(eq(Local(self.hears), TRUE), is_open))
        self.fold(const(c.told))

    def fold(self, v: Operand) -> None:
        """Fold a value in."""
        if isinstance(v, Ref):
            v = self.c.fixed(v)
        with self.c.w.where(eq(Local(self.hears), TRUE)):
            if isinstance(v, Ref):
                self._fold_words(v)
            else:
                self._fold_word(v)

    def _fold_words(self, v: Ref) -> None:
        """The words of a value: of a list as many as it has."""
        w = self.c.w
        count: Expression = const(width(v.shape))
        if isinstance(v.shape, Items):
            count = w.temp(add(mul(self.c.length(v), const(v.shape.element.words)), TRUE))
        with w.count(FALSE, count) as i:
            self._fold_word(op.Load(v.memory, add(v.at, i)))

    def _fold_word(self, word: Expression) -> None:
        before = mul(op.Load(TOLD, FALSE), const(FACTOR))
        self.c.w.store(TOLD, FALSE, mod(add(before, mod(word, const(PRIME))), const(PRIME)))


def tell(c: Context, s: TypedStmt) -> None:
    """Telling is left to the reference; only the parts of a text that may fault are evaluated, and folded
    into a number for whoever listens.
    """
    telling = Telling(c, s) if c.is_telling else None
    what, *readers = s.args
    fold_parts(c, what, telling)
    for x in readers:
        fold_parts(c, x, None)


def fold_parts(c: Context, x: TypedExpr, telling: Telling | None) -> None:
    """Evaluate the parts of a text, for their faults, and fold them in."""
    if isinstance(x, TextExpr):
        for a in x.args:
            fold_parts(c, a, telling)
    elif x.op == "if" and isinstance(x.type, t.Text):
        c.w.when(
            word(c, x.args[0]),
            lambda: fold_parts(c, x.args[1], telling),
            lambda: fold_parts(c, x.args[2], telling),
        )
    elif is_plain_call(x) and isinstance(x.type, t.Text) and inlined_expression(c, x) is not None:
        with short_call(c, x) as inside:
            fold_parts(c, inside, telling)
    elif x.op == "zone_all":
        fold_parts(c, x.args[0], telling)
    elif not isinstance(x, ConstExpr) and not isinstance(x.type, t.Family):
        found = value(c, x)
        if telling is not None:
            telling.fold(found)
