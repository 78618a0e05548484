"""Monte-Carlo tree search in native code.

    search.round(S, R, tree, room, seat, playouts, horizon, tried)
                                                    one round from the position `S`
    game.search(source, S, streams, tree, room, seat, first, count, decided, rolled, horizon, each)
                                                    many, from `source`
    game.keep(S, tree, to, below)                   copies branches to another tree

A round goes down the tree (`core/search_tree.py`), makes one new branch, plays the game on at random, and
adds what that paid to the branches on the way. Decisions with one option and events of chance are no
branches. What is drawn in the tree comes from a first array of random streams, what is drawn behind it from a
second one, which begins with each round: so every back end can play a round. With a horizon, play-outs are
cut after so many decisions, and count by who is how far (`results.write_standing`).

With `each`, a round tries as many actions, which lie in the room from `EACH` on, one after the other with the
same draws: `tried` at the root, and a play-out behind it.

`execution/search.py` does the same with a state of any back end.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.core.operations import CHANCE, SEVERAL
from croupier.core.search_tree import CHANCE_STEP, NOT_TRIED, ROOT_FIRST, ROOT_SECOND
from croupier.lowering.results import SCORED, STANDING, WINNERS
from croupier.printers.llvm_builder import FunctionBuilder
from croupier.printers.llvm_calls import call_function
from croupier.printers.llvm_expressions import TranslationUnit
from croupier.printers.llvm_layout import (
    ACTIONS,
    MAX_OFFERS,
    WEIGHTS,
    Header,
    Status,
    begin_action,
)
from croupier.printers.llvm_playouts import copy_source, draw_number, is_at_limit, new_run_record
from croupier.printers.llvm_streams import (
    CHANCE_COUNT,
    DECISION_COUNT,
    HORIZON,
    NUMBER,
    PUBLISHED,
    STREAM,
    STREAMS,
    rewind_streams,
)

# words of the room of a search: the branches of the options on offer, the options of one of several seats,
# the actions that each round tries, for each seat what a play-out paid, its score, its lead; then the
# branches on the way, each with its seat
BRANCHES, OPTIONS, EACH, VALUES = 0, MAX_OFFERS, 2 * MAX_OFFERS, 3 * MAX_OFFERS
SELECTED = -1  # in place of an action to try: the tree selects one


def way_at(players: int) -> int:
    """The index of the branches on the way, in the room of a search."""
    return VALUES + 3 * players


def room_words(players: int, rounds: int) -> int:
    """Words of the room of a search of so many rounds."""
    return way_at(players) + 2 * (rounds + 1)


def search_functions(unit: TranslationUnit, limits: Mapping[str, int]) -> list[str]:
    """All functions of this module."""
    return [print_round(unit, limits), print_search(unit.program.players), print_keep()]


def print_round(unit: TranslationUnit, limits: Mapping[str, int]) -> str:
    """`search.round`: returns `Status.OK`, or `Status.FAILED` where the evaluator has to play it."""
    layout, players = unit.layout, unit.program.players
    f = FunctionBuilder("search.round", "*S *R *tree *room seat *playouts horizon tried")
    keys = [f.alloca(), f.alloca()]
    status, length, is_first, is_new = f.alloca(), f.alloca(), f.alloca(), f.alloca()
    for key, word in zip(keys, (ROOT_FIRST, ROOT_SECOND), strict=True):
        f.store(f.load_at("%tree", word), key)
    f.store(Status.WAITS, status)
    f.store(0, length)
    f.store(1, is_first)
    f.store(0, is_new)
    head, step, decision, ended = f.new_labels(4)
    f.start_block(head)
    waits = f.icmp("eq", f.load(status), Status.WAITS)
    f.branch(f.and_bool(waits, f.icmp("eq", f.load(is_new), 0)), step, ended)

    f.start_block(step)
    with f.when(is_at_limit(f, limits)):
        f.store(Status.LIMIT, status)
        f.jump(head)
    by_chance = f.new_label()
    f.branch(f.icmp("eq", f.load_at("%S", Header.SEAT), CHANCE), by_chance, decision)
    f.start_block(by_chance)
    f.ret_if(f.icmp("ne", f.call("run.draw", "%S", "%R"), Status.OK), Status.FAILED)
    step_keys(f, keys, f.add(f.load_at("%S", Header.CHOSEN), CHANCE_STEP))
    go_on(f, status)
    f.jump(head)

    f.start_block(decision)
    f.ret_if(f.icmp("ne", f.call("game.settle", "%S"), Status.WAITS), Status.FAILED)
    options, count, chooser = options_of_one(f, is_first)
    f.store(0, is_first)
    f.ret_if(f.icmp("eq", count, 0), Status.FAILED)
    action = f.alloca()
    f.store(f.load(options), action)
    with f.when(f.icmp("gt", count, 1)):
        choose(f, players, keys, length, is_new, options, count, chooser, action)
    taken = f.load(action)
    step_keys(f, keys, taken)
    f.store_at(f.add(f.load_at("%R", DECISION_COUNT), 1), "%R", DECISION_COUNT)
    f.store_at(taken, "%S", Header.CHOSEN)
    f.store_at(chooser, "%S", Header.CHOSEN_SEAT)
    begin_action(f, layout, f.load("@fuel"))
    go_on(f, status)
    f.jump(head)

    f.start_block(ended)
    with f.when(f.icmp("eq", f.load(status), Status.WAITS)):
        f.store_at("%playouts", "%R", STREAMS, "ptr")
        with f.when(f.icmp("ne", "%horizon", 0)):
            f.store_at(f.add(f.load_at("%R", DECISION_COUNT), "%horizon"), "%R", HORIZON)
        f.store(f.call("play.continue", "%S", "%R", Status.WAITS), status)
    f.ret_if(f.icmp("eq", f.load(status), Status.FAILED), Status.FAILED)
    back_up(f, unit, limits, f.load(status), f.load(length))
    f.ret(Status.OK)
    return f.text()


def step_keys(f: FunctionBuilder, keys: list[str], by: str) -> None:
    """Emit the keys of the point behind an option or an outcome."""
    for key, name in zip(keys, ("first_key", "second_key"), strict=True):
        f.store(f.call(f"f.{name}", "%S", f.load(key), by), key)


def go_on(f: FunctionBuilder, status: str) -> None:
    """Emit the rest of an action that has begun."""
    f.store_at(0, "%S", Header.CALL_STACK)
    f.store(f.call("go", "%S"), status)


def options_of_one(f: FunctionBuilder, is_first: str) -> tuple[str, str, str]:
    """Emit the options of the seat that decides: their address, their number, the seat.

    Where several decide, it is the seat that searches at first, and then the first that has not chosen.
    """
    options, count, chooser = f.alloca(), f.alloca(), f.alloca()
    actions, weights = f.gep("%S", ACTIONS), f.gep("%S", WEIGHTS)
    n, seat = f.load_at("%S", Header.OFFER_COUNT), f.load_at("%S", Header.SEAT)
    f.store(actions, options, "ptr")
    f.store(n, count)
    f.store(seat, chooser)
    with f.when(f.icmp("eq", seat, SEVERAL)):
        own = f.gep("%room", OPTIONS)
        f.store(own, options, "ptr")
        f.store(0, count)
        f.store(f.load(weights), chooser)
        with f.for_range(1, n) as i:
            who, least = f.load_at(weights, i), f.load(chooser)
            f.store(f.select(f.icmp("lt", who, least), who, least), chooser)
        with f.when(f.icmp("ne", f.load(is_first), 0)):
            f.store("%seat", chooser)
        with f.for_range(0, n) as i, f.when(f.icmp("eq", f.load_at(weights, i), f.load(chooser))):
            f.store_at(f.load_at(actions, i), own, f.load(count))
            f.store(f.add(f.load(count), 1), count)
    return f.load(options, "ptr"), f.load(count), f.load(chooser)


def choose(
    f: FunctionBuilder,
    players: int,
    keys: list[str],
    length: str,
    is_new: str,
    options: str,
    count: str,
    chooser: str,
    action: str,
) -> None:
    """Emit the choice of one of several options, and put its branch on the way."""
    branches = f.gep("%room", BRANCHES)
    at, branch = f.alloca(), f.alloca()
    first, second = f.load(keys[0]), f.load(keys[1])
    absent = f.call("f.look", "%S", "%tree", first, second, options, count, branches)
    given_one, selects, some, none, new, on = f.new_labels(6)
    at_root = f.icmp("eq", f.load(length), 0)
    f.branch(f.and_bool(at_root, f.icmp("ne", "%tried", SELECTED)), given_one, selects)
    f.start_block(given_one)
    f.store(SELECTED, at)
    with f.for_range(0, count) as i, f.when(f.icmp("eq", f.load_at(options, i), "%tried")):
        f.store(i, at)
    f.ret_if(f.icmp("eq", f.load(at), SELECTED), Status.FAILED)
    f.store(f.load_at(branches, f.load(at)), branch)
    f.store(1, is_new)
    f.branch(f.icmp("eq", f.load(branch), 0), new, on)
    f.start_block(selects)
    best = f.call("f.best", "%S", "%tree", branches, count, chooser, players)
    f.branch(f.icmp("eq", best, NOT_TRIED), some, none)
    f.start_block(some)
    drawn = draw_number(f, chooser, absent)
    f.store(f.call("f.fresh", "%S", branches, count, drawn), at)
    f.jump(new)
    f.start_block(new)
    taken = f.load_at(options, f.load(at))
    branch_keys = [
        f.call(f"f.{name}", "%S", key, taken) for name, key in (("first_key", first), ("second_key", second))
    ]
    above = f.variable(0)
    with f.when(f.icmp("gt", f.load(length), 0)):
        last = f.mul(f.sub(f.load(length), 1), 2)
        f.store(f.load_at(f.gep("%room", way_at(players)), last), above)
    f.store(f.call("f.put", "%S", "%tree", *branch_keys, f.load(above)), branch)
    f.store(1, is_new)
    f.jump(on)
    f.start_block(none)
    f.store(best, at)
    f.store(f.load_at(branches, best), branch)
    f.jump(on)
    f.start_block(on)
    f.store(f.load_at(options, f.load(at)), action)
    way, n = f.gep("%room", way_at(players)), f.load(length)
    f.store_at(f.load(branch), way, f.mul(n, 2))
    f.store_at(chooser, way, f.add(f.mul(n, 2), 1))
    f.store(f.add(n, 1), length)


def back_up(
    f: FunctionBuilder, unit: TranslationUnit, limits: Mapping[str, int], status: str, length: str
) -> None:
    """Emit what a game paid, or who was how far when it was cut, and its way back up the tree."""
    players = unit.program.players
    values, result = f.gep("%room", VALUES), unit.layout.at["result"]
    is_over = f.icmp("eq", status, Status.OVER)
    scored = f.variable(0)
    with f.for_range(0, 3 * players) as i:
        f.store_at(0, values, i)
    with f.when(is_over):
        f.memmove(values, f.gep("%S", result + WINNERS + players), 2 * players)
        f.store(f.load_at("%S", result + SCORED), scored)
    if STANDING in unit.program.functions:
        cut = f.and_bool(f.icmp("eq", status, Status.LIMIT), f.icmp("ne", f.load_at("%R", HORIZON), 0))
        with f.when(f.and_bool(cut, f.not_bool(is_at_limit(f, limits)))):
            begin_action(f, unit.layout, f.load("@fuel"))
            scores = f.gep(values, players)
            for failed in call_function(unit, f, STANDING, ["ptr %S", f"ptr {scores}"]):
                f.ret_if(f.icmp("ne", failed, Status.OK), Status.FAILED)
            f.store(2, scored)
    f.store(f.call("f.learn", "%S", "%tree", values, players, f.load(scored)), scored)
    way = f.gep("%room", way_at(players))
    f.call("f.back_up", "%S", "%tree", way, length, values, players, f.load(scored))


def print_search(players: int) -> str:
    """`game.search`: `Status.OK` if all rounds were played."""
    f = FunctionBuilder.entry("game.search")
    playouts = f.gep("%streams", STREAM * (players + 1))
    weighted = f.icmp("ne", f.load_at("%source", Header.WEIGHTED), 0)
    R = new_run_record(f, {STREAMS: "%streams", PUBLISHED: "1"})
    context = f.load_at("%S", Header.CONTEXT)
    n = f.load_at("%source", Header.OFFER_COUNT)
    tries = f.select(f.icmp("gt", "%each", 1), "%each", 1)
    tried = f.alloca()
    with f.for_range(0, f.mul("%count", tries)) as k:
        f.store(SELECTED, tried)
        with f.when(f.icmp("gt", "%each", 0)):
            f.store(f.load_at(f.gep("%room", EACH), f.binary("urem", k, tries)), tried)
        copy_source(f, context, n, weighted)
        f.store_at("%streams", R, STREAMS, "ptr")
        f.store_at(f.add("%first", f.binary("udiv", k, tries)), R, NUMBER)
        f.store_at("%decided", R, DECISION_COUNT)
        f.store_at("%rolled", R, CHANCE_COUNT)
        f.store_at(0, R, HORIZON)
        rewind_streams(f, "%streams", 2 * (players + 1))
        room = ("%tree", "%room", "%seat", playouts)
        played = f.call("search.round", "%S", R, *room, "%horizon", f.load(tried))
        f.ret_if(f.icmp("ne", played, Status.OK), played)
    f.ret(Status.OK)
    return f.text()


def print_keep() -> str:
    """`game.keep`: how many branches were copied."""
    f = FunctionBuilder.entry("game.keep")
    f.ret(f.call("f.keep", "%S", "%tree", "%to", "%below"))
    return f.text()
