"""Statements that are rewritten once it is known what calls do (`call_effects.py`).

Nothing behind the checker knows of them.

Conditions that act: `if asks(p):`, `repeat until a(p) and not b(p):`.

A definition that asks or changes the game may be called in the condition of `if`, `elif` and `repeat until`,
alone or under `and`, `or`, `not`. Once it is known which calls do so (`call_effects.py`), each becomes a
statement of its own before the condition is tested: the left side first, the right side only if it counts.
Calls elsewhere in expressions stay refused.

`for p in players at once:` - a block that several players go through without seeing what the others choose.

In: a program whose bodies are checked and whose effects are known. Out: the same without such blocks, so that
everything behind the checker - the evaluator, the analysis of information flow, compiled code - knows nothing
of them. A block becomes two loops over the same players:

    to choose  secretly for each: the decisions of the block, and what works out names for them. Nothing
               changes but names of the block. What else stands there is noted: that a player came by, and
               what the names that it reads were then.
    to do      when all have chosen, in the order of the players: what was noted, in the order of the text.

So no decision can depend on what the block does. What would is refused (`F018`): a decision, or what leads to
one, that reads what a statement before it changes, or a name that such a statement gives a value. Such names
are *late*; which are is a least fixed point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from croupier.diagnostics import Diagnostic, Label, Span, diagnose
from croupier.kernel import types as t
from croupier.kernel.facts import Facts, Leaves, Tells, Waits
from croupier.kernel.tree import (
    AssignStmt,
    CallExpr,
    ChooseStmt,
    CompExpr,
    ForEachStmt,
    IfStmt,
    LeaveStmt,
    LetStmt,
    LocalExpr,
    MenuStmt,
    MoveStmt,
    MutableExpr,
    RemoveStmt,
    RepeatStmt,
    SecretlyStmt,
    SoThatStmt,
    StateExpr,
    TypedExpr,
    TypedStmt,
    root_of,
)
from croupier.kernel.types import BOOL, PLAYER
from croupier.records import dataclass
from croupier.semantics.builder import TreeBuilder
from croupier.semantics.call_effects import first_reached, reads_of
from croupier.semantics.infoflow.effects import FACES, ProcedureEffects
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.walk import (
    bound_in,
    given_back,
    locals_in,
    names_any,
    parts,
    rewritten,
    statement_call,
    statements,
    writes_state,
)


# ---------------------------------------------------------------- conditions that act
class Questions:
    """Rewrites the conditions of a program that act; `found` are the calls in them, by their identity."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.found: set[int] = set()
        for proc in program.procs:
            if proc.kind != "main":
                proc.body = rewritten(proc.body, partial(self.expand, proc))

    def acts(self, x: TypedExpr) -> bool:
        """Tell whether an expression is a call that acts.

        Its parts do not count.
        """
        if not isinstance(x, CallExpr):
            return False
        target = self.program.procs[x.proc]
        return target.effect != "pure" or any(q.var for q in target.params)

    def parts(self, x: TypedExpr) -> Iterator[TypedExpr]:
        """The parts of a condition under `and`, `or` and `not`, in the order in which they are asked."""
        if x.op in ("and", "or", "not"):
            for a in x.args:
                yield from self.parts(a)
        else:
            yield x

    def is_question(self, x: TypedExpr) -> bool:
        """Tell whether part of an expression acts.

        A part that acts does not count behind one that tells of which kind something is: that might be so no
        more.
        """
        kinds = False
        for part in self.parts(x):
            if self.acts(part):
                return not kinds
            kinds = kinds or any(y.op in ("is_kind", "is_other") for y in part.walk())
        return False

    def expand(self, proc: Proc, s: TypedStmt, out: list[TypedStmt]) -> None:
        if isinstance(s, IfStmt) and self.is_question(s.args[0]):
            before, answer = self.asked(proc, s.args[0], s)
            out += before
            s.args = (answer,)
        elif isinstance(s, RepeatStmt) and s.args and self.is_question(s.args[0]):
            before, answer = self.asked(proc, s.args[0], s)
            stop = IfStmt(s.args[0].span, (answer,), ([LeaveStmt(s.args[0].span, op="break")], []))
            s.args, s.blocks = (), ([*before, stop, *s.blocks[0]],)
        out.append(s)

    def asked(self, proc: Proc, x: TypedExpr, s: TypedStmt) -> tuple[list[TypedStmt], TypedExpr]:
        """The statements that work out a condition, and its value behind them."""
        slot, build = proc.slot("$asked", BOOL), TreeBuilder(proc, x.span)
        answer = build.local(slot)
        if self.acts(x):
            self.found.add(id(x))
            return [replace(build.let(slot, x), cites=s.cites)], answer
        return [build.let(slot, build.truth(False)), *self.steps(proc, x, slot, s.cites)], answer

    def steps(self, proc: Proc, x: TypedExpr, slot: int, cites: tuple[str, ...]) -> list[TypedStmt]:
        """The statements after which a local holds the value of a condition."""
        build = TreeBuilder(proc, x.span)
        local = build.local(slot)
        if x.op in ("and", "or") and any(self.acts(p) for p in self.parts(x)):
            left, right = (self.steps(proc, a, slot, cites) for a in x.args)
            return [*left, IfStmt(x.span, (local,), (right, []) if x.op == "and" else ([], right))]
        if x.op == "not" and any(self.acts(p) for p in self.parts(x)):
            opposite = build.operation("not", BOOL, local)
            return [*self.steps(proc, x.args[0], slot, cites), build.assign(local, opposite)]
        if self.acts(x):
            self.found.add(id(x))
        return [replace(build.assign(local, x), cites=cites)]


