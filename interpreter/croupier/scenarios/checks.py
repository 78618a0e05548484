"""What must be true at a point of a scenario: each check gives what is wrong, as expected and as found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from croupier.diagnostics import Diagnostic, RulesetError, diagnose
from croupier.runtime.evaluate import flat, size
from croupier.runtime.state import CHANCE, State
from croupier.runtime.story import Event
from croupier.scenarios import sight
from croupier.scenarios.actions import find, said
from croupier.scenarios.contents import Filled, Reader, labels_of, places, zone_named
from croupier.scenarios.facts import Asker
from croupier.scenarios.outcomes import outcome, standing
from croupier.scenarios.position import variable
from croupier.scenarios.shape import Expectation
from croupier.scenarios.table import HALVED, Table, fail, is_halved
from croupier.scenarios.values import read_value
from croupier.schema import Text
from croupier.source import Mapping, Node, Scalar, Sequence

MOST_EVENTS = 12


def check(expectation: Expectation, state: State, asker: Asker) -> list[Diagnostic]:
    """Everything in an expectation that is not so, in the order of the file."""
    table = asker.table
    found: list[Diagnostic] = []

    def each(run: Callable[..., Iterator[Diagnostic]], *args: Any) -> None:
        try:
            found.extend(run(*args))
        except RulesetError as error:
            found.extend(error.diagnostics)

    for text in expectation.facts:
        found += asker.fact(state._m, text)
    for name, node in expectation.zones:
        each(_zone, name, node, state, table)
    for name, node in expectation.state:
        each(_state, name, node, state, table)
    if expectation.acts is not None:
        each(_acts, expectation.acts, state, table)
    for name, node in expectation.legal:
        each(_legal, name, node, state, table)
    for name, node in expectation.sees:
        each(sight.sees, name, node, state, table)
    for name, node in expectation.hidden:
        each(sight.hidden, name, node, state, table)
    if expectation.events is not None:
        each(_events, expectation.events, state, table, True)
    if expectation.no_events is not None:
        each(_events, expectation.no_events, state, table, False)
    if expectation.outcome is not None:
        each(outcome, expectation.outcome, state, table)
    return found


# ---------------------------------------------------------------- zones and state
def _zone(name: Text, node: Node, state: State, table: Table) -> Iterator[Diagnostic]:
    zone = zone_named(name, table)
    for place, part in places(zone, node, table):
        items = state._m.zones[place.number]
        shown = zone.name if zone.key is None else f"{zone.name} of {table.show(place.key, zone.key)}"
        if isinstance(part, Scalar) and isinstance(part.value, int) and not isinstance(part.value, bool):
            if size(items) != part.value:
                notes = [f"expected: {part.value} components", f"found:    {_listed(items, state, table)}"]
                yield diagnose("K112", part.span, zone=shown, notes=notes)
            continue
        filled = Reader(table, once=False).fill(zone, place, part)
        if not _same(filled, items, state, table):
            notes = [f"expected: {_expected(filled, state, table)}", f"found:    {_listed(items, state, table)}"]
            yield diagnose("K112", part.span, zone=shown, notes=notes)


def _same(filled: Filled, items: tuple[Any, ...], state: State, table: Table) -> bool:
    """Components with the same label count as the same; an unordered part matches an unordered part of the same components."""
    label = [table.game.label(p.number, state._m) for p in table.game.pieces]
    wanted: list[Any] = []
    for part in filled.parts:
        shown = labels_of(part, table, state._m)
        if part.unordered and len(part.pieces) > 1:
            wanted.append(sorted(shown))
        else:
            wanted += shown
    found = [sorted(label[p] for p in i) if isinstance(i, tuple) else label[i] for i in items]
    return sorted(map(str, wanted)) == sorted(map(str, found)) if filled.place.order in ("set", "bag") else wanted == found


def _listed(items: tuple[Any, ...], state: State, table: Table) -> str:
    labels = [table.game.label(p, state._m) for p in flat(items)]
    shuffled = "; in part or whole in an order nobody knows" if any(isinstance(i, tuple) for i in items) else ""
    return (", ".join(labels) or "nothing") + f" ({len(labels)}{shuffled})"


def _expected(filled: Filled, state: State, table: Table) -> str:
    labels = [w for part in filled.parts for w in labels_of(part, table, state._m)]
    return (", ".join(labels) or "nothing") + f" ({len(labels)})"


def _state(name: Text, node: Node, state: State, table: Table) -> Iterator[Diagnostic]:
    v = variable(name, table)
    value = state._m.vars[v.index]
    wanted = read_value(node, v.type, table, value)
    if wanted != value:
        yield diagnose("K113", node.span, name=name.text, found=table.show(value, v.type), wanted=table.show(wanted, v.type))


# ---------------------------------------------------------------- who may do what
def _acts(node: Node, state: State, table: Table) -> Iterator[Diagnostic]:
    wanted = [item.text for item in (node.items if isinstance(node, Sequence) else (node,)) if isinstance(item, Scalar)]
    pending = state.pending_seats()
    verb = "are" if len(pending) > 1 else "is"
    found = f"{'chance' if state.is_chance_node() else table.seats.listed(pending)} {verb}"
    if wanted == ["chance"]:
        fine = state.is_chance_node()
    elif wanted == ["nobody"] or not wanted:
        fine = state.is_terminal()
    else:
        fine = sorted(table.seats.seat(text, node.span) for text in wanted) == sorted(pending)
    if not fine:
        notes = standing(state.outcome()) if state.is_terminal() else []
        yield diagnose("K115", node.span, found=found, wanted=" and ".join(wanted) or "nobody", notes=notes)


def _legal(name: Text, node: Node, state: State, table: Table) -> Iterator[Diagnostic]:
    seat = CHANCE if name.text == "chance" else table.seats.seat(name.text, name.span)
    here = state.is_chance_node() if seat == CHANCE else seat in state.pending_seats()
    options = state.legal_actions(None if seat == CHANCE else seat) if here else []
    words = {a: table.seats.named(state.action_to_string(seat, a)) for a in options}
    for key, listed in _legal_parts(node):
        for item in listed:
            if isinstance(item, Scalar) and is_halved(item.text):
                fail("K024", item.span, what=f"`{item.text}` is half of what stands there", help=HALVED)
        found = [(item, find(state, seat, item, table) if here else None) for item in listed]
        missing = [said(item) for item, a in found if a is None]
        named = {a for _, a in found if a is not None}
        extra = [words[a] for a in options if a not in named]
        notes: list[str] = []
        if key in ("exactly", "includes") and missing:
            notes.append("not legal: " + ", ".join(f"`{m}`" for m in missing))
        if key == "exactly" and extra:
            notes.append("legal, too: " + ", ".join(f"`{e}`" for e in extra))
        if key == "excludes" and named:
            notes.append("legal: " + ", ".join(f"`{words[a]}`" for a in options if a in named))
        if notes:
            notes.append("all that is legal: " + (", ".join(f"`{w}`" for w in words.values()) or "nothing"))
            yield diagnose("K114", node.span, who=name.text, notes=notes)


def _legal_parts(node: Node) -> list[tuple[str, tuple[Node, ...]]]:
    if isinstance(node, Sequence):
        return [("exactly", node.items)]
    parts: list[tuple[str, tuple[Node, ...]]] = []
    if isinstance(node, Mapping) and node.entries:
        for key, value in node.entries:
            if key.text not in ("exactly", "includes", "excludes"):
                fail("K024", key.span, what=f"`{key.text}` is none of `exactly`, `includes` and `excludes`")
            parts.append((key.text, value.items if isinstance(value, Sequence) else (value,)))
        return parts
    fail("K024", node.span, what="legal actions are a list, or `exactly`, `includes` or `excludes` with a list")


# ---------------------------------------------------------------- events
def _events(node: Node, state: State, table: Table, wanted: bool) -> Iterator[Diagnostic]:
    """A list for the referee, who perceives everything, or lists by seat. What no log tells (a label that is empty) is no event here."""
    if isinstance(node, Mapping):
        for key, texts in node.entries:
            seat = None if key.text == "referee" else table.seats.seat(key.text, key.span)
            yield from _events_of(seat, texts, state, table, wanted)
    else:
        yield from _events_of(None, node, state, table, wanted)


def _events_of(seat: int | None, node: Node, state: State, table: Table, wanted: bool) -> Iterator[Diagnostic]:
    if not isinstance(node, Sequence) or not all(isinstance(item, Scalar) for item in node.items):
        fail("K024", node.span, what="events are a list of texts, or lists of texts by seat")
    events = state.events(seat)
    texts = [e.text for e in events if not _is_silenced(e)]
    silenced = [table.seats.named(e.text) for e in events if _is_silenced(e)]
    lines = [f"{text}\n{table.seats.named(text)}".casefold() for text in texts]
    place = "" if seat is None else f" to {table.seats.names[seat]}"
    at = 0
    for item in node.items:
        assert isinstance(item, Scalar)
        text = item.text.casefold()
        if not wanted:
            hit = next((i for i, line in enumerate(lines) if text in line), None)
            if hit is not None:
                yield diagnose("K119", item.span, text=table.seats.named(texts[hit]))
            continue
        hit = next((i for i in range(at, len(lines)) if text in lines[i]), None)
        if hit is None:
            earlier = any(text in line for line in lines[:at])
            tail = [table.seats.named(t) for t in texts[-MOST_EVENTS:]]
            notes = [f"event: {t}" for t in tail] or ["there were no events"]
            hidden = next((t for t in silenced if text in t.casefold()), None)
            help = None if hidden is None else f"`{hidden}` happens, but its label is empty: no log tells it"
            yield diagnose("K118", item.span, text=item.text, place=place + (" after the one before" if earlier else ""), notes=notes, help=help)
        else:
            at = hit + 1


def _is_silenced(event: Event) -> bool:
    """Is it a change whose label is empty? (A choice that a log leaves out is told by its next line.)"""
    return event.quiet and event.kind == "state"
