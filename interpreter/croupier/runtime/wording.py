"""Words of statements: `move c to won[p] as "{p} takes {c}"`.

What such a statement does is recorded as ever, but as bookkeeping; behind it the story says the words, once, to whoever perceived anything of it.
Only what the statement does itself is meant: what watchers do because of it, and what a definition does that it calls, is told as ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Protocol, TypeVar

from croupier.runtime.machine import Do
from croupier.semantics.tree import text_parts

if TYPE_CHECKING:
    from croupier.runtime.compiler import Compiler
    from croupier.runtime.game import Value
    from croupier.runtime.machine import Machine
    from croupier.semantics.tree import S, StatementText

T = TypeVar("T")
_IRREGULAR = {"die": "dice"}


@dataclass
class Hushed:
    """What one statement with words of its own has done so far, as the reader of the events perceived it."""

    viewer: int | None
    cites: tuple[str, ...]
    level: tuple[bool, int]
    kind: str = ""  # of its last event; empty: nothing was perceived
    after: int = 0  # how many events there are up to its last one
    moved: tuple[int, ...] = ()
    named: frozenset[int] = frozenset()  # the components that its events name to the reader
    picked: int | None = field(default=None)  # the event of a decision that said no more than what moves now

    @staticmethod
    def begin(m: Machine) -> Hushed:
        """Before a statement of a machine."""
        return Hushed(m.viewer, m.cites, level(m))


def level(m: Machine) -> tuple[bool, int]:
    """Whether watchers act now, and how deep the definitions that have begun are nested: what a statement does itself happens at its own level."""
    return m.watching, m.height


class Reader(Protocol):
    """Who reads the words of statements: a `Recorder`."""

    hushed: Hushed | None
    waiting: dict[int, Hushed]

    def worded(self, m: Machine, hushed: Hushed, text: Callable[[], str]) -> None: ...


class StatementWords:
    """The words of one statement; silent ones (`as ""`) are not told."""

    def __init__(self, ctx: Compiler, wording: StatementText) -> None:
        self.text = ctx.expr(wording.text)
        self.silent = not any(part is None or part for part in text_parts(wording.text))

    def whole(self, m: Machine, L: list[Value], do: Callable[[], T]) -> T:
        """Run a statement that never waits."""
        if m.recorder is None:
            return do()
        began = [(recorder, recorder.hushed, Hushed.begin(m)) for recorder in m.recorder.each]
        for recorder, _, hushed in began:
            recorder.hushed = hushed
        try:
            return do()
        finally:
            for recorder, outer, hushed in began:
                recorder.hushed = outer
                self.say(m, L, recorder, hushed)

    def step(self, m: Machine, L: list[Value], do: Callable[[], object]) -> None:
        """Run a part of a statement that may wait behind it."""
        if m.recorder is None:
            do()
            return
        key = len(m.frames)
        began: list[tuple[Reader, Hushed | None, Hushed]] = []
        for recorder in m.recorder.each:
            before, outer = recorder.waiting.get(key), recorder.hushed
            recorder.hushed = Hushed.begin(m) if before is None else replace(before, level=level(m))
            began.append((recorder, outer, recorder.hushed))
        ended = True
        try:
            do()
            ended = False
        finally:
            for recorder, outer, hushed in began:
                recorder.hushed = outer
                recorder.waiting = {**recorder.waiting, key: hushed}
            if ended:
                self.end(m, L)

    def end(self, m: Machine, L: list[Value]) -> None:
        """Behind the last part."""
        key = len(m.frames)
        for recorder in () if m.recorder is None else m.recorder.each:
            if key in recorder.waiting:
                hushed = recorder.waiting[key]
                recorder.waiting = {k: h for k, h in recorder.waiting.items() if k != key}
                self.say(m, L, recorder, hushed)

    def say(self, m: Machine, L: list[Value], recorder: Reader, hushed: Hushed) -> None:
        """Tell the words to a reader who perceived anything of it."""
        if hushed.kind and not self.silent:
            recorder.worded(m, hushed, lambda: self.text(m, [*L, hushed.moved]))


def worded(ctx: Compiler, s: S, do: Do) -> Do:
    """A statement that never waits, with its words if it has any."""
    if s.words is None:
        return do
    words = StatementWords(ctx, s.words)
    return lambda m, L: words.whole(m, L, lambda: do(m, L))


def words_of(ctx: Compiler, s: S) -> StatementWords | None:
    """The words of a statement that may wait."""
    return None if s.words is None else StatementWords(ctx, s.words)


# ---------------------------------------------------------------- several things
def listed(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def plural(noun: str) -> str:
    """The plural of a noun by the usual rules: `Cards`, `Dice`, `Boxes`, `Bodies`."""
    word = noun.rpartition(" ")[2]
    known = _IRREGULAR.get(word.casefold())
    if known is not None:
        return noun[: len(noun) - len(word)] + (known.capitalize() if word[:1].isupper() else known)
    if re.search(r"[^aeiou]y$", word):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(s|x|z|ch|sh)$", word) else f"{noun}s"


def counted(things: Sequence[str]) -> list[str]:
    """Equal neighbours as a number of them: `a Card`, `a Card` as `2 Cards`, `blue-3`, `blue-3` as `2 × blue-3`, `3`, `3` as `3 (twice)`."""
    found = []
    for thing, group in groupby(things):
        number = len(list(group))
        article, _, noun = thing.partition(" ")
        if number == 1:
            found.append(thing)
        elif article in ("a", "an") and noun.isidentifier():
            found.append(f"{number} {plural(noun)}")
        elif article in ("a", "an") or thing[:1].isdigit():
            found.append(f"{thing} ({'twice' if number == 2 else f'{number} times'})")
        else:
            found.append(f"{number} × {thing}")
    return found