# ---------------------------------------------------------------- blocks at once
@dataclass(slots=True, kw_only=True)
class AtOnceStmt(TypedStmt):
    """A block that several players go through at once; the slots from `first` to before `end` are those of
    the block. The checker makes it, and here two loops take its place.
    """

    OP = "at_once"
    FACTS = Facts(waits=Waits.SEATS, noun="another block of this kind")
    slot: int
    first: int
    end: int


Written = dict[str | int, Span]
"""What statements before have changed, and where: names of zones and state, slots of locals from outside of
the block.
"""


def asks(s: TypedStmt) -> bool | None:
    """Tell whether a statement itself asks somebody; `None` if not."""
    return s.facts.asks or isinstance(s, SoThatStmt) or None


class AtOnce:
    """Rewrites the blocks of a program; `found` is what may not stand in them."""

    def __init__(self, program: Program) -> None:
        self.program, self.found = program, list[Diagnostic]()
        self.effects = ProcedureEffects(program)
        for proc in program.procs:
            self.found += shared_picks(proc.body)
            proc.body = rewritten(proc.body, partial(self.expand, proc), is_no_such_block)

    def expand(self, proc: Proc, s: TypedStmt, out: list[TypedStmt]) -> None:
        out += Simultaneous(self, proc, s).made() if isinstance(s, AtOnceStmt) else [s]


def is_no_such_block(s: TypedStmt) -> bool:
    """Tell whether a statement is no block at once."""
    return not isinstance(s, AtOnceStmt)


def shared_picks(block: list[TypedStmt]) -> Iterator[Diagnostic]:
    """The findings `L028` in a block, but for what stands in blocks at once."""
    for i, s in enumerate(block):
        yield from _shared_in(s, block[i + 1 :])
        for inner in s.blocks if is_no_such_block(s) else ():
            yield from shared_picks(inner)


