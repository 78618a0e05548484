"""Growing lists: arrays of a function whose length a target with lists of its own need not keep, and the
branches that use them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from croupier.core import operations as op
from croupier.core.builder import add, mul, sub
from croupier.core.operations import Array, Body, Const, Expression, Local
from croupier.core.types import CoreProgram, Function, Memory
from croupier.core.walk import arrays, expressions, locals_of, statements, writes

Branch = tuple[int, bool]  # of an `If`, by identity: where its test holds, or where not


# by function: the parameters that are growing lists of its callers, with the words of an element
Parameters = dict[str, dict[str, int]]


def list_parameters(program: CoreProgram) -> Parameters:
    """Parameters that take a growing list from some call, and are only read as one: a target with lists of
    its own passes the list itself.

    So a recursive definition hands a list on without a copy. Whatever else is passed to such a parameter is
    made a list for the call.
    """
    bodies = [(f.name, f.body, f.memories) for f in program.functions.values()]
    bodies += [(s.function, s.body, program.functions[s.function].memories) for s in program.states.values()]
    read = {f.name: _parameters_read_as_lists(program, f) for f in program.functions.values() if not f.waits}
    # by parameter: the words of an element of each list that some call passes
    given: dict[tuple[str, str], set[int]] = {}
    # a parameter that is passed on, and to which parameter of which function
    passed: list[tuple[tuple[str, str], str, str]] = []
    for name, body, memories in bodies:
        lists = growing_lists(program, body, memories)
        for s in statements(body):
            if not isinstance(s, op.Call):
                continue
            for a, p in zip(s.arguments, program.functions[s.function].parameters, strict=True):
                if isinstance(a, Array) and a.memory in lists:
                    given.setdefault((s.function, p.name), set()).add(lists[a.memory])
                elif isinstance(a, Array) and a.memory in read.get(name, ()):
                    passed.append(((name, a.memory), s.function, p.name))
    found: Parameters = {}
    for (name, parameter), words in given.items():
        if parameter in read.get(name, ()) and len(words) == 1:
            found.setdefault(name, {})[parameter] = min(words)
    while True:  # what is passed on as an array stays one
        wrong = [
            key
            for key, to, p in passed
            if key[1] in found.get(key[0], ()) and found[key[0]][key[1]] != found.get(to, {}).get(p)
        ]
        if not wrong:
            return found
        for name, parameter in wrong:
            found[name].pop(parameter, None)


def _parameters_read_as_lists(program: CoreProgram, f: Function) -> set[str]:
    """The array parameters of a function that it only reads, and only as lists."""
    taken = [Memory(p.name, p.size) for p in f.parameters if p.size is not None and not p.gives]
    names = {m.name for m in taken}
    changed = {name for s in statements(f.body) for name in writes(s, program)}
    for s in statements(f.body):
        match s:
            case op.Copy(source=source, begin=begin, count=count) if source in names and (
                isinstance(count, Const) or begin != Const(0)
            ):
                changed.add(source)
            case op.Memo(arrays=used) | op.Try(keeps=used):
                changed |= set(used)
    return names - changed - _not_read_as_lists(program, f.body)


def _not_read_as_lists(program: CoreProgram, body: Body) -> set[str]:
    """The arrays of which a body reads other words than the length and elements, or which it passes on in
    another way than as a whole to be read.
    """
    wrong: set[str] = set()
    for s in statements(body):
        match s:
            case op.Call(function, arguments):
                for a, p in zip(arguments, program.functions[function].parameters, strict=True):
                    if isinstance(a, Array) and (p.gives or a.at != Const(0)):
                        wrong.add(a.memory)
            case op.Enter(arguments=arguments, arrays=given):
                wrong |= {*given, *(a.memory for a in arguments if isinstance(a, Array))}
        for e in expressions(s):
            match e:
                case op.Load(memory, index) if index != Const(0) and index_before(index) is None:
                    wrong.add(memory)
                case op.Holds(memory, begin) if index_before(begin) is None:
                    wrong.add(memory)
    return wrong


def growing_lists(program: CoreProgram, body: Body, memories: Iterable[Memory]) -> dict[str, int]:
    """Return the arrays of a function that are only cleared, appended to and read, with the words of an
    element, by name.

    A list inside a larger array is not among them: the words after it are written at constant indices, or
    copied with it.
    """
    found: dict[str, int] = {}
    ends: Counter[str] = Counter()
    sizes = {m.name: m.size for m in memories}
    wanted, wrong = sizes.keys(), _not_read_as_lists(program, body)
    inside = statements(body)
    for s in inside:
        if isinstance(s, op.Append):
            ends[s.memory] = max(ends[s.memory], 1 + s.most * len(s.values))
    for s in inside:
        match s:
            case op.Append(memory, values) if memory in wanted:
                if found.setdefault(memory, len(values)) != len(values):
                    wrong.add(memory)
            case op.Store(memory, index, value):
                if not (index == Const(0) and value == Const(0)) and index_before(index) is None:
                    wrong.add(memory)
                if isinstance(index, Const):
                    is_outside = index.value >= ends[memory]
                else:
                    is_outside = ends[memory] < sizes.get(memory, 0)
                if is_outside:
                    wrong.add(memory)
            case op.Copy(target, at, source, begin, count):
                if isinstance(count, Const):
                    wrong |= {m for m in (target, source) if count.value > ends[m]}
                if at != Const(0) or source == target:
                    wrong.add(target)
                if begin != Const(0) and index_before(begin) is None:
                    wrong.add(source)
                if begin != Const(0) and target in wanted:
                    wrong.add(target)
            case op.Sort(memory, at) if at != Const(1):
                wrong.add(memory)
            case op.Try(keeps=kept):
                wrong |= set(kept)
    return {m: words for m, words in found.items() if m not in wrong}


def branches_of_arrays(
    body: Body, names: Iterable[str], within: Branch | None = None
) -> dict[Branch | None, set[str]]:
    """Return the innermost branches that hold all uses of each of these arrays; `None` is the body itself.

    Two branches of one `If` may use an array each.
    """
    used = [(s, arrays((s,)) & set(names)) for s in body]
    times = Counter(name for _, mine in used for name in mine)
    found: dict[Branch | None, set[str]] = {within: {name for name in times if times[name] > 1}}
    for s, mine in used:
        once = {name for name in mine if times[name] == 1}
        if isinstance(s, op.If):
            read = once & {e.memory for e in expressions(s) if isinstance(e, (op.Load, op.Holds))}
            for branch, taken in ((s.then, True), (s.otherwise, False)):
                for place, here in branches_of_arrays(branch, once - read, (id(s), taken)).items():
                    found[place] = found.get(place, set()) | here
            once = read
        found[within] |= once
    return found


def index_before(index: Expression) -> Expression | None:
    """Return an index minus one, if the index is certainly at least one; else `None`."""
    match index:
        case Const(k) if k >= 1:
            return Const(k - 1)
        case op.Add(a, Const(k)) if k >= 1:
            return add(a, Const(k - 1))
        case op.Add(a, b):
            found = index_before(a)
            return None if found is None else add(found, b)
    return None


def linear_form(e: Expression, name: str) -> tuple[int, Expression] | None:
    """Return an expression as factor times a local plus a remainder; `None` if it is not linear in the
    local.
    """
    match e:
        case Local(n) if n == name:
            return 1, Const(0)
        case op.Times(Local(n), Const(k)) | op.Mul(Local(n), Const(k)) if n == name:
            return k, Const(0)
        case op.Add(a, b):
            if name not in locals_of(b):
                found = linear_form(a, name)
                return None if found is None else (found[0], add(found[1], b))
            if name not in locals_of(a):
                found = linear_form(b, name)
                return None if found is None else (found[0], add(a, found[1]))
        case op.Sub(a, b) if name not in locals_of(b):
            found = linear_form(a, name)
            return None if found is None else (found[0], sub(found[1], b))
    return None


def offset_from(e: Expression, name: str) -> int | None:
    """Return what an expression adds to a local; `None` if it is no such sum."""
    match linear_form(e, name):
        case 1, Const(k):
            return k
    return None


def index_at_round(low: Expression, times: int, rest: Expression) -> Expression:
    """The index that an iteration of a loop reads: `low` times `times` plus `rest`."""
    if isinstance(low, Const):
        return add(mul(low, Const(times)), rest)
    return add(rest, low if times == 1 else op.Times(low, Const(times)))


__all__ = [
    "growing_lists",
    "index_at_round",
    "index_before",
    "linear_form",
    "list_parameters",
    "offset_from",
]
