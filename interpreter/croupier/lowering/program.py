"""A whole game for one set-up: memory, zones, and every function reachable from `main`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from croupier.core import operations as op
from croupier.core import walk as core_walk
from croupier.core.types import CoreProgram, Memory, Zones
from croupier.kernel import types as t
from croupier.kernel.facts import Hides
from croupier.kernel.tree import (
    AssignStmt,
    MenuStmt,
    OpenStmt,
    ShuffleStmt,
    SoThatStmt,
    StateExpr,
    TypedExpr,
    TypedStmt,
)
from croupier.lowering import (
    aggregates,
    asks,
    boards,
    calls,
    compare,
    costs,
    lists,
    lookahead,
    numbers,
    prelude,
    probes,
    results,
    watchers,
    zones,
)
from croupier.lowering.context import Context, MarkedStatement
from croupier.lowering.grades import GradeTemplate
from croupier.lowering.positions import FrameMap
from croupier.lowering.probes import Probing
from croupier.lowering.procedures import function_of
from croupier.lowering.shapes import NotLowered, Shape, Texts, encoded, width
from croupier.lowering.statements import block
from croupier.lowering.telling import declare
from croupier.lowering.texts import TextWithoutEnd
from croupier.records import dataclass
from croupier.runtime.game import Game
from croupier.semantics.ranking import ranking_of
from croupier.semantics.walk import bodies, statement_call, statements

# modules that put rules into the tables
REGISTERED = (
    aggregates,
    asks,
    boards,
    calls,
    lists,
    lookahead,
    numbers,
    zones,
)


@dataclass(frozen=True, slots=True)
class Lowered:
    """The result of a lowering: the program, and how its words are decoded as values of the game."""

    game: Game
    program: CoreProgram
    maps: tuple[FrameMap, ...]
    variables: tuple[Shape, ...]
    seen: tuple[Shape | None, ...]  # what each watcher saw last
    texts: Texts
    grades: tuple[GradeTemplate, ...]  # words of ends that are made afterwards


def lower(
    game: Game,
    *,
    invariants: bool = False,
    marks: list[MarkedStatement] | None = None,
    probing: Probing | None = None,
    standing: bool = False,
    telling: bool = False,
) -> Lowered:
    """Lower a game. Raises `NotLowered` for a construct without a lowering.

    `standing`: with a function that tells who is how far, where the rules rank players by what can be read at
    any time. `telling`: what is told to a seat that listens is folded into a number.

    `invariants`: with a function that tests these. `marks`: each statement sets the local `MARK` to its index
    in that list, which this fills. `probing`: with functions for what is watched of whole games.
    """
    try:
        return _lowered(Context(game, marks=marks), invariants, probing, standing, telling)
    except TextWithoutEnd:
        if marks is not None:
            marks.clear()
        return _lowered(Context(game, long_texts=True, marks=marks), invariants, probing, standing, telling)


def _lowered(c: Context, checked: bool, probing: Probing | None, standing: bool, telling: bool) -> Lowered:
    game = c.game
    c.is_telling = telling and any(s.FACTS.only_tells for _, s in bodies(game.program))
    c.is_watched = probing is not None
    p, typed = c.core, game.program
    _look_through(c)
    variables = []
    for v, start in zip(game.variables, game.start_vars, strict=True):
        try:
            shape = c.shape(v.type)
        except NotLowered as refused:
            refused.span = refused.span or v.span
            raise
        variables.append(shape)
        p.memories[f"v{v.index}"] = Memory(f"v{v.index}", width(shape), encoded(start, shape))
    p.zones = _zones(game)
    p.memories["result"] = results.memory(game.players)
    if c.is_telling:
        declare(c)
    watchers.find(c)
    prelude.write_prelude(c)
    watchers.write(c)
    assert typed.main is not None
    p.main = function_of(c, typed.main.index)
    c.wanted.pop()()
    main = p.functions[p.main]
    body = (op.Set("viewer", op.Const(op.NONE)), *main.body) if c.secret else main.body
    p.functions[p.main] = replace(main, parameters=(), body=(*_main(body), op.Fail()))
    _write_wanted(c)
    if checked:  # last, so that numbers of texts are those of the program without it
        watchers.write_invariants(c)
        _write_wanted(c)
    if probing is not None:
        probes.write_probes(c, probing)
        _write_wanted(c)
    ranking = ranking_of(typed) if standing else None
    if ranking is not None:
        with suppress(NotLowered):  # then nobody is told who is how far
            results.write_standing(c, *ranking)
        _write_wanted(c)
    compare.write_text_ranks(c)
    _drop_unreached(p)
    seen = tuple(None if w.kind == "end" else c.shape(w.value.type) for w in typed.watchers)
    return Lowered(game, p, tuple(c.maps), tuple(variables), seen, c.texts, tuple(c.grades))


def _write_wanted(c: Context) -> None:
    """Write the functions that are called, and those that these call."""
    while c.wanted:
        c.wanted.pop()()


def _drop_unreached(p: CoreProgram) -> None:
    """Remove functions that are never called."""
    found = core_walk.reached(p, [p.main, *([] if p.start is None else [p.start]), *p.exports])
    p.functions = {name: f for name, f in p.functions.items() if name in found}


def program_of(p: CoreProgram, name: str) -> CoreProgram:
    """The part of a program that a function needs: what it calls, and the arrays of these."""
    found = core_walk.reached(p, [name])
    functions = {called: f for called, f in p.functions.items() if called in found}
    used = {array for f in functions.values() for array in core_walk.arrays(f.body)}
    memories = {array: m for array, m in p.memories.items() if array in used}
    return replace(
        p, main=name, start=None, functions=functions, memories=memories, exports=frozenset(), probes=None
    )


def _main(body: op.Body) -> op.Body:
    """Write `main`: the phases; a game without a result at their end is stuck."""
    return body[:-1] if body and isinstance(body[-1], op.Return) else body


def _look_through(c: Context) -> None:
    """Collect facts about the whole ruleset that other lowerings depend on."""
    program = c.game.program
    everything = [s for proc in program.procs for s in statements(proc.body)]
    c.shuffles = any(isinstance(s, ShuffleStmt) for s in everything)
    c.looks_ahead = any(isinstance(s, SoThatStmt) and s.suspends for s in everything)
    c.supposes = any(proc.supposes for proc in program.procs)
    c.secret = any(s.facts.hides is Hides.EVENTS and s.suspends for s in everything)
    c.hooked = frozenset(h.target for h in program.hooks if c.hook_rows.is_hooked(h.target))
    c.block, c.short, c.cost, c.pay_ahead = block, calls.inlined_expression, costs.cost, costs.pay_ahead
    for s in everything:
        for target in _replaced(s):
            if isinstance(target, StateExpr) and isinstance(target.type, t.Map):
                c.lacking.add(program.vars[target.name].index)


def _replaced(s: TypedStmt) -> list[TypedExpr]:
    """What a statement may give another value as a whole: what it assigns, and the arguments of its call, of
    the window that it opens, and of the one whose reactions its menu offers.
    """
    targets = [s.target] if isinstance(s, AssignStmt) else []
    call = statement_call(s)
    if call is not None:
        targets += call.args
    match s:
        case OpenStmt():
            targets += s.args[1:]
        case MenuStmt():
            targets += s.menu.window_args
    return [x.args[0] if x.op == "bound" else x for x in targets]


def _zones(game: Game) -> Zones:
    """The contents of the zones at the start."""
    contents: list[tuple[int, ...]] = []
    loose: list[int] = []
    for items in game.start_zones:
        flat: list[int] = []
        bits = 0
        for i in items:
            part = i if isinstance(i, tuple) else (i,)
            bits |= ((1 << len(part) - 1) - 1) << len(flat)
            flat.extend(part)
        contents.append(tuple(flat))
        loose.append(bits)
    sizes = []
    for p in game.zones:
        held = sum(game.kinds[k][1] for k in game.program.zones[p.family].kinds)
        sizes.append(held if p.capacity is None else min(p.capacity, held))
    return Zones(tuple(sizes), tuple(contents), tuple(loose))
