"""Look-ahead in native code: the depth-first search of `execution/lookahead.py`, over copies of a position in
spare memory of the thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from croupier.core import operations as op
from croupier.core.operations import CHANCE, NONE, SEVERAL
from croupier.core.walk import lookahead_blocks
from croupier.limits import MAX_LOOKAHEAD_DECISIONS, MAX_POSITIONS
from croupier.printers.llvm_builder import FunctionBuilder, Operand
from croupier.printers.llvm_expressions import TranslationUnit
from croupier.printers.llvm_layout import ACTIONS, WEIGHTS, FrameHead, Header, Status, ThreadContext
from croupier.printers.llvm_offers import emit_sorted_list

NO, YES, LIMIT_REACHED = 0, 1, "2"


def lookahead_functions(unit: TranslationUnit) -> list[str]:
    """All functions of this module; a trivial `offers.filter` for rules that do not look ahead."""
    if not lookahead_blocks(unit.program):
        f = FunctionBuilder("offers.filter", "*S")
        f.always_inline()
        f.ret(Status.OK)
        return [f.text()]
    return [
        print_copy(unit),
        print_first(unit),
        print_is_nested(unit),
        print_begin(),
        print_action(),
        print_search(),
        print_filter(),
    ]


def print_copy(unit: TranslationUnit) -> str:
    """`position.copy(S)`: copy a position to spare memory and return its address; 0 if a limit is reached."""
    f = FunctionBuilder("position.copy", "*S")
    context = f.inttoptr(f.load_at("%S", Header.CONTEXT))
    examined = f.add(f.load_at("%S", Header.EXAMINED), 1)
    f.store_at(examined, "%S", Header.EXAMINED)
    f.ret_if(f.icmp("gt", examined, MAX_POSITIONS), 0)
    at = f.load_at(context, ThreadContext.SPARE)
    end = f.add(at, str(8 * (unit.layout.scratch_words + unit.layout.end)))
    f.ret_if(f.icmp("gt", end, f.load_at(context, ThreadContext.SPARE_END)), 0)
    f.store_at(end, context, ThreadContext.SPARE)
    to = f.gep(f.inttoptr(at), unit.layout.scratch_words)
    f.memmove(to, "%S", f.load_at("%S", Header.STACK_END))
    with f.when(f.icmp("eq", f.load_at("%S", Header.SEARCH_FRAME), 0)):  # a search has fuel of its own
        f.store_at(f.load_at("%S", Header.SEARCH_FUEL), to, Header.FUEL)
    f.ret(f.ptrtoint(to))
    return f.text()


@contextmanager
def trial_on_copy(f: FunctionBuilder, source: str) -> Iterator[str]:
    """Emit a trial on a copy of a position, which is freed afterwards; at a limit the function returns
    `LIMIT_REACHED`.

    Positions examined and fuel used are charged to the original.
    """
    context = f.inttoptr(f.load_at(source, Header.CONTEXT))
    spare = f.load_at(context, ThreadContext.SPARE)
    made = f.call("position.copy", source)
    f.ret_if(f.icmp("eq", made, 0), LIMIT_REACHED)
    trial = f.inttoptr(made)
    yield trial
    f.store_at(f.load_at(trial, Header.EXAMINED), source, Header.EXAMINED)
    left, alone = f.load_at(trial, Header.FUEL), f.icmp("eq", f.load_at(source, Header.SEARCH_FRAME), 0)
    f.store_at(left, source, f.select(alone, Header.SEARCH_FUEL, Header.FUEL))
    f.store_at(spare, context, ThreadContext.SPARE)


@contextmanager
def active_blocks(
    f: FunctionBuilder, unit: TranslationUnit, source: str
) -> Iterator[Iterator[tuple[str, op.Explore]]]:
    """Emit a walk over the frames from the top: yields an iterator of blocks, each with the operand of its
    frame number.

    What is emitted in an iteration runs where control is inside of that block.
    """
    layout, program, found = unit.layout, unit.program, lookahead_blocks(unit.program)
    top, depth = f.alloca(), f.alloca()
    f.store(f.load_at(source, Header.TOP_FRAME), top)
    f.store(f.load_at(source, Header.FRAME_COUNT), depth)
    head, look, down, after = f.new_labels(4)
    f.start_block(head)
    f.branch(f.icmp("eq", f.load(top), 0), after, look)
    f.start_block(look)
    frame = f.gep(source, f.load(top))
    labels = {name: f.new_label() for name in found}
    targets = " ".join(
        f"i64 {s.number}, label %{labels[s.function]}"
        for s in program.states.values()
        if s.function in labels
    )
    f.terminate(f"switch i64 {f.load(frame)}, label %{down} [{targets}]")

    def each() -> Iterator[tuple[str, op.Explore]]:
        for name, those in found.items():
            f.start_block(labels[name])
            for block in those:
                where = layout.frames[name].words.get(block.active)
                if where is not None:
                    with f.when(f.icmp("eq", f.load_at(frame, where), 1)):
                        yield f.load(depth), block
            f.jump(down)

    yield each()
    f.start_block(down)
    f.store(f.load_at(f.gep(source, f.load(top)), FrameHead.BELOW), top)
    f.store(f.sub(f.load(depth), 1), depth)
    f.jump(head)
    f.start_block(after)


def is_inside(f: FunctionBuilder, depth: str, block: op.Explore, search: str, sought: str) -> str:
    """Emit whether a block of a frame stands inside the one that a frame and a number name, as i1."""
    return f.or_bool(
        f.icmp("gt", depth, search),
        f.and_bool(f.icmp("eq", depth, search), f.icmp("lt", block.number, sought)),
    )


def print_first(unit: TranslationUnit) -> str:
    """`lookahead.first(S, out, search, sought)`: 1 if control is in a block inside the one of this frame and
    number (0: in any).

    Writes frame, number and depth limit of the outermost to `out`.
    """
    f = FunctionBuilder("lookahead.first", "*S *out search sought")
    found, seen = f.variable(0), f.variable(0)
    with active_blocks(f, unit, "%S") as each:
        for depth, block in each:
            is_first = f.icmp("ne", f.load(seen), depth)  # within a frame the outer block comes first
            with f.when(f.and_bool(is_first, is_inside(f, depth, block, "%search", "%sought"))):
                for i, word in enumerate[Operand]((depth, block.number, block.within)):
                    f.store_at(word, "%out", i)
                f.store(depth, seen)
                f.store(1, found)
    f.ret(f.load(found))
    return f.text()


def print_is_nested(unit: TranslationUnit) -> str:
    """`lookahead.is_nested(S)`: 1 if control is in a look-ahead nested in the one that is searched."""
    f = FunctionBuilder("lookahead.is_nested", "*S")
    search, sought = f.load_at("%S", Header.SEARCH_FRAME), f.load_at("%S", Header.SEARCH_BLOCK)
    with active_blocks(f, unit, "%S") as each:
        for depth, block in each:
            f.ret_if(is_inside(f, depth, block, search, sought), 1)
    f.ret(0)
    return f.text()


def print_begin() -> str:
    """`explore.begin(S, number, within, strict, state)`: tell whether a block can reach its end from a state
    of the top frame.
    """
    f = FunctionBuilder("explore.begin", "*S number within strict state", noinline=True)
    with trial_on_copy(f, "%S") as trial:
        f.store_at(f.load_at(trial, Header.FRAME_COUNT), trial, Header.SEARCH_FRAME)
        f.store_at("%number", trial, Header.SEARCH_BLOCK)
        f.store_at("%state", trial, f.load_at(trial, Header.TOP_FRAME))
        f.store_at(0, trial, Header.CHOSEN)
        ended = f.call("go", trial)
        found = f.call("explore.search", trial, ended, NONE, "%within", "%strict")
    f.ret(found)
    return f.text()


def print_action() -> str:
    """`explore.action(S, depth, number, seat, action, left, strict)`: tell whether a block can reach its end
    after an action.
    """
    f = FunctionBuilder("explore.action", "*S depth number seat action left strict", noinline=True)
    with trial_on_copy(f, "%S") as trial:
        f.store_at("%depth", trial, Header.SEARCH_FRAME)
        f.store_at("%number", trial, Header.SEARCH_BLOCK)
        f.store_at("%action", trial, Header.CHOSEN)
        ended = f.call("go", trial)
        found = f.call("explore.search", trial, ended, "%seat", "%left", "%strict")
    f.ret(found)
    return f.text()


def print_search() -> str:
    """`explore.search(S, ended, seat, left, strict)`: the search from a copy that ran and ended with a
    status; `seat` chose last.
    """
    f = FunctionBuilder("explore.search", "*S ended seat left strict", noinline=True)
    with f.when(f.icmp("ne", "%ended", Status.WAITS)):
        f.ret_if(f.icmp("eq", "%ended", Status.FAILED), LIMIT_REACHED)
        f.ret(f.zext(f.icmp("eq", "%ended", Status.REACHED)))
    chooser = f.load_at("%S", Header.SEAT)
    f.ret_if(f.icmp("eq", chooser, CHANCE), LIMIT_REACHED)
    with f.when(f.and_bool(f.icmp("ne", "%seat", NONE), f.icmp("ne", chooser, "%seat"))):
        f.ret_if(f.icmp("ne", f.call("lookahead.is_nested", "%S"), 0), YES)
        f.ret(LIMIT_REACHED)
    with f.when(f.icmp("eq", "%left", 0)):
        f.ret(f.select(f.icmp("ne", "%strict", 0), LIMIT_REACHED, NO))
    f.ret_if(f.icmp("eq", chooser, SEVERAL), NO)
    emit_sorted_list(f)
    left = f.sub("%left", 1)
    search, sought = f.load_at("%S", Header.SEARCH_FRAME), f.load_at("%S", Header.SEARCH_BLOCK)
    with f.for_range(0, f.load_at("%S", Header.OFFER_COUNT)) as i:
        action = f.load_at(f.gep("%S", ACTIONS), i)
        found = f.call("explore.action", "%S", search, sought, chooser, action, left, "%strict")
        f.ret_if(f.icmp("ne", found, NO), found)
    f.ret(NO)
    return f.text()


def print_filter() -> str:
    """`offers.filter(S)`: remove the actions after which the outermost block that leaves any cannot reach its
    end; returns a status.
    """
    f = FunctionBuilder("offers.filter", "*S", noinline=True)
    out, kept, head = f.alloca(3), f.alloca(), f.new_label()
    f.store_at(0, out, 0)
    f.store_at(0, out, 1)
    f.jump(head)
    f.start_block(head)
    past = f.load_at(out, 0), f.load_at(out, 1)
    f.ret_if(f.icmp("eq", f.call("lookahead.first", "%S", out, *past), 0), Status.OK)
    depth, number, within = (f.load_at(out, i) for i in range(3))
    strict = f.zext(f.icmp("eq", within, 0))
    left = f.sub(f.select(f.icmp("eq", within, 0), MAX_LOOKAHEAD_DECISIONS, within), 1)
    seat = f.load_at("%S", Header.SEAT)
    f.store(0, kept)
    with f.for_range(0, f.load_at("%S", Header.OFFER_COUNT)) as i:
        action, whose = f.load_at(f.gep("%S", ACTIONS), i), f.load_at(f.gep("%S", WEIGHTS), i)
        who = f.select(f.icmp("eq", seat, SEVERAL), whose, seat)
        found = f.call("explore.action", "%S", depth, number, who, action, left, strict)
        f.ret_if(f.icmp("eq", found, LIMIT_REACHED), Status.FAILED)
        with f.when(f.icmp("eq", found, YES)):
            at = f.load(kept)
            f.store_at(action, f.gep("%S", ACTIONS), at)
            f.store_at(whose, f.gep("%S", WEIGHTS), at)
            f.store(f.add(at, 1), kept)
    with f.when(f.icmp("eq", f.load(kept), 0)):  # no action is left: the next block inside counts
        f.jump(head)
    f.store_at(f.load(kept), "%S", Header.OFFER_COUNT)
    f.ret(Status.OK)
    return f.text()
