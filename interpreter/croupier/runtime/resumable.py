"""Resumable statements: the typed tree of a procedure as operations linked by continuations, so that it can
stop at a decision and go on.

Statements that may suspend become operations linked by where control goes next; statements in a row that do
not suspend stay one operation. Nothing here changes what a statement means: it decides only who calls whom in
Python.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.tree import (
    AssignStmt,
    Choice,
    ChooseStmt,
    ConstExpr,
    DrawStmt,
    EnumExpr,
    ForEachStmt,
    ForSecondsStmt,
    LeaveStmt,
    LetStmt,
    LocalExpr,
    MatchStmt,
    MenuData,
    MenuOption,
    MenuStmt,
    Named,
    OpenStmt,
    OriginalExpr,
    PassStmt,
    RollStmt,
    SecretlyStmt,
    SoThatStmt,
    TypedExpr,
    TypedStmt,
    of_statement,
    text_template,
)
from croupier.limits import MAX_MENU_ROWS, MAX_OPTIONS
from croupier.runtime.asking import Asked, AskOp, Chance, EverySeat, OneSeat
from croupier.runtime.candidates import (
    Binding,
    ChoiceSource,
    OptionReads,
    OptionSource,
    ReactionSource,
    Reading,
    Refusal,
    option_kind,
)
from croupier.runtime.chance import DrawOp, RollOp
from croupier.runtime.clauses import Clause, Condition
from croupier.runtime.compiler import Compiler, OperationRow
from croupier.runtime.game import Value
from croupier.runtime.lookahead import SecretlyEnd, SecretlyOp, SoThatEnd, SoThatOp
from croupier.runtime.machine import Machine, Op, ProcCode, Run, Setter
from croupier.runtime.operations import (
    BeginOp,
    CallOp,
    Exits,
    ForOp,
    ForStep,
    IfOp,
    LoopFrame,
    MatchOp,
    PlainOp,
    RepeatOp,
)
from croupier.runtime.operators import test
from croupier.runtime.sets import SetOp, Several
from croupier.runtime.statements import backs, branching, case_words, compile_block, local_setter, setter
from croupier.runtime.timing import TimeOp
from croupier.runtime.trace import Cites
from croupier.runtime.windows import OpenOp
from croupier.runtime.wording import StatementWords
from croupier.semantics.program import Program
from croupier.semantics.ranges import Ranges
from croupier.semantics.walk import given, statement_call


def compile_resumable(
    ctx: Compiler, block: list[TypedStmt], next: Op | None, exits: Exits, loop: LoopFrame | None
) -> Op | None:
    """A block as linked operations: the first of them. After the block control goes to `next`."""
    i = len(block)
    trace, main = ctx.trace, ctx.code.proc.kind == "main"
    while i > 0:
        i -= 1
        s = block[i]
        if s.suspends or (main and s.blocks):
            outer = ctx.context
            ctx.context = s.cites or outer
            op = OPERATIONS[s.OP](ctx, s, next, exits, loop)
            op.cites, op.span, op.tree = Cites(ctx.context, s.span), s.span, s
            op.next = op.next or next  # of one that begins a block that is its first operation
            if s.suspension_point is not None:
                op.point, op.proc = s.suspension_point, ctx.code.proc.index
                ctx.code.points[s.suspension_point] = op
            ctx.context = outer
            if trace is not None:
                number = trace.statement(s)
                for part in {id(x): x for x in (op, getattr(op, "step", op))}.values():
                    trace.count_operation(part, number)
            next = op
        else:
            start = i
            while start > 0 and not block[start - 1].suspends and not main:
                start -= 1
            run = block[start : i + 1]
            if not all(isinstance(x, PassStmt) for x in run):
                plain = PlainOp(compile_block(ctx, run), next, exits, loop)
                plain.span = run[0].span
                next = plain
            i = start
        if main and isinstance(next, (CallOp, PlainOp)):
            enter_at(ctx, s, next)
    return next


def enter_at(ctx: Compiler, s: TypedStmt, op: Op) -> None:
    """Note the operation of a call of a phase, so that a position can be declared before it.

    It is one of its own. A call that never suspends gets a point number below zero: it is in no position that
    a game comes to.
    """
    call = statement_call(s)
    if call is not None:
        ctx.code.entries[call.proc] = op
        if s.suspension_point is None:
            op.point = -1 - call.proc
            ctx.code.points[op.point] = op


# ------------------------------------------------------------ control


def _op_if(ctx: Compiler, s: TypedStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    return IfOp(
        branching(ctx, s.args[0]),
        compile_resumable(ctx, s.blocks[0], next, exits, loop),
        compile_resumable(ctx, s.blocks[1], next, exits, loop),
    )


def _op_match(ctx: Compiler, s: MatchStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    blocks = [
        way(ctx, compile_resumable(ctx, b, next, exits, loop), s.span, "branch", words)
        for b, words in zip(s.blocks, case_words(s), strict=True)
    ]
    cases = [(ctx.exprs(tuple(row)), b) for row, b in zip(s.rows, blocks, strict=False)]
    return MatchOp(ctx.expr(s.args[0]), cases, blocks[-1] if s.has_other else next)


def _op_for(ctx: Compiler, s: ForEachStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    slot, items, at = s.slot, s.items, s.cursor
    step = ForStep(slot, items, at, branching(ctx, s.args[1]) if len(s.args) > 1 else None, s.endless)
    step.next, step.span = next, s.span
    step.body = compile_resumable(ctx, s.blocks[0], step, exits, LoopFrame(step, next, exits))
    return ForOp(ctx.expr(s.args[0]), step)


def _op_repeat(ctx: Compiler, s: TypedStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    op = RepeatOp(branching(ctx, s.args[0]) if s.args else None)
    op.body = compile_resumable(ctx, s.blocks[0], op, exits, LoopFrame(op, next, exits))
    return op


def _op_so_that(ctx: Compiler, s: SoThatStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    within, slot = s.within, s.slot
    op = SoThatOp(ctx.expr(s.args[0]), slot, within)
    ctx.code.so_slots[slot] = within
    end = SoThatEnd(op)
    end.next, end.span = next, s.span
    body = compile_resumable(ctx, s.blocks[0], end, (*exits, end), loop)
    op.body = way(ctx, body, s.span, "branch", "can end so")
    other = compile_resumable(ctx, s.blocks[1], next, exits, loop)
    op.other = way(ctx, other, s.span, "branch", "cannot end so")
    return op


def _op_secretly(ctx: Compiler, s: SecretlyStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    end = SecretlyEnd(s.slot)
    end.next, end.span = next, s.span
    op = SecretlyOp(ctx.expr(s.args[0]), s.slot)
    op.next = compile_resumable(ctx, s.blocks[0], end, (*exits, end), loop)
    return op


def _op_for_seconds(
    ctx: Compiler, s: ForSecondsStmt, next: Op | None, exits: Exits, loop: LoopFrame | None
) -> Op:
    seconds = ctx.expr(s.args[0])
    begin, end = (TimeOp(seconds, s.otherwise, is_end=is_end) for is_end in (False, True))
    end.next, end.span, end.cites = next, s.span, Cites(ctx.context, s.span)
    begin.next = compile_resumable(ctx, s.blocks[0], end, exits, loop)
    return begin


# ------------------------------------------------------------ calls


def _op_do(ctx: Compiler, s: TypedStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    call = statement_call(s)
    assert call is not None
    proc = ctx.game.program.procs[call.proc]
    back = backs(ctx, proc, call.args)
    store: Setter | None = None
    check: Callable[[Value, Span], None] | None = None
    if isinstance(s, LetStmt):
        store = local_setter(s.slot)
    elif isinstance(s, AssignStmt):
        write, words = setter(ctx, s.args[0]), StatementWords(ctx, s.words)
        store = lambda m, L, v: words.whole(m, L, lambda: write(m, L, v))  # noqa: E731
    if s.args[-1].op == "bound":
        check = test(ctx, s.args[-1].type)
    op = CallOp(call.proc, ctx.exprs(call.args), store, back, isinstance(s, LeaveStmt), exits, check)
    if isinstance(call, OriginalExpr):
        op.original_slot = ctx.original_slot()
    return op


# ------------------------------------------------------------ chance


def _op_draw(ctx: Compiler, s: DrawStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    (count, source, to), words = ctx.exprs(s.args[:3]), StatementWords(ctx, s.words)
    return DrawOp(count, source, to, s.left, s.drawn, words, 0 if s.from_bottom else -1)


def _op_roll(ctx: Compiler, s: RollStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    v = ctx.game.program.vars[s.attribute]
    assert isinstance(v.type, t.Map)
    kind, (first, _) = v.type.value, ctx.game.kinds[s.attribute.split(".")[0]]
    values = ctx.game.values(kind.base if isinstance(kind, t.Optional) else kind)
    return RollOp(ctx.expr(s.args[0]), v, first, values, s.left, kind, StatementWords(ctx, s.words))


# ------------------------------------------------------------ decisions


def _named(
    ctx: Compiler, conditions: tuple[Named, ...], cites: tuple[str, ...]
) -> Iterator[tuple[Condition, Run]]:
    """Yield named conditions, which cite what is given if they cite nothing, each with its test."""
    for c in conditions:
        clause = Clause("priority" if c.yields else "condition", c.text, c.cites or cites, c.span)
        yield Condition(c.value, clause), tested(ctx, c.value, c.span, c.cites)


def tested(ctx: Compiler, x: TypedExpr, span: Span, cites: tuple[str, ...]) -> Run:
    """An expression with citations of its own; of a condition it is traced how it went, too."""
    run, trace = ctx.expr(x), ctx.trace
    if trace is None:
        return run
    traced: Run = trace.count_runs(run, trace.number("condition", span, cites, (x,)))
    return trace.count_outcomes(traced, span, cites) if isinstance(x.type, t.Bool) else traced


def way(ctx: Compiler, next: Op | None, span: Span, kind: str, words: str) -> Op | None:
    """Return the operation at which control goes on, traced; `words` name the way out of the statement."""
    trace = ctx.trace
    if trace is None:
        return next
    return BeginOp(trace.counts, trace.number(kind, span, ctx.context, words=words), next)


def _op_choose(ctx: Compiler, s: ChooseStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    c: Choice = s.choice
    source = _choice_source(ctx, s)
    refusal = Refusal(
        lambda: {"choose": op.site.name, source.key: None},
        c.decline,
        None if c.told_decline is None else ctx.expr(c.told_decline),
        f"no {c.name}",
    )
    asked = _asked(ctx, c)
    if c.many:
        several = Several(
            c.picked, c.cursor, *(None if x is None else ctx.expr(x) for x in (c.low, c.high, c.such_that))
        )
        op: AskOp = SetOp(ctx.game, asked, source, refusal, several, c.optional)
    else:
        op = AskOp(ctx.game, asked, (source,), refusal if c.optional else None)
    op.name, op.has_other = c.name, s.has_other
    op.wording = "" if c.label is None else text_template(c.label, "…")
    source.site = lambda: op.site.name
    source.body = compile_resumable(ctx, s.blocks[0], next, exits, loop)
    op.other = compile_resumable(ctx, s.blocks[1], next, exits, loop)
    if c.optional or op.has_other:
        op.other = way(ctx, op.other, s.span, "branch", "nothing was chosen")
    count_choices(ctx, op, s)
    return op


def _asked(ctx: Compiler, c: Choice) -> Asked:
    """Who chooses; of chance, with which weights."""
    by = None if c.by is None else ctx.expr(c.by)
    if c.chooser == "chance":
        return Chance(by)
    assert by is not None
    return EverySeat(by, c.every or 0, c.picked, c.slot) if c.chooser == "every" else OneSeat(by)


def _choice_source(ctx: Compiler, s: ChooseStmt) -> ChoiceSource:
    c: Choice = s.choice
    binding = Binding(ctx.game, c.item, ctx.expr(c.source), c.base, MAX_OPTIONS)
    rules = s.cites or ctx.context
    tests: list[tuple[Condition, Run]] = []
    if c.where is not None:
        clause = Clause("where", "", rules, c.where.span)
        tests = [(Condition(c.where, clause), branching(ctx, c.where))]
    tests += _named(ctx, c.conditions, rules)
    source = ChoiceSource(ctx.game, s.span, rules, c, binding, tests)
    source.label = ctx.expr(c.words)
    source.told = None if c.told is None else ctx.expr(c.told)
    source.merging = tuple(attribute_of(ctx, c.base, name) for name in c.merging)
    weight = c.by if c.chooser == "chance" else None
    read = (c.where, *(named.value for named in c.conditions), c.such_that, weight)
    source.make_reading = partial(
        _reading, ctx, ctx.code, (c.low, c.high), (c.source,), read, _merging_variables(ctx, c)
    )
    return source


def _reading(
    ctx: Compiler,
    code: ProcCode,
    first: tuple[TypedExpr | None, ...],
    sources: tuple[TypedExpr, ...],
    tests: tuple[TypedExpr | None, ...],
    attributes: tuple[int, ...],
) -> Reading:
    """Return what is read to know what a source offers, compiled on first use."""

    def compiled(read: Iterable[TypedExpr | None]) -> tuple[Run, ...]:
        return tuple(ctx.redacted_in(code, x) for x in read if x is not None)

    return Reading(compiled(first), compiled(sources), compiled(tests), attributes)


def _merging_variables(ctx: Compiler, c: Choice) -> tuple[int, ...]:
    """The variables of the changeable attributes that decide which options are alike."""
    kinds = c.base.kinds if isinstance(c.base, t.Component) else ()
    variables = (ctx.game.program.vars.get(f"{kind}.{name}") for kind in kinds for name in c.merging)
    return tuple(v.index for v in variables if v is not None)


def count_choices(ctx: Compiler, op: AskOp, s: ChooseStmt) -> None:
    """Trace which of the names of a type are chosen, and the refusal of an optional choice."""
    trace, source, base = ctx.trace, op.sources[0], s.choice.base
    if trace is None:
        return
    rows = [(0, op.refusal.text)] if op.refusal is not None else []
    if isinstance(base, (t.Enum, t.Bool)) and not s.choice.many:
        low = source.first - source.bindings[0].low
        names = ((v, ctx.game.show(v, base)) for v in ctx.game.values(base))
        possible = partial(_can_be_chosen, ctx.game.program, s.choice)
        rows += [(int(v) + low, words) for v, words in names if possible(v, words)]
    if rows:
        trace.count_choices(
            op, {action: trace.number("value", s.span, ctx.context, words=words) for action, words in rows}
        )


def attribute_of(ctx: Compiler, base: t.Type, name: str) -> Callable[[Machine, Value], Value]:
    """An attribute of what is chosen, as a function of the machine and the value."""
    game = ctx.game
    if isinstance(base, t.Record):
        i = list(game.program.records[base.name].fields).index(name)
        return lambda m, v: v[i]
    if (isinstance(base, t.Enum) and name == "rank") or (isinstance(base, t.Player) and name == "seat"):
        return lambda m, v: v
    if isinstance(base, t.Enum):
        table = game.columns[base.name, name]
        return lambda m, v: table[v]
    kinds = {p.kind for p in game.components if isinstance(base, t.Component) and p.kind in base.kinds}
    variables = {k: game.program.vars.get(f"{k}.{name}") for k in kinds}

    def read(m: Machine, v: Value) -> Value:
        component = game.components[v]
        variable = variables.get(component.kind)
        if variable is not None:
            return m.vars[variable.index][component.index]
        return component.attributes.get(name)

    return read


def _op_menu(ctx: Compiler, s: MenuStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    d: MenuData = s.menu
    options = tuple(_option(ctx, s, o) for o in d.options)
    reactions, back = None, list[Setter]()
    if d.window is not None:
        args, back = ctx.exprs(d.window_args), backs(ctx, ctx.game.program.procs[d.window], d.window_args)
        reactions = ReactionSource(d.window, lambda m, fr: [f(m, fr.L) for f in args])
    op = AskOp(ctx.game, OneSeat(ctx.expr(s.args[0])), options, None, reactions)
    op.back = back
    for source, b, o in zip(options, s.blocks, d.options, strict=False):
        outer, ctx.context = ctx.context, o.cites or ctx.context
        source.body = way(ctx, compile_resumable(ctx, b, next, exits, loop), o.span, "option", source.raw)
        if not o.claim:
            source.cites = Cites(o.cites, o.span)  # what is said cites what asks for it
        ctx.context = outer
        if ctx.trace is not None:
            source.label = ctx.trace.count_runs(source.label, ctx.trace.number("label", o.span, o.cites))
    op.has_other = d.has_else
    op.other = compile_resumable(ctx, s.blocks[-1], next, exits, loop)
    if d.has_else and s.blocks[-1]:
        op.other = way(ctx, op.other, s.span, "branch", "no option")
    return op


def _option(ctx: Compiler, s: MenuStmt, o: MenuOption) -> OptionSource:
    bindings = []
    label = ctx.expr(o.label)
    for slot, x in zip(o.slots, o.sources, strict=True):
        kind = x.type.base if isinstance(x.type, t.Collection) else t.UNKNOWN
        most = sys.maxsize if ctx.game.is_finite(kind) else MAX_MENU_ROWS
        bindings.append(Binding(ctx.game, slot, ctx.expr(x), kind, most))
    rules = o.cites or s.cites or ctx.context
    tests = list(_named(ctx, o.conditions, rules))
    if o.condition is not None:
        clause = Clause(option_kind(o), "", rules, o.span)
        tests.insert(0, (Condition(o.condition, clause), tested(ctx, o.condition, o.span, o.cites)))
    source = OptionSource(ctx.game, s.span, rules, o, bindings, tests)
    source.label, source.told = label, None if o.told is None else ctx.expr(o.told)
    source.reads = OptionReads.of(ctx.game, o) if ctx.trace is None else None
    read = (o.condition, *(named.value for named in o.conditions))
    source.make_reading = partial(_reading, ctx, ctx.code, (), o.sources, read, ())
    return source


def _op_open(ctx: Compiler, s: OpenStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    back = backs(ctx, ctx.game.program.procs[s.window], s.args[1:])
    return OpenOp(ctx.expr(s.args[0]), s.window, ctx.exprs(s.args[1:]), back)


def _can_be_chosen(program: Program, c: Choice, value: TypedExpr, name: str) -> bool:
    """Return whether a value of a type with names might be chosen in some position.

    It might if the source does not leave it out, and no condition is false of it whatever the position.
    """
    enum = c.base.name if isinstance(c.base, t.Enum) else ""
    this: EnumExpr | ConstExpr
    if enum:
        this = EnumExpr(c.base, c.source.span, enum=enum, name=name)
    else:
        this = ConstExpr(c.base, c.source.span, value=bool(value))
    written = c.source.args if c.source.op == "list" else ()
    if (
        written
        and all(isinstance(x, (EnumExpr, ConstExpr)) for x in written)
        and this.details not in [x.details for x in written]
    ):
        return False
    ranges = Ranges(program)
    known = ranges.equal(LocalExpr(c.base, c.source.span, slot=c.item), this)
    conditions = given(c.where, *(_named.value for _named in c.conditions))
    return ranges.assume_all(conditions, True, known) is not None


OPERATIONS: dict[str, OperationRow] = {
    "if": _op_if,
    "match": of_statement(MatchStmt, _op_match),
    "for": of_statement(ForEachStmt, _op_for),
    "repeat": _op_repeat,
    "so_that": of_statement(SoThatStmt, _op_so_that),
    "for_seconds": of_statement(ForSecondsStmt, _op_for_seconds),
    "secretly": of_statement(SecretlyStmt, _op_secretly),
    "do": _op_do,
    "draw": of_statement(DrawStmt, _op_draw),
    "roll": of_statement(RollStmt, _op_roll),
    "choose": of_statement(ChooseStmt, _op_choose),
    "menu": of_statement(MenuStmt, _op_menu),
    "open": of_statement(OpenStmt, _op_open),
    "let": _op_do,
    "assign": _op_do,
    "leave": _op_do,
}
