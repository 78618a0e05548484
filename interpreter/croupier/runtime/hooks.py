"""Hooks at run time: which are live, in which order they run, and the pseudo-procedure that runs them around a call.

Order, always: hooks of the rules themselves in text order, then those of components by class declaration, owner's seat (nobody's last), zone and
component number; within one component in text order. `before`, `after` and `adjust` run in this order; of several `instead of` the last in
order is outermost and `original` descends.
"""

from __future__ import annotations

from typing import Any

from croupier.runtime.evaluate import Run
from croupier.runtime.game import Game, Value
from croupier.runtime.machine import Frame, Machine
from croupier.runtime.operations import Op
from croupier.semantics.tree import Hook, Proc


class HookCode:
    """A hook ready to run."""

    def __init__(
        self,
        hook: Hook,
        fixed: list[tuple[int, Run]],
        bound: list[tuple[int, int]],
        guard: Run | None,
        label: Run | None,
        pieces: tuple[int, ...],
        live_anywhere: bool,
    ) -> None:
        self.hook, self.fixed, self.bound, self.guard, self.label = hook, fixed, bound, guard, label
        self.pieces, self.live_anywhere = pieces, live_anywhere
        self.first = 0  # number of its first component among the reactions of its window


class Match:
    """A live hook of one component that fits a call."""

    __slots__ = ("code", "piece", "owner", "L", "number")

    def __init__(self, code: HookCode, piece: int | None, owner: int | None, L: list[Value], number: int) -> None:
        self.code, self.piece, self.owner, self.L, self.number = code, piece, owner, L, number

    def describe(self, m: Machine) -> str:
        label = self.code.label
        return "" if label is None else label(m, self.L[:])


