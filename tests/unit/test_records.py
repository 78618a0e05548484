"""`croupier.records` against Python's own dataclasses: the same class written with both does the same."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import field
from typing import Any

import pytest

from croupier import records

WAYS = [{}, {"frozen": True}, {"slots": True}, {"frozen": True, "slots": True}, {"frozen": True, "eq": False}, {"eq": False}]


def family(dataclass: Any, options: dict[str, bool]) -> tuple[type, type]:
    """A class and one derived from it, with every kind of field that the interpreter uses."""

    @dataclass(**options)
    class Base:
        """Words."""

        a: int
        b: tuple[str, ...] = ()

    @dataclass(**options)
    class Derived(Base):
        quiet: int = field(default=3, compare=False, repr=False)
        made: list[int] = field(default_factory=list)

        def total(self) -> int:
            return self.a + self.quiet

    return Base, Derived


def outcome(act: Any) -> Any:
    """What a call gives, or the kind of exception."""
    try:
        return act()
    except (TypeError, AttributeError) as error:
        return type(error).__name__


def refused(act: Any, one: Any, *words: Any) -> bool:
    """Whether a copy does not let itself be changed."""
    try:
        act(copy.copy(one), *words)
    except (TypeError, AttributeError):  # the first where Python's own lose their way in slots
        return True
    return False


def facts(base: type, derived: type) -> list[Any]:
    """Everything that can be seen of the two."""
    one, same, other, narrow = derived(1, ("x",)), derived(1, ("x",), 4), derived(a=2, made=[1]), base(1, ("x",))
    return [
        [repr(one).split("<locals>.")[1], repr(narrow).split("<locals>.")[1]],
        [one == same, one != same, one == other, one == narrow, narrow == base(1, ("x",)), one == 1],
        outcome(lambda: hash(narrow) == hash(base(1, ("x",)))),
        outcome(lambda: hash((1, ("x",))) == hash(narrow)),
        outcome(lambda: hash(one) and None),
        [refused(setattr, one, name, 9) for name in ("a", "made", "unknown")],
        [refused(delattr, one, name) for name in ("a", "unknown")],
        [outcome(lambda: derived()), outcome(lambda: derived(1, b=2, c=3)), outcome(lambda: derived(1, (), 2, [], 4))],
        [f.name for f in dataclasses.fields(one)],
        [dataclasses.is_dataclass(one), dataclasses.asdict(one), dataclasses.astuple(other)],
        [dataclasses.replace(one, quiet=5).total(), one.total()],
        [copy.copy(one).made is one.made, copy.deepcopy(one).made == one.made, derived(1).made is not derived(1).made],
        [derived.__match_args__, base.__doc__, hasattr(one, "__dict__")],
        [derived.__init__.__name__, derived.__init__.__qualname__.split("<locals>.")[1]],
    ]


@pytest.mark.parametrize("options", WAYS, ids=str)
def test_it_is_a_dataclass(options: dict[str, bool]) -> None:
    assert facts(*family(records.dataclass, options)) == facts(*family(dataclasses.dataclass, options))


@records.dataclass(frozen=True, slots=True)
class Kept:
    a: int
    b: str = "x"


@records.dataclass(frozen=True)
class Own:
    """What a class says itself stays."""

    a: int
    b: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "b", self.a + 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own)

    def __repr__(self) -> str:
        return "own"


def test_it_can_be_written_and_read_back() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, "y"))) == Kept(1, "y")


def test_what_a_class_says_itself_stays() -> None:
    assert (Own(1).b, Own(1) == Own(2), repr(Own(1))) == (2, True, "own")
    assert hash(Own(1)) == hash((1, 2))


def test_without_brackets_and_in_classes_that_are_no_dataclasses() -> None:
    @records.dataclass
    class Plain:
        a: int

    class More(Plain):
        pass

    assert More(1) == More(1) != Plain(1)
    assert More(2).a == 2
