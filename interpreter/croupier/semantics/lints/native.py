"""What the native back end certainly does not compile, so that games are played at a fraction of its speed: `explain X601` lists everything.

Told are those constructs that can be seen in the rules alone; what depends on the size of a set-up (values that are too wide, boards that are too
large) is told by whoever plays.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, Span, diagnose
from croupier.semantics import types as t
from croupier.semantics.lints.walk import expressions
from croupier.semantics.program import Program
from croupier.semantics.types import Type


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """One report for each kind of construct, at the first place where it stands."""
    first: dict[str, Span] = {}
    for what, span in (*_in_expressions(program), *_in_hooks(program), *_in_types(program)):
        first.setdefault(what, span)
    return [diagnose("L050", span, what=what) for what, span in first.items()]


def _in_expressions(program: Program) -> Iterator[tuple[str, Span]]:
    for whole in expressions(program):
        for x in whole.walk():
            if x.op == "labelled":
                yield "a component by its label", x.span


def _in_hooks(program: Program) -> Iterator[tuple[str, Span]]:
    for hook in program.hooks:
        for arg in hook.args:
            kind = program.procs[hook.target].params[arg.param].type
            if arg.fixed is not None and isinstance(kind, t.Collection | t.Record | t.Map):
                yield "a hook on one list or record", arg.fixed.span


def _in_types(program: Program) -> Iterator[tuple[str, Span]]:
    declared = [(v.type, v.span) for v in program.vars.values()]
    declared += [(kind, record.span) for record in program.records.values() for kind in record.fields.values()]
    for kind, span in declared:
        if _begins_missing(program, kind):
            yield "a value that may be missing, and begins with one that may be missing or with a map", span
    for record in program.records.values():
        if not record.fields:
            yield "a record without fields", record.span


def _begins_missing(program: Program, kind: Type) -> bool:
    """Does a type hold an optional whose first word could be missing by itself?"""
    match kind:
        case t.Map():
            return _begins_missing(program, kind.value)
        case t.Collection():
            return _begins_missing(program, kind.base)
        case t.Optional():
            base: Type = kind.base
            while isinstance(base, t.Record):
                fields = list(program.records[base.name].fields.values())
                if not fields:
                    return False
                base = fields[0]
            return isinstance(base, t.Optional | t.Map)
    return False
