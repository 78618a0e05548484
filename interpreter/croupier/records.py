"""Dataclasses whose methods are written when they are first used.

`dataclasses.dataclass` writes up to six methods of a class as text and compiles them while its module is
imported: half a millisecond of processor for each class. To check a ruleset hundreds of classes are imported,
of which a short one needs a few dozen. `dataclass` of this module takes the same arguments, but for `order`
and the like, and makes classes that behave the same. What is written, and when:

    __init__, __eq__, __hash__                  at the first call, for that class
    __dataclass_fields__, __dataclass_params__  when somebody asks, for example `dataclasses.fields`
    __repr__, what refuses changes, pickling    never: one function serves all classes

A class may inherit from other classes of this kind, not from those of `dataclasses`. There are no `InitVar`
and no `KW_ONLY`. For type checkers it is `dataclasses.dataclass` itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError
from inspect import get_annotations
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass

_FORM = "__record_form__"


class _Form:
    """The declaration of a class: its own fields with their defaults (or `Field`, or `MISSING`), and the
    options of the decorator.
    """

    __slots__ = ("own", "slots", "frozen", "eq", "repr", "kw_only")

    def __init__(
        self, own: dict[str, object], *, slots: bool, frozen: bool, eq: bool, repr: bool, kw_only: bool
    ) -> None:
        self.own = own
        self.slots = slots
        self.frozen = frozen
        self.eq = eq
        self.repr = repr
        self.kw_only = kw_only

    def is_positional(self, name: str) -> bool:
        """Tell whether an own field may be given by its position."""
        default = self.own[name]
        if not isinstance(default, Field):
            return not self.kw_only
        kw_only = self.kw_only if default.kw_only is MISSING else default.kw_only
        return default.init and not kw_only

    def declared(self, name: str) -> Field[Any]:
        """Return the declaration of an own field; `kw_only` and its name may be missing there."""
        default: Any = self.own[name]
        if isinstance(default, Field):
            return default
        made: Field[Any] = dataclasses.field(default=default)
        return made


def _decorated(cls: type, form: _Form) -> type:
    """The class with methods that are still to be written; it is another one if it gets slots for its
    fields.
    """
    positional: dict[str, bool] = {}
    for base in reversed(cls.__mro__[1:]):
        inherited = base.__dict__.get(_FORM)
        if inherited is not None:
            positional.update((name, inherited.is_positional(name)) for name in inherited.own)
        elif "__dataclass_fields__" in base.__dict__:
            raise TypeError(
                f"{cls.__qualname__} inherits from {base.__qualname__}, which is a dataclass of another kind"
            )
    new = tuple(name for name in form.own if name not in positional)
    positional.update((name, form.is_positional(name)) for name in form.own)
    made = _with_slots(cls, form, new) if form.slots else _with_defaults(cls, form)
    setattr(made, _FORM, form)
    setattr(made, "__match_args__", tuple(name for name, is_first in positional.items() if is_first))  # noqa: B010 - mypy takes it for final
    _add_methods(made, form, set(cls.__dict__))
    return made


def _with_slots(cls: type, form: _Form, names: tuple[str, ...]) -> type:
    """The class made again, with slots of these names; the defaults of its fields go."""
    namespace = {
        name: value
        for name, value in cls.__dict__.items()
        if name not in form.own and name not in ("__dict__", "__weakref__")
    }
    made: type = type(cls)(cls.__name__, cls.__bases__, {**namespace, "__slots__": names})
    made.__qualname__ = cls.__qualname__
    return made


def _with_defaults(cls: type, form: _Form) -> type:
    """The class itself, of which an attribute that describes a field is the default of that field, or
    goes.
    """
    for name, default in form.own.items():
        if isinstance(default, Field):
            if default.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, default.default)
    return cls


def _add_methods(cls: Any, form: _Form, declared: set[str]) -> None:  # noqa: ANN401 - a class that gets attributes
    """Give a class what `dataclasses.dataclass` would, but for what it declares itself."""
    cls.__dataclass_fields__ = _Attribute("__dataclass_fields__", _fields_of, cls)
    cls.__dataclass_params__ = _Attribute("__dataclass_params__", _params_of, cls)
    if "__init__" not in declared:
        cls.__init__ = _later(cls, "__init__", _init_of)
    if form.repr and "__repr__" not in declared:
        cls.__repr__ = _repr
    if form.eq and "__eq__" not in declared:
        cls.__eq__ = _later(cls, "__eq__", _eq_of)
    if form.eq and cls.__dict__.get("__hash__") is None:  # `__eq__` alone makes it None
        cls.__hash__ = _later(cls, "__hash__", _hash_of) if form.frozen else None
    if form.frozen:
        cls.__setattr__, cls.__delattr__ = _refuse_setting, _refuse_deleting
    if form.frozen and form.slots and declared.isdisjoint(("__getstate__", "__setstate__")):
        cls.__getstate__, cls.__setstate__ = _getstate, _setstate


def _later(cls: type, name: str, write: Callable[[type], Callable[..., Any]]) -> Callable[..., Any]:
    """A method that writes the method of that name when it is called, puts it in its own place, and calls
    it.
    """

    def first(self: object, *args: object, **named: object) -> Any:  # noqa: ANN401 - whatever the method gives
        method = write(cls)
        setattr(cls, name, method)
        return method(self, *args, **named)

    first.__name__, first.__qualname__ = name, f"{cls.__qualname__}.{name}"
    return first


class _Attribute:
    """An attribute of a class that is made when somebody asks, and then stands in its place."""

    __slots__ = ("name", "make", "cls")

    def __init__(self, name: str, make: Callable[[type], object], cls: type) -> None:
        self.name, self.make, self.cls = name, make, cls

    def __get__(self, instance: object, owner: type) -> object:
        value = self.make(self.cls)
        setattr(self.cls, self.name, value)
        return value


# ---------------------------------------------------------------- what is written
def _declared(cls: type) -> dict[str, tuple[Field[Any], bool]]:
    """The fields by name, inherited ones first, each with whether it may be given by position."""
    found: dict[str, tuple[Field[Any], bool]] = {}
    for base in reversed(cls.__mro__):
        form: _Form | None = base.__dict__.get(_FORM)
        if form is not None:
            found.update((name, (form.declared(name), form.is_positional(name))) for name in form.own)
    return found


def _init_of(cls: type) -> Callable[..., Any]:
    """`__init__`, with the fields that may be given by position first.

    Slots of a frozen class are set by their descriptors.
    """
    first, last, body = ["self"], list[str](), list[str]()
    known: dict[str, Any] = {"MISSING": MISSING, "set": object.__setattr__}
    form: _Form = getattr(cls, _FORM)
    for name, (field, is_positional) in _declared(cls).items():
        parameter = value = name
        if field.default_factory is not MISSING:
            known[f"make_{name}"] = field.default_factory
            parameter = f"{name}=MISSING"
            value = f"make_{name}()"
            if field.init:
                value += f" if {name} is MISSING else {name}"
        elif field.default is not MISSING:
            known[f"default_{name}"] = field.default
            parameter = f"{name}=default_{name}"
            value = name if field.init else f"default_{name}"
        elif not field.init:
            continue
        if field.init:
            (first if is_positional else last).append(parameter)
        if not form.frozen:
            body.append(f"self.{name} = {value}")
        elif form.slots:
            known[f"set_{name}"] = getattr(cls, name).__set__
            body.append(f"set_{name}(self, {value})")
        else:
            body.append(f"set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join([*first, *(["*", *last] if last else [])])
    exec(f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"]), known)
    init: Callable[..., Any] = known["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__module__ = cls.__module__
    return init


def _values_of(names: list[str]) -> Callable[[object], object]:
    """Return a function that gives the values of an instance that count."""
    return attrgetter(*names) if names else lambda instance: ()


def _eq_of(cls: type) -> Callable[..., Any]:
    """`__eq__`: the same class, and equal values of the fields that are compared."""
    compared = _values_of([name for name, (field, _) in _declared(cls).items() if field.compare])

    def __eq__(self: object, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return compared(self) == compared(other)

    return __eq__


def _hash_of(cls: type) -> Callable[..., Any]:
    """`__hash__` of a frozen class, of the fields that are compared."""
    hashed = _values_of(
        [
            name
            for name, (field, _) in _declared(cls).items()
            if (field.compare if field.hash is None else field.hash)
        ]
    )

    def __hash__(self: object) -> int:
        return hash(hashed(self))

    return __hash__


def _fields_of(cls: type) -> dict[str, Field[Any]]:
    """The fields as `dataclasses` describes them, inherited ones first."""
    fields: dict[str, Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        if _FORM in base.__dict__:
            fields.update(base.__dataclass_fields__)  # type: ignore[attr-defined]
    form: _Form = getattr(cls, _FORM)
    known = get_annotations(cls)
    defaults = {name: default for name, default in form.own.items() if default is not MISSING}
    annotations = {name: known[name] for name in form.own}
    plain = type(
        cls.__name__,
        (),
        {"__annotations__": annotations, "__module__": cls.__module__, "__doc__": "", **defaults},
    )
    described: Any = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=form.kw_only)(plain)
    fields.update(described.__dataclass_fields__)
    return fields


def _params_of(cls: type) -> object:
    """The options of the decorator as `dataclasses` keeps them."""
    form: _Form = getattr(cls, _FORM)
    sample: Any = dataclasses.dataclass(frozen=form.frozen, eq=form.eq, repr=form.repr)(
        type(cls.__name__, (), {"__doc__": ""})
    )
    params: object = sample.__dataclass_params__
    return params


# ---------------------------------------------------------------- what serves all classes
@recursive_repr()
def _repr(self: object) -> str:
    fields = dataclasses.fields(self)  # type: ignore[arg-type]
    values = (f"{field.name}={getattr(self, field.name)!r}" for field in fields if field.repr)
    return f"{self.__class__.__qualname__}({', '.join(values)})"


def _refuse_setting(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: object) -> list[object]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]  # type: ignore[arg-type]


def _setstate(self: object, state: list[object]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):  # type: ignore[arg-type]
        object.__setattr__(self, field.name, value)


if not TYPE_CHECKING:

    def dataclass(cls=None, /, *, slots=False, frozen=False, eq=True, repr=True, kw_only=False):
        """Make a class a dataclass; the arguments are those of `dataclasses.dataclass`."""

        def decorate(cls: type) -> type:
            own = {}
            for name, annotation in get_annotations(cls).items():
                if not str(annotation).startswith(("ClassVar", "typing.ClassVar")):
                    own[name] = cls.__dict__.get(name, MISSING)
            return _decorated(cls, _Form(own, slots=slots, frozen=frozen, eq=eq, repr=repr, kw_only=kw_only))

        return decorate if cls is None else decorate(cls)
