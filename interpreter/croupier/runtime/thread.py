"""Threading: the typed tree of a procedure with its continuations made explicit, so that it can stop anywhere and go on.

Statements that may suspend become operations linked by where control goes next; statements in a row that do not suspend stay one operation.
Nothing here changes what a statement means: it decides only who calls whom in Python.
"""

from __future__ import annotations

import math
from typing import Any

from croupier.runtime.chance import DrawOp, RollOp
from croupier.runtime.choices import ChanceOp, ChooseOp, Condition, EveryOp
from croupier.runtime.claims import ClaimOp
from croupier.runtime.clauses import Cites
from croupier.runtime.evaluate import Run
from croupier.runtime.menus import Entry, MenuOp
from croupier.runtime.operations import BeginOp, CallOp, ForOp, ForStep, IfOp, Leave, Loop, MatchOp, Op, PlainOp, RepeatOp
from croupier.runtime.plain import Plain, case_words
from croupier.runtime.procedures import ClaimCode, ProcCode
from croupier.runtime.scopes import SecretlyEnd, SecretlyOp, SoThatEnd, SoThatOp
from croupier.runtime.sets import ChanceSetOp, SetOp
from croupier.runtime.windows import OpenOp
from croupier.runtime.writing import Setter
from croupier.semantics import types as t
from croupier.semantics.tree import Choice, MenuData, Named, S, X
from croupier.semantics.walk import statement_call, truth, with_value


