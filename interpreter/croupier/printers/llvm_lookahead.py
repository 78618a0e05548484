"""Looking ahead, as `execution/lookahead.py` says it: a depth-first search over copies of a position in spare memory of the thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from croupier.core import operations as op
from croupier.core.operations import CHANCE, NONE, SEVERAL
from croupier.core.types import CoreProgram
from croupier.core.walk import statements
from croupier.limits import MAX_LOOKAHEAD_DECISIONS, MAX_POSITIONS
from croupier.printers import llvm_layout as l
from croupier.printers.assembly import Fn
from croupier.printers.llvm_values import Unit

NO, YES, TOO_FAR = "0", "1", "2"


def blocks(program: CoreProgram) -> dict[str, list[op.Explore]]:
    """The blocks of each function that are looked ahead in, the outer before the inner."""
    found: dict[str, dict[int, op.Explore]] = {}
    for state in program.states.values():
        for s in statements(state.body):
            if isinstance(s, op.Explore):
                found.setdefault(state.function, {})[s.number] = s
    return {name: sorted(those.values(), key=lambda b: -b.number) for name, those in found.items()}


def lookahead(unit: Unit) -> list[str]:
    """All functions of it; `offers.allowed(S)` alone where nobody looks ahead."""
    if not blocks(unit.program):
        f = Fn("offers.allowed", [("S", "ptr")])
        f.inside()
        f.give(str(l.OK))
        return [f.text()]
    return [copy(unit), first(unit), inside(unit), begin(), leads(), on(), allowed()]


def copy(unit: Unit) -> str:
    """`position.copy(S)`: the address of a copy in spare memory; 0 if there were too many."""
    f = Fn("position.copy", [("S", "ptr")])
    context = f.pointer(f.load(f.at("%S", l.CONTEXT)))
    examined = f.add(f.load(f.at("%S", l.EXAMINED)), "1")
    f.store(examined, f.at("%S", l.EXAMINED))
    with f.when(f.test("gt", examined, str(MAX_POSITIONS))):
        f.give("0")
    at = f.load(f.at(context, l.SPARE))
    end = f.add(at, str(8 * (unit.layout.before + unit.layout.end)))
    with f.when(f.test("gt", end, f.load(f.at(context, l.SPARE_END)))):
        f.give("0")
    f.store(end, f.at(context, l.SPARE))
    to = f.at(f.pointer(at), unit.layout.before)
    f.copy(to, "%S", f.load(f.at("%S", l.END)))
    with f.when(f.test("eq", f.load(f.at("%S", l.SEARCH)), "0")):  # trying takes no fuel of the action that tries
        f.store(f.load(f.at("%S", l.TRIED)), f.at(to, l.FUEL))
    f.give(f.address(to))
    return f.text()


@contextmanager
def copied(f: Fn, source: str) -> Iterator[str]:
    """A copy of a position, while something is done with it. Too many: the function gives `TOO_FAR`.

    What was examined there, and the fuel that it took, is gone for whatever is tried next.
    """
    context = f.pointer(f.load(f.at(source, l.CONTEXT)))
    spare = f.load(f.at(context, l.SPARE))
    made = f.call("position.copy", [f"ptr {source}"])
    with f.when(f.test("eq", made, "0")):
        f.give(TOO_FAR)
    trial = f.pointer(made)
    yield trial
    f.store(f.load(f.at(trial, l.EXAMINED)), f.at(source, l.EXAMINED))
    left, alone = f.load(f.at(trial, l.FUEL)), f.test("eq", f.load(f.at(source, l.SEARCH)), "0")
    f.store(left, f.at(source, f.choose(alone, str(l.TRIED), str(l.FUEL))))
    f.store(spare, f.at(context, l.SPARE))


@contextmanager
def active(f: Fn, unit: Unit, source: str) -> Iterator[Iterator[tuple[str, op.Explore]]]:
    """A walk over the frames from the top; what is written for each block that control is in gets the number of the frame and the block."""
    layout, program, found = unit.layout, unit.program, blocks(unit.program)
    top, depth = f.slot(), f.slot()
    f.store(f.load(f.at(source, l.TOP)), top)
    f.store(f.load(f.at(source, l.DEPTH)), depth)
    head, look, down, after = f.label(), f.label(), f.label(), f.label()
    f.place(head)
    f.branch(f.test("eq", f.load(top), "0"), after, look)
    f.place(look)
    frame = f.at(source, f.load(top))
    labels = {name: f.label() for name in found}
    ways = " ".join(f"i64 {s.number}, label %{labels[s.function]}" for s in program.states.values() if s.function in labels)
    f.end(f"switch i64 {f.load(frame)}, label %{down} [{ways}]")

    def each() -> Iterator[tuple[str, op.Explore]]:
        for name, those in found.items():
            f.place(labels[name])
            for block in those:
                where = layout.frames[name].words.get(block.active)
                if where is not None:
                    with f.when(f.test("eq", f.load(f.at(frame, where)), "1")):
                        yield f.load(depth), block
            f.jump(down)

    yield each()
    f.place(down)
    f.store(f.load(f.at(f.at(source, f.load(top)), l.BELOW)), top)
    f.store(f.sub(f.load(depth), "1"), depth)
    f.jump(head)
    f.place(after)


def first(unit: Unit) -> str:
    """`lookahead.first(S, out)`: 1 if control is in a block; `out` gets the frame and the number of the outermost, and how far it looks ahead."""
    f = Fn("lookahead.first", [("S", "ptr"), ("out", "ptr")])
    found, seen = f.slot(), f.slot()
    f.store("0", found)
    f.store("0", seen)
    with active(f, unit, "%S") as each:
        for depth, block in each:
            with f.when(f.test("ne", f.load(seen), depth)):  # of one frame the outer block comes first
                for i, word in enumerate((depth, str(block.number), str(block.within))):
                    f.store(word, f.at("%out", i))
                f.store(depth, seen)
                f.store("1", found)
    f.give(f.load(found))
    return f.text()


def inside(unit: Unit) -> str:
    """`lookahead.inside(S)`: 1 if control stands in a look-ahead that began inside the one whose end is looked for."""
    f = Fn("lookahead.inside", [("S", "ptr")])
    search, sought = f.load(f.at("%S", l.SEARCH)), f.load(f.at("%S", l.SOUGHT))
    with active(f, unit, "%S") as each:
        for depth, block in each:
            deeper = f.test("gt", depth, search)
            within = f.both(f.test("eq", depth, search), f.test("lt", str(block.number), sought))
            with f.when(f.either(deeper, within)):
                f.give("1")
    f.give("0")
    return f.text()


def begin() -> str:
    """`explore.begin(S, number, within, strict, state)`: does some way from a state of the frame on top reach the end of its block?"""
    f = Fn("explore.begin", [("S", "ptr"), ("number", "i64"), ("within", "i64"), ("strict", "i64"), ("state", "i64")], apart=True)
    with copied(f, "%S") as trial:
        f.store(f.load(f.at(trial, l.DEPTH)), f.at(trial, l.SEARCH))
        f.store("%number", f.at(trial, l.SOUGHT))
        f.store("%state", f.at(trial, f.load(f.at(trial, l.TOP))))
        f.store("0", f.at(trial, l.CHOSEN))
        ended = f.call("go", [f"ptr {trial}"])
        found = f.call("explore.on", [f"ptr {trial}", f"i64 {ended}", f"i64 {NONE}", "i64 %within", "i64 %strict"])
    f.give(found)
    return f.text()


def leads() -> str:
    """`explore.leads(S, depth, number, seat, action, left, strict)`: does an action lead to the end of a block?"""
    params = ("depth", "number", "seat", "action", "left", "strict")
    f = Fn("explore.leads", [("S", "ptr"), *((name, "i64") for name in params)], apart=True)
    with copied(f, "%S") as trial:
        f.store("%depth", f.at(trial, l.SEARCH))
        f.store("%number", f.at(trial, l.SOUGHT))
        f.store("%action", f.at(trial, l.CHOSEN))
        ended = f.call("go", [f"ptr {trial}"])
        found = f.call("explore.on", [f"ptr {trial}", f"i64 {ended}", "i64 %seat", "i64 %left", "i64 %strict"])
    f.give(found)
    return f.text()


def on() -> str:
    """`explore.on(S, ended, seat, left, strict)`: the search goes on from a copy that ran until it ended so; `seat` is who chose before."""
    f = Fn("explore.on", [("S", "ptr"), ("ended", "i64"), ("seat", "i64"), ("left", "i64"), ("strict", "i64")], apart=True)
    with f.when(f.test("ne", "%ended", str(l.WAITS))):
        with f.when(f.test("eq", "%ended", str(l.FAILED))):
            f.give(TOO_FAR)
        f.give(f.wide(f.test("eq", "%ended", str(l.REACHED))))
    chooser = f.load(f.at("%S", l.SEAT))
    with f.when(f.test("eq", chooser, str(CHANCE))):
        f.give(TOO_FAR)
    with f.when(f.both(f.test("ne", "%seat", str(NONE)), f.test("ne", chooser, "%seat"))):
        with f.when(f.test("ne", f.call("lookahead.inside", ["ptr %S"]), "0")):
            f.give(YES)
        f.give(TOO_FAR)
    with f.when(f.test("eq", "%left", "0")):
        f.give(f.choose(f.test("ne", "%strict", "0"), TOO_FAR, NO))
    with f.when(f.test("eq", chooser, str(SEVERAL))):
        f.give(NO)
    with f.when(f.test("ne", f.load(f.at("%S", l.MESSY)), "0")):
        f.line("call void @offers.order(ptr %S)")
    f.line("call void @offers.spread(ptr %S)")
    left = f.sub("%left", "1")
    search, sought = f.load(f.at("%S", l.SEARCH)), f.load(f.at("%S", l.SOUGHT))
    with f.counting("0", f.load(f.at("%S", l.COUNT))) as i:
        action = f.load(f.at(f.at("%S", -2 * l.MOST_OFFERS), i))
        given = [f"i64 {w}" for w in (search, sought, chooser, action, left, "%strict")]
        found = f.call("explore.leads", ["ptr %S", *given])
        with f.when(f.test("ne", found, NO)):
            f.give(found)
    f.give(NO)
    return f.text()


def allowed() -> str:
    """`offers.allowed(S)`: of what is on offer only that stays after which every block can still end as it must. Gives a status."""
    f = Fn("offers.allowed", [("S", "ptr")], apart=True)
    out, kept = f.slot(3), f.slot()
    with f.when(f.test("eq", f.call("lookahead.first", ["ptr %S", f"ptr {out}"]), "0")):
        f.give(str(l.OK))
    depth, number, within = (f.load(f.at(out, i)) for i in range(3))
    strict = f.wide(f.test("eq", within, "0"))
    left = f.sub(f.choose(f.test("eq", within, "0"), str(MAX_LOOKAHEAD_DECISIONS), within), "1")
    seat = f.load(f.at("%S", l.SEAT))
    f.store("0", kept)
    with f.counting("0", f.load(f.at("%S", l.COUNT))) as i:
        action, whose = f.load(f.at(f.at("%S", -2 * l.MOST_OFFERS), i)), f.load(f.at(f.at("%S", -l.MOST_OFFERS), i))
        who = f.choose(f.test("eq", seat, str(SEVERAL)), whose, seat)
        given = [f"i64 {w}" for w in (depth, number, who, action, left, strict)]
        found = f.call("explore.leads", ["ptr %S", *given])
        with f.when(f.test("eq", found, TOO_FAR)):
            f.give(str(l.FAILED))
        with f.when(f.test("eq", found, YES)):
            at = f.load(kept)
            f.store(action, f.at(f.at("%S", -2 * l.MOST_OFFERS), at))
            f.store(whose, f.at(f.at("%S", -l.MOST_OFFERS), at))
            f.store(f.add(at, "1"), kept)
    f.store(f.load(kept), f.at("%S", l.COUNT))
    f.give(str(l.OK))
    return f.text()
