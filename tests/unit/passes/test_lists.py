"""Lists of a target that has lists of its own."""

from __future__ import annotations

from pathlib import Path

import croupier
from croupier.execution.python_program import PythonProgram
from croupier.lowering import lower
from croupier.passes.lists import list_parameters
from croupier.passes.pipeline import prepare_python_steps

PROGRAMS = Path(__file__).parents[2] / "data" / "programs"


def test_recursive_definitions_hand_lists_on_without_a_copy() -> None:
    """Each array that a definition of this program is given is a list that it only reads; printed Python
    passes the list itself.
    """
    game = croupier.load(PROGRAMS / "walks_with_lists.yaml").game(2, None)
    lowered = lower(game).program
    taken = {
        f.name: {p.name for p in f.parameters if p.size is not None}
        for f in lowered.functions.values()
        if not f.waits
    }
    found = list_parameters(prepare_python_steps(lowered))
    assert {name: set(lists) for name, lists in found.items()} == {
        name: names for name, names in taken.items() if names
    }
    text = PythonProgram(lowered, game.program.limits["fuel"]).text
    # a list as an array, with its length before its elements
    assert "[len(" not in text[text.index("def f_") :]


def test_a_parameter_that_is_changed_stays_an_array() -> None:
    """Of `path`, one list is returned and so written; what it is given is only read."""
    lowered = lower(croupier.load(PROGRAMS / "paths_with_lists.yaml").game(2, None)).program
    outputs = {(f.name, p.name) for f in lowered.functions.values() for p in f.parameters if p.gives}
    found = list_parameters(prepare_python_steps(lowered))
    assert outputs and not any(name in found.get(function, ()) for function, name in outputs)
