"""Statements without a block in words: one sentence each, small at its beginning."""

from __future__ import annotations

from croupier.authoring.rulebook.grouping import closed
from croupier.authoring.rulebook.loops import each, for_all, walked
from croupier.authoring.rulebook.members import given, unordered
from croupier.authoring.rulebook.operators import is_condition
from croupier.authoring.rulebook.phrases import Phrases
from croupier.authoring.rulebook.vocabulary import listed, name, quoted
from croupier.syntax import nodes as n

SEVERAL = ("the players", "all ", "everybody ")  # how words for more than one begin
VERBS = {
    "shuffle": "shuffle {}.", "roll": "roll {}.", "swap": "{} and {} change places.", "add": "{} {joins} {}.", "remove": "{} {leaves} {}.",
    "show": "show {} to {}.", "reveal": "reveal {}.", "claim": "{} may say something.",
}  # fmt: skip


def action(say: Phrases, s: n.Stmt) -> str:
    """A statement without a block."""
    match s:
        case n.Let():
            return f"let {quoted(s.name)} {'tell whether' if is_condition(s.value) else 'be'} {say.phrase(s.value)}."
        case n.Assign(op="="):
            unset = isinstance(s.value, n.NoneLit)
            becomes = "tells whether" if is_condition(s.value) else "becomes"
            target = say.phrase(s.target)
            return f"there is no {target.removeprefix('the ')} any more." if unset else f"{target} {becomes} {say.phrase(s.value)}."
        case n.Assign():
            return f"{say.phrase(s.target)} {'rises' if s.op == '+=' else 'falls'} by {say.phrase(s.value)}."
        case n.CallStmt():
            return f"do {say.phrase(s.call)}."
        case n.Return():
            whether = "whether " if s.value is not None and is_condition(s.value) else ""
            return f"the answer: {whether}{say.phrase(s.value)}." if s.value is not None else "that is all."
        case n.Simple():
            return {"break": "stop repeating this.", "continue": "go on with the next."}.get(s.word, f"{s.word}.")
        case n.Move():
            place = {"top": ", on top", "bottom": ", at the bottom"}.get(s.place or "", "")
            return f"{say.phrase(s.what)} {'go' if _several(say, s.what) else 'goes'} to {say.phrase(s.to)}{place}."
        case n.Draw():
            return _draw(say, s)
        case n.Tell():
            return f"{_told(say, s.to)}: “{say.template(s.text)}”."
        case n.Open():
            turn = ", one after another" if say.types.several(s.to) and not (isinstance(s.to, n.ListLit) and len(s.to.items) == 1) else ""
            return f"{say.phrase(s.to)} may react{turn}: “{name(s.window)}”{given(say, s.args)}."
        case n.Verb():
            return _verb(say, s)
        case n.Finish():
            return _finish(say, s)
    return s.span.text.split("\n")[0]


def _several(say: Phrases, node: n.Expr | None) -> bool:
    """Whether something is said of several things."""
    return node is not None and (say.types.several(node) or say.phrase(node).startswith(SEVERAL))


def _told(say: Phrases, to: n.Expr | None) -> str:
    """To whom something is said; to everybody if nobody is named."""
    if to is None:
        return "announce"
    whom = unordered(say, to)
    return f"tell {whom if whom.startswith('everybody but ') else closed(to, whom)}"


def _draw(say: Phrases, s: n.Draw) -> str:
    called = f" (called {name(s.name)})" if s.name is not None else ""
    if isinstance(s.count, n.Int):
        return f"draw {say.phrase(s.count)} from {say.phrase(s.source)} to {say.phrase(s.to)}{called}."
    return f"draw from {say.phrase(s.source)} to {say.phrase(s.to)}, as many as {say.phrase(s.count)}{called}."


def _verb(say: Phrases, s: n.Verb) -> str:
    words = [say.phrase(x) for x in s.operands]
    several = bool(s.operands) and _several(say, s.operands[0])
    return VERBS.get(s.verb, s.verb + " {}").format(*words, joins="join" if several else "joins", leaves="leave" if several else "leaves")


