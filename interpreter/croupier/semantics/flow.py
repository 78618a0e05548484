"""Who calls whom, and what a call may do: pure, acts, suspends.

A colour is the strongest thing a procedure does itself or through a call, a hook on a call, or a window. Colours are a least fixed point over
the call graph. Calls inside expressions must be pure, so that a suspension never hides inside one. Circles of calls need a `nested` bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.semantics.program import Program
from croupier.semantics.tree import Choice, Proc, S, X

SUSPENDING = {"choose", "menu", "draw", "roll", "open", "claim"}
ACTING = {"move", "shuffle", "swap", "show", "tell", "announce", "finish"}
MOST_NAMED = 6  # definitions of a circle
RANK = {"pure": 0, "acts": 1, "suspends": 2}


def operands(s: S) -> Iterator[X]:
    """Every expression that a statement itself evaluates (blocks not included)."""
    yield from s.args
    if s.op == "choose":
        c: Choice = s.data[0]
        yield from (x for x in (c.source, c.where, c.by, c.low, c.high, c.such_that, c.label, *(q.value for q in c.conditions)) if x is not None)
    elif s.op == "menu":
        yield from s.data.window_args
        for o in s.data.options:
            yield from (x for x in (o.label, o.condition, *o.sources, *(q.value for q in o.conditions)) if x is not None)
    elif s.op == "match":
        for row in s.data[0]:
            yield from row


def statements(block: list[S]) -> Iterator[S]:
    """Every statement of a block, those inside of others too."""
    for s in block:
        yield from s.walk()


def statement_call(s: S) -> X | None:
    """The call of one of the ruleset's definitions that this statement makes as a whole, if it does."""
    if s.op not in ("do", "let", "assign", "return") or not s.args:
        return None
    x = s.args[-1]
    if x.op == "bound" and len(x.args) == 1:
        x = x.args[0]
    return x if x.op in ("call", "original") else None


def writes_state(s: S) -> bool:
    """Does a statement write a variable of the state, or an attribute of a component?"""
    if s.op not in ("assign", "add", "remove"):
        return False
    target = s.args[0] if s.op == "assign" else s.args[1]
    while target.op in ("index", "item"):
        target = target.args[0]
    return target.op in ("state", "mutable")


def own_colour(proc: Proc) -> str:
    """What a procedure does by itself, whatever it calls: `pure`, `acts` or `suspends`."""
    if proc.kind == "window":
        return "suspends"
    colour = "pure"
    for s in statements(proc.body):
        if s.op in SUSPENDING:
            return "suspends"
        if s.op in ACTING or writes_state(s):
            colour = "acts"
    return colour


def callees(program: Program, proc: Proc) -> set[int]:
    """Procedures that may run while this one does: calls, hooks on them, reactions in windows."""
    targets = set(proc.calls) | set(proc.opens)
    for h in program.hooks:
        if h.target == proc.index:
            targets.add(h.proc.index)
    return targets


def originals(program: Program, proc: Proc) -> set[int]:
    """What `original` in an `instead of` may run in the end. It is no circle: each step down the chain leaves one hook fewer."""
    return {h.target for h in program.hooks if h.proc is proc and h.kind == "instead"}


def colour_all(program: Program) -> None:
    """Give each procedure its colour: its own, then what flows to it from what it calls."""
    callers: dict[int, list[Proc]] = {}
    for proc in program.procs:
        proc.colour = own_colour(proc)
        for i in callees(program, proc) | originals(program, proc):
            callers.setdefault(i, []).append(proc)
    todo = list(program.procs)
    while todo:
        stronger = todo.pop()
        for proc in callers.get(stronger.index, ()):
            if RANK[proc.colour] < RANK[stronger.colour]:
                proc.colour = stronger.colour
                todo.append(proc)


def mark_suspensions(program: Program) -> None:
    """Which statements suspend, and the numbers of the suspension points of each procedure in text order."""
    for proc in program.procs:
        proc.points = 0
        _mark(program, proc, proc.body)


def _mark(program: Program, proc: Proc, block: list[S]) -> bool:
    any_suspends = False
    for s in block:
        call = statement_call(s)
        own = s.op in SUSPENDING or (call is not None and program.procs[call.data].colour == "suspends")
        if own:
            s.point = proc.points
            proc.points += 1
        inner = [_mark(program, proc, b) for b in s.blocks]
        s.suspends = own or any(inner)
        any_suspends = any_suspends or s.suspends
    return any_suspends


def check_colours(program: Program, expression_calls: Sequence[X]) -> list[Diagnostic]:
    """Calls inside expressions must be pure; watchers may not suspend."""
    found = []
    for x in expression_calls:
        proc = program.procs[x.data]
        changes = any(q.var for q in proc.params)
        if (proc.colour != "pure" or changes) and proc.kind == "def":
            does = {"suspends": "asks, draws or rolls", "acts": "changes the game"}.get(proc.colour, "changes what it is given")
            found.append(diagnose("T060", x.span, name=proc.name, does=does, labels=(Label(proc.span, "defined here"),)))
    for w in program.watchers:
        if w.proc.colour == "suspends":
            waiting = next((s for s in statements(w.proc.body) if s.point is not None), None)
            span, labels = (w.proc.span, ()) if waiting is None else (waiting.span, (Label(w.proc.span, "in this watcher"),))
            found.append(diagnose("F011", span, labels=labels))
    return found


def check_idle(program: Program) -> list[Diagnostic]:
    """A statement that is nothing but a call changes something: the game, or a variable that it names."""
    found = []
    for proc in program.procs:
        for s in statements(proc.body):
            call = statement_call(s) if s.op == "do" else None
            target = None if call is None else program.procs[call.data]
            if target is not None and target.kind == "def" and target.colour == "pure" and not any(q.var for q in target.params):
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
                names = [program.procs[i].name for i in circle]
                if len(names) > MOST_NAMED:
                    names[MOST_NAMED:] = ["…"]
                labels = tuple(Label(program.procs[i].span, "part of the circle") for i in circle[1:MOST_NAMED])
                found.append(diagnose("F012", program.procs[step].span, circle=" → ".join(f"`{x}`" for x in [*names, names[0]]), labels=labels))
            elif not state.get(step):
                state[step] = 1
                trail.append((step, iter(sorted(_free(program, step)))))
    return found


def _free(program: Program, index: int) -> set[int]:
    return {i for i in callees(program, program.procs[index]) if program.procs[i].nested is None}
