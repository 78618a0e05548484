"""Expressions in words: `hand[p].size >= 3` is “the number of hand of p is at least 3”.

Names lose their underscores; what has no words of its own is shown as it is written.  Words must say neither more nor less than the expression
does: whatever could be read together with what stands beside it is put in brackets (`grouping.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.authoring.rulebook.grouping import Grade, closed, compared, grade, is_short, one, operand
from croupier.authoring.rulebook.vocabulary import (
    AGGREGATES,
    COMPARED,
    COUNTED,
    EXTREMES,
    FIRST,
    FUNCTIONS,
    MEMBERS,
    METHODS,
    NEGATED,
    OPPOSITE,
    REACHED,
    ROUNDED,
    STATES,
    WORDS,
    name,
    quoted,
)
from croupier.syntax import nodes as n

DEEPEST = 60
LOWER = {"best": " (the lower the better)", "ties": " (the lower the better)", "worst": " (the higher the worse)", "sorted": " from high to low"}


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
            return WORDS.get(node.name) or quoted(node.name)
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
            return negated(node.value, inner) if node.op == "not" else f"{'−' * (node.op == '-')}{_negative(node.value, inner)}"
        case n.Binary():
            return _binary(node, inner)
        case n.IsNone():
            return _missing(node, inner)
        case n.IsKind():
            return f"{compared(node.value, False, phrase(node.value, inner))} is {'not ' * node.negated}{_article(name(node.kind))}"
        case n.IfElse():
            return _either(node, inner)
        case n.ListLit():
            return listed([closed(i, phrase(i, inner)) if len(node.items) > 1 else phrase(i, inner) for i in node.items]) or "nothing"
        case n.ListComp():
            if _same(node.element, node.fors):
                return f"all {_walked(node.fors, node.condition, inner, several=True)}"
            known = "all " if isinstance(node.element, n.Name) else ""
            return f"{known}{closed(node.element, phrase(node.element, inner))}{for_all(node.fors, node.condition, inner)}"
        case n.MapLit():
            return "; ".join(f"{phrase(k, inner)}: {phrase(v, inner)}" for k, v in node.entries) or "nothing"
        case n.MapComp():
            return f"{_entry(node, inner)}{for_all(node.fors, node.condition, inner)}"
    return node.span.text


def condition(node: n.Expr, depth: int = 0) -> str:
    """What must be so, in words: of a value that is yes or no, that it is yes."""
    words = phrase(node, depth)
    match node:
        case n.Attr() if node.name not in STATES:
            return f"{words} is yes"
        case n.Name() | n.Index():
            return f"{words} is yes"
    return words


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


def each(variable: str, source: n.Expr | None, depth: int = 0, several: bool = False) -> str:
    """What a loop walks: `player p clockwise from leader`, `player q other than p`, `c of hand`."""
    if source is None:
        return name(variable)
    words = phrase(source, depth)
    for plural, behind in (("the players", ""), ("everybody but ", " other than ")):
        if words.startswith(plural) and not words.startswith("the players in turn"):
            return f"player{'s' * several} {name(variable)}{behind}{words.removeprefix(plural)}"
    if isinstance(source, n.ListLit) and len(source.items) == 1:
        return f"{name(variable)} of {words} alone"
    is_range = isinstance(source, n.Binary) and source.op == ".."
    return f"{name(variable)} of {words if is_range else closed(source, words)}"


def negated(node: n.Expr, depth: int = 0) -> str:
    """The opposite of a condition in words."""
    if depth > DEEPEST:
        return f"not {node.span.text}"
    match node:
        case n.Attr() if node.name in OPPOSITE:
            return f"{one(node.target, phrase(node.target, depth + 1))} {OPPOSITE[node.name]}"
        case n.Unary(op="not"):
            return condition(node.value, depth + 1)
        case n.Aggregate(target=n.Name(name="any")):
            return f"there is no {_member(node, depth + 1)}"
        case n.Name() | n.Index() | n.Attr():
            return f"{phrase(node, depth + 1)} is no"
        case n.IsNone():
            return _missing(n.IsNone(node.span, node.value, not node.negated), depth + 1)
        case n.IsKind():
            return phrase(n.IsKind(node.span, node.value, node.kind, node.kind_span, not node.negated), depth + 1)
        case n.Binary() if node.op in NEGATED:
            return phrase(n.Binary(node.span, NEGATED[node.op], node.left, node.right), depth + 1)
    words = phrase(node, depth + 1)
    joined = isinstance(node, n.Binary) and node.op in ("and", "or")
    return f"it is not so that {f'({words})' if joined else words}" if is_condition(node) else f"not {words}"


def by_words(by: n.Expr, lower: str, depth: int = 0) -> str:
    """What is compared: “by x”; of several things “first by x, then by y”. `lower` is said of a thing with a minus before it."""
    keys = by.items if isinstance(by, n.ListLit) else (by,)
    parts = []
    for key in keys:
        minus = isinstance(key, n.Unary) and key.op == "-"
        value = key.value if isinstance(key, n.Unary) and minus else key
        words = phrase(value, depth)
        parts.append(f"by {closed(value, words) if minus or len(keys) > 1 else words}{lower if minus else ''}")
    return parts[0] if len(parts) == 1 else f"first {', then '.join(parts)}"


def for_all(fors: Sequence[n.For], where: n.Expr | None, depth: int = 0) -> str:
    """The loops of a comprehension behind what is said of each, a condition behind the loop that it stands behind."""
    parts = [f"for each {each(f.name, f.source, depth)}{_if(f.condition, depth)}" for f in fors]
    return f" {(', ' if any(f.condition for f in fors) else ' and ').join(parts)}{_if(where, depth)}"


# ---------------------------------------------------------------- members, calls
def _index(node: n.Index, depth: int) -> str:
    """`coins[p]` is “coins of p”, `row[3]` “row number 3”, `known[p][i + 1]` “known of p number (i plus 1)”."""
    keys = list[n.Expr]()
    target: n.Expr = node
    while isinstance(target, n.Index):
        keys.insert(0, target.key)
        target = target.target
    words = one(target, phrase(target, depth))
    if isinstance(target, n.Name) and target.name == "players":
        words = "player"
    number = ""
    if isinstance(keys[-1], (n.Int, n.Binary)):
        last = keys.pop()
        number = f" number {one(last, phrase(last, depth))}"
    if not keys:
        return f"{words}{number}"
    if words == "player":
        return f"player number {listed([phrase(key, depth) for key in keys])}"
    joint = "for" if isinstance(target, n.Attr) else "of"
    return f"{words} {joint} {listed([closed(key, phrase(key, depth)) if len(keys) > 1 else one(key, phrase(key, depth)) for key in keys])}{number}"


def _attribute(node: n.Attr, depth: int) -> str:
    target = one(node.target, phrase(node.target, depth))
    if node.name in STATES:
        return f"{target} {STATES[node.name]}"
    if isinstance(node.target, n.Name) and node.target.name == "players" and node.name == "size":
        return "the number of players"
    return MEMBERS[node.name].format(target) if node.name in MEMBERS else f"the {quoted(node.name, 1)} of {target}"


def _call(node: n.Call, depth: int) -> str:
    args = [one(a.value, phrase(a.value, depth)) for a in node.args]
    if isinstance(node.target, n.Attr):
        args = [closed(a.value, phrase(a.value, depth)) for a in node.args]
        target = one(node.target.target, phrase(node.target.target, depth))
        if node.target.name in FIRST and len(node.args) == 1 and isinstance(node.args[0].value, n.Int) and node.args[0].value.value == 1:
            return FIRST[node.target.name].format(target.replace("{", "{{").replace("}", "}}"))
        if node.target.name in COUNTED:
            args = [
                words if isinstance(a.value, (n.Int, n.Name)) or words[:1] == "(" else f"({words})" for a, words in zip(node.args, args, strict=True)
            ]
        if node.target.name in METHODS:
            return METHODS[node.target.name].replace("{a}", listed(args)).format(target.replace("{", "{{").replace("}", "}}")) if args else target
        return f"{name(node.target.name)} {listed(args)} of {target}" if args else f"{name(node.target.name)} of {target}"
    if not isinstance(node.target, n.Name):
        return node.span.text
    called = node.target.name
    if called in EXTREMES and args:
        return EXTREMES[called].format(listed([closed(a.value, phrase(a.value, depth)) for a in node.args]) if len(args) > 1 else args[0])
    if called in FUNCTIONS and len(args) <= 1:
        return FUNCTIONS[called].format(*(args or ["the first player"]))
    if called[:1].isupper():
        return f"{_article(name(called))}{given(node.args, depth)}"
    return f"“{name(called)}”{given(node.args, depth)}"


def given(args: Sequence[n.Arg], depth: int = 0) -> str:
    """What a rule is called with, in brackets; nothing if it is called with nothing."""
    words = []
    for arg in args:
        said = phrase(arg.value, depth)
        said = f"({said})" if ", " in said and len(args) > 1 and grade(arg.value) is not Grade.ONE else said
        words.append(said if arg.name is None else f"{name(arg.name)}: {said}")
    return f" ({', '.join(words)})" if words else ""


def _entry(node: n.MapComp, depth: int) -> str:
    """What a map holds for each of its keys; the key is said where it is not what the loop walks."""
    value = closed(node.value, phrase(node.value, depth))
    plain = isinstance(node.key, n.Name) and len(node.fors) == 1 and node.key.name == node.fors[0].name
    return value if plain else f"{value} for {one(node.key, phrase(node.key, depth))},"


# ---------------------------------------------------------------- aggregates
def _aggregate(node: n.Aggregate, depth: int) -> str:
    called = node.target.name if isinstance(node.target, n.Name) else node.target.span.text
    if called == "any":
        return f"there is {_member(node, depth)}"
    if called == "all":
        return f"for every {_walk(node, depth)}: {condition(node.element, depth)}"
    if called == "count":
        which = "" if _same(node.element, node.fors) else f" with: {condition(node.element, depth)}"
        return f"how many {_walk(node, depth, several=True)} there are{which}"
    by = f", {by_words(node.by, LOWER.get(called, ''), depth)}" if node.by is not None else ""
    words = AGGREGATES.get(called, "{e}")
    if _same(node.element, node.fors):
        return words.replace("{e}", _walk(node, depth, several=words.startswith(("all", "the different")))) + by
    words = words.replace("{e}", closed(node.element, phrase(node.element, depth)))
    return f"{words}{for_all(node.fors, node.condition, depth)}{by}"


def _member(node: n.Aggregate, depth: int) -> str:
    """`c of the hand with: …`."""
    return f"{_walk(node, depth)} with: {condition(node.element, depth)}"


def _walk(node: n.Aggregate, depth: int, several: bool = False) -> str:
    return _walked(node.fors, node.condition, depth, several)


def _walked(fors: Sequence[n.For], where: n.Expr | None, depth: int, several: bool = False) -> str:
    parts = [f"{each(f.name, f.source, depth, several)}{_if(f.condition, depth)}" for f in fors]
    return (", ".join(parts) if any(f.condition for f in fors) else listed(parts)) + _if(where, depth)


def _same(element: n.Expr, fors: Sequence[n.For]) -> bool:
    """Whether what is wanted of each is itself: `c for c in hand`."""
    return len(fors) == 1 and isinstance(element, n.Name) and element.name == fors[0].name


def _if(where: n.Expr | None, depth: int) -> str:
    return f" where {condition(where, depth)}" if where is not None else ""


# ---------------------------------------------------------------- operators
def _binary(node: n.Binary, depth: int) -> str:
    left, right = phrase(node.left, depth), phrase(node.right, depth)
    if node.op == "otherwise":
        return f"{closed(node.left, left)}, or if there is none {right}"
    if node.op in ("==", "!=") and isinstance(node.right, n.Bool):
        return condition(node.left, depth) if node.right.value == (node.op == "==") else negated(node.left, depth)
    if node.op in COMPARED:
        return f"{compared(node.left, False, left)} {COMPARED[node.op]} {compared(node.right, True, right)}"
    if node.op in ("and", "or"):
        left, right = condition(node.left, depth), condition(node.right, depth)
    left, right = operand(node.left, node.op, False, left), operand(node.right, node.op, True, right)
    return f"{left} {REACHED.get(node.op, node.op)} {right}{ROUNDED if node.op == '//' else ''}"


def _negative(node: n.Expr, depth: int) -> str:
    words = phrase(node, depth)
    return words if isinstance(node, (n.Int, n.Name)) else f"({words})"


def _either(node: n.IfElse, depth: int) -> str:
    then, when, other = closed(node.then, phrase(node.then, depth)), condition(node.condition, depth), phrase(node.other, depth)
    return f"{then} if {when if is_short(node.condition) else f'({when})'}, otherwise {other}"


def _missing(node: n.IsNone, depth: int) -> str:
    """`x is none`: “there is no x”; of the answer of a rule, that it is none."""
    words = phrase(node.value, depth)
    if isinstance(node.value, n.Call) or words.startswith(("the player", "the only", "the best", "the worst")):
        return f"{words} is {'some' if node.negated else 'none'}"
    thing = words.removeprefix("the ")
    return f"there is {_article(thing) if node.negated else f'no {thing}'}"


def _article(words: str) -> str:
    return f"{'an' if words[:1].lower() in 'aeiou' else 'a'} {words}"
