"""What a player was told, shown or offered by statements that have certainly run before another one, and that has not changed since.

Certainly before: what stands above in the same block or in a block around, in the same rule text; of a loop over players the whole. Of a zone or
of state it counts only as long as no statement between, nor the loop around, nor what they call, puts anything in or changes it. Shown is what
a statement names as a whole: `show hand[q] to p`, `tell p that "{secret}"`; of `reveal hand[q].first!` nothing is kept but that component,
if it has a name. Whoever decides knows that it is he.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from croupier.semantics.flow import callees, operands, statement_call, statements
from croupier.semantics.lints.leaks.reads import COUNTS
from croupier.semantics.lints.leaks.terms import WHOLE, Frame, Term, certainly_differ, own, term
from croupier.semantics.program import Program
from croupier.semantics.tree import Choice, Proc, S, X

EVERYBODY: Term = ("everybody",)
LOOPS = ("for", "turns", "repeat")
AS_A_LIST = ("zone_list", "zone_all", "zone.list", "family_list", "family.list", "certain", "bound", "narrow", "list", "join", "optional_list")
MOVING = ("move", "draw", "swap", "shuffle", "roll")
Thing = tuple[str, str, Term | None]  # kind, name, whose


@dataclass
class Known:
    """Locals, and zones, counts and state, that somebody knows at some point."""

    slots: set[int] = field(default_factory=set)
    things: set[Thing] = field(default_factory=set)

    def holds(self, kind: str, name: str, key: Term | None) -> bool:
        """Is this known, or that of everybody?"""
        kinds = ("zone", "count") if kind == "count" else (kind,)
        return any((k, name, owner) in self.things for k in kinds for owner in {key, WHOLE})


class Disclosures:
    """What is disclosed in the procedures of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._after: dict[int, frozenset[str]] = {}
        self.always = frozenset(name for w in program.watchers for name in self._afterwards(w.proc.index))
        self._before: dict[tuple[int, int, Term], Known] = {}
        self._public: dict[int, set[int]] = {}

    def before(self, frame: Frame, s: S, chooser: Term) -> Known:
        """What a player, or everybody, certainly knows when a statement runs, of what was disclosed in its procedure."""
        key = (frame.proc.index, id(s), chooser)
        if key not in self._before:
            known = Known({slot for slot in range(len(frame.proc.slots)) if frame.terms.get(slot, own(frame.proc, slot)) == chooser})
            self._down(frame.proc.body, s, frame, chooser, known)
            self._before[key] = known
        return self._before[key]

    def _down(self, block: list[S], s: S, frame: Frame, chooser: Term, known: Known) -> bool:
        """Collect what runs on the way to a statement; whether it stands in this block."""
        for above in block:
            if above is s:
                return True
            inside = [b for b in above.blocks if any(x is s for x in statements(b))]
            if not inside:
                self._pass(above, frame, chooser, known)
                continue
            if above.op in LOOPS:
                self._forget(known, list(above.walk()))
            elif above.op in ("choose", "menu"):
                self._chosen(above, frame, chooser, known)
            return self._down(inside[0], s, frame, chooser, known)
        return False

    # ------------------------------------------------------------ one statement
    def _pass(self, s: S, frame: Frame, chooser: Term, known: Known) -> None:
        """A statement runs as a whole: what it changes is not known any more, what it discloses is."""
        self._forget(known, list(s.walk()))
        for part in self._certain(s, frame, chooser):
            for x in self._disclosed(part, frame, chooser):
                self._learn(x, frame, known, whole=part is not s)
            self._chosen(part, frame, chooser, known)

    def _certain(self, s: S, frame: Frame, chooser: Term) -> Iterator[S]:
        """The statement, and those in it that run, too: of a loop over players, of what happens secretly where he looks on."""
        yield s
        if s.op == "for" or (s.op == "secretly" and self._addressed(s.args[0], frame, chooser)):
            for inner in s.blocks[0]:
                yield from self._certain(inner, frame, chooser)

    def _disclosed(self, s: S, frame: Frame, chooser: Term) -> Iterator[X]:
        """The expressions whose values somebody knows after a statement."""
        match s.op:
            case "show" if self._addressed(s.args[1], frame, chooser):
                yield s.args[0]
            case "tell" if self._addressed(s.args[-1], frame, chooser):
                yield from (y for x in s.args[:-1] for y in (x.args if x.op == "text" else (x,)))
            case "announce":
                yield from (y for x in s.args for y in (x.args if x.op == "text" else (x,)))
            case "move" if self._sees_what_comes(s.args[1], frame, chooser):
                yield s.args[0]
            case "do" | "let" | "assign":
                call = statement_call(s)
                if call is not None:
                    yield from (call.args[i] for i in self._passed_on(self.program.procs[call.data]) if i < len(call.args))

    def _chosen(self, s: S, frame: Frame, chooser: Term, known: Known) -> None:
        """What somebody chose, he knows."""
        if s.op == "choose":
            choice: Choice = s.data[0]
            if choice.chooser == "one" and choice.by is not None and term(choice.by, frame) == chooser:
                known.slots.add(choice.slot)
        elif s.op == "menu" and term(s.args[0], frame) == chooser:
            known.slots |= {slot for option in s.data.options for slot in option.slots}

    def _passed_on(self, proc: Proc) -> set[int]:
        """The numbers of the parameters that everybody knows after a call."""
        if proc.index not in self._public:
            self._public[proc.index] = set()
            frame, known = Frame(proc), Known()
            for s in proc.body:
                self._pass(s, frame, EVERYBODY, known)
            self._public[proc.index] = {i for i, q in enumerate(proc.params) if q.slot in known.slots}
        return self._public[proc.index]

    def _addressed(self, to: X, frame: Frame, chooser: Term) -> bool:
        """Is a player certainly among these?"""
        if to.op == "players":
            return True
        if to.op == "list":
            return any(term(a, frame) == chooser for a in to.args)
        return to.op == "others" and certainly_differ(term(to.args[0], frame), chooser)

    def _sees_what_comes(self, zone: X, frame: Frame, chooser: Term) -> bool:
        if zone.op not in ("zone", "zone_at"):
            return False
        key = term(zone.args[0], frame) if zone.op == "zone_at" else None
        return admits(self.program.zones[zone.data].seen_by, key, chooser)

    # ------------------------------------------------------------ learning and forgetting
    def _learn(self, x: X, frame: Frame, known: Known, whole: bool) -> None:
        """Whoever knows the value of an expression knows these; what a loop shows of each player is all of it (`whole`)."""
        if x.op in AS_A_LIST:
            for a in x.args:
                self._learn(a, frame, known, whole)
        elif x.op == "local":
            if x.data not in frame.assigned:
                known.slots.add(x.data)
        elif x.op in ("zone", "zone_at"):
            self._add(known, "zone", x, frame, whole)
        elif x.op in COUNTS:
            self._add(known, "count", x.args[0], frame, whole)
        elif x.op == "state" or (x.op == "index" and x.args[0].op == "state"):
            self._add(known, "state", x, frame, whole)

    def _add(self, known: Known, kind: str, x: X, frame: Frame, whole: bool) -> None:
        name = x.args[0].data if x.op == "index" else x.data
        at = x.args[-1] if x.op in ("zone_at", "index") else None
        if name not in self.always:
            known.things.add((kind, name, WHOLE if at is None or whole else term(at, frame)))
            if at is None:
                known.things.add((kind, name, None))

    def _forget(self, known: Known, run: list[S]) -> None:
        if not known.things:
            return
        changed = self._changed(run) | {n for s in run for i in self._callees(s) for n in self._afterwards(i)}
        known.things = {thing for thing in known.things if thing[1] not in changed}

    def _changed(self, run: list[S]) -> set[str]:
        """The zones and the state that statements themselves put something into, take from by name, or assign."""
        found: set[str] = set()
        for s in run:
            if s.op in MOVING:
                found |= {x.data for o in operands(s) for x in o.walk() if x.op in ("zone", "zone_at")}
            elif s.op in ("assign", "add", "remove"):
                target = s.args[0] if s.op == "assign" else s.args[1]
                found |= {x.data for x in target.walk() if x.op == "state"}
        return found

    def _callees(self, s: S) -> Iterator[int]:
        yield from (x.data for o in operands(s) for x in o.walk() if x.op in ("call", "original"))
        if s.op == "open":
            yield s.data
        elif s.op == "menu" and s.data.window is not None:
            yield s.data.window

    def _afterwards(self, start: int) -> frozenset[str]:
        """What a procedure changes itself or through what it calls and what listens to it."""
        if start not in self._after:
            seen: set[int] = set()
            found: set[str] = set()
            todo = [start]
            while todo:
                index = todo.pop()
                if index not in seen:
                    seen.add(index)
                    found |= self._changed(list(statements(self.program.procs[index].body)))
                    todo += callees(self.program, self.program.procs[index])
            self._after[start] = frozenset(found)
        return self._after[start]


def admits(audience: X, key: Term | None, chooser: Term) -> bool:
    """Does an audience certainly hold a player, for each value of the parameter that it depends on?"""
    if audience.op == "if":
        return all(admits(x, key, chooser) for x in audience.args[1:])
    if audience.op != "enum":
        return True
    match audience.data[1]:
        case "nobody":
            return False
        case "owner":
            return key is not None and key == chooser
        case "others":
            return key is not None and certainly_differ(key, chooser)
    return True
