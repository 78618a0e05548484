"""Shipped rulesets for tests that need some of each kind and not all of them."""

from __future__ import annotations

from croupier.resources import shipped


def sample() -> list[str]:
    """Every base ruleset, and of each game that has variants the first one."""
    names = list(shipped())
    return [name for k, name in enumerate(names) if "/" not in name or "/" not in names[k - 1]]
