"""A game that is played while the book is written: one whole turn of it, and its end.

The game has the usual players and options; who plays follows the first policy of the ruleset, or takes
anything that is allowed. What is shown of it is what the log tells.

A turn is what happens in the group of phases that each player has in turn; without one, a round of the
innermost phases that are repeated; where phases are repeated for something else, the whole game; without any
groups, what one player decides until somebody else does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from croupier.authoring.rulebook.document import Example, Line, TextRun, line
from croupier.authoring.rulebook.moments import Moment, differing, moment_of
from croupier.authoring.rulebook.wording import name
from croupier.diagnostics import RulesetError
from croupier.narration import Names, narrate
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.score_parts import score_columns
from croupier.ruleset import Ruleset
from croupier.runtime.events import Event
from croupier.runtime.faults import Fault
from croupier.runtime.state import State
from croupier.schema import Phase, Text
from croupier.table.text_drawing import IN_ROWS
from croupier.text import Seat

PLAYERS = Names(("Anna", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jana"))
MOST_STEPS = 1500  # of the game
MOST_TURNS = 12  # of which the one that is shown is chosen
FEW_LINES = 10  # of what is told of a turn, if one is as short
MOST_LINES = 14  # of what is told of a turn, and of an end
MOST_LETTERS = 1600
MOST_OF_A_GAME = 40  # lines, if the whole game is told
MOST_LETTERS_OF_A_GAME = 3200
LAST_LINES = 4  # of what is told of the end then
GAME = "game"
_OF_PLAYERS = re.compile(r"\w+ in (?:turns|seats|clockwise|players|\w+\(\)$)")
_OF_NUMBERS = re.compile(r"\w+ in \w+\.\.")


@dataclass(frozen=True, slots=True)
class Unit:
    """What a turn is: the phase with whose beginning it begins (`None`: another player decides, or the game
    begins), and what it is called.
    """

    title: re.Pattern[str] | None
    kind: str  # of the events of that phase
    called: str

    @property
    def is_game(self) -> bool:
        """Tell whether the whole game is meant."""
        return self.called == GAME


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn that was played: the table before and after it, and its events."""

    before: Moment
    after: Moment
    events: Sequence[Event]
    seat: int | None

    def course(self) -> tuple[Line, ...]:
        """What the log tells."""
        return told_by_log(self.events, self.before.common.players, PLAYERS)


@dataclass
class Played:
    """A game that was played: its first turns, and its end if it was reached."""

    unit: Unit
    turns: list[PlayedTurn] = field(default_factory=list)
    end: State | None = None
    last: int = 0  # where its last turn begins, among the events

    def a_turn(self) -> Example | None:
        """The turn in which most happens, among those that are short enough to read; `None` if there is
        none.
        """
        told = [(turn, turn.course()) for turn in self.turns]
        limits = (MOST_OF_A_GAME, MOST_LETTERS_OF_A_GAME) if self.unit.is_game else (MOST_LINES, MOST_LETTERS)
        readable = [pair for pair in told if pair[1] and is_readable(pair[1], *limits)]
        short = [pair for pair in readable if len(pair[1]) <= FEW_LINES] or readable
        if not short:
            return None
        turn, course = max(short, key=lambda pair: (len(pair[1]), letters(pair[1])))
        keys = differing(turn.before, turn.after)
        before = turn.before.shown(keys, PLAYERS, turn.after)
        after = turn.after.shown(keys, PLAYERS, turn.before)
        whose = f" of {PLAYERS.of(turn.seat)}" if turn.seat is not None else ""
        title = f"a whole {self.unit.called}{whose}"
        return Example(
            title, before.lines, course, after.lines, (), before=before.picture, after=after.picture
        )

    def its_end(self) -> Example | None:
        """The end of the game: what happens last, what everybody has then, and the scores."""
        if self.end is None:
            return None
        events = self.end.events(None)
        course = told_by_log(events[self.last :], self.end.players, PLAYERS)
        course = _last_of(course, LAST_LINES if self.unit.is_game else MOST_LINES)
        moment = moment_of(self.end, is_open=True)
        boards = [board for board in moment.common.boards if board.shape in IN_ROWS]
        picture = moment.shown([("board", board.name) for board in boards], PLAYERS).picture
        return Example("the end of a game", (), course, tuple(_standing(moment, self.end)), (), after=picture)


def _last_of(course: tuple[Line, ...], most: int) -> tuple[Line, ...]:
    """The last lines, as many as can be read."""
    kept = course[-most:]
    while len(kept) > 1 and letters(kept) > MOST_LETTERS:
        kept = kept[1:]
    return kept


def _standing(moment: Moment, end: State) -> Iterator[Line]:
    """Yield a line for each player at the end: what is theirs, and how their score comes about."""
    columns = score_columns(end)
    winners = end.outcome()["winners"] or ()
    for seat in range(end.players):
        lines = moment.shown(moment.of_seat(seat), PLAYERS).lines
        parts = [run for one in lines for run in one[1:]]
        words = "".join(run.text for run in parts).removeprefix(": ")
        numbers = [(c.name, c.values[seat]) for c in columns if c.kind == "score" or any(c.values)]
        if len(columns) == 1 and _is_said(words, numbers[0][1]):
            numbers = []
        score = ", ".join(f"{called} {number}" for called, number in numbers)
        found = "; ".join(part for part in (words, score) if part)
        won = " wins" if seat in winners else ""
        yield line(TextRun(f"{PLAYERS.of(seat)}{won}", "strong"), f": {found}" if found else "")


