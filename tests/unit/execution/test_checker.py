"""Printed Python is read again: what the printers write is let through, and nothing that could reach outside
of it.
"""

from __future__ import annotations

import ast

import pytest

import croupier
from croupier.execution.backends import compile_python
from croupier.printers.python_checker import Disallowed, check_source

GIVEN, SLOTS = {"bisect", "NONE"}, {"Z", "fuel"}
REFUSED = [
    "import os",
    "def p0(S):\n    import os",
    "@len\ndef p0(S):\n    return None",
    "def p0(S, *a):\n    return None",
    "def p0(S):\n    return 'text'",
    "def p0(S):\n    return 1.5",
    "def p0(S):\n    return f'{S}'",
    "def p0(S):\n    return S.__class__",
    "def p0(S):\n    return Z.vars",
    "def p0(S):\n    return S.words",
    "def p0(S):\n    return __import__",
    "def p0(S):\n    return open(1)",
    "def p0(S):\n    return (lambda: 1)()",
    "def p0(S):\n    return len(S)(1)",
    "def p0(S):\n    return sorted(S, reverse=1)",
    "def p0(S):\n    raise ValueError",
    "def p0(S):\n    len = 1",
    "def p0(S):\n    global K0",
    "def p0(S):\n    x0 = 2 ** 9",
    "def p0(S):\n    with S:\n        pass",
    "def p0(S):\n    yield 1",
    "def p0(S):\n    return (x1 := 1)",
    "async def p0(S):\n    return 1",
    "class p0:\n    pass",
    "class Failed(int): pass",
]


@pytest.mark.parametrize("source", REFUSED)
def test_refused(source: str) -> None:
    with pytest.raises(Disallowed):
        check_source(source, GIVEN, SLOTS)


def test_let_through() -> None:
    check_source(
        "def p0(S, z):\n    x = [c for c in S.Z[z] if len(S.Z) > 1]\n    S.fuel -= bisect(x, 1)\n    raise "
        "Failed\n",
        GIVEN,
        SLOTS,
    )


def test_no_text_of_an_author_is_in_the_source() -> None:
    """Nor are their names: all the texts are attributes of positions."""
    code = compile_python(croupier.load("kuhn_poker").engine(None, None))
    texts = {
        n.value
        for n in ast.walk(ast.parse(code.source))
        if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }
    assert texts <= set(code.program.slots) and "pot" not in code.source and "bet" not in code.source
