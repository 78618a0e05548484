"""The table that a seat sees, as lines of text: boards as grids, zones, values, and the numbers of options.

Used by the terminal, which gives words their colours, and by the rulebook. Lines are sanitised; nothing here
knows what the text is put into.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from textwrap import wrap

from croupier.diagnostics import sanitise
from croupier.narration import Names
from croupier.runtime.wording import counted
from croupier.table.view import Board, Cell, KnownFact, Seat, Thing, Value, View, ZoneView

# ---------------------------------------------------------------- signs
EMPTY, SHORT, WIDEST = "·", 3, 110


def _signs(
    words: list[str], wanted: Mapping[str, str], say: Callable[[str], str] = sanitise
) -> dict[str, str]:
    """A distinct sign for each word: the one in `wanted`, the word if it is short, else a letter for each of
    its parts or as many letters as needed. A part has the same letter in all words of as many parts:
    `rt red-theft, ru red-turn, bu blue-turn`.
    """
    times = Counter(wanted.get(word, word) for word in words)
    signs = {
        word: sanitise(wanted[word])
        for word in words
        if word in wanted and times[wanted[word]] == 1 and len(wanted[word]) <= SHORT
    }
    taken = {*signs.values(), *(word for word in words if len(word) <= SHORT)}
    long = [word for word in words if word not in signs and len(word) > SHORT]
    letter_of = _part_letters([_parts(say(word)) for word in long])
    signs |= {word: sanitise(word) for word in words if len(word) <= SHORT and word not in signs}
    for word in words:
        if word in signs:
            continue
        clean, parts = sanitise(word), _parts(say(word))
        letters = "".join(parts)
        initials = "".join(letter_of[len(parts), at, part] for at, part in enumerate(parts[:SHORT]))
        tries = [initials, *(letters[:k] for k in range(1, len(letters) + 1)), clean]
        signs[word] = next((sign for sign in tries if sign and sign not in taken), clean)
        taken.add(signs[word])
    return signs


def _parts(word: str) -> list[str]:
    """The words that a text consists of, without the `'s` of a name."""
    return [part for part in re.split(r"[\W_]+", re.sub(r"['’]s\b", "", sanitise(word))) if part]


def _part_letters(words: list[list[str]]) -> dict[tuple[int, int, str], str]:
    """A letter for each part of some words, by how many parts its word has and at which place it stands: its
    first one that no other part there has; its first one where all are taken, or where the words have one
    part.
    """
    found: dict[tuple[int, int, str], str] = {}
    for count, at, part in sorted({(len(word), at, part) for word in words for at, part in enumerate(word)}):
        taken = (
            {letter for (size, place, _), letter in found.items() if (size, place) == (count, at)}
            if count > 1
            else set[str]()
        )
        found[count, at, part] = next((letter for letter in part if letter not in taken), part[0])
    return found


# ---------------------------------------------------------------- table
# Boards, common zones, the zones of each player, the numbers of options.
IN_ROWS = ("rectangle", "hex")
PARTS = ("edges", "corners")
NOTHING = ("none", "no", "0", "")
Numbers = Mapping[int, int | None]
Dye = Callable[[str, str], str]


def undyed(words: str, colour: str) -> str:
    """Words without a colour."""
    return words


@dataclass(frozen=True, slots=True)
class TableDrawing:
    """Draws parts of a view.

    `numbers` are those in front of the options, by action; `spoken`: boards cell by cell; `details`: with the
    values that rulesets leave out of it. `dye` gives words a colour (`#rrggbb`; empty: none); `beside` are
    words on other boards with which signs are shared (`words_on`).
    """

    names: Names
    numbers: Numbers = field(default_factory=dict)
    width: int = 100
    spoken: bool = False
    details: bool = False
    dye: Dye = undyed
    beside: Mapping[str, str] = field(default_factory=dict)

    def boards(self, boards: Sequence[Board]) -> Iterator[str]:
        """The boards, each with its edges and corners."""
        parts = {board.name: board for board in boards if board.shape in PARTS and board.rows > 1}
        for board in boards:
            if board.name not in parts:
                own = [part for shape in PARTS if (part := parts.get(f"{board.name} {shape}")) is not None]
                yield from self.lattice(board, own) if own and not self.spoken else self.board(board)
        for part in parts.values() if self.spoken else ():
            yield from self.board(part)

    def board(self, board: Board) -> Iterator[str]:
        if board.shape in PARTS and not any(cell.options or any(in_cell(cell)) for cell in board.cells):
            return
        yield self.say(board.name)
        if board.shape in IN_ROWS and not self.spoken:
            for line in self.grid(board):
                is_legend = ", " in line and len(line) + 2 > self.width
                yield from self.wrapped("  ", line) if is_legend else (f"  {line}",)
            return
        for cell in board.cells:
            if (self.spoken or board.shape in PARTS) and not cell.options and not any(in_cell(cell)):
                continue
            alone = len(cell.zones) == 1
            words = [self.contents(zone) if alone else self.zone(zone) for zone in cell.zones if holds(zone)]
            words += map(self.value, cell.values)
            yield from self.wrapped(
                "  ", f"{self.mark(cell.options)}{self.say(cell.name)}: {' · '.join(words) or '–'}"
            )

    def grid(self, board: Board) -> list[str]:
        """The lines of a board of rows, without indentation: rows and columns with what they are called, a
        short sign for each component, and a legend. If cells hold too much for that, they are listed, without
        the empty ones.
        """
        words = {(cell.row, cell.column): tuple(in_cell(cell)) for cell in board.cells}
        present = {word for held in words.values() for word in held}
        signs, dye = self.signs(board), self.dyed_on(board)
        rows, columns = board.row_heads, board.column_heads
        texts = {at: ",".join(dye(signs[word], word) for word in held) or EMPTY for at, held in words.items()}
        width = max(map(len, texts.values()))
        margin = max(map(len, rows))
        if margin + (width + 1) * len(columns) > WIDEST:
            found = [
                f"{cell.name}: [{', '.join(dye(self.say(word), word) for word in held)}]"
                for cell in board.cells
                if (held := words[cell.row, cell.column])
            ]
            return [*found, "all other cells: []"]
        width = max(width, *map(len, columns))
        lines = [" " * margin + "".join(f" {head:<{width}}" for head in columns).rstrip()]
        for r, head in enumerate(rows):
            shift = " " * (r * (width + 1) // 2) if board.shape == "hex" else ""
            row = "".join(f" {texts.get((r, c), ' '):<{width}}" for c in range(board.columns))
            lines.append(f"{head:>{margin}}{shift}{row.rstrip()}")
        meant = [
            f"{dye(sign, word)} {dye(self.say(word), word)}"
            for word, sign in signs.items()
            if word in present and sign != self.say(word)
        ]
        legend = [", ".join(meant)] if meant else []
        if any(len(held) > 1 for held in words.values()):
            legend.append("in a cell from the bottom to the top")
        return [*lines, "; ".join(legend)] if legend else lines

    def signs(self, board: Board) -> dict[str, str]:
        """The sign of everything that is on the cells of a board, or beside it, by the words for it."""
        own = words_on([board])
        wanted = {word: sign for word, sign in (*self.beside.items(), *own.items()) if sign}
        return _signs(sorted({*own, *self.beside}), wanted, self.say)

    def dyed_on(self, *boards: Board) -> Callable[[str, str], str]:
        """What gives a text the colour of a component on some boards, by what that is called."""
        zones = (zone for board in boards for cell in board.cells for zone in cell.zones)
        colours: dict[str, str] = {thing.label: thing.colour for zone in zones for thing in zone.things or ()}
        return lambda text, word: self.dye(text, colours.get(word, ""))

    def lattice(self, board: Board, parts: Sequence[Board]) -> Iterator[str]:
        """A board of squares with what is on edges and corners, between the rows and columns of cells."""
        held = {(2 * cell.row + 1, 2 * cell.column + 1): tuple(in_cell(cell)) for cell in board.cells}
        held |= {(place.row, place.column): tuple(in_cell(place)) for part in parts for place in part.cells}
        edges = [place for part in parts if part.shape == "edges" for place in part.cells]
        drawn = {value.name for place in edges for value in place.values if value.text == "yes"}
        signs = _signs(sorted({word for words in held.values() for word in words if word not in drawn}), {})
        high, wide = 2 * board.rows + 1, 2 * board.columns + 1
        lines = dict.fromkeys(drawn, "│") if len(drawn) == 1 else {word: sanitise(word) for word in drawn}
        texts = {at: ",".join(signs.get(word) or lines[word] for word in words) for at, words in held.items()}
        middle = max(3, *(len(text) for (_, k), text in texts.items() if k % 2))
        narrow = max(1, *(len(text) for (_, k), text in texts.items() if k % 2 == 0))
        numbers, head = board.row_heads, board.column_heads
        margin = max(map(len, numbers))
        yield self.say(board.name)
        yield "  " + (" " * (margin + 1) + "".join(" " * narrow + f"{k:^{middle}}" for k in head)).rstrip()
        for r in range(high):
            line = [f"{numbers[r // 2]:>{margin}} " if r % 2 else " " * (margin + 1)]
            for k in range(wide):
                text = texts.get((r, k), "") or _empty_spot(r, k)
                if text == "│" and r % 2 == 0:
                    text = "─" * middle
                line.append(f"{text:^{middle if k % 2 else narrow}}")
            yield "  " + "".join(line).rstrip()
        dye = self.dyed_on(board, *parts)
        meant = [
            f"{sign} {dye(self.say(word), word)}" for word, sign in signs.items() if sign != sanitise(word)
        ]
        if meant:
            yield from self.wrapped("  ", ", ".join(meant))

    def area(
        self, indent: str, zones: Sequence[ZoneView], values: Sequence[Value], seat: int | None = None
    ) -> Iterator[str]:
        for group, some in groupby((zone for zone in zones if holds(zone)), key=lambda zone: zone.group):
            if group:
                yield from self.wrapped(
                    indent, f"{self.say(group)} — {' · '.join(self.zone(zone, seat) for zone in some)}"
                )
            else:
                for zone in some:
                    yield from self.wrapped(indent, self.zone(zone, seat))
        if empty := list(self.empty(zones, seat)):
            yield from self.wrapped(indent, f"empty: {', '.join(empty)}")
        shown = [
            self.value(value)
            for value in values
            if not value.is_detail or (self.details and value.text not in NOTHING)
        ]
        if shown:
            yield from self.wrapped(indent, " · ".join(shown))

    def empty(self, zones: Sequence[ZoneView], seat: int | None) -> Iterator[str]:
        """Empty zones; a family whose zones are all empty is one entry with its name."""
        families: dict[str, list[ZoneView]] = {}
        for zone in zones:
            families.setdefault(zone.zone, []).append(zone)
        for family, members in families.items():
            if len(members) > 1 and not any(map(holds, members)):
                yield f"{self.say(family.replace('_', ' '))} ({len(members)} zones)"
            else:
                yield from (self.title(zone, seat) for zone in members if not holds(zone))

    def title(self, zone: ZoneView, seat: int | None = None) -> str:
        """A zone by its title; below a player's name without that name."""
        return self.say(zone.title if seat is None else zone.short or zone.title)

    def zone(self, zone: ZoneView, seat: int | None = None) -> str:
        number = (
            f" ({zone.count})"
            if zone.count is not None and zone.count > 3 and zone.things is not None
            else ""
        )
        return f"{self.mark(zone.options)}{self.title(zone, seat)}{number}: {self.contents(zone)}"

    def contents(self, zone: ZoneView) -> str:
        if zone.count is None:
            return "?"
        return (
            f"{zone.count} face down"
            if zone.things is None
            else ", ".join(counted([self.thing(thing) for thing in zone.things]))
        )

    def thing(self, thing: Thing) -> str:
        worn = [(name, text) for name, text in thing.attributes if name in thing.changing]
        shows = [self.say(_attribute_words(name, text)) for name, text in worn]
        state = f" ({', '.join(shows)})" if shows else ""
        label = self.dye(self.say(thing.label), thing.colour)
        symbol = f"{sanitise(thing.symbol)} " if thing.symbol and thing.symbol not in thing.label else ""
        return f"{self.mark(thing.options)}{symbol}{label}{state}"

    def value(self, value: Value) -> str:
        return (
            f"{self.say(value.name)}: "
            f"{f'{sanitise(value.symbol)} ' if value.symbol else ''}{self.say(value.text)}"
        )

    def mark(self, options: Sequence[int]) -> str:
        """The number of the only option that concerns something."""
        number = self.numbers.get(options[0]) if len(options) == 1 else None
        return "" if number is None else f"[{number}] "

    def standing(self, seat: Seat, view: View) -> str:
        told = ["you"] * (seat.seat == view.viewer) + ["to act"] * seat.is_acting + ["wins"] * seat.is_winner
        return f" ({', '.join(told)})" if told else ""

    def say(self, text: str) -> str:
        return sanitise(self.names(text))

    def wrapped(self, indent: str, text: str) -> Iterator[str]:
        lines = wrap(
            text, max(20, self.width - len(indent)), subsequent_indent="    ", break_on_hyphens=False
        )
        yield from (f"{indent}{line}" for line in lines)

    def known(self, facts: Sequence[KnownFact]) -> Iterator[str]:
        """What the seat was shown or told, and others were not: a line each, with when."""
        if facts:
            yield "  you know"
        for fact in facts:
            when = f"{sanitise(self.names(fact.when))}: " if fact.when else ""
            words = f"{when}{sanitise(self.names(fact.text))}"
            yield from wrap(words, self.width, initial_indent=" " * 4, subsequent_indent=" " * 6)


