"""The reference evaluator, statements that never wait: those that write values, those that act at once,
blocks and control.
"""

from __future__ import annotations

from functools import partial

from croupier.kernel import types as t
from croupier.kernel.facts import Tells
from croupier.kernel.tree import (
    CallExpr,
    EmitStmt,
    FinishStmt,
    ForEachStmt,
    LeaveStmt,
    LetStmt,
    LocalExpr,
    MatchStmt,
    MoveStmt,
    MutableExpr,
    PassStmt,
    SecretlyStmt,
    SoThatStmt,
    StateExpr,
    SupposeStmt,
    SwapStmt,
    TextExpr,
    TypedExpr,
    TypedStmt,
    of_statement,
    zone_name,
)
from croupier.runtime import zones
from croupier.runtime.aggregates import canonical
from croupier.runtime.compiler import Compiler, StatementRow
from croupier.runtime.disclosure import AnswerWords
from croupier.runtime.faults import Fault, GameOver
from croupier.runtime.game import Value
from croupier.runtime.lookahead import charge_trial, examine_machine
from croupier.runtime.machine import (
    BREAK,
    RETURN,
    Do,
    Listener,
    Locals,
    Machine,
    Run,
    Setter,
    write_back,
)
from croupier.runtime.operators import bound_to, test
from croupier.runtime.results import Result
from croupier.runtime.trace import Cites
from croupier.runtime.visibility import among
from croupier.runtime.wording import worded
from croupier.runtime.zone_contents import GRAIN
from croupier.semantics.procedures import Proc
from croupier.semantics.walk import all_of, statement_call


def _stmt_let(ctx: Compiler, s: LetStmt) -> Do:
    slot, value = s.slot, assigned_value(ctx, s)

    def run(m: Machine, L: Locals) -> None:
        L[slot] = value(m, L)

    return run


def assigned_value(ctx: Compiler, s: TypedStmt) -> Run:
    """The right side of a statement; a call with `var` parameters writes them back."""
    call = statement_call(s)
    if call is None:
        return ctx.expr(s.args[-1])
    inner = _called(ctx, call)
    outer = s.args[-1]
    return bound_to(ctx, inner, outer.type, outer.span) if outer.op == "bound" else inner


def _called(ctx: Compiler, call: CallExpr) -> Run:
    plain = ctx.expr(call)
    proc = ctx.game.program.procs[call.proc]
    back = backs(ctx, proc, call.args)
    if not back:
        return plain

    def run(m: Machine, L: Locals) -> Value:
        value = plain(m, L)
        write_back(back, m, L)
        return value

    return run


def backs(ctx: Compiler, proc: Proc, args: tuple[TypedExpr, ...]) -> list[Setter]:
    """Return setters that write the final values of a procedure's `var` parameters to the targets named in a
    call.
    """
    found = []
    for q, a in zip(proc.params, args, strict=True):
        if q.var:
            target = a.args[0] if a.op == "bound" else a
            write = setter(ctx, target)
            found.append(write if t.within(q.type, target.type) else _tested_setter(ctx, write, target))
    return found


def _tested_setter(ctx: Compiler, write: Setter, target: TypedExpr) -> Setter:
    check, span = test(ctx, target.type), target.span

    def run(m: Machine, L: Locals, v: Value) -> None:
        check(v, span)
        write(m, L, v)

    return run


def _stmt_do(ctx: Compiler, s: TypedStmt) -> Do:
    value, call = assigned_value(ctx, s), statement_call(s)
    outer = [] if call is None else [ctx.expr(a) for a in call.args]

    def run(m: Machine, L: Locals) -> None:
        value(m, L)

    def run_phase(m: Machine, L: Locals) -> None:
        if m.recorder is not None:
            m.recorder.entered(m, target, [f(m, L) for f in outer])
        value(m, L)

    target = -1 if call is None else call.proc
    return run_phase if target >= 0 and ctx.game.program.procs[target].kind == "phase" else run


