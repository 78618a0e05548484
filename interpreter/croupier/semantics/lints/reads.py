"""What an expression reads of a position, through definitions and locals: zones, their counts, state, each with whose it is.

The ground of the lint about leaks. Everything here leans to one side: what is not certainly read is not a read, and a player that is not
certainly another one may be the one who decides.

- A **player term** says who an expression stands for, as far as it can be told: the same local, the same variable, an argument; or *somebody
  else*: the variable of a loop or comprehension over players, a candidate of a choice among players, `next`, `previous`; or, once chosen
  from `others(p)`, anybody but `p`.
- A **local** reads what the expressions read that it was given. What was chosen, shown, moved or told about is known to all, and so is
  what an event handed to a hook.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from croupier.diagnostics import Span
from croupier.semantics import types as t
from croupier.semantics.flow import operands, statement_call, statements
from croupier.semantics.program import Program
from croupier.semantics.tree import Choice, Proc, S, X

Term = tuple[object, ...]
SOMEBODY: Term = ("somebody",)  # perhaps another one than any term names
COUNTS = ("zone.size", "zone.empty", "zone.room", "family.size", "family.empty")
WALKS = ("players", "others", "clockwise", "turns")
DEEPEST = 12  # calls inside one another


@dataclass(frozen=True)
class Read:
    """One read: a `zone`, the `count` of one, or `state`; `key` is the player it belongs to, None where it belongs to nobody in particular."""

    kind: str
    name: str
    key: Term | None
    span: Span


@dataclass
class Frame:
    """What is known of the locals of a procedure: who they stand for, and what they were read from."""

    proc: Proc
    terms: dict[int, Term] = field(default_factory=dict)
    reads: dict[int, frozenset[Read]] = field(default_factory=dict)


class Reader:
    """Reads of expressions; results of calls are kept."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._called: dict[tuple[int, tuple[Term, ...]], frozenset[Read]] = {}

    # ------------------------------------------------------------ frames
    def frame(self, proc: Proc, terms: Mapping[int, Term] | None = None, reads: Mapping[int, frozenset[Read]] | None = None) -> Frame:
        """The frame of a procedure called with these terms and reads of its parameters."""
        frame = Frame(proc, dict(terms or {}), dict(reads or {}))
        body = list(statements(proc.body))
        known = {slot for s in body for slot in _told(s)}
        for _ in range(4):  # a local read from a local read from a local …
            before = dict(frame.reads)
            for s in body:
                self._bind(frame, s, known)
            if frame.reads == before:
                break
        return frame

    def _bind(self, frame: Frame, s: S, known: set[int]) -> None:
        """The locals that a statement fills."""
        if s.op == "let":
            value = s.args[0]
            if isinstance(value.type, t.Player) and s.data not in frame.terms and not _assigned(frame.proc, s.data):
                frame.terms[s.data] = self.term(value, frame)
            if not self._acts(s):
                self._note(frame, s.data, self.of(value, frame), known)
        elif s.op == "assign" and s.args[0].op == "local" and not self._acts(s):
            self._note(frame, s.args[0].data, self.of(s.args[-1], frame), known)
        elif s.op in ("for", "turns"):
            slot = s.data[0]
            if _walks_players(s.args[0]):
                frame.terms.setdefault(slot, ("each", frame.proc.index, slot))
            self._note(frame, slot, self.of(s.args[0], frame), known)
        elif s.op == "choose" and not s.data[0].many:
            choice: Choice = s.data[0]
            left_out = _left_out(choice.source)
            if left_out is not None and left_out.op == "local" and not _assigned(frame.proc, left_out.data):
                frame.terms.setdefault(choice.slot, ("other", self.term(left_out, frame), frame.proc.index, choice.slot))
        elif s.op == "draw" and s.data[1] >= 0:
            self._note(frame, s.data[1], self.of(s.args[2], frame), known)

    def _acts(self, s: S) -> bool:
        """Is this a call that does something? What it did was seen, and so was what it came to."""
        call = statement_call(s)
        return call is not None and self.program.procs[call.data].colour != "pure"

    def _note(self, frame: Frame, slot: int, reads: frozenset[Read], known: set[int]) -> None:
        if slot not in known:
            frame.reads[slot] = frame.reads.get(slot, frozenset()) | reads

    # ------------------------------------------------------------ terms
    def term(self, x: X, frame: Frame) -> Term:
        """Who a player expression stands for."""
        match x.op:
            case "local":
                return frame.terms.get(x.data, ("local", frame.proc.index, x.data))
            case "state" | "param":
                return (x.op, x.data)
            case "certain" | "bound" | "narrow" if x.args:
                return self.term(x.args[0], frame)
            case "next" | "previous":
                return SOMEBODY
        return ("text", " ".join(x.span.text.split()), frame.proc.index)

    # ------------------------------------------------------------ reads
    def of(self, x: X, frame: Frame, deep: int = 0) -> frozenset[Read]:
        """Everything that an expression reads."""
        found: set[Read] = set()
        self._of(x, frame, found, deep)
        return frozenset(found)

    def _of(self, x: X, frame: Frame, found: set[Read], deep: int) -> None:
        match x.op:
            case "local":
                found |= frame.reads.get(x.data, frozenset())
                return
            case "zone" | "zone_at":
                found.add(self._zone("zone", x, frame))
            case _ if x.op in COUNTS and x.args[0].op in ("zone", "zone_at"):
                found.add(self._zone("count", x.args[0], frame))
                for a in x.args[0].args:
                    self._of(a, frame, found, deep)
                return
            case "state":
                found.add(Read("state", x.data, None, x.span))
                return
            case "index" if x.args[0].op == "state":
                found.add(Read("state", x.args[0].data, self.term(x.args[1], frame), x.span))
                self._of(x.args[1], frame, found, deep)
                return
            case "family.key":  # whose it is may be asked of one's own things
                self._of(x.args[1], frame, found, deep)
                return
            case "comp" | "map_comp":
                self._comprehension(x, frame, found, deep)
                return
            case "call" | "original":
                self._call(x, frame, found, deep)
                return
        for a in x.args:
            self._of(a, frame, found, deep)

    def _zone(self, kind: str, x: X, frame: Frame) -> Read:
        zone = self.program.zones[x.data]
        key = self.term(x.args[0], frame) if x.op == "zone_at" else SOMEBODY if zone.key is not None else None
        return Read(kind, x.data, key, x.span)

    def _comprehension(self, x: X, frame: Frame, found: set[Read], deep: int) -> None:
        inner = Frame(frame.proc, dict(frame.terms), dict(frame.reads))
        for slot, source in zip(x.binds(), x.args, strict=False):
            self._of(source, inner, found, deep)
            inner.reads[slot] = self.of(source, inner, deep)
            if _walks_players(source):
                inner.terms[slot] = SOMEBODY
        for a in x.args[len(x.binds()) :]:
            self._of(a, inner, found, deep)

    def _call(self, x: X, frame: Frame, found: set[Read], deep: int) -> None:
        proc = self.program.procs[x.data]
        terms = {q.slot: self.term(a, frame) for q, a in zip(proc.params, x.args, strict=False) if isinstance(a.type, t.Player)}
        for a in x.args:
            self._of(a, frame, found, deep)
        if proc.kind != "def" or deep >= DEEPEST:
            return
        key = (proc.index, tuple(sorted(terms.items())))
        if key not in self._called:
            self._called[key] = frozenset()  # of a definition that calls itself: what the outer call reads
            called = self.frame(proc, terms)
            inside: set[Read] = set()
            for s in statements(proc.body):
                for o in operands(s):
                    self._of(o, called, inside, deep + 1)
            self._called[key] = frozenset(inside)
        found |= self._called[key]


