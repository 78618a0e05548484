"""What a person at the table sees: what happened since the last decision, what may be chosen, and why something may not."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from os.path import commonprefix
from textwrap import fill
from typing import TYPE_CHECKING

from croupier.cli.views.words import seats as seat_words
from croupier.cli.views.words import value
from croupier.diagnostics import sanitise

if TYPE_CHECKING:
    from rich.text import Text

    from croupier.narration import Names, Prompt
    from croupier.runtime.events import Event
    from croupier.runtime.legality import SeveralChosen, WhyNot
    from croupier.runtime.state import State

COLUMNS = 100
COMMANDS = (
    ("3", "choose option 3"),
    ("its words", "choose the option that reads so"),
    ("1 3 4 done", "choose several options at once, where they are chosen one by one"),
    ("why WORDS", "show why an option is not offered"),
    ("look", "show what you see of the position"),
    ("table", "show the table, with the numbers of the options"),
    ("log", "show what you saw happen so far"),
    ("/WORDS", "show the options that have these words in them"),
    ("options [all]", "show the options again, or every one of very many"),
    ("undo", "take your last decision back, unless your seats learnt something hidden since"),
    ("save [FILE]", "save the game"),
    ("quit", "save the game and leave"),
)


def welcome(title: str, persons: Sequence[int], players: int, seed: int, names: Names, start: str = "") -> Text:
    """What is played, who the person is, and what the state begins with."""
    from rich.text import Text

    text = Text(sanitise(title), style="bold")
    text.append(f"\nyou are {sanitise(names(seat_words(persons)))} of {players} · seed {seed} · `help` shows what you can type", "")
    return text.append(f"\nat the start: {sanitise(names(start))}") if start else text


def _whole(text: Text) -> Text:
    """Without its last line end, which drawing adds."""
    text.rstrip()
    return text


def commands(width: int | None = None) -> Text:
    """What can be typed. Lines are broken at a `width`, if any."""
    from rich.text import Text

    text = Text()
    for what, meaning in COMMANDS:
        broken = meaning if width is None else fill(meaning, max(20, width - 18), subsequent_indent=" " * 4).replace("\n", "\n" + " " * 14)
        text.append(f"  {what:<16}", "bold").append(f"{broken}\n")
    return _whole(text)


def happened(events: Sequence[Event], open: bool = False, names: Names | None = None, detail: str = "cited", width: int | None = None) -> Text:
    """What happened, under headings; the last phase is one, too, if it is still `open`: somebody must decide in it.

    `detail`: `brief` cites no rules. Lines are broken at a `width`, if any.
    """
    from rich.text import Text

    from croupier.narration import narrate

    text = Text()
    say = str if names is None else names
    for line in narrate(events, open_end=open, together=detail != "full"):
        if line.groups:
            text.append(f"{sanitise(say(line.part))}\n", "bold underline")
        if line.heading is not None:
            text.append(f"{sanitise(say(line.title))}\n", "bold")
        if line.clauses:
            cites = f"  [{', '.join(map(sanitise, line.rules))}]" if line.rules and detail != "brief" else ""
            words = sanitise(say(line.text))
            if width is None or len(words) + len(cites) + 2 <= width:
                text.append(f"  {words}").append(f"{cites}\n", "dim")
            else:
                text.append(fill(f"{words}{cites}", width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False) + "\n")
    return _whole(text)


def view(seat: int, names: Names) -> Text:
    """Whose view begins, where a person plays several seats."""
    from rich.text import Text

    return Text(f"\n{sanitise(names.of(seat))} sees", style="bold")


def without(events: Sequence[Event], said: Sequence[Event]) -> list[Event]:
    """The events that were not said already, in the same words and the same order."""
    keys, known = [(e.kind, e.text) for e in events], [(e.kind, e.text) for e in said]
    matched = SequenceMatcher(None, keys, known, autojunk=False).get_matching_blocks()
    gone = {i for block in matched for i in range(block.a, block.a + block.size)}
    return [event for i, event in enumerate(events) if i not in gone]


def amount(several: SeveralChosen) -> str:
    """How many things are chosen, that this goes one by one, and what was taken so far."""
    least, most = several.least, several.most
    if most is None:
        many = f"at least {least}" if least else "any number"
    else:
        many = str(most) if least >= most else f"{least} to {most}" if least else f"up to {most}"
    taken = f"; taken so far: {', '.join(map(sanitise, several.taken))}" if several.taken else ""
    return f"choose {many}, one by one in this order{taken}"


def asked_of(state: State, seat: int) -> Prompt:
    """What a seat that decides is asked."""
    from croupier.narration import prompt

    asked = state.asked(seat)
    return prompt(state.events(seat), seat, "" if asked is None else str(asked["asks"]))


def options(
    asked: Prompt,
    numbers: Sequence[int | None],
    labels: Sequence[str],
    undo: bool,
    several: SeveralChosen | None = None,
    names: Names | None = None,
    room: int = COLUMNS,
    *,
    whole: bool = False,
) -> Text:
    """What is asked; what may be chosen, behind the numbers that choose it; how many, if `several`. Of very many, the first ones unless `whole`."""
    from rich.text import Text

    say = str if names is None else names
    text = Text(f"\n{sanitise(say(asked.text))}", style="bold").append("  (undo is possible)\n" if undo else "\n", "dim")
    if several is not None and (several.least, several.most) != (1, 1):
        text.append(f"  {amount(several)}\n", "dim")
    return _whole(text.append(choices(numbers, labels, names, room, whole=whole)))


MAX_BEGINNING = 4  # words
MAX_FLAT = 24  # options, before those that begin alike stand together
MAX_SHOWN = 120  # options, before only the first ones are shown


def choices(numbers: Sequence[int | None], labels: Sequence[str], names: Names | None = None, room: int = COLUMNS, *, whole: bool = False) -> Text:
    """Options behind the numbers that choose them: in columns if there is `room`; many that begin alike in a paragraph for each beginning."""
    from rich.text import Text

    say = str if names is None else names
    shown = len(labels) if whole else MAX_SHOWN
    words = [sanitise(say(label)) for label in labels[:shown]]
    text, groups = Text(), beginnings(words)
    if len(words) > MAX_FLAT and 2 * len(groups) <= len(words) and room > 1:
        for begin, places in groups:
            ends = " · ".join(f"{'' if numbers[i] is None else numbers[i]} {words[i][len(begin) :]}".strip() for i in places)
            line = f"{begin.strip()}: {ends}" if begin else ends
            text.append(fill(line, max(20, room - 4), initial_indent="  ", subsequent_indent="      ") + "\n")
    else:
        cells = [f"{'' if n is None else n:>3}  {label}" for n, label in zip(numbers, words, strict=False)]
        width = max(map(len, cells)) + 2
        across = max(1, room // width) if len(cells) > 9 else 1
        rows = -(-len(cells) // across)
        for row in range(rows):
            text.append("".join(cell.ljust(width) for cell in cells[row::rows]).rstrip() + "\n")
    if len(labels) > shown:
        text.append(f"  … and {len(labels) - shown} more: `/WORDS` shows those with these words, `options all` every one\n", "dim")
    return _whole(text)


def beginnings(labels: Sequence[str]) -> list[tuple[str, list[int]]]:
    """The places of labels by the words that they begin with: those before a colon, or else the first few; with all that a group shares."""
    groups: dict[str, list[int]] = {}
    for count in range(1, MAX_BEGINNING + 1):
        finer: dict[str, list[int]] = {}
        for i, label in enumerate(labels):
            head, colon, _ = label.partition(": ")
            finer.setdefault(head if colon else " ".join(label.split(" ")[:count]), []).append(i)
        if groups and 2 * len(finer) > len(labels):
            break
        groups = finer
        if max(map(len, groups.values()), default=0) <= MAX_FLAT:
            break
    found = []
    for places in groups.values():
        begin = commonprefix([f"{labels[i]} " for i in places])
        begin = begin[: begin.rfind(" ") + 1] if len(places) > 1 else ""
        found.append((begin if all(len(labels[i]) > len(begin) for i in places) else "", places))
    return found


def refusal(wanted: str, why: WhyNot) -> Text:
    """Why something cannot be chosen: the words of the rules and their ids."""
    from rich.text import Text

    text = Text()
    turn = any(clause.kind == "turn" for clause in why.clauses)
    if not why.known and not turn:
        return text.append(f"nothing here is called `{sanitise(wanted)}`; `options` shows what is", "yellow")
    text.append(f"`{sanitise(why.label or wanted)}` cannot be chosen:\n", "yellow")
    for clause in why.clauses:
        cites = f"  [{', '.join(map(sanitise, clause.rules))}]" if clause.rules else ""
        text.append(f"  {sanitise(clause.told)}").append(f"{cites}\n", "dim")
    return _whole(text)


def ending(state: State, names: Names) -> Text:
    """How the game ended and why, with a line a seat."""
    from rich.text import Text

    from croupier.play.look import why_over

    outcome = state.outcome()
    text = Text("\n")
    if outcome["status"] != "finished":
        return text.append(f"{outcome['status']}: {value(outcome['reason'])}\n", "bold red")
    winners = outcome["winners"]
    grade = f" ({value(outcome['grade'])})" if outcome["grade"] else ""
    text.append(f"{sanitise(names(seat_words(winners)))} {'win' if len(winners) > 1 else 'wins'}{grade}\n", "bold")
    for seat, number in enumerate(outcome["returns"]):
        score = f"   score {value(outcome['scores'][seat])}" if outcome["scores"] is not None else ""
        text.append(f"  {sanitise(names.of(seat))}{score}   result {value(number)}\n")
    text.append(sanitise(names(why_over(state))))
    return _whole(text)
