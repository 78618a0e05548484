"""What a condition of a parameter (`valid`) was refused with: the number of players, what was set, and what else the condition asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from croupier.diagnostics import Diagnostic, Label
from croupier.semantics.program import Program
from croupier.semantics.tree import ParamExpr

PARAMETER_REFUSED = "G013"
SHOWN_SETTINGS = 6
SHOWN = 40  # characters of a value that is shown


def explain_parameter_errors(
    found: Iterable[Diagnostic], program: Program, players: int | None, settings: Mapping[str, object]
) -> tuple[Diagnostic, ...]:
    """The reasons why a game cannot be set up, each refused condition with what it was tested for and, in a variant, where the value was set."""
    return tuple(_explain(d, program, players, settings) if d.code == PARAMETER_REFUSED else d for d in found)


def _explain(d: Diagnostic, program: Program, players: int | None, settings: Mapping[str, object]) -> Diagnostic:
    parameter, condition = next(((p, c) for p in program.params.values() for _, c in p.valid if c.span == d.span), (None, None))
    if parameter is None or condition is None:  # of a parameter that a variant adds
        return d
    others = sorted({x.name for x in condition.walk() if isinstance(x, ParamExpr)} - {parameter.name})
    given = [f"{players} players"] if players is not None and (len(program.players) > 1 or settings) else []
    given += [f"`{name}` = {_short(value)}" for name, value in list(settings.items())[:SHOWN_SETTINGS] if name != parameter.name]
    notes = [f"that is so with {', '.join(given)}"] if given else []
    notes += [f"the condition asks for {', '.join(f'`{name}`' for name in others)} too"] if others else []
    labels = () if parameter.name in settings else _set_at(parameter.name, program)
    return replace(d, notes=(*d.notes, *notes), labels=(*d.labels, *labels))


def _set_at(name: str, program: Program) -> tuple[Label, ...]:
    """The place in the nearest variant that sets a parameter."""
    doc = program.resolved
    while doc is not None:
        for key, _ in doc.settings:
            if key.text == name and doc.base is not None:
                return (Label(key.span, "set here"),)
        doc = doc.base
    return ()


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
