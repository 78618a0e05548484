"""The tables that are open: made, found again in the store, chosen at.

Calls may come from several threads; each table is used by one at a time.
"""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakMethod

from croupier.diagnostics import JsonObject
from croupier.play.agents import UnknownAgent
from croupier.play.match import MatchConfig
from croupier.play.table_bots import any_table_bot
from croupier.server.hosted_match import HostedMatch, Row
from croupier.server.keys import MAKER, Keys, TableKeys, hashed, new_token
from croupier.server.keys import SPECTATOR_SEAT as SPECTATOR_SEAT
from croupier.server.page import Log, Page, page_of
from croupier.server.player_names import MAX_NAME, fair_names
from croupier.server.refusals import RefusedRequest
from croupier.server.rules import OfferedRuleset, Rules
from croupier.server.store import Entry, TableStore
from croupier.server.uses import TableUses

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State

MAX_OPEN = 500  # in memory; those that were used longest ago are found again when somebody asks
# seconds that a table stays in memory when nobody uses it; the same when its game is over
MAX_UNUSED, MAX_UNUSED_OVER = 600.0, 60.0
MAX_NAMES = 100  # of a request
MAX_REMARK = 400  # characters
MAX_REMARKS = 1_000  # at a table
QUICK = 0.01  # seconds of processor time: where what is worked out takes longer on average, a thread does it
NEW = 0.1  # how much the last time counts in that average
# that play the seats which nobody takes, unless whoever started the server named others; the first one does
# where nobody chooses
BOTS = (any_table_bot(), "random", "first")


T = TypeVar("T")


