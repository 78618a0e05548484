"""Threading: the typed tree of every procedure with its continuations made explicit, so that it can stop anywhere and go on.

A procedure that never suspends is one function. One that may suspend becomes operations linked by where control goes next; statements in a row
that do not suspend stay one operation. Nothing here changes what a statement means: it decides only who calls whom in Python.
"""

from __future__ import annotations

from typing import Any

from croupier.runtime.choices import ChanceOp, ChanceSetOp, ChooseOp, Condition, EveryOp, SetOp
from croupier.runtime.game import Game
from croupier.runtime.hooks import DispatchOp, HookCode, Hooks, dispatch_proc
from croupier.runtime.menus import ClaimOp, Entry, MenuOp, OpenOp, WindowOp
from croupier.runtime.operations import (
    CallOp, DrawOp, ForOp, ForStep, IfOp, Leave, Loop, MatchOp, Op, PlainOp, RepeatOp, RollOp, SecretlyEnd, SecretlyOp, SoThatEnd, SoThatOp,
)  # fmt: skip
from croupier.runtime.plain import RETURN, Plain
from croupier.semantics import types as t
from croupier.semantics.flow import statement_call
from croupier.semantics.tree import Choice, MenuData, Named, Proc, S


class ProcCode:
    """A procedure ready to run: `body` if it never suspends, `entry` if it may."""

    def __init__(self, proc: Proc) -> None:
        self.proc = proc
        self.entry: Any = None
        self.body: Any = None
        self.points: dict[int, Op] = {}
        self.so_slots: list[int] = []
        self.live: dict[int, tuple[int, ...]] | None = None
        self.window_slots: tuple[int, int, int] = (0, 0, 0)
        self.last_vars: list[Any] = []
        self.var_slots: tuple[int, ...] = tuple(q.slot for q in proc.params if q.var)

    @property
    def slots(self) -> int:
        return len(self.proc.slots)

    def plain_entry(self) -> Op:
        """For a frame of a procedure that does not suspend (a reaction, a hook)."""
        return PlainOp(self.body, None, (), None)


class WatchCode:
    def __init__(self, kind: str, value: Any, body: Any, slot: int | None, slots: int, span: Any) -> None:
        self.kind, self.value, self.body, self.slot, self.slots, self.span = kind, value, body, slot, slots, span


class ClaimCode:
    def __init__(self, name: str, says: Any, slots: tuple[int, ...], fields: Any, condition: Any, slot_count: int) -> None:
        self.name, self.says, self.slots, self.fields, self.condition, self.slot_count = name, says, slots, fields, condition, slot_count


