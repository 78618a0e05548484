"""Loop idiom recognition: loops that only offer, append, fill an array or push to a zone, as one statement of
Python.

Comprehensions, slice assignments and `+=` run several times as fast as the loops. Each function returns None
if the loop does anything else.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import add
from croupier.core.operations import Const, Expression, Local
from croupier.core.walk import expressions, locals_of, statements
from croupier.passes.lists import linear_form
from croupier.printers.python_iteration import LoopPrinter, is_nonnegative


def as_list(code: LoopPrinter, s: op.Statement, memory: str | None = None) -> str | None:
    """A loop that only offers, or only appends words to the list `memory`, as an expression for the list of
    them.
    """
    if not isinstance(s, (op.For, op.Each)) or any(
        not isinstance(t, (op.For, op.Each, op.If, op.Offer, op.Append)) for t in statements((s,))
    ):
        return None
    if memory is not None and any(
        isinstance(e, (op.Load, op.Holds)) and e.memory == memory
        for t in statements((s,))
        for e in expressions(t)
    ):
        return None
    match s:
        case op.For(name, op.PartBegin(at) as low, high, (op.Offer(op.Element(zone, Local(index))),)) if (
            index == name and at == zone and not memory
        ):
            z, n = code.value(zone), code.value(high)
            whole = f"Z[{z}] if len(Z[{z}]) == {n} and " if code.local_offers else f"Z[{z}][:] if "
            return f"{whole}S.U[{z}] == UNORDERED[{n}] else Z[{z}][{code.value(low)}:{n}]"
        case op.For(name, low, high, (op.Offer(op.Element(zone, Local(index))),)) if (
            index == name and name not in locals_of(zone) and not memory
        ):
            return f"Z[{code.value(zone)}][{'' if low == Const(0) else code.value(low)}:{code.value(high)}]"
    held, parts, source = code.columns, list[str](), ""
    inner: op.Statement = s
    while True:
        match inner:
            case op.For(body=(only,)):
                names, source, columns = code.loop_head(inner)
                code.columns = {**code.columns, **columns}
                parts.append(f"for {names} in {source}")
                inner = only
            case op.Each(name, zone, (only,)):
                source = f"Z[{code.value(zone)}]"
                parts.append(f"for {name} in {source}")
                inner = only
            case op.If(test, (only,), ()):
                parts.append(f"if {code.condition(test)}")
                inner = only
            case op.Offer(action) if memory is None:
                found = code.value(action)
                break
            case op.Append(name, (word,)) if memory == name:
                found = code.value(word)
                break
            case _:
                code.columns = held
                return None
    code.columns = held
    if isinstance(s, op.Each) and parts == [f"for {s.name} in Z[{code.value(s.zone)}]"] and found == s.name:
        return f"Z[{code.value(s.zone)}][:]"
    if memory is not None and parts == [f"for {found} in {source}"]:
        return source
    return f"[{found} {' '.join(parts)}]"


def as_list_extension(code: LoopPrinter, s: op.For | op.Each, i: str) -> list[str] | None:
    """A loop that only appends words to one growing list, as an extension."""
    appends = [t for t in statements((s,)) if isinstance(t, op.Append)]
    if len(appends) != 1 or code.lists.get(appends[0].memory) != 1:
        return None
    memory = appends[0].memory
    listed = as_list(code, s, memory)
    if listed is None:
        return None
    return [f"{i}{memory} += {listed}", f"{i}if len({memory}) > {appends[0].most}: raise Failed"]


def as_offer_extension(code: LoopPrinter, s: op.For | op.Each, i: str) -> list[str] | None:
    """A loop that only makes offers, and sets constant marks if it made one, as an extension of the legal
    actions.
    """
    found = _single_offer(s)
    if found is None:
        return None
    only, offer, marks = found
    names = {t.name for t in statements((s,)) if isinstance(t, (op.For, op.Each, op.Set))}
    read = {n for t in statements((s,)) for e in expressions(t) for n in locals_of(e)}
    if names & set(locals_of(offer.weight)) or {m.name for m in marks} & read or _reads_memory(offer.weight):
        return None
    listed = as_list(code, only)
    if listed is None:
        return None
    is_heavy = id(offer) in code.weighted
    if not marks and not is_heavy:
        return [f"{i}O += {listed}"]
    step = i + "    "
    out = [f"{i}some = {listed}", f"{i}if some:", f"{step}O += some"]
    out += [f"{step}K += [{code.value(offer.weight)}] * len(some)"] if is_heavy else []
    return out + [f"{step}{m.name} = {code.value(m.value)}" for m in marks]


def _single_offer(s: op.Statement) -> tuple[op.Statement, op.Offer, list[op.Set]] | None:
    """Return the parts of a loop with one offer and constant marks behind it: the loop without marks, the
    offer, the marks.

    `None` for any other statement.
    """
    match s:
        case (
            op.For(body=(op.Offer() as offer, *marks))
            | op.Each(body=(op.Offer() as offer, *marks))
            | op.If(_, (op.Offer() as offer, *marks), ())
        ):
            noted = [m for m in marks if isinstance(m, op.Set) and isinstance(m.value, Const)]
            return None if len(noted) < len(marks) else (_with_body(s, offer), offer, noted)
        case op.For(body=(only,)) | op.Each(body=(only,)) | op.If(_, (only,), ()):
            found = _single_offer(only)
            return None if found is None else (_with_body(s, found[0]), found[1], found[2])
    return None


def _with_body(s: op.Statement, only: op.Statement) -> op.Statement:
    """A statement with its body replaced by one statement."""
    match s:
        case op.If(test):
            return op.If(test, (only,))
        case op.For(name, low, high):
            return op.For(name, low, high, (only,))
        case op.Each(name, zone):
            return op.Each(name, zone, (only,))
    raise AssertionError(s)


def as_slice_assignment(code: LoopPrinter, s: op.For, i: str) -> list[str] | None:
    """A loop that fills a part of an array, pushes an array to a zone, or offers a range, as one
    statement.
    """
    here = sum(e == Local(s.name) for t in statements(s.body) for e in expressions(t))
    if s.low != Const(0) or code.read_counts[s.name] > here:
        return None
    match s.body:
        case (op.Loosen(zone, Local(number), Const(1)),) if number == s.name and s.name not in locals_of(
            zone
        ):
            return [f"{i}S.U[{code.value(zone)}] |= (1 << max(0, {code.value(s.high)})) - 1"]
        case (op.Set(name, value), op.Offer(Local(action))) if (
            name == action and value == op.Add(Local(name), Const(1)) and not code.weighted
        ):
            end = add(Local(name), s.high)
            return [
                f"{i}O += range({name} + 1, {code.value(end)} + 1)",
                f"{i}{name} += max(0, {code.value(s.high)})",
            ]
    if not is_nonnegative(s.high, code.nonnegative):
        return None
    match s.body:
        case (op.Store(memory, Local(index), op.Element(zone, Local(number))),) if (
            index == number == s.name and memory not in code.lists
        ):
            if s.name in locals_of(zone):
                return None
            return [f"{i}{memory}[:{code.value(s.high)}] = Z[{code.value(zone)}][:{code.value(s.high)}]"]
        case (op.Store(memory, index, value),) if memory not in code.lists:
            found = linear_form(index, s.name)
            if found is None or found[0] != 1 or _reads_memory(found[1]) or s.name in locals_of(value):
                return None
            if isinstance(value, Const):
                return [
                    f"{i}{memory}[{code.slice_bounds(found[1], s.high)}] = [{code.value(value)}] * "
                    f"{code.value(s.high)}"
                ]
        case (op.Push(zone, op.Load(memory, Local(number))),) if (
            number == s.name and memory not in code.lists and s.name not in locals_of(zone)
        ):
            return [f"{i}Z[{code.value(zone)}] += {memory}[:{code.value(s.high)}]"]
    return None


def _reads_memory(e: Expression) -> bool:
    """Return whether an expression reads memory or zones."""
    return any(isinstance(part, (op.Load, op.Element, op.Length)) for part in (e, *expressions(e)))
