"""The reasons why a condition has one value wherever it is asked, and what was probably meant: the notes and
help of `L021` and `L024`.

What comes in: a condition, its value, and what is known where it is asked. What goes out: labels at the parts
that settle it and where those are declared, and help. What is settled is worked out elsewhere
(`lints/ranges.py`, `lints/choices.py`).
"""

from __future__ import annotations

import re

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.kernel import types as t
from croupier.kernel.tree import ConstExpr, ParamExpr, StateExpr, TypedExpr
from croupier.records import dataclass
from croupier.semantics.program import Program
from croupier.semantics.ranges import MIRRORED, Facts, Ranges, form, plain

LONGEST_TEXT = 40  # characters of what an author has written that a sentence repeats
HELP = {
    True: "write the condition that is meant, or leave it out",
    False: "write the condition that is meant, or leave out what depends on it",
}


@dataclass(frozen=True)
class Reason:
    """Labels at what settles a condition, and what to write instead."""

    labels: tuple[Label, ...]
    help: str


def settled(ranges: Ranges, x: TypedExpr, value: bool, facts: Facts) -> Diagnostic:
    """The report of a condition that always has this value where these facts hold."""
    why = reason(ranges, x, value, facts)
    labels = [label for label in why.labels if label.span != x.span]
    notes = [label.text for label in why.labels if label.span == x.span]
    return diagnose("L021", x.span, value=str(value).lower(), labels=labels, notes=notes, help=why.help)


def reason(ranges: Ranges, x: TypedExpr, value: bool, facts: Facts) -> Reason:
    """Return the reason why a condition has this value where these facts hold."""
    if x.op == "not":
        inner = reason(ranges, x.args[0], not value, facts)
        return Reason(inner.labels, HELP[value])
    if x.op in ("and", "or"):
        return _of_parts(ranges, x, value, facts)
    if x.op in MIRRORED and len(x.args) == 2:
        return _of_comparison(ranges, x, value, facts)
    if facts and ranges.truth(x) is None:
        return Reason((Label(x.span, "what is asked before this has settled it"),), HELP[value])
    return Reason((), HELP[value])


def _of_parts(ranges: Ranges, x: TypedExpr, value: bool, facts: Facts) -> Reason:
    """The part of an `and` or `or` that settles the whole: by itself, or because of those before it."""
    alone = next((part for part in x.args if ranges.truth(part, facts) is value), None)
    if alone is not None:
        inner = reason(ranges, alone, value, facts)
        return (
            inner
            if inner.labels
            else Reason((Label(alone.span, f"this is always {str(value).lower()}"),), inner.help)
        )
    holds = x.op == "and"
    before: list[str] = []
    known = facts
    for part in x.args:
        more = ranges.assume(part, holds, known)
        if more is None:
            where = (
                f"`{before[0]}`"
                if len(before) == 1 and len(before[0]) <= LONGEST_TEXT
                else "what stands before it"
            )
            words = (
                f"where {where} holds, this never does"
                if holds
                else f"where {where} does not hold, this always does"
            )
            if len(x.args) != 2:
                return Reason((Label(part.span, words),), HELP[value])
            return Reason((Label(part.span, words),), _joined_help(ranges, x, value, facts))
        before.append(part.span.text)
        known = more
    return Reason((), HELP[value])


def _joined_help(ranges: Ranges, x: TypedExpr, value: bool, facts: Facts) -> str:
    """Say what to write in place of two conditions joined so that the second settles the whole.

    The other word of `and` and `or` is proposed only if the condition could then hold and not hold.
    """
    other = "or" if x.op == "and" else "and"
    joins_to = other == "or"
    first, second = x.args
    after_first = ranges.assume(first, not joins_to, facts)
    settles = after_first is not None and ranges.assume(second, not joins_to, after_first) is None
    if not settles:
        return f"did you mean `{other}`?"
    texts = [part.span.text for part in x.args]
    if all(len(text) <= LONGEST_TEXT and "\n" not in text for text in texts):
        return f"keep one of the two, `{texts[0]}` or `{texts[1]}`, or leave both out"
    return HELP[value]


