"""Allow-list for printed Python: parses the text, and rejects every construct that is not on the list, before
it is compiled and executed.

Defence in depth: it trusts nothing of the printers. Allowed are functions of positional arguments,
assignments, loops, conditions, comprehensions, arithmetic, comparisons, lists and tuples; calls of functions
of the text, of those it is given, of a few methods; attributes of positions by listed names; integers, truth
values and None. There is no way to an import, a string, or a name that begins with an underscore but those of
the class of positions.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from typing import Any

NODES = (
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.keyword, ast.Lambda, ast.ClassDef,
    ast.Return, ast.Assign, ast.AugAssign, ast.For, ast.While, ast.If, ast.Expr, ast.Pass, ast.Break,
    ast.Continue, ast.Raise, ast.Delete, ast.Del, ast.Try, ast.ExceptHandler, ast.Nonlocal, ast.Match,
    ast.match_case, ast.MatchValue, ast.MatchOr, ast.MatchAs, ast.BoolOp, ast.And, ast.Or, ast.BinOp,
    ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr,
    ast.BitXor, ast.UnaryOp, ast.Not, ast.USub, ast.Invert, ast.IfExp, ast.Compare, ast.Eq, ast.NotEq,
    ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn, ast.Call, ast.Constant,
    ast.Attribute, ast.Subscript, ast.Slice, ast.Starred, ast.Name, ast.List, ast.Tuple, ast.Dict,
    ast.ListComp, ast.SetComp, ast.comprehension, ast.Load, ast.Store,
)  # fmt: skip
FUNCTIONS = {"len", "range", "enumerate", "zip", "sorted", "set", "min", "max"}
CLASSES = {"Failed", "Finished", "DeadEnd", "Reached", "Position"}
METHODS = {
    "append",
    "clear",
    "copy",
    "get",
    "index",
    "insert",
    "pop",
    "remove",
    "sort",
    "bit_count",
    "bit_length",
    "refill",
    "redraw",
    "uniform",
}
STREAM_ATTRIBUTES = {"words", "refill", "redraw", "uniform"}
# names of locals that hold positions, and streams
POSITION_LOCALS, STREAM_LOCALS = {"S", "C", "trying"}, {"w", "C"}
CLASS_ATTRIBUTES = {("w", "__class__"), ("Position", "__new__")}
EXCEPTIONS = CLASSES - {"Position"}
STATE_LOCAL = "f"  # the local that holds the function of a state
ALLOWED_UNDERSCORES = ("_", "__slots__")  # names that may begin with an underscore


class Disallowed(Exception):
    """Printed text contains a construct that is not allowed."""


def check_source(text: str, allowed_names: Collection[str], slots: Collection[str]) -> ast.Module:
    """Parse and check a text.

    `allowed_names`: those that it may use besides its own; `slots`: attributes of positions. Raises
    `Disallowed`.
    """
    tree = ast.parse(text)
    found = _Rules(allowed_names, slots)
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
    found.require(found.calls <= found.defined, "a call")
    return tree


class _Rules:
    """Rules for classes of nodes of which only some are allowed. Each raises `Disallowed`."""

    def __init__(self, allowed_names: Collection[str], slots: Collection[str]) -> None:
        self.slots = frozenset(slots)
        self.calls: set[str] = set()
        self.defined = FUNCTIONS | set(allowed_names) | {STATE_LOCAL, "list"}
        self.by_class: dict[type, Callable[[Any], None] | None] = {
            **dict.fromkeys(NODES),
            ast.Constant: self.constant,
            ast.Name: self.name,
            ast.arg: lambda node: self.check_name(node.arg),
            ast.MatchAs: lambda node: self.check_name(node.name or ""),
            ast.FunctionDef: self.function,
            ast.ClassDef: self.definition,
            ast.arguments: self.arguments,
            ast.Attribute: self.attribute,
            ast.Call: self.call,
            ast.keyword: self.keyword,
            ast.Raise: self.error,
            ast.comprehension: lambda node: self.require(not node.is_async, "async"),
        }

    @staticmethod
    def require(test: bool, what: str) -> None:
        if not test:
            raise Disallowed(what)

    def check_name(self, name: str) -> None:
        self.require(not name.startswith("_") or name in ALLOWED_UNDERSCORES, f"the name {name}")

    def constant(self, node: ast.Constant) -> None:
        self.require(
            node.value is None or isinstance(node.value, int) or node.value in self.slots, "a constant"
        )

    def name(self, node: ast.Name) -> None:
        self.check_name(node.id)
        self.require(node.id not in FUNCTIONS or not isinstance(node.ctx, ast.Store), f"another {node.id}")

    def function(self, node: ast.FunctionDef) -> None:
        self.check_name(node.name)
        self.require(not node.decorator_list, "a decorator")
        self.defined.add(node.name)

    def definition(self, node: ast.ClassDef) -> None:
        allowed = (
            [ast.unparse(b) for b in node.bases] in ([], ["Exception"])
            and not node.keywords
            and not node.decorator_list
        )
        self.require(node.name in CLASSES and allowed, f"the class {node.name}")
        self.defined.add(node.name)

    def arguments(self, node: ast.arguments) -> None:
        self.require(not (node.vararg or node.kwarg or node.kwonlyargs or node.posonlyargs), "arguments")

    def attribute(self, node: ast.Attribute) -> None:
        of, name = node.value.id if isinstance(node.value, ast.Name) else "", node.attr
        of_position = of in POSITION_LOCALS and name in self.slots
        of_stream = of in STREAM_LOCALS and name in STREAM_ATTRIBUTES
        allowed = name in METHODS or of_position or of_stream or (of, name) in CLASS_ATTRIBUTES
        self.require(allowed, f"the attribute {name}")

    def call(self, node: ast.Call) -> None:
        self.require(isinstance(node.func, (ast.Attribute, ast.Name)), "a call")
        if isinstance(node.func, ast.Name):
            self.calls.add(node.func.id)

    def keyword(self, node: ast.keyword) -> None:
        self.require(node.arg == "key", f"the argument {node.arg}")

    def error(self, node: ast.Raise) -> None:
        self.require(isinstance(node.exc, ast.Name) and node.exc.id in EXCEPTIONS, "an exception")


__all__ = ["CLASSES", "FUNCTIONS", "Disallowed", "check_source"]
