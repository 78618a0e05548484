"""Who an expression of type Player stands for, as far as names tell: two equal terms are certainly the same player at one moment.

A **term** is a local, a variable or parameter of the ruleset, `next(p)`, somebody out of `others(p)`, or the words of any other expression
with the terms of the locals in it. A local that is given another's name stands for the same player as long as neither is assigned again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from croupier.diagnostics import Span
from croupier.semantics.flow import statements
from croupier.semantics.tree import Proc, X

Term = tuple[object, ...]
WHOLE: Term = ("all",)  # everybody's: a family of zones, a map as a whole
DEEPEST = 6  # terms in terms, with the lists that they stand in
PASSED = ("certain", "bound", "narrow")


@dataclass(frozen=True)
class Read:
    """One read: a `zone`, the `count` of one, `state`, a `place` (where a component of a class lies) or a `secret` (what was chosen
    secretly); `key` is the player it belongs to, none where it belongs to nobody in particular."""

    kind: str
    name: str
    key: Term | None
    span: Span


Reads = frozenset[Read]
NONE: Reads = frozenset()


@dataclass
class Frame:
    """What is known of the locals of a procedure: who they stand for, what they were read from, which hold components found anywhere."""

    proc: Proc
    terms: dict[int, Term] = field(default_factory=dict)
    reads: dict[int, Reads] = field(default_factory=dict)
    selects: dict[int, Reads] = field(default_factory=dict)  # of locals that hold components: what decided which ones
    loose: set[int] = field(default_factory=set)
    assigned: frozenset[int] = frozenset()
    written: frozenset[str] = frozenset()  # state that the procedure itself assigns

    def inner(self) -> Frame:
        """A copy, for what a comprehension or a choice binds."""
        return Frame(self.proc, dict(self.terms), dict(self.reads), dict(self.selects), set(self.loose), self.assigned, self.written)


def frame_of(proc: Proc) -> Frame:
    """A frame of which nothing is known but what is assigned in it."""
    targets = [s.args[0] for s in statements(proc.body) if s.op == "assign"]
    assigned = frozenset(x.data for x in targets if x.op == "local")
    written = frozenset(_base(x).data for x in targets if _base(x).op == "state")
    return Frame(proc, assigned=assigned, written=written)


def _base(x: X) -> X:
    while x.op in ("index", "item", *PASSED):
        x = x.args[0]
    return x


def own(proc: Proc, slot: int) -> Term:
    """The term of a local as itself."""
    return ("local", proc.index, slot)


def term(x: X, frame: Frame) -> Term:
    """Who a player expression stands for."""
    match x.op:
        case "local":
            return frame.terms.get(x.data, own(frame.proc, x.data))
        case "state" | "param":
            return (x.op, x.data)
        case "next" | "previous":
            return ("other", term(x.args[0], frame), x.op)
    if x.op in PASSED and x.args:
        return term(x.args[0], frame)
    parts = tuple(term(y, frame) for y in x.walk() if y.op == "local")
    return ("text", " ".join(x.span.text.split()), parts)


def alias(value: X, frame: Frame, slot: int) -> Term | None:
    """The term that a local takes over from what it was given, none if it stands for itself."""
    while value.op in PASSED and value.args:
        value = value.args[0]
    if slot in frame.assigned:
        return None
    if value.op == "local":
        return None if value.data in frame.assigned else term(value, frame)
    if value.op == "param" or (value.op == "state" and value.data not in frame.written):
        return term(value, frame)
    if value.op in ("next", "previous"):
        return ("other", term(value.args[0], frame), frame.proc.index, slot)
    return None


def walked(source: X, frame: Frame, slot: int) -> Term:
    """The term of the variable that walks over players."""
    without = left_out(source)
    return own(frame.proc, slot) if without is None else ("other", term(without, frame), frame.proc.index, slot)


def left_out(x: X) -> X | None:
    """The player whom a list of players certainly leaves out."""
    while x.op in ("comp", "bound", "otherwise_list") and x.args:
        if x.op == "comp" and (x.data[0] != "list" or len(x.binds()) != 1 or x.args[-1].op != "local" or x.args[-1].data != x.binds()[0]):
            return None
        x = x.args[0]
    return x.args[0] if x.op == "others" and x.args else None


def certainly_differ(a: Term, b: Term) -> bool:
    """Are these two different players, whoever they are?"""
    return (a[0] == "other" and a[1] == b) or (b[0] == "other" and b[1] == a)


def put(found: Term | None, given: Mapping[Term, Term]) -> Term | None:
    """A term with others in the place of some; none if that is somebody in somebody's terms too many times over: it says nothing then."""
    if found is None or not given:
        return found
    if found in given:
        return given[found]
    if found[0] in ("other", "text"):
        made = tuple(_put_part(part, given) for part in found)
        return None if None in made or _depth(made) > DEEPEST else made
    return found


def _put_part(part: object, given: Mapping[Term, Term]) -> object:
    if isinstance(part, tuple) and part:
        if isinstance(part[0], str):
            return put(part, given)
        made = tuple(_put_part(p, given) for p in part)
        return None if None in made else made
    return part


def _depth(part: object) -> int:
    """How deep the terms in a term stand."""
    return 1 + max((_depth(p) for p in part), default=0) if isinstance(part, tuple) else 0


def moved(reads: Reads, given: Mapping[Term, Term]) -> Reads:
    """Reads as they stand in a caller, or in what is called."""
    return reads if not given or not reads else frozenset(Read(r.kind, r.name, put(r.key, given), r.span) for r in reads)