class Threads(Plain):
    """Compiles statements that suspend; `self.code` is the procedure being threaded."""

    code: ProcCode
    claims: list[ClaimCode]

    def thread(self, block: list[S], next: Any, exits: tuple[Leave, ...], loop: Any) -> Any:
        """The first operation of a block that goes on to `next`."""
        i = len(block)
        while i > 0:
            i -= 1
            s = block[i]
            if s.suspends or (s.op in ("return", "break", "continue") and False):
                outer = self.context
                self.context = s.cites or outer
                op = getattr(self, "t_" + s.op)(s, next, exits, loop)
                op.cites, op.span = self.context, s.span
                self.context = outer
                next = op
            else:
                start = i
                while start > 0 and not block[start - 1].suspends:
                    start -= 1
                run = block[start : i + 1]
                if any(x.op != "pass" for x in run):
                    plain = PlainOp(self.block(run), next, exits, loop)
                    plain.span = run[0].span
                    next = plain
                i = start
        return next

    def mark(self, op: Op, s: S) -> Any:
        op.point, op.span, op.cites = s.point, s.span, s.cites or self.context
        if s.point is not None:
            self.code.points[s.point] = op
        return op

    def original_slot(self) -> int:
        return self.code.proc.slots.index("$original")

    # ------------------------------------------------------------ control
    def t_if(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        return IfOp(self.expr(s.args[0]), self.thread(s.blocks[0], next, exits, loop), self.thread(s.blocks[1], next, exits, loop))

    def t_match(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        blocks = [self.thread(b, next, exits, loop) for b in s.blocks]
        cases = [(self.exprs(tuple(row)), b) for row, b in zip(s.data[0], blocks, strict=False)]
        return MatchOp(self.expr(s.args[0]), cases, blocks[-1] if s.data[1] else next)

    def t_for(self, s: S, next: Any, exits: Any, loop: Any, endless: bool = False) -> Op:
        slot, items, at = s.data
        step = ForStep(slot, items, at, self.expr(s.args[1]) if len(s.args) > 1 else None, endless)
        step.next, step.span = next, s.span
        step.body = self.thread(s.blocks[0], step, exits, Loop(step, next, exits))
        begin = ForOp(self.expr(s.args[0]), step)
        self.loops_of[id(s)] = step
        return begin

    def t_turns(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        return self.t_for(s, next, exits, loop, True)

    def t_repeat(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        op = RepeatOp(self.expr(s.args[0]) if s.args else None)
        op.next = next
        op.body = self.thread(s.blocks[0], op, exits, Loop(op, next, exits))
        return op

    def t_so_that(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        _, within, slot = s.data
        op = SoThatOp(self.expr(s.args[0]), slot, within)
        self.code.so_slots.append(slot)
        end = SoThatEnd(op)
        end.next, end.span = next, s.span
        op.body = self.thread(s.blocks[0], end, (*exits, end), loop)
        op.other = self.thread(s.blocks[1], next, exits, loop)
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
        back = [(i, self.setter(a)) for i, (q, a) in enumerate(zip(proc.params, call.args, strict=True)) if q.var]
        store, check = None, None
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
        op = DrawOp(*self.exprs(s.args), *s.data)
        op.next = next
        return self.mark(op, s)

    def t_roll(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        name, left = s.data
        v = self.game.program.vars[name]
        assert isinstance(v.type, t.Map)
        values = self.game.values(v.type.value.base if isinstance(v.type.value, t.Optional) else v.type.value)
        op = RollOp(self.expr(s.args[0]), v.index, self.game.kinds[name.split(".")[0]][0], values, left, v.type.value)
        op.next = next
        return self.mark(op, s)

    # ------------------------------------------------------------ decisions
    def named(self, conditions: tuple[Named, ...]) -> list[Condition]:
        return [Condition(c.text, self.expr(c.value), c.span, c.cites) for c in conditions]

    def t_choose(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        c: Choice = s.data[0]
        cls: type[ChooseOp] = {"one": ChooseOp, "chance": ChanceOp, "every": EveryOp}[c.chooser]
        if c.many:
            cls = ChanceSetOp if c.chooser == "chance" else SetOp
        plain_label = c.label is not None and not c.label.args
        by = None if c.by is None or c.chooser == "chance" else self.expr(c.by)
        op = cls(
            self.game, c.name, c.base, c.slot, c.item, self.expr(c.source), None if c.where is None else self.expr(c.where), self.named(c.conditions), by,
            None if c.label is None or plain_label or c.many else self.expr(c.label), "".join(c.label.data) if plain_label and c.label is not None else None, c.optional,
        )  # fmt: skip
        op.next = next
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
        op.has_other = s.data[1]
        op.body = self.thread(s.blocks[0], next, exits, loop)
        op.other = self.thread(s.blocks[1], next, exits, loop)
        return self.mark(op, s)

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
                Entry(self.expr(o.label), raw, o.slots, [self.expr(x) for x in o.sources], kinds, None if o.condition is None else self.expr(o.condition), self.named(o.conditions))
            )
        back = []
        if d.window is not None:
            params = self.game.program.procs[d.window].params
            back = [(i, self.setter(a)) for i, (q, a) in enumerate(zip(params, d.window_args, strict=True)) if q.var]
        op = MenuOp(self.game, self.expr(s.args[0]), entries, d.window, self.exprs(d.window_args), back, d.used)
        op.next = next
        for e, b in zip(entries, s.blocks, strict=False):
            e.body = self.thread(b, next, exits, loop)
        op.has_other = d.has_else
        op.other = self.thread(s.blocks[-1], next, exits, loop)
        return self.mark(op, s)

    def t_open(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        params = self.game.program.procs[s.data].params
        back = [(i, self.setter(a)) for i, (q, a) in enumerate(zip(params, s.args[1:], strict=True)) if q.var]
        op = OpenOp(self.expr(s.args[0]), s.data, self.exprs(s.args[1:]), back)
        op.next = next
        return self.mark(op, s)

    def t_claim(self, s: S, next: Any, exits: Any, loop: Any) -> Op:
        op = ClaimOp(self.game, self.expr(s.args[0]), self.claims)
        op.next = next
        return self.mark(op, s)


class Code(Threads):
    """All procedures, hooks and watchers of a game."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        program = game.program
        self.loops_of: dict[int, ForStep] = {}
        self.procs = [ProcCode(p) for p in program.procs]
        self.hooks = Hooks(game)
        self.claims = [
            ClaimCode(c.name, self.expr(c.says), c.slots, c.fields, None if c.condition is None else self.expr(c.condition), max((*c.slots, 0)) + 64)
            for c in program.claims
        ]
        self.holds = [program.zones[p.zone].kinds for p in game.places]
        self.watchers: list[WatchCode] = []
        self.watch_vars: list[tuple[int, ...]] = [() for _ in program.vars]
        self.watch_zones: list[tuple[int, ...]] = [() for _ in game.places]
        self._invariants: list[tuple[str, Any, Any]] | None = None

    def compile(self) -> None:
        """Compile everything. Separate from the constructor because expressions may need the game's code."""
        program = self.game.program
        dispatch = dispatch_proc(program.procs[0].span)
        code = ProcCode(dispatch)
        code.entry = DispatchOp(self.hooks)
        code.points[0] = code.entry
        self.hooks.dispatch_code = code
        for h in program.hooks:
            self.hook(h)
        self.hooked = self.hooks.hooked
        self.dispatch, self.original = self.hooks.dispatch, self.hooks.run_instead
        self.push_dispatch, self.push_original = self.hooks.push_dispatch, self.hooks.push_original
        self.reactions, self.push_reaction = self.hooks.reactions, self.hooks.push_reaction
        for code in self.procs:
            self.one(code)
        assert program.main is not None
        self.main = self.procs[program.main.index]
        if self.main.entry is None:
            self.main.entry = self.main.plain_entry()
        self.watch_all()

    def one(self, code: ProcCode) -> None:
        self.code = code
        proc = code.proc
        self.context = proc.cites
        if proc.kind == "window":
            asked, cursor, used = (proc.slots.index(n) for n in ("$asked", "$cursor", "$used"))
            code.window_slots = (asked, cursor, used)
            code.entry = WindowOp(proc.index, asked, cursor, used, len(proc.params))
            code.entry.span = proc.span
            code.points[0] = code.entry
        elif proc.colour == "suspends":
            code.entry = self.thread(proc.body, None, (), None)
            if code.entry is None:
                code.entry = PlainOp(lambda m, L: None, None, (), None)
        if proc.colour != "suspends":
            body = self.block(proc.body)

            def run(m: Any, L: list[Any]) -> Any:
                if body(m, L) is not RETURN:
                    m.retval = None
                return RETURN

            code.body = run

    def hook(self, h: Any) -> None:
        game = self.game
        pieces: tuple[int, ...] = ()
        anywhere = True
        if h.component is not None:
            kind, name = h.component
            first, count = game.kinds[kind]
            pieces = tuple(i for i in range(first, first + count) if name is None or game.pieces[i].id == name)
            anywhere = game.program.classes[kind].live_anywhere
        fixed = [(a.param, self.expr(a.fixed)) for a in h.args if a.fixed is not None]
        bound = [(a.param, a.slot) for a in h.args if a.slot is not None]
        code = HookCode(h, fixed, bound, None if h.guard is None else self.expr(h.guard), None if h.label is None else self.expr(h.label), pieces, anywhere)
        if h.component is not None and not pieces:
            self.hooks.all.append(code)
            return
        self.hooks.add(code)
        params = game.program.procs[h.target].params
        slots = {a.param: a.slot for a in h.args if a.slot is not None}
        self.procs[h.proc.index].var_slots = tuple(slots[i] for i, q in enumerate(params) if q.var and i in slots) if all(
            i in slots for i, q in enumerate(params) if q.var
        ) else ()

    def watch_all(self) -> None:
        from croupier.runtime.reads import reads_of

        program, game = self.game.program, self.game
        for i, w in enumerate(program.watchers):
            self.code = self.procs[w.proc.index]
            body = self.procs[w.proc.index].body or self.block(w.proc.body)
            self.watchers.append(WatchCode(w.kind, self.expr(w.value), body, w.slot, len(w.proc.slots), w.proc.span))
            names, zones, everything = reads_of(program, w.value)
            for v in program.vars.values():
                if everything or v.name in names:
                    self.watch_vars[v.index] = (*self.watch_vars[v.index], i)
            for p in game.places:
                if everything or p.zone in zones:
                    self.watch_zones[p.number] = (*self.watch_zones[p.number], i)

    def invariants(self) -> list[tuple[str, Any, Any]]:
        """Name, test of a machine and place of every invariant; compiled when first asked for."""
        if self._invariants is None:
            made = []
            for name, x, proc, _ in self.game.program.invariants:
                run = self.expr(x)
                made.append((name, lambda m, run=run, n=len(proc.slots): run(m, [None] * (n + 1)), x.span))
            self._invariants = made
        return self._invariants
