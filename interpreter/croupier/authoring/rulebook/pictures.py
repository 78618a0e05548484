"""Pictures of a rulebook: what is in the box, and the table when the first player begins.

Drawn from views, so from what the ruleset declares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import cos, pi, sin, sqrt
from textwrap import wrap

from croupier.authoring.rulebook.document import PictureBlock
from croupier.authoring.rulebook.wording import capital
from croupier.diagnostics import RulesetError
from croupier.diagnostics.markup import escaped
from croupier.narration import Names
from croupier.ruleset import Ruleset
from croupier.runtime.faults import Fault
from croupier.runtime.state import SPECTATOR, State
from croupier.runtime.streams import Stream
from croupier.runtime.wording import counted
from croupier.semantics.program import Program
from croupier.table import Board, Cell, Thing, View, ZoneView, view
from croupier.table.text_drawing import IN_ROWS, TableDrawing, in_cell
from croupier.text import Text

WIDTH = 720
CARD, GAP, LINE = 46, 6, 16  # the height of a card, what is between things, the height of a line of words
LETTER = 6.2  # the width of a letter of 11 px
BACKS = 130  # the width of what lies face down
MOST = 60  # different components
MOST_IN_A_ROW = 14  # of a zone
MOST_STEPS = 400  # until the first player begins
SIDE = 40  # of a cell
TEXT_WIDTH = 90  # of a board as text, in letters
MOST_LETTERS = 95  # of a row of words
PLAIN = "#e9e2d2"
GRID = ("rectangle", "hex")
PARTS = ("edges", "corners")


class Canvas:
    """Gathers shapes from the top down, a row after another."""

    def __init__(self) -> None:
        self.shapes: list[str] = []
        # where the next thing is drawn, and how high the row is so far
        self.x, self.y, self.row = 0.0, 0.0, 0.0

    def words(self, text: str, *, strong: bool = False) -> None:
        """A line of words on a row of its own."""
        self.end_row()
        weight = ' font-weight="bold"' if strong else ""
        self.shapes.append(
            f'<text x="0" y="{self.y + 12:.0f}" font-size="12" '
            f'fill="currentColor"{weight}>{escaped(text)}</text>'
        )
        self.y += LINE + 2

    def zone(self, zone: ZoneView, title: Text) -> None:
        """A zone with what lies in it, beside the one before if there is room."""
        things = () if zone.things is None else zone.things[:MOST_IN_A_ROW]
        wide = sum(width_of(thing.label) + GAP for thing in things) if zone.things is not None else BACKS
        if self.x + max(wide, LETTER * len(title)) > WIDTH:
            self.end_row()
        left, top = self.x, self.y
        self.shapes.append(
            f'<text x="{left:.0f}" y="{top + 12:.0f}" font-size="11" '
            f'fill="currentColor">{escaped(title)}</text>'
        )
        self.y += LINE
        if zone.things is None:
            self.backs(zone.count)
        for thing in things:
            self.card(thing.label, sign_of(thing), thing.colour)
        if self.y == top + LINE:
            self.x = max(self.x, left + LETTER * len(title)) + 2 * GAP
            self.y = top
            self.row = LINE + CARD
        else:
            self.end_row()

    def card(self, label: str, sign: str, colour: str, number: int = 1) -> None:
        """A component: its colour, what is large on it, what it is called, and how many there are."""
        name = f"{number} × {label}" if number > 1 else label
        width = width_of(name)
        if self.x + width > WIDTH:
            self.end_row()
        fill = colour or PLAIN
        ink = "#fff" if is_dark(fill) else "#111"
        middle = self.x + width / 2
        self.box(self.x, self.y, width, CARD, fill)
        if sign:
            self.text(middle, self.y + 20, 16, ink, sign)
        self.text(middle, self.y + (38 if sign else 28), 11, ink, name)
        self.x += width + GAP
        self.row = CARD

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """A box with round corners."""
        self.shapes.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="5" '
            f'fill="{escaped(fill)}" stroke="#666"/>'
        )

    def text(self, x: float, y: float, size: int, ink: str, words: str) -> None:
        """Words around a place."""
        self.shapes.append(
            f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{ink}" '
            f'text-anchor="middle">{escaped(words)}</text>'
        )

    def backs(self, count: int | None) -> None:
        """Components that lie face down."""
        for i in range(min(count or 1, 3)):
            self.box(self.x + 5 * i, self.y, 30, CARD, "#8a8170")
        self.text(
            self.x + 85, self.y + 28, 11, "currentColor", f"{'?' if count is None else count} face down"
        )
        self.x += BACKS
        self.row = CARD

    def end_row(self) -> None:
        """Go on below what was drawn."""
        if self.row:
            self.x, self.y, self.row = 0.0, self.y + self.row + GAP, 0.0

    def board(self, board: Board, parts: Sequence[Board] = ()) -> None:
        """A board with what is seen on top of each cell, or else what is said of it, and what lies on its
        edges and corners; below it what the signs on it mean.
        """
        drawing = TableDrawing(Names())
        signs = drawing.signs(board)
        self.end_row()
        is_grid, is_hex = board.shape in GRID, board.shape == "hex"
        side = SIDE if is_grid else 62
        # from row to row, from the middle of a cell to its top
        rise, rim = (sqrt(3) / 2, 1 / sqrt(3)) if is_hex else (1.0, 0.5)
        span = max(5, len(board.cells)) ** 0.5 * side * 1.7

        def at(column: float, row: float) -> tuple[float, float]:
            return (column + 0.5) * side, self.y + (row * rise + rim) * side

        spots = [
            at(column_of(c, is_hex=is_hex), c.row)
            if is_grid
            else (c.x * span + side / 2, self.y + c.y * span)
            for c in board.cells
        ]
        top = 0.0 if is_grid else max(0.0, self.y + side / 2 - min(y for _, y in spots))
        for a, b in board.links:
            (x, y), (u, v) = spots[a], spots[b]
            self.shapes.append(
                f'<line x1="{x:.0f}" y1="{y + top:.0f}" x2="{u:.0f}" y2="{v + top:.0f}" stroke="#999"/>'
            )
        for cell, (x, y) in zip(board.cells, spots, strict=True):
            things = [thing for zone in cell.zones for thing in zone.things or ()]
            fill, ink, sign = "none", "currentColor", ""
            if things:
                last = things[-1]
                fill = last.colour or PLAIN
                ink = "#fff" if is_dark(fill) else "#111"
                sign = sign_of(last) or last.label
            elif is_grid and cell.values:
                sign = ",".join(signs[word] for word in in_cell(cell))
                fill = next((value.colour for value in cell.values if value.colour), "none")
                ink = "#fff" if fill != "none" and is_dark(fill) else ink
            words = sign or ("" if is_grid else cell.name)
            size = 15 if len(sign) == 1 else max(7, min(11, int(side * 1.7 / max(1, len(words)))))
            half = side / 2 - 2
            if is_hex:
                around = (
                    (x + 2 * half * rim * sin(n * pi / 3), y + 2 * half * rim * cos(n * pi / 3))
                    for n in range(6)
                )
                self.shapes.append(
                    f'<polygon points="{" ".join(f"{u:.1f},{v:.1f}" for u, v in around)}" '
                    f'fill="{escaped(fill)}" stroke="#666"/>'
                )
            else:
                self.box(x - half, y + top - half, 2 * half, 2 * half, fill)
            self.text(x, y + top + 4, size, ink, words)
        for part in parts:
            for place in part.cells:
                held = [thing for zone in place.zones for thing in zone.things or ()]
                marks = [
                    one.text
                    for one in place.values
                    if not one.is_detail and one.text not in ("none", "no", "0")
                ]
                if held or marks:
                    x, y = at(*where_on(board, part.shape, place))
                    colour, sign = (
                        (held[-1].colour, sign_of(held[-1]) or held[-1].label)
                        if held
                        else ("", mark_of(marks[0]))
                    )
                    self.shapes.append(
                        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="7" fill="{escaped(colour or PLAIN)}" '
                        f'stroke="#666"/>'
                    )
                    self.text(x, y + 3, 8, "#111", sign[:3])
        self.y = max(y for _, y in spots) + top + (rim if is_grid else 0.5) * side + GAP
        said = {value.text for cell in board.cells for value in cell.values} if is_grid else set[str]()
        meant = [
            f"{sign} {drawing.say(word)}" for word, sign in signs.items() if word in said and sign != word
        ]
        for row in wrap(", ".join(meant), MOST_LETTERS):
            self.words(row)

    def svg(self, title: str) -> str:
        """The picture."""
        self.end_row()
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {WIDTH + 4} {self.y + 4:.0f}" '
            f'role="img" font-family="Verdana, sans-serif">'
        )
        return f"{head}<title>{escaped(title)}</title>{''.join(self.shapes)}</svg>"


def mark_of(words: Text) -> str:
    """What is written on a board for a value: of a player the number."""
    return str(words) if words.seat is None else str(words.seat + 1)


def column_of(cell: Cell, *, is_hex: bool) -> float:
    """Return how many columns a cell is from the left; rows of hexagons are shifted by half a column each."""
    return cell.column + (cell.row / 2 if is_hex else 0)


def where_on(board: Board, shape: str, place: Cell) -> tuple[float, float]:
    """The column and the row of a board at which one of its edges or corners lies: on hexagons `x` and `y` go
    from the outermost to the outermost.
    """
    if board.shape != "hex":
        return place.column / 2 - 0.5, place.row / 2 - 0.5
    columns, rows = [column_of(c, is_hex=True) for c in board.cells], [c.row for c in board.cells]
    rim = 2 / 3 if shape == "corners" else 1 / 2
    left, right, top, bottom = min(columns) - 0.5, max(columns) + 0.5, min(rows) - rim, max(rows) + rim
    return left + place.x * (right - left), top + place.y * (bottom - top)


def parts_of(board: Board, boards: Iterable[Board]) -> list[Board]:
    """The edges and corners of a board, which are drawn on it."""
    return [one for one in boards if one.shape in PARTS and one.name == f"{board.name} {one.shape}"]


def width_of(name: str) -> float:
    """Return the width of a card with a name, in pixels."""
    return min(float(WIDTH), max(34.0, LETTER * len(name) + 10))


def is_dark(colour: str) -> bool:
    """Tell whether text on a colour (`#rrggbb`) has to be white, by its relative luminance (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] < 0.18


