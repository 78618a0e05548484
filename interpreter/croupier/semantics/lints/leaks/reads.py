"""What an expression reads of a position, through definitions, hooks and locals: zones, their counts, state, each with whose it is.

- A **local** reads what the expressions read that it was given, and the conditions around it where it is given another value. What was chosen
  reads nothing, since a choice is public, unless it is a component (of which others read only `a Card`) or was chosen secretly.
- A **call** reads what the body of the definition reads, and what the `instead of` and `adjust` hooks on it read.
- The results of statements that act are what their `return` reads, unless all have seen it by then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.semantics import types as t
from croupier.semantics.flow import operands, statement_call, statements
from croupier.semantics.lints.leaks.terms import (
    NONE,
    WHOLE,
    Frame,
    Read,
    Reads,
    Term,
    alias,
    frame_of,
    moved,
    own,
    term,
    walked,
)
from croupier.semantics.program import Program
from croupier.semantics.tree import Choice, Hook, Proc, S, X

COUNTS = ("zone.size", "zone.empty", "zone.room", "family.size", "family.empty")
PLACES = ("component.owner", "mutable", "family.key")
CHANGING = ("instead", "adjust")
ROUNDS = 12  # of a fixed point; more are never needed but where definitions call each other in long circles
Bound = list[tuple[int, Reads, bool]]


class Reader:
    """Reads of expressions. `called` holds what definitions read, `selected` what decides which components they give, with terms of their own."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.called: dict[int, Reads] = {}
        self.selected: dict[int, Reads] = {}
        self.hooks: dict[int, list[Hook]] = {}
        self.of_proc: dict[int, list[Hook]] = {}
        for h in program.hooks:
            self.of_proc.setdefault(h.proc.index, []).append(h)
            if h.kind in CHANGING:
                self.hooks.setdefault(h.target, []).append(h)
        procs = [p for p in program.procs if p.kind == "def" or p.index in self.of_proc]
        callers: dict[int, list[Proc]] = {}
        for proc in procs:
            for index in {x.data for s in statements(proc.body) for o in operands(s) for x in o.walk() if x.op in ("call", "original")}:
                callers.setdefault(index, []).append(proc)
        todo = list(procs)
        for _ in range(ROUNDS * len(procs)):
            if not todo:
                break
            proc = todo.pop(0)
            before = self.called.get(proc.index), self.selected.get(proc.index)
            self._sum_up(proc)
            if before != (self.called[proc.index], self.selected[proc.index]):
                listened = [h.target for h in self.of_proc.get(proc.index, ())]
                todo += [p for i in (proc.index, *listened) for p in callers.get(i, ()) if not any(p is q for q in todo)]

    def _sum_up(self, proc: Proc) -> None:
        """What a definition's value depends on: all that it reads, of one that acts what it returns; and what decides which components it gives."""
        frame = self.frame(proc)
        relevant = [o for s in statements(proc.body) if proc.colour == "pure" or s.op == "return" for o in operands(s)]
        self.called[proc.index] = frozenset(r for o in relevant for r in self.of(o, frame))
        self.selected[proc.index] = frozenset(r for o in relevant for r in self.selection(o, frame))
        for h in self.of_proc.get(proc.index, ()):
            if h.guard is not None:
                self.called[proc.index] |= self.of(h.guard, frame)

    # ------------------------------------------------------------ frames
    def frame(self, proc: Proc, entry: dict[int, Reads] | None = None) -> Frame:
        """The frame of a procedure whose parameters were read from these."""
        frame = frame_of(proc)
        frame.reads.update(entry or {})
        again = any(s.op in ("for", "turns", "repeat") for s in statements(proc.body))
        for _ in range(ROUNDS if again else 1):
            before = dict(frame.reads)
            self._block(proc.body, frame, NONE, None)
            if frame.reads == before:
                break
        return frame

    def _block(self, block: Iterable[S], frame: Frame, under: Reads, secret: tuple[X | None] | None) -> None:
        """Fill in what the statements of a block bind; `under` is what decided that it runs, `secret` for whom it runs secretly."""
        for s in block:
            self._bind(s, frame, under, secret)
            inner, viewers = under, secret
            if s.op in ("if", "match", "repeat", "for", "turns"):
                inner = under | frozenset(r for o in operands(s) for r in self.of(o, frame))
            elif s.op == "secretly":
                viewers = (_single(s.args[0]),)
            for b in s.blocks:
                self._block(b, frame, inner, viewers)

    def _bind(self, s: S, frame: Frame, under: Reads, secret: tuple[X | None] | None) -> None:
        if s.op == "let":
            value = s.args[0]
            if isinstance(value.type, t.Player):
                found = alias(value, frame, s.data)
                if found is not None:
                    frame.terms[s.data] = found
            self._note(frame, s.data, self.of(value, frame), self.loose(value, frame))
            self._selected(frame, s.data, value)
        elif s.op == "assign" and s.args[0].op == "local":
            self._note(frame, s.args[0].data, self.of(s.args[-1], frame) | under, self.loose(s.args[-1], frame))
            self._selected(frame, s.args[0].data, s.args[-1])
        elif s.op in ("for", "turns"):
            slot = s.data[0]
            if _of_players(s.args[0]):
                frame.terms[slot] = walked(s.args[0], frame, slot)
            self._note(frame, slot, self.of(s.args[0], frame), self.loose(s.args[0], frame))
        elif s.op == "choose":
            choice: Choice = s.data[0]
            if choice.chooser == "one" and not choice.many and _of_players(choice.source):
                frame.terms[choice.slot] = walked(choice.source, frame, choice.slot)
            self._picked(s, choice.slot, choice.source, frame, secret)
        elif s.op == "menu":
            for option in s.data.options:
                for slot, source in zip(option.slots, option.sources, strict=True):
                    self._picked(s, slot, source, frame, secret)
        elif s.op == "draw" and s.data[1] >= 0:
            self._note(frame, s.data[1], self.of(s.args[2], frame), False)
        self._written_back(s, frame)

    def _picked(self, s: S, slot: int, source: X, frame: Frame, secret: tuple[X | None] | None) -> None:
        """A local that somebody, or chance, chose."""
        base = source.type.base if isinstance(source.type, t.Collection) else source.type
        found = self.of(source, frame) if self.faces(base) else NONE
        if secret is not None:
            found |= {Read("secret", frame.proc.slots[slot], None if secret[0] is None else term(secret[0], frame), s.span)}
        self._note(frame, slot, found, False)

    def _written_back(self, s: S, frame: Frame) -> None:
        """`var` arguments of a call hold what its parameters held at the end."""
        call = statement_call(s)
        if call is None:
            return
        proc = self.program.procs[call.data]
        for q, a in zip(proc.params, call.args, strict=False):
            target = a.args[0] if a.op == "bound" else a
            if q.var and target.op == "local":
                self._note(frame, target.data, self.of(call, frame), False)

    def _note(self, frame: Frame, slot: int, reads: Reads, loose: bool) -> None:
        frame.reads[slot] = frame.reads.get(slot, NONE) | reads
        if loose:
            frame.loose.add(slot)

    def _selected(self, frame: Frame, slot: int, value: X) -> None:
        if self.faces(value.type):
            frame.selects[slot] = frame.selects.get(slot, NONE) | self.selection(value, frame)

    # ------------------------------------------------------------ expressions
    def of(self, x: X, frame: Frame) -> Reads:
        """Everything that an expression reads."""
        found: set[Read] = set()
        self._of(x, frame, found)
        return frozenset(found)

    def _of(self, x: X, frame: Frame, found: set[Read]) -> None:
        match x.op:
            case "local":
                found |= frame.reads.get(x.data, NONE)
                return
            case "zone" | "zone_at":
                found.add(self._zone("zone", x, frame))
            case _ if x.op in COUNTS and x.args[0].op in ("zone", "zone_at"):
                found.add(self._zone("count", x.args[0], frame))
                for a in x.args[0].args:
                    self._of(a, frame, found)
                return
            case "state":
                found.add(Read("state", x.data, None, x.span))
                return
            case "index" if x.args[0].op == "state":
                key = term(x.args[1], frame) if isinstance(x.args[1].type, t.Player) else None
                found.add(Read("state", x.args[0].data, key, x.span))
                self._of(x.args[1], frame, found)
                return
            case "comp" | "map_comp":
                self._comprehension(x, frame, found)
                return
            case "call" | "original":
                found |= self._call(x, frame)
            case _ if x.op in PLACES:
                piece = x.args[-1] if x.op == "family.key" else x.args[0]
                if self.loose(piece, frame):
                    found |= {Read("place", kind, None, x.span) for kind in _kinds(piece.type)}
                self._of(piece, frame, found)
                return
        for a in x.args:
            self._of(a, frame, found)

    def loose(self, x: X, frame: Frame) -> bool:
        """Does this hold components that were not found in any zone: by their name, or all of a class?"""
        match x.op:
            case "component" | "copies" | "class" | "labelled":
                return True
            case "attr":
                return self.faces(x.type)
            case "local":
                return x.data in frame.loose
            case "zone" | "zone_at" | "state" | "call" | "original":
                return False
        return self.faces(x.type) and any(self.loose(a, frame) for a in x.args)

    def faces(self, kind: t.Type) -> bool:
        """Does a value of this type hold a component, whose face others may not see?"""
        match kind:
            case t.Component():
                return True
            case t.Optional() | t.Collection():
                return self.faces(kind.base)
            case t.Map():
                return self.faces(kind.key) or self.faces(kind.value)
            case t.Record():
                return any(self.faces(f) for f in self.program.records[kind.name].fields.values())
        return False

    def _zone(self, kind: str, x: X, frame: Frame) -> Read:
        zone = self.program.zones[x.data]
        key = None if zone.key is None else WHOLE if x.op == "zone" else term(x.args[0], frame) if isinstance(x.args[0].type, t.Player) else None
        return Read(kind, x.data, key, x.span)

    def _comprehension(self, x: X, frame: Frame, found: set[Read]) -> None:
        inner = frame.inner()
        for slot, source in zip(x.binds(), x.args, strict=False):
            found |= self.bind(inner, slot, source)
        for a in x.args[len(x.binds()) :]:
            self._of(a, inner, found)

    def bind(self, inner: Frame, slot: int, source: X) -> Reads:
        """A local that walks over a source; what the source reads."""
        read = inner.reads[slot] = self.of(source, inner)
        if self.loose(source, inner):
            inner.loose.add(slot)
        if _of_players(source):
            inner.terms[slot] = walked(source, inner, slot)
        return read

    def _call(self, x: X, frame: Frame, known: dict[int, Reads] | None = None) -> Reads:
        proc = self.program.procs[x.data]
        given = {own(proc, q.slot): term(a, frame) for q, a in zip(proc.params, x.args, strict=False) if isinstance(a.type, t.Player)}
        found = moved((self.called if known is None else known).get(proc.index, NONE), given)
        for h in self.hooks.get(proc.index, ()):
            found |= moved(self.hooked(h), {old: given.get(new, new) for old, new in listening(h, proc).items()})
        return found

    def hooked(self, h: Hook) -> Reads:
        """What decides whether a hook applies, and what it makes of a result."""
        return self.called.get(h.proc.index, NONE) | frozenset(self._in_force(h))

    def _in_force(self, h: Hook) -> Iterator[Read]:
        """A power of a component asks where the component lies: in a zone that is live."""
        for zone in self.program.zones.values() if h.component is not None else ():
            if zone.live and h.component is not None and h.component[0] in zone.kinds:
                yield Read("zone", zone.name, None if zone.key is None else WHOLE, h.proc.span)

    # ------------------------------------------------------------ what is chosen from
    def selection(self, x: X, frame: Frame) -> Reads:
        """What decides which elements a list has: conditions and bounds, not the components that it walks, since to be offered one is to be
        shown it."""
        if x.op in ("zone", "zone_at"):
            return NONE
        if not self.faces(x.type):
            return self.of(x, frame)
        match x.op:
            case "state":
                return NONE
            case "local":
                return frame.selects.get(x.data, NONE)
            case "comp":
                inner = frame.inner()
                found = NONE
                for slot, source in zip(x.binds(), x.args, strict=False):
                    found |= self.selection(source, inner)
                    self.bind(inner, slot, source)
                asked = x.args[len(x.binds()) :]
                conditions = asked[:-1] if x.data[0] == "list" else asked
                return found | frozenset(r for c in conditions for r in self.of(c, inner))
            case "if":
                return self.of(x.args[0], frame) | self.selection(x.args[1], frame) | self.selection(x.args[2], frame)
            case "call" | "original":
                return self._call(x, frame, self.selected) | frozenset(r for a in x.args for r in self.selection(a, frame))
        return frozenset(r for a in x.args for r in self.selection(a, frame))


def listening(h: Hook, target: Proc) -> dict[Term, Term]:
    """Terms of a hook -> terms of the parameters that it listens to."""
    return {own(h.proc, a.slot): own(target, target.params[a.param].slot) for a in h.args if a.slot is not None}


def _kinds(kind: t.Type) -> Iterable[str]:
    while isinstance(kind, (t.Optional, t.Collection)):
        kind = kind.base
    return sorted(kind.kinds) if isinstance(kind, t.Component) else ()


def _of_players(x: X) -> bool:
    return isinstance(x.type, t.Collection) and isinstance(x.type.base, t.Player)


def _single(x: X) -> X | None:
    """The one player of a list."""
    return x.args[0] if x.op == "list" and len(x.args) == 1 else None
