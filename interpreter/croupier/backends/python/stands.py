"""Sites at run time: what may be done where a compiled position stands, and the function that each thing goes on with.

`form` says what the elements of an offer are: `value` (the action is the value's place in its type), `place` (values; the action is the place in
the list), `pair` (action, value), `row` (action, option, values), `piece` (a component, its own action), `face` (values; the action is the place).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from croupier.backends.python.position import Deviation, Position
from croupier.limits import MAX_MENU_ROWS, MAX_OPTIONS
from croupier.runtime.game import Value

Run = Callable[[Position, Any], Any]
Asked = tuple[Callable[..., Any], tuple[int, ...]]  # a question, and the slots of the frame that it is asked with


def ask(question: Asked, p: Position, f: Sequence[Value]) -> Any:
    """The answer to a question, asked with the slots that it needs."""
    function, needs = question
    return function(p, *[f[s] for s in needs])


@dataclass(frozen=True, slots=True)
class Binder:
    """What a name of an option of a menu may stand for: its first value and how many there are, if its type numbers them."""

    low: int
    count: int  # at least 1
    is_numbered: bool
    is_alike: bool  # are some of them components that are called alike?


@dataclass(slots=True)
class Stand:
    """One site."""

    number: int
    routine: int
    point: int
    slots: int
    live: tuple[int, ...]
    seats: str
    form: str = "value"
    plain: bool = False  # is every element of an offer just what goes on to `chosen`?
    low: int = 0
    shift: int = 0
    truth: bool = False
    after: Run | None = None  # where a call goes on
    chosen: Run | None = None
    declined: Run | None = None
    taken: tuple[Run, ...] = ()
    options: tuple[Asked, ...] = ()
    chooser: Asked | None = None
    weight: Asked | None = None
    item: int = -1
    every: int = -1
    picked: int = -1
    source: Asked | None = None
    faces: tuple[Value, ...] = ()
    firsts: tuple[int, ...] = ()  # of a menu: the action of the first combination of each option
    sizes: tuple[tuple[tuple[int, int, bool], ...], ...] = ()  # and of each binder its first value, how many, and whether its type numbers them
    extra: Any = field(default=None)
    handed: Callable[..., Run] | None = None  # what takes what a call hands back, if not the run that goes on
    agent: Any = None  # form `agent`: what shows and goes on; the elements of an offer are actions
    window: int = -1  # of a menu: the window whose reactions it offers, their first action, and the arguments
    reactions_from: int = 0
    window_args: tuple[Asked, ...] = ()
    around: Any = None
    bag: Any = None  # what may come out of a bag that holds components which are called alike
    binders: tuple[tuple[Binder, ...], ...] = ()  # of a menu: of each option
    alike: tuple[int, ...] = ()  # of a menu: the options that walk such components; their offers are rows already

    # ------------------------------------------------------------ what is on offer
    def ask(self, p: Position) -> None:
        """Work out again who chooses and from what; deviates if that cannot be."""
        f = p.frames[-1]
        p.offer = p.weights = None
        match self.form:
            case "pair" if self.bag is not None:
                assert self.source is not None
                p.offer = self.bag(p, p.zones[ask(self.source, p, f)])
            case "piece":
                assert self.source is not None
                items = p.zones[ask(self.source, p, f)]
                p.offer = items if not items or type(items[-1]) is not tuple else items[-1]
            case "face":
                p.offer = self.faces
            case "row":
                if self.chooser is not None:
                    p.seat = ask(self.chooser, p, f)
                p.offer = menu_rows(self, tuple(ask(q, p, f) for q in self.options))
                if self.window >= 0:
                    p.offer = self.around.with_reactions(self, p, f, p.offer)
            case "agent":
                self.agent.show(p, f)
            case _ if self.seats == "chance":
                p.offer = outcomes(self, p, f, ask(self.options[0], p, f))
            case _ if self.seats == "one":
                p.offer = ask(self.options[0], p, f)
        if self.chooser is not None and self.seats == "one" and self.form not in ("row", "agent"):
            p.seat = ask(self.chooser, p, f)

    def actions(self, p: Position) -> list[int]:
        """The actions of the one seat that acts, or the outcomes of chance."""
        return self.actions_of(p.offer)

    def chances(self, p: Position) -> list[tuple[int, int]]:
        """Outcomes of a chance event with their weights."""
        if self.form == "agent":
            assert p.weights is not None
            return list(zip(p.offer, p.weights, strict=True))
        if self.form == "pair":
            assert p.weights is not None
            return [(x[0], w) for x, w in zip(p.offer, p.weights, strict=True)]
        return [(a, 1) for a in self.actions(p)]

    def actions_of(self, offer: Any) -> list[int]:
        """The actions of an offer."""
        match self.form:
            case "value":
                by = self.shift - self.low
                found = [int(v) + by for v in offer] if by or self.truth else list(offer)
            case "place" | "face":
                found = list(range(self.shift, len(offer) + self.shift))
            case "piece" | "agent":
                found = list(offer)
            case _:
                found = [x[0] for x in offer]
        return [0, *found] if self.shift and self.seats != "chance" else found

    def go_on(self, p: Position, action: int) -> tuple[Run, Any] | None:
        """The function that an action goes on with, and what it is given; none if the site waits on."""
        if self.form == "agent":
            return self.agent.go_on_with(p, action)  # type: ignore[no-any-return]
        if self.shift and action == 0:
            assert self.declined is not None
            return self.declined, None
        if self.form == "row":
            _, option, values = next(x for x in p.offer if x[0] == action)
            if option < 0:
                return self.around.react_in_menu(p, self, action)  # type: ignore[no-any-return]
            return self.taken[option], values
        assert self.chosen is not None
        match self.form:
            case "value":
                v = action - self.shift + self.low
                return self.chosen, bool(v) if self.truth else v
            case "place" | "face":
                return self.chosen, p.offer[action - self.shift]
            case "piece":
                return self.chosen, action
        return self.chosen, next(x[1] for x in p.offer if x[0] == action)

    def at(self, p: Position, index: int) -> tuple[Run, Any] | None:
        """The same for a place among all actions."""
        if self.form == "agent":
            return self.agent.go_on_with(p, p.offer[index])  # type: ignore[no-any-return]
        if self.shift and self.seats != "chance":
            if index == 0:
                assert self.declined is not None
                return self.declined, None
            index -= 1
        element = p.offer[index]
        if self.form == "row":
            return self.go_on(p, element[0]) if element[1] < 0 else (self.taken[element[1]], element[2])
        assert self.chosen is not None
        return self.chosen, element[1] if self.form == "pair" else element

    # ------------------------------------------------------------ everybody at once
    def pending(self, p: Position, f: Sequence[Value]) -> list[int]:
        """Seats that have not chosen yet."""
        assert self.chooser is not None
        done = {seat for seat, _ in f[self.picked]}
        return [int(s) for s in sorted(set(ask(self.chooser, p, f))) if s not in done]

    def offer_to(self, p: Position, seat: int) -> list[Any]:
        """What a seat may choose from."""
        f = p.frames[-1][:]
        f[self.every] = seat
        return ask(self.options[0], p, f)  # type: ignore[no-any-return]

    def value_for(self, p: Position, seat: int, action: int) -> Value:
        """What an action of a seat stands for."""
        if self.form == "value":
            v = action - self.shift + self.low
            return bool(v) if self.truth else v
        return next(x[1] for x in self.offer_to(p, seat) if x[0] == action)

    def commit(self, p: Position, seat: int, value: Value) -> tuple[Run, Any] | None:
        """A seat has chosen; when all have, where that goes on."""
        f = p.frames[-1]
        f[self.picked] = tuple(sorted((*f[self.picked], (seat, value))))
        if self.pending(p, f):
            return None
        values: list[Value] = list(self.extra)
        for s, v in f[self.picked]:
            values[s] = v
        assert self.chosen is not None
        return self.chosen, tuple(values)


def outcomes(stand: Stand, p: Position, f: Sequence[Value], offered: list[Any]) -> list[tuple[int, Value]]:
    """Of a chance event: actions and values that have a weight; the weights go into the position."""
    classes: list[list[tuple[int, Value]]]
    if stand.extra is not None:
        classes = offered
    else:
        classes = [[pair] for pair in offered]
    found = []
    for alike in classes:
        total = 0
        for _, value in alike:
            weight = 1
            if stand.weight is not None:
                function, needs = stand.weight
                weight = function(p, *[value if s == stand.item else f[s] for s in needs])
                if weight < 0:
                    raise Deviation
            total += weight
        if total:
            found.append((alike[0][0], alike[0][1], total))
    found.sort(key=lambda x: x[0])
    p.weights = [w for _, _, w in found]
    return [(a, v) for a, v, _ in found]




def menu_rows(stand: Stand, parts: tuple[list[Any], ...]) -> list[tuple[int, int, tuple[Value, ...]]]:
    """Options of a menu that may be chosen, by action."""
    rows: dict[int, tuple[int, int, tuple[Value, ...]]] = {}
    for option, (found, first, sizes) in enumerate(zip(parts, stand.firsts, stand.sizes, strict=True)):
        n = len(sizes)
        if option in stand.alike:
            for row in found:
                rows[row[0]] = row
            continue
        if n == 1 and sizes[0][2]:  # one value of a type that numbers its values
            by = first - sizes[0][0]
            for value, _ in found:
                rows.setdefault(by + int(value), (by + int(value), option, (value,)))
            continue
        if n == 0:
            if found:
                rows[first] = (first, option, ())
            continue
        for row in found:
            at = 0
            for value, place, (low, count, numbered) in zip(row[:n], row[n:], sizes, strict=True):
                at = at * max(1, count) + (int(value) - low if numbered else place)
                if not numbered and place >= MAX_MENU_ROWS:
                    raise Deviation
            rows.setdefault(first + at, (first + at, option, row[:n]))
    if len(rows) > MAX_OPTIONS:
        raise Deviation
    return [rows[a] for a in sorted(rows)]
