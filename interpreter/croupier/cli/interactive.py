"""The person at the table of `croupier play`, and what they are told."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.cli.console import answer, data, draw, show, width
from croupier.cli.guard import FINDINGS, INTERRUPTED, REFUSED
from croupier.cli.views.interactive import DONE, OptionPrompt, is_number
from croupier.runtime.legality import folded

# ---------------------------------------------------------------- telling
# What a person is told of the game: for each seat what it perceived and was not told yet.
#
# At the beginning of a sitting each seat is told everything that it perceived so far. After that what two seats perceive alike is told once. Where
# the person plays several seats, a heading says whose view begins.
if TYPE_CHECKING:
    from croupier.narration import Names
    from croupier.play.match import Session
    from croupier.runtime.events import Event


class EventPrinter:
    """Prints the events that the seats of a session's person perceive, each once."""

    def __init__(self, session: Session, names: Names, detail: str, spoken: bool = False) -> None:
        self.session, self.names, self.detail, self.spoken = session, names, detail, spoken
        self._shown: dict[int, int] = dict.fromkeys(session.persons, 0)
        self._said: dict[int, list[Event]] = {p: [] for p in session.persons}  # what other seats were told since this one was
        self._view: int | None = None  # whose view was told last
        self._begun = False

    def begin(self, seat: int | None) -> None:
        """Tell each seat everything so far, and last the seat that decides, if there is one; only the first time."""
        if self._begun:
            return
        self._begun = True
        for p in sorted(self._shown, key=lambda p: (p == seat, p)):
            self._tell(p, self.session.state.events(p))
        self.forget()

    def tell(self, seat: int) -> None:
        """What the seat perceived since it was last told, but for what another seat of the person's was told already, and the phase it is in."""
        from croupier.cli.views.interactive import without
        from croupier.narration import ends_choice

        events, begin = self.session.state.events(seat), self._shown[seat]
        if 0 < begin < len(events) and ends_choice(events[begin], events[begin - 1]):
            begin += 1  # the line before named what was chosen
        new = without(events[begin:], self._said[seat])
        self._tell(seat, new)
        self._said[seat].clear()
        for p, said in self._said.items():
            if p != seat:
                said += new

    def _tell(self, seat: int, events: list[Event]) -> None:
        from croupier.cli.views.interactive import happened, view

        state = self.session.state
        told = happened(events, not state.is_terminal(), self.names, self.detail, None if self.spoken else width())
        if told and len(self._shown) > 1 and self._view != seat:
            draw(view(seat, self.names))
            self._view = seat
        if told:
            draw(told)
        self._shown[seat] = len(state.events(seat))

    def forget(self) -> None:
        """What was told of a decision that was taken back is told again, when it happens."""
        self._shown = {p: min(n, len(self.session.state.events(p))) for p, n in self._shown.items()}
        self._said = {p: [] for p in self._said}


# ---------------------------------------------------------------- table
# A person at the table: the loop that shows, reads and answers. What a game is and may do is the session's (`play/match.py`).
if TYPE_CHECKING:
    from croupier.play.match import Session
    from croupier.runtime.legality import WhyNot

MAX_LINE = 2_000  # characters that are read of what somebody types
_SINCE = "your last decision cannot be taken back: since then chance or something hidden was revealed to one of your seats, or may have been"
MAX_NAMES = 1_000  # of files, before none is found that is free


COLUMNS = 100  # where the output is no terminal
MAX_BEGUN = 5  # options that are named because they begin like what was asked about


class PersonLeft(Exception):
    """The person leaves: at the end of the input, by `quit` or Ctrl-C. The text says which."""