# ---------------------------------------------------------------- decisions
def choice(say: Phrases, pick: n.Pick, optional: bool) -> str:
    """Who chooses what, without the end of the sentence."""
    many = pick.how_many
    low, high = (_amount(say, many.low), _amount(say, many.high)) if many is not None else ("", "")
    amount = f"{low} " if low == high else f"{low or 'none'} to {high or 'all'} "
    amount = "" if many is None else amount if low or high else "any number of "
    what = f"{amount}{quoted(pick.name)} from {unordered(say, pick.source)}"
    where = f" where {say.condition(pick.where)}" if pick.where is not None else ""
    where += f" (those alike in {listed([name(m) for m in pick.merging])} are not told apart)" if pick.merging else ""
    such = f", together such that {say.condition(pick.such_that)}" if pick.such_that is not None else ""
    no = f", or “{pick.decline}”" if pick.decline is not None else ""
    label = f" (“{say.template(pick.label)}”{no})" if pick.label is not None else ""
    may = "may choose" if optional else "chooses"
    if pick.chooser == "chance":
        weight = f", weighed by {say.phrase(pick.by)}" if pick.by is not None else ""
        return f"chance chooses {what}{where}{weight}"
    if pick.chooser == "every":
        who = f"each {each(say, pick.every or 'one', pick.by, ordered=False)}"
        return f"at the same time and in secret {who} {may} {what}{where}{such}{label}"
    return f"{say.phrase(pick.by)} {may} {what}{where}{such}{label}"


def _amount(say: Phrases, node: n.Expr | None) -> str:
    """A number before the name of what is counted."""
    words = say.phrase(node)
    return words if node is None or isinstance(node, (n.Int, n.Name)) else f"({words})"


# ---------------------------------------------------------------- the end
def _finish(say: Phrases, s: n.Finish) -> str:
    grade = f" (“{say.template(s.grade)}”)" if s.grade is not None else ""
    if s.result == "rank" and s.value is not None:
        return f"the game is over{_ranked(say, s.value)}{grade}."
    value = unordered(say, s.value) if s.value is not None else ""
    wins = "win" if _several(say, s.value) and not value.startswith("everybody ") else "wins"
    forms = {
        "win": f"the game is over, {value} {wins}", "pay": f"the game is over, everybody gets: {value}",
        "lose": "the game is over, everybody loses", "draw": "the game is over, nobody wins", "drawn": "the game is over, nobody wins",
    }  # fmt: skip
    return forms.get(s.result, f"the game is over: {value}") + grade + "."


def _ranked(say: Phrases, value: n.Expr) -> str:
    """Who is before whom: a list of numbers is compared from left to right, so that what follows the first only breaks ties."""
    if isinstance(value, n.MapComp) and len(value.fors) == 1 and isinstance(value.key, n.Name) and value.key.name == value.fors[0].name:
        walk = value.fors[0]
        where = value.condition or walk.condition
        of = f"of all {walked(say, (n.For(walk.span, walk.name, walk.source),), where, several=True, ordered=False)}"
        keys = value.value.items if isinstance(value.value, n.ListLit) and value.value.items else (value.value,)
        return f": {of}, {', and of those equal '.join(_best(say, key) for key in keys)}"
    key = value.value if isinstance(value, n.MapComp) else value.entries[0][1] if isinstance(value, n.MapLit) and value.entries else None
    if isinstance(value, n.MapComp) and isinstance(key, n.Unary) and key.op == "-":
        return f", whoever has the least wins: {closed(key.value, say.phrase(key.value))}{for_all(say, value.fors, value.condition)}"
    several = " (of numbers in a row the first counts, the next where those before are equal)" if isinstance(key, n.ListLit) and key.items[1:] else ""
    return f", whoever has the most wins{several}: {say.phrase(value)}"


def _best(say: Phrases, key: n.Expr) -> str:
    """Who comes first by one number, the highest or, with a minus before it, the lowest."""
    lowest = isinstance(key, n.Unary) and key.op == "-"
    value = key.value if isinstance(key, n.Unary) and lowest else key
    words = say.phrase(value)
    words = words.removeprefix("the ") if not words.startswith(("the largest", "the smallest")) else words
    return f"whoever has the {'lowest' if lowest else 'highest'} {closed(value, words)} wins"
