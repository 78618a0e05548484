"""Changed functions in a running interpreter: every live function of a file gets the code that the changed file would have given it."""

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
    """Every live function by the file it was written in."""
    found: dict[str, list[FunctionType]] = {}
    for entry in gc.get_objects():
        if isinstance(entry, FunctionType):
            found.setdefault(entry.__code__.co_filename, []).append(entry)
    return found


def install(path: Path, tree: ast.Module, functions: list[FunctionType]) -> int:
    """Give the functions of a file the code of a changed tree; how many changed. Raises `ValueError` where a function closes over other names."""
    new = {(c.co_qualname, c.co_firstlineno): c for c in codes(compile(tree, str(path), "exec"))}
    changed = 0
    for function in functions:
        code = new.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
        if code is not None and code != function.__code__:
            function.__code__ = code
            changed += 1
    return changed
