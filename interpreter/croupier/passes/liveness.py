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
    return _Liveness(at).body(body, out, leave, again, ())


Path = tuple[int, ...]


class _Liveness:
    """Live variables of one body. `heads`: what is live at the heads of loops as far as it is known, by the path of the loop.

    What comes in at a head only grows, so a loop that is met again goes on from there; otherwise the rounds would double with each loop that stands
    in another. The path tells loops apart that are one object, as the copies of an unrolled loop are.
    """

    def __init__(self, at: dict[int, Names]) -> None:
        self.at = at
        self.heads: dict[Path, Names] = {}

    def body(self, body: Body, out: Names, leave: Names, again: Names, path: Path) -> Names:
        """Live before a body."""
        at = self.at
        for k in range(len(body) - 1, -1, -1):
            s = body[k]
            match s:
                case op.Set(name):
                    out = (out - {name}) | reads(s)
                case op.If(_, then, otherwise):
                    out = self.body(then, out, leave, again, (*path, k, 0)) | self.body(otherwise, out, leave, again, (*path, k, 1)) | reads(s)
                case op.Switch(_, cases, otherwise):
                    branches = (otherwise, *(case.body for case in cases))
                    out = NOTHING.union(*(self.body(b, out, leave, again, (*path, k, n)) for n, b in enumerate(branches))) | reads(s)
                case op.Memo(words, _, inner):
                    out = self.body(inner, out, leave, again, (*path, k)) | frozenset(words)
                case op.Loop(inner):
                    out = self.head(inner, NOTHING, out, NOTHING, (*path, k))
                case op.For(name, _, _, inner) | op.Each(name, _, inner):
                    out = self.head(inner, out, out, frozenset({name}), (*path, k)) | reads(s)
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
                    out = (out - {name, active}) | self.body(inner, out, leave, again, (*path, k))
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
                    out = (out - {name}) | self.body(inner, frozenset(locals_of(word)), NOTHING, NOTHING, (*path, k))
                case _:
                    out = out | reads(s)
        return out

    def head(self, body: Body, past: Names, out: Names, sets: Names, path: Path) -> Names:
        """Live at the head of a loop: rounds until nothing is added."""
        head = past | self.heads.get(path, NOTHING)
        while True:
            found = past | (self.body(body, head, out, head, path) - sets)
            if found == head:
                self.heads[path] = head
                return head
            head = found
