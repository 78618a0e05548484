"""Step API of native code: functions of CPython bound to one position in memory
(`execution/native_workspace.py`).

    is_only_thread()     1 if the caller owns the memory and is the only thread of Python, otherwise 0
    start()              start a game; return its standing
    set_seat(seat)       set the seat for `apply` and `legal_actions` at a simultaneous decision
    apply(action)        apply an action; return the standing, or `REFUSED` (illegal, nothing changed),
                         `BAILOUT` or `ELSEWHERE`
    legal_actions()      the legal actions of the acting seat as a list; empty if that bails out, or for
                         another thread
    prepare_offers()     make the legal actions a sorted list, filtered by the look-ahead; 0, or a status if
                         that bails out
    save()               the position and its legal actions as packed bytes: the number of actions, whether
                         they have weights, the words of the
                         position, then actions, weights and position
    load(bytes)          the reverse of `save`
    previous_position()  the words of the position before the last action, as bytes
    claim()              make the memory that of the calling thread; for others `apply` returns `ELSEWHERE`

`llvm_cpython.py` says how these functions become objects of Python.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.operations import CHANCE as BY_CHANCE
from croupier.core.operations import SEVERAL
from croupier.printers.llvm_builder import FunctionBuilder
from croupier.printers.llvm_cpython import BuiltinBuilder, declarations
from croupier.printers.llvm_layout import ACTIONS, MAX_OFFERS, WEIGHTS, Header, Layout, Status
from croupier.printers.llvm_offers import emit_sorted_list

ENDED, ONE, CHANCE, EVERY, REFUSED, BAILOUT, ELSEWHERE = range(7)
"""The standing of a game: over; one seat, chance or several seats act; the last three are failures of
`apply`.
"""
SEATS = ("", "one", "chance", "every")  # the first four, as `runtime.state` calls them
NO_ARGUMENT = (
    "is_only_thread",
    "start",
    "legal_actions",
    "prepare_offers",
    "save",
    "previous_position",
    "claim",
)
ONE_ARGUMENT = ("set_seat", "apply", "load")
METHODS = dict.fromkeys(NO_ARGUMENT, 0) | dict.fromkeys(ONE_ARGUMENT, 1)  # by name: the number of arguments
# header words that belong to the memory, not to the position
MEMORY_WORDS = (Header.CONTEXT, Header.OWNER_THREAD)
# words that are packed together, and the bytes that each may take
VECTOR, WIDTHS = "<8 x i64>", (0, 1, 2, 4, 8)


def step_functions(layout: Layout) -> list[str]:
    """All functions of this module."""
    previous = layout.end  # index of the copy of the previous position, behind its size
    internal = [print_standing(), print_prepare(), print_is_legal(), print_pack(), print_unpack()]
    return [
        *declarations(),
        *internal,
        print_is_only_thread(),
        print_start(),
        print_set_seat(),
        print_apply(previous),
        print_legal_actions(),
        print_prepare_offers(),
        print_save(2 * previous + 1),
        print_load(),
        print_previous_position(previous),
        print_claim(),
    ]


def memory_words(scratch: int, end: int) -> int:
    """Words of a workspace: scratch memory, the position (`end`), the previous one, room to pack."""
    return scratch + 2 * end + 1 + (end + 2 * MAX_OFFERS) * 9 // 8 + 32


def print_standing() -> str:
    """`step.standing(S, status)`: the standing of a game after a status."""
    f = FunctionBuilder("step.standing", "*S status")
    fine = f.or_bool(f.icmp("eq", "%status", Status.WAITS), f.icmp("eq", "%status", Status.OVER))
    f.ret_if(f.not_bool(fine), BAILOUT)
    f.ret_if(f.icmp("eq", f.load_at("%S", Header.TOP_FRAME), 0), ENDED)
    seat = f.load_at("%S", Header.SEAT)
    single = f.select(f.icmp("eq", seat, BY_CHANCE), CHANCE, ONE)
    f.ret(f.select(f.icmp("eq", seat, SEVERAL), EVERY, single))
    return f.text()


def print_prepare() -> str:
    """`step.prepare(S)`: prepare the legal actions: a sorted list, filtered by the look-ahead; returns a
    status.
    """
    f = FunctionBuilder("step.prepare", "*S", noinline=True)
    f.ret_if(f.icmp("ne", f.load_at("%S", Header.OFFERS_PREPARED), 0), Status.OK)
    emit_sorted_list(f)
    waits = f.icmp("ne", f.load_at("%S", Header.TOP_FRAME), 0)
    with f.when(f.and_bool(waits, f.icmp("ne", f.load_at("%S", Header.SEAT), BY_CHANCE))):
        status = f.call("offers.filter", "%S")
        f.ret_if(f.icmp("ne", status, Status.OK), status)
    f.store_at(1, "%S", Header.OFFERS_PREPARED)
    f.ret(Status.OK)
    return f.text()


def print_is_legal() -> str:
    """`step.is_legal(S, action)`: 1 if an action is legal; at a simultaneous decision, for the seat of
    `set_seat`.
    """
    f = FunctionBuilder("step.is_legal", "*S action")
    actions, weights = f.gep("%S", ACTIONS), f.gep("%S", WEIGHTS)
    several, who = f.icmp("eq", f.load_at("%S", Header.SEAT), SEVERAL), f.load_at("%S", Header.CHOSEN_SEAT)
    f.ret_if(f.icmp("eq", f.load_at("%S", Header.TOP_FRAME), 0), 0)
    with (
        f.for_range(0, f.load_at("%S", Header.OFFER_COUNT)) as i,
        f.when(f.icmp("eq", f.load_at(actions, i), "%action")),
    ):
        single = f.not_bool(several)
        f.ret_if(single, 1)
        f.ret_if(f.icmp("eq", f.load_at(weights, i), who), 1)
    f.ret(0)
    return f.text()


# ------------------------------------------------------------ steps
def print_start() -> str:
    """`start`."""
    f = BuiltinBuilder("start")
    status = f.alloca()
    owner = f.load_at("%S", Header.OWNER_THREAD)
    with f.gil_released(f.has_other_threads()):
        f.store(f.call("game.start", "%S"), status)
        f.store_at(owner, "%S", Header.OWNER_THREAD)
    f.ret_int(f.call("step.standing", "%S", f.load(status)))
    return f.text()


def print_is_only_thread() -> str:
    """`is_only_thread`."""
    f = BuiltinBuilder("is_only_thread")
    f.ret_int(f.zext(f.not_bool(f.or_bool(f.has_other_threads(), f.is_other_thread()))))
    return f.text()


def print_set_seat() -> str:
    """`set_seat`."""
    f = BuiltinBuilder("set_seat")
    f.store_at(f.argument_as_int(), "%S", Header.CHOSEN_SEAT)
    f.ret_int(0)
    return f.text()


def print_apply(previous: int) -> str:
    """`apply`."""
    f = BuiltinBuilder("apply")
    others, status = f.has_other_threads(), f.alloca()
    with f.when(others), f.when(f.is_other_thread()):
        f.ret_int(ELSEWHERE)
    action = f.argument_as_int()
    size, to = f.load_at("%S", Header.STACK_END), f.gep("%S", previous)
    f.store(size, to)
    f.memmove(f.gep(to, 1), "%S", size)
    with f.when(f.icmp("ne", f.call("step.prepare", "%S"), Status.OK)):
        f.ret_int(BAILOUT)
    with f.when(f.icmp("eq", f.call("step.is_legal", "%S", action), 0)):
        f.ret_int(REFUSED)
    with f.gil_released(others):
        f.store_at(0, "%S", Header.OFFERS_PREPARED)
        f.store(
            f.call("game.apply", "%S", action, f.load_at("%S", Header.CHOSEN_SEAT)),
            status,
        )
    f.ret_int(f.call("step.standing", "%S", f.load(status)))
    return f.text()


def print_legal_actions() -> str:
    """`legal_actions`."""
    f = BuiltinBuilder("legal_actions")
    with f.when(f.is_other_thread()):
        f.ret_object(f.call_c_api("PyList_New", 0))
    with f.when(f.icmp("ne", f.call("step.prepare", "%S"), Status.OK)):
        f.ret_object(f.call_c_api("PyList_New", 0))
    several, who = f.icmp("eq", f.load_at("%S", Header.SEAT), SEVERAL), f.load_at("%S", Header.CHOSEN_SEAT)
    actions = f.gep("%S", ACTIONS)
    weights = f.gep("%S", WEIGHTS)
    n = f.load_at("%S", Header.OFFER_COUNT)
    own_words = f.variable(0)
    over = f.icmp("eq", f.load_at("%S", Header.TOP_FRAME), 0)
    with f.when(over):
        f.ret_object(f.call_c_api("PyList_New", 0))

    def chosen(i: str) -> str:
        return f.or_bool(f.not_bool(several), f.icmp("eq", f.load_at(weights, i), who))

    with f.for_range(0, n) as i:
        f.store(f.add(f.load(own_words), f.zext(chosen(i))), own_words)
    made = f.or_return_null(f.call_c_api("PyList_New", f.load(own_words)))
    f.store(0, own_words)
    with f.for_range(0, n) as i, f.when(chosen(i)):
        at = f.load(own_words)
        f.call_c_api("PyList_SetItem", made, at, f.call_c_api("PyLong_FromLongLong", f.load_at(actions, i)))
        f.store(f.add(at, 1), own_words)
    f.ret_object(made)
    return f.text()


def print_prepare_offers() -> str:
    """`prepare_offers`."""
    f = BuiltinBuilder("prepare_offers")
    f.ret_int(f.call("step.prepare", "%S"))
    return f.text()


# ------------------------------------------------------------ positions
def print_pack() -> str:
    """`words.pack(from, n, to)`: pack words in groups of eight, each behind a byte with the width of its
    words; return the end address.

    `NONE` is packed as the least number of that width. Up to seven words behind the last are packed as well.
    """
    f = FunctionBuilder("words.pack", "*from n *to", noinline=True)
    to = f.variable("%to", "ptr")
    with f.for_range(0, f.binary("lshr", f.add("%n", 7), 3)) as k:
        these = f.emit_value(f"load {VECTOR}, ptr {f.gep('%from', f.mul(k, 8))}, align 8")
        nones = f.emit_value(f"icmp eq {VECTOR} {these}, {splat(op.NONE)}")
        here, next_ = f.load(to, "ptr"), f.new_label()
        for size in WIDTHS:
            limit = (1 << 8 * size - 1) - 1 if size else 0
            fits, other = f.new_labels(2)
            if size < 8:
                some = these
                if size:
                    some = f.emit_value(f"select <8 x i1> {nones}, {VECTOR} {splat(0)}, {VECTOR} {these}")
                fit = f.emit_value(
                    f"icmp ule {VECTOR} {f.emit_value(f'add {VECTOR} {some}, {splat(limit)}')}, "
                    f"{splat(2 * limit)}"
                )
                f.branch(
                    f.emit_value(f"icmp eq i8 {f.emit_value(f'bitcast <8 x i1> {fit} to i8')}, -1"),
                    fits,
                    other,
                )
            else:
                f.jump(fits)
            f.start_block(fits)
            f.store(size, here, "i8")
            short = these
            if 0 < size < 8:
                least = f.emit_value(
                    f"select <8 x i1> {nones}, {VECTOR} {splat(-limit - 1)}, {VECTOR} {these}"
                )
                short = f.emit_value(f"trunc {VECTOR} {least} to <8 x i{8 * size}>")
            if size:
                f.emit(f"store <8 x i{8 * size}> {short}, ptr {f.gep(here, 1, 'i8')}, align 1")
            f.store(f.gep(here, 8 * size + 1, "i8"), to, "ptr")
            f.jump(next_)
            if size < 8:
                f.start_block(other)
        f.start_block(next_)
    f.ret(f.ptrtoint(f.load(to, "ptr")))
    return f.text()


def print_unpack() -> str:
    """`words.unpack(from, n, to)`: unpack words; return the address behind what was read."""
    f = FunctionBuilder("words.unpack", "*from n *to", noinline=True)
    at = f.variable("%from", "ptr")
    with f.for_range(0, f.binary("lshr", f.add("%n", 7), 3)) as k:
        here, there, next_ = f.load(at, "ptr"), f.gep("%to", f.mul(k, 8)), f.new_label()
        labels = {size: f.new_label() for size in WIDTHS}
        ways = " ".join(f"i8 {size}, label %{label}" for size, label in labels.items() if size < 8)
        f.terminate(f"switch i8 {f.load(here, 'i8')}, label %{labels[8]} [{ways}]")
        for size, label in labels.items():
            f.start_block(label)
            these = splat(0)
            if size:
                short = f.emit_value(f"load <8 x i{8 * size}>, ptr {f.gep(here, 1, 'i8')}, align 1")
                these = f.emit_value(f"sext <8 x i{8 * size}> {short} to {VECTOR}") if size < 8 else short
            if 0 < size < 8:
                nones = f.emit_value(f"icmp eq {VECTOR} {these}, {splat(-(1 << 8 * size - 1))}")
                these = f.emit_value(f"select <8 x i1> {nones}, {VECTOR} {splat(op.NONE)}, {VECTOR} {these}")
            f.emit(f"store {VECTOR} {these}, ptr {there}, align 8")
            f.store(f.gep(here, 8 * size + 1, "i8"), at, "ptr")
            f.jump(next_)
        f.start_block(next_)
    f.ret(f.ptrtoint(f.load(at, "ptr")))
    return f.text()


def splat(word: int) -> str:
    """A vector constant: the same word eight times."""
    return f"<{', '.join([f'i64 {word}'] * 8)}>"


def print_save(room: int) -> str:
    """`save`; `room` is the index of the memory to pack in."""
    f = BuiltinBuilder("save")
    emit_sorted_list(f)
    over = f.icmp("eq", f.load_at("%S", Header.TOP_FRAME), 0)
    size = f.load_at("%S", Header.STACK_END)
    weighted = f.load_at("%S", Header.WEIGHTED)
    n = f.select(over, 0, f.load_at("%S", Header.OFFER_COUNT))
    made = f.gep("%S", room)
    own_words = [f.load_at("%S", word) for word in MEMORY_WORDS]
    for word in MEMORY_WORDS:
        f.store_at(0, "%S", word)
    f.store(n, made)
    f.store_at(weighted, made, 1)
    f.store_at(size, made, 2)
    at = f.ptrtoint(f.gep(made, 3))
    for start, count in ((f.gep("%S", ACTIONS), n), (f.gep("%S", WEIGHTS), f.mul(n, weighted)), ("%S", size)):
        at = f.call("words.pack", start, count, f.inttoptr(at))
    for word, value in zip(MEMORY_WORDS, own_words, strict=True):
        f.store_at(value, "%S", word)
    f.ret_object(f.call_c_api("PyBytes_FromStringAndSize", made, f.sub(at, f.ptrtoint(made))))
    return f.text()


def print_load() -> str:
    """`load`."""
    f = BuiltinBuilder("load")
    kept = f.or_return_null(f.call_c_api("PyBytes_AsString", "%argument"))
    n, weighted, size = (f.load_at(kept, k) for k in range(3))
    at, own_words = f.ptrtoint(f.gep(kept, 3)), [f.load_at("%S", word) for word in MEMORY_WORDS]
    for start, count in ((f.gep("%S", ACTIONS), n), (f.gep("%S", WEIGHTS), f.mul(n, weighted)), ("%S", size)):
        at = f.call("words.unpack", f.inttoptr(at), count, start)
    for word, value in zip(MEMORY_WORDS, own_words, strict=True):
        f.store_at(value, "%S", word)
    f.ret_int(0)
    return f.text()


def print_previous_position(previous: int) -> str:
    """`previous_position`."""
    f = BuiltinBuilder("previous_position")
    held = f.gep("%S", previous)
    f.ret_object(f.call_c_api("PyBytes_FromStringAndSize", f.gep(held, 1), f.mul(f.load(held), 8)))
    return f.text()


def print_claim() -> str:
    """`claim`."""
    f = BuiltinBuilder("claim")
    f.store_at(f.current_thread(), "%S", Header.OWNER_THREAD)
    f.ret_int(0)
    return f.text()
