"""`for p in players at once:` - a block that several players go through without seeing what the others choose.

In: a program whose bodies are checked and whose effects are known. Out: the same without such blocks, so that everything behind the checker - the
evaluator, the analysis of information flow, compiled code - knows nothing of them. A block becomes two loops over the same players:

    to choose   secretly for each: the decisions of the block, and what works out names for them. Nothing changes but names of the block. What else
                stands there is noted: that a player came by, and what the names that it reads were then.
    to do       when all have chosen, in the order of the players: what was noted, in the order of the text.

So no decision can depend on what the block does. What would is refused (`F018`): a decision, or what leads to one, that reads what a statement
before it changes, or a name that such a statement gives a value. Such names are *late*; which are is a least fixed point.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from croupier.diagnostics import Diagnostic, Span, diagnose
from croupier.semantics import types as t
from croupier.semantics.flow import ACTING, SUSPENDING, callees, reads_of
from croupier.semantics.infoflow.effects import FACES, ProcedureEffects, base
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.tree import (
    ActionStmt,
    AtOnceStmt,
    CallExpr,
    ChooseStmt,
    ConstExpr,
    DrawStmt,
    ForEachStmt,
    LetStmt,
    LocalExpr,
    MapCompExpr,
    MenuStmt,
    MutableExpr,
    OperationExpr,
    S,
    SecretlyStmt,
    StateExpr,
    X,
)
from croupier.semantics.types import BOOL, INT, PLAYER
from croupier.semantics.walk import operands, statement_call, statements, writes_state

Written = set[str | int]
"""What statements before have changed: names of zones and state, slots of locals from outside of the block."""
LEAVING = {"return": "`return`", "finish": "`finish`"}
OTHERS = {"open": "a window", "claim": "a claim", "so_that": "a look-ahead", "at_once": "another block of this kind"}


def asks(s: S) -> bool:
    """Does a statement itself ask somebody?"""
    return s.op in ("menu", "open", "claim", "at_once", "so_that") or (isinstance(s, ChooseStmt) and s.choice.chooser != "chance")


class AtOnce:
    """Rewrites the blocks of a program; `found` is what may not stand in them."""

    def __init__(self, program: Program) -> None:
        self.program, self.found = program, list[Diagnostic]()
        self.effects = ProcedureEffects(program)
        self._asking: set[int] | None = None
        for proc in program.procs:
            proc.body = self.block(proc, proc.body)

    def asking(self) -> set[int]:
        """The procedures that may ask somebody."""
        if self._asking is None:
            procs = self.program.procs
            self._asking = {p.index for p in procs if p.kind == "window" or any(asks(s) for s in statements(p.body))}
            while more := {p.index for p in procs if callees(self.program, p) & self._asking} - self._asking:
                self._asking |= more
        return self._asking

    def block(self, proc: Proc, block: list[S]) -> list[S]:
        out: list[S] = []
        for s in block:
            if isinstance(s, AtOnceStmt):
                out += Simultaneous(self, proc, s).made()
            else:
                s.blocks = tuple(self.block(proc, b) for b in s.blocks)
                out.append(s)
        return out


class Simultaneous:
    """One block: what is chosen, what is noted, what is done."""

    def __init__(self, whole: AtOnce, proc: Proc, s: AtOnceStmt) -> None:
        self.whole, self.program, self.effects, self.proc, self.s = whole, whole.program, whole.effects, proc, s
        self.late: set[int] = set()
        self.found: list[Diagnostic] = []
        self.kept: list[tuple[int, X]] = []  # the maps that hold what is noted, with their first values
        self.units: list[S] = []  # what is done for a player

    def made(self) -> list[S]:
        late = None
        while late != self.late:
            late, self.found = set(self.late), []
            self.chosen(self.s.blocks[0], set(), False, None)
        choosing = self.chosen(self.s.blocks[0], set(), False, True)
        self.whole.found += dict.fromkeys(self.found)
        span, players = self.s.span, self.s.args[0]
        who = self.proc.slot("$who", t.list_of(PLAYER))
        once = OperationExpr("list.distinct", t.list_of(PLAYER), span, (players,))
        asked = SecretlyStmt(span, (OperationExpr("list", t.list_of(PLAYER, True), span, (self.player(),)),), (choosing,), slot=self.slot("$viewer", INT))
        kept = [LetStmt(span, (first,), slot=slot) for slot, first in self.kept]
        return [LetStmt(span, (once,), slot=who, cites=self.s.cites), *kept, self.each(who, [asked]), self.each(who, self.units)]

    # ------------------------------------------------------------ what is made
    def slot(self, name: str, kind: t.Type) -> int:
        return self.proc.slot(name, kind)

    def player(self) -> X:
        return LocalExpr(PLAYER, self.s.span, slot=self.s.slot)

    def each(self, who: int, body: list[S]) -> S:
        kind, span = self.proc.slot_types[who], self.s.span
        items, cursor = self.slot("$items", kind), self.slot("$at", INT)
        source = (LocalExpr(kind, span, slot=who),)
        return ForEachStmt(span, source, (body,), slot=self.s.slot, items=items, cursor=cursor, cites=self.s.cites)

    def entry(self, span: Span, kind: t.Type, first: X) -> X:
        """The entry of a player in a new map."""
        whole = t.Map(PLAYER, kind)
        slot, p = self.slot("$noted", whole), self.slot("$p", PLAYER)
        everybody = OperationExpr("players", t.list_of(PLAYER, True), span)
        self.kept.append((slot, MapCompExpr(whole, span, (everybody, LocalExpr(PLAYER, span, slot=p), first), slots=(p,), has_condition=False)))
        return OperationExpr("index", kind, span, (LocalExpr(whole, span, slot=slot), self.player()))

    def note(self, run: list[S], always: bool) -> list[S]:
        """Note that some statements are to be done, and what the names that they read are now."""
        span, out = run[0].span, list[S]()
        read = {y.slot for s in statements(run) for x in operands(s) for y in x.walk() if isinstance(y, LocalExpr)}
        begin: list[S] = []
        for slot in sorted(i for i in read if self.is_own(i) and i not in self.late and i not in set(self.bound(run))):
            kind = self.proc.slot_types[slot]
            held = kind if isinstance(kind, t.Optional) else t.Optional(kind)
            entry = self.entry(span, held, ConstExpr(t.NOTHING, span, value=None))
            out.append(ActionStmt("assign", span, (entry, LocalExpr(kind, span, slot=slot))))
            begin.append(LetStmt(span, (entry if held is kind else OperationExpr("certain", kind, span, (entry,)),), slot=slot))
        if always:
            self.units += [*begin, *run]
        else:
            entry = self.entry(span, BOOL, ConstExpr(BOOL, span, value=False))
            out.append(ActionStmt("assign", span, (entry, ConstExpr(BOOL, span, value=True))))
            self.units.append(ActionStmt("if", span, (entry,), ([*begin, *run], [])))
        return out

    # ------------------------------------------------------------ what is chosen
    def chosen(self, block: list[S], written: Written, looped: bool, make: bool | None) -> list[S]:
        """What is left of a block while players choose. `make`: note what is done (true: always, false: perhaps); none to find what is late."""
        out: list[S] = []
        run: list[S] = []

        def flush() -> None:
            if run and make is not None:
                out.extend(self.note(run, make))
            run.clear()

        for s in block:
            if any(self.asks(y) for y in s.walk()):
                flush()
                out.append(self.decision(s, written, looped, make))
            elif self.is_late(s, written):
                if looped:
                    self.report("F019", s.span)
                self.leaves(s)
                self.late |= {i for i in self.bound([s]) if self.is_own(i)}
                written |= self.changed(s)
                run.append(s)
            else:
                flush()
                self.leaves(s)
                out.append(s)
        flush()
        return out

    def decision(self, s: S, written: Written, looped: bool, make: bool | None) -> S:
        """A statement with decisions in it, without what is done."""
        call = statement_call(s)
        what = OTHERS.get(s.op) or ("a definition that asks" if call is not None and call.proc in self.whole.asking() else None)
        if s.op == "secretly":
            what = "a choice within `secretly`"
        by = s.choice.by if isinstance(s, ChooseStmt) else s.args[0] if isinstance(s, MenuStmt) else None
        if isinstance(s, MenuStmt) and s.menu.window is not None:
            what = "a menu with reactions"
        if by is not None and not (isinstance(by, LocalExpr) and by.slot == self.s.slot):
            what = "a choice by somebody else"
        if isinstance(s, ChooseStmt) and s.choice.chooser == "every":
            what = "a choice by everybody"
        if what is not None:
            self.report("F020", s.span, what=what)
            return s
        for x in operands(s):
            self.early(x, written)
        loop = looped or s.op in ("for", "turns", "repeat")
        after, blocks = set(written), []
        for b in s.blocks:
            mine = set(written)
            blocks.append(self.chosen(b, mine, loop, None if make is None else False))
            after |= mine
        written |= after
        return replace(s, blocks=tuple(blocks))

    def asks(self, s: S) -> bool:
        call = statement_call(s)
        return asks(s) or (call is not None and call.proc in self.whole.asking())

    def leaves(self, s: S) -> None:
        for y in s.walk():
            if y.op in LEAVING:
                self.report("F020", y.span, what=LEAVING[y.op])

    def early(self, x: X, written: Written) -> None:
        """A decision depends on this: it may not be late."""
        if self.reads_late(x, written):
            inner = next(y for y in reversed([*x.walk()]) if self.reads_late(y, written))
            self.report("F018", inner.span)

    def report(self, code: str, span: Span, **words: str) -> None:
        self.found.append(diagnose(code, span, **words))

    # ------------------------------------------------------------ what is late
    def is_own(self, slot: int) -> bool:
        return self.s.first <= slot < self.s.end

    def is_late(self, s: S, written: Written) -> bool:
        """Does a statement without decisions change anything, or depend on what is changed?"""
        if any(y.op in ACTING or y.op in SUSPENDING or y.op in LEAVING or writes_state(y) or self.call_acts(y) for y in s.walk()):
            return True
        if any(not self.is_own(i) or i in self.late for i in self.bound([s])):
            return True
        return any(self.reads_late(x, written) for y in s.walk() for x in operands(y))

    def call_acts(self, s: S) -> bool:
        call = statement_call(s)
        if call is None:
            return False
        roots = [base(a) for a, q in zip(call.args, self.program.procs[call.proc].params, strict=False) if q.var]
        return self.program.procs[call.proc].effect != "pure" or any(not isinstance(r, LocalExpr) for r in roots)

    def reads_late(self, x: X, written: Written) -> bool:
        names, zones, everything = reads_of(self.program, x)
        faces = {FACES + y.name.split(".")[0] for y in x.walk() if isinstance(y, MutableExpr)}
        slots = {y.slot for y in x.walk() if isinstance(y, LocalExpr)}
        return bool(slots & self.late or written & (names | zones | slots | faces) or (everything and written))

    def bound(self, block: list[S]) -> Iterator[int]:
        """The locals that statements give values to."""
        for s in statements(block):
            if isinstance(s, (LetStmt, ForEachStmt)):
                yield s.slot
            elif isinstance(s, ChooseStmt):
                yield from (s.choice.slot, s.choice.item)
            elif isinstance(s, DrawStmt) and s.drawn >= 0:
                yield s.drawn
            elif s.op in ("assign", "add", "remove"):
                root = base(s.args[0] if s.op == "assign" else s.args[1])
                if isinstance(root, LocalExpr):
                    yield root.slot
            yield from (r.slot for r in self.written_back(s) if isinstance(r, LocalExpr))
            yield from (i for x in operands(s) for y in x.walk() for i in y.binds())

    def written_back(self, s: S) -> list[X]:
        """The variables that a statement gives a definition to write."""
        call = statement_call(s)
        if not isinstance(call, CallExpr):
            return []
        return [base(a) for a, q in zip(call.args, self.program.procs[call.proc].params, strict=False) if q.var]

    def changed(self, s: S) -> Written:
        """What a statement may change."""
        found: Written = {i for i in self.bound([s]) if not self.is_own(i)}
        for y in s.walk():
            call = statement_call(y)
            found |= self.effects.changed(y, self.proc)
            found |= set() if call is None else self.effects.after(call.proc)
            found |= {r.name for r in self.written_back(y) if isinstance(r, StateExpr)}
        return found | self.effects.watched if found else found
