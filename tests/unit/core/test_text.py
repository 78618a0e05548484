"""The text form of the core: what is written is read back as the same program."""

from __future__ import annotations

import pytest

import croupier
from croupier.core import operations as op
from croupier.core.text import NoCore, read, write
from croupier.core.types import CoreProgram, Function
from croupier.lowering import lower
from croupier.passes.pipeline import prepare_steps


@pytest.mark.parametrize("name", ["tic_tac_toe", "plain_tricks", "sealed_auction", "wednesday_hyde"])
def test_a_program_is_read_back(name: str) -> None:
    made = lower(croupier.load(name).game(None, None)).program
    for program in (made, prepare_steps(made)):
        assert read(write(program)) == program


@pytest.mark.parametrize("is_counted", [True, False])
def test_whether_a_supposition_is_counted_is_read_back(is_counted: bool) -> None:
    inner = op.Try("t", (op.Set("x", op.Const(1)),), op.Local("x"), counted=is_counted)
    body = (inner, op.Finish())
    program = CoreProgram("small", 2, functions={"main": Function("main", (), 0, (), body, waits=True)})
    assert read(write(program)) == program


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nonsense", "what is `nonsense`?"),
        ("function f() 0\n  jump 3\n", "`jump` is no statement"),
        ("function f() 0\n  set x, add(1\n", "the line ends too soon"),
        ("function f() 0\n  set x, §\n", "what is `§`?"),
        ("function f() 0\n  try t, x, (), 1\n", "`1` is neither True nor False"),
    ],
)
def test_what_is_no_program_is_refused(text: str, problem: str) -> None:
    with pytest.raises(NoCore) as found:
        read(text)
    assert str(found.value).strip() == problem
