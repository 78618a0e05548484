"""Components that change places, and zones that change their contents, in native code."""

from __future__ import annotations

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.moving import ZoneWriter
from croupier.backends.native.zonekinds import KNOWN


def swap(zones: ZoneWriter) -> str:
    """`zone.swap(S, a, b)`: two components, both of which lie where their order is known."""
    f = Fn("zone.swap", [("S", "ptr"), ("a", "i64"), ("b", "i64")])
    with f.when(f.test("eq", "%a", "%b")):
        f.give(str(p.OK))
    (where_a, where_b) = (zones.where(f, x) for x in ("%a", "%b"))
    za, zb = f.load(where_a), f.load(where_b)
    zones.unless(f, f.either(f.test("lt", za, "0"), f.test("lt", zb, "0")))
    if "0" in zones.fits:
        for piece, z in (("%a", zb), ("%b", za)):
            at = f.add(f.mul(z, str(len(zones.game.pieces))), piece)
            zones.unless(f, f.test("eq", zones.constants.lookup(f, zones.fits, at), "0"))
    places = [known_place(zones, f, z, piece) for z, piece in ((za, "%a"), (zb, "%b"))]
    for place, piece in zip(places, ("%b", "%a"), strict=True):
        f.store(piece, place)
    f.store(zb, where_a)
    f.store(za, where_b)
    for z in (za, zb):
        in_order(zones, f, z)
    zones.noticed(f, za)
    with f.when(f.test("ne", za, zb)):
        zones.noticed(f, zb)
    f.give(str(p.OK))
    return f.text()


def known_place(zones: ZoneWriter, f: Fn, z: str, piece: str) -> str:
    """The address of a component in its zone; deviates if its place there is unknown."""
    base, pieces, tags = zones.parts(f, z)
    place, n = f.slot(), f.load(base)
    f.store("-1", place)
    with f.counting("0", n) as k, f.when(f.test("eq", f.load(f.at(pieces, k)), piece)):
        f.store(k, place)
    at = f.load(place)
    zones.unless(f, f.test("lt", at, "0"))
    zones.unless(f, f.test("ne", f.load(f.at(tags, at)), str(KNOWN)))
    return f.at(pieces, at)


def in_order(zones: ZoneWriter, f: Fn, z: str) -> None:
    """The components of a zone that is a set or bag, in order again, all known."""
    with f.when(f.test("ne", zones.constants.lookup(f, zones.sorted, z), "0")):
        base, pieces, tags = zones.parts(f, z)
        n = f.load(base)
        zones.ascending(f, pieces, n)
        with f.counting("0", n) as k:
            f.store(str(KNOWN), f.at(tags, k))


def exchange(zones: ZoneWriter) -> str:
    """`zone.exchange(S, a, b)`: the contents of two zones."""
    f = Fn("zone.exchange", [("S", "ptr"), ("a", "i64"), ("b", "i64")])
    with f.when(f.test("eq", "%a", "%b")):
        f.give(str(p.OK))
    spare = f.slot(max(1, *zones.plan.capacity))
    (base_a, pieces_a, tags_a), (base_b, pieces_b, tags_b) = (zones.parts(f, z) for z in ("%a", "%b"))
    n, m = f.load(base_a), f.load(base_b)
    for count, z in ((n, "%b"), (m, "%a")):
        zones.unless(f, f.test("gt", count, zones.capacity(f, z)))
    for one, two in ((pieces_a, pieces_b), (tags_a, tags_b)):
        f.copy(spare, one, n)
        f.copy(one, two, m)
        f.copy(two, spare, n)
    f.store(m, base_a)
    f.store(n, base_b)
    for z, count, pieces in (("%a", m, pieces_a), ("%b", n, pieces_b)):
        in_order(zones, f, z)
        with f.counting("0", count) as k:
            f.store(z, zones.where(f, f.load(f.at(pieces, k))))
    zones.noticed(f, "%a")
    zones.noticed(f, "%b")
    f.give(str(p.OK))
    return f.text()
