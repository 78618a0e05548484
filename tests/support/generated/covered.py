"""What random programs are made of: how many of those that check hold each construct of the language, and how
their games end.

The names of plain statements and expressions are those of the reference evaluator, which has a row for each,
so that what is never generated is seen. What a statement can be in several ways (choices, chance, hooks,
zones …) is told apart by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from croupier.kernel import types as t
from croupier.kernel.tree import (
    FORMS,
    Choice,
    ChooseStmt,
    CompExpr,
    DrawStmt,
    FinishStmt,
    MenuData,
    MenuStmt,
    Named,
    SoThatStmt,
    TypedExpr,
    TypedStmt,
)
from croupier.kernel.types import Type
from croupier.runtime.compiled_rules import ROWS
from croupier.runtime.statements import STATEMENTS
from croupier.semantics.builtins import AGGREGATES
from croupier.semantics.canonical import spelling
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.walk import statements

WAITING = """
claim, draw, draw … as, draw from bag, draw from pile, menu, menu with else, menu with group, menu with only if,
menu with only this if possible, menu with window, open, roll
"""  # noqa: E501 the text as it is read
HEADS = (
    "choose",
    "may choose",
    "choose several",
    "may choose several",
    "choose by every",
    "choose by chance",
    "choose several by chance",
)
TAILS = {  # what each head may have, as a bit: where, only if, such that, merging, as, weighing
    "where": (0, 1, 4, 5), "only if": (0, 1, 4), "only if possible": (0, 4),
    "such that": (2, 3), "merging": (0, 1, 2, 3, 5, 6), "as": (0, 1, 2, 3, 4), "weighing": (5,),
}  # fmt: skip
HOOKS = [
    f"{kind}{of}"
    for kind in ("before", "after", "instead", "adjust", "reaction")
    for of in ("", " as a power")
]
WHOLE = """
announce, unseen, counted by the position, labels of values, back of components, attributes of cells, attributes of links, attributes of edges,
attributes of corners, type: text,
watch, end, definition, definition with var, definition with a default, definition nested, definition with a zone, window, window with var,
window in any order, window nested, menu with what stands open, so that in so that, look-ahead within, parameter, claims, phase for each,
hidden zone, hidden state, fixed argument in a pattern, free argument in a pattern, finish win, finish rank, finish pay, finish lose, finish draw,
type: bool, type: int, type: enum, type: player, type: cell, type: component, type: components, type: record, type: optional, type: list, type: set,
type: bag, type: map, type: map of maps, board: rectangle, board: hex, board: ring, board: hub, board: graph, board: growing
"""  # noqa: E501 the text as it is read
ZONES = [f"zone: {order}{per}" for order in ("set", "pile", "sequence", "bag") for per in ("", " per")]


def universe() -> list[str]:
    """Every construct that is counted."""
    forms = [form for form in FORMS if form.OP in STATEMENTS]
    words = {word for form in forms for word in form.WORDS or (form.OP,)}
    rows = sorted({*ROWS.expressions, *words} - {"unknown", "pass", "comp", "state_entry"})
    choices = [*HEADS, *(f"{HEADS[k]} {tail}" for tail, heads in TAILS.items() for k in heads)]
    named = [name.strip() for text in (WAITING, WHOLE) for name in text.split(",")]
    return sorted({*rows, *choices, *named, *HOOKS, *ZONES, *(f"{name}(…)" for name in AGGREGATES)})


def type_name(kind: Type) -> str:
    """The row of a type in the table."""
    match kind:
        case t.Map(value=t.Map()):
            return "map of maps"
        case t.Component(kinds=kinds):
            return "components" if len(kinds) > 1 else "component"
        case t.Collection(kind=name):
            return name
    return type(kind).__name__.lower()


def of_choice(c: Choice) -> Iterator[str]:
    several = " several" if c.many else ""
    by = {"one": "", "every": " by every", "chance": " by chance"}[c.chooser]
    head = f"{'may ' if c.optional else ''}choose{several}{by}"
    yield head
    if c.name.startswith("place of "):
        yield "unseen"
    tails = {
        "where": c.where,
        "only if": c.conditions,
        "such that": c.such_that,
        "merging": c.merging,
        "as": c.label,
    }
    tails["only if possible"] = any(possible(q) for q in c.conditions)
    yield from (f"{head} {tail}" for tail, there in tails.items() if there)
    if c.chooser == "chance" and c.by is not None:
        yield f"{head} weighing"


def possible(condition: Named) -> bool:
    """Does a condition count only where something meets it?"""
    return condition.span.text.startswith("only if possible")


def of_menu(data: MenuData) -> Iterator[str]:
    yield "menu"
    if data.window is not None:
        yield "menu with window"
    if any(o.item is not None for o in data.options):
        yield "menu with what stands open"
    if data.has_else:
        yield "menu with else"
    if any(o.conditions for o in data.options):
        yield "menu with only if"
    if any(c.span.text.startswith("only this") for o in data.options for c in o.conditions):
        yield "menu with only this if possible"
    if len({slot for o in data.options for slot in o.slots}) < sum(len(o.slots) for o in data.options):
        yield "menu with group"


def of_expression(x: TypedExpr) -> Iterator[str]:
    for y in x.walk():
        yield f"{y.name}(…)" if isinstance(y, CompExpr) else y.op


def hidden(audience: TypedExpr) -> bool:
    """Is something not seen by everybody?"""
    return "everybody" not in str(audience.details)


def of_statement(s: TypedStmt) -> Iterator[str]:
    match s:
        case ChooseStmt():
            yield from of_choice(s.choice)
        case MenuStmt():
            yield from of_menu(s.menu)
        case FinishStmt():
            yield f"finish {s.result}"
            yield "finish"
        case DrawStmt():
            yield "draw"
            yield f"draw from {getattr(s.args[1].type, 'order', '')}"
            if s.drawn >= 0:
                yield "draw … as"
        case SoThatStmt():
            yield "so_that"
            if s.within is not None:
                yield "look-ahead within"
            if any(inner is not s and inner.op == "so_that" for inner in s.walk()):
                yield "so that in so that"
        case _:
            yield spelling(s)
    for x in s.reads():
        yield from of_expression(x)


def of_definition(proc: Proc) -> Iterator[str]:
    """The ways in which definitions and windows differ."""
    name = {"def": "definition"}.get(proc.kind, proc.kind)
    yield name
    if any(p.var for p in proc.params):
        yield f"{name} with var"
    if any(p.default for p in proc.params):
        yield f"{name} with a default"
    if any(isinstance(p.type, t.Zone) for p in proc.params):
        yield f"{name} with a zone"
    if proc.nested:
        yield f"{name} nested"
    if proc.kind == "window" and proc.all_react:
        yield "window in any order"


def constructs(program: Program) -> set[str]:
    """What a program holds, by the names of the table."""
    found: set[str] = set()
    for proc in program.procs:
        for s in statements(proc.body):
            found.update(of_statement(s))
        if proc.kind in ("def", "window"):
            found.update(of_definition(proc))
        found.update(f"type: {type_name(kind)}" for kind in proc.slot_types)
    for h in program.hooks:
        found.add(h.kind + (" as a power" if h.component else ""))
        found |= {"fixed argument in a pattern"} if any(a.fixed is not None for a in h.args) else set()
        found |= (
            {"free argument in a pattern"} if len(h.args) < len(program.procs[h.target].params) else set()
        )
        found.update(of_expression(h.guard) if h.guard is not None else ())
    found.update(w.kind for w in program.watchers)
    for z in program.zones.values():
        found.add(f"zone: {z.order}{'' if z.key is None else ' per'}")
    found.update(f"board: {b.shape}" for b in program.boards.values())
    found |= {"board: growing" for b in program.boards.values() if b.is_growing}
    found.update(f"type: {type_name(v.type)}" for v in program.vars.values())
    for v in program.vars.values():
        found.update(of_expression(v.start) if isinstance(v.start, TypedExpr) else ())
    found |= {"hidden state"} if any(hidden(v.seen_by) for v in program.vars.values()) else set()
    found |= {"hidden zone"} if any(hidden(z.seen_by) for z in program.zones.values()) else set()
    if program.main is not None and any(s.op == "for" for s in statements(program.main.body)):
        found.add("phase for each")
    found |= (
        {"counted by the position"}
        if any(z.count_sight is not None for z in program.zones.values())
        else set()
    )
    found |= {
        f"attributes of {b.shape if ' ' in b.name else 'cells'}"
        for b in program.boards.values()
        if b.cell_attributes
    }
    found |= {"back of components"} if any(k.back is not None for k in program.classes.values()) else set()
    found |= {"labels of values"} if any(e.labels for e in program.enums.values()) else set()
    return found | ({"claims"} if program.claims else set()) | ({"parameter"} if program.params else set())


def table(counts: Counter[str]) -> str:
    """How many programs hold each construct, three columns a line; at the end those that none holds."""
    names = universe()
    rows = [f"{counts[name]:>6} {name:<34}" for name in names if counts[name]]
    lines = ["".join(rows[i : i + 4]).rstrip() for i in range(0, len(rows), 4)]
    missing = [name for name in names if not counts[name]]
    return "\n".join([*lines, f"never: {', '.join(missing) or 'nothing'}"])
