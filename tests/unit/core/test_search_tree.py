"""The tree of a search: what its functions count and choose, beside the formulas in floating point."""

from __future__ import annotations

import random
from math import log, sqrt

import pytest

from croupier.core.search_tree import (
    ABOVE,
    AHEAD,
    BRANCH,
    EXPLORATION,
    HEAD,
    LEADS,
    LEAST,
    LIKE_OTHERS,
    MOST,
    NOT_TRIED,
    OFFERED,
    ONE,
    PAID,
    PUCT,
    PUCT_EXPLORATION,
    ROOT_KEYS,
    SCORED,
    SQUARES,
    UCB1,
    VISITS,
    VISITS_SCORED,
    search_tree,
)
from croupier.core.verify import verify
from croupier.execution.search import new_tree, tree_functions

F = tree_functions()


def test_the_functions_are_a_core_program() -> None:
    verify(search_tree())


def put_all(tree: memoryview, options: list[int]) -> list[int]:
    """A branch for each option at the root."""
    keys = [(F["first_key"](None, 1, a), F["second_key"](None, 1, a)) for a in options]
    return [F["put"](None, tree, *key, 0) for key in keys]


def test_options_are_found_again_and_counted() -> None:
    tree, options = new_tree(40), [3, 70_000_000_000, 0, 12]
    branches = [0] * 4
    assert F["look"](None, tree, *ROOT_KEYS, options, 4, branches) == 4
    assert [F["fresh"](None, [0, 9, 0, 0], 4, r) for r in range(3)] == [0, 2, 3]
    made = put_all(tree, options[:3])
    assert F["look"](None, tree, *ROOT_KEYS, options, 4, branches) == 1
    assert branches == [*made, 0] and [tree[b + OFFERED] for b in made] == [2, 2, 2]


def test_a_table_that_is_half_full_still_finds_everything() -> None:
    options = list(range(0, 1000, 7))
    tree = new_tree(len(options))
    made = put_all(tree, options)
    assert len(set(made)) == len(options)
    found = [0] * len(options)
    assert F["look"](None, tree, *ROOT_KEYS, options, len(options), found) == 0 and found == made


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("cut", [0, 1, 2])
def test_worth_and_bound_are_those_of_the_formulas(seed: int, cut: int) -> None:
    """`cut`: play-outs pay alone, pay and have scores, have scores alone."""
    rng = random.Random(seed)
    players, options = 3, list(range(5))
    tree = new_tree(100)
    branches = put_all(tree, options)
    ends: dict[int, list[tuple[list[int], list[int]]]] = {b: [] for b in branches}
    for n in range(60):
        branch = branches[n % 5] if n < 10 else rng.choice(branches)
        scores = [rng.randrange(40) for _ in range(players)]
        paid = [rng.randrange(-3, 9) for _ in range(players)]
        values = [*paid, *(scores if cut else [0] * players), *[0] * players]
        given = {0: 0, 1: 1, 2: 2}[cut]
        scored = F["learn"](None, tree, values, players, given)
        assert scored == given
        F["back_up"](None, tree, [branch, 1], 1, values, players, scored)
        tree[branch + OFFERED] += rng.randrange(3)
        ends[branch].append((paid, scores))
    every = [end for found in ends.values() for end in found]
    leads = [[s - max(x for k, x in enumerate(e) if k != p) for p, s in enumerate(e)] for _, e in every]
    lead_of_1 = [lead[1] for lead in leads]
    low, high = min(min(p) for p, _ in every), max(max(p) for p, _ in every)
    means = [sum(lead[p] for lead in leads) / len(leads) for p in range(players)]
    variance = sum(x * x for lead in leads for x in lead) / len(leads) / players
    spread = sqrt(variance - sum(m * m for m in means) / players)
    wanted = []
    for branch in branches:
        n = len(ends[branch])
        by_pay = sum((p[1] - low) / (high - low) for p, _ in ends[branch]) / n if cut < 2 else 0.0
        own = [e[1] - max(e[0], e[2]) for _, e in ends[branch]]
        by_lead = 0.5 + (sum(own) / n - sum(lead_of_1) / len(lead_of_1)) / (2 * spread)
        worth = {0: by_pay, 1: (by_pay + by_lead) / 2, 2: by_lead}[cut]
        assert F["worth"](None, tree, branch, 1, players) / ONE == pytest.approx(worth, abs=0.01)
        wanted.append(worth + EXPLORATION * sqrt(log(tree[branch + OFFERED]) / n))
    best = F["best"](None, tree, branches, 5, 1, players)
    assert wanted[best] == pytest.approx(max(wanted), abs=0.02)
    assert (tree[SCORED] > 0) == (cut > 0) and (tree[SQUARES] > 0) == (cut > 0)
    assert tree[MOST] - tree[LEAST] == (high - low if cut < 2 else 0)
    assert sum(tree[b + VISITS] for b in branches) == 60
    assert {tree[b + VISITS_SCORED] for b in branches} == {tree[b + VISITS] * cut for b in branches}
    assert any(tree[b + PAID] for b in branches) == (cut < 2) and any(tree[b + AHEAD] for b in branches) == (
        cut > 0
    )
    assert any(tree[LEADS + p] for p in range(players)) == (cut > 0)


