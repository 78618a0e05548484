"""Asks: every decision, of a seat, of several seats at once, or of chance.

An ask offers actions and waits. If nothing is on offer, nobody is asked: `else` runs, or the game is stuck. A
menu asks a seat which of its options to take, and a choice of one thing is a menu with one option; "no" is on
offer only where something else is. Chance has weights instead of a seat, and a single outcome is no event. A
window asks each who may react in turn, until they pass. Several things are picked one after another, in the
order of their source, as long as the picks can be completed to a set.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from typing import Protocol

from croupier.core import operations as op
from croupier.core.builder import (
    FALSE,
    NONE,
    TRUE,
    Writer,
    add,
    and_,
    const,
    eq,
    le,
    lt,
    mul,
    not_,
    select,
    sub,
)
from croupier.core.operations import CHANCE, SEVERAL, Expression, Local
from croupier.kernel import types as t
from croupier.kernel.tree import (
    ChooseStmt,
    DrawStmt,
    MenuStmt,
    OpenStmt,
    RollStmt,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
)
from croupier.lowering.assignment import wrote_variable
from croupier.lowering.calls import hand_back
from croupier.lowering.candidates import ChoiceSource, Offer, OptionSource, Search, first_of
from croupier.lowering.context import Body, Context, Operand, Ref
from croupier.lowering.costs import pay, pay_for
from croupier.lowering.hooks import Reactions
from croupier.lowering.lists import among
from croupier.lowering.lookahead import nothing_to_choose
from croupier.lowering.operands import value, word
from croupier.lowering.positions import Made, Stored, Where
from croupier.lowering.procedures import (
    Signature,
    begin,
    call_function,
    declared,
    end,
    leave,
    one_deeper,
    places,
    signature,
)
from croupier.lowering.progress import count_round
from croupier.lowering.shapes import WORD, Items, NotLowered, TableShape, Word, optional, width
from croupier.lowering.sources import cleared, gathered, marked, most_elements, walk
from croupier.lowering.statements import block, form, wait
from croupier.runtime.game import Zone
from croupier.runtime.zone_contents import GRAIN


class Offered(Protocol):
    """Some of what is on offer: the actions from `first` to before `end`."""

    first: int
    end: int

    def offered(self, offer: Offer) -> None:
        """Offer what may be chosen now."""

    def take(self, action: Expression) -> None:
        """Do what a chosen action says: bind the locals of a source, run a reaction."""


Option = tuple[Offered, list[TypedStmt]]  # what is on offer, and the block that runs when it was chosen


# ---------------------------------------------------------------- of a seat, of chance, of several at once
@form(ChooseStmt)
def _choose(c: Context, s: ChooseStmt) -> None:
    choice = s.choice
    other = s.blocks[1] if choice.optional or s.has_other else None
    if choice.many:
        several(c, s, other)
        return
    source = ChoiceSource(c, s)
    if choice.chooser == "every":
        at_once(c, s, source)
        return
    if choice.chooser == "chance":
        of_chance(c, s, source, other)
    else:
        assert choice.by is not None
        of_seat(c, s, choice.by, [(source, s.blocks[0])], other, may_decline=choice.optional)


@form(MenuStmt)
def _menu(c: Context, s: MenuStmt) -> None:
    options: list[Option] = []
    first = 0
    for o, body in zip(s.menu.options, s.blocks, strict=False):
        source = OptionSource(c, o, first)
        options.append((source, body))
        first = source.end
    if s.menu.window is not None:
        reactions = MenuReactions(c, s, s.menu.window, first)
        options += [(reactions, [])] if reactions.end > first else []
    of_seat(c, s, s.args[0], options, s.blocks[-1] if s.menu.has_else else None)


def of_seat(
    c: Context,
    s: TypedStmt,
    seat: TypedExpr,
    options: Sequence[Option],
    other: list[TypedStmt] | None,
    may_decline: bool = False,
) -> None:
    """Ask a seat; `other` is what is done if nothing is on offer, or if the seat declines, with action 0."""
    w = c.w
    w.emit(op.NoOffers())
    some = w.variable(FALSE)

    def offer(action: Expression, _: Expression) -> None:
        w.emit(op.Offer(action, TRUE))
        w.set(some, TRUE)

    for offered, _ in options:
        offered.offered(offer)

    def ask() -> None:
        if may_decline:
            w.emit(op.Offer(FALSE, TRUE))
        wait(c, word(c, seat), s.suspension_point)
        if all(isinstance(source, OptionSource) and not body for source, body in options):
            return  # nothing is done with what was chosen
        # each option of a menu asks whether it is its action
        action = w.temp(op.Chosen()) if isinstance(s, MenuStmt) else op.Chosen()

        def take(offered: Offered, body: list[TypedStmt]) -> None:
            offered.take(action)
            block(c, body)

        def is_of(offered: Offered) -> Expression:
            is_one = offered.end == offered.first + 1
            return eq(action, const(offered.first)) if is_one else lt(action, const(offered.end))

        declines = [(eq(action, FALSE), partial(block, c, other or []))] if may_decline else []
        w.cases([*declines, *((is_of(offered), partial(take, offered, body)) for offered, body in options)])

    w.when(eq(Local(some), TRUE), ask, lambda: nothing_to_choose(c, other))


def of_chance(c: Context, s: ChooseStmt, source: ChoiceSource, other: list[TypedStmt] | None) -> None:
    """Let chance choose, by weights."""
    w = c.w
    w.emit(op.NoOffers())
    n, last = w.variable(FALSE), w.variable(FALSE)

    def offer(action: Expression, weight: Expression) -> None:
        with w.where(not_(eq(weight, FALSE))):
            w.emit(op.Offer(action, weight))
            w.set(n, add(Local(n), TRUE))
            w.set(last, action)

    source.offered(offer)

    def go_on() -> None:
        with w.where(lt(TRUE, Local(n))):
            wait(c, const(CHANCE), s.suspension_point)
            w.set(last, op.Chosen())
        source.take(Local(last))
        block(c, s.blocks[0])

    w.when(eq(Local(n), FALSE), lambda: nothing_to_choose(c, other), go_on)


def at_once(c: Context, s: ChooseStmt, source: ChoiceSource) -> None:
    """Ask all who have not chosen, in any order, until all have; then the choices are known."""
    w, n, choice = c.w, c.game.players, s.choice
    assert choice.every is not None and choice.by is not None
    by, every = choice.by, choice.every
    shape = optional(c.shape(choice.base))
    whole = TableShape(0, n, shape)
    made = c.array(f"s{choice.picked}", whole)
    c.body.where[choice.picked] = Made(made.memory, whole)
    nothing = NONE if isinstance(shape, Word) else FALSE
    with w.count(FALSE, const(n)) as p:
        w.store(made.memory, mul(p, const(width(shape))), nothing)
    count_round(c)
    with w.forever():
        asked = marked(c, by, 0, n)
        waiting, some = w.fresh(), w.fresh()
        w.set(waiting, FALSE)
        w.emit(op.NoOffers())

        def offer(action: Expression, _: Expression) -> None:
            w.emit(op.Offer(action, p))
            w.set(some, TRUE)

        with w.count(FALSE, const(n)) as p:
            missing = c.missing(c.load(c.entry(made, p)))
            with w.where(op.And(eq(op.Load(asked, p), TRUE), missing)):
                w.set(waiting, TRUE)
                w.set(some, FALSE)
                with c.alias(every, p):
                    source.offered(offer)
                w.guard(eq(Local(some), TRUE))
        w.leave_if(eq(Local(waiting), FALSE))
        wait(c, const(SEVERAL), s.suspension_point)
        seat = w.temp(op.ChosenSeat())
        with c.alias(every, seat):
            c.put(source.chosen(op.Chosen()), c.entry(made, seat))
    c.bind(choice.slot, made, whole)


# ---------------------------------------------------------------- of several things
def several(c: Context, s: ChooseStmt, other: list[TypedStmt] | None) -> None:
    """Ask for several things, one after another, a player or chance."""
    w, choice = c.w, s.choice
    picked_most = most_elements(c, choice.source)
    indices = c.hidden_list(choice.picked, picked_most if picked_most is not None else 256)
    first = Search(c, choice)
    ok = w.variable(FALSE)
    w.when(le(first.low, first.high), lambda: first.completable(indices, None, ok))
    if choice.optional:
        any_ = w.variable(FALSE)

        def try_(i: Expression) -> None:
            one = w.fresh()
            first.completable(indices, i, one)
            w.leave_if(eq(Local(one), TRUE), lambda: w.set(any_, TRUE))

        with w.where(eq(Local(ok), TRUE)):
            w.when(lt(FALSE, first.high), lambda: first.next_ranks(indices, try_))
            w.set(ok, Local(any_))

    def begin() -> None:
        done = f"d{choice.picked}"
        w.set(done, FALSE)
        with w.forever():
            pick(c, s, indices, done)
        if choice.optional:
            w.when(eq(Local(done), TRUE), lambda: block(c, s.blocks[0]), lambda: block(c, s.blocks[1]))

    w.when(eq(Local(ok), TRUE), begin, lambda: nothing_to_choose(c, other))


def pick(c: Context, s: ChooseStmt, indices: Ref, done: str) -> None:
    """Write one pick: offer the elements that may come next; the set is complete if there is no such
    element.
    """
    w, choice = c.w, s.choice
    by_chance = choice.chooser == "chance"
    search = Search(c, choice)
    w.emit(op.NoOffers())
    more, ok, n = w.variable(FALSE), w.fresh(), w.variable(FALSE)
    valid = w.fresh()
    search.valid(indices, valid)
    if choice.optional and not by_chance:
        w.when(eq(c.length(indices), FALSE), lambda: w.set(valid, TRUE))
    with w.where(eq(Local(valid), TRUE)):
        weight: Expression = TRUE
        if by_chance and search.first:
            search.begin(indices, None)
            weight = search.weight()
        w.emit(op.Offer(FALSE, weight))
        w.set(n, add(Local(n), TRUE))
    only = w.variable(FALSE)

    def next_(i: Expression) -> None:
        search.completable(indices, i, ok)
        with w.where(eq(Local(ok), TRUE)):
            weight: Expression = TRUE
            if by_chance:
                total = w.fresh()
                search.begin(indices, i)
                search.search(w.temp(add(c.length(indices), TRUE)), total, count=True)
                weight = Local(total)
            w.emit(op.Offer(add(search.index_of(i), TRUE), weight))
            w.set(more, TRUE)
            w.set(only, add(search.index_of(i), TRUE))
            w.set(n, add(Local(n), TRUE))

    w.when(lt(c.length(indices), search.high), lambda: search.next_ranks(indices, next_))

    def complete(found: Search) -> None:
        shape = found.source.shape
        assert isinstance(shape, Items)
        c.bind(choice.slot, found.whole(indices), Items("list", shape.most, shape.element))
        w.set(done, TRUE)
        w.emit(op.Break())

    def fallen() -> Expression:
        action = w.variable(Local(only))
        with w.where(lt(TRUE, Local(n))):
            wait(c, const(CHANCE), s.suspension_point)
            w.set(action, op.Chosen())
        return Local(action)

    def picked(by: TypedExpr) -> Expression:
        stop = eq(Local(more), FALSE)
        if choice.optional:
            stop = and_(stop, lt(FALSE, c.length(indices)))
        w.when(stop, lambda: complete(search))
        wait(c, word(c, by), s.suspension_point)
        return w.temp(op.Chosen())

    if by_chance:
        action = fallen()
    else:
        assert choice.by is not None
        action = picked(choice.by)
    if choice.optional:
        w.leave_if(and_(eq(action, FALSE), eq(c.length(indices), FALSE)))
    w.when(eq(action, FALSE), lambda: complete(search if by_chance else Search(c, choice)))
    c.push(sub(action, TRUE), indices)


# ---------------------------------------------------------------- reactions
class MenuReactions:
    """The reactions of a window that a menu offers behind its options."""

    def __init__(self, c: Context, s: MenuStmt, window: int, first: int) -> None:
        self.c, self.s, self.window, self.first = c, s, window, first
        self.reactions = Reactions(c, window)
        self.end = first + self.reactions.count

    def args(self) -> list[Operand]:
        return [self.c.held(value(self.c, a)) for a in self.s.menu.window_args]

    def offered(self, offer: Offer) -> None:
        """Offer each reaction that the seat has."""
        seat = self.c.w.temp(word(self.c, self.s.args[0]))
        self.reactions.each(self.args(), seat, lambda number: offer(add(number, const(self.first)), TRUE))

    def take(self, action: Expression) -> None:
        """Run the chosen reaction; what it makes of its arguments goes back to the menu."""
        c, s, args = self.c, self.s, self.args()
        seat = c.w.temp(word(c, s.args[0]))
        params = c.game.program.procs[self.window].params

        def done(changed: dict[int, Operand]) -> None:
            back = tuple(changed.get(i) for i, q in enumerate(params) if q.var)
            hand_back(c, self.window, s.menu.window_args, back)

        number = sub(action, const(self.first))
        self.reactions.use(number, args, seat, c.frame_map(s.suspension_point), done)


@form(OpenStmt)
def _open(c: Context, s: OpenStmt) -> None:
    window = s.window
    proc = c.game.program.procs[window]
    own = signature(c, proc)
    asked = Items("list", max(c.game.players, 16), WORD)  # the list of seats that are asked comes last
    sig = Signature((*own.takes, (proc.slots.index("$asked"), asked)), None, own.back)
    name = declared(c, f"p{window}", sig, True, lambda: _write_window(c, window, sig))
    args = [c.held(value(c, a)) for a in s.args[1:]]
    seats = gathered(c, s.args[0])
    with one_deeper(c, proc) if proc.nested is not None else nullcontext():
        called = call_function(c, name, sig, [*args, seats], c.frame_map(s.suspension_point))
    hand_back(c, window, s.args[1:], called.back)


def _write_window(c: Context, window: int, sig: Signature) -> None:
    """Write the function of a window: each seat in turn is asked for a reaction until it passes with 0."""
    proc = c.game.program.procs[window]
    asked_slot, cursor_slot, used_slot = (proc.slots.index(n) for n in ("$asked", "$cursor", "$used"))
    reactions = Reactions(c, window)
    with c.function(Body(Writer(), proc, waits=True)):
        w, env = c.w, c.body.env
        begin(c, sig, env)
        used = c.array("used", Items("list", max(1, reactions.count), WORD))
        kept: list[tuple[int, Where]] = [
            (cursor_slot, Stored("cursor", WORD)),
            (used_slot, Stored("used", used.shape)),
        ]
        resume = c.map(window, 0, sorted([*places(sig, env), *kept], key=lambda p: p[0]))
        asked, args, cursor = env[asked_slot], [env[q.slot] for q in proc.params], Local("cursor")
        assert isinstance(asked, Ref)
        w.set("cursor", FALSE)
        c.clear(used)

        def on() -> None:
            w.set("cursor", add(cursor, TRUE))
            c.clear(used)

        def changed(found: dict[int, Operand]) -> None:
            for i, v in found.items():
                c.assign(v, args[i])

        with w.forever():
            pay(c, 1)
            w.leave_if(le(c.length(asked), cursor))
            seat = w.temp(op.Load(asked.memory, add(cursor, TRUE)))
            some = w.fresh()
            w.emit(op.NoOffers())
            if not proc.all_react:
                w.emit(op.Offer(FALSE, TRUE))
            w.set(some, FALSE)

            def offer(number: Expression) -> None:
                with w.where(not_(among(c, number, used))):
                    w.emit(op.Offer(add(number, TRUE), TRUE))
                    w.set(some, TRUE)

            reactions.each(args, seat, offer)
            with w.where(eq(Local(some), FALSE)):
                on()
                w.emit(op.Continue())
            w.emit(op.Wait(seat, *resume))
            number = w.temp(sub(op.Chosen(), TRUE))

            def react() -> None:
                c.push(number, used)
                again = w.temp(op.Load(asked.memory, add(cursor, TRUE)))
                reactions.use(number, args, again, resume, changed)

            w.when(lt(number, FALSE), on, react)
        end(c, f"p{window}", lambda: leave(c, sig, None))


# ---------------------------------------------------------------- draws and rolls
@form(DrawStmt)
def _draw(c: Context, s: DrawStmt) -> None:
    w = c.w
    count, source, to = s.args[:3]
    n = w.temp(word(c, count))
    left = c.hidden(s.left, select(lt(n, FALSE), FALSE, n))
    drawn = c.hidden_list(s.drawn, len(c.game.components)) if s.drawn >= 0 else None
    orders = {zone.order for zone in zones_of(c, source)}
    is_bag = "bag" in orders
    if is_bag and len(orders) > 1:
        raise NotLowered("drawing from what may be a bag", s.span)

    def take(component: Expression) -> None:
        w.set(left.name, sub(left, TRUE))
        if drawn is not None:
            c.push(component, drawn)

    with w.forever():
        w.leave_if(le(left, FALSE))
        pay_for(c, [source, source, to], 2)
        z = w.temp(word(c, source))
        size = w.temp(op.Length(z), "n")
        w.leave_if(eq(size, FALSE))
        several: Expression = FALSE
        if is_bag:
            several = _differ(c, z, size)
        elif c.shuffles:
            is_loose = op.Loose(z, FALSE if s.from_bottom else sub(size, const(2)))
            several = op.And(lt(TRUE, size), eq(is_loose, TRUE))

        def ask() -> None:
            w.emit(op.NoOffers())
            if is_bag:
                _offer_bag(c, z)
            elif s.from_bottom:
                with w.count(FALSE, size) as i:
                    w.emit(op.Offer(op.Element(z, i), TRUE))
                    w.leave_if(eq(op.Loose(z, i), FALSE))
            else:
                with w.count(w.temp(op.PartBegin(z, sub(size, TRUE))), size) as i:
                    w.emit(op.Offer(op.Element(z, i), TRUE))
            wait(c, const(CHANCE), s.suspension_point)
            if is_bag:
                component = _out_of_bag(c, w.temp(word(c, source)), w.temp(op.Chosen()))
            else:
                component = w.temp(op.Chosen())
            take(component)
            w.emit(op.Call("deal", (component, word(c, source), word(c, to))))

        def top() -> None:
            at = FALSE if is_bag or s.from_bottom else sub(size, TRUE)
            take(op.Element(z, at))
            w.emit(op.Call("take", (z, at, word(c, to))))

        w.when(several, ask, top)


def _differ(c: Context, z: Expression, size: Expression) -> Expression:
    """1 if a bag holds components with different labels."""
    if not c.game.alike.members:
        return lt(TRUE, size)
    w, name = c.w, c.w.variable(FALSE)
    with w.count(TRUE, size) as i:
        label = first_of(c, w.temp(op.Element(z, i)))
        other = first_of(c, w.temp(op.Element(z, FALSE)))
        w.leave_if(not_(eq(label, other)), lambda: w.set(name, TRUE))
    return eq(Local(name), TRUE)


def _offer_bag(c: Context, z: Expression) -> None:
    """Offer the first component of each label in a bag, weighted by their number."""
    w = c.w
    if not c.game.alike.members:
        with w.each(z) as component:
            w.emit(op.Offer(component, TRUE))
        return
    counts = cleared(c, len(c.game.components))
    with w.each(z) as component:
        first = w.temp(first_of(c, component))
        w.store(counts, first, add(op.Load(counts, first), TRUE))
    with w.count(FALSE, const(len(c.game.components))) as i:
        held = op.Load(counts, i)
        w.when(lt(FALSE, held), lambda: w.emit(op.Offer(i, held)))


def _out_of_bag(c: Context, z: Expression, first: Expression) -> Expression:
    """The component that is drawn from a bag when its label was chosen."""
    if not c.game.alike.members:
        return first
    w, name = c.w, c.w.variable(NONE)
    with w.each(z) as component:
        w.leave_if(eq(first_of(c, component), first), lambda: w.set(name, component))
    return Local(name)


def zones_of(c: Context, x: TypedExpr) -> list[Zone]:
    """The zones that an expression may denote."""
    if isinstance(x, ZoneExpr):
        first, count = c.game.zone_ranges[x.name]
        return c.game.zones[first : first + count]
    return c.game.zones


@form(RollStmt)
def _roll(c: Context, s: RollStmt) -> None:
    w, (name, slot) = c.w, (s.attribute, s.left)
    v = c.game.program.vars[name]
    assert isinstance(v.type, t.Map)
    kind = v.type.value
    values = c.game.values(kind.base if isinstance(kind, t.Optional) else kind)
    first, count = c.game.kinds[name.split(".")[0]]
    left = c.hidden_list(slot, max(count, 1))
    walk(c, s.args[0], lambda die: c.push(die, left))
    w.emit(op.Sort(left.memory, TRUE, c.length(left), 1, 1))
    with w.forever():
        w.leave_if(eq(c.length(left), FALSE))
        pay(c, 2 + count // GRAIN)
        face: Expression = const(int(values[0]))
        if len(values) > 1:
            w.emit(op.NoOffers())
            with w.count(FALSE, const(len(values))) as i:
                w.emit(op.Offer(i, TRUE))
            wait(c, const(CHANCE), s.suspension_point)
            face = w.temp(c.words([int(v) for v in values], op.Chosen()))
        die = w.temp(op.Load(left.memory, TRUE))
        n = w.temp(sub(c.length(left), TRUE), "n")
        w.emit(op.Copy(left.memory, TRUE, left.memory, const(2), n))
        w.store(left.memory, FALSE, n)
        w.store(f"v{v.index}", sub(die, const(first)), face)
        wrote_variable(c, name)
