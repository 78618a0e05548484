"""Where things lie, and what is kept count of: zones, boards, state, each with where it begins and who sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from croupier.authoring.rulebook.blocks import Block, Item, Items, Paragraph, Run, line, with_rules
from croupier.authoring.rulebook.grids import grid, is_grid
from croupier.authoring.rulebook.phrases import PLAIN
from croupier.authoring.rulebook.rules import Rules, ids_of
from croupier.authoring.rulebook.things import SWITCHES, expression, in_words, prose, type_words, value, written
from croupier.authoring.rulebook.vocabulary import capital, listed, name
from croupier.resolve.resolved import ResolvedRuleset
from croupier.schema import Audience, StateVariable
from croupier.schema.things import Board, StackOptions, Zone
from croupier.source import Node, Scalar
from croupier.syntax import nodes as n
from croupier.syntax import parse_declaration, parse_template

SEEN = {"everybody": "open to all", "nobody": "hidden from all", "owner": "seen by its owner alone", "others": "seen by all but its owner"}
COUNTED = {"everybody": "everybody", "nobody": "nobody", "owner": "its owner alone", "others": "all but its owner"}
NEIGHBOURS = {"orthogonal": "side by side", "diagonal": "corner to corner", "all": "side by side or corner to corner"}


def on_the_table(doc: ResolvedRuleset, rules: Rules) -> Iterator[Block]:
    """Zones and boards: what lies there, in which order, who sees it; and values that change: where they begin, who sees them."""
    ids: list[str] = []
    items: list[Item] = []
    for title, zone in doc.zones:
        ids += ids_of(zone.cites)
        items.append(Item(with_rules(line(Run(name(title.text), "strong"), _called(title.text, zone), _zone(zone)), ids_of(zone.cites))))
    for title, board in doc.boards:
        ids += ids_of(board.cites)
        items.append(Item(with_rules(line(Run(name(title.text), "strong"), _board(board)), ids_of(board.cites))))
    counted = [Item(with_rules(line(Run(name(title.text), "strong"), _variable(v)), ids_of(v.cites))) for title, v in doc.state]
    yield from rules.texts([*ids, *(i for _, v in doc.state for i in ids_of(v.cites))])
    for heading, some in (("The places:", items), ("What is kept count of:", counted)):
        if some:
            yield Paragraph(line(Run(heading, "em")))
            yield Items(tuple(some))
    for title, variable in doc.state:
        yield from grid(variable.start, f"{capital(name(title.text))} at first, row by row:")


def sentence(text: str) -> str:
    """An explanation as a sentence."""
    return capital(prose(text))


def _called(title: str, zone: Zone) -> str:
    """What a zone is called while the game is played, where that tells more than its name."""
    words = PLAIN.template(parse_template(zone.label.template)[0]) if zone.label is not None else ""
    return f" (“{words}”)" if words and name(title).lower() not in words.lower() and not re.fullmatch("‹[^‹›]*›", words) else ""


def _zone(zone: Zone) -> str:
    each = [f"one for each {type_words(zone.per)}"] if zone.per is not None else []
    begins = [] if zone.start is None else ["everything begins here" if zone.start.text == "all" else f"begins with {expression(zone.start)}"]
    doc = f". {sentence(zone.doc.text)}" if zone.doc is not None else ""
    return f": {', '.join([f'for {type_words(zone.holds)}', *each, *_manner(zone), *begins])}{doc}"


def _manner(zone: StackOptions) -> list[str]:
    """How things lie in a zone, or on a cell of a board, and who sees them."""
    parts = []
    if zone.order is not None and zone.order.text in ("pile", "sequence"):
        parts.append({"pile": "a pile", "sequence": "in a row"}[zone.order.text])
    if zone.capacity is not None:
        parts.append(f"at most {expression(zone.capacity)}")
    return [*parts, seen(zone.seen_by), *([f"counted by {counted(zone.counted_by)}"] if zone.counted_by is not None else [])]


def _board(board: Board) -> str:
    sizes = " by ".join(expression(leaf) for leaf in (board.rows, board.columns) if leaf is not None)
    sizes = sizes or (expression(board.size) if board.size is not None else "")
    cells = f" with the cells {listed([name(c.text) for c in board.cells])}" if board.cells else ""
    neighbours = f"; neighbours are {NEIGHBOURS[board.adjacency.text]}" if board.adjacency is not None else ""
    links = f"; the ways: {', '.join(f'{name(a.text)} – {name(b.text)}' for a, b in board.links)}" if board.links else ""
    stack = f"; on each cell {', '.join([f'room for {type_words(board.stack.holds)}', *_manner(board.stack)])}" if board.stack is not None else ""
    explained = f". {sentence(board.doc.text)}" if board.doc is not None else ""
    return f": a board ({board.shape.text}{', ' + sizes if sizes else ''}){cells}{neighbours}{links}{stack}{explained}"


def seen(audience: Audience | None) -> str:
    """Who sees something."""
    if audience is None:
        return SEEN["nobody"]
    if audience.word is not None:
        return SEEN.get(audience.word.text, audience.word.text)
    by = name(audience.by.text) if audience.by is not None else ""
    return f"as “{by}” says: {listed([f'{seen(inner)} ({_case(key.text)})' for key, inner in audience.cases], 'or')}"


def counted(audience: Audience) -> str:
    """Who knows how many there are."""
    if audience.word is not None:
        return COUNTED.get(audience.word.text, audience.word.text)
    by = name(audience.by.text) if audience.by is not None else ""
    return f"{listed([f'{counted(inner)} ({_case(key.text)})' for key, inner in audience.cases], 'or')}, as “{by}” says"


def _case(key: str) -> str:
    """A value of what an audience depends on."""
    return SWITCHES.get(key) or name(key)


def _start(node: Node) -> str:
    """Where a value begins: a value, or an expression that gives it."""
    return written(node.text) if isinstance(node, Scalar) and not isinstance(node.value, bool) else value(node)


def _variable(variable: StateVariable) -> str:
    """A value that changes: what it may be, where it begins, who sees it."""
    doc = f". {sentence(variable.doc.text)}" if variable.doc is not None else ""
    if variable.declaration is None:
        assert variable.type is not None
        first = "as in the table below" if is_grid(variable.start) else _start(variable.start) if variable.start is not None else ""
        begins = [f"at first {first}"] if first else []
        told = _told(parse_template(variable.label.template)[0]) if variable.label is not None else []
        return f": {', '.join([type_words(variable.type), *begins, seen(variable.seen_by), *told])}{doc}"
    declared, _ = parse_declaration(variable.declaration.rule)
    if declared is None:
        return doc
    begins = [f"at first {PLAIN.phrase(declared.start)}"] if declared.start is not None else []
    audience = SEEN["nobody"] if declared.seen_by is None else SEEN.get(declared.seen_by.span.text) or f"seen by {PLAIN.phrase(declared.seen_by)}"
    return f": {', '.join([in_words(declared.type.span.text), *begins, audience, *_told(declared.label)])}{doc}"


def _told(words: n.Template | None) -> list[str]:
    """With which words a change is told while the game is played, where there are some."""
    return [f"told as “{PLAIN.template(words)}”"] if words is not None and words.parts else []
