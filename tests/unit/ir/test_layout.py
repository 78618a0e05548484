"""The flat array: positions of random games of every ruleset go in and come out the same; fields do not overlap; what has no room is refused."""

from __future__ import annotations

import random
from typing import Any

import pytest

import croupier
from croupier.ir import lower
from croupier.ir.layout import Layout, lay_out
from croupier.ir.layout.pack import Array, gathered, pack, spread, unpack
from croupier.ir.layout.plan import Field
from croupier.ir.layout.shapes import Counts, Fields, Many, Maybe, Number, Pairs, Shape, Spilled
from croupier.ir.layout.text import layout_text, shape_text
from croupier.runtime.position import as_data
from programs import names, rulesets
from random_steps import step

STEPS = 40


def round_trips(r: croupier.Ruleset, players: int, seed: int) -> None:
    module, rng, state = lower(r.program), random.Random(seed), r.new_initial_state(players)
    layout, live = lay_out(module, state.game), {x.index: x.live for x in module.routines}
    check_fields(layout)
    arrays: dict[tuple[int, ...], Any] = {}
    for _ in range(STEPS):
        if state.is_terminal():
            return
        position = as_data(state._m)[:4]
        cells = pack(layout, position)
        assert all(type(n) is int for n in cells)
        assert unpack(layout, cells, live) == position
        assert arrays.setdefault(tuple(cells), position) == position, "two positions have one array"
        step(state, rng)


def check_fields(layout: Layout) -> None:
    """Fields follow one another without gap or overlap; frames fit the room for them."""
    at = 0
    for f in (*layout.header, *layout.state, *layout.zones, *(f for f in layout.seen if f is not None)):
        assert f.offset == at
        at += f.shape.width
    assert at == layout.stack
    for plan in layout.frames.values():
        at = 2
        for f in plan.fields.values():
            assert f.offset == at
            at += f.shape.width
        assert at == plan.size and layout.stack + plan.size < layout.size


TEXTS = {f"tests/data/programs/{name}.yaml" for name in ("texts", "texts_in_state", "texts_of_values", "deep_lists")}  # the array holds numbers


@pytest.mark.parametrize("name", sorted({*names()} - TEXTS)[::3])
def test_positions_go_in_and_come_out(name: str) -> None:
    for number, r in enumerate(rulesets(name).values()):
        for players in sorted({r.players[0], r.players[-1]}):
            round_trips(r, players, number)


def test_nested_calls_fit_the_stack() -> None:
    """Calls inside one another, windows and hooks: the deepest stacks of many games."""
    r = rulesets("tests/data/programs/windows.yaml")["tests/data/programs/windows.yaml"]
    module, deepest = lower(r.program), 0
    for seed in range(60):
        state, rng = r.new_initial_state(3), random.Random(seed)
        layout = lay_out(module, state.game)
        while not state.is_terminal():
            pack(layout, as_data(state._m)[:4])
            deepest = max(deepest, len(state._m.frames))
            step(state, rng)
    assert deepest >= 7


SHAPES: list[tuple[Shape, Any, list[int]]] = [
    (Number(0, 4), 3, [3]),
    (Number(-1, 4), -1, [0]),
    (Number(5, 4, True), None, [0]),
    (Number(5, 4, True), 5, [1]),
    (Number(0, None), -7, [-7]),
    (Number(0, None, True), None, [0, 0]),
    (Number(0, None, True), 0, [1, 0]),
    (Maybe(Fields((Number(0, 2), Number(0, 9)))), None, [0, 0, 0]),
    (Maybe(Fields((Number(0, 2), Number(0, 9)))), (1, 8), [1, 1, 8]),
    (Many(Number(0, 9), 3), (4, 5), [2, 4, 5, 0]),
    (Counts(2, 3), (2, 4, 4), [1, 0, 2]),
    (Counts(0, 2, True), (False, True), [1, 1]),
    (Pairs(Number(0, 9, True), 3), ((0, 8), (2, 0)), [9, 0, 1]),
]


@pytest.mark.parametrize(("shape", "value", "cells"), SHAPES, ids=[f"{shape_text(s)}: {v}" for s, v, _ in SHAPES])
def test_shapes(shape: Shape, value: Any, cells: list[int]) -> None:
    array = Array(EMPTY, 0)
    assert array.flat(shape, value) == cells and len(cells) == shape.width
    assert array.value(shape, cells) == value


EMPTY = Layout((), (), (), (), {}, 0, 0)


def test_spilled_lists_lie_at_the_end() -> None:
    array = Array(EMPTY, 0)
    shape = Spilled(Number(0, 9))
    assert [array.flat(shape, (4, 5)), array.flat(shape, ()), array.flat(shape, (6,))] == [[0, 2], [2, 0], [2, 1]]
    assert array.spill == [4, 5, 6] and array.value(shape, [2, 1]) == (6,)


@pytest.mark.parametrize(
    ("shape", "value"),
    [(Number(0, 4), 4), (Number(1, 4), 0), (Number(0, 4), None), (Many(Number(0, 4), 1), (1, 2)), (Fields((Number(0, 2),)), (1, 1))],
)
def test_what_has_no_room_is_refused(shape: Shape, value: Any) -> None:
    with pytest.raises(ValueError):
        Array(EMPTY, 0).flat(shape, value)


def test_unordered_parts_of_zones() -> None:
    """Parts that lie beside one another stay apart."""
    shape = Many(Fields((Number(0, 9), Number(0, 3))), 9)
    for items in ((), (1, 2), ((1, 2, 3),), (1, (2, 3), (4, 5), 6, (7, 8)), ((1, 2), (3, 4), (5, 6))):
        assert gathered(spread(items, shape), shape) == items


def test_the_plan_as_text() -> None:
    r = rulesets("rulesets/classics/tic_tac_toe/ruleset.yaml")["rulesets/classics/tic_tac_toe/ruleset.yaml"]
    module = lower(r.program)
    text = layout_text(module, lay_out(module, r.game(None, None)))
    assert "      2  mark: 9 × 0..1?" in text.splitlines()
    assert Field("x", 0, Number(0, 2)).shape.width == 1
