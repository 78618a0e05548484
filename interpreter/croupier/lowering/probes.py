"""Probes of whole games besides the rules: measures, groups of games, phases, simultaneous decisions.

A `Probing` comes in, expressions that are checked; functions go out that whoever plays calls between two
actions, and `CoreProgram.probes`, which says which they are. They change nothing. What cannot be told between
two actions, the rules write as they run (`progress.py`).
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import FALSE
from croupier.core.operations import Local
from croupier.core.types import FunctionParameter, Probes
from croupier.kernel.tree import TypedExpr
from croupier.lowering.context import Context, Ref
from croupier.lowering.costs import pay_for
from croupier.lowering.operands import value, word
from croupier.lowering.progress import PHASE, ROUND, phases_of
from croupier.lowering.results import has_fixed_words
from croupier.lowering.shapes import NotLowered, Shape, Word, width
from croupier.records import dataclass
from croupier.semantics.procedures import Proc

# names of functions; that of a measure has its index behind it
MEASURE, PACE, GROUP = "measure", "pace", "group"
SEAT = FunctionParameter("s0")  # slot 0 of an expression that may say `me`


@dataclass(frozen=True, slots=True)
class ProbeExpression:
    """A checked expression, whose first slot is the seat that it calls `me`; `of_players`: it uses that
    name.
    """

    tree: TypedExpr
    frame: Proc
    of_players: bool


@dataclass(frozen=True, slots=True)
class Probing:
    """The expressions that are measured in whole games.

    `key`: a text that tells these expressions from others over the same rules. `samples`: measures are taken
    along the way, too, before each decision or whenever `pace` changes; `grouping`: the expression that games
    are grouped by.
    """

    key: str
    measures: tuple[ProbeExpression, ...] = ()
    samples: bool = False
    pace: ProbeExpression | None = None
    grouping: ProbeExpression | None = None


def seats_of(c: Context, x: ProbeExpression) -> int:
    """Return the number of seats for which an expression has a value."""
    return c.game.players if x.of_players else 1


# ---------------------------------------------------------------- functions
def write_probes(c: Context, probing: Probing) -> None:
    """Write the functions of the probes. Raises `NotLowered` for an expression without a lowering."""
    for name, start in ((PHASE, op.NONE), (ROUND, 0)):
        c.scalar(name, start)
    for k, x in enumerate(probing.measures):
        _write_number(c, f"{MEASURE}{k}", x)
    if probing.pace is not None:
        _write_number(c, PACE, probing.pace)
    grouping = (0, 0)
    if probing.grouping is not None:
        shape = _write_group(c, probing.grouping)
        grouping = seats_of(c, probing.grouping), width(shape)
    c.core.probes = Probes(
        tuple(seats_of(c, x) for x in probing.measures),
        probing.samples and bool(probing.measures),
        probing.pace is not None,
        grouping,
        len(phases_of(c.game.program.procs)),
    )


def _write_number(c: Context, name: str, x: ProbeExpression) -> None:
    """Write the function of a number: `NAME(seat)`."""
    with c.define(name, SEAT, results=1, proc=x.frame, exported=True) as body:
        body.env[0] = Local(SEAT.name)
        pay_for(c, [x.tree], 2)
        body.w.emit(op.Return((word(c, x.tree),)))


def _write_group(c: Context, x: ProbeExpression) -> Shape:
    """Write the function `group(seat, out)` of a value of any type; return its shape.

    Raises `NotLowered` where its words depend on the position.
    """
    if not has_fixed_words(c.game, x.tree.type):
        raise NotLowered("groups by values whose words depend on the position", x.tree.span)
    shape = c.shape(x.tree.type)
    given = FunctionParameter("out", width(shape), gives=True)
    with c.define(GROUP, SEAT, given, proc=x.frame, exported=True) as body:
        body.env[0] = Local(SEAT.name)
        pay_for(c, [x.tree], 2)
        out = Ref("out", FALSE, shape)
        if isinstance(shape, Word):
            body.w.store("out", FALSE, word(c, x.tree))
        else:
            c.put(value(c, x.tree), out)
        body.w.emit(op.Return())
    return shape


__all__ = ["GROUP", "MEASURE", "PACE", "ProbeExpression", "Probing", "write_probes"]
