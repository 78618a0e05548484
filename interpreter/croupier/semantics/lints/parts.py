"""Lints: what an `end when` or a watcher sees between the parts of one effect.

The interpreter changes one player after another, and asks every end and every watcher after each single
change. In: a program. Out: a report where a loop over several players changes what one of them looks at, so
that the game may end with the first players of the loop. What the loop calls counts as if it stood in the
loop: definitions, hooks on them, and what watchers do for a player whose entry has changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field

from croupier.diagnostics import Diagnostic, Label, Span, diagnose
from croupier.kernel import types as t
from croupier.kernel.facts import Hides, Leaves
from croupier.kernel.folds import FoldKind
from croupier.kernel.tree import (
    AddStmt,
    AssignStmt,
    CallExpr,
    CompExpr,
    ConstExpr,
    EnumExpr,
    ForEachStmt,
    IfStmt,
    LetStmt,
    LocalExpr,
    MapCompExpr,
    OperationExpr,
    OriginalExpr,
    ParamExpr,
    PlaceStmt,
    StateExpr,
    TypedExpr,
    TypedStmt,
)
from croupier.records import dataclass
from croupier.semantics.procedures import Hook, Proc, Watcher
from croupier.semantics.program import Program
from croupier.semantics.ranges import NEGATED
from croupier.semantics.walk import bodies, names_any, state_in, statement_call, statements, with_locals

SEVERAL = ("players", "others")  # sources that walk several players
# the local that holds who goes through a block `at once`, which is rewritten to a loop that asks and one that
# acts
AT_ONCE = "$who"
RISING, FALLING = "+", "-"
Asked = tuple[TypedExpr, bool]  # a condition, and its truth


@dataclass(frozen=True, slots=True)
class Change:
    """A change that a statement makes to the state: it adds to or takes from an entry, or makes a list longer
    or shorter.
    """

    name: str
    direction: str  # RISING or FALLING
    span: Span


@dataclass(frozen=True, slots=True)
class Look:
    """An `end when`, or a watcher that ends the game or keeps the first player whom it finds.

    Each of `conditions` stands before that, with the truth that leads to it.
    """

    word: str
    span: Span
    conditions: tuple[Asked, ...]

    def may_act(self, change: Change) -> bool:
        """Tell whether a watcher may end the game, or find its player, because of a change."""
        return any(may_turn(condition, becomes, change) for condition, becomes in self.conditions)


def find_early_ends(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Loops over players that change what an `end when`, or a watcher that ends the game, looks at.

    Proves: the loop walks several players and nobody is asked meanwhile; for each of them it, or what it
    calls, adds to or takes from an entry of the state, which the condition reads, and in the direction in
    which the condition may become true. The game may end with the first of them.

    One report for each statement of the loop.
    """
    looks = [_look(program, w) for w in program.watchers]
    if not any(look.conditions for look in looks):
        return
    for proc, loop in bodies(program):
        if not isinstance(loop, ForEachStmt) or loop.endless:
            continue
        if not walks_several(proc, loop) or _waits(loop):
            continue
        told: set[Span] = set()
        follower = _Follower(program, takes_every_branch=is_at_once(proc, loop))
        for place, change in follower.of_block(loop.blocks[0], {loop.slot}):
            look = next((look for look in looks if look.may_act(change)), None)
            if look is None or place in told:
                continue
            told.add(place)
            yield diagnose(
                "L015", place, word=look.word, name=change.name, labels=_labels(look, change, place)
            )


def _labels(look: Look, change: Change, place: Span) -> tuple[Label, ...]:
    asked = Label(look.span, "this is asked after each change")
    if change.span == place:
        return (asked,)
    return asked, Label(change.span, f"`{change.name}` changes here")


# ---------------------------------------------------------------- loops
def walks_several(proc: Proc, loop: ForEachStmt) -> bool:
    """Tell whether a loop walks several players."""
    source = loop.args[0]
    if isinstance(source, CompExpr):  # `[q for q in players if …]`
        element = source.element
        return (
            source.name == "list"
            and source.sources[0].op in SEVERAL
            and isinstance(element, LocalExpr)
            and element.slot in source.slots
        )
    if isinstance(source, StateExpr):  # a list of the state: `for q in alive`
        return isinstance(source.type, t.Collection) and source.type.base == t.PLAYER
    return source.op in SEVERAL or is_at_once(proc, loop)


