"""What is in the box and on the table: components with their cards and numbers, zones and boards, what is kept track of, and types."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from croupier.authoring.rulebook.document import (
    Block,
    HeadingBlock,
    Line,
    ListBlock,
    ListItem,
    Paragraph,
    RuleSentences,
    TableBlock,
    TextRun,
    capital,
    code,
    counted,
    gaps,
    grid,
    ids_of,
    in_words,
    is_grid,
    joined,
    line,
    listed,
    name,
    prose,
    seen,
    sentence,
    type_words,
    value,
    with_rules,
)
from croupier.diagnostics import RulesetError
from croupier.resolve.resolved import ResolvedRuleset
from croupier.ruleset import Ruleset
from croupier.runtime.game import Game
from croupier.runtime.wording import plural
from croupier.schema import Component, Enumeration, RecordType, StateVariable, Text
from croupier.schema.sections import Board, StackOptions, Zone
from croupier.source import YamlScalar
from croupier.syntax import nodes as n
from croupier.syntax import parse_declaration

MOST_SHOWN = 40  # different components that are counted one by one
MOST_CELLS = 60  # cells of a board whose attributes are told one by one
MOST_NUMBERS = 10  # of players that are told one by one
TITLES = ("name", "title")  # columns that hold what a card is called
NEIGHBOURS = {"orthogonal": "side by side", "diagonal": "corner to corner", "all": "side by side or corner to corner"}
ORDERS = {"pile": "a pile", "sequence": "a row"}


def explained(thing: object, rules: RuleSentences) -> Iterator[Block]:
    """The explanation of a declaration and the sentences of the rules that it cites."""
    doc = getattr(thing, "doc", None)
    if doc is not None:
        yield Paragraph(line(sentence(doc.text)))
    yield from rules.sentences(ids_of(getattr(thing, "cites", ())))


# ---------------------------------------------------------------- components
def components(doc: ResolvedRuleset, ruleset: Ruleset, rules: RuleSentences) -> Iterator[Block]:
    """Every class of components: how many, what they have, and its cards one by one where they are not all combinations."""
    for title, component in doc.components:
        yield HeadingBlock(3, name(title.text))
        yield from explained(component, rules)
        yield Paragraph(numbers(title.text, component, ruleset))
        if component.back is not None:
            yield Paragraph(line(f"Whoever does not see its face sees “{gaps(component.back.template.text)}”."))
        columns = {c.text for row in (component.table.rows if component.table is not None else ()) for c, _ in row.cells}
        kinds = [(a, kind) for a, kind in (*component.attributes, *component.mutable) if a.text not in columns]
        if kinds:
            yield ListBlock(tuple(ListItem(line(TextRun(name(a.text), "strong"), f": {type_words(kind)}")) for a, kind in kinds))
        if component.table is not None and component.table.rows:
            yield _cards(component)
            for row in component.table.rows:
                yield from rules.sentences(ids_of(row.cites))
        elif component.ids:
            yield Paragraph(line(f"{'They are' if component.ids[1:] else 'It is'} {listed([name(i.text) for i in component.ids])}."))


def titled(component: Component, key: Text) -> str:
    """A card by its name, if a column holds it, else by its id."""
    rows = component.table.rows if component.table is not None else ()
    cells = (cell for row in rows if row.id is not None and row.id.text == key.text for cell in row.cells)
    found = [node.text for column, node in cells if column.text in TITLES and isinstance(node, YamlScalar)]
    return f"{found[0]} ({key.text})" if found else capital(name(key.text))


def _cards(component: Component) -> TableBlock:
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
        first = (with_rules(line(TextRun(name(row.id.text) if row.id is not None else "", "strong")), ids_of(row.cites)),) if with_ids else ()
        last = (line(prose(row.doc.text) if row.doc is not None else ""),) if with_doc else ()
        lines.append((*first, *(line(cells.get(c, "")) for c in columns), *last))
    return TableBlock(head, tuple(lines))


# ---------------------------------------------------------------- how many there are
def numbers(kind: str, component: Component, ruleset: Ruleset) -> Line:
    """How many components there are and how often which, counted in the games that can be set up: with the fewest players, and with others if that
    differs."""
    game = ruleset.game(ruleset.players[0], None)
    words = _counted(kind, component, _often(kind, game))
    by_players = {players: count for players in ruleset.players if (count := _number(kind, ruleset, players)) is not None}
    if len(set(by_players.values())) > 1:
        shown = list(by_players.items())
        shown = shown if len(shown) <= MOST_NUMBERS else [shown[0], shown[-1]]
        more = [f"with {players} players {count}" for players, count in shown if players != game.players]
        words = f"With {game.players} player{'s' * (game.players != 1)} {words}; {'; '.join(more)}"
    return line(words, *_agreed(component, ruleset), ".")


def _number(kind: str, ruleset: Ruleset, players: int) -> int | None:
    """How many there are with so many players and the usual parameters; none if these do not go together."""
    try:
        return ruleset.game(players, None).kinds.get(kind, (0, 0))[1]
    except RulesetError:
        return None


def _counted(kind: str, component: Component, often: Counter[str]) -> str:
    """A number of components, and how often each is among them."""
    count = sum(often.values())
    words = f"{count} {name(kind) if count == 1 else plural(name(kind))}"
    different = set(often.values())
    each = listed([_walked(component, e.text) for e in component.each or ()])
    if len(often) > 1 and len(different) > 1:
        shown = len(often) <= MOST_SHOWN
        begin = ", as they begin" if component.label is not None and any(f"{{{m.text}" in component.label.text for m, _ in component.mutable) else ""
        kinds = listed([f"{number} × {label}" for label, number in often.items()])
        return f"{words}{begin}: {kinds}" if shown else f"{words}, some of them several times"
    if component.each and different == {1}:
        return f"{words}, one for every {each}"
    if len(often) > 1 and different != {1}:
        return f"{words}, {next(iter(different))} of each{f' {each}' if each else ''}"
    return words


def _walked(component: Component, attribute: str) -> str:
    """What there is one of each of: the name of the attribute, or what it holds if that is a player."""
    kinds = {a.text: kind.text.strip() for a, kind in component.attributes}
    return "player" if kinds.get(attribute) == "Player" else name(attribute)


def _agreed(component: Component, ruleset: Ruleset) -> tuple[str | TextRun, ...]:
    """How the number comes about, if what is agreed on before the game may change it."""
    written = component.copies or component.count
    kinds = {a.text: kind.text for a, kind in component.attributes}
    texts = [*([written.text] if written is not None else []), *(kinds.get(e.text, "") for e in component.each or ())]
    wanted = {p.name for p in ruleset.parameters}
    by_rule = bool(wanted) and written is not None and "(" in written.text
    if not by_rule and not any(wanted.intersection(re.findall(r"\w+", text)) for text in texts):
        return ()
    if written is None or written.text.isdecimal():
        return (", unless something else is agreed on",)
    return (f", unless something else is agreed on ({'their number' if component.copies is None else 'of each'}: ", code(written.text), ")")


def _often(kind: str, game: Game) -> Counter[str]:
    """How often there is which component of a class, by its label."""
    first, count = game.kinds.get(kind, (0, 0))
    return Counter(piece.label for piece in game.pieces[first : first + count])


# ---------------------------------------------------------------- zones and boards
def places(doc: ResolvedRuleset, ruleset: Ruleset, rules: RuleSentences) -> Iterator[Block]:
    """Zones and boards: what lies there, in which order, who sees it."""
    yield from rules.sentences(i for _, zone in (*doc.zones, *doc.boards) for i in ids_of(zone.cites))
    rows = [_zone(title.text, zone) for title, zone in doc.zones] + [_board(title.text, board) for title, board in doc.boards]
    yield TableBlock(("place", "what lies there", "who sees it"), tuple(rows))
    for title, board in doc.boards:
        if board.attributes:
            yield from _cells(title.text, ruleset)


def _cells(board: str, ruleset: Ruleset) -> Iterator[Block]:
    """What the cells of a board have for good, a cell a line."""
    game = ruleset.game(ruleset.players[0], None)
    defined, names = game.program.boards[board], game.boards[board].names
    if len(names) <= MOST_CELLS:
        columns = [[game.show(value, kind, labelled=True) for value in game.columns[defined.cell, a]] for a, kind in defined.cell_attributes.items()]
        rows = tuple((line(cell), *(line(column[i]) for column in columns)) for i, cell in enumerate(names))
        yield TableBlock((name(board), *map(name, defined.cell_attributes)), rows)


def _zone(title: str, zone: Zone) -> tuple[Line, Line, Line]:
    called = gaps(zone.label.template.text) if zone.label is not None else ""
    called = f" (“{called}”)" if called and name(title).lower() not in called.lower() and not re.fullmatch("‹[^‹›]*›", called) else ""
    parts: list[object] = [type_words(zone.holds), *([f"one for each {type_words(zone.per)}"] if zone.per is not None else []), *_manner(zone)]
    if zone.start is not None:
        parts.append("everything begins here" if zone.start.text == "all" else line("begins with ", code(zone.start.text)))
    if zone.doc is not None:
        parts.append(prose(zone.doc.text))
    return with_rules(line(TextRun(name(title), "strong"), called), ids_of(zone.cites)), joined(parts), line(_audience(zone))


def _audience(zone: StackOptions) -> str:
    return "; ".join([seen(zone.seen_by), *([f"counted by {counted(zone.counted_by)}"] if zone.counted_by is not None else [])])


def _manner(zone: StackOptions) -> list[object]:
    """How components lie in a zone, or on a cell of a board."""
    order = [ORDERS[zone.order.text]] if zone.order is not None and zone.order.text in ORDERS else []
    return [*order, *([line("at most ", code(zone.capacity.text))] if zone.capacity is not None else [])]


def _board(title: str, board: Board) -> tuple[Line, Line, Line]:
    sizes = [code(leaf.text).text for leaf in (board.rows, board.columns) if leaf is not None]
    size = " by ".join(sizes) or (code(board.size.text).text if board.size is not None else "")
    parts: list[object] = [f"a board ({board.shape.text}{', ' + size if size else ''})"]
    if board.cells:
        parts.append(f"the cells {listed([name(c.text) for c in board.cells])}")
    if board.adjacency is not None:
        parts.append(f"neighbours are {NEIGHBOURS[board.adjacency.text]}")
    if board.attributes:
        parts.append(f"each cell has {listed([f'{name(a.text)} ({type_words(kind)})' for a, kind in board.attributes])}")
    if board.links:
        ways = (f"{name(a.text)} – {name(b.text)}{f' ({name(kind.text)})' if kind is not None else ''}" for a, b, kind in board.links)
        parts.append(f"the ways: {', '.join(ways)}")
    if board.edge is not None or board.corner is not None:
        parts.append(f"its {' and '.join(word for word, part in (('edges', board.edge), ('corners', board.corner)) if part is not None)} are places")
    if board.stack is not None:
        parts.append(joined([f"on each cell room for {type_words(board.stack.holds)}", *_manner(board.stack)], ", "))
    if board.doc is not None:
        parts.append(prose(board.doc.text))
    return with_rules(line(TextRun(name(title), "strong")), ids_of(board.cites)), joined(parts), line(_audience(board.stack) if board.stack else "")


# ---------------------------------------------------------------- state
def state(doc: ResolvedRuleset, rules: RuleSentences) -> Iterator[Block]:
    """What is kept track of: what each value may be, where it begins, who sees it."""
    yield from rules.sentences(i for _, v in doc.state for i in ids_of(v.cites))
    yield TableBlock(("value", "what it may be", "at first", "who sees it"), tuple(_variable(title.text, v) for title, v in doc.state))
    for title, variable in doc.state:
        yield from grid(variable.start, f"{capital(name(title.text))} at first, row by row:")


def _variable(title: str, variable: StateVariable) -> tuple[Line, ...]:
    head = with_rules(line(TextRun(name(title), "strong")), ids_of(variable.cites))
    doc = [prose(variable.doc.text)] if variable.doc is not None else []
    if variable.declaration is None:
        assert variable.type is not None
        first = "as in the table below" if is_grid(variable.start) else value(variable.start) if variable.start is not None else ""
        return head, joined([type_words(variable.type), *doc]), line(first), line(seen(variable.seen_by))
    declared, _ = parse_declaration(variable.declaration.rule)
    if declared is None:
        return head, joined(doc), line(), line()
    start = line(_beginning(declared.start)) if declared.start is not None else line()
    by = declared.seen_by.span.text if declared.seen_by is not None else "nobody"
    known = {"everybody": "everybody sees it", "nobody": "nobody sees it", "owner": "only its owner sees it", "others": "all but its owner see it"}
    return head, joined([in_words(declared.type.span.text), *doc]), start, line(known[by]) if by in known else line("seen by ", code(by))


def _beginning(start: n.Expr) -> TextRun:
    """What a value begins with: “the first of players” in words, else as it is written."""
    match start:
        case n.Attr(target=n.Name(name=whole), name="first" | "last" as end):
            return TextRun(f"the {end} player" if whole == "players" else f"the {end} of {name(whole)}")
        case n.ListLit(items=()):
            return TextRun("nothing")
    return code(start.span.text)


# ---------------------------------------------------------------- types
def types(doc: ResolvedRuleset, rules: RuleSentences) -> Iterator[Block]:
    """Enumerations with their values and columns, records with their fields."""
    for title, form in doc.types:
        yield HeadingBlock(3, name(title.text))
        yield from explained(form, rules)
        if isinstance(form, RecordType):
            yield Paragraph(line("Consists of ", listed([f"{name(f.text)} ({type_words(kind)})" for f, kind in form.record]), "."))
        elif not isinstance(form, Enumeration):
            yield Paragraph(line(f"{capital(type_words(form.type))}."))
        elif form.attributes:
            yield _values(form)
        else:
            yield Paragraph(line(f"One of {listed([f'{name(v.name.text)}{_label(form, v.name)}' for v in form.values], 'or')}."))


def _values(form: Enumeration) -> TableBlock:
    """The values of an enumeration with their columns."""
    columns = [c.text for c, _ in form.attributes]
    rows: list[tuple[Line, ...]] = []
    for one in form.values:
        cells = {c.text: value(x) for c, x in one.cells}
        rows.append((line(TextRun(name(one.name.text), "strong"), _label(form, one.name)), *(line(cells.get(c, "")) for c in columns)))
    return TableBlock(("", *(name(c) for c in columns)), tuple(rows))


def _label(form: Enumeration, called: Text) -> str:
    """What players read instead of the name of a value, in brackets; empty if it is the name."""
    label = next((label.text for key, label in form.labels if key.text == called.text), "")
    return f" ({label})" if label and label != name(called.text) else ""