class Threads(Plain):
    """Compiles statements that suspend; `self.code` is the procedure being threaded."""

    code: ProcCode
    claims: list[ClaimCode]

    def thread(self, block: list[S], next: Any, exits: tuple[Leave, ...], loop: Any) -> Any:
        """The first operation of a block that goes on to `next`."""
        i = len(block)
        trace, main = self.game.trace, self.code.proc.kind == "main"
        while i > 0:
            i -= 1
            s = block[i]
            if s.suspends or (main and s.blocks):
                outer = self.context
                self.context = s.cites or outer
                op = getattr(self, "t_" + s.op)(s, next, exits, loop)
                op.cites, op.span = Cites(self.context, s.span), s.span
                self.context = outer
                if trace is not None:
                    number = trace.statement(s)
                    for part in {id(x): x for x in (op, getattr(op, "step", op))}.values():
                        trace.operation(part, number)
                next = op
            else:
                start = i
                while start > 0 and not block[start - 1].suspends and not main:
                    start -= 1
                run = block[start : i + 1]
                if any(x.op != "pass" for x in run):
                    plain = PlainOp(self.block(run), next, exits, loop)
                    plain.span = run[0].span
                    next = plain
                i = start
            if main and isinstance(next, (CallOp, PlainOp)):
                self.enter_at(s, next)
        return next

    def enter_at(self, s: S, op: Op) -> None:
        """In the body that calls the phases each call is an operation of its own, so that a position can be declared before any of them.

        One that never suspends gets a point number below zero: it is in no position that a game comes to.
        """
        call = statement_call(s)
        if call is not None:
            self.code.entries[call.data] = op
            if s.point is None:
                op.point = -1 - call.data
                self.code.points[op.point] = op

    def mark(self, op: Op, s: S) -> Op:
        op.point, op.span, op.cites, op.tree = s.point, s.span, Cites(s.cites or self.context, s.span), s
        if s.point is not None:
            self.code.points[s.point] = op
        return op

    def original_slot(self) -> int:
        return self.code.proc.slots.index("$original")

    # ------------------------------------------------------------ control
    def t_if(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        return IfOp(self.branching(s.args[0]), self.thread(s.blocks[0], next, exits, loop), self.thread(s.blocks[1], next, exits, loop))

    def t_match(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        blocks = [self.way(self.thread(b, next, exits, loop), s.span, "branch", words) for b, words in zip(s.blocks, case_words(s), strict=True)]
        cases = [(self.exprs(tuple(row)), b) for row, b in zip(s.data[0], blocks, strict=False)]
        return MatchOp(self.expr(s.args[0]), cases, blocks[-1] if s.data[1] else next)

    def t_for(self, s: S, next: Any, exits: Any, loop: Any, endless: bool = False) -> Op:
        slot, items, at = s.data
        step = ForStep(slot, items, at, self.branching(s.args[1]) if len(s.args) > 1 else None, endless)
        step.next, step.span = next, s.span
        step.body = self.thread(s.blocks[0], step, exits, Loop(step, next, exits))
        return ForOp(self.expr(s.args[0]), step)

    def t_turns(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        return self.t_for(s, next, exits, loop, True)

    def t_repeat(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        op = RepeatOp(self.branching(s.args[0]) if s.args else None)
        op.next = next
        op.body = self.thread(s.blocks[0], op, exits, Loop(op, next, exits))
        return op

    def t_so_that(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        _, within, slot = s.data
        op = SoThatOp(self.expr(s.args[0]), slot, within)
        self.code.so_slots[slot] = within
        end = SoThatEnd(op)
        end.next, end.span = next, s.span
        op.body = self.way(self.thread(s.blocks[0], end, (*exits, end), loop), s.span, "branch", "can end so")
        op.other = self.way(self.thread(s.blocks[1], next, exits, loop), s.span, "branch", "cannot end so")
        return op

    def t_secretly(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        end = SecretlyEnd(s.data)
        end.next, end.span = next, s.span
        op = SecretlyOp(self.expr(s.args[0]), s.data)
        op.next = self.thread(s.blocks[0], end, (*exits, end), loop)
        return op

    # ------------------------------------------------------------ calls
    def t_do(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        call = statement_call(s)
        assert call is not None
        proc = self.game.program.procs[call.data]
        back = self.backs(proc, call.args)
        store: Any = None
        check: Any = None
        if s.op == "let":
            slot = s.data

            def store_local(m: Any, L: list[Any], v: Any) -> None:
                L[slot] = v

            store = store_local
        elif s.op == "assign":
            store = self.setter(s.args[0])
        if s.args[-1].op == "bound":
            check = self.test(s.args[-1].type)
        op = CallOp(call.data, self.exprs(call.args), store, back, s.op == "return", exits, check)
        if call.op == "original":
            op.original_slot = self.code.proc.slots.index("$original")
        op.next = next
        return self.mark(op, s)

    t_let = t_assign = t_return = t_do

    # ------------------------------------------------------------ chance
    def t_draw(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        count, source, to = self.exprs(s.args)
        op = DrawOp(count, source, to, *s.data)
        op.next = next
        return self.mark(op, s)

    def t_roll(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        name, left = s.data
        v = self.game.program.vars[name]
        assert isinstance(v.type, t.Map)
        values = self.game.values(v.type.value.base if isinstance(v.type.value, t.Optional) else v.type.value)
        op = RollOp(self.expr(s.args[0]), v, self.game.kinds[name.split(".")[0]][0], values, left, v.type.value)
        op.next = next
        return self.mark(op, s)

    # ------------------------------------------------------------ decisions
    def named(self, conditions: tuple[Named, ...]) -> list[Condition]:
        return [Condition(c.text, self.tested(c.value, c.span, c.cites), c.span, c.cites) for c in conditions]

    def tested(self, x: X, span: Any, cites: tuple[str, ...]) -> Run:
        """An expression with citations of its own; of a condition it is traced how it went, too."""
        run, trace = self.expr(x), self.game.trace
        if trace is None:
            return run
        traced: Run = trace.test(run, trace.number("condition", span, cites, (x,)))
        return trace.either(traced, span, cites) if isinstance(x.type, t.Bool) else traced

    def way(self, next: Any, span: Any, kind: str, words: str) -> Any:
        """Where control goes on, traced: `words` says which way out of a statement this is."""
        trace = self.game.trace
        return next if trace is None else BeginOp(trace.counts, trace.number(kind, span, self.context, words=words), next)

    def t_choose(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        c: Choice = s.data[0]
        cls: type[ChooseOp] = {"one": ChooseOp, "chance": ChanceOp, "every": EveryOp}[c.chooser]
        if c.many:
            cls = ChanceSetOp if c.chooser == "chance" else SetOp
        plain_label = c.label is not None and not c.label.args
        by = None if c.by is None or c.chooser == "chance" else self.expr(c.by)
        op = cls(
            self.game,
            c.name,
            c.base,
            c.slot,
            c.item,
            self.expr(c.source),
            None if c.where is None else self.branching(c.where),
            self.named(c.conditions),
            by,
            None if c.label is None or plain_label else self.expr(c.label),
            "".join(c.label.data) if plain_label and c.label is not None else None,
            c.optional,
        )
        op.next = next
        op.wording = "" if c.label is None else "".join("…" if part is None else part for part in c.label.data)
        if isinstance(op, ChanceOp) and c.by is not None:
            op.weight = self.expr(c.by)
        if isinstance(op, EveryOp):
            op.every, op.picked = c.every or 0, c.picked
        if isinstance(op, SetOp):
            op.picked, op.whole = c.picked, c.cursor
            op.low_run = None if c.low is None else self.expr(c.low)
            op.high_run = None if c.high is None else self.expr(c.high)
            op.such_that = None if c.such_that is None else self.expr(c.such_that)
        op.merging = tuple(self.attribute_of(c.base, name) for name in c.merging)
        op.has_other, op.decline, op.worded = s.data[1], c.decline or op.decline, c.decline is not None
        op.body = self.thread(s.blocks[0], next, exits, loop)
        op.other = self.thread(s.blocks[1], next, exits, loop)
        if c.optional or op.has_other:
            op.other = self.way(op.other, s.span, "branch", "nothing was chosen")
        self.choices(op, s)
        return self.mark(op, s)

    def choices(self, op: ChooseOp, s: S) -> None:
        """Trace which of the names of a type are chosen, and the refusal of an optional choice."""
        trace = self.game.trace
        if trace is None:
            return
        rows = [(0, op.decline)] if op.optional else []
        if isinstance(op.base, (t.Enum, t.Bool)) and not isinstance(op, SetOp):
            names = ((v, self.game.show(v, op.base)) for v in self.game.values(op.base))
            rows += [(int(v) - op.low + op.shift, words) for v, words in names if _can_be_chosen(s.data[0], v, words)]
        if rows:
            trace.chosen(op, {action: trace.number("value", s.span, self.context, words=words) for action, words in rows})

    def attribute_of(self, base: t.Type, name: str) -> Any:
        game = self.game
        if isinstance(base, t.Record):
            i = list(game.program.records[base.name].fields).index(name)
            return lambda m, v: v[i]
        if isinstance(base, t.Enum):
            table = game.columns[base.name, name]
            return lambda m, v: table[v]
        kinds = {p.kind for p in game.pieces if isinstance(base, t.Component) and p.kind in base.kinds}
        variables = {k: game.program.vars.get(f"{k}.{name}") for k in kinds}

        def read(m: Any, v: int) -> Any:
            piece = game.pieces[v]
            variable = variables.get(piece.kind)
            return m.vars[variable.index][piece.index] if variable is not None else piece.attributes.get(name)

        return read

    def t_menu(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        d: MenuData = s.data
        entries = []
        for o in d.options:
            kinds = [x.type.base if isinstance(x.type, t.Collection) else t.UNKNOWN for x in o.sources]
            raw = "".join("{}" if p is None else p for p in o.label.data)
            entries.append(
                Entry(
                    self.expr(o.label),
                    raw,
                    o.slots,
                    [self.expr(x) for x in o.sources],
                    kinds,
                    None if o.condition is None else self.tested(o.condition, o.span, o.cites),
                    self.named(o.conditions),
                )
            )
        back: list[Setter] = []
        if d.window is not None:
            back = self.backs(self.game.program.procs[d.window], d.window_args)
        op = MenuOp(self.game, self.expr(s.args[0]), entries, d.window, self.exprs(d.window_args), back, d.used)
        op.next = next
        for e, b, o in zip(entries, s.blocks, d.options, strict=False):
            outer, self.context = self.context, o.cites or self.context
            e.body, e.cites = self.way(self.thread(b, next, exits, loop), o.span, "option", e.raw), Cites(o.cites, o.span)
            self.context = outer
            if self.game.trace is not None:
                e.label = self.game.trace.test(e.label, self.game.trace.number("label", o.span, o.cites))
        op.has_other = d.has_else
        op.other = self.thread(s.blocks[-1], next, exits, loop)
        if d.has_else:
            op.other = self.way(op.other, s.span, "branch", "no option")
        return self.mark(op, s)

    def t_open(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        back = self.backs(self.game.program.procs[s.data], s.args[1:])
        op = OpenOp(self.expr(s.args[0]), s.data, self.exprs(s.args[1:]), back)
        op.next = next
        return self.mark(op, s)

    def t_claim(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        op = ClaimOp(self.game, self.expr(s.args[0]), self.claims)
        op.next = next
        trace, at = self.game.trace, 0
        if trace is not None:
            numbers: dict[int, int] = {}
            for c, declared in zip(self.claims, self.game.program.claims, strict=True):
                combinations = math.prod(len(self.game.values(kind)) for _, kind in c.fields)
                numbers |= dict.fromkeys(range(at, at + combinations), trace.number("option", declared.span, declared.cites, words=c.name))
                at += combinations
            trace.chosen(op, numbers)
        return self.mark(op, s)


def _can_be_chosen(c: Choice, value: Any, name: str) -> bool:
    """Might a value of a type with names be chosen: is it in a source that is written out, and no condition false of it, whatever the position?"""
    enum = c.base.name if isinstance(c.base, t.Enum) else ""
    this = X("enum", c.base, c.source.span, (), (enum, name)) if enum else X("const", c.base, c.source.span, (), bool(value))
    written = c.source.args if c.source.op == "list" else ()
    if written and all(x.op in ("enum", "const") for x in written) and this.data not in [x.data for x in written]:
        return False
    conditions = (c.where, *(named.value for named in c.conditions))
    return all(x is None or truth(with_value(x, c.item, this)) is not False for x in conditions)
