"""What is shown or told in a `secretly` to somebody who may be outside of it.

Proves of a ruleset without a report: where the players of a `secretly` are named one by one, or are all but one, whoever something is shown or told
to in its block is certainly one of them. Nothing is said where they are worked out in another way, nor of what the block calls.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.semantics.lints.leaks.reads import Reader
from croupier.semantics.lints.leaks.terms import Frame, term
from croupier.semantics.program import Program
from croupier.semantics.tree import S, X


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """One report for each `show` or `tell`."""
    reader: Reader | None = None
    found: list[Diagnostic] = []
    for proc in program.procs:
        frame: Frame | None = None
        for block, s in _inside(proc.body, None):
            if reader is None:
                reader = Reader(program)
            frame = frame or reader.frame(proc)
            if _may_be_outside(s.args[-1], block.args[0], frame):
                label = Label(block.args[0].span, "only they perceive what happens in this block")
                found.append(diagnose("L033", s.args[-1].span, word=s.op, labels=(label,)))
    return found


def _inside(body: list[S], block: S | None) -> Iterator[tuple[S, S]]:
    """What is shown and told secretly, each with the outermost `secretly`: those within others change nothing."""
    for s in body:
        if block is not None and s.op in ("show", "tell"):
            yield block, s
        for inner in s.blocks:
            yield from _inside(inner, s if block is None and s.op == "secretly" else block)


def _may_be_outside(to: X, players: X, frame: Frame) -> bool:
    """May a list of players hold somebody who is not in another one? No where that is not known."""
    if players.op == "others":
        left_out = term(players.args[0], frame)
        return to.op == "players" or (to.op == "list" and any(term(a, frame) == left_out for a in to.args))
    if players.op != "list":
        return False
    if to.op == "list":
        known = {term(a, frame) for a in players.args}
        return any(term(a, frame) not in known for a in to.args)
    return to.op != "comp" or not players.args
