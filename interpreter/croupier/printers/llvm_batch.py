"""Functions of a vectorised environment: many games side by side, each at a decision of a seat or over.

Chance is drawn on the way.

Each game has a block of `stride` words: its random streams, its run record (`llvm_playouts.py`), its
position; `games` is the address of the first position. Games are stepped in place, with scratch memory shared
by all at `S`; programs that look ahead need more memory, and step in a copy at `S`. `rows` is a byte for each
game: `SELECTED` if the call is about it, `TOO_WIDE` if it was stepped but its mask has no room for the legal
actions.

    batch.begin(games, stride, count, rows, numbers, played, …)   start new games; `played` counts them, `numbers` gets their numbers in the run
    batch.step(games, stride, count, rows, actions, again, …)     apply an action to each game that waits, or, with `again`, resume after TOO_WIDE
    batch.sample(games, stride, count, masks, width, players, actions)   draw a random legal action for each game, from the stream of its seat

`…` are `S, width, players, masks, returns, failed`, which receive the state of each game. Begin and step
return 0, or the width that masks need: the first game in `rows` is then `TOO_WIDE`, and those behind it have
not been stepped. `step` returns -1 - k, and changes nothing, if the action of game k is not legal.
"""  # noqa: E501 the text as it is read

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.core.operations import CHANCE, SEVERAL
from croupier.lowering.results import WINNERS
from croupier.printers.llvm_builder import SHOWN, FunctionBuilder, parameters
from croupier.printers.llvm_layout import ACTIONS, WEIGHTS, Header, Layout, OfferFormat, Status
from croupier.printers.llvm_offers import emit_sort_if_needed
from croupier.printers.llvm_playouts import draw_number, is_at_limit
from croupier.printers.llvm_streams import (
    CHANCE_COUNT,
    DECISION_COUNT,
    NUMBER,
    PUBLISHED,
    RUN_WORDS,
    STREAM,
    STREAMS,
    rewind_streams,
)
from croupier.runtime.state_view import TERMINAL

# the word of the run record that also selects the published streams: a status other than 0 does
STATUS = PUBLISHED
SELECTED, TOO_WIDE = 1, 2
CHECKED = "*games stride count *rows *actions *masks width"
NEAR_WORDS, LINE_WORDS = 3 << 17, 8  # 3 MB, about what the near caches of a core hold; words of a cache line
EIGHT_BYTES = 0x0101010101010101


def head_words(players: int) -> int:
    """Words of a block below the position: streams and run record."""
    return STREAM * (players + 1) + RUN_WORDS


def batch_functions(
    layout: Layout, players: int, limits: Mapping[str, int], features: frozenset[str]
) -> list[str]:
    """All functions of this module."""
    shown = print_show(layout, players, "bmi2" in features)
    return [
        print_advance(layout, limits),
        shown,
        print_check(),
        print_begin(layout, players),
        print_step(layout, players),
        print_sample(players),
    ]


def for_each_game(f: FunctionBuilder, emit_game: Callable[[str, str, str], None]) -> None:
    """Emit a loop over games: `emit_game` gets the index, the address of the position, that of the run
    record.
    """
    with f.for_range(0, "%count") as k:
        position = f.gep("%games", f.mul(k, "%stride"))
        emit_game(k, position, f.gep(position, -RUN_WORDS))