def is_at_once(proc: Proc, loop: ForEachStmt) -> bool:
    """Tell whether a loop stands for a block `at once`."""
    source = loop.args[0]
    return isinstance(source, LocalExpr) and proc.slots[source.slot] == AT_ONCE


def _waits(loop: ForEachStmt) -> bool:
    """Tell whether somebody is asked, or chance is, in the loop or in what it calls."""
    return any(s.suspension_point is not None for s in loop.walk())


# ---------------------------------------------------------------- what looks
def _look(program: Program, watcher: Watcher) -> Look:
    """Return when a watcher acts: an `end when` with its condition, a `watch` with those on the ways to a
    `finish`.
    """
    if watcher.kind == "end":
        return Look("end when", watcher.value.span, ((watcher.value, True),))
    value, block, known = _watched(program, watcher)
    conditions = [asked for way in _ways_to_finish(program, block, known, frozenset()) for asked in way]
    if (
        isinstance(value, CompExpr)
        and value.name == "first"
        and value.condition is not None
        and any(_keeps(s) for s in block)
    ):
        conditions.append((value.condition, True))
    return Look("watch", watcher.value.span, tuple(conditions))


def _keeps(s: TypedStmt) -> bool:
    """Tell whether a statement keeps what it found first.

    `found = found otherwise p` gives a state a value that depends on the one it had.
    """
    target = s.target if isinstance(s, AssignStmt) else None
    return isinstance(target, StateExpr) and target.name in state_in(s.args[-1].walk())


def _watched(program: Program, watcher: Watcher) -> tuple[TypedExpr, list[TypedStmt], dict[int, TypedExpr]]:
    """Return what is watched (where each key is watched, an entry), the block that runs, and the local of the
    new value in it with that.
    """
    value, block, new = watcher.value, watcher.proc.body, watcher.slot
    each = _each(program, watcher)
    if each is not None and isinstance(value, MapCompExpr):
        value, block = value.args[-1], each.body
        new = each.params[1].slot if len(each.params) > 1 else None
    return value, block, {} if new is None else {new: value}


def _each(program: Program, watcher: Watcher) -> Proc | None:
    """The procedure that runs for each key that has changed, where each key is watched."""
    if watcher.before is None:
        return None
    call = next(
        (call for s in statements(watcher.proc.body) if (call := statement_call(s)) is not None), None
    )
    return None if call is None else program.procs[call.proc]


def _ways_to_finish(
    program: Program, block: list[TypedStmt], known: dict[int, TypedExpr], above: frozenset[int]
) -> Iterator[tuple[Asked, ...]]:
    """Yield the conditions before each `finish` of a block and of what it calls.

    `known` has values for some locals; `above` are the procedures that this one is called from.
    """
    for s in block:
        if s.facts.leaves is Leaves.GAME:
            yield ()
        call = statement_call(s)
        if call is not None and call.proc not in above:
            proc = program.procs[call.proc]
            given = {p.slot: with_locals(a, known) for p, a in zip(proc.params, call.args, strict=False)}
            yield from _ways_to_finish(program, proc.body, given, above | {call.proc})
        for i, inner in enumerate(s.blocks):
            asked: tuple[Asked, ...] = (
                ((with_locals(s.args[0], known), i == 0),) if isinstance(s, IfStmt) else ()
            )
            yield from ((*asked, *way) for way in _ways_to_finish(program, inner, known, above))


