"""Dataclasses that are quick to define: what Python's own writes and compiles at once is written when it is first used.

    from croupier.records import dataclass

A type checker sees `dataclasses.dataclass`, and so does whoever asks `fields`, `replace` or `is_dataclass`; what `__init__`, `__eq__`,
`__hash__` and `__repr__` do is the same. Most of the classes of a command are never compared or shown, and many are never made: defining
two hundred took a sixth of the time of `croupier check`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True) -> Any:
        """`dataclasses.dataclass` with these options and no others. It cannot be mixed with that in one family of classes."""
        if cls is None:
            return lambda later: _record(later, frozen, slots, eq)
        return _record(cls, frozen, slots, eq)


__all__ = ["dataclass"]
_MISSING = dataclasses.MISSING
_Writer = Callable[[Any, type], tuple[str, dict[str, Any]]]


def _record(cls: type, frozen: bool, slots: bool, eq: bool) -> type:
    own = cls.__dict__
    left = {name for name in ("__init__", "__eq__", "__repr__") if name in own}
    unhashed = own.get("__hash__") is None if "__eq__" in own else "__hash__" not in own
    if cls.__doc__ is None:
        cls.__doc__ = f"{cls.__name__}(…)"  # otherwise Python works out its signature
    made: type = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    for name, write in (("__init__", _init_frozen if frozen else _init), ("__repr__", _repr), ("__eq__", _eq)):
        if name not in left and (eq or name != "__eq__"):
            _when_used(made, name, write)
    if eq and unhashed:
        if frozen:
            _when_used(made, "__hash__", _hash)
        else:
            made.__hash__ = None  # type: ignore[assignment]
    if frozen:
        _freeze(made, slots)
    return made


def _when_used(cls: Any, name: str, write: _Writer) -> None:
    """A method that is written when it is first called."""

    def first(self: Any, /, *positional: Any, **named: Any) -> Any:
        text, known = write(dataclasses.fields(cls), cls)
        made: dict[str, Any] = {}
        exec(compile(text, f"<{name} of {cls.__qualname__}>", "exec"), known, made)  # names of fields and nothing else
        function = made[name]
        function.__qualname__ = f"{cls.__qualname__}.{name}"
        if vars(cls).get(name) is first:
            setattr(cls, name, function)
        return function(self, *positional, **named)

    first.__name__, first.__qualname__ = name, f"{cls.__qualname__}.{name}"
    setattr(cls, name, first)


def _init(fields: Any, cls: type) -> tuple[str, dict[str, Any]]:
    return _init_text(fields, cls, lambda f, value, known: f"self.{f.name} = {value}")


def _init_frozen(fields: Any, cls: type) -> tuple[str, dict[str, Any]]:
    """A slot is filled by its own setter, which takes two thirds of the time that `object.__setattr__` takes."""

    def store(f: Any, value: str, known: dict[str, Any]) -> str:
        slot = getattr(cls, f.name, None)
        if not isinstance(slot, MemberDescriptorType):
            return f"_set(self, {f.name!r}, {value})"
        known[f"_set_{f.name}"] = slot.__set__
        return f"_set_{f.name}(self, {value})"

    return _init_text(fields, cls, store)


def _init_text(fields: Any, cls: type, store: Callable[[Any, str, dict[str, Any]], str]) -> tuple[str, dict[str, Any]]:
    known: dict[str, Any] = {"_set": object.__setattr__, "_MISSING": _MISSING}
    words, lines = ["self"], []
    for f in fields:
        value = f.name
        if f.default_factory is not _MISSING:
            known[f"_make_{f.name}"] = f.default_factory
            value = f"_make_{f.name}()"
            if f.init:
                words.append(f"{f.name}=_MISSING")
                value = f"{value} if {f.name} is _MISSING else {f.name}"
        elif f.default is not _MISSING:
            known[f"_default_{f.name}"] = f.default
            if not f.init:
                continue
            words.append(f"{f.name}=_default_{f.name}")
        else:
            words.append(f.name)
        lines.append(store(f, value, known))
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    return f"def __init__({', '.join(words)}):\n" + "".join(f"    {line}\n" for line in lines or ["pass"]), known


def _eq(fields: Any, cls: type) -> tuple[str, dict[str, Any]]:
    names = [f.name for f in fields if f.compare]
    mine, theirs = (_tuple(of, names) for of in ("self", "other"))
    return f"def __eq__(self, other):\n    return {mine} == {theirs} if other.__class__ is self.__class__ else NotImplemented\n", {}


def _hash(fields: Any, cls: type) -> tuple[str, dict[str, Any]]:
    names = [f.name for f in fields if (f.compare if f.hash is None else f.hash)]
    return f"def __hash__(self):\n    return hash({_tuple('self', names)})\n", {}


def _tuple(of: str, names: list[str]) -> str:
    return f"({''.join(f'{of}.{name}, ' for name in names)})"


def _repr(fields: Any, cls: type) -> tuple[str, dict[str, Any]]:
    shown = ", ".join(f"{f.name}={{self.{f.name}!r}}" for f in fields if f.repr)
    text = f"@_once()\ndef __repr__(self):\n    return f'{{self.__class__.__qualname__}}({shown})'\n"
    from reprlib import recursive_repr

    return text, {"_once": recursive_repr}


def _freeze(cls: Any, slots: bool) -> None:
    """Nothing is assigned to fields, nor to anything else of this very class."""
    names = frozenset(f.name for f in dataclasses.fields(cls))

    def assign(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    cls.__setattr__, cls.__delattr__ = assign, delete
    if slots:
        cls.__getstate__, cls.__setstate__ = _state, _restore


def _state(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for f, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, f.name, value)