@contextmanager
def known_tables() -> Iterator[None]:
    """A write to a table. Raises `RefusedRequest` if somebody has removed it from the store meanwhile."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise RefusedRequest("there is no such table", 404) from None


@dataclass
class OpenTable:
    """A table that is open."""

    entry: Entry
    match: HostedMatch
    lock: threading.Lock = field(default_factory=threading.Lock)
    # what each seat is sent now; empty after a change, when that is on the disk
    pages: dict[int | None, Page] = field(default_factory=dict)
    logs: dict[int | None, Log] = field(default_factory=dict)  # of each seat
    # of a finished game: the state before each step, and the last
    moments: list[State] = field(default_factory=list)
    used: float = 0.0
    # as it was after the last change: whether the game is over, and whether it is for bots to go on
    is_over: bool = False
    goes_on: bool = False
    seconds: float = 0.0  # of processor time that a change or a page takes, on average
    keys: TableKeys | None = None  # once they are read
    links_changed: int = 0  # how often links were issued or revoked since it was opened
    # while time runs: the pages as they were when it began
    held: dict[int | None, Page] = field(default_factory=dict)
    clocked: int = 0  # the number of the block of rules whose time is kept (`live.py`)

    def __post_init__(self) -> None:
        # weakly: a table that goes is freed at once, pages and all, not when cycles are looked for
        self.match.time.on_begin = WeakMethod(self._hold_pages)
        self.note_change()

    def note_change(self) -> None:
        """Take down whose turn it is. The caller holds the lock, or nobody else has the table yet."""
        self.is_over, self.goes_on = self.match.is_over, self.match.goes_on

    def _hold_pages(self) -> None:
        """Keep the pages of all seats for as long as the block runs that begins now."""
        self.held = {seat: self._page_now(seat) for seat in (*sorted(self.entry.persons), None)}

    @property
    def is_quick(self) -> bool:
        """Tell whether a change is computed in a moment. Bots may take longer."""
        return self.seconds < QUICK and len(self.entry.persons) == self.entry.players

    def timed(self, work: Callable[[], T]) -> T:
        """Do something, and remember how much processor time it took: where the machine is busy, a thread
        would make it busier.
        """
        start = time.thread_time()
        try:
            return work()
        finally:
            self.seconds += (time.thread_time() - start - self.seconds) * NEW

    def page(self, seat: int | None) -> Page:
        """Return the page of a seat as it is now. The caller holds the lock."""
        if seat not in self.pages:
            is_hidden = self.match.time.is_hidden_from(seat)
            self.pages[seat] = self.held[seat] if is_hidden else self._page_now(seat)
        return self.pages[seat]

    def _page_now(self, seat: int | None) -> Page:
        match = self.match
        return page_of(
            match.state,
            seat,
            self.entry.names,
            self.logs.setdefault(seat, Log(match.state.players)),
            has_chosen=seat in match.sealed,
            can_undo=seat is not None and match.can_undo(seat),
            time=match.time.to_json(match.state),
            taken=() if seat is None else match.taken[seat],
        )

    def renew_pages(self) -> None:
        """What is in memory is on the disk: pages are made anew, but for those that stay as they are."""
        self.held = {seat: page for seat, page in self.held.items() if self.hides_from(seat)}
        self.pages = dict(self.held)

    def hides_from(self, seat: int | None) -> bool:
        """Tell whether a seat is not shown what happens now."""
        return self.match.time.is_hidden_from(seat)


@dataclass(frozen=True)
class TableChange:
    """A change at a table that is in memory but not yet on the disk: nobody is sent it before.

    The lock of the table is held until it is settled.
    """

    tables: Tables
    table: OpenTable
    rows: list[Row]

    def write(self) -> None:
        """Write it; when this returns it is on the disk."""
        error: BaseException | None = OSError("not written")
        try:
            with known_tables():
                self.tables.store.append(self.table.entry.id, self.rows)
            error = None
        finally:
            self.settle(error)

    def settle(self, error: BaseException | None) -> None:
        """It is on the disk; or, with an error, what is in memory is not what is on the disk: the table is
        played again from there.
        """
        if error is not None:
            self.tables.drop(self.table)
        self.table.renew_pages()


class Tables:
    """All tables of a server. `offered` are the rulesets that may be played, by name; `load` reads one;
    `say` is told in words when their files change.

    Of several processes, which are numbered from 0, each serves the tables that are its own; `process` is the
    number of this one. Where `may_undo` is false nobody takes decisions back. `bots` may sit at a table, the
    first one where nobody chooses.
    """

    def __init__(
        self,
        store: TableStore,
        offered: Sequence[str],
        load: Callable[[str], Ruleset],
        process: int = 0,
        processes: int = 1,
        *,
        may_undo: bool = True,
        bots: Sequence[str] = BOTS,
        say: Callable[[str], object] = lambda text: None,
    ) -> None:
        self.usual_bots, self.store = tuple(bots), store
        self.rules, self.keys = Rules(store, offered, load, say), Keys(store)
        self.process, self.processes, self.may_undo = process, processes, may_undo
        self.uses = TableUses(store)
        self._open: dict[str, OpenTable] = {}
        self._lock = threading.Lock()
        # a table is played again once, whoever else asks for it meanwhile
        self._finding = tuple(threading.Lock() for _ in range(64))

    def ruleset(self, name: str, variants: Sequence[str] = ()) -> Ruleset:
        """One of the rulesets that are offered, with some of its variants.

        Raises `RefusedRequest`, `RulesetError`.
        """
        return self.rules.current(name, variants).ruleset

    def bots(self, policies: Iterable[str]) -> list[str]:
        """The bots that may sit at a table of a game: the usual ones, and those that the ruleset
        describes.
        """
        described = (f"policy:{name}" for name in policies)
        return list(dict.fromkeys((*self.usual_bots, *described)))

    # ------------------------------------------------------------ making
    def make(
        self,
        ruleset: str,
        players: int,
        persons: Sequence[int],
        bots: Sequence[str] | None,
        names: Sequence[str],
        seed: int | None = None,
        parameters: Mapping[str, object] | None = None,
        variants: Sequence[str] = (),
        played: Sequence[Row] = (),
        like: Entry | None = None,
    ) -> tuple[str, dict[int, str]]:
        """A new table; its id and the tokens of the seats of people, of spectators, and of whoever makes it.

        Raises `RefusedRequest`, `RulesetError`.

        `bots` are one for all seats or one a seat, `None` the usual one; `played` is what was chosen before,
        at a table with the rules of that which `like` was.
        """
        offered: OfferedRuleset | None = None
        if like is None:
            offered = self.rules.current(ruleset, variants)
            rules = offered.ruleset
        else:
            rules = self.rules.of(like)
        bots = self.usual_bots[:1] if bots is None else bots
        if not set(bots) <= set(self.bots(rules.program.policies)) or len(bots) not in (1, players):
            raise RefusedRequest("there is no such bot")
        if players not in rules.players:
            raise RefusedRequest(f"{rules.title} is not for {players} players")
        if not set(persons) <= set(range(players)) or not persons:
            raise RefusedRequest("somebody must sit at a seat of the game")
        if len(names) > players or len({n.casefold() for n in names if n}) < len([n for n in names if n]):
            raise RefusedRequest("players have different names, and no more names than seats")
        tokens = {seat: new_token() for seat in (*sorted(set(persons)), SPECTATOR_SEAT, MAKER)}
        entry = Entry(
            id=secrets.token_urlsafe(9),
            ruleset=ruleset,
            ruleset_hash=rules.ruleset_hash if like is None else like.ruleset_hash,
            players=players,
            parameters=dict(parameters or {}),
            seed=secrets.randbits(63) if seed is None else seed,
            bots=tuple(bots),
            persons=frozenset(persons),
            names=tuple(names),
            tokens={seat: hashed(token) for seat, token in tokens.items()},
            made=time.time(),
            variants=tuple(variants),
            meaning_hash=rules.meaning_hash if like is None else like.meaning_hash,
            has_chosen_seed=seed is not None,
        )
        try:
            match = self._new_match(entry, rules)
        except UnknownAgent as error:  # that does not go with this game
            raise RefusedRequest(str(error)) from None
        table = OpenTable(entry, match)
        match.catch_up(played)
        if offered is not None:
            self.rules.keep(ruleset, variants, offered)
        self.store.add(entry, [*played, *match.advance()])
        table.note_change()
        self.uses.touch(entry.id, is_over=match.is_over)
        if self.process_of(entry.id) == self.process:
            self._keep(table)
        return entry.id, tokens

    def fork(
        self, table: OpenTable, step: int, persons: Sequence[int], names: Sequence[str]
    ) -> tuple[str, dict[int, str]]:
        """A new table that goes on where a finished game stood after so many steps; chance falls anew.

        Raises `RefusedRequest`.
        """
        if not table.match.is_over:
            raise RefusedRequest("the game is not over yet", 409)
        e = table.entry
        played = [row for row in table.match.rows() if row[0] < step]
        return self.make(
            e.ruleset, e.players, persons, e.bots, names, None, e.parameters, e.variants, played, like=e
        )

    def _new_match(self, entry: Entry, rules: Ruleset) -> HostedMatch:
        setup = MatchConfig(
            entry.players,
            entry.parameters,
            entry.seed,
            entry.bots * (entry.players if len(entry.bots) == 1 else 1),
        )
        return HostedMatch(rules, setup, entry.persons, may_undo=self.may_undo)

    # ------------------------------------------------------------ finding
    def process_of(self, id: str) -> int:
        """Return the number of the process that serves a table."""
        return int(hashed(id), 16) % self.processes

    def known(self, id: str) -> OpenTable | None:
        """A table, if it is in memory."""
        with self._lock:
            found = self._open.get(id)
            if found is not None:
                found.used = time.monotonic()
                self.uses.touch(id, is_over=found.is_over)
            return found

    def find(self, id: str) -> OpenTable:
        """A table, played again from the store if it is not in memory.

        Raises `RefusedRequest` if there is none, or its rules are gone.
        """
        found = self.known(id)
        if found is not None:
            return found
        if self.process_of(id) != self.process:
            raise RefusedRequest("this table is served at another port", 421)
        with self._finding[hash(id) % len(self._finding)]:
            return self.known(id) or self._again(id)

    def _again(self, id: str) -> OpenTable:
        table = self.stored(id)
        self.store.append(id, table.match.advance())
        table.is_over = table.match.is_over
        self.uses.touch(id, is_over=table.is_over)
        return self._keep(table)

    def stored(self, id: str) -> OpenTable:
        """A table as it is in the store, played again from there; nobody uses it, and nothing goes on.

        Raises `RefusedRequest` as `find` does.
        """
        entry = self.store.find(id)
        if entry is None:
            raise RefusedRequest("there is no such table", 404)
        table = OpenTable(entry, self._new_match(entry, self.rules.of(entry)))
        table.match.catch_up(self.store.choices(id))
        table.is_over = table.match.is_over
        return table

    def _keep(self, table: OpenTable) -> OpenTable:
        self.keys_of(table)  # read here, where a thread may wait
        with self._lock:
            kept = self._open.setdefault(table.entry.id, table)
            kept.used = time.monotonic()
        self.let_go()
        return kept

    def let_go(self) -> int:
        """Take the tables out of the memory that nobody has used for a while, and those used longest ago
        where there are too many; how many that are.

        A table that is in use at this moment stays, and one whose rules take their time.
        """
        with self._lock:
            now, open_before = time.monotonic(), len(self._open)
            by_use = sorted(self._open.values(), key=lambda one: one.used)
            for n, old in enumerate(by_use, 1):
                unused = MAX_UNUSED_OVER if old.is_over else MAX_UNUSED
                is_busy = old.lock.locked() or old.match.time.block is not None
                if (n <= open_before - MAX_OPEN or now - old.used > unused) and not is_busy:
                    del self._open[old.entry.id]
            return open_before - len(self._open)

    def seat_of(self, table: OpenTable, token: str) -> int | None:
        """Return the seat that a token is for, -1 for a spectator; `None` if it is for nothing here."""
        return self.keys_of(table).seat_of(token)

    def keys_of(self, table: OpenTable) -> TableKeys:
        """The links and keys of a table."""
        if table.keys is None:
            table.keys = self.keys.of(table.entry)
        return table.keys

    # ------------------------------------------------------------ playing
    def choose(self, table: OpenTable, seat: int, action: int) -> None:
        """A decision of a person; when this returns it is on the disk.

        Raises `RefusedRequest`. The caller holds the lock of the table.
        """
        self.decide(table, seat, action).write()

    def undo(self, table: OpenTable, seat: int) -> None:
        """A person takes their last decision back.

        Raises `RefusedRequest`. The caller holds the lock of the table.
        """
        self.take_back(table, seat).write()

    def go_on(self, table: OpenTable) -> TableChange:
        """Let bots that take long play on in memory, before it is written."""
        return self._change(table, table.match.advance)

    def decide(self, table: OpenTable, seat: int, action: int) -> TableChange:
        """Make a decision of a person in memory, as `choose` does, before it is written."""
        return self._change(table, lambda: table.match.choose(seat, action), is_played=True)

    def take_back(self, table: OpenTable, seat: int) -> TableChange:
        """Take a decision back in memory, as `undo` does, before that is written."""
        return self._change(table, lambda: table.match.undo(seat), is_played=True)

    def arrive(self, table: OpenTable, seat: int) -> TableChange:
        """Somebody opens the table: the game goes on if it has waited for them alone."""
        table.match.time.missing.discard(seat)
        return self._change(table, table.match.advance)

    def end_time(self, table: OpenTable, number: int) -> TableChange:
        """The time is over of the block of this number."""

        def ended() -> list[Row]:
            block = table.match.time.block
            return table.match.end_time() if block is not None and block.number == number else []

        return self._change(table, ended)

    def _change(
        self, table: OpenTable, change: Callable[[], list[Row]], *, is_played: bool = False
    ) -> TableChange:
        """Make a change in memory; `is_played`: a person has decided, so that the table is kept for longer.

        Raises `RefusedRequest`.
        """
        if self.known(table.entry.id) is not table:
            raise RefusedRequest("the table has changed since; look again", 409)
        try:
            made = TableChange(self, table, change())
            table.note_change()
            self.uses.touch(table.entry.id, is_over=table.is_over, is_played=is_played)
            return made
        except ValueError as error:
            raise RefusedRequest(str(error), 409) from None
        except BaseException:
            self.drop(table)
            table.pages.clear()
            raise

    def drop(self, table: OpenTable) -> None:
        """Forget a table, until somebody asks for it again."""
        with self._lock:
            if self._open.get(table.entry.id) is table:
                del self._open[table.entry.id]

    def close(self, id: str) -> bool:
        """Take a table out of the memory, if nobody is using it at this moment; false otherwise."""
        with self._lock:
            found = self._open.get(id)
            if found is not None and found.lock.locked():
                return False
            self._open.pop(id, None)
            return True

    def notices(self, table: OpenTable) -> list[str]:
        """What everybody at a table should know of it, in words, a sentence or two each."""
        entry = table.entry
        notices = [self.rules.notice(entry)]
        if entry.has_chosen_seed:
            notices.append(
                f"Whoever made this table chose its seed, {entry.seed}: whoever knows it can work out what "
                f"chance does."
            )
        for seat, known in sorted(self.keys_of(table).seats.items()):
            if seat == SPECTATOR_SEAT:
                continue
            who = _called(entry.names, seat)
            if known.issued:
                notices.append(
                    f"Whoever made this table issued the link of {who} again: {times(known.issued)}."
                )
            if known.state == "revoked":
                notices.append(f"Whoever made this table revoked the link of {who}: nobody sits there now.")
        return [notice for notice in notices if notice is not None]

    def remark(self, table: OpenTable, seat: int, step: int, text: str) -> None:
        """Somebody says something about a position of a finished game. Raises `RefusedRequest`."""
        if not table.match.is_over:
            raise RefusedRequest("the game is not over yet", 409)
        if (
            not 0 <= step <= len(table.match.steps)
            or not 0 < len(text) <= MAX_REMARK
            or not text.isprintable()
        ):
            raise RefusedRequest(
                f"a remark is a line of at most {MAX_REMARK} characters about one of the positions"
            )
        if len(self.store.remarks(table.entry.id)) >= MAX_REMARKS:
            raise RefusedRequest("there are too many remarks", 503)
        with known_tables():
            self.store.remark(table.entry.id, step, seat, text)

    def moments(self, table: OpenTable) -> list[State]:
        """The states of a finished game, from the first to the last.

        Raises `RefusedRequest` while it goes on.
        """
        if not table.match.is_over:
            raise RefusedRequest("the game is not over yet", 409)
        if not table.moments:
            again = table.match.state.beginning()
            table.moments = [again.clone()]
            for step in table.match.steps:
                for choice in step.choices:
                    again.apply_action(choice.action, choice.seat)
                table.moments.append(again.clone())
        return table.moments


def is_number(value: object) -> bool:
    """Tell whether this is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def texts(value: object, most: int = MAX_NAME) -> bool:
    """Tell whether this is a list of short texts."""
    return isinstance(value, list) and all(
        isinstance(one, str) and len(one) <= most and one.isprintable() for one in value
    )