def _stmt_leave(ctx: Compiler, s: LeaveStmt) -> Do:
    signal = s.facts.leaves
    return returning(assigned_value(ctx, s)) if s.args else lambda m, L: signal


def returning(value: Run) -> Do:
    """Return from a procedure with a value."""

    def run(m: Machine, L: Locals) -> object:
        m.retval = value(m, L)
        return RETURN

    return run


def _stmt_assign(ctx: Compiler, s: TypedStmt) -> Do:
    write, value = setter(ctx, s.args[0]), assigned_value(ctx, s)

    def run(m: Machine, L: Locals) -> None:
        write(m, L, value(m, L))

    return run


def setter(ctx: Compiler, target: TypedExpr) -> Setter:
    """Return a function that writes a local, state, an entry of a map or list, or a changeable attribute."""
    match target:
        case LocalExpr():
            return local_setter(target.slot)
        case StateExpr():
            i = ctx.game.program.vars[target.name].index
            return lambda m, L, v: m.set_var(i, v)
        case MutableExpr():
            i = ctx.game.program.vars[target.name].index
            first, _ = ctx.game.kinds[target.name.split(".")[0]]
            component = ctx.expr(target.args[0])

            def write_attribute(m: Machine, L: Locals, v: Value) -> None:
                at, old = component(m, L) - first, m.vars[i]
                if len(old) >= GRAIN:
                    m.spend(len(old) // GRAIN, target.span)
                m.set_var(i, (*old[:at], v, *old[at + 1 :]))

            return write_attribute
        case TypedExpr(op="index" | "item"):
            return _entry_setter(ctx, target)
        case TypedExpr(op="certain"):
            return setter(ctx, target.args[0])
    raise AssertionError(target)


def local_setter(slot: int) -> Setter:
    """Return a function that writes a local."""

    def write(m: Machine, L: Locals, v: Value) -> None:
        L[slot] = v

    return write


def _entry_setter(ctx: Compiler, target: TypedExpr) -> Setter:
    whole, key, span = ctx.expr(target.args[0]), ctx.expr(target.args[1]), target.span
    outer, kind = setter(ctx, target.args[0]), target.args[0].type
    low = ctx.game.domain(kind.key)[0] if isinstance(kind, t.Map) else 1

    def write(m: Machine, L: Locals, v: Value) -> None:
        old, at = whole(m, L), key(m, L) - low
        if not 0 <= at < len(old):
            raise Fault("R005", span, index=at + 1, size=len(old))
        if len(old) >= GRAIN:
            m.spend(len(old) // GRAIN, span)
        outer(m, L, (*old[:at], v, *old[at + 1 :]))

    return write


# ------------------------------------------------------------ the table


def _stmt_move(ctx: Compiler, s: MoveStmt) -> Do:
    what, to, place, span = s.args[0], ctx.expr(s.args[1]), s.place, s.span
    if what.op == "zone_all":
        source = ctx.expr(what.args[0])
        return lambda m, L: zones.move_all(m, source(m, L), to(m, L), place, span)
    components = ctx.expr(what)

    def run(m: Machine, L: Locals) -> None:
        z, items = to(m, L), components(m, L)
        for p in items if place == "top" else items[::-1]:  # several keep their order, wherever they are put
            zones.move(m, p, z, place, span)

    return run


def _stmt_shuffle(ctx: Compiler, s: TypedStmt) -> Do:
    zone, span = ctx.expr(s.args[0]), s.span
    return lambda m, L: zones.shuffle(m, zone(m, L), span)


def _stmt_swap(ctx: Compiler, s: SwapStmt) -> Do:
    span = s.span
    if s.what in ("next", "previous"):
        first, count = ctx.game.zone_ranges[zone_name(s.args[0])]
        order = range(first, first + count) if s.what == "next" else range(first + count - 1, first - 1, -1)
        return lambda m, L: zones.pass_on(m, order, span)
    a, b = ctx.expr(s.args[0]), ctx.expr(s.args[1])
    if s.what == "zones":
        return lambda m, L: zones.exchange_zones(m, a(m, L), b(m, L), span)
    return lambda m, L: zones.exchange(m, a(m, L), b(m, L), span)


def _stmt_add(ctx: Compiler, s: TypedStmt) -> Do:
    value, whole, write = ctx.expr(s.args[0]), ctx.expr(s.args[1]), setter(ctx, s.args[1])
    kind, span = s.args[1].type, s.span
    assert isinstance(kind, t.Collection)
    limit = None if kind.capacity is None else ctx.game.constant(kind.capacity)

    def run(m: Machine, L: Locals) -> None:
        out = (*whole(m, L), value(m, L))
        m.spend(len(out) // GRAIN if kind.kind == "list" else len(out), span)
        if kind.kind != "list":
            out = canonical(kind.kind, out)
        if limit is not None and len(out) > limit:
            raise Fault("R012", span, capacity=limit)
        write(m, L, out)

    return run


def _stmt_remove(ctx: Compiler, s: TypedStmt) -> Do:
    value, whole, write, span = ctx.expr(s.args[0]), ctx.expr(s.args[1]), setter(ctx, s.args[1]), s.span

    def run(m: Machine, L: Locals) -> None:
        old, v = whole(m, L), value(m, L)
        m.spend(len(old) // GRAIN, span)
        if v in old:
            i = old.index(v)
            write(m, L, old[:i] + old[i + 1 :])

    return run


# ------------------------------------------------------------ telling


def text_parts(ctx: Compiler, x: TypedExpr) -> list[Run]:
    """Return the expressions that are evaluated for a text before it is made.

    A fault in one stops the game, whether somebody listens or not.
    """
    if isinstance(x, TextExpr):
        return [run for a in x.args for run in text_parts(ctx, a)]
    return [ctx.expr(x.args[0] if x.op == "zone_all" else x)]


def _stmt_emit(ctx: Compiler, s: EmitStmt) -> Do:
    """Compile a statement that tells somebody something: it is worked out, and told to whoever listens."""
    if s.facts.tells is Tells.CHOICES:
        return _disclosing(ctx, s)
    what, to = ctx.expr(s.args[0]), None if s.readers is None else ctx.expr(s.readers)
    zone = ctx.expr(s.args[0].args[0]) if s.args[0].op == "zone_all" else None
    parts, is_text = text_parts(ctx, s.args[0]), s.facts.tells is Tells.WORDS

    def tell(listener: Listener, m: Machine, L: Locals, readers: tuple[int, ...] | None) -> None:
        if readers is None:
            listener.announced(m, lambda: what(m, L))
        elif is_text:
            listener.told(m, lambda: what(m, L), readers)
        else:
            listener.shown(m, lambda: what(m, L), readers, None if zone is None else lambda: zone(m, L))

    def run(m: Machine, L: Locals) -> None:
        for part in parts:
            part(m, L)
        readers = None if to is None else to(m, L)
        if m.recorder is not None:
            tell(m.recorder, m, L, readers)

    return run


def _disclosing(ctx: Compiler, s: EmitStmt) -> Do:
    """Compile a statement that tells what each of several players chose at once, by player."""
    chosen, who = ctx.exprs(s.args)
    whole, game = s.args[0].type, ctx.game
    assert isinstance(whole, t.Map)

    def run(m: Machine, L: Locals) -> None:
        if m.recorder is not None:
            values = chosen(m, L)
            shown = [(p, partial(game.show, values[p], whole.value, m)) for p in sorted(who(m, L))]
            m.recorder.revealed(m, [(p, AnswerWords(words)) for p, words in shown])

    return run


# ------------------------------------------------------------ the end


def _stmt_finish(ctx: Compiler, s: FinishStmt) -> Do:
    kind, has_value, has_grade = s.result, s.values, s.has_grade
    runs = ctx.exprs(s.args)
    value = runs[0] if has_value else None
    grade = runs[-1] if has_grade else None
    players = ctx.game.players

    def run(m: Machine, L: Locals) -> object:
        v = None if value is None else value(m, L)
        m.result = Result.of(kind, v, players, None if grade is None else grade(m, L))
        if m.recorder is not None:
            m.recorder.finished(m)
        raise GameOver

    return run


def case_words(s: MatchStmt) -> list[str]:
    """The cases of a `match` as written, for each of its blocks."""
    return [f"case {', '.join(x.span.text for x in row)}" for row in s.rows] + ["else"] * (
        len(s.blocks) - len(s.rows)
    )


# ------------------------------------------------------------ blocks


def compile_block(ctx: Compiler, block: list[TypedStmt]) -> Do:
    """Statements one after the other, until one leaves the block."""
    todo = [_do(ctx, s) for s in block if not isinstance(s, PassStmt)]
    if not todo:
        return lambda m, L: None
    if len(todo) == 1:
        return todo[0]

    def run(m: Machine, L: Locals) -> object:
        for f in todo:
            signal = f(m, L)
            if signal is not None:
                return signal
        return None

    return run


def traced_block(ctx: Compiler, block: list[TypedStmt], s: TypedStmt, words: str) -> Do:
    """A block that one way out of a statement leads to."""
    run, trace = compile_block(ctx, block), ctx.trace
    if trace is None:
        return run
    traced: Do = trace.count_runs(run, trace.number("branch", s.span, ctx.context, words=words))
    return traced


def branching(ctx: Compiler, x: TypedExpr) -> Run:
    """A condition that decides where to go on."""
    trace = ctx.trace
    hidden = (
        x.op == "index"
        and isinstance(x.args[0], LocalExpr)
        and ctx.code.proc.slots[x.args[0].slot].startswith("$")
    )
    return ctx.expr(x) if trace is None or hidden else trace.count_outcomes(ctx.expr(x), x.span, ctx.context)


def _do(ctx: Compiler, s: TypedStmt) -> Do:
    outer = ctx.context
    ctx.context = cites = s.cites or outer
    f = worded(ctx, s, STATEMENTS[s.OP](ctx, s))
    ctx.context = outer
    return stepped(ctx, f, s, cites)


def stepped(ctx: Compiler, f: Do, s: TypedStmt, cites: tuple[str, ...]) -> Do:
    """Compile a statement so that it costs a step, its events cite its rules, and the trace counts it."""
    span, clause, trace = s.span, Cites(cites, s.span), ctx.trace

    def run(m: Machine, L: Locals) -> object:
        m.fuel -= 1
        if m.fuel < 0:
            m.burn(span)
        if m.recorder is not None:
            m.cites = clause
        return f(m, L)

    return run if trace is None else trace.count_runs(run, trace.statement(s))


def _stmt_pass(ctx: Compiler, s: TypedStmt) -> Do:
    return lambda m, L: None


# ------------------------------------------------------------ control


def _stmt_if(ctx: Compiler, s: TypedStmt) -> Do:
    c = branching(ctx, s.args[0])
    then, other = (compile_block(ctx, block) for block in s.blocks)
    return lambda m, L: then(m, L) if c(m, L) else other(m, L)


def _stmt_match(ctx: Compiler, s: MatchStmt) -> Do:
    value = ctx.expr(s.args[0])
    blocks = [traced_block(ctx, b, s, words) for b, words in zip(s.blocks, case_words(s), strict=True)]
    cases = [(ctx.exprs(tuple(row)), b) for row, b in zip(s.rows, blocks, strict=False)]
    other = blocks[-1] if s.has_other else None

    def run(m: Machine, L: Locals) -> object:
        v = value(m, L)
        for row, body in cases:
            if any(f(m, L) == v for f in row):
                return body(m, L)
        return None if other is None else other(m, L)

    return run


def _stmt_for(ctx: Compiler, s: ForEachStmt) -> Do:
    source, body = ctx.expr(s.args[0]), compile_block(ctx, s.blocks[0])
    slot, span, endless = s.slot, s.span, s.endless
    condition = branching(ctx, s.args[1]) if len(s.args) > 1 else None

    def run(m: Machine, L: Locals) -> object:
        items = source(m, L)
        if endless and not items:
            raise Fault("R026", span)
        while True:
            for v in items:
                m.burn(span)
                L[slot] = v
                if condition is None or condition(m, L):
                    signal = body(m, L)
                    if signal is BREAK:
                        return None
                    if signal is RETURN:
                        return RETURN
            if not endless:
                return None

    return run


def _stmt_repeat(ctx: Compiler, s: TypedStmt) -> Do:
    until, body, span = branching(ctx, s.args[0]) if s.args else None, compile_block(ctx, s.blocks[0]), s.span

    def run(m: Machine, L: Locals) -> object:
        while until is None or not until(m, L):
            m.burn(span)
            signal = body(m, L)
            if signal is BREAK:
                break
            if signal is RETURN:
                return RETURN
        return None

    return run


def _stmt_so_that(ctx: Compiler, s: SoThatStmt) -> Do:
    body = traced_block(ctx, s.blocks[0], s, "can end so")
    other = traced_block(ctx, s.blocks[1], s, "cannot end so")
    condition, span = ctx.expr(s.args[0]), s.span

    def run(m: Machine, L: Locals) -> object:
        trial = examine_machine(m, span)
        ok = True
        try:
            scratch = L[:]
            body(trial, scratch)
            ok = condition(trial, scratch)
        except GameOver:
            ok = False
        charge_trial(m, trial)
        return body(m, L) if ok else other(m, L)

    return run


def _stmt_suppose(ctx: Compiler, s: SupposeStmt) -> Do:
    body, value, slot = compile_block(ctx, s.blocks[0]), ctx.expr(s.args[0]), s.slot
    parts = [(x.span.text, ctx.expr(x)) for x in all_of(s.args[0])]
    before = ", ".join(f"`{x.span.text}`" for x in s.blocks[0])

    def run(m: Machine, L: Locals) -> object:
        trial = m.copy()
        trial.observer = m.observer
        trial.event_audience = m.event_audience
        trial.watching = m.watching
        trial.supposing = True
        try:
            body(trial, L)
            L[slot] = value(trial, L)
            if m.supposed is not None and isinstance(L[slot], bool):
                wrong = next(
                    (text for text, holds in parts if L[slot] is False and not holds(trial, L)), None
                )
                m.supposed.append(
                    f"after {before}, `{wrong or s.args[0].span.text}` is {str(wrong is None).lower()}"
                )
        finally:
            m.fuel = trial.fuel
        return None

    return run


def _stmt_secretly(ctx: Compiler, s: SecretlyStmt) -> Do:
    players, body = ctx.expr(s.args[0]), compile_block(ctx, s.blocks[0])

    def run(m: Machine, L: Locals) -> object:
        those = among(players(m, L))
        before, m.event_audience = m.event_audience, those if m.event_audience is None else m.event_audience
        try:
            return body(m, L)
        finally:
            m.event_audience = before

    return run


STATEMENTS: dict[str, StatementRow] = {
    "let": of_statement(LetStmt, _stmt_let),
    "do": _stmt_do,
    "leave": of_statement(LeaveStmt, _stmt_leave),
    "assign": _stmt_assign,
    "move": of_statement(MoveStmt, _stmt_move),
    "shuffle": _stmt_shuffle,
    "swap": of_statement(SwapStmt, _stmt_swap),
    "add": _stmt_add,
    "remove": _stmt_remove,
    "emit": of_statement(EmitStmt, _stmt_emit),
    "finish": of_statement(FinishStmt, _stmt_finish),
    "pass": _stmt_pass,
    "if": _stmt_if,
    "match": of_statement(MatchStmt, _stmt_match),
    "for": of_statement(ForEachStmt, _stmt_for),
    "repeat": _stmt_repeat,
    "so_that": of_statement(SoThatStmt, _stmt_so_that),
    "suppose": of_statement(SupposeStmt, _stmt_suppose),
    "secretly": of_statement(SecretlyStmt, _stmt_secretly),
}
