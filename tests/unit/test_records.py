"""A class of `records.dataclass` behaves like one of `dataclasses.dataclass`, but its methods are written
when they are used.
"""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, field
from typing import Any, ClassVar

import pytest

from croupier import records

Made = dict[str, Any]


def classes(dataclass: Callable[..., Any]) -> Made:
    """The same classes, made by one of the two."""

    @dataclass(frozen=True, slots=True)
    class Point:
        """A place."""

        KIND: ClassVar[str] = "point"

        x: int
        y: int = 2
        name: str = field(default="", compare=False, repr=False, metadata={"derived": True})

        def doubled(self) -> Any:
            return dataclasses.replace(self, x=2 * self.x)

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Cube(Point):
        """A place in space."""

        KIND = "cube"
        z: int
        y: int = 3

    @dataclass(slots=True)
    class Box:
        """What can change."""

        items: list[int] = field(default_factory=list)
        size: int = field(default=0, kw_only=True)

    @dataclass
    class Open:
        """With a dict of its own."""

        a: int = 1
        b: list[str] = field(default_factory=list)
        c: int = field(default=4)
        d: int = field(init=False, default=5)

        def __post_init__(self) -> None:
            self.d += self.a

    @dataclass(frozen=True)
    class Shut:
        """Frozen, with a dict of its own."""

        a: int
        b: tuple[int, ...] = ()

    @dataclass(frozen=True, eq=False, repr=False)
    class Own:
        """Compared as itself."""

        a: int

    @dataclass(frozen=True)
    class Said:
        """Which declares what others get."""

        a: int

        def __init__(self, text: str) -> None:
            object.__setattr__(self, "a", int(text))

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "said"

    @dataclass(frozen=True)
    class Empty:
        """Without fields."""

    return {made.__name__: made for made in (Point, Cube, Box, Open, Shut, Own, Said, Empty)}


OURS, THEIRS = classes(records.dataclass), classes(dataclasses.dataclass)
MAKING: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("Point", lambda make: make(1)),
    ("Point", lambda make: make(1, 5, "n")),
    ("Point", lambda make: make(1, name="other")),
    ("Point", lambda make: make(y=1, x=2).doubled()),
    ("Cube", lambda make: make(1, "n", z=4)),
    ("Cube", lambda make: make(1, z=4, y=9)),
    ("Cube", lambda make: make(1, z=4).doubled()),
    ("Box", lambda make: make()),
    ("Box", lambda make: make([1], size=2)),
    ("Open", lambda make: make()),
    ("Open", lambda make: make(2, ["b"])),
    ("Shut", lambda make: make(1)),
    ("Shut", lambda make: make(1, (2, 3))),
    ("Own", lambda make: make(1)),
    ("Said", lambda make: make("3")),
    ("Empty", lambda make: make()),
)
REFUSED: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("Point", lambda make: make()),
    ("Point", lambda make: make(1, 2, "n", 4)),
    ("Point", lambda make: make(1, z=2)),
    ("Cube", lambda make: make(1, "n", 4)),
    ("Box", lambda make: make([], 2)),
    ("Open", lambda make: make(1, [], 2, 3)),
)


def outcome(what: Callable[[], object]) -> object:
    """What something gives, or the kind of error that it raises."""
    try:
        return what()
    except Exception as error:  # noqa: BLE001 - whatever it is, the other must raise it, too
        return type(error)


@pytest.mark.parametrize(("name", "make"), MAKING)
def test_instances_are_made_shown_compared_and_copied_alike(name: str, make: Callable[[Any], Any]) -> None:
    ours, theirs = make(OURS[name]), make(THEIRS[name])
    names = [f.name for f in dataclasses.fields(theirs)]
    assert [f.name for f in dataclasses.fields(ours)] == names
    assert [getattr(ours, n) for n in names] == [getattr(theirs, n) for n in names]
    assert name == "Own" or repr(ours) == repr(theirs)
    for again in (
        make(OURS[name]),
        copy.copy(ours),
        copy.deepcopy(ours),
        dataclasses.replace(ours) if name not in ("Said", "Open") else ours,
    ):
        assert type(again) is OURS[name] and [getattr(again, n) for n in names] == [
            getattr(ours, n) for n in names
        ]
        assert (ours == again) == (name != "Own" or again is ours)
    assert ours != theirs or name == "Said"
    hashed = outcome(lambda: hash(ours))
    assert (hashed is TypeError) == (outcome(lambda: hash(theirs)) is TypeError)
    assert hashed is TypeError or name == "Own" or hash(make(OURS[name])) == hashed
    assert hasattr(ours, "__dict__") == hasattr(theirs, "__dict__")