def selection(reader: Reader, x: X, frame: Frame) -> frozenset[Read]:
    """What decides which elements a list of options has: conditions and bounds, not the places that it walks."""
    match x.op:
        case "zone" | "zone_at" | "zone_list" | "family_list" | "zone_all" | "zone.list" | "family.list" | "state" | "local":
            return frozenset()
        case "comp" if x.data[0] == "list":
            inner = Frame(frame.proc, dict(frame.terms), dict(frame.reads))
            found = frozenset[Read]()
            for slot, source in zip(x.binds(), x.args, strict=False):
                found |= selection(reader, source, inner)
                inner.reads[slot] = reader.of(source, inner)
                if _walks_players(source):
                    inner.terms[slot] = SOMEBODY
            conditions = x.args[len(x.binds()) : -1]
            return found | frozenset(r for c in conditions for r in reader.of(c, inner))
        case "if":
            return reader.of(x.args[0], frame) | selection(reader, x.args[1], frame) | selection(reader, x.args[2], frame)
        case "range":
            return reader.of(x, frame)
        case "call":
            return frozenset(r for r in reader.of(x, frame) if r.kind != "zone")
    return frozenset(r for a in x.args for r in selection(reader, a, frame))


def with_items(reader: Reader, frame: Frame, sources: Iterable[tuple[int, X]]) -> Frame:
    """The frame with candidates of these sources: of players each is asked about, whoever decides, so they stand for somebody else."""
    given = list(sources)
    terms = {slot: SOMEBODY for slot, source in given if _walks_players(source)}
    return replace(frame, terms={**frame.terms, **terms}, reads={**frame.reads, **{slot: reader.of(source, frame) for slot, source in given}})


def _walks_players(x: X) -> bool:
    while x.op in ("comp", "without", "bound", "otherwise_list") and x.args:
        if x.op == "comp" and x.data[0] not in ("list", "set", "sorted"):
            return False
        x = x.args[0]
    return x.op in WALKS


def _left_out(x: X) -> X | None:
    """The player whom a list of players certainly leaves out."""
    while x.op in ("comp", "bound", "otherwise_list") and x.args:
        if x.op == "comp" and (x.data[0] != "list" or len(x.binds()) != 1 or x.args[-1].op != "local" or x.args[-1].data != x.binds()[0]):
            return None
        x = x.args[0]
    return x.args[0] if x.op == "others" and x.args else None


def _assigned(proc: Proc, slot: int) -> bool:
    return any(s.op == "assign" and s.args[0].op == "local" and s.args[0].data == slot for s in statements(proc.body))


def _told(s: S) -> Iterator[int]:
    """The locals that everybody knows after a statement, or may know: chosen, moved, shown, told about."""
    if s.op == "choose":
        choice: Choice = s.data[0]
        yield choice.slot
    elif s.op in ("move", "show", "tell", "announce", "swap"):
        yield from (x.data for o in operands(s) for x in o.walk() if x.op == "local")