@pytest.mark.parametrize("untried", [0, 1, 3])
@pytest.mark.parametrize("urgency", [None, 0.3, 0.9])
@pytest.mark.parametrize("rule", [UCB1, PUCT])
def test_an_option_that_was_not_tried_counts_as_its_urgency(
    rule: int, urgency: float | None, untried: int
) -> None:
    options, rng = list(range(6)), random.Random(untried)
    tree = new_tree(50, rule, LIKE_OTHERS if urgency is None else round(urgency * ONE))
    branches = put_all(tree, options[untried:])
    paid: dict[int, list[int]] = {branch: [] for branch in branches}
    for n in range(40):
        branch, pays = branches[n % 3] if n > 8 else branches[n % len(branches)], rng.randrange(2)
        values = [pays, 1 - pays, 0, 0, 0, 0]
        F["back_up"](None, tree, [branch, 0], 1, values, 2, F["learn"](None, tree, values, 2, 0))
        paid[branch].append(pays)
    bounds = []
    for branch in branches:
        pull = PUCT_EXPLORATION / 6 * sqrt(40) / (1 + len(paid[branch]))
        bounds.append(sum(paid[branch]) / len(paid[branch]) + (pull if rule == PUCT else 0))
    mean = sum(map(sum, paid.values())) / 40
    fresh = (mean if urgency is None else urgency) + (PUCT_EXPLORATION / 6 * sqrt(40) if rule == PUCT else 0)
    taken = F["best"](None, tree, [0] * untried + branches, 6, 0, 2)
    assert not untried or abs(fresh - max(bounds)) > 0.01
    if untried and fresh > max(bounds):
        assert taken == NOT_TRIED
    else:
        assert bounds[taken - untried] == pytest.approx(max(bounds), abs=0.01)


def test_what_lies_below_a_branch_is_kept() -> None:
    tree = new_tree(40)
    above = put_all(tree, [0, 1, 2])
    keys = {(a, b): (10 * a + b + 1, 7 * a + b + 1) for a in range(3) for b in range(4)}
    below = {at: F["put"](None, tree, *key, above[at[0]]) for at, key in keys.items()}
    deep = F["put"](None, tree, 500, 501, below[1, 2])
    for at, branch in below.items():
        tree[branch + VISITS] = 100 + at[1]
    tree[MOST] = 5
    other, whole = new_tree(20), new_tree(300)
    copy = memoryview(bytearray(tree.tobytes())).cast("q")
    assert F["keep"](None, copy, whole, 0) == 3 + 12 + 1
    assert F["keep"](None, tree, other, above[1]) == 4 + 1
    assert other[MOST] == whole[MOST] == 5
    for found, count in ((other, 5), (whole, 16)):
        branches = [s for s in range(HEAD, len(found), BRANCH) if found[s]]
        by_key = {(found[s], found[s + 1]): s for s in branches}
        assert len(branches) == count and deep
        assert [found[by_key[keys[1, b]] + VISITS] for b in range(4)] == [100, 101, 102, 103]
        assert found[by_key[500, 501] + ABOVE] == by_key[keys[1, 2]]
        top = {found[by_key[keys[1, b]] + ABOVE] for b in range(4)}
        assert top == (
            {0} if count == 5 else {by_key[F["first_key"](None, 1, 1), F["second_key"](None, 1, 1)]}
        )
