"""Expressions of the rules in words, for players: `points[p] > 3` is “points of p is more than 3”.

An expression without plain words gives `None`, and the caller shows its text: comprehensions with several
loops, nested texts, and what would be longer than a line.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.diagnostics import Source
from croupier.source import whole
from croupier.syntax import nodes as n
from croupier.syntax.parser import parse_expression

MAX_LENGTH = 160  # characters
COMPARED = {
    "==": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than",
    ">=": "is at least",
    "in": "is in", "not in": "is not in",
}  # fmt: skip
OPPOSITES = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "in": "not in",
    "not in": "in",
}
CALCULATED = {"+": "+", "-": "-", "*": "×"}
OF_WALKS = {
    "count": "the number of",
    "sum": "the sum of",
    "max": "the largest",
    "min": "the smallest",
    "first": "the first",
}
OF_PLAYERS = {
    "next": "the player after",
    "previous": "the player before",
    "clockwise": "players clockwise from",
}
ENDS = ("first", "last", "top", "bottom")  # of a zone or list


class _NoWordsError(Exception):
    """The expression has no plain words."""


def phrase(x: n.Expr) -> str | None:
    """A value or a condition in words; `None` if it has no plain words."""
    try:
        text = (
            _condition(x)
            if isinstance(x, n.Unary | n.Binary | n.IsNone | n.IsKind | n.Aggregate) or _is_empty(x)
            else _value(x)
        )
    except _NoWordsError:
        return None
    return text if len(text) <= MAX_LENGTH else None


def phrase_of(text: str) -> str | None:
    """The same for the text of an expression."""
    x, problems = parse_expression(whole(Source("an expression", " ".join(text.split()))))
    return None if x is None or problems else phrase(x)


def why(text: str) -> str:
    """The text of a condition as the reason for what happened; the text itself if it has no plain words."""
    text = " ".join(text.split())
    x, problems = parse_expression(whole(Source("a condition", text)))
    if x is None or problems:
        return text
    words = phrase(x)
    return f"“{words}” holds" if words is not None and isinstance(x, n.Name | n.Call) else words or text


def spaced(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ").strip() or name


# ---------------------------------------------------------------- values
def _value(x: n.Expr) -> str:
    match x:
        case n.Int(value=value):
            return str(value)
        case n.Bool(value=value):
            return "yes" if value else "no"
        case n.NoneLit():
            return "none"
        case n.Name(name=name):
            return spaced(name)
        case n.Certain(value=value):
            return _value(value)
        case n.Attr(target=n.Name(name="players"), name="size"):
            return "the number of players"
        case n.Attr(target=n.Name(name="players"), name="first" | "last" as name):
            return f"the {name} player"
        case n.Attr(target=n.Name() | n.Index() | n.Attr() | n.Call() | n.Certain() as target, name="size"):
            return f"the number in {_value(target)}"
        case n.Attr(target=n.Name() | n.Index() | n.Attr() | n.Call() | n.Certain() as target, name="list"):
            return _value(target)
        case n.Attr(
            target=n.Name() | n.Index() | n.Attr() | n.Call() | n.Certain() as target, name="reversed"
        ):
            return f"{_value(target)} in reverse"
        case n.Attr(target=n.Name() | n.Index() | n.Attr() | n.Call() | n.Certain() as target, name=name) if (
            name in ENDS
        ):
            return f"the {name} of {_value(target)}"
        case n.Attr(target=n.Name() | n.Index() | n.Attr() | n.Call() | n.Certain() as target, name=name):
            return f"{spaced(name)} of {_value(target)}"
        case n.Index(target=target, key=key):
            return f"{_value(target)} of {_value(key)}"
        case n.Call(target=n.Name(name=name), args=(n.Arg(name=None, value=value),)) if name in OF_PLAYERS:
            return f"{OF_PLAYERS[name]} {_value(value)}"
        case n.Call(target=n.Name(name=name), args=args) if all(a.name is None for a in args):
            return f"{spaced(name)} ({', '.join(_value(a.value) for a in args)})" if args else spaced(name)
        case n.Unary(op="-", value=n.Int(value=value)):
            return f"-{value}"
        case n.Binary(op="..", left=left, right=right):
            return f"{_value(left)} to {_value(right)}"
        case n.Binary(op=op, left=left, right=right) if op in CALCULATED:
            return f"{_operand(left, op)} {CALCULATED[op]} {_operand(right, op)}"
        case n.IfElse(condition=condition, then=then, other=other):
            return f"{_value(then)} if {_condition(condition)}, else {_value(other)}"
        case n.MapLit(entries=entries) if entries and all(
            isinstance(v, n.Int) and isinstance(k, n.Name) for k, v in entries
        ):
            some = [f"{_value(v)} {_value(k)}" for k, v in entries if isinstance(v, n.Int) and v.value]
            return ", ".join(some) or "nothing"
        case n.ListLit(items=items):
            return ", ".join(_value(item) for item in items) or "nothing"
        case n.ListComp(
            element=n.Name(name=name), fors=(n.For(condition=None) as walk,), condition=where
        ) if name == walk.name and where:
            return f"each {_among(walk, where)}"
        case n.Aggregate(
            target=n.Name(name="sorted"),
            element=n.Name(name=name),
            fors=(n.For(condition=None) as walk,),
            condition=where,
            by=by,
        ):
            if by is not None and name == walk.name:
                return f"each {_among(walk, where)}, in the order of {_value(by)}"
        case n.Aggregate(target=n.Name(name=name), fors=(n.For(condition=None) as walk,), by=None) if (
            name in OF_WALKS
        ):
            return _taken(x, name, walk)
    raise _NoWordsError


def _operand(x: n.Expr, op: str) -> str:
    """One side of a sum, a product or a comparison; in brackets where the words would be ambiguous."""
    text = _value(x)
    apart = isinstance(x, n.IfElse) or isinstance(x, n.Binary) and op in ("*", "-") and x.op in ("+", "-")
    return f"({text})" if apart else text


def _taken(x: n.Aggregate, name: str, walk: n.For) -> str:
    """The element of an aggregate (count, sum, best) in words."""
    word = OF_WALKS[name]
    match name:
        case "count" if x.condition is None and is_condition(x.element):
            return f"{word} {_among(walk, x.element)}"
        case "first" | "count" if isinstance(x.element, n.Name) and x.element.name == walk.name:
            return f"{word} {_among(walk, x.condition)}"
        case "sum":
            return f"{word} {_value(x.element)} over each {_among(walk, x.condition)}"
        case "max" | "min":
            return f"{word} {_value(x.element)} of each {_among(walk, x.condition)}"
    raise _NoWordsError


def _among(walk: n.For, where: n.Expr | None) -> str:
    """The source of a loop in words."""
    among = f"{spaced(walk.name)} of {_value(walk.source)}"
    if where is None:
        return among
    return f"{among} {'where' if isinstance(where, n.Aggregate) else 'for which'} {_condition(where)}"


# ---------------------------------------------------------------- conditions
def _n(noun: str) -> str:
    """The end of the article before a noun."""
    return "n" if noun[:1].lower() in "aeiou" else ""


def _condition(x: n.Expr, holds: bool = True) -> str:
    """A condition in words, or its negation."""
    match x:
        case n.Unary(op="not", value=value):
            return _condition(value, not holds)
        case n.Binary(op=op, left=left, right=right) if op in COMPARED:
            return f"{_operand(left, op)} {COMPARED[op if holds else OPPOSITES[op]]} {_operand(right, op)}"
        case n.Binary(op="and" | "or" as op) if holds:
            parts = [
                f"({_condition(p)})" if isinstance(p, n.Binary) and p.op in ("and", "or") else _condition(p)
                for p in _joined(x, op)
            ]
            return f" {op} ".join(parts) if len(parts) == 2 else f", {op} ".join(parts)
        case n.IsNone(value=n.Name(name=name), negated=negated):
            return f"there is {f'a{_n(name)}' if negated == holds else 'no'} {spaced(name)}"
        case n.IsNone(value=value, negated=negated):
            return f"{_value(value)} is {'none' if negated != holds else 'not none'}"
        case n.IsKind(value=value, kind=kind, negated=negated):
            return f"{_value(value)} is {f'a{_n(kind)}' if negated != holds else 'no'} {spaced(kind)}"
        case n.Attr(target=target) if _is_empty(x):
            return f"{_value(target)} is {'' if holds else 'not '}empty"
        case n.Aggregate(
            target=n.Name(name="any"), fors=(n.For(condition=None) as walk,), condition=None, by=None
        ):
            return f"for {'at least one' if holds else 'no'} {_among(walk, None)}: {_condition(x.element)}"
        case n.Aggregate(
            target=n.Name(name="all"), fors=(n.For(condition=None) as walk,), condition=None, by=None
        ) if holds:
            return f"for every {_among(walk, None)}: {_condition(x.element)}"
        case n.Attr() | n.Call(target=n.Attr()):
            raise _NoWordsError  # a word such as “bright” has another sentence than “has_gold”
        case n.Name() | n.Index() | n.Call() if not holds:
            return f"not {_value(x)}"
    if not holds:
        raise _NoWordsError
    return _value(x)


def _joined(x: n.Expr, op: str) -> Sequence[n.Expr]:
    return [*_joined(x.left, op), *_joined(x.right, op)] if isinstance(x, n.Binary) and x.op == op else [x]


def is_condition(x: n.Expr) -> bool:
    """Tell whether an expression is a condition by its form: a comparison, a conjunction, a negation."""
    match x:
        case n.Binary(op=op):
            return op in COMPARED or op in ("and", "or")
        case n.Unary(op=op):
            return op == "not"
        case n.Aggregate(target=n.Name(name=name)):
            return name in ("any", "all")
    return isinstance(x, n.IsNone | n.IsKind) or _is_empty(x)


def _is_empty(x: n.Expr) -> bool:
    return isinstance(x, n.Attr) and x.name == "empty"


__all__ = ["is_condition", "phrase", "phrase_of", "why"]
