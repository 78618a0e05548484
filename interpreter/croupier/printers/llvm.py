"""LLVM back end, entry point: a core program as one module of LLVM assembly.

In: a program after the passes of `passes/native.py`, cut into states (`llvm_source`) or not
(`direct_source`). Out: assembly, and the layout of positions.

State machine: a function that waits becomes `run.NAME(S, F, state)`, with the position, its frame and the
state in which to resume. Its states are blocks of one function, so that locals stay in registers from state
to state; those that are live later are spilled to the frame before it waits. The driver `go` runs the
function of the top frame until one waits or the game ends. Functions that do not wait become `f.NAME`
(`llvm_calls.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from croupier.core import operations as op
from croupier.core.exchanges import exchanges
from croupier.core.operations import CHANCE, SEVERAL, Body, Const
from croupier.core.search_tree import search_tree
from croupier.core.types import CodeState, CoreProgram, Function, Memory
from croupier.core.walk import lookahead_blocks, statements
from croupier.limits import MAX_LOOKAHEAD_DECISIONS
from croupier.lowering.watchers import INVARIANTS
from croupier.printers import llvm_calls as calls
from croupier.printers import llvm_offers as offers
from croupier.printers.function_effects import (
    function_effects,
    inlined_functions,
    recursive_functions,
    return_type,
)
from croupier.printers.llvm_batch import batch_functions
from croupier.printers.llvm_builder import FunctionBuilder
from croupier.printers.llvm_direct import OFFERS, all_effects, has_weights, play_game, print_direct_function
from croupier.printers.llvm_expressions import TranslationUnit
from croupier.printers.llvm_layout import (
    FrameHead,
    Header,
    Layout,
    Status,
    begin_action,
    bodies_of,
    new_frame,
)
from croupier.printers.llvm_lookahead import LIMIT_REACHED, lookahead_functions
from croupier.printers.llvm_memos import emit_memo, layout_with_memos
from croupier.printers.llvm_playouts import (
    COUNTS,
    ROW_HEAD,
    drawing_functions,
    playout_functions,
    row_words_of,
    stepwise_functions,
)
from croupier.printers.llvm_probes import probe_functions
from croupier.printers.llvm_replay import replay_functions
from croupier.printers.llvm_rows import row_functions
from croupier.printers.llvm_runtime import DECLARATIONS, runtime_functions
from croupier.printers.llvm_search import search_functions
from croupier.printers.llvm_statements import StatementPrinter
from croupier.printers.llvm_steps import step_functions
from croupier.printers.llvm_streams import stream_functions

SPARE_COPIES = 160  # copies of a position that a search may hold at once


@dataclass(frozen=True, slots=True)
class LlvmSource:
    """A module of assembly, and the layout of its positions."""

    text: str
    layout: Layout


@dataclass(frozen=True, slots=True)
class PlayoutOptions:
    """Options of playouts: limits of the ruleset, extensions of the processor
    (`llvm_compiler.cpu_features`).
    """

    limits: Mapping[str, int]
    features: frozenset[str] = frozenset()


def llvm_source(
    program: CoreProgram, fuel: int, playouts: PlayoutOptions | None = None, *, batched: bool = False
) -> LlvmSource:
    """Print a program, after the passes, as a state machine.

    `fuel`: steps that an action may take; `playouts`: with the step API and playouts; `batched`: with the
    vectorised environment instead of these.
    """
    recursive = recursive_functions(program)
    layout = layout_with_memos(program, shared_scratch=batched and not lookahead_blocks(program))
    unit = TranslationUnit(
        program, layout, function_effects(program), inlined_functions(program, recursive), recursive
    )
    unit.tables.update(table_widths(program))
    texts = [print_state_machine(unit, f) for f in program.functions.values() if f.waits]
    texts += [print_driver(unit), *entry_points(unit, fuel), *lookahead_functions(unit)]
    if playouts is not None and batched:
        return assemble(
            unit,
            [*texts, *batch_functions(layout, program.players, playouts.limits, playouts.features)],
            fuel,
            playouts,
        )
    if playouts is not None:
        texts += [
            *stepwise_functions(layout, bool(lookahead_blocks(program))),
            *step_functions(layout),
            *result_functions(unit),
            *search_functions(unit, playouts.limits),
            *replay_functions(unit),
            *library_functions(search_tree(), layout),
            *library_functions(exchanges(), layout),
        ]
    return assemble(unit, texts, fuel, playouts)


def library_functions(library: CoreProgram, layout: Layout) -> list[str]:
    """The functions of a library in the core's text form, and their tables."""
    unit = TranslationUnit(
        library, layout, function_effects(library), inlined_functions(library, set()), set()
    )
    return [
        *(print_table(m, 8) for m in library.memories.values()),
        *(print_function(unit, f) for f in library.functions.values() if f.name != library.main),
    ]