class Hooks:
    """The hooks of a game, by what they listen to."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.by_target: dict[int, dict[str, list[HookCode]]] = {}
        self.hooked: set[int] = set()
        self.all: list[HookCode] = []
        self.dispatch_code: Any = None

    def add(self, code: HookCode) -> None:
        h = code.hook
        self.all.append(code)
        rows = self.by_target.setdefault(h.target, {}).setdefault(h.kind, [])
        code.first = sum(max(1, len(c.pieces)) for c in rows)
        rows.append(code)
        if h.kind != "reaction":
            self.hooked.add(h.target)

    # ------------------------------------------------------------ matching
    def matches(self, m: Machine, target: int, kind: str, args: list[Value]) -> list[Match]:
        found = []
        for code in self.by_target.get(target, {}).get(kind, ()):
            for i, piece in enumerate(code.pieces or (None,)):
                match = self.match(m, code, piece, args, None, code.first + i)
                if match is not None:
                    found.append(match)
        return sorted(found, key=lambda x: self.order(m, x))

    def order(self, m: Machine, x: Match) -> tuple[int, ...]:
        if x.piece is None:
            return (0, 0, 0, 0, x.code.hook.index)
        kinds = list(self.game.kinds)
        return (1 + kinds.index(self.game.pieces[x.piece].kind), 10**6 if x.owner is None else x.owner, m.where[x.piece], x.piece, x.code.hook.index)

    def match(self, m: Machine, code: HookCode, piece: int | None, args: list[Value], asked: int | None, number: int) -> Match | None:
        h = code.hook
        L: list[Value] = [None] * len(h.proc.slots)
        owner = asked if piece is None else None
        if piece is not None:
            z = m.where[piece]
            place = self.game.places[z] if z >= 0 else None
            if not code.live_anywhere and (place is None or not place.live):
                return None
            owner = None if place is None else place.owner
            if (h.needs_owner and owner is None) or (h.needs_here and (place is None or place.key is None)):
                return None
            if asked is not None and owner != asked:
                return None
            L[h.self_slot or 0] = piece
            if h.here_slot is not None and place is not None:
                L[h.here_slot] = place.key
        if h.owner_slot is not None:
            L[h.owner_slot] = owner
        for param, slot in code.bound:
            L[slot] = args[param]
        for param, fixed in code.fixed:
            if fixed(m, L) != args[param]:
                return None
        if code.guard is not None and h.kind != "adjust" and not code.guard(m, L):
            return None
        return Match(code, piece, owner, L, number)

    def reactions(self, m: Machine, window: int, args: list[Value], seat: int, used: tuple[int, ...]) -> list[Match]:
        """What a player may use in a window now."""
        found = []
        for code in self.by_target.get(window, {}).get("reaction", ()):
            for i, piece in enumerate(code.pieces or (None,)):
                number = code.first + i
                if number not in used:
                    match = self.match(m, code, piece, args, seat, number)
                    if match is not None:
                        found.append(match)
        return found

    def push_reaction(self, m: Machine, match: Match, viewer: int | None, span: Any) -> None:
        m.burn(span)
        code = self.game.code.procs[match.code.hook.proc.index]
        if m.recorder is not None:
            m.cites = match.code.hook.cites or m.cites
        m.frames.append(Frame(code, code.entry if code.entry is not None else code.plain_entry(), match.L[:], viewer))

    # ------------------------------------------------------------ calls that do not suspend
    def dispatch(self, m: Machine, target: int, args: list[Value], span: Any) -> Value:
        """A call with hooks, none of which suspends."""
        for match in self.matches(m, target, "before", args):
            self.run_plain(m, match, span)
        instead = self.matches(m, target, "instead", args)
        value = self.run_instead(m, target, args, tuple((x.code.hook.index, x.piece) for x in instead), span)
        return self.finish_plain(m, target, args, value, span)

    def finish_plain(self, m: Machine, target: int, args: list[Value], value: Value, span: Any) -> Value:
        for match in self.matches(m, target, "adjust", args):
            slot, guard = match.code.hook.result_slot, match.code.guard
            if slot is not None:
                match.L[slot] = value
            if guard is None or guard(m, match.L):
                value = self.run_plain(m, match, span)
        for match in self.matches(m, target, "after", args):
            self.run_plain(m, match, span)
        return value

    def run_plain(self, m: Machine, match: Match, span: Any) -> Value:
        m.burn(span)
        code = self.game.code.procs[match.code.hook.proc.index]
        code.body(m, match.L)
        value, m.retval = m.retval, None
        return value

    def run_instead(self, m: Machine, target: int, args: list[Value], chain: tuple[tuple[int, int | None], ...], span: Any) -> Value:
        if not chain:
            return m.call_plain(target, args, span)
        match = self.rebuild(m, chain[-1], args)
        slot = match.code.hook.original_slot
        if slot is not None:
            match.L[slot] = chain[:-1]
        return self.run_plain(m, match, span)

    def rebuild(self, m: Machine, key: tuple[int, int | None], args: list[Value]) -> Match:
        """The match of a hook and component again, without asking whether it is live: that was decided when the call began."""
        code = self.all[key[0]]
        h = code.hook
        L: list[Value] = [None] * len(h.proc.slots)
        owner = None
        if key[1] is not None:
            place = self.game.places[m.where[key[1]]] if m.where[key[1]] >= 0 else None
            owner = None if place is None else place.owner
            L[h.self_slot or 0] = key[1]
            if h.here_slot is not None and place is not None:
                L[h.here_slot] = place.key
        if h.owner_slot is not None:
            L[h.owner_slot] = owner
        for param, slot in code.bound:
            L[slot] = args[param]
        return Match(code, key[1], owner, L, -1)

    # ------------------------------------------------------------ calls that suspend
    def push_dispatch(self, m: Machine, target: int, args: list[Value], viewer: int | None, span: Any) -> None:
        """Push the frame that runs everything around a call, one step after another."""
        code = self.dispatch_code
        steps: list[tuple[str, int, int | None]] = [("before", x.code.hook.index, x.piece) for x in self.matches(m, target, "before", args)]
        instead = tuple((x.code.hook.index, x.piece) for x in self.matches(m, target, "instead", args))
        m.frames.append(Frame(code, code.entry, [target, tuple(args), tuple(s[1:] for s in steps), instead, 0, None, ()], viewer))

    def push_original(self, m: Machine, target: int, args: list[Value], chain: Any, viewer: int | None, span: Any) -> None:
        self.push_instead(m, target, args, chain or (), viewer, span)

    def push_instead(
        self, m: Machine, target: int, args: list[Value], chain: tuple[tuple[int, int | None], ...], viewer: int | None, span: Any
    ) -> None:
        if not chain:
            m.enter(target, args, viewer, span)
            return
        match = self.rebuild(m, chain[-1], args)
        slot = match.code.hook.original_slot
        if slot is not None:
            match.L[slot] = chain[:-1]
        self.push_match(m, match, viewer)

    def push_match(self, m: Machine, match: Match, viewer: int | None) -> None:
        code = self.game.code.procs[match.code.hook.proc.index]
        if m.recorder is not None:
            m.cites = match.code.hook.cites or m.cites
        m.frames.append(Frame(code, code.entry if code.entry is not None else code.plain_entry(), match.L[:], viewer))


TARGET, ARGS, BEFORE, INSTEAD, STAGE, VALUE, AFTER = range(7)


class DispatchOp(Op):
    """Runs, one after another: `before` hooks, the chain of `instead of`, `adjust` and `after` hooks. Stage: how far it is."""

    point = 0

    def __init__(self, hooks: Hooks) -> None:
        self.hooks = hooks

    def run(self, m: Machine, fr: Frame) -> Any:
        L, hooks = fr.L, self.hooks
        stage, before = L[STAGE], L[BEFORE]
        target, args = L[TARGET], list(L[ARGS])
        span = hooks.game.program.procs[target].span
        m.burn(span)
        if stage < len(before):
            L[STAGE] = stage + 1
            hooks.push_match(m, hooks.rebuild(m, before[stage], args), fr.viewer)
            return
        if stage == len(before):
            L[STAGE] = stage + 1
            hooks.push_instead(m, target, args, L[INSTEAD], fr.viewer, span)
            return
        if stage == len(before) + 1:
            for match in hooks.matches(m, target, "adjust", args):
                slot, guard = match.code.hook.result_slot, match.code.guard
                if slot is not None:
                    match.L[slot] = L[VALUE]
                if guard is None or guard(m, match.L):
                    L[VALUE] = hooks.run_plain(m, match, span)
            L[AFTER] = tuple((x.code.hook.index, x.piece) for x in hooks.matches(m, target, "after", args))
            L[STAGE] = stage + 1
            return
        done = stage - len(before) - 2
        if done < len(L[AFTER]):
            L[STAGE] = stage + 1
            hooks.push_match(m, hooks.rebuild(m, L[AFTER][done], args), fr.viewer)
            return
        value = L[VALUE]
        back = [L[ARGS][i] for i, q in enumerate(hooks.game.program.procs[target].params) if q.var]
        m.leave(value)
        m.retval_vars = back

    def returned(self, m: Machine, fr: Frame, value: Value) -> None:
        """A step has ended: its `var` parameters are those of the call; the main step gives the value."""
        L = fr.L
        params = [i for i, q in enumerate(self.hooks.game.program.procs[L[TARGET]].params) if q.var]
        if params and len(m.retval_vars) == len(params):
            args = list(L[ARGS])
            for i, v in zip(params, m.retval_vars, strict=True):
                args[i] = v
            L[ARGS] = tuple(args)
        if L[STAGE] == len(L[BEFORE]) + 1:
            L[VALUE] = value


def dispatch_proc(span: Any) -> Proc:
    return Proc(-2, "hooks", "dispatch", span, slots=["$target", "$args", "$before", "$instead", "$stage", "$value", "$after"])