def sign_of(thing: Thing) -> str:
    """Return what is large on a component."""
    return " ".join(thing.large) or thing.symbol


def in_the_box(ruleset: Ruleset) -> Iterator[PictureBlock]:
    """Each component that there is, once, with how many there are of it; nothing where none has a look or a
    number of its own.
    """
    if not ruleset.program.looks.values:
        return
    seen = view(ruleset.new_initial_state(), None)
    things: dict[tuple[str, str], tuple[Thing, int]] = {}
    for zone in zones_of(seen):
        for thing in zone.things or ():
            first, number = things.get((thing.kind, thing.label), (thing, 0))
            things[thing.kind, thing.label] = first, number + 1
    canvas = Canvas()
    for kind in dict.fromkeys(kind for kind, _ in things):
        canvas.words(kind.replace("_", " "), strong=True)
        mine = [pair for (of, _), pair in things.items() if of == kind]
        for thing, number in mine[:MOST]:
            canvas.card(thing.label, sign_of(thing), thing.colour, number)
        if len(mine) > MOST:
            canvas.words(f"and {len(mine) - MOST} more")
    if canvas.shapes:
        yield PictureBlock(canvas.svg("what is in the box"), "What is in the box", ())


def table_set_up(ruleset: Ruleset) -> Iterator[PictureBlock]:
    """The table as everybody sees it when the first player decides after the set-up; chance falls in one of
    the ways that it may.
    """
    state = first_decision(ruleset)
    if state is None:
        return
    seen = view(state, SPECTATOR)
    rolled = _rolled(ruleset, seen)
    canvas = Canvas()
    parts = {board.name: parts_of(board, seen.boards) for board in seen.boards}
    drawn_on = {one.name for mine in parts.values() for one in mine}
    for board in seen.boards:
        if board.name not in drawn_on:
            canvas.words(board.name, strong=True)
            canvas.board(board, parts[board.name])
    told = [(None, seen.zones), *((seat.seat, seat.zones) for seat in seen.seats)]
    said: list[str] = []
    for owner, zones in told:
        lying = [zone for zone in zones if zone.count != 0]
        if lying and owner is not None:
            canvas.words(f"player {owner + 1}", strong=True)
        for zone in lying:
            canvas.zone(zone, zone.title if owner is None else zone.short or zone.title)
        if owner is None:
            said += (words for board in seen.boards for words in on_board(board))
        said += (
            f"{in_words(zone)} (as they happen to be rolled)" if zone.title in rolled else in_words(zone)
            for zone in lying
        )
    if canvas.shapes:
        caption = f"The table of {seen.players} when the first player begins"
        yield PictureBlock(canvas.svg(caption), caption, tuple(said), as_text(seen.boards))


