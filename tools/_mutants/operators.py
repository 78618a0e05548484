"""The mistakes that are planted: one change of one node of a function's syntax tree."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

Change = tuple[str, ast.AST]  # the operator's name, the node that takes the place of the old one

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.Add,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
CALLS = {"any": "all", "all": "any", "min": "max", "max": "min", "sorted": "list", "reversed": "list"}


@dataclass(frozen=True, slots=True)
class Site:
    """One place and what is changed there.

    `number` counts the changes of a file in the order in which `sites` finds them.
    """

    path: str  # from the root of the checkout
    number: int
    function: str  # qualified, as in `__qualname__`, of the outermost function that holds it
    line: int
    operator: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.operator}: {self.before} → {self.after}"


def changes(node: ast.AST) -> Iterator[Change]:
    """Yield the changes that are possible at a node."""
    for change in TABLE.get(type(node), ()):
        yield from change(node)


def _compare(node: ast.AST) -> Iterator[Change]:
    assert isinstance(node, ast.Compare)
    for i, op in enumerate(node.ops):
        other = COMPARISONS.get(type(op))
        if other is not None:
            ops = [*node.ops[:i], other(), *node.ops[i + 1 :]]
            yield "comparison", ast.Compare(node.left, ops, node.comparators)


def _bool_op(node: ast.AST) -> Iterator[Change]:
    assert isinstance(node, ast.BoolOp)
    yield "and/or", ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    for i in range(len(node.values)):
        rest = node.values[:i] + node.values[i + 1 :]
        yield "operand dropped", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _bin_op(node: ast.AST) -> Iterator[Change]:
    assert isinstance(node, ast.BinOp)
    other = ARITHMETIC.get(type(node.op))
    text = any(
        isinstance(x, ast.Constant | ast.JoinedStr) and not _number(x) for x in (node.left, node.right)
    )
    if other is not None and not text:
        yield "arithmetic", ast.BinOp(node.left, other(), node.right)


def _not(node: ast.AST) -> Iterator[Change]:
    assert isinstance(node, ast.UnaryOp)
    if isinstance(node.op, ast.Not):
        yield "negation dropped", node.operand


def _condition(node: ast.AST) -> Iterator[Change]:
    assert isinstance(node, ast.If | ast.IfExp)
    if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):  # these have changes of their own
        changed = copy.copy(node)
        changed.test = ast.UnaryOp(ast.Not(), node.test)
        yield "condition negated", changed


def _filter(node: ast.AST) -> Iterator[Change]:
    assert isinstance(node, ast.comprehension)
    for i in range(len(node.ifs)):
        yield (
            "filter dropped",
            ast.comprehension(node.target, node.iter, node.ifs[:i] + node.ifs[i + 1 :], node.is_async),
        )


def _constant(node: ast.AST) -> Iterator[Change]:
    assert isinstance(node, ast.Constant)
    if node.value is True or node.value is False:
        yield "constant", ast.Constant(not node.value)
    elif _number(node):
        yield "constant", ast.Constant(node.value + 1)  # type: ignore[operator]


def _number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _call(node: ast.AST) -> Iterator[Change]:
    assert isinstance(node, ast.Call)
    if (
        isinstance(node.func, ast.Name)
        and node.func.id in CALLS
        and not (node.keywords and node.func.id == "sorted")
    ):
        yield "call", ast.Call(ast.Name(CALLS[node.func.id], ast.Load()), node.args, node.keywords)


def _statement(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Expr) and not isinstance(
        node.value, ast.Call | ast.Yield | ast.YieldFrom | ast.Await
    ):
        return  # a docstring
    yield "statement dropped", ast.Pass()


def _jump(node: ast.AST) -> Iterator[Change]:
    yield "jump", ast.Break() if isinstance(node, ast.Continue) else ast.Continue()


TABLE: dict[type[ast.AST], tuple[Callable[[ast.AST], Iterator[Change]], ...]] = {
    ast.Compare: (_compare,),
    ast.BoolOp: (_bool_op,),
    ast.BinOp: (_bin_op,),
    ast.UnaryOp: (_not,),
    ast.If: (_condition,),
    ast.IfExp: (_condition,),
    ast.comprehension: (_filter,),
    ast.Constant: (_constant,),
    ast.Call: (_call,),
    ast.Expr: (_statement,),
    ast.AugAssign: (_statement,),
    ast.Continue: (_jump,),
    ast.Break: (_jump,),
}


@dataclass(frozen=True, slots=True)
class _Spot:
    """The place of a node, and the statement around it with the list that holds that statement."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    function: str
    body: list[ast.stmt]
    statement: ast.stmt