def for_each_selected(
    f: FunctionBuilder, layout: Layout, players: int, emit_game: Callable[[str, str, str, str], None]
) -> None:
    """Emit a loop over the selected games: `emit_game` also gets the address where the game is stepped. Then
    its state is written out.

    The block of the next game is prefetched where all together exceed `NEAR_WORDS`.
    """
    is_large = f.icmp("gt", f.mul("%count", "%stride"), NEAR_WORDS)

    def step_game(k: str, position: str, R: str) -> None:
        row, S = f.gep("%rows", k, "i8"), position if layout.shared_scratch else "%S"
        with f.when(is_large):
            following = f.gep(position, "%stride")
            for word in range(-head_words(players), layout.end, LINE_WORDS):
                f.emit(f"call void @llvm.prefetch.p0(ptr {f.gep(following, word)}, i32 0, i32 3, i32 1)")
        found = f.load(row, "i8")
        with f.when(f.emit_value(f"icmp ne i8 {found}, 0")):
            with f.when(f.emit_value(f"icmp eq i8 {found}, {SELECTED}")):
                emit_game(k, position, R, S)
                if not layout.shared_scratch:
                    f.memmove(position, S, f.load_at(S, Header.STACK_END))
            wide = f.call("batch.show", S, R, k, *(f"%{name}" for name in parameters(SHOWN)))
            with f.when(f.icmp("gt", wide, "%width")):
                f.store(TOO_WIDE, row, "i8")
                f.ret(wide)
            f.store(0, row, "i8")

    for_each_game(f, step_game)
    f.ret(0)


def print_advance(layout: Layout, limits: Mapping[str, int]) -> str:
    """`batch.advance(S, R, status)`: draw chance events until a seat decides or the game is over, and write
    the status to the run record.

    A game that reaches a limit counts as failed.
    """
    f = FunctionBuilder("batch.advance", "*S *R status", "void")
    status = f.alloca()
    head, look, chance, fine, asked, done = f.new_labels(6)
    f.store("%status", status)
    f.start_block(head)
    f.branch(f.icmp("eq", f.load(status), Status.WAITS), look, done)
    f.start_block(look)
    f.branch(f.icmp("eq", f.load_at("%S", Header.SEAT), CHANCE), chance, asked)
    f.start_block(chance)
    drawn = f.call("run.draw", "%S", "%R")
    f.store(Status.FAILED, status)
    f.branch(f.icmp("eq", drawn, Status.OK), fine, done)
    f.start_block(fine)
    f.store_at(0, "%S", Header.CALL_STACK)
    f.store(f.call("go", "%S"), status)
    f.jump(head)
    f.start_block(asked)
    stuck = is_at_limit(f, limits)
    emit_sort_if_needed(f)
    if not layout.shared_scratch:
        f.run("offers.expand", "%S")
        stuck = f.or_bool(stuck, f.icmp("ne", f.call("offers.filter", "%S"), Status.OK))
    n, weights = f.load_at("%S", Header.OFFER_COUNT), f.scratch(WEIGHTS)
    f.store(f.select(f.or_bool(stuck, f.icmp("eq", n, 0)), Status.FAILED, Status.WAITS), status)
    with f.when(f.icmp("eq", f.load_at("%S", Header.SEAT), SEVERAL)):
        actor = f.alloca()
        f.store(f.load(weights), actor)
        with f.for_range(1, n) as i:
            w = f.load_at(weights, i)
            f.store(f.select(f.icmp("lt", w, f.load(actor)), w, f.load(actor)), actor)
        f.store_at(f.load(actor), "%S", Header.CHOSEN_SEAT)
    f.start_block(done)
    f.store_at(f.load(status), "%R", STATUS)
    f.terminate("ret void")
    return f.text()


def print_begin(layout: Layout, players: int) -> str:
    """`batch.begin`."""
    f = FunctionBuilder.entry("batch.begin")

    def step_game(k: str, position: str, R: str, S: str) -> None:
        streams, played = f.gep(position, -head_words(players)), f.add(f.load("%played"), 1)
        for at in ("%played", f.gep("%numbers", k), f.gep(R, NUMBER)):
            f.store(played, at)
        f.store(streams, f.gep(R, STREAMS), "ptr")
        for word, value in ((STATUS, 1), (DECISION_COUNT, 0), (CHANCE_COUNT, 0)):
            f.store_at(value, R, word)
        rewind_streams(f, streams, players + 1)
        if layout.shared_scratch:
            f.store("%S", f.gep(S, Header.CONTEXT), "ptr")
        f.run("batch.advance", S, R, f.call("game.start", S))

    for_each_selected(f, layout, players, step_game)
    return f.text()


