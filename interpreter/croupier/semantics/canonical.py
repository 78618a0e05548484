"""Forms of a checked ruleset: the text that its hash is made of, and shapes to be compared.

The canonical form is the same for any layout and comments, another for any other rule. The shape of a ruleset, or of a part of one, is what it is but
for places in texts: parts of equal shape mean the same, wherever they are.
"""

from __future__ import annotations

import dataclasses
from dataclasses import is_dataclass
from typing import Any

from croupier.diagnostics import Source, Span
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.tree import S, X

# ---------------------------------------------------------------- the canonical form
_SPELLED = {"effect": "colour", "suspension_point": "point"}  # names of fields in the text: hashes that were recorded stay
_NOT_HASHED = {"leaks", "span", "doc", "resolved", "cited", "rule_ids", "node", "node_", "tried", "static", "text", "players_default", "switches"}


def canonical_form(program: Program) -> str:
    """One text per meaning: field by field in the order of declaration; sets sorted."""
    out: list[str] = []
    _write(program, out)
    return "".join(out)


_OF_STATEMENTS = ("cites", "cites="), ("suspension_point", "point="), ("suspends", "suspends=")


class _Parts(dict[type, tuple[tuple[str, str], ...] | None]):
    """Of each type the fields of a dataclass that mean something, each with its text; none for other types."""

    def __missing__(self, kind: type) -> tuple[tuple[str, str], ...] | None:
        if issubclass(kind, X):
            return ("op", "op="), ("type", "type="), ("args", "args="), ("details", "data=")
        if issubclass(kind, S):
            return ("op", "op="), ("args", "args="), ("blocks", "blocks="), ("details", "data="), *_OF_STATEMENTS
        fields = dataclasses.fields(kind) if is_dataclass(kind) else ()
        meant = [f.name for f in fields if f.name not in _NOT_HASHED and "derived" not in f.metadata] if is_dataclass(kind) else None
        self[kind] = None if meant is None else tuple((name, _SPELLED.get(name, name) + "=") for name in meant)
        return self[kind]


_PARTS = _Parts()


def _write(value: object, out: list[str]) -> None:
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        out.append(repr(value))
        return
    if kind is Span:
        return
    parts = _PARTS[kind]
    if parts is not None:
        out.append(("X" if issubclass(kind, X) else "S" if issubclass(kind, S) else kind.__name__) + "(")
        for name, text in parts:
            out.append(text)
            _write(getattr(value, name), out)
            out.append(";")
        out.append(")")
    elif isinstance(value, (list, tuple)):
        out.append("[")
        for v in value:
            _write(v, out)
            out.append(",")
        out.append("]")
    elif isinstance(value, dict):
        out.append("{")
        for k, v in value.items():
            _write(k, out)
            out.append(":")
            _write(v, out)
            out.append(";")
        out.append("}")
    elif isinstance(value, (set, frozenset)):
        out.append("{" + ",".join(sorted(map(repr, value))) + "}")
    else:
        out.append(repr(value))


# ---------------------------------------------------------------- shapes
_PLAIN = frozenset({str, int, bool, float, type(None), type})
_LEFT_OUT = {"doc", "node", "tried", "cites", "heading", "groups", "live"}  # what no set-up and no analysis of rules reads
_DECLARED = ("players", "players_by", "players_default", "limits", "enums", "records", "classes", "boards", "params", "zones", "vars", "claims")


class _Fields(dict[type, tuple[str, ...] | None]):
    """Of each class of data the names of the fields that count; none for other classes."""

    def __missing__(self, kind: type) -> tuple[str, ...] | None:
        self[kind] = tuple(f.name for f in dataclasses.fields(kind) if f.name not in _LEFT_OUT) if is_dataclass(kind) else None
        return self[kind]


_FIELDS = _Fields()


def shape(value: Any, places: list[Span] | None = None) -> Any:  # noqa: ANN401 - values of all classes
    """The shape of a value, to be compared with others. `places` takes in the places that are left out, in the order of the value's parts."""
    kind = value.__class__
    if issubclass(kind, X):
        if places is not None:
            places.append(value.span)
        data = value.details
        data = data if data.__class__ in _PLAIN else shape(data, places)
        return (value.op, _type_shape(value.type), data, *[shape(a, places) for a in value.args])
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


_TYPES: dict[int, tuple[object, object]] = {}  # shapes of types by their identity, with the types themselves so that they stay alive
_MOST_TYPES = 10_000


def _type_shape(kind: object) -> object:
    """The shape of a type, which never changes; the places of its bounds do not count."""
    found = _TYPES.get(id(kind))
    if found is None:
        if len(_TYPES) >= _MOST_TYPES:
            _TYPES.clear()
        found = _TYPES[id(kind)] = (kind, shape(kind))
    return found[1]


def declared(program: Program) -> Any:  # noqa: ANN401 - values of all classes
    """The shape of what a program declares, with the types of all locals: whatever a set-up reads."""
    slots = [(proc.slots, shape(proc.slot_types)) for proc in program.procs]
    return (*[shape(getattr(program, name)) for name in _DECLARED], slots)


def signature(proc: Proc) -> object:
    """The shape of what others see of a procedure."""
    return (proc.name, proc.kind, shape(proc.params), shape(proc.returns), proc.nested, frozenset(proc.calls), frozenset(proc.opens))


def listeners(program: Program) -> object:
    """The shape of hooks and watchers without their bodies."""
    hooks = [shape([getattr(h, name) for name in _FIELDS[h.__class__] or () if name != "proc"]) + (h.proc.index,) for h in program.hooks]
    return hooks, [(shape(w.value), w.kind, w.slot, w.proc.index) for w in program.watchers]
