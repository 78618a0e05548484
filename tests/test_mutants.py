"""A sample of the changes of a game's rules is noticed by its scenarios; `croupier mutate NAME` tries them
all.

The games listed here keep the score that issue and rulings ask for, 90 %: of one a sample is tried, of the
others with `-m soak`. The list of equivalents of every game is in order.
"""

from __future__ import annotations

import pytest

from croupier.authoring.mutation.equivalents import FILE
from croupier.authoring.mutation.mutate import MutationPlan, mutate
from croupier.resources import rulesets_folder

LEAST = 0.9
SAMPLES = {"witches_of_blackmore": 12}  # of the others more, as a soak
FINISHED = ("witches_of_blackmore", "baron_voodoo", "una_notte_da_lupi", "vudu", "wednesday_hyde")
LISTS = sorted(path.parent.name for path in rulesets_folder().rglob(FILE))


@pytest.mark.parametrize(
    "name",
    [name if at == 0 else pytest.param(name, marks=pytest.mark.soak) for at, name in enumerate(FINISHED)],
)
def test_a_sample_of_mutants_is_killed(name: str) -> None:
    found = mutate(name, MutationPlan(sample=SAMPLES.get(name, 60), seed=1, jobs=1))
    lost = [
        f"{m.id} {m.span.source.name}:{m.span.line} {m.operator}: {m.change}" for m, _ in found.of("survived")
    ]
    assert found.score >= LEAST, "\n".join(lost)
    assert not found.killed_though_listed


@pytest.mark.parametrize("name", sorted({*FINISHED, *LISTS}))
def test_the_list_of_equivalents_is_in_order(name: str) -> None:
    found = mutate(name, MutationPlan(sample=0, jobs=1))
    assert not found.stale, (
        f"take these out of {name}/{FILE}, or give their reasons: {', '.join(found.stale)}"
    )
    assert 100 * len(found.reasons) <= 5 * found.all_mutants