def _is_said(words: str, score: int) -> bool:
    """Tell whether the words for what a player has end in the score."""
    return bool(re.search(rf": {score}(?:;|$)", words))


def letters(course: Iterable[Line]) -> int:
    """Return the length of some lines."""
    return sum(len(run.text) for one in course for run in one)


def is_readable(
    course: Sequence[Line], most_lines: int = MOST_LINES, most_letters: int = MOST_LETTERS
) -> bool:
    """Tell whether lines are few and short enough for an example."""
    return len(course) <= most_lines and letters(course) <= most_letters


def told_by_log(events: Sequence[Event], players: int, names: Names) -> tuple[Line, ...]:
    """The lines that the log tells of some events, each phase named where it begins."""
    found: list[Line] = []
    for one in narrate(list(events), players=players):
        if one.text:
            head = name(names(one.title))
            parts: list[str | TextRun] = [TextRun(head, "em"), ": "] if head else []
            found.append(line(*parts, names(one.text)))
    return tuple(found)


# ---------------------------------------------------------------- what a turn is
def unit_of(ruleset: Ruleset) -> Unit:
    """Return what a turn of a game is."""
    for title, phase in ruleset.program.resolved.phases:
        groups = list(_groups(title, phase))
        own = next((g for g in groups if g[1].for_each is not None and _is_of_players(g[1].for_each)), None)
        if own is not None:
            return Unit(_pattern(own[0].text), "group", "turn")
        repeated = [g for g in groups if _is_round(g[1])]
        if repeated:
            return Unit(_pattern(_first_leaf(repeated[-1][1])), "phase", "round")
        if groups and groups[0][1].for_each is not None:
            return Unit(None, "", GAME)
    return Unit(None, "", "turn")


def _groups(title: Text, phase: Phase) -> Iterator[tuple[Text, Phase]]:
    """Yield a phase and those within it, the outermost first, without single phases of rules."""
    if phase.phases:
        yield title, phase
    for inner, part in phase.phases:
        yield from _groups(inner, part)


def _is_of_players(walk: Text) -> bool:
    return bool(_OF_PLAYERS.match(" ".join(walk.text.split())))


def _is_round(phase: Phase) -> bool:
    """Tell whether a group of phases is played again and again, and not for one thing after another."""
    if phase.for_each is not None:
        return bool(_OF_NUMBERS.match(phase.for_each.text))
    return phase.repeat is not None or phase.repeat_until is not None


def _first_leaf(phase: Phase) -> str:
    title, first = phase.phases[0]
    return _first_leaf(first) if first.phases else title.text


def _pattern(title: str) -> re.Pattern[str]:
    """The titles that a phase may have in a game: anything in its gaps, one or the other word of two."""
    parts = re.split(r"(\{[^{}]*\}|\w+\|\w+)", title)
    return re.compile("".join(".*" if k % 2 else re.escape(part) for k, part in enumerate(parts)))


# ---------------------------------------------------------------- playing
def play(ruleset: Ruleset) -> Played:
    """Play a game, and keep its first turns and its end."""
    played = Played(unit_of(ruleset))
    bots = (f"policy:{next(iter(ruleset.program.policies))}",) if ruleset.program.policies else ("random",)
    try:
        match = GameMatch(ruleset, MatchConfig(bots=bots, seed=1), light=True)
        _play(match, played)
    except (RulesetError, Fault):
        played.end = None
    return played


def _play(match: GameMatch, played: Played) -> None:
    begun: tuple[int, Moment, int | None] | None = None  # the turn that goes on
    known, seats = 0, tuple[int, ...]()
    for _ in range(MOST_STEPS):
        state = match.state
        events = state.events(None)
        deciding = _deciding(state)
        at = _beginning(played.unit, events, known, seats, deciding)
        known, seats = len(events), deciding or seats
        if at is not None and at < len(events):
            whose = _owner(events[at])
        else:
            whose = deciding[0] if len(deciding) == 1 else None
        if at is not None:
            played.last = at
            if begun is not None and len(played.turns) < MOST_TURNS:
                played.turns.append(PlayedTurn(begun[1], moment_of(state), events[begun[0] : at], begun[2]))
            begun = None if len(played.turns) == MOST_TURNS else (at, moment_of(state), whose)
        if state.is_terminal():
            if played.unit.is_game and begun is not None:
                played.turns.append(PlayedTurn(begun[1], moment_of(state), events[begun[0] :], None))
            played.end = state
            return
        match.step()


def _deciding(state: State) -> tuple[int, ...]:
    """The seats that decide; none if chance does, or nobody any more."""
    return () if state.is_terminal() or state.is_chance_node() else tuple(state.pending_seats())


def _owner(event: Event) -> int | None:
    """The player who is named in the title of a phase; `None` if none is."""
    return next((part.seat for part in event.text.parts if isinstance(part, Seat)), None)


def _beginning(
    unit: Unit, events: Sequence[Event], known: int, last: tuple[int, ...], deciding: tuple[int, ...]
) -> int | None:
    """Where a turn begins among the events behind the first `known`; `None` if none does."""
    if unit.is_game:
        return 0 if not known else None
    if unit.title is None:
        return len(events) if deciding and (deciding != last or len(deciding) > 1) else None
    title = unit.title
    return next(
        (
            at
            for at in range(known, len(events))
            if events[at].kind == unit.kind and title.fullmatch(str(events[at].text))
        ),
        None,
    )
