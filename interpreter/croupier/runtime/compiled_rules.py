"""The tables of the reference evaluator: what compiles each operation of the typed tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from threading import RLock

from croupier.kernel.tree import LeaveStmt, TypedExpr, TypedStmt
from croupier.runtime import (
    aggregates,
    functions,
    members,
    operators,
    values,
    visibility,
)
from croupier.runtime.compiler import Compiler, CompilerTables
from croupier.runtime.faults import Fault
from croupier.runtime.game import Game, Value
from croupier.runtime.hooks import DispatchOp, HookCode, Hooks, dispatch_proc
from croupier.runtime.machine import RETURN, Do, Locals, Machine, Op, ProcCode, Run, WatchCode
from croupier.runtime.operations import BeginOp, PlainOp
from croupier.runtime.resumable import compile_resumable, tested
from croupier.runtime.statements import assigned_value, compile_block, returning, stepped
from croupier.runtime.trace import Trace
from croupier.runtime.windows import WindowOp
from croupier.semantics.call_effects import reads_of
from croupier.semantics.procedures import Heading, Hook, Proc
from croupier.semantics.program import EventWords, Sight, VarDef, ZoneDef
from croupier.semantics.settled import settled_procs

ROWS = CompilerTables(
    expressions={
        **values.EXPRESSIONS,
        **operators.EXPRESSIONS,
        **aggregates.EXPRESSIONS,
        **members.EXPRESSIONS,
        **functions.EXPRESSIONS,
    },
    sight_test=visibility.sight_test,
)


# ---------------------------------------------------------------- code
# All the code of a game: every procedure ready to run, its hooks by what they listen to, its watchers by what
# they read.
#
# A procedure is compiled when it is first run, since a short game runs few of them. Only those in which
# set-up has something to work out, and perhaps to refuse, are compiled at once (`semantics/settled.py`). A
# procedure that never suspends is one function; one that may suspend is a chain of operations
# (`resumable.py`).
class CompiledRules(Compiler):
    """All procedures, hooks and watchers of a game.

    With a `trace` they count what they execute. What is to `observe` asks `m.observer` before it reads, and
    raises `Redacted` where that one may not see it.
    """

    def __init__(self, game: Game, *, trace: Trace | None = None, observe: bool = False) -> None:
        super().__init__(game, ROWS, trace, observe=observe)
        program = game.program
        self.procs = [ProcCode(p, self.one) for p in program.procs]
        self.is_ready = False  # can games be played with it?
        self._lock = RLock()  # states of one game may be played in several threads
        self.code = self.procs[0]
        self.hooks = Hooks(game, observe=observe)
        self.holds = [program.zones[p.family].kinds for p in game.zones]
        self.watchers: list[WatchCode] = []
        self.watch_vars: list[tuple[int, ...]] = [() for _ in program.vars]
        self.watch_zones: list[tuple[int, ...]] = [() for _ in game.zones]
        self._texts: dict[int, Run] = {}  # by what the program keeps
        self._sights: dict[int, Callable[[Machine, int, Value, Value], bool]] = {}

    def compile(self) -> None:
        """Make everything ready to run.

        Separate from the constructor because expressions may need the game's code.
        """
        program = self.game.program
        dispatch = dispatch_proc(program.procs[0].span)
        code = ProcCode(dispatch)
        code.entry = DispatchOp(self.hooks)
        code.points[0] = code.entry
        self.hooks.dispatch_code = code
        self.listen()
        for i in settled_procs(program):
            self.one(self.procs[i])
        assert program.main is not None
        self.main = self.procs[program.main.index]
        self.one(self.main)
        self.watch_all()
        self.is_ready = True

    @cached_property
    def observing(self) -> CompiledRules:
        """The same rules, whose code asks `m.observer` before it reads anything; made when first needed."""
        if self.observes:
            return self
        found = CompiledRules(self.game, observe=True)
        found.listen()
        return found

    def compile_rest(self) -> None:
        """Compile what has not been run, too.

        With a trace, everything that can be executed then has its place.
        """
        for code in self.procs:
            self.one(code)

    def listen(self) -> None:
        """Compile the hooks, and the tables of what each listens to."""
        for h in self.game.program.hooks:
            self.hook(h)
        self.hooked = self.hooks.hooked
        self.dispatch, self.original = self.hooks.dispatch, self.hooks.run_instead
        self.push_dispatch, self.push_original = self.hooks.push_dispatch, self.hooks.push_instead

    def one(self, code: ProcCode) -> None:
        """Compile a procedure, if it has not been."""
        with self._lock:
            if code.is_compiled:
                return
            trace, around = self.trace, (self.code, self.context)
            if code.proc.name.startswith("$"):  # what an expression calls is counted where that stands
                self.trace = None
            made = ProcCode(code.proc)
            try:
                self.fill_in(made)
            finally:
                self.trace, (self.code, self.context) = trace, around
            code.take(made)

    def fill_in(self, code: ProcCode) -> None:
        """Compile a procedure into its code, which is empty so far."""
        self.code = code
        proc = code.proc
        self.context = proc.cites
        if proc.kind == "window":
            code.points[0] = code.entry = WindowOp(self.game, proc)
        elif proc.effect == "suspends" or proc.kind == "main":
            code.entry = compile_resumable(self, proc.body, None, (), None)
            if code.entry is None:
                code.entry = PlainOp(lambda m, L: None)
        if proc.effect != "suspends":
            code.value = self.only_value(proc)
            if code.value is None:
                code.body = self.whole_body(proc)
        self.trace_procedure(code)
        if code.value is not None:
            code.body = returning(code.value)

    def compile_call(self, proc: Proc, statement: TypedStmt, end: Op) -> ProcCode:
        """The code of a statement that stands alone in its procedure, with what comes after it."""
        code = ProcCode(proc)
        with self._lock:
            around, self.code = self.code, code
            try:
                code.entry = compile_resumable(self, [statement], end, (), None)
            finally:
                self.code = around
        return code

    def only_value(self, proc: Proc) -> Run | None:
        """A body of one `return` as an expression: it costs the step of its statement, and events in it cite
        what that cites.
        """
        if len(proc.body) != 1 or not isinstance(proc.body[0], LeaveStmt) or not proc.body[0].args:
            return None
        s = proc.body[0]
        self.context = s.cites or proc.cites
        value = assigned_value(self, s)
        cites, self.context = self.context, proc.cites
        return stepped(self, value, s, cites)

    def whole_body(self, proc: Proc) -> Do:
        """A body of several statements, or of another one."""
        body = compile_block(self, proc.body)

        def run(m: Machine, L: Locals) -> object:
            if body(m, L) is not RETURN:
                m.retval = None
            return RETURN

        return run

    def trace_procedure(self, code: ProcCode) -> None:
        """Make a procedure count its runs at its head."""
        trace = self.trace
        if trace is None:
            return
        rows = self.game.program.row_cites
        owners = [
            h.component for h in self.game.program.hooks if h.proc is code.proc and h.component is not None
        ]
        of_row = tuple(
            cite for kind, name in owners if name is not None for cite in rows.get((kind, name), ())
        )
        words = " ".join(filter(None, owners[0])) if owners else code.proc.name
        if owners:
            kind = "power"
        elif code.proc.kind == "main":
            kind = "label"  # that the game begins is nothing to count
        else:
            kind = "procedure"
        number = trace.number(kind, code.proc.span, (*code.proc.cites, *of_row), words=words)
        if code.entry is not None:
            code.entry = BeginOp(trace.counts, number, code.entry)
        if code.value is not None:
            code.value = trace.count_runs(code.value, number)
        elif code.body is not None:
            code.body = trace.count_runs(code.body, number)

    def record_words(self, words: EventWords, fields: tuple[Value, ...]) -> Callable[[Machine], str]:
        """Return a function that words a record with these values of its fields."""
        return self._worded(words.text, len(words.frame.slots), fields)

    def words(self, thing: ZoneDef | VarDef, known: tuple[Value, ...]) -> Callable[[Machine], str] | None:
        """Return a function that words a zone or a change of state for the story; `None` without a label.

        `known` are the values of the names that the label may use.
        """
        return None if thing.words is None else self.record_words(thing.words, known)

    def sight(self, sight: Sight | None) -> Callable[[Machine, int, Value, Value], bool]:
        """Return a test whether a seat sees a thing whose audience the position decides, by key and
        component.

        A condition that faults shows nothing. A spectator sees what every player sees.
        """
        assert sight is not None
        sees = self._sights.get(id(sight))
        if sees is None:
            run, rest = self.expr(sight.condition), [None] * (len(sight.frame.slots) - 2)

            def sees(m: Machine, seat: int, key: Value, component: Value) -> bool:
                if not 0 <= seat < m.game.players:
                    return all(sees(m, p, key, component) for p in range(m.game.players))
                kept = m.observer, m.fuel, m.examined, m.cites, m.retval
                m.refuel()
                m.observer = None
                try:
                    return bool(run(m, [seat, key, component, *rest]))
                except Fault:
                    return False
                finally:
                    m.observer, m.fuel, m.examined, m.cites, m.retval = kept

            self._sights[id(sight)] = sees
        return sees

    def heading(self, heading: Heading, outer: Sequence[Value]) -> Callable[[Machine], str]:
        """Return a function that names a phase or a group of phases for the story.

        `outer` are the variables of the loops around it.
        """
        return self._worded(heading.text, heading.slots, outer)

    def _worded(self, text: TypedExpr, slots: int, known: Sequence[Value]) -> Callable[[Machine], str]:
        """Return a function that works a text out; `known` are the values of the first of its locals."""
        run = self._texts.get(id(text))
        if run is None:
            run = self._texts[id(text)] = self.expr(text)
        return self.alone(run, slots, known)

    def alone(self, run: Run, slots: int, known: Sequence[Value] = ()) -> Callable[[Machine], Value]:
        """An expression with a frame of its own, of which the first values are known."""
        rest = [None] * (slots + 1 - len(known))
        return lambda m: run(m, [*known, *rest])

    def hook(self, h: Hook) -> None:
        game = self.game
        components: tuple[int, ...] = ()
        anywhere = True
        if h.component is not None:
            kind, name = h.component
            components = game.components_of(kind, name)
            anywhere = game.program.classes[kind].live_anywhere
        fixed = [(a.param, self.expr(a.fixed)) for a in h.args if a.fixed is not None]
        bound = [(a.param, a.slot) for a in h.args if a.slot is not None]
        guard = None if h.guard is None else tested(self, h.guard, h.guard.span, h.cites)
        label = None if h.label is None else self.expr(h.label)
        told = None if h.told is None else self.expr(h.told)
        code = HookCode(h, fixed, bound, guard, label, told, components, anywhere)
        if h.component is not None and not components:
            self.hooks.all.append(code)
            return
        self.hooks.add(code)
        params = game.program.procs[h.target].params
        slots = {a.param: a.slot for a in h.args}
        self.procs[h.proc.index].var_slots = tuple(slots.get(i) for i, q in enumerate(params) if q.var)

    def watch_all(self) -> None:
        program, game = self.game.program, self.game
        for i, w in enumerate(program.watchers):
            self.code = self.procs[w.proc.index]
            body = self.procs[w.proc.index].body or compile_block(self, w.proc.body)
            value = tested(self, w.value, w.proc.span, w.proc.cites)
            self.watchers.append(
                WatchCode(w.kind, value, body, w.slot, w.before, len(w.proc.slots), w.proc.span)
            )
            names, zones, everything = reads_of(program, w.value)
            for v in program.vars.values():
                if everything or v.name in names:
                    self.watch_vars[v.index] = (*self.watch_vars[v.index], i)
            for p in game.zones:
                if everything or p.family in zones:
                    self.watch_zones[p.number] = (*self.watch_zones[p.number], i)

    @cached_property
    def invariants(self) -> list[Callable[[Machine], Value]]:
        """A test of a machine for every invariant; compiled when first asked for."""
        return [
            self.alone(tested(self, x, x.span, cites), len(proc.slots))
            for _, x, proc, cites in self.game.program.invariants
        ]
