"""Labels that components can have: of a class whose label names changeable attributes, one for every combination of their values."""

from __future__ import annotations

from itertools import product

from croupier.runtime.game import Game, Value
from croupier.runtime.machine import Machine
from croupier.semantics import types as t

Worn = tuple[tuple[int, Value], ...]  # values of changeable attributes, by the index of their variable

MOST_LOOKS = 1_000  # combinations of the values that the label of one class names; of more there are no labels to write


def looks(game: Game) -> dict[str, dict[int, Worn]]:
    """Label -> the components that can have it -> what their changeable attributes then are. Only of classes whose labels change."""
    found: dict[str, dict[int, Worn]] = {}
    m = Machine(game)
    for kind, label in game.labels.items():
        k = game.program.classes[kind]
        assert k.label is not None and k.frame is not None
        named = {k.frame.slots[x.data] for x in k.label.walk() if x.op == "local"}
        variables = [game.program.vars[f"{kind}.{a}"] for a in k.mutable if a in named]
        kinds = [v.type.value for v in variables if isinstance(v.type, t.Map)]
        if not all(game.is_finite(x) for x in kinds):
            continue
        size = 1
        for x in kinds:
            size *= game.domain(x)[1]
        if size > MOST_LOOKS:
            continue
        start = list(m.vars)
        for values in product(*(game.values(x) for x in kinds)):
            for v, value in zip(variables, values, strict=True):
                m.vars[v.index] = (value,) * len(start[v.index])
            worn = tuple((v.index, value) for v, value in zip(variables, values, strict=True))
            for p in game.pieces:
                if p.kind == kind:
                    found.setdefault(label(m, p), {})[p.number] = worn
        m.vars[:] = start
    return found
