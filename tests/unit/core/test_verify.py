"""The verifier: each rule of a program of the core is broken once."""

from __future__ import annotations

import pytest

from croupier.core.text import read
from croupier.core.verify import Malformed, verify

HEAD = """\
program p 2 main -
state v0[2] 0 0
table T0[2] 1 2
function f(a, b[3]) 1
  return (a)
function main() 0 waits
  array a[4]
"""


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("  finish", None),
        ("  call f, (1 &a[0]), (x)\n  set y, x\n  finish", None),
        ("  store nothing, 0, 1", "there is no array `nothing`"),
        ("  store T0, 0, 1", "`T0` is a table"),
        ("  set x, y", "`y` is never set"),
        ("  set x, nothing[0]", "there is no array `nothing`"),
        ("  call g, (), ()", "there is no function `g`"),
        ("  call f, (1), (x)", "`f` takes and gives something else"),
        ("  call f, (1 &a[0]), ()", "`f` takes and gives something else"),
        ("  enter f, (1 &a[0]), (x), (), -1, (), -1", "`f` is called in the wrong way"),
        ("  break", "a loop is left where there is none"),
        ("  for i, 0, 2\n    wait 0, 0, (), -1", "somebody waits where nobody may"),
        ("  goto 1", "there is no state 1"),
        ("  set x, v0[2]", "`v0` has no place 2"),
        ("  store a, -1, 0", "`a` has no place -1"),
        ("  set x, 9223372036854775808", "9223372036854775808 is no word of 64 bits"),
        ("  set x, div(1, 0)", "something is divided by 0"),
        ("  sort a, 0, 1, 2, 3", "rows of 2 words are sorted by 3"),
        ("  return (1)", "it returns 1 words instead of 0"),
        ("  enter g, (), (), (), -1, (), -1", "there is no function `g`"),
    ],
)
def test_a_broken_program_is_noticed(body: str, problem: str | None) -> None:
    program = read(HEAD + body + "\n")
    if problem is None:
        verify(program)
        return
    with pytest.raises(Malformed) as found:
        verify(program)
    assert str(found.value) == f"{problem}, in `main`"


def test_a_state_goes_on_somewhere() -> None:
    with pytest.raises(Malformed, match="goes on nowhere"):
        verify(read(HEAD + "in-state 0 main entry\n  set x, 1\n"))