def _rolled(ruleset: Ruleset, seen: View) -> frozenset[str]:
    """The titles of the zones in which something lies that is rolled, and shows something else in another
    game.
    """
    kinds = {title for title, component in ruleset.program.classes.items() if component.rolls is not None}
    shown = {
        zone.title: dice
        for zone in zones_of(seen)
        if (dice := [thing.label for thing in zone.things or () if thing.kind in kinds])
    }
    other = first_decision(ruleset, 2) if shown else None
    again: dict[str, list[str]] = {}
    if other is not None:
        for zone in zones_of(view(other, SPECTATOR)):
            again[zone.title] = [thing.label for thing in zone.things or ()]
    return frozenset(
        title
        for title, dice in shown.items()
        if len(again.get(title, ())) == len(dice) and again[title] != dice
    )


def in_words(zone: ZoneView) -> str:
    """Return a zone and its contents in words."""
    return f"{zone.title}: {contents(zone)}"


def contents(zone: ZoneView) -> str:
    """Return the contents of a zone in words."""
    if zone.things is None:
        return f"{'?' if zone.count is None else zone.count} face down"
    return ", ".join(counted([thing.label for thing in zone.things[:MOST]]))


def on_board(board: Board) -> Iterator[str]:
    """Yield the contents of the cells of a board that is no grid; nothing if it is empty."""
    if board.shape in IN_ROWS:
        return
    held = {cell: ", ".join(contents(zone) for zone in cell.zones if zone.count) for cell in board.cells}
    told = [f"{cell.name}: {words}" for cell, words in held.items() if words]
    if told:
        yield f"{board.name}: {'; '.join(told[:MOST])}{' …' if len(told) > MOST else ''}"


