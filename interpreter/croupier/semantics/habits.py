"""What people write who know other languages, and what says it here: help for names and types that do not fit."""

from __future__ import annotations

from croupier.diagnostics import Span
from croupier.semantics import types as t
from croupier.semantics.types import Type

MEMBERS = {  # attributes and methods of lists and zones elsewhere
    "filter": "[x for x in xs if …]", "where": "[x for x in xs if …]", "map": "[… for x in xs]", "select": "[… for x in xs]",
    "push": "add x to xs", "append": "add x to xs", "add": "add x to xs", "insert": "add x to xs", "extend": "xs + ys",
    "pop": "remove x from xs", "remove": "remove x from xs", "delete": "remove x from xs", "discard": "remove x from xs",
    "contains": "x in xs", "includes": "x in xs", "has": "x in xs", "exists": "any(… for x in xs)", "some": "any(… for x in xs)",
    "any": "any(… for x in xs)", "all": "all(… for x in xs)", "every": "all(… for x in xs)", "find": "first(x for x in xs if …)",
    "sort": "sorted(x for x in xs by …)", "sorted": "sorted(x for x in xs by …)", "sum": "sum(… for x in xs)", "max": "max(… for x in xs)",
    "min": "min(… for x in xs)", "shuffle": "shuffle xs", "draw": "draw 1 from xs to …", "next": "next(p)", "name": '"{x}" in a text',
    "count": "count(… for x in xs)", "hand": "hand[p]", "score": "score[p]", "cards": "[c for c in xs]", "join": "xs + ys",
}  # fmt: skip
ZONES = {"push": "move x to z", "append": "move x to z", "add": "move x to z", "insert": "move x to z", "pop": "move z.top! to …",
         "remove": "move x to …", "discard": "move x to …", "delete": "move x to …", "extend": "move … to z"}  # fmt: skip
NAMES = {
    "None": "none", "null": "none", "nil": "none", "undefined": "none", "True": "true", "TRUE": "true", "yes": "true", "False": "false",
    "FALSE": "false", "no": "false",
}  # fmt: skip
IDEAS = {
    "current_player": "say who it is: `for p in turns():` calls the player `p`", "player": "say who it is: `for p in players:` calls the player `p`",
    "active_player": "say who it is: `for p in turns():` calls the player `p`", "self": "a player is known by the name that a loop gives, like `p`",
    "all": "who sees everything is `everybody`; whether all of several are so is `all(… for x in xs)`", "everyone": "write `everybody`",
    "num_players": "write `players.size`", "n_players": "write `players.size`", "nplayers": "write `players.size`",
}  # fmt: skip


def member_help(name: str, kind: Type) -> str | None:
    """What says here what a member does elsewhere."""
    if isinstance(kind, (t.Zone, t.Family)) and name in ZONES:
        return f"write `{ZONES[name]}`"
    if isinstance(kind, (t.Zone, t.Family, t.Collection)) and name.casefold() in MEMBERS:
        return f"write `{MEMBERS[name.casefold()]}`"
    if isinstance(kind, t.Player) and name.casefold() in ("hand", "score", "name", "next", "cards"):
        return f"what belongs to a player is indexed by him: `{name.casefold()}[p]`" if name.casefold() != "next" else "write `next(p)`"
    return None


def mismatch_help(given: Type, wanted: Type) -> str | None:
    """How a value of one type becomes one of another, where that is what was meant."""
    if isinstance(wanted, t.Bool):
        if isinstance(given, (t.Zone, t.Family, t.Collection)):
            return "ask whether there is something in it: `not xs.empty`"
        if isinstance(given, t.Optional):
            return "ask whether it is there: `x is not none`"
        if isinstance(given, t.Int):
            return "compare it: `n > 0`, `n == 3 or n == 5`"
        if isinstance(given, (t.Enum, t.Player, t.Component, t.Cell)):
            return "compare it: `x == …`; several at once: `x in [a, b]`"
    if isinstance(given, t.Nothing) and isinstance(wanted, (t.Player, t.Enum, t.Component, t.Cell, t.Record, t.Int)):
        return f"what may be missing has a type with a question mark: `{wanted}?`"
    if isinstance(wanted, t.Map) and t.fits(given, wanted.value):
        many = "{p: … for p in players}" if isinstance(wanted.key, t.Player) else "{k: … for k in …}"
        return f"the whole of it is a value for each: `{many}`; one of them alone is `m[{'p' if isinstance(wanted.key, t.Player) else 'k'}]`"
    if wanted == t.AUDIENCE:
        return "an audience is one of " + ", ".join(f"`{word}`" for word in t.AUDIENCES) + "; `show` lets certain players see more"
    if isinstance(wanted, t.Player) and isinstance(given, t.Int):
        return "the player of a seat is `players[n]`"
    if given == t.AUDIENCE and isinstance(wanted, t.Collection) and isinstance(wanted.base, t.Player):
        return "players are `players`, `[p]`, `others(p)`; the word alone is for `seen_by`"
    if isinstance(wanted, t.Int) and isinstance(given, (t.Zone, t.Family, t.Collection)):
        return "the number of things in it is `xs.size`"
    if isinstance(wanted, t.Int) and isinstance(given, t.Player):
        return "the number of a player's seat is `p.seat`"
    return None


def walking_help(given: Type) -> str | None:
    """How a single value becomes something that can be walked."""
    if isinstance(given, t.Int):
        return "the numbers up to it are `1..n`; a list with it alone is `[n]`"
    if isinstance(given, t.Map):
        return "its values are `[m[k] for k in …]`, with what it is declared `per`, like `players`"
    return "a list with it alone is `[x]`" if isinstance(given, (t.Bool, t.Player, t.Enum, t.Component, t.Cell, t.Record, t.Text)) else None


def leaving_help(kind: str) -> str:
    """What leaves a procedure of a kind, where a word for loops stands in none."""
    if kind in ("phase", "scoring"):
        return "`return` ends the phase; a group of phases ends when its `repeat until:` holds"
    return "`return` leaves what stands outside loops"


def fixed_help(name: str, declared: Span) -> str | None:
    """How to change the value of a local that is no `var` and that no `let` declares: a parameter, a loop variable, what was chosen."""
    before = declared.source.text[: declared.start].rstrip()
    return None if before.endswith("let") else f"give its value to a variable, and change that: `var changed = {name}`"


def comparison_help(left: Type, right: Type) -> str | None:
    """How to compare what cannot be compared."""
    left, right = (kind.base if isinstance(kind, t.Optional) else kind for kind in (left, right))
    if {type(left), type(right)} == {t.Player, t.Int}:
        return "compare a player with a player (`players.first`, `players[2]`), or the number of his seat: `p.seat`"
    for a, b in ((left, right), (right, left)):
        if isinstance(a, t.Component) and isinstance(b, (t.Int, t.Enum)):
            return "compare an attribute of it: `c.name == …`"
        if isinstance(a, (t.Zone, t.Family, t.Collection)) and isinstance(b, t.Int):
            return "compare how many there are: `xs.size`"
    return None


def membership_help(item: Type, base: Type) -> str | None:
    """How to ask whether something is among things of another type."""
    item, base = (kind.base if isinstance(kind, t.Optional) else kind for kind in (item, base))
    if isinstance(base, t.Component) and isinstance(item, (t.Int, t.Enum)):
        return "compare an attribute of each: `any(c.name == … for c in xs)`"
    return None