def _called(names: Sequence[str], seat: int) -> str:
    """What the player of a seat is called."""
    name = names[seat] if seat < len(names) else ""
    return name or f"player {seat + 1}"


def times(count: int) -> str:
    """How often, in words."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def asked_for(body: Mapping[str, object]) -> JsonObject:
    """The parts of a request for a new table, with their types. Raises `RefusedRequest`."""
    wanted: JsonObject = {
        "ruleset": body.get("ruleset"), "players": body.get("players"), "persons": body.get("persons", [0]),
        "bots": body.get("bots"),
        "names": body.get("names", []), "seed": body.get("seed"), "parameters": body.get("parameters", {}),
        "variants": body.get("variants", []),
    }  # fmt: skip
    seed, persons = wanted["seed"], wanted["persons"]
    sound = (
        isinstance(wanted["ruleset"], str)
        and is_number(wanted["players"])
        and isinstance(persons, list)
        and all(map(is_number, persons))
        and texts(wanted["variants"])
        and (wanted["bots"] is None or texts(wanted["bots"]))
        and isinstance(wanted["parameters"], dict)
        and (seed is None or is_number(seed) and 0 <= seed < 2**64)
    )
    if not sound or set(body) - set(wanted):
        raise RefusedRequest("this is not how a table is asked for")
    wanted["names"] = names_of(wanted["names"])
    return wanted


def names_of(value: object) -> list[str]:
    """The names of players in a request. Raises `RefusedRequest` for those that imitate others."""
    if (
        not isinstance(value, list)
        or len(value) > MAX_NAMES
        or not all(isinstance(one, str) for one in value)
    ):
        raise RefusedRequest("names are a list of texts, at most one a seat")
    try:
        return fair_names(value)
    except ValueError as error:
        raise RefusedRequest(str(error)) from None
