"""Guesses at what a name that stands for nothing was meant to be: a name in scope whose value fits where it
stands.

A suggestion has to fit the type that is needed, prefers what is in scope, and never changes the meaning: a
class stands for all its components and `players` for everybody, so neither is proposed where one component or
one player may be meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from croupier.diagnostics import Label, did_you_mean
from croupier.diagnostics.diagnostic import edit_distance
from croupier.kernel import types as t
from croupier.kernel.types import PLAYER, Type
from croupier.semantics.context import CORRECT_IT, LocalName, Scope
from croupier.semantics.program import Program

ONE_PLAYER = re.compile(r"(the_|current_|active_|this_)?player(_?\d+)?$")
NUMBERED_PLAYER = re.compile(r"player_?(\d{1,2})$")
ITSELF = ("this", "it", "itself", "me")
MOST_NAMES = 8  # so many names are listed
Args = dict[str, object]
"""Parts of a diagnostic: `help`, perhaps `near` (what to write instead) and `labels`."""


def value_meant(program: Program, name: str, scope: Scope, aim: Type | None, others: Iterable[str]) -> Args:
    """Return the help for the name of a value that does not exist; `others` are names of values beside those
    that are declared.
    """
    found = _thing_meant(program, name, scope, aim)
    if found:
        return found
    local = did_you_mean(name, [x for x, kind in _locals(scope) if fits(kind, aim)])
    values = _values(program)
    declared = did_you_mean(name, [x for x, kind in values if fits(kind, aim)])
    best = _better(name, local, declared) or did_you_mean(
        name, [x for x, kind in (*_locals(scope), *values) if _holds(kind, aim)]
    )
    if best is None:
        best = did_you_mean(name, [x for x in others if _may_be_all(program, name, x)])
    return {} if best is None else {"help": f"did you mean `{best}`?", "near": best}


def known_names(program: Program, scope: Scope, aim: Type | None) -> str:
    """The names that could stand in a place, for whoever has written one that nobody knows."""
    own = [name for name, kind in _locals(scope) if fits(kind, aim)]
    fitting = [
        (name, kind)
        for name, kind in _values(program)
        if fits(kind, aim) and not isinstance(kind, (t.Component, t.Cell))
    ]
    fitting = [(name, kind) for name, kind in fitting if aim is not None or not isinstance(kind, t.Enum)]
    declared = [
        name for name, _ in sorted(fitting, key=lambda each: not isinstance(each[1], (t.Zone, t.Family)))
    ]
    names = [f"`{name}`" for name in dict.fromkeys((*own, *_ids(program, aim), *declared))]
    if not names:
        return CORRECT_IT
    more = "" if len(names) <= MOST_NAMES else " and others"
    return f"known here: {', '.join(names[:MOST_NAMES])}{more}; {CORRECT_IT}"


def _ids(program: Program, aim: Type | None) -> list[str]:
    """The ids of the components that are needed, where components of one class are."""
    if not isinstance(aim, t.Component) or len(aim.kinds) != 1:
        return []
    found = program.classes.get(next(iter(aim.kinds)))
    return [] if found is None else [id for id, _, _ in found.rows if id is not None]


def fits(kind: Type, aim: Type | None) -> bool:
    """Tell whether a value of this type may stand where one of type `aim` is needed, as it is or once it is
    known to be there.
    """
    if aim is None or t.is_lost(aim) or t.is_lost(kind):
        return True
    if isinstance(kind, t.Optional) and not isinstance(aim, t.Optional):
        kind = kind.base
    if isinstance(kind, (t.Zone, t.Family)) and isinstance(aim, t.Collection):
        kind = t.Collection(aim.kind, t.Component(kind.kinds))
    return t.is_assignable(kind, aim)


def _holds(kind: Type, aim: Type | None) -> bool:
    """Tell whether a type is a map or a list of what is needed, so that only a key is missing besides."""
    match kind:
        case t.Map():
            return fits(kind.value, aim) or _holds(kind.value, aim)
        case t.Collection():
            return fits(kind.base, aim)
    return False


def record_meant(program: Program, name: str, count: int) -> Args:
    """The record that was meant by a name that begins like one and is called with so many values."""
    if not name[:1].isupper() or not program.records:
        return {}
    near = did_you_mean(name, program.records)
    fitting = [record for record, of in program.records.items() if len(of.fields) == count]
    meant = near or (fitting[0] if len(fitting) == 1 else None)
    if meant is not None:
        return {"help": f"did you mean `{meant}`?", "near": meant}
    return {
        "help": "the records are "
        + ", ".join(f"`{record}({', '.join(of.fields)})`" for record, of in list(program.records.items())[:3])
    }


def _thing_meant(program: Program, name: str, scope: Scope, aim: Type | None) -> Args:
    """Return the help for a word for a player, for a component of a class, or for the component whose power
    this is.
    """
    folded = name.casefold()
    if folded in ITSELF and scope.find("self") is not None:
        return {"help": "the component whose power this is is called `self`", "near": "self"}
    if ONE_PLAYER.match(folded):
        player = next((x for x, kind in reversed(_locals(scope)) if kind == PLAYER), None)
        numbered = NUMBERED_PLAYER.match(folded)
        if player is not None and numbered is None:
            return _called(scope, player, f"the player here is called `{player}`")
        return (
            {}
            if numbered is None
            else {"help": f"a player by the number of their seat is `players[{max(1, int(numbered[1]))}]`"}
        )
    of_class = next(
        (
            k
            for k in program.classes
            if folded in (k.casefold(), f"{k.casefold()}s") and not name[:1].isupper()
        ),
        None,
    )
    if of_class is None:
        return {}
    held = [(x, kind) for x, kind in reversed(_locals(scope)) if _is_of(kind, of_class) and fits(kind, aim)]
    several = [(x, kind) for x, kind in held if isinstance(kind, t.Collection)]
    chosen = next(iter((several if folded.endswith("s") else []) or held), None)
    if chosen is None:
        return {
            "help": f"a `{of_class}` gets a name where it comes from: `for c in …`, `choose c from …`, `let "
            f"c = …`"
        }
    one = (
        f"a `{of_class}` here is called"
        if not isinstance(chosen[1], t.Collection)
        else f"several `{of_class}` here are called"
    )
    return _called(scope, chosen[0], f"{one} `{chosen[0]}`")


def _called(scope: Scope, name: str, help: str) -> Args:
    local = scope.find(name)
    labels = (
        ()
        if local is None or local.span.text != name
        else (Label(local.span, f"`{name}` gets its value here"),)
    )
    return {"help": help, "near": name, "labels": labels}


def _is_of(kind: Type, of_class: str) -> bool:
    """Tell whether a type is one component of a class, perhaps with `none`, or several."""
    inner = kind.base if isinstance(kind, (t.Optional, t.Collection)) else kind
    return isinstance(inner, t.Component) and of_class in inner.kinds


def _locals(scope: Scope) -> list[tuple[str, Type]]:
    """The locals that an author can name, those declared first first."""
    found: dict[str, LocalName] = {}
    for name in scope.visible():
        local = scope.find(name)
        if local is not None and name.isidentifier() and name != "_":
            found.setdefault(name, local)
    return [
        (name, local.type) for name, local in sorted(found.items(), key=lambda entry: entry[1].span.start)
    ]


def _values(program: Program) -> list[tuple[str, Type]]:
    """Return the names that are declared and have a value of their own, each with its type."""
    found: list[tuple[str, Type]] = [(x.name, x.type) for x in program.params.values()]
    found += [(x.name, x.type) for x in program.vars.values() if x.of_class is None]
    found += [
        (z.name, t.Zone(z.kinds) if z.key is None else t.Family(z.name, z.key, z.kinds))
        for z in program.zones.values()
    ]
    found += [(b.name, t.Board(b.name)) for b in program.boards.values()]
    found += [
        (value, t.Enum(e.name))
        for e in program.enums.values()
        if program.boards or e.name != t.DIRECTION.name
        for value in e.values
    ]
    found += [
        (i, t.Component(frozenset([k.name])))
        for k in program.classes.values()
        for i, _, _ in k.rows
        if i is not None
    ]
    return found + [(cell, t.Cell(b.name)) for b in program.boards.values() for cell in b.cells]


def _may_be_all(program: Program, name: str, candidate: str) -> bool:
    """Tell whether a name that stands for all of something may be proposed.

    Only if what is written looks like one: in capitals, or as a plural.
    """
    if candidate in program.classes or candidate in program.enums:
        return name[:1].isupper()
    return candidate != "players" or name.endswith("s")


def _better(name: str, local: str | None, declared: str | None) -> str | None:
    """The nearer of two; the local, if they are equally near."""
    if local is None or declared is None:
        return local or declared
    one, other = (edit_distance(name.casefold(), near.casefold(), len(name)) for near in (local, declared))
    return declared if other is not None and (one is None or other < one) else local
