"""The pseudo-procedure that runs hooks around a call, one stage after another."""

from __future__ import annotations

from typing import Any

from croupier.runtime.game import Value
from croupier.runtime.hooks import Hooks
from croupier.runtime.machine import Frame, Machine
from croupier.runtime.operations import Op
from croupier.semantics.tree import Proc

TARGET, ARGS, STAGE, REST, VALUE = range(5)
STAGES = ("before", "call", "adjust", "after", "end")


class DispatchOp(Op):
    """Runs, one after another: `before` hooks, the chain of `instead of` or the call itself, `adjust` and `after` hooks.

    Its frame holds the call, the stage it is in, what of that stage is still to run, and the value so far.
    """

    point = 0

    def __init__(self, hooks: Hooks) -> None:
        self.hooks = hooks

    def run(self, m: Machine, fr: Frame) -> Any:
        L, hooks = fr.L, self.hooks
        target, args, stage, rest = L[TARGET], list(L[ARGS]), STAGES[L[STAGE]], L[REST]
        span = hooks.game.program.procs[target].span
        m.burn(span)
        if stage == "call":
            if rest is None:
                self.begin(m, L)
            else:
                L[REST] = None
                hooks.push_instead(m, target, args, rest, fr.viewer, span)
        elif stage == "end":
            m.leave(L[VALUE], [args[i] for i in hooks.var_places(target)])
        elif not rest:
            self.begin(m, L)
        elif stage == "adjust":
            L[REST] = rest[1:]
            match = hooks.adjusts(m, rest[0], args, L[VALUE])
            if match is not None:
                hooks.push_match(m, match, fr.viewer)
        else:
            L[REST] = rest[1:]
            hooks.push_match(m, hooks.rebuild(rest[0], args), fr.viewer)

    def begin(self, m: Machine, L: list[Value]) -> None:
        """Go on to the next stage: which of its hooks run is settled now."""
        L[STAGE] += 1
        kind = {"call": "instead"}.get(STAGES[L[STAGE]], STAGES[L[STAGE]])
        L[REST] = self.hooks.keys(m, L[TARGET], kind, list(L[ARGS]))

    def returned(self, m: Machine, fr: Frame, value: Value) -> None:
        """A step has ended: its `var` parameters are those of the call; the main step and `adjust` give the value."""
        L, args = fr.L, list(fr.L[ARGS])
        self.hooks.changed(m, self.hooks.var_places(L[TARGET]), args)
        L[ARGS] = tuple(args)
        if STAGES[L[STAGE]] in ("call", "adjust"):
            L[VALUE] = value


def dispatch_proc(span: Any) -> Proc:
    """The procedure whose frame runs the hooks around a call."""
    return Proc(-2, "hooks", "dispatch", span, slots=["$target", "$args", "$stage", "$rest", "$value"])
