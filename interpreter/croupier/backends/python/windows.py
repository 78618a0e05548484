"""Windows: who is asked, which reactions there are, in windows that are opened and in menus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.backends.python.around import Around
from croupier.backends.python.position import Position
from croupier.backends.python.stands import Run, Stand, ask
from croupier.runtime.game import KEPT, Value
from croupier.runtime.hooks import HookMatch


class Windows(Around):
    """The hooks and windows of a game."""

    def open_window(self, p: Position, window: int, to: Sequence[int], args: Sequence[Value], viewer: int | None) -> Run:
        asked, cursor, used = self.game.code.procs[window].window_slots
        stand = next(s for s in self.stands if s.routine == window)
        f: list[Any] = [None] * stand.slots + [stand.number, viewer]
        f[: len(args)] = args
        f[asked], f[cursor], f[used] = tuple(to), 0, ()
        p.frames.append(f)
        return self.ask_on

    def ask_on(self, p: Position, _: Any) -> Any:
        """Ask whoever comes next and could react."""
        f = p.frames[-1]
        window = self.stands[f[-2]].routine
        asked, cursor, used = self.game.code.procs[window].window_slots
        p.burn(None)
        while f[cursor] < len(f[asked]):
            if self.show_reactions(p):
                return None
            f[cursor] += 1
            f[used] = ()
        p.frames.pop()
        return self.hand(p, window, None, [f[s] for s in self.game.code.procs[window].var_slots])

    def usable(self, p: Position) -> list[HookMatch]:
        f = p.frames[-1]
        window = self.stands[f[-2]].routine
        asked, cursor, used = self.game.code.procs[window].window_slots
        params = len(self.game.program.procs[window].params)
        return self.reactions(p, window, f[:params], f[asked][f[cursor]], f[used])  # type: ignore[arg-type]

    def show_reactions(self, p: Position) -> bool:
        f, found = p.frames[-1], self.usable(p)
        asked, cursor, _ = self.game.code.procs[self.stands[f[-2]].routine].window_slots
        p.seat, p.offer = f[asked][f[cursor]], [0, *sorted(r.number + 1 for r in found)]
        return bool(found)

    def reaction_over(self, p: Position, value: Value, changed: list[Value]) -> Run:
        f = p.frames[-1]
        for slot, v in zip(self.game.code.procs[self.stands[f[-2]].routine].var_slots, changed, strict=True):
            if v is not KEPT:
                f[slot] = v
        return self.ask_on

    # ------------------------------------------------------------ menus with a window
    def menu_reactions(self, p: Position, stand: Stand, f: Sequence[Value]) -> list[HookMatch]:
        args = [ask(q, p, f) for q in stand.window_args]
        return self.reactions(p, stand.window, args, p.seat, ())  # type: ignore[arg-type]

    def with_reactions(self, stand: Stand, p: Position, f: Sequence[Value], rows: list[Any]) -> list[Any]:
        return sorted([*rows, *((stand.reactions_from + r.number, -1, ()) for r in self.menu_reactions(p, stand, f))])

    def react_in_menu(self, p: Position, stand: Stand, action: int) -> tuple[Run, Any]:
        f = p.frames[-1]
        match = next(r for r in self.menu_reactions(p, stand, f) if stand.reactions_from + r.number == action)
        return self.enter_match(p, match, f[-1]), None


class Asking:
    """A window's site: those asked may use a reaction or say no."""

    def __init__(self, around: Windows) -> None:
        self.around = around

    def show(self, p: Position, f: list[Any]) -> None:
        self.around.show_reactions(p)

    def go_on_with(self, p: Position, action: int) -> tuple[Run, Any] | None:
        f = p.frames[-1]
        _, cursor, used = self.around.game.code.procs[self.around.stands[f[-2]].routine].window_slots
        if action == 0:
            f[cursor] += 1
            f[used] = ()
            return self.around.ask_on, None
        match = next(r for r in self.around.usable(p) if r.number == action - 1)
        f[used] = (*f[used], match.number)
        return self.around.enter_match(p, match, f[-1]), None
