"""Visibility: observations, perceived events, and texts for those who do not see all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

from croupier.diagnostics import JsonObject
from croupier.kernel import types as t
from croupier.kernel.facts import Hides
from croupier.kernel.tree import AttributeExpr, StateExpr, TypedExpr, zone_name
from croupier.records import dataclass
from croupier.runtime.compiler import Compiler, SightTest
from croupier.runtime.game import Game, Value, Zone
from croupier.runtime.machine import Machine
from croupier.runtime.zone_contents import flat, size
from croupier.semantics.call_effects import is_state
from croupier.semantics.program import VarDef
from croupier.semantics.walk import bodies

# ---------------------------------------------------------------- sight
# Who sees what: everything is derived from declared audiences; what is not declared is seen by nobody.
#
# - A seat sees the face of a component (what it is called, its attributes) where it sees the zone that holds
# it. Elsewhere it is "a Card"; of a
#   component that could be of several kinds not even the kind is told.
# - A seat may count a zone that it sees, and one whose `counted_by` admits it (everybody, unless declared
# otherwise).
# - A state variable, or an entry of a map per player, is seen by its audience. A variable that names a
# component names it to whoever sees the
#   variable: what was once seen may be remembered there.
# - The options of a decision are seen by whoever decides: to be offered a component is to be shown it. Their
# numbers are indices in types that
#   everybody knows, or in the list that is offered.
# - The order of what cannot be told apart is never the true one: sets and bags lie in the order of
# declaration, and so does the unordered part of a
#   pile.
# - Nothing else is a channel. What happened is told by the rules of `recorder.py`.
EVERYBODY, NOBODY, OWNER, OTHERS = range(4)


def admits(audience: int, owner: int | None, seat: int, players: int) -> bool:
    """Return whether `seat` may see something of this audience that belongs to `owner`.

    Nobody's things are seen by no owner and no others. A spectator is no player: as an owner who looks on,
    they would see what only the others may.
    """
    if audience == EVERYBODY:
        return True
    if owner is None or audience == NOBODY:
        return False
    return (seat == owner) if audience == OWNER else seat != owner and 0 <= seat < players


def among(seats: list[int]) -> int:
    """The seats that perceive what happens secretly, as the machine keeps them: a bit for each."""
    return sum(1 << seat for seat in set(seats))


def perceives(event_audience: int | None, seat: int | None) -> bool:
    """Return whether a seat (`None`: the referee) perceives what happens for `event_audience`.

    The audience is bits of seats, or `None` for everybody.
    """
    return event_audience is None or seat is None or bool(event_audience >> seat & 1)


def sees_zone(m: Machine, z: int, seat: int) -> bool:
    """Return whether a seat may see all that lies in a zone."""
    zone = m.game.zones[z]
    if zone.sight == 0:
        return admits(zone.seen_by, zone.owner, seat, m.game.players)
    if zone.sight == 1:
        return bool(m.rules.sight(m.game.program.zones[zone.family].sight)(m, seat, zone.key, None))
    return is_counter(m, z, seat) and all(
        sees_component(m, component, seat) for component in flat(m.zones[z])
    )


def counts_zone(m: Machine, z: int, seat: int) -> bool:
    """Return whether a seat may know how many components a zone holds."""
    return is_counter(m, z, seat) or (m.game.zones[z].sight < 2 and sees_zone(m, z, seat))


def is_counter(m: Machine, z: int, seat: int) -> bool:
    """Return whether `counted_by` of a zone admits a seat."""
    zone = m.game.zones[z]
    if zone.count_sight:
        return bool(m.rules.sight(m.game.program.zones[zone.family].count_sight)(m, seat, zone.key, None))
    return admits(zone.counted_by, zone.owner, seat, m.game.players)


def sees_component(m: Machine, component: int, seat: int) -> bool:
    """Return whether a seat sees the face of a component where it lies now. Nobody sees it in an unordered
    part.
    """
    z = m.where[component]
    if z < 0:
        return False
    zone = m.game.zones[z]
    if zone.sight < 2:
        return sees_zone(m, z, seat)
    return bool(m.rules.sight(m.game.program.zones[zone.family].sight)(m, seat, zone.key, component))


def knows_component(m: Machine, component: int, seat: int | None) -> bool:
    """Return whether a seat (`None`: the referee) knows which component this is, where it lies now."""
    z = m.where[component]
    if seat is None or z < 0:
        return seat is None
    is_loose = any(type(item) is tuple and component in item for item in m.zones[z])
    return not is_loose and sees_component(m, component, seat)


def faces(m: Machine, z: int, seat: int | None) -> list[int | None] | None:
    """Return the components of a zone as a seat (`None`: the referee) sees them, in order.

    A component whose face the seat does not see is `None`; these come last where there is no order. The whole
    is `None` if it sees no face at all.
    """
    zone, found, some = m.game.zones[z], list[int | None](), False
    if seat is None or zone.sight < 2:
        return list(flat(m.zones[z])) if seat is None or sees_zone(m, z, seat) else None
    for part in m.zones[z] if zone.order in ("pile", "sequence") else (tuple(m.zones[z]),):
        several = part if isinstance(part, tuple) else (part,)
        seen = [component for component in several if sees_component(m, component, seat)]
        some = some or bool(seen)
        found += [*seen, *[None] * (len(several) - len(seen))]
    if not is_counter(m, z, seat):
        found = [component for component in found if component is not None]
    return found if some else None


Seen: TypeAlias = dict[tuple[str, int], tuple[frozenset[int], tuple[frozenset[int], ...]]]
"""Of zones, state variables and numbers in zones, by their numbers: the components or entries there are, and
what each seat sees of them.
"""


def seen_now(m: Machine) -> Seen:
    """Return what each seat sees of those zones and state variables whose audience the position decides."""
    game, found = m.game, Seen()
    zones, variables, counted = game.by_position
    for z in zones:
        there = frozenset(flat(m.zones[z]))
        seen = (frozenset(i for i in there if sees_component(m, i, seat)) for seat in range(game.players))
        found["zone", z] = there, tuple(seen)
    for index in variables:
        is_map = isinstance(game.variables[index].type, t.Map)
        entries = range(len(m.vars[index]) if is_map else 1)
        may = [variable_audience(m, index, i if is_map else None) for i in entries]
        seen = (frozenset(i for i in entries if may[i](seat)) for seat in range(game.players))
        found["state", index] = frozenset(entries), tuple(seen)
    for z in counted:
        seen = (frozenset((z,) if is_counter(m, z, seat) else ()) for seat in range(game.players))
        found["count", z] = frozenset((z,)), tuple(seen)
    return found


def backs(m: Machine, z: int, seat: int | None) -> list[str | None]:
    """Return the backs of those components of a zone whose faces a seat does not see, though it may count
    them.

    They are in order or, without an order, as they are declared; `None` stands for a component without a
    back. The list is empty if no back is seen.
    """
    if seat is None or not m.game.has_backs or not counts_zone(m, z, seat):
        return []
    lie = (
        flat(m.zones[z]) if m.game.zones[z].order in ("pile", "sequence") else tuple(sorted(flat(m.zones[z])))
    )
    found = [m.game.components[i].back for i in lie if not sees_component(m, i, seat)]
    return found if any(back is not None for back in found) else []


class SeatObserver:
    """A seat for which a text is made, and what it may see of the position.

    It knows the `told` components, wherever they lie.
    """

    __slots__ = ("m", "seat", "told")

    def __init__(self, m: Machine, seat: int, told: frozenset[int] = frozenset()) -> None:
        self.m, self.seat, self.told = m, seat, told

    def __call__(self, component: int) -> bool:
        return sees_component(self.m, component, self.seat)

    def named(self, component: int) -> bool:
        """Return whether the seat may know which component this is, and what never changes in it."""
        return component in self.told or self(component)

    def back(self, component: int) -> bool:
        """Return whether the seat sees the backs of what lies where this component is."""
        z = self.m.where[component]
        return z >= 0 and counts_zone(self.m, z, self.seat)

    def zone(self, z: int) -> bool:
        return sees_zone(self.m, z, self.seat)

    def top(self, z: int) -> bool:
        """Return whether the seat sees the component on top of a pile, or at the end of a sequence.

        A seat that counts the components knows if there is none.
        """
        last = self.m.zones[z][-1:]
        if self.m.game.zones[z].sight < 2 or not all(isinstance(component, int) for component in last):
            return self.zone(z)
        return all(self(component) for component in last) and (bool(last) or self.count(z))

    def count(self, z: int) -> bool:
        return counts_zone(self.m, z, self.seat)

    def variable(self, index: int, at: Value) -> bool:
        return bool(variable_audience(self.m, index, at)(self.seat))

    def attribute(self, index: int, component: int) -> bool:
        """Return whether the seat sees a changeable attribute of a component; another class has none."""
        game = self.m.game
        first, count = game.kinds[str(game.variables[index].of_class)]
        return not 0 <= component - first < count or self.variable(index, component - first)


@contextmanager
def observed_by(m: Machine, seat: int | None) -> Iterator[None]:
    """Ask a machine what a seat (`None`: the referee) can work out, with fuel of its own; it is left as it
    was.
    """
    kept = m.observer, m.fuel, m.examined, m.cites, m.retval
    m.refuel()
    m.observer = None if seat is None else SeatObserver(m, seat)
    try:
        yield
    finally:
        m.observer, m.fuel, m.examined, m.cites, m.retval = kept


def components_in(value: Value, kind: t.Type) -> Iterator[int]:
    """The components that a value names."""
    if isinstance(kind, t.Component) and value is not None:
        yield value
    elif isinstance(kind, t.Optional):
        yield from components_in(value, kind.base)
    elif isinstance(kind, t.Collection) and isinstance(kind.base, (t.Component, t.Optional, t.Collection)):
        for one in value:
            yield from components_in(one, kind.base)


Say: TypeAlias = Callable[[Value, t.Type], object]
"""A value of a type as JSON, in the position."""
UNSEEN = object()  # of a state variable of which a seat sees nothing


@dataclass(frozen=True, slots=True)
class ZoneSeen:
    """A zone as a seat sees it.

    `entry`: the labels of what lies there, `None` for a face that is not seen; or `{"count": n}`; or `None`.
    `attributes`: of each component those that `attributes_of` gives, an empty list if there are none;
    `backs`: as the function of that name gives them.
    """

    entry: list[str | None] | JsonObject | None
    attributes: list[dict[str, object]]
    backs: list[str | None]


def zone_seen(m: Machine, zone: Zone, seat: int | None, say: Say) -> ZoneSeen:
    """Return a zone as a seat sees it; `None` is the referee, who sees everything."""
    game, attributes = m.game, list[dict[str, object]]()
    entry: list[str | None] | JsonObject | None = None
    found = faces(m, zone.number, seat)
    if found is not None:
        entry = [None if i is None else game.label(i, m) for i in found]
        if game.unlabelled:
            attributes = [{} if i is None else attributes_of(m, i, say) for i in found]
    elif seat is not None and counts_zone(m, zone.number, seat):
        entry = {"count": size(m.zones[zone.number])}
    return ZoneSeen(entry, attributes if any(attributes) else [], backs(m, zone.number, seat))


def state_seen(m: Machine, v: VarDef, seat: int | None, say: Say) -> object:
    """Return a state variable as a seat sees it, as JSON; `UNSEEN` if it sees nothing of it."""
    game, value, audience = m.game, m.vars[v.index], m.game.seen_by[v.index]
    if v.of_class is not None:
        return attribute_seen(m, v, seat, say) or UNSEEN
    if seat is None or audience == EVERYBODY:
        return say(value, v.type)
    if isinstance(v.type, t.Map) and (
        v.sight is not None or (audience in (OWNER, OTHERS) and isinstance(v.type.key, t.Player))
    ):
        (first, _), inner = game.domain(v.type.key), v.type.value
        known = (i for i in range(len(value)) if variable_audience(m, v.index, i)(seat))
        return {str(say(first + i, v.type.key)): say(value[i], inner) for i in known}
    return say(value, v.type) if variable_audience(m, v.index, None)(seat) else UNSEEN


def observation(m: Machine, seat: int | None, *, spoken: bool = False) -> JsonObject:
    """Return a position as a seat sees it, as JSON.

    A `seat` of `None` is the referee, who sees everything. `spoken`: players are named as people count them.
    """
    game = m.game
    say = partial(game.to_json, m=m, spoken=spoken)
    zones: JsonObject = {}
    attributes: JsonObject = {}
    hidden: JsonObject = {}
    for zone in game.zones:
        seen, name = zone_seen(m, zone, seat, say), f"{zone.family} {game.zone_names[zone.number]}".rstrip()
        if seen.attributes:
            attributes[name] = seen.attributes
        if seen.backs:
            hidden[name] = seen.backs
        if game.program.zones[zone.family].key is None:
            zones[zone.family] = seen.entry
        else:
            zones.setdefault(zone.family, {})[game.zone_names[zone.number]] = seen.entry
    state = {v.name: shown for v in game.variables if (shown := state_seen(m, v, seat, say)) is not UNSEEN}
    return {
        "zones": zones,
        "state": state,
        **({"attributes": attributes} if attributes else {}),
        **({"backs": hidden} if hidden else {}),
    }


def hides_nothing_ever(game: Game) -> bool:
    """Return whether everybody sees everything in every position, and everything that happens."""
    if any(zone.seen_by != EVERYBODY for zone in game.zones):
        return False
    if any(v.of_class is None and game.seen_by[v.index] != EVERYBODY for v in game.variables):
        return False
    statements = [s for _, s in bodies(game.program)]
    return not any(s.facts.hides in (Hides.EVENTS, Hides.ANSWERS) for s in statements)


def depends_on_contents_alone(game: Game, zone: Zone) -> bool:
    """Return whether what a seat sees of a zone is the same whenever the same lies there.

    It is not if the position decides who sees the zone, or what its components are called.
    """
    kinds = game.program.zones[zone.family].kinds
    has_backs = any(game.program.classes[kind].back is not None for kind in kinds)
    return not (
        zone.sight
        or zone.count_sight
        or has_backs
        or any(kind in game.labels or kind in game.unlabelled for kind in kinds)
    )


def attributes_of(m: Machine, component: int, say: Say) -> dict[str, object]:
    """The changeable attributes of a component that is called like others, but for those that its label
    shows.
    """
    game = m.game
    p = game.components[component]
    names = game.unlabelled.get(p.kind)
    if names is None or len(game.alike.copies[component]) == 1:
        return {}
    found = {}
    for name in names:
        v = game.program.vars[f"{p.kind}.{name}"]
        assert isinstance(v.type, t.Map)
        found[name] = say(m.vars[v.index][p.index], v.type.value)
    return found


def attribute_seen(m: Machine, v: VarDef, seat: int | None, say: Say) -> JsonObject:
    """Return a changeable attribute of the components whose face the seat sees, as JSON by component."""
    game = m.game
    assert v.of_class is not None and isinstance(v.type, t.Map)
    first, count = game.kinds[v.of_class]
    inner = v.type.value
    out = {}
    for i in range(count):
        component = first + i
        if seat is None or sees_component(m, component, seat):
            out[game.handle(component)] = say(m.vars[v.index][i], inner)
    return out


def variable_audience(m: Machine, index: int, at: Value) -> Callable[[int], object]:
    """Return a test whether a seat may see entry `at` of a state variable."""
    game = m.game
    v = game.variables[index]
    if v.of_class is not None:
        component = game.kinds[v.of_class][0] + at if at is not None else None
        return lambda seat: component is not None and sees_component(m, component, seat)
    if v.sight is not None:
        sight = m.rules.sight(v.sight)
        if not isinstance(v.type, t.Map):
            return lambda seat: sight(m, seat, None, None)
        keys = range(len(m.vars[index])) if at is None else (at,)
        first, _ = game.domain(v.type.key)
        return lambda seat: all(sight(m, seat, first + key, None) for key in keys)
    audience = game.seen_by[index]
    owner = at if isinstance(v.type, t.Map) and isinstance(v.type.key, t.Player) else None
    return lambda seat: admits(audience, owner, seat, game.players)


# ---------------------------------------------------------------- redaction
# The reference evaluator: parts of texts as somebody reads them who may not see everything.
#
# A text about somebody's decision is made for each reader. While it is made, `m.observer` is that reader, and
# each read of a component's attributes or zone, of a zone or of state is tested; a part of a text that reads
# what the reader may not see is redacted. What is called is run by code of its own that tests its reads, too:
# what it reads decides, not what it might have read. A local variable is shown as it is: what a rule has
# copied into one is its own.
OF_COMPONENTS = ("mutable", "component.owner", "family.key")
FIXED = ("attr", "is_kind", "is_other")  # what never changes in a component
COUNTS = ("zone.size", "zone.empty", "zone.room", "zone.shuffled", "family.size", "family.empty")


def sight_test(ctx: Compiler, x: TypedExpr) -> SightTest | None:
    """Return a test whether an observer may see what an operation reads.

    `None` for one that reads nothing of a position.
    """
    game, op = ctx.game, x.op
    if op in OF_COMPONENTS:
        component = ctx.unredacted(x.args[-1])
        return lambda observer, m, L: observer(component(m, L))
    if op in FIXED:
        if is_state(x.args[0]):
            return None  # whoever may read the state knows which component it is
        component = ctx.unredacted(x.args[0])
        if isinstance(x, AttributeExpr) and game.program.is_on_back(x.args[0].type, x.name):
            return lambda observer, m, L: observer.named(component(m, L)) or observer.back(component(m, L))
        return lambda observer, m, L: observer.named(component(m, L))
    if op == "index" and isinstance(x.args[0], StateExpr):
        i, kind = game.program.vars[x.args[0].name].index, x.args[0].type
        assert isinstance(kind, t.Map)
        key, low = ctx.unredacted(x.args[1]), game.domain(kind.key)[0]
        return lambda observer, m, L: observer.variable(i, key(m, L) - low)
    if isinstance(x, StateExpr) and op == "state":
        i = game.program.vars[x.name].index
        return lambda observer, m, L: observer.variable(i, None)
    if op in ("zone_list", "zone_all", "zone_item") or op.startswith("zone."):
        zone = ctx.unredacted(x.args[0])
        if op in ("zone.top", "zone.last"):
            return lambda observer, m, L: observer.top(zone(m, L))
        if op in COUNTS:
            return lambda observer, m, L: observer.count(zone(m, L))
        return lambda observer, m, L: observer.zone(zone(m, L))
    if op == "family_list" or op.startswith("family."):
        first, count = game.zone_ranges[zone_name(x.args[0])]
        if op in COUNTS:
            return lambda observer, m, L: all(observer.count(z) for z in range(first, first + count))
        return lambda observer, m, L: all(observer.zone(z) for z in range(first, first + count))
    if op in ("call", "original"):
        if ctx.observes:
            return None
        components = [ctx.unredacted(a) for a in x.args if isinstance(a.type, t.Component)]
        return (lambda observer, m, L: all(observer(f(m, L)) for f in components)) if components else None
    return None
