"""The sections on what is in the box and on the table: components with their cards and numbers, zones and
boards, what is kept track of, and types.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from croupier.authoring.rulebook.document import (
    Block,
    HeadingBlock,
    Line,
    ListBlock,
    ListItem,
    Paragraph,
    TableBlock,
    TextRun,
    line,
    with_rules,
    words_of,
)
from croupier.authoring.rulebook.pictures import board_begun
from croupier.authoring.rulebook.rule_sentences import RuleSentences, ids_of
from croupier.authoring.rulebook.vocabulary import current
from croupier.authoring.rulebook.wording import (
    NOTHING,
    SEEN,
    SWITCHES,
    audience_words,
    capital,
    code,
    counted,
    gaps,
    grid,
    in_words,
    is_grid,
    joined,
    listed,
    name,
    prose,
    seen,
    sentence,
    type_words,
    value,
    worded,
)
from croupier.diagnostics import RulesetError
from croupier.resolve.resolved import ResolvedRuleset
from croupier.ruleset import Ruleset
from croupier.runtime.game import Game
from croupier.runtime.wording import plural
from croupier.schema import Component, Enumeration, RecordType, StateVariable, Text
from croupier.schema.sections import Board, StackOptions, Zone
from croupier.schema.values import Row
from croupier.source import YamlNode, YamlScalar
from croupier.syntax import nodes as n
from croupier.syntax import parse_declaration
from croupier.syntax.phrases import Vocabulary, phrase, phrase_of

MOST_SHOWN = 40  # different components that are counted one by one
MOST_CELLS = 60  # cells of a board whose attributes are told one by one
MOST_NUMBERS = 10  # of players that are told one by one
TITLES = ("name", "title")  # columns that hold what a card is called
CARDS = "Cards and powers"  # the section that tells the cards with texts
SHORT_CELL = 30  # characters of a cell; a longer one is a text
NEIGHBOURS = {
    "orthogonal": "side by side",
    "diagonal": "corner to corner",
    "all": "side by side or corner to corner",
}
ORDERS = {"pile": "a pile", "sequence": "a row"}


def explained(thing: object, rules: RuleSentences) -> Iterator[Block]:
    """The explanation of a declaration and the sentences of the rules that it cites."""
    doc = getattr(thing, "doc", None)
    if doc is not None:
        yield Paragraph(line(sentence(doc.text)))
    yield from rules.sentences(ids_of(getattr(thing, "cites", ())))


# ---------------------------------------------------------------- components
def components(doc: ResolvedRuleset, ruleset: Ruleset, rules: RuleSentences) -> Iterator[Block]:
    """Every class of components: how many, what they have, and its cards one by one where they are not all
    combinations.
    """
    for title, component in doc.components:
        yield HeadingBlock(3, name(title.text))
        yield from explained(component, rules)
        yield Paragraph(numbers(title.text, component, ruleset))
        if component.back is not None:
            yield Paragraph(
                line(f"Whoever does not see its face sees “{gaps(component.back.template.text)}”.")
            )
        columns = {c.text for row in component.rows for c, _ in row.cells}
        kinds = [
            (a, kind) for a, kind in (*component.attributes, *component.mutable) if a.text not in columns
        ]
        if kinds:
            usual = numbers_agreed(doc, ruleset)
            yield ListBlock(
                tuple(
                    ListItem(
                        line(TextRun(name(a.text), "strong"), f": {with_numbers(type_words(kind), usual)}")
                    )
                    for a, kind in kinds
                )
            )
        if has_texts(component):
            yield Paragraph(
                line("What is on each of them: ", TextRun(CARDS, to=(CARDS, name(title.text))), ".")
            )
        elif component.rows:
            yield from cards(title, component, ruleset, rules)
        elif component.ids:
            yield Paragraph(
                line(
                    f"{'They are' if component.ids[1:] else 'It is'} "
                    f"{listed([name(i.text) for i in component.ids])}."
                )
            )


def has_texts(component: Component) -> bool:
    """Tell whether the cards of a class have texts or powers: a section of their own tells them."""
    return any(
        row.doc is not None or row.powers or any(len(value(cell)) > SHORT_CELL for _, cell in row.cells)
        for row in component.rows
    )


def cards(title: Text, component: Component, ruleset: Ruleset, rules: RuleSentences) -> Iterator[Block]:
    """Yield the cards of a class, and the sentences of the rules that they cite; nothing without cards."""
    if component.rows:
        often = _of_each_row(title.text, component, ruleset)
        yield from _cards(component, rules, ruleset.program.looks.details, often)
        yield from rules.sentences(i for row in component.rows for i in ids_of(row.cites))


def narrowed(table: TableBlock) -> Iterator[Block]:
    """Yield a table without the columns that say the same in every row: that is said once, above it."""
    rows = table.rows
    alike = [k for k in range(1, len(table.head)) if _is_alike([row[k] for row in rows])]
    said = [(table.head[k], rows[0][k]) for k in alike if _is_worth_saying(rows[0][k])]
    if said:
        parts = [line(TextRun(head, "em"), ": ", *words) for head, words in said]
        yield Paragraph((TextRun("The same in every row: "), *joined(parts), TextRun(".")))
    kept = [k for k in range(len(table.head)) if k not in alike]
    yield TableBlock(tuple(table.head[k] for k in kept), tuple(tuple(row[k] for k in kept) for row in rows))


def _is_alike(cells: Sequence[Line]) -> bool:
    """Tell whether the cells of a column are not worth it: all say the same, or the only one says nothing."""
    return len(set(cells)) == 1 and (len(cells) > 1 or not _is_worth_saying(cells[0]))


def _is_worth_saying(words: Line) -> bool:
    """Tell whether a cell says something: not nothing, and no empty list."""
    return words_of(words) not in ("", NOTHING)


def signs(doc: ResolvedRuleset, ruleset: Ruleset) -> Iterator[Block]:
    """Yield the signs of the game and what they mean; nothing without signs."""
    rows: list[tuple[Line, ...]] = []
    for title, form in doc.types:
        if isinstance(form, Enumeration):
            for one in form.values:
                words = _label(form, one.name).strip(" ()") or name(one.name.text)
                _, symbol = ruleset.program.looks.values.get((title.text, words), ("", ""))
                sign = symbol or (words if not re.search(r"\w", words) else "")
                if sign:
                    rows.append((line(sign), line(name(one.name.text)), line(name(title.text))))
    if rows:
        yield HeadingBlock(3, "Signs")
        yield from narrowed(TableBlock(("sign", "meaning", "what it is"), tuple(rows)))


def numbers_agreed(doc: ResolvedRuleset, ruleset: Ruleset) -> dict[str, str]:
    """The parameters that are numbers, as they are unless something else is agreed on."""
    found = ruleset.defaults(ruleset.default_players)
    return {
        name(title.text): str(found[title.text])
        for title, _ in doc.parameters
        if type(found.get(title.text)) is int
    }


def with_numbers(words: str, usual: dict[str, str]) -> str:
    """A type in words, with the usual numbers for those that can be agreed on: `1 to numbers` is “1 to 9”."""
    return re.sub(r"(?<=\bto )(\w[\w ]*)|(\w[\w ]*)(?= to\b)", lambda m: usual.get(m[0], m[0]), words)


def titled(component: Component, key: Text) -> str:
    """A card by its name, if a column holds it, else by its id."""
    return _title_of(component, key.text) or capital(name(key.text))


def row_title(component: Component, key: str) -> str:
    """What the table of a class calls a card: its name, if a column holds it, else its id in words."""
    return _title_of(component, key) or name(key)


def _title_of(component: Component, key: str) -> str:
    """Return what a column says that a card is called; empty if none does."""
    rows = (row for row in component.rows if row.id is not None and row.id.text == key)
    cells = (cell for row in rows for cell in row.cells)
    found = (node.text for column, node in cells if column.text in TITLES and isinstance(node, YamlScalar))
    return next(found, "")


def names_of_cards(doc: ResolvedRuleset) -> dict[str, str]:
    """Return what cards are called that the ruleset knows by a number: `A02` by its title."""
    keys = (
        (component, row.id.text)
        for _, component in doc.components
        for row in component.rows
        if row.id is not None and re.search(r"\d", row.id.text)
    )
    return {key: title for component, key in keys if (title := _title_of(component, key))}


def _of_each_row(kind: str, component: Component, ruleset: Ruleset) -> list[int]:
    """Return the number of components on each row of the table; empty unless these differ and each row has a
    name of its own.
    """
    often = list(_often(kind, ruleset.game(ruleset.players[0], None)).values())
    return often if len(often) == len(component.rows) and len(set(often)) > 1 else []


def _cards(
    component: Component, rules: RuleSentences, details: frozenset[str], often: list[int]
) -> Iterator[Block]:
    """The rows of a table, a card a line, by its name if a column holds it; a text that a rule of the card
    says too is left to its sentence.
    """
    rows = component.rows
    columns = [
        c for c in dict.fromkeys(column.text for row in rows for column, _ in row.cells) if c not in details
    ]
    with_ids = any(row.id is not None for row in rows)
    if with_ids and all(row.id is not None and _title_of(component, row.id.text) for row in rows):
        columns = [c for c in columns if c not in TITLES]
    texts = [_text_of(row, rules) for row in rows]
    starts = {a.text: kind.text.partition("=")[2].strip() for a, kind in component.attributes}
    usual = {a: NOTHING if start == "[]" else SWITCHES.get(start, name(start)) for a, start in starts.items()}
    with_doc = any(texts)
    head = (
        *(("card",) if with_ids else ()),
        *(name(c) for c in columns),
        *(("how many",) if often else ()),
        *(("text",) if with_doc else ()),
    )
    lines: list[tuple[Line, ...]] = []
    for k, row in enumerate(rows):
        cells = {column.text: value(node) for column, node in row.cells}
        shown: list[Line] = []
        if with_ids:
            key = "" if row.id is None else row.id.text
            called = row_title(component, key)
            shown.append(with_rules(line(TextRun(called, "strong")), ids_of(row.cites)))
        shown += [line(rules.with_names(cells.get(c, usual.get(c, "")))) for c in columns]
        if often:
            shown.append(line(str(often[k])))
        if with_doc:
            shown.append(line(texts[k]))
        lines.append(tuple(shown))
    yield from narrowed(TableBlock(head, tuple(lines)))


def _text_of(row: Row, rules: RuleSentences) -> str:
    """Return the text of a card; empty if it has none, or a rule of the card says it."""
    text = "" if row.doc is None else rules.with_names(prose(row.doc.text))
    return "" if _is_said(text, rules, ids_of(row.cites)) else text


def _is_said(text: str, rules: RuleSentences, ids: tuple[str, ...]) -> bool:
    """Tell whether the sentence of one of these rules holds a text, apart from signs and capitals."""
    return any(
        _plain(text) in _plain(rules.known[i][1]) for i in ids if i in rules.known and i not in rules.used
    )


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


# ---------------------------------------------------------------- how many there are
def numbers(kind: str, component: Component, ruleset: Ruleset) -> Line:
    """Return the number of components and of each kind, counted in the games that can be set up: with the
    fewest players, and with others if that differs.
    """
    game = ruleset.game(ruleset.players[0], None)
    often = _often(kind, game)
    words = (
        f"{sum(often.values())} {plural(name(kind))}"
        if _of_each_row(kind, component, ruleset)
        else _counted(kind, component, often)
    )
    by_players = {
        players: count
        for players in ruleset.players
        if (count := _number(kind, ruleset, players)) is not None
    }
    if len(set(by_players.values())) > 1:
        shown = list(by_players.items())
        shown = shown if len(shown) <= MOST_NUMBERS else [shown[0], shown[-1]]
        more = [f"with {players} players {count}" for players, count in shown if players != game.players]
        words = f"With {game.players} player{'s' * (game.players != 1)} {words}; {'; '.join(more)}"
    return line(words, *_agreed(component, ruleset), ".")


def _number(kind: str, ruleset: Ruleset, players: int) -> int | None:
    """Return the number of components with so many players and the usual parameters; `None` if these do not
    go together.
    """
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
        label = "" if component.label is None else component.label.text
        changes = any(f"{{{attribute.text}" in label for attribute, _ in component.mutable)
        begin = ", as they begin" if changes else ""
        kinds = listed([f"{number} × {label}" for label, number in often.items()])
        return f"{words}{begin}: {kinds}" if shown else f"{words}, some of them several times"
    if component.each and different == {1}:
        return f"{words}, one for every {each}"
    if len(often) > 1 and different != {1}:
        return f"{words}, {next(iter(different))} of each{f' {each}' if each else ''}"
    return words


def _walked(component: Component, attribute: str) -> str:
    """Return the name of what `each` counts: the attribute, or “player” if it holds players."""
    kinds = {a.text: kind.text.strip() for a, kind in component.attributes}
    return "player" if kinds.get(attribute) == "Player" else name(attribute)


def _agreed(component: Component, ruleset: Ruleset) -> tuple[str, ...]:
    """Return the words for how the number comes about, if what is agreed on before the game may change it."""
    written = component.copies or component.count
    kinds = {a.text: kind.text for a, kind in component.attributes}
    texts = [
        *([written.text] if written is not None else []),
        *(kinds.get(e.text, "") for e in component.each or ()),
    ]
    wanted = {p.name for p in ruleset.parameters}
    by_rule = bool(wanted) and written is not None and "(" in written.text
    if not by_rule and not any(wanted.intersection(re.findall(r"\w+", text)) for text in texts):
        return ()
    if written is None or written.text.isdecimal():
        return (", unless something else is agreed on",)
    words = phrase_of(written.text)
    if words is None:
        return (", unless something else is agreed on",)
    number = "their number" if component.copies is None else "of each"
    return (f", unless something else is agreed on ({number}: {words})",)


def _often(kind: str, game: Game) -> Counter[str]:
    """Return the number of components of a class, by label."""
    first, count = game.kinds.get(kind, (0, 0))
    return Counter(component.label for component in game.components[first : first + count])


# ---------------------------------------------------------------- zones and boards
def places(doc: ResolvedRuleset, ruleset: Ruleset, rules: RuleSentences) -> Iterator[Block]:
    """Zones and boards: what lies there, in which order, who sees it."""
    yield from rules.sentences(i for _, zone in (*doc.zones, *doc.boards) for i in ids_of(zone.cites))
    usual, begun = numbers_agreed(doc, ruleset), _begun(ruleset)
    rows = [_zone(title.text, zone, usual, begun) for title, zone in doc.zones] + [
        _board(title.text, board, usual) for title, board in doc.boards
    ]
    yield from narrowed(TableBlock(("place", "what lies there", "who sees it"), tuple(rows)))
    for title, board in doc.boards:
        if board.attributes:
            picture = tuple(board_begun(ruleset, name(title.text)))
            yield from picture or _cells(title.text, ruleset)


def _cells(board: str, ruleset: Ruleset) -> Iterator[Block]:
    """Yield the table of the attributes that the cells of a board have for good, a cell a line."""
    game = ruleset.game(ruleset.players[0], None)
    defined, names = game.program.boards[board], game.boards[board].called
    if len(names) <= MOST_CELLS:
        columns = [
            [game.show(value, kind, labelled=True) for value in game.columns[defined.cell, a]]
            for a, kind in defined.cell_attributes.items()
        ]
        rows = tuple((line(cell), *(line(column[i]) for column in columns)) for i, cell in enumerate(names))
        yield from narrowed(TableBlock((name(board), *map(name, defined.cell_attributes)), rows))


def _begun(ruleset: Ruleset) -> Counter[str]:
    """Return the number of components in each zone before anything happens, with the fewest players."""
    seen = ruleset.new_initial_state(players=ruleset.players[0]).observation(None)["zones"]
    return Counter({title: len(entry) for title, entry in seen.items() if isinstance(entry, list)})


def _zone(title: str, zone: Zone, usual: dict[str, str], begun: Counter[str]) -> tuple[Line, Line, Line]:
    called = gaps(zone.label.template.text) if zone.label is not None else ""
    if zone.per is not None:
        called = called.replace("‹key›", f"‹{type_words(zone.per).lower()}›")
    called = (
        f" (“{called}”)"
        if called and name(title).lower() not in called.lower() and not re.fullmatch("‹[^‹›]*›", called)
        else ""
    )
    parts: list[object] = [
        type_words(zone.holds),
        *([f"one for each {type_words(zone.per)}"] if zone.per is not None else []),
        *_manner(zone, usual),
    ]
    if zone.start is not None:
        begun_with = phrase_of(zone.start.text, _of_key(f"per {zone.per.text}" if zone.per else ""))
        words = code(zone.start.text, zone.start.span) if begun_with is None else TextRun(begun_with)
        held = f"{begun[title]} of them" if words.mark == "code" and begun[title] else words
        parts.append("everything begins here" if zone.start.text == "all" else line("begins with ", held))
    if zone.doc is not None:
        parts.append(prose(zone.doc.text))
    return (
        with_rules(line(TextRun(name(title), "strong"), called), ids_of(zone.cites)),
        joined(parts),
        line(_audience(zone)),
    )


def _audience(zone: StackOptions) -> str:
    who, seers = zone.counted_by, zone.seen_by
    as_seen = (
        who is not None
        and seers is not None
        and who.by is not None
        and seers.by is not None
        and who.by.text == seers.by.text
    )
    return "; ".join([seen(zone.seen_by), *([counted(who)] if who is not None and not as_seen else [])])


def _manner(zone: StackOptions, usual: dict[str, str]) -> list[object]:
    """Return the words for how components lie in a zone, or on a cell of a board."""
    order = [ORDERS[zone.order.text]] if zone.order is not None and zone.order.text in ORDERS else []
    if zone.capacity is None:
        return list(order)
    most = worded(zone.capacity.text, zone.capacity.span)
    return [*order, line("at most ", usual.get(most.text, most))]


def _board(title: str, board: Board, usual: dict[str, str]) -> tuple[Line, Line, Line]:
    sizes = [worded(leaf.text).text for leaf in (board.rows, board.columns) if leaf is not None]
    size = " by ".join(sizes) or (worded(board.size.text).text if board.size is not None else "")
    if board.grows is not None:
        size = f"which grows from its first cell by at most {worded(board.grows.text).text} in each direction"
    parts: list[object] = [f"a board ({board.shape.text}{', ' + size if size else ''})"]
    if board.cell_names:
        parts.append(f"the cells {listed([name(c.text) for c in board.cell_names])}")
    if board.cell_labels:
        parts.append("cells are called by the letter of the column and the number of the row, from below")
    if board.adjacency is not None:
        parts.append(f"neighbours are {NEIGHBOURS[board.adjacency.text]}")
    if board.attributes:
        parts.append(
            f"each cell has "
            f"{listed([f'{name(a.text)} ({type_words(kind)})' for a, kind in board.attributes])}"
        )
    if board.links:
        like = [
            ", ".join(
                [*([] if w.kind is None else [name(w.kind.text)]), *(name(v.span.text) for v in w.values)]
            )
            for w in board.links
        ]
        ways = (
            f"{name(w.first.text)} – {name(w.second.text)}{f' ({of})' if of else ''}"
            for w, of in zip(board.links, like, strict=True)
        )
        parts.append(f"the ways: {', '.join(ways)}")
    if board.edge is not None or board.corner is not None:
        are_places = (("edges", board.edge), ("corners", board.corner))
        words = " and ".join(word for word, part in are_places if part is not None)
        parts.append(f"its {words} are places")
    for word, kinds, values in (
        ("edge", board.edge_attributes, board.edge_values),
        ("corner", board.corner_attributes, board.corner_values),
    ):
        if kinds:
            rows = (
                (key.text, row.span.text.strip("[]{}").replace(":", ""))
                for key, row in getattr(values, "entries", ())
            )
            named = ", ".join(f"{key} ({name(row)})" for key, row in rows)
            has = listed([f"{name(a.text)} ({type_words(kind)})" for a, kind in kinds])
            parts.append(f"each {word} has {has}{': ' if named else ''}{named}")
    if board.stack is not None:
        parts.append(
            joined(
                [f"on each cell room for {type_words(board.stack.holds)}", *_manner(board.stack, usual)], ", "
            )
        )
    if board.doc is not None:
        parts.append(prose(board.doc.text))
    return (
        with_rules(line(TextRun(name(title), "strong")), ids_of(board.cites)),
        joined(parts),
        line(_audience(board.stack) if board.stack else ""),
    )


# ---------------------------------------------------------------- state
def state(doc: ResolvedRuleset, rules: RuleSentences) -> Iterator[Block]:
    """Yield the section on what is kept track of: what each value may be, where it begins, who sees it."""
    yield from rules.sentences(i for _, v in doc.state for i in ids_of(v.cites))
    details = (
        frozenset(d.text for d in doc.table.details or ()) if doc.table is not None else frozenset[str]()
    )
    agreed = frozenset(title.text for title, _ in doc.parameters)
    rows = [_variable(title.text, v, agreed) for title, v in doc.state if title.text not in details]
    yield from narrowed(TableBlock(("value", "what it may be", "at first", "who sees it"), tuple(rows)))
    for title, variable in doc.state:
        yield from grid(variable.start, f"{capital(name(title.text))} at first, row by row:")


def _variable(title: str, variable: StateVariable, agreed: frozenset[str]) -> tuple[Line, ...]:
    head = with_rules(line(TextRun(name(title), "strong")), ids_of(variable.cites))
    doc = [prose(variable.doc.text)] if variable.doc is not None else []
    if variable.declaration is None:
        assert variable.type is not None
        kind = variable.type.text
        begun = _unset(kind) if variable.start is None else _begun_with(variable.start, kind)
        begun = f"as agreed (“{begun}”)" if begun in map(name, agreed) else begun
        first = "as in the table below" if is_grid(variable.start) else begun
        return head, joined([type_words(variable.type), *doc]), line(first), line(seen(variable.seen_by))
    declared, _ = parse_declaration(variable.declaration.rule)
    if declared is None:
        return head, joined(doc), line(), line()
    start = line(
        _unset(declared.type.span.text)
        if declared.start is None
        else _beginning(declared.start, declared.type.span.text, agreed)
    )
    by = declared.seen_by.span.text if declared.seen_by is not None else "nobody"
    words = SEEN.get(by) or f"seen by {audience_words(by)}"
    return head, joined([in_words(declared.type.span.text), *doc]), start, line(words)


def _of_key(kind: str) -> Vocabulary:
    """The words of the ruleset for what a value of a type begins with: `key` is what it belongs to."""
    key = re.search(r"\bper (\w+)", kind)
    return current() if key is None else replace(current(), names={"key": f"the {name(key[1]).lower()}"})


def _begun_with(start: YamlNode, kind: str) -> str:
    """Return the words for a start that is written in YAML: a value, or an expression."""
    words = None
    if isinstance(start, YamlScalar) and not start.text.replace("_", "").isalnum():
        words = phrase_of(start.text, _of_key(kind))
    return value(start) if words is None else words


def _unset(kind: str) -> str:
    """Return the value of a type before anything is said of it; empty where the words of the type do not
    tell.
    """
    kind = re.sub(r"\s+per\b.*", "", " ".join(kind.split()))
    if kind.endswith("?"):
        return "none"
    if kind.startswith(("list of ", "set of ", "bag of ")):
        return "nothing"
    if kind == "bool":
        return "no"
    return "0" if re.match(r"(0|-\w+)\.\.|int\b", kind) else ""


def _beginning(start: n.Expr, kind: str, agreed: frozenset[str]) -> TextRun:
    """Return the words for what a value begins with: “the first of players”, or the expression as it is
    written.
    """
    match start:
        case n.Bool(value=one):
            return TextRun("yes" if one else "no")
        case n.Name(name=one) if one in agreed:
            return TextRun(f"as agreed (“{name(one)}”)")
        case n.Attr(target=n.Name(name=whole), name="first" | "last" as end):
            return TextRun(f"the {end} player" if whole == "players" else f"the {end} of {name(whole)}")
        case n.ListLit(items=()):
            return TextRun("nothing")
    words = phrase(start, _of_key(kind))
    return code(start.span.text, start.span) if words is None else TextRun(words)


# ---------------------------------------------------------------- types
def types(doc: ResolvedRuleset, rules: RuleSentences) -> Iterator[Block]:
    """Enumerations with their values and columns, records with their fields."""
    for title, form in doc.types:
        if isinstance(form, RecordType) and form.doc is None and not form.cites:
            continue
        yield HeadingBlock(3, name(title.text))
        yield from explained(form, rules)
        if isinstance(form, RecordType):
            yield Paragraph(
                line(
                    "Consists of ",
                    listed([f"{name(f.text)} ({type_words(kind)})" for f, kind in form.record]),
                    "." if form.label is None else f", and is called “{gaps(form.label.template.text)}”.",
                )
            )
        elif not isinstance(form, Enumeration):
            yield Paragraph(line(f"{capital(type_words(form.type))}."))
        elif form.attributes:
            yield from narrowed(_values(form))
        else:
            values = [f"{name(v.name.text)}{_label(form, v.name)}" for v in form.values]
            yield Paragraph(line(f"One of {listed(values, 'or')}."))


def _values(form: Enumeration) -> TableBlock:
    """The values of an enumeration with their columns."""
    columns = [c.text for c, _ in form.attributes]
    rows: list[tuple[Line, ...]] = []
    for one in form.values:
        cells = {c.text: value(x) for c, x in one.cells}
        rows.append(
            (
                line(TextRun(name(one.name.text), "strong"), _label(form, one.name)),
                *(line(cells.get(c, "")) for c in columns),
            )
        )
    return TableBlock(("", *(name(c) for c in columns)), tuple(rows))


def _label(form: Enumeration, called: Text) -> str:
    """Return what players read instead of the name of a value, in brackets; empty if it is the name."""
    label = next((label.text for key, label in form.labels if key.text == called.text), "")
    return f" ({label})" if label and label != name(called.text) else ""