def direct_source(program: CoreProgram, fuel: int, playouts: PlayoutOptions) -> LlvmSource:
    """Print a program that is not cut into states, and does not look ahead, for playouts only."""
    recursive = recursive_functions(program)
    effects = all_effects(program, function_effects(program))
    unit = TranslationUnit(
        program, layout_with_memos(program), effects, inlined_functions(program, recursive), recursive
    )
    unit.tables.update(table_widths(program))
    entered = Counter(
        s.function for f in program.functions.values() for s in statements(f.body) if isinstance(s, op.Enter)
    )
    texts = [print_direct_function(unit, f, entered) for f in program.functions.values() if f.waits]
    return assemble(unit, [*texts, play_game(unit), *result_functions(unit)], fuel, playouts)


def result_functions(unit: TranslationUnit) -> list[str]:
    """Functions that play games, and those over rows of results."""
    players = unit.program.players
    return [
        *playout_functions(unit.layout, players),
        *row_functions(row_words_of(unit.program), COUNTS, ROW_HEAD, players),
    ]


def assemble(
    unit: TranslationUnit, texts: list[str], fuel: int, playouts: PlayoutOptions | None
) -> LlvmSource:
    """Put the module together: `texts`, and the functions and tables that they need."""
    program, layout = unit.program, unit.layout
    if playouts is not None:
        invariants = program.functions.get(INVARIANTS)
        checked = "" if invariants is None else return_type(invariants, unit.effects[INVARIANTS])
        texts = [
            *texts,
            *stream_functions(),
            *drawing_functions(layout, playouts.limits, playouts.features, checked),
            *probe_functions(unit),
        ]
    texts = [*texts, *(print_function(unit, f) for f in program.functions.values() if not f.waits)]
    tables = [print_table(m, unit.tables.get(m.name, 8)) for m in program.memories.values() if m.constant]
    heads = [*DECLARATIONS, f"@fuel = internal constant i64 {fuel}", *tables, *print_constants(layout)]
    return LlvmSource("\n".join([*heads, *runtime_functions(unit), *texts]) + "\n", layout)


def table_widths(program: CoreProgram) -> dict[str, int]:
    """Bytes of a word for constant tables that are only read word by word; others have words of 8 bytes."""
    copied: set[str] = set()
    for body in bodies_of(program):
        for s in statements(body):
            match s:
                case op.Copy(_, _, source):
                    copied.add(source)
                case op.Call(arguments=arguments) | op.Enter(arguments=arguments):
                    copied |= {a.memory for a in arguments if isinstance(a, op.Array)}
    found = {}
    for m in program.memories.values():
        if m.constant and m.name not in copied:
            low, high = min(m.initial, default=0), max(m.initial, default=0)
            found[m.name] = next(
                (size for size in (1, 2, 4) if -(1 << 8 * size - 1) <= low and high < 1 << 8 * size - 1), 8
            )
    return found


def print_table(m: Memory, size: int) -> str:
    """Print a table as a global constant with words of `size` bytes."""
    return print_words(m.name, m.initial or (0,) * m.size, f"i{8 * size}")


def print_words(name: str, words: tuple[int, ...], kind: str = "i64") -> str:
    """Print a global constant array."""
    return f"@{name} = internal constant [{len(words)} x {kind}] [{', '.join(f'{kind} {w}' for w in words)}]"


def print_constants(layout: Layout) -> list[str]:
    """Print the initial position, the offsets of zones, and new frames of functions."""
    found = [print_words("initial", tuple(layout.initial))]
    if layout.zone_at and layout.stride is None:
        found.append(print_words("zone.at", tuple(layout.zone_at)))
    entered = {
        s.function
        for state in layout.program.states.values()
        for s in statements(state.body)
        if isinstance(s, op.Enter)
    }
    found += [
        print_words(f"frame.{n}", tuple(new_frame(layout.frames[n], layout.program.entries[n])))
        for n in sorted(entered)
    ]
    return found


