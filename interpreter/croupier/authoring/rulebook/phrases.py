"""Expressions in words: `hand[p].size >= 3` is “the number of hand of p is at least 3”.

Names lose their underscores; what has no words of its own is shown as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from croupier.syntax import nodes as n

COMPARED = {
    "==": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least", "in": "is among",
    "not in": "is not among",
}  # fmt: skip
REACHED = {"+": "plus", "-": "minus", "*": "times", "//": "divided by", "mod": "modulo", "and": "and", "or": "or", "..": "to"}
MEMBERS = {
    "size": "the number of {}", "first": "the first of {}", "last": "the last of {}", "top": "the top of {}", "bottom": "the bottom of {}",
    "reversed": "{} in reverse", "distinct": "the different ones of {}", "list": "{}", "seat": "the seat of {}", "owner": "the owner of {}",
    "room": "the room in {}", "rank": "the rank of {}", "adjacent": "the neighbours of {}", "cells": "all cells of {}",
}  # fmt: skip
WORDS = {"players": "the players", "self": "this one", "owner": "its owner", "_": "any"}
STATES = {"empty": "is empty", "all_equal": "are all equal", "all_different": "are all different"}
OPPOSITE = {"empty": "is not empty", "all_equal": "are not all equal", "all_different": "are not all different"}
FUNCTIONS = {
    "clockwise": "the players clockwise from {}", "turns": "the players in turn", "others": "everybody but {}", "next": "the player after {}",
    "previous": "the player before {}", "abs": "the size of {} without its sign", "only": "the only one of {}", "first": "the first of {}",
    "last": "the last of {}", "sum": "the sum of {}", "sorted": "{} in order",
}  # fmt: skip
EXTREMES = {"min": "the smallest of {}", "max": "the largest of {}"}
METHODS = {
    "key": "the one whose {} holds {a}", "take": "the first {a} of {}", "drop": "{} without the first {a}", "times": "how often {a} is in {}",
    "position": "the place of {a} in {}", "at": "the cell {a} of {}", "step": "the neighbour of {} in direction {a}", "row": "row {a} of {}",
    "ray": "the cells from {} in direction {a}", "between": "the cells of {} between {a}", "column": "column {a} of {}",
    "lines": "the lines of {a} cells of {}", "above": "what lies above the lowest {a} of {}",
}  # fmt: skip
AGGREGATES = {
    "sum": "the sum of {e}", "max": "the largest {e}", "min": "the smallest {e}", "first": "the first {e}", "last": "the last {e}",
    "only": "the only {e}", "set": "the different {e}", "bag": "all {e}", "list": "all {e}", "best": "the best {e}", "worst": "the worst {e}",
    "ties": "all best {e}", "sorted": "{e} in order",
}  # fmt: skip
DEEPEST = 60


def name(text: str) -> str:
    """A name as words."""
    return text.replace("_", " ").strip() or text


def capital(text: str) -> str:
    """A text at the beginning of a sentence; the name of one letter of a player or card stays small."""
    return text if re.match(r"[a-z]\b", text) and not text.startswith("a ") else text[:1].upper() + text[1:]


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


def phrase(node: n.Expr | None, depth: int = 0) -> str:
    """An expression in words."""
    if node is None:
        return ""
    if depth > DEEPEST:
        return node.span.text
    inner = depth + 1
    match node:
        case n.Int():
            return str(node.value).replace("-", "−")
        case n.Bool():
            return "yes" if node.value else "no"
        case n.NoneLit():
            return "none"
        case n.Name():
            return WORDS.get(node.name) or name(node.name)
        case n.Template():
            return template(node)
        case n.Attr():
            return _attribute(node, inner)
        case n.Index():
            return _index(node, inner)
        case n.Certain():
            return phrase(node.value, inner)
        case n.Call():
            return _call(node, inner)
        case n.Aggregate():
            return _aggregate(node, inner)
        case n.Unary():
            return negated(node.value, inner) if node.op == "not" else f"−{phrase(node.value, inner)}"
        case n.Binary():
            return _binary(node, inner)
        case n.IsNone():
            return f"there is {'a' if node.negated else 'no'} {phrase(node.value, inner)}"
        case n.IsKind():
            return f"{phrase(node.value, inner)} is {'not ' * node.negated}a {name(node.kind)}"
        case n.IfElse():
            return f"{phrase(node.then, inner)} if {phrase(node.condition, inner)}, otherwise {phrase(node.other, inner)}"
        case n.ListLit():
            return listed([phrase(i, inner) for i in node.items]) or "nothing"
        case n.ListComp():
            if _same(node.element, node.fors):
                return f"all {_walked(node.fors, node.condition, inner)}"
            return f"{phrase(node.element, inner)}{_for_all(node.fors, node.condition, inner)}"
        case n.MapLit():
            return "; ".join(f"{phrase(k, inner)}: {phrase(v, inner)}" for k, v in node.entries) or "nothing"
        case n.MapComp():
            return f"{phrase(node.value, inner)}{_for_all(node.fors, node.condition, inner)}"
    return node.span.text


def listed(parts: Sequence[str], word: str = "and") -> str:
    """Some texts as a list in a sentence."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}" if parts else ""


