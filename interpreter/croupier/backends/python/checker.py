"""The second checker: reads emitted source again and refuses whatever is not on its list.

It trusts nothing of the printer. What may stand: functions of positional arguments, assignments, loops, conditions, comprehensions, arithmetic,
comparisons, tuples and lists of these; calls of functions by generated or listed names and of a few methods; attributes of the position
by listed names; whole numbers, truth values and none. What cannot be written so cannot be reached: no import, no attribute of anything else, no text,
no exception but the one that means a deviation, no name that begins with an underscore.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

NODES = (
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.For, ast.While, ast.If, ast.Expr, ast.Pass, ast.Break,
    ast.Continue, ast.Raise, ast.BoolOp, ast.And, ast.Or, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.UnaryOp, ast.Not,
    ast.USub, ast.IfExp, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn, ast.Call,
    ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Starred, ast.Name, ast.List, ast.Tuple, ast.ListComp, ast.comprehension,
    ast.Load, ast.Store,
)  # fmt: skip
GENERATED = re.compile(r"[KTpqeorgdh]\d+")
LOCAL = re.compile(r"[ltxm]\d+|[SFUVZWavwy_]")
METHODS = {"append", "clear", "count", "pop"}
OF_POSITION = {
    "vars", "zones", "where", "frames", "seat", "offer", "ret", "result", "fuel", "weights", "streams", "chance", "left", "rolls",
}  # fmt: skip
OF_STREAM = {"words", "more"}
RAISED = {"D", "Over"}
LARGEST = 2**53


class Unsafe(Exception):
    """Emitted source holds something that it must not."""


def check(tree: ast.Module, allowed: Collection[str]) -> None:
    """Raises `Unsafe`. `allowed` are the names of the functions that the source may call, and of its constants."""
    for statement in tree.body:
        if not isinstance(statement, ast.FunctionDef) or not GENERATED.fullmatch(statement.name) or statement.decorator_list:
            raise Unsafe(ast.dump(statement)[:80])
    for node in ast.walk(tree):
        if not isinstance(node, NODES):
            raise Unsafe(type(node).__name__)
        _node(node, allowed)


def _node(node: ast.AST, allowed: Collection[str]) -> None:
    match node:
        case ast.Constant():
            if not (node.value is None or (isinstance(node.value, int) and abs(node.value) <= LARGEST)):
                raise Unsafe("a constant")
        case ast.Name():
            stored = isinstance(node.ctx, ast.Store)
            if not (LOCAL.fullmatch(node.id) or (not stored and (node.id in allowed or node.id in RAISED))):
                raise Unsafe(f"the name {node.id}")
        case ast.arg():
            if not LOCAL.fullmatch(node.arg) or node.annotation is not None:
                raise Unsafe("an argument")
        case ast.arguments():
            if node.vararg or node.kwarg or node.kwonlyargs or node.posonlyargs or node.defaults:
                raise Unsafe("arguments")
        case ast.Attribute():
            of_position = isinstance(node.value, ast.Name) and node.value.id == "S" and node.attr in OF_POSITION
            of_stream = isinstance(node.value, ast.Name) and node.value.id == "w" and node.attr in OF_STREAM
            if not of_position and not of_stream and node.attr not in METHODS:
                raise Unsafe(f"the attribute {node.attr}")
        case ast.Call():
            if node.keywords or not (isinstance(node.func, ast.Attribute) and node.func.attr in (*METHODS, "more") or _function(node.func, allowed)):
                raise Unsafe("a call")
        case ast.Raise():
            if not isinstance(node.exc, ast.Name) or node.exc.id not in RAISED or node.cause is not None:
                raise Unsafe("an exception")
        case ast.comprehension():
            if node.is_async:
                raise Unsafe("async")


def _function(node: ast.expr, allowed: Collection[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in allowed and not node.id.startswith(("K", "T"))
