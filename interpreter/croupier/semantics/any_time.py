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

from dataclasses import replace

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.facts import Hides, Leaves
from croupier.kernel.tree import (
    AssignStmt,
    BreakStmt,
    CallExpr,
    ChooseStmt,
    ConstExpr,
    ContinueStmt,
    DoStmt,
    IfStmt,
    LetStmt,
    LocalExpr,
    MenuData,
    MenuOption,
    MenuStmt,
    OperationExpr,
    RepeatStmt,
    TextExpr,
    TypedExpr,
    TypedStmt,
)
from croupier.kernel.types import BOOL, INT
from croupier.records import dataclass
from croupier.semantics.at_once import AtOnceStmt
from croupier.semantics.menus import is_any
from croupier.semantics.procedures import CHOSEN_NONE, Proc
from croupier.semantics.program import Program
from croupier.semantics.walk import FrameChange, reached_from

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


def constant(span: Span, kind: t.Type, value: int) -> TypedExpr:
    """A number or a truth value."""
    return ConstExpr(kind, span, value=value)


def words(span: Span, text: str) -> TypedExpr:
    """A fixed text."""
    return TextExpr(t.TEXT, span, parts=(text,))


def exits(block: list[TypedStmt], leave: TypedExpr) -> bool:
    """Let `break` and `continue` of a block leave one loop more, behind which `leave` says which of them it
    was.

    Returns whether there are any.
    """
    found = False
    for i, s in reversed([*enumerate(block)]):
        if s.FACTS.leaves in (Leaves.LOOP, Leaves.ROUND):
            kind = constant(s.span, t.Int(1, 2), 1 if s.FACTS.leaves is Leaves.LOOP else 2)
            block[i : i + 1] = [AssignStmt(s.span, (leave, kind)), BreakStmt(s.span)]
            found = True
        elif not s.FACTS.loops:
            for b in s.blocks:
                found |= exits(b, leave)
    return found


class AnyTime:
    """Puts what stands open into the decisions of a program."""

    def __init__(self, program: Program, standing: list[OpenOptions]) -> None:
        self.program, self.standing = program, standing
        inside = (
            reached_from(program, (b.index for o in standing for b in o.bodies)) if standing else set[int]()
        )
        for proc in program.procs if standing else ():
            if proc.index not in inside:
                proc.body = self.block(proc, proc.body)

    def block(self, proc: Proc, block: list[TypedStmt]) -> list[TypedStmt]:
        out: list[TypedStmt] = []
        for s in block:
            if s.FACTS.hides is Hides.EVENTS or isinstance(s, AtOnceStmt):
                out.append(s)
                continue
            s.blocks = tuple(self.block(proc, b) for b in s.blocks)
            by = s.decider
            if by is None:
                out.append(s)
                continue
            before: list[TypedStmt] = []
            while out and isinstance(out[-1], LetStmt) and proc.slots[out[-1].slot] == "$possible":
                before.insert(0, out.pop())
            out += OpenDecision(self, proc, s, by, before).made()
        return out

    def offer(self, proc: Proc, by: TypedExpr, span: Span) -> DecisionOptions:
        """Return the options that stand open for a player, in the frame of a procedure."""
        found = DecisionOptions([], [], [])
        for item in self.standing:
            here = FrameChange(item.proc, proc, {0: by})
            for s in item.before:
                value = here.expression(s.args[0])
                here.slots[s.slot] = proc.slot("$possible", BOOL)
                found.before.append(LetStmt(s.span, (value,), slot=here.slot(s.slot)))
            for o, body in zip(item.menu.menu.options, item.bodies, strict=True):
                binders = tuple(here.slot(i) for i in o.slots)
                conditions = tuple(replace(c, value=here.expression(c.value)) for c in o.conditions)
                condition = None if o.condition is None else here.expression(o.condition)
                sources = tuple(here.expression(x) for x in o.sources)
                found.options.append(
                    MenuOption(
                        here.expression(o.label),
                        binders,
                        sources,
                        condition,
                        conditions,
                        o.span,
                        o.cites,
                        item.proc.span,
                        None if o.told is None else here.expression(o.told),
                    )
                )
                given = (by, *(LocalExpr(proc.slot_types[i], o.span, slot=i) for i in binders))
                call = CallExpr(t.NOTHING, o.span, given, proc=body.index)
                proc.calls.add(body.index)
                found.blocks.append([DoStmt(o.span, (call,), cites=o.cites), ContinueStmt(span)])
        return found


