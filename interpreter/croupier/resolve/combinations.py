"""Combinations of variants of one ruleset: merged one after another, each file once.

The order in which they are named does not matter: they are merged in an order of their own, so that every
order gives the same ruleset. Where an order would matter, there is none: two variants of which neither
extends the other must not change the same thing, because the second would silently undo the first. The same
thing is: an entry of a section with all of its parts; a row, a value or the powers of a component; a phase
with those inside of it; a definition, which `instead of` without a condition changes like `replace`; a hook
or watcher; a limit; the place behind or before a phase. Other conflicts are found when the combination is
checked (`attribution.py`).

A file that lists them under `extends: in_order` says that they are merged as they stand there: a later one
wins.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from croupier.diagnostics import Diagnostic, Label, Span, diagnose
from croupier.limits import MAX_COMBINED_VARIANTS
from croupier.records import dataclass
from croupier.resolve.resolved import Change, Layer, ResolvedRuleset
from croupier.resolve.variants import merge
from croupier.schema import Limits, Phase, Text
from croupier.syntax import nodes as n
from croupier.syntax import parse_module

SHOWN_CONFLICTS = 20
PLACE_OF_PHASE = "place of a phase"
OWNERS = {"rows": "components", "powers": "components", "values": "types"}
Result = tuple[ResolvedRuleset | None, list[Diagnostic]]


def combine(
    parts: Sequence[ResolvedRuleset],
    places: Sequence[Span | None],
    name: str,
    path: Path,
    *,
    in_order: bool = False,
) -> Result:
    """The combination of some variants, and their conflicts; `places` are the spans that name them (`None`:
    named by the user).

    `in_order`: a later one wins over an earlier one. Of a ruleset that is no variant, the combination is the
    ruleset itself.
    """
    origin, whole = parts[0].origin, parts[0]
    strange = [
        _of_another_ruleset(part, place, parts[0])
        for part, place in zip(parts, places, strict=True)
        if not _same(part.origin, origin)
    ]
    if strange:
        return None, strange
    named = {layer.key: layer for part in parts for layer in part.layers}
    if in_order:
        named = _each_below_the_next(named)
    layers = {layer.key: layer for layer in _ordered(named)}
    if len(layers) > MAX_COMBINED_VARIANTS:
        return None, [diagnose("V107", places[-1] or whole.extends, limit=MAX_COMBINED_VARIANTS)]
    problems = [
        _at_its_name(d, layer, parts, places) for d, layer in _conflicts(origin, list(layers.values()))
    ]
    if problems:
        return None, problems
    combined = origin
    for layer in layers.values():
        before = combined
        combined, found = merge(combined, layer.loaded, layer.document)
        combined = replace(combined, layers=(*before.layers, layer))
        known = {(d.code, d.span) for d in layer.problems}
        problems += [_in_combination(d, layer, layers) for d in found if (d.code, d.span) not in known]
    above = list(layers.values())
    spans = [place for place in places if place is not None]
    doc = next(
        (layer.document.doc for layer in reversed(above) if layer.document.doc is not None), origin.doc
    )
    combined = replace(
        combined,
        name=name,
        path=path,
        root=whole.root,
        variant_of=origin.name,
        title=_title(parts, origin),
        doc=doc,
        settings=tuple(setting for layer in above for setting in layer.document.set),
        base=origin,
        extends=spans[0].to(spans[-1]) if spans else whole.extends,
        changes=tuple(change for layer in above for change in layer.changes),
        own_sources=tuple(dict.fromkeys(source for layer in above for source in layer.loaded.sources)),
        layers=tuple(above),
        parts=tuple(parts),
    )
    return combined, problems


def _same(one: ResolvedRuleset, other: ResolvedRuleset) -> bool:
    return os.path.realpath(one.path) == os.path.realpath(other.path)


def _of_another_ruleset(part: ResolvedRuleset, place: Span | None, first: ResolvedRuleset) -> Diagnostic:
    """The diagnostic for a variant of another ruleset than the first one's."""
    spans = [(part, part.extends), (first, first.extends)]
    labels = [
        Label(span, f"`{doc.name}` is a variant of `{doc.origin.name}`")
        for doc, span in spans
        if span is not None and span != place
    ]
    return diagnose("V108", place or part.extends, first=first.name, second=part.name, labels=labels)


def _title(parts: Sequence[ResolvedRuleset], origin: ResolvedRuleset) -> str:
    titles = dict.fromkeys(part.title for part in parts if part.title != origin.title)
    return " + ".join(titles) or origin.title


