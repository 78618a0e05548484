"""The shape of a checked ruleset, or of a part of one: what it is but for places in texts. Parts of equal shape mean the same, wherever they are."""

from __future__ import annotations

import dataclasses
from dataclasses import is_dataclass
from typing import Any

from croupier.diagnostics import Source, Span
from croupier.semantics.program import Program
from croupier.semantics.tree import Proc, X

_PLAIN = frozenset({str, int, bool, float, type(None), type})
_LEFT_OUT = {"doc", "node", "tried", "cites", "heading", "live"}  # what no set-up and no analysis of rules reads
_DECLARED = ("players", "players_by", "players_default", "limits", "enums", "records", "classes", "boards", "params", "zones", "vars", "claims")


class _Fields(dict[type, tuple[str, ...] | None]):
    """Of each class of data the names of the fields that count; none for other classes."""

    def __missing__(self, kind: type) -> tuple[str, ...] | None:
        self[kind] = tuple(f.name for f in dataclasses.fields(kind) if f.name not in _LEFT_OUT) if is_dataclass(kind) else None
        return self[kind]


_FIELDS = _Fields()


def shape(value: Any, places: list[Span] | None = None) -> Any:
    """The shape of a value, to be compared with others. `places` takes in the places that are left out, in the order of the value's parts."""
    kind = value.__class__
    if kind is X:
        if places is not None:
            places.append(value.span)
        data = value.data
        data = data if data.__class__ in _PLAIN else shape(data, places)
        return (value.op, shape(value.type, places), data, *[shape(a, places) for a in value.args])
    if kind in _PLAIN:
        return value
    if kind is Span:
        if places is not None:
            places.append(value)
        return Span
    if kind is Source:
        return Source
    if isinstance(value, (tuple, list)):
        return (kind, *[shape(v, places) for v in value])
    if isinstance(value, dict):
        return tuple([(shape(k, places), shape(v, places)) for k, v in value.items()])
    if isinstance(value, (set, frozenset)):
        return frozenset([shape(v) for v in value])
    names = _FIELDS[kind]
    return repr(value) if names is None else (kind, *[shape(getattr(value, name), places) for name in names])


def declared(program: Program) -> Any:
    """The shape of what a program declares, with the types of all locals: whatever a set-up reads."""
    slots = [(proc.slots, shape(proc.slot_types)) for proc in program.procs]
    return (*[shape(getattr(program, name)) for name in _DECLARED], slots)


def signature(proc: Proc) -> Any:
    """The shape of what others see of a procedure."""
    return (proc.name, proc.kind, shape(proc.params), shape(proc.returns), proc.nested, frozenset(proc.calls), frozenset(proc.opens))


def listeners(program: Program) -> Any:
    """The shape of hooks and watchers without their bodies."""
    hooks = [shape([getattr(h, name) for name in _FIELDS[h.__class__] or () if name != "proc"]) + (h.proc.index,) for h in program.hooks]
    return hooks, [(shape(w.value), w.kind, w.slot, w.proc.index) for w in program.watchers]
