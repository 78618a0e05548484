"""Changed functions in a running interpreter: every live function of a file gets the code that the changed
file would have given it.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and all inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def functions_by_file() -> dict[str, list[FunctionType]]:
    """Every live function by the file it was written in; the collector lists none that are frozen."""
    found: dict[str, list[FunctionType]] = {}
    gc.unfreeze()
    for entry in gc.get_objects():
        if isinstance(entry, FunctionType):
            found.setdefault(entry.__code__.co_filename, []).append(entry)
    gc.freeze()
    return found


def install(path: Path, tree: ast.Module, functions: list[FunctionType]) -> int:
    """Give the functions of a file the code of a changed tree; how many changed.

    Raises `ValueError` where a function closes over other names.

    Functions of one name on one line (lambdas) are told apart by their order.
    """
    new = _by_place(compile(tree, str(path), "exec"))
    old = _by_place(compile(path.read_text(encoding="utf-8"), str(path), "exec"))
    changed = 0
    for function in functions:
        place = _place(function.__code__)
        before, after = old.get(place, []), new.get(place, [])
        if len(before) != len(after) or not after or (len(after) > 1 and function.__code__ not in before):
            continue
        code = after[before.index(function.__code__) if len(after) > 1 else 0]
        if code != function.__code__:
            function.__code__ = code
            changed += 1
    return changed


def _place(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _by_place(module: CodeType) -> dict[tuple[str, int], list[CodeType]]:
    found: dict[tuple[str, int], list[CodeType]] = {}
    for code in codes(module):
        found.setdefault(_place(code), []).append(code)
    return found