# ---------------------------------------------------------------- order
def _ordered(layers: Mapping[str, Layer]) -> list[Layer]:
    """Variants in an order that does not depend on how they are named: what a variant extends before it, one
    that puts a phase beside another one before one that removes that, and otherwise by their names.
    """
    below = {key: set(layer.below & layers.keys()) for key, layer in layers.items()}
    anchored = {
        key: below[key]
        | {other for other in layers if other != key and _removes_anchor(layers[key], layers[other])}
        for key in layers
    }
    try:
        return _sorted(layers, anchored)
    except CycleError:  # each removes what the other one needs: the merge says so
        return _sorted(layers, below)


def _each_below_the_next(layers: Mapping[str, Layer]) -> dict[str, Layer]:
    """Variants of which each changes what those before it have made, as if it extended them."""
    keys = list(layers)
    return {
        key: replace(layer, below=layer.below | set(keys[:at]))
        for at, (key, layer) in enumerate(layers.items())
    }


def _sorted(layers: Mapping[str, Layer], before: Mapping[str, set[str]]) -> list[Layer]:
    """The layers, each behind those that must be before it. Raises CycleError."""
    sorter = TopologicalSorter(before)
    sorter.prepare()
    found: list[Layer] = []
    while sorter.is_active():
        ready = sorted((layers[key] for key in sorter.get_ready()), key=lambda layer: (layer.name, layer.key))
        found += ready
        sorter.done(*(layer.key for layer in ready))
    return found


def _removes_anchor(layer: Layer, other: Layer) -> bool:
    """Tell whether a variant removes a phase beside which another one puts a phase."""
    gone = {
        name.text
        for name in (layer.document.remove.phases or () if layer.document.remove is not None else ())
    }
    return any(near is not None and near.text in gone for _, _, near in _anchors(other))


def _anchors(layer: Layer) -> Iterator[tuple[Text, str, Text | None]]:
    """Yield the phases that a variant adds: the phase, `after` or `before`, and the other one; `None` for one
    that is put behind all others.
    """
    for name, phase in layer.document.add.phases if layer.document.add is not None else ():
        yield name, "after" if phase.before is None else "before", phase.after or phase.before


# ---------------------------------------------------------------- conflicts
@dataclass(frozen=True)
class _Changed:
    """Something that a variant changes: an entry of a section (`part` none), or a part of one; or the place
    where it puts a phase.
    """

    section: str
    name: str
    part: tuple[str, str] | None
    span: Span
    words: str
    base: Span | None = None  # of a step of a definition or a phase, what it is

    def is_same(self, other: _Changed) -> bool:
        """Of one entry: is it changed as a whole, or the same part of it, or of two steps one in the
        other?
        """
        if self.part is None or other.part is None:
            return True
        one, two = self.base, other.base
        if one is None or two is None or one.start == one.end == two.start == two.end:
            return self.part == other.part
        return (
            one.source is two.source
            and one.start < max(two.end, two.start + 1)
            and two.start < max(one.end, one.start + 1)
        )

    def conflict(self, first: Layer, second: Layer, other: Span) -> Diagnostic:
        """That two variants change this; `other` is where the first does."""
        code, does = (
            ("V116", "puts a phase there") if self.section == PLACE_OF_PHASE else ("V109", "changes it here")
        )
        labels = (Label(other, f"`{first.name}` {does}"),)
        return diagnose(code, self.span, labels=labels, first=first.name, second=second.name, what=self.words)


def _at_its_name(
    diagnostic: Diagnostic, layer: Layer, parts: Sequence[ResolvedRuleset], places: Sequence[Span | None]
) -> Diagnostic:
    """A conflict of two variants, with labels at both changes, moved to where a file names the second one, if
    one does.
    """
    place = next(
        (at for part, at in zip(parts, places, strict=True) if at is not None and layer in part.layers), None
    )
    assert diagnostic.span is not None
    if place is None:
        return diagnostic
    label = Label(diagnostic.span, f"`{layer.name}` does so here")
    return replace(diagnostic, span=place, labels=(*diagnostic.labels, label))


def _conflicts(origin: ResolvedRuleset, layers: Sequence[Layer]) -> list[tuple[Diagnostic, Layer]]:
    """Each change that two variants make of which neither extends the other: the diagnostic with labels at
    both, and the second variant.
    """
    groups = _groups(origin, layers)
    held: dict[tuple[str, str], list[tuple[Layer, _Changed]]] = {}
    found: dict[tuple[str, str, str, str], tuple[Diagnostic, Layer]] = {}
    for layer in layers:
        mine = list(_changed_by(layer, origin, groups))
        for thing in mine:
            for other, theirs in held.get((thing.section, thing.name), ()):
                apart = other.key not in layer.below and layer.key != other.key
                key = (other.key, layer.key, thing.section, thing.words)
                if apart and key not in found and thing.is_same(theirs):
                    found[key] = thing.conflict(other, layer, theirs.span), layer
        for thing in mine:
            held.setdefault((thing.section, thing.name), []).append((layer, thing))
    return list(found.values())[:SHOWN_CONFLICTS]


