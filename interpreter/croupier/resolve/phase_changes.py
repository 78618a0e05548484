"""The phases of a variant: removed, replaced and added.

Phases are replaced by name wherever they stand; no two have the same name (N004), and of a ruleset where two
do, the first one is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.diagnostics import Span, diagnose
from croupier.resolve.overlay import Overlay
from croupier.schema import (
    AddedPhase,
    Phase,
    Text,
)

Phases = tuple[tuple[Text, Phase], ...]
PhasePath = tuple[int, ...]


def change_phases(
    over: Overlay,
    old: Phases,
    new: Phases,
    added: tuple[tuple[Text, AddedPhase], ...],
    removed: Iterable[Text] | None,
) -> Phases:
    """The phases after a variant's changes: removals first, then replacements, then additions."""
    emptied: dict[str, str | None] = {}  # what was removed as the last phase of a group, or of all
    for name in removed or ():
        at = _find_phase(over, old, name, "removes")
        if at is not None:
            over.note("removes", "phases", name, _phase_at(old, at)[0].span)
            if len(_phase_at(old, at[:-1])[1].phases if at[1:] else old) == 1:
                emptied[name.text] = _phase_at(old, at[:-1])[0].text if at[1:] else None
            old = _with_phases(old, at, ())
    for name, phase in new:
        at = _find_phase(over, old, name, "replaces")
        if at is not None:
            over.note("replaces", "phases", name, _phase_at(old, at)[0].span)
            old = _with_phases(old, at, ((name, phase),))
    for name, phase in added:
        known: dict[str, Span] = {other.text: other.span for _, other in _walk_phases(old)}
        if not over.is_new("phases", name, known):
            continue
        near = phase.after or phase.before
        at = None if near is None else _find_phase(over, old, near, "removes")
        if near is None:
            old = (*old, (name, phase))
        elif at is not None:
            old = _put(old, at, name, phase)
    for name in removed or ():
        if name.text in emptied and (
            not old if emptied[name.text] is None else _is_empty_group(old, emptied[name.text])
        ):
            group = emptied[name.text]
            place, help = (
                ("`phases`", "replace it by another phase")
                if group is None
                else (f"the group `{group}`", f"remove `{group}` as a whole")
            )
            over.problems.append(
                diagnose(
                    "D004", name.span, place=place, help=f"{help}, or write another one under `add: phases:`"
                )
            )
    return old


def _put(phases: Phases, at: PhasePath, name: Text, phase: AddedPhase) -> Phases:
    """The phases with one more before or behind the one at a path; of several that are put behind the same
    one, an earlier one comes first.
    """
    near = phase.after
    if near is not None:
        beside = phases if len(at) == 1 else _phase_at(phases, at[:-1])[1].phases
        while at[-1] + 1 < len(beside) and _is_put_behind(beside[at[-1] + 1][1], near):
            at = (*at[:-1], at[-1] + 1)
    here = _phase_at(phases, at)
    return _with_phases(phases, at, ((name, phase), here) if near is None else (here, (name, phase)))


def _is_put_behind(phase: Phase, near: Text) -> bool:
    return isinstance(phase, AddedPhase) and phase.after is not None and phase.after.text == near.text


def _is_empty_group(phases: Phases, name: str | None) -> bool:
    """Tell whether there is a group of that name with no phase left in it."""
    return any(
        group.text == name and not (at := _phase_at(phases, path)[1]).phases and at.text is None
        for path, group in _walk_phases(phases)
    )


def _find_phase(over: Overlay, phases: Phases, name: Text, kind: str) -> PhasePath | None:
    found = [(path, other) for path, other in _walk_phases(phases) if other.text == name.text]
    if not found:
        over.missing(
            "phases",
            name,
            {other.text for _, other in _walk_phases(phases)},
            "replaces" if kind == "replaces" else "removes",
        )
        return None
    return found[0][0]


def _walk_phases(phases: Phases, path: PhasePath = ()) -> Iterator[tuple[PhasePath, Text]]:
    for i, (name, phase) in enumerate(phases):
        yield (*path, i), name
        yield from _walk_phases(phase.phases, (*path, i))


def _phase_at(phases: Phases, path: PhasePath) -> tuple[Text, Phase]:
    name, phase = phases[path[0]]
    return (name, phase) if len(path) == 1 else _phase_at(phase.phases, path[1:])


def _with_phases(phases: Phases, path: PhasePath, instead: Phases) -> Phases:
    """The phases with those at a path replaced."""
    i = path[0]
    name, phase = phases[i]
    if len(path) > 1:
        instead = (
            (name, phase.model_copy(update={"phases": _with_phases(phase.phases, path[1:], instead)})),
        )
    return (*phases[:i], *instead, *phases[i + 1 :])
