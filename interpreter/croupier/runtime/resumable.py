"""Resumable statements: the typed tree of a procedure as operations linked by continuations, so that it can
stop at a decision and go on.

Statements that may suspend become operations linked by where control goes next; statements in a row that do
not suspend stay one operation. Nothing here changes what a statement means: it decides only who calls whom in
Python.
"""

from __future__ import annotations

import math
from collections.abc import Callable
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
    LetStmt,
    MatchStmt,
    MenuData,
    MenuStmt,
    Named,
    OpenStmt,
    OriginalExpr,
    PassStmt,
    ReturnStmt,
    RollStmt,
    SecretlyStmt,
    SoThatStmt,
    TypedExpr,
    TypedStmt,
    of_statement,
    text_parts,
    text_template,
)
from croupier.runtime.chance import DrawOp, RollOp
from croupier.runtime.choices import ChanceOp, ChoiceCode, ChooseOp, EveryOp, OfferReading, OptionCondition
from croupier.runtime.claims import ClaimOp
from croupier.runtime.compiler import Compiler, OperationRow, ProcCode
from croupier.runtime.game import Value
from croupier.runtime.lookahead import SecretlyEnd, SecretlyOp, SoThatEnd, SoThatOp
from croupier.runtime.machine import Locals, Machine, Op, Run, Setter
from croupier.runtime.menus import EntryReading, MenuEntry, MenuOp
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
from croupier.runtime.sets import SetOp
from croupier.runtime.statements import backs, branching, case_words, setter
from croupier.runtime.timing import TimeOp
from croupier.runtime.trace import Cites
from croupier.runtime.windows import OpenOp
from croupier.runtime.wording import StatementWords, words_of
from croupier.semantics.walk import statement_call, truth, with_value


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
            op = ctx.rows.operations[s.op](ctx, s, next, exits, loop)
            op.cites, op.span = Cites(ctx.context, s.span), s.span
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
                plain = PlainOp(ctx.block(run), next, exits, loop)
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


def _mark(ctx: Compiler, op: Op, s: TypedStmt) -> Op:
    op.point = s.suspension_point
    op.span = s.span
    op.cites = Cites(s.cites or ctx.context, s.span)
    op.tree = s
    if s.suspension_point is not None:
        ctx.code.points[s.suspension_point] = op
        op.proc = ctx.code.proc.index
    return op


# ------------------------------------------------------------ control


