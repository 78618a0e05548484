"""The pseudo-procedure that runs hooks around a call, one stage after another."""

from __future__ import annotations

from croupier.diagnostics import Span
from croupier.records import dataclass
from croupier.runtime.faults import Redacted
from croupier.runtime.game import KEPT, Game, PositionObserver, Value
from croupier.runtime.machine import Chain, Frame, Key, Machine, Op, ProcCode, Run, put_back
from croupier.runtime.operations import PlainOp
from croupier.semantics.procedures import Hook, Proc

TARGET, ARGS, STAGE, REST, VALUE = range(5)
STAGES = ("before", "instead", "adjust", "after", "end")  # kinds of hooks; of `instead` also the call itself


class DispatchOp(Op):
    """Runs, one after another: `before` hooks, the chain of `instead of` or the call itself, `adjust` and
    `after` hooks.

    Its frame holds the call, the stage it is in, what of that stage is still to run, and the value so far.
    """

    point = 0

    def __init__(self, hooks: Hooks) -> None:
        self.hooks = hooks

    def run(self, m: Machine, fr: Frame) -> None:
        L, hooks = fr.L, self.hooks
        target, args, stage, rest = L[TARGET], list(L[ARGS]), STAGES[L[STAGE]], L[REST]
        span = hooks.game.program.procs[target].span
        m.burn(span)
        if stage == "instead":
            if rest is None:
                self.begin(m, L)
            else:
                L[REST] = None
                hooks.push_instead(m, target, args, rest, fr.event_audience, span)
        elif stage == "end":
            m.leave(L[VALUE], [args[i] for i in hooks.var_indices(target)])
        elif not rest:
            self.begin(m, L)
        else:
            L[REST] = rest[1:]
            match = hooks.next_match(m, rest[0], args, L[VALUE])
            if match is not None:
                hooks.push_match(m, match, fr.event_audience)

    def begin(self, m: Machine, L: list[Value]) -> None:
        """Go on to the next stage: which of its hooks run is settled now."""
        L[STAGE] += 1
        L[REST] = self.hooks.keys(m, L[TARGET], STAGES[L[STAGE]], list(L[ARGS]))

    def returned(self, m: Machine, fr: Frame, value: Value) -> None:
        """A step has ended: its `var` parameters are those of the call; the main step and `adjust` give the
        value.
        """
        L, args = fr.L, list(fr.L[ARGS])
        put_back(self.hooks.var_indices(L[TARGET]), m, args)
        L[ARGS] = tuple(args)
        if STAGES[L[STAGE]] in ("instead", "adjust"):
            L[VALUE] = value


def dispatch_proc(span: Span) -> Proc:
    """The procedure whose frame runs the hooks around a call."""
    return Proc(-2, "hooks", "dispatch", span, slots=["$target", "$args", "$stage", "$rest", "$value"])


# ---------------------------------------------------------------- hooks
@dataclass(eq=False)
class HookCode:
    """A hook ready to run."""

    hook: Hook
    fixed: list[tuple[int, Run]]
    bound: list[tuple[int, int]]
    guard: Run | None
    label: Run | None
    told: Run | None  # of a reaction: the sentence for the log
    components: tuple[int, ...]
    live_anywhere: bool
    first: int = 0  # number of its first component among the reactions of its window

    def locals(self, component: int | None, owner: int | None, here: Value, args: list[Value]) -> list[Value]:
        """The locals with which it begins: the component it is a power of, whose that is, the key of its
        zone, the arguments it binds.
        """
        h = self.hook
        L: list[Value] = [None] * len(h.proc.slots)
        if component is not None:
            L[h.self_slot or 0] = component
            if h.here_slot is not None:
                L[h.here_slot] = here
        if h.owner_slot is not None:
            L[h.owner_slot] = owner
        for param, slot in self.bound:
            L[slot] = args[param]
        return L


