"""How the game stands: the check `outcome`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.diagnostics import Diagnostic, diagnose
from croupier.runtime.state import State
from croupier.scenarios.shape import Outcome
from croupier.scenarios.table import Table, fail
from croupier.source import Mapping, Node, Scalar, Sequence


def outcome(wanted: Outcome, state: State, table: Table) -> Iterator[Diagnostic]:
    """What is otherwise than expected."""
    found = state.outcome()
    seats = table.seats
    for name in ("status", "grade", "reason"):
        text = getattr(wanted, name)
        value = found[name]
        fine = text is None or text.text == str(value) or (name == "reason" and text.text in str(value))
        if not fine:
            shown = f"`{value}`" if value is not None else "none"
            yield diagnose("K120", text.span, what=name, found=shown, wanted=f"`{text.text}`", notes=[*standing(found), *_elsewhere(name, found)])
    if wanted.winners is not None:
        node = wanted.winners
        names = list(node.items) if isinstance(node, Sequence) else [node]
        listed = [n for n in names if isinstance(n, Scalar)]
        if len(listed) < len(names):
            fail("K024", node.span, what="winners are a list of seats")
        expected = sorted(seats.seat(n.text, n.span) for n in listed if n.text not in ("nobody", "none"))
        if expected != sorted(found["winners"]):
            here, there = seats.listed(found["winners"]), seats.listed(expected)
            yield diagnose("K120", node.span, what="list of winners", found=here, wanted=there, notes=standing(found))
    for name in ("scores", "returns"):
        node = getattr(wanted, name)
        if node is not None:
            yield from _numbers(name, node, found[name] or [], table)


def standing(found: dict[str, Any]) -> list[str]:
    """How a game stands that has this outcome, as notes."""
    return [f"the game is {found['status']}" + (f": {found['reason']}" if found["reason"] else "")]


def _elsewhere(name: str, found: dict[str, Any]) -> list[str]:
    """Where the words are that an author looks for in `grade` or `reason`."""
    if name == "reason" and found["grade"] is not None:
        return [f"the words of `finish … as` are the `grade`: `{found['grade']}`"]
    if name == "grade" and found["reason"] is not None:
        return ["why a game is stuck, unfinished or faulted is its `reason`"]
    return []


def _numbers(name: str, node: Node, found: list[Any], table: Table) -> Iterator[Diagnostic]:
    """A number for each seat: a list in the order of play, or by seat for some of them."""
    rows: list[tuple[int, Node]] = []
    if isinstance(node, Sequence) and len(node.items) == len(table.seats.names):
        rows = list(enumerate(node.items))
    elif isinstance(node, Mapping):
        rows = [(table.seats.seat(key.text, key.span), value) for key, value in node.entries]
    else:
        fail("K024", node.span, what=f"{name} are a number for each seat, in order or by name")
    for seat, value in rows:
        here = found[seat] if seat < len(found) else None
        if not isinstance(value, Scalar) or value.text != str(here):
            shown = "not there" if here is None else str(here)
            yield diagnose("K120", value.span, what=f"number of {table.seats.names[seat]} in `{name}`", found=shown, wanted=value.span.text)
