"""A variant laid over the ruleset that it extends: parameters set, named things replaced, definitions added."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from croupier.diagnostics import Diagnostic, Fix, diagnose, did_you_mean
from croupier.resolve.loading import Loaded
from croupier.resolve.resolved import DefinitionsText, ResolvedRuleset
from croupier.schema import Limits, Parameter, Text, VariantDoc
from croupier.source import Node

T = TypeVar("T")
Named = tuple[tuple[Text, T], ...]


def merge(base: ResolvedRuleset, variant: Loaded, document: VariantDoc) -> tuple[ResolvedRuleset, list[Diagnostic]]:
    """The variant as a whole ruleset, and what it says about things that the base does not have."""
    problems: list[Diagnostic] = []
    lost = {(drop.section, drop.name) for drop in base.dropped}

    def over(section: str, old: Named[T], new: Named[T]) -> Named[T]:
        """The old entries, those of the same name replaced in their place."""
        by_name = {name.text: (name, thing) for name, thing in new}
        known = {name.text for name, _ in old}
        for name, _ in new:
            if name.text not in known and (section, name.text) not in lost:
                problems.append(_nothing("V104", name, known, f"`{section}`"))
        return tuple(by_name.get(name.text, (name, thing)) for name, thing in old)

    parameters = over("parameters", base.parameters, document.parameters)
    merged = replace(
        base,
        name=document.ruleset.text if document.ruleset is not None else variant.place.path.stem,
        path=variant.place.path,
        variant_of=base.name,
        doc=document.doc or base.doc,
        title=document.title.text if document.title is not None else base.title,
        players=document.players or base.players,
        limits=_limits(base.limits, document.limits),
        types=over("types", base.types, document.types),
        parameters=_set(parameters, document.set, lost, problems),
        components=over("components", base.components, variant.components),
        zones=over("zones", base.zones, document.zones),
        boards=over("boards", base.boards, document.boards),
        state=over("state", base.state, document.state),
        definitions=base.definitions + tuple(DefinitionsText(title, text, True) for title, text in document.definitions),
        claims=over("claims", base.claims, document.claims),
        phases=over("phases", base.phases, document.phases),
        scoring=document.scoring or base.scoring,
        invariants=_added(base.invariants, document.invariants),
        rule_list={**base.rule_list, **variant.rules},
        settings=document.set,
        sources=(*variant.sources, *base.sources),
        dropped=(*base.dropped, *variant.dropped),
        cites=(*base.cites, *document.cites),
    )
    return merged, problems


def _set(parameters: Named[Parameter], settings: Named[Node], lost: set[tuple[str, str]], problems: list[Diagnostic]) -> Named[Parameter]:
    """The parameters with the defaults that the variant sets."""
    values = {name.text: node for name, node in settings}
    known = {name.text for name, _ in parameters}
    for name, _ in settings:
        if name.text not in known and ("parameters", name.text) not in lost:
            problems.append(_nothing("V103", name, known))
    return tuple(
        (name, parameter.model_copy(update={"default": values[name.text]}) if name.text in values else parameter) for name, parameter in parameters
    )


def _added(old: Named[Text], new: Named[Text]) -> Named[Text]:
    """Invariants may be added as well as replaced: they change no game."""
    merged = {name.text: (name, text) for name, text in old}
    merged.update({name.text: (name, text) for name, text in new})
    return tuple(merged.values())


def _limits(old: Limits | None, new: Limits | None) -> Limits | None:
    if old is None or new is None:
        return new or old
    return old.model_copy(update={name: value for name in Limits.model_fields if (value := getattr(new, name))})


def _nothing(code: str, name: Text, known: set[str], section: str = "") -> Diagnostic:
    nearest = did_you_mean(name.text, sorted(known))
    if nearest is not None:
        fix = Fix(name.span, nearest, f"write `{nearest}`", safe=False)
        return diagnose(code, name.span, help=f"did you mean `{nearest}`?", fix=fix, name=name.text, section=section)
    listed = ", ".join(f"`{other}`" for other in sorted(known))
    help = f"a variant can replace {listed}" if code == "V104" else f"the parameters are {listed}"
    if not known:
        help = "the ruleset has none"
    elif code == "V104":
        help += "; to add something, declare it in the ruleset"
    return diagnose(code, name.span, help=help, name=name.text, section=section)