class OpenDecision:
    """One decision, `before` which something may be worked out for it."""

    def __init__(
        self, whole: AnyTime, proc: Proc, s: TypedStmt, by: TypedExpr, before: list[TypedStmt]
    ) -> None:
        self.proc, self.s, self.by, self.before, self.span = proc, s, by, before, s.span
        self.offer = whole.offer(proc, by, s.span)

    def made(self) -> list[TypedStmt]:
        s = self.s
        if isinstance(s, MenuStmt) and not (s.menu.window is not None and s.menu.has_else):
            return self.menu(s)
        if isinstance(s, ChooseStmt) and not s.choice.many and not s.choice.merging:
            return self.menu(self.as_menu(s), s.choice.optional)
        first: list[TypedStmt] = [
            *self.offer.before,
            more := self.flag("$more", self.possible(self.offer.options)),
        ]
        go_on = self.option(GO_ON, self.local(more))
        data = MenuData((*self.offer.options, go_on), None, (), True, self.proc.slot("$used", INT))
        menu = MenuStmt(self.span, (self.by,), (*self.offer.blocks, [], []), menu=data)
        return [
            RepeatStmt(self.span, (), ([*first, menu, BreakStmt(self.span)],)),
            *self.before,
            s,
        ]

    def as_menu(self, s: ChooseStmt) -> MenuStmt:
        """A choice of one thing as a menu: an option for each thing, behind that for none."""
        c, span = s.choice, s.span
        item = LocalExpr(self.proc.slot_types[c.item], span, slot=c.item)
        sources = (c.source,)
        option = MenuOption(c.words, (c.item,), sources, c.where, c.conditions, span, s.cites, told=c.told)
        taken: list[TypedStmt] = [LetStmt(span, (item,), slot=c.slot), *s.blocks[0]]
        has_else = s.has_other or c.optional
        data = MenuData((option,), None, (), has_else, self.proc.slot("$used", INT))
        return MenuStmt(span, (self.by,), (taken, s.blocks[1]), menu=data, cites=s.cites)

    def menu(self, s: MenuStmt, optional: bool = False) -> list[TypedStmt]:
        """A menu with what stands open; `optional`: saying no is an option of it."""
        span, d, offer = self.span, s.menu, self.offer
        *blocks, other = s.blocks
        leave = LocalExpr(t.Int(0, 2), span, slot=self.proc.slot("$leave", t.Int(0, 2)))
        leaves = [exits(b, leave) for b in blocks]
        options, inside, behind = [*d.options, *offer.options], [*blocks, *offer.blocks], list[TypedStmt]()
        asked: list[TypedStmt] = [*self.before, *offer.before]
        outside: list[TypedStmt] = (
            [LetStmt(span, (constant(span, t.Int(0, 0), 0),), slot=leave.slot)] if any(leaves) else []
        )
        if d.has_else:  # what is done when nothing of the decision itself is chosen stands behind the loop
            own = self.flag("$own", self.possible(d.options))
            more = self.flag("$more", self.possible(offer.options))
            asked += [own, more]
            mine, open_ = self.local(own), self.local(more)
            none = LetStmt(span, (constant(span, BOOL, value=False),), slot=self.proc.slot(CHOSEN_NONE, BOOL))
            asked.append(none)
            said = [AssignStmt(span, (self.local(none), constant(span, BOOL, True))) for _ in range(2)]
            if optional:
                decline = self.option("no", self.operation("or", mine, open_))
                if isinstance(self.s, ChooseStmt):
                    choice = self.s.choice
                    decline.told = choice.told_decline
                    decline.label = words(self.span, choice.decline or "no")
                options.insert(0, decline)
                inside.insert(0, [said[0]])
            else:
                options.append(self.option(GO_ON, self.operation("and", self.operation("not", mine), open_)))
                inside.append([said[0]])
            inside.append([said[1]])
            behind.append(IfStmt(span, (self.local(none),), (other, [])))
        else:
            inside.append(other)
        data = replace(d, options=tuple(options))
        asked.append(MenuStmt(span, s.args, tuple(inside), menu=data, cites=s.cites))
        asked.append(BreakStmt(span))
        for way, leave_outer in ((1, BreakStmt), (2, ContinueStmt)) if any(leaves) else ():
            is_so = self.operation("==", leave, constant(span, t.Int(way, way), way))
            behind.append(IfStmt(span, (is_so,), ([leave_outer(span)], [])))
        return [*outside, RepeatStmt(span, (), (asked,)), *behind]

    def possible(self, options: list[MenuOption] | tuple[MenuOption, ...]) -> TypedExpr:
        """Return the condition that one of these options is possible."""
        found: TypedExpr | None = None
        for o in options:
            asked = [*([] if o.condition is None else [o.condition]), *(c.value for c in o.conditions)]
            one = is_any(self.proc, o.slots, o.sources, asked, self.span)
            found = one if found is None else self.operation("or", found, one)
        return constant(self.span, BOOL, False) if found is None else found

    def flag(self, name: str, value: TypedExpr) -> LetStmt:
        return LetStmt(self.span, (value,), slot=self.proc.slot(name, BOOL))

    def local(self, s: LetStmt) -> TypedExpr:
        return LocalExpr(BOOL, self.span, slot=s.slot)

    def operation(self, op: str, *args: TypedExpr) -> TypedExpr:
        return OperationExpr(op, BOOL, self.span, args)

    def option(self, text: str, condition: TypedExpr) -> MenuOption:
        return MenuOption(words(self.span, text), (), (), condition, (), self.span, ())
