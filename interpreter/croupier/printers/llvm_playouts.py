"""Playouts: games between random players, one after another.

`game.batch` draws from the published streams and writes a row for each game, from which a simulation is made.
`game.rollouts` does so from a given position. `game.playouts` draws from a fast generator and only adds up
results, to measure the speed of the rules. The *run record* `%R` holds what one game needs besides its
position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.core.operations import CHANCE, NONE, SEVERAL
from croupier.core.types import CoreProgram
from croupier.lowering.grades import GRADE_MEMORY
from croupier.lowering.results import GRADE, SCORED, WINNERS
from croupier.printers.llvm_builder import FunctionBuilder, Operand
from croupier.printers.llvm_layout import ACTIONS, WEIGHTS, Header, Layout, OfferFormat, Status, begin_action
from croupier.printers.llvm_offers import emit_sort_if_needed, emit_sorted_list
from croupier.printers.llvm_probes import LEGAL, emit_reset, tail_words, tally_at
from croupier.printers.llvm_streams import (
    CHANCE_COUNT,
    DECISION_COUNT,
    HORIZON,
    NUMBER,
    PUBLISHED,
    RUN_WORDS,
    STREAMS,
    rewind_streams,
)

# words of a row before returns and scores: status, decisions, chance events, winners as bits, are there
# scores, grade
ROW_HEAD = 6
COUNTS = 1
# what playouts add up; then the returns of each seat
FINISHED, UNUSUAL, DECISIONS, CHANCE_EVENTS, SUMS = range(5)


def row_words(players: int, grade_words: int, tail: int = 0) -> int:
    """Words of a row of results: the head, returns and scores of each seat, the values of the words of the
    end, the tail of what is watched.
    """
    return ROW_HEAD + 2 * players + grade_words + tail


def row_words_of(program: CoreProgram) -> int:
    """Words of a row of results of a program."""
    return row_words(program.players, grade_words_of(program), tail_words(program))


def grade_words_of(program: CoreProgram) -> int:
    """Words of the array of the values of the words of an end."""
    found = program.memories.get(GRADE_MEMORY)
    return 0 if found is None else found.size


def drawing_functions(
    layout: Layout, limits: Mapping[str, int], features: frozenset[str], invariants_type: str
) -> list[str]:
    """Functions that draw an action.

    `checked`: the return type of `f.invariants`, empty if invariants are not tested.
    """
    return [
        print_gcd(),
        print_pick(layout),
        *print_select_bit("bmi2" in features),
        print_total_weight(),
        print_check_invariants(invariants_type),
        print_draw(layout, limits),
    ]


def playout_functions(layout: Layout, players: int) -> list[str]:
    """Functions that play games by `play.game(S, R)`, which is printed elsewhere."""
    return [print_row(layout, players), print_batch(layout.program), print_playouts(layout, players)]


def stepwise_functions(layout: Layout, looks_ahead: bool) -> list[str]:
    """`play.game` and playouts from a position, for programs that are state machines."""
    f = FunctionBuilder("play.game", "*S *R")
    f.ret(f.call("play.continue", "%S", "%R", f.call("game.start", "%S", inline=True)))
    return [print_continue(looks_ahead), f.text(), print_rollouts(layout.program)]


def draw_number(f: FunctionBuilder, seat: Operand, n: str, R: str = "%R") -> str:
    """Emit a draw of a number below `n` from the stream of a seat, or of chance (-1)."""
    slot, has_pdep, published, on = f.alloca(), f.new_label(), f.new_label(), f.new_label()
    streams = f.load(f.gep(R, STREAMS), "ptr")
    f.branch(f.icmp("eq", f.load_at(R, PUBLISHED), 0), has_pdep, published)
    f.start_block(has_pdep)
    f.store(f.call("fast.uniform", streams, n), slot)
    f.jump(on)
    f.start_block(published)
    f.store(f.call("uniform", streams, f.load_at(R, NUMBER), f.add(seat, 1), n), slot)
    f.start_block(on)
    return f.load(slot)


def print_gcd() -> str:
    """`divisor(a, b)`: the greatest common divisor."""
    f = FunctionBuilder("divisor", "a b")
    a, b = f.variable("%a"), f.variable("%b")
    head, go, done = f.new_labels(3)
    f.start_block(head)
    low = f.load(b)
    f.branch(f.icmp("eq", low, 0), done, go)
    f.start_block(go)
    f.store(f.binary("urem", f.load(a), low), b)
    f.store(low, a)
    f.jump(head)
    f.start_block(done)
    f.ret(f.load(a))
    return f.text()


def print_total_weight() -> str:
    """`weights.total(S, out)`: the sum of the weights divided by their greatest common divisor, which is
    stored in `out`.
    """
    f = FunctionBuilder("weights.total", "*S *out", noinline=True)
    weights, total, share = f.scratch(WEIGHTS), f.alloca(), f.alloca()
    f.store(0, total)
    f.store(0, share)
    with f.for_range(0, f.load_at("%S", Header.OFFER_COUNT)) as i:
        w = f.load_at(weights, i)
        f.store(f.add(f.load(total), w), total)
        f.store(f.call("divisor", f.load(share), w), share)
    f.store(f.load(share), "%out")
    f.ret_if(f.icmp("eq", f.load(share), 0), 0)
    f.ret(f.binary("udiv", f.load(total), f.load(share)))
    return f.text()


def print_pick(layout: Layout) -> str:
    """`run.pick(S, R)`: draw one of the legal actions, of which there is one at least.

    Where several seats choose, it is drawn for the first that has not chosen.
    """
    f = FunctionBuilder("run.pick", "*S *R")
    f.always_inline()
    seat, n = f.load_at("%S", Header.SEAT), f.load_at("%S", Header.OFFER_COUNT)
    actions, weights = f.scratch(ACTIONS), f.scratch(WEIGHTS)
    by_chance, several, plain = f.new_labels(3)
    f.terminate(
        f"switch i64 {seat}, label %{plain} [i64 {CHANCE}, label %{by_chance} i64 {SEVERAL}, label "
        f"%{several}]"
    )
    f.start_block(by_chance)
    emit_weighted_pick(f, n, actions, weights)
    f.jump(plain)
    f.start_block(several)
    emit_first_seat_pick(f, n, actions, weights, layout.program)
    f.start_block(plain)
    emit_uniform_pick(f, layout, draw_number(f, seat, n), actions)
    return f.text()


def emit_weighted_pick(f: FunctionBuilder, n: str, actions: str, weights: str) -> None:
    """Emit a draw of an outcome of chance by its weight; falls through if all weights are 1."""
    with f.when(f.icmp("ne", f.load_at("%S", Header.WEIGHTED), 0)):
        share, left = f.alloca(), f.alloca()
        total = f.call("weights.total", "%S", share)
        f.ret_if(f.icmp("eq", total, 0), NONE)
        f.store(draw_number(f, CHANCE, total), left)
        with f.for_range(0, n) as i:
            w = f.binary("udiv", f.load_at(weights, i), f.load(share))
            rest = f.sub(f.load(left), w)
            f.store(rest, left)
            with f.when(f.icmp("lt", rest, 0)):
                f.ret(f.load_at(actions, i))


def emit_first_seat_pick(
    f: FunctionBuilder, n: str, actions: str, weights: str, program: CoreProgram
) -> None:
    """Emit a draw of one of the actions of the least seat that occurs; that seat becomes
    `Header.CHOSEN_SEAT`.
    """
    first_seat_slot, count = f.alloca(), f.alloca()
    f.store(f.load(weights), first_seat_slot)
    f.store(0, count)
    with f.for_range(0, n) as i:
        w = f.load_at(weights, i)
        with f.when(f.icmp("lt", w, f.load(first_seat_slot))):
            f.store(w, first_seat_slot)
            f.store(0, count)
        f.store(f.add(f.load(count), f.zext(f.icmp("eq", w, f.load(first_seat_slot)))), count)
    first_seat = f.load(first_seat_slot)
    f.store_at(first_seat, "%S", Header.CHOSEN_SEAT)
    if program.probes is not None:
        f.store_at(f.load(count), tally_at(f, program.players, f.load(f.gep("%R", STREAMS), "ptr")), LEGAL)
    f.store(draw_number(f, first_seat, f.load(count)), count)
    with f.for_range(0, n) as i, f.when(f.icmp("eq", f.load_at(weights, i), first_seat)):
        remaining = f.load(count)
        with f.when(f.icmp("eq", remaining, 0)):
            f.ret(f.load_at(actions, i))
        f.store(f.sub(remaining, 1), count)
    f.ret(NONE)


def emit_uniform_pick(f: FunctionBuilder, layout: Layout, k: str, actions: str) -> None:
    """Emit a return of the k-th legal action, in whatever format they are."""
    bits, part, kept, listed = f.new_labels(4)
    labels = {OfferFormat.BITSET: bits, OfferFormat.ZONE_RANGE: part, OfferFormat.MEMO: kept}
    targets = " ".join(f"i64 {form}, label %{label}" for form, label in labels.items())
    f.terminate(f"switch i64 {f.load_at('%S', Header.OFFER_FORMAT)}, label %{listed} [{targets}]")
    f.start_block(bits)
    f.ret(f.add(f.call("bits.select", f.load(actions), k), f.load_at(actions, 1)))
    f.start_block(part)
    place = f.add(f.load(actions), k)
    f.store_at(place, "%S", Header.DRAWN_FROM)
    f.ret(f.emit_value(f"zext i16 {f.load_at(f.gep('%S', layout.contents), place, 'i16')} to i64"))
    f.start_block(kept)
    f.ret(f.load_at(f.scratch(0), f.add(f.load(actions), k)))
    f.start_block(listed)
    f.ret(f.load_at(actions, k))


def print_select_bit(has_pdep: bool) -> list[str]:
    """`bits.select(word, k)`: the index of the k-th set bit, from 0 (select); `has_pdep`: the processor has
    PDEP.
    """
    f = FunctionBuilder("bits.select", "word k")
    if has_pdep:
        bit = f.emit_value(f"call i64 @llvm.x86.bmi.pdep.64(i64 {f.binary('shl', 1, '%k')}, i64 %word)")
        f.ret(f.emit_value(f"call i64 @llvm.cttz.i64(i64 {bit}, i1 true)"))
        return ["declare i64 @llvm.x86.bmi.pdep.64(i64, i64)", f.text()]
    left = f.variable("%word")
    with f.for_range(0, "%k"):
        bits = f.load(left)
        f.store(f.binary("and", bits, f.sub(bits, 1)), left)
    f.ret(f.emit_value(f"call i64 @llvm.cttz.i64(i64 {f.load(left)}, i1 true)"))
    return [f.text()]


def print_check_invariants(invariants_type: str) -> str:
    """`game.check_invariants(S)`: an i1 that is true if all invariants hold."""
    f = FunctionBuilder("game.check_invariants", "*S", "i1", noinline=True)
    if invariants_type == "i64":
        f.store_at(f.load("@fuel"), "%S", Header.FUEL)
        f.terminate(f"ret i1 {f.icmp('eq', f.call('f.invariants', '%S'), Status.OK)}")
    else:
        f.terminate("ret i1 true")
    if not invariants_type:
        f.always_inline()
    return f.text()


def print_draw(layout: Layout, limits: Mapping[str, int]) -> str:
    """`run.draw(S, R)`: draw an action and begin it; returns a status.

    A game at a limit ends; in the middle of a simultaneous decision it bails out instead.
    """
    f = FunctionBuilder("run.draw", "*S *R")
    seat = f.load_at("%S", Header.SEAT)
    at_limit = is_at_limit(f, limits)
    is_watched = layout.program.probes is not None
    if is_watched:
        begun = f.emit_value(f"call i64 @watch.begin(ptr %S, ptr %R, i1 {at_limit})")
        f.ret_if(f.icmp("ne", begun, Status.OK), Status.FAILED)
    with f.when(at_limit):
        f.ret(f.select(f.icmp("eq", seat, SEVERAL), Status.FAILED, Status.LIMIT))
    f.ret_if(f.not_bool(f.emit_value("call i1 @game.check_invariants(ptr %S)")), Status.FAILED)
    emit_sort_if_needed(f)
    f.ret_if(f.icmp("eq", f.load_at("%S", Header.OFFER_COUNT), 0), Status.FAILED)
    chance = f.zext(f.icmp("eq", seat, CHANCE))
    for word, more in ((DECISION_COUNT, f.sub(1, chance)), (CHANCE_COUNT, chance)):
        f.store_at(f.add(f.load_at("%R", word), more), "%R", word)
    f.store_at(f.call("run.pick", "%S", "%R"), "%S", Header.CHOSEN)
    if is_watched:
        f.run("watch.decided", "%S", "%R")
    begin_action(f, layout, f.load("@fuel"))
    f.ret(Status.OK)
    return f.text()


def is_at_limit(f: FunctionBuilder, limits: Mapping[str, int]) -> str:
    """Emit an i1 that is true if the run `%R` has as many decisions or chance events as it may."""
    decided, rolled = (
        f.icmp("ge", f.load_at("%R", word), str(limits[limit]))
        for word, limit in ((DECISION_COUNT, "decisions"), (CHANCE_COUNT, "chance"))
    )
    return f.or_bool(decided, rolled)


def is_at_horizon(f: FunctionBuilder) -> str:
    """Emit an i1 that is true if the run `%R` stops to be judged, before somebody decides."""
    horizon = f.load_at("%R", HORIZON)
    decides = f.icmp("ne", f.load_at("%S", Header.SEAT), CHANCE)
    reached = f.icmp("ge", f.load_at("%R", DECISION_COUNT), horizon)
    return f.and_bool(f.icmp("ne", horizon, 0), f.and_bool(decides, reached))


def print_continue(looks_ahead: bool) -> str:
    """`play.continue(S, R, first)`: play on from a position that was left with status `first`; return the
    last status.
    """
    f = FunctionBuilder("play.continue", "*S *R first")
    status = f.variable("%first")
    head, step, over, wrong, on, undrawn = f.new_labels(6)
    f.start_block(head)
    f.branch(f.icmp("eq", f.load(status), Status.WAITS), step, over)
    f.start_block(step)
    if looks_ahead:
        with f.when(f.icmp("ne", f.load_at("%S", Header.SEAT), CHANCE)):
            emit_sorted_list(f)
            allowed, fine = f.call("offers.filter", "%S"), f.new_label()
            f.branch(f.icmp("eq", allowed, Status.OK), fine, wrong)
            f.start_block(fine)
    f.ret_if(is_at_horizon(f), Status.LIMIT)
    drawn = f.call("run.draw", "%S", "%R")
    f.branch(f.icmp("eq", drawn, Status.OK), on, undrawn)
    f.start_block(undrawn)
    f.ret(drawn)
    f.start_block(on)
    f.store_at(0, "%S", Header.CALL_STACK)
    f.store(f.call("go", "%S", inline=True), status)
    f.jump(head)
    f.start_block(wrong)
    f.ret(Status.FAILED)
    f.start_block(over)
    f.ret(f.load(status))
    return f.text()


def print_row(layout: Layout, players: int) -> str:
    """`game.row(S, R, status, row)`: write the row of results of a game."""
    f = FunctionBuilder("game.row", "*S *R status *row", "void", noinline=True)
    result = layout.at["result"]
    status = f.select(f.emit_value("call i1 @game.check_invariants(ptr %S)"), "%status", Status.FAILED)
    winners = "0"
    for k in range(players):
        winners = f.binary("or", winners, f.binary("shl", f.load_at("%S", result + WINNERS + k), k))
    heads = [
        status,
        *(f.load_at("%R", k) for k in (DECISION_COUNT, CHANCE_COUNT)),
        winners,
        *(f.load_at("%S", result + w) for w in (SCORED, GRADE)),
    ]
    heads[-1] = f.select(f.icmp("eq", heads[-1], NONE), -1, heads[-1])
    for n, v in enumerate(heads):
        f.store_at(v, "%row", n)
    f.memmove(f.gep("%row", ROW_HEAD), f.gep("%S", result + WINNERS + players), 2 * players)
    grade_words = grade_words_of(layout.program)
    if grade_words:
        f.memmove(f.gep("%row", ROW_HEAD + 2 * players), f.gep("%S", layout.at[GRADE_MEMORY]), grade_words)
    if layout.program.probes is not None:
        over = f.or_bool(f.icmp("eq", status, Status.OVER), f.icmp("eq", status, Status.LIMIT))
        with f.when(over):
            tail = f.gep("%row", row_words(players, grade_words))
            ended = f.call("watch.end", "%S", "%R", status, winners, tail)
            f.store(f.select(f.icmp("eq", ended, Status.OK), status, Status.FAILED), "%row")
    f.terminate("ret void")
    return f.text()


def new_run_record(f: FunctionBuilder, given: Mapping[int, str]) -> str:
    """Emit a new run record with these words, the others 0."""
    room = f.alloca(RUN_WORDS)
    for word in range(RUN_WORDS):
        value = given.get(word, 0)
        f.store(value, f.gep(room, word), "ptr" if word == STREAMS else "i64")
    return room


def emit_game(f: FunctionBuilder, program: CoreProgram, R: str, k: str, play: Callable[[], str]) -> None:
    """Emit one game: reset the run record, streams and what is watched, `play`, write the row."""
    f.store_at(f.add("%first", k), R, NUMBER)
    for word in (DECISION_COUNT, CHANCE_COUNT):
        f.store_at(0, R, word)
    rewind_streams(f, "%streams", program.players + 1)
    emit_reset(f, program, "%streams")
    status = play()
    f.run("game.row", "%S", R, status, f.gep("%out", f.mul(k, row_words_of(program))))


def print_batch(program: CoreProgram) -> str:
    """`game.batch(S, streams, first, count, out)`: play games and write their rows to `out`, which
    `execution/rows.py` reads.
    """
    f = FunctionBuilder.entry("game.batch")
    R = new_run_record(f, {STREAMS: "%streams", PUBLISHED: "1"})
    with f.for_range(0, "%count") as k:
        emit_game(f, program, R, k, lambda: f.call("play.game", "%S", R))
    f.ret(Status.OK)
    return f.text()


def copy_source(f: FunctionBuilder, context: str, n: str, weighted: str) -> None:
    """Emit a copy of the position `%source`, with its `n` legal actions, to `%S`, which keeps its context."""
    f.memmove("%S", "%source", f.load_at("%source", Header.STACK_END))
    f.store_at(context, "%S", Header.CONTEXT)
    f.memmove(f.gep("%S", ACTIONS), f.gep("%source", ACTIONS), n)
    with f.when(weighted):
        f.memmove(f.gep("%S", WEIGHTS), f.gep("%source", WEIGHTS), n)


def print_rollouts(program: CoreProgram) -> str:
    """`game.rollouts(source, S, streams, first, count, out)`: the same from the position `source`, which is
    copied to `S` each time.
    """
    f = FunctionBuilder.entry("game.rollouts")
    weighted = f.icmp("ne", f.load_at("%source", Header.WEIGHTED), 0)
    status = f.select(f.icmp("eq", f.load_at("%source", Header.TOP_FRAME), 0), Status.OVER, Status.WAITS)
    R = new_run_record(f, {STREAMS: "%streams", PUBLISHED: "1"})
    with f.for_range(0, "%count") as k:
        context, n = f.load_at("%S", Header.CONTEXT), f.load_at("%source", Header.OFFER_COUNT)
        copy_source(f, context, n, weighted)
        emit_game(f, program, R, k, lambda: f.call("play.continue", "%S", R, status))
    f.ret(Status.OK)
    return f.text()


def print_playouts(layout: Layout, players: int) -> str:
    """`game.playouts(S, streams, count, out)`: play games and add to `out`; the state of the fast generator
    lies in `streams`.
    """
    f = FunctionBuilder.entry("game.playouts")

    def more(place: int, by: str) -> None:
        at = f.gep("%out", place)
        f.store(f.add(f.load(at), by), at)

    f.call("fast.begin", "%streams")
    R = new_run_record(f, {STREAMS: "%streams"})
    with f.for_range(0, "%count"):
        for word in (DECISION_COUNT, CHANCE_COUNT):
            f.store_at(0, R, word)
        status = f.call("play.game", "%S", R, inline=True)
        over = f.zext(f.icmp("eq", status, Status.OVER))
        more(FINISHED, over)
        more(UNUSUAL, f.sub(1, over))
        for word, place in ((DECISION_COUNT, DECISIONS), (CHANCE_COUNT, CHANCE_EVENTS)):
            more(place, f.load_at(R, word))
        for seat in range(players):
            more(SUMS + seat, f.mul(over, f.load_at("%S", layout.at["result"] + WINNERS + players + seat)))
    f.ret(Status.OK)
    return f.text()
