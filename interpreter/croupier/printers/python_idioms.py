"""Loops that do one thing over and over, as one statement of Python: they offer, put words into a list, or fill an array or a zone."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from croupier.core import operations as op
from croupier.core.builder import add
from croupier.core.operations import Const, Expression, Local
from croupier.core.walk import expressions, locals_of, statements
from croupier.passes.lists import linear_form
from croupier.printers.python_iteration import counted


class Printing(Protocol):
    """Whoever prints a function: its lists, offers with weights, how often locals are read, what loops around have in locals."""

    lists: dict[str, int]
    weighed: frozenset[int]
    read_in_all: Counter[str]
    columns: dict[Expression, str]
    counts: frozenset[str]
    alone: bool

    def x(self, e: Expression) -> str: ...
    def test(self, e: Expression) -> str: ...
    def part(self, at: Expression, count: Expression) -> str: ...
    def head(self, s: op.For) -> tuple[str, str, dict[Expression, str]]: ...


def listed_by(code: Printing, s: op.Statement, memory: str | None = None) -> str | None:
    """A loop that only offers, or only puts words into a list, as a list."""
    if not isinstance(s, (op.For, op.Each)) or any(not isinstance(t, (op.For, op.Each, op.If, op.Offer, op.Append)) for t in statements((s,))):
        return None
    if memory is not None and any(isinstance(e, (op.Load, op.Holds)) and e.memory == memory for t in statements((s,)) for e in expressions(t)):
        return None
    match s:
        case op.For(name, op.PartBegin(at) as low, high, (op.Offer(op.Element(zone, Local(index))),)) if index == name and at == zone and not memory:
            z, n = code.x(zone), code.x(high)
            whole = f"Z[{z}] if len(Z[{z}]) == {n} and " if code.alone else f"Z[{z}][:] if "
            return f"{whole}S.U[{z}] == LOOSE[{n}] else Z[{z}][{code.x(low)}:{n}]"
        case op.For(name, low, high, (op.Offer(op.Element(zone, Local(index))),)) if index == name and name not in locals_of(zone) and not memory:
            return f"Z[{code.x(zone)}][{'' if low == Const(0) else code.x(low)}:{code.x(high)}]"
    held, parts, source = code.columns, list[str](), ""
    inner: op.Statement = s
    while True:
        match inner:
            case op.For(body=(only,)):
                names, source, columns = code.head(inner)
                code.columns = {**code.columns, **columns}
                parts.append(f"for {names} in {source}")
                inner = only
            case op.Each(name, zone, (only,)):
                source = f"Z[{code.x(zone)}]"
                parts.append(f"for {name} in {source}")
                inner = only
            case op.If(test, (only,), ()):
                parts.append(f"if {code.test(test)}")
                inner = only
            case op.Offer(action) if memory is None:
                found = code.x(action)
                break
            case op.Append(name, (word,)) if memory == name:
                found = code.x(word)
                break
            case _:
                code.columns = held
                return None
    code.columns = held
    if isinstance(s, op.Each) and parts == [f"for {s.name} in Z[{code.x(s.zone)}]"] and found == s.name:
        return f"Z[{code.x(s.zone)}][:]"
    if memory is not None and parts == [f"for {found} in {source}"]:
        return source
    return f"[{found} {' '.join(parts)}]"


def appended_by(code: Printing, s: op.For | op.Each, i: str) -> list[str] | None:
    """A loop that only puts words into one list of Python, as a list that is put there."""
    appends = [t for t in statements((s,)) if isinstance(t, op.Append)]
    if len(appends) != 1 or code.lists.get(appends[0].memory) != 1:
        return None
    memory = appends[0].memory
    listed = listed_by(code, s, memory)
    return None if listed is None else [f"{i}{memory} += {listed}", f"{i}if len({memory}) > {appends[0].most}: raise Failed"]


def offered_by(code: Printing, s: op.For | op.Each, i: str) -> list[str] | None:
    """A loop that offers, and notes that it did, as a list; none if it does anything else."""
    found = _one_offer(s)
    if found is None:
        return None
    only, offer, marks = found
    names = {t.name for t in statements((s,)) if isinstance(t, (op.For, op.Each, op.Set))}
    read = {n for t in statements((s,)) for e in expressions(t) for n in locals_of(e)}
    if names & set(locals_of(offer.weight)) or {m.name for m in marks} & read or _asks(offer.weight):
        return None
    listed = listed_by(code, only)
    if listed is None:
        return None
    is_heavy = id(offer) in code.weighed
    if not marks and not is_heavy:
        return [f"{i}O += {listed}"]
    step = i + "    "
    out = [f"{i}some = {listed}", f"{i}if some:", f"{step}O += some"]
    out += [f"{step}K += [{code.x(offer.weight)}] * len(some)"] if is_heavy else []
    return out + [f"{step}{m.name} = {code.x(m.value)}" for m in marks]


def _one_offer(s: op.Statement) -> tuple[op.Statement, op.Offer, list[op.Set]] | None:
    """A loop with one offer in it and nothing else but marks beside the offer: without the marks, the offer, and the marks."""
    match s:
        case op.For(body=(op.Offer() as offer, *marks)) | op.Each(body=(op.Offer() as offer, *marks)) | op.If(_, (op.Offer() as offer, *marks), ()):
            noted = [m for m in marks if isinstance(m, op.Set) and isinstance(m.value, Const)]
            return None if len(noted) < len(marks) else (_with(s, offer), offer, noted)
        case op.For(body=(only,)) | op.Each(body=(only,)) | op.If(_, (only,), ()):
            found = _one_offer(only)
            return None if found is None else (_with(s, found[0]), found[1], found[2])
    return None


def _with(s: op.Statement, only: op.Statement) -> op.Statement:
    """A statement with another body of one statement."""
    match s:
        case op.If(test):
            return op.If(test, (only,))
        case op.For(name, low, high):
            return op.For(name, low, high, (only,))
        case op.Each(name, zone):
            return op.Each(name, zone, (only,))
    raise AssertionError(s)


def stored_by(code: Printing, s: op.For, i: str) -> list[str] | None:
    """A loop that fills the beginning of an array or puts it on top of a zone, as one statement; none if it does anything else."""
    here = sum(e == Local(s.name) for t in statements(s.body) for e in expressions(t))
    if s.low != Const(0) or code.read_in_all[s.name] > here:
        return None
    match s.body:
        case (op.Loosen(zone, Local(number), Const(1)),) if number == s.name and s.name not in locals_of(zone):
            return [f"{i}S.U[{code.x(zone)}] |= (1 << max(0, {code.x(s.high)})) - 1"]
        case (op.Set(name, value), op.Offer(Local(action))) if name == action and value == op.Add(Local(name), Const(1)) and not code.weighed:
            end = add(Local(name), s.high)
            return [f"{i}O += range({name} + 1, {code.x(end)} + 1)", f"{i}{name} += max(0, {code.x(s.high)})"]
    if not counted(s.high, code.counts):
        return None
    match s.body:
        case (op.Store(memory, Local(index), op.Element(zone, Local(number))),) if index == number == s.name and memory not in code.lists:
            return None if s.name in locals_of(zone) else [f"{i}{memory}[:{code.x(s.high)}] = Z[{code.x(zone)}][:{code.x(s.high)}]"]
        case (op.Store(memory, index, value),) if memory not in code.lists:
            found = linear_form(index, s.name)
            if found is None or found[0] != 1 or _asks(found[1]) or s.name in locals_of(value):
                return None
            if isinstance(value, Const):
                return [f"{i}{memory}[{code.part(found[1], s.high)}] = [{code.x(value)}] * {code.x(s.high)}"]
        case (op.Push(zone, op.Load(memory, Local(number))),) if number == s.name and memory not in code.lists and s.name not in locals_of(zone):
            return [f"{i}Z[{code.x(zone)}] += {memory}[:{code.x(s.high)}]"]
    return None


def _asks(e: Expression) -> bool:
    """Does an expression ask for anything but locals?"""
    return any(isinstance(part, (op.Load, op.Element, op.Length)) for part in (e, *expressions(e)))
