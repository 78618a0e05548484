"""The call graph, and the effect of each call: pure, acts, suspends.

An effect is the strongest thing a procedure does itself or through a call, a hook on a call, or a window.
Effects are a least fixed point over the call graph. Calls inside expressions must be pure, so that a
suspension never hides inside one. Circles of calls need a `nested` bound.

Inside a look-ahead may stand decisions of one player, and effects: no chance, nobody else's decision. A
look-ahead tries the block on copies of the game; chance inside it would need every outcome, another player's
decision a guess.

An id of components that have copies means, compared, each of these; elsewhere it would mean the first alone,
and is refused. The value of a parameter, its default or what somebody sets, is the first copy: rules compare
it with others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.kernel import types as t
from croupier.kernel.facts import Leaves
from croupier.kernel.tree import (
    CallExpr,
    ComponentExpr,
    DoStmt,
    MutableExpr,
    PassStmt,
    SoThatStmt,
    StateExpr,
    SupposeStmt,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
)
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.walk import (
    bodies,
    expressions,
    parts,
    statement_call,
    statements,
    writes_state,
)

# ---------------------------------------------------------------- effects and calls
MAX_NAMED = 6  # definitions of a circle
R = TypeVar("R")
RANK = {"pure": 0, "acts": 1, "suspends": 2}


def own_effect(proc: Proc) -> str:
    """Return the effect of a procedure by itself, whatever it calls: `pure`, `acts` or `suspends`."""
    if proc.kind == "window":
        return "suspends"
    if proc.supposes:
        return "pure"
    effect = "pure"
    for s in statements(proc.body):
        if s.FACTS.stops:
            return "suspends"
        if s.FACTS.acts or writes_state(s):
            effect = "acts"
    return effect


def callees(program: Program, proc: Proc) -> set[int]:
    """Procedures that may run while this one does: calls, hooks on them, reactions in windows."""
    targets = set(proc.calls) | set(proc.opens)
    for h in program.hooks:
        if h.target == proc.index:
            targets.add(h.proc.index)
    return targets


def originals(program: Program, proc: Proc) -> set[int]:
    """Return the procedures that `original` in an `instead of` may run in the end.

    It is no circle: each step down the chain leaves one hook fewer.
    """
    return {h.target for h in program.hooks if h.proc is proc and h.kind == "instead"}


def find_effects(program: Program) -> None:
    """Give each procedure its effect: its own, then what flows to it from what it calls."""
    callers: dict[int, list[Proc]] = {}
    for proc in program.procs:
        proc.effect = own_effect(proc)
        for i in callees(program, proc) | originals(program, proc):
            callers.setdefault(i, []).append(proc)
    todo = list(program.procs)
    while todo:
        stronger = todo.pop()
        for proc in callers.get(stronger.index, ()):
            if RANK[proc.effect] < RANK[stronger.effect] and not proc.supposes:
                proc.effect = stronger.effect
                todo.append(proc)


def mark_suspensions(program: Program) -> None:
    """Mark the statements that suspend, and number the suspension points of each procedure in text order."""
    for proc in program.procs:
        proc.points = 0
        _mark(program, proc, proc.body)


def _mark(program: Program, proc: Proc, block: list[TypedStmt]) -> bool:
    any_suspends = False
    for s in block:
        call = statement_call(s)
        own = s.FACTS.suspends or (call is not None and program.procs[call.proc].effect == "suspends")
        if own:
            s.suspension_point = proc.points
            proc.points += 1
        inner = [_mark(program, proc, b) for b in s.blocks]
        s.suspends = own or any(inner) or s.FACTS.pauses
        any_suspends = any_suspends or s.suspends
    return any_suspends


def check_effects(program: Program, expression_calls: Sequence[CallExpr]) -> list[Diagnostic]:
    """Calls inside expressions must be pure; watchers may not suspend."""
    found = []
    for x in expression_calls:
        proc = program.procs[x.proc]
        changes = any(q.var for q in proc.params)
        if (proc.effect != "pure" or changes) and proc.kind == "def":
            does = {"suspends": "asks, draws or rolls", "acts": "changes the game"}.get(
                proc.effect, "changes what it is given"
            )
            found.append(
                diagnose(
                    "T060", x.span, name=proc.name, does=does, labels=(Label(proc.span, "defined here"),)
                )
            )
    for w in program.watchers:
        if w.proc.effect == "suspends":
            calls = (x for x in parts(statements(w.proc.body)) if isinstance(x, CallExpr))
            called = (program.procs[x.proc] for x in calls)
            body = next((q.body for q in called if q.span == w.proc.span), w.proc.body)  # of `watch … for p`
            waiting = next((s for s in statements(body) if s.suspension_point is not None), None)
            if waiting is None:
                found.append(diagnose("F011", w.proc.span))
            else:
                label = Label(w.proc.span, "in this watcher")
                found.append(diagnose("F011", waiting.span, labels=(label,)))
    return found


def check_idle(program: Program) -> list[Diagnostic]:
    """A statement that is nothing but a call changes something: the game, or a variable that it names.

    A procedure of nothing but `pass` is meant to do nothing: a variant has put it in the place of one that
    did something.
    """
    found = []
    for proc in program.procs:
        for s in statements(proc.body):
            call = statement_call(s) if isinstance(s, DoStmt) else None
            target = None if call is None else program.procs[call.proc]
            if target is None or all(isinstance(inner, PassStmt) for inner in statements(target.body)):
                continue
            if target.kind == "def" and target.effect == "pure" and not any(q.var for q in target.params):
                found.append(diagnose("F002", s.span, labels=(Label(target.span, "this only reads"),)))
    return found


def check_circles(program: Program) -> list[Diagnostic]:
    """Every circle of calls must pass through a procedure with a `nested` bound."""
    state: dict[int, int] = {}
    found: list[Diagnostic] = []

    for start in (p.index for p in program.procs):
        if state.get(start):
            continue
        trail: list[tuple[int, Iterator[int]]] = [(start, iter(sorted(_free(program, start))))]
        state[start] = 1
        while trail:
            at, rest = trail[-1]
            step = next(rest, None)
            if step is None:
                state[at] = 2
                trail.pop()
            elif state.get(step) == 1:
                circle = [i for i, _ in trail]
                circle = circle[circle.index(step) :]
                found.append(_circle(program, circle))
            elif not state.get(step):
                state[step] = 1
                trail.append((step, iter(sorted(_free(program, step)))))
    return found


def _circle(program: Program, circle: list[int]) -> Diagnostic:
    """The report of procedures that call each other in a circle, or of one that calls itself."""
    first = program.procs[circle[0]]
    calls = (x for x in parts(statements(first.body)) if isinstance(x, CallExpr))
    limited = "if it is meant, say how often at most: write `nested 4` before the `:` of"
    if len(circle) == 1:
        labels = [Label(x.span, "it asks for itself here") for x in calls if x.proc == circle[0]][:1]
        problem = f"`{first.name}` asks for itself, without end"
        instead = f"say it without `{first.name}`; {limited} `{first.name}`"
    else:
        names = [program.procs[i].name for i in circle]
        if len(names) > MAX_NAMED:
            names[MAX_NAMED:] = ["…"]
        labels = [Label(program.procs[i].span, "part of the circle") for i in circle[1:MAX_NAMED]]
        way = " → ".join(f"`{name}`" for name in [*names, names[0]])
        problem = f"these ask for each other in a circle, without end: {way}"
        instead = f"let one of them do without the others; {limited} one of them"
    return diagnose("F012", first.span, problem=problem, labels=labels, instead=instead)


def _free(program: Program, index: int) -> set[int]:
    return {i for i in callees(program, program.procs[index]) if program.procs[i].nested is None}


# ---------------------------------------------------------------- look-aheads
def check_trials(program: Program) -> Iterator[Diagnostic]:
    """One diagnostic for each look-ahead and each `suppose` that can reach something it may not hold."""
    for _, s in bodies(program):
        if isinstance(s, SoThatStmt):
            code, bad = "F014", first_reached(program, s.blocks[0], lambda x: x.as_written.facts.ahead)
        elif isinstance(s, SupposeStmt):
            code, bad = "F017", _not_to_suppose(program, s)
        else:
            continue
        if bad is not None:
            at, what = bad
            yield diagnose(code, s.span, what=what, labels=(Label(at.span, f"{what} is reached here"),))


def _not_to_suppose(program: Program, s: SupposeStmt) -> tuple[TypedStmt, str] | None:
    """The first statement that a `suppose` may not reach, in a watcher too; and what it is."""
    for x in statements(s.blocks[0]):
        if x.facts.leaves is Leaves.PROCEDURE:
            return x, "a `return`"
    watchers = (w.proc.body for w in program.watchers if w.kind == "watch")
    ends = (first_reached(program, body, _end_of_game) for body in watchers)
    bad = first_reached(program, s.blocks[0], _not_supposed)
    return bad or next((end for end in ends if end is not None), None)


def _not_supposed(s: TypedStmt) -> str | None:
    """Return what messages call a statement that may not be supposed; `None` for one that may."""
    return s.as_written.FACTS.noun if s.FACTS.suspends else _end_of_game(s)


def _end_of_game(s: TypedStmt) -> str | None:
    return s.FACTS.noun if s.facts.leaves is Leaves.GAME else None


def first_reached(
    program: Program,
    block: list[TypedStmt],
    wanted: Callable[[TypedStmt], R | None],
    seen: set[int] | None = None,
) -> tuple[TypedStmt, R] | None:
    """The first statement that a block can come to, by calls, hooks and windows too, of which something is
    so; and what is.
    """
    seen = set() if seen is None else seen
    for s in statements(block):
        what = wanted(s)
        if what is not None:
            return s, what
        call = statement_call(s)
        targets = set() if call is None else {call.proc} | callees(program, program.procs[call.proc])
        if s.opens is not None:
            targets |= callees(program, program.procs[s.opens])
        for i in sorted(targets - seen):
            seen.add(i)
            inside = first_reached(program, program.procs[i].body, wanted, seen)
            if inside is not None:
                return inside
    return None


# ---------------------------------------------------------------- components that have copies
OF_EACH = {"copies", "attr", "is_kind", "is_other"}  # operations that give the same for each copy


def check_copies(program: Program) -> Iterator[Diagnostic]:
    """Diagnostics for ids that would name one copy of several."""
    wholes = [*expressions(program), *(v.start for v in program.vars.values() if v.start is not None)]
    seen: set[tuple[str, int]] = set()
    for whole in wholes:
        for x in (whole, *(a for y in whole.walk() if y.op not in OF_EACH for a in y.args)):
            place = (x.span.source.name, x.span.start)
            if (
                isinstance(x, ComponentExpr)
                and program.classes[x.kind].copies is not None
                and place not in seen
            ):
                seen.add(place)
                yield diagnose("T069", x.span, name=x.name, kind=x.kind, zone=_zone_of(program, x.kind))


def _zone_of(program: Program, kind: str) -> str:
    """A zone that holds components of a class, as rules write it: rather one that they begin in."""
    holding = [zone for zone in program.zones.values() if kind in zone.kinds]
    zone = next((one for one in holding if one.start is not None), next(iter(holding), None))
    if zone is None:
        return kind
    if zone.key is None:
        return zone.name
    key = "p" if isinstance(zone.key, t.Player) else "k"
    return f"{zone.name}[{key}]"


# ---------------------------------------------------------------- reads
# What an expression may read: state variables and zones, through calls too. `owner` and `key` depend on where
# components are: on every zone.
def reads_of(program: Program, x: TypedExpr) -> tuple[set[str], set[str], bool]:
    """Names of state variables and zones read, and whether anything at all may be."""
    names: set[str] = set()
    zones: set[str] = set()
    seen: set[int] = set()
    todo = [x]
    everything = False
    while todo:
        top = todo.pop()
        for y in top.walk():
            if isinstance(y, (StateExpr, MutableExpr)):
                names.add(y.name)
            elif isinstance(y, ZoneExpr):
                zones.add(y.name)
            elif y.op in ("component.owner", "family.key"):
                everything = True
            elif isinstance(y, CallExpr) and y.proc not in seen:
                seen.add(y.proc)
                procs = [program.procs[y.proc], *(h.proc for h in program.hooks if h.target == y.proc)]
                everything = everything or len(procs) > 1
                todo += (x for proc in procs for s in statements(proc.body) for x in s.reads())
    return names, zones, everything


def is_state(x: TypedExpr) -> bool:
    """Tell whether an expression is a variable of the state, or an entry of one, and nothing more."""
    while x.op in ("certain", "index"):
        x = x.args[0]
    return x.op in ("state", "state_entry")
