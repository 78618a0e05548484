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
                out.append(self.returning(s))
                if isinstance(s, (op.Return, op.Finish, op.Fail)):
                    return self.spread(out)
                continue
            rest = body[i + 1 :]
            match s:
                case op.Break() if loop is not None:
                    return self.spread([*out, *loop.leave])
                case op.Continue() if loop is not None:
                    return self.spread([*out, *loop.again])
                case op.Wait():
                    number = self.state()
                    self.fill(number, self.sequence(rest, after, loop))
                    return self.spread([*out, replace(s, next=number, keeps=(*s.keeps, *self.active))])
                case op.Enter():
                    number = self.state()
                    self.fill(number, (*self.results(s), *self.sequence(rest, after, loop)))
                    entered = replace(
                        s, arguments=(), results=(), arrays=(), next=number, keeps=(*s.keeps, *self.active)
                    )
                    return self.spread([*out, *self.arguments(s), entered])
                case op.If(test, then, otherwise):
                    tail = self.join(rest, after, loop)
                    return self.spread(
                        [
                            *out,
                            op.If(
                                test, self.sequence(then, tail, loop), self.sequence(otherwise, tail, loop)
                            ),
                        ]
                    )
                case op.Switch(value, cases, otherwise):
                    tail = self.join(rest, after, loop)
                    made = tuple(op.Case(case.values, self.sequence(case.body, tail, loop)) for case in cases)
                    return self.spread([*out, op.Switch(value, made, self.sequence(otherwise, tail, loop))])
                case op.Loop(inner):
                    head = self.state()
                    tail = self.join(rest, after, loop)
                    again: Body = (op.Goto(head),)
                    self.fill(head, self.sequence(inner, again, LoopTargets(tail, again)))
                    return self.spread([*out, op.Goto(head)])
                case op.Ahead(name, active, number, within, inner):
                    tail = self.join(rest, after, loop)
                    begin = self.state()
                    self.fill(begin, self.sequence((op.Set(active, Const(1)), *inner), tail, loop))
                    look = op.Explore(name, active, number, within, begin)
                    return self.spread(
                        [*out, look, op.If(op.Eq(op.Local(name), Const(1)), (op.Goto(begin),), tail)]
                    )
            raise AssertionError(f"{type(s).__name__} with a wait inside")
        return self.spread([*out, *after])

    def join(self, rest: Body, after: Body, loop: LoopTargets | None) -> Body:
        """The continuation of a statement that was cut: a state of its own, unless it is a single jump."""
        if not rest:
            return after if len(after) == 1 else self.shared(after)
        number = self.state()
        self.fill(number, self.sequence(rest, after, loop))
        return (op.Goto(number),)

    def shared(self, body: Body) -> Body:
        return (op.Goto(self.state(body)),)

    def returning(self, s: Statement) -> Statement:
        """A statement whose `Return`s become epilogues."""
        match s:
            case op.Return(values):
                return op.If(Const(1), self.epilogue(values))
            case op.If(test, then, otherwise):
                return op.If(test, self.all(then), self.all(otherwise))
            case op.Loop(body):
                return op.Loop(self.all(body))
            case op.For(name, low, high, body):
                return op.For(name, low, high, self.all(body))
            case op.Each(name, zone, body):
                return op.Each(name, zone, self.all(body))
            case op.Switch(value, cases, otherwise):
                return op.Switch(
                    value,
                    tuple(op.Case(case.values, self.all(case.body)) for case in cases),
                    self.all(otherwise),
                )
        return s

    def all(self, body: Body) -> Body:
        return self.spread([self.returning(s) for s in body])

    @staticmethod
    def spread(out: list[Statement]) -> Body:
        """Flatten the epilogues that `returning` wrapped in one statement."""
        found: list[Statement] = []
        for s in out:
            if isinstance(s, op.If) and s.test == Const(1) and s.then and isinstance(s.then[-1], op.Leave):
                found.extend(s.then)
            else:
                found.append(s)
        return tuple(found)


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
    joiner = _Merger(program, inside)
    out = replace(program)
    out.states = {
        n: CodeState(n, s.function, joiner.body(s.body))
        for n, s in program.states.items()
        if n not in inside and (n in kept or gone[n])
    }
    return out


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


class _Merger:
    """Replaces jumps by the states that they go to."""

    def __init__(self, program: CoreProgram, inside: set[int]) -> None:
        self.program, self.inside = program, inside

    def body(self, body: Body) -> Body:
        out: list[Statement] = []
        for s in body:
            match s:
                case op.Goto(number) if number in self.inside:
                    out.extend(self.body(self.program.states[number].body))
                case op.If(test, then, otherwise):
                    out.append(op.If(test, self.body(then), self.body(otherwise)))
                case op.Switch(value, cases, otherwise):
                    out.append(
                        op.Switch(
                            value,
                            tuple(op.Case(c.values, self.body(c.body)) for c in cases),
                            self.body(otherwise),
                        )
                    )
                case _:
                    out.append(s)
        return tuple(out)
