"""What stands behind a name, in words: its elements `[…]`, its members `.x`, what it is called with `(…)`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from croupier.authoring.rulebook.grouping import Grade, closed, grade, one
from croupier.authoring.rulebook.speaker import Speaker
from croupier.authoring.rulebook.vocabulary import (
    AMONG,
    COUNTED,
    EXTREMES,
    FIRST,
    FUNCTIONS,
    MEMBERS,
    METHODS,
    STATES,
    article,
    listed,
    name,
    quoted,
)
from croupier.syntax import nodes as n


def index(say: Speaker, node: n.Index) -> str:
    """`coins[p]` is “coins of p”, `row[3]` “row number 3”, `known[p][i + 1]` “known of p number (i plus 1)”."""
    path: list[n.Index] = []
    target: n.Expr = node
    while isinstance(target, n.Index):
        path.insert(0, target)
        target = target.target
    if isinstance(target, n.Name) and target.name == "players":
        return f"player number {listed([_number(say, step.key) for step in path])}"
    words = one(target, say.phrase(target))
    joint = "for" if isinstance(target, n.Attr) else "of"
    for is_number, steps in groupby(path, lambda step: _is_number(say, step, node)):
        keys = list(steps)
        if not is_number:
            told = [closed(step.key, say.phrase(step.key)) if len(keys) > 1 else _key(say, step) for step in keys]
            words += f" {joint} {listed(told)}"
            continue
        for step in keys:
            number = _number(say, step.key)
            plain = step is not path[0] or isinstance(target, n.Name)
            words = f"{words} number {number}" if plain else f"number {number} of {closed(target, words)}"
    return words


def _key(say: Speaker, step: n.Index) -> str:
    return one(step.key, say.phrase(step.key))


def _number(say: Speaker, key: n.Expr) -> str:
    words = say.phrase(key)
    return words if isinstance(key, (n.Int, n.Name)) else f"({words})"


def _is_number(say: Speaker, step: n.Index, whole: n.Index) -> bool:
    """Whether an element is looked up by its place; where that is not known, a number or calculation at the end is taken for one."""
    known = say.types.numbered(step)
    return known if known is not None else step is whole and isinstance(step.key, (n.Int, n.Binary))


def attribute(say: Speaker, node: n.Attr) -> str:
    """What a thing has: a member that the language knows, or one that the ruleset gave."""
    own = say.types.has_fields(node.target)
    target = one(node.target, unordered(say, node.target))
    if node.name in STATES and not own:
        return f"{target} {STATES[node.name]}"
    if isinstance(node.target, n.Name) and node.target.name == "players" and node.name == "size":
        return "the number of players"
    return MEMBERS[node.name].format(target) if node.name in MEMBERS and not own else f"the {quoted(node.name, 1)} of {target}"


def unordered(say: Speaker, node: n.Expr) -> str:
    """An expression of which the order does not matter."""
    if isinstance(node, n.Call) and isinstance(node.target, n.Name) and node.target.name == "others" and len(node.args) == 1:
        return f"everybody but {one(node.args[0].value, say.phrase(node.args[0].value))}"
    return say.phrase(node)


def call(say: Speaker, node: n.Call) -> str:
    """A rule, a function of the language or a record, and what it is given."""
    if isinstance(node.target, n.Attr):
        return _method(say, node, node.target)
    if not isinstance(node.target, n.Name):
        return node.span.text
    args = [one(a.value, say.phrase(a.value)) for a in node.args]
    called = node.target.name
    if called in EXTREMES and args:
        return EXTREMES[called].format(listed([closed(a.value, say.phrase(a.value)) for a in node.args]) if len(args) > 1 else args[0])
    if called in FUNCTIONS and len(args) <= 1:
        return FUNCTIONS[called].format(*(args or ["the first player"]))
    if called in AMONG and len(args) == 2:
        return AMONG[called].format(*args)
    if called[:1].isupper():
        return f"{article(name(called))}{given(say, node.args)}"
    return f"“{name(called)}”{given(say, node.args)}"


def _method(say: Speaker, node: n.Call, method: n.Attr) -> str:
    args = [closed(a.value, say.phrase(a.value)) for a in node.args]
    target = one(method.target, say.phrase(method.target))
    if method.name in FIRST and len(node.args) == 1 and isinstance(node.args[0].value, n.Int) and node.args[0].value.value == 1:
        return FIRST[method.name].format(target)
    if method.name in COUNTED:
        args = [words if isinstance(a.value, (n.Int, n.Name)) or words[:1] == "(" else f"({words})" for a, words in zip(node.args, args, strict=True)]
    if method.name in METHODS:
        return METHODS[method.name].replace("{a}", _safe(listed(args))).format(target) if args else target
    return f"{name(method.name)} {listed(args)} of {target}" if args else f"{name(method.name)} of {target}"


def given(say: Speaker, args: Sequence[n.Arg]) -> str:
    """What a rule is called with, in brackets; nothing if it is called with nothing."""
    words = []
    for arg in args:
        said = say.phrase(arg.value)
        said = f"({said})" if ", " in said and len(args) > 1 and grade(arg.value) is not Grade.ONE else said
        words.append(said if arg.name is None else f"{name(arg.name)}: {said}")
    return f" ({', '.join(words)})" if words else ""


def _safe(words: str) -> str:
    """Words that are put into others by `format`."""
    return words.replace("{", "{{").replace("}", "}}")
