"""A machine of the evaluator, made of a position in native code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.backends.native import plan as p
from croupier.backends.native.batch import Native
from croupier.runtime.hooks import STAGES
from croupier.runtime.machine import Frame, Machine
from croupier.semantics import types as t


class Unwritten(Exception):
    """A position holds a text that native code did not make: nobody there reads it."""


def machine_of(native: Native, words: Sequence[int]) -> Machine:
    """The machine that stands where the position of these words does. Raises `Unwritten`."""
    game, printer = native.game, native.layout
    plan = printer.plan

    def gathered(words: Sequence[int], at: int, kind: t.Type) -> Any:
        if printer.words.holds_text(kind):
            raise Unwritten
        return printer.words.gathered(words, at, kind)

    m = Machine(game)
    m.vars = [gathered(words, plan.vars[v.index], v.type) for v in game.variables]
    m.zones = [native.zone(words, z) for z in range(len(game.places))]
    m.where = list(words[plan.where : plan.where + len(game.pieces)])
    for k, w in enumerate(printer.module.watchers):
        kind = game.program.watchers[w.index].value.type
        m.seen_values.append(gathered(words, plan.seen[k], kind) if w.kind == "watch" else None)
    at = words[p.FRAME]
    while at:
        if words[at + 1] in native.around_at:
            if any(printer.words.holds_text(kind) for kind in printer.hooks.kinds(native.around_at[words[at + 1]])):
                raise Unwritten
            m.frames.insert(0, _around(native, words, at))
            at = words[at]
            continue
        site = native.site_at[words[at + 1]]
        proc = game.code.procs[site.routine.index]
        slots: list[Any] = [None] * proc.slots
        known = printer.known(site.routine)
        for s in site.live:
            kind = site.routine.slots[s].type
            slots[s] = known[s] if s in known else gathered(words, at + plan.frames[site.routine.index].slots[s], kind)
            if site.routine.slots[s].role == "chain" and slots[s] is not None:
                slots[s] = tuple(map(printer.hooks.keys.read, slots[s]))
            if site.routine.slots[s].role == "picked":
                slots[s] = tuple((seat, v) for seat, v in enumerate(slots[s]) if v is not None)
        m.frames.insert(0, Frame(proc, proc.points[site.point], slots, None if words[at + 2] < 0 else words[at + 2]))
        at = words[at]
    m.result = native.result(words)
    m.refuel()
    return m


def _around(native: Native, words: Sequence[int], at: int) -> Frame:
    """The frame of a call with hooks."""
    code = native.game.code.hooks.dispatch_code
    target = native.around_at[words[at + 1]]
    plan, gathered, hooks = native.layout.plan.arounds[target], native.layout.words.gathered, native.layout.hooks
    args = tuple(gathered(words, at + place, kind) for place, kind in zip(plan.args, hooks.kinds(target), strict=True))
    stage, returns, value = words[at + p.STAGE], native.layout.module.routines[target].returns, None
    rest = tuple(hooks.keys.read(key) for key in words[at + plan.rest + 1 : at + plan.rest + 1 + words[at + plan.rest]])
    if STAGES.index("call") < stage and not isinstance(returns, t.Nothing):
        value = gathered(words, at + plan.value, returns)
    slots: list[Any] = [target, args, stage, None if STAGES[stage] == "call" else rest, value]
    return Frame(code, code.points[0], slots, None if words[at + 2] < 0 else words[at + 2])
