"""Phases of a variant: replaced by name wherever they stand, added after or before another one, removed.

Names are looked for in groups too. No two phases have the same name (N004); of a ruleset where two do, the first one is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.diagnostics import Span
from croupier.resolve.overlay import Overlay
from croupier.schema import AddedPhase, Phase, Text

Phases = tuple[tuple[Text, Phase], ...]
Path = tuple[int, ...]


def change_phases(over: Overlay, old: Phases, new: Phases, added: tuple[tuple[Text, AddedPhase], ...], removed: Iterable[Text] | None) -> Phases:
    """The phases after a variant's changes: first what goes, then what is replaced, then what comes in."""
    for name in removed or ():
        at = _find(over, old, name, "removes")
        if at is not None:
            over.note("removes", "phases", name, _at(old, at)[0].span)
            old = _edited(old, at, ())
    for name, phase in new:
        at = _find(over, old, name, "replaces")
        if at is not None:
            over.note("replaces", "phases", name, _at(old, at)[0].span)
            old = _edited(old, at, ((name, phase),))
    for name, phase in added:
        known: dict[str, Span] = {other.text: other.span for _, other in _walk(old)}
        if not over.is_new("phases", name, known):
            continue
        near = phase.after or phase.before
        at = None if near is None else _find(over, old, near, "removes")
        if near is None:
            old = (*old, (name, phase))
        elif at is not None:
            here = _at(old, at)
            old = _edited(old, at, (here, (name, phase)) if phase.after is not None else ((name, phase), here))
    return old


def _find(over: Overlay, phases: Phases, name: Text, kind: str) -> Path | None:
    found = [(path, other) for path, other in _walk(phases) if other.text == name.text]
    if not found:
        over.missing("phases", name, {other.text for _, other in _walk(phases)}, "replaces" if kind == "replaces" else "removes")
        return None
    return found[0][0]


def _walk(phases: Phases, path: Path = ()) -> Iterator[tuple[Path, Text]]:
    for i, (name, phase) in enumerate(phases):
        yield (*path, i), name
        yield from _walk(phase.phases, (*path, i))


def _at(phases: Phases, path: Path) -> tuple[Text, Phase]:
    name, phase = phases[path[0]]
    return (name, phase) if len(path) == 1 else _at(phase.phases, path[1:])


def _edited(phases: Phases, path: Path, instead: Phases) -> Phases:
    """The phases with others in one place."""
    i = path[0]
    name, phase = phases[i]
    if len(path) > 1:
        instead = ((name, phase.model_copy(update={"phases": _edited(phase.phases, path[1:], instead)})),)
    return (*phases[:i], *instead, *phases[i + 1 :])