def board_begun(ruleset: Ruleset, called: str) -> Iterator[PictureBlock]:
    """The picture of a board that is a grid, as it is before anything happens; nothing of another board."""
    seen = view(ruleset.new_initial_state(), SPECTATOR)
    for board in seen.boards:
        if board.name == called and board.shape in IN_ROWS:
            canvas = Canvas()
            canvas.board(board, parts_of(board, seen.boards))
            yield PictureBlock(canvas.svg(called), capital(called), (), as_text([board]))


def as_text(boards: Iterable[Board]) -> tuple[str, ...]:
    """The rows of text pictures of the boards that are grids, if something lies on any."""
    grids = [board for board in boards if board.shape in IN_ROWS]
    if not any(words for board in grids for cell in board.cells for words in in_cell(cell)):
        return ()
    return tuple(TableDrawing(Names(), width=TEXT_WIDTH).boards(grids))


def zones_of(seen: View) -> Iterable[ZoneView]:
    """All zones of a view."""
    return (
        *seen.zones,
        *(z for s in seen.seats for z in s.zones),
        *(z for b in seen.boards for c in b.cells for z in c.zones),
    )


def first_decision(ruleset: Ruleset, number: int = 1) -> State | None:
    """Return the position at the first decision of a game behind the phases that happen once at the
    beginning; `None` if there is no such position.
    """
    try:
        state = ruleset.new_initial_state()
    except RulesetError:
        return None
    stream = Stream(1, number, "pictures")
    beginning = set(once(ruleset.program))
    for _ in range(MOST_STEPS):
        if state.is_terminal():
            return None
        phases = [event.text for event in state.events(None) if event.kind == "phase"]
        if not state.is_chance_node() and not (phases and phases[-1] in beginning):
            return state
        try:
            for seat in [None] if state.is_chance_node() else state.pending_seats():
                legal = state.legal_actions() if seat is None else state.legal_actions(seat)
                state.apply_action(legal[stream.uniform(len(legal))], *(() if seat is None else (seat,)))
        except Fault:
            return None
    return None


def once(program: Program) -> Iterator[str]:
    """The names of the phases before the first that is repeated, or before the last if its rules repeat
    it.
    """
    phases = program.resolved.phases
    repeated = (
        i
        for i, (_, phase) in enumerate(phases)
        if phase.text is None and any((phase.for_each, phase.repeat, phase.repeat_until))
    )
    for title, phase in phases[: next(repeated, len(phases) - 1)]:
        yield title.text
        yield from (inner.text for inner, _ in phase.phases)
