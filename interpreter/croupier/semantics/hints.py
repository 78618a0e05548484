"""What people write who know other languages, and what says it here: help for names and types that do not fit."""

from __future__ import annotations

from croupier.diagnostics import Span
from croupier.semantics import types as t
from croupier.semantics.program import Program
from croupier.semantics.types import Type
from croupier.syntax import nodes as n

MEMBER_HINTS = {  # attributes and methods of lists and zones elsewhere
    "filter": "[x for x in xs if …]", "where": "[x for x in xs if …]", "map": "[… for x in xs]", "select": "[… for x in xs]",
    "push": "add x to xs", "append": "add x to xs", "add": "add x to xs", "insert": "add x to xs", "extend": "xs + ys",
    "pop": "remove x from xs", "remove": "remove x from xs", "delete": "remove x from xs", "discard": "remove x from xs",
    "contains": "x in xs", "includes": "x in xs", "has": "x in xs", "exists": "any(… for x in xs)", "some": "any(… for x in xs)",
    "any": "any(… for x in xs)", "all": "all(… for x in xs)", "every": "all(… for x in xs)", "find": "first(x for x in xs if …)",
    "sort": "sorted(x for x in xs by …)", "sorted": "sorted(x for x in xs by …)", "sum": "sum(… for x in xs)", "max": "max(… for x in xs)",
    "min": "min(… for x in xs)", "shuffle": "shuffle xs", "draw": "draw 1 from xs to …", "next": "next(p)", "name": '"{x}" in a text',
    "count": "count(… for x in xs)", "hand": "hand[p]", "score": "score[p]", "cards": "[c for c in xs]", "join": "xs + ys",
}  # fmt: skip
ZONE_HINTS = {"push": "move x to z", "append": "move x to z", "add": "move x to z", "insert": "move x to z", "pop": "move z.top! to …",
         "remove": "move x to …", "discard": "move x to …", "delete": "move x to …", "extend": "move … to z"}  # fmt: skip
NAME_HINTS = {
    "None": "none", "null": "none", "nil": "none", "undefined": "none", "True": "true", "TRUE": "true", "yes": "true", "False": "false",
    "FALSE": "false", "no": "false",
}  # fmt: skip
IDEA_HINTS = {
    "current_player": "say who it is: `for p in turns():` calls the player `p`", "player": "say who it is: `for p in players:` calls the player `p`",
    "active_player": "say who it is: `for p in turns():` calls the player `p`", "self": "a player is known by the name that a loop gives, like `p`",
    "all": "who sees everything is `everybody`; whether all of several are so is `all(… for x in xs)`", "everyone": "write `everybody`",
    "num_players": "write `players.size`", "n_players": "write `players.size`", "nplayers": "write `players.size`",
}  # fmt: skip


def member_help(name: str, kind: Type) -> str | None:
    """What says here what a member does elsewhere."""
    if isinstance(kind, (t.Zone, t.Family)) and name in ZONE_HINTS:
        return f"write `{ZONE_HINTS[name]}`"
    if isinstance(kind, (t.Zone, t.Family, t.Collection)) and name.casefold() in MEMBER_HINTS:
        return f"write `{MEMBER_HINTS[name.casefold()]}`"
    if isinstance(kind, t.Player) and name.casefold() in ("hand", "score", "name", "next", "cards"):
        return f"what belongs to a player is indexed by that player: `{name.casefold()}[p]`" if name.casefold() != "next" else "write `next(p)`"
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
    if isinstance(wanted, t.Map) and t.is_assignable(given, wanted.value):
        many = "{p: … for p in players}" if isinstance(wanted.key, t.Player) else "{k: … for k in …}"
        return f"the whole of it is a value for each: `{many}`; one of them alone is `m[{'p' if isinstance(wanted.key, t.Player) else 'k'}]`"
    if wanted == t.AUDIENCE:
        return "an audience is one of " + ", ".join(f"`{word}`" for word in t.AUDIENCES) + ", or players: `leader`, `q if spy[q]`"
    if isinstance(wanted, t.Player) and isinstance(given, t.Int):
        return "the player of a seat is `players[n]`"
    if given == t.AUDIENCE and isinstance(wanted, t.Collection) and isinstance(wanted.base, t.Player):
        return "players are `players`, `[p]`, `others(p)`; the word alone is for `seen_by`"
    if isinstance(wanted, t.Int) and isinstance(given, (t.Zone, t.Family, t.Collection)):
        return "the number of things in it is `xs.size`"
    if isinstance(wanted, t.Int) and isinstance(given, t.Player):
        return "the number of a player's seat is `p.seat`"
    return None


