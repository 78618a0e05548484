"""What the parameters of definitions and of the hooks on them were read from, over everything that calls them.

One set of reads a parameter, of all calls together; keys are put in the terms of what is called, where an argument is that player. What a window
is opened with is taken to be told to those whom it asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.semantics import types as t
from croupier.semantics.flow import operands, statements
from croupier.semantics.lints.leaks.disclosed import EVERYBODY, Disclosures
from croupier.semantics.lints.leaks.reads import ROUNDS, Reader, listening
from croupier.semantics.lints.leaks.terms import NONE, Frame, Reads, Term, moved, own, term
from croupier.semantics.program import Program
from croupier.semantics.tree import Hook, Proc, S, X

Entry = dict[int, Reads]


def frames(program: Program, reader: Reader, disclosures: Disclosures) -> dict[int, Frame]:
    """The frame of every procedure that acts or looks ahead, by its number."""
    hooks = {h.proc.index for h in program.hooks}
    acting = [p for p in program.procs if p.colour != "pure" or p.index in hooks or any(s.op == "so_that" for s in statements(p.body))]
    entries: dict[int, Entry] = {p.index: {} for p in acting}
    found: dict[int, Frame] = {}
    listeners: dict[int, list[Hook]] = {}
    for h in program.hooks:
        listeners.setdefault(h.target, []).append(h)
    todo = {p.index: p for p in acting}
    for _ in range(ROUNDS * len(acting)):
        if not todo:
            break
        proc = todo.pop(next(iter(todo)))
        frame = found[proc.index] = reader.frame(proc, entries[proc.index])
        grown = {h.proc.index for h in listeners.get(proc.index, ()) if _add(entries, h.proc, _heard(h, proc, entries[proc.index]))}
        for s in statements(proc.body):
            for target, args in _calls(program, s):
                if target.index in entries and target.params and _add(entries, target, _passed(reader, disclosures, frame, s, target, args)):
                    grown.add(target.index)
        for index in sorted(grown):
            todo.setdefault(index, program.procs[index])
    found.update((index, reader.frame(proc, entries[index])) for index, proc in todo.items())
    return found


def _calls(program: Program, s: S) -> Iterator[tuple[Proc, tuple[X, ...]]]:
    """What a statement calls, with the arguments."""
    for o in operands(s):
        yield from ((program.procs[x.data], x.args) for x in o.walk() if x.op in ("call", "original"))


def _passed(reader: Reader, disclosures: Disclosures, frame: Frame, s: S, target: Proc, args: Iterable[X]) -> Entry:
    """What the arguments of one call were read from, in the terms of what is called."""
    pairs = list(zip(target.params, args, strict=False))
    given: dict[Term, Term] = {}
    for q, a in pairs:
        if isinstance(a.type, t.Player):
            given.setdefault(term(a, frame), own(target, q.slot))
    found: Entry = {}
    for q, a in pairs:
        reads = reader.of(a, frame)
        if reads and not (a.op == "local" and a.data in disclosures.before(frame, s, EVERYBODY).slots):
            found[q.slot] = moved(reads, given)
    return found


def _heard(h: Hook, target: Proc, entry: Entry) -> Entry:
    """What the names of a hook were read from: the arguments of what it listens to."""
    given = {new: old for old, new in listening(h, target).items()}
    pairs = [(a.slot, entry.get(target.params[a.param].slot, NONE)) for a in h.args if a.slot is not None]
    return {slot: moved(reads, given) for slot, reads in pairs if reads}


def _add(entries: dict[int, Entry], target: Proc, more: Entry) -> bool:
    """Add to what the parameters of a procedure were read from; was any of it new?"""
    entry, grown = entries.get(target.index), False
    if entry is None:
        return False
    for slot, reads in more.items():
        if not reads <= entry.get(slot, NONE):
            entry[slot] = entry.get(slot, NONE) | reads
            grown = True
    return grown
