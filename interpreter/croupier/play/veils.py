"""Locals of rules, for somebody who must not learn what went into them.

A local is veiled for a seat if what it holds may depend on what the seat does not know. A frame is dark for it if where the rules stand in that
frame may. The code here says so when a veiled local is read, and notes what is written; who decides what is veiled is the witness
(`witness.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, SupportsIndex

from croupier.runtime.code import Code
from croupier.runtime.evaluate import Run
from croupier.runtime.game import Game, Value
from croupier.runtime.onlooker import Onlooker
from croupier.runtime.writing import Do
from croupier.semantics.flow import statement_call, statements
from croupier.semantics.program import Program
from croupier.semantics.tree import Proc, S, X

LEAVING = ("break", "continue", "return", "finish")
GIVEN_BACK = -1  # stands among the veiled locals for the value that a definition gives back


class Notary(Protocol):
    """Whoever notes what is written to the locals of a frame."""

    def wrote(self, locals_: Locals, slot: int) -> None: ...


class Locals(list[Any]):
    """The locals of a frame; a copy that rules try things out on knows what is veiled, too, but nobody notes what is written to it."""

    __slots__ = ("veiled", "dark", "notary")

    def __init__(self, values: Iterable[Value], veiled: set[int], dark: bool, notary: Notary | None) -> None:
        super().__init__(values)
        self.veiled, self.dark, self.notary = veiled, dark, notary

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        return Locals(found, set(self.veiled), self.dark, None) if at == slice(None) else found

    def __setitem__(self, at: SupportsIndex | slice, value: Any) -> None:
        super().__setitem__(at, value)
        if self.notary is not None and isinstance(at, int):
            self.notary.wrote(self, at)


class Eyes(Onlooker):
    """Eyes of a seat that look at everything; `hidden` is set when they should not have, `veiled` when they looked through a veil."""

    __slots__ = ("veiled", "secret")

    def __init__(self, m: Any, seat: int) -> None:
        super().__init__(m, seat)
        self.veiled = False
        self.secret = False  # something was read while the seat perceived nothing

    def _noted(self, seen: bool) -> bool:
        self.secret = self.secret or not seen
        self.hidden = self.hidden or not seen and self.m.watching  # whether a watcher acts is perceived whenever it does
        return super()._noted(seen)

    def local(self) -> None:
        """A veiled local is read."""
        before, self.hidden = self.hidden, False
        self._noted(False)
        self.veiled, self.hidden = self.veiled or self.hidden, before

    def forget(self) -> None:
        """What was looked at so far does not count."""
        self.hidden = self.veiled = self.secret = False


class WitnessCode(Code):
    """Code of a watched game that asks whether a local is veiled. To move a component that was chosen from one zone does not tell which it is."""

    _moved: X | None = None

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.leaving: dict[Do, bool] = {}  # statements in a row: may what they look at decide that those behind them are left out?

    def block(self, block: list[S]) -> Do:
        do = super().block(block)
        self.leaving[do] = any(b.op in LEAVING for s in block for inner in s.blocks for b in statements(inner))
        return do

    def x_local(self, x: X) -> Run:
        plain, slot = super().x_local(x), x.data
        if x is self._moved:
            return plain

        def read(m: Any, L: list[Any]) -> Value:
            if isinstance(L, Locals) and (slot in L.veiled) and isinstance(m.seen, Eyes):
                m.seen.local()
            return plain(m, L)

        return read

    def s_move(self, s: S) -> Do:
        what = s.args[0].args[0] if s.args[0].op == "list" and len(s.args[0].args) == 1 else s.args[0]
        chosen = {c.slot for c in (b.data[0] for b in statements(self.code.proc.body) if b.op == "choose") if c.source.op == "zone_list"}
        self._moved = what if what.op == "local" and what.data in chosen else None
        try:
            return super().s_move(s)
        finally:
            self._moved = None

    # ------------------------------------------------------------ what goes from one local into another is not yet perceived
    def s_let(self, s: S) -> Do:
        return self._flowing(s, super().s_let(s))

    def s_assign(self, s: S) -> Do:
        return self._flowing(s, super().s_assign(s))

    def s_add(self, s: S) -> Do:
        return self._flowing(s, super().s_add(s))

    def s_remove(self, s: S) -> Do:
        return self._flowing(s, super().s_remove(s))

    def s_return(self, s: S) -> Do:
        return self._flowing(s, super().s_return(s))

    def _flowing(self, s: S, do: Do) -> Do:
        """Of a statement that only changes a local, or gives a value back: what it looks at is in there, and shows when it is read."""
        call = statement_call(s)
        target = s.args[1] if s.op in ("add", "remove") else s.args[0] if s.op == "assign" else None
        if target is not None and _local(target) is None or call is not None and self.game.program.procs[call.data].colour != "pure":
            return do

        def run(m: Any, L: list[Any]) -> Any:
            eyes = m.seen
            if not isinstance(eyes, Eyes) or not isinstance(L, Locals):
                return do(m, L)
            before = eyes.hidden, eyes.veiled
            signal = do(m, L)
            if s.op == "return" and (eyes.hidden or eyes.veiled):
                L.veiled.add(GIVEN_BACK)
            eyes.hidden, eyes.veiled = before
            return signal

        return run


@dataclass(frozen=True)
class Facts:
    """What the text of a procedure says about veils."""

    changing: frozenset[int]  # locals that are written again after they were declared
    secret: frozenset[int]  # those that are written again where something happens secretly
    escapes: bool  # can what happens secretly decide that statements behind it are left out, by `break`, `return` and their like?


def facts(program: Program, proc: Proc) -> Facts:
    """Read a procedure."""
    secrets = [s for s in statements(proc.body) if s.op == "secretly"]
    last = proc.body[-1] if proc.body else None
    inside = [(s, b) for s in secrets for block in s.blocks for b in statements(block)]
    return Facts(
        frozenset(_written(program, statements(proc.body))),
        frozenset(_written(program, (b for _, b in inside))),
        any(b.op in LEAVING and not (b.op == "return" and s is last) for s, b in inside),
    )


def _written(program: Program, found: Iterable[S]) -> Iterator[int]:
    for s in found:
        places = [s.args[0]] if s.op == "assign" else [s.args[1]] if s.op in ("add", "remove") else []
        call = statement_call(s)
        if call is not None:
            places += [a for q, a in zip(program.procs[call.data].params, call.args, strict=True) if q.var]
        if s.op == "menu":
            places += s.data.window_args
        if s.op == "open":
            places += s.args[1:]
        yield from (slot for slot in map(_local, places) if slot is not None)


def _local(place: X) -> int | None:
    """The local that is written where this is, or an entry of it."""
    while place.op in ("index", "item", "certain", "bound"):
        place = place.args[0]
    return place.data if place.op == "local" else None