def _op_if(ctx: Compiler, s: TypedStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    return IfOp(
        branching(ctx, s.args[0]),
        ctx.resumable(s.blocks[0], next, exits, loop),
        ctx.resumable(s.blocks[1], next, exits, loop),
    )


def _op_match(ctx: Compiler, s: MatchStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    blocks = [
        way(ctx, ctx.resumable(b, next, exits, loop), s.span, "branch", words)
        for b, words in zip(s.blocks, case_words(s), strict=True)
    ]
    cases = [(ctx.exprs(tuple(row)), b) for row, b in zip(s.rows, blocks, strict=False)]
    return MatchOp(ctx.expr(s.args[0]), cases, blocks[-1] if s.has_other else next)


def _op_for(ctx: Compiler, s: ForEachStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    slot, items, at = s.slot, s.items, s.cursor
    step = ForStep(slot, items, at, branching(ctx, s.args[1]) if len(s.args) > 1 else None, s.endless)
    step.next, step.span = next, s.span
    step.body = ctx.resumable(s.blocks[0], step, exits, LoopFrame(step, next, exits))
    return ForOp(ctx.expr(s.args[0]), step)


def _op_repeat(ctx: Compiler, s: TypedStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    op = RepeatOp(branching(ctx, s.args[0]) if s.args else None)
    op.next = next
    op.body = ctx.resumable(s.blocks[0], op, exits, LoopFrame(op, next, exits))
    return op


def _op_so_that(ctx: Compiler, s: SoThatStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    within, slot = s.within, s.slot
    op = SoThatOp(ctx.expr(s.args[0]), slot, within)
    ctx.code.so_slots[slot] = within
    end = SoThatEnd(op)
    end.next, end.span = next, s.span
    op.body = way(ctx, ctx.resumable(s.blocks[0], end, (*exits, end), loop), s.span, "branch", "can end so")
    op.other = way(ctx, ctx.resumable(s.blocks[1], next, exits, loop), s.span, "branch", "cannot end so")
    return op


def _op_secretly(ctx: Compiler, s: SecretlyStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    end = SecretlyEnd(s.slot)
    end.next, end.span = next, s.span
    op = SecretlyOp(ctx.expr(s.args[0]), s.slot)
    op.next = ctx.resumable(s.blocks[0], end, (*exits, end), loop)
    return op


def _op_for_seconds(
    ctx: Compiler, s: ForSecondsStmt, next: Op | None, exits: Exits, loop: LoopFrame | None
) -> Op:
    seconds = ctx.expr(s.args[0])
    begin, end = (TimeOp(seconds, s.otherwise, is_end=is_end) for is_end in (False, True))
    end.next, end.span, end.cites = next, s.span, Cites(ctx.context, s.span)
    begin.next = ctx.resumable(s.blocks[0], end, exits, loop)
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
        slot = s.slot

        def store_local(m: Machine, L: Locals, v: Value) -> None:
            L[slot] = v

        store = store_local
    elif isinstance(s, AssignStmt):
        store = _worded_setter(setter(ctx, s.args[0]), words_of(ctx, s))
    if s.args[-1].op == "bound":
        check = test(ctx, s.args[-1].type)
    op = CallOp(call.proc, ctx.exprs(call.args), store, back, isinstance(s, ReturnStmt), exits, check)
    if isinstance(call, OriginalExpr):
        op.original_slot = ctx.code.proc.slots.index("$original")
    op.next = next
    return _mark(ctx, op, s)


def _worded_setter(write: Setter, words: StatementWords | None) -> Setter:
    return write if words is None else lambda m, L, v: words.whole(m, L, lambda: write(m, L, v))


# ------------------------------------------------------------ chance


def _op_draw(ctx: Compiler, s: DrawStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    count, source, to = ctx.exprs(s.args[:3])
    op = DrawOp(count, source, to, s.left, s.drawn, words_of(ctx, s), 0 if s.from_bottom else -1)
    op.next = next
    return _mark(ctx, op, s)


def _op_roll(ctx: Compiler, s: RollStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    name, left = s.attribute, s.left
    v = ctx.game.program.vars[name]
    assert isinstance(v.type, t.Map)
    values = ctx.game.values(v.type.value.base if isinstance(v.type.value, t.Optional) else v.type.value)
    op = RollOp(
        ctx.expr(s.args[0]),
        v,
        ctx.game.kinds[name.split(".")[0]][0],
        values,
        left,
        v.type.value,
        words_of(ctx, s),
    )
    op.next = next
    return _mark(ctx, op, s)


# ------------------------------------------------------------ decisions


def _named(ctx: Compiler, conditions: tuple[Named, ...]) -> list[OptionCondition]:
    kinds = {True: "priority", False: "condition"}
    return [
        OptionCondition(c.text, tested(ctx, c.value, c.span, c.cites), c.span, c.cites, kinds[c.yields])
        for c in conditions
    ]


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
    cls: type[ChooseOp] = {"one": ChooseOp, "chance": ChanceOp, "every": EveryOp}[c.chooser]
    if c.many:
        cls = SetOp
    plain_label = c.label is not None and not c.label.args
    label_fixed = None
    if plain_label and c.label is not None:
        label_fixed = "".join(p or "" for p in text_parts(c.label))
    code = ChoiceCode(
        by=None if c.by is None or c.chooser == "chance" else ctx.expr(c.by),
        source=ctx.expr(c.source),
        where=None if c.where is None else branching(ctx, c.where),
        conditions=_named(ctx, c.conditions),
        label=None if c.label is None or plain_label else ctx.expr(c.label),
        label_fixed=label_fixed,
    )
    op = cls(ctx.game, c, code)
    op.next = next
    op.told = None if c.told is None else ctx.expr(c.told)
    op.told_decline = None if c.told_decline is None else ctx.expr(c.told_decline)
    op.wording = "" if c.label is None else text_template(c.label, "…")
    if isinstance(op, ChanceOp) and c.by is not None:
        op.weight = ctx.expr(c.by)
    if isinstance(op, EveryOp):
        op.every, op.picked = c.every or 0, c.picked
    if isinstance(op, SetOp):
        if c.chooser == "chance":
            op.by_chance()
        op.picked, op.whole = c.picked, c.cursor
        op.low_run = None if c.low is None else ctx.expr(c.low)
        op.high_run = None if c.high is None else ctx.expr(c.high)
        op.such_that = None if c.such_that is None else ctx.expr(c.such_that)
    op.make_reading = partial(_offer_reading, ctx, ctx.code, c)
    op.merging = tuple(attribute_of(ctx, c.base, name) for name in c.merging)
    op.has_other, op.decline, op.worded = s.has_other, c.decline or op.decline, c.decline is not None
    op.body = ctx.resumable(s.blocks[0], next, exits, loop)
    op.other = ctx.resumable(s.blocks[1], next, exits, loop)
    if c.optional or op.has_other:
        op.other = way(ctx, op.other, s.span, "branch", "nothing was chosen")
    choices(ctx, op, s)
    return _mark(ctx, op, s)


def _offer_reading(ctx: Compiler, code: ProcCode, c: Choice) -> OfferReading:
    """Return the values that are read to know which options are on offer, compiled on first use."""
    before, ctx.code = ctx.code, code
    try:
        first = tuple(ctx.redacted_expr(x) for x in (c.low, c.high) if x is not None)
        weight = c.by if c.chooser == "chance" else None
        of_each = [
            x
            for x in (c.where, *(named.value for named in c.conditions), c.such_that, weight)
            if x is not None
        ]
        return OfferReading(
            first,
            ctx.redacted_expr(c.source),
            tuple(map(ctx.redacted_expr, of_each)),
            _merging_variables(ctx, c),
        )
    finally:
        ctx.code = before


def _menu_reading(ctx: Compiler, code: ProcCode, menu: MenuData) -> tuple[EntryReading, ...]:
    """Return of each option what is read to know whether it is on offer, compiled on first use."""
    before, ctx.code = ctx.code, code
    try:
        return tuple(
            EntryReading(
                tuple(map(ctx.redacted_expr, option.sources)),
                None if option.condition is None else ctx.redacted_expr(option.condition),
                tuple(ctx.redacted_expr(named.value) for named in option.conditions),
            )
            for option in menu.options
        )
    finally:
        ctx.code = before


def _merging_variables(ctx: Compiler, c: Choice) -> tuple[int, ...]:
    """The variables of the changeable attributes that decide which options are alike."""
    kinds = c.base.kinds if isinstance(c.base, t.Component) else ()
    variables = (ctx.game.program.vars.get(f"{kind}.{name}") for kind in kinds for name in c.merging)
    return tuple(v.index for v in variables if v is not None)


def choices(ctx: Compiler, op: ChooseOp, s: ChooseStmt) -> None:
    """Trace which of the names of a type are chosen, and the refusal of an optional choice."""
    trace = ctx.trace
    if trace is None:
        return
    rows = [(0, op.decline)] if op.optional else []
    if isinstance(op.base, (t.Enum, t.Bool)) and not isinstance(op, SetOp):
        names = ((v, ctx.game.show(v, op.base)) for v in ctx.game.values(op.base))
        rows += [
            (int(v) - op.low + op.shift, words) for v, words in names if _can_be_chosen(s.choice, v, words)
        ]
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
    entries = []
    for o in d.options:
        kinds = [x.type.base if isinstance(x.type, t.Collection) else t.UNKNOWN for x in o.sources]
        raw = text_template(o.label)
        entries.append(
            MenuEntry(
                ctx.expr(o.label),
                raw,
                o.slots,
                [ctx.expr(x) for x in o.sources],
                kinds,
                None if o.condition is None else tested(ctx, o.condition, o.span, o.cites),
                _named(ctx, o.conditions),
                None if o.told is None else ctx.expr(o.told),
            )
        )
    code = ctx.code
    back: list[Setter] = []
    if d.window is not None:
        back = backs(ctx, ctx.game.program.procs[d.window], d.window_args)
    op = MenuOp(ctx.game, ctx.expr(s.args[0]), entries, d.window, ctx.exprs(d.window_args), back, d.used)
    op.next = next
    op.make_reading = partial(_menu_reading, ctx, code, d)
    for e, b, o in zip(entries, s.blocks, d.options, strict=False):
        outer, ctx.context = ctx.context, o.cites or ctx.context
        e.body = way(ctx, ctx.resumable(b, next, exits, loop), o.span, "option", e.raw)
        e.cites = Cites(o.cites, o.span)
        ctx.context = outer
        if ctx.trace is not None:
            e.label = ctx.trace.count_runs(e.label, ctx.trace.number("label", o.span, o.cites))
    op.has_other = d.has_else
    op.other = ctx.resumable(s.blocks[-1], next, exits, loop)
    if d.has_else:
        op.other = way(ctx, op.other, s.span, "branch", "no option")
    return _mark(ctx, op, s)


def _op_open(ctx: Compiler, s: OpenStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    back = backs(ctx, ctx.game.program.procs[s.window], s.args[1:])
    op = OpenOp(ctx.expr(s.args[0]), s.window, ctx.exprs(s.args[1:]), back)
    op.next = next
    return _mark(ctx, op, s)


def _op_claim(ctx: Compiler, s: TypedStmt, next: Op | None, exits: Exits, loop: LoopFrame | None) -> Op:
    op = ClaimOp(ctx.game, ctx.expr(s.args[0]), ctx.claims)
    op.next = next
    trace, at = ctx.trace, 0
    if trace is not None:
        numbers: dict[int, int] = {}
        for c, declared in zip(ctx.claims, ctx.game.program.claims, strict=True):
            combinations = math.prod(len(ctx.game.values(kind)) for _, kind in c.fields)
            numbers |= dict.fromkeys(
                range(at, at + combinations),
                trace.number("option", declared.span, declared.cites, words=c.name),
            )
            at += combinations
        trace.count_choices(op, numbers)
    return _mark(ctx, op, s)


def _can_be_chosen(c: Choice, value: TypedExpr, name: str) -> bool:
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
    conditions = (c.where, *(_named.value for _named in c.conditions))
    return all(x is None or truth(with_value(x, c.item, this)) is not False for x in conditions)


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
    "claim": _op_claim,
    "let": _op_do,
    "assign": _op_do,
    "return": _op_do,
}
