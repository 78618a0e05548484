"""`croupier play` line by line: the loop that prints the table, reads a command and runs it.

The game itself is the session's (`play/session.py`).
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.cli.console import answer, data, draw, show, width
from croupier.cli.event_printer import EventPrinter
from croupier.cli.guard import FINDINGS, INTERRUPTED, REFUSED
from croupier.cli.views.interactive import DONE, OptionPrompt, is_number
from croupier.text import Seat, Text

if TYPE_CHECKING:
    from croupier.play.session import Session
    from croupier.runtime.clauses import WhyNot


MAX_LINE = 2_000  # characters that are read of what somebody types
_SINCE = (
    "your last decision cannot be taken back: since then chance or something hidden was revealed to "
    "one of your seats, or may have been"
)
MAX_NAMES = 1_000  # of files that are tried to find an unused one


COLUMNS = 100  # where the output is no terminal
MAX_MEANT = 5  # options that are named because what was asked about may mean them
_COMMAND_NAMES = ("help", "look", "table", "log", "options", "why", "bot", "undo", "save", "quit", "exit")


class PersonLeft(Exception):
    """The person leaves: at the end of the input, by `quit` or by Ctrl-C. The message says which."""


class InteractiveSession:
    """The dialogue of one session.

    `file`: where the game is saved when the person leaves (`None`: under an unused name); `force`: replace
    that file.

    `kept`: input files that are never replaced; `names`: names of the players; `detail`: a value of
    `LogDetail`; `spoken`: output for a screen reader, with one item a line and no columns.
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
        self._draws = not spoken  # draw the table above each question
        # structures of options that were typed at once and are still to be chosen
        self._wanted: list[str] = []
        self._kept = kept
        self.session, self.file, self.force, self.every = session, file, force, every
        self._read = read if read is not None else _line
        self._printer = EventPrinter(session, self._names, detail, spoken)
        self._own: list[Path] = []  # files that this session wrote, in order

    # ------------------------------------------------------------ the game
    def play(self) -> int:
        """Play to the end or until the person leaves; the exit code."""
        from croupier.cli.views.interactive import welcome
        from croupier.play.start_and_end import start_values

        session = self.session
        persons = sorted(session.persons)
        starts = [start_values(session.state, p) for p in persons]
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

    def play_on_screen(self, pace: float) -> int:
        """Play in a full screen, to the end or until the person leaves; `pace`: seconds between the actions
        of others. The exit code.
        """
        from croupier.cli.screen import play_on_screen

        play_on_screen(self.session, self._names, self._detail, self.every, pace)
        return self._end() if self.session.state.is_terminal() else self._leave("left", 0)

    def _end(self) -> int:
        """Print how the game ended, and save it if a file is given."""
        from croupier.cli.views.interactive import ending

        session = self.session
        draw(ending(session.state, self._names, session.setup.seed))
        show([finding for finding in (session.state.fault,) if finding is not None], as_data=True)
        if self.file is not None and not self._save_somewhere(self.file):
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
        """Ask until the seat has decided, or undone a decision."""
        offer = OptionPrompt.of(self.session.state, seat, self._names)
        self._printer.tell(seat)
        if len(offer.legal) == 1 and not self.every:
            answer(self._names(Text.of(Seat(seat), " has one thing to do: ", offer.labels[0])))
            self.session.choose(seat, offer.legal[0], forced=True)
            return
        if self._wanted and self._choose_next(seat, offer):
            return
        if self._draws:
            self._draw_table(seat, offer)
        self._offer(seat, offer)
        while True:
            typed = self._read(f"{self._names.of(seat)}> ").strip()
            if not typed:
                continue
            action = offer.action_of(typed)
            if action is None and (several := offer.several(typed)):
                self._wanted = list(several)
                if self._choose_next(seat, offer):
                    return
            if action is not None:
                self.session.choose(seat, action)
                return
            if self._command(seat, typed, offer):
                return

    def _choose_next(self, seat: int, offer: OptionPrompt) -> bool:
        """Choose the next of several options that were typed at once; whether it is offered."""
        wanted = self._wanted.pop(0)
        action = offer.action_of(DONE) if wanted == DONE else offer.action_with(wanted)
        if action is None:
            self._wanted.clear()
            answer("not all of that can be taken together; what was taken so far is kept")
            return False
        self.session.choose(seat, action)
        return True

    # ------------------------------------------------------------ what can be typed
    def _command(self, seat: int, typed: str, offer: OptionPrompt) -> bool:
        """Run what was typed; whether the decision has changed."""
        from croupier.cli.views.interactive import commands

        word, _, rest = typed.partition(" ")
        match word.casefold():
            case "help" | "?":
                draw(commands(None if self._spoken else width()))
            case "look":
                self._draw_table(seat, offer, details=True)
            case "table":
                self._draw_table(seat, offer)
            case "log":
                draw(self._printer.text(self.session.state.events(seat)))
            case "options":
                self._offer(seat, offer, whole=rest.strip().casefold() == "all")
            case _ if typed.startswith("/"):
                self._filter(typed[1:].strip(), offer)
            case "why":
                self._why(seat, rest.strip(), offer)
            case "bot" | "?bot":
                self._ask_bot(seat, rest.strip(), offer)
            case "save" if any(part.startswith("--") for part in rest.split()):
                answer("`save` knows no options: say the name of a file, or nothing for a free one")
            case "save":
                self._save(self._chosen_file(rest.strip()))
            case "quit" | "exit":
                raise PersonLeft("left")
            case "undo":
                return self._undo()
            case _ if is_number(typed) and not offer.by_value and not offer.by_words:
                answer(f"there is no number {typed}: choose 1 to {len(offer.labels)}")
            case _:
                return self._choose_by_name(seat, offer.option_words(typed), offer)
        return False

    def _draw_table(self, seat: int, offer: OptionPrompt, *, details: bool = False) -> None:
        """Draw the table as the seat sees it, with the numbers of its options; `details`: with values that
        rulesets leave out of it.
        """
        from croupier.cli.views.position import table
        from croupier.table import view

        answer("")
        numbers = dict(zip(offer.legal, offer.numbers, strict=True))
        draw(
            table(
                view(self.session.state, seat, self.session.state.events(seat)),
                self._names,
                numbers,
                width(),
                spoken=self._spoken,
                details=details,
            )
        )

    def _room(self) -> int:
        """The width for the options, in characters."""
        return 1 if self._spoken else width() or COLUMNS

    def _offer(self, seat: int, offer: OptionPrompt, *, whole: bool = False) -> None:
        from croupier.cli.views.interactive import options, prompt_of
        from croupier.runtime.legality import several

        asked, many = prompt_of(self.session.state, seat), several(self.session.state, seat)
        draw(
            options(
                asked,
                offer.numbers,
                offer.labels,
                self.session.can_undo,
                many,
                self._names,
                self._room(),
                whole=whole,
            )
        )

    def _filter(self, wanted: str, offer: OptionPrompt) -> None:
        """Show the options that contain these words."""
        places = offer.containing(wanted)
        if places:
            self._show_options(places, offer)
        else:
            answer(f"no option has `{wanted}` in it")

    def _show_options(self, places: Sequence[int], offer: OptionPrompt) -> None:
        """Show some of the options, by their indices."""
        from croupier.cli.views.interactive import choices

        numbers, labels = [offer.numbers[i] for i in places], [offer.labels[i] for i in places]
        draw(choices(numbers, labels, self._names, self._room(), whole=True))

    def _choose_by_name(self, seat: int, wanted: str, offer: OptionPrompt) -> bool:
        """Choose an option by another name than its label, like one of several that are alike, or by words
        that mean no other; else say why not. Whether it was chosen.
        """
        found = self._found(seat, wanted)
        if found is None:
            return False
        if not found.clauses and found.label is not None:
            action = offer.action_of(found.label)
            if action is not None:
                self.session.choose(seat, action)
                return True
        if found.known:
            self._refuse(wanted, found)
            return False
        return self._choose_meant(seat, wanted, offer, found)

    def _choose_meant(self, seat: int, wanted: str, offer: OptionPrompt, found: WhyNot) -> bool:
        """Choose the one option that words mean that are not its own, and say what it is; else show those
        that they may mean, or say why there is none (`found`). Whether it was chosen.
        """
        from croupier.narration.sentences import predicate

        meant = offer.meant(wanted)
        commands = [name for name in _COMMAND_NAMES if name.startswith(wanted.casefold())]
        if not meant.options:
            self._refuse(wanted, found, "" if meant.nearest is None else offer.labels[meant.nearest])
            return False
        if len(meant.options) > 1 or commands:
            known = "".join(f"the command `{name}`, or " for name in commands)
            answer(f"`{wanted}` is not clear; it may be {known}one of these:")
            self._show_options(meant.options, offer)
            return False
        taken = meant.options[0]
        answer(self._names(Text.of(Seat(seat), " ", predicate(Text.of(offer.labels[taken])))))
        self.session.choose(seat, offer.legal[taken])
        return True

    def _ask_bot(self, seat: int, typed: str, offer: OptionPrompt) -> None:
        """Show what a fair bot would do, with its figures: the one that is named (`bot ismcts:1000`), of all
        options with `all`, or one that thinks for a moment.
        """
        from croupier.cli.views.advice import advice

        words = typed.split()
        whole = "all" in words
        named = [word for word in words if word != "all"]
        if len(named) > 1:
            answer("`bot` knows one bot at a time, as in `bot ismcts:1000`")
            return
        try:
            found = self.session.advice(seat, named[0] if named else None)
        except ValueError as error:
            answer(str(error))
            return
        draw(advice(found, offer, self._names, width() or COLUMNS, spoken=self._spoken, whole=whole))

    def _why(self, seat: int, wanted: str, offer: OptionPrompt) -> None:
        if not wanted:
            answer("why what? Type `why` and the words of what you would like to choose")
            return
        action = offer.action_of(wanted)
        wanted = wanted if action is not None else offer.option_words(wanted)
        found = self._found(seat, wanted) if action is None else None
        if found is not None and not found.clauses and found.label is not None:
            action = offer.action_of(found.label)
        meant = offer.meant(wanted)
        if action is None and (found is None or found.known or not meant.options):
            self._refuse(wanted, found, "" if meant.nearest is None else offer.labels[meant.nearest])
            return
        if action is None and len(meant.options) > 1:
            named = ", ".join(f"`{self._names(offer.labels[i])}`" for i in meant.options[:MAX_MEANT])
            more = ", …" if len(meant.options) > MAX_MEANT else ""
            answer(f"what `{wanted}` may mean can be chosen: {named}{more}")
            return
        label, how = offer.how_to(offer.legal[meant.options[0]] if action is None else action)
        answer(f"`{self._names(label)}` can be chosen: {how}")

    def _found(self, seat: int, wanted: str) -> WhyNot | None:
        """Return the answer of the rules about an option of this name; `None`, with a message, if it cannot
        be computed.
        """
        from croupier.runtime.faults import Fault
        from croupier.runtime.legality import why_not

        try:
            return why_not(self.session.state, seat, wanted, self._names)
        except Fault as fault:
            answer(f"that cannot be worked out here: {fault.diagnostic.message}")
            return None

    def _refuse(self, wanted: str, found: WhyNot | None, nearest: str = "") -> None:
        from croupier.cli.views.interactive import refusal

        if found is not None:
            rules = self.session.state.game.program.rule_ids
            draw(refusal(wanted, found, self._names, rules, nearest))

    def _why_no_undo(self) -> str:
        """Return the reason why no decision can be taken back."""
        if self.session.has_learnt:
            return _SINCE
        if self.session.is_resumed:
            return "what was decided before you went on with this game cannot be taken back"
        return "there is no decision of yours left to take back"

    def _undo(self) -> bool:
        if not self.session.can_undo:
            answer(self._why_no_undo())
            return False
        self.session.undo()
        self._printer.forget()
        answer("taken back")
        return True

    # ------------------------------------------------------------ saving
    def _leave(self, why: str, code: int) -> int:
        """Save the game if something happened in it; the exit code."""
        if not self.session.steps:
            answer(f"{why}; nothing was played, nothing is saved")
            return code
        answer(why)
        return code if self._save_somewhere(self.file) else REFUSED

    def _save_somewhere(self, path: Path | None) -> bool:
        """Save to a file or under an unused name; if that fails, where the person says; without an answer in
        the temporary folder.
        """
        saved = path is not None and self._save(path) or self._save(None)
        while not saved:
            try:
                typed = self._read("save to another file or folder (empty: do not save)> ").strip()
            except (PersonLeft, KeyboardInterrupt):
                return self._save(self._unused_path(Path(tempfile.gettempdir())))
            if not typed:
                return False
            path_typed = Path(typed).expanduser()
            saved = self._save(self._unused_path(path_typed) if os.path.isdir(path_typed) else path_typed)
        return True

    def _chosen_file(self, typed: str) -> Path | None:
        """Return the typed file, else the one saved in last, else that of the command line; `None` stands
        for a free name.
        """
        if typed:
            return Path(typed)
        return self._own[-1] if self._own else self.file

    def _save(self, path: Path | None) -> bool:
        """Save to a file (`None`: under an unused name); whether that was possible.

        Files that this session wrote may be replaced.
        """
        from croupier.cli.options import check_output, resume_command
        from croupier.diagnostics import RulesetError
        from croupier.play.saved import save

        path = path if path is not None else self._unused_path()
        try:
            if path not in self._own:
                check_output(path, *self._kept, force=self.force)
            save(self.session.record(), path, force=self.force or path in self._own, warned=True)
        except RulesetError as error:
            show(
                [
                    replace(d, help="choose another name") if d.code == "X530" else d
                    for d in error.diagnostics
                ],
                as_data=True,
            )
            return False
        self._own.append(path)
        over = self.session.state.is_terminal()
        answer(
            f"saved as {path}"
            + ("" if over else f"; continue with: {resume_command(self.session.ruleset, path)}")
        )
        return True

    def _unused_path(self, folder: Path | None = None) -> Path:
        """An unused path in a folder; without a folder, the path saved last, else one in the working
        folder.
        """
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