def _shared_in(s: TypedStmt, behind: list[TypedStmt]) -> list[Diagnostic]:
    """Components that several players may choose at once in a statement, from the same ones, and that then
    move, whoever else chose them (`L028`).

    Said only of what surely happens: the source and its conditions say nothing of the player, and no `if`
    stands before the move.
    """
    if isinstance(s, ChooseStmt) and s.choice.chooser == "every" and s.choice.every is not None:
        return _moved_twice(s, {s.choice.every}, {s.choice.slot}, behind)
    told = behind[0].args if behind and behind[0].facts.tells is Tells.CHOICES else ()
    # several by every player, each in secret
    if isinstance(s, ForEachStmt) and told and isinstance(told[0], LocalExpr):
        picks = [
            y
            for z in s.blocks[0]
            if isinstance(z, SecretlyStmt)
            for y in z.blocks[0]
            if isinstance(y, ChooseStmt)
        ]
        return [d for y in picks for d in _moved_twice(y, {s.slot}, {told[0].slot}, behind)]
    found: list[Diagnostic] = []
    if isinstance(s, AtOnceStmt):
        own = {s.slot, *range(s.first, s.end)}
        for i, y in enumerate(s.blocks[0]):
            if isinstance(y, ChooseStmt) and y.choice.chooser == "one":
                then = y.blocks[0] if y.choice.optional else s.blocks[0][i + 1 :]
                noted = [
                    z.args[0]
                    for z in then
                    if isinstance(z, AssignStmt)
                    and isinstance(z.args[1], LocalExpr)
                    and z.args[1].slot == y.choice.slot
                ]
                maps = {x.args[0].slot for x in noted if x.op == "index" and isinstance(x.args[0], LocalExpr)}
                found += _moved_twice(y, own, {y.choice.slot} | maps, then) or _moved_twice(
                    y, own, {y.choice.slot} | maps, behind
                )
    return found


def _moves(block: Sequence[TypedStmt], held: set[int]) -> Iterator[MoveStmt]:
    """The moves of what locals hold that no `if` leads to or skips, also in loops over all of something."""
    for s in block:
        if isinstance(s, MoveStmt) and names_any(s.args[0], held):
            yield s
        elif (
            isinstance(s, ForEachStmt)
            and len(s.args) == 1
            and not (isinstance(s.args[0], CompExpr) and s.args[0].has_condition)
        ):
            yield from _moves(s.blocks[0], held | ({s.slot} if names_any(s.args[0], held) else set()))
        elif not s.FACTS.loops and any(
            y.FACTS.exits and not y.FACTS.acts for b in s.blocks for y in statements(b)
        ):
            return


def _moved_twice(s: ChooseStmt, own: set[int], held: set[int], behind: list[TypedStmt]) -> list[Diagnostic]:
    """The finding about one choice: `own` are the locals that may differ from player to player, `held` those
    with what was chosen.
    """
    c = s.choice
    base_type = c.base.base if isinstance(c.base, t.Collection) else c.base
    if not isinstance(base_type, t.Component):
        return []
    read = [x for x in (c.source, c.where, c.such_that, *(q.value for q in c.conditions)) if x is not None]
    own = own - {c.item, c.slot}
    if any(names_any(x, own - bound_in(x)) for x in read):
        return []
    move = next(_moves(behind, held), None)
    if move is None:
        return []
    label = Label(move.span, "for each of them it moves")
    return [diagnose("L028", c.source.span, labels=(label,), name=c.name)]


