"""Watchers in native code: they look at what changed, in text order, until nothing changes any more.

`notice(S, watchers)` looks, `watchers.begin(S)` looks for the first time; `look.3(S, out)` gives the words of what a watcher looks at, and
`sees.3(S, words…)` says whether that is new (`NEW`), and notes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.places import Leaves
from croupier.backends.native.plain import Asking
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

NEW = p.OVER


class Watching:
    """Writes the functions of watchers."""

    def __init__(self, printer: Printer) -> None:
        self.printer, self.watchers = printer, printer.module.watchers

    def kind(self, k: int) -> t.Type:
        return self.printer.game.program.watchers[self.watchers[k].index].value.type

    def body(self, k: int, fn: Fn) -> Asking:
        return Asking(self.printer, self.printer.module.routines[self.watchers[k].routine], fn)

    def look(self, k: int) -> str:
        def write() -> str:
            fn = Fn(f"look.{k}", [("S", "ptr"), ("out", "ptr")])
            body = self.body(k, fn)
            q = next(q for q in body.routine.queries if q.name == "value")
            for n, v in enumerate(body.answered(q, self.kind(k))):
                fn.store(v, fn.at("%out", n))
            fn.give(str(p.OK))
            body.close()
            return fn.text()

        return self.printer.once(f"look.{k}", write)

    def sees(self, k: int) -> str:
        def write() -> str:
            kind, at = self.kind(k), self.printer.plan.seen[k]
            now: Leaves = [f"%w{n}" for n in range(self.printer.words.width(kind))]
            fn = Fn(f"sees.{k}", [("S", "ptr"), *((f"w{n}", "i64") for n in range(len(now)))])
            body = self.body(k, fn)
            with fn.when(body.alike(body.fetch(body.word(at), kind), now, kind)):
                fn.give(str(p.OK))
            body.keep(body.word(at), kind, now, self.printer.words.likely(kind, None))
            fn.give(str(NEW))
            body.close()
            return fn.text()

        return self.printer.once(f"sees.{k}", write)

    def looked(self, f: Fn, k: int) -> Leaves:
        """The words of what a watcher sees now."""
        width = self.printer.words.width(self.kind(k))
        value = f.slot(width)
        self.passed(f, f.call(self.look(k), ["ptr %S", f"ptr {value}"]))
        return [f.load(f.at(value, n)) for n in range(width)]

    def passed(self, f: Fn, status: str) -> None:
        """Give a status back unless it is `OK`."""
        with f.when(f.test("ne", status, str(p.OK))):
            f.give(status)

    def functions(self) -> list[str]:
        return [self.begin(), self.notice()] if self.watchers else []

    def begin(self) -> str:
        f = Fn("watchers.begin", [("S", "ptr")])
        for k, w in enumerate(self.watchers):
            if w.kind == "watch":
                now = self.looked(f, k)
                status = f.call(self.sees(k), ["ptr %S", *(f"i64 {v}" for v in now)])
                with f.when(f.test("eq", status, str(p.DEVIATES))):
                    f.give(status)
        f.give(str(p.OK))
        return f.text()

    def notice(self) -> str:
        f = Fn("notice", [("S", "ptr"), ("which", "i64")], apart=True)
        dirty, watching = f.at("%S", p.DIRTY), f.at("%S", p.WATCHING)
        f.store(f.binary("or", f.load(dirty), "%which"), dirty)
        with f.when(f.test("ne", f.load(watching), "0")):
            f.give(str(p.OK))
        f.store("1", watching)
        with f.counting("0", str(len(self.watchers) + 2)):
            todo = f.load(dirty)
            with f.when(f.test("eq", todo, "0")):
                f.store("0", watching)
                f.give(str(p.OK))
            f.store("0", dirty)
            for k in range(len(self.watchers)):
                with f.when(f.test("ne", f.binary("and", todo, str(1 << k)), "0")):
                    self.look_again(f, k)
        f.give(str(p.DEVIATES))
        return f.text()

    def look_again(self, f: Fn, k: int) -> None:
        """One watcher looks; its body runs if there is something new."""
        routine = self.printer.module.routines[self.watchers[k].routine]
        now = self.looked(f, k)
        if self.watchers[k].kind == "end":
            new = f.test("ne", now[0], "0")
        else:
            status = f.call(self.sees(k), ["ptr %S", *(f"i64 {v}" for v in now)])
            with f.when(f.test("eq", status, str(p.DEVIATES))):
                f.give(status)
            new = f.test("eq", status, str(NEW))
        with f.when(new):
            args = ["ptr %S", *(f"i64 {v}" for v in (now if routine.takes else [])), f"ptr {f.slot()}"]
            self.passed(f, f.call(self.printer.plain(routine), args))
