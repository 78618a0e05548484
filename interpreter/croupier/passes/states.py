"""The coroutine transform: functions that wait are cut at their waits into states of structured code.

Statements without a wait keep their structure. A loop with a wait becomes a state that jumps to itself.
Arguments and results of entered functions pass through two arrays, `passed` and `returned`, so that a printer
only has to push and pop frames. A state with a single predecessor is merged into it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from croupier.core import operations as op
from croupier.core.builder import const
from croupier.core.operations import Body, Const, Expression, Statement
from croupier.core.rewriting import replace_statements
from croupier.core.types import CodeState, CoreProgram, Function, Memory
from croupier.core.walk import bodies, kinds, statements
from croupier.records import dataclass


@dataclass(frozen=True, slots=True)
class LoopTargets:
    """The code that replaces `Break` and `Continue` in a loop that was cut."""

    leave: Body
    again: Body


def cut_at_waits(program: CoreProgram) -> CoreProgram:
    """The program with states; functions that wait have no bodies."""
    cutter = CoroutineTransform(program)
    for f in program.functions.values():
        if f.waits:
            cutter.function(f)
    out = replace(
        program, functions={n: replace(f, body=()) if f.waits else f for n, f in program.functions.items()}
    )
    out.memories = {
        **program.memories,
        "passed": Memory("passed", max(1, cutter.passed), (0,) * max(1, cutter.passed)),
        "returned": Memory("returned", max(1, cutter.returned), (0,) * max(1, cutter.returned)),
    }
    out.states, out.entries = cutter.states, cutter.entries
    return out


WAITING = frozenset({op.Wait, op.Enter, op.Ahead})


def contains_wait(s: Statement) -> bool:
    """Return whether a statement waits, or enters a function."""
    return not WAITING.isdisjoint(kinds(s))


def contains_jump(s: Statement) -> bool:
    """Return whether a statement breaks or continues the loop around it."""
    if isinstance(s, (op.Break, op.Continue)):
        return True
    return not isinstance(s, (op.Loop, op.For, op.Each)) and any(
        contains_jump(inner) for body in bodies(s) for inner in body
    )


class CoroutineTransform:
    """Cuts the functions of one program."""

    def __init__(self, program: CoreProgram) -> None:
        self.program = program
        self.states: dict[int, CodeState] = {}
        self.entries: dict[str, int] = {}
        self.passed = self.returned = 0
        self.active: tuple[str, ...] = ()  # flags: is control inside a look-ahead?
        self.f = next(iter(program.functions.values()))

    def state(self, body: Body = ()) -> int:
        number = len(self.states)
        self.states[number] = CodeState(number, self.f.name, body)
        return number

    def fill(self, number: int, body: Body) -> None:
        self.states[number] = CodeState(number, self.f.name, body)

    def function(self, f: Function) -> None:
        self.f = f
        self.active = tuple(sorted({s.active for s in statements(f.body) if isinstance(s, op.Ahead)}))
        number = self.entries[f.name] = self.state()
        self.fill(number, (*self.prologue(f), *self.sequence(f.body, (op.Fail(),), None)))

    # ------------------------------------------------------------ arguments and results
    def prologue(self, f: Function) -> list[Statement]:
        """Prologue: load the parameters from `passed`."""
        out: list[Statement] = []
        at = 0
        for p in f.parameters:
            if p.gives:
                continue
            if p.size is None:
                out.append(op.Set(p.name, op.Load("passed", const(at))))
                at += 1
            else:
                out.append(op.Copy(p.name, const(0), "passed", const(at), const(p.size)))
                at += p.size
        self.passed = max(self.passed, at)
        return out

    def arguments(self, s: op.Enter) -> list[Statement]:
        """Store the arguments of an entered function in `passed`."""
        out: list[Statement] = []
        at = 0
        for p, a in zip(
            (p for p in self.program.functions[s.function].parameters if not p.gives),
            s.arguments,
            strict=True,
        ):
            if isinstance(a, op.Array):
                assert p.size is not None
                out.append(op.Copy("passed", const(at), a.memory, a.at, const(p.size)))
                at += p.size
            else:
                out.append(op.Store("passed", const(at), a))
                at += 1
        return out

    def epilogue(self, values: tuple[Expression, ...]) -> Body:
        """Epilogue: store the results in `returned`."""
        out: list[Statement] = [op.Store("returned", const(i), v) for i, v in enumerate(values)]
        at = len(values)
        for p in self.f.parameters:
            if p.gives:
                assert p.size is not None
                out.append(op.Copy("returned", const(at), p.name, const(0), const(p.size)))
                at += p.size
        self.returned = max(self.returned, at)
        return (*out, op.Leave())

    def results(self, s: op.Enter) -> list[Statement]:
        """Return the statements after a return: they load the results from `returned`."""
        out: list[Statement] = [
            op.Set(name, op.Load("returned", const(i))) for i, name in enumerate(s.results)
        ]
        at = len(s.results)
        for p, name in zip(
            (p for p in self.program.functions[s.function].parameters if p.gives), s.arrays, strict=True
        ):
            assert p.size is not None
            out.append(op.Copy(name, const(0), "returned", const(at), const(p.size)))
            at += p.size
        return out

    # ------------------------------------------------------------ statements
    def sequence(self, body: Body, after: Body, loop: LoopTargets | None) -> Body:
        """Statements, followed by `after`, which ends the state."""
        out: list[Statement] = []
        for i, s in enumerate(body):
            if not contains_wait(s) and not (loop is not None and contains_jump(s)):
                out += replace_statements((s,), self.with_epilogue)
                if isinstance(s, (op.Return, op.Finish, op.Fail)):
                    return tuple(out)
                continue
            rest = body[i + 1 :]
            match s:
                case op.Break() if loop is not None:
                    return (*out, *loop.leave)
                case op.Continue() if loop is not None:
                    return (*out, *loop.again)
                case op.Wait():
                    number = self.state()
                    self.fill(number, self.sequence(rest, after, loop))
                    return (*out, replace(s, next=number, keeps=(*s.keeps, *self.active)))
                case op.Enter():
                    number = self.state()
                    self.fill(number, (*self.results(s), *self.sequence(rest, after, loop)))
                    entered = replace(
                        s, arguments=(), results=(), arrays=(), next=number, keeps=(*s.keeps, *self.active)
                    )
                    return (*out, *self.arguments(s), entered)
                case op.If(test, then, otherwise):
                    tail = self.join(rest, after, loop)
                    one, two = self.sequence(then, tail, loop), self.sequence(otherwise, tail, loop)
                    return (*out, op.If(test, one, two))
                case op.Switch(value, cases, otherwise):
                    tail = self.join(rest, after, loop)
                    made = tuple(op.Case(case.values, self.sequence(case.body, tail, loop)) for case in cases)
                    return (*out, op.Switch(value, made, self.sequence(otherwise, tail, loop)))
                case op.Loop(inner):
                    head = self.state()
                    tail = self.join(rest, after, loop)
                    again: Body = (op.Goto(head),)
                    self.fill(head, self.sequence(inner, again, LoopTargets(tail, again)))
                    return (*out, op.Goto(head))
                case op.Ahead(name, active, number, within, inner):
                    tail = self.join(rest, after, loop)
                    begin = self.state()
                    self.fill(begin, self.sequence((op.Set(active, Const(1)), *inner), tail, loop))
                    look = op.Explore(name, active, number, within, begin)
                    return (*out, look, op.If(op.Eq(op.Local(name), Const(1)), (op.Goto(begin),), tail))
            raise AssertionError(f"{type(s).__name__} with a wait inside")
        return (*out, *after)

    def join(self, rest: Body, after: Body, loop: LoopTargets | None) -> Body:
        """The continuation of a statement that was cut: a state of its own, unless it is a single jump."""
        if not rest:
            return after if len(after) == 1 else self.shared(after)
        number = self.state()
        self.fill(number, self.sequence(rest, after, loop))
        return (op.Goto(number),)

    def shared(self, body: Body) -> Body:
        return (op.Goto(self.state(body)),)

    def with_epilogue(self, s: Statement) -> Body:
        """A statement or, instead of a `Return`, the epilogue."""
        return self.epilogue(s.values) if isinstance(s, op.Return) else (s,)


# ---------------------------------------------------------------- merging
def merge_states(program: CoreProgram) -> CoreProgram:
    """The program with states merged into their only predecessor, and without unreachable states."""
    gone: Counter[int] = Counter()
    kept = set(program.entries.values())
    for state in program.states.values():
        for s in statements(state.body):
            match s:
                case op.Goto(number):
                    gone[number] += 1
                case op.Wait(next=number) | op.Enter(next=number) | op.Explore(state=number):
                    kept.add(number)
    inside = {n for n, count in gone.items() if count == 1 and n not in kept}
    heads = _heads(program, inside)
    inside -= heads

    def merged(s: Statement) -> Body:
        """The state that a jump goes to, instead of the jump."""
        if isinstance(s, op.Goto) and s.state in inside:
            return replace_statements(program.states[s.state].body, merged)
        return (s,)

    states = {
        n: CodeState(n, s.function, replace_statements(s.body, merged))
        for n, s in program.states.items()
        if n not in inside and (n in kept or gone[n])
    }
    return replace(program, states=states)


def _heads(program: CoreProgram, inside: set[int]) -> set[int]:
    """One state of each cycle of such states, which must stay."""
    found: set[int] = set()
    for start in inside:
        seen, at = {start}, start
        while True:
            onward = [
                s.state
                for s in statements(program.states[at].body)
                if isinstance(s, op.Goto) and s.state in inside and s.state not in found
            ]
            if start in onward:
                found.add(start)
                break
            fresh = [n for n in onward if n not in seen]
            if not fresh:
                break
            seen.update(fresh)
            at = fresh[0]
    return found
