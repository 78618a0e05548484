"""`croupier play` on a terminal: the table, the log and the options beside each other, for keyboard and
mouse. It needs the optional group `table`.

The game is the session's, the view of a seat is from `table`, the log from `narration`; this module lays them
out. Widgets get texts as sanitised `rich.text.Text`, so that nothing in them is markup.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key
from textual.widgets import Footer, Input, Label, OptionList, SelectionList, Static
from textual.widgets.option_list import Option
from textual.widgets.selection_list import Selection

from croupier.cli.views.advice import advice_rows, headline
from croupier.cli.views.interactive import OptionPrompt, amount, ending, prompt_of, recent_events
from croupier.cli.views.position import table
from croupier.diagnostics import sanitise
from croupier.runtime.faults import Fault
from croupier.runtime.legality import several, why_not
from croupier.table import view

if TYPE_CHECKING:
    from croupier.narration import Names
    from croupier.play.session import Session

NARROW = 90  # columns
MAX_DIGITS = 9  # options that a digit chooses
MAX_IN_NOTE = 5  # options that a bot's advice has figures of


class Screen(App[None]):
    """The full screen of one session.

    It ends when the person leaves; the session then has the last position.
    """

    CSS = """
    #left { width: 60%; border: round $primary; padding: 0 1; }
    #right { width: 40%; }
    .narrow #both { layout: vertical; }
    .narrow #left, .narrow #right { width: 100%; height: 50%; }
    .narrow #left, .narrow #story { border: none; }
    #story { height: 1fr; border: round $primary; padding: 0 1; }
    #asked { height: auto; padding: 0 1; text-style: bold; }
    #options, #ticks { height: auto; max-height: 45%; border: round $accent; }
    #note { height: auto; max-height: 6; padding: 0 1; }
    #ticks, .gone { display: none; }
    """
    BINDINGS: ClassVar[list[Any]] = [
        Binding("slash", "filter", "filter"),
        Binding("t", "take", "take what is ticked"),
        Binding("question_mark", "why", "why not / what is it"),
        Binding("b", "bot", "what a bot would do"),
        Binding("u", "undo", "undo"),
        Binding("q", "quit", "save and leave"),
    ]

    def __init__(self, session: Session, names: Names, detail: str, every: bool, pace: float = 0.0) -> None:
        super().__init__()
        self.session, self.names, self.detail, self.every, self.pace = session, names, detail, every, pace
        self.seat: int | None = None
        self.offer: OptionPrompt | None = None
        self._wanted: list[str] = []  # ticked options that are still to be chosen

    def compose(self) -> ComposeResult:
        with Horizontal(id="both"):
            with VerticalScroll(id="left"):
                yield Static(id="table")
            with Vertical(id="right"):
                with VerticalScroll(id="story"):
                    yield Static(id="log")
                yield Label(id="asked")
                yield Input(placeholder="type to filter; Enter takes the first", id="filter", classes="gone")
                yield OptionList(id="options")
                yield SelectionList[int](id="ticks")
                yield Static(id="note")
        yield Footer()

    def on_mount(self) -> None:
        self.title = sanitise(self.session.ruleset.title)
        self.go_on()

    def on_resize(self) -> None:
        """A narrow terminal has the table above the log and the options."""
        self.set_class(self.size.width < NARROW, "narrow")

    # ------------------------------------------------------------ the game
    @work(thread=True, exclusive=True)
    def go_on(self) -> None:
        """Let bots and chance act until the person must decide; show step by step what the person
        perceives.
        """
        session, reader = self.session, min(self.session.persons)
        told = len(session.state.events(reader))
        while True:
            steps = len(session.steps)
            seat = session.advance(lambda steps=steps: bool(self.pace) and len(session.steps) > steps)  # type: ignore[misc]
            if (
                seat is not None
                or len(session.steps) == steps
                or session.state.is_terminal()
                or not self.is_running
            ):
                break
            new = session.state.events(reader)[told:]
            # not for dice
            if any(
                not event.quiet and event.actor is not None and event.actor not in session.persons
                for event in new
            ):
                told += len(new)
                self.call_from_thread(self._tell, reader, {})
                time.sleep(self.pace)
        self.call_from_thread(self.show, seat)

    def show(self, seat: int | None) -> None:
        """Show the table and the options of a seat; choose forced and ticked options."""
        session, state = self.session, self.session.state
        self.seat, self.offer = seat, None
        looking = seat if seat is not None else min(session.persons)
        if seat is not None:
            self.offer = OptionPrompt.of(state, seat, self.names)
            if len(self.offer.legal) == 1 and not self.every:
                session.choose(seat, self.offer.legal[0], forced=True)
                self.go_on()
                return
            if self._wanted and self._choose_next(self.offer):
                return
        numbers = (
            {}
            if self.offer is None
            else dict(zip(self.offer.legal, range(1, len(self.offer.legal) + 1), strict=True))
        )
        self._tell(looking, numbers, seat is not None)
        self._ask(seat)

    def _tell(self, looking: int, numbers: dict[int, int], is_open: bool = False) -> None:
        """The table and the log of a seat."""
        state = self.session.state
        room = self.size.width - 2 if self.size.width < NARROW else self.size.width * 3 // 5 - 6
        events = state.events(looking)
        self.query_one("#table", Static).update(
            table(view(state, looking, events), self.names, numbers, room)
        )
        self.query_one("#log", Static).update(
            recent_events(events, is_open, self.names, self.detail, players=state.players)
        )
        self.query_one("#story", VerticalScroll).scroll_end(animate=False)

    def _ask(self, seat: int | None) -> None:
        asked = self.query_one("#asked", Label)
        options = self.query_one("#options", OptionList)
        ticks = self.query_one("#ticks", SelectionList)
        options.clear_options()
        ticks.clear_options()
        if seat is None or self.offer is None:
            asked.update(ending(self.session.state, self.names, self.session.setup.seed))
            options.display = ticks.display = False
            return
        many = several(self.session.state, seat)
        ticking = many is not None and (many.least, many.most) != (1, 1)
        words = self.names(prompt_of(self.session.state, seat).text) + (
            f" · {amount(many, self.names)}" if ticking and many is not None else ""
        )
        asked.update(Text(sanitise(words)))
        ticks.display, options.display = ticking, not ticking
        if ticking:
            ticks.add_options(
                [Selection(self._words(i), i) for i in range(len(self.offer.labels)) if self.offer.items[i]]
            )
        self._fill("")
        (ticks if ticking and ticks.option_count else options).focus()
        if ticking and not all(self.offer.items):
            options.display = True

    def _words(self, index: int) -> Text:
        assert self.offer is not None
        number = f"{index + 1:>3}  " if index < MAX_DIGITS else "     "
        return Text(f"{number}{sanitise(self.names(self.offer.labels[index]))}")

    def _fill(self, wanted: str) -> None:
        """List the options that contain the typed text; where items are ticked, only the options that are no
        items.
        """
        if self.offer is None:
            return
        options = self.query_one("#options", OptionList)
        ticking = self.query_one("#ticks", SelectionList).display
        options.clear_options()
        for index in self.offer.containing(wanted):
            if not (ticking and self.offer.items[index]):
                options.add_option(Option(self._words(index), id=str(index)))

    def choose(self, index: int) -> None:
        """Choose an option by its index."""
        if self.seat is None or self.offer is None:
            return
        seat, action = self.seat, self.offer.legal[index]
        self.seat = None
        self.note("")
        self.query_one("#filter", Input).value = ""
        self.query_one("#filter", Input).add_class("gone")
        self.query_one("#asked", Label).update("the game goes on …")
        self.query_one("#options", OptionList).clear_options()
        self.query_one("#ticks", SelectionList).clear_options()
        self.session.choose(seat, action)
        self.go_on()

    def _choose_next(self, offer: OptionPrompt) -> bool:
        wanted = self._wanted.pop(0)
        action = offer.action_with(wanted)
        if action is None or self.seat is None:
            self._wanted.clear()
            self.note("not all of that can be taken together; what was taken so far is kept")
            return False
        self.choose(offer.legal.index(action))
        return True

    # ------------------------------------------------------------ what the person does
    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_list.id == "options" and event.option.id is not None:
            self.choose(int(event.option.id))

    def on_selection_list_selected_changed(self, event: SelectionList.SelectedChanged[int]) -> None:
        many = None if self.seat is None else several(self.session.state, self.seat)
        if many is None:
            return
        count = len(event.selection_list.selected) + len(many.taken)
        short = f"; {many.least - count} more are needed" if count < many.least else ""
        over = (
            f"; that is {count - many.most} too many" if many.most is not None and count > many.most else ""
        )
        self.note(f"{count} ticked or taken{short}{over}; `t` takes them")

    def action_take(self) -> None:
        """Choose the ticked options, in the order in which they are offered."""
        ticks = self.query_one("#ticks", SelectionList)
        if self.offer is None or not ticks.display or not ticks.selected:
            return
        self._wanted = [self.offer.structs[index] for index in sorted(ticks.selected)]
        self._choose_next(self.offer)

    def action_filter(self) -> None:
        box = self.query_one("#filter", Input)
        box.remove_class("gone")
        box.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._fill(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        options = self.query_one("#options", OptionList)
        if options.option_count:
            self.choose(int(options.get_option_at_index(0).id or 0))
        else:
            self._explain(event.value)

    def action_why(self) -> None:
        """Describe the component of the highlighted option; or say why what is typed in the filter cannot be
        chosen.
        """
        typed = self.query_one("#filter", Input).value
        options = self.query_one("#options", OptionList)
        if typed and not options.option_count:
            self._explain(typed)
            return
        at = options.highlighted
        if self.seat is None or self.offer is None or at is None:
            self.note("type `/` and words: `?` then says why that cannot be chosen")
            return
        action = self.offer.legal[int(options.get_option_at_index(at).id or 0)]
        seen = view(self.session.state, self.seat)
        everywhere = (
            *seen.zones,
            *(z for s in seen.seats for z in s.zones),
            *(z for b in seen.boards for c in b.cells for z in c.zones),
        )
        found = next(
            (thing for zone in everywhere for thing in zone.things or () if action in thing.options), None
        )
        say = self.names
        attributes = [] if found is None else [f"{name} {say(value)}" for name, value in found.attributes]
        rules = () if found is None else found.rules
        told = [part for part in (", ".join(attributes), *rules) if part]
        self.note(
            f"{say(found.label)}: {'; '.join(told)}"
            if found is not None and told
            else "nothing is written on it"
        )

    def _explain(self, words: str) -> None:
        if self.seat is None:
            return
        try:
            found = why_not(self.session.state, self.seat, words, self.names)
        except Fault as fault:
            self.note(fault.diagnostic.message)
            return
        reasons = "; ".join(self.names(clause.told) for clause in found.clauses)
        self.note(
            f"{words} cannot be chosen: {reasons}"
            if found.known and reasons
            else f"nothing here is called {words}"
        )

    def action_bot(self) -> None:
        """Let a bot that knows what the person knows think about the options; nothing can be chosen
        meanwhile.
        """
        if self.seat is None or self.offer is None:
            self.note("there is nothing for you to decide now")
            return
        seat, self.seat = self.seat, None
        self.note("a bot thinks …")
        self._think(seat, self.offer)

    @work(thread=True, group="advice")
    def _think(self, seat: int, offer: OptionPrompt) -> None:
        try:
            found = self.session.advice(seat)
            rows = advice_rows(found, offer, self.names)[:MAX_IN_NOTE]
            lines = [headline(found)]
            lines += [f"{words}: {share} of the visits, worth {worth}" for _, words, share, worth in rows]
        except ValueError as error:
            lines = [str(error)]
        self.call_from_thread(self._advised, seat, lines)

    def _advised(self, seat: int, lines: Sequence[str]) -> None:
        self.seat = seat
        self.note(*lines)

    def action_undo(self) -> None:
        if self.seat is None or not self.session.can_undo:
            self.note("nothing can be taken back here")
            return
        self.session.undo()
        self.note("taken back")
        self.go_on()

    def on_key(self, event: Key) -> None:
        """A digit chooses the option of that number."""
        if (
            event.key.isdecimal()
            and self.offer is not None
            and not isinstance(self.focused, Input)
            and 0 < int(event.key) <= len(self.offer.legal)
        ):
            ticks = self.query_one("#ticks", SelectionList)
            index = int(event.key) - 1
            if ticks.display and self.offer.items[index]:
                ticks.toggle(index)
            else:
                self.choose(index)

    def note(self, *lines: str) -> None:
        """A line below the options, or several."""
        self.query_one("#note", Static).update(Text("\n".join(map(sanitise, lines))))


def play_on_screen(session: Session, names: Names, detail: str, every: bool, pace: float) -> None:
    """Let the person play until they leave; `pace`: seconds between the actions of others."""
    Screen(session, names, detail, every, pace).run()


__all__: Sequence[str] = ["Screen", "play_on_screen"]