class InteractiveSession:
    """One sitting. `file` is where the game is saved when the person leaves (none: beside, under a free name); `force` lets it be replaced.

    `kept` are files that are read and never replaced; `names` are those of the players; `detail` is how much the log tells, a value of `LogDetail`.
    What is `spoken` is read aloud: one thing a line, nothing in columns.
    """

    def __init__(
        self,
        session: Session,
        file: Path | None,
        force: bool,
        every: bool,
        names: Sequence[str] = (),
        detail: str = "cited",
        spoken: bool = False,
        read: Callable[[str], str] | None = None,
        kept: Sequence[str | Path | None] = (),
    ) -> None:
        from croupier.narration import Names

        self._names, self._detail = Names(names), detail
        self._spoken = spoken
        self._draws = not spoken  # the table above each question
        self._wanted: list[str] = []  # structures of what was chosen at once and is still to be taken
        self._kept = kept
        self.session, self.file, self.force, self.every = session, file, force, every
        self._read = read if read is not None else _line
        self._printer = EventPrinter(session, self._names, detail, spoken)
        self._own: list[Path] = []  # files that this sitting wrote, the last one last

    # ------------------------------------------------------------ the game
    def sit(self) -> int:
        """Play to the end or until the person leaves; the exit code."""
        from croupier.cli.views.interactive import welcome
        from croupier.play.record import start_values

        session = self.session
        persons, starts = sorted(session.persons), [start_values(session.state, p) for p in sorted(session.persons)]
        start = starts[0] if len(set(starts)) == 1 else ""
        draw(welcome(session.ruleset.title, persons, session.players, self._names, start))
        try:
            while (seat := self._advance()) is not None:
                self._printer.begin(seat)
                self._decide(seat)
        except KeyboardInterrupt:
            data("")
            return self._leave("interrupted", INTERRUPTED)
        except PersonLeft as left:
            return self._leave(str(left), 0)
        self._printer.begin(None)
        for p in sorted(session.persons):
            self._printer.tell(p)
        return self._end()

    def sit_at_screen(self, pace: float) -> int:
        """Play in a full screen, to the end or until the person leaves; `pace` seconds pass between what others do. The exit code."""
        from croupier.cli.screen import play_on_screen

        play_on_screen(self.session, self._names, self._detail, self.every, pace)
        return self._end() if self.session.state.is_terminal() else self._leave("left", 0)

    def _end(self) -> int:
        """How the game ended; it is saved if that is wanted."""
        from croupier.cli.views.interactive import ending

        session = self.session
        draw(ending(session.state, self._names, session.setup.seed))
        show([finding for finding in (session.state.fault,) if finding is not None], as_data=True)
        if self.file is not None and not self._keep(self.file):
            return REFUSED
        return 0 if session.state.outcome()["status"] == "finished" else FINDINGS

    def _advance(self) -> int | None:
        from croupier.play.interrupt import Interrupt

        with Interrupt() as interrupt:
            seat = self.session.advance(interrupt.is_requested)
        if interrupt.requested:
            raise KeyboardInterrupt
        return seat

    def _decide(self, seat: int) -> None:
        """Ask until the seat has decided, or a decision was taken back."""
        state = self.session.state
        legal = state.legal_actions(seat)
        labels = [state.action_to_string(seat, action) for action in legal]
        offer = OptionPrompt(legal, labels, [state.action_to_struct(seat, action) for action in legal])
        self._printer.tell(seat)
        if len(legal) == 1 and not self.every:
            answer(self._names(f"player {seat + 1} has one thing to do: {labels[0]}"))
            self.session.choose(seat, legal[0], forced=True)
            return
        if self._wanted and self._take_next(seat, offer):
            return
        if self._draws:
            self._draw_table(seat, offer)
        self._offer(seat, offer)
        while True:
            typed = self._names.back(self._read(f"{self._names.of(seat)}> ").strip())
            if not typed:
                continue
            action = offer.meant(typed)
            if action is None and (several := offer.several(typed)):
                self._wanted = list(several)
                if self._take_next(seat, offer):
                    return
            if action is not None:
                self.session.choose(seat, action)
                return
            if self._command(seat, typed, offer):
                return

    def _take_next(self, seat: int, offer: OptionPrompt) -> bool:
        """Take the next of several things that were chosen at once; whether it is offered."""
        wanted = self._wanted.pop(0)
        action = offer.meant(DONE) if wanted == DONE else offer.structured(wanted)
        if action is None:
            self._wanted.clear()
            answer("not all of that can be taken together; what was taken so far is kept")
            return False
        self.session.choose(seat, action)
        return True

    # ------------------------------------------------------------ what can be typed
    def _command(self, seat: int, typed: str, offer: OptionPrompt) -> bool:
        """Answer what was typed; whether the decision is another one now."""
        from croupier.cli.views.interactive import commands, happened

        word, _, rest = typed.partition(" ")
        state = self.session.state
        match word.casefold():
            case "help" | "?":
                draw(commands(None if self._spoken else width()))
            case "look":
                self._draw_table(seat, offer, details=True)
            case "table":
                self._draw_table(seat, offer)
            case "log":
                draw(happened(state.events(seat), True, self._names, self._detail, None if self._spoken else width()))
            case "options":
                self._offer(seat, offer, whole=rest.strip().casefold() == "all")
            case _ if typed.startswith("/"):
                self._filter(seat, typed[1:].strip(), offer)
            case "why":
                self._why(seat, rest.strip(), offer)
            case "save" if any(part.startswith("--") for part in rest.split()):
                answer("`save` knows no options: say the name of a file, or nothing for a free one")
            case "save":
                self._save(Path(rest.strip()) if rest.strip() else self._own[-1] if self._own else self.file)
            case "quit" | "exit":
                raise PersonLeft("left")
            case "undo":
                return self._undo()
            case _ if is_number(typed) and not offer.by_value and not offer.by_words:
                answer(f"there is no number {typed}: choose 1 to {len(offer.labels)}")
            case _:
                return self._named(seat, offer.worded(typed), offer)
        return False

    def _draw_table(self, seat: int, offer: OptionPrompt, *, details: bool = False) -> None:
        """The table as the seat sees it, with the numbers of its options; `details` too, which rulesets leave out of it."""
        from croupier.cli.views.position import table
        from croupier.table import view

        answer("")
        numbers = dict(zip(offer.legal, offer.numbers, strict=True))
        draw(table(view(self.session.state, seat), self._names, numbers, width(), spoken=self._spoken, details=details))

    def _room(self) -> int:
        """How many columns the options may take."""
        return 1 if self._spoken else width() or COLUMNS

    def _offer(self, seat: int, offer: OptionPrompt, *, whole: bool = False) -> None:
        from croupier.cli.views.interactive import asked_of, options
        from croupier.runtime.legality import several

        asked, many = asked_of(self.session.state, seat), several(self.session.state, seat)
        draw(options(asked, offer.numbers, offer.labels, self.session.can_undo, many, self._names, self._room(), whole=whole))

    def _filter(self, seat: int, wanted: str, offer: OptionPrompt) -> bool:
        """Show the options that these words stand in; whether there are any."""
        from croupier.cli.views.interactive import choices

        places = [i for i, label in enumerate(offer.labels) if folded(wanted) in folded(label)]
        if places:
            numbers, labels = [offer.numbers[i] for i in places], [offer.labels[i] for i in places]
            draw(choices(numbers, labels, self._names, self._room(), whole=True))
        else:
            answer(f"no option has `{wanted}` in it")
        return bool(places)

    def _named(self, seat: int, wanted: str, offer: OptionPrompt) -> bool:
        """Choose what is called so though not by its label, like one of several that are alike; if nothing is, say why. Whether it was chosen."""
        found = self._found(seat, wanted)
        action = None if found is None or found.clauses or found.label is None else offer.meant(found.label)
        if action is None:
            if found is None or found.known or not offer.beginning(wanted) or not self._filter(seat, wanted, offer):
                self._refuse(wanted, found)
            return False
        self.session.choose(seat, action)
        return True

    def _why(self, seat: int, wanted: str, offer: OptionPrompt) -> None:
        if not wanted:
            answer("why what? Type `why` and the words of what you would like to choose")
            return
        action = offer.meant(wanted)
        wanted = wanted if action is not None else offer.worded(wanted)
        found = self._found(seat, wanted) if action is None else None
        if found is not None and not found.clauses and found.label is not None:
            action = offer.meant(found.label)
        begun = offer.beginning(wanted) if action is None and found is not None and not found.known else []
        if begun:
            named = ", ".join(f"`{label}`" for label in begun[:MAX_BEGUN])
            answer(f"what begins with `{wanted}` can be chosen: {named}{', …' * (len(begun) > MAX_BEGUN)}")
        elif action is None:
            self._refuse(wanted, found)
        else:
            label, how = offer.how_to(action)
            answer(f"`{label}` can be chosen: {how}")

    def _found(self, seat: int, wanted: str) -> WhyNot | None:
        """What the rules say about something that is called so; none, and it is said, if that cannot be worked out."""
        from croupier.runtime.faults import Fault
        from croupier.runtime.legality import why_not

        try:
            return why_not(self.session.state, seat, wanted)
        except Fault as fault:
            answer(f"that cannot be worked out here: {fault.diagnostic.message}")
            return None

    def _refuse(self, wanted: str, found: WhyNot | None) -> None:
        from croupier.cli.views.interactive import refusal

        if found is not None:
            draw(refusal(wanted, found))

    def _undo(self) -> bool:
        if not self.session.can_undo:
            answer(_SINCE if self.session.has_learnt else "there is no decision of yours left to take back")
            return False
        self.session.undo()
        self._printer.forget()
        answer("taken back")
        return True

    # ------------------------------------------------------------ saving
    def _leave(self, why: str, code: int) -> int:
        """Save the game, unless nothing happened in it yet."""
        if not self.session.steps:
            answer(f"{why}; nothing was played, nothing is saved")
            return code
        answer(why)
        return code if self._keep(self.file) else REFUSED

    def _keep(self, path: Path | None) -> bool:
        """Save under a name or a free one; where that is not possible, wherever the person says; if nobody does, in the temporary folder."""
        saved = path is not None and self._save(path) or self._save(None)
        while not saved:
            try:
                typed = self._read("another place, a file or a folder (nothing: the game is not saved)> ").strip()
            except (PersonLeft, KeyboardInterrupt):
                return self._save(self._free(Path(tempfile.gettempdir())))
            if not typed:
                return False
            place = Path(typed).expanduser()
            saved = self._save(self._free(place) if os.path.isdir(place) else place)
        return True

    def _save(self, path: Path | None) -> bool:
        """Save under a name (none: a free one); whether that was possible. What this sitting wrote itself may be replaced."""
        from croupier.cli.options import check_output, resume_command
        from croupier.diagnostics import RulesetError
        from croupier.play.saved import save

        path = path if path is not None else self._free()
        try:
            if path not in self._own:
                check_output(path, *self._kept, force=self.force)
            save(self.session.record(), path, force=self.force or path in self._own, warned=True)
        except RulesetError as error:
            show([replace(d, help="choose another name") if d.code == "X530" else d for d in error.diagnostics], as_data=True)
            return False
        self._own.append(path)
        over = self.session.state.is_terminal()
        answer(f"saved as {path}" + ("" if over else f"; this goes on with it: {resume_command(self.session.ruleset, path)}"))
        return True

    def _free(self, folder: Path | None = None) -> Path:
        """A file that is not there yet, in a folder; if none is named, the file that was saved last, or one in this folder."""
        if folder is None and self._own:
            return self._own[-1]
        folder = folder or Path()
        name = "".join(c if c.isalnum() or c == "_" else "-" for c in self.session.ruleset.name)[:60]
        names = (folder / f"{name}-{i}.json" for i in range(1, MAX_NAMES))
        return next((path for path in names if not os.path.lexists(path)), folder / f"{name}.json")


def _line(prompt: str) -> str:
    """A line that the person types. Raises `PersonLeft` at the end of the input."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    try:
        line = sys.stdin.readline(MAX_LINE)
    except UnicodeDecodeError:
        return "\ufffd"
    if not line:
        sys.stdout.write("\n")
        raise PersonLeft("the input ended")
    while not line.endswith("\n") and len(line) == MAX_LINE:
        rest = sys.stdin.readline(MAX_LINE)
        if not rest or rest.endswith("\n"):
            break
    return line
