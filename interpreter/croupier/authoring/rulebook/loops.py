"""What is said of each of several things, in words: loops, comprehensions and what is counted, added up or picked from them."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.authoring.rulebook.grouping import closed, one, operand
from croupier.authoring.rulebook.speaker import Speaker
from croupier.authoring.rulebook.vocabulary import AGGREGATES, listed, name, quoted
from croupier.syntax import nodes as n

LOWER = {"best": " (the lower the better)", "ties": " (the lower the better)", "worst": " (the higher the worse)", "sorted": " from high to low"}
IN_ORDER = ("first", "last", "list", "best", "worst")  # aggregates for which it matters in which order things come


# ---------------------------------------------------------------- loops
def each(say: Speaker, variable: str, source: n.Expr | None, several: bool = False, ordered: bool = True) -> str:
    """What a loop walks: `player p clockwise from leader`, `c of hand`; `ordered` where it matters who comes first."""
    if source is None:
        return name(variable)
    call = source if isinstance(source, n.Call) and isinstance(source.target, n.Name) and len(source.args) == 1 else None
    if call is not None and isinstance(call.target, n.Name) and call.target.name == "others":
        whom = one(call.args[0].value, say.phrase(call.args[0].value))
        behind = f"clockwise from the player after {whom}" if ordered else f"other than {whom}"
        return f"{'other ' * ordered}player{'s' * several} {name(variable)} {behind}"
    words = say.phrase(source)
    clockwise = call is not None and isinstance(call.target, n.Name) and call.target.name == "clockwise"
    if clockwise or (isinstance(source, n.Name) and source.name == "players"):
        return f"player{'s' * several} {name(variable)}{words.removeprefix('the players')}"
    if isinstance(source, n.ListLit) and len(source.items) == 1:
        return f"{quoted(variable)} of {words} alone"
    is_range = isinstance(source, n.Binary) and source.op == ".."
    return f"{quoted(variable)} of {words if is_range else closed(source, words)}"


def loop(say: Speaker, variable: str, source: n.Expr, where: n.Expr | None) -> str:
    """What stands above what is done for each of several things."""
    if isinstance(source, n.Call) and isinstance(source.target, n.Name) and source.target.name == "turns":
        passed = f" (passed over unless {say.condition(where)})" if where is not None else ""
        return f"{_turns(say, source)}. Whose turn it is: {name(variable)}{passed}:"
    if isinstance(source, n.Aggregate) and _is_sorted(source, variable):
        wanted = [w for w in (source.fors[0].condition, source.condition, where) if w is not None]
        conditions = " and ".join(operand(w, "and", False, say.condition(w)) if wanted[1:] else say.condition(w) for w in wanted)
        by = f" {by_words(say, source.by, LOWER['sorted'])}" if source.by is not None else ""
        return f"For each {each(say, variable, source.fors[0].source)}{f' where {conditions}' if wanted else ''}, in order{by}:"
    return f"For each {each(say, variable, source)}{_if(say, where)}:"


def _is_sorted(source: n.Aggregate, variable: str) -> bool:
    """Whether a loop walks `sorted(x for x in xs …)` by the same name."""
    called = isinstance(source.target, n.Name) and source.target.name == "sorted"
    return called and is_same(source.element, source.fors) and source.fors[0].name == variable


def _turns(say: Speaker, source: n.Call) -> str:
    if not source.args:
        return "The players take turns"
    whom = source.args[0].value
    words = say.phrase(whom)
    if say.types.several(whom):
        return f"Those of {closed(whom, words)} take turns, in this order"
    return f"The players take turns, beginning with {words}"


def for_all(say: Speaker, fors: Sequence[n.For], where: n.Expr | None, ordered: bool = True) -> str:
    """The loops of a comprehension behind what is said of each, a condition behind the loop that it stands behind."""
    parts = [f"for each {each(say, f.name, f.source, ordered=ordered)}{_if(say, f.condition)}" for f in fors]
    return f" {(', ' if any(f.condition for f in fors) else ' and ').join(parts)}{_if(say, where)}"


def walked(say: Speaker, fors: Sequence[n.For], where: n.Expr | None, several: bool = False, ordered: bool = True) -> str:
    """The things themselves that a comprehension walks."""
    parts = [f"{each(say, f.name, f.source, several, ordered)}{_if(say, f.condition)}" for f in fors]
    return (", ".join(parts) if any(f.condition for f in fors) else listed(parts)) + _if(say, where)


def is_same(element: n.Expr, fors: Sequence[n.For]) -> bool:
    """Whether what is wanted of each is itself: `c for c in hand`."""
    return len(fors) == 1 and isinstance(element, n.Name) and element.name == fors[0].name


def _if(say: Speaker, where: n.Expr | None) -> str:
    return f" where {say.condition(where)}" if where is not None else ""


# ---------------------------------------------------------------- lists and maps
def all_of(say: Speaker, node: n.ListComp) -> str:
    """A list of what is found in a loop."""
    if is_same(node.element, node.fors):
        return f"all {walked(say, node.fors, node.condition, several=True)}"
    known = "all " if isinstance(node.element, n.Name) else ""
    return f"{known}{closed(node.element, say.phrase(node.element))}{for_all(say, node.fors, node.condition)}"


def map_of(say: Speaker, node: n.MapComp) -> str:
    """What a map holds for each of its keys; the key is said where it is not what the loop walks."""
    value = closed(node.value, say.phrase(node.value))
    plain = isinstance(node.key, n.Name) and len(node.fors) == 1 and node.key.name == node.fors[0].name
    entry = value if plain else f"{value} for {one(node.key, say.phrase(node.key))},"
    return f"{entry}{for_all(say, node.fors, node.condition, ordered=False)}"


# ---------------------------------------------------------------- aggregates
def aggregate(say: Speaker, node: n.Aggregate) -> str:
    """What is found by going through several things."""
    called = node.target.name if isinstance(node.target, n.Name) else node.target.span.text
    if called == "any":
        return f"there is {member(say, node)}"
    if called == "all":
        return f"for every {walked(say, node.fors, node.condition, ordered=False)}: {say.condition(node.element)}"
    if called == "count":
        which = "" if is_same(node.element, node.fors) else f" with: {say.condition(node.element)}"
        return f"how many {walked(say, node.fors, node.condition, several=True, ordered=False)} there are{which}"
    by = f", {by_words(say, node.by, LOWER.get(called, ''))}" if node.by is not None else ""
    words = AGGREGATES.get(called, "{e}")
    ordered = called in IN_ORDER
    if is_same(node.element, node.fors):
        if called == "set" and node.condition is None and node.fors[0].condition is None:
            return f"the different ones of {closed(node.fors[0].source, say.phrase(node.fors[0].source))}"
        found = walked(say, node.fors, node.condition, words.startswith(("all", "the different")), ordered)
        return words.replace("{e}", found) + by
    words = words.replace("{e}", closed(node.element, say.phrase(node.element)))
    return f"{words}{for_all(say, node.fors, node.condition, ordered)}{by}"


def member(say: Speaker, node: n.Aggregate) -> str:
    """`c of the hand with: …`."""
    return f"{walked(say, node.fors, node.condition, ordered=False)} with: {say.condition(node.element)}"


def by_words(say: Speaker, by: n.Expr, lower: str) -> str:
    """What is compared: “by x”; of several things “first by x, then by y”. `lower` is said of a thing with a minus before it."""
    keys = by.items if isinstance(by, n.ListLit) else (by,)
    parts = []
    for key in keys:
        minus = isinstance(key, n.Unary) and key.op == "-"
        value = key.value if isinstance(key, n.Unary) and minus else key
        words = say.phrase(value)
        parts.append(f"by {closed(value, words) if minus or len(keys) > 1 else words}{lower if minus else ''}")
    return parts[0] if len(parts) == 1 else f"first {', then '.join(parts)}"