# ------------------------------------------------------------ functions
def print_function(unit: TranslationUnit, f: Function) -> str:
    """Print a function that does not wait."""
    found = unit.effects[f.name]
    fn = FunctionBuilder(f"f.{f.name}", calls.signature_of("*S", f), return_type(f, found))
    if f.name in unit.inlined:
        fn.always_inline()
    printer = StatementPrinter(unit, fn, f, None)
    printer.weighted = has_weights(f.body)
    for p in f.parameters:
        if p.size is None:
            fn.store(f"%P.{p.name}", printer.local_slot(p.name))
    calls.open_registers(
        printer, any(isinstance(s, (*OFFERS, op.NoOffers)) for s in statements(f.body)), f.body
    )
    calls.guard_recursion(printer, f.name in unit.recursive)
    printer.body(f.body)
    if not fn.terminated:
        printer.emit_return(Status.OK)
    return fn.text()


class StateMachinePrinter(StatementPrinter):
    """Emits the states of a function that waits."""

    state: CodeState

    def emit_state(self, state: CodeState) -> None:
        """Emit the body of a state, which ends in a jump or a return."""
        self.state = state
        self.weighted = has_weights(state.body)
        self.single_offer = has_single_offer(state.body)
        self.simultaneous = any(
            isinstance(s, op.Wait) and s.seat == Const(SEVERAL) for s in statements(state.body)
        )
        self.body(state.body)
        if not self.fn.terminated:
            self.fn.terminate("unreachable")

    def spill_locals(self, state: int, keeps: tuple[str, ...]) -> None:
        """Emit stores to the frame of the locals that are live in a state, or that frame maps name
        (`keeps`).
        """
        assert self.frame is not None
        f = self.fn
        for name in sorted(self.unit.layout.live[state] | set(keeps)):
            f.store_at(f.load(self.local_slot(name)), "%F", self.frame.words[name])

    def set_resume_state(self, state: int) -> None:
        """Emit a store of the state in which the frame resumes."""
        self.fn.store_at(state, "%F", FrameHead.STATE)

    def suspension(self, s: op.Statement) -> None:
        f = self.fn
        match s:
            case op.Memo():
                emit_memo(self, s)
            case op.Wait(seat, next=state, keeps=keeps):
                f.store_at(self.value(seat), "%S", Header.SEAT)
                self.spill_locals(state, keeps)
                self.set_resume_state(state)
                self.emit_return(Status.WAITS)
            case op.Enter(function, next=state, keeps=keeps):
                self.spill_locals(state, keeps)
                self.set_resume_state(state)
                self.push_frame(function)
                self.emit_return(Status.CONTINUE)
            case op.Leave():
                top = f.load_at("%S", Header.TOP_FRAME)
                f.store_at(top, "%S", Header.STACK_END)
                f.store_at(f.load_at("%F", FrameHead.BELOW), "%S", Header.TOP_FRAME)
                f.store_at(f.sub(f.load_at("%S", Header.FRAME_COUNT), 1), "%S", Header.FRAME_COUNT)
                self.emit_return(Status.CONTINUE)
            case op.Goto(state):
                f.jump(f"s{state}")
            case op.Explore(name, _, number, within, state):
                self.spill_locals(state, ())
                offers.spill_offers(self)
                calls.spill_fuel(self)
                given = (number, within or MAX_LOOKAHEAD_DECISIONS, int(not within), state)
                status = f.call("explore.begin", "%S", *given)
                self.fail_if(f.icmp("eq", status, LIMIT_REACHED))
                f.store(status, self.local_slot(name))
            case _:
                raise AssertionError(s)

    def push_frame(self, function: str) -> None:
        """Emit a push of a new frame of a function; it fails if the stack is full."""
        f, frame = self.fn, self.unit.layout.frames[function]
        begin = f.load_at("%S", Header.STACK_END)
        end = f.add(begin, frame.size)
        self.fail_if(f.icmp("gt", end, self.unit.layout.end))
        to = f.gep("%S", begin)
        f.memmove(to, f"@frame.{function}", frame.size)
        f.store_at(f.load_at("%S", Header.TOP_FRAME), to, FrameHead.BELOW)
        f.store_at(begin, "%S", Header.TOP_FRAME)
        f.store_at(end, "%S", Header.STACK_END)
        f.store_at(f.add(f.load_at("%S", Header.FRAME_COUNT), 1), "%S", Header.FRAME_COUNT)


