"""The second checker lets emitted source through, and nothing that could reach outside of it."""

from __future__ import annotations

import ast

import pytest

import croupier
from croupier.backends.choice import compiled
from croupier.backends.python.checker import Unsafe, check

ALLOWED = {"len", "move", "p0", "K0", "T1"}

REFUSED = [
    "import os",
    "x = 1",
    "def p0(S):\n    import os",
    "def f(S):\n    return None",
    "@len\ndef p0(S):\n    return None",
    "def p0(S, *a):\n    return None",
    "def p0(S, l1=1):\n    return None",
    "def p0(S):\n    return 'text'",
    "def p0(S):\n    return 1.5",
    "def p0(S):\n    return f'{S}'",
    f"def p0(S):\n    return {2**60}",
    "def p0(S):\n    return S.__class__",
    "def p0(S):\n    return V.vars",
    "def p0(S):\n    return S.words",
    "def p0(S):\n    return V.more()",
    "def p0(S):\n    return w.keys",
    "def p0(S):\n    return K0.__class__",
    "def p0(S):\n    return K0(1)",
    "def p0(S):\n    return T1()",
    "def p0(S):\n    return open(1)",
    "def p0(S):\n    return (lambda: 1)()",
    "def p0(S):\n    return len(S)(1)",
    "def p0(S):\n    return len(x0, key=1)",
    "def p0(S):\n    raise ValueError",
    "def p0(S):\n    len = 1",
    "def p0(S):\n    global K0",
    "def p0(S):\n    x0 = 2 ** 9",
    "def p0(S):\n    x0 = 2 << 9",
    "def p0(S):\n    del x0",
    "def p0(S):\n    try:\n        pass\n    except D:\n        pass",
    "def p0(S):\n    with S:\n        pass",
    "def p0(S):\n    yield 1",
    "def p0(S):\n    return {1: 2}",
    "def p0(S):\n    return (x1 := 1)",
    "async def p0(S):\n    return 1",
    "class p0:\n    pass",
]


@pytest.mark.parametrize("source", REFUSED)
def test_refused(source: str) -> None:
    with pytest.raises(Unsafe):
        check(ast.parse(source), ALLOWED)


def test_let_through() -> None:
    check(ast.parse("def p0(S, l1):\n    x0 = [l2 for l2 in K0 if len(l2) > 1]\n    move(S, l1, 1, True)\n    raise D\n"), ALLOWED)


def test_no_text_of_an_author_is_in_the_source() -> None:
    """Names and words lie in the table of constants."""
    source = compiled(croupier.load("kuhn_poker").game(None, None)).source
    assert not any(isinstance(n, ast.Constant) and isinstance(n.value, str) for n in ast.walk(ast.parse(source)))
    assert "pot" not in source and "bet" not in source
