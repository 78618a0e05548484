"""The outline of a file: its sections, what is declared in them, and the definitions in rule text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.diagnostics import Source, Span
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence, read
from croupier.syntax import nodes as n
from croupier.syntax import parse_module

SECTIONS = {
    "types": "type", "parameters": "parameter", "components": "component", "zones": "zone", "boards": "board",
    "state": "state",
    "definitions": "title", "claims": "claim", "phases": "phase", "invariants": "invariant",
    "policies": "policy", "measures": "measure",
    "set": "parameter", "scenarios": "scenario",
}  # fmt: skip


_HOOK_WORDS = {"reaction": "in", "instead": "instead of"}
"""Words for kinds of listeners; the others are their own words."""


@dataclass(frozen=True)
class OutlineItem:
    """A line of the outline: `span` is all of it, `name_span` its name."""

    name: str
    kind: str
    span: Span
    name_span: Span
    children: tuple[OutlineItem, ...] = ()


def outline(source: Source) -> list[OutlineItem]:
    """The outline, as far as the file can be read."""
    root, _ = read(source)
    if not isinstance(root, YamlMapping):
        return []
    return [_section(key, value) for key, value in root.entries]


def _item(key: YamlScalar, value: YamlNode, kind: str, children: tuple[OutlineItem, ...] = ()) -> OutlineItem:
    return OutlineItem(key.text, kind, key.span.to(value.span), key.span, children)


def _section(key: YamlScalar, value: YamlNode) -> OutlineItem:
    kind = SECTIONS.get(key.text)
    children: tuple[OutlineItem, ...] = ()
    if key.text == "definitions":
        children = tuple(_definitions(value))
    elif key.text == "phases":
        children = tuple(_phases(value))
    elif key.text == "scenarios" and isinstance(value, YamlSequence):
        children = tuple(_scenarios(value))
    elif kind is not None and isinstance(value, YamlMapping):
        children = tuple(_item(name, thing, kind) for name, thing in value.entries)
    return _item(key, value, "section" if kind is not None else "key", children)


def _phases(value: YamlNode) -> Iterator[OutlineItem]:
    for name, phase in value.entries if isinstance(value, YamlMapping) else ():
        inner = phase.get("phases") if isinstance(phase, YamlMapping) else None
        yield _item(name, phase, "phase", tuple(_phases(inner)) if inner is not None else ())


def _scenarios(value: YamlSequence) -> Iterator[OutlineItem]:
    for scenario in value.items:
        name = scenario.get("id") if isinstance(scenario, YamlMapping) else None
        if isinstance(name, YamlScalar) and name.text:
            yield OutlineItem(name.text, "scenario", scenario.span, name.span)


def _definitions(value: YamlNode) -> Iterator[OutlineItem]:
    if isinstance(value, YamlMapping):
        for title, text in value.entries:
            yield _item(title, text, "title", tuple(_items(text)))
    else:
        yield from _items(value)


def _items(text: YamlNode) -> Iterator[OutlineItem]:
    """The definitions, windows and hooks of one text."""
    if not isinstance(text, YamlScalar) or text.rule_problem() is not None:
        return
    for item in parse_module(text.rule_text())[0]:
        match item:
            case n.Def() | n.Window():
                yield OutlineItem(
                    item.name,
                    "definition" if isinstance(item, n.Def) else "window",
                    item.span,
                    item.name_span,
                )
            case n.Hook():
                word = _HOOK_WORDS.get(item.kind, item.kind)
                yield OutlineItem(f"{word} {item.pattern.name}", "hook", item.span, item.pattern.name_span)
            case n.Revision() if item.place:
                where = f'"{item.name}"' if item.place == "item" else f"{item.place} {item.name}"
                yield OutlineItem(f"in {where}", "hook", item.span, item.name_span)
            case n.AnyTime():
                yield OutlineItem(f"at any time by {item.player}", "hook", item.span, item.player_span)
            case n.Watch() | n.EndWhen():
                value = item.value if isinstance(item, n.Watch) else item.condition
                yield OutlineItem(
                    f"{'watch' if isinstance(item, n.Watch) else 'end when'} {value.span.text}",
                    "hook",
                    item.span,
                    value.span,
                )