def template(node: n.Template) -> str:
    """A text of the game, its parts in angle quotes."""
    return "".join(part if isinstance(part, str) else f"‹{_bare(phrase(part))}›" for part in node.parts)


def _bare(words: str) -> str:
    """Words without the quotes that hold all of them: angle quotes are enough."""
    inner = words[1:-1]
    return inner if words[:1] == "“" and words[-1:] == "”" and "“" not in inner else words


def each(variable: str, source: n.Expr | None, depth: int = 0) -> str:
    """What a loop walks: `player p clockwise from leader`, `player q other than p`, `c of hand`."""
    words = phrase(source, depth)
    for plural, behind in (("the players", ""), ("everybody but ", " other than ")):
        if words.startswith(plural) and not words.startswith("the players in turn"):
            return f"player {name(variable)}{behind}{words.removeprefix(plural)}"
    return f"{name(variable)} of {words}"


def gaps(text: str) -> str:
    """A text of the game that is not rule text, its parts in angle quotes: `{role}` is ‹role›."""
    return re.sub(r"\{([^{}]*)\}", lambda m: f"‹{name(m.group(1))}›", text)


def negated(node: n.Expr, depth: int = 0) -> str:
    """The opposite of a condition in words."""
    if depth > DEEPEST:
        return f"not {node.span.text}"
    match node:
        case n.Attr() if node.name in OPPOSITE:
            return f"{phrase(node.target, depth + 1)} {OPPOSITE[node.name]}"
        case n.Unary(op="not"):
            return phrase(node.value, depth + 1)
        case n.Aggregate(target=n.Name(name="any")):
            return f"there is no {_member(node, depth + 1)}"
        case n.Name():
            return f"not {name(node.name)}"
    words = phrase(node, depth + 1)
    return f"it is not so that {words}" if is_condition(node) else f"not {words}"


def _index(node: n.Index, depth: int) -> str:
    """`coins[p]` is “coins of p”, `row[3]` “row number 3”, `known[p][i + 1]` “known of p and (i plus 1)”."""
    keys = list[n.Expr]()
    target: n.Expr = node
    while isinstance(target, n.Index):
        keys.insert(0, target.key)
        target = target.target
    words = phrase(target, depth)
    if len(keys) == 1 and isinstance(keys[0], n.Int):
        return f"{words} number {phrase(keys[0], depth)}"
    return f"{words} of {listed([_alone(key, depth) for key in keys])}"


def _alone(node: n.Expr, depth: int) -> str:
    """An expression where one name could stand: in brackets if it is put together."""
    words = phrase(node, depth)
    return f"({words})" if isinstance(node, (n.Binary, n.IfElse)) else words


def _attribute(node: n.Attr, depth: int) -> str:
    target = phrase(node.target, depth)
    if node.name in STATES:
        return f"{target} {STATES[node.name]}"
    if isinstance(node.target, n.Name) and node.target.name == "players" and node.name == "size":
        return "the number of players"
    return MEMBERS[node.name].format(target) if node.name in MEMBERS else f"the {name(node.name)} of {target}"