def print_state_machine(unit: TranslationUnit, f: Function) -> str:
    """Print a function that waits: a switch over the states in which it resumes, which load live locals from
    the frame, then all states.
    """
    program, layout = unit.program, unit.layout
    frame = layout.frames[f.name]
    fn = FunctionBuilder(f"run.{f.name}", "*S *F state")
    printer = StateMachinePrinter(unit, fn, f, frame)
    states = [s for s in program.states.values() if s.function == f.name]
    whole = tuple(s for state in states for s in state.body)
    calls.open_registers(
        printer, any(isinstance(s, (*OFFERS, op.NoOffers)) for s in statements(whole)), whole
    )
    entered_states = {program.entries[f.name]}
    for state in states:
        for s in statements(state.body):
            match s:
                case op.Wait(next=number) | op.Enter(next=number) | op.Explore(state=number):
                    entered_states.add(number)
    fn.terminate(
        f"switch i64 %state, label %nowhere "
        f"[{' '.join(f'i64 {n}, label %r{n}' for n in sorted(entered_states))}]"
    )
    for n in sorted(entered_states):
        fn.start_block(f"r{n}")
        for name in sorted(layout.live[n]):
            fn.store(fn.load_at("%F", frame.words[name]), printer.local_slot(name))
        fn.jump(f"s{n}")
    for state in states:
        fn.start_block(f"s{state.number}")
        printer.emit_state(state)
    fn.start_block("nowhere")
    fn.terminate("unreachable")
    return fn.text()


def has_single_offer(body: Body) -> bool:
    """Return whether one statement, outside of loops, makes all offers of a body."""
    offers = [s for s in statements(body) if isinstance(s, OFFERS)]
    looped = any(
        isinstance(inner, OFFERS)
        for s in statements(body)
        if isinstance(s, (op.Loop, op.For, op.Each))
        for inner in statements((s,))
    )
    return len(offers) == 1 and not looped and any(isinstance(s, op.NoOffers) for s in statements(body))


# ------------------------------------------------------------ the driver
def print_driver(unit: TranslationUnit) -> str:
    """`go(S)`: run the function of the top frame until one waits or the game ends; return the status."""
    program = unit.program
    f = FunctionBuilder("go", "*S")
    head, over, nowhere = f.new_labels(3)
    status = f.alloca()
    f.start_block(head)
    frame = f.gep("%S", f.load_at("%S", Header.TOP_FRAME))
    state = f.load(frame)
    names = [n for n, fun in program.functions.items() if fun.waits]
    labels = {n: f.new_label() for n in names}
    targets = " ".join(f"i64 {s.number}, label %{labels[s.function]}" for s in program.states.values())
    f.terminate(f"switch i64 {state}, label %{nowhere} [{targets}]")
    for name in names:
        f.start_block(labels[name])
        found = f.call(f"run.{name}", "%S", frame, state)
        f.store(found, status)
        f.branch(f.icmp("eq", found, Status.CONTINUE), head, over)
    f.start_block(over)
    f.ret(f.load(status))
    f.start_block(nowhere)
    f.terminate("unreachable")
    return f.text()


def entry_points(unit: TranslationUnit, fuel: int) -> list[str]:
    """`game.start(S)`, `game.apply(S, action, seat)`, and `game.settle(S)`, which makes the legal actions a
    sorted list, filtered by the look-ahead.

    They return a status. A game that is over has no frames.
    """
    layout = unit.layout

    def emit_end(f: FunctionBuilder, status: str) -> None:
        with f.when(f.icmp("ne", status, Status.WAITS)):
            for word, value in (
                (Header.TOP_FRAME, 0),
                (Header.STACK_END, layout.stack),
                (Header.FRAME_COUNT, 0),
            ):
                f.store_at(value, "%S", word)
        f.ret(status)

    f = FunctionBuilder.entry("game.start")
    context = f.load_at("%S", Header.CONTEXT)
    f.memmove("%S", "@initial", len(layout.initial))
    f.store_at(context, "%S", Header.CONTEXT)
    begin_action(f, layout, fuel)
    calls.emit_start_call(unit, f, lambda status: emit_end(f, status))
    emit_end(f, f.call("go", "%S"))
    g = FunctionBuilder.entry("game.apply")
    for word, value in ((Header.CHOSEN, "%action"), (Header.CHOSEN_SEAT, "%seat"), (Header.CALL_STACK, 0)):
        g.store_at(value, "%S", word)
    begin_action(g, layout, fuel)
    emit_end(g, g.call("go", "%S"))
    h = FunctionBuilder.entry("game.settle")
    offers.emit_sorted_list(h)
    seat = h.load_at("%S", Header.SEAT)
    with h.when(h.icmp("eq", seat, CHANCE)):
        h.ret(Status.WAITS)
    status = h.call("offers.filter", "%S")
    emit_end(h, h.select(h.icmp("eq", status, Status.OK), Status.WAITS, status))
    return [f.text(), g.text(), h.text()]


__all__ = ["LlvmSource", "llvm_source"]
