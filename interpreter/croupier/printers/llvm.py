"""The core as LLVM assembly: the functions of one game, and what begins it and takes actions in it.

A function that waits is one function of `%S`, the position, `%F`, its frame, and the state that it goes on in; its states are blocks. While they go
to each other locals stay where they are; what is needed later goes to the frame when somebody waits. A function that does not wait takes words and
addresses and gives words, behind a status if it may fail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from croupier.core import operations as op
from croupier.core.operations import CHANCE, SEVERAL, Body, Const
from croupier.core.types import CodeState, CoreProgram, Function, Memory
from croupier.core.walk import statements
from croupier.limits import MAX_LOOKAHEAD_DECISIONS
from croupier.lowering.watchers import INVARIANTS
from croupier.printers import llvm_calls as calls
from croupier.printers import llvm_layout as l
from croupier.printers.assembly import Fn
from croupier.printers.llvm_batch import batch
from croupier.printers.llvm_body import BodyPrinter
from croupier.printers.llvm_effects import effects, inlined, recursive_functions, returned
from croupier.printers.llvm_games import COUNTS, ROW_HEAD, drawing, games, row_size, stepwise
from croupier.printers.llvm_layout import Layout, fresh_frame
from croupier.printers.llvm_lines import lines
from croupier.printers.llvm_lookahead import blocks, lookahead
from croupier.printers.llvm_memos import layout_of, offer_kept
from croupier.printers.llvm_steps import methods
from croupier.printers.llvm_streams import streams
from croupier.printers.llvm_support import DECLARATIONS, support
from croupier.printers.llvm_values import Unit
from croupier.printers.llvm_whole import playing, whole_function, with_waiting

OFFERS = (op.Offer, op.OfferBits, op.OfferTop)
SPARE_COPIES = 160  # copies of a position that a search may hold at once


@dataclass(frozen=True, slots=True)
class LlvmSource:
    """A program as assembly, and the layout of its positions."""

    text: str
    layout: Layout


@dataclass(frozen=True, slots=True)
class WholeGames:
    """What whole games need: limits, and the features of the processor that help to pick bits."""

    limits: Mapping[str, int]
    features: frozenset[str] = frozenset()


def llvm_source(program: CoreProgram, fuel: int, whole: WholeGames | None = None, *, batched: bool = False) -> LlvmSource:
    """The program as assembly; it went through the passes. `fuel`: steps that an action may take; `batched`: with what plays games side by side."""
    recursive = recursive_functions(program)
    layout = layout_of(program, apart=batched and not blocks(program))
    unit = Unit(program, layout, effects(program), inlined(program, recursive), recursive)
    unit.tables.update(narrow_tables(program))
    texts = [waiting_function(unit, f) for f in program.functions.values() if f.waits]
    texts += [driver(unit), *starting(unit, fuel), *lookahead(unit)]
    if whole is not None and batched:
        return source(unit, [*texts, *batch(layout, program.players, whole.limits, whole.features)], fuel, whole)
    if whole is not None:
        texts += [*stepwise(program.players, bool(blocks(program))), *methods(layout), *played(unit)]
    return source(unit, texts, fuel, whole)


def whole_source(program: CoreProgram, fuel: int, whole: WholeGames) -> LlvmSource:
    """The program as assembly that plays whole games only; it is not cut at waits, and `plays_whole`."""
    recursive = recursive_functions(program)
    unit = Unit(program, layout_of(program), with_waiting(program, effects(program)), inlined(program, recursive), recursive)
    unit.tables.update(narrow_tables(program))
    entered = Counter(s.function for f in program.functions.values() for s in statements(f.body) if isinstance(s, op.Enter))
    texts = [whole_function(unit, f, entered) for f in program.functions.values() if f.waits]
    return source(unit, [*texts, playing(unit), *played(unit)], fuel, whole)


def played(unit: Unit) -> list[str]:
    """What plays whole games, and what is made of their rows."""
    players = unit.program.players
    return [*games(unit.layout, players), *lines(row_size(players), COUNTS, ROW_HEAD, players)]


def source(unit: Unit, texts: list[str], fuel: int, whole: WholeGames | None) -> LlvmSource:
    """All the assembly: what texts say, and what they call."""
    program, layout = unit.program, unit.layout
    if whole is not None:
        invariants = program.functions.get(INVARIANTS)
        checked = "" if invariants is None else returned(invariants, unit.effects[INVARIANTS])
        texts = [*texts, *streams(), *drawing(layout, whole.limits, whole.features, checked)]
    texts = [*texts, *(function(unit, f) for f in program.functions.values() if not f.waits)]
    tables = [table(m, unit.tables.get(m.name, 8)) for m in program.memories.values() if m.constant]
    heads = [*DECLARATIONS, f"@fuel = internal constant i64 {fuel}", *tables, *constants(layout)]
    return LlvmSource("\n".join([*heads, *support(unit), *texts]) + "\n", layout)


def narrow_tables(program: CoreProgram) -> dict[str, int]:
    """How many bytes the words of tables take that are only read word by word."""
    whole: set[str] = set()
    for body in l.bodies_of(program):
        for s in statements(body):
            match s:
                case op.Copy(_, _, source):
                    whole.add(source)
                case op.Call(arguments=arguments) | op.Enter(arguments=arguments):
                    whole |= {a.memory for a in arguments if isinstance(a, op.Array)}
    found = {}
    for m in program.memories.values():
        if m.constant and m.name not in whole:
            low, high = min(m.initial, default=0), max(m.initial, default=0)
            found[m.name] = next((size for size in (1, 2, 4) if -(1 << 8 * size - 1) <= low and high < 1 << 8 * size - 1), 8)
    return found


def table(m: Memory, size: int) -> str:
    """A table as a global constant."""
    return words_of(m.name, m.initial or (0,) * m.size, f"i{8 * size}")


def words_of(name: str, words: tuple[int, ...], kind: str = "i64") -> str:
    """A global constant."""
    return f"@{name} = internal constant [{len(words)} x {kind}] [{', '.join(f'{kind} {w}' for w in words)}]"


def constants(layout: Layout) -> list[str]:
    """The position at the start, where zones lie, frames that begin."""
    found = [words_of("initial", tuple(layout.initial))]
    if layout.zone_at and layout.stride is None:
        found.append(words_of("zone.at", tuple(layout.zone_at)))
    entered = {s.function for state in layout.program.states.values() for s in statements(state.body) if isinstance(s, op.Enter)}
    found += [words_of(f"frame.{n}", tuple(fresh_frame(layout.frames[n], layout.program.entries[n]))) for n in sorted(entered)]
    return found


# ------------------------------------------------------------ functions
def function(unit: Unit, f: Function) -> str:
    """A function that does not wait."""
    found = unit.effects[f.name]
    params = [("S", "ptr"), *((f"P.{p.name}", "i64" if p.size is None else "ptr") for p in f.parameters)]
    fn = Fn(f"f.{f.name}", params, returned(f, found))
    if f.name in unit.inlined:
        fn.inside()
    printer = BodyPrinter(unit, fn, f, None)
    printer.weighed = weighs(f.body)
    for p in f.parameters:
        if p.size is None:
            fn.store(f"%P.{p.name}", printer.local(p.name))
    calls.open_registers(printer, any(isinstance(s, (*OFFERS, op.NoOffers)) for s in statements(f.body)), f.body)
    calls.count_nesting(printer, f.name in unit.recursive)
    printer.body(f.body)
    if not fn.ended:
        printer.give(str(l.OK))
    return fn.text()


class StatesPrinter(BodyPrinter):
    """Prints the states of a function that waits."""

    state: CodeState

    def enter_state(self, state: CodeState) -> None:
        self.state = state
        self.weighed = weighs(state.body)
        self.alone = alone(state.body)
        self.several = any(isinstance(s, op.Wait) and s.seat == Const(SEVERAL) for s in statements(state.body))
        self.body(state.body)
        if not self.fn.ended:
            self.fn.end("unreachable")

    def keep(self, state: int, keeps: tuple[str, ...]) -> None:
        """What is needed later goes to the frame."""
        assert self.frame is not None
        f = self.fn
        for name in sorted(self.unit.layout.live[state] | set(keeps)):
            f.store(f.load(self.local(name)), f.at("%F", self.frame.words[name]))

    def goes_on(self, state: int) -> None:
        self.fn.store(str(state), self.fn.at("%F", l.STATE))

    def waiting(self, s: op.Statement) -> None:
        f = self.fn
        match s:
            case op.Memo():
                offer_kept(self, s)
            case op.Wait(seat, next=state, keeps=keeps):
                f.store(self.x(seat), self.head(l.SEAT))
                self.keep(state, keeps)
                self.goes_on(state)
                self.give(str(l.WAITS))
            case op.Enter(function, next=state, keeps=keeps):
                self.keep(state, keeps)
                self.goes_on(state)
                self.push(function)
                self.give(str(l.GOES))
            case op.Leave():
                top = f.load(self.head(l.TOP))
                f.store(top, self.head(l.END))
                f.store(f.load(f.at("%F", l.BELOW)), self.head(l.TOP))
                f.store(f.sub(f.load(self.head(l.DEPTH)), "1"), self.head(l.DEPTH))
                self.give(str(l.GOES))
            case op.Goto(state):
                f.jump(f"s{state}")
            case op.Explore(name, _, number, within, state):
                self.keep(state, ())
                calls.flush_offers(self)
                calls.flush_fuel(self)
                given = (number, within or MAX_LOOKAHEAD_DECISIONS, int(not within), state)
                status = f.call("explore.begin", ["ptr %S", *(f"i64 {w}" for w in given)])
                self.fail_if(f.test("eq", status, "2"))
                f.store(status, self.local(name))
            case _:
                raise AssertionError(s)

    def push(self, function: str) -> None:
        """A frame for a function goes on top."""
        f, frame = self.fn, self.unit.layout.frames[function]
        begin = f.load(self.head(l.END))
        end = f.add(begin, str(frame.size))
        self.fail_if(f.test("gt", end, str(self.unit.layout.end)))
        to = f.at("%S", begin)
        f.copy(to, f"@frame.{function}", str(frame.size))
        f.store(f.load(self.head(l.TOP)), f.at(to, l.BELOW))
        f.store(begin, self.head(l.TOP))
        f.store(end, self.head(l.END))
        f.store(f.add(f.load(self.head(l.DEPTH)), "1"), self.head(l.DEPTH))


def waiting_function(unit: Unit, f: Function) -> str:
    """A function that waits: its states, and a switch to those that something goes on in."""
    program, layout = unit.program, unit.layout
    frame = layout.frames[f.name]
    fn = Fn(f"run.{f.name}", [("S", "ptr"), ("F", "ptr"), ("state", "i64")])
    printer = StatesPrinter(unit, fn, f, frame)
    states = [s for s in program.states.values() if s.function == f.name]
    whole = tuple(s for state in states for s in state.body)
    calls.open_registers(printer, any(isinstance(s, (*OFFERS, op.NoOffers)) for s in statements(whole)), whole)
    begun = {program.entries[f.name]}
    for state in states:
        for s in statements(state.body):
            match s:
                case op.Wait(next=number) | op.Enter(next=number) | op.Explore(state=number):
                    begun.add(number)
    fn.end(f"switch i64 %state, label %nowhere [{' '.join(f'i64 {n}, label %r{n}' for n in sorted(begun))}]")
    for n in sorted(begun):
        fn.place(f"r{n}")
        for name in sorted(layout.live[n]):
            fn.store(fn.load(fn.at("%F", frame.words[name])), printer.local(name))
        fn.jump(f"s{n}")
    for state in states:
        fn.place(f"s{state.number}")
        printer.enter_state(state)
    fn.place("nowhere")
    fn.end("unreachable")
    return fn.text()


def alone(body: Body) -> bool:
    """Does a body put down what is on offer in one statement?"""
    offers = [s for s in statements(body) if isinstance(s, OFFERS)]
    looped = any(isinstance(inner, OFFERS) for s in statements(body) if isinstance(s, (op.Loop, op.For, op.Each)) for inner in statements((s,)))
    return len(offers) == 1 and not looped and any(isinstance(s, op.NoOffers) for s in statements(body))


def weighs(body: Body) -> bool:
    """Have actions weights of their own?"""
    return any(isinstance(s, op.Offer) and s.weight != Const(1) for s in statements(body))


# ------------------------------------------------------------ the driver
def driver(unit: Unit) -> str:
    """`go(S)`: runs the frame on top until somebody waits, or the game ends; gives how it ended."""
    program = unit.program
    f = Fn("go", [("S", "ptr")])
    head, over, nowhere = f.label(), f.label(), f.label()
    status = f.slot()
    f.place(head)
    frame = f.at("%S", f.load(f.at("%S", l.TOP)))
    state = f.load(frame)
    names = [n for n, fun in program.functions.items() if fun.waits]
    labels = {n: f.label() for n in names}
    ways = " ".join(f"i64 {s.number}, label %{labels[s.function]}" for s in program.states.values())
    f.end(f"switch i64 {state}, label %{nowhere} [{ways}]")
    for name in names:
        f.place(labels[name])
        found = f.call(f"run.{name}", ["ptr %S", f"ptr {frame}", f"i64 {state}"])
        f.store(found, status)
        f.branch(f.test("eq", found, str(l.GOES)), head, over)
    f.place(over)
    f.give(f.load(status))
    f.place(nowhere)
    f.end("unreachable")
    return f.text()


def starting(unit: Unit, fuel: int) -> list[str]:
    """`game.start(S)`, `game.apply(S, action, seat)`, and `game.settle(S)`, after which what is on offer is in order and leads somewhere.

    They give how the action ended. A game that is over has no frames.
    """
    layout = unit.layout

    def ended(f: Fn, status: str) -> None:
        with f.when(f.test("ne", status, str(l.WAITS))):
            for word, value in ((l.TOP, 0), (l.END, layout.stack), (l.DEPTH, 0)):
                f.store(str(value), f.at("%S", word))
        f.give(status)

    f = Fn("game.start", [("S", "ptr")], public=True)
    context = f.load(f.at("%S", l.CONTEXT))
    f.copy("%S", "@initial", str(len(layout.initial)))
    f.store(context, f.at("%S", l.CONTEXT))
    l.begin_action(f, layout, str(fuel))
    calls.call_start(unit, f, lambda status: ended(f, status))
    ended(f, f.call("go", ["ptr %S"]))
    g = Fn("game.apply", [("S", "ptr"), ("action", "i64"), ("seat", "i64")], public=True)
    for word, value in ((l.CHOSEN, "%action"), (l.CHOSEN_SEAT, "%seat"), (l.NESTED, "0")):
        g.store(value, g.at("%S", word))
    l.begin_action(g, layout, str(fuel))
    ended(g, g.call("go", ["ptr %S"]))
    h = Fn("game.settle", [("S", "ptr")], public=True)
    with h.when(h.test("ne", h.load(h.at("%S", l.MESSY)), "0")):
        h.line("call void @offers.order(ptr %S)")
    h.line("call void @offers.spread(ptr %S)")
    seat = h.load(h.at("%S", l.SEAT))
    with h.when(h.test("eq", seat, str(CHANCE))):
        h.give(str(l.WAITS))
    status = h.call("offers.allowed", ["ptr %S"])
    ended(h, h.choose(h.test("eq", status, str(l.OK)), str(l.WAITS), status))
    return [f.text(), g.text(), h.text()]


__all__ = ["LlvmSource", "llvm_source"]