# ---------------------------------------------------------------- what changes
@dataclass(slots=True)
class _Follower:
    """Follows what several players go through, into what it calls and what watchers do because of it.

    `takes_every_branch`: players chose what to do, so any branch may be that of several; else only what all
    go through counts.
    """

    program: Program
    takes_every_branch: bool
    # procedures that are being followed, and their slots
    inside: set[tuple[int, frozenset[int]]] = field(default_factory=set)

    def of_block(self, block: list[TypedStmt], own: Collection[int]) -> Iterator[tuple[Span, Change]]:
        """Changes of entries of a player, who stands in the slots `own`; each with the place of the statement
        of this block.
        """
        slots = set(own)
        for s in block:
            if s.FACTS.exits:
                return
            if isinstance(s, LetStmt) and names_any(s.args[-1], slots):
                slots.add(s.slot)
            change = change_of(s, slots)
            if change is not None:
                yield s.span, change
                yield from ((s.span, later) for later in self.of_watchers(change))
            call = statement_call(s)
            if call is not None:
                yield from ((s.span, change) for change in self.of_call(call, slots))
            for inner in s.blocks:
                if self.goes_into(s, slots):
                    yield from self.of_block(inner, slots)

    def goes_into(self, s: TypedStmt, slots: set[int]) -> bool:
        """Tell whether several players go into the blocks of a statement together."""
        if self.takes_every_branch or s.facts.hides is Hides.EVENTS:
            return True
        return isinstance(s, IfStmt) and _is_same_for_all(s.args[0], slots)

    def of_call(self, call: CallExpr, slots: set[int]) -> Iterator[Change]:
        """The changes that a call makes, with the hooks on it."""
        about = {i for i, a in enumerate(call.args) if names_any(a, slots)}
        proc = self.program.procs[call.proc]
        if not about:
            return
        is_replaced = False
        for hook in [] if isinstance(call, OriginalExpr) else self.program.hooks:
            if (
                hook.target == call.proc
                and hook.component is None
                and hook.kind in ("before", "instead", "after")
            ):
                bound = {a.slot for a in hook.args if a.slot is not None and a.param in about}
                if self.listens(hook, bound):
                    is_replaced |= hook.kind == "instead"
                    yield from self.of_proc(hook.proc, bound)
        if not is_replaced:
            yield from self.of_proc(proc, {p.slot for i, p in enumerate(proc.params) if i in about})

    def listens(self, hook: Hook, slots: set[int]) -> bool:
        """Tell whether a hook listens to the calls for all of the players."""
        if self.takes_every_branch:
            return hook.kind != "instead"
        asked = [a.fixed for a in hook.args if a.fixed is not None]
        if hook.guard is not None and not _is_same_for_all(hook.guard, slots):
            return False
        return hook.kind != "instead" or (not asked and hook.guard is None)

    def of_proc(self, proc: Proc, slots: set[int]) -> Iterator[Change]:
        """The changes of a procedure, in whose slots the player stands."""
        key = proc.index, frozenset(slots)
        if key in self.inside:
            return
        self.inside.add(key)
        for _, change in self.of_block(proc.body, slots):
            yield change
        self.inside.remove(key)

    def of_watchers(self, change: Change) -> Iterator[Change]:
        """Yield the changes that watchers of each key make for a player because their entry changes."""
        for watcher in self.program.watchers:
            each = _each(self.program, watcher)
            if each is None or change.name not in state_in(watcher.value.walk()):
                continue
            _, block, known = _watched(self.program, watcher)
            for s in block:
                if isinstance(s, IfStmt) and may_turn(with_locals(s.args[0], known), True, change):
                    yield from (later for _, later in self.of_block(s.blocks[0], {each.params[0].slot}))


def change_of(s: TypedStmt, slots: set[int]) -> Change | None:
    """Return the change that a statement makes to the entry of the player who stands in one of some slots, or
    to a list by that player; `None` if it makes none.
    """
    if not isinstance(s, PlaceStmt):
        return None
    target = s.target
    if not isinstance(s, AssignStmt):
        if not isinstance(target, StateExpr) or not names_any(s.value, slots):
            return None
        return Change(target.name, RISING if isinstance(s, AddStmt) else FALLING, s.span)
    value = _step(s.value)
    if target.op != "index" or not isinstance(target.args[0], StateExpr) or value.op not in (RISING, FALLING):
        return None
    amount = value.args[1].type
    is_a_step = (
        t.is_alike(value.args[0], target)
        and isinstance(amount, t.Int)
        and amount.low is not None
        and amount.low >= 0
    )
    if not is_a_step or not names_any(target.args[1], slots):
        return None
    return Change(target.args[0].name, value.op, s.span)


