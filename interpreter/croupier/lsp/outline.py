"""The outline of a file: its sections, what is declared in them, and the definitions in rule text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.diagnostics import Source, Span
from croupier.source import Mapping, Node, Scalar, Sequence, read
from croupier.syntax import nodes as n
from croupier.syntax import parse_module

SECTIONS = {
    "types": "type", "parameters": "parameter", "components": "component", "zones": "zone", "boards": "board", "state": "state",
    "definitions": "title", "claims": "claim", "phases": "phase", "invariants": "invariant", "set": "parameter", "scenarios": "scenario",
}  # fmt: skip


@dataclass(frozen=True)
class Item:
    """A line of the outline: `span` is all of it, `name_span` its name."""

    name: str
    kind: str
    span: Span
    name_span: Span
    children: tuple[Item, ...] = ()


def outline(source: Source) -> list[Item]:
    """The outline, as far as the file can be read."""
    root, _ = read(source)
    if not isinstance(root, Mapping):
        return []
    return [_section(key, value) for key, value in root.entries]


def _item(key: Scalar, value: Node, kind: str, children: tuple[Item, ...] = ()) -> Item:
    return Item(key.text, kind, key.span.to(value.span), key.span, children)


def _section(key: Scalar, value: Node) -> Item:
    kind = SECTIONS.get(key.text)
    children: tuple[Item, ...] = ()
    if key.text == "definitions":
        children = tuple(_definitions(value))
    elif key.text == "phases":
        children = tuple(_phases(value))
    elif key.text == "scenarios" and isinstance(value, Sequence):
        children = tuple(_scenarios(value))
    elif kind is not None and isinstance(value, Mapping):
        children = tuple(_item(name, thing, kind) for name, thing in value.entries)
    return _item(key, value, "section" if kind is not None else "key", children)


def _phases(value: Node) -> Iterator[Item]:
    for name, phase in value.entries if isinstance(value, Mapping) else ():
        inner = phase.get("phases") if isinstance(phase, Mapping) else None
        yield _item(name, phase, "phase", tuple(_phases(inner)) if inner is not None else ())


def _scenarios(value: Sequence) -> Iterator[Item]:
    for scenario in value.items:
        name = scenario.get("id") if isinstance(scenario, Mapping) else None
        if isinstance(name, Scalar) and name.text:
            yield Item(name.text, "scenario", scenario.span, name.span)


def _definitions(value: Node) -> Iterator[Item]:
    if isinstance(value, Mapping):
        for title, text in value.entries:
            yield _item(title, text, "title", tuple(_items(text)))
    else:
        yield from _items(value)


def _items(text: Node) -> Iterator[Item]:
    """The definitions, windows and hooks of one text."""
    if not isinstance(text, Scalar) or text.rule_problem() is not None:
        return
    for item in parse_module(text.rule_text())[0]:
        match item:
            case n.Def() | n.Window():
                yield Item(item.name, "definition" if isinstance(item, n.Def) else "window", item.span, item.name_span)
            case n.Hook():
                word = "in" if item.kind == "reaction" else "instead of" if item.kind == "instead" else item.kind
                yield Item(f"{word} {item.pattern.name}", "hook", item.span, item.pattern.name_span)
            case n.Watch() | n.EndWhen():
                value = item.value if isinstance(item, n.Watch) else item.condition
                yield Item(f"{'watch' if isinstance(item, n.Watch) else 'end when'} {value.span.text}", "hook", item.span, value.span)