@pytest.mark.parametrize(("name", "make"), MAKING)
def test_what_is_frozen_is_not_changed(name: str, make: Callable[[Any], Any]) -> None:
    ours, theirs = make(OURS[name]), make(THEIRS[name])
    for given in ("x", "a", "items", "size"):
        if hasattr(theirs, given):
            assert outcome(lambda given=given: setattr(ours, given, 1)) == outcome(
                lambda given=given: setattr(theirs, given, 1)
            )  # type: ignore[misc]
            assert outcome(lambda given=given: delattr(ours, given)) == outcome(
                lambda given=given: delattr(theirs, given)
            )  # type: ignore[misc]


@pytest.mark.parametrize(("name", "make"), REFUSED)
def test_wrong_arguments_are_refused(name: str, make: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match=r"argument"):
        make(OURS[name])
    with pytest.raises(TypeError, match=r"argument"):
        make(THEIRS[name])


@pytest.mark.parametrize("name", OURS)
def test_classes_describe_themselves_alike(name: str) -> None:
    ours, theirs = OURS[name], THEIRS[name]
    attributes = ("name", "type", "default", "init", "repr", "hash", "compare", "kw_only")
    for mine, other in zip(dataclasses.fields(ours), dataclasses.fields(theirs), strict=True):
        assert [getattr(mine, a) for a in attributes] == [getattr(other, a) for a in attributes]
        assert dict(mine.metadata) == dict(other.metadata) and (mine.default_factory is MISSING) == (
            other.default_factory is MISSING
        )
    assert dataclasses.is_dataclass(ours) and ours.__match_args__ == theirs.__match_args__
    assert (ours.__doc__, ours.__name__, ours.__qualname__, ours.__module__) == (
        theirs.__doc__, theirs.__name__, theirs.__qualname__, theirs.__module__
    )  # fmt: skip
    assert ours.__dataclass_params__.frozen == theirs.__dataclass_params__.frozen
    assert getattr(ours, "__slots__", None) == getattr(theirs, "__slots__", None)
    assert getattr(ours, "KIND", None) == getattr(theirs, "KIND", None)


@records.dataclass(frozen=True, slots=True)
class Place:
    """One that can be found again when it is unpickled."""

    x: int
    y: tuple[int, ...] = ()


def test_one_is_pickled_and_matched() -> None:
    place = Place(1, (2,))
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(place, protocol)) == place
    match place:
        case Place(x, (y,)):
            assert (x, y) == (1, 2)
        case _:
            raise AssertionError


def test_methods_are_written_when_they_are_used() -> None:
    made = classes(records.dataclass)["Point"]
    before = {
        name: made.__dict__[name] for name in ("__init__", "__eq__", "__hash__", "__dataclass_fields__")
    }
    one = made(1)
    assert made.__dict__["__init__"] is not before["__init__"]
    assert all(made.__dict__[name] is before[name] for name in ("__eq__", "__hash__", "__dataclass_fields__"))
    assert one == made(1) and hash(one) == hash(made(1)) and dataclasses.fields(one)
    assert all(made.__dict__[name] is not was for name, was in before.items())


def test_a_subclass_that_declares_nothing_inherits() -> None:
    class Named(Place):
        pass

    assert (Named(3).x, Named(3) == Named(3), Named(3) == Place(3)) == (3, True, False)
    with pytest.raises(FrozenInstanceError):
        Named(3).x = 4  # type: ignore[misc]


def test_the_two_kinds_do_not_mix() -> None:
    with pytest.raises(TypeError, match="another kind"):

        @records.dataclass(slots=True)
        class Mixed(THEIRS["Box"]):  # type: ignore[misc]
            more: int = 0
