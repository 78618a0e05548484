"""What a variant `set`s: parameters with another default."""

from __future__ import annotations

from croupier.diagnostics import Fix, diagnose, did_you_mean
from croupier.resolve.overlay import Named, Overlay
from croupier.schema import Parameter
from croupier.source import Node


def change_settings(over: Overlay, parameters: Named[Parameter], settings: Named[Node]) -> Named[Parameter]:
    """The parameters with the defaults that the variant sets."""
    values = {name.text: node for name, node in settings}
    known = {name.text: name for name, _ in parameters}
    for name, _ in settings:
        if name.text in known:
            over.note("sets", "parameters", name, known[name.text].span)
        elif ("parameters", name.text) not in over.lost:
            nearest = did_you_mean(name.text, sorted(known))
            fix = None if nearest is None else Fix(name.span, nearest, f"write `{nearest}`", safe=False)
            listed = "the parameters are " + ", ".join(f"`{other}`" for other in sorted(known)) if known else "the ruleset has none"
            help = listed if nearest is None else f"did you mean `{nearest}`?"
            over.problems.append(diagnose("V103", name.span, help=help, fix=fix, name=name.text))
    return tuple(
        (name, parameter.model_copy(update={"default": values[name.text]}) if name.text in values else parameter) for name, parameter in parameters
    )
