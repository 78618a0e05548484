"""`at any time by p:` - options that a player has at each of their decisions, checked, and put into those
decisions.

In: items whose options are checked as those of a menu. Out: each decision of one player as a loop around a
menu, so that what is behind the checker knows menus, loops and calls only. What an option does is a
procedure, which the menus of all decisions call.

    repeat:
        choose by p:
            option "…": …                       # those of the decision itself; a `choose` is a menu of one
            option "cook {c}" for c in …: …     # those that stand open: what they do, and then the decision
                                                again
        break

What cannot be a menu (several things, `merging`, claims, menus with a window and an `else`) is asked behind
such a loop, which has "go on". Nothing is offered in `secretly`, in blocks at once, and while an option that
stands open is carried out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.facts import Hides, Leaves
from croupier.kernel.tree import (
    AssignStmt,
    ChooseStmt,
    ConstExpr,
    DoStmt,
    IfStmt,
    LeaveStmt,
    LetStmt,
    MenuData,
    MenuOption,
    MenuStmt,
    RepeatStmt,
    TypedExpr,
    TypedStmt,
)
from croupier.kernel.types import BOOL, INT
from croupier.records import dataclass
from croupier.semantics.builder import TreeBuilder
from croupier.semantics.decisions import is_any, offer_of
from croupier.semantics.procedures import CHOSEN_NONE, Proc
from croupier.semantics.program import Program
from croupier.semantics.rewrites import AtOnceStmt
from croupier.semantics.walk import FrameChange, reached_from, rewritten

GO_ON = "go on"


@dataclass
class OpenOptions:
    """One item: in the frame of `proc`, whose first local is the player, its menu and what is worked out
    before; a procedure for each option.
    """

    proc: Proc
    before: list[LetStmt]
    menu: MenuStmt
    bodies: list[Proc]


@dataclass
class DecisionOptions:
    """The options that stand open at one decision, with the statements that work out values before and what
    each option does.
    """

    before: list[TypedStmt]
    options: list[MenuOption]
    blocks: list[list[TypedStmt]]


class AnyTime:
    """Puts what stands open into the decisions of a program."""

    def __init__(self, program: Program, standing: list[OpenOptions]) -> None:
        self.program, self.standing = program, standing
        inside = (
            reached_from(program, (b.index for o in standing for b in o.bodies)) if standing else set[int]()
        )
        for proc in program.procs if standing else ():
            if proc.index not in inside:
                proc.body = rewritten(proc.body, partial(self.expand, proc), self.is_offered_in)

    @staticmethod
    def is_offered_in(s: TypedStmt) -> bool:
        """Tell whether what stands open is offered in the blocks of a statement."""
        return s.FACTS.hides is not Hides.EVENTS and not isinstance(s, AtOnceStmt)

    def expand(self, proc: Proc, s: TypedStmt, out: list[TypedStmt]) -> None:
        by = s.decider
        if by is None:
            out.append(s)
            return
        before: list[TypedStmt] = []
        while out and isinstance(out[-1], LetStmt) and proc.slots[out[-1].slot] == "$possible":
            before.insert(0, out.pop())
        out += OpenDecision(self, proc, s, by, before).made()

    def offer(self, proc: Proc, by: TypedExpr, span: Span) -> DecisionOptions:
        """Return the options that stand open for a player, in the frame of a procedure."""
        found = DecisionOptions([], [], [])
        for item in self.standing:
            here = FrameChange(item.proc, proc, {0: by})
            for s in item.before:
                possible = TreeBuilder(proc, s.span).new("$possible", here.expression(s.args[0]), BOOL)
                here.slots[s.slot] = possible.slot
                found.before.append(possible)
            for o, body in zip(item.menu.menu.options, item.bodies, strict=True):
                option = replace(
                    o,
                    slots=tuple(here.slot(i) for i in o.slots),
                    conditions=tuple(replace(c, value=here.expression(c.value)) for c in o.conditions),
                    condition=None if o.condition is None else here.expression(o.condition),
                    sources=tuple(here.expression(x) for x in o.sources),
                    label=here.expression(o.label),
                    item=item.proc.span,
                    told=None if o.told is None else here.expression(o.told),
                )
                found.options.append(option)
                build = TreeBuilder(proc, o.span)
                call = build.call(body, by, *map(build.local, option.slots))
                proc.calls.add(body.index)
                found.blocks.append([DoStmt(o.span, (call,), cites=o.cites), LeaveStmt(span, op="continue")])
        return found


class OpenDecision(TreeBuilder):
    """One decision, `before` which something may be worked out for it."""

    def __init__(
        self, whole: AnyTime, proc: Proc, s: TypedStmt, by: TypedExpr, before: list[TypedStmt]
    ) -> None:
        super().__init__(proc, s.span)
        self.s, self.by, self.before = s, by, before
        self.offer = whole.offer(proc, by, s.span)

    def made(self) -> list[TypedStmt]:
        s = self.s
        if isinstance(s, MenuStmt) and not (s.menu.window is not None and s.menu.has_else):
            return self.menu(s)
        if isinstance(s, ChooseStmt) and not s.choice.many and not s.choice.merging:
            return self.menu(self.as_menu(s), s.choice.optional)
        first: list[TypedStmt] = [
            *self.offer.before,
            more := self.possible("$more", self.offer.options),
        ]
        go_on = self.option(GO_ON, self.local(more.slot))
        data = MenuData((*self.offer.options, go_on), None, (), True, self.proc.slot("$used", INT))
        menu = MenuStmt(self.span, (self.by,), (*self.offer.blocks, [], []), menu=data)
        return [
            RepeatStmt(self.span, (), ([*first, menu, LeaveStmt(self.span, op="break")],)),
            *self.before,
            s,
        ]

    def as_menu(self, s: ChooseStmt) -> MenuStmt:
        """A choice of one thing as a menu: an option for each thing, behind that for none."""
        c, span = s.choice, s.span
        item, sources = self.local(c.item), (c.source,)
        option = MenuOption(c.words, (c.item,), sources, c.where, c.conditions, span, s.cites, told=c.told)
        taken: list[TypedStmt] = [self.let(c.slot, item), *s.blocks[0]]
        has_else = s.has_other or c.optional
        data = MenuData((option,), None, (), has_else, self.proc.slot("$used", INT))
        return MenuStmt(span, (self.by,), (taken, s.blocks[1]), menu=data, cites=s.cites)

    def menu(self, s: MenuStmt, optional: bool = False) -> list[TypedStmt]:
        """A menu with what stands open; `optional`: saying no is an option of it."""
        span, d, offer = self.span, s.menu, self.offer
        leave, left = self.local(self.proc.slot("$leave", t.Int(0, 2))), list[TypedStmt]()

        def exits(s: TypedStmt, out: list[TypedStmt]) -> None:
            """Let `break` and `continue` leave one loop more, behind which `leave` says which it was."""
            if s.facts.leaves not in (Leaves.LOOP, Leaves.ROUND):
                out.append(s)
                return
            left.append(s)
            way = ConstExpr(t.Int(1, 2), s.span, value=1 if s.facts.leaves is Leaves.LOOP else 2)
            out += [AssignStmt(s.span, (leave, way)), LeaveStmt(s.span, op="break")]

        blocks = [rewritten(b, exits, lambda s: not s.FACTS.loops) for b in s.blocks[:-1]]
        other = s.blocks[-1]
        options, inside, behind = [*d.options, *offer.options], [*blocks, *offer.blocks], list[TypedStmt]()
        asked: list[TypedStmt] = [*self.before, *offer.before]
        outside: list[TypedStmt] = [self.let(leave.slot, self.number(0))] if left else []
        if d.has_else:  # what is done when nothing of the decision itself is chosen stands behind the loop
            own, more = self.possible("$own", d.options), self.possible("$more", offer.options)
            none = self.new(CHOSEN_NONE, self.truth(False))
            asked += [own, more, none]
            mine, open_, chosen_none = (self.local(s.slot) for s in (own, more, none))
            said = [self.assign(chosen_none, self.truth(True)) for _ in range(2)]
            if optional:
                decline = self.option("no", self.operation("or", BOOL, mine, open_))
                if isinstance(self.s, ChooseStmt):
                    choice = self.s.choice
                    decline.told = choice.told_decline
                    decline.label = self.text(choice.decline or "no")
                options.insert(0, decline)
                inside.insert(0, [said[0]])
            else:
                only_open = self.operation("and", BOOL, self.operation("not", BOOL, mine), open_)
                options.append(self.option(GO_ON, only_open))
                inside.append([said[0]])
            inside.append([said[1]])
            behind.append(IfStmt(span, (chosen_none,), (other, [])))
        else:
            inside.append(other)
        data = replace(d, options=tuple(options))
        asked.append(MenuStmt(span, s.args, tuple(inside), menu=data, cites=s.cites))
        asked.append(LeaveStmt(span, op="break"))
        for way, word in ((1, "break"), (2, "continue")) if left else ():
            is_so = self.operation("==", BOOL, leave, self.number(way))
            behind.append(IfStmt(span, (is_so,), ([LeaveStmt(span, op=word)], [])))
        return [*outside, RepeatStmt(span, (), (asked,)), *behind]

    def possible(self, name: str, options: Iterable[MenuOption]) -> LetStmt:
        """Return the new local that says whether one of these options is possible."""
        some = is_any(map(offer_of, options), self)
        return self.new(name, self.truth(False) if some is None else some)

    def option(self, text: str, condition: TypedExpr) -> MenuOption:
        return MenuOption(self.text(text), (), (), condition, (), self.span, ())
