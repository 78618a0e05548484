"""Variants that the value of a parameter switches on: found by their names, opened, and laid over the ruleset that declares the parameter.

A variant that holds because of the values of parameters must not change which variants hold: it leaves the parameters with `variants` alone,
but for setting one of them to the value that switches it on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from croupier.diagnostics import Diagnostic, Label, diagnose, did_you_mean
from croupier.resolve.combine import combine
from croupier.resolve.opening import Opening
from croupier.resolve.paths import shown
from croupier.resolve.resolved import Layer, ResolvedRuleset
from croupier.resolve.tidy import tidy
from croupier.resources import VARIANTS, Place, variant_file, variants_in
from croupier.schema import Parameter, Text

Switches = Mapping[str, ResolvedRuleset]


def open_switches(doc: ResolvedRuleset) -> tuple[dict[str, ResolvedRuleset], list[Diagnostic]]:
    """The variants, by name, that parameters of a ruleset switch on, and what is wrong with how they are named and with their files."""
    found: dict[str, ResolvedRuleset] = {}
    problems: list[Diagnostic] = []
    opening = Opening()
    tried: set[str] = set()
    for _, parameter in doc.parameters:
        for name in (name for _, names in parameter.variants for name in names):
            if name.text in tried:
                continue
            tried.add(name.text)
            declaring = _declared_in(doc, name)
            folder = declaring.path.parent.parent if declaring.path.parent.name == VARIANTS else declaring.path.parent
            path, unreadable = variant_file(folder, name.text)
            problems += unreadable
            if path is None:
                problems += [] if unreadable else [_unknown(name, folder)]
                continue
            variant, more = opening.whole(Place(shown(path), declaring.root, path.as_posix()), name.span)
            problems += more
            if variant is not None and variant.origin.path.resolve() != doc.origin.path.resolve():
                labels = () if variant.extends is None else (Label(variant.extends, f"it extends `{variant.origin.name}`"),)
                problems.append(diagnose("V108", name.span, first=doc.origin.name, second=name.text, labels=labels))
            elif variant is not None:
                problems += _changed_switches(doc, variant, name.text)
                found[name.text] = variant
    return found, tidy(problems)


def with_variants(doc: ResolvedRuleset, switches: Switches, names: Sequence[str]) -> tuple[ResolvedRuleset | None, list[Diagnostic]]:
    """A ruleset with the variants of these names laid over it, and where they are in conflict."""
    parts = [doc, *(switches[name] for name in names)]
    return combine(parts, [None] * len(parts), doc.name, doc.path)


def _declared_in(doc: ResolvedRuleset, text: Text) -> ResolvedRuleset:
    """The ruleset or variant in whose text something stands."""
    while doc.base is not None and all(source.name != text.span.source.name for source in doc.own_sources):
        doc = doc.base
    return doc


def _unknown(name: Text, folder: Path) -> Diagnostic:
    names = [path.stem for path in variants_in(folder)[0]]
    near = did_you_mean(name.text, names)
    listed = "its variants are " + ", ".join(f"`{other}`" for other in names) if names else "its folder holds none: make `variants/NAME.yaml`"
    return diagnose("V112", name.span, name=name.text, help=f"did you mean `{near}`?" if near is not None else listed)


def _changed_switches(doc: ResolvedRuleset, variant: ResolvedRuleset, name: str) -> Iterator[Diagnostic]:
    """Where a variant changes which variants hold."""
    own = {layer.key for layer in doc.layers}
    parameters = {key.text: parameter for key, parameter in doc.parameters if parameter.variants}
    for layer in variant.layers:
        if layer.key in own:
            continue
        for change in layer.changes:
            if change.section != "parameters" or change.name not in parameters:
                continue
            if change.kind != "sets" or not _is_on(layer, change.name, parameters, name):
                labels = (Label(change.base, "declared here"),) if change.base is not None else ()
                yield diagnose("V113", change.span, variant=layer.name, labels=labels)
        added: Iterable[tuple[Text, Parameter]] = layer.document.add.parameters if layer.document.add is not None else ()
        for key, parameter in added:
            if parameter.variants:
                yield diagnose("V113", key.span, variant=layer.name)


def _is_on(layer: Layer, parameter: str, parameters: Mapping[str, Parameter], name: str) -> bool:
    """Does a variant set a parameter to a value that switches the variant itself on, and nothing else?"""
    value = next((node.span.text.strip() for key, node in layer.document.set if key.text == parameter), "")
    return any(key.text == value and [n.text for n in names] == [name] for key, names in parameters[parameter].variants)