def _of_comparison(ranges: Ranges, x: TypedExpr, value: bool, facts: Facts) -> Reason:
    """The bounds of what is compared, and where they are declared."""
    left, right = x.args
    if form(left) == form(right):
        return Reason(
            (Label(right.span, "this is the same as on the other side"),),
            "compare it with something else, or leave the condition out",
        )
    labels: list[Label] = []
    help = HELP[value]
    before = bool(facts) and ranges.truth(x) is None  # it is settled by what is asked before
    for one, other, op in ((left, right, x.op), (right, left, MIRRORED[x.op])):
        if not isinstance(one.type, t.Int) or isinstance(plain(one), ConstExpr):
            continue
        bounds, others = ranges.interval(one, facts), ranges.interval(other, facts)
        words = _limit(bounds, others)
        if words is None:
            continue
        words = words if bounds.low == bounds.high else f"this is {words} here"
        labels.append(Label(one.span, f"{words}, because of what is asked before" if before else words))
        declared = _declaration(ranges.program, one)
        if declared is not None and not before:
            labels.append(declared)
        if isinstance(plain(other), ConstExpr) and not before:
            help = _comparison_help(one.span.text, op, bounds, others, value)
    return Reason(tuple(labels), help)


def _limit(bounds: t.Int, other: t.Int) -> str | None:
    """The limit of a number that settles how it compares with another: `never above 3`."""
    if bounds.low is not None and bounds.low == bounds.high:
        return f"this is always {bounds.low}"
    if bounds.low is not None and other.high is not None and bounds.low >= other.high:
        return f"never below {bounds.low}"
    if bounds.high is not None and other.low is not None and bounds.high <= other.low:
        return f"never above {bounds.high}"
    return None if bounds.low is None and bounds.high is None else t.in_words(bounds)


def _declaration(program: Program, x: TypedExpr) -> Label | None:
    """Return a label where the bounds of a variable of the state or of a parameter are declared, with what is
    written there.
    """
    x = plain(x)
    while x.op == "index":
        x = plain(x.args[0])
    if isinstance(x, StateExpr):
        variable = program.vars[x.name]
        return Label(variable.span, f"declared here: {_inner(variable.type)}")
    if isinstance(x, ParamExpr):
        return Label(program.params[x.name].span, f"declared here: {_inner(program.params[x.name].type)}")
    return None


def _inner(kind: t.Type) -> str:
    """The bounds of a number, or of each number of a map."""
    while isinstance(kind, (t.Map, t.Optional)):
        kind = kind.value if isinstance(kind, t.Map) else kind.base
    return (
        f"from {kind.low} to {kind.high}"
        if isinstance(kind, t.Int) and None not in (kind.low, kind.high)
        else str(kind)
    )


def _comparison_help(text: str, op: str, bounds: t.Int, other: t.Int, value: bool) -> str:
    """Say what was probably meant by a comparison with a constant number that its bounds settle."""
    number, low, high = other.low, bounds.low, bounds.high
    name = text if len(text) <= LONGEST_TEXT and "\n" not in text else "n"
    size = re.fullmatch(r"(.+)\.size", name)
    if value and op == ">=" and number == low:
        return f"did you mean `{name} > {number}`?" + (
            f" (that is `not {size[1]}.empty`)" if size and number == 0 else ""
        )
    if value and op == "<=" and number == high:
        return f"did you mean `{name} < {number}`?"
    simple = re.fullmatch(r"[\w.]+(?:\[[^\[\]]*\])?(?:\.\w+)*", name) is not None  # nothing is reckoned
    counts = simple and (low is None or high is None or low < high)
    if not value and op == "<" and number == low and counts:
        return f"did you mean `{name} == {number}`?" + (
            f" (that is `{size[1]}.empty`)" if size and number == 0 else ""
        )
    if not value and op == ">" and number == high and counts:
        return f"did you mean `{name} == {number}`?"
    if low is not None and high is not None and low < high and not simple:
        return (
            "leave the condition out, or compare something that changes"
            if value
            else "leave it out with what depends on it, or compare something that changes"
        )
    if low is not None and high is not None and low < high:
        return f"compare it with a number from {low} to {high}, or " + (
            "leave the condition out" if value else "remove it with what depends on it"
        )
    return HELP[value]