def _call(node: n.Call, depth: int) -> str:
    args = [phrase(a.value, depth) for a in node.args]
    if isinstance(node.target, n.Attr):
        target = phrase(node.target.target, depth)
        if node.target.name in METHODS:
            return METHODS[node.target.name].replace("{a}", listed(args)).format(target.replace("{", "{{").replace("}", "}}")) if args else target
        return f"{name(node.target.name)} {listed(args)} of {target}" if args else f"{name(node.target.name)} of {target}"
    if not isinstance(node.target, n.Name):
        return node.span.text
    called = node.target.name
    if called in EXTREMES and args:
        return EXTREMES[called].format(listed(args))
    if called in FUNCTIONS and len(args) <= 1:
        return FUNCTIONS[called].format(*(args or ["the first player"]))
    return f"“{name(called)}” ({', '.join(args)})" if args else f"“{name(called)}”"


def _aggregate(node: n.Aggregate, depth: int) -> str:
    called = node.target.name if isinstance(node.target, n.Name) else node.target.span.text
    if called == "any":
        return f"there is {_member(node, depth)}"
    if called == "all":
        return f"for every {_walk(node, depth)}: {phrase(node.element, depth)}"
    if called == "count":
        which = "" if _same(node.element, node.fors) else f" with: {phrase(node.element, depth)}"
        return f"how many {_walk(node, depth)} there are{which}"
    by = f", by {phrase(node.by, depth)}" if node.by is not None else ""
    if _same(node.element, node.fors):
        return AGGREGATES.get(called, "{e}").replace("{e}", _walk(node, depth)) + by
    words = AGGREGATES.get(called, "{e}").replace("{e}", phrase(node.element, depth))
    return f"{words}{_for_all(node.fors, node.condition, depth)}{by}"


def _member(node: n.Aggregate, depth: int) -> str:
    """`a card c of the hand with: …`."""
    return f"{_walk(node, depth)} with: {phrase(node.element, depth)}"


def _walk(node: n.Aggregate, depth: int) -> str:
    return _walked(node.fors, node.condition, depth)


def _walked(fors: Sequence[n.For], condition: n.Expr | None, depth: int) -> str:
    parts = [f"{each(f.name, f.source, depth)}{_if(f.condition, depth)}" for f in fors]
    return listed(parts) + _if(condition, depth)


def _same(element: n.Expr, fors: Sequence[n.For]) -> bool:
    """Whether what is wanted of each is itself: `c for c in hand`."""
    return len(fors) == 1 and isinstance(element, n.Name) and element.name == fors[0].name


def _if(condition: n.Expr | None, depth: int) -> str:
    return f" where {phrase(condition, depth)}" if condition is not None else ""


def _for_all(fors: Sequence[n.For], condition: n.Expr | None, depth: int) -> str:
    parts = [f"for each {each(f.name, f.source, depth)}{_if(f.condition, depth)}" for f in fors]
    return f" {' and '.join(parts)}{_if(condition, depth)}"


def _binary(node: n.Binary, depth: int) -> str:
    left, right = phrase(node.left, depth), phrase(node.right, depth)
    if node.op == "otherwise":
        return f"{left}, or else {right}"
    if node.op in ("==", "!=") and isinstance(node.right, n.Bool):
        return phrase(node.left, depth) if node.right.value == (node.op == "==") else negated(node.left, depth)
    if node.op in COMPARED:
        return f"{left} {COMPARED[node.op]} {right}"
    left, right = (_grouped(part, node.op, words) for part, words in ((node.left, left), (node.right, right)))
    return f"{left} {REACHED.get(node.op, node.op)} {right}"


def _grouped(part: n.Expr, op: str, words: str) -> str:
    """In brackets where words alone would not say what belongs together."""
    loose = isinstance(part, n.IfElse) or (isinstance(part, n.Binary) and part.op in REACHED and part.op != op)
    long = op in ("and", "or") and (isinstance(part, n.Aggregate) or words.startswith(("not ", "it is not so ")))
    return f"({words})" if loose or long else words
