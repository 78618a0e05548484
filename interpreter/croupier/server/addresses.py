"""Who stands behind an address, as bounds count visitors; and the proxies whose word on that is taken."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from functools import lru_cache

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

PREFIX = (
    64  # bits of an IPv6 address that one visitor is given: any provider hands out at least such a network
)
SURROUNDINGS = {4: 24, 6: 48}  # bits, by the version of the protocol: what a customer may be given
MAX_KEPT = 128  # characters of what is no address


@lru_cache(maxsize=4_096)
def visitor(address: str) -> str:
    """Return the visitor whom an address stands for: an IPv4 address, or the /64 network of an IPv6 address.

    IPv4 addresses written as IPv6 (`::ffff:192.0.2.1`) are IPv4 addresses. What is no address, as that of a
    Unix socket, stands for itself.
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:MAX_KEPT]
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, PREFIX), strict=False))


@lru_cache(maxsize=4_096)
def surroundings(who: str) -> str:
    """Return the network in which a visitor may have many addresses: a /24 of IPv4, a /48 of IPv6."""
    try:
        found = ipaddress.ip_network(who)
    except ValueError:
        return who
    return str(found.supernet(new_prefix=SURROUNDINGS[found.version]))


def network(text: str) -> Network:
    """Return the network of an address or a network in CIDR notation.

    Raises ValueError if it is neither, or if bits behind the prefix are set.
    """
    return ipaddress.ip_network(text.strip())


def is_in(address: str, networks: Iterable[Network]) -> bool:
    """Tell whether an address is in one of these networks."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return any(found in one for one in networks)