def print_check() -> str:
    """`batch.check(games, stride, count, rows, actions, masks, width)`: select games that wait; return the
    first with an illegal action, or -1.
    """
    f = FunctionBuilder("batch.check", CHECKED)
    wrong = f.variable(-1)

    def step_game(k: str, position: str, R: str) -> None:
        waits = f.icmp("eq", f.load_at(R, STATUS), Status.WAITS)
        f.store_at(f.emit_value(f"zext i1 {waits} to i8"), "%rows", k, "i8")
        with f.when(waits):
            action = f.load_at("%actions", k)
            inside = f.emit_value(f"icmp ult i64 {action}, %width")
            at = f.gep("%masks", f.add(f.mul(k, "%width"), f.select(inside, action, 0)), "i8")
            legal = f.and_bool(inside, f.emit_value(f"icmp ne i8 {f.load(at, 'i8')}, 0"))
            before = f.icmp("lt", f.load(wrong), 0)
            f.store(f.select(f.and_bool(before, f.not_bool(legal)), k, f.load(wrong)), wrong)

    for_each_game(f, step_game)
    f.ret(f.load(wrong))
    return f.text()


def print_step(layout: Layout, players: int) -> str:
    """`batch.step`."""
    f = FunctionBuilder.entry("batch.step")
    with f.when(f.icmp("eq", "%again", 0)):
        wrong = f.call("batch.check", *(f"%{name}" for name in parameters(CHECKED)))
        with f.when(f.icmp("ge", wrong, 0)):
            f.ret(f.sub(-1, wrong))

    def step_game(k: str, position: str, R: str, S: str) -> None:
        f.store_at(f.add(f.load_at(R, DECISION_COUNT), 1), R, DECISION_COUNT)
        if not layout.shared_scratch:
            f.memmove(S, position, f.load_at(position, Header.STACK_END))
        applied = f.call("game.apply", S, f.load_at("%actions", k), f.load_at(S, Header.CHOSEN_SEAT))
        f.run("batch.advance", S, R, applied)

    for_each_selected(f, layout, players, step_game)
    return f.text()


def print_show(layout: Layout, players: int, has_pdep: bool) -> str:
    """`batch.show(S, R, k, width, players, masks, returns, failed)`: write out the state of game k; return
    the width that its mask needs.

    `has_pdep`: the processor has PDEP, which spreads eight bits of a bit set over eight bytes of the mask.
    """
    f = FunctionBuilder("batch.show", f"*S *R k {SHOWN}")
    mask = f.gep("%masks", f.mul("%k", "%width"), "i8")
    status = f.load_at("%R", STATUS)
    needed_width = f.variable(0)
    f.clear(mask, "%width")
    f.store_at(f.emit_value(f"zext i1 {f.icmp('eq', status, Status.FAILED)} to i8"), "%failed", "%k", "i8")
    finished, returns = f.icmp("eq", status, Status.OVER), f.gep("%returns", f.mul("%k", players))
    for p in range(players):
        f.store_at(
            f.select(finished, f.load_at("%S", layout.at["result"] + WINNERS + players + p), 0), returns, p
        )
    with f.when(f.icmp("ne", status, Status.WAITS)):
        f.store_at(TERMINAL, "%players", "%k")
        f.ret(0)
    seat, actions, weights = f.load_at("%S", Header.SEAT), f.scratch(ACTIONS), f.scratch(WEIGHTS)
    several = f.icmp("eq", seat, SEVERAL)
    actor, alone = f.select(several, f.load_at("%S", Header.CHOSEN_SEAT), seat), f.not_bool(several)
    f.store_at(actor, "%players", "%k")
    if has_pdep:
        emit_spread_bitset(f, mask, actions)
    n = f.load_at("%S", Header.OFFER_COUNT)
    is_memo = f.icmp("eq", f.load_at("%S", Header.OFFER_FORMAT), OfferFormat.MEMO)
    with f.when(alone):  # in ascending order
        with f.when(f.not_bool(is_memo)):
            f.run("offers.expand", "%S")
        first = f.emit_value(
            f"select i1 {is_memo}, ptr {f.gep(f.scratch(0), f.select(is_memo, f.load(actions), 0))}, ptr "
            f"{actions}"
        )
        end = f.add(f.load_at(first, f.sub(n, 1)), 1)
        with f.when(f.icmp("le", end, "%width")), f.for_range(0, n) as i:
            f.store_at(1, mask, f.load_at(first, i), "i8")
        f.ret(end)
    f.run("offers.expand", "%S")
    with f.for_range(0, n) as i, f.when(f.icmp("eq", f.load_at(weights, i), actor)):
        action = f.load_at(actions, i)
        with f.when(f.emit_value(f"icmp ult i64 {action}, %width")):
            f.store_at(1, mask, action, "i8")
        f.store(
            f.select(f.icmp("lt", action, f.load(needed_width)), f.load(needed_width), f.add(action, 1)),
            needed_width,
        )
    f.ret(f.load(needed_width))
    return f.text()


