"""A game for people: what was played, the log with the rule behind each line, and the result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import unified_diff
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING

from croupier.diagnostics import sanitise
from croupier.play.agents import is_timed
from croupier.text import Seat, listed
from croupier.text import Text as Words

if TYPE_CHECKING:
    from rich.text import Text

    from croupier.narration import Names
    from croupier.play.record import GameRecord
    from croupier.play.score_parts import ScoreColumn
    from croupier.ruleset import Ruleset
    from croupier.runtime.events import Event
    from croupier.runtime.state import State


# ------------------------------------------------------------ words that several views need
def numbers(values: Iterable[int]) -> str:
    """Whole numbers with runs joined: `2-4, 6`."""
    ordered = sorted(set(values))
    runs = [
        [number for _, number in group]
        for _, group in groupby(enumerate(ordered), key=lambda pair: pair[1] - pair[0])
    ]
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def seats(values: Sequence[int], names: Names | None = None) -> str:
    """Seats counted from 0, as people read them: `player 1`, `players 1 and 3`, `Anna and player 3`."""
    if not values:
        return "nobody"
    numbered = [str(Seat(seat)) for seat in values]
    said = numbered if names is None else [names.of(seat) for seat in values]
    if said == numbered and len(values) > 1:
        return f"players {listed([str(seat + 1) for seat in values])}"
    return str(listed(said))


def bots(names: Sequence[str]) -> str:
    """The names of the bots, once if they are all the same."""
    return ", ".join(names if len(set(names)) > 1 else names[:1])


def seeded(seed: int, names: Sequence[str]) -> str:
    """The words for the seed, and for bots with which it does not give the same game again."""
    by_clock = any(map(is_timed, names))
    return f"seed {seed}" + (", not reproducible: bots think by the clock" if by_clock else "")


def value(thing: object) -> str:
    """A JSON value on one line, as people read it."""
    if isinstance(thing, str):
        return sanitise(thing)
    if thing is None:
        return "none"
    if isinstance(thing, bool):
        return "true" if thing else "false"
    if isinstance(thing, dict):
        return "{" + ", ".join(f"{sanitise(str(key))}: {value(item)}" for key, item in thing.items()) + "}"
    if isinstance(thing, list | tuple):
        return "[" + ", ".join(value(item) for item in thing) + "]"
    return sanitise(str(thing))


def plural(count: int, word: str, words: str | None = None) -> str:
    """A number and its noun: `1 game`, `2 games`."""
    return f"{count:,} {word if count == 1 else words or word + 's'}"


# ---------------------------------------------------------------- difference
def difference(name: str, old: str, new: str) -> str:
    """A unified diff, each line safe to show."""
    lines = unified_diff(old.splitlines(), new.splitlines(), name, name, lineterm="")
    return "\n".join(sanitise(line) for line in lines)


# ------------------------------------------------------------ a game
_QUIET, _STRONG = "dim", "bold"
_CITATION_COLUMN = 72


def heading(ruleset: Ruleset, record: GameRecord, seat: int | None, start: str, names: Names) -> Text:
    """The heading of a game: ruleset, parameters, the seat whose log follows, the start of the state."""
    from rich.text import Text

    game = f" · game {record.game}" if record.game != 1 else ""
    text = Text(sanitise(ruleset.title), style=_STRONG)
    who = f"{plural(record.players, 'player')}, bots {bots(record.bots)}"
    # with the seed a seat could replay the game and see everything
    dealt = f" · {seeded(record.seed, record.bots)}{game}" if seat is None else ""
    text.append(f"\n{who}{dealt} · rules {record.ruleset_hash[:12]}", "")
    defaults = {name: value(default) for name, default in ruleset.defaults(record.players).items()}
    seats = {
        parameter.name for parameter in ruleset.parameters if parameter.type_text in ("Player", "Player?")
    }
    given = {
        name: sanitise(names(Words.of(Seat(x)))) if name in seats and isinstance(x, int) else value(x)
        for name, x in record.parameters.items()
    }
    changed = [
        f"{sanitise(name)} = {given[name]}"
        for name, x in record.parameters.items()
        if value(x) != defaults.get(name)
    ]
    if changed:
        text.append(f"\nparameters: {', '.join(changed)}", "")
    whose = (
        "the log of the referee, who sees everything"
        if seat is None
        else f"the log of {sanitise(names(Words.of(Seat(seat))))}: what that seat sees"
    )
    text.append(f"\n{whose}\n", _QUIET)
    if start:
        text.append(f"at the start: {sanitise(names(start))}\n")
    return text


def log(
    events: Sequence[Event],
    names: Names,
    detail: str = "cited",
    rules: Mapping[str, str] | None = None,
    width: int | None = None,
    players: int = 0,
) -> Text:
    """The log, line by line, under the headings of phases.

    `detail`: `full` has a line for each event; the others join events. `cited` cites the rules behind each
    line, `brief` does not, `rules` adds the words of each rule (`rules`) where it is cited first.
    """
    from rich.text import Text

    from croupier.narration import narrate

    text, number = Text(), 0
    explained: set[str] = set()
    told = narrate(events, together=detail != "full", brief=detail == "brief", players=players)
    for line in told:
        title, words = sanitise(names(line.title)), sanitise(names(line.text))
        cites = f"[{', '.join(map(sanitise, line.rules))}]" if detail != "brief" and line.rules else ""
        number += 1
        if line.groups:
            _wrapped(text, "      ", sanitise(names(line.part)), "", "", width)
        head = f"{title} · " if title and words else title
        _wrapped(text, f"{number:>4}  ", head, words, cites, width)
        if detail == "rules":
            for rule in line.rules:
                if rule not in explained and rules is not None and rules.get(rule):
                    explained.add(rule)
                    _wrapped(
                        text, " " * 8, "", f"{sanitise(rule)}: {sanitise(rules[rule])}", "", width, _QUIET
                    )
    return text


def _wrapped(
    text: Text, start: str, head: str, words: str, cites: str, width: int | None, style: str = ""
) -> None:
    """A heading, words, and citations: in a column of their own if there is room, else behind the words.

    Lines are broken at a `width`, if any.
    """
    gap = max(2, _CITATION_COLUMN - len(head) - len(words)) if cites else 0
    if width is None or len(start) + len(head) + len(words) + gap + len(cites) <= width:
        text.append(start, _QUIET).append(head, _STRONG).append(words, style).append(
            f"{' ' * gap}{cites}\n", _QUIET
        )
        return
    styles = [*[_STRONG] * len(head), *[style] * (len(words) + 1), *[_QUIET] * len(cites)]
    whole, at = f"{head}{words} {cites}".rstrip(), 0
    for i, line in enumerate(wrap(whole, max(20, width - len(start)), break_on_hyphens=False)):
        text.append(start if i == 0 else f"\n{' ' * len(start)}", _QUIET)
        at = whole.index(line, at)
        for k, character in enumerate(line):
            text.append(character, styles[at + k])
        at += len(line)
    text.append("\n")


def story(
    ruleset: Ruleset,
    record: GameRecord,
    state: State,
    seat: int | None,
    detail: str,
    names: Names,
    width: int | None,
) -> tuple[Text, Text]:
    """The heading of a game and its log, as a seat (`None`: the referee) sees it; `detail` as in `log`."""
    from croupier.play.start_and_end import start_values

    rules = {rule: words for rule, (_, words) in ruleset.rule_ids.items()}
    return (
        heading(ruleset, record, seat, start_values(state, seat), names),
        log(state.events(seat), names, detail, rules, width, state.players),
    )


def end_of_story(record: GameRecord, state: State, seat: int | None, detail: str, names: Names) -> Text:
    """The result of that game, with why it is over: in whole where its log has rules or events in full."""
    from croupier.play.score_parts import score_columns
    from croupier.play.start_and_end import why_over

    why = why_over(state, seat, is_whole=detail in ("rules", "full"))
    return result(record, seat, names, why, score_columns(state, seat))


def standings(columns: Sequence[ScoreColumn], names: Names) -> Text:
    """A table of scores, a line for each player: the parts of the score, the score, what broke a tie."""
    from rich.text import Text

    text = Text()
    if not columns:
        return text
    called = [sanitise(names.of(seat)) for seat in range(len(columns[0].values))]
    heads = [
        f"then {sanitise(column.name)}" if column.kind == "tie" else sanitise(column.name)
        for column in columns
    ]
    wide = max(map(len, called))
    widths = [
        max(len(head), *(len(str(number)) for number in column.values))
        for head, column in zip(heads, columns, strict=True)
    ]
    text.append(f"\n  {'':<{wide}}", _QUIET)
    for head, width in zip(heads, widths, strict=True):
        text.append(f"  {head:>{width}}", _QUIET)
    for seat, name in enumerate(called):
        text.append(f"\n  {name:<{wide}}")
        for column, width in zip(columns, widths, strict=True):
            number = f"  {column.values[seat]:>{width}}"
            text.append(number, _STRONG if column.kind == "score" else "")
    return text


def result(
    record: GameRecord,
    viewer: int | None,
    names: Names,
    why: str,
    columns: Sequence[ScoreColumn],
) -> Text:
    """Return who won, the scores, and the rule that decided; the number of decisions, and the digest, are for
    the referee.
    """
    from rich.text import Text

    from croupier.play.start_and_end import who_won

    outcome, text = record.outcome, Text()
    if record.status == "finished":
        text.append(sanitise(names(who_won(outcome))), _STRONG)
        text.append(standings(columns, names))
    else:
        text.append(record.status, f"{_STRONG} red")
    if outcome.get("reason"):
        text.append(f": {value(names(outcome['reason']))}")
    fault = outcome.get("fault")
    if fault and fault.get("message") != outcome.get("reason"):
        text.append(f": {value(fault.get('message'))} [{value(fault.get('code'))}]")
    if why:
        text.append(f"\n{sanitise(names(why))}")
    if viewer is None:
        counted = f"{plural(record.decisions, 'decision')}, {plural(record.chance_events, 'chance event')}"
        text.append(f"\n{counted} · digest {record.digest[:12]}", _QUIET)
    return text
