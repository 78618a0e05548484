"""Reads printed Python again, and refuses whatever is not on its list, before it is compiled.

It trusts nothing of the printers. What may stand: functions of positional arguments, assignments, loops, conditions, comprehensions, arithmetic,
comparisons, lists and tuples of these; calls of functions of the source itself, of those it is given, of a few methods; attributes of positions by
listed names; whole numbers, truth values and none. What cannot be written so cannot be reached: no import, no text, no name that begins with an
underscore but those that make the class of positions.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from typing import Any

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
METHODS = {"append", "clear", "copy", "get", "index", "insert", "pop", "remove", "sort", "bit_count", "bit_length", "refill", "redraw", "uniform"}
OF_STREAM = {"words", "refill", "redraw", "uniform"}
OF_POSITION, OF_STREAMS = {"S", "C", "trying"}, {"w", "C"}  # locals that hold positions and streams
MADE = {("w", "__class__"), ("Position", "__new__")}
RAISED = CLASSES - {"Position"}
STATE = "f"  # the state that is run
FREE = ("_", "__slots__")  # names that may begin so


class Disallowed(Exception):
    """Printed source holds something that it must not."""


def checked(text: str, given: Collection[str], slots: Collection[str]) -> ast.Module:
    """The source, parsed. `given` are names that it does not define, `slots` the attributes of positions. Raises `Disallowed`."""
    tree = ast.parse(text)
    found = _Rules(given, slots)
    rules = found.by_class
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if node.__class__ not in rules:
            raise Disallowed(type(node).__name__)
        rule = rules[node.__class__]
        if rule is not None:
            rule(node)
        for name in node._fields:
            value = getattr(node, name)
            if value.__class__ is list:
                todo.extend([part for part in value if isinstance(part, ast.AST)])
            elif isinstance(value, ast.AST):
                todo.append(value)
    found.let(found.calls <= found.called, "a call")
    return tree


class _Rules:
    """What the nodes of a class must be like, where not all of them may stand. Each raises `Disallowed`."""

    def __init__(self, given: Collection[str], slots: Collection[str]) -> None:
        self.slots = frozenset(slots)
        self.calls: set[str] = set()
        self.called = FUNCTIONS | set(given) | {STATE, "list"}
        self.by_class: dict[type, Callable[[Any], None] | None] = {
            **dict.fromkeys(NODES), ast.Constant: self.constant, ast.Name: self.name, ast.arg: lambda node: self.free(node.arg),
            ast.MatchAs: lambda node: self.free(node.name or ""), ast.FunctionDef: self.function, ast.ClassDef: self.definition,
            ast.arguments: self.arguments, ast.Attribute: self.attribute, ast.Call: self.call, ast.keyword: self.keyword, ast.Raise: self.error,
            ast.comprehension: lambda node: self.let(not node.is_async, "async"),
        }  # fmt: skip

    @staticmethod
    def let(test: bool, what: str) -> None:
        if not test:
            raise Disallowed(what)

    def free(self, name: str) -> None:
        self.let(not name.startswith("_") or name in FREE, f"the name {name}")

    def constant(self, node: ast.Constant) -> None:
        self.let(node.value is None or isinstance(node.value, int) or node.value in self.slots, "a constant")

    def name(self, node: ast.Name) -> None:
        self.free(node.id)
        self.let(node.id not in FUNCTIONS or not isinstance(node.ctx, ast.Store), f"another {node.id}")

    def function(self, node: ast.FunctionDef) -> None:
        self.free(node.name)
        self.let(not node.decorator_list, "a decorator")
        self.called.add(node.name)

    def definition(self, node: ast.ClassDef) -> None:
        fine = [ast.unparse(b) for b in node.bases] in ([], ["Exception"]) and not node.keywords and not node.decorator_list
        self.let(node.name in CLASSES and fine, f"the class {node.name}")
        self.called.add(node.name)

    def arguments(self, node: ast.arguments) -> None:
        self.let(not (node.vararg or node.kwarg or node.kwonlyargs or node.posonlyargs), "arguments")

    def attribute(self, node: ast.Attribute) -> None:
        of, name = node.value.id if isinstance(node.value, ast.Name) else "", node.attr
        fine = name in METHODS or of in OF_POSITION and name in self.slots or (of, name) in MADE or of in OF_STREAMS and name in OF_STREAM
        self.let(fine, f"the attribute {name}")

    def call(self, node: ast.Call) -> None:
        self.let(isinstance(node.func, (ast.Attribute, ast.Name)), "a call")
        if isinstance(node.func, ast.Name):
            self.calls.add(node.func.id)

    def keyword(self, node: ast.keyword) -> None:
        self.let(node.arg == "key", f"the argument {node.arg}")

    def error(self, node: ast.Raise) -> None:
        self.let(isinstance(node.exc, ast.Name) and node.exc.id in RAISED, "an exception")


__all__ = ["CLASSES", "FUNCTIONS", "Disallowed", "checked"]
