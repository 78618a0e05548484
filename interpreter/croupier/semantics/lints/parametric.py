"""Choices without options for a value of a parameter: the bounds of their range cross.

Only where nothing around the choice asks for the parameter, where no parameter has a condition that could refuse the value, and where the rules do
not go on with `else` or `may`.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.semantics import types as t
from croupier.semantics.program import ParamDef, Program
from croupier.semantics.tree import Choice, S, X


def by_parameter(program: Program) -> Iterator[Diagnostic]:
    """One report for each choice of a phase."""
    if program.main is None or any(p.valid for p in program.params.values()):
        return
    phases = {p.index for p in program.phases.values()}
    for s, asked in _asked(program.main.body, frozenset()):
        if s.op == "do" and s.args and s.args[0].op == "call" and s.args[0].data in phases:
            for inner, more in _asked(program.procs[s.args[0].data].body, asked):
                if inner.op == "choose":
                    yield from _crossing(program, inner, more)


def _asked(block: list[S], around: frozenset[str]) -> Iterator[tuple[S, frozenset[str]]]:
    """Every statement with the parameters that what stands around and before it asks for."""
    for s in block:
        yield s, around
        here = around | frozenset(x.data for a in s.args for x in a.walk() if x.op == "param")
        calls = any(x.op == "call" for a in s.args for x in a.walk())
        if s.op not in ("choose", "menu") and not (calls and s.blocks):
            for inner in s.blocks:
                yield from _asked(inner, here)
        if s.blocks and s.op == "if":  # it may have left already
            around = here


def _crossing(program: Program, s: S, asked: frozenset[str]) -> Iterator[Diagnostic]:
    choice: Choice = s.data[0]
    if choice.optional or s.data[1] or choice.many or choice.source.op != "range":
        return
    low, high = choice.source.args
    for mine, other, param in ((low, high, _param(program, high)), (high, low, _param(program, low))):
        if param is None or param.name in asked or not isinstance(param.type, t.Int) or not isinstance(mine.type, t.Int) or mine.op != "const":
            continue
        bound = param.type.low if mine is low else param.type.high
        if bound is not None and (bound < mine.data if mine is low else bound > mine.data):
            label = Label(param.span, "declared here")
            yield diagnose("L023", other.span, setting=f"`{param.name}` = {bound}", labels=(label,))


def _param(program: Program, x: X) -> ParamDef | None:
    return program.params[x.data] if x.op == "param" else None
