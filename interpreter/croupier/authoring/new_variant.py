"""A variant to begin with: its file in the folder of a ruleset, with comments that say what it may change,
and a scenario for it that passes.

What comes in is a ruleset in a folder of its own and a name; both files are written, or none. The variant
changes nothing but the title yet.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from croupier.authoring.new import SCENARIOS, Unfit, check_word, first_steps, title
from croupier.diagnostics import RulesetError, diagnose
from croupier.pipeline import load
from croupier.play.atomic_write import write_whole
from croupier.resolve import ResolvedRuleset, open_ruleset
from croupier.resolve.documents import display_path
from croupier.resources import MAIN_FILE, VARIANTS, find, shipped
from croupier.schema.sections import each_phase
from croupier.source import YamlMapping, YamlScalar, read
from croupier.syntax import nodes as n
from croupier.syntax import parse_module

MOST_NAMES = 6
"""The most names of a section that a comment lists."""


def write_variant(game: str, name: str) -> list[Path]:
    """Write a variant of a ruleset and a scenario for it, and give their paths.

    Raises `Unfit` for a name that cannot be and for a ruleset that has no folder of its own, `RulesetError`
    for what cannot be read or written.
    """
    check_word(name)
    if game in shipped():
        raise Unfit(
            f"`{game}` comes with croupier: make a copy of it first, with `croupier new NAME --like {game}`"
        )
    place, problems = find(game)
    if place is None:
        raise RulesetError(problems)
    if place.path.name != MAIN_FILE:
        raise Unfit(f"`{game}` is not the folder of a ruleset: name the folder that `{MAIN_FILE}` lies in")
    ruleset, problems = open_ruleset(place.path)
    if ruleset is None or any(d.is_error for d in problems):
        raise RulesetError(problems)
    folder = place.path.parent
    variant, scenarios = folder / VARIANTS / f"{name}.yaml", folder / SCENARIOS / f"{name}.yaml"
    for path in (variant, scenarios):
        if os.path.lexists(path):
            raise RulesetError(
                [
                    diagnose(
                        "X530",
                        None,
                        name=display_path(path.absolute()).as_posix(),
                        help="choose another name",
                    )
                ]
            )
    written: list[Path] = []
    try:
        _write(variant, variant_text(ruleset, name), written)
        _write(scenarios, _scenarios(variant, name), written)
    except BaseException:
        for path in written:
            with suppress(OSError):
                os.unlink(path)
        raise
    return written


def _write(path: Path, text: str, written: list[Path]) -> None:
    """Write a file, in a folder that may be new, and note that it is there."""
    path.parent.mkdir(exist_ok=True)
    write_whole(path, text)
    written.append(path)


# ---------------------------------------------------------------- the variant
def variant_text(ruleset: ResolvedRuleset, name: str) -> str:
    """The file of a variant, in the version of the language that its ruleset has; its comments name what this
    one can change.
    """
    return "\n".join((*_head(ruleset, name), *_comments(ruleset))) + "\n"


def _head(ruleset: ResolvedRuleset, name: str) -> Iterator[str]:
    root, _ = read(ruleset.sources[0])
    version = root.get("croupier") if isinstance(root, YamlMapping) else None
    yield f"croupier: {version.text if isinstance(version, YamlScalar) else 1}"
    yield f"extends: ../{MAIN_FILE}"
    yield f"title: {title(name)}"


def _comments(ruleset: ResolvedRuleset) -> Iterator[str]:
    """Yield the comments that list what a variant may change, to be uncommented and filled in."""
    yield "# doc: what is otherwise, in a sentence or two"
    if ruleset.parameters:
        yield "#"
        yield f"# Other defaults of parameters ({_listed([key.text for key, _ in ruleset.parameters])}):"
        yield "# set:"
        yield f"#   {ruleset.parameters[0][0].text}: …"
    phases = [name for name, phase in each_phase(ruleset.phases) if phase.text is not None]
    if phases:
        yield "#"
        yield f"# The text of a phase in place of the old one ({_listed([phase.text for phase in phases])}):"
        yield "# phases:"
        yield f"#   {phases[0].text}: |"
        yield "#     …"
    definitions = [
        item.name
        for section in ruleset.definitions
        for item in parse_module(section.rule)[0]
        if isinstance(item, n.Def)
    ]
    yield "#"
    replaced = f", and definitions in place of old ones ({_listed(definitions)})" if definitions else ""
    yield f"# New definitions and hooks{replaced}:"
    yield "# definitions: |"
    yield f"#   {f'replace def {definitions[0]}' if definitions else 'def something'}(…):"
    yield "#       …"
    yield "#"
    yield "# What is new stands under `add`, what goes under `remove`, in the sections of the ruleset:"
    yield "# add:"
    yield "#   state:"
    yield "#     rounds: 0..9 = 0 seen by everybody"
    yield "# remove:"
    yield f"#   {_removable(ruleset)}"


def _removable(ruleset: ResolvedRuleset) -> str:
    """An example of what can be removed."""
    sections = (("invariants", ruleset.invariants), ("state", ruleset.state), ("zones", ruleset.zones))
    return next(
        (f"{section}: [{entries[0][0].text}]" for section, entries in sections if entries), "phases: […]"
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:MOST_NAMES]) + (" …" if len(names) > MOST_NAMES else "")


# ---------------------------------------------------------------- its scenario
def _scenarios(variant: Path, name: str) -> str:
    """A scenario file for the variant with the beginning of a game."""
    text = first_steps(load(variant)).replace("id: first-steps", f"id: {name.replace('_', '-')}-first-steps")
    version, _, rest = text.partition("\n")
    return (
        f"# For the variant: what it must do. Replace the first scenario when the variant changes "
        f"something.\n{version}\nruleset: {name}\n{rest}"
    )
