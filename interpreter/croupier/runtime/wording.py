"""Words of statements: `move c to won[p] as "{p} takes {c}"`.

The events of such a statement are recorded, but marked as quiet. After the last of them comes one event with
the words, for whoever perceived any of them. Events of watchers that react to the statement, and of
definitions that it calls, are not quiet: they happen at another `level`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from croupier.kernel.tree import text_parts
from croupier.runtime.disclosure import Level, WordedStatement
from croupier.runtime.machine import Do, Machine, Reader
from croupier.text import Number, Text

if TYPE_CHECKING:
    from croupier.kernel.tree import TypedExpr, TypedStmt
    from croupier.runtime.compiler import Compiler
    from croupier.runtime.game import Value

_IRREGULAR = {"die": "dice"}


def begin(m: Machine) -> WordedStatement:
    """The statement that begins now; nothing is perceived of it yet."""
    return WordedStatement(m.event_audience, m.cites, level(m))


def level(m: Machine) -> Level:
    """Return whether watchers run now, and how many definitions run inside one another: those that may wait,
    and how deep the others are nested.

    An event at another level is not of the statement itself.
    """
    return m.watching, len(m.frames), m.height


class StatementWords:
    """The words of one statement, if it has any; silent ones (`as ""`) make no event."""

    def __init__(self, ctx: Compiler, text: TypedExpr | None) -> None:
        self.text = None if text is None else ctx.expr(text)
        self.silent = text is None or not any(part is None or part for part in text_parts(text))

    def whole(self, m: Machine, L: list[Value], do: Callable[[], object]) -> None:
        """Run a statement that never waits."""
        self.step(m, L, do)
        self.end(m, L)

    def step(self, m: Machine, L: list[Value], do: Callable[[], object]) -> None:
        """Run a part of a statement after which it may wait."""
        if m.recorder is None or self.text is None:
            do()
            return
        key = level(m)
        began: list[tuple[Reader, WordedStatement | None, WordedStatement]] = []
        for recorder in m.recorder.each:
            before, outer = recorder.waiting.get(key), recorder.statement
            recorder.statement = begin(m) if before is None else replace(before)
            began.append((recorder, outer, recorder.statement))
        ended = True
        try:
            do()
            ended = False
        finally:
            for recorder, outer, statement in began:
                recorder.statement = outer
                recorder.waiting = {**recorder.waiting, key: statement}
            if ended:
                self.end(m, L)

    def end(self, m: Machine, L: list[Value]) -> None:
        """The last part has run: record the words."""
        if m.recorder is None:
            return
        key = level(m)
        for recorder in m.recorder.each:
            if key in recorder.waiting:
                statement = recorder.waiting[key]
                recorder.waiting = {k: h for k, h in recorder.waiting.items() if k != key}
                self.say(m, L, recorder, statement)

    def say(self, m: Machine, L: list[Value], recorder: Reader, statement: WordedStatement) -> None:
        """Record the words, for a reader who perceived any event of the statement."""
        text = self.text
        if statement.kind and text is not None and not self.silent:
            recorder.worded(m, statement, lambda: text(m, [*L, statement.moved]))


def worded(ctx: Compiler, s: TypedStmt, do: Do) -> Do:
    """A statement that never waits, with its words if it has any."""
    if s.words is None:
        return do
    words = StatementWords(ctx, s.words)
    return lambda m, L: words.whole(m, L, lambda: do(m, L))


# ---------------------------------------------------------------- several things
def plural(noun: str) -> str:
    """The plural of a noun by the usual rules: `Cards`, `Dice`, `Boxes`, `Bodies`."""
    word = noun.rpartition(" ")[2]
    known = _IRREGULAR.get(word.casefold())
    if known is not None:
        return noun[: len(noun) - len(word)] + (known.capitalize() if word[:1].isupper() else known)
    if re.search(r"[^aeiou]y$", word):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(s|x|z|ch|sh)$", word) else f"{noun}s"


def counted(things: Sequence[str]) -> list[Text]:
    """Equal neighbours as a number of them: `a Card`, `a Card` as `2 Cards`, `blue-3`, `blue-3` as
    `2 × blue-3`, `3`, `3` as `3 (twice)`.
    """
    found = []
    for thing, group in groupby(things):
        number = len(list(group))
        article, _, noun = thing.partition(" ")
        if number == 1:
            found.append(Text.of(thing))
        elif article in ("a", "an") and noun.isidentifier():
            found.append(Text.of(Number(number), f" {plural(noun)}"))
        elif article in ("a", "an") or thing[:1].isdigit():
            found.append(Text.of(thing, f" ({'twice' if number == 2 else f'{number} times'})"))
        else:
            found.append(Text.of(Number(number), " × ", thing))
    return found
