"""State that is only ever set, and locals that nobody reads.

Proves: no expression reads the variable except to give it its own next value, and no player sees it; no expression of the procedure reads the
local. What is chosen or drawn is known to the players, read or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, Span, diagnose
from croupier.semantics.flow import operands, statement_call, statements
from croupier.semantics.lints.walk import bodies, expressions
from croupier.semantics.program import Program
from croupier.semantics.tree import Proc, S, X

_NAMED = re.compile(r"(?:let|var)\s+(\w+)")


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """State and locals that are set and never read."""
    found = [diagnose("L002", program.vars[name].span, name=name) for name in _unread_state(program) if ("state", name) in used]
    for proc in program.procs:
        found.extend(_unread_locals(program, proc))
    return found


def _unread_state(program: Program) -> Iterator[str]:
    writes = {id(x) for _, s in bodies(program) for x in _targets(s)}
    read = {x.data for whole in expressions(program) for x in _walk(whole, writes) if x.op == "state"}
    for name, v in program.vars.items():
        hidden = v.seen_by.op == "enum" and v.seen_by.data[1] == "nobody"
        if name not in read and hidden and v.of_class is None:
            yield name


def _targets(s: S) -> Iterator[X]:
    """The variables that a statement writes, and those it reads only to write them again (`n += 1`)."""
    target = s.args[0] if s.op == "assign" else s.args[1] if s.op in ("add", "remove") else None
    if target is None:
        return
    yield from _roots(target)
    value = s.args[-1].args[0] if s.op == "assign" and s.args[-1].op == "bound" else s.args[-1]
    if s.op == "assign" and value.args and value.args[0] is target:
        yield from _roots(value.args[0])


def _roots(x: X) -> Iterator[X]:
    while x.op == "index":
        x = x.args[0]
    yield x


def _walk(x: X, but: set[int]) -> Iterator[X]:
    if id(x) not in but:
        yield x
        for a in x.args:
            yield from _walk(a, but)


def _after_sign(text: str) -> str:
    """What stands behind the first `=` of a statement, on one line."""
    return " ".join(text.partition("=")[2].split())


def _unread_locals(program: Program, proc: Proc) -> Iterator[Diagnostic]:
    whole = list(statements(proc.body))
    writes = {id(x) for s in whole for x in _targets(s)}
    read = {x.data for s in whole for o in operands(s) for x in _walk(o, writes) if x.op == "local"}
    for s in whole:
        name = _NAMED.match(s.span.text) if s.op == "let" and s.data not in read else None
        if name is not None and name.group(1) == proc.slots[s.data] != "_":
            call = statement_call(s)
            acts = call is not None and (call.op != "call" or program.procs[call.data].colour != "pure")
            help = f"use the answer, or call it without `let`: `{_after_sign(s.span.text)}`" if acts else None
            place = Span(s.span.source, s.span.start + name.start(1), s.span.start + name.end(1))
            yield diagnose("L003", place, name=name.group(1), help=help)
