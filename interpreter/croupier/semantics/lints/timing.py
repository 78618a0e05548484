"""Pauses that tell: what hidden things decide whether somebody is asked, and no time is kept.

At a table a question takes a while. Where nobody else perceives it, the wait still tells them that there was
one.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.semantics.infoflow import FlowAnalysis, Policy, SecretTurn, analyse
from croupier.semantics.infoflow.store import EVERYBODY
from croupier.semantics.lints.leaks import in_words
from croupier.semantics.program import Program
from croupier.semantics.timed_blocks import asks_within
from croupier.semantics.walk import bodies, reached_from, run_by


def find_telling_pauses(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Find each `secretly` in which somebody is asked or not as hidden things have it, outside of a block
    that takes its time (`for 10 seconds`).

    Proves of a ruleset without a report: what decides whether control comes to a `secretly` with a decision,
    in the procedure in which it stands, is known to everybody. Nothing is said of what decides whether that
    procedure is called, of reactions, and of decisions that are no secret.

    One report for each `secretly`, of the first thing that is hidden.
    """
    analysis = analyse(program)
    within = (s.walk() for _, s in bodies(program) if s.FACTS.pauses)
    timed = {index for inside in within for index in reached_from(program, run_by(inside))}
    untimed = (of for proc, of in enumerate(analysis.found) if proc not in timed)
    for turn in (turn for of in untimed for _, turn in sorted(of.secret_turns.items())):
        hidden = _hidden(analysis, turn)
        if hidden is not None and asks_within(program, turn.block.blocks[0]):
            is_read_elsewhere = hidden.span != program.procs[0].span
            labels = [Label(hidden.span, "it is read here")] if is_read_elsewhere else []
            yield diagnose("L045", turn.block.span, what=in_words(hidden), labels=labels)


def _hidden(analysis: FlowAnalysis, turn: SecretTurn) -> Policy | None:
    """The first thing in the text that not everybody may know, of what decides whether control comes here."""
    hidden = [p for p in analysis.resolved(turn.label) if not analysis.may_know(p, EVERYBODY)]
    return min(hidden, key=lambda p: (p.span.start, p.kind, p.name), default=None)
