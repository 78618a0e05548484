"""The rulesets of a server: those that are offered, as their files are now, and those of its tables, as they
were.

A new table gets the rules as they are: whether a file has changed since it was read is looked up before each.
A change that is wrong is told, and new tables keep the last rules that were not. The files of all rules that
were good are kept in the store by the hash of the rules, so that a table goes on with the rules that it began
with, whatever became of the files.
"""

from __future__ import annotations

import math
import os
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.authoring.listing import Facts, facts, facts_of
from croupier.diagnostics import Diagnostic, RulesetError
from croupier.diagnostics.render import render_human
from croupier.reads import Now, Reads, recorded
from croupier.resources import MAIN_FILE, find, is_shipped, variants_in
from croupier.server.refusals import RefusedRequest
from croupier.server.rule_sources import RuleSources, gathered, opened
from croupier.server.store import Entry, TableStore

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset

MAX_RULESETS = 100  # in memory, with their variants; and as many of tables whose rules have changed
MAX_TOLD = 3  # errors of a changed ruleset that a page tells
TRIES = 5  # to read files that somebody writes meanwhile
FRESH = 600.0  # seconds for which rules that were kept need not be kept again
UNUSED = 3_600.0  # seconds for which rules are kept that no table has: one may be about to be made

Load = Callable[[str], "Ruleset"]
Say = Callable[[str], object]
NEVER = Reads({"": "is never so"})  # of what is read anew each time

CHANGED = "The rules of this game have changed since. This table goes on with the rules that it began with."
GONE = "This game is not offered here any more. This table goes on with the rules that it began with."


@dataclass
class OfferedRuleset:
    """A ruleset that is offered.

    `reads` is what was read for it, or for the last try to read it anew; `problems` are the errors that were
    found then, and `ruleset` is still the one before. `sources` are its files (`RuleSources.packed`), and
    `kept` is when they were written into the store last, in seconds since 1970.
    """

    ruleset: Ruleset
    reads: Reads
    problems: tuple[Diagnostic, ...] = ()
    sources: bytes | None = None
    kept: float = -math.inf


