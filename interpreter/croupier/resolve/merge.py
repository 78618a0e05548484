"""A variant laid over what it extends: parameters set, named things replaced, added and removed; section by section."""

from __future__ import annotations

from dataclasses import replace

from croupier.diagnostics import Diagnostic, Span
from croupier.resolve.loading import Loaded
from croupier.resolve.overlay import Named, Overlay
from croupier.resolve.parts import change_rows, change_values
from croupier.resolve.phases import change_phases
from croupier.resolve.powers import change_powers
from croupier.resolve.resolved import DefinitionsText, Layer, ResolvedRuleset
from croupier.resolve.settings import change_settings
from croupier.schema import Additions, Limits, Removals, Text, VariantDoc


def merge(base: ResolvedRuleset, variant: Loaded, document: VariantDoc) -> tuple[ResolvedRuleset, list[Diagnostic]]:
    """The variant as a whole ruleset, and what it says about things that the base does not have."""
    dropped = (*base.dropped, *variant.dropped)
    over = Overlay({(drop.section, drop.name) for drop in dropped})
    add, remove = document.add or Additions.model_construct(), document.remove or Removals.model_construct()
    types = over.section("types", base.types, document.types, add.types, remove.types)
    components = over.section("components", base.components, variant.components, variant.added_components, remove.components)
    components = change_rows(over, components, variant.rows, variant.added_rows, remove.rows)
    parameters = over.section("parameters", base.parameters, document.parameters, add.parameters, remove.parameters)
    invariants = over.without("invariants", base.invariants, remove.invariants)
    merged = replace(
        base,
        name=document.ruleset.text if document.ruleset is not None else variant.place.path.stem,
        path=variant.place.path,
        root=variant.place.root,
        variant_of=base.name,
        doc=document.doc or base.doc,
        title=document.title.text if document.title is not None else base.title,
        players=over.whole("players", base.players, document.players),
        limits=_limits(base.limits, document.limits),
        types=change_values(over, types, document.values, add.values, remove.values),
        parameters=change_settings(over, parameters, document.set),
        components=change_powers(over, components, document.powers, add.powers, remove.powers),
        zones=over.section("zones", base.zones, document.zones, add.zones, remove.zones),
        boards=over.section("boards", base.boards, document.boards, add.boards, remove.boards),
        state=over.section("state", base.state, document.state, add.state, remove.state),
        definitions=base.definitions + tuple(DefinitionsText(title, text, True) for title, text in document.definitions),
        claims=over.section("claims", base.claims, document.claims, add.claims, remove.claims),
        phases=change_phases(over, base.phases, document.phases, add.phases, remove.phases),
        scoring=over.whole("scoring", base.scoring, document.scoring),
        invariants=_invariants(over, invariants, document.invariants, add.invariants),
        rule_list={**base.rule_list, **variant.rules},
        settings=document.set,
        sources=(*variant.sources, *(source for source in base.sources if source not in variant.sources)),
        dropped=dropped,
        cites=(*base.cites, *document.cites),
        base=base,
        extends=extends_span(document),
        changes=tuple(over.changes),
        own_sources=tuple(variant.sources),
        parts=(),
    )
    below = frozenset(layer.key for layer in base.layers)
    layer = Layer(variant, document, tuple(over.changes), tuple(over.problems), below)
    return replace(merged, layers=(*base.layers, layer)), over.problems


def extends_span(document: VariantDoc) -> Span:
    """Where a variant says what it extends."""
    first, last = document.extends[0], document.extends[-1]
    return first.span if first is last else first.span.to(last.span)


def _invariants(over: Overlay, old: Named[Text], new: Named[Text], added: Named[Text]) -> Named[Text]:
    """Invariants may be added like this as well as under `add`: they change no game."""
    known = {name.text for name, _ in old}
    replaced = tuple((name, text) for name, text in new if name.text in known)
    extra = tuple((name, text) for name, text in new if name.text not in known)
    return over.section("invariants", old, replaced, (*extra, *added))


def _limits(old: Limits | None, new: Limits | None) -> Limits | None:
    if old is None or new is None:
        return new or old
    return old.model_copy(update={name: value for name in Limits.model_fields if (value := getattr(new, name))})
