"""Static fuel bounds: payments between two waits whose sum has a constant bound are removed, and the bound is
subtracted from the fuel of an action.

Payments stay in loops without a bound on their iterations, and in functions that such loops call. Where the
bound would be a large part of the fuel, all payments stay.
"""

from __future__ import annotations

from dataclasses import replace

from croupier.core import operations as op
from croupier.core.operations import Body, Const, Expression, Local, Statement
from croupier.core.rewriting import rewrite_bodies
from croupier.core.types import CoreProgram, Function, constant_words
from croupier.core.walk import called, statements, times_set
from croupier.passes.lists import linear_form

LARGEST_PART = 4  # at most a quarter of the fuel of an action is prepaid
# iterations without a wait of a loop that may wait, each paying its bound, that the fuel must allow
ROUNDS = 100
LITTLE = 64  # steps that an iteration of any other loop may pay ahead


def prepay_fuel(program: CoreProgram, fuel: int) -> tuple[CoreProgram, int]:
    """The program with fewer payments, not yet cut at waits, and the fuel that an action has then."""
    found = _Bounds(program, fuel // ROUNDS)
    most = 2 * found.function(program.main) + (
        found.function(program.start) if program.start is not None else 0
    )
    if most > fuel // LARGEST_PART:
        return program, fuel
    for f in program.functions.values():
        if f.name not in found.known:
            found.kept.add(f.name)
    functions = {
        n: f if n in found.kept else replace(f, body=_without_payments(f.body, found))
        for n, f in program.functions.items()
    }
    return replace(program, functions=functions), fuel - most


def _without_payments(body: Body, found: _Bounds) -> Body:
    out: list[Statement] = []
    for s in body:
        if isinstance(s, op.Pay) and isinstance(s.steps, Const):
            continue
        if id(s) in found.endless:
            out.append(s)
            continue
        paid = found.rounds.get(id(s), 0)
        pay = (op.Pay(Const(paid)),) if paid else ()
        out.append(rewrite_bodies(s, lambda inner, pay=pay: (*pay, *_without_payments(inner, found))))  # type: ignore[misc]
    return tuple(out)


class _Bounds:
    """Bounds on what functions pay between two waits, apart from loops without a bound."""

    def __init__(self, program: CoreProgram, most_of_round: int) -> None:
        self.program, self.most_of_round = program, most_of_round
        self.rounds: dict[int, int] = {}  # what an iteration of a loop without a bound pays
        self.known: dict[str, int] = {}
        self.kept: set[str] = set()  # functions whose payments stay
        self.values: dict[str, dict[str, Expression]] = {}  # by function: see `single_values`
        self.endless: set[int] = set()  # loops whose payments stay

    def function(self, name: str) -> int:
        """The most that a function pays; payments of a recursive function stay."""
        if name in self.kept:
            return 0
        if name not in self.known:
            self.known[name] = -1
            found = self.body(self.program.functions[name].body, self.program.functions[name])
            self.known[name] = 0 if name in self.kept else found
        if self.known[name] < 0:
            self.keep(name)
        return max(0, self.known[name])

    def keep(self, name: str) -> None:
        """Keep the payments of a function and of all that it calls."""
        if name not in self.kept:
            self.kept.add(name)
            for inner in called(self.program.functions[name].body):
                self.keep(inner)

    def body(self, body: Body, f: Function) -> int:
        total = 0
        values: dict[str, int] = {}
        for s in body:
            match s:
                case op.Pay(Const(steps)):
                    total += steps
                case op.Set(name, Const(value)):
                    values[name] = value
                case op.If(_, then, otherwise):
                    total += max(self.body(then, f), self.body(otherwise, f))
                case op.Switch(_, cases, otherwise):
                    total += max([self.body(otherwise, f), *(self.body(c.body, f) for c in cases)])
                case op.Call(name) | op.Enter(name):
                    total += self.function(name)
                case op.For(_, Const(low), high, inner) if (most := self.most(high, f)) is not None:
                    total += max(0, most - low) * self.body(inner, f)
                case op.Each(_, _, inner):
                    total += sum(map(len, self.program.zones.contents)) * self.body(inner, f)
                case op.Loop(inner):
                    rounds = 2 if always_waits(inner) else iteration_bound(inner, values)
                    total += self.each_round(s, inner, f) if rounds is None else rounds * self.body(inner, f)
                case op.For(body=inner):
                    size = _size_read(s, {m.name: m.size for m in f.memories})
                    total += self.each_round(s, inner, f) if size is None else size * self.body(inner, f)
                case op.Try(body=inner) | op.Ahead(body=inner) | op.Memo(body=inner):
                    self.stays(s)
            if not isinstance(s, op.Set):
                changed = {t.name for t in statements((s,)) if isinstance(t, op.Set)}
                values = {n: v for n, v in values.items() if n not in changed}
        return total

    def each_round(self, s: op.Loop | op.For, inner: Body, f: Function) -> int:
        """Return the most steps that an iteration of a loop pays if the number of iterations is unknown.

        If they are many, return 0: the loop stays as it is.
        """
        steps = self.body(inner, f)
        waits = any(isinstance(t, (op.Wait, op.Enter)) for t in statements(inner))
        if steps > (self.most_of_round if waits else LITTLE):
            self.stays(s)
            return 0
        self.rounds[id(s)] = steps
        return steps

    def most(self, e: Expression, f: Function) -> int | None:
        """Return the upper bound of an expression; `None` if there is no bound."""
        match e:
            case Const(value):
                return value
            case op.Length():
                return sum(map(len, self.program.zones.contents))
            case op.Sub(a, Const(less)):
                found = self.most(a, f)
                return None if found is None else found - less
            case op.Local(name):
                single = self.single_values(f).get(name, e)
                return None if single == e else self.most(single, f)
            case op.Load(memory, at):
                sizes = {m.name: m.size for m in f.memories}
                if memory in sizes:
                    return sizes[memory] - 1 if at == Const(0) and _is_list(f, memory) else None
                words = constant_words(self.program.memories, memory)
                return None if words is None else max(words, default=None)
        return None

    def single_values(self, f: Function) -> dict[str, Expression]:
        """The values of the locals of a function that only one statement sets, and that with a value."""
        if f.name not in self.values:
            times = times_set(f.body, (p.name for p in f.parameters))
            self.values[f.name] = {
                s.name: s.value for s in statements(f.body) if isinstance(s, op.Set) and times[s.name] == 1
            }
        return self.values[f.name]

    def stays(self, s: Statement) -> None:
        """Keep the payments in a statement."""
        self.endless.add(id(s))
        for name in called((s,)):
            self.keep(name)


def _size_read(s: op.For, sizes: dict[str, int]) -> int | None:
    """The size of an array that each iteration of a loop reads at another index, which bounds the
    iterations.
    """
    first = next((t for t in s.body if not isinstance(t, op.Pay)), None)
    if isinstance(first, op.Set) and isinstance(s.low, Const) and s.low.value >= 0:
        match first.value:
            case op.Load(memory, index) if memory in sizes:
                found = linear_form(index, s.name)
                if (
                    found is not None
                    and found[0] >= 1
                    and isinstance(found[1], Const)
                    and found[1].value >= 0
                ):
                    return sizes[memory]
                return None
    return None


def _is_list(f: Function, memory: str) -> bool:
    """Return whether an array is a list, whose first word is its length."""
    return all(
        s.memory != memory or s.index != Const(0) or s.value == Const(0)
        for s in statements(f.body)
        if isinstance(s, op.Store)
    ) and any(isinstance(s, op.Append) and s.memory == memory for s in statements(f.body))


def always_waits(body: Body) -> bool:
    """Return whether every path through a body to the next iteration waits."""
    return _waits(body) is not False


def _waits(body: Body) -> bool | None:
    """Return whether every path through a body to the next iteration waits; `None` if no path comes to the
    end.
    """
    for s in body:
        match s:
            case op.Wait():
                return True
            case op.Break() | op.Return() | op.Finish() | op.Fail() | op.DeadEnd():
                return None
            case op.Continue():
                return False
            case op.If(_, then, otherwise):
                found = {_waits(then), _waits(otherwise)}
                if False not in found:
                    return True if True in found else None
                if any(isinstance(t, op.Continue) for t in statements((s,))):
                    return False
            case op.Switch() | op.Try() | op.Ahead() if any(
                isinstance(t, op.Continue) for t in statements((s,))
            ):
                return False
    return False


def iteration_bound(body: Body, values: dict[str, int]) -> int | None:
    """Return the most iterations of a loop that counts to a constant; `None` for any other loop."""
    for s in body:
        match s:
            case op.If(op.Le(a, b), (*_, op.Break()), ()):
                if isinstance(a, Local):
                    name, end, step = a.name, b, -1
                elif isinstance(b, Local):
                    name, end, step = b.name, a, 1
                else:
                    return None
                if name in values and isinstance(end, Const) and _counts(body, name, step) is True:
                    return max(0, (end.value - values[name]) * step) + 1
            case op.Pay() | op.Set():
                continue
            case op.If(_, (*_, op.Break()), ()):
                continue
        return None
    return None


def _counts(body: Body, name: str, step: int) -> bool | None:
    """Return whether a local changes by `step` once on every path to the next iteration.

    `None` if no path comes to the end.
    """
    wanted: tuple[Expression, ...] = (op.Add(Local(name), Const(1)),)
    if step <= 0:
        wanted = (op.Sub(Local(name), Const(1)), op.Add(Local(name), Const(-1)))
    done = False
    for s in body:
        match s:
            case op.Set(n, value) if n == name:
                if value not in wanted or done:
                    return False
                done = True
            case op.Continue():
                return done
            case op.Break() | op.Return() | op.Finish() | op.Fail() | op.DeadEnd():
                return None
            case op.If(_, then, otherwise):
                if any(
                    isinstance(t, (op.Set, op.Continue)) and (isinstance(t, op.Continue) or t.name == name)
                    for t in statements((s,))
                ):
                    found = {_counts(then, name, step), _counts(otherwise, name, step)} - {None}
                    if len(found) == 2 and not done:
                        return False
                    if True in found:
                        if done:
                            return False
                        done = True
                    elif any(isinstance(t, op.Continue) for t in statements((s,))) and not done:
                        return False
            case _ if any(isinstance(t, op.Set) and t.name == name for t in statements((s,))):
                return False
    return done


__all__ = ["prepay_fuel"]