class Rules:
    """All rulesets of a server: `offered` may be played by new tables, by name; `load` reads one of these.

    `say` is told in words what changed.
    """

    def __init__(
        self,
        store: TableStore,
        offered: Sequence[str],
        load: Load,
        say: Say = lambda text: None,
    ) -> None:
        self.store, self.offered = store, tuple(offered)
        self._load, self._say = load, say
        self._now: dict[str, OfferedRuleset] = {}
        self._kept: dict[str, Ruleset] = {}  # by hash
        self._loading = threading.Lock()  # one at a time: the parser is one for all

    # ------------------------------------------------------------ what is offered
    def whole_name(self, name: str, variants: Sequence[str]) -> str:
        """The name of a ruleset that is offered, with some of its variants. Raises `RefusedRequest`."""
        if name not in self.offered:
            raise RefusedRequest("this game is not offered here", 404)
        if not set(variants) <= set(self.variants(name)):
            raise RefusedRequest("this game has no such variant")
        return joined(name, variants)

    def variants(self, name: str) -> list[str]:
        """The names of the variants of a ruleset that is offered."""
        place = find(name)[0]
        is_variant = place is None or place.path.name != MAIN_FILE
        return [] if place is None or is_variant else [path.stem for path in variants_in(place.root)[0]]

    def current(self, name: str, variants: Sequence[str] = ()) -> OfferedRuleset:
        """A ruleset that is offered, with some of its variants, as its files are now.

        Where these are wrong it is the last one that was not. Raises `RefusedRequest`, and `RulesetError` if
        there is none.
        """
        whole = self.whole_name(name, variants)
        known = self._known(whole)
        if known is not None:
            return known
        with self._loading:
            return self._current(whole)

    def facts(self, name: str, variants: Sequence[str] = ()) -> Facts:
        """Return the facts of one of these where a game is chosen; a shipped one is not loaded for that.

        Raises as `current` does.
        """
        whole = self.whole_name(name, variants)
        if whole in self._now:
            return facts_of(self.current(name, variants).ruleset)
        return facts(whole, lambda _: self.current(name, variants).ruleset)

    def problem(self, name: str, variants: Sequence[str] = ()) -> str | None:
        """Return what is wrong with the files of a ruleset that is loaded, with the places; `None` if nothing
        is.
        """
        known = self._now.get(joined(name, variants))
        return None if known is None or not known.problems else told(known.problems)

    def _known(self, whole: str) -> OfferedRuleset | None:
        """A ruleset that is loaded and whose files have not changed since: nobody waits for it."""
        known = self._now.get(whole)
        return known if known is not None and Now().is_current(known.reads) else None

    def _current(self, whole: str) -> OfferedRuleset:
        """The caller holds the lock."""
        current = self._known(whole)
        if current is not None:
            return current
        known = self._now.get(whole)
        with recorded() as reads:
            found = self._tried(whole)
        if isinstance(found, RulesetError):
            return self._after_an_error(whole, known, reads if reads.files else NEVER, found)
        new = found
        if known is not None:
            self._tell_change(whole, known, new)
            if _are_same(known.ruleset, new.ruleset):
                new.ruleset = known.ruleset  # what was compiled for it stays
        self._remember(whole, new)
        return new

    def _tried(self, whole: str) -> OfferedRuleset | RulesetError:
        """A ruleset, or what is wrong with it."""
        try:
            return self._read(whole)
        except RulesetError as error:
            return error

    def _read(self, whole: str) -> OfferedRuleset:
        """Read a ruleset, and keep its files, unless it has variants. Raises `RulesetError`."""
        for _ in range(TRIES):
            with recorded() as reads:
                ruleset = self._load(whole)
            sources = gathered(whole, reads)
            if sources is not None or not reads.files:
                packed = None if sources is None else sources.packed()
                found = OfferedRuleset(ruleset, reads, sources=packed)
                if whole in self.offered:  # whoever looks at a combination of variants fills no disk
                    self._keep(whole, found)
                return found
        raise RefusedRequest("the rules of this game are being changed; try again", 503)

    def keep(self, name: str, variants: Sequence[str], rules: OfferedRuleset) -> None:
        """Keep the files of a ruleset for a table that is about to be made with it."""
        self._keep(joined(name, variants), rules)

    def _keep(self, whole: str, rules: OfferedRuleset) -> None:
        now = time.time()
        if rules.sources is not None and not 0 <= now - rules.kept < FRESH:
            self.store.keep_rules(rules.ruleset.ruleset_hash, whole, rules.sources)
            rules.kept = now

    def drop_unused(self, now: float) -> None:
        """Forget the rules of tables that are no more; `now` in seconds since 1970."""
        self.store.drop_unused_rules(self.offered, now - UNUSED)

    def _after_an_error(
        self, whole: str, known: OfferedRuleset | None, reads: Reads, error: RulesetError
    ) -> OfferedRuleset:
        """Return the last good rules where the files, as they were read, are wrong; raise the error if there
        are none.
        """
        if known is None:
            before = self._last_kept(whole)
            if before is None:
                raise error
            known = before
        if known.problems != error.diagnostics:
            self._say(
                f"croupier: {whole} is wrong; new tables have the rules of before:\n"
                f"{render_human(error.diagnostics)}"
            )
        broken = replace(known, reads=reads, problems=error.diagnostics)
        self._remember(whole, broken)
        return broken

    def _last_kept(self, whole: str) -> OfferedRuleset | None:
        """The rules of that name that were kept last, if they can be read."""
        found = self.store.last_rules(whole)
        try:
            return None if found is None else OfferedRuleset(self._opened(*found), NEVER, sources=found[1])
        except (RulesetError, ValueError, OSError):
            return None

    def _tell_change(self, whole: str, old: OfferedRuleset, new: OfferedRuleset) -> None:
        if not _are_same(old.ruleset, new.ruleset):
            self._say(f"croupier: {whole} has changed; new tables have the new rules")
        elif old.problems:
            self._say(f"croupier: {whole} is right again")

    def _remember(self, whole: str, found: OfferedRuleset) -> None:
        self._now.pop(whole, None)
        while len(self._now) >= MAX_RULESETS:
            del self._now[next(iter(self._now))]
        self._now[whole] = found

    # ------------------------------------------------------------ what tables began with
    def of(self, entry: Entry) -> Ruleset:
        """The rules of a table: those that it began with, or such as differ from them in words only.

        Raises `RefusedRequest` if there are none any more.
        """
        known = self._known_for(entry)
        if known is not None:
            return known
        with self._loading:
            now = self._offered_now(entry)
            if now is not None and now.ruleset.goes_on(entry.ruleset_hash, entry.meaning_hash):
                self._keep(self._whole_of(entry), now)
                if now.ruleset.ruleset_hash != entry.ruleset_hash:
                    self.store.keep_rules_as(entry.ruleset_hash, now.ruleset.ruleset_hash)
                return now.ruleset
            kept = self._kept.get(entry.ruleset_hash)
            if kept is not None:
                return kept
            sources = self.store.rules(entry.ruleset_hash)
            if sources is None:
                raise RefusedRequest(
                    f"the rules of this table, `{joined(entry.ruleset, entry.variants)}`, are gone or have "
                    f"changed, and the version of croupier that made it did not keep them",
                    409,
                )
            try:
                return self._opened(entry.ruleset_hash, sources)
            except (RulesetError, ValueError, OSError) as error:
                why = told(error.diagnostics) if isinstance(error, RulesetError) else str(error)
                raise RefusedRequest(
                    f"the rules that this table began with cannot be read any more: {why}", 409
                ) from error

    def _known_for(self, entry: Entry) -> Ruleset | None:
        """The rules of a table where these are loaded and offered as they were: nobody waits for them."""
        with suppress(RefusedRequest):
            known = self._known(self._whole_of(entry))
            is_kept = known is not None and (known.sources is None or known.kept > 0)
            if known is not None and is_kept and known.ruleset.ruleset_hash == entry.ruleset_hash:
                return known.ruleset
        return None

    def _offered_now(self, entry: Entry) -> OfferedRuleset | None:
        """The rules of that name as they are now, if they are offered and can be read."""
        try:
            return self._current(self._whole_of(entry))
        except (RefusedRequest, RulesetError):
            return None

    def _whole_of(self, entry: Entry) -> str:
        """The name of the ruleset of a table, as it is offered now. Raises `RefusedRequest`."""
        return self.whole_name(self._offered_as(entry.ruleset), entry.variants)

    def _offered_as(self, name: str) -> str:
        """What a ruleset is called that is offered here, by the same name or by another path of its file."""
        if name in self.offered or is_shipped(name):
            return name
        same = (one for one in self.offered if not is_shipped(one) and _is_same_file(one, name))
        return next(same, name)

    def notice(self, entry: Entry) -> str | None:
        """Return what a table should be told about its rules; `None` if they are still those that are
        offered.

        While rulesets are being read it is as it was known before.
        """
        now: OfferedRuleset | None
        if self._loading.acquire(blocking=False):
            try:
                now = self._offered_now(entry)
            finally:
                self._loading.release()
        else:
            now = self._now.get(joined(self._offered_as(entry.ruleset), entry.variants))
            if now is None:
                return None
        if now is None:
            return GONE
        return None if now.ruleset.goes_on(entry.ruleset_hash, entry.meaning_hash) else CHANGED

    def _opened(self, ruleset_hash: str, packed: bytes) -> Ruleset:
        """The rules that were kept, from their files: they were checked when they were offered.

        Raises `RulesetError`, ValueError, OSError.
        """
        from croupier.pipeline import load

        with tempfile.TemporaryDirectory(prefix="croupier-rules-") as folder:
            ruleset = opened(RuleSources.unpacked(packed), Path(folder), load)
        while len(self._kept) >= MAX_RULESETS:
            del self._kept[next(iter(self._kept))]
        self._kept[ruleset_hash] = ruleset
        return ruleset


def load_checked(name: str) -> Ruleset:
    """Read a ruleset for people who play against each other: what would give their secrets away is an error,
    too.

    Raises `RulesetError`.
    """
    from croupier.pipeline import check, load

    errors = [found for found in check(name).diagnostics if found.is_error]
    if errors:
        raise RulesetError(errors)
    return load(name)


def _is_same_file(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _are_same(one: Ruleset, other: Ruleset) -> bool:
    """Tell whether two rulesets were read from the same texts."""
    return one.texts_hash is not None and one.texts_hash == other.texts_hash


def joined(name: str, variants: Sequence[str]) -> str:
    """The name of a ruleset with some of its variants."""
    return f"{name}/{'+'.join(dict.fromkeys(variants))}" if variants else name


def told(problems: Sequence[Diagnostic]) -> str:
    """Return errors as lines, each with its place, the first ones."""
    errors = [str(problem) for problem in problems if problem.is_error]
    more = len(errors) - MAX_TOLD
    return "\n".join([*errors[:MAX_TOLD], *([f"and {more} more"] if more > 0 else [])])
