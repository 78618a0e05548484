"""The shape of routines: numbers that exist, one terminator a block, operations of the table, suspensions as their kind demands."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.ir.instructions import Instruction
from croupier.ir.operations import OPERATIONS
from croupier.ir.problems import Problem
from croupier.ir.rewire import targets
from croupier.ir.routines import Routine
from croupier.ir.slots import ROLES
from croupier.ir.suspensions import KINDS, Suspend
from croupier.ir.terminators import Terminator

CHECK = "shape"
NUMBERED = ("options", "label", "taken", "window")


def check_shape(routine: Routine) -> Iterator[Problem]:
    """Nothing here follows numbers that may not exist; the other checks rely on this one."""

    def wrong(text: str, block: int | None = None) -> Problem:
        return Problem(CHECK, routine.name, block, text)

    for i, s in enumerate(routine.slots):
        if s.number != i or s.role not in ROLES:
            yield wrong(f"slot {i} is numbered {s.number} and is a `{s.role}`")
    count, slots = len(routine.blocks), len(routine.slots)
    starts = [q.entry for q in routine.queries] + ([] if routine.entry is None else [routine.entry])
    for number in starts:
        if not 0 <= number < count:
            yield wrong(f"it begins at block {number}, and there are {count}")
    for number in (*routine.takes, *routine.gives, *(x for q in routine.queries for x in q.takes)):
        if not 0 <= number < slots:
            yield wrong(f"slot {number} does not exist")
    for i, b in enumerate(routine.blocks):
        if b.number != i:
            yield wrong(f"block {i} is numbered {b.number}", i)
        if not isinstance(b.end, Terminator) or type(b.end) is Terminator:
            yield wrong("it has no terminator", i)
            continue
        for x in b.code:
            if not isinstance(x, Instruction):
                yield wrong(f"`{x}` stands among its instructions", i)
            elif x.op not in OPERATIONS:
                yield wrong(f"there is no operation `{x.op}`", i)
            elif (x.data is not None) > bool(OPERATIONS[x.op].data):
                yield wrong(f"`{x.op}` takes no data, and has {x.data!r}", i)
        for target in targets(b.end):
            if not 0 <= target < count:
                yield wrong(f"it leads to block {target}, and there are {count}", i)
        for slot in named(b.end, b.code):
            if not 0 <= slot < slots:
                yield wrong(f"slot {slot} does not exist", i)
        if isinstance(b.end, Suspend):
            yield from (wrong(text, i) for text in suspension_problems(b.end))
    yield from points(routine)


def named(end: Terminator, code: tuple[Instruction, ...]) -> Iterator[int]:
    """Every slot that a block names."""
    for x in code:
        if isinstance(x, Instruction):
            yield from (*x.into, *x.args)
    yield from end.reads()
    for edge in end.edges():
        yield from edge.assigns
    for query in end.queries():
        yield from query.takes


def suspension_problems(end: Suspend) -> Iterator[str]:
    """Whether a suspension has the queries and the ways on of its kind; what is wrong in words."""
    kind = KINDS.get(end.kind)
    if kind is None:
        yield f"there is no kind of suspension `{end.kind}`"
        return
    for what, names, wanted, possible in (
        ("query", [q.name for q in end.asks], kind.queries, kind.may_ask),
        ("resume", [r.name for r in end.resumes], kind.resumes, kind.may_resume),
    ):
        if len(set(names)) < len(names):
            yield f"a {what} stands twice: {', '.join(names)}"
        for name in sorted(wanted - set(names)):
            yield f"the {what} `{name}` of `{end.kind}` is missing"
        for name in names:
            if name not in wanted | possible and not (end.kind == "menu" and name.split(" ")[0] in NUMBERED):
                yield f"`{end.kind}` has no {what} `{name}`"
    if end.kind == "menu":
        names = [*(q.name for q in end.asks), *(r.name for r in end.resumes)]
        for i in (name.removeprefix("options ") for name in names if name.startswith("options ")):
            if f"label {i}" not in names or f"taken {i}" not in names:
                yield f"option {i} of the menu lacks a label or a way on"
    if not end.resumes and end.kind != "ask":
        yield "nothing says how it goes on"
    if kind.blocks and end.blocked is None:
        yield f"`{end.kind}` must say where it goes when there is nothing to wait for"


def points(routine: Routine) -> Iterator[Problem]:
    """Every suspension point has one suspension, every suspension one point."""
    found = [end.point for _, end in routine.suspensions()]
    if sorted(found) != sorted(routine.live):
        yield Problem(CHECK, routine.name, None, f"its suspensions have the points {sorted(found)}; it has {sorted(routine.live)}")
