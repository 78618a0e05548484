"""What a game consists of: components with their cards, types, parameters, variants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from croupier.authoring.rulebook.blocks import Block, Heading, Item, Items, Line, Paragraph, Run, Table, line, with_rules
from croupier.authoring.rulebook.phrases import listed, phrase
from croupier.authoring.rulebook.rules import Rules, ids_of
from croupier.authoring.rulebook.vocabulary import name
from croupier.load import Ruleset
from croupier.resolve import open_ruleset
from croupier.resolve.changes import Change
from croupier.resolve.resolved import ResolvedRuleset
from croupier.resources import MAIN_FILE, VARIANTS
from croupier.runtime.game import Game
from croupier.schema import Component, Enumeration, RecordType, Text
from croupier.source import Mapping, Node, Scalar, Sequence
from croupier.syntax import parse_expression

SWITCHES = {"true": "yes", "false": "no"}
MOST_VARIANTS = 100


def told(thing: Any, rules: Rules) -> Iterator[Block]:
    """The explanation of a declaration and the rules that it cites."""
    doc = getattr(thing, "doc", None)
    if doc is not None:
        yield Paragraph(line(prose(doc.text)))
    yield from rules.texts(ids_of(getattr(thing, "cites", ())))


# ---------------------------------------------------------------- components and types
def components(doc: ResolvedRuleset, game: Game, rules: Rules) -> Iterator[Block]:
    """Every class of components: how many, what they have, and its cards one by one where they are not all combinations."""
    for title, component in doc.components:
        yield Heading(3, name(title.text))
        yield from told(component, rules)
        _, count = game.kinds.get(title.text, (0, 0))
        yield Paragraph(line(f"{count} piece{'s' * (count != 1)}{_pieces(component)}{_more_with_more(component, game)}."))
        columns = {c.text for row in (component.table.rows if component.table is not None else ()) for c, _ in row.cells}
        kinds = [(a, kind) for a, kind in (*component.attributes, *component.mutable) if a.text not in columns]
        if kinds:
            yield Items(tuple(Item(line(Run(name(a.text), "strong"), f": {type_words(kind)}")) for a, kind in kinds))
        if component.table is not None and component.table.rows:
            yield _cards(component)
            for row in component.table.rows:
                yield from rules.texts(ids_of(row.cites))
        elif component.ids:
            yield Paragraph(line(f"They are {listed([name(i.text) for i in component.ids])}."))


def _pieces(component: Component) -> str:
    if component.each:
        return f", one for every {listed([name(e.text) for e in component.each])}"
    return ""


def _more_with_more(component: Component, game: Game) -> str:
    changing = [leaf for leaf in (component.copies, component.count) if leaf is not None]
    if not changing:
        return ""
    with_so_many = "" if changing[0].text.isdecimal() else f" with {game.players} players"
    return f"{with_so_many} (of each: {expression(changing[0])})" if component.copies is not None else with_so_many


def expression(leaf: Text) -> str:
    """An expression that stands in YAML, in words."""
    node, _ = parse_expression(leaf.rule)
    return phrase(node) if node is not None else " ".join(leaf.text.split())


def type_words(leaf: Text) -> str:
    """A type, and perhaps the value that it begins with, that stand in YAML, in words."""
    text = re.sub(r'\s+as\s+"[^"]*"', "", " ".join(leaf.text.split()))
    kind, _, start = text.partition("=")
    kind = in_words(kind)
    return f"{kind}, at first {SWITCHES.get(start.strip()) or name(start.strip())}" if start.strip() else kind


def in_words(kind: str) -> str:
    """A type as it is written, in words: `0..9 per Player` is “0 to 9 for each player”."""
    words = " ".join(kind.split()).replace("..", " to ")
    words = re.sub(r"\bper Player\b", "for each player", words)
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
    if isinstance(node, Sequence):
        return listed([value(item) for item in node.items]) or "none"
    if isinstance(node, Mapping):
        if len(node.entries) == 1 and node.entries[0][0].text == "else":
            return value(node.entries[0][1])
        return ", ".join(f"{'any other' if key.text == 'else' else name(key.text)}: {value(inner)}" for key, inner in node.entries)
    assert isinstance(node, Scalar)
    if isinstance(node.value, bool):
        return "yes" if node.value else "no"
    listing = re.fullmatch(r"\[(.*)\]", node.text)
    if listing is not None:
        return ", ".join(name(part.strip()) for part in listing.group(1).split(",")) if listing.group(1).strip() else "–"
    return name(node.text) if node.text.replace("_", "").isalnum() else " ".join(node.text.split())


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


# ---------------------------------------------------------------- parameters and variants
def parameters(doc: ResolvedRuleset, ruleset: Ruleset, rules: Rules) -> Iterator[Block]:
    """What can be agreed on before the game."""
    if not doc.parameters:
        yield Paragraph(line("Nothing is to be agreed on before the game."))
        return
    known = {p.name: p for p in ruleset.parameters}
    rows = []
    for title, parameter in doc.parameters:
        of = known[title.text]
        choices = listed([name(v) for v in of.values], "or") if of.values else _words(of.type_text)
        rows.append((
            with_rules(line(Run(name(title.text), "strong")), ids_of(parameter.cites)), line(choices),
            line(_seat(of.default) if of.type_text == "Player" else _default(of.default)), line(prose(of.doc)),
        ))  # fmt: skip
    yield from rules.texts(i for _, p in doc.parameters for i in ids_of(p.cites))
    yield Table(("parameter", "may be", "unless agreed", "meaning"), tuple(rows))


def _words(type_text: str) -> str:
    return type_text.replace("..", " to ").replace("bool", "yes or no").replace("?", ", or none")


def _seat(value: Any) -> str:
    return f"player {value + 1}" if isinstance(value, int) else "none"


def prose(text: str) -> str:
    """An explanation on one line, names in back-ticks as words in quotes."""
    return re.sub(r"`([^`]*)`", lambda m: f"“{name(m.group(1))}”", " ".join(text.split()))


def _default(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name(str(k))}: {_default(v)}" for k, v in list(value.items())[:12]) + (" …" if len(value) > 12 else "")
    if isinstance(value, list):
        return listed([_default(v) for v in value[:12]]) + (" …" if len(value) > 12 else "")
    return "none" if value is None else name(str(value))


def variants(doc: ResolvedRuleset) -> Iterator[Block]:
    """The variants beside the ruleset: what each sets and replaces."""
    found = sorted((doc.root / VARIANTS).glob("*.yaml"))[:MOST_VARIANTS] if doc.path.name == MAIN_FILE else []
    items = []
    for path in found:
        variant = _variant(path)
        if variant is not None:
            items.append(variant)
    yield Items(tuple(items)) if items else Paragraph(line("This ruleset comes with no variants."))


def _variant(path: Path) -> Item | None:
    doc, _ = open_ruleset(path)
    if doc is None:
        return None
    settings = [f"{name(key.text)} is {value(node)}" for key, node in doc.settings]
    changed = dict.fromkeys(_changed(change) for change in doc.changes if change.kind != "sets")
    told = tuple(Item(line(words)) for words in [*settings, *changed])
    text = f": {prose(doc.doc.text)}" if doc.doc is not None else ""
    return Item(line(Run(name(path.stem), "strong"), f" ({doc.title}){text}"), told)


def _changed(change: Change) -> str:
    """What a variant replaces, adds or removes, in words."""
    what = name(change.section) if change.name in ("", change.section) else f"{name(change.name)} ({name(change.section)})"
    return f"it {change.kind} {what if change.part is None else f'{name(change.part)} of {what}'}"