def _changed_by(layer: Layer, origin: ResolvedRuleset, groups: Mapping[str, set[str]]) -> Iterator[_Changed]:
    for change in layer.changes:
        owner, words = OWNERS.get(change.section, change.section), f"`{change.part or change.name}`"
        if change.section in OWNERS and change.part is None and change.kind == "adds":
            continue  # a row without an id can only be an added one
        if change.section == "rule_list":
            continue  # the sentence of a rule is a text
        is_part = change.section in OWNERS or change.part is not None
        part = (change.section, change.part or "") if is_part else None
        yield _Changed(
            owner,
            change.name,
            part,
            change.span,
            words,
            change.base if change.section not in OWNERS else None,
        )
        if change.section == "phases" and change.kind != "adds":
            yield from (
                _Changed("phases", inner, None, change.span, f"`{inner}`")
                for inner in sorted(groups.get(change.name, ()))
            )
    for phase, side, near in _anchors(layer):
        place = "behind all others" if near is None else f"{side} `{near.text}`"
        yield _Changed(PLACE_OF_PHASE, place, None, phase.span, place)
    limits = layer.document.limits
    for key in Limits.model_fields:
        value = None if limits is None else getattr(limits, key)
        if key in ("decisions", "chance", "fuel") and value is not None:
            yield _Changed("limits", key, None, value.span, f"the limit `{key}`")
    for _, text in layer.document.definitions:
        for item in parse_module(text.rule)[0] or ():
            known = _definition_key(item, origin)
            if known is not None:
                yield _Changed("definitions", known, None, _head(item), f"`{known}`")


def _groups(origin: ResolvedRuleset, layers: Sequence[Layer]) -> dict[str, set[str]]:
    """The phases inside of each group of phases, at any depth, by its name."""
    groups: dict[str, set[str]] = {}

    def enter(phases: Sequence[tuple[Text, Phase]]) -> set[str]:
        inside: set[str] = set()
        for name, phase in phases:
            inner = enter(phase.phases)
            groups.setdefault(name.text, set()).update(inner)
            inside |= {name.text} | inner
        return inside

    enter(origin.phases)
    for layer in layers:
        enter(layer.document.phases)
        enter(layer.document.add.phases if layer.document.add is not None else ())
    return groups


def _definition_key(item: n.Item | n.Revision | n.Broken, origin: ResolvedRuleset) -> str | None:
    """The identity of a definition, or of a hook or watcher that replaces another or a definition; `None` for
    one that is added.
    """
    match item:
        case n.Def() | n.Window():
            return item.name
        case n.Hook(kind="instead", guard=None, replace=None):
            return item.pattern.name
        case n.Hook() if item.replace is not None:
            same = [
                other
                for other in _listeners(origin)
                if isinstance(other, n.Hook) and _hook_key(other) == _hook_key(item)
            ]
            return _hook_key(item) if len(same) < 2 else _head_text(item)
        case n.Watch() | n.EndWhen() if item.replace is not None:
            return (
                _head_text(item)
                if len([other for other in _listeners(origin) if type(other) is type(item)]) > 1
                else type(item).__name__.lower()
            )
    return None


def _listeners(origin: ResolvedRuleset) -> Iterator[n.Item | n.Revision | n.Broken]:
    for section in origin.definitions:
        yield from parse_module(section.rule)[0] or ()


def _hook_key(hook: n.Hook) -> str:
    return f"{hook.kind} {hook.pattern.name}"


def _head_text(item: n.Item) -> str:
    """The words before the colon, without layout."""
    return " ".join(item.span.text.split("\n", 1)[0].removeprefix("replace ").split(":", 1)[0].split())


def _head(item: n.Item | n.Revision | n.Broken) -> Span:
    line = item.span.text.split("\n", 1)[0]
    return Span(item.span.source, item.span.start, item.span.start + len(line.rstrip()))


# ---------------------------------------------------------------- conflicts that a check finds
def _in_combination(diagnostic: Diagnostic, layer: Layer, layers: dict[str, Layer]) -> Diagnostic:
    """The diagnostic for something that a variant cannot change because another one removed it, with labels
    at both.
    """
    named = diagnostic.span.text if diagnostic.span is not None else ""

    def is_about(change: Change) -> bool:
        return named in change.names or not named and change.section in diagnostic.message

    beside = [other for other in layers.values() if other is not layer and other.key not in layer.below]
    others = [(other, change) for other in beside for change in other.changes if is_about(change)]
    labels = tuple(
        Label(change.span, f"`{other.name}` {change.kind} `{change.names[0]}` here")
        for other, change in others[:3]
    )
    note = f"`{layer.name}` is right by itself; what it is combined with does not fit it"
    return replace(
        diagnostic, labels=(*diagnostic.labels, *labels), notes=(*diagnostic.notes, note), fix=None
    )
