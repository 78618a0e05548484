"""How firmly the words of an expression hang together, and where brackets must stand so that they say what is written.

“m minus n minus 1” is not `m - (n - 1)`, “the largest of a and b minus 1” may be either of two things, and what stands behind “where” or
“for each” goes on to the end of a sentence: such words stand in brackets where something follows or is said of them.
"""

from __future__ import annotations

from enum import Enum

from croupier.authoring.rulebook.vocabulary import COMPARED, EXTREMES, NEGATED
from croupier.syntax import nodes as n

LEFT_TO_RIGHT = ("+", "*", "and", "or")  # how operands of the same operator are grouped makes no difference


class Grade(Enum):
    """What the words of an expression are: one thing, a list, a calculation, a comparison, conditions joined, or words without an end."""

    ONE = "one"
    LIST = "list"
    SUM = "sum"
    COMPARISON = "comparison"
    JOINED = "joined"
    OPEN = "open"


def grade(node: n.Expr) -> Grade:
    """How firmly the words of an expression hang together."""
    match node:
        case n.Aggregate() | n.ListComp() | n.MapComp() | n.MapLit() | n.IfElse():
            return Grade.OPEN
        case n.Attr() | n.Index() | n.Certain():
            inner = node.value if isinstance(node, n.Certain) else node.target
            return Grade.OPEN if grade(inner) is Grade.OPEN and not bracketed(inner) else Grade.ONE
        case n.ListLit():
            return Grade.LIST if len(node.items) > 1 else grade(node.items[0]) if node.items else Grade.ONE
        case n.Call():
            several = isinstance(node.target, n.Name) and node.target.name in EXTREMES and len(node.args) > 1
            how_often = isinstance(node.target, n.Attr) and node.target.name == "times"
            clockwise = isinstance(node.target, n.Name) and node.target.name == "others"
            return Grade.LIST if several or how_often else Grade.OPEN if clockwise else Grade.ONE
        case n.Unary(op="not"):
            return _of_opposite(node.value)
        case n.Unary():
            return Grade.ONE
        case n.IsNone() | n.IsKind():
            return Grade.COMPARISON
        case n.Binary():
            return _of_binary(node)
    return Grade.ONE


def _of_opposite(value: n.Expr) -> Grade:
    if isinstance(value, n.Binary):
        return grade(value) if value.op in NEGATED else Grade.COMPARISON if value.op in ("and", "or") else Grade.OPEN
    if isinstance(value, n.Unary) and value.op == "not":
        return grade(value.value)
    return Grade.COMPARISON if isinstance(value, (n.Name, n.Index, n.Attr, n.Call, n.IsNone, n.IsKind)) else Grade.OPEN


def _of_binary(node: n.Binary) -> Grade:
    if node.op in COMPARED:
        right = grade(node.right)
        return Grade.OPEN if right is Grade.LIST or (right is Grade.OPEN and not bracketed(node.right)) else Grade.COMPARISON
    if node.op in ("and", "or"):
        return Grade.JOINED
    return Grade.OPEN if node.op == "otherwise" else Grade.SUM


def bracketed(node: n.Expr) -> bool:
    """Whether an expression stands in brackets wherever one name could stand: it is put together by operators."""
    if isinstance(node, (n.IfElse, n.MapLit)) or (isinstance(node, n.Binary) and node.op == "otherwise"):
        return True
    return grade(node) in (Grade.LIST, Grade.SUM, Grade.COMPARISON, Grade.JOINED)


def one(node: n.Expr, words: str) -> str:
    """An expression of which something is said: “the first of (…)”."""
    return f"({words})" if bracketed(node) else words


def closed(node: n.Expr, words: str) -> str:
    """An expression behind which the sentence goes on."""
    return f"({words})" if bracketed(node) or grade(node) is Grade.OPEN else words


def is_short(node: n.Expr) -> bool:
    """Whether a condition ends where a comma says that it does."""
    return grade(node) is not Grade.OPEN and not (isinstance(node, n.Binary) and (_divides(node.right) or not is_short(node.right)))


def operand(node: n.Expr, op: str, right: bool, words: str) -> str:
    """An operand of an operator that is no comparison."""
    kind = grade(node)
    if kind in (Grade.ONE, Grade.COMPARISON):
        return words
    if isinstance(node, n.Binary) and node.op == op and (op in LEFT_TO_RIGHT or (op == "-" and not right)):
        return words
    return f"({words})"


def compared(node: n.Expr, right: bool, words: str) -> str:
    """A side of a comparison."""
    kind = grade(node)
    if kind is Grade.SUM:
        return f"({words})" if _divides(node) else words
    ends = right and kind is Grade.OPEN and not bracketed(node)
    return words if kind is Grade.ONE or ends or (right and kind is Grade.LIST) else f"({words})"


def _divides(node: n.Expr) -> bool:
    """Whether the words end with how a number is rounded."""
    return isinstance(node, n.Binary) and node.op == "//"
