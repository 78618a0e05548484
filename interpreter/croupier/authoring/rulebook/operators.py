"""Operators in words, and the opposite of conditions."""

from __future__ import annotations

from croupier.authoring.rulebook.grouping import closed, compared, is_short, one, operand
from croupier.authoring.rulebook.loops import member
from croupier.authoring.rulebook.speaker import Speaker
from croupier.authoring.rulebook.vocabulary import COMPARED, NEGATED, OPPOSITE, REACHED, ROUNDED, STATES, article, listed, name
from croupier.syntax import nodes as n


def is_condition(node: n.Expr) -> bool:
    """Whether an expression says that something is so, as far as its form shows it."""
    match node:
        case n.IsNone() | n.IsKind() | n.Unary(op="not"):
            return True
        case n.Binary():
            return node.op in COMPARED or node.op in ("and", "or")
        case n.Attr():
            return node.name in STATES
        case n.Aggregate(target=n.Name(name=called)):
            return called in ("any", "all")
    return False


def binary(say: Speaker, node: n.Binary) -> str:
    """Two operands and what stands between them."""
    left, right = say.phrase(node.left), say.phrase(node.right)
    if node.op == "otherwise":
        return f"{closed(node.left, left)}, or if there is none {closed(node.right, right)}"
    if node.op in ("==", "!=") and isinstance(node.right, n.Bool):
        return say.condition(node.left) if node.right.value == (node.op == "==") else say.negated(node.left)
    if node.op in ("==", "!=") and isinstance(node.right, n.ListLit) and len(node.right.items) > 1:
        right = f"the list {listed([closed(i, say.phrase(i)) for i in node.right.items])}"
        return f"{compared(node.left, False, left)} {COMPARED[node.op]} {right}"
    if node.op in COMPARED:
        return f"{compared(node.left, False, left)} {COMPARED[node.op]} {compared(node.right, True, right)}"
    if node.op in ("and", "or"):
        left, right = say.condition(node.left), say.condition(node.right)
    left, right = operand(node.left, node.op, False, left), operand(node.right, node.op, True, right)
    return f"{left} {REACHED.get(node.op, node.op)} {right}{ROUNDED if node.op == '//' else ''}"


def unary(say: Speaker, node: n.Unary) -> str:
    """A number with a sign before it, or the opposite of a condition."""
    if node.op == "not":
        return say.negated(node.value)
    words = say.phrase(node.value)
    return f"{'−' * (node.op == '-')}{words if isinstance(node.value, (n.Int, n.Name)) else f'({words})'}"


def negated(say: Speaker, node: n.Expr) -> str:
    """The opposite of a condition in words."""
    match node:
        case n.Attr() if node.name in OPPOSITE and not say.types.has_fields(node.target):
            return f"{one(node.target, say.phrase(node.target))} {OPPOSITE[node.name]}"
        case n.Unary(op="not"):
            return say.condition(node.value)
        case n.Aggregate(target=n.Name(name="any")):
            return f"there is no {member(say, node)}"
        case n.Name() | n.Index() | n.Attr():
            return f"{say.phrase(node)} is no"
        case n.IsNone():
            return missing(say, n.IsNone(node.span, node.value, not node.negated))
        case n.IsKind():
            return is_kind(say, n.IsKind(node.span, node.value, node.kind, node.kind_span, not node.negated))
        case n.Binary() if node.op in NEGATED:
            return say.phrase(n.Binary(node.span, NEGATED[node.op], node.left, node.right))
    words = say.phrase(node)
    joined = isinstance(node, n.Binary) and node.op in ("and", "or")
    return f"it is not so that {f'({words})' if joined else words}" if is_condition(node) else f"not {words}"


def is_kind(say: Speaker, node: n.IsKind) -> str:
    """Of which class a component is, or is not."""
    return f"{compared(node.value, False, say.phrase(node.value))} is {'not ' * node.negated}{article(name(node.kind))}"


def missing(say: Speaker, node: n.IsNone) -> str:
    """`x is none`: “there is no x”; of the answer of a rule, that it is none."""
    words = say.phrase(node.value)
    if isinstance(node.value, n.Call) or words.startswith(("the player", "the only", "the best", "the worst")):
        return f"{words} is {'some' if node.negated else 'none'}"
    thing = words.removeprefix("the ")
    return f"there is {article(thing) if node.negated else f'no {thing}'}"


def either(say: Speaker, node: n.IfElse) -> str:
    """One of two values."""
    then, when, other = closed(node.then, say.phrase(node.then)), say.condition(node.condition), say.phrase(node.other)
    other = f"({other})" if isinstance(node.other, n.Binary) and node.other.op == "otherwise" else other
    return f"{then} if {when if is_short(node.condition) else f'({when})'}, otherwise {other}"
