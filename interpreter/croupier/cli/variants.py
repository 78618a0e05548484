"""The name of a ruleset together with the variants that `--variant` names."""

from __future__ import annotations

from collections.abc import Sequence


def with_variants(name: str, variants: Sequence[str] | None) -> str:
    """The name of a ruleset with some variants of it: NAME/ONE+OTHER; a variant is combined with them."""
    if not variants:
        return name
    from croupier.resources import MAIN_FILE, SUFFIXES, find

    place, _ = find(name)
    is_variant = place is not None and not name.endswith(SUFFIXES) and place.path.name != MAIN_FILE
    return f"{name.rstrip('/')}{'+' if is_variant else '/'}{'+'.join(variants)}"
