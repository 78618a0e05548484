"""What a game consists of: components with their cards, and types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from croupier.authoring.rulebook.blocks import Block, Heading, Item, Items, Line, Paragraph, Run, Table, line, with_rules
from croupier.authoring.rulebook.phrases import PLAIN
from croupier.authoring.rulebook.pieces import pieces
from croupier.authoring.rulebook.rules import Rules, ids_of
from croupier.authoring.rulebook.vocabulary import capital, listed, name
from croupier.diagnostics import Source
from croupier.load import Ruleset
from croupier.resolve.resolved import ResolvedRuleset
from croupier.schema import Component, Enumeration, RecordType, Text
from croupier.source import Mapping, Node, Scalar, Sequence
from croupier.source.ruletext import whole
from croupier.syntax import parse_expression

NOTHING = "–"  # an empty list
SWITCHES = {"true": "yes", "false": "no"}


def prose(text: str) -> str:
    """An explanation on one line, names in back-ticks as words in quotes."""
    return re.sub(r"`([^`]*)`", lambda m: f"“{name(m.group(1))}”", " ".join(text.split()))


def told(thing: Any, rules: Rules) -> Iterator[Block]:
    """The explanation of a declaration and the rules that it cites."""
    doc = getattr(thing, "doc", None)
    if doc is not None:
        yield Paragraph(line(capital(prose(doc.text))))
    yield from rules.texts(ids_of(getattr(thing, "cites", ())))


# ---------------------------------------------------------------- components and types
def components(doc: ResolvedRuleset, ruleset: Ruleset, rules: Rules) -> Iterator[Block]:
    """Every class of components: how many, what they have, and its cards one by one where they are not all combinations."""
    for title, component in doc.components:
        yield Heading(3, name(title.text))
        yield from told(component, rules)
        yield Paragraph(line(f"{pieces(title.text, component, ruleset)}."))
        columns = {c.text for row in (component.table.rows if component.table is not None else ()) for c, _ in row.cells}
        kinds = [(a, kind) for a, kind in (*component.attributes, *component.mutable) if a.text not in columns]
        if kinds:
            yield Items(tuple(Item(line(Run(name(a.text), "strong"), f": {type_words(kind)}")) for a, kind in kinds))
        if component.table is not None and component.table.rows:
            yield _cards(component)
            for row in component.table.rows:
                yield from rules.texts(ids_of(row.cites))
        elif component.ids:
            yield Paragraph(line(f"{'They are' if component.ids[1:] else 'It is'} {listed([name(i.text) for i in component.ids])}."))


def expression(leaf: Text) -> str:
    """An expression that stands in YAML, in words."""
    node, _ = parse_expression(leaf.rule)
    return PLAIN.phrase(node) if node is not None else " ".join(leaf.text.split())


def type_words(leaf: Text) -> str:
    """A type, and perhaps the value that it begins with, that stand in YAML, in words."""
    text = re.sub(r'\s+as\s+"[^"]*"', "", " ".join(leaf.text.split()))
    kind, _, start = text.partition("=")
    kind = in_words(kind)
    return f"{kind}, at first {SWITCHES.get(start.strip()) or written(start.strip())}" if start.strip() else kind


def in_words(kind: str) -> str:
    """A type as it is written, in words: `0..9 per Player` is “0 to 9 for each player”."""
    words = " ".join(kind.split()).replace("..", " to ")
    words = re.sub(r"\bint\b", "whole number", re.sub(r"\bper Player\b", "for each player", words))
    return re.sub(r"\?(?=\W|$)", ", or none", re.sub(r"\bbool\b", "yes or no", re.sub(r"\bper\b", "for each", words)))


def _cards(component: Component) -> Table:
    """The rows of a table, a card a line."""
    assert component.table is not None
    rows = component.table.rows
    columns = list(dict.fromkeys(column.text for row in rows for column, _ in row.cells))
    with_ids = any(row.id is not None for row in rows)
    with_doc = any(row.doc is not None for row in rows)
    head = (*(("card",) if with_ids else ()), *(name(c) for c in columns), *(("text",) if with_doc else ()))
    lines: list[tuple[Line, ...]] = []
    for row in rows:
        cells = {column.text: value(node) for column, node in row.cells}
        first = (with_rules(line(Run(name(row.id.text) if row.id is not None else "", "strong")), ids_of(row.cites)),) if with_ids else ()
        last = (line(prose(row.doc.text) if row.doc is not None else ""),) if with_doc else ()
        lines.append((*first, *(line(cells.get(c, "")) for c in columns), *last))
    return Table(head, tuple(lines))


def value(node: Node) -> str:
    """A value written in YAML, in words."""
    if isinstance(node, Sequence) and len(node.items) > 1 and all(isinstance(item, Sequence) for item in node.items):
        return " / ".join(", ".join(value(cell) for cell in row.items) for row in node.items if isinstance(row, Sequence))
    if isinstance(node, Sequence):
        return ", ".join(value(item) for item in node.items) or NOTHING
    if isinstance(node, Mapping):
        if len(node.entries) == 1 and node.entries[0][0].text == "else":
            return value(node.entries[0][1])
        return ", ".join(f"{'any other' if key.text == 'else' else name(key.text)}: {value(inner)}" for key, inner in node.entries)
    assert isinstance(node, Scalar)
    if isinstance(node.value, bool):
        return "yes" if node.value else "no"
    inside = node.text[1:-1].strip()
    if re.fullmatch(r"\[.*\]", node.text):
        return ", ".join(name(part.strip()) for part in inside.split(",")) if inside else NOTHING
    if re.fullmatch(r"\{[^{}\[\]]*\}", node.text):
        pairs = [part.partition(":") for part in inside.split(",")]
        entries = [("any other" if key.strip() == "else" else name(key.strip()), name(cell.strip())) for key, _, cell in pairs]
        return entries[0][1] if len(entries) == 1 and entries[0][0] == "any other" else ", ".join(f"{key}: {cell}" for key, cell in entries)
    return name(node.text) if node.text.replace("_", "").isalnum() else " ".join(node.text.split())


def written(text: str) -> str:
    """A value as it is written in rule text, in words; what is none is shown as it is."""
    node, found = parse_expression(whole(Source("value", text)))
    return PLAIN.phrase(node) if node is not None and not found else text


def types(doc: ResolvedRuleset, rules: Rules) -> Iterator[Block]:
    """Enumerations with their values and columns, records with their fields."""
    for title, form in doc.types:
        yield Heading(3, name(title.text))
        yield from told(form, rules)
        if isinstance(form, RecordType):
            yield Paragraph(line("Consists of ", listed([f"{name(f.text)} ({type_words(kind)})" for f, kind in form.record]), "."))
        elif not isinstance(form, Enumeration):
            yield Paragraph(line(f"{type_words(form.type)}."))
        elif form.attributes:
            yield _values(form)
        else:
            yield Paragraph(line(f"One of {listed([name(v.name.text) for v in form.values], 'or')}."))


def _values(form: Enumeration) -> Table:
    """The values of an enumeration with their columns."""
    columns = [c.text for c, _ in form.attributes]
    rows: list[tuple[Line, ...]] = []
    for one in form.values:
        cells = {c.text: value(x) for c, x in one.cells}
        rows.append((line(Run(name(one.name.text), "strong")), *(line(cells.get(c, "")) for c in columns)))
    return Table(("", *(name(c) for c in columns)), tuple(rows))
