"""The texts of `croupier play`: the events since the last decision, the options and how to choose them, why
an option is not offered.

Options are numbered from 1, unless each of them is a number, or all but one are one option of a menu for
different numbers (`bid 61`): then that number is in front, and an option without one is chosen by its words.
The person types what is in front.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from os.path import commonprefix
from textwrap import fill
from typing import TYPE_CHECKING, Any

from croupier.cli.views.game import seats as seat_words
from croupier.cli.views.game import standings, value
from croupier.diagnostics import sanitise
from croupier.runtime.option_matching import Meant, containing, folded, meant
from croupier.text import Rename, Seat, Thing
from croupier.text import Text as Words

if TYPE_CHECKING:
    from rich.text import Text

    from croupier.narration import Names, Prompt
    from croupier.runtime.clauses import WhyNot
    from croupier.runtime.events import Event
    from croupier.runtime.legality import SeveralChosen
    from croupier.runtime.state import State


COLUMNS = 100
COMMANDS = (
    ("3", "choose option 3"),
    ("its words", "choose the option that reads so, or has words that begin so: `di ba` for `discard BAT`"),
    ("1 3 4 done", "choose several options at once, where they are chosen one by one"),
    ("why WORDS", "show why an option is not offered"),
    ("bot [BOT]", "show what a bot would do that knows what you know, with its figures: `bot ismcts:1000`"),
    ("look", "show everything that you see, details too"),
    ("table", "show the table, with the numbers of the options"),
    ("log", "show what you saw happen so far"),
    ("/WORDS", "show the options that have these words in them"),
    ("options [all]", "show the options again, or every one of very many"),
    ("undo", "take your last decision back, unless your seats learnt something hidden since"),
    ("save [FILE]", "save the game"),
    ("quit", "save the game and leave"),
)


def welcome(title: str, persons: Sequence[int], players: int, names: Names, start: str = "") -> Text:
    """The welcome: the title, the seats of the person, the start of the state."""
    from rich.text import Text

    text = Text(sanitise(title), style="bold")
    who = seat_words(persons)
    if any(names.names):
        who = f"{sanitise(seat_words(persons, names))}, {who}"
    text.append(f"\nyou are {who} of {players} · `help` shows what you can type", "")
    return text.append(f"\nat the start: {sanitise(names(start))}") if start else text


def _without_line_end(text: Text) -> Text:
    """A text without its last line end, which drawing adds."""
    text.rstrip()
    return text


def commands(width: int | None = None) -> Text:
    """The commands that can be typed. Lines are broken at a `width`, if any."""
    from rich.text import Text

    text = Text()
    for what, meaning in COMMANDS:
        broken = (
            meaning
            if width is None
            else fill(meaning, max(20, width - 18), subsequent_indent=" " * 4).replace("\n", "\n" + " " * 14)
        )
        text.append(f"  {what:<16}", "bold").append(f"{broken}\n")
    return _without_line_end(text)


def recent_events(
    events: Sequence[Event],
    open: bool,
    names: Names,
    detail: str,
    width: int | None = None,
    players: int = 0,
) -> Text:
    """Events under headings of phases; with `open` the current phase, in which somebody must decide, has a
    heading even if it is empty.

    `detail`: `brief` cites no rules. Lines are broken at a `width`, if any.
    """
    from rich.text import Text

    from croupier.narration import narrate

    text = Text()
    told = narrate(events, open_end=open, together=detail != "full", brief=detail == "brief", players=players)
    for line in told:
        if line.groups:
            text.append(f"{sanitise(names(line.part))}\n", "bold underline")
        if line.heading is not None:
            text.append(f"{sanitise(names(line.title))}\n", "bold")
        if line.clauses:
            cites = f"  [{', '.join(map(sanitise, line.rules))}]" if line.rules and detail != "brief" else ""
            words = sanitise(names(line.text))
            if width is None or len(words) + len(cites) + 2 <= width:
                text.append(f"  {words}").append(f"{cites}\n", "dim")
            else:
                text.append(
                    fill(
                        f"{words}{cites}",
                        width,
                        initial_indent="  ",
                        subsequent_indent="    ",
                        break_on_hyphens=False,
                    )
                    + "\n"
                )
    return _without_line_end(text)


def view_heading(seat: int, names: Names) -> Text:
    """The heading of a seat, where a person plays several."""
    from rich.text import Text

    return Text(f"\n{sanitise(names.of(seat))} sees", style="bold")


def events_not_told(events: Sequence[Event], told: Sequence[Event]) -> list[Event]:
    """The events that are not among those printed already (`told`), compared by their words and in order."""
    keys, known = [(e.kind, e.text) for e in events], [(e.kind, e.text) for e in told]
    matched = SequenceMatcher(None, keys, known, autojunk=False).get_matching_blocks()
    gone = {i for block in matched for i in range(block.a, block.a + block.size)}
    return [event for i, event in enumerate(events) if i not in gone]


def amount(several: SeveralChosen, names: Names) -> str:
    """Return the words for how many items are chosen, one by one, and those chosen so far."""
    least, most = several.least, several.most
    if most is None:
        many = f"at least {least}" if least else "any number"
    elif least >= most:
        many = str(most)
    else:
        many = f"{least} to {most}" if least else f"up to {most}"
    those = ", ".join(sanitise(names(one)) for one in several.taken)
    taken = f"; taken so far: {those}" if those else ""
    return f"choose {many}, one by one in this order{taken}"


def prompt_of(state: State, seat: int) -> Prompt:
    """The prompt for a seat that decides."""
    from croupier.narration import prompt

    asked = state.asked(seat)
    return prompt(
        state.events(seat),
        seat,
        "" if asked is None else str(asked["asks"]),
        at_once=state.is_simultaneous_node(),
    )


def options(
    asked: Prompt,
    numbers: Sequence[int | None],
    labels: Sequence[str],
    undo: bool,
    several: SeveralChosen | None,
    names: Names,
    room: int = COLUMNS,
    *,
    whole: bool = False,
) -> Text:
    """The prompt, the options with their numbers, and how many are chosen, if `several`.

    Of very many options, the first ones unless `whole`.
    """
    from rich.text import Text

    text = Text(f"\n{sanitise(names(asked.text))}", style="bold").append(
        "  (undo is possible)\n" if undo else "\n", "dim"
    )
    if several is not None and (several.least, several.most) != (1, 1):
        text.append(f"  {amount(several, names)}\n", "dim")
    return _without_line_end(text.append(choices(numbers, labels, names, room, whole=whole)))


MAX_BEGINNING = 4  # words
MAX_FLAT = 24  # options, before those that begin alike are joined
MAX_SHOWN = 120  # options, before only the first ones are shown


def choices(
    numbers: Sequence[int | None],
    labels: Sequence[str],
    names: Names,
    room: int = COLUMNS,
    *,
    whole: bool = False,
) -> Text:
    """Options behind the numbers that choose them: in columns if there is `room`; many that begin alike in a
    paragraph for each beginning.
    """
    from rich.text import Text

    shown = len(labels) if whole else MAX_SHOWN
    words = [sanitise(names(label)) for label in labels[:shown]]
    text, groups = Text(), beginnings(labels[:shown], names)
    if len(words) > MAX_FLAT and 2 * len(groups) <= len(words) and room > 1:
        for begin, places in groups:
            ends = " · ".join(
                f"{'' if numbers[i] is None else numbers[i]} {words[i][len(begin) :]}".strip() for i in places
            )
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
        text.append(
            f"  … and {len(labels) - shown} more: `/WORDS` shows those with these words, `options all` every "
            f"one\n",
            "dim",
        )
    return _without_line_end(text)


def beginnings(labels: Sequence[str], names: Names) -> list[tuple[str, list[int]]]:
    """The indices of labels by the words that they begin with: those before a colon, or else the first few;
    with all that a group shares. What a player is called is one word.
    """
    words = [_words(label, names) for label in labels]
    groups: dict[tuple[str, ...], list[int]] = {}
    for count in range(1, MAX_BEGINNING + 1):
        finer: dict[tuple[str, ...], list[int]] = {}
        for i, each in enumerate(words):
            colon = next((at for at, word in enumerate(each[:-1], 1) if word.endswith(":")), count)
            finer.setdefault(tuple(each[:colon]), []).append(i)
        if groups and 2 * len(finer) > len(labels):
            break
        groups = finer
        if max(map(len, groups.values()), default=0) <= MAX_FLAT:
            break
    found = []
    for places in groups.values():
        shared = commonprefix([words[i] for i in places]) if len(places) > 1 else []
        is_part = all(len(words[i]) > len(shared) for i in places)
        found.append((" ".join([*shared, ""]) if shared and is_part else "", places))
    return found


def _words(label: str, names: Names) -> list[str]:
    """The words of a label between its spaces; what a player is called is not broken."""
    found = [""]
    for part in label.parts if isinstance(label, Words) else (label,):
        if isinstance(part, Seat):
            found[-1] += names.of(part.seat)
            continue
        inner = part.words if isinstance(part, Thing) else str(part)
        first, *rest = _words(inner, names) if isinstance(inner, Words) else inner.split(" ")
        found[-1] += first
        found += rest
    return [sanitise(word) for word in found]


MOST_RULES = 3  # whose texts stand under a reason


def refusal(
    wanted: str, why: WhyNot, names: Names, rules: Mapping[str, tuple[str, str]], nearest: str = ""
) -> Text:
    """Return the reason why something cannot be chosen: the words of the rules, their ids and their texts.

    `rules` are those of the program; `nearest`: the option that reads nearly so, if any.
    """
    from rich.text import Text

    text = Text()
    turn = any(clause.kind == "turn" for clause in why.clauses)
    if not why.known and not turn:
        near = f"; did you mean `{sanitise(names(nearest))}`?" if nearest else ""
        end = " `options` shows what there is" if near else "; `options` shows what is"
        return text.append(f"nothing here is called `{sanitise(wanted)}`{near}{end}", "yellow")
    text.append(f"`{sanitise(names(why.label or wanted))}` cannot be chosen:\n", "yellow")
    for clause in why.clauses:
        cites = f"  [{', '.join(map(sanitise, clause.rules))}]" if clause.rules else ""
        text.append(f"  {sanitise(names(clause.told))}").append(f"{cites}\n", "dim")
    for rule, words in list(why.cited(rules).items())[:MOST_RULES]:
        text.append(f"  {sanitise(rule)}: {sanitise(words)}\n", "dim")
    return _without_line_end(text)


def ending(state: State, names: Names, seed: int) -> Text:
    """Return who won, the scores and the rule that decided, and the seed, which is secret before: with it one
    could replay the game and see everything.
    """
    from rich.text import Text

    from croupier.play.score_parts import score_columns
    from croupier.play.start_and_end import who_won, why_over

    outcome = state.outcome()
    text = Text("\n")
    if outcome["status"] != "finished":
        return text.append(f"{outcome['status']}: {value(names(outcome['reason']))}\n", "bold red").append(
            f"seed {seed}\n", "dim"
        )
    text.append(sanitise(names(who_won(outcome))), "bold")
    text.append(standings(score_columns(state), names)).append("\n")
    if why := why_over(state):
        text.append(f"{sanitise(names(why))}\n")
    return _without_line_end(text.append(f"seed {seed}", "dim"))


# ------------------------------------------------------------ options, and the option that a typed text means
WITHOUT_VALUE = ("no", "done")  # to decline and to stop: typed as words where the other options are numbers
DONE = WITHOUT_VALUE[1]
MAX_WITHOUT_NUMBER = 1  # options without a number among those that differ in one
MAX_NUMBER_DIGITS = 9  # digits of a number that is looked up


class OptionPrompt:
    """The legal actions of a seat, with their words and their structures, in the same order.

    `rename` gives words with the names of the players.
    """

    def __init__(
        self,
        legal: Sequence[int],
        labels: Sequence[str],
        structs: Sequence[object],
        rename: Rename = str,
    ) -> None:
        self.legal, self.labels, self.structs = tuple(legal), tuple(labels), tuple(map(str, structs))
        self.rename = rename
        self.items = tuple(isinstance(struct, dict) and struct.get("item") is not None for struct in structs)
        self.nothing = tuple(
            _is_nothing(s) and folded(label) != WITHOUT_VALUE[1]
            for label, s in zip(labels, structs, strict=True)
        )
        values = self._values(structs)
        self.by_value = values is not None
        combined = self._numbered(structs) if values is None else None
        self.by_words = combined is not None
        self.numbers = values or combined or tuple(range(1, len(self.legal) + 1))

    @classmethod
    def of(cls, state: State, seat: int, rename: Rename) -> OptionPrompt:
        """The legal actions of a seat in a position."""
        legal = state.legal_actions(seat)
        labels = [state.action_to_string(seat, action) for action in legal]
        return cls(legal, labels, [state.action_to_struct(seat, action) for action in legal], rename)

    def _values(self, structs: Sequence[object]) -> tuple[int | None, ...] | None:
        """The value of each option if all are different numbers; else `None`."""
        values = [_value(label, struct) for label, struct in zip(self.labels, structs, strict=True)]
        action_of: dict[int, str] = {}
        for label, number, struct, nothing in zip(
            self.labels, values, self.structs, self.nothing, strict=True
        ):
            if number is None:
                if not nothing and folded(label) not in WITHOUT_VALUE:
                    return None
            elif action_of.setdefault(number, struct) != struct:
                return None
        return tuple(values) if action_of else None

    def _numbered(self, structs: Sequence[object]) -> tuple[int | None, ...] | None:
        """The numbers in front if all options are one menu option with different numbers (`bid 61`); one
        other option (`pass`) may have none.
        """
        found = [_combination(label, struct) for label, struct in zip(self.labels, structs, strict=True)]
        numbers = [pair[1] for pair in found if pair is not None]
        several = (
            len(set(numbers)) == len(numbers) >= max(MAX_WITHOUT_NUMBER + 1, len(found) - MAX_WITHOUT_NUMBER)
        )
        alike = len({pair[0] for pair in found if pair is not None}) == 1
        if any(
            c.isdigit() for label, pair in zip(self.labels, found, strict=True) if pair is None for c in label
        ):
            return None
        if not (several and alike):
            return None
        return tuple(None if pair is None else pair[1] for pair in found)

    def option_words(self, typed: str) -> str:
        """The words of an option for a number that is not offered, where numbers stand for words like
        `bid 61`; else what was typed.
        """
        at = next((i for i, n in enumerate(self.numbers) if n is not None), None)
        if self.by_value or not self.by_words or at is None or not is_number(typed):
            return typed
        return " ".join(typed if word == str(self.numbers[at]) else word for word in self.labels[at].split())

    def how_to(self, action: int) -> tuple[str, str]:
        """The label of a legal action, and how to choose it."""
        at = self.legal.index(action)
        return self.labels[at], f"it is number {self.numbers[at]}" if self.numbers[
            at
        ] is not None else "type these words"

    def action_of(self, typed: str) -> int | None:
        """The action for a typed number or label; `None` if there is none."""
        if is_number(typed) and (number := int(typed)) in self.numbers:
            return self.legal[self.numbers.index(number)]
        found = meant(typed, self.labels, self.rename)
        named = found.options if found.is_exact else ()
        if not named and folded(typed) in WITHOUT_VALUE:
            named = tuple(i for i, nothing in enumerate(self.nothing) if nothing)
        return self.legal[named[0]] if named and len({self.structs[i] for i in named}) == 1 else None

    def meant(self, typed: str) -> Meant:
        """The options, by their indices, that typed words mean; of several with one structure the first.

        A number alone means no words: it is the number of an option, or nothing.
        """
        if is_number(typed):
            return Meant(())
        found = meant(typed, self.labels, self.rename)
        firsts = {self.structs[i]: i for i in reversed(found.options)}
        return replace(found, options=tuple(sorted(firsts.values())))

    def containing(self, typed: str) -> list[int]:
        """The indices of the options that have these words in them, whole or begun."""
        return containing(typed, self.labels, self.rename)

    def action_with(self, struct: str) -> int | None:
        """The action with a structure; `None` if it is not offered."""
        return self.legal[self.structs.index(struct)] if struct in self.structs else None

    def several(self, typed: str) -> tuple[str, ...]:
        """The structures of several items typed at once by their numbers, in the order in which they are
        offered; empty if one is no such number.

        `done` may be at the end. Only where items are chosen one by one.
        """
        words = typed.replace(",", " ").split()
        ends = len(words) > 1 and words[-1].casefold() == WITHOUT_VALUE[1]
        chosen = [int(word) for word in words[: len(words) - ends] if is_number(word)]
        if (
            len(chosen) != len(words) - ends
            or len(words) < 2
            or len(set(chosen)) < len(chosen)
            or not set(chosen) <= set(self.numbers)
        ):
            return ()
        places = sorted(self.numbers.index(number) for number in chosen)
        if not all(self.items[place] for place in places):
            return ()
        return (*(self.structs[place] for place in places), *([DONE] if ends else []))


def is_number(typed: str) -> bool:
    """Tell whether this is a whole number that somebody may have typed."""
    digits = typed.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) <= MAX_NUMBER_DIGITS


def _is_nothing(struct: object) -> bool:
    """Tell whether this is the option to choose nothing, or nothing more."""
    return isinstance(struct, dict) and (
        "value" in struct and struct["value"] is None or "item" in struct and struct["item"] is None
    )


def _value(label: str, struct: object) -> int | None:
    """The value of an option if it is a number that ends its words; else `None`."""
    value = struct.get("value", struct.get("item")) if isinstance(struct, dict) else None
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return value if is_whole and label.split()[-1:] == [str(value)] else None


def _combination(label: str, struct: Any) -> tuple[str, int] | None:
    """The option of a menu, and the only value that it was given, if that is a number that stands in its
    words.
    """
    given = struct.get("with") if isinstance(struct, dict) and "option" in struct else None
    if (
        not isinstance(given, list)
        or len(given) != 1
        or isinstance(given[0], bool)
        or not isinstance(given[0], int)
    ):
        return None
    return (str(struct["option"]), given[0]) if str(given[0]) in label.split() else None