def finite_help(kind: Type) -> str:
    """What can be a key where values of this type cannot."""
    if isinstance(kind, t.Int):
        low, high = 1 if kind.low is None else kind.low, 9 if kind.high is None else kind.high
        return f"say from where to where the numbers go: `{low}..{max(low, high)}`"
    if isinstance(kind, t.Optional):
        return f"a key is always there: `{kind.base}`"
    return "keys are players, values of an enumeration, cells, components, `bool`, or a range of numbers such as `1..9`"


def shape_help(kind: Type) -> str | None:
    """How a value of this type is written in YAML, where that is not a single word or number."""
    if isinstance(kind, t.Collection):
        return "write a list: `[…, …]`"
    if isinstance(kind, t.Map):
        return "write a value for each key: `{…: …, else: …}`"
    if isinstance(kind, t.Record):
        return "write its fields: `{…: …}`"
    return None if isinstance(kind, t.Text) else "write a single value, without brackets or braces"


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


def comparison_help(program: Program, types: tuple[Type, Type], sides: tuple[n.Expr, n.Expr]) -> str | None:
    """How to compare what cannot be compared: the types of both sides, and the sides as they are written."""
    left, right = (kind.base if isinstance(kind, t.Optional) else kind for kind in types)
    for a, b, x, y in ((left, right, sides[0], sides[1]), (right, left, sides[1], sides[0])):
        if isinstance(a, t.Player) and isinstance(b, t.Int):
            return f"compare a player with a player (`players.first`, `players[2]`), or the number of their seat: `{_behind(x, 'seat', 'p')}`"
        if isinstance(a, t.Component) and isinstance(b, (t.Int, t.Enum, t.Player)):
            names = _attributes(program, a, b)
            if names:
                written = "c" if t.Optional in map(type, types) else _short(x, "c")
                return "compare an attribute of it: " + " or ".join(f"`{written}.{name} == …`" for name in names)
            return "a component is equal to a component only; it has no attribute of that type"
        if isinstance(a, (t.Zone, t.Family, t.Collection)):
            if isinstance(b, t.Int):
                return f"compare how many there are: `{_behind(x, 'size', 'xs')}`"
            if isinstance(a, t.Collection) and t.comparable(a.base, b) or isinstance(a, t.Zone) and isinstance(b, t.Component):
                return f"ask whether it is among them: `{_short(y, 'x')} in {_short(x, 'xs')}`"
        if isinstance(a, t.Enum) and isinstance(b, (t.Int, t.Enum)) and not (isinstance(x, n.Name) and x.name in program.enums[a.name].values):
            values = list(program.enums[a.name].values)
            return f"compare it with a value of `{a}`: " + ", ".join(f"`{v}`" for v in values[:6]) + (", …" if len(values) > 6 else "")
        if isinstance(a, t.Bool) and not isinstance(b, t.Bool):
            return f"`{_short(x, 'c')}` is a condition already: it needs no comparison"
        if isinstance(a, t.Map) and t.comparable(a.value, b):
            return f"compare one entry of it: `{_short(x, 'm')}[{'p' if isinstance(a.key, t.Player) else 'k'}]`"
    return None


def _attributes(program: Program, a: t.Component, b: Type) -> list[str]:
    """The attributes of components of this type that can be compared with that one."""
    found: dict[str, None] = {}
    for kind in sorted(a.kinds):
        of = program.classes[kind]
        changing = {name: program.vars[f"{kind}.{name}"].type for name in of.mutable}
        every = {**of.attributes, **{name: whole.value if isinstance(whole, t.Map) else whole for name, whole in changing.items()}}
        found |= {name: None for name, type in every.items() if t.comparable(type, b)}
    return list(found)[:3]


def _short(node: n.Expr, otherwise: str) -> str:
    """What is written, or a letter for it if that is long."""
    text = node.span.text
    return text if len(text) <= 24 and "\n" not in text and not isinstance(node, (n.Binary, n.IfElse, n.Unary)) else otherwise


def _behind(node: n.Expr, attribute: str, otherwise: str) -> str:
    """An attribute of what is written."""
    written = _short(node, otherwise)
    return f"{otherwise if written[:1].isdigit() else written}.{attribute}"


def membership_help(program: Program, types: tuple[Type, Type], sides: tuple[n.Expr, n.Expr]) -> str | None:
    """How to ask whether something is among things of another type."""
    item, base = (kind.base if isinstance(kind, t.Optional) else kind for kind in types)
    if isinstance(base, t.Component) and isinstance(item, (t.Int, t.Enum, t.Player)):
        names = _attributes(program, base, item)
        if not names:
            return "a component is equal to a component only; these have no attribute of that type"
        return f"compare an attribute of each: `any(c.{names[0]} == {_short(sides[0], '…')} for c in {_short(sides[1], 'xs')})`"
    if isinstance(base, t.Component) and isinstance(item, t.Component):
        return f"these are of the kind {' or '.join(f'`{kind}`' for kind in sorted(base.kinds))}"
    return None