def emit_spread_bitset(f: FunctionBuilder, mask: str, actions: str) -> None:
    """Emit writing a bit set of actions to a mask, eight at a time, and returning the width; falls through
    for other formats.
    """
    left = f.alloca()
    at = f.alloca()
    head, some, fits, on = f.new_labels(4)
    form, bits, more = f.load_at("%S", Header.OFFER_FORMAT), f.load(actions), f.load_at(actions, 1)
    even = f.icmp("eq", f.binary("and", more, 7), 0)
    with f.when(f.and_bool(f.icmp("eq", form, OfferFormat.BITSET), even)):
        f.store(bits, left)
        f.store(more, at)
        f.start_block(head)
        rest = f.load(left)
        place, none = f.load(at), f.new_label()
        f.branch(f.icmp("eq", rest, 0), none, some)
        f.start_block(some)
        f.branch(f.emit_value(f"icmp ult i64 {place}, %width"), fits, on)
        f.start_block(fits)
        # eight bytes
        f.store(
            f.emit_value(f"call i64 @llvm.x86.bmi.pdep.64(i64 {rest}, i64 {EIGHT_BYTES})"),
            f.gep(mask, place, "i8"),
        )
        f.start_block(on)
        f.store(f.binary("lshr", rest, 8), left)
        f.store(f.add(place, 8), at)
        f.jump(head)
        f.start_block(none)
        f.ret(f.add(more, f.sub(64, f.emit_value(f"call i64 @llvm.ctlz.i64(i64 {bits}, i1 false)"))))


def print_sample(players: int) -> str:
    """`batch.sample`: find the drawn one among the bytes of a mask that are 1, eight at a time."""
    f = FunctionBuilder.entry("batch.sample")
    left = f.alloca()

    def bits(word: str) -> str:
        return f.emit_value(f"call i64 @llvm.ctpop.i64(i64 {word})")

    def step_game(k: str, position: str, R: str) -> None:
        action = f.gep("%actions", k)
        f.store(-1, action)
        with f.when(f.icmp("eq", f.load_at(R, STATUS), Status.WAITS)):
            mask = f.gep("%masks", f.mul(k, "%width"), "i8")
            f.store(f.load_at(position, Header.OFFER_COUNT), left)
            # the count is that of all seats
            with f.when(f.icmp("eq", f.load_at(position, Header.SEAT), SEVERAL)):
                f.store(0, left)
                with f.for_range(0, f.binary("lshr", "%width", 3)) as i:
                    f.store(f.add(f.load(left), bits(f.load_at(mask, i))), left)
            f.store(draw_number(f, f.load_at("%players", k), f.load(left), R), left)
            at, head, more, found = f.variable(0), f.new_label(), f.new_label(), f.new_label()
            f.start_block(head)
            word, before = f.load_at(mask, f.load(at)), f.load(left)
            rest = f.sub(before, bits(word))
            f.branch(f.icmp("lt", rest, 0), found, more)
            f.start_block(more)
            f.store(rest, left)
            f.store(f.add(f.load(at), 1), at)
            f.jump(head)
            f.start_block(found)
            place = f.binary("lshr", f.call("bits.select", word, before), 3)
            f.store(f.add(f.mul(f.load(at), 8), place), action)

    for_each_game(f, step_game)
    f.ret(Status.OK)
    return f.text()


__all__ = ["batch_functions", "head_words"]