def _step(value: TypedExpr) -> TypedExpr:
    """The sum or difference in a value that is assigned: `max(n - 3, 0)` takes away, and `min(n + 3, 9)`
    adds.
    """
    if value.op == "bound":
        value = value.args[0]
    kept = {"max_of": FALLING, "min_of": RISING}.get(value.op)
    return next((a for a in value.args if a.op == kept), value)


def _is_same_for_all(x: TypedExpr, slots: Collection[int]) -> bool:
    """Tell whether a condition has one value for all players of a loop: it names neither them nor anything
    that changes.
    """
    return not names_any(x, slots) and all(
        isinstance(y, (OperationExpr, ConstExpr, LocalExpr, ParamExpr, EnumExpr)) for y in x.walk()
    )


# ---------------------------------------------------------------- which conditions turn
def may_turn(x: TypedExpr, becomes: bool, change: Change) -> bool:
    """Tell whether a condition may get the truth `becomes` because of a change for some, not all, of several
    players.

    False where that is not known.
    """
    if x.op in ("and", "or"):
        return any(may_turn(a, becomes, change) for a in x.args)
    if x.op == "not":
        return may_turn(x.args[0], not becomes, change)
    if isinstance(x, CompExpr):
        one_is_enough = becomes if x.fold.up else not becomes
        return (
            x.fold.kind is FoldKind.SEARCH
            and one_is_enough
            and any(may_turn(a, becomes, change) for a in _asked(x))
        )
    if x.op not in NEGATED or len(x.args) != 2:
        return False
    left, right = x.args
    op = x.op if becomes else NEGATED[x.op]
    if left.op == "list.size":
        left = left.args[0]
    if isinstance(left, StateExpr):
        return left.name == change.name and _passes_on_the_way(op, right, change)
    if isinstance(left, CompExpr):
        return _number_may_turn(left, op, right, change)
    if not _is_entry(left, change):
        return False
    if op == "==":
        return not _is_far_end(left.type, right, change.direction)
    return op in ((">", ">=") if change.direction == RISING else ("<", "<="))


def _asked(x: CompExpr) -> tuple[TypedExpr, ...]:
    """The condition and the element of an aggregate."""
    return x.args[len(x.slots) :]


def _number_may_turn(x: CompExpr, op: str, bound: TypedExpr, change: Change) -> bool:
    """Tell whether a number of players, or the largest or smallest entry, may come to stand beside a bound as
    `op` says.
    """
    if x.fold.kind is FoldKind.EXTREME:
        reached, direction = ((">", ">="), RISING) if x.fold.up else (("<", "<="), FALLING)
        return op in reached and direction == change.direction and _is_entry(x.element, change)
    if x.name not in ("count", "list"):
        return False
    fewer, more = op in ("<", "<="), op in (">", ">=")
    passes_one = op == "==" and isinstance(bound, ConstExpr) and bound.value != 0
    parts = _asked(x)
    return any(
        ((fewer or passes_one) and may_turn(a, False, change)) or (more and may_turn(a, True, change))
        for a in parts
    )


def _is_entry(x: TypedExpr, change: Change) -> bool:
    """Tell whether an expression is the entry of the state that changes."""
    return x.op == "index" and isinstance(x.args[0], StateExpr) and x.args[0].name == change.name


def _passes_on_the_way(op: str, bound: TypedExpr, change: Change) -> bool:
    """Tell whether the size of a list that loses one player after another comes to stand beside a bound
    before the last has left.
    """
    if change.direction == RISING or not isinstance(bound, ConstExpr) or not isinstance(bound.value, int):
        return False
    least = bound.value - 1 if op == "<" else bound.value
    return op in ("<", "<=", "==") and least >= 1


def _is_far_end(kind: t.Type, value: TypedExpr, direction: str) -> bool:
    """Tell whether a value is the bound of a number that it leaves when it changes in a direction."""
    if not isinstance(kind, t.Int) or not isinstance(value, ConstExpr):
        return False
    return value.value == (kind.low if direction == RISING else kind.high)
