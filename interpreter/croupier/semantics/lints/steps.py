"""Lints: lists and zones that change while several players take their part of one step of the rules; and
orders that decide who wins.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.kernel import types as t
from croupier.kernel.facts import Hides, Leaves
from croupier.kernel.folds import FoldKind
from croupier.kernel.tree import (
    ChooseStmt,
    CompExpr,
    FinishStmt,
    ForEachStmt,
    IfStmt,
    LocalExpr,
    MoveStmt,
    RemoveStmt,
    StateExpr,
    TypedStmt,
    ZoneExpr,
)
from croupier.semantics.lints.parts import is_at_once
from croupier.semantics.program import Program
from croupier.semantics.walk import bodies, meanwhile, state_in, statements


# ---------------------------------------------------------------- turns of a list that changes
def find_stale_turns(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """`turns` of a list of the state from which something is taken meanwhile.

    Proves: the walk has no condition and no statement leaves it; a statement that can run in it, or a
    watcher, removes a player from that list. The walk goes on with the players who were in the list when it
    began.

    One report for each walk.
    """
    for _, loop in bodies(program):
        if not isinstance(loop, ForEachStmt) or loop.args[0].op != "turns_of" or len(loop.args) > 1:
            continue
        source = loop.args[0].args[0]
        if not isinstance(source, StateExpr) or _asks_again(loop, source.name):
            continue
        removals = (s for s in meanwhile(program, loop) if isinstance(s, RemoveStmt))
        removing = next((s for s in removals if source.name in state_in((s.target,))), None)
        if removing is not None:
            yield diagnose(
                "L016",
                source.span,
                name=source.name,
                labels=(Label(removing.span, "somebody leaves the list here"),),
            )


def _asks_again(loop: ForEachStmt, name: str) -> bool:
    """Tell whether the walk asks who is in the list, or leaves."""
    whole = list(statements(loop.blocks[0]))
    if any(s.facts.leaves in (Leaves.LOOP, Leaves.PROCEDURE) for s in whole):
        return True
    return any(isinstance(s, IfStmt) and name in state_in(s.args[0].walk()) for s in whole)


# ---------------------------------------------------------------- zones that are full in between
def find_full_between(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Blocks `at once` in which players pass components among zones with a capacity.

    Proves: all choose from their own zone of a family with a capacity, and what each chose moves to another
    zone of that family. The moves are made one after another, so a zone may have to take one before it gives
    one.

    One report for each move.
    """
    for proc, loop in bodies(program):
        if not isinstance(loop, ForEachStmt) or not is_at_once(proc, loop):
            continue
        choices = (s.choice for s in statements(proc.body) if isinstance(s, ChooseStmt))
        sources = (x for choice in choices for x in choice.source.walk())
        own = {x.name for x in sources if isinstance(x, ZoneExpr) and is_zone_of(x, loop.slot)}
        for s in statements(loop.blocks[0]):
            target = (
                next((x for x in s.args if isinstance(x, ZoneExpr) and x.key is not None), None)
                if isinstance(s, MoveStmt)
                else None
            )
            if target is None or target.name not in own or is_zone_of(target, loop.slot):
                continue
            zone = program.zones[target.name]
            if zone.capacity is not None:
                yield diagnose(
                    "L017",
                    s.span,
                    name=target.name,
                    labels=(Label(zone.capacity.span, "no more than this at any time"),),
                )


def is_zone_of(x: ZoneExpr, slot: int) -> bool:
    """Tell whether a zone is that of the player in a local."""
    return isinstance(x.key, LocalExpr) and x.key.slot == slot


# ---------------------------------------------------------------- ties that a seat decides
def find_ties_by_seat(program: Program, used: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Results that give a tie to whoever sits first.

    Proves: a `finish win` or `finish lose` names the one player whom `best` or `worst` finds among `players`
    by one value that is no list of several; no condition stands around it or before it that could have asked
    for ties.

    One report for each result.
    """
    for proc in program.procs:
        for s in _unconditional(proc.body):
            if not isinstance(s, FinishStmt) or s.result not in ("win", "lose") or not s.args:
                continue
            named = s.args[0].args[0] if s.args[0].op == "list" and len(s.args[0].args) == 1 else s.args[0]
            if named.op == "certain":
                named = named.args[0]
            if isinstance(named, CompExpr) and named.fold.kind is FoldKind.BEST and _may_tie(named):
                yield diagnose("L029", named.span, name=named.name)


def _may_tie(x: CompExpr) -> bool:
    """Tell whether a key may be equal for two players.

    One that names several values may break ties with the last of them.
    """
    key = x.args[-1]
    by_seat = any(y.op == "seat" or y.op.endswith(".seat") for y in key.walk())
    return x.sources[0].op == "players" and isinstance(key.type, t.Int) and not by_seat


def _unconditional(block: list[TypedStmt]) -> Iterator[TypedStmt]:
    """The statements of a block up to the first that asks something, and that one."""
    for s in block:
        yield s
        if s.blocks and s.facts.hides is not Hides.EVENTS:
            return
