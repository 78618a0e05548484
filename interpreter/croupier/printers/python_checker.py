"""Reads printed Python again, and refuses whatever is not on its list, before it is compiled.

It trusts nothing of the printers. What may stand: functions of positional arguments, assignments, loops, conditions, comprehensions, arithmetic,
comparisons, lists and tuples of these; calls of functions of the source itself, of those it is given, of a few methods; attributes of positions by
listed names; whole numbers, truth values and none. What cannot be written so cannot be reached: no import, no text, no name that begins with an
underscore but those that make the class of positions.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

NODES = (
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.keyword, ast.Lambda, ast.ClassDef, ast.Return, ast.Assign, ast.AugAssign, ast.For,
    ast.While, ast.If, ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.Raise, ast.Delete, ast.Del, ast.Try, ast.ExceptHandler, ast.Nonlocal,
    ast.Match, ast.match_case, ast.MatchValue, ast.MatchOr, ast.MatchAs, ast.BoolOp, ast.And, ast.Or, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
    ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor, ast.UnaryOp, ast.Not, ast.USub, ast.Invert, ast.IfExp,
    ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn, ast.Call, ast.Constant, ast.Attribute,
    ast.Subscript, ast.Slice, ast.Starred, ast.Name, ast.List, ast.Tuple, ast.Dict, ast.ListComp, ast.SetComp, ast.comprehension, ast.Load,
    ast.Store,
)  # fmt: skip
FUNCTIONS = {"len", "range", "enumerate", "zip", "sorted", "set", "min", "max"}
CLASSES = {"Failed", "Finished", "DeadEnd", "Reached", "Position"}
METHODS = {"append", "clear", "copy", "get", "index", "insert", "pop", "remove", "sort", "bit_count", "bit_length", "more", "again", "uniform"}
OF_STREAM = {"words", "more", "again", "uniform"}
MADE = {("w", "__class__"), ("Position", "__new__")}
RAISED = CLASSES - {"Position"}
STATE = "f"  # the state that is run
FREE = ("_", "__slots__")  # names that may begin so


class Disallowed(Exception):
    """Printed source holds something that it must not."""


def checked(text: str, given: Collection[str], slots: Collection[str]) -> ast.Module:
    """The source, parsed. `given` are names that it does not define, `slots` the attributes of positions. Raises `Disallowed`."""
    tree = ast.parse(text)
    named = {s.name for s in ast.walk(tree) if isinstance(s, (ast.FunctionDef, ast.ClassDef))}
    called = named | FUNCTIONS | set(given) | {STATE}
    for node in ast.walk(tree):
        if not isinstance(node, NODES):
            raise Disallowed(type(node).__name__)
        found = next(_wrong(node, called, slots), None)
        if found is not None:
            raise Disallowed(found)
    return tree


def _wrong(node: ast.AST, called: Collection[str], slots: Collection[str]) -> Iterator[str]:
    """What is wrong with a part."""
    match node:
        case ast.Constant(value) if not (value is None or isinstance(value, int)) and value not in slots:
            yield "a constant"
        case ast.Name(name) | ast.arg(name) | ast.FunctionDef(name) | ast.MatchAs(name=str(name)) if name.startswith("_") and name not in FREE:
            yield f"the name {name}"
        case ast.Name(name, ast.Store()) if name in FUNCTIONS:
            yield f"another {name}"
        case ast.ClassDef(name, bases) if name not in CLASSES or [ast.unparse(b) for b in bases] not in ([], ["Exception"]) or node.keywords:
            yield f"the class {name}"
        case ast.FunctionDef() | ast.ClassDef() if node.decorator_list:
            yield "a decorator"
        case ast.arguments() if node.vararg or node.kwarg or node.kwonlyargs or node.posonlyargs:
            yield "arguments"
        case ast.Attribute(ast.Name(of), name) if of in ("S", "C", "trying") and (name in slots or name in METHODS) or (of, name) in MADE:
            return
        case ast.Attribute(ast.Name("w" | "C"), name) if name in OF_STREAM:
            return
        case ast.Attribute(_, name) if name not in METHODS:
            yield f"the attribute {name}"
        case ast.Call(ast.Attribute() | ast.Name("list")):
            return
        case ast.Call(function) if not isinstance(function, ast.Name) or function.id not in called:
            yield "a call"
        case ast.keyword(name) if name != "key":
            yield f"the argument {name}"
        case ast.Raise(error) if not isinstance(error, ast.Name) or error.id not in RAISED:
            yield "an exception"
        case ast.comprehension() if node.is_async:
            yield "async"


__all__ = ["CLASSES", "FUNCTIONS", "Disallowed", "checked"]
