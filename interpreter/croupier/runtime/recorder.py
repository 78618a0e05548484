"""Recording events while a game runs: what happened, for the referee and as each seat perceived it.

A state does not hold events: they follow from its actions, by applying them again with a recorder. A component that a seat cannot see before
or after is "a Card"; what happens secretly reaches one seat only; where nothing is perceived there is no event at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from croupier.runtime.game import Value
from croupier.runtime.sight import sees_piece, sees_zone, variable_audience
from croupier.semantics import types as t
from croupier.semantics.program import VarDef


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: words, a kind (decision, chance, move, state, show, tell, say, phase, end), the rules it cites, and its parts."""

    text: str
    kind: str
    rules: tuple[str, ...]
    data: dict[str, Any] = field(default_factory=dict, compare=False)


@dataclass(slots=True)
class Entry:
    kind: str
    rules: tuple[str, ...]
    referee: str
    texts: list[str | None]
    data: dict[str, Any]


class Recorder:
    """Collects entries; one text a seat (none: it perceived nothing)."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.entries: list[Entry] = []

    def add(self, m: Any, kind: str, words: Callable[[int | None], str | None], data: dict[str, Any] | None = None) -> None:
        """`words(seat)` is what a seat perceives; none as a seat asks for the referee."""
        viewer = m.viewer
        texts = [words(p) if viewer is None or viewer == p else None for p in range(self.players)]
        self.entries.append(Entry(kind, m.cites, words(None) or "", texts, data or {}))

    def events(self, seat: int | None) -> list[Event]:
        if seat is None:
            return [Event(e.referee, e.kind, e.rules, e.data) for e in self.entries]
        return [Event(text, e.kind, e.rules, {}) for e in self.entries if (text := e.texts[seat]) is not None]

    # ------------------------------------------------------------ decisions and chance
    def decided(self, m: Any, seat: int, describe: Callable[[], str], sealed: bool) -> None:
        """A seat chose: others read the option with what they cannot see masked; a sealed choice only its seat reads."""

        def words(p: int | None) -> str | None:
            if sealed and p is not None and p != seat:
                return None
            m.seen = None if p is None or p == seat else (lambda piece: sees_piece(m, piece, p))
            try:
                return f"player {seat + 1}: {describe()}"
            finally:
                m.seen = None

        self.add(m, "decision", words, {"seat": seat})

    def revealed(self, m: Any, picks: list[tuple[int, str]]) -> None:
        text = "; ".join(f"player {p + 1}: {label}" for p, label in picks)
        self.add(m, "decision", lambda p: text)

    def fell(self, m: Any, text: str) -> None:
        self.add(m, "chance", lambda p: text)

    # ------------------------------------------------------------ components
    def before(self, m: Any, piece: int) -> list[bool]:
        group = any(type(i) is tuple and piece in i for i in m.zones[m.where[piece]])
        return [not group and sees_piece(m, piece, p) for p in range(self.players)]

    def place(self, m: Any, z: int) -> str:
        spot = m.game.places[z]
        kind = m.game.program.zones[spot.zone].key
        return spot.zone if kind is None else f"{spot.zone} of {m.game.show(spot.key, kind)}"

    def moved(self, m: Any, piece: int, source: int, z: int, seen: list[bool]) -> None:
        label, kind = m.game.label(piece, m), m.game.pieces[piece].kind

        def words(p: int | None) -> str:
            known = p is None or seen[p] or sees_zone(m.game, z, p)
            return f"{label if known else 'a ' + kind} goes from {self.place(m, source)} to {self.place(m, z)}"

        self.add(m, "move", words, {"piece": label, "from": self.place(m, source), "to": self.place(m, z)})

    def moved_all(self, m: Any, source: int, z: int, count: int) -> None:
        self.add(m, "move", lambda p: f"{count} go from {self.place(m, source)} to {self.place(m, z)}")

    def shuffled(self, m: Any, z: int) -> None:
        self.add(m, "chance", lambda p: f"{self.place(m, z)} is shuffled")

    def shown(self, m: Any, pieces: tuple[int, ...], to: tuple[int, ...]) -> None:
        labels = ", ".join(m.game.label(i, m) for i in pieces) or "nothing"
        where = ", ".join(dict.fromkeys(self.place(m, m.where[i]) for i in pieces))
        self.add(m, "show", lambda p: f"{labels} ({where}) shown" if p is None or p in to else None, {"to": list(to)})

    # ------------------------------------------------------------ words and values
    def told(self, m: Any, text: str, to: tuple[int, ...]) -> None:
        self.add(m, "tell", lambda p: text if p is None or p in to else None, {"to": list(to)})

    def announced(self, m: Any, text: Callable[[], str]) -> None:
        """Announced to everybody: an author who says it means everybody to know."""
        words = text()
        self.add(m, "say", lambda p: words)

    def claimed(self, m: Any, seat: int, text: str) -> None:
        self.add(m, "say", lambda p: f"player {seat + 1}: {text}", {"seat": seat})

    def variable(self, m: Any, index: int, old: Value, new: Value) -> None:
        """State changed: entry by entry for those who may see it."""
        v = list(m.game.program.vars.values())[index]
        if isinstance(v.type, t.Map) and isinstance(old, tuple):
            for i, (a, b) in enumerate(zip(old, new, strict=True)):
                if a != b:
                    self.value_at(m, v, i, b)
        else:
            self.entry(m, index, v.name, new, v.type, None)

    def value_at(self, m: Any, v: VarDef, i: int, value: Value) -> None:
        """One entry of a map was written; told even if the value is the old one (a die that shows the same face again)."""
        assert isinstance(v.type, t.Map)
        key = m.game.values(v.type.key)[i]
        self.entry(m, v.index, f"{v.name.rpartition('.')[2]} of {m.game.show(key, v.type.key, m)}", value, v.type.value, i)

    def entry(self, m: Any, index: int, name: str, value: Value, kind: t.Type, at: int | None) -> None:
        may = variable_audience(m, index, at)
        shown = m.game.show(value, kind, m)
        self.add(m, "state", lambda p: f"{name} is now {shown}" if p is None or may(p) else None, {"name": name, "value": shown})

    def entered(self, m: Any, target: int) -> None:
        proc = m.game.program.procs[target]
        if proc.kind == "phase":
            m.cites = proc.cites
            self.add(m, "phase", lambda p: proc.name if m.viewer is None else None)

    def finished(self, m: Any) -> None:
        r = m.result
        if r.winners:
            text = "won by " + ", ".join(f"player {p + 1}" for p in r.winners)
        else:
            text = {"draw": "a draw", "lose": "lost by everybody"}.get(r.kind, "won by nobody")
        if r.scores is not None:
            text += " (" + ", ".join(f"player {p + 1}: {s}" for p, s in enumerate(r.scores)) + ")"
        if r.grade:
            text += f": {r.grade}"
        self.add(m, "end", lambda p: text)
