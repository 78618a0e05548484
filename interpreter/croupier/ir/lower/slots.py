"""The slots of a procedure with their roles: which are parameters, and what the hidden ones are for."""

from __future__ import annotations

from croupier.ir.slots import COUNTER, PLACES, SEATS, Slot
from croupier.semantics import types as t
from croupier.semantics.tree import Choice, Hook, Proc, S
from croupier.semantics.types import Type
from croupier.semantics.walk import statements


def hidden(s: S) -> dict[int, tuple[str, Type | None]]:
    """The hidden slots of one statement: role, and type where the typed tree has none that is exact."""
    match s.op:
        case "for" | "turns":
            return {s.data[1]: ("items", None), s.data[2]: ("at", COUNTER)}
        case "draw":
            return {s.data[0]: ("left", COUNTER)}
        case "roll":
            return {s.data[1]: ("left", None)}
        case "so_that":
            return {s.data[2]: ("so", t.BOOL)}
        case "secretly":
            return {s.data: ("viewer", SEATS)}
        case "menu":
            return {s.data.used: ("used", PLACES)}
        case "choose":
            c: Choice = s.data[0]
            if c.picked < 0:
                return {}
            return {c.picked: ("places", PLACES) if c.many else ("picked", t.Map(t.PLAYER, t.Optional(c.base)))}
    return {}


def slots_of(proc: Proc, hook: Hook | None) -> list[Slot]:
    """The slots of a procedure, under their numbers."""
    roles: dict[int, tuple[str, Type | None]] = {q.slot: ("param", None) for q in proc.params}
    roles |= dict.fromkeys(taken(hook), ("param", None))
    for s in statements(proc.body):
        roles |= hidden(s)
    if proc.kind == "window":
        names = {"$asked": ("asked", t.list_of(t.PLAYER)), "$cursor": ("cursor", COUNTER), "$used": ("used", PLACES)}
        roles |= {i: names[n] for i, n in enumerate(proc.slots) if n in names}
    if hook is not None and hook.original_slot is not None:
        roles[hook.original_slot] = ("chain", t.list_of(t.INT))
    out = []
    for i, (name, kind) in enumerate(zip(proc.slots, proc.slot_types, strict=True)):
        role, exact = roles.get(i, ("local", None))
        out.append(Slot(i, name, exact or kind, role))
    return out


def taken(hook: Hook | None) -> tuple[int, ...]:
    """What is filled in before a hook runs: whose it is, and the arguments that its pattern binds."""
    if hook is None:
        return ()
    fixed = (hook.self_slot, hook.owner_slot, hook.here_slot, hook.result_slot)
    return tuple(sorted(i for i in (*fixed, *(a.slot for a in hook.args)) if i is not None))