def _spots(tree: ast.Module) -> Iterator[_Spot]:
    """Nodes inside functions, statements with their lists; without annotations, defaults, decorators and
    messages of `assert` and `raise`.
    """

    def inside(
        node: ast.AST, scope: tuple[str, ...], function: str, body: list[ast.stmt], statement: ast.stmt
    ) -> Iterator[_Spot]:
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list", "args", "type_params") and not isinstance(
                node, ast.Call
            ):
                continue
            entries = value if isinstance(value, list) else [value]
            for i, child in enumerate(entries):
                if not isinstance(child, ast.AST) or isinstance(
                    child, ast.Assert | ast.Raise | ast.Import | ast.ImportFrom
                ):
                    continue
                index = i if isinstance(value, list) else None
                if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    named = (*scope, child.name)
                    outer = function or ("" if isinstance(child, ast.ClassDef) else ".".join(named))
                    yield from inside(child, named, outer, value, child)
                elif isinstance(child, ast.stmt):
                    if function:
                        yield _Spot(node, field, index, child, function, value, child)
                    yield from inside(child, scope, function, value, child)
                else:
                    if function:
                        yield _Spot(node, field, index, child, function, body, statement)
                    yield from inside(child, scope, function, body, statement)

    yield from inside(tree, (), "", tree.body, tree.body[0])


def sites(root: Path, path: Path) -> list[Site]:
    """Every change of a file, in a fixed order."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: list[Site] = []
    for spot in _spots(tree):
        for operator, new in changes(spot.node):
            line = getattr(spot.node, "lineno", spot.statement.lineno)
            before, after = (
                " ".join(ast.unparse(ast.fix_missing_locations(copy.deepcopy(x))).split())[:90].strip()
                for x in (spot.node, new)
            )
            found.append(
                Site(
                    path.relative_to(root).as_posix(),
                    len(found),
                    spot.function,
                    line,
                    operator,
                    before,
                    after,
                )
            )
    return found


def mutated(path: Path, number: int) -> ast.Module:
    """The file's tree with the change of that number. Raises `IndexError` where there is none."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    count = 0
    for spot in _spots(tree):
        for _, new in changes(spot.node):
            if count == number:
                ast.copy_location(new, spot.node if hasattr(spot.node, "lineno") else spot.statement)
                if spot.index is None:
                    setattr(spot.parent, spot.field, new)
                else:
                    getattr(spot.parent, spot.field)[spot.index] = new
                return ast.fix_missing_locations(tree)
            count += 1
    raise IndexError(number)


def with_marks(path: Path, numbers: dict[int, int], mark: str) -> ast.Module:
    """The file's tree in which the statement around each change of `numbers` first calls `mark(k)`: change →
    k.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inserted: list[tuple[list[ast.stmt], ast.stmt, int]] = []
    count = 0
    for spot in _spots(tree):
        for _ in changes(spot.node):
            if count in numbers:
                inserted.append((spot.body, spot.statement, numbers[count]))
            count += 1
    for body, statement, k in inserted:
        call = ast.Expr(ast.Call(ast.Name(mark, ast.Load()), [ast.Constant(k)], []))
        ast.copy_location(call, statement)
        at = next(i for i, entry in enumerate(body) if entry is statement)
        body.insert(at, call)
    return ast.fix_missing_locations(tree)
