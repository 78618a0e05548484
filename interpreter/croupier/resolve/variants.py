"""Merge a variant with what it extends, section by section.

Parameters are set, declarations replaced, added and removed (`overlay.py`); components, enumerations and
phases are changed within (`component_changes.py`, `phase_changes.py`), definitions and steps as well
(`revisions.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from croupier.diagnostics import Diagnostic, Fix, Span, diagnose, did_you_mean
from croupier.resolve.component_changes import change_attributes, change_powers, change_rows, change_values
from croupier.resolve.documents import Loaded, RuleEntry
from croupier.resolve.modules import use_modules
from croupier.resolve.overlay import Named, Overlay, T
from croupier.resolve.phase_changes import change_phases
from croupier.resolve.resolved import DefinitionsText, Layer, ResolvedRuleset
from croupier.resolve.revisions import revise
from croupier.schema import (
    Additions,
    Limits,
    Parameter,
    Removals,
    TableLook,
    Text,
    VariantDoc,
)
from croupier.schema.declaration import is_added
from croupier.schema.shapes import clause_name
from croupier.source import YamlNode


def _change_parameters(
    over: Overlay, parameters: Named[Parameter], settings: Named[YamlNode]
) -> Named[Parameter]:
    """The parameters with the defaults that the variant sets."""
    values = {name.text: node for name, node in settings}
    known = {name.text: name for name, _ in parameters}
    for name, _ in settings:
        if name.text in known:
            over.note("sets", "parameters", name, known[name.text].span)
        elif ("parameters", name.text) not in over.lost:
            nearest = did_you_mean(name.text, sorted(known))
            fix = None if nearest is None else Fix(name.span, nearest, f"write `{nearest}`", safe=False)
            listed = (
                "the parameters are " + ", ".join(f"`{other}`" for other in sorted(known))
                if known
                else "the ruleset has none"
            )
            help = listed if nearest is None else f"did you mean `{nearest}`?"
            over.problems.append(diagnose("V103", name.span, help=help, fix=fix, name=name.text))
    changed = []
    for name, parameter in parameters:
        if name.text in values:
            parameter = parameter.model_copy(update={"default": values[name.text]})
        changed.append((name, parameter))
    return tuple(changed)


def merge(
    base: ResolvedRuleset, variant: Loaded, document: VariantDoc
) -> tuple[ResolvedRuleset, list[Diagnostic]]:
    """The merged ruleset, and the diagnostics of changes to what the base does not have."""
    dropped = (*base.dropped, *variant.dropped)
    unread = tuple(drop for drop in variant.dropped if not is_added(drop.span, variant.node))
    over = Overlay({(drop.section, drop.name) for drop in dropped}, unread)
    add, remove = document.add or Additions.model_construct(), document.remove or Removals.model_construct()
    types = over.section("types", base.types, document.types, add.types, remove.types)
    components = over.section(
        "components", base.components, variant.components, variant.added_components, remove.components
    )
    types, components = change_attributes(over, types, components, document.attributes)
    components = change_rows(over, components, variant.rows, variant.added_rows, remove.rows)
    parameters = over.section(
        "parameters", base.parameters, document.parameters, add.parameters, remove.parameters
    )
    invariants = over.without(
        "invariants", base.invariants, _each_clause(base.invariants, remove.invariants or ())
    )
    policies = over.without("policies", base.policies, remove.policies)
    measures = over.without("measures", base.measures, remove.measures)
    phases = change_phases(over, base.phases, document.phases, add.phases, remove.phases)
    definitions, phases = revise(
        over, base.definitions, phases, remove.definitions or (), [text for _, text in document.definitions]
    )
    sentences, removed_rules = _change_rule_list(over, base, variant, remove.rule_list)
    merged = replace(
        base,
        name=document.ruleset.text if document.ruleset is not None else variant.place.path.stem,
        path=variant.place.path,
        root=variant.place.root,
        variant_of=base.name,
        doc=document.doc or base.doc,
        title=document.title.text if document.title is not None else base.title,
        players=over.whole("players", base.players, document.players),
        limits=_change_limits(base.limits, document.limits),
        types=change_values(over, types, document.values, add.values, remove.values),
        parameters=_change_parameters(over, parameters, document.set),
        components=change_powers(over, components, document.powers, add.powers, remove.powers),
        zones=over.section("zones", base.zones, document.zones, add.zones, remove.zones),
        boards=over.section("boards", base.boards, document.boards, add.boards, remove.boards),
        state=over.section("state", base.state, document.state, add.state, remove.state),
        definitions=definitions
        + tuple(DefinitionsText(title, text, True) for title, text in document.definitions),
        claims=over.section("claims", base.claims, document.claims, add.claims, remove.claims),
        phases=phases,
        scoring=over.whole("scoring", base.scoring, document.scoring),
        invariants=_new_or_replaced(over, "invariants", invariants, document.invariants, add.invariants),
        policies=_new_or_replaced(over, "policies", policies, document.policies, add.policies),
        measures=_new_or_replaced(over, "measures", measures, document.measures, add.measures),
        table=_with_looks(base.table, document.table),
        rule_list=sentences,
        removed_rules=removed_rules,
        settings=document.set,
        sources=(*variant.sources, *(source for source in base.sources if source not in variant.sources)),
        dropped=(*dropped, *over.refused),
        cites=(*base.cites, *document.cites),
        base=base,
        extends=extends_span(document),
        changes=tuple(over.changes),
        own_sources=tuple(variant.sources),
        parts=(),
    )
    below = frozenset(layer.key for layer in base.layers)
    merged, more = use_modules(merged, document.uses, variant, len(base.definitions))
    layer = Layer(variant, document, tuple(over.changes), (*over.problems, *more), below)
    return replace(merged, layers=(*base.layers, layer)), [*over.problems, *more]


def _change_rule_list(
    over: Overlay, base: ResolvedRuleset, variant: Loaded, removed: Iterable[Text] | None
) -> tuple[dict[str, RuleEntry], frozenset[str]]:
    """The sentences of the rules after a variant's changes, and the ids of those that are removed.

    Its own stand instead of those of their ids.
    """
    here = {id: entry.span for id, entry in base.rule_list.items()}
    # another variant may remove the same sentence
    names = (name for name in removed or () if name.text not in base.removed_rules)
    gone = over.removed("rule_list", here, names)
    kept = {id: entry for id, entry in base.rule_list.items() if id not in gone}
    return {**kept, **variant.rules}, (base.removed_rules | gone) - variant.rules.keys()


def extends_span(document: VariantDoc) -> Span:
    """Return the span of what a variant extends."""
    first, last = document.extends[0], document.extends[-1]
    return first.span if first is last else first.span.to(last.span)


def _new_or_replaced(over: Overlay, section: str, old: Named[T], new: Named[T], added: Named[T]) -> Named[T]:
    """Invariants, policies and measures may be added like this as well as under `add`: they change no
    game.
    """
    known = {name.text for name, _ in old}
    replaced = tuple((name, thing) for name, thing in new if name.text in known)
    extra = tuple((name, thing) for name, thing in new if name.text not in known)
    return over.section(section, old, replaced, (*extra, *added))


def _each_clause(known: Named[Text], removed: Iterable[Text]) -> Iterator[Text]:
    """The names of conditions: that under which several stand means all of them."""
    names = [name.text for name, _ in known]
    for name in removed:
        clauses = [each for each in names if each.startswith(clause_name(name.text, ""))]
        if name.text in names or not clauses:
            yield name
        else:
            yield from (Text(replace(name.node, text=clause)) for clause in clauses)


def _with_looks(old: TableLook | None, new: TableLook | None) -> TableLook | None:
    """Return the look of the base on a table, with that of a variant laid over it: value by value, zone by
    zone.
    """
    if old is None or new is None:
        return new or old
    looks = {kind.text: dict(values) for kind, values in old.values}
    names = {kind.text: kind for kind, _ in (*old.values, *new.values)}
    for kind, values in new.values:
        mine = {value.text for value, _ in values}
        kept = {value: look for value, look in looks.get(kind.text, {}).items() if value.text not in mine}
        looks[kind.text] = {**kept, **dict(values)}
    return old.model_copy(
        update={
            "values": tuple((names[kind], tuple(values.items())) for kind, values in looks.items()),
            "large": _laid_over(old.large, new.large),
            "together": _laid_over(old.together, new.together),
            "details": new.details or old.details,
        }
    )


def _laid_over(old: Named[T], new: Named[T]) -> Named[T]:
    mine = {name.text for name, _ in new}
    return (*((name, thing) for name, thing in old if name.text not in mine), *new)


def _change_limits(old: Limits | None, new: Limits | None) -> Limits | None:
    if old is None or new is None:
        return new or old
    return old.model_copy(
        update={name: value for name in Limits.model_fields if (value := getattr(new, name))}
    )
