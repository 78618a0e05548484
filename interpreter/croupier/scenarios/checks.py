"""The checks of a point of a scenario: each yields diagnostics with what was expected and found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from croupier.diagnostics import Diagnostic, JsonObject, RulesetError, diagnose
from croupier.kernel import types as t
from croupier.kernel.tree import LabelledExpr, TypedExpr
from croupier.records import dataclass
from croupier.runtime.events import Event
from croupier.runtime.false_parts import FalseParts
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value
from croupier.runtime.machine import Machine
from croupier.runtime.state import CHANCE, State
from croupier.runtime.zone_contents import Items, flat, size
from croupier.scenarios.actions import as_written, find
from croupier.scenarios.context import HALVED, ScenarioContext, fail, is_halved
from croupier.scenarios.document import Expectation, Outcome, question
from croupier.scenarios.positions import ContentsReader, Filled, labels_of, variable, zone_named, zones_of
from croupier.scenarios.sight import hidden, sees
from croupier.scenarios.values import read_value
from croupier.schema import Text
from croupier.semantics import check_expression
from croupier.semantics.type_words import described
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence


def outcome(wanted: Outcome, state: State, context: ScenarioContext) -> Iterator[Diagnostic]:
    """Yield the diagnostics of an outcome that differs from the expected one."""
    found = state.outcome()
    seats = context.seats
    for name in ("status", "grade", "reason"):
        text = getattr(wanted, name)
        value = found[name]
        forms = (str(value), *(() if value is None else (seats.named(value),)))
        is_part = name == "reason" and text is not None and any(text.text in form for form in forms)
        if text is not None and text.text not in forms and not is_part:
            yield diagnose(
                "K120",
                text.span,
                what=name,
                found="none" if value is None else f"`{seats.named(value)}`",
                wanted=f"`{text.text}`",
                notes=[*standing(found), *_elsewhere(name, found)],
            )
    if wanted.winners is not None:
        node = wanted.winners
        names = list(node.items) if isinstance(node, YamlSequence) else [node]
        listed = [n for n in names if isinstance(n, YamlScalar)]
        if len(listed) < len(names):
            fail("K024", node.span, what="winners are a list of seats")
        expected = sorted(seats.seat(n.text, n.span) for n in listed if n.text not in ("nobody", "none"))
        if expected != sorted(found["winners"]):
            here, there = seats.listed(found["winners"]), seats.listed(expected)
            yield diagnose(
                "K120", node.span, what="list of winners", found=here, wanted=there, notes=standing(found)
            )
    for name in ("scores", "returns"):
        node = getattr(wanted, name)
        if node is not None:
            yield from _numbers(name, node, found[name] or [], context)


def standing(found: JsonObject) -> list[str]:
    """Return notes on the status of a game with this outcome."""
    return [f"the game is {found['status']}" + (f": {found['reason']}" if found["reason"] else "")]


def _elsewhere(name: str, found: dict[str, object]) -> list[str]:
    """Return notes on where the words are that an author looks for in `grade` or `reason`."""
    if name == "reason" and found["grade"] is not None:
        return [f"the words of `finish … as` are the `grade`: `{found['grade']}`"]
    if name == "grade" and found["reason"] is not None:
        return ["why a game is stuck, unfinished or faulted is its `reason`"]
    return []


def _numbers(
    name: str, node: YamlNode, found: list[object], context: ScenarioContext
) -> Iterator[Diagnostic]:
    """A number for each seat: a list in the order of play, or by seat for some of them."""
    rows: list[tuple[int, YamlNode]] = []
    if isinstance(node, YamlSequence) and len(node.items) == len(context.seats.names):
        rows = list(enumerate(node.items))
    elif isinstance(node, YamlMapping):
        rows = [(context.seats.seat(key.text, key.span), value) for key, value in node.entries]
    else:
        fail("K024", node.span, what=f"{name} are a number for each seat, in order or by name")
    for seat, value in rows:
        here = found[seat] if seat < len(found) else None
        if not isinstance(value, YamlScalar) or value.text != str(here):
            shown = "not there" if here is None else str(here)
            yield diagnose(
                "K120",
                value.span,
                what=f"number of {context.seats.names[seat]} in `{name}`",
                found=shown,
                wanted=value.span.text,
            )


COMPARISONS = {"==", "!=", "<", "<=", ">", ">=", "in", "not in"}


@dataclass(frozen=True)
class FactChecker:
    """Evaluates expressions in a position; `names` are seats, and `result` after a call."""

    context: ScenarioContext
    names: tuple[tuple[str, t.Type, Value], ...]

    def fact(self, machine: Machine, text: Text) -> list[Diagnostic]:
        """Nothing if the fact holds, otherwise what is wrong."""
        rules = self.context.engine.rules
        x, proc, found = check_expression(
            rules.game.program, question(text), {name: kind for name, kind, _ in self.names}
        )
        if x is None:
            return found
        x = _labelled(x, self.context)
        if not isinstance(x.type, t.Bool):
            return [diagnose("K023", text.span, type=described(x.type))]
        L: list[Value] = [value for _, _, value in self.names] + [None] * (len(proc.slots) + 1)
        machine.refuel()
        try:
            if rules.expr(x)(machine, L):
                return []
            labels = FalseParts(
                lambda part: rules.expr(part)(machine, L[:]), self.context.show, len(self.names)
            ).labels(x)
        except Fault as f:
            return [f.diagnostic]
        return [diagnose("K111", x.span, labels=labels)]


def _labelled(x: TypedExpr, context: ScenarioContext) -> TypedExpr:
    """An expression with the labels in it in the words of the rules, where the scenario named seats."""
    if isinstance(x, LabelledExpr):
        return replace(x, label=context.label(x.label))
    args = tuple(_labelled(y, context) for y in x.args)
    return x if all(a is b for a, b in zip(args, x.args, strict=True)) else replace(x, args=args)


MOST_EVENTS = 12
MOST_PARTS = 4  # of a text that commas have cut


def check(expectation: Expectation, state: State, facts: FactChecker) -> list[Diagnostic]:
    """Everything in an expectation that is not so, in the order of the file."""
    context = facts.context
    found: list[Diagnostic] = []

    def each(run: Callable[..., Iterator[Diagnostic]], *args: object) -> None:
        try:
            found.extend(run(*args))
        except RulesetError as error:
            found.extend(error.diagnostics)

    for text in expectation.facts:
        found += facts.fact(state._m, text)
    for name, node in expectation.zones:
        each(_zone, name, node, state, context)
    for name, node in expectation.state:
        each(_state, name, node, state, context)
    if expectation.acts is not None:
        each(_acts, expectation.acts, state, context)
    for name, node in expectation.legal:
        each(_legal, name, node, state, context)
    for name, node in expectation.sees:
        each(sees, name, node, state, context)
    for name, node in expectation.hidden:
        each(hidden, name, node, state, context)
    if expectation.events is not None:
        each(_events, expectation.events, state, context, True)
    if expectation.no_events is not None:
        each(_events, expectation.no_events, state, context, False)
    if expectation.outcome is not None:
        each(outcome, expectation.outcome, state, context)
    return found


def _zone(name: Text, node: YamlNode, state: State, context: ScenarioContext) -> Iterator[Diagnostic]:
    definition = zone_named(name, context)
    for zone, part in zones_of(definition, node, context):
        items = state._m.zones[zone.number]
        shown = context.name_of_zone(zone, definition)
        if isinstance(part, YamlScalar) and isinstance(part.value, int) and not isinstance(part.value, bool):
            if size(items) != part.value:
                notes = [f"expected: {part.value} components", f"found:    {_listed(items, state, context)}"]
                yield diagnose("K112", part.span, zone=shown, notes=notes)
            continue
        filled = ContentsReader(context, once=False).fill(definition, zone, part)
        if not _same(filled, items, state, context):
            notes = [
                f"expected: {_expected(filled, state, context)}",
                f"found:    {_listed(items, state, context)}",
            ]
            yield diagnose("K112", part.span, zone=shown, notes=notes)


def _same(filled: Filled, items: Items, state: State, context: ScenarioContext) -> bool:
    """Components with the same label count as the same; an unordered part matches an unordered part of the
    same components.
    """
    label = [context.game.label(p.number, state._m) for p in context.game.components]
    wanted: list[object] = []
    for part in filled.parts:
        shown = labels_of(part, context, state._m)
        if part.unordered and len(part.components) > 1:
            wanted.append(sorted(shown))
        else:
            wanted += shown
    found = [sorted(label[p] for p in i) if isinstance(i, tuple) else label[i] for i in items]
    return (
        sorted(map(str, wanted)) == sorted(map(str, found))
        if filled.zone.order in ("set", "bag")
        else wanted == found
    )


def _listed(items: tuple[object, ...], state: State, context: ScenarioContext) -> str:
    labels = [context.game.label(p, state._m) for p in flat(items)]
    shuffled = (
        "; in part or whole in an order nobody knows" if any(isinstance(i, tuple) for i in items) else ""
    )
    return (", ".join(labels) or "nothing") + f" ({len(labels)}{shuffled})"


def _expected(filled: Filled, state: State, context: ScenarioContext) -> str:
    labels = [w for part in filled.parts for w in labels_of(part, context, state._m)]
    return (", ".join(labels) or "nothing") + f" ({len(labels)})"


def _state(name: Text, node: YamlNode, state: State, context: ScenarioContext) -> Iterator[Diagnostic]:
    v = variable(name, context)
    value = state._m.vars[v.index]
    wanted = read_value(node, v.type, context, value)
    if wanted != value:
        yield context.other_value(node.span, v, value, wanted)


def _acts(node: YamlNode, state: State, context: ScenarioContext) -> Iterator[Diagnostic]:
    wanted = [
        item.text
        for item in (node.items if isinstance(node, YamlSequence) else (node,))
        if isinstance(item, YamlScalar)
    ]
    pending = state.pending_seats()
    verb = "are" if len(pending) > 1 else "is"
    found = f"{'chance' if state.is_chance_node() else context.seats.listed(pending)} {verb}"
    if wanted == ["chance"]:
        fine = state.is_chance_node()
    elif wanted == ["nobody"] or not wanted:
        fine = state.is_terminal()
    else:
        fine = sorted(context.seats.seat(text, node.span) for text in wanted) == sorted(pending)
    if not fine:
        notes = standing(state.outcome()) if state.is_terminal() else []
        yield diagnose("K115", node.span, found=found, wanted=" and ".join(wanted) or "nobody", notes=notes)


def _legal(name: Text, node: YamlNode, state: State, context: ScenarioContext) -> Iterator[Diagnostic]:
    if name.text == "chance":
        seat, here = CHANCE, state.is_chance_node()
        options = state.legal_actions() if here else []
    else:
        seat = context.seats.seat(name.text, name.span)
        here = seat in state.pending_seats()
        options = state.legal_actions(seat) if here else []
    words = {a: context.seats.named(state.action_to_string(seat, a)) for a in options}
    for key, listed in _legal_parts(node):
        for item in listed:
            if isinstance(item, YamlScalar) and is_halved(item.text):
                fail("K024", item.span, what=f"`{item.text}` is half of what stands there", help=HALVED)
        found: list[tuple[YamlNode, int | None]] = []
        for item in listed:
            taken = () if key == "excludes" else {a for _, a in found if a is not None}
            found.append((item, find(state, seat, item, context, taken) if here else None))
        missing = [as_written(item) for item, a in found if a is None]
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


def _legal_parts(node: YamlNode) -> list[tuple[str, tuple[YamlNode, ...]]]:
    if isinstance(node, YamlSequence):
        return [("exactly", node.items)]
    parts: list[tuple[str, tuple[YamlNode, ...]]] = []
    if isinstance(node, YamlMapping) and node.entries:
        for key, value in node.entries:
            if key.text not in ("exactly", "includes", "excludes"):
                fail("K024", key.span, what=f"`{key.text}` is none of `exactly`, `includes` and `excludes`")
            parts.append((key.text, value.items if isinstance(value, YamlSequence) else (value,)))
        return parts
    fail(
        "K024", node.span, what="legal actions are a list, or `exactly`, `includes` or `excludes` with a list"
    )


def _events(node: YamlNode, state: State, context: ScenarioContext, wanted: bool) -> Iterator[Diagnostic]:
    """A list for the referee, who perceives everything, or lists by seat.

    What no log tells (a label that is empty) is no event here.
    """
    if isinstance(node, YamlMapping):
        for key, texts in node.entries:
            seat = None if key.text == "referee" else context.seats.seat(key.text, key.span)
            yield from _events_of(seat, texts, state, context, wanted)
    else:
        yield from _events_of(None, node, state, context, wanted)


def _events_of(
    seat: int | None, node: YamlNode, state: State, context: ScenarioContext, wanted: bool
) -> Iterator[Diagnostic]:
    if not isinstance(node, YamlSequence) or not all(isinstance(item, YamlScalar) for item in node.items):
        fail("K024", node.span, what="events are a list of texts, or lists of texts by seat")
    events = state.events(seat)
    texts = [e.text for e in events if not _is_silenced(e)]
    silenced = [context.seats.named(e.text) for e in events if _is_silenced(e)]
    lines = [f"{text}\n{context.seats.named(text)}".casefold() for text in texts]
    place = "" if seat is None else f" to {context.seats.names[seat]}"
    at = told = 0
    for i, item in enumerate(node.items):
        assert isinstance(item, YamlScalar)
        text = item.text.casefold()
        if not wanted:
            hit = next((n for n, line in enumerate(lines) if text in line), None)
            if hit is not None:
                yield diagnose("K119", item.span, text=context.seats.named(texts[hit]))
            continue
        hit = next((n for n in range(at, len(lines)) if text in lines[n]), None)
        if hit is None and i < told:  # a part of a text that was reported
            continue
        if hit is None:
            notes: list[str] = []
            if not told:
                notes = [f"event: {context.seats.named(text)}" for text in texts[-MOST_EVENTS:]]
                notes = notes or ["there were no events"]
            end = _end_of_text(node, i, lines)
            told = max(end, i + 1)
            earlier = any(text in line for line in lines[:at])
            hidden = next((t for t in silenced if text in t.casefold()), None)
            help = None if hidden is None else f"`{hidden}` happens, but its label is empty: no log tells it"
            help = "between brackets a comma ends a text: put the whole text in quotes" if end else help
            yield diagnose(
                "K118",
                item.span,
                text=item.text,
                place=place + (" after the one before" if earlier else ""),
                notes=notes,
                help=help,
            )
        else:
            at = hit + 1


def _end_of_text(node: YamlSequence, first: int, lines: list[str]) -> int:
    """Behind which item a text ends that the commas between brackets have cut, where it goes on with item `i`
    or begins there; 0 if none is cut.
    """
    words = [
        item.text.casefold()
        for item in node.items
        if isinstance(item, YamlScalar) and item.in_flow and item.style == "plain"
    ]
    if len(words) < len(node.items):
        return 0
    starts = range(max(0, first - MOST_PARTS), first + 1)
    ends = range(min(len(words), first + MOST_PARTS), first, -1)
    ways = ((start, end) for start in starts for end in ends if end - start > 1)
    return next((end for start, end in ways if any(", ".join(words[start:end]) in line for line in lines)), 0)


def _is_silenced(event: Event) -> bool:
    """Tell whether this is a change whose label is empty. (A choice that a log leaves out is told by its next
    line.)
    """
    return event.is_bookkeeping and event.kind == "state"
