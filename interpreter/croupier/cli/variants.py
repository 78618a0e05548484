"""The name of a ruleset together with the variants that `--variant` names, each by its name or by the path of
its file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.resources import RulesetPlace


def with_variants(name: str, variants: Sequence[str] | None) -> str:
    """The name of a ruleset with some variants of it: NAME/ONE+OTHER, or their files if one is named by its
    path; a variant is combined with them.

    Raises `RulesetError` for the path of a file that is no variant of that ruleset.
    """
    if not variants:
        return name
    from croupier.resources import MAIN_FILE, SUFFIXES, find

    place, _ = find(name)
    prefix = f"{name.rstrip('/')}/"  # somebody may write NAME/VARIANT here, too
    variants = [one if one.endswith(SUFFIXES) else one.removeprefix(prefix) for one in variants]
    if place is not None and any(variant.endswith(SUFFIXES) for variant in variants):
        return "+".join(_files(name, place, variants))
    is_variant = place is not None and not name.endswith(SUFFIXES) and place.path.name != MAIN_FILE
    return f"{name.rstrip('/')}{'+' if is_variant else '/'}{'+'.join(variants)}"


def _files(name: str, place: RulesetPlace, variants: Sequence[str]) -> list[str]:
    """The paths of some variants of a ruleset, and of the ruleset itself if it is a variant.

    Raises `RulesetError`.
    """
    from croupier.diagnostics import RulesetError, diagnose
    from croupier.resolve import open_ruleset
    from croupier.resources import SUFFIXES, unknown, variant_file

    named, problems = open_ruleset(name)
    if named is None:
        raise RulesetError(tuple(problems))
    of_name = [part.path.as_posix() for part in place.parts or (place,)] if named.base is not None else []
    paths: list[str] = []
    for variant in variants:
        if not variant.endswith(SUFFIXES):
            file, problems = variant_file(named.origin.root, variant)
            if file is None:
                raise RulesetError(tuple(problems or [unknown(f"{name}/{variant}")]))
            paths.append(file.as_posix())
            continue
        opened, problems = open_ruleset(variant)
        if opened is None:
            raise RulesetError(tuple(problems))
        if opened.origin.path.resolve() != named.origin.path.resolve():
            raise RulesetError(
                (diagnose("V108", opened.extends, first=named.origin.name, second=opened.name),)
            )
        paths.append(variant)
    return [*of_name, *paths]
