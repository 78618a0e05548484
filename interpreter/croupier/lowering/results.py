"""The end of a game: `finish` writes winners, returns and scores to the array `result`."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, TRUE, add, and_, const, eq, lt, not_, or_, select
from croupier.core.operations import Expression, Local
from croupier.core.types import FunctionParameter, Memory
from croupier.kernel import types as t
from croupier.kernel.tree import FinishStmt, TextExpr, TypedExpr
from croupier.lowering.compare import key_width, less, put_key
from croupier.lowering.context import Context, Operand, Ref, as_word
from croupier.lowering.costs import pay_for
from croupier.lowering.grades import FIRST_TEMPLATE, GRADE_MEMORY, GradeTemplate
from croupier.lowering.operands import ref, value
from croupier.lowering.shapes import Items, Maybe, Shape, TableShape, width
from croupier.lowering.sources import marked
from croupier.lowering.texts import has_few_values
from croupier.runtime.game import Game
from croupier.semantics.procedures import Proc

MAX_TEMPLATE_WORDS = 1_024  # of the values of a template: results of many games have room for one each
STANDING = "standing"  # the name of a function
KINDS = ("win", "rank", "pay", "lose", "draw")
KIND, GRADE, SCORED, WINNERS = range(4)  # then, for each player, the winners, the returns, the scores


def memory(players: int) -> Memory:
    """The array of the result; kind 0 while the game is running."""
    return Memory("result", WINNERS + 3 * players, (op.NONE,) + (0,) * (WINNERS - 1 + 3 * players))


def finish(c: Context, s: FinishStmt) -> None:
    """Lower `finish`: write the result and end the game."""
    w, n = c.w, c.game.players
    kind, has_value, has_grade = s.result, s.values, s.has_grade
    grade: Expression = NONE
    if has_grade:
        grade = write_grade(c, s.args[-1])
    winner, given, score = WINNERS, WINNERS + n, WINNERS + 2 * n

    def at(first: int, p: Expression) -> Expression:
        return add(p, const(first))

    def for_all(first: int, v: int) -> None:
        with w.count(FALSE, const(n)) as p:
            w.store("result", at(first, p), const(v))

    scored = FALSE
    for_all(winner, 0)
    if kind == "win":
        assert has_value
        won = marked(c, s.args[0], 0, n)
        with w.count(FALSE, const(n)) as p:
            w.store("result", at(winner, p), op.Load(won, p))
        with w.count(FALSE, const(n)) as p:
            w.store("result", at(given, p), select(eq(op.Load(won, p), TRUE), TRUE, const(-1)))
    elif kind in ("rank", "pay"):
        scored = TRUE
        made = ref(c, s.args[0])
        if kind == "rank":
            _rank(c, made, winner, given, score)
        else:
            _pay(c, made, winner, given, score)
    else:
        for_all(given, -1 if kind == "lose" else 0)
    w.store("result", const(GRADE), grade)
    w.store("result", const(SCORED), scored)
    w.store("result", const(KIND), const(KINDS.index(kind)))
    w.emit(op.Finish())


def _pay(c: Context, made: Ref, winner: int, given: int, score: int) -> None:
    w, n = c.w, c.game.players
    shape = made.shape
    assert isinstance(shape, TableShape)
    best, worst = w.variable(NONE), w.variable(NONE)
    with w.count(FALSE, const(n)) as p:
        v = w.temp(as_word(c.load(c.entry(made, p)))) if shape.count else FALSE
        v = w.temp(select(eq(v, NONE), FALSE, v))
        w.store("result", add(p, const(given)), v)
        w.store("result", add(p, const(score)), v)
        w.when(or_(eq(Local(best), NONE), lt(Local(best), v)), lambda: w.set(best, v))
        w.when(or_(eq(Local(worst), NONE), lt(v, Local(worst))), lambda: w.set(worst, v))
    with w.where(lt(Local(worst), Local(best))), w.count(FALSE, const(n)) as p:
        w.store("result", add(p, const(winner)), eq(op.Load("result", add(p, const(given))), Local(best)))


def _rank(c: Context, made: Ref, winner: int, given: int, score: int) -> None:
    """The seats of highest rank win; a seat without a rank is below all others.

    If all seats tie, nobody gains.
    """
    w, n = c.w, c.game.players
    shape = made.shape
    assert isinstance(shape, TableShape)
    won = w.variable(FALSE)
    if shape.count:
        inner: Shape = shape.value.inner if isinstance(shape.value, Maybe) else shape.value
        size = key_width(inner)
        keys = w.array(n * size, "k")
        best = w.variable(NONE)

        def key_of(p: Expression) -> Expression:
            return op.Mul(p, const(size)) if size != 1 else p

        with w.count(FALSE, const(n)) as p:
            v = c.once(c.load(c.entry(made, p)))
            w.store("result", add(p, const(score)), FALSE)
            with w.where(not_(c.missing(v))):
                put_key(c, c.certain(v), keys, key_of(p), inner)
                better = w.variable(TRUE)
                with w.where(not_(eq(Local(best), NONE))):
                    w.set(better, less(c, keys, keys, key_of(Local(best)), key_of(p), size))
                w.when(eq(Local(better), TRUE), lambda: w.set(best, p))
                w.store("result", add(p, const(score)), _first(c, c.certain(v), inner))
        with w.count(FALSE, const(n)) as p, w.where(not_(c.missing(c.once(c.load(c.entry(made, p)))))):
            with w.where(not_(less(c, keys, keys, key_of(p), key_of(Local(best)), size))):
                w.store("result", add(p, const(winner)), TRUE)
                w.set(won, add(Local(won), TRUE))
    else:
        with w.count(FALSE, const(n)) as p:
            w.store("result", add(p, const(score)), FALSE)
    shared = w.temp(and_(eq(Local(won), const(n)), const(int(n > 1))))
    with w.count(FALSE, const(n)) as p:
        own = select(eq(op.Load("result", add(p, const(winner))), TRUE), TRUE, const(-1))
        w.store("result", add(p, const(given)), select(eq(shared, TRUE), FALSE, own))


def write_standing(c: Context, tree: TypedExpr, frame: Proc) -> None:
    """Write the function `standing(out)`: the score of every seat if the game ended now, by what a
    `finish rank` of the rules ranks players by. Raises `NotLowered` for an expression without a lowering.
    """
    out = FunctionParameter("out", c.game.players, gives=True)
    with c.define(STANDING, out, proc=frame, exported=True):
        pay_for(c, [tree], 2)
        made = ref(c, tree)
        shape = made.shape
        assert isinstance(shape, TableShape)
        w = c.w
        inner: Shape = shape.value.inner if isinstance(shape.value, Maybe) else shape.value

        with w.count(FALSE, const(c.game.players)) as p:
            w.store("out", p, FALSE)
            if shape.count:
                v = c.once(c.load(c.entry(made, p)))
                with w.where(not_(c.missing(v))):
                    w.store("out", p, _first(c, c.certain(v), inner))
        w.emit(op.Return())


def _first(c: Context, v: Operand, shape: Shape) -> Expression:
    """The first number of a ranking key."""
    if not isinstance(v, Ref):
        return v
    if isinstance(v.shape, Items):
        name, list_ = c.w.fresh(), c.fixed(v)
        c.w.set(name, FALSE)
        with c.w.where(lt(FALSE, c.length(list_))):
            c.w.set(name, as_word(c.element(list_, FALSE)))
        return Local(name)
    found = c.load(c.parts(v)[0])
    assert not isinstance(found, Ref), found  # keys are numbers or lists of numbers
    return found


# ---------------------------------------------------------------- the words of an end (see `grades.py`)
def write_grade(c: Context, x: TypedExpr) -> Expression:
    """Lower the words of an end; the word that says which they are.

    Raises `TextWithoutEnd` if they can only be made as characters.
    """
    assert isinstance(x, TextExpr), x
    if not x.args:
        return const(c.texts.number("".join(part for part in x.parts if part is not None)))
    if (c.texts.long or not has_few_values(c, x)) and _fits_template(c, x):
        return _write_template(c, x.parts, [(a.type, value(c, a)) for a in x.args])
    found = value(c, x)
    return _write_template(c, (None,), [(x.type, found)]) if isinstance(found, Ref) else found


def _fits_template(c: Context, x: TextExpr) -> bool:
    """Return whether the text can be made afterwards, from its values alone."""
    if not all(has_fixed_words(c.game, a.type) for a in x.args):
        return False
    return sum(width(c.shape(a.type)) for a in x.args) <= MAX_TEMPLATE_WORDS


def has_fixed_words(game: Game, kind: t.Type) -> bool:
    """Return whether the words of a value depend on nothing but the value.

    The label of a component may depend on the position.
    """
    match kind:
        case t.Bool() | t.Int() | t.Enum() | t.Player() | t.Cell() | t.Text() | t.Nothing():
            return True
        case t.Component(kinds):
            return not any(name in game.labels for name in kinds)
        case t.Optional(base) | t.Collection(base=base):
            return has_fixed_words(game, base)
        case t.Record(name):
            return all(has_fixed_words(game, field) for field in game.program.records[name].fields.values())
        case t.Map(key, value_type):
            return has_fixed_words(game, key) and has_fixed_words(game, value_type)
    return False


def _write_template(
    c: Context, parts: tuple[str | None, ...], values: Sequence[tuple[t.Type, Operand]]
) -> Expression:
    """Write the values of a template; the word that names it. Equal templates are one."""
    template = GradeTemplate(parts, tuple((kind, c.shape(kind)) for kind, _ in values))
    if template not in c.grades:
        c.grades.append(template)
    at = 0
    for (_, found), (_, shape) in zip(values, template.values, strict=True):
        c.put(found, Ref(GRADE_MEMORY, const(at), shape))
        at += width(shape)
    declared = c.core.memories.get(GRADE_MEMORY)
    size = max(1, at, 0 if declared is None else declared.size)
    c.core.memories[GRADE_MEMORY] = Memory(GRADE_MEMORY, size, (0,) * size)
    return const(FIRST_TEMPLATE - c.grades.index(template))