@dataclass(slots=True, eq=False)
class HookMatch:
    """A live hook of one component that fits a call."""

    code: HookCode
    component: int | None
    owner: int | None
    here: Value
    L: list[Value]
    number: int

    @property
    def key(self) -> Key:
        return self.code.hook.index, self.component, self.owner, self.here


class Hooks:
    """The hooks of a game, by what they listen to."""

    def __init__(self, game: Game, *, observe: bool) -> None:
        self.game = game
        self.observes = observe  # is `m.observer` asked where components lie?
        self.by_target: dict[int, dict[str, list[HookCode]]] = {}
        self.hooked: set[int] = set()
        self.all: list[HookCode] = []
        self.dispatch_code: ProcCode

    def add(self, code: HookCode) -> None:
        h = code.hook
        self.all.append(code)
        rows = self.by_target.setdefault(h.target, {}).setdefault(h.kind, [])
        code.first = sum(max(1, len(c.components)) for c in rows)
        rows.append(code)
        if h.kind != "reaction":
            self.hooked.add(h.target)

    # ------------------------------------------------------------ matching
    def live(
        self,
        m: Machine,
        target: int,
        kind: str,
        args: list[Value],
        asked: int | None = None,
        used: tuple[int, ...] = (),
    ) -> list[HookMatch]:
        """Return the hooks that fit a call now, but for those `used`, in the order of their numbers.

        Of a window: the reactions of the player who is `asked`.
        """
        found = []
        for code in self.by_target.get(target, {}).get(kind, ()):
            for number, component in enumerate(code.components or (None,), code.first):
                if number not in used:
                    match = self.match(m, code, component, args, asked, number)
                    if match is not None:
                        found.append(match)
        return found

    def order(self, m: Machine, x: HookMatch) -> tuple[int, ...]:
        if x.component is None:
            return (0, 0, 0, 0, x.code.hook.index)
        owner = 10**6 if x.owner is None else x.owner
        kind = list(self.game.kinds).index(self.game.components[x.component].kind)
        return (1 + kind, owner, m.where[x.component], x.component, x.code.hook.index)

    def match(
        self,
        m: Machine,
        code: HookCode,
        component: int | None,
        args: list[Value],
        asked: int | None,
        number: int,
    ) -> HookMatch | None:
        h = code.hook
        owner = asked if component is None else None
        here: Value = None
        if component is not None:
            if self.observes and m.observer is not None:
                if not self.sees_whether_live(m.observer, code, component):
                    raise Redacted
            z = m.where[component]
            zone = self.game.zones[z] if z >= 0 else None
            if not code.live_anywhere and (zone is None or not zone.live):
                return None
            if zone is not None:
                owner, here = zone.owner, zone.key
            if (h.needs_owner and owner is None) or (h.needs_here and here is None):
                return None
            if asked is not None and owner != asked:
                return None
        L = code.locals(component, owner, here, args)
        for param, fixed in code.fixed:
            if fixed(m, L) != args[param]:
                return None
        if code.guard is not None and h.kind != "adjust" and not code.guard(m, L):
            return None
        return HookMatch(code, component, owner, here, L, number)

    def sees_whether_live(self, observer: PositionObserver, code: HookCode, component: int) -> bool:
        """Return whether a reader knows if the powers of a component are in force, and whose
        it is there.
        """
        if observer(component):
            return True
        if code.live_anywhere:
            return code.hook.owner_slot is None and code.hook.here_slot is None
        kind, game = self.game.components[component].kind, self.game
        return all(
            observer.zone(p.number)
            for p in game.zones
            if p.live and kind in game.program.zones[p.family].kinds
        )

    def keys(self, m: Machine, target: int, kind: str, args: list[Value]) -> Chain:
        """The hooks of a stage that run around a call, in the order in which they do."""
        found = sorted(self.live(m, target, kind, args), key=lambda x: self.order(m, x))
        return tuple(x.key for x in found)

    def rebuild(self, key: Key, args: list[Value]) -> HookMatch:
        """Return a match again, with the present values of the arguments.

        Whether it is live was settled when its stage began.
        """
        index, component, owner, here = key
        code = self.all[index]
        return HookMatch(code, component, owner, here, code.locals(component, owner, here, args), -1)

    def instead(self, chain: Chain, args: list[Value]) -> HookMatch:
        """The outermost of a chain of `instead of`, with the rest of the chain for `original`."""
        match = self.rebuild(chain[-1], args)
        if match.code.hook.original_slot is not None:
            match.L[match.code.hook.original_slot] = chain[:-1]
        return match

    def next_match(self, m: Machine, key: Key, args: list[Value], value: Value) -> HookMatch | None:
        """Return the match of a hook whose turn has come; `None` for an `adjust` whose guard is false."""
        match = self.rebuild(key, args)
        hook, guard = match.code.hook, match.code.guard
        if hook.kind != "adjust":
            return match
        if hook.result_slot is not None:
            match.L[hook.result_slot] = value
        return match if guard is None or guard(m, match.L) else None

    def var_indices(self, target: int) -> list[int]:
        return [i for i, q in enumerate(self.game.program.procs[target].params) if q.var]

    # ------------------------------------------------------------ calls that do not suspend
    def dispatch(self, m: Machine, target: int, args: list[Value], span: Span) -> Value:
        """Call a definition that has hooks, none of which suspends; return its value."""
        indices, value = self.var_indices(target), None
        for stage in STAGES[:-1]:
            chain = self.keys(m, target, stage, args)
            if stage == "instead":
                value = self.run_instead(m, target, args, chain, span)
                put_back(indices, m, args)
                continue
            for key in chain:
                match = self.next_match(m, key, args, value)
                if match is not None:
                    given = self.run_plain(m, match, span)
                    value = given if stage == "adjust" else value
                    put_back(indices, m, args)
        m.retval_vars = [args[i] for i in indices]
        return value

    def run_plain(self, m: Machine, match: HookMatch, span: Span) -> Value:
        m.burn(span)
        return m.call_plain(match.code.hook.proc.index, match.L, span)

    def run_instead(self, m: Machine, target: int, args: list[Value], chain: Chain, span: Span) -> Value:
        """Run the last `instead` hook of the chain or, if the chain is empty, the definition itself; return
        the value.
        """
        if not chain:
            return m.call_plain(target, args[:], span)
        value = self.run_plain(m, self.instead(chain, args), span)
        indices = self.var_indices(target)
        m.retval_vars = [args[i] if v is KEPT else v for i, v in zip(indices, m.retval_vars, strict=True)]
        return value

    # ------------------------------------------------------------ calls that suspend
    def push_dispatch(
        self, m: Machine, target: int, args: list[Value], event_audience: int | None, span: Span
    ) -> None:
        """Push the frame that runs everything around a call, one step after another."""
        code = self.dispatch_code
        m.check_nesting(target, sum(1 for f in m.frames if f.code is code and f.L[TARGET] == target), span)
        locals_ = [target, tuple(args), 0, self.keys(m, target, "before", args), None]
        m.frames.append(Frame(code, code.entry, locals_, event_audience))

    def push_instead(
        self, m: Machine, target: int, args: list[Value], chain: Chain, event_audience: int | None, span: Span
    ) -> None:
        if chain:
            self.push_match(m, self.instead(chain, args), event_audience)
        else:
            m.enter(target, args, event_audience, span)

    def push_match(self, m: Machine, match: HookMatch, event_audience: int | None) -> None:
        code = m.rules.procs[match.code.hook.proc.index]
        if m.recorder is not None:
            m.cites = match.code.hook.cites or m.cites
        entry = PlainOp(code.body) if code.entry is None and code.body is not None else code.entry
        m.frames.append(Frame(code, entry, match.L[:], event_audience))


def hooks_of(m: Machine) -> Hooks:
    """The hooks of the rules that a machine runs."""
    hooks = m.rules.hooks
    assert isinstance(hooks, Hooks)
    return hooks