class Simultaneous(TreeBuilder):
    """One block: what is chosen, what is noted, what is done."""

    def __init__(self, whole: AtOnce, proc: Proc, s: AtOnceStmt) -> None:
        super().__init__(proc, s.span)
        self.whole = whole
        self.program = whole.program
        self.effects = whole.effects
        self.s = s
        self.late: dict[int, Span] = {}
        self.found: list[Diagnostic] = []
        self.kept: list[LetStmt] = []  # the maps that hold what is noted
        self.units: list[TypedStmt] = []  # what is done for a player

    def made(self) -> list[TypedStmt]:
        late = None
        while late != self.late:
            late, self.found = dict(self.late), []
            self.chosen(self.s.blocks[0], {}, False, None)
        choosing = self.chosen(self.s.blocks[0], {}, False, True)
        self.whole.found += dict.fromkeys(self.found)
        who = self.new("$who", self.operation("list.distinct", t.list_of(PLAYER), self.s.args[0]))
        choose = self.in_secret(self.s.slot, self.alone(self.player()), self.local(who.slot), choosing)
        act = self.each(self.s.slot, self.local(who.slot), self.units)
        who.cites = choose.cites = act.cites = self.s.cites
        return [who, *self.kept, choose, act]

    # ------------------------------------------------------------ what is made
    def player(self) -> TypedExpr:
        return self.local(self.s.slot)

    def entry(self, build: TreeBuilder, kind: t.Type, first: TypedExpr) -> TypedExpr:
        """The entry of a player in a new map."""
        whole = t.Map(PLAYER, kind)
        slot = self.proc.slot("$noted", whole)
        self.kept.append(self.let(slot, build.by_player(whole, first)))
        return build.operation("index", kind, build.local(slot), self.player())

    def note(self, run: list[TypedStmt], always: bool) -> list[TypedStmt]:
        """Note that some statements are to be done, and what the names that they read are now."""
        build, out = TreeBuilder(self.proc, run[0].span), list[TypedStmt]()
        read = locals_in(parts(statements(run)))
        begin: list[TypedStmt] = []
        for slot in sorted(
            i for i in read if self.is_own(i) and i not in self.late and i not in set(self.bound(run))
        ):
            kind = self.proc.slot_types[slot]
            held = kind if isinstance(kind, t.Optional) else t.Optional(kind)
            entry = self.entry(build, held, build.nothing())
            out.append(build.assign(entry, build.local(slot)))
            begin.append(build.let(slot, entry if held is kind else build.operation("certain", kind, entry)))
        if always:
            self.units += [*begin, *run]
        else:
            entry = self.entry(build, BOOL, build.truth(False))
            out.append(build.assign(entry, build.truth(True)))
            self.units.append(IfStmt(build.span, (entry,), ([*begin, *run], [])))
        return out

    # ------------------------------------------------------------ what is chosen
    def chosen(
        self, block: list[TypedStmt], written: Written, looped: bool, make: bool | None
    ) -> list[TypedStmt]:
        """Return what is left of a block while players choose.

        `make`: note what is done (true: always, false: perhaps); `None` to find what is late.
        """
        out: list[TypedStmt] = []
        run: list[TypedStmt] = []

        def flush() -> None:
            if run and make is not None:
                out.extend(self.note(run, make))
            run.clear()

        for s in block:
            if first_reached(self.program, [s], asks) is not None:
                flush()
                out.append(self.decision(s, written, looped, make))
            elif self.is_late(s, written):
                if looped and not any(d.code == "F019" for d in self.found):
                    self.report("F019", s.span)
                self.leaves(s)
                self.late |= {i: s.span for i in self.bound([s]) if self.is_own(i) and i not in self.late}
                written |= {name: s.span for name in self.changed(s) if name not in written}
                run.append(s)
            else:
                flush()
                self.leaves(s)
                out.append(s)
        flush()
        return out

    def decision(self, s: TypedStmt, written: Written, looped: bool, make: bool | None) -> TypedStmt:
        """A statement with decisions in it, without what is done."""
        call = statement_call(s)
        is_choice = s.FACTS.waits is Waits.SEAT and s.FACTS.ahead is None
        what = "" if is_choice else s.FACTS.noun
        if call is not None:
            what = "a definition that asks"
        if isinstance(s, SecretlyStmt):
            what = "a choice within `secretly`"
        if isinstance(s, MenuStmt) and s.menu.window is not None:
            what = "a menu with reactions"
        by = s.choice.by if isinstance(s, ChooseStmt) else s.decider
        is_by_another = by is not None and not (isinstance(by, LocalExpr) and by.slot == self.s.slot)
        if is_choice and is_by_another:
            what = "a choice by somebody else"
        if isinstance(s, ChooseStmt) and s.choice.chooser == "every":
            what = "a choice by everybody"
        if what:
            self.report("F020", s.span, what=what)
            return s
        for x in s.reads():
            self.early(x, written)
        loop = looped or s.FACTS.loops
        after, blocks = dict(written), []
        for b in s.blocks:
            mine = dict(written)
            blocks.append(self.chosen(b, mine, loop, None if make is None else False))
            after |= mine
        written |= after
        return replace(s, blocks=tuple(blocks))

    def leaves(self, s: TypedStmt) -> None:
        for y in s.walk():
            if y.facts.leaves in (Leaves.PROCEDURE, Leaves.GAME):
                self.report("F020", y.span, what=f"`{y.op}`")

    def early(self, x: TypedExpr, written: Written) -> None:
        """A decision depends on this: it may not be late."""
        if self.reads_late(x, written):
            inner = next(y for y in reversed([*x.walk()]) if self.reads_late(y, written))
            self.found.append(
                diagnose(
                    "F018",
                    inner.span,
                    labels=(Label(self.cause(inner, written), "this is done when all have chosen"),),
                )
            )

    def report(self, code: str, span: Span, what: str = "") -> None:
        self.found.append(diagnose(code, span, what=what) if what else diagnose(code, span))

    # ------------------------------------------------------------ what is late
    def is_own(self, slot: int) -> bool:
        return self.s.first <= slot < self.s.end

    def is_late(self, s: TypedStmt, written: Written) -> bool:
        """Tell whether a statement without decisions changes anything, or depends on what is changed."""
        if any(
            y.FACTS.acts
            or y.FACTS.suspends
            or y.facts.leaves is Leaves.PROCEDURE
            or writes_state(y)
            or self.call_acts(y)
            for y in s.walk()
        ):
            return True
        if any(not self.is_own(i) or i in self.late for i in self.bound([s])):
            return True
        return any(self.reads_late(x, written) for y in s.walk() for x in y.reads())

    def call_acts(self, s: TypedStmt) -> bool:
        call = statement_call(s)
        acts = call is not None and self.program.procs[call.proc].effect != "pure"
        return acts or any(not isinstance(root, LocalExpr) for root in self.written_back(s))

    def reads_late(self, x: TypedExpr, written: Written) -> bool:
        return bool(self.late_parts(x, written))

    def cause(self, x: TypedExpr, written: Written) -> Span:
        """Return the first place that makes an expression late."""
        return min(self.late_parts(x, written), key=lambda span: span.start)

    def late_parts(self, x: TypedExpr, written: Written) -> list[Span]:
        """The statements because of which an expression is late."""
        names, zones, everything = reads_of(self.program, x)
        faces = {FACES + y.name.split(".")[0] for y in x.walk() if isinstance(y, MutableExpr)}
        slots = locals_in(x.walk())
        known = (
            written
            if everything
            else {name: written[name] for name in (names | zones | slots | faces) if name in written}
        )
        return [*known.values(), *(self.late[i] for i in slots if i in self.late)]

    def bound(self, block: list[TypedStmt]) -> Iterator[int]:
        """The locals that statements give values to."""
        for s in statements(block):
            yield from (slot for slot, _ in s.bound())
            if isinstance(s, RemoveStmt) and isinstance(s.root, LocalExpr):
                yield s.root.slot
            yield from locals_in(self.written_back(s))
            yield from (i for x in s.reads() for y in x.walk() for i in y.binds())

    def written_back(self, s: TypedStmt) -> Iterator[TypedExpr]:
        """The variables that a statement gives a definition to write."""
        return map(root_of, given_back(self.program, s))

    def changed(self, s: TypedStmt) -> set[str | int]:
        """Return what a statement may change."""
        found: set[str | int] = {i for i in self.bound([s]) if not self.is_own(i)}
        for y in s.walk():
            call = statement_call(y)
            found |= self.effects.changed(y, self.proc)
            found |= set() if call is None else self.effects.after(call.proc)
            found |= {r.name for r in self.written_back(y) if isinstance(r, StateExpr)}
        return found | self.effects.watched if found else found
