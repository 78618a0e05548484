"""Calls with hooks that may wait, in native code: a frame of their own goes from step to step, as the evaluator's does (`DispatchOp`).

The frame holds the stage, the arguments as they are now, the value so far and the keys of the hooks of the stage that are still to run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.calling import Calling
from croupier.backends.native.emit import Fn
from croupier.backends.native.places import NONE_TEXT, Leaves
from croupier.ir.module import Row
from croupier.ir.routines import Routine
from croupier.ir.slots import PLACES

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

BEFORE, CALL, ADJUST, AFTER = range(4)
KINDS = {BEFORE: "before", ADJUST: "adjust", AFTER: "after"}


class Around(Calling):
    """`f3(S, case)`: case 0 begins, case 1 goes on after a step."""

    def __init__(self, printer: Printer, target: Routine, fn: Fn) -> None:
        super().__init__(printer, target, fn)
        self.target, self.lies = target.index, printer.around(target.index)
        self.frame_plan = self.lies.frame
        self.types = printer.hooks.kinds(target.index)
        self.heads = {stage: fn.label() for stage in (BEFORE, CALL, ADJUST, AFTER)}
        self.over = fn.label()

    # ------------------------------------------------------------ the frame
    def args(self) -> list[Leaves]:
        return [self.fetch(self.frame(at), kind) for at, kind in zip(self.lies.args, self.types, strict=True)]

    def value(self) -> Leaves:
        return self.fetch(self.frame(self.lies.value), self.routine.returns) if self.is_valued(self.routine) else []

    def found(self, kind: str) -> str:
        """The keys of the hooks of a kind that fit now, as a list."""
        words = [f"i64 {v}" for leaves in self.args() for v in leaves]
        out = self.fn.slot()
        self.called(self.printer.hooks.found(self.target, kind), [f"i64 {NONE_TEXT}", *words, f"ptr {out}"])
        return self.fn.load(out)

    def set_stage(self, stage: int) -> None:
        """A stage begins: which of its hooks run is settled now."""
        self.fn.store(str(stage), self.frame(p.STAGE))
        rest = self.frame(self.lies.rest)
        if self.printer.hooks.rows(self.target, KINDS[stage]):
            self.keep(rest, PLACES, [self.found(KINDS[stage])], self.lies.most)
        else:
            self.fn.store("0", rest)
        self.fn.jump(self.heads[stage])

    # ------------------------------------------------------------ steps
    def text(self) -> str:
        f, start, again, nowhere = self.fn, self.fn.label(), self.fn.label(), self.fn.label()
        f.store(self.get(p.FRAME), self.at_frame)
        f.end(f"switch i64 %case, label %{nowhere} [i64 0, label %{start} i64 1, label %{again}]")
        f.place(start)
        self.pay("8")
        f.store(str(self.printer.around_entry(self.target) + 1), self.frame(1))
        if self.is_valued(self.routine):
            f.store(NONE_TEXT, self.frame(self.lies.value))
        self.set_stage(BEFORE)
        self.stage(BEFORE, lambda: f.jump(self.heads[CALL]))
        f.place(self.heads[CALL])
        f.store(str(CALL), self.frame(p.STAGE))
        f.store("0", self.frame(self.lies.rest))
        if self.printer.hooks.rows(self.target, "instead"):
            self.enter_instead(self.target, self.args(), self.found("instead"))
        else:
            self.enter(self.target, self.args())
        self.stage(ADJUST, lambda: self.set_stage(AFTER))
        self.stage(AFTER, lambda: f.jump(self.over))
        f.place(again)
        self.stepped()
        f.place(self.over)
        self.ended()
        f.place(nowhere)
        self.deviates()
        self.close()
        return f.text()

    def stage(self, stage: int, then: object) -> None:
        """The hooks of a stage, one after another."""
        assert callable(then)
        f, rows = self.fn, self.printer.hooks.rows(self.target, KINDS[stage])
        f.place(self.heads[stage])
        if rows:
            self.pay("2")
            rest = self.frame(self.lies.rest)
            n = f.load(rest)
            more, done = f.label(), f.label()
            f.branch(f.test("gt", n, "0"), more, done)
            f.place(more)
            key, left = f.load(f.at(rest, 1)), f.sub(n, "1")
            f.copy(f.at(rest, 1), f.at(rest, 2), left)
            f.store(left, rest)
            self.by_hook(rows, key, lambda row: self.turn(row, stage, key))
            f.place(done)
        then()

    def turn(self, row: Row, stage: int, key: str) -> None:
        taken = self.taken(row, key, self.args(), "", self.value())
        if stage == ADJUST and row.guarded:
            passed = self.fn.slot()
            takes = self.printer.module.routines[row.routine].takes
            self.called(self.printer.hooks.guard(row), [*(f"i64 {v}" for s in takes for v in taken[s]), f"ptr {passed}"])
            with self.fn.when(self.fn.test("eq", self.fn.load(passed), "0")):
                self.fn.jump(self.heads[stage])
        self.begin_hook(row, taken)

    def stepped(self) -> None:
        """A step has ended: its `var` parameters are those of the call; the main step and `adjust` give the value."""
        f, hooks = self.fn, self.printer.hooks
        done, above = f.label(), f.load(self.frame(p.ABOVE))
        steps: list[tuple[int, Row | None, bool]] = [(0, None, True)]
        for kind in ("before", "instead", "adjust", "after"):
            steps += [(row.hook + 1, row, kind in ("instead", "adjust")) for row in hooks.rows(self.target, kind)]
        for number, row, valued in steps:
            with f.when(f.test("eq", above, str(number))):
                routine = self.printer.module.routines[self.target if row is None else row.routine]
                value, back = self.handed(routine, self.word(p.RET))
                for k, leaves in self.changes(row, self.target, back).items():
                    self.keep(self.frame(self.lies.args[k]), self.types[k], leaves)
                if valued and self.is_valued(self.routine):
                    self.keep(self.frame(self.lies.value), self.routine.returns, value)
                f.jump(done)
        f.place(done)
        stage = f.load(self.frame(p.STAGE))
        adjusting = f.label()
        ways = {BEFORE: self.heads[BEFORE], CALL: adjusting, ADJUST: self.heads[ADJUST], AFTER: self.heads[AFTER]}
        f.end(f"switch i64 {stage}, label %{self.over} [{' '.join(f'i64 {k}, label %{b}' for k, b in ways.items())}]")
        f.place(adjusting)
        self.set_stage(ADJUST)

    def ended(self) -> None:
        f, at = self.fn, p.RET
        self.fits_in_hand(self.given_words(self.routine))
        args = self.args()
        for v in [*self.value(), *(v for k in self.var_places(self.target) for v in args[k])]:
            self.put(at, v)
            at += 1
        below = f.load(self.frame(0))
        self.put(p.FRAME, below)
        self.put(p.WHERE, self.get(f.add(below, "1")))
        f.give(str(p.GOES))


def around_function(printer: Printer, target: Routine, name: str) -> str:
    """The function of a call with hooks that may wait."""
    return Around(printer, target, Fn(name, [("S", "ptr"), ("case", "i64")])).text()
