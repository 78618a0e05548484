"""Live variable analysis: backwards through structured code, to a fixed point.

A frame keeps the locals that are live at a wait, and those that frame maps name.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.operations import Body
from croupier.core.types import CoreProgram
from croupier.core.walk import locals_of, reads

Names = frozenset[str]
NOTHING: Names = frozenset()


def live_at_start(program: CoreProgram) -> dict[int, Names]:
    """The locals that are live at the beginning of each state."""
    at = dict.fromkeys(program.states, NOTHING)
    order = list(reversed(list(program.states.values())))
    changed = True
    while changed:
        changed = False
        for state in order:
            found = live(state.body, NOTHING, at, NOTHING, NOTHING)
            if found != at[state.number]:
                at[state.number], changed = found, True
    return at


def live(body: Body, out: Names, at: dict[int, Names], leave: Names, again: Names) -> Names:
    """Live before a body: `out` after it, `leave` behind and `again` at the head of the loop around it."""
    return _live(body, out, at, leave, again, {})


Heads = dict[int, Names]
"""What is live at the heads of loops as far as it is known: what comes in only grows, so a loop that is met again goes on from there. Otherwise the
rounds would double with each loop that stands in another."""


def _live(body: Body, out: Names, at: dict[int, Names], leave: Names, again: Names, heads: Heads) -> Names:
    for s in reversed(body):
        match s:
            case op.Set(name):
                out = (out - {name}) | reads(s)
            case op.If(_, then, otherwise):
                out = _live(then, out, at, leave, again, heads) | _live(otherwise, out, at, leave, again, heads) | reads(s)
            case op.Switch(_, cases, otherwise):
                found = [_live(block, out, at, leave, again, heads) for block in (otherwise, *(case.body for case in cases))]
                out = NOTHING.union(*found) | reads(s)
            case op.Memo(words, _, inner):
                out = _live(inner, out, at, leave, again, heads) | frozenset(words)
            case op.Loop(inner):
                out = _head(inner, NOTHING, out, at, NOTHING, heads)
            case op.For(name, _, _, inner) | op.Each(name, _, inner):
                out = _head(inner, out, out, at, frozenset({name}), heads) | reads(s)
            case op.Break():
                out = leave
            case op.Continue():
                out = again
            case op.Goto(state):
                out = at[state]
            case op.Wait(next=-1, keeps=keeps):  # not cut: it goes on
                out = out | frozenset(keeps) | reads(s)
            case op.Enter(next=-1, keeps=keeps, results=results):
                out = (out - frozenset(results)) | frozenset(keeps) | reads(s)
            case op.Ahead(name, active, body=inner):
                out = (out - {name, active}) | _live(inner, out, at, leave, again, heads)
            case op.Wait(next=state, keeps=keeps) | op.Enter(next=state, keeps=keeps):
                out = at[state] | frozenset(keeps) | reads(s)
            case op.Return():
                out = reads(s)
            case op.Leave() | op.Finish() | op.Fail() | op.DeadEnd():
                out = NOTHING
            case op.Explore(name, state=state):
                out = (out - {name}) | at[state]
            case op.Call(results=results):
                out = (out - frozenset(results)) | reads(s)
            case op.Try(name, inner, word):
                needed = frozenset(locals_of(word))
                out = (out - {name}) | _live(inner, needed, at, NOTHING, NOTHING, heads)
            case _:
                out = out | reads(s)
    return out


def _head(body: Body, past: Names, out: Names, at: dict[int, Names], sets: Names, heads: Heads) -> Names:
    """Live at the head of a loop: rounds until nothing is added."""
    head = past | heads.get(id(body), NOTHING)
    while True:
        found = past | (_live(body, head, at, out, head, heads) - sets)
        if found == head:
            heads[id(body)] = head
            return head
        head = found
