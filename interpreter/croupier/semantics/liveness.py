"""Liveness: which locals of a procedure may still be read while it waits.

What comes in: a checked program whose suspension points are numbered (`flow.mark_suspensions`). What goes
out: for every point of every procedure the local slots that something may still read before it writes them
(`Proc.live`). Those, and no others, are part of a position: positions that no future can tell apart have the
same bytes.

The analysis runs backward over the tree. Statements nest, so control leaves a block only at its end or by
`break`, `continue` and `return`, and one number of rounds per loop, until nothing is added, is all it takes.
Three things are live although no expression names them: hidden slots while they are in use (the list that a
`for` walks, what a choice of several holds so far), what an enclosing `secretly` or `so that` needs when the
block is left, and `var` parameters, which go back to the caller at the end.

One test of a local is followed through the assignment of its value: `$none`, by which the loop that
`any_time.py` makes of a decision with an `else` says what was chosen. The `if` behind the loop tests it, and
nothing comes between; where an option sets it, that is live which the `else` reads, not what comes after both
ways. So a decision with what stands open has the locals of the same decision without it. General constant
propagation would keep fewer locals of other programs, too, and change the published hashes of positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from croupier.kernel import tree
from croupier.kernel.facts import Leaves
from croupier.kernel.tree import (
    AskStmt,
    ChooseStmt,
    ConstExpr,
    DrawStmt,
    ForEachStmt,
    LeaveStmt,
    LocalExpr,
    MenuStmt,
    OpenStmt,
    OriginalExpr,
    RollStmt,
    SecretlyStmt,
    SoThatStmt,
    SupposeStmt,
    TypedExpr,
    TypedStmt,
    of_statement,
)
from croupier.semantics.procedures import ALL_REACT, CHOSEN_NONE, Proc
from croupier.semantics.program import Program
from croupier.semantics.walk import given, locals_in, statement_call

Slots = frozenset[int]
NONE: Slots = frozenset()


def find_live(program: Program) -> None:
    """Fill in `Proc.live` for every procedure of a program without errors."""
    for proc in program.procs:
        proc.live = Liveness(program, proc).points() if proc.points or proc.kind == "window" else {}


def given_back(program: Program, proc: Proc) -> tuple[int, ...]:
    """The slots whose values a procedure hands back at its end: its `var` parameters; for a hook, those of
    what it listens to that it names.
    """
    hook = next((h for h in program.hooks if h.proc is proc), None)
    if hook is None:
        return tuple(q.slot for q in proc.params if q.var)
    target = program.procs[hook.target]
    bound = hook.bound(target)
    return tuple(bound[q.slot] for q in target.params if q.var and q.slot in bound)


class Liveness:
    """One procedure.

    `leaving` holds what happens when the blocks around a statement are left early, outermost first.
    """

    def __init__(self, program: Program, proc: Proc) -> None:
        self.program, self.proc = program, proc
        self.at_end: Slots = frozenset(given_back(program, proc))
        self.leaving: list[Callable[[Slots], Slots]] = []
        # live at `break`, at `continue`; how many blocks stand around the loop
        self.loops: list[tuple[Slots, Slots, int]] = []
        self.found: dict[int, tuple[int, ...]] = {}
        # of slots that say so: live where that is what was chosen, as nothing comes between
        self.chosen_none: dict[int, Slots] = {}

    def points(self) -> dict[int, tuple[int, ...]]:
        """Suspension point -> live slots, ascending."""
        if self.proc.kind == "window":
            return {0: tuple(i for i, name in enumerate(self.proc.slots) if name != ALL_REACT)}
        self.block(self.proc.body, self.at_end)
        return dict(sorted(self.found.items()))

    # ------------------------------------------------------------ expressions
    def reads(self, *xs: TypedExpr | None) -> Slots:
        """The locals that expressions read, without those that they bind themselves."""
        parts = [y for x in given(*xs) for y in x.walk()]
        read = locals_in(parts).difference(*(y.binds() for y in parts))
        if any(isinstance(y, OriginalExpr) for y in parts):
            read.add(self.proc.slots.index("$original"))
        return frozenset(read)

    def written(self, target: TypedExpr, after: Slots) -> Slots:
        """Live before a value is written to `target`: a local is written over, anything else is read to find
        the place.
        """
        while target.op in ("bound", "certain"):
            target = target.args[0]
        if isinstance(target, LocalExpr):
            return after - {target.slot}
        return after | self.reads(target)

    # ------------------------------------------------------------ statements
    def block(self, block: list[TypedStmt], after: Slots) -> Slots:
        """Live before a block, given what is live after it."""
        for s in reversed(block):
            after = RULES[s.OP](self, s, after)
        return after

    def left(self, after: Slots, inside: int = 0) -> Slots:
        """Live before blocks are left early, but for the outermost `inside` of them."""
        for leave in self.leaving[inside:]:
            after = leave(after)
        return after

    def wait(self, s: TypedStmt, live: Iterable[int]) -> None:
        if s.suspension_point is not None:
            self.found[s.suspension_point] = tuple(sorted(live))

    def plain(self, s: TypedStmt, after: Slots) -> Slots:
        """A statement that reads its operands and goes on, or ends the game."""
        assert not s.blocks, s.op
        live = NONE if s.FACTS.exits else after
        return live | self.reads(*s.args)

    def leave(self, s: LeaveStmt, after: Slots) -> Slots:
        """What leaves a loop, its round, or the procedure."""
        if s.facts.leaves is Leaves.PROCEDURE:
            return self.called(s, self.left(self.at_end))
        behind, head, inside = self.loops[-1]
        return self.left(behind if s.facts.leaves is Leaves.LOOP else head, inside)

    def let(self, s: TypedStmt, after: Slots) -> Slots:
        return self.called(s, after - {slot for slot, _ in s.bound()})

    def assign(self, s: TypedStmt, after: Slots) -> Slots:
        target, value = s.args
        if isinstance(target, LocalExpr) and target.slot in self.chosen_none and isinstance(value, ConstExpr):
            return self.chosen_none[target.slot]
        return self.called(s, self.written(target, after))

    def called(self, s: TypedStmt, after: Slots) -> Slots:
        """The value of a statement; while a call runs, only what is read after it counts: it writes its `var`
        arguments when it returns.
        """
        call = statement_call(s)
        if call is None:
            return after | (self.reads(s.args[-1]) if s.args else NONE)
        after = self.returned(
            call.proc, call.args, after, not isinstance(call, OriginalExpr) or s.suspension_point is None
        )
        self.wait(s, after)
        return after | self.reads(call)

    def returned(self, target: int, args: tuple[TypedExpr, ...], after: Slots, surely: bool) -> Slots:
        """Live before the `var` parameters of a call are handed back; a single hook that may run in its place
        need not hand back all of them.
        """
        for q, a in reversed(list(zip(self.program.procs[target].params, args, strict=True))):
            if q.var:
                after = self.written(a, after) | (NONE if surely else after)
        return after

    # ------------------------------------------------------------ control
    def one_of(self, s: TypedStmt, after: Slots) -> Slots:
        """One of its blocks runs; the cases of a `match` without `else` are exhaustive."""
        first, test = self.block(s.blocks[0], after), s.args[0]
        if isinstance(test, LocalExpr) and self.proc.slots[test.slot] == CHOSEN_NONE:
            self.chosen_none[test.slot] = first
        others = (self.block(b, after) for b in s.blocks[1:])
        return self.reads(*s.args, *s.held()).union(first, *others)

    def loop(self, s: TypedStmt, after: Slots, head: Slots, before_body: Callable[[Slots], Slots]) -> Slots:
        """Live at the head of a loop: rounds until nothing is added."""
        while True:
            self.loops.append((after, head, len(self.leaving)))
            body = self.block(s.blocks[0], head)
            self.loops.pop()
            again = head | before_body(body)
            if again == head:
                return head
            head = again

    def for_(self, s: ForEachStmt, after: Slots) -> Slots:
        slot, items, at = s.slot, s.items, s.cursor
        condition = self.reads(*s.args[1:])
        head = self.loop(
            s, after, (NONE if s.endless else after) | {items, at}, lambda body: (body | condition) - {slot}
        )
        return (head - {items, at}) | self.reads(s.args[0])

    def repeat(self, s: TypedStmt, after: Slots) -> Slots:
        return self.loop(s, after, (after | self.reads(*s.args)) if s.args else NONE, lambda body: body)

    def so_that(self, s: SoThatStmt, after: Slots) -> Slots:
        slot, needed = s.slot, self.reads(*s.args)
        return (self.inside(s.blocks[0], after, lambda live: live | needed | {slot}) - {slot}) | self.block(
            s.blocks[1], after
        )

    def suppose(self, s: SupposeStmt, after: Slots) -> Slots:
        return self.block(s.blocks[0], (after - {s.slot}) | self.reads(*s.args))

    def secretly(self, s: SecretlyStmt, after: Slots) -> Slots:
        return (self.inside(s.blocks[0], after, lambda live: live | {s.slot}) - {s.slot}) | self.reads(
            *s.args
        )

    def inside(self, block: list[TypedStmt], after: Slots, leave: Callable[[Slots], Slots]) -> Slots:
        self.leaving.append(leave)
        live = self.block(block, leave(after))
        self.leaving.pop()
        return live

    # ------------------------------------------------------------ chance and windows
    def draw(self, s: DrawStmt, after: Slots) -> Slots:
        left, drawn = s.left, s.drawn
        count, source, to = s.args[:3]
        own = {left} if drawn < 0 else {left, drawn}
        live = (after - {left}) | self.reads(source, to) | own
        self.wait(s, live)
        return (live - own) | self.reads(count)

    def roll(self, s: RollStmt, after: Slots) -> Slots:
        left = s.left
        self.wait(s, after | {left})
        return (after - {left}) | self.reads(*s.args)

    def open(self, s: OpenStmt, after: Slots) -> Slots:
        live = self.returned(s.window, s.args[1:], after, True)
        self.wait(s, live)
        return live | self.reads(*s.args)

    # ------------------------------------------------------------ decisions
    def ask(self, s: AskStmt, after: Slots) -> Slots:
        """While it waits, a decision works out again what it offers; what is done without an option is only
        done at once.
        """
        waiting = self.reads(*s.args) if s.asked is None else self.reads(*s.args, s.asked)
        for o in s.sources():
            waiting |= (self.reads(*o.reads()) | self.block(o.block, after)) - {*o.slots, *o.hidden}
        held = NONE
        if isinstance(s, ChooseStmt):
            held = frozenset({s.choice.picked} - {-1})
        elif isinstance(s, MenuStmt) and s.menu.window is not None:
            args = s.menu.window_args
            waiting |= self.returned(s.menu.window, args, after, False) | self.reads(*args)
        self.wait(s, waiting | held)
        return waiting | (NONE if s.otherwise is None else self.block(s.otherwise, after))


RULES: dict[str, Callable[[Liveness, TypedStmt, Slots], Slots]] = {
    **{form.OP: Liveness.plain for form in tree.FORMS if not (form.FACTS.suspends or form.FACTS.calls)},
    "assign": Liveness.assign,
    "choose": of_statement(ChooseStmt, Liveness.ask),
    "do": Liveness.let,
    "draw": of_statement(DrawStmt, Liveness.draw),
    "for": of_statement(ForEachStmt, Liveness.for_),
    "if": Liveness.one_of,
    "leave": of_statement(LeaveStmt, Liveness.leave),
    "let": Liveness.let,
    "match": Liveness.one_of,
    "menu": of_statement(MenuStmt, Liveness.ask),
    "open": of_statement(OpenStmt, Liveness.open),
    "repeat": Liveness.repeat,
    "roll": of_statement(RollStmt, Liveness.roll),
    "for_seconds": Liveness.one_of,
    "secretly": of_statement(SecretlyStmt, Liveness.secretly),
    "so_that": of_statement(SoThatStmt, Liveness.so_that),
    "suppose": of_statement(SupposeStmt, Liveness.suppose),
}
"""What is live before each form of statements, given what is live after it."""
