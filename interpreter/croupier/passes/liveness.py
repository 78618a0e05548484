"""Live variable analysis of structured code, without a fixed point but that over states.

A statement is summed up once: the locals that it reads before it sets them, and for each way out of it the
locals that are certainly set on that way. What is live before it follows from what is live where these ways
lead. A loop needs no second round: what is live at its head is what its body reads first, and what is live
behind it and not set on the way there. Sums are cached in the operations, which are immutable.

A frame keeps the locals that are live at a wait, and those that frame maps name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from croupier.core import operations as op
from croupier.core.operations import Body, Statement
from croupier.core.types import CoreProgram, Function
from croupier.core.walk import arrays, cached, locals_of, reads, sets, statements

Names = frozenset[str]
NOTHING: Names = frozenset()
Way = int  # where control goes: to the state of this number, or
NEXT, BEHIND, AGAIN = -1, -2, -3  # to the next statement, behind the loop around, to its head


@dataclass(frozen=True, slots=True)
class Summary:
    """The effect of a piece of code on liveness: the locals that it `needs`, and those that it sets on every
    path of each way out.
    """

    needs: Names
    ways: dict[Way, Names]


def live_at_start(program: CoreProgram) -> dict[int, Names]:
    """The locals that are live at the beginning of each state."""
    at = dict.fromkeys(program.states, NOTHING)
    order = [(state.number, _of_body(state.body)) for state in reversed(list(program.states.values()))]
    changed = True
    while changed:
        changed = False
        for number, summary in order:
            found = _live_before(summary, NOTHING, at, NOTHING, NOTHING)
            if found != at[number]:
                at[number], changed = found, True
    return at


def kept_in_frames(
    program: CoreProgram, f: Function, live: Mapping[int, Names]
) -> tuple[list[str], dict[str, int]]:
    """What frames of a function that waits keep, in order: the locals that are `live` where a state begins
    or that frame maps name; with their sizes, the arrays that several states use or that are no temporaries.
    """
    states = [s for s in program.states.values() if s.function == f.name]
    words = {name for s in states for name in live[s.number]}
    waits = (w for s in states for w in statements(s.body) if isinstance(w, (op.Wait, op.Enter)))
    words.update(name for w in waits for name in w.keeps)
    used = Counter(name for s in states for name in arrays(s.body))
    kept = {n: size for n, size in f.arrays.items() if used[n] > 1 or not n.partition("_")[2]}
    return sorted(words), kept


def live(body: Body, out: Names, at: dict[int, Names], leave: Names, again: Names) -> Names:
    """Live before a body: `out` after it, `leave` behind and `again` at the head of the loop around it, `at`
    the beginning of each state.
    """
    return _live_before(_of_body(body), out, at, leave, again)


def _live_before(summary: Summary, out: Names, at: dict[int, Names], leave: Names, again: Names) -> Names:
    beyond = {NEXT: out, BEHIND: leave, AGAIN: again}
    found = set(summary.needs)
    for way, is_set in summary.ways.items():
        found |= (beyond[way] if way < 0 else at[way]) - is_set
    return frozenset(found)


def _of_body(body: Body) -> Summary:
    """The summary of a sequence of statements, from its end."""
    needs: set[str] = set()
    ways: dict[Way, set[str]] = {NEXT: set()}
    for s in reversed(body):
        first = _of_statement(s)
        passed = first.ways.get(NEXT)
        if passed is None:
            needs, ways = set(first.needs), {}
        else:
            needs -= passed
            needs |= first.needs
            for is_set in ways.values():
                is_set |= passed
        for way, is_set_first in first.ways.items():
            if way == NEXT:
                continue
            if way in ways:
                ways[way] &= is_set_first
            else:
                ways[way] = set(is_set_first)
    return Summary(frozenset(needs), {way: frozenset(is_set) for way, is_set in ways.items()})


def _of_statement(s: Statement) -> Summary:
    """The summary of a statement, found once."""
    try:
        return s._summary  # type: ignore[union-attr, no-any-return]
    except AttributeError:
        return cached(s, "_summary", _summary(s))


def _summary(s: Statement) -> Summary:
    match s:
        case op.If(_, then, otherwise):
            return _either(reads(s), [_of_body(then), _of_body(otherwise)])
        case op.Switch(_, cases, otherwise):
            return _either(reads(s), [_of_body(otherwise), *(_of_body(case.body) for case in cases)])
        case op.Memo(words, _, inner):
            return _either(frozenset(words), [_of_body(inner)])
        case op.Loop(inner):
            found = _of_body(inner)
            ways = {way: is_set for way, is_set in found.ways.items() if way >= 0}
            return Summary(found.needs, ways | ({NEXT: found.ways[BEHIND]} if BEHIND in found.ways else {}))
        case op.For(name, body=inner) | op.Each(name, body=inner):
            found = _of_body(inner)
            ways = {way: is_set | {name} for way, is_set in found.ways.items() if way >= 0}
            return Summary((found.needs - {name}) | reads(s), ways | {NEXT: NOTHING})
        case op.Ahead(name, active, body=inner):
            return _either(NOTHING, [_of_body(inner), Summary(NOTHING, {NEXT: frozenset({name, active})})])
        case op.Try(name, inner, word):
            found = _of_body(inner)
            needs = found.needs | (
                frozenset(locals_of(word)) - found.ways[NEXT] if NEXT in found.ways else NOTHING
            )
            return Summary(
                needs,
                {way: is_set for way, is_set in found.ways.items() if way >= 0} | {NEXT: frozenset({name})},
            )
        case op.Break():
            return Summary(NOTHING, {BEHIND: NOTHING})
        case op.Continue():
            return Summary(NOTHING, {AGAIN: NOTHING})
        case op.Goto(state):
            return Summary(NOTHING, {state: NOTHING})
        case op.Wait(next=state, keeps=keeps):  # -1 where it is not cut: it goes on
            return Summary(frozenset(keeps) | reads(s), {NEXT if state == -1 else state: NOTHING})
        case op.Enter(next=-1, keeps=keeps, results=results):
            return Summary(frozenset(keeps) | reads(s), {NEXT: frozenset(results)})
        case op.Enter(next=state, keeps=keeps):
            return Summary(frozenset(keeps) | reads(s), {state: NOTHING})
        case op.Return():
            return Summary(reads(s), {})
        case op.Leave() | op.Finish() | op.Fail() | op.DeadEnd():
            return Summary(NOTHING, {})
        case op.Explore(name, state=state):
            return Summary(NOTHING, {NEXT: frozenset({name}), state: NOTHING})
    return Summary(reads(s), {NEXT: frozenset(sets(s))})


def _either(needs: Names, branches: list[Summary]) -> Summary:
    """The summary of something that needs locals and then takes one of several branches."""
    ways: dict[Way, Names] = {}
    for branch in branches:
        for way, is_set in branch.ways.items():
            ways[way] = ways[way] & is_set if way in ways else is_set
    return Summary(needs.union(*(branch.needs for branch in branches)), ways)