def words_on(boards: Iterable[Board]) -> dict[str, str]:
    """The words on the cells of some boards, each with the sign that the ruleset gives it, or none."""
    found: dict[str, str] = {}
    for board in boards:
        things = (thing for cell in board.cells for zone in cell.zones for thing in zone.things or ())
        given: dict[str, str] = {thing.label: "".join(thing.large) or thing.symbol for thing in things}
        given |= {value.text: value.symbol for cell in board.cells for value in cell.values}
        found |= {word: given.get(word, "") for cell in board.cells for word in in_cell(cell)}
    return found


def _empty_spot(row: int, column: int) -> str:
    """Return the sign of a spot of a lattice where nothing is: a corner (even, even), a cell (odd, odd) or
    an edge.
    """
    if row % 2 == 0 and column % 2 == 0:
        return "+"
    return EMPTY if row % 2 and column % 2 else ""


def _attribute_words(name: str, value: str) -> str:
    """Return an attribute in words: `tapped`, `damage 3` or the mere value."""
    if value == "yes":
        return name
    return f"{name} {value}" if value.isdecimal() else value


def holds(zone: ZoneView) -> bool:
    """Tell whether the zone holds something, as far as the viewer knows."""
    return zone.count != 0


def in_cell(cell: Cell) -> Iterator[str]:
    """Yield the words for what is on a cell: components from the bottom to the top, then values."""
    for zone in cell.zones:
        if zone.things is None:
            yield from ["?"] * (1 if zone.count is None else zone.count)
        else:
            yield from (thing.label for thing in zone.things)
    for attribute in cell.values:
        if attribute.text not in ("none", "no") and not attribute.is_detail:
            yield attribute.text if attribute.text != "yes" else attribute.name
